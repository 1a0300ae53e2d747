//! `eomgen prepare` on packages and workspaces in temporary folders.
#![cfg(all(feature = "cli", feature = "derive"))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

/// A mass on a spring: quick to derive.
const SPRING: &str = "\
model spring

param m : kg > 0
param k : N/m > 0
coord x : m
point P = O + x*N.x
particle A: mass m at P
force on P: -k*x*N.x
";

struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// A package at `at` with a library and a model.
    fn package(&self, at: &str, name: &str, library: &str) {
        self.write(
            &format!("{at}Cargo.toml"),
            &format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
        );
        self.write(&format!("{at}src/lib.rs"), library);
        self.write(&format!("{at}models/spring.eom"), SPRING);
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn exists(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eomgen"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        command
    }

    /// Exit code, standard output, standard error.
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let output = self.command(arguments).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let lines = said.split_inclusive('\n');
        (
            output.status.code().expect("an exit code"),
            String::from_utf8(output.stdout).unwrap(),
            lines
                .filter(|line| !line.starts_with("eomgen: waiting for another derivation"))
                .collect(),
        )
    }

    /// What `eomgen derive` writes.
    fn derived(&self, arguments: &[&str]) -> String {
        let (code, out, err) = self.run(&[&["derive"], arguments].concat());
        assert_eq!(code, 0, "{err}");
        out
    }
}

/// Sets a file's date to long ago, so that any write shows.
fn age(path: &Path) -> SystemTime {
    let past = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(past).unwrap();
    past
}

fn date(path: &Path) -> SystemTime {
    fs::metadata(path).unwrap().modified().unwrap()
}

/// All pieces stand in the text, in this order.
fn in_order(text: &str, pieces: &[&str]) {
    let mut rest = text;
    for piece in pieces {
        let at = rest.find(piece);
        let at = at.unwrap_or_else(|| panic!("{piece:?} is missing or out of order in\n{text}"));
        rest = &rest[at + piece.len()..];
    }
}

const LIBRARY: &str = "\
//! A crate.

/// Named with its path.
#[eomgen_macros::derive_eom(\"models/spring.eom\", method = \"lagrange\", generated = \"src/generated/spring.rs\")]
pub mod spring {}

pub mod inner {
    use eomgen_macros::derive_eom;

    /// Named by an option, with the other options.
    #[derive_eom(generated = \"src/other.rs\", model = \"models/spring.eom\", output = [\"coordinate_mass_matrix\"])]
    mod other {}

    fn f() {
        // Derives when it is expanded.
        #[derive_eom(\"models/spring.eom\")]
        mod within {}
    }
}
";

#[test]
fn files_are_written_once_and_checked() {
    let bench = Bench::new();
    bench.package("", "one", LIBRARY);
    let (code, out, err) = bench.run(&["prepare", "--check"]);
    assert_eq!((code, out.as_str()), (1, ""));
    in_order(
        &err,
        &[
            "error: src/lib.rs:4:3: src/generated/spring.rs does not exist yet\n",
            "error: src/lib.rs:11:7: src/other.rs does not exist yet\n",
            "2 not fresh, 1 attribute without a file\n",
            "to refresh them: eomgen prepare\n",
        ],
    );
    assert!(!bench.exists("src/generated") && !bench.exists("src/other.rs"));

    let (code, out, err) = bench.run(&["prepare"]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(
        out,
        "written   src/generated/spring.rs\nwritten   src/other.rs\n"
    );
    assert_eq!(err, "2 written, 1 attribute without a file\n");
    // The bytes of the other command.
    let first = bench.derived(&["models/spring.eom", "--method", "lagrange"]);
    assert_eq!(bench.read("src/generated/spring.rs"), first);
    let second = bench.derived(&["models/spring.eom", "--output", "coordinate_mass_matrix"]);
    assert_eq!(bench.read("src/other.rs"), second);
    assert_ne!(first, second);

    let past = age(&bench.path("src/other.rs"));
    for arguments in [&["prepare"][..], &["prepare", "--check", "."]] {
        let (code, out, err) = bench.run(arguments);
        assert_eq!(code, 0, "{err}");
        assert_eq!(
            out,
            "unchanged src/generated/spring.rs\nunchanged src/other.rs\n"
        );
        assert_eq!(err, "2 unchanged, 1 attribute without a file\n");
    }
    assert_eq!(date(&bench.path("src/other.rs")), past);
    // Another layout of the same code is as good: rustfmt may have been there.
    let formatted = second.replace('\n', "\r\n");
    bench.write("src/other.rs", &formatted);
    assert_eq!(bench.run(&["prepare"]).0, 0);
    assert_eq!(bench.read("src/other.rs"), formatted);
}

#[test]
fn stale_files_are_named_with_the_reason() {
    let bench = Bench::new();
    bench.package("", "one", LIBRARY);
    assert_eq!(bench.run(&["prepare"]).0, 0);
    let fresh = bench.read("src/other.rs");
    let stale = |reason: &str| {
        let (code, out, err) = bench.run(&["prepare", "--check", "src"]);
        assert_eq!(
            (code, out.as_str()),
            (1, "unchanged src/generated/spring.rs\n")
        );
        in_order(&err, &["error: src/lib.rs:11:7: src/other.rs ", reason]);
        in_order(&err, &["1 unchanged, 1 not fresh", "eomgen prepare src\n"]);
    };
    bench.write("src/other.rs", &fresh.replacen("0.1.0", "0.0.9", 1));
    stale("it was written by eomgen 0.0.9");
    bench.write("src/other.rs", &(fresh.clone() + "fn mine() {}\n"));
    stale("was edited by hand");
    bench.write("src/other.rs", &(fresh.clone() + "fn mine() {\n"));
    stale("no longer Rust");
    // A merge left its marks: the file is still one of ours.
    bench.write(
        "src/other.rs",
        &fresh.replacen("// input", "<<<<<<< a\n// input", 1),
    );
    stale("has no header");
    bench.write("src/other.rs", &fresh);
    let other = bench.derived(&["models/spring.eom", "--method", "gibbs-appell"]);
    bench.write("src/other.rs", &other);
    stale("with other options");
    // All of them are put right.
    let (code, out, err) = bench.run(&["prepare"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.ends_with("written   src/other.rs\n"), "{out}");
    assert_eq!(bench.read("src/other.rs"), fresh);
    // The model is that of both.
    bench.write("models/spring.eom", &SPRING.replace("-k*x", "-2*k*x"));
    let (code, _, err) = bench.run(&["prepare", "--check"]);
    assert_eq!(code, 1);
    assert_eq!(
        err.matches("is stale: the model has changed since").count(),
        2,
        "{err}"
    );
}

#[test]
fn attributes_are_found_wherever_the_compiler_finds_them() {
    let bench = Bench::new();
    let library = "\
mod flat;
mod nested { mod deep; mod r#type; }
#[path = \"elsewhere/odd.rs\"]
mod stated;
#[cfg_attr(unix, path = \"unix.rs\")]
#[cfg_attr(windows, path = \"windows.rs\")]
mod system;
#[cfg(feature = \"never\")]
mod rare;
#[path = \"lib.rs\"]
mod again;
mod not_written_yet;
#[cfg_attr(feature = \"a\", allow(dead_code), eomgen_macros::derive_eom(\"models/spring.eom\", generated = \"out/root.rs\"))]
mod conditional {}
";
    bench.package("", "one", library);
    let attribute = |name: &str| {
        format!(
            "#[derive_eom(\"models/spring.eom\", generated = \"out/{name}.rs\")]\npub mod m {{}}\n"
        )
    };
    let files = [
        (
            "src/flat.rs",
            "flat",
            "mod below; mod braces { mod lowest; }\n",
        ),
        ("src/flat/below.rs", "below", ""),
        ("src/flat/braces/lowest.rs", "lowest", ""),
        ("src/nested/deep/mod.rs", "deep", "mod deeper;\n"),
        ("src/nested/deep/deeper.rs", "deeper", ""),
        ("src/nested/type.rs", "type", ""),
        ("src/elsewhere/odd.rs", "odd", "mod beside;\n"),
        ("src/elsewhere/beside.rs", "beside", ""),
        ("src/unix.rs", "unix", ""),
        ("src/windows.rs", "windows", ""),
        ("src/rare.rs", "rare", ""),
        ("src/main.rs", "main", "mod flat;\n"),
        ("src/bin/tool.rs", "tool", ""),
        ("tests/it.rs", "it", "mod common;\n"),
        ("tests/common/mod.rs", "common", ""),
        ("examples/show.rs", "show", ""),
        ("benches/speed.rs", "speed", ""),
        ("build.rs", "build", ""),
    ];
    for (path, name, more) in files {
        bench.write(path, &(attribute(name) + more));
    }
    // Not part of any target.
    bench.write("src/unused.rs", &attribute("unused"));
    let (code, out, err) = bench.run(&["prepare"]);
    assert_eq!(code, 0, "{err}");
    let mut written: Vec<&str> = out
        .lines()
        .map(|line| line.strip_prefix("written   out/").unwrap())
        .collect();
    written.sort();
    let mut expect: Vec<String> = files
        .iter()
        .map(|(_, name, _)| format!("{name}.rs"))
        .collect();
    expect.push("root.rs".to_owned());
    expect.sort();
    assert_eq!(written, expect);
    let mut there: Vec<String> = fs::read_dir(bench.path("out"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    there.sort();
    assert_eq!(there, expect);
    // One source file stands for itself alone, its paths still count from the package's folder.
    bench.write("models/spring.eom", &SPRING.replace("-k*x", "-2*k*x"));
    let (code, out, err) = bench.run(&["prepare", "src/flat.rs"]);
    assert_eq!(
        (code, out.as_str()),
        (0, "written   out/flat.rs\n"),
        "{err}"
    );
}

#[test]
fn workspaces_and_their_members() {
    let bench = Bench::new();
    bench.write(
        "Cargo.toml",
        "[workspace]\nresolver = \"3\"\nmembers = [\"a\", \"nested/b\"]\n",
    );
    let library =
        "#[derive_eom(\"models/spring.eom\", generated = \"src/spring.rs\")]\npub mod spring {}\n";
    bench.package("a/", "a", library);
    bench.package("nested/b/", "b", library);
    bench.write(
        "nested/b/models/spring.eom",
        &SPRING.replace("-k*x", "-3*k*x"),
    );
    // One member by its folder, by its manifest, and from inside of it.
    for path in ["a", "a/Cargo.toml", "a/src"] {
        let (code, out, err) = bench.run(&["prepare", path]);
        assert_eq!(code, 0, "{err}");
        let word = if path == "a" {
            "written  "
        } else {
            "unchanged"
        };
        assert_eq!(out, format!("{word} a/src/spring.rs\n"));
    }
    assert!(!bench.exists("nested/b/src/spring.rs"));
    // The workspace: all of them.
    let (code, out, err) = bench.run(&["prepare", "--check"]);
    assert_eq!((code, out.as_str()), (1, "unchanged a/src/spring.rs\n"));
    in_order(
        &err,
        &["error: nested/b/src/lib.rs:1:3: nested/b/src/spring.rs does not"],
    );
    let (code, out, _) = bench.run(&["prepare", "Cargo.toml"]);
    let expect = "unchanged a/src/spring.rs\nwritten   nested/b/src/spring.rs\n";
    assert_eq!((code, out.as_str()), (0, expect));
    assert_ne!(
        bench.read("a/src/spring.rs"),
        bench.read("nested/b/src/spring.rs")
    );
    // From another folder, names are whole paths.
    let there = bench.folder.path().canonicalize().unwrap().join("a");
    let output = bench
        .command(&["prepare", there.to_str().unwrap()])
        .current_dir(std::env::temp_dir().ancestors().last().unwrap())
        .output()
        .unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(
        out.ends_with("a/src/spring.rs\n") && output.status.success(),
        "{out}"
    );
}

#[test]
fn what_is_wrong_with_one_leaves_the_others() {
    let bench = Bench::new();
    let library = "\
mod broken;
#[derive_eom(\"models/spring.eom\", generated = \"src/good.rs\")]
mod good {}
#[derive_eom(\"models/bad.eom\", generated = \"src/bad.rs\")]
mod bad {}
#[derive_eom(\"models/none.eom\", generated = \"src/none.rs\")]
mod none {}
#[derive_eom(\"models/spring.eom\", methd = \"kane\", form = \"open\", generated = \"src/words.rs\")]
mod words {}
#[derive_eom(generated = \"src/nothing.rs\")]
mod nothing {}
#[derive_eom]
mod bare {}
#[derive_eom = \"a\"]
mod value {}
";
    bench.package("", "one", library);
    bench.write("models/bad.eom", &SPRING.replace("-k*x", "-kk*x"));
    bench.write("src/broken.rs", "fn f() {\n    let = ;\n}\n");
    bench.write("src/bad.rs", "// @generated by eomgen 0.1.0 from bad.eom\n");
    let (code, out, err) = bench.run(&["prepare"]);
    assert_eq!(
        (code, out.as_str()),
        (1, "written   src/good.rs\n"),
        "{err}"
    );
    in_order(
        &err,
        &[
            "error: src/broken.rs:2:9: this is not Rust: ",
            "error: src/lib.rs:6:3: cannot read models/none.eom",
            "error: src/lib.rs:8:35: unknown option `methd`",
            "error: src/lib.rs:8:58: unknown form `open`",
            "error: src/lib.rs:10:3: which model?",
            "error: src/lib.rs:12:3: which model?",
            "error: src/lib.rs:14:3: the attribute is written",
            "error: src/lib.rs:4:3: there is no code for src/bad.rs",
            "models/bad.eom:8:",
            "1 written, 8 failed",
        ],
    );
    assert_eq!(bench.read("src/bad.rs").lines().count(), 1);
    for name in ["none", "words", "nothing"] {
        assert!(!bench.exists(&format!("src/{name}.rs")), "{name}");
    }
    let strays = fs::read_dir(bench.path("src")).unwrap();
    let strays = strays.filter(|e| e.as_ref().unwrap().path().extension() != Some("rs".as_ref()));
    assert_eq!(strays.count(), 0);
}

#[test]
fn files_that_are_not_ours_are_left_alone() {
    let bench = Bench::new();
    let line = |generated: &str, module: &str, more: &str| {
        format!(
            "#[derive_eom(\"models/spring.eom\", generated = \"{generated}\"{more})]\nmod {module} {{}}\n"
        )
    };
    let library = [
        line("src/lib.rs", "a", ""),
        line("models/spring.eom", "b", ""),
        line("src/mine.rs", "c", ""),
        line("./src/twice.rs", "d", ""),
        line("src/x/../twice.rs", "e", ", form = \"staged\""),
        line("src/same.rs", "f", ""),
        line("src/same.rs", "g", ", math = \"auto\""),
        line("src/empty.rs", "h", ""),
    ]
    .concat();
    bench.package("", "one", &library);
    bench.write("src/mine.rs", "fn mine() {}\n");
    bench.write("src/empty.rs", "\n");
    let (code, out, err) = bench.run(&["prepare"]);
    assert_eq!(code, 1);
    // What two attributes say alike is written once, and an empty file may be filled.
    assert_eq!(out, "written   src/same.rs\nwritten   src/empty.rs\n");
    in_order(
        &err,
        &[
            "error: src/lib.rs:1:3: src/lib.rs holds an attribute",
            "error: src/lib.rs:3:3: models/spring.eom is a model",
            "error: src/lib.rs:5:3: src/mine.rs was not written by eomgen and is not overwritten",
            "error: src/lib.rs:9:3: src/twice.rs is also named at src/lib.rs:7:3",
            "2 written, 4 failed",
        ],
    );
    assert_eq!(bench.read("src/lib.rs"), library);
    assert_eq!(bench.read("models/spring.eom"), SPRING);
    assert_eq!(bench.read("src/mine.rs"), "fn mine() {}\n");
    assert!(!bench.exists("src/twice.rs"));
}

#[test]
fn texts_and_parts() {
    let bench = Bench::new();
    let library = format!(
        "#[derive_eom(text = {SPRING:?}, generated = \"src/text.rs\")]\nmod text {{}}\n\
         #[derive_eom(\"models/two.eom\", generated = \"src/two.rs\")]\nmod two {{}}\n"
    );
    bench.package("", "one", &library);
    let part =
        "part rod\nparam m : kg > 0\ncoord s : m\npoint P = O + s*N.x\nparticle A: mass m at P\n";
    bench.write("models/rod.eom", part);
    bench.write(
        "models/two.eom",
        "model two\nuse \"rod.eom\" as a\nuse \"rod.eom\" as b\n",
    );
    let (code, out, err) = bench.run(&["prepare"]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(out, "written   src/text.rs\nwritten   src/two.rs\n");
    assert!(bench.read("src/text.rs").contains(" from <inline>\n"));
    assert_eq!(bench.read("src/two.rs"), bench.derived(&["models/two.eom"]));
    bench.write("models/rod.eom", &part.replace("s*N.x", "2*s*N.x"));
    let (code, _, err) = bench.run(&["prepare", "--check"]);
    assert_eq!(code, 1);
    in_order(&err, &["src/two.rs is stale: the model has changed since"]);
}

#[test]
fn where_there_is_no_package() {
    let bench = Bench::new();
    bench.write("lonely.rs", "fn main() {}\n");
    bench.write("bad/Cargo.toml", "[package]\nname = 3\n");
    let table = [
        ("none", "none is not a folder, a Cargo.toml or an .rs file"),
        ("none.rs", "the file none.rs does not exist"),
        ("lonely.rs", "lonely.rs does not belong to a package"),
        (".", "there is no Cargo.toml in . or above"),
        ("bad", "cargo cannot read the packages in bad:"),
    ];
    for (path, reason) in table {
        let (code, out, err) = bench.run(&["prepare", path]);
        assert_eq!((code, out.as_str()), (1, ""), "{path}");
        assert!(err.starts_with(&format!("error: {reason}")), "{err}");
    }
    bench.package("", "one", "");
    let (code, out, err) = bench.run(&["prepare"]);
    assert_eq!((code, out.as_str()), (0, ""));
    assert_eq!(err, "no attribute `derive_eom` found\n");
    let output = bench
        .command(&["prepare"])
        .env("CARGO", bench.path("no-such-cargo"))
        .output()
        .unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        err.contains("no-such-cargo: the program does not exist"),
        "{err}"
    );
}
