//! The names that a generated function can see: its arguments, the state by name, its temporaries.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::canonical::tags;
use super::description::Description;
use super::expr::Expr;
use super::module::{EmittedFunction, Module};
use super::names::{Names, identifier, is_snake, snake};
use crate::ir::content::{Content, DEEPEST};
use crate::ir::{Slot, Value};

/// Names of the module's own that no local may take.
pub const RESERVED: &[&str] = &[
    "CONDITIONS",
    "FACTS",
    "PI",
    "SINGULAR_TOLERANCE",
    "STATES",
    "check",
    "constrained",
    "libm",
    "minimum_norm",
    "sign",
    "sincos",
    "sincos_far",
    "sincos_near",
    "solved",
];

/// Longest hint that becomes a name; past that a name with a number reads better.
pub const LONGEST_HINT: usize = 40;

/// An argument of the generated functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Argument {
    /// The time.
    Time,
    /// The state array.
    State,
    /// An array of the function's own: index into [`EmittedFunction::extra_args`].
    Extra(usize),
    /// The parameters: the model itself in its methods.
    Params,
    /// The inputs.
    Inputs,
    /// The user's functions.
    Functions,
}

/// The names of one function.
#[derive(Clone, Debug)]
pub struct Scope<'m> {
    module: &'m Module,
    function: &'m EmittedFunction,
    names: Names,
    arguments: BTreeMap<Argument, String>,
    state: Vec<String>,
    params: Vec<String>,
    inputs: Vec<String>,
    used: BTreeSet<Argument>,
    used_state: BTreeSet<usize>,
    /// What a value is called when a name is put together from it.
    stems: BTreeMap<Value, String>,
    content: Content<'m>,
    /// Names that belong to values from the start.
    reserved: BTreeMap<Value, String>,
    /// Whether values are described down to the parameters that they are made of.
    whole: bool,
}

/// A name without the end that made it unique: it would be doubled inside another name.
fn stem(name: &str) -> String {
    name.trim_end_matches('_').to_owned()
}

/// What the model calls its fields.
#[derive(Clone, Debug, Default)]
pub struct FieldNames {
    /// Parameters by their index.
    pub params: BTreeMap<u32, String>,
    /// Values that depend on parameters alone.
    pub values: BTreeMap<Value, String>,
}

/// The identifiers of a struct's fields.
pub fn field_names<'f>(fields: impl IntoIterator<Item = &'f str>) -> Vec<String> {
    let mut names = Names::default();
    let fields = fields.into_iter();
    fields.map(|name| names.claim(&identifier(name))).collect()
}

impl<'m> Scope<'m> {
    /// The arguments of a method and the model's names; nothing is used yet.
    pub fn new(module: &'m Module, function: &'m EmittedFunction) -> Self {
        let constants = module.constants.iter().map(|c| c.name.as_str());
        let mut names = Names::reserving(RESERVED.iter().copied().chain(constants));
        let given = &module.arguments;
        let extra = function.extra_args.iter().enumerate();
        let mut arguments: BTreeMap<Argument, String> = [
            (Argument::Time, &given.time),
            (Argument::State, &given.state),
        ]
        .into_iter()
        .chain(extra.map(|(index, argument)| (Argument::Extra(index), &argument.name)))
        .chain([
            (Argument::Inputs, &given.inputs),
            (Argument::Functions, &given.functions),
        ])
        .map(|(argument, name)| (argument, names.claim(&identifier(name))))
        .collect();
        arguments.insert(Argument::Params, "self".to_owned());
        let state = module
            .state
            .iter()
            .map(|field| names.claim(&identifier(&field.name)));
        let state = state.collect();
        // A temporary of a parameter's name would be taken for it.
        for field in module.params.iter().chain(&module.inputs) {
            let name = identifier(&field.name);
            if !names.contains(&name) {
                names.claim(&name);
            }
        }
        Self {
            state,
            arguments,
            names,
            params: field_names(module.params.iter().map(|field| field.name.as_str())),
            inputs: field_names(module.inputs.iter().map(|field| field.name.as_str())),
            module,
            function,
            used: BTreeSet::new(),
            used_state: BTreeSet::new(),
            stems: BTreeMap::new(),
            content: Content::new(&module.graph, tags(module)),
            reserved: BTreeMap::new(),
            whole: false,
        }
    }

    /// Takes the parameters as they are given, and not from the model.
    pub fn take_params(&mut self) {
        // No entry of the state is read there, and temporaries are not called like one.
        let name = identifier(&self.module.arguments.params);
        self.arguments.insert(Argument::Params, name);
    }

    /// Takes the parameters from the model: how the values that it holds are read.
    pub fn held(
        &mut self,
        names: &FieldNames,
        values: impl IntoIterator<Item = Value>,
    ) -> Vec<(Value, Expr)> {
        for (&index, name) in &names.params {
            if let Some(param) = self.params.get_mut(index as usize) {
                param.clone_from(name);
            }
        }
        let params = Expr::variable(self.name_of(Argument::Params));
        let mut list = Vec::new();
        for value in values {
            if let Some(name) = names.values.get(&value) {
                self.used.insert(Argument::Params);
                self.stems.insert(value, stem(name));
                list.push((value, params.field(name).constant()));
            }
        }
        list
    }

    /// Describes values down to the parameters that they are made of.
    pub fn describe_whole(&mut self) {
        self.whole = true;
    }

    /// Keeps names for values, which are called so where they become temporaries.
    pub fn reserve(&mut self, names: &BTreeMap<Value, String>) {
        for (value, name) in names {
            self.reserved.insert(*value, self.names.claim(name));
        }
    }

    /// An argument's name, which is used from now on.
    pub fn argument(&mut self, argument: Argument) -> &str {
        self.used.insert(argument);
        self.name_of(argument)
    }

    /// An argument's name, for the signature.
    pub fn name_of(&self, argument: Argument) -> &str {
        self.arguments.get(&argument).map_or("", String::as_str)
    }

    /// Whether the body reads an argument.
    pub fn uses(&self, argument: Argument) -> bool {
        self.used.contains(&argument)
    }

    /// How an input is read; `None` if the module doesn't have it.
    pub fn input(&mut self, slot: Slot) -> Option<Expr> {
        let groups = self.module.groups;
        let index = slot.index as usize;
        let extra = self.function.extra_args.iter();
        if let Some((position, argument)) = extra.enumerate().find(|(_, a)| a.group == slot.group) {
            return (index < argument.length).then(|| {
                let array = Expr::variable(self.argument(Argument::Extra(position)));
                match argument.fields.get(index) {
                    Some(field) => array.field(field).constant(),
                    None => array.entry(&format!("[{index}]")),
                }
            });
        }
        if slot.group == groups.time {
            return (index == 0).then(|| Expr::variable(self.argument(Argument::Time)));
        }
        if slot.group == groups.state {
            let name = self.state.get(index)?.clone();
            self.used.insert(Argument::State);
            self.used_state.insert(index);
            return Some(Expr::variable(name));
        }
        let (argument, field) = if slot.group == groups.params {
            (Argument::Params, self.params.get(index)?.clone())
        } else if slot.group == groups.inputs {
            (Argument::Inputs, self.inputs.get(index)?.clone())
        } else {
            return None;
        };
        Some(
            Expr::variable(self.argument(argument))
                .field(&field)
                .constant(),
        )
    }

    /// The locals that hold entries of the state, in order: name and index.
    pub fn state_locals(&self) -> impl Iterator<Item = (&str, usize)> {
        let used = self.used_state.iter();
        used.filter_map(|&index| Some((self.state.get(index)?.as_str(), index)))
    }

    /// How many entries the state has.
    pub fn states(&self) -> usize {
        self.state.len()
    }

    /// Whether some name in the function isn't snake case.
    pub fn is_unusual(&self) -> bool {
        let arguments = self.arguments.values().map(String::as_str);
        let locals = self.state_locals().map(|(name, _)| name);
        !arguments.chain(locals).all(is_snake)
    }

    /// A name of its own for something that isn't a value, such as the result array.
    pub fn claim(&mut self, wanted: &str) -> String {
        self.names.claim(wanted)
    }

    /// A name for a temporary that is a result: the hint, or what the result is called.
    pub fn result(&mut self, value: Value, wanted: &str) -> String {
        if self.module.graph.name_of(value).is_some() {
            return self.temporary(value, wanted);
        }
        let name = self.names.claim(wanted);
        self.stems.insert(value, stem(&name));
        name
    }

    /// A name for a temporary: the hint, what it is made of, or `label` with letters that belong to its content.
    pub fn temporary(&mut self, value: Value, label: &str) -> String {
        if let Some(name) = self.reserved.get(&value) {
            self.stems.insert(value, stem(name));
            return name.clone();
        }
        let graph = &self.module.graph;
        if let Some(hint) = graph.name_of(value).map(snake)
            && hint.len() <= LONGEST_HINT
        {
            let name = self.names.claim(&hint);
            self.stems.insert(value, stem(&name));
            return name;
        }
        let description = Description {
            module: self.module,
            stems: &self.stems,
            whole: self.whole,
            depth: Cell::default(),
        };
        if let Some(description) = description.of(value) {
            return self.names.claim(&snake(&description));
        }
        // Where two are alike, the second one is told by what lies deeper.
        let depths = [DEEPEST, 2 * DEEPEST, 4 * DEEPEST].into_iter();
        let mut wanted =
            depths.map(|depth| snake(&format!("{label}_{}", self.content.code(value, depth))));
        let first = wanted.next().unwrap_or_default();
        let free = if self.names.contains(&first) {
            wanted.find(|name| !self.names.contains(name))
        } else {
            None
        };
        self.names.claim(&free.unwrap_or(first))
    }
}
