//! Byte offsets to lines and columns, forgiving of offsets that lie outside the text or inside a character.

use std::ops::Range;

/// Where the lines of a text begin. `\n`, `\r\n` and a lone `\r` end a line.
pub(super) struct Lines<'a> {
    /// The whole text.
    pub(super) text: &'a str,
    starts: Vec<usize>,
}

/// The bytes at which lines begin.
pub fn starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut starts = vec![0];
    for (at, byte) in bytes.iter().enumerate() {
        if *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
            starts.push(at + 1);
        }
    }
    starts
}

impl<'a> Lines<'a> {
    /// Finds the line starts.
    pub(super) fn new(text: &'a str) -> Self {
        let starts = starts(text);
        Self { text, starts }
    }

    /// The nearest valid range: inside the text, in order, on character boundaries.
    pub(super) fn clamp(&self, start: u32, end: u32) -> Range<usize> {
        let mut start = (start as usize).min(self.text.len());
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        let mut end = (end as usize).clamp(start, self.text.len());
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        start..end
    }

    /// The 0-based line that holds a byte offset.
    pub(super) fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset) - 1
    }

    /// The bytes of a 0-based line without its line end.
    pub(super) fn range(&self, line: usize) -> Range<usize> {
        let start = self.starts.get(line).copied().unwrap_or(self.text.len());
        let next = self.starts.get(line + 1).copied();
        let full = &self.text[start..next.unwrap_or(self.text.len())];
        let length = match next {
            Some(_) => full.trim_end_matches(['\r', '\n']).len(),
            None => full.len(),
        };
        start..start + length
    }

    /// 1-based line and column (in characters) of a byte offset on a character boundary.
    pub(super) fn position(&self, offset: usize) -> (usize, usize) {
        let line = self.line_of(offset);
        let column = self.text[self.starts[line]..offset].chars().count() + 1;
        (line + 1, column)
    }
}
