/// Below this, relative to its scale, a divisor counts as zero.
pub const SINGULAR_TOLERANCE: f64 = 1e-12;

/// Refuses a divisor that is nearly zero, or not a number.
fn check<T: Scalar>(condition: usize, divisor: T, scale: T) -> Result<(), Singular> {
    let (divisor, scale) = (divisor.magnitude(), scale.magnitude());
    if divisor > SINGULAR_TOLERANCE * scale {
        return Ok(());
    }
    let closeness = divisor / scale;
    Err(Singular {
        condition,
        closeness,
    })
}
