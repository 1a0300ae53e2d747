//! Functions of many states at once: columns of numbers in, columns out, in a form that compilers turn into vector instructions.
//!
//! For a function `f` there are written: `f_batch`, what users call; `f_block`, which takes a few states through the stages of
//! [`split`], each stage a loop over the lanes; one function for each stage's arithmetic, inlined into its loop; `f_one`, one state
//! by `f` itself, for a state that a check or an angle beyond all bounds makes special.

mod block;
mod columns;
mod split;

pub use columns::{Columns, ITEMS};

use super::body::is_fallible;
use super::error::EmitError;
use super::layout::Writer;
use super::module::{EmittedFunction, ExtraArgument, Module, Shape};
use super::scope::{Argument, field_names};
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
}
