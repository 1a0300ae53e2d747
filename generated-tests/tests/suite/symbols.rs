//! Results held against what sources print, by normal form: the interface itself. The examples of the papers have suites of
//! their own.
#![cfg(feature = "pipeline")]

use eomgen::{
    Failure,
    internals::pipeline::{Agreement, Claim, Verdict, compare, entries},
    options::DeriveOptions,
};
use generated_tests::reference::model_source;

fn options(method: &str) -> DeriveOptions {
    DeriveOptions {
        method: Some(method.into()),
        ..DeriveOptions::default()
    }
}

fn checked(model: &str, method: &str, claims: &[Claim]) -> Result<Vec<Verdict>, Failure> {
    compare(&model_source(model).unwrap(), &options(method), claims)
}

/// All claims hold, each decided by normal form.
fn hold(model: &str, method: &str, claims: &[Claim]) -> Vec<Agreement> {
    let verdicts = checked(model, method, claims).unwrap();
    let wrong: Vec<&Verdict> = verdicts
        .iter()
        .filter(|v| !v.holds() || !v.by_normal_form)
        .collect();
    assert!(wrong.is_empty(), "{model}, {method}: {wrong:#?}");
    verdicts.iter().map(|v| v.agreement).collect()
}

/// O'Reilly et al. 2.12-2.14: `M q'' + h = mu (-sin, cos, l)`.
#[test]
fn lagrange_of_the_sleigh_is_as_printed() {
    let found = hold(
        "e4_sleigh",
        "lagrange",
        &[
            Claim::entry("mass_matrix", "x''", "x''", "m1 + m2"),
            Claim::entry("mass_matrix", "x''", "theta''", "-m2*l*sin(theta)"),
            Claim::entry("mass_matrix", "theta''", "theta''", "m2*l^2"),
            Claim::row("forcing", "x''", "m2*l*theta'^2*cos(theta)"),
            Claim::entry("constraint_matrix", "blade", "x", "-sin(theta)"),
            Claim::entry("constraint_matrix", "blade", "theta", "l"),
            Claim::row(
                "constraint_rhs",
                "blade",
                "theta'*(x'*cos(theta) + y'*sin(theta))",
            ),
            Claim::row(
                "equations",
                "y''",
                "(m1 + m2)*y'' + m2*l*theta''*cos(theta) - m2*l*theta'^2*sin(theta) - lambda*cos(theta)",
            ),
        ],
    );
    assert!(found.iter().all(|a| *a == Agreement::Equal));
}

/// O'Reilly et al. 2.26: `(m1+m2) u1' + m1 l u2^2 = 0`, `m1 l^2 u2' - m1 l u1 u2 = 0`, `mu = m2 u1 u2`.
#[test]
fn gibbs_appell_of_the_sleigh_is_as_printed() {
    let found = hold(
        "e4_sleigh",
        "gibbs-appell",
        &[
            Claim::row("equations", "u1'", "(m1 + m2)*u1' + m1*l*u2^2"),
            Claim::row("equations", "u2'", "m1*l^2*u2' - m1*l*u1*u2"),
            Claim::row("speed_rates", "u1'", "-m1*l*u2^2/(m1 + m2)"),
            Claim::row("speed_rates", "1", "u1*u2/l"),
            Claim::row("rates", "y'", "u1*sin(theta) - l*u2*cos(theta)"),
        ],
    );
    assert!(found.iter().all(|a| *a == Agreement::Equal));
}

/// The blade does not slip: `l theta' = x' sin(theta) - y' cos(theta)`.
#[test]
fn what_holds_on_the_constraints_only_is_said_to() {
    let found = hold(
        "e4_sleigh",
        "lagrange",
        &[
            Claim::row(
                "forcing",
                "x''",
                "m2*theta'*cos(theta)*(x'*sin(theta) - y'*cos(theta))",
            ),
            Claim::row("constraint_rhs", "blade", "u1*u2"),
        ],
    );
    // The second one is the definition of u1.
    assert_eq!(
        found,
        [Agreement::EqualWhereConstraintsHold, Agreement::Equal]
    );
}

/// Udwadia 34-36, with dependent rows; and the multipliers of least norm, a fifth and two fifths of the one of the first row.
#[test]
fn forces_that_are_functions_keep_their_names() {
    let square = "(x'^2 + y'^2 + z'^2)";
    let along = "(x'*Fx + y'*Fy - z'*Fz)";
    let claims = [
        Claim::row("accelerations", "x''", &format!("Fx - {along}/{square}*x'")),
        Claim::row("accelerations", "z''", &format!("Fz + {along}/{square}*z'")),
        Claim::row("multipliers", "c1", &format!("-M*{along}/{square}/2/5")),
        Claim::row("multipliers", "c2", &format!("-2*M*{along}/{square}/2/5")),
        Claim::row(
            "ideal_constraint_forces",
            "y",
            &format!("-M*{along}/{square}*y'"),
        ),
    ];
    hold("e1_appell", "udwadia-kalaba", &claims);
    hold("e1_appell", "lagrange", &claims);
}

/// Udwadia & Kalaba 1998, 30: the derivatives of the given function by its arguments.
#[test]
fn derivatives_of_functions_have_names() {
    let drift = "(alpha*(h_x*x' + h_y*y' + h_z*z' + h_t) - z'*g)/(x'^2 + y'^2 + z'^2)";
    hold(
        "e2_appell_rheonomic",
        "lagrange",
        &[
            Claim::row("accelerations", "x''", &format!("{drift}*x'")),
            Claim::row("accelerations", "z''", &format!("-g - {drift}*z'")),
            Claim::row(
                "constraint_rhs",
                "c",
                "2*alpha*(h_x(x, y, z, t)*x' + h_y*y' + h_z*z' + h_t)",
            ),
        ],
    );
}

/// Udwadia & Kalaba 2002, 42: the two parts of the constraint force.
#[test]
fn the_non_ideal_part_is_as_printed() {
    let square = "(x'^2 + y'^2 + z'^2)";
    hold(
        "e3_appell_nonideal",
        "udwadia-kalaba",
        &[
            Claim::row(
                "nonideal_constraint_forces",
                "x",
                &format!("-a0/sqrt({square})*2*x'*z'^2"),
            ),
            Claim::row(
                "nonideal_constraint_forces",
                "z",
                &format!("-a0/sqrt({square})*2*z'*(x'^2 + y'^2)"),
            ),
            Claim::row(
                "ideal_constraint_forces",
                "z",
                &format!(
                    "-(alpha*(g_x*x' + g_y*y' + g_z*z' + g_t) - x'*Fx - y'*Fy + z'*Fz)/{square}*z'"
                ),
            ),
        ],
    );
}

#[test]
fn a_wrong_sign_is_told_from_the_right_one() {
    let claims = [
        Claim::row("forcing", "x''", "-m2*l*theta'^2*cos(theta)"),
        Claim::scalar("kinetic_energy", "(m1*u1^2 + m2*u1^2)/2"),
    ];
    let verdicts = checked("e4_sleigh", "lagrange", &claims).unwrap();
    for v in &verdicts {
        assert_eq!(v.agreement, Agreement::Different);
        assert!(!v.holds());
    }
    assert_eq!(verdicts[0].found, "m2*l*cos(theta)*theta'^2");
    assert_eq!(verdicts[0].expected, "-m2*l*cos(theta)*theta'^2");
}

#[test]
fn what_is_no_claim_is_refused_with_a_reason() {
    let message = |claim: Claim| match checked("e4_sleigh", "lagrange", &[claim]) {
        Err(Failure::Message(text)) => text,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        message(Claim::row("mass_matrx", "x", "0")),
        "unknown output `mass_matrx`; did you mean `mass_matrix`?"
    );
    assert_eq!(
        message(Claim::row("forcing", "z", "0")),
        "`forcing` has no row `z`; there are x'', y'', theta''"
    );
    assert_eq!(
        message(Claim::row("forcing", "x", "m3")),
        "`m3`: unknown name `m3`"
    );
    assert_eq!(
        message(Claim::row("nonideal_constraint_forces", "x", "0")),
        "`nonideal_constraint_forces` is nothing that this model has with this method in closed form"
    );
}

#[test]
fn entries_are_shown_in_normal_form() {
    let source = model_source("e4_sleigh").unwrap();
    let list = entries(&source, &options("kane"), "mass_matrix").unwrap();
    let row = |a: &str, b: &str| (a.to_string(), b.to_string());
    assert_eq!(
        list,
        [
            row("u1', u1'", "m1 + m2"),
            row("u1', u2'", "0"),
            row("u2', u1'", "0"),
            row("u2', u2'", "m1*l^2"),
        ]
    );
}
