//! The Udwadia-Kalaba equations (Udwadia 1996, 11-12; Udwadia & Kalaba 1998, 24-26; 2002, 32), by any of three inverses:
//!
//! ```text
//! q'' = a + M^-1/2 B^{1,4} (b - A a),        B = A M^-1/2,  any {1,4}-inverse; Moore-Penrose is one
//! M q'' = F + A^T G^{1} (b - A a),           G = A M^-1 A^T,  any {1}-inverse
//! ```
//!
//! with `a = M^-1 F` and a non-ideal vector C in F where the model prescribes one (2002, 38). M and F come from the
//! projection of momentum balances on the coordinates.

use super::kane::by_partial_velocities;
use super::{Closure, Context, Formulated, Formulation, Inverse, Options, Space, Table, inverses};
use crate::diag::codes::formulations::E0524;
use crate::diag::{self, Diagnostic};
use crate::elim;
use crate::mech::reactions;

/// The generalized-inverse form.
pub struct UdwadiaKalaba;

impl Formulation for UdwadiaKalaba {
    fn name(&self) -> &'static str {
        "udwadia-kalaba"
    }

    fn space(&self) -> Space {
        Space::Accelerations
    }

    fn refusal(&self, c: &mut Context<'_>, options: &Options<'_>) -> Option<Diagnostic> {
        if options.variant.inverse == Inverse::One || !c.coupled {
            return None;
        }
        let (alg, values, k, _) = c.parts(Space::Accelerations);
        let mut spans = reactions::loads_by_reactions(alg, &values, k).into_iter();
        let error = Diagnostic::error(
            E0524,
            "an inverse of the scaled constraint matrix does not apply to loads that depend on reactions",
            spans.next().unwrap_or_default(),
            "this depends on a reaction",
        );
        let error = spans.fold(error, |d, span| d.label(span, "so does this"));
        Some(error.help("omit `--inverse`"))
    }

    fn table(
        &self,
        c: &mut Context<'_>,
        f: &Formulated,
        name: &str,
    ) -> diag::Result<Option<Table>> {
        match name {
            "generalized_inverse" => inverses::table(c, f).map(Some),
            _ => Ok(None),
        }
    }

    fn formulate(&self, c: &mut Context<'_>, options: &Options<'_>) -> diag::Result<Formulated> {
        let closure = c
            .has_rows(Space::Accelerations)
            .then_some(Closure::GeneralizedInverse);
        let e = by_partial_velocities(c, Space::Accelerations, closure)?;
        if options.variant.inverse == Inverse::One || closure.is_none() {
            return Ok(Formulated::new(e, options));
        }
        let n = e.mass.len();
        let order: Vec<usize> = (0..n).collect();
        let regular = elim::echelon(&c.alg, &e.mass, &order).columns;
        match order.iter().find(|i| !regular.contains(i)) {
            None => Ok(Formulated::new(e, options)),
            Some(i) => {
                let meta = &c.system.coords[*i].meta;
                Err(vec![
                    Diagnostic::error(
                        E0524,
                        "M^-1/2 does not exist: the mass matrix of the coordinates is singular at every state",
                        meta.span,
                        "no mass moves with this coordinate that does not move with those before it",
                    )
                    .help("omit `--inverse`: eomgen then solves the bordered system, which needs no M^-1"),
                ])
            }
        }
    }
}
