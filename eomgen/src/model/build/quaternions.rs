//! Frames by quaternions, and by Rodrigues parameters, which are quaternions of another length.

use super::Builder;
use super::frames::Rotated;
use crate::diag::Diagnostic;
use crate::diag::codes::geometry::E0440;
use crate::model::resolve::{Typed, content_of};
use crate::model::system::{Constraint, ConstraintRelation, CoordId, Meta, Orientation, Scalar};
use crate::span::Span;
use crate::syntax::ast::{Expr, Ident, Item};

impl Builder<'_> {
    /// `quaternion(PARENT, e0, e1, e2, e3)`
    pub(super) fn quaternion(
        &mut self,
        name: &Ident,
        args: &[Expr],
        span: Span,
    ) -> Option<Rotated> {
        let [parent, given @ ..] = args else {
            return self.quaternion_usage(name, span);
        };
        if given.len() != 4 {
            return self.quaternion_usage(name, span);
        }
        let parent = self.scope.frame_ref(parent);
        let entries: Vec<_> = given
            .iter()
            .map(|e| self.pure_number(e, "a component of a quaternion"))
            .collect();
        let (parent, entries) = (parent?, entries.into_iter().collect::<Option<Vec<_>>>()?);
        let mut coords: Vec<CoordId> = Vec::new();
        for entry in &entries {
            let why = match &entry.value {
                Scalar::Coord(c) if !coords.contains(c) => {
                    coords.push(*c);
                    continue;
                }
                Scalar::Coord(_) => "this coordinate appears twice",
                _ => "this is not a coordinate",
            };
            let wrong = Diagnostic::error(
                E0440,
                format!(
                    "the quaternion of `{}` is not made of four coordinates",
                    name.text
                ),
                entry.span,
                why,
            );
            return self.scope.refuse(wrong.help(
                "declare four, such as `coord e0 = 1, e1, e2, e3`; write a prescribed rotation with `rotate` or `matrix`",
            ));
        }
        Some(Rotated {
            parent,
            content: content_of(&entries),
            rotations: vec![Orientation::Quaternion {
                parts: parts(entries)?,
                unit: true,
            }],
        })
    }

    fn quaternion_usage(&mut self, name: &Ident, span: Span) -> Option<Rotated> {
        self.usage(
            span,
            "`quaternion` takes a frame and four coordinates, scalar component first",
            &format!("frame {} = quaternion(N, e0, e1, e2, e3)", name.text),
        )
    }

    /// `rodrigues(PARENT, p1, p2, p3)`: the quaternion (1, p); `mrp(PARENT, s1, s2, s3)`: (1 - s.s, 2 s).
    pub(super) fn gibbs(
        &mut self,
        name: &Ident,
        args: &[Expr],
        span: Span,
        modified: bool,
    ) -> Option<Rotated> {
        let function = if modified { "mrp" } else { "rodrigues" };
        let [parent, a, b, c] = args else {
            let title = format!("`{function}` takes a frame and three parameters");
            let example = format!("frame {} = {function}(N, p1, p2, p3)", name.text);
            return self.usage(span, &title, &example);
        };
        let parent = self.scope.frame_ref(parent);
        let entries = [a, b, c].map(|e| self.pure_number(e, "a Rodrigues parameter"));
        let parent = parent?;
        let entries = entries.into_iter().collect::<Option<Vec<_>>>()?;
        let content = content_of(&entries);
        let mut all = vec![Scalar::whole(1)];
        if modified {
            let square = |e: &Typed<Scalar>| e.value.clone() * e.value.clone();
            let one = Scalar::whole(1);
            all = vec![entries.iter().fold(one, |rest, e| rest - square(e))];
            all.extend(entries.into_iter().map(|e| Scalar::whole(2) * e.value));
        } else {
            all.extend(entries.into_iter().map(|e| e.value));
        }
        Some(Rotated {
            parent,
            rotations: vec![Orientation::Quaternion {
                parts: all.try_into().ok()?,
                unit: false,
            }],
            content,
        })
    }

    /// The constraint that keeps the quaternion of this frame at length 1, unless another frame has brought it.
    pub(super) fn norm_constraint(&mut self, name: &Ident, item: &Item) {
        let frames = || {
            self.frames
                .iter()
                .filter_map(|f| f.orientation.as_ref().map(|o| (f, &o.1)))
        };
        let own = frames().find(|(f, _)| f.meta.name == name.text);
        let Some((frame, Orientation::Quaternion { parts, unit: true })) = own else {
            return;
        };
        let mut before = frames().take_while(|(f, _)| f.meta.name != frame.meta.name);
        let taken = |o: &Orientation| match o {
            Orientation::Quaternion {
                parts: p,
                unit: true,
            } => p.iter().all(|e| parts.contains(e)),
            _ => false,
        };
        if before.any(|(_, o)| taken(o)) {
            return;
        }
        let squares = parts.iter().map(|e| e.clone().squared());
        let Some(lhs) = squares.reduce(|a, b| a + b) else {
            return;
        };
        let constraint = Constraint {
            meta: Meta {
                name: format!("{}.norm", name.text),
                shown: None,
                unit: None,
                docs: "Length of the quaternion.".to_string(),
                span: item.span,
            },
            relation: ConstraintRelation::Scalar {
                lhs,
                rhs: Scalar::whole(1),
            },
            reaction: false,
            implied: false,
        };
        self.constraints
            .push((usize::MAX, constraint, crate::model::units::DimExpr::none()));
    }
}

fn parts(entries: Vec<Typed<Scalar>>) -> Option<[Scalar; 4]> {
    let values: Vec<Scalar> = entries.into_iter().map(|e| e.value).collect();
    values.try_into().ok()
}
