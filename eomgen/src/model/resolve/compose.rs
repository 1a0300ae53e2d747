//! Functions that are made of others: `unit`, `distance`, `hypot`, `clamp`, `step`; and what is asked of bodies.

use super::call::Call;
use super::{Resolver, Typed, Value, content_of, strip};
use crate::diag::Diagnostic;
use crate::function::Elementary;
use crate::model::codes;
use crate::model::names::Thing;
use crate::model::system::{Comparison, Condition, PointId, Scalar, Vector};
use crate::model::units::{Dim, DimExpr};
use crate::syntax::ast::{Expr, ExprKind};

impl Resolver {
    /// `unit(v)`
    pub(super) fn unit_vector(&mut self, call: Call<'_>) -> Option<Typed> {
        let Call { function, span, .. } = call;
        let [v] = self.exactly(call, "one vector")?;
        let v = self.operand(v, &function.text)?;
        if v.value == Vector::Zero {
            return self.refuse(Diagnostic::error(
                codes::NUMBER,
                "the zero vector has no direction",
                v.span,
                "its length is 0",
            ));
        }
        let factor = Scalar::whole(1) / v.value.clone().norm();
        Some(Typed::new(
            Value::Vector(factor * v.value),
            DimExpr::none(),
            v.content.opaque(),
            span,
        ))
    }

    /// `distance(P, Q)`
    pub(super) fn distance(&mut self, call: Call<'_>) -> Option<Typed> {
        let [from, to] = self.exactly(call, "two points")?;
        let from = self.point_ref(from);
        let to = self.point_ref(to);
        let (from, to) = (from?, to?);
        if from == to {
            return self.refuse(Diagnostic::error(
                codes::NUMBER,
                "the distance of a point from itself",
                call.span,
                "this is always 0",
            ));
        }
        let content = self.point_content(from).plus(self.point_content(to));
        Some(Typed::new(
            Value::Scalar(distance(from, to)),
            Dim::length(),
            content.opaque(),
            call.span,
        ))
    }

    /// `hypot(a, b)`, `clamp(x, lo, hi)`, `step(x)`
    pub(super) fn composed(&mut self, call: Call<'_>) -> Option<Typed> {
        let Call {
            function,
            args,
            span,
        } = call;
        let (wanted, count) = match function.text.as_str() {
            "hypot" => ("two arguments", 2),
            "clamp" => ("a quantity, its minimum and its maximum", 3),
            _ => ("one argument", 1),
        };
        if args.len() != count {
            return self.count(call, wanted);
        }
        let what = format!("an argument of `{}`", function.text);
        let args = self.scalars(args, &what)?;
        let content = content_of(&args).opaque();
        self.same_units(function, &args);
        let dim = match function.text.as_str() {
            "step" => DimExpr::none(),
            _ => args.first()?.dim.clone(),
        };
        let mut values = args.into_iter().map(|a| a.value);
        let first = values.next()?;
        let call = |f, a, b| Scalar::Call(f, vec![a, b]);
        let value = match (values.next(), values.next()) {
            (Some(second), None) => {
                let sum = first.squared() + second.squared();
                Scalar::Call(Elementary::Sqrt, vec![sum])
            }
            (Some(least), Some(greatest)) => {
                let above = call(Elementary::Max, first, least);
                call(Elementary::Min, above, greatest)
            }
            _ => Scalar::If {
                condition: Box::new(Condition::Compare(
                    Comparison::Less,
                    first,
                    Scalar::whole(0),
                )),
                then: Box::new(Scalar::whole(0)),
                other: Box::new(Scalar::whole(1)),
            },
        };
        Some(Typed::new(Value::Scalar(value), dim, content, span))
    }

    /// `kinetic(A)`, `momentum(A)`, `angmom(A, P)`
    pub(super) fn of_body(&mut self, call: Call<'_>) -> Option<Typed> {
        let Call {
            function,
            args,
            span,
        } = call;
        let angular = function.text == "angmom";
        let wanted = if angular {
            "a body, and optionally a point"
        } else {
            "one body"
        };
        let (body, about) = match args {
            [body] => (body, None),
            [body, point] if angular => (body, Some(point)),
            _ => {
                return self.count(call, wanted);
            }
        };
        let index = self.body_ref(body, &function.text);
        let about = about.map(|p| self.point_ref(p));
        let index = index?;
        let placed = *self.bodies.get(index)?;
        let center = placed.center?;
        let about = match about {
            Some(point) => point?,
            None => center,
        };
        let mut position = self.point_content(center).plus(self.point_content(about));
        if let Some(frame) = placed.frame {
            position = position.plus(self.frame_content(frame));
        }
        let content = position.rate();
        let momentum = Dim::mass().times(&Dim::velocity());
        let (value, dim, content) = match function.text.as_str() {
            "kinetic" => {
                let value = Value::Scalar(Scalar::Kinetic(index));
                (value, Dim::torque(), content.power(2))
            }
            "momentum" => (Value::Vector(Vector::Momentum(index)), momentum, content),
            _ => {
                let value = Vector::AngularMomentum { body: index, about };
                let dim = momentum.times(&Dim::length());
                (Value::Vector(value), dim, content)
            }
        };
        Some(Typed::new(value, dim, content, span))
    }

    /// A particle or body by name.
    fn body_ref(&mut self, expr: &Expr, function: &str) -> Option<usize> {
        let wanted = |t| matches!(t, Thing::Body(..));
        let ExprKind::Name(name) = &strip(expr).kind else {
            let found = self.expr(expr)?;
            return self.refuse(Diagnostic::error(
                codes::WRONG_KIND,
                format!("`{function}` takes the name of a particle or body"),
                found.span,
                format!("this is {}, not a name", found.value.text()),
            ));
        };
        match self.names.get(name).map(|s| s.thing) {
            Some(Thing::Body(index, _)) => Some(index),
            _ => self.misnamed(name, expr.span, ["a particle or body", "body"], wanted),
        }
    }
}

/// `distance(P, Q)`
pub fn distance(from: PointId, to: PointId) -> Scalar {
    Scalar::Norm(Box::new(Vector::Between { from, to }))
}
