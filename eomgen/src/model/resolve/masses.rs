//! Bodies taken together: their mass, and their mass centre.

use super::call::Call;
use super::{Resolver, Typed, Value, strip};
use crate::diag::Diagnostic;
use crate::diag::codes::geometry::E0441;
use crate::model::content::Content;
use crate::model::names::Thing;
use crate::model::system::{PointId, Scalar, Vector};
use crate::model::units::Dim;
use crate::span::Span;
use crate::syntax::ast::ExprKind;

impl Resolver {
    /// The bodies that names stand for, each once.
    pub fn gather_bodies(&mut self, names: &[(&str, Span)]) -> Option<Vec<usize>> {
        let mut list: Vec<usize> = Vec::new();
        let mut complete = true;
        for (name, span) in names {
            let wanted = |t| matches!(t, Thing::Body(..) | Thing::Group(_));
            let own = match self.names.get(name).map(|s| s.thing) {
                Some(Thing::Body(i, _)) => Some(vec![i]),
                Some(Thing::Group(i)) => self.groups.get(i).cloned().flatten(),
                _ => {
                    let nouns = ["a particle, body or group", "particle, body or group"];
                    self.misnamed(name, *span, nouns, wanted)
                }
            };
            let Some(own) = own else {
                complete = false;
                continue;
            };
            if own.iter().any(|b| list.contains(b)) {
                self.report(Diagnostic::error_with_help(
                    E0441,
                    format!("`{name}` is counted twice"),
                    *span,
                    "this, or part of it, was named before",
                    "name every particle and body once, individually or in a group",
                ));
                complete = false;
                continue;
            }
            list.extend(own);
        }
        complete.then_some(list)
    }

    /// Arguments that have to be names of particles, bodies or groups.
    fn body_args(&mut self, call: Call<'_>) -> Option<Vec<usize>> {
        let Call { function, args, .. } = call;
        if args.is_empty() {
            return self.count(call, "particles, bodies or groups");
        }
        let mut names = Vec::new();
        for arg in args {
            let ExprKind::Name(name) = &strip(arg).kind else {
                return self.refuse(Diagnostic::error_with_help(
                    E0441,
                    format!(
                        "`{}` takes the names of particles, bodies or groups",
                        function.text
                    ),
                    arg.span,
                    "not a name",
                    format!("write `{}(A, B)`", function.text),
                ));
            };
            names.push((name.as_str(), arg.span));
        }
        self.gather_bodies(&names)
    }

    fn total(&self, bodies: &[usize]) -> Option<Scalar> {
        let masses = bodies
            .iter()
            .map(|b| self.masses.get(*b).cloned().flatten());
        let masses: Vec<Scalar> = masses.collect::<Option<_>>()?;
        masses.into_iter().reduce(|a, b| a + b)
    }

    /// `mass(A, B)`
    pub(super) fn mass_of(&mut self, call: Call<'_>) -> Option<Typed> {
        let bodies = self.body_args(call)?;
        let dim = if self.unit_free {
            self.unknown_dim()
        } else {
            Dim::mass().into()
        };
        Some(Typed::new(
            Value::Scalar(self.total(&bodies)?),
            dim,
            Content::CONSTANT,
            call.span,
        ))
    }

    /// `com(A, B)`
    pub(super) fn center_of(&mut self, call: Call<'_>) -> Option<Typed> {
        let bodies = self.body_args(call)?;
        self.mass_center(&bodies, call.span)
    }

    /// The mass centre of bodies, as the centre of the first and a vector from it.
    pub fn mass_center(&mut self, bodies: &[usize], span: Span) -> Option<Typed> {
        let centers = bodies.iter().map(|b| self.bodies.get(*b)?.center);
        let centers: Vec<PointId> = centers.collect::<Option<_>>()?;
        let whole = self.total(bodies)?;
        let first = *centers.first()?;
        let mut content = self.point_content(first);
        if Self::is_exact_zero(&whole) {
            return self.refuse(Diagnostic::error_with_help(
                E0441,
                "bodies without mass have no mass centre",
                span,
                "the masses add up to 0",
                "name a body that has mass",
            ));
        }
        let mut offset: Option<Vector> = None;
        for (body, to) in bodies.iter().zip(&centers).skip(1) {
            content = content.plus(self.point_content(*to));
            let mass = self.masses.get(*body).cloned().flatten()?;
            if *to == first || Self::is_exact_zero(&mass) {
                continue;
            }
            let share = mass / whole.clone();
            let between = Vector::Between {
                from: first,
                to: *to,
            };
            let part = share * between;
            offset = Some(match offset {
                None => part,
                Some(sum) => sum + part,
            });
        }
        Some(Typed::new(
            Value::Point(first, offset),
            Dim::length(),
            content,
            span,
        ))
    }
}
