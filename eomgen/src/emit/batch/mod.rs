//! Functions of many states at once: columns of numbers in, columns out, in a form that compilers turn into vector instructions.
//!
//! For a function `f` there are written: `f_batch`, what users call; `f_block`, which takes a few states through the stages of
//! [`split`], each stage a loop over the lanes; one function for each stage's arithmetic, inlined into its loop; `f_one`, one state
//! by `f` itself, for a state that a check or an angle beyond all bounds makes special.

mod columns;
mod split;

pub use columns::{Columns, ITEMS};

use super::body::is_fallible;
use super::error::EmitError;
use super::function;
use super::layout::{Item, Writer};
use super::module::{EmittedFunction, ExtraArgument, Module, Shape};
use super::scope::{Argument, field_names};
use crate::ir::{Function, Graph, Op, Slot};
use split::{Part, Place, Split};

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
pub fn names(name: &str) -> [String; 4] {
    ["batch", "block", "constants", "one"].map(|end| format!("{name}_{end}"))
}

/// Writes a function of many states.
///
/// # Errors
/// What the function asks for and the module doesn't have.
pub fn batch(
    module: &Module,
    function: &EmittedFunction,
    length: usize,
    out: &mut Writer,
) -> Result<(), EmitError> {
    let split = split::split(module, &function.body);
    let mut writing = Writing {
        module,
        function,
        length,
        number: module.scalar.type_name(),
        fallible: is_fallible(module, function),
        constants: 0,
        parts: Writer::new(),
        part_count: 0,
        out,
    };
    match split {
        Some(split) => writing.blocks(&split),
        None => {
            writing.batch(None);
            writing.one();
            Ok(())
        }
    }
}

/// A function that is being written.
struct Writing<'m> {
    module: &'m Module,
    function: &'m EmittedFunction,
    length: usize,
    /// The type of numbers.
    number: &'static str,
    fallible: bool,
    /// How many numbers are worked out once.
    constants: usize,
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

impl Writing<'_> {
    fn blocks(&mut self, split: &Split) -> Result<(), EmitError> {
        self.constants = split.constants.outputs.len();
        let constants = match self.constants {
            0 => None,
            _ => Some(self.part(&split.constants, split, "constants")?),
        };
        self.batch(Some(constants.as_ref()));
        self.block(split)?;
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
            ("t", format!("&[{number}]")),
            ("states", format!("&[&[{number}]; STATES]")),
        ];
        if !self.module.no_params {
            list.push(("p", "&Params".to_owned()));
        }
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
        let list = self.arguments().into_iter();
        list.map(|(name, of)| format!("{name}: {of}")).collect()
    }

    /// The function that users call; `constants` says how the numbers are worked out that are worked out once, and is absent where
    /// each state goes by itself.
    fn batch(&mut self, constants: Option<Option<&Called>>) {
        let name = &self.function.name;
        let mut docs = vec![
            format!(
                "[`{name}`] of many states, column by column: `states[i][k]` is entry `i` of state `k`, and"
            ),
            "`out[i][k]` entry `i` of its result.".to_owned(),
        ];
        if constants.is_none() {
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
        let typed = self.typed();
        if typed.len() > 7 {
            self.out.line("#[allow(clippy::too_many_arguments)]");
        }
        let head = format!("pub fn {}", self.name("batch"));
        self.out
            .signature(&head, &typed, " -> Result<(), BatchError> {");
        self.out.indent();
        self.out.line("let count = states[0].len();");
        let given = if self.module.inputs.is_empty() {
            "&[]"
        } else {
            "inputs"
        };
        self.out
            .line(&format!("batch_lengths(count, t, states, {given}, out)?;"));
        let mut passed = self.passed();
        if let Some(Some(called)) = constants {
            let arguments = called.arguments.iter().map(|argument| match argument {
                Argument::Params => "p".to_owned(),
                _ => String::new(),
            });
            let arguments: Vec<String> = arguments.collect();
            self.out.apply("let constants =", &called.name, &arguments);
            passed.push("&constants".to_owned());
        }
        if self.fallible {
            self.out.line("let mut singular = None;");
        }
        let keep = if self.fallible { "let failed =" } else { "" };
        if constants.is_none() {
            self.out.open("for index in 0..count {");
            passed.insert(0, "index".to_owned());
            let one = self.name("one");
            self.call(keep, &one, &passed);
            self.keep();
            self.out.close("}");
        } else {
            passed.insert(0, "first".to_owned());
            let block = self.name("block");
            self.out.line("let mut first = 0;");
            self.out.open("while first < count {");
            self.out.open("if count - first > 2 * FEW_LANES {");
            self.call(keep, &format!("{block}::<MANY_LANES>"), &passed);
            self.keep();
            self.out.line("first += MANY_LANES;");
            self.out.close("} else {");
            self.out.indent();
            self.call(keep, &format!("{block}::<FEW_LANES>"), &passed);
            self.keep();
            self.out.line("first += FEW_LANES;");
            self.out.close("}");
            self.out.close("}");
        }
        match self.fallible {
            true => self.out.line("singular.map_or(Ok(()), Err)"),
            false => self.out.line("Ok(())"),
        }
        self.out.close("}");
        self.out.blank();
    }

    /// A call as a statement, its result kept under a name or dropped.
    fn call(&mut self, head: &str, function: &str, arguments: &[String]) {
        match head {
            "" => self.out.statement(function, arguments, ";"),
            head => self.out.apply(head, function, arguments),
        }
    }

    /// Remembers the first failure.
    fn keep(&mut self) {
        if self.fallible {
            self.out.line("singular = singular.or(failed);");
        }
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
        self.out
            .docs(&[format!("State `index` by [`{}`].", self.function.name)]);
        self.out.line("#[cold]");
        self.allow(typed.len(), false);
        let head = format!("fn {}", self.name("one"));
        self.out.signature(&head, &typed, result);
        self.out.indent();
        self.out
            .line("let state = core::array::from_fn(|k| states[k][index]);");
        if !self.module.no_params {
            passed.push("p".to_owned());
        }
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
        self.out.apply(head, &self.function.name.clone(), &passed);
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

    /// Some states through all stages.
    fn block(&mut self, split: &Split) -> Result<(), EmitError> {
        let special = split.checked || split.angles > 0;
        let mut typed = self.typed();
        typed.insert(0, "first: usize".to_owned());
        if self.constants > 0 {
            typed.push(format!("constants: &[{}; {}]", self.number, self.constants));
        }
        let result = if self.fallible {
            " -> Option<BatchError> {"
        } else {
            " {"
        };
        self.out.docs(&[
            "At most `W` states side by side, the first of them state `first`.".to_owned(),
        ]);
        let unused = self.unused(split);
        self.allow(typed.len(), true);
        if unused {
            self.out.line("#[allow(unused_variables)]");
        }
        let head = format!("fn {}<const W: usize>", self.name("block"));
        self.out.signature(&head, &typed, result);
        self.out.indent();
        self.columns(split);
        let zero = self.module.scalar.literal(0.0);
        let one = self.module.scalar.literal(1.0);
        if special {
            self.out.line(&format!("let mut sound = [{one}; W];"));
        }
        for (name, count) in [
            ("sines", split.angles),
            ("cosines", split.angles),
            ("known", split.known),
            ("results", self.length),
        ] {
            if count > 0 {
                self.out
                    .line(&format!("let mut {name} = [[{zero}; W]; {count}];"));
            }
        }
        let mut angle = 0;
        for stage in &split.stages {
            self.lanes(&stage.arithmetic, split)?;
            for &slot in &stage.angles {
                let column = self.column(split, slot);
                self.out.line(&format!(
                    "sin_cos(&{column}, &mut sound, &mut sines[{angle}], &mut cosines[{angle}]);"
                ));
                angle += 1;
            }
            self.lanes(&stage.calls, split)?;
        }
        self.out
            .open("for (column, values) in out.iter_mut().zip(&results) {");
        self.out.line("store(column, first, values);");
        self.out.close("}");
        self.special(special);
        self.out.close("}");
        self.out.blank();
        Ok(())
    }

    /// The states that are not sound, by themselves.
    fn special(&mut self, special: bool) {
        if !special {
            if self.fallible {
                self.out.line("None");
            }
            return;
        }
        if self.fallible {
            self.out.line("let mut singular = None;");
        }
        let mut passed = self.passed();
        passed.insert(0, "first + lane".to_owned());
        self.out
            .open("for lane in 0..W.min(states[0].len() - first) {");
        let one = self.module.scalar.literal(1.0);
        self.out.open(&format!("if sound[lane] != {one} {{"));
        let keep = if self.fallible { "let failed =" } else { "" };
        let name = self.name("one");
        self.call(keep, &name, &passed);
        self.keep();
        self.out.close("}");
        self.out.close("}");
        if self.fallible {
            self.out.line("singular");
        }
    }

    /// The columns that are read: copies that are as long as there are lanes.
    fn columns(&mut self, split: &Split) {
        let groups = self.module.groups;
        if !read(split, groups.time).is_empty() {
            self.out.line("let time = column::<W>(t, first);");
        }
        for (group, name, from) in [
            (groups.state, "state", "states"),
            (groups.inputs, "input", "inputs"),
        ] {
            let entries = read(split, group);
            if entries.is_empty() {
                continue;
            }
            let calls = entries
                .iter()
                .map(|k| format!("column::<W>({from}[{k}], first)"));
            self.out
                .array(&format!("let {name} = "), &Item::texts(calls), ";");
        }
    }

    /// Whether the block has an argument that it doesn't need.
    fn unused(&self, split: &Split) -> bool {
        let groups = self.module.groups;
        let special = split.checked || split.angles > 0;
        let calls = split.stages.iter().any(|s| {
            let live = s.calls.graph.live(&s.calls.outputs);
            live.iter()
                .any(|&v| matches!(s.calls.graph.op(v), Op::Call { .. }))
        });
        let none = |group| read(split, group).is_empty();
        !special
            && (none(groups.time)
                || none(groups.state)
                || !self.module.no_params && none(groups.params)
                || !self.module.inputs.is_empty() && none(groups.inputs)
                || !self.module.functions_trait.is_empty() && !calls)
    }

    /// A column of the block.
    fn column(&self, split: &Split, slot: Slot) -> String {
        let groups = self.module.groups;
        let index = slot.index as usize;
        let at = |name: &str, group| {
            let entries = read(split, group);
            let position = entries.iter().position(|&k| k == index);
            format!("{name}[{}]", position.unwrap_or(index))
        };
        match slot.group {
            group if group == groups.time => "time".to_owned(),
            group if group == groups.state => at("state", group),
            group if group == groups.inputs => at("input", group),
            split::SINES => format!("sines[{index}]"),
            split::COSINES => format!("cosines[{index}]"),
            _ => format!("known[{index}]"),
        }
    }

    /// A part, lane by lane.
    fn lanes(&mut self, part: &Part, split: &Split) -> Result<(), EmitError> {
        if part.outputs.is_empty() {
            return Ok(());
        }
        self.part_count += 1;
        let called = self.part(part, split, &format!("part_{}", self.part_count))?;
        let groups = self.module.groups;
        let zero = self.module.scalar.literal(0.0);
        let own = |group| entries(part, group);
        self.out.open("for lane in 0..W {");
        let gather = |this: &Self, group: u8, length: usize| {
            let used = own(group);
            let item = |k: usize| match used.contains(&k) {
                true => {
                    let slot = Slot {
                        group,
                        index: k as u32,
                    };
                    format!("{}[lane]", this.column(split, slot))
                }
                false => zero.clone(),
            };
            Item::texts((0..length).map(item))
        };
        let mut passed = Vec::new();
        for argument in &called.arguments {
            passed.push(match *argument {
                Argument::Time => "time[lane]".to_owned(),
                Argument::State => {
                    let items = gather(self, groups.state, self.module.state.len());
                    self.out.array("let lane_state = ", &items, ";");
                    "&lane_state".to_owned()
                }
                Argument::Inputs => {
                    let used = own(groups.inputs);
                    let fields = self.input_fields(|k| match used.contains(&k) {
                        true => {
                            let slot = Slot {
                                group: groups.inputs,
                                index: k as u32,
                            };
                            format!("{}[lane]", self.column(split, slot))
                        }
                        false => zero.clone(),
                    });
                    self.out
                        .struct_literal_as("let lane_inputs =", "Inputs", &fields, ";");
                    "&lane_inputs".to_owned()
                }
                Argument::Extra(index) => match called.extra.get(index) {
                    Some(extra) if extra.group != split::CONSTANTS => {
                        let name = format!("lane_{}", extra.name);
                        let items = gather(self, extra.group, extra.length);
                        self.out.array(&format!("let {name} = "), &items, ";");
                        format!("&{name}")
                    }
                    _ => "constants".to_owned(),
                },
                Argument::Params => "p".to_owned(),
                Argument::Functions => "functions".to_owned(),
            });
        }
        self.out.apply("let values =", &called.name, &passed);
        for (index, place) in part.to.iter().enumerate() {
            self.out.line(&match place {
                Place::Known(k) => format!("known[{k}][lane] = values[{index}];"),
                Place::Out(k) => format!("results[{k}][lane] = values[{index}];"),
                Place::Sound => format!("sound[lane] *= values[{index}];"),
            });
        }
        self.out.close("}");
        Ok(())
    }

    /// Writes the function of a part.
    fn part(&mut self, part: &Part, split: &Split, end: &str) -> Result<Called, EmitError> {
        let extra = |name: &str, group, length| ExtraArgument {
            name: name.to_owned(),
            group,
            length,
        };
        let extra = vec![
            extra("sines", split::SINES, split.angles),
            extra("cosines", split::COSINES, split.angles),
            extra("known", split::KNOWN, split.known),
            extra("constants", split::CONSTANTS, self.constants),
        ];
        let name = self.name(end);
        let labels = part.to.iter().map(|place| match place {
            Place::Out(k) if end != "constants" => self
                .function
                .output_labels
                .get(*k)
                .cloned()
                .unwrap_or_default(),
            Place::Sound => "sound".to_owned(),
            _ => String::new(),
        });
        let written = EmittedFunction {
            name: name.clone(),
            output: Shape::Array(part.outputs.len()),
            output_labels: labels.collect(),
            body: Function {
                outputs: part.outputs.clone(),
                ..Function::default()
            },
            extra_args: extra.clone(),
            ..EmittedFunction::default()
        };
        let module = Module {
            graph: part.graph.clone(),
            functions: Vec::new(),
            batch: Vec::new(),
            ..without_graph(self.module)
        };
        let docs = match end {
            "constants" => format!("What [`{}`] needs once.", self.name("batch")),
            _ => format!("One lane of a stage of [`{}`].", self.name("batch")),
        };
        let arguments = function::private(&module, &written, &docs, &mut self.parts)?;
        Ok(Called {
            name,
            arguments,
            extra,
        })
    }
}

/// The module with nothing to compute.
fn without_graph(module: &Module) -> Module {
    Module {
        name: module.name.clone(),
        params: module.params.clone(),
        no_params: module.no_params,
        inputs: module.inputs.clone(),
        state: module.state.clone(),
        groups: module.groups,
        arguments: module.arguments.clone(),
        functions_trait: module.functions_trait.clone(),
        constants: module.constants.clone(),
        graph: Graph::new(),
        math: module.math,
        scalar: module.scalar,
        ..Module::default()
    }
}

/// Which entries of an input group a part reads, in order.
fn entries(part: &Part, group: u8) -> Vec<usize> {
    let live = part.graph.live(&part.outputs);
    let slots = live.iter().filter_map(|&v| match part.graph.op(v) {
        Op::Input(slot) if slot.group == group => Some(slot.index as usize),
        _ => None,
    });
    let mut found: Vec<usize> = slots.collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Which entries of an input group all stages read, in order.
fn read(split: &Split, group: u8) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    for stage in &split.stages {
        found.extend(entries(&stage.arithmetic, group));
        found.extend(entries(&stage.calls, group));
        let angles = stage.angles.iter().filter(|slot| slot.group == group);
        found.extend(angles.map(|slot| slot.index as usize));
    }
    found.sort_unstable();
    found.dedup();
    found
}
