//! What `eomgen check` found out about a model.

use std::fmt;

use serde_json::{Value, json};

use crate::diag::Diagnostic;
use crate::survey::page::Page;

/// What is known of a model that has no errors.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckReport {
    /// What a dynamicist writes on the first page.
    pub page: Page,
    /// What is suspicious or worth knowing.
    pub warnings: Vec<Diagnostic>,
}

impl CheckReport {
    /// The page as JSON, without the warnings: whoever has the text can place them. The schema is in `docs/cli.md`.
    pub fn to_json(&self) -> Value {
        json!(self.page)
    }
}

impl fmt::Display for CheckReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.page.fmt(f)
    }
}
