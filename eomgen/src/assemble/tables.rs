//! Quantities that are asked for by name, as outputs of the module.

use super::derivatives::LINEARIZATION;
use super::dynamics::{BIAS_FORCES, INVERSE_DYNAMICS};
use super::explicit::CHART_IN_USE;
use super::{Output, Settings, Shape, Work};
use crate::catalogue;
use crate::diag::Diagnostic;
use crate::diag::codes::formulations::E0522;
use crate::explain;
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
            match *name {
                CHART_IN_USE => {
                    self.push_chart(list)?;
                    continue;
                }
                LINEARIZATION => {
                    self.push_linearization(list).map_err(|e| vec![e])?;
                    continue;
                }
                INVERSE_DYNAMICS => {
                    self.push_inverse_dynamics(list)?;
                    continue;
                }
                BIAS_FORCES => {
                    self.push_bias_forces(list)?;
                    continue;
                }
                _ => {}
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
        let formulation = settings.formulation;
        if let Some(own) = formulation.table(&mut self.c, &self.formulated, name)? {
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

    /// Which chart is in use.
    fn push_chart(&mut self, list: &mut Vec<Output>) -> Result<(), Vec<Diagnostic>> {
        let index = match self.formulated.charts.clone() {
            Some(charts) if charts.list.len() > 1 => self.chart_index(&charts),
            Some(charts) if charts.list.len() == 1 => Some(self.low.graph.zero()),
            _ => None,
        };
        let Some(index) = index else {
            let first = self.c.system.coords.first();
            let span = first.map_or_else(Default::default, |q| q.meta.span);
            let title = "there is no `chart_in_use`: no charts are listed";
            let error = Diagnostic::error(E0522, title, span, "of this model");
            return Err(vec![error.help("omit the output")]);
        };
        self.push_about(CHART_IN_USE);
        let about = catalogue::output(CHART_IN_USE).map_or("", |q| q.docs);
        list.push(self.scalar(CHART_IN_USE, about, index));
        Ok(())
    }

    /// A section that says what a quantity is, without entries.
    pub(super) fn push_about(&mut self, name: &str) {
        let Some(about) = catalogue::output(name) else {
            return;
        };
        let section = explain::section(
            &mut self.c,
            &Table {
                name: about.name,
                layout: Layout::Scalar,
                rows: Vec::new(),
                columns: Vec::new(),
                entries: Vec::new(),
                note: String::new(),
                facts: Vec::new(),
            },
        );
        self.sections.push(section);
    }

    fn push_table(&mut self, list: &mut Vec<Output>, table: Table) {
        let shape = match table.layout {
            Layout::Scalar => Shape::Scalar,
            Layout::Vector => Shape::Array(table.rows.len()),
            Layout::Matrix => Shape::Matrix(table.rows.len(), table.columns.len()),
        };
        let labels = table.labels();
        let section = explain::section(&mut self.c, &table);
        self.sections.push(section);
        let entries: Vec<Expr> = table.entries.iter().map(|e| self.c.in_speeds(e)).collect();
        let values = self.low.lower_all(&self.c.alg, &entries);
        let about = catalogue::output(table.name).map_or("", |q| q.docs);
        let docs = match table.note.as_str() {
            "" => about.to_string(),
            note => format!("{about} {note}"),
        };
        let mut output = self.output(table.name, &docs, shape, labels, values);
        output.facts = table.facts;
        list.push(output);
    }
}
