//! Kinematics derived along the trees of frames and points, each from its parent or base.

use super::Fault;
use super::kinematics::{Components, FrameMotion, Kinematics, PointMotion};
use super::mixed::Mixed;
use super::motion::Motion;
use super::partials::{self, Numbers};
use super::rotation::Rotation;
use super::support::Support;
use super::value::{Evaluator, Values};
use super::vars::Vars;
use super::vec3::{self, Linear, Mat3, Vec3};
use crate::diag;
use crate::model::System;
use crate::model::system::{Frame, FrameId, Orientation, PointId, Scalar, Site, Vector};
use crate::sym::{Algebra, Expr};
use std::collections::BTreeMap;

/// A virtual displacement that a definition of the model does not allow: of a point along a direction, of a frame about it, by a further
/// coordinate. What follows is right at zero of that coordinate, to the first order in it.
pub struct VirtualDisplacement {
    /// What is displaced.
    pub site: Site,
    /// Index of the coordinate.
    pub coordinate: usize,
    /// In whose components the direction is: of a frame its own.
    pub frame: FrameId,
    /// The direction.
    pub direction: Vec3,
}

impl Kinematics {
    /// The recursion. Errors point at the declaration at fault.
    pub fn derive(
        alg: &mut Algebra,
        system: &System,
        vars: &Vars,
        motion: Motion,
        components: Components,
    ) -> diag::Result<Self> {
        Self::with_displacements(alg, system, vars, motion, components, &[])
    }

    /// The same with virtual displacements; their coordinates follow those of the model.
    pub fn with_displacements(
        alg: &mut Algebra,
        system: &System,
        vars: &Vars,
        motion: Motion,
        components: Components,
        displacements: &[VirtualDisplacement],
    ) -> diag::Result<Self> {
        let mut k = Self::nowhere(motion);
        k.waits = displacements.is_empty() && partials::wait(system, &k.motion);
        let mut recursion = Recursion {
            values: Values { system, vars },
            alg,
            numbers: k.waits.then(Numbers::default),
            k,
            components,
            displacements,
        };
        recursion.run()?;
        Ok(recursion.k)
    }
}

/// The recursion under way: what has been derived so far is in `k`.
struct Recursion<'r, 'v> {
    values: Values<'v>,
    alg: &'r mut Algebra,
    k: Kinematics,
    /// Where partial velocities wait: which of them vanish.
    numbers: Option<Numbers>,
    components: Components,
    displacements: &'r [VirtualDisplacement],
}

impl<'v> Recursion<'_, 'v> {
    fn run(&mut self) -> diag::Result<()> {
        let Values { system, vars } = self.values;
        let mut errors = Vec::new();
        for (coordinate, symbol) in system.coords.iter().zip(&vars.coords) {
            if let Some(mount) = &coordinate.mount
                && let Ok(angle) = self.evaluator().scalar(mount)
            {
                self.alg.mount(*symbol, &angle);
            }
        }
        // Sines and cosines in the order of the coordinates: in which order the frames are declared shall not show in the terms.
        for (coordinate, &symbol) in vars.coords.iter().enumerate() {
            if system.frames.iter().any(|f| is_angle_of(f, coordinate)) {
                let angle = self.alg.var(symbol);
                self.alg.sin_cos(&angle);
            }
        }
        for (i, f) in system.frames.iter().enumerate() {
            let motion = self.frame(i).unwrap_or_else(|fault| {
                errors.push(fault.at(f.meta.span));
                FrameMotion::fixed(f.orientation.as_ref().map(|o| o.0))
            });
            let motion = self.numbered_frame(motion);
            self.k.frames.push(motion);
        }
        for (i, p) in system.points.iter().enumerate() {
            let motion = self.point(i).unwrap_or_else(|fault| {
                errors.push(fault.at(p.meta.span));
                PointMotion::fixed()
            });
            let motion = self.numbered_point(motion);
            self.k.points.push(motion);
        }
        diag::unless_wrong((), errors)
    }

    /// Which speeds turn a frame.
    fn numbered_frame(&mut self, mut motion: FrameMotion) -> FrameMotion {
        motion.turned_by = match (&mut self.numbers, motion.omega.get()) {
            (Some(numbers), _) => numbers.push_frame(self.alg, &motion),
            (None, Some(omega)) => Support::of(omega),
            (None, None) => Support::default(),
        };
        motion
    }

    /// Which speeds move a point.
    fn numbered_point(&mut self, mut motion: PointMotion) -> PointMotion {
        let of = |l: Option<&Linear<Vec3>>| l.map(Support::of).unwrap_or_default();
        let found = match &mut self.numbers {
            Some(numbers) => numbers.push_point(self.alg, &motion),
            None => [of(motion.velocity.get()), of(motion.step.get())],
        };
        [motion.moved_by, motion.stepped_by] = found;
        motion
    }

    fn evaluator(&mut self) -> Evaluator<'_, 'v> {
        self.values.with(self.alg, &self.k)
    }

    fn frame(&mut self, i: usize) -> Result<FrameMotion, Fault> {
        let Values { system, vars } = self.values;
        let Some((parent, orientation)) = &system.frames[i].orientation else {
            return Ok(FrameMotion::fixed(None));
        };
        let name = &system.frames[i].meta.name;
        let (mut matrix, rotation) = Rotation::of(&mut self.evaluator(), orientation, name)?;
        let mut relative = rotation.spin(self.alg, vars, &self.k.motion, &matrix);
        self.displace_frame(FrameId(i as u32), &mut matrix, &mut relative);
        let Self { alg, k, .. } = self;
        let relative = k.define_linear(alg, relative, &format!("w_{name}_rel"));
        let speeds = k.motion.speed_values(alg);
        let relative_value = k.define_vec(alg, relative.value(&speeds), &format!("w_{name}_rel"));
        let p = &k.frames[parent.index()];
        let parent_value = vec3::apply_transposed(&matrix, &p.omega_value);
        let parent_alpha = vec3::apply_transposed(&matrix, &p.alpha_bias);
        let now = p.omega.get().filter(|_| !k.waits);
        let carried = now.map(|omega| k.carried_turning(alg, omega, &matrix, name));
        let parent_value = k.define_vec(alg, parent_value, &format!("w_{name}_par"));
        let omega = carried.map(|carried| k.whole_turning(alg, carried, &relative, name));
        let whole = vec3::add(&parent_value, &relative_value);
        let omega_value = k.define_vec(alg, whole, &format!("w_{name}"));
        let mut flow = k.motion.flow(alg, vars, false);
        let own: Vec3 = if rotation.is_steady(alg, vars, &k.motion) {
            vec3::zero()
        } else {
            std::array::from_fn(|j| alg.derivative(&relative_value[j], &mut flow))
        };
        let bias = vec3::add(&vec3::cross(&parent_value, &relative_value), &own);
        let relative_bias = k.define_vec(alg, bias, &format!("alpha_{name}_rel"));
        let bias = vec3::add(&parent_alpha, &relative_bias);
        let alpha_bias = k.define_vec(alg, bias, &format!("alpha_{name}_0"));
        Ok(FrameMotion {
            name: name.clone(),
            parent: Some(*parent),
            rotation: matrix,
            depth: p.depth + usize::from(rotation.counts()),
            relative,
            relative_value,
            relative_bias,
            turned_by: Support::default(),
            omega: partials::cell(omega),
            omega_value,
            alpha_bias,
        })
    }

    /// e_j becomes e_j + sigma d x e_j.
    fn displace_frame(&self, frame: FrameId, rotation: &mut Mat3, relative: &mut Linear<Vec3>) {
        for d in self
            .displacements
            .iter()
            .filter(|d| d.site == Site::Frame(frame))
        {
            relative.coef.insert(d.coordinate, d.direction.clone());
            let sigma = self.alg.var(self.values.vars.coords[d.coordinate]);
            for row in rotation.iter_mut() {
                let moved = vec3::cross(row, &d.direction);
                *row = vec3::add(row, &vec3::scale(&sigma, &moved));
            }
        }
    }

    fn point(&mut self, i: usize) -> Result<PointMotion, Fault> {
        let system = self.values.system;
        let Some((base, offset)) = &system.points[i].offset else {
            return Ok(PointMotion::fixed());
        };
        let name = &system.points[i].meta.name;
        let offset = self.offset(PointId(i as u32), offset)?;
        let rates = self.rates(&offset);
        let frame = self.frame_of_components(*base, &offset, &rates);
        let Self { alg, k, .. } = self;
        let b = &k.points[base.index()];
        let mut position = b.position.clone();
        position.add(&offset);
        let carried = (!k.waits).then(|| k.carried_moving(alg, *base, frame, name));
        let mut moving = carried.map(|carried| (carried, Linear::none()));
        let mut p = PointMotion {
            name: name.clone(),
            base: Some(*base),
            frame,
            velocity_value: k.express(alg, &b.velocity_value, b.frame, frame, name),
            acceleration_bias: k.express(alg, &b.acceleration_bias, b.frame, frame, name),
            position,
            ..PointMotion::fixed()
        };
        for (f, r) in &offset.parts {
            self.add_part(&mut p, &mut moving, (*f, r, &rates[f]), name);
        }
        let Self { alg, k, .. } = self;
        p.offset = offset;
        p.rates = rates;
        let (velocity, step) = moving.unzip();
        let velocity = velocity.map(|v| k.define_linear(alg, v, &format!("v_{name}")));
        (p.velocity, p.step) = (partials::cell(velocity), partials::cell(step));
        p.velocity_value = k.define_vec(alg, p.velocity_value, &format!("v_{name}"));
        p.acceleration_bias = k.define_vec(alg, p.acceleration_bias, &format!("a_{name}_0"));
        p.relative_bias = k.define_vec(alg, p.relative_bias, &format!("a_{name}_rel"));
        Ok(p)
    }

    /// The vector from the base, with virtual displacements.
    fn offset(&mut self, point: PointId, stated: &Vector) -> Result<Mixed, Fault> {
        let mut offset = self.evaluator().position_vector(stated)?;
        for d in self
            .displacements
            .iter()
            .filter(|d| d.site == Site::Point(point))
        {
            let sigma = self.alg.var(self.values.vars.coords[d.coordinate]);
            offset.add_part(d.frame, &vec3::scale(&sigma, &d.direction));
        }
        Ok(offset)
    }

    /// The rates of change of an offset's components.
    fn rates(&mut self, offset: &Mixed) -> BTreeMap<FrameId, Linear<Vec3>> {
        let Self { alg, k, values, .. } = self;
        let mut rates = BTreeMap::new();
        for (f, r) in &offset.parts {
            let each = r.each_ref().map(|c| k.motion.rate_of(alg, values.vars, c));
            rates.insert(*f, Linear::components(each));
        }
        rates
    }

    /// In whose components velocities of a point are taken: of the frames that move, the one with most rotations above it.
    fn frame_of_components(
        &self,
        base: PointId,
        offset: &Mixed,
        rates: &BTreeMap<FrameId, Linear<Vec3>>,
    ) -> FrameId {
        if self.components == Components::Inertial {
            return FrameId(0);
        }
        let frames = &self.k.frames;
        let b = &self.k.points[base.index()];
        let depth = |f: &FrameId| frames[f.index()].depth;
        let moves = |f: &FrameId| {
            !frames[f.index()].turned_by.is_zero() || rates.get(f).is_some_and(|r| !r.is_zero())
        };
        let parts = offset.parts.keys().copied();
        let deepest = parts.filter(moves).max_by_key(|f| (depth(f), f.0));
        deepest
            .filter(|f| depth(f) > 0 || b.moved_by.is_zero())
            .unwrap_or(b.frame)
    }

    /// Adds what the part of the offset that is fixed in a frame, or moves in it, adds to velocity and acceleration.
    fn add_part(
        &mut self,
        p: &mut PointMotion,
        moving: &mut Option<(Linear<Vec3>, Linear<Vec3>)>,
        (f, r, rate): (FrameId, &Vec3, &Linear<Vec3>),
        name: &str,
    ) {
        let Self { alg, k, values, .. } = self;
        let speeds = k.motion.speed_values(alg);
        let fm = &k.frames[f.index()];
        let rate_value = rate.value(&speeds);
        let rotating = vec3::cross(&fm.omega_value, r);
        let own_value = vec3::add(&rate_value, &rotating);
        let mut flow = k.motion.flow(alg, values.vars, false);
        let second: Vec3 = std::array::from_fn(|j| alg.derivative(&rate_value[j], &mut flow));
        let rotating = k.define_vec(alg, rotating, &format!("v_{name}_turn"));
        let inner = vec3::add(&vec3::scale(&Expr::int(2), &rate_value), &rotating);
        let coriolis = vec3::add(&second, &vec3::cross(&fm.omega_value, &inner));
        let terms = vec3::add(&coriolis, &vec3::cross(&fm.alpha_bias, r));
        if let Some((whole, step)) = moving {
            let own = k.part_moving(alg, (f, r, rate), p.frame, name);
            whole.add(&own);
            step.add(&own);
        }
        let mut add = |sum: &mut Vec3, v: &Vec3| {
            *sum = vec3::add(sum, &k.express(alg, v, f, p.frame, name));
        };
        add(&mut p.velocity_value, &own_value);
        add(&mut p.acceleration_bias, &terms);
        p.relative
            .add(&k.express_linear(alg, rate, f, p.frame, name));
        let coriolis = k.express(alg, &coriolis, f, p.frame, name);
        p.relative_bias = vec3::add(&p.relative_bias, &coriolis);
    }
}

/// Whether a frame is rotated by a coordinate itself, or by its negative.
fn is_angle_of(frame: &Frame, coordinate: usize) -> bool {
    let Some((_, Orientation::Simple { angle, .. })) = &frame.orientation else {
        return false;
    };
    let angle = match angle {
        Scalar::Neg(angle) => angle,
        angle => angle,
    };
    matches!(angle, Scalar::Coord(id) if id.index() == coordinate)
}
