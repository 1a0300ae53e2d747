//! From the strings and expressions of a derivation to what is shown: names become symbols, long parts get names.

use super::{Block, Piece, Prose, Table, words};
use crate::model::System;
use crate::notation::{Definition, Line, Math, Namer, Names};
use std::collections::BTreeSet;

/// Columns of Unicode that a part of an equation which cannot be broken may take.
const WIDE: usize = 76;
/// Columns that a formula within a table may take; a longer one stands below the table, under a name.
const CELL: usize = 200;

pub(super) struct Writer {
    pub(super) names: Names,
    namer: Namer,
    /// Names of constraints, frames, points, bodies, which are no quantities.
    labels: BTreeSet<String>,
    /// What the names in the cells of the table that is being made stand for.
    below: Vec<Definition>,
}

impl Writer {
    pub(super) fn new(system: &System) -> Self {
        let names = crate::explain::names(system);
        let namer = Namer::new(&names, WIDE);
        let mut labels = BTreeSet::new();
        for c in &system.constraints {
            let rows = ["", ".x", ".y", ".z"].map(|row| format!("{}{row}", c.meta.name));
            labels.extend(rows);
        }
        labels.extend(system.frames.iter().map(|f| f.meta.name.clone()));
        labels.extend(system.points.iter().map(|p| p.meta.name.clone()));
        labels.extend(system.bodies.iter().map(|b| b.meta.name.clone()));
        labels.retain(|name| !names.has(name));
        Self {
            names,
            namer,
            labels,
            below: Vec::new(),
        }
    }

    /// A text with formulas in back-quotes; what is none stays as it is typed.
    pub(super) fn prose(&self, text: &str) -> Prose {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let paired = text.matches('`').count().is_multiple_of(2);
        if !paired {
            return words(&text);
        }
        let pieces = text.split('`').enumerate().filter(|(_, t)| !t.is_empty());
        pieces
            .map(|(i, piece)| match i % 2 {
                0 => Piece::Words(piece.into()),
                _ => self.code(piece),
            })
            .collect()
    }

    fn code(&self, text: &str) -> Piece {
        if self.labels.contains(text) {
            return Piece::Words(text.into());
        }
        match self.names.parse(text) {
            Ok(m) => Piece::Math(m),
            Err(_) => Piece::Code(text.into()),
        }
    }

    /// A formula in the model's notation as a cell or within a sentence.
    pub(super) fn formula(&self, text: &str) -> Prose {
        vec![self.code(text)]
    }

    /// A quantity of the model by its name.
    pub(super) fn quantity(&self, name: &str) -> Prose {
        vec![Piece::Math(self.names.quantity(name))]
    }

    pub(super) fn math(&self, text: &str) -> Math {
        let read = self.names.parse(text);
        read.unwrap_or_else(|_| Math::Text(text.into()))
    }

    /// The cell of a table: the formula, or a name for it that [`Self::tabled`] explains; `(long)` where there is no formula.
    pub(super) fn cell(&mut self, m: Option<&Math>) -> Prose {
        let Some(m) = m else {
            return words("(long)");
        };
        if crate::notation::width(&crate::notation::one_line(m)) <= CELL {
            return vec![Piece::Math(m.clone())];
        }
        let (name, definitions) = self.namer.named(m);
        self.below.extend(definitions);
        vec![Piece::Math(name)]
    }

    /// A table, and below it what the names in its cells stand for.
    pub(super) fn tabled(&mut self, table: Table) -> Vec<Block> {
        let mut blocks = vec![Block::Table(table)];
        let below = std::mem::take(&mut self.below);
        if !below.is_empty() {
            let line = |d: Definition| Line::equation(Math::Symbol(d.name), d.value);
            blocks.push(Block::Paragraph(words("where")));
            blocks.push(Block::Equations(
                below.into_iter().map(line).collect(),
                Vec::new(),
            ));
        }
        blocks
    }

    /// Equations with names for their widest parts.
    pub(super) fn equations(&mut self, lines: Vec<Line>) -> Block {
        let mut all: Vec<Definition> = Vec::new();
        let mut short = Vec::with_capacity(lines.len());
        self.namer.meet(lines.iter().map(|line| &line.math));
        for line in lines {
            let (math, named) = self.namer.shorten(&line.math);
            all.extend(named);
            let divisor = line.divisor.map(|d| self.namer.with_lengths(&d));
            short.push(Line {
                math,
                divisor,
                ..line
            });
        }
        Block::Equations(short, all)
    }

    /// Lines of the generated documentation: those that are no equations become sentences.
    pub(super) fn lines(&mut self, lines: &[Line]) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut kept = Vec::new();
        for line in lines {
            if line.is_formula() {
                kept.push(line.clone());
                continue;
            }
            if !kept.is_empty() {
                blocks.push(self.equations(std::mem::take(&mut kept)));
            }
            blocks.push(Block::Paragraph(self.prose(&line.to_string())));
        }
        if !kept.is_empty() {
            blocks.push(self.equations(kept));
        }
        blocks
    }
}

/// A table with plain headings.
pub(super) fn table(columns: &[&str], rows: Vec<Vec<Prose>>) -> Table {
    Table {
        columns: columns.iter().map(|c| words(c)).collect(),
        rows,
    }
}
