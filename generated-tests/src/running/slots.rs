//! A sample as one list of numbers: time, state, parameters, inputs, and then the other arguments of each function in turn.

use super::outline::{Argument, Outline};
use super::{Sample, Shape, filler};
use eomgen::internals::emit::names::identifier;

/// Where the parts of the list begin.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    pub params: usize,
    pub inputs: usize,
    /// Where the other arguments begin.
    pub others: usize,
    /// Of each function, where each of its other arguments begins.
    pub extras: Vec<Vec<usize>>,
}

impl Slots {
    pub(super) fn of(outline: &Outline) -> Self {
        let params = 1 + outline.states;
        let inputs = params + outline.params.len();
        let others = inputs + outline.inputs.len();
        let mut count = others;
        let mut extras = Vec::new();
        for function in &outline.functions {
            let mut starts = Vec::new();
            for argument in &function.arguments {
                if let Argument::Extra(_, shape) = argument {
                    starts.push(count);
                    count += shape.len();
                }
            }
            extras.push(starts);
        }
        Self {
            params,
            inputs,
            others,
            extras,
        }
    }

    /// What a place of the list holds.
    pub(super) fn name(&self, outline: &Outline, slot: usize) -> String {
        if slot == 0 {
            return "t".to_owned();
        }
        let state = outline.names.state.get(slot - 1);
        if let Some(name) = state {
            return name.clone();
        }
        let mut fields = outline.params.iter().chain(&outline.inputs);
        if let Some(field) = fields.nth(slot - self.params.min(slot)) {
            return field.clone();
        }
        for (function, starts) in outline.functions.iter().zip(&self.extras) {
            let extras = function.arguments.iter().filter_map(|a| match a {
                Argument::Extra(name, shape) => Some((name, shape)),
                _ => None,
            });
            for ((name, shape), start) in extras.zip(starts) {
                if (*start..start + shape.len()).contains(&slot) {
                    return format!("{}.{name}[{}]", function.name, slot - start);
                }
            }
        }
        format!("argument {slot}")
    }

    /// The numbers of a sample; `None` where the module has a default value.
    pub(super) fn numbers(
        &self,
        outline: &Outline,
        sample: &Sample,
    ) -> Result<Vec<Option<f64>>, String> {
        let mut out = vec![Some(sample.t)];
        if outline.names.state.len() != outline.states {
            return Err(format!(
                "the module names {} of {} entries of the state",
                outline.names.state.len(),
                outline.states
            ));
        }
        for name in &outline.names.state {
            let found = sample.state.iter().find(|(n, _)| n == name);
            let missing = || format!("the sample says nothing of `{name}` of the state");
            out.push(Some(found.ok_or_else(missing)?.1));
        }
        let params = by_field(&outline.params, &sample.params);
        for (field, value) in outline.params.iter().zip(params) {
            if value.is_none() && !outline.defaults {
                return Err(format!(
                    "neither the module nor the sample has a value of the parameter `{field}`"
                ));
            }
            out.push(value);
        }
        let inputs = by_field(&outline.inputs, &sample.inputs);
        for (field, value) in outline.inputs.iter().zip(inputs) {
            let missing = || format!("the sample says nothing of the input `{field}`");
            out.push(Some(value.ok_or_else(missing)?));
        }
        for function in &outline.functions {
            for argument in &function.arguments {
                if let Argument::Extra(name, shape) = argument {
                    out.extend(
                        extra(sample, &function.name, name, *shape)?
                            .into_iter()
                            .map(Some),
                    );
                }
            }
        }
        Ok(out)
    }
}

/// The numbers of another argument: those of the sample under `function.argument` or `argument`, else fixed ones.
fn extra(
    sample: &Sample,
    function: &str,
    argument: &str,
    shape: Shape,
) -> Result<Vec<f64>, String> {
    let find = |name: &str| sample.arrays.iter().find(|(n, _)| n == name);
    let found = find(&format!("{function}.{argument}")).or_else(|| find(argument));
    match found {
        Some((_, numbers)) if numbers.len() == shape.len() => Ok(numbers.clone()),
        Some((_, numbers)) => Err(format!(
            "the sample has {} numbers for `{argument}` of `{function}`, which takes {}",
            numbers.len(),
            shape.len()
        )),
        None => Ok((0..shape.len()).map(filler).collect()),
    }
}

/// Values by the model's names in the order of a struct's fields. A field has the name's spelling as an identifier, or that with `_` or a
/// number behind it where two names come to the same.
fn by_field(fields: &[String], values: &[(String, f64)]) -> Vec<Option<f64>> {
    let mut left: Vec<(String, f64)> = values
        .iter()
        .map(|(name, value)| (identifier(name), *value))
        .collect();
    let stem = |name: &str| {
        name.trim_end_matches(|c: char| c.is_ascii_digit())
            .trim_end_matches('_')
            .to_owned()
    };
    let mut take = |fits: &dyn Fn(&str) -> bool| {
        let place = left.iter().position(|(name, _)| fits(name));
        place.map(|place| left.remove(place).1)
    };
    let mut found: Vec<Option<f64>> = fields
        .iter()
        .map(|field| take(&|name| name == field))
        .collect();
    for (field, value) in fields.iter().zip(&mut found) {
        let plain = stem(field);
        if value.is_none() && field.contains('_') {
            *value = take(&|name| name == plain || stem(name) == plain);
        }
    }
    found
}
