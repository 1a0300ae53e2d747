//! What a derivation starts from and what may come of it: the model's text with its parts, the options, the checked model, and why there is
//! no result. Needs no algebra: with the front end it is all that a build without the engine has.

mod methods;
mod options;
mod source;

pub use crate::catalogue::{Form, Inverse, Math, Plan, Prefer, Route, Scalar, Variant};
pub use crate::model::expand::PartText;
pub use crate::model::fix::Fix;
pub use methods::{MethodInfo, QuantityEntry, QuantityInfo, QuantityPlace, methods, quantities};
pub use options::DEFAULT_METHOD;
pub use source::Source;

use crate::bug::Bug;
use crate::diag::{Diagnostic, Severity};
use crate::model::fix::{Refused, fix};
use crate::model::{self, System};
use crate::syntax;

/// A derivation as plain text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "derive", derive(serde::Serialize, serde::Deserialize))]
pub enum Document {
    /// Equations, kinematics, constraints, the quantities asked for, remarks and singular conditions.
    Equations,
    /// The representative particle: bases, metric, forces, and which projection each formulation is.
    Geometry,
    /// The plans for the accelerations that were compared.
    Plans,
}

/// What is chosen outside the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "derive", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "derive",
    serde(into = "options::Pairs", try_from = "options::Pairs")
)]
pub struct DeriveOptions {
    /// Name of the formulation, one of [`methods`]; `None` leaves the choice to the generator.
    pub method: Option<String>,
    /// Expression form.
    pub form: Form,
    /// Rates or speeds to eliminate, as written in the model's language: `x'`, `u3`.
    pub dependent: Vec<String>,
    /// Source of the elementary functions.
    pub math: Math,
    /// Whether sums with products are written as one operation with one rounding, `mul_add`.
    pub fma: bool,
    /// What is computed with.
    pub scalar: Scalar,
    /// Whether the accelerations and the derivative are also written for many states at once.
    pub batch: bool,
    /// Values of `const`s, in place of those that the model states.
    pub set: Vec<(String, i64)>,
    /// Parameters that become numbers.
    pub fix: Fix,
    /// Variant of the formulation.
    pub variant: Variant,
    /// Which system of equations is eliminated for the accelerations.
    pub plan: Plan,
    /// What the plan that is chosen has least of.
    pub prefer: Prefer,
    /// Names of quantities to add to the module, those of the catalogue.
    pub outputs: Vec<String>,
    /// Names of functions that are kept of those that the module would have anyway; all of them if there are none.
    pub only: Vec<String>,
    /// Derivatives to add to the module: `accelerations:q,v`, see `docs/derivatives.md`.
    pub jacobians: Vec<String>,
}

/// What is to be proven, and how thoroughly.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "derive", derive(serde::Serialize, serde::Deserialize))]
pub struct VerifyOptions {
    /// Methods to derive by; none: all.
    pub methods: Vec<String>,
    /// How to derive.
    pub derive: DeriveOptions,
    /// A generated file instead: its name and its text.
    pub file: Option<(String, String)>,
    /// Number of random states.
    pub states: usize,
    /// What the random numbers start from.
    pub seed: u64,
}

impl Default for VerifyOptions {
    fn default() -> Self {
        Self {
            methods: Vec::new(),
            derive: DeriveOptions::default(),
            file: None,
            states: 3,
            seed: 1,
        }
    }
}

/// Generated code.
#[derive(Clone, Debug, PartialEq)]
pub struct Derived {
    /// The Rust text, header included.
    pub code: String,
    /// What is worth knowing about it.
    pub warnings: Vec<Diagnostic>,
    /// The function with the most operations, and how many; none in a document.
    pub longest: Option<(String, usize)>,
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// Something is wrong with the model (at least one error, and the warnings found on the way).
    Diagnostics(Vec<Diagnostic>),
    /// Something that has no place in the model's text.
    Message(String),
}

impl From<Bug> for Failure {
    fn from(bug: Bug) -> Self {
        Self::Diagnostics(vec![bug.into()])
    }
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self::Diagnostics(diagnostics)
    }
}

/// The checked model, with its warnings.
pub fn read(text: &str) -> Result<(System, Vec<Diagnostic>), Failure> {
    read_source(&Source::new("", text), &[])
}

/// [`read`] for a model with parts and constants set from outside.
pub fn read_source(
    source: &Source,
    set: &[(String, i64)],
) -> Result<(System, Vec<Diagnostic>), Failure> {
    let parsed = syntax::parse(&source.text);
    if parsed.file.items.is_empty() && !parsed.diagnostics.is_empty() {
        // Of what is no model there is nothing more to say.
        return Err(Failure::Diagnostics(parsed.diagnostics));
    }
    let (system, mut found) = model::build_with(&parsed.file, source.around(set));
    let mut all = parsed.diagnostics.clone();
    all.append(&mut found);
    let broken = all.iter().any(|d| d.severity == Severity::Error);
    match system {
        Some(system) if !broken => Ok((system, all)),
        _ => Err(Failure::Diagnostics(all)),
    }
}

/// [`read_source`] with parameters that have become numbers.
pub fn read_fixed(
    source: &Source,
    set: &[(String, i64)],
    wanted: &Fix,
) -> Result<(System, Vec<Diagnostic>), Failure> {
    let (mut system, mut warnings) = read_source(source, set)?;
    match fix(&mut system, wanted) {
        Ok(()) => Ok((system, warnings)),
        Err(Refused::Request(problems)) => Err(Failure::Message(problems.join("\n"))),
        Err(Refused::Model(errors)) => {
            warnings.extend(errors);
            Err(Failure::Diagnostics(warnings))
        }
    }
}
