//! Equations and numbers as the sources of the models print them.

use eomgen::{EvalInput, EvalOutput, Evaluator};
use generated_tests::compare::close;
use generated_tests::harness::{derived, evaluated};
use generated_tests::oracle::{Oracle, State};
use generated_tests::reference::model_text;
use generated_tests::samples::Random;

const METHODS: [&str; 4] = ["kane", "gibbs-appell", "lagrange", "udwadia-kalaba"];

/// A model with values for its constants and a way to evaluate it.
struct Machine {
    oracle: Oracle,
    evaluator: std::sync::Arc<Evaluator>,
}

/// What a machine does at a state, with all values by name.
struct Instant<'a> {
    oracle: &'a Oracle,
    state: State,
    out: EvalOutput,
}

impl Machine {
    fn new(model: &str, method: &str) -> Self {
        let (system, _) = eomgen::internals::input::read(&model_text(model).unwrap()).unwrap();
        let value = |p: &eomgen::internals::model::system::Param| {
            let d = p.default.as_ref().unwrap();
            let part = |s: String| s.parse::<f64>().unwrap();
            part(d.numer().to_string()) / part(d.denom().to_string())
        };
        let params = system.params.iter().map(value).collect();
        Self {
            oracle: Oracle {
                system,
                params,
                functions: Vec::new(),
            },
            evaluator: derived(model, method).unwrap(),
        }
    }

    fn at(&self, state: State) -> Instant<'_> {
        let system = &self.oracle.system;
        let coords = || system.coords.iter().map(|c| c.meta.name.clone());
        let inputs = system.inputs.iter().map(|i| i.meta.name.clone());
        let input = EvalInput {
            t: state.t,
            q: coords().zip(state.q.iter().copied()).collect(),
            qdot: Some(coords().zip(state.qd.iter().copied()).collect()),
            inputs: inputs.zip(state.inputs.iter().copied()).collect(),
            ..EvalInput::default()
        };
        Instant {
            oracle: &self.oracle,
            out: evaluated(&self.evaluator, &input).unwrap(),
            state,
        }
    }

    /// At a random state on the constraints.
    fn somewhere(&self, random: &mut Random) -> Instant<'_> {
        loop {
            let (q, qd, inputs) = self.random(random);
            let start = State {
                t: 0.3,
                q,
                qd,
                inputs,
            };
            if let Some(state) = self.oracle.settle(&start) {
                return self.at(state);
            }
        }
    }

    fn random(&self, random: &mut Random) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let system = &self.oracle.system;
        let q = system.coords.iter().map(|c| {
            let start = c.initial.as_ref().map_or(0.3, |d| {
                let part = |s: String| s.parse::<f64>().unwrap();
                part(d.numer().to_string()) / part(d.denom().to_string())
            });
            start + 0.3 * random.number()
        });
        let q = q.collect();
        let qd = random.take(system.coords.len());
        (q, qd, random.take(system.inputs.len()))
    }
}

impl Instant<'_> {
    fn coordinate(&self, name: &str) -> usize {
        let mut list = self.oracle.system.coords.iter();
        list.position(|c| c.meta.name == name)
            .unwrap_or_else(|| panic!("no coordinate {name}"))
    }

    /// A parameter, input or coordinate.
    fn value(&self, name: &str) -> f64 {
        let system = &self.oracle.system;
        if let Some(i) = system.params.iter().position(|p| p.meta.name == name) {
            return self.oracle.params[i];
        }
        if let Some(i) = system.inputs.iter().position(|p| p.meta.name == name) {
            return self.state.inputs[i];
        }
        self.state.q[self.coordinate(name)]
    }

    fn rate(&self, name: &str) -> f64 {
        self.state.qd[self.coordinate(name)]
    }

    fn second(&self, name: &str) -> f64 {
        self.out.qddot[self.coordinate(name)].1
    }
}

/// Checks residuals of published equations at a few random states by every formulation.
fn vanish(model: &str, equations: impl Fn(&Instant<'_>) -> Vec<f64>) {
    for method in METHODS {
        let machine = Machine::new(model, method);
        let mut random = Random::default();
        for _ in 0..3 {
            let at = machine.somewhere(&mut random);
            let found = equations(&at);
            let zero = vec![0.0; found.len()];
            if let Err(e) = close(&format!("{model} by {method}"), &found, &zero) {
                panic!("{e} at {:?}", at.state);
            }
        }
    }
}

/// Names for values at an instant: `v: parameters, inputs, coordinates; d: rates; a: second derivatives`.
macro_rules! names {
    ($at:ident; v: $($v:ident)*; d: $($d:ident = $dn:literal)*; a: $($a:ident = $an:literal)*) => {
        $(let $v = $at.value(stringify!($v));)*
        $(let $d = $at.rate($dn);)*
        $(let $a = $at.second($an);)*
    };
}

/// Kane & Levinson (1985), problem 11.7: `X u' = Y` with the Z's as printed there.
#[test]
#[allow(non_snake_case)]
fn arm_rrp() {
    vanish("arm_rrp", |at| {
        names!(at;
            v: mA mB mC mD LA LB LP p1 p2 p3 A1 B1 B2 B3 C1 C2 C3 D11 D22 D33 D12 D23 D31 g q1 q2 TA TB KC;
            d: u1 = "q0" u2 = "q1" u3 = "q2"; a: a1 = "q0" a2 = "q1" a3 = "q2");
        let (s, c) = q1.sin_cos();
        let (D13, D21) = (D31, D12);
        let (k1, k2, k3) = (B2 - B3, B3 - B1, B1 - B2);
        let (k4, k5, k6) = (C2 - C3, C3 - C1, C1 - C2);
        let (k7, k8, k9) = (D33 - D22, D11 - D33, D22 - D11);
        let (k10, k11, k12, k13) = (B1 + k1, B3 - k3, C1 + k4, C3 - k6);
        let (k14, k15, k16) = (D11 - k7, D31 + D13, D33 + k9);
        let (z1, z2) = (u1 * c, u1 * s);
        let (z3, z4, z6) = (-z2 * u2, z1 * u2, -(LP + LB * c));
        let (z7, z8, z9) = (u2 * LB, z6 * u1, LB + q2);
        let z10 = z6 - q2 * c;
        let (z11, z12, z13, z14) = (u2 * z9, z10 * u1, -s * p2, z9 + p3);
        let (z15, z16) = (z10 + s * p1 - c * p3, c * p2);
        let (z17, z18, z19) = (z13 * u1 + z14 * u2, z15 * u1, z16 * u1 - u2 * p1 + u3);
        let (z21, z22) = (LB * s * u2, -z2 * z8);
        let z23 = z21 * u1 + z2 * z7;
        let z25 = z21 - u3 * c + q2 * s * u2;
        let (z26, z27, z28) = (
            2.0 * u2 * u3 - z2 * z12,
            z25 * u1 + z2 * z11 - z1 * u3,
            z1 * z12 - u2 * z11,
        );
        let z29 = -z16 * u2;
        let z30 = z25 + u2 * (c * p1 + s * p3);
        let z31 = z13 * u2;
        let (z32, z33, z34) = (
            z29 * u1 + u2 * (u3 + z19) - z2 * z18,
            z30 * u1 + z2 * z17 - z1 * z19,
            z31 * u1 + z1 * z18 - u2 * z17,
        );
        let (z35, z36, z37) = (c * B1, z3 * k10, z2 * z1);
        let (z38, z39, z40) = (-z37 * k2, s * B3, z4 * k11);
        let (z41, z42, z43) = (c * C1, z3 * k12, -z37 * k5);
        let (z44, z45) = (s * C3, z4 * k13);
        let (z46, z47, z48) = (z1 * z1, u2 * u2, z2 * z2);
        let z49 = D11 * c + D13 * s;
        let z50 = k14 * z3 + k15 * z4 - D12 * z37 + D23 * (z47 - z48);
        let z51 = D23 * s + D21 * c;
        let z52 = D31 * (z48 - z46) + k8 * z37;
        let z53 = D33 * s + D31 * c;
        let z54 = k15 * z3 + k16 * z4 + D23 * z37 + D12 * (z46 - z47);
        let x11 = -(A1
            + c * (z35 + z41 + z49)
            + s * (z39 + z44 + z53)
            + mA * LA * LA
            + mB * z6 * z6
            + mC * z10 * z10
            + mD * (z13 * z13 + z15 * z15 + z16 * z16));
        let x12 = -(z51 + mD * (z13 * z14 - z16 * p1));
        let x13 = -mD * z16;
        let x22 = -(B2 + C2 + D22 + mB * LB * LB + mC * z9 * z9 + mD * (z14 * z14 + p1 * p1));
        let (x23, x33) = (mD * p1, -(mC + mD));
        let y1 = c * (z36 + z42 + z50)
            + s * (z40 + z45 + z54)
            + mB * z6 * z23
            + mC * z10 * z27
            + mD * (z13 * z32 + z15 * z33 + z16 * z34)
            - TA;
        let y2 = z38 + z43 + z52 + mB * LB * z22 + mC * z9 * z26 + mD * (z14 * z32 - p1 * z34) - TB
            + g * ((mB * LB + mC * z9 + mD * z14) * c - mD * p1 * s);
        let y3 = mC * z28 + mD * z34 - KC + g * (mC + mD) * s;
        vec![
            x11 * a1 + x12 * a2 + x13 * a3 - y1,
            x12 * a1 + x22 * a2 + x23 * a3 - y2,
            x13 * a1 + x23 * a2 + x33 * a3 - y3,
        ]
    });
}

/// Kane & Levinson (1985), section 4.7, in the form of SymPy's test_kane4.
#[test]
fn double_pendulum_torsion() {
    vanish("double_pendulum_torsion", |at| {
        names!(at; v: m l sigma delta q2; d: d1 = "q1" d2 = "q2"; a: a1 = "q1" a2 = "q2");
        let (u1, u2, w1, w2) = (d1, d1 + d2, a1, a1 + a2);
        let (ml, s, c) = (m * l * l, q2.sin(), q2.cos());
        let torque = sigma * q2 + delta * (u2 - u1);
        vec![
            2.0 * ml * w1 + ml * c * w2 - ml * s * u2 * u2 - torque,
            ml * c * w1 + ml * w2 + ml * s * u1 * u1 + torque,
        ]
    });
}

/// Kane & Levinson (1985), problem 11.10: the generalized active and inertia forces, with the reactions at the crank pin eliminated.
#[test]
#[allow(non_snake_case)]
fn slider_crank() {
    vanish("slider_crank", |at| {
        names!(at; v: mA mB mC kA kB a a_star b b_star q1 q2 alpha2 Q3; d: d1 = "q1" d2 = "q2"; a: w1 = "q1" w2 = "q2");
        let ((s1, c1), (s2, c2)) = (q1.sin_cos(), q2.sin_cos());
        let (u2, du2) = (-d2, -w2);
        // z of the piston is a cos q1 + b cos q2.
        let du3 = -a * (s1 * w1 + c1 * d1 * d1) - b * (s2 * w2 + c2 * d2 * d2);
        let r3 = Q3 - ((mB + mC) * du3 - mB * b_star * s2 * du2 + mB * b_star * c2 * u2 * u2);
        let r1 = (mB * ((b_star * b_star + kB * kB) * du2 - b_star * s2 * du3) / b - r3 * s2) / c2;
        vec![alpha2 + a * (r1 * c1 - r3 * s1) - mA * (a_star * a_star + kA * kA) * w1]
    });
}

/// SymPy, example "A four bar linkage": the one equation that is printed there.
#[test]
fn four_bar() {
    vanish("four_bar", |at| {
        names!(at; v: l2 l3 l4 q2 q3; d: u1 = "q1" u2 = "q2"; a: w1 = "q1" w2 = "q2" w3 = "q3");
        let ((s2, c2), (s3, c3), (s, c)) = (q2.sin_cos(), q3.sin_cos(), (q2 + q3).sin_cos());
        let p = |x: f64| x * x;
        vec![
            -2.0 * p(l2) * s3 * w1 + 3.0 * l2 * l3 * p(u1) * s * s2 + 3.0 * l2 * l3 * s2 * c * w1
                - 3.0 * l2 * l3 * s3 * w1
                + 3.0 * l2 * l4 * p(u1) * s * s2
                + 3.0 * l2 * l4 * s2 * c * w1
                + 3.0 * p(l3) * p(u1 + u2) * s2 * s3
                + 2.0 * p(l3) * s2 * c3 * (w1 + w2)
                - p(l3) * s3 * c2 * (w1 + w2)
                + 3.0 * l3 * l4 * p(u1 + u2) * s2 * s3
                + 3.0 * l3 * l4 * s2 * c3 * (w1 + w2)
                + p(l4) * s2 * (w1 + w2 + w3),
        ]
    });
}

/// SymPy, test_kane5: two states of the rolling disc; the rates of its coordinates there, and those of u1, ..., u5.
#[test]
fn rolling_disc() {
    let states = [
        (
            [0.3, 0.1, 1.97, -0.35, 2.27],
            [
                0.126603940595934,
                0.215942571601660,
                1.28736069604936,
                0.319764288376543,
                0.0989146857254898,
            ],
            [
                -0.925848952664489,
                -0.0181350656532944,
                2.91695398184589,
                -0.00992793421754526,
                0.0412861634829171,
            ],
        ),
        (
            [3.97, -0.28, 8.2, -0.35, 2.27],
            [
                0.0259159090798597,
                0.668041660387416,
                -2.19283799213811,
                0.385441810852219,
                0.420109283790573,
            ],
            [
                1.45030568179066,
                -0.0110924422400793,
                -8.35617840186040,
                -0.154098542632173,
                -0.146102664410010,
            ],
        ),
    ];
    for method in METHODS {
        let machine = Machine::new("rolling_disc", method);
        for (q, rates, wanted) in states {
            let at = machine.at(State {
                t: 0.0,
                q: q.to_vec(),
                qd: rates.to_vec(),
                inputs: Vec::new(),
            });
            let mut found: Vec<f64> = at.out.speeds_dot.iter().take(3).map(|s| s.1).collect();
            found.extend([at.second("q4"), at.second("q5")]);
            close(method, &found, &wanted).unwrap();
        }
    }
}

/// Spong (1995), equations 1 and 2.
#[test]
#[allow(non_snake_case)]
fn acrobot() {
    vanish("acrobot", |at| {
        names!(at; v: m1 m2 l1 lc1 lc2 I1 I2 g q1 q2 tau; d: d1 = "q1" d2 = "q2"; a: a1 = "q1" a2 = "q2");
        let coupling = m2 * l1 * lc2;
        let d11 = m1 * lc1 * lc1 + m2 * (l1 * l1 + lc2 * lc2) + 2.0 * coupling * q2.cos() + I1 + I2;
        let d22 = m2 * lc2 * lc2 + I2;
        let d12 = d22 + coupling * q2.cos();
        let h1 = -coupling * q2.sin() * (d2 * d2 + 2.0 * d1 * d2);
        let h2 = coupling * q2.sin() * d1 * d1;
        let phi2 = m2 * lc2 * g * (q1 + q2).cos();
        let phi1 = (m1 * lc1 + m2 * l1) * g * q1.cos() + phi2;
        vec![
            d11 * a1 + d12 * a2 + h1 + phi1,
            d12 * a1 + d22 * a2 + h2 + phi2 - tau,
        ]
    });
}

/// Cazzolato & Prime (2011) with the pendulum's moment about its own axis.
#[test]
#[allow(non_snake_case)]
fn furuta() {
    vanish("furuta", |at| {
        names!(at; v: m1 m2 L1 l1 l2 J1 J2 J2x b1 b2 g theta2 tau1 tau2; d: d1 = "theta1" d2 = "theta2";
            a: a1 = "theta1" a2 = "theta2");
        let (s, c) = theta2.sin_cos();
        let (arm, swing, cross) = (
            J1 + m1 * l1 * l1 + m2 * L1 * L1,
            J2 + m2 * l2 * l2,
            m2 * L1 * l2,
        );
        vec![
            (arm + swing * s * s + J2x * c * c) * a1
                + cross * c * a2
                + 2.0 * (swing - J2x) * s * c * d1 * d2
                - cross * s * d2 * d2
                + b1 * d1
                - tau1,
            cross * c * a1 + swing * a2 - (swing - J2x) * s * c * d1 * d1
                + b2 * d2
                + m2 * g * l2 * s
                - tau2,
        ]
    });
}

/// Hauser, Sastry & Kokotovic (1992), with the spin of the ball that they leave out.
#[test]
#[allow(non_snake_case)]
fn ball_and_beam() {
    vanish("ball_and_beam", |at| {
        names!(at; v: M R J Jb G r theta tau; d: dr = "r" dt = "theta"; a: ar = "r" at_ = "theta");
        vec![
            (Jb / (R * R) + M) * ar - Jb / R * at_ + M * G * theta.sin() - M * r * dt * dt,
            (M * r * r + J + Jb) * at_ - Jb / R * ar
                + 2.0 * M * r * dr * dt
                + M * G * r * theta.cos()
                - tau,
        ]
    });
}

/// Neimark & Fufaev (1972), chapter II.
#[test]
#[allow(non_snake_case)]
fn chaplygin_sleigh() {
    vanish("chaplygin_sleigh", |at| {
        names!(at; v: m a Izz theta; d: dx = "x" dy = "y" w = "theta"; a: aw = "theta");
        let (s, c) = theta.sin_cos();
        let u = dx * c + dy * s;
        let du = at.out.speeds_dot[0].1;
        vec![du - a * w * w, (Izz + m * a * a) * aw + m * a * u * w]
    });
}

/// Bloch (2003), section 1.6: x = g sin(alpha)/(2 w^2) sin(w t)^2, y = g sin(alpha)/(2 w^2) (w t - sin(2 w t)/2).
#[test]
fn knife_edge_incline() {
    for method in METHODS {
        let machine = Machine::new("knife_edge_incline", method);
        let (pull, w) = (9.81 * 20.0_f64.to_radians().sin(), 1.3_f64);
        for t in [0.1, 0.7, 2.0] {
            let (s, c) = (w * t).sin_cos();
            let state = State {
                t,
                q: vec![
                    pull / (2.0 * w * w) * s * s,
                    pull / (2.0 * w * w) * (w * t - s * c),
                    w * t,
                ],
                qd: vec![pull / w * s * c, pull / w * s * s, w],
                inputs: Vec::new(),
            };
            let at = machine.at(state);
            let found = [at.second("x"), at.second("y"), at.second("phi")];
            close(
                method,
                &found,
                &[pull * (c * c - s * s), 2.0 * pull * s * c, 0.0],
            )
            .unwrap();
        }
    }
}

/// Pars (1965): the centre moves on a circle, with 2/7 of the plate's rate.
#[test]
#[allow(non_snake_case)]
fn ball_on_turntable() {
    vanish("ball_on_turntable", |at| {
        names!(at; v: Omega; d: dx = "x" dy = "y"; a: ax = "x" ay = "y");
        vec![ax + 2.0 / 7.0 * Omega * dy, ay - 2.0 / 7.0 * Omega * dx]
    });
}

/// The ratio of the rates of a Hooke joint, and the balance of powers.
#[test]
#[allow(non_snake_case)]
fn universal_joint() {
    vanish("universal_joint", |at| {
        names!(at; v: J1 J2 beta phi1 tau1 tau2; d: d1 = "phi1" d2 = "phi2"; a: a1 = "phi1" a2 = "phi2");
        let ((s, c), k) = (phi1.sin_cos(), beta.cos());
        let below = k * k * c * c + s * s;
        let ratio = k / below;
        let slope = -k * 2.0 * s * c * (1.0 - k * k) / (below * below);
        vec![
            d2 - ratio * d1,
            a2 - ratio * a1 - slope * d1 * d1,
            J1 * a1 + J2 * ratio * a2 - tau1 - ratio * tau2,
        ]
    });
}

/// Landau & Lifshitz, Mechanics, section 32, problem 7.
#[test]
fn rolling_cone() {
    vanish("rolling_cone", |at| {
        names!(at; v: m h alpha; d: d = "psi"; a:);
        let c = alpha.cos();
        vec![at.out.kinetic_energy.unwrap() - 3.0 / 40.0 * m * h * h * d * d * (1.0 + 5.0 * c * c)]
    });
}

/// Kane & Levinson (1985), section 1.1.
#[test]
#[allow(non_snake_case)]
fn babyboot() {
    vanish("babyboot", |at| {
        names!(at; v: mA mB LA LB IAx IBx IBy IBz g qA qB; d: uA = "qA" uB = "qB"; a: aA = "qA" aB = "qB");
        let (s, c) = qB.sin_cos();
        let inertia = IAx + IBx * c * c + IBy * s * s + mA * LA * LA + mB * LB * LB;
        vec![
            inertia * aA - 2.0 * (IBx - IBy) * s * c * uA * uB + (mA * LA + mB * LB) * g * qA.sin(),
            IBz * aB + (IBx - IBy) * s * c * uA * uA,
        ]
    });
}

/// Euler's equations, and the moment of momentum.
#[test]
#[allow(non_snake_case)]
fn spinning_book() {
    vanish("spinning_book", |at| {
        names!(at; v: Ixx Iyy Izz b c; d: da = "a" db = "b" dc = "c"; a:);
        let ((sb, cb), (sc, cc)) = (b.sin_cos(), c.sin_cos());
        let (wx, wy, wz) = (
            da * cb * cc + db * sc,
            -da * cb * sc + db * cc,
            da * sb + dc,
        );
        let rates: Vec<f64> = at.out.speeds_dot.iter().map(|s| s.1).collect();
        vec![
            Ixx * rates[0] - (Iyy - Izz) * wy * wz,
            Iyy * rates[1] - (Izz - Ixx) * wz * wx,
            Izz * rates[2] - (Ixx - Iyy) * wx * wy,
        ]
    });
}

#[test]
#[allow(non_snake_case)]
fn bead_on_hoop() {
    vanish("bead_on_hoop", |at| {
        names!(at; v: R Omega g theta; d:; a: a = "theta");
        vec![a - (Omega * Omega * theta.cos() - g / R) * theta.sin()]
    });
}

#[test]
#[allow(non_snake_case)]
fn reaction_wheel_pendulum() {
    vanish("reaction_wheel_pendulum", |at| {
        names!(at; v: m1 m2 l1 lc1 I1 I2 g q1 tau; d:; a: a1 = "q1" a2 = "q2");
        let inertia = m1 * lc1 * lc1 + m2 * l1 * l1 + I1;
        vec![
            inertia * a1 - (m1 * lc1 + m2 * l1) * g * q1.sin() + tau,
            I2 * (a1 + a2) - tau,
        ]
    });
}

/// Two equations in the acceleration of the first mass and that of the ropes over the moving pulley.
#[test]
fn rope_and_pulleys() {
    vanish("rope_and_pulleys", |at| {
        names!(at; v: m1 m2 m3 mp g; d:; a: a1 = "x1" ap = "xp" a2 = "x2" a3 = "x3");
        let b = a2 - ap;
        vec![
            ap + a1,
            a2 + a3 - 2.0 * ap,
            (m1 + 1.5 * mp + m2 + m3) * a1 + (m3 - m2) * b - g * (m1 - mp - m2 - m3),
            (m3 - m2) * a1 + (m2 + m3 + 0.5 * mp) * b - g * (m2 - m3),
        ]
    });
}

/// Meijaard, Papadopoulos, Ruina & Schwab (2007), linearized about upright motion; the numbers as in SymPy's test_kane3.
#[test]
fn whipple_bicycle() {
    let machine = Machine::new("whipple_bicycle", "kane");
    let step = 1e-4;
    for v in [0.0, 2.0, 5.0] {
        let matrix = [
            [
                9.48977444677355,
                -0.891197738059089 * v * v - 0.571523173729245,
                -0.105522449805691 * v,
                -0.330515398992311 * v,
            ],
            [
                11.7194768719633,
                -1.97171508499972 * v * v + 30.9087533932407,
                3.67680523332152 * v,
                -3.08486552743311 * v,
            ],
        ];
        for k in 0..4 {
            // Steered to the right there, to the left here.
            let side = |sign: f64| {
                let mut q = vec![0.0; 8];
                let mut qd = vec![v, 0.0, 0.0, 0.0, 0.0, 0.0, v / 0.3, v / 0.35];
                match k {
                    0 => q[3] = sign * step,
                    1 => q[5] = sign * step,
                    2 => qd[3] = sign * step,
                    _ => qd[5] = sign * step,
                }
                let start = State {
                    t: 0.0,
                    q,
                    qd,
                    inputs: Vec::new(),
                };
                let at = machine.at(machine.oracle.settle(&start).unwrap());
                let x = [
                    at.value("lean"),
                    -at.value("steer"),
                    at.rate("lean"),
                    -at.rate("steer"),
                ];
                (x, [at.second("lean"), -at.second("steer")])
            };
            let (ahead, back) = (side(1.0), side(-1.0));
            for (row, wanted) in matrix.iter().enumerate() {
                let wanted: f64 = (0..4).map(|i| wanted[i] * (ahead.0[i] - back.0[i])).sum();
                let found = ahead.1[row] - back.1[row];
                assert!(
                    (found - wanted).abs() < 1e-6 * 2.0 * step * (10.0 + v * v),
                    "v = {v}, {k}, {row}: {found} is not {wanted}"
                );
            }
        }
    }
}
