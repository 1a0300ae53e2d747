//! Data for programs; the schema is `docs/show.schema.json`.

use crate::notation::{Definition, Line, Math, latex, one_line};
use crate::pipeline::exposition::{Block, Entry, Exposition, Piece, Prose, Section, Table};
use serde_json::{Value, json};

pub(super) fn write(shown: &Exposition) -> String {
    let list = |items: Vec<Value>| Value::Array(items);
    let value = json!({
        "format": "eomgen-show-1",
        "model": shown.model,
        "title": shown.title,
        "description": list(shown.description.iter().map(prose).collect()),
        "methods": list(shown.methods.iter().map(|m| json!({ "name": m.name, "equation": m.equation })).collect()),
        "refused": list(shown.refused.iter().map(|(m, r)| json!({ "method": m, "reason": r })).collect()),
        "symbols": list(shown.symbols.iter().map(entry).collect()),
        "sections": list(shown.sections.iter().map(section).collect()),
    });
    format!("{value:#}\n")
}

fn entry(e: &Entry) -> Value {
    let symbol = Math::Symbol(e.symbol.clone());
    json!({
        "name": e.symbol.name,
        "unicode": one_line(&symbol),
        "latex": latex(&symbol),
        "kind": e.kind,
        "meaning": e.meaning,
        "unit": e.unit,
        "default": e.default,
    })
}

fn section(s: &Section) -> Value {
    json!({
        "id": s.id,
        "title": s.title.replace('`', ""),
        "method": s.method,
        "blocks": s.blocks.iter().map(block).collect::<Vec<_>>(),
    })
}

fn block(b: &Block) -> Value {
    match b {
        Block::Paragraph(p) => json!({ "kind": "paragraph", "text": prose(p) }),
        Block::List(items) => {
            json!({ "kind": "list", "items": items.iter().map(prose).collect::<Vec<_>>() })
        }
        Block::Equations(lines, named) => json!({
            "kind": "equations",
            "equations": lines.iter().map(line).collect::<Vec<_>>(),
            "where": named.iter().map(definition).collect::<Vec<_>>(),
        }),
        Block::Table(t) => table(t),
    }
}

fn math(m: &Math) -> Value {
    json!({ "unicode": one_line(m), "latex": latex(m) })
}

fn line(l: &Line) -> Value {
    json!({ "label": l.label, "math": math(&l.math) })
}

fn definition(d: &Definition) -> Value {
    json!({ "name": math(&Math::Symbol(d.name.clone())), "math": math(&d.value) })
}

/// Pieces in order: each has its kind.
fn prose(p: &Prose) -> Value {
    let piece = |piece: &Piece| match piece {
        Piece::Words(text) => json!({ "kind": "words", "text": text }),
        Piece::Code(text) => json!({ "kind": "code", "text": text }),
        Piece::Math(m) => json!({ "kind": "math", "math": math(m) }),
    };
    p.iter().map(piece).collect::<Vec<_>>().into()
}

fn table(t: &Table) -> Value {
    let row = |cells: &Vec<Prose>| Value::Array(cells.iter().map(prose).collect());
    json!({
        "kind": "table",
        "columns": row(&t.columns),
        "rows": t.rows.iter().map(row).collect::<Vec<_>>(),
    })
}
