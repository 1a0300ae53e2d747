//! The manual's chapter on the language is true.

use super::clean;
use crate::syntax::limits::RESERVED;
use crate::syntax::{format, keywords};

const CHAPTER: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/language.md"));

/// The `eom` blocks of the chapter.
fn examples() -> Vec<&'static str> {
    let blocks = CHAPTER.split("```eom,syntax\n").skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap())
        .collect()
}

#[test]
fn examples_parse_and_are_canonical() {
    let examples = examples();
    assert!(examples.len() >= 6);
    for example in examples {
        clean(example);
        if !example.contains("model lines") {
            assert_eq!(format(example).unwrap(), example);
        }
    }
}

#[test]
fn every_keyword_is_in_the_grammar() {
    let mut blocks = CHAPTER.split("```text\n");
    let grammar = blocks.find(|b| b.starts_with("file ")).unwrap();
    for keyword in keywords() {
        assert!(grammar.contains(&format!("'{keyword}'")), "{keyword}");
    }
    let examples = examples().into_iter();
    let tour: Vec<_> = examples
        .filter(|example| example.contains("model tour") || example.contains("part tour"))
        .collect();
    let tour = tour.concat();
    for keyword in keywords() {
        assert!(
            tour.lines().any(|line| line.starts_with(keyword)),
            "{keyword}"
        );
    }
    for word in RESERVED {
        assert!(CHAPTER.contains(&format!("`{word}`")), "{word}");
    }
}
