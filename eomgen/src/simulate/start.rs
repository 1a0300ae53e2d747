//! From what is given to a state to start from: parameters, coordinates, speeds, and which of them are held.

use crate::assemble::{Consistent, Held, Unassembled, assemble};
use crate::diag::suggest;
use crate::ir::tape::{Given, NoFunctions};
use crate::machine::{Machine, Mechanism, Start, Value};

/// A state as it was given; whatever is left out has the model's value, or 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GivenState {
    /// Time.
    pub time: f64,
    /// Parameters.
    pub params: Vec<(String, f64)>,
    /// Coordinates.
    pub q: Vec<(String, f64)>,
    /// Rates, by the coordinates' names.
    pub rates: Vec<(String, f64)>,
    /// Speeds.
    pub speeds: Vec<(String, f64)>,
    /// States of first order.
    pub states: Vec<(String, f64)>,
    /// Coordinates and speeds that keep their values.
    pub held: Vec<String>,
    /// Parameters that take the place of all others of that name.
    pub swept: Vec<(String, f64)>,
    /// Coordinates and speeds that do.
    pub moved: Vec<(String, f64)>,
}

/// Parameters, a guess, and what of it is held.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// In the machine's order.
    pub params: Vec<f64>,
    /// The guess.
    pub guess: Start,
    /// What is held.
    pub held: Held,
    /// Speeds that the model gives a value to, which are held besides if that is possible.
    pub stated: Vec<bool>,
}

/// Reads what is given in the names of a machine.
///
/// # Errors
/// Names that the machine does not have.
pub fn chosen(machine: &Machine, given: &GivenState) -> Result<Chosen, Vec<String>> {
    let mut complaints = Vec::new();
    let params = params(machine, given, &mut complaints);
    let coords: Vec<&str> = machine.coords.iter().map(|c| c.name.as_str()).collect();
    let speeds: Vec<&str> = machine.speeds.iter().map(|s| s.name.as_str()).collect();
    let states: Vec<&str> = machine.states.iter().map(|s| s.name.as_str()).collect();
    let kinds = if states.is_empty() {
        "coordinate or speed"
    } else {
        "coordinate, speed or state"
    };
    let n = coords.len();
    let own = machine.initial_states.iter().map(|x| x.unwrap_or(0.0));
    let mut own: Vec<f64> = own.collect();
    for (name, value) in &given.states {
        match place("state", name, &states) {
            Ok(i) => own[i] = *value,
            Err(e) => complaints.push(e),
        }
    }
    let mut q: Vec<f64> = machine.initial.iter().map(|x| x.unwrap_or(0.0)).collect();
    for (name, value) in &given.q {
        match place("coordinate", name, &coords) {
            Ok(i) => q[i] = *value,
            Err(e) => complaints.push(e),
        }
    }
    let mut mechanism = Mechanism::new(machine, params.clone());
    let (mut u, mut stated) = mechanism.initial_speeds(given.time, &q);
    let mut held = Held {
        coords: vec![false; n],
        speeds: vec![false; n],
    };
    for (name, value) in &given.speeds {
        match place("speed", name, &speeds) {
            Ok(i) => (u[i], held.speeds[i]) = (*value, true),
            Err(e) => complaints.push(e),
        }
    }
    let evaluated = evaluated(&machine.given, &params);
    let moved = given.moved.iter().map(|(n, x)| (n.as_str(), *x));
    let both: Vec<&str> = coords
        .iter()
        .chain(&speeds)
        .chain(&states)
        .copied()
        .collect();
    for (name, value) in evaluated.into_iter().chain(moved) {
        if let Some(i) = coords.iter().position(|c| *c == name) {
            (q[i], held.coords[i]) = (value, true);
        } else if let Some(i) = speeds.iter().position(|c| *c == name) {
            (u[i], held.speeds[i]) = (value, true);
        } else if let Some(i) = states.iter().position(|s| *s == name) {
            own[i] = value;
        } else if !machine.params.iter().any(|p| p.named.name == name) {
            complaints.extend(place(kinds, name, &both).err());
        }
    }
    let rates = rates(&coords, given, &mut complaints);
    for name in &given.held {
        if let Some(i) = coords.iter().position(|c| c == name) {
            held.coords[i] = true;
        } else if let Some(i) = speeds.iter().position(|c| c == name) {
            held.speeds[i] = true;
        } else if !states.contains(&name.as_str()) {
            complaints.extend(place(kinds, name, &both).err());
        }
    }
    if !complaints.is_empty() {
        return Err(complaints);
    }
    if let Some(rates) = rates {
        u = mechanism.numbers(&machine.probe.speeds, given.time, &q, &rates);
        stated.fill(false);
    }
    let guess = Start {
        time: given.time,
        q,
        speeds: u,
        states: own,
    };
    Ok(Chosen {
        params,
        guess,
        held,
        stated,
    })
}

fn place(noun: &str, name: &str, known: &[&str]) -> Result<usize, String> {
    let found = known.iter().position(|k| *k == name);
    found.ok_or_else(|| {
        let hint = match suggest::closest(name, known.iter().copied()) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("the machine has {}", known.join(", ")),
        };
        format!("unknown {noun} \"{name}\"; {hint}")
    })
}

/// Defaults, then the state's, then those given by name, then those of a sweep.
fn params(machine: &Machine, given: &GivenState, complaints: &mut Vec<String>) -> Vec<f64> {
    let names: Vec<&str> = machine
        .params
        .iter()
        .map(|p| p.named.name.as_str())
        .collect();
    let defaults = machine.params.iter().map(|p| p.default.unwrap_or(f64::NAN));
    let mut params: Vec<f64> = defaults.collect();
    let own = evaluated(&machine.given, &params);
    let own = own.into_iter().map(|(n, x)| (n.to_owned(), x));
    let own: Vec<(String, f64)> = own.filter(|(n, _)| names.contains(&n.as_str())).collect();
    for (name, value) in given.params.iter().chain(&own).chain(&given.swept) {
        match place("parameter", name, &names) {
            Ok(i) => params[i] = *value,
            Err(e) => complaints.push(e),
        }
    }
    params
}

/// The values given by name, at these parameters.
pub fn evaluated<'m>(given_by_name: &'m [Value], params: &[f64]) -> Vec<(&'m str, f64)> {
    let none: &[f64] = &[];
    let given: Given<'_> = [none, none, params, none, none, none, none, none];
    let values = given_by_name.iter().map(|value| {
        let mut number = [f64::NAN];
        let done = value.tape.runner(&given);
        let mut done = done;
        let _ = done.run(&given, &mut NoFunctions, &mut number);
        (value.name.as_str(), number[0])
    });
    values.collect()
}

/// All rates, if they are given.
fn rates(coords: &[&str], given: &GivenState, complaints: &mut Vec<String>) -> Option<Vec<f64>> {
    if given.rates.is_empty() {
        return None;
    }
    let mut rates = vec![0.0; coords.len()];
    for (name, value) in &given.rates {
        match place("coordinate", name, coords) {
            Ok(i) => rates[i] = *value,
            Err(e) => complaints.push(e),
        }
    }
    Some(rates)
}

/// The consistent state that a motion starts from: what was given by name is held if that is possible.
pub(super) fn consistent(
    mechanism: &mut Mechanism<'_>,
    chosen: &Chosen,
) -> Result<Consistent, Unassembled> {
    let machine = mechanism.machine;
    let mut held = chosen.held.clone();
    let reduced = machine.independent.len() < machine.speeds.len();
    let mut stated = (0..chosen.stated.len()).filter(|i| chosen.stated[*i]);
    // Speeds of the state are held anyway where the others follow from them.
    if stated.any(|i| !reduced || !machine.independent.contains(&i)) {
        let mut all = held.clone();
        for (held, stated) in all.speeds.iter_mut().zip(&chosen.stated) {
            *held |= stated;
        }
        if let Ok(found) = assemble(mechanism, &chosen.guess, &all) {
            return Ok(found);
        }
    }
    if reduced {
        // The speeds of the state are free to be chosen, and the others follow.
        for i in &machine.independent {
            held.speeds[*i] = true;
        }
        for i in 0..held.speeds.len() {
            held.speeds[i] &= machine.independent.contains(&i);
        }
    }
    match assemble(mechanism, &chosen.guess, &held) {
        Err(first) if held.coords.contains(&true) && first.position => Err(first),
        Err(first) if !reduced && !first.position => {
            let all = vec![false; held.speeds.len()];
            let free = Held {
                speeds: all,
                ..held
            };
            assemble(mechanism, &chosen.guess, &free).map_err(|_| first)
        }
        other => other,
    }
}

/// The state array of a consistent state.
pub(super) fn array(machine: &Machine, consistent: &Consistent) -> Vec<f64> {
    machine.state_array(&consistent.start)
}
