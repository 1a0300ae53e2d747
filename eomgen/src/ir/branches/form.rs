//! Values as sums, products and quotients of what is used elsewhere too.

use std::collections::BTreeMap;

use crate::ir::optimise::live;
use crate::ir::{Binary, Function, Graph, Op, Prepared, Program, Unary, Value};

/// What a value is made by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A sum of terms with signs.
    Sum,
    /// A product of factors; its sign is that of the first.
    Product,
    /// The first term divided by the second.
    Quotient,
    /// Anything else: what is given, and functions.
    Leaf,
}

/// An operand with its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// Whether its opposite is meant.
    pub negative: bool,
    /// The value.
    pub value: Value,
}

/// How a value is made.
#[derive(Clone, Debug)]
pub struct Form {
    /// By what.
    pub kind: Kind,
    /// Of what.
    pub terms: Vec<Term>,
}

impl Form {
    /// Operations that it takes.
    pub fn operations(&self) -> usize {
        match self.kind {
            Kind::Sum | Kind::Product => self.terms.len().saturating_sub(1).max(1),
            Kind::Quotient => 1,
            Kind::Leaf => 0,
        }
    }
}

/// The forms of a program's values.
pub struct Forms<'p> {
    /// The expressions.
    pub graph: &'p Graph,
    /// What has a form, operands before their users.
    pub order: Vec<Value>,
    /// By the value's index.
    pub(super) forms: Vec<Option<Form>>,
    /// What depends on given groups alone.
    pub given: Vec<bool>,
    /// Sums that are those of another value or their opposites: by that value's index, and whether they are opposites. They are not in the order.
    pub alike: BTreeMap<Value, Vec<(Value, bool)>>,
}

impl<'p> Forms<'p> {
    /// The forms of all that the functions need.
    pub fn new(program: &'p Program, groups: &[u8]) -> Self {
        let graph = &program.graph;
        let all = live(program);
        let prepared = Prepared::new(groups);
        let mut given = vec![false; graph.len()];
        let mut uses: Vec<Vec<Value>> = vec![Vec::new(); graph.len()];
        let mut needed = vec![false; graph.len()];
        for root in program.functions.iter().flat_map(Function::roots) {
            needed[root.index()] = true;
        }
        for &value in &all {
            given[value.index()] = prepared.is(graph, value);
            for operand in graph.op(value).operands() {
                uses[operand.index()].push(value);
            }
        }
        // Used once, and by its like: a part of that.
        let mut within = vec![false; graph.len()];
        for &value in &all {
            let ([user], false, false) = (
                uses[value.index()].as_slice(),
                needed[value.index()],
                given[value.index()],
            ) else {
                continue;
            };
            let is_sum = |op: &Op| {
                matches!(
                    op,
                    Op::Unary(Unary::Neg, _) | Op::Binary(Binary::Add | Binary::Sub, ..)
                )
            };
            let is_factor =
                |op: &Op| matches!(op, Op::Unary(Unary::Neg, _) | Op::Binary(Binary::Mul, ..));
            let (own, user) = (graph.op(value), graph.op(*user));
            let of_product = is_factor(own) && matches!(user, Op::Binary(Binary::Mul, ..));
            within[value.index()] = is_sum(own) && is_sum(user) || of_product;
        }
        let mut this = Self {
            graph,
            order: Vec::new(),
            forms: vec![None; graph.len()],
            given,
            alike: BTreeMap::new(),
        };
        for value in all {
            if !within[value.index()] {
                this.order.push(value);
                this.forms[value.index()] = Some(this.made(value, &within));
            }
        }
        this
    }

    /// The form of a value of [`order`](Self::order).
    pub fn of(&self, value: Value) -> Option<&Form> {
        self.forms.get(value.index())?.as_ref()
    }

    /// Whether a value is a number, or there before anything that varies is.
    pub fn is_number(&self, value: Value) -> bool {
        let is_given = self.given.get(value.index()).is_some_and(|given| *given);
        is_given || matches!(self.graph.op(value), Op::Constant(_) | Op::Pi)
    }

    fn made(&self, value: Value, within: &[bool]) -> Form {
        let is_part = |v: Value| within[v.index()];
        let (kind, terms) = match self.graph.op(value) {
            _ if self.given[value.index()] => (Kind::Leaf, Vec::new()),
            Op::Unary(Unary::Neg, _) | Op::Binary(Binary::Add | Binary::Sub, ..) => {
                (Kind::Sum, self.terms(value, &is_part))
            }
            Op::Binary(Binary::Mul, ..) => (Kind::Product, self.factors(value, &is_part)),
            Op::Binary(Binary::Div, a, b) => (Kind::Quotient, [*a, *b].map(plain).to_vec()),
            op => (Kind::Leaf, op.operands().map(plain).collect()),
        };
        Form { kind, terms }
    }

    fn terms(&self, value: Value, is_part: &impl Fn(Value) -> bool) -> Vec<Term> {
        let mut terms = Vec::new();
        let mut stack = vec![(value, false)];
        while let Some((v, negative)) = stack.pop() {
            match *self.graph.op(v) {
                _ if v != value && !is_part(v) => terms.push(Term { negative, value: v }),
                Op::Unary(Unary::Neg, a) => stack.push((a, !negative)),
                Op::Binary(Binary::Add, a, b) => stack.extend([(b, negative), (a, negative)]),
                Op::Binary(Binary::Sub, a, b) => stack.extend([(b, !negative), (a, negative)]),
                _ => terms.push(Term { negative, value: v }),
            }
        }
        terms
    }

    fn factors(&self, value: Value, is_part: &impl Fn(Value) -> bool) -> Vec<Term> {
        let mut factors = Vec::new();
        let mut negative = false;
        let mut stack = vec![value];
        while let Some(v) = stack.pop() {
            match *self.graph.op(v) {
                _ if v != value && !is_part(v) => factors.push(plain(v)),
                Op::Unary(Unary::Neg, a) => {
                    negative = !negative;
                    stack.push(a);
                }
                Op::Binary(Binary::Mul, a, b) => stack.extend([b, a]),
                _ => factors.push(plain(v)),
            }
        }
        if let Some(first) = factors.first_mut() {
            first.negative = negative;
        }
        factors
    }
}

fn plain(value: Value) -> Term {
    Term {
        negative: false,
        value,
    }
}
