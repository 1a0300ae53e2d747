//! `event` and `drawing`: what a motion notes and what a picture shows. Equations know nothing of them.

use super::ast::{Drawing, DrawnShape, Event, EventDirection, Expr, ItemKind};
use super::cursor::{Cursor, Parse};
use super::messages::Boxed;
use super::token::Kind;

type Item = Parse<ItemKind>;

/// `top: theta' falling`
pub(super) fn event(c: &mut Cursor) -> Item {
    let name = c.declared_name("the event's name")?;
    c.expect(Kind::Colon, "`:`")?;
    let value = c.expr()?;
    let direction = if c.eat_word("rising") {
        Some(EventDirection::Rising)
    } else if c.eat_word("falling") {
        Some(EventDirection::Falling)
    } else {
        None
    };
    if direction.is_none() && c.peek() == Some(Kind::Name) {
        let help = "an event passes through 0 in either direction, or `rising`, or `falling`";
        let wanted = "`rising`, `falling` or the end of the statement";
        return Err(c.unexpected(wanted).map_help(help));
    }
    Ok(ItemKind::Event(Event {
        name,
        value,
        direction,
    }))
}

/// `hull: box [a, b, c] at G in B, color orange`
pub(super) fn drawing(c: &mut Cursor) -> Item {
    let name = c.declared_name("the drawing's name")?;
    c.expect(Kind::Colon, "`:`")?;
    let shape = shape(c)?;
    let color = if c.eat(Kind::Comma) {
        if !(c.eat_word("color") || c.eat_word("colour")) {
            return Err(c.unexpected("`color`"));
        }
        Some(c.name("a colour")?)
    } else {
        None
    };
    Ok(ItemKind::Drawing(Drawing { name, shape, color }))
}

fn shape(c: &mut Cursor) -> Parse<DrawnShape> {
    if c.eat_word("box") {
        let sizes = sizes(c)?;
        c.expect_word("at")?;
        let at = c.place("a point")?;
        c.expect_word("in")?;
        let frame = c.place("a frame")?;
        Ok(DrawnShape::Box { sizes, at, frame })
    } else if c.eat_word("cylinder") {
        let sizes = sizes(c)?;
        c.expect_word("at")?;
        let at = c.place("a point")?;
        c.expect_word("along")?;
        let along = c.expr()?;
        Ok(DrawnShape::Cylinder { sizes, at, along })
    } else if c.eat_word("sphere") {
        let sizes = sizes(c)?;
        c.expect_word("at")?;
        let at = c.place("a point")?;
        Ok(DrawnShape::Sphere { sizes, at })
    } else if c.eat_word("line") {
        c.expect_word("through")?;
        let mut points = vec![c.place("a point")?];
        // A comma before a colour ends the list.
        while c.peek() == Some(Kind::Comma) && !is_color(c) {
            c.bump();
            points.push(c.place("a point")?);
        }
        Ok(DrawnShape::Line(points))
    } else {
        let help = "as in `box [a, b, c] at G in B`, `cylinder [r, h] at G along B.x`, `sphere [r] at G` or `line through P, Q`";
        let wanted = "`box`, `cylinder`, `sphere` or `line`";
        Err(c.unexpected(wanted).map_help(help))
    }
}

/// Whether `, color` and a word behind it come next: a point may have that name.
fn is_color(c: &Cursor) -> bool {
    let word = c.word_at(1);
    matches!(word, Some("color" | "colour")) && c.word_at(2).is_some()
}

/// `[a, b, c]`
fn sizes(c: &mut Cursor) -> Parse<Vec<Expr>> {
    let open = c.here();
    c.expect(Kind::OpenBracket, "`[` and its sizes")?;
    let mut sizes = vec![c.expr()?];
    while c.eat(Kind::Comma) {
        sizes.push(c.expr()?);
    }
    c.close(Kind::CloseBracket, open, "`]` or `,`")?;
    Ok(sizes)
}
