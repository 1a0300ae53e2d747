//! A generated function as a whole: documentation, attributes, signature, body.

use super::body::{Body, body, is_fallible};
use super::docs;
use super::error::EmitError;
use super::layout::Writer;
use super::module::{EmittedFunction, Module, Shape};
use super::scope::Argument;
use crate::ir::{Cost, Op, Value};

/// Functions with more operations are not worth inlining.
const SMALL: usize = 60;

/// Writes a function and, if it can fail, its unchecked twin.
///
/// # Errors
/// What the function asks for and the module doesn't have.
pub fn function(
    module: &Module,
    function: &EmittedFunction,
    out: &mut Writer,
) -> Result<(), EmitError> {
    let (expected, found) = (function.output.len(), function.body.outputs.len());
    if expected != found {
        return Err(EmitError::WrongShape {
            function: function.name.clone(),
            expected,
            found,
        });
    }
    let fallible = is_fallible(module, function);
    write(
        module,
        function,
        fallible,
        &function.name,
        documentation(module, function),
        out,
    )?;
    if fallible {
        let name = format!("{}_unchecked", function.name);
        let docs = twin_documentation(module, function);
        write(module, function, false, &name, docs, out)?;
    }
    Ok(())
}

fn write(
    module: &Module,
    function: &EmittedFunction,
    checked: bool,
    name: &str,
    docs: Vec<String>,
    out: &mut Writer,
) -> Result<(), EmitError> {
    let body = body(module, function, checked)?;
    let arguments = arguments(module, function, &body);
    out.docs(&docs);
    if !checked {
        out.line("#[must_use]");
    }
    if module.graph.count(&function.body.outputs).total() <= SMALL {
        out.line("#[inline]");
    }
    let allowed = allowed(&function.name, &body, &arguments);
    if !allowed.is_empty() {
        out.line(&format!("#[allow({})]", allowed.join(", ")));
    }
    let of = module.scalar.type_name();
    let value = match function.output {
        Shape::Scalar => of.to_owned(),
        Shape::Array(length) => format!("[{of}; {length}]"),
        Shape::Matrix(rows, columns) => format!("[[{of}; {columns}]; {rows}]"),
    };
    let returned = if checked {
        format!("Result<{value}, Singular>")
    } else {
        value
    };
    let typed: Vec<String> = arguments.iter().map(|(_, typed)| typed.clone()).collect();
    let head = format!("pub fn {name}{}", module.scalar.bound());
    out.signature(&head, &typed, &format!(" -> {returned} {{"));
    out.indent();
    out.verbatim(&body.text);
    out.close("}");
    out.blank();
    Ok(())
}

/// Writes a function of the module's own, without checks, inlined where it is called; the arguments that it takes, which are those
/// that it reads.
///
/// # Errors
/// As [`function`].
pub fn private(
    module: &Module,
    function: &EmittedFunction,
    docs: &str,
    out: &mut Writer,
) -> Result<Vec<Argument>, EmitError> {
    let body = body(module, function, false)?;
    let mut arguments = arguments(module, function, &body);
    arguments.retain(|(argument, _)| body.scope.uses(*argument));
    out.docs(&[docs.to_owned()]);
    out.line("#[inline(always)]");
    let allowed = allowed(&function.name, &body, &arguments);
    if !allowed.is_empty() {
        out.line(&format!("#[allow({})]", allowed.join(", ")));
    }
    let typed: Vec<String> = arguments.iter().map(|(_, typed)| typed.clone()).collect();
    let number = module.scalar.type_name();
    let returned = format!(" -> [{number}; {}] {{", function.output.len());
    out.signature(&format!("fn {}", function.name), &typed, &returned);
    out.indent();
    out.verbatim(&body.text);
    out.close("}");
    out.blank();
    Ok(arguments
        .into_iter()
        .map(|(argument, _)| argument)
        .collect())
}

/// The arguments that the module has, in their fixed order, with their types.
fn arguments(
    module: &Module,
    function: &EmittedFunction,
    body: &Body<'_>,
) -> Vec<(Argument, String)> {
    let (number, of) = (module.scalar.type_name(), module.scalar.of());
    let mut arguments = vec![
        (Argument::Time, number.to_owned()),
        (Argument::State, format!("&[{number}; STATES]")),
    ];
    for (index, extra) in function.extra_args.iter().enumerate() {
        arguments.push((
            Argument::Extra(index),
            format!("&[{number}; {}]", extra.length),
        ));
    }
    if !module.no_params {
        // A struct without fields has no numbers that could be of some type.
        let of = if module.params.is_empty() { "" } else { of };
        arguments.push((Argument::Params, format!("&Params{of}")));
    }
    if !module.inputs.is_empty() {
        arguments.push((Argument::Inputs, format!("&Inputs{of}")));
    }
    if !module.functions_trait.is_empty() {
        arguments.push((Argument::Functions, format!("&impl Functions{of}")));
    }
    let name = |argument| body.scope.name_of(argument);
    arguments
        .into_iter()
        .map(|(argument, of)| (argument, format!("{}: {of}", name(argument))))
        .collect()
}

/// The lints that the function can't help: its arguments are fixed, its names are the model's.
fn allowed(name: &str, body: &Body<'_>, arguments: &[(Argument, String)]) -> Vec<&'static str> {
    let unused = arguments
        .iter()
        .any(|(argument, _)| !body.scope.uses(*argument));
    let lints = [
        (unused, "unused_variables"),
        (
            body.scope.is_unusual() || name.chars().any(char::is_uppercase),
            "non_snake_case",
        ),
        (arguments.len() > 7, "clippy::too_many_arguments"),
        (body.resembles_constant, "clippy::approx_constant"),
        (body.returns_variable, "clippy::let_and_return"),
    ];
    lints
        .into_iter()
        .filter(|lint| lint.0)
        .map(|lint| lint.1)
        .collect()
}

fn documentation(module: &Module, function: &EmittedFunction) -> Vec<String> {
    let mut lines = docs::blocks(&function.docs);
    if lines.is_empty() {
        lines.push(format!("The model's {}.", docs::code(&function.name)));
    }
    docs::separate(&mut lines);
    lines.push(operations(module, &function.body.roots()));
    let conditions = conditions(module, function);
    if !conditions.is_empty() {
        docs::separate(&mut lines);
        lines.push("# Errors".to_owned());
        lines.push(String::new());
        lines.push("[`Singular`] near a state where".to_owned());
        lines.push(String::new());
        lines.extend(conditions);
    }
    lines
}

fn twin_documentation(module: &Module, function: &EmittedFunction) -> Vec<String> {
    vec![
        format!(
            "[`{}`] without its checks: not finite, or wrong, where that fails.",
            function.name
        ),
        String::new(),
        operations(module, &function.body.outputs),
    ]
}

/// The conditions under which a function fails, each once, in their order.
fn conditions(module: &Module, function: &EmittedFunction) -> Vec<String> {
    let mut known: Vec<u32> = function
        .body
        .checks
        .iter()
        .map(|check| check.condition)
        .collect();
    let live = module.graph.live(&function.body.roots());
    let is_routine = |&value: &Value| matches!(module.graph.op(value), Op::Routine { .. });
    if live.iter().any(is_routine) {
        known.extend(function.routine_condition);
    }
    known.sort_unstable();
    known.dedup();
    let known = known
        .iter()
        .filter_map(|&index| module.conditions.get(index as usize));
    known.flat_map(docs::condition).collect()
}

/// `Operations: 9 (+ 3, * 5, / 1).`
fn operations(module: &Module, roots: &[Value]) -> String {
    format!("Operations: {}.", cost(&module.graph.count(roots)))
}

/// `9 (+ 3, * 5, / 1), 1 call`, leaving out what is zero.
pub fn cost(cost: &Cost) -> String {
    let kinds = [
        (cost.add, "+"),
        (cost.sub + cost.neg, "-"),
        (cost.mul, "*"),
        (cost.div, "/"),
        (cost.trig, "sin/cos/tan"),
        (cost.other, "other"),
    ];
    let kinds = kinds.iter().filter(|kind| kind.0 > 0);
    let kinds: Vec<String> = kinds
        .map(|(count, name)| format!("{name} {count}"))
        .collect();
    let mut text = cost.total().to_string();
    if !kinds.is_empty() {
        text.push_str(&format!(" ({})", kinds.join(", ")));
    }
    for (count, one, many) in [
        (cost.calls, "call", "calls"),
        (cost.routines, "routine", "routines"),
    ] {
        match count {
            0 => {}
            1 => text.push_str(&format!(", 1 {one}")),
            _ => text.push_str(&format!(", {count} {many}")),
        }
    }
    text
}
