//! Values of the user's functions: anything smooth will do, as long as all who ask for the same value or derivative get the same.
//! In a field each value and each derivative is a random element of its own, so that only identities that hold for every function
//! hold for these. Among real numbers they are sums of a few sines, with the derivatives that belong to them.

use super::dual::Dual;
use super::number::{Decimal, Elementary};
use super::number::{EvalError, Modular, Number};
use super::series::Series;
use crate::field::pseudo_random;

/// Who knows values and derivatives of functions.
pub trait Jets<E> {
    /// A derivative of a function (by its place in the model), `orders[i]` times by its argument i; all zero: the value.
    fn jet(&self, function: usize, orders: &[u32], arguments: &[E]) -> Result<E, EvalError>;
}

/// The functions that belong to a seed.
#[derive(Clone, Copy, Debug)]
pub struct Functions {
    seed: u64,
}

impl Functions {
    /// Other functions for each seed.
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }

    fn mix(&self, function: usize, list: impl IntoIterator<Item = u64>) -> u64 {
        let start = pseudo_random(self.seed ^ 0x6A09_E667_F3BC_C908, function as u64).get();
        list.into_iter()
            .fold(start, |h, x| pseudo_random(h, x).get())
    }
}

impl Jets<Modular> for Functions {
    fn jet(&self, f: usize, orders: &[u32], arguments: &[Modular]) -> Result<Modular, EvalError> {
        let orders = orders.iter().map(|o| u64::from(*o));
        let values = arguments.iter().map(|a| a.value().get());
        let place = self.mix(f, orders.chain(values));
        Ok(Modular::random(self.seed, place))
    }
}

/// How many sines make up a function.
const WAVES: u64 = 3;

impl Jets<Decimal> for Functions {
    /// The sum of `c sin(w.x + phase)`, differentiated.
    fn jet(&self, f: usize, orders: &[u32], arguments: &[Decimal]) -> Result<Decimal, EvalError> {
        // Dyadic numbers between 1/2 and 3/2, exact in binary.
        let number = |wave: u64, what: u64| {
            let bits = self.mix(f, [wave, what]) % 1024;
            Decimal::from_f64(0.5 + bits as f64 / 1024.0)
        };
        let turns: u32 = orders.iter().sum();
        let mut sum = Decimal::int(0);
        for wave in 0..WAVES {
            let mut phase = number(wave, 0);
            let mut factor = number(wave, 1);
            for (i, x) in arguments.iter().enumerate() {
                let w = number(wave, 2 + i as u64);
                phase = phase.add(&w.mul(x));
                for _ in 0..orders.get(i).copied().unwrap_or(0) {
                    factor = factor.mul(&w);
                }
            }
            // Each derivative of a sine is the next of sin, cos, -sin, -cos.
            let function = match turns % 2 {
                0 => Elementary::Sin,
                _ => Elementary::Cos,
            };
            let term = factor.mul(&Decimal::elementary(function, &[phase])?);
            sum = match turns % 4 {
                0 | 1 => sum.add(&term),
                _ => sum.sub(&term),
            };
        }
        Ok(sum)
    }
}

/// Functions of numbers with derivatives, by the chain rule.
pub struct Lifted<'a, J>(pub &'a J);

impl<N: Number, J: Jets<N>> Jets<Dual<N>> for Lifted<'_, J> {
    fn jet(&self, f: usize, orders: &[u32], arguments: &[Dual<N>]) -> Result<Dual<N>, EvalError> {
        let values: Vec<N> = arguments.iter().map(|a| a.value.clone()).collect();
        let mut sum = Dual::fixed(self.0.jet(f, orders, &values)?);
        for (i, a) in arguments.iter().enumerate() {
            if a.slope.iter().all(N::is_zero) {
                continue;
            }
            let by = self.0.jet(f, &raised(orders, i), &values)?;
            let inner = Dual {
                value: N::int(0),
                slope: a.slope.clone(),
            };
            sum = sum.add(&inner.mul(&Dual::fixed(by)));
        }
        Ok(sum)
    }
}

/// So that whole evaluations can be differentiated.
impl<N: Number> Jets<Dual<N>> for Functions
where
    Functions: Jets<N>,
{
    fn jet(&self, f: usize, orders: &[u32], arguments: &[Dual<N>]) -> Result<Dual<N>, EvalError> {
        Lifted(self).jet(f, orders, arguments)
    }
}

/// A function along a motion: its rate is the sum of derivatives times the rates of its arguments.
pub fn along<E: Number>(
    jets: &dyn Jets<E>,
    function: usize,
    orders: &[u32],
    arguments: &[Series<E>],
) -> Result<Series<E>, EvalError> {
    let now: Vec<E> = arguments
        .iter()
        .map(|a| a.now().cloned())
        .collect::<Result<_, _>>()?;
    let mut list = vec![jets.jet(function, orders, &now)?];
    let count = arguments
        .iter()
        .map(|a| a.0.len())
        .min()
        .unwrap_or(super::series::ORDERS);
    if count > 1 {
        let short: Vec<Series<E>> = arguments
            .iter()
            .map(|a| Series(a.0[..count - 1].to_vec()))
            .collect();
        let mut rate: Option<Series<E>> = None;
        for (i, a) in arguments.iter().enumerate() {
            let change = Series(a.rate().0[..count - 1].to_vec());
            if change.0.iter().all(E::is_zero) {
                continue;
            }
            let term = along(jets, function, &raised(orders, i), &short)?.mul(&change);
            rate = Some(match rate {
                Some(sum) => sum.add(&term),
                None => term,
            });
        }
        for k in 1..count {
            list.push(match &rate {
                Some(r) => r.0[k - 1].div(&E::int(k as i64))?,
                None => E::int(0),
            });
        }
    }
    Ok(Series(list))
}

fn raised(orders: &[u32], argument: usize) -> Vec<u32> {
    let mut orders = orders.to_vec();
    orders[argument] += 1;
    orders
}
