//! The equations as a reader of the generated code sees them, below the models' text. Those of the worked examples are held against
//! their sources in `papers`.
#![cfg(feature = "pipeline")]

use eomgen::internals::notation::Line;
use generated_tests::harness::derived;
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
        let text_of = |lines: &[Line]| lines.iter().map(Line::to_string).collect::<Vec<_>>();
        let sections = [
            ("equations", text_of(&doc.equations)),
            ("accelerations", text_of(&doc.accelerations)),
            ("speeds", text_of(&doc.speeds)),
            ("kinematics", text_of(&doc.kinematics)),
            ("constraints", text_of(&doc.constraints)),
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

/// By the formulations for constraints that are linear in the velocities.
mod linear {
    use super::page;

    const METHODS: [&str; 4] = ["maggi", "boltzmann-hamel", "jourdain", "appell-reduced"];

    macro_rules! table {
        ($($model:ident)*) => {$(
            #[test]
            fn $model() {
                let name = stringify!($model);
                insta::assert_snapshot!(name, page(name, &METHODS));
            }
        )*};
    }

    table! {
        e4_sleigh_cartesian
        e4_sleigh_rheonomic
        e4_sleigh_speeds
        e5_wheel_axle_rows
    }
}
