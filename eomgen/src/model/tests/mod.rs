//! Models from text: structure, messages, units, and the manual's examples.

mod codes;
mod domains;
mod errors;
mod examples;
mod expand;
mod hostile;
mod inference;
mod manual;
mod soup;
mod structure;
mod text;
mod words;

use super::expand::{PartText, Surroundings};
use super::{System, build_with};
use crate::diag::{self, Diagnostic, Severity};
use crate::syntax;

/// All messages about a model, those of the parser first.
fn messages(text: &str) -> (Option<System>, Vec<Diagnostic>) {
    messages_with(text, &[])
}

/// [`messages`] for a model with parts.
fn messages_with(text: &str, parts: &[PartText]) -> (Option<System>, Vec<Diagnostic>) {
    let around = Surroundings {
        parts,
        ..Surroundings::default()
    };
    let parsed = syntax::parse(text);
    let (system, found) = build_with(&parsed.file, around);
    let mut all = parsed.diagnostics;
    all.extend(found);
    let failed = all.iter().any(|d| d.severity == Severity::Error);
    (system.filter(|_| !failed), all)
}

/// The system of a text that must be free of errors and warnings.
fn system(text: &str) -> System {
    let (system, found) = messages(text);
    let shown = diag::render("test.eom", text, &found, false);
    assert!(found.is_empty(), "{shown}");
    system.expect("a system where there is no message")
}
