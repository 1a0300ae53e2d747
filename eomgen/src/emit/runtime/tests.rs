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
