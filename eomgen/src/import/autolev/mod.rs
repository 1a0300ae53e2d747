//! Autolev's text as a model. Knows the ways of Kane's method in which such files are written; no algebra.
//!
//! Statements are gathered ([`gather`]), put in order ([`placing`]), and classified ([`classes`]); speeds are found from what is written with
//! them ([`speeds`]). What a file says twice, as a place and as a velocity, is compared in numbers ([`sample`]).

mod classes;
mod commands;
mod facts;
mod gather;
mod lexer;
mod model;
mod naming;
mod numbers;
mod parser;
mod phrase;
mod placing;
#[cfg_attr(
    not(test),
    expect(
        clippy::disallowed_methods,
        reason = "numbers are compared to nine digits, and none is written"
    )
)]
mod sample;
mod speeds;
#[cfg(test)]
mod tests;
mod tree;
mod velocities;

use std::collections::BTreeSet;

use super::findings::Findings;
use super::write::header::{plain, wrapped};
use super::write::names::Names;
use crate::diag::codes::import::E0607;
use crate::span::Span;

/// Whether a text is Autolev's: one of its lines begins with the word that every such file has.
pub fn is_autolev(text: &str) -> bool {
    text.lines().any(|line| {
        let word: String = line.trim_start().chars().take(9).collect();
        word.eq_ignore_ascii_case("newtonian")
    })
}

/// Reads a file and writes the model; what is wrong is among the findings.
pub fn read(source: &str, text: &str, findings: &mut Findings) -> Option<String> {
    let (lines, comments) = lexer::lines(text);
    let statements = parser::statements(&lines, findings);
    let facts = gather::gather(&statements, findings);
    if facts.newtonian.is_empty() {
        findings.error(
            E0607,
            "no frame is at rest",
            Span::new(0, 0),
            "",
            "declare it: `NEWTONIAN N`",
        );
    }
    if !findings.wrong.is_empty() {
        return None;
    }
    let mut led = BTreeSet::new();
    weightless(&facts, findings);
    if !findings.wrong.is_empty() {
        return None;
    }
    loop {
        let placing = placing::place(&facts, &led, findings);
        let classes = classes::classes(&facts, &placing);
        let speeds = speeds::solve(&facts, &placing, &classes, findings);
        if !findings.wrong.is_empty() {
            return None;
        }
        let velocities = velocities::compare(&facts, &placing, &classes, &speeds, findings);
        if !findings.wrong.is_empty() {
            return None;
        }
        // Points at rest for a moment are placed anew.
        if velocities
            .moving
            .iter()
            .any(|name| led.insert(name.clone()))
        {
            continue;
        }
        let mut names = Names::default();
        let stem = source.rsplit_once('.').map_or(source, |(stem, _)| stem);
        let name = names.given(stem);
        let called = naming::names(&facts, &placing, &classes, &mut names);
        let phrases = phrase::Phrases::new(&facts, &placing, &classes, &velocities, &called);
        let starts = numbers::starts(&facts, &|name| speeds.contains_key(name), findings);
        let mut writer = model::Writer {
            facts: &facts,
            phrases,
            speeds: &speeds,
            starts,
        };
        model::upright(&mut writer);
        let blocks = writer.statements(&mut names, findings);
        findings.wrong.extend(writer.phrases.wrong.take());
        if !findings.wrong.is_empty() {
            return None;
        }
        if !moves(&blocks) {
            findings.error(
                E0607,
                "nothing in this file moves",
                newtonian(text),
                "only what is at rest is declared",
                "declare coordinates, such as `VARIABLES Q'`, and place bodies or particles by them",
            );
            return None;
        }
        model::unused(&facts, &writer.phrases, findings);
        return Some(assemble(
            &name, source, &comments, &names, findings, &blocks,
        ));
    }
}

/// Bodies and particles without a mass are left out; a machine of nothing else is none.
fn weightless(facts: &facts::Facts, findings: &mut Findings) {
    let frames = facts
        .frame_order
        .iter()
        .map(|name| (name, &facts.frames[name]));
    let points = facts
        .point_order
        .iter()
        .map(|name| (name, &facts.points[name]));
    let heavy = frames.chain(points).filter(|(_, thing)| thing.heavy);
    let weighs =
        |name: &String| facts.masses.contains_key(name) || facts.inertias.contains_key(name);
    let light: Vec<_> = heavy.filter(|(name, _)| !weighs(name)).collect();
    if facts.masses.is_empty() && facts.inertias.is_empty() && !light.is_empty() {
        let (_, thing) = light[0];
        findings.error(
            E0607,
            "nothing in this file has a mass",
            thing.span,
            "declared without one",
            format!("write `MASS {}=M`, and of bodies `INERTIA`", thing.spelled),
        );
        return;
    }
    for (_, thing) in light {
        let what = "masses of what is declared without one";
        findings.left_out(what, &thing.spelled, thing.span);
    }
}

/// Whether statements have an unknown. Coordinates of points that only have a velocity are found last, so that the statements are asked.
fn moves(blocks: &[Vec<String>]) -> bool {
    let unknown = |line: &String| line.starts_with("coord ") || line.starts_with("state ");
    blocks.iter().flatten().any(unknown)
}

/// The line that every file has.
fn newtonian(text: &str) -> Span {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at + line.len() - line.trim_start().len();
        if is_autolev(line) {
            return Span::new(start, at + line.trim_end().len());
        }
        at += line.len();
    }
    Span::new(0, 0)
}

/// The text with its header.
fn assemble(
    name: &str,
    source: &str,
    comments: &[String],
    names: &Names,
    findings: &Findings,
    blocks: &[Vec<String>],
) -> String {
    let mut text = format!("//! {}, from {}.\n", plain(name), plain(source));
    let mut notes: Vec<String> = comments
        .iter()
        .take(20)
        .map(|line| format!("> {}", plain(line)))
        .collect();
    if !names.renamed.is_empty() {
        let pairs: Vec<String> = names
            .renamed
            .iter()
            .map(|(old, new)| format!("{} is {new}", plain(old)))
            .collect();
        notes.push(format!("Renamed: {}", pairs.join("; ")));
    }
    notes.extend(
        findings
            .left_lines()
            .iter()
            .map(|line| format!("Left out: {}", plain(line))),
    );
    for note in notes {
        for line in wrapped(&note) {
            text += &format!("// {line}\n");
        }
    }
    text += &format!("model {name}\n");
    for block in blocks.iter().filter(|block| !block.is_empty()) {
        text += "\n";
        for line in block {
            text += line;
            text += "\n";
        }
    }
    text
}
