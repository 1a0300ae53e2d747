//! Particles and rigid bodies.

use super::{Builder, meta};
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::model::resolve::{BodyFacts, Typed, exact, strip};
use crate::model::system::{Body, FrameId, PointId, Quantity, Rational, Rigid, Scalar, Vector};
use crate::model::units::Dim;
use crate::span::Span;
use crate::syntax::ast::{BodyClause, Expr, ExprKind, Ident, Item, ItemKind};
use num_traits::{Signed, Zero};

/// The clauses of a body, each at most once.
#[derive(Default)]
struct Clauses<'a> {
    frame: Option<&'a Ident>,
    mass: Option<&'a Expr>,
    center: Option<&'a Ident>,
    inertia: Option<Inertia<'a>>,
}

#[derive(Clone, Copy)]
struct Inertia<'a> {
    planar: bool,
    entries: &'a [Expr],
    about: Option<&'a Ident>,
    frame: Option<&'a Ident>,
    span: Span,
}

impl<'a> Clauses<'a> {
    /// The first of each kind.
    fn first(clauses: &'a [BodyClause]) -> Self {
        let mut found = Self::default();
        for clause in clauses.iter().rev() {
            match clause {
                BodyClause::Frame(frame) => found.frame = Some(frame),
                BodyClause::Mass(mass) => found.mass = Some(mass),
                BodyClause::Center(center) => found.center = Some(center),
                BodyClause::Inertia {
                    planar,
                    entries,
                    about,
                    frame,
                    span,
                } => {
                    found.inertia = Some(Inertia {
                        planar: *planar,
                        entries,
                        about: about.as_deref(),
                        frame: frame.as_deref(),
                        span: *span,
                    });
                }
            }
        }
        found
    }
}

impl Builder<'_> {
    /// Centre and frame of a body, which expressions may ask for by its name.
    pub(super) fn center_and_frame(&mut self, index: usize) {
        let clauses = match &self.declared.bodies[index].kind {
            ItemKind::Particle { mass, at, .. } => Clauses {
                mass: Some(mass),
                center: Some(at),
                ..Clauses::default()
            },
            ItemKind::Body { clauses, .. } => Clauses::first(clauses),
            _ => return,
        };
        let center = clauses.center;
        self.scope.bodies[index] = BodyFacts {
            center: center.and_then(|name| self.scope.point_named(&name.text, name.span)),
            frame: clauses.frame.and_then(|name| self.frame_by_name(name)),
        };
        self.scope.masses[index] = clauses.mass.and_then(|m| self.mass(m));
    }

    /// `group S: A, B, C`
    pub(super) fn group(&mut self, index: usize) {
        let item = self.declared.groups[index];
        if let ItemKind::Group { members, .. } = &item.kind {
            let names: Vec<_> = members.iter().map(|m| (m.text.as_str(), m.span)).collect();
            self.scope.groups[index] = self.scope.gather_bodies(&names);
        }
    }

    /// Centre, frame and mass of the body that this item declares.
    fn body_facts(&self, item: &Item) -> (BodyFacts, Option<Scalar>) {
        let index = self
            .declared
            .bodies
            .iter()
            .position(|b| std::ptr::eq(*b, item));
        let placed = index.and_then(|i| self.scope.bodies.get(i));
        let mass = index.and_then(|i| self.scope.masses.get(i).cloned().flatten());
        (placed.copied().unwrap_or_default(), mass)
    }

    /// `particle A: mass m at P`
    pub(super) fn particle(&mut self, name: &Ident, item: &Item) {
        let (placed, mass) = self.body_facts(item);
        if let (Some(mass), Some(center)) = (mass, placed.center) {
            self.bodies.push(Body {
                meta: meta(name, item),
                mass,
                center,
                rigid: None,
            });
        }
    }

    fn mass(&mut self, expr: &Expr) -> Option<Scalar> {
        let typed = self.scope.scalar(expr, "a mass")?;
        self.scope
            .require(&typed, Dim::mass(), "a mass", Some(&typed.value));
        self.constant(&typed, "a mass");
        if exact(&typed.value).is_some_and(|n| n.is_negative()) {
            self.scope.report(Diagnostic::error(
                codes::IMPOSSIBLE_INERTIA,
                "a mass cannot be negative",
                typed.span,
                "this is negative",
            ));
        }
        Some(typed.value)
    }

    /// Masses and inertia never change.
    fn constant(&mut self, typed: &Typed<Scalar>, what: &str) {
        if !typed.content.is_constant() {
            self.scope.report(Diagnostic::error_with_help(codes::NOT_CONSTANT, format!("{what} has to be constant"), typed.span, "this varies", "only numbers and parameters are allowed here; for a body that loses mass, state its `kinetic` energy and the thrust of the expelled mass as a `force`"));
        }
    }

    /// `body W: frame B, mass m, center C, inertia [...]`
    pub(super) fn rigid_body(&mut self, name: &Ident, clauses: &[BodyClause], item: &Item) {
        self.check_clauses(name, clauses);
        let clauses = Clauses::first(clauses);
        let (placed, mass) = self.body_facts(item);
        let inertia = clauses.inertia.and_then(|i| self.inertia(i, placed.frame));
        let axes = match clauses.inertia.and_then(|i| i.frame) {
            Some(axes) => self.axes(axes, placed.frame, name),
            None => placed.frame,
        };
        let about = match clauses.inertia.and_then(|i| i.about) {
            Some(about) => self.about(about, placed, name),
            None => placed.center,
        };
        let (Some(mass), Some(inertia)) = (mass, inertia) else {
            return;
        };
        let (Some(center), Some(frame)) = (placed.center, placed.frame) else {
            return;
        };
        let (Some(axes), Some(about)) = (axes, about) else {
            return;
        };
        self.bodies.push(Body {
            meta: meta(name, item),
            mass,
            center,
            rigid: Some(Rigid {
                frame,
                inertia,
                axes,
                about,
            }),
        });
    }

    /// Reports clauses that are missing or stated twice.
    fn check_clauses(&mut self, name: &Ident, clauses: &[BodyClause]) {
        let mut spans: Vec<(&str, Span)> = Vec::new();
        for clause in clauses {
            let (word, span) = match clause {
                BodyClause::Frame(frame) => ("frame", frame.span),
                BodyClause::Mass(mass) => ("mass", mass.span),
                BodyClause::Center(center) => ("center", center.span),
                BodyClause::Inertia { span, .. } => ("inertia", *span),
            };
            let Some((_, first)) = spans.iter().find(|(w, _)| *w == word) else {
                spans.push((word, span));
                continue;
            };
            let title = format!("the body `{}` has its {word} stated twice", name.text);
            self.scope.report(
                Diagnostic::error(codes::BODY, title, span, "stated again")
                    .label(*first, "first stated here"),
            );
        }
        let missing: Vec<&str> = [
            ("frame", "`frame B`"),
            ("mass", "`mass m`"),
            ("center", "`center C`"),
            ("inertia", "`inertia [Ixx, Iyy, Izz]`"),
        ]
        .into_iter()
        .filter(|(word, _)| spans.iter().all(|(stated, _)| stated != word))
        .map(|(_, clause)| clause)
        .collect();
        if !missing.is_empty() {
            self.incomplete(name, &missing);
        }
    }

    fn incomplete(&mut self, name: &Ident, missing: &[&str]) {
        self.scope.report(Diagnostic::error_with_help(codes::BODY, format!("the body `{}` is not complete", name.text), name.span, format!("missing: {}", missing.join(", ")), "write `body W: frame B, mass m, center C, inertia [Ixx, Iyy, Izz]`; for a point mass use `particle`"));
    }

    fn moment(&mut self, entry: &Expr) -> Option<Typed<Scalar>> {
        let typed = self.scope.scalar(entry, "a moment of inertia")?;
        let number = Some(&typed.value);
        self.scope
            .require(&typed, Dim::inertia(), "a moment of inertia", number);
        self.constant(&typed, "a moment of inertia");
        Some(typed)
    }

    /// Three rows of three, the same above and below the diagonal.
    fn matrix_of_inertia(&mut self, inertia: Inertia) -> Option<Vec<Typed<Scalar>>> {
        let rows: Vec<&[Expr]> = inertia
            .entries
            .iter()
            .filter_map(|row| match &strip(row).kind {
                ExprKind::List(row) => Some(&row[..]),
                _ => None,
            })
            .collect();
        let square =
            inertia.entries.len() == 3 && rows.len() == 3 && rows.iter().all(|row| row.len() == 3);
        if !square {
            return self.scope.refuse(Diagnostic::error_with_help(codes::BODY, "a matrix of inertia has three rows of three entries", inertia.span, "these are not", "write `[[Ixx, Ixy, Izx], [Ixy, Iyy, Iyz], [Izx, Iyz, Izz]]`, or `[Ixx, Iyy, Izz]` if the products vanish"));
        }
        let mut all = Vec::new();
        for row in rows {
            for entry in row {
                all.push(self.moment(entry));
            }
        }
        let all: Vec<Typed<Scalar>> = all.into_iter().collect::<Option<_>>()?;
        let at = |i: usize, j: usize| &all[3 * i + j];
        for (i, j) in [(0, 1), (1, 2), (0, 2)] {
            let (above, below) = (at(i, j), at(j, i));
            let differs = match (exact(&above.value), exact(&below.value)) {
                (Some(a), Some(b)) => a != b,
                _ => above.value != below.value,
            };
            if differs {
                return self.scope.refuse(
                    Diagnostic::error_with_help(codes::BODY, "the matrix of inertia is not symmetric", below.span, "differs from the entry across the diagonal", "write both entries in the same way; `[Ixx, Iyy, Izz, Ixy, Iyz, Izx]` states each once")
                        .label(above.span, "this one"),
                );
            }
        }
        let six = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)];
        Some(six.map(|(i, j)| at(i, j).clone()).into())
    }

    /// `inertia I`: about the only axis about which the body turns.
    fn moment_in_plane(&mut self, inertia: Inertia, frame: Option<FrameId>) -> Option<[Scalar; 6]> {
        let entries: Vec<_> = inertia.entries.iter().map(|e| self.moment(e)).collect();
        let one = entries.into_iter().next().flatten()?;
        let frame = frame?;
        let Some(axis) = self.only_axis(frame) else {
            let label = "one moment is enough only for a body that turns about one axis";
            return self.scope.refuse(Diagnostic::error_with_help(
                codes::BODY,
                "it is not clear about which axis this moment of inertia is",
                inertia.span,
                label,
                "write `[Ixx, Iyy, Izz]`, or `[I]` if all three are equal",
            ));
        };
        let mut entries = [(); 6].map(|()| Scalar::whole(0));
        entries[axis as usize] = one.value;
        Some(entries)
    }

    /// Ixx, Iyy, Izz, Ixy, Iyz, Izx.
    fn inertia(&mut self, inertia: Inertia, frame: Option<FrameId>) -> Option<[Scalar; 6]> {
        if inertia.planar {
            return self.moment_in_plane(inertia, frame);
        }
        let is_row = |e: &Expr| matches!(strip(e).kind, ExprKind::List(_));
        if inertia.entries.iter().any(is_row) {
            let entries = self.matrix_of_inertia(inertia)?;
            self.possible(&entries, inertia.span);
            let six = entries.into_iter().map(|e| e.value).collect::<Vec<_>>();
            return six.try_into().ok();
        }
        let entries: Vec<_> = inertia.entries.iter().map(|e| self.moment(e)).collect();
        if !matches!(entries.len(), 1 | 3 | 6) {
            return self.scope.refuse(Diagnostic::error_with_help(codes::BODY, format!("the inertia has {} entries", entries.len()), inertia.span, "one, three or six are needed", "write `[Ixx, Iyy, Izz]` or `[Ixx, Iyy, Izz, Ixy, Iyz, Izx]`, or `[I]` if all three are equal"));
        }
        let mut entries: Vec<_> = entries.into_iter().collect::<Option<_>>()?;
        // The same about every axis.
        if let [one] = &entries[..] {
            entries = vec![one.clone(), one.clone(), one.clone()];
        }
        self.possible(&entries, inertia.span);
        let mut all = [(); 6].map(|()| Scalar::whole(0));
        for (slot, entry) in all.iter_mut().zip(entries) {
            *slot = entry.value;
        }
        Some(all)
    }

    /// Moments of inertia are never negative, and none exceeds the sum of the other two. Two zeros say that they do not matter, as in a
    /// plane mechanism.
    fn possible(&mut self, entries: &[Typed<Scalar>], span: Span) {
        let numbers: Vec<_> = entries.iter().take(3).map(|e| exact(&e.value)).collect();
        let mut negative = false;
        for (entry, number) in entries.iter().zip(&numbers) {
            if number.as_ref().is_some_and(Signed::is_negative) {
                negative = true;
                self.scope.report(Diagnostic::error(
                    codes::IMPOSSIBLE_INERTIA,
                    "a moment of inertia cannot be negative",
                    entry.span,
                    "this is negative",
                ));
            }
        }
        if let [Some(x), Some(y), Some(z)] = &numbers[..]
            && !negative
        {
            let exceeds = |a: &Rational, b: &Rational, c: &Rational| {
                *a > b + c && !(b.is_zero() && c.is_zero())
            };
            let wrong = [("Ixx", x, y, z), ("Iyy", y, z, x), ("Izz", z, x, y)]
                .into_iter()
                .find(|(_, a, b, c)| exceeds(a, b, c));
            if let Some((which, ..)) = wrong {
                self.scope.report(
                    Diagnostic::warning(
                        codes::UNLIKELY_INERTIA,
                        format!("these moments of inertia are impossible: {which} is too large"),
                        span,
                        "one exceeds the sum of the other two",
                    )
                    .note("none of three moments about perpendicular axes exceeds the sum of the other two"),
                );
            }
        }
    }

    /// `in F`: a frame that rotates with the body.
    fn axes(&mut self, axes: &Ident, frame: Option<FrameId>, body: &Ident) -> Option<FrameId> {
        let axes_id = self.frame_by_name(axes)?;
        let frame = frame?;
        if self.anchor(axes_id) == self.anchor(frame) {
            return Some(axes_id);
        }
        let own = self.scope.frame_name(frame).to_string();
        self.scope.refuse(Diagnostic::error_with_help(
            codes::NOT_CONSTANT,
            format!(
                "`{}` does not rotate with the body `{}`",
                axes.text, body.text
            ),
            axes.span,
            "the inertia would vary in these axes",
            format!("name `{own}` or a frame rotated from it by constant angles"),
        ))
    }

    /// `about P`: a point fixed in the body.
    fn about(&mut self, about: &Ident, placed: BodyFacts, body: &Ident) -> Option<PointId> {
        let point = self.scope.point_named(&about.text, about.span)?;
        let (Some(center), Some(frame)) = (placed.center, placed.frame) else {
            return Some(point);
        };
        if !self.fixed_between(center, point, self.anchor(frame)) {
            self.scope.report(
                Diagnostic::warning(
                    codes::LOOSE_POINT,
                    format!("`{}` may not be fixed in the body `{}`", about.text, body.text),
                    about.span,
                    "the inertia about this point may vary",
                )
                .help("define the point relative to the centre (or the centre relative to it) by a constant vector in the body's frame"),
            );
        }
        Some(point)
    }

    /// Where `O` was taken as fixed in a frame, though the bodies that rotate with it move otherwise.
    pub(super) fn check_origins(&mut self) {
        for (frame, span) in std::mem::take(&mut self.scope.origins) {
            let anchor = self.anchor(frame);
            let rotating: Vec<_> = self
                .bodies
                .iter()
                .filter(|b| {
                    b.rigid
                        .as_ref()
                        .is_some_and(|r| self.anchor(r.frame) == anchor)
                })
                .collect();
            let fixed = |b: &&Body| self.fixed_between(PointId(0), b.center, anchor);
            if let Some(first) = rotating.first()
                && !rotating.iter().any(fixed)
            {
                let name = first.meta.name.clone();
                self.scope.warn_of_origin(frame, span, &name);
            }
        }
    }

    /// Whether one point is placed from the other by constant vectors in frames that rotate with
    /// `anchor`.
    fn fixed_between(&self, a: PointId, b: PointId, anchor: FrameId) -> bool {
        let reach = |start: PointId| {
            let mut points = vec![start];
            let mut at = start;
            while let Some(point) = self
                .scope
                .system_points
                .as_ref()
                .and_then(|p| p.get(at.index()))
                && let Some((base, offset)) = &point.offset
                && self.is_fixed(offset, anchor)
            {
                points.push(*base);
                at = *base;
            }
            points
        };
        let from_a = reach(a);
        reach(b).iter().any(|point| from_a.contains(point))
    }

    /// Whether a vector is constant in frames that rotate with `anchor`, as far as it can be seen.
    pub(super) fn is_fixed(&self, vector: &Vector, anchor: FrameId) -> bool {
        match vector {
            Vector::Zero => true,
            Vector::Basis(frame, _) => self.anchor(*frame) == anchor,
            Vector::Let(id) => match self.scope.let_value(*id) {
                Some(Quantity::Vector(v)) => self.is_fixed(v, anchor),
                _ => false,
            },
            Vector::Neg(v) => self.is_fixed(v, anchor),
            Vector::Add(a, b) | Vector::Sub(a, b) | Vector::Cross(a, b) => {
                self.is_fixed(a, anchor) && self.is_fixed(b, anchor)
            }
            Vector::Scale(s, v) => self.is_constant(s) && self.is_fixed(v, anchor),
            Vector::Between { from, to } => self.fixed_between(*from, *to, anchor),
            _ => false,
        }
    }
}
