//! Accelerations, rates, and the rate of the state.

use super::{Output, ending};
use crate::diag::Diagnostic;
use crate::facts::Fact;
use crate::form::Space;
use crate::ir::Value;
use crate::program::solved::Solved;
use crate::program::writer::Writer;

pub(in crate::program) fn outputs(
    solved: &Solved,
    w: &mut Writer<'_>,
) -> Result<Vec<Output>, Vec<Diagnostic>> {
    let mechanics = w.mechanics();
    let set = &mechanics.speeds;
    let coords = w.c.system.coord_names("");
    let speeds: Vec<String> = set.speeds.iter().map(|s| s.name.clone()).collect();
    let rates = w.values_of(mechanics.vars.rates.iter().copied());
    let speed_rates = w.values_of(set.speeds.iter().map(|s| s.dot));
    let mut derivative = rates.clone();
    let mut labels = ending(&coords, "'");
    for i in &set.independent {
        derivative.push(speed_rates[*i]);
        labels.push(format!("{}'", speeds[*i]));
    }
    let states = state_rates(w)?;
    let docs = if states.is_empty() {
        "Rate of the state, for an integrator: q' and u' of the speeds of the state."
    } else {
        "Rate of the state, for an integrator: q', u' of the speeds of the state, and the rates of the states of first order."
    };
    for (name, rate) in states {
        derivative.push(rate);
        labels.push(format!("{name}'"));
    }
    let accelerations = solved.accelerations.clone();
    let mut list = vec![
        Output::array(
            w,
            "accelerations",
            "Accelerations q''.",
            ending(&coords, "''"),
            accelerations,
        ),
        Output::array(
            w,
            "speed_rates",
            "Derivatives u' of all speeds, including the dependent ones.",
            ending(&speeds, "'"),
            speed_rates,
        ),
        Output::array(
            w,
            "rates",
            "Rates q' of the coordinates.",
            ending(&coords, "'"),
            rates,
        ),
        Output::array(w, "derivative", docs, labels, derivative),
    ];
    if !set.dependent.is_empty() {
        let dependent = set.dependent_values(&mut w.c.alg, &mechanics.values());
        let labels: Vec<String> = dependent.iter().map(|(i, _)| speeds[*i].clone()).collect();
        let values = dependent.iter().map(|(_, e)| w.lower(e));
        let values: Vec<Value> = values.collect();
        let docs = format!("Dependent speeds {} from the state.", labels.join(", "));
        let output = Output::array(w, "dependent_speeds", &docs, labels.clone(), values);
        list.push(output.with(Fact::DependentSpeeds(labels)));
    }
    Ok(list)
}

/// Names and rates of the states of first order.
fn state_rates(w: &mut Writer<'_>) -> Result<Vec<(String, Value)>, Vec<Diagnostic>> {
    let mut list = Vec::new();
    for state in &w.c.system.states {
        let (alg, values, k, _) = w.c.parts(Space::Accelerations);
        let rate = values.scalar(alg, k, &state.rate);
        let rate = rate.map_err(|fault| vec![fault.at(state.meta.span)])?;
        let value = w.lower(&rate);
        list.push((state.meta.name.clone(), value));
    }
    Ok(list)
}
