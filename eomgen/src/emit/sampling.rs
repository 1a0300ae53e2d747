//! The function `discretized`: the linear model on the constraints over a time step. Its text depends on nothing but which arguments and which
//! result `linearization_reduced` has.

use super::arrangement::is_fallible;
use super::docs;
use super::error::EmitError;
use super::layout::Writer;
use super::module::{Module, Sampling, Scalar};

/// Its name.
pub const NAME: &str = "discretized";

/// The function that it calls.
pub const CALLED: &str = "linearization_reduced";

/// What its text depends on, beside the sizes of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Called {
    /// The type of numbers.
    pub number: &'static str,
    /// Whether functions take inputs.
    pub inputs: bool,
    /// Whether functions take the user's functions.
    pub functions: bool,
    /// Whether the called function can fail.
    pub fails: bool,
}

/// Writes the function, if the module is to have it.
///
/// # Errors
/// What it calls and the module does not have.
pub fn write(module: &Module, out: &mut Writer) -> Result<(), EmitError> {
    let Some(sampling) = &module.sampling else {
        return Ok(());
    };
    if module.scalar == Scalar::Generic {
        return Err(EmitError::GenericSampling);
    }
    let called = module.functions.iter().find(|f| f.name == CALLED);
    let called = Called {
        number: module.scalar.type_name(),
        inputs: !module.inputs.is_empty(),
        functions: !module.functions_trait.is_empty(),
        fails: called.is_some_and(|function| is_fallible(module, function)),
    };
    text(*sampling, called, out);
    Ok(())
}

/// The text of the function.
pub fn text(Sampling { rows, columns }: Sampling, called: Called, out: &mut Writer) {
    let number = called.number;
    let what = "The linear model of `linearization_reduced` over a time step `dt`, with inputs that are constant meanwhile: one row for each independent entry of the state. Column 0 is what the entry changes by if nothing deviates; the columns after it are `exp(A dt)` and the integral of `exp(A s) B` over the step, by which deviations are multiplied. Found by scaling and squaring, to rounding errors; entries that overflow are infinite.";
    let mut docs = docs::blocks(&[what.into()]);
    if called.fails {
        let errors = ["", "# Errors", "", "As `linearization_reduced`."];
        docs.extend(errors.map(str::to_owned));
    }
    out.docs(&docs);
    let mut arguments = vec![
        "&self".to_owned(),
        format!("t: {number}"),
        format!("state: &[{number}; STATES]"),
        format!("dt: {number}"),
    ];
    let mut passed = "t, state".to_owned();
    if called.inputs {
        arguments.push("inputs: &Inputs".to_owned());
        passed.push_str(", inputs");
    }
    if called.functions {
        arguments.push("functions: &impl Functions".to_owned());
        passed.push_str(", functions");
    }
    let result = format!("[[{number}; {columns}]; {rows}]");
    let (returned, question) = if called.fails {
        (format!(" -> Result<{result}, Singular> {{"), "?")
    } else {
        (format!(" -> {result} {{"), "")
    };
    out.signature(&format!("pub fn {NAME}"), &arguments, &returned);
    out.indent();
    out.line(&format!("let model = self.{CALLED}({passed}){question};"));
    out.line(if called.fails {
        "Ok(sampled(&model, dt))"
    } else {
        "sampled(&model, dt)"
    });
    out.close("}");
    out.blank();
}
