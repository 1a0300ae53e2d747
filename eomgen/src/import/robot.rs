//! A machine as a tree of links, whichever format it comes from. Knows nothing of files and of the language.

use super::decimal::Decimal;
use super::turn::{Angle, Turn};
use crate::span::Span;

/// Three components in some frame.
pub type Triple = [Decimal; 3];

/// No displacement.
pub fn origin() -> Triple {
    std::array::from_fn(|_| Decimal::zero())
}

/// Whether a triple is zero.
pub fn is_zero(triple: &Triple) -> bool {
    triple.iter().all(Decimal::is_zero)
}

/// The whole machine.
#[derive(Clone, Debug, Default)]
pub struct Robot {
    /// Its name.
    pub name: String,
    /// What the file says about itself.
    pub comments: Vec<String>,
    /// Parents before children; the first is the root.
    pub links: Vec<Link>,
    /// The acceleration of free fall in the axes of the world; `None` where the file says nothing.
    pub gravity: Option<Triple>,
    /// Equations between coordinates and points.
    pub equalities: Vec<Equality>,
    /// Forces that act by an input.
    pub motors: Vec<Motor>,
    /// Whether angles stay the decimals that they are.
    pub exact: bool,
    /// Whether the first link is the ground itself, whatever is asked for.
    pub grounded: bool,
}

/// A link with the joints by which it moves against its parent.
#[derive(Clone, Debug)]
pub struct Link {
    /// Its name.
    pub name: String,
    /// Where the file speaks of it.
    pub span: Span,
    /// Its parent; none for the root.
    pub parent: Option<usize>,
    /// Origin of its frame in the parent's frame, all joints at 0.
    pub at: Triple,
    /// Its orientation there.
    pub turn: Turn,
    /// Its joints, the one nearest to the parent first; none if it is fixed.
    pub joints: Vec<Joint>,
    /// Name of what fixes it, where it has no joints.
    pub fixed_by: Option<String>,
    /// What it weighs.
    pub masses: Vec<Mass>,
    /// What it looks like.
    pub shapes: Vec<Shape>,
    /// Points on it that have a name in the file.
    pub marks: Vec<Mark>,
}

/// A mass with its inertia about its own centre.
#[derive(Clone, Debug, PartialEq)]
pub struct Mass {
    /// The mass.
    pub mass: Decimal,
    /// Its centre in the link's frame.
    pub centre: Triple,
    /// Axes of the inertia in the link's frame.
    pub turn: Turn,
    /// Ixx, Iyy, Izz, Ixy, Iyz, Izx.
    pub inertia: [Decimal; 6],
}

impl Mass {
    /// Whether it moves without effort.
    pub fn is_nothing(&self) -> bool {
        self.mass.is_zero() && self.inertia.iter().all(Decimal::is_zero)
    }
}

/// How a link moves.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// About an axis.
    Hinge(Triple),
    /// Along an axis.
    Slide(Triple),
    /// In two directions, and about the third: the axis.
    Planar(super::turn::Axis),
    /// About a point.
    Ball,
    /// In any way, its attitude a quaternion.
    Free,
    /// In any way, its attitude three angles.
    FreeEuler,
    /// Held at a value.
    Locked(Box<Motion>, Held),
}

/// The value at which a joint is held.
#[derive(Clone, Debug, PartialEq)]
pub enum Held {
    /// An angle.
    Angle(Angle),
    /// A distance.
    Distance(Decimal),
}

/// A joint.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// Where the file speaks of it.
    pub span: Span,
    /// How it moves, in the axes of the link.
    pub motion: Motion,
    /// The point that it leaves in place, in the link's frame.
    pub anchor: Triple,
    /// Value of the coordinate at which the link is where `at` and `turn` say.
    pub reference: Decimal,
    /// Least and largest value.
    pub range: (Option<Decimal>, Option<Decimal>),
    /// Largest effort and rate, as the file says.
    pub effort: Option<Decimal>,
    /// Largest rate.
    pub velocity: Option<Decimal>,
    /// Viscous friction.
    pub damping: Decimal,
    /// Coulomb friction.
    pub friction: Decimal,
    /// Stiffness of a spring, and where it is at rest.
    pub stiffness: Decimal,
    /// Where the spring is at rest.
    pub rest: Decimal,
    /// Inertia of its rotor, as felt at the joint.
    pub rotor: Decimal,
    /// Whether an input of its own drives it.
    pub driven: bool,
    /// Initial value of its one coordinate.
    pub initial: Option<Decimal>,
    /// Initial place of a free joint.
    pub start: Triple,
    /// Initial orientation of a free joint.
    pub start_turn: Turn,
    /// Whether its values are in degrees.
    pub degrees: bool,
}

impl Joint {
    /// A joint without anything beside its motion.
    pub fn new(name: impl Into<String>, span: Span, motion: Motion) -> Self {
        Self {
            name: name.into(),
            span,
            motion,
            anchor: origin(),
            reference: Decimal::zero(),
            range: (None, None),
            effort: None,
            velocity: None,
            damping: Decimal::zero(),
            friction: Decimal::zero(),
            stiffness: Decimal::zero(),
            rest: Decimal::zero(),
            rotor: Decimal::zero(),
            driven: false,
            initial: None,
            start: origin(),
            start_turn: Turn::None,
            degrees: false,
        }
    }

    /// A value of its coordinate in the language.
    pub fn said(&self, value: &Decimal) -> String {
        if self.degrees && self.turns() == Some(true) && !value.is_zero() {
            value.with_unit("deg")
        } else {
            value.text()
        }
    }

    /// A bound of its coordinate in the language: the angle that a rounded decimal means, unless those are to be kept.
    pub fn bound(&self, value: &Decimal, exact: bool) -> String {
        if exact || self.degrees || self.turns() != Some(true) {
            return self.said(value);
        }
        super::turn::readable(value)
    }

    /// A value of its coordinate in radians or metres.
    pub fn plain(&self, value: &Decimal) -> Decimal {
        if self.degrees && self.turns() == Some(true) && !value.is_zero() {
            Decimal::of_double(value.to_double().to_radians())
        } else {
            value.clone()
        }
    }

    /// Whether its one coordinate is an angle, or none where it has several or none.
    pub fn turns(&self) -> Option<bool> {
        match self.motion {
            Motion::Hinge(_) => Some(true),
            Motion::Slide(_) => Some(false),
            _ => None,
        }
    }

    /// Whether it moves at all.
    pub fn moves(&self) -> bool {
        !matches!(self.motion, Motion::Locked(..))
    }
}

/// A shape to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Its place in the link's frame.
    pub at: Triple,
    /// Its axes in the link's frame.
    pub turn: Turn,
    /// Its form.
    pub form: Form,
    /// One of the language's colours.
    pub colour: Option<&'static str>,
}

/// What a shape is.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Lengths along the axes.
    Box(Triple),
    /// Radius and height, along its z-axis.
    Cylinder(Decimal, Decimal),
    /// Its radius.
    Sphere(Decimal),
}

/// A point with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The name.
    pub name: String,
    /// Its place in the link's frame.
    pub at: Triple,
    /// Its axes in the link's frame.
    pub turn: Turn,
}

/// Something that holds beside the joints.
#[derive(Clone, Debug)]
pub struct Equality {
    /// Its name, if it has one.
    pub name: String,
    /// Where the file speaks of it.
    pub span: Span,
    /// What it says.
    pub law: Law,
}

/// The law of an equality.
#[derive(Clone, Debug)]
pub enum Law {
    /// A coordinate by a polynomial in another one, or a number: the joints are named by link and position.
    Joint {
        /// What follows.
        follower: (usize, usize),
        /// From what.
        leader: Option<(usize, usize)>,
        /// Coefficients, the constant first.
        coefficients: Vec<Decimal>,
    },
    /// Points of two links coincide.
    Connect(Box<[(usize, Triple); 2]>),
    /// Two frames coincide.
    Weld(Box<[(usize, Triple, Turn); 2]>),
}

/// A force on a joint by an input `u`: `gear * (gain * u + bias[0] + bias[1] * length + bias[2] * rate)`, with the length and
/// the rate of the joint multiplied by the gear.
#[derive(Clone, Debug)]
pub struct Motor {
    /// Its name, which the input has.
    pub name: String,
    /// The joint, by link and position.
    pub joint: (usize, usize),
    /// The gear.
    pub gear: Decimal,
    /// Factor of the input.
    pub gain: Decimal,
    /// The rest.
    pub bias: [Decimal; 3],
    /// Bounds of the input.
    pub range: Option<(Decimal, Decimal)>,
}

impl Robot {
    /// With the places of links and joints as places elsewhere.
    pub fn placed(&mut self, place: &dyn Fn(Span) -> Span) {
        for link in &mut self.links {
            link.span = place(link.span);
            for joint in &mut link.joints {
                joint.span = place(joint.span);
            }
        }
    }

    /// Every joint with its place.
    pub fn joints(&self) -> impl Iterator<Item = ((usize, usize), &Joint)> {
        self.links.iter().enumerate().flat_map(|(link, it)| {
            it.joints
                .iter()
                .enumerate()
                .map(move |(joint, it)| ((link, joint), it))
        })
    }

    /// A joint by its place.
    pub fn joint(&self, (link, joint): (usize, usize)) -> Option<&Joint> {
        self.links.get(link)?.joints.get(joint)
    }

    /// Whether a link, or any that is fastened to it, weighs something or has a rotor of its own.
    pub fn weighs(&self) -> Vec<bool> {
        let mut found: Vec<bool> = self
            .links
            .iter()
            .map(|link| link.masses.iter().any(|mass| !mass.is_nothing()))
            .collect();
        for at in (1..self.links.len()).rev() {
            if found[at]
                && let Some(parent) = self.links[at].parent
            {
                found[parent] = true;
            }
        }
        found
    }
}
