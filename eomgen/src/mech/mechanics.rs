//! What mechanics makes of a model, before any formulation: symbols, kinematics in rates and in speeds, bodies, energies,
//! constraints and the speeds of the state. Derived once and never changed. Knows nothing of equations of motion.

use super::choice::Choice;
use super::constraints::Constraints;
use super::declared::declared;
use super::energies::Energies;
use super::kinematics::{Components, Kinematics};
use super::loaded;
use super::mass::MassElement;
use super::motion::Motion;
use super::reactions;
use super::speeds::{SpeedSet, Whole};
use super::spins::Spins;
use super::starts;
use super::value::Values;
use super::vars::Vars;
use crate::diag::{self, Diagnostic};
use crate::model::System;
use crate::model::system::{Assumption, Quantity};
use crate::sym::Algebra;

/// What mechanics makes of a model, shared by all formulations.
pub struct Mechanics<'a> {
    /// The model.
    pub system: &'a System,
    /// Its symbols.
    pub vars: Vars,
    /// Kinematics with q' as speeds.
    pub by_rates: Kinematics,
    /// Kinematics with the state's speeds, where these are not the rates themselves.
    pub by_speeds: Option<Kinematics>,
    /// Kinematics with angular velocities in the place of the rates of quaternions and angles, where these are left to the equations of motion.
    pub spins: Option<Spins>,
    /// Kinematics and rows in all speeds, where some of these are eliminated and the rows are best solved in other axes.
    pub whole: Option<Whole>,
    /// The bodies.
    pub masses: Vec<MassElement>,
    /// Energies that the model gives as such.
    pub energies: Option<Energies>,
    /// The constraints.
    pub constraints: Constraints,
    /// The speeds.
    pub speeds: SpeedSet,
    /// Whether loads depend on reactions.
    pub coupled: bool,
    /// Remarks on the model.
    pub notes: Vec<Diagnostic>,
}

/// Counts the rank of the constraints where they hold, which takes numbers that mechanics does not have. The remarks on all rows
/// if some depend on others only there; `None` if nothing is new.
pub type RankWhereTheyHold =
    fn(&mut Algebra, &Values<'_>, &mut Constraints) -> Option<diag::Result<Vec<Diagnostic>>>;

impl<'a> Mechanics<'a> {
    /// Derives everything that does not depend on the formulation. What is wrong is reported as far as possible at once.
    pub fn derive(
        alg: &mut Algebra,
        system: &'a System,
        components: Components,
        choice: &Choice,
        rank_where_they_hold: RankWhereTheyHold,
    ) -> diag::Result<Self> {
        let vars = Vars::create(alg, system);
        let values = Values {
            system,
            vars: &vars,
        };
        let by_rates = kinematics_under_assumptions(alg, &values, components)?;
        let mut errors = Vec::new();
        let masses = reported(values.bodies(alg, &by_rates), &mut errors);
        let energies = reported(Energies::derive(alg, system, &vars, &by_rates), &mut errors);
        let rows = Constraints::derive(alg, &values, &by_rates);
        let (mut constraints, mut notes) = reported(rows, &mut errors);
        if errors.is_empty() {
            match rank_where_they_hold(alg, &values, &mut constraints) {
                Some(Ok(found)) => notes = found,
                Some(Err(contradictions)) => errors.extend(contradictions),
                None => {}
            }
        }
        let mut coupled = false;
        if errors.is_empty() {
            let found = reactions::in_loads(alg, &values, &by_rates, &constraints);
            coupled = reported(found, &mut errors);
        }
        let speeds = if errors.is_empty() {
            let by_rates = (&by_rates, components);
            SpeedSet::derive(alg, &values, by_rates, &constraints, choice)
        } else {
            // What is wrong with the declared speeds is told all the same.
            declared(alg, &values, &by_rates).and(Err(Vec::new()))
        };
        let (speeds, whole) = speeds.map_err(|more| {
            errors.extend(more);
            errors.extend(faults_of_values(alg, &values, &by_rates));
            errors
        })?;
        let by_speeds = if speeds.motion.speeds == by_rates.motion.speeds {
            None
        } else {
            let motion = speeds.motion.clone();
            Some(Kinematics::derive(alg, system, &vars, motion, components)?)
        };
        let given = energies.as_ref().is_some_and(|e| e.kinetic.is_some());
        let spins = if given {
            None
        } else {
            let by_rates = (&by_rates, components);
            Spins::derive(alg, system, &vars, &speeds, &constraints, by_rates).transpose()?
        };
        notes.extend(reactions::not_unique(alg, &values, &by_rates, &constraints));
        notes.extend(loaded::fixed_in_no_body(alg, &values, &by_rates, &masses));
        notes.extend(starts::beside_the_state(system, &speeds));
        Ok(Self {
            system,
            vars,
            by_rates,
            by_speeds,
            spins,
            whole,
            masses,
            energies,
            constraints,
            speeds,
            coupled,
            notes,
        })
    }

    /// For the evaluation of the model's expressions.
    pub fn values(&self) -> Values<'_> {
        Values {
            system: self.system,
            vars: &self.vars,
        }
    }
}

/// The value, or nothing and what is wrong with it.
fn reported<T: Default>(found: diag::Result<T>, errors: &mut Vec<Diagnostic>) -> T {
    found.unwrap_or_else(|more| {
        errors.extend(more);
        T::default()
    })
}

/// Kinematics in the rates, with all that is assumed. What is assumed of scalars alone serves where frames and points are placed.
fn kinematics_under_assumptions(
    alg: &mut Algebra,
    values: &Values<'_>,
    components: Components,
) -> diag::Result<Kinematics> {
    let (system, vars) = (values.system, values.vars);
    let assume = |alg: &mut Algebra, k: &Kinematics, list: Vec<&Assumption>| {
        for a in list {
            if let Ok(e) = values.scalar(alg, k, &a.value) {
                alg.assume(e, a.sign);
            }
        }
    };
    let (early, late): (Vec<_>, Vec<_>) = system
        .assumptions
        .iter()
        .partition(|a| values.is_without_vectors(&a.value));
    let motion = Motion::rates(alg, vars);
    assume(alg, &Kinematics::nowhere(motion.clone()), early);
    let by_rates = Kinematics::derive(alg, system, vars, motion, components)?;
    assume(alg, &by_rates, late);
    Ok(by_rates)
}

/// What is wrong with loads and outputs.
fn faults_of_values(alg: &mut Algebra, values: &Values<'_>, k: &Kinematics) -> Vec<Diagnostic> {
    let system = values.system;
    let mut errors = Vec::new();
    for list in [&system.loads, &system.nonideal] {
        let forces = values.generalized_forces(alg, k, list);
        errors.extend(forces.err().into_iter().flatten());
    }
    for o in &system.outputs {
        let value = match &o.value {
            Quantity::Scalar(s) => values.scalar(alg, k, s).map(drop),
            Quantity::Vector(v) => values.vector(alg, k, v).map(drop),
        };
        errors.extend(value.err().map(|fault| fault.at(o.meta.span)));
    }
    errors
}
