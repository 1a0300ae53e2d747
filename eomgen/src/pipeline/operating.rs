//! Operating points in symbols, as lines for the screen: what has to hold there, and the linear model around one of them.

use num_rational::BigRational;
use serde::{Deserialize, Serialize};

use super::derivation::{method, small};
use super::{DEFAULT_METHOD, DeriveOptions, Failure, Source, read_fixed};
use crate::explain::{self, Known, Steady};
use crate::form::{Context, Options};
use crate::host::with_session;
use crate::model::System;
use crate::model::system::Meta;
use crate::notation::{Line, Math, one_line, text};
use crate::program::{ExpressionForm, context};
use crate::sym::{Expr, Var};

/// Terms that simplification may handle.
const WORK: usize = 600_000;
/// What is so near to an exact value is taken for it.
const NEAR: f64 = 1e-12;
/// Angles are compared with multiples of half a turn by this.
const PARTS: i32 = 12;

/// What is asked.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct OperatingRequest {
    /// Coordinates that turn at constant rates, by their numbers.
    pub turning: Vec<usize>,
    /// Coordinates that are given, by their numbers.
    pub held: Vec<usize>,
    /// Inputs that are unknown, by their numbers.
    pub free: Vec<usize>,
    /// Values at the point of which the linear model is asked for: coordinates, speeds of the state, inputs, by name.
    pub point: Option<Vec<(String, f64)>>,
}

/// A formula.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Said {
    /// As a reader sees it.
    pub shown: String,
    /// As a model writes it.
    pub text: String,
}

impl From<&Math> for Said {
    fn from(math: &Math) -> Self {
        Self {
            shown: one_line(math),
            text: text(math),
        }
    }
}

/// A solution.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Solution {
    /// The unknowns that it determines.
    pub values: Vec<Said>,
    /// What has to hold of the given quantities for it to exist.
    pub provided: Vec<Said>,
}

/// What there is to say.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct OperatingReport {
    /// What has to hold at operating points, line by line.
    pub equations: Vec<Said>,
    /// Solutions.
    pub solutions: Vec<Solution>,
    /// Entries of the linear model: row, column, value.
    pub entries: Vec<(usize, usize, Said)>,
    /// Why there is nothing in symbols.
    pub refused: Option<String>,
}

/// Derives the equations and says what is asked.
///
/// # Errors
/// What is wrong with the model.
pub fn operating_source(
    source: &Source,
    options: &DeriveOptions,
    request: &OperatingRequest,
) -> Result<OperatingReport, Failure> {
    let (system, _) = read_fixed(source, &options.set, &options.fix)?;
    let failed = |f: Failure| f.explained(&system.copies);
    if !small(&system) {
        return Ok(refused("it has too many parts"));
    }
    let found = with_session(|| report(&system, options, request))?;
    found.map_err(failed)
}

fn refused(why: &str) -> OperatingReport {
    OperatingReport {
        refused: Some(why.to_owned()),
        ..OperatingReport::default()
    }
}

fn report(
    system: &System,
    options: &DeriveOptions,
    request: &OperatingRequest,
) -> Result<OperatingReport, Failure> {
    let name = options.method.as_deref().unwrap_or(DEFAULT_METHOD);
    let mut c = context(system, ExpressionForm::Expanded).map_err(Failure::Diagnostics)?;
    c.alg.limit_work(WORK);
    let formulated = method(name)?
        .formulate(&mut c, &Options::default())
        .map_err(Failure::Diagnostics)?;
    if !formulated.stated || !formulated.cyclic.is_empty() {
        return Ok(refused(
            "its formulation states no equations for all of its speeds",
        ));
    }
    let said = match &request.point {
        None => {
            let steady = Steady {
                turning: &request.turning,
                held: &request.held,
                free: &request.free,
            };
            let found = explain::conditions(&mut c, &formulated.equations, steady);
            found.map(|found| OperatingReport {
                equations: found.equations.iter().map(line).collect(),
                solutions: found
                    .solutions
                    .iter()
                    .map(|solution| Solution {
                        values: solution.values.iter().map(line).collect(),
                        provided: solution.provided.iter().map(Said::from).collect(),
                    })
                    .collect(),
                ..OperatingReport::default()
            })
        }
        Some(point) => {
            let known = known(&mut c, point);
            let found = explain::linear_model(&mut c, &formulated.equations, &known);
            found.map(|entries| OperatingReport {
                entries: entries
                    .iter()
                    .map(|e| (e.row, e.column, Said::from(&e.value)))
                    .collect(),
                ..OperatingReport::default()
            })
        }
    };
    c.alg.check()?;
    Ok(said.unwrap_or_else(refused))
}

fn line(line: &Line) -> Said {
    Said::from(&line.math)
}

/// The values that are exact: 0, and of angles twelfths of half a turn. All others keep their names: a number would say nothing of its unit.
fn known(c: &mut Context<'_>, point: &[(String, f64)]) -> Known {
    let coords = c.system.coords.iter().zip(c.vars.coords.clone());
    let angle = |meta: &Meta| matches!(meta.unit.as_deref(), None | Some("rad" | "1"));
    let coords: Vec<(Var, bool)> = coords.map(|(q, v)| (v, angle(&q.meta))).collect();
    let others = [&c.speeds.motion.speeds[..], &c.vars.inputs].concat();
    let all = coords
        .into_iter()
        .chain(others.into_iter().map(|v| (v, false)));
    let mut known = Known::new();
    for (v, is_angle) in all {
        let name = &c.alg.info(v).name;
        let Some((_, x)) = point.iter().find(|(n, _)| n == name) else {
            continue;
        };
        let parts = (x / std::f64::consts::PI * f64::from(PARTS)).round();
        let exact = std::f64::consts::PI * parts / f64::from(PARTS);
        if x.abs() <= NEAR {
            known.insert(v, Expr::zero());
        } else if is_angle && parts.abs() <= 100.0 && (x - exact).abs() <= NEAR {
            let parts = BigRational::new((parts as i64).into(), PARTS.into());
            let pi = c.alg.pi();
            known.insert(v, pi * Expr::rational(&parts));
        }
    }
    known
}
