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
        let equations = self.equations.clone();
        let own = settings.formulation.own_outputs();
        for name in own.iter().chain(settings.outputs) {
            if list.iter().any(|o| o.name == *name) {
                continue;
            }
            let own = settings.formulation.table(&mut self.c, &equations, name)?;
            if let Some(table) = own {
                self.push_table(list, table);
            }
        }
        Ok(())
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
