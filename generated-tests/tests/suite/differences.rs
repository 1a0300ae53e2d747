//! Every model against a text that means the same: with a remark, another name for a parameter, declarations in another order, and algebra
//! that is written otherwise. Nothing but the name may differ.
#![cfg(feature = "pipeline")]

use eomgen::{Extent, Failure, Likeness, Side, difference, options::DeriveOptions};
use generated_tests::oracle::is_thorough;
use generated_tests::reference::model_source;
use std::path::Path;

/// Models of many bodies take their time: they have a test of their own.
const LARGE: [&str; 6] = [
    "panda7",
    "pend_abs_10",
    "pend_abs_20",
    "pend_rel_10",
    "chain_closed",
    "tree",
];

fn names() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let entries = std::fs::read_dir(folder).unwrap();
    let files = entries.map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = files
        .filter_map(|f| f.strip_suffix(".eom").map(str::to_owned))
        .collect();
    names.sort();
    names
}

/// A parameter whose name is no unit as well.
fn parameter(text: &str) -> Option<String> {
    const UNITS: [&str; 17] = [
        "m", "g", "kg", "s", "N", "rad", "A", "V", "C", "F", "H", "J", "K", "W", "T", "Hz", "Pa",
    ];
    let lines = text.lines().filter_map(|l| l.strip_prefix("param "));
    let names = lines.flat_map(|line| {
        let code = line.split("//").next().unwrap_or_default();
        let list = code.split(':').next().unwrap_or_default();
        list.split(',')
            .map(|one| one.split('=').next().unwrap_or_default().trim())
    });
    let word = |n: &&str| n.chars().all(|c| c.is_alphanumeric() || c == '_');
    let mut plain = names.filter(word).filter(|n| !UNITS.contains(n));
    plain.next().map(str::to_owned)
}

/// Another word in place of a word, but for names of something's own.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    for line in text.lines() {
        let (code, remark) = line.split_at(line.find("//").unwrap_or(line.len()));
        let mut rest = code;
        while let Some(start) = rest.find(is_word) {
            let (before, word) = rest.split_at(start);
            let (word, after) = word.split_at(word.find(|c| !is_word(c)).unwrap_or(word.len()));
            out.push_str(before);
            let own = out.ends_with('.') || (out.ends_with('"') || after.starts_with('"'));
            out.push_str(if word == from && !own { to } else { word });
            rest = after;
        }
        out.push_str(rest);
        out.push_str(remark);
        out.push('\n');
    }
    out
}

/// Runs of lines that begin with the same of these words are turned round.
fn permuted(text: &str) -> String {
    let words = ["param ", "particle ", "body ", "force ", "torque "];
    let kind = |line: &str| words.iter().position(|w| line.starts_with(w));
    let lines: Vec<&str> = text.lines().collect();
    let mut out: Vec<&str> = Vec::new();
    for run in lines.chunk_by(|a, b| kind(a).is_some() && kind(a) == kind(b)) {
        let mut run = run.to_vec();
        run.reverse();
        out.extend(run);
    }
    out.join("\n") + "\n"
}

/// Masses as differences.
fn rewritten(text: &str) -> String {
    let line = |line: &str| {
        let parts = line
            .starts_with("particle ")
            .then(|| line.split_once(": mass ")?.1.split_once(" at "));
        match parts.flatten() {
            Some((mass, _)) => line.replacen(
                &format!(": mass {mass} at "),
                &format!(": mass (3*({mass}) - 2*({mass})) at "),
                1,
            ),
            None => line.to_owned(),
        }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

/// What is wrong, if anything is.
fn fault(
    name: &str,
    edit: &dyn Fn(&str) -> String,
    new_name: Option<(&str, &str)>,
) -> Option<String> {
    let old = model_source(name).unwrap();
    let mut new = old.clone();
    new.text = edit(&old.text);
    let found = difference(&old, &new, &DeriveOptions::default(), &[]);
    let found = match found {
        Ok(found) => found,
        Err(Side::Old(failure) | Side::New(failure)) => {
            let said = match failure {
                Failure::Diagnostics(list) => {
                    list.first().map_or(String::new(), |d| d.title.clone())
                }
                Failure::Message(said) => said,
            };
            return Some(format!("{name}: {said}"));
        }
    };
    let wanted: Vec<(String, String)> = new_name
        .into_iter()
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .collect();
    let same = found.changes.is_empty() && found.conditions.is_empty() && found.renamed == wanted;
    let likeness = if wanted.is_empty() {
        Likeness::SameEquations
    } else {
        Likeness::Different
    };
    (!same || found.likeness != likeness)
        .then(|| format!("{name}:\n{}", found.page(Extent::Screen)))
}

fn faults(names: &[String]) -> Vec<String> {
    let mut list = Vec::new();
    for name in names {
        let text = model_source(name).unwrap().text;
        let (from, to) = (parameter(&text), "another_name");
        let edit = |text: &str| {
            let text = permuted(&rewritten(text)) + "// A remark.\n";
            match &from {
                Some(from) => renamed(&text, from, to),
                None => text,
            }
        };
        let new_name = from.as_deref().map(|from| (from, to));
        list.extend(fault(name, &edit, new_name));
    }
    list
}

#[test]
fn what_means_the_same_does_not_differ() {
    let mut names = names();
    names.retain(|name| !LARGE.contains(&name.as_str()));
    // One model in four in the short command.
    let stride = if is_thorough() { 1 } else { 4 };
    let some: Vec<String> = names.into_iter().step_by(stride).collect();
    let list = faults(&some);
    assert!(list.is_empty(), "{}", list.join("\n"));
}

#[test]
#[ignore = "takes minutes"]
fn what_means_the_same_does_not_differ_in_large_models() {
    let list = faults(&LARGE.map(str::to_owned));
    assert!(list.is_empty(), "{}", list.join("\n"));
}
