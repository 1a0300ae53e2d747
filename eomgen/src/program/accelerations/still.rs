//! Which coordinates the constraints keep where they are, told by states at which they hold, and what a plan that takes that for granted has to look at.

use super::own::{self, Wanted};
use super::statements::lowered_rows;
use crate::elim::Matrix;
use crate::form::Space;
use crate::ir::{Binary, Graph, Rational, Value};
use crate::manifold::{self, Places};
use crate::mech::still::Still;
use crate::plan::{Skeleton, group};
use crate::program::writer::{Writer, slot};
use crate::sym::{Expr, Var};
use std::collections::BTreeMap;

/// What is smaller than this share of the largest of its kind is zero at a state.
const NONE: f64 = 1e-9;
/// Of fewer states nothing is told.
const LEAST: usize = 3;
/// What stands still may be at one part in 10 to this power of what moves.
const DIGITS: u32 = 12;

/// The machine where some of its coordinates stand still.
pub(in crate::program) struct Standing {
    pub still: Still,
    /// Rows with the rates that stand still, and others that say what all rows say then.
    pub rows: Vec<(Vec<Value>, Value)>,
    /// What must not vanish for the constraints to keep them.
    pub holding: Vec<Value>,
    pub skeleton: Skeleton,
}

/// The machine where what stands still at all of these places does; `None` if nothing does.
pub(super) fn standing(w: &mut Writer<'_>, space: Space, places: &[&Places]) -> Option<Standing> {
    let mut still = Still::of(of_the_state(w, &coordinates(w, places)));
    if still.is_empty() {
        return None;
    }
    let around = places.first()?;
    let left = own::independent(w, space, around, (Wanted::Any, &mut still))?;
    let by = held_by(w, space, &still, around)?;
    let (rows, holding, skeleton) = w.standing(&still, |w| {
        let rows = lowered_rows(w, &left.a, &left.b);
        let holding = by.pivots(w);
        let skeleton = Skeleton::new(&mut w.c, &mut w.low, space)?;
        Some((rows, holding, skeleton))
    })?;
    Some(Standing {
        still,
        rows,
        holding,
        skeleton,
    })
}

/// Rows that keep coordinates where they are, as many as there are of these.
struct Keeping {
    rows: Matrix,
    /// What they come to at one place.
    numbers: Vec<Vec<f64>>,
}

/// The rows that keep the coordinates; `None` where others than those that hold nothing else are needed for it.
fn held_by(w: &mut Writer<'_>, space: Space, still: &Still, around: &Places) -> Option<Keeping> {
    let columns: Vec<usize> = still.speeds().collect();
    let count = still.coordinates().count();
    // In speeds of another kind it may take several to say that one coordinate stands still.
    if columns.len() != count {
        return None;
    }
    let rows = own::holding(w, space, still);
    let rows: Matrix = { rows.iter() }
        .map(|row| columns.iter().map(|c| row[*c].clone()).collect())
        .collect();
    let list: Vec<&Expr> = rows.iter().flatten().collect();
    let found = around.values(&w.c.alg, &w.mechanics().values(), &list);
    let numbers = found.first()?.chunks(columns.len());
    let numbers: Vec<Vec<f64>> = numbers.map(<[f64]>::to_vec).collect();
    let order: Vec<usize> = (0..rows.len()).collect();
    let chosen = manifold::independent(&numbers, &order);
    (chosen.len() == count).then(|| Keeping {
        rows: chosen.iter().map(|row| rows[*row].clone()).collect(),
        numbers: chosen.iter().map(|row| numbers[*row].clone()).collect(),
    })
}

impl Keeping {
    /// The pivots by which these rows say that rates are zero, those first that are largest at that place.
    fn pivots(mut self, w: &mut Writer<'_>) -> Vec<Value> {
        let mut rows: Vec<Vec<Value>> = w.lower_rows(&self.rows);
        let graph = &mut w.low.graph;
        let mut pivots = Vec::new();
        for i in 0..rows.len() {
            let (own, number) = (rows[i].clone(), self.numbers[i].clone());
            let columns = 0..own.len();
            let largest = columns.max_by(|a, b| number[*a].abs().total_cmp(&number[*b].abs()));
            let Some(c) = largest else { continue };
            pivots.push(own[c]);
            for (row, numbers) in { rows.iter_mut().zip(&mut self.numbers) }.skip(i + 1) {
                if graph.is_zero(row[c]) {
                    continue;
                }
                let (factor, by) = (graph.div(row[c], own[c]), numbers[c] / number[c]);
                for (k, (entry, x)) in row.iter_mut().zip(numbers).enumerate() {
                    let part = graph.mul(factor, own[k]);
                    *entry = graph.sub(*entry, part);
                    *x -= by * number[k];
                }
                row[c] = graph.zero();
            }
        }
        pivots
    }
}

/// Of these coordinates, the ones whose rates are speeds of the state, with the symbols of what is zero.
fn of_the_state(
    w: &Writer<'_>,
    coordinates: &BTreeMap<usize, bool>,
) -> Vec<(usize, bool, Vec<Var>)> {
    let mechanics = w.mechanics();
    let (vars, speeds) = (&mechanics.vars, &mechanics.speeds);
    let own = speeds.independent.iter().filter_map(|s| {
        let speed = &speeds.speeds[*s];
        let (&c, &zero) = coordinates.get_key_value(&speed.coordinate?)?;
        let mut symbols = vec![speed.var, vars.rates[c]];
        symbols.extend(zero.then_some(vars.coords[c]));
        Some((c, zero, symbols))
    });
    own.collect()
}

/// The coordinates whose rates are zero at all of the places, and whether they are zero themselves.
fn coordinates(w: &Writer<'_>, places: &[&Places]) -> BTreeMap<usize, bool> {
    let mechanics = w.mechanics();
    let vars = &mechanics.vars;
    let n = vars.coords.len();
    let symbols = vars.coords.iter().chain(&vars.rates);
    let list: Vec<Expr> = symbols.map(|v| w.c.alg.var(*v)).collect();
    let list: Vec<&Expr> = list.iter().collect();
    let states = places.iter();
    let states: Vec<Vec<f64>> = states
        .flat_map(|at| at.values(&w.c.alg, &mechanics.values(), &list))
        .collect();
    if states.len() < LEAST {
        return BTreeMap::new();
    }
    let states: Vec<(Vec<f64>, Vec<f64>)> = { states.into_iter() }
        .map(|mut state| {
            let rates = state.split_off(n);
            (zeros(state), zeros(rates))
        })
        .collect();
    let still = (0..n).filter(|c| states.iter().all(|(_, rates)| rates[*c] == 0.0));
    still
        .map(|c| (c, states.iter().all(|(coords, _)| coords[c] == 0.0)))
        .collect()
}

/// Numbers of one kind, with zeros for what is zero but for rounding.
pub(super) fn zeros(mut list: Vec<f64>) -> Vec<f64> {
    let largest = list.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    for x in &mut list {
        if x.abs() <= NONE * largest {
            *x = 0.0;
        }
    }
    list
}

/// What is positive where coordinates that are taken to stand still do, as well as can be told from the digits of a state; `None` if there are none.
pub(super) fn margin(w: &mut Writer<'_>, still: &Still) -> Option<Value> {
    if still.is_empty() {
        return None;
    }
    let mechanics = w.mechanics();
    let rates: Vec<Value> = w.values_of(mechanics.vars.rates.clone());
    let graph = &mut w.low.graph;
    let coordinates = still.coordinates();
    let (own, zero): (Vec<_>, Vec<_>) = coordinates
        .map(|(c, zero)| (c, zero.then(|| graph.input(slot(group::STATE, c)))))
        .unzip();
    let zero: Vec<Value> = zero.into_iter().flatten().collect();
    let moving: Vec<Value> = { rates.iter().enumerate() }
        .filter(|(c, _)| !own.contains(c))
        .map(|(_, rate)| *rate)
        .collect();
    let own: Vec<Value> = own.iter().map(|c| rates[*c]).collect();
    let [own, moving, zero] = [own, moving, zero].map(|list| sum_of_squares(graph, &list));
    let share = Rational::new(1.into(), num_bigint::BigInt::from(10).pow(2 * DIGITS));
    let share = graph.rational(&share);
    // Where nothing moves, too.
    let all = graph.add(moving, share);
    let most = graph.mul(share, all);
    let [rates, coordinates] = [graph.sub(most, own), graph.sub(share, zero)];
    Some(graph.binary(Binary::Min, rates, coordinates))
}

fn sum_of_squares(graph: &mut Graph, list: &[Value]) -> Value {
    let zero = graph.zero();
    list.iter().fold(zero, |sum, v| {
        let square = graph.mul(*v, *v);
        graph.add(sum, square)
    })
}
