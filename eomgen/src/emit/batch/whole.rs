//! The function of many states that users call: `f_batch`.

use super::{Way, Writing, split, typed};

impl Writing<'_> {
    /// The function that users call.
    pub(super) fn batch(&mut self, way: Way) {
        let name = self.function.name.clone();
        let mut docs = vec![
            format!(
                "[`{name}`] of many states, column by column: `states[i][k]` is entry `i` of state `k`, and"
            ),
            format!("`out[i][k]` entry `i` of its result{}.", self.order()),
        ];
        if way == Way::Each {
            docs.extend([
                String::new(),
                match self.length > split::WIDEST {
                    true => "So many entries go state by state: no faster than a loop.".to_owned(),
                    false => "A numerical routine is called state by state: no faster than a loop."
                        .to_owned(),
                },
            ]);
        }
        docs.extend([
            String::new(),
            "All columns have the same length; a column of `t` or of an input may have a single entry for all states.".to_owned(),
            String::new(),
            "# Errors".to_owned(),
            String::new(),
            "[`BatchError::Length`], with nothing written, if a column has any other length.".to_owned(),
        ]);
        if self.fallible {
            docs.extend([
                format!("[`BatchError::Singular`] with the first state at which [`{name}`] fails. The results of all"),
                "such states are NaN, those of all others are valid.".to_owned(),
            ]);
        }
        self.out.docs(&docs);
        let own = self.name("batch");
        if way == Way::Blocks {
            self.out.line("#[inline]");
        }
        self.public(&own, &self.arguments());
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
}
