//! A shown derivation as data: titles, sentences, equations and tables, in reading order. Knows nothing of formats.

mod common;
mod compose;
mod method;
mod model;
mod writer;

pub use compose::exposition;

use crate::notation::{Definition, Line, Math, Symbol};

/// A shown derivation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exposition {
    /// The model's name.
    pub model: String,
    /// `Equations of motion of sleigh`
    pub title: String,
    /// The model's own description.
    pub description: Vec<Prose>,
    /// The formulations shown, in order: the first is the one that is shown first.
    pub methods: Vec<Method>,
    /// Formulations that were asked for and do not apply, with the reason.
    pub refused: Vec<(String, String)>,
    /// Every symbol of the model.
    pub symbols: Vec<Entry>,
    /// In reading order.
    pub sections: Vec<Section>,
}

/// A formulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// What `--method` takes.
    pub name: String,
    /// The equation it solves, in plain characters.
    pub equation: String,
}

/// What a symbol means.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// How it is written.
    pub symbol: Symbol,
    /// `coordinate`, `speed`, `parameter`, `input`, `function`, `multiplier`.
    pub kind: &'static str,
    /// What the model says of it.
    pub meaning: String,
    /// Its unit, if known.
    pub unit: Option<String>,
    /// Default value of a parameter, in SI units.
    pub default: Option<String>,
}

/// A part with a heading.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// A word for references: `equations-kane`.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// The formulation that it is about; `None` for what all have in common.
    pub method: Option<String>,
    /// What stands in it.
    pub blocks: Vec<Block>,
}

/// A piece of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// Sentences.
    Paragraph(Prose),
    /// A list.
    List(Vec<Prose>),
    /// Equations, with what is named in them.
    Equations(Vec<Line>, Vec<Definition>),
    /// A table.
    Table(Table),
}

/// A table: headings, and rows of as many cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Headings.
    pub columns: Vec<Prose>,
    /// Rows.
    pub rows: Vec<Vec<Prose>>,
}

/// Words with mathematics among them.
pub type Prose = Vec<Piece>;

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Words.
    Words(String),
    /// Mathematics.
    Math(Math),
    /// Something as it is typed.
    Code(String),
}

/// A sentence without mathematics.
pub fn words(text: &str) -> Prose {
    if text.is_empty() {
        Vec::new()
    } else {
        vec![Piece::Words(text.into())]
    }
}
