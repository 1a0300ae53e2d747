//! The equations as a reader of the generated code sees them, below the models' text; and those of the examples that their
//! sources print.
#![cfg(feature = "pipeline")]

use generated_tests::compare::close;
use generated_tests::harness::{derived, eval_input, evaluated};
use generated_tests::known;
use generated_tests::reference::model_text;
use std::fmt::Write;

/// Model, then per method: equations, accelerations, conditions, operations.
fn page(model: &str, methods: &[&str]) -> String {
    let mut text = model_text(model).unwrap();
    for method in methods {
        let evaluator = derived(model, method).unwrap();
        let doc = evaluator.documentation();
        writeln!(text, "\n======== {method}").unwrap();
        let costs = evaluator.costs();
        let costs = costs
            .iter()
            .map(|(name, cost)| format!("{name}: {} operations", cost.total()));
        let sections = [
            ("equations", doc.equations.clone()),
            ("accelerations", doc.accelerations.clone()),
            ("speeds", doc.speeds.clone()),
            ("kinematics", doc.kinematics.clone()),
            ("constraints", doc.constraints.clone()),
            ("remarks", doc.remarks.clone()),
            ("singular where", evaluator.conditions()),
            ("operations", costs.collect()),
        ];
        for (title, lines) in sections.iter().filter(|(_, lines)| !lines.is_empty()) {
            writeln!(text, "\n{title}\n  {}", lines.join("\n  ")).unwrap();
        }
    }
    text
}

const METHODS: [&str; 4] = ["kane", "gibbs-appell", "lagrange", "udwadia-kalaba"];

macro_rules! table {
    ($($model:ident: $methods:expr;)*) => {$(
        #[test]
        fn $model() {
            let name = stringify!($model);
            insta::assert_snapshot!(name, page(name, &$methods));
        }
    )*};
}

table! {
    cart_double_pendulum_dependent: METHODS;
    disc: METHODS;
    disc_contact: METHODS;
    double_pendulum: METHODS;
    e1_appell: METHODS;
    e2_appell_rheonomic: METHODS;
    e3_appell_nonideal: METHODS;
    e4_sleigh: METHODS;
    e4_sleigh_cartesian: METHODS;
    e4_sleigh_rheonomic: METHODS;
    e4_sleigh_six: METHODS;
    e4_sleigh_speeds: METHODS;
    energy_elastic_pendulum: METHODS;
    energy_hunt_crossley: METHODS;
    e5_wheel_axle: METHODS;
    e5_wheel_axle_full: METHODS;
    e5_wheel_axle_rows: METHODS;
    panda7: ["kane"];
    pend_abs_1: METHODS;
    pend_abs_2: METHODS;
    pend_abs_5: ["kane"];
    pend_abs_20: ["kane"];
    pend_rel_5: ["kane"];
    rigid_body: ["kane"];
    sleigh_ref: METHODS;
    spherical_pendulum: METHODS;
    ur5: ["kane"];
}

/// O'Reilly 2.24 and 2.26, to the letter; by Kane the same.
#[test]
fn sleigh_as_printed() {
    for (model, method) in [
        ("e4_sleigh", "gibbs-appell"),
        ("e4_sleigh_speeds", "gibbs-appell"),
        ("e4_sleigh", "kane"),
    ] {
        let evaluator = derived(model, method).unwrap();
        let doc = evaluator.documentation();
        let equations = [
            "(m1 + m2)*u1' + m1*l*u2^2 = 0",
            "m1*l^2*u2' - m1*l*u1*u2 = 0",
        ];
        assert_eq!(doc.equations, equations, "{model}, {method}");
        let accelerations = ["u1' = -m1*l*u2^2/(m1 + m2)", "u2' = u1*u2/l"];
        assert_eq!(doc.accelerations, accelerations, "{model}, {method}");
        assert_eq!(evaluator.conditions(), [""; 0], "{model}, {method}");
    }
}

/// O'Reilly 2.14 (Lagrange's equations of the first kind), sorted by second derivatives.
#[test]
fn sleigh_by_lagrange() {
    let evaluator = derived("e4_sleigh", "lagrange").unwrap();
    let wanted = [
        "(m1 + m2)*x'' - m2*l*sin(theta)*theta'' - m2*l*cos(theta)*theta'^2 = -sin(theta)*lambda[blade]",
        "(m1 + m2)*y'' + m2*l*cos(theta)*theta'' - m2*l*sin(theta)*theta'^2 = cos(theta)*lambda[blade]",
        "-m2*l*sin(theta)*x'' + m2*l*cos(theta)*y'' + m2*l^2*theta'' = l*lambda[blade]",
        "-sin(theta)*x'' + cos(theta)*y'' + l*theta'' = theta'*(sin(theta)*y' + cos(theta)*x')",
    ];
    assert_eq!(evaluator.documentation().equations, wanted);
}

/// U96 36: `r'' = F - (x'Fx + y'Fy - z'Fz)/(x'^2 + y'^2 + z'^2) (x', y', -z')`, over one denominator.
#[test]
fn appells_particle_as_printed() {
    for method in METHODS {
        let evaluator = derived("e1_appell", method).unwrap();
        let wanted = [
            "x'' = (Fx*y'^2 + Fx*z'^2 - Fy*x'*y' + Fz*x'*z')/(x'^2 + y'^2 + z'^2)",
            "y'' = (-Fx*x'*y' + Fy*x'^2 + Fy*z'^2 + Fz*y'*z')/(x'^2 + y'^2 + z'^2)",
            "z'' = (Fx*x'*z' + Fy*y'*z' + Fz*x'^2 + Fz*y'^2)/(x'^2 + y'^2 + z'^2)",
        ];
        assert_eq!(evaluator.documentation().accelerations, wanted, "{method}");
    }
}

/// Wang and Pao 64 and 65: with a and -l times their common factors, the forces on the left.
#[test]
fn wheels_on_an_axle_as_printed() {
    for method in ["kane", "gibbs-appell"] {
        let evaluator = derived("e5_wheel_axle_rows", method).unwrap();
        let wanted = [
            "2*a^2*(M + m_rim)*psi1'' - a*l*(M + m_rim)*phi'' - 2*M*a*g*cos(phi)*sin(alpha) = 0",
            "-a*l*(M + m_rim)*psi1'' + (M*l^2 + m_rim*a^2 + m_rim*l^2)*phi'' + M*l*g*cos(phi)*sin(alpha) = 0",
        ];
        assert_eq!(evaluator.documentation().equations, wanted, "{method}");
    }
}

/// O'Reilly 2.26: the blade's force is m2 u1 u2, by every formulation.
#[test]
fn force_of_the_blade() {
    let (reference, _) = known::reference("e4_sleigh").unwrap();
    let m2 = reference
        .params
        .iter()
        .find(|(name, _)| name == "m2")
        .unwrap()
        .1;
    for method in METHODS {
        let evaluator = derived("e4_sleigh", method).unwrap();
        for state in &reference.states {
            let input = eval_input(&reference, state);
            let found = evaluated(&evaluator, &input).unwrap().multipliers;
            let found: Vec<f64> = found.iter().map(|(_, value)| *value).collect();
            let speeds = evaluator.state(&input).unwrap();
            let speed = |name| speeds.iter().find(|(n, _)| n == name).unwrap().1;
            close("mu", &found, &[m2 * speed("u1") * speed("u2")]).unwrap();
        }
    }
}
