//! Hostile sizes: one clear message, in time in proportion to the text, on a small stack.

use crate::diag;
use crate::syntax::limits::MAX_BYTES;
use crate::syntax::{format, parse, parse_expression};
use std::time::{Duration, Instant};

/// A quarter of what Rust gives its threads.
const STACK: usize = 512 << 10;

/// The codes that a text gets, on a thread with a small stack. Also shows the messages and the layout.
fn codes(text: String) -> Vec<&'static str> {
    let work = move || {
        let start = Instant::now();
        let parsed = parse(&text);
        let shown = diag::render("t", &text, &parsed.diagnostics, false);
        assert!(shown.len() < 100_000, "{}", shown.len());
        diag::json::to_json("t", &text, &parsed.diagnostics);
        let _ = format(&text);
        let spent = start.elapsed();
        assert!(spent < Duration::from_secs(20), "{spent:?}");
        parsed
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.code)
            .collect()
    };
    let thread = std::thread::Builder::new().stack_size(STACK);
    thread.spawn(work).unwrap().join().unwrap()
}

fn check(expression: String, expect: &[&str]) {
    let shown: String = expression.chars().take(30).collect();
    assert_eq!(
        codes(format!("model m\nlet r = {expression}\n")),
        expect,
        "{shown}"
    );
}

#[test]
fn deep_and_long_expressions_get_one_message() {
    let n = 10_000;
    check(format!("{}x{}", "(".repeat(n), ")".repeat(n)), &["E0008"]);
    check("(".repeat(n), &["E0008"]);
    check("[".repeat(n), &["E0008"]);
    check("f(".repeat(n), &["E0008"]);
    check("-".repeat(n) + "x", &["E0008"]);
    check("x^".repeat(n) + "x", &["E0008"]);
    check("x".to_owned() + "'".repeat(n).as_str(), &["E0008"]);
    check("x".to_owned() + ".x".repeat(n).as_str(), &["E0008"]);
    check("1".to_owned() + " + x".repeat(100_000).as_str(), &["E0008"]);
    check("1".to_owned() + "*x".repeat(100_000).as_str(), &["E0008"]);
    check(
        format!("1 [{}m{}]", "(".repeat(n), ")".repeat(n)),
        &["E0012"],
    );
    check(format!("1 [m{}]", "*m".repeat(n)), &["E0012"]);
    check(")".repeat(n), &["E0004"]);
}

#[test]
fn the_limit_is_at_256_levels() {
    check("x".to_owned() + " + x".repeat(255).as_str(), &[]);
    check("x".to_owned() + " + x".repeat(256).as_str(), &["E0008"]);
    check(format!("{}x{}", "(".repeat(255), ")".repeat(255)), &[]);
    check(
        format!("{}x{}", "(".repeat(256), ")".repeat(256)),
        &["E0008"],
    );
    check("-".repeat(255) + "x", &[]);
    check(format!("f({})", "x, ".repeat(10_000) + "x"), &[]);
}

#[test]
fn a_long_line_is_read_and_not_printed() {
    let mega = 1_000_000;
    check(format!("[{}1]", "1,".repeat(mega / 2)), &[]);
    check("a".repeat(mega), &["E0016"]);
    check("1".repeat(mega), &["E0007"]);
    check("1x".repeat(mega / 2), &["E0007"]);
    check("1e999999999".to_owned(), &["E0007"]);
    check("?".repeat(mega), &["E0006"]);
    check("x ".repeat(mega / 2), &["E0004"]);
    check("é".repeat(mega / 2) + " x", &["E0016"]);
    assert_eq!(codes("x".repeat(mega)), ["E0003", "E0001"]);
    assert_eq!(codes("/".repeat(mega)), ["E0001"]);
    assert_eq!(codes(" ".repeat(mega)), ["E0001"]);
    assert_eq!(codes("a".repeat(MAX_BYTES + 1)), ["E0010"]);
}

#[test]
fn many_errors_are_cut_short() {
    let found = parse(&("model m\n".to_owned() + "let x =\n".repeat(100_000).as_str())).diagnostics;
    assert_eq!(found.len(), 51);
    assert!(found[..50].iter().all(|one| one.code == "E0004"));
    assert_eq!(found[50].title, "and 99950 more messages");
    let start = Instant::now();
    assert_eq!(codes("x\n".repeat(900_000)).len(), 51);
    assert!(start.elapsed() < Duration::from_secs(20));
    assert_eq!(codes("/// d\n".repeat(300_000)).len(), 51);
}

#[test]
fn expressions_have_the_same_limits() {
    let code = |text: &str| parse_expression(text).unwrap_err()[0].code;
    assert_eq!(code(&"(".repeat(10_000)), "E0008");
    assert_eq!(code(&" ".repeat(MAX_BYTES + 1)), "E0010");
    assert_eq!(code(""), "E0004");
}
