//! A machine along one motion: its frames, points and named expressions, found when they are asked for and kept.

use super::vector::{self, Rotation, Vec3};
use super::{Wrt, half};
use crate::model::System;
use crate::model::system::{FrameId, LetId, Orientation, PointId, Quantity, Scalar, Site, Vector};
use crate::verify::dual::Dual;
use crate::verify::number::{Algebra, Elementary, EvalError, Functions, Number};
use crate::verify::series::Series;
use std::array::from_fn;
use std::cell::RefCell;
use std::rc::Rc;

/// Names within names that are evaluated from inside: more are evaluated in the order of declaration.
const NESTED: usize = 64;

/// What moves, and how.
#[derive(Clone, Debug)]
pub struct Motion<E> {
    /// Time, which goes on at the rate 1.
    pub time: Series<E>,
    /// Parameters.
    pub params: Vec<E>,
    /// States of first order, of which no rates are asked.
    pub states: Vec<E>,
    /// Inputs, of which no rates are known.
    pub inputs: Vec<E>,
    /// Coordinates: q, q', q''/2.
    pub coords: Vec<Series<E>>,
    /// Multipliers of the constraints, three places for each constraint of the model.
    pub reactions: Vec<[E; 3]>,
    /// Values of the declared reactions, as far as they are known.
    pub joints: Vec<Option<E>>,
    /// Definitions that are let go along a direction.
    pub displacements: Vec<VirtualDisplacement<E>>,
    /// Points that are displaced, frames that are rotated a little by themselves: nothing that is built on them goes with them.
    pub shifts: Vec<(Site, [Series<E>; 3])>,
    /// What the constraints apply.
    pub constraint_forces: Vec<ConstraintForce<E>>,
}

/// What a row of the constraints applies.
#[derive(Clone, Debug)]
pub struct ConstraintForce<E> {
    /// Which constraint of the model.
    pub constraint: usize,
    /// Which of its components.
    pub component: usize,
    /// Forces at all points, then torques on all frames, in inertial components.
    pub sites: Vec<[E; 3]>,
}

/// A point or a frame that moves a little beside its definition.
#[derive(Clone, Debug)]
pub struct VirtualDisplacement<E> {
    /// What moves.
    pub site: Site,
    /// Components of the direction, of length 1.
    pub direction: [E; 3],
    /// How far.
    pub distance: Series<E>,
}

impl<E> Motion<E> {
    /// The same in another arithmetic, before anything is displaced by itself.
    pub fn map<T>(&self, f: impl Fn(&E) -> T) -> Motion<T> {
        let series = |s: &Series<E>| Series(s.0.iter().map(&f).collect());
        let three = |v: &[E; 3]| from_fn(|i| f(&v[i]));
        let displacement = |d: &VirtualDisplacement<E>| VirtualDisplacement {
            site: d.site,
            direction: three(&d.direction),
            distance: series(&d.distance),
        };
        Motion {
            time: series(&self.time),
            params: self.params.iter().map(&f).collect(),
            states: self.states.iter().map(&f).collect(),
            inputs: self.inputs.iter().map(&f).collect(),
            coords: self.coords.iter().map(series).collect(),
            reactions: self.reactions.iter().map(three).collect(),
            joints: self.joints.iter().map(|x| x.as_ref().map(&f)).collect(),
            displacements: self.displacements.iter().map(displacement).collect(),
            shifts: Vec::new(),
            constraint_forces: Vec::new(),
        }
    }
}

impl<N: Number> Motion<Dual<N>> {
    /// Makes the coordinates, then the virtual displacements, variables.
    pub(super) fn vary(&mut self, wrt: Wrt, count: usize) {
        let displacements = self.displacements.iter_mut().map(|d| &mut d.distance);
        for (i, series) in self.coords.iter_mut().chain(displacements).enumerate() {
            let own = Dual::variable(N::int(0), i, count);
            let (order, own) = match wrt {
                Wrt::Time => continue,
                Wrt::Coordinates => (0, own),
                Wrt::Rates => (1, own),
                Wrt::Accelerations => (2, half(&own)),
            };
            series.0[order] = series.0[order].add(&own);
        }
    }
}

/// A frame's rotation and angular velocity.
#[derive(Debug)]
pub struct Attitude<E> {
    /// Rotation.
    pub rotation: Rotation<E>,
    /// Angular velocity.
    pub omega: Vec3<E>,
}

type Kept<T> = RefCell<Vec<Option<Rc<T>>>>;

/// The machine along a motion.
pub struct Instant<'a, E> {
    /// The model.
    pub system: &'a System,
    /// The user's functions.
    pub functions: Functions,
    /// The motion.
    pub motion: Motion<E>,
    frames: Kept<Attitude<E>>,
    points: Kept<Vec3<E>>,
    pub(super) scalars: Kept<Series<E>>,
    pub(super) vectors: Kept<Vec3<E>>,
    pub(super) speeds: Kept<Series<E>>,
}

impl<'a, E: Number> Instant<'a, E> {
    /// Frames and points in order, so that nothing is nested deeply.
    pub fn new(
        system: &'a System,
        functions: Functions,
        motion: Motion<E>,
    ) -> Result<Self, EvalError> {
        let instant = Self {
            system,
            functions,
            motion,
            frames: RefCell::new(vec![None; system.frames.len()]),
            points: RefCell::new(vec![None; system.points.len()]),
            scalars: RefCell::new(vec![None; system.lets.len()]),
            vectors: RefCell::new(vec![None; system.lets.len()]),
            speeds: RefCell::new(vec![None; system.speeds.len()]),
        };
        for f in 0..system.frames.len() {
            instant.frame(FrameId(f as u32))?;
        }
        for p in 0..system.points.len() {
            instant.point(PointId(p as u32))?;
        }
        instant.shift()?;
        if system.lets.len() > NESTED {
            // One that has no value is in error when it is asked for.
            for (l, own) in system.lets.iter().enumerate() {
                let l = LetId(l as u32);
                match own.value {
                    Quantity::Scalar(_) => drop(instant.scalar(&Scalar::Let(l))),
                    Quantity::Vector(_) => drop(instant.vector(&Vector::Let(l))),
                }
            }
        }
        Ok(instant)
    }

    fn shift(&self) -> Result<(), EvalError> {
        if self.motion.shifts.is_empty() {
            return Ok(());
        }
        for (site, distance) in &self.motion.shifts {
            match site {
                Site::Point(p) => {
                    let moved = vector::add(&*self.point(*p)?, distance);
                    self.points.borrow_mut()[p.index()] = Some(Rc::new(moved));
                }
                Site::Frame(f) => {
                    let rotation = &self.frame(*f)?.rotation;
                    let columns: [Vec3<E>; 3] = from_fn(|j| {
                        let own = vector::basis(rotation, j);
                        vector::add(&own, &vector::cross(distance, &own))
                    });
                    let rotation = from_fn(|i| from_fn(|j| columns[j][i].clone()));
                    let omega = vector::omega(&rotation);
                    self.frames.borrow_mut()[f.index()] =
                        Some(Rc::new(Attitude { rotation, omega }));
                }
            }
        }
        // Names that were needed on the way may contain what has moved since.
        for list in [&self.scalars, &self.speeds] {
            list.borrow_mut().fill(None);
        }
        self.vectors.borrow_mut().fill(None);
        Ok(())
    }

    /// A frame.
    pub fn frame(&self, frame: FrameId) -> Result<Rc<Attitude<E>>, EvalError> {
        kept(&self.frames, frame.index(), || {
            let mut rotation = match &self.system.frames[frame.index()].orientation {
                None => vector::identity(),
                Some((parent, orientation)) => {
                    let parent = self.frame(*parent)?;
                    self.rotated(&parent.rotation, orientation)?
                }
            };
            for displacement in &self.motion.displacements {
                if displacement.site == Site::Frame(frame) {
                    rotation = let_go(&rotation, displacement);
                }
            }
            let omega = vector::omega(&rotation);
            Ok(Attitude { rotation, omega })
        })
    }

    /// A point's position from the origin.
    pub fn point(&self, point: PointId) -> Result<Rc<Vec3<E>>, EvalError> {
        kept(&self.points, point.index(), || {
            let mut place = match &self.system.points[point.index()].offset {
                None => vector::zero(),
                Some((base, offset)) => {
                    let base = self.point(*base)?;
                    vector::add(&base, &self.vector(offset)?)
                }
            };
            for displacement in &self.motion.displacements {
                if displacement.site == Site::Point(point) {
                    let d = displacement.direction.clone().map(Series::fixed);
                    place = vector::add(&place, &vector::scale(&displacement.distance, &d));
                }
            }
            Ok(place)
        })
    }

    fn rotated(
        &self,
        parent: &Rotation<E>,
        orientation: &Orientation,
    ) -> Result<Rotation<E>, EvalError> {
        Ok(match orientation {
            Orientation::Simple { axis, angle } => {
                let angle = [self.scalar(angle)?];
                let c = Series::elementary(Elementary::Cos, &angle)?;
                let s = Series::elementary(Elementary::Sin, &angle)?;
                let k = *axis as usize;
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                from_fn(|row| {
                    let (a, b) = (&parent[row][i], &parent[row][j]);
                    let mut own = parent[row].clone();
                    own[i] = c.mul(a).add(&s.mul(b));
                    own[j] = c.mul(b).sub(&s.mul(a));
                    own
                })
            }
            Orientation::AxisAngle { axis, angle } => {
                // Rodrigues: cos + sin [a x] + (1 - cos) a a^T.
                let angle = [self.scalar(angle)?];
                let c = Series::elementary(Elementary::Cos, &angle)?;
                let s = Series::elementary(Elementary::Sin, &angle)?;
                let rest = Series::int(1).sub(&c);
                let [x, y, z] = axis;
                let a = [self.scalar(x)?, self.scalar(y)?, self.scalar(z)?];
                let relative = from_fn(|i| {
                    from_fn(|j| {
                        let both = rest.mul(&a[i]).mul(&a[j]);
                        match (3 + j - i) % 3 {
                            0 => both.add(&c),
                            1 => both.sub(&s.mul(&a[3 - i - j])),
                            _ => both.add(&s.mul(&a[3 - i - j])),
                        }
                    })
                });
                vector::product(parent, &relative)
            }
            Orientation::Matrix { rows } => {
                let mut relative = vector::identity();
                for (own, row) in relative.iter_mut().zip(rows) {
                    for (e, s) in own.iter_mut().zip(row) {
                        *e = self.scalar(s)?;
                    }
                }
                vector::product(parent, &relative)
            }
            Orientation::Quaternion { parts, .. } => {
                vector::product(parent, &self.quaternion(parts)?)
            }
        })
    }

    /// The rotation that takes v to `e v e*` divided by the square of the length of e.
    fn quaternion(&self, parts: &[Scalar; 4]) -> Result<Rotation<E>, EvalError> {
        let [a, x, y, z] = parts;
        let a = self.scalar(a)?;
        let v = [self.scalar(x)?, self.scalar(y)?, self.scalar(z)?];
        let length = vector::dot(&v, &v);
        let square = a.mul(&a).add(&length);
        let scalar = a.mul(&a).sub(&length);
        let two = Series::int(2);
        let mut relative = vector::identity();
        for j in 0..3 {
            // (a^2 - v.v) e_j + 2 v (v.e_j) + 2 a v x e_j
            let mut e = vector::zero();
            e[j] = Series::int(1);
            let rotated = vector::cross(&v, &e);
            for i in 0..3 {
                let own = v[i].mul(&v[j]).add(&a.mul(&rotated[i])).mul(&two);
                let own = own.add(&scalar.mul(&e[i]));
                relative[i][j] = own.div(&square)?;
            }
        }
        Ok(relative)
    }
}

/// A small rotation about a direction, to first order: `R + [d x] R` times the angle.
fn let_go<E: Number>(rotation: &Rotation<E>, displacement: &VirtualDisplacement<E>) -> Rotation<E> {
    let d = displacement.direction.clone().map(Series::fixed);
    let columns: [Vec3<E>; 3] = from_fn(|j| {
        let own = vector::basis(rotation, j);
        let moved = vector::cross(&d, &own);
        vector::add(&own, &vector::scale(&displacement.distance, &moved))
    });
    from_fn(|i| from_fn(|j| columns[j][i].clone()))
}

/// What was found before, or is found now.
pub(super) fn kept<T>(
    list: &Kept<T>,
    at: usize,
    find: impl FnOnce() -> Result<T, EvalError>,
) -> Result<Rc<T>, EvalError> {
    if let Some(Some(found)) = list.borrow().get(at) {
        return Ok(Rc::clone(found));
    }
    let found = Rc::new(find()?);
    if let Some(place) = list.borrow_mut().get_mut(at) {
        *place = Some(Rc::clone(&found));
    }
    Ok(found)
}
