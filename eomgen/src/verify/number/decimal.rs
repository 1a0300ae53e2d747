//! Real numbers with 77 significant decimal digits, of which a comparison uses about 35: what cannot be decided in a field is
//! decided here, up to rounding.

use super::{Algebra, Elementary, EvalError, Number, UserFunction};
use astro_float::{BigFloat, Consts, Radix, RoundingMode, Sign};
use num_rational::BigRational;
use std::cell::RefCell;
use std::fmt;

/// Bits of a number.
pub const BITS: usize = 256;

/// Two results agree up to this power of two relative to their scale: about 1e-36. Rounding is about 1e-77 for each operation, so
/// that cancellations may eat forty digits.
pub const AGREEMENT: i32 = -120;

const ROUND: RoundingMode = RoundingMode::ToEven;

/// How many sines make up a user's function.
const WAVES: u64 = 3;

/// A rounded real number.
#[derive(Clone, PartialEq)]
pub struct Decimal(BigFloat);

impl fmt::Debug for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.show())
    }
}

thread_local! {
    static CONSTANTS: RefCell<Option<Consts>> = const { RefCell::new(None) };
}

/// Calculates with the engine's table of constants, which grows as they are needed.
fn with_constants<T>(work: impl FnOnce(&mut Consts) -> T) -> Result<T, EvalError> {
    CONSTANTS.with_borrow_mut(|table| {
        if table.is_none() {
            *table = Consts::new().ok();
        }
        match table.as_mut() {
            Some(table) => Ok(work(table)),
            None => EvalError::unsupported("there is no memory for constants"),
        }
    })
}

impl Decimal {
    /// The exact value of a floating-point number.
    pub fn from_f64(value: f64) -> Self {
        Self(BigFloat::from_f64(value, BITS))
    }

    /// The nearest floating-point number.
    pub fn to_f64(&self) -> f64 {
        self.show().parse().unwrap_or(f64::NAN)
    }

    /// From its digits, as `1.25e-3`.
    pub fn parse(text: &str) -> Result<Self, EvalError> {
        let value = with_constants(|c| BigFloat::parse(text, Radix::Dec, BITS, ROUND, c))?;
        Self::finite(value, || format!("the number {text}"))
    }

    fn finite(value: BigFloat, what: impl FnOnce() -> String) -> Result<Self, EvalError> {
        if value.is_nan() || value.is_inf() {
            return Err(EvalError::Singular(what()));
        }
        Ok(Self(value))
    }

    /// Whether it is at most `2^bits` times a scale.
    pub fn is_below(&self, scale: &Self, bits: i32) -> bool {
        if self.0.is_zero() {
            return true;
        }
        let mut bound = scale.0.abs();
        if bound.is_zero() {
            return false;
        }
        bound.set_exponent(bound.exponent().unwrap_or(0).saturating_add(bits));
        // The crate's own `abs_cmp` heeds signs.
        self.0.abs().cmp(&bound).is_some_and(|order| order <= 0)
    }

    fn whole(&self) -> Option<i64> {
        if !self.0.is_int() && !self.0.is_zero() {
            return None;
        }
        let value = self.to_f64();
        (value.abs() < 1e9).then_some(value as i64)
    }

    fn power(&self, exponent: &Self) -> Result<Self, EvalError> {
        let what = || format!("({}) ^ ({})", self.show(), exponent.show());
        if let Some(n) = exponent.whole() {
            let n_abs = usize::try_from(n.unsigned_abs()).unwrap_or(0);
            let power = Self::finite(self.0.powi(n_abs, BITS, ROUND), what)?;
            return if n < 0 {
                Self::int(1).div(&power)
            } else {
                Ok(power)
            };
        }
        if self.0.is_negative() {
            return Err(EvalError::Singular(what()));
        }
        let value = with_constants(|c| self.0.pow(&exponent.0, BITS, ROUND, c))?;
        Self::finite(value, what)
    }
}

impl Algebra for Decimal {
    fn int(value: i64) -> Self {
        Self(BigFloat::from_i64(value, BITS))
    }

    fn add(&self, other: &Self) -> Self {
        Self(self.0.add(&other.0, BITS, ROUND))
    }

    fn sub(&self, other: &Self) -> Self {
        Self(self.0.sub(&other.0, BITS, ROUND))
    }

    fn mul(&self, other: &Self) -> Self {
        Self(self.0.mul(&other.0, BITS, ROUND))
    }

    fn neg(&self) -> Self {
        Self(self.0.neg())
    }

    fn div(&self, other: &Self) -> Result<Self, EvalError> {
        if other.0.is_zero() {
            return EvalError::singular("a division by zero");
        }
        Self::finite(self.0.div(&other.0, BITS, ROUND), || {
            "a division by a vanishing number".into()
        })
    }

    fn elementary(function: Elementary, arguments: &[Self]) -> Result<Self, EvalError> {
        use Elementary as E;
        let outside = || {
            let list: Vec<String> = arguments.iter().map(Self::show).collect();
            format!("{function:?} of {}", list.join(", "))
        };
        match (function, arguments) {
            (E::Pow, [x, y]) => return x.power(y),
            (E::Atan2, [y, x]) => return arc(y, x),
            _ => {}
        }
        let [x] = arguments else {
            return Err(EvalError::Unsupported(outside()));
        };
        let x = &x.0;
        let value = with_constants(|c| match function {
            E::Sqrt => x.sqrt(BITS, ROUND),
            E::Sin => x.sin(BITS, ROUND, c),
            E::Cos => x.cos(BITS, ROUND, c),
            E::Tan => x.tan(BITS, ROUND, c),
            E::Asin => x.asin(BITS, ROUND, c),
            E::Acos => x.acos(BITS, ROUND, c),
            E::Atan => x.atan(BITS, ROUND, c),
            E::Sinh => x.sinh(BITS, ROUND, c),
            E::Cosh => x.cosh(BITS, ROUND, c),
            E::Tanh => x.tanh(BITS, ROUND, c),
            E::Exp => x.exp(BITS, ROUND, c),
            E::Ln => x.ln(BITS, ROUND, c),
            E::Pow | E::Atan2 => BigFloat::nan(None),
        })?;
        Self::finite(value, outside)
    }
}

impl Number for Decimal {
    fn rational(value: &BigRational) -> Result<Self, EvalError> {
        let part = |n: &num_bigint::BigInt| Self::parse(&n.to_string());
        part(value.numer())?.div(&part(value.denom())?)
    }

    fn pi() -> Self {
        with_constants(|c| Self(c.pi(BITS, ROUND))).unwrap_or_else(|_| Self::int(3))
    }

    fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// The sum of `c sin(w.x + phase)`, differentiated.
    fn user_function(of: &UserFunction, arguments: &[Self]) -> Result<Self, EvalError> {
        // Dyadic numbers between 1/2 and 3/2, exact in binary.
        let number = |wave: u64, what: u64| {
            let bits = of.mix([wave, what]) % 1024;
            Self::from_f64(0.5 + bits as f64 / 1024.0)
        };
        let order: u32 = of.orders().sum();
        let mut sum = Self::int(0);
        for wave in 0..WAVES {
            let mut phase = number(wave, 0);
            let mut factor = number(wave, 1);
            for ((i, x), times) in (0..).zip(arguments).zip(of.orders()) {
                let w = number(wave, 2 + i);
                phase = phase.add(&w.mul(x));
                factor = factor.mul(&w.powi(i64::from(times))?);
            }
            // Each derivative of a sine is the next of sin, cos, -sin, -cos.
            let even = order.is_multiple_of(2);
            let wave_form = if even {
                Elementary::Sin
            } else {
                Elementary::Cos
            };
            let term = factor.mul(&phase.function(wave_form)?);
            sum = match order % 4 {
                0 | 1 => sum.add(&term),
                _ => sum.sub(&term),
            };
        }
        Ok(sum)
    }

    fn is_less(&self, other: &Self) -> Result<bool, EvalError> {
        match self.0.cmp(&other.0) {
            Some(order) => Ok(order < 0),
            None => EvalError::singular("a comparison of no numbers"),
        }
    }

    fn agrees(&self, other: &Self, scale: &Self) -> bool {
        let gap = self.sub(other);
        [self, other, scale]
            .into_iter()
            .any(|s| gap.is_below(s, AGREEMENT))
    }

    fn magnitude(&self) -> i64 {
        match self.0.exponent() {
            Some(e) if !self.0.is_zero() => i64::from(e),
            _ => i64::MIN,
        }
    }

    fn show(&self) -> String {
        let text = with_constants(|c| self.0.format(Radix::Dec, ROUND, c));
        let Ok(Ok(text)) = text else {
            return "nan".into();
        };
        // Twenty digits are enough for a person.
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let digits: String = digits.chars().take(23).collect();
        let digits = if digits.contains('.') {
            digits.trim_end_matches('0').trim_end_matches('.')
        } else {
            &digits
        };
        match exponent {
            "+0" | "0" | "-0" => digits.to_string(),
            e => format!("{digits}e{}", e.trim_start_matches('+')),
        }
    }
}

/// Arc tangent of y/x with its quadrant.
fn arc(y: &Decimal, x: &Decimal) -> Result<Decimal, EvalError> {
    let half = |d: Decimal| d.mul(&Decimal::from_f64(0.5));
    let negative = y.0.sign() == Some(Sign::Neg) && !y.0.is_zero();
    let signed = |d: Decimal| if negative { d.neg() } else { d };
    match (x.is_zero(), y.is_zero()) {
        (true, true) => EvalError::singular("atan2 of zero and zero"),
        (true, false) => Ok(signed(half(Decimal::pi()))),
        _ => {
            let angle = Decimal::elementary(Elementary::Atan, &[y.div(x)?])?;
            Ok(if x.0.is_negative() {
                angle.add(&signed(Decimal::pi()))
            } else {
                angle
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Elementary as E;

    fn f(function: Elementary, list: &[Decimal]) -> Decimal {
        Decimal::elementary(function, list).unwrap()
    }

    fn close(a: &Decimal, text: &str) {
        let b = Decimal::parse(text).unwrap();
        assert!(a.sub(&b).is_below(&b, -160), "{} is not {text}", a.show());
    }

    /// Published to 50 digits and more: OEIS A000796, A001113, A002193, A002162, A049469, A049470, A073742, A003881.
    #[test]
    fn known_values() {
        let one = Decimal::int(1);
        close(
            &Decimal::pi(),
            "3.14159265358979323846264338327950288419716939937510582",
        );
        close(
            &f(E::Exp, std::slice::from_ref(&one)),
            "2.71828182845904523536028747135266249775724709369995957",
        );
        close(
            &f(E::Sqrt, &[Decimal::int(2)]),
            "1.41421356237309504880168872420969807856967187537694807",
        );
        close(
            &f(E::Ln, &[Decimal::int(2)]),
            "0.693147180559945309417232121458176568075500134360255254",
        );
        close(
            &f(E::Sin, std::slice::from_ref(&one)),
            "0.841470984807896506652502321630298999622563060798371065",
        );
        close(
            &f(E::Cos, std::slice::from_ref(&one)),
            "0.540302305868139717400936607442976603732310420617922227",
        );
        close(
            &f(E::Sinh, std::slice::from_ref(&one)),
            "1.17520119364380145688238185059560081515571798133409587",
        );
        close(
            &f(E::Atan, std::slice::from_ref(&one)),
            "0.785398163397448309615660845819875721049292349843776455",
        );
    }

    #[test]
    fn functions_that_belong_together() {
        let x = Decimal::parse("0.37").unwrap();
        let again = |outer, inner| f(outer, &[f(inner, std::slice::from_ref(&x))]);
        for (outer, inner) in [
            (E::Asin, E::Sin),
            (E::Acos, E::Cos),
            (E::Atan, E::Tan),
            (E::Ln, E::Exp),
        ] {
            assert!(again(outer, inner).agrees(&x, &x), "{outer:?}");
        }
        let (c, s) = (
            f(E::Cosh, std::slice::from_ref(&x)),
            f(E::Sinh, std::slice::from_ref(&x)),
        );
        assert!(c.mul(&c).sub(&s.mul(&s)).agrees(&Decimal::int(1), &x));
        assert!(f(E::Tanh, std::slice::from_ref(&x)).agrees(&s.div(&c).unwrap(), &x));
        let half = Decimal::from_f64(2.5);
        let power = f(E::Pow, &[x.clone(), half]);
        let root = f(E::Sqrt, std::slice::from_ref(&x));
        assert!(power.agrees(&x.mul(&x).mul(&root), &x));
        // Quadrants.
        let two = Decimal::int(2);
        for (angle, y, x) in [
            (0.5, 1, 1),
            (1.5, 1, -1),
            (-1.5, -1, -1),
            (-0.5, -1, 1),
            (1.0, 1, 0),
            (2.0, 0, -1),
        ] {
            let want = Decimal::pi()
                .div(&two)
                .unwrap()
                .mul(&Decimal::from_f64(angle));
            assert!(f(E::Atan2, &[Decimal::int(y), Decimal::int(x)]).agrees(&want, &two));
        }
    }

    #[test]
    fn outside_of_domains() {
        for (function, x) in [
            (E::Sqrt, -1),
            (E::Ln, 0),
            (E::Ln, -1),
            (E::Asin, 2),
            (E::Acos, -2),
        ] {
            let value = Decimal::elementary(function, &[Decimal::int(x)]);
            assert!(
                matches!(value, Err(EvalError::Singular(_))),
                "{function:?} {value:?}"
            );
        }
        assert!(Decimal::int(1).div(&Decimal::int(0)).is_err());
        assert_eq!(Decimal::int(2).is_less(&Decimal::int(3)), Ok(true));
        assert_eq!(Decimal::int(3).is_less(&Decimal::int(3)), Ok(false));
        let third = Decimal::rational(&BigRational::new(1.into(), 3.into())).unwrap();
        assert_eq!(third.to_f64(), 1.0 / 3.0);
        assert_eq!(Decimal::parse("-2.5e-3").unwrap().show(), "-2.5e-3");
        assert_eq!(Decimal::int(0).show(), "0");
    }
}
