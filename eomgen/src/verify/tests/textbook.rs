//! In the field, against formulae of the sources: equal, not nearly so.

use super::*;

type M = Modular;

/// Consistent as it is, for models without constraints.
fn dynamics(system: &System, state: &State<M>, seed: u64) -> (Vec<M>, Dynamics<M>) {
    let machine = Machine::new(system, seed).unwrap();
    let dynamics = machine.dynamics(state).unwrap();
    (dynamics.accelerations.clone(), dynamics)
}

fn sin(x: &M) -> M {
    M::elementary(crate::verify::number::Elementary::Sin, &[*x]).unwrap()
}

fn cos(x: &M) -> M {
    M::elementary(crate::verify::number::Elementary::Cos, &[*x]).unwrap()
}

fn product(list: &[M]) -> M {
    list.iter().fold(M::int(1), |a, b| a.mul(b))
}

/// `l theta'' = -g sin(theta)`, the tension `m (l theta'^2 + g cos(theta))`.
#[test]
fn pendulum() {
    let system = read(
        "model pendulum\nparam m : kg > 0\nparam l : m > 0\nparam g : m/s^2\ncoord th : rad\nframe B = rotate(N, th, N.z)\n\
         point P = O + l*B.x\nparticle A: mass m at P\ngravity: g*N.x\nreaction T at P: -B.x\n\
         output height = dot(P - O, N.x)\noutput energy_rate = e'\n\
         let e = kinetic(A) - m*g*dot(P - O, N.x)\n",
    );
    let s = State::<M>::random(&system, 5);
    let [m, l, g] = s.params[..] else { panic!() };
    let (th, w) = (s.q[0], s.rates[0]);
    let (acc, dynamics) = dynamics(&system, &s, 5);
    assert_eq!(acc[0].mul(&l), g.mul(&sin(&th)).neg());
    let tension = m.mul(&product(&[l, w, w]).add(&g.mul(&cos(&th))));
    let output = |k: usize| dynamics.outputs[k].1.clone().unwrap()[0];
    assert_eq!(output(2), tension);
    assert_eq!(output(0), l.mul(&cos(&th)));
    // Energy is conserved.
    assert_eq!(output(1), M::int(0));
    assert_eq!(dynamics.mass[0][0], product(&[m, l, l]));
}

/// U96 (34-36): `r'' = F - (r~'.F)/(r'.r') r~'` with `r~' = (x', y', -z')`, the constraint stated twice.
#[test]
fn appell() {
    let system = system("e1_appell");
    for seed in 0..5 {
        let mut s = State::<M>::random(&system, seed);
        // x'^2 + y'^2 = z'^2 by Pythagorean triples.
        let (a, b) = (s.rates[0], s.rates[1]);
        s.rates = vec![
            a.mul(&a).sub(&b.mul(&b)),
            M::int(2).mul(&a.mul(&b)),
            a.mul(&a).add(&b.mul(&b)),
        ];
        let (acc, dynamics) = dynamics(&system, &s, seed);
        // The functions as the machine has them.
        let functions = crate::verify::number::Functions::new(seed);
        let f: Vec<M> = (0..3)
            .map(|k| M::user_function(&functions.function(k, 3), &s.q).unwrap())
            .collect();
        let d = [s.rates[0], s.rates[1], s.rates[2].neg()];
        let along = (0..3).fold(M::int(0), |sum, i| sum.add(&d[i].mul(&f[i])));
        let square = s.rates.iter().fold(M::int(0), |sum, v| sum.add(&v.mul(v)));
        let k = along.div(&square).unwrap();
        for i in 0..3 {
            let pull = k.mul(&d[i]);
            assert_eq!(acc[i], f[i].sub(&pull));
            assert_eq!(dynamics.ideal_forces[i], s.params[0].mul(&pull).neg());
        }
        assert_eq!(dynamics.rows, ["c1", "c2"]);
        // Least norm: the second row is twice the first, and so is its multiplier.
        assert_eq!(
            dynamics.multipliers[1],
            M::int(2).mul(&dynamics.multipliers[0])
        );
    }
}

/// UK02 (40-42): ideal part `(alpha g' - x' Fx - y' Fy + z' Fz)/u^2 (x', y', -z')`, non-ideal part
/// `-(a0/|u|) (2 x' z'^2, 2 y' z'^2, 2 z' (x'^2 + y'^2))`.
#[test]
fn appell_with_friction() {
    use crate::verify::number::Functions;
    let system = system("e3_appell_nonideal");
    let mut tried = 0;
    for seed in 0..40 {
        let mut s = State::<M>::random(&system, seed);
        let functions = Functions::new(seed);
        let args = [s.q[0], s.q[1], s.q[2], s.t];
        let of = |k: usize, by: Option<usize>| {
            let f = functions.function(k, 4);
            M::user_function(&by.map_or(f.clone(), |i| f.by(i)), &args).unwrap()
        };
        let (alpha, a0) = (s.params[0], s.params[1]);
        // y'^2 - z'^2 = (y' - z')(y' + z') = 2 alpha g - x'^2
        let x = s.rates[0];
        let (sum, two) = (s.rates[1], M::int(2));
        let right = two.mul(&alpha.mul(&of(3, None))).sub(&x.mul(&x));
        let gap = right.div(&sum).unwrap();
        let y = sum.add(&gap).div(&two).unwrap();
        let z = sum.sub(&gap).div(&two).unwrap();
        s.rates = vec![x, y, z];
        let square = x.mul(&x).add(&y.mul(&y)).add(&z.mul(&z));
        if !square.is_square() {
            continue;
        }
        tried += 1;
        let speed = M::elementary(crate::verify::number::Elementary::Sqrt, &[square]).unwrap();
        let (_, dynamics) = dynamics(&system, &s, seed);
        let mut change = of(3, Some(3));
        for i in 0..3 {
            change = change.add(&of(3, Some(i)).mul(&s.rates[i]));
        }
        let force = |k: usize| of(k, None);
        let top = alpha
            .mul(&change)
            .sub(&x.mul(&force(0)))
            .sub(&y.mul(&force(1)))
            .add(&z.mul(&force(2)));
        let k = top.div(&square).unwrap();
        assert_eq!(
            dynamics.ideal_forces,
            [k.mul(&x), k.mul(&y), k.mul(&z).neg()]
        );
        let k = two.mul(&a0).div(&speed).unwrap().neg();
        let flat = x.mul(&x).add(&y.mul(&y));
        let want = [
            product(&[k, x, z, z]),
            product(&[k, y, z, z]),
            product(&[k, z, flat]),
        ];
        assert_eq!(dynamics.nonideal_forces, want);
    }
    assert!(tried > 5);
}

/// OR (2.24, 2.26): `(m1+m2) u1' + m1 l u2^2 = 0`, `m1 l^2 u2' - m1 l u1 u2 = 0`, `mu = m2 u1 u2`.
#[test]
fn sleigh() {
    let system = system("e4_sleigh");
    let mut s = State::<M>::random(&system, 9);
    let [m1, m2, l] = s.params[..] else { panic!() };
    let (c, sn) = (cos(&s.q[2]), sin(&s.q[2]));
    let (u1, u2) = (s.rates[0], s.rates[2]);
    // v1 = u1 e1 - l u2 e2, so that v2.e2 = 0.
    let across = l.mul(&u2).neg();
    s.rates[0] = u1.mul(&c).sub(&across.mul(&sn));
    s.rates[1] = u1.mul(&sn).add(&across.mul(&c));
    let (_, dynamics) = dynamics(&system, &s, 9);
    assert_eq!(dynamics.velocity_residuals, [M::int(0)]);
    let speeds = &dynamics.declared_speeds;
    assert_eq!(speeds.len(), 3);
    assert_eq!((speeds[0].1, speeds[1].1), (u1, u2));
    assert_eq!(
        m1.add(&m2).mul(&speeds[0].2),
        product(&[m1, l, u2, u2]).neg()
    );
    assert_eq!(l.mul(&speeds[1].2), u1.mul(&u2));
    assert_eq!(dynamics.multipliers, [product(&[m2, u1, u2])]);
}

/// A driven arm: the motor's torque is `m g l sin(q)`, all of it borne by the arm's bearing; the arm is pulled by `m (l Omega^2 + g cos(q))`.
#[test]
fn what_holds_a_driven_arm() {
    let system = read(
        "model arm\nparam m : kg > 0\nparam l : m > 0\nparam J : kg*m^2 > 0\nparam g : m/s^2\nparam Omega : rad/s\n\
         coord q : rad\nframe B = rotate(N, q, N.z)\npoint G = O + l*B.x\n\
         body W: frame B, mass m, center G, inertia [J]\ngravity: g*N.x\nconstraint motor: q = Omega*t\n\
         output torque = reaction(motor)\nreaction R at B: N.z\nreaction S at G: -2*B.x\n",
    );
    let machine = Machine::new(&system, 4).unwrap();
    let points = crate::verify::states::in_field(&machine, 3, 4).unwrap();
    for point in points {
        let [m, l, _, g, omega] = point.state.params[..] else {
            panic!()
        };
        let q = point.state.q[0];
        assert_eq!(q, omega.mul(&point.state.t));
        // The place is met as an angle too.
        assert_eq!(sin(&q), sin(&omega.mul(&point.state.t)));
        assert_eq!(point.state.rates, [omega]);
        let torque = product(&[m, g, l, sin(&q)]);
        let pull = m.mul(&product(&[l, omega, omega]).add(&g.mul(&cos(&q))));
        let outputs: Vec<M> = point
            .dynamics
            .outputs
            .iter()
            .map(|(_, v)| v.clone().unwrap()[0])
            .collect();
        assert_eq!(outputs, [torque, torque, pull]);
    }
}

/// A rod between two particles is stated by its length: it pushes both along it, with `-T`. A motor between two frames is stated by
/// their angle; a ladder's foot is held by the floor.
#[test]
fn forces_of_constraints_at_their_places() {
    let system = read(
        "model rod\nparam m : kg > 0\nparam l : m > 0\nparam g : m/s^2\ncoord x1, y1, x2, y2 : m\ncoord q : rad\nparam J : kg*m^2 > 0\n\
         param w : rad/s\nframe B = rotate(N, q, N.z)\n\
         point P = O + x1*N.x + y1*N.y\npoint Q = O + x2*N.x + y2*N.y\npoint R = P + 2*(Q - P)\n\
         particle A: mass m at P\nparticle C: mass m at Q\nbody W: frame B, mass 0, center O, inertia [J]\n\
         gravity: -g*N.y\nconstraint rod: norm(Q - P) = l\nconstraint motor: dot(angvel(B), N.z) = w\n\
         torque on W: -J*q'*(1 [1/s])*N.z\n\
         output along = reaction(rod)\noutput on_Q = reaction(rod, Q)\noutput on_P = reaction(rod, P)\n\
         output on_R = reaction(rod, R)\noutput on_B = reaction(motor, B)\n",
    );
    let machine = Machine::new(&system, 4).unwrap();
    let points = crate::verify::states::in_field(&machine, 3, 4).unwrap();
    for point in points {
        let output = |k: usize| point.dynamics.outputs[k].1.clone().unwrap();
        let [_, l, ..] = point.state.params[..] else {
            panic!()
        };
        let q = &point.state.q;
        let arm = [q[2].sub(&q[0]), q[3].sub(&q[1]), M::int(0)];
        let force = arm.map(|a| a.mul(&output(0)[0]).div(&l).unwrap());
        assert_eq!(output(1), force);
        assert_eq!(output(2), force.map(|f| f.neg()));
        assert_eq!(output(3), [M::int(0); 3]);
        // J (q'' + q') = 0 + torque of the motor, at the rate w.
        let (j, w) = (point.state.params[3], point.state.params[4]);
        assert_eq!(output(4), [M::int(0), M::int(0), j.mul(&w)]);
    }
}
