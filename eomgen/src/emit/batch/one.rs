//! One state of many by the plain function: `f_one`.

use super::Writing;
use crate::emit::module::Shape;

impl Writing<'_> {
    /// One state by the plain function.
    pub(super) fn one(&mut self) {
        let result = if self.fallible {
            " -> Option<BatchError> {"
        } else {
            " {"
        };
        let mut typed = self.typed();
        typed.insert(0, "index: usize".to_owned());
        let mut passed = vec!["entry(t, index)".to_owned(), "&state".to_owned()];
        let name = &self.function.name;
        self.out
            .docs(&[format!("State `index` by [`Model::{name}`].")]);
        self.out.line("#[cold]");
        self.allow(typed.len(), false);
        let head = format!("fn {}", self.name("one"));
        self.out.signature(&head, &typed, result);
        self.out.indent();
        self.out
            .line("let state = core::array::from_fn(|k| states[k][index]);");
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
        let function = format!("model.{}", self.function.name);
        self.out.apply(head, &function, &passed);
        if self.fallible {
            let none = self.none();
            self.out
                .line(&format!("let values = result.unwrap_or({none});"));
        }
        let [values, value] = match self.function.output {
            Shape::Scalar => ["[values]", "value"],
            Shape::Array(_) => ["values", "value"],
            Shape::Matrix(..) => ["values.as_flattened()", "*value"],
        };
        self.out.open(&format!(
            "for (column, value) in out.iter_mut().zip({values}) {{"
        ));
        self.out.line(&format!("column[index] = {value};"));
        self.out.close("}");
        if self.fallible {
            self.out.line("let singular = result.err()?;");
            self.out
                .line("Some(BatchError::Singular { index, singular })");
        }
        self.out.close("}");
        self.out.blank();
    }

    /// The result of a state that is refused.
    fn none(&self) -> String {
        let nan = format!("{}::NAN", self.number);
        match self.function.output {
            Shape::Scalar => nan,
            Shape::Array(length) => format!("[{nan}; {length}]"),
            Shape::Matrix(rows, columns) => format!("[[{nan}; {columns}]; {rows}]"),
        }
    }
}
