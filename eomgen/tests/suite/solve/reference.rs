//! The files in `tests/data`.

use eomgen::internals::ir::Rational;
use num_bigint::BigInt;
use serde_json::Value as Json;

/// A file of `tests/data`.
pub fn read(name: &str) -> Json {
    let path = format!("{}/tests/data/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The exact value of the decimals in a file.
pub fn exact(number: &Json) -> Rational {
    let text = number.to_string();
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits.to_owned(), exponent.parse::<i32>().unwrap()),
        None => (text, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    let numerator: BigInt = format!("{whole}{fraction}").parse().unwrap();
    let ten = Rational::from_integer(10.into());
    Rational::from_integer(numerator) * ten.pow(exponent - fraction.len() as i32)
}

/// The numbers of a list.
pub fn doubles(list: &Json) -> Vec<f64> {
    let list = list.as_array().unwrap();
    list.iter().map(|x| x.as_f64().unwrap()).collect()
}

/// A reference state: inputs `q, qd, tau` side by side, and the accelerations.
pub struct State {
    pub inputs: Vec<f64>,
    pub accelerations: Vec<f64>,
}

/// The states of a file.
pub fn states(file: &Json) -> Vec<State> {
    let list = file["states"].as_array().unwrap();
    assert!(list.len() >= 16, "the file has lost its states");
    list.iter()
        .map(|state| State {
            inputs: ["q", "qd", "tau"]
                .iter()
                .flat_map(|key| doubles(&state[key]))
                .collect(),
            accelerations: doubles(&state["qdd"]),
        })
        .collect()
}

/// The largest error of `evaluate` over the states, relative to the largest acceleration of each.
pub fn worst_error(states: &[State], evaluate: impl Fn(&[f64]) -> Vec<f64>) -> f64 {
    let error = |state: &State| {
        let got = evaluate(&state.inputs);
        assert_eq!(got.len(), state.accelerations.len());
        let size = state.accelerations.iter().fold(0f64, |m, x| m.max(x.abs()));
        let differences = got
            .iter()
            .zip(&state.accelerations)
            .map(|(a, b)| (a - b).abs() / size);
        differences.fold(0f64, |worst, e| {
            if e.is_finite() {
                worst.max(e)
            } else {
                f64::INFINITY
            }
        })
    };
    states.iter().map(error).fold(0f64, f64::max)
}
