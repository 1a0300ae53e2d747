//! Energies that the model gives as such, in the form in which every formulation can add them to what bodies and loads
//! contribute. With `q' = H s + h0` the inertia `M_T q'' + h_T` is projected on the speeds:
//! `H^T M_T H s' + H^T (M_T q''|(s'=0) + h_T)`.

use super::projection::{Combine, congruence};
use super::{Context, Space};
use crate::elim::Matrix;
use crate::sym::Expr;

/// Inertia in the unknowns of a space: `mass*z' + rest`.
#[derive(Clone, Debug)]
pub struct Inertia {
    /// Symmetric.
    pub mass: Matrix,
    /// What is free of z'.
    pub rest: Vec<Expr>,
}

impl Context<'_> {
    /// The inertia of the kinetic energy that is given as such, in the unknowns of a space.
    pub fn given_inertia(&mut self, space: Space) -> Option<Inertia> {
        let kinetic = self.energies.as_ref()?.kinetic.clone()?;
        if self.kinematics(space).motion.speeds == self.vars.rates {
            return Some(Inertia {
                mass: kinetic.mass,
                rest: kinetic.rest,
            });
        }
        let plus: Combine = |rest, inertia| rest + inertia;
        let rest = (kinetic.rest.as_slice(), "inertia_rest", plus);
        let name = |_, _| "inertia_given".to_owned();
        let (mass, rest) = congruence(self, &kinetic.mass, rest, &name);
        Some(Inertia { mass, rest })
    }

    /// Generalized forces of potentials and dissipations, conjugate to the speeds of a space.
    pub fn given_forces(&mut self, space: Space) -> Option<Vec<Expr>> {
        let forces = self.energies.as_ref()?.forces.clone();
        if self.kinematics(space).motion.speeds == self.vars.rates {
            return Some(forces);
        }
        let motion = self.kinematics(space).motion.clone();
        let mut sum = vec![Expr::zero(); motion.speeds.len()];
        for (force, rate) in forces.iter().zip(&motion.rates) {
            rate.project(&self.in_speeds(force), &mut sum);
        }
        Some(sum)
    }

    /// Of the Gibbs function the part of the kinetic energy that is given as such: `1/2 q''.M_T q'' + h_T.q''`, whose
    /// derivatives by q'' are those of the whole.
    pub(super) fn given_gibbs(&mut self, space: Space) -> Option<Expr> {
        let kinetic = self.energies.as_ref()?.kinetic.clone()?;
        let n = kinetic.rest.len();
        let plain = self.kinematics(space).motion.speeds == self.vars.rates;
        let accelerations: Vec<Expr> = if plain {
            let dots = self.vars.rate_dots.clone();
            dots.iter().map(|v| self.alg.var(*v)).collect()
        } else {
            let bias = self.acceleration_bias();
            let motion = self.speeds.motion.clone();
            (0..n)
                .map(|i| {
                    let sum: Expr = motion.rates[i]
                        .coef
                        .iter()
                        .map(|(s, h)| h * self.alg.var(motion.speed_dots[*s]))
                        .sum();
                    let name = format!("{}_ddot", self.system.coords[i].meta.name);
                    self.alg.define(&name, sum + &bias[i])
                })
                .collect()
        };
        let mut sum = Expr::zero();
        for i in 0..n {
            let mut own = self.in_space_of(space, &kinetic.rest[i]);
            for j in 0..n {
                let m = self.in_space_of(space, &kinetic.mass[i][j]);
                own = own + m * &accelerations[j] / Expr::int(2);
            }
            sum = sum + own * &accelerations[i];
        }
        Some(sum)
    }

    fn in_space_of(&mut self, space: Space, e: &Expr) -> Expr {
        match space {
            Space::Accelerations => e.clone(),
            Space::SpeedRates | Space::Spins | Space::Whole => self.in_speeds(e),
        }
    }

    /// The kinetic energy that is given as such, in terms of the speeds of a space.
    pub(super) fn given_kinetic(&mut self, space: Space) -> Option<Expr> {
        let value = self.energies.as_ref()?.kinetic.as_ref()?.value.clone();
        Some(self.in_space_of(space, &value))
    }
}
