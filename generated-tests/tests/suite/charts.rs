//! The explicit Gibbs-Appell equation in charts: named ones, ones that are switched at run time, and what is said where they fail.
//! What is expected is the closed solution that the sources print, or the reference.
#![cfg(feature = "pipeline")]

use eomgen::options::Inverse;
use eomgen::{
    EvalInput, Evaluator, Failure,
    options::{DeriveOptions, Form},
};
use generated_tests::compare::error;
use generated_tests::harness::{derived_with, eval_input, evaluated, pick};
use generated_tests::known;
use generated_tests::memo;
use generated_tests::reference::model_source;

const METHOD: &str = "explicit-gibbs-appell";

/// Relative error that is rounding.
const ROUNDING: f64 = 1e-9;

fn options(dependent: &[&str], form: Form, outputs: &[&str]) -> DeriveOptions {
    DeriveOptions {
        method: Some(METHOD.into()),
        form,
        dependent: dependent.iter().map(|d| (*d).to_owned()).collect(),
        outputs: outputs.iter().map(|o| (*o).to_owned()).collect(),
        ..DeriveOptions::default()
    }
}

/// The first state of a reference with other rates.
fn with_rates(model: &str, rates: &[(&str, f64)]) -> EvalInput {
    let (reference, _) = known::reference(model).unwrap();
    let mut input = eval_input(&reference, &reference.states[0]);
    let own = input.qdot.as_mut().unwrap();
    for (name, value) in rates {
        *own.get_mut(*name).unwrap() = *value;
    }
    input
}

fn function(evaluator: &Evaluator, input: &EvalInput, name: &str) -> Option<Vec<f64>> {
    let all = evaluator.functions(input).unwrap();
    let (_, result) = all.into_iter().find(|(n, _)| n == name).unwrap();
    result.ok()
}

/// U96 36, from the rates and from what the particle does unconstrained: `r'' = f - (x' fx + y' fy - z' fz)/v^2 (x', y', -z')`.
fn appell(v: [f64; 3], f: &[f64]) -> Vec<f64> {
    let n = [v[0], v[1], -v[2]];
    let square: f64 = n.iter().map(|x| x * x).sum();
    let along: f64 = n.iter().zip(f).map(|(n, f)| n * f).sum();
    f.iter()
        .zip(n)
        .map(|(f, n)| f - along / square * n)
        .collect()
}

/// The rates of E1 lie on the cone `z'^2 = x'^2 + y'^2`. Wherever the particle moves one of three charts is good.
#[test]
fn e1_switches_its_chart_and_is_right_in_each() {
    let states = [
        ([3.0, 4.0, 5.0], 2.0),
        ([3.0, 0.0, 3.0], 0.0),
        ([0.0, 3.0, 3.0], 1.0),
        ([0.0, -2.0, 2.0], 1.0),
        ([4.0, 3.0, -5.0], 2.0),
        ([1e-9, 2.0, 2.0], 1.0),
    ];
    for form in [Form::Closed, Form::Staged] {
        let switched = derived_with("e1_appell", &options(&[], form, &["chart_in_use"])).unwrap();
        for (v, chart) in states {
            let rates = [("x", v[0]), ("y", v[1]), ("z", v[2])];
            let input = with_rates("e1_appell", &rates);
            let force = function(&switched, &input, "forcing").unwrap();
            let mass = function(&switched, &input, "mass_matrix").unwrap()[0];
            let f: Vec<f64> = force.iter().map(|f| f / mass).collect();
            let found = function(&switched, &input, "accelerations").unwrap();
            assert!(error(&found, &appell(v, &f)) < ROUNDING, "{v:?}: {found:?}");
            // x' and z' are equal in size where y' = 0: either will do.
            if v[1] != 0.0 && v[0].abs() != v[2].abs() && v[1].abs() != v[2].abs() {
                let index = function(&switched, &input, "chart_in_use").unwrap();
                assert_eq!(index, [chart], "{v:?}");
            }
        }
    }
}

/// A chart that was named fails where its determinant vanishes, says so in the header, and is right elsewhere.
#[test]
fn e1_in_the_chart_of_the_paper() {
    for (name, at) in [("x'", 0), ("y'", 1), ("z'", 2)] {
        for form in [Form::Closed, Form::Staged] {
            let evaluator = derived_with("e1_appell", &options(&[name], form, &[])).unwrap();
            assert!(
                evaluator.conditions().contains(&format!("{name} = 0")),
                "{:?}",
                evaluator.conditions()
            );
            let mut v = [3.0, 4.0, 5.0];
            let rates = |v: [f64; 3]| [("x", v[0]), ("y", v[1]), ("z", v[2])];
            let input = with_rates("e1_appell", &rates(v));
            let force = function(&evaluator, &input, "forcing").unwrap();
            let mass = function(&evaluator, &input, "mass_matrix").unwrap()[0];
            let f: Vec<f64> = force.iter().map(|f| f / mass).collect();
            let found = function(&evaluator, &input, "accelerations").unwrap();
            assert!(
                error(&found, &appell(v, &f)) < ROUNDING,
                "{name}: {found:?}"
            );
            // On the cone x' and y' may vanish alone.
            if at < 2 {
                v = match at {
                    0 => [0.0, 3.0, 3.0],
                    _ => [3.0, 0.0, -3.0],
                };
                let input = with_rates("e1_appell", &rates(v));
                assert_eq!(
                    function(&evaluator, &input, "accelerations"),
                    None,
                    "{name}"
                );
            }
        }
    }
}

/// The header of a program that switches says between what, and where that ends.
#[test]
fn e1_says_where_all_charts_fail() {
    let evaluator = derived_with("e1_appell", &options(&[], Form::Closed, &[])).unwrap();
    let common = "x' = y' = z' = 0";
    assert!(evaluator.conditions().iter().any(|c| c == common));
    let remarks = evaluator.documentation().remarks.join("\n");
    assert!(
        remarks.contains("`x''` or `y''` or `z''` eliminated") && remarks.contains(common),
        "{remarks}"
    );
}

/// Against the reference, in each chart that does not fail at its states.
fn in_charts(model: &str, charts: &[&[&str]], forms: &[Form]) {
    let (reference, _) = known::reference(model).unwrap();
    for dependent in charts {
        for form in forms {
            let evaluator = derived_with(model, &options(dependent, *form, &[])).unwrap();
            for (index, state) in reference.states.iter().enumerate() {
                let at = format!("{model}, {dependent:?}, {form:?}, state {index}");
                let found = evaluated(&evaluator, &eval_input(&reference, state)).unwrap();
                let found = pick("q''", &found.qddot, &reference.coordinates).unwrap();
                let off = error(&found, &state.accelerations);
                assert!(off < ROUNDING, "{at}: off by {off:e}");
            }
        }
    }
}

const BOTH: &[Form] = &[Form::Closed, Form::Staged];

/// M is not diagonal: the terms with Mie count.
#[test]
fn e4_in_all_its_charts() {
    in_charts("e4_sleigh", &[&[], &["x'"], &["y'"], &["theta'"]], BOTH);
}

/// The constraint does work: C is part of F.
#[test]
fn e3_in_all_its_charts() {
    in_charts(
        "e3_appell_nonideal",
        &[&[], &["x'"], &["y'"], &["z'"]],
        BOTH,
    );
}

#[test]
fn spherical_pendulum_in_all_its_charts() {
    in_charts(
        "spherical_pendulum",
        &[&[], &["x'"], &["y'"], &["z'"]],
        BOTH,
    );
}

/// Rows that depend on others, and b that is not zero.
#[test]
fn cart_double_pendulum_in_its_charts() {
    let charts: [&[&str]; 3] = [&[], &["s'"], &["th'"]];
    in_charts("cart_double_pendulum_dependent", &charts, BOTH);
}

/// A model at a state of its own: parameters, coordinates and rates.
fn at(params: &[(&str, f64)], q: &[(&str, f64)], rates: &[(&str, f64)]) -> EvalInput {
    let named = |list: &[(&str, f64)]| list.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
    EvalInput {
        params: named(params),
        q: named(q),
        qdot: Some(named(rates)),
        ..EvalInput::default()
    }
}

/// Against Lagrange's equations, which know no charts.
fn against_lagrange(model: &str, charts: &[&[&str]], input: &EvalInput) {
    let mut lagrange = options(&[], Form::Staged, &[]);
    lagrange.method = Some("lagrange".into());
    let wanted = derived_with(model, &lagrange).unwrap();
    let wanted = function(&wanted, input, "accelerations").unwrap();
    for dependent in charts {
        for form in BOTH {
            let evaluator = derived_with(model, &options(dependent, *form, &[])).unwrap();
            let found = function(&evaluator, input, "accelerations").unwrap();
            let off = error(&found, &wanted);
            assert!(
                off < ROUNDING,
                "{model}, {dependent:?}, {form:?}: off by {off:e}"
            );
        }
    }
}

/// Two rows; where one rate is named the other is chosen. The bars are as long as these angles need them to be.
#[test]
fn four_bar_in_its_charts() {
    let (q, l3, l4) = ([1.2_f64, 1.6, 1.4], 1.4_f64, 1.1_f64);
    let sums = [q[0], q[0] + q[1], q[0] + q[1] + q[2]];
    let l2 = -(l3 * sums[1].sin() + l4 * sums[2].sin()) / sums[0].sin();
    let l1 = -(l2 * sums[0].cos() + l3 * sums[1].cos() + l4 * sums[2].cos());
    // Rates of the sums that keep the loop closed: sum l (-sin, cos) s' = 0.
    let first = 0.6;
    let d = l3 * l4 * (sums[2] - sums[1]).sin();
    let second = -first * l2 * l4 * (sums[2] - sums[0]).sin() / d;
    let third = -(first * l2 * sums[0].sin() + second * l3 * sums[1].sin()) / (l4 * sums[2].sin());
    let params = [("l1", l1), ("l2", l2), ("l3", l3), ("l4", l4)];
    assert!(params.iter().all(|p| p.1 > 0.0), "{params:?}");
    let q = [("q1", q[0]), ("q2", q[1]), ("q3", q[2])];
    let rates = [
        ("q1", first),
        ("q2", second - first),
        ("q3", third - second),
    ];
    let charts: [&[&str]; 4] = [&[], &["q1'"], &["q1'", "q2'"], &["q2'", "q3'"]];
    against_lagrange("four_bar", &charts, &at(&params, &q, &rates));
}

#[test]
fn slider_crank_in_its_charts() {
    let (a, b, q1, rate) = (0.3_f64, 0.8_f64, 1.1_f64, 2.0_f64);
    let q2 = (a * q1.sin() / b).asin();
    let other = a * q1.cos() * rate / (b * q2.cos());
    let mut input = at(
        &[("a", a), ("b", b)],
        &[("q1", q1), ("q2", q2)],
        &[("q1", rate), ("q2", other)],
    );
    input.inputs = [("alpha2", 0.4), ("Q3", -1.3)]
        .map(|(n, v)| (n.to_owned(), v))
        .into_iter()
        .collect();
    against_lagrange("slider_crank", &[&[], &["q1'"], &["q2'"]], &input);
}

fn refused(model: &str, options: &DeriveOptions) -> (String, String) {
    match memo::module(&model_source(model).unwrap(), options) {
        Err(Failure::Diagnostics(list)) => {
            let error = list.iter().find(|d| d.code.starts_with('E')).unwrap();
            (error.code.to_string(), error.title.clone())
        }
        other => panic!("{model}: {other:?}"),
    }
}

#[test]
fn charts_that_cannot_be_are_refused() {
    let named = |names: &[&str]| options(names, Form::Closed, &[]);
    let (code, title) = refused("e1_appell", &named(&["w'"]));
    assert_eq!((code.as_str(), title.contains("`w'`")), ("E0520", true));
    let (code, title) = refused("e1_appell", &named(&["x'", "y'"]));
    assert_eq!(
        (code.as_str(), title.contains("1 independent")),
        ("E0520", true)
    );
    // A coordinate is no rate.
    let (code, _) = refused("e2_appell_rheonomic", &named(&["x"]));
    assert_eq!(code, "E0520");
}

/// Friction by the pressure that it needs: the equation has no multiplier that could be it.
#[test]
fn loads_that_depend_on_reactions_are_refused() {
    let wanted = options(&[], Form::Closed, &[]);
    assert_eq!(refused("painleve_rod", &wanted).0, "E0521");
    let mut wanted = wanted;
    wanted.method = Some("udwadia-kalaba".into());
    wanted.variant.inverse = Inverse::MoorePenrose;
    assert_eq!(refused("painleve_rod", &wanted).0, "E0524");
}

#[test]
fn a_model_without_constraints_has_no_chart() {
    let wanted = options(&["theta1'"], Form::Closed, &[]);
    assert_eq!(refused("double_pendulum", &wanted).0, "E0309");
    let wanted = options(&["w'"], Form::Closed, &[]);
    assert_eq!(refused("double_pendulum", &wanted).0, "E0520");
}

/// A rate that no row contains.
#[test]
fn a_chart_that_is_singular_everywhere_is_refused() {
    let text = "model cone\nparam m : kg > 0\ncoord x, y, z, w : m\npoint P = O + x*N.x + y*N.y + z*N.z\npoint Q = O + w*N.x\n\
                particle A: mass m at P\nparticle B: mass m at Q\nconstraint c: x'^2 + y'^2 - z'^2 = 0";
    let found = eomgen::derive("cone", text, &options(&["w'"], Form::Closed, &[]));
    let Err(Failure::Diagnostics(list)) = found else {
        panic!("{found:?}")
    };
    assert_eq!(list.iter().map(|d| d.code).collect::<Vec<_>>(), ["E0520"]);
}

/// Other formulations keep their answer to chosen speeds under nonlinear constraints.
#[test]
fn only_this_formulation_takes_a_chart_of_nonlinear_constraints() {
    let mut options = options(&["x'"], Form::Closed, &[]);
    options.method = Some("kane".into());
    assert_eq!(refused("e1_appell", &options).0, "E0309");
}

/// Where the rank varies the chart is found by pivoting, and there is no R to show.
#[test]
fn a_varying_rank_has_no_fixed_chart() {
    let evaluator = derived_with("parallelogram", &options(&[], Form::Staged, &[])).unwrap();
    let remarks = evaluator.documentation().remarks.join("\n");
    assert!(remarks.contains("by complete pivoting"), "{remarks}");
    let wanted = options(&[], Form::Staged, &["explicit_reduction"]);
    assert_eq!(refused("parallelogram", &wanted).0, "E0522");
}
