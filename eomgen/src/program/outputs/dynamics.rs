//! Inverse dynamics by recursion: the forces on the speeds that accelerations need, outward over velocities and accelerations and inward
//! over forces (Luh, Walker & Paul 1980). The full Newton-Euler system states both recursions; nothing is solved and no mass matrix formed.
//! Of small machines `M u' - f`, as the formulation states it, may take fewer operations, and is taken then.

use super::forces::residual;
use super::{Argument, Output};
use crate::diag::Diagnostic;
use crate::diag::codes::quantities::E0586;
use crate::form::Space;
use crate::ir::Value;
use crate::plan::{cheapest, recursions};
use crate::program::group;
use crate::program::solved::Solved;
use crate::program::writer::{Writer, slot};

/// Names of these outputs.
pub(in crate::program) const INVERSE_DYNAMICS: &str = "inverse_dynamics";
pub(in crate::program) const BIAS_FORCES: &str = "bias_forces";

/// Forces on the speeds that are missing to make their rates the given ones.
pub(in crate::program) fn inverse_dynamics(
    solved: &Solved,
    w: &mut Writer<'_>,
) -> Result<Output, Vec<Diagnostic>> {
    let count = w.c.speeds.independent.len();
    let given = (0..count).map(|i| w.low.graph.input(slot(group::GIVEN, i)));
    let given: Vec<Value> = given.collect();
    let docs = "Inverse dynamics: the generalized forces on the speeds of the state which, added to the model's own loads, make the derivatives of these speeds equal to `u_dot`.";
    let output = forces(solved, w, INVERSE_DYNAMICS, docs, &given)?;
    Ok(Output {
        arguments: vec![rates_given(count)],
        ..output
    })
}

/// The rates of the speeds as an argument.
pub(super) fn rates_given(length: usize) -> Argument {
    Argument {
        name: "u_dot".into(),
        group: group::GIVEN,
        length,
    }
}

/// The same where no speed changes.
pub(in crate::program) fn bias_forces(
    solved: &Solved,
    w: &mut Writer<'_>,
) -> Result<Output, Vec<Diagnostic>> {
    let still = vec![w.low.graph.zero(); w.c.speeds.independent.len()];
    let docs = "Generalized forces on the speeds of the state which, added to the model's own loads, keep these speeds constant: `inverse_dynamics` at zero accelerations.";
    forces(solved, w, BIAS_FORCES, docs, &still)
}

fn forces(
    solved: &Solved,
    w: &mut Writer<'_>,
    name: &str,
    docs: &str,
    rates: &[Value],
) -> Result<Output, Vec<Diagnostic>> {
    let values = missing_forces(solved, w, rates)?;
    let rows = if w.c.has_rows(Space::SpeedRates) {
        " Constraint rows remain between these speeds: the result contains constraint forces."
    } else {
        ""
    };
    let speeds = w.c.speeds.independent.iter();
    let labels = speeds.map(|i| format!("force on {}", w.c.speeds.speeds[*i].name));
    let labels = labels.collect();
    Ok(Output::array(
        w,
        name,
        &format!("{docs}{rows}"),
        labels,
        values,
    ))
}

pub(super) fn missing_forces(
    solved: &Solved,
    w: &mut Writer<'_>,
    rates: &[Value],
) -> Result<Vec<Value>, Vec<Diagnostic>> {
    let Some(full) = solved.systems.get(w, Space::SpeedRates, &solved.posed.aims) else {
        let title =
            "the loads of this model depend on reactions, which the forces to be found change";
        let error = Diagnostic::error(E0586, title, w.c.system.whole(), "of this model");
        return Err(vec![error.help("omit the output")]);
    };
    let mut ways = recursions(&mut w.low.graph, full, rates);
    // Of few bodies the equations in the speeds, stated without rows, take fewer operations than any recursion.
    let e = solved.posed.equations();
    if e.space == Space::SpeedRates && e.coupling.is_none() && e.mass.len() == rates.len() {
        ways.push(residual(w, &e.mass, &e.forcing, rates));
    }
    Ok(cheapest(&w.low.graph, ways).unwrap_or_default())
}
