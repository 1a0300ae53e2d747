//! Accelerations, rates, and the rate of the state.

use super::super::Work;
use super::{Output, ending};
use crate::facts::Fact;
use crate::ir::Value;
use crate::mech::value::Values;
use crate::sym::Var;

pub(super) fn outputs(w: &mut Work<'_>) -> Vec<Output> {
    let vars = w.c.vars.clone();
    let set = w.c.speeds.clone();
    let coords = w.coordinate_names("");
    let speeds: Vec<String> = set.speeds.iter().map(|s| s.name.clone()).collect();
    let mut values = |list: &mut dyn Iterator<Item = Var>| -> Vec<Value> {
        list.map(|v| w.low.lower(&w.c.alg, &w.c.alg.var(v)))
            .collect()
    };
    let rates = values(&mut vars.rates.iter().copied());
    let speed_rates = values(&mut set.speeds.iter().map(|s| s.dot));
    let mut derivative = rates.clone();
    let mut labels = ending(&coords, "'");
    for i in &set.independent {
        derivative.push(speed_rates[*i]);
        labels.push(format!("{}'", speeds[*i]));
    }
    let accelerations = w.qdd.clone();
    let mut list = vec![
        w.array(
            "accelerations",
            "Accelerations q''.",
            ending(&coords, "''"),
            accelerations,
        ),
        w.array(
            "speed_rates",
            "Derivatives u' of all speeds, including the dependent ones.",
            ending(&speeds, "'"),
            speed_rates,
        ),
        w.array(
            "rates",
            "Rates q' of the coordinates.",
            ending(&coords, "'"),
            rates,
        ),
        w.array(
            "derivative",
            "Rate of the state, for an integrator: q' and u' of the speeds of the state.",
            labels,
            derivative,
        ),
    ];
    if !set.dependent.is_empty() {
        let values = Values {
            system: w.c.system,
            vars: &vars,
        };
        let dependent = set.dependent_values(&mut w.c.alg, &values);
        let labels: Vec<String> = dependent.iter().map(|(i, _)| speeds[*i].clone()).collect();
        let values = dependent.iter().map(|(_, e)| w.low.lower(&w.c.alg, e));
        let values: Vec<Value> = values.collect();
        let docs = format!("Dependent speeds {} from the state.", labels.join(", "));
        let output = w.array("dependent_speeds", &docs, labels.clone(), values);
        list.push(output.with(Fact::DependentSpeeds(labels)));
    }
    list
}
