//! What two models state, compared: which equations changed, term by term. Whether something changed is decided exactly, by the
//! normal form of the difference or at random points of a prime field, and not by how it is written.

use std::collections::BTreeMap;
use std::fmt;

use super::DEFAULT_METHOD;
use super::symbols::within;
use super::{DeriveOptions, Failure, Source, read_fixed, terms};
use serde::Serialize;

use crate::host::with_session;
use crate::model::System;
use crate::model::system::{Meta, Sign};
use crate::notation::{Math, text};
use crate::program::{self, Agreement, Contrast, PARTS};

/// A term of a sum that is there only before or only afterwards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Term {
    /// Was there.
    Removed {
        /// What it was.
        removed: String,
    },
    /// Is there.
    Added {
        /// What it is.
        added: String,
    },
    /// Is there with another number in front.
    Changed {
        /// What it was.
        from: String,
        /// What it is.
        to: String,
    },
}

/// A statement that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// What kind of statement: `Equations of motion`, `Parameters`.
    pub part: String,
    /// Which one: `theta1''`, `m1`; empty where there is only one.
    pub label: String,
    /// What it was, `None` if it was not there.
    pub old: Option<String>,
    /// What it is, `None` if it is not there.
    pub new: Option<String>,
    /// Which terms differ. Empty for what is no sum of terms, such as a default value.
    pub terms: Vec<Term>,
}

/// The difference of two models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The formulation by which the equations were derived.
    pub method: String,
    /// The rates that the equations determine, by which terms are grouped.
    pub unknowns: Vec<String>,
    /// Names that changed and nothing else: before, after. All equations are the same under them.
    pub renamed: Vec<(String, String)>,
    /// What changed.
    pub changes: Vec<Change>,
    /// How many statements of each part were found equal.
    pub equal: Vec<(String, usize)>,
    /// Whether the two texts differ at all.
    pub text_differs: bool,
}

impl Difference {
    /// As JSON, with the keys of the fields; terms are `{"removed": ...}`, `{"added": ...}` or `{"from": ..., "to": ...}`.
    pub fn to_json(&self) -> String {
        let equal = self.equal.iter();
        let document = Document {
            method: &self.method,
            differs: !self.is_none(),
            text_differs: self.text_differs,
            renamed: &self.renamed,
            changes: &self.changes,
            equal: equal
                .map(|(part, count)| Equal {
                    part,
                    count: *count,
                })
                .collect(),
        };
        // Strings, numbers and lists alone: there is nothing in them that JSON does not have.
        let text = serde_json::to_string_pretty(&document).unwrap_or_default();
        text + "\n"
    }

    /// Whether the two mean the same: no change but in how things are written. A name that changed is a difference, since programs use it.
    pub fn is_none(&self) -> bool {
        self.changes.is_empty() && self.renamed.is_empty()
    }
}

/// The difference as JSON.
#[derive(Serialize)]
struct Document<'a> {
    method: &'a str,
    differs: bool,
    text_differs: bool,
    renamed: &'a [(String, String)],
    changes: &'a [Change],
    equal: Vec<Equal<'a>>,
}

#[derive(Serialize)]
struct Equal<'a> {
    part: &'a str,
    count: usize,
}

/// Which of two models a failure is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Side {
    /// The first.
    Old(Failure),
    /// The second.
    New(Failure),
}

/// Compares two models. The options hold for both.
///
/// # Errors
/// What is wrong with one of the models.
pub fn difference(old: &Source, new: &Source, options: &DeriveOptions) -> Result<Difference, Side> {
    let read = |source| read_fixed(source, &options.set, &options.fix);
    let (old_system, warnings) = read(old).map_err(Side::Old)?;
    let (new_system, new_warnings) = read(new).map_err(Side::New)?;
    let copies = (old_system.copies.clone(), new_system.copies.clone());
    let text_differs = old.whole_text() != new.whole_text();
    let options = options.clone();
    let found = with_session(move || compared(old_system, &new_system, &options));
    let found = found.map_err(|error| Side::New(error.into()))?;
    match found {
        Ok(difference) => Ok(Difference {
            text_differs,
            ..difference
        }),
        Err(Side::Old(failure)) => Err(Side::Old(failure.explained(&copies.0).after(warnings))),
        Err(Side::New(failure)) => {
            let failure = failure.explained(&copies.1);
            Err(Side::New(failure.after(new_warnings)))
        }
    }
}

/// Inside a session.
fn compared(old: System, new: &System, options: &DeriveOptions) -> Result<Difference, Side> {
    let plain = contrasts(&old, new, options)?;
    let mut found = between(&old, new, &plain);
    let renamings = renamings(&old, new);
    if !renamings.is_empty() {
        let mut renamed = old;
        rename(&mut renamed, &renamings);
        // Names of dependent rates are the old ones'; what cannot be derived under other names was not renamed.
        if let Ok(contrasts) = contrasts(&renamed, new, options) {
            let under = between(&renamed, new, &contrasts);
            if under.changes.is_empty() {
                found = Difference {
                    renamed: renamings.into_iter().collect(),
                    ..under
                };
            }
        }
    }
    found.method = options
        .method
        .as_deref()
        .unwrap_or(DEFAULT_METHOD)
        .to_owned();
    Ok(found)
}

fn contrasts(old: &System, new: &System, options: &DeriveOptions) -> Result<Vec<Contrast>, Side> {
    let statements = within(options, |settings, form| {
        program::statements(old, settings, form).map_err(Failure::from)
    });
    let statements = statements.map_err(Side::Old)?;
    // What is no more is known all the same, so that what it stood in can be read.
    let mut known = new.clone();
    let is_new = |name: &str| !names(new).iter().any(|(_, meta)| meta.name == name);
    let params = old.params.iter().filter(|p| is_new(&p.meta.name));
    known.params.extend(params.cloned());
    let inputs = old.inputs.iter().filter(|p| is_new(&p.meta.name));
    known.inputs.extend(inputs.cloned());
    let contrasts = within(options, |settings, form| {
        program::contrast(&known, settings, form, &statements).map_err(Failure::from)
    });
    contrasts.map_err(Side::New)
}

/// Everything that has a name which texts use.
fn names(system: &System) -> Vec<(&'static str, &Meta)> {
    let params = system.params.iter().map(|p| ("Parameters", &p.meta));
    let coords = system.coords.iter().map(|c| ("Coordinates", &c.meta));
    let inputs = system.inputs.iter().map(|i| ("Inputs", &i.meta));
    let functions = system.functions.iter().map(|f| ("Functions", &f.meta));
    params
        .chain(coords)
        .chain(inputs)
        .chain(functions)
        .collect()
}

/// What may have been renamed: as many names of a kind and unit are gone as are new, taken in order.
fn renamings(old: &System, new: &System) -> BTreeMap<String, String> {
    let (old, new) = (names(old), names(new));
    let only = |of: &[(&'static str, &Meta)], other: &[(&'static str, &Meta)]| {
        let there = |name: &str| other.iter().any(|(_, meta)| meta.name == name);
        let mut found: BTreeMap<(&'static str, Option<String>), Vec<String>> = BTreeMap::new();
        for (kind, meta) in of.iter().filter(|(_, meta)| !there(&meta.name)) {
            let list = found.entry((kind, meta.unit.clone())).or_default();
            list.push(meta.name.clone());
        }
        found
    };
    let (gone, come) = (only(&old, &new), only(&new, &old));
    let mut pairs = BTreeMap::new();
    for (kind, names) in gone {
        match come.get(&kind) {
            Some(others) if others.len() == names.len() => {
                pairs.extend(names.into_iter().zip(others.iter().cloned()));
            }
            _ => return BTreeMap::new(),
        }
    }
    if pairs.len() == come.values().map(Vec::len).sum::<usize>() {
        pairs
    } else {
        BTreeMap::new()
    }
}

fn rename(system: &mut System, names: &BTreeMap<String, String>) {
    let params = system.params.iter_mut().map(|p| &mut p.meta);
    let coords = system.coords.iter_mut().map(|c| &mut c.meta);
    let inputs = system.inputs.iter_mut().map(|i| &mut i.meta);
    let functions = system.functions.iter_mut().map(|f| &mut f.meta);
    for meta in params.chain(coords).chain(inputs).chain(functions) {
        if let Some(name) = names.get(&meta.name) {
            meta.name.clone_from(name);
        }
    }
}

/// Declarations and statements that differ.
fn between(old: &System, new: &System, contrasts: &[Contrast]) -> Difference {
    let mut changes = declarations(old, new);
    let equations = contrasts.iter().filter(|c| c.part == "equations");
    let unknowns = equations.map(|c| c.label.clone()).collect();
    let known = names(new).into_iter().chain(names(old));
    let known: Vec<String> = known.map(|(_, meta)| meta.name.clone()).collect();
    let mut equal = Vec::new();
    for (title, part) in PARTS {
        let here = contrasts.iter().filter(|c| c.part == part);
        let mut same = 0;
        for contrast in here {
            if contrast.agreement == Agreement::Equal {
                same += 1;
                continue;
            }
            changes.push(Change {
                part: title.to_owned(),
                label: contrast.label.clone(),
                terms: changed(contrast.old.as_ref(), contrast.new.as_ref(), &known),
                old: contrast.old.as_ref().map(text),
                new: contrast.new.as_ref().map(text),
            });
        }
        if same > 0 {
            equal.push((title.to_owned(), same));
        }
    }
    Difference {
        method: String::new(),
        unknowns,
        renamed: Vec::new(),
        changes,
        equal,
        text_differs: true,
    }
}

/// What is said of each declared quantity.
fn declared(system: &System) -> Vec<(&'static str, String, String)> {
    let sign = |sign: Option<Sign>| match sign {
        None => "",
        Some(Sign::Positive) => " > 0",
        Some(Sign::NonNegative) => " >= 0",
        Some(Sign::Negative) => " < 0",
        Some(Sign::NonPositive) => " <= 0",
        Some(Sign::NonZero) => " != 0",
    };
    let unit = |meta: &Meta| match &meta.unit {
        Some(unit) => format!(": {unit}"),
        None => String::new(),
    };
    let mut list = Vec::new();
    let mut push = |kind, meta: &Meta, said: String| {
        list.push((kind, meta.name.clone(), said.trim().to_owned()));
    };
    for p in &system.params {
        let default = p
            .default
            .as_ref()
            .map(|n| format!("= {n} "))
            .unwrap_or_default();
        let said = format!("{default}{}{}", unit(&p.meta), sign(p.sign));
        push("Parameters", &p.meta, said);
    }
    for c in &system.coords {
        let initial = c
            .initial
            .as_ref()
            .map(|n| format!("= {n} "))
            .unwrap_or_default();
        let said = format!("{initial}{}{}", unit(&c.meta), sign(c.sign));
        push("Coordinates", &c.meta, said);
    }
    for i in &system.inputs {
        push("Inputs", &i.meta, unit(&i.meta));
    }
    for f in &system.functions {
        let said = format!("of {}{}", f.arg_names.join(", "), unit(&f.meta));
        push("Functions", &f.meta, said);
    }
    for a in &system.assumptions {
        list.push(("Assumptions", a.text.clone(), String::new()));
    }
    list
}

fn declarations(old: &System, new: &System) -> Vec<Change> {
    let (old, new) = (declared(old), declared(new));
    let mut changes = Vec::new();
    for (part, label, said) in &old {
        let now = new.iter().find(|n| n.0 == *part && n.1 == *label);
        if now.is_none_or(|now| now.2 != *said) {
            changes.push(Change {
                part: (*part).to_owned(),
                label: label.clone(),
                old: Some(said.clone()),
                new: now.map(|now| now.2.clone()),
                terms: Vec::new(),
            });
        }
    }
    for (part, label, said) in &new {
        if !old.iter().any(|o| o.0 == *part && o.1 == *label) {
            changes.push(Change {
                part: (*part).to_owned(),
                label: label.clone(),
                old: None,
                new: Some(said.clone()),
                terms: Vec::new(),
            });
        }
    }
    let order = [
        "Parameters",
        "Coordinates",
        "Inputs",
        "Functions",
        "Assumptions",
    ];
    changes.sort_by_key(|change| order.iter().position(|part| *part == change.part));
    changes
}

/// Terms that are there on one side only; of those that differ by their number, one.
fn changed(old: Option<&Math>, new: Option<&Math>, names: &[String]) -> Vec<Term> {
    let split = |side: Option<&Math>| side.map(terms::terms).unwrap_or_default();
    let (old, new) = (split(old), split(new));
    let mut found = Vec::new();
    for term in &old {
        match new.iter().find(|other| other.factors == term.factors) {
            None => found.push(Term::Removed {
                removed: term.text(names),
            }),
            Some(other) if other.number != term.number => {
                found.push(Term::Changed {
                    from: term.text(names),
                    to: other.text(names),
                });
            }
            Some(_) => {}
        }
    }
    for term in &new {
        if !old.iter().any(|other| other.factors == term.factors) {
            found.push(Term::Added {
                added: term.text(names),
            });
        }
    }
    found
}

/// Widest line.
const WIDE: usize = 100;

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            return if self.text_differs {
                writeln!(f, "unchanged up to algebra: {}", self.agreed())
            } else {
                writeln!(f, "the same text")
            };
        }
        for (old, new) in &self.renamed {
            writeln!(f, "renamed: {old} is now {new}")?;
        }
        if self.changes.is_empty() {
            return writeln!(
                f,
                "with these names unchanged up to algebra: {}",
                self.agreed()
            );
        }
        let mut part = "";
        for change in &self.changes {
            if part != change.part {
                part = &change.part;
                writeln!(f, "{part}")?;
            }
            self.change(f, change)?;
        }
        if self.equal.is_empty() {
            Ok(())
        } else {
            writeln!(f, "Unchanged: {}", self.agreed())
        }
    }
}

impl Difference {
    fn agreed(&self) -> String {
        let list = self.equal.iter();
        let list = list.map(|(part, count)| format!("{} ({count})", part.to_lowercase()));
        list.collect::<Vec<_>>().join(", ")
    }

    fn change(&self, f: &mut fmt::Formatter<'_>, change: &Change) -> fmt::Result {
        let label = &change.label;
        if change.terms.is_empty() {
            return match (&change.old, &change.new) {
                (Some(old), Some(new)) => {
                    line(f, "  - ", &format!("{label} {old}"))?;
                    line(f, "  + ", &format!("{label} {new}"))
                }
                (Some(old), None) => line(f, "  - ", &format!("{label} {old}")),
                (_, new) => {
                    let new = new.as_deref().unwrap_or_default();
                    line(f, "  + ", &format!("{label} {new}"))
                }
            };
        }
        match (&change.old, &change.new) {
            (None, _) => writeln!(f, "  {label} (new)")?,
            (_, None) => writeln!(f, "  {label} (gone)")?,
            _ if label.is_empty() => {}
            _ => writeln!(f, "  {label}")?,
        }
        // Terms with a rate that the equations determine make up its coefficient.
        let mut rest: Vec<&Term> = change.terms.iter().collect();
        for unknown in &self.unknowns {
            let (with, without) = rest.into_iter().partition(|term| has_factor(term, unknown));
            rest = without;
            let with: Vec<&Term> = with;
            if !with.is_empty() {
                writeln!(f, "    coefficient of {unknown}")?;
                for term in with {
                    write_term(f, "      ", term)?;
                }
            }
        }
        for term in rest {
            write_term(f, "    ", term)?;
        }
        Ok(())
    }
}

fn has_factor(term: &Term, name: &str) -> bool {
    let (Term::Removed { removed: text }
    | Term::Added { added: text }
    | Term::Changed { from: text, .. }) = term;
    text.trim_start_matches('-')
        .split('*')
        .any(|factor| factor == name)
}

fn write_term(f: &mut fmt::Formatter<'_>, indent: &str, term: &Term) -> fmt::Result {
    match term {
        Term::Removed { removed } => line(f, &format!("{indent}- "), removed),
        Term::Added { added } => line(f, &format!("{indent}+ "), added),
        Term::Changed { from, to } => {
            line(f, &format!("{indent}- "), from)?;
            line(f, &format!("{indent}+ "), to)
        }
    }
}

/// A line, broken between factors and terms where it is too long.
fn line(f: &mut fmt::Formatter<'_>, head: &str, text: &str) -> fmt::Result {
    let indent = " ".repeat(head.len() + 2);
    let mut written = head.to_owned();
    for piece in text.trim_end().split_inclusive(['*', ' ']) {
        let wide = written.chars().count() + piece.trim_end().chars().count() > WIDE;
        if wide && written.trim() != "" && written.len() > indent.len() {
            writeln!(f, "{}", written.trim_end())?;
            written.clone_from(&indent);
        }
        written.push_str(piece);
    }
    writeln!(f, "{}", written.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse;

    #[test]
    fn terms_are_paired_by_what_they_multiply() {
        let names = ["m", "c", "k", "f"].map(str::to_owned);
        let changed = |old: &str, new: &str| {
            let [old, new] = [old, new].map(|text| parse(text).unwrap());
            changed(Some(&old), Some(&new), &names)
        };
        let found = changed("m*x'' + c*x' + k*x", "k*x + 2*m*x'' - f");
        let expected = [
            Term::Changed {
                from: "m*x''".into(),
                to: "2*m*x''".into(),
            },
            Term::Removed {
                removed: "c*x'".into(),
            },
            Term::Added { added: "-f".into() },
        ];
        assert_eq!(found, expected);
        let factored = changed("m*(x + c)/2", "m*x/2 + m*c/2");
        assert_eq!(factored, []);
    }
}
