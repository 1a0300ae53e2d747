//! Functions that are not rational: each application to given arguments is one pool symbol, after
//! what is known about it has been used (parity, sums of angles, special values).

use super::expr::{Expr, Var};
use super::node::Node;
use super::{Algebra, Class, Meaning};
use crate::model::system::Sign;
use crate::notation::Relation;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

/// Known functions; `Choice*` take (left, right, then, other).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Kernel {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Sqrt,
    Exp,
    Ln,
    Abs,
    Sign,
    Min,
    Max,
    Pow,
    ChoiceLess,
    ChoiceLessEqual,
    ChoiceGreater,
    ChoiceGreaterEqual,
}

impl Kernel {
    /// The name in model text.
    pub fn text(self) -> &'static str {
        match self {
            Kernel::Sin => "sin",
            Kernel::Cos => "cos",
            Kernel::Tan => "tan",
            Kernel::Asin => "asin",
            Kernel::Acos => "acos",
            Kernel::Atan => "atan",
            Kernel::Atan2 => "atan2",
            Kernel::Sinh => "sinh",
            Kernel::Cosh => "cosh",
            Kernel::Tanh => "tanh",
            Kernel::Asinh => "asinh",
            Kernel::Acosh => "acosh",
            Kernel::Atanh => "atanh",
            Kernel::Sqrt => "sqrt",
            Kernel::Exp => "exp",
            Kernel::Ln => "ln",
            Kernel::Abs => "abs",
            Kernel::Sign => "sign",
            Kernel::Min => "min",
            Kernel::Max => "max",
            Kernel::Pow => "pow",
            Kernel::ChoiceLess => "if_less",
            Kernel::ChoiceLessEqual => "if_less_equal",
            Kernel::ChoiceGreater => "if_greater",
            Kernel::ChoiceGreaterEqual => "if_greater_equal",
        }
    }
}

impl Kernel {
    /// Whether it takes one of two values.
    pub fn is_choice(self) -> bool {
        self.relation().is_some()
    }

    /// What a choice asks of its first two arguments.
    pub fn relation(self) -> Option<Relation> {
        match self {
            Kernel::ChoiceLess => Some(Relation::Less),
            Kernel::ChoiceLessEqual => Some(Relation::LessEqual),
            Kernel::ChoiceGreater => Some(Relation::Greater),
            Kernel::ChoiceGreaterEqual => Some(Relation::GreaterEqual),
            _ => None,
        }
    }
}

impl Algebra {
    /// Applies a function to arguments.
    pub fn apply(&mut self, k: Kernel, args: Vec<Expr>) -> Expr {
        let args: Vec<Expr> = if self.is_closed() {
            args.iter().map(|a| self.simplify(a)).collect()
        } else {
            args
        };
        match (k, args.as_slice()) {
            (Kernel::Sin, [a]) => self.sin_cos(a).0,
            (Kernel::Cos, [a]) => self.sin_cos(a).1,
            (Kernel::Tan, [a]) => {
                let (s, c) = self.sin_cos(a);
                s / c
            }
            (Kernel::Sqrt, [a]) => self.sqrt(a),
            (Kernel::Exp, [a]) if a.is_literal_zero() => Expr::one(),
            (Kernel::Ln, [a]) if a.is_literal_one() => Expr::zero(),
            (
                Kernel::Asin
                | Kernel::Atan
                | Kernel::Sinh
                | Kernel::Tanh
                | Kernel::Asinh
                | Kernel::Atanh
                | Kernel::Sign
                | Kernel::Abs,
                [a],
            ) if a.is_literal_zero() => Expr::zero(),
            (Kernel::Cosh, [a]) if a.is_literal_zero() => Expr::one(),
            (Kernel::Abs, [a]) => match self.as_number(a) {
                Some(n) => Expr::rational(&n.abs()),
                None => match self.sign(a) {
                    Some(Sign::Positive | Sign::NonNegative) => a.clone(),
                    Some(Sign::Negative | Sign::NonPositive) => -a,
                    _ => self.symbol_for(k, args),
                },
            },
            (Kernel::Sign, [a]) => match self.sign(a) {
                Some(Sign::Positive) => Expr::one(),
                Some(Sign::Negative) => Expr::int(-1),
                _ => self.symbol_for(k, args),
            },
            (Kernel::Pow, [b, e]) => match self.as_number(e) {
                Some(n) if n.is_integer() => n
                    .to_i32()
                    .map_or_else(|| self.symbol_for(k, args.clone()), |n| b.powi(n)),
                Some(n) if *n.denom() == 2.into() => {
                    let twice = (n * BigRational::from_integer(2.into())).to_i32();
                    match twice {
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

    fn symbol_for(&mut self, k: Kernel, args: Vec<Expr>) -> Expr {
        let meaning = Meaning::Kernel(k, args.clone());
        if let Some(v) = self.of_meaning.get(&meaning) {
            return self.var(*v);
        }
        let texts: Vec<String> = args.iter().map(|a| self.text(a)).collect();
        let name = match (k.relation(), texts.as_slice()) {
            (Some(relation), [left, right, then, other]) => {
                let sign = relation.text();
                format!("(if {left} {sign} {right} then {then} else {other})")
            }
            _ => format!("{}({})", k.text(), texts.join(", ")),
        };
        let sign = match k {
            Kernel::Exp | Kernel::Cosh => Some(Sign::Positive),
            Kernel::Sqrt => match self.sign(&args[0]) {
                Some(Sign::Positive) => Some(Sign::Positive),
                _ => Some(Sign::NonNegative),
            },
            Kernel::Abs => match self.sign(&args[0]) {
                Some(Sign::NonZero) => Some(Sign::Positive),
                _ => Some(Sign::NonNegative),
            },
            Kernel::Pow => self.sign(&args[0]).filter(|s| *s == Sign::Positive),
            k if k.is_choice() => self.sign_of_either(&args[2], &args[3]),
            Kernel::Acosh => Some(Sign::NonNegative),
            _ => None,
        };
        let v = self.push(name, Class::Kernel, meaning, sign);
        self.var(v)
    }

    /// Square root; perfect squares of quantities whose sign is known come out of it.
    fn sqrt(&mut self, a: &Expr) -> Expr {
        let a = self.simplify(a);
        if let Some(n) = self.as_number(&a) {
            if let Some(r) = exact_sqrt(&n) {
                return Expr::rational(&r);
            }
            return self.symbol_for(Kernel::Sqrt, vec![a]);
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
        if inside.is_literal_one() {
            return outside;
        }
        if let Some(n) = self.as_number(&inside)
            && let Some(r) = exact_sqrt(&n)
        {
            return outside * Expr::rational(&r);
        }
        outside * self.symbol_for(Kernel::Sqrt, vec![inside])
    }

    /// Sine and cosine of an angle: sums of angles and small integer multiples are resolved into
    /// products of sines and cosines of single angles, so that `sin^2 + cos^2 = 1` is the only
    /// relation needed. Multiples of pi/2 are exact.
    pub fn sin_cos(&mut self, angle: &Expr) -> (Expr, Expr) {
        let angle = angle.expand();
        let terms = match self.node(&angle) {
            Node::Sum(t) => t,
            other => vec![other],
        };
        let mut s = Expr::zero();
        let mut c = Expr::one();
        for t in terms {
            let (ts, tc) = self.sin_cos_term(&t);
            let new_s = &s * &tc + &c * &ts;
            c = &c * &tc - &s * &ts;
            s = new_s;
        }
        if self.is_closed() {
            (s.expand(), c.expand())
        } else {
            (s, c)
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
        let n = coefficient
            .to_i64()
            .filter(|n| coefficient.is_integer() && n.abs() <= 4);
        let (base, n) = match n {
            Some(n) => (unit, n),
            None => (
                &unit * Expr::rational(&coefficient.abs()),
                if coefficient.is_negative() { -1 } else { 1 },
            ),
        };
        let (s1, c1) = self.circle_of(&base);
        let (mut s, mut c) = (Expr::zero(), Expr::one());
        for _ in 0..n.abs() {
            let new_s = &s * &c1 + &c * &s1;
            c = &c * &c1 - &s * &s1;
            s = new_s;
        }
        (if n < 0 { -s } else { s }, c)
    }

    fn circle_of(&mut self, base: &Expr) -> (Expr, Expr) {
        if base.is_literal_zero() {
            return (Expr::zero(), Expr::one());
        }
        let s = self.symbol_for(Kernel::Sin, vec![base.clone()]);
        let c = self.symbol_for(Kernel::Cos, vec![base.clone()]);
        if let (Some(sv), Some(cv)) = (self.as_var(&s), self.as_var(&c))
            && !self.circles.contains(&(sv, cv))
        {
            self.circles.push((sv, cv));
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

    /// Derivative of the application `v = k(args)` with respect to argument `i`.
    pub(super) fn kernel_partial(&mut self, v: Var, k: Kernel, args: &[Expr], i: usize) -> Expr {
        let me = self.var(v);
        let a = args[0].clone();
        let one = Expr::one();
        match k {
            Kernel::Sin => self.sin_cos(&a).1,
            Kernel::Cos => -self.sin_cos(&a).0,
            Kernel::Tan => one + me.powi(2),
            Kernel::Asin => one / self.sqrt(&(Expr::one() - a.powi(2))),
            Kernel::Acos => Expr::int(-1) / self.sqrt(&(Expr::one() - a.powi(2))),
            Kernel::Atan => one / (Expr::one() + a.powi(2)),
            Kernel::Atan2 => {
                let x = args[1].clone();
                let d = a.powi(2) + x.powi(2);
                if i == 0 { x / d } else { -a / d }
            }
            Kernel::Sinh => self.apply(Kernel::Cosh, vec![a]),
            Kernel::Cosh => self.apply(Kernel::Sinh, vec![a]),
            Kernel::Tanh => one - me.powi(2),
            Kernel::Asinh => one / self.sqrt(&(a.powi(2) + Expr::one())),
            Kernel::Acosh => one / self.sqrt(&(a.powi(2) - Expr::one())),
            Kernel::Atanh => one / (Expr::one() - a.powi(2)),
            Kernel::Sqrt => one / (Expr::int(2) * me),
            Kernel::Exp => me,
            Kernel::Ln => one / a,
            Kernel::Abs => self.apply(Kernel::Sign, vec![a]),
            Kernel::Sign => Expr::zero(),
            // d min = the chosen one's; at equality the first.
            Kernel::Min | Kernel::Max => {
                let choice = if k == Kernel::Min {
                    Kernel::ChoiceLessEqual
                } else {
                    Kernel::ChoiceGreaterEqual
                };
                let (then, other) = if i == 0 {
                    (Expr::one(), Expr::zero())
                } else {
                    (Expr::zero(), Expr::one())
                };
                self.apply(choice, vec![a, args[1].clone(), then, other])
            }
            Kernel::Pow => {
                let e = args[1].clone();
                if i == 0 {
                    let lower = self.apply(Kernel::Pow, vec![a, &e - Expr::one()]);
                    e * lower
                } else {
                    me * self.apply(Kernel::Ln, vec![a])
                }
            }
            Kernel::ChoiceLess
            | Kernel::ChoiceLessEqual
            | Kernel::ChoiceGreater
            | Kernel::ChoiceGreaterEqual => {
                self.witness
                    .note("a choice is differentiated branch by branch");
                Expr::zero()
            }
        }
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

fn exact_sqrt(r: &BigRational) -> Option<BigRational> {
    if r.is_negative() {
        return None;
    }
    // A denominator is 1 or more, and so is its root.
    let root = BigRational::new(r.numer().sqrt(), r.denom().sqrt());
    (&root * &root == *r).then_some(root)
}
