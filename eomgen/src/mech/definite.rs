//! Whether a symmetric matrix is positive definite for certain: block by block, by leading minors. Knows nothing of mechanics.

use crate::elim::{Matrix, determinant};
use crate::model::system::Sign;
use crate::sym::{Algebra, Expr};

/// Whether a symmetric matrix is certainly positive definite, by its leading minors.
pub fn is_certainly_positive(alg: &mut Algebra, mass: &Matrix) -> bool {
    blocks(mass)
        .iter()
        .all(|block| minors_positive(alg, mass, block))
}

/// Largest block whose minors are written out.
const LARGEST: usize = 4;

/// Whether the leading minors of a block are certainly positive; false if the block is large.
pub fn minors_positive(alg: &mut Algebra, mass: &Matrix, block: &[usize]) -> bool {
    block.len() <= LARGEST
        && (1..=block.len()).all(|k| {
            let minor: Matrix = block[..k]
                .iter()
                .map(|i| {
                    block[..k]
                        .iter()
                        .map(|j| small(alg, &mass[*i][*j]))
                        .collect()
                })
                .collect();
            let d = determinant(alg, &minor);
            let d = small(alg, &d);
            matches!(alg.sign(&d), Some(Sign::Positive))
                || (alg.is_nonnegative(&d) && alg.is_nonzero(&d))
        })
}

/// Written out and simplified, unless it is large.
pub fn small(alg: &mut Algebra, e: &Expr) -> Expr {
    if alg.inlined_size(e, 400) >= 400 {
        return e.clone();
    }
    let flat = alg.inline(e);
    alg.simplify(&flat)
}

/// The rows of a symmetric matrix by what it couples.
pub fn blocks(m: &Matrix) -> Vec<Vec<usize>> {
    let n = m.len();
    let mut seen = vec![false; n];
    let mut list = Vec::new();
    for start in 0..n {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut block = vec![start];
        let mut at = 0;
        while at < block.len() {
            let i = block[at];
            at += 1;
            for j in 0..n {
                if !seen[j] && !m[i][j].is_literal_zero() {
                    seen[j] = true;
                    block.push(j);
                }
            }
        }
        block.sort_unstable();
        list.push(block);
    }
    list
}
