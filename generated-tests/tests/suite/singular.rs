//! States at which formulations fail: an error that says so, never numbers that mean nothing.
#![cfg(feature = "generated")]

use eomgen::internals::catalogue::METHODS;
use eomgen::{
    EvalInput, Evaluator, Failure, Source,
    options::{DeriveOptions, Form},
};
use generated_tests::compare::error;
use generated_tests::known;
use generated_tests::memo;
use generated_tests::modules::Compiled;
use generated_tests::oracle::is_thorough;
use generated_tests::reference::model_source;
use generated_tests::refreshing::GENERATED;
use std::sync::Arc;

/// All formulations, save those that say of a model that they do not apply to it.
fn methods() -> impl Iterator<Item = &'static str> {
    METHODS.iter().map(|m| m.name)
}

/// The formulations that apply to every model of constraints.
const GENERAL: [&str; 5] = [
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

/// A state of its own for a model.
fn at(
    params: &[(&str, f64)],
    q: &[(&str, f64)],
    rates: &[(&str, f64)],
    inputs: &[(&str, f64)],
) -> EvalInput {
    let named = |list: &[(&str, f64)]| list.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
    EvalInput {
        params: named(params),
        q: named(q),
        qdot: Some(named(rates)),
        inputs: inputs.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect(),
        ..EvalInput::default()
    }
}

/// `None` where the formulation says why it does not apply.
fn applied(source: &Source, options: &DeriveOptions) -> Option<Arc<Evaluator>> {
    match memo::evaluator(source, options) {
        Ok(evaluator) => Some(evaluator),
        Err(Failure::Diagnostics(list))
            if !GENERAL.contains(&options.method.as_deref().unwrap_or_default())
                && list.iter().any(|d| d.code.starts_with("E05")) =>
        {
            None
        }
        Err(failure) => panic!("{options:?}: {failure:?}"),
    }
}

/// Every method in these forms in turn, with what its functions give at the state: no number that means nothing.
fn results(
    source: &Source,
    dependent: &[&str],
    input: &EvalInput,
    forms: &[Form],
    mut oracle: impl FnMut(&str, &Evaluator, &Result<Vec<f64>, eomgen::Failure>),
) {
    let mut count = 0;
    for (i, method) in methods().enumerate() {
        for (j, form) in forms.iter().enumerate() {
            // The expression forms in turn, unless everything is asked for.
            if !is_thorough() && !(i + j).is_multiple_of(forms.len()) {
                continue;
            }
            let options = DeriveOptions {
                method: Some(method.to_owned()),
                form: *form,
                dependent: dependent.iter().map(|d| (*d).to_owned()).collect(),
                ..DeriveOptions::default()
            };
            let Some(evaluator) = applied(source, &options) else {
                continue;
            };
            count += 1;
            let results = evaluator.functions(input).unwrap();
            let at = format!("{}, {method}, {form:?}", source.name);
            for (function, result) in &results {
                let sound = |numbers: &Vec<f64>| numbers.iter().all(|x| x.abs() < HUGE);
                assert!(
                    result.as_ref().map_or(true, sound),
                    "{at}: {function} = {result:?}"
                );
            }
            let (_, accelerations) = results.iter().find(|(f, _)| f == "accelerations").unwrap();
            oracle(&at, &evaluator, accelerations);
        }
    }
    let forms = if is_thorough() { forms.len() } else { 1 };
    assert!(count >= GENERAL.len() * forms);
}

/// Functions that have no value at the state, of which `accelerations` must be one.
fn check(model: &str, changes: &[(&str, f64)], forms: &[Form]) {
    let source = model_source(model).unwrap();
    let input = input(model, changes);
    results(
        &source,
        &[],
        &input,
        forms,
        |at, evaluator, accelerations| {
            assert!(accelerations.is_err(), "{at}: {accelerations:?}");
            for method in methods().filter(|m| at.contains(&format!(", {m},"))) {
                compiled(model, method, &evaluator.state(&input).unwrap());
            }
        },
    );
}

/// Accelerations that are defined at the state, though a formula for others is not.
fn check_value(source: &Source, input: &EvalInput, forms: &[Form], wanted: &[f64]) {
    results(source, &[], input, forms, |at, _, accelerations| {
        let found = accelerations
            .as_ref()
            .unwrap_or_else(|e| panic!("{at}: {e:?}"));
        let off = error(found, wanted);
        assert!(off < 1e-9, "{at}: {found:?} is off by {off:e}");
    });
}

/// Accelerations that have no value at the state.
fn check_failure(source: &Source, dependent: &[&str], input: &EvalInput, forms: &[Form]) {
    results(source, dependent, input, forms, |at, _, accelerations| {
        assert!(accelerations.is_err(), "{at}: {accelerations:?}");
    });
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
    check("e1_appell", &rest, &[Form::Closed, Form::Staged]);
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

/// The sleigh along the x axis with x' eliminated: the blade's row does not contain x'' there. By any other choice the state is
/// an ordinary one.
#[test]
#[ignore = "a quarter of a minute: cargo test -p generated-tests --test suite singular -- --ignored"]
fn sleigh_in_a_chart_that_fails() {
    let text = "model sleigh\nparam m1 = 1, m2 = 2 : kg > 0\nparam l = 0.5 : m > 0\ncoord x, y : m\ncoord theta : rad\n\
                frame B = rotate(N, theta, N.z)\npoint P1 = O + x*N.x + y*N.y\npoint P2 = P1 + l*B.x\n\
                particle A: mass m1 at P1\nparticle C: mass m2 at P2\nconstraint blade: dot(vel(P2), B.y) = 0";
    let source = Source::new("sleigh", text);
    let turn = 0.8;
    let input = at(
        &[],
        &[("x", 0.3), ("y", -0.2), ("theta", 0.0)],
        &[("x", 1.5), ("y", -0.5 * turn), ("theta", turn)],
        &[],
    );
    let forms = [Form::Closed, Form::Staged];
    check_failure(&source, &["x'"], &input, &forms);
    // O'Reilly et al. 2.26 at theta = 0, where u1 = x': x'' = m2 l u2^2/(m1 + m2), theta'' = u1 u2/l, and y'' by the row of the blade.
    let (u1, u2) = (1.5, turn);
    let wanted = [2.0 * 0.5 * u2 * u2 / 3.0, 0.0, u1 * u2 / 0.5];
    check_value(&source, &input, &forms, &wanted);
}

/// All cranks and the coupler in one line, in motion: there the linkage may fold the other way, and a row counts that depends on
/// the others wherever else the constraints hold. That is reported: without that row the third crank would come loose.
#[test]
fn parallelogram_lies_flat() {
    let source = model_source("parallelogram").unwrap();
    let rate = 0.7;
    let input = at(
        &[],
        &[
            ("p", 0.0),
            ("q", 0.0),
            ("r", 0.0),
            ("x", 0.5),
            ("y", 0.0),
            ("c", 0.0),
        ],
        &[
            ("p", rate),
            ("q", rate),
            ("r", rate),
            ("x", 0.0),
            ("y", 0.5 * rate),
            ("c", 0.0),
        ],
        &[],
    );
    check_failure(&source, &[], &input, &[Form::Closed, Form::Staged]);
}

/// Elsewhere the coupler goes with its cranks: `(m + M) a p'' = -M g cos(p)` for three cranks of inertia m a^2/3 and the coupler.
#[test]
#[ignore = "a quarter of a minute: cargo test -p generated-tests --test suite singular -- --ignored"]
fn parallelogram_is_a_pendulum() {
    let source = model_source("parallelogram").unwrap();
    let (a, rate) = (0.5_f64, 0.7_f64);
    for angle in [std::f64::consts::FRAC_PI_2, 2.5] {
        let (s, c) = angle.sin_cos();
        let input = at(
            &[],
            &[
                ("p", angle),
                ("q", angle),
                ("r", angle),
                ("x", a * c),
                ("y", a * s),
                ("c", 0.0),
            ],
            &[
                ("p", rate),
                ("q", rate),
                ("r", rate),
                ("x", -a * s * rate),
                ("y", a * c * rate),
                ("c", 0.0),
            ],
            &[],
        );
        let turn = -2.0 * 9.81 * c / (3.0 * a);
        let x = -a * (s * turn + c * rate * rate);
        let y = a * (c * turn - s * rate * rate);
        let wanted = [turn, turn, turn, x, y, 0.0];
        check_value(&source, &input, &[Form::Closed, Form::Staged], &wanted);
    }
}

/// Two lines that cross: the particle is on one of them, and where they meet the row that keeps it there has no direction. A
/// second row says the same beside the first only where that holds, so it is left out.
#[test]
fn particle_where_its_lines_cross() {
    let text = "model lines\nparam m = 1 : kg > 0\nparam g = 9.81 : m/s^2 > 0\nparam l = 1 : m > 0\ncoord x, y, z : m\n\
                point P = O + x*N.x + y*N.y + z*N.z\nparticle A: mass m at P\ngravity: -g*N.y\n\
                constraint a: x*x - y*y = 0\nconstraint b: (x*x - y*y)*(l + z) = 0";
    let source = Source::new("lines", text);
    let state = |along: f64| {
        let q = [("x", along), ("y", along), ("z", 0.3)];
        at(&[], &q, &[("x", 1.0), ("y", 1.0), ("z", 0.2)], &[])
    };
    let forms = [Form::Closed, Form::Staged];
    check_failure(&source, &[], &state(0.0), &forms);
    // Down a slope of 45 degrees, g sin(45) along it.
    let down = -9.81 / 2.0;
    check_value(&source, &state(0.7), &forms, &[down, down, 0.0]);
}

/// Crank and rod of one length, both across the bore: the row vanishes. Rates that differ contradict it.
#[test]
fn slider_crank_without_a_row() {
    let quarter = std::f64::consts::FRAC_PI_2;
    let input = at(
        &[("a", 0.3), ("b", 0.3)],
        &[("q1", quarter), ("q2", quarter)],
        &[("q1", 1.0), ("q2", 2.0)],
        &[("alpha2", 0.1), ("Q3", 0.2)],
    );
    let source = model_source("slider_crank").unwrap();
    check_failure(&source, &[], &input, &[Form::Closed, Form::Staged]);
}

/// The dead centre is no singular state as long as the rod is the longer one: crank and rod in one line.
#[test]
fn slider_crank_at_its_dead_centre() {
    let (a, b, rate) = (0.1_f64, 0.3_f64, 2.0_f64);
    let input = at(
        &[("a", a), ("b", b)],
        &[("q1", 0.0), ("q2", 0.0)],
        &[("q1", rate), ("q2", a / b * rate)],
        &[("alpha2", 0.4), ("Q3", 0.0)],
    );
    let source = model_source("slider_crank").unwrap();
    // No force of the piston reaches the crank there, and the inertias are those about the bearings: the piston is at rest, the rod
    // turns by a/b against the crank about it. mA (kA^2 + a_star^2) + mB (kB^2 + b_star^2) (a/b)^2, by the defaults of the model.
    let (crank, rod) = (
        2.0 * (0.07_f64.powi(2) + 0.02_f64.powi(2)),
        1.2 * (0.11_f64.powi(2) + 0.12_f64.powi(2)),
    );
    let turn = 0.4 / (crank + rod * (a / b).powi(2));
    check_value(
        &source,
        &input,
        &[Form::Closed, Form::Staged],
        &[turn, a / b * turn],
    );
}
