//! Truncated Taylor series in time: positions along a motion with given rates and accelerations. Velocities are the first
//! coefficients; nothing is differentiated symbolically.

use super::number::{Elementary, EvalError, Number};

/// Coefficients of powers of time, as many as are known.
#[derive(Clone, Debug, PartialEq)]
pub struct Series<E>(pub Vec<E>);

/// Longest series in use: positions, velocities, accelerations.
pub const ORDERS: usize = 3;

impl<E: Number> Series<E> {
    /// What does not change.
    pub fn fixed(value: E) -> Self {
        let mut list = vec![E::int(0); ORDERS];
        list[0] = value;
        Self(list)
    }

    /// A whole number.
    pub fn int(value: i64) -> Self {
        Self::fixed(E::int(value))
    }

    /// The value now.
    pub fn now(&self) -> Result<&E, EvalError> {
        self.0.first().ok_or_else(|| {
            EvalError::Unsupported("a derivative by time of higher order than accelerations".into())
        })
    }

    /// Derivative by time: one coefficient less.
    #[must_use]
    pub fn rate(&self) -> Self {
        let terms = self.0.iter().enumerate().skip(1);
        Self(terms.map(|(k, c)| times(c, k)).collect())
    }

    fn with(&self, other: &Self, join: impl Fn(&E, &E) -> E) -> Self {
        Self(
            self.0
                .iter()
                .zip(&other.0)
                .map(|(a, b)| join(a, b))
                .collect(),
        )
    }

    /// Sum.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        self.with(other, E::add)
    }

    /// Difference.
    #[must_use]
    pub fn sub(&self, other: &Self) -> Self {
        self.with(other, E::sub)
    }

    /// Negative.
    #[must_use]
    pub fn neg(&self) -> Self {
        Self(self.0.iter().map(E::neg).collect())
    }

    /// Product.
    #[must_use]
    pub fn mul(&self, other: &Self) -> Self {
        let count = self.0.len().min(other.0.len());
        Self(
            (0..count)
                .map(|k| {
                    let mut sum: Option<E> = None;
                    for i in 0..=k {
                        let (a, b) = (&self.0[i], &other.0[k - i]);
                        if a.is_zero() || b.is_zero() {
                            continue;
                        }
                        let term = a.mul(b);
                        sum = Some(match sum {
                            Some(s) => s.add(&term),
                            None => term,
                        });
                    }
                    sum.unwrap_or_else(|| E::int(0))
                })
                .collect(),
        )
    }

    /// Quotient.
    pub fn div(&self, other: &Self) -> Result<Self, EvalError> {
        let count = self.0.len().min(other.0.len());
        let mut list: Vec<E> = Vec::with_capacity(count);
        for k in 0..count {
            let mut rest = self.0[k].clone();
            for i in 0..k {
                rest = rest.sub(&list[i].mul(&other.0[k - i]));
            }
            list.push(rest.div(&other.0[0])?);
        }
        Ok(Self(list))
    }

    fn changes(&self) -> bool {
        self.0.iter().skip(1).any(|c| !c.is_zero())
    }

    /// The series whose rate is given and whose value now is known.
    fn integral(start: E, rate: &Self) -> Result<Self, EvalError> {
        let mut list = vec![start];
        for (k, c) in rate.0.iter().enumerate() {
            list.push(c.div(&E::int(k as i64 + 1))?);
        }
        Ok(Self(list))
    }

    /// What is known to the same order less one.
    fn shorter(&self) -> Self {
        Self(self.0[..self.0.len().saturating_sub(1)].to_vec())
    }

    /// An elementary function, by the differential equation that it satisfies.
    pub fn elementary(function: Elementary, arguments: &[Self]) -> Result<Self, EvalError> {
        use Elementary as F;
        let now: Vec<E> = arguments
            .iter()
            .map(|a| a.now().cloned())
            .collect::<Result<_, _>>()?;
        let start = E::elementary(function, &now)?;
        let count = arguments.iter().map(|a| a.0.len()).min().unwrap_or(0);
        if !arguments.iter().any(Self::changes) {
            let mut constant = Self::fixed(start);
            constant.0.truncate(count);
            return Ok(constant);
        }
        let short: Vec<Self> = arguments
            .iter()
            .map(|a| Self(a.0[..count].to_vec()).shorter())
            .collect();
        if function == F::Sqrt && start.is_zero() {
            // A root has a value where it vanishes, but no rate.
            return Ok(Self(vec![start]));
        }
        // With count = 1 the shortened arguments are empty: the value is all there is.
        if count <= 1 {
            return Ok(Self(vec![start]));
        }
        if let (F::Pow, [x, p]) = (function, arguments)
            && p.changes()
        {
            let log = Self::elementary(F::Ln, std::slice::from_ref(x))?;
            return Self::elementary(F::Exp, &[p.mul(&log)]);
        }
        let rate = Self::rate_of(function, &short, arguments)?;
        let mut all = Self::integral(start, &rate)?;
        all.0.truncate(count);
        Ok(all)
    }

    /// The rate of an elementary function of arguments, which are also given to one order less; the exponent of a power is fixed.
    fn rate_of(
        function: Elementary,
        short: &[Self],
        arguments: &[Self],
    ) -> Result<Self, EvalError> {
        use Elementary as F;
        let of = |f: Elementary| Self::elementary(f, short);
        let one = Self::int(1);
        Ok(match (function, short, arguments) {
            (F::Sqrt, [_], [x]) => x.rate().div(&of(F::Sqrt)?.mul(&Self::int(2)))?,
            (F::Sin, [_], [x]) => x.rate().mul(&of(F::Cos)?),
            (F::Cos, [_], [x]) => x.rate().mul(&of(F::Sin)?).neg(),
            (F::Tan, [_], [x]) => {
                let tan = of(F::Tan)?;
                x.rate().mul(&one.add(&tan.mul(&tan)))
            }
            (F::Asin, [s], [x]) | (F::Acos, [s], [x]) => {
                let root = Self::elementary(F::Sqrt, &[one.sub(&s.mul(s))])?;
                let rate = x.rate().div(&root)?;
                if function == F::Asin {
                    rate
                } else {
                    rate.neg()
                }
            }
            (F::Atan, [s], [x]) => x.rate().div(&one.add(&s.mul(s)))?,
            (F::Atan2, [sy, sx], [y, x]) => {
                let numerator = sx.mul(&y.rate()).sub(&sy.mul(&x.rate()));
                numerator.div(&sx.mul(sx).add(&sy.mul(sy)))?
            }
            (F::Sinh, [_], [x]) => x.rate().mul(&of(F::Cosh)?),
            (F::Cosh, [_], [x]) => x.rate().mul(&of(F::Sinh)?),
            (F::Tanh, [_], [x]) => {
                let tanh = of(F::Tanh)?;
                x.rate().mul(&one.sub(&tanh.mul(&tanh)))
            }
            (F::Exp, [_], [x]) => x.rate().mul(&of(F::Exp)?),
            (F::Ln, [s], [x]) => x.rate().div(s)?,
            (F::Pow, [s, _], [x, p]) => {
                let mut less = p.sub(&one);
                less.0.truncate(s.0.len());
                let power = Self::elementary(F::Pow, &[s.clone(), less])?;
                x.rate().mul(&power).mul(p)
            }
            _ => return Err(EvalError::Unsupported(format!("the rate of {function:?}"))),
        })
    }
}

fn times<E: Number>(c: &E, k: usize) -> E {
    match k {
        1 => c.clone(),
        k => c.mul(&E::int(k as i64)),
    }
}
