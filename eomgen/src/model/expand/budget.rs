//! Limits on what a model may become when it is written out.

use crate::diag::Diagnostic;
use crate::model::codes;
use crate::span::Span;

/// Most statements, declared elements and iterations of loops.
pub const STATEMENTS: u64 = 10_000;
/// Most nodes of expressions that are written out more than once.
pub const PIECES: u64 = 400_000;
/// Most terms of one sum.
pub const TERMS: i64 = 1_000;

/// What is spent.
#[derive(Default)]
pub struct Budget {
    statements: u64,
    pieces: u64,
    /// Whether more was requested than there is; told once.
    pub spent: bool,
}

impl Budget {
    /// Asks for so many statements.
    pub fn statements(&mut self, count: u64, span: Span) -> Result<(), Option<Diagnostic>> {
        self.statements = self.statements.saturating_add(count);
        self.within(self.statements, STATEMENTS, "statements", span)
    }

    /// Asks for so many nodes of expressions.
    pub fn pieces(&mut self, count: u64, span: Span) -> Result<(), Option<Diagnostic>> {
        self.pieces = self.pieces.saturating_add(count);
        self.within(self.pieces, PIECES, "nodes of expressions", span)
    }

    fn within(
        &mut self,
        spent: u64,
        limit: u64,
        what: &str,
        span: Span,
    ) -> Result<(), Option<Diagnostic>> {
        if spent <= limit && !self.spent {
            return Ok(());
        }
        let first = !std::mem::replace(&mut self.spent, true);
        Err(first.then(|| {
            let title = format!("after expansion the model has more than {limit} {what}");
            Diagnostic::error(codes::TOO_LARGE, title, span, "the limit is reached here")
                .help("use smaller counts")
        }))
    }
}

/// A sum with too many terms.
pub fn long_sum(span: Span) -> Diagnostic {
    let title = format!("a sum has more than {TERMS} terms");
    Diagnostic::error(codes::TOO_LARGE, title, span, "too long").help("use a smaller count")
}
