//! The order of the poles at which a choice of dependent rates fails: how fast rounding errors of the accelerations grow beside one, and with that how far
//! from it states are to be refused. Knows numbers; of expressions no more than what rates are divided by.
//!
//! Where a machine moves on as usual, and it is only the choice that fails, the accelerations are what is left of terms that grow without bound. How these grow
//! depends on how they are written: a rate that is a quotient is known to `eps/d`, but written out within a square its numerator, which vanishes with d, is
//! multiplied out too, and what is left of that is known to `eps/d^4`. So the errors are measured, in doubles against twice the digits, at states that satisfy the
//! constraints at two distances from the pole. With an error of the order k, and a closeness to failing of the order m, both in the distance, the error is a
//! millionth where the closeness is the tolerance to the power of m/k. A tolerance is only ever raised.

use super::outputs::Output;
use super::writer::Writer;
use crate::ir::{Binary, Op, Rational, Value};
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
/// The digits of the tolerance of checks.
const DIGITS: f64 = 9.0;
/// No error is smaller, and beyond the other nothing can be told.
const ROUNDING: f64 = 1e-17;
const LOST: f64 = 0.1;

/// Raises what conditions are compared with where rounding errors grow faster than what is checked falls.
pub(super) fn widen(w: &mut Writer<'_>, outputs: &[Output]) {
    let mechanics = w.mechanics();
    let speeds = &mechanics.speeds;
    let accelerations = outputs.iter().find(|o| o.name == "accelerations");
    let Some(accelerations) = accelerations.filter(|_| speeds.reduced) else {
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
            if let Some(factor) = closeness.and_then(|m| factor(order, m)) {
                let factor = w.low.graph.rational(&factor);
                let scale = w.low.graph.mul(factor, scale);
                w.conditions.list[at].value = Some((value, Some(scale)));
            }
        }
    }
}

/// What the scale of a check is multiplied by, for an error of one order and a closeness of the other; `None` where the tolerance will do.
fn factor(error: i32, closeness: i32) -> Option<Rational> {
    if closeness < 1 || error <= closeness {
        return None;
    }
    let digits = DIGITS * (1.0 - f64::from(closeness) / f64::from(error));
    let factor = 10.0_f64.powf(digits).round();
    Some(Rational::from_integer((factor as i64).into()))
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
        let both: Vec<_> = pairs.filter_map(|(far, near)| Some((far?, near?))).collect();
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
            let errors = found.map(|found| error(&found));
            errors
                .map(|e| (e < LOST).then_some(e.max(ROUNDING)))
                .collect()
        };
        self.order(errors).map(|order| -order)
    }

    /// The order of the zero in what is checked.
    fn order_of_closeness(&self, w: &mut Writer<'_>, value: Value, scale: Value) -> Option<i32> {
        let ratio = w.low.graph.binary(Binary::Div, value, scale);
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
    use super::factor;

    /// By hand: a millionth is left of 15 digits where `d^-k = 1e9`, and `d^m` is checked.
    #[test]
    fn a_tolerance_is_raised_where_errors_grow_faster_than_what_is_checked_falls() {
        let raised = |error, closeness| factor(error, closeness).map(|f| f.to_string());
        assert_eq!(raised(1, 1), None);
        assert_eq!(raised(2, 2), None);
        assert_eq!(raised(1, 2), None);
        assert_eq!(raised(3, 0), None);
        assert_eq!(raised(4, 2).as_deref(), Some("31623"));
        assert_eq!(raised(3, 1).as_deref(), Some("1000000"));
        assert_eq!(raised(3, 2).as_deref(), Some("1000"));
    }
}
