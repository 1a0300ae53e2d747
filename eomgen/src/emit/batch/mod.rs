//! Functions of many states at once: columns of numbers in, columns out, in a form that compilers turn into vector instructions.
//!
//! For a function `f` there are written: `f_batch`, what users call, and `f_batch_prepared` where there are prepared parameters; `f_lanes`, for
//! some states whose number the compiler knows; `f_blocks`, which cuts columns into blocks, and `f_rest` for what is left; `f_block`, which
//! takes a block through the stages of [`split`], each stage a loop over the lanes; one function for each stage's arithmetic, inlined into
//! its loop; `f_one`, one state by `f` itself, for a state that a check refuses.

mod block;
mod columns;
mod split;

pub use columns::{Columns, ITEMS};

use super::body::{is_fallible, prepared_name};
use super::error::EmitError;
use super::layout::{Item, Writer};
use super::module::{EmittedFunction, ExtraArgument, Module, Shape};
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

/// Writes a function of many states. `made` is what makes its prepared parameters, if it has a twin that takes them, and what these are
/// called.
///
/// # Errors
/// What the function asks for and the module doesn't have.
pub fn batch(
    module: &Module,
    function: &EmittedFunction,
    length: usize,
    made: Option<(String, &PreparedNames)>,
    out: &mut Writer,
) -> Result<(), EmitError> {
    let mut split = split::split(module, &function.body, made.is_some());
    let (made, prepared) = match (made, &split) {
        (Some((made, names)), Some(stages)) => {
            let fields = fields(module, names, &stages.constants);
            (fields.is_some().then_some(made), fields)
        }
        (Some((made, _)), None) => (Some(made), Some(Vec::new())),
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

    /// The function that users call, and its twin.
    fn batch(&mut self, way: Way) {
        let name = self.function.name.clone();
        let mut docs = vec![
            format!(
                "[`{name}`] of many states, column by column: `states[i][k]` is entry `i` of state `k`, and"
            ),
            "`out[i][k]` entry `i` of its result.".to_owned(),
        ];
        if way == Way::Each {
            docs.extend([
                String::new(),
                "A numerical routine goes state by state: no faster than a loop.".to_owned(),
            ]);
        }
        docs.extend([
            String::new(),
            "All columns are of the same length; a column of `t` or of the inputs may have one entry for all.".to_owned(),
            String::new(),
            "# Errors".to_owned(),
            String::new(),
            "[`BatchError::Length`], with nothing written, for a column of another length.".to_owned(),
        ]);
        if self.fallible {
            docs.extend([
                format!("[`BatchError::Singular`] with the first state at which [`{name}`] fails. The results of all"),
                "such states are NaN, those of all others are there.".to_owned(),
            ]);
        }
        self.out.docs(&docs);
        let mut own = self.name("batch");
        if let Some(made) = self.made.clone() {
            let twin = self.name("batch_prepared");
            self.out.line("#[inline]");
            let given = self.arguments(Some(("p", "&Params".to_owned())));
            self.public(&own, &given);
            let passed = self.passed().into_iter().map(|name| match name.as_str() {
                "prepared" => format!("&{made}"),
                _ => name,
            });
            self.out.statement(&twin, &passed.collect::<Vec<_>>(), "");
            self.out.close("}");
            self.out.blank();
            self.out.docs(&[
                format!("[`{own}`] of prepared parameters: the same numbers, and what depends on parameters"),
                "alone is not computed again.".to_owned(),
                String::new(),
                "# Errors".to_owned(),
                String::new(),
                format!("As [`{own}`]."),
            ]);
            own = twin;
        }
        if way == Way::Blocks {
            self.out.line("#[inline]");
        }
        self.public(&own, &self.arguments(self.params()));
        self.out.line("let count = states[0].len();");
        let given = if self.module.inputs.is_empty() {
            "&[]"
        } else {
            "inputs"
        };
        self.out
            .line(&format!("batch_lengths(count, t, states, {given}, out)?;"));
        match way {
            Way::Each => self.each(),
            Way::Blocks => self.widths(),
        }
        self.out.close("}");
        self.out.blank();
    }

    fn public(&mut self, name: &str, arguments: &[(&'static str, String)]) {
        self.allow(arguments.len(), false);
        let head = format!("pub fn {name}");
        self.out
            .signature(&head, &typed(arguments), " -> Result<(), BatchError> {");
        self.out.indent();
    }

    /// All states, each by itself.
    fn each(&mut self) {
        if self.fallible {
            self.out.line("let mut singular = None;");
        }
        self.out.open("for index in 0..count {");
        let mut passed = self.passed();
        passed.insert(0, "index".to_owned());
        let one = self.name("one");
        self.call(&one, &passed);
        self.out.close("}");
        self.end();
    }

    /// Blocks of many, then blocks of few.
    fn widths(&mut self) {
        let [blocks, rest] = ["blocks", "rest"].map(|end| self.name(end));
        let own = self.passed();
        let with = |first: &str| -> Vec<String> {
            let first = std::iter::once(first.to_owned());
            first.chain(own.iter().cloned()).collect()
        };
        if self.fallible {
            self.out.line("let mut singular = None;");
        }
        self.out.line("let many = count / MANY_LANES;");
        self.out.open("if many > 0 {");
        self.call(&format!("{blocks}::<MANY_LANES>"), &with("0..many"));
        self.out.close("}");
        self.out.line("let first = many * MANY_LANES;");
        self.out.open("if count - first > 2 * FEW_LANES {");
        self.call(&format!("{rest}::<MANY_LANES>"), &with("first"));
        self.out.close("} else {");
        self.out.indent();
        self.out
            .line("let few = first / FEW_LANES..count / FEW_LANES;");
        self.out.line("let first = few.end * FEW_LANES;");
        self.out.open("if !few.is_empty() {");
        self.call(&format!("{blocks}::<FEW_LANES>"), &with("few"));
        self.out.close("}");
        self.out.open("if first < count {");
        self.call(&format!("{rest}::<FEW_LANES>"), &with("first"));
        self.out.close("}");
        self.out.close("}");
        self.end();
    }

    fn end(&mut self) {
        match self.fallible {
            true => self.out.line("singular.map_or(Ok(()), Err)"),
            false => self.out.line("Ok(())"),
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

    /// Some states whose number the compiler knows.
    fn lanes_function(&mut self, split: &Split, constants: Option<&Called>) {
        let (number, length) = (self.number, self.length);
        let name = &self.function.name;
        let mut docs = vec![
            format!(
                "[`{name}`] of `W` states side by side: `states[i][k]` is entry `i` of state `k`, and `out[i][k]` entry"
            ),
            format!(
                "`i` of its result. The numbers of [`{name}_batch`], without columns whose lengths have to be looked at."
            ),
        ];
        if self.fallible {
            docs.extend([
                String::new(),
                "# Errors".to_owned(),
                String::new(),
                format!("[`BatchError::Singular`] with the first state at which [`{name}`] fails. The results of all"),
                "such states are NaN, those of all others are there.".to_owned(),
            ]);
        }
        let mut given = vec![
            ("t", format!("&[{number}; W]")),
            ("states", format!("&[[{number}; W]; STATES]")),
        ];
        given.extend(self.params());
        if !self.module.inputs.is_empty() {
            let count = self.module.inputs.len();
            given.push(("inputs", format!("&[[{number}; W]; {count}]")));
        }
        if !self.module.functions_trait.is_empty() {
            given.push(("functions", "&impl Functions".to_owned()));
        }
        given.push(("out", format!("&mut [[{number}; W]; {length}]")));
        let reads: Vec<&str> = self.block_arguments.iter().map(|(name, _)| *name).collect();
        let special = self.fallible;
        let unused = !special
            && given.iter().any(|(name, _)| {
                let inside = match *name {
                    "t" => "time",
                    "states" => "state",
                    "inputs" => "input",
                    "out" => "results",
                    "p" if constants.is_some() => "constants",
                    name => name,
                };
                !reads.contains(&inside)
            });
        self.out.docs(&docs);
        self.out.line("#[inline]");
        if unused {
            self.out.line("#[allow(unused_variables)]");
        }
        self.allow(given.len(), false);
        let result = match self.fallible {
            true => " -> Result<(), BatchError> {",
            false => " {",
        };
        let head = format!("pub fn {}<const W: usize>", self.name("lanes"));
        self.out.signature(&head, &typed(&given), result);
        self.out.indent();
        self.constants_once(constants);
        let groups = self.module.groups;
        for (group, name, from) in [
            (groups.state, "state", "states"),
            (groups.inputs, "input", "inputs"),
        ] {
            let entries = block::read(split, group);
            if !entries.is_empty() {
                let items = entries.iter().map(|k| format!("&{from}[{k}]"));
                self.out
                    .array(&format!("let {name} = "), &Item::texts(items), ";");
            }
        }
        let passed = self.to_block(|name| match name {
            "time" => "t".to_owned(),
            "results" => "out".to_owned(),
            name => name.to_owned(),
        });
        self.run_block(&passed);
        if self.fallible {
            self.out.open("if all_sound(&sound) {");
            self.out.line("return Ok(());");
            self.out.close("}");
            self.out
                .line("let states = states.each_ref().map(|column| &column[..]);");
            if !self.module.inputs.is_empty() {
                self.out
                    .line("let inputs = inputs.each_ref().map(|column| &column[..]);");
            }
            self.out
                .line("let mut out = out.each_mut().map(|column| &mut column[..]);");
            let passed = self.passed().into_iter().map(|name| match name.as_str() {
                "states" | "inputs" => format!("&{name}"),
                "out" => "&mut out".to_owned(),
                _ => name,
            });
            let passed: Vec<String> = passed.collect();
            self.out.line("let mut singular = None;");
            self.unsound("lane", &passed);
            self.end();
        }
        self.out.close("}");
        self.out.blank();
    }

    /// The states of a range, block by block.
    fn blocks(&mut self, split: &Split, constants: Option<&Called>) {
        let mut given = typed(&self.arguments(self.params()));
        given.insert(0, "range: core::ops::Range<usize>".to_owned());
        let reads: Vec<&str> = self.block_arguments.iter().map(|(name, _)| *name).collect();
        let groups = self.module.groups;
        let none = |group| block::read(split, group).is_empty();
        let unused = !self.fallible
            && (none(groups.time)
                || none(groups.state)
                || self.prepared.is_none()
                    && !self.module.no_params
                    && !reads.contains(&"p")
                    && !constants.is_some_and(|c| c.arguments.contains(&Argument::Params))
                || !self.module.inputs.is_empty() && none(groups.inputs)
                || !self.module.functions_trait.is_empty() && !reads.contains(&"functions"));
        let result = if self.fallible {
            " -> Option<BatchError> {"
        } else {
            " {"
        };
        self.out
            .docs(&["The blocks of a range, each of `W` states.".to_owned()]);
        self.allow(given.len(), false);
        if unused {
            self.out.line("#[allow(unused_variables)]");
        }
        let head = format!("fn {}<const W: usize>", self.name("blocks"));
        self.out.signature(&head, &given, result);
        self.out.indent();
        self.constants_once(constants);
        let zero = self.module.scalar.literal(0.0);
        let mut inside = Vec::new();
        let of_state = block::read(split, groups.state);
        if !of_state.is_empty() {
            let items = of_state.iter().map(|k| format!("states[{k}]"));
            self.out
                .array("let state_columns = ", &Item::texts(items), ";");
            self.out
                .line("let state_blocks = state_columns.map(|column| column.as_chunks().0);");
            inside.push("let state = state_blocks.map(|blocks| &blocks[at]);");
        }
        if !none(groups.time) {
            self.out.line("let time_copies = [splat(t)];");
            self.out
                .line("let [time_blocks] = spread([t], &time_copies);");
            inside.push("let time = &time_blocks[at.min(time_blocks.len() - 1)];");
        }
        let of_inputs = block::read(split, groups.inputs);
        if !of_inputs.is_empty() {
            let items = of_inputs.iter().map(|k| format!("inputs[{k}]"));
            self.out
                .array("let input_columns = ", &Item::texts(items), ";");
            self.out
                .line("let input_copies = input_columns.map(splat);");
            self.out
                .line("let input_blocks = spread(input_columns, &input_copies);");
            inside
                .push("let input = input_blocks.map(|blocks| &blocks[at.min(blocks.len() - 1)]);");
        }
        let length = self.length;
        self.out
            .line(&format!("let mut results = [[{zero}; W]; {length}];"));
        if self.fallible {
            self.out.line("let mut singular = None;");
        }
        self.out.open("for at in range {");
        for line in inside {
            self.out.line(line);
        }
        let passed = self.to_block(|name| match name {
            "results" => "&mut results".to_owned(),
            name => name.to_owned(),
        });
        self.run_block(&passed);
        self.out
            .open("for (column, values) in out.iter_mut().zip(&results) {");
        self.out.line("column.as_chunks_mut().0[at] = *values;");
        self.out.close("}");
        if self.fallible {
            self.out.open("if !all_sound(&sound) {");
            self.unsound("at * W + lane", &self.passed());
            self.out.close("}");
        }
        self.out.close("}");
        if self.fallible {
            self.out.line("singular");
        }
        self.out.close("}");
        self.out.blank();
    }

    /// What is left behind the last whole block.
    fn rest(&mut self) {
        let mut given = typed(&self.arguments(self.params()));
        given.insert(0, "first: usize".to_owned());
        let result = if self.fallible {
            " -> Option<BatchError> {"
        } else {
            " {"
        };
        let docs = "The states from `first` on, fewer than `W`.";
        self.out.docs(&[docs.to_owned()]);
        self.allow(given.len(), false);
        let head = format!("fn {}<const W: usize>", self.name("rest"));
        self.out.signature(&head, &given, result);
        self.out.indent();
        self.out
            .line("let states = states.map(|column| padded(column, first));");
        if !self.module.inputs.is_empty() {
            self.out
                .line("let inputs = inputs.map(|column| padded(column, first));");
        }
        let (zero, length) = (self.module.scalar.literal(0.0), self.length);
        self.out
            .line(&format!("let mut results = [[{zero}; W]; {length}];"));
        let passed = self.passed().into_iter().map(|name| match name.as_str() {
            "t" => "&padded(t, first)".to_owned(),
            "states" | "inputs" => format!("&{name}"),
            "out" => "&mut results".to_owned(),
            _ => name,
        });
        let passed: Vec<String> = passed.collect();
        let lanes = self.name("lanes");
        match self.fallible {
            true => self.out.apply("let said =", &lanes, &passed),
            false => self.out.statement(&lanes, &passed, ";"),
        }
        self.out
            .open("for (column, values) in out.iter_mut().zip(&results) {");
        self.out.line("let left = &mut column[first..];");
        self.out
            .line("left.copy_from_slice(&values[..left.len()]);");
        self.out.close("}");
        if self.fallible {
            self.out.open("said.err().map(|error| match error {");
            self.out
                .open("BatchError::Singular { index, singular } => BatchError::Singular {");
            self.out.line("index: first + index,");
            self.out.line("singular,");
            self.out.close("},");
            self.out.line("length => length,");
            self.out.close("})");
        }
        self.out.close("}");
        self.out.blank();
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
        match self.fallible {
            true => self.out.apply("let sound =", &block, passed),
            false => self.out.statement(&block, passed, ";"),
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

    /// One state by the plain function.
    fn one(&mut self) {
        let result = if self.fallible {
            " -> Option<BatchError> {"
        } else {
            " {"
        };
        let mut typed = self.typed();
        typed.insert(0, "index: usize".to_owned());
        let mut passed = vec!["entry(t, index)".to_owned(), "&state".to_owned()];
        let name = match self.prepared {
            Some(_) => prepared_name(&self.function.name),
            None => self.function.name.clone(),
        };
        self.out.docs(&[format!("State `index` by [`{name}`].")]);
        self.out.line("#[cold]");
        self.allow(typed.len(), false);
        let head = format!("fn {}", self.name("one"));
        self.out.signature(&head, &typed, result);
        self.out.indent();
        self.out
            .line("let state = core::array::from_fn(|k| states[k][index]);");
        passed.extend(self.params().map(|(name, _)| name.to_owned()));
        if !self.module.inputs.is_empty() {
            let fields = self.input_fields(|k| format!("entry(inputs[{k}], index)"));
            self.out
                .struct_literal_as("let inputs =", "Inputs", &fields, ";");
            passed.push("&inputs".to_owned());
        }
        if !self.module.functions_trait.is_empty() {
            passed.push("functions".to_owned());
        }
        let head = if self.fallible {
            "let result ="
        } else {
            "let values ="
        };
        self.out.apply(head, &name, &passed);
        if self.fallible {
            let (number, length) = (self.number, self.length);
            self.out.line(&format!(
                "let values = result.unwrap_or([{number}::NAN; {length}]);"
            ));
        }
        self.out
            .open("for (column, value) in out.iter_mut().zip(values) {");
        self.out.line("column[index] = value;");
        self.out.close("}");
        if self.fallible {
            self.out.line("let singular = result.err()?;");
            self.out
                .line("Some(BatchError::Singular { index, singular })");
        }
        self.out.close("}");
        self.out.blank();
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
