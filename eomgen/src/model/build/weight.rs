//! How large values become when the names in them are written out: names double what they stand for at every step, `let b = a*a`, and a few lines make
//! an expression that fills no memory of any machine.

use std::collections::BTreeMap;

use crate::diag::Diagnostic;
use crate::model::codes;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind};

/// Most nodes of a value in which the names are written out.
const NODES: u64 = 20_000;
/// Highest power of anything.
const DEGREE: u64 = 1000;

/// The size of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    /// Nodes of scalars.
    nodes: u64,
    /// The largest frame or point whose place is added to: these are worked out once each, link by link.
    geometry: u64,
    degree: u64,
    /// Whether a name makes it larger than it looks.
    is_named: bool,
    /// Whether one of them is too large, which was said.
    is_told: bool,
}

impl Weight {
    /// A name of one thing.
    const ONE: Self = Self {
        nodes: 1,
        geometry: 0,
        degree: 1,
        is_named: false,
        is_told: false,
    };
    const NUMBER: Self = Self {
        degree: 0,
        ..Self::ONE
    };

    fn total(self) -> u64 {
        self.nodes.saturating_add(self.geometry)
    }

    fn and(self, other: Self) -> Self {
        Self {
            nodes: self.nodes.saturating_add(other.nodes),
            geometry: self.geometry.max(other.geometry),
            degree: self.degree.max(other.degree),
            is_named: self.is_named || other.is_named,
            is_told: self.is_told || other.is_told,
        }
    }

    fn times(self, other: Self) -> Self {
        Self {
            degree: self.degree.saturating_add(other.degree),
            ..self.and(other)
        }
    }

    /// As a number: where a place becomes one, its components are written out.
    fn scalar(self) -> Self {
        Self {
            nodes: self.total(),
            geometry: 0,
            ..self
        }
    }
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A value that is written out wherever it is mentioned.
    Value,
    /// A frame or a point.
    Geometry,
}

/// The weights of names.
#[derive(Default)]
pub struct Weights(BTreeMap<String, Weight>);

impl Weights {
    /// Notes what a name stands for. One that is too large is reported once, and what mentions it is not.
    ///
    /// # Errors
    /// Where it is too large.
    pub fn define(&mut self, name: &str, value: &Expr, sort: Sort) -> Result<(), Diagnostic> {
        let checked = self.check(value);
        let mut weight = match &checked {
            Ok(weight) => *weight,
            Err(_) => Weight {
                is_told: true,
                ..Weight::ONE
            },
        };
        weight.degree = weight.degree.max(1);
        weight.is_named = weight.degree > 1 || weight.total() > 1;
        if sort == Sort::Geometry {
            weight = Weight {
                nodes: 1,
                geometry: weight.total(),
                ..weight
            };
        }
        self.0.insert(name.to_owned(), weight);
        checked.map(|_| ())
    }

    /// The weight of an expression.
    ///
    /// # Errors
    /// Where it is too large.
    pub fn check(&self, value: &Expr) -> Result<Weight, Diagnostic> {
        let weight = self.of(value);
        let title = if !weight.is_named || weight.is_told {
            return Ok(weight);
        } else if weight.degree > DEGREE {
            format!("with its names written out, this is a power higher than {DEGREE}")
        } else if weight.total() > NODES {
            format!("with its names written out, this has more than {NODES} nodes")
        } else {
            return Ok(weight);
        };
        let label = "a name that is mentioned twice counts twice";
        Err(Diagnostic::error(codes::TOO_LARGE, title, value.span, label)
            .help("a coordinate with a constraint, or an input, takes a value of its own instead of being written out"))
    }

    fn of(&self, value: &Expr) -> Weight {
        let all = |list: &[Expr]| {
            let weights = list.iter().map(|e| self.of(e));
            weights.reduce(Weight::and).unwrap_or(Weight::ONE)
        };
        let inner = match &value.kind {
            ExprKind::Number { .. } | ExprKind::Error => return Weight::NUMBER,
            ExprKind::Name(name) => return self.0.get(name).copied().unwrap_or(Weight::ONE),
            ExprKind::Paren(a) | ExprKind::Field(a, _) => return self.of(a),
            ExprKind::Index(a, b) | ExprKind::Compare(_, a, b) | ExprKind::Logic(_, a, b) => {
                self.of(a).and(self.of(b))
            }
            ExprKind::Prime(a) | ExprKind::Neg(a) | ExprKind::Not(a) | ExprKind::Rate(a) => {
                self.of(a)
            }
            ExprKind::Call(function, args) => match (function.ident.text.as_str(), &args[..]) {
                ("dot" | "cross", [a, b]) => {
                    let (a, b) = (self.of(a).scalar(), self.of(b).scalar());
                    a.times(b)
                }
                ("vel" | "acc" | "angvel" | "angacc" | "rotate", _) => all(args),
                _ => {
                    let weights = args.iter().map(|e| self.of(e).scalar());
                    weights.reduce(Weight::and).unwrap_or(Weight::ONE)
                }
            },
            ExprKind::List(list) | ExprKind::Components(list, _) => all(list),
            ExprKind::Sum(sum) => self.of(&sum.body),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => self.of(a).and(self.of(b)),
            ExprKind::Binary(BinaryOp::Mul | BinaryOp::Div, a, b) => self.of(a).times(self.of(b)),
            ExprKind::Binary(BinaryOp::Pow, a, b) => self.power(a, b),
            ExprKind::If {
                condition,
                then,
                other,
            } => self.of(condition).and(self.of(then)).and(self.of(other)),
        };
        inner.and(Weight::NUMBER)
    }

    fn power(&self, base: &Expr, exponent: &Expr) -> Weight {
        let both = self.of(base).and(self.of(exponent));
        let times = magnitude(exponent).map_or(1, |n| n.ceil().max(1.0) as u64);
        Weight {
            degree: both.degree.saturating_mul(times),
            ..both
        }
    }
}

/// The size of a number as it is written; `None` if it is none.
fn magnitude(number: &Expr) -> Option<f64> {
    match &number.kind {
        ExprKind::Number { text, .. } => text.parse().ok(),
        ExprKind::Neg(a) | ExprKind::Paren(a) => magnitude(a),
        ExprKind::Binary(BinaryOp::Div, a, b) => Some(magnitude(a)? / magnitude(b)?),
        _ => None,
    }
}
