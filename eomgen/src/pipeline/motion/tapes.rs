//! From a derivation to the tapes of a machine.

use num_traits::ToPrimitive;

use super::Added;
use crate::ir::tape::Tape;
use crate::ir::{Check, Function, Graph, Value};
use crate::machine::scene::Scene;
use crate::machine::{
    Balance, Conserved, Event, Input, Machine, Named, Parameter, Probe, Row, Source, Watched,
};
use crate::model::System;
use crate::model::system::{Energy, EnergyKind, Meta, Rational, Sign};
use crate::program::{Assembled, StateEntry, group};

/// Outputs by name.
struct Outputs<'a> {
    assembled: &'a Assembled,
}

impl Outputs<'_> {
    fn function(&self, name: &str) -> Option<&Function> {
        let found = self.assembled.outputs.iter().find(|o| o.name == name);
        found.map(|o| &o.body)
    }

    fn tape_of(&self, function: &Function) -> Tape {
        Tape::new(&self.assembled.graph, function, &[group::PARAMS])
    }

    fn tape(&self, name: &str) -> Option<Tape> {
        self.function(name).map(|f| self.tape_of(f))
    }

    /// Several outputs of the model, one after the other, without checks.
    fn joined<'n>(&self, names: impl IntoIterator<Item = &'n String>) -> Tape {
        let functions = names.into_iter();
        let functions = functions.filter_map(|n| self.function(&format!("output_{n}")));
        let outputs = functions.flat_map(|f| f.outputs.iter().copied()).collect();
        self.unchecked(outputs)
    }

    fn unchecked(&self, outputs: Vec<Value>) -> Tape {
        self.tape_of(&Function {
            outputs,
            ..Function::default()
        })
    }
}

fn sign(sign: Sign) -> String {
    match sign {
        Sign::Positive => "> 0",
        Sign::NonNegative => ">= 0",
        Sign::Negative => "< 0",
        Sign::NonPositive => "<= 0",
        Sign::NonZero => "!= 0",
    }
    .to_owned()
}

fn named(meta: &Meta) -> Named {
    Named {
        name: meta.name.clone(),
        unit: meta.unit.clone(),
        docs: meta.docs.clone(),
    }
}

fn entry(entry: &StateEntry) -> Named {
    Named {
        name: entry.name.clone(),
        unit: entry.unit.clone(),
        docs: entry.docs.clone(),
    }
}

/// The machine, but for what does not come from the derivation.
pub(super) fn machine(
    system: &System,
    mut assembled: Assembled,
    added: &Added,
    constant: &[usize],
) -> Machine {
    let reactions = power_of_reactions(&mut assembled);
    let slopes = if added.request.slopes {
        let own = system.outputs.iter().map(|o| o.meta.name.clone());
        let own: Vec<String> = own.collect();
        super::slopes::slopes(&mut assembled, added, system.inputs.len(), &own)
    } else {
        None
    };
    let outputs = Outputs {
        assembled: &assembled,
    };
    let parameter = |p: &crate::model::system::Param| Parameter {
        named: named(&p.meta),
        default: p.default.as_ref().and_then(ToPrimitive::to_f64),
    };
    let own: Vec<String> = system.outputs.iter().map(|o| o.meta.name.clone()).collect();
    // Entries of the state have columns already.
    let is_new = |w: &&(String, String)| assembled.state.iter().all(|s| s.name != w.1);
    let new: Vec<&(String, String)> = added.watched.iter().filter(is_new).collect();
    let followed = new.iter().map(|w| &w.0).chain(&own);
    let events = added.request.events.iter().map(|e| Event {
        name: e.text.clone(),
        direction: e.direction,
        ends: e.ends,
    });
    let watched = new.iter().map(|(_, text)| Watched {
        text: text.clone(),
        unit: unit_of(system, &assembled, text),
    });
    Machine {
        name: system.name.clone(),
        docs: system.docs.clone(),
        coords: system.coords.iter().map(|c| named(&c.meta)).collect(),
        initial: system.coords.iter().map(|c| number(&c.initial)).collect(),
        initial_rates: system
            .coords
            .iter()
            .map(|c| number(&c.initial_rate))
            .collect(),
        initial_speeds: assembled
            .speeds
            .iter()
            .map(|s| number(&s.initial))
            .collect(),
        signs: system.coords.iter().map(|c| c.sign.map(sign)).collect(),
        speeds: assembled.speeds.iter().map(entry).collect(),
        independent: assembled.probe.independent.clone(),
        states: system.states.iter().map(|s| named(&s.meta)).collect(),
        initial_states: system.states.iter().map(|s| number(&s.initial)).collect(),
        params: system.params.iter().map(parameter).collect(),
        inputs: inputs(system, added),
        rows: rows(&assembled.probe),
        conditions: assembled
            .conditions
            .iter()
            .map(|c| c.text.clone())
            .collect(),
        inputs_by_expression: added
            .inputs
            .iter()
            .map(|i| outputs.joined([&i.1]))
            .collect(),
        derivative: outputs.tape("derivative").unwrap_or_default(),
        rates: outputs.tape("rates").unwrap_or_default(),
        projection: outputs.tape("projection_step"),
        residuals: residuals(&outputs),
        closeness: outputs.tape("closeness"),
        closeness_of: labels(&assembled, "closeness"),
        probe: probe(&assembled.probe),
        balance: balance(system, &outputs, reactions.as_ref(), constant),
        watched: watched.collect(),
        watch: outputs.joined(followed),
        events: events.collect(),
        event_values: outputs.joined(&added.events),
        outputs: own_outputs(system, &assembled),
        scene: Scene {
            places: outputs.joined(&added.places),
            inertias: outputs.joined(&added.inertias),
            sizes: outputs.joined(&added.sizes),
            ..added.scene.clone()
        },
        functions: Vec::new(),
        given: Vec::new(),
        held: Vec::new(),
        slopes,
        multipliers: outputs.tape("multipliers").filter(|_| added.request.slopes),
    }
}

fn number(r: &Option<Rational>) -> Option<f64> {
    r.as_ref().and_then(ToPrimitive::to_f64)
}

fn labels(assembled: &Assembled, name: &str) -> Vec<String> {
    let found = assembled.outputs.iter().find(|o| o.name == name);
    found.map(|o| o.labels.clone()).unwrap_or_default()
}

fn own_outputs(system: &System, assembled: &Assembled) -> Vec<(Named, usize)> {
    let numbers = |name: &str| {
        let name = format!("output_{name}");
        let found = assembled.outputs.iter().find(|o| o.name == name);
        found.map_or(0, |o| o.body.outputs.len())
    };
    let outputs = system.outputs.iter();
    outputs
        .map(|o| (named(&o.meta), numbers(&o.meta.name)))
        .collect()
}

/// The unit of what is the name of something.
fn unit_of(system: &System, assembled: &Assembled, text: &str) -> Option<String> {
    let text = text.trim();
    let params = system.params.iter().map(|p| &p.meta);
    let mut metas = params
        .chain(system.inputs.iter().map(|i| &i.meta))
        .chain(system.lets.iter().map(|l| &l.meta))
        .chain(system.speeds.iter().map(|s| &s.meta));
    let mut states = assembled.state.iter().chain(&assembled.speeds);
    if let Some(found) = states.find(|s| s.name == text) {
        return found.unit.clone();
    }
    let found = metas.find(|m| m.name == text);
    found.and_then(|m| m.unit.clone())
}

fn inputs(system: &System, added: &Added) -> Vec<Input> {
    let source = |i: usize| {
        let expression = added.inputs.iter().position(|(at, _)| *at == i);
        let table = added.tables.iter().find(|(at, ..)| *at == i);
        match (expression, table) {
            (Some(at), _) => Source::Expression(at),
            (None, Some((_, times, values))) => Source::Table {
                times: times.clone(),
                values: values.clone(),
            },
            (None, None) => Source::Nothing,
        }
    };
    let list = system.inputs.iter().enumerate();
    list.map(|(i, input)| Input {
        named: named(&input.meta),
        source: source(i),
    })
    .collect()
}

fn residuals(outputs: &Outputs<'_>) -> Tape {
    let of = |name: &str| outputs.function(name).map_or(&[][..], |f| &f.outputs);
    let (stated, velocity) = (of("constraint_residuals"), of("velocity_residuals"));
    outputs.unchecked([stated, velocity].concat())
}

/// The rows of the constraints.
pub(super) fn rows(p: &crate::program::Probe) -> Vec<Row> {
    let rows = p.names.1.iter().zip(&p.levels);
    let row = |(name, level): (&String, &u8)| Row {
        name: name.clone(),
        level: *level,
    };
    rows.map(row).collect()
}

/// Functions of the rates.
pub(super) fn probe(p: &crate::program::Probe) -> Probe {
    let tape = |f: &Function| Tape::new(&p.graph, f, &[group::PARAMS]);
    Probe {
        speeds: tape(&p.speeds),
        residuals: tape(&p.residuals),
        velocity_residuals: tape(&p.velocity_residuals),
        matrix: tape(&p.matrix),
    }
}

/// Forces of loads that depend on reactions: `Phi lambda`.
fn power_of_reactions(assembled: &mut Assembled) -> Option<Function> {
    let find = |name: &str| assembled.outputs.iter().find(|o| o.name == name);
    let (phi, lambda) = (find("reaction_loads")?, find("multipliers")?);
    let checks: Vec<Check> = phi
        .body
        .checks
        .iter()
        .chain(&lambda.body.checks)
        .copied()
        .collect();
    let (phi, lambda) = (phi.body.outputs.clone(), lambda.body.outputs.clone());
    let graph: &mut Graph = &mut assembled.graph;
    let rows = phi.chunks(lambda.len().max(1)).map(|row| {
        let mut sum = graph.zero();
        for (p, l) in row.iter().zip(&lambda) {
            let product = graph.mul(*p, *l);
            sum = graph.add(sum, product);
        }
        sum
    });
    Some(Function {
        name: "reaction loads".into(),
        outputs: rows.collect(),
        checks,
    })
}

fn balance(
    system: &System,
    outputs: &Outputs<'_>,
    reactions: Option<&Function>,
    constant: &[usize],
) -> Balance {
    let mut forces = Vec::new();
    let list = [
        ("loads", "applied_forces"),
        ("constraints", "ideal_constraint_forces"),
        ("non-ideal forces", "nonideal_constraint_forces"),
    ];
    for (what, name) in list {
        forces.extend(outputs.tape(name).map(|tape| (what.to_owned(), tape)));
    }
    forces.extend(reactions.map(|f| ("loads by reactions".to_owned(), outputs.tape_of(f))));
    let dissipates = |e: &Energy| e.kind == EnergyKind::Dissipation;
    let complete = outputs.function("applied_forces").is_some();
    let coords = constant.iter().map(|i| Conserved {
        name: format!("p_{}", system.coords[*i].meta.name),
        coordinate: *i,
    });
    let potential = outputs.tape("potential_energy");
    // Of states of first order mechanics knows as little as of inputs.
    let first = outputs.assembled.state.len() - system.states.len();
    let varies = potential.as_ref().is_some_and(|v| {
        v.reads(group::TIME).next().is_some()
            || v.reads(group::INPUTS).next().is_some()
            || v.reads(group::STATE).any(|at| at as usize >= first)
    });
    Balance {
        kinetic: outputs.tape("kinetic_energy").unwrap_or_default(),
        conservative: potential.is_some()
            && !varies
            && system.loads.is_empty()
            && !system.energies.iter().any(dissipates),
        potential_varies: varies,
        potential,
        mass: outputs.tape("coordinate_mass_matrix").filter(|_| complete),
        forces,
        conserved: coords.collect(),
    }
}
