//! Partial velocities of large machines, which are worked out where they are asked for.

use super::{Algebra, Choice, Components, Context, System, system, with_session};
use crate::mech::support::Support;
use crate::mech::vec3::{self, Linear, Vec3};
use crate::model::system::{FrameId, PointId};

/// A spatial chain of 2n links on hinges, with points on the axes of its joints, a slider at its end and a stick that turns by itself.
fn chain(n: usize) -> String {
    format!(
        "model chain
const n = {n}
param m = 0.5 : kg > 0
param l = 0.3 : m > 0
param w = 2 : rad/s
param A = 0.004, B = 0.003, C = 0.001 : kg*m^2 > 0
coord q[1..2*n] : rad
coord s : m
frame L[0] = rotate(N, 0, N.z)
point P[0] = O
for k in 1..n {{
    frame L[2*k - 1] = rotate(L[2*k - 2], q[2*k - 1], L[2*k - 1].x)
    frame L[2*k] = rotate(L[2*k - 1], q[2*k], L[2*k].y)
    point X[k] = P[0] + l*L[2*k - 1].x
}}
for i in 1..2*n {{
    point P[i] = P[i - 1] - l*L[i].z
    body link[i]: frame L[i], mass m, center P[i], inertia [A, B, C]
}}
frame T = rotate(N, w*t, N.z)
point Q = O + l*T.x
point S = P[2*n] + s*L[2*n].x
particle slider: mass m at S
"
    )
}

/// In staged form: nobody reads equations of this size.
fn context(system: &System) -> Context<'_> {
    let alg = Algebra::new(Some(2));
    Context::derive(alg, system, Components::Local, &Choice::default()).unwrap()
}

fn is_that_of(known: &Support, l: &Linear<Vec3>) -> bool {
    known.speeds.iter().eq(l.coef.keys()) && known.drifts != vec3::is_zero(&l.bias)
}

#[test]
fn what_moves_is_known_before_it_is_worked_out() {
    let done = with_session(|| {
        let system = system(&chain(13));
        let mut c = context(&system);
        let (alg, mechanics) = (&mut c.alg, &c.mechanics);
        let k = &mechanics.by_rates;
        assert!(k.waits);
        let few = [0, 7, 24];
        for f in (0..k.frames.len()).rev().map(|f| FrameId(f as u32)) {
            let of_few = k.turning_by(alg, f, &few);
            let all = k.turning(alg, f);
            assert!(is_that_of(&k.frames[f.index()].turned_by, all), "{f:?}");
            assert!(of_few.coef == all.only(&few).coef, "{f:?}");
        }
        for p in (0..k.points.len()).rev().map(|p| PointId(p as u32)) {
            let point = &k.points[p.index()];
            let [moving, step] = [k.moving_by(alg, p, &few), k.step_by(alg, p, &few)];
            let all = k.moving(alg, p);
            assert!(is_that_of(&point.moved_by, all), "{p:?}");
            assert!(moving.coef == all.only(&few).coef, "{p:?}");
            let all = k.step(alg, p);
            assert!(is_that_of(&point.stepped_by, all), "{p:?}");
            assert!(step.coef == all.only(&few).coef, "{p:?}");
        }
    });
    done.unwrap();
}

/// Nothing that is as long as the square of a chain is derived before it is asked for.
#[test]
fn kinematics_of_chains_grow_by_the_same_for_each_link() {
    let symbols = |n: usize| {
        let found = with_session(move || {
            let system = system(&chain(n));
            let mut c = context(&system);
            assert!(crate::form::regular::is_determined_by_bodies(&mut c));
            c.alg.symbols()
        });
        found.unwrap()
    };
    let [a, b, c] = [14, 18, 22].map(symbols);
    assert!(c - b <= b - a + 4, "{a}, {b}, {c} symbols");
}
