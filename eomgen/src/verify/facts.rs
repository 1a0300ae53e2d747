//! Which facts a module has to state of each function. What they say is compared where the function is; here is seen to it that none
//! is missing, and none stated of a function that has no use for it.

use super::text::tree::Module;
use crate::catalogue::{IDENTIFICATION, asked};
use crate::facts::Fact;
use crate::model::System;

/// What refers to points of bodies.
const ABOUT_BODIES: [&str; 4] = [
    "regressor",
    "inertial_parameters",
    "base_regressor",
    "base_parameters",
];

/// The kinds of facts that belong to a function.
fn keys(module: &Module, system: &System, function: &str) -> Vec<&'static str> {
    let mut keys: Vec<&str> = key(module, function).into_iter().collect();
    let is_pair = |fact: &Fact| {
        matches!(fact, Fact::Output(name)
            if system.joints.iter().any(|joint| joint.is_pair() && joint.meta.name == *name))
    };
    let has_pairs = system.joints.iter().any(|joint| joint.is_pair());
    if function == "reactions" && has_pairs
        || keys == ["output"] && module.facts.of(function).any(is_pair)
    {
        keys.push("declared_reactions");
    }
    if function == "known_forces" {
        keys = vec!["identified", "about"];
    }
    if keys == ["columns"] && ABOUT_BODIES.contains(&function) {
        keys.push("about");
    }
    keys
}

/// The kind of fact that belongs to a function, whatever the model.
fn key(module: &Module, function: &str) -> Option<&'static str> {
    Some(match function {
        "mass_matrix" | "forcing" => "unknowns",
        "dependent_speeds" => "speeds",
        "reactions" => "generated_reactions",
        "reduced_derivative" | "quadratures" => "cyclic_coordinates",
        "linearization_reduced" => "independent_entries",
        "chart_in_use" => "charts",
        "generalized_inverse" => "inverse",
        "balance_matrix" | "balance_rhs" => "balances",
        "privileged_constraint_matrix" | "privileged_constraint_drift" => "independent_rows",
        "chart_matrix"
        | "chart_complement"
        | "explicit_reduction"
        | "explicit_drift"
        | "explicit_matrix"
        | "explicit_rhs"
        | "explicit_gibbs_function" => "dependent_accelerations",
        "quasi_velocity_matrix"
        | "quasi_velocity_drift"
        | "inverse_quasi_velocity_matrix"
        | "quasi_velocity_mass_matrix"
        | "quasi_velocity_forces"
        | "quasi_velocity_basis"
        | "quasi_velocity_dual_basis"
        | "maggi_multiplier_matrix"
        | "maggi_multiplier_forcing"
        | "maggi_multipliers"
        | "constraint_reactions_in_quasi_velocities"
        | "transposition_coefficients"
        | "transposition_drift" => "quasi_velocities",
        name if IDENTIFICATION.iter().any(|q| q.name == name) => "columns",
        name if asked::of_function(name).is_some() && !module.is_derivative(name) => "of",
        name if name.starts_with("output_") && !module.is_derivative(name) => "output",
        _ => return None,
    })
}

/// Adds what is wrong with the facts of a module as such.
pub(super) fn unfit(module: &Module, system: &System, faults: &mut Vec<String>) {
    if module.facts.formulation.is_empty() {
        faults.push("the file has no `FACTS`".into());
        return;
    }
    for (functions, fact) in &module.facts.list {
        for name in functions {
            if module.function(name).is_none() {
                faults.push(format!(
                    "`FACTS` names a function `{name}` that is not there"
                ));
            } else if !keys(module, system, name).contains(&fact.key()) {
                faults.push(format!(
                    "`FACTS` has no use for `{}` of `{name}`",
                    fact.key()
                ));
            }
        }
    }
    for function in &module.functions {
        let name = function.name.as_str();
        let expected = match module.one_of(function) {
            Some(_) => Vec::new(),
            // It is said of the function that it is a part of.
            None if function.part_of.is_some() => Vec::new(),
            None => keys(module, system, name),
        };
        let mut stated: Vec<&str> = module.facts.of(name).map(Fact::key).collect();
        stated.sort_unstable();
        stated.dedup();
        let count = module.facts.of(name).count();
        if count != expected.len() || stated.len() != count {
            let things = match expected.len() {
                0 => "nothing",
                1 => "one thing",
                _ => "two things",
            };
            faults.push(format!(
                "`FACTS` should say {things} of `{name}`, and says {count}"
            ));
        }
    }
}

/// From which balances the reactions between two sides follow, one for each of the model in its order; none where the module has no
/// such reactions.
pub(super) fn pairs(module: &Module, system: &System, faults: &mut Vec<String>) -> Vec<String> {
    let mut stated = module.facts.list.iter().filter_map(|(_, fact)| match fact {
        Fact::DeclaredReactions(list) => Some(list),
        _ => None,
    });
    let Some(list) = stated.next() else {
        let rows = module.facts.list.iter().find_map(|(_, fact)| match fact {
            Fact::Balances(rows) => Some(rows.declared.clone()),
            _ => None,
        });
        return rows.unwrap_or_default();
    };
    let pairs = system.joints.iter().filter(|joint| joint.is_pair());
    let names: Vec<&String> = pairs.map(|joint| &joint.meta.name).collect();
    let found: Vec<&String> = list.iter().map(|(name, _)| name).collect();
    if found != names || stated.next().is_some() {
        faults.push("`FACTS` does not list the reactions between two sides once".into());
    }
    list.iter().map(|(_, along)| along.clone()).collect()
}
