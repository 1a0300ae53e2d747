//! How far out a body is within its own branch: what a system falls apart into without all that is nearer to the base.
//!
//! Knows entries and depths alone. A leg is a leg since nothing but what is nearer to the base ties it to another one.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::system::{SymmetricSystem, UnknownKind};

/// Groups of unknowns of one depth that hang together by what is as deep or deeper, as a tree.
pub(super) struct Outward {
    /// The group of each unknown.
    pub of: Vec<usize>,
    groups: Vec<Group>,
}

struct Group {
    depth: u32,
    /// The group nearer to the base that it hangs on.
    parent: Option<usize>,
    children: Vec<usize>,
}

impl Outward {
    /// All in one group.
    pub fn nowhere(unknowns: usize) -> Self {
        Self::of_levels(&vec![0; unknowns])
    }

    /// A group for each level, none hanging on another.
    pub fn of_levels(levels: &[u32]) -> Self {
        let mut of_level: BTreeMap<u32, usize> = levels.iter().map(|l| (*l, 0)).collect();
        of_level.values_mut().enumerate().for_each(|(i, g)| *g = i);
        let group = |depth: &u32| Group {
            depth: *depth,
            parent: None,
            children: Vec::new(),
        };
        Self {
            of: levels.iter().map(|l| of_level[l]).collect(),
            groups: of_level.keys().map(group).collect(),
        }
    }

    /// By what a system is without what is nearer to the base.
    pub fn new(system: &SymmetricSystem) -> Self {
        let depth = |i: usize| system.unknowns[i].depth;
        let ties = |i: usize| depth(i) == 0 && system.unknowns[i].kind == UnknownKind::Reaction;
        let mut neighbours = vec![Vec::new(); system.len()];
        for (i, j, _) in system.entries().filter(|entry| entry.0 != entry.1) {
            // Each entry counts where the nearer of the two is reached. What a constraint holds is tied all along.
            let (near, far) = if ties(j) || !ties(i) && depth(i) <= depth(j) {
                (i, j)
            } else {
                (j, i)
            };
            neighbours[near].push(far);
        }
        let mut inwards: Vec<usize> = (0..system.len()).collect();
        inwards.sort_by_key(|i| Reverse(depth(*i)));
        let mut pieces = Pieces::new(system.len());
        let mut found = Self {
            of: vec![0; system.len()],
            groups: Vec::new(),
        };
        for level in inwards.chunk_by(|a, b| depth(*a) == depth(*b)) {
            for i in level {
                for far in &neighbours[*i] {
                    pieces.join(*i, *far);
                }
            }
            for i in level {
                let piece = pieces.of(*i);
                let own = found.groups.len();
                let top = match pieces.tops[piece][..] {
                    // The group of this level is there already.
                    [top] if found.groups[top].depth == depth(*i) => top,
                    _ => {
                        let children = std::mem::replace(&mut pieces.tops[piece], vec![own]);
                        for child in &children {
                            found.groups[*child].parent = Some(own);
                        }
                        found.groups.push(Group {
                            depth: depth(*i),
                            parent: None,
                            children,
                        });
                        own
                    }
                };
                found.of[*i] = top;
            }
        }
        found
    }

    pub fn len(&self) -> usize {
        self.groups.len()
    }

    pub fn depth(&self, group: usize) -> u32 {
        self.groups[group].depth
    }

    pub fn parent(&self, group: usize) -> Option<usize> {
        self.groups[group].parent
    }

    pub fn children(&self, group: usize) -> &[usize] {
        &self.groups[group].children
    }
}

/// What hangs together so far.
struct Pieces {
    /// Towards the unknown that stands for the piece.
    towards: Vec<usize>,
    /// Of the unknown that stands for a piece: the groups that hang on nothing yet.
    tops: Vec<Vec<usize>>,
}

impl Pieces {
    fn new(unknowns: usize) -> Self {
        Self {
            towards: (0..unknowns).collect(),
            tops: vec![Vec::new(); unknowns],
        }
    }

    fn of(&mut self, mut i: usize) -> usize {
        while self.towards[i] != i {
            self.towards[i] = self.towards[self.towards[i]];
            i = self.towards[i];
        }
        i
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.of(a), self.of(b));
        if a == b {
            return;
        }
        let (few, many) = if self.tops[a].len() <= self.tops[b].len() {
            (a, b)
        } else {
            (b, a)
        };
        let tops = std::mem::take(&mut self.tops[few]);
        self.tops[many].extend(tops);
        self.towards[few] = many;
    }
}

#[cfg(test)]
mod tests {
    use super::{Outward, SymmetricSystem, UnknownKind};
    use crate::ir::Graph;
    use crate::solve::system::Unknown;

    fn system(depths: &[u32], entries: &[(usize, usize)]) -> SymmetricSystem {
        let unknown = |depth: &u32| Unknown {
            name: String::new(),
            kind: if *depth > 0 {
                UnknownKind::Rate
            } else {
                UnknownKind::Reaction
            },
            depth: *depth,
        };
        let mut system = SymmetricSystem::new(depths.iter().map(unknown).collect());
        let one = Graph::new().one();
        for (i, j) in entries {
            system.set(*i, *j, one);
        }
        system
    }

    fn parents(outward: &Outward, unknown: usize) -> Vec<u32> {
        let next = |group: &usize| outward.parent(*group);
        let groups = std::iter::successors(Some(outward.of[unknown]), next);
        groups.map(|group| outward.depth(group)).collect()
    }

    #[test]
    fn branches_are_told_apart_where_they_fork() {
        // A base with two legs of two and three bodies.
        let depths = [1, 2, 3, 2, 3, 4];
        let outward = Outward::new(&system(&depths, &[(0, 1), (1, 2), (0, 3), (3, 4), (4, 5)]));
        assert_eq!(outward.len(), 6);
        assert_eq!(parents(&outward, 2), [3, 2, 1]);
        assert_eq!(parents(&outward, 5), [4, 3, 2, 1]);
        assert_eq!(outward.children(outward.of[0]).len(), 2);
        assert_ne!(outward.of[2], outward.of[4]);
    }

    #[test]
    fn what_is_tied_further_out_is_one_branch() {
        let depths = [1, 2, 3, 2, 3];
        let tree = [(0, 1), (1, 2), (0, 3), (3, 4)];
        let outward = Outward::new(&system(&depths, &[&tree[..], &[(2, 4)]].concat()));
        assert_eq!(outward.len(), 3);
        assert_eq!(outward.of[2], outward.of[4]);
        assert_eq!(outward.of[1], outward.of[3]);
        // By the row of a constraint.
        let depths = [1, 2, 3, 2, 3, 0];
        let outward = Outward::new(&system(&depths, &[&tree[..], &[(2, 5), (4, 5)]].concat()));
        assert_eq!(outward.len(), 4);
        assert_eq!(outward.of[2], outward.of[4]);
        assert_eq!(parents(&outward, 2), [3, 2, 1, 0]);
    }
}
