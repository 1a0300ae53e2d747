//! Proof that a mass matrix is positive definite everywhere: if every body stands still, does every
//! speed vanish? Standstill is propagated along the frame and point trees; a vector equation with up
//! to three unknown speeds settles them if the Gram determinant of its columns is certainly nonzero.

use super::{Context, Equations, Space};
use crate::elim::{self, Matrix};
use crate::mech::definite::{self, small};
use crate::mech::vec3::{self, Linear, Mat3, Vec3};
use crate::model::system::Sign;
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

/// Which speeds certainly feel inertia: without kinetic energy they vanish, whatever the others do. With masses and inertias that are
/// certainly not negative no pivot that belongs to one of them vanishes, in whatever order M is eliminated, since it is the least
/// kinetic energy, twice, at which the speed is 1.
pub fn certain_speeds(c: &mut Context<'_>, space: Space) -> Vec<bool> {
    let given = c.energies.as_ref().is_some_and(|e| e.kinetic.is_some());
    if given || !is_semidefinite(c) {
        return vec![false; c.kinematics(space).motion.speeds.len()];
    }
    settled(c, space, &[])
}

/// Whether the inertia that these unknowns feel is certainly positive: they are among the certain ones, or coupled to nothing and their
/// inertia cannot vanish.
pub fn feels_inertia(
    alg: &mut Algebra,
    certain: &[bool],
    mass: &Matrix,
    unknowns: &[usize],
) -> bool {
    unknowns.iter().all(|i| {
        certain.get(*i).copied().unwrap_or(false)
            || mass.get(*i).is_some_and(|row| {
                let mut others = row.iter().enumerate().filter(|(j, _)| j != i);
                others.all(|(_, e)| alg.is_zero(e)) && alg.is_nonzero(&row[*i])
            })
    })
}

/// Whether every speed vanishes if every body stands still and these rates vanish.
fn stands_still(c: &mut Context<'_>, space: Space, rates: &[usize]) -> bool {
    // The rates are injective functions of the speeds.
    rates.len() == c.system.coords.len() || settled(c, space, rates).iter().all(|s| *s)
}

/// The speeds that certainly vanish if every body stands still and these rates vanish.
fn settled(c: &mut Context<'_>, space: Space, rates: &[usize]) -> Vec<bool> {
    let (alg, _, k, masses) = c.parts(space);
    let n = k.motion.speeds.len();
    let mut settled = vec![false; n];
    // Bodies that may turn about some axes without kinetic energy, as where only the moment about the axis of a planar model is given.
    let mut slender: Vec<(usize, Mat3)> = Vec::new();
    let mut still_frames = vec![false; k.frames.len()];
    let mut still_points = vec![false; k.points.len()];
    still_frames[0] = true;
    still_points[0] = true;
    for m in masses {
        if matches!(alg.sign(&m.mass), Some(Sign::Positive)) {
            still_points[m.center.index()] = true;
        }
        let Some((f, inertia)) = &m.rotation else {
            continue;
        };
        if is_definite(alg, inertia) {
            still_frames[f.index()] = true;
        } else if is_nonnegative(alg, inertia) {
            slender.push((f.index(), inertia.clone()));
        }
    }
    for i in rates {
        let open: Vec<(&usize, &Expr)> = k.motion.rates[*i].coef.iter().collect();
        if let [(s, h)] = open.as_slice()
            && alg.is_nonzero(h)
        {
            settled[**s] = true;
        }
    }
    loop {
        let before = (settled.clone(), still_frames.clone(), still_points.clone());
        for (i, f) in k.frames.iter().enumerate() {
            if still_frames[i] {
                if f.parent.is_some_and(|p| still_frames[p.index()]) {
                    settle(alg, &f.relative, &mut settled);
                }
                settle(alg, &f.omega, &mut settled);
            }
            still_frames[i] |= f.omega.coef.keys().all(|k| settled[*k]);
        }
        for (f, inertia) in &slender {
            let spin = &k.frames[*f].omega;
            settle_by(alg, spin, &mut settled, |v| vec3::apply(inertia, v));
        }
        for (i, p) in k.points.iter().enumerate() {
            if still_points[i] {
                if p.base.is_some_and(|b| still_points[b.index()]) {
                    settle(alg, &p.step, &mut settled);
                }
                settle(alg, &p.velocity, &mut settled);
            }
            still_points[i] |= p.velocity.coef.keys().all(|k| settled[*k]);
        }
        let now = (settled, still_frames, still_points);
        if now.0.iter().all(|s| *s) || before == now {
            return now.0;
        }
        (settled, still_frames, still_points) = now;
    }
}

/// Whether no mass and no moment of inertia is negative, so that M is at least positive semidefinite.
pub fn is_semidefinite(c: &mut Context<'_>) -> bool {
    let given = c.energies.as_ref().and_then(|e| e.kinetic.clone());
    if given.is_some_and(|given| given.certain(&mut c.alg).is_none()) {
        return false;
    }
    let masses = c.masses.clone();
    masses.iter().all(|m| {
        let mass = c.alg.is_zero(&m.mass) || c.alg.is_nonnegative(&m.mass);
        mass && m
            .rotation
            .as_ref()
            .is_none_or(|(_, i)| is_nonnegative(&mut c.alg, i))
    })
}

/// The open speeds vanish where this vector does, if it is independent in them.
fn settle(alg: &mut Algebra, l: &Linear<Vec3>, settled: &mut [bool]) {
    settle_by(alg, l, settled, Vec3::clone);
}

/// The same where `v . weight(v)` vanishes with a symmetric weight that is not negative.
fn settle_by(
    alg: &mut Algebra,
    l: &Linear<Vec3>,
    settled: &mut [bool],
    weight: impl Fn(&Vec3) -> Vec3,
) {
    let open: Vec<usize> = l.coef.keys().copied().filter(|k| !settled[*k]).collect();
    if open.is_empty() || open.len() > 3 {
        return;
    }
    let gram: Matrix = open
        .iter()
        .map(|a| {
            open.iter()
                .map(|b| vec3::dot(&l.coef[a], &weight(&l.coef[b])))
                .collect()
        })
        .collect();
    let gram: Matrix = gram
        .into_iter()
        .map(|r| r.into_iter().map(|e| small(alg, &e)).collect())
        .collect();
    let d = elim::determinant(alg, &gram);
    if alg.is_nonzero(&d) {
        open.iter().for_each(|k| settled[*k] = true);
    }
}

/// No principal minor negative.
fn is_nonnegative(alg: &mut Algebra, inertia: &Mat3) -> bool {
    let axes: [&[usize]; 7] = [&[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]];
    axes.iter().all(|axes| {
        let row = |i: &usize| axes.iter().map(|j| inertia[*i][*j].clone()).collect();
        let minor: Matrix = axes.iter().map(row).collect();
        let d = elim::determinant(alg, &minor);
        let d = small(alg, &d);
        alg.is_zero(&d) || alg.is_nonnegative(&d)
    })
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
