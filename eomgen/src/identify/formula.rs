//! Formulas behind numbers: a function of parameters that is known at as many points as one likes, as a quotient of polynomials of low degree. Every candidate
//! has to agree at points that it was not made from. Knows nothing of machines.

use super::number::{Number, echelon};
use num_rational::BigRational;
use num_traits::Zero;

/// Degrees that are tried, in this order: of the numerator, of the denominator.
const DEGREES: [(u32, u32); 9] = [
    (0, 0),
    (1, 0),
    (2, 0),
    (3, 0),
    (1, 1),
    (4, 0),
    (2, 1),
    (2, 2),
    (3, 2),
];
/// Points beyond those that a candidate is made from.
const FURTHER: usize = 3;

/// A polynomial: exponents of the variables with a coefficient.
pub(super) type Polynomial = Vec<(Vec<u32>, BigRational)>;

/// A quotient of polynomials; no denominator is 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Formula {
    pub numerator: Polynomial,
    pub denominator: Option<Polynomial>,
}

/// The shortest formula in `variables` variables. `point` gives the variables and the value at the point of a number, or nothing more.
pub(super) fn formula<N: Number>(
    variables: usize,
    mut point: impl FnMut(usize) -> Option<(Vec<N>, N)>,
) -> Option<Formula> {
    for (above, below) in DEGREES {
        let (top, bottom) = (
            monomials(variables, above, N::LONGEST),
            monomials(variables, below, N::LONGEST),
        );
        let quotient = below > 0;
        let count = top.len() + if quotient { bottom.len() } else { 1 };
        if count > N::LONGEST || variables == 0 && (above, below) != (0, 0) {
            continue;
        }
        // A quotient is homogeneous in its coefficients; a polynomial has the value as one more column.
        let mut rows = Vec::with_capacity(count + FURTHER);
        for index in 0..count + FURTHER {
            let (at, value) = point(index)?;
            let mut row: Vec<N> = top.iter().map(|m| power(&at, m)).collect();
            let negative = value.negated();
            if quotient {
                row.extend(bottom.iter().map(|m| power(&at, m).times(negative)));
            } else {
                row.push(negative);
            }
            rows.push(row);
        }
        if let Some(found) = solved(rows, &top, quotient.then_some(&bottom)) {
            return Some(found);
        }
    }
    None
}

/// The relation between the columns that has the last possible one free.
fn solved<N: Number>(
    rows: Vec<Vec<N>>,
    top: &[Vec<u32>],
    bottom: Option<&Vec<Vec<u32>>>,
) -> Option<Formula> {
    let first = rows.first()?.clone();
    let width = first.len();
    let order: Vec<usize> = (0..width).collect();
    let found = echelon(rows, &order);
    // What divides has to take part, and not to be 0 everywhere, as `s^2 + c^2 - 1` is.
    let coefficients = (top.len()..width)
        .filter(|k| !found.pivots.contains(k))
        .find_map(|free| {
            let mut list = vec![N::ZERO; width];
            list[free] = N::ONE;
            for (pivot, row) in found.pivots.iter().zip(&found.rows) {
                list[*pivot] = row[free].negated();
            }
            let divided = first[top.len()..].iter().zip(&list[top.len()..]);
            let divided = divided.fold(N::ZERO, |sum, (m, c)| sum.plus(m.times(*c)));
            let exact = list
                .iter()
                .map(|c| c.rational())
                .collect::<Option<Vec<_>>>()?;
            (divided.weight() > 0.0).then_some(exact)
        })?;
    let terms = |list: &[Vec<u32>], from: usize| -> Polynomial {
        let pairs = list
            .iter()
            .cloned()
            .zip(coefficients[from..].iter().cloned());
        pairs.filter(|(_, c)| !c.is_zero()).collect()
    };
    Some(Formula {
        numerator: terms(top, 0),
        denominator: bottom.map(|bottom| terms(bottom, top.len())),
    })
}

fn power<N: Number>(at: &[N], exponents: &[u32]) -> N {
    let factors = at.iter().zip(exponents);
    factors.fold(N::ONE, |product, (x, e)| {
        (0..*e).fold(product, |product, _| product.times(*x))
    })
}

/// Exponents of all products up to a degree, lower degrees first.
fn monomials(variables: usize, degree: u32, longest: usize) -> Vec<Vec<u32>> {
    let mut all = vec![vec![0; variables]];
    let mut last = all.clone();
    for _ in 0..degree {
        let mut next = Vec::new();
        for m in &last {
            let from = m.iter().rposition(|e| *e > 0).unwrap_or(0);
            for k in from..variables {
                let mut more: Vec<u32> = m.clone();
                more[k] += 1;
                next.push(more);
            }
            if next.len() > longest {
                break;
            }
        }
        all.extend(next.iter().cloned());
        last = next;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{Residue, pseudo_random};

    #[test]
    fn formulas_are_found() {
        let at = |k: usize, i: u64| pseudo_random(7 + k as u64, i);
        let square = |k: usize| (vec![at(k, 0), at(k, 1)], at(k, 0) * at(k, 0) + at(k, 1));
        let found = formula(2, |k| Some(square(k))).unwrap();
        let one = BigRational::from_integer(1.into());
        assert_eq!(
            found.numerator,
            [(vec![0, 1], one.clone()), (vec![2, 0], one.clone())]
        );
        let quotient = |k: usize| {
            let value = at(k, 0) * at(k, 1).inverse().unwrap();
            (vec![at(k, 0), at(k, 1)], value)
        };
        let found = formula(2, |k| Some(quotient(k))).unwrap();
        assert_eq!(found.numerator, [(vec![1, 0], one.clone())]);
        assert_eq!(found.denominator, Some(vec![(vec![0, 1], one)]));
        // Where a sine and a cosine are variables, what vanishes on the circle is no formula.
        let circle = |k: usize| {
            let (t, one) = (at(k, 3), Residue::ONE);
            let scale = (one + t * t).inverse().unwrap();
            (vec![(t + t) * scale, (one - t * t) * scale], at(k, 98))
        };
        assert_eq!(formula(2, |k| Some(circle(k))), None);
        let wild = |k: usize| (vec![at(k, 0)], at(k, 99));
        assert_eq!(formula(1, |k| Some(wild(k))), None);
    }

    #[test]
    fn monomials_are_counted() {
        assert_eq!(monomials(3, 2, 99).len(), 10);
        assert_eq!(monomials(0, 3, 99).len(), 1);
        assert_eq!(
            Residue::ONE.rational(),
            Some(BigRational::from_integer(1.into()))
        );
    }
}
