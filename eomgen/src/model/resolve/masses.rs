//! Bodies taken together: their mass, and their mass centre.

use super::{Resolver, Typed, Value, strip};
use crate::diag::Diagnostic;
use crate::diag::codes::geometry::E0441;
use crate::model::content::Content;
use crate::model::names::Thing;
use crate::model::system::{PointId, Scalar, Vector};
use crate::model::units::Dim;
use crate::span::Span;
use crate::syntax::ast::{Expr, ExprKind, Ident};

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
                Some(other) => {
                    self.wrong_name(name, *span, other, "a particle, body or group", wanted);
                    None
                }
                None => {
                    self.unknown_name(name, *span, "particle, body or group", wanted);
                    None
                }
            };
            let Some(own) = own else {
                complete = false;
                continue;
            };
            if own.iter().any(|b| list.contains(b)) {
                self.report(
                    Diagnostic::error(
                        E0441,
                        format!("`{name}` is counted twice"),
                        *span,
                        "this, or part of it, was named before",
                    )
                    .help("name every particle and body once, individually or in a group"),
                );
                complete = false;
                continue;
            }
            list.extend(own);
        }
        complete.then_some(list)
    }

    /// Arguments that have to be names of particles, bodies or groups.
    fn body_args(&mut self, function: &Ident, args: &[Expr], span: Span) -> Option<Vec<usize>> {
        if args.is_empty() {
            self.count(function, 0, span, "particles, bodies or groups");
            return None;
        }
        let mut names = Vec::new();
        for arg in args {
            let ExprKind::Name(name) = &strip(arg).kind else {
                self.report(
                    Diagnostic::error(
                        E0441,
                        format!(
                            "`{}` takes the names of particles, bodies or groups",
                            function.text
                        ),
                        arg.span,
                        "not a name",
                    )
                    .help(format!("write `{}(A, B)`", function.text)),
                );
                return None;
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
        let add = |a, b| Scalar::Add(Box::new(a), Box::new(b));
        masses.into_iter().reduce(add)
    }

    /// `mass(A, B)`
    pub(super) fn mass_of(&mut self, function: &Ident, args: &[Expr], span: Span) -> Option<Typed> {
        let bodies = self.body_args(function, args, span)?;
        let dim = if self.unit_free {
            self.unknown_dim()
        } else {
            Dim::mass().into()
        };
        Some(Typed {
            value: Value::Scalar(self.total(&bodies)?),
            dim,
            content: Content::CONSTANT,
            span,
        })
    }

    /// `com(A, B)`
    pub(super) fn center_of(
        &mut self,
        function: &Ident,
        args: &[Expr],
        span: Span,
    ) -> Option<Typed> {
        let bodies = self.body_args(function, args, span)?;
        self.mass_center(&bodies, span)
    }

    /// The mass centre of bodies, as the centre of the first and a vector from it.
    pub fn mass_center(&mut self, bodies: &[usize], span: Span) -> Option<Typed> {
        let centers = bodies.iter().map(|b| self.bodies.get(*b)?.center);
        let centers: Vec<PointId> = centers.collect::<Option<_>>()?;
        let whole = self.total(bodies)?;
        let first = *centers.first()?;
        let mut content = self.point_content(first);
        if Self::is_exact_zero(&whole) {
            self.report(
                Diagnostic::error(
                    E0441,
                    "bodies without mass have no mass centre",
                    span,
                    "the masses add up to 0",
                )
                .help("name a body that has mass"),
            );
            return None;
        }
        let mut offset: Option<Vector> = None;
        for (body, to) in bodies.iter().zip(&centers).skip(1) {
            content = content.plus(self.point_content(*to));
            let mass = self.masses.get(*body).cloned().flatten()?;
            if *to == first || Self::is_exact_zero(&mass) {
                continue;
            }
            let share = Scalar::Div(Box::new(mass), Box::new(whole.clone()));
            let between = Vector::Between {
                from: first,
                to: *to,
            };
            let part = Vector::Scale(Box::new(share), Box::new(between));
            offset = Some(match offset {
                None => part,
                Some(sum) => Vector::Add(Box::new(sum), Box::new(part)),
            });
        }
        Some(Typed {
            value: Value::Point(first, offset),
            dim: Dim::length().into(),
            content,
            span,
        })
    }
}
