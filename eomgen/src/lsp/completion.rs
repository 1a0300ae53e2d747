//! What may be written at a place, by the kind that it asks for. Knows nothing of how editors filter it.

use super::context::{Place, place};
use super::functions::{self, Wanted};
use super::hover::short;
use super::names::{Declaration, File, Kind};
use super::place::folder;
use super::world::{World, shown};
use crate::files;
use crate::library;
use crate::model::units::unit_names;
use crate::syntax::ast::{Defined, NeedKind};
use crate::syntax::words;
use lsp_types::{
    CompletionItem, CompletionItemKind, Documentation, InsertTextFormat, MarkupContent, MarkupKind,
};
use std::path::Path;
use std::rc::Rc;

/// What fits the expected kind stands before what does not.
#[derive(Clone, Copy)]
enum Rank {
    Fits,
    Function,
    Other,
}

/// Proposals at a byte; `snippets`: whether the editor takes text with places to fill in.
pub(super) fn at(
    world: &mut World,
    file: &Rc<File>,
    offset: usize,
    snippets: bool,
) -> Vec<CompletionItem> {
    match place(file, offset) {
        Place::Comment | Place::NewName => Vec::new(),
        Place::Statement => words::statements()
            .map(|(keyword, example)| {
                let docs = format!("```eom\n{example}\n```");
                item(
                    keyword,
                    CompletionItemKind::KEYWORD,
                    "statement",
                    docs,
                    Rank::Fits,
                )
            })
            .collect(),
        Place::Unit => unit_names()
            .map(|unit| {
                item(
                    unit,
                    CompletionItemKind::UNIT,
                    "unit",
                    String::new(),
                    Rank::Fits,
                )
            })
            .collect(),
        Place::Path => paths(&file.path),
        Place::Field(through) => fields(world, file, &through),
        Place::Argument(part) => arguments(world, file, &part),
        Place::Value(wanted, keyword) => values(file, offset, wanted, &keyword, snippets),
    }
}

fn item(
    label: &str,
    kind: CompletionItemKind,
    detail: &str,
    docs: String,
    rank: Rank,
) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        kind: Some(kind),
        detail: Some(detail.to_owned()),
        documentation: (!docs.is_empty()).then_some(Documentation::MarkupContent(MarkupContent {
            kind: MarkupKind::Markdown,
            value: docs,
        })),
        sort_text: Some(format!("{}{label}", rank as u8)),
        ..CompletionItem::default()
    }
}

fn of_declaration(declared: &Declaration, rank: Rank) -> CompletionItem {
    let kind = match declared.kind {
        Kind::Function => CompletionItemKind::FUNCTION,
        Kind::Part => CompletionItemKind::MODULE,
        Kind::Const | Kind::Variable => CompletionItemKind::CONSTANT,
        kind if kind.is_mass() => CompletionItemKind::CLASS,
        kind if kind.is_frame() => CompletionItemKind::STRUCT,
        kind if kind.is_place() => CompletionItemKind::FIELD,
        _ => CompletionItemKind::VARIABLE,
    };
    let detail = declared.kind.text();
    item(&declared.name, kind, detail, short(declared), rank)
}

/// The files of parts beside the file and below, and the library.
fn paths(path: &str) -> Vec<CompletionItem> {
    let shipped = library::all().iter().map(|(name, text)| {
        let docs = text
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("//! "));
        let docs = docs.unwrap_or_default().to_owned();
        let name = format!("std/{name}");
        item(
            &name,
            CompletionItemKind::MODULE,
            "part of the library",
            docs,
            Rank::Fits,
        )
    });
    let own = folder(path);
    if own.is_empty() {
        return shipped.collect();
    }
    let below = files::models_below(Path::new(own), 3, 200);
    let names = below.iter().filter_map(|file| {
        let name = shown(file);
        let name = name.strip_prefix(own)?.trim_start_matches('/').to_owned();
        (shown(file) != path).then_some(name)
    });
    names
        .map(|name| {
            item(
                &name,
                CompletionItemKind::FILE,
                "file",
                String::new(),
                Rank::Fits,
            )
        })
        .chain(shipped)
        .collect()
}

/// What stands behind a point: names of a part, or components.
fn fields(world: &mut World, file: &Rc<File>, through: &[String]) -> Vec<CompletionItem> {
    if let Some(part) = world.inside(file, through) {
        return distinct(&part)
            .map(|declared| of_declaration(declared, Rank::Fits))
            .collect();
    }
    ["x", "y", "z"]
        .iter()
        .map(|axis| {
            let docs = format!("`{}.{axis}`", through.join("."));
            item(axis, CompletionItemKind::FIELD, "axis", docs, Rank::Fits)
        })
        .collect()
}

/// The names of a file, of families the first declaration each.
fn distinct(file: &File) -> impl Iterator<Item = &Declaration> {
    let first = |d: &&Declaration| {
        let first = file.named(&d.name).next();
        first.is_some_and(|first| std::ptr::eq(first, *d))
    };
    let plain = |d: &&Declaration| d.within.is_none();
    file.declarations.iter().filter(first).filter(plain)
}

/// The parameters of the part that a `use` names.
fn arguments(world: &mut World, file: &Rc<File>, part: &str) -> Vec<CompletionItem> {
    let Some(inner) = world.inside(file, &[part.to_owned()]) else {
        // The statement is not finished, so that the tree does not have it: any file that is used may be meant.
        return Vec::new();
    };
    distinct(&inner)
        .filter(|declared| declared.kind.is_argument())
        .map(|declared| {
            let needed = matches!(declared.kind, Kind::Need(_));
            let rank = if needed { Rank::Fits } else { Rank::Other };
            CompletionItem {
                insert_text: Some(format!("{} = ", declared.name)),
                ..of_declaration(declared, rank)
            }
        })
        .collect()
}

fn fits(kind: Kind, wanted: Wanted) -> bool {
    match wanted {
        Wanted::Any => kind.is_value(),
        Wanted::Point => kind.is_place(),
        Wanted::Frame => kind.is_frame(),
        Wanted::Mass => kind.is_mass(),
        Wanted::Constraint => matches!(kind, Kind::Constraint | Kind::Reaction(_)),
        Wanted::Vector => matches!(
            kind,
            Kind::Defined(Defined::Let) | Kind::Need(NeedKind::Vector)
        ),
        Wanted::Scalar => kind.is_value() && kind != Kind::Need(NeedKind::Vector),
    }
}

fn values(
    file: &File,
    offset: usize,
    wanted: Wanted,
    keyword: &str,
    snippets: bool,
) -> Vec<CompletionItem> {
    let inside = |d: &&Declaration| {
        d.within
            .is_none_or(|w| (w.start as usize) <= offset && offset <= w.end as usize)
    };
    let known = file.declarations.iter().filter(|d| {
        let first = file.named(&d.name).find(inside);
        first.is_some_and(|first| std::ptr::eq(first, *d))
    });
    let mut found: Vec<CompletionItem> = known
        .map(|declared| {
            let rank = if fits(declared.kind, wanted) {
                Rank::Fits
            } else {
                Rank::Other
            };
            of_declaration(declared, rank)
        })
        .collect();
    found.extend(predeclared(wanted));
    let clauses = words::CLAUSES
        .iter()
        .filter(|(_, homes)| homes.contains(&keyword));
    let own = clauses.map(|(word, _)| *word);
    found.extend(
        own.chain(words::RESERVED.iter().copied())
            .filter(|word| file.named(word).next().is_none())
            .map(|word| {
                let kind = CompletionItemKind::KEYWORD;
                item(word, kind, keyword, String::new(), Rank::Other)
            }),
    );
    found.extend(calls(snippets));
    found
}

/// `N`, `O`, `t` and `pi`.
fn predeclared(wanted: Wanted) -> impl Iterator<Item = CompletionItem> {
    words::PREDECLARED.iter().map(move |(name, what)| {
        let fit = match *name {
            "N" => wanted == Wanted::Frame,
            "O" => wanted == Wanted::Point,
            _ => matches!(wanted, Wanted::Scalar | Wanted::Any),
        };
        let rank = if fit { Rank::Fits } else { Rank::Other };
        let kind = CompletionItemKind::CONSTANT;
        item(name, kind, what, String::new(), rank)
    })
}

/// All functions of the language.
fn calls(snippets: bool) -> impl Iterator<Item = CompletionItem> {
    functions::all().map(move |function| {
        let name = function.name;
        let docs = format!("```eom\n{}\n```\n{}", function.text, function.docs);
        let insert = snippets.then(|| format!("{name}($0)"));
        let kind = CompletionItemKind::FUNCTION;
        CompletionItem {
            insert_text_format: insert.is_some().then_some(InsertTextFormat::SNIPPET),
            insert_text: insert,
            ..item(name, kind, &function.text, docs, Rank::Function)
        }
    })
}
