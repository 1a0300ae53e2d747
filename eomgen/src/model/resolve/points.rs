//! Points that are placed: declared ones, and those that an expression stands for where a point is wanted.

use super::call::Call;
use super::{Resolver, Typed, Value, exact};
use crate::diag::Diagnostic;
use crate::diag::codes::geometry::E0442;
use crate::model::codes;
use crate::model::content::Content;
use crate::model::names::Thing;
use crate::model::system::{FrameId, Meta, Point, PointId, Scalar, Vector};
use crate::model::units::Dim;
use crate::span::Span;
use crate::syntax::ast::{Expr, ExprKind};

impl Resolver {
    /// Adds a point; `None` where points cannot be added.
    pub fn add_point(
        &mut self,
        meta: Meta,
        base: PointId,
        offset: Vector,
        content: Content,
    ) -> Option<PointId> {
        let list = self.system_points.as_mut()?;
        let id = PointId(u32::try_from(list.len()).ok()?);
        self.point_facts
            .push((meta.name.clone(), position_only(content)));
        list.push(Point {
            meta,
            offset: Some((base, offset)),
        });
        Some(id)
    }

    /// The point that an expression stands for; it gets a name that no model can write.
    pub fn point_of(&mut self, found: &Typed) -> Option<PointId> {
        let Value::Point(base, offset) = &found.value else {
            return None;
        };
        let Some(offset) = offset else {
            return Some(*base);
        };
        self.check_position(found.content, found.span, "a point");
        let same = self.system_points.as_ref()?.iter().position(|p| {
            p.meta.name.contains('#') && p.offset.as_ref() == Some(&(*base, offset.clone()))
        });
        if let Some(same) = same {
            return Some(PointId(u32::try_from(same).ok()?));
        }
        let (name, _) = self.point_facts.get(base.index())?;
        let name = name.split('#').next().unwrap_or_default();
        let meta = Meta {
            name: format!("{name}#{}", self.point_facts.len()),
            shown: None,
            unit: None,
            docs: String::new(),
            span: found.span,
        };
        self.add_point(meta, *base, offset.clone(), found.content)
    }

    /// Positions and orientations depend on coordinates, parameters and time alone.
    pub fn check_position(&mut self, content: Content, span: Span, what: &str) {
        if content.order.is_some_and(|o| o > 0) {
            self.report(Diagnostic::error_with_help(codes::POSITION, format!("{what} depends on a rate or speed"), span, "this contains a rate or speed", "positions depend on coordinates, parameters and time; state relations between rates with `constraint`"));
        }
        let help = "positions depend on coordinates, parameters and time; reactions are allowed in loads and outputs";
        self.refuse_reaction(content, span, what, help);
        if content.input {
            self.report(Diagnostic::error_with_help(
                codes::POSITION,
                format!("{what} depends on {}", content.external()),
                span,
                format!("accelerations would need rates of {}", content.external()),
                "declare a `function` of time instead: its rates are available",
            ));
        }
    }

    /// A frame with the point that is fixed in it: the mass centre of a body, what is given, or `O`.
    pub fn frame_and_fixed_point(
        &mut self,
        frame: &Expr,
        origin: Option<&Expr>,
    ) -> Option<(FrameId, PointId)> {
        let id = self.frame_ref(frame);
        let given = origin.map(|o| self.point_ref(o));
        let id = id?;
        if let Some(given) = given {
            return Some((id, given?));
        }
        if let ExprKind::Name(name) = &super::strip(frame).kind
            && let Some(Thing::Body(i, _)) = self.names.get(name).map(|s| s.thing)
        {
            return Some((id, self.bodies.get(i)?.center?));
        }
        if id != FrameId(0) {
            self.origins.push((id, frame.span));
        }
        Some((id, PointId(0)))
    }

    /// `vel_at(W, P)`, `acc_at(W, P)`: of the point of the body or frame `W` that is at `P`.
    pub(super) fn material_motion(&mut self, twice: bool, call: Call<'_>) -> Option<Typed> {
        let Call {
            function,
            args,
            span,
        } = call;
        if !matches!(args.len(), 2 | 3) {
            return self.count(
                call,
                "a body or frame, a point, and optionally a point fixed in the frame",
            );
        }
        let fixed = self.frame_and_fixed_point(&args[0], args.get(2));
        let at = self.point_expr(&args[1], &function.text);
        let ((frame, origin), at) = (fixed?, at?);
        let content = self
            .point_content(origin)
            .plus(self.frame_content(frame))
            .plus(at.content);
        let once = content.rate();
        // A body in `N` does not turn, but it may move.
        let value = if (frame, origin) == (FrameId(0), PointId(0)) {
            Vector::Zero
        } else {
            material_point_motion(frame, origin, self.arm(origin, &at)?, twice)
        };
        let (dim, content) = if twice {
            (Dim::acceleration(), once.rate())
        } else {
            (Dim::velocity(), once)
        };
        Some(Typed::new(Value::Vector(value), dim, content, span))
    }

    /// The vector from a point to where an expression is.
    fn arm(&self, from: PointId, at: &Typed) -> Option<Vector> {
        let Value::Point(to, offset) = &at.value else {
            return None;
        };
        let between = Vector::Between { from, to: *to };
        Some(match offset {
            None => between,
            Some(offset) => between + offset.clone(),
        })
    }

    /// Velocity of a point as seen from a frame in which `origin` is fixed.
    pub(super) fn seen_from(point: PointId, frame: FrameId, origin: PointId) -> Vector {
        let velocity = |point| Vector::Velocity {
            point,
            frame: FrameId(0),
        };
        let spin = Vector::AngularVelocity {
            frame,
            within: FrameId(0),
        };
        let arm = Vector::Between {
            from: origin,
            to: point,
        };
        velocity(point) - velocity(origin) - spin.cross(arm)
    }

    /// An expression that has to be a point, with or without a vector from it.
    pub(super) fn point_expr(&mut self, expr: &Expr, function: &str) -> Option<Typed> {
        let found = self.expr(expr)?;
        if matches!(found.value, Value::Point(..)) {
            return Some(found);
        }
        let title = format!(
            "`{function}` takes a point here, not {}",
            found.value.text()
        );
        let label = format!("this is {}", found.value.text());
        let wrong = Diagnostic::error(codes::WRONG_KIND, title, found.span, label);
        self.refuse(match found.value {
            Value::Vector(_) => wrong.help("say where the vector starts, as in `O + v`"),
            _ => wrong.help("write the name of a point, or a point plus a vector: `O + x*N.x`"),
        })
    }

    /// Whether a number is written as 0.
    pub(super) fn is_exact_zero(scalar: &Scalar) -> bool {
        exact(scalar).is_some_and(|n| num_traits::Zero::is_zero(&n))
    }

    /// A warning for a frame whose origin was taken to be `O` though a body that moves otherwise rotates with it.
    pub fn warn_of_origin(&mut self, frame: FrameId, span: Span, body: &str) {
        let name = self.frame_name(frame).to_string();
        self.report(
            Diagnostic::warning(
                E0442,
                format!("`O` is taken as the fixed point of `{name}`"),
                span,
                format!("the body `{body}` rotates with this frame but does not keep its distance from `O`"),
            )
            .help(format!(
                "name the body `{body}` to take its mass centre as fixed, or give the fixed point as a further argument"
            )),
        );
    }
}

/// Velocity (or acceleration, `twice`) of what is fixed in a frame at the end of an arm from a point that is fixed in it.
fn material_point_motion(frame: FrameId, origin: PointId, arm: Vector, twice: bool) -> Vector {
    let (point, inertial) = (origin, FrameId(0));
    let within = inertial;
    let spin = match frame {
        FrameId(0) => Vector::Zero,
        _ => Vector::AngularVelocity { frame, within },
    };
    let rotational = spin.clone().cross(arm.clone());
    let (own, rotational) = if twice {
        let own = Vector::Acceleration {
            point,
            frame: inertial,
        };
        let angular = Vector::AngularAcceleration { frame, within };
        (own, angular.cross(arm) + spin.cross(rotational))
    } else {
        let own = Vector::Velocity {
            point,
            frame: inertial,
        };
        (own, rotational)
    };
    match origin {
        PointId(0) => rotational,
        _ => own + rotational,
    }
}

/// After a message about a position its users are taken to depend on coordinates only.
pub fn position_only(content: Content) -> Content {
    Content {
        order: content.order.map(|_| 0),
        speed: false,
        input: false,
        degree: Some(0),
        reactions: Some(0),
        joint: false,
        ..content
    }
}
