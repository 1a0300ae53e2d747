//! The names, references and expressions of a statement, one after the other. Knows nothing of what they mean.

use super::ast::{BodyClause, Declared, Expr, Item, ItemKind, Name, Ref, UnitExpr};

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
}

/// Goes through a statement in the order of its text.
pub fn item(item: &mut Item, with: &mut impl Rewrite) {
    match &mut item.kind {
        ItemKind::Model(_) => {}
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
        ItemKind::Body { name, clauses } => {
            with.name(name);
            clauses.iter_mut().for_each(|one| clause(one, with));
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
            ..
        } => {
            entries.iter_mut().for_each(|entry| with.expr(entry));
            about.iter_mut().for_each(|about| with.reference(about));
            frame.iter_mut().for_each(|frame| with.reference(frame));
        }
    }
}
