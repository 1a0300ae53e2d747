//! What `discretized` of a generated module does with a linear model, against the series of the exponential function in 77 digits.

use crate::verify::linear::product;
use crate::verify::number::{Algebra, Decimal, Number};

include!("../../emit/runtime/sampled.rs");

type Matrix = Vec<Vec<Decimal>>;

/// The first rows of `exp([[0, 0, 0], [f, A, B], [0, 0, 0]] dt)`, by its series, 1/64 of the step at a time and squared.
fn series<const COLUMNS: usize, const ROWS: usize>(
    model: &[[f64; COLUMNS]; ROWS],
    dt: f64,
) -> Matrix {
    let number =
        |x: f64| Decimal::rational(&num_rational::BigRational::from_float(x).unwrap()).unwrap();
    let mut scaled = vec![vec![Decimal::int(0); COLUMNS]; COLUMNS];
    for (row, own) in scaled[1..].iter_mut().zip(model) {
        for (x, y) in row.iter_mut().zip(own) {
            *x = number(*y).mul(&number(dt / 1024.0));
        }
    }
    let unit = |i: usize, j: usize| Decimal::int(i64::from(i == j));
    let mut sum: Matrix = (0..COLUMNS)
        .map(|i| (0..COLUMNS).map(|j| unit(i, j)).collect())
        .collect();
    let mut term = sum.clone();
    for k in 1..60 {
        term = product(&term, &scaled);
        for (row, own) in sum.iter_mut().zip(&mut term) {
            for (x, y) in row.iter_mut().zip(own) {
                *y = y.div(&Decimal::int(k)).unwrap();
                *x = x.add(y);
            }
        }
    }
    for _ in 0..10 {
        sum = product(&sum, &sum);
    }
    sum[1..=ROWS].to_vec()
}

fn held<const COLUMNS: usize, const ROWS: usize>(model: [[f64; COLUMNS]; ROWS], dt: f64) {
    let found: [[f64; COLUMNS]; ROWS] = sampled(&model, dt);
    let expected = series(&model, dt);
    let size = expected.iter().flatten().map(|x| x.to_f64().abs());
    let size = size.fold(1.0_f64, f64::max);
    for (row, own) in found.iter().zip(&expected) {
        for (x, y) in row.iter().zip(own) {
            let y = y.to_f64();
            assert!(
                (x - y).abs() <= 4e-15 * size * (1.0 + dt.abs()),
                "{dt}: {x}, not {y}"
            );
        }
    }
}

#[test]
fn a_sampled_model_has_all_digits() {
    let cart = [
        [0.1, 0.0, 0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
        [0.3, 0.0, -1.4715, 0.0, 0.0, 0.5],
        [-0.2, 0.0, 16.116428571, 0.0, 0.0, -0.714285714],
    ];
    for dt in [0.0, 1e-9, 1e-3, 0.04, 0.3, 2.0, -0.3] {
        held(cart, dt);
    }
    // Stiff and fast at once; nothing is lost of what is small beside 1.
    let stiff = [[1.0, -400.0, 3.0, 2.0], [0.5, 0.0, -1e-7, 1.0]];
    for dt in [1e-6, 1e-2, 1.0] {
        held(stiff, dt);
    }
    let slow: [[f64; 2]; 1] = sampled(&[[2.0, -1e-12]], 1e-3);
    assert_eq!(slow[0][1], 1.0 - 1e-15);
    assert!((slow[0][0] - 2e-3 * (1.0 - 5e-16)).abs() < 1e-18);
}
