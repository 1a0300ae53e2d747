//! eomgen: equations of motion from a model text, as Rust.
//!
//! See `docs/architecture.md` for the way through the modules.

// Errors are values, and results depend on nothing but the model: see `clippy.toml` for the reasons one by one.
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::todo,
        clippy::unimplemented,
        clippy::dbg_macro,
        clippy::disallowed_methods,
        clippy::disallowed_types
    )
)]
#![cfg_attr(test, allow(clippy::disallowed_methods, clippy::disallowed_types))]

#[cfg(feature = "derive")]
pub mod assemble;
pub mod attribute;
pub mod bug;
#[cfg(feature = "derive")]
pub mod builder;
pub mod catalogue;
#[cfg(feature = "cli")]
pub mod cli;
pub mod diag;
#[cfg(feature = "derive")]
pub mod elim;
pub mod emit;
#[cfg(feature = "derive")]
pub mod explain;
#[cfg(feature = "derive")]
pub mod facts;
#[cfg(feature = "derive")]
pub mod field;
#[cfg(feature = "derive")]
pub mod form;
#[cfg_attr(
    not(test),
    expect(
        clippy::disallowed_methods,
        reason = "names the functions of doubles, which the interpreter calls; folding is exact"
    )
)]
pub mod function;
#[cfg_attr(
    not(test),
    expect(
        clippy::disallowed_methods,
        reason = "the module through which files, clocks and the environment are reached"
    )
)]
#[cfg_attr(
    all(not(test), any(feature = "derive", feature = "cli")),
    expect(clippy::disallowed_types, reason = "files that are written or locked")
)]
pub mod host;
#[cfg(feature = "derive")]
pub mod ir;
#[cfg(feature = "derive")]
pub mod lower;
#[cfg(feature = "derive")]
pub mod manifold;
#[cfg(feature = "derive")]
pub mod mech;
pub mod model;
#[cfg(any(feature = "derive", feature = "cli"))]
pub mod notation;
pub mod pipeline;
#[cfg(feature = "derive")]
pub mod plan;
#[cfg(feature = "cli")]
pub mod prepare;
pub mod request;
#[cfg(any(feature = "derive", feature = "cli"))]
pub mod show;
#[cfg(feature = "derive")]
pub mod solve;
pub mod span;
#[cfg(any(feature = "derive", feature = "cli"))]
pub mod survey;
#[cfg(feature = "derive")]
pub mod sym;
pub mod syntax;
#[cfg(feature = "testing")]
pub mod testing;
#[cfg(feature = "derive")]
pub mod verify;

#[cfg(feature = "derive")]
pub use builder::{BuildError, Builder};
