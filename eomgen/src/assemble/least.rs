//! Zeros of a few functions of several numbers: the iteration of Levenberg and Marquardt with Nielsen's rule for the damping (Madsen, Nielsen &
//! Tingleff, *Methods for non-linear least squares problems*, 2004, algorithm 3.16), in its dual form, which takes the shortest step that rows of
//! any rank allow.

/// Functions with their derivatives.
pub(crate) trait Problem {
    /// The functions at a point, and their derivatives, row by row.
    fn at(&mut self, x: &[f64]) -> (Vec<f64>, Vec<f64>);
}

/// Where the iteration ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Solved {
    pub x: Vec<f64>,
    pub residuals: Vec<f64>,
    pub scales: Vec<f64>,
    /// The residuals of the guess.
    pub first: Found,
}

/// Residuals with the sizes of their terms.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Found {
    pub residuals: Vec<f64>,
    pub scales: Vec<f64>,
}

impl Found {
    /// The residual that is farthest from zero; `None` if all are zero but for rounding.
    pub fn worst(&self) -> Option<usize> {
        worst(&self.residuals, &self.scales)
    }
}

impl Solved {
    /// The residual that is farthest from zero; `None` if all are zero but for rounding.
    pub fn worst(&self) -> Option<usize> {
        worst(&self.residuals, &self.scales)
    }
}

fn worst(residuals: &[f64], scales: &[f64]) -> Option<usize> {
    let mut found: Option<(usize, f64)> = None;
    for (i, (r, scale)) in residuals.iter().zip(scales).enumerate() {
        let relative = r.abs() / scale;
        // NaN is no zero.
        if relative <= super::TOLERANCE {
            continue;
        }
        if found.is_none_or(|(_, known)| relative.is_nan() || relative > known) {
            found = Some((i, relative));
        }
    }
    found.map(|(i, _)| i)
}

const ITERATIONS: usize = 300;

/// Iterates from a guess; only the numbers in `free` change.
pub(crate) fn solve(problem: &mut dyn Problem, guess: &[f64], free: &[usize]) -> Solved {
    let n = guess.len();
    let mut x = guess.to_vec();
    let (mut r, mut j) = problem.at(&x);
    let first = Found {
        scales: scales(&j, &x, r.len()),
        residuals: r.clone(),
    };
    let mut damping = 1e-3 * largest_square(&j, n, free);
    let mut growth = 2.0;
    for _ in 0..ITERATIONS {
        let size = norm_squared(&r);
        if size == 0.0 || !size.is_finite() {
            break;
        }
        let Some(step) = step(&r, &j, n, free, damping) else {
            damping *= growth;
            growth *= 2.0;
            continue;
        };
        let next: Vec<f64> = x.iter().zip(&step).map(|(x, h)| x - h).collect();
        if next == x {
            break;
        }
        let (r_next, j_next) = problem.at(&next);
        let less = size - norm_squared(&r_next);
        // What the linear model promises: |r|^2 - |r - J h|^2.
        let promised = size - norm_squared(&rest(&r, &j, n, &step));
        if less > 0.0 && r_next.iter().all(|x| x.is_finite()) {
            let gain = less / promised.max(f64::MIN_POSITIVE);
            let factor = 2.0 * gain - 1.0;
            damping *= (1.0 - factor * factor * factor).max(1.0 / 3.0);
            // Near a zero the damping has to vanish with what is left, so that the last steps are Newton's.
            damping = damping.min(norm_squared(&r_next).sqrt() * 1e-2 * (1.0 + damping));
            growth = 2.0;
            (x, r, j) = (next, r_next, j_next);
        } else {
            damping = (damping * growth).max(f64::MIN_POSITIVE);
            growth *= 2.0;
            if growth > 1e30 {
                break;
            }
        }
    }
    Solved {
        scales: scales(&j, &x, r.len()),
        residuals: r,
        x,
        first,
    }
}

fn norm_squared(r: &[f64]) -> f64 {
    r.iter().map(|x| x * x).sum()
}

/// `r - J h`
fn rest(r: &[f64], j: &[f64], n: usize, step: &[f64]) -> Vec<f64> {
    let row = |i: usize| {
        let row = &j[i * n..(i + 1) * n];
        r[i] - row.iter().zip(step).map(|(a, h)| a * h).sum::<f64>()
    };
    (0..r.len()).map(row).collect()
}

/// The size of the terms of each residual: its row times the numbers, of which each counts as 1 at least.
fn scales(j: &[f64], x: &[f64], rows: usize) -> Vec<f64> {
    let n = x.len();
    let size = |i: usize| {
        let row = &j[i * n..(i + 1) * n];
        let terms = row.iter().zip(x).map(|(a, x)| a.abs() * x.abs().max(1.0));
        terms.fold(0.0, f64::max).max(1e-6)
    };
    (0..rows).map(size).collect()
}

fn largest_square(j: &[f64], n: usize, free: &[usize]) -> f64 {
    let rows = j.chunks(n.max(1));
    let squares = rows.map(|row| free.iter().map(|k| row[*k] * row[*k]).sum::<f64>());
    squares.fold(1e-12, f64::max)
}

/// `J^T (J J^T + damping)^-1 r` in the free numbers.
fn step(r: &[f64], j: &[f64], n: usize, free: &[usize], damping: f64) -> Option<Vec<f64>> {
    let m = r.len();
    let mut gram = vec![0.0; m * m];
    for a in 0..m {
        for b in 0..=a {
            let products = free.iter().map(|k| j[a * n + k] * j[b * n + k]);
            let sum: f64 = products.sum();
            gram[a * m + b] = sum;
            gram[b * m + a] = sum;
        }
    }
    let largest = (0..m).map(|a| gram[a * m + a]).fold(0.0, f64::max);
    for a in 0..m {
        // Rows of lower rank: what is added is far below what the iteration resolves.
        gram[a * m + a] += damping + 1e-15 * largest;
    }
    let y = cholesky(gram, r)?;
    let mut step = vec![0.0; n];
    for k in free {
        step[*k] = (0..m).map(|a| j[a * n + k] * y[a]).sum();
    }
    Some(step)
}

/// Solves with a symmetric positive definite matrix.
fn cholesky(mut a: Vec<f64>, b: &[f64]) -> Option<Vec<f64>> {
    let m = b.len();
    for k in 0..m {
        for i in k..m {
            let products = (0..k).map(|l| a[i * m + l] * a[k * m + l]);
            let sum = a[i * m + k] - products.sum::<f64>();
            if i == k {
                (sum > 0.0).then_some(())?;
                a[k * m + k] = sum.sqrt();
            } else {
                a[i * m + k] = sum / a[k * m + k];
            }
        }
    }
    let mut y = b.to_vec();
    for i in 0..m {
        let products = (0..i).map(|l| a[i * m + l] * y[l]);
        y[i] = (y[i] - products.sum::<f64>()) / a[i * m + i];
    }
    for i in (0..m).rev() {
        let products = (i + 1..m).map(|l| a[l * m + i] * y[l]);
        y[i] = (y[i] - products.sum::<f64>()) / a[i * m + i];
    }
    Some(y)
}

/// Solves `a x = b` with a square matrix; zeros where it is singular.
pub(super) fn linear(a: &[f64], n: usize, b: &[f64]) -> Vec<f64> {
    let mut x = b.to_vec();
    let mut a = a.to_vec();
    let Some((order, _)) = factor(&mut a, n) else {
        return vec![0.0; n];
    };
    for (i, from) in order.iter().enumerate() {
        x[i] = b[*from];
    }
    for i in 0..n {
        let products = (0..i).map(|l| a[i * n + l] * x[l]);
        x[i] -= products.sum::<f64>();
    }
    for i in (0..n).rev() {
        let products = (i + 1..n).map(|l| a[i * n + l] * x[l]);
        x[i] = (x[i] - products.sum::<f64>()) / a[i * n + i];
    }
    x
}

/// The sign of the determinant of the columns `free`, as many as there are rows; 0 if it is singular.
pub(super) fn orientation(j: &[f64], n: usize, free: &[usize]) -> f64 {
    let m = free.len();
    let rows = (0..m).flat_map(|i| free.iter().map(move |k| j[i * n + k]));
    let mut a: Vec<f64> = rows.collect();
    let Some((_, even)) = factor(&mut a, m) else {
        return 0.0;
    };
    let negative = (0..m).filter(|i| a[i * m + i] < 0.0).count();
    if even == negative.is_multiple_of(2) {
        1.0
    } else {
        -1.0
    }
}

/// LU with row exchanges in place: the order of the rows, and whether the number of exchanges is even.
fn factor(a: &mut [f64], n: usize) -> Option<(Vec<usize>, bool)> {
    let mut order: Vec<usize> = (0..n).collect();
    let mut even = true;
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs()))?;
        if pivot != k {
            for l in 0..n {
                a.swap(k * n + l, pivot * n + l);
            }
            order.swap(k, pivot);
            even = !even;
        }
        (a[k * n + k] != 0.0 && a[k * n + k].is_finite()).then_some(())?;
        for i in k + 1..n {
            a[i * n + k] /= a[k * n + k];
            for l in k + 1..n {
                a[i * n + l] -= a[i * n + k] * a[k * n + l];
            }
        }
    }
    Some((order, even))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Of<F>(F);

    impl<F: FnMut(&[f64]) -> (Vec<f64>, Vec<f64>)> Problem for Of<F> {
        fn at(&mut self, x: &[f64]) -> (Vec<f64>, Vec<f64>) {
            (self.0)(x)
        }
    }

    fn circle(x: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let r = x[0] * x[0] + x[1] * x[1] - 1.0;
        (vec![r], vec![2.0 * x[0], 2.0 * x[1]])
    }

    #[test]
    fn the_nearest_point_of_a_circle_is_along_the_radius() {
        let found = solve(&mut Of(circle), &[3.0, 4.0], &[0, 1]);
        assert_eq!(found.worst(), None);
        assert!((found.x[0] - 0.6).abs() < 1e-12 && (found.x[1] - 0.8).abs() < 1e-12);
        let held = solve(&mut Of(circle), &[0.6, 4.0], &[1]);
        assert!((held.x[1] - 0.8).abs() < 1e-12);
        assert_eq!(held.x[0], 0.6);
    }

    #[test]
    fn where_there_is_no_zero_the_residual_of_the_nearest_point_stays() {
        let found = solve(&mut Of(circle), &[2.0, 4.0], &[1]);
        // x = 2 leaves 4 + y^2 - 1, least at y = 0.
        assert_eq!(found.worst(), Some(0));
        assert!((found.residuals[0] - 3.0).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn dependent_rows_are_no_obstacle() {
        let mut twice = Of(|x: &[f64]| {
            let (r, j) = circle(x);
            (
                vec![r[0], 2.0 * r[0]],
                [j.clone(), vec![2.0 * j[0], 2.0 * j[1]]].concat(),
            )
        });
        let found = solve(&mut twice, &[0.3, 0.4], &[0, 1]);
        assert_eq!(found.worst(), None);
        assert!((found.x[0] - 0.6).abs() < 1e-9);
    }

    #[test]
    fn determinants_and_linear_equations() {
        let a = [0.0, 2.0, 1.0, 3.0];
        assert_eq!(orientation(&a, 2, &[0, 1]), -1.0);
        assert_eq!(orientation(&a, 2, &[1, 0]), 1.0);
        assert_eq!(linear(&a, 2, &[4.0, 7.0]), [1.0, 2.0]);
    }
}
