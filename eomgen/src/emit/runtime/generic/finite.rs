/// Refuses results that are infinite or not numbers.
fn finite<T: Scalar>(condition: usize, results: &[T]) -> Result<(), Singular> {
    if results.iter().all(|x| x.bound().is_finite()) {
        return Ok(());
    }
    Err(Singular {
        condition,
        closeness: f64::NAN,
    })
}
