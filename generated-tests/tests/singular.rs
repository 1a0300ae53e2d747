//! States at which formulations fail: an error that says so, never numbers that mean nothing.
#![cfg(feature = "generated")]

use eomgen::pipeline::{DeriveOptions, EvalInput, Form};
use generated_tests::harness::derived_with;
use generated_tests::known;
use generated_tests::modules::Compiled;
use generated_tests::refreshing::GENERATED;

const METHODS: [&str; 5] = [
    "kane",
    "gibbs-appell",
    "explicit-gibbs-appell",
    "lagrange",
    "udwadia-kalaba",
];

/// Beyond this a number at a state of ordinary size is the quotient of something and a rounding error.
const HUGE: f64 = 1e6;

/// The first state of a model's reference with some coordinates and rates (`x'`) set.
fn input(model: &str, changes: &[(&str, f64)]) -> EvalInput {
    let (reference, _) = known::reference(model).unwrap();
    let mut input = generated_tests::harness::eval_input(&reference, &reference.states[0]);
    for (name, value) in changes {
        let map = match name.strip_suffix('\'') {
            Some(_) => input.qdot.as_mut().unwrap(),
            None => &mut input.q,
        };
        *map.get_mut(name.trim_end_matches('\'')).unwrap() = *value;
    }
    input
}

/// Functions that have no value at the state, of which `accelerations` must be one.
fn check(model: &str, changes: &[(&str, f64)], forms: &[Form]) {
    for method in METHODS {
        for form in forms {
            let options = DeriveOptions {
                method: Some(method.to_owned()),
                form: *form,
                ..DeriveOptions::default()
            };
            let evaluator = derived_with(model, &options).unwrap();
            let results = evaluator.functions(&input(model, changes)).unwrap();
            let at = format!("{model}, {method}, {form:?}");
            for (function, result) in &results {
                let sound = |numbers: &Vec<f64>| numbers.iter().all(|x| x.abs() < HUGE);
                assert!(
                    result.as_ref().map_or(true, sound),
                    "{at}: {function} = {result:?}"
                );
            }
            let (_, accelerations) = results.iter().find(|(f, _)| f == "accelerations").unwrap();
            assert!(accelerations.is_err(), "{at}: {accelerations:?}");
            compiled(
                model,
                method,
                &evaluator.state(&input(model, changes)).unwrap(),
            );
        }
    }
}

/// The same by the compiled modules of the model and method, if there are any.
fn compiled(model: &str, method: &str, state: &[(String, f64)]) {
    for of in GENERATED
        .iter()
        .filter(|g| g.model == model && g.method == method)
    {
        let module = Compiled::named(of.module).unwrap();
        let value = |name: &&str| state.iter().find(|(n, _)| n == name).map(|(_, v)| *v);
        let x: Option<Vec<f64>> = module.state.iter().map(value).collect();
        let Some(x) = x else { continue };
        let inputs = vec![0.0; module.inputs.len()];
        for function in ["accelerations", "speed_rates", "derivative"] {
            let result = module.call(function, 0.0, &x, &inputs);
            let error = result.expect_err(of.module);
            assert!(error.starts_with("Singular"), "{error}");
        }
    }
}

/// The particle at rest: U96 divides by the square of the speed.
#[test]
fn e1_at_rest() {
    let rest = [("x'", 0.0), ("y'", 0.0), ("z'", 0.0)];
    check("e1_appell", &rest, &[Form::Closed]);
}

#[test]
fn e2_at_rest() {
    let rest = [("x'", 0.0), ("y'", 0.0), ("z'", 0.0)];
    check("e2_appell_rheonomic", &rest, &[Form::Closed, Form::Staged]);
}

#[test]
fn e3_at_rest() {
    let rest = [("x'", 0.0), ("y'", 0.0), ("z'", 0.0)];
    check("e3_appell_nonideal", &rest, &[Form::Closed, Form::Staged]);
}

/// The disc flat on the floor: yaw and spin turn it about the same axis.
#[test]
fn disc_lies_flat() {
    let flat = [("phi", std::f64::consts::FRAC_PI_2)];
    check("disc", &flat, &[Form::Closed, Form::Staged]);
    check("disc_contact", &flat, &[Form::Closed, Form::Staged]);
}

/// Precession and spin about the same axis.
#[test]
fn rigid_body_without_nutation() {
    check("rigid_body", &[("b", 0.0)], &[Form::Auto]);
}

/// The bob at the pivot: the rod's constraint has no direction there.
#[test]
fn spherical_pendulum_at_its_pivot() {
    let pivot = [("x", 0.0), ("y", 0.0), ("z", 0.0)];
    check("spherical_pendulum", &pivot, &[Form::Closed, Form::Staged]);
}

/// Both particles in one place: the rod between them has no direction.
#[test]
fn sleigh_without_length() {
    let names = |p: usize| ["x", "y", "z"].map(|c| format!("{c}{p}"));
    let q = &input("e4_sleigh_cartesian", &[]).q;
    let first: Vec<f64> = names(1).iter().map(|n| q[n.as_str()]).collect();
    let second = names(2);
    let changes: Vec<(&str, f64)> = second.iter().map(String::as_str).zip(first).collect();
    check("e4_sleigh_cartesian", &changes, &[Form::Auto]);
}
