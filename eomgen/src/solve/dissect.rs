//! Nested dissection: what a system falls apart at, what its pieces fall apart at, and so on (George 1973). Eliminated in that order, the
//! pieces do not wait for one another, and of a chain of n bodies the longest chain of operations grows with log n in place of n.
//!
//! Bodies are told by their depth alone: on a chain the unknowns of one depth are those of one body, and without them it falls apart.

use std::collections::BTreeMap;

use super::system::{SymmetricSystem, UnknownKind};

/// Systems of at least this many depths are long.
const LONG: usize = 12;

/// Whether dissection is worth a try.
pub(super) fn is_long(system: &SymmetricSystem) -> bool {
    let depths: std::collections::BTreeSet<u32> = system
        .unknowns
        .iter()
        .map(|unknown| unknown.depth)
        .collect();
    depths.len() >= LONG
}

/// The level of each unknown: 0 for what goes last, that at which the whole falls apart; 1 for that at which its pieces do. Pieces of at most `size`
/// depths are not divided.
pub(super) fn levels(system: &SymmetricSystem, size: u32) -> Vec<u32> {
    let mut neighbours = vec![Vec::new(); system.len()];
    for (i, j, _) in system.entries().filter(|entry| entry.0 != entry.1) {
        neighbours[i].push(j);
        neighbours[j].push(i);
    }
    // Constraints between bodies that are not next to one another go last: they hold rates all along.
    let ties = |i: usize| {
        let unknown = &system.unknowns[i];
        unknown.kind == UnknownKind::Reaction && unknown.depth == 0
    };
    let mut dissection = Dissection {
        depths: system
            .unknowns
            .iter()
            .map(|unknown| unknown.depth)
            .collect(),
        neighbours,
        size: size.max(1),
        levels: vec![0; system.len()],
    };
    let members: Vec<usize> = (0..system.len()).filter(|i| !ties(*i)).collect();
    let mut pieces: Vec<(Vec<usize>, u32)> = vec![(members, 1)];
    while let Some((members, level)) = pieces.pop() {
        for piece in dissection.components(&members) {
            let rest = dissection.separate(&piece, level);
            if !rest.is_empty() {
                pieces.push((rest, level + 1));
            }
        }
    }
    dissection.levels
}

struct Dissection {
    depths: Vec<u32>,
    neighbours: Vec<Vec<usize>>,
    size: u32,
    levels: Vec<u32>,
}

impl Dissection {
    /// The parts of `members` that have nothing to do with each other.
    fn components(&self, members: &[usize]) -> Vec<Vec<usize>> {
        let mut fresh = vec![false; self.depths.len()];
        members.iter().for_each(|i| fresh[*i] = true);
        let mut found = Vec::new();
        for &first in members {
            if !std::mem::replace(&mut fresh[first], false) {
                continue;
            }
            let (mut part, mut next) = (vec![first], 0);
            while let Some(&at) = part.get(next) {
                next += 1;
                for &j in &self.neighbours[at] {
                    if std::mem::replace(&mut fresh[j], false) {
                        part.push(j);
                    }
                }
            }
            found.push(part);
        }
        found
    }

    /// Gives the level to the unknowns at which a piece falls apart, and returns the others; a small piece has it as a whole.
    fn separate(&mut self, piece: &[usize], level: u32) -> Vec<usize> {
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for &i in piece {
            self.levels[i] = level;
            *counts.entry(self.depths[i]).or_default() += 1;
        }
        if counts.len() <= self.size as usize {
            return Vec::new();
        }
        // Of the depths in the middle third, the one with the fewest unknowns; of those the one nearest to the middle.
        let middle = counts.len() / 2;
        let third = counts.len().div_ceil(3);
        let candidates = counts.iter().enumerate();
        let candidates = candidates.filter(|(k, _)| k.abs_diff(middle) * 2 <= third);
        let cut = candidates.min_by_key(|(k, (_, count))| (**count, k.abs_diff(middle), *k));
        let Some((_, (&cut, _))) = cut else {
            return Vec::new();
        };
        let rest = piece.iter().copied();
        rest.filter(|i| self.depths[*i] != cut).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Graph;
    use crate::solve::Unknown;

    /// Of a chain of 15 the middle goes last, then the quarters, then the eighths, first what is between them.
    #[test]
    fn a_chain_is_halved_and_halved_again() {
        let unknown = |depth: u32| Unknown {
            name: format!("a{depth}"),
            kind: UnknownKind::Acceleration,
            depth,
        };
        let mut system = SymmetricSystem::new((1..16).map(unknown).collect());
        let one = Graph::new().one();
        for i in 0..15 {
            system.set(i, i, one);
            if i > 0 {
                system.set(i - 1, i, one);
            }
        }
        let found = levels(&system, 1);
        assert_eq!(found, [4, 3, 4, 2, 4, 3, 4, 1, 4, 3, 4, 2, 4, 3, 4]);
        assert_eq!(levels(&system, 15), [1; 15]);
        assert!(is_long(&system));
    }
}
