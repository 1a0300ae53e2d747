//! Balances of momentum with every reaction explicit (O'Reilly et al. 2.10-2.11; Wang & Pao 3, 48): three of linear momentum for each
//! particle, and three more of angular momentum about the mass centre for each rigid body,
//!
//! `inertia (W q'' + bias) + gyroscopic terms = loads + pull lambda + declared p + completed r`
//!
//! with the partial velocities W. The multipliers act where their constraints act; declared reactions between the points or bodies that they
//! name; what is left of the complement of W is completed, one reaction for each direction in which the bodies cannot move by themselves.
//! Knows nothing of how the equations are solved.

mod unknowns;

use super::joints::Balance;
use super::{Context, Space};
use crate::diag::Diagnostic;
use crate::elim::Matrix;
use crate::mech::Fault;
use crate::mech::directions::{Directions, Resolved};
use crate::mech::reactions;
use crate::mech::value::Values;
use crate::mech::vec3;
use crate::mech::wrench::Wrench;
use crate::model::system::{EnergyKind, Load, LoadKind};
use crate::sym::Expr;

/// The balances of a model.
#[derive(Clone, Debug)]
pub struct Balances {
    /// What each row is about: `A: force along N.x`; last come the coordinates whose rates move no body, `s: without mass`.
    pub labels: Vec<String>,
    /// Coefficients of q'', by rows.
    pub mass: Matrix,
    /// Loads less the terms free of q''.
    pub rest: Vec<Expr>,
    /// Coefficients of the multipliers on the right-hand side, by rows, one column for each constraint row; coupled loads included.
    pub pull: Matrix,
    /// Declared reactions.
    pub declared: Vec<Unknown>,
    /// Completed reactions.
    pub completed: Vec<Unknown>,
    /// What is divided by in the columns and may vanish.
    pub divisors: Vec<Expr>,
    /// The projected forcing that belongs to these balances.
    pub projected: Vec<Expr>,
    /// Inertia in the accelerations along the directions, those accelerations at q'' = 0, and the loads before they are carried.
    pub bodies: Bodies,
}

/// The same in the accelerations of the bodies.
#[derive(Clone, Debug)]
pub struct Bodies {
    /// Inertia, direction by direction.
    pub inertia: Matrix,
    /// Partial velocities W, by directions.
    pub partials: Matrix,
    /// Accelerations at q'' = 0.
    pub bias: Vec<Expr>,
    /// Loads along the directions, less gyroscopic terms.
    pub loads: Vec<Expr>,
    /// Loads that no body bears by itself, conjugate to the coordinates.
    pub generalized: Vec<Expr>,
}

/// An unknown reaction.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// `reaction_C_x`, or the model's name.
    pub name: String,
    /// What it is, in words.
    pub text: String,
    /// What a unit of it adds to the right-hand side of each row.
    pub column: Vec<Expr>,
    /// From which balance it follows once accelerations and multipliers are known.
    pub balance: Balance,
    /// The joint that declares it.
    pub joint: Option<usize>,
}

impl Context<'_> {
    /// Whether bodies say everything of the inertia: of an energy that is given as such there are no balances.
    pub(super) fn without_balances(&self) -> Option<Diagnostic> {
        let stated = self.system.energies.iter();
        let kinetic = stated.clone().find(|e| e.kind == EnergyKind::Kinetic)?;
        Some(
            Diagnostic::error(
                "E0540",
                format!(
                    "the kinetic energy `{}` has no momentum balances",
                    kinetic.name
                ),
                kinetic.span,
                "an energy does not say which body is where",
            )
            .help("state the bodies with `particle` and `body`, or choose `--method lagrange`"),
        )
    }

    /// The balances of all bodies.
    pub fn balances(&mut self) -> Result<Balances, Vec<Diagnostic>> {
        if let Some(refusal) = self.without_balances() {
            return Err(vec![refusal]);
        }
        let gravity = self.gravity(Space::Rates)?;
        let constraints = self.constraints.clone();
        let coupled = self.coupled;
        let system = self.system;
        let (alg, _, k, masses) = self.parts(Space::Rates);
        let n = k.motion.speeds.len();
        let directions = Directions::derive(alg, k, masses);
        let count = directions.list.len();
        // Inertia.
        let mut inertia: Matrix = vec![vec![Expr::zero(); count]; count];
        let mut loads = vec![Expr::zero(); count];
        let mut first = 0;
        for m in masses {
            for i in first..first + 3 {
                inertia[i][i] = m.mass.clone();
            }
            let p = &k.points[m.center.index()];
            if let Some(g) = &gravity {
                let g = k.components(alg, g, p.frame, "gravity");
                for i in 0..3 {
                    loads[first + i] = &m.mass * &g[i];
                }
            }
            first += 3;
            if let Some((f, tensor)) = &m.rotation {
                let w = &k.frames[f.index()].omega_value;
                let spin = k.define_vec(alg, vec3::apply(tensor, w), &format!("spin_{}", m.name));
                let turning = vec3::cross(w, &spin);
                for i in 0..3 {
                    for j in 0..3 {
                        inertia[first + i][first + j] = tensor[i][j].clone();
                    }
                    loads[first + i] = -&turning[i];
                }
                first += 3;
            }
        }
        // Loads.
        let applied = load_wrench(self, &system.loads, true)?;
        let nonideal = load_wrench(self, &system.nonideal, false)?;
        let (alg, values, k, masses) = self.parts(Space::Rates);
        let mut acting = directions.resolve(alg, &values, k, masses, &applied);
        let extra = directions.resolve(alg, &values, k, masses, &nonideal);
        let sum = |a: &mut Vec<Expr>, b: &[Expr]| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a = &*a + b);
        };
        sum(&mut acting.along, &extra.along);
        sum(&mut acting.rest, &extra.rest);
        sum(&mut acting.along, &loads);
        // The loads in which reactions stand.
        let mut phi = vec![
            Resolved {
                along: vec![Expr::zero(); count],
                rest: vec![Expr::zero(); n],
                complete: true,
            };
            constraints.rows.len()
        ];
        if coupled {
            let along = reactions::split(alg, values.vars, &constraints, &mut acting.along);
            let rest = reactions::split(alg, values.vars, &constraints, &mut acting.rest);
            for (j, resolved) in phi.iter_mut().enumerate() {
                resolved.along = along.iter().map(|row| row[j].clone()).collect();
                resolved.rest = rest.iter().map(|row| row[j].clone()).collect();
            }
        }
        // Where the constraints act.
        let mut pulls = Vec::with_capacity(constraints.rows.len());
        for (row, phi) in constraints.rows.iter().zip(&phi) {
            let (constraint, component) = row.source;
            let list = values.row_wrenches(alg, k, constraint);
            let list = list.map_err(|fault| vec![fault.at(row.span)])?;
            let wrench = list.into_iter().find(|(c, _)| *c == component);
            let mut resolved = match wrench {
                Some((_, wrench)) if same_power(alg, k, &wrench, &row.a) => {
                    directions.resolve(alg, &values, k, masses, &wrench)
                }
                // Of what cannot be read off, only the generalized forces are known.
                _ => Resolved {
                    along: vec![Expr::zero(); count],
                    rest: row.a.clone(),
                    complete: true,
                },
            };
            sum(&mut resolved.along, &phi.along);
            sum(&mut resolved.rest, &phi.rest);
            pulls.push(resolved);
        }
        // Generalized forces, and the partial velocities of the other directions, in terms of the carrying ones.
        let mut forces: Vec<Vec<Expr>> = vec![acting.rest.clone()];
        forces.extend(pulls.iter().map(|p| p.rest.clone()));
        let partial = |i: &usize| directions.list[*i].partial.clone();
        forces.extend(directions.dependent.iter().map(partial));
        let carried = directions.as_forces(alg, &forces).ok_or_else(|| {
            vec![
                too_much().at(system
                    .bodies
                    .first()
                    .map_or_else(Default::default, |b| b.meta.span)),
            ]
        })?;
        let mut divisors = Vec::new();
        for p in &carried.pivots {
            for f in alg.factors(p) {
                if !alg.is_nonzero(&f) {
                    divisors.push(f);
                }
            }
        }
        // A column of generalized forces, with what is left of it for the coordinates without mass.
        let column = |alg: &mut crate::sym::Algebra, along: &[Expr], at: usize, sign: i64| {
            let mut list = along.to_vec();
            for (row, x) in directions.independent.iter().zip(&carried.x) {
                list[*row] = &list[*row] + Expr::int(sign) * &x[at];
            }
            for f in &directions.massless {
                let mut left = forces[at][*f].clone();
                for (row, x) in directions.independent.iter().zip(&carried.x) {
                    left = left - &directions.list[*row].partial[*f] * &x[at];
                }
                list.push(Expr::int(sign) * left);
            }
            list.into_iter().map(|e| tidy(alg, e)).collect::<Vec<_>>()
        };
        let mut rest = column(alg, &acting.along, 0, 1);
        let pull: Vec<Vec<Expr>> = (0..pulls.len())
            .map(|j| column(alg, &pulls[j].along, 1 + j, 1))
            .collect();
        let complement: Vec<Vec<Expr>> = directions
            .dependent
            .iter()
            .enumerate()
            .map(|(i, row)| {
                let mut unit = vec![Expr::zero(); count];
                unit[*row] = Expr::one();
                column(alg, &unit, 1 + pulls.len() + i, -1)
            })
            .collect();
        let rows = count + directions.massless.len();
        let partials: Matrix = directions.list.iter().map(|d| d.partial.clone()).collect();
        let bias: Vec<Expr> = directions.list.iter().map(|d| d.bias.clone()).collect();
        let mut mass: Matrix = Vec::with_capacity(rows);
        for i in 0..count {
            let row = (0..n).map(|j| (0..count).map(|l| &inertia[i][l] * &partials[l][j]).sum());
            mass.push(
                row.collect::<Vec<Expr>>()
                    .into_iter()
                    .map(|e| tidy(alg, e))
                    .collect(),
            );
            let free: Expr = (0..count).map(|l| &inertia[i][l] * &bias[l]).sum();
            rest[i] = tidy(alg, &rest[i] - free);
        }
        mass.resize(rows, vec![Expr::zero(); n]);
        let mut labels: Vec<String> = (0..count).map(|i| directions.label(&values, i)).collect();
        let without = directions.massless.iter();
        labels.extend(without.map(|f| format!("{}: without mass", system.coords[*f].meta.name)));
        let names: Vec<String> = (0..count).map(|i| directions.name(&values, i)).collect();
        let bodies = Bodies {
            inertia,
            partials,
            bias,
            loads: acting.along,
            generalized: acting.rest,
        };
        let balances = Balances {
            labels,
            mass,
            rest,
            pull: transposed(&pull, rows),
            declared: Vec::new(),
            completed: Vec::new(),
            divisors,
            projected: Vec::new(),
            bodies,
        };
        self.with_reactions(balances, &directions, &names, &complement)
    }
}

fn tidy(alg: &mut crate::sym::Algebra, e: Expr) -> Expr {
    if e.is_literal_zero() || alg.is_zero(&e) {
        return Expr::zero();
    }
    if alg.is_closed() {
        alg.simplify(&e)
    } else {
        alg.define("balance", e)
    }
}

fn transposed(columns: &[Vec<Expr>], rows: usize) -> Matrix {
    (0..rows)
        .map(|i| columns.iter().map(|c| c[i].clone()).collect())
        .collect()
}

fn too_much() -> Fault {
    Fault::new(
        "E0546",
        "the momentum balances are too long to be written out",
        "separating forces on coordinates from forces on bodies exceeds the budget",
        "choose another formulation, or state the loads with points and frames",
    )
}

/// Whether forces and torques have the power that a constraint row says.
fn same_power(
    alg: &mut crate::sym::Algebra,
    k: &crate::mech::kinematics::Kinematics,
    wrench: &Wrench,
    row: &[Expr],
) -> bool {
    let g = wrench.generalized_forces(alg, k);
    g.iter().zip(row).all(|(a, b)| alg.equal(a, b))
}

/// Loads as forces and torques, with what potentials and dissipations give if `energies`.
fn load_wrench(
    c: &mut Context<'_>,
    loads: &[Load],
    energies: bool,
) -> Result<Wrench, Vec<Diagnostic>> {
    let system = c.system;
    let (alg, values, k, _) = c.parts(Space::Rates);
    let mut wrench = Wrench::default();
    let mut errors = Vec::new();
    for load in loads {
        let done = match &load.kind {
            LoadKind::Force { point, vector } => values
                .vector(alg, k, vector)
                .map(|v| wrench.push_force(*point, &v)),
            LoadKind::Torque { frame, vector } => values
                .vector(alg, k, vector)
                .map(|v| wrench.push_torque(*frame, &v)),
            LoadKind::Generalized { coord, value } => values
                .scalar(alg, k, value)
                .map(|v| wrench.push_generalized(coord.index(), &v)),
        };
        errors.extend(done.err().map(|fault| fault.at(load.span)));
    }
    for e in system.energies.iter().filter(|_| energies) {
        let order = match e.kind {
            EnergyKind::Potential => 0,
            EnergyKind::Dissipation => 1,
            EnergyKind::Kinetic => continue,
        };
        match pull_of(&values, alg, k, e, order) {
            Ok(w) => wrench.add(&w),
            Err(fault) => errors.push(fault.at(e.span)),
        }
    }
    if errors.is_empty() {
        Ok(wrench)
    } else {
        Err(errors)
    }
}

/// `-dV`, `-dD`
fn pull_of(
    values: &Values<'_>,
    alg: &mut crate::sym::Algebra,
    k: &crate::mech::kinematics::Kinematics,
    e: &crate::model::system::Energy,
    order: u8,
) -> Result<Wrench, Fault> {
    values.wrench(alg, k, &e.value, order, &Expr::int(-1))
}
