//! Balances of momentum with every reaction explicit (O'Reilly et al. 2.10-2.11; Wang & Pao 3, 48): three of linear momentum for each
//! particle, and three more of angular momentum about the mass centre for each rigid body,
//!
//! `inertia (W q'' + bias) + gyroscopic terms = loads + L lambda + declared p + generated r`
//!
//! with the partial velocities W and the columns L of the multipliers. The multipliers act where their constraints act; declared reactions between the points or bodies that they
//! name; what is left of the complement of W gives the generated reactions, one for each direction in
//! which the bodies cannot move by themselves.
//! Knows nothing of how the equations are solved.

mod unknowns;

use super::balance::Balance;
use super::{Context, Space};
use crate::diag::{self, Diagnostic};
use crate::elim::{self, Matrix};
use crate::mech::Fault;
use crate::mech::directions::{Directions, Resolved, reduced};
use crate::mech::kinematics::Kinematics;
use crate::mech::mixed::Mixed;
use crate::mech::reactions;
use crate::mech::vec3;
use crate::mech::wrench::Wrench;
use crate::model::system::{EnergyKind, Load, LoadKind};
use crate::sym::{Algebra, Expr};

/// The balances of a model.
#[derive(Clone, Debug)]
pub struct Balances {
    /// What each row is about: `A: force along N.x`; last come the coordinates whose rates move no body, `s: without mass`.
    pub labels: Vec<String>,
    /// The same of the bodies' directions in a word each: `force(A:N.x)`.
    pub words: Vec<String>,
    /// The coordinates whose rates move no body.
    pub massless: Vec<String>,
    /// Coefficients of q'', by rows.
    pub mass: Matrix,
    /// Loads less the terms free of q''.
    pub rest: Vec<Expr>,
    /// Coefficients of the multipliers on the right-hand side, by rows, one column for each constraint row; coupled loads included.
    pub multipliers: Matrix,
    /// Declared reactions.
    pub declared: Vec<Unknown>,
    /// Generated reactions: those that no one declared, along the remaining directions.
    pub generated: Vec<Unknown>,
    /// What is divided by in the columns and may vanish.
    pub divisors: Vec<Expr>,
    /// The projected forcing that belongs to these balances.
    pub projected: Vec<Expr>,
    /// Inertia in the accelerations along the directions, those accelerations at q'' = 0, and the loads as they act on the bodies.
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
    /// Loads that act on no body, conjugate to the coordinates.
    pub generalized: Vec<Expr>,
}

/// An unknown reaction.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// `reaction_C_x`, or the model's name.
    pub name: String,
    /// What it is, in words.
    pub text: String,
    /// Along what it acts, in a word: `force(C:N.x)`; of one that the model declares, from which balance it follows.
    pub along: String,
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
    pub fn balances(&mut self) -> diag::Result<Balances> {
        if let Some(refusal) = self.without_balances() {
            return Err(vec![refusal]);
        }
        let system = self.system;
        let gravity = self.gravity(Space::Accelerations)?;
        let (alg, _, k, masses) = self.parts(Space::Accelerations);
        let directions = Directions::derive(alg, k, masses);
        let (inertia, weights) = self.inertia(gravity.as_ref(), directions.list.len());
        let applied = load_wrench(self, &system.loads, true)?;
        let nonideal = load_wrench(self, &system.nonideal, false)?;
        let (alg, values, k, masses) = self.parts(Space::Accelerations);
        let mut acting = directions.resolve(alg, &values, k, masses, &applied);
        let prescribed = directions.resolve(alg, &values, k, masses, &nonideal);
        acting.add(&prescribed);
        acting.add_along(&weights);
        let reactions = self.constraint_reactions(&directions, &mut acting)?;
        let mut forces: Vec<Vec<Expr>> = vec![acting.rest.clone()];
        forces.extend(reactions.iter().map(|p| p.rest.clone()));
        let partials: Matrix = directions.list.iter().map(|d| d.partial.clone()).collect();
        forces.extend(directions.dependent.iter().map(|i| partials[*i].clone()));
        let alg = &mut self.alg;
        let (rows, divisors) = Rows::of(alg, &directions, forces).ok_or_else(|| {
            let first = system.bodies.first();
            vec![too_much().at(first.map_or_else(Default::default, |b| b.meta.span))]
        })?;
        let mut rest = rows.column(alg, &acting.along, 0, 1);
        let columns = reactions.iter().enumerate();
        let multipliers: Matrix = columns
            .map(|(j, r)| rows.column(alg, &r.along, 1 + j, 1))
            .collect();
        let dependent = directions.dependent.iter().enumerate();
        let complement: Matrix = dependent
            .map(|(i, row)| {
                let unit = elim::unit(partials.len(), *row);
                rows.column(alg, &unit, 1 + reactions.len() + i, -1)
            })
            .collect();
        let bodies = Bodies {
            inertia,
            partials,
            bias: directions.list.iter().map(|d| d.bias.clone()).collect(),
            loads: acting.along,
            generalized: acting.rest,
        };
        let mass = bodies.mass(alg, &mut rest);
        let values = self.values();
        let count = 0..directions.list.len();
        let names: Vec<String> = count.map(|i| directions.name(&values, i)).collect();
        let count = 0..directions.list.len();
        let massless = directions.massless.iter();
        let balances = Balances {
            labels: self.labels(&directions),
            words: count.map(|i| directions.word(&values, i)).collect(),
            massless: massless
                .map(|f| system.coords[*f].meta.name.clone())
                .collect(),
            mass,
            multipliers: transposed(&multipliers, rest.len()),
            rest,
            declared: Vec::new(),
            generated: Vec::new(),
            divisors,
            projected: Vec::new(),
            bodies,
        };
        self.with_reactions(balances, &directions, &names, &complement)
    }

    fn labels(&self, directions: &Directions) -> Vec<String> {
        let values = self.values();
        let count = 0..directions.list.len();
        let mut labels: Vec<String> = count.map(|i| directions.label(&values, i)).collect();
        let without = directions.massless.iter().map(|f| &self.system.coords[*f]);
        labels.extend(without.map(|q| format!("{}: without mass", q.meta.name)));
        labels
    }

    /// Inertia along the directions, and weights less gyroscopic terms.
    fn inertia(&mut self, gravity: Option<&Mixed>, count: usize) -> (Matrix, Vec<Expr>) {
        let (alg, _, k, masses) = self.parts(Space::Accelerations);
        let mut inertia: Matrix = vec![vec![Expr::zero(); count]; count];
        let mut loads = vec![Expr::zero(); count];
        let mut first = 0;
        for m in masses {
            for i in first..first + 3 {
                inertia[i][i] = m.mass.clone();
            }
            let p = &k.points[m.center.index()];
            if let Some(g) = gravity {
                let g = k.components(alg, g, p.frame, "gravity");
                for i in 0..3 {
                    loads[first + i] = &m.mass * &g[i];
                }
            }
            first += 3;
            if let Some((f, tensor)) = &m.rotation {
                let w = &k.frames[f.index()].omega_value;
                let spin = k.define_vec(alg, vec3::apply(tensor, w), &format!("spin_{}", m.name));
                let gyroscopic = vec3::cross(w, &spin);
                for i in 0..3 {
                    inertia[first + i][first..first + 3].clone_from_slice(&tensor[i]);
                    loads[first + i] = -&gyroscopic[i];
                }
                first += 3;
            }
        }
        (inertia, loads)
    }

    /// What a unit of each multiplier adds along the directions: where its constraint acts, and with the loads in which it stands. These
    /// are taken out of what is `acting`.
    fn constraint_reactions(
        &mut self,
        directions: &Directions,
        acting: &mut Resolved,
    ) -> diag::Result<Vec<Resolved>> {
        let mechanics = self.mechanics.clone();
        let constraints = &mechanics.constraints;
        let (alg, values, k, masses) = self.parts(Space::Accelerations);
        let n = k.motion.speeds.len();
        let count = directions.list.len();
        let mut phi = vec![Resolved::nothing(count, n); constraints.rows.len()];
        if mechanics.coupled {
            let along = reactions::split(alg, values.vars, constraints, &mut acting.along);
            let rest = reactions::split(alg, values.vars, constraints, &mut acting.rest);
            for (j, load) in phi.iter_mut().enumerate() {
                load.along = along.iter().map(|row| row[j].clone()).collect();
                load.rest = rest.iter().map(|row| row[j].clone()).collect();
            }
        }
        let mut list = Vec::with_capacity(constraints.rows.len());
        for (row, phi) in constraints.rows.iter().zip(&phi) {
            let (constraint, component) = row.source;
            let wrenches = values.row_wrenches(alg, k, constraint);
            let wrenches = wrenches.map_err(|fault| vec![fault.at(row.span)])?;
            let wrench = wrenches.into_iter().find(|(c, _)| *c == component);
            let mut reaction = match wrench {
                Some((_, wrench)) if same_power(alg, k, &wrench, &row.a) => {
                    directions.resolve(alg, &values, k, masses, &wrench)
                }
                // Of what cannot be read off, only the generalized forces are known.
                _ => Resolved {
                    rest: row.a.clone(),
                    ..Resolved::nothing(count, n)
                },
            };
            reaction.add(phi);
            list.push(reaction);
        }
        Ok(list)
    }
}

/// Generalized forces, and the partial velocities of the dependent directions, in terms of the independent ones.
struct Rows<'d> {
    directions: &'d Directions,
    /// The generalized forces.
    forces: Vec<Vec<Expr>>,
    /// The same as forces along the independent directions, one column for each.
    x: Matrix,
}

impl<'d> Rows<'d> {
    /// With the factors that are divided by and may vanish. `None` if it is too much to write out.
    fn of(
        alg: &mut Algebra,
        directions: &'d Directions,
        forces: Vec<Vec<Expr>>,
    ) -> Option<(Self, Vec<Expr>)> {
        let solved = directions.as_forces(alg, &forces)?;
        let mut divisors = Vec::new();
        for f in solved
            .pivots
            .iter()
            .flat_map(|p| alg.factors(p))
            .collect::<Vec<_>>()
        {
            if !alg.is_nonzero(&f) {
                divisors.push(f);
            }
        }
        let x = solved.x;
        let rows = Self {
            directions,
            forces,
            x,
        };
        Some((rows, divisors))
    }

    /// Forces along the directions and the generalized forces of that number, with what is left of these for the coordinates without mass.
    fn column(&self, alg: &mut Algebra, along: &[Expr], at: usize, sign: i64) -> Vec<Expr> {
        let mut list = along.to_vec();
        let independent = || self.directions.independent.iter().zip(&self.x);
        for (row, x) in independent() {
            list[*row] = &list[*row] + Expr::int(sign) * &x[at];
        }
        for f in &self.directions.massless {
            let left = independent().fold(self.forces[at][*f].clone(), |left, (row, x)| {
                left - &self.directions.list[*row].partial[*f] * &x[at]
            });
            list.push(Expr::int(sign) * left);
        }
        list.into_iter()
            .map(|e| reduced(alg, "balance", e))
            .collect()
    }
}

impl Bodies {
    /// The coefficients of q'' in all rows; what is free of q'' is taken from the right-hand sides.
    fn mass(&self, alg: &mut Algebra, rest: &mut [Expr]) -> Matrix {
        let n = self.generalized.len();
        let mut mass: Matrix = Vec::with_capacity(rest.len());
        for (inertia, rest) in self.inertia.iter().zip(rest.iter_mut()) {
            let entry = |j: usize| -> Expr {
                let terms = inertia.iter().zip(&self.partials);
                terms.map(|(m, w)| m * &w[j]).sum()
            };
            let row: Vec<Expr> = (0..n).map(entry).collect();
            mass.push(
                row.into_iter()
                    .map(|e| reduced(alg, "balance", e))
                    .collect(),
            );
            let free: Expr = inertia.iter().zip(&self.bias).map(|(m, a)| m * a).sum();
            *rest = reduced(alg, "balance", &*rest - free);
        }
        mass.resize(rest.len(), vec![Expr::zero(); n]);
        mass
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
fn same_power(alg: &mut Algebra, k: &Kinematics, wrench: &Wrench, row: &[Expr]) -> bool {
    let g = wrench.generalized_forces(alg, k);
    g.iter().zip(row).all(|(a, b)| alg.equal(a, b))
}

/// Loads as forces and torques, with what potentials and dissipations give if `energies`.
fn load_wrench(c: &mut Context<'_>, loads: &[Load], energies: bool) -> diag::Result<Wrench> {
    let system = c.system;
    let (alg, values, k, _) = c.parts(Space::Accelerations);
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
    // -dV, -dD
    for e in system.energies.iter().filter(|_| energies) {
        let order = match e.kind {
            EnergyKind::Potential => 0,
            EnergyKind::Dissipation => 1,
            EnergyKind::Kinetic => continue,
        };
        match values.wrench(alg, k, &e.value, order, &Expr::int(-1)) {
            Ok(w) => wrench.add(&w),
            Err(fault) => errors.push(fault.at(e.span)),
        }
    }
    diag::unless_wrong(wrench, errors)
}
