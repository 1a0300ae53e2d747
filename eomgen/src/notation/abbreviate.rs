//! Naming what is too wide for a page: numerators, denominators, arguments and factors that no row can hold get names of their own, and so do
//! lengths that recur.

use super::layout::Layout;
use super::lengths::Lengths;
use super::unicode::{one_line, width};
use super::{Math, Names, Style, Symbol};
use indexmap::IndexMap;

/// `name = value`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name, one that the model does not use.
    pub name: Symbol,
    /// What it stands for.
    pub value: Math,
}

/// Gives names; the same expression gets the same one.
#[derive(Clone, Debug)]
pub struct Namer {
    letter: &'static str,
    wide: usize,
    measure: fn(&Math) -> usize,
    given: IndexMap<Math, Symbol>,
    lengths: Lengths,
    done: Vec<Definition>,
}

impl Namer {
    /// For one document of a model with these names: no part that cannot be broken is to take more than `wide` columns.
    pub fn new(names: &Names, wide: usize) -> Self {
        let letters = ["E", "K", "P", "D", "H", "X", "Y", "Z"];
        let free = letters.into_iter().find(|l| !names.has_letters(l));
        Self {
            letter: free.unwrap_or("Ex"),
            wide,
            measure: |m| Layout::of(m).width,
            given: IndexMap::new(),
            lengths: Lengths::new(names),
            done: Vec::new(),
        }
    }

    /// Equations that are shown together: those of their lengths that recur get names, which stand in what is shortened from here on.
    pub fn meet<'a>(&mut self, equations: impl IntoIterator<Item = &'a Math>) {
        let found = self.lengths.find(equations);
        let named = found.into_iter();
        self.done
            .extend(named.map(|(name, value)| Definition { name, value }));
    }

    /// The same for one line of Unicode in place of two dimensions.
    pub fn in_lines(names: &Names, wide: usize) -> Self {
        Self {
            measure: |m| width(&one_line(m)),
            ..Self::new(names, wide)
        }
    }

    /// The same with the names of lengths in it.
    pub fn with_lengths(&self, m: &Math) -> Math {
        self.lengths.put_into(m)
    }

    /// The same with names in it, and the definitions that were not given before, in an order in which each uses earlier ones.
    pub fn shorten(&mut self, m: &Math) -> (Math, Vec<Definition>) {
        let short = self.side(&self.lengths.put_into(m));
        (short, std::mem::take(&mut self.done))
    }

    /// A name for the whole, and the definitions that were not given before.
    pub fn named(&mut self, m: &Math) -> (Math, Vec<Definition>) {
        let name = self.name(&self.lengths.put_into(m));
        (name, std::mem::take(&mut self.done))
    }

    /// What may be broken at its terms and factors.
    fn side(&mut self, m: &Math) -> Math {
        match m {
            Math::Relation(..) | Math::Sum(_) | Math::Negative(_) => m.map(|part| self.side(part)),
            _ if (self.measure)(m) <= self.wide => m.clone(),
            Math::Product(_) => m.map(|factor| self.factor(factor, self.wide * 2 / 3)),
            _ => self.factor(m, self.wide),
        }
    }

    /// What stands in one piece, in `wide` columns.
    fn factor(&mut self, m: &Math, wide: usize) -> Math {
        if (self.measure)(m) <= wide {
            return m.clone();
        }
        match m {
            Math::Quotient(..) => m.map(|part| self.piece(part, wide)),
            Math::Power(base, exponent) => {
                let base = self.piece(base, wide.saturating_sub(8));
                Math::Power(Box::new(base), exponent.clone())
            }
            Math::Root(inner) => Math::Root(Box::new(self.piece(inner, wide.saturating_sub(2)))),
            Math::Function(_, arguments) => {
                let each = wide.saturating_sub(12) / arguments.len().max(1);
                m.map(|a| self.piece(a, each))
            }
            Math::Choice(..) => m.map(|part| self.piece(part, wide / 2)),
            Math::Matrix(rows) => {
                let columns = rows.iter().map(Vec::len).max().unwrap_or(1).max(1);
                let each = wide.saturating_sub(3 * columns) / columns;
                m.map(|entry| self.piece(entry, each))
            }
            _ => self.name(m),
        }
    }

    /// A product in one piece keeps its narrow factors; everything else that is too wide gets a name.
    fn piece(&mut self, m: &Math, wide: usize) -> Math {
        if (self.measure)(m) <= wide {
            return m.clone();
        }
        match m {
            Math::Negative(inner) => self.piece(inner, wide.saturating_sub(1)).negated(),
            Math::Product(_) => {
                let short = m.map(|factor| match factor {
                    Math::Sum(_) if (self.measure)(factor) > wide / 3 => self.name(factor),
                    other => self.factor(other, wide / 2),
                });
                if (self.measure)(&short) <= wide {
                    short
                } else {
                    self.name(&short)
                }
            }
            Math::Sum(_) => self.name(m),
            other => {
                let short = self.factor(other, wide);
                if (self.measure)(&short) <= wide {
                    short
                } else {
                    self.name(&short)
                }
            }
        }
    }

    fn name(&mut self, m: &Math) -> Math {
        if matches!(m, Math::Number(_) | Math::Symbol(_) | Math::Dotted(..)) {
            return m.clone();
        }
        if let Some(symbol) = self.given.get(m) {
            return Math::Symbol(symbol.clone());
        }
        let value = self.side(m);
        let count = (self.given.len() + 1).to_string();
        let symbol = Symbol::new(self.letter, Style::Italic, &[&count]);
        self.given.insert(m.clone(), symbol.clone());
        self.done.push(Definition {
            name: symbol.clone(),
            value,
        });
        Math::Symbol(symbol)
    }
}
