//! Rows as they are stated, in the speeds of a kinematics: from the vectors that they compare. By way of the coordinates' rates a row of a machine that is turned by a
//! quaternion, or whose speeds are those of a body, would hold derivatives with respect to coordinates that the next step takes out again.

use super::gap::Gap;
use super::kept;
use super::own_name;
use crate::mech::constraints::{Constraints, Level};
use crate::mech::kinematics::Kinematics;
use crate::mech::row;
use crate::mech::still::Still;
use crate::mech::value::Values;
use crate::model::system::ConstraintRelation;
use crate::sym::{Algebra, Expr};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A row in the speeds.
pub struct InSpeeds {
    /// Coefficients of the rates of the speeds.
    pub a: Vec<Expr>,
    /// What they amount to.
    pub b: Expr,
    /// The part of its rate, or of itself if it is one between velocities, that is free of speeds.
    pub drift: Expr,
}

/// The rows of constraints between vectors in axes that stand still, and of those that are linear in velocities, by their numbers: of these the ones that are asked for.
pub fn in_speeds(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    constraints: &Constraints,
    asked: &[usize],
) -> BTreeMap<usize, InSpeeds> {
    let mut found = BTreeMap::new();
    if k.motion.speeds == values.vars.rates || !constraints.is_linear() {
        return found;
    }
    let moving = Still::default();
    for of in kept::candidates(values, k, constraints) {
        if !of.stated.iter().flatten().any(|row| asked.contains(row)) {
            continue;
        }
        let number = (of.number, of.level == Level::Velocity);
        let Some(gap) = Gap::of(alg, values, k, number, &moving) else {
            continue;
        };
        let columns: Vec<[Expr; 3]> = (0..k.motion.speeds.len())
            .map(|c| gap.coefficient(alg, c, of.frame))
            .collect();
        let bias = gap.bias(alg, of.frame);
        let drift = gap.drift(alg, of.frame);
        for (i, row) in of.stated.iter().enumerate() {
            let Some(row) = row.filter(|row| asked.contains(row)) else {
                continue;
            };
            let own = InSpeeds {
                a: columns.iter().map(|column| column[i].clone()).collect(),
                b: -&bias[i],
                drift: drift[i].clone(),
            };
            found.insert(row, own.named(alg, k, &own_name(constraints, row)));
        }
    }
    for row in asked {
        let of = &constraints.rows[*row];
        if found.contains_key(row) || of.level != Level::Velocity {
            continue;
        }
        let stated = &values.system.constraints[of.source.0];
        if !matches!(stated.relation, ConstraintRelation::Scalar { .. }) {
            continue;
        }
        let Ok(list) = row::components(alg, values, k, stated) else {
            continue;
        };
        let [velocity] = &list[..] else { continue };
        let speeds = k.motion.speeds.iter();
        let mut flow = k.motion.flow(alg, values.vars, false);
        let at_rest: BTreeMap<_, _> = speeds.clone().map(|s| (*s, Expr::zero())).collect();
        let own = InSpeeds {
            a: speeds.map(|speed| alg.partial(velocity, *speed)).collect(),
            b: -alg.derivative(velocity, &mut flow),
            drift: alg.restrict(velocity, &at_rest, &mut FxHashMap::default()),
        };
        found.insert(*row, own.named(alg, k, &own_name(constraints, *row)));
    }
    found
}

impl InSpeeds {
    /// With names for what is long.
    fn named(self, alg: &mut Algebra, k: &Kinematics, name: &str) -> Self {
        let coefficients = self.a.into_iter().zip(&k.motion.speeds);
        let a = coefficients.map(|(e, speed)| {
            let label = format!("a_{name}_{}", alg.info(*speed).name);
            alg.define(&label, e)
        });
        Self {
            a: a.collect(),
            b: alg.define(&format!("b_{name}"), self.b),
            drift: alg.define(&format!("{name}_drift"), self.drift),
        }
    }
}
