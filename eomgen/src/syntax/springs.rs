//! `spring` and `damper`: what follows their keywords.

use super::ast::{ItemKind, Spring, SpringClause, SpringEnds, SpringWord};
use super::cursor::{Cursor, Parse};
use super::messages::Boxed;
use super::token::Kind;
use crate::diag::{Diagnostic, codes::loads};

type Item = Parse<ItemKind>;

pub(super) fn spring(c: &mut Cursor) -> Item {
    elastic(c, false)
}

pub(super) fn damper(c: &mut Cursor) -> Item {
    elastic(c, true)
}

/// `s: from P to Q, stiffness k, ...` or `s: on theta, stiffness k, ...`
fn elastic(c: &mut Cursor, damper: bool) -> Item {
    let name = c.declared_name(if damper {
        "the damper's name"
    } else {
        "the spring's name"
    })?;
    c.expect(Kind::Colon, "`:`")?;
    let ends = if c.eat_word("from") {
        let from = c.place("a point")?;
        c.expect_word("to")?;
        SpringEnds::Between(from, c.place("a point")?)
    } else if c.eat_word("on") {
        SpringEnds::On(c.expr()?)
    } else {
        let help = "between two points write `from P to Q`, on a coordinate `on theta`";
        return Err(c.unexpected("`from` or `on`").map_help(help));
    };
    let mut clauses: Vec<SpringClause> = Vec::new();
    while c.eat(Kind::Comma) {
        let clause = clause(c, damper)?;
        if let Some(first) = clauses.iter().find(|known| known.word == clause.word) {
            let title = format!("`{}` is stated twice", clause.word.text());
            let error = Diagnostic::error(loads::E0421, title, clause.span, "stated again")
                .label(first.span, "first stated here")
                .help("remove one of them");
            return Err(Box::new(error));
        }
        clauses.push(clause);
    }
    Ok(ItemKind::Spring(Spring {
        damper,
        name,
        ends,
        clauses,
    }))
}

fn clause(c: &mut Cursor, damper: bool) -> Parse<SpringClause> {
    let start = c.here();
    for word in SpringWord::ALL {
        if c.eat_word(word.text()) {
            let value = c.expr()?;
            return Ok(SpringClause {
                word,
                value,
                span: start.to(c.last()),
            });
        }
    }
    Err(c.unexpected(if damper {
        "`damping`"
    } else {
        "`stiffness`, `length`, `rest`, `damping` or `tension`"
    }))
}
