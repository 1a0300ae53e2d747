/// A divisor counts as zero up to this size relative to its scale, a few roundings of which are its
/// error: results would be uncertain by more than a millionth.
pub const SINGULAR_TOLERANCE: f64 = 1e-9;

/// Refuses a divisor that is too small to be trusted, or not a number.
#[inline]
fn check<const CHECKED: bool>(condition: usize, divisor: f64, scale: f64) -> Result<(), Singular> {
    if !CHECKED || divisor.abs() > SINGULAR_TOLERANCE * scale.abs() {
        return Ok(());
    }
    let closeness = if divisor == 0.0 {
        0.0
    } else {
        divisor.abs() / scale.abs()
    };
    Err(Singular {
        condition,
        closeness,
    })
}
