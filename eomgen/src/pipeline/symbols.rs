//! Results as expressions, and their comparison with what a source prints.

use super::DEFAULT_METHOD;
use super::derivation::method;
use super::{DeriveOptions, Failure, Form, Source, read_fixed};
use crate::host::with_session;
use crate::mech::choice::Choice;
use crate::model::System;
use crate::program::{self, ExpressionForm, Obstacle, Settings};

pub use crate::program::{Agreement, Claim, Verdict};

impl Claim {
    /// An entry of a list, or of the `equations`, by its label.
    pub fn row(output: &str, row: &str, expected: &str) -> Self {
        Self::entry(output, row, "", expected)
    }

    /// An entry of a matrix by the labels of its row and column.
    pub fn entry(output: &str, row: &str, column: &str, expected: &str) -> Self {
        Self {
            output: output.into(),
            row: row.into(),
            column: column.into(),
            expected: expected.into(),
        }
    }

    /// A scalar.
    pub fn scalar(output: &str, expected: &str) -> Self {
        Self::entry(output, "", "", expected)
    }
}

/// Derives once, in expanded form unless the options ask for the sequenced one, and holds each claim against what is derived.
/// Outputs need not be asked for in the options.
pub fn compare(
    source: &Source,
    options: &DeriveOptions,
    claims: &[Claim],
) -> Result<Vec<Verdict>, Failure> {
    let claims = claims.to_vec();
    with(source, options, move |system, settings, form| {
        program::compare(system, settings, form, &claims)
    })
}

/// The entries of an output in normal form with their labels: row, or row and column.
pub fn entries(
    source: &Source,
    options: &DeriveOptions,
    output: &str,
) -> Result<Vec<(String, String)>, Failure> {
    let output = output.to_string();
    with(source, options, move |system, settings, form| {
        program::listing(system, settings, form, &output)
    })
}

fn with<T: Send + 'static>(
    source: &Source,
    options: &DeriveOptions,
    work: impl FnOnce(&System, &Settings<'_>, ExpressionForm) -> Result<T, Obstacle> + Send + 'static,
) -> Result<T, Failure> {
    let (system, warnings) = read_fixed(source, &options.set, &options.fix)?;
    let copies = system.copies.clone();
    method(options.method.as_deref().unwrap_or(DEFAULT_METHOD))?;
    let options = options.clone();
    let result = with_session(move || {
        within(&options, |settings, form| {
            work(&system, settings, form).map_err(Failure::from)
        })
    })?;
    result.map_err(|failure| failure.explained(&copies).after(warnings))
}

/// Inside a session: hands out how to derive.
pub(super) fn within<T>(
    options: &DeriveOptions,
    work: impl FnOnce(&Settings<'_>, ExpressionForm) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let formulation = method(options.method.as_deref().unwrap_or(DEFAULT_METHOD))?;
    let choice = Choice {
        dependent: options.dependent.clone(),
        chart: formulation.takes_chart(),
    };
    let settings = Settings {
        formulation,
        variant: options.variant,
        plan: options.plan,
        prefer: options.criterion(),
        presumes: false,
        only: None,
        only_presuming: None,
        choice: &choice,
        outputs: &[],
        standard: &[],
        jacobians: &[],
        geometry: false,
        exposition: false,
    };
    let form = match options.form {
        Form::Staged => ExpressionForm::Sequenced,
        Form::Auto | Form::Closed => ExpressionForm::Expanded,
    };
    work(&settings, form)
}

impl From<Obstacle> for Failure {
    fn from(obstacle: Obstacle) -> Self {
        match obstacle {
            Obstacle::Diagnostics(list) => Self::Diagnostics(list),
            Obstacle::Claim(text) => Self::Message(text),
        }
    }
}
