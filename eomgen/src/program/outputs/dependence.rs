//! Which entries of a state follow from the others by the constraints: one for each independent row, chosen by numbers at states that satisfy
//! all rows, so that the choice is singular at none of them. Knows nothing of instructions.

use crate::manifold::Places;
use crate::mech::constraints::Level;
use crate::mech::mechanics::Mechanics;
use crate::sym::{Algebra, Expr};

/// What remains of a row, relative to what it was, at which it depends on the others.
const REMAINING: f64 = 1e-6;
/// A pivot, relative to its row, at which an entry is taken whose rate is a dependent speed, though others are larger.
const FAIR: f64 = 1e-3;

/// Rows, and the entries that they determine, in the order in which they are eliminated.
pub(super) type Pairs = Vec<(usize, usize)>;

/// Why there is no choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoChoice {
    /// No state was found that satisfies the constraints.
    NoState,
    /// The rows are independent at some states and dependent at others.
    RankVaries,
}

/// The choice among the coordinates, and among the speeds of the state where these do not satisfy the constraints by themselves.
pub(super) struct Dependence {
    pub positions: Pairs,
    pub speeds: Pairs,
}

impl Dependence {
    /// Makes the choice.
    pub fn of(alg: &mut Algebra, mechanics: &Mechanics<'_>) -> Result<Self, NoChoice> {
        let set = &mechanics.speeds;
        let rows = &mechanics.constraints.rows;
        let positions: Vec<usize> = (0..rows.len())
            .filter(|i| rows[*i].level == Level::Position)
            .collect();
        let moving: Vec<usize> = if set.reduced {
            Vec::new()
        } else {
            (0..rows.len())
                .filter(|i| rows[*i].level != Level::Acceleration)
                .collect()
        };
        if positions.is_empty() && moving.is_empty() {
            return Ok(Self {
                positions: Vec::new(),
                speeds: Vec::new(),
            });
        }
        let (values, constraints) = (mechanics.values(), &mechanics.constraints);
        let places = Places::all_over(alg, &values, constraints);
        let places = places.with_initial(alg, &values, constraints);
        if places.is_empty() {
            return Err(NoChoice::NoState);
        }
        let follows = |k: usize| {
            let mut all = set.dependent.iter();
            all.any(|i| set.speeds[*i].coordinate == Some(k))
        };
        let numbers = rates(alg, mechanics, &places, &positions);
        let of_positions = choose(numbers, &positions, follows)?;
        let chosen: Vec<usize> = of_positions.iter().map(|(_, k)| *k).collect();
        let follows = |k: usize| {
            let speed = set.independent.get(k).map(|i| &set.speeds[*i]);
            speed.is_some_and(|s| s.coordinate.is_some_and(|c| chosen.contains(&c)))
        };
        let numbers = in_speeds(alg, mechanics, &places, &moving);
        let speeds = choose(numbers, &moving, follows)?;
        Ok(Self {
            positions: of_positions,
            speeds,
        })
    }
}

type Numbers = Vec<Vec<Vec<f64>>>;

/// The coefficients of the rates in some rows, at each of the places.
fn rates(alg: &mut Algebra, mechanics: &Mechanics<'_>, places: &Places, rows: &[usize]) -> Numbers {
    let all = &mechanics.constraints.rows;
    let entries: Vec<&Expr> = rows.iter().flat_map(|i| &all[*i].a).collect();
    by_rows(
        places.values(alg, &mechanics.values(), &entries),
        mechanics.vars.coords.len(),
    )
}

/// The coefficients of the speeds in some rows: `X J = A` for `u = J q' + j`.
fn in_speeds(
    alg: &mut Algebra,
    mechanics: &Mechanics<'_>,
    places: &Places,
    rows: &[usize],
) -> Numbers {
    if rows.is_empty() {
        return Vec::new();
    }
    let mut slopes = Vec::new();
    for i in &mechanics.speeds.independent {
        let definition = &mechanics.speeds.speeds[*i].definition;
        for rate in &mechanics.vars.rates {
            slopes.push(alg.partial(definition, *rate));
        }
    }
    let slopes: Vec<&Expr> = slopes.iter().collect();
    let n = mechanics.vars.coords.len();
    let found = by_rows(places.values(alg, &mechanics.values(), &slopes), n);
    let a = rates(alg, mechanics, places, rows);
    let pairs = found.iter().zip(a);
    pairs.filter_map(|(j, a)| over(j, a)).collect()
}

fn by_rows(flat: Vec<Vec<f64>>, columns: usize) -> Numbers {
    let matrix = |list: Vec<f64>| list.chunks(columns.max(1)).map(<[f64]>::to_vec).collect();
    flat.into_iter().map(matrix).collect()
}

/// `a j^-1`, by elimination on the columns; `None` where `j` is singular.
fn over(j: &[Vec<f64>], mut a: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = j.len();
    let mut j = j.to_vec();
    for k in 0..n {
        let size = |c: usize| j[k][c].abs();
        let best = (k..n).max_by(|x, y| size(*x).total_cmp(&size(*y)))?;
        if size(best) < REMAINING {
            return None;
        }
        let swap = |row: &mut Vec<f64>| row.swap(k, best);
        j.iter_mut().for_each(swap);
        a.iter_mut().for_each(swap);
        let pivots = j[k].clone();
        for row in j.iter_mut().chain(a.iter_mut()) {
            row[k] /= pivots[k];
            let own = row[k];
            let others = row.iter_mut().zip(&pivots).enumerate();
            others
                .filter(|(c, _)| *c != k)
                .for_each(|(_, (x, p))| *x -= own * p);
        }
    }
    Some(a)
}

/// Pivots that are large at all places; where none is, at those where one is.
fn choose(
    mut places: Numbers,
    rows: &[usize],
    follows: impl Fn(usize) -> bool,
) -> Result<Pairs, NoChoice> {
    let size = |row: &Vec<f64>| row.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    let mut sizes: Vec<Vec<f64>> = places
        .iter()
        .map(|p| p.iter().map(size).collect())
        .collect();
    let mut pairs = Pairs::new();
    while pairs.len() < rows.len() {
        let relative = |at: usize, i: usize, k: usize| {
            let (x, whole) = (places[at][i][k].abs(), sizes[at][i]);
            if whole > 0.0 { x / whole } else { 0.0 }
        };
        let least = |(i, k): (usize, usize)| {
            let all = (0..places.len()).map(|at| relative(at, i, k));
            all.fold(f64::INFINITY, f64::min)
        };
        let mean = |(i, k): (usize, usize)| (0..places.len()).map(|at| relative(at, i, k)).sum();
        let columns = places.first().and_then(|p| p.first()).map_or(0, Vec::len);
        let free = (0..rows.len()).filter(|i| pairs.iter().all(|(row, _)| *row != *i));
        let open: Vec<(usize, usize)> = free
            .flat_map(|i| (0..columns).map(move |k| (i, k)))
            .filter(|(_, k)| pairs.iter().all(|(_, known)| known != k))
            .collect();
        let fair = open.iter().copied();
        let fair = fair.filter(|(i, k)| follows(*k) && least((*i, *k)) > FAIR);
        let best = largest(fair, least)
            .or_else(|| largest(open.iter().copied(), least).filter(|b| least(*b) > REMAINING))
            .or_else(|| largest(open.iter().copied(), mean));
        let Some((i, k)) = best else { break };
        let serving: Vec<usize> = (0..places.len())
            .filter(|at| relative(*at, i, k) > REMAINING)
            .collect();
        let spent = |at: usize| open.iter().all(|(i, k)| relative(at, *i, *k) <= REMAINING);
        if (0..places.len()).all(spent) {
            break;
        }
        if (0..places.len()).any(spent) {
            return Err(NoChoice::RankVaries);
        }
        places = serving.iter().map(|at| places[*at].clone()).collect();
        sizes = serving.iter().map(|at| sizes[*at].clone()).collect();
        for matrix in &mut places {
            let pivot = matrix[i].clone();
            for (other, row) in matrix
                .iter_mut()
                .enumerate()
                .filter(|(other, _)| *other != i)
            {
                if pairs.iter().any(|(known, _)| *known == other) {
                    continue;
                }
                let factor = row[k] / pivot[k];
                row.iter_mut()
                    .zip(&pivot)
                    .for_each(|(x, p)| *x -= factor * p);
                row[k] = 0.0;
            }
        }
        pairs.push((i, k));
    }
    Ok(pairs.into_iter().map(|(i, k)| (rows[i], k)).collect())
}

/// The first of the largest.
fn largest(
    list: impl Iterator<Item = (usize, usize)>,
    size: impl Fn((usize, usize)) -> f64,
) -> Option<(usize, usize)> {
    let mut best: Option<((usize, usize), f64)> = None;
    for pair in list {
        let own = size(pair);
        // Equal but for rounding is equal.
        if best.is_none_or(|(_, known)| own > known * (1.0 + 1e-9)) {
            best = Some((pair, own));
        }
    }
    best.map(|(pair, _)| pair)
}

#[cfg(test)]
mod tests {
    use super::{NoChoice, choose, over};

    #[test]
    fn the_choice_is_singular_at_no_place() {
        // At the first place only the second entry serves, at the others both do.
        let places = vec![
            vec![vec![1e-9, 1.0]],
            vec![vec![1.0, 0.3]],
            vec![vec![1.0, -0.2]],
        ];
        assert_eq!(choose(places, &[4], |_| false), Ok(vec![(4, 1)]));
    }

    #[test]
    fn an_entry_that_follows_is_taken_where_it_serves() {
        let places = |x: f64| vec![vec![vec![1.0, x]]];
        assert_eq!(choose(places(0.2), &[0], |k| k == 1), Ok(vec![(0, 1)]));
        assert_eq!(choose(places(1e-5), &[0], |k| k == 1), Ok(vec![(0, 0)]));
    }

    #[test]
    fn dependent_rows_determine_nothing_and_a_rank_that_varies_is_refused() {
        let twice = vec![vec![1.0, 2.0, 0.0], vec![2.0, 4.0, 0.0]];
        assert_eq!(
            choose(vec![twice.clone()], &[0, 1], |_| false),
            Ok(vec![(0, 1)])
        );
        let other = vec![vec![1.0, 2.0, 0.0], vec![2.0, 4.0, 1.0]];
        assert_eq!(
            choose(vec![twice, other], &[0, 1], |_| false),
            Err(NoChoice::RankVaries)
        );
    }

    #[test]
    fn coefficients_of_speeds() {
        // u = J q' with J = [[0, 2], [1, 1]]; A = [3, 4] = X J for X = [1/2, 3].
        let found = over(&[vec![0.0, 2.0], vec![1.0, 1.0]], vec![vec![3.0, 4.0]]);
        assert_eq!(found, Some(vec![vec![0.5, 3.0]]));
        assert_eq!(
            over(&[vec![1.0, 2.0], vec![2.0, 4.0]], vec![vec![1.0, 0.0]]),
            None
        );
    }
}
