//! Functions of many states at once: columns of numbers in, columns out, in a form that compilers turn into vector instructions.
//!
//! For a function `f` there are written: `f_batch`, what users call; `f_lanes`, for some states whose number the compiler knows; `f_blocks`, which cuts columns into blocks, and `f_rest` for what is left; `f_block`, which
//! takes a block through the stages of [`split`], each stage a loop over the lanes; one function for each stage's arithmetic, inlined into
//! its loop; `f_one`, one state by `f` itself, for a state that a check refuses.

mod block;
mod blocks;
mod columns;
mod lanes;
mod one;
mod split;
mod whole;

pub use columns::{Columns, ITEMS, fixed};

use super::arrangement::{Needs, is_fallible};
use super::error::EmitError;
use super::layout::Writer;
use super::module::{EmittedFunction, ExtraArgument, Module, Shape};
use super::scope::{Argument, FieldNames, field_names};
use crate::ir::{Op, Value};
use split::Split;

/// The functions that are written for many states.
pub fn functions(module: &Module) -> impl Iterator<Item = &EmittedFunction> {
    let wanted = module.functions.iter();
    let wanted = wanted.filter(|f| module.batch.contains(&f.name) && f.extra_args.is_empty());
    wanted.filter(|f| !f.output.is_empty() && !module.state.is_empty())
}

/// What the functions of many states read of the model: what depends on parameters alone, single parameters included.
pub fn needs(module: &Module) -> Needs {
    let mut needs = Needs::default();
    for function in functions(module) {
        if let Some(split) = split::split(module, &function.body) {
            needs.add(module, &split.constants);
        }
    }
    needs
}

/// The names of all items that belong to a function.
pub fn names(name: &str) -> [String; 6] {
    ["batch", "block", "blocks", "lanes", "one", "rest"].map(|end| format!("{name}_{end}"))
}

/// Writes a function of many states; `held`: what the model holds.
///
/// # Errors
/// What the function asks for and the module doesn't have.
pub fn batch(
    module: &Module,
    function: &EmittedFunction,
    held: &FieldNames,
    out: &mut Writer,
) -> Result<(), EmitError> {
    let split = split::split(module, &function.body);
    let constants = split.as_ref().map(|stages| stages.constants.as_slice());
    let mut writing = Writing {
        module,
        function,
        length: function.output.len(),
        number: module.scalar.type_name(),
        fallible: is_fallible(module, function),
        held: fields(module, held, constants.unwrap_or_default()),
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

/// Which field of the model each constant is.
fn fields(module: &Module, names: &FieldNames, constants: &[Value]) -> Vec<String> {
    let field = |value: &Value| match module.graph.op(*value) {
        Op::Input(slot) => names.params.get(&slot.index).cloned(),
        _ => names.values.get(value).cloned(),
    };
    constants.iter().filter_map(field).collect()
}

/// A function that is being written.
struct Writing<'m> {
    module: &'m Module,
    function: &'m EmittedFunction,
    /// How many numbers a result has, the rows of a matrix one after another.
    length: usize,
    /// The type of numbers.
    number: &'static str,
    fallible: bool,
    /// The fields of the model that stages read.
    held: Vec<String>,
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
        self.batch(Way::Blocks);
        // The blocks stand behind what calls them.
        let before = std::mem::take(self.out);
        self.block(split)?;
        let block = std::mem::replace(self.out, before).finish();
        self.lanes_function(split);
        self.blocks(split);
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

    /// The arguments that the functions of this family have in common, with their types.
    fn arguments(&self) -> Vec<(&'static str, String)> {
        let number = self.number;
        let mut list = vec![
            ("model", "&Model".to_owned()),
            ("t", format!("&[{number}]")),
            ("states", format!("&[&[{number}]; STATES]")),
        ];
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
        let list = self.arguments().into_iter();
        list.map(|(name, _)| name.to_owned()).collect()
    }

    fn typed(&self) -> Vec<String> {
        typed(&self.arguments())
    }

    /// In which order the entries of a result are counted, where that is not plain.
    fn order(&self) -> &'static str {
        match self.function.output {
            Shape::Matrix(..) => ", row by row",
            _ => "",
        }
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

    /// The arguments of a block as they are passed.
    fn to_block(&self, passed: impl Fn(&str) -> String) -> Vec<String> {
        let names = self.block_arguments.iter();
        names
            .map(|(name, _)| match *name {
                "state" | "input" => format!("&{name}"),
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
