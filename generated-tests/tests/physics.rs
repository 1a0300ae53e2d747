//! What generated equations of motion must keep along a motion: energy, momentum, and their constraints.
#![cfg(feature = "generated")]

mod common;

use common::{drift, integrated, travelled};
use generated_tests::gauss::mechanisms::RigidBody;
use generated_tests::gauss::{Jet, Mechanism, Motion};
use generated_tests::generated;
use generated_tests::outcome::Outcome;
use generated_tests::reference::{Reference, State, load};
use generated_tests::{samples, states, user};

/// Along a motion of some seconds, what a quantity may stray by, relative to `max(1, its first value)`.
const DRIFT: f64 = 1e-9;

/// The named function of a module at the times and states of a motion.
macro_rules! along {
    ($module:ident, $function:ident, $motion:expr, [$($extra:expr),*]) => {
        $motion.iter().map(|(t, x)| {
            let x = x.as_slice().try_into().unwrap();
            generated::$module::$function(*t, x, &Default::default() $(, $extra)*).outcome().unwrap()
        })
    };
}

/// The motion of a module from a state of its reference.
macro_rules! motion {
    ($module:ident, $reference:expr, $state:expr, $seconds:expr, [$($extra:expr),*]) => {{
        let names = &generated::$module::StateIndex::NAMES;
        let state: &State = $state;
        let start = states::packed($reference, state, names).unwrap();
        let rate = |t: f64, x: &[f64]| {
            let x = x.try_into().unwrap();
            let rate = generated::$module::derivative(t, x, &Default::default() $(, $extra)*);
            rate.outcome().unwrap().to_vec()
        };
        integrated(rate, state.t, &start, $seconds)
    }};
}

macro_rules! energy {
    ($($module:ident, $reference:expr, $seconds:expr, [$($extra:expr),*];)*) => {$(
        #[test]
        fn $module() {
            let reference: Reference = $reference;
            let motion = motion!($module, &reference, &reference.states[0], $seconds, [$($extra),*]);
            let kinetic: Vec<f64> = along!($module, kinetic_energy, motion, [$($extra),*]).collect();
            let potential = along!($module, potential_energy, motion, [$($extra),*]);
            assert!(drift(kinetic.iter().copied().zip(potential).map(|(t, v)| t + v)) < DRIFT);
            assert!(travelled(&motion) > 0.1);
        }
    )*};
}

mod energy_is_kept {
    use super::*;

    energy! {
        disc, load("disc").unwrap(), 2.0, [&generated::disc::Inputs { tau_psi: 0.0, tau_phi: 0.0, tau_th: 0.0 }];
        double_pendulum, samples::double_pendulum(), 5.0, [];
        e4_sleigh_kane, load("e4_sleigh").unwrap(), 10.0, [];
        e5_wheel_axle, load("e5_wheel_axle_rows").unwrap(), 2.0, [];
        pend_abs_5, load("pend_abs_5").unwrap(), 2.0,
            [&generated::pend_abs_5::Inputs { F: 0.0, tau1: 0.0, tau2: 0.0, tau3: 0.0, tau4: 0.0, tau5: 0.0 }];
        pend_rel_5, load("pend_rel_5").unwrap(), 2.0,
            [&generated::pend_rel_5::Inputs { F: 0.0, tau1: 0.0, tau2: 0.0, tau3: 0.0, tau4: 0.0, tau5: 0.0 }];
        rigid_body, samples::rigid_body(), 3.0, [&generated::rigid_body::Inputs { tx: 0.0, ty: 0.0, tz: 0.0 }];
        spherical_pendulum, samples::spherical_pendulum(), 1.0, [];
        ur5, load("ur5").unwrap(), 1.0,
            [&generated::ur5::Inputs { tau1: 0.0, tau2: 0.0, tau3: 0.0, tau4: 0.0, tau5: 0.0, tau6: 0.0 }];
    }
}

macro_rules! constraints {
    ($($module:ident, $reference:expr, $seconds:expr, [$($extra:expr),*];)*) => {$(
        #[test]
        fn $module() {
            let reference: Reference = $reference;
            let motion = motion!($module, &reference, &reference.states[0], $seconds, [$($extra),*]);
            let residuals = along!($module, constraint_residuals, motion, [$($extra),*]);
            let worst = residuals.flat_map(|r| r.to_vec()).fold(0.0_f64, |w, r| w.max(r.abs()));
            assert!(worst < DRIFT, "{worst}");
            assert!(travelled(&motion) > 0.1);
        }
    )*};
}

mod constraints_are_kept {
    use super::*;

    /// A state of E5 whose wheels are where the axle holds them; the reference's need not be.
    fn on_the_axle() -> Reference {
        let mut reference = load("e5_wheel_axle_rows").unwrap();
        let l = 1.1;
        let state: &mut State = &mut reference.states[0];
        // x1, y1, psi1, x2, y2, psi2, phi
        let phi = state.q[6];
        state.q[3] = state.q[0] - l * phi.sin();
        state.q[4] = state.q[1] + l * phi.cos();
        reference
    }

    constraints! {
        cart_double_pendulum_dependent, load("cart_double_pendulum_dependent").unwrap(), 0.5, [];
        e1_appell, load("e1_appell").unwrap(), 0.1, [&user::Appell];
        e2_appell_rheonomic, load("e2_appell_rheonomic").unwrap(), 0.3, [&user::Rheonomic];
        e3_appell_nonideal, load("e3_appell_nonideal").unwrap(), 0.3, [&user::Nonideal];
        e4_sleigh_six, load("e4_sleigh_six").unwrap(), 5.0, [];
        e5_wheel_axle, on_the_axle(), 2.0, [];
        spherical_pendulum, samples::spherical_pendulum(), 1.0, [];
    }
}

/// The blade lets the sleigh turn and slide; its speeds follow `(m1+m2) u1' = -m1 l u2^2`, `l u2' = u1 u2`, so that
/// `(m1+m2) u1^2 + m1 l^2 u2^2` stays what it is and u2 dies away once u1 is negative.
#[test]
fn sleigh_ends_up_going_backwards() {
    let reference = load("e4_sleigh").unwrap();
    let motion = motion!(e4_sleigh_kane, &reference, &reference.states[0], 60.0, []);
    let names = &generated::e4_sleigh_kane::StateIndex::NAMES;
    let place = |name: &str| names.iter().position(|n| *n == name).unwrap();
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
    let reference = samples::rigid_body();
    let inputs = generated::rigid_body::Inputs {
        tx: 0.0,
        ty: 0.0,
        tz: 0.0,
    };
    let motion = motion!(rigid_body, &reference, &reference.states[1], 3.0, [&inputs]);
    assert!(travelled(&motion) > 0.1);
    let mechanism = RigidBody {
        m: 2.2,
        inertia: [0.41, 0.53, 0.34, 0.05, -0.03, 0.02],
        g: 9.81,
    };
    let momentum = |t: f64, x: &[f64]| {
        let rates = generated::rigid_body::derivative(
            t,
            x.try_into().unwrap(),
            &Default::default(),
            &inputs,
        );
        let rates = rates.outcome().unwrap();
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
        assert!(drift(motion.iter().map(|(t, x)| momentum(*t, x)[axis])) < DRIFT);
    }
}
