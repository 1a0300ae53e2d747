//! Symbolic elimination, rank and null space of small systems over [`sym`](crate::sym) expressions.
//! Every determinant that a result is divided by is reported before anything is cancelled.
//! Knows nothing of mechanics.

mod minors;
mod sample;
mod triangular;

pub use sample::{Echelon, echelon, has_full_rank};

use crate::sym::{Algebra, Expr, Meaning, Node};
use minors::Minors;

/// Rows of expressions.
pub type Matrix = Vec<Vec<Expr>>;

/// A row of the unit matrix.
pub fn unit(n: usize, i: usize) -> Vec<Expr> {
    let entry = |j| if i == j { Expr::one() } else { Expr::zero() };
    (0..n).map(entry).collect()
}

/// The unit matrix.
pub fn identity(n: usize) -> Matrix {
    (0..n).map(|i| unit(n, i)).collect()
}

/// A symmetric matrix from the entries on and above its diagonal, row by row.
pub fn symmetric(n: usize, mut entry: impl FnMut(usize, usize) -> Expr) -> Matrix {
    let mut matrix = vec![vec![Expr::zero(); n]; n];
    for i in 0..n {
        for j in i..n {
            let e = entry(i, j);
            matrix[j][i] = e.clone();
            matrix[i][j] = e;
        }
    }
    matrix
}

/// The transposed matrix.
pub fn transposed(m: &Matrix) -> Matrix {
    let columns = 0..m.first().map_or(0, Vec::len);
    columns
        .map(|j| m.iter().map(|row| row[j].clone()).collect())
        .collect()
}

/// Clears a column below row `at`, whose entry in it is the pivot; new entries get a name.
pub fn clear_below(alg: &mut Algebra, rows: &mut Matrix, at: usize, column: usize, name: &str) {
    let pivot = rows[at].clone();
    for row in rows.iter_mut().skip(at + 1) {
        if alg.is_zero(&row[column]) {
            continue;
        }
        let factor = &row[column] / &pivot[column];
        for (x, p) in row.iter_mut().zip(&pivot) {
            if !p.is_literal_zero() {
                *x = alg.define(name, &*x - &factor * p);
            }
        }
    }
}

/// Some columns of a matrix.
pub fn columns(matrix: &Matrix, which: &[usize]) -> Matrix {
    let pick = |row: &Vec<Expr>| which.iter().map(|j| row[*j].clone()).collect();
    matrix.iter().map(pick).collect()
}

/// A vector as a matrix of one column.
pub fn column(v: &[Expr]) -> Matrix {
    v.iter().map(|e| vec![e.clone()]).collect()
}

/// A solved system `matrix * x = rhs` with one column of `x` per right-hand side.
#[derive(Clone, Debug)]
pub struct Solved {
    /// `x[i][k]`: unknown i, right-hand side k.
    pub x: Matrix,
    /// The determinant factors that were divided by; their product is the determinant up to a constant.
    pub pivots: Vec<Expr>,
    /// Whether each of the pivots is a factor of the determinant for itself: none is divided by another that may vanish.
    pub exact: bool,
}

/// Largest block that is solved by cofactors, written out one by one; larger ones share their minors.
const COFACTOR_LIMIT: usize = 4;

/// Entries up to this size are written out to find the factors of a determinant.
const ENTRY: usize = 120;

/// Solves a square system. Unit and other certainly nonzero pivots are eliminated first, sparsest row first, within the diagonal blocks of
/// the block triangular form; what is left of each block is solved by cofactors or by minors, so that nothing is divided by but the factors
/// of the determinant. Only where there would be too many minors pivots follow that the determinant does not have.
/// `None` if the matrix is singular identically, or if a budget of simplification is spent on the way: unsimplified
/// elimination grows without bound.
pub fn solve(alg: &mut Algebra, matrix: &Matrix, rhs: &Matrix) -> Option<Solved> {
    let n = matrix.len();
    let spent = alg.spent();
    let mut a = matrix.clone();
    for e in a.iter_mut().flatten() {
        if alg.is_zero(e) {
            *e = Expr::zero();
        }
    }
    let filled: Vec<Vec<usize>> = a.iter().map(|row| filled(row)).collect();
    let mut part = vec![(0, 0); n];
    for (number, (rows, columns)) in triangular::blocks(&filled)?.iter().enumerate() {
        rows.iter().for_each(|i| part[*i].0 = number);
        columns.iter().for_each(|j| part[*j].1 = number);
    }
    let mut system = Sparse {
        a,
        b: rhs.clone(),
        part,
        row_done: vec![false; n],
        column_done: vec![false; n],
        order: Vec::new(),
        pivots: Vec::new(),
        exact: true,
    };
    for (row, right) in system.a.iter_mut().zip(&mut system.b) {
        clear_denominators(alg, row, right);
    }
    while let Some((i, j)) = system.cheapest(alg) {
        if alg.gave_up(spent) {
            return None;
        }
        system.eliminate(alg, i, j);
    }
    let x = system.solve_blocks(alg)?;
    system.substitute(alg, x)
}

/// The columns that a row fills.
fn filled(row: &[Expr]) -> Vec<usize> {
    let entries = row.iter().enumerate();
    let filled = entries.filter(|(_, e)| !e.is_literal_zero());
    filled.map(|(j, _)| j).collect()
}

/// A system whose certain pivots are eliminated first.
struct Sparse {
    a: Matrix,
    b: Matrix,
    /// The diagonal blocks that row i and column i belong to.
    part: Vec<(usize, usize)>,
    row_done: Vec<bool>,
    column_done: Vec<bool>,
    /// Rows and columns of the pivots.
    order: Vec<(usize, usize)>,
    pivots: Vec<Expr>,
    exact: bool,
}

impl Sparse {
    fn open_rows(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.a.len()).filter(|i| !self.row_done[*i])
    }

    fn open_columns(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.a.len()).filter(|j| !self.column_done[*j])
    }

    /// Of the entries that are numbers or alone in their rows the one whose elimination fills in least.
    fn cheapest(&self, alg: &Algebra) -> Option<(usize, usize)> {
        let zero = num_rational::BigRational::from_integer(0.into());
        let mut best: Option<(usize, usize, usize)> = None;
        // Most entries are 0, and all of them are looked at for each pivot: once.
        let columns: Vec<usize> = self.open_columns().collect();
        let filled = |i: usize| -> Vec<usize> {
            let filled = columns.iter().copied();
            filled
                .filter(|j| !self.a[i][*j].is_literal_zero())
                .collect()
        };
        let rows: Vec<(usize, Vec<usize>)> = self.open_rows().map(|i| (i, filled(i))).collect();
        let mut column_sizes = vec![0; self.a.len()];
        for j in rows.iter().flat_map(|row| &row.1) {
            column_sizes[*j] += 1;
        }
        for (i, row) in rows {
            let row_size = row.len();
            for j in row {
                // A pivot beside the diagonal blocks would merge them.
                let inside = self.part[i].0 == self.part[j].1;
                let is_number = || alg.as_number(&self.a[i][j]).is_some_and(|v| v != zero);
                if !inside || row_size != 1 && !is_number() {
                    continue;
                }
                let cost = (row_size - 1) * (column_sizes[j] - 1);
                if best.is_none_or(|(c, _, _)| cost < c) {
                    best = Some((cost, i, j));
                }
            }
        }
        best.map(|(_, i, j)| (i, j))
    }

    fn eliminate(&mut self, alg: &mut Algebra, i: usize, j: usize) {
        self.row_done[i] = true;
        self.column_done[j] = true;
        self.order.push((i, j));
        if alg.as_number(&self.a[i][j]).is_none() {
            self.pivots.push(self.a[i][j].clone());
        }
        let columns: Vec<usize> = self.open_columns().collect();
        for k in self.open_rows().collect::<Vec<_>>() {
            if self.a[k][j].is_literal_zero() {
                continue;
            }
            let factor = &self.a[k][j] / &self.a[i][j];
            for l in &columns {
                if !self.a[i][*l].is_literal_zero() {
                    self.a[k][*l] = simplified(alg, &self.a[k][*l] - &factor * &self.a[i][*l]);
                }
            }
            for c in 0..self.b[i].len() {
                if !self.b[i][c].is_literal_zero() {
                    self.b[k][c] = simplified(alg, &self.b[k][c] - &factor * &self.b[i][c]);
                }
            }
        }
    }

    /// The unknowns of the blocks that are left, each after those that its rows hold too.
    fn solve_blocks(&mut self, alg: &mut Algebra) -> Option<Vec<Option<Vec<Expr>>>> {
        let rows: Vec<usize> = self.open_rows().collect();
        let cols: Vec<usize> = self.open_columns().collect();
        let open = |i: &usize| -> Vec<usize> {
            let held = (0..cols.len()).filter(|k| !self.a[*i][cols[*k]].is_literal_zero());
            held.collect()
        };
        let pattern: Vec<Vec<usize>> = rows.iter().map(open).collect();
        let mut x: Vec<Option<Vec<Expr>>> = vec![None; self.a.len()];
        for (block_rows, block_columns) in triangular::blocks(&pattern)? {
            let block_rows: Vec<usize> = block_rows.iter().map(|k| rows[*k]).collect();
            let block_columns: Vec<usize> = block_columns.iter().map(|k| cols[*k]).collect();
            let of = |m: &Matrix| -> Matrix { block_rows.iter().map(|i| m[*i].clone()).collect() };
            let square = columns(&of(&self.a), &block_columns);
            let mut right = of(&self.b);
            for (i, right) in block_rows.iter().zip(&mut right) {
                let known = cols.iter().filter_map(|l| Some((l, x[*l].as_ref()?)));
                for (l, known) in known {
                    subtract(alg, right, &self.a[*i][*l], known);
                }
            }
            let solved = block(alg, square, right)?;
            self.pivots.extend(solved.pivots);
            self.exact &= solved.exact;
            for (j, v) in block_columns.iter().zip(solved.x) {
                x[*j] = Some(v);
            }
        }
        Some(x)
    }

    /// The unknowns of the pivots, last first.
    fn substitute(self, alg: &mut Algebra, mut x: Vec<Option<Vec<Expr>>>) -> Option<Solved> {
        for (i, j) in self.order.iter().rev() {
            let (row, mut value) = (&self.a[*i], self.b[*i].clone());
            for (l, entry) in row.iter().enumerate() {
                if l == *j || entry.is_literal_zero() {
                    continue;
                }
                for (v, known) in value.iter_mut().zip(x[l].iter().flatten()) {
                    *v = &*v - entry * known;
                }
            }
            let value = value.into_iter().map(|v| simplified(alg, v / &row[*j]));
            x[*j] = Some(value.collect());
        }
        Some(Solved {
            x: x.into_iter().collect::<Option<Matrix>>()?,
            pivots: self.pivots,
            exact: self.exact,
        })
    }
}

/// Multiplies an equation by the sums that its coefficients are divided by, where these are certain not to vanish: the
/// products of an elimination would gather them.
fn clear_denominators(alg: &mut Algebra, row: &mut [Expr], right: &mut [Expr]) {
    for _ in 0..4 {
        let mut found = None;
        for d in row.iter().flat_map(|e| alg.divisors(e)).collect::<Vec<_>>() {
            let sum = match alg.as_var(&d).map(|v| alg.info(v).meaning.clone()) {
                None => matches!(alg.node(&d), Node::Sum(_)),
                Some(Meaning::Definition(_)) => true,
                Some(_) => false,
            };
            if sum && alg.is_nonzero(&d) {
                found = Some(d);
                break;
            }
        }
        let Some(d) = found else { return };
        for e in row.iter_mut().chain(right.iter_mut()) {
            if !e.is_literal_zero() {
                *e = simplified(alg, &*e * &d);
            }
        }
    }
}

/// `right - factor * known`, simplified.
fn subtract(alg: &mut Algebra, right: &mut [Expr], factor: &Expr, known: &[Expr]) {
    if factor.is_literal_zero() {
        return;
    }
    for (r, k) in right.iter_mut().zip(known) {
        if !k.is_literal_zero() {
            *r = simplified(alg, &*r - factor * k);
        }
    }
}

/// Solves a block that falls into no smaller ones.
fn block(alg: &mut Algebra, m: Matrix, rhs: Matrix) -> Option<Solved> {
    if let Some(solved) = by_transposition(alg, &m, &rhs) {
        return Some(solved);
    }
    if m.len() <= COFACTOR_LIMIT {
        return cofactors(alg, &m, &rhs);
    }
    gauss(alg, m.clone(), rhs.clone(), true)
        .or_else(|| by_minors(alg, &m, &rhs))
        .or_else(|| gauss(alg, m, rhs, false))
}

/// A block with orthogonal rows of lengths that are certain not to vanish, as of a rotation, or of a quaternion's rates: `x = M^T D^-1 b`, D the
/// squares of the rows. `None` of any other block.
fn by_transposition(alg: &mut Algebra, m: &Matrix, rhs: &Matrix) -> Option<Solved> {
    if m.len() < 3 {
        return None;
    }
    let product = |a: &[Expr], b: &[Expr]| -> Expr { a.iter().zip(b).map(|(x, y)| x * y).sum() };
    for (i, row) in m.iter().enumerate() {
        if !m[..i].iter().all(|other| alg.is_zero(&product(row, other))) {
            return None;
        }
    }
    let mut squares = Vec::with_capacity(m.len());
    for row in m {
        let square = product(row, row);
        squares.push(if alg.equal(&square, &Expr::one()) {
            Expr::one()
        } else {
            let square = alg.simplify(&square);
            if !alg.is_nonzero(&square) {
                return None;
            }
            square
        });
    }
    // The square of the determinant is their product; what is left without its like does not vanish either, and is no pivot.
    let mut pivots: Vec<Expr> = Vec::new();
    let mut single: Vec<&Expr> = Vec::new();
    for square in squares.iter().filter(|s| alg.as_number(s).is_none()) {
        match single.iter().position(|other| alg.equal(other, square)) {
            Some(at) => pivots.push(single.swap_remove(at).clone()),
            None => single.push(square),
        }
    }
    let columns = rhs.first().map_or(0, Vec::len);
    let mut x = Matrix::with_capacity(m.len());
    for j in 0..m.len() {
        let mut row = Vec::with_capacity(columns);
        for c in 0..columns {
            let rows = m.iter().zip(rhs).zip(&squares);
            let sum: Expr = rows.map(|((m, r), square)| &m[j] * &r[c] / square).sum();
            row.push(simplified(alg, sum));
        }
        x.push(row);
    }
    Some(Solved {
        x,
        pivots,
        exact: true,
    })
}

/// A determinant in the form in which it is divided by: with its factors, if it is not certain to be nonzero and they can be found.
fn divisor(alg: &mut Algebra, m: &Matrix, d: Expr) -> Expr {
    if alg.is_closed() || alg.is_nonzero(&d) {
        return d;
    }
    factored(alg, m).unwrap_or(d)
}

/// The determinant in closed form; `None` if it is long.
fn factored(alg: &mut Algebra, m: &Matrix) -> Option<Expr> {
    if m.len() > COFACTOR_LIMIT {
        return None;
    }
    let mut flat = Matrix::new();
    for row in m {
        let mut entries = Vec::with_capacity(row.len());
        for e in row {
            if alg.inlined_size(e, ENTRY) >= ENTRY {
                return None;
            }
            entries.push(alg.inline(e));
        }
        flat.push(entries);
    }
    alg.in_closed_form(|alg| {
        let spent = alg.spent();
        let d = determinant(alg, &flat);
        (!alg.gave_up(spent)).then_some(d)
    })
}

/// Cramer's rule with shared minors.
fn by_minors(alg: &mut Algebra, m: &Matrix, rhs: &Matrix) -> Option<Solved> {
    let minors = Minors::new(alg, m)?;
    let d = minors.determinant();
    if alg.is_zero(&d) {
        return None;
    }
    let d = simplified(alg, d);
    let spent = alg.spent();
    let mut x = minors.numerators(alg, rhs);
    for e in x.iter_mut().flatten() {
        *e = simplified(alg, &*e / &d);
    }
    (!alg.gave_up(spent)).then_some(Solved {
        x,
        pivots: vec![d],
        exact: true,
    })
}

/// Determinant by cofactors along the first row, simplified at every level.
pub fn determinant(alg: &mut Algebra, m: &Matrix) -> Expr {
    match m.len() {
        0 => return Expr::one(),
        1 => return simplified(alg, m[0][0].clone()),
        _ => {}
    }
    let mut sum = Expr::zero();
    for j in 0..m.len() {
        if m[0][j].is_literal_zero() {
            continue;
        }
        let d = determinant(alg, &minor(m, 0, j));
        let term = &m[0][j] * d;
        sum = if j % 2 == 0 { sum + term } else { sum - term };
    }
    simplified(alg, sum)
}

fn minor(m: &Matrix, row: usize, column: usize) -> Matrix {
    m.iter()
        .enumerate()
        .filter(|(i, _)| *i != row)
        .map(|(_, r)| {
            r.iter()
                .enumerate()
                .filter(|(j, _)| *j != column)
                .map(|(_, e)| e.clone())
                .collect()
        })
        .collect()
}

/// Cramer's rule.
fn cofactors(alg: &mut Algebra, m: &Matrix, rhs: &Matrix) -> Option<Solved> {
    let n = m.len();
    let d = determinant(alg, m);
    if alg.is_zero(&d) {
        return None;
    }
    let d = divisor(alg, m, d);
    let spent = alg.spent();
    let columns = rhs.first().map_or(0, Vec::len);
    let mut x = vec![Vec::with_capacity(columns); n];
    for (j, xj) in x.iter_mut().enumerate() {
        for c in 0..columns {
            let mut replaced = m.clone();
            for (row, r) in replaced.iter_mut().zip(rhs) {
                row[j] = r[c].clone();
            }
            let numerator = determinant(alg, &replaced);
            if alg.gave_up(spent) {
                return None;
            }
            xj.push(simplified(alg, numerator / &d));
        }
    }
    let pivots = if alg.as_number(&d).is_some() {
        Vec::new()
    } else {
        vec![d]
    };
    Some(Solved {
        x,
        pivots,
        exact: true,
    })
}

/// Gaussian elimination, preferring pivots that are certain not to vanish, then small ones; with `certain` only the former.
fn gauss(alg: &mut Algebra, mut a: Matrix, mut b: Matrix, certain: bool) -> Option<Solved> {
    let n = a.len();
    let mut pivots = Vec::new();
    let spent = alg.spent();
    let mut rows: Vec<usize> = (0..n).collect();
    for j in 0..n {
        if alg.gave_up(spent) {
            return None;
        }
        let mut best: Option<(bool, usize, usize)> = None; // whether it may vanish, its size, its place
        for (at, i) in rows.iter().enumerate().skip(j) {
            if alg.is_zero(&a[*i][j]) {
                continue;
            }
            let open = !alg.is_nonzero(&a[*i][j]);
            let size = alg.node(&a[*i][j]).size();
            if best.is_none_or(|(o, s, _)| (open, size) < (o, s)) {
                best = Some((open, size, at));
            }
        }
        let (open, _, at) = best?;
        if open && certain {
            return None;
        }
        rows.swap(j, at);
        let p = rows[j];
        pivots.push(a[p][j].clone());
        for i in rows.iter().skip(j + 1).copied() {
            if a[i][j].is_literal_zero() {
                continue;
            }
            let f = simplified(alg, &a[i][j] / &a[p][j]);
            for l in j + 1..n {
                a[i][l] = simplified(alg, &a[i][l] - &f * &a[p][l]);
            }
            for c in 0..b[i].len() {
                b[i][c] = simplified(alg, &b[i][c] - &f * &b[p][c]);
            }
            a[i][j] = Expr::zero();
        }
    }
    let mut x: Matrix = vec![Vec::new(); n];
    for j in (0..n).rev() {
        let p = rows[j];
        let mut value = Vec::with_capacity(b[p].len());
        for c in 0..b[p].len() {
            let mut v = b[p][c].clone();
            for l in j + 1..n {
                v = v - &a[p][l] * &x[l][c];
            }
            value.push(simplified(alg, v / &a[p][j]));
        }
        x[j] = value;
    }
    Some(Solved {
        x,
        pivots,
        exact: certain,
    })
}

fn simplified(alg: &mut Algebra, e: Expr) -> Expr {
    if alg.is_zero(&e) {
        return Expr::zero();
    }
    if alg.is_closed() {
        alg.simplify(&e)
    } else {
        alg.define("pivot_row", e)
    }
}
