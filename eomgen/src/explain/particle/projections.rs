//! Of which vectors each formulation is the projection.

use super::{Part, part};
use crate::diag::Diagnostic;
use crate::explain::Derivation;
use crate::explain::equations::in_state;
use crate::form::{QuasiVelocities, Space};
use crate::notation::{Line, Math};
use crate::sym::{Expr, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// `m r''` and the force, in the coordinates.
struct Balance {
    inertia: Vec<Expr>,
    force: Vec<Expr>,
}

impl Derivation<'_, '_> {
    pub(super) fn projections(
        &mut self,
        quasi: &QuasiVelocities,
        particle: bool,
    ) -> Result<Vec<Part>, Vec<Diagnostic>> {
        let sides = self.sides()?;
        let on = |vector: &str| {
            if particle {
                format!("m r'' . {vector}_")
            } else {
                "inertia on ".to_string()
            }
        };
        let dots = self.reader.c.vars.rate_dots.clone();
        let mut lines = Vec::new();
        for (k, name) in self.coordinates().iter().enumerate() {
            let (left, right) = (&sides.inertia[k], &sides.force[k]);
            lines.push(self.projection(&format!("{}{name}", on("a")), left, right, &dots));
        }
        let lagrange = part(
            "Lagrange: the projection on a_K",
            &[
                "(m r'' - Phi - Phi_c) . a_K = 0 for every coordinate, with lambda unknown in Phi_c = sum lambda_r A_rK a^K.",
            ],
            lines,
        );
        // On b_K: by H, in the state's speeds and their rates.
        let dots = self.reader.c.kinematics(Space::SpeedRates);
        let dots = dots.motion.speed_dots.clone();
        let mut free = Vec::new();
        for (k, name) in quasi.names.iter().enumerate() {
            let project = |list: &[Expr]| -> Expr {
                let terms = quasi.inverse.iter().zip(list);
                terms.map(|(h, e)| &h[k] * e).sum()
            };
            let left = in_state(self.reader.c, &project(&sides.inertia));
            let right = in_state(self.reader.c, &project(&sides.force));
            free.push(self.projection(&format!("{}{name}", on("b")), &left, &right, &dots));
        }
        let held = free.split_off(quasi.free);
        let mut parts = vec![lagrange];
        if !free.is_empty() {
            parts.push(self.on_free(quasi, free));
        }
        if !held.is_empty() {
            parts.push(self.on_held(quasi, held));
        }
        Ok(parts)
    }

    /// Inertia and forces, the constraint forces among them.
    fn sides(&mut self) -> Result<Balance, Vec<Diagnostic>> {
        let inertia = self.found.quantities.inertia(self.reader.c)?;
        let none = vec![Expr::zero(); inertia.len()];
        let mut entries = |name: &str| -> Result<Vec<Expr>, Vec<Diagnostic>> {
            let table = self.found.quantities.table(self.reader.c, name)?;
            Ok(table.map_or(none.clone(), |table| table.entries))
        };
        let applied = entries("applied_forces")?;
        let nonideal = entries("nonideal_vector")?;
        let lambda = self.found.multipliers.of(self.reader.c);
        let rows = self.reader.c.constraints.matrix();
        let force = (0..inertia.len()).map(|k| {
            let terms = rows.iter().zip(&lambda);
            let reaction: Expr = terms.map(|(row, l)| &row[k] * l).sum();
            &applied[k] + &nonideal[k] + reaction
        });
        Ok(Balance {
            force: force.collect(),
            inertia,
        })
    }

    /// `name = left = right`, the left side collected by the accelerations.
    fn projection(&mut self, name: &str, left: &Expr, right: &Expr, dots: &[Var]) -> Line {
        let left = self.collected(left, dots);
        let right = self.reader.entry(right);
        Line::equation(Math::Text(name.into()), Math::equation(left, right))
    }

    /// What is linear in accelerations, collected by them.
    fn collected(&mut self, e: &Expr, dots: &[Var]) -> Math {
        let mut terms = Vec::new();
        for dot in dots {
            let coefficient = self.reader.c.alg.partial(e, *dot);
            if !self.reader.c.alg.is_zero(&coefficient) {
                terms.push(self.reader.term(&coefficient, *dot));
            }
        }
        let alg = &mut self.reader.c.alg;
        let still: BTreeMap<Var, Expr> = dots.iter().map(|d| (*d, Expr::zero())).collect();
        let rest = alg.restrict(e, &still, &mut FxHashMap::default());
        if !alg.is_zero(&rest) {
            let rest = alg.normal(&rest);
            let rest = alg.expanded(&rest);
            terms.push(self.reader.entry(&rest));
        }
        Math::sum(terms)
    }

    fn on_free(&self, quasi: &QuasiVelocities, lines: Vec<Line>) -> Part {
        let normal = if self.reader.c.constraints.rows.is_empty() {
            "(m r'' - Phi) . b_K = 0 for every quasi-velocity; nothing constrains the motion, and Phi_c is 0."
        } else if quasi.held.is_empty() {
            "(m r'' - Phi - Phi_c) . b_K = 0 for every quasi-velocity. No row is among them, so that Phi_c has components on them all; the combinations that lie in the null space of A are free of it."
        } else {
            "(m r'' - Phi - Phi_c) . b_K = 0 for every quasi-velocity that the constraints leave free. Phi_c has no component there: it is normal to what the constraints allow."
        };
        part(
            "Maggi, Kane, Gibbs-Appell, Boltzmann-Hamel: the projection on b_K",
            &[
                normal,
                "The four differ in how the left side is found: from Lagrange's operator by E, from partial velocities, as dS/du'_K, and from T in quasi-velocities.",
            ],
            lines,
        )
    }

    fn on_held(&self, quasi: &QuasiVelocities, lines: Vec<Line>) -> Part {
        let names = quasi.names[quasi.free..].iter().zip(&quasi.held);
        let terms = names.map(|(name, held)| format!("lambda[{}] b^{name}", held.row_name));
        let terms: Vec<String> = terms.collect();
        let more = if self.reader.c.constraints.rows.len() > quasi.held.len() {
            ", and what the rows that depend on these add to the multipliers"
        } else {
            ""
        };
        part(
            "Constraint force: the projection on the other b_K",
            &[
                &format!("Phi_c = {}{more}.", terms.join(" + ")),
                "The same projection on a quasi-velocity that a constraint fixes gives the multiplier of its row.",
            ],
            lines,
        )
    }
}
