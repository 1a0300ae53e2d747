//! The state at which `eomgen eval` evaluates.

use indexmap::IndexMap;
use num_traits::ToPrimitive;

use crate::model::System;

/// A state as the user gave it; names are not checked yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EvalInput {
    /// Time; 0 if not given.
    pub t: f64,
    /// Parameters; those with a default may be left out.
    pub params: IndexMap<String, f64>,
    /// Coordinates.
    pub q: IndexMap<String, f64>,
    /// Rates of the coordinates, by the coordinates' names.
    pub qdot: Option<IndexMap<String, f64>>,
    /// Declared speeds, in place of `qdot`.
    pub speeds: Option<IndexMap<String, f64>>,
    /// States of first order.
    pub states: IndexMap<String, f64>,
    /// Inputs.
    pub inputs: IndexMap<String, f64>,
    /// User functions as expressions in the model's language.
    pub functions: IndexMap<String, String>,
}

/// How the velocities were given.
#[derive(Clone, Debug, PartialEq)]
pub enum Rates {
    /// One rate per coordinate.
    Coordinates(Vec<f64>),
    /// One value per declared speed.
    Speeds(Vec<f64>),
}

/// A complete state of a model: every list in the model's order.
#[derive(Clone, Debug, PartialEq)]
pub struct EvalState {
    /// Time.
    pub t: f64,
    /// One per parameter, defaults filled in.
    pub params: Vec<f64>,
    /// One per coordinate.
    pub q: Vec<f64>,
    /// Velocities.
    pub rates: Rates,
    /// One per state of first order.
    pub states: Vec<f64>,
    /// One per input.
    pub inputs: Vec<f64>,
    /// One expression per user function.
    pub functions: Vec<String>,
}

impl EvalInput {
    /// Puts the values in the model's order, with defaults for parameters. All complaints at once,
    /// each naming its key.
    pub fn resolve(&self, system: &System) -> Result<EvalState, Vec<String>> {
        let mut complaints = Vec::new();
        let params = system.params.iter().map(|param| {
            let default = param.default.as_ref().and_then(ToPrimitive::to_f64);
            (param.meta.name.as_str(), default)
        });
        let coords = || system.coords.iter().map(|c| (c.meta.name.as_str(), None));
        let speeds = system.speeds.iter().map(|s| (s.meta.name.as_str(), None));
        let states = system.states.iter().map(|s| (s.meta.name.as_str(), None));
        let inputs = system.inputs.iter().map(|i| (i.meta.name.as_str(), None));
        let functions = system
            .functions
            .iter()
            .map(|f| (f.meta.name.as_str(), None));
        let state = EvalState {
            t: self.t,
            params: in_order("params", "parameter", params, &self.params, &mut complaints),
            q: in_order("q", "coordinate", coords(), &self.q, &mut complaints),
            rates: match (&self.qdot, &self.speeds) {
                (_, Some(values)) if system.speeds.is_empty() => {
                    complaints.push(format!(
                        "\"speeds\" is given ({} values), but the model declares no speeds; give \"qdot\"",
                        values.len()
                    ));
                    Rates::Speeds(Vec::new())
                }
                (_, Some(values)) => {
                    Rates::Speeds(in_order("speeds", "speed", speeds, values, &mut complaints))
                }
                (qdot, None) => {
                    let none = IndexMap::new();
                    let values = qdot.as_ref().unwrap_or(&none);
                    let rates = in_order("qdot", "coordinate", coords(), values, &mut complaints);
                    Rates::Coordinates(rates)
                }
            },
            states: in_order("states", "state", states, &self.states, &mut complaints),
            inputs: in_order("inputs", "input", inputs, &self.inputs, &mut complaints),
            functions: in_order(
                "functions",
                "function",
                functions,
                &self.functions,
                &mut complaints,
            ),
        };
        if complaints.is_empty() {
            Ok(state)
        } else {
            Err(complaints)
        }
    }
}

/// The values of one group in the model's order; complains of names too many and too few.
fn in_order<'a, T: Clone + Default>(
    group: &str,
    noun: &str,
    wanted: impl Iterator<Item = (&'a str, Option<T>)>,
    given: &IndexMap<String, T>,
    complaints: &mut Vec<String>,
) -> Vec<T> {
    let wanted: Vec<_> = wanted.collect();
    for name in given.keys() {
        if !wanted.iter().any(|(known, _)| known == name) {
            let names: Vec<_> = wanted.iter().map(|(known, _)| *known).collect();
            let hint = if names.is_empty() {
                format!("the model has no {noun}")
            } else {
                format!("the model has {}", names.join(", "))
            };
            complaints.push(format!("unknown {noun} \"{name}\" in \"{group}\"; {hint}"));
        }
    }
    let mut values = Vec::with_capacity(wanted.len());
    for (name, default) in wanted {
        let value = given.get(name).cloned().or(default).unwrap_or_else(|| {
            complaints.push(format!("missing {noun} \"{name}\" in \"{group}\""));
            T::default()
        });
        values.push(value);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::system::{Coord, Function, Meta, Param, Speed};
    use crate::model::system::{Rational, Scalar};
    use crate::span::Span;

    fn meta(name: &str) -> Meta {
        Meta {
            name: name.into(),
            shown: None,
            unit: None,
            docs: String::new(),
            span: Span::default(),
        }
    }

    fn system() -> System {
        let param = |name: &str, default: Option<(i64, i64)>| Param {
            meta: meta(name),
            sign: None,
            default: default.map(|(n, d)| Rational::new(n.into(), d.into())),
        };
        let coord = |name: &str| Coord {
            meta: meta(name),
            sign: None,
            initial: None,
            initial_rate: None,
            mount: None,
        };
        System {
            name: "m".into(),
            docs: String::new(),
            params: vec![param("m", None), param("g", Some((981, 100)))],
            coords: vec![coord("x"), coord("y")],
            states: vec![],
            inputs: vec![],
            functions: vec![Function {
                meta: meta("h"),
                args: vec![],
                arg_names: vec![],
            }],
            lets: vec![],
            frames: vec![],
            points: vec![],
            bodies: vec![],
            gravity: None,
            loads: vec![],
            nonideal: vec![],
            energies: vec![],
            speeds: vec![Speed {
                meta: meta("u"),
                value: Scalar::Time,
                initial: None,
            }],
            constraints: vec![],
            joints: vec![],
            privileged: vec![],
            assumptions: vec![],
            outputs: vec![],
            events: vec![],
            drawings: vec![],
            fixed: vec![],
            copies: Default::default(),
        }
    }

    const GOOD: &str = r#"{"t": 1, "params": {"m": 2}, "q": {"y": 0.25, "x": -5},
        "qdot": {"x": 1e-3, "y": 4}, "functions": {"h": "x*y + t"}}"#;

    #[test]
    fn values_come_out_in_the_models_order_with_defaults() {
        let state = EvalInput::from_json(GOOD)
            .unwrap()
            .resolve(&system())
            .unwrap();
        assert_eq!(state.t, 1.0);
        assert_eq!(state.params, [2.0, 9.81]);
        assert_eq!(state.q, [-5.0, 0.25]);
        assert_eq!(state.rates, Rates::Coordinates(vec![1e-3, 4.0]));
        assert_eq!(state.functions, ["x*y + t"]);
    }

    #[test]
    fn speeds_take_the_place_of_rates() {
        let text = GOOD.replace(r#""qdot": {"x": 1e-3, "y": 4}"#, r#""speeds": {"u": 7}"#);
        let state = EvalInput::from_json(&text)
            .unwrap()
            .resolve(&system())
            .unwrap();
        assert_eq!(state.rates, Rates::Speeds(vec![7.0]));
    }

    /// The complaints that a state gets, from reading or from resolving.
    fn complaints(text: &str) -> String {
        let result = EvalInput::from_json(text).and_then(|input| input.resolve(&system()));
        result.unwrap_err().join("\n")
    }

    #[test]
    fn every_mistake_names_its_key() {
        let table = [
            ("[1]", "must be an object"),
            ("{", "not JSON: EOF"),
            (
                &GOOD.replace("-5", "\"-5\""),
                "\"q.x\" must be a number, not a string",
            ),
            (
                &GOOD.replace("{\"m\": 2}", "[2]"),
                "\"params\" must be an object, not a list",
            ),
            (
                &GOOD.replace("\"x*y + t\"", "3"),
                "\"functions.h\" must be an expression",
            ),
            (&GOOD.replace("\"t\"", "\"time\""), "unknown key \"time\""),
            (
                &GOOD.replace("\"m\"", "\"mass\""),
                "unknown parameter \"mass\" in \"params\"; the model has m, g",
            ),
            (
                &GOOD.replace("\"m\"", "\"mass\""),
                "missing parameter \"m\" in \"params\"",
            ),
            (
                &GOOD.replace("\"y\": 0.25, ", ""),
                "missing coordinate \"y\" in \"q\"",
            ),
            (
                &GOOD.replace(", \"y\": 4", ""),
                "missing coordinate \"y\" in \"qdot\"",
            ),
            (
                &GOOD.replace("qdot", "inputs"),
                "unknown input \"x\" in \"inputs\"; the model has no input",
            ),
            (
                &GOOD.replace("{\"h\": \"x*y + t\"}", "{}"),
                "missing function \"h\" in \"functions\"",
            ),
            (
                &GOOD.replace("\"q\":", "\"speeds\": {\"u\": 1}, \"q\":"),
                "not both",
            ),
        ];
        for (text, expect) in table {
            let got = complaints(text);
            assert!(got.contains(expect), "{text}\n{got}");
        }
    }
}
