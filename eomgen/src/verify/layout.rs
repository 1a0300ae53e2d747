//! The data of a generated module against the model: names and order of parameters, inputs, states and indices, defaults, sizes.
//! A swapped entry would give every function a wrong argument, so this comes before any evaluation.

use super::facts;
use super::machine::Identified;
use super::text::literal;
use super::text::tree::{Fields, Index, Module};
use crate::catalogue::{IDENTIFICATION, KINEMATIC, Place, asked};
use crate::emit::names::{Names, camel, identifier};
use crate::facts::Fact;
use crate::model::System;
use crate::model::system::Rational;

/// The model's names of what a module's arrays hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Coordinates.
    pub coordinates: Vec<String>,
    /// Speeds of the state, after the coordinates: declared ones by name, rates as `x'`.
    pub independent: Vec<String>,
    /// States of first order, after the speeds.
    pub states: Vec<String>,
    /// All speeds in the order of `speed_rates`.
    pub speeds: Vec<String>,
    /// Constraint rows.
    pub rows: Vec<String>,
    /// Whether the module has transposition coefficients, for which the speeds are differentiated by the coordinates.
    pub has_transposition: bool,
    /// The points and frames of which the module has something; `None` where it has nothing of any, nor of momenta.
    pub sites: Option<Vec<String>>,
    /// What is identified, where the module has regressors.
    pub identified: Option<Identified>,
    /// The inputs that the module finds.
    pub actuators: Vec<String>,
    /// Whether the module has a Coriolis matrix, for which M is differentiated.
    pub has_coriolis: bool,
    /// Whether the module has something that depends on what holds the bodies.
    pub has_supports: bool,
    /// Whether the module has the balances of the bodies themselves.
    pub has_balances: bool,
    /// From which balances the reactions between two sides follow, one for each of the model in its order.
    pub pairs: Vec<String>,
}

impl Layout {
    /// Whether some speeds follow from others by the constraints.
    #[must_use]
    pub fn is_reduced(&self) -> bool {
        self.independent.len() < self.coordinates.len()
    }

    /// The speeds that are not in the state, in their order.
    #[must_use]
    pub fn dependent(&self) -> Vec<String> {
        let speeds = self.speeds.iter();
        let dependent = speeds.filter(|name| !self.independent.contains(name));
        dependent.cloned().collect()
    }
}

/// Compares the data of a module with the model.
///
/// # Errors
/// What is not as the model says, one line each.
pub fn layout(module: &Module, system: &System) -> Result<Layout, Vec<String>> {
    let mut faults = Vec::new();
    let of = |index: Option<&Index>| index.map_or(Vec::new(), |index| index.names.clone());
    let coordinates = names(system.coords.iter().map(|c| &c.meta.name));
    let state = of(module.index("StateIndex"));
    let n = coordinates.len();
    unfit_names(module, system, &state, &mut faults);
    unfit_functions(module, system, &mut faults);
    let states = names(system.states.iter().map(|s| &s.meta.name));
    let speeds = state.len().saturating_sub(n + states.len());
    let independent = state.iter().skip(n).take(speeds);
    let independent: Vec<String> = independent.cloned().collect();
    // Without functions that have an entry for each speed there need be no list of them.
    let speeds = module.index("Speed").map(|index| index.names.clone());
    let rows = of(module.index("Constraint"));
    if let Some(speeds) = &speeds {
        unfit_speeds(system, &rows, speeds, &independent, &mut faults);
    }
    let speeds = speeds.unwrap_or_else(|| independent.clone());
    let sizes = [
        ("STATES", state.len()),
        ("COORDINATES", n),
        ("INDEPENDENT_SPEEDS", independent.len()),
        ("CONSTRAINTS", rows.len()),
    ];
    unfit_sizes(module, &sizes, &mut faults);
    defaults(module, system, &mut faults);
    facts::unfit(module, system, &mut faults);
    let pairs = facts::pairs(module, system, &mut faults);
    if !faults.is_empty() {
        return Err(faults);
    }
    let balances = ["balance_matrix", "balance_rhs"];
    let has_balances = balances.iter().any(|name| module.function(name).is_some());
    Ok(Layout {
        coordinates,
        independent,
        states,
        speeds,
        rows,
        has_transposition: module
            .functions
            .iter()
            .any(|f| f.name.starts_with("transposition_")),
        sites: sites(module),
        identified: identified(module),
        actuators: actuators(module),
        has_coriolis: module.function("coriolis_matrix").is_some(),
        has_supports: module.function("reactions").is_some() || has_balances || !pairs.is_empty(),
        has_balances,
        pairs,
    })
}

/// The points and frames that functions are of.
fn sites(module: &Module) -> Option<Vec<String>> {
    let kinematic =
        |name: &str| asked::of_function(name).is_some() || KINEMATIC.iter().any(|q| q.name == name);
    if !module.functions.iter().any(|f| kinematic(&f.name)) {
        return None;
    }
    let facts = module.facts.list.iter().filter_map(|(_, fact)| match fact {
        Fact::Places(names) => Some(names.clone()),
        _ => None,
    });
    let mut names: Vec<String> = facts.flatten().collect();
    names.sort();
    names.dedup();
    Some(names)
}

/// The inputs that functions find.
fn actuators(module: &Module) -> Vec<String> {
    let finds = |name: &String| {
        let quantity = asked::of_function(name);
        quantity.is_some_and(|q| q.of == Place::Inputs)
    };
    let facts = module.facts.list.iter();
    let own = facts.filter(|(functions, _)| functions.iter().any(finds));
    let mut names: Vec<String> = own
        .filter_map(|(_, fact)| match fact {
            Fact::Places(names) => Some(names.clone()),
            _ => None,
        })
        .flatten()
        .collect();
    names.sort();
    names.dedup();
    names
}

/// Whose parameters the module is about.
fn identified(module: &Module) -> Option<Identified> {
    let own = |name: &str| IDENTIFICATION.iter().any(|q| q.name == name);
    if !module.functions.iter().any(|f| own(&f.name)) {
        return None;
    }
    let mut found = Identified::default();
    for (functions, fact) in &module.facts.list {
        if !functions.iter().any(|name| own(name)) {
            continue;
        }
        match fact {
            Fact::ReferencePoints(list) => found.about.clone_from(list),
            Fact::Columns(names) => found.columns.extend(names.iter().cloned()),
            Fact::Identified(stated, loads) => {
                found.stated.clone_from(stated);
                found.loads.clone_from(loads);
            }
            _ => {}
        }
    }
    let every: Vec<String> = found.stated.iter().chain(&found.loads).cloned().collect();
    found.columns.extend(every);
    found.columns.sort();
    found.columns.dedup();
    Some(found)
}

/// Records the names of data that are not the model's, or not in its order.
fn unfit_names(module: &Module, system: &System, state: &[String], faults: &mut Vec<String>) {
    let mut expect = |what: &str, found: &[String], expected: &[String]| {
        self::expect(faults, what, found, expected);
    };
    let params = names(system.params.iter().map(|p| &p.meta.name));
    expect("parameters", &module.params.names, &fields(&params));
    let inputs = names(system.inputs.iter().map(|i| &i.meta.name));
    expect("inputs", &module.inputs.names, &fields(&inputs));
    expect("fields of the state", &module.state.names, &fields(state));
    let coordinates = names(system.coords.iter().map(|c| &c.meta.name));
    let first: Vec<String> = state.iter().take(coordinates.len()).cloned().collect();
    expect("first entries of the state", &first, &coordinates);
    let states = names(system.states.iter().map(|s| &s.meta.name));
    let others = state.len().saturating_sub(states.len());
    let last: Vec<String> = state.iter().skip(others).cloned().collect();
    expect("last entries of the state", &last, &states);
    for index in &module.indices {
        let mut scope = Names::default();
        let variants = index.names.iter().map(|name| scope.claim(&camel(name)));
        let variants: Vec<String> = variants.collect();
        expect(
            &format!("variants of {}", index.name),
            &index.variants,
            &variants,
        );
    }
}

fn expect(faults: &mut Vec<String>, what: &str, found: &[String], expected: &[String]) {
    if found != expected {
        let (found, expected) = (found.join(", "), expected.join(", "));
        faults.push(format!(
            "{what}: the file has ({found}), the model ({expected})"
        ));
    }
}

/// Records what is wrong with the list of the user's functions.
fn unfit_functions(module: &Module, system: &System, faults: &mut Vec<String>) {
    // Those of which nothing is used are there as well.
    let users = system.functions.iter();
    let users = fields(&names(users.map(|f| &f.meta.name)));
    let found: Vec<String> = module
        .user_functions
        .iter()
        .map(|f| f.name.clone())
        .collect();
    expect(faults, "functions", &found, &users);
    for (user, function) in module.user_functions.iter().zip(&system.functions) {
        if user.arguments != function.args.len() {
            faults.push(format!("`{}` has a wrong number of arguments", user.name));
        }
    }
}

/// Records what is wrong with the speeds, and with those of the state.
fn unfit_speeds(
    system: &System,
    rows: &[String],
    speeds: &[String],
    independent: &[String],
    faults: &mut Vec<String>,
) {
    let n = system.coords.len();
    let known = |name: &String| {
        let declared = system.speeds.iter().any(|s| s.meta.name == *name);
        let rate = name.strip_suffix('\'');
        let rate_of = |of: &str| {
            system.coords.iter().any(|c| c.meta.name == of) || rows.iter().any(|row| row == of)
        };
        declared || rate.is_some_and(rate_of)
    };
    if speeds.len() != n || !speeds.iter().all(known) || !distinct(speeds) {
        faults.push(format!("({}) are not {n} speeds", speeds.join(", ")));
    }
    if !independent.iter().all(|name| speeds.contains(name)) || !distinct(independent) {
        let found = independent.join(", ");
        faults.push(format!(
            "({found}) of the state are not all among the speeds"
        ));
    }
}

/// Records the constants that are not the sizes of what they count.
fn unfit_sizes(module: &Module, sizes: &[(&str, usize)], faults: &mut Vec<String>) {
    for (name, size) in sizes {
        let found = module.constant(name);
        if found.is_none() && *size == 0 {
            continue;
        }
        if found != Some(*size) {
            faults.push(format!("`{name}` should be {size}"));
        }
    }
}

fn names<'a>(list: impl Iterator<Item = &'a String>) -> Vec<String> {
    list.cloned().collect()
}

fn distinct(list: &[String]) -> bool {
    let mut sorted = list.to_vec();
    sorted.sort();
    sorted.windows(2).all(|pair| pair.first() != pair.last())
}

/// The identifiers of names in one scope.
fn fields(names: &[String]) -> Vec<String> {
    let mut scope = Names::default();
    names.iter().map(|n| scope.claim(&identifier(n))).collect()
}

fn defaults(module: &Module, system: &System, faults: &mut Vec<String>) {
    let params = system.params.iter();
    let params: Vec<_> = params.map(|p| (&p.meta.name, p.default.clone())).collect();
    // All of them are numbers: there is no such struct.
    if !params.is_empty() || system.fixed.is_empty() {
        unfit_defaults(module, &module.params, "parameter", &params, faults);
    }
    let coords = system.coords.iter();
    let initial = coords.map(|c| (&c.meta.name, c.initial.clone().or(Some(zero()))));
    // Rates and speeds start at rest where the model does not say otherwise.
    let rates = system.coords.iter();
    let rates = rates.map(|c| (format!("{}'", c.meta.name), &c.initial_rate));
    let declared = system.speeds.iter();
    let declared = declared.map(|s| (s.meta.name.clone(), &s.initial));
    let states = system.states.iter();
    let states = states.map(|s| (s.meta.name.clone(), &s.initial));
    let stated: Vec<(String, &Option<Rational>)> = declared.chain(rates).chain(states).collect();
    let start = |name: &String| {
        let stated = stated.iter().find(|(own, _)| identifier(own) == *name);
        stated.and_then(|(_, initial)| (*initial).clone())
    };
    let speeds = module.state.names.iter().skip(system.coords.len());
    let state: Vec<_> = initial
        .chain(speeds.map(|name| (name, start(name).or(Some(zero())))))
        .collect();
    unfit_defaults(module, &module.state, "state", &state, faults);
}

fn zero() -> Rational {
    Rational::default()
}

/// Records where the defaults of a struct are not those expected: none at all unless each field has one.
fn unfit_defaults(
    module: &Module,
    found: &Fields,
    what: &str,
    expected: &[(&String, Option<Rational>)],
    faults: &mut Vec<String>,
) {
    let all: Option<Vec<_>> = expected.iter().map(|(_, value)| value.as_ref()).collect();
    match (&found.defaults, all) {
        (Some(found), Some(all)) => {
            for ((index, value), (name, _)) in found.iter().zip(all).zip(expected) {
                let literal = module.literals.get(*index as usize);
                // The file has the double nearest to it.
                let found = literal.and_then(|literal| literal::nearest(&literal.value));
                if found.is_none() || found != literal::nearest(value) {
                    faults.push(format!("the default of `{name}` is not the model's"));
                }
            }
        }
        (Some(_), None) => faults.push(format!("the model has no default for every {what}")),
        (None, Some(all)) => {
            if all.iter().any(|value| **value != zero()) || !found.derives_default {
                faults.push(format!("the defaults of the {what}s are missing"));
            }
        }
        (None, None) if found.derives_default => {
            faults.push(format!("the model has no default for every {what}"));
        }
        (None, None) => {}
    }
}
