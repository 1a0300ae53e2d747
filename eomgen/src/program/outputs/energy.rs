//! Energies and the Gibbs function.

use super::Output;
use crate::diag::Diagnostic;
use crate::form::Space;
use crate::program::writer::Writer;

pub(super) fn outputs(w: &mut Writer<'_>) -> Result<Vec<Output>, Vec<Diagnostic>> {
    let kinetic = w.c.kinetic_energy(Space::SpeedRates);
    let kinetic = w.lower(&kinetic);
    let mut list = vec![Output::scalar(
        w,
        "kinetic_energy",
        "Kinetic energy T.",
        kinetic,
    )];
    if let Some(potential) = w.c.potential_energy()? {
        let potential = w.lower(&potential);
        let docs = if w.c.energies.is_some() {
            "Potential energy V: of gravity, 0 at the origin, of springs, and those that the model states."
        } else {
            "Potential energy V of gravity, 0 at the origin."
        };
        list.push(Output::scalar(w, "potential_energy", docs, potential));
    }
    let stated = w.c.energies.as_ref();
    let docs = if stated.is_some_and(|e| e.kinetic.is_some()) {
        "Gibbs function S: half the integral of the squared acceleration over the mass of the bodies, and of the stated kinetic energy `q''.M q''/2 + h.q''` (Lagrange's operator on it being `M q'' + h`), at the actual accelerations."
    } else {
        "Gibbs function S, half the integral of the squared acceleration over the mass, at the actual accelerations."
    };
    let gibbs = w.c.gibbs_function(Space::SpeedRates);
    let gibbs = w.lower(&gibbs);
    list.push(Output::scalar(w, "gibbs_function", docs, gibbs));
    Ok(list)
}
