//! What is not written and shown behind the names: units, and the degrees of freedom. Knows the checked model where there is one.

use super::hover::unit;
use super::names::{Declaration, File, Kind};
use super::world::World;
use crate::syntax::ast::{Defined, Item, ItemKind};
use lsp_types::{InlayHint, InlayHintKind, InlayHintLabel, Position, Range};

/// The hints in a range.
pub(super) fn hints(world: &World, file: &File, range: Range) -> Vec<InlayHint> {
    let mut found: Vec<InlayHint> = freedom(world, file, range).into_iter().collect();
    let Some((system, prefix)) = world.system_of(&file.path) else {
        return found;
    };
    let units = stated(&file.tree.items);
    let silent = |d: &&Declaration| match d.kind {
        Kind::Quantity(_) | Kind::Function => !units.contains(&d.item.start),
        Kind::Defined(Defined::Let | Defined::Speed | Defined::Output) | Kind::Reaction(_) => true,
        _ => false,
    };
    let shown = file.declarations.iter().filter(silent).filter_map(|d| {
        let at = behind(file, d);
        let position = file.text.position(at);
        let inside = range.start <= position && position <= range.end;
        let unit = inside.then(|| unit(&system, &format!("{prefix}{}", d.name)))??;
        (unit != "1").then(|| hint(position, format!(": {unit}")))
    });
    found.extend(shown);
    found
}

fn hint(position: Position, text: String) -> InlayHint {
    InlayHint {
        position,
        label: InlayHintLabel::String(text),
        kind: Some(InlayHintKind::TYPE),
        text_edits: None,
        tooltip: None,
        padding_left: None,
        padding_right: None,
        data: None,
    }
}

/// Behind the model's name: the degrees of freedom that the engine has found.
fn freedom(world: &World, file: &File, range: Range) -> Option<InlayHint> {
    let said = world.freedom.get(&file.path)?;
    let name = file.tree.items.iter().find_map(|item| match &item.kind {
        ItemKind::Model(name) => Some(name.span),
        _ => None,
    })?;
    let position = file.text.position(name.end as usize);
    let inside = range.start <= position && position <= range.end;
    inside.then(|| InlayHint {
        padding_left: Some(true),
        kind: None,
        ..hint(position, said.clone())
    })
}

/// Where the statements begin that state a unit.
fn stated(items: &[Item]) -> Vec<u32> {
    let mut found = Vec::new();
    for item in items {
        match &item.kind {
            ItemKind::Quantities(all) if all.unit.is_some() => found.push(item.span.start),
            ItemKind::Function { unit: Some(_), .. } => found.push(item.span.start),
            ItemKind::For { body, .. } => found.extend(stated(body)),
            _ => {}
        }
    }
    found
}

/// The end of a declared name, its indices among it.
fn behind(file: &File, declared: &Declaration) -> usize {
    let text = file.text.as_str();
    let mut at = declared.span.end as usize;
    while text.get(at..).is_some_and(|rest| rest.starts_with('[')) {
        match text[at..].find(']') {
            Some(close) => at += close + 1,
            None => break,
        }
    }
    at
}
