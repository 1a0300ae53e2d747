//! Markdown as code hosts render it: mathematics between `$$` and within `` $`...`$ ``, tables with pipes.

use super::{methods_line, refusals};
use crate::notation::{Definition, Line, Math, latex, latex_rows};
use crate::pipeline::exposition::{Block, Exposition, Piece, Prose, Table};

/// Columns of Unicode after which a row of an equation is broken.
const WIDE: usize = 80;

pub(super) fn write(shown: &Exposition) -> String {
    let mut out = format!("# {}\n", plain(&shown.title));
    let mut paragraph = |text: String| out.push_str(&format!("\n{text}\n"));
    for p in &shown.description {
        paragraph(prose(p));
    }
    if let Some(line) = methods_line(shown) {
        paragraph(plain(&line));
    }
    for section in &shown.sections {
        paragraph(format!("## {}", section.title));
        for block in &section.blocks {
            paragraph(of(block));
        }
    }
    let refused = refusals(shown);
    if !refused.is_empty() {
        paragraph("## Formulations that do not apply".into());
        let items: Vec<String> = refused.iter().map(|r| format!("- {}", plain(r))).collect();
        paragraph(items.join("\n"));
    }
    out
}

fn of(block: &Block) -> String {
    match block {
        Block::Paragraph(p) => prose(p),
        Block::List(items) => {
            let item = |p: &Prose| format!("- {}", prose(p));
            items.iter().map(item).collect::<Vec<_>>().join("\n")
        }
        Block::Equations(lines, named) => equations(lines, named),
        Block::Table(t) => table(t),
    }
}

/// Commands that are no punctuation, which Markdown would take the backslash from.
fn portable(text: &str) -> String {
    text.replace("\\\\", "\\cr")
        .replace("\\,", "\\thinspace")
        .replace(['\n'], " ")
}

fn display(m: &Math) -> String {
    format!("$$\n{}\n$$", portable(&latex_rows(m, WIDE)))
}

fn equations(lines: &[Line], named: &[Definition]) -> String {
    let mut parts = Vec::new();
    for line in lines {
        if let Some(label) = &line.label {
            parts.push(format!("{}:", plain(label)));
        }
        parts.push(display(&line.math));
        if let Some(scaling) = line.scaling(|m| format!("$`{}`$", portable(&latex(m)))) {
            parts.push(format!("({scaling})"));
        }
    }
    if !named.is_empty() {
        parts.push("where".into());
        for d in named {
            let math = Math::equation(Math::Symbol(d.name.clone()), d.value.clone());
            parts.push(display(&math));
        }
    }
    parts.join("\n\n")
}

fn prose(p: &Prose) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Words(text) => plain(text),
        Piece::Math(m) => format!("$`{}`$", portable(&latex(m))),
        Piece::Code(text) => format!("`{}`", text.replace('`', "'")),
    };
    let text: String = p.iter().map(piece).collect();
    // Nothing at the beginning of a line is taken for the start of a list or a heading.
    if text.starts_with(['#', '-', '+', '>', '=']) {
        format!("\\{text}")
    } else {
        text
    }
}

/// Words in which nothing is taken for a mark.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if matches!(
            c,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '$' | '~'
        ) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn table(t: &Table) -> String {
    let row = |cells: &[Prose]| {
        let cell = |c: &Prose| {
            prose(c)
                .replace('|', "\\|")
                .replace("\\\\|", "\\|")
                .replace('\n', " ")
        };
        let cells: Vec<String> = cells.iter().map(cell).collect();
        format!("| {} |", cells.join(" | "))
    };
    let mut lines = vec![
        row(&t.columns),
        format!("|{}", " --- |".repeat(t.columns.len())),
    ];
    lines.extend(t.rows.iter().map(|r| row(r)));
    lines.join("\n")
}
