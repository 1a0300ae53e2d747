//! The parts of a machine for which the equations may be written in ways of their own: the branches of the tree of frames, runs of joints with
//! parallel axes and segments where there is but one branch, and the bodies of each constraint loop.

use super::skeleton::Skeleton;
use crate::ir::{Graph, Value};
use crate::solve::inertia::Joint;

/// Frames with a name.
pub(in crate::plan) struct Part {
    /// As it stands in names of plans: `branch from L3`.
    pub name: String,
    pub frames: Vec<usize>,
}

/// So many segments a branch is divided into that does not divide itself.
const SEGMENTS: usize = 3;

impl Skeleton {
    /// The frame that a frame hangs on: the one it is turned from, or if that does not move the one that carries what the frame's first point is
    /// offset from.
    fn hangs_on(&self, f: usize) -> Option<usize> {
        let parent = self.frames[f].parent?;
        if self.frames[parent].moves {
            return Some(parent);
        }
        let first = self
            .points
            .iter()
            .position(|p| p.offsets.iter().any(|o| o.frame == f))?;
        let base = self.points[first].base?;
        self.carrier(base).filter(|b| *b != f)
    }

    /// Whether anything is in a frame, or in one that is turned from it. The axes of a mount that is part of a joint's turn may be left without.
    fn used(&self) -> Vec<bool> {
        let mut used = vec![false; self.frames.len()];
        let offsets = self.points.iter().flat_map(|p| &p.offsets);
        let held = offsets.map(|o| o.frame);
        let massive = self.masses.iter().filter_map(|m| m.rotation.as_ref());
        let turned = self.torques.iter().map(|t| t.0);
        for f in held.chain(massive.map(|r| r.0)).chain(turned) {
            used[f] = true;
        }
        // Parents come first.
        for f in (0..self.frames.len()).rev() {
            if let Some(parent) = self.frames[f].parent.filter(|_| used[f]) {
                used[parent] = true;
            }
        }
        used
    }

    /// The parts. Each of `rows` is a constraint by its coefficients of s'.
    pub(in crate::plan) fn parts(&self, graph: &Graph, rows: &[(Vec<Value>, Value)]) -> Vec<Part> {
        let used = self.used();
        let moving: Vec<usize> = (0..self.frames.len())
            .filter(|f| self.frames[*f].moves && used[*f])
            .collect();
        let on: Vec<Option<usize>> = (0..self.frames.len())
            .map(|f| self.hangs_on(f).filter(|_| self.frames[f].moves))
            .collect();
        let children = |f: usize| moving.iter().filter(|k| on[**k] == Some(f)).count();
        let roots = moving.iter().filter(|f| on[**f].is_none()).count();
        // Frames that go on from one another without a fork are a branch.
        let mut branches: Vec<Vec<usize>> = Vec::new();
        for &f in &moving {
            let goes_on = on[f].filter(|o| children(*o) == 1);
            let found = goes_on.and_then(|o| branches.iter_mut().find(|b| b.last() == Some(&o)));
            match found {
                Some(branch) => branch.push(f),
                None => branches.push(vec![f]),
            }
        }
        let mut parts: Vec<Part> = Vec::new();
        let mut add = |kind: &str, frames: Vec<usize>| {
            let first = frames.first().map(|f| self.frames[*f].name.as_str());
            let last = frames.last().map(|f| self.frames[*f].name.as_str());
            let whole = frames.len() == moving.len();
            let there = parts.iter().any(|part| part.frames == frames);
            if let (Some(first), Some(last), false, false) = (first, last, whole, there) {
                let name = if first == last {
                    format!("{kind} {first}")
                } else {
                    format!("{kind} {first} to {last}")
                };
                parts.push(Part { name, frames });
            }
        };
        let single = branches.len() == 1 && roots <= 1;
        for branch in &branches {
            if !single {
                add("branch", branch.clone());
                continue;
            }
            let runs = self.runs(branch);
            if runs.len() > 1 {
                runs.into_iter().for_each(|run| add("run", run));
            } else if branch.len() >= SEGMENTS {
                let size = branch.len().div_ceil(SEGMENTS);
                branch
                    .chunks(size)
                    .for_each(|chunk| add("segment", chunk.to_vec()));
            }
        }
        for row in rows {
            let loops = moving.iter().copied().filter(|f| {
                let held = |k: usize| row.0.get(k).is_some_and(|v| !graph.is_zero(*v));
                self.frames[*f].spin.iter().any(|(k, _)| held(*k))
            });
            add("loop of", loops.collect());
        }
        parts
    }

    /// How many of these frames one of them hangs on, itself included, on the average: so many entries a row of the mass matrix in the rates of their
    /// joints has.
    pub(in crate::plan) fn mean_depth(&self, frames: &[usize]) -> usize {
        let mut depth = vec![0; self.frames.len()];
        // Those that a frame hangs on come before it.
        for &f in frames {
            depth[f] = 1 + self.hangs_on(f).map_or(0, |on| depth[on]);
        }
        depth.iter().sum::<usize>() / frames.len().max(1)
    }

    /// The same with equal parts together, for machines of which each part by itself would take too long: the legs of a walking machine are written
    /// in one way. Parts are equal if their frames turn alike, whatever their sizes and masses.
    pub(in crate::plan) fn kinds_of_parts(
        &self,
        graph: &Graph,
        rows: &[(Vec<Value>, Value)],
    ) -> Vec<Part> {
        let alike = |f: &usize| {
            let frame = &self.frames[*f];
            let joint = match frame.joint {
                Joint::Fixed => 0,
                Joint::Revolute(_) => 1,
                Joint::Other => 2,
            };
            (joint, frame.turn.map(|turn| turn.0))
        };
        let mut kinds: Vec<(Vec<_>, Part)> = Vec::new();
        for part in self.parts(graph, rows) {
            let turns: Vec<_> = part.frames.iter().map(alike).collect();
            match kinds.iter_mut().find(|(known, _)| *known == turns) {
                Some((_, kind)) => {
                    kind.name = format!("{} and {}", kind.name, part.name);
                    kind.frames.extend(part.frames);
                }
                None => kinds.push((turns, part)),
            }
        }
        kinds.into_iter().map(|(_, part)| part).collect()
    }

    /// Frames that turn about parallel axes, one after another.
    fn runs(&self, branch: &[usize]) -> Vec<Vec<usize>> {
        let axis = |f: usize| self.frames[f].turn.map(|turn| turn.0);
        let mut runs: Vec<Vec<usize>> = Vec::new();
        for &f in branch {
            match runs.last_mut() {
                Some(run) if axis(f).is_some() && run.last().map(|l| axis(*l)) == Some(axis(f)) => {
                    run.push(f);
                }
                _ => runs.push(vec![f]),
            }
        }
        runs
    }
}
