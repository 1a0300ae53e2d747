/// A routine's result, or the condition under which it fails.
fn solved<T>(condition: usize, result: Result<T, f64>) -> Result<T, Singular> {
    result.map_err(|closeness| Singular {
        condition,
        closeness,
    })
}
