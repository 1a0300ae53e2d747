//! Options of a derivation, drawn together.

use super::draw::Dice;
use super::machine::{Machine, Statement};
use crate::refreshing::EVERYTHING;
use eomgen::options::{DeriveOptions, Form, Inverse, Math, Plan, Prefer, Route, Scalar, Variant};

/// The formulations.
pub const METHODS: [&str; 10] = [
    "newton-euler",
    "kane",
    "gibbs-appell",
    "explicit-gibbs-appell",
    "lagrange",
    "maggi",
    "boltzmann-hamel",
    "jourdain",
    "appell-reduced",
    "udwadia-kalaba",
];

/// Functions whose derivatives are asked for.
const DIFFERENTIATED: [&str; 6] = [
    "accelerations",
    "derivative",
    "rates",
    "kinetic_energy",
    "potential_energy",
    "forcing",
];

/// Options from chance for a machine. Half of all derivations take the defaults but for the method, and half ask for all functions that
/// there are.
pub fn options(dice: &mut Dice, machine: &Machine) -> DeriveOptions {
    let mut options = DeriveOptions {
        method: (!dice.chance(0.15)).then(|| (*dice.one(&METHODS)).to_owned()),
        ..DeriveOptions::default()
    };
    if dice.chance(0.5) {
        options.outputs.push(EVERYTHING.to_owned());
    }
    if dice.chance(0.5) {
        return options;
    }
    options.form = *dice.one(&[Form::Auto, Form::Closed, Form::Staged]);
    options.plan = *dice.one(&[Plan::Auto, Plan::Reduced, Plan::Bordered, Plan::NewtonEuler]);
    options.prefer = *dice.one(&[Prefer::Operations, Prefer::Time]);
    options.math = *dice.one(&[Math::Std, Math::Libm, Math::Inline]);
    options.fma = dice.chance(0.2);
    options.scalar = *dice.one(&[Scalar::F64, Scalar::F64, Scalar::F64, Scalar::Generic]);
    options.batch = options.scalar == Scalar::F64 && dice.chance(0.3);
    if options.scalar == Scalar::Generic {
        // A type's functions are its own.
        options.fma = false;
        options.math = Math::Std;
    }
    options.variant = Variant {
        inverse: *dice.one(&[Inverse::One, Inverse::OneFour, Inverse::MoorePenrose]),
        route: Route::named(["I", "II", "III"][dice.below(3)]).unwrap_or_default(),
    };
    if dice.chance(0.5) {
        quantities(dice, &mut options);
    }
    if dice.chance(0.2) {
        derivatives(dice, machine, &mut options);
    }
    if dice.chance(0.2) {
        fixed(dice, machine, &mut options);
    }
    if dice.chance(0.15) {
        dependent(dice, machine, &mut options);
    }
    options
}

/// Quantities that the oracle has no claim on: what identification takes, and forces that are not unique.
const NOT_DRAWN: [&str; 8] = [
    "regressor",
    "inertial_parameters",
    "load_regressor",
    "load_parameters",
    "known_forces",
    "base_regressor",
    "base_parameters",
    "minimum_norm_forces",
];

/// Up to four quantities of the catalogue; those of the method come first as often as not.
fn quantities(dice: &mut Dice, options: &mut DeriveOptions) {
    let method = options.method.clone().unwrap_or_default();
    let (mut general, mut own) = (Vec::new(), Vec::new());
    let whole = |e: &&eomgen::QuantityEntry| {
        let is_whole = e.about.of == eomgen::QuantityPlace::Machine;
        is_whole && !NOT_DRAWN.contains(&e.about.name)
    };
    let all = eomgen::quantities();
    for entry in all.iter().filter(|e| !e.standard).filter(whole) {
        let name = entry.about.name;
        // By their number: those of every formulation are of all ten.
        if entry.methods.len() >= METHODS.len() || entry.methods.is_empty() {
            general.push(name);
        } else if entry.methods.contains(&method.as_str()) {
            own.push(name);
        }
    }
    for _ in 0..1 + dice.below(4) {
        let list: &[&str] = if !own.is_empty() && dice.chance(0.5) {
            &own
        } else {
            &general
        };
        let name = list[dice.below(list.len())].to_owned();
        if !options.outputs.contains(&name) {
            options.outputs.push(name);
        }
    }
}

fn derivatives(dice: &mut Dice, machine: &Machine, options: &mut DeriveOptions) {
    let mut groups = vec!["q", "v", "t"];
    for s in &machine.statements {
        match s {
            Statement::Param { .. } => groups.push("params"),
            Statement::Input { .. } => groups.push("inputs"),
            _ => {}
        }
    }
    groups.sort_unstable();
    groups.dedup();
    let group = *dice.one(&groups);
    let of = *dice.one(&DIFFERENTIATED);
    options.jacobians.push(format!("{of}:{group}"));
}

/// Numbers in place of parameters: of all, or of one.
fn fixed(dice: &mut Dice, machine: &Machine, options: &mut DeriveOptions) {
    let values = machine.statements.iter().filter_map(|s| match s {
        Statement::Param { name, value, .. } => Some(format!("{name}={value}")),
        _ => None,
    });
    let values: Vec<String> = values.collect();
    if values.is_empty() {
        return;
    }
    let wrt_params = options.jacobians.iter().any(|j| j.ends_with(":params"));
    if dice.chance(0.5) && !wrt_params {
        options.fix.all = true;
        return;
    }
    // A value that the front end refuses is not chosen.
    let _ = options.fix.add(dice.one::<String>(&values));
}

/// A rate to eliminate, where constraints may determine one and no speeds are declared.
fn dependent(dice: &mut Dice, machine: &Machine, options: &mut DeriveOptions) {
    let mut rates = Vec::new();
    let mut constrained = false;
    for s in &machine.statements {
        match s {
            Statement::Coord { name, .. } => rates.push(format!("{name}'")),
            Statement::Constraint { .. } | Statement::Roll { .. } => constrained = true,
            Statement::Speed { .. } | Statement::Privileged(_) => return,
            _ => {}
        }
    }
    if constrained && !rates.is_empty() {
        options.dependent.push(dice.one::<String>(&rates).clone());
    }
}
