//! The worked examples of the literature, held against their sources term by term: what eomgen derives and what a source prints are
//! brought into one normal form, and their difference has to be 0 there.
//!
//! Expectations are written in the model's language, from the sources or by hand from the definitions; none is copied from eomgen's
//! output. Every example has claims that are wrong on purpose, one sign each: they have to be found unequal.
#![cfg(feature = "pipeline")]

mod e1;
mod e2;
mod e3;
mod e4;
mod e4_rheonomic;
mod e4_six;
mod e5;
mod e5_full;
mod page;
mod printed;
mod sheet;
