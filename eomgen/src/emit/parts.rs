//! The private functions that a long function consists of, and the calls of them.

use super::body::{Part, Split};
use super::layout::Writer;
use super::module::{EmittedFunction, Module, Scalar, Shape};
use super::scope::{Argument, Scope};

/// What the parts of one function are written by.
pub struct Parts<'a> {
    /// The module.
    pub module: &'a Module,
    /// The function.
    pub function: &'a EmittedFunction,
    /// What it is called.
    pub name: &'a str,
    /// Its parts.
    pub split: &'a Split,
    /// Its names.
    pub scope: &'a Scope<'a>,
    /// Its arguments, with their types.
    pub arguments: &'a [(Argument, String)],
    /// Whether some number looks like a famous constant.
    pub resembles_constant: bool,
    /// The twin whose parts may be called: its name and its parts.
    pub twin: Option<(&'a str, &'a Split)>,
}

impl Parts<'_> {
    fn part_name(&self, index: usize) -> String {
        let twin = self.twin.filter(|_| self.is_shared(index));
        let name = twin.map_or(self.name, |(name, _)| name);
        format!("{name}_part_{}", index + 1)
    }

    /// Whether the twin has the same part.
    fn is_shared(&self, index: usize) -> bool {
        let own = self.split;
        let Some((_, twin)) = self.twin else {
            return false;
        };
        let same = (&twin.work, twin.places, &twin.out) == (&own.work, own.places, &own.out);
        match (twin.parts.get(index), own.parts.get(index)) {
            (Some(theirs), Some(part)) => same && part.is_like(theirs),
            _ => false,
        }
    }

    /// `[0.0; 3]` or `[f64; 3]`, by what its entries are.
    fn results(&self, entry: &str) -> String {
        match self.function.output {
            Shape::Scalar => entry.to_owned(),
            Shape::Array(length) => format!("[{entry}; {length}]"),
            Shape::Matrix(rows, columns) => format!("[[{entry}; {columns}]; {rows}]"),
        }
    }

    /// The statements of the function itself: calls of the parts, and the last part.
    pub fn main(&self) -> String {
        let Split {
            parts,
            last,
            work,
            places,
            out,
        } = self.split;
        let zero = self.module.scalar.literal(0.0);
        let mut text = Writer::inside();
        text.line(&format!("let mut {work} = [{zero}; {places}];"));
        if let Some(out) = out {
            text.line(&format!("let mut {out} = {};", self.results(&zero)));
        }
        for (index, part) in parts.iter().enumerate() {
            let names = self.arguments.iter();
            let mut passed: Vec<String> = names
                .map(|(argument, _)| self.scope.name_of(*argument).to_owned())
                .collect();
            passed.push(format!("&mut {work}"));
            if let Some(out) = out.as_ref().filter(|out| part.uses(out)) {
                passed.push(format!("&mut {out}"));
            }
            let tail = if part.fails() { "?;" } else { ";" };
            text.statement(&self.part_name(index), &passed, tail);
        }
        text.blank();
        self.read(last, &mut text);
        text.verbatim(&last.text);
        text.finish()
    }

    /// What a part reads of the state and of what was handed on.
    fn read(&self, part: &Part, text: &mut Writer) {
        let state = self.scope.name_of(Argument::State);
        for (name, index) in self
            .scope
            .state_locals()
            .filter(|(name, _)| part.uses(name))
        {
            text.line(&format!("let {name} = {state}[{index}];"));
        }
        let work = &self.split.work;
        for (name, place) in part.carried.iter().filter(|(name, _)| part.uses(name)) {
            text.line(&format!("let {name} = {work}[{place}];"));
        }
    }

    /// The private functions.
    pub fn functions(&self) -> String {
        let number = self.module.scalar.type_name();
        let Split {
            parts,
            work,
            places,
            out,
            last,
        } = self.split;
        // What fills an array and can fail has all of that in its parts.
        let of = parts.len() + usize::from(out.is_none() || last.text.trim().lines().count() > 1);
        let mut text = Writer::new();
        let own = parts.iter().enumerate();
        for (index, part) in own.filter(|(index, _)| !self.is_shared(*index)) {
            let mut arguments: Vec<String> = self
                .arguments
                .iter()
                .map(|(_, typed)| typed.clone())
                .collect();
            arguments.push(format!("{work}: &mut [{number}; {places}]"));
            if let Some(out) = out.as_ref().filter(|out| part.uses(out)) {
                arguments.push(format!("{out}: &mut {}", self.results(number)));
            }
            let mut body = Writer::inside();
            self.read(part, &mut body);
            body.blank();
            body.verbatim(&part.text);
            if part.fails() {
                body.line("Ok(())");
            }
            let (name, place) = (self.name, index + 1);
            text.docs(&[format!("Part {place} of {of} of [`{name}`].")]);
            // In one piece again, it would take the compiler as long as before.
            text.line("#[inline(never)]");
            let lints = self.lints(part, arguments.len());
            text.allow(&lints);
            let bound = self.module.scalar.bound();
            let head = format!("fn {}{bound}", self.part_name(index));
            let tail = if part.fails() {
                " -> Result<(), Singular> {"
            } else {
                " {"
            };
            text.signature(&head, &arguments, tail);
            text.indent();
            text.verbatim(&body.finish());
            text.close("}");
            text.blank();
        }
        text.finish()
    }

    fn lints(&self, part: &Part, arguments: usize) -> Vec<&'static str> {
        let state = || self.scope.state_locals().any(|(name, _)| part.uses(name));
        let unused = self.arguments.iter().any(|(argument, _)| match argument {
            Argument::State => !state(),
            argument => !part.uses(self.scope.name_of(*argument)),
        });
        let lints = [
            (unused, "unused_variables"),
            (
                self.scope.is_unusual() || self.name.chars().any(char::is_uppercase),
                "non_snake_case",
            ),
            (arguments > 7, "clippy::too_many_arguments"),
            (
                self.resembles_constant && self.module.scalar != Scalar::Generic,
                "clippy::approx_constant",
            ),
        ];
        let lints = lints.into_iter().filter(|lint| lint.0);
        lints.map(|lint| lint.1).collect()
    }
}
