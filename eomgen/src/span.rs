//! Positions in model text. Knows nothing of what the text means.

/// A half-open byte range `start..end` in one source file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Which file of the [`crate::diag::Sources`] the range lies in; 0 is the model itself.
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Which copy of that text it is, where a `for` or `use` makes several: a number in `diag::Copies`.
    pub copy: u32,
}

impl Span {
    /// A range in the main file.
    pub fn new(start: usize, end: usize) -> Self {
        Self {
            file: 0,
            start: start as u32,
            end: end as u32,
            copy: 0,
        }
    }

    /// The smallest range that covers both.
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
            ..self
        }
    }
}
