//! What the graph simplifies as it is built.
//!
//! # Rules for rules
//!
//! 1. **One direction.** A rule has a left and a right side and is never applied backwards; the right side is no further from normal
//!    form, so building ends.
//! 2. **Never to worse code**, even if every operand is shared with other users: the right side has at most as many new operations as
//!    the left, where a negation pulled outwards counts as one that a later sum or product absorbs.
//! 3. **No bare commutativity or associativity.** Commuting operands are ordered by id when interned, which is not a rule. Sums
//!    and products are not reassociated, but for the exact constants in them.
//! 4. **Equal as real functions** wherever the left side is defined. The right side may be defined on more: whoever divides has
//!    recorded the condition before the division was built. Nothing is assumed of signs: `sqrt(x*x)` stays.
//! 5. **Exact.** Constants are rational; no rule rounds. A constant is rounded once, when emitted, so that multiplying by an exact
//!    reciprocal is at least as accurate as dividing.
//! 6. **Local.** A rule looks at the operands and at their operands, no deeper, and costs constant time.
//! 7. **Every rule has its reason beside it, a row in the table test and a numerical check there.**
//!
//! What looks tempting and is not here: `x/(a/b)` (moves a condition), `a*c + b*c` (changes what can be shared), `-(c*x)` to
//! `(-c)*x` (hides `c*x` from sharing; [`optimise`](super::optimise) does it where nothing is shared).

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::{Binary, Comparison, Graph, Op, Rational, Unary, Value};
use crate::function::{Elementary, Parity};

/// The operands of `c*x`, the constant first.
fn scaled(g: &Graph, v: Value) -> Option<(Value, Value)> {
    let Op::Binary(Binary::Mul, a, b) = *g.op(v) else {
        return None;
    };
    match (g.as_rational(a), g.as_rational(b)) {
        (Some(_), None) => Some((a, b)),
        (None, Some(_)) => Some((b, a)),
        _ => None,
    }
}

/// `-x` taken apart.
fn negated(g: &Graph, v: Value) -> Option<Value> {
    match g.op(v) {
        Op::Unary(Unary::Neg, x) => Some(*x),
        _ => None,
    }
}

/// A value as an exact multiple of another, taken apart: sign, constant if there is one, and `x` of `c*x`, `-x`, `-(c*x)` or `x`.
/// `None` for constants.
fn multiple(g: &Graph, v: Value) -> Option<(bool, Option<Value>, Value)> {
    let (negative, v) = match negated(g, v) {
        Some(x) => (true, x),
        None => (false, v),
    };
    match (scaled(g, v), g.as_rational(v)) {
        (Some((c, x)), _) => Some((negative, Some(c), x)),
        (None, None) => Some((negative, None, v)),
        (None, Some(_)) => None,
    }
}

/// The factor of a [`multiple`].
fn factor(g: &Graph, negative: bool, constant: Option<Value>) -> Rational {
    let c = constant.and_then(|c| g.as_rational(c).cloned());
    let c = c.unwrap_or_else(Rational::one);
    if negative { -c } else { c }
}

/// Both operands as exact multiples of one value: `(c, d, x)` for `c*x` and `d*x`.
fn like_terms(g: &Graph, a: Value, b: Value) -> Option<(Rational, Rational, Value)> {
    let ((s, c, x), (t, d, y)) = (multiple(g, a)?, multiple(g, b)?);
    (x == y).then(|| (factor(g, s, c), factor(g, t, d), x))
}

fn node(g: &mut Graph, op: Binary, a: Value, b: Value) -> Value {
    g.intern(Op::Binary(op, a, b))
}

pub(super) fn neg(g: &mut Graph, a: Value) -> Value {
    match g.op(a) {
        Op::Constant(c) => {
            let c = -c.as_ref();
            g.reduced(c)
        }
        // -(-x) -> x
        Op::Unary(Unary::Neg, x) => *x,
        // -(x - y) -> y - x: no operation is added, and one is saved where x - y has no other use.
        Op::Binary(Binary::Sub, x, y) => {
            let (x, y) = (*x, *y);
            sub(g, y, x)
        }
        _ => g.intern(Op::Unary(Unary::Neg, a)),
    }
}

pub(super) fn add(g: &mut Graph, a: Value, b: Value) -> Value {
    // x + 0 -> x
    if g.is_zero(a) {
        return b;
    }
    if g.is_zero(b) {
        return a;
    }
    if let Some(sum) = g.exact(Binary::Add, (a, b), |c, d| c + d) {
        return sum;
    }
    // c*x + d*x -> (c+d)*x, x + x -> 2*x, x + (-x) -> 0: saves an addition and often a product.
    if let Some((c, d, x)) = like_terms(g, a, b) {
        let factor = g.reduced(c + d);
        return mul(g, factor, x);
    }
    // x + (-y) -> x - y: saves the negation.
    if let Some(y) = negated(g, b) {
        return sub(g, a, y);
    }
    if let Some(x) = negated(g, a) {
        return sub(g, b, x);
    }
    node(g, Binary::Add, a, b)
}

pub(super) fn sub(g: &mut Graph, a: Value, b: Value) -> Value {
    // x - 0 -> x
    if g.is_zero(b) {
        return a;
    }
    if let Some(difference) = g.exact(Binary::Sub, (a, b), |c, d| c - d) {
        return difference;
    }
    // 0 - x -> -x
    if g.is_zero(a) {
        return neg(g, b);
    }
    // c*x - d*x -> (c-d)*x, x - x -> 0: as for sums.
    if let Some((c, d, x)) = like_terms(g, a, b) {
        let factor = g.reduced(c - d);
        return mul(g, factor, x);
    }
    // x - (-y) -> x + y: saves the negation.
    if let Some(y) = negated(g, b) {
        return add(g, a, y);
    }
    node(g, Binary::Sub, a, b)
}

pub(super) fn mul(g: &mut Graph, a: Value, b: Value) -> Value {
    match (g.as_rational(a), g.as_rational(b)) {
        (Some(_), Some(_)) => {
            // Most constants of mechanics are 0 and 1, for which no fraction need be reduced.
            if g.is_zero(a) || g.is_one(b) {
                return a;
            }
            if g.is_zero(b) || g.is_one(a) {
                return b;
            }
            if let Some(product) = g.exact(Binary::Mul, (a, b), |c, d| c * d) {
                return product;
            }
        }
        (Some(_), None) => return scale(g, a, b),
        (None, Some(_)) => return scale(g, b, a),
        (None, None) => {}
    }
    // (-x)*y -> -(x*y): the negation moves to where a sum can absorb it, and x*y is shared whatever its sign; (-x)*(-y) -> x*y.
    if let Some(x) = negated(g, a) {
        let product = mul(g, x, b);
        return neg(g, product);
    }
    if let Some(y) = negated(g, b) {
        let product = mul(g, a, y);
        return neg(g, product);
    }
    node(g, Binary::Mul, a, b)
}

/// `c*x`, `factor` being the constant `c`.
fn scale(g: &mut Graph, factor: Value, x: Value) -> Value {
    // 0*x -> 0, 1*x -> x, -1*x -> -x
    if g.is_zero(factor) {
        return factor;
    }
    if g.is_one(factor) {
        return x;
    }
    let minus_one = |c: &Rational| c.is_integer() && (-c.numer()).is_one();
    if g.as_rational(factor).is_some_and(minus_one) {
        return neg(g, x);
    }
    // c*(d*x) -> (c*d)*x: constants are exact.
    if let Some((d, y)) = scaled(g, x) {
        let factor = mul(g, factor, d);
        return mul(g, factor, y);
    }
    // c*(-x) -> -(c*x): as for products.
    if let Some(y) = negated(g, x) {
        let product = mul(g, factor, y);
        return neg(g, product);
    }
    node(g, Binary::Mul, factor, x)
}

pub(super) fn div(g: &mut Graph, a: Value, b: Value) -> Value {
    match g.as_rational(b) {
        // x/0 stays, for the verifier to report.
        Some(d) if d.is_zero() => return node(g, Binary::Div, a, b),
        // x/c -> (1/c)*x: a product is cheaper, and no less accurate since 1/c is exact until it is emitted.
        Some(d) => {
            let reciprocal = d.recip();
            let reciprocal = g.reduced(reciprocal);
            return mul(g, reciprocal, a);
        }
        None => {}
    }
    // 0/x -> 0; the caller has recorded x != 0.
    if g.is_zero(a) {
        return a;
    }
    // (c*x)/(d*x) -> c/d, x/x -> 1; the caller has recorded x != 0.
    if let Some((c, d, _)) = like_terms(g, a, b) {
        return g.reduced(c / d);
    }
    // (-x)/y -> -(x/y), x/(-y) -> -(x/y): as for products.
    if let Some(x) = negated(g, a) {
        let quotient = div(g, x, b);
        return neg(g, quotient);
    }
    if let Some(y) = negated(g, b) {
        let quotient = div(g, a, y);
        return neg(g, quotient);
    }
    // c/(d*x) -> (c/d)/x: saves the product.
    if let (Some(_), Some((d, x))) = (g.as_rational(a), scaled(g, b)) {
        let ratio = div(g, a, d);
        return node(g, Binary::Div, ratio, x);
    }
    node(g, Binary::Div, a, b)
}

pub(super) fn powi(g: &mut Graph, base: Value, exponent: i32) -> Value {
    /// Digits, in bits, up to which a power of a constant is worked out.
    const BITS: u64 = 4096;
    if let Some(c) = g.as_rational(base) {
        let bits = c.numer().bits().max(c.denom().bits());
        let exact = c.abs().is_one() || c.is_zero() && exponent >= 0;
        if !exact && (c.is_zero() || bits * u64::from(exponent.unsigned_abs()) > BITS) {
            let exponent = g.integer(exponent.into());
            return node(g, Binary::Pow, base, exponent);
        }
    }
    let mut left = exponent.unsigned_abs();
    let mut square = base;
    let mut power = g.one();
    loop {
        if left & 1 == 1 {
            power = mul(g, power, square);
        }
        left >>= 1;
        if left == 0 {
            break;
        }
        square = mul(g, square, square);
    }
    if exponent < 0 {
        let one = g.one();
        return div(g, one, power);
    }
    power
}

pub(super) fn unary(g: &mut Graph, op: Unary, a: Value) -> Value {
    let Unary::Of(function) = op else {
        return neg(g, a);
    };
    if let Some(number) = special(g, function, a) {
        return g.rational(&number);
    }
    if let Some(x) = negated(g, a) {
        match function.row().parity {
            // f(-x) -> -f(x): f(x) is shared, and the negation moves out.
            Parity::Odd => {
                let image = unary(g, op, x);
                return neg(g, image);
            }
            // f(-x) -> f(x): saves the negation.
            Parity::Even => return unary(g, op, x),
            Parity::None => {}
        }
    }
    match (op, g.op(a)) {
        // |sqrt x| -> sqrt x, ||x|| -> |x|: they are not negative.
        (Unary::Abs, Op::Unary(Unary::Sqrt | Unary::Abs, _)) => a,
        _ => g.intern(Op::Unary(op, a)),
    }
}

/// Values that are rational: `f(0)`, `f(1)`, roots of squares, sines and cosines of quarter turns.
fn special(g: &Graph, function: Elementary, a: Value) -> Option<Rational> {
    match function {
        Elementary::Sin | Elementary::Cos | Elementary::Tan => {
            return trigonometric(function, &multiple_of_pi(g, a)?);
        }
        _ => {}
    }
    let c = g.as_rational(a)?;
    match function {
        Elementary::Sqrt => square_root(c),
        Elementary::Abs => Some(c.abs()),
        Elementary::Sign => Some(c.signum()),
        _ => {
            let [at_zero, at_one] = function.row().exact;
            let value = if c.is_zero() {
                at_zero
            } else {
                at_one.filter(|_| c.is_one())
            };
            Some(Rational::from_integer(value?.into()))
        }
    }
}

/// `r` where the value is `r*pi`; 0 for 0.
fn multiple_of_pi(g: &Graph, v: Value) -> Option<Rational> {
    if g.is_zero(v) {
        return Some(Rational::zero());
    }
    let (negative, c, x) = multiple(g, v)?;
    matches!(g.op(x), Op::Pi).then(|| factor(g, negative, c))
}

/// The sine, cosine or tangent of `half_turns*pi` at multiples of a quarter turn. Other rational values (the sine of pi/6) stay:
/// their companions are irrational, and a sine without its cosine's partner breaks `s*s + c*c = 1`.
fn trigonometric(function: Elementary, half_turns: &Rational) -> Option<Rational> {
    let quarters = half_turns * Rational::from_integer(2.into());
    if !quarters.is_integer() {
        return None;
    }
    let quarter = quarters.to_integer().mod_floor(&BigInt::from(4)).to_u8()?;
    let sine = [0, 1, 0, -1];
    let number = match (function, quarter) {
        (Elementary::Sin, 0..4) => sine[usize::from(quarter)],
        (Elementary::Cos, 0..4) => sine[usize::from(quarter + 1) % 4],
        (Elementary::Tan, 0 | 2) => 0,
        _ => return None,
    };
    Some(Rational::from_integer(number.into()))
}

/// The root of the square of a rational number.
fn square_root(c: &Rational) -> Option<Rational> {
    if c.is_negative() {
        return None;
    }
    let (n, d) = (c.numer().sqrt(), c.denom().sqrt());
    (&n * &n == *c.numer() && &d * &d == *c.denom()).then(|| Rational::new(n, d))
}

pub(super) fn binary(g: &mut Graph, op: Binary, a: Value, b: Value) -> Value {
    match op {
        Binary::Add => add(g, a, b),
        Binary::Sub => sub(g, a, b),
        Binary::Mul => mul(g, a, b),
        Binary::Div => div(g, a, b),
        Binary::Pow => pow(g, a, b),
        Binary::Min | Binary::Max => {
            // min(x, x) -> x, and of numbers the lesser.
            if a == b {
                return a;
            }
            match (g.as_rational(a), g.as_rational(b)) {
                (Some(c), Some(d)) if (c < d) == (op == Binary::Min) => a,
                (Some(_), Some(_)) => b,
                _ => node(g, op, a, b),
            }
        }
        Binary::Of(_) => node(g, op, a, b),
    }
}

fn pow(g: &mut Graph, a: Value, b: Value) -> Value {
    /// Beyond this a power function is no slower than the products.
    const PRODUCTS: i32 = 64;
    // 1^x -> 1
    if g.is_one(a) {
        return a;
    }
    let Some(exponent) = g.as_rational(b) else {
        return node(g, Binary::Pow, a, b);
    };
    // x^n -> products: faster and more accurate than a power function; x^(1/2) -> sqrt x likewise.
    if exponent.is_integer() {
        return match exponent.to_integer().to_i32() {
            Some(n) if n.abs() <= PRODUCTS || g.as_rational(a).is_some() => powi(g, a, n),
            _ => node(g, Binary::Pow, a, b),
        };
    }
    let half = Rational::new(1.into(), 2.into());
    if exponent.abs() == half {
        let reciprocal = exponent.is_negative();
        let root = unary(g, Unary::Sqrt, a);
        let one = g.one();
        return if reciprocal { div(g, one, root) } else { root };
    }
    node(g, Binary::Pow, a, b)
}

pub(super) fn select(
    g: &mut Graph,
    test: Comparison,
    left: Value,
    right: Value,
    then: Value,
    other: Value,
) -> Value {
    // Both branches the same: no choice.
    if then == other {
        return then;
    }
    // Numbers compare now; a value compares equal with itself.
    let decided = match (g.as_rational(left), g.as_rational(right)) {
        (Some(c), Some(d)) => Some(test.holds(c, d)),
        _ if left == right => Some(test.holds(&0, &0)),
        _ => None,
    };
    match decided {
        Some(true) => then,
        Some(false) => other,
        None => g.intern(Op::Select {
            test,
            left,
            right,
            then,
            other,
        }),
    }
}

#[cfg(test)]
mod tests;
