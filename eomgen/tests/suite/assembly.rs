//! `assemble` of a generated module: compiled without a warning and run against geometry, and read by `verify`.
#![cfg(feature = "cli")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn tool(name: &str) -> PathBuf {
    match std::env::var_os("RUSTC") {
        Some(rustc) => Path::new(&rustc).with_file_name(name),
        None => PathBuf::from(name),
    }
}

fn run(program: &Path, arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(program);
    // The project's own clippy.toml is about the generator, not about what it writes.
    command.env("CLIPPY_CONF_DIR", folder);
    let output = command.args(arguments).current_dir(folder).output();
    output.unwrap_or_else(|e| panic!("{}: {e}", program.display()))
}

fn succeeds(program: &Path, arguments: &[&str], folder: &Path) -> String {
    let output = run(program, arguments, folder);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}\n{said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The module, its model and the options.
const MODULES: [(&str, &str, &[&str]); 4] = [
    ("reduced", "four_bar", &[]),
    ("free", "spherical_pendulum", &[]),
    ("single", "four_bar", &["--scalar", "f32"]),
    ("yoke", "scotch_yoke", &["--method", "kane"]),
];

#[test]
fn modules_assemble_by_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated-tests/models");
    let eomgen = Path::new(env!("CARGO_BIN_EXE_eomgen"));
    for (name, model, options) in MODULES {
        let model = models.join(format!("{model}.eom")).display().to_string();
        let file = format!("{name}.rs");
        let arguments = ["derive", &model, "--output", "assemble", "-o", &file];
        succeeds(eomgen, &[&arguments[..], options].concat(), folder);
        let output = run(eomgen, &["verify", &model, "--file", &file], folder);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains("1 word by word"), "{said}");
        // Constants rounded to `f32` leave multipliers open, which is another matter.
        assert!(output.status.success() || name == "single", "{said}");
    }
    let format = ["--check", "--edition", "2024"];
    let files = MODULES.map(|(name, ..)| format!("{name}.rs"));
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    succeeds(&tool("rustfmt"), &[&format[..], &files].concat(), folder);
    let main = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/assembly/main.rs");
    fs::copy(main, folder.join("main.rs")).unwrap();
    let strict = ["main.rs", "--edition", "2024", "-D", "warnings"];
    let lint = ["--emit", "metadata", "-D", "clippy::all"];
    succeeds(
        &tool("clippy-driver"),
        &[&strict[..], &lint].concat(),
        folder,
    );
    succeeds(&tool("rustc"), &strict, folder);
    succeeds(&folder.join("main"), &[], folder);

    // Another text of the function, or other rows, are not what the model asks for.
    let model = models.join("spherical_pendulum.eom").display().to_string();
    let text = fs::read_to_string(folder.join("free.rs")).unwrap();
    for (what, instead) in [
        (
            "free[*index as usize] = false",
            "free[*index as usize] = true",
        ),
        ("let positions = [true]", "let positions = [false]"),
        ("let velocities = [true]", "let velocities = [false]"),
        ("(left) * (1.0 + damping)", "(left) * (2.0 + damping)"),
        ("nearest(&mut state, COORDINATES", "nearest(&mut state, 0"),
    ] {
        assert!(text.contains(what), "{what}");
        fs::write(folder.join("changed.rs"), text.replace(what, instead)).unwrap();
        let output = run(eomgen, &["verify", &model, "--file", "changed.rs"], folder);
        assert!(!output.status.success(), "{what}");
    }
}

/// The module of the crate that the book shows.
#[test]
fn the_module_of_the_book_is_what_is_derived() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/motion");
    let eomgen = Path::new(env!("CARGO_BIN_EXE_eomgen"));
    let asked = ["--output", "assemble,projection_step"];
    let arguments = [&["derive", "models/trolley.eom"], &asked[..]].concat();
    let text = succeeds(eomgen, &arguments, &docs);
    let there = fs::read_to_string(docs.join("src/trolley.rs")).unwrap();
    assert!(
        text == there,
        "in docs/motion: eomgen {}",
        arguments.join(" ")
    );
}

#[test]
fn what_has_nothing_to_assemble_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let model = "model fall\ncoord y : m\npoint P = O + y*N.y\nparticle A: mass 2 [kg] at P\n";
    fs::write(folder.path().join("fall.eom"), model).unwrap();
    let eomgen = Path::new(env!("CARGO_BIN_EXE_eomgen"));
    let asked = ["derive", "fall.eom", "--output", "assemble"];
    let output = run(eomgen, &asked, folder.path());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("nothing to assemble"), "{said}");
}
