//! A trolley with a load: the generated module with the integrators of two crates, a controller, and a sweep.

#[rustfmt::skip]
pub mod trolley;

pub mod control;
pub mod dense;
pub mod projected;
pub mod steps;
pub mod sweep;
