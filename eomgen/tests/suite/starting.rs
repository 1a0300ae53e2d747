//! What a new user meets first: a model to start from, help with examples, the manual, completion.
#![cfg(feature = "cli")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn eomgen(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_eomgen"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = eomgen(folder, arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_new_model_works() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    assert_eq!(printed(at, &["new", "crane"]), "");
    let model = fs::read_to_string(at.join("crane.eom")).unwrap();
    assert!(model.contains("\nmodel crane\n"), "{model}");
    assert_eq!(printed(at, &["new", "crane", "--stdout"]), model);
    assert_eq!(
        eomgen(at, &["fmt", "--check", "crane.eom"]).status.code(),
        Some(0)
    );
    // What is there stays.
    fs::write(at.join("crane.eom"), "mine").unwrap();
    let again = eomgen(at, &["new", "crane.eom"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&again.stderr).contains("exists already"));
    assert_eq!(fs::read_to_string(at.join("crane.eom")).unwrap(), "mine");
    let nowhere = eomgen(at, &["new", "nowhere/crane"]);
    assert_eq!(nowhere.status.code(), Some(1));
    assert_eq!(eomgen(at, &["new", "a crane"]).status.code(), Some(2));
}

/// The pendulum on a cart of the textbooks, for instance K. Ogata, Modern Control Engineering, with the pendulum's own inertia:
/// (M + m) x'' + m l cos(theta) theta'' - m l sin(theta) theta'^2 + d x' = F and (J + m l^2) theta'' + m l cos(theta) x'' + m g l sin(theta) = 0.
#[cfg(feature = "derive")]
#[test]
fn the_new_models_equations_are_those_of_the_textbook() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    printed(at, &["new", "crane"]);
    let (x_rate, theta, rate, force) = (0.3_f64, 0.7_f64, -1.1_f64, 2.5_f64);
    let state = format!(
        r#"{{"q": {{"x": 0.2, "theta": {theta}}}, "qdot": {{"x": {x_rate}, "theta": {rate}}}, "inputs": {{"F": {force}}}}}"#
    );
    fs::write(at.join("state.json"), state).unwrap();
    let answer = printed(at, &["eval", "crane.eom", "--state", "state.json"]);
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    let (big, m, l, j, d, g) = (1.5, 0.4, 0.6, 0.02, 0.1, 9.81);
    let (a, b, c) = (big + m, m * l * theta.cos(), j + m * l * l);
    let (f1, f2) = (
        force - d * x_rate + m * l * theta.sin() * rate * rate,
        -m * g * l * theta.sin(),
    );
    let determinant = a * c - b * b;
    let expected = [
        (c * f1 - b * f2) / determinant,
        (a * f2 - b * f1) / determinant,
    ];
    let found = &answer["qddot"];
    for (name, expected) in ["x", "theta"].into_iter().zip(expected) {
        let value = found[name].as_f64().unwrap_or_else(|| panic!("{answer:#}"));
        assert!(
            (value - expected).abs() < 1e-12,
            "{name}: {value} {expected}"
        );
    }
}

/// Every command's help ends with examples, and its page of the manual has them.
#[test]
fn help_and_manual_have_examples() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let help = printed(at, &["--help"]);
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() >= 11, "{commands:?}");
    let pages = at.join("man");
    fs::create_dir(&pages).unwrap();
    printed(at, &["man", "-o", "man"]);
    for command in &commands {
        let help = printed(at, &[command, "--help"]);
        assert!(help.contains("Examples:\n  eomgen "), "{command}: {help}");
        let page = fs::read_to_string(pages.join(format!("eomgen-{command}.1"))).unwrap();
        assert_eq!(printed(at, &["man", command]), page);
        assert!(page.contains(".SH SYNOPSIS"), "{page}");
        assert!(page.contains("Examples:"), "{page}");
    }
    assert_eq!(fs::read_dir(&pages).unwrap().count(), commands.len() + 1);
    assert_eq!(eomgen(at, &["man", "nothing"]).status.code(), Some(2));
}

#[test]
fn shells_learn_the_commands_and_options() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = printed(folder.path(), &["completions", shell]);
        // PowerShell and Elvish are not told the values.
        let values = ["bash", "zsh", "fish"].contains(&shell);
        let value = values.then_some("udwadia-kalaba");
        for word in ["derive", "explain", "explain-plan"]
            .into_iter()
            .chain(value)
        {
            assert!(script.contains(word), "{shell}: no {word}");
        }
    }
    assert_eq!(
        eomgen(folder.path(), &["completions", "csh"]).status.code(),
        Some(2)
    );
}
