//! The numerical routines in `f64`: linear algebra whose branches depend on the numbers.
//!
//! The emitted programs contain the same as text; both state the algorithm in the same steps.
//!
//! **Ranks.** A row counts as used up when what remains of it is at most [`RANK`] times what it was, or [`NOTHING`] times the largest
//! row at the start. What is neither that nor more than [`CERTAIN`] of what it was is refused. **Consistency.** Right-hand sides are carried along, and so is, with absolute values in the same steps, the size that
//! their rounding errors can have; a used-up row whose right-hand side is more than [`CONSISTENT`] of that size (and more than
//! [`NOISE`], below which a right-hand side is taken to be rounding itself) contradicts the others.

use super::RoutineKind;

/// What remains of a row, relative to what it was, at which it depends on the others.
pub const RANK: f64 = 1e-12;
/// Relative residual of a dependent row above which the rows contradict each other. States of a simulation are off
/// their constraints by the integrator's error, and dependent rows contradict each other by as much.
pub const CONSISTENT: f64 = 1e-4;
/// Residual relative to the largest row, below which no row contradicts the others.
pub const NOISE: f64 = 1e-8;
/// What remains of a row, relative to what it was, at which it is told from a dependent row well enough for results to be certain to a
/// millionth.
pub const CERTAIN: f64 = 1e-9;
/// A row relative to the largest, at which it is nothing but rounding errors.
pub const NOTHING: f64 = 1e-15;
/// Pivot relative to the terms that its entry was the sum of, at which the reduced mass matrix is too nearly singular for results to be
/// certain to a millionth.
pub const PIVOT: f64 = 1e-9;

/// Why a routine has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RoutineError {
    /// Dependent rows with different right-hand sides.
    #[error("the equations contradict each other")]
    Inconsistent,
    /// A row is so nearly dependent on others that results would be uncertain.
    #[error("the equations are nearly dependent on one another")]
    NearlyDependent,
    /// Some motion that the constraints allow has no inertia.
    #[error("the mass matrix is singular on the null space of the constraints")]
    SingularMass,
    /// An operand is infinite or not a number.
    #[error("an operand is not a finite number")]
    NotFinite,
    /// As many operands as the kind states are needed.
    #[error("wrong number of operands")]
    Operands,
}

/// Runs a routine on its operands, in the order that [`RoutineKind`] states.
pub fn run(kind: RoutineKind, operands: &[f64]) -> Result<Vec<f64>, RoutineError> {
    if operands.len() != kind.operands() {
        return Err(RoutineError::Operands);
    }
    if !operands.iter().all(|x| x.is_finite()) {
        return Err(RoutineError::NotFinite);
    }
    match kind {
        RoutineKind::MinimumNorm { rows, cols } => {
            let (rows, cols) = (rows as usize, cols as usize);
            let (a, b) = operands.split_at(rows * cols);
            minimum_norm(rows, cols, a, b, true)
        }
        RoutineKind::Constrained { n, m } => {
            let (n, m) = (n as usize, m as usize);
            let (mass, rest) = operands.split_at(n * n);
            let (force, rest) = rest.split_at(n);
            let (a, b) = rest.split_at(m * n);
            constrained(n, m, mass, force, a, b)
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn norm(a: &[f64]) -> f64 {
    // Scaled, so that squares neither overflow nor vanish.
    let largest = a.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if largest == 0.0 {
        return 0.0;
    }
    let sum: f64 = a.iter().map(|x| (x / largest) * (x / largest)).sum();
    largest * sum.sqrt()
}

/// An equation `row . x = rhs` on its way through an elimination.
struct Row {
    row: Vec<f64>,
    /// The sizes of the entries and of all that was taken from them.
    sizes: Vec<f64>,
    rhs: f64,
    /// The size of `rhs` and of all that was taken from it: what its rounding error is measured by.
    size: f64,
    /// The size of the row at the start.
    start: f64,
}

impl Row {
    /// Takes `factor` times another equation from it.
    fn subtract(&mut self, factor: f64, other: &Row) {
        for (x, y) in self.row.iter_mut().zip(&other.row) {
            *x -= factor * y;
        }
        for (x, y) in self.sizes.iter_mut().zip(&other.sizes) {
            *x += factor.abs() * y;
        }
        self.rhs -= factor * other.rhs;
        self.size += factor.abs() * other.size;
    }

    fn divide(&mut self, by: f64) {
        for x in &mut self.row {
            *x /= by;
        }
        for x in &mut self.sizes {
            *x /= by.abs();
        }
        self.rhs /= by;
        self.size /= by.abs();
    }

    /// Whether so little remains of it that it depends on the rows used before.
    fn is_spent(&self, remaining: f64, largest: f64) -> bool {
        remaining <= RANK * self.start || remaining <= NOTHING * largest
    }

    /// Whether so little remains of it that results would be uncertain.
    fn is_uncertain(&self, remaining: f64) -> bool {
        remaining <= CERTAIN * self.start
    }

    fn contradicts(&self, largest: f64) -> bool {
        self.rhs.abs() > CONSISTENT * self.size && self.rhs.abs() > NOISE * largest
    }
}

/// The equations of `a x = b`, their sizes measured by `size`, and the largest size.
fn equations(cols: usize, a: &[f64], b: &[f64], size: fn(&[f64]) -> f64) -> (Vec<Row>, f64) {
    let rows: Vec<Row> = b
        .iter()
        .enumerate()
        .map(|(i, &rhs)| {
            let row = a[i * cols..(i + 1) * cols].to_vec();
            Row {
                start: size(&row),
                sizes: row.iter().map(|x| x.abs()).collect(),
                row,
                rhs,
                size: rhs.abs(),
            }
        })
        .collect();
    let largest = rows.iter().fold(0.0, |m: f64, row| m.max(row.start));
    (rows, largest)
}

/// `x` of least norm with `a x = b`; `a` is `rows` x `cols`, row-major, of any rank.
///
/// Modified Gram-Schmidt on the rows, the largest remaining row first, each orthogonalised a second time against the rows before it
/// when its turn comes; the right-hand sides are carried along: `q_k . x = y_k`, hence `x = sum y_k q_k`. With `strict`, rows that
/// contradict each other are an error.
fn minimum_norm(
    rows: usize,
    cols: usize,
    a: &[f64],
    b: &[f64],
    strict: bool,
) -> Result<Vec<f64>, RoutineError> {
    debug_assert_eq!((a.len(), b.len()), (rows * cols, rows));
    let (mut open, largest) = equations(cols, a, b, norm);
    let mut basis: Vec<Row> = Vec::new();
    let mut spent: Vec<Row> = Vec::new();
    while let Some(next) = first_largest(open.iter().map(|row| norm(&row.row))) {
        let mut row = open.remove(next);
        for q in &basis {
            let along = dot(&row.row, &q.row);
            row.subtract(along, q);
        }
        let remaining = norm(&row.row);
        if row.is_spent(remaining, largest) {
            spent.push(row);
            continue;
        }
        if strict && row.is_uncertain(remaining) {
            return Err(RoutineError::NearlyDependent);
        }
        row.divide(remaining);
        for other in &mut open {
            let along = dot(&other.row, &row.row);
            other.subtract(along, &row);
        }
        basis.push(row);
    }
    if strict && spent.iter().any(|row| row.contradicts(largest)) {
        return Err(RoutineError::Inconsistent);
    }
    let mut x = vec![0.0; cols];
    for q in &basis {
        for (x, q_j) in x.iter_mut().zip(&q.row) {
            *x += q.rhs * q_j;
        }
    }
    Ok(x)
}

/// Position of the largest; the first of several, so that ties are settled by order.
fn first_largest(sizes: impl Iterator<Item = f64>) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (position, size) in sizes.enumerate() {
        if best.is_none_or(|(_, largest)| size > largest) {
            best = Some((position, size));
        }
    }
    best.map(|(position, _)| position)
}

/// `A q'' = b` solved for as many accelerations as its rank: `q''[dependent] = d - R q''[independent]`.
struct Reduced {
    dependent: Vec<usize>,
    independent: Vec<usize>,
    /// One row of R per dependent acceleration, one column per independent one.
    r: Vec<Vec<f64>>,
    /// What R is made of, in absolute values: what of it cancels but for rounding errors is no inertia.
    of_r: Vec<Vec<f64>>,
    d: Vec<f64>,
}

/// Gauss-Jordan elimination with complete pivoting.
fn reduce(n: usize, a: &[f64], b: &[f64]) -> Result<Reduced, RoutineError> {
    let size = |row: &[f64]| row.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let (mut open, largest) = equations(n, a, b, size);
    let mut solved: Vec<(usize, Row)> = Vec::new();
    loop {
        // The largest entry of the rows that are not spent.
        let pivot = first_largest(open.iter().map(|row| {
            let remaining = size(&row.row);
            if row.is_spent(remaining, largest) {
                0.0
            } else {
                remaining
            }
        }));
        let Some(position) = pivot else { break };
        let remaining = size(&open[position].row);
        if open[position].is_spent(remaining, largest) {
            break;
        }
        if open[position].is_uncertain(remaining) {
            return Err(RoutineError::NearlyDependent);
        }
        let mut row = open.remove(position);
        let Some(column) = first_largest(row.row.iter().map(|x| x.abs())) else {
            break;
        };
        row.divide(row.row[column]);
        for other in open.iter_mut().chain(solved.iter_mut().map(|(_, s)| s)) {
            let factor = other.row[column];
            other.subtract(factor, &row);
            // Exactly, or a rounding error could become a pivot.
            other.row[column] = 0.0;
        }
        solved.push((column, row));
    }
    if open.iter().any(|row| row.contradicts(largest)) {
        return Err(RoutineError::Inconsistent);
    }
    let dependent: Vec<usize> = solved.iter().map(|(column, _)| *column).collect();
    let independent: Vec<usize> = (0..n).filter(|j| !dependent.contains(j)).collect();
    let select = |list: &[f64]| independent.iter().map(|&j| list[j]).collect();
    Ok(Reduced {
        r: solved.iter().map(|(_, row)| select(&row.row)).collect(),
        of_r: solved.iter().map(|(_, row)| select(&row.sizes)).collect(),
        d: solved.iter().map(|(_, row)| row.rhs).collect(),
        dependent,
        independent,
    })
}

/// `M q'' = F + A^T lambda`, `A q'' = b`.
///
/// 1. Row-reduce A: `qe'' = d - R qi''`.
/// 2. `K = Mii + R^T Mee R - Mie R - R^T Mei`, right-hand side `Fi - R^T Fe + (R^T Mee - Mie) d` (Udwadia's explicit
///    Gibbs-Appell equation).
/// 3. Solve for `qi''` by LDL^T with diagonal pivoting.
/// 4. `lambda`: of least norm with `A^T lambda = M q'' - F`.
fn constrained(
    n: usize,
    m: usize,
    mass: &[f64],
    force: &[f64],
    a: &[f64],
    b: &[f64],
) -> Result<Vec<f64>, RoutineError> {
    let reduced = reduce(n, a, b)?;
    let (k, rhs, scale) = independent_system(n, mass, force, &reduced);
    let free = solve_positive(k, rhs, &scale)?;
    let Reduced {
        dependent: e,
        independent: i,
        r,
        d,
        ..
    } = &reduced;
    let mut acceleration = vec![0.0; n];
    for (&j, &value) in i.iter().zip(&free) {
        acceleration[j] = value;
    }
    for (x, &j) in e.iter().enumerate() {
        acceleration[j] = d[x] - dot(&r[x], &free);
    }
    let missing: Vec<f64> = (0..n)
        .map(|row| dot(&mass[row * n..(row + 1) * n], &acceleration) - force[row])
        .collect();
    let transposed: Vec<f64> = (0..n)
        .flat_map(|col| (0..m).map(move |row| a[row * n + col]))
        .collect();
    // Consistent by construction up to rounding, which is no reason to refuse.
    let lambda = minimum_norm(n, m, &transposed, &missing, false)?;
    acceleration.extend(lambda);
    Ok(acceleration)
}

/// The equations of the independent accelerations: `K` and its right-hand side, step 2 above; and what the diagonal of `K` is the sum of,
/// in absolute values.
fn independent_system(
    n: usize,
    mass: &[f64],
    force: &[f64],
    reduced: &Reduced,
) -> (Vec<Vec<f64>>, Vec<f64>, Vec<f64>) {
    let Reduced {
        dependent: e,
        independent: i,
        r,
        of_r,
        d,
    } = reduced;
    let entry = |row: usize, col: usize| mass[row * n + col];
    // W = R^T Mee - Mie, one row per independent acceleration; then K = Mii + W R - R^T Mei and the right-hand side gains W d.
    let columns = |k: usize| (0..e.len()).map(move |x| (x, k));
    let w: Vec<Vec<f64>> = (0..i.len())
        .map(|k| {
            let against = |&f: &usize| {
                let through: f64 = columns(k).map(|(x, k)| r[x][k] * entry(e[x], f)).sum();
                through - entry(i[k], f)
            };
            e.iter().map(against).collect()
        })
        .collect();
    let mut k = vec![vec![0.0; i.len()]; i.len()];
    for (row, k_row) in k.iter_mut().enumerate() {
        for (col, k_entry) in k_row.iter_mut().enumerate() {
            *k_entry = entry(i[row], i[col])
                + columns(col)
                    .map(|(x, col)| w[row][x] * r[x][col])
                    .sum::<f64>()
                - columns(row)
                    .map(|(x, row)| r[x][row] * entry(e[x], i[col]))
                    .sum::<f64>();
        }
    }
    let rhs: Vec<f64> = (0..i.len())
        .map(|row| {
            force[i[row]]
                - columns(row)
                    .map(|(x, row)| r[x][row] * force[e[x]])
                    .sum::<f64>()
                + dot(&w[row], d)
        })
        .collect();
    let scale = (0..i.len())
        .map(|k| {
            let through = |&row: &usize| {
                let parts = columns(k).map(|(x, k)| of_r[x][k] * entry(e[x], row).abs());
                parts.sum::<f64>() + 2.0 * entry(row, i[k]).abs()
            };
            let parts = e.iter().zip(of_r).map(|(row, own)| own[k] * through(row));
            // Added up as the emitted routine does: pivots are chosen by it.
            let own = entry(i[k], i[k]).abs();
            parts.fold(own, |sum, part| sum + part)
        })
        .collect();
    (k, rhs, scale)
}

/// Solves `K x = b`, K symmetric positive definite, by LDL^T with the remaining diagonal entry as pivot that is largest relative to its
/// `scale`.
fn solve_positive(
    mut k: Vec<Vec<f64>>,
    mut b: Vec<f64>,
    scale: &[f64],
) -> Result<Vec<f64>, RoutineError> {
    let n = b.len();
    let mut order: Vec<usize> = Vec::with_capacity(n);
    let mut left: Vec<usize> = (0..n).collect();
    while let Some(position) = first_largest(left.iter().map(|&j| relative(k[j][j], scale[j]))) {
        let p = left.remove(position);
        let pivot = k[p][p];
        // Not `<=`: a pivot that is not a number is no pivot.
        if !(pivot > PIVOT * scale[p] && pivot > 0.0) {
            return Err(RoutineError::SingularMass);
        }
        for &row in &left {
            let factor = k[row][p] / pivot;
            for &col in &left {
                k[row][col] -= factor * k[p][col];
            }
            b[row] -= factor * b[p];
        }
        order.push(p);
    }
    let mut x = vec![0.0; n];
    for (position, &p) in order.iter().enumerate().rev() {
        let later = order[position + 1..].iter().map(|&j| k[p][j] * x[j]);
        x[p] = (b[p] - later.sum::<f64>()) / k[p][p];
    }
    Ok(x)
}

fn relative(size: f64, scale: f64) -> f64 {
    if scale > 0.0 { size / scale } else { 0.0 }
}

#[cfg(test)]
mod tests;
