//! The items of a generated module. Every one has to be of a known kind: a function of the model, data under known names, or one
//! of the fixed items, whose tokens have to be those that the library holds.

use std::collections::BTreeSet;

use quote::ToTokens;
use syn::{Expr, Item, Lit, Type};

use super::frame::{is_f64, whole};
use super::lines::{self, Lines};
use super::literal::{Literal, Precision};
use super::many::{Many, Part};
use super::model::{self, Reading};
use super::tree::{Fields, Function, Index, Module, UserFunction};
use super::{Unreadable, attributes, body, family, generic, many, single, sound};
use crate::emit::{Scalar, fixed_items, fixed_items_of_many};
use crate::facts::{FACTS, Facts};
use crate::header::body_hash;

/// Reads a module's text.
///
/// # Errors
/// What is not understood first.
pub fn read(text: &str) -> Result<Module, Unreadable> {
    read_of(text, Precision::Double)
}

/// Reads a module whose numbers are of a precision.
///
/// # Errors
/// What is not understood first.
pub fn read_of(text: &str, precision: Precision) -> Result<Module, Unreadable> {
    let doubled = match precision {
        Precision::Double => None,
        Precision::Single => Some(single::doubled(text)),
    };
    let text = doubled.as_deref().unwrap_or(text);
    let file = syn::parse_file(text)
        .map_err(|e| Unreadable::new(1, format!("the file is not Rust: {e}")))?;
    attributes::check(&file)?;
    // What is not known is said first: it may be why the rest is not sound.
    let sound = sound::check(text, &file);
    let mut places = lines::of(text).into_iter();
    let is_generic = generic::is_generic(&file);
    let file = if is_generic {
        generic::specialised(file)?
    } else {
        file
    };
    let mut of_many = Many {
        bases: many::bases(&file),
        ..Many::default()
    };
    let fixed = Fixed::load(precision, is_generic)?;
    let mut module = Module {
        precision,
        is_generic,
        ..Module::default()
    };
    let mut reading = Reading::default();
    for item in file.items {
        let part = many::part(&item, &of_many.bases).filter(|_| !of_many.bases.is_empty());
        match item {
            Item::Fn(function) if part == Some(Part::Own) => {
                let lines = lines_of(&mut places, &function.sig.ident.to_string())?;
                of_many.add(function, lines)?;
            }
            item if part == Some(Part::Shared) => {
                let name = shared_name(&item);
                if let Item::Fn(_) = &item {
                    lines_of(&mut places, &name)?;
                }
                fixed.check(&item, &name, &mut module)?;
            }
            Item::Fn(function) => {
                let name = function.sig.ident.to_string();
                let lines = lines_of(&mut places, &name)?;
                let item = Item::Fn(function.clone());
                let is_public = matches!(function.vis, syn::Visibility::Public(_));
                if is_public {
                    reading.forwarders.push((function, lines.head));
                } else if fixed.is_known(&item) {
                    module.fixed.push(name);
                } else {
                    return Err(Fixed::unknown(&name, lines.head));
                }
            }
            Item::Impl(of) if model::is_own(&of) => {
                for method in &of.items {
                    let syn::ImplItem::Fn(method) = method else {
                        return Err(Unreadable::unknown("implementation of", "Model"));
                    };
                    let name = method.sig.ident.to_string();
                    let lines = lines_of(&mut places, &name)?;
                    reading.method(&of, method, lines)?;
                }
                reading.implementation(&of)?;
            }
            item => read_item(&mut module, &mut reading, &fixed, item)?,
        }
    }
    reading.complete(&module)?;
    module.assembly = reading.assembly(&module)?;
    module.sampling = reading.sampling(&module)?;
    compile(&mut module, &reading)?;
    family::compile(&of_many, &mut module, &reading.sources)?;
    sound.map(|()| module)
}

/// What an item that functions of many states share is called.
fn shared_name(item: &Item) -> String {
    match item {
        Item::Fn(of) => of.sig.ident.to_string(),
        Item::Const(of) => of.ident.to_string(),
        _ => "BatchError".to_owned(),
    }
}

/// Where the next function of a name stands.
fn lines_of(
    places: &mut impl Iterator<Item = (String, Lines)>,
    name: &str,
) -> Result<Lines, Unreadable> {
    let found = places.find(|(found, _)| found == name);
    let found = found.ok_or_else(|| Unreadable::unknown("function", name))?;
    Ok(found.1)
}

/// Compiles the public functions into the module. What none of them reaches has not been read.
fn compile(module: &mut Module, reading: &Reading) -> Result<(), Unreadable> {
    let mut used = BTreeSet::new();
    for name in &reading.public {
        let Some(source) = reading.sources.methods.get(name) else {
            continue;
        };
        let (compiled, calls) = body::compile(module, &reading.sources, source)?;
        used.extend(calls);
        let safe = compiled.guarded.clone();
        module.functions.push(compiled);
        let safe = safe.and_then(|(_, safe)| reading.sources.methods.get(&safe));
        if let Some(source) = safe {
            let (compiled, calls) = body::compile(module, &reading.sources, source)?;
            used.extend(calls);
            module.functions.push(Function {
                part_of: Some(name.clone()),
                ..compiled
            });
        }
    }
    for (name, source) in &reading.sources.methods {
        if !reading.public.contains(name) && !used.contains(name) {
            return Err(Fixed::unknown(name, source.lines.head));
        }
    }
    Ok(())
}

fn read_item(
    module: &mut Module,
    reading: &mut Reading,
    fixed: &Fixed,
    item: Item,
) -> Result<(), Unreadable> {
    match &item {
        Item::Const(constant) => read_constant(module, fixed, constant, &item)?,
        Item::Struct(of) => {
            let name = of.ident.to_string();
            if name == "Model" {
                reading.structure(of)?;
            }
            match fields_of(module, &name) {
                Some(own) => *own = fields(of)?,
                None => fixed.check(&item, &name, module)?,
            }
        }
        Item::Enum(of) => {
            let name = of.ident.to_string();
            let plain = |v: &syn::Variant| {
                matches!(v.fields, syn::Fields::Unit) && v.discriminant.is_none()
            };
            if !of.variants.iter().all(plain) || module.index(&name).is_some() {
                return Err(Unreadable::unknown("enum", &name));
            }
            let variants = of.variants.iter().map(|v| v.ident.to_string());
            module.indices.push(Index {
                name,
                variants: variants.collect(),
                names: Vec::new(),
            });
        }
        Item::Trait(of) if of.ident == "Functions" => functions_trait(module, of)?,
        Item::Impl(of) => read_impl(module, fixed, of, &item)?,
        _ => return Err(Unreadable::unknown("item", &excerpt(&item))),
    }
    Ok(())
}

fn read_constant(
    module: &mut Module,
    fixed: &Fixed,
    constant: &syn::ItemConst,
    item: &Item,
) -> Result<(), Unreadable> {
    let name = constant.ident.to_string();
    match &*constant.ty {
        Type::Path(path) if path.path.is_ident("usize") => {
            let value = whole(&constant.expr);
            let value = value.ok_or_else(|| Unreadable::unknown("value of the constant", &name))?;
            module.constants.push((name, value));
        }
        _ if name == FACTS => {
            let lines =
                strings(&constant.expr).ok_or_else(|| Unreadable::unknown("constant", &name))?;
            module.facts = Facts::read(&lines)
                .map_err(|line| Unreadable::unknown("line of the constant `FACTS`", &line))?;
        }
        _ if name == "CONDITIONS" => {
            let texts = strings(&constant.expr);
            module.conditions = texts.ok_or_else(|| Unreadable::unknown("constant", &name))?;
        }
        _ => {
            fixed.check(item, &name, module)?;
            if name == "SINGULAR_TOLERANCE" {
                module.tolerance = number(module, &constant.expr);
            }
        }
    }
    Ok(())
}

fn excerpt(item: &impl ToTokens) -> String {
    let text = item.to_token_stream().to_string();
    text.chars().take(60).collect()
}

fn fields_of<'m>(module: &'m mut Module, name: &str) -> Option<&'m mut Fields> {
    match name {
        "Params" => Some(&mut module.params),
        "Inputs" => Some(&mut module.inputs),
        "State" => Some(&mut module.state),
        "Model" => Some(&mut module.model),
        _ => None,
    }
}

fn fields(of: &syn::ItemStruct) -> Result<Fields, Unreadable> {
    let name = of.ident.to_string();
    let mut names = Vec::new();
    for field in &of.fields {
        let is_public = matches!(field.vis, syn::Visibility::Public(_));
        let known = is_f64(&field.ty) && is_public != (name == "Model");
        let ident = field.ident.as_ref().filter(|_| known);
        names.push(
            ident
                .ok_or_else(|| Unreadable::unknown("field of", &name))?
                .to_string(),
        );
    }
    let derives = of.attrs.iter().filter(|a| a.path().is_ident("derive"));
    let derives_default = derives
        .map(ToTokens::to_token_stream)
        .any(|tokens| tokens.to_string().contains("Default"));
    Ok(Fields {
        names,
        defaults: None,
        derives_default,
    })
}

fn strings(expr: &Expr) -> Option<Vec<String>> {
    let Expr::Array(array) = expr else {
        return None;
    };
    let text = |e: &Expr| match e {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    };
    array.elems.iter().map(text).collect()
}

/// Puts a number among the literals, with its sign.
fn number(module: &mut Module, expr: &Expr) -> Option<u32> {
    let (negative, expr) = match expr {
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => (true, &*unary.expr),
        other => (false, other),
    };
    let Expr::Lit(lit) = expr else {
        return None;
    };
    let Lit::Float(float) = &lit.lit else {
        return None;
    };
    let mut literal = Literal::read(float.base10_digits(), module.precision)?;
    if negative {
        literal.value = -literal.value;
        literal.text = format!("-{}", literal.text);
    }
    module.literals.push(literal);
    u32::try_from(module.literals.len() - 1).ok()
}

fn functions_trait(module: &mut Module, of: &syn::ItemTrait) -> Result<(), Unreadable> {
    for item in &of.items {
        let syn::TraitItem::Fn(method) = item else {
            return Err(Unreadable::unknown("item of the trait", "Functions"));
        };
        let name = method.sig.ident.to_string();
        let arguments = method.sig.inputs.len().saturating_sub(1);
        let syn::ReturnType::Type(_, returned) = &method.sig.output else {
            return Err(Unreadable::unknown("user's function", &name));
        };
        let returned = returned.to_token_stream().to_string().replace(' ', "");
        let order = (0..=2).find(|order| match order {
            0 => returned == "f64",
            order => returned == format!("Jet{order}<{arguments}>"),
        });
        module.user_functions.push(UserFunction {
            order: order
                .ok_or_else(|| Unreadable::unknown("result of the user's function", &name))?,
            name,
            arguments,
        });
    }
    Ok(())
}

fn read_impl(
    module: &mut Module,
    fixed: &Fixed,
    of: &syn::ItemImpl,
    item: &Item,
) -> Result<(), Unreadable> {
    let on = of.self_ty.to_token_stream().to_string();
    let implemented = of.trait_.as_ref().and_then(|(_, path, _)| path.get_ident());
    let is_default = implemented.is_some_and(|ident| ident == "Default");
    if is_default && matches!(on.as_str(), "Params" | "Inputs" | "State") {
        let defaults = defaults(module, of);
        let defaults =
            defaults.ok_or_else(|| Unreadable::unknown("implementation of Default for", &on))?;
        if let Some(own) = fields_of(module, &on) {
            own.defaults = Some(defaults);
        }
        return Ok(());
    }
    if of.trait_.is_none() && on == "State" {
        // Where it starts is there if it does not start at 0, since it was thought of.
        let initial = |given: &str| {
            format!("#[must_use] pub fn initial({given}) -> Self {{ Self::default() }}")
        };
        let texts = [String::new(), initial(""), initial("_: &Params")];
        let mut found = texts.iter().map(|initial| {
            let expected = state_impl(&module.state.names, initial);
            same(item, &expected, "State")
        });
        return match found.find(Result::is_ok) {
            Some(found) => found,
            None => same(item, &state_impl(&module.state.names, ""), "State"),
        };
    }
    if of.trait_.is_none() && module.index(&on).is_some() {
        let names = of.items.iter().find_map(|item| match item {
            syn::ImplItem::Const(constant) if constant.ident == "NAMES" => strings(&constant.expr),
            _ => None,
        });
        let names = names.ok_or_else(|| Unreadable::unknown("implementation of", &on))?;
        let index = module.indices.iter_mut().find(|index| index.name == on);
        let index = index.ok_or_else(|| Unreadable::unknown("enum", &on))?;
        index.names = names;
        return same(item, &index_impl(index), &on);
    }
    fixed.check(item, &format!("impl of {on}"), module)
}

/// The values of `fn default() -> Self { Self { a: 1.0, ... } }`, which have to be in the order of the fields.
fn defaults(module: &mut Module, of: &syn::ItemImpl) -> Option<Vec<u32>> {
    let [syn::ImplItem::Fn(function)] = of.items.as_slice() else {
        return None;
    };
    let [syn::Stmt::Expr(Expr::Struct(values), None)] = function.block.stmts.as_slice() else {
        return None;
    };
    let on = of.self_ty.to_token_stream().to_string();
    let names = fields_of(module, &on)?.names.clone();
    if values.fields.len() != names.len() || values.rest.is_some() {
        return None;
    }
    let mut list = Vec::new();
    for (field, name) in values.fields.iter().zip(&names) {
        match &field.member {
            syn::Member::Named(ident) if ident == name => {}
            _ => return None,
        }
        list.push(number(module, &field.expr)?);
    }
    Some(list)
}

fn state_impl(names: &[String], initial: &str) -> String {
    let from: Vec<String> = names
        .iter()
        .enumerate()
        .map(|(i, name)| format!("{name}: state[{i}]"))
        .collect();
    let to: Vec<String> = names.iter().map(|name| format!("self.{name}")).collect();
    format!(
        "impl State {{ #[must_use] pub fn from_array(state: &[f64; STATES]) -> Self {{ Self {{ {} }} }}
         #[must_use] pub fn to_array(self) -> [f64; STATES] {{ [{}] }} {initial} }}",
        from.join(", "),
        to.join(", ")
    )
}

fn index_impl(index: &Index) -> String {
    let Index {
        name,
        variants,
        names,
    } = index;
    let count = variants.len();
    let names: Vec<String> = names.iter().map(|n| format!("{n:?}")).collect();
    format!(
        "impl {name} {{ pub const NAMES: [&'static str; {count}] = [{}]; }}",
        names.join(", ")
    )
}

/// Whether an item is what it should be, token by token.
fn same(item: &Item, expected: &str, name: &str) -> Result<(), Unreadable> {
    let parsed = syn::parse_str::<Item>(expected);
    let expected = parsed.ok().and_then(|item| tokens(&item));
    if expected.is_some() && tokens(item) == expected {
        return Ok(());
    }
    let message =
        format!("the implementation of `{name}` is not the one that belongs to its entries");
    Err(Unreadable::new(1, message))
}

/// What an item says: a hash of its tokens without documentation.
fn tokens(item: &Item) -> Option<String> {
    let mut item = item.clone();
    strip(&mut item);
    body_hash(&item.to_token_stream().to_string()).ok()
}

fn strip(item: &mut Item) {
    let bare = |attributes: &mut Vec<syn::Attribute>| {
        attributes.retain(|attribute| !attribute.path().is_ident("doc"));
    };
    match item {
        Item::Fn(of) => bare(&mut of.attrs),
        Item::Const(of) => bare(&mut of.attrs),
        Item::Enum(of) => {
            bare(&mut of.attrs);
            for variant in &mut of.variants {
                bare(&mut variant.attrs);
                variant
                    .fields
                    .iter_mut()
                    .for_each(|field| bare(&mut field.attrs));
            }
        }
        Item::Struct(of) => {
            bare(&mut of.attrs);
            of.fields
                .iter_mut()
                .for_each(|field| bare(&mut field.attrs));
        }
        Item::Impl(of) => {
            bare(&mut of.attrs);
            for item in &mut of.items {
                match item {
                    syn::ImplItem::Fn(of) => bare(&mut of.attrs),
                    syn::ImplItem::Const(of) => bare(&mut of.attrs),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// The items that are the same in every module, by their tokens.
struct Fixed {
    known: BTreeSet<String>,
}

impl Fixed {
    fn load(precision: Precision, is_generic: bool) -> Result<Self, Unreadable> {
        let mut known = BTreeSet::new();
        if is_generic {
            for text in fixed_items(Scalar::Generic) {
                let file = generic::specialised_text(&text)?;
                known.extend(file.items.iter().filter_map(tokens));
            }
            return Ok(Self { known });
        }
        let of = |scalar| {
            let texts = fixed_items(scalar).into_iter();
            texts.chain(fixed_items_of_many(scalar))
        };
        let texts: Vec<String> = match precision {
            Precision::Double => of(Scalar::F64).collect(),
            Precision::Single => of(Scalar::F32).map(|text| single::doubled(&text)).collect(),
        };
        for text in texts {
            let file = syn::parse_file(&text).map_err(|e| Unreadable::new(1, e.to_string()))?;
            known.extend(file.items.iter().filter_map(tokens));
        }
        Ok(Self { known })
    }

    /// Records a fixed item.
    fn check(&self, item: &Item, name: &str, module: &mut Module) -> Result<(), Unreadable> {
        if self.is_known(item) {
            module.fixed.push(name.to_owned());
            return Ok(());
        }
        Err(Self::unknown(name, 1))
    }

    fn is_known(&self, item: &Item) -> bool {
        tokens(item).is_some_and(|tokens| self.known.contains(&tokens))
    }

    fn unknown(name: &str, line: u32) -> Unreadable {
        let message = format!(
            "`{name}` is neither an item of a generated module that depends on the model nor the text of one that is the same in all"
        );
        Unreadable::new(line, message)
    }
}
