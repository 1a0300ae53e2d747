//! Gravity and loads.

use super::Builder;
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::model::content::Content;
use crate::model::names::Thing;
use crate::model::resolve::{Typed, Value};
use crate::model::system::{Carrier, CoordId, FrameId, Load, LoadKind, Scalar, Site, Vector};
use crate::model::units::{Dim, DimExpr};
use crate::span::Span;
use crate::syntax::ast::{self, Expr, ExprKind, Ident, Item};

impl Builder<'_> {
    /// `gravity: -g*N.z`
    pub(super) fn gravity(&mut self, value: &Expr, item: &Item) {
        let typed = self.vector_in(value, Dim::acceleration(), "gravity");
        if let Some((_, first)) = &self.gravity {
            let first = *first;
            self.scope.report(
                Diagnostic::error(
                    codes::GRAVITY,
                    "gravity is stated twice",
                    item.span,
                    "stated again",
                )
                .label(first, "first stated here")
                .help("add the two vectors in one statement"),
            );
            return;
        }
        let Some(typed) = typed else {
            return;
        };
        let reactions = "gravity is uniform; state a force that depends on a reaction as a load";
        let (content, span) = (typed.content, typed.span);
        if self
            .scope
            .refuse_reaction(content, span, "gravity", reactions)
        {
            return;
        }
        if typed.content.order.is_some() {
            self.scope.report(Diagnostic::error_with_help(
                codes::GRAVITY,
                "gravity depends on the motion",
                typed.span,
                "this contains a coordinate, rate or speed",
                "gravity is uniform; write a varying field as a `force` on each body",
            ));
        }
        self.gravity = Some((typed.value, item.span));
    }

    /// `force on P: v` and its kin.
    pub(super) fn load(&mut self, load: &ast::Load, item: &Item) {
        let kinds = match load.kind {
            ast::LoadKind::Generalized => self.generalized(load),
            _ if self.on_coordinate(load) => self.generalized(load),
            _ => self.at_sites(load),
        };
        let list = if load.nonideal {
            &mut self.nonideal
        } else {
            &mut self.loads
        };
        list.extend(kinds.into_iter().flatten().map(|kind| Load {
            kind,
            span: item.span,
            docs: item.docs.clone(),
        }));
    }

    /// Whether a force or torque is stated on a coordinate: what acts along it, a generalized force.
    fn on_coordinate(&self, load: &ast::Load) -> bool {
        let thing = self.scope.names.get(&load.on.on.text).map(|s| s.thing);
        load.on.at.is_none() && matches!(thing, Some(Thing::Coord(_)))
    }

    /// A torque that is a number acts about the only axis about which the frames turn.
    fn torque(&mut self, load: &ast::Load, frames: &[FrameId]) -> Option<Typed<Vector>> {
        let found = self.scope.expr(&load.value)?;
        let mut axes = frames.iter().map(|frame| self.only_axis(*frame));
        let first = axes.next().flatten();
        let axis = first.filter(|first| axes.all(|other| other == Some(*first)));
        match (&found.value, axis) {
            (Value::Scalar(scalar), Some(axis)) if !found.value.is_zero() => {
                let typed = found.with(scalar.clone() * Vector::Basis(FrameId(0), axis));
                self.scope
                    .require(&typed, Dim::torque(), "a torque", Some(scalar));
                Some(typed)
            }
            // Read again for the message.
            _ => self.vector_in(&load.value, Dim::torque(), "a torque"),
        }
    }

    /// A force at a point or a torque on a frame, and its opposite.
    fn at_sites(&mut self, load: &ast::Load) -> Option<Vec<LoadKind>> {
        let on = self.load_side(load.kind, &load.on, None);
        let other = load.opposite.as_ref();
        let other = other.map(|side| (side, self.load_side(load.kind, side, Some(&load.on))));
        let typed = match load.kind {
            ast::LoadKind::Torque => {
                let sites = on
                    .iter()
                    .chain(other.iter().filter_map(|(_, o)| o.as_ref()));
                let frames = sites.filter_map(|(site, _)| match site {
                    Site::Frame(frame) if *frame != FrameId(0) => Some(*frame),
                    _ => None,
                });
                let frames: Vec<_> = frames.collect();
                self.torque(load, &frames)
            }
            _ => self.vector_in(&load.value, Dim::force(), "a force"),
        };
        let vector = self.load_value(typed?, load.nonideal)?.value;
        let on = on?;
        let mut loads = acting(on, vector.clone());
        if let Some((side, found)) = other {
            let found = found?;
            loads.extend(acting(found, -vector));
            if found == on {
                self.refuse_same_site(&load.on.on, &side.on);
            }
        }
        Some(loads)
    }

    /// One side of a load: a site, or `W at P`, a body with the point at which a force acts on it. The opposite of a force on a body at a
    /// point acts on a body at the same point if it names none.
    pub(super) fn load_side(
        &mut self,
        kind: ast::LoadKind,
        side: &ast::Side,
        first: Option<&ast::Side>,
    ) -> Option<(Site, Option<Carrier>)> {
        let thing = self.scope.names.get(&side.on.text).map(|s| s.thing);
        let carries = matches!(thing, Some(Thing::Body(_, true) | Thing::Frame(_)));
        let shared = first.and_then(|f| f.at.as_ref()).filter(|_| carries);
        let Some(at) = side.at.as_ref().or(shared) else {
            return self.load_site(kind, &side.on).map(|site| (site, None));
        };
        let name = &side.on.text;
        let wrong = |title: String, help: String| {
            Diagnostic::error(codes::LOAD, title, at.span, "a force on a body acts here").help(help)
        };
        match thing {
            _ if kind == ast::LoadKind::Torque => self.scope.refuse(wrong(
                format!("a torque on `{name}` acts at no point"),
                "omit `at ...`: a torque turns the whole body".to_string(),
            )),
            Some(Thing::Body(_, false)) => self.scope.refuse(wrong(
                format!("`{name}` is a particle, which has no other point"),
                format!("write `force on {name}`, or use `body` for one that can turn"),
            )),
            Some(Thing::Point(_)) => self.scope.refuse(wrong(
                format!("`{name}` is a point, not a body"),
                format!("name the body first: `force on BODY at {name}`"),
            )),
            _ => {
                let body = Expr {
                    kind: ExprKind::Name(name.clone()),
                    span: side.on.span,
                };
                let found = self.scope.frame_and_fixed_point(&body, None);
                let at = self.scope.point_named(&at.text, at.span);
                let ((frame, center), at) = (found?, at?);
                Some((Site::Point(at), Some(Carrier { frame, center })))
            }
        }
    }

    /// Where a load acts: a force at a point, a torque on a frame.
    pub(super) fn load_site(&mut self, kind: ast::LoadKind, name: &Ident) -> Option<Site> {
        match kind {
            ast::LoadKind::Torque => {
                let name = self.acted_on(name, false)?;
                let frame = self.scope.frame_named(&name.text, name.span);
                frame.map(Site::Frame)
            }
            ast::LoadKind::Force | ast::LoadKind::Generalized => {
                let name = self.acted_on(name, true)?;
                let point = self.scope.point_named(&name.text, name.span);
                point.map(Site::Point)
            }
        }
    }

    /// Checks that a force (`point`) or a torque can act on what a name stands for.
    fn acted_on<'n>(&mut self, name: &'n Ident, point: bool) -> Option<&'n Ident> {
        let thing = self.scope.names.get(&name.text).map(|s| s.thing);
        let wrong = |title: String, help: &str| {
            Diagnostic::error(codes::LOAD, title, name.span, "cannot take this load").help(help)
        };
        match (thing, point) {
            (Some(Thing::Frame(_)), true) => {
                let title = format!("a force acts at a point, and `{}` is a frame", name.text);
                self.scope.refuse(wrong(
                    title,
                    "name a point, particle or body; for a frame use `torque`",
                ))
            }
            (Some(Thing::Point(_)), false) => {
                let title = format!(
                    "a torque acts on a body or frame, and `{}` is a point",
                    name.text
                );
                self.scope.refuse(wrong(
                    title,
                    "name a body or frame; for a point use `force`",
                ))
            }
            (Some(Thing::Body(_, false)), false) => {
                let title = format!(
                    "a torque acts on a body or frame, and `{}` is a particle",
                    name.text
                );
                self.scope.refuse(wrong(
                    title,
                    "a particle does not rotate; use `body` for one with inertia",
                ))
            }
            _ => {
                let found = if point {
                    self.scope.point_named(&name.text, name.span).is_some()
                } else {
                    self.scope.frame_named(&name.text, name.span).is_some()
                };
                found.then_some(name)
            }
        }
    }

    fn refuse_same_site(&mut self, on: &Ident, opposite: &Ident) {
        if on.text == opposite.text {
            self.scope.report(
                Diagnostic::error(
                    codes::LOAD,
                    format!(
                        "a load on `{}` and its opposite on the same object cancel",
                        on.text
                    ),
                    opposite.span,
                    "the same object again",
                )
                .label(on.span, "acts here"),
            );
        }
    }

    /// Loads depend on positions, velocities, time and inputs.
    fn load_value<V>(&mut self, typed: Typed<V>, nonideal: bool) -> Option<Typed<V>> {
        let help = "state friction as an applied load: `force on BODY at P: -mu*reaction(c)*tanh(v/v0)*N.x`";
        let what = "the virtual work of the constraint forces";
        let (content, span) = (typed.content, typed.span);
        if nonideal && self.scope.refuse_reaction(content, span, what, help) {
            return None;
        }
        if !self.linear_in_reactions(&typed) {
            return None;
        }
        if !has_acceleration(typed.content) {
            return Some(typed);
        }
        let (title, label) = if typed.content.state {
            (
                "a load depends on accelerations or on rates of states",
                "not known before the equations are solved",
            )
        } else {
            (
                "a load depends on accelerations",
                "this contains an acceleration",
            )
        };
        self.scope.refuse(Diagnostic::error_with_help(
            codes::LOAD,
            title,
            typed.span,
            label,
            "state added mass with a `particle` or `body`",
        ))
    }

    fn generalized(&mut self, load: &ast::Load) -> Option<Vec<LoadKind>> {
        let on = &load.on.on;
        let coord = self.conjugate(on);
        if let Some(opposite) = &load.opposite {
            self.scope.report(Diagnostic::error(
                codes::LOAD,
                "a generalized force has no opposite",
                opposite.on.span,
                "only forces and torques have an opposite",
            ));
        }
        let typed = self.scope.scalar(&load.value, "a generalized force");
        let coord = coord?;
        let typed = self.load_value(typed?, load.nonideal)?;
        // Force times rate is power.
        let wanted = DimExpr::from(Dim::torque()).over(&self.scope.coords[coord.index()]);
        self.conjugate_unit(&typed, &wanted, on);
        Some(vec![LoadKind::Generalized {
            coord,
            value: typed.value,
        }])
    }

    fn conjugate_unit(&mut self, typed: &Typed<Scalar>, wanted: &DimExpr, on: &Ident) {
        let zero = crate::model::resolve::Value::Scalar(typed.value.clone()).is_zero();
        if zero || self.scope.equate(&typed.dim, wanted, typed.span) {
            return;
        }
        let clash = Diagnostic::error(
            codes::UNIT_EXPECTED,
            format!(
                "a generalized force on `{}` is {}",
                on.text,
                self.scope.unit_phrase(wanted)
            ),
            typed.span,
            format!("this is {}", self.scope.unit_phrase(&typed.dim)),
        )
        .note("a generalized force times the rate of its coordinate is a power");
        let clash = self.scope.explain_units(clash, &[&typed.dim, wanted]);
        let clash = self.scope.with_unit(clash, typed, wanted);
        self.scope.report(clash);
    }

    fn conjugate(&mut self, on: &Ident) -> Option<CoordId> {
        let wanted = |t| matches!(t, Thing::Coord(_));
        let span: Span = on.span;
        match self.scope.names.get(&on.text).map(|s| s.thing) {
            Some(Thing::Coord(id)) => {
                self.scope.used[id.index()] = true;
                Some(id)
            }
            Some(Thing::Speed(_)) => {
                self.scope.refuse(Diagnostic::error_with_help(codes::LOAD, format!("a generalized force acts on a coordinate, and `{}` is a speed", on.text), span, "this must be a coordinate", "state it as a `force` or `torque`, or on the coordinates whose rates make up the speed")) }
            _ => self.scope.misnamed(&on.text, span, ["a coordinate", "coordinate"], wanted),
        }
    }
}

/// The loads that a force or torque is: on a body, the force at its centre and its moment about this.
fn acting((site, carrier): (Site, Option<Carrier>), vector: Vector) -> Vec<LoadKind> {
    match (site, carrier) {
        (Site::Frame(frame), _) => vec![LoadKind::Torque { frame, vector }],
        (Site::Point(point), None) => vec![LoadKind::Force { point, vector }],
        (Site::Point(at), Some(Carrier { frame, center })) => {
            let force = LoadKind::Force {
                point: center,
                vector: vector.clone(),
            };
            let arm = Vector::Between {
                from: center,
                to: at,
            };
            let torque = LoadKind::Torque {
                frame,
                vector: arm.cross(vector),
            };
            let moment = (at != center).then_some(torque);
            std::iter::once(force).chain(moment).collect()
        }
    }
}

fn has_acceleration(content: Content) -> bool {
    content.order.is_some_and(|o| o > 1)
}
