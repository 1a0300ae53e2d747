//! A sleigh with an engine, its equations of motion derived from `models/sleigh.eom` in both ways that the attribute offers.

use eomgen_macros::derive_eom;

/// Derived while this crate is compiled.
#[cfg(feature = "derive")]
#[derive_eom("models/sleigh.eom", method = "gibbs-appell")]
pub mod sleigh {}

/// The committed file, after a check that it belongs to the model as it is now.
#[derive_eom(
    generated = "src/checked.rs",
    model = "models/sleigh.eom",
    method = "gibbs-appell"
)]
pub mod checked {}

pub mod drive;
