//! In whose components the equations of a frame or a point are written, and how components are turned.

use super::skeleton::{Parts, Skeleton, circle};
use super::vectors::{Tensor, Vector, Vectors, transpose};
use crate::ir::Value;
use crate::solve::Calc;
use std::collections::BTreeMap;
use std::fmt;

/// A rule for components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::plan) enum Axes {
    /// Every frame's own.
    Own,
    /// The inertial frame's for all.
    Inertial,
    /// Of frames that turn about parallel axes those of the frame before the first of them, with sums of angles; else every frame's own.
    Parallel,
}

impl fmt::Display for Axes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Own => "body axes",
            Self::Inertial => "inertial axes",
            Self::Parallel => "axes shared by parallel joints",
        })
    }
}

/// A vector is taken over so many frames one by one.
const NEAR: usize = 2;

/// Turns components from frame to frame.
pub(super) struct Turner<'s> {
    s: &'s Skeleton,
    /// The rule of each frame.
    axes: Vec<Axes>,
    /// Of frames that turn about parallel axes: the frame before the first of them, the axis and the sum of the angles.
    parallel: Vec<Option<(usize, usize, Value)>>,
    /// Whether a frame shares its axis with its parent or a child.
    shares: Vec<bool>,
    known: BTreeMap<(usize, usize), Tensor>,
}

impl<'s> Turner<'s> {
    pub fn new(calc: &mut Calc<'_>, s: &'s Skeleton, axes: &[Axes]) -> Self {
        let mut parallel: Vec<Option<(usize, usize, Value)>> = vec![None; s.frames.len()];
        let mut shares = vec![false; s.frames.len()];
        for (i, frame) in s.frames.iter().enumerate() {
            let (Some(parent), Some((axis, angle))) = (frame.parent, frame.turn) else {
                continue;
            };
            parallel[i] = match parallel[parent].filter(|p| p.1 == axis) {
                Some((base, _, sum)) => {
                    shares[i] = true;
                    shares[parent] = true;
                    Some((base, axis, calc.add(sum, angle)))
                }
                None => Some((parent, axis, angle)),
            };
        }
        Self {
            s,
            axes: axes.to_vec(),
            parallel,
            shares,
            known: BTreeMap::new(),
        }
    }

    /// The frame in whose components the equations of this frame are written.
    pub fn of(&self, frame: usize) -> usize {
        match (self.axes[frame], self.parallel[frame]) {
            (Axes::Inertial, _) => 0,
            (Axes::Parallel, Some((base, ..))) if self.shares[frame] => base,
            _ => frame,
        }
    }

    /// The frame that `frame` is turned from, and the matrix that takes components to it.
    fn step(&mut self, calc: &mut Calc<'_>, frame: usize) -> Option<(usize, Tensor)> {
        let parent = self.s.frames[frame].parent?;
        if self.axes[frame] == Axes::Parallel
            && self.shares[frame]
            && let Some((base, axis, angle)) = self.parallel[frame]
        {
            let (s, c) = circle(calc, angle);
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let mut r = calc.unit();
            r[u][u] = c;
            r[v][v] = c;
            r[u][v] = calc.neg(s);
            r[v][u] = s;
            return Some((base, r));
        }
        Some((parent, self.s.frames[frame].rotation))
    }

    fn path(&mut self, calc: &mut Calc<'_>, frame: usize) -> Vec<(usize, Tensor)> {
        let mut path = Vec::new();
        let mut at = frame;
        while let Some((next, r)) = self.step(calc, at) {
            path.push((next, r));
            at = next;
        }
        path
    }

    /// The single step between neighbours whose turn is written as it is given.
    fn neighbours(&self, from: usize, to: usize) -> Option<(Vec<Tensor>, Vec<Tensor>)> {
        let [own, other] = [from, to].map(|f| &self.s.frames[f]);
        if self.axes[from] == Axes::Parallel || self.axes[to] == Axes::Parallel {
            None
        } else if own.parent == Some(to) {
            Some((vec![own.rotation], Vec::new()))
        } else if other.parent == Some(from) {
            Some((Vec::new(), vec![transpose(&other.rotation)]))
        } else {
            None
        }
    }

    /// The steps up from `from` to the frame that it shares with `to`, and from there down to `to`.
    fn between(
        &mut self,
        calc: &mut Calc<'_>,
        from: usize,
        to: usize,
    ) -> (Vec<Tensor>, Vec<Tensor>) {
        if let Some(step) = self.neighbours(from, to) {
            return step;
        }
        let (up, down) = (self.path(calc, from), self.path(calc, to));
        let mut ancestors = vec![to];
        ancestors.extend(down.iter().map(|step| step.0));
        let mut common = from;
        let mut rise = Vec::new();
        for (next, r) in up {
            if ancestors.contains(&common) {
                break;
            }
            rise.push(r);
            common = next;
        }
        let mut fall = Vec::new();
        let mut at = to;
        for (next, r) in down {
            if at == common {
                break;
            }
            fall.push(transpose(&r));
            at = next;
        }
        fall.reverse();
        (rise, fall)
    }

    /// Components in `to` of a vector given in `from`.
    pub fn turn(&mut self, calc: &mut Calc<'_>, v: &Vector, from: usize, to: usize) -> Vector {
        if from == to || calc.is_nothing(v) {
            return *v;
        }
        let (rise, fall) = self.between(calc, from, to);
        // What is written in the components of a frame far away is taken there by one matrix for all.
        if rise.len() + fall.len() > NEAR && self.of(from) == to {
            let matrix = self.matrix(calc, from, to);
            return calc.apply(&matrix, v);
        }
        let steps = rise.iter().chain(&fall);
        steps.fold(*v, |v, r| calc.apply(r, &v))
    }

    /// The matrix that takes components in `from` to those in `to`.
    pub fn matrix(&mut self, calc: &mut Calc<'_>, from: usize, to: usize) -> Tensor {
        if let Some(known) = self.known.get(&(from, to)) {
            return *known;
        }
        let found = match self.known.get(&(to, from)) {
            Some(known) => transpose(known),
            None => {
                let (rise, fall) = self.between(calc, from, to);
                if fall.is_empty() && rise.len() > 1 {
                    return self.up(calc, from, to);
                }
                let mut steps = rise.iter().chain(&fall);
                let first = steps.next().copied();
                let first = first.unwrap_or_else(|| calc.unit());
                steps.fold(first, |m, r| calc.product(r, &m))
            }
        };
        self.known.insert((from, to), found);
        found
    }

    /// The same to a frame that it is turned from in several steps: that of the frame before, which others use as well, and its own turn.
    fn up(&mut self, calc: &mut Calc<'_>, from: usize, to: usize) -> Tensor {
        let mut open = Vec::new();
        let mut at = from;
        let mut found = loop {
            if let Some(known) = self.known.get(&(at, to)) {
                break *known;
            }
            match self.step(calc, at) {
                Some((next, r)) if next != to => {
                    open.push((at, r));
                    at = next;
                }
                last => break last.map_or_else(|| calc.unit(), |(_, r)| r),
            }
        };
        for (frame, r) in open.into_iter().rev() {
            found = calc.product(&found, &r);
            self.known.insert((frame, to), found);
        }
        found
    }

    /// The sum of parts, in components of `to`.
    pub fn sum(&mut self, calc: &mut Calc<'_>, parts: &Parts, to: usize) -> Vector {
        let mut sum = calc.nothing();
        for (f, v) in parts {
            let turned = self.turn(calc, v, *f, to);
            sum = calc.plus(&sum, &turned);
        }
        sum
    }
}
