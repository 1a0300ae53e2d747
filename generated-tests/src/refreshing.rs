//! Which modules are generated into `src/generated/` and `src/variants/`, and how.

use crate::reference::model_text;
use eomgen::{Failure, derive, options::DeriveOptions};
use std::fmt::Write;
use std::path::PathBuf;

/// A checked-in module.
#[derive(Clone, Copy, Debug)]
pub struct Generated {
    /// Name of the module and its file.
    pub module: &'static str,
    /// Name of the model.
    pub model: &'static str,
    /// The formulation.
    pub method: &'static str,
}

const fn of(module: &'static str, model: &'static str, method: &'static str) -> Generated {
    Generated {
        module,
        model,
        method,
    }
}

/// The checked-in modules. All formulations take part, and each on a model that asks something of it; E4 goes through all of them.
pub const GENERATED: &[Generated] = &[
    of("ball_on_turntable", "ball_on_turntable", "kane"),
    of("bead_on_hoop", "bead_on_hoop", "lagrange"),
    of(
        "cart_double_pendulum_dependent",
        "cart_double_pendulum_dependent",
        "udwadia-kalaba",
    ),
    of("crane", "crane", "lagrange"),
    of("disc", "disc", "kane"),
    of("disc_contact", "disc_contact", "gibbs-appell"),
    of("double_pendulum", "double_pendulum", "lagrange"),
    of("e1_appell", "e1_appell", "udwadia-kalaba"),
    of("e2_appell_rheonomic", "e2_appell_rheonomic", "gibbs-appell"),
    of("e3_appell_nonideal", "e3_appell_nonideal", "udwadia-kalaba"),
    of("e4_sleigh_cartesian", "e4_sleigh_cartesian", "gibbs-appell"),
    of("e4_sleigh_gibbs_appell", "e4_sleigh", "gibbs-appell"),
    of("e4_sleigh_kane", "e4_sleigh", "kane"),
    of("e4_sleigh_lagrange", "e4_sleigh", "lagrange"),
    of("e4_sleigh_rheonomic", "e4_sleigh_rheonomic", "kane"),
    of("e4_sleigh_six", "e4_sleigh_six", "lagrange"),
    of("e4_sleigh_speeds", "e4_sleigh_speeds", "gibbs-appell"),
    of("e4_sleigh_udwadia_kalaba", "e4_sleigh", "udwadia-kalaba"),
    of("e5_wheel_axle", "e5_wheel_axle", "kane"),
    of("e5_wheel_axle_full", "e5_wheel_axle_full", "lagrange"),
    of("e5_wheel_axle_rows", "e5_wheel_axle_rows", "gibbs-appell"),
    of(
        "energy_elastic_pendulum",
        "energy_elastic_pendulum",
        "lagrange",
    ),
    of("energy_hunt_crossley", "energy_hunt_crossley", "kane"),
    of("panda7", "panda7", "kane"),
    of("pend_abs_1", "pend_abs_1", "gibbs-appell"),
    of("pend_abs_10", "pend_abs_10", "kane"),
    of("pend_abs_2", "pend_abs_2", "lagrange"),
    of("pend_abs_20", "pend_abs_20", "kane"),
    of("pend_abs_3", "pend_abs_3", "udwadia-kalaba"),
    of("pend_abs_5", "pend_abs_5", "gibbs-appell"),
    of("pend_rel_5", "pend_rel_5", "kane"),
    of("rigid_body", "rigid_body", "kane"),
    of("scotch_yoke", "scotch_yoke", "gibbs-appell"),
    of("sleigh_ref", "sleigh_ref", "lagrange"),
    of("spherical_pendulum", "spherical_pendulum", "udwadia-kalaba"),
    of("ur5", "ur5", "kane"),
];

/// Modules with options that change the code as a whole: module, model, and the options as a header lists them. All have the functions of
/// [`EVERYTHING`] besides.
pub const VARIANTS: [(&str, &str, &str); 21] = [
    (
        "crane_generic",
        "crane",
        "method=lagrange form=auto scalar=generic",
    ),
    ("crane_f32", "crane", "method=lagrange form=auto scalar=f32"),
    (
        "crane_fused",
        "crane",
        "method=lagrange form=auto math=inline fma=true",
    ),
    (
        "crane_f32_fused",
        "crane",
        "method=lagrange form=auto math=inline fma=true scalar=f32",
    ),
    (
        "e1_appell_f32",
        "e1_appell",
        "method=udwadia-kalaba form=auto scalar=f32",
    ),
    (
        "energy_hunt_crossley_generic",
        "energy_hunt_crossley",
        "method=kane form=auto math=libm scalar=generic",
    ),
    (
        "pend_abs_1_fixed",
        "pend_abs_1",
        "method=gibbs-appell form=auto fix=all",
    ),
    (
        "crane_batch",
        "crane",
        "method=lagrange form=auto batch=true",
    ),
    ("disc_batch", "disc", "method=kane form=auto batch=true"),
    (
        "e2_appell_rheonomic_batch",
        "e2_appell_rheonomic",
        "method=gibbs-appell form=auto batch=true",
    ),
    (
        "e4_sleigh_cartesian_batch",
        "e4_sleigh_cartesian",
        "method=gibbs-appell form=auto batch=true",
    ),
    (
        "furuta_control",
        "furuta",
        "method=kane form=auto batch=true output=linearization_reduced output=discretized",
    ),
    (
        "furuta_control_f32",
        "furuta",
        "method=kane form=auto scalar=f32 output=discretized",
    ),
    (
        "energy_hunt_crossley_batch",
        "energy_hunt_crossley",
        "method=kane form=auto batch=true",
    ),
    ("panda7_batch", "panda7", "method=kane form=auto batch=true"),
    (
        "pend_abs_10_batch",
        "pend_abs_10",
        "method=kane form=auto batch=true",
    ),
    (
        "sleigh_ref_batch",
        "sleigh_ref",
        "method=kane form=auto batch=true",
    ),
    ("ur5_batch", "ur5", "method=kane form=auto batch=true"),
    (
        "crane_f32_batch",
        "crane",
        "method=lagrange form=auto scalar=f32 batch=true",
    ),
    (
        "e2_appell_rheonomic_generic",
        "e2_appell_rheonomic",
        "method=gibbs-appell form=auto scalar=generic",
    ),
    (
        "e4_sleigh_cartesian_generic",
        "e4_sleigh_cartesian",
        "method=gibbs-appell form=auto scalar=generic",
    ),
];

/// What the modules hold: tests and benchmarks call functions that few programs need.
pub const EVERYTHING: &str = "standard";

/// Folder of the generated modules.
pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/generated")
}

/// Folder of the variants.
pub fn variants() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/variants")
}

/// The module of a model as it should be now.
///
/// # Errors
/// What the library says.
pub fn fresh(of: &Generated) -> Result<String, String> {
    let options = DeriveOptions {
        method: Some(of.method.to_owned()),
        outputs: vec![EVERYTHING.to_owned()],
        ..DeriveOptions::default()
    };
    module(of.model, &options)
}

/// One of the [`VARIANTS`] as it should be now.
///
/// # Errors
/// What the library says.
pub fn fresh_variant(model: &str, options: &str) -> Result<String, String> {
    module(model, &variant(options)?)
}

/// The options of a variant.
///
/// # Errors
/// Words that are no options.
pub fn variant(options: &str) -> Result<DeriveOptions, String> {
    let pairs = options.split(' ').filter_map(|pair| pair.split_once('='));
    let mut pairs: Vec<_> = pairs.map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
    pairs.push(("output".to_owned(), EVERYTHING.to_owned()));
    DeriveOptions::from_pairs(&pairs).ok_or_else(|| format!("no options: {options}"))
}

fn module(model: &str, options: &DeriveOptions) -> Result<String, String> {
    // The bare file name: the header must not depend on where the project lies.
    match derive(&format!("{model}.eom"), &model_text(model)?, options) {
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
    for Generated {
        module,
        model,
        method,
    } in GENERATED
    {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "/// `models/{model}.eom` by {method}.\npub mod {module};"
        );
    }
    text
}
