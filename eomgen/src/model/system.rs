//! The model as plain data: names resolved, units and vector types checked. Knows nothing of the
//! algebra engine or of formulations; the order of every list is the order of declaration.

pub use super::number::Rational;
use super::number::number_text;
use crate::diag::Copies;
pub use crate::function::Comparison;
use crate::function::Elementary;
use crate::span::Span;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
        impl $name {
            /// Position in its list of the [`System`].
            pub fn index(self) -> usize { self.0 as usize }
        }
    )*};
}
ids! {
    /// Index into [`System::params`].
    ParamId,
    /// Index into [`System::coords`].
    CoordId,
    /// Index into [`System::inputs`].
    InputId,
    /// Index into [`System::states`].
    StateId,
    /// Index into [`System::functions`].
    FunctionId,
    /// Index into [`System::lets`].
    LetId,
    /// Index into [`System::frames`]; 0 is the inertial frame `N`.
    FrameId,
    /// Index into [`System::points`]; 0 is the origin `O`.
    PointId,
    /// Index into [`System::speeds`].
    SpeedId,
    /// Index into [`System::constraints`].
    ConstraintId,
    /// Index into [`System::joints`].
    JointId,
}

/// What every declaration has.
#[derive(Clone, Debug, PartialEq)]
pub struct Meta {
    /// The model's name for it.
    pub name: String,
    /// How the model says that it is written in mathematics: `φ_f`; `None` leaves that to the rules for names.
    pub shown: Option<String>,
    /// The unit, as written or (where inferred) in SI base units; `None` if unknown. Dimensionless is `"1"` (angles: `"rad"`).
    pub unit: Option<String>,
    /// The doc comment.
    pub docs: String,
    /// The declaration.
    pub span: Span,
}

/// What may be assumed of a quantity's sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `> 0`
    Positive,
    /// `>= 0`
    NonNegative,
    /// `< 0`
    Negative,
    /// `<= 0`
    NonPositive,
    /// `!= 0`
    NonZero,
}

/// A constant of the machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Name, unit, docs.
    pub meta: Meta,
    /// From `> 0` and the like.
    pub sign: Option<Sign>,
    /// Default value in SI units.
    pub default: Option<Rational>,
}

/// A generalized coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct Coord {
    /// Name, unit, docs.
    pub meta: Meta,
    /// From `> 0` and the like.
    pub sign: Option<Sign>,
    /// Initial value in SI units (examples and simulation only).
    pub initial: Option<Rational>,
    /// Initial value of its rate, likewise.
    pub initial_rate: Option<Rational>,
    /// The angle of the mount, if it is the angle of a joint that is mounted at one and nothing takes a sine of it in any other way.
    pub mount: Option<Scalar>,
}

/// A quantity that the caller supplies at every evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Name, unit, docs.
    pub meta: Meta,
}

/// A state of first order beside the mechanics, such as the current of a coil. Mechanics sees its value alone, as that of an input.
#[derive(Clone, Debug, PartialEq)]
pub struct StateVariable {
    /// Name, unit, docs.
    pub meta: Meta,
    /// Initial value in SI units (examples and simulation only).
    pub initial: Option<Rational>,
    /// Its rate: in positions, velocities, time, inputs and states.
    pub rate: Scalar,
}

/// A function supplied by the caller of the generated code.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Name, unit, docs.
    pub meta: Meta,
    /// Declared arguments (each a plain `Coord`, `Speed`, `Param`, `Input` or `Time` scalar); a bare mention means these.
    pub args: Vec<Scalar>,
    /// Their names as written.
    pub arg_names: Vec<String>,
}

/// A named scalar or vector.
#[derive(Clone, Debug, PartialEq)]
pub struct Let {
    /// Name, unit, docs.
    pub meta: Meta,
    /// What it stands for.
    pub value: Quantity,
}

/// A scalar or a vector.
#[derive(Clone, Debug, PartialEq)]
pub enum Quantity {
    /// A scalar.
    Scalar(Scalar),
    /// A vector.
    Vector(Vector),
}

/// A coordinate direction of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Axis {
    /// First.
    X,
    /// Second.
    Y,
    /// Third.
    Z,
}

impl Axis {
    /// All, in order.
    pub const ALL: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

    /// As models write it.
    pub fn text(self) -> &'static str {
        match self {
            Axis::X => "x",
            Axis::Y => "y",
            Axis::Z => "z",
        }
    }

    /// The one that models write so.
    pub fn named(text: &str) -> Option<Axis> {
        Axis::ALL.into_iter().find(|axis| axis.text() == text)
    }
}

/// A right-handed orthonormal frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Name and docs. Intermediate frames of a sequence have names no user can write (`B#1`).
    pub meta: Meta,
    /// How it stands in its parent; `None` for `N` only.
    pub orientation: Option<(FrameId, Orientation)>,
}

/// Orientation of a frame in its parent.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
#[allow(clippy::large_enum_variant)] // a model has a few frames, each once
pub enum Orientation {
    /// Right-handed rotation by `angle` about an axis that both frames share (a rotation about `-axis` has become one by `-angle`).
    Simple { axis: Axis, angle: Scalar },
    /// Right-handed rotation by `angle` about a unit vector with these constant components in the parent.
    AxisAngle { axis: [Scalar; 3], angle: Scalar },
    /// Direction cosines: `rows[i][j] = parent_i . child_j`, so that components go child to parent.
    Matrix { rows: [[Scalar; 3]; 3] },
    /// Rotation by a quaternion, scalar part first, which is divided by its length. `unit`: its parts are coordinates, and a
    /// constraint keeps the length at 1.
    Quaternion { parts: [Scalar; 4], unit: bool },
}

/// A point.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Name and docs.
    pub meta: Meta,
    /// Base point and vector from it; `None` for `O` only.
    pub offset: Option<(PointId, Vector)>,
}

/// Something with mass.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Name and docs.
    pub meta: Meta,
    /// Mass in kg.
    pub mass: Scalar,
    /// The particle's position, or the mass centre.
    pub center: PointId,
    /// `None` for a particle.
    pub rigid: Option<Rigid>,
}

/// The rotational part of a rigid body.
#[derive(Clone, Debug, PartialEq)]
pub struct Rigid {
    /// The frame that rotates with the body.
    pub frame: FrameId,
    /// Ixx, Iyy, Izz, Ixy, Iyz, Izx: entries of the tensor (Ixy = -integral xy dm), in `axes`, about `about`.
    pub inertia: [Scalar; 6],
    /// The frame whose axes the entries refer to (fixed in the body).
    pub axes: FrameId,
    /// The point that the entries refer to (the mass centre unless said).
    pub about: PointId,
}

/// An applied load.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// What acts where.
    pub kind: LoadKind,
    /// The declaration.
    pub span: Span,
    /// The doc comment.
    pub docs: String,
}

/// What acts where; an equal-and-opposite pair has become two loads.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum LoadKind {
    /// Force at a point.
    Force { point: PointId, vector: Vector },
    /// Torque on (the body of) a frame.
    Torque { frame: FrameId, vector: Vector },
    /// Generalized force conjugate to a coordinate.
    Generalized { coord: CoordId, value: Scalar },
}

/// Which energy an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnergyKind {
    /// T, to which Lagrange's operator `d/dt d/dq' - d/dq` is applied.
    Kinetic,
    /// V, which gives the generalized forces `-dV/dq`.
    Potential,
    /// D, which gives the generalized forces `-dD/dq'`.
    Dissipation,
}

/// An energy (or dissipated power) given as such.
#[derive(Clone, Debug, PartialEq)]
pub struct Energy {
    /// What it is.
    pub kind: EnergyKind,
    /// Its name, or that of the spring that it belongs to.
    pub name: String,
    /// The doc comment.
    pub docs: String,
    /// Its value: in q, q', t for T and D, in q and t for V; V and D may contain inputs.
    pub value: Scalar,
    /// The declaration.
    pub span: Span,
}

/// A declared (generalized) speed, linear in the rates.
#[derive(Clone, Debug, PartialEq)]
pub struct Speed {
    /// Name, unit, docs.
    pub meta: Meta,
    /// Its definition.
    pub value: Scalar,
    /// Initial value in SI units (examples and simulation only).
    pub initial: Option<Rational>,
}

/// A constraint as written, `lhs = rhs`.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// Name and docs.
    pub meta: Meta,
    /// The two sides.
    pub relation: ConstraintRelation,
    /// Whether its reaction is mentioned.
    pub reaction: bool,
    /// Whether it may follow from the places of things, and has no rows then.
    pub implied: bool,
}

/// The two sides of a constraint.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum ConstraintRelation {
    /// One row, named like the constraint.
    Scalar { lhs: Scalar, rhs: Scalar },
    /// Components of a vector equation in `frame`, named `NAME.x`, `.y`, `.z`.
    Vector {
        lhs: Vector,
        rhs: Vector,
        frame: FrameId,
    },
}

/// A declared reaction: a force or torque of constraint that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Name, unit, docs.
    pub meta: Meta,
    /// On what it acts.
    pub site: Site,
    /// Along which vector, of any length: the value is the component along it.
    pub direction: Vector,
    /// From where it acts.
    pub action: Action,
}

impl Joint {
    /// Whether it acts between two sides, and not in a definition.
    pub fn is_pair(&self) -> bool {
        matches!(self.action, Action::Pair { .. })
    }
}

/// From where a declared reaction acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// `reaction T at P: v`: what holds the definition of the site. In the virtual displacement, all that is defined from the site moves with it.
    Definition,
    /// `reaction p: force on P along v, opposite on Q`: a force (at points) or torque (on frames) between the site and another one, on
    /// which the opposite acts; `None` is the inertial frame. It does no virtual work.
    Pair {
        /// The body on which it acts at the site, if that is said.
        on: Option<Carrier>,
        /// On what the opposite acts: of the same kind as the site.
        opposite: Option<(Site, Option<Carrier>)>,
    },
}

/// A body, or a frame with a point that is taken as fixed in it: what a force acts on where the point at which it acts is fixed in nothing,
/// as a point of contact is. Its power is that of the material point that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carrier {
    /// The frame that rotates with it.
    pub frame: FrameId,
    /// Its mass centre, or the point that is fixed in it.
    pub center: PointId,
}

/// What a declared reaction holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Site {
    /// A point: the reaction is a force.
    Point(PointId),
    /// A frame: the reaction is a torque.
    Frame(FrameId),
}

/// `assume value SIGN 0`
#[derive(Clone, Debug, PartialEq)]
pub struct Assumption {
    /// lhs - rhs of the statement.
    pub value: Scalar,
    /// Its sign.
    pub sign: Sign,
    /// The statement.
    pub span: Span,
    /// The statement as written, for listings.
    pub text: String,
}

/// `output NAME = ...`
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Name, unit, docs.
    pub meta: Meta,
    /// Its value (vectors: three components in `N`).
    pub value: Quantity,
}

/// `event NAME: ...`
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Name and docs.
    pub meta: Meta,
    /// What passes through 0.
    pub value: Scalar,
    /// Whether it counts from below.
    pub rising: bool,
    /// Whether it counts from above.
    pub falling: bool,
}

/// `drawing NAME: ...`
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Name and docs.
    pub meta: Meta,
    /// What is drawn.
    pub shape: DrawnShape,
    /// Its colour as a screen takes it.
    pub color: Option<String>,
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum DrawnShape {
    /// A box.
    Box {
        /// Its three lengths along the axes of the frame.
        sizes: Vec<Scalar>,
        /// Its centre.
        at: PointId,
        /// Its frame.
        frame: FrameId,
    },
    /// A cylinder.
    Cylinder {
        /// Radius and height.
        sizes: Vec<Scalar>,
        /// Its centre.
        at: PointId,
        /// Its axis.
        along: Vector,
    },
    /// A sphere.
    Sphere {
        /// Its radius.
        sizes: Vec<Scalar>,
        /// Its centre.
        at: PointId,
    },
    /// A line through points.
    Line(Vec<PointId>),
}

/// A scalar expression in SI units.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Scalar {
    Number(Rational),
    Pi,
    Time,
    Param(ParamId),
    Coord(CoordId),
    Speed(SpeedId),
    State(StateId),
    Input(InputId),
    /// A user function; `args` are the declared ones for a bare mention.
    Function {
        function: FunctionId,
        args: Vec<Scalar>,
    },
    /// A scalar `let`.
    Let(LetId),
    /// Total time derivative of a coordinate, speed, state, scalar `let`, or of another rate.
    Rate(Box<Scalar>),
    Neg(Box<Scalar>),
    Add(Box<Scalar>, Box<Scalar>),
    Sub(Box<Scalar>, Box<Scalar>),
    Mul(Box<Scalar>, Box<Scalar>),
    Div(Box<Scalar>, Box<Scalar>),
    Pow(Box<Scalar>, Box<Scalar>),
    Call(Elementary, Vec<Scalar>),
    Dot(Box<Vector>, Box<Vector>),
    Norm(Box<Vector>),
    /// Multiplier of a scalar constraint, or of a row of a vector constraint.
    Reaction {
        constraint: ConstraintId,
        axis: Option<Axis>,
    },
    /// A declared reaction.
    Joint(JointId),
    /// `if a < b then c else d`
    If {
        condition: Box<Condition>,
        then: Box<Scalar>,
        other: Box<Scalar>,
    },
    /// Kinetic energy of a body (its index).
    Kinetic(usize),
}

/// What an `if` asks.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// `a < b`
    Compare(Comparison, Scalar, Scalar),
    /// Both hold.
    And(Box<Condition>, Box<Condition>),
    /// One holds, or both.
    Or(Box<Condition>, Box<Condition>),
    /// It does not hold.
    Not(Box<Condition>),
}

/// A vector expression.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Vector {
    Zero,
    Basis(FrameId, Axis),
    /// A vector `let`.
    Let(LetId),
    /// The multipliers of a vector constraint, in its frame.
    Reaction(ConstraintId),
    /// The force that a constraint (or, with `axis`, one row of a vector constraint) applies at a point, or the torque that it applies on
    /// a frame: with the power of the multipliers, `lambda . (rate of lhs - rhs)`, written as a sum of `force . vel(P)` and
    /// `torque . angvel(B)`, the factor of `vel(P)` or `angvel(B)`. Stands in outputs only.
    ReactionOn {
        constraint: ConstraintId,
        axis: Option<Axis>,
        site: Site,
    },
    Neg(Box<Vector>),
    Add(Box<Vector>, Box<Vector>),
    Sub(Box<Vector>, Box<Vector>),
    Scale(Box<Scalar>, Box<Vector>),
    Cross(Box<Vector>, Box<Vector>),
    /// Position of `to` relative to `from`: `to - from`.
    Between {
        from: PointId,
        to: PointId,
    },
    /// Velocity of a point in a frame.
    Velocity {
        point: PointId,
        frame: FrameId,
    },
    /// Acceleration of a point in a frame.
    Acceleration {
        point: PointId,
        frame: FrameId,
    },
    /// Angular velocity of `frame` in `within`.
    AngularVelocity {
        frame: FrameId,
        within: FrameId,
    },
    /// Angular acceleration of `frame` in `within`.
    AngularAcceleration {
        frame: FrameId,
        within: FrameId,
    },
    /// Linear momentum of a body (its index).
    Momentum(usize),
    /// Angular momentum of a body (its index) about a point.
    AngularMomentum {
        body: usize,
        about: PointId,
    },
    /// Time derivative as seen from a frame.
    Derivative {
        vector: Box<Vector>,
        frame: FrameId,
    },
}

macro_rules! operators {
    ($($sort:ident: $($trait:ident $operation:ident $variant:ident),*;)*) => {$($(
        impl std::ops::$trait for $sort {
            type Output = $sort;

            fn $operation(self, other: $sort) -> $sort {
                $sort::$variant(Box::new(self), Box::new(other))
            }
        }
    )*)*};
}

// As written: nothing is simplified.
operators! {
    Scalar: Add add Add, Sub sub Sub, Mul mul Mul, Div div Div;
    Vector: Add add Add, Sub sub Sub;
}

impl std::ops::Neg for Scalar {
    type Output = Scalar;

    fn neg(self) -> Scalar {
        Scalar::Neg(Box::new(self))
    }
}

impl std::ops::Neg for Vector {
    type Output = Vector;

    fn neg(self) -> Vector {
        Vector::Neg(Box::new(self))
    }
}

impl std::ops::Mul<Vector> for Scalar {
    type Output = Vector;

    fn mul(self, vector: Vector) -> Vector {
        Vector::Scale(Box::new(self), Box::new(vector))
    }
}

impl Scalar {
    /// A whole number.
    pub fn whole(n: i64) -> Scalar {
        Scalar::Number(Rational::from_integer(n.into()))
    }

    /// Its square.
    pub fn squared(self) -> Scalar {
        Scalar::Pow(Box::new(self), Box::new(Scalar::whole(2)))
    }
}

impl Vector {
    /// `cross(a, b)`
    pub fn cross(self, other: Vector) -> Vector {
        Vector::Cross(Box::new(self), Box::new(other))
    }

    /// `dot(a, b)`
    pub fn dot(self, other: Vector) -> Scalar {
        Scalar::Dot(Box::new(self), Box::new(other))
    }

    /// `norm(v)`
    pub fn norm(self) -> Scalar {
        Scalar::Norm(Box::new(self))
    }
}

/// A parameter that has become a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixed {
    /// As the model declares it.
    pub param: Param,
    /// Its value in SI units.
    pub value: Rational,
}

impl Fixed {
    /// Its name and value, for listings.
    pub fn text(&self) -> String {
        format!("`{} = {}`", self.param.meta.name, number_text(&self.value))
    }
}

/// A checked model.
#[derive(Clone, Debug, PartialEq)]
pub struct System {
    /// The model's name (an identifier).
    pub name: String,
    /// The `//!` text.
    pub docs: String,
    /// Parameters.
    pub params: Vec<Param>,
    /// Generalized coordinates.
    pub coords: Vec<Coord>,
    /// States of first order.
    pub states: Vec<StateVariable>,
    /// Inputs.
    pub inputs: Vec<Input>,
    /// User functions.
    pub functions: Vec<Function>,
    /// Named expressions.
    pub lets: Vec<Let>,
    /// Frames; `N` first; a parent always comes before its children.
    pub frames: Vec<Frame>,
    /// Points; `O` first; a base always comes before the points that use it.
    pub points: Vec<Point>,
    /// Particles and rigid bodies.
    pub bodies: Vec<Body>,
    /// Uniform gravity, the acceleration of free fall.
    pub gravity: Option<Vector>,
    /// Applied loads (without gravity).
    pub loads: Vec<Load>,
    /// Loads whose virtual power is that of the constraint force (the vector C).
    pub nonideal: Vec<Load>,
    /// Energies given as such, and those of springs and dampers.
    pub energies: Vec<Energy>,
    /// Declared speeds.
    pub speeds: Vec<Speed>,
    /// Constraints.
    pub constraints: Vec<Constraint>,
    /// Declared reactions.
    pub joints: Vec<Joint>,
    /// Privileged velocities: each a `Speed` or the `Rate` of a `Coord`, with its span.
    pub privileged: Vec<(Scalar, Span)>,
    /// `assume` statements (those on parameters are in `params[..].sign`).
    pub assumptions: Vec<Assumption>,
    /// User-defined outputs.
    pub outputs: Vec<Output>,
    /// What a motion notes.
    pub events: Vec<Event>,
    /// What a picture shows.
    pub drawings: Vec<Drawing>,
    /// Parameters that have become numbers; the expressions have the numbers instead.
    pub fixed: Vec<Fixed>,
    /// The copies of the text that spans tell apart.
    pub copies: Copies,
}

impl System {
    /// The names of the coordinates, with `dots` behind each: `'` for the rates, `''` for the accelerations.
    pub fn coord_names(&self, dots: &str) -> Vec<String> {
        let names = self.coords.iter().map(|c| &c.meta.name);
        names.map(|name| format!("{name}{dots}")).collect()
    }

    /// The coordinates of quaternions that constraints keep at length 1, each quaternion once.
    pub fn unit_quaternions(&self) -> Vec<[usize; 4]> {
        let mut list: Vec<[usize; 4]> = Vec::new();
        for frame in &self.frames {
            let Some((_, Orientation::Quaternion { parts, unit: true })) = &frame.orientation
            else {
                continue;
            };
            let coords = parts.each_ref().map(|part| match part {
                Scalar::Coord(c) => Some(c.index()),
                _ => None,
            });
            if let [Some(a), Some(b), Some(c), Some(d)] = coords
                && !list
                    .iter()
                    .flatten()
                    .any(|known| [a, b, c, d].contains(known))
            {
                list.push([a, b, c, d]);
            }
        }
        list
    }

    /// Where to report what is wrong with the model as a whole.
    pub fn whole(&self) -> Span {
        let first = self.coords.first();
        first.map_or_else(Span::default, |c| c.meta.span)
    }
}
