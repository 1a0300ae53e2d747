//! What `eomgen check` found out about a model, as plain data.

use std::fmt;

use serde_json::{Value, json};

use crate::diag::Diagnostic;

/// A coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct CoordInfo {
    /// The model's name for it.
    pub name: String,
    /// Its unit, if known.
    pub unit: Option<String>,
}

/// A speed: declared, or a rate that completes the set.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeedInfo {
    /// The model's name, or the rate (`x'`).
    pub name: String,
    /// Its unit, if known.
    pub unit: Option<String>,
    /// Whether it is one of the independent ones.
    pub independent: bool,
}

/// What a constraint restricts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintKind {
    /// Coordinates; differentiated twice.
    Holonomic,
    /// Velocities, linearly; differentiated once.
    Linear,
    /// Velocities, nonlinearly; differentiated once.
    Nonlinear,
    /// Accelerations, linearly; as stated.
    Accelerations,
}

impl ConstraintKind {
    /// The word used in text and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Holonomic => "holonomic",
            Self::Linear => "linear in the velocities",
            Self::Nonlinear => "nonlinear in the velocities",
            Self::Accelerations => "linear in the accelerations",
        }
    }

    /// `position`, `velocity` or `acceleration`.
    pub fn level(self) -> &'static str {
        match self {
            Self::Holonomic => "position",
            Self::Linear | Self::Nonlinear => "velocity",
            Self::Accelerations => "acceleration",
        }
    }
}

/// A constraint.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstraintInfo {
    /// The model's name for it.
    pub name: String,
    /// What it restricts.
    pub kind: ConstraintKind,
    /// Scalar rows, without those that read 0 = 0.
    pub rows: usize,
    /// By how much it raises the rank of the constraints declared before it; less than `rows` where
    /// some of it repeats what they say.
    pub rank: usize,
}

/// What is known of a model that has no errors.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckReport {
    /// The model's name.
    pub model: String,
    /// Degrees of freedom of the motion: coordinates less the rank of all constraints.
    pub degrees_of_freedom: usize,
    /// Rank of all constraints together, at a generic state.
    pub rank: usize,
    /// In order of declaration.
    pub coordinates: Vec<CoordInfo>,
    /// Declared ones first, then those that complete the set.
    pub speeds: Vec<SpeedInfo>,
    /// In order of declaration.
    pub constraints: Vec<ConstraintInfo>,
    /// What is suspicious.
    pub warnings: Vec<Diagnostic>,
}

impl CheckReport {
    /// The report as JSON, without the warnings: whoever has the text can place them.
    pub fn to_json(&self) -> Value {
        let coordinates = self.coordinates.iter();
        let speeds = self.speeds.iter();
        let constraints = self.constraints.iter();
        json!({
            "model": self.model,
            "degrees_of_freedom": self.degrees_of_freedom,
            "rank": self.rank,
            "coordinates": coordinates
                .map(|c| json!({ "name": c.name, "unit": c.unit }))
                .collect::<Vec<_>>(),
            "speeds": speeds
                .map(|s| json!({ "name": s.name, "unit": s.unit, "independent": s.independent }))
                .collect::<Vec<_>>(),
            "constraints": constraints
                .map(|c| json!({
                    "name": c.name,
                    "kind": c.kind.word(),
                    "level": c.kind.level(),
                    "rows": c.rows,
                    "rank": c.rank,
                }))
                .collect::<Vec<_>>(),
        })
    }
}

impl fmt::Display for CheckReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "model {}", self.model)?;
        writeln!(f, "degrees of freedom: {}", self.degrees_of_freedom)?;
        let coordinates: Vec<_> = self.coordinates.iter().map(|c| c.name.as_str()).collect();
        line(f, "coordinates", &coordinates)?;
        let kept = self.speeds.iter().filter(|s| s.independent).count();
        let first = if kept > self.degrees_of_freedom {
            // No choice of independent speeds is good at every state, or a constraint is nonlinear.
            "speeds in the state (constraints act on the accelerations)"
        } else {
            "independent speeds"
        };
        for (title, wanted) in [(first, true), ("dependent speeds", false)] {
            let chosen = self.speeds.iter().filter(|s| s.independent == wanted);
            line(
                f,
                title,
                &chosen.map(|s| s.name.as_str()).collect::<Vec<_>>(),
            )?;
        }
        if self.constraints.is_empty() {
            return writeln!(f, "constraints: none");
        }
        writeln!(f, "constraints: rank {}", self.rank)?;
        let width = self
            .constraints
            .iter()
            .map(|c| c.name.chars().count())
            .max();
        for c in &self.constraints {
            let width = width.unwrap_or(0);
            let rows = if c.rows == 1 { "row" } else { "rows" };
            writeln!(
                f,
                "  {:width$}  {}, {} {rows}, adds {} to the rank",
                c.name,
                c.kind.word(),
                c.rows,
                c.rank
            )?;
        }
        Ok(())
    }
}

fn line(f: &mut fmt::Formatter<'_>, title: &str, names: &[&str]) -> fmt::Result {
    let names = match names {
        [] => "none".to_string(),
        names => names.join(", "),
    };
    writeln!(f, "{title}: {names}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sleigh() -> CheckReport {
        let speed = |name: &str, independent| SpeedInfo {
            name: name.into(),
            unit: None,
            independent,
        };
        CheckReport {
            model: "sleigh".into(),
            degrees_of_freedom: 2,
            rank: 1,
            coordinates: ["x", "y", "theta"]
                .map(|name| CoordInfo {
                    name: name.into(),
                    unit: Some("m".into()),
                })
                .to_vec(),
            speeds: vec![speed("u1", true), speed("u2", true), speed("x'", false)],
            constraints: vec![ConstraintInfo {
                name: "blade".into(),
                kind: ConstraintKind::Linear,
                rows: 1,
                rank: 1,
            }],
            warnings: vec![],
        }
    }

    #[test]
    fn reads_as_text() {
        let expect = "model sleigh\n\
            degrees of freedom: 2\n\
            coordinates: x, y, theta\n\
            independent speeds: u1, u2\n\
            dependent speeds: x'\n\
            constraints: rank 1\n\
            \x20 blade  linear in the velocities, 1 row, adds 1 to the rank\n";
        assert_eq!(sleigh().to_string(), expect);
    }

    #[test]
    fn reads_as_json() {
        let json = sleigh().to_json();
        assert_eq!(json["degrees_of_freedom"], 2);
        assert_eq!(json["speeds"][2]["name"], "x'");
        assert_eq!(json["speeds"][2]["independent"], false);
        assert_eq!(json["constraints"][0]["level"], "velocity");
    }
}
