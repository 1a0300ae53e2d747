//! `eomgen verify` over the models here: every checked-in module is proven against its model, and a few models by every method.
#![cfg(feature = "generated")]

use eomgen::pipeline::{Certificate, DeriveOptions, VerifyOptions, methods, verify_source};
use eomgen::verify::compare::Verdict;
use eomgen::verify::proof::Ground;
use generated_tests::reference::model_source;
use generated_tests::refreshing::{GENERATED, folder};

/// Models that are small, and different: two sleighs, dependent rows, user functions, a closed loop, quaternions, branches, energies
/// given as such, reactions in loads.
const SMALL: &[&str] = &[
    "e4_sleigh",
    "e4_sleigh_rheonomic",
    "e1_appell",
    "e2_appell_rheonomic",
    "scotch_yoke",
    "spherical_pendulum",
    "energy_foucault",
    "energy_hunt_crossley",
    "knife_edge",
];

fn by_all_methods(model: &str) -> Certificate {
    let options = VerifyOptions {
        derive: DeriveOptions::default(),
        ..VerifyOptions::default()
    };
    let source = model_source(model).unwrap();
    verify_source(&source, &options).unwrap_or_else(|e| panic!("{model}: {e:?}"))
}

#[test]
fn every_checked_in_module_is_proven() {
    let (mut exact, mut all) = (0, 0);
    for of in GENERATED {
        let name = format!("{}.rs", of.module);
        let text = std::fs::read_to_string(folder().join(&name)).unwrap();
        let options = VerifyOptions {
            file: Some((name, text)),
            ..VerifyOptions::default()
        };
        let source = model_source(of.model).unwrap();
        let certificate = verify_source(&source, &options).unwrap();
        assert!(certificate.holds(), "{certificate}");
        let [text] = certificate.texts.as_slice() else {
            panic!("{certificate}");
        };
        let proof = text.proof.as_ref().unwrap();
        // Nothing is left out.
        let skipped = proof
            .functions
            .iter()
            .find(|f| matches!(f.verdict, Verdict::NotChecked(_)));
        assert_eq!(skipped, None, "{certificate}");
        assert!(!proof.identities.is_empty(), "{certificate}");
        all += proof.functions.len();
        exact += proof
            .functions
            .iter()
            .filter(|f| f.ground == Ground::Field)
            .count();
        // Constants of robots are products of measured lengths and masses, which doubles round.
        if proof.bound > 0.0 {
            assert!(["panda7", "ur5"].contains(&of.module), "{certificate}");
            assert!(proof.bound < 1e-11, "{certificate}");
        }
    }
    assert!(exact > all - 60, "{exact} of {all} functions exactly");
}

#[test]
fn small_models_are_proven_by_every_method() {
    for model in SMALL {
        let certificate = by_all_methods(model);
        assert!(certificate.holds(), "{model}: {certificate}");
        assert_eq!(
            certificate.texts.len() + certificate.refused.len(),
            methods().len()
        );
        assert!(certificate.texts.len() > 1, "{model}: {certificate}");
    }
}

/// A formula simplified by the length of a quaternion, rows that depend on one another only where they hold, and balances solved with
/// their reactions at run time.
#[test]
fn what_holds_on_the_constraints_is_proven_there() {
    for (model, method) in [
        ("disc_quaternion", "explicit-gibbs-appell"),
        ("parallelogram", "kane"),
        ("parallelogram", "newton-euler"),
    ] {
        let options = VerifyOptions {
            methods: vec![method.to_owned()],
            ..VerifyOptions::default()
        };
        let source = model_source(model).unwrap();
        let certificate = verify_source(&source, &options).unwrap();
        assert!(certificate.holds(), "{certificate}");
        assert_eq!(certificate.texts.len(), 1, "{certificate}");
    }
}

/// Every model by every method: hours, since all derivations of a user wait for each other.
#[test]
#[ignore = "takes hours: cargo test -p generated-tests --test verified -- --ignored"]
fn every_model_is_proven_by_every_method() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            Some(name.strip_suffix(".eom")?.to_owned())
        })
        .collect();
    names.sort();
    let wrong: Vec<String> = names
        .iter()
        .map(|name| by_all_methods(name))
        .filter(|certificate| !certificate.holds())
        .map(|certificate| certificate.to_string())
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
