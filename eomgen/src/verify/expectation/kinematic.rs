//! Points and frames that are named, the mass centre and momenta: what they are along a motion, and how their rates depend on the accelerations.

use super::velocities::basis;
use super::{Expectation, Observation, Rule, flat, missing, plain};
use super::{control, inverse_dynamics};
use crate::catalogue::{Place, asked};
use crate::facts::Fact;
use crate::verify::linear::{self, sub, times};
use crate::verify::machine::{Momenta, Moving, Sited};
use crate::verify::number::{EvalError, Number};

/// The rule for one of these quantities.
pub(super) fn rule<N: Number>(name: &str) -> Option<Rule<N>> {
    if asked::of_function(name).is_some() {
        return Some(of_place);
    }
    let rule: Rule<N> = match name {
        "mass_center" => |s| plain(momenta(s)?.center.to_vec()),
        "mass_center_velocity" => |s| plain(momenta(s)?.velocity.value.to_vec()),
        "mass_center_jacobian" => |s| plain(slopes(s, &[&momenta(s)?.velocity])?),
        "mass_center_jacobian_bias" => |s| plain(biases(s, &[&momenta(s)?.velocity])?),
        "linear_momentum" => |s| plain(momenta(s)?.linear.value.to_vec()),
        "angular_momentum" => |s| plain(momenta(s)?.about_origin.value.to_vec()),
        "centroidal_momentum" => |s| {
            let m = momenta(s)?;
            let both = m.about_center.value.iter().chain(&m.linear.value);
            plain(both.cloned().collect())
        },
        "centroidal_momentum_matrix" => |s| {
            let m = momenta(s)?;
            plain(slopes(s, &[&m.about_center, &m.linear])?)
        },
        "centroidal_momentum_bias" => |s| {
            let m = momenta(s)?;
            plain(biases(s, &[&m.about_center, &m.linear])?)
        },
        _ => return None,
    };
    Some(rule)
}

/// A quantity of a point or a frame. Its function is called after the quantity; of what it is stands in its facts.
fn of_place<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    let Some(quantity) = asked::of_function(&s.function.name) else {
        return missing("a quantity of this name");
    };
    let places = s.fact("of what it is", |fact| match fact {
        Fact::Places(names) => Some(names.clone()),
        _ => None,
    })?;
    if quantity.of == Place::Inputs {
        return inverse_dynamics::actuation(s, &places);
    }
    let (first, last) = match places.as_slice() {
        [one] => (one, one),
        [first, last] => (first, last),
        _ => return missing("so many points and frames"),
    };
    match quantity.name {
        "mobility" => return plain(flat(&control::mobility(s, &site_slopes(s, &places)?)?)),
        "operational_space_inertia" => {
            return plain(control::inertia(s, &site_slopes(s, &places)?)?);
        }
        _ => {}
    }
    let point = || match &sited(s, last)?.point {
        Some(found) => Ok(found),
        None => unknown("point", last),
    };
    let frame = || match &sited(s, first)?.frame {
        Some(found) => Ok(found),
        None => unknown("frame", first),
    };
    plain(match quantity.name {
        "position" => point()?.0.to_vec(),
        "velocity" => point()?.1.value.to_vec(),
        "jacobian" => slopes(s, &[&point()?.1])?,
        "jacobian_bias" => biases(s, &[&point()?.1])?,
        "rotation" => frame()?.0.iter().flatten().cloned().collect(),
        "angular_velocity" => frame()?.1.value.to_vec(),
        "angular_jacobian" => slopes(s, &[&frame()?.1])?,
        "angular_jacobian_bias" => biases(s, &[&frame()?.1])?,
        "pose" => {
            let mut entries = Vec::new();
            for (row, place) in frame()?.0.iter().zip(&point()?.0) {
                entries.extend(row.iter().cloned());
                entries.push(place.clone());
            }
            entries.extend([0, 0, 0, 1].map(N::int));
            entries
        }
        "spatial_velocity" => {
            let both = frame()?.1.value.iter().chain(&point()?.1.value);
            both.cloned().collect()
        }
        "spatial_jacobian" => slopes(s, &[&frame()?.1, &point()?.1])?,
        "spatial_jacobian_bias" => biases(s, &[&frame()?.1, &point()?.1])?,
        _ => return missing("a quantity of this name"),
    })
}

/// The coefficients of q'' in the acceleration of a point, or in those of a frame and a point.
fn site_slopes<N: Number>(
    s: &Observation<'_, N>,
    places: &[String],
) -> Result<Vec<Vec<N>>, EvalError> {
    let mut rows = Vec::new();
    if let [frame, _] = places {
        match &sited(s, frame)?.frame {
            Some((_, moving)) => rows.extend(moving.slopes.iter().cloned()),
            None => return unknown("frame", frame),
        }
    }
    if let Some(point) = places.last() {
        match &sited(s, point)?.point {
            Some((_, moving)) => rows.extend(moving.slopes.iter().cloned()),
            None => return unknown("point", point),
        }
    }
    Ok(rows)
}

fn unknown<T>(kind: &str, name: &str) -> Result<T, EvalError> {
    Err(EvalError::Unsupported(format!(
        "the model has no {kind} `{name}`"
    )))
}

fn sited<'s, N>(s: &'s Observation<'_, N>, name: &str) -> Result<&'s Sited<N>, EvalError> {
    let sites = s.point.geometry.iter().flat_map(|g| &g.sites);
    let mut own = sites.filter(|site| site.name == name);
    own.next()
        .ok_or_else(|| EvalError::Unsupported(format!("the model has no point or frame `{name}`")))
}

fn momenta<'s, N>(s: &'s Observation<'_, N>) -> Result<&'s Momenta<N>, EvalError> {
    let found = s.point.geometry.as_ref().and_then(|g| g.momenta.as_ref());
    found.ok_or_else(|| EvalError::Unsupported("the model does not have bodies".into()))
}

/// Of rates that are linear in q'': the coefficients of the rates of the state's speeds, row by row.
fn slopes<N: Number>(s: &Observation<'_, N>, list: &[&Moving<N>]) -> Result<Vec<N>, EvalError> {
    let h = basis(s)?;
    let rows = list.iter().flat_map(|moving| &moving.slopes);
    Ok(rows.flat_map(|row| times(&h, row)).collect())
}

/// The same rates where those speeds are constant.
fn biases<N: Number>(s: &Observation<'_, N>, list: &[&Moving<N>]) -> Result<Vec<N>, EvalError> {
    let q = steady(s)?;
    let each = list.iter().flat_map(|m| m.slopes.iter().zip(&m.rest));
    Ok(each
        .map(|(row, rest)| linear::dot(row, &q).add(rest))
        .collect())
}

/// q'' where the rates of the state's speeds are 0: those of the actual motion less the share of its own.
pub(super) fn steady<N: Number>(s: &Observation<'_, N>) -> Result<Vec<N>, EvalError> {
    let mut q = s.point.dynamics.accelerations.clone();
    for (column, name) in basis(s)?.iter().zip(&s.layout.independent) {
        let rate = s.point.speed_rate(s.layout, name)?;
        q = sub(&q, &linear::scaled(column, &rate));
    }
    Ok(q)
}
