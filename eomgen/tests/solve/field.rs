//! Evaluation of a graph, in doubles and at random points of a prime field.

use std::cell::RefCell;

use eomgen::ir::{Binary, Graph, Op, Rational, Slot, Unary, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// Values of `roots` in doubles; inputs are looked up by their index in group 0.
pub fn evaluate(graph: &Graph, roots: &[Value], inputs: &[f64]) -> Vec<f64> {
    let mut values = vec![f64::NAN; graph.len()];
    for value in graph.live(roots) {
        let at = |v: &Value| values[v.index()];
        values[value.index()] = match graph.op(value) {
            Op::Constant(c) => c.to_f64().unwrap(),
            Op::Input(Slot { index, .. }) => inputs[*index as usize],
            Op::Unary(Unary::Neg, a) => -at(a),
            Op::Unary(Unary::Sin, a) => at(a).sin(),
            Op::Unary(Unary::Cos, a) => at(a).cos(),
            Op::Binary(Binary::Add, a, b) => at(a) + at(b),
            Op::Binary(Binary::Sub, a, b) => at(a) - at(b),
            Op::Binary(Binary::Mul, a, b) => at(a) * at(b),
            Op::Binary(Binary::Div, a, b) => at(a) / at(b),
            op => panic!("the tests do not build {op:?}"),
        };
    }
    roots.iter().map(|v| values[v.index()]).collect()
}

/// 2^61 - 1
const P: u128 = (1 << 61) - 1;

fn mul(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    // 2^61 is 1.
    let folded = (product & P) + (product >> 61);
    (if folded >= P { folded - P } else { folded }) as u64
}

fn inverse(a: u64) -> u64 {
    let (mut power, mut result, mut exponent) = (a, 1, P - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = mul(result, power);
        }
        power = mul(power, power);
        exponent >>= 1;
    }
    result
}

fn residue(n: &BigInt) -> u64 {
    let p = BigInt::from(P);
    (((n % &p) + &p) % &p).to_u64().unwrap()
}

fn constant(c: &Rational) -> u64 {
    mul(residue(c.numer()), inverse(residue(c.denom())))
}

/// A number that depends on its argument alone (splitmix64).
fn scrambled(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) as u128 % P) as u64
}

/// One random point of the field; sines and cosines lie on the circle.
#[derive(Default)]
pub struct Point {
    values: RefCell<Vec<Option<u64>>>,
}

impl Point {
    /// Whether the value differs from zero at the point. Each value of a growing graph is worked out once.
    pub fn nonzero(&self, graph: &Graph, value: Value) -> bool {
        let mut values = self.values.borrow_mut();
        values.resize(graph.len(), None);
        let mut stack = vec![value];
        while let Some(&next) = stack.last() {
            let missing = graph
                .op(next)
                .operands()
                .filter(|v| values[v.index()].is_none());
            let before = stack.len();
            stack.extend(missing.collect::<Vec<_>>());
            if stack.len() == before {
                values[next.index()] = Some(step(graph, next, &values));
                stack.pop();
            }
        }
        values[value.index()] != Some(0)
    }
}

fn step(graph: &Graph, value: Value, values: &[Option<u64>]) -> u64 {
    let at = |v: &Value| values[v.index()].unwrap();
    let p = P as u64;
    match graph.op(value) {
        Op::Constant(c) => constant(c),
        Op::Input(Slot { index, .. }) => scrambled(u64::from(*index)),
        Op::Unary(Unary::Neg, a) => (p - at(a)) % p,
        Op::Unary(kind @ (Unary::Sin | Unary::Cos), a) => {
            let t = scrambled(at(a));
            let square = mul(t, t);
            let scale = inverse((square + 1) % p);
            match kind {
                Unary::Sin => mul(mul(2, t), scale),
                _ => mul((p + 1 - square) % p, scale),
            }
        }
        Op::Binary(Binary::Add, a, b) => (at(a) + at(b)) % p,
        Op::Binary(Binary::Sub, a, b) => (p + at(a) - at(b)) % p,
        Op::Binary(Binary::Mul, a, b) => mul(at(a), at(b)),
        Op::Binary(Binary::Div, a, b) => mul(at(a), inverse(at(b))),
        op => panic!("the tests do not build {op:?}"),
    }
}
