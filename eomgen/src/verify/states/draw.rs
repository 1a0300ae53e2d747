//! States of any kind from a seed: they need not meet the constraints. Parameters and coordinates have the signs that are
//! assumed of them.

use num_traits::Zero;

use crate::field::pseudo_random;
use crate::model::System;
use crate::model::system::{Orientation, Rational, Scalar, Sign};
use crate::verify::dynamics::State;
use crate::verify::number::{Algebra, Decimal, Modular, Number};

/// What is drawn: the kinds have streams of their own, so that a parameter more changes no coordinate.
#[derive(Clone, Copy)]
enum Stream {
    Time,
    Param,
    Input,
    State,
    Coordinate,
    Rate,
}

fn seed_of(seed: u64, stream: Stream) -> u64 {
    pseudo_random(seed, stream as u64 + 1).get()
}

impl<N: Number> State<N> {
    /// Replaces the quaternions that constraints keep at length 1 by others of that length, p p/|p|^2 for p, which needs no root; their
    /// rates lose the part that would change it. Whether there are any, and none is of length 0.
    pub fn with_unit_quaternions(&mut self, system: &System) -> bool {
        let mut any = false;
        for frame in &system.frames {
            let Some((_, Orientation::Quaternion { parts, unit: true })) = &frame.orientation
            else {
                continue;
            };
            let places: Vec<usize> = parts
                .iter()
                .filter_map(|part| match part {
                    Scalar::Coord(c) => Some(c.index()),
                    _ => None,
                })
                .collect();
            let p: Vec<N> = places
                .iter()
                .filter_map(|place| self.q.get(*place).cloned())
                .collect();
            let [a, x, y, z] = p.as_slice() else {
                return false;
            };
            let length = x.mul(x).add(&y.mul(y)).add(&z.mul(z));
            let square = a.mul(a).add(&length);
            let twice = a.add(a);
            let list = [
                a.mul(a).sub(&length),
                twice.mul(x),
                twice.mul(y),
                twice.mul(z),
            ];
            for (place, part) in places.iter().zip(list) {
                match (self.q.get_mut(*place), part.div(&square)) {
                    (Some(q), Ok(part)) => *q = part,
                    _ => return false,
                }
            }
            let entries = places
                .iter()
                .map(|place| (self.q.get(*place), self.rates.get(*place)));
            let growth = entries.fold(N::int(0), |sum, pair| match pair {
                (Some(part), Some(rate)) => sum.add(&part.mul(rate)),
                _ => sum,
            });
            for place in &places {
                if let (Some(part), Some(rate)) = (self.q.get(*place), self.rates.get_mut(*place)) {
                    *rate = rate.sub(&growth.mul(part));
                }
            }
            any = true;
        }
        any
    }
}

impl<N> State<N> {
    fn drawn(system: &System, of: impl Fn(Stream, usize) -> N) -> Self {
        let list = |stream, count: usize| (0..count).map(|i| of(stream, i)).collect();
        Self {
            t: of(Stream::Time, 0),
            params: list(Stream::Param, system.params.len()),
            states: list(Stream::State, system.states.len()),
            inputs: list(Stream::Input, system.inputs.len()),
            q: list(Stream::Coordinate, system.coords.len()),
            rates: list(Stream::Rate, system.coords.len()),
        }
    }
}

impl State<Modular> {
    /// A state of the field.
    pub fn random(system: &System, seed: u64) -> Self {
        let signed = |x: Modular, sign: Option<Sign>| match sign {
            Some(Sign::Positive | Sign::NonNegative) => x.made_positive(),
            Some(Sign::Negative | Sign::NonPositive) => x.made_positive().neg(),
            Some(Sign::NonZero) | None => x,
        };
        Self::drawn(system, |stream, i| {
            let seed = seed_of(seed, stream);
            let any = Modular::random(seed, i as u64);
            match stream {
                Stream::Param => signed(
                    Modular::random_factor(seed, i as u64),
                    system.params[i].sign,
                ),
                Stream::Coordinate => signed(any, system.coords[i].sign),
                _ => any,
            }
        })
    }
}

impl State<Decimal> {
    /// A state near the values that the model gives, or near 1.
    pub fn random(system: &System, seed: u64) -> Self {
        Self::near(system, seed, (0.125, 0.125))
    }

    /// A state whose parameters and coordinates differ from the values that the model gives by these parts of them.
    pub fn near(system: &System, seed: u64, (loose, spread): (f64, f64)) -> Self {
        let around = |value: &Rational, by: f64| {
            let value = Decimal::rational(value).unwrap_or_else(|_| Decimal::int(1));
            value.mul(&Decimal::from_f64(1.0 + by))
        };
        let inertial = Inertial::of(system);
        Self::drawn(system, |stream, i| {
            let own = number(seed_of(seed, stream), i);
            match stream {
                Stream::Param => match (&system.params[i].default, system.params[i].sign) {
                    (Some(v), _) if !v.is_zero() => around(v, loose * own),
                    (None, None) if inertial.moments.contains(&i) => {
                        with_sign(own, Some(Sign::Positive))
                    }
                    (None, None) if inertial.products.contains(&i) => Decimal::from_f64(own / 8.0),
                    (given, sign) => with_sign(own, sign.or(given.as_ref().map(|_| Sign::NonZero))),
                },
                Stream::Coordinate => match (&system.coords[i].initial, system.coords[i].sign) {
                    (Some(v), _) if !v.is_zero() => around(v, spread * own),
                    (Some(_), None) => Decimal::from_f64(spread * own),
                    (_, sign) => with_sign(own, sign),
                },
                _ => Decimal::from_f64(own),
            }
        })
    }
}

/// The parameters that are masses and moments of inertia, and those that are products of inertia: many models leave it to the reader that a mass is
/// positive, and one that is not has no motion that mechanics knows of.
struct Inertial {
    moments: Vec<usize>,
    products: Vec<usize>,
}

impl Inertial {
    fn of(system: &System) -> Self {
        let param = |s: &Scalar| match s {
            Scalar::Param(p) => Some(p.index()),
            _ => None,
        };
        let (mut moments, mut products) = (Vec::new(), Vec::new());
        for body in &system.bodies {
            moments.extend(param(&body.mass));
            if let Some(rigid) = &body.rigid {
                let (diagonal, rest) = rigid.inertia.split_at(3);
                moments.extend(diagonal.iter().filter_map(param));
                products.extend(rest.iter().filter_map(param));
            }
        }
        Self { moments, products }
    }
}

/// A number between -1 and 1 that a double holds exactly.
fn number(seed: u64, place: usize) -> f64 {
    let bits = pseudo_random(seed, place as u64);
    (bits.get() % (1 << 40)) as f64 / (1_u64 << 39) as f64 - 1.0
}

/// A number of the size of 1 with a sign.
fn with_sign(own: f64, sign: Option<Sign>) -> Decimal {
    Decimal::from_f64(match sign {
        Some(Sign::Positive | Sign::NonNegative) => 1.0 + own / 2.0,
        Some(Sign::Negative | Sign::NonPositive) => -1.0 - own / 2.0,
        Some(Sign::NonZero) | None => own,
    })
}
