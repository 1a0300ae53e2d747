//! Input that nobody writes: no panic, no endless work.

use super::messages;
use proptest::prelude::*;

fn nested(open: &str, inside: &str, close: &str, times: usize) -> String {
    format!("{}{inside}{}", open.repeat(times), close.repeat(times))
}

#[test]
fn the_deepest_expressions_that_the_parser_lets_through() {
    for times in [50, 80, 120, 250] {
        for expr in [
            nested("(", "x", ")", times),
            nested("sin(", "x", ")", times),
            nested("-", "x", "", times),
            format!("x{}", "'".repeat(times)),
            nested("x^(", "2", ")", times),
            nested("dot(N.x, ", "N.x", ")", times),
            vec!["x"; times].join(" + "),
        ] {
            messages(&format!("model deep\ncoord x\nlet r = {expr}\n"));
        }
    }
}

#[test]
fn towers_of_powers_and_numbers() {
    for expr in [
        "x^1e300",
        "x^1e300^1e300",
        "(x^1e300)^1e300",
        "(1e300)^1000^1000",
        "(((1e300)^60)^60)^60",
        "((((9^1000)^1000)^1000)^1000)^1000",
        "2^(-1e300)",
        "1e-400 [m^100]",
        "x^(1/3)^(1/3)",
    ] {
        messages(&format!(
            "model tower\nparam p = {expr} : m\ncoord x : m\nlet r = {expr}\n"
        ));
    }
}

#[test]
fn long_chains_of_declarations() {
    let mut text = String::from("model chain\nparam m : kg\ncoord q : rad\n");
    for i in (1..3000).rev() {
        text.push_str(&format!("frame F{i} = rotate(F{}, q, N.z)\n", i - 1));
    }
    // The axis is wrong in each; none can be built without the ones below.
    text.push_str("frame F0 = rotate(N, q, N.z)\n");
    let (_, found) = messages(&text);
    assert!(!found.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Statements put together from pieces that fit more often than not.
    #[test]
    fn any_model_is_read_without_panic(lines in prop::collection::vec(line(), 0..12)) {
        let (system, found) = messages(&format!("model any\n{}\n", lines.join("\n")));
        prop_assert!(system.is_some() || !found.is_empty());
    }
}

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "x", "y", "m", "B", "P", "A", "f", "u", "N", "O", "t", "pi", "q",
    ])
    .prop_map(str::to_string)
}

fn expr() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        name(),
        name().prop_map(|n| format!("{n}.x")),
        name().prop_map(|n| format!("{n}'")),
        Just("0".to_string()),
        Just("2.5".to_string()),
        Just("3 [m]".to_string()),
        Just("30 [deg]".to_string()),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            (
                two.clone(),
                prop::sample::select(vec!["+", "-", "*", "/", "^"])
            )
                .prop_map(|((a, b), op)| format!("({a} {op} {b})")),
            (
                two,
                prop::sample::select(vec!["dot", "cross", "vel", "dt", "angvel", "f", "atan2"])
            )
                .prop_map(|((a, b), f)| format!("{f}({a}, {b})")),
            (
                inner.clone(),
                prop::sample::select(vec!["sin", "norm", "acc", "sqrt", "-"])
            )
                .prop_map(|(a, f)| format!("{f}({a})")),
            (name(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| format!("rotate({a}, {b}, {c})")),
            inner.prop_map(|a| format!("[{a}, 0, 0]")),
        ]
    })
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        (
            name(),
            prop::sample::select(vec!["", " : m", " : kg > 0", " = 1 [mm] : m"])
        )
            .prop_map(|(n, rest)| format!("param {n}{rest}")),
        name().prop_map(|n| format!("coord {n}")),
        (name(), name()).prop_map(|(f, a)| format!("function {f}({a}, t)")),
        (name(), expr()).prop_map(|(n, e)| format!("let {n} = {e}")),
        (name(), expr()).prop_map(|(n, e)| format!("point {n} = {e}")),
        (name(), name(), expr(), expr())
            .prop_map(|(n, p, a, e)| format!("frame {n} = rotate({p}, {a}, {e})")),
        (name(), name(), expr())
            .prop_map(|(n, p, e)| format!("frame {n} = rotate_body({p}, xy, {e}, q)")),
        (name(), expr(), name()).prop_map(|(n, e, p)| format!("particle {n}: mass {e} at {p}")),
        (name(), name(), name(), expr()).prop_map(|(n, f, c, e)| format!(
            "body {n}: frame {f}, mass 1, center {c}, inertia [{e}, 1, 1] about {c} in {f}"
        )),
        (name(), expr()).prop_map(|(n, e)| format!("force on {n}: {e}")),
        (name(), name(), expr())
            .prop_map(|(n, o, e)| format!("torque on {n}, opposite on {o}: {e}")),
        expr().prop_map(|e| format!("gravity: {e}")),
        (name(), expr()).prop_map(|(n, e)| format!("generalized {n}: {e}")),
        (name(), expr()).prop_map(|(n, e)| format!("speed {n} = {e}")),
        (name(), expr(), expr()).prop_map(|(n, a, b)| format!("constraint {n}: {a} = {b}")),
        expr().prop_map(|e| format!("privileged {e}")),
        (expr(), expr()).prop_map(|(a, b)| format!("assume {a} > {b}")),
        (name(), expr()).prop_map(|(n, e)| format!("output {n} = {e}")),
    ]
}
