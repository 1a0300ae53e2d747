//! What a derivation is at, for a person who waits for it. The one thing here that belongs to the whole process: a program that shows it
//! says so at its start, and where nobody does, nothing is noted. Results never depend on it. Knows nothing of who listens, and of models.

use std::fmt;
use std::sync::OnceLock;

/// A part of the work that may take a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The text is read and checked.
    Reading,
    /// Positions, velocities, accelerations and constraints.
    Kinematics,
    /// The equations of motion.
    Equations,
    /// Plans for the accelerations: how many of them were tried in the search so far.
    Plans(usize),
    /// The other functions.
    Outputs,
    /// Instructions are simplified.
    Improving,
    /// The module's text.
    Writing,
    /// The text is read back.
    ReadingBack,
    /// The text is compared with the model.
    Proving,
    /// A first page on the model.
    Surveying,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reading => "reading the model",
            Self::Kinematics => "kinematics",
            Self::Equations => "equations of motion",
            Self::Plans(1) => return f.write_str("comparing plans: 1 tried"),
            Self::Plans(tried) => return write!(f, "comparing plans: {tried} tried"),
            Self::Outputs => "the other functions",
            Self::Improving => "simplifying",
            Self::Writing => "writing the module",
            Self::ReadingBack => "reading the module back",
            Self::Proving => "comparing the module with the model",
            Self::Surveying => "describing the model",
        })
    }
}

static LISTENER: OnceLock<fn(Stage)> = OnceLock::new();

/// Has every stage from now on told to a function, which is called from the threads that do the work. The first one stays.
#[allow(dead_code, reason = "whoever only derives shows nothing")]
pub fn listen(listener: fn(Stage)) {
    let _ = LISTENER.set(listener);
}

/// Tells what begins.
pub fn at(stage: Stage) {
    if let Some(listener) = LISTENER.get() {
        listener(stage);
    }
}
