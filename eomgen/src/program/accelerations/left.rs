//! The constraint rows that the equations keep, in the speeds in which these are solved: in axes in which they are short, or as they are stated, without
//! those that say nothing more. Knows nothing of how the equations are solved.

use super::merged::{self, Whole};
use crate::elim::Matrix;
use crate::form::{Space, solution};
use crate::ir::Value;
use crate::mech::constraints::Rank;
use crate::mech::turned::{KeptInAxes, in_short_axes};
use crate::mech::vec3::Mat3;
use crate::program::solved::Entering;
use crate::program::writer::{Writer, row_names};
use crate::sym::Expr;

/// Rows in the rates of the speeds of a space.
#[derive(Default)]
pub(in crate::program) struct Left {
    /// What they are called: by rows of the model, or by constraints.
    pub names: Vec<String>,
    pub a: Matrix,
    pub b: Vec<Expr>,
    /// `None` where they are sums of several rows of the model.
    pub back: Option<Back>,
}

/// The way from multipliers of the rows that are left to those of the model's rows.
#[derive(Clone, Default)]
pub(in crate::program) struct Back {
    /// Rows that are rows of the model: the number here and there.
    stated: Vec<(usize, usize)>,
    turned: Vec<TurnedBack>,
}

/// Rows of one constraint in other axes.
#[derive(Clone)]
struct TurnedBack {
    /// The model's row of each component.
    stated: [Option<usize>; 3],
    /// The row of each axis.
    rows: [Option<usize>; 3],
    turn: Mat3,
}

impl Back {
    /// Multipliers of the model's rows. Those of rows that say nothing are zero, so that they are of least norm.
    pub fn multipliers(&self, w: &mut Writer<'_>, solved: &[Value]) -> Entering {
        let stated = self.stated.iter();
        let mut list: Entering = stated.map(|(here, row)| (*row, solved[*here])).collect();
        for turned in &self.turned {
            for (row, axis) in turned.stated.iter().zip(&turned.turn) {
                let Some(row) = row else { continue };
                let mut sum = w.low.graph.zero();
                for (e, here) in axis.iter().zip(&turned.rows) {
                    if let Some(here) = here {
                        sum = w.add_product(sum, e, solved[*here]);
                    }
                }
                list.push((*row, sum));
            }
        }
        list.sort_unstable_by_key(|(row, _)| *row);
        list
    }
}

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
    let mut rows = match mechanics.constraints.rank_where_they_hold {
        Rank::Lower => Whole::independent(&mechanics.constraints),
        _ => merged::whole(w)?,
    };
    rows.leave_out(held);
    let names = row_names(&w.c);
    let (a, b) = solution::in_space(&mut w.c, space, &rows.a, &rows.b);
    let stated = rows.numbers.iter().copied().enumerate().collect();
    Some(Left {
        names: rows.numbers.iter().map(|row| names[*row].clone()).collect(),
        a,
        b,
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
            let of = &constraints.rows[row];
            let (a, b) = ([of.a.clone()].to_vec(), [of.b.clone()]);
            let (a, b) = solution::in_space(&mut w.c, space, &a, &b);
            back.stated.push((left.a.len(), row));
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

impl Left {
    /// Adds rows of a constraint in other axes, but for those that say nothing; `None` where what one of these says is not 0 = 0.
    fn turned(&mut self, of: KeptInAxes) -> Option<TurnedBack> {
        let mut rows = [None; 3];
        for (place, (a, b)) in rows.iter_mut().zip(of.a.into_iter().zip(of.b)) {
            if a.iter().all(Expr::is_literal_zero) {
                if !b.is_literal_zero() {
                    return None;
                }
                continue;
            }
            *place = Some(self.a.len());
            self.a.push(a);
            self.b.push(b);
            self.names.push(of.name.clone());
        }
        Some(TurnedBack {
            stated: of.stated,
            rows,
            turn: of.turn,
        })
    }
}
