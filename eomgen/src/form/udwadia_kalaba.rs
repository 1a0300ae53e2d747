//! The Udwadia-Kalaba equations (Udwadia 1996, 11-12; Udwadia & Kalaba 1998, 24-26; 2002, 32):
//!
//! `M q'' = F + A^T G^{1} (b - A a)`,  `G = A M^-1 A^T`,  `a = M^-1 F`, any {1}-inverse,
//!
//! with a non-ideal vector C in F where the model prescribes one (2002, 38). M and F come from the
//! projection of momentum balances on the coordinates.

use super::kane::by_partial_velocities;
use super::{Closure, Context, Equations, Formulation, Space};
use crate::diag::Diagnostic;

/// The generalized-inverse form.
pub struct UdwadiaKalaba;

impl Formulation for UdwadiaKalaba {
    fn name(&self) -> &'static str {
        "udwadia-kalaba"
    }

    fn equations(&self, c: &mut Context<'_>) -> Result<Equations, Vec<Diagnostic>> {
        let closure = c
            .has_rows(Space::Rates)
            .then_some(Closure::GeneralizedInverse);
        by_partial_velocities(c, Space::Rates, closure)
    }
}
