//! Diagnostics without repetition: an error is reported once, and its consequences not at all.

use crate::diag::Diagnostic;
use crate::span::Span;

/// Further labels of one message.
const LABELS: usize = 5;

/// Joins messages that say the same, and drops those on units inside of what is refused for another reason.
/// `items` are the spans of the statements.
pub fn deduplicated(diagnostics: Vec<Diagnostic>, items: &[Span]) -> Vec<Diagnostic> {
    let mut kept: Vec<Diagnostic> = Vec::new();
    let mut left_out: Vec<usize> = Vec::new();
    for d in diagnostics {
        let same = kept.iter().position(|k| is_repeated(k, &d, items));
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
    let refused: Vec<Span> = kept
        .iter()
        .filter(|d| !d.code.starts_with("E02") && d.code != "E0101")
        .filter_map(primary)
        .collect();
    let follows = |d: &Diagnostic| {
        d.code.starts_with("E02")
            && primary(d).is_some_and(|s| refused.iter().any(|r| *r != s && contains(*r, s)))
    };
    kept.retain(|d| !follows(d));
    kept
}

/// Whether a message says of another part of the text what the first says: the same unknown name, or the same clash in one
/// statement.
fn is_repeated(first: &Diagnostic, other: &Diagnostic, items: &[Span]) -> bool {
    if first.code != other.code || first.title != other.title {
        return false;
    }
    let (Some(a), Some(b)) = (primary(first), primary(other)) else {
        return false;
    };
    let statement = |s: Span| items.iter().position(|i| contains(*i, s));
    match first.code {
        "E0101" => (a.file, a.copy) == (b.file, b.copy),
        "E0202" => statement(a).is_some() && statement(a) == statement(b),
        _ => false,
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
