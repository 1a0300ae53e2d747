//! How much of the language the machines reach: the words and signs of the grammar in the manual, the functions that the library knows, and the
//! codes of its messages.

use eomgen::diagnostics::codes;
use std::collections::BTreeSet;

const MANUAL: &str = include_str!("../../../docs/language.md");

/// What stands for itself in the grammar of the manual.
#[must_use]
pub fn terminals() -> BTreeSet<String> {
    let (_, grammar) = MANUAL.split_once("```text\nfile ").unwrap_or_default();
    let (grammar, _) = grammar.split_once("```").unwrap_or_default();
    let mut found = BTreeSet::new();
    // A prime is quoted the other way.
    let mut rest = grammar;
    while let Some(at) = rest.find(['\'', '"']) {
        let quote = &rest[at..=at];
        let Some((text, after)) = rest[at + 1..].split_once(quote) else {
            break;
        };
        found.insert(text.to_owned());
        rest = after;
    }
    found
}

/// Terminals and functions: the vocabulary.
#[must_use]
pub fn vocabulary() -> BTreeSet<String> {
    let mut all = terminals();
    all.extend(eomgen::internals::model::functions().map(str::to_owned));
    all
}

/// The words and signs of a vocabulary that stand in a text.
#[must_use]
pub fn used(text: &str, vocabulary: &BTreeSet<String>) -> BTreeSet<String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = text.split(|c| !is_word(c));
    let mut found: BTreeSet<String> = words
        .filter(|w| vocabulary.contains(*w))
        .map(str::to_owned)
        .collect();
    let signs = vocabulary.iter().filter(|w| !w.contains(is_word));
    found.extend(signs.filter(|s| text.contains(s.as_str())).cloned());
    found
}

/// A share as text, with what is missing.
fn share(what: &str, met: usize, of: usize, missing: &[&str]) -> String {
    let percent = 100 * met / of.max(1);
    format!(
        "{what}: {met} of {of} ({percent} %), without {}\n",
        missing.join(" ")
    )
}

/// What share of the language's words and of the messages is among these.
#[must_use]
pub fn shares(words: &BTreeSet<String>, met: &BTreeSet<String>) -> String {
    let vocabulary = vocabulary();
    let missing: Vec<&str> = (vocabulary.iter().filter(|w| !words.contains(*w)))
        .map(String::as_str)
        .collect();
    let known = vocabulary.len() - missing.len();
    let mut text = share("words and signs", known, vocabulary.len(), &missing);
    let all: Vec<&str> = codes::all().map(|c| c.code).collect();
    let missing: Vec<&str> = (all.iter().copied())
        .filter(|c| !met.contains(*c))
        .collect();
    text += &share("codes", all.len() - missing.len(), all.len(), &missing);
    text
}
