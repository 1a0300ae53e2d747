//! The hand-written mechanisms of `gauss`: checked by the reference numbers first, then the oracle for the models that have none.

use generated_tests::compare::close;
use generated_tests::gauss::mechanisms::{Disc, Sleigh};
use generated_tests::gauss::{Jet, Mechanism, solve};
use generated_tests::reference::load;
use generated_tests::samples;

fn check(name: &str, mechanism: impl Fn(&dyn Fn(&str) -> f64) -> Box<dyn Mechanism>) {
    let reference = load(name).unwrap();
    let mechanism = mechanism(&|name| reference.params.iter().find(|(n, _)| n == name).unwrap().1);
    for state in &reference.states {
        let found = solve(
            mechanism.as_ref(),
            state.t,
            &state.q,
            &state.qd,
            &state.inputs,
        );
        assert!(found.violation < 1e-14, "{}", found.violation);
        close("q''", &found.accelerations, &state.accelerations).unwrap();
        if let Some(wanted) = &state.constraint_force {
            close("constraint force", &found.constraint_force.unwrap(), wanted).unwrap();
        }
        let scalars = [
            (found.kinetic_energy, state.kinetic_energy, "T"),
            (found.potential_energy, state.potential_energy, "V"),
            (found.gibbs_function, state.gibbs_function, "S"),
        ];
        for (found, wanted, what) in scalars {
            if let Some(wanted) = wanted {
                close(what, &[found], &[wanted]).unwrap();
            }
        }
        for (found, wanted) in found
            .mass_matrix
            .iter()
            .zip(state.mass_matrix.iter().flatten())
        {
            close("M", found, wanted).unwrap();
        }
    }
}

#[test]
fn rolling_disc() {
    check("disc", |p| {
        Box::new(Disc {
            m: p("m"),
            r: p("r"),
            g: p("g"),
        })
    });
}

#[test]
fn sleigh() {
    check("e4_sleigh", |p| {
        Box::new(Sleigh {
            m: [p("m1"), p("m2")],
            l: p("l"),
        })
    });
}

/// The equations of every textbook, delta = theta1 - theta2.
#[test]
fn double_pendulum() {
    let (m1, m2, l1, l2, g) = (1.0, 0.6, 0.8, 0.5, 9.81);
    for state in samples::double_pendulum().states {
        let (q, u, a) = (&state.q, &state.qd, &state.accelerations);
        let (s, c) = (q[0] - q[1]).sin_cos();
        let left = [
            (m1 + m2) * l1 * l1 * a[0] + m2 * l1 * l2 * c * a[1],
            m2 * l1 * l2 * c * a[0] + m2 * l2 * l2 * a[1],
        ];
        let right = [
            -m2 * l1 * l2 * s * u[1] * u[1] - (m1 + m2) * g * l1 * q[0].sin(),
            m2 * l1 * l2 * s * u[0] * u[0] - m2 * g * l2 * q[1].sin(),
        ];
        close("double pendulum", &left, &right).unwrap();
    }
}

/// The rod's pull is along the rod and takes up gravity and the centripetal acceleration.
#[test]
fn spherical_pendulum() {
    let (l, g) = (1.2, 9.81);
    for state in samples::spherical_pendulum().states {
        let (r, v) = (&state.q, &state.qd);
        let square = |a: &[f64]| a.iter().map(|c| c * c).sum::<f64>();
        assert!((square(r) - l * l).abs() < 1e-14);
        assert!((r[0] * v[0] + r[1] * v[1] + r[2] * v[2]).abs() < 1e-14);
        let pull = (g * r[2] - square(v)) / (l * l);
        let wanted = [pull * r[0], pull * r[1], pull * r[2] - g];
        close("spherical pendulum", &state.accelerations, &wanted).unwrap();
    }
}

/// Newton's equation for the mass centre, Euler's in body components of the turn rate.
#[test]
fn rigid_body() {
    let inertia = [[0.41, 0.05, 0.02], [0.05, 0.53, -0.03], [0.02, -0.03, 0.34]];
    for state in samples::rigid_body().states {
        close("fall", &state.accelerations[..3], &[0.0, 0.0, -9.81]).unwrap();
        let jet = |i: usize| Jet::new(state.q[i], state.qd[i], state.accelerations[i]);
        let (b, c) = (jet(4), jet(5));
        let rate = |i: usize| jet(i).derivative();
        let turn = [
            rate(3) * b.sin() * c.sin() + rate(4) * c.cos(),
            rate(3) * b.sin() * c.cos() - rate(4) * c.sin(),
            rate(3) * b.cos() + rate(5),
        ];
        let times = |v: [f64; 3]| inertia.map(|row| (0..3).map(|i| row[i] * v[i]).sum::<f64>());
        let (w, l) = (turn.map(|j| j.value), times(turn.map(|j| j.value)));
        let change = times(turn.map(|j| j.rate));
        let torque = [
            change[0] + w[1] * l[2] - w[2] * l[1],
            change[1] + w[2] * l[0] - w[0] * l[2],
            change[2] + w[0] * l[1] - w[1] * l[0],
        ];
        close("torque", &torque, &state.inputs).unwrap();
    }
}
