//! Accelerations do not depend on the plan, neither at random states nor where angles are multiples of a quarter turn, at which the coefficients
//! of many rows vanish.
#![cfg(feature = "pipeline")]

use eomgen::pipeline::{DeriveOptions, Document, EvalInput, Form, Plan, Source, document};
use generated_tests::compare::error;
use generated_tests::harness::{derived_with, eval_input, evaluated, pick};
use generated_tests::known;

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

/// What was asked for is taken although a pivot may vanish, and the pivots are checked when it runs.
#[test]
fn a_plan_that_may_fail_says_where() {
    let model = "four_bar";
    let [bordered, reduced] =
        [Plan::Bordered, Plan::Reduced].map(|plan| derived_with(model, &options(plan)).unwrap());
    let pivots = |e: &eomgen::pipeline::Evaluator| {
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
        let _path = next();
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
    assert!(page.code.contains("At worst a plan loses"), "{}", page.code);
}
