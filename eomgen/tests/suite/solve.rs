//! Counted elimination on raw Newton-Euler equations of robot arms and pendulums, against reference accelerations and counts, and on
//! small systems against textbook Gaussian elimination.
//!
//! The systems are built here, from the geometry alone; the library sees unknowns, entries and right-hand sides.
#![cfg(feature = "derive")]
// Components are numbered in the books, too.
#![allow(clippy::needless_range_loop, clippy::type_complexity)]

mod arms;
mod certain;
mod dense;
mod evaluate;
mod inertias;
mod loops;
mod pendulums;
mod reference;
mod trees;
mod turn;
