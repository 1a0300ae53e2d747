//! Columns block by block: `f_blocks`, and `f_rest` for what is left.

use super::split::Split;
use super::{Writing, block};
use crate::emit::layout::Item;

impl Writing<'_> {
    /// The states of a range, block by block.
    pub(super) fn blocks(&mut self, split: &Split) {
        let mut given = self.typed();
        given.insert(0, "range: core::ops::Range<usize>".to_owned());
        let groups = self.module.groups;
        let none = |group| block::read(split, group).is_empty();
        let result = if self.fallible {
            " -> Option<BatchError> {"
        } else {
            " {"
        };
        self.out
            .docs(&["The blocks of a range, each of `W` states.".to_owned()]);
        if block::is_small(self.module, self.function) {
            self.out.line("#[inline]");
        }
        self.allow(given.len(), false);
        let head = format!("fn {}<const W: usize>", self.name("blocks"));
        self.out.signature(&head, &given, result);
        self.out.indent();
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
    pub(super) fn rest(&mut self) {
        let mut given = self.typed();
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
        if self.fallible {
            self.out.apply("let said =", &lanes, &passed)
        } else {
            self.out.statement(&lanes, &passed, ";")
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
}
