//! Square systems solved for the rates, and where the solution fails. `J x = b` holds identically in rational functions, so
//! where no divisor of x vanishes J is regular, whatever it was divided by on the way. Knows nothing of speeds.

use crate::elim::{self, Matrix, Solved};
use crate::sym::{Algebra, Expr};

/// Divisors that may vanish, each with the unknowns that are divided by it; none if that is not known.
pub type Conditions = Vec<(Expr, Vec<usize>)>;

/// Solutions up to this size are written out to see where they fail.
const WRITTEN_OUT: usize = 400;
/// Coefficients up to this size are written out to find a better solution.
const COEFFICIENT: usize = 60;
/// Unknowns of the largest system for which that is tried.
const LARGEST: usize = 30;

/// A solution.
pub struct Inverse {
    /// An unknown each row, a right-hand side each column.
    pub x: Matrix,
    /// Where it fails.
    pub conditions: Conditions,
    /// Whether the conditions are exact: it fails nowhere else than where the matrix is singular.
    pub exact: bool,
}

/// The solution and where it fails; `None` if the matrix is singular identically.
pub fn solve(alg: &mut Algebra, matrix: &Matrix, rhs: &Matrix) -> Option<Inverse> {
    within_budget(alg, matrix, rhs).or_else(|| {
        // What was too long to be written out is solved with names for the steps.
        alg.in_sequenced_form(|alg| within_budget(alg, matrix, rhs))
    })
}

fn within_budget(alg: &mut Algebra, matrix: &Matrix, rhs: &Matrix) -> Option<Inverse> {
    let found = elim::solve(alg, matrix, rhs).map(|solved| read_off(alg, solved));
    let open = found.as_ref().is_none_or(|f| !f.conditions.is_empty());
    if alg.is_closed() || !open || matrix.len() > LARGEST {
        return found;
    }
    let better = written_out(alg, matrix).zip(written_out(alg, rhs));
    let better = better.and_then(|(m, r)| {
        alg.in_closed_form(|alg| elim::solve(alg, &m, &r).map(|solved| read_off(alg, solved)))
    });
    match (found, better) {
        (Some(found), Some(better))
            if (!better.exact, better.conditions.len())
                < (!found.exact, found.conditions.len()) =>
        {
            Some(better)
        }
        (Some(found), _) => Some(found),
        (None, better) => better,
    }
}

/// Coefficients with their definitions written out, unless one is large.
fn written_out(alg: &mut Algebra, matrix: &Matrix) -> Option<Matrix> {
    let mut out = Matrix::new();
    for row in matrix {
        let mut flat = Vec::with_capacity(row.len());
        for e in row {
            if alg.inlined_size(e, COEFFICIENT) >= COEFFICIENT {
                return None;
            }
            let e = alg.inline(e);
            flat.push(alg.simplify(&e));
        }
        out.push(flat);
    }
    Some(out)
}

/// Where a solution fails, read off itself if it is small, or else off its pivots.
fn read_off(alg: &mut Algebra, solved: Solved) -> Inverse {
    let pivots: Conditions = open(alg, &solved.pivots)
        .into_iter()
        .map(|p| (p, Vec::new()))
        .collect();
    if !pivots.is_empty()
        && let Some((x, divisors)) = simplified(alg, &solved.x)
    {
        // Where all pivots are factors of the determinant, so are the divisors that are left of them.
        let fewer = divisors.len() < pivots.len();
        if divisors.is_empty() || fewer || alg.is_closed() {
            return Inverse {
                x,
                exact: solved.exact || divisors.is_empty(),
                conditions: divisors,
            };
        }
    }
    Inverse {
        x: solved.x,
        conditions: pivots,
        exact: solved.exact,
    }
}

/// A solution written out, and its divisors that may vanish; `None` if it is long.
fn simplified(alg: &mut Algebra, x: &Matrix) -> Option<(Matrix, Conditions)> {
    let mut divisors: Conditions = Vec::new();
    let mut simple = Matrix::new();
    for (i, row) in x.iter().enumerate() {
        let mut entries = Vec::with_capacity(row.len());
        for e in row {
            if alg.inlined_size(e, WRITTEN_OUT) >= WRITTEN_OUT {
                return None;
            }
            let spent = alg.spent();
            let flat = alg.inline(e);
            let flat = alg.simplify(&flat);
            if alg.spent() > spent {
                return None;
            }
            for d in alg.divisors(&flat) {
                match divisors.iter_mut().find(|known| known.0 == d) {
                    Some(known) if known.1.contains(&i) => {}
                    Some(known) => known.1.push(i),
                    None => divisors.push((d, vec![i])),
                }
            }
            entries.push(flat);
        }
        simple.push(entries);
    }
    divisors.retain(|d| !alg.is_nonzero(&d.0));
    Some((simple, divisors))
}

/// The factors that are not certain to be nonzero.
fn open(alg: &mut Algebra, pivots: &[Expr]) -> Vec<Expr> {
    let mut list = Vec::new();
    for p in pivots {
        let factors = match alg.divisors(&(Expr::one() / p)) {
            factors if factors.is_empty() => vec![p.clone()],
            factors => factors,
        };
        for f in factors {
            if !alg.is_nonzero(&f) && !list.contains(&f) {
                list.push(f);
            }
        }
    }
    list
}
