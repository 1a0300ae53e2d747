//! The struct `Prepared`: everything that depends on parameters alone and that other work uses, computed once.
//!
//! Each function that reads something of it has a variant that takes it. The function itself is that variant with what it needs made on
//! the spot: by `Prepared::new` where that computes hardly more, else by a private function that leaves the rest at zero.

use std::collections::{BTreeMap, BTreeSet};

use super::arrangement::{Arrangement, Needs};
use super::body::{Constructor, constructor};
use super::docs;
use super::error::EmitError;
use super::layout::{Writer, width};
use super::module::{EmittedFunction, Module};
use super::names::{Names, identifier, is_snake};
use super::scope::{PreparedNames, field_names};
use crate::ir::{Cost, Value};

/// Widest formula in a field's documentation.
const WIDE: usize = 72;

/// Operations beyond those needed, a division and a function as several, that are not worth a function that leaves them out.
const WASTE: usize = 12;

/// Constructors with more operations are not worth inlining.
const SMALL: usize = 60;

/// The function that leaves everything at zero.
pub const UNPREPARED: &str = "unprepared_values";

/// What the struct holds, and who makes how much of it.
pub struct Prepared {
    /// What its fields are called.
    pub names: PreparedNames,
    /// Values in the order in which they are computed.
    order: Vec<Value>,
    all: Needs,
    /// What each set of needs is called: the function that has it first, if it has a constructor of its own.
    partial: Vec<(Needs, String)>,
    /// How the parameters are passed.
    argument: String,
    like: EmittedFunction,
}

impl Prepared {
    /// The struct that a module's functions need, if they do.
    ///
    /// # Errors
    /// What the functions ask for and the module doesn't have.
    pub fn of(module: &Module, arrangement: &Arrangement) -> Result<Option<Self>, EmitError> {
        let mut all = Needs::default();
        let variants = || arrangement.functions.iter().filter(|f| f.has_variant());
        for share in variants() {
            all.extend(&share.needs);
        }
        if all.values.is_empty() {
            return Ok(None);
        }
        // By content and not by first use: another output does not move what is there.
        let order: Vec<Value> = all.values.iter().copied().collect();
        let like = EmittedFunction {
            name: "prepared".to_owned(),
            ..EmittedFunction::default()
        };
        let made = constructor(module, &like, &order, &BTreeMap::new(), 2)?;
        let mut taken = Names::reserving(made.names.values().map(String::as_str));
        let fields = field_names(module.params.iter().map(|field| field.name.as_str()));
        let mut params = BTreeMap::new();
        for &index in &all.params {
            if let Some(name) = fields.get(index as usize) {
                params.insert(index, taken.claim(name));
            }
        }
        let names = PreparedNames {
            params,
            values: made.names,
        };
        let mut partial: Vec<(Needs, String)> = Vec::new();
        for (function, share) in module.functions.iter().zip(&arrangement.functions) {
            let known = partial.iter().any(|(needs, _)| *needs == share.needs);
            if share.has_variant() && !known && waste(module, &all, &share.needs) > WASTE {
                partial.push((share.needs.clone(), function.name.clone()));
            }
        }
        Ok(Some(Self {
            names,
            order,
            all,
            partial,
            argument: identifier(&module.arguments.params),
            like,
        }))
    }

    /// What makes what a function needs, such as `Prepared::new(p)`.
    pub fn made_for(&self, needs: &Needs) -> String {
        let found = self.partial.iter().find(|(partial, _)| partial == needs);
        let maker = match found {
            Some((_, name)) => maker(name),
            None => "Prepared::new".to_owned(),
        };
        format!("{maker}({})", self.argument)
    }

    /// The names of the private functions.
    pub fn private_names(&self) -> Vec<String> {
        let makers = self.partial.iter().map(|(_, name)| maker(name));
        let mut names: Vec<String> = makers.collect();
        if !names.is_empty() {
            names.push(UNPREPARED.to_owned());
        }
        names
    }

    /// The struct and its constructor.
    ///
    /// # Errors
    /// What the graph asks for and the module doesn't have.
    pub fn write_public(&self, module: &Module, out: &mut Writer) -> Result<(), EmitError> {
        let (of, bound) = (module.scalar.of(), module.scalar.bound());
        let made = constructor(module, &self.like, &self.order, &self.names.values, 2)?;
        self.write_struct(module, &made, out);
        out.open(&format!("impl{bound} Prepared{of} {{"));
        let cost = module.graph.count(&self.order);
        out.docs(&[
            "What belongs to these parameters.".to_owned(),
            String::new(),
            format!("Operations: {}.", docs::cost(&cost)),
        ]);
        out.line("#[must_use]");
        if cost.total() <= SMALL {
            out.line("#[inline]");
        }
        self.attributes(&made, out);
        out.open(&format!(
            "pub fn new({}: &Params{of}) -> Self {{",
            self.argument
        ));
        made.block.write(out);
        let fields = self.fields(&made, module, &self.all);
        out.struct_literal("Self", &fields);
        out.close("}");
        out.close("}");
        out.blank();
        Ok(())
    }

    fn write_struct(&self, module: &Module, made: &Constructor, out: &mut Writer) {
        let (number, of) = (module.scalar.type_name(), module.scalar.of());
        let made_docs = [
            "Precomputed terms in parameters alone, for the functions `..._prepared`.",
            "",
            "It is valid for the parameters from which it was computed.",
        ];
        out.docs(&made_docs.map(str::to_owned));
        out.line("#[derive(Clone, Copy, Debug, PartialEq)]");
        if !self.names.params.values().all(|name| is_snake(name)) {
            out.line("#[allow(non_snake_case)]");
        }
        out.open(&format!("pub struct Prepared{of} {{"));
        for (index, name) in &self.names.params {
            if let Some(field) = module.params.get(*index as usize) {
                out.docs(&docs::field(field));
            }
            out.line(&format!("{name}: {number},"));
        }
        for value in &self.order {
            let name = made.names.get(value).map_or("", String::as_str);
            let text = made.texts.get(value).map_or("", String::as_str);
            let short = !text.is_empty() && width(text) <= WIDE;
            let line = if short {
                docs::code(text)
            } else {
                "Of parameters alone.".to_owned()
            };
            out.docs(&[line]);
            out.line(&format!("{name}: {number},"));
        }
        out.close("}");
        out.blank();
    }

    /// The constructors of parts.
    ///
    /// # Errors
    /// What the graph asks for and the module doesn't have.
    pub fn write_private(&self, module: &Module, out: &mut Writer) -> Result<(), EmitError> {
        let (of, bound) = (module.scalar.of(), module.scalar.bound());
        for (needs, name) in &self.partial {
            let order = self.order.iter().copied();
            let order: Vec<Value> = order.filter(|v| needs.values.contains(v)).collect();
            let made = constructor(module, &self.like, &order, &self.names.values, 1)?;
            out.docs(&[format!("What [`{name}`] reads of [`Prepared`].")]);
            self.attributes(&made, out);
            if !is_snake(name) {
                out.line("#[allow(non_snake_case)]");
            }
            out.open(&format!(
                "fn {}{bound}({}: &Params{of}) -> Prepared{of} {{",
                maker(name),
                self.argument
            ));
            made.block.write(out);
            let fields = self.fields(&made, module, needs);
            if *needs == self.all {
                out.struct_literal("Prepared", &fields)
            } else {
                out.struct_update("Prepared", &fields, &format!("{UNPREPARED}()"))
            }
            out.close("}");
            out.blank();
        }
        if !self.partial.is_empty() {
            let zero = module.scalar.literal(0.0);
            let params = self.names.params.values();
            let values = self
                .order
                .iter()
                .filter_map(|value| self.names.values.get(value));
            let zeros: Vec<String> = params
                .chain(values)
                .map(|name| format!("{name}: {zero}"))
                .collect();
            out.docs(&["Zeros, for what a function does not read.".to_owned()]);
            out.open(&format!("fn {UNPREPARED}{bound}() -> Prepared{of} {{"));
            out.struct_literal("Prepared", &zeros);
            out.close("}");
            out.blank();
        }
        Ok(())
    }

    fn attributes(&self, made: &Constructor, out: &mut Writer) {
        if made.resembles_constant {
            out.line("#[allow(clippy::approx_constant)]");
        }
    }

    /// `m: p.m, m_squared`
    fn fields(&self, made: &Constructor, module: &Module, needs: &Needs) -> Vec<String> {
        let given = field_names(module.params.iter().map(|field| field.name.as_str()));
        let mut fields = Vec::new();
        for (index, name) in &self.names.params {
            if let Some(given) = given.get(*index as usize)
                && needs.params.contains(index)
            {
                fields.push(format!("{name}: {}.{given}", self.argument));
            }
        }
        for value in self.order.iter().filter(|v| needs.values.contains(v)) {
            let local = made.names.get(value).map_or("", String::as_str);
            match self.names.values.get(value) {
                Some(name) if name != local => fields.push(format!("{name}: {local}")),
                _ => fields.push(local.to_owned()),
            }
        }
        fields
    }
}

fn maker(function: &str) -> String {
    format!("prepare_{function}")
}

/// What of all is computed in vain for some needs: operations, a division and a function as several.
fn waste(module: &Module, all: &Needs, needs: &Needs) -> usize {
    let graph = &module.graph;
    let list = |values: &BTreeSet<Value>| values.iter().copied().collect::<Vec<_>>();
    let live: BTreeSet<Value> = graph.live(&list(&needs.values)).into_iter().collect();
    let others = graph.live(&list(&all.values)).into_iter();
    let weight = |value: Value| {
        let cost = Cost::of(graph.op(value));
        let plain = cost.add + cost.sub + cost.mul + cost.neg;
        plain + 5 * cost.div + 20 * (cost.trig + cost.other)
    };
    others.filter(|v| !live.contains(v)).map(weight).sum()
}
