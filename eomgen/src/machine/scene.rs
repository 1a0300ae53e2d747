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
    /// Positions of all points but the first, then the axes x, y, z of all frames but the first: components in N.
    pub places: Tape,
    /// Lines between points.
    pub lines: Vec<Line>,
    /// Bodies.
    pub bodies: Vec<Body>,
    /// Mass and inertia of all bodies: seven numbers each.
    pub inertias: Tape,
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
