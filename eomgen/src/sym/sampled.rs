//! Expressions in real numbers at states drawn at random, for what these disprove at once: that one never vanishes, where it takes both
//! signs, or that it is never negative. Proves nothing, but of constants, whose value is the same everywhere.

use super::{Algebra, Expr, Meaning, Var, expr};
use crate::field::pseudo_random;
use crate::function::{Elementary, Real};
use crate::model::system::Sign;
use num_traits::ToPrimitive;
use std::cell::RefCell;
use symbolica::atom::{AtomCore, AtomView};

/// States drawn.
const STATES: usize = 12;

/// Higher powers are not worked out.
const HIGHEST: u32 = 64;

/// What is smaller beside the sum of its terms has no sign here.
const NOTHING: f64 = 1e-9;

/// A constant that is smaller beside the sum of its terms is not told from 0, and nothing is said of functions of numbers beyond the reciprocal.
const DOUBTFUL: f64 = 1e-6;

/// A number at each state.
type Row = [f64; STATES];

/// An expression at the states.
#[derive(Clone, Copy)]
struct Sample {
    values: Row,
    /// The sums of the magnitudes that the values were added up from.
    scale: Row,
    /// Whether it changes its sign nowhere but at its zeros.
    steady: bool,
}

/// The symbols at the states, as far as they were asked for.
#[derive(Default)]
pub(super) struct Sampled(RefCell<States>);

#[derive(Default)]
struct States {
    symbols: Vec<Sample>,
    /// How many expressions of the pool are known to be 1 there.
    units: usize,
    /// How many assumptions have been looked at.
    assumptions: usize,
    /// How many definitions of known sign.
    certified: usize,
    /// States at which one does not hold.
    excluded: [bool; STATES],
    /// Where each state lies among the zeros of what is assumed not to vanish: between states on two sides of them nothing has to.
    sides: [u64; STATES],
}

impl Sample {
    const fn of(number: f64) -> Self {
        Self {
            values: [number; STATES],
            scale: [number.abs(); STATES],
            steady: true,
        }
    }

    fn plus(mut self, other: &Self) -> Self {
        for i in 0..STATES {
            self.values[i] += other.values[i];
            self.scale[i] += other.scale[i];
        }
        self.steady &= other.steady;
        self
    }

    fn times(mut self, other: &Self) -> Self {
        for i in 0..STATES {
            self.values[i] *= other.values[i];
            self.scale[i] *= other.scale[i];
        }
        self.steady &= other.steady;
        self
    }

    /// A power; of negative ones the places where the base vanishes are left.
    fn power(&self, e: i32) -> Self {
        let mut power = Self::of(1.0);
        for _ in 0..e.unsigned_abs() {
            power = power.times(self);
        }
        if e < 0 {
            power.values = power.values.map(|x| 1.0 / x);
            power.scale = power.values.map(f64::abs);
            power.steady = false;
        }
        power
    }

    /// The sign at a state, where it has one that rounding errors cannot have made.
    fn sign(&self, at: usize) -> Option<bool> {
        let (value, scale) = (self.values[at], self.scale[at]);
        let told = value.is_finite() && value.abs() > NOTHING * scale;
        told.then_some(value > 0.0)
    }
}

impl States {
    /// Excludes the states at which an assumption does not hold.
    fn heed(&mut self, sample: Option<Sample>, sign: Sign) {
        for i in 0..STATES {
            let found = sample.as_ref().and_then(|sample| sample.sign(i));
            self.excluded[i] |= match (sign, found) {
                (_, None) => true,
                (Sign::Positive | Sign::NonNegative, Some(positive)) => !positive,
                (Sign::Negative | Sign::NonPositive, Some(positive)) => positive,
                (Sign::NonZero, Some(positive)) => {
                    let side = self.sides[i].rotate_left(1) ^ u64::from(positive);
                    self.sides[i] = side.wrapping_mul(0x9E37_79B9_7F4A_7C15);
                    false
                }
            };
        }
    }
}

impl Algebra {
    /// Whether the expression takes both signs at states that are as assumed, and has no poles or jumps between them: it vanishes somewhere.
    pub(super) fn changes_sign(&self, e: &Expr) -> bool {
        let states = self.drawn();
        // A factor of the denominator does not vanish where the expression is defined.
        let sample = match e.0.as_atom_view() {
            AtomView::Mul(m) => {
                let mut factors = m.iter().filter(|f| !is_reciprocal(*f));
                factors.try_fold(Sample::of(1.0), |product, factor| {
                    Some(product.times(&self.in_reals(factor, &states.symbols)?))
                })
            }
            whole if is_reciprocal(whole) => None,
            whole => self.in_reals(whole, &states.symbols),
        };
        let Some(sample) = sample.filter(|sample| sample.steady) else {
            return false;
        };
        let signs: Vec<(u64, bool)> = (0..STATES)
            .filter(|i| !states.excluded[*i])
            .filter_map(|i| Some((states.sides[i], sample.sign(i)?)))
            .collect();
        let mut pairs = signs.iter().flat_map(|a| signs.iter().map(move |b| (a, b)));
        pairs.any(|(a, b)| a.0 == b.0 && a.1 != b.1)
    }

    /// Whether the expression is negative at a state that is as assumed.
    pub(super) fn is_somewhere_negative(&self, e: &Expr) -> bool {
        let states = self.drawn();
        let Some(sample) = self.in_reals(e.0.as_atom_view(), &states.symbols) else {
            return false;
        };
        let mut all = (0..STATES).filter(|i| !states.excluded[*i]);
        all.any(|i| sample.sign(i) == Some(false))
    }

    /// The sign of what is made of numbers, pi and functions of them, where it is far from 0.
    pub(super) fn sign_of_constant(&self, e: &Expr) -> Option<Sign> {
        if !self.is_constant(e) {
            return None;
        }
        let states = self.drawn();
        let sample = self.in_reals(e.0.as_atom_view(), &states.symbols)?;
        let (value, scale) = (sample.values[0], sample.scale[0]);
        let told = value.is_finite() && value.abs() > DOUBTFUL * scale;
        told.then_some(if value > 0.0 {
            Sign::Positive
        } else {
            Sign::Negative
        })
    }

    /// Whether an expression is a constant of moderate size, as are the arguments of all functions in it.
    fn is_constant(&self, e: &Expr) -> bool {
        let constant = |v: &Var| match &self.info(*v).meaning {
            Meaning::Pi => true,
            Meaning::Definition(e) => self.is_constant(e),
            Meaning::Kernel(k, args) => {
                !k.is_choice()
                    && args
                        .iter()
                        .all(|a| self.is_constant(a) && self.is_moderate(a))
            }
            Meaning::Base | Meaning::Jet { .. } => false,
        };
        self.variables(e).iter().all(constant)
    }

    fn is_moderate(&self, e: &Expr) -> bool {
        let states = self.drawn();
        let sample = self.in_reals(e.0.as_atom_view(), &states.symbols);
        sample.is_some_and(|s| s.values[0].abs() < 1.0 / DOUBTFUL)
    }

    /// The states, with all symbols of the pool.
    fn drawn(&self) -> std::cell::Ref<'_, States> {
        {
            let mut states = self.sampled.0.borrow_mut();
            if states.units != self.units.len() {
                *states = States {
                    units: self.units.len(),
                    ..States::default()
                };
            }
            for k in states.symbols.len()..self.infos.len() {
                let sample = self.symbol(Var(k as u32), &states.symbols);
                states.symbols.push(sample);
            }
            for (e, sign) in self.assumptions.iter().skip(states.assumptions) {
                let sample = self.in_reals(e.0.as_atom_view(), &states.symbols);
                states.heed(sample, *sign);
            }
            for (v, sign) in self.certified.iter().skip(states.certified) {
                let sample = states.symbols.get(v.0 as usize).copied();
                states.heed(sample, *sign);
            }
            states.assumptions = self.assumptions.len();
            states.certified = self.certified.len();
        }
        self.sampled.0.borrow()
    }

    /// A symbol at the states, given those before it.
    fn symbol(&self, v: Var, known: &[Sample]) -> Sample {
        let info = self.info(v);
        let missing = Sample::of(f64::NAN);
        let of = |e: &Expr| self.in_reals(e.0.as_atom_view(), known);
        match &info.meaning {
            Meaning::Base => self.base_sample(v),
            Meaning::Pi => Sample::of(std::f64::consts::PI),
            Meaning::Definition(e) => of(e).unwrap_or(missing),
            Meaning::Kernel(k, args) => {
                let args: Option<Vec<Sample>> = args.iter().map(of).collect();
                args.map_or(missing, |args| kernel(*k, &args))
            }
            Meaning::Jet { .. } => Sample {
                values: drawn(v, info.sign),
                scale: [1.0; STATES],
                steady: true,
            },
        }
    }

    /// A base symbol; those of a unit quaternion have its length.
    fn base_sample(&self, v: Var) -> Sample {
        let sign = |v: Var| self.info(v).sign;
        let mut values = drawn(v, sign(v));
        for unit in &self.units {
            let all = self.variables(unit);
            let is_sum_of_squares = all
                .iter()
                .fold(Expr::zero(), |sum, v| sum + self.var(*v).powi(2));
            if all.contains(&v) && self.equal(unit, &is_sum_of_squares) {
                let rows: Vec<Row> = all.iter().map(|v| drawn(*v, sign(*v))).collect();
                for (i, value) in values.iter_mut().enumerate() {
                    *value /= rows.iter().map(|row| row[i] * row[i]).sum::<f64>().sqrt();
                }
                return Sample::with(values);
            }
            if all.contains(&v) {
                return Sample::of(f64::NAN);
            }
        }
        Sample::with(values)
    }

    fn in_reals(&self, v: AtomView<'_>, known: &[Sample]) -> Option<Sample> {
        Some(match v {
            AtomView::Num(_) => Sample::of(match expr::small_integer(v) {
                Some(integer) => integer as f64,
                None => expr::to_rational(v)?.to_f64()?,
            }),
            AtomView::Var(x) => *known.get(self.lookup(x.get_symbol())?.0 as usize)?,
            AtomView::Add(a) => {
                let mut sum = Sample::of(0.0);
                for t in a.iter() {
                    sum = sum.plus(&self.in_reals(t, known)?);
                }
                sum
            }
            AtomView::Mul(m) => {
                let mut product = Sample::of(1.0);
                for f in m.iter() {
                    product = product.times(&self.in_reals(f, known)?);
                }
                product
            }
            AtomView::Pow(p) => {
                let (b, e) = p.get_base_exp();
                let e = i32::try_from(expr::small_integer(e)?).ok()?;
                if e.unsigned_abs() > HIGHEST {
                    return None;
                }
                self.in_reals(b, known)?.power(e)
            }
            AtomView::Fun(_) => return None,
        })
    }
}

impl Sample {
    fn with(values: Row) -> Self {
        Self {
            values,
            scale: values.map(f64::abs),
            steady: true,
        }
    }
}

/// Numbers of a sign, from 0.2 to 2.2 in magnitude.
fn drawn(v: Var, sign: Option<Sign>) -> Row {
    std::array::from_fn(|i| {
        let number = pseudo_random(500 + i as u64, u64::from(v.0)).get();
        let magnitude = 0.2 + (number >> 1 & 0xffff) as f64 / 32768.0;
        match sign {
            // Of what does not vanish, one side.
            Some(Sign::Positive | Sign::NonNegative | Sign::NonZero) => magnitude,
            Some(Sign::Negative | Sign::NonPositive) => -magnitude,
            None if number & 1 == 1 => magnitude,
            None => -magnitude,
        }
    })
}

/// A function of samples. What it loses by rounding its argument is not counted: the arguments are of the size of 1.
fn kernel(k: Elementary, args: &[Sample]) -> Sample {
    let (real, steady) = (k.row().real, args.iter().all(|a| a.steady));
    let values: Option<Row> = match (real, args) {
        (Real::One(f), [a]) => Some(a.values.map(f)),
        (Real::Two(f), [a, b]) => Some(std::array::from_fn(|i| f(a.values[i], b.values[i]))),
        (Real::None, [left, right, then, other]) => k.row().test.map(|test| {
            std::array::from_fn(|i| {
                let holds = test.holds(&left.values[i], &right.values[i]);
                (if holds { then } else { other }).values[i]
            })
        }),
        _ => None,
    };
    let jumps =
        k.is_choice() || matches!(k, Elementary::Tan | Elementary::Sign | Elementary::Atan2);
    let values = values.unwrap_or([f64::NAN; STATES]);
    Sample {
        values,
        scale: values.map(|x| x.abs().max(1.0)),
        steady: steady && !jumps,
    }
}

fn is_reciprocal(v: AtomView<'_>) -> bool {
    match v {
        AtomView::Pow(p) => expr::small_integer(p.get_base_exp().1).is_some_and(|e| e < 0),
        _ => false,
    }
}
