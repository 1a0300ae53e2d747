//! Derivatives of a module's functions beside differences of the same functions: the state, the time, parameters and inputs are moved one
//! at a time.

use super::machine::Statement;
use super::motion::written;
use super::trial::{Case, Verdict};
use crate::running::{self, Evaluated, Sample, Shape};
use std::cmp::Ordering;

/// The smaller step; the other one is twice as large.
const STEP: f64 = 1e-4;
/// Steps from the sample, in this order.
const STEPS: [f64; 4] = [STEP, -STEP, 2.0 * STEP, -2.0 * STEP];

/// What is moved.
enum Moved {
    Time,
    State(String),
    Param(String, f64),
    Input(String),
}

/// What can be moved, in a fixed order: time, state, parameters, inputs.
fn all(asked: &running::Asked, case: &Case) -> Vec<Moved> {
    let value = |field: &String| {
        case.oracle.model.statements.iter().find_map(|s| match s {
            Statement::Param { name, value, .. } if name == field => written(value).ok(),
            _ => None,
        })
    };
    let states = asked.state.iter().cloned().map(Moved::State);
    let params = asked.params.iter();
    let params = params.filter_map(|p| Some(Moved::Param(p.clone(), value(p)?)));
    let inputs = asked.inputs.iter().cloned().map(Moved::Input);
    std::iter::once(Moved::Time)
        .chain(states)
        .chain(params)
        .chain(inputs)
        .collect()
}

fn set(list: &mut [(String, f64)], name: &str, by: f64) {
    if let Some((_, value)) = list.iter_mut().find(|(n, _)| n == name) {
        *value += by;
    }
}

/// The samples around one: four for everything that can be moved. None where a parameter's value is not known by its name.
pub fn around(module: &str, case: &Case, base: &Sample) -> Vec<Sample> {
    let Ok(asked) = running::asked(module) else {
        return Vec::new();
    };
    let moved = all(&asked, case);
    let complete = 1 + asked.state.len() + asked.params.len() + asked.inputs.len();
    if moved.len() != complete {
        return Vec::new();
    }
    let mut samples = Vec::new();
    for what in &moved {
        for by in STEPS {
            let mut sample = base.clone();
            match what {
                Moved::Time => sample.t += by,
                Moved::State(name) => set(&mut sample.state, name, by),
                Moved::Param(name, value) => sample.params.push((name.clone(), value + by)),
                Moved::Input(name) => set(&mut sample.inputs, name, by),
            }
            samples.push(sample);
        }
    }
    samples
}

/// A module's derivatives at a sample beside differences of the samples from this place on.
pub fn compare(run: &Evaluated, base: usize, first: usize) -> Verdict {
    let (states, total) = (run.names.state.len(), run.samples.len() - first);
    if total == 0 {
        return Verdict::Unclear("parameters that have no value by their name".into());
    }
    let variables = total / STEPS.len();
    let mut sure = true;
    for value in &run.samples[base] {
        let Ok(found) = &value.outcome else { continue };
        let columns = match value.shape {
            Shape::Matrix(_, columns) => columns,
            Shape::Vector(length) => length,
            Shape::Number => 1,
        };
        // Function, its derivatives' first column, and what the columns are.
        let (of, skip, places): (&str, usize, Vec<usize>) = if value.function == "linearization" {
            let inputs = columns - 1 - states;
            let of_state = 1..=states;
            let of_inputs = variables - inputs..variables;
            ("derivative", 1, of_state.chain(of_inputs).collect())
        } else if let Some((of, group)) = value.function.split_once("_wrt_") {
            let places: Vec<usize> = match group {
                "q" => (1..=run.names.coordinates.len()).collect(),
                "v" => (1 + run.names.coordinates.len()..=states).collect(),
                "t" => vec![0],
                "params" => (1 + states..1 + states + columns).collect(),
                "inputs" => (variables - columns..variables).collect(),
                _ => continue,
            };
            (of, 0, places)
        } else {
            continue;
        };
        let rows = found.len() / (places.len() + skip).max(1);
        if rows * (places.len() + skip) != found.len() {
            let text = format!("{}: {} numbers", value.function, found.len());
            return Verdict::Wrong(text);
        }
        let scale = found.iter().fold(1e-3_f64, |m, x| m.max(x.abs()));
        for (column, place) in places.iter().enumerate() {
            let at = |step: usize| {
                let sample = first + place * STEPS.len() + step;
                run.value(sample, of)?.outcome.as_ref().ok()
            };
            let all = (at(0), at(1), at(2), at(3));
            let (Some(a), Some(b), Some(c), Some(d)) = all else {
                sure = false;
                continue;
            };
            for row in 0..rows {
                let narrow = (a[row] - b[row]) / (2.0 * STEP);
                let wide = (c[row] - d[row]) / (4.0 * STEP);
                let unsure = (narrow - wide).abs();
                let wanted = (4.0 * narrow - wide) / 3.0;
                let has = found[row * (places.len() + skip) + skip + column];
                let error = (has - wanted).abs();
                // Rounding of the function itself, by the step.
                let size = a[row].abs().max(b[row].abs());
                let allowed = 1e-6 * scale + 10.0 * unsure + 1e-9 * size;
                if unsure > 1e-3 * scale {
                    sure = false;
                } else if error.partial_cmp(&allowed) != Some(Ordering::Less) {
                    let text = format!("{}[{row}][{column}]", value.function);
                    return Verdict::Wrong(format!("{text}: {has} in place of {wanted}"));
                }
            }
        }
    }
    if sure {
        Verdict::Agree
    } else {
        Verdict::Unclear("differences that are no derivatives".into())
    }
}
