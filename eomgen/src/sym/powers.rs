//! Powers that cannot be seen once they are multiplied out: `(r - l)^2` with the root `r` of `x^2 + y^2` is kept as
//! `x^2 + y^2 + l^2 - 2*l*r`. Next to their zeros rounding leaves nothing of such sums, where the power itself would be exact.

use super::Algebra;
use super::expr::Expr;
use super::poly::{Poly, replace_square};
use symbolica::domains::integer::Integer;
use symbolica::poly::factor::Factorize;

/// Terms of a norm that are still factored.
const LARGEST: usize = 400;

impl Algebra {
    /// Whether a factor of the expression's numerator is a power of a sum with a root, multiplied out. What is too large to be told counts
    /// as one.
    pub fn hides_powers(&self, e: &Expr) -> bool {
        if !self.is_rooted(e) {
            return false;
        }
        let numerator = self.reduce_roots(&self.quotient(e).num);
        let factors = numerator.factor();
        (factors.iter()).any(|(factor, _)| self.is_hidden_power(factor))
    }

    /// The norm of a factor has every power that the factor has: the product with the sum in which the root has the other sign.
    fn is_hidden_power(&self, factor: &Poly) -> bool {
        let roots = (0..factor.nvars()).filter(|i| factor.degree(*i) == 1);
        let mut norms = roots.filter_map(|i| {
            let square = self.square_of(factor, i)?;
            let mut conjugate = factor.zero();
            for t in factor {
                let sign = Integer::from(if t.exponents[i] == 1 { -1 } else { 1 });
                conjugate.append_monomial(t.coefficient * &sign, t.exponents);
            }
            Some(replace_square(&(factor * &conjugate), i, &square))
        });
        norms.any(|norm| {
            norm.nterms() > LARGEST
                || norm
                    .factor()
                    .iter()
                    .any(|(f, k)| !f.is_constant() && *k > 1)
        })
    }
}
