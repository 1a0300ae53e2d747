//! Constraints and privileged velocities.

use super::{Builder, meta};
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::model::content::Content;
use crate::model::resolve::{ConstraintFacts, Typed, Value};
use crate::model::system::{Constraint, ConstraintId, ConstraintRelation, FrameId, Scalar, Vector};
use crate::model::units::DimExpr;
use crate::span::Span;
use crate::syntax::ast::{self, Expr, Item, ItemKind};
use crate::syntax::print;

impl Builder<'_> {
    /// `constraint blade: lhs = rhs`
    pub(super) fn constraint(&mut self, item: &Item) {
        let ItemKind::Constraint(ast::Constraint {
            name,
            lhs,
            rhs,
            frame,
            implied,
        }) = &item.kind
        else {
            return;
        };
        let (left, right) = (self.scope.expr(lhs), self.scope.expr(rhs));
        let rows = frame.as_ref().map(|f| (f, self.frame_by_name(f)));
        let (Some(left), Some(right)) = (left, right) else {
            return;
        };
        let relation = match self.sides(&left, &right) {
            Some(Sides::Scalar(lhs, rhs)) => {
                if let Some((frame, _)) = rows {
                    self.scope.report(Diagnostic::error_with_help(
                        codes::WRONG_KIND,
                        format!("the constraint `{}` is a scalar equation", name.text),
                        frame.span,
                        "only vector equations have components",
                        "remove `in ...`",
                    ));
                }
                ConstraintRelation::Scalar { lhs, rhs }
            }
            Some(Sides::Vector(lhs, rhs)) => {
                let frame = match rows {
                    Some((_, Some(frame))) => frame,
                    Some((_, None)) => return,
                    None => FrameId(0),
                };
                ConstraintRelation::Vector { lhs, rhs, frame }
            }
            None => return,
        };
        if let ConstraintRelation::Vector { lhs, rhs, .. } = &relation {
            self.held_place(lhs, rhs, left.span.to(right.span));
        }
        let dim = self.common_side_unit(&left, &right);
        let index = self.known_constraint(item, &relation, &dim, left.content.plus(right.content));
        if self.constrains(&left, &right, &relation) {
            let constraint = Constraint {
                meta: meta(name, item),
                relation,
                reaction: false,
                implied: *implied,
            };
            self.constraints.push((index, constraint, dim));
        }
    }

    /// Warns of `vel(P) = 0` where `P` goes along with the centre of a body that turns: at a contact the material of the body is meant.
    fn held_place(&mut self, lhs: &Vector, rhs: &Vector, span: Span) {
        let (
            Vector::Velocity {
                point,
                frame: FrameId(0),
            },
            Vector::Zero,
        ) = (lhs, rhs)
        else {
            return;
        };
        let Some(place) = self
            .scope
            .system_points
            .as_ref()
            .and_then(|all| all.get(point.index()))
        else {
            return;
        };
        let Some((base, offset)) = &place.offset else {
            return;
        };
        let rolling =
            std::iter::zip(&self.declared.bodies, &self.scope.bodies).find(|(_, body)| {
                let turns = |frame| {
                    let anchor = self.anchor(frame);
                    anchor != FrameId(0) && !self.is_fixed(offset, anchor)
                };
                body.center == Some(*base) && body.frame.is_some_and(turns)
            });
        let Some((ItemKind::Body { name, .. }, _)) = rolling.map(|(item, b)| (&item.kind, b))
        else {
            return;
        };
        let (point, body) = (place.meta.name.clone(), name.text.clone());
        self.scope.report(
            Diagnostic::warning(
                codes::HELD_PLACE,
                format!("this holds the place `{point}`, and so the centre of `{body}`"),
                span,
                format!("`{point}` does not turn with `{body}`"),
            )
            .help(format!(
                "a body that rolls has no velocity at the contact: `vel_at({body}, {point}) = 0`"
            )),
        );
    }

    /// Notes what reactions of the constraint have to know.
    fn known_constraint(
        &mut self,
        item: &Item,
        relation: &ConstraintRelation,
        dim: &DimExpr,
        content: Content,
    ) -> usize {
        let declared = &self.declared.constraints;
        let own = |other: &&Item| std::ptr::eq(*other, item);
        let Some(index) = declared.iter().position(own) else {
            return declared.len();
        };
        let vector = matches!(relation, ConstraintRelation::Vector { .. });
        let id = ConstraintId(index as u32);
        let facts = ConstraintFacts::new(id, vector, dim, content.order);
        self.scope.constraints[index] = Some(facts);
        index
    }

    /// Both sides of the same sort; the literal 0 is of either.
    fn sides(&mut self, left: &Typed, right: &Typed) -> Option<Sides> {
        match (&left.value, &right.value) {
            (Value::Scalar(a), Value::Scalar(b)) => Some(Sides::Scalar(a.clone(), b.clone())),
            (Value::Vector(a), Value::Vector(b)) => Some(Sides::Vector(a.clone(), b.clone())),
            (Value::Vector(a), b) if b.is_zero() => Some(Sides::Vector(a.clone(), Vector::Zero)),
            (a, Value::Vector(b)) if a.is_zero() => Some(Sides::Vector(Vector::Zero, b.clone())),
            // Two points at one position: the vector between them vanishes.
            (Value::Point(to, a), Value::Point(from, b)) => {
                let between = Vector::Between {
                    from: *from,
                    to: *to,
                };
                let lhs = a.iter().fold(between, |v, a| v + a.clone());
                Some(Sides::Vector(lhs, b.clone().unwrap_or(Vector::Zero)))
            }
            (a, b) => {
                let wrong = Diagnostic::error(
                    codes::MIXED,
                    format!("{} cannot equal {}", a.text(), b.text()),
                    right.span,
                    format!("this is {}", b.text()),
                )
                .label(left.span, format!("this is {}", a.text()));
                let scalar = matches!(a, Value::Scalar(_)) || matches!(b, Value::Scalar(_));
                self.scope.refuse(if scalar {
                    wrong
                        .help("take a component with `dot(v, N.x)`, or write 0 for the zero vector")
                } else {
                    wrong.help("both sides have to be scalars, or vectors, or points")
                })
            }
        }
    }

    fn common_side_unit(&mut self, left: &Typed, right: &Typed) -> DimExpr {
        let title = "the sides of a constraint have different units";
        if self.scope.same_unit(left, right, right.span, title) {
            left.dim.clone()
        } else {
            self.scope.unknown_dim()
        }
    }

    /// Whether the equation constrains the motion, and by nothing but positions, velocities and time.
    fn constrains(&mut self, left: &Typed, right: &Typed, relation: &ConstraintRelation) -> bool {
        let content = left.content.plus(right.content);
        let whole = left.span.to(right.span);
        let wrong = if content.order.is_none() {
            Diagnostic::error(
                codes::EMPTY_CONSTRAINT,
                "this constraint contains nothing that moves",
                whole,
                "no coordinate, rate or speed",
            )
            .help("state a relation between parameters with `let`, a bound with `assume`")
        } else if same_sides(relation) {
            Diagnostic::error(
                codes::EMPTY_CONSTRAINT,
                "both sides of this constraint are the same",
                whole,
                "this reads 0 = 0",
            )
            .help("take it away")
        } else if content.has_reaction() {
            Diagnostic::error(
                codes::REACTION_PLACE,
                "a constraint depends on the reaction of a constraint",
                whole,
                "this contains a reaction",
            )
            .help("constraints relate positions, velocities or accelerations; state a force that depends on a reaction as a load")
        } else if content.order.is_some_and(|o| o > 2) {
            Diagnostic::error(
                codes::CONSTRAINT,
                "a constraint on rates of accelerations",
                whole,
                "this contains a third derivative",
            )
            .help("constraints relate positions, velocities or accelerations")
        } else if content.input && content.order.is_some_and(|o| o < 2) {
            Diagnostic::error(
                codes::CONSTRAINT,
                format!("a constraint depends on {}", content.external()),
                whole,
                format!(
                    "its accelerations would need rates of {}",
                    content.external()
                ),
            )
            .help("declare a `function` of time instead, such as `function h(t) : m`")
        } else {
            return true;
        };
        self.scope.report(wrong);
        false
    }

    /// `privileged psi1', u2`
    pub(super) fn privileged(&mut self, list: &[Expr]) {
        for expr in list {
            let Some(typed) = self.scope.expr(expr) else {
                continue;
            };
            let scalar = match &typed.value {
                Value::Scalar(s @ Scalar::Speed(_)) => s.clone(),
                Value::Scalar(s @ Scalar::Rate(inner)) if matches!(**inner, Scalar::Coord(_)) => {
                    s.clone()
                }
                other => {
                    let wrong = Diagnostic::error(
                        codes::PRIVILEGED,
                        "a privileged velocity is a speed or the rate of a coordinate",
                        typed.span,
                        "this is neither",
                    );
                    self.scope.report(match other {
                        Value::Scalar(Scalar::Coord(_)) => {
                            let written = format!("{}'", print::expression(expr));
                            wrong.help(format!("write `{written}`")).write(written)
                        }
                        _ => wrong.help("give it a name with `speed` and list the name"),
                    });
                    continue;
                }
            };
            let first = self.privileged.iter().find(|(known, _)| *known == scalar);
            if let Some((_, first)) = first {
                let wrong = Diagnostic::error(
                    codes::PRIVILEGED,
                    format!("`{}` is privileged twice", print::expression(expr)),
                    typed.span,
                    "listed again",
                )
                .label(*first, "first listed here");
                self.scope.report(wrong);
                continue;
            }
            self.privileged.push((scalar, typed.span));
        }
    }
}

enum Sides {
    Scalar(Scalar, Scalar),
    Vector(Vector, Vector),
}

/// Whether lhs and rhs are the same expression, or a point is to meet itself.
fn same_sides(relation: &ConstraintRelation) -> bool {
    match relation {
        ConstraintRelation::Scalar { lhs, rhs } => lhs == rhs,
        ConstraintRelation::Vector { lhs, rhs, .. } => {
            let itself = matches!(lhs, Vector::Between { from, to } if from == to);
            lhs == rhs || (itself && *rhs == Vector::Zero)
        }
    }
}
