//! Whether two models move alike: their accelerations at states that satisfy the constraints, in double precision. The newer one's coordinates
//! may be other functions of the older one's.

use super::super::evaluate::{Evaluator, of_system};
use super::super::formula::{self, Place};
use super::super::{DeriveOptions, EvalInput};
use crate::explain::Mark;
use crate::field;
use crate::manifold::{self, State};
use crate::model::System;
use crate::model::parse_scalar;
use crate::model::system::{CoordId, Function, Meta, Scalar};
use crate::program::Renaming;
use crate::span::Span;
use num_traits::ToPrimitive;

/// Accelerations that differ by less, relative to the largest, are the same.
const SAME: f64 = 1e-8;

/// What came of comparing motions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Motion {
    /// At how many states they were compared.
    pub states: usize,
    /// Coordinates of the newer model whose accelerations are the same.
    pub same: Vec<String>,
    /// And those whose are not.
    pub different: Vec<String>,
}

/// Two models, and what is known of their names and states.
pub(super) struct Pair<'a> {
    pub was: &'a System,
    pub is: &'a System,
    pub options: &'a DeriveOptions,
    pub renamed: &'a Renaming,
    /// States of the older model.
    pub states: &'a [State],
    /// Coordinates of the newer model by those of the older one.
    pub measured: &'a [(String, String)],
}

/// What a user says of coordinates: `q2 = old.q2 - old.q1`, several of these separated by commas.
pub(super) fn told(
    was: &System,
    is: &System,
    texts: &[String],
) -> Result<Vec<(String, String)>, String> {
    let mut list = Vec::new();
    for text in texts.iter().flat_map(|t| t.split(',')) {
        let Some((name, value)) = text.split_once('=') else {
            return Err(format!(
                "'{}' says nothing of a coordinate; write `q2 = old.q2 - old.q1`",
                text.trim()
            ));
        };
        let (name, value) = (name.trim(), value.trim());
        if is.coords.iter().all(|c| c.meta.name != name) {
            return Err(format!("the newer model has no coordinate `{name}`"));
        }
        if let Err(found) = parse_scalar(was, &in_old(value)) {
            let why = found
                .first()
                .map_or("it cannot be read", |d| d.title.as_str());
            return Err(format!(
                "`{value}` cannot be read in the older model: {why}"
            ));
        }
        list.push((name.to_owned(), value.to_owned()));
    }
    Ok(list)
}

/// Names without the mark that says whose they are.
fn in_old(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("old.") {
        let before = &rest[..at];
        out.push_str(before);
        let inside = before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
        if inside {
            out.push_str("old.");
        }
        rest = &rest[at + 4..];
    }
    out + rest
}

/// A coordinate of the newer model.
enum Coordinate {
    /// One of the older model.
    Same(usize),
    /// A function of all of them and time.
    Of(Scalar),
}

/// The motions compared, and singular conditions that only one of the models has. `None` where a model cannot be evaluated, or a coordinate
/// of the newer one is none of the older one's.
pub(super) fn compare(pair: &Pair<'_>) -> Option<(Motion, Vec<(Mark, String)>)> {
    let coordinates = pair.coordinates()?;
    let options = DeriveOptions {
        outputs: Vec::new(),
        jacobians: Vec::new(),
        ..pair.options.clone()
    };
    let old = of_system(pair.was.clone(), &options).ok()?;
    let new = of_system(pair.is.clone(), &options).ok()?;
    let n = pair.is.coords.len();
    let mut off = vec![false; n];
    let mut states = 0;
    for (seed, state) in pair.states.iter().enumerate() {
        if let Some(differing) = pair.at(state, seed as u64, &coordinates, &old, &new) {
            states += 1;
            off.iter_mut()
                .zip(differing)
                .for_each(|(all, one)| *all |= one);
        }
    }
    if states == 0 {
        return None;
    }
    let names = |wanted: bool| -> Vec<String> {
        let coords = pair.is.coords.iter().zip(&off);
        let these = coords.filter(|(_, off)| **off == wanted);
        these.map(|(c, _)| c.meta.name.clone()).collect()
    };
    let motion = Motion {
        states,
        same: names(false),
        different: names(true),
    };
    Some((motion, conditions(&old.conditions(), &new.conditions())))
}

fn conditions(old: &[String], new: &[String]) -> Vec<(Mark, String)> {
    let gone = old.iter().filter(|c| !new.contains(c));
    let come = new.iter().filter(|c| !old.contains(c));
    let gone = gone.map(|c| (Mark::Removed, c.clone()));
    gone.chain(come.map(|c| (Mark::Added, c.clone()))).collect()
}

impl Pair<'_> {
    fn coordinates(&self) -> Option<Vec<Coordinate>> {
        let mut list = Vec::new();
        for c in &self.is.coords {
            let name = &c.meta.name;
            let told = self.measured.iter().find(|m| m.0 == *name);
            list.push(match told {
                Some((_, value)) => Coordinate::Of(parse_scalar(self.was, &in_old(value)).ok()?),
                None => Coordinate::Same(self.was.coords.iter().position(|old| {
                    let old = &old.meta.name;
                    self.renamed.get(old).unwrap_or(old) == name
                })?),
            });
        }
        Some(list)
    }

    /// Which accelerations differ at a state; `None` where one of the models has none.
    fn at(
        &self,
        state: &State,
        seed: u64,
        coordinates: &[Coordinate],
        old: &Evaluator,
        new: &Evaluator,
    ) -> Option<Vec<bool>> {
        let named = |name: &str| {
            self.renamed
                .get(name)
                .map_or(name, String::as_str)
                .to_owned()
        };
        let was = self.was;
        let params = was.params.iter().zip(&state.params);
        let coords = || was.coords.iter().map(|c| c.meta.name.clone());
        let inputs = was
            .inputs
            .iter()
            .map(|i| (i.meta.name.clone(), drawn(seed, &i.meta.name)));
        let states = was
            .states
            .iter()
            .map(|s| (s.meta.name.clone(), drawn(seed, &s.meta.name)));
        let functions = was.functions.iter().enumerate();
        let before = EvalInput {
            t: state.time,
            params: params.map(|(p, v)| (p.meta.name.clone(), *v)).collect(),
            q: coords().zip(state.coords.iter().copied()).collect(),
            qdot: Some(coords().zip(state.rates.iter().copied()).collect()),
            speeds: None,
            states: states.collect(),
            inputs: inputs.collect(),
            functions: functions
                .map(|(i, f)| {
                    let text = manifold::function_text(i as u32, &f.arg_names);
                    (f.meta.name.clone(), text)
                })
                .collect(),
        };
        let accelerations: Vec<f64> = old.eval(&before).ok()?.qddot.iter().map(|q| q.1).collect();
        if accelerations.len() != was.coords.len() {
            return None;
        }
        let mut after = EvalInput {
            t: state.time,
            qdot: Some(Default::default()),
            ..EvalInput::default()
        };
        let mut wanted = Vec::new();
        for (coordinate, c) in coordinates.iter().zip(&self.is.coords) {
            let [q, rate, acceleration] = self.jet(coordinate, state, &before, &accelerations)?;
            let name = c.meta.name.clone();
            after.q.insert(name.clone(), q);
            after.qdot.as_mut()?.insert(name, rate);
            wanted.push(acceleration);
        }
        for p in &self.is.params {
            let name = &p.meta.name;
            let known = before.params.iter().find(|(old, _)| named(old) == *name);
            let value = match (known, &p.default) {
                (Some((_, v)), _) => *v,
                (None, Some(default)) => default.to_f64()?,
                (None, None) => 0.75 + 0.5 * drawn(seed, name),
            };
            after.params.insert(name.clone(), value);
        }
        for s in &self.is.states {
            let name = &s.meta.name;
            let known = before.states.iter().find(|(old, _)| named(old) == *name);
            let value = known.map_or_else(|| drawn(seed, name), |(_, v)| *v);
            after.states.insert(name.clone(), value);
        }
        for i in &self.is.inputs {
            let name = &i.meta.name;
            let known = before.inputs.iter().find(|(old, _)| named(old) == *name);
            let value = known.map_or_else(|| drawn(seed, name), |(_, v)| *v);
            after.inputs.insert(name.clone(), value);
        }
        for (k, f) in self.is.functions.iter().enumerate() {
            let name = &f.meta.name;
            let known = was
                .functions
                .iter()
                .position(|old| named(&old.meta.name) == *name);
            let text = manifold::function_text(known.unwrap_or(k) as u32, &f.arg_names);
            after.functions.insert(name.clone(), text);
        }
        let found = new.eval(&after).ok()?;
        if !found.warnings.is_empty() {
            // It cannot be in this state at all.
            return Some(vec![true; wanted.len()]);
        }
        let scale = wanted.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        let pairs = found.qddot.iter().zip(&wanted);
        // What is no number differs.
        let alike = |x: f64, y: f64| (x - y).abs() <= SAME * scale;
        let off = pairs.map(|((_, x), y)| !alike(*x, *y));
        Some(off.collect())
    }

    /// A coordinate of the newer model with its rate and acceleration.
    fn jet(
        &self,
        coordinate: &Coordinate,
        state: &State,
        given: &EvalInput,
        accelerations: &[f64],
    ) -> Option<[f64; 3]> {
        let scalar = match coordinate {
            Coordinate::Same(i) => {
                return Some([state.coords[*i], state.rates[*i], accelerations[*i]]);
            }
            Coordinate::Of(scalar) => scalar,
        };
        let mut system = self.was.clone();
        let n = system.coords.len();
        let coords = (0..n).map(|i| Scalar::Coord(CoordId(i as u32)));
        system.functions.push(Function {
            meta: Meta {
                name: String::new(),
                shown: None,
                unit: None,
                docs: String::new(),
                span: Span::default(),
            },
            args: coords.chain([Scalar::Time]).collect(),
            arg_names: Vec::new(),
        });
        let inputs: Vec<f64> = given.inputs.values().copied().collect();
        let place = Place {
            system: &system,
            t: state.time,
            params: &state.params,
            coords: &state.coords,
            inputs: &inputs,
        };
        let mut at = state.coords.clone();
        at.push(state.time);
        let jet = formula::evaluate(&place, system.functions.len() - 1, scalar, &at).ok()?;
        let mut rates = state.rates.clone();
        rates.push(1.0);
        let mut second = accelerations.to_vec();
        second.push(0.0);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let bent = jet.hessian.chunks(n + 1).zip(&rates);
        let bent: f64 = bent.map(|(row, rate)| rate * dot(row, &rates)).sum();
        let rate = dot(&jet.gradient, &rates);
        Some([jet.value, rate, dot(&jet.gradient, &second) + bent])
    }
}

/// A number between 0 and 1 that belongs to a name.
fn drawn(seed: u64, name: &str) -> f64 {
    let place = crate::ir::content::text(name) >> 1;
    field::pseudo_random(7000 + seed, place).get() as f64 / field::MODULUS as f64
}
