//! Points of contact of round bodies with a plane.

use super::call::Call;
use super::{Resolver, Typed, Value, content_of, exact};
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::model::system::{Scalar, Vector};
use crate::model::units::Dim;
use crate::syntax::ast::Expr;
use num_traits::Signed;

impl Resolver {
    /// `contact_sphere(C, r, n)`, `contact_disc(C, r, a, n)`, `contact_torus(C, R, r, a, n)`
    pub(super) fn contact(&mut self, call: Call<'_>) -> Option<Typed> {
        let Call {
            function,
            args,
            span,
        } = call;
        let (radii, axes, wanted) = match function.text.as_str() {
            "contact_sphere" => (1, 1, "a centre, a radius and the normal of the plane"),
            "contact_disc" => (
                1,
                2,
                "a centre, a radius, the axis of the disc and the normal of the plane",
            ),
            _ => (
                2,
                2,
                "a centre, the radius of the centre line, that of the tube, the axis and the normal of the plane",
            ),
        };
        if args.len() != 1 + radii + axes {
            return self.count(call, wanted);
        }
        let center = self.point_expr(&args[0], &function.text);
        let radii: Vec<_> = args[1..=radii]
            .iter()
            .map(|r| {
                let typed = self.scalar(r, "a radius")?;
                self.require(&typed, Dim::length(), "a radius", Some(&typed.value));
                Some(typed)
            })
            .collect();
        let axes: Vec<_> = args[args.len() - axes..]
            .iter()
            .map(|a| self.direction(a))
            .collect();
        let center = center?;
        let radii = radii.into_iter().collect::<Option<Vec<_>>>()?;
        let axes = axes.into_iter().collect::<Option<Vec<_>>>()?;
        if !self.is_round(&radii, &axes) {
            return None;
        }
        let offset = toward_plane(&radii, &axes)?;
        let content = content_of(&radii).plus(content_of(&axes));
        let content = content.plus(center.content).opaque();
        let Value::Point(base, own) = center.value else {
            return None;
        };
        let offset = match own {
            None => -offset,
            Some(own) => own - offset,
        };
        let value = Value::Point(base, Some(offset));
        Some(Typed::new(value, Dim::length(), content, span))
    }

    /// A vector made a unit vector.
    fn direction(&mut self, expr: &Expr) -> Option<Typed<Vector>> {
        let typed = self.vector(expr, "a direction")?;
        if matches!(typed.value, Vector::Zero) {
            let wrong = Diagnostic::error(
                codes::WRONG_KIND,
                "the zero vector has no direction",
                typed.span,
                "this must be a direction",
            );
            return self.refuse(wrong.help("name a direction, such as `N.z`"));
        }
        let unit = match &typed.value {
            Vector::Neg(inner) => matches!(**inner, Vector::Basis(..)),
            v => matches!(v, Vector::Basis(..)),
        };
        if unit {
            return Some(typed);
        }
        let inverse = Scalar::whole(1) / typed.value.clone().norm();
        let value = inverse * typed.value.clone();
        Some(typed.with(value))
    }

    /// Whether there is a sphere, disc or torus of these radii that has one point nearest to the plane, as far as the text shows; what
    /// stands in the way is told.
    fn is_round(&mut self, radii: &[Typed<Scalar>], axes: &[Typed<Vector>]) -> bool {
        let told = self.diagnostics.len();
        for radius in radii {
            if exact(&radius.value).is_some_and(|r| !r.is_positive()) {
                let title = "the radius at a contact is not positive";
                let wrong =
                    Diagnostic::error(codes::CONTACT, title, radius.span, "more than 0 is needed");
                self.report(wrong.help("the normal points to the side that the body is on; for the other side reverse it: `-N.z`"));
            }
        }
        if let [axis, normal] = axes
            && line(&axis.value).is_some()
            && line(&axis.value) == line(&normal.value)
        {
            let title = "the axis of a disc is along the normal of the plane";
            let wrong = Diagnostic::error(codes::CONTACT, title, axis.span, "the normal, too");
            self.report(wrong.help("a disc that lies flat touches everywhere; name the axis about which it spins when it rolls, such as `B.y`"));
        }
        self.diagnostics.len() == told
    }
}

/// The direction of a frame's axis, whichever way it points.
fn line(v: &Vector) -> Option<&Vector> {
    match v {
        Vector::Neg(inner) => line(inner),
        Vector::Basis(..) => Some(v),
        _ => None,
    }
}

/// From the point of a sphere, disc or torus that is nearest to a plane to its centre: along the normal by the radius, or by the radii across
/// the axis and along the normal.
fn toward_plane(radii: &[Typed<Scalar>], axes: &[Typed<Vector>]) -> Option<Vector> {
    let (first, normal) = (radii.first()?.value.clone(), axes.last()?.value.clone());
    let [axis, _] = axes else {
        return Some(first * normal);
    };
    // The part of the normal across the axis, made a unit vector.
    let along = normal.clone().dot(axis.value.clone());
    let across = normal.clone() - along * axis.value.clone();
    let down = first / across.clone().norm() * across;
    Some(match radii.get(1) {
        Some(tube) => down + tube.value.clone() * normal,
        None => down,
    })
}
