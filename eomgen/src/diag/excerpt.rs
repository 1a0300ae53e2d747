//! The part of a text that a message shows: the labelled lines, long ones cut to a window around their label.

use super::lines::Lines;
use std::ops::Range;

/// Longest line shown whole, in characters.
const LINE_LIMIT: usize = 140;
/// Characters shown before the label of a longer line.
const BEFORE: usize = 40;
/// Characters shown of a longer line in all.
const WINDOW: usize = 120;
/// Labels that span more lines than this are cut to their first line.
const LABEL_LINES: usize = 8;
/// Labels farther apart than this get separate excerpts.
const GAP_LINES: usize = 200;
/// Marks the part that was cut.
const CUT: &str = "...";

/// A few lines with ranges marked in them.
#[derive(Debug, PartialEq)]
pub(super) struct Excerpt {
    /// The lines, joined by newlines.
    pub(super) text: String,
    /// 1-based number of the first line.
    pub(super) first_line: usize,
    /// Byte ranges in `text`, with the index of the label each belongs to.
    pub(super) marks: Vec<(Range<usize>, usize)>,
}

/// A label's range in the whole text.
#[derive(Clone, Debug)]
struct Mark {
    label: usize,
    range: Range<usize>,
    lines: Range<usize>,
}

/// Cuts excerpts for the labels with these ranges (clamped already; the first is primary). The excerpt that holds the
/// primary label comes first, the others in order of their lines.
pub(super) fn excerpts(lines: &Lines, labels: &[(usize, Range<usize>)]) -> Vec<Excerpt> {
    let primary = labels.first().map(|(label, _)| *label);
    let mut marks: Vec<Mark> = labels
        .iter()
        .map(|(label, range)| mark(lines, *label, range.clone()))
        .collect();
    marks.sort_by_key(|mark| (mark.lines.start, mark.label));
    let mut groups: Vec<Vec<Mark>> = Vec::new();
    let mut reach = 0;
    for mark in marks {
        let end = mark.lines.end;
        match groups.last_mut() {
            Some(group) if mark.lines.start <= reach + GAP_LINES => group.push(mark),
            _ => groups.push(vec![mark]),
        }
        reach = reach.max(end);
    }
    groups.sort_by_key(|group| !group.iter().any(|mark| Some(mark.label) == primary));
    groups.iter().map(|group| excerpt(lines, group)).collect()
}

fn mark(lines: &Lines, label: usize, mut range: Range<usize>) -> Mark {
    let first = lines.line_of(range.start);
    let mut last = lines.line_of(range.end);
    if last - first >= LABEL_LINES {
        range.end = lines.range(first).end.max(range.start);
        last = first;
    }
    Mark {
        label,
        range,
        lines: first..last + 1,
    }
}

fn excerpt(lines: &Lines, marks: &[Mark]) -> Excerpt {
    let first = marks.iter().map(|m| m.lines.start).min().unwrap_or(0);
    let end = marks.iter().map(|m| m.lines.end).max().unwrap_or(0);
    let mut text = String::new();
    let mut places = vec![(0, 0, true); marks.len()];
    for line in first..end {
        if line > first {
            text.push('\n');
        }
        let whole = lines.range(line);
        let shown = window(lines, whole.clone(), focus(marks, line));
        if shown.start > whole.start {
            text.push_str(CUT);
        }
        let at = text.len();
        text.push_str(&lines.text[shown.clone()]);
        for (mark, (start, end, visible)) in marks.iter().zip(&mut places) {
            let place = |offset: usize| at + offset.clamp(shown.start, shown.end) - shown.start;
            if mark.lines.start == line {
                *start = place(mark.range.start);
                *visible = mark.range.end >= shown.start && mark.range.start <= shown.end;
            }
            if mark.lines.end == line + 1 {
                *end = place(mark.range.end);
            }
        }
        if shown.end < whole.end {
            text.push_str(CUT);
        }
    }
    let marks = marks.iter().zip(places).filter(|(_, place)| place.2);
    Excerpt {
        text,
        first_line: first + 1,
        marks: marks
            .map(|(mark, (start, end, _))| (start..end.max(start), mark.label))
            .collect(),
    }
}

/// The byte that a cut line must show: the start of its most important label.
fn focus(marks: &[Mark], line: usize) -> Option<usize> {
    marks
        .iter()
        .filter(|mark| mark.lines.start == line)
        .min_by_key(|mark| mark.label)
        .map(|mark| mark.range.start)
}

/// The part of a line to show.
fn window(lines: &Lines, whole: Range<usize>, focus: Option<usize>) -> Range<usize> {
    let line = &lines.text[whole.clone()];
    if line.char_indices().nth(LINE_LIMIT).is_none() {
        return whole;
    }
    let focus = focus.unwrap_or(whole.start).clamp(whole.start, whole.end);
    let before = lines.text[whole.start..focus].char_indices().rev();
    let start = before
        .take(BEFORE)
        .last()
        .map_or(focus, |(at, _)| whole.start + at);
    let mut after = lines.text[start..whole.end].char_indices();
    let end = after.nth(WINDOW).map_or(whole.end, |(at, _)| start + at);
    start..end
}
