/// Refuses results that are infinite or not numbers.
#[inline]
fn finite<T: Scalar, const CHECKED: bool>(condition: usize, results: &[T]) -> Result<(), Singular> {
    if !CHECKED || results.iter().all(|x| x.bound().is_finite()) {
        return Ok(());
    }
    Err(Singular {
        condition,
        closeness: f64::NAN,
    })
}
