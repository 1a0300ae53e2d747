//! The functions of many states, name by name: everything but blocks and stages is written here once more and compared.

use std::collections::BTreeSet;

use syn::{Expr, ItemFn, Pat, Stmt};

use super::Unreadable;
use super::frame::whole;
use super::lanes;
use super::many::{Columns, Many, text, words};
use super::sources::Sources;
use super::tree::{Function, Module, Shape};

/// Adds to a module, for each of the functions of many states, the function of one state that it is.
pub(super) fn compile(
    many: &Many,
    module: &mut Module,
    sources: &Sources,
) -> Result<(), Unreadable> {
    let mut read: BTreeSet<String> = BTreeSet::new();
    for base in &many.bases {
        let family = Family::of(many, module, base)?;
        family.compare(many, &mut read)?;
        let one = module.function(base).cloned();
        let one = one.ok_or_else(|| Unreadable::unknown("function of many states for", base))?;
        let batch = format!("{base}_batch");
        let compiled = match &family.columns {
            None => Function {
                name: batch.clone(),
                ..one
            },
            Some(columns) => {
                let block = lanes::Block {
                    many,
                    columns,
                    one: &one,
                };
                let (compiled, stages) = block.compile(module, sources)?;
                read.extend(stages);
                compiled
            }
        };
        module.functions.push(compiled);
        module.of_many.insert(batch, base.clone());
    }
    match many
        .functions
        .iter()
        .find(|(name, _)| !read.contains(*name))
    {
        None => Ok(()),
        Some((name, (_, lines))) => {
            let message = format!("nothing calls the function `{name}`");
            Err(Unreadable::new(lines.head, message))
        }
    }
}

/// The functions for a name, as far as they are the same for all names.
struct Family<'m> {
    name: &'m str,
    /// Of the results.
    shape: Shape,
    /// Whether a state may be refused.
    fallible: bool,
    /// Fields of `Inputs`.
    inputs: Vec<String>,
    /// Whether there are functions of the user's.
    functions: bool,
    /// The columns, where states go side by side; otherwise each goes by itself.
    columns: Option<Columns>,
}

impl<'m> Family<'m> {
    fn of(many: &Many, module: &Module, name: &'m str) -> Result<Self, Unreadable> {
        let one = module.function(name);
        let one = one.ok_or_else(|| Unreadable::unknown("function of many states for", name))?;
        let mut family = Self {
            name,
            shape: one.shape,
            fallible: one.checked,
            inputs: module.inputs.names.clone(),
            functions: !module.user_functions.is_empty(),
            columns: None,
        };
        let block = format!("{name}_block");
        if many.functions.contains_key(&block) {
            let lanes = &many.get(&format!("{name}_lanes"))?.0;
            let mut columns = Columns {
                state: taken(lanes, "state", "states"),
                input: taken(lanes, "input", "inputs"),
                arguments: Vec::new(),
            };
            let (block, lines) = many.get(&block)?;
            columns.arguments = family.arguments_of(block, &columns).ok_or_else(|| {
                let message = format!("the arguments of `{}` are not known", block.sig.ident);
                Unreadable::new(lines.head, message)
            })?;
            family.columns = Some(columns);
        }
        Ok(family)
    }

    /// The names of a block's arguments, if each is of the type that belongs to its name, in the order of all.
    fn arguments_of(&self, block: &ItemFn, columns: &Columns) -> Option<Vec<String>> {
        let all = [
            ("time", "&[f64; W]".to_owned()),
            ("state", format!("&[&[f64; W]; {}]", columns.state.len())),
            ("model", "&Model".to_owned()),
            ("input", format!("&[&[f64; W]; {}]", columns.input.len())),
            ("functions", "&impl Functions".to_owned()),
            ("results", format!("&mut [[f64; W]; {}]", self.shape.len())),
        ];
        let mut names = Vec::new();
        let mut typed = Vec::new();
        for argument in &block.sig.inputs {
            let syn::FnArg::Typed(argument) = argument else {
                return None;
            };
            let Pat::Ident(ident) = &*argument.pat else {
                return None;
            };
            let name = ident.ident.to_string();
            let (_, of) = all.iter().find(|(known, _)| *known == name)?;
            typed.push(format!("{name}: {of}"));
            names.push(name);
        }
        let known = all.iter().map(|(name, _)| *name);
        let order: Vec<&str> = known
            .filter(|name| names.iter().any(|n| n == name))
            .collect();
        let result = if self.fallible { " -> [f64; W]" } else { "" };
        let head = format!(
            "fn {}_block<const W: usize>({}){result}",
            self.name,
            typed.join(", ")
        );
        let fits = names == order
            && names.last().is_some_and(|last| last == "results")
            && words(&block.sig) == text(&head)
            && names.iter().any(|n| n == "state") != columns.state.is_empty()
            && names.iter().any(|n| n == "input") != columns.input.is_empty();
        fits.then_some(names)
    }

    /// Compares everything but blocks and stages, which `read` notes.
    fn compare(&self, many: &Many, read: &mut BTreeSet<String>) -> Result<(), Unreadable> {
        let mut expected = vec![("one", self.one())];
        match &self.columns {
            None => expected.push(("batch", self.batch(&self.each()))),
            Some(columns) => expected.extend([
                ("batch", self.batch(&self.widths())),
                ("lanes", self.lanes(columns)),
                ("blocks", self.blocks(columns)),
                ("rest", self.rest()),
            ]),
        }
        for (end, expected) in expected {
            let name = format!("{}_{end}", self.name);
            let (function, lines) = many.get(&name)?;
            let bare = ItemFn {
                attrs: Vec::new(),
                ..function.clone()
            };
            if words(&bare) != text(&expected) {
                let message = format!(
                    "`{name}` does not take columns to `{}` as every such function does",
                    self.name
                );
                return Err(Unreadable::new(lines.head, message));
            }
            read.insert(name);
        }
        if self.columns.is_some() {
            read.insert(format!("{}_block", self.name));
        }
        Ok(())
    }

    /// The arguments that most have in common, with the types of columns in between.
    fn arguments(&self, [t, states, inputs, out]: [&str; 4]) -> String {
        let (count, length) = (self.inputs.len(), self.shape.len());
        let mut list = format!("model: &Model, t: &{t}, states: &[{states}; STATES], ");
        if count > 0 {
            list.push_str(&format!("inputs: &[{inputs}; {count}], "));
        }
        if self.functions {
            list.push_str("functions: &impl Functions, ");
        }
        format!("{list}out: &mut [{out}; {length}]")
    }

    fn of_columns(&self) -> String {
        self.arguments(["[f64]", "&[f64]", "&[f64]", "&mut [f64]"])
    }

    /// These arguments as they are passed on.
    fn passed(&self, [t, states, inputs, out]: [&str; 4]) -> String {
        let mut list = format!("model, {t}, {states}, ");
        if !self.inputs.is_empty() {
            list.push_str(&format!("{inputs}, "));
        }
        if self.functions {
            list.push_str("functions, ");
        }
        list + out
    }

    fn whole(&self) -> String {
        self.passed(["t", "states", "inputs", "out"])
    }

    fn call(&self, function: &str, arguments: &str) -> String {
        if self.fallible {
            format!("let failed = {function}({arguments}); singular = singular.or(failed);")
        } else {
            format!("{function}({arguments});")
        }
    }

    fn begin(&self) -> &'static str {
        if self.fallible {
            "let mut singular = None;"
        } else {
            ""
        }
    }

    fn end(&self) -> &'static str {
        if self.fallible {
            "singular.map_or(Ok(()), Err)"
        } else {
            "Ok(())"
        }
    }

    fn option(&self) -> &'static str {
        if self.fallible {
            "-> Option<BatchError>"
        } else {
            ""
        }
    }

    fn batch(&self, goes: &str) -> String {
        let given = if self.inputs.is_empty() {
            "&[]"
        } else {
            "inputs"
        };
        format!(
            "pub fn {}_batch({}) -> Result<(), BatchError> {{
                let count = states[0].len();
                batch_lengths(count, t, states, {given}, out)?;
                {} {goes} {} }}",
            self.name,
            self.of_columns(),
            self.begin(),
            self.end()
        )
    }

    fn each(&self) -> String {
        let one = format!("{}_one", self.name);
        let call = self.call(&one, &format!("index, {}", self.whole()));
        format!("for index in 0..count {{ {call} }}")
    }

    fn widths(&self) -> String {
        let name = self.name;
        let call = |end: &str, first: &str| {
            self.call(
                &format!("{name}_{end}"),
                &format!("{first}, {}", self.whole()),
            )
        };
        format!(
            "let many = count / MANY_LANES;
            if many > 0 {{ {} }}
            let first = many * MANY_LANES;
            if count - first > 2 * FEW_LANES {{ {} }} else {{
                let few = first / FEW_LANES..count / FEW_LANES;
                let first = few.end * FEW_LANES;
                if !few.is_empty() {{ {} }}
                if first < count {{ {} }}
            }}",
            call("blocks::<MANY_LANES>", "0..many"),
            call("rest::<MANY_LANES>", "first"),
            call("blocks::<FEW_LANES>", "few"),
            call("rest::<FEW_LANES>", "first"),
        )
    }

    /// The arguments of a block as they are passed.
    fn to_block(columns: &Columns, time: &str, results: &str) -> String {
        let passed = |name: &String| match name.as_str() {
            "state" | "input" => format!("&{name}"),
            "time" => time.to_owned(),
            "results" => results.to_owned(),
            name => name.to_owned(),
        };
        let list: Vec<String> = columns.arguments.iter().map(passed).collect();
        list.join(", ")
    }

    /// The states that are not sound, by themselves.
    fn unsound(&self, index: &str, passed: &str) -> String {
        let one = format!("{}_one", self.name);
        let call = self.call(&one, &format!("{index}, {passed}"));
        format!("for (lane, &sound) in sound.iter().enumerate() {{ if sound != 1.0 {{ {call} }} }}")
    }

    fn run_block(&self, arguments: &str) -> String {
        let sound = if self.fallible { "let sound = " } else { "" };
        format!("{sound}{}_block({arguments});", self.name)
    }

    fn lanes(&self, columns: &Columns) -> String {
        let given = self.arguments(["[f64; W]", "[f64; W]", "[f64; W]", "[f64; W]"]);
        let result = if self.fallible {
            "-> Result<(), BatchError>"
        } else {
            ""
        };
        let mut body = String::new();
        for (name, from, entries) in [
            ("state", "states", &columns.state),
            ("input", "inputs", &columns.input),
        ] {
            if !entries.is_empty() {
                let list: Vec<String> = entries.iter().map(|k| format!("&{from}[{k}]")).collect();
                body.push_str(&format!("let {name} = [{}];", list.join(", ")));
            }
        }
        body.push_str(&self.run_block(&Self::to_block(columns, "t", "out")));
        if self.fallible {
            body.push_str("if all_sound(&sound) { return Ok(()); }");
            body.push_str("let states = states.each_ref().map(|column| &column[..]);");
            if !self.inputs.is_empty() {
                body.push_str("let inputs = inputs.each_ref().map(|column| &column[..]);");
            }
            body.push_str("let mut out = out.each_mut().map(|column| &mut column[..]);");
            body.push_str("let mut singular = None;");
            let passed = self.passed(["t", "&states", "&inputs", "&mut out"]);
            body.push_str(&self.unsound("lane", &passed));
            body.push_str(self.end());
        }
        format!(
            "pub fn {}_lanes<const W: usize>({given}) {result} {{ {body} }}",
            self.name
        )
    }

    fn blocks(&self, columns: &Columns) -> String {
        let (mut before, mut inside) = (String::new(), String::new());
        let list = |from: &str, entries: &[usize]| {
            let list: Vec<String> = entries.iter().map(|k| format!("{from}[{k}]")).collect();
            list.join(", ")
        };
        if !columns.state.is_empty() {
            let list = list("states", &columns.state);
            before.push_str(&format!(
                "let state_columns = [{list}];
                let state_blocks = state_columns.map(|column| column.as_chunks().0);"
            ));
            inside.push_str("let state = state_blocks.map(|blocks| &blocks[at]);");
        }
        if columns.arguments.iter().any(|name| name == "time") {
            before.push_str(
                "let time_copies = [splat(t)]; let [time_blocks] = spread([t], &time_copies);",
            );
            inside.push_str("let time = &time_blocks[at.min(time_blocks.len() - 1)];");
        }
        if !columns.input.is_empty() {
            let list = list("inputs", &columns.input);
            before.push_str(&format!(
                "let input_columns = [{list}];
                let input_copies = input_columns.map(splat);
                let input_blocks = spread(input_columns, &input_copies);"
            ));
            inside.push_str(
                "let input = input_blocks.map(|blocks| &blocks[at.min(blocks.len() - 1)]);",
            );
        }
        let unsound = if self.fallible {
            let each = self.unsound("at * W + lane", &self.whole());
            format!("if !all_sound(&sound) {{ {each} }}")
        } else {
            String::new()
        };
        let last = if self.fallible { "singular" } else { "" };
        format!(
            "fn {}_blocks<const W: usize>(range: core::ops::Range<usize>, {}) {} {{
                {before} let mut results = [[0.0; W]; {}]; {}
                for at in range {{
                    {inside} {}
                    for (column, values) in out.iter_mut().zip(&results) {{
                        column.as_chunks_mut().0[at] = *values;
                    }}
                    {unsound}
                }}
                {last} }}",
            self.name,
            self.of_columns(),
            self.option(),
            self.shape.len(),
            self.begin(),
            self.run_block(&Self::to_block(columns, "time", "&mut results")),
        )
    }

    fn rest(&self) -> String {
        let inputs = if self.inputs.is_empty() {
            ""
        } else {
            "let inputs = inputs.map(|column| padded(column, first));"
        };
        let (said, last) = if self.fallible {
            (
                "let said = ",
                "said.err().map(|error| match error {
                    BatchError::Singular { index, singular } => BatchError::Singular {
                        index: first + index,
                        singular,
                    },
                    length => length,
                })",
            )
        } else {
            ("", "")
        };
        let passed = self.passed(["&padded(t, first)", "&states", "&inputs", "&mut results"]);
        format!(
            "fn {name}_rest<const W: usize>(first: usize, {}) {} {{
                let states = states.map(|column| padded(column, first));
                {inputs}
                let mut results = [[0.0; W]; {}];
                {said}{name}_lanes({passed});
                for (column, values) in out.iter_mut().zip(&results) {{
                    let left = &mut column[first..];
                    left.copy_from_slice(&values[..left.len()]);
                }}
                {last} }}",
            self.of_columns(),
            self.option(),
            self.shape.len(),
            name = self.name,
        )
    }

    fn one(&self) -> String {
        let mut inputs = String::new();
        let mut passed = "entry(t, index), &state".to_owned();
        if !self.inputs.is_empty() {
            let fields = self.inputs.iter().enumerate();
            let fields = fields.map(|(k, name)| format!("{name}: entry(inputs[{k}], index)"));
            let fields: Vec<String> = fields.collect();
            inputs = format!("let inputs = Inputs {{ {} }};", fields.join(", "));
            passed.push_str(", &inputs");
        }
        if self.functions {
            passed.push_str(", functions");
        }
        let name = self.name;
        let (none, [all, value]) = match self.shape {
            Shape::Scalar => ("f64::NAN".to_owned(), ["[values]", "value"]),
            Shape::Array(n) => (format!("[f64::NAN; {n}]"), ["values", "value"]),
            Shape::Matrix(rows, columns) => (
                format!("[[f64::NAN; {columns}]; {rows}]"),
                ["values.as_flattened()", "*value"],
            ),
        };
        let call = format!("model.{name}({passed});");
        let (values, last) = if self.fallible {
            (
                format!("let result = {call} let values = result.unwrap_or({none});"),
                "let singular = result.err()?; Some(BatchError::Singular { index, singular })",
            )
        } else {
            (format!("let values = {call}"), "")
        };
        format!(
            "fn {name}_one(index: usize, {}) {} {{
                let state = core::array::from_fn(|k| states[k][index]);
                {inputs} {values}
                for (column, value) in out.iter_mut().zip({all}) {{ column[index] = {value}; }}
                {last} }}",
            self.of_columns(),
            self.option(),
        )
    }
}

/// The indices of `let state = [&states[2], &states[3]];`.
fn taken(function: &ItemFn, name: &str, from: &str) -> Vec<usize> {
    let list = function.block.stmts.iter().find_map(|statement| {
        let Stmt::Local(local) = statement else {
            return None;
        };
        let (Pat::Ident(ident), Some(init)) = (&local.pat, &local.init) else {
            return None;
        };
        match &*init.expr {
            Expr::Array(array) if ident.ident == name => Some(array),
            _ => None,
        }
    });
    let index = |entry: &Expr| {
        let Expr::Reference(of) = entry else {
            return None;
        };
        let Expr::Index(index) = &*of.expr else {
            return None;
        };
        let is_own = matches!(&*index.expr, Expr::Path(path) if path.path.is_ident(from));
        whole(&index.index).filter(|_| is_own)
    };
    list.map_or(Vec::new(), |list| {
        list.elems.iter().filter_map(index).collect()
    })
}
