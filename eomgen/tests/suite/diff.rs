//! `eomgen diff`: what it says of edits whose effect on the equations is known from a textbook, and how git calls it.
#![cfg(all(feature = "cli", feature = "derive"))]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A mass on a spring: `m x'' = f - k x`.
const OSCILLATOR: &str = "\
model oscillator
param m = 2 : kg > 0
param k = 50 : N/m
coord x : m
input f : N
point P = O + x*N.x
particle A: mass m at P
generalized x: f - k*x
";

fn eomgen(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_eomgen"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// Exit code and standard output for the oscillator and an edit of it.
fn diff(old: &str, new: &str) -> (i32, String) {
    let (from, to) = (OSCILLATOR, OSCILLATOR.replace(old, new));
    assert!(old.is_empty() || from != to);
    let folder = folder(&[("old.eom", from), ("new.eom", &to)]);
    let output = eomgen(
        folder.path(),
        &["diff", "old.eom", "new.eom", "--method", "lagrange"],
    );
    let said = String::from_utf8(output.stderr).unwrap();
    let code = output.status.code().unwrap();
    assert!(code < 2, "{said}");
    (code, String::from_utf8(output.stdout).unwrap())
}

const ALL: &str =
    "equations of motion (1), kinematics (1), kinetic energy (1), potential energy (1)";

#[test]
fn an_added_term_is_named() {
    let (code, text) = diff("k*x\n", "k*x - c*x'\nparam c = 1/10 : N*s/m\n");
    let rest = "kinematics (1), kinetic energy (1), potential energy (1)";
    let expected = format!(
        "Parameters\n  + c = 1/10 : N*s/m\nEquations of motion\n  x''\n    + c*x'\nUnchanged: {rest}\n"
    );
    assert_eq!((code, text), (1, expected));
}

#[test]
fn a_changed_coefficient_stands_under_its_rate() {
    let (code, text) = diff("mass m", "mass 3*m");
    let equations =
        "Equations of motion\n  x''\n    coefficient of x''\n      - m*x''\n      + 3*m*x''\n";
    let energy = "Kinetic energy\n    - m*x'^2/2\n    + 3*m*x'^2/2\n";
    assert_eq!(code, 1);
    assert_eq!(
        text,
        format!("{equations}{energy}Unchanged: kinematics (1), potential energy (1)\n")
    );
}

#[test]
fn what_is_written_otherwise_is_unchanged() {
    for (old, new) in [
        ("f - k*x", "-(k*x - f)"),
        ("O + x*N.x", "O + 2*x*N.x - x*N.x"),
        ("model oscillator", "//! A text.\nmodel oscillator"),
        ("f - k*x", "(f - k*x)*(cos(x/(1 {m}))^2 + sin(x/(1 {m}))^2)"),
    ] {
        let new = new.replace("(1 {m})", "l");
        let text = format!("param l = 1 : m\n{OSCILLATOR}");
        let base = text.replacen("param l = 1 : m\n", "", 1);
        let declared = base.replace("coord x", "param l = 1 : m\ncoord x");
        let changed = declared.replace(old, &new);
        let folder = folder(&[("old.eom", &declared), ("new.eom", &changed)]);
        let output = eomgen(
            folder.path(),
            &["diff", "old.eom", "new.eom", "--method", "lagrange"],
        );
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(0), "{new}: {text}");
        assert_eq!(text, format!("unchanged up to algebra: {ALL}\n"), "{new}");
    }
    assert_eq!(diff("", ""), (0, "the same text\n".to_owned()));
}

#[test]
fn defaults_and_names_are_differences() {
    let (code, text) = diff("k = 50", "k = 60");
    let expected = format!("Parameters\n  - k = 50 : N/m\n  + k = 60 : N/m\nUnchanged: {ALL}\n");
    assert_eq!((code, text), (1, expected));
    let (code, text) = diff(
        "param k = 50 : N/m\ncoord x : m\ninput f : N\n",
        "param stiffness = 50 : N/m\ncoord x : m\ninput f : N\nlet k = stiffness\n",
    );
    assert_eq!(code, 1, "{text}");
    let first = text.lines().next().unwrap();
    assert_eq!(first, "renamed: k is now stiffness");
    // A constant part of a constraint is in no velocity.
    let (code, text) = diff("generalized", "constraint wall: x = 0\ngeneralized");
    assert!(
        code == 1 && text.contains("  wall (new)\n    + x\n"),
        "{text}"
    );
}

#[test]
fn problems_are_not_answers() {
    let folder = folder(&[
        ("a.eom", OSCILLATOR),
        ("bad.eom", "model bad\ncoord\n"),
        ("a.rs", "fn f() {}\n"),
    ]);
    for arguments in [
        ["diff", "a.eom", "bad.eom"].as_slice(),
        &["diff", "bad.eom", "a.eom"],
        &["diff", "a.eom", "nowhere.eom"],
        &["diff", "a.eom"],
        &["diff", "a.eom", "a.rs"],
        &["diff", "a.rs", "a.rs"],
        &["diff", "nosuchrevision:a.eom", "a.eom"],
        &["diff", "a.eom", "a.eom", "--git", "HEAD"],
    ] {
        let output = eomgen(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            !output.stderr.is_empty() && output.stdout.is_empty(),
            "{arguments:?}"
        );
    }
}

#[test]
fn generated_modules_are_compared_function_by_function() {
    let stiff = OSCILLATOR.replace("f - k*x", "f - 2*k*x");
    let same = OSCILLATOR.replace("f - k*x", "-(k*x - f)");
    let folder = folder(&[("a.eom", OSCILLATOR), ("b.eom", &stiff), ("c.eom", &same)]);
    for name in ["a", "b", "c"] {
        let (model, code) = (format!("{name}.eom"), format!("{name}.rs"));
        assert!(
            eomgen(folder.path(), &["derive", &model, "-o", &code])
                .status
                .success()
        );
    }
    let output = eomgen(folder.path(), &["diff", "a.rs", "c.rs"]);
    assert_eq!(output.status.code(), Some(0));
    let output = eomgen(folder.path(), &["diff", "a.rs", "b.rs", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let has = |list: &str, name: &str| json[list].as_array().unwrap().iter().any(|n| n == name);
    assert!(has("different", "accelerations") && has("different", "forcing"));
    assert!(has("equal", "mass_matrix") && has("equal", "kinetic_energy"));
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let program = Path::new(env!("CARGO_BIN_EXE_eomgen")).parent().unwrap();
    let mut paths = vec![program.to_owned()];
    paths.extend(std::env::split_paths(&path));
    let output = Command::new("git")
        .args([
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.org",
            "-c",
            "core.autocrlf=false",
        ])
        .args(arguments)
        .env("PATH", std::env::join_paths(paths).unwrap())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .current_dir(folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}\n{said}");
    String::from_utf8(output.stdout).unwrap()
}

/// Lines of the page on differences that stand in fences.
fn documented(start: &str) -> String {
    let page = format!("{}/../docs/diff.md", env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(page).unwrap();
    let line = page.lines().find(|line| line.starts_with(start));
    line.unwrap_or_else(|| panic!("{start}")).to_owned()
}

#[test]
fn git_shows_equations() {
    let part = "part load\nparam m = 2 : kg > 0\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\n";
    let folder = folder(&[("oscillator.eom", OSCILLATOR), ("load.eom", part)]);
    let at = folder.path();
    fs::write(at.join(".gitattributes"), documented("*.eom diff=") + "\n").unwrap();
    git(at, &["init", "-q"]);
    git(at, &["add", "."]);
    git(at, &["commit", "-qm", "one"]);
    let changed = OSCILLATOR.replace("k*x\n", "k*x - c*x'\nparam c = 1/10 : N*s/m\n");
    fs::write(at.join("oscillator.eom"), changed).unwrap();
    // As a text conversion: lines of the document.
    let configure = |line: &str| {
        let line = documented(line);
        let (head, value) = line.split_once('"').unwrap();
        let mut words: Vec<&str> = head.split_whitespace().skip(1).collect();
        words.push(value.trim_end_matches('"'));
        git(at, &words);
    };
    configure("git config diff.eomgen.textconv");
    let text = git(at, &["diff"]);
    assert!(
        text.lines()
            .any(|l| l.starts_with('+') && l.contains("c*x'")),
        "{text}"
    );
    // As an external diff, which goes first.
    configure("git config diff.eomgen.command");
    let text = git(at, &["diff"]);
    assert!(
        text.starts_with("eomgen diff oscillator.eom oscillator.eom\n"),
        "{text}"
    );
    assert!(
        text.contains("Equations of motion\n  x''\n    + c*x'\n"),
        "{text}"
    );
    // A file that was not there.
    fs::write(at.join("second.eom"), OSCILLATOR).unwrap();
    git(at, &["add", "second.eom"]);
    let text = git(at, &["diff", "--cached"]);
    assert!(text.contains("second.eom is new"), "{text}");
    // Revisions by name.
    for arguments in [
        ["diff", "--git", "HEAD", "oscillator.eom"].as_slice(),
        &["diff", "HEAD:oscillator.eom", "oscillator.eom"],
    ] {
        let output = eomgen(at, arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("    + c*x'\n"));
    }
}
