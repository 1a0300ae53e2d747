/// Refuses results that are infinite or not numbers.
#[inline]
fn finite<const CHECKED: bool>(condition: usize, results: &[f64]) -> Result<(), Singular> {
    if !CHECKED || results.iter().all(|x| x.is_finite()) {
        return Ok(());
    }
    Err(Singular {
        condition,
        closeness: f64::NAN,
    })
}
