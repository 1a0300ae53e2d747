//! Texts by lines and UTF-16 columns, as editors count them, and their changes. Knows nothing of models.

use crate::diag::lines;
use crate::span::Span;
use lsp_types::{Position, Range, TextDocumentContentChangeEvent};

/// A text with the places where its lines begin. `\n`, `\r\n` and a lone `\r` end a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    text: String,
    starts: Vec<usize>,
}

impl Text {
    pub(super) fn new(text: String) -> Self {
        let starts = lines::starts(&text);
        Self { text, starts }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// The bytes of a line, its end not among them; those of no line lie at the end of the text.
    fn line(&self, line: usize) -> std::ops::Range<usize> {
        let end = self.text.len();
        let start = self.starts.get(line).copied().unwrap_or(end);
        let next = self.starts.get(line + 1).copied().unwrap_or(end);
        let whole = self.text.get(start..next).unwrap_or("");
        start..start + whole.trim_end_matches(['\r', '\n']).len()
    }

    /// The byte of a place. A column behind the end of its line is the end; one inside a character is its beginning.
    pub(super) fn offset(&self, place: Position) -> usize {
        let line = self.line(place.line as usize);
        let mut column = 0;
        for (at, c) in self.text.get(line.clone()).unwrap_or("").char_indices() {
            column += c.len_utf16() as u32;
            if column > place.character {
                return line.start + at;
            }
        }
        line.end
    }

    /// The place of a byte; inside a character, of its beginning.
    pub(super) fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let before = self.text.get(self.starts[line]..offset).unwrap_or("");
        let character = before.chars().map(|c| c.len_utf16() as u32).sum();
        Position::new(line as u32, character)
    }

    pub(super) fn range(&self, span: Span) -> Range {
        Range::new(
            self.position(span.start as usize),
            self.position(span.end as usize),
        )
    }

    pub(super) fn whole(&self) -> Range {
        Range::new(Position::default(), self.position(self.text.len()))
    }

    /// The text after a change; of one without a range nothing of the old text is left.
    pub(super) fn changed(&self, change: &TextDocumentContentChangeEvent) -> Self {
        let Some(range) = change.range else {
            return Self::new(change.text.clone());
        };
        let start = self.offset(range.start);
        let end = self.offset(range.end).max(start);
        let mut text = self.text.clone();
        text.replace_range(start..end, &change.text);
        Self::new(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_halves_of_letters_outside_the_basic_plane() {
        let text = Text::new("a𝜃b\r\nß\rx\n".to_owned());
        for (line, column, byte) in [
            (0, 0, 0),
            (0, 1, 1),
            (0, 3, 5),
            (0, 4, 6),
            (1, 0, 8),
            (1, 1, 10),
            (2, 0, 11),
            (3, 0, 13),
        ] {
            let place = Position::new(line, column);
            assert_eq!(text.offset(place), byte, "{place:?}");
            assert_eq!(text.position(byte), place, "{byte}");
        }
        // Inside the letter, behind the line, behind the text.
        assert_eq!(text.offset(Position::new(0, 2)), 1);
        assert_eq!(text.offset(Position::new(0, 99)), 6);
        assert_eq!(text.offset(Position::new(99, 0)), 13);
        assert_eq!(text.position(3), Position::new(0, 1));
        assert_eq!(text.position(99), Position::new(3, 0));
    }

    #[test]
    fn changes_replace_what_they_name() {
        let text = Text::new("model 𝜃\nparam m".to_owned());
        let change = |range: Option<[u32; 4]>, text: &str| TextDocumentContentChangeEvent {
            range: range.map(|[a, b, c, d]| Range::new(Position::new(a, b), Position::new(c, d))),
            range_length: None,
            text: text.to_owned(),
        };
        let after = |range, new| text.changed(&change(range, new)).as_str().to_owned();
        assert_eq!(after(None, "x"), "x");
        assert_eq!(after(Some([0, 6, 0, 8]), "φ"), "model φ\nparam m");
        assert_eq!(after(Some([0, 8, 1, 0]), " "), "model 𝜃 param m");
        assert_eq!(after(Some([9, 9, 9, 9]), "!"), "model 𝜃\nparam m!");
        // An end before its beginning changes nothing there.
        assert_eq!(after(Some([1, 2, 0, 0]), "_"), "model 𝜃\npa_ram m");
    }
}
