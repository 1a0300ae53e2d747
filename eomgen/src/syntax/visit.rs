//! The names, references and expressions of a statement, one after the other. Knows nothing of what they mean.

use super::ast::{
    BodyClause, Declared, Expr, ExprKind, Ident, Item, ItemKind, Name, NameIndex, Ref, Segment,
    SpringPlace, UnitExpr,
};
use crate::span::Span;

/// What is done with each piece of a statement. Pieces inside expressions, indices and references are its own business.
pub trait Rewrite {
    /// A name that is declared.
    fn name(&mut self, name: &mut Name);
    /// A reference that stands outside expressions.
    fn reference(&mut self, reference: &mut Ref);
    /// A whole expression.
    fn expr(&mut self, expr: &mut Expr);
    /// The unit of a declaration.
    fn unit(&mut self, unit: &mut UnitExpr);
    /// Any other word of the model's own.
    fn word(&mut self, word: &mut Ident);
    /// The place of a statement or clause.
    fn place(&mut self, span: &mut Span);
}

/// Goes through a statement in the order of its text.
pub fn item(item: &mut Item, with: &mut impl Rewrite) {
    with.place(&mut item.span);
    match &mut item.kind {
        ItemKind::Model(name) | ItemKind::Part(name) => with.word(name),
        ItemKind::Const(names) => declared(names, with),
        ItemKind::For {
            variable,
            from,
            to,
            body,
        } => {
            with.word(variable);
            with.expr(from);
            with.expr(to);
            body.iter_mut().for_each(|inner| self::item(inner, with));
        }
        ItemKind::Use { path, name, args } => {
            with.word(path);
            with.name(name);
            for arg in args {
                with.word(&mut arg.name);
                with.expr(&mut arg.value);
            }
        }
        ItemKind::Needs { names, .. } => names.iter_mut().for_each(|name| with.name(name)),
        ItemKind::Param {
            names,
            unit,
            assume,
        }
        | ItemKind::Coord {
            names,
            unit,
            assume,
        } => {
            declared(names, with);
            unit.iter_mut().for_each(|unit| with.unit(unit));
            assume.iter_mut().for_each(|(_, bound)| with.expr(bound));
        }
        ItemKind::Input { names, unit } => {
            declared(names, with);
            unit.iter_mut().for_each(|unit| with.unit(unit));
        }
        ItemKind::Function { signatures, unit } => {
            for signature in signatures {
                with.name(&mut signature.name);
                signature
                    .args
                    .iter_mut()
                    .for_each(|arg| with.reference(arg));
            }
            unit.iter_mut().for_each(|unit| with.unit(unit));
        }
        ItemKind::Let { name, value }
        | ItemKind::Frame { name, value }
        | ItemKind::Point { name, value }
        | ItemKind::Energy { name, value, .. }
        | ItemKind::Speed { name, value }
        | ItemKind::Output { name, value } => {
            with.name(name);
            with.expr(value);
        }
        ItemKind::Particle { name, mass, at } => {
            with.name(name);
            with.expr(mass);
            with.reference(at);
        }
        ItemKind::Reaction {
            name,
            at,
            direction,
        } => {
            with.name(name);
            with.reference(at);
            with.expr(direction);
        }
        ItemKind::ReactionPair {
            name,
            on,
            along,
            opposite,
            ..
        } => {
            with.name(name);
            with.reference(on);
            with.expr(along);
            opposite.iter_mut().for_each(|q| with.reference(q));
        }
        ItemKind::Body { name, clauses } => {
            with.name(name);
            clauses.iter_mut().for_each(|one| clause(one, with));
        }
        ItemKind::Group { name, members } => {
            with.name(name);
            members.iter_mut().for_each(|member| with.reference(member));
        }
        ItemKind::Gravity(value) => with.expr(value),
        ItemKind::Load {
            on,
            opposite,
            value,
            ..
        } => {
            with.reference(on);
            opposite.iter_mut().for_each(|other| with.reference(other));
            with.expr(value);
        }
        ItemKind::Spring {
            name,
            place,
            clauses,
            ..
        } => {
            with.name(name);
            match place {
                SpringPlace::Between(from, to) => {
                    with.reference(from);
                    with.reference(to);
                }
                SpringPlace::On(expr) => with.expr(expr),
            }
            for clause in clauses {
                with.place(&mut clause.span);
                with.expr(&mut clause.value);
            }
        }
        ItemKind::Constraint {
            name,
            lhs,
            rhs,
            frame,
        } => {
            with.name(name);
            with.expr(lhs);
            with.expr(rhs);
            frame.iter_mut().for_each(|frame| with.reference(frame));
        }
        ItemKind::Privileged(list) => list.iter_mut().for_each(|speed| with.expr(speed)),
        ItemKind::Assume { lhs, rhs, .. } => {
            with.expr(lhs);
            with.expr(rhs);
        }
    }
}

fn declared(names: &mut [Declared], with: &mut impl Rewrite) {
    for declared in names {
        with.name(&mut declared.name);
        declared.value.iter_mut().for_each(|value| with.expr(value));
    }
}

fn clause(clause: &mut BodyClause, with: &mut impl Rewrite) {
    match clause {
        BodyClause::Frame(name) | BodyClause::Center(name) => with.reference(name),
        BodyClause::Mass(mass) => with.expr(mass),
        BodyClause::Inertia {
            entries,
            about,
            frame,
            span,
        } => {
            with.place(span);
            entries.iter_mut().for_each(|entry| with.expr(entry));
            about.iter_mut().for_each(|about| with.reference(about));
            frame.iter_mut().for_each(|frame| with.reference(frame));
        }
    }
}

/// The parts of an expression one level down, for changing them; indices and ranges are among them.
pub fn children(expr: &mut Expr) -> Vec<&mut Expr> {
    match &mut expr.kind {
        ExprKind::Field(inner, _)
        | ExprKind::Prime(inner)
        | ExprKind::Neg(inner)
        | ExprKind::Not(inner)
        | ExprKind::Paren(inner) => vec![&mut **inner],
        ExprKind::Call(function, args) => indices(function).chain(args).collect(),
        ExprKind::List(items) => items.iter_mut().collect(),
        ExprKind::Index(one, other)
        | ExprKind::Binary(_, one, other)
        | ExprKind::Compare(_, one, other)
        | ExprKind::Logic(_, one, other) => {
            vec![&mut **one, &mut **other]
        }
        ExprKind::If {
            condition,
            then,
            other,
        } => vec![&mut **condition, &mut **then, &mut **other],
        ExprKind::Sum(sum) => vec![&mut sum.from, &mut sum.to, &mut sum.body],
        ExprKind::Number { .. } | ExprKind::Name(_) | ExprKind::Error => Vec::new(),
    }
}

fn indices(reference: &mut Ref) -> impl Iterator<Item = &mut Expr> {
    reference.path.iter_mut().flat_map(|segment| match segment {
        Segment::Index(index, _) => vec![index],
        Segment::Range(from, to, _) => vec![from, to],
        Segment::Field(_) => Vec::new(),
    })
}

/// Adds the number of pieces in a statement.
pub fn count(item: &Item, total: &mut u64) {
    // The visitor changes what it sees; a statement is read far more often than it is counted.
    spans(&mut item.clone(), &mut |_| *total += 1);
}

/// Adds the number of pieces in an expression.
pub fn count_expr(expr: &Expr, total: &mut u64) {
    spans_of(&mut expr.clone(), &mut |_| *total += 1);
}

/// Calls `change` with the place of every piece of a statement.
pub fn spans(item: &mut Item, change: &mut impl FnMut(&mut Span)) {
    self::item(item, &mut Places { change });
}

/// Calls `change` with the place of every piece of an expression.
pub fn spans_of(expr: &mut Expr, change: &mut impl FnMut(&mut Span)) {
    Places { change }.expr(expr);
}

struct Places<'c, F> {
    change: &'c mut F,
}

impl<F: FnMut(&mut Span)> Rewrite for Places<'_, F> {
    fn name(&mut self, name: &mut Name) {
        self.word(&mut name.ident);
        for index in &mut name.indices {
            match index {
                NameIndex::At(expr) => self.expr(expr),
                NameIndex::Range(from, to) => {
                    self.expr(from);
                    self.expr(to);
                }
            }
        }
    }

    fn reference(&mut self, reference: &mut Ref) {
        self.word(&mut reference.ident);
        for segment in &mut reference.path {
            match segment {
                Segment::Index(index, span) => {
                    (self.change)(span);
                    self.expr(index);
                }
                Segment::Range(from, to, span) => {
                    (self.change)(span);
                    self.expr(from);
                    self.expr(to);
                }
                Segment::Field(field) => self.word(field),
            }
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        (self.change)(&mut expr.span);
        match &mut expr.kind {
            ExprKind::Number {
                unit: Some(unit), ..
            } => self.unit(unit),
            ExprKind::Field(_, field) => (self.change)(&mut field.span),
            ExprKind::Call(function, _) => {
                (self.change)(&mut function.ident.span);
                for segment in &mut function.path {
                    match segment {
                        Segment::Index(_, span) | Segment::Range(_, _, span) => {
                            (self.change)(span);
                        }
                        Segment::Field(field) => (self.change)(&mut field.span),
                    }
                }
            }
            ExprKind::Sum(sum) => (self.change)(&mut sum.variable.span),
            _ => {}
        }
        children(expr)
            .into_iter()
            .for_each(|child| self.expr(child));
    }

    fn unit(&mut self, unit: &mut UnitExpr) {
        (self.change)(&mut unit.span);
        for (name, ..) in &mut unit.factors {
            (self.change)(&mut name.span);
        }
    }

    fn word(&mut self, word: &mut Ident) {
        (self.change)(&mut word.span);
    }

    fn place(&mut self, span: &mut Span) {
        (self.change)(span);
    }
}
