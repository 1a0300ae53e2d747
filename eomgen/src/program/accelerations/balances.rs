//! The balances of momentum in a program: solved as they stand where no closed form does it. Knows nothing of how the balances are formed.

use super::route::Route;
use super::rows;
use crate::ir::RoutineKind;
use crate::program::posed::Posed;
use crate::program::solved::Unknowns;
use crate::program::writer::Writer;

/// Accelerations of the bodies and q'' together, at run time: `inertia a - R = loads`, `a - W q'' = bias`, `A q'' = b`, in which the
/// reactions R are the multipliers of the second rows. `None` where the equations are not those of the balances, or are solved
/// otherwise: without constraint rows the counted elimination of the uncondensed system does it.
pub(in crate::program) fn unknowns(posed: &Posed, w: &mut Writer<'_>) -> Option<Unknowns> {
    let e = posed.equations();
    let b = posed.formulated.balances.as_ref()?;
    let counted = e.closure.is_none() && posed.definite;
    if b.projected != e.forcing || e.coupling.is_some() || counted {
        return None;
    }
    let ready = rows::ready(w, e.space, true);
    let zero = w.low.graph.zero();
    let one = w.low.graph.one();
    let bodies = &b.bodies;
    let (d, n) = (bodies.partials.len(), e.mass.len());
    let (unknowns, held) = (d + n, d + ready.rows.len());
    let mut operands = Vec::with_capacity(unknowns * (unknowns + held) + unknowns + held);
    for i in 0..unknowns {
        for j in 0..unknowns {
            let entry = bodies.inertia.get(i).and_then(|row| row.get(j));
            operands.push(entry.map_or(zero, |e| w.lower(e)));
        }
    }
    operands.extend(w.lower_all(bodies.loads.iter().chain(&bodies.generalized)));
    for i in 0..d {
        operands.extend((0..d).map(|j| if i == j { one } else { zero }));
        for e in &bodies.partials[i] {
            let v = w.lower(e);
            operands.push(w.low.graph.neg(v));
        }
    }
    for row in &ready.rows {
        operands.extend(std::iter::repeat_n(zero, d));
        operands.extend(row);
    }
    operands.extend(w.lower_all(&bodies.bias));
    operands.extend(&ready.rhs);
    let kind = RoutineKind::Constrained {
        n: unknowns as u32,
        m: held as u32,
    };
    let route = Route::Balances {
        balances: d,
        accelerations: n,
        rows: ready.rows.len(),
    };
    Some(Unknowns::by(route, w.routine(kind, &operands, d..unknowns)))
}
