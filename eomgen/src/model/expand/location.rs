//! Where an expression is read: in which file as used once, in which iteration of which loops.

use crate::diag::Diagnostic;
use crate::span::Span;
use std::rc::Rc;

/// Variables of the loops around a statement with their values, outermost first.
pub(super) type Iterations = Rc<Vec<(String, i64)>>;

/// Where an expression is read.
#[derive(Clone)]
pub(super) struct Location {
    /// The number of the scope.
    pub(super) scope: usize,
    pub(super) iterations: Iterations,
    /// The copy of the text.
    pub(super) copy: u32,
}

impl Location {
    /// Outside of all loops.
    pub(super) fn of_scope(scope: usize, copy: u32) -> Self {
        let iterations = Rc::new(Vec::new());
        Self {
            scope,
            iterations,
            copy,
        }
    }

    /// A span of this copy of the text.
    pub(super) fn span(&self, span: Span) -> Span {
        Span {
            copy: self.copy,
            ..span
        }
    }

    /// A message about this copy of the text.
    pub(super) fn message(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        for label in &mut diagnostic.labels {
            if label.span.copy == 0 {
                label.span.copy = self.copy;
            }
        }
        diagnostic
    }
}
