//! One Newton step of minimum norm onto the constraints.

use super::super::Work;
use super::Output;
use crate::ir::{RoutineKind, Value};
use crate::mech::constraints::Level;

pub(super) fn output(
    w: &mut Work<'_>,
    a: &[Value],
    residuals: &[Value],
    velocity: &[Value],
) -> Output {
    let levels: Vec<Level> = w.c.constraints.rows.iter().map(|r| r.level).collect();
    let which = |of: &dyn Fn(Level) -> bool| -> Vec<usize> {
        (0..levels.len()).filter(|i| of(levels[*i])).collect()
    };
    let coords = w.c.vars.coords.iter().map(|v| w.c.alg.var(*v));
    let coords: Vec<_> = coords.collect();
    let mut state = w.low.lower_all(&w.c.alg, &coords);
    let held = which(&|level| level == Level::Position);
    if let Some(step) = step(w, a, &held, residuals) {
        for (i, s) in state.iter_mut().enumerate() {
            let d = w.low.graph.element(step, i as u32);
            *s = w.low.graph.sub(*s, d);
        }
    }
    let set = w.c.speeds.clone();
    let speeds = set.independent.iter().map(|i| &set.speeds[*i]);
    let symbols: Vec<_> = speeds.clone().map(|s| w.c.alg.var(s.var)).collect();
    let mut values = w.low.lower_all(&w.c.alg, &symbols);
    let moving = if set.reduced {
        Vec::new()
    } else {
        which(&|level| level != Level::Acceleration)
    };
    if let Some(step) = step(w, a, &moving, velocity) {
        let rates = w.c.vars.rates.clone();
        for (value, speed) in values.iter_mut().zip(speeds.clone()) {
            for (j, rate) in rates.iter().enumerate() {
                let e = w.c.alg.partial(&speed.definition, *rate);
                if e.is_literal_zero() {
                    continue;
                }
                let slope = w.low.lower(&w.c.alg, &e);
                let d = w.low.graph.element(step, j as u32);
                let d = w.low.graph.mul(slope, d);
                *value = w.low.graph.sub(*value, d);
            }
        }
    }
    state.extend(values);
    let mut labels = w.coordinate_names("");
    labels.extend(speeds.map(|s| s.name.clone()));
    w.array(
        "projection_step",
        "The state after one minimum-norm Newton step towards the constraints; repeat to obtain a consistent initial state.",
        labels,
        state,
    )
}

/// The smallest change of the coordinates, or their rates, that makes up for what these rows leave.
fn step(w: &mut Work<'_>, a: &[Value], rows: &[usize], left: &[Value]) -> Option<Value> {
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
