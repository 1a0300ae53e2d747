//! Every model by every formulation against the reference numbers.
//!
//! One line of the table is one model: its name, the reference that belongs to it, whether it states the same rows, and the
//! formulations. Each pair of model and formulation is a test of its own, so that a failure names both.
#![cfg(feature = "pipeline")]

use eomgen::options::Plan;
use generated_tests::harness::{Rows, compare, compare_by};
use generated_tests::oracle::is_thorough;
use generated_tests::reference::load;

fn check(model: &str, reference: &str, rows: Rows, method: &str) {
    let reference = load(reference).unwrap();
    if let Err(complaint) = compare(model, &reference, rows, method) {
        panic!("{complaint}");
    }
}

/// The plan that is chosen by default, which the formulations share: by the first of them, or by all where the tests are thorough.
fn shared(model: &str, reference: &str, rows: Rows, methods: &[&str]) {
    let reference = load(reference).unwrap();
    let some = if is_thorough() { methods.len() } else { 1 };
    for method in &methods[..some] {
        let method = method.replace('_', "-");
        if let Err(complaint) = compare_by(model, &reference, rows, &method, Plan::Auto) {
            panic!("{complaint}");
        }
    }
}

macro_rules! table {
    ($($model:ident, $reference:ident, $rows:ident: $($method:ident)*;)*) => {$(
        mod $model {
            use super::{Rows, check, shared};
            #[test]
            fn by_the_plan_of_all() {
                shared(stringify!($model), stringify!($reference), Rows::$rows, &[$(stringify!($method)),*]);
            }
            $(
                #[test]
                fn $method() {
                    let method = stringify!($method).replace('_', "-");
                    check(stringify!($model), stringify!($reference), Rows::$rows, &method);
                }
            )*
        }
    )*};
}

table! {
    e1_appell, e1_appell, Same: kane gibbs_appell lagrange udwadia_kalaba;
    e2_appell_rheonomic, e2_appell_rheonomic, Same: kane gibbs_appell lagrange udwadia_kalaba;
    e3_appell_nonideal, e3_appell_nonideal, Same: kane gibbs_appell lagrange udwadia_kalaba;
    e4_sleigh, e4_sleigh, Same: kane gibbs_appell lagrange udwadia_kalaba;
    e4_sleigh_speeds, e4_sleigh, Same: kane gibbs_appell lagrange udwadia_kalaba;
    e4_sleigh_six, e4_sleigh_six, Same: kane gibbs_appell lagrange udwadia_kalaba;
    e4_sleigh_cartesian, e4_sleigh_cartesian, Same: kane gibbs_appell lagrange udwadia_kalaba;
    e4_sleigh_rheonomic, e4_sleigh_rheonomic, Same: kane gibbs_appell lagrange udwadia_kalaba;
    e5_wheel_axle, e5_wheel_axle_rows, Other: kane gibbs_appell lagrange udwadia_kalaba;
    e5_wheel_axle_rows, e5_wheel_axle_rows, Same: kane gibbs_appell lagrange udwadia_kalaba;
    e5_wheel_axle_full, e5_wheel_axle_full, Same: kane gibbs_appell lagrange udwadia_kalaba;
    cart_double_pendulum_dependent, cart_double_pendulum_dependent, Same: kane gibbs_appell lagrange udwadia_kalaba;
    disc, disc, Same: kane gibbs_appell lagrange udwadia_kalaba;
    disc_contact, disc, Other: kane gibbs_appell lagrange udwadia_kalaba;
    sleigh_ref, sleigh_ref, Same: kane gibbs_appell lagrange udwadia_kalaba;
    pend_abs_1, pend_abs_1, Same: kane gibbs_appell lagrange udwadia_kalaba;
    pend_abs_2, pend_abs_2, Same: kane gibbs_appell lagrange udwadia_kalaba;
    pend_abs_3, pend_abs_3, Same: kane gibbs_appell lagrange udwadia_kalaba;
    pend_abs_5, pend_abs_5, Same: kane gibbs_appell lagrange udwadia_kalaba;
    pend_abs_10, pend_abs_10, Same: kane gibbs_appell lagrange udwadia_kalaba;
    pend_abs_20, pend_abs_20, Same: lagrange;
    pend_rel_2, pend_rel_2, Same: kane gibbs_appell lagrange udwadia_kalaba;
    pend_rel_5, pend_rel_5, Same: kane gibbs_appell lagrange udwadia_kalaba;
    pend_rel_10, pend_rel_10, Same: kane gibbs_appell lagrange udwadia_kalaba;
    ur5, ur5, Same: kane;
    panda7, panda7, Same: kane;
}

/// The large models by the other formulations.
#[test]
#[ignore = "a minute: cargo test -p generated-tests --test suite reference -- --ignored"]
fn large_models_by_the_other_formulations() {
    let rest = [
        ("pend_abs_20", ["kane", "gibbs-appell", "udwadia-kalaba"]),
        ("ur5", ["gibbs-appell", "lagrange", "udwadia-kalaba"]),
        ("panda7", ["gibbs-appell", "lagrange", "udwadia-kalaba"]),
    ];
    for (model, methods) in rest {
        for method in methods {
            check(model, model, Rows::Same, method);
        }
    }
}

/// Models without a reference file, checked by Gauss's principle on point masses.
mod without_file {
    use super::{Plan, Rows, compare, compare_by};
    use generated_tests::reference::Reference;
    use generated_tests::samples;

    fn check(model: &str, reference: &Reference) {
        compare_by(model, reference, Rows::Same, "kane", Plan::Auto)
            .unwrap_or_else(|complaint| panic!("{complaint}"));
        for method in ["kane", "gibbs-appell", "lagrange", "udwadia-kalaba"] {
            if let Err(complaint) = compare(model, reference, Rows::Same, method) {
                panic!("{complaint}");
            }
        }
    }

    #[test]
    fn double_pendulum() {
        check("double_pendulum", &samples::double_pendulum());
    }

    #[test]
    fn spherical_pendulum() {
        check("spherical_pendulum", &samples::spherical_pendulum());
    }

    #[test]
    fn rigid_body() {
        check("rigid_body", &samples::rigid_body());
    }
}
