//! The explanations of the syntax codes are true: the example gets the code, the corrected text gets nothing.

use super::clean;
use crate::diag::codes::syntax::CODES;
use crate::syntax::parse;

#[test]
fn examples_get_their_code_and_corrections_none() {
    for entry in CODES {
        if !entry.example.is_empty() {
            let found: Vec<_> = parse(entry.example)
                .diagnostics
                .iter()
                .map(|one| one.code)
                .collect();
            assert_eq!(found, [entry.code]);
        }
        clean(entry.corrected);
    }
}

#[test]
fn examples_of_statements_parse() {
    for statement in crate::syntax::statements::STATEMENTS {
        let model = if matches!(statement.keyword, "model" | "part") {
            ""
        } else {
            "model m\n"
        };
        let end = if statement.keyword == "for" {
            "\n}"
        } else {
            ""
        };
        let file = clean(&format!("{model}{}{end}", statement.example));
        assert!(statement.example.starts_with(statement.keyword));
        assert_eq!(file.items.len(), if model.is_empty() { 1 } else { 2 });
    }
}
