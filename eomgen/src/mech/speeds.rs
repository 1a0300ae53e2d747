//! The generalized speeds u (declared and default ones), which of them are independent under linear
//! constraints, and the inverse kinematics `q' = H s + h0`.
//!
//! The rule: declared speeds come first; if they are fewer than the coordinates the others are, by default,
//! rates q', in coordinate order, that keep the set invertible. Under constraints that are
//! linear in the velocities the independent speeds are the privileged ones if given; those declared if
//! they are as many as the degrees of freedom and determine the motion; otherwise each row eliminates
//! the first speed (chosen dependents, then default speeds, then declared ones) whose coefficient is certainly nonzero, else the first
//! that is not identically zero. If the resulting choice is certainly good everywhere, or was requested, the state is (q, w) with w the
//! independent speeds; otherwise, and under constraints nonlinear in the velocities, all n speeds
//! are kept and the constraints are imposed on the accelerations; rates of constrained expressions then [complete](super::completion) the
//! declared ones where rates of coordinates fail at some states.

use super::choice::{self, Choice};
use super::completion;
use super::constraints::{Constraints, Rank};
use super::declared::{Declared, declared};
use super::inverse::{self, Inverse};
use super::kinematics::{Components, Kinematics};
use super::motion::{Directions, Motion};
use super::speed::Speed;
use super::turned::{SolvedRows, solved_rows};
use super::value::Values;
use super::vec3::Linear;
use crate::diag::{self, Diagnostic};
use crate::elim::{self, Matrix};
use crate::model::System;
use crate::sym::{Algebra, Derivation, Expr, Var};
use std::collections::BTreeMap;

/// The speeds of a model.
#[derive(Clone, Debug)]
pub struct SpeedSet {
    /// n speeds: declared, then default ones.
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
    /// The coefficients of the rates in the independent speeds and in the independent rows, if these have been solved for the rates.
    chart: Matrix,
    /// What [`of_rows`](Self::of_rows) is where the rows have been solved for speeds.
    of_rows: Option<Matrix>,
}

/// A model in all of its speeds, the eliminated ones included.
pub struct Whole {
    /// The kinematics.
    pub kinematics: Kinematics,
    /// The constraints.
    pub rows: SolvedRows,
    /// The coordinates whose rates are the last speeds, which are the eliminated ones.
    pub dependent: Vec<usize>,
    /// Coefficients of the independent speeds in these.
    pub x: Matrix,
    /// Their rates where those of the independent speeds are 0, if these have a value wherever the rates q' have one.
    pub bias: Option<Vec<Expr>>,
}

impl SpeedSet {
    /// Chooses and inverts.
    pub fn derive(
        alg: &mut Algebra,
        values: &Values<'_>,
        (k, components): (&Kinematics, Components),
        constraints: &Constraints,
        choice: &Choice,
    ) -> diag::Result<(Self, Option<Whole>)> {
        let declared = declared(alg, values, k)?;
        let n = declared.speeds.len();
        let mut set = Self {
            speeds: declared.speeds.clone(),
            independent: (0..n).collect(),
            dependent: Vec::new(),
            reduced: false,
            conditions: Vec::new(),
            motion: k.motion.clone(),
            chart: Matrix::new(),
            of_rows: None,
        };
        let choice = &choice.for_speeds(&set.speeds);
        let varies = constraints.rank_where_they_hold == Rank::Varies;
        let of_accelerations =
            choice.chart && !varies && !constraints.rows.is_empty() && !constraints.is_linear();
        let forced = !values.system.privileged.is_empty()
            || (!choice.dependent.is_empty() && !of_accelerations);
        let eliminates = constraints.is_linear() && !constraints.rows.is_empty() && !varies;
        if forced && !eliminates {
            return Err(vec![no_choice(values, constraints, choice)]);
        }
        let declares = declared.speeds.iter().any(|s| s.declared.is_some());
        if eliminates && !forced && declares {
            let whole = set.eliminate_all(alg, values, components, constraints, &declared)?;
            if whole.is_some() {
                return Ok((set, whole));
            }
        }
        if eliminates && set.eliminate(alg, values, constraints, &declared, choice, forced)? {
            return Ok((set, None));
        }
        if declared.is_identity() {
            return Ok((set, None));
        }
        let Some(inverse) = completion::invert(alg, &declared) else {
            return Err(vec![Diagnostic::error(
                "E0308",
                "the speeds do not determine the rates",
                values.system.whole(),
                "these speeds are linearly dependent",
            )]);
        };
        let (completed, inverse) = completion::by_rows(alg, constraints, declared, inverse);
        set.speeds = completed.speeds;
        set.conditions = inverse.conditions;
        set.motion = set.invert(alg, values, &inverse.x);
        Ok((set, None))
    }

    /// Takes the declared speeds as the independent ones, if they are as many as the degrees of freedom and the rows, in other axes than those in which
    /// they are stated, give the other speeds.
    fn eliminate_all(
        &mut self,
        alg: &mut Algebra,
        values: &Values<'_>,
        components: Components,
        constraints: &Constraints,
        all: &Declared,
    ) -> diag::Result<Option<Whole>> {
        let n = self.speeds.len();
        let declared = self.speeds.iter().filter(|s| s.declared.is_some()).count();
        if declared + constraints.independent.len() != n {
            return Ok(None);
        }
        let Some(inverse) = completion::invert(alg, all) else {
            return Ok(None);
        };
        let (completed, inverse) = completion::by_rows(alg, constraints, all.clone(), inverse);
        if !inverse.exact {
            return Ok(None);
        }
        // The rate of a row's residual is zero on every motion, and the row holds by itself then.
        let (kept, held): (Vec<usize>, Vec<usize>) =
            (0..n).partition(|i| completed.speeds[*i].row.is_none());
        let rows_held: Vec<usize> = held
            .iter()
            .filter_map(|i| completed.speeds[*i].row)
            .collect();
        let columns: Vec<usize> = kept.iter().copied().chain([n]).collect();
        let h = elim::columns(&inverse.x, &columns);
        let speeds: Vec<Speed> = kept.iter().map(|i| completed.speeds[*i].clone()).collect();
        let n = speeds.len();
        let all_speeds = Self {
            independent: (0..n).collect(),
            speeds,
            ..self.clone()
        };
        let motion = all_speeds.invert(alg, values, &h);
        let kinematics = Kinematics::derive(alg, values.system, values.vars, motion, components)?;
        let rates = all_speeds.speeds.iter().enumerate().skip(declared);
        let rates = rates.filter_map(|(i, s)| Some((s.coordinate?, i)));
        let rates: BTreeMap<usize, usize> = rates.collect();
        let last = all_speeds.speeds[declared..].iter();
        let Some(coordinates) = last.map(|s| s.coordinate).collect::<Option<Vec<usize>>>() else {
            return Ok(None);
        };
        // Other speeds may determine the rates where these do not: the rows are not asked to, unless they are the shorter for it.
        let certain = inverse.conditions.is_empty();
        let speeds = (&rates, &rows_held[..], certain);
        let rows = solved_rows(alg, values, &kinematics, constraints, speeds);
        let Some(rows) = rows else {
            return Ok(None);
        };
        let all_columns: Vec<usize> = (declared..n).collect();
        let matrix = elim::columns(&rows.a, &all_columns);
        let rhs: Matrix = (rows.a.iter().zip(&rows.drift))
            .map(|(row, drift)| {
                let known = row[..declared].iter().chain([drift]);
                known.map(|e| -e).collect()
            })
            .collect();
        let Some(dependent) = inverse::solve(alg, &matrix, &rhs).filter(|i| i.exact) else {
            return Ok(None);
        };
        let x = composed(&h, &dependent.x, declared);
        self.conditions = inverse.conditions;
        for (e, unknowns) in &dependent.conditions {
            let speeds = unknowns.iter().map(|i| &all_speeds.speeds[declared + *i]);
            let of = speeds.filter_map(|s| s.coordinate).collect();
            self.conditions.push((e.clone(), of));
        }
        self.independent = (0..declared).collect();
        self.dependent = (declared..self.speeds.len()).collect();
        self.reduced = true;
        self.motion = self.invert(alg, values, &x);
        let b = rows.b.iter().map(|b| vec![b.clone()]).collect();
        let bias = inverse::solve(alg, &matrix, &b).filter(|found| self.is_known(alg, found));
        // As regular as the rates are, or the multipliers are found otherwise.
        let solved = inverse::solve(alg, &matrix, &elim::identity(n - declared));
        if let Some(solved) = solved.filter(|_| rows_held.is_empty())
            && self.is_known(alg, &solved)
        {
            self.of_rows = Some(multipliers(alg, &rows, &solved.x, &h, declared));
        }
        self.chart = chart(&self.independent, all, constraints).0;
        Ok(Some(Whole {
            kinematics,
            rows,
            dependent: coordinates,
            x: dependent.x,
            bias: bias.map(|found| found.x.into_iter().flatten().collect()),
        }))
    }

    /// Solves linear constraints for dependent speeds; false where no choice of them is good at every state, unless it is `forced`.
    fn eliminate(
        &mut self,
        alg: &mut Algebra,
        values: &Values<'_>,
        constraints: &Constraints,
        all: &Declared,
        choice: &Choice,
        forced: bool,
    ) -> diag::Result<bool> {
        let n = self.speeds.len();
        let declared = self.speeds.iter().filter(|s| s.declared.is_some()).count();
        if !forced && declared > 0 && declared + constraints.independent.len() == n {
            // As many speeds as degrees of freedom: whoever declares them chooses them.
            let independent: Vec<usize> = (0..declared).collect();
            let (matrix, rhs) = chart(&independent, all, constraints);
            // Without exact conditions all speeds are kept, and the pivots are chosen at run time.
            if let Some(inverse) = inverse::solve(alg, &matrix, &rhs).filter(|i| i.exact) {
                self.dependent = (declared..n).collect();
                self.reduce(alg, values, independent, inverse);
                self.chart = matrix;
                return Ok(true);
            }
        }
        let inverse = if all.is_identity() {
            None
        } else {
            elim::solve(alg, &all.jacobian(), &elim::identity(n)).map(|s| s.x)
        };
        let inverse = inverse.as_ref();
        let picked = choice::pick(&self.speeds, alg, values, constraints, inverse, choice)?;
        let independent: Vec<usize> = (0..n).filter(|i| !picked.contains(i)).collect();
        let (matrix, rhs) = chart(&independent, all, constraints);
        match inverse::solve(alg, &matrix, &rhs) {
            Some(inverse) if inverse.conditions.is_empty() || forced => {
                self.dependent = picked;
                self.dependent.sort_unstable();
                self.reduce(alg, values, independent, inverse);
                self.chart = matrix;
                Ok(true)
            }
            None if forced => Err(vec![choice::singular(values)]),
            _ => Ok(false),
        }
    }

    /// Takes the solution of a chart.
    fn reduce(
        &mut self,
        alg: &mut Algebra,
        values: &Values<'_>,
        independent: Vec<usize>,
        inverse: Inverse,
    ) {
        self.independent = independent;
        self.reduced = true;
        self.conditions = inverse.conditions;
        self.motion = self.invert(alg, values, &inverse.x);
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
            directions: Directions::default(),
        };
        for s in &self.speeds {
            if let Some(d) = s.declared {
                let value = if motion.speeds.contains(&s.var) {
                    alg.var(s.var)
                } else {
                    motion.express(alg, values.vars, &s.definition, &s.name)
                };
                motion.declared.insert(d, value);
            }
        }
        motion
    }

    /// X with `lambda = X (M q'' - F)` for the multipliers of the independent rows, if these eliminate speeds: with C the coefficients of
    /// the rates in speeds and rows, `C^T (0, lambda) = M q'' - F`. `None` where that fails at a state where the rates do not.
    pub fn of_rows(&self, alg: &mut Algebra) -> Option<Matrix> {
        if self.of_rows.is_some() {
            return self.of_rows.clone();
        }
        let n = self.chart.len();
        let rows = self.independent.len()..n;
        if rows.is_empty() {
            return None;
        }
        let units = elim::identity(n);
        let units = elim::columns(&units, &rows.collect::<Vec<_>>());
        let inverse = inverse::solve(alg, &self.chart, &units)?;
        self.is_known(alg, &inverse)
            .then(|| elim::transposed(&inverse.x))
    }

    /// Whether a solution fails only where the rates do.
    fn is_known(&self, alg: &Algebra, inverse: &Inverse) -> bool {
        inverse.conditions.iter().all(|(found, _)| {
            let mut known = self.conditions.iter();
            known.any(|(known, _)| alg.equal(known, found) || alg.is_zero(&(known + found)))
        })
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
        let value = |i: &usize| {
            let s = &self.speeds[*i];
            let e = self
                .motion
                .express(alg, values.vars, &s.definition, &s.name);
            (*i, e)
        };
        self.dependent.iter().map(value).collect()
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

/// Rates of coordinates in the first `l` of all speeds, where they are known in all speeds and the others in the first: with `q' = H u + h` and
/// `u_d = X w + x`, the coefficients of w and what is free of speeds.
fn composed(h: &Matrix, x: &Matrix, l: usize) -> Matrix {
    let n = l + x.len();
    let row = |h: &Vec<Expr>| {
        let mut sum: Vec<Expr> = h[..l].to_vec();
        sum.push(h[n].clone());
        for (e, x) in h[l..n].iter().zip(x) {
            if !e.is_literal_zero() {
                for (sum, x) in sum.iter_mut().zip(x) {
                    *sum = &*sum + e * x;
                }
            }
        }
        sum
    };
    h.iter().map(row).collect()
}

/// X with `lambda = X (M q'' - F)`: with D the coefficients of the dependent speeds in the rows as they are solved and H those of all speeds in the rates,
/// `D^T lambda = H_d^T (M q'' - F)`.
fn multipliers(
    alg: &mut Algebra,
    rows: &SolvedRows,
    inverse: &Matrix,
    h: &Matrix,
    l: usize,
) -> Matrix {
    let n = l + inverse.len();
    // D^-1 by columns is D^-T by rows.
    let solved: Matrix = (0..inverse.len())
        .map(|k| {
            let entry = |h: &Vec<Expr>| {
                let terms = inverse.iter().zip(&h[l..n]);
                let terms = terms.filter(|(d, h)| !d[k].is_literal_zero() && !h.is_literal_zero());
                terms.map(|(d, h)| &d[k] * h).sum()
            };
            h.iter().map(entry).collect()
        })
        .collect();
    rows.stated(alg, solved)
}

/// Dependent speeds were chosen where none can be eliminated.
fn no_choice(values: &Values<'_>, constraints: &Constraints, choice: &Choice) -> Diagnostic {
    let why = if constraints.rows.is_empty() {
        "the model has no constraints"
    } else if constraints.has_accelerations() {
        "a constraint is stated for the accelerations"
    } else if constraints.rank_where_they_hold == Rank::Varies {
        "the rank of the constraints varies over the states that satisfy them"
    } else {
        "a constraint is nonlinear in the velocities"
    };
    let title = if choice.dependent.is_empty() {
        format!("`privileged` cannot be used here: {why}")
    } else {
        format!("dependent speeds cannot be chosen: {why}")
    };
    let privileged = values.system.privileged.first();
    let span = privileged.map_or_else(|| values.system.whole(), |p| p.1);
    Diagnostic::error("E0309", title, span, "chosen here")
        .help("omit the choice; all speeds belong to the state")
}

/// The equations for q' of independent speeds and constraint rows: the matrix, and the right-hand sides of each speed and
/// of what is free of speeds.
fn chart(independent: &[usize], all: &Declared, constraints: &Constraints) -> (Matrix, Matrix) {
    let rows = independent.iter().map(|i| all.row(*i));
    let mut matrix: Matrix = rows.collect();
    matrix.extend(constraints.independent_matrix());
    let l = independent.len();
    let mut rhs: Matrix = Vec::with_capacity(matrix.len());
    for (c, i) in independent.iter().enumerate() {
        let mut row = elim::unit(l + 1, c);
        row[l] = -&all.drift[*i];
        rhs.push(row);
    }
    for r in &constraints.independent {
        let mut row = vec![Expr::zero(); l + 1];
        row[l] = -&constraints.rows[*r].velocity_bias;
        rhs.push(row);
    }
    (matrix, rhs)
}
