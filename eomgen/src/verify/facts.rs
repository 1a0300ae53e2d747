//! Which facts a module has to state of each function. What they say is compared where the function is; here is seen to it that none
//! is missing, and none stated of a function that has no use for it.

use super::text::tree::Module;

/// The kind of fact that belongs to a function.
fn key(module: &Module, function: &str) -> Option<&'static str> {
    Some(match function {
        "mass_matrix" | "forcing" => "unknowns",
        "dependent_speeds" => "speeds",
        "reactions" => "generated_reactions",
        "reduced_derivative" | "quadratures" => "cyclic_coordinates",
        "chart_in_use" => "charts",
        "generalized_inverse" => "inverse",
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
        name if name.starts_with("output_") && !module.is_derivative(name) => "output",
        _ => return None,
    })
}

/// Adds what is wrong with the facts of a module as such.
pub(super) fn unfit(module: &Module, faults: &mut Vec<String>) {
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
            } else if key(module, name) != Some(fact.key()) {
                faults.push(format!(
                    "`FACTS` has no use for `{}` of `{name}`",
                    fact.key()
                ));
            }
        }
    }
    for function in &module.functions {
        let name = function.name.as_str();
        let stated = module.facts.of(name).count();
        if stated != usize::from(key(module, name).is_some()) {
            faults.push(format!(
                "`FACTS` should say one thing of `{name}`, and says {stated}"
            ));
        }
    }
}
