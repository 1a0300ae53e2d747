//! Gains of regulators in files: what `linearize` writes and `simulate` closes the loop with.

use std::path::Path;

use serde_json::{Value, json};

use super::console::Problem;
use crate::host::read_text;
use crate::linear::{Linear, Regulator};
use crate::pipeline::MotionRequest;

const FORMAT: &str = "eomgen-feedback-1";

/// A gain as a text.
pub(super) fn written(model: &str, linear: &Linear, regulator: &Regulator) -> String {
    let states = regulator.states.iter();
    let states = states.map(|i| json!({ "name": linear.states[*i], "value": linear.at.0[*i] }));
    let inputs = linear.inputs.iter().zip(&linear.at.1);
    let inputs = inputs.map(|(name, value)| json!({ "name": name, "value": value }));
    let gain = regulator.gain.row_iter();
    let gain = gain.map(|row| row.iter().copied().collect::<Vec<f64>>());
    let all = json!({
        "format": FORMAT,
        "model": model,
        "states": states.collect::<Vec<_>>(),
        "inputs": inputs.collect::<Vec<_>>(),
        "gain": gain.collect::<Vec<_>>(),
    });
    format!("{all:#}\n")
}

/// Lets the inputs of a motion follow the state by the gain of a file.
pub(super) fn add(path: &Path, request: &mut MotionRequest) -> Result<(), Problem> {
    let file = read_text(path)?;
    let failed = |what: &str| Problem::Failed(format!("{}: {what}", file.name));
    let value: Value =
        serde_json::from_str(&file.text).map_err(|e| failed(&format!("not JSON: {e}")))?;
    let found = laws(&value).ok_or_else(|| {
        failed(&format!(
            "this is no gain: \"format\", \"states\", \"inputs\" and \"gain\" as in {FORMAT} are expected; linearize --lqr --gain writes them"
        ))
    })?;
    for (name, law) in found {
        if request.inputs.iter().any(|(n, _)| *n == name)
            || request.tables.iter().any(|t| t.0 == name)
        {
            return Err(failed(&format!(
                "the input \"{name}\" follows this gain, so that --input cannot say what it is"
            )));
        }
        request.inputs.push((name, law));
    }
    Ok(())
}

fn laws(value: &Value) -> Option<Vec<(String, String)>> {
    if value["format"] != FORMAT {
        return None;
    }
    let named = |list: &Value| -> Option<Vec<(String, f64)>> {
        let list = list.as_array()?.iter();
        list.map(|x| Some((x["name"].as_str()?.to_owned(), x["value"].as_f64()?)))
            .collect()
    };
    let (states, inputs) = (named(&value["states"])?, named(&value["inputs"])?);
    let rows = value["gain"].as_array()?;
    (rows.len() == inputs.len()).then_some(())?;
    let mut laws = Vec::new();
    for ((name, at), row) in inputs.into_iter().zip(rows) {
        let row = row.as_array()?;
        (row.len() == states.len()).then_some(())?;
        let mut law = format!("({at:e})");
        for ((state, at), gain) in states.iter().zip(row) {
            law.push_str(&format!(" - ({:e})*({state} - ({at:e}))", gain.as_f64()?));
        }
        laws.push((name, law));
    }
    Some(laws)
}
