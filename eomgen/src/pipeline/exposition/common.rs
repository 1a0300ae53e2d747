//! What all formulations share: the model, kinematics, constraints, energies, generalized forces, what keeps its value.

use super::method::called;
use super::model::{model, oneline};
use super::writer::{Writer, table};
use super::{Block, Piece, Prose, Section, Table, words};
use crate::assemble::Assembled;
use crate::explain::Exposed;
use crate::model::System;
use crate::notation::{Layout, Line, Math, Style, Symbol};
use crate::survey::Page;

/// Matrices of constraints up to this many entries are drawn as such.
const DRAWN: usize = 48;

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
        blocks.push(heading(if d.speeds.is_empty() {
            "The rates of the coordinates follow from the speeds of the state:"
        } else {
            "so that the rates of the coordinates are"
        }));
        blocks.extend(w.lines(&d.kinematics));
    }
    for f in &e.frames {
        let docs = if f.docs.is_empty() {
            String::new()
        } else {
            format!(": {}", oneline(&f.docs).trim_end_matches('.'))
        };
        blocks.push(heading(&format!("Frame {}, given in {}{docs}. Its axes in those of {}, its angular velocity and angular acceleration:", f.name, f.parent, f.parent)));
        blocks.extend(known(w, [&f.rotation, &f.velocity, &f.acceleration]));
    }
    for p in &e.points {
        let docs = if p.docs.is_empty() {
            String::new()
        } else {
            format!(", {}", oneline(&p.docs).trim_end_matches('.'))
        };
        blocks.push(heading(&format!(
            "Point {}{docs}: position, velocity, acceleration:",
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
        let t = if wide {
            Table {
                columns,
                rows: rows
                    .map(|p| {
                        let mut row = vec![vec![Piece::Math(p.of.clone())]];
                        row.extend(p.by.iter().map(|(_, v)| w.cell(v.as_ref())));
                        row
                    })
                    .collect(),
            }
        } else {
            table(
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
            )
        };
        blocks.push(Block::Table(t));
        if !wide {
            blocks.push(heading("Those that are not listed are zero."));
        }
    }
    if e.unshown > 0 {
        blocks.push(heading(&format!(
            "Omitted because the model is large: {} further entries of tables.",
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
            Some(m) => lines.push(Line::from(m.clone())),
            None => long += 1,
        }
    }
    let mut blocks = Vec::new();
    if !lines.is_empty() {
        blocks.push(w.equations(lines));
    }
    if long > 0 {
        blocks.push(heading(&format!("Omitted as too long for a page: {long}.")));
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
                let line = |name: &str, m| Line::equation(Math::symbol(name), Math::Matrix(m));
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
            "Redundant rows: {}.",
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
            let symbol = Symbol::new(name, Style::Italic, &[]);
            lines.push(Line::equation(Math::Symbol(symbol), value.clone()));
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
            "Omitted as too long for a page or without a closed form: {}.",
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
    blocks.push(heading(if nonideal { "Generalized active forces by the speed they are conjugate to, with the non-ideal forces of the constraints; the contributions of the loads add up to them:" } else { "Generalized active forces by the speed they are conjugate to; the contributions of the loads add up to them:" }));
    let lines = e.forces.iter().filter_map(|(speed, total)| {
        let name = match speed {
            Math::Dotted(s, dots) => format!("{}{}", s.name, "'".repeat(*dots)),
            Math::Symbol(s) => s.name.clone(),
            other => crate::notation::one_line(other),
        };
        let symbol = Symbol::new("Q", Style::Italic, &[&name]);
        Some(Line::equation(Math::Symbol(symbol), total.clone()?))
    });
    let lines: Vec<Line> = lines.collect();
    if lines.len() < e.forces.len() {
        blocks.push(heading(&format!(
            "Omitted as too long for a page: {}.",
            e.forces.len() - lines.len()
        )));
    }
    if !lines.is_empty() {
        blocks.push(w.equations(lines));
    }
    let wide = e.forces.len() <= 4;
    let t = if wide {
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
    } else {
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
    if list.is_empty() {
        Vec::new()
    } else {
        vec![Block::List(list)]
    }
}
