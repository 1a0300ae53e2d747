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
    (u128::from(a) * u128::from(b) % P) as u64
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
    values: RefCell<Vec<u64>>,
}

impl Point {
    /// Whether the value differs from zero at the point. The values of a growing graph are worked out once.
    pub fn nonzero(&self, graph: &Graph, value: Value) -> bool {
        let mut values = self.values.borrow_mut();
        for next in graph.values().skip(values.len()) {
            let computed = step(graph, next, &values);
            values.push(computed);
        }
        values[value.index()] != 0
    }
}

fn step(graph: &Graph, value: Value, values: &[u64]) -> u64 {
    let at = |v: &Value| values[v.index()];
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
impl Point {
    pub fn semantic(&self, graph: &Graph, roots: &[Value]) -> usize {
        use std::collections::BTreeMap;
        let p = P as u64;
        self.nonzero(graph, graph.one());
        let values = self.values.borrow();
        let live = graph.live(roots);
        let canon = |v: Value| { let x = values[v.index()]; x.min((p - x) % p) };
        let mut first: BTreeMap<u64, Value> = BTreeMap::new();
        for &v in &live { first.entry(canon(v)).or_insert(v); }
        let mut seen = std::collections::BTreeSet::new();
        let mut stack: Vec<Value> = roots.to_vec();
        let mut n = 0;
        while let Some(v) = stack.pop() {
            let v = first[&canon(v)];
            if !seen.insert(v) { continue; }
            let op = graph.op(v);
            n += eomgen::ir::Cost::of(op).total();
            stack.extend(op.operands());
        }
        n
    }
}
