//! Joints of several rates. A ball joint is stated as turns one after the other through frames that nothing is fixed to. If the speeds are the
//! angles' rates, each turn's row holds one rate with a number for its coefficient, and nothing can be better. If they are components of
//! the whole relative angular velocity, each turn's rate depends on all of them, with coefficients that grow beyond all bounds near
//! the angles' singularity. Then the frames in between are better seen as mere axes of the frame before the joint: their own rows hold no rate,
//! and all rates enter at the last frame, where their coefficients are numbers.

use super::skeleton::{Frame, Skeleton};
use super::vectors::{Vector, Vectors};
use crate::ir::Value;
use crate::solve::Calc;
use crate::solve::inertia::Joint;
use std::collections::BTreeMap;

/// The relative angular velocity of the end of a chain of turns, in the components of its last frame.
struct Spin {
    coefficients: BTreeMap<usize, Vector>,
    value: Vector,
    /// At s' = 0, as the last frame sees it.
    rate: Vector,
}

impl Skeleton {
    /// Lets all rates of a joint enter at its last frame, where that makes their coefficients numbers.
    pub(super) fn join_turns(&mut self, calc: &mut Calc<'_>) {
        for chain in self.chains() {
            let Some(spin) = self.joined(calc, &chain) else {
                continue;
            };
            let joined = spin.coefficients.values().flatten();
            let apart = chain.iter().flat_map(|f| &self.frames[*f].spin);
            let apart = apart.flat_map(|(_, axis)| axis);
            let variable = |v: &&Value| calc.graph.as_rational(**v).is_none();
            if joined.filter(variable).count() >= apart.filter(variable).count() {
                continue;
            }
            for f in &chain {
                let none = calc.nothing();
                let frame = &mut self.frames[*f];
                frame.spin.clear();
                (frame.spin_value, frame.spin_rate) = (none, none);
                frame.joint = Joint::Other;
            }
            let last = &mut self.frames[chain[chain.len() - 1]];
            last.spin = spin.coefficients.into_iter().collect();
            (last.spin_value, last.spin_rate) = (spin.value, spin.rate);
        }
    }

    /// Frames that follow each other, at least two, of which only the last has anything fixed to it or turned from it.
    fn chains(&self) -> Vec<Vec<usize>> {
        let mut children = vec![0; self.frames.len()];
        for parent in self.frames.iter().filter_map(|f| f.parent) {
            children[parent] += 1;
        }
        let mut idle: Vec<bool> = self.frames.iter().map(|f| f.moves).collect();
        for (f, _) in self.masses.iter().filter_map(|m| m.rotation.as_ref()) {
            idle[*f] = false;
        }
        for (f, _) in &self.torques {
            idle[*f] = false;
        }
        for offset in self.points.iter().flat_map(|p| &p.offsets) {
            idle[offset.frame] = false;
        }
        let leads = |f: usize| idle[f] && children[f] == 1;
        let ends = (0..self.frames.len()).filter(|f| self.frames[*f].moves && !leads(*f));
        let chain = |end: usize| {
            let mut chain = vec![end];
            while let Some(parent) = self.frames[chain[chain.len() - 1]].parent
                && leads(parent)
            {
                chain.push(parent);
            }
            chain.reverse();
            chain
        };
        ends.map(chain).filter(|chain| chain.len() > 1).collect()
    }

    fn joined(&self, calc: &mut Calc<'_>, chain: &[usize]) -> Option<Spin> {
        let mut so_far: Option<Spin> = None;
        for f in chain {
            let frame = &self.frames[*f];
            let own = Spin {
                coefficients: frame.spin.iter().copied().collect(),
                value: frame.spin_value,
                rate: frame.spin_rate,
            };
            so_far = Some(match so_far {
                None => own,
                Some(before) => before.and(calc, frame, own),
            });
        }
        so_far
    }
}

impl Spin {
    /// With the turn of the next frame.
    fn and(self, calc: &mut Calc<'_>, frame: &Frame, own: Self) -> Self {
        // Components in the frame from those in its parent.
        let columns = frame.rotation;
        let mut turn = |v: &Vector| -> Vector {
            std::array::from_fn(|i| calc.dot(&[columns[0][i], columns[1][i], columns[2][i]], v))
        };
        let value = turn(&self.value);
        let rate = turn(&self.rate);
        let mut coefficients: BTreeMap<usize, Vector> = BTreeMap::new();
        for (k, axis) in &self.coefficients {
            coefficients.insert(*k, turn(axis));
        }
        for (k, axis) in own.coefficients {
            let sum = match coefficients.get(&k) {
                Some(before) => calc.plus(before, &axis),
                None => axis,
            };
            coefficients.insert(k, sum);
        }
        coefficients.retain(|_, axis| !calc.is_nothing(axis));
        // The frame turns on with its own spin under the vector that it sees.
        let turned = calc.cross(&value, &own.value);
        let rate = calc.plus(&rate, &turned);
        Self {
            coefficients,
            rate: calc.plus(&rate, &own.rate),
            value: calc.plus(&value, &own.value),
        }
    }
}
