//! `eomgen prepare`: the attributes of a package that name a committed file, and those files written or checked.
//!
//! Knows packages, their module trees and attributes in them; nothing of how code is derived, and it writes nothing itself.

use std::fmt;

mod attributes;
mod modules;
mod packages;
mod plan;

pub use attributes::Found;
pub use modules::{Walk, walk};
pub use packages::{Package, packages};
pub use plan::{Committed, Plan, plan};

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
    fn new(file: &str, span: proc_macro2::Span) -> Self {
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
