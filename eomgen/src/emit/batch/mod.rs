//! Functions of many states at once: columns of numbers in, columns out, in a form that compilers turn into vector instructions.
//!
//! For a function `f` there are written: `f_batch`, what users call, and `f_batch_prepared` where there are prepared parameters; `f_lanes`, for
//! some states whose number the compiler knows; `f_blocks`, which cuts columns into blocks, and `f_rest` for what is left; `f_block`, which
//! takes a block through the stages of [`split`], each stage a loop over the lanes; one function for each stage's arithmetic, inlined into
//! its loop; `f_one`, one state by `f` itself, for a state that a check refuses.

mod block;
mod blocks;
mod columns;
mod lanes;
mod one;
mod split;
mod whole;

pub use columns::{Columns, ITEMS};

use super::arrangement::{Needs, is_fallible};
use super::error::EmitError;
use super::layout::Writer;
use super::module::{EmittedFunction, ExtraArgument, Module, Shape};
use super::prepared::Prepared;
use super::scope::{Argument, PreparedNames, field_names};
use crate::ir::{Op, Value};
use split::Split;

/// The functions that are written for many states, with the length of their results.
pub fn functions(module: &Module) -> impl Iterator<Item = (&EmittedFunction, usize)> {
    let wanted = module.functions.iter();
    let wanted = wanted.filter(|f| module.batch.contains(&f.name) && f.extra_args.is_empty());
    wanted.filter_map(|f| match f.output {
        Shape::Array(length) if length > 0 && !module.state.is_empty() => Some((f, length)),
        _ => None,
    })
}

/// The names of all items that belong to a function.
pub fn names(name: &str) -> [String; 8] {
    [
        "batch",
        "batch_prepared",
        "block",
        "blocks",
        "constants",
        "lanes",
        "one",
        "rest",
    ]
    .map(|end| format!("{name}_{end}"))
}

/// Writes a function of many states. `given`: the module's prepared parameters and what the function reads of them, if it has a variant that
/// takes them.
///
/// # Errors
/// What the function asks for and the module doesn't have.
pub fn batch(
    module: &Module,
    function: &EmittedFunction,
    length: usize,
    given: Option<(&Prepared, &Needs)>,
    out: &mut Writer,
) -> Result<(), EmitError> {
    let mut split = split::split(module, &function.body, given.is_some());
    let (made, prepared) = match (given, &split) {
        (Some((all, needs)), Some(stages)) => {
            let fields = fields(module, &all.names, &stages.constants);
            let needs = needs.with(module, &stages.constants);
            (fields.is_some().then(|| all.made_for(&needs)), fields)
        }
        (Some((all, needs)), None) => (Some(all.made_for(needs)), Some(Vec::new())),
        (None, _) => (None, None),
    };
    if prepared.is_none() {
        split = split::split(module, &function.body, false);
    }
    let mut writing = Writing {
        module,
        function,
        length,
        number: module.scalar.type_name(),
        fallible: is_fallible(module, function),
        made,
        prepared,
        constants: 0,
        block_arguments: Vec::new(),
        parts: Writer::new(),
        part_count: 0,
        out,
    };
    match split {
        Some(split) => writing.in_blocks(&split),
        None => {
            writing.batch(Way::Each);
            writing.one();
            Ok(())
        }
    }
}

/// Which field of the prepared parameters each constant is; `None` unless all are there.
fn fields(module: &Module, names: &PreparedNames, constants: &[Value]) -> Option<Vec<String>> {
    let field = |value: &Value| match module.graph.op(*value) {
        Op::Input(slot) => names.params.get(&slot.index).cloned(),
        _ => names.values.get(value).cloned(),
    };
    constants.iter().map(field).collect()
}

/// A function that is being written.
struct Writing<'m> {
    module: &'m Module,
    function: &'m EmittedFunction,
    length: usize,
    /// The type of numbers.
    number: &'static str,
    fallible: bool,
    /// What makes the prepared parameters out of `p`.
    made: Option<String>,
    /// The fields of the prepared parameters that stages read.
    prepared: Option<Vec<String>>,
    /// How many numbers are worked out once, where parameters are not prepared.
    constants: usize,
    /// What a block takes: names and types.
    block_arguments: Vec<(&'static str, String)>,
    /// The functions of the stages.
    parts: Writer,
    part_count: usize,
    out: &'m mut Writer,
}

/// What a part's function is called with.
struct Called {
    name: String,
    arguments: Vec<Argument>,
    /// The extra arguments in their order.
    extra: Vec<ExtraArgument>,
}

/// How many states are gone through.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Each by itself.
    Each,
    /// Some side by side.
    Blocks,
}

impl Writing<'_> {
    fn in_blocks(&mut self, split: &Split) -> Result<(), EmitError> {
        let constants = match (&self.prepared, split.once.outputs.len()) {
            (Some(_), _) | (_, 0) => None,
            (None, count) => {
                self.constants = count;
                Some(self.part(&split.once, split, "constants")?)
            }
        };
        self.batch(Way::Blocks);
        // The blocks stand behind what calls them.
        let before = std::mem::take(self.out);
        self.block(split)?;
        let block = std::mem::replace(self.out, before).finish();
        self.lanes_function(split, constants.as_ref());
        self.blocks(split, constants.as_ref());
        self.rest();
        self.out.verbatim(&block);
        self.out.blank();
        self.one();
        let parts = std::mem::take(&mut self.parts).finish();
        self.out.verbatim(&parts);
        self.out.blank();
        Ok(())
    }

    fn name(&self, end: &str) -> String {
        format!("{}_{end}", self.function.name)
    }

    /// The parameters as functions take them, prepared where that is possible.
    fn params(&self) -> Option<(&'static str, String)> {
        match (&self.prepared, self.module.no_params) {
            (Some(_), _) => Some(("prepared", "&Prepared".to_owned())),
            (None, false) => Some(("p", "&Params".to_owned())),
            (None, true) => None,
        }
    }

    /// The arguments that the functions of this family have in common, with their types; parameters as they are given.
    fn arguments(&self, params: Option<(&'static str, String)>) -> Vec<(&'static str, String)> {
        let number = self.number;
        let mut list = vec![
            ("t", format!("&[{number}]")),
            ("states", format!("&[&[{number}]; STATES]")),
        ];
        list.extend(params);
        if !self.module.inputs.is_empty() {
            let count = self.module.inputs.len();
            list.push(("inputs", format!("&[&[{number}]; {count}]")));
        }
        if !self.module.functions_trait.is_empty() {
            list.push(("functions", "&impl Functions".to_owned()));
        }
        list.push(("out", format!("&mut [&mut [{number}]; {}]", self.length)));
        list
    }

    fn passed(&self) -> Vec<String> {
        let list = self.arguments(self.params()).into_iter();
        list.map(|(name, _)| name.to_owned()).collect()
    }

    fn typed(&self) -> Vec<String> {
        typed(&self.arguments(self.params()))
    }

    fn end(&mut self) {
        if self.fallible {
            self.out.line("singular.map_or(Ok(()), Err)")
        } else {
            self.out.line("Ok(())")
        }
    }

    /// A call as a statement; the first failure is remembered.
    fn call(&mut self, function: &str, arguments: &[String]) {
        if self.fallible {
            self.out.apply("let failed =", function, arguments);
            self.out.line("singular = singular.or(failed);");
        } else {
            self.out.statement(function, arguments, ";");
        }
    }

    fn constants_once(&mut self, constants: Option<&Called>) {
        if let Some(called) = constants {
            let arguments = called.arguments.iter().map(|argument| match argument {
                Argument::Params => "p".to_owned(),
                _ => String::new(),
            });
            let arguments: Vec<String> = arguments.collect();
            self.out.apply("let constants =", &called.name, &arguments);
        }
    }

    /// The arguments of a block as they are passed.
    fn to_block(&self, passed: impl Fn(&str) -> String) -> Vec<String> {
        let names = self.block_arguments.iter();
        names
            .map(|(name, _)| match *name {
                "state" | "input" | "constants" => format!("&{name}"),
                name => passed(name),
            })
            .collect()
    }

    fn run_block(&mut self, passed: &[String]) {
        let block = self.name("block");
        if self.fallible {
            self.out.apply("let sound =", &block, passed)
        } else {
            self.out.statement(&block, passed, ";")
        }
    }

    /// The states of a block that are not sound, by themselves.
    fn unsound(&mut self, index: &str, passed: &[String]) {
        let mut passed = passed.to_vec();
        passed.insert(0, index.to_owned());
        self.out
            .open("for (lane, &sound) in sound.iter().enumerate() {");
        let one = self.module.scalar.literal(1.0);
        self.out.open(&format!("if sound != {one} {{"));
        let name = self.name("one");
        self.call(&name, &passed);
        self.out.close("}");
        self.out.close("}");
    }

    fn allow(&mut self, arguments: usize, lanes: bool) {
        let lints = [
            (arguments > 7, "clippy::too_many_arguments"),
            (lanes, "clippy::needless_range_loop"),
        ];
        let lints = lints.iter().filter(|lint| lint.0).map(|lint| lint.1);
        let lints: Vec<&str> = lints.collect();
        if !lints.is_empty() {
            self.out.line(&format!("#[allow({})]", lints.join(", ")));
        }
    }

    /// The fields of `Inputs` with these values.
    fn input_fields(&self, value: impl Fn(usize) -> String) -> Vec<String> {
        let names = field_names(self.module.inputs.iter().map(|f| f.name.as_str()));
        let fields = names.iter().enumerate();
        fields
            .map(|(k, name)| format!("{name}: {}", value(k)))
            .collect()
    }
}

fn typed(arguments: &[(&'static str, String)]) -> Vec<String> {
    let list = arguments.iter();
    list.map(|(name, of)| format!("{name}: {of}")).collect()
}
