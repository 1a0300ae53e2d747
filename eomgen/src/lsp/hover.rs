//! What an editor tells of a name: its declaration, unit, documentation, the frames that a frame stands in. Knows the checked model where
//! there is one.

use super::functions;
use super::names::{Declaration, File, Kind, Mention, Role};
use super::world::{Symbol, World};
use crate::model::System;
use crate::model::system::Meta;
use crate::syntax::ast::Defined;
use crate::syntax::words;
use std::rc::Rc;

/// What is known of a name at a place, as Markdown.
pub(super) fn text(world: &mut World, file: &Rc<File>, mention: &Mention) -> Option<String> {
    match mention.role {
        Role::Unit => return Some(format!("`{}`: a unit", mention.name)),
        Role::Path => return None,
        Role::Name | Role::Call => {}
    }
    if let Some(symbol) = world.symbol(file, mention) {
        return of_symbol(world, &symbol);
    }
    if !mention.through.is_empty() {
        let base = mention.through.join(".");
        let axis = matches!(mention.name.as_str(), "x" | "y" | "z");
        return axis.then(|| format!("`{base}.{}`: a basis vector or component", mention.name));
    }
    let predeclared = words::PREDECLARED
        .iter()
        .find(|(name, _)| *name == mention.name);
    if let Some((name, what)) = predeclared {
        return Some(format!("`{name}`: {what}"));
    }
    let function = functions::find(&mention.name)?;
    Some(format!("```eom\n{}\n```\n{}", function.text, function.docs))
}

/// What is known of a declared name.
pub(super) fn of_symbol(world: &mut World, symbol: &Symbol) -> Option<String> {
    let declared = world.declarations(symbol).into_iter().next()?;
    let file = world.file(&symbol.path)?;
    let statement = declared.item;
    let line = file
        .text
        .as_str()
        .get(statement.start as usize..statement.end as usize)
        .unwrap_or("");
    let mut text = format!("```eom\n{line}\n```\n");
    let mut facts = vec![declared.kind.text().to_owned()];
    if let Some((system, prefix)) = world.system_of(&symbol.path) {
        let name = format!("{prefix}{}", declared.name);
        if let Some(unit) = unit(&system, &name) {
            facts.push(format!("in {}", said(&unit)));
        }
        if declared.kind == Kind::Defined(Defined::Frame) {
            let chain = chain(&system, &name);
            if chain.len() > 1 {
                facts.push(format!("stands in {}", chain[1..].join(", in ")));
            }
        }
    }
    text.push_str(&facts.join("; "));
    if !declared.docs.is_empty() {
        text.push_str(&format!("\n\n{}", declared.docs));
    }
    Some(text)
}

fn said(unit: &str) -> String {
    if unit == "1" {
        "no unit".to_owned()
    } else {
        format!("`{unit}`")
    }
}

/// The unit of a quantity; of a family, that of its first element.
pub(super) fn unit(system: &System, name: &str) -> Option<String> {
    let metas = system
        .params
        .iter()
        .map(|p| &p.meta)
        .chain(system.coords.iter().map(|c| &c.meta))
        .chain(system.states.iter().map(|s| &s.meta))
        .chain(system.inputs.iter().map(|i| &i.meta))
        .chain(system.functions.iter().map(|f| &f.meta))
        .chain(system.lets.iter().map(|l| &l.meta))
        .chain(system.speeds.iter().map(|s| &s.meta))
        .chain(system.joints.iter().map(|j| &j.meta))
        .chain(system.outputs.iter().map(|o| &o.meta));
    metas
        .filter(|meta| is(meta, name))
        .find_map(|meta| meta.unit.clone())
}

/// Whether a name of the checked model is this one, or an element of its family.
fn is(meta: &Meta, name: &str) -> bool {
    let rest = meta.name.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
}

/// A frame, and those in which it stands, up to `N`; the frames between, which have no names of their own, are left out.
fn chain(system: &System, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut at = system.frames.iter().find(|frame| is(&frame.meta, name));
    while let Some(frame) = at {
        if !frame.meta.name.contains('#') {
            found.push(format!("`{}`", frame.meta.name));
        }
        let parent = frame.orientation.as_ref().map(|(parent, _)| parent.index());
        at = parent.and_then(|parent| system.frames.get(parent));
    }
    found
}

/// Documentation for a list of proposals.
pub(super) fn short(declared: &Declaration) -> String {
    if declared.docs.is_empty() {
        declared.kind.text().to_owned()
    } else {
        format!("{}: {}", declared.kind.text(), declared.docs)
    }
}
