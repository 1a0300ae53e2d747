//! The constraint rows that the equations keep, in the speeds in which these are solved, and the way from their multipliers to those of the model's rows.
//! Knows nothing of which rows these are.

use crate::elim::Matrix;
use crate::form::{Space, solution};
use crate::ir::Value;
use crate::mech::turned::{Acting, KeptInAxes, acting_as_stated, in_speeds};
use crate::mech::vec3::Mat3;
use crate::program::solved::Entering;
use crate::program::writer::Writer;
use crate::sym::Expr;
use std::collections::BTreeMap;

/// Rows in the rates of the speeds of a space.
#[derive(Default)]
pub(in crate::program) struct Left {
    /// What they are called: by rows of the model, or by constraints.
    pub names: Vec<String>,
    pub a: Matrix,
    pub b: Vec<Expr>,
    /// By what the multiplier of each acts, where that is known.
    pub acting: Vec<Option<Acting>>,
    /// `None` where they are sums of several rows of the model.
    pub back: Option<Back>,
}

/// The way from multipliers of the rows that are left to those of the model's rows.
#[derive(Clone, Default)]
pub(in crate::program) struct Back {
    /// Rows that are rows of the model, by their numbers, or copies of such.
    pub(super) stated: Vec<(Share, usize)>,
    pub(super) turned: Vec<TurnedBack>,
}

/// Rows of one constraint in other axes.
#[derive(Clone)]
pub(super) struct TurnedBack {
    /// The model's row of each component.
    stated: [Option<usize>; 3],
    /// The row of each axis.
    pub rows: [Option<Share>; 3],
    turn: Mat3,
}

/// What a row has of the multiplier of one that is left: all, unless there are copies of it.
#[derive(Clone)]
pub(super) struct Share {
    pub of: usize,
    pub factor: Expr,
}

impl Share {
    pub fn whole(of: usize) -> Self {
        Self {
            of,
            factor: Expr::one(),
        }
    }

    fn of(&self, w: &mut Writer<'_>, solved: &[Value]) -> Value {
        let zero = w.low.graph.zero();
        w.add_product(zero, &self.factor, solved[self.of])
    }
}

/// By what the multipliers of rows of the model act, in the speeds of a space.
pub(super) fn acting(
    w: &mut Writer<'_>,
    space: Space,
    numbers: &[usize],
    a: &Matrix,
) -> Vec<Option<Acting>> {
    let mechanics = w.mechanics();
    let (alg, values, k, _) = w.c.parts(space);
    let rows = numbers.iter().copied().zip(a);
    rows.map(|(row, a)| acting_as_stated(alg, &values, k, &mechanics.constraints, (row, a)))
        .collect()
}

/// Rows of the model as they are stated, by their numbers, in the rates of the speeds of a space.
pub(super) fn stated(w: &mut Writer<'_>, space: Space, numbers: &[usize]) -> (Matrix, Vec<Expr>) {
    let mechanics = w.mechanics();
    let (alg, values, k, _) = w.c.parts(space);
    let own = in_speeds(alg, &values, k, &mechanics.constraints, numbers);
    let others = numbers.iter().filter(|row| !own.contains_key(row));
    let others: Vec<usize> = others.copied().collect();
    let rows = others.iter().map(|row| &mechanics.constraints.rows[*row]);
    let (a, b): (Matrix, Vec<Expr>) = rows.map(|row| (row.a.clone(), row.b.clone())).unzip();
    let (a, b) = solution::in_space(&mut w.c, space, &a, &b);
    let own = own.into_iter().map(|(row, own)| (row, (own.a, own.b)));
    let others = others.into_iter().zip(a.into_iter().zip(b));
    let mut all: BTreeMap<usize, (Vec<Expr>, Expr)> = own.chain(others).collect();
    numbers.iter().filter_map(|row| all.remove(row)).unzip()
}

impl Back {
    /// Multipliers of the model's rows. Those of rows that say nothing are zero, so that they are of least norm.
    pub fn multipliers(&self, w: &mut Writer<'_>, solved: &[Value]) -> Entering {
        let stated = self.stated.iter();
        let mut list: Entering = stated
            .map(|(share, row)| (*row, share.of(w, solved)))
            .collect();
        for turned in &self.turned {
            for (row, axis) in turned.stated.iter().zip(&turned.turn) {
                let Some(row) = row else { continue };
                let mut sum = w.low.graph.zero();
                for (e, share) in axis.iter().zip(&turned.rows) {
                    if let Some(share) = share {
                        let own = share.of(w, solved);
                        sum = w.add_product(sum, e, own);
                    }
                }
                list.push((*row, sum));
            }
        }
        list.sort_unstable_by_key(|(row, _)| *row);
        list
    }
}

impl Left {
    /// Adds rows of a constraint in other axes, but for those that say nothing; `None` where what one of these says is not 0 = 0.
    pub(super) fn turned(&mut self, of: KeptInAxes) -> Option<TurnedBack> {
        let mut rows = [const { None }; 3];
        let own = of.a.into_iter().zip(of.b).zip(of.acting);
        for (place, ((a, b), acting)) in rows.iter_mut().zip(own) {
            if a.iter().all(Expr::is_literal_zero) {
                if !b.is_literal_zero() {
                    return None;
                }
                continue;
            }
            *place = Some(Share::whole(self.a.len()));
            self.a.push(a);
            self.b.push(b);
            self.acting.push(acting);
            self.names.push(of.name.clone());
        }
        Some(TurnedBack {
            stated: of.stated,
            rows,
            turn: of.turn,
        })
    }
}
