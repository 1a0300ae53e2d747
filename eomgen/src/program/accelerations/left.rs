//! The constraint rows that the equations keep, in the speeds in which these are solved, and the way from their multipliers to those of the model's rows.
//! Knows nothing of which rows these are.

use crate::elim::Matrix;
use crate::ir::Value;
use crate::mech::turned::KeptInAxes;
use crate::mech::vec3::Mat3;
use crate::program::solved::Entering;
use crate::program::writer::Writer;
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
        for (place, (a, b)) in rows.iter_mut().zip(of.a.into_iter().zip(of.b)) {
            if a.iter().all(Expr::is_literal_zero) {
                if !b.is_literal_zero() {
                    return None;
                }
                continue;
            }
            *place = Some(Share::whole(self.a.len()));
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
