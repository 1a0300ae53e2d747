//! Reactions of constraints: loads that depend on them, `F + Phi lambda`, and the forces at points and torques on frames that they are.
//! Knows nothing of how the multipliers are found.

use super::Fault;
use super::constraints::{Constraints, Row};
use super::directions::{Direction, Directions};
use super::kinematics::Kinematics;
use super::mixed::Mixed;
use super::value::{Evaluator, Values};
use super::vars::Vars;
use super::vec3;
use super::wrench::Wrench;
use crate::diag::{self, Diagnostic};
use crate::elim::Matrix;
use crate::model::system::{Axis, Quantity, Site};
use crate::span::Span;
use crate::sym::{Algebra, Expr, Var};
use std::collections::BTreeMap;

/// The symbol of a row's multiplier, if the model mentions it.
pub fn symbol(vars: &Vars, row: &Row) -> Option<Var> {
    let (constraint, component) = row.source;
    vars.reactions.get(constraint)?.get(component).copied()
}

/// Whether the multiplier of a row follows from the motion alone: no other row shares its force.
pub fn is_unique(alg: &Algebra, constraints: &Constraints, row: usize) -> bool {
    let Some(at) = constraints.independent.iter().position(|i| *i == row) else {
        return false;
    };
    let others = constraints.combination.iter().enumerate();
    others
        .filter(|(i, _)| *i != row)
        .all(|(_, t)| t.get(at).is_none_or(|e| alg.is_zero(e)))
}

/// Whether loads depend on reactions at all. Reactions that are not unique are refused there.
pub fn in_loads(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    constraints: &Constraints,
) -> diag::Result<bool> {
    let mut found = false;
    let mut errors = Vec::new();
    if values.vars.reactions.iter().all(Vec::is_empty) {
        return Ok(false);
    }
    for load in &values.system.loads {
        let q = values.generalized_forces(alg, k, std::slice::from_ref(load))?;
        for (i, row) in constraints.rows.iter().enumerate() {
            let Some(v) = symbol(values.vars, row) else {
                continue;
            };
            if !q.iter().any(|e| alg.depends(e, &|x| x == v)) {
                continue;
            }
            found = true;
            if !is_unique(alg, constraints, i) {
                let d = Diagnostic::error(
                    "E0463",
                    format!(
                        "a load depends on the reaction of `{}`, which is not unique",
                        row.name
                    ),
                    load.span,
                    "this contains the reaction of a redundant constraint",
                )
                .help("remove the redundant constraint, or replace one by a spring");
                errors.push(redundant(d, alg, constraints, i));
            }
        }
    }
    diag::unless_wrong(found, errors)
}

/// The loads in which reactions appear.
pub fn loads_by_reactions(alg: &mut Algebra, values: &Values<'_>, k: &Kinematics) -> Vec<Span> {
    let symbols: Vec<Var> = values.vars.reactions.iter().flatten().copied().collect();
    loads_with(alg, values, k, &symbols)
}

/// The loads in which the reaction of a row appears.
pub fn loads_by(alg: &mut Algebra, values: &Values<'_>, k: &Kinematics, row: &Row) -> Vec<Span> {
    let symbols: Vec<Var> = symbol(values.vars, row).into_iter().collect();
    loads_with(alg, values, k, &symbols)
}

/// The loads in which one of these symbols appears.
fn loads_with(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    symbols: &[Var],
) -> Vec<Span> {
    let mut spans = Vec::new();
    for load in &values.system.loads {
        let q = values.generalized_forces(alg, k, std::slice::from_ref(load));
        let mut q = q.unwrap_or_default().into_iter();
        let depends = q.any(|e| alg.depends(&e, &|v| symbols.contains(&v)));
        if depends && !spans.contains(&load.span) {
            spans.push(load.span);
        }
    }
    spans
}

/// Remarks on outputs by reactions that are not unique.
pub fn not_unique(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    constraints: &Constraints,
) -> Vec<Diagnostic> {
    if values.vars.reactions.iter().all(Vec::is_empty) {
        return Vec::new();
    }
    let mut notes = Vec::new();
    for o in &values.system.outputs {
        let parts: Vec<Expr> = match &o.value {
            Quantity::Scalar(s) => values.scalar(alg, k, s).into_iter().collect(),
            Quantity::Vector(v) => match values.vector(alg, k, v) {
                Ok(m) => m.parts.into_values().flatten().collect(),
                Err(_) => Vec::new(),
            },
        };
        for (i, row) in constraints.rows.iter().enumerate() {
            let Some(v) = symbol(values.vars, row) else {
                continue;
            };
            let mentioned = parts.iter().any(|e| alg.depends(e, &|x| x == v));
            if !mentioned || is_unique(alg, constraints, i) {
                continue;
            }
            let d = Diagnostic::remark(
                "N0466",
                format!(
                    "the reaction of `{}` in the output `{}` is not unique",
                    row.name, o.meta.name
                ),
                o.meta.span,
                "the value of least norm is given",
            );
            notes.push(redundant(d, alg, constraints, i));
        }
    }
    notes
}

/// The message with labels on a row whose multiplier is not unique, and on those that share its force.
fn redundant(d: Diagnostic, alg: &Algebra, constraints: &Constraints, row: usize) -> Diagnostic {
    let rows = &constraints.rows;
    let d = d.label(rows[row].span, "redundant with other constraints");
    let sharers = constraints.sharers(alg, row).into_iter();
    sharers.fold(d, |d, j| d.label(rows[j].span, "with this one"))
}

/// Takes the part linear in the reactions out of generalized forces: one row per force, one
/// column per constraint row.
pub fn split(
    alg: &mut Algebra,
    vars: &Vars,
    constraints: &Constraints,
    forces: &mut [Expr],
) -> Matrix {
    let zero: BTreeMap<Var, Expr> = vars
        .reactions
        .iter()
        .flatten()
        .map(|v| (*v, Expr::zero()))
        .collect();
    let mut memo = rustc_hash::FxHashMap::default();
    let mut coupling = Matrix::new();
    for force in forces {
        let mut row = Vec::with_capacity(constraints.rows.len());
        for r in &constraints.rows {
            row.push(match symbol(vars, r) {
                Some(v) => {
                    let e = alg.partial(force, v);
                    alg.define(&format!("by_{}", r.name.replace('.', "_")), e)
                }
                None => Expr::zero(),
            });
        }
        *force = alg.restrict(force, &zero, &mut memo);
        coupling.push(row);
    }
    coupling
}

impl Evaluator<'_, '_> {
    /// The force that a constraint applies at a point, or the torque on a frame: its multipliers times what the variations of its rows are
    /// made of. Rows that are stated in coordinates act on the bodies as their partial velocities say, where these are a square invertible
    /// matrix (O'Reilly et al., section 7).
    pub(super) fn reaction_on(
        &mut self,
        constraint: usize,
        axis: Option<Axis>,
        site: Site,
    ) -> Result<Mixed, Fault> {
        let values = self.values;
        let mut sum = Mixed::default();
        let mut acts_on: Vec<Site> = Vec::new();
        for (row, mut wrench) in values.row_wrenches(self.alg, self.k, constraint)? {
            if axis.is_some_and(|a| a as usize != row) {
                continue;
            }
            self.distribute(constraint, &mut wrench)?;
            acts_on.extend(wrench.acting().map(|(site, _)| site));
            let symbols = values.vars.reactions.get(constraint);
            let symbol = symbols
                .and_then(|list| list.get(row))
                .ok_or_else(|| Fault::internal("a reaction has no symbol"))?;
            if let Some(v) = wrench.on(site) {
                sum.add(&v.scaled(&self.alg.var(*symbol)));
            }
        }
        if acts_on.contains(&site) {
            Ok(sum)
        } else {
            Err(acts_elsewhere(&values, constraint, site, acts_on))
        }
    }

    /// Turns generalized forces on named coordinates into forces at the particles and torques on the bodies, which is possible in one way
    /// only where the bodies move in as many directions as there are coordinates.
    fn distribute(&mut self, constraint: usize, wrench: &mut Wrench) -> Result<(), Fault> {
        if wrench.generalized.is_empty() {
            return Ok(());
        }
        let name = &self.values.system.constraints[constraint].meta.name;
        let open = |what: &str| {
            Fault::new(
                "E0542",
                &format!(
                    "the forces of the constraint `{name}` on points and frames are not determined by the constraint"
                ),
                what,
                "state the constraint by points and frames, such as `norm(Q - P) = l` or `dot(P - O, N.z) = 0`, or ask for `reaction(c)`, the generalized force",
            )
        };
        let Self { alg, k, values, .. } = self;
        let masses = values.bodies(alg, k);
        let masses = masses.map_err(|_| Fault::internal("a body has no mass"))?;
        let n = k.motion.speeds.len();
        let directions = Directions::derive(alg, k, &masses);
        // Along a direction in which a body never moves a force that moves it has no component.
        let moves = |d: &&Direction| d.partial.iter().any(|e| !alg.is_zero(e));
        let moving = directions.list.iter().filter(moves).count();
        if moving != n || directions.independent.len() != n {
            return Err(open(&format!(
                "it is stated in {n} coordinates, and the bodies move in {moving} directions, {} of them independent",
                directions.independent.len()
            )));
        }
        let mut g = vec![Expr::zero(); n];
        for (c, value) in &wrench.generalized {
            k.motion.rates[*c].project(value, &mut g);
        }
        let Some(solved) = directions.as_forces(alg, &[g]) else {
            return Err(open("the forces are too long to be written out"));
        };
        for (row, x) in directions.independent.iter().zip(&solved.x) {
            let d = &directions.list[*row];
            let v = Mixed::single(d.frame, vec3::along(d.axis, x[0].clone()));
            if d.rotational {
                wrench.push_torque(d.frame, &v)
            } else {
                wrench.push_force(masses[d.body].center, &v)
            }
        }
        wrench.generalized.clear();
        wrench.prune(alg);
        Ok(())
    }
}

/// The centre of a body may be a point that stands where another one stands.
fn acts_elsewhere(
    values: &Values<'_>,
    constraint: usize,
    site: Site,
    mut acts_on: Vec<Site>,
) -> Fault {
    acts_on.sort_unstable();
    acts_on.dedup();
    let system = values.system;
    let name = |site: &Site| match site {
        Site::Point(p) => &system.points[p.index()].meta.name,
        Site::Frame(f) => &system.frames[f.index()].meta.name,
    };
    let applied = acts_on.iter().map(|s| match s {
        Site::Point(_) => format!("a force at `{}`", name(s)),
        Site::Frame(_) => format!("a torque on `{}`", name(s)),
    });
    let applied: Vec<String> = applied.collect();
    let preposition = match site {
        Site::Point(_) => "at",
        Site::Frame(_) => "on",
    };
    let constraint = &system.constraints[constraint].meta.name;
    Fault::new(
        "E0543",
        &format!(
            "the constraint `{constraint}` does not act {preposition} `{}`",
            name(&site)
        ),
        "it exerts no force here",
        &if applied.is_empty() {
            "it acts on nothing that moves".to_string()
        } else {
            format!("it applies {}", applied.join(", "))
        },
    )
}
