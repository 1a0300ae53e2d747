//! The model itself: symbols with their meaning, bodies, coordinates, speeds, parameters, loads, constraints, as tables.

use super::writer::{Writer, table};
use super::{Block, Entry, Piece, Prose, Table, words};
use crate::model::System;
use crate::model::system::{ConstraintRelation, Meta, Rational};
use crate::notation::{Math, Symbol};
use crate::survey::Page;

/// Every symbol with its meaning.
pub(super) fn symbols(w: &Writer, system: &System) -> Vec<Entry> {
    let entry = |m: &Meta, kind, default: Option<&Rational>| Entry {
        symbol: w.names.symbol(&m.name),
        kind,
        meaning: m.docs.split_whitespace().collect::<Vec<_>>().join(" "),
        unit: m.unit.clone(),
        default: default.map(decimal),
    };
    let mut list: Vec<Entry> = Vec::new();
    list.extend(
        system
            .coords
            .iter()
            .map(|c| entry(&c.meta, "coordinate", None)),
    );
    list.extend(system.speeds.iter().map(|s| entry(&s.meta, "speed", None)));
    list.extend(
        system
            .params
            .iter()
            .map(|p| entry(&p.meta, "parameter", p.default.as_ref())),
    );
    list.extend(system.inputs.iter().map(|i| entry(&i.meta, "input", None)));
    list.extend(
        system
            .functions
            .iter()
            .map(|f| entry(&f.meta, "function", None)),
    );
    list.extend(
        system
            .joints
            .iter()
            .map(|j| entry(&j.meta, "reaction", None)),
    );
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

/// A rational number as a decimal, where it is one of at most twelve digits; else as a fraction.
fn decimal(r: &Rational) -> String {
    let mut scaled = r.clone();
    let ten = Rational::from_integer(10.into());
    for places in 0..=12_usize {
        if scaled.is_integer() {
            let digits = scaled.numer().to_string();
            let (sign, digits) = match digits.strip_prefix('-') {
                Some(rest) => ("-", rest.to_owned()),
                None => ("", digits),
            };
            if places == 0 {
                return format!("{sign}{digits}");
            }
            let padded = format!("{digits:0>width$}", width = places + 1);
            let (whole, rest) = padded.split_at(padded.len() - places);
            return format!("{sign}{whole}.{rest}");
        }
        scaled *= &ten;
    }
    r.to_string()
}

pub(super) fn model(w: &Writer, system: &System, page: &Page) -> Vec<Block> {
    let mut blocks = Vec::new();
    let plural =
        |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    let rows: usize = page.constraints.iter().map(|c| c.rows.len()).sum();
    blocks.push(Block::Paragraph(words(&format!(
        "{}, {}, {} of rank {}: {} of freedom.",
        plural(page.bodies.len(), "body", "bodies"),
        plural(page.coordinates.len(), "coordinate", "coordinates"),
        plural(rows, "constraint row", "constraint rows"),
        page.rank,
        plural(page.degrees_of_freedom, "degree", "degrees"),
    ))));
    if !page.bodies.is_empty() {
        let optional =
            |text: Option<&String>| text.map_or_else(|| words("(long)"), |t| w.formula(t));
        let rows = page.bodies.iter().map(|b| {
            let tensor = inertia(w, &b.inertia);
            let kind = b
                .frame
                .as_ref()
                .map_or("particle".to_string(), |f| format!("body, frame {f}"));
            vec![
                words(&b.name),
                words(&kind),
                optional(b.mass.as_ref()),
                words(&b.center),
                tensor,
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
        blocks.push(Block::Table(trimmed(table(&columns, rows.collect()))));
    }
    let coordinates = page.coordinates.iter().map(|c| {
        vec![
            w.formula(&c.name),
            unit(c.unit.as_deref()),
            w.prose(&c.docs),
        ]
    });
    blocks.push(Block::Table(trimmed(table(
        &["coordinate", "unit", "meaning"],
        coordinates.collect(),
    ))));
    let speeds = page.speeds.iter().map(|s| {
        let state = if s.independent { "state" } else { "dependent" };
        vec![
            w.formula(&s.name),
            unit(s.unit.as_deref()),
            words(state),
            w.prose(&s.docs),
        ]
    });
    blocks.push(Block::Table(trimmed(table(
        &["speed", "unit", "role", "meaning"],
        speeds.collect(),
    ))));
    let given = |list: Vec<(&Meta, Option<String>)>, columns: &[&str]| {
        let rows = list.into_iter().map(|(m, default)| {
            let mut row = vec![w.formula(&m.name), unit(m.unit.as_deref())];
            row.push(words(&default.unwrap_or_default()));
            row.push(w.prose(&m.docs));
            row
        });
        trimmed(table(columns, rows.collect()))
    };
    if !system.params.is_empty() {
        let list = system
            .params
            .iter()
            .map(|p| (&p.meta, p.default.as_ref().map(decimal)));
        let columns = ["parameter", "unit", "default", "meaning"];
        blocks.push(Block::Table(given(list.collect(), &columns)));
    }
    if !system.inputs.is_empty() {
        let list = system.inputs.iter().map(|i| (&i.meta, None));
        blocks.push(Block::Table(given(
            list.collect(),
            &["input", "unit", "", "meaning"],
        )));
    }
    if !system.functions.is_empty() {
        let list = system
            .functions
            .iter()
            .map(|f| (&f.meta, Some(f.arg_names.join(", "))));
        blocks.push(Block::Table(given(
            list.collect(),
            &["function", "unit", "arguments", "meaning"],
        )));
    }
    if !page.loads.is_empty() {
        let rows = page.loads.iter().map(|l| {
            let written = l
                .written
                .as_ref()
                .map_or_else(Vec::new, |t| vec![Piece::Code(t.clone())]);
            vec![words(&l.kind), words(&l.on), written, w.prose(&l.docs)]
        });
        let columns = ["load", "on", "as written", "meaning"];
        blocks.push(Block::Table(trimmed(table(&columns, rows.collect()))));
    }
    if !page.constraints.is_empty() {
        let rows = page.constraints.iter().map(|c| {
            // Their equations have a section of their own.
            vec![words(&c.name), words(c.kind.word()), w.prose(&c.docs)]
        });
        let columns = ["constraint", "kind", "meaning"];
        blocks.push(Block::Table(trimmed(table(&columns, rows.collect()))));
    }
    blocks
}

/// Moments Ixx, Iyy, Izz, then those products that are not zero.
fn inertia(w: &Writer, entries: &[Option<String>]) -> Prose {
    let mut out: Prose = Vec::new();
    for (name, entry) in ["Ixx", "Iyy", "Izz", "Ixy", "Iyz", "Izx"]
        .iter()
        .zip(entries)
    {
        let product = name.as_bytes()[1] != name.as_bytes()[2];
        if product && entry.as_deref() == Some("0") {
            continue;
        }
        if !out.is_empty() {
            out.push(Piece::Words(", ".into()));
        }
        let value = entry
            .as_deref()
            .map_or(Math::Text("(long)".into()), |t| w.math(t));
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

fn unit(unit: Option<&str>) -> Prose {
    match unit {
        None => Vec::new(),
        Some("1") => words("1"),
        Some(text) => words(text),
    }
}

pub(super) fn oneline(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
