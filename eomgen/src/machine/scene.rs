//! What is drawn of a machine: its frames, points and bodies, and the lines between them, read off the model.

use serde::{Deserialize, Serialize};

use crate::ir::tape::Tape;

/// Points and frames along a motion, and what is drawn at them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// Names of the points; the origin is the first.
    pub points: Vec<String>,
    /// Names of the frames; the inertial one is the first.
    pub frames: Vec<String>,
    /// Positions of all points but the first, the axes x, y, z of all frames but the first, then the axes of cylinders that are drawn: components in N.
    pub places: Tape,
    /// Lines between points.
    pub lines: Vec<Line>,
    /// Bodies.
    pub bodies: Vec<Body>,
    /// Mass, inertia and place of all bodies: ten numbers each; then the direction of up, if there is gravity.
    pub inertias: Tape,
    /// What the model asks for.
    pub drawings: Vec<Drawn>,
    /// The sizes of these, in their order.
    pub sizes: Tape,
}

/// A line between two points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// From which point.
    pub from: usize,
    /// To which.
    pub to: usize,
    /// In which frame it does not change; `None` for one whose length or direction changes by itself.
    pub frame: Option<usize>,
}

/// What a model asks to be drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drawn {
    /// Its name.
    pub name: String,
    /// Its colour, if it has one.
    pub color: Option<String>,
    /// What it is.
    pub shape: DrawnShape,
}

/// Shapes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "shape", rename_all = "lowercase")]
pub enum DrawnShape {
    /// Three lengths along the axes of a frame.
    Box {
        /// Its centre.
        center: usize,
        /// Its frame.
        frame: usize,
    },
    /// Radius and height.
    Cylinder {
        /// Its centre.
        center: usize,
        /// Which of the axes of cylinders is its own.
        axis: usize,
    },
    /// Its radius.
    Sphere {
        /// Its centre.
        center: usize,
    },
    /// A line.
    Line {
        /// Its points.
        through: Vec<usize>,
    },
}

impl DrawnShape {
    /// How many sizes it has.
    pub fn sizes(&self) -> usize {
        match self {
            Self::Box { .. } => 3,
            Self::Cylinder { .. } => 2,
            Self::Sphere { .. } => 1,
            Self::Line { .. } => 0,
        }
    }
}

/// A body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// Its mass centre.
    pub center: usize,
    /// The frame in which its inertia is given; `None` for a particle.
    pub frame: Option<usize>,
}
