//! What every function of a generated module has to equal: one line of the table for each name. A function that is not in the
//! table is reported as not checked.

mod body_balances;
mod control;
mod formulations;
mod general;
mod identification;
mod inverse_dynamics;
mod kinematic;
mod velocities;

use super::layout::Layout;
use super::linear::{self, add, sub};
use super::number::{EvalError, Number};
use super::test_point::TestPoint;
use super::text::tree::{Function, Module};
use crate::emit::names::{Names, identifier};
use crate::facts::Fact;

/// What a expectation may look at.
pub struct Observation<'a, N> {
    /// Where the function was evaluated.
    pub point: &'a TestPoint<N>,
    /// The module's names.
    pub layout: &'a Layout,
    /// The function.
    pub function: &'a Function,
    /// The module, whose facts say what unknowns, velocities and dependent accelerations were chosen.
    pub module: &'a Module,
    /// What the function gave, where any of several results is right.
    pub found: &'a [N],
}

impl<N> Observation<'_, N> {
    /// A fact of the function that `of` recognises; `missing` says what it is.
    fn fact<T>(&self, missing: &str, of: impl Fn(&Fact) -> Option<T>) -> Result<T, EvalError> {
        let found = self.module.facts.of(self.function.means()).find_map(of);
        found.ok_or_else(|| EvalError::Unsupported(format!("`FACTS` does not say {missing}")))
    }

    /// The names in the fact of the function.
    fn names(&self, missing: &str) -> Result<Vec<String>, EvalError> {
        self.fact(missing, |fact| match fact {
            Fact::Unknowns(names)
            | Fact::DependentSpeeds(names)
            | Fact::DependentAccelerations(names)
            | Fact::CyclicCoordinates(names) => Some(names.clone()),
            _ => None,
        })
    }
}

/// What a function should have returned, and what its entries are called.
pub struct Expected<N> {
    /// The entries row by row.
    pub values: Vec<N>,
    /// A name for each; empty where the position says enough.
    pub labels: Vec<String>,
    /// Why something about the function stays open although all that can be compared agrees.
    pub open: Option<String>,
}

/// What a rule says.
pub type Expectation<N> = Result<Expected<N>, EvalError>;

/// States at which a function has to be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Where the constraints hold.
    Consistent,
    /// Everywhere; where they hold it may say nothing (a residual is zero there whatever its factor).
    Everywhere,
}

/// Where a function has to be right.
pub fn domain(name: &str) -> Domain {
    match name {
        "mass_matrix"
        | "constraint_matrix"
        | "constraint_rhs"
        | "constraint_residuals"
        | "velocity_residuals"
        | "projection_step"
        | "kinetic_energy"
        | "potential_energy"
        | "coordinate_mass_matrix"
        | "coordinate_forcing"
        | "applied_forces"
        | "velocity_terms"
        | "nonideal_vector"
        | "unconstrained_accelerations"
        | "scaled_constraint_matrix"
        | "constraint_gram_matrix" => Domain::Everywhere,
        _ => Domain::Consistent,
    }
}

/// What a function should give where it was evaluated.
pub type Rule<N> = fn(&Observation<'_, N>) -> Expectation<N>;

/// The rule for a function; `None` if there is none.
#[must_use]
pub fn rule<N: Number>(name: &str) -> Option<Rule<N>> {
    let rule: Rule<N> = match name {
        "accelerations" | "accelerations_batch" => |s| by(s, &s.point.dynamics.accelerations, "''"),
        "speed_rates" => speed_rates,
        "rates" => |s| by(s, &s.point.state.rates, "'"),
        "derivative" | "derivative_batch" => derivative,
        "dependent_speeds" => dependent_speeds,
        "mass_matrix" => mass_matrix,
        "forcing" => forcing,
        "constraint_matrix" => |s| plain(flat(&s.point.dynamics.constraint_matrix)),
        "constraint_rhs" => |s| rows(s, &s.point.dynamics.constraint_rhs),
        "constraint_residuals" => |s| rows(s, &s.point.dynamics.residuals),
        "velocity_residuals" => |s| rows(s, &s.point.dynamics.velocity_residuals),
        "multipliers" => |s| rows(s, &s.point.dynamics.multipliers),
        "ideal_constraint_forces" => |s| by(s, &s.point.dynamics.ideal_forces, ""),
        "nonideal_constraint_forces" => |s| by(s, &s.point.dynamics.nonideal_forces, ""),
        "reaction_loads" => |s| match &s.point.dynamics.coupling {
            Some(coupling) => plain(flat(coupling)),
            None => missing("loads that depend on reactions"),
        },
        "projection_step" => projection_step,
        "kinetic_energy" => |s| plain(vec![s.point.dynamics.kinetic_energy.clone()]),
        "potential_energy" => |s| match &s.point.dynamics.potential_energy {
            Some(v) => plain(vec![v.clone()]),
            None => missing("a potential energy"),
        },
        "gibbs_function" => |s| plain(vec![s.point.dynamics.gibbs_function.clone()]),
        name if name.starts_with("output_") => output,
        name => {
            return general::rule(name)
                .or_else(|| velocities::rule(name))
                .or_else(|| inverse_dynamics::rule(name))
                .or_else(|| kinematic::rule(name))
                .or_else(|| control::rule(name))
                .or_else(|| identification::rule(name))
                .or_else(|| body_balances::rule(name))
                .or_else(|| formulations::rule(name));
        }
    };
    Some(rule)
}

fn missing<N>(what: &str) -> Expectation<N> {
    Err(EvalError::Unsupported(format!(
        "the model does not have {what}"
    )))
}

fn labelled<N>(values: Vec<N>, labels: Vec<String>) -> Expectation<N> {
    Ok(Expected {
        values,
        labels,
        open: None,
    })
}

fn plain<N>(values: Vec<N>) -> Expectation<N> {
    labelled(values, Vec::new())
}

fn flat<N: Clone>(rows: &[Vec<N>]) -> Vec<N> {
    rows.iter().flatten().cloned().collect()
}

/// One entry for each coordinate.
fn by<N: Clone>(s: &Observation<'_, N>, values: &[N], primes: &str) -> Expectation<N> {
    let names = s.layout.coordinates.iter();
    labelled(
        values.to_vec(),
        names.map(|name| format!("{name}{primes}")).collect(),
    )
}

/// One entry for each constraint row, which have to be the model's.
fn rows<N: Clone>(s: &Observation<'_, N>, values: &[N]) -> Expectation<N> {
    if s.layout.rows != s.point.dynamics.rows {
        return Err(EvalError::Unsupported(format!(
            "the file has the rows ({}), the model ({})",
            s.layout.rows.join(", "),
            s.point.dynamics.rows.join(", ")
        )));
    }
    labelled(values.to_vec(), s.layout.rows.clone())
}

fn of_speeds<N: Number>(
    names: &[String],
    of: impl Fn(&str) -> Result<N, EvalError>,
) -> Expectation<N> {
    let values = names.iter().map(|name| of(name));
    labelled(values.collect::<Result<_, _>>()?, names.to_vec())
}

fn speed_rates<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    of_speeds(&s.layout.speeds, |name| s.point.speed_rate(s.layout, name))
}

fn derivative<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    let mut all = by(s, &s.point.state.rates, "'")?;
    let speeds = of_speeds(&s.layout.independent, |name| {
        s.point.speed_rate(s.layout, name)
    })?;
    all.values.extend(speeds.values);
    all.labels
        .extend(speeds.labels.iter().map(|name| format!("{name}'")));
    let rates = s.point.dynamics.state_rates.iter();
    for (name, rate) in s.layout.states.iter().zip(rates) {
        all.values.push(rate.clone()?);
        all.labels.push(format!("{name}'"));
    }
    Ok(all)
}

/// The speeds that its facts list, which have to be those that are not in the state.
fn dependent_speeds<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    let listed = s.names("which speeds these are")?;
    let (mut found, mut expected) = (listed.clone(), s.layout.dependent());
    found.sort();
    expected.sort();
    if found != expected {
        return Err(EvalError::Unsupported(format!(
            "`FACTS` lists ({}), the speeds that are not in the state are ({})",
            found.join(", "),
            expected.join(", ")
        )));
    }
    of_speeds(&listed, |name| s.point.speed(s.layout, name))
}

/// The unknowns of `M z' = f`: `None` for the accelerations q'', else the speeds.
fn unknowns<N>(s: &Observation<'_, N>) -> Result<Option<Vec<String>>, EvalError> {
    let listed = s.names("what its unknowns are")?;
    let coordinates = s.layout.coordinates.iter();
    let accelerations: Vec<String> = coordinates.map(|name| format!("{name}''")).collect();
    if listed == accelerations {
        return Ok(None);
    }
    let speeds = listed.iter().map(|name| name.strip_suffix('\''));
    let speeds: Option<Vec<String>> = speeds.map(|name| name.map(str::to_owned)).collect();
    speeds.map(Some).ok_or_else(|| {
        EvalError::Unsupported(
            "its unknowns are neither the accelerations nor rates of speeds".into(),
        )
    })
}

/// Whether names are some of those, in their order.
pub(super) fn among(names: &[String], all: &[String]) -> Result<(), EvalError> {
    let mut rest = all.iter();
    match names.iter().find(|name| !rest.any(|other| other == *name)) {
        None => Ok(()),
        Some(name) => EvalError::unsupported(format!(
            "`FACTS` names `{name}`, where ({}) are in question",
            all.join(", ")
        )),
    }
}

/// `M q'' + h` of the actual motion.
fn inertia<N: Number>(s: &Observation<'_, N>) -> Vec<N> {
    let dynamics = &s.point.dynamics;
    let forces = linear::times(&dynamics.mass, &dynamics.accelerations);
    add(&forces, &dynamics.velocity_terms)
}

/// M in the coordinates, or `H^T M H`.
fn mass_matrix<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    let mass = &s.point.dynamics.mass;
    match unknowns(s)? {
        None => plain(flat(mass)),
        Some(speeds) => {
            let h = s.point.rates_by_speeds(s.layout, &speeds)?;
            plain(flat(&linear::congruent(mass, &h)))
        }
    }
}

/// F + C in the coordinates, or `H^T (F + C - M (q'' - H u'))`: what belongs to `H^T M H`.
fn forcing<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    let dynamics = &s.point.dynamics;
    let force = sub(&dynamics.applied, &dynamics.velocity_terms);
    let force = add(&force, &dynamics.nonideal);
    match unknowns(s)? {
        None => by(s, &force, ""),
        Some(speeds) => {
            let h = s.point.rates_by_speeds(s.layout, &speeds)?;
            let mut rest = dynamics.accelerations.clone();
            for (column, name) in h.iter().zip(&speeds) {
                let rate = s.point.speed_rate(s.layout, name)?;
                rest = sub(&rest, &linear::scaled(column, &rate));
            }
            let lacking = sub(&force, &linear::times(&dynamics.mass, &rest));
            labelled(linear::times(&h, &lacking), speeds)
        }
    }
}

/// One Newton step of least norm: on the coordinates by the constraints between them, on the speeds by the velocities that all
/// rows allow.
fn projection_step<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    let dynamics = &s.point.dynamics;
    let n = s.layout.coordinates.len();
    // A constraint on velocities is the same at both levels; one on positions would be so by accident.
    let all = || dynamics.residuals.iter().zip(&dynamics.velocity_residuals);
    let held: Vec<bool> = all().map(|(a, b)| a != b).collect();
    let chosen = |list: &[N], which: &dyn Fn(bool) -> bool| -> Vec<N> {
        let pairs = list.iter().zip(&held).filter(|(_, held)| which(**held));
        pairs.map(|(x, _)| x.clone()).collect()
    };
    let pairs = dynamics.constraint_matrix.iter().zip(&held);
    let of_positions: Vec<Vec<N>> = pairs.filter(|p| *p.1).map(|p| p.0.clone()).collect();
    let mut q = s.point.state.q.clone();
    if !of_positions.is_empty() {
        let wrong = chosen(&dynamics.residuals, &|held| held);
        q = sub(&q, &linear::minimum_norm(&of_positions, &wrong, n)?);
    }
    let mut speeds = Vec::new();
    let step = if s.layout.is_reduced() {
        vec![N::int(0); n]
    } else {
        let stated = dynamics.of_accelerations.iter();
        let moving: Vec<usize> = stated.enumerate().filter(|x| !x.1).map(|x| x.0).collect();
        let matrix: Vec<Vec<N>> = moving
            .iter()
            .map(|i| dynamics.constraint_matrix[*i].clone())
            .collect();
        let wrong: Vec<N> = moving
            .iter()
            .map(|i| dynamics.velocity_residuals[*i].clone())
            .collect();
        if moving.is_empty() {
            vec![N::int(0); n]
        } else {
            linear::minimum_norm(&matrix, &wrong, n)?
        }
    };
    for name in &s.layout.independent {
        let change = linear::dot(&s.point.gradient(s.layout, name)?, &step);
        speeds.push(s.point.speed(s.layout, name)?.sub(&change));
    }
    q.extend(speeds);
    q.extend(s.point.state.states.iter().cloned());
    let names = s.layout.coordinates.iter().chain(&s.layout.independent);
    let names = names.chain(&s.layout.states);
    labelled(q, names.cloned().collect())
}

/// An output or a declared reaction of the model.
fn output<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    let mut scope = Names::default();
    let outputs = s.point.dynamics.outputs.iter();
    let mut named = outputs.map(|(name, values)| {
        let function = scope.claim(&identifier(&format!("output_{name}")));
        (function, name, values)
    });
    let stated = s.fact("which output it is", |fact| match fact {
        Fact::Output(name) => Some(name.clone()),
        _ => None,
    })?;
    match named.find(|(function, ..)| *function == s.function.name) {
        Some((_, name, _)) if *name != stated => Err(EvalError::Unsupported(format!(
            "`FACTS` says that it is `{stated}`, its name that it is `{name}`"
        ))),
        Some((.., values)) => plain(values.clone()?),
        None => missing("an output of this name"),
    }
}
