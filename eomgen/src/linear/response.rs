//! The response of outputs to a harmonic input.

use nalgebra::{Complex, DMatrix};

use super::reduction::Linear;

/// `C (i w - A)^-1 B + D` for one input and one output, at angular frequencies; none at a frequency of an undamped mode.
pub fn response(
    linear: &Linear,
    input: usize,
    output: usize,
    frequencies: &[f64],
) -> Vec<Option<Complex<f64>>> {
    let n = linear.a.nrows();
    let b = linear.b.column(input).map(|x| Complex::new(x, 0.0));
    let at = |w: &f64| {
        if n == 0 {
            return Some(Complex::new(linear.d[(output, input)], 0.0));
        }
        let matrix = DMatrix::from_fn(n, n, |i, j| {
            let own = Complex::new(-linear.a[(i, j)], 0.0);
            if i == j {
                own + Complex::new(0.0, *w)
            } else {
                own
            }
        });
        let x = matrix.lu().solve(&b)?;
        let sum: Complex<f64> = (0..n).map(|i| x[i] * linear.c[(output, i)]).sum();
        let found = sum + linear.d[(output, input)];
        (found.re.is_finite() && found.im.is_finite()).then_some(found)
    };
    frequencies.iter().map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1/(s^2 + 2 d w s + w^2) at s = i w is 1/(2 d w^2 i).
    #[test]
    fn an_oscillator_at_resonance() {
        let linear = Linear {
            states: vec!["x".into(), "v".into()],
            inputs: vec!["F".into()],
            outputs: vec!["x".into()],
            at: (vec![0.0; 2], vec![0.0], vec![0.0]),
            a: DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -4.0, -0.4]),
            b: DMatrix::from_row_slice(2, 1, &[0.0, 1.0]),
            c: DMatrix::from_row_slice(1, 2, &[1.0, 0.0]),
            d: DMatrix::zeros(1, 1),
            dependent: Vec::new(),
            integrals: Vec::new(),
        };
        let found = response(&linear, 0, 0, &[2.0])[0].unwrap();
        assert!((found - Complex::new(0.0, -1.25)).norm() < 1e-14, "{found}");
    }
}
