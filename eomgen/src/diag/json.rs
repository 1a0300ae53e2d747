//! Diagnostics as JSON, for editors and scripts.

use super::lines::Lines;
use super::{Diagnostic, Severity, Sources};
use serde::Serialize;
use serde_json::{Value, json};

/// The diagnostics as a JSON array. Each has `severity` (`error`, `warning`, `note`), `code`, `title`, `labels`
/// (the primary one first; `file`, `start` and `end` with 1-based `line` and `column` in characters and the 0-based
/// `byte`, `text`), `notes` and `help` (or null).
pub fn to_json(source_name: &str, text: &str, diagnostics: &[Diagnostic]) -> Value {
    sources_to_json(&Sources::new(source_name, text), diagnostics)
}

/// [`to_json`] for a model in several files.
pub fn sources_to_json(sources: &Sources, diagnostics: &[Diagnostic]) -> Value {
    let files = sources.lines();
    diagnostics
        .iter()
        .map(|one| diagnostic(&files, one))
        .collect()
}

/// A diagnostic in JSON.
#[derive(Serialize)]
struct Message<'a> {
    severity: &'static str,
    code: &'static str,
    title: &'a str,
    labels: Vec<Label<'a>>,
    notes: &'a [String],
    help: Option<&'a str>,
}

/// A label in JSON.
#[derive(Serialize)]
struct Label<'a> {
    file: &'a str,
    start: Place,
    end: Place,
    text: &'a str,
}

/// A place in JSON.
#[derive(Serialize)]
struct Place {
    line: usize,
    column: usize,
    byte: usize,
}

fn diagnostic(files: &[(&str, Lines)], diagnostic: &Diagnostic) -> Value {
    let labels = diagnostic.labels.iter().filter_map(|label| {
        let (name, lines) = files.get(label.span.file as usize)?;
        let range = lines.clamp(label.span.start, label.span.end);
        let place = |byte: usize| {
            let (line, column) = lines.position(byte);
            Place { line, column, byte }
        };
        Some(Label {
            file: name,
            start: place(range.start),
            end: place(range.end),
            text: &label.text,
        })
    });
    json!(Message {
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        code: diagnostic.code,
        title: &diagnostic.title,
        labels: labels.collect(),
        notes: &diagnostic.notes,
        help: diagnostic.help.as_deref(),
    })
}
