//! A few states through the stages: the text of `f_block`, and of the functions of its parts.

use super::split::{self, Part, Place, Split, Stage};
use super::{Called, Writing};
use crate::emit::error::EmitError;
use crate::emit::function;
use crate::emit::layout::Item;
use crate::emit::module::{EmittedFunction, ExtraArgument, Module, Shape};
use crate::emit::scope::Argument;
use crate::ir::{Function, Graph, Op, Slot};

/// Blocks with more operations for each state are not worth inlining.
const SMALL: usize = 100;

/// Whether a block is inlined.
pub(super) fn is_small(module: &Module, function: &EmittedFunction) -> bool {
    module.graph.count(&function.body.outputs).total() <= SMALL
}

/// A stage whose functions are written.
struct Written<'s> {
    stage: &'s Stage,
    arithmetic: Option<Called>,
    calls: Option<Called>,
}

impl Writing<'_> {
    /// Some states through all stages.
    pub(super) fn block(&mut self, split: &Split) -> Result<(), EmitError> {
        let mut stages = Vec::new();
        for stage in &split.stages {
            stages.push(Written {
                stage,
                arithmetic: self.written(&stage.arithmetic, split)?,
                calls: self.written(&stage.calls, split)?,
            });
        }
        let called = |written: &Written<'_>, argument| {
            let both = [&written.arithmetic, &written.calls].into_iter().flatten();
            both.into_iter()
                .any(|called| called.arguments.contains(&argument))
        };
        let reads = |argument| stages.iter().any(|written| called(written, argument));
        self.block_arguments = self.arguments_of_block(split, &reads);
        let result = if split.checked {
            format!(" -> [{}; W] {{", self.number)
        } else {
            " {".to_owned()
        };
        let mut docs = vec!["`W` states side by side.".to_owned()];
        if split.checked {
            docs = vec![
                "`W` states side by side; 1 for each whose checks hold and whose results are finite, 0 for others.".to_owned(),
            ];
        }
        self.out.docs(&docs);
        let typed = self.block_arguments.iter();
        let typed: Vec<String> = typed.map(|(name, of)| format!("{name}: {of}")).collect();
        if is_small(self.module, self.function) {
            self.out.line("#[inline(always)]");
        }
        self.allow(typed.len(), true);
        let head = format!("fn {}<const W: usize>", self.name("block"));
        self.out.signature(&head, &typed, &result);
        self.out.indent();
        let zero = self.module.scalar.literal(0.0);
        if split.checked {
            let one = self.module.scalar.literal(1.0);
            self.out.line(&format!("let mut sound = [{one}; W];"));
        }
        for (name, count) in [
            ("sines", split.angles),
            ("cosines", split.angles),
            ("known", split.known),
        ] {
            if count > 0 {
                self.out
                    .line(&format!("let mut {name} = [[{zero}; W]; {count}];"));
            }
        }
        let mut angle = 0;
        for Written {
            stage,
            arithmetic,
            calls,
        } in &stages
        {
            self.lanes(&stage.arithmetic, arithmetic.as_ref(), split);
            for &slot in &stage.angles {
                let column = self.column(split, slot);
                // The columns of what is given are references already.
                let angles = match slot.group {
                    split::KNOWN => format!("&{column}"),
                    split::SINES | split::COSINES => {
                        self.out.line(&format!("let angles = {column};"));
                        "&angles".to_owned()
                    }
                    _ => column,
                };
                self.out.line(&format!(
                    "sin_cos({angles}, &mut sines[{angle}], &mut cosines[{angle}]);"
                ));
                angle += 1;
            }
            self.lanes(&stage.calls, calls.as_ref(), split);
        }
        if split.checked {
            self.out.open("for column in results.iter() {");
            self.out
                .open("for (sound, value) in sound.iter_mut().zip(column) {");
            let number = self.number;
            self.out.line(&format!(
                "*sound *= {number}::from(u8::from(value.is_finite()));"
            ));
            self.out.close("}");
            self.out.close("}");
            self.out.line("sound");
        }
        self.out.close("}");
        self.out.blank();
        Ok(())
    }

    /// The arguments of a block, which are those that it reads, with their types.
    fn arguments_of_block(
        &self,
        split: &Split,
        reads: &impl Fn(Argument) -> bool,
    ) -> Vec<(&'static str, String)> {
        let (number, groups) = (self.number, self.module.groups);
        let mut list = Vec::new();
        if !read(split, groups.time).is_empty() {
            list.push(("time", format!("&[{number}; W]")));
        }
        let columns = |group| read(split, group).len();
        if columns(groups.state) > 0 {
            let count = columns(groups.state);
            list.push(("state", format!("&[&[{number}; W]; {count}]")));
        }
        if !self.held.is_empty() {
            list.push(("model", "&Model".to_owned()));
        }
        if columns(groups.inputs) > 0 {
            let count = columns(groups.inputs);
            list.push(("input", format!("&[&[{number}; W]; {count}]")));
        }
        if reads(Argument::Functions) {
            list.push(("functions", "&impl Functions".to_owned()));
        }
        let length = self.length;
        list.push(("results", format!("&mut [[{number}; W]; {length}]")));
        list
    }

    /// The function of a part, if it has any work.
    fn written(&mut self, part: &Part, split: &Split) -> Result<Option<Called>, EmitError> {
        if part.outputs.is_empty() {
            return Ok(None);
        }
        self.part_count += 1;
        let end = format!("stage_{}", self.part_count);
        self.part(part, split, &end).map(Some)
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
    fn lanes(&mut self, part: &Part, called: Option<&Called>, split: &Split) {
        let Some(called) = called else { return };
        let groups = self.module.groups;
        let zero = self.module.scalar.literal(0.0);
        let own = |group| entries(part, group);
        self.out.open("for lane in 0..W {");
        let gather = |this: &Self, group: u8, length: usize| {
            let used = own(group);
            let item = |k: usize| {
                if used.contains(&k) {
                    let slot = Slot {
                        group,
                        index: k as u32,
                    };
                    format!("{}[lane]", this.column(split, slot))
                } else {
                    zero.clone()
                }
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
                    let fields = self.input_fields(|k| {
                        if used.contains(&k) {
                            let slot = Slot {
                                group: groups.inputs,
                                index: k as u32,
                            };
                            format!("{}[lane]", self.column(split, slot))
                        } else {
                            zero.clone()
                        }
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
                    Some(extra) => extra.name.clone(),
                    None => String::new(),
                },
                Argument::Params => String::new(),
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
    }

    /// Writes the function of a part.
    pub(super) fn part(
        &mut self,
        part: &Part,
        split: &Split,
        end: &str,
    ) -> Result<Called, EmitError> {
        let extra = |name: &str, group, length| ExtraArgument {
            name: name.to_owned(),
            group,
            length,
            fields: Vec::new(),
        };
        let constants = ExtraArgument {
            name: "model".to_owned(),
            group: split::CONSTANTS,
            length: self.held.len(),
            fields: self.held.clone(),
        };
        let extra = vec![
            extra("sines", split::SINES, split.angles),
            extra("cosines", split::COSINES, split.angles),
            extra("known", split::KNOWN, split.known),
            constants,
        ];
        let name = self.name(end);
        let labels = part.to.iter().map(|place| match place {
            Place::Out(k) => self
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
        let docs = format!("One lane of a stage of [`{}`].", self.name("batch"));
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
        fma: module.fma,
        scalar: module.scalar,
        // In parts that are called, the lanes would no longer go side by side.
        longest: Some(usize::MAX),
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
pub(super) fn read(split: &Split, group: u8) -> Vec<usize> {
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
