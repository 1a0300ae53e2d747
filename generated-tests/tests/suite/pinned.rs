//! Equations pinned as users pin theirs, by `eomgen::assert_equations!`.
#![cfg(feature = "pipeline")]

use eomgen::testing::Equations;

#[test]
fn small_models() {
    eomgen::assert_equations!("models/double_pendulum.eom", "lagrange");
    eomgen::assert_equations!("models/e4_sleigh.eom", "kane");
    eomgen::assert_equations!("models/e4_sleigh.eom", "maggi", outputs = ["maggi_matrix"]);
    eomgen::assert_equations!(
        "models/pend_rel_n.eom",
        "kane",
        set = [("n", 2)],
        fix = ["g=9.81"]
    );
}

#[test]
fn a_page_has_the_model_above() {
    let page = Equations::of("models/e4_sleigh.eom", "kane").page(env!("CARGO_MANIFEST_DIR"));
    let page = page.unwrap();
    let model = std::fs::read_to_string("models/e4_sleigh.eom").unwrap();
    let rest = page.strip_prefix(model.trim_end()).unwrap();
    assert!(
        rest.starts_with("\n\n======== method=kane\n\nequations\n"),
        "{rest}"
    );
    assert!(rest.contains("\nsingular where\n") || rest.contains("\noperations\n"));
}

#[test]
fn what_is_wrong_is_said_as_on_the_command_line() {
    let page = |model: &str, fix: &[&str]| {
        let equations = Equations::of(model, "kane").fix(fix);
        equations.page(env!("CARGO_MANIFEST_DIR")).unwrap_err()
    };
    let said = page("models/nowhere.eom", &[]);
    assert!(
        said.contains("cannot read") && said.contains("nowhere.eom"),
        "{said}"
    );
    let said = page("models/e4_sleigh.eom", &["mass=1"]);
    assert!(said.contains("mass"), "{said}");
}

#[test]
fn snapshots_are_named_by_what_was_asked_for() {
    let name = Equations::of("models/a.eom", "kane")
        .set(&[("n", 3)])
        .dependent(&["x'"])
        .name();
    assert_eq!(name, "a__kane__n=3__x_");
}
