//! Modules for other numbers than `f64`, and with parameters fixed, against those for `f64` with parameters.
#![cfg(feature = "generated")]
#![allow(clippy::excessive_precision)]

use generated_tests::generated::{crane, e1_appell, pend_abs_1};
use generated_tests::user;
use nalgebra::SVector;
use std::ops::{Add, Div, Mul, Neg, Sub};

#[path = "../src/variants/crane_f32.rs"]
mod crane_f32;
#[path = "../src/variants/crane_generic.rs"]
mod crane_generic;
#[path = "../src/variants/e1_appell_f32.rs"]
mod e1_appell_f32;
#[path = "../src/variants/pend_abs_1_fixed.rs"]
mod pend_abs_1_fixed;

use crane_generic::Scalar;

/// x, y, l, tx, ty and their rates.
const STATES: [[f64; 10]; 4] = [
    [0.1, -0.2, 1.4, 0.2, 0.1, 0.3, -0.5, 0.2, 0.7, -0.9],
    [1.0, 2.0, 0.8, -0.6, 0.4, -0.1, 0.9, -0.3, 0.2, 0.6],
    [0.0, 0.5, 2.1, 0.9, -0.7, 0.4, 0.1, 0.5, -1.1, 0.3],
    [-2.0, 0.3, 1.1, 0.05, 0.6, 1.2, -0.8, 0.1, 0.4, 1.3],
];

const FORCES: crane::Inputs = crane::Inputs {
    fx: 3.0,
    fy: -2.0,
    fl: -40.0,
};

fn params<T: Scalar>() -> crane_generic::Params<T> {
    crane_generic::Params::default()
}

fn inputs<T: Scalar>() -> crane_generic::Inputs<T> {
    crane_generic::Inputs {
        fx: T::from_f64(FORCES.fx),
        fy: T::from_f64(FORCES.fy),
        fl: T::from_f64(FORCES.fl),
    }
}

#[test]
fn generic_code_gives_the_bits_of_f64() {
    let p = crane::Params::default();
    for state in &STATES {
        let expected = crane::derivative(0.0, state, &p, &FORCES).unwrap();
        let found = crane_generic::derivative(0.0, state, &params(), &inputs()).unwrap();
        assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits));
        let expected = crane::closeness(0.0, state, &p, &FORCES);
        let found = crane_generic::closeness(0.0, state, &params(), &inputs());
        assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits));
        let energy = crane::kinetic_energy(0.0, state, &p, &FORCES);
        let found = crane_generic::kinetic_energy(0.0, state, &params(), &inputs());
        assert_eq!(found.to_bits(), energy.to_bits());
    }
    // A cable of no length.
    let mut short = STATES[0];
    short[2] = 0.0;
    let expected = crane::accelerations(0.0, &short, &p, &FORCES).unwrap_err();
    let found = crane_generic::accelerations(0.0, &short, &params(), &inputs()).unwrap_err();
    assert_eq!(found.condition, expected.condition);
}

#[test]
fn single_precision_is_near() {
    let p = crane_f32::Params::default();
    let given = crane_f32::Inputs {
        fx: FORCES.fx as f32,
        fy: FORCES.fy as f32,
        fl: FORCES.fl as f32,
    };
    for state in &STATES {
        let expected = crane::derivative(0.0, state, &crane::Params::default(), &FORCES).unwrap();
        let single = state.map(|x| x as f32);
        let found = crane_f32::derivative(0.0, &single, &p, &given).unwrap();
        for (a, b) in found.iter().zip(expected) {
            assert!(
                (f64::from(*a) - b).abs() <= 1e-5 * b.abs().max(1.0),
                "{a} {b}"
            );
        }
    }
}

/// E1's functions in single precision.
struct Appell;
impl e1_appell_f32::Functions for Appell {
    #[allow(non_snake_case)]
    fn Fx(&self, _x: f32, y: f32, z: f32) -> f32 {
        0.6 * y * z
    }
    #[allow(non_snake_case)]
    fn Fy(&self, x: f32, _y: f32, z: f32) -> f32 {
        -1.3 * (x - z * z)
    }
    #[allow(non_snake_case)]
    fn Fz(&self, x: f32, y: f32, _z: f32) -> f32 {
        0.45 * x * y - 9.81
    }
}

#[test]
fn routines_work_in_single_precision() {
    let state: [f64; e1_appell::STATES] = std::array::from_fn(|i| 0.4 + 0.3 * i as f64);
    let single = state.map(|x| x as f32);
    let p = e1_appell::Params::default();
    let expected = e1_appell::accelerations(0.0, &state, &p, &user::Appell).unwrap();
    let p = e1_appell_f32::Params::default();
    let found = e1_appell_f32::accelerations(0.0, &single, &p, &Appell).unwrap();
    for (a, b) in found.iter().zip(expected) {
        assert!(
            (f64::from(*a) - b).abs() <= 1e-5 * b.abs().max(1.0),
            "{a} {b}"
        );
    }
}

/// A number and its derivative along one direction.
#[derive(Clone, Copy, Debug)]
struct Dual {
    value: f64,
    slope: f64,
}

impl Add for Dual {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        dual(self.value + b.value, self.slope + b.slope)
    }
}
impl Sub for Dual {
    type Output = Self;
    fn sub(self, b: Self) -> Self {
        dual(self.value - b.value, self.slope - b.slope)
    }
}
impl Mul for Dual {
    type Output = Self;
    fn mul(self, b: Self) -> Self {
        dual(
            self.value * b.value,
            self.slope * b.value + self.value * b.slope,
        )
    }
}
impl Div for Dual {
    type Output = Self;
    fn div(self, b: Self) -> Self {
        let value = self.value / b.value;
        dual(value, (self.slope - value * b.slope) / b.value)
    }
}
impl Neg for Dual {
    type Output = Self;
    fn neg(self) -> Self {
        dual(-self.value, -self.slope)
    }
}

fn dual(value: f64, slope: f64) -> Dual {
    Dual { value, slope }
}

impl Scalar for Dual {
    fn from_f64(number: f64) -> Self {
        dual(number, 0.0)
    }
    fn magnitude(self) -> f64 {
        self.value.abs()
    }
    fn abs(self) -> Self {
        if self.value < 0.0 { -self } else { self }
    }
    fn cos(self) -> Self {
        dual(self.value.cos(), -self.slope * self.value.sin())
    }
    fn sin(self) -> Self {
        dual(self.value.sin(), self.slope * self.value.cos())
    }
    fn select_less(a: Self, b: Self, then: Self, other: Self) -> Self {
        if a.value < b.value { then } else { other }
    }
}

#[test]
fn derivatives_go_through_the_code() {
    const STEP: f64 = 1e-6;
    let p = crane::Params::default();
    for state in &STATES {
        for column in 0..10 {
            let mut along = state.map(Dual::from_f64);
            along[column].slope = 1.0;
            let found =
                crane_generic::derivative(Dual::from_f64(0.0), &along, &params(), &inputs());
            let moved = |step: f64| {
                let mut state = *state;
                state[column] += step;
                crane::derivative(0.0, &state, &p, &FORCES).unwrap()
            };
            let (plus, minus) = (moved(STEP), moved(-STEP));
            for (row, rate) in found.unwrap().iter().enumerate() {
                let expected = (plus[row] - minus[row]) / (2.0 * STEP);
                let off = (rate.slope - expected).abs();
                assert!(
                    off <= 1e-6 * expected.abs().max(1.0),
                    "{row} {column}: {off}"
                );
            }
        }
    }
}

/// Four numbers at once.
#[derive(Clone, Copy, Debug)]
struct Lanes([f64; 4]);

fn both(a: Lanes, b: Lanes, f: impl Fn(f64, f64) -> f64) -> Lanes {
    Lanes(std::array::from_fn(|i| f(a.0[i], b.0[i])))
}

impl Add for Lanes {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        both(self, b, f64::add)
    }
}
impl Sub for Lanes {
    type Output = Self;
    fn sub(self, b: Self) -> Self {
        both(self, b, f64::sub)
    }
}
impl Mul for Lanes {
    type Output = Self;
    fn mul(self, b: Self) -> Self {
        both(self, b, f64::mul)
    }
}
impl Div for Lanes {
    type Output = Self;
    fn div(self, b: Self) -> Self {
        both(self, b, f64::div)
    }
}
impl Neg for Lanes {
    type Output = Self;
    fn neg(self) -> Self {
        Lanes(self.0.map(f64::neg))
    }
}

impl Scalar for Lanes {
    fn from_f64(number: f64) -> Self {
        Lanes([number; 4])
    }
    fn magnitude(self) -> f64 {
        // The smallest: a check refuses all four where one fails.
        self.0.iter().fold(f64::INFINITY, |m, x| m.min(x.abs()))
    }
    fn abs(self) -> Self {
        Lanes(self.0.map(f64::abs))
    }
    fn cos(self) -> Self {
        Lanes(self.0.map(f64::cos))
    }
    fn sin(self) -> Self {
        Lanes(self.0.map(f64::sin))
    }
    fn select_less(a: Self, b: Self, then: Self, other: Self) -> Self {
        let one = |i: usize| {
            if a.0[i] < b.0[i] {
                then.0[i]
            } else {
                other.0[i]
            }
        };
        Lanes(std::array::from_fn(one))
    }
}

#[test]
fn four_states_at_once() {
    let p = crane::Params::default();
    let columns: [Lanes; 10] =
        std::array::from_fn(|entry| Lanes(std::array::from_fn(|lane| STATES[lane][entry])));
    let zero = Lanes::from_f64(0.0);
    let rates = crane_generic::derivative_unchecked(zero, &columns, &params(), &inputs());
    let closeness = crane_generic::closeness(zero, &columns, &params(), &inputs());
    for (lane, state) in STATES.iter().enumerate() {
        let expected = crane::derivative_unchecked(0.0, state, &p, &FORCES);
        assert_eq!(rates.map(|r| r.0[lane]), expected);
        let expected = crane::closeness(0.0, state, &p, &FORCES);
        assert_eq!(closeness.map(|r| r.0[lane]), expected);
    }
}

#[test]
fn vectors_of_nalgebra_go_in_and_come_out() {
    let state = SVector::<f64, 10>::from(STATES[1]);
    let rate = crane_generic::derivative(0.0, state.as_ref(), &params(), &inputs()).unwrap();
    let rate = SVector::from(rate);
    // The first half of the rate is the second half of the state.
    assert_eq!(rate.fixed_rows::<5>(0), state.fixed_rows::<5>(5));
    assert!(rate.norm() > 1.0);
}

#[test]
fn fixed_parameters_are_the_defaults() {
    let p = pend_abs_1::Params::default();
    let given = pend_abs_1::Inputs { F: 1.5, tau1: -0.2 };
    let same = pend_abs_1_fixed::Inputs { F: 1.5, tau1: -0.2 };
    for state in [[0.3, 0.7, -0.4, 1.9], [0.0, -2.0, 1.0, -3.0]] {
        let expected = pend_abs_1::derivative(0.0, &state, &p, &given);
        let found = pend_abs_1_fixed::derivative(0.0, &state, &same);
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() <= 1e-13 * b.abs().max(1.0), "{a} {b}");
        }
    }
}
