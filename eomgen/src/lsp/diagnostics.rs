//! Messages on models as editors show them, and the changes that they propose. Knows nothing of when they are sent.

use super::place;
use super::world::{Analysis, World};
use crate::diag::{Diagnostic, Label, Severity};
use crate::model::expand::join;
use lsp_types as lsp;
use serde_json::Value;
use std::collections::BTreeMap;

/// The messages of a model, file by file; every file of the model is there.
pub(super) fn of(world: &mut World, analysis: &Analysis) -> BTreeMap<String, Vec<lsp::Diagnostic>> {
    let mut all: BTreeMap<String, Vec<lsp::Diagnostic>> = BTreeMap::new();
    for file in &analysis.files {
        all.entry(file.clone()).or_default();
    }
    for diagnostic in &analysis.diagnostics {
        let number = diagnostic.labels.first().map_or(0, |label| label.span.file);
        let Some(path) = analysis.files.get(number as usize) else {
            continue;
        };
        if let Some(message) = message(world, analysis, path, diagnostic) {
            all.entry(path.clone()).or_default().push(message);
        }
    }
    all
}

fn message(
    world: &mut World,
    analysis: &Analysis,
    path: &str,
    diagnostic: &Diagnostic,
) -> Option<lsp::Diagnostic> {
    let file = world.file(path)?;
    let primary = diagnostic.labels.first();
    let range = primary.map_or_else(lsp::Range::default, |label| file.text.range(label.span));
    let related = diagnostic.labels.iter().skip(1).filter_map(|label| {
        let path = analysis.files.get(label.span.file as usize)?;
        let file = world.file(path)?;
        Some(lsp::DiagnosticRelatedInformation {
            location: lsp::Location::new(place::uri(path)?, file.text.range(label.span)),
            message: label.text.clone(),
        })
    });
    let related: Vec<_> = related.collect();
    Some(lsp::Diagnostic {
        range,
        severity: Some(match diagnostic.severity {
            Severity::Error => lsp::DiagnosticSeverity::ERROR,
            Severity::Warning => lsp::DiagnosticSeverity::WARNING,
            Severity::Note => lsp::DiagnosticSeverity::INFORMATION,
        }),
        code: Some(lsp::NumberOrString::String(diagnostic.code.to_owned())),
        source: Some("eomgen".to_owned()),
        message: message_text(diagnostic),
        related_information: (!related.is_empty()).then_some(related),
        ..lsp::Diagnostic::default()
    })
}

/// The messages in the report of a process, file by file. Its model came from standard input, and so its name is not a path.
pub(super) fn of_report(
    world: &mut World,
    model: &str,
    report: &Value,
) -> BTreeMap<String, Vec<lsp::Diagnostic>> {
    let mut all: BTreeMap<String, Vec<lsp::Diagnostic>> = BTreeMap::new();
    let list = report.get("diagnostics").and_then(Value::as_array);
    for one in list.into_iter().flatten() {
        let said = |key: &str| one.get(key).and_then(Value::as_str).unwrap_or_default();
        let labels = one.get("labels").and_then(Value::as_array);
        let primary = labels.and_then(|labels| labels.first());
        let part = primary.and_then(|label| label.get("file")?.as_str());
        let part = part.map(|name| join(model, name));
        let path = part.filter(|path| world.file(path).is_some());
        let path = path.unwrap_or_else(|| model.to_owned());
        let Some(file) = world.file(&path) else {
            continue;
        };
        let byte = |end: &str| primary?.get(end)?.get("byte")?.as_u64();
        let place = |end| file.text.position(byte(end).unwrap_or(0) as usize);
        let mut text = said("title").to_owned();
        if let Some(label) = primary.and_then(|label| label.get("text")?.as_str())
            && !label.is_empty()
        {
            text.push_str(&format!(": {label}"));
        }
        let notes = one.get("notes").and_then(Value::as_array);
        for note in notes.into_iter().flatten().filter_map(Value::as_str) {
            text.push_str(&format!("\n{note}"));
        }
        if !said("help").is_empty() {
            text.push_str(&format!("\nhelp: {}", said("help")));
        }
        all.entry(path).or_default().push(lsp::Diagnostic {
            range: lsp::Range::new(place("start"), place("end")),
            severity: Some(match said("severity") {
                "error" => lsp::DiagnosticSeverity::ERROR,
                "warning" => lsp::DiagnosticSeverity::WARNING,
                _ => lsp::DiagnosticSeverity::INFORMATION,
            }),
            code: Some(lsp::NumberOrString::String(said("code").to_owned())),
            source: Some("eomgen".to_owned()),
            message: text,
            ..lsp::Diagnostic::default()
        });
    }
    all
}

/// Title, label, notes and help in one.
pub(super) fn message_text(diagnostic: &Diagnostic) -> String {
    let mut text = diagnostic.title.clone();
    let label = diagnostic.labels.first().map_or("", |label| &label.text);
    if !label.is_empty() {
        text.push_str(&format!(": {label}"));
    }
    for note in &diagnostic.notes {
        text.push_str(&format!("\n{note}"));
    }
    if let Some(help) = &diagnostic.help {
        text.push_str(&format!("\nhelp: {help}"));
    }
    text
}

/// The changes that the messages in a range of a file propose.
pub(super) fn actions(
    world: &mut World,
    path: &str,
    range: lsp::Range,
) -> Vec<lsp::CodeActionOrCommand> {
    let mut found = Vec::new();
    for model in world.models_of(path) {
        let Some(analysis) = world.analysis(&model) else {
            continue;
        };
        for diagnostic in &analysis.diagnostics {
            let Some(action) = action(world, &analysis, diagnostic, path, range) else {
                continue;
            };
            let action = lsp::CodeActionOrCommand::CodeAction(action);
            if !found.contains(&action) {
                found.push(action);
            }
        }
    }
    found
}

fn action(
    world: &mut World,
    analysis: &Analysis,
    diagnostic: &Diagnostic,
    path: &str,
    range: lsp::Range,
) -> Option<lsp::CodeAction> {
    let written = |label: &&Label| label.instead.is_some();
    let label = diagnostic.labels.iter().find(written)?;
    let instead = label.instead.as_ref()?;
    let primary = label.span;
    if analysis.files.get(primary.file as usize)? != path {
        return None;
    }
    let file = world.file(path)?;
    let own = file.text.range(primary);
    // Offered wherever the message shows, also where the change is to be made somewhere else.
    let near = |label: &Label| {
        let shown = file.text.range(label.span);
        label.span.file == primary.file && range.start <= shown.end && shown.start <= range.end
    };
    if !diagnostic.labels.iter().any(near) {
        return None;
    }
    let edit = lsp::TextEdit::new(own, instead.clone());
    Some(lsp::CodeAction {
        title: match instead.trim() {
            "" => "Remove this".to_owned(),
            text => format!("Write `{text}`"),
        },
        kind: Some(lsp::CodeActionKind::QUICKFIX),
        diagnostics: message(world, analysis, path, diagnostic).map(|d| vec![d]),
        edit: Some(edits(vec![(path.to_owned(), vec![edit])])?),
        is_preferred: Some(true),
        ..lsp::CodeAction::default()
    })
}

/// Changes of several files. In the form with a version, since the other is a map without an order.
pub(super) fn edits(all: Vec<(String, Vec<lsp::TextEdit>)>) -> Option<lsp::WorkspaceEdit> {
    let changes = all.into_iter().map(|(path, edits)| {
        Some(lsp::TextDocumentEdit {
            text_document: lsp::OptionalVersionedTextDocumentIdentifier {
                uri: place::uri(&path)?,
                version: None,
            },
            edits: edits.into_iter().map(lsp::OneOf::Left).collect(),
        })
    });
    let changes: Option<Vec<_>> = changes.collect();
    Some(lsp::WorkspaceEdit {
        document_changes: Some(lsp::DocumentChanges::Edits(changes?)),
        ..lsp::WorkspaceEdit::default()
    })
}
