//! Modules written by `cargo run -p generated-tests --bin refresh`; not to be edited by hand.
