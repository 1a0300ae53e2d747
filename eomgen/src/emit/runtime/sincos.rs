/// Sine and cosine of an angle by [`sincos_near`], or where that is not sound, by the standard library.
#[inline(always)]
fn sincos(angle: f64) -> (f64, f64) {
    match sincos_near(angle) {
        (sine, cosine, true) => (sine, cosine),
        _ => sincos_far(angle),
    }
}

/// Sine and cosine of any angle.
#[cold]
fn sincos_far(angle: f64) -> (f64, f64) {
    angle.sin_cos()
}
