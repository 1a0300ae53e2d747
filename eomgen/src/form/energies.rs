//! Energies that the model gives as such, in the form in which every formulation can add them to what bodies and loads
//! contribute: of T the inertia by Lagrange's operator (O'Reilly et al. 2.12),
//!
//! `d/dt(dT/dq') - dT/dq = M_T q'' + h_T`,  `M_T = d2T/dq'dq'`,
//!
//! of V and of Rayleigh's D the generalized forces `-dV/dq` and `-dD/dq'`. With `q' = H s + h0` the inertia is projected on
//! the speeds: `H^T M_T H s' + H^T (M_T q''|(s'=0) + h_T)`.

use super::{Context, Space};
use crate::diag::Diagnostic;
use crate::elim::{self, Matrix};
use crate::mech::kinematics::Kinematics;
use crate::mech::value::Values;
use crate::mech::vars::Vars;
use crate::model::System;
use crate::model::system::{EnergyKind, Sign};
use crate::sym::{Algebra, Derivation, Expr};

/// What the energies of a model come to, in q, q', t.
#[derive(Clone, Debug)]
pub struct Energies {
    /// The sum of all T; `None` if none is given.
    pub kinetic: Option<Kinetic>,
    /// The sum of all V.
    pub potential: Expr,
    /// Generalized forces of V and D.
    pub forces: Vec<Expr>,
}

/// The kinetic energy that is given as such.
#[derive(Clone, Debug)]
pub struct Kinetic {
    /// T.
    pub value: Expr,
    /// `d2T/dq'dq'`
    pub mass: Matrix,
    /// `d/dt(dT/dq') - dT/dq` at q'' = 0.
    pub rest: Vec<Expr>,
}

/// Inertia in the unknowns of a space: `mass*z' + rest`.
#[derive(Clone, Debug)]
pub struct Inertia {
    /// Symmetric.
    pub mass: Matrix,
    /// What is free of z'.
    pub rest: Vec<Expr>,
}

impl Energies {
    /// Differentiates the energies; `None` if the model gives none.
    pub fn derive(
        alg: &mut Algebra,
        system: &System,
        vars: &Vars,
        k: &Kinematics,
    ) -> Result<Option<Self>, Vec<Diagnostic>> {
        if system.energies.is_empty() {
            return Ok(None);
        }
        let values = Values { system, vars };
        let n = vars.coords.len();
        let (mut kinetic, mut potential, mut dissipation) =
            (Expr::zero(), Expr::zero(), Expr::zero());
        let mut errors = Vec::new();
        for e in &system.energies {
            match values.scalar(alg, k, &e.value) {
                Err(fault) => errors.push(fault.at(e.span)),
                Ok(value) => {
                    let sum = match e.kind {
                        EnergyKind::Kinetic => &mut kinetic,
                        EnergyKind::Potential => &mut potential,
                        EnergyKind::Dissipation => &mut dissipation,
                    };
                    *sum = &*sum + value;
                }
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut forces = Vec::with_capacity(n);
        for i in 0..n {
            let name = alg.info(vars.coords[i]).name.clone();
            let elastic = alg.partial(&potential, vars.coords[i]);
            let elastic = alg.define(&format!("potential_{name}"), elastic);
            let viscous = alg.partial(&dissipation, vars.rates[i]);
            let viscous = alg.define(&format!("dissipation_{name}"), viscous);
            forces.push(-(elastic + viscous));
        }
        let given = |e: &crate::model::system::Energy| e.kind == EnergyKind::Kinetic;
        let kinetic = system
            .energies
            .iter()
            .any(given)
            .then(|| Kinetic::of(alg, vars, k, kinetic));
        Ok(Some(Self {
            kinetic,
            potential,
            forces,
        }))
    }
}

impl Kinetic {
    fn of(alg: &mut Algebra, vars: &Vars, k: &Kinematics, value: Expr) -> Self {
        let n = vars.coords.len();
        let names: Vec<String> = vars
            .coords
            .iter()
            .map(|q| alg.info(*q).name.clone())
            .collect();
        let mut by_rate: Vec<Derivation> = vars
            .rates
            .iter()
            .map(|r| Derivation::partial(*r, &format!("_{}", alg.info(*r).name)))
            .collect();
        let mut flow = k.motion.flow(alg, vars, false);
        let mut mass: Matrix = vec![vec![Expr::zero(); n]; n];
        let mut rest = Vec::with_capacity(n);
        for i in 0..n {
            let p = alg.derivative(&value, &mut by_rate[i]);
            let p = alg.define(&format!("momentum_{}", names[i]), p);
            for j in i..n {
                let e = alg.derivative(&p, &mut by_rate[j]);
                let e = alg.define(&format!("inertia_{}_{}", names[i], names[j]), e);
                mass[i][j] = e.clone();
                mass[j][i] = e;
            }
            let change = alg.derivative(&p, &mut flow);
            let slope = alg.partial(&value, vars.coords[i]);
            rest.push(alg.define(&format!("velocity_terms_{}", names[i]), change - slope));
        }
        Self { value, mass, rest }
    }

    /// Whether `M_T` is certainly positive semidefinite: blocks of coordinates that it does not couple are zero or have
    /// positive leading minors. The coordinates of the latter, whose rates vanish where `q' M_T q'` does.
    pub fn certain(&self, alg: &mut Algebra) -> Option<Vec<usize>> {
        let mut settled = Vec::new();
        for block in blocks(&self.mass) {
            if let [i] = block.as_slice() {
                let e = small(alg, &self.mass[*i][*i]);
                if alg.is_zero(&e) {
                    continue;
                }
                if !alg.is_nonnegative(&e) {
                    return None;
                }
                if alg.is_nonzero(&e) {
                    settled.push(*i);
                }
            } else if minors_positive(alg, &self.mass, &block) {
                settled.extend(block);
            } else {
                return None;
            }
        }
        Some(settled)
    }
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
        let bias = self.acceleration_bias();
        let motion = self.speeds.motion.clone();
        let (n, l) = (kinetic.rest.len(), motion.speeds.len());
        let mass: Matrix = kinetic
            .mass
            .iter()
            .map(|row| row.iter().map(|e| self.in_speeds(e)).collect())
            .collect();
        let mut rest = vec![Expr::zero(); l];
        // M_T H, one row per coordinate.
        let mut half: Matrix = vec![vec![Expr::zero(); l]; n];
        for i in 0..n {
            let mut own = self.in_speeds(&kinetic.rest[i]);
            for j in 0..n {
                if mass[i][j].is_literal_zero() {
                    continue;
                }
                own = own + &mass[i][j] * &bias[j];
                for (s, h) in &motion.rates[j].coef {
                    half[i][*s] = &half[i][*s] + &mass[i][j] * h;
                }
            }
            let name = self.alg.info(self.vars.coords[i]).name.clone();
            let own = self.alg.define(&format!("inertia_rest_{name}"), own);
            for e in &mut half[i] {
                let named = std::mem::replace(e, Expr::zero());
                *e = self.alg.define(&format!("inertia_{name}"), named);
            }
            for (s, h) in &motion.rates[i].coef {
                rest[*s] = &rest[*s] + h * &own;
            }
        }
        let mut projected: Matrix = vec![vec![Expr::zero(); l]; l];
        for (i, row) in half.iter().enumerate() {
            for (s, h) in &motion.rates[i].coef {
                for r in *s..l {
                    projected[*s][r] = &projected[*s][r] + h * &row[r];
                }
            }
        }
        for s in 0..l {
            for r in s..l {
                let e = std::mem::replace(&mut projected[s][r], Expr::zero());
                let e = self.alg.define("inertia_given", e);
                projected[r][s] = e.clone();
                projected[s][r] = e;
            }
        }
        Some(Inertia {
            mass: projected,
            rest,
        })
    }

    /// Generalized forces of potentials and dissipations, conjugate to the speeds of a space.
    pub fn given_forces(&mut self, space: Space) -> Option<Vec<Expr>> {
        let forces = self.energies.as_ref()?.forces.clone();
        if self.kinematics(space).motion.speeds == self.vars.rates {
            return Some(forces);
        }
        let motion = self.speeds.motion.clone();
        let mut sum = vec![Expr::zero(); motion.speeds.len()];
        for (force, rate) in forces.iter().zip(&motion.rates) {
            let force = self.in_speeds(force);
            for (s, h) in &rate.coef {
                sum[*s] = &sum[*s] + h * &force;
            }
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
            Space::Rates => e.clone(),
            Space::Speeds => self.in_speeds(e),
        }
    }

    /// The kinetic energy that is given as such, in terms of the speeds of a space.
    pub(super) fn given_kinetic(&mut self, space: Space) -> Option<Expr> {
        let value = self.energies.as_ref()?.kinetic.as_ref()?.value.clone();
        Some(self.in_space_of(space, &value))
    }
}

/// Whether a symmetric matrix is certainly positive definite, by its leading minors.
pub fn is_certainly_positive(alg: &mut Algebra, mass: &Matrix) -> bool {
    blocks(mass)
        .iter()
        .all(|block| minors_positive(alg, mass, block))
}

/// Largest block whose minors are written out.
const LARGEST: usize = 4;

fn minors_positive(alg: &mut Algebra, mass: &Matrix, block: &[usize]) -> bool {
    block.len() <= LARGEST
        && (1..=block.len()).all(|k| {
            let minor: Matrix = block[..k]
                .iter()
                .map(|i| {
                    block[..k]
                        .iter()
                        .map(|j| small(alg, &mass[*i][*j]))
                        .collect()
                })
                .collect();
            let d = elim::determinant(alg, &minor);
            let d = small(alg, &d);
            matches!(alg.sign(&d), Some(Sign::Positive))
                || (alg.is_nonnegative(&d) && alg.is_nonzero(&d))
        })
}

/// Written out and simplified, unless it is large.
pub(super) fn small(alg: &mut Algebra, e: &Expr) -> Expr {
    if alg.inlined_size(e, 400) >= 400 {
        return e.clone();
    }
    let flat = alg.inline(e);
    alg.simplify(&flat)
}

/// The rows of a symmetric matrix by what it couples.
fn blocks(m: &Matrix) -> Vec<Vec<usize>> {
    let n = m.len();
    let mut seen = vec![false; n];
    let mut list = Vec::new();
    for start in 0..n {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut block = vec![start];
        let mut at = 0;
        while at < block.len() {
            let i = block[at];
            at += 1;
            for j in 0..n {
                if !seen[j] && !m[i][j].is_literal_zero() {
                    seen[j] = true;
                    block.push(j);
                }
            }
        }
        block.sort_unstable();
        list.push(block);
    }
    list
}
