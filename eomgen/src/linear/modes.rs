//! Eigenvalues with what takes part in them, and whether inputs reach them and outputs see them.

use nalgebra::{Complex, DMatrix, DVector, Schur};

use super::reduction::{Linear, Refused};

/// A mode.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// The eigenvalue.
    pub value: Complex<f64>,
    /// The eigenvector, over all states.
    pub right: Vec<Complex<f64>>,
    /// The left one, with a product of 1 with the right one if that is possible.
    pub left: Vec<Complex<f64>>,
    /// States with the shares that they have in the mode (products of both vectors' entries), largest first.
    pub parts: Vec<(usize, f64)>,
    /// Whether the inputs reach it, if there are any.
    pub controllable: Option<bool>,
    /// Whether the outputs see it, if there are any.
    pub observable: Option<bool>,
}

impl Mode {
    /// Undamped natural frequency in rad/s.
    pub fn frequency(&self) -> f64 {
        self.value.norm()
    }

    /// Damping ratio; of an eigenvalue 0 there is none.
    pub fn damping(&self) -> Option<f64> {
        (self.value.norm() > 0.0).then(|| (0.0 - self.value.re) / self.value.norm())
    }
}

/// Shares below this are not named.
const SHARE: f64 = 0.01;
/// Parts of eigenvalues below this share of the matrix are what rounding leaves.
const ROUNDING: f64 = 8.0 * f64::EPSILON;
/// What is no rank beside the largest singular value.
const RANK: f64 = 1e-10;

/// The modes: integrals with their eigenvalues 0 last.
///
/// # Errors
/// If the library's iteration does not end.
pub fn modes(linear: &Linear) -> Result<Vec<Mode>, Refused> {
    let mut values = values(&linear.a, &linear.integrals)?;
    let mut list = Vec::new();
    values.truncate(values.len() - linear.integrals.len());
    for (at, value) in values.iter().enumerate() {
        // Of equal eigenvalues each gets a direction of its own, as far as there are any.
        let same = values[..at].iter().filter(|v| near(**v, *value)).count();
        list.push(mode(linear, *value, same));
    }
    for integral in &linear.integrals {
        let zero = Complex::new(0.0, 0.0);
        let one = |i: usize| Complex::new(if i == *integral { 1.0 } else { 0.0 }, 0.0);
        let own: Vec<Complex<f64>> = (0..linear.a.nrows()).map(one).collect();
        list.push(Mode {
            left: own.clone(),
            parts: vec![(*integral, 1.0)],
            ..reached(linear, zero, own)
        });
    }
    Ok(list)
}

/// A mode, but for its left vector and who takes part.
fn reached(linear: &Linear, value: Complex<f64>, right: Vec<Complex<f64>>) -> Mode {
    let (inputs, outputs) = (linear.b.ncols(), linear.c.nrows());
    let (a, c) = (linear.a.transpose(), linear.c.transpose());
    Mode {
        controllable: (inputs > 0).then(|| full(&linear.a, &linear.b, value)),
        observable: (outputs > 0).then(|| full(&a, &c, value)),
        left: Vec::new(),
        parts: Vec::new(),
        right,
        value,
    }
}

fn near(a: Complex<f64>, b: Complex<f64>) -> bool {
    (a - b).norm() <= 1e-9 * (1.0 + a.norm())
}

/// The eigenvalues alone, sorted: by real part, largest first, then by imaginary part; then those of the integrals.
///
/// # Errors
/// If the library's iteration does not end.
pub fn values(a: &DMatrix<f64>, integrals: &[usize]) -> Result<Vec<Complex<f64>>, Refused> {
    let kept: Vec<usize> = (0..a.nrows()).filter(|i| !integrals.contains(i)).collect();
    let mut list = Vec::new();
    for block in blocks(a, &kept) {
        let matrix = a.select_rows(&block).select_columns(&block);
        match block.as_slice() {
            [one] => list.push(Complex::new(a[(*one, *one)], 0.0)),
            _ => {
                let found = of_block(&matrix)?;
                let size = ROUNDING * matrix.norm();
                let clean = |x: f64| if x.abs() <= size { 0.0 } else { x };
                let better = found.into_iter().map(|value| polished(&matrix, value));
                list.extend(better.map(|x| Complex::new(clean(x.re), clean(x.im))));
            }
        }
    }
    list.sort_by(|a, b| {
        let by_real = b.re.total_cmp(&a.re);
        let level = (a.re - b.re).abs() <= 1e-12 * (1.0 + a.re.abs());
        if level {
            b.im.total_cmp(&a.im)
        } else {
            by_real
        }
    });
    list.extend(integrals.iter().map(|_| Complex::new(0.0, 0.0)));
    Ok(list)
}

/// How many independent directions A takes to 0, apart from those of integrals.
pub fn neutral(linear: &Linear) -> usize {
    let kept: Vec<usize> = (0..linear.a.nrows())
        .filter(|i| !linear.integrals.contains(i))
        .collect();
    let core = linear.a.select_rows(&kept).select_columns(&kept);
    if core.is_empty() {
        return 0;
    }
    let values = core.singular_values();
    let largest = values.max();
    values.iter().filter(|x| **x <= RANK * largest).count()
}

fn of_block(matrix: &DMatrix<f64>) -> Result<Vec<Complex<f64>>, Refused> {
    let mut balanced = matrix.clone();
    let _ = nalgebra::linalg::balancing::balance_parlett_reinsch(&mut balanced);
    let schur = Schur::try_new(balanced, f64::EPSILON, 100_000);
    let schur = schur.ok_or_else(|| Refused("the eigenvalues did not converge".to_owned()))?;
    Ok(schur.complex_eigenvalues().iter().copied().collect())
}

/// States that depend on each other in a circle: the eigenvalues of each such group are its own, so that an integral of others keeps its 0
/// to the last digit.
fn blocks(a: &DMatrix<f64>, kept: &[usize]) -> Vec<Vec<usize>> {
    let n = kept.len();
    let mut reach = vec![vec![false; n]; n];
    for i in 0..n {
        for j in 0..n {
            reach[i][j] = i == j || a[(kept[i], kept[j])] != 0.0;
        }
    }
    for k in 0..n {
        for i in 0..n {
            if reach[i][k] {
                for j in 0..n {
                    reach[i][j] |= reach[k][j];
                }
            }
        }
    }
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    let mut done = vec![false; n];
    for i in 0..n {
        if done[i] {
            continue;
        }
        let block: Vec<usize> = (i..n).filter(|j| reach[i][*j] && reach[*j][i]).collect();
        for j in &block {
            done[*j] = true;
        }
        blocks.push(block.into_iter().map(|j| kept[j]).collect());
    }
    blocks
}

type Direction = DVector<Complex<f64>>;

/// Singular vectors that belong to the smallest singular values of `A - value`, the right and the left one.
fn vectors(
    a: &DMatrix<f64>,
    value: Complex<f64>,
    from_last: usize,
) -> Option<(Direction, Direction)> {
    let n = a.nrows();
    let mut shifted = a.map(|x| Complex::new(x, 0.0));
    for i in 0..n {
        shifted[(i, i)] -= value;
    }
    if n == 0 {
        return None;
    }
    let svd = shifted.try_svd(true, true, f64::EPSILON, 100_000)?;
    let (u, v) = (svd.u?, svd.v_t?);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|i, j| svd.singular_values[*i].total_cmp(&svd.singular_values[*j]));
    let at = *order.get(from_last)?;
    Some((v.row(at).adjoint(), u.column(at).into_owned()))
}

/// An eigenvalue to the last digits: Rayleigh's quotient of both vectors, whose error is the square of theirs.
fn polished(a: &DMatrix<f64>, value: Complex<f64>) -> Complex<f64> {
    let Some((right, left)) = vectors(a, value, 0) else {
        return value;
    };
    let product = left.dotc(&right);
    if product.norm() < 1e-4 {
        return value;
    }
    let moved = a.map(|x| Complex::new(x, 0.0)) * &right;
    let better = left.dotc(&moved) / product;
    if (better - value).norm() < 1e-6 * (1.0 + value.norm()) {
        // What is real stays real.
        return if value.im == 0.0 {
            Complex::new(better.re, 0.0)
        } else {
            better
        };
    }
    value
}

fn mode(linear: &Linear, value: Complex<f64>, same: usize) -> Mode {
    let n = linear.a.nrows();
    let kept: Vec<usize> = (0..n).filter(|i| !linear.integrals.contains(i)).collect();
    let core = linear.a.select_rows(&kept).select_columns(&kept);
    let (right, mut left) = vectors(&core, value, same)
        .unwrap_or_else(|| (DVector::zeros(kept.len()), DVector::zeros(kept.len())));
    let product = left.dotc(&right);
    if product.norm() > 1e-8 {
        let factor = product.conj();
        left.iter_mut().for_each(|x| *x /= factor);
    }
    let products = left.iter().zip(right.iter());
    let products: Vec<f64> = products.map(|(l, r)| (l.conj() * r).norm()).collect();
    let sum: f64 = products.iter().sum();
    let mut parts: Vec<(usize, f64)> = products.iter().map(|x| x / sum).enumerate().collect();
    parts.retain(|(_, share)| *share > SHARE);
    // Equal to rounding: in the order of the states.
    parts.sort_by(|a, b| {
        let equal = (a.1 - b.1).abs() < 1e-9;
        if equal {
            a.0.cmp(&b.0)
        } else {
            b.1.total_cmp(&a.1)
        }
    });
    let zero = Complex::new(0.0, 0.0);
    let mut whole = (vec![zero; n], vec![zero; n]);
    for (k, i) in kept.iter().enumerate() {
        (whole.0[*i], whole.1[*i]) = (right[k], left[k]);
    }
    integrated(linear, value, &mut whole.0);
    Mode {
        left: whole.1,
        parts: parts
            .into_iter()
            .map(|(k, share)| (kept[k], share))
            .collect(),
        ..reached(linear, value, whole.0)
    }
}

/// What integrates follows: `(value - A_ii) v_i = A_ik v_k`. Where the eigenvalue is 0 it grows instead, and stays out of the vector.
fn integrated(linear: &Linear, value: Complex<f64>, right: &mut [Complex<f64>]) {
    let own = &linear.integrals;
    let count = own.len();
    let matrix = DMatrix::from_fn(count, count, |i, j| {
        let entry = Complex::new(-linear.a[(own[i], own[j])], 0.0);
        if i == j { entry + value } else { entry }
    });
    let pushed = DVector::from_fn(count, |i, _| {
        let entries = (0..right.len()).map(|k| right[k] * linear.a[(own[i], k)]);
        entries.sum::<Complex<f64>>()
    });
    if count > 0
        && value.norm() > 0.0
        && let Some(found) = matrix.lu().solve(&pushed)
    {
        for (k, i) in own.iter().enumerate() {
            right[*i] = found[k];
        }
    }
}

/// Whether `[A - value, B]` has full rank (M. L. J. Hautus 1969), columns of B at the scale of A.
fn full(a: &DMatrix<f64>, b: &DMatrix<f64>, value: Complex<f64>) -> bool {
    let n = a.nrows();
    let scale = |k: usize| {
        let size = b.column(k).amax();
        if size > 0.0 {
            a.amax().max(1.0) / size
        } else {
            0.0
        }
    };
    let matrix = DMatrix::from_fn(n, n + b.ncols(), |i, j| {
        if j >= n {
            return Complex::new(b[(i, j - n)] * scale(j - n), 0.0);
        }
        let own = Complex::new(a[(i, j)], 0.0);
        if i == j { own - value } else { own }
    });
    let singular = matrix.singular_values();
    singular.min() > RANK * singular.max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integrals_of_integrals_have_eigenvalues_of_exactly_zero() {
        let a = DMatrix::from_row_slice(3, 3, &[0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -2.0]);
        let found = values(&a, &[]).unwrap();
        let expected = [0.0, 0.0, -2.0].map(|x| Complex::new(x, 0.0));
        assert_eq!(found, expected);
    }

    #[test]
    fn a_damped_oscillator() {
        // x'' + 2 d w x' + w^2 x = 0 with w = 5, d = 0.2.
        let a = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -25.0, -2.0]);
        let found = values(&a, &[]).unwrap();
        let expected = Complex::new(-1.0, 24.0f64.sqrt());
        assert!((found[0] - expected).norm() < 1e-14, "{found:?}");
        assert!((found[1] - expected.conj()).norm() < 1e-14);
    }
}
