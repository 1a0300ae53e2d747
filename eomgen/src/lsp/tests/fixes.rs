//! Every help that says what to write is a change that an editor offers: counted over all examples of wrong models, and tried.

use crate::diag::{Diagnostic, codes};
use crate::input::{Failure, Source, read_source};

/// The wrong models of the manual, and those with which codes are explained.
fn wrong_models() -> Vec<String> {
    let mut found = Vec::new();
    for page in [
        include_str!("../../../../docs/codes.md"),
        include_str!("../../../../docs/language.md"),
    ] {
        let blocks = page.split("```eom,").skip(1);
        for block in blocks {
            let (kind, rest) = block.split_once('\n').unwrap();
            if kind.contains("error") || kind.contains("warning") {
                found.push(rest.split("```").next().unwrap().to_owned());
            }
        }
    }
    found.extend(SLIPS.iter().map(|slip| format!("{START}{slip}\n")));
    assert!(found.len() > 100, "{}", found.len());
    found
}

const START: &str =
    "model m\nparam m = 1 : kg > 0\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\n";

/// What one writes who is in a hurry, or comes from elsewhere.
const SLIPS: &[&str] = &[
    "let a = 2x",
    "let a = 2 x",
    "let a = x x",
    "let a = (x + 1",
    "let a = f(x",
    "let a = x)",
    "let a = x]",
    "let a = +1",
    "let a = 1. + 2",
    "let a = 1_000",
    "let a == 1",
    "constraint c: x == 0",
    "assume x = 0",
    "a = 2",
    "let a = 1;",
    "let a = 1 # why",
    "let a = 2·3",
    "let a = 3 − 1",
    "let if = 1",
    "let \"a\" = 1",
    "parm k = 1",
    "}",
    "let a = sim(x)",
    "let a = 1 [kgg]",
    "param k : Nm",
    "let m = 1",
    "let a = y",
    "let a = sin(X)",
    "force on Q: N.x",
    "output a = P.w",
    "let a = arcsin(x)",
    "let a = B.X",
    "let v = N.X",
    "privileged x",
    "let a = x + 1",
    "let a = 1 + x",
    "force on x: 3",
    "particle C: mass 2 at P",
    "drawing d: line through O, P, color oragne",
    "let a = (x + 1*(2 - x)",
    "let a = x y",
    "let a = sin x",
    "let a = x ≤ 1",
    "coordinate y : m",
];

fn found(text: &str) -> Vec<Diagnostic> {
    let source = Source::gather("m.eom", text, |_| Err("there is no such file".to_owned()));
    match read_source(&source, &[]) {
        Ok((_, warnings)) => warnings,
        Err(Failure::Diagnostics(found)) => found,
        Err(Failure::Message(message)) => panic!("{message}"),
    }
}

/// Whether a help names a text that is to stand in place of what is there.
fn says_what_to_write(help: &str) -> bool {
    // An example is no replacement: `write `body W: frame B, ...`.
    let plain = !help.contains("...")
        && !help.contains("body W:")
        && !help.contains(" or ")
        && !help.contains("such as");
    let verb = [
        "did you mean `",
        "write `",
        "remove the `",
        "omit it",
        "add the `",
    ];
    verb.iter().any(|verb| help.starts_with(verb)) && (plain || help.starts_with("did you mean"))
}

/// The text with what a message proposes.
fn mended(text: &str, diagnostic: &Diagnostic) -> Option<String> {
    let label = diagnostic.labels.iter().find(|l| l.instead.is_some())?;
    let mut text = text.to_owned();
    let range = label.span.start as usize..label.span.end as usize;
    text.replace_range(range, label.instead.as_deref()?);
    Some(text)
}

#[test]
fn helps_that_say_what_to_write_are_changes() {
    let [mut with_help, mut say, mut can] = [0, 0, 0];
    let mut without = Vec::new();
    for text in wrong_models() {
        for diagnostic in found(&text) {
            let Some(help) = &diagnostic.help else {
                continue;
            };
            with_help += 1;
            let fix = mended(&text, &diagnostic);
            can += usize::from(fix.is_some());
            if says_what_to_write(help) {
                say += 1;
                if fix.is_none() {
                    without.push(format!("{} {}: {help}", diagnostic.code, diagnostic.title));
                }
            }
        }
    }
    println!("{with_help} helps, {say} say what to write, {can} are changes");
    println!("{}", without.join("\n"));
    assert_eq!(without, [""; 0]);
    assert!(can >= 50, "{can}");
}

#[test]
fn what_is_offered_makes_the_message_go_away() {
    let mut wrong = Vec::new();
    for text in wrong_models() {
        for diagnostic in found(&text) {
            assert!(codes::find(diagnostic.code).is_some());
            let Some(after) = mended(&text, &diagnostic) else {
                continue;
            };
            // A mistake that hid others may bring them out, but not itself, at this place.
            let same = |d: &Diagnostic| d.title == diagnostic.title;
            let before = found(&text).iter().filter(|d| same(d)).count();
            if found(&after).iter().filter(|d| same(d)).count() >= before {
                wrong.push(format!("{}\n{after}", diagnostic.title));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n----\n"));
}
