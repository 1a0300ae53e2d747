//! The tutorial and the recipe for continuous integration, played as they stand in the book.
#![cfg(all(feature = "cli", feature = "derive"))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

fn eomgen(folder: &Path, line: &str) -> Output {
    let arguments = line.strip_prefix("eomgen ").unwrap();
    Command::new(env!("CARGO_BIN_EXE_eomgen"))
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap()
}

fn succeeds(folder: &Path, line: &str) -> String {
    let output = eomgen(folder, line);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{line}\n{said}");
    String::from_utf8(output.stdout).unwrap()
}

/// Models are saved under their names, commands run in order, and each printed text is part of what the command or commands before
/// it print, line by line.
#[test]
fn the_tutorial_is_what_happens() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("src")).unwrap();
    let page = fs::read_to_string(docs().join("tutorial.md")).unwrap();
    let mut printed = String::new();
    let (mut models, mut commands, mut texts) = (0, 0, 0);
    for (number, piece) in page.split("```").enumerate() {
        let Some((kind, text)) = piece.split_once('\n').filter(|_| number % 2 == 1) else {
            continue;
        };
        match kind {
            "eom" => {
                let name = text.lines().find_map(|l| l.strip_prefix("model ")).unwrap();
                fs::write(at.join(format!("{name}.eom")), text).unwrap();
                assert_eq!(succeeds(at, &format!("eomgen fmt --check {name}.eom")), "");
                models += 1;
            }
            "sh" => {
                printed.clear();
                for line in text.lines() {
                    printed.push_str(&succeeds(at, line));
                    commands += 1;
                }
            }
            "text" => {
                let mut rest = printed.lines();
                for line in text.lines() {
                    assert!(rest.any(|l| l == line), "{line}\nis not in\n{printed}");
                }
                texts += 1;
            }
            _ => {}
        }
    }
    assert!(models >= 3 && commands >= 10 && texts >= 5);
    // The mistake that the page suggests.
    let model = fs::read_to_string(at.join("pendulum.eom")).unwrap();
    let wrong = model.replace("c*theta')", "c*theta)");
    assert_ne!(wrong, model);
    fs::write(at.join("pendulum.eom"), wrong).unwrap();
    let output = eomgen(at, "eomgen check pendulum.eom");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("tau - c*theta") && said.contains("N*m"),
        "{said}"
    );
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        match entry.file_type().unwrap().is_dir() {
            true if name == "target" => {}
            true => copy(&entry.path(), &to.join(name)),
            false => drop(fs::copy(entry.path(), to.join(name)).unwrap()),
        }
    }
}

/// The commands of a configuration: what stands behind `key`.
fn commands(file: &str, key: &str) -> Vec<String> {
    let text = fs::read_to_string(docs().join("ci").join(file)).unwrap();
    let lines = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix(key));
    let lines = lines.map(|line| line.trim().to_owned());
    lines.filter(|line| line.starts_with("eomgen ")).collect()
}

/// What a shell makes of `models/*.eom` in the example.
fn expanded(line: &str) -> String {
    line.replace("models/*.eom", "models/sleigh.eom")
}

#[test]
fn the_recipe_passes_on_the_example_and_fails_where_it_should() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    copy(&docs().join("example"), at);
    // The example lies in the clone and names its neighbours.
    let manifest = fs::read_to_string(at.join("Cargo.toml")).unwrap();
    let clone = docs().join("..").canonicalize().unwrap();
    let manifest = manifest.replace("../..", clone.to_str().unwrap());
    fs::write(at.join("Cargo.toml"), manifest).unwrap();
    let workflow = commands("eomgen.yml", "run:");
    let hooks = commands("pre-commit-config.yaml", "entry:");
    assert_eq!((workflow.len(), hooks.len()), (5, 3));
    let model = fs::read_to_string(at.join("models/sleigh.eom")).unwrap();
    let module = fs::read_to_string(at.join("src/checked.rs")).unwrap();
    for line in workflow.iter().chain(&hooks) {
        let line = if line == "eomgen fmt" {
            "eomgen fmt models/sleigh.eom".to_owned()
        } else {
            expanded(line)
        };
        succeeds(at, &line);
    }
    let same = fs::read_to_string(at.join("models/sleigh.eom")).unwrap() == model;
    assert!(same && fs::read_to_string(at.join("src/checked.rs")).unwrap() == module);
    let failing = || -> Vec<usize> {
        let each = workflow.iter().enumerate();
        let failed = each.filter(|(_, line)| !eomgen(at, &expanded(line)).status.success());
        failed.map(|(number, _)| number).collect()
    };
    // A module names the text that it comes from: the layout is part of it, the mechanics all the more.
    fs::write(
        at.join("models/sleigh.eom"),
        model.replace("coord theta", "coord   theta"),
    )
    .unwrap();
    assert_eq!(failing(), [0, 2, 3, 4]);
    fs::write(
        at.join("models/sleigh.eom"),
        model.replace("mass m1 at P1", "mass 2*m1 at P1"),
    )
    .unwrap();
    assert_eq!(failing(), [2, 3, 4]);
    // A module that somebody edited.
    fs::write(at.join("models/sleigh.eom"), &model).unwrap();
    let edited = module.replace("= p.m1 + p.m2;", "= p.m1 - p.m2;");
    assert_ne!(edited, module);
    fs::write(at.join("src/checked.rs"), edited).unwrap();
    assert_eq!(failing(), [2, 3, 4]);
}
