//! The tests of the library and the program, as one program: what each of its modules proves is in `docs/testing.md`.

mod algebra;
mod architecture;
mod assembly;
mod attribute;
mod book;
mod broken;
mod build_scripts;
mod cache;
mod cli;
mod committed;
mod concurrent;
mod determinism;
mod diff;
mod documents;
mod emit;
mod engine;
mod faults;
mod hostile;
mod identification;
mod importing;
mod in_symbols;
mod injection;
mod ir;
mod kinematics;
mod mistakes;
mod motions;
mod names;
#[path = "../../../eomgen-macros/tests/nested/mod.rs"]
#[cfg(feature = "cli")]
mod nested;
mod operating;
mod outside;
mod parts;
mod prepare;
mod program_text;
mod recipes;
mod rolling;
mod sessions;
mod shared_models;
mod show;
mod solve;
mod stability;
mod starting;
mod survey;
mod tokens;

/// Whether everything is asked of the tests, however long it takes: `cargo test --workspace -- --include-ignored`.
#[cfg(feature = "derive")]
fn is_thorough() -> bool {
    std::env::args().any(|argument| argument == "--include-ignored")
}
