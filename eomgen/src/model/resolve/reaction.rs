//! `reaction(c)`: the multipliers of a constraint in expressions, and where they may not stand.

use super::call::Call;
use super::{Resolver, Typed, Value, strip};
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::model::content::Content;
use crate::model::names::Thing;
use crate::model::system::{Axis, ConstraintId, Scalar, Site, Vector};
use crate::model::units::{Dim, DimExpr};
use crate::span::Span;
use crate::syntax::ast::{Expr, ExprKind};

/// What is known of a constraint.
#[derive(Clone, Debug)]
pub struct ConstraintFacts {
    /// Its index in the constraints of the system.
    pub id: ConstraintId,
    /// Whether it is an equation between vectors.
    pub vector: bool,
    /// Unit of its multipliers: times the rate form of the constraint they are a power.
    pub dim: DimExpr,
    /// Whether its reaction is mentioned.
    pub mentioned: bool,
}

impl ConstraintFacts {
    /// Facts of a constraint from the unit of its sides and the highest derivative in them.
    pub fn new(id: ConstraintId, vector: bool, sides: &DimExpr, order: Option<u8>) -> Self {
        let second = DimExpr::from(Dim::time());
        let power = DimExpr::from(Dim::torque()).over(&second);
        let rate = match order {
            Some(0) | None => sides.rate(),
            Some(1) => sides.clone(),
            Some(_) => sides.times(&second),
        };
        ConstraintFacts {
            id,
            vector,
            dim: power.over(&rate),
            mentioned: false,
        }
    }
}

impl Resolver {
    /// `reaction(c)`, `reaction(c.x)`, `reaction(c, P)`, `reaction(c.x, B)`
    pub(super) fn reaction(&mut self, call: Call<'_>) -> Option<Typed> {
        let Call { args, span, .. } = call;
        let (arg, site) = match args {
            [arg, site] => (arg, Some(site)),
            _ => {
                let wanted = "the name of a constraint, and optionally that of a point or frame on which it acts";
                let [arg] = self.exactly(call, wanted)?;
                (arg, None)
            }
        };
        let found = self.reaction_of(strip(arg), span)?;
        let Some(site) = site else {
            return Some(found);
        };
        self.reaction_on(found, strip(site), span)
    }

    /// The force at a point, or the torque on a frame, of what `reaction(c)` is.
    fn reaction_on(&mut self, whole: Typed, site: &Expr, span: Span) -> Option<Typed> {
        let (constraint, axis) = match whole.value {
            Value::Vector(Vector::Reaction(constraint)) => (constraint, None),
            Value::Scalar(Scalar::Reaction { constraint, axis }) => (constraint, axis),
            _ => return None,
        };
        let named = match &site.kind {
            ExprKind::Name(name) => self.names.get(name).map(|s| (name, s.thing)),
            _ => None,
        };
        let (site, dim) = match named {
            Some((name, Thing::Body(_, true))) => {
                return self.refuse(Diagnostic::error_with_help(
                    codes::REACTION_SITE,
                    format!("what acts on the body `{name}` may be a force or a torque"),
                    site.span,
                    "this must be a point or a frame",
                    "name a point of the body for the force, its frame for the torque",
                ));
            }
            Some((_, Thing::Frame(_))) => (Site::Frame(self.frame_ref(site)?), Dim::torque()),
            _ => (Site::Point(self.point_ref(site)?), Dim::force()),
        };
        Some(Typed {
            value: Value::Vector(Vector::ReactionOn {
                constraint,
                axis,
                site,
            }),
            dim: dim.into(),
            // Outputs only: the row's coefficients belong to the motion.
            content: Content::JOINT,
            span,
        })
    }

    fn reaction_of(&mut self, arg: &Expr, span: Span) -> Option<Typed> {
        let (base, field) = match &arg.kind {
            ExprKind::Field(base, field) => (strip(base), Some(field)),
            _ => (arg, None),
        };
        let ExprKind::Name(name) = &base.kind else {
            return self.refuse(Diagnostic::error_with_help(
                codes::REACTION,
                "this must be the name of a constraint",
                base.span,
                "not a name",
                "write `reaction(c)` for a constraint `c`, `reaction(c.x)` for one of its rows",
            ));
        };
        let facts = self.constraint_named(name, base.span)?;
        let typed = |value| Typed::new(value, facts.dim.clone(), Content::REACTION, span);
        let constraint = facts.id;
        let Some(field) = field else {
            return Some(typed(if facts.vector {
                Value::Vector(Vector::Reaction(constraint))
            } else {
                Value::Scalar(Scalar::Reaction {
                    constraint,
                    axis: None,
                })
            }));
        };
        let axis = Axis::named(&field.text);
        let (title, help) = match (axis, facts.vector) {
            (Some(_), true) => {
                return Some(typed(Value::Scalar(Scalar::Reaction { constraint, axis })));
            }
            (_, false) => (
                format!("the constraint `{name}` is one equation and has no rows"),
                format!("write `reaction({name})`"),
            ),
            (None, true) => (
                format!("the constraint `{name}` has no row `.{}`", field.text),
                "the rows are `.x`, `.y` and `.z`".to_string(),
            ),
        };
        self.refuse(Diagnostic::error_with_help(
            codes::REACTION,
            title,
            field.span,
            "no such row",
            help,
        ))
    }

    /// What is known of a constraint, whose reaction is mentioned by that.
    fn constraint_named(&mut self, name: &str, span: Span) -> Option<ConstraintFacts> {
        let (title, label, help) = match self.names.get(name).map(|s| s.thing) {
            Some(Thing::Constraint(i)) => {
                let facts = self.constraints.get_mut(i)?.as_mut()?;
                facts.mentioned = true;
                return Some(facts.clone());
            }
            Some(Thing::Joint(_)) => (
                format!("`{name}` is already a reaction"),
                "this must be a constraint",
                format!("write just `{name}`"),
            ),
            Some(other) => (
                format!("`{name}` is {}, not a constraint", other.text()),
                "only constraints have a reaction",
                "declare the force that holds a point or frame in its defined position: `reaction T at P: B.x`".to_string(),
            ),
            None => {
                let wanted = |t| matches!(t, Thing::Constraint(_));
                return self.misnamed(name, span, ["a constraint", "constraint"], wanted);
            }
        };
        self.refuse(Diagnostic::error_with_help(
            codes::REACTION,
            title,
            span,
            label,
            help,
        ))
    }

    /// A reaction cannot be differentiated.
    pub(super) fn no_rate_of_reaction(&mut self, span: Span) {
        self.report(Diagnostic::error_with_help(
            codes::PRIME,
            "the rate of a reaction is not computed",
            span,
            "this depends on the reaction of a constraint",
            "differentiate it numerically along the motion",
        ));
    }

    /// Reports a reaction where none is allowed. Whether there was one.
    pub fn refuse_reaction(
        &mut self,
        content: Content,
        span: Span,
        what: &str,
        help: &str,
    ) -> bool {
        if !content.has_reaction() {
            return false;
        }
        self.report(Diagnostic::error_with_help(
            codes::REACTION_PLACE,
            format!("{what} depends on the reaction of a constraint"),
            span,
            "this contains a reaction",
            help,
        ));
        true
    }
}
