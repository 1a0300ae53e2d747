use super::*;

fn minimum(rows: u32, cols: u32, operands: &[f64]) -> Result<Vec<f64>, RoutineError> {
    run(RoutineKind::MinimumNorm { rows, cols }, operands)
}

/// Operands as M, F, A, b.
fn motion(operands: [&[f64]; 4]) -> Result<Vec<f64>, RoutineError> {
    let (n, m) = (operands[1].len() as u32, operands[3].len() as u32);
    run(RoutineKind::Constrained { n, m }, &operands.concat())
}

#[track_caller]
fn close(found: Result<Vec<f64>, RoutineError>, expected: &[f64]) {
    let found = found.unwrap();
    assert_eq!(found.len(), expected.len());
    for (x, y) in found.iter().zip(expected) {
        assert!(
            (x - y).abs() <= 1e-14 * y.abs().max(1.0),
            "{found:?}, not {expected:?}"
        );
    }
}

#[test]
fn least_norm_by_hand() {
    close(minimum(1, 2, &[1.0, 1.0, 2.0]), &[1.0, 1.0]);
    close(
        minimum(2, 3, &[1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 3.0, 4.0]),
        &[3.0, 2.0, 0.0],
    );
    // x + y + z = 3 and x - y = 2: a multiple of (1, 1, 1) and one of (1, -1, 0).
    close(
        minimum(2, 3, &[1.0, 1.0, 1.0, 1.0, -1.0, 0.0, 3.0, 2.0]),
        &[2.0, 0.0, 1.0],
    );
    close(minimum(2, 2, &[2.0, 1.0, 1.0, 1.0, 5.0, 3.0]), &[2.0, 1.0]);
    close(minimum(0, 2, &[]), &[0.0, 0.0]);
    close(minimum(1, 0, &[0.0]), &[]);
}

#[test]
fn dependent_rows() {
    let rows = [1.0, 1.0, 2.0, 2.0, 0.0, 0.0];
    let with = |b: [f64; 3]| minimum(3, 2, &[rows.as_slice(), &b].concat());
    close(with([2.0, 4.0, 0.0]), &[1.0, 1.0]);
    assert_eq!(with([2.0, 5.0, 0.0]), Err(RoutineError::Inconsistent));
    assert_eq!(with([2.0, 4.0, 1.0]), Err(RoutineError::Inconsistent));
    // A contradiction of one part in a thousand is one.
    assert_eq!(with([2.0, 4.004, 0.0]), Err(RoutineError::Inconsistent));
    // What an integrator's error makes of the rows is none.
    assert!(with([2.0, 4.000_01, 0.0]).is_ok());
    // Rounding of large right-hand sides that cancel in a small one is none.
    let a = [1.0, 0.0, 0.0, 1.0, 1e-3, -1e-3];
    let b = [1e8 + 0.1, 1e8, 1e-4];
    assert!(minimum(3, 2, &[a.as_slice(), &b].concat()).is_ok());
    assert!(motion([&[1.0, 0.0, 0.0, 1.0], &[0.0, 0.0], &a, &b]).is_ok());
    // Nor is it elsewhere, even where nothing else remains of the right-hand side.
    assert!(with([2.0, 4.0 + 4e-15, 0.0]).is_ok());
    assert!(with([1e-16, 0.0, 1e-17]).is_ok());
}

#[test]
fn ranks_do_not_depend_on_the_scale_of_all() {
    for scale in [1e-100, 1.0, 1e100] {
        let a = [1.0, 2.0, 2.0, 4.0, 0.0, 3.0].map(|x| x * scale);
        let b = [5.0, 10.0, 6.0].map(|x| x * scale);
        close(minimum(3, 2, &[a.as_slice(), &b].concat()), &[1.0, 2.0]);
    }
    // A row that is small beside another still counts.
    close(
        minimum(2, 2, &[1e-6, 0.0, 0.0, 1e3, 2e-6, 3e3]),
        &[2.0, 3.0],
    );
    // One that is rounding beside another does not.
    close(
        minimum(2, 2, &[1e-17, 0.0, 0.0, 1.0, 0.0, 3.0]),
        &[0.0, 3.0],
    );
}

#[test]
fn nearly_dependent_rows_keep_their_digits() {
    // Rows (1, e, 0) and (1, 0, e) (Lauchli): A A^T has lost e^2, and orthogonality is lost without the second pass.
    let e = 1e-7;
    let found = minimum(2, 3, &[1.0, e, 0.0, 1.0, 0.0, e, 1.0, 1.0 + e]).unwrap();
    for (row, b) in [([1.0, e, 0.0], 1.0), ([1.0, 0.0, e], 1.0 + e)] {
        assert!((dot(&row, &found) - b).abs() < 1e-15, "{found:?}");
    }
    let first = (2.0 + e) / (2.0 + e * e);
    let expected = [
        first,
        (e * first - 1.0) / 2.0,
        f64::midpoint(e * first, 1.0),
    ];
    for (x, y) in found.iter().zip(expected) {
        // The condition number is 1e7: seven digits may go.
        assert!((x - y).abs() < 1e-8, "{found:?}, not {expected:?}");
    }
}

#[test]
fn unconstrained_motion() {
    close(
        motion([&[2.0, 0.0, 0.0, 4.0], &[2.0, 8.0], &[], &[]]),
        &[1.0, 2.0],
    );
    close(
        motion([&[2.0, 1.0, 1.0, 2.0], &[4.0, 5.0], &[], &[]]),
        &[1.0, 2.0],
    );
}

#[test]
fn a_particle_on_an_incline() {
    // 2 kg, 20 N down, x'' + y'' = 0: both equations share the force 10.
    let (mass, force) = ([2.0, 0.0, 0.0, 2.0], [0.0, -20.0]);
    close(
        motion([&mass, &force, &[1.0, 1.0], &[0.0]]),
        &[5.0, -5.0, 10.0],
    );
    // The same row twice over: the multipliers of least norm, lambda1 + 2 lambda2 = 10.
    let twice = [1.0, 1.0, 2.0, 2.0];
    close(
        motion([&mass, &force, &twice, &[0.0, 0.0]]),
        &[5.0, -5.0, 2.0, 4.0],
    );
    assert_eq!(
        motion([&mass, &force, &twice, &[0.0, 1.0]]),
        Err(RoutineError::Inconsistent)
    );
}

#[test]
fn constraints_that_settle_everything() {
    let found = motion([
        &[3.0, 0.0, 0.0, 4.0],
        &[0.0, 0.0],
        &[1.0, 0.0, 0.0, 1.0],
        &[1.0, 2.0],
    ]);
    close(found, &[1.0, 2.0, 3.0, 8.0]);
}

#[test]
fn coupled_masses() {
    // q1'' - q2'' = 1 without force: 3 (q1'' + q2'') = 0.
    let found = motion([&[2.0, 1.0, 1.0, 2.0], &[0.0, 0.0], &[1.0, -1.0], &[1.0]]);
    close(found, &[0.5, -0.5, 0.5]);
}

#[test]
fn singular_mass_matrices() {
    let mass = [2.0, 0.0, 0.0, 0.0];
    // A massless point tied to one with mass: 2 q'' = 4 + 2.
    close(
        motion([&mass, &[4.0, 2.0], &[1.0, -1.0], &[0.0]]),
        &[3.0, 3.0, 2.0],
    );
    let singular = Err(RoutineError::SingularMass);
    assert_eq!(motion([&mass, &[4.0, 2.0], &[], &[]]), singular);
    assert_eq!(motion([&mass, &[4.0, 2.0], &[1.0, 0.0], &[0.0]]), singular);
    assert_eq!(motion([&[0.0], &[1.0], &[], &[]]), singular);
    assert_eq!(motion([&[-1.0], &[1.0], &[], &[]]), singular);
    // One coordinate too many: q1 + q2 is what moves.
    let ones = [1.0, 1.0, 1.0, 1.0];
    assert_eq!(motion([&ones, &[1.0, 1.0], &[], &[]]), singular);
    close(
        motion([&ones, &[1.0, 1.0], &[1.0, -1.0], &[0.0]]),
        &[0.5, 0.5, 0.0],
    );
}

#[test]
fn what_is_not_a_number_is_refused() {
    for bad in [f64::NAN, f64::INFINITY] {
        assert_eq!(minimum(1, 1, &[bad, 1.0]), Err(RoutineError::NotFinite));
        assert_eq!(
            motion([&[1.0], &[bad], &[], &[]]),
            Err(RoutineError::NotFinite)
        );
    }
    assert_eq!(minimum(1, 1, &[1.0]), Err(RoutineError::Operands));
}

/// Numbers in [-1, 1) from a linear congruence (Knuth's MMIX).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn take(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.next()).collect()
    }
}

/// The equations themselves hold, whatever the sizes and the rank.
#[test]
fn equations_of_motion_hold() {
    let mut numbers = Numbers(1);
    for case in 0..200 {
        let n = 1 + case % 6;
        let rank = case % (n + 1);
        let spare = case % 3;
        let root = numbers.take(n * n);
        let mut mass = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                mass[i * n + j] = (0..n).map(|k| root[i * n + k] * root[j * n + k]).sum();
            }
            mass[i * n + i] += 1.0;
        }
        let force = numbers.take(n);
        let mut a = numbers.take(rank * n);
        let mut b = numbers.take(rank);
        // Rows that are combinations of the others, and what is then orthogonal to the multipliers of least norm.
        let mut orthogonal = Vec::new();
        for extra in 0..spare {
            let weights = numbers.take(rank);
            for j in 0..n {
                let sum = (0..rank).map(|k| weights[k] * a[k * n + j]).sum();
                a.push(sum);
            }
            b.push(dot(&weights, &b[..rank]));
            let mut row = weights;
            row.resize(rank + spare, 0.0);
            row[rank + extra] = -1.0;
            orthogonal.push(row);
        }
        let m = rank + spare;
        let found = motion([&mass, &force, &a, &b]).unwrap();
        let (q, lambda) = found.split_at(n);
        let size = found.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
        for i in 0..n {
            let left = dot(&mass[i * n..(i + 1) * n], q) - force[i];
            let right: f64 = (0..m).map(|k| a[k * n + i] * lambda[k]).sum();
            assert!(
                (left - right).abs() < 1e-9 * size,
                "case {case}: {left} {right}"
            );
        }
        for k in 0..m {
            let residual = dot(&a[k * n..(k + 1) * n], q) - b[k];
            assert!(
                residual.abs() < 1e-9 * size,
                "case {case}: row {k}, {residual}"
            );
        }
        for row in &orthogonal {
            assert!(
                dot(row, lambda).abs() < 1e-9 * size,
                "case {case}: not of least norm"
            );
        }
    }
}
