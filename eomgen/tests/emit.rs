//! Emitted modules, compiled, laid out, linted, and run beside the interpreter.

#[path = "emit/driver.rs"]
mod driver;
#[path = "emit/functions.rs"]
mod functions;
#[path = "emit/random.rs"]
mod random;
#[path = "emit/samples.rs"]
mod samples;

use std::path::{Path, PathBuf};
use std::process::Command;

use driver::Point;
use eomgen::emit::{Math, Module, emit};

/// Runs a program and returns what it printed.
fn run(program: &Path, args: &[&str], folder: &Path) -> String {
    let output = Command::new(program)
        .args(args)
        .current_dir(folder)
        .output();
    let output = output.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{} {args:?}\n{said}\n{errors}",
        program.display()
    );
    said
}

/// A tool of the toolchain that runs the tests.
fn tool(name: &str) -> PathBuf {
    match std::env::var_os("RUSTC") {
        Some(rustc) => Path::new(&rustc).with_file_name(name),
        None => PathBuf::from(name),
    }
}

/// Writes the modules beside a driver; the names of the files.
fn write<'m>(modules: &'m [Module], folder: &Path) -> Vec<(String, &'m Module, Vec<Point>)> {
    let mut cases = Vec::new();
    for module in modules {
        let text = emit(module).unwrap_or_else(|error| panic!("{}: {error}", module.name));
        std::fs::write(folder.join(format!("{}.rs", module.name)), text).unwrap();
        let points = (0..6).map(|seed| Point::random(module, seed)).collect();
        cases.push((module.name.clone(), module, points));
    }
    cases
}

/// Every module by itself: rustfmt has nothing to change, rustc and clippy nothing to say, and it
/// computes what the interpreter computes, to the last bit.
fn check(modules: &[Module]) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let cases = write(modules, folder);
    let files: Vec<String> = cases.iter().map(|case| format!("{}.rs", case.0)).collect();
    let mut format = vec!["--check", "--edition", "2024"];
    format.extend(files.iter().map(String::as_str));
    run(&tool("rustfmt"), &format, folder);

    let declarations: String = cases
        .iter()
        .map(|case| format!("pub mod {};\n", case.0))
        .collect();
    std::fs::write(folder.join("all.rs"), format!("//! All.\n{declarations}")).unwrap();
    let library = [
        "all.rs",
        "--edition",
        "2024",
        "--crate-type",
        "lib",
        "--emit",
        "metadata",
    ];
    let strict = ["-D", "warnings", "-D", "missing_docs", "-D", "clippy::all"];
    run(
        &tool("clippy-driver"),
        &[&library[..], &strict].concat(),
        folder,
    );

    std::fs::copy(
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/emit/functions.rs"),
        folder.join("functions.rs"),
    )
    .unwrap();
    std::fs::write(folder.join("main.rs"), driver::driver(&cases)).unwrap();
    run(
        &tool("rustc"),
        &["main.rs", "--edition", "2024", "-D", "warnings"],
        folder,
    );
    let found = run(&folder.join("main"), &[], folder);
    let found: Vec<&str> = found.lines().collect();
    let expected = driver::transcript(&cases);
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
    assert!(
        expected
            .iter()
            .any(|line| !line.contains("singular") && !line.contains("NaN"))
    );
}

#[test]
fn hand_made_modules_compile_and_compute() {
    check(&[
        samples::sleigh(),
        samples::appell(),
        samples::everything(Math::Std),
    ]);
}

#[test]
fn random_modules_compile_and_compute() {
    let modules: Vec<Module> = (0..std::env::var("SEEDS").map_or(24, |n| n.parse().unwrap()))
        .map(random::module)
        .collect();
    check(&modules);
}
