//! The colours of the tree-sitter grammar, from the language's own tables of words, and a check that the grammar has the same words. Knows
//! nothing of positions and statements.

use super::functions;
use crate::syntax::words;

/// What a file of queries says beside the words.
const RULES: &str = r#"; Written from the tables of words of the language: `EOMGEN_BLESS=1 cargo test -p eomgen --lib treesitter`.

(identifier) @variable

(comment) @comment
(documentation) @comment.documentation
(file_documentation) @comment.documentation
(string) @string
(number) @number
(unit_name) @type

(model_statement name: (identifier) @module)
(part_statement name: (identifier) @module)
(use_statement name: (identifier) @module)
(param_statement (quantity name: (identifier) @variable.parameter))
(param_statement (quantity name: (element . (identifier) @variable.parameter)))
(const_declaration name: (identifier) @constant)
(argument name: (identifier) @variable.parameter)
(signature name: (identifier) @function)
(frame_statement name: (identifier) @type)
(frame_statement name: (element . (identifier) @type))
(body_statement name: (identifier) @type)
(particle_statement name: (identifier) @type)
(field_expression field: (identifier) @variable.member)
(call_expression function: (identifier) @function.call)

["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ":" "."] @punctuation.delimiter
["+" "-" "*" "/" "^" "=" "==" "!=" "<" "<=" ">" ">=" "'" ".."] @operator
"#;

/// The queries that colour a model.
pub fn highlights() -> String {
    let mut text = RULES.to_owned();
    let conditions = words::RESERVED.iter().copied();
    text.push_str(&one_of(conditions, "@keyword.conditional"));
    let statements = words::statements().map(|(word, _)| word);
    let clauses = words::CLAUSES.iter().map(|(word, _)| *word);
    let repeats = |word: &&str| *word == "for";
    text.push_str("\n\"for\" @keyword.repeat\n");
    let others = statements.chain(clauses).filter(|word| !repeats(word));
    text.push_str(&one_of(others, "@keyword"));
    text.push_str("\n(sum \"sum\" @function.builtin)\n");
    let called = functions::all().map(|function| function.name);
    let called = listed(called).join(" ");
    text.push_str(&format!(
        "((call_expression function: (identifier) @function.builtin)\n (#any-of? @function.builtin {called}))\n"
    ));
    let names = words::PREDECLARED.iter().map(|(name, _)| *name);
    let names = listed(names).join(" ");
    text.push_str(&format!(
        "((identifier) @variable.builtin (#any-of? @variable.builtin {names}))\n"
    ));
    text
}

fn one_of<'a>(words: impl Iterator<Item = &'a str>, capture: &str) -> String {
    let lines: Vec<String> = listed(words)
        .chunks(10)
        .map(|some| format!("  {}\n", some.join(" ")))
        .collect();
    format!("\n[\n{}] {capture}\n", lines.concat())
}

/// In quotation marks, sorted, each once.
fn listed<'a>(words: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut all: Vec<String> = words.map(|word| format!("\"{word}\"")).collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn read(path: &str) -> String {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../editors/tree-sitter-eom/");
        let text = std::fs::read_to_string(format!("{folder}{path}")).unwrap_or_default();
        text.replace("\r\n", "\n")
    }

    /// `EOMGEN_BLESS=1 cargo test -p eomgen --lib treesitter` writes the file.
    #[test]
    fn the_queries_in_the_repository_are_what_the_tables_give() {
        // Zed takes them from its extension.
        let files = [
            "queries/highlights.scm",
            "../zed/languages/eom/highlights.scm",
        ];
        for file in files {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../editors/tree-sitter-eom/");
            if std::env::var_os("EOMGEN_BLESS").is_some() {
                std::fs::write(format!("{folder}{file}"), highlights()).unwrap();
            }
            assert_eq!(read(file), highlights(), "{file}");
        }
    }

    /// What is quoted in a text and is a word.
    fn quoted(text: &str, mark: char) -> BTreeSet<&str> {
        let word = |text: &&str| text.len() > 1 && text.chars().all(|c| c.is_ascii_lowercase());
        text.split(mark).skip(1).step_by(2).filter(word).collect()
    }

    #[test]
    fn the_grammar_has_the_words_of_the_tables() {
        let text = read("grammar.js");
        let rules = text.split("module.exports").nth(1).unwrap();
        let code: Vec<&str> = rules
            .lines()
            .map(|line| line.split("// ").next().unwrap_or(line))
            .collect();
        let code = code.join("\n").replace("'\\''", "");
        let mut found = quoted(&code, '\'');
        // The name of the grammar, names of fields, and the two names that mean more where they are called.
        let fields: BTreeSet<&str> = code
            .split("field('")
            .skip(1)
            .filter_map(|rest| rest.split('\'').next())
            .collect();
        let mut expected: BTreeSet<&str> = words::statements().map(|(word, _)| word).collect();
        expected.extend(words::CLAUSES.iter().map(|(word, _)| *word));
        expected.extend(words::RESERVED);
        expected.extend(["sum", "rate", "eom"]);
        found.retain(|word| expected.contains(word) || !fields.contains(word));
        assert_eq!(found, expected);
    }

    #[test]
    fn the_scanner_has_the_words_of_the_tables() {
        let text = read("src/scanner.c");
        let table = |name: &str| {
            let rest = text.split(&format!("{name}[] = {{")).nth(1).unwrap();
            let inside = rest.split("NULL").next().unwrap().to_owned();
            let words: Vec<String> = inside
                .split('"')
                .skip(1)
                .step_by(2)
                .map(str::to_owned)
                .collect();
            words
        };
        let statements: Vec<&str> = words::statements().map(|(word, _)| word).collect();
        assert_eq!(table("STATEMENTS"), statements);
        assert_eq!(table("RESERVED"), words::RESERVED);
    }
}
