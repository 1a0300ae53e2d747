//! A few of the models again, written down by hand as point masses.

use super::geometry::{add, cross, equimomental};
use super::{Axes, Jet, Mechanism, Motion, Row, Vec3};

const ORIGIN: Vec3 = [Jet::constant(0.0); 3];

/// `double_pendulum.eom`: coordinates theta1, theta2.
#[derive(Clone, Copy, Debug)]
pub struct DoublePendulum {
    /// Bobs, kg.
    pub m: [f64; 2],
    /// Rods, m.
    pub l: [f64; 2],
    /// Gravity, m/s^2.
    pub g: f64,
}

impl Mechanism for DoublePendulum {
    fn masses(&self, motion: &Motion) -> Vec<(f64, Vec3)> {
        let mut tip = ORIGIN;
        (0..2)
            .map(|i| {
                let angle = motion.q[i];
                tip[0] = tip[0] + self.l[i] * angle.sin();
                tip[1] = tip[1] - self.l[i] * angle.cos();
                (self.m[i], tip)
            })
            .collect()
    }
    fn gravity(&self) -> [f64; 3] {
        [0.0, -self.g, 0.0]
    }
}

/// `spherical_pendulum.eom`: coordinates x, y, z.
#[derive(Clone, Copy, Debug)]
pub struct SphericalPendulum {
    /// Bob, kg.
    pub m: f64,
    /// Rod, m.
    pub l: f64,
    /// Gravity, m/s^2.
    pub g: f64,
}

impl Mechanism for SphericalPendulum {
    fn masses(&self, motion: &Motion) -> Vec<(f64, Vec3)> {
        vec![(self.m, [motion.q[0], motion.q[1], motion.q[2]])]
    }
    fn gravity(&self) -> [f64; 3] {
        [0.0, 0.0, -self.g]
    }
    fn constraints(&self, motion: &Motion) -> Vec<Row> {
        let q = &motion.q;
        let square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
        vec![Row::Holonomic(square - self.l * self.l)]
    }
}

/// `rigid_body.eom`: coordinates x, y, z, a, b, c; inputs tx, ty, tz.
#[derive(Clone, Copy, Debug)]
pub struct RigidBody {
    /// Mass, kg.
    pub m: f64,
    /// Ixx, Iyy, Izz, Ixy, Iyz, Izx, kg m^2.
    pub inertia: [f64; 6],
    /// Gravity, m/s^2.
    pub g: f64,
}

impl RigidBody {
    fn axes(motion: &Motion) -> Axes {
        let q = &motion.q;
        Axes::inertial()
            .turned(2, q[3])
            .turned(0, q[4])
            .turned(2, q[5])
    }
}

impl Mechanism for RigidBody {
    fn masses(&self, motion: &Motion) -> Vec<(f64, Vec3)> {
        let center = [motion.q[0], motion.q[1], motion.q[2]];
        let axes = Self::axes(motion);
        equimomental(self.m, self.inertia)
            .into_iter()
            .map(|(m, p)| (m, axes.place(&center, p)))
            .collect()
    }
    fn gravity(&self) -> [f64; 3] {
        [0.0, 0.0, -self.g]
    }
    /// The torque as three couples, each of two opposite forces half a metre from the mass centre.
    fn loads(&self, motion: &Motion) -> Vec<(Vec3, [f64; 3])> {
        let center = [motion.q[0], motion.q[1], motion.q[2]];
        let axes = Self::axes(motion);
        let mut loads = Vec::new();
        for axis in 0..3 {
            let (arm, pull) = (&axes.0[(axis + 1) % 3], &axes.0[(axis + 2) % 3]);
            for side in [1.0, -1.0] {
                let force = std::array::from_fn(|i| side * motion.inputs[axis] * pull[i].value);
                loads.push((add(&center, 0.5 * side, arm), force));
            }
        }
        loads
    }
}

/// `disc.eom`: coordinates x, y, psi, phi, th; inputs tau_psi, tau_phi, tau_th.
#[derive(Clone, Copy, Debug)]
pub struct Disc {
    /// Mass, kg.
    pub m: f64,
    /// Radius, m.
    pub r: f64,
    /// Gravity, m/s^2.
    pub g: f64,
}

impl Disc {
    /// Centre, leaning axes and body axes.
    fn geometry(&self, motion: &Motion) -> (Vec3, Axes, Axes) {
        let q = &motion.q;
        let leaning = Axes::inertial().turned(2, q[2]).turned(0, q[3]);
        let center = add(&[q[0], q[1], Jet::constant(0.0)], self.r, &leaning.0[2]);
        (center, leaning, leaning.turned(1, q[4]))
    }
}

impl Mechanism for Disc {
    fn masses(&self, motion: &Motion) -> Vec<(f64, Vec3)> {
        let (center, _, body) = self.geometry(motion);
        let moment = self.m * self.r * self.r / 4.0;
        equimomental(self.m, [moment, 2.0 * moment, moment, 0.0, 0.0, 0.0])
            .into_iter()
            .map(|(m, p)| (m, body.place(&center, p)))
            .collect()
    }
    fn gravity(&self) -> [f64; 3] {
        [0.0, 0.0, -self.g]
    }
    fn generalized(&self, motion: &Motion) -> Vec<f64> {
        let tau = &motion.inputs;
        vec![0.0, 0.0, tau[0], tau[1], tau[2]]
    }
    /// The material point at the contact is at rest: its velocity is that of the centre plus the turn rate times the arm. The
    /// turn rate is half the sum of e x e' over the body's axes e.
    fn constraints(&self, motion: &Motion) -> Vec<Row> {
        let (center, leaning, body) = self.geometry(motion);
        let turn_rate = body.0.iter().fold(ORIGIN, |sum, e| {
            add(&sum, 0.5, &cross(e, &e.map(Jet::derivative)))
        });
        let slip = add(
            &center.map(Jet::derivative),
            -self.r,
            &cross(&turn_rate, &leaning.0[2]),
        );
        slip.into_iter().map(Row::Velocity).collect()
    }
}

/// `e4_sleigh.eom`: coordinates x, y, theta.
#[derive(Clone, Copy, Debug)]
pub struct Sleigh {
    /// Masses, kg.
    pub m: [f64; 2],
    /// Rod, m.
    pub l: f64,
}

impl Mechanism for Sleigh {
    fn masses(&self, motion: &Motion) -> Vec<(f64, Vec3)> {
        let q = &motion.q;
        let first = [q[0], q[1], Jet::constant(0.0)];
        let rod = Axes::inertial().turned(2, q[2]);
        vec![
            (self.m[0], first),
            (self.m[1], add(&first, self.l, &rod.0[0])),
        ]
    }
    fn constraints(&self, motion: &Motion) -> Vec<Row> {
        let q = &motion.q;
        let (x, y, theta) = (q[0].derivative(), q[1].derivative(), q[2].derivative());
        vec![Row::Velocity(
            self.l * theta - x * q[2].sin() + y * q[2].cos(),
        )]
    }
}
