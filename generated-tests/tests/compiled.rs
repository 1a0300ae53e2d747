//! The generated modules as a user compiles them, at the reference states.
//!
//! One line of the table is one module: its reference, its inputs and the functions that it asks for. Parameters keep the model's
//! defaults, which `tests/models.rs` compares with the reference.
#![cfg(feature = "generated")]

use generated_tests::compare::close;
use generated_tests::generated;
use generated_tests::outcome::Outcome;
use generated_tests::reference::{Reference, State, load};
use generated_tests::{samples, states};

fn file(name: &str) -> Reference {
    load(name).unwrap()
}

macro_rules! table {
    ($($module:ident, $reference:expr
        $(, inputs: [$($input:ident)*])? $(, functions: $functions:expr)?;)*) => {$(
        #[test]
        fn $module() {
            use generated::$module::{self as module, Params, StateIndex};
            let reference = $reference;
            let names = &StateIndex::NAMES;
            let coordinates = states::coordinates(&reference, names);
            let check = |state: &State| -> Result<(), String> {
                let x = states::packed(&reference, state, names)?;
                let p = Params::default();
                $(let inputs = module::Inputs {
                    $($input: states::input(&reference, state, stringify!($input))?,)*
                };)?
                // The arguments are the same for all functions.
                macro_rules! call {
                    ($function:ident) => {
                        module::$function(
                            state.t,
                            &x,
                            &p
                            $(, { let _ = stringify!($($input)*); &inputs })?
                            $(, &$functions)?
                        )
                        .outcome()?
                    };
                }
                let wanted = reference.in_order(&state.accelerations, &coordinates)?;
                close("q''", &call!(accelerations), &wanted)?;
                let rates = call!(derivative);
                let qd = reference.in_order(&state.qd, &coordinates)?;
                close("q'", &rates[..qd.len()], &qd)?;
                if let Some(energy) = state.kinetic_energy {
                    close("T", &[call!(kinetic_energy)], &[energy])?;
                }
                Ok(())
            };
            for (index, state) in reference.states.iter().enumerate() {
                if let Err(complaint) = check(state) {
                    panic!("state {index}: {complaint}");
                }
            }
        }
    )*};
}

table! {
    cart_double_pendulum_dependent, file("cart_double_pendulum_dependent");
    disc, file("disc"), inputs: [tau_psi tau_phi tau_th];
    double_pendulum, samples::double_pendulum();
    e1_appell, file("e1_appell"), functions: user::Appell;
    e2_appell_rheonomic, file("e2_appell_rheonomic"), functions: user::Rheonomic;
    e3_appell_nonideal, file("e3_appell_nonideal"), functions: user::Nonideal;
    e4_sleigh, file("e4_sleigh");
    e4_sleigh_six, file("e4_sleigh_six");
    e4_sleigh_speeds, file("e4_sleigh");
    e5_wheel_axle, file("e5_wheel_axle_rows");
    panda7, file("panda7"), inputs: [tau1 tau2 tau3 tau4 tau5 tau6 tau7];
    pend_abs_5, file("pend_abs_5"), inputs: [F tau1 tau2 tau3 tau4 tau5];
    pend_rel_5, file("pend_rel_5"), inputs: [F tau1 tau2 tau3 tau4 tau5];
    rigid_body, samples::rigid_body(), inputs: [tx ty tz];
    sleigh_ref, file("sleigh_ref"), inputs: [tau_x tau_y tau_theta];
    spherical_pendulum, samples::spherical_pendulum();
    ur5, file("ur5"), inputs: [tau1 tau2 tau3 tau4 tau5 tau6];
}

/// The functions of E1 to E3, those of the reference files, with their derivatives where the module asks for them.
#[allow(non_snake_case)]
mod user {
    use super::generated::{e1_appell, e2_appell_rheonomic, e3_appell_nonideal};

    pub struct Appell;
    impl e1_appell::Functions for Appell {
        fn Fx(&self, _x: f64, y: f64, z: f64) -> f64 {
            0.6 * y * z
        }
        fn Fy(&self, x: f64, _y: f64, z: f64) -> f64 {
            -1.3 * (x - z * z)
        }
        fn Fz(&self, x: f64, y: f64, _z: f64) -> f64 {
            0.45 * x * y - 9.81
        }
    }

    /// sin(x) y + z^2/2 + x cos(1.9 t)
    pub struct Rheonomic;
    impl e2_appell_rheonomic::Functions for Rheonomic {
        fn h(&self, x: f64, y: f64, z: f64, t: f64) -> e2_appell_rheonomic::Jet1<4> {
            let (s, c) = (1.9 * t).sin_cos();
            e2_appell_rheonomic::Jet1 {
                value: x.sin() * y + z * z / 2.0 + x * c,
                gradient: [x.cos() * y + c, x.sin(), z, -1.9 * x * s],
            }
        }
    }

    pub struct Nonideal;
    impl e3_appell_nonideal::Functions for Nonideal {
        fn Fx(&self, _x: f64, y: f64, _z: f64, t: f64) -> f64 {
            1.1 * t.cos() * y
        }
        fn Fy(&self, x: f64, _y: f64, z: f64, _t: f64) -> f64 {
            -0.7 * x * z
        }
        fn Fz(&self, x: f64, _y: f64, z: f64, _t: f64) -> f64 {
            2.0 * x.sin() - 0.9 * z
        }
        /// x y + sin(z) t/2 + z
        fn g(&self, x: f64, y: f64, z: f64, t: f64) -> e3_appell_nonideal::Jet1<4> {
            e3_appell_nonideal::Jet1 {
                value: x * y + z.sin() * t / 2.0 + z,
                gradient: [y, x, z.cos() * t / 2.0 + 1.0, z.sin() / 2.0],
            }
        }
    }
}
