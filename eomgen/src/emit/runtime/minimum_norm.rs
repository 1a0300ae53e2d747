/// [`least_norm`], or how close to failing: 0 where the rows contradict each other, what remains of a
/// row that is nearly dependent, NaN where an operand is not finite.
fn minimum_norm<const R: usize, const C: usize>(
    a: &[[f64; C]; R],
    b: &[f64; R],
) -> Result<[f64; C], f64> {
    if !a.as_flattened().iter().chain(b).all(|x| x.is_finite()) {
        return Err(f64::NAN);
    }
    least_norm(a, b, true)
}
