//! `eomgen equilibria`

use serde_json::{Map, Value, json};

use super::args::{At, EquilibriaArgs};
use super::console::{Problem, print, say};
use super::operating::{Posed, along, in_symbols, posed, unfound};
use crate::linear::text::{number, table};
use crate::linear::{linear, neutral, values};
use crate::machine::Machine;
use crate::operating::{Conditions, Member, Point, Quantity, family, search};
use crate::pipeline::{OperatingReport, OperatingRequest, Said};

/// Finds operating points and prints them.
pub(super) fn run(args: &EquilibriaArgs) -> Result<(), Problem> {
    let posed = posed(&args.given, &args.point, &At::Nearest, Vec::new())?;
    match &args.along {
        Some(text) => followed(args, &posed, text),
        None => searched(args, &posed),
    }
}

/// What the linear model says of a point.
struct Stability {
    word: &'static str,
    /// The largest real part of an eigenvalue, but for neutral directions.
    largest: Option<f64>,
    /// Independent directions in which the point may be moved to the first order: their eigenvalues are 0.
    neutral: usize,
    /// Why there is no linear model.
    because: Option<String>,
}

/// How far from the imaginary axis, beside the largest eigenvalue, counts as on it.
const AXIS: f64 = 1e-7;
/// What is printed as 0.
const ROUNDING: f64 = 1e-14;

fn stability(posed: &Posed, point: &Point) -> Stability {
    let machine = &posed.machine;
    let found = linear(machine, posed.start.time, point, &[], &[]);
    let kept = found.and_then(|linear| {
        let mut list = values(&linear.a, &linear.integrals)?;
        list.truncate(list.len() - linear.integrals.len());
        Ok((neutral(&linear), list))
    });
    let (neutral, mut list) = match kept {
        Ok(found) => found,
        Err(refused) => {
            return Stability {
                word: "unknown",
                largest: None,
                neutral: 0,
                because: Some(refused.0),
            };
        }
    };
    let size = list.iter().map(|x| x.norm()).fold(1e-6, f64::max);
    // A speed that may be chosen, for one, brings a zero that says nothing of stability.
    let mut left = neutral;
    list.retain(|x| {
        let zero = left > 0 && x.norm() <= AXIS * size;
        left -= usize::from(zero);
        !zero
    });
    let largest = list.iter().map(|x| x.re).max_by(f64::total_cmp);
    let word = match largest {
        Some(x) if x > AXIS * size => "unstable",
        Some(x) if x >= -AXIS * size => "undecided",
        _ => "stable",
    };
    Stability {
        word,
        largest,
        neutral,
        because: None,
    }
}

fn searched(args: &EquilibriaArgs, posed: &Posed) -> Result<(), Problem> {
    let machine = &posed.machine;
    let mut conditions = Conditions::new(
        machine,
        posed.params.clone(),
        &posed.start,
        posed.asked.clone(),
    );
    let symbols = match args.equations {
        true => Some(equations(args, posed)?),
        false => None,
    };
    let found = search(&mut conditions, args.point.starts, args.point.seed);
    let found = match (found, &symbols) {
        (Ok(found), _) => found,
        // What has to hold is worth most where no point was found.
        (Err(e), Some(symbols)) if !args.json => {
            print(&written(symbols))?;
            return Err(unfound(&e));
        }
        (Err(e), _) => return Err(unfound(&e)),
    };
    if args.json {
        let list: Vec<Value> = found.iter().map(|p| as_json(posed, p)).collect();
        let mut all =
            json!({ "format": "eomgen-equilibria-1", "model": machine.name, "points": list });
        if let Some(symbols) = symbols {
            let text = |list: &Vec<Said>| -> Vec<String> {
                list.iter().map(|said| said.text.clone()).collect()
            };
            all["equations"] = json!(text(&symbols.equations));
            let solutions = symbols.solutions.iter();
            let values: Vec<_> = solutions.clone().map(|s| text(&s.values)).collect();
            let provided: Vec<_> = solutions.map(|s| text(&s.provided)).collect();
            all["solutions"] = json!(values);
            all["provided"] = json!(provided);
            all["no_equations_because"] = json!(symbols.refused);
        }
        return print(&format!("{all:#}\n"));
    }
    let count = found.len();
    let mut out = symbols.as_ref().map_or(String::new(), written);
    for (at, point) in found.iter().enumerate() {
        if count > 1 {
            out.push_str(&format!("{}.\n", at + 1));
        }
        out.push_str(&as_text(posed, point));
        if at + 1 < count {
            out.push('\n');
        }
    }
    print(&out)
}

/// What has to hold, as equations.
fn equations(args: &EquilibriaArgs, posed: &Posed) -> Result<OperatingReport, Problem> {
    let held = posed
        .asked
        .held
        .iter()
        .filter_map(|(quantity, _)| match quantity {
            Quantity::Coord(i) => Some(*i),
            _ => None,
        });
    let request = OperatingRequest {
        turning: posed.asked.turning.clone(),
        held: held.collect(),
        free: posed.asked.free.clone(),
        point: None,
    };
    in_symbols(&args.given, &posed.machine, request)
}

/// Equations and their solutions, for the screen.
fn written(symbols: &OperatingReport) -> String {
    if let Some(why) = &symbols.refused {
        return format!("no equations in symbols: {why}\n\n");
    }
    let mut out = String::from("What has to hold:\n");
    for line in &symbols.equations {
        out.push_str(&format!("  {}\n", line.shown));
    }
    if symbols.equations.is_empty() {
        out.push_str("  nothing: every state at rest is one\n");
    }
    if !symbols.solutions.is_empty() {
        out.push_str("Solutions, up to whole turns:\n");
        for solution in &symbols.solutions {
            let list = |all: &[Said]| {
                let parts: Vec<&str> = all.iter().map(|said| said.shown.as_str()).collect();
                parts.join(", ")
            };
            out.push_str(&format!("  {}", list(&solution.values)));
            if !solution.provided.is_empty() {
                out.push_str(&format!("  where {}", list(&solution.provided)));
            }
            out.push('\n');
        }
    }
    out.push('\n');
    out
}

fn followed(args: &EquilibriaArgs, posed: &Posed, text: &str) -> Result<(), Problem> {
    let machine = &posed.machine;
    let along = along(machine, text, "--along")?;
    let found = family(machine, &posed.params, &posed.start, &posed.asked, &along);
    let (members, ended) = found.map_err(|e| unfound(&e))?;
    if let Some(why) = &ended {
        say(&format!(
            "warning: the family ends before its time: {why}\n"
        ));
    }
    let name = along.quantity.name(machine);
    if args.json {
        let member = |m: &Member| {
            let mut point = as_json(posed, &m.point);
            point["along"] = json!({ "name": name, "value": m.value, "fold": m.fold });
            point
        };
        let list: Vec<Value> = members.iter().map(member).collect();
        let all = json!({ "format": "eomgen-equilibria-1", "model": machine.name, "points": list });
        return print(&format!("{all:#}\n"));
    }
    print(&rows(posed, along.quantity, &members))
}

/// A table with one point a row.
fn rows(posed: &Posed, quantity: Quantity, members: &[Member]) -> String {
    let machine = &posed.machine;
    let name = quantity.name(machine);
    let states = machine.state_names();
    let free = posed.asked.free.iter();
    let free: Vec<usize> = free.copied().collect();
    let mut header: Vec<String> = vec![name.to_owned()];
    header.extend(
        states
            .iter()
            .filter(|s| **s != name)
            .map(|s| (*s).to_owned()),
    );
    header.extend(free.iter().map(|i| machine.inputs[*i].named.name.clone()));
    header.extend(["largest real part".to_owned(), "stability".to_owned()]);
    let mut list = vec![header];
    for member in members {
        let mut row = vec![number(member.value)];
        let own = states.iter().zip(&member.point.state);
        let own = own.filter(|(s, _)| **s != name);
        row.extend(own.map(|(_, x)| number(shown(*x))));
        row.extend(free.iter().map(|i| number(member.point.inputs[*i])));
        let stability = stability(posed, &member.point);
        row.push(stability.largest.map_or(String::new(), number));
        let fold = if member.fold { ", fold" } else { "" };
        row.push(format!("{}{fold}", stability.word));
        list.push(row);
    }
    table(&list)
}

/// Without what rounding leaves of 0.
fn shown(x: f64) -> f64 {
    if x.abs() < ROUNDING { 0.0 } else { x }
}

fn as_text(posed: &Posed, point: &Point) -> String {
    let machine = &posed.machine;
    let mut list = Vec::new();
    let mut line = |named: &crate::machine::Named, x: f64, note: &str| {
        let unit = named.unit.clone().unwrap_or_default();
        list.push(vec![
            named.name.clone(),
            number(shown(x)),
            unit,
            note.to_owned(),
        ]);
    };
    let any = |name: &str| match point.undetermined.iter().any(|n| n == name) {
        true => "may take other values",
        false => "",
    };
    for (i, (named, x)) in machine.coords.iter().zip(&point.state).enumerate() {
        let note = match posed.asked.turning.contains(&i) {
            true => "turns",
            false => any(&named.name),
        };
        line(named, *x, note);
    }
    for (named, x) in machine.speeds.iter().zip(&point.speeds) {
        line(named, *x, any(&named.name));
    }
    let first_order = &point.state[machine.coords.len() + machine.independent.len()..];
    for (named, x) in machine.states.iter().zip(first_order) {
        line(named, *x, any(&named.name));
    }
    for (input, x) in machine.inputs.iter().zip(&point.inputs) {
        line(&input.named, *x, any(&input.named.name));
    }
    let mut out = table(&list);
    if !point.multipliers.is_empty() {
        out.push_str("\nmultipliers\n");
        let rows = machine.rows.iter().zip(&point.multipliers);
        let rows: Vec<Vec<String>> = rows
            .map(|(row, x)| vec![format!("  {}", row.name), number(*x)])
            .collect();
        out.push_str(&table(&rows));
    }
    let (row, residual) = &point.residual;
    out.push_str(&format!("\nlargest residual {residual:.1e}, of `{row}`\n"));
    let found = stability(posed, point);
    match (&found.because, found.largest) {
        (Some(because), _) => out.push_str(&format!("stability unknown: {because}\n")),
        (None, Some(largest)) => out.push_str(&format!(
            "{}: largest real part of an eigenvalue {} 1/s\n",
            found.word,
            number(largest)
        )),
        (None, None) => {}
    }
    if found.neutral > 0 {
        out.push_str(&format!("neutral directions: {}\n", found.neutral));
    }
    out
}

/// Numbers by the names of what they belong to.
pub(super) fn named<'n>(
    names: impl Iterator<Item = &'n str>,
    numbers: &[f64],
) -> Map<String, Value> {
    names
        .zip(numbers)
        .map(|(n, x)| (n.to_owned(), json!(x)))
        .collect()
}

/// A point with everything that a state for `--state` has, and more.
pub(super) fn state(machine: &Machine, time: f64, point: &Point) -> Value {
    let mut state = json!({
        "t": time,
        "params": named(machine.params.iter().map(|p| p.named.name.as_str()), &point.params),
        "q": named(machine.coords.iter().map(|c| c.name.as_str()), &point.state),
        "qdot": named(machine.coords.iter().map(|c| c.name.as_str()), &point.rates),
        "inputs": named(machine.inputs.iter().map(|i| i.named.name.as_str()), &point.inputs),
    });
    if !machine.states.is_empty() {
        let own = &point.state[machine.coords.len() + machine.independent.len()..];
        state["states"] = Value::Object(named(machine.states.iter().map(|s| s.name.as_str()), own));
    }
    state
}

fn as_json(posed: &Posed, point: &Point) -> Value {
    let machine = &posed.machine;
    let found = stability(posed, point);
    let speeds = machine.speeds.iter().map(|s| s.name.as_str());
    json!({
        "state": state(machine, posed.start.time, point),
        "speeds": named(speeds, &point.speeds),
        "multipliers": named(machine.rows.iter().map(|r| r.name.as_str()), &point.multipliers),
        "undetermined": point.undetermined,
        "residual": { "row": point.residual.0, "value": point.residual.1 },
        "stability": found.word,
        "largest_real_part": found.largest,
        "neutral_directions": found.neutral,
        "no_linear_model_because": found.because,
    })
}
