//! The words of the language in one table, for editors: what they colour and what they propose. Knows nothing of how statements are read.

use super::limits;
use super::statements::STATEMENTS;

/// The words inside statements, beside those of conditions, and the statements in which they stand.
pub const CLAUSES: &[(&str, &[&str])] = &[
    ("about", &["body"]),
    ("along", &["reaction", "drawing"]),
    ("as", &["use", "param", "coord", "state", "input"]),
    (
        "at",
        &[
            "particle", "force", "nonideal", "reaction", "roll", "drawing",
        ],
    ),
    ("axis", &["roll"]),
    ("box", &["drawing"]),
    ("center", &["body"]),
    ("centre", &["body"]),
    ("color", &["drawing"]),
    ("colour", &["drawing"]),
    ("cylinder", &["drawing"]),
    ("damping", &["spring", "damper"]),
    ("falling", &["event"]),
    ("force", &["nonideal", "reaction"]),
    ("frame", &["body", "needs"]),
    ("from", &["spring", "damper"]),
    ("generalized", &["nonideal"]),
    ("in", &["body", "constraint", "drawing", "for"]),
    ("inertia", &["body"]),
    ("length", &["spring"]),
    ("line", &["drawing"]),
    ("mass", &["particle", "body"]),
    ("normal", &["roll"]),
    (
        "on",
        &[
            "force", "torque", "nonideal", "reaction", "spring", "damper", "roll",
        ],
    ),
    ("opposite", &["force", "torque", "nonideal", "reaction"]),
    ("plane", &["roll"]),
    ("point", &["needs"]),
    ("radius", &["roll"]),
    ("rest", &["spring"]),
    ("rising", &["event"]),
    ("scalar", &["needs"]),
    ("sphere", &["drawing"]),
    ("stiffness", &["spring"]),
    ("tension", &["spring"]),
    ("through", &["drawing", "roll"]),
    ("to", &["spring", "damper"]),
    ("torque", &["nonideal", "reaction"]),
    ("tube", &["roll"]),
    ("vector", &["needs"]),
];

/// Names that every model has.
pub const PREDECLARED: [(&str, &str); 4] = [
    ("N", "the inertial frame"),
    ("O", "the origin of the inertial frame"),
    ("t", "time"),
    ("pi", "the number pi"),
];

/// The words of conditions, which cannot be names.
pub const RESERVED: &[&str] = limits::RESERVED;

/// The keywords that statements begin with, each with an example.
pub fn statements() -> impl Iterator<Item = (&'static str, &'static str)> {
    STATEMENTS.iter().map(|row| (row.keyword, row.example))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_belong_to_statements_and_are_sorted() {
        let keywords: Vec<&str> = statements().map(|(keyword, _)| keyword).collect();
        for (word, homes) in CLAUSES {
            assert!(homes.iter().all(|home| keywords.contains(home)), "{word}");
        }
        assert!(CLAUSES.is_sorted_by_key(|(word, _)| word));
    }

    #[test]
    fn every_word_of_the_grammar_is_in_the_table() {
        let page = include_str!("../../../docs/language.md");
        let grammar = page.split("\n## Grammar").nth(1).unwrap();
        let clause = |word: &str| CLAUSES.iter().any(|(known, _)| *known == word);
        let quoted = grammar.split('\'').skip(1).step_by(2);
        let is_word = |text: &&str| text.len() > 1 && text.chars().all(|c| c.is_ascii_lowercase());
        let missing: Vec<&str> = quoted
            .filter(is_word)
            .filter(|word| !clause(word) && !RESERVED.contains(word))
            .filter(|word| statements().all(|(keyword, _)| keyword != *word))
            .collect();
        assert_eq!(missing, [""; 0]);
    }
}
