//! The model itself: symbols with their meaning, bodies, coordinates, speeds, parameters, loads, constraints, as tables.

use super::writer::{Writer, table};
use super::{Block, Entry, Piece, Prose, Table, words};
use crate::model::System;
use crate::model::system::{ConstraintRelation, Meta, Param};
use crate::notation::{Math, Symbol};
use crate::survey::Page;
use crate::sym::typed_number;

/// Every symbol with its meaning.
pub(super) fn symbols(w: &Writer, system: &System) -> Vec<Entry> {
    let entry = |m: &Meta, kind, default| Entry {
        symbol: w.names.symbol(&m.name),
        kind,
        meaning: oneline(&m.docs),
        unit: m.unit.clone(),
        default,
    };
    let kinds = [
        ("coordinate", metas(&system.coords, |c| &c.meta)),
        ("speed", metas(&system.speeds, |s| &s.meta)),
        ("parameter", metas(&system.params, |p| &p.meta)),
        ("state", metas(&system.states, |s| &s.meta)),
        ("input", metas(&system.inputs, |i| &i.meta)),
        ("function", metas(&system.functions, |f| &f.meta)),
        ("reaction", metas(&system.joints, |j| &j.meta)),
    ];
    let of = |m: &Meta| {
        let param = system.params.iter().find(|p| p.meta.name == m.name);
        param.and_then(default)
    };
    let mut list: Vec<Entry> = Vec::new();
    for (kind, metas) in kinds {
        list.extend(metas.into_iter().map(|m| entry(m, kind, of(m))));
    }
    for c in &system.constraints {
        let rows: &[&str] = match c.relation {
            ConstraintRelation::Scalar { .. } => &[""],
            ConstraintRelation::Vector { .. } => &[".x", ".y", ".z"],
        };
        for row in rows {
            let name = format!("{}{row}", c.meta.name);
            list.push(Entry {
                symbol: Symbol::of(&format!("lambda[{name}]")),
                kind: "multiplier",
                meaning: format!("multiplier of the constraint {name}"),
                unit: None,
                default: None,
            });
        }
    }
    list
}

fn metas<T>(list: &[T], meta: fn(&T) -> &Meta) -> Vec<&Meta> {
    list.iter().map(meta).collect()
}

/// The default of a parameter as one types it.
fn default(p: &Param) -> Option<String> {
    let unit = p.meta.unit.as_deref();
    p.default.as_ref().map(|value| typed_number(value, unit))
}

pub(super) fn model(w: &Writer, system: &System, page: &Page) -> Vec<Block> {
    let tables = [
        bodies(w, page),
        coordinates(w, page),
        speeds(w, page),
        parameters(w, system),
        states(w, system),
        inputs(w, system),
        functions(w, system),
        loads(w, page),
        constraints(w, page),
    ];
    let tables = tables.into_iter().filter(|t| !t.rows.is_empty());
    let mut blocks = vec![Block::Paragraph(words(&counts(page)))];
    blocks.extend(tables.map(|t| Block::Table(trimmed(t))));
    blocks
}

/// `2 bodies, 3 coordinates, 1 constraint row of rank 1: 2 degrees of freedom.`
fn counts(page: &Page) -> String {
    let plural =
        |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    let rows: usize = page.constraints.iter().map(|c| c.rows.len()).sum();
    format!(
        "{}, {}, {} of rank {}: {} of freedom.",
        plural(page.bodies.len(), "body", "bodies"),
        plural(page.coordinates.len(), "coordinate", "coordinates"),
        plural(rows, "constraint row", "constraint rows"),
        page.rank,
        plural(page.degrees_of_freedom, "degree", "degrees"),
    )
}

fn bodies(w: &Writer, page: &Page) -> Table {
    let rows = page.bodies.iter().map(|b| {
        let kind = b.frame.as_ref();
        vec![
            words(&b.name),
            words(&kind.map_or("particle".to_string(), |f| format!("body, frame {f}"))),
            w.formula(&b.mass),
            words(&b.center),
            inertia(w, &b.inertia),
            w.prose(&b.docs),
        ]
    });
    let columns = [
        "body",
        "kind",
        "mass",
        "centre",
        "inertia about the centre",
        "meaning",
    ];
    table(&columns, rows.collect())
}

fn coordinates(w: &Writer, page: &Page) -> Table {
    let rows = page.coordinates.iter().map(|c| {
        let unit = words(c.unit.as_deref().unwrap_or_default());
        vec![w.quantity(&c.name), unit, w.prose(&c.docs)]
    });
    table(&["coordinate", "unit", "meaning"], rows.collect())
}

fn speeds(w: &Writer, page: &Page) -> Table {
    let rows = page.speeds.iter().map(|s| {
        let role = if s.independent { "state" } else { "dependent" };
        let unit = words(s.unit.as_deref().unwrap_or_default());
        vec![w.quantity(&s.name), unit, words(role), w.prose(&s.docs)]
    });
    table(&["speed", "unit", "role", "meaning"], rows.collect())
}

/// What the user gives: name, unit, something of its own, meaning.
fn given<'m>(
    w: &Writer,
    columns: [&str; 4],
    list: impl Iterator<Item = (&'m Meta, String)>,
) -> Table {
    let rows = list.map(|(m, own)| {
        let unit = words(m.unit.as_deref().unwrap_or_default());
        vec![w.quantity(&m.name), unit, words(&own), w.prose(&m.docs)]
    });
    table(&columns, rows.collect())
}

fn parameters(w: &Writer, system: &System) -> Table {
    let list = system.params.iter();
    let list = list.map(|p| (&p.meta, default(p).unwrap_or_default()));
    given(w, ["parameter", "unit", "default", "meaning"], list)
}

fn states(w: &Writer, system: &System) -> Table {
    let list = system.states.iter().map(|s| (&s.meta, String::new()));
    given(w, ["state", "unit", "", "meaning"], list)
}

fn inputs(w: &Writer, system: &System) -> Table {
    let list = system.inputs.iter().map(|i| (&i.meta, String::new()));
    given(w, ["input", "unit", "", "meaning"], list)
}

fn functions(w: &Writer, system: &System) -> Table {
    let list = system.functions.iter();
    let list = list.map(|f| (&f.meta, f.arg_names.join(", ")));
    given(w, ["function", "unit", "arguments", "meaning"], list)
}

fn loads(w: &Writer, page: &Page) -> Table {
    let rows = page.loads.iter().map(|l| {
        let written = l.written.iter().map(|t| Piece::Code(t.clone())).collect();
        vec![words(&l.kind), words(&l.on), written, w.prose(&l.docs)]
    });
    table(&["load", "on", "as written", "meaning"], rows.collect())
}

/// Without their equations, which have a section of their own.
fn constraints(w: &Writer, page: &Page) -> Table {
    let rows = page
        .constraints
        .iter()
        .map(|c| vec![words(&c.name), words(c.kind.word()), w.prose(&c.docs)]);
    table(&["constraint", "kind", "meaning"], rows.collect())
}

/// Moments Ixx, Iyy, Izz, then those products that are not zero.
fn inertia(w: &Writer, entries: &[String]) -> Prose {
    let mut out: Prose = Vec::new();
    for (name, entry) in ["Ixx", "Iyy", "Izz", "Ixy", "Iyz", "Izx"]
        .iter()
        .zip(entries)
    {
        let product = name.as_bytes()[1] != name.as_bytes()[2];
        if product && entry == "0" {
            continue;
        }
        if !out.is_empty() {
            out.push(Piece::Words(", ".into()));
        }
        let value = w.math(entry);
        out.push(Piece::Math(Math::equation(Math::symbol(name), value)));
    }
    out
}

/// Without the columns in which nothing stands.
fn trimmed(t: Table) -> Table {
    let used: Vec<bool> = (0..t.columns.len())
        .map(|j| {
            t.rows
                .iter()
                .any(|row| row.get(j).is_some_and(|c| !c.is_empty()))
        })
        .collect();
    let keep = |row: Vec<Prose>| {
        let cells = row.into_iter().zip(&used);
        cells.filter(|(_, used)| **used).map(|(c, _)| c).collect()
    };
    Table {
        columns: keep(t.columns),
        rows: t.rows.into_iter().map(keep).collect(),
    }
}

pub(super) fn oneline(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
