//! The generated modules as a user compiles them, at the reference states.
//!
//! One line of the table is one module: its reference, its inputs and the functions that it asks for. Parameters keep the model's
//! defaults, which `tests/models.rs` compares with the reference.
#![cfg(feature = "generated")]

use generated_tests::compare::close;
use generated_tests::generated;
use generated_tests::outcome::Outcome;
use generated_tests::reference::{Reference, State, load};
use generated_tests::{samples, states, user};

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
