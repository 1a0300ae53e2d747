//! One Newton step of minimum norm onto the constraints.

use super::Output;
use crate::ir::{RoutineKind, Value};
use crate::mech::constraints::Level;
use crate::program::writer::Writer;

pub(super) fn output(
    w: &mut Writer<'_>,
    a: &[Value],
    residuals: &[Value],
    velocity: &[Value],
) -> Output {
    let levels: Vec<Level> = w.c.constraints.rows.iter().map(|r| r.level).collect();
    let which = |of: &dyn Fn(Level) -> bool| -> Vec<usize> {
        (0..levels.len()).filter(|i| of(levels[*i])).collect()
    };
    let mechanics = w.mechanics();
    let mut state = w.values_of(mechanics.vars.coords.iter().copied());
    let held = which(&|level| level == Level::Position);
    if let Some(step) = step(w, a, &held, residuals) {
        for (i, s) in state.iter_mut().enumerate() {
            let d = w.low.graph.element(step, i as u32);
            *s = w.low.graph.sub(*s, d);
        }
    }
    let set = &mechanics.speeds;
    let speeds = set.independent.iter().map(|i| &set.speeds[*i]);
    let mut values = w.values_of(speeds.clone().map(|s| s.var));
    let moving = if set.reduced {
        Vec::new()
    } else {
        which(&|level| level != Level::Acceleration)
    };
    if let Some(step) = step(w, a, &moving, velocity) {
        for (value, speed) in values.iter_mut().zip(speeds.clone()) {
            for (j, rate) in mechanics.vars.rates.iter().enumerate() {
                let e = w.c.alg.partial(&speed.definition, *rate);
                if e.is_literal_zero() {
                    continue;
                }
                let slope = w.lower(&e);
                let d = w.low.graph.element(step, j as u32);
                let d = w.low.graph.mul(slope, d);
                *value = w.low.graph.sub(*value, d);
            }
        }
    }
    state.extend(values);
    // No row mentions states of first order.
    state.extend(w.values_of(mechanics.vars.states.iter().copied()));
    let mut labels = w.c.system.coord_names("");
    labels.extend(speeds.map(|s| s.name.clone()));
    labels.extend(w.c.system.states.iter().map(|s| s.meta.name.clone()));
    Output::array(
        w,
        "projection_step",
        "The state after one minimum-norm Newton step towards the constraints; repeat to obtain a consistent initial state.",
        labels,
        state,
    )
}

/// The smallest change of the coordinates, or their rates, that makes up for what these rows leave.
fn step(w: &mut Writer<'_>, a: &[Value], rows: &[usize], left: &[Value]) -> Option<Value> {
    if rows.is_empty() {
        return None;
    }
    let n = w.c.system.coords.len();
    let coefficients = rows.iter().flat_map(|i| &a[i * n..(i + 1) * n]);
    let left = rows.iter().map(|i| &left[*i]);
    let operands: Vec<Value> = coefficients.chain(left).copied().collect();
    let kind = RoutineKind::MinimumNorm {
        rows: rows.len() as u32,
        cols: n as u32,
    };
    Some(w.low.graph.routine(kind, &operands))
}
