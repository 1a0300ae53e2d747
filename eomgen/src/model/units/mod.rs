//! Physical dimensions and units: exact exponents, exact scales, inference. Knows nothing of
//! models or expressions.
//!
//! Quantities are in SI everywhere inside the program; only literals such as `5 [mm]` have
//! another scale, and they are converted exactly when they are read.

mod dim;
mod names;
mod solve;

pub use dim::Dim;
#[allow(unused_imports, reason = "for editors")]
pub use names::unit_names;
pub use names::{Unit, UnitError, is_unit, read_unit, si_text};
pub use solve::{DimExpr, Solver};
