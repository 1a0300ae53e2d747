//! Which constraint rows the equations keep: in axes in which they are short, or as they are stated, without those that say nothing more. Knows nothing of how
//! the equations are solved.

use super::left::{self, Back, Left, Share};
use super::merged::{self, Whole};
use super::own;
use crate::form::{Space, solution};
use crate::mech::constraints::Rank;
use crate::mech::turned::in_short_axes;
use crate::program::writer::{Writer, row_names};

/// The rows that are left in a space; `None` where it depends on the state which of them these are.
pub(super) fn rows(w: &mut Writer<'_>, space: Space) -> Option<Left> {
    if !w.c.has_rows(space) {
        return Some(Left {
            back: Some(Back::default()),
            ..Left::default()
        });
    }
    let mechanics = w.mechanics();
    let spins = mechanics.spins.as_ref().filter(|_| space == Space::Spins);
    let held = spins.map_or(&[] as &[usize], |spins| &spins.rows);
    if mechanics.constraints.rank_where_they_hold == Rank::Varies {
        return None;
    }
    if let Some(left) = in_axes(w, space, held) {
        return Some(left);
    }
    if let Some(left) = own::without_copies(w, space) {
        return Some(left);
    }
    let mut rows = match mechanics.constraints.rank_where_they_hold {
        Rank::Lower => Whole::independent(&mechanics.constraints),
        _ => merged::whole(w)?,
    };
    rows.leave_out(held);
    let names = row_names(&w.c);
    let (a, b) = if rows.stated {
        left::stated(w, space, &rows.numbers)
    } else {
        solution::in_space(&mut w.c, space, &rows.a, &rows.b)
    };
    let acting = if rows.stated {
        left::acting(w, space, &rows.numbers, &a)
    } else {
        vec![None; a.len()]
    };
    let stated = rows.numbers.iter().copied().enumerate();
    let stated = stated
        .map(|(here, row)| (Share::whole(here), row))
        .collect();
    Some(Left {
        names: rows.numbers.iter().map(|row| names[*row].clone()).collect(),
        a,
        b,
        acting,
        back: rows.stated.then_some(Back {
            stated,
            turned: Vec::new(),
        }),
    })
}

/// The rows with constraints in other axes, where that is shorter and leaves no more rows than are independent of one another. There may be fewer: that a row
/// says nothing is exact, and the rank is one of states that were found, or of states of all kinds.
fn in_axes(w: &mut Writer<'_>, space: Space, held: &[usize]) -> Option<Left> {
    let mechanics = w.mechanics();
    let constraints = &mechanics.constraints;
    let (alg, values, k, _) = w.c.parts(space);
    let mut turned = in_short_axes(alg, &values, k, constraints)
        .into_iter()
        .peekable();
    turned.peek()?;
    let names = row_names(&w.c);
    let (mut left, mut back) = (Left::default(), Back::default());
    let mut row = 0;
    while row < constraints.rows.len() {
        if let Some(of) = turned.next_if(|of| of.stated.iter().flatten().min() == Some(&row)) {
            row += of.stated.iter().flatten().count();
            back.turned.push(left.turned(of)?);
            continue;
        }
        if !held.contains(&row) {
            let (a, b) = left::stated(w, space, &[row]);
            left.acting.extend(left::acting(w, space, &[row], &a));
            back.stated.push((Share::whole(left.a.len()), row));
            left.a.extend(a);
            left.b.extend(b);
            left.names.push(names[row].clone());
        }
        row += 1;
    }
    let of_rank = |row: &&usize| !held.contains(row);
    let rank = constraints.independent.iter().filter(of_rank).count();
    (left.a.len() <= rank).then_some(Left {
        back: Some(back),
        ..left
    })
}
