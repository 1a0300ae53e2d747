//! Accelerations do not depend on the plan, neither at random states nor where angles are multiples of a quarter turn, at which the coefficients
//! of many rows vanish.
#![cfg(feature = "pipeline")]

use eomgen::{
    EvalInput, Source, document,
    options::{DeriveOptions, Document, Form, Plan, Prefer},
};
use generated_tests::compare::error;
use generated_tests::harness::{derived_with, eval_input, evaluated, pick};
use generated_tests::known;
use generated_tests::memo;

/// Relative error that is rounding.
const ROUNDING: f64 = 1e-9;

fn options(plan: Plan) -> DeriveOptions {
    DeriveOptions {
        form: Form::Staged,
        plan,
        ..DeriveOptions::default()
    }
}

/// The same state with these coordinates set to quarter turns, a different one for each.
fn turned(input: &EvalInput, angles: &[&str], shift: usize) -> EvalInput {
    let mut input = input.clone();
    for (i, name) in angles.iter().enumerate() {
        let quarters = (i * 3 + shift) % 4;
        input.q.insert(
            (*name).to_owned(),
            quarters as f64 * std::f64::consts::FRAC_PI_2,
        );
    }
    input
}

fn agree(model: &str, angles: &[&str]) {
    let (reference, _) = known::reference(model).unwrap();
    let reduced = derived_with(model, &options(Plan::Reduced)).unwrap();
    for plan in [Plan::Auto, Plan::NewtonEuler, Plan::Bordered] {
        let other = derived_with(model, &options(plan)).unwrap();
        for (index, state) in reference.states.iter().take(4).enumerate() {
            let given = eval_input(&reference, state);
            for shift in 0..5 {
                let input = match shift {
                    4 => given.clone(),
                    _ => turned(&given, angles, shift),
                };
                let list = |e| {
                    let found = evaluated(e, &input).unwrap();
                    pick("q''", &found.qddot, &reference.coordinates).unwrap()
                };
                let off = error(&list(&other), &list(&reduced));
                let at = format!("{model}, {}, state {index}, {shift}", plan.name());
                assert!(off < ROUNDING, "{at}: q'' is off by {off:e}");
            }
            let found = evaluated(&other, &given).unwrap();
            let list = pick("q''", &found.qddot, &reference.coordinates).unwrap();
            let off = error(&list, &state.accelerations);
            assert!(off < ROUNDING, "{model}, {}: off by {off:e}", plan.name());
        }
    }
}

#[test]
fn pendulum_with_absolute_angles() {
    let angles = ["theta1", "theta2", "theta3", "theta4", "theta5"];
    agree("pend_abs_5", &angles);
}

#[test]
fn pendulum_with_relative_angles() {
    let angles = ["theta1", "theta2", "theta3", "theta4", "theta5"];
    agree("pend_rel_5", &angles);
}

#[test]
fn arm() {
    agree("ur5", &["q1", "q2", "q3", "q4", "q5", "q6"]);
}

#[test]
fn sleigh() {
    agree("sleigh_ref", &["theta"]);
}

/// What was requested is taken although a pivot may vanish, and the pivots are checked when it runs.
#[test]
fn a_plan_that_may_fail_says_where() {
    let model = "four_bar";
    let [bordered, reduced] =
        [Plan::Bordered, Plan::Reduced].map(|plan| derived_with(model, &options(plan)).unwrap());
    let pivots = |e: &eomgen::Evaluator| {
        let conditions = e.conditions().into_iter();
        conditions
            .filter(|text| text.starts_with("the pivot on"))
            .count()
    };
    assert!(pivots(&bordered) > 0, "{:?}", bordered.conditions());
    assert_eq!(pivots(&reduced), 0);
    // Rates that the loop allows, of the angles from the ground: l2 e_a a' + l3 e_b b' + l4 e_c c' = 0.
    let at = |q: [f64; 3]| {
        let names = || ["q1", "q2", "q3"].map(str::to_owned).into_iter();
        let (l2, l3, l4) = (0.5, 1.4, 1.1);
        let (a, b, c) = (q[0], q[0] + q[1], q[0] + q[1] + q[2]);
        let first = 0.7;
        let (second, third) = match (c - b).sin() {
            0.0 => (-l2 / l3 * first, 0.0),
            sine => (
                -l2 * first * (c - a).sin() / (l3 * sine),
                l2 * first * (b - a).sin() / (l4 * sine),
            ),
        };
        EvalInput {
            q: names().zip(q).collect(),
            qdot: Some(
                names()
                    .zip([first, second - first, third - second])
                    .collect(),
            ),
            ..EvalInput::default()
        }
    };
    for q in [[1.0, -0.8, -1.5], [0.4, 0.9, 2.1], [-2.0, 1.3, 0.6]] {
        let list = |e| {
            let found = evaluated(e, &at(q)).unwrap().qddot;
            pick("q''", &found, &["q1", "q2", "q3"].map(str::to_owned)).unwrap()
        };
        let off = error(&list(&bordered), &list(&reduced));
        assert!(off < ROUNDING, "{q:?}: off by {off:e}");
    }
    // All links in one line: the two rows are dependent.
    let failed = evaluated(&bordered, &at([0.0; 3])).unwrap_err();
    assert!(failed.contains("singular"), "{failed}");
}

/// Each link a thousand times as heavy as the next, with numbers for all parameters.
const LIGHTER: &str = "model lighter
coord q1, q2, q3 : rad
gravity: -9.81 [m/s^2]*N.z
frame L1 = rotate(N, q1, N.z)
point C1 = O + 0.3 [m]*L1.x + 0.1 [m]*L1.y
body b1: frame L1, mass 1 [kg], center C1, inertia [0.02 [kg*m^2], 0.03 [kg*m^2], 0.025 [kg*m^2]]
point J1 = O + 0.6 [m]*L1.x
frame L2 = rotate(L1, q2, L1.y)
point C2 = J1 + 0.3 [m]*L2.x + 0.1 [m]*L2.y
body b2: frame L2, mass 0.001 [kg], center C2, inertia [0.00002 [kg*m^2], 0.00003 [kg*m^2], 0.000025 [kg*m^2]]
point J2 = J1 + 0.6 [m]*L2.x
frame L3 = rotate(L2, q3, L2.x)
point C3 = J2 + 0.3 [m]*L3.x + 0.1 [m]*L3.y
body b3: frame L3, mass 0.000001 [kg], center C3, inertia [0.00000002 [kg*m^2], 0.00000003 [kg*m^2], 0.000000025 [kg*m^2]]
";

/// Some orders divide by the inertia of the lightest link first. They are marked, and the one that is chosen loses next to nothing.
#[test]
fn plans_that_lose_digits_are_turned_down() {
    let source = Source::new("lighter.eom", LIGHTER);
    let page = document(&source, &options(Plan::Auto), Document::Plans).unwrap();
    let mut refused = 0;
    let mut chosen = 0;
    for line in page.code.lines() {
        let mut words = line.split_whitespace();
        let mut next = || words.next().unwrap_or_default();
        let first = next();
        let star = first == "*";
        let count = if star { next() } else { first };
        let (_path, _time) = (next(), next());
        let lost: Option<f64> = next().parse().ok();
        if count.parse::<usize>().is_err() {
            continue;
        }
        chosen += usize::from(star);
        match lost {
            Some(lost) if line.ends_with("loses digits") => {
                assert!(lost >= 2.0 && !star, "{line}");
                refused += 1;
            }
            Some(lost) => assert!(lost <= 2.0, "{line}"),
            None => {}
        }
    }
    assert!(refused > 0, "{}", page.code);
    assert_eq!(chosen, 1, "{}", page.code);
    assert!(page.code.contains("The worst plan loses"), "{}", page.code);
}

fn preferring(prefer: Prefer) -> DeriveOptions {
    DeriveOptions {
        prefer,
        ..options(Plan::Auto)
    }
}

/// A row of the table of plans.
struct Row {
    chosen: bool,
    operations: usize,
    path: Option<u32>,
    text: String,
}

/// Rows of the table with a count.
fn rows(page: &str) -> Vec<Row> {
    let lines = page.lines().filter_map(|line| {
        let (chosen, rest) = match line.trim_start().strip_prefix('*') {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let mut words = rest.split_whitespace();
        Some(Row {
            chosen,
            operations: words.next()?.parse().ok()?,
            path: words.next()?.parse().ok(),
            text: rest.to_owned(),
        })
    });
    lines.collect()
}

/// Accelerations of two modules at the same states, with speeds and angles of all sizes.
fn agree_from_text(source: &Source, names: &[&str], inputs: &[&str], given: &DeriveOptions) {
    let [other, reduced] =
        [given, &options(Plan::Reduced)].map(|options| memo::evaluator(source, options).unwrap());
    for state in 0..4 {
        let wave = |k: usize| ((7 * k + 5 * state) as f64 * 0.37).sin();
        let input = EvalInput {
            q: (names.iter().enumerate())
                .map(|(k, name)| ((*name).to_owned(), 2.0 * wave(k)))
                .collect(),
            qdot: Some(
                (names.iter().enumerate())
                    .map(|(k, name)| ((*name).to_owned(), wave(k + 11)))
                    .collect(),
            ),
            inputs: (inputs.iter().enumerate())
                .map(|(k, name)| ((*name).to_owned(), wave(k + 23)))
                .collect(),
            ..EvalInput::default()
        };
        let list = |e| {
            let found = evaluated(e, &input).unwrap().qddot;
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            pick("q''", &found, &names).unwrap()
        };
        let off = error(&list(&other), &list(&reduced));
        assert!(off < ROUNDING, "state {state}: off by {off:e}");
    }
}

/// The table of a model's plans.
fn table(model: &str, prefer: Prefer) -> Vec<Row> {
    let source = generated_tests::reference::model_source(model).unwrap();
    let page = document(&source, &preferring(prefer), Document::Plans).unwrap();
    rows(&page.code)
}

/// The plan with the fewest operations is a long chain of operations that wait for one another. The quickest takes more of them.
#[test]
fn least_time_is_not_fewest_operations() {
    let model = "pend_abs_5";
    let [fewest, quickest] = Prefer::ALL.map(|prefer| {
        let mut rows = table(model, prefer).into_iter();
        rows.find(|row| row.chosen).unwrap()
    });
    assert!(fewest.operations < quickest.operations);
    assert!(quickest.path < fewest.path.map(|path| path * 4 / 5));
    let (reference, _) = known::reference(model).unwrap();
    let derived = derived_with(model, &preferring(Prefer::Time)).unwrap();
    for state in &reference.states {
        let found = evaluated(&derived, &eval_input(&reference, state)).unwrap();
        let list = pick("q''", &found.qddot, &reference.coordinates).unwrap();
        assert!(error(&list, &state.accelerations) < ROUNDING);
    }
}

/// Pieces of a chain that do not wait for one another: its longest chain of operations is shorter than from the tip inwards, and than
/// that of the fewest operations.
#[test]
fn dissection_shortens_what_waits() {
    let model = "pend_abs_20";
    let rows = table(model, Prefer::Time);
    let path = |order: &str| {
        let rows = rows.iter().filter(|row| row.text.contains(order));
        rows.filter_map(|row| row.path).min().unwrap()
    };
    let [dissected, inwards] = ["nested dissection", ", least cost within 1"].map(path);
    assert!(dissected * 3 < inwards * 2, "{dissected}, {inwards}");
    let chosen = rows.iter().find(|row| row.chosen).unwrap();
    assert!(chosen.text.contains("nested dissection"), "{}", chosen.text);
    let (reference, _) = known::reference(model).unwrap();
    let derived = derived_with(model, &preferring(Prefer::Time)).unwrap();
    for state in &reference.states {
        let found = evaluated(&derived, &eval_input(&reference, state)).unwrap();
        let list = pick("q''", &found.qddot, &reference.coordinates).unwrap();
        assert!(error(&list, &state.accelerations) < ROUNDING);
    }
}

/// A planar chain and a spatial arm on one cart.
const TRUNK: &str = r#"//! A cart on a rail carries a planar chain of links, their angles from the vertical, and an arm of joints with crossed axes.
model trunk_arms

const n = 4  /// links of the chain

param g = 9.81 : m/s^2             /// gravity
param M = 4.0 : kg > 0             /// cart
param m = 0.6 : kg > 0             /// a link of the chain
param l = 0.3 : m > 0              /// its length
param I = 0.0045 : kg*m^2 > 0      /// its moment of inertia
param h = 0.2 : m > 0              /// from the chain's end to the arm's shoulder
coord x : m                        /// cart
coord theta[1..n] : rad            /// links of the chain from the vertical
coord q[1..4] : rad                /// joints of the arm
input F : N                        /// on the cart
input tau[1..4] : N*m              /// at the joints

point C = O + x*N.x
particle cart: mass M at C
point P[0] = C
for i in 1..n {
    frame T[i] = rotate(N, theta[i], N.y)
    point S[i] = P[i - 1] - l/2*T[i].z
    point P[i] = P[i - 1] - l*T[i].z
    body chain[i]: frame T[i], mass m, center S[i], inertia [I, I, 0.0001 [kg*m^2]]
}
point Q[0] = C + h*N.y
frame A[1] = rotate(N, q[1], N.z)
point Q[1] = Q[0] + 0.1 [m]*A[1].z
point D[1] = Q[0] + 0.05 [m]*A[1].z
body link[1]: frame A[1], mass 0.9 [kg], center D[1], inertia [0.002 [kg*m^2], 0.002 [kg*m^2], 0.001 [kg*m^2]]
frame A[2] = rotate(A[1], q[2], A[1].y)
point D[2] = Q[1] + 0.15 [m]*A[2].x + 0.02 [m]*A[2].y
point Q[2] = Q[1] + 0.3 [m]*A[2].x
body link[2]: frame A[2], mass 0.7 [kg], center D[2], inertia [0.001 [kg*m^2], 0.006 [kg*m^2], 0.006 [kg*m^2]]
frame A[3] = rotate(A[2], q[3], A[2].y)
point D[3] = Q[2] + 0.12 [m]*A[3].x
point Q[3] = Q[2] + 0.25 [m]*A[3].x
body link[3]: frame A[3], mass 0.5 [kg], center D[3], inertia [0.0008 [kg*m^2], 0.003 [kg*m^2], 0.003 [kg*m^2]]
frame A[4] = rotate(A[3], q[4], A[3].x)
point D[4] = Q[3] + 0.05 [m]*A[4].x + 0.01 [m]*A[4].z
body link[4]: frame A[4], mass 0.3 [kg], center D[4], inertia [0.0004 [kg*m^2], 0.0006 [kg*m^2], 0.0007 [kg*m^2]]
gravity: -g*N.z
generalized x: F
for i in 1..4 { generalized q[i]: tau[i] }
"#;

/// The chain is cheapest in inertial axes and in the rates of its joints, the arm in axes of its own with its accelerations as unknowns.
#[test]
fn parts_are_written_in_ways_of_their_own() {
    let source = Source::new("trunk_arms.eom", TRUNK);
    let fewest = preferring(Prefer::Operations);
    let page = document(&source, &fewest, Document::Plans).unwrap();
    let rows = rows(&page.code);
    let chosen = rows.iter().find(|row| row.chosen).unwrap();
    let mixed = |row: &&Row| row.text.contains("branch");
    assert!(mixed(&chosen), "{}", chosen.text);
    let rest = rows.iter().filter(|row| !mixed(row));
    let uniform = rest.map(|row| row.operations).min().unwrap();
    assert!(chosen.operations <= 570, "{}", chosen.operations);
    assert!(chosen.operations * 10 < uniform * 9, "{uniform}");
    let names = [
        "x", "theta[1]", "theta[2]", "theta[3]", "theta[4]", "q[1]", "q[2]", "q[3]", "q[4]",
    ];
    let inputs = ["F", "tau[1]", "tau[2]", "tau[3]", "tau[4]"];
    agree_from_text(&source, &names, &inputs, &fewest);
}
