//! How each step by itself changes with the leaves: its angle, its place, and the rates of these, all else that moves held fixed.

use super::super::skeleton::Skeleton;
use super::super::vectors::{Tensor, Vector, Vectors};
use super::tree::{Step, Tree};
use crate::ir::derivative::{self, Obstacle, Pole};
use crate::ir::{Op, Value};
use crate::solve::Calc;

/// How a step changes with one leaf.
#[derive(Clone)]
pub(super) struct Local {
    /// The number of the leaf.
    pub leaf: usize,
    pub turn: Turning,
    /// Of the place of a shift.
    pub place: Vector,
    /// Of the rate of the turn or shift, and of the rate of this at rest.
    pub rate: Vector,
    pub second: Vector,
    /// Of the coefficients of the speeds in the rate, in their order.
    pub coefficients: Vec<Vector>,
}

/// How a turn changes.
#[derive(Clone, Copy)]
pub(super) enum Turning {
    /// Not at all.
    None,
    /// About this vector, in the axes turned to.
    About(Vector),
    /// By this change of its matrix.
    By(Tensor),
}

/// The leaves with which nothing but rates change. All that these change carries a factor of two.
pub(super) fn rates_only(calc: &Calc<'_>, list: &[Vec<Local>], leaves: usize) -> Vec<bool> {
    let of_rates = |local: &&Local| {
        let mut others = local.coefficients.iter().chain([&local.place]);
        matches!(local.turn, Turning::None) && others.all(|v| calc.is_nothing(v))
    };
    let of = |leaf: usize| list.iter().flatten().filter(move |l| l.leaf == leaf);
    let only = |leaf: usize| of(leaf).count() > 0 && of(leaf).all(|l| of_rates(&l));
    (0..leaves).map(only).collect()
}

/// The changes of each node's step, and what they are divided by.
pub(super) type Found = (Vec<Vec<Local>>, Vec<Pole>);

/// What all steps have as values, in one order.
struct Parts {
    roots: Vec<Value>,
    /// Of each step where its values begin.
    starts: Vec<usize>,
}

/// Those of all nodes. `None` where a turn is by a quaternion whose parts are leaves: off the unit sphere its matrix is no rotation.
pub(super) fn locals(
    calc: &mut Calc<'_>,
    s: &Skeleton,
    tree: &Tree,
    leaves: &[Value],
) -> Result<Option<Found>, Obstacle> {
    let parts = parts(calc, s, tree);
    let slopes = derivative::jacobian(calc.graph, &parts.roots, leaves)?;
    let spherical = |leaf: &Value| match calc.graph.op(*leaf) {
        Op::Input(slot) => calc.graph.spheres().iter().any(|x| x.parts.contains(slot)),
        _ => false,
    };
    let spherical: Vec<bool> = leaves.iter().map(spherical).collect();
    let mut list = vec![Vec::new()];
    for (at, node) in tree.nodes.iter().enumerate().skip(1) {
        let mut own = Vec::new();
        for leaf in 0..leaves.len() {
            let of = |i: usize| slopes.entries[(parts.starts[at] + i) * leaves.len() + leaf];
            let count = parts.starts[at + 1] - parts.starts[at];
            if (0..count).all(|i| calc.graph.is_zero(of(i))) {
                continue;
            }
            let local = local(calc, s, node.step, leaf, &of);
            if spherical[leaf] && matches!(local.turn, Turning::By(_)) {
                return Ok(None);
            }
            own.push(local);
        }
        list.push(own);
    }
    Ok(Some((list, slopes.poles)))
}

fn parts(calc: &Calc<'_>, s: &Skeleton, tree: &Tree) -> Parts {
    let mut roots: Vec<Value> = Vec::new();
    let mut starts = vec![0];
    for node in &tree.nodes[1..] {
        starts.push(roots.len());
        match node.step {
            Step::Turn(f) => {
                let frame = &s.frames[f];
                roots.extend(frame.spin_value.iter().chain(&frame.spin_rate));
                match frame.turn {
                    Some((_, angle)) => roots.push(angle),
                    None => roots.extend(frame.rotation.iter().flatten()),
                }
                roots.extend(frame.spin.iter().flat_map(|x| x.1));
            }
            Step::Shift(p, k) => {
                let offset = &s.points[p].offsets[k];
                roots.extend(offset.rate_value.iter().chain(&offset.second));
                roots.extend(&offset.place);
                roots.extend(offset.rate.iter().flat_map(|x| x.1));
            }
        }
    }
    starts.push(roots.len());
    debug_assert!(roots.iter().all(|v| calc.graph.op(*v).is_scalar()));
    Parts { roots, starts }
}

/// From the derivatives of a step's values in their order.
fn local(
    calc: &mut Calc<'_>,
    s: &Skeleton,
    step: Step,
    leaf: usize,
    of: &dyn Fn(usize) -> Value,
) -> Local {
    let vector = |at: usize| -> Vector { std::array::from_fn(|i| of(at + i)) };
    let none = calc.nothing();
    let (turn, place, first, count) = match step {
        Step::Turn(f) => {
            let frame = &s.frames[f];
            let (turn, first) = match frame.turn {
                Some((axis, _)) => {
                    let mut about = none;
                    about[axis] = of(6);
                    (Turning::About(about), 7)
                }
                None => (Turning::By([vector(6), vector(9), vector(12)]), 15),
            };
            let still = match &turn {
                Turning::About(v) => calc.is_nothing(v),
                Turning::By(m) => m.iter().all(|row| calc.is_nothing(row)),
                Turning::None => true,
            };
            let turn = if still { Turning::None } else { turn };
            (turn, none, first, frame.spin.len())
        }
        Step::Shift(p, k) => {
            let count = s.points[p].offsets[k].rate.len();
            (Turning::None, vector(6), 9, count)
        }
    };
    Local {
        leaf,
        turn,
        place,
        rate: vector(0),
        second: vector(3),
        coefficients: (0..count).map(|k| vector(first + 3 * k)).collect(),
    }
}
