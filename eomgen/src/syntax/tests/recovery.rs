//! What people see: source and messages together.

use crate::diag;
use crate::syntax::parse;

fn shown(text: &str) -> String {
    let diagnostics = parse(text).diagnostics;
    let rendered = diag::render("model.eom", text, &diagnostics, false);
    format!("{text}\n----------\n{rendered}")
}

/// The codes of a text's messages, and how many statements were read all the same.
fn check(text: &str, codes: &[&str], items: usize) {
    let parsed = parse(text);
    let found: Vec<_> = parsed.diagnostics.iter().map(|one| one.code).collect();
    assert_eq!(
        (found.as_slice(), parsed.file.items.len()),
        (codes, items),
        "{text}"
    );
}

#[test]
fn one_wrong_statement_does_not_hide_the_next() {
    check("model m\nparam\nlet r = a", &["E0004"], 2);
    check("model m\nlet r = (a + b\nlet s = c", &["E0005"], 2);
    check(
        "model m\nlet r = (a + b\nparm s = c\nlet t = 1",
        &["E0005", "E0003"],
        2,
    );
    check(
        "model m\nlet r = f(a,\nframe B = rotate(N, x, N.z)\nlet s = 1",
        &["E0005"],
        3,
    );
    check("model m\nlet r = [a\ngravity: g\n", &["E0005"], 2);
    check("model m\nlet r = a +\nlet s = c", &["E0004"], 2);
    check("model m\nparam a :\ncoord x", &["E0004"], 2);
    check("model m\nparam a,\ncoord x", &["E0004"], 2);
    check("model m\nbody W: frame B,\nframe C = N\n", &["E0004"], 2);
    check(
        "model m\nlet r = a)\nlet s = [b))\nlet t = 1",
        &["E0004", "E0004"],
        2,
    );
    check("model m\nlet a = 1 let b = 2\n", &["E0004"], 1);
    check("modle m\nlet a = 1\n", &["E0003"], 1);
    check("let a = 1\n", &["E0001"], 1);
    check("model a\nmodel b\nmodel c", &["E0002", "E0002"], 3);
    check("", &["E0001"], 0);
    check("// nothing\n", &["E0001"], 0);
    check("model m\n\n/// lost\n", &["E0015"], 1);
    check("model m\n//! late\nparam a\n", &["E0015"], 2);
}

#[test]
fn messages_for_an_empty_file() {
    insta::assert_snapshot!(shown(""));
}

#[test]
fn messages_for_misspelled_keywords() {
    insta::assert_snapshot!(shown(
        "model m\nparm a : kg\ncoordinate x\nconstrain c: x = 0\nmoment on B: tau\nr = x^2\nfoo bar\n    + x\n"
    ));
}

#[test]
fn messages_for_slips_in_expressions() {
    insta::assert_snapshot!(shown(
        "model m\nparam a, b, x\nlet c = 2x + 1\nlet d = a**2\nlet e = a b\nlet f = sin x\nlet g = 2*(a + b\n\
         let h = [a, b\nlet i = a + b)\nlet j = 1. + a\nlet k = a − b²\nlet l = a == b\nlet n = +a\n"
    ));
}

#[test]
fn messages_for_slips_in_declarations() {
    insta::assert_snapshot!(shown(
        "model m\nparam m1 m2\nparam m1 : [kg]\nparam m1 : 3*kg\nparam then\nparam m1 == 3\n\
         coord x y : m\nfunction f\nfunction g(1)\nframe B rotate(N, q, N.z)\nparam a;\nparam # b\n"
    ));
}

#[test]
fn messages_for_slips_in_bodies_loads_and_constraints() {
    insta::assert_snapshot!(shown(
        "model m\nparticle A mass m at P\nparticle A: m at P\nparticle A: mass m\nbody W: frame B, weight m\n\
         body W: inertia 1, 2, 3\nforce P: v\nforce on P opposite on Q: v\ngravity -g*N.z\ngeneralized x\n\
         constraint x = 0\nconstraint c: x\nconstraint c: x == 0\nassume x = 0\nassume x\nprivileged\n"
    ));
}

#[test]
fn messages_for_deep_expressions_and_lost_comments() {
    let deep = format!("model m\nlet r = x{}\n/// lost\n", " + x".repeat(300));
    insta::assert_snapshot!(diag::render(
        "model.eom",
        &deep,
        &parse(&deep).diagnostics,
        false
    ));
}
