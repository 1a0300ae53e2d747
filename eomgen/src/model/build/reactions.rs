//! Reactions: of stated constraints in loads, and those that are declared for definitions.

use super::{Builder, meta};
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::model::names::Thing;
use crate::model::resolve::Typed;
use crate::model::system::{Joint, Site};
use crate::model::units::Dim;
use crate::syntax::ast::{Expr, ExprKind, Ident, Item, ItemKind, SourceFile};

/// Whether the text mentions reactions of constraints at all.
pub(super) fn mentions_reactions(file: &SourceFile) -> bool {
    let mut found = false;
    for item in &file.items {
        for expr in super::collect::parts(item).1 {
            super::collect::visit(expr, &mut |e| {
                found |= matches!(&e.kind, ExprKind::Call(f, _) if f.text == "reaction");
            });
        }
    }
    found
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
        self.scope.report(
            Diagnostic::error(
                codes::REACTION_LINEAR,
                "a load is not linear in the reactions of constraints",
                typed.span,
                "a reaction stands in a product with another, in a function or below a fraction here",
            )
            .help("for `abs(reaction(c))` state the side on which the contact acts: `-mu*reaction(c)*tanh(v/v0)` where `reaction(c)` is positive in contact"),
        );
        false
    }

    /// `reaction T at P: B.x`
    pub(super) fn joint(&mut self, name: &Ident, at: &Ident, direction: &Expr, item: &Item) {
        let site = self.site(at);
        let typed = self.scope.vector(direction, "the direction of a reaction");
        let (Some(site), Some(typed)) = (site, typed) else {
            return;
        };
        let what = format!("the direction of `{}`", name.text);
        let count = self.scope.diagnostics.len();
        self.scope.check_position(typed.content, typed.span, &what);
        if self.scope.diagnostics.len() > count {
            return;
        }
        let dim = match site {
            Site::Point(_) => Dim::force(),
            Site::Frame(_) => Dim::torque(),
        };
        let mut meta = meta(name, item);
        meta.unit = (!self.scope.muted && !self.scope.unit_free).then(|| dim.text());
        self.joints.push(Joint {
            meta,
            site,
            direction: typed.value,
        });
    }

    /// What is held: a point, or a particle's point; a frame.
    fn site(&mut self, at: &Ident) -> Option<Site> {
        let thing = self.scope.names.get(&at.text).map(|s| s.thing);
        let refuse = |title: String, help: &str| {
            Diagnostic::error(codes::REACTION_SITE, title, at.span, "nothing to hold here")
                .help(help)
        };
        match thing {
            Some(Thing::Frame(0) | Thing::Point(0)) => {
                let title = format!("`{}` is held by nothing: it never moves", at.text);
                self.scope.report(refuse(
                    title,
                    "name a declared point for a force, a declared frame for a torque",
                ));
                None
            }
            Some(Thing::Body(_, true)) => {
                let title = format!(
                    "the reaction on the body `{}` may be a force or a torque",
                    at.text
                );
                self.scope.report(refuse(
                    title,
                    "name the point at which the body is held for a force, its frame for a torque",
                ));
                None
            }
            Some(Thing::Frame(_)) => self.scope.frame_named(&at.text, at.span).map(Site::Frame),
            _ => self.scope.point_named(&at.text, at.span).map(Site::Point),
        }
    }

    /// Name, place and direction of the declared reactions, in order.
    pub(super) fn declared_reaction(&mut self, item: &Item) {
        if let ItemKind::Reaction {
            name,
            at,
            direction,
        } = &item.kind
        {
            self.joint(name, at, direction, item);
        }
    }
}
