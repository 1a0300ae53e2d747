//! The forces that keep the speeds constant, from their derivatives by the speeds. What they add to those at rest is of the second degree in the speeds
//! where no joint moves by itself, and then it is half of `(dr/du) u`.

use super::super::skeleton::Skeleton;
use super::super::vectors::Vectors;
use super::{Leaves, Machine};
use crate::ir::field::Points;
use crate::ir::{Rational, Value};
use crate::solve::Calc;

/// `r(q, 0) + 1/2 (dr/du) u`, given `dr/dx` where the speeds are constant, of some leaves the halves, and `r` there. `None` where this is not `r`, or a speed is not among the leaves.
pub(super) fn bias(
    calc: &mut Calc<'_>,
    machine: &Machine<'_>,
    leaves: &Leaves<'_>,
    slopes: &[Value],
    known: &[Value],
) -> Option<Vec<Value>> {
    let place = |speed: &Value| leaves.all.iter().position(|leaf| leaf == speed);
    let places: Option<Vec<usize>> = leaves.speeds.iter().map(place).collect();
    let places = places?;
    let zero = calc.graph.zero();
    let still = vec![zero; machine.s.speeds.len()];
    let at_rest = at_rest(calc, machine.s);
    let resting = machine.forces(calc, &at_rest, &still);
    let half = Rational::new(1.into(), 2.into());
    let half = calc.graph.rational(&half);
    let mut found = Vec::new();
    for (row, resting) in slopes.chunks(leaves.all.len()).zip(resting) {
        // Not what it equals, which is computed in another way.
        let graph = &mut *calc.graph;
        let mut sum = zero;
        for (speed, at) in leaves.speeds.iter().zip(&places) {
            let mut part = graph.mul(row[*at], *speed);
            if !machine.halves[*at] {
                part = graph.mul(half, part);
            }
            sum = graph.add(sum, part);
        }
        found.push(graph.add(resting, sum));
    }
    let points = Points::new(0);
    let same = found.iter().zip(known).all(|(a, b)| {
        let difference = calc.graph.sub(*a, *b);
        !points.nonzero(calc.graph, difference)
    });
    same.then_some(found)
}

/// The same machine without any motion.
fn at_rest(calc: &Calc<'_>, s: &Skeleton) -> Skeleton {
    let (mut s, none) = (s.clone(), calc.nothing());
    for frame in &mut s.frames {
        (frame.spin_value, frame.spin_rate) = (none, none);
    }
    for offset in s.points.iter_mut().flat_map(|p| &mut p.offsets) {
        (offset.rate_value, offset.second) = (none, none);
    }
    s
}
