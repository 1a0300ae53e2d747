//! Plans for sparse symmetric linear systems: which unknown is eliminated when, with which pivot, and what that costs exactly.
//!
//! The systems are those of mechanics: the reduced system `M u' = f`, the bordered system with multipliers, or the raw Newton-Euler
//! equations in accelerations, joint rates and reactions. `solve` knows only the [kinds](UnknownKind) of their unknowns. It does
//! not know of trees or chains: eliminating the cheapest unknown next finds the composite-body and the articulated-body algorithm
//! by itself, and treats closed loops and rolling like any other constraint.
//!
//! The factorization is `L D L^T` on the sparse structure, with pivots of two sorts (see `factor.rs`):
//!
//! - 1x1, the entry on the diagonal; the condition under which it vanishes is recorded;
//! - 2x2 blocks `[d c; c 0]` that pair an unknown with a row that has a **constant** coefficient for it and nothing on its
//!   diagonal, as kinematic rows have. They divide by nothing that can vanish.
//!
//! No one order wins everywhere, and a cheap one may lose digits. So [`best`] tries several and compares operation counts on the
//! shared graph, and lets the caller turn plans down whose rounding error it has measured.
//!
//! Zeros must be exact: an entry that vanishes identically but does not look so would become a pivot. The caller supplies the test.

mod certain;
mod context;
mod dissect;
mod error;
mod factor;
pub mod inertia;
mod matrix;
mod order;
mod outward;
mod plan;
mod price;
mod queue;
mod search;
mod substitute;
mod system;
mod zero;

pub use context::{Calc, EliminationContext, Growth, Presumed};
pub use error::SolveError;
pub use factor::{condense, eliminate};
pub use order::Ordering;
pub use plan::{Plan, residual};
pub use search::{Candidate, Effort, Search, Variant, Verdict, best, best_of, search};
pub use system::{SymmetricSystem, Unknown, UnknownKind};
