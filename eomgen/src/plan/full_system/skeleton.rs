//! What the full Newton-Euler system is made of, as values: how frames turn and points are offset, masses, loads. Taken from the mechanics
//! once; nothing here depends on the choice of components or unknowns.

use super::super::group;
use super::vectors::{Tensor, Vector};
use crate::diag::Diagnostic;
use crate::form::{Context, Space};
use crate::ir::{Prepared, Unary, Value};
use crate::lower::Lowering;
use crate::mech::mixed::Mixed;
use crate::mech::rate::Rate;
use crate::mech::turned::Acting;
use crate::mech::vec3::{self, Vec3};
use crate::model::system::{FrameId, LoadKind, Orientation};
use crate::solve::inertia::Joint;
use crate::sym::Expr;
use num_traits::{One, Zero};

/// A vector as parts in the components of frames.
pub(super) type Parts = Vec<(usize, Vector)>;

/// How a frame turns in its parent.
#[derive(Clone)]
pub(super) struct Frame {
    pub name: String,
    pub parent: Option<usize>,
    /// `rotation[i][j] = parent_i . own_j`
    pub rotation: Tensor,
    /// Whether its orientation depends on the speeds.
    pub moves: bool,
    /// Whether it does not turn at all.
    pub still: bool,
    /// Number of turns from the inertial frame.
    pub depth: u32,
    /// Angular velocity in the parent: coefficients of the speeds, its value, its rate of change at s' = 0 as the frame sees it.
    pub spin: Vec<(usize, Vector)>,
    pub spin_value: Vector,
    pub spin_rate: Vector,
    /// Angular acceleration where it does not depend on the speeds.
    pub prescribed: Vector,
    /// What the joint feels.
    pub joint: Joint,
    /// Number of the shared axis and the angle, for a turn about a basis vector.
    pub turn: Option<(usize, Value)>,
}

/// A part of a point's offset from its base.
#[derive(Clone)]
pub(super) struct Offset {
    pub frame: usize,
    pub place: Vector,
    /// Whether the place is the same at all states.
    pub fixed: bool,
    /// In whose components its rate and what follows are: the frame's, or those in which the speeds themselves are given.
    pub rate_axes: usize,
    /// Coefficients of the speeds in its rate, the rate, and the second derivative at s' = 0, as the frame sees it.
    pub rate: Vec<(usize, Vector)>,
    pub rate_value: Vector,
    pub second: Vector,
}

#[derive(Clone)]
pub(super) struct Point {
    pub name: String,
    pub base: Option<usize>,
    pub offsets: Vec<Offset>,
    pub moves: bool,
    /// Acceleration where it does not depend on the speeds, in the inertial frame.
    pub prescribed: Vector,
}

#[derive(Clone)]
pub(super) struct Mass {
    pub mass: Value,
    pub center: usize,
    pub rotation: Option<(usize, Tensor)>,
}

/// Forces at points and torques on frames by which the multiplier of a constraint row acts.
#[derive(Clone)]
pub(super) struct Tie {
    pub forces: Vec<(usize, Parts)>,
    pub torques: Vec<(usize, Parts)>,
    /// Whether the row says that the accelerations along these, added up, are zero.
    pub whole: bool,
}

/// Of each constraint row by what its multiplier acts, where that is known.
#[derive(Clone)]
pub(crate) struct Ties(Vec<Option<Tie>>);

impl Ties {
    /// As values.
    pub fn new(
        c: &mut Context<'_>,
        low: &mut Lowering,
        space: Space,
        acting: &[Option<Acting>],
    ) -> Self {
        let prepared = &Prepared::new(&[group::PARAMS]);
        let mut s = Source {
            c,
            low,
            prepared,
            space,
        };
        let each = acting.iter();
        Self(each.map(|own| s.tie(own.as_ref()?)).collect())
    }
}

#[derive(Clone)]
pub(crate) struct Skeleton {
    pub(super) speeds: Vec<String>,
    pub(super) frames: Vec<Frame>,
    pub(super) points: Vec<Point>,
    pub(super) masses: Vec<Mass>,
    /// Loads on points and on frames, and generalized forces on the speeds.
    pub(super) forces: Vec<(usize, Parts)>,
    pub(super) torques: Vec<(usize, Parts)>,
    pub(super) generalized: Vec<Value>,
    /// Inertia that the model gives as energy: entries for the speeds.
    pub(super) inertia: Vec<(usize, usize, Value)>,
    /// Acceleration of free fall.
    pub(super) falling: Parts,
    /// By what the multipliers of constraint rows act, of each where that is known.
    pub(super) ties: Vec<Option<Tie>>,
    /// Whether M is positive definite without rows. It is taken to be.
    pub definite: bool,
}

impl Skeleton {
    /// `None` if gravity or the loads cannot be written.
    pub fn new(c: &mut Context<'_>, low: &mut Lowering, space: Space) -> Option<Self> {
        let prepared = &Prepared::new(&[group::PARAMS]);
        let gravity = c.gravity(space).ok()?.unwrap_or_default();
        let mut s = Source {
            c,
            low,
            prepared,
            space,
        };
        let motion = s.c.kinematics(space).motion.clone();
        let speeds = motion.speed_dots.iter();
        let speeds = speeds.map(|v| s.c.alg.info(*v).name.clone()).collect();
        let frames = (0..s.c.system.frames.len()).map(|i| s.frame(i)).collect();
        let points = (0..s.c.system.points.len()).map(|i| s.point(i)).collect();
        let masses = s.masses();
        let falling = s.parts(&gravity);
        let mut skeleton = Self {
            speeds,
            frames,
            points,
            masses,
            forces: Vec::new(),
            torques: Vec::new(),
            generalized: Vec::new(),
            inertia: Vec::new(),
            falling,
            ties: Vec::new(),
            definite: true,
        };
        s.loads(&mut skeleton).ok()?;
        Some(skeleton)
    }
}

impl Skeleton {
    /// Whether there are rows of which it is known by what their multipliers act.
    pub(super) fn has_ties(&self) -> bool {
        self.ties.iter().any(Option::is_some)
    }

    /// By what the multipliers of rows act, where rows are in the accelerations of that.
    pub(super) fn ties(&self, tied: bool) -> &[Option<Tie>] {
        if tied { &self.ties } else { &[] }
    }

    /// The same with rows of which the multipliers act by these.
    pub fn tied(&self, ties: &Ties) -> Self {
        Self {
            ties: ties.0.clone(),
            ..self.clone()
        }
    }

    /// The frame that carries a point: the outermost that moves in which it is offset, or else the one that carries its base.
    pub fn carrier(&self, p: usize) -> Option<usize> {
        let mut at = Some(p);
        while let Some(p) = at {
            let offsets = self.points[p].offsets.iter().map(|o| o.frame);
            let moving = offsets.filter(|f| self.frames[*f].moves);
            if let Some(f) = moving.max_by_key(|f| (self.frames[*f].depth, *f)) {
                return Some(f);
            }
            at = self.points[p].base;
        }
        None
    }
}

struct Source<'s, 'c> {
    c: &'s mut Context<'c>,
    low: &'s mut Lowering,
    prepared: &'s Prepared,
    space: Space,
}

impl Source<'_, '_> {
    fn value(&mut self, e: &Expr) -> Value {
        if e.is_literal_zero() || self.c.alg.is_zero(e) {
            return self.low.graph.zero();
        }
        self.low.lower(&self.c.alg, e)
    }

    fn vector(&mut self, v: &Vec3) -> Vector {
        v.each_ref().map(|e| self.value(e))
    }

    fn parts(&mut self, v: &Mixed) -> Parts {
        let parts = v.parts.iter();
        parts.map(|(f, v)| (f.index(), self.vector(v))).collect()
    }

    fn linear(&mut self, l: &vec3::Linear<Vec3>) -> Vec<(usize, Vector)> {
        l.coef.iter().map(|(k, v)| (*k, self.vector(v))).collect()
    }

    fn frame(&mut self, i: usize) -> Frame {
        let fm = self.c.kinematics(self.space).frames[i].clone();
        let stated = &self.c.system.frames[i];
        let name = stated.meta.name.clone();
        let orientation = stated.orientation.as_ref().map(|o| o.1.clone());
        let rotation = fm.rotation.each_ref().map(|row| self.vector(row));
        let vars = self.c.vars.clone();
        let (alg, _, k, _) = self.c.parts(self.space);
        let speeds = k.motion.speed_values(alg);
        let spin_value = fm.relative.value(&speeds);
        let mut flow = k.motion.flow(alg, &vars, false);
        let spin_rate: Vec3 = std::array::from_fn(|j| alg.derivative(&spin_value[j], &mut flow));
        let constant = rotation.iter().flatten();
        let constant = constant
            .copied()
            .all(|v| self.prepared.is(&self.low.graph, v));
        let (joint, turn) = match orientation {
            _ if constant => (Joint::Fixed, None),
            Some(Orientation::Simple { axis, angle }) => {
                let (alg, values, k, _) = self.c.parts(self.space);
                let angle = values.with(alg, k).position_scalar(&angle).ok();
                let axis = axis as usize;
                let turn = angle.map(|angle| (axis, self.value(&angle)));
                (Joint::Revolute(basis(axis)), turn)
            }
            Some(Orientation::AxisAngle { axis, .. }) => {
                let (alg, values, k, _) = self.c.parts(self.space);
                let numbers = axis.each_ref().map(|a| {
                    let e = values.with(alg, k).position_scalar(a).ok()?;
                    alg.as_number(&e)
                });
                match numbers {
                    [Some(x), Some(y), Some(z)] => (Joint::Revolute([x, y, z]), None),
                    _ => (Joint::Other, None),
                }
            }
            _ => (Joint::Other, None),
        };
        let moves = !fm.turned_by.speeds.is_empty();
        Frame {
            name,
            parent: fm.parent.map(FrameId::index),
            rotation,
            moves,
            still: fm.turned_by.is_zero(),
            depth: fm.depth as u32,
            spin: self.linear(&fm.relative),
            spin_value: self.vector(&spin_value),
            spin_rate: self.vector(&spin_rate),
            prescribed: if moves {
                [self.low.graph.zero(); 3]
            } else {
                self.vector(&fm.alpha_bias)
            },
            joint,
            turn,
        }
    }

    fn point(&mut self, i: usize) -> Point {
        let pm = self.c.kinematics(self.space).points[i].clone();
        let vars = self.c.vars.clone();
        let mut offsets = Vec::new();
        for (f, place) in &pm.offset.parts {
            let (alg, _, k, _) = self.c.parts(self.space);
            let each = place.each_ref().map(|e| k.motion.rate_of(alg, &vars, e));
            let own = Rate::own(alg, &vars, k, *f, vec3::Linear::components(each));
            let rate = own.in_axes_of_speeds(alg, &vars, k).unwrap_or(own);
            let place = self.vector(place);
            let known = |v: &Value| self.prepared.is(&self.low.graph, *v);
            let fixed = place.iter().all(known);
            offsets.push(Offset {
                frame: f.index(),
                place,
                fixed,
                rate_axes: rate.axes.index(),
                rate: self.linear(&rate.linear),
                rate_value: self.vector(&rate.value),
                second: self.vector(&rate.second),
            });
        }
        let moves = !pm.moved_by.speeds.is_empty();
        let prescribed = if moves {
            vec3::zero()
        } else {
            let (alg, _, k, _) = self.c.parts(self.space);
            k.express(alg, &pm.acceleration_bias, pm.frame, FrameId(0), "a")
        };
        Point {
            name: self.c.system.points[i].meta.name.clone(),
            base: pm.base.map(|b| b.index()),
            offsets,
            moves,
            prescribed: self.vector(&prescribed),
        }
    }

    fn masses(&mut self) -> Vec<Mass> {
        let list = self.c.masses.clone();
        let each = list.iter().map(|m| Mass {
            mass: self.value(&m.mass),
            center: m.center.index(),
            rotation: m.rotation.as_ref().map(|(f, inertia)| {
                let tensor = inertia.each_ref().map(|row| self.vector(row));
                (f.index(), tensor)
            }),
        });
        each.collect()
    }

    /// `None` where it acts on coordinates by themselves.
    fn tie(&mut self, own: &Acting) -> Option<Tie> {
        let Acting { by, whole } = own;
        let forces = by.forces.iter();
        let forces = forces.map(|(p, v)| (p.index(), self.parts(v))).collect();
        let torques = by.torques.iter();
        let torques = torques.map(|(f, v)| (f.index(), self.parts(v))).collect();
        by.generalized.is_empty().then_some(Tie {
            forces,
            torques,
            whole: *whole,
        })
    }

    fn loads(&mut self, s: &mut Skeleton) -> Result<(), Vec<Diagnostic>> {
        let system = self.c.system;
        let fault = |f: crate::mech::Fault| vec![f.at(crate::span::Span::default())];
        let mut generalized = vec![Expr::zero(); s.speeds.len()];
        for load in system.loads.iter().chain(&system.nonideal) {
            let (alg, values, k, _) = self.c.parts(self.space);
            match &load.kind {
                LoadKind::Force { point, vector } => {
                    let v = values.vector(alg, k, vector).map_err(fault)?;
                    let parts = self.parts(&v);
                    s.forces.push((point.index(), parts));
                }
                LoadKind::Torque { frame, vector } => {
                    let v = values.vector(alg, k, vector).map_err(fault)?;
                    let parts = self.parts(&v);
                    s.torques.push((frame.index(), parts));
                }
                LoadKind::Generalized { coord, value } => {
                    let v = values.scalar(alg, k, value).map_err(fault)?;
                    for (i, h) in &k.motion.rates[coord.index()].coef {
                        generalized[*i] = &generalized[*i] + h * &v;
                    }
                }
            }
        }
        if let Some(given) = self.c.given_forces(self.space) {
            for (sum, e) in generalized.iter_mut().zip(&given) {
                *sum = &*sum + e;
            }
        }
        if let Some(inertia) = self.c.given_inertia(self.space) {
            for (sum, e) in generalized.iter_mut().zip(&inertia.rest) {
                *sum = &*sum - e;
            }
            for (i, row) in inertia.mass.iter().enumerate() {
                for (j, e) in row.iter().enumerate().skip(i) {
                    let v = self.value(e);
                    s.inertia.push((i, j, v));
                }
            }
        }
        s.generalized = generalized.iter().map(|e| self.value(e)).collect();
        Ok(())
    }
}

/// The basis vector of this number.
fn basis(axis: usize) -> [crate::ir::Rational; 3] {
    let number = |k| {
        if k == axis {
            crate::ir::Rational::one()
        } else {
            crate::ir::Rational::zero()
        }
    };
    std::array::from_fn(number)
}

/// The sine and cosine of an angle.
pub(super) fn circle(calc: &mut crate::solve::Calc<'_>, angle: Value) -> (Value, Value) {
    let sine = calc.graph.unary(Unary::Sin, angle);
    let cosine = calc.graph.unary(Unary::Cos, angle);
    (calc.first(sine), calc.first(cosine))
}
