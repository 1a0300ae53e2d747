//! How an offset changes, in whichever axes its rate is shortest. Where the velocity of a free body is given in the body's own axes, the rates of its
//! coordinates are that velocity turned; what they change by is a vector product there, and a long derivative of direction cosines in the axes of the
//! coordinates.

use super::kinematics::Kinematics;
use super::vars::Vars;
use super::vec3::{self, Linear, Vec3};
use crate::model::system::FrameId;
use crate::sym::{Algebra, Expr};
use std::collections::BTreeMap;

/// So many turns away from the frame of an offset others are looked at.
const TURNS: usize = 3;

/// How an offset changes as the frame sees it in which it is.
#[derive(Clone, Debug)]
pub struct Rate {
    /// In whose components this is.
    pub axes: FrameId,
    /// Its rate by the speeds.
    pub linear: Linear<Vec3>,
    /// The same for the speeds as they are.
    pub value: Vec3,
    /// Its second derivative at s' = 0.
    pub second: Vec3,
}

impl Rate {
    /// In the frame's own axes.
    pub fn own(
        alg: &mut Algebra,
        vars: &Vars,
        k: &Kinematics,
        axes: FrameId,
        linear: Linear<Vec3>,
    ) -> Self {
        let value = linear.value(&k.motion.speed_values(alg));
        let mut flow = k.motion.flow(alg, vars, false);
        let second = std::array::from_fn(|j| alg.derivative(&value[j], &mut flow));
        Self {
            axes,
            linear,
            value,
            second,
        }
    }

    /// In the axes of a frame in which the coefficients of the speeds are numbers. `None` where they are numbers already, or nowhere.
    pub fn in_axes_of_speeds(
        &self,
        alg: &mut Algebra,
        vars: &Vars,
        k: &Kinematics,
    ) -> Option<Self> {
        let mut entries = self.linear.coef.values().flatten();
        let plain = entries.all(|e| alg.as_number(e).is_some());
        if plain || self.linear.coef.len() > 3 {
            return None;
        }
        let here = &k.frames[self.axes.index()];
        let near = |f: &FrameId| *f != self.axes && k.frames[f.index()].depth <= here.depth + TURNS;
        let frames = (0..k.frames.len() as u32).map(FrameId).filter(near);
        let (to, linear) = frames
            .filter_map(|to| Some((to, self.in_numbers(alg, k, to)?)))
            .next()?;
        let grown = Self::own(alg, vars, k, to, linear);
        let before = k.express(alg, &here.omega_value, self.axes, to, "spin");
        let before = vec3::scale(&Expr::int(-1), &before);
        let spin = vec3::add(&k.frames[to.index()].omega_value, &before);
        Some(Self {
            second: vec3::add(&grown.second, &vec3::cross(&spin, &grown.value)),
            ..grown
        })
    }

    /// The rate in the components of a frame, if its coefficients are numbers there.
    fn in_numbers(&self, alg: &mut Algebra, k: &Kinematics, to: FrameId) -> Option<Linear<Vec3>> {
        let turned = self
            .linear
            .map(|v| k.express(alg, v, self.axes, to, "rate"));
        let mut coef = BTreeMap::new();
        for (s, v) in &turned.coef {
            let [x, y, z] = v.each_ref().map(|e| whole(alg, e));
            coef.insert(*s, [x?, y?, z?]);
        }
        Some(Linear {
            coef,
            bias: turned.bias,
        })
    }
}

/// The number that an expression is identically, if that is 0, 1 or -1, or plain to see.
pub fn whole(alg: &Algebra, e: &Expr) -> Option<Expr> {
    let mut numbers = [0, 1, -1].map(Expr::int).into_iter();
    let found = numbers.find(|n| alg.equal(e, n));
    found.or_else(|| alg.as_number(e).map(|_| e.clone()))
}
