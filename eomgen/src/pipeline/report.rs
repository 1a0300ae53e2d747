//! What `eomgen check` found out about a model.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use super::StartReport;
use crate::diag::Diagnostic;
use crate::survey::page::{self, Page};

/// What is known of a model that has no errors.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckReport {
    /// What a dynamicist writes on the first page.
    pub page: Page,
    /// Whether initial values satisfy the constraints, where there are both.
    pub start: Option<StartReport>,
    /// What is suspicious or worth knowing.
    pub warnings: Vec<Diagnostic>,
}

impl CheckReport {
    /// The page as JSON, without the warnings: whoever has the text can place them.
    pub fn to_json(&self) -> Value {
        // Strings, numbers and lists alone: there is nothing in them that JSON does not have.
        let mut value = serde_json::to_value(Document::from(&self.page)).unwrap_or_default();
        value["start"] = serde_json::to_value(&self.start).unwrap_or_default();
        value
    }
}

impl fmt::Display for CheckReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.page.fmt(f)?;
        match &self.start {
            Some(start) => write!(f, "\n{start}"),
            None => Ok(()),
        }
    }
}

/// The page as JSON, member by member; the schema is in `docs/cli.md`.
#[derive(Serialize)]
struct Document<'a> {
    model: &'a str,
    docs: &'a str,
    degrees_of_freedom: usize,
    configuration_degrees_of_freedom: Option<usize>,
    rank: usize,
    rank_varies: bool,
    coordinates: Vec<Coordinate<'a>>,
    speeds: &'a [page::Speed],
    #[serde(skip_serializing_if = "<[page::StateRate]>::is_empty")]
    states: &'a [page::StateRate],
    choice: Choice,
    inverse_kinematics: Vec<Inverse<'a>>,
    conditions: &'a [page::Condition],
    bodies: &'a [page::Body],
    total_mass: Option<&'a str>,
    loads: &'a [page::Load],
    constraints: &'a [page::Constraint],
    integrable_combinations: &'a [page::Combination],
    cyclic: Vec<Cyclic<'a>>,
    conserved: &'a [page::Conserved],
    no_energy_because: Option<&'a str>,
}

#[derive(Serialize)]
struct Coordinate<'a> {
    name: &'a str,
    unit: Option<&'a str>,
    docs: &'a str,
    cyclic: bool,
}

#[derive(Serialize)]
struct Choice {
    rule: &'static str,
    sentence: &'static str,
}

#[derive(Serialize)]
struct Inverse<'a> {
    coordinate: &'a str,
    rate: Option<&'a str>,
}

#[derive(Serialize)]
struct Cyclic<'a> {
    coordinate: &'a str,
    momentum: &'a str,
    #[serde(rename = "where", skip_serializing_if = "<[page::Part]>::is_empty")]
    parts: &'a [page::Part],
    conserved: bool,
    because: Option<&'a str>,
}

impl<'a> From<&'a Page> for Document<'a> {
    fn from(p: &'a Page) -> Self {
        let coordinates = p.coordinates.iter().map(|c| Coordinate {
            name: &c.name,
            unit: c.unit.as_deref(),
            docs: &c.docs,
            cyclic: p.cyclic.iter().any(|y| y.name == c.name),
        });
        let inverse = p.inverse.iter().map(|(coordinate, rate)| Inverse {
            coordinate,
            rate: rate.as_deref(),
        });
        let cyclic = p.cyclic.iter().map(|c| Cyclic {
            coordinate: &c.name,
            momentum: &c.momentum.text,
            parts: &c.momentum.parts,
            conserved: c.because.is_none(),
            because: c.because.as_deref(),
        });
        Self {
            model: &p.model,
            docs: &p.docs,
            degrees_of_freedom: p.degrees_of_freedom,
            configuration_degrees_of_freedom: p.configuration_degrees_of_freedom,
            rank: p.rank,
            rank_varies: p.rank_varies,
            coordinates: coordinates.collect(),
            speeds: &p.speeds,
            states: &p.states,
            choice: Choice {
                rule: p.rule.word(),
                sentence: p.rule.sentence(),
            },
            inverse_kinematics: inverse.collect(),
            conditions: &p.conditions,
            bodies: &p.bodies,
            total_mass: p.total_mass.as_deref(),
            loads: &p.loads,
            constraints: &p.constraints,
            integrable_combinations: &p.combinations,
            cyclic: cyclic.collect(),
            conserved: &p.conserved,
            no_energy_because: p.energy.as_deref(),
        }
    }
}
