//! The pieces of an expression that is being parsed: the operators, and the operations that wait for their last operand. Knows no tokens' order;
//! reading them is the matter of [`super::expression`] and [`super::conditional`].

use super::ast::{BinaryOp, Expr, ExprKind, Ident, Logic, Ref, Relation};
use super::token::Kind;
use crate::span::Span;

/// An expression and the depth of its tree.
pub(super) type Measured = (Expr, u32);

/// What waits for its last operand. These stand on a stack of our own, so that nesting cannot exhaust the machine's.
pub(super) enum Open {
    Sign(Span),
    Not(Span),
    Binary(Operator, Measured),
    Paren(Span),
    Elements(Elements),
    /// What the index belongs to, and its bracket.
    Index(Measured, Span),
    Sum(SumHead),
    /// Behind `rate`.
    Rate(Span),
    /// Behind `if`: the condition is read.
    If(Span),
    /// After `then`, with the condition.
    Then(Span, Measured),
    /// Behind `else`, with the condition and the first value.
    Else(Span, Measured, Measured),
}

/// A sum as far as it is read.
pub(super) struct SumHead {
    pub(super) start: Span,
    pub(super) open: Span,
    pub(super) variable: Ident,
    /// The first value, then the last.
    pub(super) range: Vec<Expr>,
    pub(super) depth: u32,
}

/// The arguments of a call, or the items of a list, read so far.
pub(super) struct Elements {
    /// The function's name; none for a list.
    pub(super) function: Option<Ref>,
    pub(super) open: Span,
    pub(super) items: Vec<Expr>,
    pub(super) depth: u32,
}

impl Elements {
    /// What ends them: the token, as text, and what is expected before it.
    pub(super) fn closing(&self) -> (Kind, &'static str, &'static str) {
        match self.function {
            Some(_) => (Kind::CloseParen, ")", "`,`, an operator or `)`"),
            None => (Kind::CloseBracket, "]", "`,`, an operator or `]`"),
        }
    }
}

/// What an expression's end means for what is around it.
pub(super) enum Closed {
    /// It completed a larger value.
    Value(Measured),
    /// Another element follows.
    NextElement,
    /// Nothing is around it.
    End(Expr),
}

/// What stands between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Plain(BinaryOp),
    Compare(Relation),
    Logic(Logic),
}

impl Operator {
    /// The sign binds tighter than products and less than powers.
    pub(super) const SIGN: u32 = 7;
    /// `not` binds less than relations and tighter than `and`.
    pub(super) const NOT: u32 = 3;

    /// Its binding strength.
    pub(super) fn strength(self) -> u32 {
        match self {
            Operator::Logic(Logic::Or) => 1,
            Operator::Logic(Logic::And) => 2,
            Operator::Compare(_) => 4,
            Operator::Plain(BinaryOp::Add | BinaryOp::Sub) => 5,
            Operator::Plain(BinaryOp::Mul | BinaryOp::Div) => 6,
            Operator::Plain(BinaryOp::Pow) => 8,
        }
    }

    /// The node that it makes of its operands.
    pub(super) fn node(self, left: Box<Expr>, right: Box<Expr>) -> ExprKind {
        match self {
            Operator::Plain(op) => ExprKind::Binary(op, left, right),
            Operator::Compare(relation) => ExprKind::Compare(relation, left, right),
            Operator::Logic(logic) => ExprKind::Logic(logic, left, right),
        }
    }
}

/// Whether what is read now belongs to the condition of an `if`.
pub(super) fn in_condition(stack: &[Open]) -> bool {
    for open in stack.iter().rev() {
        match open {
            Open::Sign(_) | Open::Not(_) | Open::Binary(..) | Open::Paren(_) => {}
            Open::If(_) => return true,
            _ => return false,
        }
    }
    false
}
