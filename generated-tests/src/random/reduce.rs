//! A machine that shows a fault, made as small as it can be and still show it.

use super::machine::{Machine, Statement};
use super::run::{Plan, faults};
use super::trial::Case;
use eomgen::options::DeriveOptions;
use std::collections::BTreeSet;

/// What a fault is about: the check, and the text up to its first number.
fn kind((check, text): &(String, String)) -> String {
    let head: String = text
        .chars()
        .take_while(|c| !c.is_ascii_digit() && *c != '[')
        .take(60)
        .collect();
    format!("{check}: {head}")
}

fn kinds(machine: &Machine, seed: u64, options: &DeriveOptions, plan: &Plan) -> BTreeSet<String> {
    match Case::of(machine.clone(), seed, options.clone()) {
        Ok(case) => faults(case, plan).iter().map(kind).collect(),
        Err(_) => BTreeSet::new(),
    }
}

/// Everything but a statement and what cannot stand without it.
fn without(machine: &Machine, place: usize) -> Machine {
    let mut smaller = machine.clone();
    let gone = smaller.statements.remove(place);
    let mut names: BTreeSet<String> = gone.declared().map(str::to_owned).collect();
    loop {
        let before = smaller.statements.len();
        let mut more = Vec::new();
        smaller.statements.retain(|s| {
            let hit = s.mentions().iter().any(|n| names.contains(n));
            if hit {
                more.extend(s.declared().map(str::to_owned));
            }
            !hit
        });
        names.extend(more);
        if smaller.statements.len() == before {
            return smaller;
        }
    }
}

/// The smallest machine and the simplest options found that show one of the same faults.
pub fn reduce(
    machine: &Machine,
    seed: u64,
    options: &DeriveOptions,
    plan: &Plan,
) -> (Machine, DeriveOptions) {
    let wanted = kinds(machine, seed, options, plan);
    let shows = |m: &Machine, o: &DeriveOptions| {
        kinds(m, seed, o, plan)
            .intersection(&wanted)
            .next()
            .is_some()
    };
    let mut best = machine.clone();
    let mut chosen = options.clone();
    let plain = DeriveOptions {
        method: options.method.clone(),
        ..DeriveOptions::default()
    };
    if shows(&best, &plain) {
        chosen = plain;
    }
    let mut place = best.statements.len();
    while place > 0 {
        place -= 1;
        if place >= best.statements.len() {
            continue;
        }
        let mut smaller = without(&best, place);
        // Parameters that nobody needs any more.
        let used: BTreeSet<String> = smaller
            .statements
            .iter()
            .filter(|s| !matches!(s, Statement::Param { .. }))
            .flat_map(Statement::mentions)
            .collect();
        smaller.statements.retain(|s| match s {
            Statement::Param { name, .. } => used.contains(name),
            _ => true,
        });
        if smaller.statements.len() < best.statements.len() && shows(&smaller, &chosen) {
            best = smaller;
        }
    }
    (best, chosen)
}
