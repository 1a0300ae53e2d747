//! Numerical routines, differentiated implicitly: each derivative is a result of the same routine with another right-hand side.
//!
//! `x = B^+ c` with `B x = c` changes, where the rank of B stays, by
//! `dx = B^+ (dc - dB x) + (I - B^+ B) dB^T y`, `y = (B^T)^+ x` (Golub & Pereyra 1973, 4.12, the residual being zero). Of
//! `M q'' = F + A^T lambda`, `A q'' = b` the accelerations change by those of `M`, `dF - dM q'' + dA^T lambda`, `A`, `db - dA q''`,
//! whichever multipliers are taken; the multipliers, being `(A^T)^+ (M q'' - F)`, as above.

use std::collections::BTreeMap;

use super::super::{Op, RoutineKind, Value};
use super::{Row, Rows, Sweep};

/// Derivatives of all results of each routine.
pub(super) type Solved = BTreeMap<Value, Vec<Row>>;

/// The derivatives of one result.
pub(super) fn row(solved: &Solved, routine: Value, index: u32) -> Row {
    let rows = solved.get(&routine);
    let row = rows.and_then(|rows| rows.get(index as usize));
    row.cloned().unwrap_or_default()
}

/// The derivatives of all results, from those of the operands.
pub(super) fn solve(s: &mut Sweep<'_>, routine: Value, rows: &Rows) -> Vec<Row> {
    let Op::Routine { kind, operands } = s.graph.op(routine).clone() else {
        let what = format!("{routine} is read as a routine and is none");
        s.graph.witness().note(what);
        return Vec::new();
    };
    let mut leaves: Vec<usize> = operands
        .iter()
        .filter_map(|v| rows.get(v))
        .flat_map(|row| row.keys().copied())
        .collect();
    leaves.sort_unstable();
    leaves.dedup();
    let mut found = vec![Row::new(); kind.results()];
    for leaf in leaves {
        let zero = s.graph.zero();
        let slope = |v: &Value| {
            let d = rows.get(v).and_then(|row| row.get(&leaf));
            d.copied().unwrap_or(zero)
        };
        let slopes: Vec<Value> = operands.iter().map(slope).collect();
        let results: Vec<Value> = (0..kind.results())
            .map(|i| s.graph.element(routine, i as u32))
            .collect();
        let changes = match kind {
            RoutineKind::MinimumNorm { rows, cols } => {
                let (b, _) = operands.split_at(rows as usize * cols as usize);
                let (db, dc) = slopes.split_at(rows as usize * cols as usize);
                let b = Matrix::new(rows, cols, b);
                let db = Matrix::new(rows, cols, db);
                minimum_norm(s, &b, &db, dc, &results)
            }
            RoutineKind::Constrained { n, m } => constrained(s, n, m, &operands, &slopes, &results),
        };
        for (row, change) in found.iter_mut().zip(changes) {
            if let Some(change) = s.kept(change) {
                row.insert(leaf, change);
            }
        }
    }
    found
}

/// Entries row by row.
#[derive(Clone)]
struct Matrix {
    rows: u32,
    cols: u32,
    entries: Vec<Value>,
}

impl Matrix {
    fn new(rows: u32, cols: u32, entries: &[Value]) -> Self {
        Self {
            rows,
            cols,
            entries: entries.to_vec(),
        }
    }

    fn transposed(&self) -> Self {
        let (rows, cols) = (self.rows as usize, self.cols as usize);
        let entries = (0..cols).flat_map(|j| (0..rows).map(move |i| self.entries[i * cols + j]));
        Self {
            rows: self.cols,
            cols: self.rows,
            entries: entries.collect(),
        }
    }

    fn times(&self, s: &mut Sweep<'_>, x: &[Value]) -> Vec<Value> {
        let mut product = Vec::with_capacity(self.rows as usize);
        for row in self.entries.chunks(x.len().max(1)) {
            let mut sum = s.graph.zero();
            for (a, x) in row.iter().zip(x) {
                let term = s.graph.mul(*a, *x);
                sum = s.graph.add(sum, term);
            }
            product.push(sum);
        }
        // A matrix without columns.
        product.resize(self.rows as usize, s.graph.zero());
        product
    }

    /// `B^+ c`; zero for zero.
    fn least(&self, s: &mut Sweep<'_>, c: &[Value]) -> Vec<Value> {
        if c.iter().all(|c| s.graph.is_zero(*c)) {
            return vec![s.graph.zero(); self.cols as usize];
        }
        let kind = RoutineKind::MinimumNorm {
            rows: self.rows,
            cols: self.cols,
        };
        let operands: Vec<Value> = self.entries.iter().chain(c).copied().collect();
        let solved = s.graph.routine(kind, &operands);
        let each = (0..self.cols).map(|i| s.graph.element(solved, i));
        each.collect()
    }
}

fn minus(s: &mut Sweep<'_>, a: &[Value], b: &[Value]) -> Vec<Value> {
    let pairs = a.iter().zip(b);
    pairs.map(|(a, b)| s.graph.sub(*a, *b)).collect()
}

fn plus(s: &mut Sweep<'_>, a: &[Value], b: &[Value]) -> Vec<Value> {
    let pairs = a.iter().zip(b);
    pairs.map(|(a, b)| s.graph.add(*a, *b)).collect()
}

fn minimum_norm(
    s: &mut Sweep<'_>,
    b: &Matrix,
    db: &Matrix,
    dc: &[Value],
    x: &[Value],
) -> Vec<Value> {
    let turned = db.times(s, x);
    let right = minus(s, dc, &turned);
    let first = b.least(s, &right);
    if db.entries.iter().all(|v| s.graph.is_zero(*v)) {
        return first;
    }
    let y = b.transposed().least(s, x);
    let along = db.transposed().times(s, &y);
    let image = b.times(s, &along);
    let inside = b.least(s, &image);
    let outside = minus(s, &along, &inside);
    plus(s, &first, &outside)
}

fn constrained(
    s: &mut Sweep<'_>,
    n: u32,
    m: u32,
    operands: &[Value],
    slopes: &[Value],
    results: &[Value],
) -> Vec<Value> {
    let (rows, cols) = (n as usize, m as usize);
    let (mass, rest) = operands.split_at(rows * rows);
    let (_, rest) = rest.split_at(rows);
    let (a, _) = rest.split_at(cols * rows);
    let (dmass, rest) = slopes.split_at(rows * rows);
    let (dforce, rest) = rest.split_at(rows);
    let (da, db) = rest.split_at(cols * rows);
    let (q, lambda) = results.split_at(rows);
    let matrix = Matrix::new(n, n, mass);
    let dmatrix = Matrix::new(n, n, dmass);
    let across = Matrix::new(m, n, a).transposed();
    let dacross = Matrix::new(m, n, da).transposed();
    let inertia = dmatrix.times(s, q);
    let pull = dacross.times(s, lambda);
    let force = minus(s, dforce, &inertia);
    let force = plus(s, &force, &pull);
    let turned = Matrix::new(m, n, da).times(s, q);
    let right = minus(s, db, &turned);
    let still = |s: &Sweep<'_>, list: &[Value]| list.iter().all(|v| s.graph.is_zero(*v));
    let accelerations: Vec<Value> = if still(s, &force) && still(s, &right) {
        vec![s.graph.zero(); rows]
    } else {
        let all = mass.iter().chain(&force).chain(a).chain(&right);
        let all: Vec<Value> = all.copied().collect();
        let solved = s.graph.routine(RoutineKind::Constrained { n, m }, &all);
        (0..n).map(|i| s.graph.element(solved, i)).collect()
    };
    // A^T lambda = M q'' - F.
    let moved = matrix.times(s, &accelerations);
    let moved = plus(s, &moved, &inertia);
    let dc = minus(s, &moved, dforce);
    let multipliers = minimum_norm(s, &across, &dacross, &dc, lambda);
    accelerations.into_iter().chain(multipliers).collect()
}
