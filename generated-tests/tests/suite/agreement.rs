//! All formulations in all expression forms say the same at states that no reference file has. Each evaluates its own equations: by default they
//! would share a plan, and with it most of the program.
#![cfg(feature = "pipeline")]

use eomgen::{
    EvalInput, EvalOutput, Evaluator,
    options::{DeriveOptions, Form, Plan},
};
use generated_tests::compare::{TOLERANCE, error};
use generated_tests::harness::{derived_with, eval_input, evaluated};
use generated_tests::known;
use generated_tests::oracle::is_thorough;
use generated_tests::samples::Random;
use std::sync::Arc;

const METHODS: [&str; 5] = [
    "kane",
    "gibbs-appell",
    "explicit-gibbs-appell",
    "lagrange",
    "udwadia-kalaba",
];

/// States of each model.
const STATES: usize = 3;

/// Formulations for constraints that are linear in the velocities, after one that they are compared with.
const LINEAR: [&str; 5] = [
    "kane",
    "maggi",
    "boltzmann-hamel",
    "jourdain",
    "appell-reduced",
];

fn all(model: &str, methods: &[&str], forms: &[Form]) -> Vec<(String, Arc<Evaluator>)> {
    let mut list = Vec::new();
    for (i, method) in methods.iter().enumerate() {
        // The first formulation in all forms, the others in the form that `reference` has derived, unless everything is asked for.
        let all = i == 0 || is_thorough();
        for form in if all { forms } else { &[Form::Auto] } {
            let options = DeriveOptions {
                method: Some((*method).to_owned()),
                form: *form,
                plan: Plan::Reduced,
                ..DeriveOptions::default()
            };
            let evaluator = derived_with(model, &options).unwrap();
            list.push((format!("{model}, {method}, {form:?}"), evaluator));
        }
    }
    list
}

fn numbers(evaluator: &Evaluator, input: &EvalInput, function: &str) -> Option<Vec<f64>> {
    let all = evaluator.functions(input).ok()?;
    let (_, numbers) = all.into_iter().find(|(name, _)| name == function)?;
    numbers.ok()
}

/// Values by the names of the coordinates in the model's order.
fn named(names: &[String], values: &[f64]) -> indexmap::IndexMap<String, f64> {
    names.iter().cloned().zip(values.iter().copied()).collect()
}

/// Moves a state onto the constraints by Newton steps; `None` if that leads nowhere.
fn projected(evaluator: &Evaluator, mut input: EvalInput) -> Option<EvalInput> {
    let n = input.q.len();
    let names = evaluator.state(&input).ok()?.into_iter().take(n);
    let names: Vec<String> = names.map(|(name, _)| name).collect();
    for _ in 0..12 {
        if let Some(x) = numbers(evaluator, &input, "projection_step") {
            input.q = named(&names, &x[..n]);
            // The state's speeds are all rates where constraints are not eliminated.
            if x.len() == 2 * n {
                input.qdot = Some(named(&names, &x[n..]));
            }
        }
        let rates = numbers(evaluator, &input, "rates")?;
        input.qdot = Some(named(&names, &rates));
    }
    let off = |function| numbers(evaluator, &input, function).unwrap_or_default();
    let residuals = [off("constraint_residuals"), off("velocity_residuals")].concat();
    residuals.iter().all(|r| r.abs() < 1e-12).then_some(input)
}

/// States about as far from those of the reference as their coordinates are from zero.
fn states(model: &str, evaluator: &Evaluator) -> Vec<EvalInput> {
    let (reference, _) = known::reference(model).unwrap();
    let mut random = Random::default();
    let mut list = Vec::new();
    for state in reference.states.iter().cycle().take(40) {
        let mut input = eval_input(&reference, state);
        input.t += random.number();
        let rates = input.qdot.iter_mut().flat_map(|q| q.values_mut());
        for value in input
            .q
            .values_mut()
            .chain(rates)
            .chain(input.inputs.values_mut())
        {
            *value += 0.3 * random.number();
        }
        list.extend(projected(evaluator, input));
        if list.len() == STATES {
            return list;
        }
    }
    panic!("{model}: {} states on the constraints", list.len());
}

fn differences(one: &EvalOutput, other: &EvalOutput) -> Vec<(&'static str, f64)> {
    let lists = [
        ("q''", &one.qddot, &other.qddot),
        ("ideal force", &one.ideal_force, &other.ideal_force),
        (
            "non-ideal force",
            &one.nonideal_force,
            &other.nonideal_force,
        ),
    ];
    let values = |list: &[(String, f64)]| -> Vec<f64> { list.iter().map(|(_, v)| *v).collect() };
    let scalars = [
        ("T", one.kinetic_energy, other.kinetic_energy),
        ("V", one.potential_energy, other.potential_energy),
        ("S", one.gibbs, other.gibbs),
    ];
    let lists = lists.map(|(what, a, b)| (what, error(&values(a), &values(b))));
    let scalars = scalars.map(|(what, a, b)| {
        let list = |x: Option<f64>| x.into_iter().collect::<Vec<_>>();
        (what, error(&list(a), &list(b)))
    });
    [lists, scalars].concat()
}

fn agree(model: &str, forms: &[Form]) {
    agree_by(model, &METHODS, forms);
}

fn agree_by(model: &str, methods: &[&str], forms: &[Form]) {
    let all = all(model, methods, forms);
    let (first, others) = all.split_first().unwrap();
    for (index, input) in states(model, &first.1).iter().enumerate() {
        let wanted = evaluated(&first.1, input).unwrap();
        assert!(wanted.not_finite().is_empty(), "{}, state {index}", first.0);
        for (name, evaluator) in others {
            let found = evaluated(evaluator, input)
                .unwrap_or_else(|e| panic!("{name}, state {index}: {e}"));
            for (what, off) in differences(&found, &wanted) {
                assert!(
                    off <= TOLERANCE,
                    "{name}, state {index}: {what} is off by {off:e}"
                );
            }
        }
    }
}

macro_rules! table {
    ($($model:ident: $($form:ident)*;)*) => {$(
        #[test]
        fn $model() {
            agree(stringify!($model), &[$(Form::$form),*]);
        }
    )*};
}

table! {
    cart_double_pendulum_dependent: Closed Staged;
    disc: Closed Staged;
    disc_contact: Closed Staged;
    double_pendulum: Closed Staged;
    e1_appell: Closed Staged;
    e2_appell_rheonomic: Closed Staged;
    e3_appell_nonideal: Closed Staged;
    e4_sleigh: Closed Staged;
    e4_sleigh_cartesian: Auto Staged;
    e4_sleigh_rheonomic: Closed Staged;
    e4_sleigh_six: Closed Staged;
    e4_sleigh_speeds: Closed Staged;
    e5_wheel_axle: Closed Staged;
    e5_wheel_axle_full: Staged;
    e5_wheel_axle_rows: Closed Staged;
    pend_abs_1: Closed Staged;
    pend_abs_2: Closed Staged;
    pend_abs_3: Staged;
    pend_abs_5: Staged;
    pend_rel_2: Closed Staged;
    pend_rel_5: Staged;
    rigid_body: Staged;
    sleigh_ref: Closed Staged;
    spherical_pendulum: Closed Staged;
}

/// The formulations for constraints that are linear in the velocities: dependent rows, rows that time enters, and rows that no choice
/// of independent velocities fits at every state.
mod linear {
    use super::{Form, LINEAR, agree_by};

    macro_rules! table {
        ($($model:ident: $($form:ident)*;)*) => {$(
            #[test]
            fn $model() {
                agree_by(stringify!($model), &LINEAR, &[$(Form::$form),*]);
            }
        )*};
    }

    table! {
        disc: Closed Staged;
        double_pendulum: Closed Staged;
        e4_sleigh: Closed Staged;
        e4_sleigh_cartesian: Staged;
        e4_sleigh_rheonomic: Closed Staged;
        e4_sleigh_six: Closed Staged;
        e4_sleigh_speeds: Closed Staged;
        e5_wheel_axle: Closed Staged;
        e5_wheel_axle_full: Staged;
        e5_wheel_axle_rows: Closed Staged;
        pend_abs_1: Closed Staged;
        pend_abs_2: Closed Staged;
    }
}

/// Newton and Euler beside Kane.
mod balances {
    use super::{Form, agree_by};

    macro_rules! table {
        ($($model:ident: $($form:ident)*;)*) => {$(
            #[test]
            fn $model() {
                agree_by(stringify!($model), &["kane", "newton-euler"], &[$(Form::$form),*]);
            }
        )*};
    }

    table! {
        disc: Closed Staged;
        double_pendulum: Closed Staged;
        e1_appell: Closed Staged;
        e2_appell_rheonomic: Closed Staged;
        e3_appell_nonideal: Closed Staged;
        e4_sleigh: Closed Staged;
        e4_sleigh_cartesian: Auto Staged;
        e4_sleigh_rheonomic: Closed Staged;
        e4_sleigh_six: Closed Staged;
        e5_wheel_axle_full: Staged;
        rigid_body: Staged;
        spherical_pendulum: Closed Staged;
    }
}

/// Takes minutes: `cargo test --workspace -- --include-ignored`.
mod large {
    use super::{Form, agree};

    #[test]
    #[ignore = "takes minutes"]
    fn pend_abs_20() {
        agree("pend_abs_20", &[Form::Staged]);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn pend_rel_10() {
        agree("pend_rel_10", &[Form::Staged]);
    }

    #[test]
    #[ignore = "takes a quarter of a minute"]
    fn ur5() {
        agree("ur5", &[Form::Staged]);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn panda7() {
        agree("panda7", &[Form::Staged]);
    }
}
