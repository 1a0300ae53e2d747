//! The generalized speeds u (declared and completed), which of them are independent under linear
//! constraints, and the inverse kinematics `q' = H s + h0`.
//!
//! The rule: declared speeds come first; if they are fewer than the coordinates they are completed
//! with rates q', in coordinate order, that keep the set invertible. Under constraints that are
//! linear in the velocities the independent speeds are the privileged ones if given; those declared if
//! they are as many as the degrees of freedom and determine the motion; otherwise each row eliminates
//! the first speed (chosen dependents, then completed rates, then declared speeds) whose coefficient is certainly nonzero, else the first that is not identically zero. If the
//! resulting chart is certainly good everywhere, or was asked for, the state is (q, w) with w the
//! independent speeds; otherwise, and under constraints nonlinear in the velocities, all n speeds
//! are kept and the constraints are imposed on the accelerations.

use super::choice::pick;
use super::constraints::{Constraints, Rank};
use super::declared::{Declared, declared, unit};
use super::inverse;
use super::kinematics::Kinematics;
use super::motion::Motion;
use super::value::Values;
use super::vars::Vars;
use super::vec3::Linear;
use crate::diag::Diagnostic;
use crate::elim::{self, Matrix};
use crate::model::System;
use crate::span::Span;
use crate::sym::{Algebra, Derivation, Expr, Var};
use std::collections::BTreeMap;

/// One generalized speed.
#[derive(Clone, Debug)]
pub struct Speed {
    /// `u1`, or `x'` for a rate.
    pub name: String,
    /// Its symbol.
    pub var: Var,
    /// The symbol of its rate.
    pub dot: Var,
    /// Its definition in terms of q, q', t.
    pub definition: Expr,
    /// Index into `System::speeds`; `None` for a completed rate.
    pub declared: Option<usize>,
    /// The coordinate of which it is the rate.
    pub coordinate: Option<usize>,
}

/// The speeds of a model.
#[derive(Clone, Debug)]
pub struct SpeedSet {
    /// n speeds: declared, then completed.
    pub speeds: Vec<Speed>,
    /// Indices of the independent ones (all of them unless `reduced`).
    pub independent: Vec<usize>,
    /// Indices of the eliminated ones.
    pub dependent: Vec<usize>,
    /// Whether linear constraints have been solved for the dependent speeds.
    pub reduced: bool,
    /// Expressions that must not vanish for the inverse kinematics to hold, each with the coordinates whose rates are
    /// divided by it; none if that is not known.
    pub conditions: Vec<(Expr, Vec<usize>)>,
    /// The parametrisation by the independent speeds.
    pub motion: Motion,
}

/// Choices of the user.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Names of speeds or rates to eliminate.
    pub dependent: Vec<String>,
    /// Whether they are a chart of the accelerations: those that are no speeds, or that the constraints do not let be eliminated from
    /// the state, concern the accelerations alone.
    pub chart: bool,
}

impl Choice {
    /// What of the choice concerns these speeds: a chart may name rates that are none of them.
    fn for_speeds(&self, speeds: &[Speed]) -> Self {
        let mut own = self.clone();
        if own.chart {
            own.dependent
                .retain(|d| speeds.iter().any(|s| s.name == *d));
        }
        own
    }
}

impl SpeedSet {
    /// Chooses and inverts.
    pub fn derive(
        alg: &mut Algebra,
        values: &Values<'_>,
        k: &Kinematics,
        constraints: &Constraints,
        choice: &Choice,
    ) -> Result<Self, Vec<Diagnostic>> {
        let Declared {
            speeds,
            jacobian,
            drift,
        } = declared(alg, values, k)?;
        let n = speeds.len();
        let identity =
            (0..n).all(|i| speeds[i].coordinate == Some(i) && speeds[i].declared.is_none());
        let mut set = Self {
            speeds,
            independent: (0..n).collect(),
            dependent: Vec::new(),
            reduced: false,
            conditions: Vec::new(),
            motion: k.motion.clone(),
        };
        let choice = &choice.for_speeds(&set.speeds);
        let varies = constraints.rank_where_they_hold == Rank::Varies;
        let of_accelerations =
            choice.chart && !varies && !constraints.rows.is_empty() && !constraints.is_linear();
        let forced = !values.system.privileged.is_empty()
            || (!choice.dependent.is_empty() && !of_accelerations);
        let wants_chart = constraints.is_linear() && !constraints.rows.is_empty() && !varies;
        if forced && !wants_chart {
            let span = values
                .system
                .privileged
                .first()
                .map_or_else(|| first_span(values), |p| p.1);
            let why = if constraints.rows.is_empty() {
                "the model has no constraints"
            } else if constraints.has_accelerations() {
                "a constraint is stated for the accelerations"
            } else if varies {
                "the rank of the constraints varies over the states that satisfy them"
            } else {
                "a constraint is nonlinear in the velocities"
            };
            return Err(vec![
                Diagnostic::error(
                    "E0309",
                    if choice.dependent.is_empty() {
                        format!("`privileged` cannot be used here: {why}")
                    } else {
                        format!("dependent speeds cannot be chosen: {why}")
                    },
                    span,
                    "chosen here",
                )
                .help("omit the choice; all speeds belong to the state"),
            ]);
        }
        let declared = set.speeds.iter().filter(|s| s.declared.is_some()).count();
        if wants_chart && !forced && declared > 0 && declared + constraints.independent.len() == n {
            // As many speeds as degrees of freedom: whoever declares them chooses them.
            let independent: Vec<usize> = (0..declared).collect();
            let (matrix, rhs) = chart(&independent, &jacobian, &drift, constraints);
            if let Some((x, conditions)) = inverse::solve(alg, &matrix, &rhs) {
                set.dependent = (declared..n).collect();
                set.reduce(alg, values, independent, conditions, &x);
                return Ok(set);
            }
        }
        if wants_chart {
            let inverse = if identity {
                None
            } else {
                elim::solve(alg, &jacobian, &identity_matrix(n))
            };
            let (picked, notes) = pick(
                &set.speeds,
                alg,
                values,
                constraints,
                inverse.as_ref().map(|s| &s.x),
                choice,
            )?;
            let independent: Vec<usize> = (0..n).filter(|i| !picked.contains(i)).collect();
            let (matrix, rhs) = chart(&independent, &jacobian, &drift, constraints);
            match inverse::solve(alg, &matrix, &rhs) {
                Some((x, conditions)) if conditions.is_empty() || forced => {
                    set.dependent = picked;
                    set.dependent.sort_unstable();
                    set.reduce(alg, values, independent, conditions, &x);
                    return Ok(set);
                }
                Some(_) => {}
                None if forced => return Err(notes),
                None => {}
            }
        }
        if identity {
            return Ok(set);
        }
        let mut rhs = identity_matrix(n);
        for (row, d) in rhs.iter_mut().zip(&drift) {
            row.push(-d);
        }
        match inverse::solve(alg, &jacobian, &rhs) {
            Some((x, conditions)) => {
                set.conditions = conditions;
                set.motion = set.invert(alg, values, &x);
                Ok(set)
            }
            None => Err(vec![Diagnostic::error(
                "E0308",
                "the speeds do not determine the rates",
                first_span(values),
                "these speeds are linearly dependent",
            )]),
        }
    }

    /// Takes the solution of a chart.
    fn reduce(
        &mut self,
        alg: &mut Algebra,
        values: &Values<'_>,
        independent: Vec<usize>,
        conditions: Vec<(Expr, Vec<usize>)>,
        x: &Matrix,
    ) {
        self.independent = independent;
        self.reduced = true;
        self.conditions = conditions;
        self.motion = self.invert(alg, values, x);
    }

    /// The motion with `q'_i = sum_c x[i][c] w_c + x[i][l]`.
    fn invert(&self, alg: &mut Algebra, values: &Values<'_>, x: &Matrix) -> Motion {
        let speeds: Vec<Var> = self
            .independent
            .iter()
            .map(|i| self.speeds[*i].var)
            .collect();
        let speed_dots: Vec<Var> = self
            .independent
            .iter()
            .map(|i| self.speeds[*i].dot)
            .collect();
        let l = speeds.len();
        let mut rates = Vec::new();
        let mut rate_values = Vec::new();
        for (row, coord) in x.iter().zip(&values.system.coords) {
            let coef: BTreeMap<usize, Expr> = (0..l)
                .filter(|c| !row[*c].is_literal_zero())
                .map(|c| (c, row[c].clone()))
                .collect();
            let bias = row[l].clone();
            let value: Expr = coef
                .iter()
                .map(|(c, e)| e * alg.var(speeds[*c]))
                .sum::<Expr>()
                + &bias;
            rate_values.push(alg.define(&format!("{}_dot", coord.meta.name), value));
            rates.push(Linear { coef, bias });
        }
        let mut motion = Motion {
            speeds,
            speed_dots,
            rates,
            rate_values,
            declared: BTreeMap::new(),
        };
        for s in &self.speeds {
            if let Some(d) = s.declared {
                let value = if motion.speeds.contains(&s.var) {
                    alg.var(s.var)
                } else {
                    in_motion(alg, values, &motion, &s.definition, &s.name)
                };
                motion.declared.insert(d, value);
            }
        }
        motion
    }

    /// What the vanishing of this divisor means for the speeds, if anything: "the speeds `u1`, `u2` do not give `x'` there".
    pub fn blindness(&self, alg: &Algebra, system: &System, divisor: &Expr) -> Option<String> {
        let (_, rates) = self
            .conditions
            .iter()
            .find(|(d, _)| alg.equal(d, divisor) || alg.equal(d, &-divisor))?;
        let speeds: Vec<&str> = self
            .independent
            .iter()
            .map(|i| self.speeds[*i].name.as_str())
            .collect();
        let rates: Vec<String> = rates
            .iter()
            .map(|i| format!("{}'", system.coords[*i].meta.name))
            .collect();
        let rates = if rates.is_empty() {
            "the rates".to_string()
        } else {
            rates.join(", ")
        };
        Some(format!(
            "the speeds {} do not give {rates} there",
            speeds.join(", ")
        ))
    }

    /// The dependent speeds in terms of the state, with their index.
    pub fn dependent_values(&self, alg: &mut Algebra, values: &Values<'_>) -> Vec<(usize, Expr)> {
        self.dependent
            .iter()
            .map(|i| {
                (
                    *i,
                    in_motion(
                        alg,
                        values,
                        &self.motion,
                        &self.speeds[*i].definition,
                        &self.speeds[*i].name,
                    ),
                )
            })
            .collect()
    }

    /// u' of every speed in terms of q, q', q'', t.
    pub fn dots(&self, alg: &mut Algebra, values: &Values<'_>, k: &Kinematics) -> Vec<Expr> {
        let mut flow: Derivation = k.motion.flow(alg, values.vars, true);
        self.speeds
            .iter()
            .map(|s| alg.derivative(&s.definition, &mut flow))
            .collect()
    }
}

/// The equations for q' of independent speeds and constraint rows: the matrix, and the right-hand sides of each speed and
/// of what is free of speeds.
fn chart(
    independent: &[usize],
    jacobian: &Matrix,
    drift: &[Expr],
    constraints: &Constraints,
) -> (Matrix, Matrix) {
    let mut matrix: Matrix = independent.iter().map(|i| jacobian[*i].clone()).collect();
    matrix.extend(constraints.independent_matrix());
    let l = independent.len();
    let mut rhs: Matrix = Vec::with_capacity(matrix.len());
    for (c, i) in independent.iter().enumerate() {
        let mut row = vec![Expr::zero(); l + 1];
        row[c] = Expr::one();
        row[l] = -&drift[*i];
        rhs.push(row);
    }
    for r in &constraints.independent {
        let mut row = vec![Expr::zero(); l + 1];
        row[l] = -&constraints.rows[*r].velocity_bias;
        rhs.push(row);
    }
    (matrix, rhs)
}

/// A function of q, q', t in terms of the motion's speeds.
pub fn in_motion(
    alg: &mut Algebra,
    values: &Values<'_>,
    motion: &Motion,
    e: &Expr,
    name: &str,
) -> Expr {
    let map: BTreeMap<Var, Expr> = values
        .vars
        .rates
        .iter()
        .copied()
        .zip(motion.rate_values.iter().cloned())
        .collect();
    let mut memo = rustc_hash::FxHashMap::default();
    let replaced = alg.restrict(e, &map, &mut memo);
    alg.define(name, replaced)
}

/// A function of q, q', t at q' = 0. Subtracting the terms with q' instead would leave the rates in
/// the expression wherever nothing is multiplied out.
pub fn at_rest(alg: &mut Algebra, vars: &Vars, e: &Expr, name: &str) -> Expr {
    let zero: BTreeMap<Var, Expr> = vars.rates.iter().map(|r| (*r, Expr::zero())).collect();
    let still = alg.restrict(e, &zero, &mut rustc_hash::FxHashMap::default());
    alg.define(name, still)
}

fn identity_matrix(n: usize) -> Matrix {
    (0..n).map(|i| unit(n, i)).collect()
}

/// A place for what is wrong with the whole.
pub fn first_span(values: &Values<'_>) -> Span {
    values
        .system
        .coords
        .first()
        .map_or_else(Span::default, |c| c.meta.span)
}
