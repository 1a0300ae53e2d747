//! The machine against numbers and formulae that others found.

mod reference;
mod sampled;
mod samples;
mod textbook;

use super::dynamics::{Dynamics, State};
use super::machine::Machine;
use super::number::{Algebra, Modular, Number};
use crate::diag::Severity;
use crate::model::expand::Surroundings;
use crate::model::{System, build_with};
use crate::syntax;
use std::path::Path;

/// A model of the test suite.
fn system(name: &str) -> System {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated-tests/models");
    let text = std::fs::read_to_string(folder.join(format!("{name}.eom"))).unwrap();
    read(&text)
}

fn read(text: &str) -> System {
    let parsed = syntax::parse(text);
    let (system, found) = build_with(&parsed.file, Surroundings::default());
    let wrong: Vec<_> = found
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    system.unwrap()
}
