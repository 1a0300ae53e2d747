//! Numbers with first derivatives in several directions at once.

use super::number::{Elementary, EvalError, Number};
use num_rational::BigRational;

/// A value and its derivatives; those that are not listed are zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Dual<N> {
    /// The number itself.
    pub value: N,
    /// Its derivatives.
    pub slope: Vec<N>,
}

impl<N: Number> Dual<N> {
    /// A number that does not change.
    pub fn fixed(value: N) -> Self {
        Self {
            value,
            slope: Vec::new(),
        }
    }

    /// A variable: its derivative in one of `count` directions is 1.
    pub fn variable(value: N, direction: usize, count: usize) -> Self {
        let mut slope = vec![N::int(0); count];
        if let Some(s) = slope.get_mut(direction) {
            *s = N::int(1);
        }
        Self { value, slope }
    }

    /// Derivative in a direction.
    pub fn along(&self, direction: usize) -> N {
        match self.slope.get(direction) {
            Some(s) => s.clone(),
            None => N::int(0),
        }
    }

    fn scaled(&self, value: N, by: &N) -> Self {
        let slope = self.slope.iter().map(|s| s.mul(by)).collect();
        Self { value, slope }
    }

    /// The slopes of `a*self + b*other`.
    pub(super) fn mixed(&self, a: &N, other: &Self, b: &N) -> Vec<N> {
        let count = self.slope.len().max(other.slope.len());
        let part = |s: &[N], i: usize, k: &N| s.get(i).map(|s| s.mul(k));
        (0..count)
            .map(
                |i| match (part(&self.slope, i, a), part(&other.slope, i, b)) {
                    (Some(x), Some(y)) => x.add(&y),
                    (Some(x), None) | (None, Some(x)) => x,
                    (None, None) => N::int(0),
                },
            )
            .collect()
    }

    fn joined(&self, other: &Self, value: N, join: impl Fn(&N, &N) -> N) -> Self {
        let zero = N::int(0);
        let count = self.slope.len().max(other.slope.len());
        let slope = (0..count)
            .map(|i| {
                let a = self.slope.get(i).unwrap_or(&zero);
                join(a, other.slope.get(i).unwrap_or(&zero))
            })
            .collect();
        Self { value, slope }
    }
}

/// Derivatives of an elementary function by its arguments, where its value is known.
fn derivatives<N: Number>(function: Elementary, x: &[N], value: &N) -> Result<Vec<N>, EvalError> {
    use Elementary as E;
    let one = N::int(1);
    let of = |f: Elementary| N::elementary(f, x);
    let cathetus = |y: &N| N::elementary(E::Sqrt, &[one.sub(&y.mul(y))]);
    Ok(match (function, x) {
        (E::Sqrt, _) => vec![one.div(&value.add(value))?],
        (E::Sin, _) => vec![of(E::Cos)?],
        (E::Cos, _) => vec![of(E::Sin)?.neg()],
        (E::Tan, _) => vec![one.add(&value.mul(value))],
        (E::Asin, [y]) => vec![one.div(&cathetus(y)?)?],
        (E::Acos, [y]) => vec![one.div(&cathetus(y)?)?.neg()],
        (E::Atan, [y]) => vec![one.div(&one.add(&y.mul(y)))?],
        (E::Atan2, [y, x]) => {
            let square = x.mul(x).add(&y.mul(y));
            vec![x.div(&square)?, y.neg().div(&square)?]
        }
        (E::Sinh, _) => vec![of(E::Cosh)?],
        (E::Cosh, _) => vec![of(E::Sinh)?],
        (E::Tanh, _) => vec![one.sub(&value.mul(value))],
        (E::Exp, _) => vec![value.clone()],
        (E::Ln, [y]) => vec![one.div(y)?],
        (E::Pow, [y, p]) => {
            let less = N::elementary(E::Pow, &[y.clone(), p.sub(&one)])?;
            vec![p.mul(&less)]
        }
        _ => {
            return Err(EvalError::Unsupported(format!(
                "the derivative of {function:?}"
            )));
        }
    })
}

impl<N: Number> Number for Dual<N> {
    fn rational(value: &BigRational) -> Result<Self, EvalError> {
        N::rational(value).map(Self::fixed)
    }

    fn int(value: i64) -> Self {
        Self::fixed(N::int(value))
    }

    fn pi() -> Self {
        Self::fixed(N::pi())
    }

    fn add(&self, other: &Self) -> Self {
        self.joined(other, self.value.add(&other.value), N::add)
    }

    fn sub(&self, other: &Self) -> Self {
        self.joined(other, self.value.sub(&other.value), N::sub)
    }

    fn mul(&self, other: &Self) -> Self {
        Self {
            value: self.value.mul(&other.value),
            slope: self.mixed(&other.value, other, &self.value),
        }
    }

    fn neg(&self) -> Self {
        Self {
            value: self.value.neg(),
            slope: self.slope.iter().map(N::neg).collect(),
        }
    }

    fn div(&self, other: &Self) -> Result<Self, EvalError> {
        let value = self.value.div(&other.value)?;
        if self.slope.is_empty() && other.slope.is_empty() {
            return Ok(Self::fixed(value));
        }
        let by = N::int(1).div(&other.value)?;
        let slope = self.mixed(&by, other, &value.mul(&by).neg());
        Ok(Self { value, slope })
    }

    fn is_zero(&self) -> bool {
        self.value.is_zero() && self.slope.iter().all(N::is_zero)
    }

    fn elementary(function: Elementary, arguments: &[Self]) -> Result<Self, EvalError> {
        let values: Vec<N> = arguments.iter().map(|a| a.value.clone()).collect();
        let value = N::elementary(function, &values)?;
        if arguments.iter().all(|a| a.slope.is_empty()) {
            return Ok(Self::fixed(value));
        }
        if let (Elementary::Pow, [base, exponent]) = (function, arguments)
            && !exponent.slope.iter().all(N::is_zero)
        {
            let log = Self::elementary(Elementary::Ln, std::slice::from_ref(base))?;
            return Self::elementary(Elementary::Exp, &[exponent.mul(&log)]);
        }
        let by = derivatives(function, &values, &value)?;
        let mut sum = Self::fixed(value.clone());
        for (a, d) in arguments.iter().zip(&by) {
            sum = sum.joined(&a.scaled(N::int(0), d), value.clone(), N::add);
        }
        Ok(sum)
    }

    fn is_less(&self, other: &Self) -> Result<bool, EvalError> {
        self.value.is_less(&other.value)
    }

    fn agrees(&self, other: &Self, scale: &Self) -> bool {
        self.value.agrees(&other.value, &scale.value)
    }

    fn magnitude(&self) -> i64 {
        self.value.magnitude()
    }

    fn is_conclusive(&self) -> bool {
        self.value.is_conclusive()
    }

    fn show(&self) -> String {
        self.value.show()
    }
}
