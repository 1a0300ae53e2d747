//! From an assembled derivation to what the emitter is given.

use super::held::{assembly, for_many};
use super::reading::{equations, symbols};
use super::{DeriveOptions, Math, Scalar};
use crate::catalogue;
use crate::emit::names::{Names, identifier};
use crate::emit::{
    self, Block, Condition, Constant, EmittedFunction, ExtraArgument, Field, Groups, IndexEnum,
    Module, Sampling, UserFunction,
};
use crate::explain;
use crate::facts::{Fact, Facts};
use crate::ir::{Graph, Op, Unary};
use crate::model::System;
use crate::model::fix::Fixed;
use crate::model::system::{Meta, Sign};
use crate::notation::{Line, aligned};
use crate::program::{Assembled, Shape, StateEntry, group};
use std::collections::BTreeSet;

pub(super) fn module(
    source_name: &str,
    text: &str,
    system: &System,
    options: &DeriveOptions,
    a: Assembled,
) -> Module {
    let (facts, functions) = functions(&a);
    let math = math(options, &a.graph, &functions);
    // A module of its own for one function has nothing to assemble with.
    let is_whole = a.outputs.iter().any(|o| o.name == "constraint_residuals");
    let assembles = is_whole && options.outputs.iter().any(|name| name == emit::ASSEMBLE);
    let sampling = sampling(&a).filter(|_| options.outputs.iter().any(|o| o == emit::DISCRETIZED));
    let assembly = assembly(&a).filter(|_| assembles);
    let many = if options.batch {
        for_many(&a, options)
    } else {
        Vec::new()
    };
    Module {
        name: system.name.clone(),
        source_name: source_name
            .rsplit(['/', '\\'])
            .next()
            .unwrap_or(source_name)
            .to_string(),
        source_text: text.to_string(),
        options: options.pairs(),
        docs: docs(system, &a),
        facts: facts.lines(),
        params: params(system),
        no_params: system.params.is_empty() && !system.fixed.is_empty(),
        inputs: system.inputs.iter().map(|i| field(&i.meta)).collect(),
        state: a.state.iter().map(entry).collect(),
        groups: Groups {
            time: group::TIME,
            state: group::STATE,
            params: group::PARAMS,
            inputs: group::INPUTS,
        },
        functions_trait: user_functions(system, &a),
        indices: indices(&a),
        assembly,
        sampling,
        constants: constants(system, &a),
        conditions: conditions(&a),
        graph: a.graph,
        presumed: a.presumed.map(|presumed| emit::Presumed {
            margin: presumed.margin,
            solved: presumed.solved,
            still: presumed.still,
        }),
        functions,
        math,
        fma: options.fma,
        scalar: match options.scalar {
            Scalar::F64 => emit::Scalar::F64,
            Scalar::F32 => emit::Scalar::F32,
            Scalar::Generic => emit::Scalar::Generic,
        },
        batch: many,
        ..Module::default()
    }
}

/// A function of so many angles is quicker with sines of the module's own.
const MANY_ANGLES: usize = 5;

/// Where sines come from. Functions of many states have their own; any type of numbers brings its own.
fn math(options: &DeriveOptions, graph: &Graph, functions: &[EmittedFunction]) -> emit::Math {
    let many = |function: &EmittedFunction| angles(graph, function) >= MANY_ANGLES;
    match options.math {
        Math::Std => emit::Math::Std,
        Math::Libm => emit::Math::Libm,
        Math::Inline => emit::Math::Inline,
        Math::Auto if options.scalar == Scalar::Generic => emit::Math::Std,
        Math::Auto if options.batch || functions.iter().any(many) => emit::Math::Inline,
        Math::Auto => emit::Math::Std,
    }
}

/// Of how many angles a function takes sines or cosines.
fn angles(graph: &Graph, function: &EmittedFunction) -> usize {
    let live = graph.live(&function.body.roots());
    let angles = live.into_iter().filter_map(|value| match graph.op(value) {
        Op::Unary(Unary::Sin | Unary::Cos, angle) => Some(*angle),
        _ => None,
    });
    angles.collect::<BTreeSet<_>>().len()
}

/// The size of what is sampled.
fn sampling(a: &Assembled) -> Option<Sampling> {
    let mut outputs = a.outputs.iter();
    let model = outputs.find(|o| o.name == emit::CALLED_BY_DISCRETIZED)?;
    let entries = model.facts.iter().find_map(|fact| match fact {
        Fact::IndependentEntries(names) => Some(names.len()),
        _ => None,
    });
    match (entries, model.shape) {
        (Some(rows), Shape::Matrix(_, columns)) => Some(Sampling { rows, columns }),
        _ => None,
    }
}

fn field(m: &Meta) -> Field {
    Field {
        name: m.name.clone(),
        unit: m.unit.clone(),
        docs: m.docs.clone(),
        default: None,
    }
}

fn entry(s: &StateEntry) -> Field {
    Field {
        name: s.name.clone(),
        unit: s.unit.clone(),
        docs: s.docs.clone(),
        default: Some(s.initial.clone().unwrap_or_default()),
    }
}

/// An entry of an index by its name alone: what it is stands where it is declared.
fn bare(name: &str) -> Field {
    Field {
        name: name.to_owned(),
        ..Field::default()
    }
}

fn params(system: &System) -> Vec<Field> {
    let params = system.params.iter().map(|p| Field {
        default: p.default.clone(),
        ..field(&p.meta)
    });
    params.collect()
}

fn user_functions(system: &System, a: &Assembled) -> Vec<UserFunction> {
    let functions = system.functions.iter().zip(&a.jet_orders);
    let functions = functions.map(|(f, order)| UserFunction {
        name: f.meta.name.clone(),
        args: f.arg_names.clone(),
        docs: f.meta.docs.clone(),
        unit: f.meta.unit.clone(),
        order: *order,
    });
    functions.collect()
}

fn conditions(a: &Assembled) -> Vec<Condition> {
    let conditions = a.conditions.iter().map(|c| Condition {
        text: c.text.clone(),
        note: c.note.clone(),
    });
    conditions.collect()
}

/// The enums that name the entries of arrays.
fn indices(a: &Assembled) -> Vec<IndexEnum> {
    let index = |name: &str, docs: &str, entries| IndexEnum {
        name: name.into(),
        docs: docs.into(),
        entries,
    };
    let mut indices = vec![index(
        "StateIndex",
        "Entries of the state; its first ones, the coordinates, are those of `accelerations` too.",
        a.state.iter().map(|s| bare(&s.name)).collect(),
    )];
    // What everyone asks for has no entry for each speed.
    let plain = |name: &str| catalogue::DEFAULT.contains(&name) || name == "closeness";
    let mut special = a.outputs.iter().filter(|o| !plain(&o.name));
    if special.any(|o| catalogue::output(&o.name).is_some()) {
        indices.push(index(
            "Speed",
            "Speeds: entries of `speed_rates`.",
            a.speeds.iter().map(|s| bare(&s.name)).collect(),
        ));
    }
    if !a.probe.names.1.is_empty() {
        indices.push(index(
            "Constraint",
            "Constraint rows: entries of `multipliers` and `constraint_residuals`.",
            a.rows.iter().map(entry).collect(),
        ));
    }
    indices
}

/// Sizes.
fn constants(system: &System, a: &Assembled) -> Vec<Constant> {
    let n = system.coords.len();
    let rows = a.probe.names.1.len();
    let constant = |name: &str, docs: &str, value| Constant {
        name: name.into(),
        docs: docs.into(),
        value,
    };
    let independent = a.state.len() - n - system.states.len();
    let mut constants = vec![
        constant("COORDINATES", "Number of coordinates, and of speeds.", n),
        constant(
            "INDEPENDENT_SPEEDS",
            "Number of speeds in the state.",
            independent,
        ),
    ];
    if rows > 0 {
        let docs = "Number of scalar constraint rows.";
        constants.push(constant("CONSTRAINTS", docs, rows));
    }
    constants
}

/// The outputs as functions, and what is to be known of them.
fn functions(a: &Assembled) -> (Facts, Vec<EmittedFunction>) {
    let mut names = Names::default();
    let mut facts = Facts {
        formulation: a.documentation.method.clone(),
        ..Facts::default()
    };
    let mut functions = Vec::new();
    for o in &a.outputs {
        // `output_left.reach` becomes `output_left_reach`; every other name is one already.
        let name = names.claim(&identifier(&o.name));
        facts.add(&name, o.facts.iter().cloned());
        let arguments = o.arguments.iter().map(|a| ExtraArgument {
            name: a.name.clone(),
            group: a.group,
            length: a.length,
            fields: Vec::new(),
        });
        functions.push(EmittedFunction {
            name,
            docs: o.docs.iter().cloned().map(Block::Words).collect(),
            output: match o.shape {
                Shape::Scalar => emit::Shape::Scalar,
                Shape::Array(k) => emit::Shape::Array(k),
                Shape::Matrix(r, c) => emit::Shape::Matrix(r, c),
            },
            output_labels: o.labels.clone(),
            body: o.body.clone(),
            quick: o.quick.clone(),
            extra_args: arguments.collect(),
            routine_condition: o.routine_condition,
            callers: Vec::new(),
            guarded: None,
            inherited: Vec::new(),
        });
    }
    (facts, functions)
}

/// Text with names in it as Markdown: the brackets of `theta[1]` are no link.
fn markdown(text: &str) -> String {
    let mut out = String::new();
    for (index, piece) in text.split('`').enumerate() {
        let code = index % 2 == 1;
        if index > 0 {
            out.push('`');
        }
        if code {
            out.push_str(piece)
        } else {
            out.push_str(&piece.replace('[', "\\[").replace(']', "\\]"))
        }
    }
    out
}

fn docs(system: &System, a: &Assembled) -> Vec<Block> {
    let d = &a.documentation;
    let mut list: Vec<Block> = Vec::new();
    if !system.docs.is_empty() {
        list.push(Block::Words(system.docs.clone()));
    }
    let names = explain::names(system);
    let mut section = |title: &str, lines: &[Line]| {
        if !lines.is_empty() {
            list.push(Block::Heading(title.into()));
            list.push(Block::Math(equations(&names, lines)));
        }
    };
    section(&format!("Equations of motion ({})", d.method), &d.equations);
    section("Accelerations", &d.accelerations);
    section("States", &d.states);
    section("Speeds", &d.speeds);
    section("Kinematics", &d.kinematics);
    section("Constraints", &d.constraints);
    for q in &d.quantities {
        list.push(Block::Heading(format!("`{}`", q.name)));
        let symbol = format!("Symbol `{}`; source: {}.", q.symbol, q.source);
        list.push(Block::Text(format!("{} {symbol}", markdown(&q.docs))));
        if !q.lines.is_empty() {
            list.push(Block::Math(aligned(&q.lines)));
        }
    }
    let symbols = symbols(system, &names);
    if !symbols.is_empty() {
        list.push(Block::Heading("Symbols".into()));
        list.push(Block::List(symbols));
    }
    let mut remarks = d.remarks.clone();
    if !system.fixed.is_empty() {
        let fixed: Vec<String> = system.fixed.iter().map(Fixed::text).collect();
        remarks.push(format!(
            "Parameters fixed as numbers: {}.",
            fixed.join(", ")
        ));
    }
    let assumed = assumptions(system);
    if !assumed.is_empty() {
        remarks.push(format!("Assumed: {}.", assumed.join(", ")));
    }
    if !a.cancelled.is_empty() {
        remarks.push(format!(
            "Cancelled during the derivation, which therefore does not cover: {}.",
            a.cancelled.join("; ")
        ));
    }
    if a.conditions.is_empty() {
        remarks.push("Singular nowhere under these assumptions.".into());
    }
    list.push(Block::Heading("Remarks".into()));
    list.push(Block::List(remarks));
    list
}

pub(super) fn assumptions(system: &System) -> Vec<String> {
    let sign = |s: Sign| match s {
        Sign::Positive => "> 0",
        Sign::NonNegative => ">= 0",
        Sign::Negative => "< 0",
        Sign::NonPositive => "<= 0",
        Sign::NonZero => "!= 0",
    };
    let params = system
        .params
        .iter()
        .filter_map(|p| p.sign.map(|s| format!("`{} {}`", p.meta.name, sign(s))));
    let coords = system
        .coords
        .iter()
        .filter_map(|c| c.sign.map(|s| format!("`{} {}`", c.meta.name, sign(s))));
    let stated = system.assumptions.iter().map(|a| format!("`{}`", a.text));
    params.chain(coords).chain(stated).collect()
}
