//! The whole: which formulations, and the order of the sections.

use super::writer::Writer;
use super::{Exposition, Method, Section, common, method, model};
use crate::catalogue;
use crate::diag::{Diagnostic, Severity};
use crate::host::{with_session, with_stack};
use crate::model::System;
use crate::pipeline::DEFAULT_METHOD;
use crate::pipeline::derivation::{Extra, assembled_with, first_page};
use crate::pipeline::{DeriveOptions, Failure, Source, read_fixed};
use crate::survey::Page;

/// A derivation with its warnings: by the method of the options, or by `all` that apply.
///
/// # Errors
///
/// What is wrong with the model, or why the formulation (or every one) does not apply.
pub fn exposition(
    source: &Source,
    options: &DeriveOptions,
    all: bool,
) -> Result<(Exposition, Vec<Diagnostic>), Failure> {
    let (system, mut warnings) = read_fixed(source, &options.set, &options.fix)?;
    let copies = &system.copies;
    let result = with_stack(|| composed(&system, &source.text, options, all))?;
    let failed = |f: Failure| f.explained(copies).after(warnings.clone());
    let (shown, notes) = result.map_err(failed)?;
    warnings.extend(copies.explain(notes));
    Ok((shown, warnings))
}

fn composed(
    system: &System,
    text: &str,
    options: &DeriveOptions,
    all: bool,
) -> Result<(Exposition, Vec<Diagnostic>), Failure> {
    let default = options.method.as_deref().unwrap_or(DEFAULT_METHOD);
    let mut wanted = vec![default];
    if all {
        let others = catalogue::METHODS.iter().map(|m| m.name);
        wanted.extend(others.filter(|name| *name != default));
    }
    let mut w = Writer::new(system);
    let mut shown = Exposition {
        model: system.name.clone(),
        title: format!("Equations of motion of {}", system.name),
        symbols: model::symbols(&w, system),
        ..Exposition::default()
    };
    for paragraph in system.docs.split("\n\n") {
        if !paragraph.trim().is_empty() {
            shown.description.push(w.prose(paragraph));
        }
    }
    let mut notes = Vec::new();
    let mut first_failure = None;
    let mut shared: Option<Vec<Section>> = None;
    let (mut equations, mut chapters) = (Vec::new(), Vec::new());
    for name in wanted {
        let own = DeriveOptions {
            method: Some(name.into()),
            ..options.clone()
        };
        let found = match assembled_with(system, &own, Extra::Exposition) {
            Ok(found) => found.improved(),
            Err(failure) => {
                shown.refused.push((name.into(), reason(&failure)));
                first_failure.get_or_insert(failure);
                continue;
            }
        };
        let about = catalogue::METHODS.iter().find(|m| m.name == name);
        shown.methods.push(Method {
            name: name.into(),
            equation: about.map_or(String::new(), |m| m.equation.into()),
        });
        equations.push(method::equations(&mut w, name, &found));
        if shared.is_none() {
            let (page, more): (Page, Vec<Diagnostic>) = with_session(|| first_page(system, text))??;
            notes = found.notes.clone();
            notes.extend(more.into_iter().filter(|n| !found.notes.contains(n)));
            shared = Some(common::sections(&mut w, system, &page, &found));
        }
        chapters.extend(method::sections(&mut w, system, name, &found));
    }
    match (shared, first_failure) {
        (Some(shared), _) => {
            shown.sections = equations;
            let single = shown.methods.len() == 1;
            shown.sections.extend(ordered(shared, chapters, single));
            Ok((shown, notes))
        }
        (None, Some(failure)) => Err(failure),
        (None, None) => Err(Failure::Message("no formulation was requested".into())),
    }
}

/// Of a single formulation everything is in reading order; of several, what they share comes first.
fn ordered(shared: Vec<Section>, chapters: Vec<Section>, single: bool) -> Vec<Section> {
    let (kept, common): (Vec<Section>, Vec<Section>) = shared
        .into_iter()
        .partition(|s| single && s.id == "conserved");
    let late = |s: &Section| s.id.starts_with("named-") || s.id.starts_with("operations-");
    let (last, chapters): (Vec<Section>, Vec<Section>) =
        chapters.into_iter().partition(|s| single && late(s));
    [common, chapters, kept, last].concat()
}

/// Why a formulation does not apply, in one sentence.
fn reason(failure: &Failure) -> String {
    match failure {
        Failure::Message(text) => text.clone(),
        Failure::Diagnostics(list) => {
            let error = list.iter().find(|d| d.severity == Severity::Error);
            error.map_or(String::new(), |d| format!("{} ({})", d.title, d.code))
        }
    }
}
