//! Breaking: which terms go on which row, the same for every format.

use super::layout::Layout;
use super::unicode::{one_line, width};
use super::{Binding, Math};

/// A row: what stands before the place at which rows are aligned, and what follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// A left side.
    pub before: Vec<Piece>,
    /// The rest, which begins with `=` or with a sign that joins it to the row above, if it goes on.
    pub after: Vec<Piece>,
    /// Whether the row goes on with what was begun above.
    pub continued: bool,
}

/// What rows consist of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A term, a factor or a whole side.
    Math(Math),
    /// The same in parentheses.
    Grouped(Math),
    /// What joins two pieces: `+`, `−`, `·`, `=`, `<` and so on.
    Sign(&'static str),
    /// The sign of what follows.
    Minus,
}

/// Columns that a continued row is indented by, and that a sign takes.
const INDENT: usize = 4;
const SIGN: usize = 3;

/// Columns that a piece takes.
type Measure = dyn Fn(&Math) -> usize;

/// The rows of an expression or equation, each at most `wide` columns of two-dimensional Unicode where its terms and factors allow that.
pub fn rows(m: &Math, wide: usize) -> Vec<Row> {
    measured(m, wide, &|m| Layout::of(m).width)
}

/// The rows in which every piece is one line of Unicode: text that changes only where the mathematics does.
pub fn lines(m: &Math, wide: usize) -> Vec<String> {
    let list = measured(m, wide, &|m| width(&one_line(m)));
    list.iter().map(|row| in_line(row, &list)).collect()
}

fn in_line(row: &Row, all: &[Row]) -> String {
    let text = |pieces: &[Piece]| {
        let mut out = String::new();
        for (i, piece) in pieces.iter().enumerate() {
            let close = i == 0 || pieces[i - 1] == Piece::Minus;
            out.push_str(if close { "" } else { " " });
            out.push_str(&match piece {
                Piece::Math(m) => one_line(m),
                Piece::Grouped(m) => format!("({})", one_line(m)),
                Piece::Sign(sign) => (*sign).into(),
                Piece::Minus => "−".into(),
            });
        }
        out
    };
    let ahead = all.first().map_or(0, |first| width(&text(&first.before)));
    match (row.continued, ahead, row.before.is_empty()) {
        (true, 0, _) => format!("{}{}", " ".repeat(INDENT), text(&row.after)),
        (true, ..) => format!("{}{}", " ".repeat(ahead + SIGN), text(&row.after)),
        (false, _, true) => text(&row.after),
        (false, _, false) => format!("{} {}", text(&row.before), text(&row.after)),
    }
}

fn measured(m: &Math, wide: usize, size: &Measure) -> Vec<Row> {
    let Math::Relation(left, relation, right) = m else {
        return if size(m) <= wide {
            vec![row(Vec::new(), vec![Piece::Math(m.clone())])]
        } else {
            chunks(m, wide, wide.saturating_sub(INDENT), size)
                .into_iter()
                .enumerate()
                .map(|(i, after)| continued(after, i > 0))
                .collect()
        };
    };
    let sign = relation.sign();
    let (l, r) = (size(left), size(right));
    if l + SIGN + r <= wide {
        let after = vec![Piece::Sign(sign), Piece::Math((**right).clone())];
        return vec![row(vec![Piece::Math((**left).clone())], after)];
    }
    // The right side is broken, aligned behind the left one, if its pieces fit there.
    let room = wide.saturating_sub(l + SIGN);
    let list = if l <= wide / 3 {
        chunks(right, room, room, size)
    } else {
        Vec::new()
    };
    if !list.is_empty() && list.iter().all(|chunk| measure(chunk, size) <= room) {
        return list
            .into_iter()
            .enumerate()
            .map(|(i, chunk)| match i {
                0 => {
                    let mut after = vec![Piece::Sign(sign)];
                    after.extend(chunk);
                    row(vec![Piece::Math((**left).clone())], after)
                }
                _ => continued(chunk, true),
            })
            .collect();
    }
    let room = wide.saturating_sub(INDENT);
    let mut list: Vec<Row> = chunks(left, wide, room, size)
        .into_iter()
        .enumerate()
        .map(|(i, after)| continued(after, i > 0))
        .collect();
    for (i, chunk) in chunks(right, room.saturating_sub(SIGN), room, size)
        .into_iter()
        .enumerate()
    {
        let last = list.last_mut();
        match (i, last) {
            // A short right side ends the last row.
            (0, Some(last))
                if measure(&last.after, size) + SIGN + measure(&chunk, size)
                    <= wide - usize::from(last.continued) * INDENT.min(wide) =>
            {
                last.after.push(Piece::Sign(sign));
                last.after.extend(chunk);
            }
            (0, _) => {
                let mut after = vec![Piece::Sign(sign)];
                after.extend(chunk);
                list.push(continued(after, true));
            }
            _ => list.push(continued(chunk, true)),
        }
    }
    list
}

fn row(before: Vec<Piece>, after: Vec<Piece>) -> Row {
    Row {
        before,
        after,
        continued: false,
    }
}

fn continued(after: Vec<Piece>, continued: bool) -> Row {
    Row {
        before: Vec::new(),
        after,
        continued,
    }
}

fn measure(pieces: &[Piece], size: &Measure) -> usize {
    let one = |piece: &Piece| match piece {
        Piece::Math(m) => size(m),
        Piece::Grouped(m) => size(m) + 2,
        Piece::Sign(_) => SIGN,
        Piece::Minus => 1,
    };
    pieces.iter().map(one).sum()
}

/// A side in rows of `first` columns, then `further`: broken between terms, and within terms between factors.
fn chunks(m: &Math, first: usize, further: usize, size: &Measure) -> Vec<Vec<Piece>> {
    let mut list: Vec<Vec<Piece>> = vec![Vec::new()];
    let mut used = 0;
    let terms: Vec<&Math> = match m {
        Math::Sum(terms) => terms.iter().collect(),
        other => vec![other],
    };
    let alone = terms.len() == 1;
    for (i, term) in terms.into_iter().enumerate() {
        let (minus, term) = term.signed();
        let sign = match (i, minus) {
            (0, false) => None,
            (0, true) => Some(Piece::Minus),
            (_, false) => Some(Piece::Sign("+")),
            (_, true) => Some(Piece::Sign("−")),
        };
        let factors = match term {
            Math::Product(factors) if size(term) + SIGN > further => &factors[..],
            other => std::slice::from_ref(other),
        };
        for (j, factor) in factors.iter().enumerate() {
            let sign = if j == 0 {
                sign.clone()
            } else {
                Some(Piece::Sign("·"))
            };
            let whole = alone && !minus && factors.len() == 1;
            let piece = if factor.binding() < Binding::Product && !whole {
                Piece::Grouped(factor.clone())
            } else {
                Piece::Math(factor.clone())
            };
            let mut added: Vec<Piece> = sign.into_iter().collect();
            added.push(piece);
            let wide = measure(&added, size);
            let room = if list.len() == 1 { first } else { further };
            if used > 0 && used + wide > room {
                list.push(Vec::new());
                used = 0;
            }
            if let Some(row) = list.last_mut() {
                row.extend(added);
            }
            used += wide;
        }
    }
    list
}
