//! Operating points: equilibria and steady motions, found from one or many starts, and followed along a quantity.
//!
//! It knows a [`Mechanism`](crate::machine::Mechanism) and nothing of how it was derived, nor of linear models.

mod conditions;
mod family;
mod point;
mod search;

pub use conditions::{Asked, Conditions, Quantity};
pub use family::{Along, Member, family};
pub use point::{Point, Unfound, point};
pub use search::search;
