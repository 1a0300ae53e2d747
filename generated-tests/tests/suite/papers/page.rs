//! The page of worked examples: what it says that eomgen prints is what it prints.

use eomgen::options::{Inverse, Route};
use eomgen::{
    document,
    options::{DeriveOptions, Document},
};
use generated_tests::reference::model_source;
use std::collections::BTreeMap;
use std::path::Path;

const COMMAND: &str = "cargo run -p eomgen -- derive generated-tests/";

/// The model and the options of a command line of the page.
fn read(command: &str) -> (String, DeriveOptions) {
    let rest = command
        .strip_prefix(COMMAND)
        .unwrap_or_else(|| panic!("{command}"));
    let mut words = rest.split(' ').map(|w| w.trim_matches('"'));
    let path = words.next().unwrap().strip_suffix(".eom").unwrap();
    // The name of a model is its path in the folder of models.
    let model = match path.strip_prefix("models/") {
        Some(name) => name.to_owned(),
        None => format!("../{path}"),
    };
    let mut options = DeriveOptions::default();
    while let Some(flag) = words.next() {
        let value = words.next().unwrap();
        match flag {
            "--method" => options.method = Some(value.into()),
            "--dependent" => options.dependent.push(value.into()),
            "--emit" => assert_eq!(value, "equations", "{command}"),
            "--output" => options.outputs.extend(value.split(',').map(String::from)),
            "--inverse" => {
                let named = |i: &Inverse| i.name() == value;
                options.variant.inverse = Inverse::ALL.into_iter().find(named).unwrap();
            }
            "--route" => {
                let named = |r: &Route| r.name() == value;
                options.variant.route = Route::ALL.into_iter().find(named).unwrap();
            }
            other => panic!("{other} in {command}"),
        }
    }
    (model, options)
}

/// The lines of the document.
fn printed(command: &str) -> Vec<String> {
    assert!(command.contains(" --emit equations"), "{command}");
    let (model, options) = read(command);
    let derived = document(
        &model_source(&model).unwrap(),
        &options,
        Document::Equations,
    )
    .unwrap_or_else(|f| panic!("{command}: {f:?}"));
    let lines = derived.code.lines();
    lines.map(|line| line.trim_start().to_owned()).collect()
}

/// Each printed line is among those of every command of the block above it.
#[test]
fn the_page_quotes_what_is_printed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/examples.md");
    let page = std::fs::read_to_string(path).unwrap();
    let mut known: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut commands, mut kind, mut count): (Vec<String>, &str, usize) = (Vec::new(), "", 0);
    for line in page.lines() {
        if let Some(words) = line.strip_prefix("```") {
            kind = words;
            if kind == "sh" {
                commands.clear();
            }
            continue;
        }
        match kind {
            "sh" => commands.push(line.to_owned()),
            "text,printed" => {
                count += 1;
                assert!(!commands.is_empty(), "no command above: {line}");
                for command in &commands {
                    let lines = known
                        .entry(command.clone())
                        .or_insert_with(|| printed(command));
                    let found = lines.iter().any(|l| l == line);
                    assert!(found, "not printed by `{command}`: {line}");
                }
            }
            _ => {}
        }
    }
    assert!(count > 40, "{count} lines only");
}
