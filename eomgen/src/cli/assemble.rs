//! `eomgen assemble`

use serde_json::{Map, Value, json};

use super::args::AssembleArgs;
use super::console::{Problem, print, say};
use super::motion::{complaints, pair, unassembled, with_params_of};
use crate::assemble::{Consistent, assemble};
use crate::machine::{Machine, Mechanism};
use crate::simulate::{Chosen, chosen};

/// Finds a consistent state and prints it.
pub(super) fn run(args: &AssembleArgs) -> Result<(), Problem> {
    let mut state = args.given.state()?;
    let mut request = args.given.request()?;
    for text in &args.hold {
        if text.contains('=') {
            let (name, value) = pair(text, "--hold")?;
            request.initial.push((name.clone(), value));
            state.held.push(name);
        } else {
            state.held.push(text.trim().to_owned());
        }
    }
    request.idle = true;
    with_params_of(&mut request, &state);
    let machine = args.given.machine(request)?;
    let chosen = chosen(&machine, &state).map_err(complaints)?;
    let mut mechanism = Mechanism::new(&machine, chosen.params.clone());
    // Values that are given are guesses here; only what is named by --hold is held.
    let mut held = chosen.held.clone();
    let names = |i: usize, named: &[crate::machine::Named]| state.held.contains(&named[i].name);
    for i in 0..held.coords.len() {
        held.coords[i] = names(i, &machine.coords);
        held.speeds[i] = names(i, &machine.speeds);
    }
    let found = assemble(&mut mechanism, &chosen.guess, &held);
    let found = found.map_err(|e| unassembled(&machine, &e))?;
    for remark in &found.remarks {
        say(&format!("warning: {remark}\n"));
    }
    if args.json {
        return print(&as_json(&machine, &chosen, &found));
    }
    print(&as_text(&machine, &chosen, &found))
}

fn as_json(machine: &Machine, chosen: &Chosen, found: &Consistent) -> String {
    let named = |names: &mut dyn Iterator<Item = &String>, values: &[f64]| -> Map<String, Value> {
        let pairs = names.zip(values);
        pairs.map(|(n, x)| (n.clone(), json!(x))).collect()
    };
    let params = named(
        &mut machine.params.iter().map(|p| &p.named.name),
        &chosen.params,
    );
    let q = named(&mut machine.coords.iter().map(|c| &c.name), &found.start.q);
    let qdot = named(&mut machine.coords.iter().map(|c| &c.name), &found.rates);
    let state = json!({ "t": found.start.time, "params": params, "q": q, "qdot": qdot });
    format!("{state:#}\n")
}

fn as_text(machine: &Machine, chosen: &Chosen, found: &Consistent) -> String {
    let mut out = match &found.off {
        None => "The constraints hold at the start.\n\n".to_owned(),
        Some((row, residual)) => format!("The start violates `{row}` by {residual:.3e}.\n\n"),
    };
    let coords = machine
        .coords
        .iter()
        .zip(&found.start.q)
        .zip(&chosen.guess.q);
    let speeds = machine
        .speeds
        .iter()
        .zip(&found.start.speeds)
        .zip(&chosen.guess.speeds);
    let all: Vec<_> = coords.chain(speeds).collect();
    let width = all.iter().map(|((n, _), _)| n.name.chars().count()).max();
    for ((named, now), before) in all {
        let unit = named
            .unit
            .as_deref()
            .map_or(String::new(), |u| format!(" {u}"));
        let moved = (now - before).abs() > 1e-9 * (1.0 + now.abs());
        let from = if moved {
            format!("   (from {before:.9})")
        } else {
            String::new()
        };
        let width = width.unwrap_or(0);
        out.push_str(&format!("{:<width$} = {now:.9}{unit}{from}\n", named.name));
    }
    out
}
