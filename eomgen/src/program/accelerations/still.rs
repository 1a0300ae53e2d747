//! Which coordinates the constraints keep where they are, told by states at which they hold, and what a plan that takes that for granted has to look at.

use super::own::{self, Wanted};
use super::statements::lowered_rows;
use crate::form::Space;
use crate::ir::{Binary, Graph, Rational, Value};
use crate::manifold::Places;
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
    w.standing(&still, |w| {
        let rows = lowered_rows(w, &left.a, &left.b);
        let skeleton = Skeleton::new(&mut w.c, &mut w.low, space)?;
        Some((rows, skeleton))
    })
    .map(|(rows, skeleton)| Standing {
        still,
        rows,
        skeleton,
    })
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
