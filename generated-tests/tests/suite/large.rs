//! Machines of many bodies: operations that grow with the number of bodies, and values that agree with the machine's own balances.
#![cfg(feature = "pipeline")]

use eomgen::internals::verify::compare::Verdict;
use eomgen::{
    EvalInput,
    options::{DeriveOptions, Plan, VerifyOptions},
};
use generated_tests::compare::error;
use generated_tests::harness::{derived_with, evaluated};
use generated_tests::memo;
use generated_tests::reference::model_source;

/// Relative error that is rounding.
const ROUNDING: f64 = 1e-9;

fn of_size(n: i64) -> DeriveOptions {
    DeriveOptions {
        set: vec![("n".into(), n)],
        ..DeriveOptions::default()
    }
}

/// Operations of an output of a model of size n.
fn counts(model: &str, n: i64) -> Vec<(String, usize)> {
    let costs = derived_with(model, &of_size(n)).unwrap().costs();
    let costs = costs.into_iter().map(|(name, cost)| (name, cost.total()));
    costs.collect()
}

fn of(counts: &[(String, usize)], output: &str) -> usize {
    let found = counts.iter().find(|(name, _)| name == output);
    found.unwrap_or_else(|| panic!("no {output}")).1
}

/// A line through the counts of the two shorter ones foretells that of the longest, to so many hundredths.
fn grow_linearly(model: &str, sizes: [i64; 3], slack: usize) {
    let all = sizes.map(|n| counts(model, n));
    for output in [
        "accelerations",
        "forcing",
        "kinetic_energy",
        "potential_energy",
        "gibbs_function",
    ] {
        let [short, middle, long] = [0, 1, 2].map(|i| of(&all[i], output));
        let [a, b, c] = sizes.map(|n| n as usize);
        let foretold = middle + (middle - short) * (c - b) / (b - a);
        println!("{model}, {output}: {short}, {middle}, {long}, foretold {foretold}");
        assert!(
            long * 100 <= foretold * (100 + slack),
            "{model}, {output}: {long} against {foretold}"
        );
    }
}

#[test]
fn chains_of_revolute_joints_grow_linearly() {
    grow_linearly("chain_revolute", [5, 9, 13], 3);
}

#[test]
#[ignore = "half a minute: cargo test -p generated-tests --test suite large -- --ignored"]
fn longer_chains_of_revolute_joints_grow_linearly() {
    grow_linearly("chain_revolute", [7, 13, 19], 3);
}

#[test]
fn chains_of_ball_joints_grow_linearly() {
    grow_linearly("chain_ball", [9, 11, 13], 3);
}

#[test]
fn closed_chains_grow_linearly() {
    grow_linearly("chain_closed", [22, 30, 38], 5);
}

/// `usual` is some 3 % above what was found.
#[test]
#[ignore = "minutes: cargo test -p generated-tests --test suite large -- --ignored"]
fn counts_of_large_machines() {
    let mut worse = Vec::new();
    for (model, n, usual) in [
        (
            "pend_abs_n",
            100,
            [
                ("accelerations", 4_610),
                ("mass_matrix", 16_200),
                ("forcing", 1_760),
                ("gibbs_function", 6_670),
            ],
        ),
        (
            "chain_closed",
            30,
            [
                ("accelerations", 2_250),
                ("mass_matrix", 1_680),
                ("forcing", 790),
                ("multipliers", 3_200),
            ],
        ),
    ] {
        let found = counts(model, n);
        for (output, usual) in usual {
            let found = of(&found, output);
            if found > usual {
                worse.push(format!("{model}, {output}: {found}, {usual} were enough"));
            }
        }
    }
    for (model, usual) in [("tree", 12_300), ("cart_wheels", 480)] {
        let costs = derived_with(model, &DeriveOptions::default())
            .unwrap()
            .costs();
        let cost = costs.iter().find(|(name, _)| name == "accelerations");
        let found = cost.unwrap().1.total();
        if found > usual {
            worse.push(format!("{model}: {found}, {usual} were enough"));
        }
    }
    assert!(worse.is_empty(), "{worse:#?}");
}

/// The mass matrix of more than 128 speeds is left out, and the module says so. Accelerations agree with those that the mass matrix is
/// stated for.
#[test]
#[ignore = "a minute: cargo test -p generated-tests --test suite large -- --ignored"]
fn very_large_mass_matrices_are_left_out() {
    let matrix = |code: &str| code.contains("pub fn mass_matrix(");
    let remark = |code: &str| {
        let words: Vec<&str> = code.split_whitespace().filter(|w| *w != "//!").collect();
        words.join(" ").contains("129 x 129 entries is left out")
    };
    let of = |n| {
        let source = model_source("pend_abs_n").unwrap();
        memo::module(&source, &of_size(n)).unwrap().code
    };
    let (small, large) = (of(127), of(128));
    assert!(matrix(&small) && !remark(&small));
    assert!(!matrix(&large) && remark(&large));
    assert!(large.contains("pub fn accelerations(") && large.contains("pub fn forcing("));
    assert_proven("pend_abs_n", Some(128));
}

/// The text against the balances of momentum of the model: exactly, and every function.
fn assert_proven(model: &str, n: Option<i64>) {
    let options = VerifyOptions {
        methods: vec!["kane".to_owned()],
        derive: n.map_or_else(DeriveOptions::default, of_size),
        states: 1,
        ..VerifyOptions::default()
    };
    let certificate = memo::certificate(&model_source(model).unwrap(), &options).unwrap();
    assert!(certificate.holds(), "{model}: {certificate}");
    let proof = certificate.texts[0].proof.as_ref().unwrap();
    let skipped = proof
        .functions
        .iter()
        .find(|f| matches!(f.verdict, Verdict::NotChecked(_)));
    assert_eq!(skipped, None, "{certificate}");
}

/// With 25 speeds the equations are not stated any more.
#[test]
fn what_is_not_stated_is_proven() {
    assert_proven("pend_abs_n", Some(24));
    assert_proven("pend_rel_n", Some(24));
}

#[test]
#[ignore = "minutes: cargo test -p generated-tests --test suite large -- --ignored"]
fn machines_of_many_bodies_are_proven() {
    for (model, n) in [
        ("chain_revolute", Some(26)),
        ("chain_ball", Some(9)),
        ("chain_quaternion", Some(9)),
        ("chain_closed", Some(14)),
        ("cart_wheels", None),
    ] {
        assert_proven(model, n);
    }
}

/// A state of a chain of n links: some angles, `straight` or not.
fn state(n: i64, straight: bool) -> EvalInput {
    let name = |i: i64| format!("theta[{i}]");
    let angle = |i: i64| {
        if straight {
            0.0
        } else {
            (0.37 * i as f64).sin()
        }
    };
    let rate = |i: i64| (1.3 * i as f64).cos();
    let mut input = EvalInput {
        q: (1..=n).map(|i| (name(i), angle(i))).collect(),
        qdot: Some((1..=n).map(|i| (name(i), rate(i))).collect()),
        inputs: (1..=n)
            .map(|i| (format!("tau[{i}]"), 0.01 * i as f64))
            .collect(),
        ..EvalInput::default()
    };
    input.params.insert("d".into(), 0.8 * 0.1 * n as f64);
    input
}

#[test]
fn a_closed_chain_agrees_with_the_routine_that_finds_the_rank() {
    let n = 16;
    let planned = derived_with("chain_closed", &of_size(n)).unwrap();
    let routine = DeriveOptions {
        plan: Plan::Reduced,
        ..of_size(n)
    };
    let routine = derived_with("chain_closed", &routine).unwrap();
    let input = state(n, false);
    let [found, wanted] = [&planned, &routine].map(|e| evaluated(e, &input).unwrap());
    let values = |list: &[(String, f64)]| -> Vec<f64> { list.iter().map(|x| x.1).collect() };
    for (found, wanted) in [
        (&found.qddot, &wanted.qddot),
        (&found.multipliers, &wanted.multipliers),
        (&found.ideal_force, &wanted.ideal_force),
    ] {
        let off = error(&values(found), &values(wanted));
        assert!(off < ROUNDING, "off by {off:e}: {found:?} {wanted:?}");
    }
    // Stretched out the links hold the pin along the line of the chain by no acceleration.
    let refused = evaluated(&planned, &state(n, true)).unwrap_err();
    assert!(
        refused.contains("constraint `pin` holds no acceleration"),
        "{refused}"
    );
}
