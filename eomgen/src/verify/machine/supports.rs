//! What holds the bodies beside the loads and the stated constraints: for every body the force, and the torque about its centre, that is missing
//! from its balances. A force at a point of a body acts on that body with its moment about the centre, a torque on a frame on the body that is
//! fixed in it; what acts at points and frames without mass acts on no body.

use super::instant::Instant;
use super::vector::{self, Vec3};
use super::{Machine, Wrt, half};
use crate::model::system::{
    Action, Body, Energy, EnergyKind, FrameId, LoadKind, PointId, Quantity, Site, Vector,
};
use crate::verify::dual::Dual;
use crate::verify::dynamics::State;
use crate::verify::linear;
use crate::verify::number::{Algebra, Decimal, EvalError, Modular, Number};
use crate::verify::series::Series;
use std::array::from_fn;

/// The body on which what acts at each point, and on each frame, acts.
#[derive(Clone, Debug, Default)]
pub struct Attachments {
    points: Vec<Option<usize>>,
    frames: Vec<Option<usize>>,
}

/// What a body is held by, in inertial components.
#[derive(Clone, Debug)]
struct Support<N> {
    body: String,
    /// At the centre.
    force: [N; 3],
    /// About the centre; nothing of a particle.
    torque: Option<[N; 3]>,
}

/// The name of a frame and its basis vectors.
type Basis<N> = (String, [[N; 3]; 3]);

/// What holds all bodies, and the frames in whose components that is asked for.
#[derive(Clone, Debug)]
pub struct Supports<N> {
    bodies: Vec<Support<N>>,
    /// Names, and the basis vectors of each.
    frames: Vec<Basis<N>>,
}

impl<N: Number> Supports<N> {
    /// What two of them differ by.
    #[must_use]
    pub(super) fn less(&self, other: &Self) -> Self {
        let minus = |a: &[N; 3], b: &[N; 3]| from_fn(|i| a[i].sub(&b[i]));
        let pairs = self.bodies.iter().zip(&other.bodies);
        let less = |(a, b): (&Support<N>, &Support<N>)| Support {
            body: a.body.clone(),
            force: minus(&a.force, &b.force),
            torque: a
                .torque
                .as_ref()
                .zip(b.torque.as_ref())
                .map(|(a, b)| minus(a, b)),
        };
        Self {
            bodies: pairs.map(less).collect(),
            frames: self.frames.clone(),
        }
    }

    /// Forces, and torques of rigid bodies, three components for each in the order of the bodies.
    pub(super) fn with_lists(&self, forces: &[N], torques: &[N]) -> Self {
        let three = |list: &[N], k: usize| -> [N; 3] {
            from_fn(|i| list.get(3 * k + i).cloned().unwrap_or_else(|| N::int(0)))
        };
        let mut all = self.clone();
        let mut rigid = 0;
        for (k, own) in all.bodies.iter_mut().enumerate() {
            own.force = three(forces, k);
            if let Some(torque) = &mut own.torque {
                *torque = three(torques, rigid);
                rigid += 1;
            }
        }
        all
    }

    /// Whether words name all directions of the bodies in their order, each three along the axes of one frame.
    #[must_use]
    pub fn are_directions(&self, words: &[String]) -> bool {
        let mut kinds = Vec::new();
        for support in &self.bodies {
            kinds.push(("force", support));
            if support.torque.is_some() {
                kinds.push(("torque", support));
            }
        }
        let mut threes = words.chunks(3);
        let fit = kinds.iter().all(|(kind, support)| {
            let start = format!("{kind}({}:", support.body);
            let frame = |(word, axis): (&String, &str)| {
                let frame = word.strip_prefix(&start)?.strip_suffix(axis)?;
                Some(frame.to_owned())
            };
            let three = threes.next().unwrap_or_default();
            let frames = three.iter().zip([".x)", ".y)", ".z)"]).map(frame);
            let frames: Option<Vec<String>> = frames.collect();
            frames.is_some_and(|list| list.len() == 3 && list.iter().all(|f| *f == list[0]))
        });
        fit && threes.next().is_none()
    }

    /// The component that a fact names: `force(C:N.x)`, `torque(C:B.y)`.
    #[must_use]
    pub fn component(&self, along: &str) -> Option<N> {
        let (kind, rest) = along.strip_suffix(')')?.split_once('(')?;
        let (body, axis) = rest.split_once(':')?;
        let (frame, axis) = axis.rsplit_once('.')?;
        let axis = ["x", "y", "z"].iter().position(|name| *name == axis)?;
        let support = self.bodies.iter().find(|support| support.body == body)?;
        let (_, basis) = self.frames.iter().find(|(name, _)| name == frame)?;
        match kind {
            "force" => Some(linear::dot(&basis[axis], &support.force)),
            "torque" => Some(linear::dot(&basis[axis], support.torque.as_ref()?)),
            _ => None,
        }
    }
}

/// Forces at all points, then torques on all frames.
struct Sites<N>(Vec<[N; 3]>);

impl Machine<'_> {
    /// Which body every point and frame belongs to, found at a random state off all constraints: what coincides there does so by its
    /// definition.
    ///
    /// # Errors
    /// Where the model has no values.
    pub fn attachments(&self, seed: u64) -> Result<Attachments, EvalError> {
        let exact = self.attached(&State::<Modular>::random(self.system, seed));
        match exact {
            Err(_) => self.attached(&State::<Decimal>::random(self.system, seed)),
            found => found,
        }
    }

    fn attached<N: Number>(&self, state: &State<N>) -> Result<Attachments, EvalError> {
        let at = self.dual_at(state, Wrt::Coordinates)?;
        let later = self.instant(self.dual_motion((state, None), Wrt::Time, 1, &[]))?;
        let system = self.system;
        let mut all = Attachments::default();
        for p in (0..system.points.len()).map(|p| PointId(p as u32)) {
            let centre = system.bodies.iter().position(|b| b.center == p);
            all.points.push(match centre {
                Some(body) => Some(body),
                None => self.body_at(&at, &later, p)?,
            });
        }
        for f in (0..system.frames.len()).map(|f| FrameId(f as u32)) {
            let own = |b: &crate::model::system::Body| b.rigid.as_ref().map(|r| r.frame);
            let mut found = system.bodies.iter().position(|b| own(b) == Some(f));
            let still = is_fixed(&at.relative(FrameId(0), f)?)?;
            for (body, b) in system.bodies.iter().enumerate() {
                if let (None, Some(frame), false) = (found, own(b), still)
                    && is_fixed(&at.relative(frame, f)?)?
                {
                    found = Some(body);
                }
            }
            all.frames.push(found);
        }
        Ok(all)
    }

    /// A rigid body in which a point is fixed, or a particle that is there: the one in whose frame the point is defined, else the first. A
    /// point that no coordinate moves is the ground's unless it is defined in the frame of such a body.
    fn body_at<N: Number>(
        &self,
        at: &Instant<'_, Dual<N>>,
        later: &Instant<'_, Dual<N>>,
        p: PointId,
    ) -> Result<Option<usize>, EvalError> {
        let mut found: Option<(bool, usize)> = None;
        let still = is_fixed(&[at.arm(PointId(0), p, FrameId(0))?])?;
        for (body, b) in self.system.bodies.iter().enumerate() {
            let frame = b.rigid.as_ref().map_or(FrameId(0), |r| r.frame);
            let arms = [at.arm(b.center, p, frame)?, later.arm(b.center, p, frame)?];
            let mut there = true;
            for x in &arms[0] {
                there &= x.now()?.value.is_zero();
            }
            let fixed = is_fixed(&[arms[0].clone()])? && is_fixed(&[arms[1].clone()])?;
            if !fixed || (b.rigid.is_none() && !there) {
                continue;
            }
            let own = b.rigid.is_some() && self.is_defined_in(p, frame);
            if still && (!own || frame == FrameId(0)) {
                continue;
            }
            if found.is_none_or(|(first, _)| own && !first) {
                found = Some((own, body));
            }
        }
        Ok(found.map(|(_, body)| body))
    }

    /// Whether a point's offset from its base is written in a frame's axes.
    fn is_defined_in(&self, p: PointId, frame: FrameId) -> bool {
        let offset = self.system.points[p.index()].offset.as_ref();
        offset.is_some_and(|(_, v)| self.mentions(v, frame))
    }

    fn mentions(&self, v: &Vector, frame: FrameId) -> bool {
        match v {
            Vector::Basis(f, _) => *f == frame,
            Vector::Neg(a) | Vector::Scale(_, a) => self.mentions(a, frame),
            Vector::Add(a, b) | Vector::Sub(a, b) | Vector::Cross(a, b) => {
                self.mentions(a, frame) || self.mentions(b, frame)
            }
            Vector::Let(l) => match &self.system.lets[l.index()].value {
                Quantity::Vector(v) => self.mentions(v, frame),
                Quantity::Scalar(_) => false,
            },
            _ => false,
        }
    }

    /// What holds every body, given the motion and the multipliers of the rows.
    ///
    /// # Errors
    /// Where the model has no values there.
    pub fn supports<N: Number>(
        &self,
        state: &State<N>,
        (accelerations, multipliers): (&[N], &[N]),
        attachments: &Attachments,
    ) -> Result<Supports<N>, EvalError> {
        let sites = self.acting(state, accelerations, multipliers)?;
        let at = self.instant(self.motion(state, Some(accelerations)))?;
        let mut all = Supports {
            bodies: self.inertia_forces(&at)?,
            frames: self.bases(&at)?,
        };
        self.relieve(&at, (&sites, attachments), &mut all)?;
        Ok(all)
    }

    /// What a unit of every reaction that is declared between two sides holds of the bodies; with the number of the reaction.
    ///
    /// # Errors
    /// Where the model has no values there.
    pub fn pairs<N: Number>(
        &self,
        state: &State<N>,
        attachments: &Attachments,
    ) -> Result<Vec<(usize, Supports<N>)>, EvalError> {
        let at = self.instant(self.motion(state, None))?;
        let points = self.system.points.len();
        let none = Supports {
            bodies: self.no_forces(),
            frames: self.bases(&at)?,
        };
        let directions = self.directions(state)?;
        let mut list = Vec::new();
        for (j, (joint, along)) in self.system.joints.iter().zip(&directions).enumerate() {
            let Action::Pair { on, opposite } = joint.action else {
                continue;
            };
            // What acts relieves a body of it: here it is what holds.
            let mut sites = Sites(vec![
                from_fn(|_| N::int(0));
                points + self.system.frames.len()
            ]);
            let back: [N; 3] = from_fn(|i| along[i].neg());
            let first = Some(((joint.site, on), &back));
            let second = opposite.map(|side| (side, along));
            for ((site, carrier), v) in first.into_iter().chain(second) {
                match (site, carrier) {
                    (Site::Point(p), Some(carrier)) => {
                        let arm = vector::sub(&*at.point(p)?, &*at.point(carrier.center)?);
                        let moment = vector::cross(&vector::now(&arm)?, v);
                        sites.add(carrier.center.index(), v);
                        sites.add(points + carrier.frame.index(), &moment);
                    }
                    (Site::Point(p), None) => sites.add(p.index(), v),
                    (Site::Frame(f), _) => sites.add(points + f.index(), v),
                }
            }
            let mut own = none.clone();
            self.relieve(&at, (&sites, attachments), &mut own)?;
            list.push((j, own));
        }
        Ok(list)
    }

    fn no_forces<N: Number>(&self) -> Vec<Support<N>> {
        let zero = || from_fn(|_| N::int(0));
        let bodies = self.system.bodies.iter();
        let none = |body: &Body| Support {
            body: body.meta.name.clone(),
            force: zero(),
            torque: body.rigid.is_some().then(zero),
        };
        bodies.map(none).collect()
    }

    /// `m (a - g)` and `I alpha + omega x I omega` of every body.
    fn inertia_forces<N: Number>(&self, at: &Instant<'_, N>) -> Result<Vec<Support<N>>, EvalError> {
        let gravity = match &self.system.gravity {
            Some(g) => Some(vector::now(&at.vector(g)?)?),
            None => None,
        };
        let mut list = self.no_forces();
        for (index, (body, own)) in self.system.bodies.iter().zip(&mut list).enumerate() {
            let mass = at.scalar(&body.mass)?.now()?.clone();
            let a = vector::rate(&vector::rate(&*at.point(body.center)?));
            let a = vector::now(&a)?;
            own.force = a.map(|x| mass.mul(&x));
            if let Some(g) = &gravity {
                own.force = from_fn(|i| own.force[i].sub(&mass.mul(&g[i])));
            }
            let (Some(rigid), Some(tensor)) = (&body.rigid, at.inertia(index)?) else {
                continue;
            };
            let rotation = &at.frame(rigid.axes)?.rotation;
            let spin = &at.frame(rigid.frame)?.omega;
            let omega = vector::now(&vector::own(rotation, spin))?;
            let alpha = vector::now(&vector::own(rotation, &vector::rate(spin)))?;
            let momentum = vector::outward(&tensor, &omega);
            let torque = vector::add(
                &vector::outward(&tensor, &alpha),
                &vector::cross(&omega, &momentum),
            );
            let mut fixed: [[N; 3]; 3] = from_fn(|_| from_fn(|_| N::int(0)));
            for (row, entries) in fixed.iter_mut().zip(rotation) {
                *row = vector::now(entries)?;
            }
            own.torque = Some(vector::outward(&fixed, &torque));
        }
        Ok(list)
    }

    /// Takes what acts at points and on frames from what holds the bodies.
    fn relieve<N: Number>(
        &self,
        at: &Instant<'_, N>,
        (sites, attachments): (&Sites<N>, &Attachments),
        all: &mut Supports<N>,
    ) -> Result<(), EvalError> {
        let minus = |sum: &mut [N; 3], v: &[N; 3]| *sum = from_fn(|i| sum[i].sub(&v[i]));
        for (p, owner) in attachments.points.iter().enumerate() {
            let Some(index) = *owner else { continue };
            let (Some(own), Some(body)) = (sites.0.get(p), self.system.bodies.get(index)) else {
                continue;
            };
            let Some(support) = all.bodies.get_mut(index) else {
                continue;
            };
            minus(&mut support.force, own);
            if let Some(torque) = &mut support.torque {
                let arm = vector::sub(&*at.point(PointId(p as u32))?, &*at.point(body.center)?);
                minus(torque, &vector::cross(&vector::now(&arm)?, own));
            }
        }
        for (f, owner) in attachments.frames.iter().enumerate() {
            let support = owner.and_then(|index| all.bodies.get_mut(index));
            if let Some(torque) = support.and_then(|support| support.torque.as_mut())
                && let Some(own) = sites.0.get(self.system.points.len() + f)
            {
                minus(torque, own);
            }
        }
        Ok(())
    }

    /// The names of all frames with their basis vectors.
    fn bases<N: Number>(&self, at: &Instant<'_, N>) -> Result<Vec<Basis<N>>, EvalError> {
        let mut frames = Vec::new();
        for (f, frame) in self.system.frames.iter().enumerate() {
            let rotation = &at.frame(FrameId(f as u32))?.rotation;
            let mut basis: [[N; 3]; 3] = from_fn(|_| from_fn(|_| N::int(0)));
            for (axis, own) in basis.iter_mut().enumerate() {
                *own = vector::now(&vector::basis(rotation, axis))?;
            }
            frames.push((frame.meta.name.clone(), basis));
        }
        Ok(frames)
    }

    /// Loads, forces of potentials and dissipation, and those of the constraint rows, where they act.
    fn acting<N: Number>(
        &self,
        state: &State<N>,
        accelerations: &[N],
        multipliers: &[N],
    ) -> Result<Sites<N>, EvalError> {
        let points = self.system.points.len();
        let count = points + self.system.frames.len();
        let mut sites = Sites(vec![from_fn(|_| N::int(0)); count]);
        let mut motion = self.motion(state, Some(accelerations));
        for (row, l) in self.rows.iter().zip(multipliers) {
            motion.reactions[row.constraint][row.component] = l.clone();
        }
        let at = self.instant(motion)?;
        for load in self.system.loads.iter().chain(&self.system.nonideal) {
            let (place, v) = match &load.kind {
                LoadKind::Force { point, vector } => (point.index(), vector),
                LoadKind::Torque { frame, vector } => (points + frame.index(), vector),
                LoadKind::Generalized { .. } => continue,
            };
            let v = vector::now(&at.vector(v)?)?;
            sites.add(place, &v);
        }
        for (kind, order) in [(EnergyKind::Potential, 0), (EnergyKind::Dissipation, 1)] {
            let energies = self.system.energies.iter().filter(|e| e.kind == kind);
            let energies: Vec<&Energy> = energies.collect();
            if energies.is_empty() {
                continue;
            }
            let at = self.shifted(state, accelerations, order)?;
            for energy in energies {
                let value = at.scalar(&energy.value)?;
                let slopes = value.now()?.slopes(3 * count);
                for (place, slope) in slopes.chunks(3).enumerate() {
                    sites.add(place, &from_fn(|i| slope[i].neg()));
                }
            }
        }
        if self.rows.is_empty() {
            return Ok(sites);
        }
        let at = self.shifted(state, accelerations, 2)?;
        let rows = self.rows_up_to(&at, super::Level::Acceleration)?;
        let partials = self.partials(state)?;
        let kinematics = self.kinematics(state)?;
        let all = rows
            .iter()
            .zip(multipliers)
            .zip(&kinematics.constraint_matrix);
        for ((row, l), a) in all {
            let pulls = row.slopes(3 * count);
            // Where these forces do not have the power of the row, only its generalized forces are known.
            let power = linear::times(&linear::transposed(&partials), &pulls);
            let scale = crate::verify::entries::scale(a);
            if !power.iter().zip(a).all(|(x, y)| x.agrees(y, &scale)) {
                continue;
            }
            for (place, pull) in pulls.chunks(3).enumerate() {
                sites.add(place, &from_fn(|i| l.mul(&pull[i])));
            }
        }
        Ok(sites)
    }

    /// The partial velocities of all points, then the partial angular velocities of all frames: three rows for each.
    fn partials<N: Number>(&self, state: &State<N>) -> Result<Vec<Vec<N>>, EvalError> {
        let n = state.q.len();
        let at = self.dual_at(state, Wrt::Rates)?;
        let mut rows = Vec::new();
        let mut push = |v: &Vec3<Dual<N>>| -> Result<(), EvalError> {
            for x in v {
                rows.push(x.now()?.slopes(n));
            }
            Ok(())
        };
        for p in 0..self.system.points.len() {
            push(&vector::rate(&*at.point(PointId(p as u32))?))?;
        }
        for f in 0..self.system.frames.len() {
            push(&at.frame(FrameId(f as u32))?.omega)?;
        }
        Ok(rows)
    }

    /// The machine with every point and frame displaced alone: at order 0 its position, at 1 its velocity, at 2 its acceleration.
    fn shifted<N: Number>(
        &self,
        state: &State<N>,
        accelerations: &[N],
        order: usize,
    ) -> Result<Instant<'_, Dual<N>>, EvalError> {
        let points = (0..self.system.points.len()).map(|p| Site::Point(PointId(p as u32)));
        let frames = (0..self.system.frames.len()).map(|f| Site::Frame(FrameId(f as u32)));
        let all: Vec<Site> = points.chain(frames).collect();
        let count = 3 * all.len();
        let mut motion = self
            .motion(state, Some(accelerations))
            .map(|x| Dual::fixed(x.clone()));
        let shift = |(k, site): (usize, &Site)| {
            let distance = from_fn(|i| {
                let own = Dual::variable(N::int(0), 3 * k + i, count);
                let own = if order == 2 { half(&own) } else { own };
                let mut series = vec![Dual::int(0); 3];
                series[order] = own;
                Series(series)
            });
            (*site, distance)
        };
        motion.shifts = all.iter().enumerate().map(shift).collect();
        self.instant(motion)
    }
}

impl<N: Number> Sites<N> {
    fn add(&mut self, place: usize, v: &[N; 3]) {
        if let Some(sum) = self.0.get_mut(place) {
            *sum = vector::add(sum, v);
        }
    }
}

impl<E: Number> Instant<'_, E> {
    /// A point's position from a centre, in a frame's components.
    fn arm(&self, centre: PointId, p: PointId, frame: FrameId) -> Result<Vec3<E>, EvalError> {
        let arm = vector::sub(&*self.point(p)?, &*self.point(centre)?);
        Ok(vector::own(&self.frame(frame)?.rotation, &arm))
    }

    /// The basis of one frame in the components of another.
    fn relative(&self, own: FrameId, f: FrameId) -> Result<[Vec3<E>; 3], EvalError> {
        let (own, f) = (self.frame(own)?, self.frame(f)?);
        Ok(from_fn(|j| {
            vector::own(&own.rotation, &vector::basis(&f.rotation, j))
        }))
    }
}

/// Whether no direction changes these vectors.
fn is_fixed<N: Number>(list: &[Vec3<Dual<N>>]) -> Result<bool, EvalError> {
    for x in list.iter().flatten() {
        let x = x.now()?;
        if !(0..x.slope.len()).all(|k| N::int(0).agrees(&x.along(k), &N::int(1))) {
            return Ok(false);
        }
    }
    Ok(true)
}
