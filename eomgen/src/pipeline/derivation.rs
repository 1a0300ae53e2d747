//! The derivation inside a session: presentation and components chosen by size and count.

use super::module::module;
use super::{
    CheckReport, ConstraintInfo, ConstraintKind, CoordInfo, DeriveOptions, Derived, Failure, Form,
    SpeedInfo, read,
};
use crate::assemble::{Assembled, Presentation, assemble};
use crate::diag::Diagnostic;
use crate::emit;
use crate::form;
use crate::host::with_session;
use crate::mech::constraints::Level;
use crate::mech::kinematics::Components;
use crate::mech::speeds::Choice;
use crate::model::System;

/// The method where none is asked for.
pub const DEFAULT_METHOD: &str = "kane";

/// Closed presentation is tried by `auto` up to this many coordinates and moving frames and points.
const CLOSED_COORDINATES: usize = 12;
const CLOSED_PARTS: usize = 14;
/// And kept if the mass matrix and forcing have at most this many symbols and numbers together.
const CLOSED_SIZE: usize = 700;
/// Terms that simplification may handle before `auto` gives the closed form up.
const CLOSED_WORK: usize = 400_000;

/// Derives the equations of motion and writes them as a Rust module. `source_name` is the path
/// that messages show; only its last part enters the module.
pub fn derive(source_name: &str, text: &str, options: &DeriveOptions) -> Result<Derived, Failure> {
    let (system, mut warnings) = read(text)?;
    let (name, text, options) = (source_name.to_string(), text.to_string(), options.clone());
    let result = with_session(move || -> Result<(String, Vec<Diagnostic>), Failure> {
        let assembled = assembled(&system, &options)?;
        let notes = assembled.notes.clone();
        let module = module(&name, &text, &system, &options, assembled);
        let code = emit::emit(&module)
            .map_err(|e| Failure::Message(format!("cannot write the module: {e}")))?;
        Ok((code, notes))
    })?;
    let (code, notes) = result.map_err(|f| f.after(warnings.clone()))?;
    warnings.extend(notes);
    Ok(Derived { code, warnings })
}

/// Checks the model and counts its degrees of freedom.
pub fn check(_source_name: &str, text: &str) -> Result<CheckReport, Failure> {
    let (system, mut warnings) = read(text)?;
    let copy = system.clone();
    let result = with_session(move || summary(&system))?;
    let (s, notes) = result.map_err(|f| f.after(warnings.clone()))?;
    warnings.extend(notes);
    let speeds = s.speeds.iter().map(|(name, independent)| SpeedInfo {
        name: name.clone(),
        unit: unit_of_speed(&copy, name),
        independent: *independent,
    });
    let constraints = s
        .constraints
        .iter()
        .map(|(name, level, linear, rows, rank)| ConstraintInfo {
            name: name.clone(),
            kind: match (level, linear) {
                (Level::Position, _) => ConstraintKind::Holonomic,
                (Level::Velocity, true) => ConstraintKind::Linear,
                (Level::Velocity, false) => ConstraintKind::Nonlinear,
                (Level::Acceleration, _) => ConstraintKind::Accelerations,
            },
            rows: *rows,
            rank: *rank,
        });
    Ok(CheckReport {
        model: copy.name.clone(),
        degrees_of_freedom: s.freedom,
        rank: s.rank,
        coordinates: copy
            .coords
            .iter()
            .map(|c| CoordInfo {
                name: c.meta.name.clone(),
                unit: c.meta.unit.clone(),
            })
            .collect(),
        speeds: speeds.collect(),
        constraints: constraints.collect(),
        warnings,
    })
}

fn unit_of_speed(system: &System, name: &str) -> Option<String> {
    if let Some(s) = system.speeds.iter().find(|s| s.meta.name == name) {
        return s.meta.unit.clone();
    }
    let coord = name.strip_suffix('\'')?;
    let c = system.coords.iter().find(|c| c.meta.name == coord)?;
    c.meta.unit.as_ref().map(|u| crate::assemble::rate_unit(u))
}

/// The context alone: everything `check` needs, without forming equations.
fn summary(system: &System) -> Result<(crate::assemble::Summary, Vec<Diagnostic>), Failure> {
    let form = if small(system) {
        Presentation::Closed
    } else {
        Presentation::Staged
    };
    crate::assemble::summarise(system, form).map_err(Failure::Diagnostics)
}

fn small(system: &System) -> bool {
    system.coords.len() <= CLOSED_COORDINATES
        && system.frames.len() + system.points.len() <= CLOSED_PARTS
}

/// Derives and assembles in the presentation asked for, or in the better one. Call within a session.
pub(super) fn assembled(system: &System, options: &DeriveOptions) -> Result<Assembled, Failure> {
    let name = options.method.as_deref().unwrap_or(DEFAULT_METHOD);
    let Some(method) = form::find(name) else {
        let known: Vec<&str> = form::ALL.iter().map(|f| f.name()).collect();
        return Err(Failure::Message(format!(
            "unknown method '{name}'; the methods are {}",
            known.join(", ")
        )));
    };
    let choice = Choice {
        dependent: options.dependent.clone(),
    };
    let run = |form, components, work| {
        assemble(system, method, form, components, &choice, work).map_err(Failure::Diagnostics)
    };
    let staged = || -> Result<Assembled, Failure> {
        let local = run(Presentation::Staged, Components::Local, None)?;
        let inertial = run(Presentation::Staged, Components::Inertial, None)?;
        let better = match (local, inertial) {
            (Some(l), Some(i)) => Some(if i.operations() < l.operations() {
                i
            } else {
                l
            }),
            (l, i) => l.or(i),
        };
        better.ok_or_else(|| {
            Failure::Message("internal error: an unlimited derivation gave up".into())
        })
    };
    let closed = |work| run(Presentation::Closed, Components::Local, work);
    match options.form {
        Form::Closed => match closed(None)? {
            Some(a) => Ok(a),
            None => staged(),
        },
        Form::Staged => staged(),
        Form::Auto if small(system) => match closed(Some(CLOSED_WORK))? {
            Some(first) if first.closed_size <= CLOSED_SIZE => Ok(first),
            _ => staged(),
        },
        Form::Auto => staged(),
    }
}
