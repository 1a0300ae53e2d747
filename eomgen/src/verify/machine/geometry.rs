//! Points, frames and momenta along a motion: what they are, and how their second derivatives depend on the accelerations. Momenta are series in time like
//! everything else; nobody says here what their rates are made of.

use super::instant::Instant;
use super::vector::{self, Vec3};
use super::{Machine, Wrt};
use crate::model::system::{FrameId, PointId};
use crate::verify::dual::Dual;
use crate::verify::dynamics::State;
use crate::verify::number::{Algebra, EvalError, Number};
use crate::verify::series::Series;
use std::array::from_fn;

/// A vector whose rate is linear in q'': its value, the coefficients by rows, and the rest.
#[derive(Clone, Debug)]
pub struct Moving<N> {
    /// The value: a velocity, or a momentum.
    pub value: [N; 3],
    /// Coefficients of q'' in its rate: three rows.
    pub slopes: [Vec<N>; 3],
    /// Its rate at q'' = 0.
    pub rest: [N; 3],
}

/// What is known of a point or a frame of the model.
#[derive(Clone, Debug)]
pub struct Sited<N> {
    /// The name that the module gives it.
    pub name: String,
    /// As a point: its place and its velocity.
    pub point: Option<([N; 3], Moving<N>)>,
    /// As a frame: rows of its rotation, and its angular velocity.
    pub frame: Option<([[N; 3]; 3], Moving<N>)>,
}

/// Mass centre and momenta.
#[derive(Clone, Debug)]
pub struct Momenta<N> {
    /// Place of the mass centre.
    pub center: [N; 3],
    /// Its velocity.
    pub velocity: Moving<N>,
    /// `sum m v`
    pub linear: Moving<N>,
    /// About O.
    pub about_origin: Moving<N>,
    /// About the mass centre.
    pub about_center: Moving<N>,
}

/// What there is to know of points, frames and momenta at a state.
#[derive(Clone, Debug)]
pub struct Geometry<N> {
    /// Those that the module names.
    pub sites: Vec<Sited<N>>,
    /// `None` without bodies.
    pub momenta: Option<Momenta<N>>,
    /// The acceleration of free fall.
    pub gravity: Option<[N; 3]>,
    /// The matrix C of the velocity terms in the speeds of the state; `None` where M depends on velocities, or nobody asked.
    pub coriolis: Option<Vec<Vec<N>>>,
}

impl<N: Number> Moving<N> {
    pub(super) fn of(v: &Vec3<Dual<N>>, n: usize) -> Result<Self, EvalError> {
        let (now, rate) = (vector::now(v)?, vector::now(&vector::rate(v))?);
        Ok(Self {
            value: from_fn(|i| now[i].value.clone()),
            slopes: from_fn(|i| rate[i].slopes(n)),
            rest: from_fn(|i| rate[i].value.clone()),
        })
    }
}

impl Machine<'_> {
    /// Points, frames and momenta at a state.
    ///
    /// # Errors
    /// Why nothing can be said of the state.
    pub fn geometry<N: Number>(
        &self,
        state: &State<N>,
        names: &[String],
    ) -> Result<Geometry<N>, EvalError> {
        let n = state.q.len();
        let at = self.dual_at(state, Wrt::Accelerations)?;
        let sites = names.iter().map(|name| self.sited(&at, name, n));
        let momenta = if self.system.bodies.is_empty() {
            None
        } else {
            Some(self.momenta(&at, n)?)
        };
        Ok(Geometry {
            sites: sites.collect::<Result<_, _>>()?,
            momenta,
            gravity: match &self.system.gravity {
                Some(g) => Some(vector::now(&at.vector(g)?)?.map(|e| e.value)),
                None => None,
            },
            coriolis: None,
        })
    }

    fn sited<N: Number>(
        &self,
        at: &Instant<'_, Dual<N>>,
        name: &str,
        n: usize,
    ) -> Result<Sited<N>, EvalError> {
        let system = self.system;
        let same = |own: &str| own.split_whitespace().collect::<String>() == name;
        let body = system.bodies.iter().find(|b| same(&b.meta.name));
        let point = system.points.iter().position(|p| same(&p.meta.name));
        let point = point.map(|i| PointId(i as u32));
        let frame = system.frames.iter().position(|f| same(&f.meta.name));
        let frame = frame.map(|i| FrameId(i as u32));
        let point = match point.or(body.map(|b| b.center)) {
            None => None,
            Some(p) => {
                let place = at.point(p)?;
                let now = vector::now(&place)?.map(|e| e.value);
                Some((now, Moving::of(&vector::rate(&place), n)?))
            }
        };
        let own = || body.and_then(|b| Some(b.rigid.as_ref()?.frame));
        let frame = match frame.or_else(own) {
            None => None,
            Some(f) => {
                let attitude = at.frame(f)?;
                let mut rows =
                    vector::now(&attitude.rotation[0]).map(|r| [r.clone(), r.clone(), r])?;
                for (row, own) in rows.iter_mut().zip(&attitude.rotation) {
                    *row = vector::now(own)?;
                }
                let rows = rows.map(|row| row.map(|e| e.value));
                Some((rows, Moving::of(&attitude.omega, n)?))
            }
        };
        Ok(Sited {
            name: name.to_owned(),
            point,
            frame,
        })
    }

    fn momenta<N: Number>(
        &self,
        at: &Instant<'_, Dual<N>>,
        n: usize,
    ) -> Result<Momenta<N>, EvalError> {
        let mut total: Series<Dual<N>> = Series::int(0);
        let (mut moment, mut linear) = (vector::zero(), vector::zero());
        let mut about_origin = vector::zero();
        for (index, body) in self.system.bodies.iter().enumerate() {
            let mass = at.scalar(&body.mass)?;
            let place = at.point(body.center)?;
            let own = vector::scale(&mass, &vector::rate(&place));
            total = total.add(&mass);
            moment = vector::add(&moment, &vector::scale(&mass, &place));
            linear = vector::add(&linear, &own);
            about_origin = vector::add(&about_origin, &vector::cross(&place, &own));
            if let (Some(rigid), Some(inertia)) = (&body.rigid, at.inertia(index)?) {
                let inertia = inertia.map(|row| row.map(Series::fixed));
                let axes = &at.frame(rigid.axes)?.rotation;
                let omega = vector::own(axes, &at.frame(rigid.frame)?.omega);
                let spin = from_fn(|i| vector::dot(&inertia[i], &omega));
                about_origin = vector::add(&about_origin, &vector::outward(axes, &spin));
            }
        }
        let center = {
            let [x, y, z] = &moment;
            [x.div(&total)?, y.div(&total)?, z.div(&total)?]
        };
        let lever = vector::cross(&center, &linear);
        let about_center = vector::sub(&about_origin, &lever);
        Ok(Momenta {
            center: vector::now(&center)?.map(|e| e.value),
            velocity: Moving::of(&vector::rate(&center), n)?,
            linear: Moving::of(&linear, n)?,
            about_origin: Moving::of(&about_origin, n)?,
            about_center: Moving::of(&about_center, n)?,
        })
    }
}
