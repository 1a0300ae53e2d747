//! What all formulations share: the model, kinematics, constraints, energies, generalized forces, what keeps its value.

use super::method::called;
use super::writer::{Writer, table};
use super::{Block, Entry, Line, Piece, Prose, Section, Table, words};
use crate::assemble::{Assembled, Exposed};
use crate::model::System;
use crate::model::system::{ConstraintRelation, Meta, Rational};
use crate::notation::{Layout, Math, Symbol};
use crate::survey::Page;

/// Matrices of constraints up to this many entries are drawn as such.
const DRAWN: usize = 48;

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

fn section(id: &str, title: &str, blocks: Vec<Block>) -> Option<Section> {
    (!blocks.is_empty()).then(|| Section {
        id: id.into(),
        title: title.into(),
        method: None,
        blocks,
    })
}

/// The sections in order.
pub(super) fn sections(
    w: &mut Writer,
    system: &System,
    page: &Page,
    a: &Assembled,
) -> Vec<Section> {
    let none = Exposed::default();
    let e = a.documentation.exposed.as_ref().unwrap_or(&none);
    let list = [
        section("model", "The model", model(w, system, page)),
        section("kinematics", "Kinematics", kinematics(w, a, e)),
        section(
            "constraints",
            "Constraints",
            constraints(w, system, page, a, e),
        ),
        section("energies", "Energies", energies(w, e)),
        section("forces", "Generalized forces", forces(w, e)),
        section(
            "conserved",
            "Cyclic coordinates and conserved quantities",
            conserved(w, page),
        ),
    ];
    list.into_iter().flatten().collect()
}

fn unit(unit: Option<&str>) -> Prose {
    match unit {
        None => Vec::new(),
        Some("1") => words("1"),
        Some(text) => words(text),
    }
}

fn oneline(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn model(w: &Writer, system: &System, page: &Page) -> Vec<Block> {
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
            let written = c
                .written
                .as_ref()
                .map_or_else(Vec::new, |t| vec![Piece::Code(oneline(t))]);
            vec![
                words(&c.name),
                words(c.kind.word()),
                written,
                w.prose(&c.docs),
            ]
        });
        let columns = ["constraint", "kind", "equation", "meaning"];
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

fn heading(text: &str) -> Block {
    Block::Paragraph(words(text))
}

fn kinematics(w: &mut Writer, a: &Assembled, e: &Exposed) -> Vec<Block> {
    let d = &a.documentation;
    let mut blocks = Vec::new();
    if !d.speeds.is_empty() {
        blocks.push(heading("The speeds are defined as"));
        blocks.extend(w.lines(&d.speeds));
    }
    if !d.kinematics.is_empty() {
        blocks.push(heading(match d.speeds.is_empty() {
            true => "The rates of the coordinates follow from the speeds of the state:",
            false => "so that the rates of the coordinates are",
        }));
        blocks.extend(w.lines(&d.kinematics));
    }
    for f in &e.frames {
        let docs = match f.docs.is_empty() {
            true => String::new(),
            false => format!(": {}", oneline(&f.docs).trim_end_matches('.')),
        };
        blocks.push(heading(&format!("Frame {}, given in {}{docs}. Its axes in those of {}, its angular velocity and angular acceleration:", f.name, f.parent, f.parent)));
        blocks.extend(known(w, [&f.rotation, &f.velocity, &f.acceleration]));
    }
    for p in &e.points {
        let docs = match p.docs.is_empty() {
            true => String::new(),
            false => format!(", {}", oneline(&p.docs).trim_end_matches('.')),
        };
        blocks.push(heading(&format!(
            "Point {}{docs}: place, velocity, acceleration:",
            p.name
        )));
        blocks.extend(known(w, [&p.position, &p.velocity, &p.acceleration]));
    }
    if let Some(first) = e.partials.first() {
        blocks.push(heading("Partial velocities, by the speeds:"));
        let mut columns = vec![words("of")];
        columns.extend(first.by.iter().map(|(s, _)| vec![Piece::Math(s.clone())]));
        let wide = columns.len() <= 5;
        let rows = e.partials.iter();
        let t = match wide {
            true => Table {
                columns,
                rows: rows
                    .map(|p| {
                        let mut row = vec![vec![Piece::Math(p.of.clone())]];
                        row.extend(p.by.iter().map(|(_, v)| w.cell(v.as_ref())));
                        row
                    })
                    .collect(),
            },
            false => table(
                &["of", "by", "partial velocity"],
                rows.flat_map(|p| {
                    let nonzero =
                        p.by.iter()
                            .filter(|(_, v)| !v.as_ref().is_some_and(Math::is_zero));
                    nonzero.map(|(s, v)| {
                        vec![
                            vec![Piece::Math(p.of.clone())],
                            vec![Piece::Math(s.clone())],
                            w.cell(v.as_ref()),
                        ]
                    })
                })
                .collect(),
            ),
        };
        blocks.push(Block::Table(t));
        if !wide {
            blocks.push(heading("Those that are not listed are zero."));
        }
    }
    if e.unshown > 0 {
        blocks.push(heading(&format!(
            "Left out, as the model is large: {} further entries of tables.",
            e.unshown
        )));
    }
    blocks
}

/// Equations that are there; of the others it is said that they are long.
fn known<'a>(w: &mut Writer, list: impl IntoIterator<Item = &'a Option<Math>>) -> Vec<Block> {
    let (mut lines, mut long) = (Vec::new(), 0);
    for m in list {
        match m {
            Some(m) => lines.push(Line {
                label: None,
                math: m.clone(),
            }),
            None => long += 1,
        }
    }
    let mut blocks = Vec::new();
    if !lines.is_empty() {
        blocks.push(w.equations(lines));
    }
    if long > 0 {
        blocks.push(heading(&format!(
            "Left out, as too long for a page: {long}."
        )));
    }
    blocks
}

fn constraints(
    w: &mut Writer,
    system: &System,
    page: &Page,
    a: &Assembled,
    e: &Exposed,
) -> Vec<Block> {
    let d = &a.documentation;
    let mut blocks = w.lines(&d.constraints);
    if blocks.is_empty() {
        return blocks;
    }
    let n = system.coords.len();
    if !e.rows.is_empty() {
        let rows: Option<Vec<Vec<Math>>> = e
            .rows
            .iter()
            .map(|(_, row, _)| row.iter().cloned().collect())
            .collect();
        let right: Option<Vec<Vec<Math>>> = e
            .rows
            .iter()
            .map(|(_, _, b)| Some(vec![b.clone()?]))
            .collect();
        match (rows, right) {
            (Some(rows), Some(right)) if rows.len() * n <= DRAWN && fits(&rows) => {
                let names: Vec<String> = system
                    .coords
                    .iter()
                    .map(|c| format!("`{}''`", c.meta.name))
                    .collect();
                let sentence = format!(
                    "In the form `A*q'' = b`, the columns of A by {}, the rows by {}:",
                    names.join(", "),
                    e.rows
                        .iter()
                        .map(|r| r.0.as_str())
                        .collect::<Vec<_>>()
                        .join(", ")
                );
                blocks.push(Block::Paragraph(w.prose(&sentence)));
                let line = |name: &str, m| Line {
                    label: None,
                    math: Math::equation(Math::symbol(name), Math::Matrix(m)),
                };
                blocks.push(w.equations(vec![line("A", rows), line("b", right)]));
            }
            _ => {
                blocks.push(heading(
                    "In the form A q″ = b, the entries that are not zero:",
                ));
                let mut rows = Vec::new();
                for (name, row, b) in &e.rows {
                    for (coordinate, entry) in system.coords.iter().zip(row) {
                        if entry.as_ref().is_some_and(Math::is_zero) {
                            continue;
                        }
                        let by = w.formula(&format!("{}''", coordinate.meta.name));
                        rows.push(vec![words(name), by, w.cell(entry.as_ref())]);
                    }
                    rows.push(vec![words(name), words("b"), w.cell(b.as_ref())]);
                }
                blocks.push(Block::Table(table(&["row", "by", "entry"], rows)));
            }
        }
    }
    let dependent: Vec<&str> = page
        .constraints
        .iter()
        .flat_map(|c| &c.rows)
        .filter(|r| !r.independent)
        .map(|r| r.name.as_str())
        .collect();
    if !dependent.is_empty() {
        blocks.push(heading(&format!(
            "Rows that follow from the others: {}.",
            dependent.join(", ")
        )));
    }
    for c in &page.combinations {
        if let (Some(relation), Some(integral)) = (&c.relation, &c.integral) {
            let text = format!(
                "Together {} can be integrated: `{relation}` keeps `{integral}` constant.",
                c.rows.join(", ")
            );
            blocks.push(Block::Paragraph(w.prose(&text)));
        }
    }
    blocks
}

/// Whether a matrix has room on a page as it is.
fn fits(rows: &[Vec<Math>]) -> bool {
    Layout::of(&Math::Matrix(rows.to_vec())).width <= 80
}

fn energies(w: &mut Writer, e: &Exposed) -> Vec<Block> {
    let named = [("T", &e.kinetic), ("V", &e.potential), ("S", &e.gibbs)];
    let mut lines = Vec::new();
    for (name, value) in named {
        if let Some(value) = value {
            lines.push(Line {
                label: None,
                math: Math::equation(
                    Math::Symbol(Symbol::new(name, crate::notation::Style::Italic, &[])),
                    value.clone(),
                ),
            });
        }
    }
    let long: Vec<&str> = named
        .iter()
        .filter(|(_, v)| v.is_none())
        .map(|(n, _)| *n)
        .collect();
    let mut blocks = Vec::new();
    if !lines.is_empty() {
        blocks.push(heading("Kinetic energy T, potential energy V of gravity and of the potentials, and the Gibbs function S up to terms without accelerations:"));
        blocks.push(w.equations(lines));
    }
    if !long.is_empty() {
        blocks.push(heading(&format!(
            "Left out, as too long for a page or without a closed form: {}.",
            long.join(", ")
        )));
    }
    blocks
}

fn forces(w: &mut Writer, e: &Exposed) -> Vec<Block> {
    let mut blocks = Vec::new();
    if e.forces.is_empty() {
        return blocks;
    }
    if e.shares.is_empty() {
        blocks.push(heading(
            "No applied load does work: all generalized forces are zero.",
        ));
        return blocks;
    }
    let nonideal = e
        .shares
        .iter()
        .any(|(source, _)| source.kind.starts_with("non-ideal"));
    blocks.push(heading(match nonideal {
        false => "Generalized active forces by the speed they are conjugate to; the shares of the loads add up to them:",
        true => "Generalized active forces by the speed they are conjugate to, with the non-ideal forces of the constraints; the shares of the loads add up to them:",
    }));
    let lines = e.forces.iter().filter_map(|(speed, total)| {
        let name = match speed {
            Math::Dotted(s, dots) => format!("{}{}", s.name, "'".repeat(*dots)),
            Math::Symbol(s) => s.name.clone(),
            other => crate::notation::one_line(other),
        };
        let symbol = Symbol::new("Q", crate::notation::Style::Italic, &[&name]);
        Some(Line {
            label: None,
            math: Math::equation(Math::Symbol(symbol), total.clone()?),
        })
    });
    let lines: Vec<Line> = lines.collect();
    if lines.len() < e.forces.len() {
        blocks.push(heading(&format!(
            "Left out, as too long for a page: {}.",
            e.forces.len() - lines.len()
        )));
    }
    if !lines.is_empty() {
        blocks.push(w.equations(lines));
    }
    let wide = e.forces.len() <= 4;
    let t = match wide {
        true => {
            let mut columns = vec![words("share of")];
            columns.extend(e.forces.iter().map(|(s, _)| vec![Piece::Math(s.clone())]));
            let rows = e.shares.iter().map(|(source, values)| {
                let mut row = vec![called(source)];
                row.extend(values.iter().map(|v| w.cell(v.as_ref())));
                row
            });
            Table {
                columns,
                rows: rows.collect(),
            }
        }
        false => {
            let mut rows = Vec::new();
            for (source, values) in &e.shares {
                for ((speed, _), v) in e.forces.iter().zip(values) {
                    if !v.as_ref().is_some_and(Math::is_zero) {
                        rows.push(vec![
                            called(source),
                            vec![Piece::Math(speed.clone())],
                            w.cell(v.as_ref()),
                        ]);
                    }
                }
            }
            table(&["share of", "by", "force"], rows)
        }
    };
    blocks.push(Block::Table(t));
    blocks
}

fn conserved(w: &Writer, page: &Page) -> Vec<Block> {
    let mut list: Vec<Prose> = Vec::new();
    for c in &page.cyclic {
        let momentum = c
            .momentum
            .as_ref()
            .map_or("(long)".to_string(), |m| format!("`{m}`"));
        let kept = match &c.because {
            None => " is conserved".to_string(),
            Some(reason) => format!(" is not conserved: {reason}"),
        };
        list.push(w.prose(&format!(
            "`{}` is cyclic; its momentum {momentum}{kept}.",
            c.name
        )));
    }
    for c in &page.conserved {
        let formula = c
            .formula
            .as_ref()
            .map_or(String::new(), |f| format!(" = `{f}`"));
        list.push(w.prose(&match c.kind {
            "constraint" => {
                let value = c
                    .formula
                    .as_ref()
                    .map_or("(long)".to_string(), |f| format!("`{f}`"));
                format!(
                    "Kept by the constraints {}: {value}.",
                    c.name.replace('`', "")
                )
            }
            kind => format!("Conserved: {kind} `{}`{formula}.", c.name),
        }));
    }
    if let Some(reason) = &page.energy {
        list.push(w.prose(&format!(
            "The energy is not conserved, or not known to be: {reason}."
        )));
    }
    match list.is_empty() {
        true => Vec::new(),
        false => vec![Block::List(list)],
    }
}
