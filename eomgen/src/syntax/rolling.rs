//! `roll`: what follows its keyword.

use super::ast::{ItemKind, Roll, RollClause, RollWord};
use super::cursor::{Cursor, Parse};
use super::messages::Boxed;
use super::token::Kind;
use crate::diag::{Diagnostic, codes::syntax as codes};

const EXAMPLE: &str =
    "as in `roll W on plane, radius r`; a given point of contact is `roll W on V at P`";

/// `W on plane, radius r, normal N.y` or `W on V at P`
pub(super) fn roll(c: &mut Cursor) -> Parse<ItemKind> {
    let body = c.reference("the name of a body")?;
    if c.peek() == Some(Kind::Colon) {
        let help = "its name is that of the body: its constraints are `W.touch` and `W.roll`";
        return Err(c.unexpected("`on`").map_help(help));
    }
    if !c.eat_word("on") {
        return Err(c.unexpected("`on`").map_help(EXAMPLE));
    }
    let ground = match c.eat_word("plane") {
        true => None,
        false => Some(c.reference("`plane`, a body or a frame")?),
    };
    let at = c.eat_word("at").then(|| c.place("a point")).transpose()?;
    let mut clauses: Vec<RollClause> = Vec::new();
    while c.eat(Kind::Comma) {
        let start = c.here();
        let words = RollWord::ALL.into_iter();
        let Some(word) = words.into_iter().find(|word| c.eat_word(word.text())) else {
            let wanted = "`radius`, `axis`, `tube`, `normal` or `through`";
            return Err(c.unexpected(wanted).map_help(EXAMPLE));
        };
        let value = c.expr()?;
        let span = start.to(c.last());
        if let Some(first) = clauses.iter().find(|known| known.word == word) {
            let title = format!("`{}` is stated twice", word.text());
            let error = Diagnostic::error(codes::E0004, title, span, "stated again")
                .label(first.span, "first stated here")
                .help("remove one of them");
            return Err(Box::new(error));
        }
        clauses.push(RollClause { word, value, span });
    }
    Ok(ItemKind::Roll(Roll {
        body,
        ground,
        at,
        clauses,
        broken: false,
    }))
}
