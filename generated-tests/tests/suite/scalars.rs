//! Modules for other numbers than `f64`, and with parameters fixed, against those for `f64` with parameters.
#![cfg(feature = "generated")]
#![allow(clippy::excessive_precision)]

use generated_tests::generated::{
    crane, e1_appell, e2_appell_rheonomic, e4_sleigh_cartesian, pend_abs_1,
};
use generated_tests::user;
use nalgebra::SVector;
use std::ops::{Add, Div, Mul, Neg, Sub};

#[path = "../../src/variants/crane_f32.rs"]
mod crane_f32;
#[path = "../../src/variants/crane_f32_fused.rs"]
mod crane_f32_fused;
#[path = "../../src/variants/crane_fused.rs"]
mod crane_fused;
#[path = "../../src/variants/crane_generic.rs"]
pub(crate) mod crane_generic;
#[path = "../../src/variants/e1_appell_f32.rs"]
mod e1_appell_f32;
#[path = "../../src/variants/e2_appell_rheonomic_generic.rs"]
mod e2_appell_rheonomic_generic;
#[path = "../../src/variants/e4_sleigh_cartesian_generic.rs"]
mod e4_sleigh_cartesian_generic;
#[path = "../../src/variants/pend_abs_1_fixed.rs"]
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
    let (plain, generic) = (
        crane::Model::new(&p),
        crane_generic::Model::new(&params::<f64>()),
    );
    for state in &STATES {
        let expected = crane::derivative(0.0, state, &p, &FORCES).unwrap();
        let found = crane_generic::derivative(0.0, state, &params(), &inputs()).unwrap();
        assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits));
        let expected = plain.closeness(0.0, state, &FORCES);
        let found = generic.closeness(0.0, state, &inputs());
        assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits));
        let energy = plain.kinetic_energy(0.0, state, &FORCES);
        let found = generic.kinetic_energy(0.0, state, &inputs());
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

/// One rounding in place of two, and sines of the module's own.
#[test]
fn fused_operations_are_near() {
    let p = crane_fused::Params::default();
    let given = crane_fused::Inputs {
        fx: FORCES.fx,
        fy: FORCES.fy,
        fl: FORCES.fl,
    };
    let single = crane_f32_fused::Params::default();
    let given_single = crane_f32_fused::Inputs {
        fx: FORCES.fx as f32,
        fy: FORCES.fy as f32,
        fl: FORCES.fl as f32,
    };
    let mut moved = false;
    for state in &STATES {
        let expected = crane::derivative(0.0, state, &crane::Params::default(), &FORCES).unwrap();
        let found = crane_fused::derivative(0.0, state, &p, &given).unwrap();
        let rounded = state.map(|x| x as f32);
        let rough = crane_f32_fused::derivative(0.0, &rounded, &single, &given_single).unwrap();
        moved |= found != expected;
        for ((a, b), c) in found.iter().zip(expected).zip(rough) {
            let size = b.abs().max(1.0);
            assert!((a - b).abs() <= 1e-13 * size, "{a} {b}");
            assert!((f64::from(c) - b).abs() <= 1e-5 * size, "{c} {b}");
        }
    }
    assert!(moved, "nothing was fused");
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
    let model = crane::Model::unchecked(&crane::Params::default());
    let columns: [Lanes; 10] =
        std::array::from_fn(|entry| Lanes(std::array::from_fn(|lane| STATES[lane][entry])));
    let zero = Lanes::from_f64(0.0);
    let lanes = crane_generic::Model::unchecked(&params());
    let rates = lanes.derivative(zero, &columns, &inputs()).unwrap();
    let closeness = lanes.closeness(zero, &columns, &inputs());
    for (lane, state) in STATES.iter().enumerate() {
        let expected = model.derivative(0.0, state, &FORCES).unwrap();
        assert_eq!(rates.map(|r| r.0[lane]), expected);
        let expected = model.closeness(0.0, state, &FORCES);
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

/// E2's function h = sin(x) y + z^2/2 + x cos(1.9 t), with its derivatives, of anything that has sines.
struct Rheonomic;
trait Sines: e2_appell_rheonomic_generic::Scalar {
    fn sines(self) -> (Self, Self);
}
impl Sines for f64 {
    fn sines(self) -> (Self, Self) {
        self.sin_cos()
    }
}
impl Sines for Dual {
    fn sines(self) -> (Self, Self) {
        (Scalar::sin(self), Scalar::cos(self))
    }
}
impl<T: Sines> e2_appell_rheonomic_generic::Functions<T> for Rheonomic {
    fn h(&self, x: T, y: T, z: T, t: T) -> e2_appell_rheonomic_generic::Jet1<T, 4> {
        let (rate, two) = (T::from_f64(1.9), T::from_f64(2.0));
        let ((s, c), (sx, cx)) = ((rate * t).sines(), x.sines());
        e2_appell_rheonomic_generic::Jet1 {
            value: sx * y + z * z / two + x * c,
            gradient: [cx * y + c, sx, z, -rate * x * s],
        }
    }
}
impl e2_appell_rheonomic_generic::Scalar for Dual {
    fn from_f64(number: f64) -> Self {
        dual(number, 0.0)
    }
    fn magnitude(self) -> f64 {
        self.value.abs()
    }
    fn abs(self) -> Self {
        Scalar::abs(self)
    }
    fn select_less(a: Self, b: Self, then: Self, other: Self) -> Self {
        Scalar::select_less(a, b, then, other)
    }
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        dual(root, self.slope / (2.0 * root))
    }
}

#[test]
fn functions_of_the_users_own_are_generic_too() {
    use e2_appell_rheonomic_generic as generic;
    const STEP: f64 = 1e-6;
    let p = e2_appell_rheonomic::Params::default();
    let state = [0.387, 0.434, 0.594, 0.67, 0.1, 0.37];
    let plain = |t: f64, state: &[f64; 6]| {
        e2_appell_rheonomic::accelerations(t, state, &p, &user::Rheonomic).unwrap()
    };
    let same = generic::accelerations(0.7, &state, &generic::Params::default(), &Rheonomic);
    assert_eq!(same.unwrap(), plain(0.7, &state));
    for column in 0..6 {
        let mut along = state.map(|x| dual(x, 0.0));
        along[column].slope = 1.0;
        let p = generic::Params::default();
        let found = generic::accelerations(dual(0.7, 0.0), &along, &p, &Rheonomic).unwrap();
        let moved = |step: f64| {
            let mut state = state;
            state[column] += step;
            plain(0.7, &state)
        };
        let (plus, minus) = (moved(STEP), moved(-STEP));
        for (row, found) in found.iter().enumerate() {
            let expected = (plus[row] - minus[row]) / (2.0 * STEP);
            let off = (found.slope - expected).abs();
            assert!(
                off <= 1e-6 * expected.abs().max(1.0),
                "{row} {column}: {off}"
            );
        }
    }
}

impl e4_sleigh_cartesian_generic::Scalar for Dual {
    fn from_f64(number: f64) -> Self {
        dual(number, 0.0)
    }
    fn magnitude(self) -> f64 {
        self.value.abs()
    }
    fn abs(self) -> Self {
        Scalar::abs(self)
    }
    fn max(self, other: Self) -> Self {
        if self.value < other.value {
            other
        } else {
            self
        }
    }
    fn select_less(a: Self, b: Self, then: Self, other: Self) -> Self {
        Scalar::select_less(a, b, then, other)
    }
    fn sqrt(self) -> Self {
        e2_appell_rheonomic_generic::Scalar::sqrt(self)
    }
}

/// The constraint rows of this model depend on each other, so its accelerations come out of the numerical routine.
#[test]
fn routines_take_any_number() {
    use e4_sleigh_cartesian_generic as generic;
    const STEP: f64 = 1e-5;
    let p = e4_sleigh_cartesian::Params::default();
    let state: [f64; 12] = std::array::from_fn(|k| 0.4 + 0.31 * ((k * k) as f64).sin());
    let plain = |state: &[f64; 12]| e4_sleigh_cartesian::accelerations(0.0, state, &p).unwrap();
    let same = generic::accelerations(0.0, &state, &generic::Params::default()).unwrap();
    assert_eq!(same.map(f64::to_bits), plain(&state).map(f64::to_bits));
    for column in 0..12 {
        let mut along = state.map(|x| dual(x, 0.0));
        along[column].slope = 1.0;
        let p = generic::Params::default();
        let found = generic::accelerations(dual(0.0, 0.0), &along, &p).unwrap();
        let moved = |step: f64| {
            let mut state = state;
            state[column] += step;
            plain(&state)
        };
        let (plus, minus) = (moved(STEP), moved(-STEP));
        for (row, found) in found.iter().enumerate() {
            let expected = (plus[row] - minus[row]) / (2.0 * STEP);
            let off = (found.slope - expected).abs();
            assert!(
                off <= 1e-5 * expected.abs().max(1.0),
                "{row} {column}: {off}"
            );
        }
    }
}
