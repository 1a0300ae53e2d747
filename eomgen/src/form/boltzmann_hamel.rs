//! The Boltzmann-Hamel equations (O'Reilly et al. 2.18-2.22, 6.10): with quasi-velocities `u_K = sum J_LK q'_L + j_K`,
//! `q'_K = sum H_KL u_L + h0_K`, and `Tbar(q,u,t)`,
//!
//! `d/dt(dTbar/du_K) - sum_L H_LK dTbar/dq_L + sum_M (sum_N gamma^M_KN u_N + gamma^M_K0) dTbar/du_M = R_K`,  `R_K = sum_L H_LK Q_L`.
//!
//! All n quasi-velocities are kept until after the differentiation; those that constraints fix are set then. Their rows give the
//! constraint forces instead of 0.

use super::quasi::{QuasiVelocities, Transposition};
use super::{Context, Equations, Formulated, Formulation, Options, Space, Table, linear};
use crate::diag::{self, Diagnostic};
use crate::elim::Matrix;
use crate::mech::vec3::{self, Vec3};
use crate::sym::{Derivation, Expr, Var};
use std::collections::BTreeMap;

/// The Boltzmann-Hamel equations.
pub struct BoltzmannHamel;

impl Formulation for BoltzmannHamel {
    fn name(&self) -> &'static str {
        "boltzmann-hamel"
    }

    fn refusal(&self, c: &mut Context<'_>, _: &Options<'_>) -> Option<Diagnostic> {
        linear::refusal(c, self.name())
    }

    fn formulate(&self, c: &mut Context<'_>, options: &Options<'_>) -> diag::Result<Formulated> {
        let space = c.working_space(Space::SpeedRates);
        let closure = linear::closure(c, space);
        let all = Rows::derive(c, space)?;
        let l = all.quasi.free;
        let mass = all.mass.iter().take(l).map(|row| row[..l].to_vec());
        let mut forcing = Vec::with_capacity(l);
        for k in 0..l {
            let e = &all.force[k] + &all.nonideal[k] - &all.rest[k];
            let name = format!("forcing_{}", all.quasi.names[k]);
            forcing.push(c.alg.define(&name, e));
        }
        let equations = Equations {
            space,
            mass: mass.collect(),
            forcing,
            nonideal: all.nonideal[..l].to_vec(),
            coupling: all.coupling,
            closure,
        };
        Ok(Formulated::new(equations, options))
    }

    fn table(
        &self,
        c: &mut Context<'_>,
        _: &Formulated,
        name: &str,
    ) -> diag::Result<Option<Table>> {
        let space = c.working_space(Space::SpeedRates);
        let quasi = in_space(c, space)?;
        Ok(match name {
            "transposition_coefficients" => {
                let gamma = quasi.transposition(c);
                Some(coefficients(&quasi, &gamma))
            }
            "transposition_drift" => {
                let gamma = quasi.transposition(c);
                let names = quasi.names.clone();
                let table = Table::matrix("transposition_drift", names.clone(), names, gamma.drift);
                Some(quasi.tell(table))
            }
            "constraint_reactions_in_quasi_velocities" => {
                let rows = Rows::derive(c, space)?;
                Some(rows.reactions(c))
            }
            _ => quasi.table(c, name),
        })
    }
}

/// The quasi-velocities with which the equations are formed. Where loads depend on reactions these are the rates.
fn in_space(c: &mut Context<'_>, space: Space) -> diag::Result<QuasiVelocities> {
    match space {
        Space::SpeedRates | Space::Spins | Space::Whole => QuasiVelocities::of_state(c),
        Space::Accelerations => QuasiVelocities::of_rates(c),
    }
}

/// `gamma^M_KN`: row M, columns by K and then N.
fn coefficients(quasi: &QuasiVelocities, gamma: &Transposition) -> Table {
    let names = &quasi.names;
    let pair = |k: &String| {
        let n = names.iter();
        n.map(|n| format!("{k} {n}")).collect::<Vec<_>>()
    };
    let columns = names.iter().flat_map(pair).collect();
    let entries = gamma.pairs.iter();
    let entries = entries.map(|m| m.iter().flatten().cloned().collect());
    quasi.tell(Table::matrix(
        "transposition_coefficients",
        names.clone(),
        columns,
        entries.collect(),
    ))
}

/// All n rows with the held quasi-velocities set: `mass*u' + rest = force + nonideal` for the free ones, and of the held ones
/// `mass*u' + rest - force - nonideal = mu`; u' of the free ones alone.
struct Rows {
    quasi: QuasiVelocities,
    /// n by free.
    mass: Matrix,
    rest: Vec<Expr>,
    force: Vec<Expr>,
    nonideal: Vec<Expr>,
    coupling: Option<Matrix>,
}

impl Rows {
    fn derive(c: &mut Context<'_>, space: Space) -> diag::Result<Self> {
        let quasi = in_space(c, space)?;
        let (force, nonideal, coupling) = c.forces(Space::Accelerations)?;
        let gamma = quasi.transposition(c);
        let n = quasi.names.len();
        let rates = quasi.rates(c);
        let all: BTreeMap<Var, Expr> = c.vars.rates.iter().copied().zip(rates.clone()).collect();
        // d/dt at u' = 0.
        let mut seeds: BTreeMap<Var, Expr> = c.vars.coords.iter().copied().zip(rates).collect();
        seeds.insert(c.vars.time, Expr::one());
        let mut flow = Derivation::along(seeds, "_dot");
        // All derivatives by q and u are taken before anything is set; what follows are sums of them.
        let holding = quasi.holding();
        let t = energy(c, &all);
        let of = Gradients::derive(c, &quasi, &t, &mut flow, &holding)?;
        let held_rates = Self::held_rates(c, &quasi, &mut flow);
        let mut u: Vec<Expr> = Vec::with_capacity(n);
        for v in &quasi.symbols {
            let known = holding.get(v);
            u.push(known.cloned().unwrap_or_else(|| c.alg.var(*v)));
        }
        let mut rest = Vec::with_capacity(n);
        for k in 0..n {
            let name = quasi.names[k].clone();
            let used = (0..n).filter(|l| !quasi.inverse[*l][k].is_literal_zero());
            let own: Expr = used.map(|l| &quasi.inverse[l][k] * &of.slopes[l]).sum();
            let own = c.alg.define(&format!("energy_along_{name}"), own);
            let mut sum = &of.changes[k] - own;
            for m in 0..n {
                let along = gamma.pairs[m][k].iter().zip(&u);
                let along: Expr = along.map(|(gamma, u)| gamma * u).sum();
                let factor = c.alg.define("turning", along + &gamma.drift[m][k]);
                if !factor.is_literal_zero() {
                    sum = sum + factor * &of.momenta[m];
                }
            }
            for (e, rate) in of.mass[k][quasi.free..].iter().zip(&held_rates) {
                sum = sum + e * rate;
            }
            rest.push(c.alg.define(&format!("inertia_rest_{name}"), sum));
        }
        let mass = of.mass.iter().map(|row| row[..quasi.free].to_vec());
        let mass = mass.collect();
        let mut projected = |what: &str, list: &[Expr]| -> Vec<Expr> {
            let mut out = Vec::with_capacity(n);
            for k in 0..n {
                let used = (0..n).filter(|l| !quasi.inverse[*l][k].is_literal_zero());
                let sum: Expr = used.map(|l| &quasi.inverse[l][k] * &list[l]).sum();
                let sum = replaced(c, &sum, &all);
                let sum = replaced(c, &sum, &holding);
                let name = format!("{what}_{}", quasi.names[k]);
                out.push(c.alg.define(&name, sum));
            }
            out
        };
        let force = projected("force", &force);
        let nonideal = projected("nonideal", &nonideal);
        Ok(Self {
            quasi,
            mass,
            rest,
            force,
            nonideal,
            coupling,
        })
    }

    /// The rates of the held quasi-velocities, with what is held.
    fn held_rates(
        c: &mut Context<'_>,
        quasi: &QuasiVelocities,
        flow: &mut Derivation,
    ) -> Vec<Expr> {
        let holding = quasi.holding();
        let mut list = Vec::with_capacity(quasi.held.len());
        for h in &quasi.held {
            let e = c.alg.derivative(&h.value, flow);
            let e = replaced(c, &e, &holding);
            list.push(c.alg.define(&format!("held_rate_{}", h.row_name), e));
        }
        list
    }

    /// The forces of the constraints that hold quasi-velocities.
    fn reactions(&self, c: &mut Context<'_>) -> Table {
        let motion = c
            .kinematics(c.working_space(Space::SpeedRates))
            .motion
            .clone();
        let mut entries = Vec::new();
        for k in self.quasi.free..self.quasi.names.len() {
            let terms = self.mass[k].iter().zip(&motion.speed_dots);
            let sum: Expr = terms.map(|(m, v)| m * c.alg.var(*v)).sum();
            let sum = sum + &self.rest[k] - &self.force[k] - &self.nonideal[k];
            let name = &self.quasi.held[k - self.quasi.free].row_name;
            entries.push(c.alg.define(&format!("reaction_{name}"), sum));
        }
        let rows = self.quasi.held.iter().map(|h| h.row_name.clone());
        self.quasi.tell(Table::vector(
            "constraint_reactions_in_quasi_velocities",
            rows.collect(),
            entries,
        ))
    }
}

/// What the equations need of Tbar, with the held quasi-velocities set.
struct Gradients {
    /// dTbar/du.
    momenta: Vec<Expr>,
    /// d/dt(dTbar/du) at u' = 0.
    changes: Vec<Expr>,
    /// dTbar/dq.
    slopes: Vec<Expr>,
    /// d2Tbar/du du, all n by n.
    mass: Matrix,
}

impl Gradients {
    fn derive(
        c: &mut Context<'_>,
        quasi: &QuasiVelocities,
        t: &Expr,
        flow: &mut Derivation,
        holding: &BTreeMap<Var, Expr>,
    ) -> diag::Result<Self> {
        let n = quasi.names.len();
        // The derivatives of an energy that is too long to be simplified take longer than all that came before.
        let goes_on = |c: &Context<'_>| match c.alg.is_of_no_use() {
            true => Err(Vec::new()),
            false => Ok(()),
        };
        let set = |c: &mut Context<'_>, name: &str, e: Expr| {
            let e = replaced(c, &e, holding);
            c.alg.define(name, e)
        };
        let mut by_speed: Vec<Derivation> = quasi
            .symbols
            .iter()
            .map(|u| Derivation::partial(*u, &format!("_{}", c.alg.info(*u).name)))
            .collect();
        let mut slopes = Vec::with_capacity(n);
        for (q, coordinate) in c.vars.coords.clone().iter().zip(&c.system.coords) {
            goes_on(c)?;
            let e = c.alg.partial(t, *q);
            slopes.push(set(c, &format!("energy_by_{}", coordinate.meta.name), e));
        }
        let mut mass: Matrix = vec![vec![Expr::zero(); n]; n];
        let (mut momenta, mut changes) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for (k, name) in quasi.names.iter().enumerate() {
            goes_on(c)?;
            let p = c.alg.derivative(t, &mut by_speed[k]);
            let p = c.alg.define(&format!("momentum_{name}"), p);
            for (l, other) in quasi.names.iter().enumerate().skip(k) {
                let e = c.alg.derivative(&p, &mut by_speed[l]);
                let e = set(c, &format!("mass_{name}_{other}"), e);
                mass[k][l] = e.clone();
                mass[l][k] = e;
            }
            let e = c.alg.derivative(&p, flow);
            changes.push(set(c, &format!("momentum_{name}_dot"), e));
            momenta.push(set(c, &format!("momentum_{name}"), p));
        }
        Ok(Self {
            momenta,
            changes,
            slopes,
            mass,
        })
    }
}

/// Tbar: the kinetic energy with the velocities in terms of quasi-velocities.
fn energy(c: &mut Context<'_>, all: &BTreeMap<Var, Expr>) -> Expr {
    let given = c.energies.as_ref().and_then(|e| e.kinetic.clone());
    let mut twice = Expr::zero();
    for m in c.masses.clone() {
        let v = c.by_rates.points[m.center.index()].velocity_value.clone();
        let v = replaced_vec(c, &v, all, &format!("v_{}", m.name));
        twice = twice + &m.mass * vec3::dot(&v, &v);
        if let Some((f, inertia)) = &m.rotation {
            let w = c.by_rates.frames[f.index()].omega_value.clone();
            let w = replaced_vec(c, &w, all, &format!("omega_{}", m.name));
            twice = twice + vec3::dot(&w, &vec3::apply(inertia, &w));
        }
    }
    let given = given.map_or_else(Expr::zero, |t| replaced(c, &t.value, all));
    let sum = twice / Expr::int(2) + given;
    c.alg.define("kinetic_energy_in_quasi_velocities", sum)
}

fn replaced_vec(c: &mut Context<'_>, v: &Vec3, with: &BTreeMap<Var, Expr>, name: &str) -> Vec3 {
    let v = std::array::from_fn(|i| replaced(c, &v[i], with));
    c.define_vec(v, name)
}

/// An expression with symbols replaced.
fn replaced(c: &mut Context<'_>, e: &Expr, with: &BTreeMap<Var, Expr>) -> Expr {
    let mut memo = rustc_hash::FxHashMap::default();
    c.alg.restrict(e, with, &mut memo)
}
