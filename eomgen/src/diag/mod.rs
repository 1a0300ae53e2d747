//! Labelled diagnostics: one plain type for everything that can be wrong with a model, and the two
//! ways to show it ([`render`] for people, `to_json` for tools).

pub mod codes;
mod copies;
mod excerpt;
#[cfg(any(test, feature = "derive"))]
pub mod json;
pub mod lines;
mod render;
mod sources;
pub mod suggest;
#[cfg(test)]
mod tests;

pub use copies::{Copies, Origin};
pub use render::{render, render_sources};
pub use sources::Sources;

use crate::bug::Bug;
use crate::span::Span;

/// Its severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Suspicious, but not an error.
    Warning,
    /// Refused.
    Error,
}

/// A remark at a place in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What to say there; may be empty.
    pub text: String,
    /// What to write there instead, where that is all there is to do.
    pub instead: Option<String>,
}

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Error, warning or note.
    pub severity: Severity,
    /// Stable code such as `E0102`, see [`codes`].
    pub code: &'static str,
    /// One line: what is wrong, naming the thing at fault.
    pub title: String,
    /// The primary place first.
    pub labels: Vec<Label>,
    /// Further facts.
    pub notes: Vec<String>,
    /// What to write instead.
    pub help: Option<String>,
}

/// A value, or everything that is wrong.
pub type Result<T> = std::result::Result<T, Vec<Diagnostic>>;

/// The value, unless something is wrong.
pub fn unless_wrong<T, E>(value: T, errors: Vec<E>) -> std::result::Result<T, Vec<E>> {
    if errors.is_empty() {
        Ok(value)
    } else {
        Err(errors)
    }
}

impl Diagnostic {
    /// An error with its primary label.
    pub fn error(
        code: &'static str,
        title: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Error,
            code,
            title: title.into(),
            labels: vec![Label {
                span,
                text: label.into(),
                instead: None,
            }],
            notes: Vec::new(),
            help: None,
        }
    }

    /// An error with its primary label and what to write instead.
    pub fn error_with_help(
        code: &'static str,
        title: impl Into<String>,
        span: Span,
        label: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self::error(code, title, span, label).help(help)
    }

    /// A warning with its primary label.
    pub fn warning(
        code: &'static str,
        title: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(code, title, span, label)
        }
    }

    /// A note with its primary label.
    pub fn remark(
        code: &'static str,
        title: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Note,
            ..Self::error(code, title, span, label)
        }
    }

    /// Adds a further label.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            text: text.into(),
            instead: None,
        });
        self
    }

    /// Adds a note.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Says what to write instead.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Says which text at the primary place does what the help says.
    pub fn write(mut self, text: impl Into<String>) -> Self {
        if let Some(primary) = self.labels.first_mut() {
            primary.instead = Some(text.into());
        }
        self
    }

    /// Says which text at the place of a label, which need not be the primary one, does what the help says.
    pub fn write_at(mut self, span: Span, text: impl Into<String>) -> Self {
        if let Some(label) = self.labels.iter_mut().find(|label| label.span == span) {
            label.instead = Some(text.into());
        }
        self
    }

    /// Asks whether another word was meant at the primary place.
    pub fn meant(self, word: &str) -> Self {
        self.help(format!("did you mean `{word}`?")).write(word)
    }
}

impl From<Bug> for Diagnostic {
    /// Without a place in the model's text, which is not at fault.
    fn from(bug: Bug) -> Self {
        Self {
            severity: Severity::Error,
            code: codes::mechanics::E0399,
            title: bug.to_string(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: Some("please report this with the model".into()),
        }
    }
}
