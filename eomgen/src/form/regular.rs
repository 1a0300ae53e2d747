//! Proof that a mass matrix is positive definite everywhere: if every body stands still, does every
//! speed vanish? Standstill is propagated along the frame and point trees; a vector equation with up
//! to three unknown speeds settles them if the Gram determinant of its columns is certainly nonzero.

use super::{Context, Equations, Space};
use crate::elim::{self, Matrix};
use crate::mech::definite::{self, small};
use crate::mech::kinematics::Kinematics;
use crate::mech::support::Support;
use crate::mech::vec3::{self, Linear, Mat3, Vec3};
use crate::model::system::{FrameId, PointId, Sign};
use crate::sym::{Algebra, Expr};

/// Whether M of the equations is certainly positive definite under the declared assumptions.
pub fn is_positive_definite(c: &mut Context<'_>, e: &Equations) -> bool {
    let given = c.energies.as_ref().and_then(|e| e.kinetic.clone());
    match given {
        None => stands_still(c, e.space, &[]),
        // What is given is positive semidefinite and adds to what the bodies show, or the sum has to speak for itself.
        Some(given) => {
            let still = given.certain(&mut c.alg);
            still.is_some_and(|rates| stands_still(c, e.space, &rates))
                || definite::is_certainly_positive(&mut c.alg, &e.mass)
        }
    }
}

/// Whether M is certainly positive definite on the motions that the constraints allow: in the independent speeds of the state.
pub fn is_positive_on_constraints(c: &mut Context<'_>) -> bool {
    let given = c.energies.as_ref().is_some_and(|e| e.kinetic.is_some());
    c.speeds.reduced && !given && stands_still(c, Space::SpeedRates, &[])
}

/// Whether M of the bodies is certainly positive definite in the speeds of a space.
pub fn stands_still_in(c: &mut Context<'_>, space: Space) -> bool {
    stands_still(c, space, &[])
}

/// Whether a pivot of M, which is positive semidefinite, is certainly none that vanishes. A pivot is the least energy of a motion with a unit
/// of its speeds and whatever it takes of those eliminated before; the `others` rest. It vanishes where such a motion moves no body.
pub fn is_felt(c: &mut Context<'_>, space: Space, own: &[usize], others: Vec<bool>) -> bool {
    let given = c.energies.as_ref().and_then(|e| e.kinetic.clone());
    let rates = given.and_then(|given| given.certain(&mut c.alg));
    let proof = Proof::Everywhere;
    let settled = settled(c, (space, proof), &rates.unwrap_or_default(), others);
    own.iter().all(|i| settled.get(*i) == Some(&true))
}

/// Whether every speed vanishes if every body stands still and these rates vanish.
fn stands_still(c: &mut Context<'_>, space: Space, rates: &[usize]) -> bool {
    // The rates are injective functions of the speeds.
    rates.len() == c.system.coords.len() || settles(c, (space, Proof::Everywhere), rates)
}

/// Whether every speed vanishes if every body stands still, but for some states: then the bodies determine the motion.
pub fn is_determined_by_bodies(c: &mut Context<'_>) -> bool {
    settles(c, (Space::Accelerations, Proof::Somewhere), &[])
}

fn settles(c: &mut Context<'_>, on: (Space, Proof), rates: &[usize]) -> bool {
    let n = c.kinematics(on.0).motion.speeds.len();
    let settled = settled(c, on, rates, vec![false; n]);
    settled.iter().all(|settled| *settled)
}

/// Where what is divided by does not vanish.
#[derive(Clone, Copy)]
enum Proof {
    /// At no state.
    Everywhere,
    /// Not at all states.
    Somewhere,
}

impl Proof {
    fn is_nonzero(self, alg: &mut Algebra, e: &Expr) -> bool {
        match self {
            Self::Everywhere => alg.is_nonzero(e),
            Self::Somewhere => !alg.is_zero(e),
        }
    }
}

/// Which speeds vanish if every body stands still, and these rates and those speeds vanish that are `settled` already.
fn settled(
    c: &mut Context<'_>,
    (space, proof): (Space, Proof),
    rates: &[usize],
    mut settled: Vec<bool>,
) -> Vec<bool> {
    let (alg, _, k, masses) = c.parts(space);
    // Frames that do not turn about some of their axes.
    let mut axes: Vec<(usize, usize)> = Vec::new();
    let mut still_frames = vec![false; k.frames.len()];
    let mut still_points = vec![false; k.points.len()];
    still_frames[0] = true;
    still_points[0] = true;
    for m in masses {
        if !matches!(alg.sign(&m.mass), Some(Sign::Positive)) {
            continue;
        }
        still_points[m.center.index()] = true;
        let Some((f, inertia)) = &m.rotation else {
            continue;
        };
        match certain_axes(alg, inertia) {
            Some([true, true, true]) => still_frames[f.index()] = true,
            Some(certain) => {
                axes.extend((0..3).filter(|k| certain[*k]).map(|k| (f.index(), k)));
            }
            None => {}
        }
    }
    for i in rates {
        let open: Vec<(&usize, &Expr)> = k.motion.rates[*i].coef.iter().collect();
        if let [(s, h)] = open.as_slice()
            && proof.is_nonzero(alg, h)
        {
            settled[**s] = true;
        }
    }
    loop {
        let before = (settled.clone(), still_frames.clone(), still_points.clone());
        settle_frames(alg, k, proof, (&mut still_frames, &mut settled));
        settle_axes(alg, k, proof, (&axes, &mut settled));
        settle_points(alg, k, proof, (&mut still_points, &mut settled));
        let all = settled.iter().all(|s| *s);
        if all || before == (settled.clone(), still_frames.clone(), still_points.clone()) {
            return settled;
        }
    }
}

/// What follows of frames that do not turn, from the ground outwards.
fn settle_frames(
    alg: &mut Algebra,
    k: &Kinematics,
    proof: Proof,
    (still, settled): (&mut [bool], &mut [bool]),
) {
    for (i, f) in k.frames.iter().enumerate() {
        if still[i] {
            if f.parent.is_some_and(|p| still[p.index()]) {
                settle(alg, &f.relative, proof, settled);
            }
            let open = open(&f.turned_by, settled);
            if (1..=TOGETHER).contains(&open.len()) {
                let turning = k.turning_by(alg, FrameId(i as u32), &open);
                settle(alg, &turning, proof, settled);
            }
        }
        still[i] |= f.turned_by.speeds.iter().all(|k| settled[*k]);
    }
}

/// What follows of frames that do not turn about some of their axes.
fn settle_axes(
    alg: &mut Algebra,
    k: &Kinematics,
    proof: Proof,
    (axes, settled): (&[(usize, usize)], &mut [bool]),
) {
    for (f, axis) in axes {
        let open = open(&k.frames[*f].turned_by, settled);
        if open.is_empty() {
            continue;
        }
        let turning = k.turning_by(alg, FrameId(*f as u32), &open);
        let turns = turning.coef.iter().filter(|(_, v)| !alg.is_zero(&v[*axis]));
        let turns: Vec<(usize, &Expr)> = turns.map(|(s, v)| (*s, &v[*axis])).collect();
        if let [(s, h)] = turns.as_slice()
            && proof.is_nonzero(alg, h)
        {
            settled[*s] = true;
        }
    }
}

/// What follows of points that do not move, from the ground outwards.
fn settle_points(
    alg: &mut Algebra,
    k: &Kinematics,
    proof: Proof,
    (still, settled): (&mut [bool], &mut [bool]),
) {
    for (i, p) in k.points.iter().enumerate() {
        if still[i] {
            let point = PointId(i as u32);
            let stepping = open(&p.stepped_by, settled);
            let base = p.base.is_some_and(|b| still[b.index()]);
            if base && (1..=TOGETHER).contains(&stepping.len()) {
                let step = k.step_by(alg, point, &stepping);
                settle(alg, &step, proof, settled);
            }
            let moving = open(&p.moved_by, settled);
            if (1..=TOGETHER).contains(&moving.len()) {
                let moving = k.moving_by(alg, point, &moving);
                settle(alg, &moving, proof, settled);
            }
        }
        still[i] |= p.moved_by.speeds.iter().all(|k| settled[*k]);
    }
}

/// Whether no mass and no inertia is negative, so that M is at least positive semidefinite.
pub fn is_semidefinite(c: &mut Context<'_>) -> bool {
    let given = c.energies.as_ref().and_then(|e| e.kinetic.clone());
    if given.is_some_and(|given| given.certain(&mut c.alg).is_none()) {
        return false;
    }
    let masses = c.masses.clone();
    masses.iter().all(|m| {
        let mass = matches!(
            c.alg.sign(&m.mass),
            Some(Sign::Positive | Sign::NonNegative)
        );
        mass && m
            .rotation
            .as_ref()
            .is_none_or(|(_, i)| certain_axes(&mut c.alg, i).is_some())
    })
}

/// A vector equation settles no more speeds than it has components.
const TOGETHER: usize = 3;

/// The speeds of a velocity that are not settled.
fn open(support: &Support, settled: &[bool]) -> Vec<usize> {
    let speeds = support.speeds.iter().copied();
    speeds.filter(|k| !settled[*k]).collect()
}

fn settle(alg: &mut Algebra, l: &Linear<Vec3>, proof: Proof, settled: &mut [bool]) {
    let open: Vec<usize> = l.coef.keys().copied().filter(|k| !settled[*k]).collect();
    if open.is_empty() || open.len() > TOGETHER {
        return;
    }
    let gram: Matrix = open
        .iter()
        .map(|a| {
            open.iter()
                .map(|b| vec3::dot(&l.coef[a], &l.coef[b]))
                .collect()
        })
        .collect();
    let gram: Matrix = gram
        .into_iter()
        .map(|r| r.into_iter().map(|e| plain(alg, &e)).collect())
        .collect();
    let d = elim::determinant(alg, &gram);
    if proof.is_nonzero(alg, &d) {
        open.iter().for_each(|k| settled[*k] = true);
    }
}

/// A product of partial velocities: 0 or 1 where it is that identically, as with velocities in the axes of a body.
fn plain(alg: &mut Algebra, e: &Expr) -> Expr {
    let numbers = [Expr::zero(), Expr::one()];
    let found = numbers.into_iter().find(|n| alg.equal(e, n));
    found.unwrap_or_else(|| small(alg, e))
}

/// About which of its axes a body of this inertia cannot turn without energy; `None` if its inertia is not certainly semidefinite.
fn certain_axes(alg: &mut Algebra, inertia: &Mat3) -> Option<[bool; 3]> {
    if is_definite(alg, inertia) {
        return Some([true; 3]);
    }
    let mut certain = [false; 3];
    for i in 0..3 {
        for j in (0..3).filter(|j| *j != i) {
            if !alg.is_zero(&inertia[i][j]) {
                return None;
            }
        }
        match alg.sign(&inertia[i][i]) {
            Some(Sign::Positive) => certain[i] = true,
            Some(Sign::NonNegative) => {}
            _ if alg.is_zero(&inertia[i][i]) => {}
            _ => return None,
        }
    }
    Some(certain)
}

/// Leading minors positive.
fn is_definite(alg: &mut Algebra, inertia: &Mat3) -> bool {
    (1..=3).all(|k| {
        let minor: Matrix = inertia[..k].iter().map(|r| r[..k].to_vec()).collect();
        let d = elim::determinant(alg, &minor);
        let d = small(alg, &d);
        matches!(alg.sign(&d), Some(Sign::Positive))
    })
}
