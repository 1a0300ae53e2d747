//! What a crate that adds the macro builds: the algebra engine with the feature `derive`, and without it nothing of it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// `cargo tree` in a folder, without the network.
fn tree(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// The names of all crates that a workspace outside ours builds when its only crate depends on the macro with `features`.
fn crates(features: &str) -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    let manifest = format!(
        "[package]\nname = \"user\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\neomgen-macros = {{ path = {HERE:?}, {features} }}\n"
    );
    fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/lib.rs"), "").unwrap();
    // The versions that are here: a choice of others would need the network.
    let lock = Path::new(HERE).join("../Cargo.lock");
    fs::copy(lock, folder.path().join("Cargo.lock")).unwrap();
    let text = tree(
        folder.path(),
        &["--edges", "normal,build", "--prefix", "none"],
    );
    let names = text.lines().filter_map(|line| line.split(' ').next());
    names.map(str::to_owned).collect()
}

#[test]
fn without_the_feature_there_is_no_algebra_engine() {
    let front = crates("default-features = false");
    for there in ["eomgen-macros", "eomgen", "syn"] {
        assert!(front.contains(there), "{there}: {front:?}");
    }
    // Nor what only deriving or the command line needs.
    for absent in [
        "symbolica",
        "numerica",
        "graphica",
        "malachite-base",
        "astro-float",
        "tempfile",
        "directories",
        "clap",
        "serde_json",
        "similar",
    ] {
        assert!(!front.contains(absent), "{absent}");
    }
}

#[test]
fn with_the_feature_which_is_the_default_there_is() {
    let both = [
        crates("features = [\"derive\"], default-features = false"),
        crates("default-features = true"),
    ];
    for derive in both {
        for there in ["eomgen-macros", "eomgen", "symbolica", "directories"] {
            assert!(derive.contains(there), "{there}");
        }
        assert!(!derive.contains("clap"));
    }
}

/// Here the engine serves the compiler, in the macro, and the tests. Were anything below it asked for with other features
/// by one of them, it would be built twice, for minutes (docs/build-times.md).
#[test]
fn this_workspace_builds_the_engine_once() {
    let root = Path::new(HERE).parent().unwrap();
    for arguments in [
        &["build", "--workspace"][..],
        &["build", "--workspace", "--all-targets"],
        &["test", "--workspace"],
    ] {
        // What would be built, as a list; cargo calls it unstable. (`cargo tree` does not tell such builds apart.)
        let output = Command::new(env!("CARGO"))
            .args(arguments)
            .args(["--offline", "--unit-graph", "-Z", "unstable-options"])
            .env("RUSTC_BOOTSTRAP", "1")
            .current_dir(root)
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{stderr}");
        let graph: Value = serde_json::from_slice(&output.stdout).unwrap();
        let count = |name: &str| {
            let units = graph["units"].as_array().unwrap().iter();
            units
                .filter(|u| u["target"]["name"] == name && u["mode"] == "build")
                .count()
        };
        assert_eq!(count("symbolica"), 1, "{arguments:?}");
        // The library itself is built for the macro and for the program, which have other features.
        assert_eq!(count("eomgen_macros"), 1, "{arguments:?}");
    }
}
