/// A routine's result, or the condition under which it fails; without checks, what stands for it.
#[inline]
fn solved<const CHECKED: bool, T>(
    condition: usize,
    result: Result<T, f64>,
    otherwise: T,
) -> Result<T, Singular> {
    match result {
        Err(closeness) if CHECKED => Err(Singular {
            condition,
            closeness,
        }),
        result => Ok(result.unwrap_or(otherwise)),
    }
}
