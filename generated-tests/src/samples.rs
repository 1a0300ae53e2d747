//! States for models without a reference file, with the numbers that [`gauss`](crate::gauss) gives there.

use crate::gauss::mechanisms::{DoublePendulum, RigidBody, SphericalPendulum};
use crate::gauss::{Mechanism, solve};
use crate::reference::{Reference, State};

/// Equally distributed numbers in (-1, 1), always the same ones (Lehmer's generator).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Default for Random {
    fn default() -> Self {
        Self(20_261_121)
    }
}

impl Random {
    /// The next number.
    pub fn number(&mut self) -> f64 {
        const MODULUS: u64 = (1 << 31) - 1;
        self.0 = self.0 * 48_271 % MODULUS;
        2.0 * (self.0 as f64) / (MODULUS as f64) - 1.0
    }

    /// The next n numbers.
    pub fn take(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.number()).collect()
    }
}

const STATES: usize = 8;

fn sampled(
    mechanism: &dyn Mechanism,
    coordinates: &[&str],
    inputs: &[&str],
    mut place: impl FnMut(&mut Random) -> (Vec<f64>, Vec<f64>),
) -> Reference {
    let mut random = Random::default();
    let owned = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect();
    let states = (0..STATES).map(|_| {
        let (q, qd) = place(&mut random);
        let values = random.take(inputs.len());
        let solution = solve(mechanism, 0.0, &q, &qd, &values);
        State {
            q,
            qd,
            inputs: values,
            accelerations: solution.accelerations,
            constraint_force: solution.constraint_force,
            kinetic_energy: Some(solution.kinetic_energy),
            potential_energy: Some(solution.potential_energy),
            gibbs_function: Some(solution.gibbs_function),
            mass_matrix: Some(solution.mass_matrix),
            ..State::default()
        }
    });
    let states = states.collect();
    Reference {
        coordinates: owned(coordinates),
        inputs: owned(inputs),
        states,
        ..Reference::default()
    }
}

/// `double_pendulum.eom` with its default parameters.
pub fn double_pendulum() -> Reference {
    let mechanism = DoublePendulum {
        m: [1.0, 0.6],
        l: [0.8, 0.5],
        g: 9.81,
    };
    sampled(&mechanism, &["theta1", "theta2"], &[], |r| {
        (r.take(2), r.take(2))
    })
}

/// `spherical_pendulum.eom` with its default parameters, at places and velocities that its rod allows.
pub fn spherical_pendulum() -> Reference {
    const L: f64 = 1.2;
    let mechanism = SphericalPendulum {
        m: 0.9,
        l: L,
        g: 9.81,
    };
    sampled(&mechanism, &["x", "y", "z"], &[], |r| {
        let (around, down) = (3.0 * r.number(), 1.5 + r.number());
        let (around_rate, down_rate) = (r.number(), r.number());
        let ((sa, ca), (sd, cd)) = (around.sin_cos(), down.sin_cos());
        let q = vec![L * sd * ca, L * sd * sa, -L * cd];
        let qd = vec![
            L * (cd * ca * down_rate - sd * sa * around_rate),
            L * (cd * sa * down_rate + sd * ca * around_rate),
            L * sd * down_rate,
        ];
        (q, qd)
    })
}

/// `rigid_body.eom` with its default parameters, away from sin(b) = 0.
pub fn rigid_body() -> Reference {
    let mechanism = RigidBody {
        m: 2.2,
        inertia: [0.41, 0.53, 0.34, 0.05, -0.03, 0.02],
        g: 9.81,
    };
    let names = ["x", "y", "z", "a", "b", "c"];
    sampled(&mechanism, &names, &["tx", "ty", "tz"], |r| {
        let mut q = r.take(6);
        q[4] = 1.5 + 0.8 * q[4];
        (q, r.take(6))
    })
}

/// States with the numbers that printed equations give there.
fn printed(
    coordinates: &[&str],
    place: impl Fn(&mut Random) -> (Vec<f64>, Vec<f64>),
    numbers: impl Fn(&[f64], &[f64]) -> State,
) -> Reference {
    let mut random = Random::default();
    let states = (0..STATES).map(|_| {
        let (q, qd) = place(&mut random);
        State {
            q: q.clone(),
            qd: qd.clone(),
            ..numbers(&q, &qd)
        }
    });
    Reference {
        coordinates: coordinates.iter().map(|n| (*n).to_owned()).collect(),
        states: states.collect(),
        ..Reference::default()
    }
}

/// `energy_elastic_pendulum.eom` with its default parameters, by the equations that its source prints.
pub fn elastic_pendulum() -> Reference {
    let (m, k, l, g) = (0.4, 30.0, 0.5, 9.81);
    let place = |r: &mut Random| (vec![0.3 * r.number(), 2.0 * r.number()], r.take(2));
    printed(&["x", "theta"], place, |q, u| {
        let (r, (s, c)) = (l + q[0], q[1].sin_cos());
        let inertial = r * u[1] * u[1];
        State {
            accelerations: vec![
                inertial - k * q[0] / m + g * c,
                -(g * s + 2.0 * u[0] * u[1]) / r,
            ],
            kinetic_energy: Some(m * (u[0] * u[0] + r * inertial) / 2.0),
            potential_energy: Some(k * q[0] * q[0] / 2.0 - m * g * r * c),
            ..State::default()
        }
    })
}

/// `energy_hunt_crossley.eom` with its default parameters, in the air and in contact.
pub fn hunt_crossley() -> Reference {
    let (m, k, alpha, g) = (0.1, 1e5, 0.1, 9.81);
    let place = |r: &mut Random| (vec![0.05 * r.number()], r.take(1));
    printed(&["y"], place, |q, u| {
        let depth = (-q[0]).max(0.0);
        let push = k * depth.powf(1.5) * (1.0 - 1.5 * alpha * u[0]);
        let fall = push / m - g;
        State {
            accelerations: vec![fall],
            kinetic_energy: Some(m * u[0] * u[0] / 2.0),
            potential_energy: Some(m * g * q[0]),
            gibbs_function: Some(m * fall * fall / 2.0),
            ..State::default()
        }
    })
}
