//! States of any kind from a seed: they need not meet the constraints. Parameters and coordinates have the signs that are
//! assumed of them.

use crate::field::pseudo_random;
use crate::model::System;
use crate::model::system::Rational;
use crate::model::system::{Orientation, Scalar, Sign};
use crate::verify::dynamics::State;
use crate::verify::number::Decimal;
use crate::verify::number::{Modular, Number};

/// What is drawn: the kinds have streams of their own, so that a parameter more changes no coordinate.
#[derive(Clone, Copy)]
enum Stream {
    Time,
    Param,
    Input,
    Coordinate,
    Rate,
}

fn seed_of(seed: u64, stream: Stream) -> u64 {
    pseudo_random(seed, stream as u64 + 1).get()
}

impl<N: Number> State<N> {
    /// Replaces the quaternions that constraints keep at length 1 by others of that length: p p/|p|^2 for p, which needs no root.
    /// Whether there are any, and none is of length 0.
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
            any = true;
        }
        any
    }
}

impl State<Modular> {
    /// A state of the field.
    pub fn random(system: &System, seed: u64) -> Self {
        let any = |stream, place: usize| Modular::random(seed_of(seed, stream), place as u64);
        let signed = |x: Modular, sign: Option<Sign>| match sign {
            Some(Sign::Positive | Sign::NonNegative) => x.made_positive(),
            Some(Sign::Negative | Sign::NonPositive) => x.made_positive().neg(),
            Some(Sign::NonZero) | None => x,
        };
        let params = system.params.iter().enumerate().map(|(i, p)| {
            let own = Modular::random_factor(seed_of(seed, Stream::Param), i as u64);
            signed(own, p.sign)
        });
        let places = system.coords.iter().enumerate();
        Self {
            t: any(Stream::Time, 0),
            params: params.collect(),
            inputs: (0..system.inputs.len())
                .map(|i| any(Stream::Input, i))
                .collect(),
            q: places
                .map(|(i, c)| signed(any(Stream::Coordinate, i), c.sign))
                .collect(),
            rates: (0..system.coords.len())
                .map(|i| any(Stream::Rate, i))
                .collect(),
        }
    }
}

impl State<Decimal> {
    /// A state near the values that the model gives, or near 1.
    pub fn random(system: &System, seed: u64) -> Self {
        Self::near(system, seed, (0.125, 0.125))
    }

    /// A state whose parameters and places differ from the values that the model gives by these parts of them.
    pub fn near(system: &System, seed: u64, (loose, spread): (f64, f64)) -> Self {
        let any = |stream, place: usize| number(seed_of(seed, stream), place);
        let params = system.params.iter().enumerate().map(|(i, p)| {
            let own = any(Stream::Param, i);
            match &p.default {
                Some(v) if !num_traits::Zero::is_zero(v) => {
                    let factor = Decimal::from_f64(1.0 + loose * own);
                    exact(v).mul(&factor)
                }
                given => positive(own, p.sign.or(given.as_ref().map(|_| Sign::NonZero))),
            }
        });
        let places = system.coords.iter().enumerate().map(|(i, c)| {
            let own = any(Stream::Coordinate, i);
            match &c.initial {
                Some(v) if !num_traits::Zero::is_zero(v) => {
                    exact(v).mul(&Decimal::from_f64(1.0 + spread * own))
                }
                Some(_) if c.sign.is_none() => Decimal::from_f64(spread * own),
                _ => positive(own, c.sign),
            }
        });
        Self {
            t: Decimal::from_f64(any(Stream::Time, 0)),
            params: params.collect(),
            inputs: (0..system.inputs.len())
                .map(|i| Decimal::from_f64(any(Stream::Input, i)))
                .collect(),
            q: places.collect(),
            rates: (0..system.coords.len())
                .map(|i| Decimal::from_f64(any(Stream::Rate, i)))
                .collect(),
        }
    }
}

/// A number between -1 and 1 that a double holds exactly.
fn number(seed: u64, place: usize) -> f64 {
    let bits = pseudo_random(seed, place as u64);
    (bits.get() % (1 << 40)) as f64 / (1_u64 << 39) as f64 - 1.0
}

fn exact(value: &Rational) -> Decimal {
    Decimal::rational(value).unwrap_or_else(|_| Decimal::int(1))
}

/// A number of the size of 1 with a sign.
fn positive(own: f64, sign: Option<Sign>) -> Decimal {
    Decimal::from_f64(match sign {
        Some(Sign::Positive | Sign::NonNegative) => 1.0 + own / 2.0,
        Some(Sign::Negative | Sign::NonPositive) => -1.0 - own / 2.0,
        Some(Sign::NonZero) | None => own,
    })
}
