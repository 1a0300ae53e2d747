//! From model text to results: the one interface that the command line, the macro and tests use.
//!
//! Every function here may wait for a [session](crate::host::session) and runs the algebra inside one.

mod json;
mod methods;
mod report;
mod state;

pub use methods::{MethodInfo, methods};
pub use report::{CheckReport, ConstraintInfo, ConstraintKind, CoordInfo, SpeedInfo};
pub use state::{EvalInput, EvalOutput, EvalState, Rates};

use crate::diag::Diagnostic;
use crate::host::SessionError;
use crate::syntax::{self, ast::SourceFile};

/// How the equations are presented.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// By size: closed for small systems, staged for large ones.
    #[default]
    Auto,
    /// Written out in full.
    Closed,
    /// As a list of definitions, each in terms of earlier ones.
    Staged,
}

/// Where the generated code takes its sines and square roots from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Math {
    /// The standard library.
    #[default]
    Std,
    /// The `libm` crate, for `no_std`.
    Libm,
}

/// What is chosen outside the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeriveOptions {
    /// Name of the formulation, one of [`methods`]; `None` leaves the choice to the generator.
    pub method: Option<String>,
    /// Presentation.
    pub form: Form,
    /// Rates or speeds to eliminate, as written in the model's language: `x'`, `u3`.
    pub dependent: Vec<String>,
    /// Source of the elementary functions.
    pub math: Math,
}

/// Generated code.
#[derive(Clone, Debug, PartialEq)]
pub struct Derived {
    /// The Rust text, header included.
    pub code: String,
    /// What is worth knowing about it.
    pub warnings: Vec<Diagnostic>,
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// Something is wrong with the model (at least one error, and the warnings found on the way).
    Diagnostics(Vec<Diagnostic>),
    /// Something that has no place in the model's text.
    Message(String),
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        Self::Message(error.to_string())
    }
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self::Diagnostics(diagnostics)
    }
}

/// Derives the equations of motion and writes them as a Rust module. `source_name` is the path
/// that messages show.
pub fn derive(
    _source_name: &str,
    text: &str,
    _options: &DeriveOptions,
) -> Result<Derived, Failure> {
    let _tree = read(text)?;
    Err(not_yet("derive"))
}

/// Checks the model and counts its degrees of freedom.
pub fn check(_source_name: &str, text: &str) -> Result<CheckReport, Failure> {
    let _tree = read(text)?;
    Err(not_yet("check"))
}

/// Evaluates the derived equations at one state. Names in `input` that the model does not have, and
/// missing ones, are refused by [`EvalInput::resolve`].
pub fn eval(
    _source_name: &str,
    text: &str,
    _options: &DeriveOptions,
    _input: &EvalInput,
) -> Result<EvalOutput, Failure> {
    let _tree = read(text)?;
    Err(not_yet("eval"))
}

/// The tree of a model without syntax errors.
fn read(text: &str) -> Result<SourceFile, Failure> {
    let parsed = syntax::parse(text);
    match parsed.has_errors() {
        true => Err(parsed.diagnostics.into()),
        false => Ok(parsed.file),
    }
}

fn not_yet(what: &str) -> Failure {
    Failure::Message(format!("'{what}' is not available yet in this version"))
}
