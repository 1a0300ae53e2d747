//! The files in `reference/`: see its README for what they hold and where they come from.

use serde_json::Value;
use std::path::PathBuf;

/// Folder of this crate.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Path of a model, as `models/NAME.eom` in this crate's folder.
pub fn model_path(name: &str) -> PathBuf {
    folder().join("models").join(format!("{name}.eom"))
}

/// Text of a model.
///
/// # Errors
/// Says which file could not be read.
pub fn model_text(name: &str) -> Result<String, String> {
    let path = model_path(name);
    std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
}

/// A model with the parts that it uses.
///
/// # Errors
/// Says which file could not be read.
#[cfg(feature = "pipeline")]
pub fn model_source(name: &str) -> Result<eomgen::Source, String> {
    let path = model_path(name).display().to_string();
    let text = model_text(name)?;
    let read = eomgen::internals::files::read_part;
    Ok(eomgen::Source::gather(&path, &text, read))
}

/// Reference numbers of one model.
#[derive(Clone, Debug, Default)]
pub struct Reference {
    /// Names that index a state's vectors.
    pub coordinates: Vec<String>,
    /// Names that index `u` and `speed_rates`.
    pub speeds: Vec<String>,
    /// Parameter values.
    pub params: Vec<(String, f64)>,
    /// Names that index a state's inputs.
    pub inputs: Vec<String>,
    /// User functions as expressions.
    pub functions: Vec<(String, String)>,
    /// Names that index the multipliers.
    pub rows: Vec<String>,
    /// Rank of the constraint matrix, where the model has constraints and the file says so.
    pub rank: Option<u64>,
    /// The states.
    pub states: Vec<State>,
}

/// One state and what belongs to it; whatever the file leaves out is `None`.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Time.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Their rates.
    pub qd: Vec<f64>,
    /// Inputs; empty if the model has none.
    pub inputs: Vec<f64>,
    /// q''
    pub accelerations: Vec<f64>,
    /// Speeds, in the order of [`Reference::speeds`].
    pub speeds: Option<Vec<f64>>,
    /// u', in the order of [`Reference::speeds`].
    pub speed_rates: Option<Vec<f64>>,
    /// lambda, in the order of [`Reference::rows`].
    pub multipliers: Option<Vec<f64>>,
    /// Whole generalized constraint force.
    pub constraint_force: Option<Vec<f64>>,
    /// Its ideal part.
    pub constraint_force_ideal: Option<Vec<f64>>,
    /// Its non-ideal part.
    pub constraint_force_nonideal: Option<Vec<f64>>,
    /// The vector C.
    pub nonideal_vector: Option<Vec<f64>>,
    /// T
    pub kinetic_energy: Option<f64>,
    /// V
    pub potential_energy: Option<f64>,
    /// 1/2 integral of |a|^2 dm
    pub gibbs_function: Option<f64>,
    /// M, by rows
    pub mass_matrix: Option<Vec<Vec<f64>>>,
}

fn numbers(value: &Value) -> Option<Vec<f64>> {
    value.as_array()?.iter().map(Value::as_f64).collect()
}

fn names(value: &Value) -> Vec<String> {
    let list = value.as_array().cloned().unwrap_or_default();
    list.iter()
        .filter_map(|v| v.as_str().map(str::to_owned))
        .collect()
}

fn entries<T>(value: &Value, read: fn(&Value) -> Option<T>) -> Vec<(String, T)> {
    let Some(map) = value.as_object() else {
        return Vec::new();
    };
    map.iter()
        .filter_map(|(k, v)| Some((k.clone(), read(v)?)))
        .collect()
}

fn state(value: &Value) -> Option<State> {
    Some(State {
        t: value["t"].as_f64()?,
        q: numbers(&value["q"])?,
        qd: numbers(&value["qd"])?,
        inputs: numbers(&value["inputs"]).unwrap_or_default(),
        accelerations: numbers(&value["accelerations"])?,
        speeds: numbers(&value["u"]),
        speed_rates: numbers(&value["speed_rates"]),
        multipliers: numbers(&value["multipliers"]),
        constraint_force: numbers(&value["constraint_force"]),
        constraint_force_ideal: numbers(&value["constraint_force_ideal"]),
        constraint_force_nonideal: numbers(&value["constraint_force_nonideal"]),
        nonideal_vector: numbers(&value["nonideal_vector"]),
        kinetic_energy: value["kinetic_energy"].as_f64(),
        potential_energy: value["potential_energy"].as_f64(),
        gibbs_function: value["gibbs_function"].as_f64(),
        mass_matrix: value["mass_matrix"]
            .as_array()
            .and_then(|rows| rows.iter().map(numbers).collect()),
    })
}

/// Reads `reference/NAME.json`.
///
/// # Errors
/// Says what could not be read.
pub fn load(name: &str) -> Result<Reference, String> {
    let path = folder().join("reference").join(format!("{name}.json"));
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let file: Value = serde_json::from_str(&text).map_err(|e| format!("{name}: {e}"))?;
    let states: Option<Vec<State>> = file["states"]
        .as_array()
        .and_then(|list| list.iter().map(state).collect());
    match states {
        Some(states) if !states.is_empty() => Ok(Reference {
            coordinates: names(&file["coordinates"]),
            speeds: names(&file["speeds"]),
            params: entries(&file["params"], Value::as_f64),
            inputs: names(&file["inputs"]),
            functions: entries(&file["functions"], |v| v.as_str().map(str::to_owned)),
            rows: names(&file["rows"]),
            rank: file["rank"].as_u64(),
            states,
        }),
        _ => Err(format!("{name}: no readable states")),
    }
}

impl Reference {
    /// `values`, which follow [`Reference::coordinates`], in the order of `wanted`.
    ///
    /// # Errors
    /// Names a coordinate that the file does not have.
    pub fn in_order(&self, values: &[f64], wanted: &[String]) -> Result<Vec<f64>, String> {
        wanted
            .iter()
            .map(|name| {
                let place = self.coordinates.iter().position(|c| c == name);
                place
                    .and_then(|i| values.get(i).copied())
                    .ok_or_else(|| format!("no coordinate `{name}` in the reference"))
            })
            .collect()
    }
}
