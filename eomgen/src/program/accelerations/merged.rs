//! Constraint rows of which none can be left out everywhere, merged into rows that say the same. Where a wheel's rolling is stated along inertial axes,
//! a row for each, another wheel on its axle adds `tan(yaw)` times one of its rows as the other: left out is the one or the other, by the
//! yaw. With sin and cos as factors their sum holds what both say at every yaw. Knows nothing of how the equations are solved.

use crate::mech::constraints::{Constraints, Row};
use crate::program::writer::Writer;
use crate::sym::{Algebra, Expr};

/// Factors between rows that are written out at most.
const LONG: usize = 200;
/// Coefficients of rows that are.
const COEFFICIENT: usize = 400;

/// Rows in the rates of the coordinates that say what all rows of the model say.
pub(super) struct Whole {
    /// By which row of the model each is called.
    pub numbers: Vec<usize>,
    pub a: Vec<Vec<Expr>>,
    pub b: Vec<Expr>,
    /// Whether they are rows of the model.
    pub stated: bool,
}

/// A row in the place of the k-th: `m r_k + n d'`, where `m d'` is the sum of `n_i r_i` and d' the row that it was merged with, less what the other
/// rows hold of it.
struct Merger {
    k: usize,
    m: Expr,
    /// `n_i` by the places of the rows.
    n: Vec<Expr>,
    /// `m^2 + n_k^2`, which never vanishes.
    square: Expr,
}

impl Whole {
    /// The independent rows as they are.
    pub fn independent(constraints: &Constraints) -> Self {
        let numbers = constraints.independent.clone();
        let rows = || numbers.iter().map(|i| &constraints.rows[*i]);
        Self {
            a: rows().map(|row| row.a.clone()).collect(),
            b: rows().map(|row| row.b.clone()).collect(),
            numbers,
            stated: true,
        }
    }

    /// Takes out the rows called by these.
    pub fn leave_out(&mut self, rows: &[usize]) {
        for at in (0..self.numbers.len()).rev() {
            if rows.contains(&self.numbers[at]) {
                self.numbers.remove(at);
                self.a.remove(at);
                self.b.remove(at);
            }
        }
    }
}

/// The independent rows, merged with those that depend on them by factors with poles; `None` where that is not possible.
pub(super) fn whole(w: &mut Writer<'_>) -> Option<Whole> {
    let mechanics = w.mechanics();
    let constraints = &mechanics.constraints;
    let mut found = Whole::independent(constraints);
    let mut mergers: Vec<Merger> = Vec::new();
    for number in 0..constraints.rows.len() {
        if found.numbers.contains(&number) {
            continue;
        }
        let alg = &mut w.c.alg;
        let factors = factors(alg, constraints, number, &mergers)?;
        let open = poles(alg, &factors);
        let Some(pole) = open.first() else {
            continue;
        };
        let merger = Merger::of(alg, &factors, pole)?;
        merger.apply(alg, &mut found, &constraints.rows[number], &factors);
        found.stated = false;
        mergers.push(merger);
    }
    Some(found)
}

/// The multiples of the rows whose sum a row is, identically; `None` where it is not, or where one is long.
fn factors(
    alg: &mut Algebra,
    constraints: &Constraints,
    number: usize,
    mergers: &[Merger],
) -> Option<Vec<Expr>> {
    // Rows on accelerations have no velocity form to compare.
    if constraints.has_accelerations() {
        return None;
    }
    let mut list = Vec::new();
    let mut gap = constraints.rows[number].velocity.clone();
    for (t, i) in constraints.combination[number]
        .iter()
        .zip(&constraints.independent)
    {
        let t = alg.written_out(t, LONG)?;
        gap = gap - &t * &constraints.rows[*i].velocity;
        list.push(t);
    }
    if !alg.is_zero(&gap) {
        return None;
    }
    for merger in mergers {
        merger.rewrite(alg, &mut list)?;
    }
    Some(list)
}

/// What the factors divide by that may vanish.
fn poles(alg: &mut Algebra, factors: &[Expr]) -> Vec<Expr> {
    let mut list: Vec<Expr> = Vec::new();
    let all: Vec<Expr> = factors.iter().flat_map(|t| alg.divisors(t)).collect();
    for d in all {
        if !alg.is_nonzero(&d) && !list.contains(&d) {
            list.push(d);
        }
    }
    list
}

impl Merger {
    fn of(alg: &mut Algebra, factors: &[Expr], pole: &Expr) -> Option<Self> {
        let mut n: Vec<Expr> = Vec::new();
        for t in factors {
            let has_pole = alg.divisors(t).iter().any(|d| !alg.is_nonzero(d));
            n.push(if has_pole {
                alg.simplify(&(t * pole))
            } else {
                Expr::zero()
            });
        }
        if !poles(alg, &n).is_empty() {
            return None;
        }
        let squares = n.iter().enumerate().filter(|(_, n)| !n.is_literal_zero());
        let squares: Vec<(usize, Expr)> = squares.map(|(k, n)| (k, pole * pole + n * n)).collect();
        for (k, square) in squares {
            let square = alg.simplify(&square);
            if alg.is_nonzero(&square) {
                let m = pole.clone();
                return Some(Self { k, m, n, square });
            }
        }
        None
    }

    /// Puts the merged row in its place.
    fn apply(&self, alg: &mut Algebra, rows: &mut Whole, row: &Row, factors: &[Expr]) {
        let k = self.k;
        let merged = |own: &Expr, other: &Expr, all: &dyn Fn(usize) -> Expr| {
            let regular = factors.iter().enumerate();
            let regular =
                regular.filter(|(i, t)| self.n[*i].is_literal_zero() && !t.is_literal_zero());
            let rest: Expr = regular.map(|(i, t)| t * all(i)).sum();
            &self.m * own + &self.n[k] * (other - rest)
        };
        let entries: Vec<Expr> = (0..row.a.len())
            .map(|c| merged(&rows.a[k][c], &row.a[c], &|i| rows.a[i][c].clone()))
            .collect();
        let b = merged(&rows.b[k], &row.b, &|i| rows.b[i].clone());
        let name = format!("a_{}", row.name);
        rows.a[k] = entries
            .into_iter()
            .map(|e| match alg.written_out(&e, COEFFICIENT) {
                Some(e) => e,
                None => alg.define(&name, e),
            })
            .collect();
        rows.b[k] = alg.define(&format!("b_{}", row.name), b);
    }

    /// Factors of the rows before in those after it: `r_k = (m w - n_k (sum of the other n_i r_i)) / (m^2 + n_k^2)`.
    fn rewrite(&self, alg: &mut Algebra, factors: &mut [Expr]) -> Option<()> {
        let own = factors.get(self.k)?.clone();
        if own.is_literal_zero() {
            return Some(());
        }
        let share = &own / &self.square;
        for (i, t) in factors.iter_mut().enumerate() {
            let new = if i == self.k {
                &share * &self.m
            } else if self.n[i].is_literal_zero() {
                continue;
            } else {
                &*t - &share * &self.n[self.k] * &self.n[i]
            };
            *t = alg.written_out(&new, LONG)?;
        }
        Some(())
    }
}
