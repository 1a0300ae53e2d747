//! Formulations: one file each, one trait, one result. Knows nothing of code generation or solving.
//!
//! Every formulation states its equations as `M z' = f` in the independent speeds s' or in the
//! accelerations q'', with or without constraint rows left to impose; [`System`]
//! gives the machine, [`Context`] what mechanics makes of it.

mod appell_reduced;
pub mod balances;
mod boltzmann_hamel;
pub mod charts;
pub mod energies;
pub mod explicit_gibbs_appell;
mod gibbs_appell;
mod inverses;
pub mod joints;
mod jourdain;
mod kane;
mod lagrange;
mod linear;
mod maggi;
pub mod multipliers;
mod newton_euler;
mod projection;
mod quantities;
mod quasi;
mod recursive;
pub mod regular;
pub mod solution;
mod table;
#[cfg(test)]
mod tests;
mod udwadia_kalaba;

pub use crate::catalogue::{Inverse, Route, Variant};
pub use quantities::{Quantities, Representative};
pub use quasi::QuasiVelocities;
pub use table::{Layout, Table};

use crate::diag::Diagnostic;
use crate::elim::Matrix;
use crate::mech::constraints::Constraints;
use crate::mech::declared::declared;
use crate::mech::kinematics::{Components, Kinematics};
use crate::mech::mass::{self, MassElement};
use crate::mech::motion::Motion;
use crate::mech::reactions;
use crate::mech::speeds::{Choice, SpeedSet};
use crate::mech::value::{Mixed, Values};
use crate::mech::vars::Vars;
use crate::mech::vec3::{self, Vec3};
use crate::model::System;
use crate::model::system::{FrameId, Quantity};
use crate::sym::{Algebra, Expr};

/// In which unknowns equations are stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// The rates of the state's speeds (independent ones, or all of them).
    Speeds,
    /// The accelerations q''.
    Rates,
}

/// How remaining constraint rows are imposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closure {
    /// Multipliers and accelerations together: the bordered system.
    Bordered,
    /// Through `G = A M^-1 A^T`.
    GeneralizedInverse,
    /// Projection on the null space of A.
    NullSpace,
    /// Elimination of dependent accelerations in the [charts] of the context.
    Explicit,
}

/// Equations of motion of one formulation.
#[derive(Clone, Debug)]
pub struct Equations {
    /// The unknowns.
    pub space: Space,
    /// M, symmetric.
    pub mass: Matrix,
    /// f: everything else, so that without constraint rows `M z' = f`. Contains the non-ideal vector C.
    pub forcing: Vec<Expr>,
    /// The part of f that comes from the non-ideal vector C.
    pub nonideal: Vec<Expr>,
    /// Phi, where loads depend on reactions: `M z' = f + (A^T + Phi) lambda`, one column per constraint row.
    pub coupling: Option<Matrix>,
    /// How constraint rows are imposed; `None` if none remain.
    pub closure: Option<Closure>,
}

impl Equations {
    /// Equations that are not stated: neither M nor f is there, nor are there rows.
    pub fn unstated(space: Space) -> Self {
        Self {
            space,
            mass: Matrix::new(),
            forcing: Vec::new(),
            nonideal: Vec::new(),
            coupling: None,
            closure: None,
        }
    }
}

/// A formulation. What a user is told of it stands in the [catalogue](crate::catalogue).
pub trait Formulation: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;
    /// Whether chosen dependent rates are a chart of the accelerations, so that they may be named where they cannot be eliminated from
    /// the state.
    fn takes_chart(&self) -> bool {
        false
    }
    /// Whether it keeps every reaction as an unknown, for which a module by it has an output.
    fn has_reactions(&self) -> bool {
        false
    }
    /// In which unknowns it states its equations where no constraint row remains and no load depends on a reaction.
    fn space(&self) -> Space {
        Space::Speeds
    }
    /// Why this formulation says nothing of this model, if that is so; a labelled error with what to choose instead.
    fn refusal(&self, _c: &mut Context<'_>) -> Option<Diagnostic> {
        None
    }
    /// Forms the equations.
    fn equations(&self, c: &mut Context<'_>) -> Result<Equations, Vec<Diagnostic>>;
    /// Quantities of its own that every module by this formulation has, asked for or not.
    fn own_outputs(&self) -> &'static [&'static str] {
        &[]
    }
    /// One of the quantities that are this formulation's own, those of its entry in the catalogue; `None` for any other name.
    fn table(
        &self,
        _c: &mut Context<'_>,
        _e: &Equations,
        _name: &str,
    ) -> Result<Option<Table>, Vec<Diagnostic>> {
        Ok(None)
    }
}

/// The projection of the momentum balances on the partial velocities of a space, no rows imposed.
pub fn projected(c: &mut Context<'_>, space: Space) -> Result<Equations, Vec<Diagnostic>> {
    kane::by_partial_velocities(c, space, None)
}

/// The formulations, in the order in which they are listed.
pub const ALL: &[&dyn Formulation] = &[
    &newton_euler::NewtonEuler,
    &kane::Kane,
    &gibbs_appell::GibbsAppell,
    &explicit_gibbs_appell::ExplicitGibbsAppell,
    &lagrange::Lagrange,
    &maggi::Maggi,
    &boltzmann_hamel::BoltzmannHamel,
    &jourdain::Jourdain,
    &appell_reduced::AppellReduced,
    &udwadia_kalaba::UdwadiaKalaba,
];

/// The formulation of that name.
pub fn find(name: &str) -> Option<&'static dyn Formulation> {
    ALL.iter().copied().find(|f| f.name() == name)
}

/// What is wrong with loads and outputs.
fn faults_of_values(alg: &mut Algebra, values: &Values<'_>, k: &Kinematics) -> Vec<Diagnostic> {
    let system = values.system;
    let mut errors = Vec::new();
    for list in [&system.loads, &system.nonideal] {
        errors.extend(
            values
                .generalized_forces(alg, k, list)
                .err()
                .into_iter()
                .flatten(),
        );
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

/// What mechanics makes of a model, shared by all formulations.
pub struct Context<'a> {
    /// The algebra.
    pub alg: Algebra,
    /// The model.
    pub system: &'a System,
    /// Its symbols.
    pub vars: Vars,
    /// Kinematics with q' as speeds.
    pub by_rates: Kinematics,
    /// Kinematics with the state's speeds, where these are not the rates themselves.
    by_speeds: Option<Kinematics>,
    /// The bodies.
    pub masses: Vec<MassElement>,
    /// Energies that the model gives as such.
    pub energies: Option<energies::Energies>,
    /// The constraints.
    pub constraints: Constraints,
    /// The speeds.
    pub speeds: SpeedSet,
    /// Remarks on the model.
    pub notes: Vec<Diagnostic>,
    /// Whether loads depend on reactions.
    pub coupled: bool,
    /// Variants of formulations that were chosen.
    pub variant: Variant,
    /// The balances of momentum, where the formulation solves them.
    pub balances: Option<balances::Balances>,
    /// Coordinates that the equations are written without, set by the formulation that does so.
    pub cyclic: Vec<usize>,
    /// What a formulation has to say of its equations, for the generated documentation.
    pub remarks: Vec<String>,
    /// Rates that were named as dependent, for formulations that take them as a chart.
    pub chart: Vec<String>,
    /// The charts of a formulation that eliminates accelerations.
    pub charts: Option<charts::Charts>,
}

/// Generalized forces: Q of gravity and loads, the non-ideal vector C, and Phi if loads depend on reactions.
pub type Forces = (Vec<Expr>, Vec<Expr>, Option<Matrix>);

impl<'a> Context<'a> {
    /// Derives everything that does not depend on the formulation.
    pub fn derive(
        mut alg: Algebra,
        system: &'a System,
        components: Components,
        choice: &Choice,
    ) -> Result<Self, Vec<Diagnostic>> {
        let vars = Vars::create(&mut alg, system);
        let motion = Motion::rates(&alg, &vars);
        let values = Values {
            system,
            vars: &vars,
        };
        // What is assumed of scalars alone serves where frames and points are placed.
        let nowhere = Kinematics::nowhere(motion.clone());
        let (early, late): (Vec<_>, Vec<_>) = system
            .assumptions
            .iter()
            .partition(|a| values.is_without_vectors(&a.value));
        for a in early {
            if let Ok(e) = values.scalar(&mut alg, &nowhere, &a.value) {
                alg.assume(e, a.sign);
            }
        }
        let by_rates = Kinematics::derive(&mut alg, system, &vars, motion, components)?;
        for a in late {
            if let Ok(e) = values.scalar(&mut alg, &by_rates, &a.value) {
                alg.assume(e, a.sign);
            }
        }
        let mut errors = Vec::new();
        let masses = mass::elements(&mut alg, &values, &by_rates).unwrap_or_else(|e| {
            errors.extend(e);
            Vec::new()
        });
        let energies = energies::Energies::derive(&mut alg, system, &vars, &by_rates)
            .unwrap_or_else(|e| {
                errors.extend(e);
                None
            });
        let (mut constraints, mut notes) = Constraints::derive(&mut alg, &values, &by_rates)
            .unwrap_or_else(|e| {
                errors.extend(e);
                (Constraints::default(), Vec::new())
            });
        if errors.is_empty() {
            match crate::manifold::settle_rank(&mut alg, &values, &mut constraints) {
                Some(Ok(notes_there)) => notes = notes_there,
                Some(Err(contradictions)) => errors.extend(contradictions),
                None => {}
            }
        }
        let coupled = if errors.is_empty() {
            reactions::in_loads(&mut alg, &values, &by_rates, &constraints)
        } else {
            Ok(Default::default())
        };
        let coupled = coupled.unwrap_or_else(|e| {
            errors.extend(e);
            Default::default()
        });
        let speeds = match errors.is_empty() {
            true => SpeedSet::derive(&mut alg, &values, &by_rates, &constraints, choice),
            // What is wrong with the declared speeds is told all the same.
            false => declared(&mut alg, &values, &by_rates).and(Err(Vec::new())),
        };
        let speeds = match speeds {
            Ok(speeds) => speeds,
            Err(more) => {
                errors.extend(more);
                errors.extend(faults_of_values(&mut alg, &values, &by_rates));
                return Err(errors);
            }
        };
        let by_speeds = if speeds.motion.speeds == by_rates.motion.speeds {
            None
        } else {
            Some(Kinematics::derive(
                &mut alg,
                system,
                &vars,
                speeds.motion.clone(),
                components,
            )?)
        };
        Ok(Self {
            alg,
            system,
            vars,
            by_rates,
            by_speeds,
            masses,
            energies,
            constraints,
            speeds,
            notes,
            coupled,
            variant: Variant::default(),
            balances: None,
            cyclic: Vec::new(),
            remarks: Vec::new(),
            chart: choice.dependent.clone(),
            charts: None,
        })
    }

    /// Kinematics in the unknowns of a space.
    pub fn kinematics(&self, space: Space) -> &Kinematics {
        match (space, &self.by_speeds) {
            (Space::Speeds, Some(k)) => k,
            _ => &self.by_rates,
        }
    }

    /// Splits the borrow: algebra, expression values and kinematics of a space.
    pub fn parts(
        &mut self,
        space: Space,
    ) -> (&mut Algebra, Values<'_>, &Kinematics, &[MassElement]) {
        let k = match (space, &self.by_speeds) {
            (Space::Speeds, Some(k)) => k,
            _ => &self.by_rates,
        };
        (
            &mut self.alg,
            Values {
                system: self.system,
                vars: &self.vars,
            },
            k,
            &self.masses,
        )
    }

    /// The space in which equations are formed that would rather be formed in `space`: with loads that
    /// depend on reactions all constraint rows remain, and the unknowns are the accelerations.
    pub fn working_space(&self, space: Space) -> Space {
        if self.coupled { Space::Rates } else { space }
    }

    /// Whether constraint rows remain to be imposed on the unknowns of a space.
    pub fn has_rows(&self, space: Space) -> bool {
        !self.constraints.rows.is_empty() && (space == Space::Rates || !self.speeds.reduced)
    }

    /// Generalized active forces Q of gravity, loads, potentials and dissipations, and the non-ideal vector C, conjugate to
    /// the speeds of a space, and the coupling of loads with reactions.
    pub fn forces(&mut self, space: Space) -> Result<Forces, Vec<Diagnostic>> {
        let gravity = self.gravity(space)?;
        let given = self.given_forces(space);
        let system = self.system;
        let coupled = self.coupled.then(|| self.constraints.clone());
        let (alg, values, k, masses) = self.parts(space);
        let mut q = values.generalized_forces(alg, k, &system.loads)?;
        for (q, g) in q.iter_mut().zip(given.iter().flatten()) {
            *q = &*q + g;
        }
        if let Some(g) = &gravity {
            for m in masses {
                let p = &k.points[m.center.index()];
                let g = values.components(alg, k, g, p.frame, "gravity");
                let g = k.define_vec(alg, g, &format!("gravity_{}", m.name));
                for (i, beta) in &p.velocity.coef {
                    q[*i] = &q[*i] + &m.mass * vec3::dot(beta, &g);
                }
            }
        }
        let coupling = coupled.map(|c| reactions::split(alg, values.vars, &c, &mut q));
        let c = values.generalized_forces(alg, k, &system.nonideal)?;
        let name = |alg: &Algebra, i: usize| alg.info(k.motion.speeds[i]).name.clone();
        let q = q
            .into_iter()
            .enumerate()
            .map(|(i, e)| alg.define(&format!("force_{}", name(alg, i)), e))
            .collect();
        let c = c
            .into_iter()
            .enumerate()
            .map(|(i, e)| alg.define(&format!("nonideal_{}", name(alg, i)), e))
            .collect();
        Ok((q, c, coupling))
    }

    /// The acceleration of free fall.
    pub fn gravity(&mut self, space: Space) -> Result<Option<Mixed>, Vec<Diagnostic>> {
        let Some(g) = &self.system.gravity else {
            return Ok(None);
        };
        let (alg, values, k, _) = self.parts(space);
        match values.vector(alg, k, g) {
            Ok(m) => Ok(Some(m)),
            Err(f) => Err(vec![f.at(crate::span::Span::default())]),
        }
    }

    /// Kinetic energy in terms of the speeds of a space.
    pub fn kinetic_energy(&mut self, space: Space) -> Expr {
        let given = self.given_kinetic(space);
        let (alg, _, k, masses) = self.parts(space);
        let mut sum = Expr::zero();
        for m in masses {
            let v = &k.points[m.center.index()].velocity_value;
            sum = sum + &m.mass * vec3::dot(v, v);
            if let Some((f, inertia)) = &m.rotation {
                let w = &k.frames[f.index()].omega_value;
                sum = sum + vec3::dot(w, &vec3::apply(inertia, w));
            }
        }
        let sum = sum / Expr::int(2) + given.unwrap_or_else(Expr::zero);
        alg.define("kinetic_energy", sum)
    }

    /// Potential energy of uniform gravity, `-sum m g.r`, and of the potentials; `None` if the direction of gravity depends on the motion.
    pub fn potential_energy(&mut self) -> Result<Option<Expr>, Vec<Diagnostic>> {
        let given = self.energies.as_ref().map(|e| e.potential.clone());
        let given = given.unwrap_or_else(Expr::zero);
        let Some(g) = self.gravity(Space::Rates)? else {
            return Ok(Some(self.alg.define("potential_energy", given)));
        };
        let moving = |vars: &Vars, v| {
            vars.coords.contains(&v)
                || vars.rates.contains(&v)
                || v == vars.time
                || vars.inputs.contains(&v)
        };
        let vars = self.vars.clone();
        let (alg, values, k, masses) = self.parts(Space::Rates);
        let g = values.components(alg, k, &g, FrameId(0), "gravity");
        if g.iter().any(|e| alg.depends(e, &|v| moving(&vars, v))) {
            return Ok(None);
        }
        let mut sum = given;
        if !alg.is_closed() {
            let heights = recursive::heights(alg, values.system, k, &g);
            for m in masses {
                sum = sum - &m.mass * &heights[m.center.index()];
            }
            return Ok(Some(alg.define("potential_energy", sum)));
        }
        for m in masses {
            let r: Vec3 = values.components(
                alg,
                k,
                &k.points[m.center.index()].position.clone(),
                FrameId(0),
                "r",
            );
            sum = sum - &m.mass * vec3::dot(&g, &r);
        }
        Ok(Some(alg.define("potential_energy", sum)))
    }

    /// The Gibbs function `S = 1/2 integral |a|^2 dm`, whole, in terms of the speeds' rates of a space
    /// (Wang & Pao 13, with the terms free of s' but those of a kinetic energy that is given as such).
    pub fn gibbs_function(&mut self, space: Space) -> Expr {
        let given = self.given_gibbs(space);
        let (alg, values, k, masses) = self.parts(space);
        let dots: Vec<Expr> = k.motion.speed_dots.iter().map(|v| alg.var(*v)).collect();
        let mut sum = given.unwrap_or_else(Expr::zero);
        let along = if alg.is_closed() {
            None
        } else {
            Some(recursive::Accelerations::new(alg, values.system, k, &dots))
        };
        for m in masses {
            let p = &k.points[m.center.index()];
            let a = match &along {
                Some(along) => along.points[m.center.index()].clone(),
                None => {
                    let a = vec3::Linear {
                        coef: p.velocity.coef.clone(),
                        bias: p.acceleration_bias.clone(),
                    };
                    a.value(&dots)
                }
            };
            let a = k.define_vec(alg, a, &format!("a_{}", m.name));
            sum = sum + &m.mass * vec3::dot(&a, &a) / Expr::int(2);
            if let Some((f, inertia)) = &m.rotation {
                let fm = &k.frames[f.index()];
                let alpha = match &along {
                    Some(along) => along.frames[f.index()].clone(),
                    None => {
                        let alpha = vec3::Linear {
                            coef: fm.omega.coef.clone(),
                            bias: fm.alpha_bias.clone(),
                        };
                        alpha.value(&dots)
                    }
                };
                let alpha = k.define_vec(alg, alpha, &format!("alpha_{}", m.name));
                let w = &fm.omega_value;
                let l = vec3::apply(inertia, w);
                let l = k.define_vec(alg, l, &format!("spin_{}", m.name));
                sum = sum
                    + vec3::dot(&alpha, &vec3::apply(inertia, &alpha)) / Expr::int(2)
                    + vec3::dot(&alpha, &vec3::cross(w, &l))
                    + vec3::dot(w, w) * vec3::dot(w, &l) / Expr::int(2);
            }
        }
        alg.name("gibbs_function", sum)
    }

    /// q'' at s' = 0, in terms of q, s, t.
    pub fn acceleration_bias(&mut self) -> Vec<Expr> {
        let motion = self.speeds.motion.clone();
        let mut flow = motion.flow(&self.alg, &self.vars, false);
        let names: Vec<String> = self
            .system
            .coords
            .iter()
            .map(|c| format!("{}_ddot_0", c.meta.name))
            .collect();
        motion
            .rate_values
            .iter()
            .zip(names)
            .map(|(r, name)| {
                let d = self.alg.derivative(r, &mut flow);
                self.alg.define(&name, d)
            })
            .collect()
    }

    /// An expression in q, q', t with the rates written in the state's speeds.
    pub fn in_speeds(&mut self, e: &Expr) -> Expr {
        if self.by_speeds.is_none() {
            return e.clone();
        }
        let values = Values {
            system: self.system,
            vars: &self.vars,
        };
        crate::mech::speeds::in_motion(&mut self.alg, &values, &self.speeds.motion, e, "in_speeds")
    }
}

#[cfg(test)]
mod listing {
    use super::*;
    use crate::catalogue;

    #[test]
    fn the_catalogue_lists_what_there_is() {
        let there: Vec<&str> = ALL.iter().map(|f| f.name()).collect();
        let listed: Vec<&str> = catalogue::METHODS.iter().map(|m| m.name).collect();
        assert_eq!(there, listed);
    }
}
