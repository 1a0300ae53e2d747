//! Numbers with first derivatives in several directions at once.

use super::number::{Algebra, Elementary, EvalError, Number, UserFunction, derivatives};
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

    /// Derivatives in the first directions.
    pub fn slopes(&self, count: usize) -> Vec<N> {
        (0..count).map(|k| self.along(k)).collect()
    }

    /// A function of some arguments, by the chain rule, with its derivatives by them.
    fn chained(value: N, arguments: &[Self], by: &[N]) -> Self {
        let mut sum = Self::fixed(N::int(0));
        for (a, d) in arguments.iter().zip(by) {
            let own = Self {
                value: N::int(0),
                slope: a.slope.iter().map(|s| s.mul(d)).collect(),
            };
            sum = sum.add(&own);
        }
        Self { value, ..sum }
    }

    /// The slopes of `a*self + b*other`.
    fn mixed(&self, a: &N, other: &Self, b: &N) -> Vec<N> {
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

impl<N: Number> Algebra for Dual<N> {
    fn int(value: i64) -> Self {
        Self::fixed(N::int(value))
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

    fn elementary(function: Elementary, arguments: &[Self]) -> Result<Self, EvalError> {
        let values: Vec<N> = arguments.iter().map(|a| a.value.clone()).collect();
        let value = N::elementary(function, &values)?;
        if arguments.iter().all(|a| a.slope.is_empty()) {
            return Ok(Self::fixed(value));
        }
        if let (Elementary::Pow, [base, exponent]) = (function, arguments)
            && !exponent.slope.iter().all(N::is_zero)
        {
            let log = base.function(Elementary::Ln)?;
            return Self::elementary(Elementary::Exp, &[exponent.mul(&log)]);
        }
        let by = derivatives(function, &values, || Ok(value.clone()))?;
        Ok(Self::chained(value, arguments, &by))
    }
}

impl<N: Number> Number for Dual<N> {
    fn rational(value: &BigRational) -> Result<Self, EvalError> {
        N::rational(value).map(Self::fixed)
    }

    fn pi() -> Self {
        Self::fixed(N::pi())
    }

    fn is_zero(&self) -> bool {
        self.value.is_zero() && self.slope.iter().all(N::is_zero)
    }

    fn user_function(of: &UserFunction, arguments: &[Self]) -> Result<Self, EvalError> {
        let values: Vec<N> = arguments.iter().map(|a| a.value.clone()).collect();
        let value = N::user_function(of, &values)?;
        let by = arguments.iter().enumerate().map(|(i, a)| {
            if a.slope.iter().all(N::is_zero) {
                return Ok(N::int(0));
            }
            N::user_function(&of.by(i), &values)
        });
        let by = by.collect::<Result<Vec<N>, _>>()?;
        Ok(Self::chained(value, arguments, &by))
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

    fn show(&self) -> String {
        self.value.show()
    }
}
