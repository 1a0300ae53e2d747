//! Which modules are generated into `src/generated/`, and how.

use crate::reference::model_text;
use eomgen::pipeline::{DeriveOptions, Failure, derive};
use std::fmt::Write;
use std::path::PathBuf;

/// A model and the formulation that its checked-in module comes from. All formulations take part, and each on a model that asks
/// something of it.
pub const GENERATED: &[(&str, &str)] = &[
    ("cart_double_pendulum_dependent", "udwadia-kalaba"),
    ("disc", "kane"),
    ("double_pendulum", "lagrange"),
    ("e1_appell", "udwadia-kalaba"),
    ("e2_appell_rheonomic", "gibbs-appell"),
    ("e3_appell_nonideal", "udwadia-kalaba"),
    ("e4_sleigh", "kane"),
    ("e4_sleigh_six", "lagrange"),
    ("e4_sleigh_speeds", "gibbs-appell"),
    ("e5_wheel_axle", "kane"),
    ("panda7", "kane"),
    ("pend_abs_5", "gibbs-appell"),
    ("pend_rel_5", "kane"),
    ("rigid_body", "kane"),
    ("sleigh_ref", "lagrange"),
    ("spherical_pendulum", "udwadia-kalaba"),
    ("ur5", "kane"),
];

/// Folder of the generated modules.
pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/generated")
}

/// The module of a model as it should be now.
///
/// # Errors
/// What the library says.
pub fn fresh(model: &str, method: &str) -> Result<String, String> {
    let options = DeriveOptions {
        method: Some(method.to_owned()),
        ..DeriveOptions::default()
    };
    // The bare file name: the header must not depend on where the project lies.
    match derive(&format!("{model}.eom"), &model_text(model)?, &options) {
        Ok(derived) => Ok(derived.code),
        Err(Failure::Message(message)) => Err(format!("{model}: {message}")),
        Err(Failure::Diagnostics(list)) => Err(format!("{model}: {list:#?}")),
    }
}

/// The text of `src/generated/mod.rs`.
pub fn index() -> String {
    let mut text = String::from(
        "//! Modules written by `cargo run -p generated-tests --bin refresh`; not to be edited by hand.\n\n",
    );
    for (model, method) in GENERATED {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "/// `models/{model}.eom` by {method}.\npub mod {model};"
        );
    }
    text
}
