//! The compiler's intermediate representation: straight-line programs over numbers, shared and folded.
//!
//! It knows nothing of mechanics, of formulations, of the algebra engine or of Rust text. Derivations build a [`Graph`]; what is to
//! be computed is a [`Program`]; [`optimise()`] improves it, [`verify()`] checks it, [`text`] prints and reads it, [`interpret`] runs it.

mod cost;
mod fold;
mod graph;
mod op;
mod program;

pub use cost::Cost;
pub use graph::Graph;
pub use op::{Binary, Comparison, Op, Part, Rational, RoutineKind, Slot, Unary, Value};
pub use program::{Check, ExternFunction, Function, Group, Interface, Program};
