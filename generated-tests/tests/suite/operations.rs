//! Operation counts of the accelerations, where operations are preferred, and lengths of modules, so that a lost common sub-expression, a worse plan or longer text shows.
#![cfg(feature = "pipeline")]

use eomgen::options::{DeriveOptions, Math, Prefer};
use generated_tests::harness::derived_with;
use generated_tests::memo;
use generated_tests::reference::model_source;

/// Operations of one evaluation of a function by Kane's method: additions, subtractions, products, quotients, negations, sines and cosines.
/// What depends on parameters alone is worked out once and does not count.
fn evaluation(model: &str, function: &str) -> usize {
    counted(model, function, &fewest())
}

/// With the plan of the fewest operations.
fn fewest() -> DeriveOptions {
    DeriveOptions {
        prefer: Prefer::Operations,
        ..DeriveOptions::default()
    }
}

fn counted(model: &str, function: &str, options: &DeriveOptions) -> usize {
    let costs = derived_with(model, options).unwrap().costs();
    let cost = costs.iter().find(|(name, _)| name == function);
    cost.map(|(_, cost)| cost.total()).unwrap()
}

/// Operations of `accelerations`.
fn operations(model: &str) -> usize {
    evaluation(model, "accelerations")
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
fn sleigh() {
    check("sleigh_ref", 34, 31);
    // Without forces: u1' = -m1 l u2^2/(m1 + m2), u2' = u1 u2/l, and u3' = 0 (O'Reilly 2.24).
    let own = evaluation("e4_sleigh_speeds", "speed_rates");
    assert!(own <= 8, "{own} operations");
}

#[test]
fn rolling_disc() {
    check("disc", 200, 59);
}

#[test]
fn pendulums_with_absolute_angles() {
    check("pend_abs_5", 300, 194);
    check("pend_abs_10", 680, 410);
    check("pend_abs_20", 1_530, 843);
}

#[test]
fn pendulum_with_relative_angles() {
    check("pend_rel_10", 950, 373);
}

#[test]
fn ur5() {
    check("ur5", 600, 388);
}

#[test]
fn panda7() {
    check("panda7", 1_450, 1_394);
}

/// Operations of a pendulum of so many links.
fn of_length(model: &str, n: i64) -> usize {
    let options = DeriveOptions {
        set: vec![("n".into(), n)],
        ..fewest()
    };
    counted(model, "accelerations", &options)
}

/// A line through the counts of the shorter chains foretells that of the longest.
fn grow_linearly(lengths: [usize; 3]) {
    for model in ["pend_abs_n", "pend_rel_n"] {
        let [short, middle, long] = lengths.map(|n| of_length(model, n as i64));
        let [first, second, third] = lengths;
        let per_link = (middle - short) / (second - first);
        let foretold = middle + (third - second) * per_link;
        println!("{model}: {short}, {middle}, {long}; {per_link} per link");
        assert!(
            long * 20 <= foretold * 21,
            "{model}: {long} against {foretold}"
        );
    }
}

#[test]
fn operations_grow_linearly_with_the_length_of_a_chain() {
    grow_linearly([4, 8, 12]);
}

#[test]
#[ignore = "half a minute: cargo test -p generated-tests --test suite operations -- --ignored"]
fn operations_grow_linearly_with_longer_chains() {
    grow_linearly([5, 10, 20]);
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

/// Lines of a module with the functions that it has by default, but for sine and cosine, which are the same sixty lines in all; `required` and `usual` as in [`check`].
#[test]
fn modules_are_short() {
    for (model, required, usual) in [
        ("double_pendulum", 300, 286),
        ("e4_sleigh", 320, 288),
        ("chaplygin_sleigh", 320, 286),
        ("four_bar", 700, 700),
        ("disc", 700, 530),
    ] {
        let options = DeriveOptions {
            math: Math::Std,
            ..fewest()
        };
        let module = memo::module(&model_source(model).unwrap(), &options).unwrap();
        let lines = module.code.lines().count();
        println!("{model}: {lines}");
        assert!(lines <= required, "{model}: {lines} of {required}");
        assert!(
            lines <= usual,
            "{model}: {lines}, {usual} were enough before"
        );
    }
}
