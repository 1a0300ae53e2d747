//! The generated modules are what the library would write now.
#![cfg(all(feature = "pipeline", feature = "generated"))]

use generated_tests::refreshing::{GENERATED, folder, fresh, index};

#[test]
fn generated_modules_are_fresh() {
    let mut stale = Vec::new();
    for one in GENERATED {
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
