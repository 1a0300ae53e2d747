//! Diagnostics as JSON, for editors and scripts.

use super::lines::Lines;
use super::{Diagnostic, Severity, Sources};
use serde_json::{Value, json};

/// The diagnostics as a JSON array. Each has `severity` (`error`, `warning`, `note`), `code`, `title`, `labels`
/// (the primary one first; `file`, `start` and `end` with 1-based `line` and `column` in characters and the 0-based
/// `byte`, `text`), `notes` and `help` (or null).
pub fn to_json(source_name: &str, text: &str, diagnostics: &[Diagnostic]) -> Value {
    sources_to_json(&Sources::new(source_name, text), diagnostics)
}

/// [`to_json`] for a model in several files.
pub fn sources_to_json(sources: &Sources, diagnostics: &[Diagnostic]) -> Value {
    let files: Vec<(&str, Lines)> = sources
        .files()
        .iter()
        .map(|(name, text)| (*name, Lines::new(text)))
        .collect();
    diagnostics
        .iter()
        .map(|one| diagnostic(&files, one))
        .collect()
}

fn diagnostic(files: &[(&str, Lines)], diagnostic: &Diagnostic) -> Value {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let labels: Vec<Value> = diagnostic
        .labels
        .iter()
        .filter_map(|label| {
            let (name, lines) = files.get(label.span.file as usize)?;
            let range = lines.clamp(label.span.start, label.span.end);
            let place = |byte: usize| {
                let (line, column) = lines.position(byte);
                json!({ "line": line, "column": column, "byte": byte })
            };
            Some(json!({
                "file": name,
                "start": place(range.start),
                "end": place(range.end),
                "text": label.text,
            }))
        })
        .collect();
    json!({
        "severity": severity,
        "code": diagnostic.code,
        "title": diagnostic.title,
        "labels": labels,
        "notes": diagnostic.notes,
        "help": diagnostic.help,
    })
}
