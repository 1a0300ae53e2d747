//! The generated modules behind one face, so that tests go through all of them.

use crate::generated;
use crate::outcome::{Flat, Outcome};
use crate::user;

/// What a function gives: its numbers row by row, or why there are none.
pub type Result = std::result::Result<Vec<f64>, String>;

/// A compiled module. Parameters keep the model's defaults.
#[derive(Clone, Copy, Debug)]
pub struct Compiled {
    /// Its name.
    pub module: &'static str,
    /// Names of the state's entries.
    pub state: &'static [&'static str],
    /// Names of the coordinates.
    pub coordinates: &'static [&'static str],
    /// Names of the speeds, the dependent ones included.
    pub speeds: &'static [&'static str],
    /// Names of the constraint rows.
    pub rows: &'static [&'static str],
    /// Names of the inputs.
    pub inputs: &'static [&'static str],
    also: &'static [&'static str],
    /// Calls a function by its name with time, state and inputs; `None` if the module has no such function.
    call: fn(&str, f64, &[f64], &[f64]) -> Option<Result>,
}

const ALWAYS: &[&str] = &[
    "accelerations",
    "speed_rates",
    "rates",
    "derivative",
    "mass_matrix",
    "forcing",
    "kinetic_energy",
    "potential_energy",
    "gibbs_function",
];

const CONSTRAINED: &[&str] = &[
    "constraint_matrix",
    "constraint_rhs",
    "constraint_residuals",
    "velocity_residuals",
    "multipliers",
    "ideal_constraint_forces",
    "projection_step",
];

impl Compiled {
    /// The module of this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(module: &str) -> std::result::Result<&'static Self, String> {
        let found = COMPILED.iter().find(|m| m.module == module);
        found.ok_or_else(|| format!("no compiled module `{module}`"))
    }

    /// Names of the functions that can be called.
    pub fn functions(&self) -> Vec<&'static str> {
        let constrained = if self.rows.is_empty() {
            &[]
        } else {
            CONSTRAINED
        };
        [ALWAYS, constrained, self.also].concat()
    }

    /// Calls a function by its name.
    ///
    /// # Errors
    /// What the function says, or that there is no such function.
    pub fn call(&self, function: &str, t: f64, state: &[f64], inputs: &[f64]) -> Result {
        (self.call)(function, t, state, inputs)
            .unwrap_or_else(|| Err(format!("{} has no function `{function}`", self.module)))
    }
}

/// Returns what the function of the wanted name gives, if it is among the listed ones.
macro_rules! pick {
    ($call:ident, $wanted:ident: $($name:ident)*) => {
        $(if $wanted == stringify!($name) {
            return Some($call!($name));
        })*
    };
}

macro_rules! constrained {
    (Constraint, $call:ident, $wanted:ident) => {
        pick!($call, $wanted: constraint_matrix constraint_rhs constraint_residuals velocity_residuals
            multipliers ideal_constraint_forces projection_step)
    };
}

/// One module a line: the enum of its constraint rows, functions beyond the usual ones, its inputs, and the functions that it
/// asks of its user.
macro_rules! compiled {
    ($($module:ident
        $(, rows $rows:ident)? $(, also $also:ident)*
        $(, inputs [$($input:ident)*])? $(, user $user:expr)?;)*) => {
        /// All compiled modules.
        pub const COMPILED: &[Compiled] = &[$({
            use generated::$module as module;
            #[allow(non_snake_case, reason = "an input keeps its name")]
            fn call(function: &str, t: f64, state: &[f64], inputs: &[f64]) -> Option<Result> {
                let Ok(x) = state.try_into() else {
                    return Some(Err(format!("{} entries of the state", state.len())));
                };
                let p = module::Params::default();
                let _ = inputs;
                $(
                    let &[$($input),*] = inputs else {
                        return Some(Err(format!("{} inputs", inputs.len())));
                    };
                    let given = module::Inputs { $($input),* };
                )?
                macro_rules! evaluate {
                    ($function:ident) => {
                        module::Model::new(&p).$function(
                            t,
                            x
                            $(, { let _ = stringify!($($input)*); &given })?
                            $(, &$user)?
                        )
                        .outcome()
                        .map(Flat::flat)
                    };
                }
                pick!(evaluate, function: accelerations speed_rates rates derivative mass_matrix forcing
                    kinetic_energy potential_energy gibbs_function $($also)*);
                $(constrained!($rows, evaluate, function);)?
                None
            }
            Compiled {
                module: stringify!($module),
                state: &module::StateIndex::NAMES,
                coordinates: module::StateIndex::NAMES.split_at(module::COORDINATES).0,
                speeds: &module::Speed::NAMES,
                rows: {
                    let names: &[&str] = &[];
                    $(let _ = names; let names: &[&str] = &module::$rows::NAMES;)?
                    names
                },
                inputs: &[$($(stringify!($input)),*)?],
                also: &[$(stringify!($also)),*],
                call,
            }
        }),*];
    };
}

compiled! {
    ball_on_turntable, rows Constraint, also closeness, also dependent_speeds, also output_drift;
    bead_on_hoop;
    cart_double_pendulum_dependent, rows Constraint, also closeness;
    crane, also closeness, inputs [fx fy fl];
    disc, rows Constraint, also closeness, also dependent_speeds, inputs [tau_psi tau_phi tau_th];
    disc_contact, rows Constraint, also closeness, also dependent_speeds, inputs [tau_psi tau_phi tau_th];
    double_pendulum;
    e1_appell, rows Constraint, also closeness, user user::Appell;
    e2_appell_rheonomic, rows Constraint, also closeness, user user::Rheonomic;
    e3_appell_nonideal, rows Constraint, also closeness, also nonideal_constraint_forces, user user::Nonideal;
    e4_sleigh_cartesian, rows Constraint, also closeness;
    e4_sleigh_gibbs_appell, rows Constraint, also dependent_speeds;
    e4_sleigh_kane, rows Constraint, also dependent_speeds;
    e4_sleigh_lagrange, rows Constraint, also dependent_speeds;
    e4_sleigh_rheonomic, rows Constraint, also dependent_speeds;
    e4_sleigh_six, rows Constraint, also dependent_speeds;
    e4_sleigh_speeds, rows Constraint, also dependent_speeds;
    e4_sleigh_udwadia_kalaba, rows Constraint, also dependent_speeds;
    e5_wheel_axle, rows Constraint, also dependent_speeds;
    e5_wheel_axle_full, rows Constraint, also dependent_speeds;
    e5_wheel_axle_rows, rows Constraint, also dependent_speeds;
    energy_elastic_pendulum, also closeness;
    energy_hunt_crossley, also closeness, also output_touches;
    panda7, inputs [tau1 tau2 tau3 tau4 tau5 tau6 tau7];
    pend_abs_1, inputs [F tau1];
    pend_abs_10, inputs [F tau1 tau2 tau3 tau4 tau5 tau6 tau7 tau8 tau9 tau10];
    pend_abs_2, inputs [F tau1 tau2];
    pend_abs_20, inputs [F tau1 tau2 tau3 tau4 tau5 tau6 tau7 tau8 tau9 tau10 tau11 tau12 tau13 tau14 tau15
        tau16 tau17 tau18 tau19 tau20];
    pend_abs_3, inputs [F tau1 tau2 tau3];
    pend_abs_5, inputs [F tau1 tau2 tau3 tau4 tau5];
    pend_rel_5, inputs [F tau1 tau2 tau3 tau4 tau5];
    rigid_body, also closeness, inputs [tx ty tz];
    scotch_yoke, rows Constraint, also dependent_speeds, inputs [tau];
    sleigh_ref, rows Constraint, also dependent_speeds, inputs [tau_x tau_y tau_theta];
    spherical_pendulum, rows Constraint, also closeness;
    ur5, inputs [tau1 tau2 tau3 tau4 tau5 tau6];
}
