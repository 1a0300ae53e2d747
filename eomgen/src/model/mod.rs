//! From tree to [`System`]: names resolved, units and vector types checked.
//!
//! [`build()`] reads a whole model, [`parse_scalar`] an expression in the scope of one. Knows nothing
//! of the algebra engine; what it says of an equation it sees from how the equation is written.

mod build;
mod codes;
mod content;
mod deduplicate;
mod domain;
pub mod expand;
pub mod fix;
mod names;
mod number;
mod order;
mod resolve;
pub mod system;
#[cfg(test)]
mod tests;
mod text;
mod turns;
pub mod units;
mod walk;

pub use build::build_with;
pub use resolve::function_names as functions;
pub use system::System;

use crate::diag::{self, Diagnostic, Severity};
use crate::syntax;
use resolve::Resolver;
use system::Scalar;

/// Reads an expression such as `x*y + t` in the scope of a system. Only names and sorts are
/// checked: units are not, so that a stand-in for a user's function can be any formula.
pub fn parse_scalar(system: &System, text: &str) -> diag::Result<Scalar> {
    let expr = syntax::parse_expression(text)?;
    let mut scope = Resolver::of(system);
    let value = scope.scalar(&expr, "the expression");
    let failed = |d: &Diagnostic| d.severity == Severity::Error;
    match value {
        Some(typed) if !scope.diagnostics.iter().any(failed) => Ok(typed.value),
        _ => Err(scope.diagnostics),
    }
}

/// Says what a number with a unit is in, if a value in `unit`, or `order` times per second that, cannot be in it. Nothing of expressions.
pub fn foreign_unit(text: &str, unit: &str, order: i64) -> Option<String> {
    let wanted = stated_dimension(&format!("1 [{unit}]"))?;
    let wanted = wanted.times(&units::Dim::of([0, 0, -order, 0, 0, 0, 0]));
    let stated = stated_dimension(text)?;
    (stated != wanted).then(|| match wanted.is_none() {
        true => format!("{} stands where there is no unit", stated.text()),
        false => format!("{} stands where {} is due", stated.text(), wanted.text()),
    })
}

/// The dimension of a number that is written with its unit.
fn stated_dimension(text: &str) -> Option<units::Dim> {
    let parsed = syntax::parse_expression(text).ok()?;
    let mut number = &parsed;
    while let syntax::ast::ExprKind::Neg(inner) = &number.kind {
        number = inner;
    }
    match &number.kind {
        syntax::ast::ExprKind::Number {
            unit: Some(unit), ..
        } => Some(units::read_unit(unit).ok()?.dim),
        _ => None,
    }
}

/// The unit of a constraint's multiplier: times the rate that the constraint holds it is a power. `unit` is that of what
/// is held: a position (`order` 0), a velocity (1) or an acceleration (2).
pub fn multiplier_unit(unit: &str, order: i64) -> Option<String> {
    let seconds = |n: i64| units::Dim::of([0, 0, n, 0, 0, 0, 0]);
    let rate = stated_dimension(&format!("1 [{unit}]"))?.times(&seconds(order - 1));
    let power = units::Dim::torque().times(&seconds(-1));
    let minus = system::Rational::from_integer((-1).into());
    Some(power.times(&rate.power(&minus)).text())
}
