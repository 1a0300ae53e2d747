//! Quantities of a derivation that are asked for by name: vectors and matrices of expressions with labels.

use crate::catalogue::{self, asked};
use crate::facts::Fact;
use crate::sym::{Expr, Var};

/// How entries are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One number.
    Scalar,
    /// A list, by rows.
    Vector,
    /// Rows by columns.
    Matrix,
}

/// A quantity, entry by entry: functions of t, q, the rates or speeds, and, where it is one of the actual motion, of the accelerations'
/// symbols q'' or u'.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name in the [catalogue](crate::catalogue::to_ask_for).
    pub name: &'static str,
    /// The points and frames that it is of.
    pub places: Vec<String>,
    /// Scalar, vector or matrix.
    pub layout: Layout,
    /// What the rows belong to: `x`, `u1'`, `blade`.
    pub rows: Vec<String>,
    /// What the columns belong to; empty but for matrices.
    pub columns: Vec<String>,
    /// Row by row.
    pub entries: Vec<Expr>,
    /// What is peculiar to this model, for the documentation: which speeds, which chart; may be empty.
    pub note: String,
    /// The same as data, as far as a reader of the module needs it.
    pub facts: Vec<Fact>,
    /// Symbols of the rates of the speeds, where these are given and not those of the actual motion.
    pub rates: Vec<Var>,
}

impl Table {
    /// A number.
    pub fn scalar(name: &'static str, entry: Expr) -> Self {
        Self::new(name, Layout::Scalar, (Vec::new(), Vec::new()), vec![entry])
    }

    /// A list of values.
    pub fn vector(name: &'static str, rows: Vec<String>, entries: Vec<Expr>) -> Self {
        debug_assert!(rows.len() == entries.len());
        Self::new(name, Layout::Vector, (rows, Vec::new()), entries)
    }

    /// A matrix, given by its rows.
    pub fn matrix(
        name: &'static str,
        rows: Vec<String>,
        columns: Vec<String>,
        entries: Vec<Vec<Expr>>,
    ) -> Self {
        debug_assert!(rows.len() == entries.len());
        debug_assert!(entries.iter().all(|r| r.len() == columns.len()));
        let entries = entries.into_iter().flatten().collect();
        Self::new(name, Layout::Matrix, (rows, columns), entries)
    }

    fn new(
        name: &'static str,
        layout: Layout,
        (rows, columns): (Vec<String>, Vec<String>),
        entries: Vec<Expr>,
    ) -> Self {
        debug_assert!(catalogue::output(name).is_some());
        Self {
            name,
            places: Vec::new(),
            layout,
            rows,
            columns,
            entries,
            note: String::new(),
            facts: Vec::new(),
            rates: Vec::new(),
        }
    }

    /// What each entry is: `x''`, or `x'', u1` for row and column.
    pub fn labels(&self) -> Vec<String> {
        match self.layout {
            Layout::Scalar => vec![self.name.to_string()],
            Layout::Vector => self.rows.clone(),
            Layout::Matrix => {
                let entry = |r: &String| {
                    let columns = self.columns.iter();
                    columns.map(|c| format!("{r}, {c}")).collect::<Vec<_>>()
                };
                self.rows.iter().flat_map(entry).collect()
            }
        }
    }

    /// What it is called: `jacobian(P)`.
    pub fn title(&self) -> String {
        asked::titled(self.name, &self.places)
    }

    /// The name of the output that it becomes: `jacobian_of_P`.
    pub fn output_name(&self) -> String {
        asked::output_name(self.name, &self.places)
    }

    /// With the points and frames that it is of.
    #[must_use]
    pub fn of(mut self, places: &[String]) -> Self {
        self.places = places.to_vec();
        self.stating(Fact::Places(places.to_vec()))
    }

    /// With a remark on this model.
    #[must_use]
    pub fn noted(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    /// As a function of given rates of the speeds, which have these symbols.
    #[must_use]
    pub fn taking(mut self, rates: &[Var]) -> Self {
        self.rates = rates.to_vec();
        self
    }

    /// With a fact for readers of the module.
    #[must_use]
    pub fn stating(mut self, fact: Fact) -> Self {
        self.facts.push(fact);
        self
    }
}
