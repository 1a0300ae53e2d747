//! Models of many speeds, whose equations in the speeds are not stated: M and f as expressions take more work than everything else together.
//! Their accelerations come from the balances of momentum of every body, whatever formulation is asked for.

use super::{ExpressionForm, Settings};
use crate::catalogue::asked::Asked;
use crate::catalogue::{IDENTIFICATION, KINEMATIC, Plan};
use crate::explain::STATED;
use crate::form::Context;

/// Outputs that are worked out from the balances.
const FROM_BALANCES: [&str; 2] = [
    super::outputs::dynamics::INVERSE_DYNAMICS,
    super::outputs::dynamics::BIAS_FORCES,
];

/// Whether the equations of a formulation are left unstated: there are many unknowns, bodies alone make up M, and nothing is asked for that is
/// made of the equations themselves.
pub(super) fn defers(c: &Context<'_>, settings: &Settings<'_>, form: ExpressionForm) -> bool {
    let formulation = settings.formulation;
    let many = c.kinematics(formulation.space()).motion.speeds.len() > STATED;
    let rows = c.has_rows(formulation.space()) || c.coupled;
    let system = c.system;
    let prescribed = !system.nonideal.is_empty()
        || !system.joints.is_empty()
        || c.energies.as_ref().is_some_and(|e| e.kinetic.is_some());
    // Points, frames and momenta need no equations.
    let apart = |asked: &Asked| {
        let name = asked.quantity.name;
        let needs_mass = ["mobility", "operational_space_inertia"].contains(&name);
        let known = KINEMATIC
            .iter()
            .chain(IDENTIFICATION)
            .any(|q| q.name == name);
        FROM_BALANCES.contains(&name) || known && !needs_mass
    };
    let asked = !settings.outputs.iter().all(apart)
        || !settings.standard.is_empty()
        || !formulation.own_outputs().is_empty()
        || formulation.has_reactions()
        || settings.geometry;
    let planned = matches!(settings.plan, Plan::Auto | Plan::NewtonEuler);
    form == ExpressionForm::Sequenced && many && planned && !(rows || prescribed || asked)
}
