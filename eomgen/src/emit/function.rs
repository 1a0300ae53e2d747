//! A generated function as a whole: documentation, attributes, signature, body.

use super::arrangement::{Share, is_fallible};
use super::body::{Body, body};
use super::docs;
use super::error::EmitError;
use super::guarded;
use super::layout::Writer;
use super::module::{EmittedFunction, Guarded, Module};
use super::names::is_snake;
use super::parts::Parts;
use super::scope::{Argument, FieldNames, Scope};
use crate::ir::{self, Op};

/// Functions with more operations are not worth inlining.
const SMALL: usize = 60;

/// A function in its surroundings.
#[derive(Clone, Copy)]
pub struct Context<'m> {
    /// The module.
    pub module: &'m Module,
    /// The function.
    pub function: &'m EmittedFunction,
    /// What it computes itself.
    pub share: &'m Share,
    /// What the model holds.
    pub held: &'m FieldNames,
}

/// Writes a function as a method of the model, with the parts of a long one behind it.
///
/// # Errors
/// What the function asks for and the module doesn't have.
pub fn function(context: Context<'_>, out: &mut Writer) -> Result<(), EmitError> {
    let Context {
        module,
        function,
        share,
        held,
        ..
    } = context;
    let (expected, found) = (function.output.len(), function.body.outputs.len());
    if expected != found {
        return Err(EmitError::WrongShape {
            function: function.name.clone(),
            expected,
            found,
        });
    }
    if let Some(guarded) = &function.guarded {
        looking(context, guarded, out);
        return Ok(());
    }
    let mut body = body(module, function, share, held)?;
    let arguments = arguments(module, function, &body);
    let split = body.split.take();
    let parts = split.as_ref().map(|split| {
        let parts = Parts {
            module,
            function,
            split,
            scope: &body.scope,
            arguments: &arguments,
            resembles_constant: body.resembles_constant,
        };
        body.block = parts.main();
        parts.functions()
    });
    out.docs(&documentation(context));
    if module.graph.count(&function.body.outputs).total() <= SMALL {
        out.line("#[inline]");
    }
    let allowed = allowed(&function.name, &body, &arguments);
    out.allow(&allowed);
    let typed: Vec<String> = arguments.iter().map(|(_, typed)| typed.clone()).collect();
    let returned = returned(module, function);
    let visible = if function.callers.is_empty() {
        "pub "
    } else {
        ""
    };
    let head = format!("{visible}fn {}", function.name);
    out.signature(&head, &typed, &format!(" -> {returned} {{"));
    out.indent();
    body.block.write(out);
    out.close("}");
    out.blank();
    if let Some(parts) = parts.filter(|parts| !parts.is_empty()) {
        out.verbatim(&parts);
        out.blank();
    }
    Ok(())
}

/// Writes a function that looks at the margin, as a method of the model.
fn looking(context: Context<'_>, guarded: &Guarded, out: &mut Writer) {
    let Context {
        module, function, ..
    } = context;
    let mut scope = Scope::new(module, function);
    let typed = typed(module, function, &scope);
    let passed: Vec<String> = (typed.iter())
        .map(|(argument, _)| scope.argument(*argument).to_string())
        .collect();
    let list: Vec<String> = std::iter::once("&self".to_owned())
        .chain(typed.into_iter().map(|(_, typed)| typed))
        .collect();
    out.docs(&documentation(context));
    let lints = [
        (
            scope.is_unusual() || !is_snake(&function.name),
            "non_snake_case",
        ),
        (list.len() > 7, "clippy::too_many_arguments"),
    ];
    let lints = lints.into_iter().filter(|lint| lint.0);
    out.allow(&lints.map(|lint| lint.1).collect::<Vec<_>>());
    let returned = returned(module, function);
    let head = format!("pub fn {}", function.name);
    out.signature(&head, &list, &format!(" -> {returned} {{"));
    out.indent();
    guarded::body(module, function, guarded, &passed, out);
    out.close("}");
    out.blank();
}

/// `Result<[f64; 2], Singular>`
fn returned(module: &Module, function: &EmittedFunction) -> String {
    let value = function.output.filled(module.scalar.type_name());
    if is_fallible(module, function) {
        format!("Result<{value}, Singular>")
    } else {
        value
    }
}

/// The functions that are also there without a model: what everyone calls.
pub fn is_forwarded(function: &EmittedFunction) -> bool {
    matches!(function.name.as_str(), "accelerations" | "derivative")
}

/// Writes a function that makes the model for one call.
pub fn forwarder(context: Context<'_>, out: &mut Writer) {
    let Context {
        module, function, ..
    } = context;
    let name = &function.name;
    let mut scope = Scope::new(module, function);
    scope.take_params();
    let given = if module.no_params {
        String::new()
    } else {
        scope.name_of(Argument::Params).to_owned()
    };
    let of = module.scalar.of();
    let mut typed = typed(module, function, &scope);
    if !module.no_params {
        // A struct without fields has no numbers that could be of some type.
        let of = if module.params.is_empty() { "" } else { of };
        let place = typed
            .iter()
            .position(|(argument, _)| matches!(argument, Argument::Inputs | Argument::Functions));
        let params = (Argument::Params, format!("{given}: &Params{of}"));
        typed.insert(place.unwrap_or(typed.len()), params);
    }
    let passed = typed
        .iter()
        .map(|(argument, _)| *argument)
        .filter(|argument| *argument != Argument::Params);
    let passed: Vec<String> = passed
        .map(|argument| scope.name_of(argument).to_owned())
        .collect();
    let ending = if is_fallible(module, function) {
        ", with its checks and errors"
    } else {
        ""
    };
    let of_these = if module.no_params {
        ""
    } else {
        " of these parameters"
    };
    out.docs(&[format!("[`Model::{name}`]{of_these}{ending}.")]);
    out.line("#[inline]");
    let lints = [
        (scope.is_unusual() || !is_snake(name), "non_snake_case"),
        (typed.len() > 7, "clippy::too_many_arguments"),
    ];
    let lints = lints.into_iter().filter(|lint| lint.0);
    out.allow(&lints.map(|lint| lint.1).collect::<Vec<_>>());
    let list: Vec<String> = typed.into_iter().map(|(_, typed)| typed).collect();
    let head = format!("pub fn {name}{}", module.scalar.bound());
    let returned = returned(module, function);
    out.signature(&head, &list, &format!(" -> {returned} {{"));
    out.indent();
    out.statement(&format!("Model::new({given}).{name}"), &passed, "");
    out.close("}");
    out.blank();
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
    let share = Share::default();
    let body = body(module, function, &share, &FieldNames::default())?;
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
    body.block.write(out);
    out.close("}");
    out.blank();
    Ok(arguments
        .into_iter()
        .map(|(argument, _)| argument)
        .collect())
}

/// The arguments of a method, the model first, with their types.
fn arguments(
    module: &Module,
    function: &EmittedFunction,
    body: &Body<'_>,
) -> Vec<(Argument, String)> {
    let model = (Argument::Params, "&self".to_owned());
    let rest = typed(module, function, &body.scope);
    std::iter::once(model).chain(rest).collect()
}

/// The arguments besides the parameters, in their fixed order, with their types.
fn typed(
    module: &Module,
    function: &EmittedFunction,
    scope: &Scope<'_>,
) -> Vec<(Argument, String)> {
    let (number, of) = (module.scalar.type_name(), module.scalar.of());
    let mut arguments = vec![
        (Argument::Time, number.to_owned()),
        (Argument::State, format!("&[{number}; STATES]")),
    ];
    for (index, extra) in function.extra_args.iter().enumerate() {
        let typed = if extra.fields.is_empty() {
            format!("&[{number}; {}]", extra.length)
        } else {
            "&Model".to_owned()
        };
        arguments.push((Argument::Extra(index), typed));
    }
    if !module.inputs.is_empty() {
        arguments.push((Argument::Inputs, format!("&Inputs{of}")));
    }
    if !module.functions_trait.is_empty() {
        arguments.push((Argument::Functions, format!("&impl Functions{of}")));
    }
    let name = |argument| scope.name_of(argument);
    arguments
        .into_iter()
        .map(|(argument, of)| (argument, format!("{}: {of}", name(argument))))
        .collect()
}

/// The lints that the function can't help: its arguments are fixed, its names are the model's.
fn allowed(name: &str, body: &Body<'_>, arguments: &[(Argument, String)]) -> Vec<&'static str> {
    let lints = [
        (body.scope.is_unusual() || !is_snake(name), "non_snake_case"),
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

fn documentation(context: Context<'_>) -> Vec<String> {
    let Context {
        module, function, ..
    } = context;
    if !function.callers.is_empty() && !function.docs.is_empty() {
        return docs::blocks(&function.docs);
    }
    if !function.callers.is_empty() {
        return vec![format!("What {} have in common.", callers(function))];
    }
    let mut lines = docs::blocks(&function.docs);
    if lines.is_empty() {
        lines.push(format!("The model's {}.", docs::code(&function.name)));
    }
    if is_fallible(module, function) {
        docs::separate(&mut lines);
        lines.push("# Errors".to_owned());
        lines.push(String::new());
        lines.extend(docs::blocks(&[errors(module, function).as_str().into()]));
    }
    lines
}

/// The functions that call a private one, as a list.
fn callers(function: &EmittedFunction) -> String {
    let named: Vec<String> = (function.callers.iter())
        .map(|name| format!("[`Self::{name}`]"))
        .collect();
    match named.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => named.concat(),
    }
}

/// What a function fails at. The notes on conditions are at the head of the file.
fn errors(module: &Module, function: &EmittedFunction) -> String {
    let mut conditions = conditions(module, function);
    // The last one is about the result and not the state.
    let not_finite = conditions.pop().unwrap_or_default().replace('`', "");
    match conditions.split_last() {
        None => format!("[`Singular`] if {not_finite}."),
        Some((last, [])) => format!("[`Singular`] near {last}, or if {not_finite}."),
        Some((last, rest)) => {
            let rest = rest.join(", ");
            format!("[`Singular`] near {rest} or {last}, or if {not_finite}.")
        }
    }
}

/// The conditions under which a function fails, each once, in their order.
fn conditions(module: &Module, function: &EmittedFunction) -> Vec<String> {
    let parts = function.guarded.iter();
    let parts = parts.flat_map(|of| [&of.usual, &of.safe]);
    let parts = parts.filter_map(|name| module.function(name));
    let mut known: Vec<u32> = (parts.chain([function]))
        .flat_map(|function| conditions_of(module, function))
        .collect();
    known.extend((module.conditions.len() as u32).checked_sub(1));
    known.sort_unstable();
    known.dedup();
    let known = known
        .iter()
        .filter_map(|&index| module.conditions.get(index as usize));
    known.map(|condition| docs::code(&condition.text)).collect()
}

/// The numbers of those of its own body.
fn conditions_of(module: &Module, function: &EmittedFunction) -> Vec<u32> {
    let mut known: Vec<u32> = function
        .body
        .checks
        .iter()
        .map(|check| check.condition)
        .collect();
    let live = module.graph.live(&function.body.roots());
    let is_routine = |&value: &ir::Value| matches!(module.graph.op(value), Op::Routine { .. });
    if live.iter().any(is_routine) {
        known.extend(function.routine_condition);
    }
    known.extend(&function.inherited);
    known
}
