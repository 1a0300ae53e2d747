//! Constraint rows in all the speeds of a model, those of vector constraints in the axes in which they are solved most easily. Where a leg meets a
//! platform, the three rows in the axes of the ground contain each of the leg's rates; in the leg's own axes each row contains one. Turned rows say the
//! same as the stated ones where these hold, of which they are combinations with the coefficients of a rotation; what a user sees are the stated ones.

mod acting;
mod gap;
mod kept;
mod stated;

pub use acting::{Acting, as_stated as acting_as_stated};
pub use kept::{KeptInAxes, in_own_axes, in_short_axes};
pub use stated::{InSpeeds, in_speeds};

use super::constraints::{Constraints, Level, Rank};
use super::kinematics::Kinematics;
use super::mixed::Mixed;
use super::still::Still;
use super::value::Values;
use super::vec3::{self, Mat3, Vec3};
use crate::elim::Matrix;
use crate::model::system::FrameId;
use crate::sym::{Algebra, Expr};
use gap::Gap;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

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
    /// Adds a row as it is stated.
    fn add(&mut self, row: InSpeeds) {
        self.a.push(row.a);
        self.b.push(row.b);
        self.drift.push(row.drift);
    }

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
/// of these; `held` the rows that hold by themselves in these speeds; `certain` whether all speeds give the rates at every state. `None` where the rows are as well solved
/// for rates of coordinates: where no other axes are better, and no speed is another than such a rate or the speeds fail somewhere.
pub fn solved_rows(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    constraints: &Constraints,
    (rates, held, certain): (&BTreeMap<usize, usize>, &[usize], bool),
) -> Option<SolvedRows> {
    let moving = Still::default();
    let mut candidates = candidates(values, k, constraints);
    candidates.retain(|of| certain || !of.of_velocities);
    let candidates = candidates.into_iter();
    let candidates: Vec<Axes<'_>> = candidates
        .map(|stated| Axes {
            values,
            k,
            constraints,
            stated,
            rates,
            still: &moving,
        })
        .collect();
    let mut better: BTreeMap<usize, (&Axes<'_>, Gap<'_>, FrameId)> = BTreeMap::new();
    for axes in &candidates {
        if let Some((gap, to)) = axes.best(alg) {
            better.insert(axes.stated.rows[0], (axes, gap, to));
        }
    }
    let stated = constraints.rows.iter().enumerate();
    let stated = stated.filter(|(row, _)| !held.contains(row));
    let stated: Vec<usize> = stated.map(|(row, _)| row).collect();
    let mut own = in_speeds(alg, values, k, constraints, &stated);
    if better.is_empty() && (own.is_empty() || !certain) {
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
            found.numbers.extend(axes.stated.rows);
            add_turned(alg, (axes, gap), *to, &mut found);
            row += axes.stated.rows.len();
        } else if held.contains(&row) {
            row += 1;
        } else {
            found.numbers.push(row);
            match own.remove(&row) {
                Some(own) => found.add(own),
                None => as_stated(alg, values, k, (constraints, row), &grown, &mut found),
            }
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

/// Constraints between positions or velocities of which all three components are rows, in axes that stand still.
fn candidates(values: &Values<'_>, k: &Kinematics, constraints: &Constraints) -> Vec<Stated> {
    let whole = constraints.independent.len() == constraints.rows.len();
    if !whole || constraints.rank_where_they_hold != Rank::Same {
        return Vec::new();
    }
    let all = kept::candidates(values, k, constraints).into_iter();
    let whole = all.filter_map(|of| {
        let [Some(x), Some(y), Some(z)] = of.stated else {
            return None;
        };
        Some(Stated {
            number: of.number,
            of_velocities: of.level == Level::Velocity,
            rows: [x, y, z],
            frame: of.frame,
        })
    });
    whole.collect()
}

/// A constraint as it is stated.
struct Stated {
    /// Its number in the model.
    number: usize,
    /// Whether it is one between velocities.
    of_velocities: bool,
    rows: [usize; 3],
    /// The frame in whose axes they are stated.
    frame: FrameId,
}

/// One constraint and the axes in which it may be written.
struct Axes<'t> {
    values: &'t Values<'t>,
    k: &'t Kinematics,
    constraints: &'t Constraints,
    stated: Stated,
    /// Speeds that are rates of coordinates.
    rates: &'t BTreeMap<usize, usize>,
    still: &'t Still,
}

impl Axes<'_> {
    /// The gap, and the axes in which the fewest coefficients are left of the rates that no other constraint contains.
    fn best(&self, alg: &mut Algebra) -> Option<(Gap<'_>, FrameId)> {
        let own = self.own_rates(alg);
        if own.len() < 2 {
            return None;
        }
        let of = (self.stated.number, self.stated.of_velocities);
        let gap = Gap::of(alg, self.values, self.k, of, self.still)?;
        let before = own.iter().map(|c| {
            let entries = (self.stated.rows.iter()).map(|row| &self.constraints.rows[*row].a[*c]);
            entries.filter(|e| !alg.is_zero(e)).count()
        });
        let mut least: usize = before.sum();
        let mut best = None;
        let own = own.iter().filter_map(|c| self.rates.get(c).copied());
        let own: Vec<usize> = own.collect();
        for to in gap.near() {
            if to == self.stated.frame {
                continue;
            }
            let left = entries(alg, &gap, &own, to).iter().sum();
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
        let (own, others): (Vec<_>, Vec<_>) = rows.partition(|(i, _)| self.stated.rows.contains(i));
        let holds = |list: &[(usize, &super::constraints::Row)], c: usize| {
            list.iter().any(|(_, row)| !alg.is_zero(&row.a[c]))
        };
        let speeds = self.rates.keys().copied();
        speeds
            .filter(|c| !holds(&others, *c) && holds(&own, *c))
            .collect()
    }
}

/// How many coefficients of these speeds each of the three rows holds in a frame.
fn entries(alg: &mut Algebra, gap: &Gap<'_>, speeds: &[usize], to: FrameId) -> [usize; 3] {
    let mut count = [0; 3];
    for c in speeds {
        let column = gap.coefficient(alg, *c, to);
        for (count, e) in count.iter_mut().zip(&column) {
            *count += usize::from(!e.is_literal_zero());
        }
    }
    count
}

/// Three rows in other axes.
struct Written {
    a: [Vec<Expr>; 3],
    b: Vec3,
    /// As in [`Turned`].
    turn: Mat3,
}

/// The rows of a gap in other axes than those in which they are stated.
fn written(
    alg: &mut Algebra,
    (k, gap): (&Kinematics, &Gap<'_>),
    (stated, to): (FrameId, FrameId),
    name: &str,
) -> Written {
    let mut a: [Vec<Expr>; 3] = Default::default();
    for (c, speed) in k.motion.speeds.iter().enumerate() {
        let column = gap.coefficient(alg, c, to);
        let label = format!("a_{name}_{}", alg.info(*speed).name);
        for (row, e) in a.iter_mut().zip(column) {
            row.push(alg.define(&label, e));
        }
    }
    let bias = gap.bias(alg, to);
    let b = bias.map(|e| alg.define(&format!("b_{name}"), -e));
    let axes: [Vec3; 3] = std::array::from_fn(|j| {
        let axis = Mixed::single(to, vec3::unit(j));
        gap.gathered(alg, &axis, stated)
    });
    let turn = vec3::transpose(&axes);
    Written { a, b, turn }
}

/// Adds the rows of a constraint in other axes.
fn add_turned(
    alg: &mut Algebra,
    (axes, gap): (&Axes<'_>, &Gap<'_>),
    to: FrameId,
    found: &mut SolvedRows,
) {
    let own = own_name(axes.constraints, axes.stated.rows[0]);
    let Written { a, b, turn } = written(alg, (axes.k, gap), (axes.stated.frame, to), &own);
    let first = found.a.len();
    found.a.extend(a);
    found.b.extend(b);
    let drift = gap.drift(alg, to);
    let drift = drift.map(|e| alg.define(&format!("{own}_drift"), e));
    found.drift.extend(drift);
    found.turned.push(Turned { first, turn });
}

/// The name of the constraint that a row belongs to.
fn own_name(constraints: &Constraints, row: usize) -> String {
    let name = &constraints.rows[row].name;
    let own = name.rsplit_once('.').map_or(name.as_str(), |(own, _)| own);
    own.to_owned()
}
