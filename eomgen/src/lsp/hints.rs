//! What is not written and shown behind the names: units, the degrees of freedom, and which speeds depend on others. Knows the checked model
//! where there is one.

use super::hover::unit;
use super::names::{Declaration, File, Kind};
use super::world::World;
use crate::syntax::ast::{Defined, Item, ItemKind, QuantityKind};
use lsp_types::{InlayHint, InlayHintKind, InlayHintLabel, Position, Range};

/// The hints in a range.
pub(super) fn hints(world: &World, file: &File, range: Range) -> Vec<InlayHint> {
    let mut found: Vec<InlayHint> = freedom(world, file, range).into_iter().collect();
    found.extend(dependent(world, file, range));
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
    let said = &world.facts.get(&file.path)?.freedom;
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

/// Most names that a hint spells.
const MOST_NAMES: usize = 3;

/// Behind the names of speeds, coordinates and parts: which of their speeds the others determine, as the engine has found.
fn dependent(world: &World, file: &File, range: Range) -> Vec<InlayHint> {
    let Some(facts) = world.facts.get(&file.path) else {
        return Vec::new();
    };
    let found = file.declarations.iter().filter_map(|declared| {
        let speeds = match declared.kind {
            Kind::Quantity(QuantityKind::Coord) | Kind::Defined(Defined::Speed) | Kind::Part => {
                of(declared, &facts.dependent)
            }
            _ => return None,
        };
        let position = file.text.position(behind(file, declared));
        let inside = range.start <= position && position <= range.end;
        let text = match &speeds[..] {
            _ if !inside => return None,
            [] => return None,
            [one] if **one == declared.name => "dependent".to_owned(),
            all if all.len() <= MOST_NAMES => format!("{} dependent", all.join(", ")),
            all => format!("{}, ... dependent", all[..MOST_NAMES].join(", ")),
        };
        Some(InlayHint {
            padding_left: Some(true),
            kind: None,
            ..hint(position, text)
        })
    });
    found.collect()
}

/// Those of the speeds that are a declared one, the rate of one, or of its family or part.
fn of<'a>(declared: &Declaration, speeds: &'a [String]) -> Vec<&'a str> {
    let own = |speed: &&str| {
        let rest = speed.strip_prefix(&declared.name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['\'', '[', '.']))
    };
    speeds.iter().map(String::as_str).filter(own).collect()
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
