//! Diagnostics as text for people, in the style of rustc.

use super::excerpt::excerpts;
use super::lines::Lines;
use super::{Diagnostic, Severity, Sources};
use crate::visible::visible;
use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

/// Longest message text shown, in characters; names in a hostile input may be huge.
const TEXT_LIMIT: usize = 600;

/// All messages, a blank line between them. Spans may be wrong in any way; long lines are cut around their labels.
pub fn render(source_name: &str, text: &str, diagnostics: &[Diagnostic], color: bool) -> String {
    render_sources(&Sources::new(source_name, text), diagnostics, color)
}

/// [`render`] for a model in several files.
pub fn render_sources(sources: &Sources, diagnostics: &[Diagnostic], color: bool) -> String {
    let files = sources.lines();
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut out = String::new();
    for (index, diagnostic) in diagnostics.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        for line in renderer.render(&[group(&files, diagnostic)]).lines() {
            if !is_separator(line) {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    out
}

/// The `:::` that announces a further source. Each source has its own line with name and place here: the true one,
/// where the crate would count columns in what is left of a cut line.
fn is_separator(line: &str) -> bool {
    let mut in_escape = false;
    let mut colons = 0;
    for c in line.chars() {
        match c {
            '\u{1b}' => in_escape = true,
            'm' if in_escape => in_escape = false,
            _ if in_escape => {}
            ':' => colons += 1,
            ' ' => {}
            _ => return false,
        }
    }
    colons == 3
}

fn group<'a>(files: &'a [(&'a str, Lines<'a>)], diagnostic: &'a Diagnostic) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(clip(&diagnostic.title));
    let mut elements: Vec<Element<'a>> = Vec::new();
    for (number, (name, lines)) in files_in_order(files, diagnostic) {
        let labels: Vec<_> = diagnostic
            .labels
            .iter()
            .enumerate()
            .filter(|(_, label)| label.span.file as usize == number)
            .map(|(index, label)| (index, lines.clamp(label.span.start, label.span.end)))
            .collect();
        for excerpt in excerpts(lines, &labels) {
            let first = excerpt.marks.iter().min_by_key(|(_, label)| *label);
            let place =
                first.and_then(|(_, label)| labels.iter().find(|(index, _)| index == label));
            if let Some((_, range)) = place {
                let (line, column) = lines.position(range.start);
                elements.push(
                    Origin::path(visible(name))
                        .line(line)
                        .char_column(column)
                        .into(),
                );
            }
            let annotations = excerpt.marks.iter().map(|(range, label)| {
                let kind = if *label == 0 {
                    AnnotationKind::Primary
                } else {
                    AnnotationKind::Context
                };
                let text = diagnostic.labels.get(*label).map(|label| clip(&label.text));
                kind.span(range.clone())
                    .label(text.filter(|text| !text.is_empty()))
            });
            let snippet = Snippet::source(excerpt.text.clone())
                .line_start(excerpt.first_line)
                .annotations(annotations.collect::<Vec<_>>());
            elements.push(snippet.into());
        }
    }
    let notes = diagnostic
        .notes
        .iter()
        .map(|note| Level::NOTE.message(clip(note)));
    elements.extend(notes.map(Element::from));
    if let Some(help) = &diagnostic.help {
        elements.push(Level::HELP.message(clip(help)).into());
    }
    title.id(diagnostic.code).elements(elements)
}

/// The files that the diagnostic speaks of, the one with the primary label first.
fn files_in_order<'a>(
    files: &'a [(&'a str, Lines<'a>)],
    diagnostic: &Diagnostic,
) -> Vec<(usize, &'a (&'a str, Lines<'a>))> {
    let mut numbers: Vec<usize> = Vec::new();
    for label in &diagnostic.labels {
        let number = label.span.file as usize;
        if number < files.len() && !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    numbers.into_iter().map(|n| (n, &files[n])).collect()
}

/// Cuts a text to a length that fits a message, which a terminal shows and does not obey.
fn clip(text: &str) -> String {
    match text.char_indices().nth(TEXT_LIMIT) {
        Some((at, _)) => format!("{}...", visible(&text[..at])),
        None => visible(text),
    }
}
