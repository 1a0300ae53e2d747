//! Unicode in two dimensions, row by row: broken at the terms of sums and aligned.

use super::Math;
use super::layout::Layout;
use super::rows::{Piece, Row, rows};

/// Mathematics in at most `wide` columns where its parts allow that; [`Namer`](super::Namer) makes them.
pub fn layout(m: &Math, wide: usize) -> Vec<String> {
    let mut out = Vec::new();
    let list = rows(m, wide);
    let ahead = list.iter().map(|row| pieces(&row.before).width).max();
    for row in &list {
        let line = whole(row, ahead.unwrap_or(0));
        out.extend(line.lines.iter().map(|l| l.trim_end().to_string()));
    }
    out
}

fn whole(row: &Row, ahead: usize) -> Layout {
    let mut before = pieces(&row.before);
    if row.before.is_empty() {
        before = Layout::line(" ".repeat(ahead));
    } else {
        let missing = ahead.saturating_sub(before.width);
        before = Layout::line(" ".repeat(missing)).beside(&before);
    }
    // What goes on stands behind the sign of the first row.
    let between = match (row.continued, ahead) {
        (false, 0) => "",
        (false, _) => " ",
        (true, 0) => "    ",
        (true, _) => "   ",
    };
    before
        .beside(&Layout::line(between.into()))
        .beside(&pieces(&row.after))
}

fn pieces(list: &[Piece]) -> Layout {
    let mut out = Layout::line(String::new());
    let mut gap = "";
    for piece in list {
        let block = match piece {
            Piece::Math(m) => Layout::of(m),
            Piece::Grouped(m) => Layout::of(m).parentheses(),
            Piece::Sign(sign) => Layout::line((*sign).into()),
            Piece::Minus => Layout::line("−".into()),
        };
        out = out.with(gap).beside(&block);
        gap = if *piece == Piece::Minus { "" } else { " " };
    }
    out
}
