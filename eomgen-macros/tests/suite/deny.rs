//! What the workspace builds on: licences, sources and advisories, by `deny.toml`.

use std::path::Path;
use std::process::Command;

#[test]
#[ignore = "needs cargo-deny and its list of advisories: cargo test -p eomgen-macros --test suite deny -- --ignored"]
fn licences_sources_and_advisories_are_those_that_are_allowed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let deny = |arguments: &[&str]| {
        let mut command = Command::new("cargo");
        command.arg("deny").args(arguments).current_dir(root);
        command.output().unwrap()
    };
    if !deny(&["--version"]).status.success() {
        eprintln!("cargo-deny is not installed: nothing was checked");
        return;
    }
    for what in ["licenses", "sources", "bans", "advisories"] {
        let output = deny(&["check", what]);
        let said = String::from_utf8_lossy(&output.stderr);
        // Without the network there is no list to compare with.
        if what == "advisories" && said.contains("failed to fetch advisory database") {
            eprintln!("the list of advisories cannot be had: advisories were not checked");
            continue;
        }
        assert!(output.status.success(), "{what}: {said}");
    }
}
