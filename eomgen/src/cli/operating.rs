//! What `equilibria` and `linearize` have in common: from arguments to a machine, and to what is asked of its operating points.

use super::args::{At, GivenArgs, PointArgs};
use super::console::Problem;
use super::motion::{complaints, pair, pairs, with_params_of};
use crate::assemble::{Held, assemble};
use crate::machine::{Machine, Mechanism, Start};
use crate::operating::{Along, Asked, Quantity, Unfound};
use crate::pipeline::{OperatingReport, OperatingRequest};
use crate::simulate::{chosen, evaluated};

/// A machine with its parameters, where it starts, and what is asked.
pub(super) struct Posed {
    pub(super) machine: Machine,
    pub(super) params: Vec<f64>,
    pub(super) start: Start,
    pub(super) asked: Asked,
}

/// Derives the machine and reads what is asked of it, at which point; `follow` are expressions to follow.
pub(super) fn posed(
    given: &GivenArgs,
    point: &PointArgs,
    at: &At,
    follow: Vec<String>,
) -> Result<Posed, Problem> {
    let mut request = given.request()?;
    let state = match at {
        At::File(_) if given.state.is_some() => {
            let message = "--at and --state both name a file; name one";
            return Err(Problem::Usage(message.to_owned()));
        }
        At::File(path) => given.state_of(path)?,
        _ => given.state()?,
    };
    if let At::Values(list) = at {
        let own = pairs(list, "--at")?;
        request
            .initial
            .retain(|(name, _)| own.iter().all(|(n, _)| n != name));
        request.initial.extend(own);
    }
    let mut named = Vec::new();
    let mut values = Vec::new();
    for text in &point.hold {
        if text.contains('=') {
            let (name, value) = pair(text, "--hold")?;
            values.push((name.clone(), value));
            named.push(name);
        } else {
            named.push(text.trim().to_owned());
        }
    }
    with_params_of(&mut request, &state);
    request.held = values;
    request.idle = true;
    request.watch = follow;
    request.slopes = true;
    let machine = given.machine(request)?;
    if machine.follows_time() {
        return Err(Problem::Failed(
            "the machine depends on time, so that it has no operating points; write what moves as an input or a parameter".to_owned(),
        ));
    }
    let read = chosen(&machine, &state).map_err(complaints)?;
    let mut asked = asked(&machine, point, &named, (&read.params, &read.guess))?;
    if *at == At::Steady {
        asked
            .turning
            .extend(moving(&machine, &read.params, &read.guess));
        asked.turning.sort_unstable();
        asked.turning.dedup();
    }
    let start = consistent(&machine, &read.params, &read.guess, &asked);
    Ok(Posed {
        params: read.params,
        start,
        asked,
        machine,
    })
}

/// The coordinates that move at the start.
fn moving(machine: &Machine, params: &[f64], start: &Start) -> Vec<usize> {
    let state = machine.state_array(start);
    let mut rate = vec![0.0; state.len()];
    let mut mechanism = Mechanism::new(machine, params.to_vec());
    match mechanism.derivative(start.time, &state, &mut rate) {
        Ok(()) => (0..machine.coords.len())
            .filter(|i| rate[*i].abs() > RESTING)
            .collect(),
        Err(_) => Vec::new(),
    }
}

/// Slower is at rest.
const RESTING: f64 = 1e-9;

/// The nearest state on the constraints, if there is one: a better start than one that breaks them.
fn consistent(machine: &Machine, params: &[f64], guess: &Start, asked: &Asked) -> Start {
    let mut held = Held {
        coords: vec![false; machine.coords.len()],
        speeds: vec![false; machine.speeds.len()],
    };
    let mut guess = guess.clone();
    for (quantity, value) in &asked.held {
        match quantity {
            Quantity::Coord(i) => (held.coords[*i], guess.q[*i]) = (true, *value),
            Quantity::Speed(i) => (held.speeds[*i], guess.speeds[*i]) = (true, *value),
            Quantity::State(i) => guess.states[*i] = *value,
            Quantity::Param(_) | Quantity::Input(_) => {}
        }
    }
    for at in &asked.turning {
        held.coords[*at] = true;
    }
    let mut mechanism = Mechanism::new(machine, params.to_vec());
    match assemble(&mut mechanism, &guess, &held) {
        Ok(found) => found.start,
        Err(_) => guess,
    }
}

fn asked(
    machine: &Machine,
    point: &PointArgs,
    named: &[String],
    (params, guess): (&[f64], &Start),
) -> Result<Asked, Problem> {
    let mut asked = Asked::default();
    let mut wrong = Vec::new();
    let given = evaluated(&machine.held, params);
    for name in named {
        match Quantity::named(machine, name) {
            Err(e) => wrong.push(format!("--hold {name}: {e}")),
            Ok(quantity) => {
                let number = given.iter().find(|(n, _)| n == name).map(|(_, x)| *x);
                let own = match quantity {
                    Quantity::Coord(i) => guess.q[i],
                    Quantity::Speed(i) => guess.speeds[i],
                    Quantity::State(i) => guess.states[i],
                    Quantity::Param(i) => params[i],
                    Quantity::Input(_) => 0.0,
                };
                let number = number.unwrap_or(own);
                asked.held.push((quantity, number));
            }
        }
    }
    let trimmed = |list: &[String]| -> Vec<String> {
        let names = list.iter().map(|n| n.trim().to_owned());
        names.filter(|n| !n.is_empty()).collect()
    };
    for name in trimmed(&point.free) {
        match Quantity::named(machine, &name) {
            Ok(Quantity::Input(i)) => asked.free.push(i),
            Ok(_) => wrong.push(format!("--free {name}: only inputs are freed; coordinates and speeds are free unless --hold holds them")),
            Err(e) => wrong.push(format!("--free {name}: {e}")),
        }
    }
    for name in trimmed(&point.steady) {
        match Quantity::named(machine, &name) {
            Ok(Quantity::Coord(i)) => asked.turning.push(i),
            Ok(_) => wrong.push(format!("--steady {name}: only coordinates turn")),
            Err(e) => wrong.push(format!("--steady {name}: {e}")),
        }
    }
    asked.free.sort_unstable();
    asked.free.dedup();
    asked.turning.sort_unstable();
    asked.turning.dedup();
    let held = asked.held.iter().filter_map(|(q, _)| match q {
        Quantity::Input(i) => Some(*i),
        _ => None,
    });
    for i in held.chain(asked.free.iter().copied()) {
        if machine.follows_state(i) {
            let name = &machine.inputs[i].named.name;
            wrong.push(format!("\"{name}\" follows the state by what --input says of it; it can neither be held nor be free besides"));
        }
    }
    for i in &asked.free {
        if asked.held.iter().any(|(q, _)| *q == Quantity::Input(*i)) {
            let name = &machine.inputs[*i].named.name;
            wrong.push(format!("\"{name}\" is both held and free; name it once"));
        }
    }
    if wrong.is_empty() {
        Ok(asked)
    } else {
        Err(complaints(wrong))
    }
}

/// `v = 0..10 in 101`
pub(super) fn range(text: &str, option: &str) -> Result<(String, Vec<f64>), Problem> {
    let found = text
        .split_once('=')
        .and_then(|(name, range)| Some((name.trim().to_owned(), values(range)?)));
    found.ok_or_else(|| {
        Problem::Usage(format!(
            "{option} takes a name, a range and a count from 2 to {MOST}, as in {option} 'k = 0..10 in 11', not '{text}'"
        ))
    })
}

/// Points of a range, more of which nobody reads.
const MOST: usize = 10_001;

/// `0..10 in 101`
pub(super) fn values(text: &str) -> Option<Vec<f64>> {
    let (range, count) = text.split_once(" in ")?;
    let (from, to) = range.split_once("..")?;
    let count: usize = count.trim().parse().ok()?;
    let number = |t: &str| t.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    let (from, to) = (number(from)?, number(to)?);
    let value = |i: usize| {
        let part = i as f64 / (count - 1) as f64;
        if i + 1 == count {
            to
        } else {
            from + (to - from) * part
        }
    };
    ((2..=MOST).contains(&count) && from != to).then(|| (0..count).map(value).collect())
}

/// What is said of the machine's operating points in symbols.
pub(super) fn in_symbols(
    given: &GivenArgs,
    machine: &Machine,
    request: OperatingRequest,
) -> Result<OperatingReport, Problem> {
    // Symbols are those of the model: there an input stands for itself.
    if (0..machine.inputs.len()).any(|i| machine.follows_state(i)) {
        return Ok(OperatingReport {
            refused: Some("inputs follow the state by what --input says of them".to_owned()),
            ..OperatingReport::default()
        });
    }
    given.in_symbols(request)
}

/// What a family is followed along.
pub(super) fn along(machine: &Machine, text: &str, option: &str) -> Result<Along, Problem> {
    let (name, values) = range(text, option)?;
    let quantity = Quantity::named(machine, &name);
    let quantity = quantity.map_err(|e| Problem::Failed(format!("{option}: {e}")))?;
    Ok(Along { quantity, values })
}

/// That there is no operating point.
pub(super) fn unfound(error: &Unfound) -> Problem {
    Problem::Failed(match error {
        Unfound::Nowhere(what) => {
            format!(
                "the equations have no values at the start: {what}; start elsewhere (--initial)"
            )
        }
        Unfound::Left { row, residual, at } => {
            let at: Vec<String> = at.iter().map(|(n, x)| format!("{n} = {x:.6}")).collect();
            format!(
                "no operating point was found: nearest, `{row}` is left with {residual:.3e}, at {}; start elsewhere (--initial, --starts 20), free an input (--free), let coordinates turn (--steady), or hold less (--hold)",
                at.join(", ")
            )
        }
    })
}
