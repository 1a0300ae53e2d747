//! Expressions as text: composed from their operands with no parentheses but the needed ones.
//!
//! What is written evaluates to the same bits as the instruction it comes from. Only identities
//! that hold in IEEE 754 arithmetic are used to make it read better: the operands of one sum or one
//! product may be exchanged, and `a + (-c)*x` is `a - c*x`.

use super::layout::{Choice, width};
use super::module::{Math, Scalar, Style};
use crate::ir::{Binary, Comparison, Unary};

/// How tightly an expression holds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// `if a < b { c } else { d }`
    Select,
    /// `a + b`
    Sum,
    /// `a * b`
    Product,
    /// `-a`
    Negation,
    /// A name, a number, a call.
    Atom,
}

/// The operation at the top.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Head {
    Literal(f64),
    /// A parameter or input.
    Given,
    Sum,
    Product,
    Quotient,
    /// A lesser or greater of two.
    Extremum,
    Other,
}

/// An expression's text and what is needed to put it into a larger one.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    text: String,
    strength: Strength,
    head: Head,
    /// Nested operations; a chain of sums or products counts as one.
    depth: u8,
    /// The text of its negative, for expressions that start with a minus sign: literals and
    /// products with a negative literal.
    negative: Option<String>,
    /// Whether it is made of literals alone, whose type rustc doesn't know yet.
    untyped: bool,
    /// Where the operator stands if this is one operation on two atoms.
    operator: Option<usize>,
    /// The parts of a selection, which has a layout of its own.
    choice: Option<Box<Choice>>,
    /// Whether an argument list in it is too wide for one line.
    crowded: bool,
    /// Of a product: both factors, and the negative of the first if it is known.
    factors: Option<(String, String, Option<String>)>,
}

/// Widest argument list on one line, and widest chain of methods.
const LIST: usize = 60;

impl Expr {
    /// A name or anything else that holds together by itself.
    pub fn atom(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            strength: Strength::Atom,
            head: Head::Other,
            depth: 0,
            negative: None,
            untyped: false,
            operator: None,
            choice: None,
            crowded: false,
            factors: None,
        }
    }

    /// An atom that is constant during a run: written first in products.
    pub fn given(text: impl Into<String>) -> Self {
        Self {
            head: Head::Given,
            ..Self::atom(text)
        }
    }

    /// A number.
    pub fn number(number: f64, scalar: Scalar) -> Self {
        let negative = number.is_sign_negative();
        let generic = scalar == Scalar::Generic;
        Self {
            strength: if negative && !generic {
                Strength::Negation
            } else {
                Strength::Atom
            },
            head: Head::Literal(number),
            untyped: !generic,
            negative: negative.then(|| scalar.literal(-number)),
            ..Self::atom(scalar.literal(number))
        }
    }

    /// What is written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is short and plain enough to be read at a glance.
    pub fn is_plain(&self) -> bool {
        /// Widest expression, so that most fit on a line with what they are assigned to.
        const WIDE: usize = 72;
        /// Most nested operations.
        const DEEP: u8 = 3;
        self.depth <= DEEP && !self.crowded && width(&self.text) <= WIDE
    }

    /// Whether it is a name, a number or their like, which may be written any number of times.
    pub fn is_atom(&self) -> bool {
        self.depth == 0
    }

    /// Where the operator stands in the text, if this is one operation on two atoms.
    pub fn operator(&self) -> Option<usize> {
        self.operator
    }

    /// The parts, if it is a selection.
    pub fn choice(&self) -> Option<&Choice> {
        self.choice.as_deref()
    }

    /// Whether it may stand inside an operation of the given kind: not where clippy would read the
    /// two together as another idiom, nor where rustc would not know its type.
    pub fn fits_into(&self, op: Option<Binary>) -> bool {
        match self.head {
            Head::Literal(_) => true,
            Head::Extremum => !matches!(op, Some(Binary::Min | Binary::Max)),
            _ => self.strength > Strength::Select && !self.untyped,
        }
    }

    /// What follows the name of a variable that holds it: a type if there has to be one.
    pub fn annotation(&self, scalar: Scalar) -> String {
        match self.untyped {
            true => format!(": {}", scalar.type_name()),
            false => String::new(),
        }
    }

    /// `op a`
    pub fn unary(op: Unary, a: &Self, style: impl Into<Style>) -> Self {
        let style = style.into();
        let (method, function) = match op {
            Unary::Neg => return Self::negation(a, style.scalar),
            Unary::Sign if style.scalar == Scalar::Generic => ("sign", ""),
            Unary::Sign => return Self::function("sign", &[a]),
            Unary::Abs => return Self::method(a, "abs", &[], style.scalar),
            Unary::Sin => ("sin", "sin"),
            Unary::Cos => ("cos", "cos"),
            Unary::Tan => ("tan", "tan"),
            Unary::Asin => ("asin", "asin"),
            Unary::Acos => ("acos", "acos"),
            Unary::Atan => ("atan", "atan"),
            Unary::Sinh => ("sinh", "sinh"),
            Unary::Cosh => ("cosh", "cosh"),
            Unary::Tanh => ("tanh", "tanh"),
            Unary::Asinh => ("asinh", "asinh"),
            Unary::Acosh => ("acosh", "acosh"),
            Unary::Atanh => ("atanh", "atanh"),
            Unary::Sqrt => ("sqrt", "sqrt"),
            Unary::Exp => ("exp", "exp"),
            Unary::Ln => ("ln", "log"),
        };
        match (style.math, style.scalar) {
            (Math::Inline, Scalar::F64 | Scalar::F32) if matches!(op, Unary::Sin | Unary::Cos) => {
                let both = Self::function("sincos", &[a]);
                let entry = if op == Unary::Sin { ".0" } else { ".1" };
                Self {
                    text: both.text.clone() + entry,
                    ..both
                }
            }
            (Math::Std | Math::Inline, _) | (_, Scalar::Generic) => {
                Self::method(a, method, &[], style.scalar)
            }
            (Math::Libm, Scalar::F64) => Self::function(&format!("libm::{function}"), &[a]),
            (Math::Libm, Scalar::F32) => Self::function(&format!("libm::{function}f"), &[a]),
        }
    }

    /// Sine and cosine of one angle, as a pair.
    pub fn sin_cos(a: &Self, style: impl Into<Style>) -> Self {
        let style = style.into();
        match (style.math, style.scalar) {
            (Math::Std, _) | (_, Scalar::Generic) => Self::method(a, "sin_cos", &[], style.scalar),
            (Math::Inline, _) => Self::function("sincos", &[a]),
            (Math::Libm, Scalar::F64) => Self::function("libm::sincos", &[a]),
            (Math::Libm, Scalar::F32) => Self::function("libm::sincosf", &[a]),
        }
    }

    /// `a op b`
    pub fn binary(op: Binary, a: &Self, b: &Self, style: impl Into<Style>) -> Self {
        let style = style.into();
        let scalar = style.scalar;
        let (method, function) = match op {
            Binary::Add => {
                return Self::fused(a, b, false, style).unwrap_or_else(|| Self::sum(a, b));
            }
            Binary::Sub => {
                let fused = Self::fused(a, b, true, style);
                return fused.unwrap_or_else(|| Self::difference(a, b));
            }
            Binary::Mul => return Self::product(a, b),
            Binary::Div => return Self::quotient(a, b),
            Binary::Min => return Self::extremum(a, "min", b, scalar),
            Binary::Max => return Self::extremum(a, "max", b, scalar),
            Binary::Atan2 => ("atan2", "atan2"),
            Binary::Pow => ("powf", "pow"),
        };
        match (style.math, scalar) {
            (Math::Std | Math::Inline, _) | (_, Scalar::Generic) => {
                Self::method(a, method, &[b], scalar)
            }
            (Math::Libm, Scalar::F64) => Self::function(&format!("libm::{function}"), &[a, b]),
            (Math::Libm, Scalar::F32) => Self::function(&format!("libm::{function}f"), &[a, b]),
        }
    }

    /// `if left test right { then } else { other }`
    pub fn select(test: Comparison, [left, right, then, other]: [&Self; 4]) -> Self {
        let test = match test {
            Comparison::Less => "<",
            Comparison::LessEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterEqual => ">=",
        };
        let choice = Choice {
            left: left.text.clone(),
            right: format!("{test} {right}"),
            then: then.text.clone(),
            other: other.text.clone(),
        };
        let operands = [left, right, then, other];
        Self {
            strength: Strength::Select,
            depth: 1 + operands.iter().map(|e| e.depth).max().unwrap_or(0),
            crowded: operands.iter().any(|e| e.crowded),
            untyped: then.untyped && other.untyped,
            choice: Some(Box::new(choice.clone())),
            ..Self::atom(choice.to_string())
        }
    }

    fn negation(a: &Self, scalar: Scalar) -> Self {
        if let Head::Literal(number) = a.head {
            return Self::number(-number, scalar);
        }
        let text = match a.strength {
            Strength::Atom => format!("-{}", a.text),
            _ => format!("-({})", a.text),
        };
        Self {
            text,
            strength: Strength::Negation,
            head: Head::Other,
            depth: a.depth,
            negative: None,
            untyped: a.untyped,
            operator: None,
            choice: None,
            crowded: a.crowded,
            factors: None,
        }
    }

    /// `a + b` or `a - b` with one rounding, if that is asked for and one of the two is a product.
    fn fused(a: &Self, b: &Self, minus: bool, style: Style) -> Option<Self> {
        if !style.fma {
            return None;
        }
        let negative = |e: &Self| match &e.negative {
            Some(text) => text.clone(),
            None => Self::negation(e, style.scalar).text,
        };
        let (product, x, addend) = match (&a.factors, &b.factors) {
            (_, Some(factors)) if !minus => (factors, factors.0.clone(), a.text.clone()),
            (_, Some(factors)) => {
                let x = &factors.0;
                let negated = match (&factors.2, x.starts_with(|c: char| c.is_alphanumeric())) {
                    (Some(negative), _) => negative.clone(),
                    (None, true) if !x.contains([' ', '(']) => format!("-{x}"),
                    _ => format!("-({x})"),
                };
                (factors, negated, a.text.clone())
            }
            (Some(factors), None) if minus => (factors, factors.0.clone(), negative(b)),
            (Some(factors), None) => (factors, factors.0.clone(), b.text.clone()),
            (None, None) => return None,
        };
        let function = match style.math {
            Math::Libm if style.scalar == Scalar::F32 => "libm::fmaf".to_owned(),
            Math::Libm => "libm::fma".to_owned(),
            _ => format!("{}::mul_add", style.scalar.type_name()),
        };
        let list = format!("{x}, {}, {addend}", product.1);
        Some(Self {
            depth: 1 + a.depth.max(b.depth),
            crowded: width(&list) > LIST || a.crowded || b.crowded,
            ..Self::atom(format!("{function}({list})"))
        })
    }

    fn sum(a: &Self, b: &Self) -> Self {
        // The one that needs no parentheses on the left: a chain, or what doesn't start with a minus sign.
        let exchange = match (a.head, b.head) {
            (Head::Sum, _) => false,
            (_, Head::Sum) => true,
            _ => a.negative.is_some() && b.negative.is_none(),
        };
        let (a, b) = if exchange { (b, a) } else { (a, b) };
        let text = match &b.negative {
            Some(negative) => format!("{} - {negative}", a.text),
            None => format!("{} + {}", a.text, b.within(Strength::Product)),
        };
        Self::chained(text, Strength::Sum, Head::Sum, a, b)
    }

    fn difference(a: &Self, b: &Self) -> Self {
        let text = match &b.negative {
            Some(negative) => format!("{} + {negative}", a.text),
            None => format!("{} - {}", a.text, b.within(Strength::Product)),
        };
        Self::chained(text, Strength::Sum, Head::Sum, a, b)
    }

    fn product(a: &Self, b: &Self) -> Self {
        // Numbers first, then chains, then parameters.
        let rank = |e: &Self| match e.head {
            Head::Literal(_) => 0,
            Head::Product => 1,
            Head::Given => 2,
            _ => 3,
        };
        let (a, b) = if rank(b) < rank(a) { (b, a) } else { (a, b) };
        let right = b.within(Strength::Negation);
        let left = match a.head {
            // `a / b * c` would be right, but not as one reads it.
            Head::Quotient => format!("({})", a.text),
            _ => a.within(Strength::Product),
        };
        let mut product = Self::chained(
            format!("{left} * {right}"),
            Strength::Product,
            Head::Product,
            a,
            b,
        );
        if let (Head::Literal(_) | Head::Product, Some(negative)) = (a.head, &a.negative) {
            product.negative = Some(format!("{negative} * {right}"));
        }
        product.factors = Some((a.text.clone(), b.text.clone(), a.negative.clone()));
        product
    }

    fn quotient(a: &Self, b: &Self) -> Self {
        let left = match a.head {
            Head::Quotient => format!("({})", a.text),
            _ => a.within(Strength::Product),
        };
        let right = b.within(Strength::Negation);
        let mut quotient = Self::chained(
            format!("{left} / {right}"),
            Strength::Product,
            Head::Quotient,
            a,
            b,
        );
        if let (Head::Literal(_) | Head::Product, Some(negative)) = (a.head, &a.negative) {
            quotient.negative = Some(format!("{negative} / {right}"));
        }
        quotient
    }

    fn chained(text: String, strength: Strength, head: Head, a: &Self, b: &Self) -> Self {
        let continues = a.head == head && matches!(head, Head::Sum | Head::Product);
        let left = if continues { a.depth } else { a.depth + 1 };
        let plain = a.strength == Strength::Atom && b.is_atom();
        let operator = plain.then_some(a.text.len() + 1);
        Self {
            text,
            strength,
            head,
            depth: left.max(b.depth + 1),
            negative: None,
            untyped: a.untyped && b.untyped,
            operator,
            choice: None,
            crowded: a.crowded || b.crowded,
            factors: None,
        }
    }

    fn extremum(a: &Self, method: &str, b: &Self, scalar: Scalar) -> Self {
        Self {
            head: Head::Extremum,
            ..Self::method(a, method, &[b], scalar)
        }
    }

    fn method(receiver: &Self, method: &str, args: &[&Self], scalar: Scalar) -> Self {
        let name = scalar.type_name();
        let on = match receiver.head {
            _ if scalar == Scalar::Generic => receiver.within(Strength::Atom),
            // A bare literal has no methods: its type isn't known yet.
            Head::Literal(_) if receiver.strength == Strength::Atom => {
                format!("{}_{name}", receiver.text)
            }
            Head::Literal(_) => format!("({}_{name})", receiver.text),
            _ => receiver.within(Strength::Atom),
        };
        let all: Vec<&Self> = std::iter::once(receiver)
            .chain(args.iter().copied())
            .collect();
        Self::called(&format!("{on}.{method}"), args, &all)
    }

    fn function(name: &str, args: &[&Self]) -> Self {
        Self::called(name, args, args)
    }

    fn called(function: &str, args: &[&Self], operands: &[&Self]) -> Self {
        let args: Vec<&str> = args.iter().map(|arg| arg.text()).collect();
        let args = args.join(", ");
        let depth = operands.iter().map(|operand| operand.depth).max();
        let text = format!("{function}({args})");
        let chain = function.matches('.').count() > 1 && width(&text) > LIST;
        Self {
            depth: 1 + depth.unwrap_or(0),
            crowded: chain || width(&args) > LIST || operands.iter().any(|e| e.crowded),
            ..Self::atom(text)
        }
    }

    /// In parentheses if it is weaker than asked for.
    fn within(&self, strength: Strength) -> String {
        if self.strength < strength {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }
}

impl std::fmt::Display for Expr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(a: &Expr, b: &Expr) -> Expr {
        Expr::binary(Binary::Add, a, b, Math::Std)
    }
    fn sub(a: &Expr, b: &Expr) -> Expr {
        Expr::binary(Binary::Sub, a, b, Math::Std)
    }
    fn mul(a: &Expr, b: &Expr) -> Expr {
        Expr::binary(Binary::Mul, a, b, Math::Std)
    }
    fn div(a: &Expr, b: &Expr) -> Expr {
        Expr::binary(Binary::Div, a, b, Math::Std)
    }
    fn neg(a: &Expr) -> Expr {
        Expr::unary(Unary::Neg, a, Math::Std)
    }

    #[test]
    fn parentheses_stand_where_the_order_needs_them() {
        let [a, b, c, d] = ["a", "b", "c", "d"].map(Expr::atom);
        let two = Expr::number(2.0, Scalar::F64);
        let minus = Expr::number(-0.5, Scalar::F64);
        let table = [
            (add(&add(&a, &b), &c), "a + b + c"),
            (add(&a, &add(&b, &c)), "b + c + a"),
            (add(&add(&a, &b), &add(&c, &d)), "a + b + (c + d)"),
            (sub(&a, &sub(&b, &c)), "a - (b - c)"),
            (sub(&a, &add(&b, &c)), "a - (b + c)"),
            (sub(&sub(&a, &b), &c), "a - b - c"),
            (mul(&a, &mul(&b, &c)), "b * c * a"),
            (mul(&mul(&a, &b), &mul(&c, &d)), "a * b * (c * d)"),
            (mul(&add(&a, &b), &c), "(a + b) * c"),
            (mul(&a, &div(&b, &c)), "a * (b / c)"),
            (mul(&div(&a, &b), &c), "(a / b) * c"),
            (div(&mul(&a, &b), &mul(&c, &d)), "a * b / (c * d)"),
            (div(&div(&a, &b), &c), "(a / b) / c"),
            (div(&a, &div(&b, &c)), "a / (b / c)"),
            (div(&neg(&mul(&a, &b)), &add(&c, &d)), "-(a * b) / (c + d)"),
            (neg(&div(&a, &b)), "-(a / b)"),
            (neg(&neg(&a)), "-(-a)"),
            (mul(&a, &neg(&b)), "a * -b"),
            (sub(&a, &neg(&b)), "a - -b"),
            (mul(&a, &two), "2.0 * a"),
            (mul(&mul(&a, &b), &two), "2.0 * (a * b)"),
            (add(&a, &minus), "a - 0.5"),
            (add(&minus, &a), "a - 0.5"),
            (sub(&a, &minus), "a + 0.5"),
            (add(&a, &mul(&minus, &b)), "a - 0.5 * b"),
            (add(&mul(&minus, &b), &a), "a - 0.5 * b"),
            (sub(&a, &mul(&minus, &b)), "a + 0.5 * b"),
            (
                add(&mul(&minus, &a), &mul(&minus, &b)),
                "-0.5 * a - 0.5 * b",
            ),
            (mul(&Expr::given("p.m"), &a), "p.m * a"),
            (mul(&a, &Expr::given("p.m")), "p.m * a"),
        ];
        for (expr, text) in table {
            assert_eq!(expr.text(), text);
        }
    }

    #[test]
    fn methods_bind_to_what_they_are_given() {
        let [a, b] = ["a", "b"].map(Expr::atom);
        let sin = |e: &Expr| Expr::unary(Unary::Sin, e, Math::Std).to_string();
        assert_eq!(sin(&a), "a.sin()");
        assert_eq!(sin(&add(&a, &b)), "(a + b).sin()");
        assert_eq!(sin(&neg(&a)), "(-a).sin()");
        assert_eq!(sin(&Expr::number(2.0, Scalar::F64)), "2.0_f64.sin()");
        assert_eq!(sin(&Expr::number(-2.0, Scalar::F64)), "(-2.0_f64).sin()");
        assert_eq!(
            neg(&Expr::unary(Unary::Sin, &a, Math::Std)).text(),
            "-a.sin()"
        );
        let ln = Expr::unary(Unary::Ln, &add(&a, &b), Math::Libm);
        assert_eq!(ln.text(), "libm::log(a + b)");
        let power = Expr::binary(Binary::Pow, &a, &b, Math::Std);
        assert_eq!(power.text(), "a.powf(b)");
        let least = Expr::binary(Binary::Min, &a, &add(&a, &b), Math::Libm);
        assert_eq!(least.text(), "a.min(a + b)");
        assert!(!least.fits_into(Some(Binary::Max)) && least.fits_into(Some(Binary::Add)));
    }

    #[test]
    fn other_scalars_have_their_own_numbers_and_functions() {
        let [a, b] = ["a", "b"].map(Expr::atom);
        let style = |math, scalar| Style {
            math,
            scalar,
            ..Style::default()
        };
        let single = style(Math::Std, Scalar::F32);
        let number = Expr::number(-0.1, Scalar::F32);
        assert_eq!(
            Expr::unary(Unary::Sin, &number, single).text(),
            "(-0.1_f32).sin()"
        );
        let libm = style(Math::Libm, Scalar::F32);
        assert_eq!(Expr::unary(Unary::Ln, &a, libm).text(), "libm::logf(a)");
        assert_eq!(
            Expr::binary(Binary::Pow, &a, &b, libm).text(),
            "libm::powf(a, b)"
        );
        let generic = style(Math::Libm, Scalar::Generic);
        let minus = Expr::number(-0.5, Scalar::Generic);
        let sum = Expr::binary(Binary::Add, &a, &minus, generic);
        assert_eq!(sum.text(), "a - T::from_f64(0.5)");
        let product = Expr::binary(Binary::Mul, &a, &minus, generic);
        assert_eq!(product.text(), "T::from_f64(-0.5) * a");
        assert_eq!(
            Expr::unary(Unary::Neg, &minus, generic).text(),
            "T::from_f64(0.5)"
        );
        assert_eq!(
            Expr::unary(Unary::Sign, &sum, generic).text(),
            "(a - T::from_f64(0.5)).sign()"
        );
        assert_eq!(minus.annotation(Scalar::Generic), "");
        assert_eq!(number.annotation(Scalar::F32), ": f32");
    }

    #[test]
    fn sines_of_the_module_are_pairs() {
        let a = Expr::atom("a");
        let sin = Expr::unary(Unary::Sin, &a, Math::Inline);
        assert_eq!(sin.text(), "sincos(a).0");
        assert_eq!(neg(&sin).text(), "-sincos(a).0");
        assert_eq!(
            Expr::unary(Unary::Cos, &a, Math::Inline).text(),
            "sincos(a).1"
        );
        assert_eq!(Expr::sin_cos(&a, Math::Inline).text(), "sincos(a)");
        assert_eq!(Expr::unary(Unary::Tan, &a, Math::Inline).text(), "a.tan()");
        let generic = Style {
            math: Math::Inline,
            scalar: Scalar::Generic,
            ..Style::default()
        };
        assert_eq!(Expr::unary(Unary::Sin, &a, generic).text(), "a.sin()");
    }

    #[test]
    fn sums_with_products_are_fused_where_asked_for() {
        let [a, b, c, d] = ["a", "b", "c", "d"].map(Expr::atom);
        let style = Style {
            fma: true,
            ..Style::default()
        };
        let plus = |x: &Expr, y: &Expr| Expr::binary(Binary::Add, x, y, style);
        let minus = |x: &Expr, y: &Expr| Expr::binary(Binary::Sub, x, y, style);
        let half = Expr::number(-0.5, Scalar::F64);
        let table = [
            (plus(&mul(&a, &b), &c), "f64::mul_add(a, b, c)"),
            (plus(&c, &mul(&a, &b)), "f64::mul_add(a, b, c)"),
            (minus(&mul(&a, &b), &c), "f64::mul_add(a, b, -c)"),
            (minus(&c, &mul(&a, &b)), "f64::mul_add(-a, b, c)"),
            (
                minus(&mul(&a, &b), &mul(&c, &d)),
                "f64::mul_add(-c, d, a * b)",
            ),
            (
                plus(&mul(&a, &b), &mul(&c, &d)),
                "f64::mul_add(c, d, a * b)",
            ),
            (minus(&c, &mul(&half, &b)), "f64::mul_add(0.5, b, c)"),
            (minus(&mul(&a, &b), &half), "f64::mul_add(a, b, 0.5)"),
            (
                minus(&d, &mul(&mul(&a, &b), &c)),
                "f64::mul_add(-(a * b), c, d)",
            ),
            (
                minus(&mul(&a, &b), &add(&c, &d)),
                "f64::mul_add(a, b, -(c + d))",
            ),
            (
                plus(&add(&a, &b), &mul(&neg(&c), &d)),
                "f64::mul_add(-c, d, a + b)",
            ),
            (minus(&a, &mul(&neg(&c), &d)), "f64::mul_add(-(-c), d, a)"),
            (plus(&a, &b), "a + b"),
            (minus(&a, &div(&b, &c)), "a - b / c"),
        ];
        for (expr, text) in table {
            assert_eq!(expr.text(), text);
        }
        let libm = Style {
            math: Math::Libm,
            ..style
        };
        let sum = Expr::binary(Binary::Add, &mul(&a, &b), &c, libm);
        assert_eq!(sum.text(), "libm::fma(a, b, c)");
    }

    #[test]
    fn chains_are_not_deep() {
        let [a, b, c] = ["a", "b", "c"].map(Expr::atom);
        assert_eq!(a.depth, 0);
        assert_eq!(mul(&mul(&a, &b), &c).depth, 1);
        assert_eq!(neg(&mul(&a, &b)).depth, 1);
        assert_eq!(add(&mul(&a, &b), &mul(&b, &c)).depth, 2);
        assert_eq!(div(&neg(&mul(&a, &b)), &add(&b, &c)).depth, 2);
        assert!(
            Expr::number(2.0, Scalar::F64).is_atom() && neg(&a).is_atom() && !add(&a, &b).is_atom()
        );
    }
}
