//! Rows that are kept in the equations, in the axes in which they hold the fewest rates. A loop within a machine that moves as a whole is closed by rows
//! that in the axes of the ground hold the rates of the whole machine, and in axes of the loop its own alone.

use super::acting::{self, Acting};
use super::gap::Gap;
use super::{Written, entries, own_name, written};
use crate::mech::constraints::{Constraints, Level, Row};
use crate::mech::kinematics::Kinematics;
use crate::mech::still::Still;
use crate::mech::value::Values;
use crate::mech::vec3::{Mat3, Vec3};
use crate::model::system::{ConstraintRelation, FrameId};
use crate::sym::{Algebra, Expr};
use std::collections::BTreeSet;

/// The rows of a constraint between vectors in other axes than those in which they are stated.
pub struct KeptInAxes {
    /// The constraint's name.
    pub name: String,
    /// Of each component of the statement the model's row; of one that reads 0 = 0 there is none.
    pub stated: [Option<usize>; 3],
    /// Coefficients of the rates of the speeds, a row for each axis. All coefficients of a row may be zero: it says nothing.
    pub a: [Vec<Expr>; 3],
    /// What they amount to.
    pub b: Vec3,
    /// `turn[i][j]` is the j-th axis along the i-th axis of the statement.
    pub turn: Mat3,
    /// By what the multiplier of each row acts, where that is known.
    pub acting: [Option<Acting>; 3],
}

/// The constraints between positions of bodies on a frame that moves, where they hold fewer rates in axes of these.
pub fn in_short_axes(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    constraints: &Constraints,
) -> Vec<KeptInAxes> {
    let moving = Still::default();
    let mut found = Vec::new();
    for of in candidates(values, k, constraints) {
        let Candidate {
            number,
            stated,
            frame,
            level,
        } = of;
        let of = (number, level == Level::Velocity);
        let Some(gap) = Gap::of(alg, values, k, of, &moving) else {
            continue;
        };
        let speeds: Vec<usize> = gap.speeds(alg).into_iter().collect();
        let mut least = held(alg, k, constraints, &stated);
        let mut best = None;
        for to in gap.near() {
            let count = entries(alg, &gap, &speeds, to).iter().sum();
            if to != frame && count < least {
                least = count;
                best = Some(to);
            }
        }
        found.extend(
            best.map(|to| turned(alg, values, (constraints, k, &gap), (stated, frame), to)),
        );
    }
    found
}

/// The constraints in the axes in which the rates that no other constraint holds have the fewest coefficients, of several those in which all have: a leg's rates in
/// axes of the leg, each in a row of its own, and a wheel's spin in axes of its axle. Speeds that stand still are no rates, and rows hold what is zero no more.
pub fn in_own_axes(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    constraints: &Constraints,
    still: &Still,
) -> Vec<KeptInAxes> {
    let held: Vec<BTreeSet<usize>> = (constraints.rows.iter())
        .map(|row| speeds_of(alg, k, row, still))
        .collect();
    let mut found = Vec::new();
    for of in candidates(values, k, constraints) {
        let Candidate {
            number,
            stated,
            frame,
            level,
        } = of;
        let rows: Vec<usize> = stated.iter().flatten().copied().collect();
        let (within, others): (Vec<_>, Vec<_>) = held
            .iter()
            .enumerate()
            .partition(|(row, _)| rows.contains(row));
        let others: BTreeSet<usize> = others.iter().flat_map(|(_, own)| (*own).clone()).collect();
        let all: BTreeSet<usize> = within.iter().flat_map(|(_, own)| (*own).clone()).collect();
        let own: Vec<usize> = all.difference(&others).copied().collect();
        let all: Vec<usize> = all.into_iter().collect();
        if own.is_empty() {
            continue;
        }
        let Some(gap) = Gap::of(alg, values, k, (number, level == Level::Velocity), still) else {
            continue;
        };
        let count = |(_, row): &(usize, &BTreeSet<usize>)| {
            [own.iter().filter(|c| row.contains(c)).count(), row.len()]
        };
        let counts = within.iter().map(count);
        let mut least = counts.fold([0, 0], |[a, b], [c, d]| [a + c, b + d]);
        let mut best = None;
        for to in gap.near() {
            let counts = [&own, &all].map(|of| entries(alg, &gap, of, to).iter().sum());
            if to != frame && counts < least {
                least = counts;
                best = Some(to);
            }
        }
        found.extend(
            best.map(|to| turned(alg, values, (constraints, k, &gap), (stated, frame), to)),
        );
    }
    found
}

/// A constraint in other axes.
fn turned(
    alg: &mut Algebra,
    values: &Values<'_>,
    (constraints, k, gap): (&Constraints, &Kinematics, &Gap<'_>),
    (stated, frame): ([Option<usize>; 3], FrameId),
    to: FrameId,
) -> KeptInAxes {
    let first = stated.iter().flatten().next();
    let name = first.map_or_else(String::new, |row| own_name(constraints, *row));
    let Written { a, b, turn } = written(alg, (k, gap), (frame, to), &name);
    let row = first.map(|row| &constraints.rows[*row]);
    let acting = row.map(|row| acting::along(alg, values, k, (row.source.0, row.level, to), &a));
    let acting = acting.unwrap_or_default();
    KeptInAxes {
        name,
        stated,
        a,
        b,
        turn,
        acting,
    }
}

/// A constraint that may be written in other axes.
pub(super) struct Candidate {
    /// Its number in the model.
    pub number: usize,
    /// The row of each component.
    pub stated: [Option<usize>; 3],
    /// The frame in whose axes it is stated.
    pub frame: FrameId,
    /// What it is stated for.
    pub level: Level,
}

/// Constraints between positions or velocities, linear in the rates, in axes that stand still (components in a frame that turns change with it, too).
pub(super) fn candidates(
    values: &Values<'_>,
    k: &Kinematics,
    constraints: &Constraints,
) -> Vec<Candidate> {
    if !constraints.is_linear() {
        return Vec::new();
    }
    let numbers: Vec<usize> = (0..constraints.rows.len()).collect();
    let row = |i: &usize| &constraints.rows[*i];
    let groups = numbers.chunk_by(|a, b| row(a).source.0 == row(b).source.0);
    let groups = groups.filter_map(|group| {
        let number = row(&group[0]).source.0;
        let ConstraintRelation::Vector { frame, .. } =
            &values.system.constraints.get(number)?.relation
        else {
            return None;
        };
        let still = k.frame(*frame).ok()?.turned_by.is_zero();
        let level = row(&group[0]).level;
        let same = group.iter().all(|i| row(i).level == level);
        let mut stated = [None; 3];
        for i in group {
            *stated.get_mut(row(i).source.1)? = Some(*i);
        }
        (still && same).then_some(Candidate {
            number,
            stated,
            frame: *frame,
            level,
        })
    });
    groups.collect()
}

/// How many coefficients of speeds the rows hold as they are stated.
fn held(
    alg: &mut Algebra,
    k: &Kinematics,
    constraints: &Constraints,
    stated: &[Option<usize>; 3],
) -> usize {
    let rows = stated.iter().flatten();
    let moving = &Still::default();
    let each = rows.map(|row| speeds_of(alg, k, &constraints.rows[*row], moving).len());
    each.sum()
}

/// The speeds that a row holds.
fn speeds_of(alg: &mut Algebra, k: &Kinematics, row: &Row, still: &Still) -> BTreeSet<usize> {
    let held = row.a.iter().enumerate().filter(|(_, e)| {
        let e = still.within(alg, e);
        !alg.is_zero(&e)
    });
    held.flat_map(|(c, _)| k.motion.rates[c].coef.keys().copied())
        .filter(|speed| !still.holds(*speed))
        .collect()
}
