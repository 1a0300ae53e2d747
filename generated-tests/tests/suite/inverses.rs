//! The Udwadia-Kalaba equation by its three generalized inverses, and the family of multipliers.
#![cfg(feature = "pipeline")]

use eomgen::options::{Inverse, Variant};
use eomgen::{
    EvalInput, Evaluator, Failure, Source, derive,
    internals::pipeline::{Claim, compare},
    options::{DeriveOptions, Form, VerifyOptions},
    verify_source,
};
use generated_tests::compare::error;
use generated_tests::harness::{derived_with, eval_input, evaluated, pick};
use generated_tests::known;
use generated_tests::memo;
use generated_tests::reference::model_source;

/// Relative error that is rounding.
const ROUNDING: f64 = 1e-9;

fn options(inverse: Inverse, form: Form) -> DeriveOptions {
    DeriveOptions {
        method: Some("udwadia-kalaba".into()),
        form,
        variant: Variant {
            inverse,
            ..Variant::default()
        },
        ..DeriveOptions::default()
    }
}

/// Udwadia & Kalaba 1998, 24-26: the result does not depend on the inverse. Nor do the parts of the constraint force.
fn agree(model: &str, forms: &[Form]) {
    let (reference, _) = known::reference(model).unwrap();
    for form in forms {
        for inverse in Inverse::ALL {
            let evaluator = derived_with(model, &options(inverse, *form)).unwrap();
            for (index, state) in reference.states.iter().enumerate() {
                let at = format!("{model}, {}, {form:?}, state {index}", inverse.name());
                let found = evaluated(&evaluator, &eval_input(&reference, state)).unwrap();
                let list = pick("q''", &found.qddot, &reference.coordinates).unwrap();
                let off = error(&list, &state.accelerations);
                assert!(off < ROUNDING, "{at}: q'' is off by {off:e}");
                let parts = [
                    (&found.ideal_force, &state.constraint_force_ideal),
                    (&found.nonideal_force, &state.constraint_force_nonideal),
                ];
                for (part, wanted) in parts {
                    let Some(wanted) = wanted else { continue };
                    let list = pick("force", part, &reference.coordinates).unwrap();
                    let off = error(&list, wanted);
                    assert!(off < ROUNDING, "{at}: force is off by {off:e}");
                }
            }
        }
    }
}

const BOTH: &[Form] = &[Form::Closed, Form::Staged];

macro_rules! table {
    ($($model:ident: $forms:expr;)*) => {$(
        #[test]
        fn $model() {
            agree(stringify!($model), $forms);
        }
    )*};
}

table! {
    cart_double_pendulum_dependent: BOTH;
    e1_appell: BOTH;
    e2_appell_rheonomic: BOTH;
    e3_appell_nonideal: BOTH;
    e4_sleigh: BOTH;
    e4_sleigh_six: BOTH;
}

/// A row too many at every state: three parallel cranks in motion. Against Lagrange's equations.
#[test]
fn parallelogram() {
    let (a, angle, rate) = (0.5_f64, 0.9_f64, 0.7_f64);
    let named = |list: [(&str, f64); 6]| list.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
    let (s, c) = angle.sin_cos();
    let input = EvalInput {
        q: named([
            ("p", angle),
            ("q", angle),
            ("r", angle),
            ("x", a * c),
            ("y", a * s),
            ("c", 0.0),
        ]),
        qdot: Some(named([
            ("p", rate),
            ("q", rate),
            ("r", rate),
            ("x", -a * s * rate),
            ("y", a * c * rate),
            ("c", 0.0),
        ])),
        ..EvalInput::default()
    };
    let accelerations = |options: &DeriveOptions| -> Vec<f64> {
        let evaluator = derived_with("parallelogram", options).unwrap();
        let all = evaluator.functions(&input).unwrap();
        all.into_iter()
            .find(|f| f.0 == "accelerations")
            .unwrap()
            .1
            .unwrap()
    };
    let wanted = accelerations(&lagrange(&[]));
    for inverse in Inverse::ALL {
        let found = accelerations(&options(inverse, Form::Staged));
        let off = error(&found, &wanted);
        assert!(off < ROUNDING, "{}: off by {off:e}", inverse.name());
    }
}

fn note(evaluator: &Evaluator) -> String {
    let remarks = evaluator.documentation().remarks.iter();
    let note = remarks.filter(|r| r.starts_with("Accelerations:"));
    note.cloned().collect()
}

/// The three are three: what a program does differs.
#[test]
fn each_inverse_has_its_own_way() {
    let mut ways: Vec<(String, usize)> = Vec::new();
    for inverse in Inverse::ALL {
        let evaluator = derived_with("e1_appell", &options(inverse, Form::Staged)).unwrap();
        let costs = evaluator.costs();
        let cost = costs.iter().find(|c| c.0 == "accelerations").unwrap();
        ways.push((note(&evaluator), cost.1.total()));
    }
    for (i, way) in ways.iter().enumerate() {
        assert!(
            ways[..i].iter().all(|w| w.0 != way.0 && w.1 != way.1),
            "{ways:?}"
        );
    }
}

/// A product of matrices by rows, with so many columns in the second.
fn product(a: &[f64], b: &[f64], columns: usize) -> Vec<f64> {
    let inner = b.len() / columns;
    let row = |r: &[f64], j: usize| (0..inner).map(|k| r[k] * b[k * columns + j]).sum();
    a.chunks(inner)
        .flat_map(|r| (0..columns).map(move |j| row(r, j)).collect::<Vec<f64>>())
        .collect()
}

fn is_symmetric(a: &[f64], n: usize) -> bool {
    let largest = a.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    (0..n * n).all(|k| (a[k] - a[k % n * n + k / n]).abs() <= ROUNDING * largest)
}

/// Which of Penrose's four conditions X fulfils as an inverse of B, m x n.
fn conditions(b: &[f64], x: &[f64], m: usize, n: usize) -> [bool; 4] {
    let (bx, xb) = (product(b, x, m), product(x, b, n));
    let same = |p: &[f64], q: &[f64]| error(p, q) < ROUNDING;
    [
        same(&product(&bx, b, n), b),
        same(&product(&xb, x, m), x),
        is_symmetric(&bx, m),
        is_symmetric(&xb, n),
    ]
}

/// Penrose's conditions tell the inverses apart where rows are dependent: all four, all but the third, and of G all but the two of
/// symmetry. (Both that leave rows out are reflexive besides.)
#[test]
fn the_inverses_are_what_they_are_called() {
    for model in ["e1_appell", "cart_double_pendulum_dependent"] {
        for (inverse, of, expected) in [
            (Inverse::MoorePenrose, "scaled_constraint_matrix", [true; 4]),
            (
                Inverse::OneFour,
                "scaled_constraint_matrix",
                [true, true, false, true],
            ),
            (
                Inverse::One,
                "constraint_gram_matrix",
                [true, true, false, false],
            ),
        ] {
            for form in BOTH {
                let mut options = options(inverse, *form);
                options.outputs = vec!["generalized_inverse".into(), of.into()];
                let evaluator = derived_with(model, &options).unwrap();
                let (reference, _) = known::reference(model).unwrap();
                let m = 2;
                for state in &reference.states {
                    let all = evaluator.functions(&eval_input(&reference, state)).unwrap();
                    let get = |name: &str| {
                        let found = all.iter().find(|f| f.0 == name).unwrap();
                        found.1.clone().unwrap()
                    };
                    let (b, x) = (get(of), get("generalized_inverse"));
                    let found = conditions(&b, &x, m, b.len() / m);
                    assert_eq!(found, expected, "{model}, {}, {form:?}", inverse.name());
                }
            }
        }
    }
}

/// E1 by hand: M = m 1, so B = A/sqrt(m), and with A = (1, 2)^T (2x', 2y', -2z') and v^2 = x'^2 + y'^2 + z'^2 the first row of B^+ is
/// `sqrt(m) 2x'/(4 v^2) (1, 2)/5`.
#[test]
fn the_moore_penrose_inverse_of_e1() {
    let claims = [
        Claim::entry(
            "generalized_inverse",
            "x",
            "c1",
            "sqrt(M)*x'/(10*(x'^2 + y'^2 + z'^2))",
        ),
        Claim::entry(
            "generalized_inverse",
            "z",
            "c2",
            "-sqrt(M)*z'/(5*(x'^2 + y'^2 + z'^2))",
        ),
    ];
    let source = model_source("e1_appell").unwrap();
    let verdicts = compare(
        &source,
        &options(Inverse::MoorePenrose, Form::Closed),
        &claims,
    );
    for v in verdicts.unwrap() {
        assert!(v.holds(), "{v:?}");
    }
}

fn code(found: Result<eomgen::Derived, Failure>) -> String {
    match found {
        Err(Failure::Diagnostics(list)) => {
            let error = list.iter().find(|d| d.code.starts_with('E'));
            error.map(|d| d.code.to_string()).unwrap_or_default()
        }
        other => panic!("{other:?}"),
    }
}

/// A coordinate without mass: M^-1/2 does not exist, the bordered system does.
#[test]
fn a_singular_mass_matrix_has_no_root() {
    let text = "model belt\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x\nparticle A: mass m at P\n\
                gravity: 9.81 [m/s^2]*N.x\nconstraint belt: y = 2*x";
    for inverse in [Inverse::MoorePenrose, Inverse::OneFour] {
        let found = derive("belt", text, &options(inverse, Form::Closed));
        assert_eq!(code(found), "E0524", "{}", inverse.name());
    }
    derive("belt", text, &options(Inverse::One, Form::Closed)).unwrap();
}

/// Where a parameter without a sign makes a pivot of M negative, the module refuses the state, and its formulas go on with another number, of which
/// nothing is to be asked. Branches elsewhere in the model lead `verify` to such states.
#[test]
fn a_state_that_the_module_refuses_proves_nothing_against_it() {
    let text = "model slider\nparam m = 1.2\nparam J = 0.7 > 0\nparam l = 1 > 0\nparam c = 1.1\nparam w = 0.28\n\
                coord x, q\nkinetic T = m*x'^2/2 + m*(x' + l*q'*cos(q))^2/2 + J*q'^2/2\n\
                generalized x: if x < 0 then -c*x' else 0\nconstraint motor: q = w*t";
    let source = Source::new("slider.eom", text);
    for inverse in Inverse::ALL {
        let options = VerifyOptions {
            methods: vec!["udwadia-kalaba".into()],
            derive: DeriveOptions {
                outputs: vec!["standard".into()],
                ..options(inverse, Form::Staged)
            },
            ..VerifyOptions::default()
        };
        let certificate = verify_source(&source, &options).unwrap();
        assert!(certificate.holds(), "{}: {certificate}", inverse.name());
    }
}

fn lagrange(outputs: &[&str]) -> DeriveOptions {
    DeriveOptions {
        method: Some("lagrange".into()),
        outputs: outputs.iter().map(|o| (*o).to_owned()).collect(),
        ..DeriveOptions::default()
    }
}

/// U96 42: the second row is twice the first, so (2, -1) changes no force.
#[test]
fn the_family_of_multipliers_of_e1() {
    let evaluator = derived_with("e1_appell", &lagrange(&["multiplier_family"])).unwrap();
    let (reference, _) = known::reference("e1_appell").unwrap();
    let input = eval_input(&reference, &reference.states[0]);
    let all = evaluator.functions(&input).unwrap();
    let of = |name: &str| all.iter().find(|f| f.0 == name).unwrap().1.clone().unwrap();
    let family = of("multiplier_family");
    assert_eq!(family, [2.0, -1.0]);
    // The member of least norm is the one at right angles to it.
    let lambda = of("multipliers");
    assert!((2.0 * lambda[0] - lambda[1]).abs() < ROUNDING * lambda[1].abs());
    let remarks = evaluator.documentation().remarks.join("\n");
    assert!(remarks.contains("any multiple of `(2, -1)`"), "{remarks}");
}

/// `A^T` times the family is zero at every state, and the family has as many columns as there are rows too many.
#[test]
fn families_change_no_force() {
    for (model, surplus) in [
        ("cart_double_pendulum_dependent", 1),
        ("e5_wheel_axle_rows", 0),
    ] {
        let wanted = lagrange(&["multiplier_family"]);
        if surplus == 0 {
            let source = model_source(model).unwrap();
            let known = memo::module(&source, &wanted);
            if known.is_err() {
                assert_eq!(code(known), "E0523");
                continue;
            }
        }
        let evaluator = derived_with(model, &wanted).unwrap();
        let (reference, _) = known::reference(model).unwrap();
        for state in &reference.states {
            let all = evaluator.functions(&eval_input(&reference, state)).unwrap();
            let of = |name: &str| all.iter().find(|f| f.0 == name).unwrap().1.clone().unwrap();
            let (a, family) = (of("constraint_matrix"), of("multiplier_family"));
            let n = reference.coordinates.len();
            let m = a.len() / n;
            let columns = family.len() / m;
            assert!(columns >= 1 && (surplus == 0 || columns == surplus));
            for k in 0..columns {
                assert!((0..m).any(|i| family[i * columns + k] != 0.0));
                for j in 0..n {
                    let force: f64 = (0..m).map(|i| a[i * n + j] * family[i * columns + k]).sum();
                    assert!(force.abs() < ROUNDING, "{model}: {force:e}");
                }
            }
        }
    }
}

#[test]
fn unique_multipliers_have_no_family() {
    let source = model_source("e4_sleigh").unwrap();
    let found = memo::module(&source, &lagrange(&["multiplier_family"]));
    assert_eq!(code(found), "E0523");
}
