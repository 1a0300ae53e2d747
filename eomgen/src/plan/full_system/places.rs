//! Which frames and points have unknowns, where these are in the list, in whose components, and which of them have inertia of their own.

use super::super::facts::ValueFacts;
use super::axes::Turner;
use super::inertias::Inertias;
use super::skeleton::{Skeleton, Tie};
use super::vectors::Tensor;
use crate::ir::{Graph, Rational, Value};
use crate::solve::{Unknown, UnknownKind};
use num_traits::Signed;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Which unknowns must vanish where the energy does, if every single inertia is certainly positive semidefinite.
pub(super) fn massive(
    graph: &Graph,
    s: &Skeleton,
    inertias: &Inertias,
    places: &Places,
    facts: &ValueFacts,
) -> Option<Vec<bool>> {
    let positive = |v: Value| facts.is_positive(graph, v);
    if inertias.moved || !s.inertia.is_empty() {
        return None;
    }
    let mut massive = vec![false; places.unknowns.len()];
    for (p, mass) in &inertias.masses {
        if !graph.is_zero(*mass) && !positive(*mass) {
            return None;
        }
        if let Some(place) = places.points.get(p) {
            massive[place.own..place.own + 3].fill(positive(*mass));
        }
    }
    for ((f, _), (_, tensor)) in &inertias.moments {
        let diagonal = (0..9).all(|k| k / 3 == k % 3 || graph.is_zero(tensor[k / 3][k % 3]));
        let own: [bool; 3] = std::array::from_fn(|i| positive(tensor[i][i]));
        let known = (0..3).all(|i| own[i] || graph.is_zero(tensor[i][i]));
        let definite = is_definite(graph, tensor);
        if !(definite || diagonal && known) {
            return None;
        }
        // In other components than the frame's own a tensor is definite as a whole or not at all.
        if let Some(place) = places.frames.get(f) {
            let whole = definite || own.iter().all(|x| *x);
            massive[place.own..place.own + 3].fill(whole);
        }
    }
    Some(massive)
}

/// Whether a tensor of numbers is positive definite, by its leading minors.
fn is_definite(graph: &Graph, tensor: &Tensor) -> bool {
    let mut numbers: [[Rational; 3]; 3] = Default::default();
    for (row, values) in numbers.iter_mut().zip(tensor) {
        for (x, v) in row.iter_mut().zip(values) {
            match graph.as_rational(*v) {
                Some(number) => *x = number.clone(),
                None => return false,
            }
        }
    }
    let [[a, b, c], [_, d, e], [_, _, f]] = &numbers;
    let second = a * d - b * b;
    let third = a * (d * f - e * e) - b * (b * f - e * c) + c * (b * e - d * c);
    [a, &second, &third].into_iter().all(Signed::is_positive)
}

/// Frames and points whose accelerations enter the balances and are not known beforehand.
pub(super) struct Needed {
    pub frames: BTreeSet<usize>,
    pub points: BTreeSet<usize>,
}

impl Needed {
    pub fn new(s: &Skeleton, inertias: &Inertias, ties: &[Option<Tie>]) -> Self {
        let mut frames: Vec<usize> = inertias.moments.keys().map(|k| k.0).collect();
        frames.extend(s.torques.iter().map(|t| t.0));
        let mut points: Vec<usize> = inertias.masses.keys().copied().collect();
        points.extend(inertias.moments.keys().map(|k| k.1));
        points.extend(s.forces.iter().map(|t| t.0));
        for tie in ties.iter().flatten() {
            points.extend(tie.forces.iter().map(|t| t.0));
            frames.extend(tie.torques.iter().map(|t| t.0));
        }
        let mut needed = Self {
            frames: BTreeSet::new(),
            points: BTreeSet::new(),
        };
        while let Some(p) = points.pop() {
            let point = &s.points[p];
            if point.moves && needed.points.insert(p) {
                points.extend(point.base);
                frames.extend(point.offsets.iter().map(|o| o.frame));
            }
        }
        while let Some(f) = frames.pop() {
            if s.frames[f].moves && needed.frames.insert(f) {
                frames.extend(s.frames[f].parent);
            }
        }
        needed
    }
}

/// Where the unknowns of frames and points are in the list, and in whose components.
pub(super) struct Places {
    pub unknowns: Vec<Unknown>,
    pub frames: BTreeMap<usize, Place>,
    pub points: BTreeMap<usize, Place>,
    /// Components of every point, moving or not.
    pub of_points: Vec<usize>,
    /// Of points that are also written in the components of the frame in which they are offset: that frame, and where.
    pub offset: BTreeMap<usize, (usize, Place)>,
    /// The first of the constraints' multipliers.
    pub constraints: usize,
}

/// First of three accelerations, and of the reactions of their rows.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub own: usize,
    pub row: usize,
}

impl Places {
    pub fn new(
        s: &Skeleton,
        needed: &Needed,
        inertias: &Inertias,
        turner: &Turner<'_>,
        (rows, ties): (usize, &[Option<Tie>]),
        twice: &[bool],
    ) -> Self {
        let of_points = point_axes(s, inertias, turner);
        let between = |p: usize| {
            let [offset] = &s.points[p].offsets[..] else {
                return None;
            };
            let axes = turner.of(offset.frame);
            (twice[offset.frame] && axes != of_points[p] && s.frames[offset.frame].moves)
                .then_some(axes)
        };
        let levels = Levels::new(s, needed, &of_points, twice);
        let mut unknowns: Vec<Unknown> = Vec::new();
        for (name, depth) in s.speeds.iter().zip(&levels.speeds) {
            unknowns.push(Unknown {
                name: name.clone(),
                kind: UnknownKind::Rate,
                depth: *depth,
            });
        }
        let mut triple = |name: String, kind: UnknownKind, depth: u32| {
            let at = unknowns.len();
            for axis in ["x", "y", "z"] {
                unknowns.push(Unknown {
                    name: format!("{name}_{axis}"),
                    kind,
                    depth,
                });
            }
            at
        };
        let (mut frames, mut points) = (BTreeMap::new(), BTreeMap::new());
        let mut offset: BTreeMap<usize, (usize, Place)> = BTreeMap::new();
        for f in &needed.frames {
            let (name, depth) = (&s.frames[*f].name, levels.frames[*f]);
            let own = triple(format!("alpha_{name}"), UnknownKind::Acceleration, depth);
            frames.insert(*f, Place { own, row: 0 });
        }
        for p in &needed.points {
            let (name, depth) = (&s.points[*p].name, levels.points[*p]);
            let own = triple(format!("a_{name}"), UnknownKind::Acceleration, depth);
            points.insert(*p, Place { own, row: 0 });
            if let Some(axes) = between(*p) {
                let name = format!("a_{name}_{}", s.frames[axes].name);
                let own = triple(name, UnknownKind::Acceleration, levels.between[*p]);
                offset.insert(*p, (axes, Place { own, row: 0 }));
            }
        }
        for (f, place) in &mut frames {
            let (name, depth) = (&s.frames[*f].name, levels.frames[*f]);
            place.row = triple(format!("torque_{name}"), UnknownKind::Reaction, depth);
        }
        for (p, place) in &mut points {
            let (name, depth) = (&s.points[*p].name, levels.points[*p]);
            place.row = triple(format!("force_{name}"), UnknownKind::Reaction, depth);
        }
        for (p, (axes, place)) in &mut offset {
            let name = &s.points[*p].name;
            let name = format!("force_{name}_{}", s.frames[*axes].name);
            place.row = triple(name, UnknownKind::Reaction, levels.between[*p]);
        }
        let constraints = unknowns.len();
        // A row between bodies is as far out as the outermost of them, others join what is anywhere.
        let depth = |tie: &Tie| {
            let points = tie.forces.iter().filter_map(|(p, _)| points.get(p));
            let frames = tie.torques.iter().filter_map(|(f, _)| frames.get(f));
            let depths = points.chain(frames).map(|place| unknowns[place.own].depth);
            depths.max().unwrap_or(0)
        };
        let depths = (0..rows).map(|i| ties.get(i)?.as_ref().map(depth));
        let depths: Vec<u32> = depths.map(|known| known.unwrap_or(0)).collect();
        unknowns.extend(
            { depths.into_iter().enumerate() }.map(|(i, depth)| Unknown {
                name: format!("lambda_{i}"),
                kind: UnknownKind::Reaction,
                depth,
            }),
        );
        Self {
            unknowns,
            frames,
            points,
            of_points,
            offset,
            constraints,
        }
    }
}

impl Places {
    /// The accelerations of some frames, and of points that are offset in them, with the rows that determine them, the outermost first.
    pub fn pairs(&self, s: &Skeleton, of: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
        let mut places: Vec<Place> = Vec::new();
        let frames = self.frames.iter().filter(|(f, _)| of(**f));
        places.extend(frames.map(|(_, place)| *place));
        for (p, place) in &self.points {
            if s.carrier(*p).is_some_and(&of) {
                places.push(*place);
                places.extend(self.offset.get(p).map(|(_, between)| *between));
            }
        }
        let depth = |place: &Place| self.unknowns[place.own].depth;
        places.sort_by_key(|place| Reverse((depth(place), place.own)));
        let each = places.iter();
        each.flat_map(|place| (0..3).map(|i| (place.own + i, place.row + i)))
            .collect()
    }
}

/// Components of points: those of the frame whose inertia is about the point, else of the frame with the most turns in which it is offset, else
/// of its base.
fn point_axes(s: &Skeleton, inertias: &Inertias, turner: &Turner<'_>) -> Vec<usize> {
    let mut axes = Vec::with_capacity(s.points.len());
    for (p, point) in s.points.iter().enumerate() {
        let about = inertias.moments.keys().filter(|k| k.1 == p).map(|k| k.0);
        let about = about.max_by_key(|f| (s.frames[*f].depth, *f));
        let offset = point.offsets.iter().map(|o| o.frame);
        let offset = offset
            .filter(|f| s.frames[*f].moves)
            .max_by_key(|f| (s.frames[*f].depth, *f));
        let base = point.base.and_then(|b| axes.get(b).copied());
        let own = about.or(offset).map(|f| turner.of(f));
        axes.push(own.or(base).unwrap_or(0));
    }
    axes
}

/// How far frames, points and speeds are from the ground.
struct Levels {
    frames: Vec<u32>,
    points: Vec<u32>,
    /// Of points in the components of the frame in which they are offset.
    between: Vec<u32>,
    speeds: Vec<u32>,
}

impl Levels {
    fn new(s: &Skeleton, needed: &Needed, axes: &[usize], twice: &[bool]) -> Self {
        let mut frames: Vec<u32> = s.frames.iter().map(|f| f.depth).collect();
        let mut points = vec![0; s.points.len()];
        let mut between = vec![0; s.points.len()];
        for (p, point) in s.points.iter().enumerate() {
            if !needed.points.contains(&p) {
                continue;
            }
            let below = point.base.map_or(0, |b| points[b]);
            let offsets = point.offsets.iter().map(|o| o.frame).chain([axes[p]]);
            let turned = offsets.map(|f| s.frames[f].depth).max();
            points[p] = (below + 1).max(turned.unwrap_or(0));
            // Where the point is also written in the frame's components, it is there that it is offset.
            let offsets = point.offsets.iter().map(|o| s.frames[o.frame].depth);
            between[p] = if point.offsets.iter().any(|o| twice[o.frame]) {
                (below + 1).max(offsets.max().unwrap_or(0))
            } else {
                points[p]
            };
        }
        // A frame that is turned from the ground may still be far out on a chain.
        let mut nearest: Vec<Option<u32>> = vec![None; frames.len()];
        for p in &needed.points {
            for o in &s.points[*p].offsets {
                let known = nearest[o.frame].unwrap_or(u32::MAX);
                nearest[o.frame] = Some(known.min(between[*p]));
            }
        }
        for (level, nearest) in frames.iter_mut().zip(nearest) {
            *level = (*level).max(nearest.unwrap_or(0));
        }
        let mut speeds = vec![0; s.speeds.len()];
        let mut reach = |k: usize, level: u32| speeds[k] = level.max(speeds[k]);
        for f in &needed.frames {
            for (k, _) in &s.frames[*f].spin {
                reach(*k, frames[*f]);
            }
        }
        for p in &needed.points {
            for (k, _) in s.points[*p].offsets.iter().flat_map(|o| &o.rate) {
                reach(*k, points[*p]);
            }
        }
        Self {
            frames,
            points,
            between,
            speeds,
        }
    }
}
