//! The texts that spans point into.

use super::lines::Lines;
use crate::span::Span;

/// Names and texts of the files of one model; [`Span::file`] is the position in this list.
#[derive(Clone, Debug, Default)]
pub struct Sources<'a> {
    files: Vec<(&'a str, &'a str)>,
}

impl<'a> Sources<'a> {
    /// The model file alone.
    pub fn new(name: &'a str, text: &'a str) -> Self {
        Self {
            files: vec![(name, text)],
        }
    }

    /// Adds a further file and returns its number for [`Span::file`].
    pub fn add(&mut self, name: &'a str, text: &'a str) -> u32 {
        self.files.push((name, text));
        self.files.len() as u32 - 1
    }

    /// Names and lines of the files, the model itself first.
    pub(super) fn lines(&self) -> Vec<(&'a str, Lines<'a>)> {
        let files = self.files.iter();
        files
            .map(|(name, text)| (*name, Lines::new(text)))
            .collect()
    }

    /// The piece of text under a span; empty if the span lies outside.
    pub fn snippet(&self, span: Span) -> &'a str {
        self.files
            .get(span.file as usize)
            .and_then(|(_, text)| text.get(span.start as usize..span.end as usize))
            .unwrap_or("")
    }
}
