//! The model files themselves: readable by the parser, formatted, with a source, and in step with the reference numbers.

use generated_tests::reference::{load, model_text};
use std::path::Path;

/// Names of the files with this ending in a folder of this crate, sorted.
fn names(folder: &str, ending: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .filter_map(|e| {
            let name = e.unwrap().file_name().into_string().unwrap();
            name.strip_suffix(ending).map(str::to_owned)
        })
        .collect();
    names.sort();
    assert!(!names.is_empty());
    names
}

#[test]
fn models_are_readable_and_formatted() {
    for name in names("models", ".eom") {
        let text = model_text(&name).unwrap();
        let formatted = eomgen::internals::syntax::format(&text);
        let formatted = formatted.unwrap_or_else(|d| panic!("{name}: {d:#?}"));
        assert_eq!(formatted, text, "{name} is not formatted");
    }
}

#[test]
fn models_make_sense() {
    for name in names("models", ".eom") {
        let source = generated_tests::reference::model_source(&name).unwrap();
        let read = eomgen::internals::input::read_source(&source, &[]);
        let (_, diagnostics) = read.unwrap_or_else(|f| panic!("{name}: {f:#?}"));
        assert!(diagnostics.is_empty(), "{name}: {diagnostics:#?}");
    }
}

#[test]
fn models_begin_with_their_source() {
    for name in names("models", ".eom") {
        let text = model_text(&name).unwrap();
        assert!(text.starts_with("//! "), "{name}");
    }
}

/// Every reference file belongs to a model of the same name, and gives the parameters the values that the model defaults to.
#[test]
fn references_belong_to_models() {
    for name in names("reference", ".json") {
        let text = model_text(&name).unwrap();
        for (param, value) in load(&name).unwrap().params {
            let default = text.lines().find_map(|line| {
                let declared = line.strip_prefix("param ")?.split(':').next()?;
                declared.split(',').find_map(|one| {
                    let (name, value) = one.split_once('=')?;
                    (name.trim() == param).then(|| value.trim().parse::<f64>().unwrap())
                })
            });
            assert_eq!(default, Some(value), "{name}: {param}");
        }
    }
}
