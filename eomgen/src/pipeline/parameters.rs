//! What `eomgen parameters` says of a model: the base inertial parameters and what is grouped with each.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use super::derivation::small;
use super::{Failure, Fix, Source, read_fixed};
use crate::diag::Diagnostic;
use crate::form::{Context, Quantities};
use crate::host::with_session;
use crate::identify::Base;
use crate::model::System;
use crate::program::{ExpressionForm, context};

/// The base parameters of a model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParametersReport {
    /// The model's name.
    pub model: String,
    /// All inertial parameters.
    pub parameters: Vec<String>,
    /// Those that remain, each with what is grouped with it.
    pub base: Vec<BaseParameter>,
    /// Those that are grouped with others.
    pub grouped: Vec<String>,
    /// Those that the motion does not depend on.
    pub without_effect: Vec<String>,
    /// The bodies with their reference points.
    pub bodies: Vec<ReferencePoint>,
    /// Whether the rank is exact, and not counted in floating point.
    pub exact: bool,
    /// What is worth knowing of the model.
    #[serde(skip)]
    pub warnings: Vec<Diagnostic>,
}

/// A base parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BaseParameter {
    /// The parameter that gives it its name and its column.
    pub name: String,
    /// The whole sum.
    pub sum: String,
    /// What is grouped with it.
    pub with: Vec<Grouped>,
}

/// A parameter in a sum.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Grouped {
    /// Its name.
    pub name: String,
    /// Its factor; `None` if no formula was found.
    pub factor: Option<String>,
    /// Its factor in floating point with the model's own parameters, where only that is known.
    pub rounded: Option<f64>,
}

/// To what the first and second moments of a body refer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReferencePoint {
    /// The body.
    pub body: String,
    /// The point.
    pub point: String,
}

/// The base parameters of a model in the speeds of its state.
///
/// # Errors
/// What is wrong with the model, or why it has none.
pub fn parameters_source(
    source: &Source,
    set: &[(String, i64)],
    fix: &Fix,
) -> Result<ParametersReport, Failure> {
    let (system, warnings) = read_fixed(source, set, fix)?;
    let copies = &system.copies;
    let result = with_session(|| report(&system))?;
    let failed = |f: Failure| f.explained(copies).after(warnings.clone());
    let mut report = result.map_err(failed)?;
    report.warnings = warnings;
    Ok(report)
}

fn report(system: &System) -> Result<ParametersReport, Failure> {
    let form = if small(system) {
        ExpressionForm::Expanded
    } else {
        ExpressionForm::Sequenced
    };
    let mut c = context(system, form).map_err(Failure::Diagnostics)?;
    let base = Base::find(&mut c, &mut Quantities::default()).map_err(Failure::Diagnostics)?;
    c.alg.check()?;
    Ok(of(&c, &base, system.name.clone()))
}

fn of(c: &Context<'_>, base: &Base, model: String) -> ParametersReport {
    let name = |k: &usize| base.regressor.columns[*k].name.clone();
    let sums = base.titles(c);
    let each = base.groups.iter().zip(sums);
    let own = each.map(|((column, shares), sum)| BaseParameter {
        name: name(column),
        sum,
        with: shares
            .iter()
            .map(|share| Grouped {
                name: name(&share.column),
                factor: share.factor.as_ref().map(|e| c.alg.text(e)),
                rounded: share.rounded,
            })
            .collect(),
    });
    let bodies = base.regressor.about.iter();
    let bodies = bodies.map(|(body, point)| ReferencePoint {
        body: body.clone(),
        point: point.clone(),
    });
    ParametersReport {
        model,
        parameters: base.regressor.names(),
        base: own.collect(),
        grouped: base.grouped_away().iter().map(name).collect(),
        without_effect: base.without_effect.iter().map(name).collect(),
        bodies: bodies.collect(),
        exact: base.exact,
        warnings: Vec::new(),
    }
}

impl ParametersReport {
    /// The report as JSON, without the warnings.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl fmt::Display for ParametersReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (base, all) = (self.base.len(), self.parameters.len());
        writeln!(f, "{base} base parameters of {all} inertial parameters")?;
        if !self.exact {
            writeln!(
                f,
                "counted in floating point, at states that satisfy the constraints"
            )?;
        }
        let with =
            |test: &dyn Fn(&Grouped) -> bool| self.base.iter().flat_map(|own| &own.with).any(test);
        if with(&|own| own.rounded.is_some()) {
            writeln!(
                f,
                "the machine moves with the model's own parameters alone: factors are rounded"
            )?;
        }
        if with(&|own| own.rounded.is_none() && own.factor.is_none()) {
            writeln!(f, "(...): no short formula was found")?;
        }
        writeln!(f)?;
        for own in &self.base {
            writeln!(f, "  {}", own.sum)?;
        }
        let mut list = |title: &str, names: &[String]| -> fmt::Result {
            if names.is_empty() {
                return Ok(());
            }
            writeln!(f, "\n{title}\n")?;
            let mut line = String::new();
            for name in names {
                if line.chars().count() + name.chars().count() > WIDE {
                    writeln!(f, "  {}", line.trim_end())?;
                    line.clear();
                }
                line.push_str(name);
                line.push_str("  ");
            }
            writeln!(f, "  {}", line.trim_end())
        };
        list("grouped with these", &self.grouped)?;
        list("without effect on the motion", &self.without_effect)?;
        let about = self.bodies.iter();
        let about: Vec<String> = about
            .map(|own| format!("{}: {}", own.body, own.point))
            .collect();
        list("reference points", &about)
    }
}

/// Columns of a list.
const WIDE: usize = 96;
