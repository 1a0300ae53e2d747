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

/// Names that double what they stand for: a few lines whose values no machine can hold.
#[test]
fn what_grows_when_names_are_written_out_is_refused() {
    let base = "model m\nparam m = 2 > 0\ncoord x, y\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\n";
    let chain = |first: &str, step: &dyn Fn(usize) -> String, last: &str| {
        let steps: String = (0..40).map(step).collect();
        format!("{base}{first}\n{steps}{last}\n")
    };
    let texts = [
        chain(
            "let a0 = x + y + 1",
            &|i| format!("let a{} = a{i}*a{i}\n", i + 1),
            "output s = a40",
        ),
        chain(
            "let a0 = x",
            &|i| format!("let a{} = a{i}^2\n", i + 1),
            "force on P: a40*N.x",
        ),
        chain(
            "let a0 = 3",
            &|i| format!("let a{} = a{i}*a{i}\n", i + 1),
            "force on P: a40*N.x",
        ),
        chain(
            "let a0 = 3",
            &|i| format!("let a{} = a{i}^-2\n", i + 1),
            "force on P: a40*N.x",
        ),
        chain(
            "let a0 = x\nlet b0 = y",
            &|i| format!("let a{0} = a{i}*b{i}\nlet b{0} = a{i}*b{i} + 1\n", i + 1),
            "output s = a40",
        ),
        chain(
            "let a0 = x",
            &|i| format!("let a{} = sin(a{i} + 2*a{i})\n", i + 1),
            "output s = a40",
        ),
        chain(
            "let v0 = x*N.x",
            &|i| format!("let v{} = v{i} + cross(v{i}, N.z) - 2*v{i}\n", i + 1),
            "force on P: v40",
        ),
        chain(
            "point Q0 = O + x*N.x",
            &|i| format!("point Q{} = O + dot(Q{i} - O, N.x)^2*N.x\n", i + 1),
            "particle B: mass 1 at Q40",
        ),
        chain(
            "point Q0 = P",
            &|i| {
                format!(
                    "point Q{} = O + sin(norm(Q{i} - O) + distance(Q{i}, P))*N.x\n",
                    i + 1
                )
            },
            "particle B: mass 1 at Q40",
        ),
        chain(
            "frame B0 = rotate(N, x, N.z)",
            &|i| {
                format!(
                    "frame B{} = rotate(B{i}, dot(B{i}.x, N.x) + dot(B{i}.y, N.x), B{i}.z)\n",
                    i + 1
                )
            },
            "force on P: B40.x",
        ),
        format!("{base}let a = x^50\noutput s = (a + 1)^50\n"),
    ];
    for text in texts {
        let start = std::time::Instant::now();
        let (_, found) = messages(&text);
        let codes: Vec<&str> = found.iter().map(|d| d.code).collect();
        assert!(
            codes.contains(&"E0407") || codes.contains(&"E0109"),
            "{codes:?}\n{text}"
        );
        // Of two names that grow together each is named, and nothing that is made of them.
        assert!(codes.len() <= 2, "said once: {codes:?}\n{text}");
        assert!(start.elapsed().as_secs() < 5, "{text}");
    }
}

/// What chains of many links have is no such growth.
#[test]
fn long_chains_are_not_refused() {
    let mut text = "model chain\nconst n = 300\nparam l = 1 : m > 0\nparam m = 1 : kg > 0\ncoord q[1..n] : rad\nframe B[0] = rotate(N, 0, N.z)\npoint P[0] = O\nfor i in 1..n {\n\
         frame B[i] = rotate(B[i - 1], q[i], B[i - 1].z)\npoint P[i] = P[i - 1] + l*B[i].x + l*B[i].y\nparticle A[i]: mass m at P[i]\n}\n"
        .to_owned();
    text.push_str("let s = 2*dot(vel(P[n]), N.x) + norm(P[n] - P[1])*l^-1*1 [m/s]\noutput e = s^2\nconstraint c: dot(vel(P[n]), B[n].y) = 0\n");
    let (_, found) = messages(&text);
    assert!(found.iter().all(|d| d.code != "E0407"), "{found:?}");
}
