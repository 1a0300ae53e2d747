//! Functions that are not rational: each application to given arguments is one pool symbol, after
//! what is known about it has been used (parity, sums of angles, special values).

use super::expr::{Expr, Var};
use super::node::Node;
use super::{Algebra, Class, Meaning};
use crate::function::{Elementary, Range};
use crate::model::system::Sign;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

/// The engine's polynomials have small exponents; higher powers are functions of their own.
const HIGHEST: u32 = 1000;

impl Algebra {
    /// Applies a function to arguments.
    pub fn apply(&mut self, k: Elementary, args: Vec<Expr>) -> Expr {
        let args: Vec<Expr> = if self.is_closed() {
            args.iter().map(|a| self.simplify(a)).collect()
        } else {
            args
        };
        if let ([a], false) = (args.as_slice(), k == Elementary::Sqrt)
            && let Some(value) = exact(k, a)
        {
            return value;
        }
        match (k, args.as_slice()) {
            (Elementary::Sin, [a]) => self.sin_cos(a).0,
            (Elementary::Cos, [a]) => self.sin_cos(a).1,
            (Elementary::Tan, [a]) => {
                let (s, c) = self.sin_cos(a);
                s / c
            }
            (Elementary::Sqrt, [a]) => self.sqrt(a),
            (Elementary::Abs, [a]) => match self.as_number(a) {
                Some(n) => Expr::rational(&n.abs()),
                None => match self.sign(a) {
                    Some(Sign::Positive | Sign::NonNegative) => a.clone(),
                    Some(Sign::Negative | Sign::NonPositive) => -a,
                    _ => self.symbol_for(k, args),
                },
            },
            (Elementary::Sign, [a]) => match self.sign(a) {
                Some(Sign::Positive) => Expr::one(),
                Some(Sign::Negative) => Expr::int(-1),
                _ => self.symbol_for(k, args),
            },
            (Elementary::Pow, [b, e]) => match self.as_number(e) {
                Some(n) if n.is_integer() => n
                    .to_i32()
                    .filter(|n| n.unsigned_abs() <= HIGHEST)
                    .map_or_else(|| self.symbol_for(k, args.clone()), |n| b.powi(n)),
                Some(n) if *n.denom() == 2.into() => {
                    let twice = (n * BigRational::from_integer(2.into())).to_i32();
                    match twice.filter(|t| t.unsigned_abs() <= HIGHEST) {
                        Some(t) => self.sqrt(b).powi(t),
                        None => self.symbol_for(k, args),
                    }
                }
                _ => self.symbol_for(k, args),
            },
            (k, [_, _, then, other]) if k.is_choice() && then == other => then.clone(),
            _ => self.symbol_for(k, args),
        }
    }

    fn symbol_for(&mut self, k: Elementary, args: Vec<Expr>) -> Expr {
        let meaning = Meaning::Kernel(k, args.clone());
        if let Some(v) = self.of_meaning.get(&meaning) {
            return self.var(*v);
        }
        let texts: Vec<String> = args.iter().map(|a| self.text(a)).collect();
        let row = k.row();
        let name = match (row.test, texts.as_slice()) {
            (Some(test), [left, right, then, other]) => {
                let test = test.symbol();
                format!("(if {left} {test} {right} then {then} else {other})")
            }
            _ => format!("{}({})", row.name, texts.join(", ")),
        };
        let sign = match args.as_slice() {
            [_, _, then, other] => self.sign_of_either(then, other),
            [first, ..] => self.sign_in(row.range, first),
            [] => None,
        };
        let v = self.push(name, Class::Kernel, meaning, sign);
        self.var(v)
    }

    /// The sign of a value in a range, by the function's first argument.
    fn sign_in(&self, range: Range, argument: &Expr) -> Option<Sign> {
        let strict = match range {
            Range::Any => return None,
            Range::Positive => true,
            Range::NonNegative => false,
            Range::PositiveUnlessZero => self.sign(argument) == Some(Sign::NonZero),
            Range::PositiveWithArgument => self.sign(argument) == Some(Sign::Positive),
            Range::OfBase => {
                return self.sign(argument).filter(|sign| *sign == Sign::Positive);
            }
        };
        Some(if strict {
            Sign::Positive
        } else {
            Sign::NonNegative
        })
    }

    /// Square root; perfect squares of quantities whose sign is known come out of it.
    pub(super) fn sqrt(&mut self, a: &Expr) -> Expr {
        let (outside, inside) = self.under_root(a);
        if inside.is_literal_one() {
            return outside;
        }
        outside * self.symbol_for(Elementary::Sqrt, vec![inside])
    }

    /// What comes out of the square root of an expression, and what stays under it.
    pub(super) fn under_root(&mut self, a: &Expr) -> (Expr, Expr) {
        let a = self.simplify(a);
        if let Some(n) = self.as_number(&a) {
            return match exact_sqrt(&n) {
                Some(r) => (Expr::rational(&r), Expr::one()),
                None => (Expr::one(), a),
            };
        }
        let mut outside = Expr::one();
        let mut inside = Expr::one();
        if let Node::Product(c, factors) = self.node(&a) {
            match exact_sqrt(&c) {
                Some(r) => outside = outside * Expr::rational(&r),
                None => inside = inside * Expr::rational(&c),
            }
            for (b, e) in &factors {
                let base = self.expr_of(b);
                let half = e.div_euclid(2);
                let certain = matches!(self.sign(&base), Some(Sign::Positive | Sign::NonNegative));
                if half != 0 && certain {
                    outside = outside * base.powi(half);
                    inside = inside * base.powi(e - 2 * half);
                } else {
                    inside = inside * base.powi(*e);
                }
            }
        } else {
            inside = a;
        }
        match self.as_number(&inside).and_then(|n| exact_sqrt(&n)) {
            Some(r) => (outside * Expr::rational(&r), Expr::one()),
            None => (outside, inside),
        }
    }

    /// Sine and cosine of an angle: sums of angles and small integer multiples are resolved into
    /// products of sines and cosines of single angles, so that `sin^2 + cos^2 = 1` is the only
    /// relation needed. Multiples of pi/2 are exact. A coordinate with a mount is no single angle, but what it is with its mount.
    pub fn sin_cos(&mut self, angle: &Expr) -> (Expr, Expr) {
        let angle = angle.expand();
        let mut circle = (Expr::zero(), Expr::one());
        let mut rest = Vec::new();
        let mut mounts = Expr::zero();
        for term in self.terms(&angle) {
            match self.with_mount(&term) {
                Some((base, n, mount)) => {
                    let of_term = self.multiple(&base, n);
                    circle = together(&circle, &of_term);
                    mounts = mounts + mount;
                }
                None => rest.push(term),
            }
        }
        if !mounts.is_literal_zero() {
            let left: Expr = rest.iter().map(|term| self.expr_of(term)).sum();
            rest = self.terms(&(left - mounts).expand());
        }
        for term in rest {
            let of_term = self.sin_cos_term(&term);
            circle = together(&circle, &of_term);
        }
        if self.is_closed() {
            (circle.0.expand(), circle.1.expand())
        } else {
            circle
        }
    }

    /// From now on sines of a coordinate are taken by those of its sum with a mount: the angle of a joint that is mounted at an angle. Before anything
    /// takes one.
    pub fn mount(&mut self, coordinate: Var, angle: &Expr) {
        let angle = angle.expand();
        let quarters = |e: &Expr| {
            let half = Expr::int(2);
            self.of_meaning
                .get(&Meaning::Pi)
                .and_then(|pi| self.as_number(&(e * half / self.var(*pi)).expand()))
                .is_some_and(|n| n.is_integer())
        };
        if !angle.is_literal_zero() && !quarters(&angle) {
            self.mounts.insert(coordinate, angle);
        }
    }

    /// A whole multiple of a coordinate with a mount: the sum of the two, how many times, and as many times the mount.
    fn with_mount(&self, term: &Node) -> Option<(Expr, i64, Expr)> {
        if self.mounts.is_empty() {
            return None;
        }
        let coefficient = term.coefficient();
        let n = small_integer(&coefficient).filter(|n| *n != 0)?;
        let unit = self.expr_of(term) / Expr::rational(&coefficient);
        let mount = self.mounts.get(&self.as_var(&unit)?)?;
        let times = mount * Expr::rational(&coefficient);
        Some((&unit + mount, n, times))
    }

    /// The terms of a sum, or the one that it is.
    fn terms(&self, e: &Expr) -> Vec<Node> {
        match self.node(e) {
            Node::Sum(terms) => terms,
            other => vec![other],
        }
    }

    fn sin_cos_term(&mut self, t: &Node) -> (Expr, Expr) {
        let coefficient = t.coefficient();
        if coefficient.is_zero() {
            return (Expr::zero(), Expr::one());
        }
        let e = self.expr_of(t);
        let unit = &e / Expr::rational(&coefficient);
        if self
            .as_var(&unit)
            .is_some_and(|v| self.info(v).meaning == Meaning::Pi)
            && let Some(exact) = self.special(&coefficient)
        {
            return exact;
        }
        let (base, n) = match small_integer(&coefficient) {
            Some(n) => (unit, n),
            None => (
                &unit * Expr::rational(&coefficient.abs()),
                if coefficient.is_negative() { -1 } else { 1 },
            ),
        };
        self.multiple(&base, n)
    }

    /// Sine and cosine of a multiple of a single angle.
    fn multiple(&mut self, base: &Expr, n: i64) -> (Expr, Expr) {
        let once = self.circle_of(base);
        let none = (Expr::zero(), Expr::one());
        let (s, c) = (0..n.abs()).fold(none, |circle, _| together(&circle, &once));
        (if n < 0 { -s } else { s }, c)
    }

    fn circle_of(&mut self, base: &Expr) -> (Expr, Expr) {
        if base.is_literal_zero() {
            return (Expr::zero(), Expr::one());
        }
        let s = self.symbol_for(Elementary::Sin, vec![base.clone()]);
        let c = self.symbol_for(Elementary::Cos, vec![base.clone()]);
        if let (Some(sv), Some(cv)) = (self.as_var(&s), self.as_var(&c))
            && !self.circles.contains(&(sv, cv))
        {
            self.circles.push((sv, cv));
            self.simplified.clear();
        }
        (s, c)
    }

    /// Sine and cosine of `r` pi for multiples of 1/4 and 1/6.
    fn special(&mut self, r: &BigRational) -> Option<(Expr, Expr)> {
        let twelfths = r * BigRational::from_integer(12.into());
        if !twelfths.is_integer() {
            return None;
        }
        let k = num_integer::Integer::mod_floor(twelfths.numer(), &24.into()).to_i32()?;
        let s = self.sin_twelfth(k)?;
        let c = self.sin_twelfth((k + 6) % 24)?;
        Some((s, c))
    }

    fn sin_twelfth(&mut self, k: i32) -> Option<Expr> {
        let (k, sign) = if k >= 12 { (k - 12, -1) } else { (k, 1) };
        let k = if k > 6 { 12 - k } else { k };
        let half = Expr::one() / Expr::int(2);
        let value = match k {
            0 => Expr::zero(),
            2 => half,
            3 => self.sqrt(&Expr::int(2)) * half,
            4 => self.sqrt(&Expr::int(3)) * half,
            6 => Expr::one(),
            _ => return None,
        };
        Some(Expr::int(sign) * value)
    }

    /// An expression from its tree.
    pub fn expr_of(&self, n: &Node) -> Expr {
        match n {
            Node::Number(r) => Expr::rational(r),
            Node::Var(v) => self.var(*v),
            Node::Sum(t) => t.iter().map(|t| self.expr_of(t)).sum(),
            Node::Product(c, f) => f
                .iter()
                .fold(Expr::rational(c), |p, (b, e)| p * self.expr_of(b).powi(*e)),
        }
    }

    /// Pairs (sine, cosine) of the base angles.
    pub(super) fn circles(&self) -> &[(Var, Var)] {
        &self.circles
    }
}

/// Sine and cosine of a sum, by those of the two angles.
fn together((s, c): &(Expr, Expr), (other_s, other_c): &(Expr, Expr)) -> (Expr, Expr) {
    (s * other_c + c * other_s, c * other_c - s * other_s)
}

/// A coefficient whose multiple of an angle is resolved.
fn small_integer(coefficient: &BigRational) -> Option<i64> {
    let n = coefficient.to_i64()?;
    (coefficient.is_integer() && n.abs() <= 4).then_some(n)
}

/// The value at the numbers 0 and 1, if it is a whole one.
fn exact(k: Elementary, a: &Expr) -> Option<Expr> {
    let [at_zero, at_one] = k.row().exact;
    let value = if a.is_literal_zero() {
        at_zero
    } else if a.is_literal_one() {
        at_one
    } else {
        None
    };
    Some(Expr::int(value?.into()))
}

fn exact_sqrt(r: &BigRational) -> Option<BigRational> {
    if r.is_negative() {
        return None;
    }
    // A denominator is 1 or more, and so is its root.
    let root = BigRational::new(r.numer().sqrt(), r.denom().sqrt());
    (&root * &root == *r).then_some(root)
}
