/// Relative to the size of its terms, what a residual may be and count as zero.
const ASSEMBLED: f64 = 1e-10;
/// The damping to begin with, relative to the largest squared coefficient.
const DAMPED: f64 = 1e-3;
/// What keeps dependent rows apart, relative to the largest of them.
const APART: f64 = 1e-15;

fn length(x: f64) -> f64 {
    x.sqrt()
}

/// The number `x` where it is to be, else 0.
fn masked(free: bool, x: f64) -> f64 {
    if free { x } else { 0.0 }
}

/// Moves the free ones of `N` entries of a state, from `first` on, to where the chosen rows vanish; else the row that is farthest from
/// that, and what it leaves.
///
/// The iteration of Levenberg and Marquardt with Nielsen's rule for the damping, in its dual form: each step is the shortest that rows of
/// any rank allow. Near a solution the steps are Newton's.
#[allow(clippy::needless_range_loop)]
fn nearest<const S: usize, const N: usize, const M: usize>(
    state: &mut [f64; S],
    first: usize,
    free: &[bool; S],
    rows: &[bool; M],
    at: impl Fn(&[f64; S]) -> ([f64; M], [[f64; N]; M]),
) -> Result<(), (usize, f64)> {
    let chosen = |state: &[f64; S]| {
        let (mut r, mut a) = at(state);
        for i in 0..M {
            r[i] = masked(rows[i], r[i]);
            for j in 0..N {
                a[i][j] = masked(rows[i], a[i][j]);
            }
        }
        (r, a)
    };
    let squared = |r: &[f64; M]| r.iter().map(|x| x * x).sum::<f64>();
    let (mut r, mut a) = chosen(state);
    let mut damping: f64 = 1e-12;
    for row in &a {
        let squares = (0..N).map(|j| masked(free[first + j], row[j] * row[j]));
        damping = damping.max(squares.sum());
    }
    damping *= DAMPED;
    let mut growth = 2.0;
    for _ in 0..300 {
        let size = squared(&r);
        if size == 0.0 || !size.is_finite() {
            break;
        }
        let mut next = *state;
        let mut rest = r;
        if let Some(y) = dual(&a, &r, &free[first..], damping) {
            for j in 0..N {
                let step: f64 = (0..M).map(|i| a[i][j] * y[i]).sum();
                let step = masked(free[first + j], step);
                next[first + j] -= step;
                for i in 0..M {
                    rest[i] -= a[i][j] * step;
                }
            }
            if next == *state {
                break;
            }
        }
        let (r_next, a_next) = chosen(&next);
        let left = squared(&r_next);
        if left < size {
            // What was gained of what the linear rows promised.
            let gain = (size - left) / (size - squared(&rest)).max(f64::MIN_POSITIVE);
            let factor = 2.0 * gain - 1.0;
            damping *= (1.0 - factor * factor * factor).max(1.0 / 3.0);
            // Vanishes with what is left, so that the last steps are Newton's.
            damping = damping.min(0.01 * length(left) * (1.0 + damping));
            growth = 2.0;
            (*state, r, a) = (next, r_next, a_next);
        } else {
            damping = (damping * growth).max(f64::MIN_POSITIVE);
            growth *= 2.0;
            if growth > 1e30 {
                break;
            }
        }
    }
    let mut worst = None;
    let mut largest = ASSEMBLED;
    for i in 0..M {
        let mut scale: f64 = 1e-6;
        for j in 0..N {
            scale = scale.max(a[i][j].abs() * state[first + j].abs().max(1.0));
        }
        let relative = r[i].abs() / scale;
        // NaN is no zero.
        if relative.is_nan() || relative > largest {
            worst = Some((i, r[i]));
            largest = relative;
        }
    }
    worst.map_or(Ok(()), Err)
}

/// Solves `(A A^T + damping) y = r`, the products being those of free columns, by Cholesky's elimination without roots.
#[allow(clippy::needless_range_loop)]
fn dual<const N: usize, const M: usize>(
    a: &[[f64; N]; M],
    r: &[f64; M],
    free: &[bool],
    damping: f64,
) -> Option<[f64; M]> {
    let mut gram = [[0.0; M]; M];
    let mut largest: f64 = 0.0;
    for i in 0..M {
        for k in 0..=i {
            let products = (0..N).map(|j| masked(free[j], a[i][j] * a[k][j]));
            gram[i][k] = products.sum();
        }
        largest = largest.max(gram[i][i]);
    }
    let mut y = *r;
    for i in 0..M {
        gram[i][i] += damping + APART * largest;
        for k in 0..=i {
            let mut sum = gram[i][k];
            for l in 0..k {
                sum -= gram[i][l] * gram[k][l] * gram[l][l];
            }
            gram[i][k] = if k < i { sum / gram[k][k] } else { sum };
        }
        if gram[i][i].is_nan() || gram[i][i] <= 0.0 {
            return None;
        }
        for k in 0..i {
            y[i] -= gram[i][k] * y[k];
        }
    }
    for i in 0..M {
        y[i] /= gram[i][i];
    }
    for i in (0..M).rev() {
        for k in i + 1..M {
            y[i] -= gram[k][i] * y[k];
        }
    }
    Some(y)
}
