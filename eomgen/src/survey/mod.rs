//! The first page on a model: what a dynamicist writes down before deriving anything.
//!
//! [`page`] holds it as plain data, with its layout as text and JSON. The other files find it: the
//! integrability of velocity constraints (`integrable`), cyclic coordinates and conserved
//! quantities (`conserved`), everything else (`collect`). Knows nothing of equations of motion.

pub mod page;
mod print;

mod collect;
mod conserved;
mod distribution;
mod formula;
mod integrable;
mod test_point;

pub use collect::survey;
pub use page::Page;
