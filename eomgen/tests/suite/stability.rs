//! A small edit of a model changes few lines of the module.
//!
//! Measured is how many lines of the generated module change, divided by how many have to. A line is one statement, one field of
//! `Model` or one default value, however it is broken ([`oracle`] lists them from the parsed text). Lines are compared function by
//! function by their longest common subsequence, so that a line that only moved counts as one gone and one new. Those that have to
//! change are the multiset difference of what the lines mean; where the parameters are listed in the order of their declarations, what
//! changes in that order has to.
//!
//! Left out, since they say once more what is counted: the header with its hashes, operation counts, and the documentation, whose
//! equations change with the equations. The declarations (structs, enums and their documentation) are left out too: they list
//! the model's names. The table that the test prints has all lines of the file next to it, as `git diff` would count them.
//!
//! Where a name changes, every line that has the name has to change. There the old text is taken with the new name, in its
//! identifiers word by word, and what still differs is a change; what has to change are the lines with the name.
#![cfg(all(feature = "cli", feature = "derive"))]

mod edits;
mod oracle;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;

use edits::{EDITS, Edit};
use eomgen::{Source, derive_source, options::DeriveOptions};
use oracle::Line;

fn model(name: &str) -> String {
    let path = format!(
        "{}/../generated-tests/models/{name}.eom",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read_to_string(path).unwrap()
}

fn derived(name: &str, text: &str, method: &str, outputs: &[&str]) -> String {
    let options = DeriveOptions {
        method: Some(method.into()),
        outputs: outputs.iter().map(|o| (*o).to_owned()).collect(),
        ..DeriveOptions::default()
    };
    let source = Source::new(&format!("{name}.eom"), text);
    let derived = derive_source(&source, &options);
    derived.unwrap_or_else(|e| panic!("{name}: {e:?}")).code
}

/// A text with a name in place of another, in identifiers word by word: `m1_plus_m2` has three.
fn with_names(text: &str, names: &BTreeMap<String, String>) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain(['\n']) {
        if c.is_alphanumeric() {
            word.push(c)
        } else {
            out.push_str(names.get(&word).unwrap_or(&word));
            word.clear();
            out.push(c);
        }
    }
    out.pop();
    out
}

/// Lines that differ, of both lists together.
fn changed<T: Hash + Eq + Ord>(old: &[T], new: &[T]) -> usize {
    let diff = similar::capture_diff_slices(similar::Algorithm::Myers, old, new);
    let lines = diff.iter().map(|op| match op.tag() {
        similar::DiffTag::Equal => 0,
        _ => op.old_range().len() + op.new_range().len(),
    });
    lines.sum()
}

fn scopes<'l>(old: &'l [Line], new: &'l [Line]) -> BTreeSet<&'l str> {
    old.iter()
        .chain(new)
        .map(|line| line.scope.as_str())
        .collect()
}

fn of_scope<'l>(lines: &'l [Line], scope: &str) -> Vec<&'l Line> {
    lines.iter().filter(|line| line.scope == scope).collect()
}

/// How much there is on one side and not on the other.
fn difference(old: &[u64], new: &[u64]) -> usize {
    let mut counts: BTreeMap<u64, i64> = BTreeMap::new();
    for one in old {
        *counts.entry(*one).or_default() += 1;
    }
    for one in new {
        *counts.entry(*one).or_default() -= 1;
    }
    let counts = counts.values().map(|count| count.unsigned_abs() as usize);
    counts.sum()
}

/// What was measured of an edit.
struct Measured {
    changed: usize,
    required: usize,
    /// Of the whole file, as it stands.
    all: usize,
}

impl Measured {
    fn ratio(&self) -> f64 {
        match (self.changed, self.required) {
            (0, _) => 0.0,
            (_, 0) => f64::INFINITY,
            (changed, required) => changed as f64 / required as f64,
        }
    }
}

fn measure(edit: &Edit, known: &mut BTreeMap<(&str, &str), String>) -> Measured {
    let before = model(edit.model);
    let mut after = before.clone();
    for (old, new) in edit.text {
        assert!(after.contains(old), "{}: {old}", edit.model);
        after = after.replace(old, new);
    }
    let old = known
        .entry((edit.model, edit.method))
        .or_insert_with(|| derived(edit.model, &before, edit.method, &[]));
    let new = derived(edit.model, &after, edit.method, edit.outputs);
    let names = edit.renamed.iter();
    let names: BTreeMap<String, String> = names
        .map(|(old, new)| ((*old).to_owned(), (*new).to_owned()))
        .collect();
    let (old_lines, new_lines) = (
        oracle::lines(old, &names),
        oracle::lines(&new, &BTreeMap::new()),
    );
    let mut measured = Measured {
        changed: 0,
        required: 0,
        all: changed(
            &old.lines().collect::<Vec<_>>(),
            &new.lines().collect::<Vec<_>>(),
        ),
    };
    let show = std::env::var_os("EOMGEN_STABILITY").is_some();
    for scope in scopes(&old_lines, &new_lines) {
        let (old, new) = (of_scope(&old_lines, scope), of_scope(&new_lines, scope));
        let texts = |lines: &[&Line]| lines.iter().map(|l| l.text.clone()).collect::<Vec<_>>();
        let (given, new_texts) = (texts(&old), texts(&new));
        let old_texts: Vec<String> = given.iter().map(|t| with_names(t, &names)).collect();
        let named = given.iter().zip(&old_texts).filter(|(a, b)| a != b).count();
        // A line with the name is one that goes and one that comes.
        measured.changed += changed(&old_texts, &new_texts) + 2 * named;
        let meanings = |lines: &[&Line], listed: bool| -> Vec<u64> {
            let lines = lines.iter().filter(|line| line.listed == listed);
            lines.map(|line| line.meaning).collect()
        };
        let [was, is] = [&old, &new].map(|lines| meanings(lines, false));
        let [was_listed, is_listed] = [&old, &new].map(|lines| meanings(lines, true));
        measured.required += difference(&was, &is) + changed(&was_listed, &is_listed) + 2 * named;
        if show {
            println!("==== {scope}");
            let slices = (old_texts.as_slice(), new_texts.as_slice());
            for op in similar::capture_diff_slices(similar::Algorithm::Myers, slices.0, slices.1) {
                for change in op.iter_changes(slices.0, slices.1) {
                    if change.tag() != similar::ChangeTag::Equal {
                        println!("{}{}", change.tag(), change.value());
                    }
                }
            }
        }
    }
    measured
}

#[test]
fn a_small_edit_changes_few_lines() {
    let mut ratios = Vec::new();
    let mut known = BTreeMap::new();
    println!(
        "{:<16} {:<44} changed  required  ratio  (all lines)",
        "model", "edit"
    );
    // To look at one edit: EOMGEN_STABILITY='add wind' cargo test -p eomgen --test suite stability -- --nocapture
    let wanted = std::env::var("EOMGEN_STABILITY").ok();
    // One edit in three in the short command.
    let stride = if wanted.is_some() || crate::is_thorough() {
        1
    } else {
        3
    };
    for edit in EDITS.iter().step_by(stride) {
        if wanted.as_ref().is_some_and(|wanted| wanted != edit.name) {
            continue;
        }
        let measured = measure(edit, &mut known);
        println!(
            "{:<16} {:<44} {:>7}  {:>8}  {:>5.2}  ({})",
            edit.model,
            edit.name,
            measured.changed,
            measured.required,
            measured.ratio(),
            measured.all
        );
        ratios.push((measured.ratio(), edit));
    }
    let models: BTreeSet<&str> = EDITS.iter().map(|edit| edit.model).collect();
    assert!(EDITS.len() >= 30 && models.len() >= 15);
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let median = ratios[ratios.len() / 2].0;
    let (most, worst) = ratios.last().unwrap();
    println!(
        "median {median:.2}, at most {most:.2} ({}: {})",
        worst.model, worst.name
    );
    assert!(median <= 1.3, "median {median}");
    assert!(*most <= 2.0, "{}: {}: {most}", worst.model, worst.name);
}
