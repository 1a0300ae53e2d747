//! Options drawn together: every pair of them occurs, over a dozen machines, and what is written compiles without a warning and is laid out
//! as rustfmt does. The array of pairs is made greedily and always comes out the same.
#![cfg(feature = "pipeline")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use eomgen::options::DeriveOptions;
use eomgen::{Failure, derive};

/// What there is to choose, each with its words; the first is the default where there is one.
const CHOICES: [(&str, &[&str]); 8] = [
    (
        "method",
        &[
            "kane",
            "newton-euler",
            "gibbs-appell",
            "explicit-gibbs-appell",
            "lagrange",
            "maggi",
            "boltzmann-hamel",
            "jourdain",
            "appell-reduced",
            "udwadia-kalaba",
        ],
    ),
    ("form", &["auto", "closed", "staged"]),
    ("plan", &["auto", "reduced", "bordered", "newton-euler"]),
    ("prefer", &["time", "operations"]),
    ("math", &["auto", "std", "libm", "inline"]),
    ("scalar", &["f64", "f32", "generic"]),
    ("batch", &["false", "true"]),
    ("output", &["", "jacobian", "quantities"]),
];

/// Trees, closed loops, rolling, rows that depend on one another, functions of the user's, inputs, parameters alone.
const MACHINES: [&str; 12] = [
    "four_bar",
    "acrobot",
    "disc",
    "crane",
    "e4_sleigh_rheonomic",
    "cam_follower",
    "parallelogram",
    "asymmetric_top",
    "ball_on_turntable",
    "slider_crank",
    "e1_appell",
    "knife_edge",
];

/// One word of each choice, by its number.
type Row = [usize; CHOICES.len()];

/// Whether two words exclude one another: generic modules have neither batches nor functions of their own.
fn excluded(a: (usize, usize), b: (usize, usize)) -> bool {
    let word = |(choice, word): (usize, usize)| (CHOICES[choice].0, CHOICES[choice].1[word]);
    let both = [word(a), word(b)];
    both.contains(&("scalar", "generic"))
        && (both.contains(&("batch", "true")) || both.contains(&("math", "inline")))
}

fn pairs() -> Vec<[(usize, usize); 2]> {
    let mut all = Vec::new();
    for a in 0..CHOICES.len() {
        for b in a + 1..CHOICES.len() {
            for i in 0..CHOICES[a].1.len() {
                for j in 0..CHOICES[b].1.len() {
                    if !excluded((a, i), (b, j)) {
                        all.push([(a, i), (b, j)]);
                    }
                }
            }
        }
    }
    all
}

/// Rows in which every pair occurs: each begins with a pair that is missing and takes what covers most of the others.
fn rows() -> Vec<Row> {
    let mut missing = pairs();
    let mut rows = Vec::new();
    while let Some(&[(a, i), (b, j)]) = missing.first() {
        let mut chosen: [Option<usize>; CHOICES.len()] = [None; CHOICES.len()];
        (chosen[a], chosen[b]) = (Some(i), Some(j));
        for choice in 0..CHOICES.len() {
            if chosen[choice].is_some() {
                continue;
            }
            let gain = |word: usize| {
                let with = |pair: &&[(usize, usize); 2]| {
                    let held =
                        |(c, w): (usize, usize)| (c, w) == (choice, word) || chosen[c] == Some(w);
                    pair.iter().all(|p| held(*p))
                };
                missing.iter().filter(with).count()
            };
            let fits = |word: &usize| {
                let others = chosen.iter().enumerate();
                let mut others = others.filter_map(|(c, w)| Some((c, (*w)?)));
                others.all(|other| !excluded(other, (choice, *word)))
            };
            let words = (0..CHOICES[choice].1.len()).filter(fits);
            chosen[choice] = words.max_by_key(|word| (gain(*word), usize::MAX - word));
        }
        let row = chosen.map(|word| word.expect("every choice has a word that fits"));
        missing.retain(|pair| !pair.iter().all(|(c, w)| row[*c] == *w));
        rows.push(row);
    }
    rows
}

fn options(row: &Row) -> DeriveOptions {
    let mut pairs = Vec::new();
    for ((name, words), word) in CHOICES.iter().zip(row) {
        let pair = match (*name, words[*word]) {
            ("batch", "false") | ("output", "") => continue,
            ("batch", _) => ("batch", "true"),
            ("output", "jacobian") => ("jacobian", "accelerations:q,v"),
            ("output", _) => ("output", "tangent_projector"),
            pair => pair,
        };
        pairs.push((pair.0.to_owned(), pair.1.to_owned()));
    }
    DeriveOptions::from_pairs(&pairs).unwrap_or_else(|| panic!("{pairs:?}"))
}

/// A module, unless the machine is none for the formulation or for a quantity.
fn module(machine: &str, row: &Row) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("models/{machine}.eom"));
    let text = fs::read_to_string(path).unwrap();
    match derive(machine, &text, &options(row)) {
        Ok(derived) => Some(derived.code),
        Err(Failure::Diagnostics(list)) => {
            let internal = list.iter().find(|d| d.code == "E0399");
            assert!(internal.is_none(), "{machine} {row:?}: {internal:?}");
            None
        }
        Err(Failure::Message(message)) => panic!("{machine} {row:?}: {message}"),
    }
}

/// Compiles all as one crate, and asks rustfmt.
fn check(modules: &[(String, String)]) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("options");
    fs::create_dir_all(&folder).unwrap();
    let at = |name: &str| folder.join(name);
    let libm = include_str!("../../src/running/program/libm.rs");
    fs::write(at("libm_functions.rs"), libm).unwrap();
    let mut root = String::from(
        "extern crate self as libm;\n#[allow(warnings)]\nmod libm_functions;\n#[allow(unused_imports)]\npub use libm_functions::*;\n",
    );
    let mut files = Vec::new();
    for (name, text) in modules {
        let file = at(&format!("{name}.rs"));
        fs::write(&file, text).unwrap();
        writeln!(root, "pub mod {name};").unwrap();
        files.push(file);
    }
    fs::write(at("machines.rs"), root).unwrap();
    let compiled = Command::new("rustc")
        .args(["--edition", "2024", "--crate-type", "lib"])
        .args(["--emit", "metadata", "-D", "warnings", "machines.rs"])
        .env_remove("RUSTFLAGS")
        .current_dir(&folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{said}");
    let formatted = Command::new("rustfmt")
        .args(["--check", "--edition", "2024"])
        .args(&files)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&formatted.stdout);
    assert!(formatted.status.success(), "{said}");
}

#[test]
fn every_pair_occurs() {
    let rows = rows();
    let holds = |row: &Row, pair: &[(usize, usize); 2]| pair.iter().all(|(c, w)| row[*c] == *w);
    for pair in pairs() {
        assert!(rows.iter().any(|row| holds(row, &pair)), "{pair:?}");
    }
    // Ten methods by four plans, and hardly more.
    assert!((40..=60).contains(&rows.len()), "{}", rows.len());
}

/// Some of the rows, each with the first machine in turn that its formulation takes.
#[test]
fn options_together() {
    let mut modules = Vec::new();
    for (index, row) in rows().iter().enumerate().step_by(6) {
        let mut machines = (0..MACHINES.len()).map(|k| MACHINES[(index + k) % MACHINES.len()]);
        let found = machines.find_map(|machine| Some((machine, module(machine, row)?)));
        let (machine, text) = found.unwrap_or_else(|| panic!("no machine for {row:?}"));
        modules.push((format!("{machine}_{index}"), text));
    }
    check(&modules);
}

#[test]
#[ignore = "10 min: cargo test -p generated-tests --test suite options -- --ignored"]
fn all_options_over_all_machines() {
    let mut modules = Vec::new();
    for (index, row) in rows().iter().enumerate() {
        let mut taken = 0;
        for machine in MACHINES {
            if let Some(text) = module(machine, row) {
                modules.push((format!("{machine}_{index}"), text));
                taken += 1;
            }
        }
        assert!(taken > 0, "no machine for {row:?}");
    }
    for some in modules.chunks(60) {
        check(some);
    }
}
