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
    /// If the called function can fail, the condition that results are not finite.
    pub fails: Option<usize>,
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
        fails: called
            .filter(|function| is_fallible(module, function))
            .map(|_| module.conditions.len().saturating_sub(1)),
    };
    text(*sampling, called, out);
    Ok(())
}

/// The text of the function.
pub fn text(Sampling { rows, columns }: Sampling, called: Called, out: &mut Writer) {
    let number = called.number;
    out.docs(&documentation(called));
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
    let (returned, question) = match called.fails {
        Some(_) => (format!(" -> Result<{result}, Singular> {{"), "?"),
        None => (format!(" -> {result} {{"), ""),
    };
    out.signature(&format!("pub fn {NAME}"), &arguments, &returned);
    out.indent();
    out.line(&format!("let model = self.{CALLED}({passed}){question};"));
    match called.fails {
        None => out.line("sampled(&model, dt)"),
        Some(condition) => {
            out.line("let step = sampled(&model, dt);");
            out.line(&format!(
                "finite::<CHECKED>({condition}, step.as_flattened())?;"
            ));
            out.line("Ok(step)");
        }
    }
    out.close("}");
    out.blank();
}

fn documentation(called: Called) -> Vec<String> {
    let what = "The linear model of `linearization_reduced` over a time step `dt`, with inputs that are constant meanwhile: one row for each independent entry of the state. Column 0 is what the entry changes by if nothing deviates; the columns after it are `exp(A dt)` and the integral of `exp(A s) B` over the step, by which deviations are multiplied. Found by scaling and squaring, to rounding errors";
    let what = match called.fails {
        Some(_) => format!("{what}."),
        None => format!("{what}; entries that overflow are infinite."),
    };
    let mut docs = docs::blocks(&[what.as_str().into()]);
    if called.fails.is_some() {
        let errors = [
            "",
            "# Errors",
            "",
            "As `linearization_reduced`, and if an entry overflows.",
        ];
        docs.extend(errors.map(str::to_owned));
    }
    docs
}
