//! Accelerations do not depend on the plan, neither at random states nor where angles are multiples of a quarter turn, at which the coefficients
//! of many rows vanish.
#![cfg(feature = "pipeline")]

use eomgen::pipeline::{DeriveOptions, EvalInput, Form, Plan};
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
