//! Models by their energies: each checked by every formulation, and against the equations that its source prints.
#![cfg(feature = "pipeline")]

use eomgen::{EvalInput, evaluator, options::DeriveOptions};
use generated_tests::oracle::{Settings, check};
use generated_tests::reference::model_text;
use std::collections::BTreeMap;

/// What is known at a state: parameters and inputs by name, places, rates, time.
struct At<'a> {
    values: &'a BTreeMap<String, f64>,
    q: &'a [f64],
    u: &'a [f64],
    t: f64,
}

impl At<'_> {
    fn p(&self, name: &str) -> f64 {
        self.values[name]
    }
}

/// Checks a model; then compares its accelerations with printed ones at a few states.
fn printed(
    name: &str,
    about: &[(&'static str, f64)],
    spread: f64,
    wanted: impl Fn(&At) -> Vec<f64>,
) {
    let text = model_text(name).unwrap();
    let settings = Settings {
        about: about.to_vec(),
        spread,
        ..Settings::default()
    };
    if let Err(complaint) = check(&text, &settings) {
        panic!("{complaint}");
    }
    let (system, _) = eomgen::internals::input::read(&text).unwrap_or_else(|f| panic!("{f:?}"));
    let number = |r: &eomgen::internals::model::system::Rational| -> f64 {
        let part = |n: String| n.parse::<f64>().unwrap();
        part(r.numer().to_string()) / part(r.denom().to_string())
    };
    let mut values: BTreeMap<String, f64> = BTreeMap::new();
    for p in &system.params {
        values.insert(p.meta.name.clone(), number(p.default.as_ref().unwrap()));
    }
    for (k, i) in system.inputs.iter().enumerate() {
        values.insert(i.meta.name.clone(), 0.4 - 0.1 * k as f64);
    }
    let e = evaluator(name, &text, &DeriveOptions::default()).unwrap_or_else(|f| panic!("{f:?}"));
    for k in 0..4 {
        let wave = |i: usize, phase: f64| (1.7 * i as f64 + 2.3 * k as f64 + phase).sin();
        let coords: Vec<&str> = system.coords.iter().map(|c| c.meta.name.as_str()).collect();
        let place = |i: usize| {
            let own = about.iter().find(|(n, _)| *n == coords[i]);
            own.map_or(0.3, |(_, v)| *v) + spread * wave(i, 0.4)
        };
        let q: Vec<f64> = (0..coords.len()).map(place).collect();
        let u: Vec<f64> = (0..coords.len()).map(|i| wave(i, 1.1)).collect();
        let named = |v: &[f64]| -> Vec<(String, f64)> {
            let names = coords.iter().map(|c| (*c).to_string());
            names.zip(v.iter().copied()).collect()
        };
        let t = 0.3 * k as f64;
        let input = EvalInput {
            t,
            q: named(&q).into_iter().collect(),
            qdot: Some(named(&u).into_iter().collect()),
            inputs: system
                .inputs
                .iter()
                .map(|i| (i.meta.name.clone(), values[&i.meta.name]))
                .collect(),
            ..EvalInput::default()
        };
        let out = e.eval(&input).unwrap_or_else(|f| panic!("{name}: {f:?}"));
        let found: Vec<f64> = out.qddot.iter().map(|x| x.1).collect();
        let at = At {
            values: &values,
            q: &q,
            u: &u,
            t,
        };
        let wanted = wanted(&at);
        let scale = wanted.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        for (f, w) in found.iter().zip(&wanted) {
            assert!(
                (f - w).abs() < 1e-10 * scale,
                "{name}: {found:?}, printed {wanted:?}"
            );
        }
        assert_eq!(found.len(), wanted.len());
    }
}

#[test]
fn elastic_pendulum() {
    printed("energy_elastic_pendulum", &[("x", 0.1)], 0.3, |a| {
        let (r, theta, [x1, w]) = (a.p("l") + a.q[0], a.q[1], [a.u[0], a.u[1]]);
        let g = a.p("g");
        vec![
            r * w * w - a.p("k") * a.q[0] / a.p("m") + g * theta.cos(),
            (-g * theta.sin() - 2.0 * x1 * w) / r,
        ]
    });
}

#[test]
fn swinging_atwood() {
    printed("energy_swinging_atwood", &[("r", 1.2)], 0.5, |a| {
        let (m, big, g) = (a.p("m"), a.p("M"), a.p("g"));
        let (r, theta, [v, w]) = (a.q[0], a.q[1], [a.u[0], a.u[1]]);
        vec![
            (m * r * w * w - big * g + m * g * theta.cos()) / (m + big),
            (-2.0 * v * w - g * theta.sin()) / r,
        ]
    });
}

#[test]
fn compound_atwood() {
    printed("energy_compound_atwood", &[], 0.5, |a| {
        let (m1, m2, m3, g) = (a.p("m1"), a.p("m2"), a.p("m3"), a.p("g"));
        let (xx, xy, yy) = (m1 + m2 + m3, m3 - m2, m2 + m3);
        let (fx, fy) = ((m1 - m2 - m3) * g, (m2 - m3) * g);
        let det = xx * yy - xy * xy;
        vec![(yy * fx - xy * fy) / det, (xx * fy - xy * fx) / det]
    });
}

#[test]
fn hoop() {
    printed("energy_hoop", &[], 1.0, |a| {
        let theta = a.q[0];
        vec![(a.p("omega").powi(2) * theta.cos() - a.p("g") / a.p("R")) * theta.sin()]
    });
}

#[test]
fn duffing_and_van_der_pol() {
    printed("energy_duffing", &[], 1.0, |a| {
        let x = a.q[0];
        let push = a.p("gamma") * (a.p("omega") * a.t).cos();
        vec![push - a.p("delta") * a.u[0] - a.p("alpha") * x - a.p("beta") * x.powi(3)]
    });
    printed("energy_van_der_pol", &[], 1.5, |a| {
        vec![a.p("mu") * (1.0 - a.q[0] * a.q[0]) * a.u[0] - a.q[0]]
    });
}

#[test]
fn two_masses() {
    printed(
        "energy_two_masses",
        &[("x1", 0.05), ("x2", 0.0)],
        0.1,
        |a| {
            let (x, v) = (a.q, a.u);
            let f1 = -(a.p("k1") + a.p("k2")) * x[0] + a.p("k2") * x[1];
            let f2 = a.p("k2") * x[0] - (a.p("k2") + a.p("k3")) * x[1];
            let d1 = -a.p("c2") * v[0] + a.p("c2") * v[1];
            let d2 = a.p("c2") * v[0] - (a.p("c2") + a.p("c3")) * v[1];
            vec![(f1 + d1) / a.p("m1"), (f2 + d2) / a.p("m2")]
        },
    );
}

#[test]
fn foucault() {
    printed("energy_foucault", &[("x", 3.0)], 1.0, |a| {
        let vertical = a.p("Omega") * a.p("latitude").sin();
        let k = a.p("g") / a.p("l");
        vec![
            2.0 * vertical * a.u[1] - k * a.q[0],
            -2.0 * vertical * a.u[0] - k * a.q[1],
        ]
    });
}

#[test]
fn spherical_pendulum() {
    printed("energy_spherical_pendulum", &[("theta", 0.9)], 0.4, |a| {
        let ((s, c), [w, p]) = (a.q[0].sin_cos(), [a.u[0], a.u[1]]);
        vec![
            p * p * s * c - a.p("g") / a.p("l") * s,
            -2.0 * w * p * c / s,
        ]
    });
}

#[test]
fn charge() {
    printed("energy_charge", &[], 1.0, |a| {
        let ratio = a.p("q") / a.p("m");
        vec![
            ratio * (a.p("E") + a.u[1] * a.p("B")),
            -ratio * a.u[0] * a.p("B"),
            0.0,
        ]
    });
}

#[test]
fn condenser_microphone() {
    printed("energy_condenser_microphone", &[], 0.2, |a| {
        let (x, q) = (a.q[0], a.q[1]);
        let e = a.p("e");
        let plate = a.p("F") - a.p("c") * a.u[0] - a.p("k") * x - q * q / (2.0 * e);
        let circuit = a.p("U") - a.p("R") * a.u[1] - (a.p("d") + x) * q / e;
        vec![plate / a.p("m"), circuit / a.p("L")]
    });
}

#[test]
fn relativistic_oscillator() {
    printed("energy_relativistic_oscillator", &[], 1.0, |a| {
        let beta = 1.0 - (a.u[0] / a.p("c")).powi(2);
        vec![-a.p("k") / a.p("m") * a.q[0] * beta.powf(1.5)]
    });
}

#[test]
fn wilberforce() {
    printed("energy_wilberforce", &[], 0.3, |a| {
        let (z, theta) = (a.q[0], a.q[1]);
        vec![
            -(a.p("k") * z + a.p("eps") * theta / 2.0) / a.p("m"),
            -(a.p("delta") * theta + a.p("eps") * z / 2.0) / a.p("J"),
        ]
    });
}

#[test]
fn top() {
    printed("energy_top", &[("theta", 0.8)], 0.4, |a| {
        let ((s, c), [w, p, spin]) = (a.q[0].sin_cos(), [a.u[0], a.u[1], a.u[2]]);
        let (i1, i3) = (a.p("I1"), a.p("I3"));
        let w3 = spin + p * c;
        let weight = a.p("M") * a.p("g") * a.p("l");
        let nutation = p * p * s * c + (weight - i3 * w3 * p) * s / i1;
        // The momenta of phi and psi are constant: I1 sin^2 phi' + I3 w3 cos, and I3 w3.
        let precession = (i3 * w3 * s * w - 2.0 * i1 * s * c * w * p) / (i1 * s * s);
        vec![nutation, precession, -precession * c + p * s * w]
    });
}

#[test]
fn hunt_crossley() {
    for about in [-0.01, 0.3] {
        printed("energy_hunt_crossley", &[("y", about)], 0.005, |a| {
            let contact = if a.q[0] < 0.0 {
                a.p("k") * (-a.q[0]).powf(1.5) * (1.0 - 1.5 * a.p("alpha") * a.u[0])
            } else {
                0.0
            };
            vec![contact / a.p("m") - a.p("g")]
        });
    }
}
