//! The graph: hash-consed instructions, folded as they are built.
//!
//! Equal instructions are one [`Value`], so common sub-expressions are shared without a pass. Operands precede their users in the
//! arena. What is simplified on construction, and why, is said in `fold.rs`; nothing else is.

use std::collections::BTreeMap;

use indexmap::IndexSet;
use num_bigint::BigInt;
use num_traits::{One, Zero};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::fold;
use super::{Binary, Comparison, Op, Part, Rational, RoutineKind, Slot, Sphere, Unary, Value};
use crate::bug::{Bug, Witness};

/// One in so many of a graph's values are few.
const FEW: usize = 16;

/// Shared expressions in static single assignment form. 0 and 1 are always there, as the first two values.
#[derive(Clone, Debug)]
pub struct Graph {
    nodes: IndexSet<Op, FxBuildHasher>,
    names: BTreeMap<Value, String>,
    spheres: Vec<Sphere>,
    witness: Witness,
    /// What came of two constants. Many statements of the same equations ask for the same, and arithmetic with long fractions takes longer than
    /// to look it up. Looked up only, never iterated.
    exact: FxHashMap<(Binary, Value, Value), Value>,
}

impl Default for Graph {
    fn default() -> Self {
        Self::new()
    }
}

impl Graph {
    /// A graph with nothing but 0 and 1.
    pub fn new() -> Self {
        let mut graph = Self {
            nodes: IndexSet::default(),
            names: BTreeMap::new(),
            spheres: Vec::new(),
            witness: Witness::default(),
            exact: FxHashMap::default(),
        };
        graph.reduced(Rational::zero());
        graph.reduced(Rational::one());
        graph
    }

    /// Notes what cannot happen, in the graph that it would spoil. A pass keeps what the graph before had noted.
    pub fn witness(&self) -> &Witness {
        &self.witness
    }

    /// Whether everything so far went as it must: where it did not, no value of this graph is to be used. Ask at the end of each stage.
    pub fn check(&self) -> Result<(), Bug> {
        self.witness.check()
    }

    /// The value of an instruction as it stands: shared, its commuting operands ordered, but not folded. For passes, parsers and
    /// tests; derivations use the folding constructors.
    pub fn intern(&mut self, op: Op) -> Value {
        let op = match op {
            Op::Binary(kind, a, b) if kind.commutes() && b < a => Op::Binary(kind, b, a),
            op => op,
        };
        let (index, _) = self.nodes.insert_full(op);
        // Four thousand million instructions do not fit in memory.
        Value(index as u32)
    }

    /// The value of an instruction if it is there already.
    pub fn find(&self, op: &Op) -> Option<Value> {
        self.nodes.get_index_of(op).map(|index| Value(index as u32))
    }

    /// An exact number.
    pub fn rational(&mut self, number: &Rational) -> Value {
        // `new` brings a caller's unreduced fraction to lowest terms.
        let number = if number.denom().is_one() {
            number.clone()
        } else {
            Rational::new(number.numer().clone(), number.denom().clone())
        };
        self.reduced(number)
    }

    /// An exact number in lowest terms, as arithmetic with such numbers leaves it: to reduce it again would take longer than all else.
    pub(super) fn reduced(&mut self, number: Rational) -> Value {
        self.intern(Op::Constant(number.into()))
    }

    /// What an operation makes of two constants; `None` where one is not.
    pub(super) fn exact(
        &mut self,
        op: Binary,
        (a, b): (Value, Value),
        work: impl FnOnce(&Rational, &Rational) -> Rational,
    ) -> Option<Value> {
        let (c, d) = (self.as_rational(a)?, self.as_rational(b)?);
        if let Some(known) = self.exact.get(&(op, a, b)) {
            return Some(*known);
        }
        let number = work(c, d);
        let value = self.reduced(number);
        self.exact.insert((op, a, b), value);
        Some(value)
    }

    /// A whole number.
    pub fn integer(&mut self, number: i64) -> Value {
        self.reduced(Rational::from_integer(BigInt::from(number)))
    }

    /// 0.
    pub fn zero(&self) -> Value {
        Value(0)
    }

    /// 1.
    pub fn one(&self) -> Value {
        Value(1)
    }

    /// The circle constant.
    pub fn pi(&mut self) -> Value {
        self.intern(Op::Pi)
    }

    /// An input.
    pub fn input(&mut self, slot: Slot) -> Value {
        self.intern(Op::Input(slot))
    }

    /// `-a`
    pub fn neg(&mut self, a: Value) -> Value {
        fold::neg(self, a)
    }

    /// `a + b`
    pub fn add(&mut self, a: Value, b: Value) -> Value {
        fold::add(self, a, b)
    }

    /// `a - b`
    pub fn sub(&mut self, a: Value, b: Value) -> Value {
        fold::sub(self, a, b)
    }

    /// `a * b`
    pub fn mul(&mut self, a: Value, b: Value) -> Value {
        fold::mul(self, a, b)
    }

    /// `a / b`. The condition `b != 0` is the caller's to record **before** calling: folding may cancel it (`x/x` is 1).
    pub fn div(&mut self, a: Value, b: Value) -> Value {
        fold::div(self, a, b)
    }

    /// A function of one value.
    pub fn unary(&mut self, op: Unary, a: Value) -> Value {
        fold::unary(self, op, a)
    }

    /// A function of two values. For `Div`, and `Pow` with a negative exponent, see [`div`](Self::div).
    pub fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        fold::binary(self, op, a, b)
    }

    /// `base` to a whole power, as products by repeated squaring; a negative power is the reciprocal of the positive one, with the
    /// condition of [`div`](Self::div). A power of a number that would take thousands of digits stays a [`Binary::Pow`].
    pub fn powi(&mut self, base: Value, exponent: i32) -> Value {
        fold::powi(self, base, exponent)
    }

    /// `if left test right { then } else { other }`
    pub fn select(
        &mut self,
        test: Comparison,
        left: Value,
        right: Value,
        then: Value,
        other: Value,
    ) -> Value {
        fold::select(self, test, left, right, then, other)
    }

    /// A call of user function `function`; read it with [`jet`](Self::jet).
    pub fn call(&mut self, function: u32, args: &[Value]) -> Value {
        self.intern(Op::Call {
            function,
            args: args.into(),
        })
    }

    /// An entry of a jet. The indices of a Hessian entry may come in either order.
    pub fn jet(&mut self, call: Value, part: Part) -> Value {
        let part = match part {
            Part::Hessian(i, j) if j < i => Part::Hessian(j, i),
            part => part,
        };
        self.intern(Op::Jet { call, part })
    }

    /// A numerical routine; read it with [`element`](Self::element).
    pub fn routine(&mut self, kind: RoutineKind, operands: &[Value]) -> Value {
        self.intern(Op::Routine {
            kind,
            operands: operands.into(),
        })
    }

    /// A result of a routine.
    pub fn element(&mut self, routine: Value, index: u32) -> Value {
        self.intern(Op::Element { routine, index })
    }

    /// Rebuilds one instruction through the folding constructors.
    pub fn fold(&mut self, op: &Op) -> Value {
        match op {
            Op::Constant(number) => self.rational(number),
            Op::Unary(op, a) => self.unary(*op, *a),
            Op::Binary(op, a, b) => self.binary(*op, *a, *b),
            Op::Select {
                test,
                left,
                right,
                then,
                other,
            } => self.select(*test, *left, *right, *then, *other),
            Op::Jet { call, part } => self.jet(*call, *part),
            Op::Pi | Op::Input(_) | Op::Call { .. } | Op::Routine { .. } | Op::Element { .. } => {
                self.intern(op.clone())
            }
        }
    }

    /// The instruction of a value. Panics on a value of a larger graph, as indexing does.
    pub fn op(&self, value: Value) -> &Op {
        &self.nodes[value.index()]
    }

    /// The number, if it is a constant.
    pub fn as_rational(&self, value: Value) -> Option<&Rational> {
        match self.op(value) {
            Op::Constant(number) => Some(number),
            _ => None,
        }
    }

    /// Whether it is the constant 0 (not whether it vanishes).
    pub fn is_zero(&self, value: Value) -> bool {
        value == self.zero()
    }

    /// Whether it is the constant 1.
    pub fn is_one(&self, value: Value) -> bool {
        value == self.one()
    }

    /// Suggests a name for the value in emitted code; the first name given stays.
    pub fn name(&mut self, value: Value, name: &str) {
        self.names.entry(value).or_insert_with(|| name.to_owned());
    }

    /// The name suggested for a value.
    pub fn name_of(&self, value: Value) -> Option<&str> {
        self.names.get(&value).map(String::as_str)
    }

    /// Says that four inputs are the parts of a unit quaternion, before the first value of the graph is looked at.
    pub fn declare_sphere(&mut self, sphere: Sphere) {
        self.spheres.push(sphere);
    }

    /// The inputs that are parts of unit quaternions.
    pub fn spheres(&self) -> &[Sphere] {
        &self.spheres
    }

    /// How many instructions there are, dead ones included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: 0 and 1 are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All values in order.
    pub fn values(&self) -> impl Iterator<Item = Value> + use<> {
        self.values_from(0)
    }

    /// The values from the one with this index on, in order.
    pub fn values_from(&self, index: usize) -> impl Iterator<Item = Value> + use<> {
        (index as u32..self.nodes.len() as u32).map(Value)
    }

    /// What `roots` are made of, with others in the place of some values: what each of those that change has become.
    pub fn replaced(
        &mut self,
        by: &BTreeMap<Value, Value>,
        roots: &[Value],
    ) -> BTreeMap<Value, Value> {
        let mut moved = by.clone();
        for value in self.live(roots) {
            if moved.contains_key(&value) {
                continue;
            }
            let own = |v: Value| moved.get(&v).copied().unwrap_or(v);
            let op = self.op(value);
            if op.operands().any(|v| own(v) != v) {
                let op = op.map(own);
                let new = self.fold(&op);
                if let Some(name) = self.name_of(value).map(str::to_owned) {
                    self.name(new, &name);
                }
                moved.insert(value, new);
            }
        }
        moved
    }

    /// What `roots` need, themselves included, in the order of the arena: operands first.
    pub fn live(&self, roots: &[Value]) -> Vec<Value> {
        let mut live = Vec::new();
        self.each_live(roots, |value| live.push(value));
        live.reverse();
        live
    }

    /// Visits what `roots` need, each value before its operands.
    pub fn each_live(&self, roots: &[Value], mut visit: impl FnMut(Value)) {
        let end = roots.iter().map(|v| v.index() + 1).max().unwrap_or(0);
        if let Some(few) = self.few_live(roots, end) {
            return few.into_iter().for_each(visit);
        }
        // Operands are older: one look at each place, from the last to the first, finds all.
        let mut needed = vec![false; end];
        roots.iter().for_each(|v| needed[v.index()] = true);
        for at in (0..end).rev() {
            if needed[at] {
                let value = Value(at as u32);
                visit(value);
                let operands = self.op(value).operands();
                operands.for_each(|v| needed[v.index()] = true);
            }
        }
    }

    /// What `roots` need, the last first, where that is little of what was there before them.
    fn few_live(&self, roots: &[Value], end: usize) -> Option<Vec<Value>> {
        let mut seen = vec![false; end];
        let mut open: Vec<Value> = roots.to_vec();
        let mut live = Vec::new();
        while let Some(value) = open.pop() {
            if !std::mem::replace(&mut seen[value.index()], true) {
                live.push(value);
                open.extend(self.op(value).operands().filter(|v| !seen[v.index()]));
            }
            if live.len() > end / FEW {
                return None;
            }
        }
        live.sort_unstable();
        live.reverse();
        Some(live)
    }

    /// Whether something that `roots` need is divided by `value`, alone or as a factor, of either sign.
    pub fn divides(&self, roots: &[Value], value: Value) -> bool {
        let divisor = |v: Value| match self.op(v) {
            Op::Binary(Binary::Div, _, divisor) => Some(*divisor),
            _ => None,
        };
        let mut open: Vec<Value> = self.live(roots).into_iter().filter_map(divisor).collect();
        let mut seen = vec![false; self.len()];
        while let Some(factor) = open.pop() {
            if std::mem::replace(&mut seen[factor.index()], true) {
                continue;
            }
            if factor == value || self.is_opposite(factor, value) {
                return true;
            }
            match self.op(factor) {
                Op::Unary(Unary::Neg, inner) => open.push(*inner),
                Op::Binary(Binary::Mul, a, b) => open.extend([*a, *b]),
                _ => {}
            }
        }
        false
    }

    /// Whether one is the difference of the other, reversed.
    fn is_opposite(&self, a: Value, b: Value) -> bool {
        match (self.op(a), self.op(b)) {
            (Op::Unary(Unary::Neg, inner), _) => *inner == b,
            (_, Op::Unary(Unary::Neg, inner)) => *inner == a,
            (Op::Binary(Binary::Sub, x, y), Op::Binary(Binary::Sub, z, w)) => x == w && y == z,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Slot;

    #[test]
    fn what_is_needed_is_found_whether_little_or_nearly_all() {
        let mut graph = Graph::new();
        let inputs: Vec<Value> = (0..3)
            .map(|index| graph.input(Slot { group: 0, index }))
            .collect();
        let mut chain = inputs[0];
        let mut all = vec![chain];
        for i in 0..200 {
            chain = graph.add(chain, inputs[i % 2]);
            chain = graph.unary(Unary::Sin, chain);
            all.push(chain);
        }
        let little = graph.mul(inputs[2], inputs[1]);
        assert_eq!(graph.live(&[little]), [inputs[1], inputs[2], little]);
        let nearly_all = graph.live(&[chain]);
        assert!(nearly_all.len() > graph.len() / FEW);
        assert!(nearly_all.is_sorted() && all.iter().all(|v| nearly_all.contains(v)));
        assert!(!nearly_all.contains(&little) && !nearly_all.contains(&inputs[2]));
        let mut visited = Vec::new();
        graph.each_live(&[chain], |v| visited.push(v));
        visited.reverse();
        assert_eq!(visited, nearly_all);
        assert_eq!(graph.live(&[]), []);
    }
}
