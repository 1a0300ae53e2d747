//! What is moved across joints changes neither the kinetic energy of any motion nor the work of gravity: exactly, on random trees with
//! all kinds of joints at random positions.

use super::trees::{Body, InertiaError, move_inertia};
use eomgen::internals::ir::Rational;
use eomgen::internals::solve::inertia::{Inertia, Joint, Tensor, Vector};
use num_traits::{One, Zero};

type R = Rational;

fn ratio(n: i64, d: i64) -> R {
    R::new(n.into(), d.into())
}

/// Small fractions (a linear congruence).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> R {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ratio(
            (self.0 >> 40) as i64 % 19 - 9,
            1 + (self.0 >> 33) as i64 % 7,
        )
    }
    fn vector(&mut self) -> Vector<R> {
        std::array::from_fn(|_| self.next())
    }
    fn direction(&mut self) -> Vector<R> {
        loop {
            let v = self.vector();
            if v.iter().any(|x| !x.is_zero()) {
                return v;
            }
        }
    }
}

fn dot(u: &Vector<R>, v: &Vector<R>) -> R {
    u.iter().zip(v).map(|(x, y)| x * y).sum()
}

fn cross(u: &Vector<R>, v: &Vector<R>) -> Vector<R> {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        &u[i] * &v[j] - &u[j] * &v[i]
    })
}

fn add(u: &Vector<R>, v: &Vector<R>) -> Vector<R> {
    std::array::from_fn(|k| &u[k] + &v[k])
}

fn scaled(v: &Vector<R>, factor: &R) -> Vector<R> {
    v.each_ref().map(|x| x * factor)
}

fn apply(m: &Tensor<R>, v: &Vector<R>) -> Vector<R> {
    m.each_ref().map(|row| dot(row, v))
}

fn transposed(m: &Tensor<R>) -> Tensor<R> {
    std::array::from_fn(|r| std::array::from_fn(|c| m[c][r].clone()))
}

fn product(a: &Tensor<R>, b: &Tensor<R>) -> Tensor<R> {
    let columns = transposed(b);
    a.each_ref()
        .map(|row| columns.each_ref().map(|column| dot(row, column)))
}

/// The rotation of the quaternion `(w, v)`: with `v` along an axis, a turn about it.
fn rotation(w: &R, v: &Vector<R>) -> Tensor<R> {
    let norm = w * w + dot(v, v);
    let column = |k: usize| {
        let e: Vector<R> = std::array::from_fn(|i| if i == k { R::one() } else { R::zero() });
        let inner = add(&cross(v, &e), &scaled(&e, w));
        let turn = scaled(&cross(v, &inner), &(ratio(2, 1) / &norm));
        add(&e, &turn)
    };
    transposed(&[column(0), column(1), column(2)])
}

/// A joint at a position, and its rates: rotation and origin in the parent's frame, relative velocities in the child's frame.
struct Posture {
    rotation: Tensor<R>,
    position: Vector<R>,
    turning: Vector<R>,
    sliding: Vector<R>,
}

/// A random posture of a joint that starts from `rotation` and `position`.
fn posture(body: &Body, random: &mut Numbers) -> Posture {
    let zero: Vector<R> = std::array::from_fn(|_| R::zero());
    let (mut turn, mut slide) = (rotation(&R::one(), &zero), zero.clone());
    let (mut turning, mut sliding) = (zero.clone(), zero);
    match &body.joint {
        Joint::Revolute(axis) => {
            turn = rotation(&R::one(), &scaled(axis, &random.next()));
            turning = scaled(axis, &random.next());
        }
        Joint::Fixed => {}
        Joint::Other => {
            turn = rotation(&R::one(), &random.vector());
            (slide, turning, sliding) = (random.vector(), random.vector(), random.vector());
        }
    }
    Posture {
        rotation: product(&body.rotation, &turn),
        position: add(&body.position, &apply(&body.rotation, &slide)),
        turning,
        sliding,
    }
}

/// Twice the kinetic energy, and the first moment of all mass in the ground's frame, which is what gravity acts on.
fn energies(bodies: &[Body], inertias: &[Inertia<R>], postures: &[Posture]) -> (R, Vector<R>) {
    let zero: Vector<R> = std::array::from_fn(|_| R::zero());
    let ground = (
        rotation(&R::one(), &zero),
        zero.clone(),
        zero.clone(),
        zero.clone(),
    );
    let mut frames: Vec<(Tensor<R>, Vector<R>, Vector<R>, Vector<R>)> = Vec::new();
    let (mut energy, mut moment) = (R::zero(), zero);
    for ((body, inertia), at) in bodies.iter().zip(inertias).zip(postures) {
        let (to_ground, origin, omega, velocity) = body.parent.map_or(&ground, |p| &frames[p]);
        let back = transposed(&at.rotation);
        let carried = apply(&back, &add(velocity, &cross(omega, &at.position)));
        let w = add(&apply(&back, omega), &at.turning);
        let v = add(&carried, &at.sliding);
        let frame = (
            product(to_ground, &at.rotation),
            add(origin, &apply(to_ground, &at.position)),
            w,
            v,
        );
        let (to_ground, origin, w, v) = &frame;
        let (m, h) = (&inertia.mass, &inertia.first_moment);
        energy += m * dot(v, v)
            + ratio(2, 1) * dot(v, &cross(w, h))
            + dot(w, &apply(&inertia.second_moment, w));
        moment = add(&moment, &add(&scaled(origin, m), &apply(to_ground, h)));
        frames.push(frame);
    }
    (energy, moment)
}

fn tree(random: &mut Numbers, joints: [fn(Vector<R>) -> Joint; 3]) -> Vec<Body> {
    let mut bodies: Vec<Body> = Vec::new();
    for i in 0..6usize {
        let kind = (random.next().numer() + 9i64)
            .magnitude()
            .iter_u32_digits()
            .next()
            .unwrap_or(0);
        let symmetric: Tensor<R> = std::array::from_fn(|_| random.vector());
        bodies.push(Body {
            parent: (i > 0).then(|| (i - 1) / (1 + kind as usize % 2)),
            joint: joints[kind as usize % 3](random.direction()),
            rotation: rotation(&R::one(), &random.vector()),
            position: random.vector(),
            inertia: Inertia {
                mass: random.next(),
                first_moment: random.vector(),
                second_moment: std::array::from_fn(|r| {
                    std::array::from_fn(|c| &symmetric[r][c] + &symmetric[c][r])
                }),
            },
        });
    }
    bodies
}

#[test]
fn neither_motion_nor_gravity_feels_what_is_moved() {
    let joints: [fn(Vector<R>) -> Joint; 3] = [Joint::Revolute, |_| Joint::Fixed, |_| Joint::Other];
    let mut random = Numbers(3);
    let mut kinds = [0; 3];
    for _ in 0..30 {
        let bodies = tree(&mut random, joints);
        for body in &bodies {
            let kind = joints.iter().position(|j| {
                std::mem::discriminant(&j([R::one(), R::zero(), R::zero()]))
                    == std::mem::discriminant(&body.joint)
            });
            kinds[kind.unwrap()] += 1;
        }
        let given: Vec<Inertia<R>> = bodies.iter().map(|body| body.inertia.clone()).collect();
        let moved = move_inertia(&bodies).unwrap();
        assert_eq!(moved.len(), given.len());
        let mut shift = None;
        for _ in 0..3 {
            let postures: Vec<Posture> = bodies
                .iter()
                .map(|body| posture(body, &mut random))
                .collect();
            let (energy, moment) = energies(&bodies, &given, &postures);
            let (energy_moved, moment_moved) = energies(&bodies, &moved, &postures);
            assert_eq!(energy, energy_moved, "{bodies:?}");
            // What the ground has received stays where it is.
            let difference = add(&moment, &scaled(&moment_moved, &-R::one()));
            assert_eq!(
                shift.get_or_insert(difference.clone()),
                &difference,
                "{bodies:?}"
            );
        }
    }
    assert!(kinds.iter().all(|&count| count > 5), "{kinds:?}");
}

fn body(parent: Option<usize>, joint: Joint) -> Body {
    let random = &mut Numbers(11);
    Body {
        parent,
        joint,
        rotation: rotation(&R::one(), &random.vector()),
        position: random.vector(),
        inertia: Inertia {
            mass: ratio(7, 2),
            first_moment: [ratio(1, 1), ratio(2, 1), ratio(3, 1)],
            second_moment: std::array::from_fn(|r| {
                std::array::from_fn(|c| ratio((r + c) as i64 + 4, 1))
            }),
        },
    }
}

/// What is left: the more zeros, the cheaper the equations.
#[test]
fn what_the_joint_does_not_feel_is_gone() {
    let zero = R::zero();
    let about_y = [zero.clone(), ratio(-1, 1), zero.clone()];
    let kept = &move_inertia(&[body(None, Joint::Revolute(about_y))]).unwrap()[0];
    assert_eq!(kept.mass, zero);
    assert_eq!(kept.first_moment, [ratio(1, 1), zero.clone(), ratio(3, 1)]);
    // Off-diagonal entries and the moment about the axis stay, the moment about x goes and is taken off that about z.
    let expected = [[0, 5, 6], [5, 6, 7], [6, 7, 4]].map(|row| row.map(|x| ratio(x, 1)));
    let moments = |inertia: &Inertia<R>| inertia.second_moment.clone();
    assert_eq!(moments(kept), expected);
    let given = body(None, Joint::Other);
    assert_eq!(
        move_inertia(std::slice::from_ref(&given)).unwrap()[0],
        given.inertia
    );
}

#[test]
fn trees_that_are_none_are_refused() {
    let bodies = [body(None, Joint::Fixed), body(Some(1), Joint::Fixed)];
    let error = move_inertia(&bodies).unwrap_err();
    assert_eq!(error, InertiaError::Order { body: 1, parent: 1 });
    let nowhere = Joint::Revolute(std::array::from_fn(|_| R::zero()));
    let error = move_inertia(&[body(None, nowhere)]).unwrap_err();
    assert_eq!(error, InertiaError::Axis { body: 0 });
}
