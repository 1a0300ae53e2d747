//! Constants outside of the domains of functions: refused where they stand, and nowhere else.

use super::{messages, system};
use crate::model::fix::{Fix, Refused, fix};

const LINE: &str = "model line\nparam m = 2 : kg > 0\nparam p = 3\ncoord x : m\n\
    point P = O + x*N.x\nparticle A: mass m at P\n";

/// What the first error marks, and what it is called.
fn marked(lines: &str) -> Option<(String, String)> {
    let text = format!("{LINE}{lines}\n");
    let (system, found) = messages(&text);
    let error = found.iter().find(|d| d.code == "E0109")?;
    assert!(system.is_none(), "{lines}");
    let span = error.labels[0].span;
    let marked = text.get(span.start as usize..span.end as usize)?;
    Some((marked.to_owned(), error.title.clone()))
}

#[test]
fn outside() {
    let cases = [
        ("sqrt(-1)", "-1", "sqrt"),
        ("sqrt(1 - 2)", "1 - 2", "sqrt"),
        ("sqrt(2 - pi)", "2 - pi", "sqrt"),
        ("ln(0)", "0", "ln"),
        ("ln(sin(pi))", "sin(pi)", "ln"),
        ("ln(cos(pi))", "cos(pi)", "ln"),
        ("asin(2)", "2", "asin"),
        (
            "acos(-1.0000000000000000001)",
            "-1.0000000000000000001",
            "acos",
        ),
        ("acosh(0.5)", "0.5", "acosh"),
        ("atanh(1)", "1", "atanh"),
        ("(-8)^(1/3)", "(-8)", "power"),
        ("(cos(pi))^0.5", "(cos(pi))", "power"),
        ("(sin(0))^(-0.5)", "(sin(0))", "power"),
        ("1/sin(pi)", "sin(pi)", "division"),
        ("1/(sqrt(2)^2 - 2)", "(sqrt(2)^2 - 2)", "division"),
        ("tan(90 [deg])", "90 [deg]", "tan"),
        ("exp(1000)", "1000", "exp"),
        ("sqrt(ln(0.5))", "ln(0.5)", "sqrt"),
        ("x*sqrt(-2)/(1 [m])", "-2", "sqrt"),
    ];
    for (expression, place, title) in cases {
        let (marked, said) = marked(&format!("output s = {expression}")).expect(expression);
        assert_eq!(
            marked.trim_matches(['(', ')']),
            place.trim_matches(['(', ')']),
            "{expression}"
        );
        assert!(said.contains(title), "{expression}: {said}");
    }
}

#[test]
fn in_other_places() {
    for lines in [
        "param k = (-8)^(1/3)",
        "let c = 2\noutput s = asin(c)",
        "let c = -1\nlet d = c + 0.5\nforce on A: sqrt(d)*(1 [N])*N.x",
        "function F(y)\noutput s = F(ln(0))",
        "frame B = rotate(N, acos(1.5), N.z)",
        "output s = if x > 0 [m] then sqrt(-1) else 0",
        "output s = hypot(1, sqrt(-1))",
    ] {
        assert!(marked(lines).is_some(), "{lines}");
    }
}

#[test]
fn inside() {
    for expression in [
        "sqrt(0)",
        "sqrt(1 - sin(pi/2))",
        "asin(1)",
        "acos(cos(0))",
        "asin(sin(pi/2))",
        "ln(1e-300)",
        "ln(exp(-600))",
        "acosh(1)",
        "(-8)^3",
        "(-8)^(-3)",
        "0^0.5",
        "8^(1/3)",
        "1/exp(-30)",
        "tan(89.999 [deg])",
        "atanh(0.999999)",
        "sqrt(p)",
        "ln(p - 4)",
        "asin(p)",
        "(-p)^0.5",
        "1/(p - 3)",
    ] {
        let text = format!("{LINE}output s = {expression}\n");
        system(&text);
    }
}

#[test]
fn once_fixed() {
    let fixed = |expression: &str, value: &str| {
        let mut system = system(&format!("{LINE}let h = p - 1\noutput s = {expression}\n"));
        let mut wanted = Fix::default();
        wanted.add(&format!("p={value}")).unwrap();
        fix(&mut system, &wanted)
    };
    for (expression, value) in [
        ("sqrt(p)", "-1"),
        ("ln(h)", "1"),
        ("asin(p/2)", "3"),
        ("(-p)^(1/3)", "8"),
        ("acosh(cos(p)*2)", "1.5"),
        ("x*sqrt(1 - h^2)", "3"),
    ] {
        match fixed(expression, value) {
            Err(Refused::Model(list)) => assert_eq!(list[0].code, "E0109", "{expression}"),
            other => panic!("{expression}: {other:?}"),
        }
    }
    for (expression, value) in [("sqrt(p)", "0"), ("ln(h)", "1.5"), ("asin(p/2)", "2")] {
        assert_eq!(fixed(expression, value), Ok(()), "{expression}");
    }
}
