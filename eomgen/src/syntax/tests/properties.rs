//! Properties that hold for all trees and all texts.

use super::print;
use super::trees::{bare, expr, file, skeleton, tree, without_spans};
use crate::diag;
use crate::syntax::{format, lexer, parse, parse_expression};
use proptest::prelude::*;

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 256,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// The comments of a text in order.
fn comments(text: &str) -> Vec<&str> {
    let lexed = lexer::lex(text);
    lexed
        .comments
        .iter()
        .map(|comment| comment.text(text))
        .collect()
}

/// A formatted text with other white space, more comments, and line ends where a statement may go on.
fn disturbed(text: &str, mut seed: u64) -> String {
    let lexed = lexer::lex(text);
    let mut comments = lexed.comments.iter().peekable();
    let mut out = String::new();
    let mut depth = 0;
    let mut before = lexer::lex(":").tokens[0].kind;
    for (index, token) in lexed.tokens.iter().enumerate() {
        while let Some(comment) = comments.next_if(|comment| comment.next as usize <= index) {
            out.push_str(&format!("\n  {}   ", comment.text(text)));
        }
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let pick = (seed >> 40) % 10;
        let starts = token.breaks > 0 || index == 0;
        let name = token.kind == super::super::token::Kind::Name;
        let may_break = !name && (depth > 0 || (index > 0 && before.continues()));
        out.push_str(match pick {
            _ if starts && pick < 2 => "   // trailing\t \r\n\n\n\n",
            _ if starts && pick < 4 => "\n\n\n// alone  \n\t\n",
            _ if starts => "\r\n  ",
            0 if may_break => "\n",
            1 if may_break => " // inside\n\n  // again\n",
            2 if may_break => "\n\n\n\t",
            3 | 4 => "\t",
            _ => "  ",
        });
        out.push_str(token.text(text));
        match token.text(text) {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            _ => {}
        }
        before = token.kind;
    }
    out
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn printed_expressions_are_read_back(expr in expr()) {
        let text = print::expression(&expr);
        prop_assert_eq!(bare(&parse_expression(&text).unwrap()), expr, "{}", text);
    }

    #[test]
    fn printing_adds_the_brackets_that_a_tree_needs(tree in tree()) {
        let text = print::expression(&tree);
        prop_assert_eq!(skeleton(&parse_expression(&text).unwrap()), tree, "{}", text);
    }

    #[test]
    fn printed_files_are_read_back(file in file()) {
        let text = print::file(&file);
        let parsed = parse(&text);
        let shown = diag::render("t", &text, &parsed.diagnostics, false);
        prop_assert!(parsed.diagnostics.is_empty(), "{}", shown);
        prop_assert_eq!(without_spans(&parsed.file), file, "{}", text);
    }

    #[test]
    fn printer_and_formatter_agree(file in file()) {
        let text = print::file(&file);
        prop_assert_eq!(format(&text).unwrap(), text);
    }

    #[test]
    fn formatting_keeps_tree_and_comments_and_is_stable(file in file(), seed in any::<u64>()) {
        let text = disturbed(&print::file(&file), seed);
        let parsed = parse(&text);
        let shown = diag::render("t", &text, &parsed.diagnostics, false);
        prop_assert!(!parsed.has_errors(), "{}", shown);
        let formatted = format(&text).unwrap();
        prop_assert_eq!(without_spans(&parse(&formatted).file), without_spans(&parsed.file));
        prop_assert_eq!(comments(&formatted), comments(&text));
        prop_assert_eq!(format(&formatted).unwrap(), formatted.clone());
        for line in formatted.lines() {
            prop_assert_eq!(line.trim_end(), line);
        }
        prop_assert!(!formatted.contains("\n\n\n") && !formatted.starts_with('\n'));
    }

    #[test]
    fn any_text_is_survived(text in any::<String>()) {
        survives(&text);
    }

    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        survives(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_mixture_of_tokens_is_survived(
        tokens in proptest::collection::vec(proptest::sample::select(PIECES.to_vec()), 0..60)
    ) {
        survives(&tokens.concat());
    }
}

const PIECES: &[&str] = &[
    "model ",
    "param ",
    "coord ",
    "input ",
    "function ",
    "let ",
    "frame ",
    "point ",
    "particle ",
    "group ",
    "body ",
    "gravity",
    "force ",
    "torque ",
    "generalized ",
    "nonideal ",
    "kinetic ",
    "spring ",
    "damper ",
    "from ",
    "to ",
    "stiffness ",
    "then ",
    "else ",
    "and ",
    "or ",
    "not ",
    "speed ",
    "constraint ",
    "privileged ",
    "assume ",
    "output ",
    "mass ",
    "at ",
    "on ",
    "opposite ",
    "center ",
    "inertia ",
    "about ",
    "in ",
    "if ",
    "x",
    "P",
    " ",
    "\n",
    "\n\n",
    "\r",
    "\t",
    "1",
    "2.5e3",
    ".5",
    "1e",
    "9.81 [m/s^2]",
    "+",
    "-",
    "*",
    "/",
    "^",
    "=",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ",",
    ":",
    ".",
    "'",
    "(",
    ")",
    "[",
    "]",
    "// c\n",
    "/// d\n",
    "//! f\n",
    ";",
    "−",
    "é",
    "\u{feff}",
    "\"",
    "kg",
];

fn survives(text: &str) {
    let parsed = parse(text);
    for diagnostic in &parsed.diagnostics {
        for label in &diagnostic.labels {
            let (start, end) = (label.span.start as usize, label.span.end as usize);
            assert!(text.get(start..end).is_some(), "{label:?} in {text:?}");
        }
        assert!(diag::codes::find(diagnostic.code).is_some());
    }
    diag::render("t", text, &parsed.diagnostics, false);
    diag::json::to_json("t", text, &parsed.diagnostics);
    let _ = parse_expression(text);
    if let Ok(formatted) = format(text) {
        assert_eq!(format(&formatted).as_ref(), Ok(&formatted), "{text:?}");
        assert_eq!(
            without_spans(&parse(&formatted).file),
            without_spans(&parsed.file),
            "{text:?}"
        );
        assert_eq!(comments(&formatted), comments(text), "{text:?}");
    }
}
