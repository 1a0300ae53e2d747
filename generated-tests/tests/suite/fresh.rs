//! The generated modules are what the library would write now.
#![cfg(all(feature = "pipeline", feature = "generated"))]

use generated_tests::refreshing::{GENERATED, folder, fresh, index};

/// What takes seconds to derive. That these modules are right is proven of their text in `verified`.
const LARGE: [&str; 4] = ["panda7", "pend_abs_10", "pend_abs_20", "ur5"];

#[test]
fn generated_modules_are_fresh() {
    check(|module| !LARGE.contains(&module));
}

#[test]
#[ignore = "half a minute: cargo test -p generated-tests --test suite fresh -- --ignored"]
fn large_generated_modules_are_fresh() {
    check(|module| LARGE.contains(&module));
}

fn check(among: impl Fn(&str) -> bool) {
    let mut stale = Vec::new();
    for one in GENERATED.iter().filter(|one| among(one.module)) {
        let path = folder().join(format!("{}.rs", one.module));
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        // A checkout may have changed line ends.
        if found.replace("\r\n", "\n") != fresh(one).unwrap() {
            stale.push(one.module);
        }
    }
    assert!(
        stale.is_empty(),
        "stale: {stale:?}; run `cargo run -p generated-tests --bin refresh`"
    );
}

#[test]
fn the_index_lists_all_modules() {
    let found = std::fs::read_to_string(folder().join("mod.rs")).unwrap();
    assert_eq!(found.replace("\r\n", "\n"), index());
}
