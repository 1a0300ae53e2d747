//! From tree to [`System`]: names resolved, units and vector types checked.
//!
//! [`build()`] reads a whole model, [`parse_scalar`] an expression in the scope of one. Knows nothing
//! of the algebra engine; what it says of an equation it sees from how the equation is written.

mod build;
mod codes;
mod content;
pub mod expand;
mod habits;
mod names;
mod number;
mod order;
mod resolve;
pub mod system;
#[cfg(test)]
mod tests;
mod text;
mod tidy;
pub mod units;

pub use build::{build, build_with};
pub use system::System;

use crate::diag::{Diagnostic, Severity};
use crate::syntax;
use resolve::Resolver;
use system::Scalar;

/// Reads an expression such as `x*y + t` in the scope of a system. Only names and sorts are
/// checked: units are not, so that a stand-in for a user's function can be any formula.
pub fn parse_scalar(system: &System, text: &str) -> Result<Scalar, Vec<Diagnostic>> {
    let expr = syntax::parse_expression(text)?;
    let mut scope = Resolver::of(system);
    let value = scope.scalar(&expr, "the expression");
    let failed = |d: &Diagnostic| d.severity == Severity::Error;
    match value {
        Some(typed) if !scope.diagnostics.iter().any(failed) => Ok(typed.value),
        _ => Err(scope.diagnostics),
    }
}
