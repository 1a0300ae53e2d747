//! The Udwadia-Kalaba equation through a generalized inverse, as instructions. With `M = L D L^T`, `a = M^-1 F` and the scaled
//! matrix `B = A L^-T D^-1/2`:
//!
//! - Moore-Penrose: `q'' = a + L^-T D^-1/2 B^+ (b - A a)`, the inverse of all rows;
//! - {1,4}: the same with the pseudo-inverse of independent rows and zeros for the others: an inverse of the first and fourth
//!   condition, not of the third;
//! - {1}: `lambda = G^{1} (b - A a)` with the block of G that belongs to independent rows inverted and zeros elsewhere.
//!
//! Whatever is inverted goes through the routine for least norms, so that a rank that drops at a state does no harm.

use super::felt::Felt;
use super::route::Route;
use super::rows::{self, Factor, over, sum};
use crate::form::{Equations, Inverse, Space};
use crate::ir::{Binary, Graph, RoutineKind, Unary, Value};
use crate::mech::constraints::Rank;
use crate::program::posed::Posed;
use crate::program::solved::Unknowns;
use crate::program::writer::Writer;

/// q'' through the inverse that was chosen; `None` where M is singular at every state, and where any {1}-inverse serves if M may be
/// singular or the rank varies.
pub(in crate::program) fn unknowns(
    posed: &Posed,
    w: &mut Writer<'_>,
    e: &Equations,
) -> Option<Unknowns> {
    debug_assert_eq!(e.space, Space::Accelerations);
    let inverse = posed.formulated.variant.inverse;
    let rank = w.c.constraints.rank_where_they_hold;
    let varies = rank == Rank::Varies;
    // M may also be singular where the constraints hold and nowhere else, as with a quaternion of unit length: where it is not
    // certainly definite the bordered system is solved, unless another inverse was requested.
    if inverse == Inverse::One && (varies || !posed.definite) {
        return None;
    }
    let all = inverse == Inverse::MoorePenrose && rank != Rank::Lower;
    let mass = w.lower_rows(&e.mass);
    let factor = Factor::of(&mut w.low.graph, &mass, !posed.definite)?;
    if !posed.definite {
        record_factor(w, &factor, &mass);
    }
    let force = w.lower_all(&e.forcing);
    let ready = rows::selected(w, Space::Accelerations, all, true);
    let route = Route::Inverse(note(inverse, all, varies));
    let g = &mut w.low.graph;
    let values = factor.accelerations(g, inverse, &force, &ready.rows, &ready.rhs);
    Some(Unknowns::by(route, values))
}

fn note(inverse: Inverse, all: bool, varies: bool) -> &'static str {
    match inverse {
        Inverse::MoorePenrose if all => {
            "Moore-Penrose inverse of the scaled constraint matrix, by orthogonal rows at run time"
        }
        Inverse::MoorePenrose => {
            "Moore-Penrose inverse of the scaled rows that are independent where the constraints hold, by orthogonal rows at run time"
        }
        Inverse::OneFour if varies => {
            "{1,4}-inverse of the scaled constraint matrix: the pseudo-inverse of the rows that are independent at generic states, computed at run time"
        }
        Inverse::OneFour => {
            "{1,4}-inverse of the scaled constraint matrix: the pseudo-inverse of independent rows, zeros for the others"
        }
        Inverse::One => "{1}-inverse of G: the block of independent rows inverted, zeros elsewhere",
    }
}

/// Conditions for the pivots of a mass matrix that is not certainly definite. Roots are taken of them: negative ones fail too.
fn record_factor(w: &mut Writer<'_>, factor: &Factor, mass: &[Vec<Value>]) {
    let pivots = factor.found.iter().zip(&factor.pivots);
    let mut felt = Felt::new(w, Space::Accelerations, mass.len());
    for (i, (d, divisor)) in pivots.enumerate() {
        let certain = felt.next(w, &[i]);
        if certain || w.low.graph.as_rational(*d).is_some() {
            continue;
        }
        let name = &w.c.system.coords[i].meta.name;
        let text = format!("the inertia felt by {name}'' vanishes");
        let zero = w.low.graph.zero();
        let value = w.low.graph.binary(Binary::Max, *d, zero);
        let scale = Some(mass[i][i]);
        let note = "a pivot of the mass matrix";
        w.condition_for(value, vec![*divisor], scale, text, note);
    }
}

impl Factor {
    /// q'' by an inverse of the scaled rows, M being factored.
    fn accelerations(
        &self,
        g: &mut Graph,
        inverse: Inverse,
        force: &[Value],
        rows: &[Vec<Value>],
        rhs: &[Value],
    ) -> Vec<Value> {
        let half = self.forward(g, force);
        let half: Vec<Value> = over(g, &half, &self.pivots);
        let free = self.backward(g, &half);
        let gap: Vec<Value> = (rows.iter().zip(rhs))
            .map(|(row, b)| {
                let along = sum(g, row, &free);
                g.sub(*b, along)
            })
            .collect();
        // Rows of A L^-T.
        let reduced: Vec<Vec<Value>> = rows.iter().map(|row| self.forward(g, row)).collect();
        let step = match inverse {
            Inverse::One => self.by_multipliers(g, &reduced, &gap),
            Inverse::MoorePenrose | Inverse::OneFour => self.by_least_norm(g, &reduced, &gap),
        };
        let step = self.backward(g, &step);
        free.iter().zip(&step).map(|(a, s)| g.add(*a, *s)).collect()
    }

    /// `D^-1 Y^T lambda` with `Y D^-1 Y^T lambda = gap`.
    fn by_multipliers(&self, g: &mut Graph, reduced: &[Vec<Value>], gap: &[Value]) -> Vec<Value> {
        let m = reduced.len();
        let scaled: Vec<Vec<Value>> = reduced.iter().map(|y| over(g, y, &self.pivots)).collect();
        let mut operands = Vec::with_capacity(m * (m + 1));
        for y in reduced {
            operands.extend(scaled.iter().map(|z| sum(g, y, z)));
        }
        operands.extend(gap);
        let lambda = least(g, m, m, &operands);
        (0..self.pivots.len())
            .map(|k| {
                let column: Vec<Value> = scaled.iter().map(|z| z[k]).collect();
                sum(g, &column, &lambda)
            })
            .collect()
    }

    /// `D^-1/2 z` with z of least norm and `Y D^-1/2 z = gap`.
    fn by_least_norm(&self, g: &mut Graph, reduced: &[Vec<Value>], gap: &[Value]) -> Vec<Value> {
        let (m, n) = (reduced.len(), self.pivots.len());
        let roots = self.pivots.iter().map(|d| g.unary(Unary::Sqrt, *d));
        let roots: Vec<Value> = roots.collect();
        let mut operands = Vec::with_capacity(m * (n + 1));
        for y in reduced {
            operands.extend(over(g, y, &roots));
        }
        operands.extend(gap);
        let z = least(g, m, n, &operands);
        over(g, &z, &roots)
    }
}

/// The solution of least norm of rows of so many columns.
fn least(g: &mut Graph, rows: usize, cols: usize, operands: &[Value]) -> Vec<Value> {
    let kind = RoutineKind::MinimumNorm {
        rows: rows as u32,
        cols: cols as u32,
    };
    let routine = g.routine(kind, operands);
    (0..cols).map(|i| g.element(routine, i as u32)).collect()
}
