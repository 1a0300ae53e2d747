//! With diffsol: step by step, projected after each step, with events and dense output of its own.

use diffsol::{DiffsolError, NalgebraMat, OdeBuilder, OdeSolverMethod, OdeSolverStopReason};

use crate::projected::projected;
use crate::trolley::{Inputs, Model, STATES};

type Matrix = NalgebraMat<f64>;

/// A motion: the times at which the load passes below the trolley, rows at the times asked for, and the last state.
#[derive(Debug, Default)]
pub struct Motion {
    /// Passages.
    pub passages: Vec<f64>,
    /// Rows, interpolated within the steps.
    pub rows: Vec<[f64; STATES]>,
    /// The state at the end.
    pub last: Vec<f64>,
}

/// The motion until the last of these times.
///
/// # Errors
/// When the integrator gives up.
pub fn motion(
    model: &Model,
    inputs: Inputs,
    start: [f64; STATES],
    times: &[f64],
) -> Result<Motion, DiffsolError> {
    let problem = OdeBuilder::<Matrix>::new()
        .rtol(1e-9)
        .atol([1e-10])
        .rhs(|x, _, t, rate| {
            let state = x.first_chunk().copied().unwrap_or([f64::NAN; STATES]);
            let found = model.derivative(t, &state, &inputs);
            rate.copy_from_slice(&found.unwrap_or([f64::NAN; STATES]));
        })
        .init(|_, _, x| x.copy_from_slice(&start), STATES)
        .root(|x, _, _, aside| aside[0] = x[1] - x[0], 1)
        .build()?;
    let mut solver = problem.tsit45()?;
    let mut motion = Motion::default();
    let end = times.last().copied().unwrap_or_default();
    solver.set_stop_time(end)?;
    let mut open = times.iter().copied().peekable();
    loop {
        let reason = solver.step()?;
        let reached = match &reason {
            OdeSolverStopReason::RootFound(t, _) => *t,
            _ => solver.state().t,
        };
        while let Some(t) = open.next_if(|t| *t <= reached) {
            let place = solver.interpolate(t)?;
            motion
                .rows
                .extend(place.batch_as_slice(0).first_chunk().copied());
        }
        match reason {
            OdeSolverStopReason::RootFound(t, _) => {
                motion.passages.push(t);
                // From there on again.
                solver.state_mut_back(t)?;
            }
            OdeSolverStopReason::TstopReached => break,
            OdeSolverStopReason::InternalTimestep => {}
        }
        let (t, state) = (
            solver.state().t,
            solver.state().y.batch_as_slice(0).first_chunk(),
        );
        let Some(state) = state.copied() else { break };
        // What a step may leave the constraints by is left alone: a changed state costs an evaluation.
        let off = model.constraint_residuals(t, &state, &inputs)[0].abs();
        if off > 1e-10
            && let Ok(state) = projected(model, t, state, &inputs)
            && let Ok(rate) = model.derivative(t, &state, &inputs)
        {
            let changed = solver.state_mut();
            changed.y.batch_as_mut_slice(0).copy_from_slice(&state);
            changed.dy.batch_as_mut_slice(0).copy_from_slice(&rate);
        }
    }
    motion.last = solver.state().y.batch_as_slice(0).to_vec();
    Ok(motion)
}
