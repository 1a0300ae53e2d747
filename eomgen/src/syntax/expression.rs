//! Expressions. From tightest to loosest: postfix `'`, `.` and call; `^` (from the right, its exponent may have a
//! sign); the sign `-`; `*` and `/`; `+` and `-` (both from the left). In the condition of an `if` the relations, `not`,
//! `and` and `or` follow; see [`super::conditional`].

use super::ast::{BinaryOp, Expr, ExprKind, Ref, Sum};
use super::cursor::{Cursor, Parse};
use super::messages::Boxed;
use super::open::{Closed, Elements, Measured, Open, Operator, SumHead};
use super::token::{Kind, Role};
use crate::diag::{Diagnostic, codes::syntax as codes};
use crate::span::Span;

impl Cursor<'_> {
    /// Reads an expression.
    pub(super) fn expr(&mut self) -> Parse<Expr> {
        let mut stack = Vec::new();
        loop {
            let Some(mut value) = self.operand(&mut stack)? else {
                continue;
            };
            loop {
                value = self.postfix(value)?;
                match self.open_behind(&mut stack, value)? {
                    Behind::Nothing(same) => value = same,
                    Behind::Complete(call) => {
                        value = call;
                        continue;
                    }
                    Behind::Opened => break,
                }
                if let Some(op) = self.operator(&stack)? {
                    let left = self.reduce(&mut stack, value, op)?;
                    self.bump();
                    self.push(&mut stack, Open::Binary(op, left))?;
                    break;
                }
                value = self.reduce_all(&mut stack, value)?;
                match self.close_bracket(&mut stack, value)? {
                    Closed::Value(closed) => value = closed,
                    Closed::NextElement => break,
                    Closed::End(expr) => return Ok(expr),
                }
            }
        }
    }

    /// Reads a number or a name, or opens what an operand may begin with (then there is no value yet).
    fn operand(&mut self, stack: &mut Vec<Open>) -> Parse<Option<Measured>> {
        let start = self.here();
        match self.peek() {
            Some(Kind::Number) => {
                let text = self.number()?;
                let unit = self.bracketed_unit()?;
                let number = ExprKind::Number { text, unit };
                Ok(Some(self.node(number, start, 0)?))
            }
            Some(Kind::Name) if self.conditional(stack)? => Ok(None),
            Some(Kind::Name) if self.begins_rate(stack) => {
                self.bump();
                self.push(stack, Open::Rate(start))?;
                Ok(None)
            }
            Some(Kind::Name) => {
                let name = self.name("an expression")?;
                if name.text == "sum" && self.peek() == Some(Kind::OpenParen) && self.counts() {
                    return self.sum(stack, start);
                }
                Ok(Some(self.node(ExprKind::Name(name.text), start, 0)?))
            }
            Some(Kind::OpenBracket) => {
                self.bump();
                self.elements(stack, None, start)
            }
            Some(Kind::OpenParen) => {
                self.bump();
                self.push(stack, Open::Paren(start))?;
                Ok(None)
            }
            Some(Kind::Minus) => {
                self.bump_as(Role::Sign);
                self.push(stack, Open::Sign(start))?;
                Ok(None)
            }
            _ => Err(self.no_expression(stack)),
        }
    }

    /// Opens an index behind a name, or a call.
    fn open_behind(&mut self, stack: &mut Vec<Open>, value: Measured) -> Parse<Behind> {
        let open = self.here();
        match self.peek() {
            Some(Kind::OpenBracket) if is_path(&value.0) => {
                self.bump_as(Role::Index);
                self.push(stack, Open::Index(value, open))?;
                Ok(Behind::Opened)
            }
            Some(Kind::OpenParen) if is_path(&value.0) => {
                self.bump_as(Role::Call);
                let function = Ref::of(value.0);
                Ok(match self.elements(stack, function, open)? {
                    Some(call) => Behind::Complete(call),
                    None => Behind::Opened,
                })
            }
            Some(Kind::OpenParen) => {
                let error = self.unexpected("an operator");
                Err(self
                    .side_by_side(error)
                    .map_note("only a plain name can be called, as in `sin(x)`"))
            }
            _ => Ok(Behind::Nothing(value)),
        }
    }

    /// Whether `rate Om(t)` comes next, in place of the angle of a `rotate`.
    fn begins_rate(&self, stack: &[Open]) -> bool {
        let Some(Open::Elements(elements)) = stack.last() else {
            return false;
        };
        let rotation = elements
            .function
            .as_ref()
            .is_some_and(|f| f.text == "rotate");
        let value = matches!(self.peek_second(), Some(Kind::Name | Kind::Number));
        rotation && elements.items.len() == 1 && self.at_word("rate") && value
    }

    /// Whether `(i in` comes next.
    fn counts(&self) -> bool {
        self.peek_second() == Some(Kind::Name) && self.word_at(2) == Some("in")
    }

    /// Begins `sum(i in 1..n, m[i])`.
    fn sum(&mut self, stack: &mut Vec<Open>, start: Span) -> Parse<Option<Measured>> {
        let open = self.here();
        self.bump_as(Role::Call);
        let variable = self.name("a counter")?;
        self.expect_word("in")?;
        let head = SumHead {
            start,
            open,
            variable,
            range: Vec::new(),
            depth: 0,
        };
        self.push(stack, Open::Sum(head))?;
        Ok(None)
    }

    /// Goes on after a complete part of a sum.
    fn next_of_sum(
        &mut self,
        stack: &mut Vec<Open>,
        mut head: SumHead,
        value: Measured,
    ) -> Parse<Closed> {
        let (expr, depth) = value;
        head.depth = head.depth.max(depth);
        let next = match head.range.len() {
            0 => Some((Kind::Range, "an operator or `..` and the last value")),
            1 => Some((Kind::Comma, "an operator or `,` and the summand")),
            _ => None,
        };
        if let Some((kind, what)) = next {
            if self.token().is_none() {
                return Err(self.unclosed(")", head.open, what));
            }
            self.expect(kind, what)?;
            head.range.push(expr);
            stack.push(Open::Sum(head));
            return Ok(Closed::NextElement);
        }
        self.close(Kind::CloseParen, head.open, "an operator or `)`")?;
        let mut range = head.range.into_iter();
        let (Some(from), Some(to)) = (range.next(), range.next()) else {
            return Err(self.unexpected("a range"));
        };
        let sum = Sum {
            variable: head.variable,
            from,
            to,
            body: expr,
        };
        let kind = ExprKind::Sum(Box::new(sum));
        Ok(Closed::Value(self.node(kind, head.start, head.depth)?))
    }

    /// Begins a call or a list; one without elements is complete at once.
    fn elements(
        &mut self,
        stack: &mut Vec<Open>,
        function: Option<Ref>,
        open: Span,
    ) -> Parse<Option<Measured>> {
        let elements = Elements {
            function,
            open,
            items: Vec::new(),
            depth: 0,
        };
        if self.peek() == Some(elements.closing().0) {
            self.bump();
            return Ok(Some(self.finish_elements(elements)?));
        }
        self.push(stack, Open::Elements(elements))?;
        Ok(None)
    }

    fn finish_elements(&self, elements: Elements) -> Parse<Measured> {
        let depth = elements.depth;
        match elements.function {
            Some(name) => {
                let start = name.ident.span;
                self.node(ExprKind::Call(name, elements.items), start, depth)
            }
            None => self.node(ExprKind::List(elements.items), elements.open, depth),
        }
    }

    /// Behind `[a, b, c] in`: the frame.
    fn components(&mut self, elements: Elements) -> Parse<Measured> {
        let frame = self.reference("the name of a frame")?;
        let kind = ExprKind::Components(elements.items, frame);
        self.node(kind, elements.open, elements.depth)
    }

    /// Reads what follows an operand and binds tightest.
    fn postfix(&mut self, value: Measured) -> Parse<Measured> {
        let (mut expr, mut depth) = value;
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
                _ => return Ok((expr, depth)),
            }
        }
    }

    /// Completes the operations that bind tighter than the coming operator, or as tightly and from the left.
    fn reduce(
        &self,
        stack: &mut Vec<Open>,
        mut value: Measured,
        next: Operator,
    ) -> Parse<Measured> {
        let power = Operator::Plain(BinaryOp::Pow);
        loop {
            let waiting = match stack.last() {
                Some(Open::Sign(_)) => Operator::SIGN,
                Some(Open::Not(_)) => Operator::NOT,
                Some(Open::Binary(op, _)) if *op == power && next == power => return Ok(value),
                Some(Open::Binary(op, _)) => {
                    self.chained(*op, next)?;
                    op.strength()
                }
                _ => return Ok(value),
            };
            if waiting < next.strength() {
                return Ok(value);
            }
            value = self.reduce_one(stack, value)?;
        }
    }

    /// Completes all operations down to the innermost open bracket.
    fn reduce_all(&self, stack: &mut Vec<Open>, mut value: Measured) -> Parse<Measured> {
        while matches!(
            stack.last(),
            Some(Open::Sign(_) | Open::Not(_) | Open::Binary(..))
        ) {
            value = self.reduce_one(stack, value)?;
        }
        Ok(value)
    }

    fn reduce_one(&self, stack: &mut Vec<Open>, (expr, depth): Measured) -> Parse<Measured> {
        let right = Box::new(expr);
        match stack.pop() {
            Some(Open::Sign(start)) => self.node(ExprKind::Neg(right), start, depth),
            Some(Open::Not(start)) => self.node(ExprKind::Not(right), start, depth),
            Some(Open::Binary(op, (left, left_depth))) => {
                let start = left.span;
                let kind = op.node(Box::new(left), right);
                self.node(kind, start, depth.max(left_depth))
            }
            other => {
                stack.extend(other);
                Ok((*right, depth))
            }
        }
    }

    /// Goes on after a complete expression: its bracket closes, or a comma follows, or it was the whole.
    fn close_bracket(&mut self, stack: &mut Vec<Open>, value: Measured) -> Parse<Closed> {
        if matches!(
            stack.last(),
            Some(Open::If(_) | Open::Then(..) | Open::Else(..))
        ) {
            return self.branch(stack, value);
        }
        let (expr, depth) = value;
        if self.peek() == Some(Kind::Comma)
            && let Some(Open::Elements(elements)) = stack.last_mut()
        {
            self.bump();
            elements.items.push(expr);
            elements.depth = elements.depth.max(depth);
            return Ok(Closed::NextElement);
        }
        match stack.pop() {
            Some(Open::Rate(start)) => {
                let rate = self.node(ExprKind::Rate(Box::new(expr)), start, depth)?;
                Ok(Closed::Value(rate))
            }
            Some(Open::Paren(start)) => {
                self.close(Kind::CloseParen, start, "an operator or `)`")?;
                let paren = self.node(ExprKind::Paren(Box::new(expr)), start, depth)?;
                Ok(Closed::Value(paren))
            }
            Some(Open::Elements(mut elements)) => {
                elements.items.push(expr);
                elements.depth = elements.depth.max(depth);
                let (kind, _, what) = elements.closing();
                self.close(kind, elements.open, what)?;
                if elements.function.is_none() && self.eat_word("in") {
                    return Ok(Closed::Value(self.components(elements)?));
                }
                Ok(Closed::Value(self.finish_elements(elements)?))
            }
            Some(Open::Index((base, base_depth), open)) => {
                self.close(Kind::CloseBracket, open, "an operator or `]`")?;
                let start = base.span;
                let kind = ExprKind::Index(Box::new(base), Box::new(expr));
                Ok(Closed::Value(self.node(
                    kind,
                    start,
                    depth.max(base_depth),
                )?))
            }
            Some(Open::Sum(head)) => self.next_of_sum(stack, head, (expr, depth)),
            other => {
                stack.extend(other);
                Ok(Closed::End(expr))
            }
        }
    }

    /// Opens something, unless too much is open already.
    pub(super) fn push(&self, stack: &mut Vec<Open>, open: Open) -> Parse<()> {
        stack.push(open);
        self.limit(stack.len() as u32)
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

    /// A node over children of this depth that ends with the last token read.
    pub(super) fn node(&self, kind: ExprKind, start: Span, depth: u32) -> Parse<Measured> {
        self.limit(depth + 1)?;
        let span = start.to(self.last());
        Ok((Expr { kind, span }, depth + 1))
    }

    fn no_expression(&self, stack: &[Open]) -> Box<Diagnostic> {
        let error = self.unexpected("an expression");
        match self.peek() {
            None => {
                let innermost = stack.iter().rev().find_map(|open| match open {
                    Open::Paren(start) => Some((")", *start)),
                    Open::Elements(elements) => Some((elements.closing().1, elements.open)),
                    Open::Index(_, start) => Some(("]", *start)),
                    Open::Sum(head) => Some((")", head.open)),
                    _ => None,
                });
                match innermost {
                    Some((sign, open)) => {
                        self.unclosed(sign, open, &format!("an expression and `{sign}`"))
                    }
                    None => error,
                }
            }
            Some(Kind::Plus) => {
                let help = "remove the `+`: numbers are positive without a sign";
                error.map_help(help).map_write("")
            }
            Some(Kind::Star) if self.previous() == Some(Kind::Star) => {
                error.map_help("powers are written `x^2`")
            }
            _ => error,
        }
    }
}

/// What was opened behind an operand.
enum Behind {
    /// Nothing; this is the operand.
    Nothing(Measured),
    /// A call without arguments.
    Complete(Measured),
    /// An index or the arguments of a call.
    Opened,
}

/// Whether an expression is a name with indices and further names, which an index or arguments may follow. Components
/// are none: after `B.x` a parenthesis lacks its `*`.
fn is_path(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(_) => true,
        ExprKind::Index(base, _) => is_path(base),
        ExprKind::Field(base, field) => {
            !matches!(field.text.as_str(), "x" | "y" | "z") && is_path(base)
        }
        _ => false,
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
    let error = error.help(format!("write `{text}.0`, or `{text}` alone"));
    Box::new(error.write(".0"))
}
