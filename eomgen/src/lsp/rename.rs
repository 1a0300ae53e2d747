//! A name under another one, in all files that mention it, unless that one is taken. Knows nothing of what names stand for.

use super::diagnostics::edits;
use super::functions;
use super::names::{File, Kind, Mention};
use super::world::{Symbol, World};
use crate::model::expand::shipped;
use crate::syntax::marks::{MarkKind, marks};
use crate::syntax::words;
use lsp_types::{TextEdit, WorkspaceEdit};
use std::rc::Rc;

/// The changes, or why there are none.
pub(super) fn rename(
    world: &mut World,
    file: &Rc<File>,
    mention: &Mention,
    new: &str,
) -> Result<WorkspaceEdit, String> {
    let nothing = || format!("`{}` is not declared by the model", mention.name);
    let symbol = world.symbol(file, mention).ok_or_else(nothing)?;
    if shipped(&symbol.path).is_some() {
        return Err(format!(
            "`{}` belongs to a part of the program",
            mention.name
        ));
    }
    free(new)?;
    let declared = world.declarations(&symbol);
    if declared.iter().any(|d| d.kind == Kind::Function) && functions::find(new).is_some() {
        return Err(format!("`{new}` is a function of the language"));
    }
    conflict(world, &symbol, new)?;
    let mut all = Vec::new();
    for (file, spans) in world.mentions(&symbol) {
        let change = |span| TextEdit::new(file.text.range(span), new.to_owned());
        all.push((file.path.clone(), spans.into_iter().map(change).collect()));
    }
    edits(all).ok_or_else(|| "a file has no address".to_owned())
}

/// Whether a text may be a name at all.
fn free(new: &str) -> Result<(), String> {
    let one = marks(new);
    let whole = matches!(&one[..], [mark] if mark.kind == MarkKind::Name && mark.text(new) == new);
    if !whole {
        return Err(format!("`{new}` is not a name"));
    }
    if words::RESERVED.contains(&new) {
        return Err(format!("`{new}` is a reserved word"));
    }
    match words::PREDECLARED.iter().find(|(name, _)| *name == new) {
        Some((_, what)) => Err(format!("`{new}` is {what} and cannot be declared")),
        None => Ok(()),
    }
}

/// Whether the file that declares the name has the new one already, as a name or as a variable that would hide it.
fn conflict(world: &mut World, symbol: &Symbol, new: &str) -> Result<(), String> {
    let Some(file) = world.file(&symbol.path) else {
        return Err(format!("{} cannot be read", symbol.path));
    };
    match file.declarations.iter().find(|d| d.name == new) {
        None => Ok(()),
        Some(_) if symbol.name == new => Ok(()),
        Some(taken) => {
            let line = file.text.position(taken.span.start as usize).line + 1;
            let kind = taken.kind.text();
            Err(format!(
                "`{new}` is taken: it is a {kind}, declared in line {line}"
            ))
        }
    }
}
