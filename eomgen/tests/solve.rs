//! Counted elimination on raw Newton-Euler equations of robot arms and pendulums, against reference accelerations and counts, and on
//! small systems against textbook Gaussian elimination.
//!
//! The systems are built here, from the geometry alone; the library sees unknowns, entries and right-hand sides.
#![cfg(feature = "derive")]
// Components are numbered in the books, too.
#![allow(clippy::needless_range_loop, clippy::type_complexity)]

#[path = "solve/arms.rs"]
mod arms;
#[path = "solve/certain.rs"]
mod certain;
#[path = "solve/dense.rs"]
mod dense;
#[path = "solve/evaluate.rs"]
mod evaluate;
#[path = "solve/inertias.rs"]
mod inertias;
#[path = "solve/pendulums.rs"]
mod pendulums;
#[path = "solve/reference.rs"]
mod reference;
#[path = "solve/turn.rs"]
mod turn;
