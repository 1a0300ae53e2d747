//! Truncated Taylor series in time: positions along a motion with given rates and accelerations. Velocities are the first
//! coefficients; nothing is differentiated symbolically.

use super::number::{Algebra, Elementary, EvalError, Number, UserFunction, derivatives};

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

    /// The value of the derivative of an order.
    pub fn derivative(&self, order: usize) -> Result<E, EvalError> {
        let rates = (0..order).fold(self.clone(), |series, _| series.rate());
        rates.now().cloned()
    }

    fn with(&self, other: &Self, join: impl Fn(&E, &E) -> E) -> Self {
        let pairs = self.0.iter().zip(&other.0);
        Self(pairs.map(|(a, b)| join(a, b)).collect())
    }

    fn changes(&self) -> bool {
        self.0.iter().skip(1).any(|c| !c.is_zero())
    }

    /// The series whose rate is given and whose value now is known.
    fn integral(start: E, rate: &Self) -> Result<Self, EvalError> {
        let terms = rate.0.iter().enumerate();
        let terms = terms.map(|(k, c)| c.div(&E::int(k as i64 + 1)));
        let all = std::iter::once(Ok(start)).chain(terms);
        Ok(Self(all.collect::<Result<_, _>>()?))
    }

    /// What is known up to an order.
    fn cut(&self, count: usize) -> Self {
        Self(self.0.iter().take(count).cloned().collect())
    }

    /// A user's function along a motion: its rate is the sum of derivatives times the rates of its arguments.
    pub fn user_function(of: &UserFunction, arguments: &[Self]) -> Result<Self, EvalError> {
        let start = E::user_function(of, &values(arguments)?)?;
        let count = arguments.iter().map(|a| a.0.len()).min();
        let count = count.unwrap_or(ORDERS);
        let short: Vec<Self> = arguments.iter().map(|a| a.cut(count - 1)).collect();
        let mut rate = Self(vec![E::int(0); count - 1]);
        for (i, a) in arguments.iter().enumerate() {
            let change = a.rate().cut(count - 1);
            if change.0.iter().all(E::is_zero) {
                continue;
            }
            let slope = Self::user_function(&of.by(i), &short)?;
            rate = rate.add(&slope.mul(&change));
        }
        Self::integral(start, &rate)
    }
}

impl<E: Number> Algebra for Series<E> {
    fn int(value: i64) -> Self {
        Self::fixed(E::int(value))
    }

    fn add(&self, other: &Self) -> Self {
        self.with(other, E::add)
    }

    fn sub(&self, other: &Self) -> Self {
        self.with(other, E::sub)
    }

    fn neg(&self) -> Self {
        Self(self.0.iter().map(E::neg).collect())
    }

    fn mul(&self, other: &Self) -> Self {
        let count = self.0.len().min(other.0.len());
        let term = |k: usize| {
            let mut sum: Option<E> = None;
            for i in 0..=k {
                let (a, b) = (&self.0[i], &other.0[k - i]);
                if a.is_zero() || b.is_zero() {
                    continue;
                }
                let term = a.mul(b);
                sum = Some(sum.map_or_else(|| term.clone(), |sum| sum.add(&term)));
            }
            sum.unwrap_or_else(|| E::int(0))
        };
        Self((0..count).map(term).collect())
    }

    fn div(&self, other: &Self) -> Result<Self, EvalError> {
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

    /// By the chain rule, order by order.
    fn elementary(function: Elementary, arguments: &[Self]) -> Result<Self, EvalError> {
        let start = E::elementary(function, &values(arguments)?)?;
        let count = arguments.iter().map(|a| a.0.len()).min().unwrap_or(0);
        if !arguments.iter().any(Self::changes) {
            return Ok(Self::fixed(start).cut(count));
        }
        // A root has a value where it vanishes, but no rate.
        if count <= 1 || function == Elementary::Sqrt && start.is_zero() {
            return Ok(Self(vec![start]));
        }
        if let (Elementary::Pow, [x, p]) = (function, arguments)
            && p.changes()
        {
            let log = x.function(Elementary::Ln)?;
            return Self::elementary(Elementary::Exp, &[p.mul(&log)]);
        }
        let short: Vec<Self> = arguments.iter().map(|a| a.cut(count - 1)).collect();
        let by = derivatives(function, &short, || Self::elementary(function, &short))?;
        let terms = arguments.iter().zip(&by).map(|(a, d)| a.rate().mul(d));
        let rate = terms.reduce(|sum, term| sum.add(&term));
        Ok(Self::integral(start, &rate.unwrap_or(Self(Vec::new())))?.cut(count))
    }
}

/// The arguments now.
fn values<E: Number>(arguments: &[Series<E>]) -> Result<Vec<E>, EvalError> {
    arguments.iter().map(|a| a.now().cloned()).collect()
}

fn times<E: Number>(c: &E, k: usize) -> E {
    match k {
        1 => c.clone(),
        k => c.mul(&E::int(k as i64)),
    }
}
