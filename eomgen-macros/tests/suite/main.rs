//! The tests of the attribute, as one program: what each of its modules proves is in `docs/testing.md`.

mod builds;
mod deny;
mod editor;
mod features;
#[path = "../nested/mod.rs"]
mod nested;
mod ui;
