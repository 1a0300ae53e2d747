//! The examples of the manual are models that mean what the manual says.

use super::messages_with;
use crate::diag;
use crate::model::expand::PartText;

const MANUAL: &str = include_str!("../../../../docs/language.md");

/// The fenced models with the words after the fence, in order.
fn examples() -> Vec<(&'static str, &'static str)> {
    let pieces: Vec<_> = MANUAL.split("```").collect();
    // Outside and inside of fences take turns.
    assert!(pieces.len() % 2 == 1, "a fence is not closed");
    let inside = pieces.into_iter().skip(1).step_by(2);
    inside.filter_map(|p| p.split_once('\n')).collect()
}

#[test]
fn examples_are_accepted_or_refused_as_stated() {
    let mut refused = 0;
    let files = examples().into_iter().filter_map(|(words, text)| {
        let path = words.strip_prefix("eom,file,")?.to_owned();
        let text = Ok(text.to_owned());
        Some(PartText { path, text })
    });
    let parts: Vec<PartText> = files.collect();
    for (words, text) in examples() {
        let (system, found) = messages_with(text, &parts);
        let codes: Vec<_> = found.iter().map(|d| d.code).collect();
        let shown = diag::render("manual.eom", text, &found, false);
        match words.split(',').collect::<Vec<_>>()[..] {
            // How things are written; the parser's tests read these.
            ["eom", "syntax"] | ["eom", "file", _] | ["text"] => {}
            ["eom"] => assert!(system.is_some() && codes.is_empty(), "{text}\n{shown}"),
            // Found by mechanics; the book's test derives these.
            ["eom", "error", code] if code.starts_with("E03") || code.starts_with("E054") => {
                assert!(system.is_some());
            }
            ["eom", "error", code] => {
                refused += 1;
                assert_eq!(codes, [code], "{text}\n{shown}");
            }
            _ => panic!("a fence is marked {words:?}"),
        }
    }
    assert!(refused > 5);
}

#[test]
fn every_statement_and_function_is_in_the_manual() {
    let statements = crate::syntax::keywords();
    let functions = crate::model::resolve::function_names();
    for word in statements.chain(functions) {
        let quoted = [
            format!("`{word}`"),
            format!("`{word}("),
            format!("`{word} "),
        ];
        let there = quoted.iter().any(|q| MANUAL.contains(q.as_str()));
        assert!(there, "`{word}` is not in the manual");
    }
}
