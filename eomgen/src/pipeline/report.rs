//! What `eomgen check` found out about a model.

use std::fmt;

use serde_json::{Value, json};

use crate::diag::Diagnostic;
use crate::survey::page::{Constraint, Integrable, Page};

/// What is known of a model that has no errors.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckReport {
    /// What a dynamicist writes on the first page.
    pub page: Page,
    /// What is suspicious or worth knowing.
    pub warnings: Vec<Diagnostic>,
}

impl CheckReport {
    /// The page as JSON, without the warnings: whoever has the text can place them.
    pub fn to_json(&self) -> Value {
        page_to_json(&self.page)
    }
}

impl fmt::Display for CheckReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.page.fmt(f)
    }
}

/// The page as JSON; the schema is in `docs/cli.md`.
fn page_to_json(p: &Page) -> Value {
    json!({
        "model": p.model,
        "docs": p.docs,
        "degrees_of_freedom": p.degrees_of_freedom,
        "degrees_of_freedom_of_places": p.freedom_of_places,
        "rank": p.rank,
        "coordinates": list(&p.coordinates, |c| json!({
            "name": c.name,
            "unit": c.unit,
            "docs": c.docs,
            "cyclic": p.cyclic.iter().any(|y| y.name == c.name),
        })),
        "speeds": list(&p.speeds, |s| json!({
            "name": s.name,
            "unit": s.unit,
            "docs": s.docs,
            "definition": s.definition,
            "independent": s.independent,
        })),
        "choice": { "rule": p.rule.word(), "sentence": p.rule.sentence() },
        "inverse_kinematics": list(&p.inverse, |(name, value)| json!({
            "coordinate": name,
            "rate": value,
        })),
        "conditions": list(&p.conditions, |c| json!({ "where": c.place, "meaning": c.meaning })),
        "bodies": list(&p.bodies, |b| json!({
            "name": b.name,
            "docs": b.docs,
            "mass": b.mass,
            "center": b.center,
            "frame": b.frame,
            "inertia": b.inertia,
        })),
        "total_mass": p.total_mass,
        "loads": list(&p.loads, |l| json!({
            "kind": l.kind,
            "on": l.on,
            "docs": l.docs,
            "written": l.written,
        })),
        "constraints": list(&p.constraints, constraint),
        "integrable_combinations": list(&p.combinations, |c| json!({
            "rows": c.rows,
            "relation": c.relation,
            "integral": c.integral,
        })),
        "cyclic": list(&p.cyclic, |c| json!({
            "coordinate": c.name,
            "momentum": c.momentum,
            "conserved": c.because.is_none(),
            "because": c.because,
        })),
        "conserved": list(&p.conserved, |c| json!({
            "kind": c.kind,
            "name": c.name,
            "formula": c.formula,
        })),
        "no_energy_because": p.energy,
    })
}

fn list<T>(items: &[T], each: impl Fn(&T) -> Value) -> Value {
    items.iter().map(each).collect()
}

fn constraint(c: &Constraint) -> Value {
    json!({
        "name": c.name,
        "docs": c.docs,
        "written": c.written,
        "kind": c.kind.word(),
        "level": c.level,
        "form": c.form,
        "rheonomic": c.rheonomic,
        "rank": c.rank,
        "rows": list(&c.rows, |r| json!({
            "name": r.name,
            "equation": r.equation,
            "independent": r.independent,
            "combination": list(&r.combination, |(name, factor)| json!({
                "row": name,
                "factor": factor,
            })),
            "integrable": r.integrable.map(Integrable::word),
        })),
    })
}
