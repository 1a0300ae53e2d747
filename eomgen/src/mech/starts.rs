//! Initial values that are none of the state's. Motions that `simulate` and `assemble` make start from them all the same; the state of a generated
//! module does not know them.

use super::speeds::SpeedSet;
use crate::diag::Diagnostic;
use crate::model::System;
use crate::model::system::Meta;

/// Remarks on initial rates and speeds that the state does not hold.
pub fn beside_the_state(system: &System, set: &SpeedSet) -> Vec<Diagnostic> {
    let state = || set.independent.iter().map(|i| &set.speeds[*i]);
    let rates = system.coords.iter().enumerate().filter(|(i, c)| {
        let is_held = || state().any(|s| s.declared.is_none() && s.coordinate == Some(*i));
        c.initial_rate.is_some() && !is_held()
    });
    let rates = rates.map(|(_, c)| (format!("{}'", c.meta.name), &c.meta));
    let speeds = system.speeds.iter().enumerate().filter(|(i, s)| {
        let is_held = || state().any(|held| held.declared == Some(*i));
        s.initial.is_some() && !is_held()
    });
    let speeds = speeds.map(|(_, s)| (s.meta.name.clone(), &s.meta));
    let names: Vec<String> = state().map(|s| format!("`{}`", s.name)).collect();
    let note = |(name, meta): (String, &Meta)| {
        let title = format!("the initial value of `{name}` is none of the state's");
        let label = match names.as_slice() {
            [] => "the state has no speeds".to_owned(),
            names => format!("the speeds of the state are {}", names.join(", ")),
        };
        Diagnostic::remark("N0318", title, meta.span, label).help(
            "`eomgen simulate` and `assemble` start from it; for `State::initial` of the generated code state the speeds of the state, or make it one of these with `privileged`",
        )
    };
    rates.chain(speeds).map(note).collect()
}
