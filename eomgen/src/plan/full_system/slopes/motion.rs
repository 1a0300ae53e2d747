//! The motion of the nodes, outward from the ground, and of the place that each has to its parent. Knows nothing of derivatives.

use super::super::skeleton::Skeleton;
use super::super::vectors::{Tensor, Vector, Vectors, transpose};
use super::tree::{Step, Tree};
use crate::ir::Value;
use crate::solve::Calc;

/// Motion of a node in its own axes; accelerations less that of free fall.
#[derive(Clone, Copy)]
pub(super) struct Motion {
    pub omega: Vector,
    pub alpha: Vector,
    pub velocity: Vector,
    pub acceleration: Vector,
}

/// The motions of all nodes where the rates of the speeds are these.
pub(super) fn motions(
    calc: &mut Calc<'_>,
    s: &Skeleton,
    tree: &Tree,
    rates: &[Value],
) -> Vec<Motion> {
    let none = calc.nothing();
    let mut list = vec![Motion {
        omega: none,
        alpha: none,
        velocity: none,
        acceleration: falling(calc, s),
    }];
    for node in &tree.nodes[1..] {
        let before = list[node.parent];
        list.push(match node.step {
            Step::Turn(f) => turned(calc, s, f, &before, rates),
            Step::Shift(p, k) => shifted(calc, s, (p, k), &before, rates),
        });
    }
    list
}

/// The acceleration of the ground less that of free fall.
fn falling(calc: &mut Calc<'_>, s: &Skeleton) -> Vector {
    let mut sum = calc.nothing();
    for (f, g) in &s.falling {
        let mut g = *g;
        let mut at = *f;
        while let Some(parent) = s.frames[at].parent {
            g = calc.apply(&s.frames[at].rotation, &g);
            at = parent;
        }
        sum = calc.minus(&sum, &g);
    }
    sum
}

fn turned(calc: &mut Calc<'_>, s: &Skeleton, f: usize, before: &Motion, rates: &[Value]) -> Motion {
    let frame = &s.frames[f];
    let inward: Tensor = transpose(&frame.rotation);
    let carried = calc.apply(&inward, &before.omega);
    let above = calc.apply(&inward, &before.alpha);
    let own = along(calc, &frame.spin_rate, &frame.spin, rates);
    let bias = calc.cross(&carried, &frame.spin_value);
    let alpha = calc.plus(&above, &bias);
    Motion {
        omega: calc.plus(&carried, &frame.spin_value),
        alpha: calc.plus(&alpha, &own),
        velocity: calc.apply(&inward, &before.velocity),
        acceleration: calc.apply(&inward, &before.acceleration),
    }
}

fn shifted(
    calc: &mut Calc<'_>,
    s: &Skeleton,
    (p, k): (usize, usize),
    before: &Motion,
    rates: &[Value],
) -> Motion {
    let offset = &s.points[p].offsets[k];
    let (omega, d) = (&before.omega, &offset.place);
    let turning = calc.cross(omega, d);
    let velocity = calc.plus(&before.velocity, &turning);
    let velocity = calc.plus(&velocity, &offset.rate_value);
    let tangential = calc.cross(&before.alpha, d);
    let inward = calc.cross(omega, &turning);
    let own = along(calc, &offset.second, &offset.rate, rates);
    let two = calc.graph.integer(2);
    let twice = calc.times(two, &offset.rate_value);
    let coriolis = calc.cross(omega, &twice);
    let mut acceleration = before.acceleration;
    for part in [tangential, inward, coriolis, own] {
        acceleration = calc.plus(&acceleration, &part);
    }
    Motion {
        velocity,
        acceleration,
        ..*before
    }
}

/// `bias + sum of coefficients with rates`
pub(super) fn along(
    calc: &mut Calc<'_>,
    bias: &Vector,
    coefficients: &[(usize, Vector)],
    rates: &[Value],
) -> Vector {
    let mut sum = *bias;
    for (k, axis) in coefficients {
        let term = calc.times(rates[*k], axis);
        sum = calc.plus(&sum, &term);
    }
    sum
}
