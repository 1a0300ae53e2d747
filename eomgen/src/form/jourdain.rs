//! Jourdain's variational equation in privileged velocities Y (Wang & Pao 18, 34, 41, 52, 56): the linear constraints
//! `D q' + d = 0` are solved for the other rates, `q' = C(q,t) Y + c(q,t)`, and the variations of the velocities are `C dY`. Three ways:
//!
//! I: `sum (m a - F) . dv + sum (I.alpha + omega x I.omega - L) . domega = 0` itself, with `dv = sum_K dv/dq'_K C_Ks dY_s`;
//! II: `sum_K C_Ks (dS/dq''_K - Q_K) = 0`, Appell's equation in the coordinates;
//! III: `dS/dY'_s = sum_K C_Ks Q_K`, with S in quasi-velocities, the constraints imposed before differentiating.

use super::gibbs_appell::quadratic;
use super::projection::{self, Projected};
use super::{Context, Equations, Formulated, Formulation, Options, Route, Space, Table, linear};
use crate::diag::{self, Diagnostic};
use crate::elim::{self, Matrix};
use crate::facts::Fact;
use crate::mech::vec3::{self, Linear, Vec3};
use crate::sym::{Expr, Var};
use std::collections::BTreeMap;

/// Jourdain's equation.
pub struct Jourdain;

impl Formulation for Jourdain {
    fn name(&self) -> &'static str {
        "jourdain"
    }

    fn refusal(&self, c: &mut Context<'_>, _: &Options<'_>) -> Option<Diagnostic> {
        linear::refusal(c, self.name())
    }

    fn formulate(&self, c: &mut Context<'_>, options: &Options<'_>) -> diag::Result<Formulated> {
        let equations = by_route(c, options.variant.route)?;
        Ok(Formulated::new(equations, options))
    }

    fn table(
        &self,
        c: &mut Context<'_>,
        _: &Formulated,
        name: &str,
    ) -> diag::Result<Option<Table>> {
        Ok(privileged(c, name))
    }
}

/// D, d, C or c as a table; `None` for any other name.
pub(super) fn privileged(c: &Context<'_>, name: &str) -> Option<Table> {
    let rows: Vec<_> = c.constraints.independent.iter().collect();
    let names = || {
        let of = |r: &&usize| c.constraints.rows[**r].name.clone();
        rows.iter().map(of).collect()
    };
    Some(match name {
        "privileged_constraint_matrix" => {
            let entries = c.constraints.independent_matrix();
            let name = "privileged_constraint_matrix";
            Table::matrix(name, names(), linear::rates(c), entries)
                .stating(Fact::IndependentRows(names()))
        }
        "privileged_constraint_drift" => {
            let of = |r: &&usize| c.constraints.rows[**r].velocity_bias.clone();
            let entries = rows.iter().map(of).collect();
            Table::vector("privileged_constraint_drift", names(), entries)
                .stating(Fact::IndependentRows(names()))
        }
        "privileged_matrix" => linear::matrix(c, "privileged_matrix"),
        "privileged_drift" => linear::drift(c, "privileged_drift"),
        _ => return None,
    })
}

/// The equations by one of the three ways.
pub(super) fn by_route(c: &mut Context<'_>, route: Route) -> diag::Result<Equations> {
    let space = c.working_space(Space::SpeedRates);
    let closure = linear::closure(c, space);
    let (force, nonideal, coupling) = c.forces(Space::Accelerations)?;
    let coupling = coupling.filter(|_| space == Space::Accelerations);
    let p = match route {
        Route::Variational => variational(c, space, &force, &nonideal),
        Route::Coordinates => {
            let (mass, rest) = gradient(c);
            let lists = force.iter().zip(&nonideal).zip(&rest);
            let forcing = lists.map(|((q, c), s)| q + c - s).collect();
            match space {
                Space::Accelerations => Projected {
                    mass,
                    forcing,
                    nonideal,
                },
                Space::SpeedRates | Space::Spins | Space::Whole => {
                    projection::onto_speeds(c, mass, forcing, nonideal)
                }
            }
        }
        Route::QuasiVelocities => quasi(c, space, &force, &nonideal),
    };
    Ok(Equations {
        space,
        mass: p.mass,
        forcing: p.forcing,
        nonideal: p.nonideal,
        coupling,
        closure,
    })
}

/// C, c and the terms `C' Y + c'` of q'' that are free of Y'.
struct Admissible {
    names: Vec<String>,
    dots: Vec<Var>,
    rates: Vec<Linear<Expr>>,
    bias: Vec<Expr>,
}

impl Admissible {
    fn derive(c: &mut Context<'_>, space: Space) -> Self {
        let motion = c.kinematics(space).motion.clone();
        let bias = match space {
            Space::Accelerations => vec![Expr::zero(); motion.rates.len()],
            Space::SpeedRates | Space::Spins | Space::Whole => c.acceleration_bias(),
        };
        Self {
            names: motion.names(&c.alg),
            dots: motion.speed_dots,
            rates: motion.rates,
            bias,
        }
    }

    fn len(&self) -> usize {
        self.names.len()
    }

    /// `sum_K C_Ks list_K`, named.
    fn project(&self, c: &mut Context<'_>, what: &str, list: &[Expr]) -> Vec<Expr> {
        let mut sums = vec![Expr::zero(); self.len()];
        for (rate, e) in self.rates.iter().zip(list) {
            rate.project(e, &mut sums);
        }
        let named = sums.into_iter().zip(&self.names);
        named
            .map(|(e, name)| c.alg.define(&format!("{what}_{name}"), e))
            .collect()
    }

    /// A vector that is linear in the rates' increments, `sum_K v_K dq'_K`, by `dq' = C dY`.
    fn vary(&self, by_rate: &BTreeMap<usize, Vec3>) -> BTreeMap<usize, Vec3> {
        let mut by_speed: BTreeMap<usize, Vec3> = BTreeMap::new();
        for (k, v) in by_rate {
            for (s, e) in &self.rates[*k].coef {
                let term = vec3::scale(e, v);
                let sum = match by_speed.get(s) {
                    Some(known) => vec3::add(known, &term),
                    None => term,
                };
                by_speed.insert(*s, sum);
            }
        }
        by_speed
    }

    /// The part of an acceleration `sum_K v_K q''_K + rest` that is free of Y'.
    fn left(&self, by_rate: &BTreeMap<usize, Vec3>, rest: &Vec3) -> Vec3 {
        let terms = by_rate
            .iter()
            .filter(|(k, _)| !self.bias[**k].is_literal_zero());
        terms.fold(rest.clone(), |sum, (k, v)| {
            vec3::add(&sum, &vec3::scale(&self.bias[*k], v))
        })
    }
}

/// I: balances against the variations of velocities that are derived in the rates.
fn variational(c: &mut Context<'_>, space: Space, force: &[Expr], nonideal: &[Expr]) -> Projected {
    let y = Admissible::derive(c, space);
    let force: Vec<Expr> = force.iter().map(|e| in_space(c, space, e)).collect();
    let nonideal: Vec<Expr> = nonideal.iter().map(|e| in_space(c, space, e)).collect();
    let l = y.len();
    let nonideal = y.project(c, "nonideal", &nonideal);
    let mut forcing = y.project(c, "force", &force);
    let mut mass: Matrix = vec![vec![Expr::zero(); l]; l];
    if let Some(given) = c.given_inertia(space) {
        for i in 0..l {
            forcing[i] = &forcing[i] - &given.rest[i];
            mass[i].clone_from_slice(&given.mass[i]);
        }
    }
    for (f, own) in forcing.iter_mut().zip(&nonideal) {
        *f = &*f + own;
    }
    for m in c.masses.clone() {
        let Context { alg, mechanics, .. } = c;
        let velocity = mechanics.by_rates.moving(alg, m.center).coef.clone();
        let point = &c.by_rates.points[m.center.index()];
        let rest = point.acceleration_bias.clone();
        let (dv, velocity) = vectors(c, space, &y, &velocity, &m.name);
        let rest = in_space_vec(c, space, &rest);
        let left = y.left(&velocity, &rest);
        let left = c.define_vec(left, &format!("a_{}", m.name));
        for (s, v) in &dv {
            let momentum = vec3::scale(&m.mass, v);
            for (r, w) in dv.range(s..) {
                mass[*s][*r] = &mass[*s][*r] + vec3::dot(&momentum, w);
            }
            forcing[*s] = &forcing[*s] - vec3::dot(&momentum, &left);
        }
        let Some((f, inertia)) = &m.rotation else {
            continue;
        };
        let Context { alg, mechanics, .. } = c;
        let rotation = mechanics.by_rates.turning(alg, *f).coef.clone();
        let frame = &c.by_rates.frames[f.index()];
        let (omega, rest) = (frame.omega_value.clone(), frame.alpha_bias.clone());
        let (domega, rotation) = vectors(c, space, &y, &rotation, &format!("turn_{}", m.name));
        let omega = in_space_vec(c, space, &omega);
        let rest = in_space_vec(c, space, &rest);
        let alpha = y.left(&rotation, &rest);
        let spin = vec3::apply(inertia, &omega);
        let spin = c.define_vec(spin, &format!("spin_{}", m.name));
        let left = vec3::add(&vec3::apply(inertia, &alpha), &vec3::cross(&omega, &spin));
        let left = c.define_vec(left, &format!("torque_{}", m.name));
        for (s, v) in &domega {
            let moment = vec3::apply(inertia, v);
            for (r, w) in domega.range(s..) {
                mass[*s][*r] = &mass[*s][*r] + vec3::dot(&moment, w);
            }
            forcing[*s] = &forcing[*s] - vec3::dot(v, &left);
        }
    }
    finished(c, &y, mass, forcing, nonideal)
}

/// Variations by dY, and the coefficients by q', in terms of the unknowns of a space.
fn vectors(
    c: &mut Context<'_>,
    space: Space,
    y: &Admissible,
    by_rate: &BTreeMap<usize, Vec3>,
    name: &str,
) -> (BTreeMap<usize, Vec3>, BTreeMap<usize, Vec3>) {
    let mut own = BTreeMap::new();
    for (k, v) in by_rate {
        own.insert(*k, in_space_vec(c, space, v));
    }
    let mut varied = BTreeMap::new();
    for (s, v) in y.vary(&own) {
        let v = c.define_vec(v, &format!("d_{name}_{}", y.names[s]));
        if !vec3::is_zero(&v) {
            varied.insert(s, v);
        }
    }
    (varied, own)
}

/// II: `dS/dq''` as `M q'' + rest`.
fn gradient(c: &mut Context<'_>) -> (Matrix, Vec<Expr>) {
    let s = c.gibbs_function(Space::Accelerations);
    let dots = c.vars.rate_dots.clone();
    let names = c.system.coord_names("");
    gradient_of(c, &s, &dots, &names)
}

/// III: S in terms of Y, Y'.
fn quasi(c: &mut Context<'_>, space: Space, force: &[Expr], nonideal: &[Expr]) -> Projected {
    let y = Admissible::derive(c, space);
    let s = c.gibbs_function(Space::Accelerations);
    let mut map: BTreeMap<Var, Expr> = BTreeMap::new();
    if space == Space::SpeedRates {
        let values = c.kinematics(space).motion.rate_values.clone();
        map.extend(c.vars.rates.iter().copied().zip(values));
        for (i, dot) in c.vars.rate_dots.clone().into_iter().enumerate() {
            let terms = y.rates[i].coef.iter();
            let sum: Expr = terms.map(|(s, e)| e * c.alg.var(y.dots[*s])).sum();
            let name = format!("{}_ddot", c.system.coords[i].meta.name);
            let e = c.alg.define(&name, sum + &y.bias[i]);
            map.insert(dot, e);
        }
    }
    let s = c
        .alg
        .restrict(&s, &map, &mut rustc_hash::FxHashMap::default());
    let s = c.alg.name("gibbs_function_in_quasi_velocities", s);
    let (mass, rest) = gradient_of(c, &s, &y.dots, &y.names);
    let force: Vec<Expr> = force.iter().map(|e| in_space(c, space, e)).collect();
    let nonideal: Vec<Expr> = nonideal.iter().map(|e| in_space(c, space, e)).collect();
    let nonideal = y.project(c, "nonideal", &nonideal);
    let force = y.project(c, "force", &force);
    let lists = force.iter().zip(&nonideal).zip(&rest);
    let forcing = lists.map(|((q, c), s)| q + c - s).collect();
    finished(c, &y, mass, forcing, nonideal)
}

/// Of a function that is quadratic in these symbols the matrix of second derivatives, and the gradient where they vanish.
fn gradient_of(c: &mut Context<'_>, s: &Expr, by: &[Var], names: &[String]) -> (Matrix, Vec<Expr>) {
    quadratic(&mut c.alg, s, by, names, &mut |alg, i, still| {
        alg.define(&format!("gradient_{}", names[i]), still)
    })
}

/// Entries named, the lower half filled in.
fn finished(
    c: &mut Context<'_>,
    y: &Admissible,
    mass: Matrix,
    forcing: Vec<Expr>,
    nonideal: Vec<Expr>,
) -> Projected {
    let mass = elim::symmetric(y.len(), |i, j| {
        let name = format!("mass_{}_{}", y.names[i], y.names[j]);
        c.alg.define(&name, mass[i][j].clone())
    });
    let forcing = forcing.into_iter().zip(&y.names);
    let forcing = forcing.map(|(e, name)| c.alg.define(&format!("forcing_{name}"), e));
    Projected {
        mass,
        forcing: forcing.collect(),
        nonideal,
    }
}

fn in_space(c: &mut Context<'_>, space: Space, e: &Expr) -> Expr {
    match space {
        Space::Accelerations => e.clone(),
        Space::SpeedRates | Space::Spins | Space::Whole => c.in_speeds(e),
    }
}

fn in_space_vec(c: &mut Context<'_>, space: Space, v: &Vec3) -> Vec3 {
    std::array::from_fn(|i| in_space(c, space, &v[i]))
}
