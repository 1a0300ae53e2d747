//! The linear-quadratic regulator: `u = -K x` that makes the integral of `x' Q x + u' R u` least.
//!
//! The Riccati equation is solved by the sign of its Hamiltonian matrix (J. D. Roberts, Int. J. Control 32 (1980) 677-687, with the scaling
//! by the determinant of R. Byers, Linear Algebra Appl. 85 (1987) 267-279).

use nalgebra::{Complex, DMatrix};

use super::modes::values;
use super::reduction::{Linear, Refused};

/// A regulator.
#[derive(Clone, Debug, PartialEq)]
pub struct Regulator {
    /// Which states it acts on.
    pub states: Vec<usize>,
    /// The gain, one row for each input.
    pub gain: DMatrix<f64>,
    /// Eigenvalues of the closed loop, of the states that it acts on.
    pub closed: Vec<Complex<f64>>,
}

/// The regulator for weights of the states (those without one are left out) and of the inputs.
///
/// # Errors
/// Where there is none: what the inputs do not reach is unstable, or undamped.
pub fn regulator(
    linear: &Linear,
    states: &[Option<f64>],
    inputs: &[f64],
) -> Result<Regulator, Refused> {
    let kept: Vec<usize> = (0..states.len()).filter(|i| states[*i].is_some()).collect();
    let n = kept.len();
    let a = linear.a.select_rows(&kept).select_columns(&kept);
    let b = linear.b.select_rows(&kept);
    let weighted = DMatrix::from_fn(b.nrows(), b.ncols(), |i, j| b[(i, j)] / inputs[j]);
    let s = &weighted * b.transpose();
    let mut hamiltonian = DMatrix::zeros(2 * n, 2 * n);
    for i in 0..n {
        for j in 0..n {
            hamiltonian[(i, j)] = a[(i, j)];
            hamiltonian[(i, n + j)] = -s[(i, j)];
            hamiltonian[(n + i, n + j)] = -a[(j, i)];
        }
        hamiltonian[(n + i, i)] = -states[kept[i]].unwrap_or(0.0);
    }
    let none = || {
        let text = "there is no regulator: with these weights a mode that does not decay by itself is out of the inputs' reach, or costs nothing";
        Refused(text.to_owned())
    };
    if n == 0 {
        return Err(none());
    }
    let sign = sign(hamiltonian).ok_or_else(none)?;
    let identity = DMatrix::<f64>::identity(n, n);
    let mut left = DMatrix::zeros(2 * n, n);
    let mut right = DMatrix::zeros(2 * n, n);
    let block = |i: usize, j: usize| sign.view((i * n, j * n), (n, n)).into_owned();
    left.view_mut((0, 0), (n, n)).copy_from(&block(0, 1));
    left.view_mut((n, 0), (n, n))
        .copy_from(&(block(1, 1) + &identity));
    right
        .view_mut((0, 0), (n, n))
        .copy_from(&-(block(0, 0) + &identity));
    right.view_mut((n, 0), (n, n)).copy_from(&-block(1, 0));
    let svd = left
        .try_svd(true, true, f64::EPSILON, 100_000)
        .ok_or_else(none)?;
    let p = svd.solve(&right, 1e-14 * svd.singular_values.max());
    let p = p.map_err(|_| none())?;
    let p = 0.5 * (&p + p.transpose());
    let gain = weighted.transpose() * &p;
    let closed = values(&(&a - &b * &gain), &[])?;
    if closed
        .iter()
        .any(|value| value.re.is_nan() || value.re >= 0.0)
    {
        return Err(none());
    }
    Ok(Regulator {
        states: kept,
        gain,
        closed,
    })
}

/// The sign of a matrix by Newton's iteration; none where an eigenvalue lies on the imaginary axis.
fn sign(matrix: DMatrix<f64>) -> Option<DMatrix<f64>> {
    let n = matrix.nrows();
    let mut z = matrix;
    for _ in 0..200 {
        let inverse = z.clone().try_inverse()?;
        // |det Z|^(-1/n) by the ratio of norms, which serves as well (Kenney & Laub 1992) and needs no roots of higher order.
        let scale = (inverse.norm() / z.norm()).sqrt();
        if !scale.is_finite() || scale == 0.0 || n == 0 {
            return None;
        }
        let next = 0.5 * (&z * scale + inverse / scale);
        let change = (&next - &z).norm() / next.norm();
        z = next;
        if change < 1e-14 * n as f64 {
            return Some(z);
        }
        if change.is_nan() {
            return None;
        }
    }
    // At rest but for rounding.
    let square = &z * &z;
    ((square - DMatrix::identity(n, n)).norm() < 1e-6).then_some(z)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(a: &[f64], b: &[f64]) -> Linear {
        let n = b.len();
        Linear {
            states: vec![String::new(); n],
            inputs: vec![String::new()],
            outputs: Vec::new(),
            at: (vec![0.0; n], vec![0.0], Vec::new()),
            a: DMatrix::from_row_slice(n, n, a),
            b: DMatrix::from_row_slice(n, 1, b),
            c: DMatrix::zeros(0, n),
            d: DMatrix::zeros(0, 1),
            dependent: Vec::new(),
            integrals: Vec::new(),
        }
    }

    /// B. D. O. Anderson, J. B. Moore, Optimal Control (1990): for x'' = u with weights q of x, 0 of x' and 1 of u the gains are
    /// sqrt(q) and sqrt(2 sqrt(q)).
    #[test]
    fn the_double_integrator() {
        let linear = system(&[0.0, 1.0, 0.0, 0.0], &[0.0, 1.0]);
        let found = regulator(&linear, &[Some(16.0), Some(0.0)], &[1.0]).unwrap();
        assert!((found.gain[(0, 0)] - 4.0).abs() < 1e-12, "{found:?}");
        assert!((found.gain[(0, 1)] - 8.0f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn what_is_out_of_reach_and_unstable_has_no_regulator() {
        let linear = system(&[1.0, 0.0, 0.0, -1.0], &[0.0, 1.0]);
        assert!(regulator(&linear, &[Some(1.0), Some(1.0)], &[1.0]).is_err());
    }
}
