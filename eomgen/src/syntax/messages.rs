//! The messages of one run of the parser, and what is added to a message on its way out.

use super::limits::MAX_DIAGNOSTICS;
use crate::diag::{Diagnostic, Severity, codes::syntax as codes};
use crate::span::Span;

/// The messages of one run; those beyond the limit are counted and never built.
#[derive(Default)]
pub(super) struct Messages {
    kept: Vec<Diagnostic>,
    more: usize,
}

impl Messages {
    pub(super) fn add(&mut self, build: impl FnOnce() -> Diagnostic) {
        if self.kept.len() < MAX_DIAGNOSTICS {
            self.kept.push(build());
        } else {
            self.more += 1;
        }
    }

    /// All of them in the order of the text, and a last one that says how many were left out.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        self.kept
            .sort_by_key(|diagnostic| diagnostic.labels.first().map(|label| label.span.start));
        if self.more > 0 {
            self.kept.push(Diagnostic {
                severity: Severity::Note,
                code: codes::E0011,
                title: format!("and {} more messages", self.more),
                labels: Vec::new(),
                notes: Vec::new(),
                help: Some("fix the first ones and run again".to_owned()),
            });
        }
        self.kept
    }
}

/// Additions to a boxed message.
pub(super) trait Boxed {
    /// Says what to write instead.
    fn map_help(self, text: impl Into<String>) -> Self;
    /// Says which text at the primary place does what the help says.
    fn map_write(self, text: impl Into<String>) -> Self;
    /// Adds a fact.
    fn map_note(self, text: &str) -> Self;
    /// Adds a further label.
    fn map_label(self, span: Span, text: &str) -> Self;
}

impl Boxed for Box<Diagnostic> {
    fn map_help(self, text: impl Into<String>) -> Self {
        Box::new((*self).help(text))
    }

    fn map_write(self, text: impl Into<String>) -> Self {
        Box::new((*self).write(text))
    }

    fn map_note(self, text: &str) -> Self {
        Box::new((*self).note(text))
    }

    fn map_label(self, span: Span, text: &str) -> Self {
        Box::new((*self).label(span, text))
    }
}
