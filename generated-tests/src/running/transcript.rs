//! Runs a program and reads what it prints, module by module; a module that takes the program down is passed over.

use super::outline::Outline;
use super::slots::Slots;
use super::{Evaluated, Failed, Kind, Ran, Settings, Value, Violation, compile};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

/// What is needed to read the lines of a module.
pub(super) struct Job<'a> {
    pub outline: &'a Outline,
    pub slots: &'a Slots,
    /// Its samples as the program reads them.
    pub samples: &'a str,
}

/// Runs a program for these of its modules.
pub(super) fn run(
    program: &Path,
    ids: &[usize],
    jobs: &BTreeMap<usize, Job<'_>>,
    settings: &Settings,
    ran: &mut BTreeMap<usize, Ran>,
) -> Result<(), String> {
    let mut left = ids.to_vec();
    while !left.is_empty() {
        let lines = left.iter().filter_map(|id| jobs.get(id)).map(|j| j.samples);
        let samples = settings.folder.join("samples");
        fs::write(&samples, lines.collect::<String>()).map_err(|e| format!("samples: {e}"))?;
        let said = settings.folder.join("said");
        let end = once(program, &samples, &said, settings)?;
        let text = fs::read_to_string(&said).map_err(|e| format!("what the program says: {e}"))?;
        for part in format!("\n{text}").split("\nJ ").skip(1) {
            let (id, lines) = part.split_once('\n').unwrap_or((part, ""));
            let id: usize = id
                .parse()
                .map_err(|_| format!("the program says `J {id}`"))?;
            if lines.trim_end().ends_with(&format!("E {id}")) {
                ran.insert(id, read(lines, jobs.get(&id)));
                left.retain(|other| *other != id);
            }
        }
        // They come in this order: the first without an end is where the program stopped.
        if !left.is_empty() {
            ran.insert(left.remove(0), Ran::Crashed(end));
        }
    }
    Ok(())
}

/// One run; how it ended.
fn once(
    program: &Path,
    samples: &Path,
    said: &Path,
    settings: &Settings,
) -> Result<String, String> {
    let file = File::create(said).map_err(|e| format!("{}: {e}", said.display()))?;
    let mut command = Command::new(program);
    command
        .arg(samples)
        .arg(if settings.probes { "probe" } else { "plain" })
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(Stdio::null());
    Ok(match compile::wait(&mut command, settings.patience)? {
        Some(status) => format!("the program ended with {status}"),
        None => format!("no end after {} seconds", settings.patience.as_secs()),
    })
}

/// The lines of one module.
fn read(lines: &str, job: Option<&Job<'_>>) -> Ran {
    let Some(Job { outline, slots, .. }) = job else {
        return Ran::Crashed("the program speaks of a module that it was not given".to_owned());
    };
    let mut samples: Vec<Vec<Value>> = Vec::new();
    let mut violations = Vec::new();
    for line in lines.lines() {
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        match kind {
            "S" => samples.push(Vec::new()),
            "O" | "F" => {
                let Some(values) = samples.last_mut() else {
                    continue;
                };
                let Some(function) = outline.functions.get(values.len()) else {
                    continue;
                };
                let outcome = if kind == "O" {
                    Ok(rest
                        .split(' ')
                        .filter(|w| !w.is_empty())
                        .map(number)
                        .collect())
                } else {
                    Err(failed(rest, outline))
                };
                values.push(Value {
                    function: function.name.clone(),
                    outcome,
                    shape: function.shape,
                });
            }
            "X" => violations.extend(violation(rest, outline, slots)),
            "P" => return Ran::Crashed(panicked(rest)),
            _ => {}
        }
    }
    Ran::Values(Evaluated {
        names: outline.names.clone(),
        samples,
        violations,
    })
}

/// `sample text`.
fn panicked(rest: &str) -> String {
    let (sample, text) = rest.split_once(' ').unwrap_or((rest, ""));
    format!("sample {sample}: {text}")
}

fn number(word: &str) -> f64 {
    u64::from_str_radix(word, 16).map_or(f64::NAN, f64::from_bits)
}

fn failed(rest: &str, outline: &Outline) -> Failed {
    let (condition, closeness) = rest.split_once(' ').unwrap_or((rest, ""));
    let condition = condition.parse().unwrap_or(usize::MAX);
    let text = outline.names.conditions.get(condition);
    Failed {
        condition,
        text: text.cloned().unwrap_or_default(),
        closeness: number(closeness),
    }
}

/// `kind function count place text`.
fn violation(rest: &str, outline: &Outline, slots: &Slots) -> Option<Violation> {
    let mut words = rest.splitn(5, ' ');
    let kind = match words.next()? {
        "variant" => Kind::Variant,
        "batch" => Kind::Batch,
        "places" => Kind::Places,
        "probe" => Kind::Probe,
        _ => Kind::NotFinite,
    };
    let function = words.next()?.to_owned();
    let count = words.next()?.parse().ok()?;
    let place: usize = words.next()?.parse().ok()?;
    let text = words.next().unwrap_or_default();
    let (sample, text) = match kind {
        Kind::Probe => (0, format!("{} = {text}", slots.name(outline, place))),
        _ => (place, text.to_owned()),
    };
    Some(Violation {
        kind,
        function,
        sample,
        count,
        text,
    })
}
