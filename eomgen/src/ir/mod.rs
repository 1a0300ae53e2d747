//! The compiler's intermediate representation: straight-line programs over numbers, shared and folded.
//!
//! It knows nothing of mechanics, of formulations, of the algebra engine or of Rust text. Derivations build a [`Graph`]; what is to
//! be computed is a [`Program`]; [`optimise()`] improves it, [`verify()`] checks it, [`interpret`] runs it.

mod branches;
pub mod content;
mod cost;
pub mod derivative;
mod equals;
mod estimate;
pub mod field;
mod fold;
mod graph;
pub mod interpret;
mod op;
mod optimise;
mod prepared;
mod price;
mod program;
pub mod routine;
mod schedule;
mod sphere;
pub mod tape;
#[cfg(test)]
mod testing;
pub mod twofold;
mod verify;

pub use branches::{Branches, Row, aligned};
pub use cost::Cost;
pub use equals::{Equals, Prints};
pub use estimate::{Estimate, RECIPROCAL};
pub use graph::Graph;
pub use op::{Binary, Comparison, Op, Part, Rational, RoutineKind, Slot, Unary, Value};
pub use optimise::{Options, optimise, optimise_with};
pub use prepared::Prepared;
pub use price::Price;
pub use program::{Check, ExternFunction, Function, Group, Interface, Program};
pub use schedule::{schedule, schedule_from};
pub use sphere::{Sphere, on_spheres};
pub use verify::verify;
