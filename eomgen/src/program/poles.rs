//! The order of the poles at which a choice of dependent rates fails: how fast rounding errors of the accelerations grow beside one, and with that how far
//! from it states are to be refused. Knows numbers; of expressions no more than what rates are divided by.
//!
//! Where a machine moves on as usual, and it is only the choice that fails, the accelerations are what is left of terms that grow without bound. How these grow
//! depends on how they are written: a rate that is a quotient is known to `eps/d`, but written out within a square its numerator, which vanishes with d, is
//! multiplied out too, and what is left of that is known to `eps/d^4`. So the errors are measured, in doubles against twice the digits, at states that satisfy the
//! constraints at two distances from the pole. With an error of the order k, and a closeness to failing of the order m, both in the distance, that closeness to the
//! power of k/m falls as the error grows, and is what the tolerance is meant for, in doubles or in fewer digits. A scale is only ever enlarged.

use super::outputs::Output;
use super::writer::Writer;
use crate::ir::{Graph, Op, Unary, Value};
use crate::manifold;
use crate::plan::{Place, both_at, error};
use crate::sym::Expr;

/// The distances, and starts from which states are looked for at each.
const FAR: f64 = 5e-2;
const NEAR: f64 = 2e-3;
const STARTS: u64 = 32;
/// States without which nothing is said.
const FEW: usize = 8;
/// Instructions beyond which nothing is measured.
const LARGEST: usize = 100_000;
/// No error is smaller, and beyond the other nothing can be told.
const ROUNDING: f64 = 1e-17;
const LOST: f64 = 0.1;

/// Enlarges what conditions are compared with where rounding errors grow faster than what is checked falls.
pub(super) fn widen(w: &mut Writer<'_>, outputs: &[Output]) {
    let mechanics = w.mechanics();
    let speeds = &mechanics.speeds;
    let accelerations = outputs.iter().find(|o| o.name == "accelerations");
    // Only what is written out is multiplied out.
    let written_out = speeds.reduced && w.c.alg.is_closed();
    let Some(accelerations) = accelerations.filter(|_| written_out) else {
        return;
    };
    let values = accelerations.body.outputs.clone();
    let divisors = speeds.conditions.iter().map(|(e, _)| e.clone());
    let divisors: Vec<Expr> = divisors.filter(|e| !w.c.alg.is_nonzero(e)).collect();
    let numerical = |v: &Value| matches!(w.low.graph.op(*v), Op::Call { .. } | Op::Routine { .. });
    let live = w.low.graph.live(&values);
    if divisors.is_empty() || live.len() > LARGEST || live.iter().any(numerical) {
        return;
    }
    for divisor in &divisors {
        let Some(approach) = Approach::to(w, divisor) else {
            continue;
        };
        let Some(order) = approach.order_of_error(w, &values) else {
            continue;
        };
        for at in 0..w.conditions.list.len() {
            let Some((value, Some(scale))) = w.conditions.list[at].value else {
                continue;
            };
            let closeness = approach.order_of_closeness(w, value, scale);
            if let Some(roots) = closeness.and_then(|m| excess(order, m)) {
                let scale = enlarged(&mut w.low.graph, value, scale, roots);
                w.conditions.list[at].value = Some((value, Some(scale)));
            }
        }
    }
}

/// By how many square roots of the closeness an error of one order grows faster than a closeness of the other falls, rounded up; `None` where it does not.
fn excess(error: i32, closeness: i32) -> Option<u32> {
    let more = error.checked_sub(closeness).filter(|more| *more > 0)?;
    let closeness = u32::try_from(closeness).ok().filter(|order| *order > 0)?;
    Some((2 * more.unsigned_abs()).div_ceil(closeness))
}

/// A scale beside which a value is smaller by as many square roots of what it is beside the other.
fn enlarged(graph: &mut Graph, value: Value, scale: Value, roots: u32) -> Value {
    let times = graph.div(scale, value);
    let times = graph.unary(Unary::Abs, times);
    let mut product = scale;
    for _ in 0..roots / 2 {
        product = graph.mul(product, times);
    }
    if roots % 2 == 1 {
        let root = graph.unary(Unary::Sqrt, times);
        product = graph.mul(product, root);
    }
    product
}

/// States at two distances from a pole, those of the same start side by side.
struct Approach {
    far: Vec<Place>,
    near: Vec<Place>,
}

impl Approach {
    /// `None` where too few states are found.
    fn to(w: &mut Writer<'_>, divisor: &Expr) -> Option<Self> {
        let mechanics = w.mechanics();
        let (values, constraints) = (mechanics.values(), &mechanics.constraints);
        let known = w.inputs_of_a_state();
        let list: Vec<&Expr> = known.iter().map(|(_, e)| e).collect();
        let alg = &w.c.alg;
        let at = |distance| {
            let starts = (distance, STARTS);
            manifold::beside(alg, &values, constraints, divisor, starts, &list)
        };
        let pairs = at(FAR).into_iter().zip(at(NEAR));
        let both: Vec<_> = pairs
            .filter_map(|(far, near)| Some((far?, near?)))
            .collect();
        if both.len() < FEW {
            return None;
        }
        let place = |state: Vec<f64>| known.iter().map(|(slot, _)| *slot).zip(state).collect();
        let (far, near) = both.into_iter().unzip::<_, _, Vec<_>, Vec<_>>();
        Some(Self {
            far: far.into_iter().map(place).collect(),
            near: near.into_iter().map(place).collect(),
        })
    }

    /// The power of the distance that a size falls with, over all pairs of states at which there are such sizes.
    fn order(&self, size: impl Fn(&[Place]) -> Vec<Option<f64>>) -> Option<i32> {
        let pairs = size(&self.far).into_iter().zip(size(&self.near));
        let growth = pairs.filter_map(|(far, near)| Some((far? / near?).log10()));
        let growth: Vec<f64> = growth.filter(|x| x.is_finite()).collect();
        if growth.len() < FEW {
            return None;
        }
        let mean = growth.iter().sum::<f64>() / growth.len() as f64;
        Some((mean / (FAR / NEAR).log10()).round() as i32)
    }

    /// The order of the pole in the rounding errors.
    fn order_of_error(&self, w: &Writer<'_>, values: &[Value]) -> Option<i32> {
        let errors = |places: &[Place]| {
            let found = both_at(&w.low.graph, values, places).into_iter();
            let told = found.map(|found| (!found.is_empty()).then(|| error(&found)));
            let told = told.map(|e| Some(e.filter(|e| *e < LOST)?.max(ROUNDING)));
            told.collect()
        };
        self.order(errors).map(|order| -order)
    }

    /// The order of the zero in what is checked.
    fn order_of_closeness(&self, w: &mut Writer<'_>, value: Value, scale: Value) -> Option<i32> {
        let ratio = w.low.graph.div(value, scale);
        let graph = &w.low.graph;
        let sizes = |places: &[Place]| {
            let found = both_at(graph, &[ratio], places).into_iter();
            let sizes = found.map(|found| found.first().map(|x| x.rounded.abs()));
            sizes.collect()
        };
        self.order(sizes)
    }
}

#[cfg(test)]
mod tests {
    use super::{enlarged, excess};
    use crate::ir::Graph;

    /// By hand: where `d^m` is checked and errors grow with `d^-k`, the closeness to the power of `k/m - 1` is missing.
    #[test]
    fn scales_grow_where_errors_grow_faster_than_what_is_checked_falls() {
        for (error, closeness) in [(1, 1), (2, 2), (1, 2), (0, 1), (3, 0), (3, -1)] {
            assert_eq!(excess(error, closeness), None, "{error} {closeness}");
        }
        for (error, closeness, roots) in [(4, 2, 2), (3, 1, 4), (3, 2, 1), (4, 3, 1), (2, 1, 2)] {
            assert_eq!(excess(error, closeness), Some(roots), "{error} {closeness}");
        }
    }

    /// By hand: 2 beside 8 is a quarter; with two roots a 16th, with four a 64th.
    #[test]
    fn a_closeness_is_raised_to_a_power() {
        let mut graph = Graph::new();
        let [value, scale] = [2, 8].map(|number| graph.integer(number));
        for (roots, wanted) in [(2, 32), (4, 128)] {
            let found = enlarged(&mut graph, value, scale, roots);
            assert_eq!(found, graph.integer(wanted));
        }
    }
}
