//! The outputs of a generated module as values, group by group.

mod actuation;
pub(super) mod asked;
mod constraints;
mod dependence;
pub(super) mod derivatives;
pub(super) mod dynamics;
mod energy;
pub(super) mod forces;
mod implicit;
pub(super) mod linear_model;
mod mass;
mod motion;
mod norms;
mod projection;
mod reactions;
mod tangent;
mod user;

pub(in crate::program) use mass::remark;
pub(in crate::program) use motion::outputs as motion;

use crate::diag::Diagnostic;
use crate::facts::Fact;
use crate::ir::{Function, Op, RoutineKind, Value};
use crate::plan::Reduced;
use crate::program::solved::Solved;
use crate::program::writer::Writer;

/// The shape of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One number.
    Scalar,
    /// A vector.
    Array(usize),
    /// Rows by columns.
    Matrix(usize, usize),
}

/// One output.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// `accelerations`
    pub name: String,
    /// What it is.
    pub docs: Vec<String>,
    /// Its shape.
    pub shape: Shape,
    /// What each entry is.
    pub labels: Vec<String>,
    /// Values and checks.
    pub body: Function,
    /// The same values by a plan that presumes something, where the accelerations are found by one too.
    pub quick: Option<Function>,
    /// The condition to report where a routine fails.
    pub routine_condition: Option<u32>,
    /// What it takes beyond what all take.
    pub arguments: Vec<Argument>,
    /// Values without which it is not to be had, although it is not computed from them.
    pub needs: Vec<Value>,
    /// What its name does not say of it, as data.
    pub facts: Vec<Fact>,
}

/// An array that one output takes beside the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// Its group of inputs.
    pub group: u8,
    /// Its length.
    pub length: usize,
}

/// What every module has, after the [motion](self::motion), M and f. Multipliers come before what is made of them.
pub(in crate::program) fn standard(
    solved: &Solved,
    w: &mut Writer<'_>,
    motion: Vec<Output>,
    reduced: Reduced,
) -> Result<Vec<Output>, Vec<Diagnostic>> {
    let mut list = motion;
    list.extend(mass::outputs(solved, w, reduced));
    let (constraints, multipliers) = constraints::outputs(solved, w)?;
    list.extend(constraints);
    list.extend(energy::outputs(w)?);
    list.extend(reactions::declared(solved, w, &multipliers)?);
    list.extend(reactions::all(solved, w, &multipliers));
    list.extend(user::outputs(w)?);
    Ok(list)
}

impl Output {
    /// An output of these values.
    pub(in crate::program) fn new(
        w: &mut Writer<'_>,
        name: &str,
        docs: &str,
        shape: Shape,
        labels: Vec<String>,
        outputs: Vec<Value>,
    ) -> Self {
        let live = w.low.graph.live(&outputs);
        let kinds = live.iter().filter_map(|v| match w.low.graph.op(*v) {
            Op::Routine { kind, .. } => Some(*kind),
            _ => None,
        });
        // The main solve before auxiliary ones.
        let kind = kinds.max_by_key(|k| matches!(k, RoutineKind::Constrained { .. }));
        Self {
            name: name.into(),
            docs: vec![docs.into()],
            shape,
            labels,
            body: Function {
                name: name.into(),
                outputs,
                checks: Vec::new(),
            },
            quick: None,
            routine_condition: kind.map(|k| w.conditions.of_routine(k)),
            arguments: Vec::new(),
            needs: Vec::new(),
            facts: Vec::new(),
        }
    }

    /// One with a label for each entry.
    pub(in crate::program) fn array(
        w: &mut Writer<'_>,
        name: &str,
        docs: &str,
        labels: Vec<String>,
        values: Vec<Value>,
    ) -> Self {
        Self::new(w, name, docs, Shape::Array(values.len()), labels, values)
    }

    /// A single number, labelled by its name.
    pub(in crate::program) fn scalar(
        w: &mut Writer<'_>,
        name: &str,
        docs: &str,
        value: Value,
    ) -> Self {
        Self::new(w, name, docs, Shape::Scalar, vec![name.into()], vec![value])
    }

    /// With a fact.
    fn with(mut self, fact: Fact) -> Self {
        self.facts.push(fact);
        self
    }

    /// The same by another name than its entries'.
    fn renamed(mut self, name: String) -> Self {
        self.body.name.clone_from(&name);
        self.name = name;
        self
    }
}

/// Names with the same ending.
fn ending(names: &[String], with: &str) -> Vec<String> {
    names.iter().map(|name| format!("{name}{with}")).collect()
}
