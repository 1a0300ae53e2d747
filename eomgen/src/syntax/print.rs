//! Expressions, references and units as text, in the layout of [`super::format`]. Brackets that the tree needs and does not have are added, so that
//! reading the text again gives the same meaning for any tree.

use super::ast::{BinaryOp, Expr, ExprKind, Logic, Ref, Segment, UnitExpr};

/// An expression.
pub fn expression(expr: &Expr) -> String {
    let mut out = String::new();
    write(&mut out, expr, Level::Whole);
    out
}

/// A reference.
pub fn reference(reference: &Ref) -> String {
    if let Some(made) = &reference.made {
        return expression(made);
    }
    let path = reference.path.iter().map(|segment| match segment {
        Segment::Index(index, _) => format!("[{}]", expression(index)),
        Segment::Range(from, to, _) => format!("[{}..{}]", expression(from), expression(to)),
        Segment::Field(field) => format!(".{}", field.text),
    });
    reference.ident.text.clone() + path.collect::<String>().as_str()
}

/// A unit.
pub fn unit(unit: &UnitExpr) -> String {
    let mut out = String::new();
    for (name, numerator, denominator) in &unit.factors {
        if *numerator < 0 {
            out.push_str(if out.is_empty() { "1/" } else { "/" });
        } else if !out.is_empty() {
            out.push('*');
        }
        out.push_str(&name.text);
        match (numerator.unsigned_abs(), *denominator) {
            (1, 1) => {}
            (power, 1) => out.push_str(&format!("^{power}")),
            (n, d) => out.push_str(&format!("^({n}/{d})")),
        }
    }
    if out.is_empty() {
        out.push('1');
    }
    out
}

/// Several with commas between them.
pub fn list<T>(all: &[T], text: impl Fn(&T) -> String) -> String {
    let all: Vec<String> = all.iter().map(text).collect();
    all.join(", ")
}

/// How tightly a place binds, from loosest to tightest.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Level {
    /// An `if`, or what stands alone.
    Whole,
    Or,
    And,
    Not,
    Compared,
    Sum,
    Product,
    Signed,
    Postfix,
}

fn level(expr: &Expr) -> Level {
    match &expr.kind {
        ExprKind::If { .. } => Level::Whole,
        ExprKind::Logic(Logic::Or, ..) => Level::Or,
        ExprKind::Logic(Logic::And, ..) => Level::And,
        ExprKind::Rate(_) => Level::Whole,
        ExprKind::Not(_) => Level::Not,
        ExprKind::Compare(..) => Level::Compared,
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, ..) => Level::Sum,
        ExprKind::Binary(BinaryOp::Mul | BinaryOp::Div, ..) => Level::Product,
        // What is behind `in` takes a prime, an index or a name to itself.
        ExprKind::Binary(BinaryOp::Pow, ..) | ExprKind::Neg(_) | ExprKind::Components(..) => {
            Level::Signed
        }
        _ => Level::Postfix,
    }
}

/// Two operands, each in a place that binds so, and what stands between them.
fn infix(out: &mut String, left: &Expr, (before, sign, after): (Level, &str, Level), right: &Expr) {
    write(out, left, before);
    out.push_str(sign);
    write(out, right, after);
}

/// What stands before a `.` or an index.
fn write_base(out: &mut String, base: &Expr) {
    match base.kind {
        ExprKind::Number { .. } => bracketed(out, base),
        _ => write(out, base, Level::Postfix),
    }
}

fn conditional(out: &mut String, condition: &Expr, then: &Expr, other: &Expr) {
    out.push_str("if ");
    infix(out, condition, (Level::Or, " then ", Level::Whole), then);
    out.push_str(" else ");
    write(out, other, Level::Whole);
}

fn bracketed(out: &mut String, expr: &Expr) {
    out.push('(');
    write(out, expr, Level::Whole);
    out.push(')');
}

fn write(out: &mut String, expr: &Expr, place: Level) {
    if level(expr) < place {
        return bracketed(out, expr);
    }
    match &expr.kind {
        ExprKind::Number { text, unit: None } => out.push_str(text),
        ExprKind::Number {
            text,
            unit: Some(unit),
        } => out.push_str(&format!("{text} [{}]", self::unit(unit))),
        ExprKind::Name(name) => out.push_str(name),
        ExprKind::Field(base, field) => {
            write_base(out, base);
            out.push('.');
            out.push_str(&field.text);
        }
        ExprKind::Prime(base) => {
            write(out, base, Level::Postfix);
            out.push('\'');
        }
        ExprKind::Call(name, args) => {
            out.push_str(&format!("{}({})", reference(name), list(args, expression)));
        }
        ExprKind::Index(base, index) => {
            write_base(out, base);
            out.push_str(&format!("[{}]", expression(index)));
        }
        ExprKind::Sum(sum) => {
            let (from, to) = (expression(&sum.from), expression(&sum.to));
            let (variable, body) = (&sum.variable.text, expression(&sum.body));
            out.push_str(&format!("sum({variable} in {from}..{to}, {body})"));
        }
        ExprKind::Components(items, frame) => {
            let (items, frame) = (list(items, expression), reference(frame));
            out.push_str(&format!("[{items}] in {frame}"));
        }
        ExprKind::List(items) => out.push_str(&format!("[{}]", list(items, expression))),
        ExprKind::Neg(operand) => {
            out.push('-');
            write(out, operand, Level::Signed);
        }
        ExprKind::Paren(inner) => bracketed(out, inner),
        ExprKind::Binary(op, left, right) => {
            let between = match op {
                BinaryOp::Add => (Level::Sum, " + ", Level::Product),
                BinaryOp::Sub => (Level::Sum, " - ", Level::Product),
                BinaryOp::Mul => (Level::Product, "*", Level::Signed),
                BinaryOp::Div => (Level::Product, "/", Level::Signed),
                BinaryOp::Pow => (Level::Postfix, "^", Level::Signed),
            };
            infix(out, left, between, right);
        }
        ExprKind::If {
            condition,
            then,
            other,
        } => conditional(out, condition, then, other),
        ExprKind::Compare(sign, left, right) => {
            let sign = format!(" {} ", sign.text());
            infix(out, left, (Level::Sum, &sign, Level::Sum), right);
        }
        ExprKind::Logic(Logic::Or, left, right) => {
            infix(out, left, (Level::Or, " or ", Level::And), right);
        }
        ExprKind::Logic(Logic::And, left, right) => {
            infix(out, left, (Level::And, " and ", Level::Not), right);
        }
        ExprKind::Rate(rate) => {
            out.push_str("rate ");
            write(out, rate, Level::Whole);
        }
        ExprKind::Not(operand) => {
            out.push_str("not ");
            write(out, operand, Level::Not);
        }
        ExprKind::Error => out.push_str("<error>"),
    }
}
