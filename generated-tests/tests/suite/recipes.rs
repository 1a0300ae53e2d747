//! The recipes of docs/scalars.md: generic code with the types of other crates, and many states at once. The manual shows the text
//! of this file.
#![cfg(feature = "generated")]

use generated_tests::generated::crane;
use nalgebra::{DMatrix, SVector};
use num_dual::Dual64;
use wide::f64x4;

use crate::batch::crane_batch;
use crate::scalars::crane_generic;
use crate::scalars::crane_generic::{Inputs, Params, STATES, Scalar};

/// x, y, l, tx, ty and their rates.
const CASES: [[f64; STATES]; 4] = [
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

fn inputs<T: Scalar>() -> Inputs<T> {
    Inputs {
        fx: T::from_f64(FORCES.fx),
        fy: T::from_f64(FORCES.fy),
        fl: T::from_f64(FORCES.fl),
    }
}

impl Scalar for Dual64 {
    fn from_f64(number: f64) -> Self {
        Dual64::new(number, 0.0)
    }
    fn magnitude(self) -> f64 {
        self.re.abs()
    }
    fn abs(self) -> Self {
        if self.re < 0.0 { -self } else { self }
    }
    fn cos(self) -> Self {
        num_dual::DualNum::cos(&self)
    }
    fn select_less(a: Self, b: Self, then: Self, other: Self) -> Self {
        if a.re < b.re { then } else { other }
    }
    fn sin(self) -> Self {
        num_dual::DualNum::sin(&self)
    }
}

/// The derivative of the accelerations along entry `along` of the state.
fn slope(state: &[f64; STATES], along: usize) -> [f64; 5] {
    let mut moving = state.map(Dual64::from_f64);
    moving[along].eps = 1.0;
    let t = Dual64::from_f64(0.0);
    let found = crane_generic::accelerations(t, &moving, &Params::default(), &inputs());
    found.unwrap().map(|acceleration| acceleration.eps)
}

#[test]
fn num_dual_yields_derivatives() {
    const STEP: f64 = 1e-6;
    let p = crane::Params::default();
    for state in &CASES {
        for along in 0..STATES {
            let moved = |step: f64| {
                let mut state = *state;
                state[along] += step;
                crane::accelerations(0.0, &state, &p, &FORCES).unwrap()
            };
            let (plus, minus) = (moved(STEP), moved(-STEP));
            for (row, found) in slope(state, along).into_iter().enumerate() {
                let expected = (plus[row] - minus[row]) / (2.0 * STEP);
                let off = (found - expected).abs();
                assert!(
                    off <= 1e-6 * expected.abs().max(1.0),
                    "{row} {along}: {off}"
                );
            }
        }
    }
}

impl Scalar for f64x4 {
    fn from_f64(number: f64) -> Self {
        f64x4::splat(number)
    }
    fn magnitude(self) -> f64 {
        let sizes = self.to_array().map(f64::abs);
        sizes.into_iter().fold(f64::INFINITY, f64::min)
    }
    fn abs(self) -> Self {
        f64x4::abs(self)
    }
    fn cos(self) -> Self {
        self.sin_cos().1
    }
    fn select_less(a: Self, b: Self, then: Self, other: Self) -> Self {
        wide::Select::select(a.simd_lt(b), then, other)
    }
    fn sin(self) -> Self {
        self.sin_cos().0
    }
}

/// The accelerations at four states.
fn four(states: &[[f64; STATES]; 4]) -> [f64x4; 5] {
    let lanes = std::array::from_fn(|entry| f64x4::from(states.map(|state| state[entry])));
    let t = f64x4::splat(0.0);
    let model = crane_generic::Model::unchecked(&Params::default());
    // Without checks no function fails.
    let found = model.accelerations(t, &lanes, &inputs());
    found.unwrap_or([f64x4::splat(f64::NAN); 5])
}

#[test]
fn wide_takes_four_states_at_once() {
    let model = crane::Model::unchecked(&crane::Params::default());
    let found = four(&CASES).map(|lanes| lanes.to_array());
    for (lane, state) in CASES.iter().enumerate() {
        let expected = model.accelerations(0.0, state, &FORCES).unwrap();
        for (found, expected) in found.iter().zip(expected) {
            let off = (found[lane] - expected).abs();
            // Its sines are within a few units of the last place.
            assert!(off <= 1e-12 * expected.abs().max(1.0), "{lane}: {off}");
        }
    }
}

/// A step of Euler's method on vectors.
fn step(state: SVector<f64, STATES>, by: f64) -> SVector<f64, STATES> {
    let p = crane::Params::default();
    let rate = crane::derivative(0.0, state.as_ref(), &p, &FORCES).unwrap();
    state + by * SVector::from(rate)
}

#[test]
fn vectors_of_nalgebra_go_in_and_come_out() {
    let state = SVector::from(CASES[1]);
    let moved = step(state, 1e-3);
    // The first half of the rate is the second half of the state.
    let half = state.fixed_rows::<5>(0) + 1e-3 * state.fixed_rows::<5>(5);
    assert_eq!(moved.fixed_rows::<5>(0), half);
    assert!((moved - state).norm() > 1e-3);
}

/// The accelerations of all columns of a matrix of which each row is a state: one column of the result for each coordinate.
fn many(states: &DMatrix<f64>) -> Result<DMatrix<f64>, crane_batch::BatchError> {
    let count = states.nrows();
    let model = crane_batch::Model::new(&crane_batch::Params::default());
    let columns: [&[f64]; STATES] =
        std::array::from_fn(|entry| &states.as_slice()[entry * count..][..count]);
    let mut found = DMatrix::zeros(count, 5);
    let mut left = found.as_mut_slice().chunks_exact_mut(count.max(1));
    let mut out: [&mut [f64]; 5] = std::array::from_fn(|_| left.next().unwrap_or_default());
    // One time and one force of each kind for all states.
    let forces: [&[f64]; 3] = [&[3.0], &[-2.0], &[-40.0]];
    crane_batch::accelerations_batch(&model, &[0.0], &columns, &forces, &mut out)?;
    Ok(found)
}

#[test]
fn matrices_of_nalgebra_are_batches() {
    let p = crane::Params::default();
    let rows = DMatrix::from_fn(7, STATES, |row, entry| CASES[row % 4][entry]);
    let found = many(&rows).unwrap();
    for row in 0..7 {
        let expected = crane::accelerations(0.0, &CASES[row % 4], &p, &FORCES).unwrap();
        for (k, expected) in expected.into_iter().enumerate() {
            let off = (found[(row, k)] - expected).abs();
            assert!(off <= 1e-12 * expected.abs().max(1.0), "{row} {k}: {off}");
        }
    }
}

/// The manual's code is this file's.
#[test]
fn the_manual_shows_what_is_compiled_here() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let here = words(include_str!("recipes.rs"));
    let manual = include_str!("../../../docs/scalars.md").replace("\r\n", "\n");
    let recipes = manual.split("## Recipes").nth(1).unwrap();
    let blocks: Vec<&str> = recipes.split("```rust,ignore\n").skip(1).collect();
    assert!(blocks.len() >= 4, "{}", blocks.len());
    for block in blocks {
        let block = block.split("```").next().unwrap();
        assert!(here.contains(&words(block)), "{block}");
    }
}
