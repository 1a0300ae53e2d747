//! What a crate that adds the macro builds: the algebra engine with the feature `derive`, and without it nothing of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
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

/// What cargo would build, as a list; cargo calls it unstable. (`cargo tree` does not tell two builds of a crate apart.)
fn units(arguments: &[&str]) -> Vec<Value> {
    let root = Path::new(HERE).parent().unwrap();
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--offline", "--unit-graph", "-Z", "unstable-options"])
        .env("RUSTC_BOOTSTRAP", "1")
        .current_dir(root)
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let mut graph: Value = serde_json::from_slice(&output.stdout).unwrap();
    graph["units"].as_array_mut().unwrap().drain(..).collect()
}

/// All that decides whether a unit can be taken from another build: features and profile, its own and those of what is below it.
fn identity(units: &[Value], index: usize, known: &mut BTreeMap<usize, String>) -> String {
    if let Some(found) = known.get(&index) {
        return found.clone();
    }
    let unit = &units[index];
    let mut profile = unit["profile"].clone();
    // `dev` and `test` are names for the same settings.
    profile.as_object_mut().unwrap().remove("name");
    let below = unit["dependencies"].as_array().unwrap().iter();
    let mut below: Vec<String> = below
        .map(|d| identity(units, d["index"].as_u64().unwrap() as usize, known))
        .collect();
    below.sort();
    let mut hasher = DefaultHasher::new();
    for part in ["pkg_id", "target", "mode", "platform", "features"] {
        unit[part].to_string().hash(&mut hasher);
    }
    profile.to_string().hash(&mut hasher);
    below.hash(&mut hasher);
    let found = format!("{:x}", hasher.finish());
    known.insert(index, found.clone());
    found
}

/// The engine serves the compiler, in the macro, the program, and the tests. Were anything below it asked for with other features by one of
/// them or by another command, it would be built twice, for minutes (docs/build-times.md).
#[test]
fn this_workspace_builds_the_engine_once() {
    let mut engines = BTreeSet::new();
    for arguments in [
        &["build", "-p", "eomgen"][..],
        &["build", "--workspace"],
        &["build", "--workspace", "--all-targets"],
        &["test", "--workspace"],
    ] {
        let units = units(arguments);
        let built = |name: &str| {
            let all = units.iter().enumerate();
            let of = all.filter(|(_, u)| u["target"]["name"] == name && u["mode"] == "build");
            let of = of.filter(|(_, u)| u["target"]["kind"][0] != "bin");
            of.map(|(index, _)| index).collect::<Vec<_>>()
        };
        let [engine] = built("symbolica")[..] else {
            panic!("{arguments:?}: {:?}", built("symbolica"));
        };
        engines.insert(identity(&units, engine, &mut BTreeMap::new()));
        // And the library itself once for the macro, the program and the tests.
        assert_eq!(built("eomgen").len(), 1, "{arguments:?}");
    }
    assert_eq!(engines.len(), 1);
}
