//! Motions as text: CSV for other programs, JSON with everything that is known; both are read back.

use serde_json::{Value, json};

use super::record::{Column, EventRow, Record};
use super::{Audit, Run};
use crate::machine::Machine;

/// The name of the format of JSON.
pub const FORMAT: &str = "eomgen-motion-1";

/// A number that reads back as the same one; nothing where there is none.
fn number(x: f64) -> String {
    if x.is_finite() {
        format!("{x}")
    } else {
        String::new()
    }
}

/// A field of CSV, in quotes where it has to be.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn header(column: &Column) -> String {
    match &column.unit {
        Some(unit) => field(&format!("{} [{unit}]", column.name)),
        None => field(&column.name),
    }
}

/// The rows as CSV, each after the numbers of `before`, which have the names of `names`.
pub fn csv_rows(record: &Record, before: &[f64], out: &mut String) {
    for row in &record.rows {
        let numbers = before.iter().chain(row).map(|x| number(*x));
        out.push_str(&numbers.collect::<Vec<_>>().join(","));
        out.push('\n');
    }
}

/// The line of names with units.
pub fn csv_header(record: &Record, before: &[String]) -> String {
    let own = record.columns.iter().map(header);
    let before = before.iter().map(|name| field(name));
    let names: Vec<String> = before.chain(own).collect();
    format!("{}\n", names.join(","))
}

/// Everything as JSON.
pub fn json(machine: &Machine, run: &Run) -> String {
    let record = &run.record;
    let columns = record
        .columns
        .iter()
        .map(|c| json!({ "name": c.name, "unit": c.unit, "kind": c.kind.word() }));
    let params = machine.params.iter().zip(&run.params);
    let params: serde_json::Map<String, Value> = params
        .map(|(p, x)| (p.named.name.clone(), json!(x)))
        .collect();
    let events = record.events.iter();
    let events = events.map(|e| json!({ "name": e.name, "time": e.time, "row": e.row }));
    let head = json!({
        "format": FORMAT,
        "model": machine.name,
        "parameters": params,
        "columns": columns.collect::<Vec<_>>(),
        "events": events.collect::<Vec<_>>(),
        "ended_by": run.ended_by,
        "failure": run.failure.as_ref().map(|f| json!({ "what": f.what, "time": f.time })),
        "audit": run.audit,
    });
    // One row a line: short, and a difference between two runs can be read.
    let text = format!("{head:#}");
    let rows: Vec<String> = record
        .rows
        .iter()
        .map(|r| format!("    {}", json!(r)))
        .collect();
    let body = text.trim_end().trim_end_matches('}').trim_end();
    format!("{body},\n  \"rows\": [\n{}\n  ]\n}}\n", rows.join(",\n"))
}

/// States that were read back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replay {
    /// Times.
    pub times: Vec<f64>,
    /// States, in the machine's order.
    pub states: Vec<Vec<f64>>,
    /// Parameters, where the file names them.
    pub params: Vec<(String, f64)>,
    /// Events.
    pub events: Vec<EventRow>,
    /// The audit, if the file has one.
    pub audit: Option<Value>,
}

/// Reads a motion back, from JSON or CSV.
///
/// # Errors
/// What is wrong with the text.
pub fn read(machine: &Machine, text: &str) -> Result<Replay, String> {
    if text.trim_start().starts_with('{') {
        read_json(machine, text)
    } else {
        read_csv(machine, text)
    }
}

/// Where the time and the state are among columns.
fn places(machine: &Machine, names: &[String]) -> Result<Vec<usize>, String> {
    let wanted = std::iter::once("t").chain(machine.state_names());
    wanted
        .map(|name| {
            let found = names.iter().position(|n| n == name);
            found.ok_or_else(|| format!("there is no column \"{name}\""))
        })
        .collect()
}

fn taken(rows: Vec<Vec<f64>>, places: &[usize]) -> Replay {
    let mut replay = Replay::default();
    for row in rows {
        let numbers: Vec<f64> = places
            .iter()
            .map(|i| row.get(*i).copied().unwrap_or(f64::NAN))
            .collect();
        replay.times.push(numbers[0]);
        replay.states.push(numbers[1..].to_vec());
    }
    replay
}

fn read_json(machine: &Machine, text: &str) -> Result<Replay, String> {
    let value: Value = serde_json::from_str(text).map_err(|e| format!("not JSON: {e}"))?;
    if value["format"] != FORMAT {
        return Err(format!("this is no motion: \"format\" is not \"{FORMAT}\""));
    }
    let list = |v: &Value| v.as_array().cloned().unwrap_or_default();
    let columns = list(&value["columns"]);
    let names = columns
        .iter()
        .map(|c| c["name"].as_str().unwrap_or("").to_owned());
    let places = places(machine, &names.collect::<Vec<_>>())?;
    let rows = list(&value["rows"]);
    let rows = rows.iter().map(|row| {
        let numbers = list(row);
        numbers
            .iter()
            .map(|x| x.as_f64().unwrap_or(f64::NAN))
            .collect()
    });
    let params = value["parameters"].as_object().cloned().unwrap_or_default();
    let params = params
        .into_iter()
        .filter_map(|(n, x)| Some((n, x.as_f64()?)));
    let events = list(&value["events"]).into_iter().map(|e| EventRow {
        name: e["name"].as_str().unwrap_or("").to_owned(),
        time: e["time"].as_f64().unwrap_or(f64::NAN),
        row: e["row"].as_u64().unwrap_or(0) as usize,
    });
    Ok(Replay {
        params: params.collect(),
        events: events.collect(),
        audit: Some(value["audit"].clone()),
        ..taken(rows.collect(), &places)
    })
}

fn read_csv(machine: &Machine, text: &str) -> Result<Replay, String> {
    let mut lines = text.lines();
    let names = fields(lines.next().unwrap_or_default());
    let names = names.iter().map(|n| match n.split_once(" [") {
        Some((name, _)) => name.to_owned(),
        None => n.clone(),
    });
    let places = places(machine, &names.collect::<Vec<_>>())?;
    let rows = lines.filter(|l| !l.trim().is_empty()).map(|line| {
        let numbers = fields(line);
        numbers
            .iter()
            .map(|x| x.trim().parse().unwrap_or(f64::NAN))
            .collect()
    });
    Ok(taken(rows.collect(), &places))
}

/// The fields of a line of CSV.
pub fn fields(line: &str) -> Vec<String> {
    let mut list = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => list.push(String::new()),
            c => {
                if let Some(last) = list.last_mut() {
                    last.push(c);
                }
            }
        }
    }
    list
}

/// Two columns of a table: times and values. The first line may hold names.
///
/// # Errors
/// What is wrong with the text.
pub fn table(text: &str) -> Result<(Vec<f64>, Vec<f64>), String> {
    let (mut times, mut values) = (Vec::new(), Vec::new());
    for (at, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let row = fields(line);
        let numbers: Vec<Option<f64>> = row.iter().map(|x| x.trim().parse().ok()).collect();
        match numbers.as_slice() {
            [Some(t), Some(x), ..] if t.is_finite() && x.is_finite() => {
                if times.last().is_some_and(|last| t <= last) {
                    return Err(format!("line {}: times have to increase", at + 1));
                }
                times.push(*t);
                values.push(*x);
            }
            _ if at == 0 => {}
            _ => {
                return Err(format!(
                    "line {}: two numbers are expected, a time and a value",
                    at + 1
                ));
            }
        }
    }
    if times.is_empty() {
        return Err("there are no rows of a time and a value".into());
    }
    Ok((times, values))
}

/// The audit in words.
pub fn report(audit: &Audit) -> String {
    let mut lines = Vec::new();
    let implicit = match audit.implicit_steps {
        0 => String::new(),
        n => format!(", {n} of them implicit"),
    };
    lines.push(format!(
        "steps            {} accepted{implicit}, {} rejected, {} evaluations",
        audit.steps, audit.rejected, audit.evaluations
    ));
    if audit.projected > 0 {
        lines.push(format!("projections      {}", audit.projected));
    }
    if let Some(b) = &audit.balance {
        let potential = b
            .potential
            .map_or(String::new(), |v| format!(", potential energy {v:+.6e} J"));
        lines.push(format!(
            "energy           kinetic energy {:+.6e} J{potential}",
            b.kinetic
        ));
        let work: Vec<String> = b
            .work
            .iter()
            .map(|(n, w)| format!("{n} {w:+.6e} J"))
            .collect();
        lines.push(format!("work             {}", work.join(", ")));
        let verdict = if b.holds { "within" } else { "MORE THAN" };
        lines.push(format!(
            "energy balance   off by {:.1e} J, {verdict} the {:.1e} J that tolerances explain",
            b.defect.abs(),
            b.explained
        ));
    } else if let Some(why) = &audit.no_balance_because {
        lines.push(format!("energy balance   not compared: {why}"));
    }
    let extremes = |what: &str, list: &[super::Extreme]| {
        let lines = list.iter().map(|e| {
            format!(
                "{what:<16} {}: {:.1e} at t = {:.4}",
                e.name, e.value, e.time
            )
        });
        lines.collect::<Vec<_>>()
    };
    lines.extend(extremes("residual", &audit.residuals));
    lines.extend(extremes("conserved", &audit.conserved));
    lines.extend(extremes("near singular", &audit.singular));
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_in_quotes_keep_their_commas() {
        assert_eq!(
            fields("t [s],\"atan2(x, y)\",z"),
            ["t [s]", "atan2(x, y)", "z"]
        );
        assert_eq!(field("atan2(x, y)"), "\"atan2(x, y)\"");
    }

    #[test]
    fn tables_have_increasing_times() {
        assert_eq!(
            table("t,F\n0,1\n2,3\n"),
            Ok((vec![0.0, 2.0], vec![1.0, 3.0]))
        );
        assert!(table("0,1\n0,2\n").unwrap_err().contains("increase"));
        assert!(table("0,1\nx,2\n").unwrap_err().contains("line 2"));
        assert!(table("t,F\n").is_err());
    }
}
