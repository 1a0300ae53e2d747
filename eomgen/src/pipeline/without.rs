//! The interface of a build without the algebra engine: models are read and checked, not derived.

use super::{CheckReport, DeriveOptions, Derived, EvalInput, EvalOutput, Failure, read};

fn refused() -> Failure {
    Failure::Message("this build of eomgen cannot derive (feature `derive` is off)".to_string())
}

/// See the build with feature `derive`.
pub fn derive(
    _source_name: &str,
    text: &str,
    _options: &DeriveOptions,
) -> Result<Derived, Failure> {
    read(text)?;
    Err(refused())
}

/// See the build with feature `derive`.
pub fn check(_source_name: &str, text: &str) -> Result<CheckReport, Failure> {
    read(text)?;
    Err(refused())
}

/// See the build with feature `derive`.
pub fn eval(
    _source_name: &str,
    text: &str,
    _options: &DeriveOptions,
    _input: &EvalInput,
) -> Result<EvalOutput, Failure> {
    read(text)?;
    Err(refused())
}
