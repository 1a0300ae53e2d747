//! The formatter's layout as changes of lines. Knows nothing of how a text is laid out.

use super::position::Text;
use crate::syntax;
use lsp_types::{Position, Range, TextEdit};

/// The changes that format a text, or those in a range of lines; none if it has errors.
pub(super) fn edits(text: &Text, lines: Option<(u32, u32)>) -> Vec<TextEdit> {
    let Ok(formatted) = syntax::format(text.as_str()) else {
        return Vec::new();
    };
    let old: Vec<&str> = text.as_str().split_inclusive('\n').collect();
    let new: Vec<&str> = formatted.split_inclusive('\n').collect();
    let pieces = match (pieces(&old), pieces(&new)) {
        (old, new) if old.len() == new.len() => old.into_iter().zip(new).collect::<Vec<_>>(),
        _ if lines.is_some() || text.as_str() == formatted => return Vec::new(),
        _ => return vec![TextEdit::new(text.whole(), formatted)],
    };
    let asked = |from: usize, to: usize| {
        lines.is_none_or(|(first, last)| from as u32 <= last && first <= to as u32)
    };
    let changes = pieces.into_iter().filter_map(|((from, to), (start, end))| {
        let (before, after) = (old[from..to].concat(), new[start..end].concat());
        let line = |n: usize| {
            if n < old.len() {
                Position::new(n as u32, 0)
            } else {
                text.whole().end
            }
        };
        (before != after && asked(from, to.saturating_sub(1)))
            .then(|| TextEdit::new(Range::new(line(from), line(to)), after))
    });
    changes.collect()
}

/// Each line that is not blank with the blank lines before it; the last piece is the blank lines at the end. The formatter keeps the number of
/// them, but where a loop begins or ends within a line.
fn pieces(lines: &[&str]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, line) in lines.iter().enumerate() {
        if !line.trim().is_empty() {
            found.push((start, at + 1));
            start = at + 1;
        }
    }
    found.push((start, lines.len()));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_types::TextDocumentContentChangeEvent;

    fn applied(text: &Text, edits: &[TextEdit]) -> String {
        let mut text = text.clone();
        for edit in edits.iter().rev() {
            text = text.changed(&TextDocumentContentChangeEvent {
                range: Some(edit.range),
                range_length: None,
                text: edit.new_text.clone(),
            });
        }
        text.as_str().to_owned()
    }

    #[test]
    fn the_changes_make_the_formatted_text() {
        for source in [
            "model m\n\n\n\nparam  a=1\nlet b =a  // c\n\n\n",
            "model m\r\nparam  a=1\r\nlet b =a",
            "\n\nmodel m\nfor i in 1..2 { let x[i] =i }\n",
            "model m",
            "",
        ] {
            let text = Text::new(source.to_owned());
            let expect = syntax::format(source).unwrap_or_else(|_| source.to_owned());
            assert_eq!(applied(&text, &edits(&text, None)), expect, "{source:?}");
        }
    }

    #[test]
    fn a_range_changes_its_own_lines() {
        let text = Text::new("model m\nparam  a=1\nparam  b=2\nparam  c=3\n".to_owned());
        let after = applied(&text, &edits(&text, Some((2, 2))));
        assert_eq!(after, "model m\nparam  a=1\nparam b = 2\nparam  c=3\n");
        let broken = Text::new("model m\nlet = \n".to_owned());
        assert_eq!(edits(&broken, None), []);
    }
}
