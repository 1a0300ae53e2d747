//! Models behind `#[derive_eom(...)]` in Rust files: what an editor tells of them, and the messages on those whose text is in the attribute.
//! Knows the attribute and the front end; nothing of connections.

use super::diagnostics::message_text;
use super::engine::Job;
use super::place::{folder, uri};
use super::position::Text;
use super::world::World;
use crate::attribute::Arguments;
use crate::attribute::arguments::Model;
use crate::diag::{Diagnostic, Severity};
use crate::files::Parts;
use crate::input::{Failure, Source, read_source};
use crate::span::Span;
use crate::syntax::ast::ItemKind;
use crate::syntax::parse;
use lsp_types as lsp;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};

/// An attribute with its model.
pub(super) struct Derived {
    /// Where the attribute stands.
    place: Span,
    /// Where its text or path stands.
    literal: Span,
    /// The module that it makes.
    module: String,
    model: Model,
}

/// Whether a file is Rust's.
pub(super) fn is_rust(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|e| e == "rs")
}

/// The attributes of a file; none while it cannot be read as Rust.
pub(super) fn attributes(text: &str) -> Vec<Derived> {
    if !text.contains("derive_eom") {
        return Vec::new();
    }
    let mut reader = Reader::default();
    if let Ok(file) = syn::parse_file(text) {
        reader.visit_file(&file);
    }
    reader.found
}

#[derive(Default)]
struct Reader {
    found: Vec<Derived>,
}

impl<'a> Visit<'a> for Reader {
    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        for attribute in &item.attrs {
            let name = attribute.path().segments.last();
            if name.is_none_or(|name| name.ident != "derive_eom") {
                continue;
            }
            let syn::Meta::List(list) = &attribute.meta else {
                continue;
            };
            let Ok(arguments) = Arguments::parse(list.tokens.clone()) else {
                continue;
            };
            let (Model::File(given) | Model::Text(given)) = &arguments.model;
            let span = |span: proc_macro2::Span| {
                let range = span.byte_range();
                Span::new(range.start, range.end)
            };
            let begin = span(attribute.pound_token.spans[0]);
            self.found.push(Derived {
                place: begin.to(span(attribute.bracket_token.span.close())),
                literal: span(given.span),
                module: item.ident.to_string(),
                model: arguments.model,
            });
        }
        visit::visit_item_mod(self, item);
    }
}

/// The folder of the crate that a file belongs to.
fn root(path: &str) -> PathBuf {
    let own = Path::new(folder(path));
    let with_manifest = |at: &&Path| at.join("Cargo.toml").is_file();
    own.ancestors().find(with_manifest).unwrap_or(own).into()
}

impl Derived {
    /// Under which its model is known to the world.
    fn key(&self, path: &str) -> String {
        match &self.model {
            Model::File(given) => super::world::shown(&root(path).join(&given.value)),
            Model::Text(_) => format!("{path}#{}", self.module),
        }
    }

    fn text(&self, world: &mut World, path: &str) -> Option<String> {
        match &self.model {
            Model::Text(given) => Some(given.value.clone()),
            Model::File(_) => Some(world.file(&self.key(path))?.text.as_str().to_owned()),
        }
    }

    /// What is wrong with a model whose text is in the attribute.
    fn diagnostics(&self, path: &str) -> Vec<Diagnostic> {
        let Model::Text(given) = &self.model else {
            return Vec::new();
        };
        let root = root(path);
        let name = super::world::shown(&root.join("inline.eom"));
        let parts = Parts::of(
            &name,
            std::iter::empty(),
            "write it into the crate's folder",
        );
        let source = Source::gather(&name, &given.value, |part| parts.read(part));
        match read_source(&source, &[]) {
            Ok((_, warnings)) => warnings,
            Err(Failure::Diagnostics(found)) => found,
            Err(Failure::Message(_)) => Vec::new(),
        }
    }

    /// A place of the model in the Rust file: within the literal if it is written as it is read, else all of it.
    fn place(&self, rust: &str, value: &str, inner: Span) -> Span {
        let literal = self.literal;
        let written = rust
            .get(literal.start as usize..literal.end as usize)
            .unwrap_or("");
        let quote = written.find('"').map_or(0, |at| at + 1);
        let same = written
            .get(quote..)
            .is_some_and(|rest| rest.starts_with(value));
        if !same || inner.file != 0 {
            return literal;
        }
        let start = literal.start as usize + quote;
        Span::new(start + inner.start as usize, start + inner.end as usize)
    }
}

/// The messages on the models in a file.
pub(super) fn messages(path: &str, text: &Text) -> Vec<lsp::Diagnostic> {
    let mut found = Vec::new();
    for derived in attributes(text.as_str()) {
        let Model::Text(given) = &derived.model else {
            continue;
        };
        for one in derived.diagnostics(path) {
            let primary = one.labels.first().map_or(Span::new(0, 0), |l| l.span);
            let place = derived.place(text.as_str(), &given.value, primary);
            found.push(lsp::Diagnostic {
                range: text.range(place),
                severity: Some(match one.severity {
                    Severity::Error => lsp::DiagnosticSeverity::ERROR,
                    Severity::Warning => lsp::DiagnosticSeverity::WARNING,
                    Severity::Note => lsp::DiagnosticSeverity::INFORMATION,
                }),
                code: Some(lsp::NumberOrString::String(one.code.to_owned())),
                source: Some("eomgen".to_owned()),
                message: message_text(&one),
                ..lsp::Diagnostic::default()
            });
        }
    }
    found
}

/// What the engine is asked for a file: its models without errors.
pub(super) fn jobs(world: &mut World, path: &str, text: &Text) -> Vec<Job> {
    let mut found = Vec::new();
    for derived in attributes(text.as_str()) {
        let wrong = |d: &Diagnostic| d.severity == Severity::Error;
        if derived.diagnostics(path).iter().any(wrong) {
            continue;
        }
        let key = derived.key(path);
        if let Some(model) = derived.text(world, path) {
            let beside = match &derived.model {
                Model::File(_) => PathBuf::from(folder(&key)),
                Model::Text(_) => root(path),
            };
            found.push(Job {
                path: key,
                text: model,
                folder: beside,
                further: world.folders.clone(),
            });
        }
    }
    found
}

/// What there is to say of the attribute at a byte, as Markdown, and where it stands.
pub(super) fn hover(
    world: &mut World,
    path: &str,
    text: &Text,
    offset: usize,
) -> Option<(String, lsp::Range)> {
    let all = attributes(text.as_str());
    let at = |d: &&Derived| d.place.start as usize <= offset && offset <= d.place.end as usize;
    let derived = all.iter().find(at)?;
    let key = derived.key(path);
    let model = derived.text(world, path)?;
    let items = parse(&model).file.items;
    let name = items.iter().find_map(|item| match &item.kind {
        ItemKind::Model(name) => Some(name.text.clone()),
        _ => None,
    })?;
    let mut said = match &derived.model {
        Model::File(given) => match uri(&key) {
            Some(uri) => format!("model `{name}`, in [{}]({})", given.value, uri.as_str()),
            None => format!("model `{name}`, in `{}`", given.value),
        },
        Model::Text(_) => format!("model `{name}`"),
    };
    if let Some(facts) = world.facts.get(&key) {
        said.push_str(&format!(": {}", facts.freedom));
    }
    said.push_str(&format!(
        "\n\nIts equations of motion are in the documentation of the module `{}` (`cargo doc --open`)",
        derived.module
    ));
    if let Model::File(given) = &derived.model {
        said.push_str(&format!("; `eomgen show {}` prints them", given.value));
    }
    said.push('.');
    Some((said, text.range(derived.place)))
}
