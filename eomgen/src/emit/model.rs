//! The struct `Model`: the parameters that functions read and everything that depends on parameters alone, worked out once.
//!
//! All functions are its methods, written once: whether they check is a constant of the type, so that a model without checks is compiled
//! to what a text without them would be.

use std::collections::BTreeMap;

use super::arrangement::{Arrangement, Needs, is_fallible};
use super::body::{Constructor, constructor};
use super::docs;
use super::error::EmitError;
use super::layout::Writer;
use super::module::{EmittedFunction, Module, Scalar};
use super::names::{Names, is_snake};
use super::scope::{FieldNames, field_names};
use crate::ir::{Cost, Value};

/// Methods of the model's own.
pub const METHODS: [&str; 3] = ["new", "of", "unchecked"];

/// What the struct holds.
pub struct Model {
    /// What its fields are called.
    pub names: FieldNames,
    /// Values in the order in which they are computed.
    order: Vec<Value>,
    /// Whether some function can fail.
    fallible: bool,
    like: EmittedFunction,
}

impl Model {
    /// The struct that a module's functions need, those for many states included.
    ///
    /// # Errors
    /// What the functions ask for and the module doesn't have.
    pub fn of(
        module: &Module,
        arrangement: &Arrangement,
        batches: &Needs,
    ) -> Result<Self, EmitError> {
        let mut needs = batches.clone();
        for share in &arrangement.functions {
            needs.extend(&share.needs);
        }
        // By content and not by first use: another output does not move what is there.
        let order: Vec<Value> = needs.values.iter().copied().collect();
        let like = EmittedFunction {
            name: "model".to_owned(),
            ..EmittedFunction::default()
        };
        let made = constructor(module, &like, &order, &BTreeMap::new(), 2)?;
        let mut taken = Names::reserving(made.names.values().map(String::as_str));
        let fields = field_names(module.params.iter().map(|field| field.name.as_str()));
        let mut params = BTreeMap::new();
        for &index in &needs.params {
            if let Some(name) = fields.get(index as usize) {
                params.insert(index, taken.claim(name));
            }
        }
        let mut functions = module.functions.iter();
        Ok(Self {
            names: FieldNames {
                params,
                values: made.names,
            },
            order,
            fallible: functions.any(|function| is_fallible(module, function)),
            like,
        })
    }

    /// Operations of what makes it.
    pub fn cost(&self, module: &Module) -> Cost {
        module.graph.count(&self.order)
    }

    /// The struct and what makes it.
    ///
    /// # Errors
    /// What the graph asks for and the module doesn't have.
    pub fn write(&self, module: &Module, out: &mut Writer) -> Result<(), EmitError> {
        let made = constructor(module, &self.like, &self.order, &self.names.values, 2)?;
        self.write_struct(module, out);
        if self.fallible {
            self.write_maker(
                module,
                ("true", "new"),
                &[
                    "The model whose functions check what they divide by and what they return."
                        .to_owned(),
                ],
                out,
            );
            let unchecked = "The model without checks: its functions return any numbers where those of `new` fail.";
            let unchecked: Vec<String> = docs::blocks(&[unchecked.into()]);
            self.write_maker(module, ("false", "unchecked"), &unchecked, out);
        }
        let (generics, on) = self.head(module, "CHECKED");
        out.open(&format!("impl{generics} Model{on} {{"));
        if self.fallible {
            self.write_constructor(module, &made, "fn of", out);
        } else {
            out.docs(&["The model with these parameters.".to_owned()]);
            out.line("#[must_use]");
            self.write_constructor(module, &made, "pub fn new", out);
        }
        Ok(())
    }

    /// The parameters of the implementation that holds all functions, and those of the type: `<const CHECKED: bool>` and `<CHECKED>`.
    fn head(&self, module: &Module, checked: &str) -> (String, String) {
        let own = checked == "CHECKED";
        let (mut generics, mut on) = (Vec::new(), Vec::new());
        if module.scalar == Scalar::Generic {
            generics.push("T: Scalar");
            on.push("T");
        }
        if self.fallible {
            generics.extend(own.then_some("const CHECKED: bool"));
            on.push(checked);
        }
        let list = |all: Vec<&str>| match all.as_slice() {
            [] => String::new(),
            all => format!("<{}>", all.join(", ")),
        };
        (list(generics), list(on))
    }

    fn write_struct(&self, module: &Module, out: &mut Writer) {
        let number = module.scalar.type_name();
        out.docs(&[
            "The model with its parameters: what depends on these alone is worked out once."
                .to_owned(),
        ]);
        out.line("#[derive(Clone, Copy, Debug, PartialEq)]");
        if !self.names.params.values().all(|name| is_snake(name)) {
            out.line("#[allow(non_snake_case)]");
        }
        let mut generics = Vec::new();
        if module.scalar == Scalar::Generic {
            generics.push("T");
        }
        if self.fallible {
            generics.push("const CHECKED: bool = true");
        }
        let generics = match generics.as_slice() {
            [] => String::new(),
            all => format!("<{}>", all.join(", ")),
        };
        let fields = self.field_names();
        if fields.is_empty() && module.scalar != Scalar::Generic {
            out.line(&format!("pub struct Model{generics} {{}}"));
        } else {
            out.open(&format!("pub struct Model{generics} {{"));
            for name in fields {
                out.line(&format!("{name}: {number},"));
            }
            if self.is_empty() {
                out.line("scalar: core::marker::PhantomData<T>,");
            }
            out.close("}");
        }
        out.blank();
    }

    fn field_names(&self) -> Vec<&String> {
        let values = self.order.iter();
        let values = values.filter_map(|value| self.names.values.get(value));
        self.names.params.values().chain(values).collect()
    }

    fn is_empty(&self) -> bool {
        self.names.params.is_empty() && self.order.is_empty()
    }

    /// `p: &Params`, or nothing, and how it is passed.
    fn argument(&self, module: &Module, name: &str) -> (Vec<String>, String) {
        if module.no_params {
            return (Vec::new(), String::new());
        }
        let of = if module.params.is_empty() {
            ""
        } else {
            module.scalar.of()
        };
        (vec![format!("{name}: &Params{of}")], name.to_owned())
    }

    fn write_maker(
        &self,
        module: &Module,
        (checked, name): (&str, &str),
        docs: &[String],
        out: &mut Writer,
    ) {
        let (generics, on) = self.head(module, checked);
        // `Model` by itself is a checked one.
        let on = match (checked, module.scalar) {
            ("true", Scalar::Generic) => "<T>",
            ("true", _) => "",
            _ => &on,
        };
        let (typed, passed) = self.argument(module, "p");
        out.open(&format!("impl{generics} Model{on} {{"));
        out.docs(docs);
        out.line("#[must_use]");
        out.line("#[inline]");
        out.signature(&format!("pub fn {name}"), &typed, " -> Self {");
        out.indent();
        out.line(&format!("Self::of({passed})"));
        out.close("}");
        out.close("}");
        out.blank();
    }

    fn write_constructor(&self, module: &Module, made: &Constructor, head: &str, out: &mut Writer) {
        out.line("#[inline]");
        let mut lints = Vec::new();
        if made.resembles_constant {
            lints.push("clippy::approx_constant");
        }
        out.allow(&lints);
        let (typed, _) = self.argument(module, &made.argument);
        out.signature(head, &typed, " -> Self {");
        out.indent();
        made.block.write(out);
        let fields = self.fields(made, module);
        if fields.is_empty() {
            out.line("Self {}");
        } else {
            out.struct_literal("Self", &fields);
        }
        out.close("}");
        out.blank();
    }

    /// `m: p.m, m_squared`
    fn fields(&self, made: &Constructor, module: &Module) -> Vec<String> {
        let given = field_names(module.params.iter().map(|field| field.name.as_str()));
        let mut fields = Vec::new();
        for (index, name) in &self.names.params {
            if let Some(given) = given.get(*index as usize) {
                fields.push(format!("{name}: {}.{given}", made.argument));
            }
        }
        for value in &self.order {
            let local = made.fields.get(value).or_else(|| made.names.get(value));
            let local = local.map_or("", String::as_str);
            match self.names.values.get(value) {
                Some(name) if name != local => fields.push(format!("{name}: {local}")),
                _ => fields.push(local.to_owned()),
            }
        }
        if self.is_empty() && module.scalar == Scalar::Generic {
            fields.push("scalar: core::marker::PhantomData".to_owned());
        }
        fields
    }
}
