//! The attribute `#[derive_eom(...)]` as a function on tokens. The procedural macro is this function and nothing more.
