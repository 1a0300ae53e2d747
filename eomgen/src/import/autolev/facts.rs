//! What an Autolev file says of a machine: things, orientations, places, values, loads, constraints. Knows
//! nothing of what a variable turns out to be, nor of the model's text.

use std::collections::BTreeMap;

use super::super::findings::Findings;
use super::tree::{Expr, Given, Kind};
use crate::diag::codes::import::{E0603, E0607};
use crate::span::Span;

/// What a scalar is declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Constant,
    Specified,
    Variable,
    Motion,
}

/// A declared scalar.
#[derive(Clone, Debug)]
pub struct Scalar {
    /// In lower case.
    pub name: String,
    pub spelled: String,
    pub word: Word,
    pub primes: usize,
    pub sign: Option<char>,
    pub span: Span,
    /// The statement that declares it.
    pub line: usize,
}

/// A frame or point, as it is spelled.
#[derive(Clone, Debug)]
pub struct Thing {
    pub spelled: String,
    pub span: Span,
    pub comment: Option<String>,
    /// Whether it is a body, or a particle.
    pub heavy: bool,
}

/// How a frame is turned.
#[derive(Clone, Debug)]
pub enum Turn {
    /// About axis 1, 2 or 3 of the parent, negative for the opposite direction.
    Axis(i32, Expr),
    /// About a vector.
    About(Expr, Expr),
    /// By three angles: whether about axes of the parent, and which.
    Angles(bool, [u8; 3], Vec<Expr>),
    Euler(Vec<Expr>),
    Rodrigues(Vec<Expr>),
    Cosines(Vec<Expr>),
}

/// One of two frames relative to the other.
#[derive(Clone, Debug)]
pub struct Turned {
    pub parent: String,
    pub child: String,
    pub turn: Turn,
    pub span: Span,
}

/// `P_A_B>`
#[derive(Clone, Debug)]
pub struct Place {
    pub from: String,
    pub to: String,
    pub vector: Expr,
    pub span: Span,
}

/// A force or torque; on points or on frames.
#[derive(Clone, Debug)]
pub struct Load {
    pub torque: bool,
    pub on: String,
    pub opposite: Option<String>,
    pub vector: Expr,
    pub span: Span,
}

/// `V2PTS(A, B, P, Q)`: Q is fixed in B, as P is.
#[derive(Clone, Debug)]
pub struct TwoPoints {
    pub body: String,
    pub known: String,
}

/// All of it. Names are in lower case.
#[derive(Debug, Default)]
pub struct Facts {
    pub newtonian: String,
    pub frames: BTreeMap<String, Thing>,
    pub points: BTreeMap<String, Thing>,
    /// In the order of declaration.
    pub frame_order: Vec<String>,
    pub point_order: Vec<String>,
    pub scalars: Vec<Scalar>,
    /// Comments of statements that declare scalars.
    pub comments: BTreeMap<usize, String>,
    pub turns: Vec<Turned>,
    pub places: Vec<Place>,
    /// Scalars with primes, and elements such as `f[1]`.
    pub values: BTreeMap<(String, usize), Expr>,
    pub value_order: Vec<(String, usize)>,
    pub vectors: BTreeMap<String, Expr>,
    pub two_points: BTreeMap<String, TwoPoints>,
    pub loads: Vec<Load>,
    pub gravity: Option<(Expr, Vec<String>, Span)>,
    pub masses: BTreeMap<String, Expr>,
    pub inertias: BTreeMap<String, (Option<String>, Vec<Expr>, Span)>,
    /// Names of the elements of `DEPENDENT`, and the speeds that they determine.
    pub dependents: Vec<(String, Span)>,
    pub dependent_speeds: Vec<String>,
    /// Speeds and unknowns that are 0 on every motion.
    pub vanish: Vec<String>,
    pub given: Vec<Given>,
    pub units: BTreeMap<String, String>,
    pub outputs: Vec<Expr>,
    pub solved: Vec<String>,
    pub kane: bool,
}

/// The name of an element: `f[1,2]` is `f_1_2`.
pub fn element(name: &str, indices: &[Expr]) -> Option<String> {
    let mut text = name.to_owned();
    for index in indices {
        match &index.kind {
            Kind::Number(number) => text += &format!("_{number}"),
            _ => return None,
        }
    }
    Some(text)
}

/// Says that a name gets a second value.
pub fn twice(name: &str, mark: &str, span: Span, findings: &mut Findings) {
    findings.error(
        E0603,
        format!("`{name}{mark}` gets a second value"),
        span,
        "what used the first keeps it in Autolev",
        "give the second another name",
    );
}

impl Facts {
    /// Whether a vector is a velocity, an acceleration or the like.
    pub fn is_kinematic(&self, name: &str) -> bool {
        ["v_", "a_"]
            .iter()
            .any(|prefix| self.of_point(name, prefix).is_some())
            || ["w_", "alf_"]
                .iter()
                .any(|prefix| self.two_frames_of(name, prefix).is_some())
    }

    pub fn set(&mut self, key: (String, usize), value: Expr, findings: &mut Findings) {
        let itself = |part: &Expr| part.kind == Kind::Name(key.0.clone(), key.1);
        let value = match self.values.get(&key) {
            Some(old) if value.any(&itself) => {
                let old = old.clone();
                value.mapped(&|part| if itself(&part) { old.clone() } else { part })
            }
            Some(old) if old.kind != value.kind && key.1 == 0 => {
                twice(&key.0, "", value.span, findings);
                return;
            }
            _ => value,
        };
        if self.values.insert(key.clone(), value).is_none() {
            self.value_order.push(key);
        }
    }

    pub fn unknown(&self, name: &str, span: Span, what: &str, findings: &mut Findings) {
        findings.error(
            E0607,
            format!("`{name}` is not {what} of this file"),
            span,
            "not declared",
            "declare it: `NEWTONIAN N`, `FRAMES A`, `BODIES B`, `POINTS P`, `PARTICLES Q`; the mass centre of the body `B` is `BO`",
        );
    }

    /// Two of these names, with `_` between.
    fn split(
        text: &str,
        known: impl Fn(&str) -> bool,
        second: impl Fn(&str) -> bool,
    ) -> Option<(String, String)> {
        text.match_indices('_').find_map(|(at, _)| {
            let (first, last) = (&text[..at], &text[at + 1..]);
            (known(first) && second(last)).then(|| (first.to_owned(), last.to_owned()))
        })
    }

    /// `P_A_B`: two points.
    pub fn two_points_of(&self, name: &str, prefix: &str) -> Option<(String, String)> {
        let is = |name: &str| self.points.contains_key(name);
        Self::split(name.strip_prefix(prefix)?, is, is)
    }

    /// `V_P_A`: a point and a frame.
    pub fn of_point(&self, name: &str, prefix: &str) -> Option<(String, String)> {
        let frame = |name: &str| self.frames.contains_key(name);
        Self::split(
            name.strip_prefix(prefix)?,
            |name| self.points.contains_key(name),
            frame,
        )
    }

    /// `W_A_B`: two frames.
    pub fn two_frames_of(&self, name: &str, prefix: &str) -> Option<(String, String)> {
        let is = |name: &str| self.frames.contains_key(name);
        Self::split(name.strip_prefix(prefix)?, is, is)
    }

    /// `N_A`: two frames.
    pub fn two_frames(&self, name: &str) -> Option<(String, String)> {
        let is = |name: &str| self.frames.contains_key(name);
        Self::split(name, is, is)
    }

    /// `A3`: a frame and an axis.
    pub fn axis(&self, name: &str) -> Option<(String, usize)> {
        let at = name.len().checked_sub(1)?;
        let (frame, number) = (name.get(..at)?, name.get(at..)?);
        let axis = ["1", "2", "3"].iter().position(|text| *text == number)?;
        self.frames
            .contains_key(frame)
            .then(|| (frame.to_owned(), axis))
    }

    pub fn scalar(&self, name: &str) -> Option<&Scalar> {
        self.scalars.iter().find(|scalar| scalar.name == name)
    }
}
