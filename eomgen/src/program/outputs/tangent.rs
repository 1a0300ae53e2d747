//! Directions in which a state can move without leaving the constraints, one for each of its independent entries: the others follow by linear
//! equations, whose determinants are conditions. Of a square system that falls apart into pieces the pieces are solved, small ones
//! by determinants, so that nothing is divided by that is not a factor of the whole determinant.

use super::dependence::{Dependence, Pairs};
use crate::ir::{Unary, Value};
use crate::program::writer::{Writer, row_names};
use std::collections::BTreeMap;

/// Unknowns of a piece that is solved by determinants.
const SMALL: usize = 3;

/// The directions.
pub(super) struct Tangent {
    /// Entries of the state that are free.
    pub independent: Vec<usize>,
    /// Of each entry of the state how it changes with the independent ones.
    pub rows: Vec<Vec<Value>>,
}

impl Tangent {
    /// From the derivatives of the rows by the state: those of positions (by coordinates), and those of velocities (by the whole state).
    pub fn of(
        w: &mut Writer<'_>,
        states: usize,
        dependence: &Dependence,
        (positions, velocities): (&[Value], &[Value]),
    ) -> Self {
        let n = w.c.system.coords.len();
        let shifted: Pairs = dependence.speeds.iter().map(|(i, k)| (*i, n + k)).collect();
        let taken: Vec<usize> = dependence
            .positions
            .iter()
            .chain(&shifted)
            .map(|p| p.1)
            .collect();
        let independent: Vec<usize> = (0..states).filter(|i| !taken.contains(i)).collect();
        let (zero, one) = (w.low.graph.zero(), w.low.graph.one());
        let mut rows = vec![vec![zero; independent.len()]; states];
        for (column, i) in independent.iter().enumerate() {
            rows[*i][column] = one;
        }
        let mut tangent = Self { independent, rows };
        tangent.follow(w, &dependence.positions, positions, 0..n);
        tangent.follow(w, &shifted, velocities, n..states);
        tangent
    }

    /// Adds how the entries of these pairs follow from all others.
    fn follow(
        &mut self,
        w: &mut Writer<'_>,
        pairs: &[(usize, usize)],
        slopes: &[Value],
        own: std::ops::Range<usize>,
    ) {
        if pairs.is_empty() {
            return;
        }
        let rows = w.c.constraints.rows.len();
        let columns = slopes.len() / rows.max(1);
        let names = row_names(&w.c);
        let equations = pairs.iter().map(|(row, _)| {
            let slope = &slopes[row * columns..(row + 1) * columns];
            let mut left = BTreeMap::new();
            for (_, k) in pairs {
                if !w.low.graph.is_zero(slope[*k]) {
                    left.insert(*k, slope[*k]);
                }
            }
            let mut right = vec![w.low.graph.zero(); self.independent.len()];
            for (k, x) in slope
                .iter()
                .enumerate()
                .filter(|(k, _)| !left.contains_key(k))
            {
                for (sum, by) in right.iter_mut().zip(&self.rows[k]) {
                    let product = w.low.graph.mul(*x, *by);
                    *sum = w.low.graph.sub(*sum, product);
                }
            }
            Equation {
                name: names[*row].clone(),
                row: *row,
                size: size(w, &slope[own.start.min(columns)..own.end.min(columns)]),
                left,
                right,
            }
        });
        let equations: Vec<Equation> = equations.collect();
        let order: Vec<(usize, usize)> = pairs.to_vec();
        for (k, x) in solved(w, equations, &order) {
            self.rows[k] = x;
        }
    }
}

/// One row: coefficients of the entries to be found, and what their sum is.
#[derive(Clone)]
struct Equation {
    name: String,
    row: usize,
    /// The length of the whole row.
    size: Value,
    left: BTreeMap<usize, Value>,
    right: Vec<Value>,
}

fn size(w: &mut Writer<'_>, row: &[Value]) -> Value {
    let g = &mut w.low.graph;
    let mut sum = g.zero();
    for x in row {
        let square = g.mul(*x, *x);
        sum = g.add(sum, square);
    }
    g.unary(Unary::Sqrt, sum)
}

/// Solves as many equations as there are entries.
fn solved(
    w: &mut Writer<'_>,
    mut open: Vec<Equation>,
    order: &[(usize, usize)],
) -> Vec<(usize, Vec<Value>)> {
    let mut known: Vec<(usize, Vec<Value>)> = Vec::new();
    let mut later: Vec<(usize, Equation)> = Vec::new();
    while !open.is_empty() {
        if let Some(at) = open.iter().position(|e| e.left.len() == 1) {
            let equation = open.remove(at);
            let found = determinants(w, vec![equation]);
            substitute(w, &mut open, &found);
            known.extend(found);
        } else if let Some((at, k)) = alone(&open) {
            later.push((k, open.remove(at)));
        } else {
            let piece = piece(&open);
            let (own, others) = open.into_iter().partition(|e| piece.contains(&e.row));
            open = others;
            let own: Vec<Equation> = own;
            if own.len() <= SMALL {
                known.extend(determinants(w, own));
            } else if let Some((k, pivot, rest)) = eliminated(w, own, order) {
                later.push((k, pivot));
                open.extend(rest);
            }
        }
    }
    for (_, equation) in later.into_iter().rev() {
        let mut last = vec![equation];
        substitute(w, &mut last, &known);
        known.extend(determinants(w, last));
    }
    known
}

/// An entry that occurs in a single equation.
fn alone(open: &[Equation]) -> Option<(usize, usize)> {
    open.iter().enumerate().find_map(|(at, equation)| {
        let single = equation.left.keys().find(|k| {
            let with = open.iter().filter(|e| e.left.contains_key(*k));
            with.count() == 1
        });
        single.map(|k| (at, *k))
    })
}

/// The rows of the piece that the first equation belongs to.
fn piece(open: &[Equation]) -> Vec<usize> {
    let mut rows: Vec<usize> = open.first().map(|e| e.row).into_iter().collect();
    loop {
        let touches = |e: &&Equation| {
            let mine = open.iter().filter(|o| rows.contains(&o.row));
            !rows.contains(&e.row)
                && mine
                    .flat_map(|o| o.left.keys())
                    .any(|k| e.left.contains_key(k))
        };
        match open.iter().find(touches) {
            Some(next) => rows.push(next.row),
            None => return rows,
        }
    }
}

/// Takes what is known to the right.
fn substitute(w: &mut Writer<'_>, open: &mut [Equation], known: &[(usize, Vec<Value>)]) {
    for equation in open {
        for (k, x) in known {
            let Some(factor) = equation.left.remove(k) else {
                continue;
            };
            for (sum, x) in equation.right.iter_mut().zip(x) {
                let product = w.low.graph.mul(factor, *x);
                *sum = w.low.graph.sub(*sum, product);
            }
        }
    }
}

/// Takes the first pivot of the order from the other equations.
fn eliminated(
    w: &mut Writer<'_>,
    mut own: Vec<Equation>,
    order: &[(usize, usize)],
) -> Option<(usize, Equation, Vec<Equation>)> {
    let chosen = order.iter().find_map(|(row, k)| {
        let at = own.iter().position(|e| e.row == *row)?;
        own[at].left.contains_key(k).then_some((at, *k))
    });
    // A coefficient that other equations would have brought about may be missing: any other will do.
    let mut all = own.iter().enumerate();
    let any = all.find_map(|(at, e)| Some((at, *e.left.keys().next()?)));
    let (at, k) = chosen.or(any)?;
    let pivot = own.remove(at);
    let divisor = pivot.left[&k];
    for equation in &mut own {
        let Some(x) = equation.left.remove(&k) else {
            continue;
        };
        let g = &mut w.low.graph;
        let factor = g.div(x, divisor);
        let zero = g.zero();
        for (other, y) in pivot.left.iter().filter(|(other, _)| **other != k) {
            let product = g.mul(factor, *y);
            let old = equation.left.get(other).copied().unwrap_or(zero);
            let rest = g.sub(old, product);
            if g.is_zero(rest) {
                equation.left.remove(other);
            } else {
                equation.left.insert(*other, rest);
            }
        }
        for (sum, y) in equation.right.iter_mut().zip(&pivot.right) {
            let product = g.mul(factor, *y);
            *sum = g.sub(*sum, product);
        }
    }
    Some((k, pivot, own))
}

/// Cramer's rule, so that the one condition is the determinant.
fn determinants(w: &mut Writer<'_>, own: Vec<Equation>) -> Vec<(usize, Vec<Value>)> {
    let mut unknowns: Vec<usize> = own.iter().flat_map(|e| e.left.keys().copied()).collect();
    unknowns.sort_unstable();
    unknowns.dedup();
    let zero = w.low.graph.zero();
    let matrix: Vec<Vec<Value>> = own
        .iter()
        .map(|e| {
            let entry = |k| e.left.get(k).copied().unwrap_or(zero);
            unknowns.iter().map(entry).collect()
        })
        .collect();
    let all: Vec<usize> = (0..own.len()).collect();
    let whole = determinant(w, &matrix, &all, &all);
    condition(w, &own, &unknowns, whole);
    let mut list = Vec::new();
    for (at, k) in unknowns.iter().enumerate() {
        let columns: Vec<usize> = all.iter().copied().filter(|c| *c != at).collect();
        let mut sums = vec![zero; own.first().map_or(0, |e| e.right.len())];
        for (i, equation) in own.iter().enumerate() {
            let rows: Vec<usize> = all.iter().copied().filter(|r| *r != i).collect();
            let mut minor = determinant(w, &matrix, &rows, &columns);
            if (i + at) % 2 == 1 {
                minor = w.low.graph.neg(minor);
            }
            for (sum, x) in sums.iter_mut().zip(&equation.right) {
                let product = w.low.graph.mul(minor, *x);
                *sum = w.low.graph.add(*sum, product);
            }
        }
        let x = sums
            .iter()
            .map(|sum| w.low.graph.div(*sum, whole))
            .collect();
        list.push((*k, x));
    }
    list
}

fn determinant(w: &mut Writer<'_>, m: &[Vec<Value>], rows: &[usize], columns: &[usize]) -> Value {
    let Some((first, rest)) = rows.split_first() else {
        return w.low.graph.one();
    };
    let mut sum = w.low.graph.zero();
    for (place, c) in columns.iter().enumerate() {
        if w.low.graph.is_zero(m[*first][*c]) {
            continue;
        }
        let others: Vec<usize> = columns.iter().copied().filter(|x| x != c).collect();
        let minor = determinant(w, m, rest, &others);
        let g = &mut w.low.graph;
        let product = g.mul(m[*first][*c], minor);
        sum = if place % 2 == 0 {
            g.add(sum, product)
        } else {
            g.sub(sum, product)
        };
    }
    sum
}

/// What must not vanish: the determinant beside the lengths of its rows.
fn condition(w: &mut Writer<'_>, own: &[Equation], unknowns: &[usize], determinant: Value) {
    if is_certain(w, own, unknowns) {
        return;
    }
    let mut scale = w.low.graph.one();
    for equation in own {
        scale = w.low.graph.mul(scale, equation.size);
    }
    let names = super::derivatives::state_names(w);
    let entries: Vec<&str> = unknowns.iter().map(|k| names[*k].as_str()).collect();
    let rows: Vec<&str> = own.iter().map(|e| e.name.as_str()).collect();
    let (verb, rows) = match rows.as_slice() {
        [one] => ("does", format!("constraint `{one}`")),
        several => ("do", format!("constraints `{}`", several.join("`, `"))),
    };
    let text = format!("{rows} {verb} not determine `{}`", entries.join("`, `"));
    let note = "what `linearization_reduced` takes as dependent cannot be found from the others";
    w.pivot_condition(determinant, Some(scale), text, note);
}

/// Whether a single coefficient of a row of the model never vanishes.
fn is_certain(w: &mut Writer<'_>, own: &[Equation], unknowns: &[usize]) -> bool {
    let ([equation], [k]) = (own, unknowns) else {
        return false;
    };
    let mechanics = w.mechanics();
    let rows = &mechanics.constraints.rows;
    let Some(entry) = rows.get(equation.row).and_then(|row| row.a.get(*k)) else {
        return false;
    };
    let entry = entry.clone();
    w.c.alg.is_nonzero(&entry) && equation.left.get(k) == Some(&w.lower(&entry))
}
