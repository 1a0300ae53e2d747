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

/// The solution and where it fails; `None` as for [`elim::solve`].
pub fn solve(alg: &mut Algebra, matrix: &Matrix, rhs: &Matrix) -> Option<(Matrix, Conditions)> {
    let found = elim::solve(alg, matrix, rhs).map(|solved| read_off(alg, solved));
    let open = found.as_ref().is_none_or(|f| !f.1.is_empty());
    if alg.is_closed() || !open || matrix.len() > LARGEST {
        return found;
    }
    let better = written_out(alg, matrix).zip(written_out(alg, rhs));
    let better = better.and_then(|(m, r)| {
        alg.in_closed_form(|alg| elim::solve(alg, &m, &r).map(|solved| read_off(alg, solved)))
    });
    match (found, better) {
        (Some(found), Some(better)) if better.1.len() < found.1.len() => Some(better),
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
fn read_off(alg: &mut Algebra, solved: Solved) -> (Matrix, Conditions) {
    let pivots: Conditions = open(alg, &solved.pivots)
        .into_iter()
        .map(|p| (p, Vec::new()))
        .collect();
    if pivots.is_empty() {
        return (solved.x, pivots);
    }
    let mut divisors: Conditions = Vec::new();
    let mut x = Matrix::new();
    for (i, row) in solved.x.iter().enumerate() {
        let mut simple = Vec::with_capacity(row.len());
        for e in row {
            if alg.inlined_size(e, WRITTEN_OUT) >= WRITTEN_OUT {
                return (solved.x, pivots);
            }
            let spent = alg.spent();
            let flat = alg.inline(e);
            let flat = alg.simplify(&flat);
            if alg.spent() > spent {
                return (solved.x, pivots);
            }
            for d in alg.divisors(&flat) {
                match divisors.iter_mut().find(|known| known.0 == d) {
                    Some(known) if known.1.contains(&i) => {}
                    Some(known) => known.1.push(i),
                    None => divisors.push((d, vec![i])),
                }
            }
            simple.push(flat);
        }
        x.push(simple);
    }
    divisors.retain(|d| !alg.is_nonzero(&d.0));
    if divisors.len() < pivots.len() || alg.is_closed() {
        (x, divisors)
    } else {
        (solved.x, pivots)
    }
}

/// The factors that are not certain to be nonzero.
fn open(alg: &mut Algebra, pivots: &[Expr]) -> Vec<Expr> {
    let mut list = Vec::new();
    for p in pivots {
        if !alg.is_nonzero(p) && !list.contains(p) {
            list.push(p.clone());
        }
    }
    list
}
