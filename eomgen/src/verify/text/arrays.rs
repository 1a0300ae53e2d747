//! Arrays that are written out, and the entries that are assigned.

use syn::Expr;

use super::Unreadable;
use super::body::{Compiler, Local, ident};
use super::frame::{indices, whole};
use super::tree::{Shape, StepId};

impl Compiler<'_> {
    /// The array and the entry of `out[i]` or `out[i][j]`.
    pub(super) fn entry(&self, expr: &Expr) -> Result<(String, usize), Unreadable> {
        let found = || {
            let Expr::Index(index) = expr else {
                return None;
            };
            let (base, row, column) = indices(index, |e| self.counted(e))?;
            let name = ident(base)?;
            let entry = self.locals.get(&name)?.entry(row, column)?;
            Some((name, entry))
        };
        found().ok_or_else(|| self.unknown("assignment to", expr))
    }

    /// The number of a loop.
    pub(super) fn counted(&self, expr: &Expr) -> Option<usize> {
        self.numbers.get(&ident(expr)?).copied()
    }

    /// An array written out.
    pub(super) fn array(&mut self, expr: &Expr) -> Result<Local, Unreadable> {
        let line = self.line;
        match expr {
            Expr::Repeat(repeat) => {
                let count = whole(&repeat.len).ok_or_else(|| self.unknown("array", expr))?;
                let (one, shape) = match &*repeat.expr {
                    Expr::Repeat(inner) => {
                        let columns = whole(&inner.len);
                        let columns = columns.ok_or_else(|| self.unknown("array", expr))?;
                        let value = self.number(&inner.expr)?;
                        (vec![(value, line); columns], Shape::Matrix(count, columns))
                    }
                    value => (vec![(self.number(value)?, line)], Shape::Array(count)),
                };
                Ok(Local::Array(one.repeat(count), shape))
            }
            Expr::Array(array) => {
                let rows: Vec<&Expr> = array.elems.iter().collect();
                if !rows.iter().any(|row| matches!(row, Expr::Array(_))) {
                    let places = self.numbers(&rows)?;
                    let shape = Shape::Array(places.len());
                    return Ok(Local::Array(places, shape));
                }
                let mut all = Vec::new();
                let mut columns = None;
                for row in &rows {
                    let Expr::Array(row) = row else {
                        return Err(self.unknown("array", expr));
                    };
                    let row: Vec<&Expr> = row.elems.iter().collect();
                    if *columns.get_or_insert(row.len()) != row.len() {
                        return Err(self.unknown("array", expr));
                    }
                    all.extend(self.numbers(&row)?);
                }
                Ok(Local::Array(
                    all,
                    Shape::Matrix(rows.len(), columns.unwrap_or(0)),
                ))
            }
            _ => Err(self.unknown("array", expr)),
        }
    }

    fn numbers(&mut self, list: &[&Expr]) -> Result<Vec<(StepId, u32)>, Unreadable> {
        let line = self.line;
        let mut places = Vec::new();
        for entry in list {
            let place = self.number(entry)?;
            // A variable stands where its value is worked out.
            let own = ident(entry).and_then(|_| self.function.lines.get(place as usize));
            places.push((place, own.copied().unwrap_or(line)));
        }
        Ok(places)
    }
}
