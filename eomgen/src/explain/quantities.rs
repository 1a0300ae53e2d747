//! Quantities asked for by name: one section each, entry by entry.

use super::mathematics::Reader;
use crate::catalogue;
use crate::form::{Context, Table};
use crate::notation::{Line, Math};

/// A quantity for a reader.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// Its name in the catalogue.
    pub name: String,
    /// How the sources write it.
    pub symbol: String,
    /// What it is, with what is peculiar to the model.
    pub docs: String,
    /// Where it is defined: `Udwadia & Kalaba 2002, 43-46`.
    pub source: String,
    /// `tangent_projector[x, y] = ...`; empty where expressions have names.
    pub lines: Vec<Line>,
}

/// A quantity as a section.
pub fn section(c: &mut Context<'_>, table: &Table) -> Section {
    let lines = if c.alg.is_closed() {
        lines(&mut Reader::new(c), table)
    } else {
        Vec::new()
    };
    Section {
        name: table.title(),
        docs: docs(table),
        lines,
        ..about(table.name).unwrap_or_default()
    }
}

/// A section that says what a quantity is, without its entries.
pub fn about(name: &str) -> Option<Section> {
    let about = catalogue::output(name)?;
    Some(Section {
        name: name.to_string(),
        symbol: about.symbol.to_string(),
        docs: about.docs.to_string(),
        source: catalogue::citation(about.source),
        lines: Vec::new(),
    })
}

/// What a quantity is, with what is peculiar to the model.
pub fn docs(table: &Table) -> String {
    let docs = catalogue::output(table.name).map_or("", |q| q.docs);
    let docs = match table.places.as_slice() {
        [] => docs.to_owned(),
        [one] => format!("{docs} Here of `{one}`."),
        several => format!("{docs} Here of `{}`.", several.join("` and `")),
    };
    match table.note.as_str() {
        "" => docs,
        note => format!("{docs} {note}"),
    }
}

/// The entries that are not zero.
fn lines(reader: &mut Reader<'_, '_>, table: &Table) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let scalar = table.rows.is_empty() && table.entries.len() == 1;
    for (label, e) in table.labels().iter().zip(&table.entries) {
        if reader.c.alg.is_zero(e) {
            continue;
        }
        let left = if scalar {
            reader.names().quantity(&table.title())
        } else {
            Math::Symbol(
                reader
                    .names()
                    .symbol(&format!("{}[{label}]", table.title())),
            )
        };
        let right = reader.entry(e);
        lines.push(Line::equation(left, right));
    }
    let zeros = table.entries.len() - lines.len();
    lines.extend(match (lines.is_empty(), zeros) {
        (_, 0) => None,
        (true, _) => Some(Line::equation(
            reader.names().quantity(&table.title()),
            Math::integer(0),
        )),
        (false, 1) => Some(Line::words("the other entry is 0")),
        (false, _) => Some(Line::words("the other entries are 0")),
    });
    lines
}
