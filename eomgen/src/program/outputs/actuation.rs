//! Forces that make a machine move as asked where these are not one for each speed: those of least norm on all coordinates, and those of chosen inputs. Both solve
//! for what inverse dynamics lacks, with what constraints may add left out.

use super::dynamics::{missing_forces, rates_given};
use super::{Output, ending};
use crate::catalogue;
use crate::catalogue::asked::Asked;
use crate::diag::codes::quantities::{E0597, E0598};
use crate::diag::{Diagnostic, suggest};
use crate::elim::{self, Matrix};
use crate::facts::Fact;
use crate::field::Extended;
use crate::form::{Space, solution};
use crate::ir::{RoutineKind, Value};
use crate::program::group;
use crate::program::solved::Solved;
use crate::program::writer::{Writer, slot};
use crate::sym::{Expr, Var};

pub(in crate::program) const MINIMUM_NORM_FORCES: &str = "minimum_norm_forces";

/// Forces on the coordinates of least norm.
pub(in crate::program) fn minimum_norm_forces(
    solved: &Solved,
    w: &mut Writer<'_>,
) -> Result<Output, Vec<Diagnostic>> {
    let (count, force) = lacking(solved, w)?;
    let n = w.c.system.coords.len();
    let motion = w.c.speeds.motion.clone();
    let plain = motion.speeds == w.c.vars.rates;
    let mut force = if plain {
        force
    } else {
        let mut rows = vec![vec![Expr::zero(); n]; count];
        for (i, rate) in motion.rates.iter().enumerate() {
            for (k, h) in &rate.coef {
                rows[*k][i] = h.clone();
            }
        }
        least(w, &rows, force)
    };
    if w.c.has_rows(Space::SpeedRates) {
        let rows = w.c.constraints.independent_matrix();
        let rows: Matrix = rows
            .iter()
            .map(|row| row.iter().map(|e| w.c.in_speeds(e)).collect())
            .collect();
        force = without(w, &rows, force);
    }
    let docs = catalogue::output(MINIMUM_NORM_FORCES).map_or("", |q| q.docs);
    let names = w.c.system.coord_names("");
    let labels = names.iter().map(|name| format!("force on {name}"));
    let labels = labels.collect();
    let output = Output::array(w, MINIMUM_NORM_FORCES, docs, labels, force);
    Ok(Output {
        arguments: vec![rates_given(count)],
        ..output
    })
}

/// Values of chosen inputs.
pub(in crate::program) fn actuation(
    solved: &Solved,
    w: &mut Writer<'_>,
    asked: &Asked,
) -> Result<Output, Vec<Diagnostic>> {
    let inputs = chosen(w, asked)?;
    let (count, mut force) = lacking(solved, w)?;
    let matrix = matrix(w, asked, &inputs)?;
    reaches(w, asked, &matrix)?;
    // The loads have the inputs' own values in them.
    for (row, f) in matrix.iter().zip(force.iter_mut()) {
        for (e, v) in row.iter().zip(&inputs) {
            let value = w.lower(&w.c.alg.var(*v));
            *f = w.add_product(*f, e, value);
        }
    }
    let held = w.c.has_rows(Space::SpeedRates);
    let values = if held {
        let (rows, _) = solution::rows(&mut w.c, Space::SpeedRates);
        let force = without(w, &rows, force);
        let columns = (0..inputs.len()).map(|j| {
            let column = matrix.iter().map(|row| row[j].clone());
            column.collect::<Vec<Expr>>()
        });
        let mut projected = Vec::with_capacity(inputs.len());
        for column in columns {
            let column = w.lower_all(&column);
            projected.push(without(w, &rows, column));
        }
        let entries = (0..count).flat_map(|i| projected.iter().map(move |c| c[i]));
        let entries: Vec<Value> = entries.collect();
        routine(w, &entries, (count, inputs.len()), &force)
    } else {
        least(w, &matrix, force)
    };
    let docs = catalogue::output(asked.quantity.name).map_or("", |q| q.docs);
    let docs = format!("{docs} Here of `{}`.", asked.places.join("` and `"));
    let labels = ending(&asked.places, "");
    let output = Output::array(w, &asked.output(), &docs, labels, values);
    Ok(Output {
        arguments: vec![rates_given(count)],
        ..output.with(Fact::Places(asked.places.clone()))
    })
}

/// How many speeds there are, and the forces on them that are missing for given rates.
fn lacking(solved: &Solved, w: &mut Writer<'_>) -> Result<(usize, Vec<Value>), Vec<Diagnostic>> {
    let count = w.c.speeds.independent.len();
    let given = (0..count).map(|i| w.low.graph.input(slot(group::GIVEN, i)));
    let given: Vec<Value> = given.collect();
    Ok((count, missing_forces(solved, w, &given)?))
}

/// The solution of least norm.
fn least(w: &mut Writer<'_>, rows: &Matrix, rhs: Vec<Value>) -> Vec<Value> {
    let columns = rows.first().map_or(0, Vec::len);
    let entries = w.lower_all(rows.iter().flatten());
    routine(w, &entries, (rows.len(), columns), &rhs)
}

fn routine(
    w: &mut Writer<'_>,
    entries: &[Value],
    (rows, cols): (usize, usize),
    rhs: &[Value],
) -> Vec<Value> {
    // One equation in one unknown, and others that are solved as they stand.
    if let ([entry], [rhs]) = (entries, rhs)
        && w.low.graph.as_rational(*entry).is_some()
    {
        return vec![w.low.graph.div(*rhs, *entry)];
    }
    let operands: Vec<Value> = entries.iter().chain(rhs).copied().collect();
    let kind = RoutineKind::MinimumNorm {
        rows: rows as u32,
        cols: cols as u32,
    };
    w.routine(kind, &operands, 0..cols)
}

/// What is left of a list at right angles to rows: `x - A^+ A x`.
fn without(w: &mut Writer<'_>, rows: &Matrix, list: Vec<Value>) -> Vec<Value> {
    let mut rhs = Vec::with_capacity(rows.len());
    for row in rows {
        let mut sum = w.low.graph.zero();
        for (e, x) in row.iter().zip(&list) {
            sum = w.add_product(sum, e, *x);
        }
        rhs.push(sum);
    }
    let taken = least(w, rows, rhs);
    let pairs = list.into_iter().zip(taken);
    pairs.map(|(x, t)| w.low.graph.sub(x, t)).collect()
}

/// The inputs that are named.
fn chosen(w: &Writer<'_>, asked: &Asked) -> Result<Vec<Var>, Vec<Diagnostic>> {
    let system = w.c.system;
    let names: Vec<&str> = system.inputs.iter().map(|i| i.meta.name.as_str()).collect();
    let (mut found, mut errors) = (Vec::new(), Vec::new());
    for name in &asked.places {
        match names.iter().position(|own| own == name) {
            Some(at) if found.contains(&w.c.vars.inputs[at]) => {}
            Some(at) => found.push(w.c.vars.inputs[at]),
            None => {
                let help = match suggest::closest(name, names.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if names.is_empty() => {
                        "declare it and let it act: `input tau : N*m`, `generalized q: tau`".into()
                    }
                    None => format!("name inputs of the model: {}", names.join(", ")),
                };
                let title = format!(
                    "`{}` asks for an input that the model does not have",
                    asked.title()
                );
                let label = format!("there is no input `{name}` in this model");
                let error = Diagnostic::error(E0597, title, system.whole(), label);
                errors.push(error.help(help));
            }
        }
    }
    if errors.is_empty() && found.len() == asked.places.len() {
        Ok(found)
    } else if errors.is_empty() {
        let title = format!("`{}` names an input twice", asked.title());
        let error = Diagnostic::error(E0597, title, system.whole(), "of this model");
        Err(vec![error.help("name each input once")])
    } else {
        Err(errors)
    }
}

/// The forces on the speeds per unit of each input.
fn matrix(w: &mut Writer<'_>, asked: &Asked, inputs: &[Var]) -> Result<Matrix, Vec<Diagnostic>> {
    let (loads, nonideal, _) = w.c.forces(Space::SpeedRates)?;
    let mut rows = Matrix::new();
    for (load, nonideal) in loads.iter().zip(&nonideal) {
        let force = w.c.in_speeds(&(load + nonideal));
        let mut row = Vec::with_capacity(inputs.len());
        for v in inputs {
            let e = w.c.alg.partial(&force, *v);
            row.push(w.c.alg.define("actuator", e));
        }
        rows.push(row);
    }
    let again = |w: &mut Writer<'_>, e: &Expr| {
        inputs.iter().any(|v| {
            let second = w.c.alg.partial(e, *v);
            !w.c.alg.is_zero(&second)
        })
    };
    for row in &rows {
        for (e, name) in row.iter().zip(&asked.places) {
            if again(w, e) {
                let title = format!("`{}` does not exist", asked.title());
                let label = format!("loads are not linear in `{name}` and the others");
                let error = Diagnostic::error(E0598, title, w.c.system.whole(), label);
                return Err(vec![error.help(
                    "declare an input for the force itself, and find its argument from that",
                )]);
            }
        }
    }
    Ok(rows)
}

/// Whether the inputs and the constraints act against every motion.
fn reaches(w: &mut Writer<'_>, asked: &Asked, matrix: &Matrix) -> Result<(), Vec<Diagnostic>> {
    let names = w.c.speeds.motion.names(&w.c.alg);
    let mut columns = elim::transposed(matrix);
    if w.c.has_rows(Space::SpeedRates) {
        columns.extend(solution::rows(&mut w.c, Space::SpeedRates).0);
    }
    let order: Vec<usize> = (0..names.len()).collect();
    let found = elim::echelon(&w.c.alg, &columns, &order);
    let directions = found.null_space();
    let Some(free) = directions.first() else {
        return Ok(());
    };
    let moving = names.iter().zip(free);
    let moving: Vec<String> = moving
        .filter(|(_, x)| **x != Extended::ZERO)
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    let title = format!(
        "`{}` does not exist: these inputs cannot do it",
        asked.title()
    );
    let label = match moving.as_slice() {
        [one] => format!("they do no work on a motion of {one} alone"),
        several => format!(
            "they do no work on a motion in which {} change together",
            several.join(", ")
        ),
    };
    let missing = names.len() - found.rank();
    let error = Diagnostic::error(E0598, title, w.c.system.whole(), label);
    Err(vec![
        error
            .note(format!(
                "of {} freedoms in these speeds {missing} cannot be driven",
                names.len()
            ))
            .help("name further inputs, or ask for `inverse_dynamics` or `minimum_norm_forces`"),
    ])
}
