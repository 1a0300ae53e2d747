//! A model as a [machine](Machine): derived once, as data that another process runs.
//!
//! What a motion needs beside the module's functions (what is followed, what is drawn) is derived together with them, as further outputs of the model.

mod added;
mod request;
mod slopes;
mod start;
mod tapes;

use super::derivation::{assembled, first_page};
use super::{DeriveOptions, Failure, Source, formula, read_fixed};
use crate::diag::codes::motion::{E0590, E0591, E0592};
use crate::diag::{Diagnostic, suggest};
use crate::host::{with_session, with_stack};
use crate::machine::{Machine, Value};
use crate::model::System;
use crate::model::system::Meta;
use crate::program::Assembled;
use added::Added;
pub use request::{EventRequest, MotionRequest};
pub(super) use start::start;
pub use start::{StartChange, StartReport};

/// Quantities that the audit needs.
const AUDITED: [&str; 2] = ["coordinate_mass_matrix", "applied_forces"];

/// Derives a machine.
///
/// # Errors
/// What is wrong with the model, or with what was asked for.
pub fn machine_source(
    source: &Source,
    options: &DeriveOptions,
    request: &MotionRequest,
) -> Result<(Machine, Vec<Diagnostic>), Failure> {
    let (system, mut warnings) = read_fixed(source, &options.set, &options.fix)?;
    let failed = |f: Failure| f.explained(&system.copies);
    let missing = lacking(&system, request);
    if !missing.is_empty() {
        return Err(failed(Failure::Diagnostics(missing)).after(warnings));
    }
    let (mut more, mut complaints) = (system.clone(), Vec::new());
    let added = Added::to(&mut more, request, &mut complaints);
    let given = given(&system, request, &mut complaints);
    let held = request.held.iter().filter_map(|(name, text)| {
        let tape = number(&system, name, text, &mut complaints)?;
        let name = name.clone();
        Some(Value { name, tape })
    });
    let held = held.collect();
    let functions = functions(&system, request, &mut complaints);
    if !complaints.is_empty() {
        return Err(Failure::Message(complaints.join("\n")));
    }
    let assembled = derived(&more, options, request).map_err(failed)?;
    warnings.extend(system.copies.explain(assembled.notes.clone()));
    let constant = if request.audit && options.set.is_empty() {
        constant_momenta(&system, source)
    } else {
        Vec::new()
    };
    let machine = tapes::machine(&system, assembled, &added, &constant);
    let machine = Machine {
        functions,
        given,
        held,
        ..machine
    };
    Ok((machine, warnings))
}

/// With the quantities of the audit, or without those if the model has none of them.
fn derived(
    system: &System,
    options: &DeriveOptions,
    request: &MotionRequest,
) -> Result<Assembled, Failure> {
    let derived = |options: &DeriveOptions| with_stack(|| assembled(system, options))?;
    if request.audit {
        let outputs = AUDITED.map(str::to_owned).into_iter();
        let audited = DeriveOptions {
            outputs: options.outputs.iter().cloned().chain(outputs).collect(),
            ..options.clone()
        };
        if let Ok(found) = derived(&audited) {
            return Ok(found);
        }
    }
    derived(options)
}

/// The coordinates whose momenta are constant, by name.
fn constant_momenta(system: &System, source: &Source) -> Vec<usize> {
    let Ok(Ok((page, _))) = with_session(|| first_page(system, &source.text)) else {
        return Vec::new();
    };
    let constant = |name: &str| {
        let mut found = page.cyclic.iter();
        found.any(|c| c.name == name && c.because.is_none())
    };
    let coords = system.coords.iter().enumerate();
    let of = coords.filter(|(_, c)| constant(&c.meta.name));
    of.map(|(i, _)| i).collect()
}

/// What has no value: parameters, inputs, functions.
fn lacking(system: &System, request: &MotionRequest) -> Vec<Diagnostic> {
    let mut list = Vec::new();
    let mut note = |code, kind: &str, meta: &Meta, help: String| {
        let title = format!("the {kind} `{}` has no value", meta.name);
        let label = "a motion needs a number here at every moment";
        list.push(Diagnostic::error(code, title, meta.span, label).help(help));
    };
    let among = |names: &[(String, String)], name: &str| names.iter().any(|(n, _)| n == name);
    for p in &system.params {
        let name = &p.meta.name;
        if p.default.is_none() && !among(&request.params, name) && !among(&request.held, name) {
            let help = format!("give it a default in the model, or `--param {name}=1`");
            note(E0590, "parameter", &p.meta, help);
        }
    }
    for i in &system.inputs {
        let name = &i.meta.name;
        let table = request.tables.iter().any(|t| t.0 == *name);
        if !table && !among(&request.inputs, name) && !request.idle {
            let help = format!(
                "give an expression, as in `--input '{name} = 0'`, or a table, `--input {name}=FILE.csv`"
            );
            note(E0591, "input", &i.meta, help);
        }
    }
    for f in &system.functions {
        let name = &f.meta.name;
        if !among(&request.functions, name) {
            let first = f.arg_names.first().map_or("0", String::as_str);
            let help = format!(
                "give an expression in its arguments, as in `--function '{name} = {first}'`"
            );
            note(E0592, "function", &f.meta, help);
        }
    }
    list
}

/// Parameters, coordinates and speeds with values from outside.
fn given(system: &System, request: &MotionRequest, complaints: &mut Vec<String>) -> Vec<Value> {
    let mut list = Vec::new();
    let params: Vec<&str> = names(system.params.iter().map(|p| &p.meta));
    for (name, text) in &request.params {
        if !params.contains(&name.as_str()) {
            complaints.push(unknown("parameter", name, &params));
        } else if let Some(tape) = number(system, name, text, complaints) {
            let name = name.clone();
            list.push(Value { name, tape });
        }
    }
    for (name, text) in &request.initial {
        // Whether there is such a speed is known once speeds are chosen.
        if let Some(tape) = number(system, name, text, complaints) {
            let name = name.clone();
            list.push(Value { name, tape });
        }
    }
    list
}

fn names<'a>(list: impl Iterator<Item = &'a Meta>) -> Vec<&'a str> {
    list.map(|m| m.name.as_str()).collect()
}

/// That there is nothing of that name.
pub(super) fn unknown(noun: &str, name: &str, known: &[&str]) -> String {
    let hint = match suggest::closest(name, known.iter().copied()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None if known.is_empty() => format!("the model has no {noun}"),
        None => format!("the model has {}", known.join(", ")),
    };
    format!("unknown {noun} \"{name}\"; {hint}")
}

/// The declared unit of what may be given a number.
fn unit_of<'s>(system: &'s System, name: &str) -> Option<&'s str> {
    let metas = system.params.iter().map(|p| &p.meta);
    let metas = metas.chain(system.coords.iter().map(|c| &c.meta));
    let metas = metas.chain(system.speeds.iter().map(|s| &s.meta));
    let metas = metas.chain(system.states.iter().map(|s| &s.meta));
    let mut metas = metas.chain(system.inputs.iter().map(|i| &i.meta));
    metas.find(|m| m.name == name)?.unit.as_deref()
}

fn number(
    system: &System,
    name: &str,
    text: &str,
    complaints: &mut Vec<String>,
) -> Option<crate::ir::tape::Tape> {
    let scalar = added::scalar(system, name, text, complaints)?;
    let plain = name.trim_end_matches('\'');
    let order = (name.len() - plain.len()) as i64;
    let foreign =
        unit_of(system, plain).and_then(|unit| crate::model::foreign_unit(text, unit, order));
    if let Some(foreign) = foreign {
        complaints.push(format!("{name} = {text}: {foreign}"));
        return None;
    }
    let found = formula::of_parameters(system, &scalar);
    found
        .map_err(|e| complaints.push(format!("{name} = {text}: {e}")))
        .ok()
}

/// The user's functions, in the model's order.
fn functions(
    system: &System,
    request: &MotionRequest,
    complaints: &mut Vec<String>,
) -> Vec<crate::ir::tape::Tape> {
    let known: Vec<&str> = names(system.functions.iter().map(|f| &f.meta));
    for (name, _) in &request.functions {
        if !known.contains(&name.as_str()) {
            complaints.push(unknown("function", name, &known));
        }
    }
    let mut list = Vec::new();
    for (i, f) in system.functions.iter().enumerate() {
        let given = request.functions.iter().find(|(n, _)| *n == f.meta.name);
        let Some((name, text)) = given else { continue };
        let scalar = added::scalar(system, name, text, complaints);
        match scalar.map(|s| formula::function(system, i, &s)) {
            Some(Ok(tape)) => list.push(tape),
            Some(Err(e)) => complaints.push(format!("{name} = {text}: {e}")),
            None => {}
        }
    }
    list
}
