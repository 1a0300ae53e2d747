//! Small robots as `eomgen import` writes them, against accelerations that Pinocchio and MuJoCo computed from the descriptions themselves
//! (`generated-tests/imported/reference.py`), and machines of Autolev against numbers of a script that states them a second time (`autolev.py`). That the texts are what the importer writes, its own tests say.
#![cfg(feature = "pipeline")]

use eomgen::options::DeriveOptions;
use eomgen::{EvalInput, Source, evaluator_source};
use serde_json::Value;
use std::path::PathBuf;

/// Differences of accelerations, relative to the largest of a state. The decimals of `loop` close it to 1e-13 only.
const TOLERANCE: f64 = 1e-11;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("imported")
        .join(name)
}

/// The members of an object as numbers.
fn numbers(state: &Value, key: &str) -> Vec<(String, f64)> {
    let members = state[key].as_object().unwrap().iter();
    members
        .map(|(name, value)| (name.clone(), value.as_f64().unwrap()))
        .collect()
}

fn check(name: &str) {
    let model = path(&format!("{name}.eom"));
    let text = std::fs::read_to_string(&model).unwrap();
    let read = eomgen::internals::files::read_part;
    let source = Source::gather(&model.display().to_string(), &text, read);
    let evaluator = evaluator_source(&source, &DeriveOptions::default()).unwrap();
    let reference = std::fs::read_to_string(path(&format!("{name}.json"))).unwrap();
    let reference: Value = serde_json::from_str(&reference).unwrap();
    let states = reference["states"].as_array().unwrap();
    assert!(!states.is_empty());
    for state in states {
        let input = EvalInput {
            q: numbers(state, "q").into_iter().collect(),
            qdot: Some(numbers(state, "qdot").into_iter().collect()),
            inputs: numbers(state, "inputs").into_iter().collect(),
            t: state["t"].as_f64().unwrap_or(0.0),
            states: match state.get("states") {
                Some(_) => numbers(state, "states").into_iter().collect(),
                None => Default::default(),
            },
            ..EvalInput::default()
        };
        let found = evaluator.eval(&input).unwrap().qddot;
        let expected = numbers(state, "qddot");
        assert_eq!(found.len(), expected.len(), "{name}");
        let largest = expected
            .iter()
            .fold(0.0_f64, |most, (_, x)| most.max(x.abs()));
        for (coordinate, value) in &expected {
            let (_, own) = found.iter().find(|(name, _)| name == coordinate).unwrap();
            let off = (own - value).abs() / largest;
            assert!(off < TOLERANCE, "{name}: {coordinate} is off by {off:e}");
        }
    }
}

#[test]
fn every_joint_of_urdf() {
    check("joints");
}

#[test]
fn legs_that_are_a_part() {
    check("legs");
}

#[test]
fn bodies_of_mujoco() {
    check("bodies");
}

#[test]
fn a_loop_of_mujoco() {
    check("loop");
}

#[test]
fn files_put_together_for_mujoco() {
    check("assembled");
}

#[test]
fn pendula_of_autolev() {
    check("pendula");
}

#[test]
fn a_disc_of_autolev_that_rolls() {
    check("disc");
}

#[test]
fn a_bicycle_of_autolev() {
    check("bicycle");
}

#[test]
fn euler_parameters_of_autolev() {
    check("satellite");
}

#[test]
fn dependent_coordinates_of_autolev() {
    check("coupler");
}

#[test]
fn a_given_motion_and_a_motor_of_autolev() {
    check("gyro");
}
