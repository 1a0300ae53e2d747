//! What parameters have to do with the balances: each body as ten point masses, whose momentum is quadratic in where they sit, and the balances with other
//! parameters. There are no angular velocities here, and no formula of a regressor.

use super::instant::Instant;
use super::vector;
use super::{Machine, Moving, Wrt};
use crate::model::system::PointId;
use crate::verify::dual::Dual;
use crate::verify::dynamics::State;
use crate::verify::linear;
use crate::verify::number::{Algebra, EvalError, Number};
use crate::verify::series::Series;
use std::array::from_fn;

/// A body by the motion of points of it.
#[derive(Clone, Debug)]
pub struct Sampled<N> {
    /// Its name.
    pub name: String,
    /// Its reference point; of a rigid body then the points at unit distances along its axes, before and behind, and the corners of unit squares.
    pub points: Vec<Moving<N>>,
    /// Its inertial parameters: mass, first moments, xx, yy, zz, xy, yz, zx.
    pub values: Vec<N>,
}

/// The balances with some parameters.
#[derive(Clone, Debug)]
pub struct Shares<N> {
    /// M in the coordinates.
    pub mass: Vec<Vec<N>>,
    /// Velocity terms.
    pub velocity_terms: Vec<N>,
    /// Applied forces, with what is prescribed.
    pub applied: Vec<N>,
    /// The bodies.
    pub bodies: Vec<Sampled<N>>,
}

/// What is identified in a module: bodies with their reference points, and parameters of the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identified {
    /// Bodies with their reference points.
    pub about: Vec<(String, String)>,
    /// Parameters that have a column.
    pub columns: Vec<String>,
    /// Parameters of stated kinetic energies.
    pub stated: Vec<String>,
    /// Parameters of loads.
    pub loads: Vec<String>,
}

/// The balances as they are, and with other parameters.
#[derive(Clone, Debug)]
pub struct Identification<N> {
    /// As they are.
    pub own: Shares<N>,
    /// With one parameter larger by 1.
    pub raised: Vec<(String, N, Shares<N>)>,
    /// Without those of stated kinetic energies.
    pub without_stated: Shares<N>,
    /// Without those of loads.
    pub without_loads: Shares<N>,
    /// The acceleration of free fall.
    pub gravity: Option<[N; 3]>,
}

/// The points of a rigid body after its reference point.
pub const CORNERS: [[i64; 3]; 9] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [-1, 0, 0],
    [0, -1, 0],
    [0, 0, -1],
    [1, 1, 0],
    [0, 1, 1],
    [1, 0, 1],
];

impl Machine<'_> {
    /// The balances with other parameters.
    ///
    /// # Errors
    /// Where the model has no values there.
    pub fn identification<N: Number>(
        &self,
        state: &State<N>,
        identified: &Identified,
    ) -> Result<Identification<N>, EvalError> {
        let about = identified.about.as_slice();
        let place = |name: &str| {
            let mut all = self.system.params.iter();
            all.position(|p| p.meta.name == name)
        };
        let without = |names: &[String]| {
            let mut other = state.clone();
            for p in names.iter().filter_map(|name| place(name)) {
                other.params[p] = N::int(0);
            }
            self.shares(&other, about)
        };
        let mut raised = Vec::new();
        for name in &identified.columns {
            let Some(p) = place(name) else { continue };
            let mut other = state.clone();
            other.params[p] = other.params[p].add(&N::int(1));
            let own = state.params[p].clone();
            raised.push((name.clone(), own, self.shares(&other, about)?));
        }
        let at = self.at(state)?;
        Ok(Identification {
            own: self.shares(state, about)?,
            raised,
            without_stated: without(&identified.stated)?,
            without_loads: without(&identified.loads)?,
            gravity: match &self.system.gravity {
                Some(g) => Some(vector::now(&at.vector(g)?)?),
                None => None,
            },
        })
    }

    /// Inputs with their values, and what the balances gain where each is larger by 1.
    ///
    /// # Errors
    /// Where the model has no values there.
    pub fn actuators<N: Number>(
        &self,
        state: &State<N>,
        names: &[String],
    ) -> Result<Vec<(String, N, Vec<N>)>, EvalError> {
        let mut found = Vec::new();
        for (i, input) in self.system.inputs.iter().enumerate() {
            let name = &input.meta.name;
            if !names.contains(name) {
                continue;
            }
            let mut other = state.clone();
            other.inputs[i] = other.inputs[i].add(&N::int(1));
            let (more, own) = (self.kinematics(&other)?, self.kinematics(state)?);
            let gain = |more: &[N], own: &[N]| linear::sub(more, own);
            let force = linear::add(
                &gain(&more.applied, &own.applied),
                &gain(&more.nonideal, &own.nonideal),
            );
            found.push((name.clone(), state.inputs[i].clone(), force));
        }
        Ok(found)
    }

    fn shares<N: Number>(
        &self,
        state: &State<N>,
        about: &[(String, String)],
    ) -> Result<Shares<N>, EvalError> {
        let known = self.kinematics(state)?;
        let at = self.dual_at(state, Wrt::Accelerations)?;
        let both = known.applied.iter().zip(&known.nonideal);
        let bodies = 0..self.system.bodies.len();
        Ok(Shares {
            applied: both.map(|(a, b)| a.add(b)).collect(),
            mass: known.mass,
            velocity_terms: known.velocity_terms,
            bodies: bodies
                .map(|body| self.sampled(&at, body, about))
                .collect::<Result<_, _>>()?,
        })
    }

    fn point_named(&self, name: &str) -> Option<PointId> {
        let same = |own: &str| own.split_whitespace().collect::<String>() == name.replace(' ', "");
        let points = self.system.points.iter().position(|p| same(&p.meta.name));
        let point = points.map(|i| PointId(i as u32));
        point.or_else(|| {
            let mut bodies = self.system.bodies.iter();
            bodies.find(|b| same(&b.meta.name)).map(|b| b.center)
        })
    }

    fn sampled<N: Number>(
        &self,
        at: &Instant<'_, Dual<N>>,
        index: usize,
        about: &[(String, String)],
    ) -> Result<Sampled<N>, EvalError> {
        let body = &self.system.bodies[index];
        let n = at.motion.coords.len();
        let name = body.meta.name.clone();
        let stated = about.iter().find(|(own, _)| *own == name);
        let named = stated.filter(|(own, point)| own != point);
        let origin = match named {
            None => body.center,
            Some((_, point)) => self.point_named(point).ok_or_else(|| {
                EvalError::Unsupported(format!("the model has no point `{point}`"))
            })?,
        };
        let origin = at.point(origin)?;
        let mass = at.scalar(&body.mass)?.now()?.value.clone();
        let mut points = vec![Moving::of(&vector::rate(&origin), n)?];
        let mut values = vec![mass.clone()];
        let Some(rigid) = &body.rigid else {
            return Ok(Sampled {
                name,
                points,
                values,
            });
        };
        let rotation = &at.frame(rigid.frame)?.rotation;
        for corner in CORNERS {
            let corner = corner.map(Series::int);
            let place = vector::add(&origin, &vector::outward(rotation, &corner));
            points.push(Moving::of(&vector::rate(&place), n)?);
        }
        let arm = vector::sub(&*at.point(body.center)?, &origin);
        let arm = vector::now(&vector::own(rotation, &arm))?.map(|e| e.value);
        values.extend(arm.iter().map(|d| mass.mul(d)));
        let Some(inertia) = at.inertia(index)? else {
            return EvalError::unsupported("a rigid body without inertia");
        };
        // From the axes in which it is given to those of the body.
        let axes = &at.frame(rigid.axes)?.rotation;
        let inertia = inertia.map(|row| row.map(Series::fixed));
        let columns: [_; 3] = from_fn(|j| {
            let unit = from_fn(|i| Series::int(i64::from(i == j)));
            let own = vector::own(axes, &vector::outward(rotation, &unit));
            let turned = from_fn(|i| vector::dot(&inertia[i], &own));
            vector::own(rotation, &vector::outward(axes, &turned))
        });
        let square = arm.iter().fold(N::int(0), |sum, d| sum.add(&d.mul(d)));
        for (i, j) in [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)] {
            let mut shift = arm[i].mul(&arm[j]).neg();
            if i == j {
                shift = shift.add(&square);
            }
            let central = columns[j][i].now()?.value.clone();
            values.push(central.add(&mass.mul(&shift)));
        }
        Ok(Sampled {
            name,
            points,
            values,
        })
    }
}
