//! Why there is no plan.

use thiserror::Error;

/// Why a system has no plan.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SolveError {
    /// The matrix is singular at every state: it has a null vector in which an unknown that is asked for takes part.
    #[error("nothing in the equations determines {}", .names.join(", "))]
    Undetermined {
        /// The unknowns that take part in a null vector, in the order of the system.
        unknowns: Vec<usize>,
        /// Their names.
        names: Vec<String>,
    },
    /// A row of a right-hand side is missing, or an entry lies outside the system.
    #[error("the system has {unknowns} unknowns, but its {part} has {found}")]
    Shape {
        /// How many unknowns there are.
        unknowns: usize,
        /// Which part does not fit.
        part: String,
        /// How many there are, or the largest index.
        found: usize,
    },
    /// Every candidate was turned down in review.
    #[error("every plan was turned down: {}", .notes.join("; "))]
    AllRejected {
        /// Why, per candidate.
        notes: Vec<String>,
    },
    /// An order was given up: it works through far more entries than another.
    #[error("given up after {updates} updates of entries")]
    Budget {
        /// How many updates were allowed.
        updates: usize,
    },
    /// An order was given up: a pivot might vanish at some state.
    #[error("given up: the pivot on {name} might vanish")]
    Uncertain {
        /// The unknown.
        name: String,
    },
    /// No order, or no system, was given to choose from.
    #[error("there is no candidate to choose from")]
    NoCandidates,
}
