/// -1, 0 or 1; 0 at 0, NaN at NaN.
fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}
