//! A few states through the stages: the text of `f_block`, and of the functions of its parts.

use super::split::{self, Part, Place, Split};
use super::{Called, Writing};
use crate::emit::error::EmitError;
use crate::emit::function;
use crate::emit::layout::Item;
use crate::emit::module::{EmittedFunction, ExtraArgument, Module, Shape};
use crate::emit::scope::Argument;
use crate::ir::{Function, Graph, Op, Slot};

impl Writing<'_> {
    /// Some states through all stages.
    pub(super) fn block(&mut self, split: &Split) -> Result<(), EmitError> {
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
        fma: module.fma,
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
