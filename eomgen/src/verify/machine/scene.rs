//! A machine along one motion: its frames, points and named expressions, found when they are asked for and kept.

use super::vector::{self, Turn, Vec3};
use crate::model::System;
use crate::model::system::{FrameId, LetId, Orientation, PointId, Quantity, Scalar, Site, Vector};
use crate::verify::functions::Jets;
use crate::verify::number::{Elementary, Number, Trouble};
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
    /// Inputs, of which no rates are known.
    pub inputs: Vec<E>,
    /// Coordinates: q, q', q''/2.
    pub coords: Vec<Series<E>>,
    /// Multipliers of the constraints, three places for each constraint of the model.
    pub reactions: Vec<[E; 3]>,
    /// Values of the declared reactions.
    pub joints: Vec<E>,
    /// Definitions that are let go along a direction.
    pub releases: Vec<Release<E>>,
}

/// A point or a frame that moves a little beside its definition.
#[derive(Clone, Debug)]
pub struct Release<E> {
    /// What moves.
    pub site: Site,
    /// Components of the direction, of length 1.
    pub direction: [E; 3],
    /// How far.
    pub way: Series<E>,
}

/// A frame's rotation and angular velocity.
#[derive(Debug)]
pub struct Attitude<E> {
    /// Rotation.
    pub turn: Turn<E>,
    /// Angular velocity.
    pub spin: Vec3<E>,
}

type Kept<T> = RefCell<Vec<Option<Rc<T>>>>;

/// The machine along a motion.
pub struct Scene<'a, E> {
    /// The model.
    pub system: &'a System,
    /// The user's functions.
    pub jets: &'a dyn Jets<E>,
    /// The motion.
    pub motion: Motion<E>,
    frames: Kept<Attitude<E>>,
    points: Kept<Vec3<E>>,
    pub(super) scalars: Kept<Series<E>>,
    pub(super) vectors: Kept<Vec3<E>>,
    pub(super) speeds: Kept<Series<E>>,
}

impl<'a, E: Number> Scene<'a, E> {
    /// Frames and points in order, so that nothing is nested deeply.
    pub fn new(
        system: &'a System,
        jets: &'a dyn Jets<E>,
        motion: Motion<E>,
    ) -> Result<Self, Trouble> {
        let scene = Self {
            system,
            jets,
            motion,
            frames: RefCell::new(vec![None; system.frames.len()]),
            points: RefCell::new(vec![None; system.points.len()]),
            scalars: RefCell::new(vec![None; system.lets.len()]),
            vectors: RefCell::new(vec![None; system.lets.len()]),
            speeds: RefCell::new(vec![None; system.speeds.len()]),
        };
        for f in 0..system.frames.len() {
            scene.frame(FrameId(f as u32))?;
        }
        for p in 0..system.points.len() {
            scene.point(PointId(p as u32))?;
        }
        if system.lets.len() > NESTED {
            // One that has no value is in trouble when it is asked for.
            for (l, own) in system.lets.iter().enumerate() {
                let l = LetId(l as u32);
                match own.value {
                    Quantity::Scalar(_) => drop(scene.scalar(&Scalar::Let(l))),
                    Quantity::Vector(_) => drop(scene.vector(&Vector::Let(l))),
                }
            }
        }
        Ok(scene)
    }

    /// A frame.
    pub fn frame(&self, frame: FrameId) -> Result<Rc<Attitude<E>>, Trouble> {
        kept(&self.frames, frame.index(), || {
            let mut turn = match &self.system.frames[frame.index()].orientation {
                None => vector::identity(),
                Some((parent, orientation)) => {
                    let parent = self.frame(*parent)?;
                    self.turned(&parent.turn, orientation)?
                }
            };
            for release in &self.motion.releases {
                if release.site == Site::Frame(frame) {
                    turn = let_go(&turn, release);
                }
            }
            let spin = vector::spin(&turn);
            Ok(Attitude { turn, spin })
        })
    }

    /// A point's position from the origin.
    pub fn point(&self, point: PointId) -> Result<Rc<Vec3<E>>, Trouble> {
        kept(&self.points, point.index(), || {
            let mut place = match &self.system.points[point.index()].offset {
                None => vector::zero(),
                Some((base, offset)) => {
                    let base = self.point(*base)?;
                    vector::add(&base, &self.vector(offset)?)
                }
            };
            for release in &self.motion.releases {
                if release.site == Site::Point(point) {
                    let d = release.direction.clone().map(Series::fixed);
                    place = vector::add(&place, &vector::scale(&release.way, &d));
                }
            }
            Ok(place)
        })
    }

    fn turned(&self, parent: &Turn<E>, orientation: &Orientation) -> Result<Turn<E>, Trouble> {
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

    /// The turn that takes v to `e v e*` divided by the square of the length of e.
    fn quaternion(&self, parts: &[Scalar; 4]) -> Result<Turn<E>, Trouble> {
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
            let turned = vector::cross(&v, &e);
            for i in 0..3 {
                let own = v[i].mul(&v[j]).add(&a.mul(&turned[i])).mul(&two);
                let own = own.add(&scalar.mul(&e[i]));
                relative[i][j] = own.div(&square)?;
            }
        }
        Ok(relative)
    }
}

/// A small turn about a direction, to first order: `R + [d x] R` times the angle.
fn let_go<E: Number>(turn: &Turn<E>, release: &Release<E>) -> Turn<E> {
    let d = release.direction.clone().map(Series::fixed);
    let columns: [Vec3<E>; 3] = from_fn(|j| {
        let own = vector::basis(turn, j);
        let moved = vector::cross(&d, &own);
        vector::add(&own, &vector::scale(&release.way, &moved))
    });
    from_fn(|i| from_fn(|j| columns[j][i].clone()))
}

/// What was found before, or is found now.
pub(super) fn kept<T>(
    list: &Kept<T>,
    at: usize,
    find: impl FnOnce() -> Result<T, Trouble>,
) -> Result<Rc<T>, Trouble> {
    if let Some(Some(found)) = list.borrow().get(at) {
        return Ok(Rc::clone(found));
    }
    let found = Rc::new(find()?);
    if let Some(place) = list.borrow_mut().get_mut(at) {
        *place = Some(Rc::clone(&found));
    }
    Ok(found)
}
