//! `projection_step` leads states that are off the constraints back to them, and faster with every step.
#![cfg(feature = "generated")]

use generated_tests::known;
use generated_tests::modules::Compiled;
use generated_tests::refreshing::GENERATED;
use generated_tests::samples::Random;
use generated_tests::states;

/// The largest residual, of positions and of velocities.
fn residual(module: &Compiled, t: f64, x: &[f64], inputs: &[f64]) -> f64 {
    let of = |function| module.call(function, t, x, inputs).unwrap();
    let both = [of("constraint_residuals"), of("velocity_residuals")].concat();
    both.iter().fold(0.0, |worst: f64, r| {
        if r.is_finite() {
            worst.max(r.abs())
        } else {
            f64::INFINITY
        }
    })
}

/// From a distance of about 1e-3; `free` says that the state's own variables cannot leave the constraints.
fn check(name: &str, free: bool) {
    let module = Compiled::named(name).unwrap();
    let origin = GENERATED.iter().find(|g| g.module == name).unwrap();
    let (reference, _) = known::reference(origin.model).unwrap();
    let mut random = Random::default();
    for (index, state) in reference.states.iter().enumerate() {
        let entries = module
            .state
            .iter()
            .map(|n| states::entry(&reference, state, n).unwrap());
        let start: Vec<f64> = entries.map(|x| x + 1e-3 * random.number()).collect();
        let inputs = vec![0.0; module.inputs.len()];
        let step = |x: &[f64]| module.call("projection_step", state.t, x, &inputs).unwrap();
        let off = |x: &[f64]| residual(module, state.t, x, &inputs);
        if free {
            assert_eq!(step(&start), start, "{name}, state {index}");
            assert!(off(&start) < 1e-12, "{name}, state {index}");
            continue;
        }
        let mut x = start;
        assert!(off(&x) > 1e-6, "{name}, state {index}: nothing to do");
        // Positions first: the residuals of velocities depend on them.
        x = step(&x);
        for _ in 0..4 {
            let before = off(&x);
            x = step(&x);
            let after = off(&x);
            assert!(
                after <= 100.0 * before * before + 1e-13,
                "{name}, state {index}: {before:e} becomes {after:e}"
            );
        }
        assert!(off(&x) < 1e-12, "{name}, state {index}: {:e}", off(&x));
    }
}

macro_rules! table {
    ($($module:ident: $free:expr;)*) => {$(
        #[test]
        fn $module() {
            check(stringify!($module), $free);
        }
    )*};
}

table! {
    cart_double_pendulum_dependent: false;
    disc: true;
    disc_contact: true;
    e1_appell: false;
    e2_appell_rheonomic: false;
    e3_appell_nonideal: false;
    e4_sleigh_cartesian: false;
    e4_sleigh_gibbs_appell: true;
    e4_sleigh_kane: true;
    e4_sleigh_lagrange: true;
    e4_sleigh_rheonomic: false;
    e4_sleigh_six: false;
    e4_sleigh_speeds: true;
    e4_sleigh_udwadia_kalaba: true;
    e5_wheel_axle: false;
    e5_wheel_axle_full: false;
    e5_wheel_axle_rows: true;
    sleigh_ref: true;
    spherical_pendulum: false;
}
