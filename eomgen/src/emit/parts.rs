//! The private functions that a long function consists of, and the calls of them.

use super::body::{Part, Split, unpack};
use super::expr::Expr;
use super::layout::Writer;
use super::module::{EmittedFunction, Module, Scalar};
use super::names::is_snake;
use super::scope::{Argument, Scope};
use super::tree::{Block, Call, Target, Value};

/// What the parts of one function are written by.
pub struct Parts<'a> {
    /// The module.
    pub module: &'a Module,
    /// The function.
    pub function: &'a EmittedFunction,
    /// Its parts.
    pub split: &'a Split,
    /// Its names.
    pub scope: &'a Scope<'a>,
    /// Its arguments, with their types.
    pub arguments: &'a [(Argument, String)],
    /// Whether some number looks like a famous constant.
    pub resembles_constant: bool,
}

impl Parts<'_> {
    fn part_name(&self, index: usize) -> String {
        format!("{}_part_{}", self.function.name, index + 1)
    }

    /// The statements of the function itself: calls of the parts, and the last part.
    pub fn main(&self) -> Block {
        let split = self.split;
        let zero = self.module.scalar.literal(0.0);
        let mut block = Block::default();
        let places = format!("[{zero}; {}]", split.places);
        block.set(&split.work, Expr::atom(places));
        if let Some(out) = &split.out {
            block.set(out, Expr::atom(self.function.output.filled(&zero)));
        }
        for (index, part) in split.parts.iter().enumerate() {
            let names = self.arguments.iter();
            let names = names.filter(|(argument, _)| *argument != Argument::Params);
            let names = names.map(|(argument, _)| self.scope.name_of(*argument));
            let mut passed: Vec<Expr> = names.map(Expr::variable).collect();
            passed.push(Expr::lent(&split.work));
            let out = split.out.iter().filter(|out| part.uses(out));
            passed.extend(out.map(|out| Expr::lent(out)));
            let call = Call {
                fails: part.block.fails(),
                ..Call::new(format!("self.{}", self.part_name(index)), passed)
            };
            block.put(Target::Nothing, Value::Call(call));
        }
        block.blank();
        block.append(self.read(&split.last));
        block.append(split.last.block.clone());
        block
    }

    /// What a part reads of the state and of what was handed on.
    fn read(&self, part: &Part) -> Block {
        let mut block = Block::default();
        unpack(&mut block, self.scope, |name| part.uses(name));
        let work = Expr::variable(&self.split.work);
        for (name, place) in &part.carried {
            block.set(name, work.entry(&format!("[{place}]")));
        }
        block
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
        let of = parts.len() + usize::from(out.is_none() || !last.block.is_result());
        let mut text = Writer::within(1);
        for (index, part) in parts.iter().enumerate() {
            let mut arguments: Vec<String> = self
                .arguments
                .iter()
                .map(|(_, typed)| typed.clone())
                .collect();
            arguments.push(format!("{work}: &mut [{number}; {places}]"));
            if let Some(out) = out.as_ref().filter(|out| part.uses(out)) {
                arguments.push(format!(
                    "{out}: &mut {}",
                    self.function.output.filled(number)
                ));
            }
            let fails = part.block.fails();
            let mut body = self.read(part);
            body.blank();
            body.append(part.block.clone());
            if fails {
                body.put(Target::Result, Value::Success(Expr::atom("()")));
            }
            let (name, place) = (&self.function.name, index + 1);
            text.docs(&[format!("Part {place} of {of} of [`Self::{name}`].")]);
            // In one piece again, it would take the compiler as long as before.
            text.line("#[inline(never)]");
            let lints = self.lints(arguments.len());
            text.allow(&lints);
            let head = format!("fn {}", self.part_name(index));
            let tail = if fails {
                " -> Result<(), Singular> {"
            } else {
                " {"
            };
            text.signature(&head, &arguments, tail);
            text.indent();
            body.write(&mut text);
            text.close("}");
            text.blank();
        }
        text.finish()
    }

    fn lints(&self, arguments: usize) -> Vec<&'static str> {
        let lints = [
            (
                self.scope.is_unusual() || !is_snake(&self.function.name),
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
