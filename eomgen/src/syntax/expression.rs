//! Expressions. From tightest to loosest: postfix `'`, `.` and call; `^` (from the right, its exponent may have a
//! sign); the sign `-`; `*` and `/`; `+` and `-` (both from the left).

use super::ast::{BinaryOp, Expr, ExprKind};
use super::cursor::{Cursor, MapLabel, Parse};
use super::token::{Kind, Role};
use super::unit::MapHelp;
use crate::diag::{Diagnostic, codes::syntax as codes};
use crate::span::Span;

/// An expression and the depth of its tree.
type Measured = (Expr, u32);

impl Cursor<'_> {
    /// Reads an expression.
    pub(super) fn expr(&mut self) -> Parse<Expr> {
        Ok(self.sum()?.0)
    }

    fn sum(&mut self) -> Parse<Measured> {
        let mut left = self.product()?;
        loop {
            let op = match self.peek() {
                Some(Kind::Plus) => BinaryOp::Add,
                Some(Kind::Minus) => BinaryOp::Sub,
                _ => return Ok(left),
            };
            self.bump();
            let right = self.product()?;
            left = self.binary(op, left, right)?;
        }
    }

    fn product(&mut self) -> Parse<Measured> {
        let mut left = self.signed_power()?;
        loop {
            let op = match self.peek() {
                Some(Kind::Star) => BinaryOp::Mul,
                Some(Kind::Slash) => BinaryOp::Div,
                _ => return Ok(left),
            };
            self.bump();
            let right = self.signed_power()?;
            left = self.binary(op, left, right)?;
        }
    }

    /// A sign or a power: the operands of products, and the exponents of powers.
    fn signed_power(&mut self) -> Parse<Measured> {
        let start = self.here();
        if self.peek() == Some(Kind::Minus) {
            self.enter(start)?;
            self.bump_as(Role::Sign);
            let (operand, depth) = self.signed_power()?;
            self.leave();
            return self.node(ExprKind::Neg(Box::new(operand)), start, depth);
        }
        let base = self.postfix()?;
        if self.peek() != Some(Kind::Caret) {
            return Ok(base);
        }
        self.enter(start)?;
        self.bump();
        let exponent = self.signed_power()?;
        self.leave();
        self.binary(BinaryOp::Pow, base, exponent)
    }

    fn postfix(&mut self) -> Parse<Measured> {
        let (mut expr, mut depth) = self.primary()?;
        loop {
            let start = expr.span;
            match self.peek() {
                Some(Kind::Prime) => {
                    self.bump();
                    (expr, depth) = self.node(ExprKind::Prime(Box::new(expr)), start, depth)?;
                }
                Some(Kind::Dot) if matches!(expr.kind, ExprKind::Number { .. }) => {
                    return Err(point_without_digit(self, &expr));
                }
                Some(Kind::Dot) => {
                    self.bump();
                    let field = self.name("a component such as `x` after `.`")?;
                    let kind = ExprKind::Field(Box::new(expr), field);
                    (expr, depth) = self.node(kind, start, depth)?;
                }
                Some(Kind::OpenParen) => {
                    let help = "a product always has its `*`; only a plain name can be called, as in `sin(x)`";
                    return Err(self.unexpected("an operator").map_help(help));
                }
                _ => return Ok((expr, depth)),
            }
        }
    }

    fn primary(&mut self) -> Parse<Measured> {
        let start = self.here();
        match self.peek() {
            Some(Kind::Number) => {
                let text = self.number()?;
                let unit = self.bracketed_unit()?;
                self.node(ExprKind::Number { text, unit }, start, 0)
            }
            Some(Kind::Name) => {
                let name = self.name("an expression")?;
                if self.peek() != Some(Kind::OpenParen) {
                    return self.node(ExprKind::Name(name.text), start, 0);
                }
                let open = self.here();
                self.bump_as(Role::Call);
                let (args, depth) = self.elements(Kind::CloseParen, open, "`,` or `)`")?;
                self.node(ExprKind::Call(name, args), start, depth)
            }
            Some(Kind::OpenBracket) => {
                self.bump();
                let (items, depth) = self.elements(Kind::CloseBracket, start, "`,` or `]`")?;
                self.node(ExprKind::List(items), start, depth)
            }
            Some(Kind::OpenParen) => {
                self.enter(start)?;
                self.bump();
                let (inner, depth) = self.sum()?;
                self.close(Kind::CloseParen, start, "an operator or `)`")?;
                self.leave();
                self.node(ExprKind::Paren(Box::new(inner)), start, depth)
            }
            _ => Err(self.no_expression()),
        }
    }

    /// `[m/s^2]` directly after a number.
    fn bracketed_unit(&mut self) -> Parse<Option<super::ast::UnitExpr>> {
        let open = self.here();
        if !self.eat(Kind::OpenBracket) {
            return Ok(None);
        }
        let unit = self.unit().map_err(|error| {
            error.map_label(open, "a `[` directly after a number begins its unit")
        })?;
        self.close(Kind::CloseBracket, open, "`]`")?;
        Ok(Some(unit))
    }

    /// Expressions between commas up to the closing bracket; there may be none.
    fn elements(&mut self, close: Kind, open: Span, what: &str) -> Parse<(Vec<Expr>, u32)> {
        self.enter(open)?;
        let mut items = Vec::new();
        let mut deepest = 0;
        if self.peek() != Some(close) {
            loop {
                let (item, depth) = self.sum()?;
                items.push(item);
                deepest = deepest.max(depth);
                if !self.eat(Kind::Comma) {
                    break;
                }
            }
        }
        self.close(close, open, what)?;
        self.leave();
        Ok((items, deepest))
    }

    fn binary(&self, op: BinaryOp, left: Measured, right: Measured) -> Parse<Measured> {
        let start = left.0.span;
        let depth = left.1.max(right.1);
        let kind = ExprKind::Binary(op, Box::new(left.0), Box::new(right.0));
        self.node(kind, start, depth)
    }

    /// A node over children of this depth that ends with the last token read.
    fn node(&self, kind: ExprKind, start: Span, depth: u32) -> Parse<Measured> {
        self.limit(depth + 1, start)?;
        let span = start.to(self.last());
        Ok((Expr { kind, span }, depth + 1))
    }

    fn no_expression(&self) -> Box<Diagnostic> {
        let error = self.unexpected("an expression");
        match self.peek() {
            Some(Kind::Plus) => {
                error.map_help("leave out the `+`: numbers are positive without a sign")
            }
            Some(Kind::Star) if self.previous() == Some(Kind::Star) => {
                error.map_help("powers are written `x^2`")
            }
            _ => error,
        }
    }
}

fn point_without_digit(cursor: &Cursor, number: &Expr) -> Box<Diagnostic> {
    let ExprKind::Number { text, .. } = &number.kind else {
        return cursor.unexpected("an operator");
    };
    let title = "a number cannot be followed directly by `.`";
    let error = Diagnostic::error(
        codes::E0007,
        title,
        cursor.here(),
        "no digit follows this point",
    );
    Box::new(error.help(format!("write `{text}.0`, or `{text}` alone")))
}
