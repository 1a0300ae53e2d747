//! Emitted modules: laid out, linted, compiled, documented, and run beside the interpreter.
#![cfg(feature = "derive")]

mod driver;
mod functions;
mod long;
mod random;
pub mod samples;

use std::path::{Path, PathBuf};
use std::process::Command;

use super::tokens;
use driver::Point;
use eomgen::internals::emit::{Math, Module, emit};
use eomgen::internals::header::{Stale, VERSION, check_fresh};

/// Runs a program and returns what it printed.
fn run(program: &Path, args: &[&str], folder: &Path) -> String {
    let output = Command::new(program)
        .args(args)
        .current_dir(folder)
        // The project's own clippy.toml is about the generator, not about what it writes.
        .env("CLIPPY_CONF_DIR", folder)
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

fn text_of(module: &Module) -> String {
    emit(module).unwrap_or_else(|error| panic!("{}: {error}", module.name))
}

/// Writes each module to its file, and a library of all of them.
fn write(modules: &[Module], attributes: &str, folder: &Path) {
    let mut library = format!("//! All.\n{attributes}");
    for module in modules {
        let name = &module.name;
        std::fs::write(folder.join(format!("{name}.rs")), text_of(module)).unwrap();
        library.push_str(&format!("pub mod {name};\n"));
    }
    std::fs::write(folder.join("all.rs"), library).unwrap();
}

const LIBRARY: [&str; 5] = ["all.rs", "--edition", "2024", "--crate-type", "lib"];
const STRICT: [&str; 4] = ["-D", "warnings", "-D", "missing_docs"];

/// rustfmt has nothing to change, rustc, clippy and rustdoc have nothing to say, and the functions
/// compute what the interpreter computes, to the last bit.
fn check(modules: &[Module]) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(modules, "", folder);
    let files: Vec<String> = modules
        .iter()
        .map(|module| format!("{}.rs", module.name))
        .collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let format = ["--check", "--edition", "2024"];
    run(&tool("rustfmt"), &[&format[..], &files].concat(), folder);
    let lint = ["--emit", "metadata", "-D", "clippy::all"];
    run(
        &tool("clippy-driver"),
        &[&LIBRARY[..], &STRICT, &lint].concat(),
        folder,
    );
    run(
        &tool("rustdoc"),
        &[&LIBRARY[..], &STRICT, &["-o", "doc"]].concat(),
        folder,
    );

    let points = |module| (0..14).map(|seed| Point::random(module, seed)).collect();
    let cases: Vec<_> = modules
        .iter()
        .map(|module| (module, points(module)))
        .collect();
    // Sines of the library, as the interpreter has them: then all is equal to the last bit.
    for file in &files {
        let path = folder.join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.replace(
            "= sincos_near(angles[lane]);",
            "= (f64::sin(angles[lane]), f64::cos(angles[lane]), true);",
        );
        std::fs::write(path, text).unwrap();
    }
    let functions = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/emit/functions.rs");
    std::fs::copy(functions, folder.join("functions.rs")).unwrap();
    std::fs::write(folder.join("main.rs"), driver::driver(&cases)).unwrap();
    run(
        &tool("rustc"),
        &[
            "main.rs",
            "--edition",
            "2024",
            "-D",
            "warnings",
            "-A",
            "dead_code",
        ],
        folder,
    );
    let found = run(&folder.join("main"), &[], folder);
    let mut expected = driver::transcript(&cases);
    let batches = driver::batch_transcript(&cases);
    if modules.iter().any(|module| !module.batch.is_empty()) {
        let holds = |word: &str| batches.iter().any(|line| line.contains(word));
        assert!(
            holds(" batch: ok") && holds(" singular "),
            "batches of both kinds"
        );
    }
    expected.extend(batches);
    for (found, expected) in found.lines().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.lines().count(), expected.len());
    let is_number = |line: &&String| !line.contains("singular") && !line.contains("NaN");
    let numbers = expected.iter().filter(is_number).count();
    assert!(
        3 * numbers > expected.len(),
        "{numbers} of {} lines are numbers",
        expected.len()
    );
}

/// The functions of a module that have a form for many states.
fn in_batches(mut module: Module) -> Module {
    let functions = module.functions.iter().map(|f| f.name.clone());
    module.batch = functions.collect();
    module
}

/// A random module whose functions are written in parts.
fn in_parts(seed: u64) -> Module {
    Module {
        longest: Some(18),
        ..random::module(seed)
    }
}

/// Made by hand, and at random in parts. Functions of many states are compiled with the modules of the workspace's own crate of tests.
#[test]
fn modules_compile_and_compute() {
    check(&[
        samples::sleigh(),
        samples::appell(),
        samples::everything(Math::Std),
        in_parts(24),
    ]);
}

#[test]
#[ignore = "minutes: cargo test -p eomgen --test suite emit -- --ignored"]
fn more_functions_of_many_states_compute_the_same() {
    let made = [
        samples::sleigh(),
        samples::appell(),
        samples::everything(Math::Std),
    ];
    let random = (0..40).map(random::module);
    let modules: Vec<Module> = made.into_iter().chain(random).map(in_batches).collect();
    check(&modules);
}

#[test]
#[ignore = "minutes: cargo test -p eomgen --test suite emit -- --ignored"]
fn more_random_modules_compile_and_compute() {
    let modules: Vec<Module> = (0..64).map(random::module).collect();
    check(&modules);
}

/// Functions in parts compute the same, whatever is handed on: checks that fail in any part, jets, results of routines, selections.
#[test]
fn random_modules_in_parts_have_parts_of_every_kind() {
    let texts: Vec<String> = (24..40).map(|seed| text_of(&in_parts(seed))).collect();
    let holds = |part: &str| texts.iter().filter(|text| text.contains(part)).count();
    assert!(holds("_part_2(") > 8 && holds("&mut out)?;") > 2);
}

#[test]
#[ignore = "minutes: cargo test -p eomgen --test suite emit -- --ignored"]
fn more_random_modules_in_parts_compile_and_compute() {
    let modules: Vec<Module> = (25..40).map(in_parts).collect();
    check(&modules);
}

/// Without `std`, beside a `libm` that has the functions of the real one.
#[test]
fn modules_with_libm_need_no_std() {
    const LIBM: &str = "#![no_std]
        macro_rules! functions { ($($name:ident($($arg:ident),*)),*) => {
            $(pub fn $name($($arg: f64),*) -> f64 { $($arg +)* 0.0 })*
        } }
        pub fn sincos(x: f64) -> (f64, f64) { (x, x) }
        functions!(sin(x), cos(x), tan(x), asin(x), acos(x), atan(x), sinh(x), cosh(x), tanh(x),
            sqrt(x), exp(x), log(x), atan2(y, x), pow(x, y));";
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut appell = samples::appell();
    appell.math = Math::Libm;
    let mut many = in_batches(samples::everything(Math::Libm));
    many.name = "many".into();
    write(
        &[appell, samples::everything(Math::Libm), many],
        "#![no_std]\n",
        folder,
    );
    std::fs::write(folder.join("libm.rs"), LIBM).unwrap();
    let rlib = ["libm.rs", "--edition", "2024", "--crate-type", "rlib"];
    run(&tool("rustc"), &rlib, folder);
    let libm = ["--extern", "libm=liblibm.rlib", "--emit", "metadata"];
    run(
        &tool("rustc"),
        &[&LIBRARY[..], &STRICT, &libm].concat(),
        folder,
    );
}

/// The items of a file in a module, as the attribute places them.
#[test]
fn items_stand_in_a_module_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let body = tokens::body(&samples::sleigh());
    let library = format!("//! All.\n/// Items.\npub mod bare {{ {body} }}");
    std::fs::write(folder.join("all.rs"), library).unwrap();
    let metadata = ["--emit", "metadata"];
    run(
        &tool("rustc"),
        &[&LIBRARY[..], &STRICT, &metadata].concat(),
        folder,
    );
}

#[test]
fn a_file_is_fresh_until_something_changes() {
    let module = samples::sleigh();
    let text = text_of(&module);
    let fresh = |text: &str| check_fresh(text, &module.source_text, &module.options);
    assert_eq!(
        text,
        text_of(&samples::sleigh()),
        "the same model gives the same bytes"
    );
    assert_eq!(fresh(&text), Ok(()));
    assert_eq!(fresh(&text.replace('\n', "\r\n")), Ok(()));
    assert_eq!(fresh(&text.replace("    ", "\t")), Ok(()));
    assert_eq!(fresh(&text.replace("u1 * u2", "u2 * u1")), Err(Stale::Body));
    assert_eq!(
        check_fresh(&text, "model sled\n", &module.options),
        Err(Stale::Input)
    );
}

/// The whole text of one module, to be read.
#[test]
fn the_sleigh_reads_like_its_equations() {
    let text = text_of(&samples::sleigh());
    insta::assert_snapshot!(text.replace(VERSION, "X.Y.Z"));
}

/// The functions of a module with checks, jets and routines.
#[test]
fn appells_particle_reads_like_its_equations() {
    let text = text_of(&samples::appell());
    let start = text.find("/// The chart").unwrap();
    let end = text.find("fn check<").unwrap();
    insta::assert_snapshot!(&text[start..end]);
}
