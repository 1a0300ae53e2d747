//! By which forces at points and torques on frames the multiplier of a row acts: its row in the accelerations of these, which are few, where in the rates of the
//! speeds it holds those of all joints in between.

use crate::mech::constraints::{Constraints, Level};
use crate::mech::kinematics::Kinematics;
use crate::mech::mixed::Mixed;
use crate::mech::value::Values;
use crate::mech::vec3;
use crate::mech::wrench::Wrench;
use crate::model::system::{ConstraintRelation, FrameId, Quantity, Vector};
use crate::sym::{Algebra, Expr};

/// By what the multiplier of a row acts.
#[derive(Clone)]
pub struct Acting {
    /// The forces and torques.
    pub by: Wrench,
    /// Whether what the row says is that the accelerations along these, added up, are zero: nothing that depends on velocities comes to that.
    pub whole: bool,
}

/// Of a row as it is stated, with the coefficients of its speeds; `None` where that is not all that it holds.
pub fn as_stated(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    constraints: &Constraints,
    (row, a): (usize, &[Expr]),
) -> Option<Acting> {
    let of = &constraints.rows[row];
    let list = values.row_wrenches(alg, k, of.source.0).ok()?;
    let by = list.into_iter().find(|(i, _)| *i == of.source.1)?.1;
    let terms = Terms::of(alg, values, k, (of.source.0, of.level));
    let known = terms >= Some(Terms::Lengths) && of.level == Level::Position;
    (known || is_all(alg, k, &by, a)).then_some(Acting {
        by,
        whole: terms == Some(Terms::Accelerations),
    })
}

/// Of the rows of a constraint between vectors along the axes of a frame.
pub(super) fn along(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    (number, level, to): (usize, Level, FrameId),
    a: &[Vec<Expr>; 3],
) -> [Option<Acting>; 3] {
    let terms = Terms::of(alg, values, k, (number, level));
    let known = terms >= Some(Terms::Lengths) && level == Level::Position;
    std::array::from_fn(|i| {
        let axis = Mixed::single(to, vec3::unit(i));
        let by = values.wrench_along(alg, k, number, &axis).ok()?;
        (known || is_all(alg, k, &by, &a[i])).then_some(Acting {
            by,
            whole: terms == Some(Terms::Accelerations),
        })
    })
}

/// Whether the forces and torques have the power that a row says.
fn is_all(alg: &mut Algebra, k: &Kinematics, own: &Wrench, a: &[Expr]) -> bool {
    let found = own.generalized_forces(alg, k);
    let mut pairs = found.iter().zip(a);
    pairs.all(|(f, e)| alg.is_zero(&(f - e)))
}

/// What a constraint between vectors compares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Terms {
    /// Places of points, and lengths along axes that are the same at all states. Where places alone are compared, and the constraint holds, its rate is that of the
    /// points and the axes in whatever frame it is seen from. Beside velocities they leave velocities where accelerations are asked for.
    Lengths,
    /// Places alone, or velocities and angular velocities alone, and what stands still: what is asked for is accelerations and nothing else.
    Accelerations,
}

impl Terms {
    /// `None` for other terms.
    fn of(
        alg: &mut Algebra,
        values: &Values<'_>,
        k: &Kinematics,
        (number, level): (usize, Level),
    ) -> Option<Self> {
        let stated = values.system.constraints.get(number)?;
        let ConstraintRelation::Vector { lhs, rhs, .. } = &stated.relation else {
            return None;
        };
        let mut all = Self::Accelerations;
        for v in [lhs, rhs] {
            all = all.min(Self::in_vector(alg, values, k, (level, v))?);
        }
        Some(all)
    }

    fn in_vector(
        alg: &mut Algebra,
        values: &Values<'_>,
        k: &Kinematics,
        (level, v): (Level, &Vector),
    ) -> Option<Self> {
        let ground = |f: &FrameId| f.index() == 0;
        match v {
            Vector::Zero => Some(Self::Accelerations),
            Vector::Between { .. } if level == Level::Position => Some(Self::Accelerations),
            Vector::Between { .. } => Some(Self::Lengths),
            Vector::Velocity { frame: seen, .. } | Vector::AngularVelocity { within: seen, .. } => {
                (level == Level::Velocity && ground(seen)).then_some(Self::Accelerations)
            }
            Vector::Basis(f, _) => {
                let still = k.frames[f.index()].turned_by.is_zero();
                Some(if still {
                    Self::Accelerations
                } else {
                    Self::Lengths
                })
            }
            Vector::Let(l) => match &values.system.lets[l.index()].value {
                Quantity::Vector(v) => Self::in_vector(alg, values, k, (level, v)),
                Quantity::Scalar(_) => None,
            },
            Vector::Neg(a) => Self::in_vector(alg, values, k, (level, a)),
            Vector::Add(a, b) | Vector::Sub(a, b) => {
                let [a, b] = [a, b].map(|v| Self::in_vector(alg, values, k, (level, v)));
                Some(a?.min(b?))
            }
            Vector::Scale(factor, a) => {
                let mut at = values.with(alg, k);
                let factor = at.scalar(factor);
                let fixed = factor.is_ok_and(|e| at.is_fixed(&e));
                Self::in_vector(alg, values, k, (level, a)).filter(|_| fixed)
            }
            _ => None,
        }
    }
}
