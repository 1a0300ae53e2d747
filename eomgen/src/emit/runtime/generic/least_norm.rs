/// The `x` of least norm with `a x = b`, for any rank of `a`. With `strict`, rows that contradict each
/// other or are nearly dependent are refused: with 0, or with what remains of a row relative to it. So are
/// several numbers at once without a choice of rows in common.
///
/// Modified Gram-Schmidt on the rows, the largest remaining row first, each orthogonalised a
/// second time against the rows before it when its turn comes; the right-hand sides are carried
/// along: `q_k . x = y_k`, hence `x = sum y_k q_k`.
fn least_norm<T: Scalar, const R: usize, const C: usize>(
    a: &[[T; C]; R],
    b: &[T; R],
    strict: bool,
) -> Result<[T; C], f64> {
    let mut rows: [Equation<T, C>; R] =
        core::array::from_fn(|i| Equation::new(a[i], b[i], norm(&a[i]).bound()));
    let largest = rows.iter().fold(0.0, |m: f64, row| m.max(row.start));
    let mut basis = [0; R];
    let mut rank = 0;
    let mut contradiction = false;
    while let Some(next) = first_largest(
        rows.iter()
            .enumerate()
            .filter(|(_, row)| row.open)
            .map(|(i, row)| (i, norm(&row.row).magnitude())),
    ) {
        let mut row = rows[next];
        rows[next].open = false;
        for &k in &basis[..rank] {
            let along = dot(&row.row, &rows[k].row);
            row.subtract(along, &rows[k]);
        }
        let remaining = norm(&row.row);
        if row.is_spent(remaining.bound(), largest) {
            contradiction |= row.contradicts(largest);
            continue;
        }
        if row.is_spent(remaining.magnitude(), largest) {
            return Err(0.0);
        }
        let uncertain = row.uncertain(remaining.magnitude());
        if let Some(closeness) = uncertain.filter(|_| strict) {
            return Err(closeness);
        }
        row.divide(remaining);
        row.open = false;
        for other in rows.iter_mut().filter(|other| other.open) {
            let along = dot(&other.row, &row.row);
            other.subtract(along, &row);
        }
        rows[next] = row;
        basis[rank] = next;
        rank += 1;
    }
    if strict && contradiction {
        return Err(0.0);
    }
    let mut x = [T::from_f64(0.0); C];
    for &k in &basis[..rank] {
        for (x, &q) in x.iter_mut().zip(&rows[k].row) {
            *x = *x + rows[k].rhs * q;
        }
    }
    Ok(x)
}
