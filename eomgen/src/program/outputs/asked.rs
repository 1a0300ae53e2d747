//! Quantities that are asked for by name, as outputs of the module.

use super::actuation::{MINIMUM_NORM_FORCES, actuation, minimum_norm_forces};
use super::derivatives::{LINEARIZATION, linearization};
use super::dynamics::{BIAS_FORCES, INVERSE_DYNAMICS, bias_forces, inverse_dynamics, rates_given};
use super::linear_model::{LINEARIZATION_REDUCED, linearization_reduced};
use super::{Output, Shape};
use crate::catalogue;
use crate::catalogue::Place;
use crate::catalogue::asked::Asked;
use crate::diag::Diagnostic;
use crate::diag::codes::formulations::E0522;
use crate::explain::{self, Section};
use crate::facts::Fact;
use crate::form::{Context, Layout, Quantities, Table};
use crate::identify;
use crate::program::accelerations::explicit::{CHART_IN_USE, chart_index};
use crate::program::group;
use crate::program::posed::Posed;
use crate::program::solved::Solved;
use crate::program::writer::{Writer, slot};
use crate::sym::Expr;

/// Adds what the formulation always has and what is asked for, as far as it is not there already; a section of the documentation for each.
pub(in crate::program) fn add(
    solved: &Solved,
    w: &mut Writer<'_>,
    quantities: &mut Quantities,
    asked: &[Asked],
    list: &mut Vec<Output>,
) -> Result<Vec<Section>, Vec<Diagnostic>> {
    let mut sections = Vec::new();
    for name in solved.posed.formulation.own_outputs() {
        if list.iter().all(|o| o.name != *name) {
            add_one(solved, w, quantities, name, list, &mut sections)?;
        }
    }
    let mut errors = Vec::new();
    for asked in asked {
        let present = catalogue::derived_for(&asked.output()).to_owned();
        if list.iter().any(|o| o.name == present) {
            continue;
        }
        if asked.places.is_empty() {
            add_one(
                solved,
                w,
                quantities,
                catalogue::derived_for(asked.quantity.name),
                list,
                &mut sections,
            )?;
            continue;
        }
        if asked.quantity.of == Place::Inputs {
            match actuation(solved, w, asked) {
                Ok(output) => {
                    sections.extend(explain::about(asked.quantity.name));
                    list.push(output);
                }
                Err(more) => errors.extend(more),
            }
            continue;
        }
        // What is wrong with one name does not hide what is wrong with others.
        match quantities.of_place(&mut w.c, asked) {
            Ok(table) => {
                sections.push(explain::section(&mut w.c, &table));
                list.push(output(w, table));
            }
            Err(more) => errors.extend(more),
        }
    }
    if errors.is_empty() {
        Ok(sections)
    } else {
        Err(errors)
    }
}

/// Adds a quantity of the whole machine.
fn add_one(
    solved: &Solved,
    w: &mut Writer<'_>,
    quantities: &mut Quantities,
    name: &'static str,
    list: &mut Vec<Output>,
    sections: &mut Vec<Section>,
) -> Result<(), Vec<Diagnostic>> {
    let found = match name {
        CHART_IN_USE => Some(chart(&solved.posed, w)?),
        LINEARIZATION => linearization(solved, w, list).map_err(|e| vec![e])?,
        LINEARIZATION_REDUCED => linearization_reduced(solved, w, list)?,
        INVERSE_DYNAMICS => Some(inverse_dynamics(solved, w)?),
        BIAS_FORCES => Some(bias_forces(solved, w)?),
        MINIMUM_NORM_FORCES => Some(minimum_norm_forces(solved, w)?),
        _ => {
            let table = quantity(&solved.posed, &mut w.c, quantities, name)?;
            w.cancelled(&quantities.cancelled());
            if let Some(table) = table {
                sections.push(explain::section(&mut w.c, &table));
                list.push(output(w, table));
            }
            return Ok(());
        }
    };
    if let Some(output) = found {
        sections.extend(explain::about(name));
        list.push(output);
    }
    Ok(())
}

/// A quantity of the formulation, or one that all have.
pub(in crate::program) fn quantity(
    posed: &Posed,
    c: &mut Context<'_>,
    quantities: &mut Quantities,
    name: &str,
) -> Result<Option<Table>, Vec<Diagnostic>> {
    match posed.formulation.table(c, &posed.formulated, name)? {
        Some(own) => Ok(Some(own)),
        None => match quantities.table(c, name)? {
            Some(table) => Ok(Some(table)),
            None => identify::table(c, quantities, name),
        },
    }
}

/// Which chart is in use.
fn chart(posed: &Posed, w: &mut Writer<'_>) -> Result<Output, Vec<Diagnostic>> {
    let index = match &posed.formulated.charts {
        Some(charts) if charts.list.len() > 1 => chart_index(posed, w, charts),
        Some(charts) if charts.list.len() == 1 => Some((w.low.graph.zero(), false)),
        _ => None,
    };
    let Some((index, weighed)) = index else {
        let title = "there is no `chart_in_use`: no charts are listed";
        let error = Diagnostic::error(E0522, title, w.c.system.whole(), "of this model");
        return Err(vec![error.help("omit the output")]);
    };
    let about = catalogue::output(CHART_IN_USE).map_or("", |q| q.docs);
    let names = w.c.system.coord_names("''");
    let charts = posed
        .formulated
        .charts
        .iter()
        .flat_map(|charts| &charts.list);
    let named = charts.map(|chart| chart.eliminated.iter().map(|i| names[*i].clone()).collect());
    let fact = Fact::Charts(named.collect(), weighed);
    Ok(Output::scalar(w, CHART_IN_USE, about, index).with(fact))
}

fn output(w: &mut Writer<'_>, table: Table) -> Output {
    let shape = match table.layout {
        Layout::Scalar => Shape::Scalar,
        Layout::Vector => Shape::Array(table.rows.len()),
        Layout::Matrix => Shape::Matrix(table.rows.len(), table.columns.len()),
    };
    for (i, v) in table.rates.iter().enumerate() {
        let value = w.low.graph.input(slot(group::GIVEN, i));
        w.bind_value(*v, value);
    }
    let given = |v| table.rates.contains(&v);
    let takes = table.entries.iter().any(|e| w.c.alg.depends(e, &given));
    let arguments = takes.then(|| rates_given(table.rates.len()));
    let entries: Vec<Expr> = table.entries.iter().map(|e| w.c.in_speeds(e)).collect();
    let values = w.lower_all(&entries);
    let docs = explain::docs(&table);
    let labels = table.labels();
    let name = table.output_name();
    Output {
        facts: table.facts,
        arguments: arguments.into_iter().collect(),
        ..Output::new(w, &name, &docs, shape, labels, values)
    }
}
