/// Below this, relative to its scale, a divisor counts as zero.
pub const SINGULAR_TOLERANCE: f64 = 1e-12;

/// Refuses a divisor that is nearly zero, or not a number.
fn check(condition: usize, divisor: f64, scale: f64) -> Result<(), Singular> {
    if divisor.abs() > SINGULAR_TOLERANCE * scale.abs() {
        return Ok(());
    }
    let closeness = divisor.abs() / scale.abs();
    Err(Singular {
        condition,
        closeness,
    })
}
