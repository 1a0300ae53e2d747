/// A divisor counts as zero up to this size relative to its scale, a few roundings of which are its
/// error: results would be uncertain by more than a millionth.
pub const SINGULAR_TOLERANCE: f64 = 1e-9;

/// Refuses a divisor that is too small to be trusted, or not a number.
#[inline]
fn check<T: Scalar, const CHECKED: bool>(
    condition: usize,
    divisor: T,
    scale: T,
) -> Result<(), Singular> {
    let (divisor, scale) = (divisor.magnitude(), scale.magnitude());
    if !CHECKED || divisor > SINGULAR_TOLERANCE * scale {
        return Ok(());
    }
    let closeness = if divisor == 0.0 { 0.0 } else { divisor / scale };
    Err(Singular {
        condition,
        closeness,
    })
}
