//! Velocities: those of the state, and the quasi-velocities of which the facts of a function say which they are.

use super::{Expectation, Observation, Rule, among, flat, inertia, labelled, plain};
use crate::facts::{Fact, Fixed};
use crate::verify::linear::{self, add, dot, rank, sub, times, transposed};
use crate::verify::number::{EvalError, Number};

/// The rule for a matrix of velocities.
pub(super) fn rule<N: Number>(name: &str) -> Option<Rule<N>> {
    let rule: Rule<N> = match name {
        "maggi_matrix" | "privileged_matrix" => |s| plain(flat(&transposed(&basis(s)?))),
        "maggi_drift" | "privileged_drift" => drift,
        "quasi_velocity_matrix" => |s| plain(flat(&Quasi::read(s)?.matrix)),
        "quasi_velocity_drift" => |s| {
            let quasi = Quasi::read(s)?;
            labelled(quasi.drift, quasi.names)
        },
        "inverse_quasi_velocity_matrix" => |s| plain(flat(&Quasi::read(s)?.inverse)),
        "maggi_multiplier_matrix" => |s| {
            let held = Quasi::read(s)?.held();
            plain(flat(&linear::product(&held, &s.point.dynamics.mass)))
        },
        "maggi_multiplier_forcing" => |s| {
            let quasi = Quasi::read(s)?;
            let dynamics = &s.point.dynamics;
            let force = sub(&dynamics.applied, &dynamics.velocity_terms);
            let force = add(&force, &dynamics.nonideal);
            labelled(times(&quasi.held(), &force), quasi.held_names())
        },
        "maggi_multipliers" | "constraint_reactions_in_quasi_velocities" => |s| {
            let quasi = Quasi::read(s)?;
            let dynamics = &s.point.dynamics;
            let force = sub(&sub(&inertia(s), &dynamics.applied), &dynamics.nonideal);
            labelled(times(&quasi.held(), &force), quasi.held_names())
        },
        "transposition_coefficients" => |s| {
            let quasi = Quasi::read(s)?;
            let h = transposed(&quasi.inverse);
            let mut values = Vec::new();
            for curl in quasi.curls(s)? {
                let rotated: Vec<Vec<N>> = h.iter().map(|n| times(&curl, n)).collect();
                for k in &h {
                    values.extend(rotated.iter().map(|t| dot(k, t)));
                }
            }
            plain(values)
        },
        "transposition_drift" => transposition_drift,
        _ => return None,
    };
    Some(rule)
}

/// The rates that belong to unit values of the state's speeds.
pub(super) fn basis<N: Number>(s: &Observation<'_, N>) -> Result<Vec<Vec<N>>, EvalError> {
    s.point.rates_by_speeds(s.layout, &s.layout.independent)
}

/// `q' - E e`
fn drift<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    let mut rest = s.point.state.rates.clone();
    for (column, name) in basis(s)?.iter().zip(&s.layout.independent) {
        let speed = s.point.speed(s.layout, name)?;
        rest = sub(&rest, &linear::scaled(column, &speed));
    }
    super::by(s, &rest, "'")
}

/// `gamma^M_K0 = sum_L H_LK (dJ_ML/dt - dj_M/dq_L + sum_P (dJ_ML/dq_P - dJ_MP/dq_L) h0_P)`, `h0 = -H j`.
fn transposition_drift<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    let quasi = Quasi::read(s)?;
    let h = transposed(&quasi.inverse);
    let rest: Vec<N> = times(&quasi.inverse, &quasi.drift)
        .iter()
        .map(N::neg)
        .collect();
    let mut values = Vec::new();
    for (kind, curl) in quasi.kinds.iter().zip(quasi.curls(s)?) {
        let mut along = times(&curl, &rest);
        if let Some(slopes) = slopes(s, kind)? {
            along = add(&along, &sub(&slopes.by_time, &slopes.of_drift));
        }
        values.extend(times(&h, &along));
    }
    plain(values)
}

/// `u = J q' + j`, `q' = H (u - j)`.
pub(super) struct Quasi<N> {
    /// Names.
    pub(super) names: Vec<String>,
    kinds: Vec<Fixed>,
    free: usize,
    /// J by rows.
    pub(super) matrix: Vec<Vec<N>>,
    drift: Vec<N>,
    /// H by rows.
    pub(super) inverse: Vec<Vec<N>>,
}

impl<N: Number> Quasi<N> {
    /// Those that the facts of the function name, as the model defines them.
    pub(super) fn read(s: &Observation<'_, N>) -> Result<Self, EvalError> {
        let (names, fixed) = s.fact("which quasi-velocities it takes", |fact| match fact {
            Fact::QuasiVelocities(free, fixed) => Some((free.clone(), fixed.clone())),
            _ => None,
        })?;
        let rates = s.layout.coordinates.iter().map(|name| format!("{name}'"));
        among(&names, &s.layout.speeds).or_else(|_| among(&names, &rates.collect::<Vec<_>>()))?;
        let free = names.len();
        let mut kinds: Vec<Fixed> = names.into_iter().map(Fixed::Speed).collect();
        kinds.extend(fixed);
        let name = |kind: &Fixed| match kind {
            Fixed::Speed(name) | Fixed::Row(name) => name.clone(),
        };
        let names = kinds.iter().map(name).collect();
        let dynamics = &s.point.dynamics;
        let (mut matrix, mut drift) = (Vec::new(), Vec::new());
        for kind in &kinds {
            let (row, value) = match kind {
                Fixed::Speed(name) => (
                    s.point.gradient(s.layout, name)?,
                    s.point.speed(s.layout, name)?,
                ),
                Fixed::Row(name) => {
                    let place = dynamics.rows.iter().position(|row| row == name);
                    let row = place.and_then(|i| dynamics.constraint_matrix.get(i));
                    let value = place.and_then(|i| dynamics.velocity_residuals.get(i));
                    let (Some(row), Some(value)) = (row, value) else {
                        let why = format!("the model has no row `{name}`");
                        return Err(EvalError::Unsupported(why));
                    };
                    (row.clone(), value.clone())
                }
            };
            drift.push(value.sub(&dot(&row, &s.point.state.rates)));
            matrix.push(row);
        }
        is_choice(s, free, &matrix)?;
        Ok(Self {
            inverse: transposed(&linear::inverse_columns(&matrix)?),
            names,
            kinds,
            free,
            matrix,
            drift,
        })
    }

    /// The columns of H that belong to quasi-velocities that constraints fix.
    fn held(&self) -> Vec<Vec<N>> {
        transposed(&self.inverse).split_off(self.free)
    }

    fn held_names(&self) -> Vec<String> {
        self.names.iter().skip(self.free).cloned().collect()
    }

    /// `dJ_ML/dq_P - dJ_MP/dq_L` for each M.
    fn curls(&self, s: &Observation<'_, N>) -> Result<Vec<Vec<Vec<N>>>, EvalError> {
        let n = self.matrix.len();
        let mut list = Vec::with_capacity(n);
        for kind in &self.kinds {
            list.push(match slopes(s, kind)? {
                None => vec![vec![N::int(0); n]; n],
                Some(slopes) => {
                    let rotated = transposed(&slopes.by_coordinate);
                    let rows = slopes.by_coordinate.iter().zip(&rotated);
                    rows.map(|(a, b)| sub(a, b)).collect()
                }
            });
        }
        Ok(list)
    }
}

/// Whether the free quasi-velocities are as many as the state has where constraints were used to eliminate others, and the constraints
/// fix all that are called fixed.
fn is_choice<N: Number>(
    s: &Observation<'_, N>,
    free: usize,
    matrix: &[Vec<N>],
) -> Result<(), EvalError> {
    let held = matrix.get(free..).unwrap_or_default();
    let mut rows = s.point.dynamics.constraint_matrix.clone();
    let before = rank(&rows)?;
    rows.extend(held.iter().cloned());
    if s.layout.is_reduced() && free != s.layout.independent.len() || rank(&rows)? != before {
        let why = "`FACTS` calls other quasi-velocities fixed than the constraints fix";
        return EvalError::unsupported(why);
    }
    Ok(())
}

/// How a quasi-velocity changes with the coordinates; `None` for rates of coordinates.
fn slopes<'s, N>(
    s: &'s Observation<'_, N>,
    kind: &Fixed,
) -> Result<Option<&'s crate::verify::machine::VelocityGradients<N>>, EvalError> {
    let speeds = s.point.gradients.len();
    let found = match kind {
        Fixed::Speed(name) => {
            let own = s.point.velocity_gradients.iter().take(speeds);
            let found = own.clone().find(|slopes| slopes.name == *name);
            let rate = name.strip_suffix('\'');
            if found.is_none() && rate.is_some_and(|q| s.layout.coordinates.iter().any(|c| c == q))
            {
                return Ok(None);
            }
            let of_row = || {
                let mut rows = s.point.velocity_gradients.iter().skip(speeds);
                rows.find(|slopes| Some(slopes.name.as_str()) == rate)
            };
            found.or_else(of_row)
        }
        Fixed::Row(name) => {
            let mut own = s.point.velocity_gradients.iter().skip(speeds);
            own.find(|slopes| slopes.name == *name)
        }
    };
    match found {
        Some(slopes) => Ok(Some(slopes)),
        None => Err(EvalError::Unsupported(
            "a velocity that cannot be differentiated".into(),
        )),
    }
}
