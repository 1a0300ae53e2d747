//! Two models held against each other, entry by entry: what one of them states is written down in the model's language and read
//! again within the other one, where equality is decided exactly. How either is written does not matter.

use super::claims::{Agreement, Obstacle, Reader, stated};
use super::entries::Entries;
use crate::form::{Context, Layout, Quantities, Space, Table};
use crate::model::System;
use crate::model::system::{ConstraintRelation, FrameId, Quantity, Scalar};
use crate::notation::{Math, text};
use crate::program::posed::Posed;
use crate::program::{ExpressionForm, Settings};
use crate::sym::Expr;

/// What is compared: a title for people, and an output or one of the parts below.
pub const PARTS: [(&str, &str); 7] = [
    ("Equations of motion", "equations"),
    ("Constraints", CONSTRAINTS),
    ("Speeds", SPEEDS),
    ("Kinematics", "rates"),
    ("Kinetic energy", "kinetic_energy"),
    ("Potential energy", "potential_energy"),
    ("Outputs", OUTPUTS),
];

/// Left sides less right sides of the constraints as declared.
const CONSTRAINTS: &str = "constraints";
/// Definitions of the declared speeds.
const SPEEDS: &str = "speeds";
/// What the model declares as outputs.
const OUTPUTS: &str = "outputs";

/// Something that a model states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The second half of one of [`PARTS`].
    pub part: &'static str,
    /// Which entry: `theta1''`, the constraint's row, the speed; empty for a scalar.
    pub label: String,
    /// What it is, in normal form.
    pub math: Math,
}

/// Two statements of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contrast {
    /// As in [`Statement`].
    pub part: &'static str,
    /// As in [`Statement`].
    pub label: String,
    /// What the old model states, in the new one's normal form where it can be read there.
    pub old: Option<Math>,
    /// What the new model states.
    pub new: Option<Math>,
    /// Whether the two are the same.
    pub agreement: Agreement,
}

/// Everything that a model states.
///
/// # Errors
/// What is wrong with the model.
pub fn statements(
    system: &System,
    settings: &Settings<'_>,
    expression_form: ExpressionForm,
) -> Result<Vec<Statement>, Obstacle> {
    let (mut c, posed) = stated(system, settings, expression_form)?;
    let mut list = Vec::new();
    for (part, label, entry) in all(&mut c, &posed)? {
        let entry = c.alg.normal(&entry);
        let math = c.alg.verbatim(&entry);
        list.push(Statement { part, label, math });
    }
    Ok(list)
}

/// Compares what a model states with what an older one did.
///
/// # Errors
/// What is wrong with the model.
pub fn contrast(
    system: &System,
    settings: &Settings<'_>,
    expression_form: ExpressionForm,
    old: &[Statement],
) -> Result<Vec<Contrast>, Obstacle> {
    let (mut c, posed) = stated(system, settings, expression_form)?;
    let reader = Reader::new(&mut c, &posed.multipliers);
    let mut list = Vec::new();
    let entries = all(&mut c, &posed)?;
    for (part, label, entry) in &entries {
        let before = old.iter().find(|s| s.part == *part && s.label == *label);
        let found =
            before.and_then(|before| reader.compare(&mut c, &text(&before.math), entry).ok());
        list.push(match found {
            Some(found) => Contrast {
                part,
                label: label.clone(),
                old: Some(c.alg.verbatim(&found.expected)),
                new: Some(c.alg.verbatim(&found.found)),
                agreement: found.agreement,
            },
            // Not there before, or of things that are no more: the normal form depends on each name in it.
            None => {
                let entry = c.alg.normal(entry);
                Contrast {
                    part,
                    label: label.clone(),
                    old: before.map(|before| before.math.clone()),
                    new: Some(c.alg.verbatim(&entry)),
                    agreement: Agreement::Different,
                }
            }
        });
    }
    let is_there = |s: &Statement| {
        entries
            .iter()
            .any(|(p, l, _)| *p == s.part && *l == s.label)
    };
    let gone = old.iter().filter(|s| !is_there(s));
    list.extend(gone.map(|s| Contrast {
        part: s.part,
        label: s.label.clone(),
        old: Some(s.math.clone()),
        new: None,
        agreement: Agreement::Different,
    }));
    Ok(list)
}

/// All entries of all parts.
fn all(c: &mut Context<'_>, posed: &Posed) -> Result<Vec<(&'static str, String, Expr)>, Obstacle> {
    let mut quantities = Quantities::default();
    let mut entries = Entries::new(posed, &mut quantities);
    let mut list = Vec::new();
    for (_, part) in PARTS {
        match part {
            CONSTRAINTS | SPEEDS | OUTPUTS => {
                let declared = declared(c, part)?;
                list.extend(declared.into_iter().map(|(label, e)| (part, label, e)));
            }
            _ => {
                if let Some(table) = entries.table(c, part)? {
                    let labels = labels(&table).into_iter().zip(table.entries);
                    list.extend(labels.map(|(label, e)| (part, label, e)));
                }
            }
        }
    }
    Ok(list)
}

/// Expressions of the model itself.
fn declared(c: &mut Context<'_>, part: &str) -> Result<Vec<(String, Expr)>, Obstacle> {
    let system = c.system;
    let vector = |name: &str, v| (name.to_owned(), Quantity::Vector(v));
    let mut wanted: Vec<(String, Quantity, FrameId)> = Vec::new();
    match part {
        SPEEDS => {
            for s in &system.speeds {
                let value = Quantity::Scalar(s.value.clone());
                wanted.push((s.meta.name.clone(), value, FrameId(0)));
            }
        }
        OUTPUTS => {
            for o in &system.outputs {
                wanted.push((o.meta.name.clone(), o.value.clone(), FrameId(0)));
            }
        }
        _ => {
            for c in &system.constraints {
                let name = &c.meta.name;
                match &c.relation {
                    ConstraintRelation::Scalar { lhs, rhs } => {
                        let gap = Scalar::Sub(Box::new(lhs.clone()), Box::new(rhs.clone()));
                        wanted.push((name.clone(), Quantity::Scalar(gap), FrameId(0)));
                    }
                    ConstraintRelation::Vector { lhs, rhs, frame } => {
                        for (side, v) in [("left", lhs), ("right", rhs)] {
                            let (name, v) = vector(&format!("{name}, {side} side"), v.clone());
                            wanted.push((name, v, *frame));
                        }
                    }
                }
            }
        }
    }
    let mut list = Vec::new();
    for (name, value, frame) in wanted {
        let (alg, values, k, _) = c.parts(Space::Accelerations);
        let found = match &value {
            Quantity::Scalar(s) => values.scalar(alg, k, s).map(|e| vec![(name.clone(), e)]),
            Quantity::Vector(v) => values.vector(alg, k, v).map(|v| {
                let parts = k.components(alg, &v, frame, &name);
                let axes = ["x", "y", "z"].into_iter().zip(parts);
                axes.map(|(axis, e)| (format!("{name}.{axis}"), e))
                    .collect()
            }),
        };
        list.extend(found.map_err(|fault| {
            Obstacle::Diagnostics(vec![fault.at(crate::span::Span::default())])
        })?);
    }
    Ok(list)
}

fn labels(table: &Table) -> Vec<String> {
    match table.layout {
        Layout::Scalar => vec![String::new()],
        _ => table.labels(),
    }
}
