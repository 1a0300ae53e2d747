/// [`least_norm`], or how close to failing: 0 where the rows contradict each other, what remains of a
/// row that is nearly dependent, NaN where an operand is not finite.
fn minimum_norm<T: Scalar, const R: usize, const C: usize>(
    a: &[[T; C]; R],
    b: &[T; R],
) -> Result<[T; C], f64> {
    let numbers = a.as_flattened().iter().chain(b);
    if !numbers.map(|x| x.bound()).all(f64::is_finite) {
        return Err(f64::NAN);
    }
    least_norm(a, b, true)
}
