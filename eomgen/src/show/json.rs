//! Data for programs; the schema is `docs/show.schema.json`, and the types are what it says, member by member.

use crate::notation::{Definition, Line, Math, Symbol, latex, one_line};
use crate::pipeline::exposition::{self as shown, Exposition};
use serde::Serialize;

pub(super) fn write(shown: &Exposition) -> String {
    let document = Document::from(shown);
    // Strings and lists alone: there is nothing in them that JSON does not have.
    let text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text + "\n"
}

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    model: &'a str,
    title: &'a str,
    description: Vec<Prose<'a>>,
    methods: Vec<Method<'a>>,
    refused: Vec<Refused<'a>>,
    symbols: Vec<Entry<'a>>,
    sections: Vec<Section<'a>>,
}

#[derive(Serialize)]
struct Method<'a> {
    name: &'a str,
    equation: &'a str,
}

#[derive(Serialize)]
struct Refused<'a> {
    method: &'a str,
    reason: &'a str,
}

#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    #[serde(flatten)]
    written: Written,
    kind: &'static str,
    meaning: &'a str,
    unit: Option<&'a str>,
    default: Option<&'a str>,
}

#[derive(Serialize)]
struct Section<'a> {
    id: &'a str,
    title: String,
    method: Option<&'a str>,
    blocks: Vec<Block<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Block<'a> {
    Paragraph {
        text: Prose<'a>,
    },
    List {
        items: Vec<Prose<'a>>,
    },
    Equations {
        equations: Vec<Equation<'a>>,
        r#where: Vec<Named>,
    },
    Table {
        columns: Vec<Prose<'a>>,
        rows: Vec<Vec<Prose<'a>>>,
    },
}

#[derive(Serialize)]
struct Equation<'a> {
    label: Option<&'a str>,
    math: Written,
    #[serde(skip_serializing_if = "Option::is_none")]
    divided_by: Option<Written>,
}

#[derive(Serialize)]
struct Named {
    name: Written,
    math: Written,
}

type Prose<'a> = Vec<Piece<'a>>;

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Piece<'a> {
    Words { text: &'a str },
    Code { text: &'a str },
    Math { math: Written },
}

#[derive(Serialize)]
struct Written {
    unicode: String,
    latex: String,
}

impl From<&Math> for Written {
    fn from(m: &Math) -> Self {
        Self {
            unicode: one_line(m),
            latex: latex(m),
        }
    }
}

impl From<&Symbol> for Written {
    fn from(s: &Symbol) -> Self {
        Self::from(&Math::Symbol(s.clone()))
    }
}

impl<'a> From<&'a Exposition> for Document<'a> {
    fn from(e: &'a Exposition) -> Self {
        let methods = e.methods.iter().map(|m| Method {
            name: &m.name,
            equation: &m.equation,
        });
        let refused = e.refused.iter();
        let refused = refused.map(|(method, reason)| Refused { method, reason });
        Self {
            format: "eomgen-show-1",
            model: &e.model,
            title: &e.title,
            description: e.description.iter().map(prose).collect(),
            methods: methods.collect(),
            refused: refused.collect(),
            symbols: e.symbols.iter().map(Entry::from).collect(),
            sections: e.sections.iter().map(Section::from).collect(),
        }
    }
}

impl<'a> From<&'a shown::Entry> for Entry<'a> {
    fn from(e: &'a shown::Entry) -> Self {
        Self {
            name: &e.symbol.name,
            written: Written::from(&e.symbol),
            kind: e.kind,
            meaning: &e.meaning,
            unit: e.unit.as_deref(),
            default: e.default.as_deref(),
        }
    }
}

impl<'a> From<&'a shown::Section> for Section<'a> {
    fn from(s: &'a shown::Section) -> Self {
        Self {
            id: &s.id,
            title: s.title.replace('`', ""),
            method: s.method.as_deref(),
            blocks: s.blocks.iter().map(Block::from).collect(),
        }
    }
}

impl<'a> From<&'a shown::Block> for Block<'a> {
    fn from(b: &'a shown::Block) -> Self {
        let row = |cells: &'a Vec<shown::Prose>| cells.iter().map(prose).collect();
        match b {
            shown::Block::Paragraph(p) => Self::Paragraph { text: prose(p) },
            shown::Block::List(items) => Self::List {
                items: items.iter().map(prose).collect(),
            },
            shown::Block::Equations(lines, named) => Self::Equations {
                equations: lines.iter().map(Equation::from).collect(),
                r#where: named.iter().map(Named::from).collect(),
            },
            shown::Block::Table(t) => Self::Table {
                columns: row(&t.columns),
                rows: t.rows.iter().map(row).collect(),
            },
        }
    }
}

impl<'a> From<&'a Line> for Equation<'a> {
    fn from(l: &'a Line) -> Self {
        Self {
            label: l.label.as_deref(),
            math: Written::from(&l.math),
            divided_by: l.divisor.as_ref().map(Written::from),
        }
    }
}

impl From<&Definition> for Named {
    fn from(d: &Definition) -> Self {
        Self {
            name: Written::from(&d.name),
            math: Written::from(&d.value),
        }
    }
}

fn prose(p: &shown::Prose) -> Prose<'_> {
    let pieces = p.iter().map(|piece| match piece {
        shown::Piece::Words(text) => Piece::Words { text },
        shown::Piece::Code(text) => Piece::Code { text },
        shown::Piece::Math(m) => Piece::Math {
            math: Written::from(m),
        },
    });
    pieces.collect()
}
