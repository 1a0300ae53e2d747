//! What the rounding error of a divisor is in proportion to, so that a check can tell whether it is known well enough. Knows instructions,
//! and of the model no more than which parameters are positive.
//!
//! Products, quotients and elementary functions of inputs are exact up to a few roundings, however small they are. What loses digits is a sum:
//! its error is some roundings of the absolute values of its terms, which is what *proportion* computes. Beside that count
//!
//! - the inputs themselves, which are as exact as they can be written: an angle cannot be told from a right angle next to it;
//! - the numerators. Where constraints on positions or rates hold, the rates of a machine near a singular position are such that numerators
//!   vanish together with the divisor, and what is left of either is the rounding error of terms of ordinary size. So there the *natural
//!   size* counts, with sines and cosines as 1.
//!
//! A divisor that never changes its sign, such as the determinant of a mass matrix, vanishes with the square of the distance from the
//! singular set, and is compared with the square of the tolerance.

use std::collections::BTreeMap;

use super::writer::{Writer, slot};
use crate::ir::interpret::{Evaluator, Host, Jet};
use crate::ir::{Binary, Function, Graph, Op, Rational, Slot, Unary, Value};
use crate::mech::constraints::Level;
use crate::model::system::Sign;
use crate::plan::group;

/// Instructions that are looked through at most; what lies deeper is taken to be exact.
const DEEP: usize = 100;
/// States at which the sign of a divisor is looked at.
const STATES: usize = 64;

/// What a divisor is compared with; `None` for one that is exact however small it is.
pub(super) fn scale(w: &mut Writer<'_>, divisor: Value) -> Option<Value> {
    let rows = &w.c.constraints.rows;
    // Rows on accelerations leave the rates as they are given.
    let closed = rows.iter().any(|row| row.level != Level::Acceleration);
    let signs = Signs::of(w);
    scale_of(&mut w.low.graph, divisor, closed, &signs)
}

fn scale_of(graph: &mut Graph, divisor: Value, closed: bool, signs: &Signs) -> Option<Value> {
    let mut sizes = Sizes::default();
    let error = sizes.error(graph, divisor, 0);
    let turns = sizes.turns;
    if error != Error::Sum && !turns && !sizes.sums {
        return None;
    }
    let natural = sizes.natural(graph, divisor);
    if closed && signs.changes(graph, divisor) {
        return Some(natural);
    }
    // The share of the natural size by which a divisor is told from 0: relative to the tolerance of checks, 1e-9, once more the
    // tolerance, or four roundings.
    let share = Rational::new(
        1.into(),
        if closed { 1_000_000_000 } else { 1_000_000 }.into(),
    );
    let own = sizes.proportion(graph, divisor);
    if !turns && error == Error::Sum {
        return Some(own);
    }
    let share = graph.rational(&share);
    let given = graph.mul(share, natural);
    Some(graph.add(own, given))
}

/// A coordinate that a divisor vanishes with, and what it is compared with.
pub(super) struct Vanishing {
    /// Which coordinate.
    pub(super) coordinate: usize,
    /// Its value.
    pub(super) value: Value,
    /// The size by which configuration constraints determine it: that of their terms over that of its coefficient.
    pub(super) scale: Value,
}

/// Coordinates of unknown sign that are factors of a divisor, as the length of a leg is of a determinant whose terms all have it. Such a divisor
/// is small beside none of its terms however short the leg; but where a configuration constraint holds, the leg is known no better than the
/// other lengths of its loop.
pub(super) fn vanishing(w: &mut Writer<'_>, divisor: Value) -> Vec<Vanishing> {
    let mut list = Vec::new();
    let live = w.low.graph.live(&[divisor]);
    // An angle is a factor by its sine, which has a size of its own.
    let angles = live.iter().filter_map(|v| match *w.low.graph.op(*v) {
        Op::Unary(Unary::Sin | Unary::Cos, angle) => Some(angle),
        _ => None,
    });
    let turned = w.low.graph.live(&angles.collect::<Vec<_>>());
    let coords = &w.c.system.coords;
    let inputs = live.iter().filter_map(|v| match *w.low.graph.op(*v) {
        Op::Input(slot) if slot.group == group::STATE => Some((slot.index as usize, *v)),
        _ => None,
    });
    let open = inputs.filter(|(coordinate, value)| {
        let coordinate = coords.get(*coordinate);
        let unknown = coordinate.is_some_and(|c| !c.sign.is_some_and(|s| s.is_strict()));
        unknown && turned.binary_search(value).is_err()
    });
    let mut open: Vec<(usize, Value)> = open.collect();
    open.sort_unstable();
    let factors = zero_with(&w.low.graph, divisor, &open);
    for (coordinate, value) in factors {
        if let Some(scale) = determined(w, coordinate) {
            list.push(Vanishing {
                coordinate,
                value,
                scale,
            });
        }
    }
    list
}

/// The size by which configuration constraints determine a coordinate; `None` if none has it.
fn determined(w: &mut Writer<'_>, coordinate: usize) -> Option<Value> {
    let v = w.c.vars.coords[coordinate];
    let rows = w.c.constraints.rows.iter();
    let holding =
        rows.filter(|r| r.level == Level::Position && w.c.alg.depends(&r.residual, &|u| u == v));
    let rows: Vec<_> = holding
        .map(|r| (r.residual.clone(), r.a[coordinate].clone()))
        .collect();
    let mut largest = None;
    for (residual, coefficient) in rows {
        let terms = w.low.lower(&w.c.alg, &residual);
        let own = w.low.lower(&w.c.alg, &coefficient);
        let graph = &mut w.low.graph;
        let [terms, own] = [terms, own].map(|v| natural(graph, v));
        let size = graph.div(terms, own);
        largest = Some(match largest {
            Some(known) => graph.binary(Binary::Max, known, size),
            None => size,
        });
    }
    largest
}

/// Which of these coordinates are factors of a value: it is 0 wherever one of them is.
fn zero_with(graph: &Graph, value: Value, coordinates: &[(usize, Value)]) -> Vec<(usize, Value)> {
    if coordinates.is_empty() {
        return Vec::new();
    }
    let function = Function {
        outputs: vec![value],
        ..Function::default()
    };
    let mut evaluator = Evaluator::on(graph, &function);
    let mut is_zero = |coordinate: usize| {
        let slot = slot(group::STATE, coordinate);
        (0..FEW).all(|number| {
            let found = evaluator.run(&Without { slot, number });
            found.is_ok_and(|list| list.first() == Some(&0.0))
        })
    };
    let list = coordinates.iter().copied();
    list.filter(|(coordinate, _)| is_zero(*coordinate))
        .collect()
}

/// States at which a factor of a divisor is looked at.
const FEW: u64 = 3;

/// A state in which an input is 0 and the others are no such numbers.
struct Without {
    slot: Slot,
    number: u64,
}

impl Host for Without {
    fn slot(&self, slot: Slot) -> f64 {
        if slot == self.slot {
            0.0
        } else {
            0.2 + drawn(self.number, slot)
        }
    }

    fn call(&self, _: u32, args: &[f64]) -> Jet {
        let n = args.len();
        Jet {
            value: f64::NAN,
            gradient: vec![f64::NAN; n],
            hessian: vec![f64::NAN; n * n],
        }
    }
}

/// A number from 0 to 1 that belongs to an input, by the finalizer of SplitMix64.
fn drawn(state: u64, slot: Slot) -> f64 {
    let seed = state << 40 | u64::from(slot.group) << 32 | u64::from(slot.index);
    let mut bits = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// What a pivot is compared with that was this entry of a matrix's diagonal. Elimination of a semidefinite matrix is backward stable, so that
/// the entry itself will do; but where it has been divided for, as one of `C^T M C` is by what the speeds are solved for with, terms far larger
/// than what is left of them may be in it.
pub(super) fn of_diagonal(graph: &mut Graph, entry: Value) -> Value {
    let mut sizes = Sizes::default();
    let divides = |v: &Value| match graph.op(*v) {
        Op::Binary(Binary::Div, _, by) => {
            let moves =
                |v: &Value| matches!(graph.op(*v), Op::Input(slot) if slot.group == group::STATE);
            graph.live(&[*by]).iter().any(moves)
        }
        _ => false,
    };
    if !graph.live(&[entry]).iter().any(divides) || sizes.error(graph, entry, 0) != Error::Sum {
        return entry;
    }
    sizes.proportion(graph, entry)
}

/// What a coefficient of a constraint row is compared with, where the largest of them tells whether there is a row at all.
pub(super) fn of_coefficient(graph: &mut Graph, value: Value) -> Value {
    let mut sizes = Sizes::default();
    sizes.error(graph, value, 0);
    let natural = sizes.natural(graph, value);
    let own = sizes.proportion(graph, value);
    let share = Rational::new(1.into(), 1_000_000.into());
    let share = graph.rational(&share);
    let given = graph.mul(share, natural);
    graph.add(own, given)
}

/// The size of a divisor with sines and cosines taken as 1 and terms by their absolute values.
pub(super) fn natural(graph: &mut Graph, divisor: Value) -> Value {
    Sizes::default().natural(graph, divisor)
}

/// Whether a value was seen with either sign, at states that have nothing to do with one another.
pub(super) fn has_either_sign(w: &Writer<'_>, value: Value) -> bool {
    Signs::of(w).seen(&w.low.graph, value) == Seen::Both
}

/// Whether a value is exact up to a few roundings.
pub(super) fn is_exact(graph: &Graph, value: Value) -> bool {
    Sizes::default().error(graph, value, 0) != Error::Sum
}

/// How large the rounding error of a value is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Error {
    /// An input or a constant.
    None,
    /// A few roundings of the value.
    Own,
    /// Of terms that may be larger than the value.
    Sum,
}

/// Sizes of values, each found once.
#[derive(Default)]
struct Sizes {
    errors: BTreeMap<Value, Error>,
    natural: BTreeMap<Value, Value>,
    proportion: BTreeMap<Value, Value>,
    /// Whether there are sines or cosines among the factors.
    turns: bool,
    /// Whether there is a sum.
    sums: bool,
}

impl Sizes {
    /// What kind of error a value has.
    fn error(&mut self, graph: &Graph, value: Value, depth: usize) -> Error {
        if let Some(known) = self.errors.get(&value) {
            return *known;
        }
        if self.errors.len() >= DEEP || depth >= DEEP {
            return Error::Own;
        }
        let mut of = |v| self.error(graph, v, depth + 1);
        let error = match *graph.op(value) {
            Op::Constant(_) | Op::Pi | Op::Input(_) => Error::None,
            Op::Unary(Unary::Neg | Unary::Abs, a) => of(a),
            Op::Unary(Unary::Sin | Unary::Cos, angle) => {
                self.turns = true;
                match self.error(graph, angle, depth + 1) {
                    Error::None => Error::Own,
                    _ => Error::Sum,
                }
            }
            Op::Unary(Unary::Sqrt, a) => of(a).max_of(Error::Own),
            Op::Binary(Binary::Add | Binary::Sub, a, b) => {
                let both = (of(a), of(b));
                self.sums = true;
                match both {
                    (Error::None, Error::None) => Error::Own,
                    _ => Error::Sum,
                }
            }
            Op::Binary(Binary::Mul | Binary::Div, a, b) => {
                let a = of(a);
                a.max_of(of(b)).max_of(Error::Own)
            }
            Op::Binary(Binary::Max, a, b) | Op::Binary(Binary::Min, a, b) => {
                let a = of(a);
                a.max_of(of(b))
            }
            _ => Error::Own,
        };
        self.errors.insert(value, error);
        error
    }

    /// The natural size, of what [`error`](Self::error) has looked at.
    fn natural(&mut self, graph: &mut Graph, value: Value) -> Value {
        if let Some(known) = self.natural.get(&value) {
            return *known;
        }
        if self.natural.len() >= DEEP {
            return graph.unary(Unary::Abs, value);
        }
        let size = match *graph.op(value) {
            Op::Unary(Unary::Neg | Unary::Abs, a) => self.natural(graph, a),
            Op::Unary(Unary::Sin | Unary::Cos, _) => graph.one(),
            Op::Unary(Unary::Sqrt, a) => {
                let a = self.natural(graph, a);
                graph.unary(Unary::Sqrt, a)
            }
            Op::Binary(op @ (Binary::Add | Binary::Sub | Binary::Mul), a, b) => {
                let [a, b] = [a, b].map(|v| self.natural(graph, v));
                if op == Binary::Mul {
                    graph.mul(a, b)
                } else {
                    graph.add(a, b)
                }
            }
            Op::Binary(Binary::Div, a, b) => {
                let a = self.natural(graph, a);
                let b = graph.unary(Unary::Abs, b);
                graph.div(a, b)
            }
            _ => graph.unary(Unary::Abs, value),
        };
        self.natural.insert(value, size);
        size
    }

    /// What the rounding error is in proportion to.
    fn proportion(&mut self, graph: &mut Graph, value: Value) -> Value {
        if let Some(known) = self.proportion.get(&value) {
            return *known;
        }
        let kind = self.errors.get(&value).copied().unwrap_or(Error::Own);
        let abs = |graph: &mut Graph, v| graph.unary(Unary::Abs, v);
        let size = match (kind, graph.op(value).clone()) {
            (Error::None | Error::Own, _) => abs(graph, value),
            (_, Op::Unary(Unary::Neg | Unary::Abs, a)) => self.proportion(graph, a),
            (_, Op::Unary(Unary::Sin | Unary::Cos, angle)) => {
                let angle = self.proportion(graph, angle);
                let own = abs(graph, value);
                graph.add(own, angle)
            }
            (_, Op::Unary(Unary::Sqrt, a)) => {
                let a = self.proportion(graph, a);
                graph.div(a, value)
            }
            (_, Op::Binary(Binary::Add | Binary::Sub | Binary::Max | Binary::Min, a, b)) => {
                let [a, b] = [a, b].map(|v| self.proportion(graph, v));
                graph.add(a, b)
            }
            (_, Op::Binary(op @ (Binary::Mul | Binary::Div), a, b)) => {
                let parts = [a, b].map(|v| self.errors.get(&v).copied().unwrap_or(Error::Own));
                let [pa, pb] = [a, b].map(|v| self.proportion(graph, v));
                let [aa, ab] = [a, b].map(|v| abs(graph, v));
                match (op, parts) {
                    (Binary::Mul, [Error::Sum, Error::Sum]) => {
                        let left = graph.mul(pa, ab);
                        let right = graph.mul(aa, pb);
                        graph.add(left, right)
                    }
                    (Binary::Mul, _) => graph.mul(pa, pb),
                    (_, [_, Error::Sum]) => {
                        let left = graph.div(pa, ab);
                        let square = graph.mul(ab, ab);
                        let top = graph.mul(aa, pb);
                        let right = graph.div(top, square);
                        graph.add(left, right)
                    }
                    _ => graph.div(pa, ab),
                }
            }
            _ => abs(graph, value),
        };
        self.proportion.insert(value, size);
        size
    }
}

impl Error {
    fn max_of(self, other: Self) -> Self {
        match (self, other) {
            (Self::Sum, _) | (_, Self::Sum) => Self::Sum,
            (Self::Own, _) | (_, Self::Own) => Self::Own,
            _ => Self::None,
        }
    }
}

/// Which signs a value was seen with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    One,
    Both,
    /// One at most; at some state it was 0, or no number.
    Unclear,
}

/// States at which the sign of a divisor is looked at.
struct Signs {
    /// The parameters' signs, as far as they are stated.
    params: Vec<Option<Sign>>,
}

impl Signs {
    fn of(w: &Writer<'_>) -> Self {
        let params = w.c.system.params.iter();
        Self {
            params: params.map(|p| p.sign).collect(),
        }
    }

    /// Whether a value has either sign; it counts as one that has if that cannot be told.
    fn changes(&self, graph: &Graph, value: Value) -> bool {
        let live = graph.live(&[value]);
        let opaque = |v: &Value| {
            matches!(
                graph.op(*v),
                Op::Call { .. } | Op::Jet { .. } | Op::Routine { .. } | Op::Element { .. }
            )
        };
        live.iter().any(opaque) || self.seen(graph, value) != Seen::One
    }

    /// The signs of a value at states that are drawn.
    fn seen(&self, graph: &Graph, value: Value) -> Seen {
        let function = Function {
            outputs: vec![value],
            ..Function::default()
        };
        let mut evaluator = Evaluator::on(graph, &function);
        let (mut positive, mut negative, mut neither) = (false, false, false);
        for state in 0..STATES {
            let number = evaluator.run(&Sample {
                signs: self,
                number: state as u64,
            });
            match number.ok().and_then(|list| list.first().copied()) {
                Some(x) if x > 0.0 => positive = true,
                Some(x) if x < 0.0 => negative = true,
                _ => neither = true,
            }
        }
        match (positive && negative, neither) {
            (true, _) => Seen::Both,
            (false, true) => Seen::Unclear,
            (false, false) => Seen::One,
        }
    }
}

/// A state with numbers of ordinary size that have nothing to do with one another.
struct Sample<'a> {
    signs: &'a Signs,
    number: u64,
}

impl Host for Sample<'_> {
    fn slot(&self, slot: Slot) -> f64 {
        let unit = drawn(self.number, slot);
        let sign = match slot.group {
            group::PARAMS => self
                .signs
                .params
                .get(slot.index as usize)
                .copied()
                .flatten(),
            _ => None,
        };
        match sign {
            Some(Sign::Positive | Sign::NonNegative) => 0.3 + 2.7 * unit,
            Some(Sign::Negative | Sign::NonPositive) => -0.3 - 2.7 * unit,
            _ => 6.4 * unit - 3.2,
        }
    }

    fn call(&self, _: u32, _: &[f64]) -> Jet {
        Jet::default()
    }
}
