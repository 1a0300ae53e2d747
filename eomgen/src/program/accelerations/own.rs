//! Constraint rows in axes of their own: a leg's, in which each of its rates has a row, or those of an axle, in which both of its wheels say the same of
//! sideways motion. Knows nothing of how the equations are solved.

use super::left::{self, Back, Left, Share};
use crate::elim::Matrix;
use crate::form::{Space, solution};
use crate::manifold::{self, Places};
use crate::mech::constraints::Rank;
use crate::mech::still::Still;
use crate::mech::turned::in_own_axes;
use crate::program::writer::{Writer, row_names};
use crate::sym::{Algebra, Expr};

/// All rows that say something: of coordinates that stand still that they do, then those in axes of their own.
fn all(w: &mut Writer<'_>, space: Space, still: &mut Still) -> Option<(Left, Back)> {
    let mechanics = w.mechanics();
    let constraints = &mechanics.constraints;
    let held = held(w, space);
    let mut left = standing(w, space, still);
    let mut back = Back::default();
    let (alg, values, k, _) = w.c.parts(space);
    let turned = in_own_axes(alg, &values, k, constraints, still);
    let mut stated: Vec<usize> = (0..constraints.rows.len()).collect();
    stated.retain(|row| !held.contains(row));
    for of in turned {
        stated.retain(|row| !of.stated.contains(&Some(*row)));
        back.turned.push(left.turned(of)?);
    }
    let (a, b) = left::stated(w, space, &stated);
    let names = row_names(&w.c);
    let a: Matrix = { a.iter() }.map(|row| within(w, still, row)).collect();
    let b = within(w, still, &b);
    let first = left.a.len();
    let numbers = stated.iter().enumerate();
    back.stated = numbers
        .map(|(i, row)| (Share::whole(first + i), *row))
        .collect();
    let acting = if still.is_empty() {
        left::acting(w, space, &stated, &a)
    } else {
        vec![None; a.len()]
    };
    left.acting.extend(acting);
    left.a.extend(a);
    left.b.extend(b);
    left.names
        .extend(stated.iter().map(|row| names[*row].clone()));
    for row in left.a.iter_mut().skip(still.coordinates().count()) {
        for (speed, e) in row.iter_mut().enumerate() {
            if still.holds(speed) {
                *e = Expr::zero();
            }
        }
    }
    Some((left, back))
}

/// The rows that hold nothing but speeds that stand still.
pub(super) fn holding(w: &mut Writer<'_>, space: Space, still: &Still) -> Matrix {
    let mechanics = w.mechanics();
    let rows = mechanics.constraints.rows.iter();
    let (a, b): (Matrix, Vec<Expr>) = rows.map(|row| (row.a.clone(), row.b.clone())).unzip();
    let (a, _) = solution::in_space(&mut w.c, space, &a, &b);
    let mut rows: Matrix = { a.iter() }.map(|row| within(w, still, row)).collect();
    rows.retain(|row| {
        let held = row.iter().enumerate().filter(|(_, e)| !e.is_literal_zero());
        let mut held = held.map(|(speed, _)| still.holds(speed)).peekable();
        held.peek().is_some() && held.all(|still| still)
    });
    rows
}

/// The rows of coordinates that stand still.
fn standing(w: &mut Writer<'_>, space: Space, still: &mut Still) -> Left {
    if still.is_empty() {
        return Left::default();
    }
    let a = still.rows(w.c.system.coords.len());
    let names = w.c.system.coord_names("");
    let names = still.coordinates().map(|(c, _)| names[c].clone()).collect();
    let b = vec![Expr::zero(); a.len()];
    let (a, b) = solution::in_space(&mut w.c, space, &a, &b);
    let a: Matrix = { a.iter() }.map(|row| within(w, still, row)).collect();
    let b = within(w, still, &b);
    still.note(&a);
    Left {
        names,
        acting: vec![None; a.len()],
        a,
        b,
        back: None,
    }
}

fn within(w: &mut Writer<'_>, still: &Still, list: &[Expr]) -> Vec<Expr> {
    let each = list.iter();
    each.map(|e| still.within(&mut w.c.alg, e)).collect()
}

/// The norms of quaternions, which are no rows in angular velocities.
fn held(w: &Writer<'_>, space: Space) -> Vec<usize> {
    let mechanics = w.mechanics();
    let spins = mechanics.spins.as_ref().filter(|_| space == Space::Spins);
    spins.map_or_else(Vec::new, |spins| spins.rows.clone())
}

/// How many rows are independent of one another.
fn rank(w: &Writer<'_>, space: Space) -> usize {
    let held = held(w, space);
    let mechanics = w.mechanics();
    let own = mechanics.constraints.independent.iter();
    own.filter(|row| !held.contains(row)).count()
}

/// Rows of which some say no more than others, without these, if they are copies of the others but for a factor: so no division is needed to leave them
/// out. `None` where they are no copies.
pub(super) fn without_copies(w: &mut Writer<'_>, space: Space) -> Option<Left> {
    let mechanics = w.mechanics();
    let constraints = &mechanics.constraints;
    let whole = constraints.independent.len() == constraints.rows.len();
    if whole || constraints.rank_where_they_hold != Rank::Same {
        return None;
    }
    let (all, mut back) = all(w, space, &mut Still::default())?;
    if back.turned.is_empty() {
        return None;
    }
    // Of each row the one that it is a copy of, and the factor.
    let mut copies: Vec<(usize, Expr)> = Vec::with_capacity(all.a.len());
    let mut kept: Vec<usize> = Vec::new();
    for (i, row) in all.a.iter().enumerate() {
        let mut known = kept.iter().enumerate();
        let copy = known.find_map(|(k, j)| Some((k, factor(&mut w.c.alg, row, &all.a[*j])?)));
        copies.push(copy.unwrap_or_else(|| {
            kept.push(i);
            (kept.len() - 1, Expr::one())
        }));
    }
    if kept.len() != rank(w, space) {
        return None;
    }
    // Of least norm are multipliers that stand to one another as the factors.
    let mut squares = vec![Expr::zero(); kept.len()];
    for (of, factor) in &copies {
        squares[*of] = &squares[*of] + factor * factor;
    }
    let share = |row: usize| {
        let (of, factor) = &copies[row];
        Share {
            of: *of,
            factor: factor / &squares[*of],
        }
    };
    for (own, _) in &mut back.stated {
        *own = share(own.of);
    }
    let turned = back.turned.iter_mut().flat_map(|turned| &mut turned.rows);
    for own in turned.flatten() {
        *own = share(own.of);
    }
    Some(Left {
        back: Some(back),
        ..picked(&all, &kept)
    })
}

/// The number by which one row is a multiple of another.
fn factor(alg: &mut Algebra, row: &[Expr], of: &[Expr]) -> Option<Expr> {
    let zero = |e: &Expr| e.is_literal_zero();
    let same = row.iter().zip(of).all(|(a, b)| zero(a) == zero(b));
    let at = of.iter().position(|e| !zero(e)).filter(|_| same)?;
    let ratio = alg.simplify(&(&row[at] / &of[at]));
    let factor = Expr::rational(&alg.as_number(&ratio)?);
    let mut pairs = row.iter().zip(of);
    let whole = pairs.all(|(a, b)| alg.is_zero(&(a - &factor * b)));
    whole.then_some(factor)
}

/// Which rows are asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Any.
    Any,
    /// Some in axes of their own.
    Turned,
}

/// Rows that are independent at ordinary places, as many as are so anywhere: where they are independent, they say what all rows say, and where coordinates
/// that are said to stand still do. `None` if there are none.
pub(super) fn independent(
    w: &mut Writer<'_>,
    space: Space,
    ordinary: &Places,
    (wanted, still): (Wanted, &mut Still),
) -> Option<Left> {
    let (all, back) = all(w, space, still)?;
    if wanted == Wanted::Turned && back.turned.is_empty() {
        return None;
    }
    let mut order: Vec<usize> = (0..all.a.len()).collect();
    let size = |row: &usize| all.a[*row].iter().filter(|e| !e.is_literal_zero()).count();
    order.sort_by_key(size);
    let list: Vec<&Expr> = all.a.iter().flatten().collect();
    let width = all.a.first()?.len();
    let found = ordinary.values(&w.c.alg, &w.mechanics().values(), &list);
    let mut found = found.iter().map(|flat| {
        let rows: Vec<Vec<f64>> = flat.chunks(width).map(<[f64]>::to_vec).collect();
        manifold::independent(&rows, &order)
    });
    let first = found.next().filter(|rows| rows.len() == rank(w, space))?;
    let same = found.all(|rows| rows == first);
    same.then(|| picked(&all, &first))
}

/// Some of the rows.
fn picked(all: &Left, rows: &[usize]) -> Left {
    Left {
        names: rows.iter().map(|row| all.names[*row].clone()).collect(),
        a: rows.iter().map(|row| all.a[*row].clone()).collect(),
        b: rows.iter().map(|row| all.b[*row].clone()).collect(),
        acting: rows.iter().map(|row| all.acting[*row].clone()).collect(),
        back: None,
    }
}
