//! What a whole branch answers to a change of its motion, about the place where it hangs.
//!
//! Where its frame begins to turn by `delta omega` more, and with it by `alpha*` and `a*` more than this entails in itself,
//!
//! ```text
//! alpha* = delta alpha + omega x delta omega,      a* = delta a - 2 delta omega x v,
//! ```
//!
//! a place `r` of the branch with velocity `v_r` accelerates by `a* + alpha* x r + 2 delta omega x v_r` more, however the branch moves in
//! itself. So with mass m, first and second moments h and J, momentum p and `C = sum m ((r.v) 1 - v r^T)`,
//!
//! ```text
//! delta force  = m a* + alpha* x h + 2 delta omega x p
//! delta moment = J alpha* + h x a* + 2 C delta omega
//! ```

use super::super::inertias::Inertias;
use super::super::skeleton::Skeleton;
use super::super::vectors::{Tensor, Vector, Vectors, transpose};
use super::motion::Motion;
use super::tree::{Node, Step, Tree};
use crate::ir::{Rational, Value};
use crate::solve::Calc;

/// A moment and a force.
#[derive(Clone, Copy)]
pub(super) struct Wrench {
    pub moment: Vector,
    pub force: Vector,
}

/// A branch, about the node where it hangs and in its axes.
#[derive(Clone, Copy)]
pub(super) struct Composite {
    mass: Value,
    first: Vector,
    second: Tensor,
    momentum: Vector,
    couple: Tensor,
    /// What its motion takes.
    pub wrench: Wrench,
}

/// A change of a node's motion.
#[derive(Clone, Copy)]
pub(super) struct Change {
    /// Twice the change of the angular velocity.
    pub omega: Vector,
    /// `alpha*`
    pub alpha: Vector,
    /// `a*`
    pub acceleration: Vector,
}

impl Wrench {
    pub fn plus(&self, calc: &mut Calc<'_>, other: &Self) -> Self {
        Self {
            moment: calc.plus(&self.moment, &other.moment),
            force: calc.plus(&self.force, &other.force),
        }
    }

    /// About the node before.
    pub fn inward(&self, calc: &mut Calc<'_>, s: &Skeleton, node: &Node) -> Self {
        match node.step {
            Step::Turn(f) => Self {
                moment: calc.apply(&s.frames[f].rotation, &self.moment),
                force: calc.apply(&s.frames[f].rotation, &self.force),
            },
            Step::Shift(p, k) => {
                let arm = calc.cross(&s.points[p].offsets[k].place, &self.force);
                Self {
                    moment: calc.plus(&self.moment, &arm),
                    force: self.force,
                }
            }
        }
    }
}

impl Composite {
    fn nothing(calc: &Calc<'_>) -> Self {
        let none = calc.nothing();
        Self {
            mass: calc.graph.zero(),
            first: none,
            second: [none; 3],
            momentum: none,
            couple: [none; 3],
            wrench: Wrench {
                moment: none,
                force: none,
            },
        }
    }

    /// A mass at the node.
    fn point(calc: &mut Calc<'_>, mass: Value, motion: &Motion) -> Self {
        let none = Self::nothing(calc);
        Self {
            mass,
            momentum: calc.times(mass, &motion.velocity),
            wrench: Wrench {
                force: calc.times(mass, &motion.acceleration),
                ..none.wrench
            },
            ..none
        }
    }

    /// Moments about the node, without mass at it.
    fn moments(calc: &mut Calc<'_>, h: &Vector, second: &Tensor, motion: &Motion) -> Self {
        let (omega, v) = (&motion.omega, &motion.velocity);
        let momentum = calc.cross(omega, h);
        let inward = calc.cross(omega, &momentum);
        let tangential = calc.cross(&motion.alpha, h);
        let spread = spread(calc, second);
        let skew = calc.skew(omega);
        let rotating = calc.product(&skew, &spread);
        // omega x J omega
        let gyration = calc.apply(&rotating, omega);
        let faster = calc.apply(second, &motion.alpha);
        let arm = calc.cross(h, &motion.acceleration);
        let moment = calc.minus(&faster, &gyration);
        let couple = outer(calc, h, v);
        let couple = std::array::from_fn(|i| calc.minus(&couple[i], &rotating[i]));
        Self {
            first: *h,
            second: *second,
            momentum,
            couple,
            wrench: Wrench {
                moment: calc.plus(&moment, &arm),
                force: calc.plus(&tangential, &inward),
            },
            ..Self::nothing(calc)
        }
    }

    fn plus(&self, calc: &mut Calc<'_>, other: &Self) -> Self {
        Self {
            mass: calc.add(self.mass, other.mass),
            first: calc.plus(&self.first, &other.first),
            second: symmetric_sum(calc, &self.second, &other.second),
            momentum: calc.plus(&self.momentum, &other.momentum),
            couple: std::array::from_fn(|i| calc.plus(&self.couple[i], &other.couple[i])),
            wrench: self.wrench.plus(calc, &other.wrench),
        }
    }

    /// About the node before.
    fn inward(&self, calc: &mut Calc<'_>, s: &Skeleton, node: &Node) -> Self {
        let wrench = self.wrench.inward(calc, s, node);
        match node.step {
            Step::Turn(f) => {
                let frame = &s.frames[f];
                let r = &frame.rotation;
                let turn = frame.turn.map(|t| t.0);
                Self {
                    mass: self.mass,
                    first: calc.apply(r, &self.first),
                    second: turned(calc, r, turn, &self.second),
                    momentum: calc.apply(r, &self.momentum),
                    couple: turned(calc, r, turn, &self.couple),
                    wrench,
                }
            }
            Step::Shift(p, k) => {
                let d = &s.points[p].offsets[k].place;
                let before = self.first;
                let moved = calc.times(self.mass, d);
                let first = calc.plus(&before, &moved);
                let shift = parallel(calc, d, &before, &first);
                let couple = outer(calc, d, &self.momentum);
                Self {
                    mass: self.mass,
                    first,
                    second: symmetric_sum(calc, &self.second, &shift),
                    momentum: self.momentum,
                    couple: std::array::from_fn(|i| calc.plus(&self.couple[i], &couple[i])),
                    wrench,
                }
            }
        }
    }

    /// What it answers to a change.
    pub fn answer(&self, calc: &mut Calc<'_>, change: &Change) -> Wrench {
        let turning = calc.apply(&self.second, &change.alpha);
        let arm = calc.cross(&self.first, &change.acceleration);
        let couple = calc.apply(&self.couple, &change.omega);
        let moment = calc.plus(&turning, &arm);
        let pushed = calc.times(self.mass, &change.acceleration);
        let tangential = calc.cross(&change.alpha, &self.first);
        let coriolis = calc.cross(&change.omega, &self.momentum);
        let force = calc.plus(&pushed, &tangential);
        Wrench {
            moment: calc.plus(&moment, &couple),
            force: calc.plus(&force, &coriolis),
        }
    }

    /// What a share of its wrench changes by with alpha* and a*, and with twice delta omega: the share is `moment . n + force . f`.
    pub fn share(&self, calc: &mut Calc<'_>, of: &Wrench) -> (Wrench, Vector) {
        let change = Change {
            omega: calc.nothing(),
            alpha: of.moment,
            acceleration: of.force,
        };
        let by = self.answer(calc, &change);
        let couple = calc.apply(&transpose(&self.couple), &of.moment);
        let coriolis = calc.cross(&self.momentum, &of.force);
        (by, calc.plus(&couple, &coriolis))
    }
}

/// The composites of all nodes, inward from the tips.
pub(super) fn composites(
    calc: &mut Calc<'_>,
    s: &Skeleton,
    (tree, inertias): (&Tree, &Inertias),
    motions: &[Motion],
) -> Vec<Composite> {
    let mut list = vec![Composite::nothing(calc); tree.nodes.len()];
    for (p, at) in &tree.masses {
        let own = Composite::point(calc, inertias.masses[p], &motions[*at]);
        list[*at] = list[*at].plus(calc, &own);
    }
    for (key, at) in &tree.moments {
        let (h, second) = &inertias.moments[key];
        let own = Composite::moments(calc, h, second, &motions[*at]);
        list[*at] = list[*at].plus(calc, &own);
    }
    for at in (1..tree.nodes.len()).rev() {
        let node = &tree.nodes[at];
        let carried = list[at].inward(calc, s, node);
        list[node.parent] = list[node.parent].plus(calc, &carried);
    }
    list
}

/// `(a.b) 1 - b a^T`
fn outer(calc: &mut Calc<'_>, a: &Vector, b: &Vector) -> Tensor {
    let own: Vector = std::array::from_fn(|i| calc.mul(a[i], b[i]));
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            if i == j {
                return calc.add(own[(i + 1) % 3], own[(i + 2) % 3]);
            }
            let product = calc.mul(b[i], a[j]);
            calc.neg(product)
        })
    })
}

/// What the second moments `J` gain by a shift `d`, with the first moments before and after it: `(d.(h + h')) 1 - (h d^T + d h'^T)`, symmetric.
fn parallel(calc: &mut Calc<'_>, d: &Vector, before: &Vector, after: &Vector) -> Tensor {
    let both = calc.plus(before, after);
    let own: Vector = std::array::from_fn(|i| calc.mul(d[i], both[i]));
    let mut sum = [calc.nothing(); 3];
    for i in 0..3 {
        sum[i][i] = calc.add(own[(i + 1) % 3], own[(i + 2) % 3]);
        for j in i + 1..3 {
            let one = calc.mul(before[i], d[j]);
            let other = calc.mul(d[i], after[j]);
            let product = calc.add(one, other);
            sum[i][j] = calc.neg(product);
            sum[j][i] = sum[i][j];
        }
    }
    sum
}

fn symmetric_sum(calc: &mut Calc<'_>, a: &Tensor, b: &Tensor) -> Tensor {
    let mut sum = *a;
    for i in 0..3 {
        for j in i..3 {
            sum[i][j] = calc.add(a[i][j], b[i][j]);
            sum[j][i] = sum[i][j];
        }
    }
    sum
}

/// `1/2 tr(J) 1 - J`: the second moments of the mass.
fn spread(calc: &mut Calc<'_>, second: &Tensor) -> Tensor {
    let half = Rational::new(1.into(), 2.into());
    let half = calc.graph.rational(&half);
    let trace = calc.add(second[0][0], second[1][1]);
    let trace = calc.add(trace, second[2][2]);
    let trace = calc.mul(half, trace);
    std::array::from_fn(|i| {
        std::array::from_fn(|j| match i == j {
            true => calc.sub(trace, second[i][i]),
            false => calc.neg(second[i][j]),
        })
    })
}

/// `R t R^T`. About a basis vector the block across it takes thirteen operations.
fn turned(calc: &mut Calc<'_>, r: &Tensor, axis: Option<usize>, t: &Tensor) -> Tensor {
    let Some(w) = axis else {
        let half = calc.product(r, t);
        let back = calc.product(r, &transpose(&half));
        return transpose(&back);
    };
    let (u, v) = ((w + 1) % 3, (w + 2) % 3);
    let (c, s) = (r[u][u], r[v][u]);
    let mut out = *t;
    let difference = calc.sub(t[v][v], t[u][u]);
    let sum = calc.add(t[u][v], t[v][u]);
    let one = calc.mul(s, difference);
    let other = calc.mul(c, sum);
    let x = calc.sub(one, other);
    let (sx, cx) = (calc.mul(s, x), calc.mul(c, x));
    out[u][u] = calc.add(t[u][u], sx);
    out[v][v] = calc.sub(t[v][v], sx);
    let upper = calc.add(cx, t[v][u]);
    let lower = calc.add(cx, t[u][v]);
    out[u][v] = calc.neg(upper);
    out[v][u] = calc.neg(lower);
    let row = calc.apply(r, &t[w]);
    let column = calc.apply(r, &transpose(t)[w]);
    for i in [u, v] {
        out[w][i] = row[i];
        out[i][w] = column[i];
    }
    out
}
