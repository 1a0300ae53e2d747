//! A generated function as a whole: documentation, attributes, signature, body.

use super::arrangement::{Arrangement, Share, is_fallible};
use super::body::{Body, Request, Split, body, prepared_name, unchecked_name};
use super::docs;
use super::error::EmitError;
use super::expr::Expr;
use super::layout::Writer;
use super::module::{Block as Paragraph, EmittedFunction, Module};
use super::names::is_snake;
use super::parts::Parts;
use super::prepared::Prepared;
use super::scope::{Argument, Scope};
use super::tree::{Block, Call, Target, Value};
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
    /// Its index in the module.
    pub index: usize,
    /// What it computes itself.
    pub share: &'m Share,
    /// Who computes what in it.
    pub arrangement: &'m Arrangement,
    /// The struct of prepared parameters, if there is one.
    pub prepared: Option<&'m Prepared>,
}

/// One of the variants of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Variant {
    checked: bool,
    prepared: bool,
}

/// The names of a function and its variants: without checks, with prepared parameters, both.
pub fn names(module: &Module, function: &EmittedFunction, share: &Share) -> Vec<String> {
    let variants = variants(module, function, share).into_iter();
    variants
        .map(|variant| name(function, variant, is_fallible(module, function)))
        .collect()
}

fn variants(module: &Module, function: &EmittedFunction, share: &Share) -> Vec<Variant> {
    let fallible = is_fallible(module, function);
    let mut list = Vec::new();
    for prepared in [false, true] {
        for checked in [true, false] {
            let exists = (fallible || !checked) && (share.has_variant() || !prepared);
            if exists {
                list.push(Variant { checked, prepared });
            }
        }
    }
    list
}

fn name(function: &EmittedFunction, variant: Variant, fallible: bool) -> String {
    let mut name = function.name.clone();
    if variant.prepared {
        name = prepared_name(&name);
    }
    if fallible && !variant.checked {
        unchecked_name(&name)
    } else {
        name
    }
}

/// Writes a function and its variants: unchecked, if it can fail, and with prepared parameters, if it has work that depends on these
/// alone.
///
/// # Errors
/// What the function asks for and the module doesn't have.
pub fn function(context: Context<'_>, out: &mut Writer) -> Result<(), EmitError> {
    let Context {
        module,
        function,
        share,
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
    let mut checked = None;
    for variant in variants(module, function, share) {
        let split = write(context, (variant, checked.as_ref()), out)?;
        if variant.checked {
            checked = split;
        }
    }
    Ok(())
}

/// Writes one variant; gives its name and its parts. `checked` is the checked variant's.
fn write(
    context: Context<'_>,
    (variant, checked_variant): (Variant, Option<&(String, Split)>),
    out: &mut Writer,
) -> Result<Option<(String, Split)>, EmitError> {
    let Context {
        module,
        function,
        share,
        ..
    } = context;
    let fallible = is_fallible(module, function);
    let Variant { checked, prepared } = variant;
    let fields = context.prepared.filter(|_| prepared);
    let of = module.scalar.type_name();
    let mut body = match context.prepared {
        Some(fields) if share.has_variant() && !prepared => {
            let variant = Variant {
                prepared: true,
                ..variant
            };
            let variant = name(function, variant, fallible);
            forwarder(module, function, &variant, &fields.made_for(&share.needs))
        }
        _ => body(
            module,
            Request {
                function,
                share,
                checked,
                prepared: fields.map(|fields| &fields.names),
            },
        )?,
    };
    let arguments = arguments(module, function, &body, prepared);
    let name = name(function, variant, fallible);
    let split = body.split.take();
    let parts = split.as_ref().map(|split| {
        let parts = Parts {
            module,
            function,
            name: &name,
            split,
            scope: &body.scope,
            arguments: &arguments,
            resembles_constant: body.resembles_constant,
            variant: checked_variant
                .filter(|_| !checked)
                .map(|(name, split)| (name.as_str(), split)),
        };
        body.block = parts.main();
        parts.functions()
    });
    out.docs(&documentation(context, variant));
    if !checked {
        out.line("#[must_use]");
    }
    let forwards = share.has_variant() && !prepared;
    if forwards || module.graph.count(&function.body.outputs).total() <= SMALL {
        out.line("#[inline]");
    }
    let allowed = allowed(&function.name, &body, &arguments);
    out.allow(&allowed);
    let value = function.output.filled(of);
    let returned = if checked {
        format!("Result<{value}, Singular>")
    } else {
        value
    };
    let typed: Vec<String> = arguments.iter().map(|(_, typed)| typed.clone()).collect();
    let head = format!("pub fn {name}{}", module.scalar.bound());
    out.signature(&head, &typed, &format!(" -> {returned} {{"));
    out.indent();
    body.block.write(out);
    out.close("}");
    out.blank();
    if let Some(parts) = parts.filter(|parts| !parts.is_empty()) {
        out.verbatim(&parts);
        out.blank();
    }
    Ok(split.map(|split| (name, split)))
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
    let request = Request {
        function,
        share: &share,
        checked: false,
        prepared: None,
    };
    let body = body(module, request)?;
    let mut arguments = arguments(module, function, &body, false);
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

/// The arguments that the module has, in their fixed order, with their types.
fn arguments(
    module: &Module,
    function: &EmittedFunction,
    body: &Body<'_>,
    prepared: bool,
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
            "&Prepared".to_owned()
        };
        arguments.push((Argument::Extra(index), typed));
    }
    if !module.no_params {
        // A struct without fields has no numbers that could be of some type.
        let of = if module.params.is_empty() { "" } else { of };
        let kind = if prepared { "Prepared" } else { "Params" };
        arguments.push((Argument::Params, format!("&{kind}{of}")));
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

fn documentation(context: Context<'_>, variant: Variant) -> Vec<String> {
    let Context {
        module, function, ..
    } = context;
    let fallible = is_fallible(module, function);
    let mut lines = match variant {
        Variant {
            prepared: false, ..
        } if variant.checked || !fallible => docs::blocks(&function.docs),
        Variant {
            prepared: false, ..
        } => vec![format!(
            "[`{}`] without its checks: infinite, NaN or wrong where the checked function fails.",
            function.name
        )],
        Variant { checked: false, .. } if fallible => vec![format!(
            "[`{}`] without its checks: infinite, NaN or wrong where the checked function fails.",
            prepared_name(&function.name)
        )],
        _ => vec![format!(
            "[`{}`] with precomputed parameter terms: the same results, without repeating the work that depends on parameters alone.",
            function.name
        )]
        .into_iter()
        .flat_map(|text| docs::blocks(&[Paragraph::Text(text)]))
        .collect(),
    };
    if lines.is_empty() {
        lines.push(format!("The model's {}.", docs::code(&function.name)));
    }
    docs::separate(&mut lines);
    let (once, each) =
        context
            .arrangement
            .count(module, context.index, variant.checked || !fallible);
    let more = match (once.total() > 0, variant.prepared) {
        (true, false) => format!(", {} more for what [`Prepared`] holds", once.total()),
        _ => String::new(),
    };
    lines.push(format!("Operations: {}{more}.", docs::cost(&each)));
    let conditions = conditions(module, function);
    if variant.checked && !conditions.is_empty() {
        docs::separate(&mut lines);
        lines.push("# Errors".to_owned());
        lines.push(String::new());
        lines.push("[`Singular`] near a state where".to_owned());
        lines.push(String::new());
        lines.extend(conditions);
    }
    lines
}

/// `9 (+ 3, * 5, / 1), and 4 (* 4) once per Params`, for the module's list.
pub fn listed(module: &Module, arrangement: &Arrangement, index: usize) -> String {
    let (once, each) = arrangement.count(module, index, true);
    match once.total() {
        0 => docs::cost(&each),
        _ => format!(
            "{}, and {} once per `Params`",
            docs::cost(&each),
            docs::cost(&once)
        ),
    }
}

/// A body that hands everything to a variant, with the parameters made ready by `made`.
fn forwarder<'m>(
    module: &'m Module,
    function: &'m EmittedFunction,
    variant: &str,
    made: &str,
) -> Body<'m> {
    let mut scope = Scope::new(module, function);
    let mut arguments = vec![Argument::Time, Argument::State];
    arguments.extend((0..function.extra_args.len()).map(Argument::Extra));
    let mut passed: Vec<Expr> = arguments
        .into_iter()
        .map(|argument| Expr::variable(scope.argument(argument)))
        .collect();
    scope.argument(Argument::Params);
    passed.push(Expr::atom(format!("&{made}")));
    if !module.inputs.is_empty() {
        passed.push(Expr::variable(scope.argument(Argument::Inputs)));
    }
    if !module.functions_trait.is_empty() {
        passed.push(Expr::variable(scope.argument(Argument::Functions)));
    }
    let mut block = Block::default();
    block.put(Target::Result, Value::Call(Call::new(variant, passed)));
    Body {
        block,
        scope,
        resembles_constant: false,
        returns_variable: false,
        split: None,
    }
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
    let is_routine = |&value: &ir::Value| matches!(module.graph.op(value), Op::Routine { .. });
    if live.iter().any(is_routine) {
        known.extend(function.routine_condition);
    }
    known.extend((module.conditions.len() as u32).checked_sub(1));
    known.sort_unstable();
    known.dedup();
    let known = known
        .iter()
        .filter_map(|&index| module.conditions.get(index as usize));
    known.flat_map(docs::condition).collect()
}
