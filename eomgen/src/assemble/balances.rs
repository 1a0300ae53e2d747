//! The balances of momentum in a program: solved as they stand where no closed form does it. Knows nothing of how the balances are formed.

use super::Work;
use super::route::Route;
use crate::form::Equations;
use crate::ir::{RoutineKind, Value};
use crate::sym::Expr;

impl Work<'_> {
    /// Accelerations of the bodies and q'' together, at run time: `inertia a - R = loads`, `a - W q'' = bias`, `A q'' = b`, in which the
    /// reactions R are the multipliers of the second rows. `None` where the equations are not those of the balances, or are solved
    /// otherwise: without constraint rows the counted elimination of the uncondensed system does it.
    pub(super) fn solve_balances(&mut self, e: &Equations, forcing: &[Expr]) -> Option<Vec<Value>> {
        let b = self.formulated.balances.clone()?;
        if b.projected != forcing || e.coupling.is_some() || (e.closure.is_none() && self.definite)
        {
            return None;
        }
        let ready = self.ready_rows(e.space, true);
        let zero = self.low.graph.zero();
        let one = self.low.graph.one();
        let w = b.bodies;
        let (d, n) = (w.partials.len(), e.mass.len());
        let (unknowns, held) = (d + n, d + ready.rows.len());
        let mut operands = Vec::with_capacity(unknowns * (unknowns + held) + unknowns + held);
        for i in 0..unknowns {
            for j in 0..unknowns {
                let entry = w.inertia.get(i).and_then(|row| row.get(j));
                operands.push(entry.map_or(zero, |e| self.low.lower(&self.c.alg, e)));
            }
        }
        for e in w.loads.iter().chain(&w.generalized) {
            operands.push(self.low.lower(&self.c.alg, e));
        }
        for i in 0..d {
            operands.extend((0..d).map(|j| if i == j { one } else { zero }));
            for e in &w.partials[i] {
                let v = self.low.lower(&self.c.alg, e);
                operands.push(self.low.graph.neg(v));
            }
        }
        for row in &ready.rows {
            operands.extend(std::iter::repeat_n(zero, d));
            operands.extend(row);
        }
        operands.extend(self.low.lower_all(&self.c.alg, &w.bias));
        operands.extend(&ready.rhs);
        let routine = self.low.graph.routine(
            RoutineKind::Constrained {
                n: unknowns as u32,
                m: held as u32,
            },
            &operands,
        );
        self.route = Route::Balances {
            balances: d,
            accelerations: n,
            rows: ready.rows.len(),
        };
        let list = (d..unknowns).map(|i| self.low.graph.element(routine, i as u32));
        Some(list.collect())
    }
}
