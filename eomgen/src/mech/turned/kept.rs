//! Rows that are kept in the equations, in the axes in which they hold the fewest rates. A loop within a machine that moves as a whole is closed by rows
//! that in the axes of the ground hold the rates of the whole machine, and in axes of the loop its own alone.

use super::gap::Gap;
use super::{Written, entries, own_name, written};
use crate::mech::constraints::{Constraints, Level};
use crate::mech::kinematics::Kinematics;
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
}

/// The constraints between positions of bodies on a frame that moves, where they hold fewer rates in axes of these.
pub fn in_short_axes(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    constraints: &Constraints,
) -> Vec<KeptInAxes> {
    let mut found = Vec::new();
    for (number, stated, frame) in candidates(values, k, constraints) {
        let Some(gap) = Gap::of(alg, values, k, number).filter(Gap::is_carried) else {
            continue;
        };
        let first = stated.iter().flatten().next();
        let name = first.map_or_else(String::new, |row| own_name(constraints, *row));
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
        if let Some(to) = best {
            let Written { a, b, turn } = written(alg, (k, &gap), (frame, to), &name);
            found.push(KeptInAxes {
                name,
                stated,
                a,
                b,
                turn,
            });
        }
    }
    found
}

/// Constraints between positions, linear in the rates, in axes that stand still (components in a frame that turns change with it, too): their numbers, each
/// with its rows and its frame.
pub(super) fn candidates(
    values: &Values<'_>,
    k: &Kinematics,
    constraints: &Constraints,
) -> Vec<(usize, [Option<usize>; 3], FrameId)> {
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
        let positions = group.iter().all(|i| row(i).level == Level::Position);
        let mut stated = [None; 3];
        for i in group {
            *stated.get_mut(row(i).source.1)? = Some(*i);
        }
        (still && positions).then_some((number, stated, *frame))
    });
    groups.collect()
}

/// How many coefficients of speeds the rows hold as they are stated.
fn held(
    alg: &Algebra,
    k: &Kinematics,
    constraints: &Constraints,
    stated: &[Option<usize>; 3],
) -> usize {
    let rows = stated.iter().flatten();
    let each = rows.map(|row| {
        let held = constraints.rows[*row].a.iter().enumerate();
        let held = held.filter(|(_, e)| !alg.is_zero(e));
        let speeds: BTreeSet<usize> = held
            .flat_map(|(c, _)| k.motion.rates[c].coef.keys().copied())
            .collect();
        speeds.len()
    });
    each.sum()
}
