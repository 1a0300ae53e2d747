//! Values of a model's expressions along a motion, by [`Jet`]s: positions are written as the model states them, all
//! velocities and accelerations are time derivatives of positions.

use super::Oracle;
use crate::gauss::geometry::{add, cross, dot};
use crate::gauss::{Axes, Jet, Vec3};
use eomgen::internals::function::Elementary;
use eomgen::internals::model::system::{
    Axis, Comparison, Condition, ConstraintRelation, FrameId, Orientation, PointId, Quantity,
    Scalar, Site, Vector,
};

/// An instant of a motion of a model.
pub struct Instant<'a> {
    /// The model and its constants.
    pub oracle: &'a Oracle,
    /// Time.
    pub t: Jet,
    /// Coordinates.
    pub q: Vec<Jet>,
    /// Inputs.
    pub inputs: &'a [f64],
    /// Multipliers by constraint and component.
    pub reactions: Vec<[f64; 3]>,
    /// Values of declared reactions.
    pub joints: Vec<f64>,
    /// A declared reaction, with its virtual displacement.
    pub released: Option<(usize, Jet)>,
    /// A point or frame that is displaced where an expression mentions it, and nowhere else.
    pub moved: Option<(Site, Vec3)>,
    /// Arguments of the user function whose formula is evaluated.
    pub bound: Vec<(Scalar, Jet)>,
}

const NOWHERE: Vec3 = [Jet::constant(0.0); 3];

impl Instant<'_> {
    /// A scalar.
    pub fn scalar(&self, s: &Scalar) -> Jet {
        if let Some((_, v)) = self.bound.iter().find(|(name, _)| name == s) {
            return *v;
        }
        let system = &self.oracle.system;
        match s {
            Scalar::Number(r) => {
                let parts = (r.numer().to_string(), r.denom().to_string());
                let number = |s: String| s.parse::<f64>().unwrap_or(f64::NAN);
                Jet::constant(number(parts.0) / number(parts.1))
            }
            Scalar::Pi => Jet::constant(std::f64::consts::PI),
            Scalar::Time => self.t,
            Scalar::Param(p) => Jet::constant(self.oracle.params[p.index()]),
            Scalar::Coord(c) => self.q[c.index()],
            Scalar::State(_) => Jet::constant(f64::NAN),
            Scalar::Input(i) => Jet::constant(self.inputs[i.index()]),
            Scalar::Speed(i) => self.scalar(&system.speeds[i.index()].value),
            Scalar::Let(l) => match &system.lets[l.index()].value {
                Quantity::Scalar(s) => self.scalar(s),
                Quantity::Vector(_) => Jet::constant(f64::NAN),
            },
            Scalar::Function { function, args } => {
                let declared = &system.functions[function.index()].args;
                let bound = declared
                    .iter()
                    .cloned()
                    .zip(args.iter().map(|a| self.scalar(a)))
                    .collect();
                let inside = Instant {
                    oracle: self.oracle,
                    t: self.t,
                    q: self.q.clone(),
                    inputs: self.inputs,
                    reactions: self.reactions.clone(),
                    joints: self.joints.clone(),
                    released: self.released,
                    moved: self.moved,
                    bound,
                };
                inside.scalar(&self.oracle.functions[function.index()])
            }
            Scalar::Rate(inner) => self.scalar(inner).derivative(),
            Scalar::Neg(a) => -self.scalar(a),
            Scalar::Add(a, b) => self.scalar(a) + self.scalar(b),
            Scalar::Sub(a, b) => self.scalar(a) - self.scalar(b),
            Scalar::Mul(a, b) => self.scalar(a) * self.scalar(b),
            Scalar::Div(a, b) => self.scalar(a) / self.scalar(b),
            Scalar::Pow(a, b) => power(self.scalar(a), self.scalar(b)),
            Scalar::Call(f, args) => {
                let args: Vec<Jet> = args.iter().map(|a| self.scalar(a)).collect();
                elementary(*f, &args)
            }
            Scalar::Dot(a, b) => dot(&self.vector(a), &self.vector(b)),
            Scalar::Norm(v) => {
                let v = self.vector(v);
                dot(&v, &v).sqrt()
            }
            Scalar::Reaction { constraint, axis } => {
                let place = axis.map_or(0, index);
                Jet::constant(self.reactions[constraint.index()][place])
            }
            Scalar::Joint(j) => Jet::constant(self.joints[j.index()]),
            Scalar::If {
                condition,
                then,
                other,
            } => self.scalar(if self.holds(condition) { then } else { other }),
            // Half of m v.v over the body's points.
            Scalar::Kinetic(body) => {
                self.oracle
                    .points_of(self, *body)
                    .iter()
                    .fold(Jet::constant(0.0), |sum, (m, p)| {
                        let v = p.map(Jet::derivative);
                        sum + 0.5 * *m * dot(&v, &v)
                    })
            }
        }
    }

    fn holds(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Compare(test, left, right) => {
                let (l, r) = (self.scalar(left).value, self.scalar(right).value);
                match test {
                    Comparison::Less => l < r,
                    Comparison::LessEqual => l <= r,
                    Comparison::Greater => l > r,
                    Comparison::GreaterEqual => l >= r,
                }
            }
            Condition::And(a, b) => self.holds(a) && self.holds(b),
            Condition::Or(a, b) => self.holds(a) || self.holds(b),
            Condition::Not(a) => !self.holds(a),
        }
    }

    /// A vector in inertial components.
    pub fn vector(&self, v: &Vector) -> Vec3 {
        match v {
            Vector::Zero => NOWHERE,
            Vector::Basis(f, axis) => self.mentioned_axes(*f).0[index(*axis)],
            Vector::Let(l) => match &self.oracle.system.lets[l.index()].value {
                Quantity::Vector(v) => self.vector(v),
                Quantity::Scalar(_) => [Jet::constant(f64::NAN); 3],
            },
            Vector::Reaction(c) => {
                let ConstraintRelation::Vector { frame, .. } =
                    &self.oracle.system.constraints[c.index()].relation
                else {
                    return [Jet::constant(f64::NAN); 3];
                };
                let [x, y, z] = self.reactions[c.index()];
                let axes = self.axes(*frame).0;
                let sum = add(&NOWHERE, x, &axes[0]);
                add(&add(&sum, y, &axes[1]), z, &axes[2])
            }
            Vector::ReactionOn {
                constraint,
                axis,
                site,
            } => self
                .oracle
                .reaction_on(self, constraint.index(), axis.map(index), *site),
            Vector::Neg(a) => add(&NOWHERE, -1.0, &self.vector(a)),
            Vector::Add(a, b) => add(&self.vector(a), 1.0, &self.vector(b)),
            Vector::Sub(a, b) => add(&self.vector(a), -1.0, &self.vector(b)),
            Vector::Scale(s, a) => add(&NOWHERE, self.scalar(s), &self.vector(a)),
            Vector::Cross(a, b) => cross(&self.vector(a), &self.vector(b)),
            Vector::Between { from, to } => add(&self.mentioned(*to), -1.0, &self.mentioned(*from)),
            Vector::Velocity { point, frame } => {
                self.mentioned_change(&self.mentioned(*point), *frame)
            }
            Vector::Acceleration { point, frame } => self.mentioned_change(
                &self.mentioned_change(&self.mentioned(*point), *frame),
                *frame,
            ),
            Vector::AngularVelocity { frame, within } => self.angular_velocity(*frame, *within),
            Vector::AngularAcceleration { frame, within } => {
                self.mentioned_change(&self.angular_velocity(*frame, *within), *within)
            }
            Vector::Momentum(body) => self
                .oracle
                .points_of(self, *body)
                .iter()
                .fold(NOWHERE, |sum, (m, p)| {
                    add(&sum, *m, &p.map(Jet::derivative))
                }),
            Vector::AngularMomentum { body, about } => {
                let about = self.place(*about);
                let points = self.oracle.points_of(self, *body);
                points.iter().fold(NOWHERE, |sum, (m, p)| {
                    let arm = add(p, -1.0, &about);
                    add(&sum, *m, &cross(&arm, &p.map(Jet::derivative)))
                })
            }
            Vector::Derivative { vector, frame } => {
                self.mentioned_change(&self.vector(vector), *frame)
            }
        }
    }

    /// The virtual displacement of a site: its direction, of unit length, times its amount.
    fn virtual_displacement(&self, site: Site) -> Option<Vec3> {
        let (j, far) = self.released?;
        let joint = &self.oracle.system.joints[j];
        if joint.site != site {
            return None;
        }
        // The direction itself is that of the machine before the displacement.
        let before = Instant {
            released: None,
            reactions: self.reactions.clone(),
            joints: self.joints.clone(),
            q: self.q.clone(),
            bound: Vec::new(),
            ..*self
        };
        let d = before.vector(&joint.direction);
        let length = dot(&d, &d).sqrt();
        Some(add(&NOWHERE, far / length, &d))
    }

    /// A frame's axes.
    pub fn axes(&self, f: FrameId) -> Axes {
        if self.moved.is_some() {
            return self.unmoved().axes(f);
        }
        let axes = self.axes_as_defined(f);
        match self.virtual_displacement(Site::Frame(f)) {
            Some(turn) => Axes(axes.0.map(|e| add(&e, 1.0, &cross(&turn, &e)))),
            None => axes,
        }
    }

    fn axes_as_defined(&self, f: FrameId) -> Axes {
        let Some((parent, orientation)) = &self.oracle.system.frames[f.index()].orientation else {
            return Axes::inertial();
        };
        let parent = self.axes(*parent);
        match orientation {
            Orientation::Simple { axis, angle } => parent.turned(index(*axis), self.scalar(angle)),
            Orientation::AxisAngle { axis, angle } => {
                // Rodrigues: v cos + e x v sin + e (e.v)(1 - cos).
                let angle = self.scalar(angle);
                let (s, c) = (angle.sin(), angle.cos());
                let e = (0..3).fold(NOWHERE, |sum, i| {
                    add(&sum, self.scalar(&axis[i]), &parent.0[i])
                });
                Axes(parent.0.map(|v| {
                    let along = dot(&e, &v) * (1.0 - c);
                    add(&add(&add(&NOWHERE, c, &v), s, &cross(&e, &v)), along, &e)
                }))
            }
            Orientation::Quaternion { parts, .. } => {
                // v becomes q v q*/(q q*).
                let q: [Jet; 4] = std::array::from_fn(|i| self.scalar(&parts[i]));
                let back = [q[0], -q[1], -q[2], -q[3]];
                let square = hamilton(&q, &back)[0];
                Axes(std::array::from_fn(|j| {
                    let mut v = [Jet::constant(0.0); 4];
                    v[j + 1] = Jet::constant(1.0);
                    let turned = hamilton(&hamilton(&q, &v), &back);
                    (0..3).fold(NOWHERE, |sum, i| {
                        add(&sum, turned[i + 1] / square, &parent.0[i])
                    })
                }))
            }
            Orientation::Matrix { rows } => Axes(std::array::from_fn(|j| {
                (0..3).fold(NOWHERE, |sum, i| {
                    add(&sum, self.scalar(&rows[i][j]), &parent.0[i])
                })
            })),
        }
    }

    /// A point's position from O.
    pub fn place(&self, p: PointId) -> Vec3 {
        if self.moved.is_some() {
            return self.unmoved().place(p);
        }
        let place = match &self.oracle.system.points[p.index()].offset {
            None => NOWHERE,
            Some((base, offset)) => add(&self.place(*base), 1.0, &self.vector(offset)),
        };
        match self.virtual_displacement(Site::Point(p)) {
            Some(step) => add(&place, 1.0, &step),
            None => place,
        }
    }

    /// The time derivative as seen from a frame: that of the components along its axes.
    pub fn change(&self, v: &Vec3, frame: FrameId) -> Vec3 {
        let axes = self.axes(frame);
        axes.0
            .iter()
            .fold(NOWHERE, |sum, e| add(&sum, dot(v, e).derivative(), e))
    }

    /// Angular velocity: half the sum of e x e' over the axes e of `frame`, as seen from `within`.
    pub fn angular_velocity(&self, frame: FrameId, within: FrameId) -> Vec3 {
        self.mentioned_axes(frame).0.iter().fold(NOWHERE, |sum, e| {
            add(&sum, 0.5, &cross(e, &self.mentioned_change(e, within)))
        })
    }

    /// The machine itself, of which no mention is displaced.
    fn unmoved(&self) -> Instant<'_> {
        Instant {
            moved: None,
            reactions: self.reactions.clone(),
            joints: self.joints.clone(),
            q: self.q.clone(),
            bound: self.bound.clone(),
            ..*self
        }
    }

    /// A point as an expression mentions it.
    fn mentioned(&self, p: PointId) -> Vec3 {
        let place = self.place(p);
        match &self.moved {
            Some((Site::Point(q), step)) if *q == p => add(&place, 1.0, step),
            _ => place,
        }
    }

    /// A frame's axes as an expression mentions them.
    pub fn mentioned_axes(&self, f: FrameId) -> Axes {
        let axes = self.axes(f);
        match &self.moved {
            Some((Site::Frame(g), turn)) if *g == f => {
                Axes(axes.0.map(|e| add(&e, 1.0, &cross(turn, &e))))
            }
            _ => axes,
        }
    }

    fn mentioned_change(&self, v: &Vec3, frame: FrameId) -> Vec3 {
        let axes = self.mentioned_axes(frame);
        axes.0
            .iter()
            .fold(NOWHERE, |sum, e| add(&sum, dot(v, e).derivative(), e))
    }
}

/// Product of two quaternions: ij = k, jk = i, ki = j.
fn hamilton(p: &[Jet; 4], q: &[Jet; 4]) -> [Jet; 4] {
    [
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    ]
}

fn index(axis: Axis) -> usize {
    match axis {
        Axis::X => 0,
        Axis::Y => 1,
        Axis::Z => 2,
    }
}

/// x to the y; whole powers of negative numbers too.
fn power(x: Jet, y: Jet) -> Jet {
    if y.rate == 0.0 && y.second == 0.0 {
        let n = y.value;
        let f = x.value.powf(n);
        let low = |k: f64, c: f64| {
            if c == 0.0 {
                0.0
            } else {
                c * x.value.powf(n - k)
            }
        };
        return x.chain(f, low(1.0, n), low(2.0, n * (n - 1.0)));
    }
    let e = y * ln(x);
    let f = e.value.exp();
    e.chain(f, f, f)
}

fn ln(x: Jet) -> Jet {
    x.chain(x.value.ln(), 1.0 / x.value, -1.0 / (x.value * x.value))
}

fn elementary(f: Elementary, a: &[Jet]) -> Jet {
    let x = a[0];
    let v = x.value;
    match f {
        Elementary::Sin => x.sin(),
        Elementary::Cos => x.cos(),
        Elementary::Tan => x.sin() / x.cos(),
        Elementary::Asin | Elementary::Acos => {
            let root = (1.0 - v * v).sqrt();
            let (d, dd) = (1.0 / root, v / (root * root * root));
            if f == Elementary::Asin {
                x.chain(v.asin(), d, dd)
            } else {
                x.chain(v.acos(), -d, -dd)
            }
        }
        Elementary::Atan => {
            let d = 1.0 / (1.0 + v * v);
            x.chain(v.atan(), d, -2.0 * v * d * d)
        }
        Elementary::Atan2 => {
            // The angle's rate is (y' x - y x')/(x^2 + y^2).
            let (y, x) = (a[0], a[1]);
            let rate = (y.derivative() * x - y * x.derivative()) / (x * x + y * y);
            Jet::new(y.value.atan2(x.value), rate.value, rate.rate)
        }
        Elementary::Sinh => x.chain(v.sinh(), v.cosh(), v.sinh()),
        Elementary::Cosh => x.chain(v.cosh(), v.sinh(), v.cosh()),
        Elementary::Tanh => {
            let t = v.tanh();
            x.chain(t, 1.0 - t * t, -2.0 * t * (1.0 - t * t))
        }
        Elementary::Asinh => {
            let d = 1.0 / (v * v + 1.0).sqrt();
            x.chain((v + (v * v + 1.0).sqrt()).ln(), d, -v * d * d * d)
        }
        Elementary::Acosh => {
            let d = 1.0 / (v * v - 1.0).sqrt();
            x.chain((v + (v * v - 1.0).sqrt()).ln(), d, -v * d * d * d)
        }
        Elementary::Atanh => {
            let d = 1.0 / (1.0 - v * v);
            x.chain(0.5 * ((1.0 + v) / (1.0 - v)).ln(), d, 2.0 * v * d * d)
        }
        Elementary::Sqrt => x.sqrt(),
        Elementary::Exp => x.chain(v.exp(), v.exp(), v.exp()),
        Elementary::Ln => ln(x),
        Elementary::Abs => {
            if v < 0.0 {
                -x
            } else {
                x
            }
        }
        Elementary::Sign => Jet::constant(if v > 0.0 {
            1.0
        } else if v < 0.0 {
            -1.0
        } else {
            0.0
        }),
        Elementary::Min => a
            .iter()
            .copied()
            .fold(x, |m, y| if y.value < m.value { y } else { m }),
        Elementary::Max => a
            .iter()
            .copied()
            .fold(x, |m, y| if y.value > m.value { y } else { m }),
        // Powers and conditionals are kinds of expression, not functions.
        other => panic!("{other:?} is not a function of the language"),
    }
}
