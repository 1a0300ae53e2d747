//! Counted elimination on raw Newton-Euler equations of robot arms and pendulums, against reference accelerations and counts, and on
//! small systems against textbook Gaussian elimination.
//!
//! The systems are built here, from the geometry alone; the library sees unknowns, entries and right-hand sides.

#[path = "solve/arms.rs"]
mod arms;
#[path = "solve/dense.rs"]
mod dense;
#[path = "solve/field.rs"]
mod field;
#[path = "solve/pendulums.rs"]
mod pendulums;
#[path = "solve/reference.rs"]
mod reference;
