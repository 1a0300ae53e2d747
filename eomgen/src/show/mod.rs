//! A shown derivation as a document: plain text with Unicode mathematics, Markdown, LaTeX, HTML with MathML, JSON. Knows the data of
//! [`Exposition`] and nothing of how it is derived.

mod html;
mod json;
mod latex;
mod markdown;
mod text;

use crate::notation::{Symbol, one_line};
use crate::pipeline::exposition::{Entry, Exposition};

/// What is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "derive", derive(serde::Serialize, serde::Deserialize))]
pub enum Format {
    /// Plain text, at most [`WIDTH`] columns wide.
    #[default]
    Text,
    /// Markdown with `$$` blocks and tables, as code hosts render it.
    Markdown,
    /// An article for pdflatex.
    Latex,
    /// One file with MathML.
    Html,
    /// Data; its schema is `docs/show.schema.json`.
    Json,
}

/// Columns of a text.
pub const WIDTH: usize = 100;

impl Format {
    /// All of them, the default first.
    pub const ALL: [Self; 5] = [
        Self::Text,
        Self::Markdown,
        Self::Latex,
        Self::Html,
        Self::Json,
    ];

    /// What `--format` takes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Markdown => "markdown",
            Self::Latex => "latex",
            Self::Html => "html",
            Self::Json => "json",
        }
    }

    /// The format of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|f| f.name() == name)
    }

    /// The document.
    pub fn write(self, shown: &Exposition) -> String {
        match self {
            Self::Text => text::write(shown),
            Self::Markdown => markdown::write(shown),
            Self::Latex => latex::write(shown),
            Self::Html => html::write(shown),
            Self::Json => json::write(shown),
        }
    }
}

/// The sentences on formulations that do not apply.
fn refusals(shown: &Exposition) -> Vec<String> {
    let list = shown.refused.iter();
    list.map(|(name, reason)| format!("{name} does not apply: {reason}."))
        .collect()
}

/// What stands in front of the first section when several formulations are shown.
fn methods_line(shown: &Exposition) -> Option<String> {
    let names: Vec<&str> = shown.methods.iter().map(|m| m.name.as_str()).collect();
    (names.len() > 1).then(|| format!("Formulations: {}.", names.join(", ")))
}

/// `angle of the rod (rad)`
fn meaning(shown: &Exposition, symbol: &Symbol) -> Option<String> {
    // A reaction that loads depend on is written as the multiplier of its row.
    let is_of = |e: &&Entry| e.symbol.name == symbol.name || e.symbol.looks_like(symbol);
    shown.symbols.iter().find(is_of).map(described)
}

fn described(e: &Entry) -> String {
    let mut text = format!(
        "{}: {}",
        one_line(&crate::notation::Math::Symbol(e.symbol.clone())),
        e.kind
    );
    if !e.meaning.is_empty() {
        text.push_str(&format!(", {}", e.meaning.trim_end_matches('.')));
    }
    match e.unit.as_deref() {
        None => {}
        Some("1") => text.push_str(" (dimensionless)"),
        Some(unit) => text.push_str(&format!(" ({unit})")),
    }
    text
}
