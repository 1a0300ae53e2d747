//! States beside singular ones, and machines of any size: what is refused is uncertain, what is not is right.
//!
//! Expected values are of coordinates in which the machine is regular there, worked out by hand, or of laws of scale.

use eomgen::internals::catalogue::METHODS;
use eomgen::{EvalInput, Evaluator, Failure, Source, options::DeriveOptions};
use generated_tests::memo;
use generated_tests::reference::model_source;
use nalgebra::{DMatrix, DVector};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

/// What a result that is not refused may be off by.
const BOUND: f64 = 1e-6;

/// The formulations that apply to a model.
fn evaluators(source: &Source) -> Vec<(&'static str, Arc<Evaluator>)> {
    let mut list = Vec::new();
    for method in METHODS {
        let options = DeriveOptions {
            method: Some(method.name.to_owned()),
            ..DeriveOptions::default()
        };
        match memo::evaluator(source, &options) {
            Ok(evaluator) => list.push((method.name, evaluator)),
            Err(Failure::Diagnostics(found)) if found.iter().all(|d| d.code.starts_with("E05")) => {
            }
            Err(failure) => panic!("{}: {failure:?}", method.name),
        }
    }
    list
}

fn input(
    params: &[(&str, f64)],
    q: &[(&str, f64)],
    rates: &[f64],
    loads: &[(&str, f64)],
) -> EvalInput {
    let named = |list: &[(&str, f64)]| list.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
    let rates = q
        .iter()
        .zip(rates)
        .map(|((name, _), v)| ((*name).to_owned(), *v));
    EvalInput {
        params: named(params),
        q: named(q),
        qdot: Some(rates.collect()),
        inputs: loads.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect(),
        ..EvalInput::default()
    }
}

fn accelerations(evaluator: &Evaluator, input: &EvalInput) -> Option<Vec<f64>> {
    let functions = evaluator.functions(input).unwrap();
    let found = functions
        .into_iter()
        .find(|(name, _)| name == "accelerations");
    found.unwrap().1.ok()
}

fn off(found: &[f64], wanted: &[f64]) -> f64 {
    let size = wanted.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let pairs = found.iter().zip(wanted);
    pairs.fold(0.0, |m: f64, (a, b)| m.max((a - b).abs())) / size
}

/// Beside a singular state every formulation is right or refuses, and refuses only where rounding errors of the machine's own
/// size, `unit` at distance 1, come within a factor of a thousand of the bound.
fn sides(
    evaluators: &[(&str, Arc<Evaluator>)],
    unit: f64,
    mut state: impl FnMut(f64) -> (EvalInput, Vec<f64>),
) {
    for k in 1..=15 {
        for part in [1.0, 3.0] {
            let distance = part * 10.0_f64.powi(-k);
            let (input, wanted) = state(distance);
            for (method, evaluator) in evaluators {
                let at = format!("{method} at {distance:e}");
                match accelerations(evaluator, &input) {
                    Some(found) => {
                        let off = off(&found, &wanted);
                        assert!(
                            off < BOUND,
                            "{at}: {found:?} for {wanted:?}, off by {off:e}"
                        );
                    }
                    None => {
                        let uncertain = unit * f64::EPSILON / distance;
                        assert!(uncertain > 1e-3 * BOUND, "{at}: refused");
                    }
                }
            }
        }
    }
}

/// A slider-crank with equal arms: the crank angle alone moves it, with `I q'' + I' q'^2/2` its torque, and regularly at a right angle,
/// where no row of the constraint holds.
#[test]
fn equal_arms() {
    let source = model_source("slider_crank").unwrap();
    let evaluators = evaluators(&source);
    let (a, b_star, a_star) = (0.3, 0.12, 0.02);
    let (m_a, m_b, m_c, k_a, k_b) = (2.0, 1.2, 0.9, 0.07, 0.11);
    let (torque, force, rate) = (0.3, 0.7, 0.8);
    let params = [
        ("a", a),
        ("b", a),
        ("b_star", b_star),
        ("a_star", a_star),
        ("mA", m_a),
        ("mB", m_b),
        ("mC", m_c),
        ("kA", k_a),
        ("kB", k_b),
    ];
    sides(&evaluators, 1.0, |distance| {
        let q = FRAC_PI_2 - distance;
        let (sin, cos) = q.sin_cos();
        let far = 2.0 * a - b_star;
        let sines = m_b * far * far + 4.0 * m_c * a * a;
        let cosines = m_b * b_star * b_star;
        let inertia = m_a * (k_a * k_a + a_star * a_star)
            + m_b * k_b * k_b
            + sines * sin * sin
            + cosines * cos * cos;
        let slope = 2.0 * (sines - cosines) * sin * cos;
        let turning = (torque - 2.0 * a * sin * force - slope / 2.0 * rate * rate) / inertia;
        let input = input(
            &params,
            &[("q1", q), ("q2", q)],
            &[rate, rate],
            &[("alpha2", torque), ("Q3", force)],
        );
        (input, vec![turning, turning])
    });
}

/// The accelerations of the links of a four-bar by the absolute angles and rates of its links: Lagrange's equations of a chain of uniform links
/// with the two rows of the loop, which are regular at the fold.
fn four_bar(lengths: [f64; 3], angles: [f64; 3], rates: [f64; 3]) -> [f64; 3] {
    let mut matrix = DMatrix::<f64>::zeros(5, 5);
    let mut right = DVector::<f64>::zeros(5);
    for i in 0..3 {
        let beyond: f64 = lengths[i + 1..].iter().sum();
        matrix[(i, i)] = lengths[i].powi(3) / 3.0 + beyond * lengths[i].powi(2);
        for j in i + 1..3 {
            let further: f64 = lengths[j + 1..].iter().sum();
            let shared = (lengths[j] / 2.0 + further) * lengths[i] * lengths[j];
            let (sin, cos) = (angles[i] - angles[j]).sin_cos();
            matrix[(i, j)] = shared * cos;
            matrix[(j, i)] = shared * cos;
            right[i] -= shared * sin * rates[j].powi(2);
            right[j] += shared * sin * rates[i].powi(2);
        }
        let (sin, cos) = angles[i].sin_cos();
        for (row, slope, turned) in [(3, -sin, -cos), (4, cos, -sin)] {
            matrix[(row, i)] = lengths[i] * slope;
            matrix[(i, row)] = lengths[i] * slope;
            right[row] -= lengths[i] * turned * rates[i].powi(2);
        }
    }
    let found = matrix.lu().solve(&right).unwrap();
    [found[0], found[1], found[2]]
}

/// A four-bar near its fold, where coupler and rocker are in line and the crank turns back.
#[test]
fn fold() {
    let source = model_source("four_bar").unwrap();
    let evaluators = evaluators(&source);
    let (l1, l2, l3, l4) = (1.3_f64, 0.9_f64, 1.0_f64, 0.7_f64);
    let params = [("l1", l1), ("l2", l2), ("l3", l3), ("l4", l4)];
    sides(&evaluators, 10.0, |q3| {
        // The triangle of the joint at l1, the crank's end, and O; the crank's end sees O along the coupler turned by `lean`.
        let reach = (l3 * l3 + l4 * l4 + 2.0 * l3 * l4 * q3.cos()).sqrt();
        let lean = (l4 * q3.sin()).atan2(l3 + l4 * q3.cos());
        let at_crank = ((l1 * l1 + l2 * l2 - reach * reach) / (2.0 * l1 * l2)).acos();
        let q1 = std::f64::consts::PI - at_crank;
        let (x, y) = (l1 + l2 * q1.cos(), l2 * q1.sin());
        let to_origin = (-y).atan2(-x);
        let q2 = to_origin - lean - q1;
        // The rates that the loop allows with q3' = 1.
        let absolute = [q1, q1 + q2, q1 + q2 + q3];
        let column = |from: usize| {
            let lengths = [l2, l3, l4];
            let each = absolute.iter().zip(lengths).skip(from);
            each.fold((0.0, 0.0), |(x, y), (angle, l)| {
                (x - l * angle.sin(), y + l * angle.cos())
            })
        };
        let (c1, c2, c3) = (column(0), column(1), column(2));
        let d = c1.0 * c2.1 - c1.1 * c2.0;
        let r1 = -(c3.0 * c2.1 - c3.1 * c2.0) / d;
        let r2 = -(c1.0 * c3.1 - c1.1 * c3.0) / d;
        let input = input(
            &params,
            &[("q1", q1), ("q2", q2), ("q3", q3)],
            &[r1, r2, 1.0],
            &[],
        );
        let turning = four_bar([l2, l3, l4], absolute, [r1, r1 + r2, r1 + r2 + 1.0]);
        let wanted = vec![turning[0], turning[1] - turning[0], turning[2] - turning[1]];
        (input, wanted)
    });
}

/// A top by Euler's angles beside the vertical, with Lagrange's equations for it solved by hand.
#[test]
fn upright_top() {
    let source = model_source("spinning_top").unwrap();
    let evaluators = evaluators(&source);
    let (i1, i3, m, g, l) = (0.004, 0.007, 0.6, 9.81, 0.05);
    let (phi_rate, theta_rate, psi_rate) = (0.7, -0.4, 3.0);
    for k in 1..=15 {
        let theta = 10.0_f64.powi(-k);
        let (sin, cos) = theta.sin_cos();
        let spin = psi_rate + phi_rate * cos;
        let phi = theta_rate * (i3 * spin - 2.0 * i1 * phi_rate * cos) / (i1 * sin);
        let nod = (i1 * phi_rate * phi_rate * sin * cos - i3 * spin * phi_rate * sin
            + m * g * l * sin)
            / i1;
        let psi = phi_rate * theta_rate * sin - phi * cos;
        let q = [("phi", 0.2), ("theta", theta), ("psi", 0.5)];
        let input = input(&[], &q, &[phi_rate, theta_rate, psi_rate], &[]);
        for (method, evaluator) in &evaluators {
            match accelerations(evaluator, &input) {
                Some(found) => {
                    let off = off(&found, &[phi, nod, psi]);
                    assert!(off < BOUND, "{method} at {theta:e}: off by {off:e}");
                }
                // The pivots lose the square of the angle.
                None => assert!(
                    f64::EPSILON / theta / theta > 1e-3 * BOUND,
                    "{method} at {theta:e}: refused"
                ),
            }
        }
    }
}

/// Machines of any size and mass move alike where gravity and forces grow with them: accelerations of angles are the same.
#[test]
fn any_size() {
    type Numbers = &'static [(&'static str, f64)];
    type Scaled = (&'static str, Numbers, Numbers, &'static [&'static str]);
    let models: [Scaled; 3] = [
        (
            "double_pendulum",
            &[("theta1", 0.7), ("theta2", -0.4)],
            &[("l1", 0.8), ("l2", 0.5), ("g", 9.81)],
            &["m1", "m2"],
        ),
        (
            "slider_crank",
            &[("q1", 0.4), ("q2", 0.4)],
            &[
                ("a", 0.3),
                ("b", 0.3),
                ("a_star", 0.02),
                ("b_star", 0.12),
                ("kA", 0.07),
                ("kB", 0.11),
            ],
            &["mA", "mB", "mC"],
        ),
        (
            "spherical_pendulum",
            &[("x", 0.6), ("y", 0.0), ("z", -0.8)],
            &[("l", 1.0), ("g", 9.81)],
            &["m"],
        ),
    ];
    for (model, q, lengths, masses) in models {
        let source = model_source(model).unwrap();
        let mut wanted: Vec<Vec<f64>> = Vec::new();
        for (number, (method, evaluator)) in evaluators(&source).iter().enumerate() {
            for length in [1.0, 1e-13, 1e-6, 1e9] {
                for mass in [1.0, 1e-12, 1e12] {
                    let linear = model == "spherical_pendulum";
                    let grown = |v: f64| if linear { v * length } else { v };
                    let mut params: Vec<(&str, f64)> =
                        lengths.iter().map(|(n, v)| (*n, v * length)).collect();
                    params.extend(masses.iter().map(|n| (*n, mass)));
                    let q: Vec<(&str, f64)> = q.iter().map(|(n, v)| (*n, grown(*v))).collect();
                    let rates = match model {
                        "spherical_pendulum" => vec![0.0, grown(0.3), 0.0],
                        _ => vec![0.5; q.len()],
                    };
                    let loads: &[(&str, f64)] = match model {
                        "slider_crank" => &[("alpha2", 0.0), ("Q3", 0.0)],
                        _ => &[],
                    };
                    let input = input(&params, &q, &rates, loads);
                    let found = accelerations(evaluator, &input);
                    let found = found.unwrap_or_else(|| {
                        panic!("{model}, {method}: refused at {length:e} m, {mass:e} kg")
                    });
                    let found: Vec<f64> = found.iter().map(|x| x / grown(1.0)).collect();
                    if wanted.len() <= number {
                        wanted.push(found);
                    } else {
                        let off = off(&found, &wanted[number]);
                        assert!(
                            off < 1e-9,
                            "{model}, {method}: off by {off:e} at {length:e} m, {mass:e} kg"
                        );
                    }
                }
            }
        }
    }
}

/// What is not finite is no result.
#[test]
fn not_finite() {
    let source = model_source("slider_crank").unwrap();
    for (method, evaluator) in evaluators(&source) {
        for wrong in [f64::NAN, f64::INFINITY, 1e200] {
            let input = input(
                &[],
                &[("q1", 0.4), ("q2", 0.1)],
                &[wrong, wrong],
                &[("alpha2", 0.0), ("Q3", 0.0)],
            );
            for (name, result) in evaluator.functions(&input).into_iter().flatten() {
                let plain = [
                    "constraint_matrix",
                    "kinetic_energy",
                    "forcing",
                    "velocity_residuals",
                ];
                let finite = result
                    .as_ref()
                    .map_or(true, |list| list.iter().all(|x| x.is_finite()));
                let fails = name == "accelerations" || name == "derivative";
                assert!(!fails || result.is_err(), "{method}: {name} = {result:?}");
                assert!(
                    finite || !fails || plain.contains(&name.as_str()),
                    "{method}: {name}"
                );
            }
        }
    }
}

/// The tip of a bar on a leg that a drive pulls through zero. The loop knows the leg to the rounding of its other lengths: a leg shorter
/// than that turns anywhere, and a leg of any length does in a machine of its size.
#[test]
fn a_leg_is_refused_that_its_loop_cannot_tell_from_none() {
    let text = "model leg
param m = 1, J = 1 > 0
param l = 1 > 0
param w = 1
coord x, y
coord b, q : rad
coord s
point P = O + x*N.x + y*N.y
frame B = rotate(N, b, N.z)
frame L = rotate(N, q, N.z)
body bar: frame B, mass m, center P, inertia [0, 0, J]
body leg: frame L, mass 0, center O, inertia [0, 0, J]
constraint tip: O + s*L.x = P + l*B.x
constraint motor: s = w*t
privileged x', b'
";
    let evaluators = evaluators(&Source::new("leg", text));
    assert!(evaluators.len() > 5);
    let at = |size: f64, s: f64| {
        let (b, q) = (0.7_f64, 0.4_f64);
        let (x, y) = (s * q.cos() - size * b.cos(), s * q.sin() - size * b.sin());
        // The tip moves as the leg does: along it with w, and turning.
        let (turn, bend, w) = (0.3, 0.2, size);
        let vx = w * q.cos() - s * q.sin() * turn + size * b.sin() * bend;
        let vy = w * q.sin() + s * q.cos() * turn - size * b.cos() * bend;
        let mut state = input(
            &[("J", size * size), ("l", size), ("w", w)],
            &[("x", x), ("y", y), ("b", b), ("q", q), ("s", s)],
            &[vx, vy, bend, turn, w],
            &[],
        );
        state.t = s / w;
        state
    };
    for (method, evaluator) in &evaluators {
        for size in [1.0, 1e-40] {
            let regular = accelerations(evaluator, &at(size, 0.1 * size));
            assert!(regular.is_some(), "{method} at {size:e}");
            for share in [1e-14, 1e-30, 1e-115] {
                let short = accelerations(evaluator, &at(size, share * size));
                assert!(
                    short.is_none(),
                    "{method} at {size:e}, {share:e}: {short:?}"
                );
            }
        }
    }
}
