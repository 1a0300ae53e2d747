//! Diagnostics without repetition: an error is reported once, and its consequences not at all.

use crate::diag::Diagnostic;
use crate::span::Span;
use std::collections::BTreeMap;

/// Further labels of one message.
const LABELS: usize = 5;

/// Which copy of which file.
type Copy = (u32, u32);

/// Joins messages that say the same, and drops those on units inside of what is refused for another reason.
/// `items` are the spans of the statements. Loops within loops make thousands of messages: each is looked up, not searched for.
pub fn deduplicated(diagnostics: Vec<Diagnostic>, items: &[Span]) -> Vec<Diagnostic> {
    let statements = by_copy(items.iter().copied());
    let mut first: BTreeMap<(&'static str, String, Place), usize> = BTreeMap::new();
    let mut kept: Vec<Diagnostic> = Vec::new();
    let mut left_out: Vec<usize> = Vec::new();
    for d in diagnostics {
        let key = place(&d, &statements).map(|place| (d.code, d.title.clone(), place));
        let same = key.as_ref().and_then(|key| first.get(key)).copied();
        match (same, d.labels.first()) {
            (Some(at), Some(again)) if kept[at].labels.len() <= LABELS => {
                let text = if d.code == "E0101" {
                    "and here"
                } else {
                    &again.text
                };
                kept[at] = kept[at].clone().label(again.span, text);
            }
            (Some(at), _) => left_out[at] += 1,
            (None, _) => {
                first.extend(key.map(|key| (key, kept.len())));
                kept.push(d);
                left_out.push(0);
            }
        }
    }
    for (d, count) in kept.iter_mut().zip(left_out) {
        match count {
            0 => {}
            1 => d.notes.push("and in one more place".into()),
            n => d.notes.push(format!("and in {n} more places")),
        }
    }
    let others = kept
        .iter()
        .filter(|d| !d.code.starts_with("E02") && d.code != "E0101");
    let refused = by_copy(others.filter_map(primary));
    let follows = |d: &Diagnostic| {
        let inside = |s: Span| {
            let near = refused.get(&(s.file, s.copy)).into_iter().flatten();
            near.into_iter().any(|(_, r)| *r != s && contains(*r, s))
        };
        d.code.starts_with("E02") && primary(d).is_some_and(inside)
    };
    kept.retain(|d| !follows(d));
    kept
}

/// Spans with their numbers, copy by copy.
fn by_copy(spans: impl Iterator<Item = Span>) -> BTreeMap<Copy, Vec<(usize, Span)>> {
    let mut found: BTreeMap<Copy, Vec<(usize, Span)>> = BTreeMap::new();
    for (number, span) in spans.enumerate() {
        let own = found.entry((span.file, span.copy)).or_default();
        own.push((number, span));
    }
    found
}

/// The part of the text in which a message is said once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// An unknown name: a copy of a file.
    Copy(Copy),
    /// A clash: a statement.
    Statement(usize),
}

/// None for what is said as often as it is found.
fn place(d: &Diagnostic, statements: &BTreeMap<Copy, Vec<(usize, Span)>>) -> Option<Place> {
    let span = primary(d)?;
    let copy = (span.file, span.copy);
    match d.code {
        "E0101" => Some(Place::Copy(copy)),
        "E0202" => {
            let mut own = statements.get(&copy)?.iter();
            let (number, _) = own.find(|(_, item)| contains(*item, span))?;
            Some(Place::Statement(*number))
        }
        _ => None,
    }
}

fn contains(outer: Span, inner: Span) -> bool {
    (outer.file, outer.copy) == (inner.file, inner.copy)
        && outer.start <= inner.start
        && inner.end <= outer.end
}

fn primary(d: &Diagnostic) -> Option<Span> {
    d.labels.first().map(|l| l.span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    /// A message at a byte of a copy.
    fn message(code: &'static str, title: &str, copy: u32, at: usize) -> Diagnostic {
        let span = Span {
            copy,
            ..Span::new(at, at + 1)
        };
        Diagnostic::error(code, title.to_owned(), span, "here")
    }

    #[test]
    fn what_is_said_once_depends_on_what_is_said() {
        let items = [Span::new(0, 10), Span::new(10, 20)];
        let all = vec![
            message("E0101", "q", 0, 1),
            message("E0101", "q", 0, 11),
            message("E0101", "q", 1, 1),
            message("E0101", "p", 0, 1),
            message("E0202", "clash", 0, 2),
            message("E0202", "clash", 0, 5),
            message("E0202", "clash", 0, 15),
            message("E0302", "other", 0, 3),
            message("E0302", "other", 0, 3),
        ];
        let found = deduplicated(all, &items);
        let told: Vec<(&str, usize)> = found
            .iter()
            .map(|d| (d.title.as_str(), d.labels.len()))
            .collect();
        let expect = [
            ("q", 2),
            ("q", 1),
            ("p", 1),
            ("clash", 2),
            ("clash", 1),
            ("other", 1),
            ("other", 1),
        ];
        assert_eq!(told, expect);
    }

    /// Loops within loops make so many; one by one against all others they would take minutes.
    #[test]
    fn many_messages_take_little_time() {
        let count = 40_000;
        let items: Vec<Span> = (0..count)
            .map(|copy| Span {
                copy,
                ..Span::new(0, 100)
            })
            .collect();
        let all = (0..count).flat_map(|copy| {
            let name = format!("unknown name, the same up to its end: {copy}");
            [
                message("E0101", &name, copy, 1),
                message("E0202", &name, copy, 2),
                message("E0302", &name, copy, 3),
            ]
        });
        let all: Vec<Diagnostic> = all.collect();
        let begin = Instant::now();
        assert_eq!(deduplicated(all, &items).len(), 3 * count as usize);
        assert!(begin.elapsed() < Duration::from_secs(10));
    }
}
