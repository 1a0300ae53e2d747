//! What single formulations have besides the matrices of velocities: balances, rows of constraints, generalized inverses, charts,
//! reduced systems. What is a choice is taken from the text, and what follows from it is compared.

use super::general::{gram, independent, scaled};
use super::{Expectation, Expected, Observation, Rule, among, flat, of_speeds, plain, rows};
use crate::catalogue::Inverse;
use crate::facts::Fact;
use crate::verify::linear::{self, add, dot, rank, solve_square, sub, times, transposed};
use crate::verify::number::{EvalError, Number};

/// The rule for one of these quantities.
pub(super) fn rule<N: Number>(name: &str) -> Option<Rule<N>> {
    let rule: Rule<N> = match name {
        "reactions" => reactions,
        "reduced_derivative" => reduced_derivative,
        "quadratures" => quadratures,
        "privileged_constraint_matrix" => privileged_rows,
        "privileged_constraint_drift" => privileged_drift,
        "multiplier_family" => multiplier_family,
        "generalized_inverse" => generalized_inverse,
        "chart_in_use" => chart_in_use,
        "chart_matrix" => |s| {
            let chart = Chart::read(s)?;
            plain(flat(&transposed(&chart.columns)))
        },
        "chart_complement" => |s| {
            let chart = Chart::read(s)?;
            plain(flat(&transposed(&chart.others)))
        },
        "explicit_reduction" => |s| plain(flat(&transposed(&Chart::read(s)?.reduction()?))),
        "explicit_drift" => |s| {
            let chart = Chart::read(s)?;
            plain(chart.solve(&s.point.dynamics.constraint_rhs)?)
        },
        "explicit_matrix" => |s| {
            let v = Chart::read(s)?.motions(s)?;
            plain(flat(&linear::congruent(&s.point.dynamics.mass, &v)))
        },
        "explicit_rhs" => explicit_rhs,
        "explicit_gibbs_function" => |s| {
            let dynamics = &s.point.dynamics;
            let twice = dot(
                &dynamics.accelerations,
                &times(&dynamics.mass, &dynamics.accelerations),
            );
            plain(vec![twice.div(&N::int(2))?])
        },
        _ => return None,
    };
    Some(rule)
}

/// Multipliers, then the declared reactions, then those that complete the balances.
fn reactions<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    let dynamics = &s.point.dynamics;
    let Expected {
        mut values,
        mut labels,
        ..
    } = rows(s, &dynamics.multipliers)?;
    let declared = dynamics.joints;
    let first = dynamics.outputs.len().saturating_sub(declared);
    let mut open = Vec::new();
    for (name, value) in dynamics.outputs.iter().skip(first) {
        let found = s.found.get(values.len()).cloned();
        match (value, found) {
            (Ok(list), _) => values.extend(list.iter().cloned()),
            (Err(EvalError::Unsupported(_)), Some(found)) => {
                open.push(name.clone());
                values.push(found);
            }
            (Err(error), _) => return Err(error.clone()),
        }
        labels.push(name.clone());
    }
    let generated = s.fact("which reactions it adds", |fact| match fact {
        Fact::GeneratedReactions(list) => Some(list.clone()),
        _ => None,
    })?;
    let known = s.point.supports.is_some() && open.is_empty();
    for (name, along) in generated {
        let held = || s.point.held_besides_pairs(&along);
        match known.then(held).transpose()? {
            Some(Some(value)) => values.push(value),
            Some(None) => {
                let text = format!("`FACTS` says that `{name}` acts along `{along}`");
                return Err(EvalError::Unsupported(text));
            }
            None => {
                let found = s.found.get(values.len());
                values.push(found.cloned().unwrap_or(N::int(0)));
                open.push(name.clone());
            }
        }
        labels.push(name);
    }
    let why = || format!("nothing is known of {}; the others agree", open.join(", "));
    Ok(Expected {
        open: (!open.is_empty()).then(why),
        values,
        labels,
    })
}

/// The coordinates that the reduced equations leave out.
fn cyclic<N>(s: &Observation<'_, N>) -> Result<Vec<String>, EvalError> {
    let names = s.names("which coordinates are cyclic")?;
    among(&names, &s.layout.coordinates)?;
    Ok(names)
}

/// Rates of coordinates, and their labels.
fn rates_of<N: Number>(s: &Observation<'_, N>, which: &dyn Fn(&String) -> bool) -> Expected<N> {
    let pairs = s.layout.coordinates.iter().zip(&s.point.state.rates);
    let pairs = pairs.filter(|(name, _)| which(name));
    let (labels, values) = pairs.map(|(n, v)| (format!("{n}'"), v.clone())).unzip();
    Expected {
        values,
        labels,
        open: None,
    }
}

fn reduced_derivative<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    let cyclic = cyclic(s)?;
    let mut all = rates_of(s, &|name| !cyclic.contains(name));
    let speeds = of_speeds(&s.layout.independent, |name| {
        s.point.speed_rate(s.layout, name)
    })?;
    all.values.extend(speeds.values);
    let names = speeds.labels.iter().map(|name| format!("{name}'"));
    all.labels.extend(names);
    Ok(all)
}

fn quadratures<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    let cyclic = cyclic(s)?;
    Ok(rates_of(s, &|name| cyclic.contains(name)))
}

/// The rows that the facts name, which have to be independent, and as many as are.
fn independent_rows<N: Number>(s: &Observation<'_, N>) -> Result<Vec<usize>, EvalError> {
    let names = s.fact("which rows are independent", |fact| match fact {
        Fact::IndependentRows(names) => Some(names.clone()),
        _ => None,
    })?;
    among(&names, &s.point.dynamics.rows)?;
    let all = s.point.dynamics.rows.iter().enumerate();
    let listed = all.filter(|(_, row)| names.contains(row));
    let listed: Vec<usize> = listed.map(|(i, _)| i).collect();
    let a = &s.point.dynamics.constraint_matrix;
    let own = chosen(a, &listed);
    if rank(&own)? != own.len() || rank(a)? != own.len() {
        let text = format!("({}) are not the independent rows", names.join(", "));
        return Err(EvalError::Unsupported(text));
    }
    Ok(listed)
}

/// The rows of A of which D consists.
fn privileged_rows<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    let rows = independent_rows(s)?;
    plain(flat(&chosen(&s.point.dynamics.constraint_matrix, &rows)))
}

fn privileged_drift<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    let dynamics = &s.point.dynamics;
    let moving = times(&dynamics.constraint_matrix, &s.point.state.rates);
    let drift = sub(&dynamics.velocity_residuals, &moving);
    let rows = independent_rows(s)?;
    plain(rows.iter().filter_map(|i| drift.get(*i).cloned()).collect())
}

/// What is left of each column after what `A^T` sees of it is taken away, which has to be all.
fn multiplier_family<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    let a = &s.point.dynamics.constraint_matrix;
    let m = a.len();
    let count = m - rank(a)?;
    let family: Vec<Vec<N>> = s.found.chunks(count.max(1)).map(<[N]>::to_vec).collect();
    if s.found.len() != m * count || rank(&family)? != count {
        return Err(EvalError::Unsupported(format!(
            "it is no basis of {count} columns"
        )));
    }
    let mut columns = Vec::with_capacity(count);
    for column in transposed(&family) {
        let seen = times(&transposed(a), &column);
        columns.push(sub(&column, &linear::multipliers(a, &seen)?));
    }
    plain(flat(&transposed(&columns)))
}

/// The inverse that the facts name, through the independent rows that the text takes.
fn generalized_inverse<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    let kind = s.fact("which inverse it is", |fact| match fact {
        Fact::Inverse(inverse) => Some(*inverse),
        _ => None,
    })?;
    let (m, n) = (
        s.point.dynamics.constraint_matrix.len(),
        s.layout.coordinates.len(),
    );
    if kind == Inverse::MoorePenrose {
        // The shortest x with `B^T B x = B^T e`.
        let b = scaled(s)?;
        let across = transposed(&b);
        let square = linear::product(&across, &b);
        let columns = linear::identity(m).into_iter().map(|e| {
            let right = times(&across, &e);
            linear::minimum_norm(&square, &right, n)
        });
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        return plain(flat(&transposed(&columns)));
    }
    let used = |i: usize| s.found.iter().skip(i).step_by(m).any(|x| !x.is_zero());
    let kept = independent(s, &used)?;
    let units = linear::identity(kept.len());
    if kind == Inverse::One {
        let block = chosen(&chosen_columns(&gram(s)?, &kept), &kept);
        let mut values = vec![vec![N::int(0); m]; m];
        for (column, e) in kept.iter().zip(&units) {
            for (row, x) in kept.iter().zip(solve_square(&block, e)?) {
                values[*row][*column] = x;
            }
        }
        return plain(flat(&values));
    }
    let rows = chosen(&scaled(s)?, &kept);
    let mut columns = vec![vec![N::int(0); n]; m];
    for (j, e) in kept.iter().zip(&units) {
        columns[*j] = linear::minimum_norm(&rows, e, n)?;
    }
    plain(flat(&transposed(&columns)))
}

fn chosen<N: Clone>(a: &[Vec<N>], which: &[usize]) -> Vec<Vec<N>> {
    which.iter().filter_map(|i| a.get(*i).cloned()).collect()
}

fn chosen_columns<N: Clone>(a: &[Vec<N>], which: &[usize]) -> Vec<Vec<N>> {
    transposed(&chosen(&transposed(a), which))
}

/// A choice of accelerations to eliminate.
struct Chart<N> {
    eliminated: Vec<usize>,
    independent: Vec<usize>,
    /// Columns of A that belong to the eliminated ones, each as a list.
    columns: Vec<Vec<N>>,
    /// The other columns.
    others: Vec<Vec<N>>,
}

impl<N: Number> Chart<N> {
    /// The one that the facts name.
    fn read(s: &Observation<'_, N>) -> Result<Self, EvalError> {
        let names = s.names("which accelerations depend on the others")?;
        let all = s.layout.coordinates.iter().map(|name| format!("{name}''"));
        among(&names, &all.collect::<Vec<_>>())?;
        let coordinates = s.layout.coordinates.iter().enumerate();
        let (eliminated, independent): (Vec<_>, Vec<_>) =
            coordinates.partition(|(_, name)| names.contains(&format!("{name}''")));
        let places = |list: Vec<(usize, &String)>| list.iter().map(|p| p.0).collect::<Vec<_>>();
        let (eliminated, independent) = (places(eliminated), places(independent));
        let across = transposed(&s.point.dynamics.constraint_matrix);
        Ok(Self {
            columns: chosen(&across, &eliminated),
            others: chosen(&across, &independent),
            eliminated,
            independent,
        })
    }

    /// The only x with `Ae x = y`.
    fn solve(&self, y: &[N]) -> Result<Vec<N>, EvalError> {
        solve_square(&transposed(&self.columns), y)
    }

    /// The columns of R.
    fn reduction(&self) -> Result<Vec<Vec<N>>, EvalError> {
        self.others
            .iter()
            .map(|column| self.solve(column))
            .collect()
    }

    /// The motions `(qi, qe) = (e_k, -R e_k)`.
    fn motions(&self, s: &Observation<'_, N>) -> Result<Vec<Vec<N>>, EvalError> {
        let n = s.layout.coordinates.len();
        let mut list = Vec::new();
        for (k, column) in self.reduction()?.iter().enumerate() {
            let own = self.independent.get(k).copied();
            let mut v: Vec<N> = (0..n).map(|i| N::int(i64::from(Some(i) == own))).collect();
            for (i, r) in self.eliminated.iter().zip(column) {
                v[*i] = r.neg();
            }
            list.push(v);
        }
        Ok(list)
    }
}

/// The chart whose determinant is the largest, with columns weighed by the inertias if the module says so: of any rows that are independent, since other
/// ones multiply all determinants alike. Where two are as large there is none.
fn chart_in_use<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    let (charts, weighed) = s.fact("which charts there are", |fact| match fact {
        Fact::Charts(list, weighed) => Some((list.clone(), *weighed)),
        _ => None,
    })?;
    let names = s.layout.coordinates.iter().map(|name| format!("{name}''"));
    let names: Vec<String> = names.collect();
    let dynamics = &s.point.dynamics;
    let rows = chosen(&dynamics.constraint_matrix, &independent(s, &|_| true)?);
    let inertia = |i: usize| dynamics.mass.get(i).and_then(|row| row.get(i)).cloned();
    let inertias: Vec<N> = (0..names.len()).filter_map(inertia).collect();
    let mut sizes: Vec<N> = Vec::new();
    for chart in &charts {
        among(chart, &names)?;
        if chart.len() != rows.len() {
            return Err(EvalError::Unsupported(
                "a chart of another size than the rank".into(),
            ));
        }
        let place = |i: &usize| chart.contains(&names[*i]);
        let (eliminated, others): (Vec<usize>, Vec<usize>) = (0..names.len()).partition(place);
        let d = linear::determinant(&chosen_columns(&rows, &eliminated))?;
        let mut size = d.mul(&d);
        for i in others.iter().filter(|_| weighed) {
            size = size.mul(&inertias[*i]);
        }
        sizes.push(size);
    }
    let mut best: Option<usize> = None;
    for (number, size) in sizes.iter().enumerate() {
        let is_larger = best.map_or(Ok(true), |best| sizes[best].is_less(size))?;
        best = best.filter(|_| !is_larger).or(Some(number));
    }
    let Some(best) = best else {
        return super::missing("charts");
    };
    let as_large = |(number, size): (usize, &N)| number != best && size.agrees(&sizes[best], size);
    if sizes.iter().enumerate().any(as_large) {
        return EvalError::singular("two charts are equally good");
    }
    plain(vec![N::int(best as i64)])
}

/// `V^T (F + C - M d)` with the motions V and the drift d of the eliminated accelerations.
fn explicit_rhs<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    let dynamics = &s.point.dynamics;
    let chart = Chart::read(s)?;
    let mut drift = vec![N::int(0); s.layout.coordinates.len()];
    let d = chart.solve(&dynamics.constraint_rhs)?;
    for (i, d) in chart.eliminated.iter().zip(d) {
        drift[*i] = d;
    }
    let force = add(
        &sub(&dynamics.applied, &dynamics.velocity_terms),
        &dynamics.nonideal,
    );
    let force = sub(&force, &times(&dynamics.mass, &drift));
    plain(times(&chart.motions(s)?, &force))
}
