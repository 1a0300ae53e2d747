//! The machine as a tree of single steps: a turn to the next frame, or a shift along a part of a point's offset. Knows nothing of motion.

use super::super::inertias::Inertias;
use super::super::skeleton::Skeleton;
use crate::ir::Value;
use crate::solve::Calc;

/// What leads to a node from the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A turn to the axes of this frame.
    Turn(usize),
    /// A shift by this part of this point's offset.
    Shift(usize, usize),
}

/// A place in the axes of a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub parent: usize,
    pub step: Step,
    /// The frame in whose axes it is.
    pub frame: usize,
}

/// Nodes after those that lead to them. The first is the ground, whose step means nothing.
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    /// Where masses are, where moments are, where forces act and torques.
    pub masses: Vec<(usize, usize)>,
    pub moments: Vec<((usize, usize), usize)>,
    pub forces: Vec<usize>,
    pub torques: Vec<usize>,
}

impl Tree {
    /// `None` where a joint would be in two places, or where something is offset along axes nearer to the ground than it hangs.
    pub fn new(calc: &Calc<'_>, s: &Skeleton, inertias: &Inertias) -> Option<Self> {
        let ground = Node {
            parent: 0,
            step: Step::Turn(0),
            frame: 0,
        };
        let mut tree = Self {
            nodes: vec![ground],
            masses: Vec::new(),
            moments: Vec::new(),
            forces: Vec::new(),
            torques: Vec::new(),
        };
        for p in inertias.masses.keys() {
            let node = tree.point(s, *p)?;
            tree.masses.push((*p, node));
        }
        for (f, p) in inertias.moments.keys() {
            let at = tree.point(s, *p)?;
            let node = tree.turned(s, at, *f)?;
            tree.moments.push(((*f, *p), node));
        }
        for (p, _) in &s.forces {
            let node = tree.point(s, *p)?;
            tree.forces.push(node);
        }
        for (f, _) in &s.torques {
            // A torque acts at any place of its frame.
            let known = tree.nodes.iter().position(|n| n.frame == *f);
            let node = match known {
                Some(node) => node,
                None => tree.turned(s, 0, *f)?,
            };
            tree.torques.push(node);
        }
        let once = |node: &Node| {
            let same = tree.nodes.iter().filter(|other| other.step == node.step);
            same.count() == 1 || !turns(calc, s, node.step)
        };
        tree.nodes[1..].iter().all(once).then_some(tree)
    }

    /// The node at a point, in the axes of the last frame in which it is offset.
    fn point(&mut self, s: &Skeleton, p: usize) -> Option<usize> {
        let mut at = match s.points[p].base {
            Some(base) => self.point(s, base)?,
            None => 0,
        };
        let mut parts: Vec<usize> = (0..s.points[p].offsets.len()).collect();
        let depth = |f: usize| ancestors(s, f).len();
        parts.sort_by_key(|k| depth(s.points[p].offsets[*k].frame));
        for k in parts {
            let offset = &s.points[p].offsets[k];
            at = self.turned(s, at, offset.frame)?;
            at = self.after(at, Step::Shift(p, k), offset.frame);
        }
        Some(at)
    }

    /// The node at the same place in the axes of a frame further out.
    fn turned(&mut self, s: &Skeleton, at: usize, to: usize) -> Option<usize> {
        let from = self.nodes[at].frame;
        let path = ancestors(s, to);
        let above = path.iter().position(|f| *f == from)?;
        let mut at = at;
        for f in path[..above].iter().rev() {
            at = self.after(at, Step::Turn(*f), *f);
        }
        Some(at)
    }

    fn after(&mut self, parent: usize, step: Step, frame: usize) -> usize {
        let mut known = self.nodes.iter().skip(1);
        if let Some(at) = known.position(|n| n.parent == parent && n.step == step) {
            return at + 1;
        }
        self.nodes.push(Node {
            parent,
            step,
            frame,
        });
        self.nodes.len() - 1
    }
}

/// Whether a step is a joint, or changes otherwise with time.
fn turns(calc: &Calc<'_>, s: &Skeleton, step: Step) -> bool {
    let number = |v: &Value| calc.graph.as_rational(*v).is_some();
    match step {
        Step::Turn(f) => {
            let frame = &s.frames[f];
            !frame.spin.is_empty() || !frame.rotation.iter().flatten().all(number)
        }
        Step::Shift(p, k) => !s.points[p].offsets[k].fixed,
    }
}

/// The frame and those it is turned from.
fn ancestors(s: &Skeleton, f: usize) -> Vec<usize> {
    let mut list = vec![f];
    let mut at = f;
    while let Some(parent) = s.frames[at].parent {
        list.push(parent);
        at = parent;
    }
    list
}
