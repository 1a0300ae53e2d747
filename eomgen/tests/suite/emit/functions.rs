// The user functions of the samples: in the compiled drivers and in the interpreter's host, so
// that both compute the same bits.

/// Value, gradient and Hessian of function `number` at `a`: linear terms and one product.
pub fn jet(number: usize, a: &[f64]) -> (f64, Vec<f64>, Vec<f64>) {
    let n = a.len();
    let mut gradient: Vec<f64> = (0..n).map(|i| (1 + i + number) as f64).collect();
    let mut hessian = vec![0.0; n * n];
    let mut value = 0.5;
    for i in 0..n {
        value += gradient[i] * a[i];
    }
    if n > 0 {
        value += a[0] * a[n - 1];
        gradient[0] += a[n - 1];
        gradient[n - 1] += a[0];
        hessian[n - 1] += 1.0;
        hessian[(n - 1) * n] += 1.0;
    }
    (value, gradient, hessian)
}
