//! Motions of a [machine](crate::machine::Machine): integrated, sampled, and audited while they run.
//!
//! It knows machines and an integrator and nothing of derivations, of files or of pictures.

mod audit;
mod drift;
mod events;
mod numbers;
mod record;
mod replay;
mod run;
mod solver;
mod start;
mod stiffness;
pub mod text;

pub use audit::{Audit, Extreme};
pub use record::{Kind, Record};
pub use replay::replay;
pub use run::{Run, run};
pub use start::{Chosen, GivenState, chosen, evaluated};

/// Which kind of integrator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Solver {
    /// Explicit, and implicit for as long as the motion is stiff.
    #[default]
    Auto,
    /// Verner's method of order 9.
    Explicit,
    /// Kvaerno's method of order 5.
    Implicit,
}

/// What is done about constraints from which a motion drifts away.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Stabilize {
    /// The state is moved to the nearest one that satisfies them, after each step that leaves them by more than tolerances allow.
    #[default]
    Projection,
    /// Positions and velocities are pulled back to them, at these rates.
    Baumgarte(f64, f64),
    /// Nothing.
    None,
}

/// How a motion is computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// For how long, in s.
    pub duration: f64,
    /// The time between rows.
    pub step: f64,
    /// Relative tolerance.
    pub rtol: f64,
    /// Absolute tolerance.
    pub atol: f64,
    /// The integrator.
    pub solver: Solver,
    /// Against drift.
    pub stabilize: Stabilize,
    /// Steps, rejected ones included, after which the integrator gives up.
    pub most_steps: usize,
}
