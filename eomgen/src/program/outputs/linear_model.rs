//! The linear model of a machine on its constraints: how the rates of the independent entries of the state, and the model's outputs, change with
//! these entries and with the inputs.
//!
//! With `T` the directions in which one independent entry changes and the constraints hold, `A` is the independent rows of `(dx'/dx) T`, so that the changes
//! of dependent coordinates enter all rates (Peterson, Gede & Hubbard 2015).

use super::dependence::{Dependence, NoChoice};
use super::derivatives::{cheapest, failing_with, jacobian, state_names};
use super::tangent::Tangent;
use super::{Output, Shape};
use crate::diag::Diagnostic;
use crate::diag::codes::quantities::E0599;
use crate::facts::Fact;
use crate::ir::{Slot, Value};
use crate::program::group;
use crate::program::solved::Solved;
use crate::program::writer::{Writer, slot};

/// Name of the output.
pub(in crate::program) const LINEARIZATION_REDUCED: &str = "linearization_reduced";

/// `[x' A B; y C D]`.
pub(in crate::program) fn linearization_reduced(
    solved: &Solved,
    w: &mut Writer<'_>,
    list: &[Output],
) -> Result<Option<Output>, Vec<Diagnostic>> {
    let Some(rate) = list.iter().find(|o| o.name == "derivative").cloned() else {
        return Ok(None);
    };
    let mechanics = w.mechanics();
    let found = Dependence::of(&mut w.c.alg, &mechanics);
    let dependence = found.map_err(|why| vec![no_choice(w, why)])?;
    let states = rate.body.outputs.len();
    let state: Vec<Slot> = (0..states).map(|i| slot(group::STATE, i)).collect();
    let mut velocities = Vec::new();
    if !dependence.speeds.is_empty()
        && let Some(rows) = list.iter().find(|o| o.name == "velocity_residuals")
    {
        velocities = jacobian(w, rows, &state).map_err(|e| vec![e])?.entries;
    }
    let matrix = list.iter().find(|o| o.name == "constraint_matrix");
    let positions = matrix.map_or(&[][..], |o| &o.body.outputs);
    let tangent = Tangent::of(w, states, &dependence, (positions, &velocities));
    let observed = observed(w, list);
    let whole = combined(&rate, &tangent, &observed);
    let values = values((solved, list), w, &whole, &tangent, &state).map_err(|e| vec![e])?;
    Ok(Some(output(w, &whole, &tangent, values)))
}

/// The outputs of the model.
fn observed(w: &Writer<'_>, list: &[Output]) -> Vec<Output> {
    let declared = w.c.system.outputs.iter();
    let fact = |name: &String| Fact::Output(name.clone());
    let of = declared.filter_map(|o| {
        let own = fact(&o.meta.name);
        list.iter().find(|o| o.facts.contains(&own))
    });
    of.cloned().collect()
}

/// What is differentiated: the rates of the independent entries, then the outputs.
fn combined(rate: &Output, tangent: &Tangent, observed: &[Output]) -> Output {
    let mut whole = rate.clone();
    let independent = tangent.independent.iter();
    whole.body.outputs = independent.clone().map(|i| rate.body.outputs[*i]).collect();
    whole.labels = independent.map(|i| rate.labels[*i].clone()).collect();
    for output in observed {
        whole.body.outputs.extend(&output.body.outputs);
        whole.labels.extend(output.labels.iter().cloned());
        whole.needs.extend(&output.needs);
        whole.routine_condition = whole.routine_condition.or(output.routine_condition);
    }
    whole.needs.extend(&rate.body.outputs);
    whole.needs.extend(&whole.body.outputs);
    whole
}

fn values(
    known: (&Solved, &[Output]),
    w: &mut Writer<'_>,
    whole: &Output,
    tangent: &Tangent,
    state: &[Slot],
) -> Result<Vec<Value>, Diagnostic> {
    let inputs = w.c.system.inputs.len();
    let leaves = state.iter().copied();
    let leaves = leaves.chain((0..inputs).map(|i| slot(group::INPUTS, i)));
    let leaves: Vec<Slot> = leaves.collect();
    let found = cheapest(known, w, whole, &leaves)?;
    let slopes = &found.jacobian.entries;
    let mut values = Vec::new();
    for (i, value) in found.values.iter().enumerate() {
        let slope = &slopes[i * leaves.len()..(i + 1) * leaves.len()];
        let (by_state, by_inputs) = slope.split_at(state.len());
        values.push(*value);
        for column in 0..tangent.independent.len() {
            let mut sum = w.low.graph.zero();
            for (x, direction) in by_state.iter().zip(&tangent.rows) {
                let product = w.low.graph.mul(*x, direction[column]);
                sum = w.low.graph.add(sum, product);
            }
            values.push(sum);
        }
        values.extend(by_inputs);
    }
    Ok(values)
}

fn output(w: &mut Writer<'_>, whole: &Output, tangent: &Tangent, values: Vec<Value>) -> Output {
    let names = state_names(w);
    let inputs: Vec<String> =
        w.c.system
            .inputs
            .iter()
            .map(|i| i.meta.name.clone())
            .collect();
    let own = tangent.independent.iter().map(|i| names[*i].clone());
    let own: Vec<String> = own.collect();
    let dependent = (0..names.len()).filter(|i| !tangent.independent.contains(i));
    let dependent: Vec<&str> = dependent.map(|i| names[i].as_str()).collect();
    let mut labels = Vec::new();
    for label in &whole.labels {
        labels.push(label.clone());
        let by = own.iter().chain(&inputs);
        labels.extend(by.map(|by| format!("{label} by {by}")));
    }
    let docs = docs(&own, &dependent, inputs.len(), whole.body.outputs.len());
    let shape = Shape::Matrix(whole.body.outputs.len(), 1 + own.len() + inputs.len());
    let output = Output::new(w, LINEARIZATION_REDUCED, &docs, shape, labels, values);
    failing_with(output, whole).with(Fact::IndependentEntries(own))
}

fn docs(own: &[String], dependent: &[&str], inputs: usize, rows: usize) -> String {
    let k = own.len();
    let follow = match dependent {
        [] => String::new(),
        [one] => format!(" `{one}` follows from these by the constraints."),
        several => format!(
            " `{}` follow from these by the constraints.",
            several.join("`, `")
        ),
    };
    let b = match inputs {
        0 => String::new(),
        1 => format!(", column {} is B by the input", k + 1),
        _ => format!(", columns {} to {} are B by the inputs", k + 1, k + inputs),
    };
    let c = match (rows - k, inputs) {
        (0, _) => String::new(),
        (_, 0) => " Below, likewise, are the outputs of the model and their derivatives C.".into(),
        _ => " Below, likewise, are the outputs of the model and their derivatives C and D.".into(),
    };
    format!(
        "Linear model on the constraints, x' = f + A dx + B du, in the independent entries of the state `{}`.{follow} Column 0 is f, columns 1 to {k} are A{b}.{c}",
        own.join("`, `")
    )
}

fn no_choice(w: &Writer<'_>, why: NoChoice) -> Diagnostic {
    let rows = w.c.constraints.rows.first();
    let span = rows.map_or_else(|| w.c.system.whole(), |row| row.span);
    let (title, label, help) = match why {
        NoChoice::NoState => (
            "there is no `linearization_reduced`: no state was found that satisfies the constraints",
            "looked for from several starts",
            "give parameters and coordinates values with which the mechanism closes",
        ),
        NoChoice::RankVaries => (
            "there is no `linearization_reduced`: at some states fewer constraints are independent than at others",
            "so that the machine has no fixed number of independent coordinates",
            "omit the constraints that depend on others, or use `linearization`, which has all entries of the state",
        ),
    };
    Diagnostic::error(E0599, title, span, label).help(help)
}
