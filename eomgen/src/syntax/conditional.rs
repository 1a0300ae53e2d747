//! `if CONDITION then a else b`, and the operators of conditions: `<`, `<=`, `>`, `>=` bind less than `+`, then `not`,
//! `and`, `or`. They are operators behind an `if` only, so that they may end an expression everywhere else.

use super::ast::{BinaryOp, Expr, ExprKind, Logic, Relation};
use super::cursor::{Cursor, Parse};
use super::messages::Boxed;
use super::open::{Closed, Measured, Open, Operator, in_condition};
use super::token::Kind;
use crate::diag::{Diagnostic, codes::loads};

impl Cursor<'_> {
    /// The operator that comes next, if one does.
    pub(super) fn operator(&self, stack: &[Open]) -> Parse<Option<Operator>> {
        let plain = match self.peek() {
            Some(Kind::Plus) => BinaryOp::Add,
            Some(Kind::Minus) => BinaryOp::Sub,
            Some(Kind::Star) => BinaryOp::Mul,
            Some(Kind::Slash) => BinaryOp::Div,
            Some(Kind::Caret) => BinaryOp::Pow,
            Some(_) if in_condition(stack) => return self.of_condition(),
            _ => return Ok(None),
        };
        Ok(Some(Operator::Plain(plain)))
    }

    fn of_condition(&self) -> Parse<Option<Operator>> {
        let relation = match self.peek() {
            Some(Kind::Less) => Relation::Less,
            Some(Kind::LessEqual) => Relation::LessEqual,
            Some(Kind::Greater) => Relation::Greater,
            Some(Kind::GreaterEqual) => Relation::GreaterEqual,
            Some(Kind::Same | Kind::Differs | Kind::Equal) => {
                let error = Diagnostic::error(
                    loads::E0420,
                    "a condition compares with `<`, `<=`, `>` or `>=`",
                    self.here(),
                    "equality of quantities cannot be decided",
                );
                let help = "write an inequality, such as `x <= 0` or `abs(x) < 1e-6`";
                return Err(Box::new(error.help(help)));
            }
            Some(Kind::Name) if self.at_word("and") => {
                return Ok(Some(Operator::Logic(Logic::And)));
            }
            Some(Kind::Name) if self.at_word("or") => return Ok(Some(Operator::Logic(Logic::Or))),
            _ => return Ok(None),
        };
        Ok(Some(Operator::Compare(relation)))
    }

    /// Refuses `a < b < c`.
    pub(super) fn chained(&self, waiting: Operator, next: Operator) -> Parse<()> {
        if !matches!(
            (waiting, next),
            (Operator::Compare(_), Operator::Compare(_))
        ) {
            return Ok(());
        }
        let error = Diagnostic::error(
            loads::E0420,
            "comparisons cannot be chained",
            self.here(),
            "a second comparison",
        );
        Err(Box::new(error.help("write `a < b and b < c`")))
    }

    /// Opens an `if` or a `not` if one comes next.
    pub(super) fn conditional(&mut self, stack: &mut Vec<Open>) -> Parse<bool> {
        let start = self.here();
        if self.at_word("not") && in_condition(stack) {
            self.bump();
            self.push(stack, Open::Not(start))?;
            return Ok(true);
        }
        if !self.at_word("if") {
            return Ok(false);
        }
        if matches!(
            stack.last(),
            Some(Open::Sign(_) | Open::Not(_) | Open::Binary(..))
        ) {
            let error = Diagnostic::error(
                loads::E0420,
                "an `if` inside an expression needs parentheses",
                start,
                "its end would be unclear",
            );
            return Err(Box::new(
                error.help("write `(if ... then ... else ...)` with its parentheses"),
            ));
        }
        self.bump();
        self.push(stack, Open::If(start))?;
        Ok(true)
    }

    /// Goes on after a complete part of an `if`.
    pub(super) fn branch(&mut self, stack: &mut Vec<Open>, value: Measured) -> Parse<Closed> {
        match stack.pop() {
            Some(Open::If(start)) => {
                self.word_of_if("then", "`then`, `and`, `or` or an operator")?;
                if !is_condition(&value.0) {
                    let error = Diagnostic::error(
                        loads::E0420,
                        "this is not a condition",
                        value.0.span,
                        "this compares nothing",
                    );
                    return Err(Box::new(error.help(
                        "compare two quantities, as in `if x > 0 then ... else ...`",
                    )));
                }
                self.push(stack, Open::Then(start, value))?;
                Ok(Closed::NextElement)
            }
            Some(Open::Then(start, condition)) => {
                self.word_of_if("else", "`else` or an operator")?;
                self.push(stack, Open::Else(start, condition, value))?;
                Ok(Closed::NextElement)
            }
            Some(Open::Else(start, condition, then)) => {
                let depth = condition.1.max(then.1).max(value.1);
                let kind = ExprKind::If {
                    condition: Box::new(condition.0),
                    then: Box::new(then.0),
                    other: Box::new(value.0),
                };
                Ok(Closed::Value(self.node(kind, start, depth)?))
            }
            other => {
                stack.extend(other);
                Ok(Closed::End(value.0))
            }
        }
    }

    fn word_of_if(&mut self, word: &str, expected: &str) -> Parse<()> {
        if self.eat_word(word) {
            return Ok(());
        }
        let help = "write `if x < 0 then a else b`; both values are needed";
        Err(self.unexpected(expected).map_help(help))
    }
}

/// Whether an expression is true or false.
fn is_condition(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Compare(..) | ExprKind::Logic(..) | ExprKind::Not(_) => true,
        ExprKind::Paren(inner) => is_condition(inner),
        _ => false,
    }
}
