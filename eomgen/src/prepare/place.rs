//! Places in source files, as messages show them.

use std::fmt;

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, as messages show it.
    pub file: String,
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
}

impl Place {
    pub(super) fn new(file: &str, span: proc_macro2::Span) -> Self {
        let start = span.start();
        Self {
            file: file.to_owned(),
            line: start.line,
            column: start.column + 1,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
