//! A generated module as its callers see it: the methods of its model and what they take, the fields of its structs, the names of its
//! indices. Read from the syntax alone; comments say nothing here.

use super::{Names, Shape};
use std::collections::{BTreeMap, BTreeSet};
use syn::{Expr, FnArg, Item, Lit, Pat, ReturnType, Type, Visibility};

/// What the functions compute with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    F64,
    F32,
    /// Any type of the module's trait; it is called with `f64`.
    Generic,
}

impl Number {
    /// What stands behind the names of types that depend on it.
    pub(super) fn generic(self) -> &'static str {
        match self {
            Self::Generic => "<N>",
            Self::F64 | Self::F32 => "",
        }
    }

    /// The type with which the module is called.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 | Self::Generic => "f64",
        }
    }
}

/// An argument of a function for one state.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Argument {
    Time,
    State,
    Inputs,
    Functions,
    /// Anything else: numbers under a name.
    Extra(String, Shape),
}

/// An argument of a function for many states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Times,
    States,
    Model,
    Inputs,
    Functions,
    Out,
}

/// A method of the model: a function for one state.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub name: String,
    pub arguments: Vec<Argument>,
    pub shape: Shape,
    /// It returns a `Result`.
    pub fallible: bool,
    /// There is a function of this name that takes parameters in place of the model.
    pub free: bool,
}

/// How a function for many states is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// With columns of any length.
    Batch,
    /// With arrays.
    Lanes,
}

/// A public function for many states.
#[derive(Clone, Debug)]
pub(super) struct Many {
    pub name: String,
    /// The index of the function for one state.
    pub of: usize,
    pub manner: Manner,
    pub columns: Vec<Column>,
    pub fallible: bool,
}

/// A function that the caller supplies.
#[derive(Clone, Debug)]
pub(super) struct Supplied {
    pub name: String,
    pub arguments: usize,
    /// How many orders of derivatives it returns.
    pub order: usize,
}

/// A module.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    pub number: Number,
    pub names: Names,
    /// Length of the state.
    pub states: usize,
    /// Fields of `Params`, and whether there are default values.
    pub params: Vec<String>,
    pub has_params: bool,
    pub defaults: bool,
    /// The model has a form without checks.
    pub unchecked: bool,
    /// Fields of `Inputs`.
    pub inputs: Vec<String>,
    pub supplied: Vec<Supplied>,
    pub functions: Vec<Function>,
    pub many: Vec<Many>,
    /// Products are fused with sums.
    pub fused: bool,
    /// `BatchError` has a variant for a state that is singular.
    pub batch_singular: bool,
}

/// The syntax of a module, item by item.
#[derive(Default)]
struct Reader<'a> {
    constants: BTreeMap<String, usize>,
    names: Names,
    functions: Vec<&'a syn::ItemFn>,
    methods: Vec<&'a syn::ImplItemFn>,
    unchecked: bool,
    fields: BTreeMap<String, Vec<String>>,
    traits: BTreeMap<String, &'a syn::ItemTrait>,
    /// Types with a `Default` of their own.
    defaults: BTreeSet<String>,
    batch_singular: bool,
}

/// Reads a module.
pub(super) fn outline(text: &str) -> Result<Outline, String> {
    let file = syn::parse_file(text).map_err(|e| e.to_string())?;
    let mut reader = Reader::default();
    for item in &file.items {
        reader.item(item);
    }
    let mut outline = reader.finish()?;
    outline.fused = ["mul_add(", "libm::fma"].iter().any(|f| text.contains(f));
    Ok(outline)
}

impl<'a> Reader<'a> {
    fn item(&mut self, item: &'a Item) {
        match item {
            Item::Const(constant) => self.constant(constant),
            Item::Fn(function) if matches!(function.vis, Visibility::Public(_)) => {
                self.functions.push(function);
            }
            Item::Struct(of) => {
                let fields = of.fields.iter();
                let names = fields.filter_map(|f| f.ident.as_ref().map(ident));
                self.fields.insert(ident(&of.ident), names.collect());
            }
            Item::Trait(of) => {
                self.traits.insert(ident(&of.ident), of);
            }
            Item::Impl(block) => self.block(block),
            Item::Enum(of) if of.ident == "BatchError" => {
                self.batch_singular = of.variants.iter().any(|v| v.ident == "Singular");
            }
            _ => {}
        }
    }

    fn constant(&mut self, constant: &syn::ItemConst) {
        let name = ident(&constant.ident);
        if let Some(value) = whole(&constant.expr) {
            self.constants.insert(name, value);
        } else if let Some(texts) = texts(&constant.expr) {
            match name.as_str() {
                "CONDITIONS" => self.names.conditions = texts,
                "FACTS" => self.names.facts = texts,
                _ => {}
            }
        }
    }

    /// An `impl`: names of an index, default values, or methods of the model.
    fn block(&mut self, block: &'a syn::ItemImpl) {
        let of = last(&block.self_ty).unwrap_or_default();
        if let Some((_, path, _)) = &block.trait_ {
            if path.is_ident("Default") {
                self.defaults.insert(of);
            }
            return;
        }
        for item in &block.items {
            let constant = match item {
                syn::ImplItem::Const(constant) => constant,
                syn::ImplItem::Fn(method) if of == "Model" => {
                    self.method(method);
                    continue;
                }
                _ => continue,
            };
            if constant.ident != "NAMES" {
                continue;
            }
            let found = texts(&constant.expr).unwrap_or_default();
            match of.as_str() {
                "StateIndex" => self.names.state = found,
                "Speed" => self.names.speeds = found,
                "Constraint" => self.names.constraints = found,
                _ => self.names.others.push((of.clone(), found)),
            }
        }
    }

    /// A method of the model: a function for one state, or what makes the model.
    fn method(&mut self, method: &'a syn::ImplItemFn) {
        let public = matches!(method.vis, Visibility::Public(_));
        if public && method.sig.receiver().is_some() {
            self.methods.push(method);
        } else if method.sig.ident == "unchecked" {
            self.unchecked = true;
        }
    }

    fn finish(mut self) -> Result<Outline, String> {
        let constant = |name: &str| {
            let found = self.constants.get(name).copied();
            found.ok_or_else(|| format!("there is no constant `{name}`"))
        };
        let states = constant("STATES")?;
        let coordinates = constant("COORDINATES")?.min(self.names.state.len());
        let (first, rest) = self.names.state.split_at(coordinates);
        self.names.coordinates = first.to_vec();
        if self.names.speeds.is_empty() {
            self.names.speeds = rest.to_vec();
        }
        let free: BTreeSet<String> = self.functions.iter().map(|f| ident(&f.sig.ident)).collect();
        // What starts from a guess belongs to no state; `tests/suite/assemble.rs` runs it.
        let guesses = |m: &&syn::ImplItemFn| typed(&m.sig).iter().any(|(name, _)| name == "guess");
        let methods = self.methods.iter().filter(|m| !guesses(m));
        let functions: Vec<Function> = methods
            .map(|method| self.function(&method.sig, &free))
            .collect::<Result<_, _>>()?;
        let mut many = Vec::new();
        for function in &self.functions {
            many.extend(columns(function, &functions)?);
        }
        let f32s = |f: &&&syn::ImplItemFn| {
            f.sig.inputs.iter().any(|argument| match argument {
                FnArg::Typed(typed) => last(&typed.ty).as_deref() == Some("f32"),
                FnArg::Receiver(_) => false,
            })
        };
        let number = if self.traits.contains_key("Scalar") {
            Number::Generic
        } else if self.methods.iter().find(f32s).is_some() {
            Number::F32
        } else {
            Number::F64
        };
        Ok(Outline {
            number,
            states,
            has_params: self.fields.contains_key("Params"),
            params: self.fields.remove("Params").unwrap_or_default(),
            defaults: self.defaults.contains("Params"),
            unchecked: self.unchecked,
            inputs: self.fields.remove("Inputs").unwrap_or_default(),
            supplied: self.supplied()?,
            functions,
            many,
            batch_singular: self.batch_singular,
            fused: false,
            names: self.names,
        })
    }

    fn function(
        &self,
        signature: &syn::Signature,
        free: &BTreeSet<String>,
    ) -> Result<Function, String> {
        let name = ident(&signature.ident);
        let mut arguments = Vec::new();
        for (place, (argument, of)) in typed(signature).into_iter().enumerate() {
            arguments.push(self.argument(place, &argument, of).ok_or_else(|| {
                format!("`{name}` takes `{argument}`, which is none of the known arguments")
            })?);
        }
        let ReturnType::Type(_, returned) = &signature.output else {
            return Err(format!("`{name}` returns nothing"));
        };
        let (fallible, value) = match result(returned) {
            Some(value) => (true, value),
            None => (false, &**returned),
        };
        let shape = self
            .shape(value)
            .ok_or_else(|| format!("`{name}` returns something other than numbers"))?;
        Ok(Function {
            arguments,
            shape,
            fallible,
            free: free.contains(&name),
            name,
        })
    }

    fn argument(&self, place: usize, name: &str, of: &Type) -> Option<Argument> {
        match of {
            Type::Path(_) if place == 0 => Some(Argument::Time),
            Type::Path(_) => Some(Argument::Extra(name.to_owned(), Shape::Number)),
            Type::Reference(to) => match &*to.elem {
                Type::ImplTrait(_) => Some(Argument::Functions),
                Type::Array(_) if place == 1 => Some(Argument::State),
                array @ Type::Array(_) => {
                    Some(Argument::Extra(name.to_owned(), self.shape(array)?))
                }
                named => match last(named)?.as_str() {
                    "Inputs" => Some(Argument::Inputs),
                    _ => None,
                },
            },
            _ => None,
        }
    }

    fn shape(&self, of: &Type) -> Option<Shape> {
        match of {
            Type::Path(_) => Some(Shape::Number),
            Type::Array(array) => {
                let length = self.length(&array.len)?;
                match self.shape(&array.elem)? {
                    Shape::Number => Some(Shape::Vector(length)),
                    Shape::Vector(columns) => Some(Shape::Matrix(length, columns)),
                    Shape::Matrix(..) => None,
                }
            }
            _ => None,
        }
    }

    fn length(&self, of: &Expr) -> Option<usize> {
        match of {
            Expr::Path(path) => {
                let name = path.path.get_ident().map(ident)?;
                self.constants.get(&name).copied()
            }
            _ => whole(of),
        }
    }

    fn supplied(&self) -> Result<Vec<Supplied>, String> {
        let Some(of) = self.traits.get("Functions") else {
            return Ok(Vec::new());
        };
        let methods = of.items.iter().filter_map(|item| match item {
            syn::TraitItem::Fn(method) => Some(method),
            _ => None,
        });
        let supplied = |method: &syn::TraitItemFn| {
            let name = ident(&method.sig.ident);
            let ReturnType::Type(_, returned) = &method.sig.output else {
                return Err(format!("the user function `{name}` returns nothing"));
            };
            let order = match last(returned).as_deref() {
                Some("Jet1") => 1,
                Some("Jet2") => 2,
                _ => 0,
            };
            Ok(Supplied {
                name,
                arguments: typed(&method.sig).len(),
                order,
            })
        };
        methods.map(supplied).collect()
    }
}

/// A function for many states; `None` if it is for one.
fn columns(function: &syn::ItemFn, functions: &[Function]) -> Result<Option<Many>, String> {
    let name = ident(&function.sig.ident);
    let manners = [("_batch", Manner::Batch), ("_lanes", Manner::Lanes)];
    let found = manners.iter().find_map(|(suffix, manner)| {
        let base = name.strip_suffix(suffix)?;
        let of = functions.iter().position(|f| f.name == base)?;
        Some((of, *manner))
    });
    let Some((of, manner)) = found else {
        return Ok(None);
    };
    let mut columns = Vec::new();
    for (argument, of) in typed(&function.sig) {
        let Type::Reference(to) = of else {
            return Err(format!("`{name}` takes `{argument}` by value"));
        };
        let named = last(&to.elem);
        columns.push(match (argument.as_str(), &*to.elem, named.as_deref()) {
            (_, Type::ImplTrait(_), _) => Column::Functions,
            (_, Type::Path(_), Some("Model")) => Column::Model,
            ("t", ..) => Column::Times,
            ("states", ..) => Column::States,
            ("inputs", ..) => Column::Inputs,
            ("out", ..) => Column::Out,
            _ => return Err(format!("`{name}` takes an unknown argument `{argument}`")),
        });
    }
    Ok(Some(Many {
        of,
        manner,
        columns,
        fallible: matches!(function.sig.output, ReturnType::Type(..)),
        name,
    }))
}

fn ident(of: &syn::Ident) -> String {
    of.to_string()
}

/// Names and types of arguments.
fn typed(signature: &syn::Signature) -> Vec<(String, &Type)> {
    let typed = signature
        .inputs
        .iter()
        .filter_map(|argument| match argument {
            FnArg::Typed(typed) => Some(typed),
            FnArg::Receiver(_) => None,
        });
    let name = |pattern: &Pat| match pattern {
        Pat::Ident(name) => ident(&name.ident),
        _ => "_".to_owned(),
    };
    typed.map(|t| (name(&t.pat), &*t.ty)).collect()
}

/// The last name of a type's path.
fn last(of: &Type) -> Option<String> {
    match of {
        Type::Path(path) => path.path.segments.last().map(|s| ident(&s.ident)),
        _ => None,
    }
}

/// `T` of `Result<T, ...>`.
fn result(of: &Type) -> Option<&Type> {
    let Type::Path(path) = of else {
        return None;
    };
    let segment = path.path.segments.last()?;
    let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    match arguments.args.first()? {
        syn::GenericArgument::Type(value) if segment.ident == "Result" => Some(value),
        _ => None,
    }
}

fn whole(of: &Expr) -> Option<usize> {
    match of {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => number.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

/// The texts of an array.
fn texts(of: &Expr) -> Option<Vec<String>> {
    let Expr::Array(array) = of else {
        return None;
    };
    let text = |element: &Expr| match element {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    };
    array.elems.iter().map(text).collect()
}
