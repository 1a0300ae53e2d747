//! Balances of momentum with every reaction explicit (O'Reilly et al. 2.10-2.11; Wang & Pao 3, 48): three of linear momentum for each
//! particle, and three more of angular momentum about the mass centre for each rigid body,
//!
//! `inertia (W q'' + bias) + gyroscopic terms = loads + pull lambda + declared p + completed r`
//!
//! with the partial velocities W. The multipliers act where their constraints act; declared reactions between the points or bodies that they
//! name; what is left of the complement of W is completed, one reaction for each direction in which the bodies cannot move by themselves.
//! Knows nothing of how the equations are solved.

use super::joints::Balance;
use super::{Context, Space};
use crate::diag::Diagnostic;
use crate::elim::{self, Matrix};
use crate::mech::Fault;
use crate::mech::directions::{Borne, Directions};
use crate::mech::reactions;
use crate::mech::value::{Mixed, Values};
use crate::mech::vec3;
use crate::mech::wrench::Wrench;
use crate::model::system::{Action, EnergyKind, Load, LoadKind, Site};
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
                    "the kinetic energy `{}` has no balances of momentum",
                    kinetic.name
                ),
                kinetic.span,
                "an energy says what moves, not which body at which place",
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
        let (alg, values, k, masses) = self.parts(Space::Rates);
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
                let g = values.components(alg, k, g, p.frame, "gravity");
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
        let mut acting = directions.borne(alg, &values, k, masses, &applied);
        let extra = directions.borne(alg, &values, k, masses, &nonideal);
        let sum = |a: &mut Vec<Expr>, b: &[Expr]| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a = &*a + b);
        };
        sum(&mut acting.along, &extra.along);
        sum(&mut acting.rest, &extra.rest);
        sum(&mut acting.along, &loads);
        // The loads in which reactions stand.
        let mut phi = vec![
            Borne {
                along: vec![Expr::zero(); count],
                rest: vec![Expr::zero(); n],
                complete: true,
            };
            constraints.rows.len()
        ];
        if coupled {
            let along = reactions::split(alg, values.vars, &constraints, &mut acting.along);
            let rest = reactions::split(alg, values.vars, &constraints, &mut acting.rest);
            for (j, borne) in phi.iter_mut().enumerate() {
                borne.along = along.iter().map(|row| row[j].clone()).collect();
                borne.rest = rest.iter().map(|row| row[j].clone()).collect();
            }
        }
        // Where the constraints act.
        let mut pulls = Vec::with_capacity(constraints.rows.len());
        for (row, phi) in constraints.rows.iter().zip(&phi) {
            let (constraint, component) = row.source;
            let list = values.row_wrenches(alg, k, constraint);
            let list = list.map_err(|fault| vec![fault.at(row.span)])?;
            let wrench = list.into_iter().find(|(c, _)| *c == component);
            let mut borne = match wrench {
                Some((_, wrench)) if same_power(alg, k, &wrench, &row.a) => {
                    directions.borne(alg, &values, k, masses, &wrench)
                }
                // Of what cannot be read off, only the generalized forces are known.
                _ => Borne {
                    along: vec![Expr::zero(); count],
                    rest: row.a.clone(),
                    complete: true,
                },
            };
            sum(&mut borne.along, &phi.along);
            sum(&mut borne.rest, &phi.rest);
            pulls.push(borne);
        }
        // Generalized forces, and the partial velocities of the other directions, in terms of the carrying ones.
        let mut forces: Vec<Vec<Expr>> = vec![acting.rest.clone()];
        forces.extend(pulls.iter().map(|p| p.rest.clone()));
        let partial = |i: &usize| directions.list[*i].partial.clone();
        forces.extend(directions.bearing.iter().map(partial));
        let carried = directions.carried(alg, &forces).ok_or_else(|| {
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
            for (row, x) in directions.carrying.iter().zip(&carried.x) {
                list[*row] = &list[*row] + Expr::int(sign) * &x[at];
            }
            for f in &directions.massless {
                let mut left = forces[at][*f].clone();
                for (row, x) in directions.carrying.iter().zip(&carried.x) {
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
            .bearing
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

    /// Adds the declared reactions, and completes them.
    fn with_reactions(
        &mut self,
        mut b: Balances,
        directions: &Directions,
        names: &[String],
        complement: &[Vec<Expr>],
    ) -> Result<Balances, Vec<Diagnostic>> {
        let system = self.system;
        let mut errors = Vec::new();
        let mut columns: Vec<(usize, Vec<Expr>)> = Vec::new();
        for (j, joint) in system.joints.iter().enumerate() {
            let Action::Pair { opposite } = joint.action else {
                continue;
            };
            match self.pair_column(directions, j, joint.site, opposite) {
                Ok(mut column) => {
                    column.resize(b.labels.len(), Expr::zero());
                    columns.push((j, column));
                }
                Err(d) => errors.push(d),
            }
        }
        // Each declared reaction takes the place of a completed one: on the body that is built last, since what it bears is borne by it
        // alone.
        let mut order = directions.bearing.clone();
        let place = |i: &usize| {
            let d = &directions.list[*i];
            (self.masses[d.body].center, d.body, std::cmp::Reverse(*i))
        };
        order.sort_by_key(|i| std::cmp::Reverse(place(i)));
        let mut taken: Vec<usize> = Vec::new();
        let alg = &mut self.alg;
        let mut reduced: Vec<Vec<Expr>> = Vec::new();
        for (j, column) in &columns {
            let mut c = column.clone();
            for (row, other) in taken.iter().zip(&reduced) {
                if alg.is_zero(&c[*row]) {
                    continue;
                }
                let factor = tidy(alg, &c[*row] / &other[*row]);
                for (e, o) in c.iter_mut().zip(other) {
                    *e = tidy(alg, &*e - &factor * o);
                }
            }
            let free = |i: &&usize| !taken.contains(i);
            let open: Vec<usize> = order.iter().filter(free).copied().collect();
            let row = open.into_iter().find(|i| !alg.is_zero(&c[*i]));
            let joint = &system.joints[*j];
            match row {
                Some(row) => {
                    taken.push(row);
                    reduced.push(c);
                }
                None => errors.push(
                    Diagnostic::error(
                        "E0544",
                        format!("the reaction `{}` is not determined", joint.meta.name),
                        joint.meta.span,
                        "the declared reactions before it act along the same lines",
                    )
                    .help("leave out one of the reactions that share their force"),
                ),
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        // The values of the declared ones from the rows they have taken.
        let square: Matrix = taken
            .iter()
            .map(|row| columns.iter().map(|(_, c)| c[*row].clone()).collect())
            .collect();
        let unit: Matrix = (0..taken.len())
            .map(|i| {
                (0..taken.len())
                    .map(|j| Expr::int(i64::from(i == j)))
                    .collect()
            })
            .collect();
        let inverse = match taken.is_empty() {
            true => Matrix::new(),
            false => {
                let solved = elim::solve(alg, &square, &unit);
                let span = columns.first().map(|(j, _)| system.joints[*j].meta.span);
                let solved = solved.ok_or_else(|| vec![too_much().at(span.unwrap_or_default())])?;
                solved.x
            }
        };
        for ((j, column), factors) in columns.iter().zip(&inverse) {
            let weights: Vec<(usize, Expr)> =
                taken.iter().copied().zip(factors.iter().cloned()).collect();
            let joint = &system.joints[*j];
            let balance = combined(alg, &b, &weights, &joint.meta.name);
            b.declared.push(Unknown {
                name: joint.meta.name.clone(),
                text: format!("reaction `{}` of the model", joint.meta.name),
                column: column.clone(),
                balance,
                joint: Some(*j),
            });
        }
        for (row, column) in directions.bearing.iter().zip(complement) {
            if taken.contains(row) {
                continue;
            }
            // What is left when the declared ones have done their part.
            let mut weights = vec![(*row, Expr::one())];
            for ((_, declared), factors) in columns.iter().zip(&inverse) {
                for (r, f) in taken.iter().zip(factors) {
                    weights.push((*r, -(&declared[*row] * f)));
                }
            }
            let balance = combined(alg, &b, &weights, &names[*row]);
            b.completed.push(Unknown {
                name: names[*row].clone(),
                text: format!("what holds {}", b.labels[*row].replace(": ", ", ")),
                column: column.clone(),
                balance,
                joint: None,
            });
        }
        Ok(b)
    }

    /// What a unit of a declared pair adds to the balances of the bodies.
    fn pair_column(
        &mut self,
        directions: &Directions,
        j: usize,
        site: Site,
        opposite: Option<Site>,
    ) -> Result<Vec<Expr>, Diagnostic> {
        let system = self.system;
        let joint = &system.joints[j];
        let span = joint.meta.span;
        let (frame, direction) = self.direction(joint).map_err(|fault| fault.at(span))?;
        let along = Mixed::single(frame, direction);
        let mut wrench = Wrench::default();
        let mut push = |site: Site, v: &Mixed| match site {
            Site::Point(p) => wrench.push_force(p, v),
            Site::Frame(f) => wrench.push_torque(f, v),
        };
        push(site, &along);
        if let Some(other) = opposite {
            push(other, &along.scaled(&Expr::int(-1)));
        }
        let (alg, values, k, masses) = self.parts(Space::Rates);
        let power = wrench.generalized_forces(alg, k);
        let moved = power.iter().position(|e| !alg.is_zero(e));
        let borne = directions.borne(alg, &values, k, masses, &wrench);
        if let Some(c) = moved {
            let name = &system.coords[c].meta.name;
            let held = self.constraints.rows.iter();
            let held: Vec<&str> = held
                .filter(|r| !self.alg.is_zero(&r.a[c]))
                .map(|r| r.name.as_str())
                .collect();
            let d = Diagnostic::error(
                "E0541",
                format!(
                    "no force is transmitted along the direction of `{}`",
                    joint.meta.name
                ),
                span,
                format!("the definitions leave this motion free: it has power with `{name}'`"),
            );
            return Err(match held.first() {
                Some(c) => d.help(format!("if a constraint holds it, ask for its force: `reaction({c})`, or `reaction({c}, P)` at a point")),
                None => d.help("choose a direction in which the definitions allow no relative motion; what acts along a motion is a load"),
            });
        }
        if !borne.complete {
            return Err(Diagnostic::error(
                "E0545",
                format!("the reaction `{}` acts on nothing that has mass", joint.meta.name),
                span,
                "no particle or rigid body is at one of its ends",
            )
            .help("name the points of particles or points that are fixed in bodies; of what holds a point without mass ask by `reaction NAME at P: v`"));
        }
        Ok(borne.along)
    }
}

/// A weighted sum of rows, as what it says of a reaction.
fn combined(
    alg: &mut crate::sym::Algebra,
    b: &Balances,
    weights: &[(usize, Expr)],
    name: &str,
) -> Balance {
    let sum = |alg: &mut crate::sym::Algebra, of: &dyn Fn(usize) -> Expr, what: &str| {
        let mut sum = Expr::zero();
        for (row, w) in weights {
            let e = of(*row);
            if !w.is_literal_zero() && !e.is_literal_zero() {
                sum = sum + w * e;
            }
        }
        match alg.is_closed() {
            true => alg.simplify(&sum),
            false => alg.define(&format!("{what}_{name}"), sum),
        }
    };
    Balance {
        mass: (0..b.mass.first().map_or(0, Vec::len))
            .map(|j| sum(alg, &|r| b.mass[r][j].clone(), "inertia"))
            .collect(),
        force: sum(alg, &|r| b.rest[r].clone(), "load"),
        pull: (0..b.pull.first().map_or(0, Vec::len))
            .map(|j| sum(alg, &|r| b.pull[r][j].clone(), "pull"))
            .collect(),
    }
}

fn tidy(alg: &mut crate::sym::Algebra, e: Expr) -> Expr {
    if e.is_literal_zero() || alg.is_zero(&e) {
        return Expr::zero();
    }
    match alg.is_closed() {
        true => alg.simplify(&e),
        false => alg.define("balance", e),
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
        "the balances are too long to be written out",
        "forces on coordinates cannot be told from those on the bodies within the budget",
        "choose another formulation, or state the loads by points and frames",
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
    match errors.is_empty() {
        true => Ok(wrench),
        false => Err(errors),
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
