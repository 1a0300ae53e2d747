//! The integrator itself, on motions with a known end.

use crate::motion::{drift, integrated, travelled};
use generated_tests::gauss::mechanisms::DoublePendulum;
use generated_tests::gauss::solve;

#[test]
fn oscillator_comes_back() {
    let turn = std::f64::consts::TAU;
    let motion = integrated(|_, s| vec![s[1], -s[0]], 0.0, &[1.0, 0.0], 3.0 * turn);
    let (_, end) = motion.last().unwrap();
    assert!(
        (end[0] - 1.0).abs() < 1e-10 && end[1].abs() < 1e-10,
        "{end:?}"
    );
    assert!(motion.len() > 20);
}

/// s'' + s = 2 cos t has the solution t sin t; the motion begins at t = 0.5.
#[test]
fn time_is_passed_on() {
    let exact = |t: f64| [t * t.sin(), t.sin() + t * t.cos()];
    let rate = |t: f64, s: &[f64]| vec![s[1], 2.0 * t.cos() - s[0]];
    let motion = integrated(rate, 0.5, &exact(0.5), 1.5);
    let (t, end) = motion.last().unwrap();
    assert!((t - 2.0).abs() < 1e-14);
    assert!((end[0] - exact(2.0)[0]).abs() < 1e-11, "{end:?}");
}

#[test]
fn drift_sees_strays_and_not_numbers() {
    assert_eq!(drift([4.0, 5.0, 3.0]), 0.25);
    assert_eq!(drift([1.0, f64::NAN]), f64::INFINITY);
}

/// A double pendulum by Gauss's principle keeps its energy, so both can be trusted to oracle generated code.
#[test]
fn gauss_keeps_the_energy_of_a_double_pendulum() {
    let mechanism = DoublePendulum {
        m: [1.0, 0.6],
        l: [0.8, 0.5],
        g: 9.81,
    };
    let at = |t: f64, s: &[f64]| solve(&mechanism, t, &s[..2], &s[2..], &[]);
    let rate = |t: f64, s: &[f64]| [&s[2..], &at(t, s).accelerations[..]].concat();
    let motion = integrated(rate, 0.0, &[0.7, -0.4, 0.0, 1.5], 5.0);
    let energy = |(t, s): &(f64, Vec<f64>)| {
        let now = at(*t, s);
        now.kinetic_energy + now.potential_energy
    };
    assert!(drift(motion.iter().map(energy)) < 1e-10);
    assert!(travelled(&motion) > 0.1);
}
