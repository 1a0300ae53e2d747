//! The emitted text of the numerical routines against [`ir::routine`](crate::ir::routine): the same bits.

use proptest::prelude::*;

use crate::ir::RoutineKind;
use crate::ir::routine::{RoutineError, run};

#[allow(dead_code)]
mod emitted {
    include!("equations.rs");
    include!("least_norm.rs");
    include!("minimum_norm.rs");
    include!("constrained.rs");
    include!("nearest.rs");
    include!("by_speeds.rs");

    pub fn nearest_of_circles(
        state: &mut [f64; 3],
        free: [bool; 3],
        radii: [f64; 2],
    ) -> Result<(), (usize, f64)> {
        nearest(state, 1, &free, &[true, radii[1] > 0.0], |x| {
            let squares = x[1] * x[1] + x[2] * x[2];
            let row = [2.0 * x[1], 2.0 * x[2]];
            (radii.map(|r| squares - r * r), [row, row])
        })
    }

    pub fn rows_by_speeds() -> [[f64; 2]; 1] {
        // q' = (u1 + 2 u2 + 7, 3 u2 - 1); the row 5 q1' - q2'.
        by_speeds(&[[5.0, -1.0]], |u| {
            [u[0] + 2.0 * u[1] + 7.0, 3.0 * u[1] - 1.0]
        })
    }

    pub fn minimum_norm_3_4(a: &[[f64; 4]; 3], b: &[f64; 3]) -> Result<[f64; 4], f64> {
        minimum_norm(a, b)
    }

    pub fn constrained_4_3(
        mass: &[[f64; 4]; 4],
        force: &[f64; 4],
        a: &[[f64; 4]; 3],
        b: &[f64; 3],
    ) -> Result<([f64; 4], [f64; 3]), f64> {
        constrained(mass, force, a, b)
    }

    pub fn constrained_2_0(mass: &[[f64; 2]; 2], force: &[f64; 2]) -> Result<[f64; 2], f64> {
        constrained(mass, force, &[], &[]).map(|(q, [])| q)
    }
}

/// Small whole numbers, so that rows often depend on each other, and a few that are anything.
fn entry() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => (-2_i8..=2).prop_map(f64::from),
        1 => -10.0..10.0,
    ]
}

fn matrix<const R: usize, const C: usize>() -> impl Strategy<Value = [[f64; C]; R]> {
    proptest::collection::vec(entry(), R * C)
        .prop_map(|flat| std::array::from_fn(|i| std::array::from_fn(|j| flat[i * C + j])))
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

/// The routines tell why they fail by how close they say they are.
fn agrees(expected: Result<Vec<f64>, RoutineError>, found: Result<Vec<f64>, f64>) -> bool {
    match (expected, found) {
        (Ok(expected), Ok(found)) => bits(&expected) == bits(&found),
        (Err(RoutineError::NotFinite), Err(closeness)) => closeness.is_nan(),
        (Err(RoutineError::Inconsistent), Err(closeness)) => closeness == 0.0,
        (Err(RoutineError::SingularMass), Err(closeness)) => (0.0..=1e-9).contains(&closeness),
        (Err(RoutineError::NearlyDependent), Err(closeness)) => (1e-12..=1e-9).contains(&closeness),
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn minimum_norm_is_the_interpreters(a in matrix::<3, 4>(), x in matrix::<4, 1>(), noise in entry()) {
        // Mostly consistent right-hand sides.
        let mut b: [f64; 3] = std::array::from_fn(|i| (0..4).map(|j| a[i][j] * x[j][0]).sum());
        if noise == 2.0 {
            b[1] += 1.0;
        }
        let kind = RoutineKind::MinimumNorm { rows: 3, cols: 4 };
        let operands = [a.as_flattened(), &b].concat();
        let found = emitted::minimum_norm_3_4(&a, &b).map(|x| x.to_vec());
        prop_assert!(agrees(run(kind, &operands), found));
    }

    #[test]
    fn constrained_is_the_interpreters(
        root in matrix::<4, 4>(),
        force in matrix::<4, 1>(),
        a in matrix::<3, 4>(),
        q in matrix::<4, 1>(),
        noise in entry(),
    ) {
        // M = L L^T, of any rank.
        let mass: [[f64; 4]; 4] = std::array::from_fn(|i| {
            std::array::from_fn(|j| (0..4).map(|k| root[i][k] * root[j][k]).sum())
        });
        let force = force.map(|[f]| f);
        let mut b: [f64; 3] = std::array::from_fn(|i| (0..4).map(|j| a[i][j] * q[j][0]).sum());
        if noise == 2.0 {
            b[1] += 1.0;
        }
        let kind = RoutineKind::Constrained { n: 4, m: 3 };
        let operands = [mass.as_flattened(), &force, a.as_flattened(), &b].concat();
        let found = emitted::constrained_4_3(&mass, &force, &a, &b);
        let found = found.map(|(q, lambda)| [&q[..], &lambda].concat());
        prop_assert!(agrees(run(kind, &operands), found));
    }
}

/// Two pivots are as large beside their scales, but for rounding errors of these.
#[test]
fn pivots_that_are_nearly_equal_are_chosen_alike() {
    let root = [
        [6.372371169290303, -2.0, 2.0, 0.4435060253318318],
        [0.0, -2.0, 0.0, 1.0],
        [-3.0962255183918574, -2.0, 0.0, -1.0],
        [1.9133397213623176, 1.0, 1.0, 0.0],
    ];
    let mass: [[f64; 4]; 4] = std::array::from_fn(|i| {
        std::array::from_fn(|j| (0..4).map(|k| root[i][k] * root[j][k]).sum())
    });
    let force = [0.0, 0.0, 0.0, -1.0];
    let a = [[0.0, 0.0, -1.0, -1.0], [-1.0, 0.0, -1.0, 0.0], [0.0; 4]];
    let b = [0.0; 3];
    let kind = RoutineKind::Constrained { n: 4, m: 3 };
    let operands = [mass.as_flattened(), &force, a.as_flattened(), &b].concat();
    let found = emitted::constrained_4_3(&mass, &force, &a, &b);
    let found = found.map(|(q, lambda)| [&q[..], &lambda].concat());
    let expected = run(kind, &operands);
    assert!(
        agrees(expected.clone(), found.clone()),
        "{expected:?} {found:?}"
    );
}

#[test]
fn the_cases_that_fail_are_told_apart() {
    let identity =
        |n: f64| std::array::from_fn(|i| std::array::from_fn(|j| if i == j { n } else { 0.0 }));
    let rows = [[1.0, 0.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0], [0.0; 4]];
    let one = |b| emitted::minimum_norm_3_4(&rows, &b);
    assert_eq!(one([1.0, 2.0, 0.0]), Ok([1.0, 0.0, 0.0, 0.0]));
    assert_eq!(one([1.0, 3.0, 0.0]), Err(0.0));
    assert!(one([f64::NAN, 2.0, 0.0]).is_err_and(f64::is_nan));
    // A free fall: M = 2, F = -4 along the second coordinate, the first held by two equal rows.
    let fall = emitted::constrained_4_3(&identity(2.0), &[3.0, -4.0, 0.0, 0.0], &rows, &[0.0; 3]);
    // lambda of least norm with lambda1 + 2 lambda2 = -3.
    assert_eq!(fall.map(|(q, _)| q), Ok([0.0, -2.0, 0.0, 0.0]));
    let lambda = fall.map(|(_, lambda)| lambda).unwrap_or_default();
    for (found, expected) in lambda.iter().zip([-0.6, -1.2, 0.0]) {
        assert!((found - expected).abs() < 1e-15, "{lambda:?}");
    }
    assert_eq!(
        emitted::constrained_4_3(&identity(0.0), &[0.0; 4], &rows, &[0.0; 3]),
        Err(0.0)
    );
    assert_eq!(
        emitted::constrained_2_0(&[[4.0, 0.0], [0.0, 4.0]], &[2.0, 8.0]),
        Ok([0.5, 2.0])
    );
}

#[test]
fn the_nearest_point_of_a_circle_is_along_the_radius() {
    let mut state = [9.0, 3.0, 4.0];
    // Twice the same row, and one that is not chosen and could not hold.
    for second in [1.0, -3.0] {
        let found = emitted::nearest_of_circles(&mut state, [true; 3], [1.0, second]);
        assert_eq!(found, Ok(()));
        assert!((state[1] - 0.6).abs() < 1e-9 && (state[2] - 0.8).abs() < 1e-9);
        assert_eq!(state[0], 9.0);
        state = [9.0, 3.0, 4.0];
    }
    let mut held = [0.0, 0.6, 4.0];
    let found = emitted::nearest_of_circles(&mut held, [true, false, true], [1.0, 1.0]);
    assert_eq!((found, held[1]), (Ok(()), 0.6));
    assert!((held[2] - 0.8).abs() < 1e-10, "{held:?}");
}

#[test]
fn where_there_is_no_zero_the_worst_row_and_what_it_leaves_are_told() {
    let mut state = [0.0, 2.0, 4.0];
    let found = emitted::nearest_of_circles(&mut state, [true, false, true], [1.0, 1.0]);
    // x = 2 leaves 4 + y^2 - 1, least at y = 0.
    let (row, left) = found.unwrap_err();
    assert!(row == 0 && (left - 3.0).abs() < 1e-6, "{row} {left}");
    // Circles of two radii.
    let found = emitted::nearest_of_circles(&mut [0.0, 2.0, 4.0], [true; 3], [1.0, 2.0]);
    let (_, left) = found.unwrap_err();
    assert!((left.abs() - 1.5).abs() < 1e-6, "{left}");
    let nowhere = emitted::nearest_of_circles(&mut [0.0, f64::NAN, 4.0], [true; 3], [1.0, -1.0]);
    assert!(nowhere.is_err());
}

#[test]
fn rows_in_the_rates_become_rows_in_the_speeds() {
    assert_eq!(emitted::rows_by_speeds(), [[5.0, 7.0]]);
}
