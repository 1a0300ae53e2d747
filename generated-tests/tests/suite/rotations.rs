//! Tops, gyroscopes, rolling bodies and a pendulum on the Earth: what their sources print, and what is conserved.
#![cfg(feature = "pipeline")]

use eomgen::{EvalInput, EvalOutput, Evaluator, evaluator, options::DeriveOptions};
use generated_tests::oracle::{Settings, check};
use generated_tests::reference::model_text;

type Pairs<'a> = &'a [(&'a str, f64)];

fn derived(model: &str) -> Evaluator {
    let text = model_text(model).unwrap();
    evaluator(model, &text, &DeriveOptions::default()).unwrap_or_else(|f| panic!("{model}: {f:?}"))
}

fn map(list: Pairs<'_>) -> indexmap::IndexMap<String, f64> {
    list.iter().map(|(n, v)| ((*n).to_string(), *v)).collect()
}

/// At coordinates and declared speeds.
fn at(e: &Evaluator, q: Pairs<'_>, speeds: Pairs<'_>) -> EvalOutput {
    at_input(e, q, None, Some(speeds), &[])
}

fn at_input(
    e: &Evaluator,
    q: Pairs<'_>,
    rates: Option<Pairs<'_>>,
    speeds: Option<Pairs<'_>>,
    inputs: Pairs<'_>,
) -> EvalOutput {
    let input = EvalInput {
        q: map(q),
        qdot: rates.map(map),
        speeds: speeds.map(map),
        inputs: map(inputs),
        ..EvalInput::default()
    };
    e.eval(&input).unwrap_or_else(|f| panic!("{f:?}"))
}

fn output<'o>(o: &'o EvalOutput, name: &str) -> &'o [f64] {
    let found = o.outputs.iter().find(|(n, _)| n == name);
    &found.unwrap_or_else(|| panic!("{name}")).1
}

fn near(what: &str, found: &[f64], wanted: &[f64], tolerance: f64) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    let scale = wanted.iter().fold(1.0_f64, |m, w| m.max(w.abs()));
    for (f, w) in found.iter().zip(wanted) {
        let good = (f - w).abs() < tolerance * scale;
        assert!(good, "{what}: {found:?}, should be {wanted:?}");
    }
}

fn checked(model: &str, methods: &[&'static str], about: &[(&'static str, f64)], spread: f64) {
    let text = model_text(model).unwrap();
    let (system, _) = eomgen::internals::input::read(&text).unwrap();
    let params = system.params.iter().map(|p| {
        let name: &'static str = Box::leak(p.meta.name.clone().into_boxed_str());
        let value = p.default.as_ref().unwrap();
        let number = |s: String| s.parse::<f64>().unwrap();
        (
            name,
            number(value.numer().to_string()) / number(value.denom().to_string()),
        )
    });
    let settings = Settings {
        params: params.collect(),
        methods: methods.to_vec(),
        about: about.to_vec(),
        spread,
        ..Settings::default()
    };
    if let Err(complaint) = check(&text, &settings) {
        panic!("{complaint}");
    }
}

/// One attitude in all three ways, from Euler angles.
struct Attitude {
    angles: [f64; 3],
    parameters: [f64; 4],
    modified: [f64; 3],
}

impl Attitude {
    fn of(angles: [f64; 3]) -> Self {
        let [psi, theta, phi] = angles;
        let (s, c) = (theta / 2.0).sin_cos();
        let (sum, gap) = ((psi + phi) / 2.0, (psi - phi) / 2.0);
        let e = [c * sum.cos(), s * gap.cos(), s * gap.sin(), c * sum.sin()];
        Attitude {
            angles,
            parameters: e,
            modified: [1, 2, 3].map(|i| e[i] / (1.0 + e[0])),
        }
    }

    /// Body components of the angular velocity.
    fn turn(&self, rates: [f64; 3]) -> [f64; 3] {
        let [_, theta, phi] = self.angles;
        [
            rates[0] * theta.sin() * phi.sin() + rates[1] * phi.cos(),
            rates[0] * theta.sin() * phi.cos() - rates[1] * phi.sin(),
            rates[0] * theta.cos() + rates[2],
        ]
    }
}

/// What the three tops give at one state.
fn tops(all: &[Evaluator; 3], at_angles: [f64; 3], rates: [f64; 3]) -> [EvalOutput; 3] {
    let a = Attitude::of(at_angles);
    let [x, y, z] = a.turn(rates);
    let w = [("wx", x), ("wy", y), ("wz", z)];
    let names = ["psi", "theta", "phi"];
    let pair = |values: [f64; 3]| [0, 1, 2].map(|i| (names[i], values[i]));
    let e: Vec<_> = ["e0", "e1", "e2", "e3"]
        .into_iter()
        .zip(a.parameters)
        .collect();
    let s: Vec<_> = ["s1", "s2", "s3"].into_iter().zip(a.modified).collect();
    [
        at_input(&all[0], &pair(a.angles), Some(&pair(rates)), None, &[]),
        at(&all[1], &e, &w),
        at(&all[2], &s, &w),
    ]
}

#[test]
fn heavy_top_in_three_ways() {
    let all = ["top_euler", "top_quaternion", "top_mrp"].map(derived);
    for (angles, rates) in [
        ([0.3, 0.7, -1.1], [2.0, -0.6, 90.0]),
        ([-1.3, 1.9, 0.4], [-4.0, 1.5, 30.0]),
    ] {
        let found = tops(&all, angles, rates);
        for o in &found {
            near("turn", output(o, "turn"), output(&found[0], "turn"), 1e-10);
            for conserved in ["energy_rate", "upright_rate", "spin_rate"] {
                near(conserved, output(o, conserved), &[0.0], 1e-10);
            }
        }
    }
    // Steady precession: m g l = W (C w3 - A W cos(theta)), Goldstein 5.77; then w turns with W about the vertical.
    let (m, l, a, c, g) = (0.5, 0.06, 0.003, 0.0008, 9.81);
    let ([psi, theta, phi], precession) = ([0.4, 1.0_f64, 2.0], 3.5);
    let w3 = (m * g * l / precession + a * precession * theta.cos()) / c;
    let spin = w3 - precession * theta.cos();
    for o in tops(&all, [psi, theta, phi], [precession, 0.0, spin]) {
        let k = spin * precession * theta.sin();
        near(
            "steady",
            output(&o, "turn"),
            &[k * f64::cos(psi), k * f64::sin(psi), 0.0],
            1e-10,
        );
    }
    // Nowhere singular; the Euler angles are, upright.
    assert!(
        all[1].conditions().iter().all(|c| !c.ends_with("= 0")),
        "{:?}",
        all[1].conditions()
    );
    assert!(
        all[2].conditions().iter().all(|c| !c.ends_with("= 0")),
        "{:?}",
        all[2].conditions()
    );
}

#[test]
fn ball_on_a_turntable_goes_in_circles() {
    let e = derived("turntable_quaternion");
    let [e0, e1, e2, e3] = Attitude::of([0.3, 0.8, 2.0]).parameters;
    let q = [
        ("x", 0.3),
        ("y", -0.7),
        ("e0", e0),
        ("e1", e1),
        ("e2", e2),
        ("e3", e3),
    ];
    let o = at(&e, &q, &[("wx", 3.0), ("wy", -8.0), ("wz", 2.0)]);
    near("centre", output(&o, "centre"), &[0.0; 3], 1e-12);
    near("spin", output(&o, "spin"), &[0.0], 1e-12);
}

#[test]
fn upright_disc_is_stable_above_the_critical_spin() {
    let e = derived("disc_quaternion");
    let (r, g) = (0.35, 9.81);
    let critical = f64::sqrt(g / (3.0 * r));
    let growth = |s: f64| {
        // lean'' and yaw'' at a small lean, lean' and yaw'; the angular acceleration turns with the axes.
        let second = |lean: f64, rate: f64, yaw: f64| {
            let q = [
                ("x", 0.0),
                ("y", 0.0),
                ("z", r),
                ("e0", f64::cos(lean / 2.0)),
                ("e1", f64::sin(lean / 2.0)),
                ("e2", 0.0),
                ("e3", 0.0),
            ];
            let w = [
                ("wx", rate),
                ("wy", s + yaw * lean.sin()),
                ("wz", yaw * lean.cos()),
            ];
            let o = at(&e, &q, &w);
            let turn = output(&o, "turn");
            (turn[0] + s * yaw, turn[2] - s * rate)
        };
        let d = 1e-5;
        let slope = |f: &dyn Fn(f64) -> f64| (f(d) - f(-d)) / (2.0 * d);
        let fall = slope(&|x| second(x, 0.0, 0.0).0);
        let steer = slope(&|x| second(0.0, 0.0, x).0);
        let turn = slope(&|x| second(0.0, x, 0.0).1);
        near("fall", &[fall], &[g * r / (r * r / 4.0 + r * r)], 1e-7);
        fall + steer * turn
    };
    near("critical", &[growth(critical)], &[0.0], 1e-6);
    assert!(growth(0.9 * critical) > 0.1);
    assert!(growth(1.1 * critical) < -0.1);
    let [e0, e1, e2, e3] = Attitude::of([0.3, 0.8, 2.0]).parameters;
    let q = [
        ("x", 0.3),
        ("y", -0.7),
        ("z", 0.3),
        ("e0", e0),
        ("e1", e1),
        ("e2", e2),
        ("e3", e3),
    ];
    let o = at(&e, &q, &[("wx", 3.0), ("wy", -8.0), ("wz", 2.0)]);
    near("energy", output(&o, "energy_rate"), &[0.0], 1e-10);
    assert!(
        e.conditions().iter().any(|c| c.starts_with("sqrt(")),
        "{:?}",
        e.conditions()
    );
}

/// Newton and Euler: the force of contact acts at the point of contact, and no couple.
#[test]
fn torus_on_a_plane() {
    let e = derived("torus_wheel");
    let (big, b) = (0.3, 0.08);
    for (lean, w) in [(0.4, [1.0, 7.0, -2.0]), (-0.9, [-0.3, 12.0, 1.1])] {
        let q = [
            ("x", 0.2),
            ("y", -0.1),
            ("z", b + big * f64::cos(lean)),
            ("yaw", 0.7),
            ("lean", lean),
            ("spin", 1.3),
        ];
        let o = at(&e, &q, &[("w1", w[0]), ("w2", w[1]), ("w3", w[2])]);
        near("energy", output(&o, "energy_rate"), &[0.0], 1e-10);
        near("moment", output(&o, "moment"), &[0.0; 3], 1e-10);
    }
}

#[test]
fn gyroscope_in_gimbals() {
    let e = derived("gimbals");
    let q = [("alpha", 0.3), ("beta", 0.7), ("gamma", -0.2)];
    let rates = [("alpha", 1.1), ("beta", -0.4), ("gamma", 40.0)];
    let o = at_input(&e, &q, Some(&rates), None, &[("M", 0.4)]);
    for name in ["spin_rate", "vertical_rate", "nutation"] {
        near(name, output(&o, name), &[0.0], 1e-10);
    }
}

#[test]
fn dual_spin_satellite() {
    let e = derived("dual_spin");
    let [e0, e1, e2, e3] = Attitude::of([0.3, 0.8, 2.0]).parameters;
    let q = [("e0", e0), ("e1", e1), ("e2", e2), ("e3", e3), ("q", 0.4)];
    let speeds = [("wx", 0.2), ("wy", -0.5), ("wz", 0.9), ("s", 30.0)];
    let o = at_input(&e, &q, None, Some(&speeds), &[("motor", 0.7)]);
    for name in ["euler_x", "euler_y", "euler_z", "wheel"] {
        near(name, output(&o, name), &[0.0], 1e-10);
    }
}

/// x = k sin(w t)^2, y = k (w t - sin(2 w t)/2) with 2 k w^2 = g sin(alpha).
#[test]
fn knife_edge_goes_along_a_cycloid() {
    let e = derived("knife_edge");
    let pull = 9.81 * f64::sin(20_f64.to_radians());
    let w = 1.7;
    for t in [0.2, 0.9, 1.6] {
        let (s, c) = f64::sin_cos(2.0 * w * t);
        let q = [("x", 0.0), ("y", 0.0), ("phi", w * t)];
        let o = at(&e, &q, &[("u", pull / w * f64::sin(w * t)), ("w", w)]);
        let found: Vec<f64> = o.qddot.iter().map(|x| x.1).collect();
        near("cycloid", &found, &[pull * c, pull * s, 0.0], 1e-12);
    }
}

#[test]
fn foucault_turns_with_the_vertical_rate() {
    let e = derived("foucault");
    let vertical = 7.292e-5 * f64::sin(48.85_f64.to_radians());
    let at_rest_place = |vx, vy| {
        let o = at_input(
            &e,
            &[("x", 0.0), ("y", 0.0)],
            Some(&[("x", vx), ("y", vy)]),
            None,
            &[],
        );
        [o.qddot[0].1, o.qddot[1].1]
    };
    let still = at_rest_place(0.0, 0.0);
    let moving = at_rest_place(0.3, 0.8);
    let gap = [moving[0] - still[0], moving[1] - still[1]];
    near(
        "Coriolis",
        &gap.map(|a| a * 1e4),
        &[2.0 * vertical * 0.8e4, -2.0 * vertical * 0.3e4],
        1e-8,
    );
    let o = at_input(
        &e,
        &[("x", 0.01), ("y", 0.0)],
        Some(&[("x", 0.0), ("y", 0.0)]),
        None,
        &[],
    );
    near(
        "swing",
        &[(o.qddot[0].1 - still[0]) / 0.01],
        &[-9.81 / 67.0],
        1e-7,
    );
}

#[test]
fn cylinder_swings_in_a_cylinder() {
    let e = derived("cylinder_in_cylinder");
    let phi: f64 = 0.8;
    let psi = 0.65 * phi / 0.25;
    let o = at_input(
        &e,
        &[("phi", phi), ("psi", psi)],
        Some(&[("phi", 1.2), ("psi", 0.65 * 1.2 / 0.25)]),
        None,
        &[],
    );
    near(
        "phi''",
        &[o.qddot[0].1],
        &[-2.0 * 9.81 * phi.sin() / (3.0 * 0.65)],
        1e-12,
    );
    near("slip", output(&o, "slip"), &[0.0], 1e-12);
}

mod by_gauss {
    use super::checked;

    const ALL: [&str; 4] = ["kane", "gibbs-appell", "lagrange", "udwadia-kalaba"];

    #[test]
    fn small_ones() {
        for model in ["gimbals", "knife_edge", "cylinder_in_cylinder", "foucault"] {
            checked(model, &ALL, &[], 0.3);
        }
    }

    #[test]
    fn tops() {
        checked("top_euler", &ALL, &[("theta", 1.0)], 0.3);
        checked("top_quaternion", &["kane", "lagrange"], &[("e0", 0.8)], 0.3);
        checked("top_mrp", &["kane"], &[], 0.2);
    }

    #[test]
    fn rolling() {
        checked("turntable_quaternion", &ALL, &[], 0.3);
        checked("disc_quaternion", &["kane"], &[("e0", 0.8)], 0.2);
        checked("torus_wheel", &["kane"], &[("z", 0.37)], 0.2);
    }

    #[test]
    fn satellite() {
        checked("dual_spin", &["kane", "lagrange"], &[("e0", 0.8)], 0.3);
    }
}
