//! The function of some states whose number the compiler knows: `f_lanes`.

use super::split::Split;
use super::{Writing, block, typed};
use crate::emit::layout::Item;

impl Writing<'_> {
    /// Some states whose number the compiler knows.
    pub(super) fn lanes_function(&mut self, split: &Split) {
        let (number, length) = (self.number, self.length);
        let name = &self.function.name;
        let mut docs = vec![
            format!(
                "[`{name}`] of `W` states at once: `states[i][k]` is entry `i` of state `k`, and `out[i][k]` entry"
            ),
            format!(
                "`i` of its result{}. The same results as [`{name}_batch`], without columns whose lengths must be checked.",
                self.order()
            ),
        ];
        if self.fallible {
            docs.extend([
                String::new(),
                "# Errors".to_owned(),
                String::new(),
                format!("[`BatchError::Singular`] with the first state at which [`{name}`] fails. The results of all"),
                "such states are NaN, those of all others are valid.".to_owned(),
            ]);
        }
        let mut given = vec![
            ("model", "&Model".to_owned()),
            ("t", format!("&[{number}; W]")),
            ("states", format!("&[[{number}; W]; STATES]")),
        ];
        if !self.module.inputs.is_empty() {
            let count = self.module.inputs.len();
            given.push(("inputs", format!("&[[{number}; W]; {count}]")));
        }
        if !self.module.functions_trait.is_empty() {
            given.push(("functions", "&impl Functions".to_owned()));
        }
        given.push(("out", format!("&mut [[{number}; W]; {length}]")));
        self.out.docs(&docs);
        // Inside of their caller compilers may take the lanes apart.
        self.out.line("#[inline(never)]");
        self.allow(given.len(), false);
        let result = if self.fallible {
            " -> Result<(), BatchError> {"
        } else {
            " {"
        };
        let head = format!("pub fn {}<const W: usize>", self.name("lanes"));
        self.out.signature(&head, &typed(&given), result);
        self.out.indent();
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
}
