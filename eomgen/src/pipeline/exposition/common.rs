//! What all formulations share: the model, kinematics, constraints, energies, generalized forces, what keeps its value.

use super::method::called;
use super::model::{model, oneline};
use super::writer::{Writer, table};
use super::{Block, Piece, Prose, Section, Table, words};
use crate::explain::Exposed;
use crate::model::System;
use crate::notation::{Layout, Line, Math, Style, Symbol};
use crate::program::Assembled;
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
        let docs = meaning(": ", &f.docs);
        blocks.push(heading(&format!("Frame {}, given in {}{docs}. Its axes in those of {}, its angular velocity and angular acceleration:", f.name, f.parent, f.parent)));
        blocks.extend(known(w, [&f.rotation, &f.velocity, &f.acceleration]));
    }
    for p in &e.points {
        let docs = meaning(", ", &p.docs);
        blocks.push(heading(&format!(
            "Point {}{docs}: position, velocity, acceleration:",
            p.name
        )));
        blocks.extend(known(w, [&p.position, &p.velocity, &p.acceleration]));
    }
    blocks.extend(partials(w, e));
    if e.unshown > 0 {
        blocks.push(heading(&format!(
            "Omitted because the model is large: {} further entries of tables.",
            e.unshown
        )));
    }
    blocks
}

/// A doc comment within a sentence, behind `link`.
fn meaning(link: &str, docs: &str) -> String {
    if docs.is_empty() {
        String::new()
    } else {
        format!("{link}{}", oneline(docs).trim_end_matches('.'))
    }
}

/// Partial velocities: with a column for each speed if there are few, else one by one.
fn partials(w: &mut Writer, e: &Exposed) -> Vec<Block> {
    let Some(first) = e.partials.first() else {
        return Vec::new();
    };
    let symbol = |m: &Math| vec![Piece::Math(m.clone())];
    let mut blocks = vec![heading("Partial velocities, by the speeds:")];
    if first.by.len() < 5 {
        let mut columns = vec![words("of")];
        columns.extend(first.by.iter().map(|(s, _)| symbol(s)));
        let rows = e.partials.iter().map(|p| {
            let vectors = p.by.iter().map(|(_, v)| w.cell(v.as_ref()));
            [symbol(&p.of)].into_iter().chain(vectors).collect()
        });
        let rows = rows.collect();
        blocks.extend(w.tabled(Table { columns, rows }));
        return blocks;
    }
    let mut rows = Vec::new();
    for p in &e.partials {
        for (s, v) in &p.by {
            if !v.as_ref().is_some_and(Math::is_zero) {
                rows.push(vec![symbol(&p.of), symbol(s), w.cell(v.as_ref())]);
            }
        }
    }
    blocks.extend(w.tabled(table(&["of", "by", "partial velocity"], rows)));
    blocks.push(heading("Those that are not listed are zero."));
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
    blocks.extend(rows(w, system, e));
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

/// `A q'' = b`: drawn as matrices where there is room, else entry by entry.
fn rows(w: &mut Writer, system: &System, e: &Exposed) -> Vec<Block> {
    if e.rows.is_empty() {
        return Vec::new();
    }
    let matrix: Option<Vec<Vec<Math>>> = e
        .rows
        .iter()
        .map(|(_, row, _)| row.iter().cloned().collect())
        .collect();
    let right: Option<Vec<Vec<Math>>> = e
        .rows
        .iter()
        .map(|(_, _, b)| Some(vec![b.clone()?]))
        .collect();
    match (matrix, right) {
        (Some(matrix), Some(right))
            if matrix.len() * system.coords.len() <= DRAWN && fits(&matrix) =>
        {
            let coords = system.coords.iter();
            let columns: Vec<String> = coords.map(|c| format!("`{}''`", c.meta.name)).collect();
            let names: Vec<&str> = e.rows.iter().map(|r| r.0.as_str()).collect();
            let sentence = format!(
                "In the form `A*q'' = b`, the columns of A by {}, the rows by {}:",
                columns.join(", "),
                names.join(", ")
            );
            let line = |name: &str, m| Line::equation(Math::symbol(name), Math::Matrix(m));
            vec![
                Block::Paragraph(w.prose(&sentence)),
                w.equations(vec![line("A", matrix), line("b", right)]),
            ]
        }
        _ => {
            let mut blocks = vec![heading(
                "In the form A q″ = b, the entries that are not zero:",
            )];
            let table = entries(w, system, e);
            blocks.extend(w.tabled(table));
            blocks
        }
    }
}

fn entries(w: &mut Writer, system: &System, e: &Exposed) -> Table {
    let mut rows = Vec::new();
    for (name, row, b) in &e.rows {
        for (coordinate, entry) in system.coords.iter().zip(row) {
            if !entry.as_ref().is_some_and(Math::is_zero) {
                let by = w.quantity(&format!("{}''", coordinate.meta.name));
                rows.push(vec![words(name), by, w.cell(entry.as_ref())]);
            }
        }
        rows.push(vec![words(name), words("b"), w.cell(b.as_ref())]);
    }
    table(&["row", "by", "entry"], rows)
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
    if e.by_bodies {
        blocks.push(heading("Here v and a are the velocities and accelerations of the mass centres, ω and α the angular velocities and accelerations along the axes of the bodies, all in N."));
    }
    if !long.is_empty() {
        blocks.push(heading(&format!(
            "Without a closed form, or of too many bodies to be written: {}.",
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
    let table = shares(w, e);
    blocks.extend(w.tabled(table));
    blocks
}

/// Load by load: with a column for each speed if there are few, else one by one.
fn shares(w: &mut Writer, e: &Exposed) -> Table {
    let symbol = |m: &Math| vec![Piece::Math(m.clone())];
    if e.forces.len() <= 4 {
        let mut columns = vec![words("share of")];
        columns.extend(e.forces.iter().map(|(s, _)| symbol(s)));
        let rows = e.shares.iter().map(|(source, values)| {
            let values = values.iter().map(|v| w.cell(v.as_ref()));
            [called(source)].into_iter().chain(values).collect()
        });
        let rows = rows.collect();
        return Table { columns, rows };
    }
    let mut rows = Vec::new();
    for (source, values) in &e.shares {
        for ((speed, _), v) in e.forces.iter().zip(values) {
            if !v.as_ref().is_some_and(Math::is_zero) {
                rows.push(vec![called(source), symbol(speed), w.cell(v.as_ref())]);
            }
        }
    }
    table(&["share of", "by", "force"], rows)
}

fn conserved(w: &mut Writer, page: &Page) -> Vec<Block> {
    let mut list: Vec<Prose> = Vec::new();
    for c in &page.cyclic {
        let momentum = format!("`{}`", c.momentum.text);
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
                let value = c.formula.as_deref().unwrap_or_default();
                let rows = c.name.replace('`', "");
                format!("Kept by the constraints {rows}: `{value}`.")
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
        return Vec::new();
    }
    let mut blocks = vec![Block::List(list)];
    let parts = page.cyclic.iter().flat_map(|c| &c.momentum.parts);
    let written = parts.filter_map(|p| {
        let value = w.math(p.value.as_ref()?);
        Some(Line::equation(w.math(&p.name), value))
    });
    let written: Vec<Line> = written.collect();
    if !written.is_empty() {
        blocks.push(Block::Paragraph(words("where")));
        blocks.push(w.equations(written));
    }
    blocks
}
