//! Operation counts of the accelerations, so that a lost common sub-expression or a worse plan shows.
#![cfg(feature = "pipeline")]

use generated_tests::harness::derived;

/// Operations of `accelerations` by Kane's method.
fn operations(model: &str) -> usize {
    let costs = derived(model, "kane").unwrap().costs();
    let cost = costs.iter().find(|(name, _)| name == "accelerations");
    cost.map(|(_, cost)| cost.total()).unwrap()
}

/// `required` is what the project promises; `usual` is 3 % above what it does, so that it is not lost unnoticed.
fn check(model: &str, required: usize, usual: usize) {
    let found = operations(model);
    println!("{model}: {found}");
    assert!(
        found <= required,
        "{model}: {found} operations, {required} promised"
    );
    assert!(
        found <= usual,
        "{model}: {found} operations, {usual} were enough before"
    );
}

#[test]
fn pend_abs_20() {
    check("pend_abs_20", 9_500, 5_751);
}

#[test]
fn ur5() {
    check("ur5", 1_400, 705);
}

#[test]
fn panda7() {
    check("panda7", 2_400, 2_130);
}

/// Counts of smaller models, for which there is no promise.
#[test]
fn small_models() {
    let mut worse = Vec::new();
    for (model, usual) in [
        ("pend_abs_1", 24),
        ("pend_abs_2", 84),
        ("pend_abs_3", 147),
        ("pend_rel_5", 473),
        ("double_pendulum", 53),
        ("e4_sleigh", 13),
        ("disc", 75),
    ] {
        let found = operations(model);
        if found > usual {
            worse.push(format!(
                "{model}: {found} operations, {usual} were enough before"
            ));
        }
    }
    assert!(worse.is_empty(), "{worse:#?}");
}
