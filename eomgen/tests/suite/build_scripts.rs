//! The build script of the book does what the book says: run as cargo would, and its output included by a program.
#![cfg(feature = "derive")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

mod script {
    include!("build_script/build.rs");

    pub fn run() -> Result<(), eomgen::BuildError> {
        main()
    }
}

fn page(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    fs::read_to_string(folder.join(name))
        .unwrap()
        .replace("\r\n", "\n")
}

/// The first block of a page that is of a kind.
fn block(page: &str, kind: &str) -> String {
    let after = page.split(&format!("```{kind}\n")).nth(1).unwrap();
    after.split("```").next().unwrap().to_owned()
}

const CHILD: &str = "EOMGEN_TEST_CHILD";

/// Not a test: the build script's process, started below with the environment of one.
#[test]
#[ignore = "started by the tests below"]
fn process() -> Result<(), eomgen::BuildError> {
    // Not as a child: all ignored tests are being run.
    if std::env::var_os(CHILD).is_none() {
        return Ok(());
    }
    script::run()
}

/// Runs the script for the package in `folder`.
fn run(folder: &Path) -> Output {
    Command::new(std::env::current_exe().unwrap())
        .args([
            "build_scripts::process",
            "--exact",
            "--ignored",
            "--nocapture",
        ])
        .current_dir(folder)
        .env("CARGO_MANIFEST_DIR", folder)
        .env("OUT_DIR", folder.join("out"))
        .env(CHILD, "1")
        .env("EOMGEN_CACHE", "off")
        .output()
        .unwrap()
}

#[test]
fn the_script_of_the_book_and_the_program_that_includes_its_output() {
    let book = page("build-scripts.md");
    assert_eq!(
        block(&book, "rust,build"),
        include_str!("build_script/build.rs")
    );
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("models")).unwrap();
    fs::create_dir(at("out")).unwrap();
    let model = block(&page("introduction.md"), "eom");
    fs::write(at("models/sleigh.eom"), &model).unwrap();
    let output = run(folder.path());
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}");
    let watched = format!(
        "cargo::rerun-if-changed={}",
        at("models/sleigh.eom").display()
    );
    assert!(said.lines().any(|line| line.ends_with(&watched)), "{said}");

    fs::write(at("main.rs"), block(&book, "rust,included")).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiled = Command::new(rustc)
        .args([
            "main.rs",
            "--edition",
            "2024",
            "-D",
            "warnings",
            "-o",
            "program",
        ])
        .current_dir(folder.path())
        .env("OUT_DIR", at("out"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{errors}");
    let program = Command::new(at("program")).output().unwrap();
    // By hand for u1 = 1, u2 = 1/2 along the axes: x' = u1, y' = -l u2, theta' = u2, u1' = -m1 l u2^2/(m1 + m2), u2' = u1 u2/l.
    let shown = String::from_utf8(program.stdout).unwrap();
    assert_eq!(shown, "[1.0, -0.5, 0.5, -0.1875, 0.5]\n");

    // An error is shown as it is meant to be read, by `main`'s own way of showing it.
    fs::write(at("models/sleigh.eom"), model.replace("l*B.x", "len*B.x")).unwrap();
    let output = run(folder.path());
    assert!(!output.status.success());
    let all = [output.stdout, output.stderr].concat();
    let all = String::from_utf8(all).unwrap();
    assert!(all.contains(&watched), "{all}");
    let shown = "Error: no equations of motion from models/sleigh.eom\n\nerror[";
    assert!(all.contains(shown), "{all}");
    assert!(all.contains("--> models/sleigh.eom:11:"), "{all}");
}
