//! Changes carried to the base, joint by joint: what the branch beyond a joint answers, and how the share that a speed has of a branch's
//! wrench changes with the joints nearer to the base.

use super::super::axes::{Axes, Turner};
use super::super::skeleton::Skeleton;
use super::super::vectors::{Vector, Vectors, transpose};
use super::composite::{Change, Composite, Wrench};
use super::local::{Local, Turning};
use super::motion::Motion;
use super::tree::{Step, Tree};
use crate::ir::{Rational, Value};
use crate::solve::Calc;

/// The mass matrix and the derivatives, some of them halves, row by row.
pub(super) struct Found {
    pub mass: Vec<Value>,
    pub forces: Vec<Value>,
}

struct Sweep<'c, 'g, 's> {
    calc: &'c mut Calc<'g>,
    s: &'s Skeleton,
    tree: &'s Tree,
    motions: &'s [Motion],
    composites: &'s [Composite],
    /// The rates of the speeds.
    rates: &'s [Value],
    /// Of which leaves halves are taken.
    halves: &'s [bool],
    found: Found,
}

/// The mass matrix, and the derivatives of the forces that the motion takes.
pub(super) fn sweep(
    calc: &mut Calc<'_>,
    (s, tree): (&Skeleton, &Tree),
    (locals, halves): (&[Vec<Local>], &[bool]),
    (motions, composites): (&[Motion], &[Composite]),
    rates: &[Value],
) -> Found {
    let (zero, speeds) = (calc.graph.zero(), s.speeds.len());
    let mut sweep = Sweep {
        calc,
        s,
        tree,
        motions,
        composites,
        rates,
        halves,
        found: Found {
            mass: vec![zero; speeds * speeds],
            forces: vec![zero; speeds * halves.len()],
        },
    };
    let changes: Vec<Vec<Change>> = (0..tree.nodes.len())
        .map(|at| locals[at].iter().map(|l| sweep.change(at, l)).collect())
        .collect();
    for (at, list) in locals.iter().enumerate() {
        for (local, change) in list.iter().zip(&changes[at]) {
            sweep.column(at, local, change);
        }
    }
    for at in 1..tree.nodes.len() {
        for (k, axis) in coefficients(s, tree.nodes[at].step) {
            sweep.row(at, (*k, axis), locals, &changes);
        }
    }
    sweep.found
}

impl Sweep<'_, '_, '_> {
    /// How a node's motion changes with a leaf where that of its parent does not.
    fn change(&mut self, at: usize, local: &Local) -> Change {
        let node = self.tree.nodes[at];
        let calc = &mut *self.calc;
        let motion = &self.motions[at];
        let before = &self.motions[node.parent];
        // Of what the leaf changes, and of twice that.
        let share = |whole: i64, part: i64| Rational::new(whole.into(), part.into());
        let [one, two] = match self.halves[local.leaf] {
            true => [share(1, 2), share(1, 1)],
            false => [share(1, 1), share(2, 1)],
        };
        let [one, two] = [one, two].map(|x| calc.graph.rational(&x));
        let second = faster(calc, self.s, node.step, local, self.rates);
        let second = calc.times(one, &second);
        let Step::Turn(f) = node.step else {
            let turning = calc.cross(&before.omega, &local.place);
            let twice = calc.times(two, &local.rate);
            let turning = calc.plus(&turning, &twice);
            let inward = calc.cross(&before.omega, &turning);
            let tangential = calc.cross(&before.alpha, &local.place);
            let sum = calc.plus(&inward, &tangential);
            let none = calc.nothing();
            return Change {
                omega: none,
                alpha: none,
                acceleration: calc.plus(&sum, &second),
            };
        };
        let frame = &self.s.frames[f];
        let inward = transpose(&frame.rotation);
        let carried = calc.apply(&inward, &before.omega);
        let above = calc.apply(&inward, &before.alpha);
        let [turned, above, pushed] = match local.turn {
            Turning::None => [calc.nothing(); 3],
            Turning::About(axis) => {
                [&carried, &above, &motion.acceleration].map(|v| calc.cross(v, &axis))
            }
            Turning::By(slope) => {
                let slope = transpose(&slope);
                [&before.omega, &before.alpha, &before.acceleration].map(|v| calc.apply(&slope, v))
            }
        };
        let own = calc.times(two, &local.rate);
        let turning = calc.plus(&turned, &own);
        let turning = calc.cross(&carried, &turning);
        let spinning = calc.cross(&frame.spin_value, &local.rate);
        let spinning = calc.times(one, &spinning);
        let alpha = calc.plus(&above, &turning);
        let alpha = calc.plus(&alpha, &spinning);
        let turned = calc.plus(&turned, &turned);
        let omega = calc.plus(&turned, &own);
        let coriolis = calc.cross(&motion.velocity, &omega);
        Change {
            omega,
            alpha: calc.plus(&alpha, &second),
            acceleration: calc.plus(&pushed, &coriolis),
        }
    }

    /// What the branch answers, at this joint and at all nearer to the base.
    fn column(&mut self, at: usize, local: &Local, change: &Change) {
        let node = self.tree.nodes[at];
        let composite = &self.composites[at];
        let wrench = composite.wrench;
        let mut answer = composite.answer(self.calc, change);
        self.take(at, &answer, local.leaf);
        let own = coefficients(self.s, node.step);
        for ((k, _), slope) in own.iter().zip(&local.coefficients) {
            let part = self.felt(node.step, slope, &wrench);
            self.add(*k, local.leaf, part);
        }
        let calc = &mut *self.calc;
        if let Turning::About(axis) = &local.turn {
            let moment = calc.cross(axis, &wrench.moment);
            let force = calc.cross(axis, &wrench.force);
            answer.moment = calc.plus(&answer.moment, &moment);
            answer.force = calc.plus(&answer.force, &force);
        }
        answer = answer.inward(calc, self.s, &node);
        if let Turning::By(slope) = &local.turn {
            let moment = calc.apply(slope, &wrench.moment);
            let force = calc.apply(slope, &wrench.force);
            answer.moment = calc.plus(&answer.moment, &moment);
            answer.force = calc.plus(&answer.force, &force);
        }
        let arm = calc.cross(&local.place, &wrench.force);
        answer.moment = calc.plus(&answer.moment, &arm);
        let mut at = node.parent;
        while at != 0 {
            self.take(at, &answer, local.leaf);
            let node = self.tree.nodes[at];
            answer = answer.inward(self.calc, self.s, &node);
            at = node.parent;
        }
    }

    /// How a speed's share of the branch's wrench changes with the rates of all speeds up to its joint, and with the joints nearer to the base.
    fn row(
        &mut self,
        at: usize,
        (k, axis): (usize, &Vector),
        locals: &[Vec<Local>],
        changes: &[Vec<Change>],
    ) {
        let unit = self.share(self.tree.nodes[at].step, axis);
        let (mut by, mut omega) = self.composites[at].share(self.calc, &unit);
        let mut at = at;
        let mut own = true;
        while at != 0 {
            let node = self.tree.nodes[at];
            for (l, axis) in coefficients(self.s, node.step) {
                let part = self.felt(node.step, axis, &by);
                let speeds = self.s.speeds.len();
                let mut places = vec![k * speeds + l];
                if !own {
                    places.push(l * speeds + k);
                }
                for place in places {
                    let old = self.found.mass[place];
                    self.found.mass[place] = self.calc.add(old, part);
                }
            }
            if !own {
                for (local, change) in locals[at].iter().zip(&changes[at]) {
                    let turned = self.calc.dot(&omega, &change.omega);
                    let faster = self.calc.dot(&by.moment, &change.alpha);
                    let pushed = self.calc.dot(&by.force, &change.acceleration);
                    let sum = self.calc.add(turned, faster);
                    let sum = self.calc.add(sum, pushed);
                    self.add(k, local.leaf, sum);
                }
            }
            own = false;
            by = by.inward(self.calc, self.s, &node);
            if let Step::Turn(f) = node.step {
                omega = self.calc.apply(&self.s.frames[f].rotation, &omega);
            }
            at = node.parent;
        }
    }

    /// What the speeds at a node feel of a wrench.
    fn take(&mut self, at: usize, wrench: &Wrench, leaf: usize) {
        let step = self.tree.nodes[at].step;
        for (k, axis) in coefficients(self.s, step) {
            let part = self.felt(step, axis, wrench);
            self.add(*k, leaf, part);
        }
    }

    fn felt(&mut self, step: Step, axis: &Vector, wrench: &Wrench) -> Value {
        felt(self.calc, step, axis, wrench)
    }

    /// What a speed feels as a wrench.
    fn share(&self, step: Step, axis: &Vector) -> Wrench {
        let none = self.calc.nothing();
        match step {
            Step::Turn(_) => Wrench {
                moment: *axis,
                force: none,
            },
            Step::Shift(..) => Wrench {
                moment: none,
                force: *axis,
            },
        }
    }

    fn add(&mut self, speed: usize, leaf: usize, part: Value) {
        let place = speed * self.halves.len() + leaf;
        let old = self.found.forces[place];
        self.found.forces[place] = self.calc.add(old, part);
    }
}

/// What is felt of a wrench along the coefficient of a speed.
fn felt(calc: &mut Calc<'_>, step: Step, axis: &Vector, wrench: &Wrench) -> Value {
    match step {
        Step::Turn(_) => calc.dot(axis, &wrench.moment),
        Step::Shift(..) => calc.dot(axis, &wrench.force),
    }
}

/// How the rate of a step's rate changes at these rates of the speeds.
fn faster(calc: &mut Calc<'_>, s: &Skeleton, step: Step, local: &Local, rates: &[Value]) -> Vector {
    let mut sum = local.second;
    for ((k, _), slope) in coefficients(s, step).iter().zip(&local.coefficients) {
        let term = calc.times(rates[*k], slope);
        sum = calc.plus(&sum, &term);
    }
    sum
}

/// The coefficients of the speeds in the rate of a step.
fn coefficients(s: &Skeleton, step: Step) -> &[(usize, Vector)] {
    match step {
        Step::Turn(f) => &s.frames[f].spin,
        Step::Shift(p, k) => &s.points[p].offsets[k].rate,
    }
}

/// The forces on the speeds that the motion of the branches takes.
pub(super) fn forces(
    calc: &mut Calc<'_>,
    s: &Skeleton,
    tree: &Tree,
    composites: &[Composite],
) -> Vec<Value> {
    let mut sums = vec![calc.graph.zero(); s.speeds.len()];
    for (node, composite) in tree.nodes.iter().zip(composites).skip(1) {
        for (k, axis) in coefficients(s, node.step) {
            let part = felt(calc, node.step, axis, &composite.wrench);
            sums[*k] = calc.add(sums[*k], part);
        }
    }
    sums
}

/// What the model's loads are on the speeds.
pub(super) fn loads(calc: &mut Calc<'_>, s: &Skeleton, tree: &Tree) -> Vec<Value> {
    let none = Wrench {
        moment: calc.nothing(),
        force: calc.nothing(),
    };
    let mut wrenches = vec![none; tree.nodes.len()];
    let axes = vec![Axes::Own; s.frames.len()];
    let mut turner = Turner::new(calc, s, &axes);
    for ((_, force), at) in s.forces.iter().zip(&tree.forces) {
        let own = turner.sum(calc, force, tree.nodes[*at].frame);
        wrenches[*at].force = calc.plus(&wrenches[*at].force, &own);
    }
    for ((_, torque), at) in s.torques.iter().zip(&tree.torques) {
        let own = turner.sum(calc, torque, tree.nodes[*at].frame);
        wrenches[*at].moment = calc.plus(&wrenches[*at].moment, &own);
    }
    let mut sums = s.generalized.clone();
    for at in (1..tree.nodes.len()).rev() {
        let node = tree.nodes[at];
        for (k, axis) in coefficients(s, node.step) {
            let part = felt(calc, node.step, axis, &wrenches[at]);
            sums[*k] = calc.add(sums[*k], part);
        }
        let carried = wrenches[at].inward(calc, s, &node);
        wrenches[node.parent] = wrenches[node.parent].plus(calc, &carried);
    }
    sums
}
