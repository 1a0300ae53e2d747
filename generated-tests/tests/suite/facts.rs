//! What programs take from a generated module they take from its code and its constant `FACTS`: other words in comments change nothing,
//! and another word in a fact is noticed.

use std::collections::BTreeSet;

use eomgen::internals::header::{Header, body_hash, check_fresh};
use eomgen::internals::verify::proof::Proof;
use eomgen::{
    Source, derive_source, module_difference,
    options::{DeriveOptions, VerifyOptions},
    verify_source,
};
use generated_tests::reference::model_source;
use generated_tests::refreshing::{GENERATED, folder};

/// The text with every comment but the header in other words.
fn reworded(text: &str) -> String {
    let mut found = false;
    let line = |(number, line): (usize, &str)| {
        let code = line.trim_start();
        let indent = &line[..line.len() - code.len()];
        for mark in ["//!", "///", "//"] {
            if number >= 3 && code.starts_with(mark) {
                found = true;
                return format!("{indent}{mark} Eliminated: nothing, with z' = (w).");
            }
        }
        line.to_owned()
    };
    let lines: Vec<String> = text.lines().enumerate().map(line).collect();
    assert!(found);
    lines.join("\n") + "\n"
}

fn holds(source: &Source, text: &str) -> bool {
    let options = VerifyOptions {
        file: Some(("module.rs".into(), text.to_owned())),
        ..VerifyOptions::default()
    };
    // Words that say something else than what is written are told apart, and prove nothing about the functions.
    verify_source(source, &options).is_ok_and(|certificate| {
        let proofs = certificate.texts.iter().map(|text| text.proof.as_ref());
        proofs
            .into_iter()
            .all(|proof| proof.is_ok_and(Proof::is_complete))
    })
}

fn made(model: &str, method: &str, outputs: &[&str]) -> (Source, String) {
    let options = DeriveOptions {
        method: Some(method.to_owned()),
        outputs: outputs.iter().map(|name| (*name).to_owned()).collect(),
        ..DeriveOptions::default()
    };
    let source = model_source(model).unwrap();
    let text = derive_source(&source, &options).unwrap().code;
    (source, text)
}

#[test]
fn no_program_reads_prose() {
    let chosen = ["sleigh_ref", "e1_appell", "e5_wheel_axle_rows", "crane"];
    for of in GENERATED.iter().filter(|of| chosen.contains(&of.module)) {
        let text = std::fs::read_to_string(folder().join(format!("{}.rs", of.module))).unwrap();
        let other = reworded(&text);
        assert!(
            holds(&model_source(of.model).unwrap(), &other),
            "{}",
            of.module
        );
        let difference = module_difference(&text, &other).unwrap();
        assert!(difference.is_none(), "{difference}");
        assert_eq!(
            (&difference.facts, &difference.conditions),
            (&vec![], &vec![])
        );
        // The words are part of the file, so they are hashed; nothing is read from them.
        let header = Header::parse(&other).unwrap();
        let fresh = Header {
            body: body_hash(&other).unwrap(),
            ..header.clone()
        };
        let written = other.replacen(&header.body, &fresh.body, 1);
        let model = model_source(of.model).unwrap().whole_text();
        assert_eq!(check_fresh(&written, &model, &fresh.options), Ok(()));
    }
}

/// The lines of the constant, without quotes.
fn facts(text: &str) -> Vec<String> {
    let (_, rest) = text.split_once("pub const FACTS").unwrap();
    let (_, rest) = rest.split_once(" = [").unwrap();
    let (list, _) = rest.split_once("];").unwrap();
    let pieces = list.split('"').skip(1).step_by(2);
    pieces.map(str::to_owned).collect()
}

/// Lines that say something else.
fn flipped(line: &str) -> Vec<String> {
    let (left, right) = line.split_once(" =").unwrap();
    let words: Vec<&str> = right.split_whitespace().collect();
    let mut list = vec![format!("{left}s ={right}"), format!("{line} nobody")];
    if let Some((functions, key)) = left.split_once(": ") {
        let rest = functions.split_once(", ").map_or("nothing", |f| f.1);
        list.push(format!("{rest}: {key} ={right}"));
    }
    let with = |words: &[&str]| format!("{left} = {}", words.join(" "));
    for i in 0..words.len() {
        let mut less = words.clone();
        less.remove(i);
        list.push(with(&less));
        let mut other = words.clone();
        other[i] = "nobody";
        // What a reaction that the model does not declare is called is its name, and nothing else.
        if !line.contains("generated_reactions") {
            list.push(with(&other));
        }
        if i > 0 && !line.contains("generated_reactions") {
            let mut turned = words.clone();
            turned.swap(i - 1, i);
            list.push(with(&turned));
        }
    }
    list
}

#[test]
fn another_fact_is_noticed_in_some_modules() {
    other_facts(20);
}

#[test]
#[ignore = "four minutes: cargo test --workspace -- --include-ignored facts"]
fn another_fact_is_noticed() {
    other_facts(1);
}

/// Modules of so many formulations are tried, each with every other word in one of its facts.
fn other_facts(stride: usize) {
    let mut tried = BTreeSet::new();
    let modules = [
        ("sleigh_ref", "lagrange", vec![]),
        ("e4_sleigh", "newton-euler", vec![]),
        ("e4_sleigh", "appell-reduced", vec![]),
        (
            "e4_sleigh_speeds",
            "boltzmann-hamel",
            vec!["quasi_velocity_matrix"],
        ),
        (
            "e4_sleigh",
            "maggi",
            vec!["maggi_multipliers", "maggi_multiplier_matrix"],
        ),
        (
            "e4_sleigh",
            "explicit-gibbs-appell",
            vec!["explicit_matrix", "chart_matrix"],
        ),
        ("e1_appell", "udwadia-kalaba", vec!["generalized_inverse"]),
        ("crane", "lagrange", vec![]),
    ];
    for (model, method, outputs) in modules.into_iter().step_by(stride) {
        let (source, text) = made(model, method, &outputs);
        assert!(holds(&source, &text), "{model} by {method}");
        let mut lines = facts(&text);
        assert_eq!(lines[0], format!("formulation = {method}"));
        // What another module said of as many things need not be turned again.
        let kind = |line: &String| {
            let (left, right) = line.split_once(" =").unwrap();
            let key = left.rsplit(": ").next().unwrap_or(left);
            (key.to_owned(), right.split_whitespace().count())
        };
        lines.retain(|line| tried.insert(kind(line)));
        for line in lines {
            for other in flipped(&line) {
                let changed = text.replacen(&format!("{line:?}"), &format!("{other:?}"), 1);
                assert_ne!(changed, text);
                assert!(
                    !holds(&source, &changed),
                    "{model} by {method}: {line} | {other}"
                );
            }
        }
        // Without them nothing is proven.
        let start = text.find("pub const FACTS").unwrap();
        let end = start + text[start..].find("];").unwrap() + 2;
        let without = format!("{}{}", &text[..start], &text[end..]);
        assert!(!holds(&source, &without), "{model} by {method}");
    }
}
