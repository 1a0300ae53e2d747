//! What generated equations of motion must keep along a motion: energy, momentum, and their constraints.
#![cfg(feature = "generated")]

use crate::motion::{drift, integrated, travelled};
use generated_tests::gauss::mechanisms::RigidBody;
use generated_tests::gauss::{Jet, Mechanism, Motion};
use generated_tests::known;
use generated_tests::modules::Compiled;
use generated_tests::reference::Reference;
use generated_tests::refreshing::GENERATED;
use generated_tests::states;

/// Along a motion of some seconds, what a quantity may stray by, relative to `max(1, its first value)`.
const DRIFT: f64 = 1e-9;

/// A motion of a compiled module without inputs.
struct Run {
    module: &'static Compiled,
    steps: Vec<(f64, Vec<f64>)>,
}

impl Run {
    /// From a state of the module's reference.
    fn new(module: &str, state: usize, seconds: f64) -> Self {
        let origin = GENERATED.iter().find(|g| g.module == module).unwrap();
        let (reference, _) = known::reference(origin.model).unwrap();
        Self::of(module, &reference, state, seconds)
    }

    fn of(module: &str, reference: &Reference, state: usize, seconds: f64) -> Self {
        let module = Compiled::named(module).unwrap();
        let state = &reference.states[state];
        let entries = module
            .state
            .iter()
            .map(|n| states::entry(reference, state, n).unwrap());
        let start: Vec<f64> = entries.collect();
        let inputs = vec![0.0; module.inputs.len()];
        let rate = |t: f64, x: &[f64]| module.call("derivative", t, x, &inputs).unwrap();
        let steps = integrated(rate, state.t, &start, seconds);
        assert!(travelled(&steps) > 0.1, "{} stands still", module.module);
        Self { module, steps }
    }

    /// What a function gives along the motion.
    fn along(&self, function: &str) -> Vec<Vec<f64>> {
        let inputs = vec![0.0; self.module.inputs.len()];
        let steps = self.steps.iter();
        steps
            .map(|(t, x)| self.module.call(function, *t, x, &inputs).unwrap())
            .collect()
    }

    fn keeps_its_energy(&self) {
        let (kinetic, potential) = (self.along("kinetic_energy"), self.along("potential_energy"));
        let stray = drift(kinetic.iter().zip(&potential).map(|(t, v)| t[0] + v[0]));
        assert!(stray < DRIFT, "{stray:e}");
    }

    fn keeps_its_constraints(&self) {
        for function in ["constraint_residuals", "velocity_residuals"] {
            let worst = self
                .along(function)
                .concat()
                .iter()
                .fold(0.0_f64, |w, r| w.max(r.abs()));
            assert!(worst < DRIFT, "{function}: {worst:e}");
        }
    }
}

macro_rules! energy {
    ($($module:ident, $seconds:expr;)*) => {$(
        #[test]
        fn $module() {
            Run::new(stringify!($module), 0, $seconds).keeps_its_energy();
        }
    )*};
}

/// Loads have a potential, and constraints are linear and homogeneous in the velocities or hold positions.
mod energy_is_kept {
    use super::Run;

    energy! {
        disc, 2.0;
        disc_contact, 2.0;
        double_pendulum, 5.0;
        e4_sleigh_cartesian, 5.0;
        e4_sleigh_gibbs_appell, 10.0;
        e4_sleigh_kane, 10.0;
        e4_sleigh_lagrange, 10.0;
        e4_sleigh_six, 5.0;
        e4_sleigh_speeds, 10.0;
        e4_sleigh_udwadia_kalaba, 10.0;
        e5_wheel_axle, 2.0;
        e5_wheel_axle_full, 2.0;
        e5_wheel_axle_rows, 2.0;
        panda7, 0.5;
        pend_abs_1, 3.0;
        pend_abs_2, 3.0;
        pend_abs_3, 2.0;
        pend_abs_5, 2.0;
        pend_abs_10, 0.5;
        pend_rel_5, 2.0;
        rigid_body, 3.0;
        sleigh_ref, 5.0;
        spherical_pendulum, 1.0;
        ur5, 1.0;
    }
}

macro_rules! constraints {
    ($($module:ident, $seconds:expr;)*) => {$(
        #[test]
        fn $module() {
            Run::new(stringify!($module), 0, $seconds).keeps_its_constraints();
        }
    )*};
}

mod constraints_are_kept {
    use super::{Run, known};

    constraints! {
        // Two rows, one of them the other times a function of the state: beside the constraints they must not contradict one another.
        cart_double_pendulum_dependent, 2.0;
        disc, 2.0;
        disc_contact, 2.0;
        e1_appell, 0.1;
        e2_appell_rheonomic, 0.3;
        e3_appell_nonideal, 0.3;
        e4_sleigh_cartesian, 3.0;
        e4_sleigh_kane, 5.0;
        e4_sleigh_lagrange, 5.0;
        e4_sleigh_rheonomic, 2.0;
        e4_sleigh_six, 5.0;
        e4_sleigh_udwadia_kalaba, 5.0;
        e5_wheel_axle_full, 2.0;
        e5_wheel_axle_rows, 2.0;
        spherical_pendulum, 1.0;
    }

    /// From a state whose wheels are where the axle holds them; the reference's need not be.
    #[test]
    fn e5_wheel_axle() {
        let (mut reference, _) = known::reference("e5_wheel_axle").unwrap();
        let l = 1.1;
        let state = &mut reference.states[0];
        // x1, y1, psi1, x2, y2, psi2, phi
        let phi = state.q[6];
        state.q[3] = state.q[0] - l * phi.sin();
        state.q[4] = state.q[1] + l * phi.cos();
        Run::of("e5_wheel_axle", &reference, 0, 2.0).keeps_its_constraints();
    }
}

/// The blade lets the sleigh turn and slide; its speeds follow `(m1+m2) u1' = -m1 l u2^2`, `l u2' = u1 u2`, so that
/// `(m1+m2) u1^2 + m1 l^2 u2^2` stays what it is and u2 dies away once u1 is negative.
#[test]
fn sleigh_ends_up_going_backwards() {
    let run = Run::new("e4_sleigh_kane", 0, 60.0);
    let motion = &run.steps;
    let place = |name: &str| run.module.state.iter().position(|n| *n == name).unwrap();
    let (u1, u2) = (place("u1"), place("u2"));
    let kept = |x: &[f64]| (1.3 + 0.8) * x[u1] * x[u1] + 1.3 * 0.65 * 0.65 * x[u2] * x[u2];
    assert!(drift(motion.iter().map(|(_, x)| kept(x))) < DRIFT);
    let (_, end) = motion.last().unwrap();
    let last = -(kept(&motion[0].1) / (1.3 + 0.8)).sqrt();
    assert!(
        (end[u1] - last).abs() < 1e-9 && end[u2].abs() < 1e-4,
        "{end:?}"
    );
}

/// Without a torque the angular momentum about the mass centre stays what it is; it is summed over point masses.
#[test]
fn free_body_keeps_its_angular_momentum() {
    let run = Run::new("rigid_body", 1, 3.0);
    let mechanism = RigidBody {
        m: 2.2,
        inertia: [0.41, 0.53, 0.34, 0.05, -0.03, 0.02],
        g: 9.81,
    };
    let momentum = |t: f64, x: &[f64]| {
        let rates = run.module.call("derivative", t, x, &[0.0; 3]).unwrap();
        let q = (0..6).map(|i| Jet::new(x[i], rates[i], 0.0)).collect();
        let now = Motion {
            t: Jet::new(t, 1.0, 0.0),
            q,
            inputs: vec![0.0; 3],
        };
        let mut sum = [0.0; 3];
        for (m, place) in mechanism.masses(&now) {
            let arm: [Jet; 3] = std::array::from_fn(|i| place[i] - now.q[i]);
            for (i, entry) in sum.iter_mut().enumerate() {
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                *entry += m * (arm[j].value * arm[k].rate - arm[k].value * arm[j].rate);
            }
        }
        sum
    };
    for axis in 0..3 {
        assert!(drift(run.steps.iter().map(|(t, x)| momentum(*t, x)[axis])) < DRIFT);
    }
}
