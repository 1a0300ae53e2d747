//! Linear models of a machine beside an operating point, in independent coordinates and speeds, and what is read off them.
//!
//! It knows a [`Mechanism`](crate::machine::Mechanism) and operating points, and nothing of derivations, files or pictures.

mod modes;
mod reduction;
mod regulator;
mod response;
pub mod text;

pub use modes::{Mode, modes, neutral, values};
pub use reduction::{Linear, Refused, linear};
pub use regulator::{Regulator, regulator};
pub use response::response;
