//! Constraint rows in all the speeds of a model, those of vector constraints in the axes in which they are solved most easily. Where a leg meets a
//! platform, the three rows in the axes of the ground contain each of the leg's rates; in the leg's own axes each row contains one. Turned rows say the
//! same as the stated ones, of which they are combinations with the coefficients of a rotation; what a user sees are the stated ones.

use super::constraints::{Constraints, Level, Rank};
use super::kinematics::Kinematics;
use super::mixed::Mixed;
use super::value::Values;
use super::vec3::{self, Linear, Mat3, Vec3};
use crate::elim::Matrix;
use crate::model::system::{ConstraintRelation, FrameId};
use crate::sym::{Algebra, Derivation, Expr};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The independent rows in the speeds of a kinematics.
pub struct SolvedRows {
    /// Which of the model's rows they are.
    pub numbers: Vec<usize>,
    /// Coefficients of the speeds.
    pub a: Matrix,
    /// What the coefficients of the speeds' rates amount to.
    pub b: Vec<Expr>,
    /// The parts of the rows' rates that are free of speeds.
    pub drift: Vec<Expr>,
    /// The rows in other axes.
    pub turned: Vec<Turned>,
}

impl SolvedRows {
    /// What is given for each of the rows as they are solved, turned back to the axes in which they are stated.
    pub fn stated(&self, alg: &mut Algebra, mut list: Matrix) -> Matrix {
        for turned in &self.turned {
            let first = turned.first;
            let own: Vec<Vec<Expr>> = list[first..first + 3].to_vec();
            for (i, row) in turned.turn.iter().enumerate() {
                for (k, place) in list[first + i].iter_mut().enumerate() {
                    let sum = row.iter().zip(&own).map(|(e, given)| e * &given[k]).sum();
                    *place = alg.define("turned_back", sum);
                }
            }
        }
        list
    }
}

/// Three rows in other axes than those in which they are stated.
pub struct Turned {
    /// The first of them.
    pub first: usize,
    /// `turn[i][j]` is the j-th axis along the i-th axis of the statement.
    pub turn: Mat3,
}

/// The rows of a model of which all rows are independent and linear in the rates. `rates` are the coordinates whose rates are speeds, with the numbers
/// of these; `held` the rows that hold by themselves in these speeds. `None` where no other axes are better.
pub fn solved_rows(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    constraints: &Constraints,
    (rates, held): (&BTreeMap<usize, usize>, &[usize]),
) -> Option<SolvedRows> {
    let mut better: BTreeMap<usize, (Axes<'_>, Mixed, FrameId)> = BTreeMap::new();
    for (number, rows, stated) in candidates(values, k, constraints) {
        let axes = Axes {
            values,
            k,
            constraints,
            rows,
            stated,
            rates,
        };
        if let Some((gap, to)) = axes.best(alg, number) {
            better.insert(rows[0], (axes, gap, to));
        }
    }
    if better.is_empty() {
        return None;
    }
    let mut found = SolvedRows {
        numbers: Vec::new(),
        a: Matrix::new(),
        b: Vec::new(),
        drift: Vec::new(),
        turned: Vec::new(),
    };
    let mut flow = k.motion.flow(alg, values.vars, false);
    let grown: Vec<Expr> = (k.motion.rate_values.iter())
        .map(|rate| alg.derivative(rate, &mut flow))
        .collect();
    let mut row = 0;
    while row < constraints.rows.len() {
        if let Some((axes, gap, to)) = better.get(&row) {
            found.numbers.extend(axes.rows);
            axes.rows_in(alg, gap, *to, &mut found);
            row += axes.rows.len();
        } else if held.contains(&row) {
            row += 1;
        } else {
            found.numbers.push(row);
            as_stated(alg, values, k, (constraints, row), &grown, &mut found);
            row += 1;
        }
    }
    Some(found)
}

/// Adds a row in the axes in which it is stated.
fn as_stated(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    (constraints, row): (&Constraints, usize),
    grown: &[Expr],
    to: &mut SolvedRows,
) {
    let row = &constraints.rows[row];
    let mut a = vec![Expr::zero(); k.motion.speeds.len()];
    let mut drift = row.velocity_bias.clone();
    let map: BTreeMap<_, _> = (values.vars.rates.iter().copied())
        .zip(k.motion.rate_values.iter().cloned())
        .collect();
    let mut b = alg.restrict(&row.b, &map, &mut FxHashMap::default());
    for (i, e) in row
        .a
        .iter()
        .enumerate()
        .filter(|(_, e)| !e.is_literal_zero())
    {
        for (c, h) in &k.motion.rates[i].coef {
            a[*c] = &a[*c] + e * h;
        }
        drift = drift + e * &k.motion.rates[i].bias;
        b = b - e * &grown[i];
    }
    let name = &row.name;
    to.a.push(
        a.into_iter()
            .map(|e| alg.define(&format!("a_{name}"), e))
            .collect(),
    );
    to.b.push(alg.define(&format!("b_{name}"), b));
    to.drift.push(alg.define(&format!("{name}_drift"), drift));
}

/// Constraints between positions of which all three components are rows, in axes that stand still: their numbers, each with its rows and its frame.
fn candidates(
    values: &Values<'_>,
    k: &Kinematics,
    constraints: &Constraints,
) -> Vec<(usize, [usize; 3], FrameId)> {
    let whole = constraints.independent.len() == constraints.rows.len();
    if !whole || constraints.rank_where_they_hold != Rank::Same || !constraints.is_linear() {
        return Vec::new();
    }
    let numbers: Vec<usize> = (0..constraints.rows.len()).collect();
    let of = |row: &usize| constraints.rows[*row].source.0;
    let groups = numbers.chunk_by(|a, b| of(a) == of(b));
    let whole = groups.filter_map(|group| {
        let rows: [usize; 3] = group.try_into().ok()?;
        let positions = |row: &usize| constraints.rows[*row].level == Level::Position;
        // Components in a frame that turns change with it, too.
        let number = of(&rows[0]);
        let ConstraintRelation::Vector { frame, .. } =
            &values.system.constraints.get(number)?.relation
        else {
            return None;
        };
        let still = k.frame(*frame).ok()?.omega.is_zero();
        (still && rows.iter().all(positions)).then_some((number, rows, *frame))
    });
    whole.collect()
}

/// One constraint and the axes in which it may be written.
struct Axes<'t> {
    values: &'t Values<'t>,
    k: &'t Kinematics,
    constraints: &'t Constraints,
    rows: [usize; 3],
    /// The frame in whose axes they are stated.
    stated: FrameId,
    /// Speeds that are rates of coordinates.
    rates: &'t BTreeMap<usize, usize>,
}

impl Axes<'_> {
    /// The gap, and the axes in which the fewest coefficients are left of the rates that no other constraint contains.
    fn best(&self, alg: &mut Algebra, number: usize) -> Option<(Mixed, FrameId)> {
        let own = self.own_rates(alg);
        let relation = &self.values.system.constraints.get(number)?.relation;
        let ConstraintRelation::Vector { lhs, rhs, .. } = relation else {
            return None;
        };
        if own.len() < 2 {
            return None;
        }
        let mut at = self.values.with(alg, self.k);
        let gap = at.vector(lhs).ok()?.minus(&at.vector(rhs).ok()?);
        let before = own.iter().map(|c| {
            let entries = self
                .rows
                .iter()
                .map(|row| &self.constraints.rows[*row].a[*c]);
            entries.filter(|e| !alg.is_zero(e)).count()
        });
        let mut least: usize = before.sum();
        let mut best = None;
        for to in self.near(&gap) {
            let mut left = 0;
            for c in own.iter().filter_map(|c| self.rates.get(c)) {
                let column = self.coefficient(alg, &gap, *c);
                let column = self.gathered(alg, &column, to);
                left += column.iter().filter(|e| !alg.is_zero(e)).count();
            }
            if left < least {
                least = left;
                best = Some(to);
            }
        }
        Some((gap, best?))
    }

    /// The coordinates whose rates are speeds that stand in the rows of this constraint alone.
    fn own_rates(&self, alg: &Algebra) -> Vec<usize> {
        let rows = self.constraints.rows.iter().enumerate();
        let (own, others): (Vec<_>, Vec<_>) = rows.partition(|(i, _)| self.rows.contains(i));
        let holds = |list: &[(usize, &super::constraints::Row)], c: usize| {
            list.iter().any(|(_, row)| !alg.is_zero(&row.a[c]))
        };
        let speeds = self.rates.keys().copied();
        speeds
            .filter(|c| !holds(&others, *c) && holds(&own, *c))
            .collect()
    }

    /// The frames in which the gap has parts and those that they are turned from, but for those that stand still.
    fn near(&self, gap: &Mixed) -> BTreeSet<FrameId> {
        let parts = gap.parts.keys();
        let mut near: BTreeSet<FrameId> = parts.flat_map(|f| self.k.ancestors(*f)).collect();
        near.retain(|f| *f != self.stated && !self.k.frames[f.index()].omega.is_zero());
        near
    }

    /// What a speed contributes to the rate of the gap.
    fn coefficient(&self, alg: &mut Algebra, gap: &Mixed, c: usize) -> Mixed {
        let mut sum = Mixed::default();
        for (f, u) in &gap.parts {
            let grown = self.grown(alg, u);
            sum.add_part(
                *f,
                &grown
                    .each_ref()
                    .map(|l| l.coef.get(&c).cloned().unwrap_or_else(Expr::zero)),
            );
            if let Some(omega) = self.k.frames[f.index()].omega.coef.get(&c) {
                sum.add_part(*f, &vec3::cross(omega, u));
            }
        }
        sum
    }

    /// The rates of components.
    fn grown(&self, alg: &mut Algebra, u: &Vec3) -> [Linear<Expr>; 3] {
        let motion = &self.k.motion;
        u.each_ref()
            .map(|e| motion.rate_of(alg, self.values.vars, e))
    }

    /// The part of the gap's rate that is free of speeds.
    fn drift(&self, alg: &mut Algebra, gap: &Mixed) -> Mixed {
        let mut sum = Mixed::default();
        for (f, u) in &gap.parts {
            let grown = self.grown(alg, u);
            sum.add_part(*f, &grown.each_ref().map(|l| l.bias.clone()));
            sum.add_part(*f, &vec3::cross(&self.k.frames[f.index()].omega.bias, u));
        }
        sum
    }

    /// The second derivative of the gap where the rates of the speeds are 0.
    fn bias(&self, alg: &mut Algebra, gap: &Mixed) -> Mixed {
        let mut flow = self.k.motion.flow(alg, self.values.vars, false);
        let derived = |alg: &mut Algebra, v: &Vec3, flow: &mut Derivation| -> Vec3 {
            std::array::from_fn(|i| alg.derivative(&v[i], flow))
        };
        let mut sum = Mixed::default();
        for (f, u) in &gap.parts {
            let frame = &self.k.frames[f.index()];
            let rate = derived(alg, u, &mut flow);
            let second = derived(alg, &rate, &mut flow);
            let carried = vec3::cross(&frame.omega_value, u);
            let twice = vec3::scale(&Expr::int(2), &rate);
            let turned = vec3::cross(&frame.omega_value, &vec3::add(&twice, &carried));
            let spun = vec3::cross(&frame.alpha_bias, u);
            sum.add_part(*f, &vec3::add(&second, &vec3::add(&turned, &spun)));
        }
        sum
    }

    /// Components in one frame: parts are added before they are turned on.
    fn gathered(&self, alg: &mut Algebra, v: &Mixed, to: FrameId) -> Vec3 {
        let mut path = self.k.ancestors(to);
        let mut left: BTreeMap<(usize, FrameId), Vec3> = BTreeMap::new();
        let mut sums: BTreeMap<FrameId, Vec3> = BTreeMap::new();
        let depth = |f: FrameId| self.k.ancestors(f).len();
        for (f, u) in &v.parts {
            left.insert((depth(*f), *f), u.clone());
        }
        while let Some(((_, f), u)) = left.pop_last() {
            let parent = self.k.frames[f.index()].parent;
            match parent.filter(|_| !path.contains(&f)) {
                None => {
                    let sum = sums.entry(f).or_insert_with(vec3::zero);
                    *sum = vec3::add(sum, &u);
                }
                Some(parent) => {
                    let up = self.k.express(alg, &u, f, parent, "gap");
                    let sum = left.entry((depth(parent), parent));
                    let sum = sum.or_insert_with(vec3::zero);
                    *sum = vec3::add(sum, &up);
                }
            }
        }
        let mut at = path.pop();
        let mut sum = at.and_then(|f| sums.remove(&f)).unwrap_or_else(vec3::zero);
        while let (Some(f), Some(next)) = (at, path.pop()) {
            sum = self.k.express(alg, &sum, f, next, "gap");
            if let Some(part) = sums.remove(&next) {
                sum = vec3::add(&sum, &part);
            }
            at = Some(next);
        }
        let plain = |alg: &mut Algebra, e: Expr| {
            if alg.is_zero(&e) {
                Expr::zero()
            } else if alg.is_closed() {
                alg.simplify(&e)
            } else {
                e
            }
        };
        sum.map(|e| plain(alg, e))
    }

    /// Adds the rows in other axes.
    fn rows_in(&self, alg: &mut Algebra, gap: &Mixed, to: FrameId, found: &mut SolvedRows) {
        let name = self.constraints.rows[self.rows[0]].name.clone();
        let own = name.rsplit_once('.').map_or(name.as_str(), |(own, _)| own);
        let mut a: [Vec<Expr>; 3] = Default::default();
        for (c, speed) in self.k.motion.speeds.iter().enumerate() {
            let column = self.coefficient(alg, gap, c);
            let column = self.gathered(alg, &column, to);
            let label = format!("a_{own}_{}", alg.info(*speed).name);
            for (row, e) in a.iter_mut().zip(column) {
                row.push(alg.define(&label, e));
            }
        }
        let bias = self.bias(alg, gap);
        let bias = self.gathered(alg, &bias, to);
        let drift = self.drift(alg, gap);
        let drift = self.gathered(alg, &drift, to);
        let first = found.a.len();
        found.a.extend(a);
        let bias = bias.map(|e| alg.define(&format!("b_{own}"), -e));
        found.b.extend(bias);
        let drift = drift.map(|e| alg.define(&format!("{own}_drift"), e));
        found.drift.extend(drift);
        let axes: [Vec3; 3] = std::array::from_fn(|j| {
            let axis = Mixed::single(to, vec3::unit(j));
            self.gathered(alg, &axis, self.stated)
        });
        found.turned.push(Turned {
            first,
            turn: vec3::transpose(&axes),
        });
    }
}
