/// Refuses results that are infinite or not numbers.
fn finite(condition: usize, results: &[f64]) -> Result<(), Singular> {
    if results.iter().all(|x| x.is_finite()) {
        return Ok(());
    }
    Err(Singular {
        condition,
        closeness: f64::NAN,
    })
}
