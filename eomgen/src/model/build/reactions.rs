//! Reactions: of stated constraints in loads, and those that are declared for definitions.

use super::{Builder, meta};
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::model::names::Thing;
use crate::model::resolve::Typed;
use crate::model::system::{Action, Joint, Site, Vector};
use crate::model::units::Dim;
use crate::syntax::ast::{Expr, ExprKind, Ident, Item, Reaction, ReactionPair, SourceFile};
use crate::syntax::visit;

/// Whether the text mentions reactions of constraints at all.
pub(super) fn mentions_reactions(file: &SourceFile) -> bool {
    let reaction = |e: &Expr| matches!(&e.kind, ExprKind::Call(f, _) if f.text == "reaction");
    let mut exprs = file.items.iter().flat_map(|i| visit::unit_and_exprs(i).1);
    exprs.any(|expr| visit::any(expr, &reaction))
}

impl Builder<'_> {
    /// Loads may be linear in reactions.
    pub(super) fn linear_in_reactions<V>(&mut self, typed: &Typed<V>) -> bool {
        let help = "state what holds the point or frame as a `constraint`; loads may depend on `reaction(c)`";
        let (content, span) = (typed.content, typed.span);
        if content.joint && self.scope.refuse_reaction(content, span, "a load", help) {
            return false;
        }
        if matches!(content.reactions, Some(0 | 1)) {
            return true;
        }
        self.scope.report(Diagnostic::error_with_help(codes::REACTION_LINEAR, "a load is not linear in the reactions of constraints", typed.span, "a reaction appears here in a product with another, in a function or in a denominator", "instead of `abs(reaction(c))` choose the side on which the contact acts: `-mu*reaction(c)*tanh(v/v0)` with `reaction(c)` positive in contact"));
        false
    }

    /// `reaction T at P: B.x`
    pub(super) fn joint(&mut self, reaction: &Reaction, item: &Item) {
        let site = self.site(&reaction.at);
        let direction = self.reaction_direction(&reaction.name, &reaction.direction);
        if let (Some(site), Some(direction)) = (site, direction) {
            self.push_joint(&reaction.name, site, direction, Action::Definition, item);
        }
    }

    /// The direction of a declared reaction: a vector of positions.
    fn reaction_direction(&mut self, name: &Ident, direction: &Expr) -> Option<Vector> {
        let typed = self
            .scope
            .vector(direction, "the direction of a reaction")?;
        let what = format!("the direction of `{}`", name.text);
        let count = self.scope.diagnostics.len();
        self.scope.check_position(typed.content, typed.span, &what);
        (self.scope.diagnostics.len() == count).then_some(typed.value)
    }

    fn push_joint(
        &mut self,
        name: &Ident,
        site: Site,
        direction: Vector,
        action: Action,
        item: &Item,
    ) {
        let dim = match site {
            Site::Point(_) => Dim::force(),
            Site::Frame(_) => Dim::torque(),
        };
        let mut meta = meta(name, item);
        meta.unit = (!self.scope.muted && !self.scope.unit_free).then(|| dim.text());
        self.joints.push(Joint {
            meta,
            site,
            direction,
            action,
        });
    }

    /// `reaction p: force on P along B.x, opposite on Q`
    pub(super) fn pair(&mut self, pair: &ReactionPair, item: &Item) {
        let (name, on) = (&pair.name, &pair.on.on);
        let opposite = pair.opposite.as_ref().map(|side| &side.on);
        let side = self.load_side(pair.kind, &pair.on, None);
        let other = pair.opposite.as_ref();
        let other = other.map(|o| self.load_side(pair.kind, o, Some(&pair.on)));
        let direction = self.reaction_direction(name, &pair.along);
        let (Some((site, carrier)), Some(direction)) = (side, direction) else {
            return;
        };
        let opposite_side = match other {
            Some(None) => return,
            Some(found) => found,
            None => None,
        };
        let ground = match (site, carrier) {
            (_, Some(carrier)) => carrier.frame.index() == 0,
            (Site::Point(p), None) => p.index() == 0,
            (Site::Frame(f), None) => f.index() == 0,
        };
        let message = if ground {
            Some((
                format!("`{}` needs no support: it never moves", on.text),
                on.span,
                "nothing is supported here",
                "name the moving side first; `opposite on` may be omitted if the other side is fixed",
            ))
        } else if opposite_side == Some((site, carrier)) {
            Some((
                format!(
                    "the reaction `{}` and its opposite act on the same object",
                    name.text
                ),
                opposite.map_or(on.span, |o| o.span),
                "the same object again",
                "name the two sides between which the reaction acts",
            ))
        } else {
            None
        };
        if let Some((title, span, label, help)) = message {
            let d = Diagnostic::error(codes::REACTION_SITE, title, span, label).help(help);
            self.scope.report(d);
            return;
        }
        let action = Action::Pair {
            on: carrier,
            opposite: opposite_side,
        };
        self.push_joint(name, site, direction, action, item);
    }

    /// What is held: a point, or a particle's point; a frame.
    fn site(&mut self, at: &Ident) -> Option<Site> {
        let thing = self.scope.names.get(&at.text).map(|s| s.thing);
        let refuse = |title: String, help: &str| {
            Diagnostic::error(
                codes::REACTION_SITE,
                title,
                at.span,
                "nothing is supported here",
            )
            .help(help)
        };
        match thing {
            Some(Thing::Frame(0) | Thing::Point(0)) => {
                let title = format!("`{}` needs no support: it never moves", at.text);
                self.scope.refuse(refuse(
                    title,
                    "name a declared point for a force, a declared frame for a torque",
                ))
            }
            Some(Thing::Body(_, true)) => {
                let title = format!(
                    "the reaction on the body `{}` may be a force or a torque",
                    at.text
                );
                self.scope.refuse(refuse(
                    title,
                    "name the point at which the body is held for a force, its frame for a torque",
                ))
            }
            Some(Thing::Frame(_)) => self.scope.frame_named(&at.text, at.span).map(Site::Frame),
            _ => self.scope.point_named(&at.text, at.span).map(Site::Point),
        }
    }
}
