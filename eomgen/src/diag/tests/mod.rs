//! Messages as people and tools see them.

use super::json::to_json;
use super::{Diagnostic, Sources, render, render_sources};
use crate::span::Span;
use proptest::prelude::*;

fn error(start: usize, end: usize) -> Diagnostic {
    Diagnostic::error("E0004", "something is wrong", Span::new(start, end), "here")
}

#[test]
fn a_message_in_full() {
    let text = "model m\nparam é, b : kg\nlet r = é + b\n";
    let first = text.find("é, b").unwrap();
    let second = text.find("é + b").unwrap();
    let full = Diagnostic::warning(
        "E0102",
        "these do not fit",
        Span::new(second, second + 2),
        "a mass",
    )
    .label(Span::new(first, first + 2), "declared here")
    .note("one fact")
    .note("another fact")
    .help("write something else");
    insta::assert_snapshot!(render(
        "model.eom",
        text,
        &[full.clone(), error(6, 7)],
        false
    ));
    insta::assert_snapshot!(
        serde_json::to_string_pretty(&to_json("model.eom", text, &[full])).unwrap()
    );
}

#[test]
fn columns_count_characters_from_one() {
    let check = |text: &str, byte: usize, line: usize, column: usize| {
        let json = to_json("m", text, &[error(byte, byte)]);
        let start = &json[0]["labels"][0]["start"];
        assert_eq!(
            (&start["line"], &start["column"]),
            (&line.into(), &column.into()),
            "{text:?} {byte}"
        );
    };
    check("abc", 0, 1, 1);
    check("abc", 3, 1, 4);
    check("é=1", 2, 1, 2);
    check("é=1", 1, 1, 1);
    check("a\nb", 2, 2, 1);
    check("a\r\nb", 3, 2, 1);
    check("a\rb", 2, 2, 1);
    check("a\n", 2, 2, 1);
    check("a", 99, 1, 2);
    check("", 0, 1, 1);
}

#[test]
fn the_header_names_the_true_place_in_a_long_line() {
    let text = format!(
        "model m\nlet r = {}ö{}\n",
        "x + ".repeat(250_000),
        " + x".repeat(1000)
    );
    let at = text.find('ö').unwrap();
    let shown = render("long.eom", &text, &[error(at, at + 2)], false);
    assert!(shown.contains("long.eom:2:1000009"), "{shown}");
    assert!(shown.len() < 1000, "{shown}");
    let lines: Vec<&str> = shown.lines().collect();
    let source = lines.iter().position(|line| line.contains('ö')).unwrap();
    let column = |line: &str, what: char| line.chars().position(|c| c == what).unwrap();
    assert_eq!(
        column(lines[source], 'ö'),
        column(lines[source + 1], '^'),
        "{shown}"
    );
}

#[test]
fn labels_far_apart_and_in_other_files_are_all_shown() {
    let text = format!("model m\n{}param b\n", "\n".repeat(5000));
    let mut sources = Sources::new("a.eom", &text);
    let other = sources.add("b.eom", "param a\n");
    let at = text.find("param b").unwrap();
    let diagnostic = error(at, at + 5).label(Span::new(0, 5), "far above").label(
        Span {
            file: other,
            start: 0,
            end: 5,
            copy: 0,
        },
        "in the other file",
    );
    insta::assert_snapshot!(render_sources(&sources, &[diagnostic], false));
}

#[test]
fn spans_that_point_nowhere_do_no_harm() {
    let far = u32::MAX as usize;
    let text = "modèle\n\tx\r\n";
    for (start, end) in [
        (0, 0),
        (5, 4),
        (far, far),
        (0, far),
        (4, 4),
        (4, 5),
        (3, 5),
        (12, 12),
        (99, 3),
    ] {
        for text in ["", "\n", "x", text] {
            let shown = render("m", text, &[error(start, end)], false);
            assert!(
                shown.starts_with("error[E0004]: something is wrong"),
                "{shown}"
            );
        }
    }
    let nowhere = error(0, 1).label(
        Span {
            file: 7,
            start: 0,
            end: 1,
            copy: 0,
        },
        "lost",
    );
    assert!(!render("m", "x", &[nowhere], false).contains("lost"));
}

#[test]
fn colour_is_asked_for() {
    assert!(render("m", "x", &[error(0, 1)], true).contains("\u{1b}["));
    assert!(!render("m", "x", &[error(0, 1)], false).contains("\u{1b}["));
}

#[test]
fn huge_words_in_messages_are_cut() {
    let mut diagnostic = error(0, 1)
        .note("n".repeat(1 << 20))
        .help("h".repeat(1 << 20));
    diagnostic.title = "t".repeat(1 << 20);
    assert!(render("m", "x", &[diagnostic], false).len() < 10_000);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_and_spans_can_be_shown(
        text in "[a-zé\u{1F600}\t\r\n\u{0} \u{200b}]{0,300}",
        spans in proptest::collection::vec((0u32..320, 0u32..320, 0u32..2), 0..5),
    ) {
        let mut diagnostic = error(0, 0);
        diagnostic.labels.clear();
        for (start, end, file) in spans {
            diagnostic = diagnostic.label(Span { file, start, end, copy: 0 }, "label\nwith two lines");
        }
        let shown = render("m", &text, std::slice::from_ref(&diagnostic), false);
        prop_assert!(shown.starts_with("error[E0004]"));
        to_json("m", &text, &[diagnostic]);
    }
}
