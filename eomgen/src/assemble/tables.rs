//! Quantities that are asked for by name, as outputs of the module.

use super::{Output, Settings, Shape, Work};
use crate::catalogue;
use crate::diag::Diagnostic;
use crate::form::{Layout, Table};
use crate::sym::Expr;

impl Work<'_> {
    /// Adds what the formulation always has and what is asked for, as far as it is not there already.
    pub(super) fn asked_for(
        &mut self,
        list: &mut Vec<Output>,
        settings: &Settings<'_>,
    ) -> Result<(), Vec<Diagnostic>> {
        let own = settings.formulation.own_outputs();
        for name in own.iter().chain(settings.outputs) {
            if list.iter().any(|o| o.name == *name) {
                continue;
            }
            if let Some(table) = self.quantity(settings, name)? {
                self.push_table(list, table);
            }
        }
        Ok(())
    }

    /// A quantity of the formulation, or one that all have.
    pub(super) fn quantity(
        &mut self,
        settings: &Settings<'_>,
        name: &str,
    ) -> Result<Option<Table>, Vec<Diagnostic>> {
        let e = self.equations.clone();
        if let Some(own) = settings.formulation.table(&mut self.c, &e, name)? {
            return Ok(Some(own));
        }
        let table = self.quantities.table(&mut self.c, name)?;
        for f in self.quantities.cancelled() {
            let text = format!("{} = 0", self.readable(&f));
            if !self.cancelled.contains(&text) {
                self.cancelled.push(text);
            }
        }
        Ok(table)
    }

    fn push_table(&mut self, list: &mut Vec<Output>, table: Table) {
        let shape = match table.layout {
            Layout::Scalar => Shape::Scalar,
            Layout::Vector => Shape::Array(table.rows.len()),
            Layout::Matrix => Shape::Matrix(table.rows.len(), table.columns.len()),
        };
        let labels = table.labels();
        let entries: Vec<Expr> = table.entries.iter().map(|e| self.c.in_speeds(e)).collect();
        let values = self.low.lower_all(&self.c.alg, &entries);
        let about = catalogue::output(table.name).map_or("", |q| q.docs);
        let docs = match table.note.as_str() {
            "" => about.to_string(),
            note => format!("{about} {note}"),
        };
        self.push(list, table.name, &docs, shape, labels, values);
    }
}
