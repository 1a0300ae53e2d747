//! Words and signs with their meaning, for editors that colour by it. Knows names as declared.

use super::functions;
use super::names::{File, Kind, Mention, Role};
use super::position::Text;
use super::world::World;
use crate::syntax::ast::QuantityKind;
use crate::syntax::marks::{Mark, MarkKind};
use crate::syntax::words;
use lsp_types::{Range, SemanticToken, SemanticTokenModifier, SemanticTokenType};
use std::rc::Rc;

/// What a token is, in the order of [`TYPES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Keyword,
    Number,
    String,
    Comment,
    Operator,
    Parameter,
    Variable,
    Function,
    Class,
    Struct,
    Property,
    Namespace,
    Unit,
}

/// What the protocol calls them. Frames are structs, points properties, units types.
pub(super) const TYPES: [SemanticTokenType; 13] = [
    SemanticTokenType::KEYWORD,
    SemanticTokenType::NUMBER,
    SemanticTokenType::STRING,
    SemanticTokenType::COMMENT,
    SemanticTokenType::OPERATOR,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::CLASS,
    SemanticTokenType::STRUCT,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::NAMESPACE,
    SemanticTokenType::TYPE,
];

/// Bits, from the lowest: a declaration, and what the language or its library has.
pub(super) const MODIFIERS: [SemanticTokenModifier; 3] = [
    SemanticTokenModifier::DECLARATION,
    SemanticTokenModifier::DEFAULT_LIBRARY,
    SemanticTokenModifier::DOCUMENTATION,
];

/// The tokens of a file, or of a range of it.
pub(super) fn tokens(
    world: &mut World,
    file: &Rc<File>,
    range: Option<Range>,
) -> Vec<SemanticToken> {
    let mut found = Vec::new();
    let mut before = lsp_types::Position::default();
    for mark in &file.marks {
        let start = file.text.position(mark.span.start as usize);
        if range.is_some_and(|range| start < range.start || range.end < start) {
            continue;
        }
        let Some((kind, modifiers)) = meaning(world, file, mark) else {
            continue;
        };
        let same = start.line == before.line;
        found.push(SemanticToken {
            delta_line: start.line - before.line,
            delta_start: start.character - if same { before.character } else { 0 },
            length: length(&file.text, mark),
            token_type: kind as u32,
            token_modifiers_bitset: modifiers,
        });
        before = start;
    }
    found
}

fn length(text: &Text, mark: &Mark) -> u32 {
    let own = mark.text(text.as_str());
    own.chars().map(|c| c.len_utf16() as u32).sum()
}

/// What a token is, and its modifiers.
pub(super) fn meaning(world: &mut World, file: &Rc<File>, mark: &Mark) -> Option<(Type, u32)> {
    match mark.kind {
        MarkKind::Number => Some((Type::Number, 0)),
        MarkKind::Text => Some((Type::String, 0)),
        MarkKind::Comment => Some((Type::Comment, 0)),
        MarkKind::Doc => Some((Type::Comment, 4)),
        MarkKind::Sign => Some((Type::Operator, 0)),
        MarkKind::Dot | MarkKind::Comma | MarkKind::Colon => None,
        MarkKind::Open | MarkKind::Close => None,
        MarkKind::Name => {
            let at = file
                .mentions
                .binary_search_by_key(&mark.span.start, |m| m.span.start);
            let mention = at.ok().and_then(|at| file.mentions.get(at));
            match mention {
                Some(mention) => name(world, file, mention),
                None => word(file, mark),
            }
        }
    }
}

/// A word that is nobody's name: one of the statement's, or of a statement that could not be read.
fn word(file: &File, mark: &Mark) -> Option<(Type, u32)> {
    let text = mark.text(file.text.as_str());
    let known = words::RESERVED.contains(&text)
        || words::CLAUSES.iter().any(|(word, _)| *word == text)
        || mark.first && words::statements().any(|(keyword, _)| keyword == text);
    if known {
        return Some((Type::Keyword, 0));
    }
    let named = matches!(text, "sum") || file.declared(text, Some(mark.span)).is_some();
    if text == "sum" {
        return Some((Type::Function, 2));
    }
    named.then_some((Type::Variable, 0))
}

fn name(world: &mut World, file: &Rc<File>, mention: &Mention) -> Option<(Type, u32)> {
    if mention.role == Role::Unit {
        return Some((Type::Unit, 2));
    }
    if let Some(symbol) = world.symbol(file, mention) {
        let declared = world.declarations(&symbol);
        let here =
            |d: &&super::names::Declaration| d.span == mention.span && symbol.path == file.path;
        let modifiers = u32::from(declared.iter().any(|d| here(&d)));
        let kind = declared.first()?.kind;
        return Some((of_kind(kind), modifiers));
    }
    if !mention.through.is_empty() {
        return Some((Type::Property, 0));
    }
    match mention.name.as_str() {
        "N" => Some((Type::Struct, 2)),
        "O" => Some((Type::Property, 2)),
        "t" | "pi" => Some((Type::Variable, 2)),
        name if mention.role == Role::Call && functions::find(name).is_some() => {
            Some((Type::Function, 2))
        }
        _ => None,
    }
}

fn of_kind(kind: Kind) -> Type {
    match kind {
        Kind::Quantity(QuantityKind::Param) | Kind::Const => Type::Parameter,
        Kind::Function => Type::Function,
        Kind::Part => Type::Namespace,
        kind if kind.is_mass() => Type::Class,
        kind if kind.is_frame() => Type::Struct,
        kind if kind.is_place() => Type::Property,
        _ => Type::Variable,
    }
}
