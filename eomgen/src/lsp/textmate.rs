//! A grammar for editors that colour by patterns, from the language's own tables of words. Knows nothing of positions and statements.

use super::functions;
use crate::syntax::words;
use serde_json::{Value, json};

/// The grammar as JSON.
pub fn grammar() -> String {
    let rule = |name: &str, pattern: String| json!({ "name": name, "match": pattern });
    let keywords = words::statements().map(|(keyword, _)| keyword);
    let clauses = words::CLAUSES.iter().map(|(word, _)| *word);
    let functions: Vec<&str> = functions::all().map(|function| function.name).collect();
    let constants = words::PREDECLARED.iter().map(|(name, _)| *name);
    let patterns: Vec<Value> = vec![
        rule(
            "comment.line.documentation.eom",
            "//[/!](?!/).*$".to_owned(),
        ),
        rule("comment.line.double-slash.eom", "//.*$".to_owned()),
        json!({ "name": "string.quoted.double.eom", "begin": "\"", "end": "\"|$" }),
        rule(
            "keyword.control.eom",
            whole(words::RESERVED.iter().copied()),
        ),
        rule(
            "keyword.declaration.eom",
            format!("^\\s*{}", whole(keywords)),
        ),
        rule(
            "support.function.eom",
            format!("{}(?=\\s*\\()", whole(functions.iter().copied())),
        ),
        rule(
            "keyword.other.eom",
            format!("{}(?=\\s+[^\\s=:,]|\\s*[\\[:])", whole(clauses)),
        ),
        json!({
            "match": "(\\d|\\.\\d)[\\d.]*([eE][-+]?\\d+)?\\s*(\\[[^\\]]*\\])?",
            "captures": { "0": { "name": "constant.numeric.eom" }, "3": { "name": "storage.type.unit.eom" } },
        }),
        rule("variable.language.eom", whole(constants)),
        rule("keyword.operator.eom", "[-+*/^=<>!']+|\\.\\.".to_owned()),
    ];
    let all = json!({
        "name": "eom",
        "scopeName": "source.eom",
        "fileTypes": ["eom"],
        "patterns": patterns,
    });
    let mut text = serde_json::to_string_pretty(&all).unwrap_or_default();
    text.push('\n');
    text
}

/// One of some words, and no part of a longer one.
fn whole<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let mut all: Vec<&str> = words.collect();
    all.sort_unstable();
    all.dedup();
    format!("\\b({})\\b", all.join("|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `EOMGEN_BLESS=1 cargo test -p eomgen --lib textmate` writes the file.
    #[test]
    fn the_file_in_the_repository_is_what_the_tables_give() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../editors/vscode/syntaxes/eom.tmLanguage.json");
        if std::env::var_os("EOMGEN_BLESS").is_some() {
            std::fs::write(&path, grammar()).unwrap();
        }
        let there = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(there.replace("\r\n", "\n"), grammar());
    }
}
