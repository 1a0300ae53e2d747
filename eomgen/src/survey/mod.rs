//! The first page on a model: what a dynamicist writes down before deriving anything.
//!
//! [`page`] holds it as plain data, with its layout as text and JSON. The other files find it: the
//! integrability of velocity constraints (`integrable`), cyclic coordinates and conserved
//! quantities (`conserved`), everything else (`collect`). Knows nothing of equations of motion.

pub mod page;
mod print;

#[cfg(feature = "derive")]
mod collect;
#[cfg(feature = "derive")]
mod conserved;
#[cfg(feature = "derive")]
mod distribution;
#[cfg(feature = "derive")]
mod formula;
#[cfg(feature = "derive")]
mod integrable;
#[cfg(feature = "derive")]
mod test_point;

#[cfg(feature = "derive")]
pub use collect::survey;
pub use page::Page;
