//! What was found wrong in a description, and what of it has no place in a model. Knows texts and places alone.

use std::ops::Range;

use crate::diag::Diagnostic;
use crate::diag::codes::import::W0605;
use crate::span::Span;

/// Most names in one line of what was left out.
const MOST_NAMES: usize = 6;

/// One kind of thing that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Left {
    what: String,
    names: Vec<String>,
    span: Span,
}

impl Left {
    /// `meshes: base, arm and 3 more`
    fn line(&self) -> String {
        let shown: Vec<&str> = self
            .names
            .iter()
            .take(MOST_NAMES)
            .map(String::as_str)
            .collect();
        let more = self.names.len() - shown.len();
        let tail = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        if shown.is_empty() {
            self.what.clone()
        } else {
            format!("{}: {}{tail}", self.what, shown.join(", "))
        }
    }
}

/// All of it, in the order in which it was found.
#[derive(Debug, Default)]
pub struct Findings {
    /// Errors: with one of them there is no model.
    pub wrong: Vec<Diagnostic>,
    left: Vec<Left>,
    /// How angles were read: what is written, and the degrees taken for it.
    pub angles: Vec<(String, String)>,
}

/// A place in the description.
pub fn span(range: Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

impl Findings {
    /// Something that makes a model impossible.
    pub fn error(
        &mut self,
        code: &'static str,
        title: impl Into<String>,
        at: Span,
        label: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.wrong
            .push(Diagnostic::error_with_help(code, title, at, label, help));
    }

    /// Something of this kind, of the thing of this name, is not in the model.
    pub fn left_out(&mut self, what: impl Into<String>, name: impl Into<String>, at: Span) {
        let (what, name) = (what.into(), name.into());
        let entry = match self.left.iter().position(|left| left.what == what) {
            Some(at) => &mut self.left[at],
            None => {
                self.left.push(Left {
                    what,
                    names: Vec::new(),
                    span: at,
                });
                let last = self.left.len() - 1;
                &mut self.left[last]
            }
        };
        if !name.is_empty() && !entry.names.contains(&name) {
            entry.names.push(name);
        }
    }

    /// Its places as places elsewhere.
    pub fn placed(&mut self, place: &dyn Fn(Span) -> Span) {
        for label in self.wrong.iter_mut().flat_map(|wrong| &mut wrong.labels) {
            label.span = place(label.span);
        }
        for left in &mut self.left {
            left.span = place(left.span);
        }
    }

    /// What was found elsewhere as well.
    pub fn join(&mut self, other: Self) {
        self.wrong.extend(other.wrong);
        for left in other.left {
            match left.names.is_empty() {
                true => self.left_out(left.what, "", left.span),
                false => {
                    for name in left.names {
                        self.left_out(left.what.clone(), name, left.span);
                    }
                }
            }
        }
        for (written, read) in other.angles {
            self.angle(written, read);
        }
    }

    /// An angle that was read as whole degrees.
    pub fn angle(&mut self, written: String, read: String) {
        let pair = (written, read);
        if !self.angles.contains(&pair) {
            self.angles.push(pair);
        }
    }

    /// What was left out, a line for each kind.
    pub fn left_lines(&self) -> Vec<String> {
        self.left.iter().map(Left::line).collect()
    }

    /// The same as warnings that point to where each kind was found first.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        self.left
            .iter()
            .map(|left| {
                Diagnostic::warning(W0605, format!("left out: {}", left.line()), left.span, "")
            })
            .collect()
    }
}
