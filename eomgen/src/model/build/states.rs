//! `state` and `rate`: quantities of first order beside the mechanics.

use super::Builder;
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::model::names::Thing;
use crate::model::resolve::Typed;
use crate::model::system::{Meta, Rational, Scalar, Sign, StateVariable};
use crate::span::Span;
use crate::syntax::ast::{Expr, Ident};

/// A state on its way.
pub(super) struct Unfinished {
    pub meta: Meta,
    pub initial: Option<Rational>,
    /// What is assumed of it.
    pub sign: Option<Sign>,
    /// Its rate, and where it is stated; `None` in it if the rate could not be read.
    pub rate: Option<(Option<Scalar>, Span)>,
}

impl Builder<'_> {
    /// `rate i = (v - R*i)/L`
    pub(super) fn state_rate(&mut self, state: &Ident, value: &Expr) {
        let is_state = |thing| matches!(thing, Thing::State(_));
        let known = self.scope.names.get(&state.text).map(|s| s.thing);
        let index = match known {
            Some(Thing::State(id)) => id.index(),
            Some(Thing::Coord(_) | Thing::Speed(_)) => {
                let title = format!("`{}` is {}", state.text, known.map_or("", Thing::text));
                let help = "the rates of coordinates and speeds follow from the equations of motion: a speed is declared as `speed u = x'`, a given motion as `motion x = f(t)` or by a `constraint`, and a quantity of first order by `state`";
                let wrong = Diagnostic::error(codes::STATE, title, state.span, "not a state");
                self.scope.report(wrong.help(help));
                return;
            }
            _ => {
                let nouns = ["a state", "name"];
                let _: Option<()> = self
                    .scope
                    .misnamed(&state.text, state.span, nouns, is_state);
                return;
            }
        };
        if let Some((_, first)) = self.states[index].rate {
            let title = format!("the rate of `{}` is stated twice", state.text);
            let wrong = Diagnostic::error(codes::STATE, title, state.span, "stated again");
            let wrong = wrong.label(first, "first stated here");
            self.scope.report(wrong.help("leave one of them out"));
            return;
        }
        let rate = self.rate_of(index, state, value);
        self.states[index].rate = Some((rate, state.span));
    }

    fn rate_of(&mut self, index: usize, state: &Ident, value: &Expr) -> Option<Scalar> {
        let what = format!("the rate of `{}`", state.text);
        let typed = self.scope.scalar(value, &what)?;
        let own = self.scope.states[index].rate();
        let left = Typed::new((), own, typed.content, state.span);
        if !self.scope.equate(&left.dim, &typed.dim, typed.span) {
            let wanted = self.scope.unit_phrase(&left.dim);
            let found = self.scope.unit_phrase(&typed.dim);
            let title = format!("{what} is {wanted}, not {found}");
            let label = format!("this is {found}");
            let clash = Diagnostic::error(codes::UNIT_EXPECTED, title, typed.span, label);
            let clash = self.scope.explain_units(clash, &[&left.dim, &typed.dim]);
            let clash = self.scope.with_unit(clash, &typed, &left.dim);
            self.scope.report(clash);
        }
        let help =
            "the rate of a state follows from positions, velocities, time, inputs and states";
        if self
            .scope
            .refuse_reaction(typed.content, typed.span, &what, help)
        {
            return None;
        }
        if typed.content.order.is_some_and(|order| order > 1) {
            let title = format!("{what} depends on an acceleration or on the rate of a state");
            let label = "not known before the equations are solved";
            let wrong = Diagnostic::error(codes::STATE, title, typed.span, label);
            return self.scope.refuse(wrong.help(help));
        }
        Some(typed.value)
    }

    /// Each state has a rate.
    pub(super) fn check_states(&mut self) {
        let missing = std::iter::zip(&self.declared.states, &self.states);
        let missing = missing.filter(|(_, state)| state.rate.is_none());
        let names: Vec<_> = missing.map(|(quantity, _)| quantity.name).collect();
        for name in names {
            let title = format!("the state `{}` has no rate", name.text);
            let wrong = Diagnostic::error(codes::STATE, title, name.span, "nothing changes it");
            let help = format!(
                "state its rate, such as `rate {} = ...`; what does not change is a `param`, what is given from outside an `input`",
                name.text
            );
            if self.scope.unread.is_empty() {
                self.scope.report(wrong.help(help));
            }
        }
    }

    /// The states with their rates.
    pub(super) fn finished_states(&mut self) -> Option<Vec<StateVariable>> {
        let states = std::mem::take(&mut self.states).into_iter();
        let finished = states.map(|state| {
            Some(StateVariable {
                meta: state.meta,
                initial: state.initial,
                rate: state.rate?.0?,
            })
        });
        finished.collect()
    }
}
