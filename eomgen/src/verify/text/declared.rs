//! What the items of a generated text declare: types, and what functions take and give. Every name is declared once, in each of the two
//! spaces that Rust has for items. Knows nothing of what functions compute.

use std::collections::{BTreeMap, BTreeSet};

use quote::ToTokens;
use syn::{Expr, GenericParam, Generics, ImplItem, Item, ReturnType, Signature, TraitItem};

use super::frame::whole;
use crate::emit::names::{is_camel, is_snake};

/// A type, as far as it is known.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    /// It fits everything.
    Unknown,
    Unit,
    Bool,
    /// A whole number.
    Whole,
    /// A number that is `f64` or `f32` as its surroundings ask.
    Literal,
    /// A type with a name: `f64`, the parameter `T`, a struct.
    Named(String),
    /// With its length, where that is a number.
    Array(Box<Type>, Option<usize>),
    Slice(Box<Type>),
    /// Whether it may be changed.
    Reference(Box<Type>, bool),
    Tuple(Vec<Type>),
    /// What comes where nothing fails.
    Result(Box<Type>),
    /// An item that is a function.
    Function,
}

impl Type {
    /// What a reference refers to.
    pub(super) fn target(&self) -> &Self {
        match self {
            Self::Reference(of, _) => of.target(),
            other => other,
        }
    }

    /// Whether something of another type may stand where this is asked for.
    pub(super) fn takes(&self, found: &Self) -> bool {
        match (self, found) {
            (Self::Unknown, _) | (_, Self::Unknown) => true,
            (Self::Named(name), Self::Literal) | (Self::Literal, Self::Named(name)) => {
                is_plain(name)
            }
            (Self::Array(of, n), Self::Array(found, m)) => {
                of.takes(found) && (n.is_none() || m.is_none() || n == m)
            }
            (Self::Slice(of), Self::Array(found, _) | Self::Slice(found)) => of.takes(found),
            (Self::Reference(of, change), Self::Reference(found, may)) => {
                (*may || !change) && of.takes(found)
            }
            (Self::Tuple(all), Self::Tuple(found)) => {
                all.len() == found.len() && all.iter().zip(found).all(|(a, b)| a.takes(b))
            }
            (Self::Result(of), Self::Result(found)) => of.takes(found),
            (of, found) => of == found,
        }
    }

    /// The more definite of two that fit.
    pub(super) fn with(self, other: Self) -> Self {
        match (&self, &other) {
            (Self::Unknown | Self::Literal, _) => other,
            (Self::Array(a, n), Self::Array(b, m)) => Self::Array(
                Box::new(a.as_ref().clone().with(b.as_ref().clone())),
                n.or(*m),
            ),
            _ => self,
        }
    }
}

/// Whether a name is that of a type of plain numbers.
pub(super) fn is_plain(name: &str) -> bool {
    matches!(name, "f64" | "f32")
}

/// What a function takes and gives.
#[derive(Clone, Debug)]
pub(super) struct Callable {
    /// Without `self`.
    pub(super) arguments: Vec<Type>,
    pub(super) returned: Type,
    pub(super) has_self: bool,
}

/// The items of a text.
#[derive(Debug, Default)]
pub(super) struct Declared {
    /// Constants and functions.
    values: BTreeMap<String, Type>,
    pub(super) functions: BTreeMap<String, Callable>,
    /// Methods and associated functions, by the name of their type or trait.
    pub(super) methods: BTreeMap<String, BTreeMap<String, Callable>>,
    types: BTreeSet<String>,
    /// The fields of structs.
    pub(super) fields: BTreeMap<String, BTreeMap<String, Type>>,
    lengths: BTreeMap<String, usize>,
}

/// The parameters of types that stand around.
pub(super) type Given = BTreeMap<String, Type>;

impl Declared {
    /// # Errors
    /// The first item that is there twice, or asks for what is not there.
    pub(super) fn of(items: &[Item]) -> Result<Self, String> {
        let mut declared = Self::default();
        for item in items {
            declared.name(item)?;
        }
        for item in items {
            declared.contents(item)?;
        }
        Ok(declared)
    }

    /// A constant or a function.
    pub(super) fn value(&self, name: &str) -> Option<Type> {
        self.values.get(name).cloned()
    }

    /// Whether a path may begin with a name.
    pub(super) fn is_root(&self, name: &str) -> bool {
        const KNOWN: [&str; 21] = [
            "Option", "Result", "Self", "String", "Vec", "bool", "char", "core", "f32", "f64",
            "i32", "i64", "isize", "libm", "std", "str", "u16", "u32", "u64", "u8", "usize",
        ];
        KNOWN.contains(&name) || self.types.contains(name)
    }

    fn name(&mut self, item: &Item) -> Result<(), String> {
        let (name, is_type) = match item {
            Item::Const(of) => (of.ident.to_string(), false),
            Item::Fn(of) => (of.sig.ident.to_string(), false),
            Item::Struct(of) => (of.ident.to_string(), true),
            Item::Enum(of) => (of.ident.to_string(), true),
            Item::Trait(of) => (of.ident.to_string(), true),
            _ => return Ok(()),
        };
        let is_new = if is_type {
            self.types.insert(name.clone())
        } else {
            let of = if matches!(item, Item::Fn(_)) {
                Type::Function
            } else {
                Type::Unknown
            };
            self.values.insert(name.clone(), of).is_none()
        };
        if !is_new {
            return Err(format!("`{name}` is declared twice"));
        }
        if let Item::Const(of) = item
            && let Some(length) = whole(&of.expr)
        {
            self.lengths.insert(name.clone(), length);
            self.values.insert(name, Type::Whole);
        }
        Ok(())
    }

    fn contents(&mut self, item: &Item) -> Result<(), String> {
        match item {
            Item::Const(of) => {
                let declared = self.type_of(&of.ty, &Given::new())?;
                self.values.insert(of.ident.to_string(), declared);
            }
            Item::Fn(of) => {
                let name = of.sig.ident.to_string();
                let allowed = allows(&of.attrs, "non_snake_case");
                if !allowed && !is_snake(&name) {
                    return Err(format!("rustc warns of the name `{name}`"));
                }
                let callable = self.callable(&of.sig, &Given::new())?;
                self.functions.insert(name, callable);
            }
            Item::Struct(of) => self.structure(of)?,
            Item::Enum(of) => {
                let names = of.variants.iter().map(|variant| variant.ident.to_string());
                let all = distinct(names)?;
                let allowed = allows(&of.attrs, "non_camel_case_types");
                if let Some(name) = all.iter().find(|name| !allowed && !is_camel(name)) {
                    return Err(format!("rustc warns of the name `{name}`"));
                }
            }
            Item::Trait(of) => {
                let methods = of.items.iter().filter_map(|item| match item {
                    TraitItem::Fn(method) => Some(&method.sig),
                    _ => None,
                });
                self.methods_of(&of.ident.to_string(), methods, &of.generics)?;
            }
            Item::Impl(of) => {
                let syn::Type::Path(on) = &*of.self_ty else {
                    return Ok(());
                };
                let methods = of.items.iter().filter_map(|item| match item {
                    ImplItem::Fn(method) => Some(&method.sig),
                    _ => None,
                });
                let on = on.path.segments.last().map(|s| s.ident.to_string());
                if let (Some(name), None) = (on, &of.trait_) {
                    self.methods_of(&name, methods, &of.generics)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn structure(&mut self, of: &syn::ItemStruct) -> Result<(), String> {
        let given = all_given(&of.generics);
        let mut fields = BTreeMap::new();
        let names = of.fields.iter().filter_map(|field| field.ident.as_ref());
        let names = distinct(names.map(ToString::to_string))?;
        let allowed = allows(&of.attrs, "non_snake_case");
        if let Some(name) = names.iter().find(|name| !allowed && !is_snake(name)) {
            return Err(format!("rustc warns of the name `{name}`"));
        }
        for (field, name) in of.fields.iter().zip(names) {
            fields.insert(name, self.type_of(&field.ty, &given)?);
        }
        self.fields.insert(of.ident.to_string(), fields);
        Ok(())
    }

    fn methods_of<'s>(
        &mut self,
        on: &str,
        methods: impl Iterator<Item = &'s Signature>,
        generics: &Generics,
    ) -> Result<(), String> {
        let given = all_given(generics);
        for sig in methods {
            let callable = self.callable(sig, &given)?;
            let name = sig.ident.to_string();
            let all = self.methods.entry(on.to_owned()).or_default();
            if all.insert(name.clone(), callable).is_some() {
                return Err(format!("`{on}::{name}` is declared twice"));
            }
        }
        Ok(())
    }

    /// What a function takes and gives; a parameter of types that anything may stand for is not known.
    pub(super) fn callable(&self, sig: &Signature, given: &Given) -> Result<Callable, String> {
        let mut given = given.clone();
        given.extend(parameters(&sig.generics));
        let mut arguments = Vec::new();
        let mut has_self = false;
        for argument in &sig.inputs {
            match argument {
                syn::FnArg::Typed(typed) => arguments.push(self.type_of(&typed.ty, &given)?),
                syn::FnArg::Receiver(_) => has_self = true,
            }
        }
        let returned = match &sig.output {
            ReturnType::Default => Type::Unit,
            ReturnType::Type(_, of) => self.type_of(of, &given)?,
        };
        Ok(Callable {
            arguments,
            returned,
            has_self,
        })
    }

    /// A type as it is written.
    pub(super) fn type_of(&self, of: &syn::Type, given: &Given) -> Result<Type, String> {
        Ok(match of {
            syn::Type::Path(path) => return self.path_type(path, given),
            syn::Type::Array(array) => {
                let of = self.type_of(&array.elem, given)?;
                Type::Array(Box::new(of), self.length(&array.len, given)?)
            }
            syn::Type::Slice(slice) => Type::Slice(Box::new(self.type_of(&slice.elem, given)?)),
            syn::Type::Reference(reference) => {
                let of = self.type_of(&reference.elem, given)?;
                Type::Reference(Box::new(of), reference.mutability.is_some())
            }
            syn::Type::Tuple(tuple) if tuple.elems.is_empty() => Type::Unit,
            syn::Type::Tuple(tuple) => {
                let all = tuple.elems.iter().map(|of| self.type_of(of, given));
                Type::Tuple(all.collect::<Result<_, _>>()?)
            }
            syn::Type::Paren(of) => return self.type_of(&of.elem, given),
            syn::Type::ImplTrait(of) => {
                let text = of.bounds.to_token_stream().to_string();
                if text.starts_with("Functions") {
                    Type::Named("Functions".into())
                } else {
                    Type::Unknown
                }
            }
            _ => Type::Unknown,
        })
    }

    fn path_type(&self, path: &syn::TypePath, given: &Given) -> Result<Type, String> {
        let segments: Vec<_> = path.path.segments.iter().collect();
        let Some(first) = segments.first() else {
            return Ok(Type::Unknown);
        };
        let name = first.ident.to_string();
        if let Some(of) = given.get(&name) {
            return Ok(of.clone());
        }
        if !self.is_root(&name) {
            return Err(format!("the type `{name}` is not known"));
        }
        if segments.len() > 1 {
            return Ok(Type::Unknown);
        }
        Ok(match name.as_str() {
            "usize" => Type::Whole,
            "bool" => Type::Bool,
            "Result" => match &first.arguments {
                syn::PathArguments::AngleBracketed(list) => match list.args.first() {
                    Some(syn::GenericArgument::Type(of)) => {
                        Type::Result(Box::new(self.type_of(of, given)?))
                    }
                    _ => Type::Unknown,
                },
                _ => Type::Unknown,
            },
            name if is_plain(name) || self.types.contains(name) => Type::Named(name.to_owned()),
            _ => Type::Unknown,
        })
    }

    /// The length of an array, if it is the same wherever the text is used.
    pub(super) fn length(&self, of: &Expr, given: &Given) -> Result<Option<usize>, String> {
        if let Some(length) = whole(of) {
            return Ok(Some(length));
        }
        let Expr::Path(path) = of else {
            return Ok(None);
        };
        let Some(name) = path.path.get_ident().map(ToString::to_string) else {
            return Ok(None);
        };
        match self.lengths.get(&name) {
            Some(length) => Ok(Some(*length)),
            None if given.contains_key(&name) => Ok(None),
            None => Err(format!("the length `{name}` is not known")),
        }
    }
}

/// Names, each of which may be there once.
fn distinct(names: impl Iterator<Item = String>) -> Result<Vec<String>, String> {
    let mut seen = BTreeSet::new();
    let mut list = Vec::new();
    for name in names {
        if !seen.insert(name.clone()) {
            return Err(format!("`{name}` is declared twice"));
        }
        list.push(name);
    }
    Ok(list)
}

/// The parameters of a function: numbers by their name, others are what the caller makes of them.
pub(super) fn parameters(generics: &Generics) -> Given {
    let known = |of: &GenericParam| match of {
        GenericParam::Type(of) => {
            let is_number = of.bounds.to_token_stream().to_string() == "Scalar";
            let name = of.ident.to_string();
            let stands_for = if is_number {
                Type::Named(name.clone())
            } else {
                Type::Unknown
            };
            Some((name, stands_for))
        }
        GenericParam::Const(of) => Some((of.ident.to_string(), Type::Whole)),
        GenericParam::Lifetime(_) => None,
    };
    generics.params.iter().filter_map(known).collect()
}

/// The parameters of an item that has contents.
fn all_given(generics: &Generics) -> Given {
    let known = |of: &GenericParam| match of {
        GenericParam::Type(of) => Some((of.ident.to_string(), Type::Named(of.ident.to_string()))),
        GenericParam::Const(of) => Some((of.ident.to_string(), Type::Whole)),
        GenericParam::Lifetime(_) => None,
    };
    generics.params.iter().filter_map(known).collect()
}

/// Whether a warning is switched off for an item.
pub(super) fn allows(attributes: &[syn::Attribute], lint: &str) -> bool {
    attributes.iter().any(|attribute| {
        let list = attribute.meta.require_list();
        attribute.path().is_ident("allow")
            && list.is_ok_and(|list| {
                let text = list.tokens.to_string();
                text.split(',').any(|name| name.trim() == lint)
            })
    })
}
