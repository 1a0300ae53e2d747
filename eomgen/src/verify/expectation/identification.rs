//! Regressors and the parameters that belong to them. A body is a cloud of point masses: what a unit of mass adds to the balances is quadratic in its place in
//! the body, and the coefficients belong to the mass, the first and the second moments. The share of a parameter of the model is what the balances gain where
//! it is larger by 1.

use super::velocities::basis;
use super::{Expectation, Observation, Rule, flat, labelled, plain};
use crate::facts::Fact;
use crate::verify::entries::given_array;
use crate::verify::linear::{self, add, minimum_norm, scaled, sub, times, transposed};
use crate::verify::machine::{Identification, Moving, Sampled, Shares};
use crate::verify::number::{EvalError, Number};

/// The names of a body's parameters, in the order of their values.
const PARTS: [&str; 10] = [
    "m", "mx", "my", "mz", "Jxx", "Jyy", "Jzz", "Jxy", "Jyz", "Jzx",
];

/// The rule for one of these quantities.
pub(super) fn rule<N: Number>(name: &str) -> Option<Rule<N>> {
    let rule: Rule<N> = match name {
        "regressor" | "base_regressor" => |s| {
            let names = columns(s)?;
            plain(flat(&transposed(&inertial(s, &names, &moved(s)?)?)))
        },
        "inertial_parameters" => |s| {
            let names = columns(s)?;
            labelled(values(s, &names)?, names)
        },
        "base_parameters" => base_parameters,
        "load_regressor" => |s| {
            let each = columns(s)?.into_iter().map(|name| {
                let own = load(s, &known(s)?.own)?;
                let (_, raised) = raised(s, &name)?;
                Ok(times(&basis(s)?, &sub(&own, &load(s, raised)?)))
            });
            plain(flat(&transposed(
                &each.collect::<Result<Vec<_>, EvalError>>()?,
            )))
        },
        "load_parameters" => |s| {
            let names = columns(s)?;
            let each = names.iter().map(|name| Ok(raised(s, name)?.0.clone()));
            let values = each.collect::<Result<_, EvalError>>()?;
            labelled(values, names)
        },
        "known_forces" => |s| {
            let known = known(s)?;
            let left = stated(&known.without_stated, &moved(s)?)?;
            let force = sub(&load(s, &known.without_loads)?, &left);
            labelled(times(&basis(s)?, &force), s.layout.independent.clone())
        },
        _ => return None,
    };
    Some(rule)
}

fn columns<N: Number>(s: &Observation<'_, N>) -> Result<Vec<String>, EvalError> {
    s.fact(
        "to which parameters its columns belong",
        |fact| match fact {
            Fact::Columns(names) => Some(names.clone()),
            _ => None,
        },
    )
}

fn known<'s, N>(s: &'s Observation<'_, N>) -> Result<&'s Identification<N>, EvalError> {
    let known = s.point.identification.as_ref();
    known.ok_or_else(|| EvalError::Unsupported("`FACTS` does not say what is identified".into()))
}

fn raised<'s, N>(
    s: &'s Observation<'_, N>,
    name: &str,
) -> Result<(&'s N, &'s Shares<N>), EvalError> {
    let mut all = known(s)?.raised.iter();
    let found = all.find(|(own, ..)| own == name);
    let found = found.map(|(_, value, shares)| (value, shares));
    found.ok_or_else(|| EvalError::Unsupported(format!("the model has no parameter `{name}`")))
}

/// q'' with other rates of the state's speeds.
fn moved<N: Number>(s: &Observation<'_, N>) -> Result<Vec<N>, EvalError> {
    let rates: Vec<N> = given_array(s.layout.independent.len());
    let mut q = s.point.dynamics.accelerations.clone();
    for ((column, name), rate) in basis(s)?.iter().zip(&s.layout.independent).zip(rates) {
        let change = rate.sub(&s.point.speed_rate(s.layout, name)?);
        q = add(&q, &scaled(column, &change));
    }
    Ok(q)
}

/// What a unit of mass at a point that moves with a body adds to the balances, its weight included; without accelerations the weight alone.
fn of_point<N: Number>(point: &Moving<N>, q: Option<&[N]>, gravity: Option<&[N; 3]>) -> Vec<N> {
    let mut force = vec![N::int(0); point.slopes[0].len()];
    for (axis, row) in point.slopes.iter().enumerate() {
        let mut a = match q {
            None => N::int(0),
            Some(q) => linear::dot(row, q).add(&point.rest[axis]),
        };
        if let Some(g) = gravity {
            a = a.sub(&g[axis]);
        }
        force = add(&force, &scaled(row, &a));
    }
    force
}

/// The columns of a body's parameters, on the coordinates.
fn of_body<N: Number>(
    body: &Sampled<N>,
    q: Option<&[N]>,
    gravity: Option<&[N; 3]>,
) -> Result<Vec<Vec<N>>, EvalError> {
    let each = body.points.iter().map(|p| of_point(p, q, gravity));
    let each: Vec<Vec<N>> = each.collect();
    let [origin, ahead @ .., xy, yz, zx] = each.as_slice() else {
        return Ok(each);
    };
    let half =
        |v: Vec<N>| -> Result<Vec<N>, EvalError> { v.iter().map(|x| x.div(&N::int(2))).collect() };
    let (mut first, mut squares) = (Vec::new(), Vec::new());
    for axis in 0..3 {
        let (plus, minus) = (&ahead[axis], &ahead[axis + 3]);
        first.push(half(sub(plus, minus))?);
        squares.push(sub(&half(add(plus, minus))?, origin));
    }
    let mut all = vec![origin.clone()];
    all.extend(first.iter().cloned());
    // x^2 belongs to yy and zz.
    for axis in 0..3 {
        let others = add(&squares[(axis + 1) % 3], &squares[(axis + 2) % 3]);
        all.push(half(sub(&others, &squares[axis]))?);
    }
    for ((i, j), corner) in [(0, 1), (1, 2), (2, 0)].into_iter().zip([xy, yz, zx]) {
        let sides = add(&add(&first[i], &first[j]), &add(&squares[i], &squares[j]));
        // The entry of the tensor is the negative of the product.
        all.push(sub(&add(&sides, origin), corner));
    }
    Ok(all)
}

/// What the bodies add to the balances.
fn bodies<N: Number>(
    shares: &Shares<N>,
    q: Option<&[N]>,
    gravity: Option<&[N; 3]>,
) -> Result<Vec<N>, EvalError> {
    let mut sum = vec![N::int(0); shares.velocity_terms.len()];
    for body in &shares.bodies {
        for (column, value) in of_body(body, q, gravity)?.iter().zip(&body.values) {
            sum = add(&sum, &scaled(column, value));
        }
    }
    Ok(sum)
}

/// What stated kinetic energies add.
fn stated<N: Number>(shares: &Shares<N>, q: &[N]) -> Result<Vec<N>, EvalError> {
    let whole = add(&times(&shares.mass, q), &shares.velocity_terms);
    Ok(sub(&whole, &bodies(shares, Some(q), None)?))
}

/// Loads without the weight.
fn load<N: Number>(s: &Observation<'_, N>, shares: &Shares<N>) -> Result<Vec<N>, EvalError> {
    let weight = bodies(shares, None, known(s)?.gravity.as_ref())?;
    Ok(add(&shares.applied, &weight))
}

/// The body and the place among its values of a parameter.
fn part<'n, N>(known: &Identification<N>, name: &'n str) -> Option<(usize, usize)> {
    let of = |body: &Sampled<N>| -> Option<&'n str> {
        name.strip_prefix(body.name.as_str())?.strip_prefix('.')
    };
    let mut all = known.own.bodies.iter().enumerate();
    all.find_map(|(index, body)| {
        let part = of(body)?;
        let place = PARTS.iter().position(|own| *own == part)?;
        (place < body.values.len()).then_some((index, place))
    })
}

/// Columns of inertial parameters, each on the speeds of the state.
fn inertial<N: Number>(
    s: &Observation<'_, N>,
    names: &[String],
    q: &[N],
) -> Result<Vec<Vec<N>>, EvalError> {
    let (known, basis) = (known(s)?, basis(s)?);
    let own = known.own.bodies.iter();
    let own: Vec<Vec<Vec<N>>> = own
        .map(|body| of_body(body, Some(q), known.gravity.as_ref()))
        .collect::<Result<_, _>>()?;
    let each = names.iter().map(|name| {
        let force = match part(known, name) {
            Some((body, place)) => own[body][place].clone(),
            None => {
                let (_, raised) = raised(s, name)?;
                sub(&stated(raised, q)?, &stated(&known.own, q)?)
            }
        };
        Ok(times(&basis, &force))
    });
    each.collect()
}

fn values<N: Number>(s: &Observation<'_, N>, names: &[String]) -> Result<Vec<N>, EvalError> {
    let known = known(s)?;
    let each = names.iter().map(|name| match part(known, name) {
        Some((body, place)) => Ok(known.own.bodies[body].values[place].clone()),
        None => Ok(raised(s, name)?.0.clone()),
    });
    each.collect()
}

/// Base parameters do not depend on the state, so that they are right if the forces are right at a random one, but for those of constraints that are left: the
/// entries found, with the least change that makes these right.
fn base_parameters<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    let (names, q) = (columns(s)?, consistent(s)?);
    let (known, basis) = (known(s)?, basis(s)?);
    let rows = transposed(&inertial(s, &names, &q)?);
    let mut force = bodies(&known.own, Some(&q), known.gravity.as_ref())?;
    let stated_share = sub(
        &stated(&known.own, &q)?,
        &stated(&known.without_stated, &q)?,
    );
    force = add(&force, &stated_share);
    let lacking = sub(&times(&basis, &force), &times(&rows, s.found));
    let held = s.point.dynamics.constraint_matrix.iter();
    let mut held: Vec<Vec<N>> = held.map(|row| times(&basis, row)).collect();
    let before = linear::rank(&held)?;
    held.push(lacking.clone());
    if linear::rank(&held)? == before {
        return labelled(s.found.to_vec(), names);
    }
    let change = minimum_norm(&rows, &lacking, names.len())?;
    labelled(add(s.found, &change), names)
}

/// q'' with other rates of the state's speeds, as far as the constraints allow.
fn consistent<N: Number>(s: &Observation<'_, N>) -> Result<Vec<N>, EvalError> {
    let a = &s.point.dynamics.constraint_matrix;
    if s.layout.is_reduced() || a.is_empty() {
        return moved(s);
    }
    let n = s.layout.coordinates.len();
    let other: Vec<N> = given_array(n);
    let excess = minimum_norm(a, &times(a, &other), n)?;
    Ok(add(&s.point.dynamics.accelerations, &sub(&other, &excess)))
}
