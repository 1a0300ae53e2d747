//! How the accelerations are computed: which equations are eliminated in which order. The [full Newton-Euler system](full_system) is written
//! down in many ways, every plan is counted on the shared graph, and what could fail somewhere or loses digits is turned down.
//!
//! Only [`Skeleton::new`] touches expressions; everything else works on instructions, so that nobody has to wait for the algebra engine
//! meanwhile. Knows nothing of what else a module computes.

mod accuracy;
mod aims;
mod branches;
mod facts;
mod full_system;
mod id;
mod moving;
mod presumed;
mod recursion;
mod reduced;
mod search;
mod signs;

pub(crate) use accuracy::{Place, Reference, both_at, error};
pub(crate) use aims::Aims;
pub(crate) use full_system::{FullSystem, Leaves, Rows, Skeleton, Slopes, Ties};
pub use id::{Compared, PlanId, Statement};
pub(crate) use presumed::{Ordinary, above, margin};
pub(crate) use recursion::{cheapest, recursions};
pub(crate) use reduced::{Dependent, Reduced};
pub(crate) use search::{Problem, Worked, mass_matrix, search, search_presuming};

/// Input groups of a program.
pub mod group {
    /// Time: one entry.
    pub const TIME: u8 = 0;
    /// The state (q, then the state's speeds).
    pub const STATE: u8 = 1;
    /// Parameters.
    pub const PARAMS: u8 = 2;
    /// Inputs.
    pub const INPUTS: u8 = 3;
    /// Rates q' given from outside (checks of a state only).
    pub const RATES: u8 = 4;
    /// Rates of the state's speeds given from outside (inverse dynamics only).
    pub const GIVEN: u8 = 5;
}
