//! The implementations of `Model`: what makes one, its functions, and the functions beside it that make one for a single call. How a model
//! checks is a matter of its type, so the type and what makes it are read word by word.

use quote::ToTokens;
use syn::{ImplItemFn, ItemFn, ItemImpl, ItemStruct, Type, Visibility};

use super::Unreadable;
use super::frame::returned;
use super::lines::Lines;
use super::sources::{Source, Sources};
use super::tree::Module;
use crate::emit::{
    ASSEMBLE, Assembly, CALLED_BY_ASSEMBLE, CALLED_BY_DISCRETIZED, Called, DISCRETIZED,
    LayoutWriter as Writer, Sampling, Surroundings, assembly_text, sampling_text,
};

/// Whether an implementation is one of the model's.
pub(super) fn is_own(of: &ItemImpl) -> bool {
    let Type::Path(path) = &*of.self_ty else {
        return false;
    };
    let first = path.path.segments.first();
    of.trait_.is_none() && first.is_some_and(|segment| segment.ident == "Model")
}

/// The functions of a text, as far as they have been found.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) sources: Sources,
    /// The model's public functions, in order.
    pub(super) public: Vec<String>,
    /// The public functions beside the model, and where they stand.
    pub(super) forwarders: Vec<(ItemFn, u32)>,
    /// The text of the struct's generic parameters.
    generics: Option<String>,
    /// The heads of the implementations.
    heads: Vec<String>,
    /// The function `assemble`.
    assemble: Option<ImplItemFn>,
    /// The function `discretized`.
    discretized: Option<ImplItemFn>,
    /// `new` and `unchecked` of a model that can fail: how they are written.
    makers: Vec<String>,
}

/// The head of the implementation that holds the functions of a model that can fail.
const CHECKING: &str = "impl<constCHECKED:bool>Model<CHECKED>";

impl Reading {
    /// The definition of the struct.
    pub(super) fn structure(&mut self, of: &ItemStruct) -> Result<(), Unreadable> {
        let generics = compact(&of.generics);
        if !matches!(generics.as_str(), "" | "<constCHECKED:bool=true>") {
            return Err(Unreadable::unknown("struct", "Model"));
        }
        self.generics = Some(generics);
        Ok(())
    }

    /// An implementation.
    pub(super) fn implementation(&mut self, of: &ItemImpl) -> Result<(), Unreadable> {
        let head = head(of);
        let known = matches!(head.as_str(), "implModel" | "implModel<false>" | CHECKING);
        if !known || self.heads.contains(&head) {
            return Err(Unreadable::unknown("implementation of", "Model"));
        }
        self.heads.push(head);
        Ok(())
    }

    /// A function of an implementation.
    pub(super) fn method(
        &mut self,
        of: &ItemImpl,
        method: &ImplItemFn,
        lines: Lines,
    ) -> Result<(), Unreadable> {
        let name = method.sig.ident.to_string();
        let is_public = matches!(method.vis, Visibility::Public(_));
        let makes = matches!(name.as_str(), "new" | "unchecked");
        let text = compact(&method.block);
        if makes && matches!(text.as_str(), "{Self::of(p)}" | "{Self::of()}") {
            let sig = compact(&method.sig);
            self.makers.push(format!("{}{sig}{text}", head(of)));
            return if is_public {
                Ok(())
            } else {
                Err(Unreadable::unknown("function", &name))
            };
        }
        if name == ASSEMBLE && is_public && self.assemble.is_none() {
            self.assemble = Some(method.clone());
            return Ok(());
        }
        if name == DISCRETIZED && is_public && self.discretized.is_none() {
            self.discretized = Some(method.clone());
            return Ok(());
        }
        let source = Source {
            sig: method.sig.clone(),
            statements: method.block.stmts.clone(),
            lines,
        };
        if name == "of" && !is_public || name == "new" && is_public {
            if self.sources.constructor.is_some() {
                return Err(twice(&name, &source));
            }
            self.sources.constructor = Some((name, source));
            return Ok(());
        }
        if is_public {
            self.public.push(name.clone());
        }
        if self.sources.methods.contains_key(&name) {
            return Err(twice(&name, &source));
        }
        self.sources.methods.insert(name, source);
        Ok(())
    }

    /// Whether what was found is all of a model: a text that has functions that fail has one that checks.
    pub(super) fn complete(&self, module: &Module) -> Result<(), Unreadable> {
        if self.generics.is_none() && self.sources.methods.is_empty() {
            return Ok(());
        }
        let mut methods = self.sources.methods.values();
        let fallible = methods.any(|source| {
            let found = returned(&source.sig.output);
            found.is_some_and(|found| found.checked)
        });
        let (typed, passed) = if module.params.names.is_empty() && self.takes_nothing() {
            ("", "")
        } else {
            ("p:&Params", "p")
        };
        let maker =
            |head: &str, name: &str| format!("{head}fn{name}({typed})->Self{{Self::of({passed})}}");
        let (generics, heads, made, constructor) = if fallible {
            (
                "<constCHECKED:bool=true>",
                vec!["implModel", "implModel<false>", CHECKING],
                vec![
                    maker("implModel", "new"),
                    maker("implModel<false>", "unchecked"),
                ],
                "of",
            )
        } else {
            ("", vec!["implModel"], Vec::new(), "new")
        };
        let found = self.sources.constructor.as_ref();
        let expected = found.is_some_and(|(name, source)| {
            name == constructor && compact(&source.sig) == format!("fn{constructor}({typed})->Self")
        });
        let same = self.generics.as_deref() == Some(generics)
            && self.heads == heads
            && self.makers == made
            && expected;
        if !same {
            return Err(Unreadable::unknown("implementation of", "Model"));
        }
        self.forwarders
            .iter()
            .try_for_each(|(function, line)| self.forwarder(function, *line, typed))
    }

    /// The rows that `assemble` satisfies. Its text has to be what the library writes for these rows and for the functions that it calls.
    ///
    /// # Errors
    /// That it is not.
    pub(super) fn assembly(&self, module: &Module) -> Result<Option<Assembly>, Unreadable> {
        let Some(method) = &self.assemble else {
            return Ok(None);
        };
        let found = |name| rows(&method.block, name);
        let assembly = Assembly {
            positions: found("positions").unwrap_or_default(),
            velocities: found("velocities"),
        };
        let fallible = CALLED_BY_ASSEMBLE.into_iter().filter(|name| {
            let source = self.sources.methods.get(*name);
            let returned = source.and_then(|source| returned(&source.sig.output));
            returned.is_some_and(|returned| returned.checked)
        });
        let surroundings = Surroundings {
            number: "f64",
            first_order: module.constant("STATES").unwrap_or(0)
                > module.constant("COORDINATES").unwrap_or(0)
                    + module.constant("INDEPENDENT_SPEEDS").unwrap_or(0),
            inputs: !module.inputs.names.is_empty(),
            functions: !module.user_functions.is_empty(),
            fallible: fallible.map(str::to_owned).collect(),
        };
        let mut text = Writer::new();
        assembly_text(&assembly, &surroundings, &mut text);
        is_written(method, text, ASSEMBLE).map(|()| Some(assembly))
    }

    /// The size of what `discretized` returns. Its text has to be what the library writes for that.
    ///
    /// # Errors
    /// That it is not.
    pub(super) fn sampling(&self, module: &Module) -> Result<Option<Sampling>, Unreadable> {
        let Some(method) = &self.discretized else {
            return Ok(None);
        };
        let source = self.sources.methods.get(CALLED_BY_DISCRETIZED);
        let found = source.and_then(|source| returned(&source.sig.output));
        // Which condition it names is no part of what it computes.
        let body = compact(&method.block);
        let (_, named) = body.split_once("finite::<CHECKED>(").unwrap_or_default();
        let condition = named
            .split(',')
            .next()
            .and_then(|number| number.parse().ok());
        let called = Called {
            number: "f64",
            inputs: !module.inputs.names.is_empty(),
            functions: !module.user_functions.is_empty(),
            fails: found
                .filter(|found| found.checked)
                .map(|_| condition.unwrap_or_default()),
        };
        let result = compact(&method.sig.output);
        let (_, sizes) = result.split_once("[[f64;").unwrap_or_default();
        let sizes: Vec<usize> = sizes
            .split("];")
            .map_while(|part| part.split(']').next()?.parse().ok())
            .collect();
        let (columns, rows) = match sizes.as_slice() {
            [columns, rows] => (*columns, *rows),
            _ => (0, 0),
        };
        let sampling = Sampling { rows, columns };
        let mut text = Writer::new();
        sampling_text(sampling, called, &mut text);
        is_written(method, text, DISCRETIZED).map(|()| Some(sampling))
    }

    /// Whether what makes the model has no parameters.
    fn takes_nothing(&self) -> bool {
        let constructor = self.sources.constructor.as_ref();
        constructor.is_some_and(|(_, source)| source.sig.inputs.is_empty())
    }

    /// A function beside the model is the method of a new one, whatever its arguments are called.
    fn forwarder(&self, function: &ItemFn, line: u32, typed: &str) -> Result<(), Unreadable> {
        let name = function.sig.ident.to_string();
        let refused = || {
            let message = format!("`{name}` is not the function of a new model");
            Unreadable::new(line, message)
        };
        let source = self.sources.methods.get(&name);
        let source = source
            .filter(|_| self.public.contains(&name))
            .ok_or_else(refused)?;
        let (mut of_method, mut passed, mut given) = (Vec::new(), Vec::new(), None);
        for argument in &function.sig.inputs {
            let syn::FnArg::Typed(argument) = argument else {
                return Err(refused());
            };
            let syn::Pat::Ident(ident) = &*argument.pat else {
                return Err(refused());
            };
            if compact(&argument.ty) == "&Params" && given.is_none() {
                given = Some(ident.ident.to_string());
            } else {
                passed.push(ident.ident.to_string());
                of_method.push(compact(&argument.ty));
            }
        }
        let expected = source
            .sig
            .inputs
            .iter()
            .filter_map(|argument| match argument {
                syn::FnArg::Typed(argument) => Some(compact(&argument.ty)),
                syn::FnArg::Receiver(_) => None,
            });
        let expected: Vec<String> = expected.collect();
        let body = format!(
            "{{Model::new({}).{name}({})}}",
            given.as_deref().unwrap_or_default(),
            passed.join(",")
        );
        let same = expected == of_method
            && given.is_some() != typed.is_empty()
            && compact(&function.sig.output) == compact(&source.sig.output)
            && function.sig.generics.params.is_empty()
            && compact(&function.block) == body;
        if same { Ok(()) } else { Err(refused()) }
    }
}

/// What `let NAME = [true, false];` says.
fn rows(block: &syn::Block, name: &str) -> Option<Vec<bool>> {
    block.stmts.iter().find_map(|statement| {
        let syn::Stmt::Local(local) = statement else {
            return None;
        };
        let is_it = matches!(&local.pat, syn::Pat::Ident(ident) if ident.ident == name);
        let syn::Expr::Array(array) = &*local.init.as_ref().filter(|_| is_it)?.expr else {
            return None;
        };
        let truth = |e: &syn::Expr| match e {
            syn::Expr::Lit(lit) => match &lit.lit {
                syn::Lit::Bool(truth) => Some(truth.value),
                _ => None,
            },
            _ => None,
        };
        array.elems.iter().map(truth).collect()
    })
}

fn twice(name: &str, source: &Source) -> Unreadable {
    Unreadable::new(source.lines.head, format!("`{name}` is there twice"))
}

/// `impl<const CHECKED: bool> Model<CHECKED>` without its spaces.
fn head(of: &ItemImpl) -> String {
    let where_clause = of.generics.where_clause.to_token_stream();
    let unsafety = of.unsafety.to_token_stream();
    let text = format!(
        "impl{unsafety}{}{}{where_clause}",
        of.generics.to_token_stream(),
        of.self_ty.to_token_stream()
    );
    text.replace(' ', "")
}

/// Tokens without spaces, and without the comma that may end a list.
fn compact(of: &impl ToTokens) -> String {
    let text = of.to_token_stream().to_string();
    text.replace(' ', "").replace(",)", ")")
}

/// That a function is the one that the library writes.
fn is_written(method: &ImplItemFn, text: Writer, name: &str) -> Result<(), Unreadable> {
    let expected = syn::parse_str::<ImplItemFn>(&text.finish()).ok();
    let whole = |f: &ImplItemFn| {
        let text = format!("{}{}", compact(&f.sig), compact(&f.block));
        text.replace(",]", "]").replace(",}", "}")
    };
    if expected.as_ref().map(whole) == Some(whole(method)) {
        return Ok(());
    }
    let what = format!("`{name}` is not the function that belongs to this module");
    Err(Unreadable::new(1, what))
}
