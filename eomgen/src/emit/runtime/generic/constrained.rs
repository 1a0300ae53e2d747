/// Pivot relative to the terms that its entry is the sum of, at which the reduced mass matrix is too
/// nearly singular for results to be certain to a millionth.
const PIVOT: f64 = 1e-9;

/// `M q'' = F + A^T lambda`, `A q'' = b` for `A` of any rank: `q''` and the multipliers of least
/// norm. Or how close to failing: the pivot or the rest of a row of `A` that is too small
/// relative to what it was, 0 where rows contradict each other, NaN where an operand is not finite.
///
/// 1. Row-reduce A by complete pivoting: `qe'' = d - R qi''`.
/// 2. `K = Mii + R^T Mee R - Mie R - R^T Mei`, right-hand side
///    `Fi - R^T Fe + (R^T Mee - Mie) d`: Udwadia's explicit Gibbs-Appell equation.
/// 3. Solve for `qi''` by LDL^T with diagonal pivoting.
/// 4. `lambda`: of least norm with `A^T lambda = M q'' - F`.
#[allow(clippy::needless_range_loop)]
fn constrained<T: Scalar, const N: usize, const M: usize>(
    mass: &[[T; N]; N],
    force: &[T; N],
    a: &[[T; N]; M],
    b: &[T; M],
) -> Result<([T; N], [T; M]), f64> {
    let zero = T::from_f64(0.0);
    let matrices = mass.as_flattened().iter().chain(a.as_flattened());
    let numbers = matrices.chain(force).chain(b);
    if !numbers.map(|x| x.bound()).all(f64::is_finite) {
        return Err(f64::NAN);
    }
    let size = largest_bound;
    let mut rows: [Equation<T, N>; M] =
        core::array::from_fn(|k| Equation::new(a[k], b[k], size(&a[k])));
    let largest = rows.iter().fold(0.0, |m: f64, row| m.max(row.start));
    // The dependent accelerations `e`, each with the row that is solved for it; then the others.
    let mut e = [0; M];
    let mut solved = [0; M];
    let mut rank = 0;
    let mut is_dependent = [false; N];
    loop {
        let open = rows.iter().enumerate().filter(|(_, row)| row.open);
        let pivot = first_largest(open.map(|(k, row)| {
            let spent = row.is_spent(size(&row.row), largest);
            let pivot = row.row.iter().fold(0.0, |m: f64, x| m.max(x.magnitude()));
            (k, if spent { 0.0 } else { pivot })
        }));
        let Some(next) = pivot else { break };
        let mut open = rows.iter().filter(|row| row.open);
        if open.all(|row| row.is_spent(size(&row.row), largest)) {
            break;
        }
        let mut row = rows[next];
        let magnitudes = row.row.iter().map(|x| x.magnitude()).enumerate();
        let Some(column) = first_largest(magnitudes) else {
            break;
        };
        // Several numbers at once, without a pivot in common.
        if row.is_spent(row.row[column].magnitude(), largest) {
            return Err(0.0);
        }
        if let Some(closeness) = row.uncertain(row.row[column].magnitude()) {
            return Err(closeness);
        }
        row.open = false;
        row.divide(row.row[column]);
        for (k, other) in rows.iter_mut().enumerate() {
            if k == next {
                continue;
            }
            let factor = other.row[column];
            other.subtract(factor, &row);
            // Exactly, or a rounding error could become a pivot.
            other.row[column] = zero;
        }
        rows[next] = row;
        e[rank] = column;
        solved[rank] = next;
        rank += 1;
        is_dependent[column] = true;
    }
    if rows.iter().any(|row| row.open && row.contradicts(largest)) {
        return Err(0.0);
    }
    let e = &e[..rank];
    let mut i = [0; N];
    let mut free = 0;
    for j in 0..N {
        if !is_dependent[j] {
            i[free] = j;
            free += 1;
        }
    }
    let i = &i[..free];
    // R and d by dependent acceleration.
    let r = |x: usize, k: usize| rows[solved[x]].row[i[k]];
    let d = |x: usize| rows[solved[x]].rhs;
    // What R is made of: what of it cancels but for rounding errors is no inertia.
    let of_r = |x: usize, k: usize| rows[solved[x]].sizes[i[k]];
    // W = R^T Mee - Mie; then K = Mii + W R - R^T Mei, and the right-hand side gains W d.
    let mut w = [[zero; N]; N];
    let mut reduced = [[zero; N]; N];
    let mut rhs = [zero; N];
    // What the diagonal is the sum of, in absolute values.
    let mut scale = [0.0; N];
    for k in 0..free {
        for (f, &column) in e.iter().enumerate() {
            let through = (0..rank).map(|x| r(x, k) * mass[e[x]][column]);
            w[k][f] = total(through) - mass[i[k]][column];
        }
        for col in 0..free {
            let inner = (0..rank).map(|x| w[k][x] * r(x, col));
            let outer = (0..rank).map(|x| r(x, k) * mass[e[x]][i[col]]);
            reduced[k][col] = mass[i[k]][i[col]] + total(inner) - total(outer);
        }
        scale[k] = mass[i[k]][i[k]].bound();
        for (x, &row) in e.iter().enumerate() {
            let through = (0..rank).map(|y| of_r(y, k) * mass[e[y]][row].bound());
            scale[k] += of_r(x, k) * (through.sum::<f64>() + 2.0 * mass[row][i[k]].bound());
        }
        let carried = (0..rank).map(|x| r(x, k) * force[e[x]]);
        let moved = (0..rank).map(|x| w[k][x] * d(x));
        rhs[k] = force[i[k]] - total(carried) + total(moved);
    }
    let independent = solve_positive(reduced, rhs, &scale, free)?;
    let mut acceleration = [zero; N];
    for (&j, &value) in i.iter().zip(&independent) {
        acceleration[j] = value;
    }
    for (x, &j) in e.iter().enumerate() {
        let from_free = (0..free).map(|k| r(x, k) * independent[k]);
        acceleration[j] = d(x) - total(from_free);
    }
    let missing: [T; N] = core::array::from_fn(|j| dot(&mass[j], &acceleration) - force[j]);
    let transposed: [[T; M]; N] = core::array::from_fn(|j| core::array::from_fn(|k| a[k][j]));
    // Consistent by construction up to rounding, which is no reason to refuse.
    let lambda = least_norm(&transposed, &missing, false)?;
    Ok((acceleration, lambda))
}

/// Solves the leading `n` equations of `k x = b`, `k` symmetric and positive definite, by LDL^T
/// with the remaining diagonal entry as pivot that is largest relative to its `scale`. Or the relative
/// pivot that is too small.
#[allow(clippy::needless_range_loop)]
fn solve_positive<T: Scalar, const N: usize>(
    mut k: [[T; N]; N],
    mut b: [T; N],
    scale: &[f64; N],
    n: usize,
) -> Result<[T; N], f64> {
    let (zero, one) = (T::from_f64(0.0), T::from_f64(1.0));
    let mut order = [0; N];
    let mut used = [false; N];
    for step in 0..n {
        let left = (0..n).filter(|&j| !used[j]);
        let Some(p) = first_largest(left.map(|j| (j, relative(k[j][j].magnitude(), scale[j]))))
        else {
            break;
        };
        used[p] = true;
        order[step] = p;
        let pivot = k[p][p];
        // A pivot that is not a number is no pivot.
        let positive = T::select_less(zero, pivot, one, zero).magnitude() > 0.0;
        if !positive || pivot.magnitude() <= PIVOT * scale[p] {
            let closeness = relative(pivot.magnitude(), scale[p]);
            return Err(if positive { closeness } else { 0.0 });
        }
        for row in 0..n {
            if used[row] {
                continue;
            }
            let factor = k[row][p] / pivot;
            for col in 0..n {
                if !used[col] {
                    k[row][col] = k[row][col] - factor * k[p][col];
                }
            }
            b[row] = b[row] - factor * b[p];
        }
    }
    let mut x = [zero; N];
    for step in (0..n).rev() {
        let p = order[step];
        let later = order[step + 1..n].iter().map(|&j| k[p][j] * x[j]);
        x[p] = (b[p] - total(later)) / k[p][p];
    }
    Ok(x)
}

fn relative(size: f64, scale: f64) -> f64 {
    if scale > 0.0 { size / scale } else { 0.0 }
}
