//! `eomgen linearize`

use std::path::Path;

use nalgebra::Complex;
use serde_json::{Value, json};

use super::args::{At, LinearizeArgs, TableFormat};
use super::console::{Problem, print, say};
use super::equilibria::state;
use super::feedback;
use super::motion::{complaints, pair};
use super::operating::{Posed, along, in_symbols, posed, unfound, values};
use super::output::may_replace;
use crate::catalogue::asked::split;
use crate::diag::suggest;
use crate::host::write_atomic;
use crate::linear::text::{complex, markdown, number, numpy, plain, table};
use crate::linear::{Linear, Mode, Refused, linear, modes, regulator, response};
use crate::machine::Machine;
use crate::operating::{Conditions, Point, Quantity, family, search};
use crate::picture::{Axes, Dots, chart, sheet};
use crate::pipeline::{OperatingReport, OperatingRequest, Said};

/// Linearizes and prints.
pub(super) fn run(args: &LinearizeArgs) -> Result<(), Problem> {
    for path in [&args.out, &args.gain].into_iter().flatten() {
        may_replace(path, args.force)?;
    }
    let drawn = [&args.eigenvalues_along, &args.root_locus, &args.bode];
    if args.out.is_some() && drawn.iter().all(|o| o.is_none()) {
        return Err(Problem::Usage(
            "-o draws what --eigenvalues-along, --root-locus or --bode compute; --format says how the model is printed".to_owned(),
        ));
    }
    let outputs = outputs(args)?;
    let posed = posed(&args.given, &args.point, &args.at, outputs.clone())?;
    let inputs = inputs(&posed, &args.inputs)?;
    let task = Task {
        args,
        posed: &posed,
        inputs: &inputs,
        outputs: &outputs,
    };
    if let Some(text) = args.root_locus.as_ref().or(args.eigenvalues_along.as_ref()) {
        return task.follow(text);
    }
    let point = task.point()?;
    let model = task.linear(&point)?;
    for (k, name) in model.inputs.iter().enumerate() {
        if model.b.column(k).iter().all(|x| *x == 0.0) {
            say(&format!(
                "warning: the input \"{name}\" acts on nothing at this point\n"
            ));
        }
    }
    if let Some(pair) = &args.bode {
        return task.bode(&model, pair);
    }
    if args.lqr {
        return task.regulate(&model);
    }
    let found = modes(&model).map_err(refused)?;
    let derivatives = task.derivatives(&point, &found)?;
    let symbols = match args.symbolic {
        true => Some(task.in_symbols(&point)?),
        false => None,
    };
    let mut said = match args.format {
        TableFormat::Text => [plain(&model, &found), in_words(&found, &derivatives)].concat(),
        TableFormat::Json => {
            return print(&task.json((&point, symbols.as_ref()), &model, &found, &derivatives));
        }
        TableFormat::Markdown => markdown(&posed.machine.name, &model, &found),
        TableFormat::Numpy => numpy(&posed.machine.name, &model),
    };
    if let Some(symbols) = symbols.filter(|_| args.format != TableFormat::Numpy) {
        said.push('\n');
        said.push_str(&task.symbols(&symbols));
    }
    print(&said)
}

/// What is linearized, and how.
struct Task<'a> {
    args: &'a LinearizeArgs,
    posed: &'a Posed,
    inputs: &'a [usize],
    outputs: &'a [String],
}

/// A parameter, and the derivatives of all eigenvalues by it.
type Derivatives = Vec<(String, Vec<Option<Complex<f64>>>)>;

fn refused(refused: Refused) -> Problem {
    Problem::Failed(refused.0)
}

/// The expressions of `--outputs`, and the output of `--bode`.
fn outputs(args: &LinearizeArgs) -> Result<Vec<String>, Problem> {
    let list = split(args.outputs.as_deref().unwrap_or_default());
    let mut list: Vec<String> = list.into_iter().map(str::to_owned).collect();
    list.retain(|text| !text.is_empty());
    if let Some(text) = &args.bode {
        let (_, output) = arrow(text)?;
        if !list.contains(&output) {
            list.push(output);
        }
    }
    Ok(list)
}

/// `F -> x`
fn arrow(text: &str) -> Result<(String, String), Problem> {
    let parts = text.split_once("->");
    let parts = parts.map(|(a, b)| (a.trim().to_owned(), b.trim().to_owned()));
    parts
        .filter(|(a, b)| !a.is_empty() && !b.is_empty())
        .ok_or_else(|| {
            Problem::Usage(format!(
                "--bode takes an input and an output, as in --bode 'F -> x', not '{text}'"
            ))
        })
}

fn inputs(posed: &Posed, names: &[String]) -> Result<Vec<usize>, Problem> {
    let machine = &posed.machine;
    let all: Vec<&str> = machine
        .inputs
        .iter()
        .map(|i| i.named.name.as_str())
        .collect();
    if names.is_empty() {
        return Ok((0..all.len())
            .filter(|i| !machine.follows_state(*i))
            .collect());
    }
    let (mut list, mut wrong) = (Vec::new(), Vec::new());
    for name in names.iter().map(|n| n.trim()) {
        match all.iter().position(|n| *n == name) {
            Some(at) if machine.follows_state(at) => wrong.push(format!(
                "--inputs: \"{name}\" follows the state by what --input says of it, so that it is no input of the linear model"
            )),
            Some(at) => list.push(at),
            None => {
                let hint = match suggest::closest(name, all.iter().copied()) {
                    Some(near) => format!("did you mean \"{near}\"?"),
                    None if all.is_empty() => "the model has none".to_owned(),
                    None => format!("the model has {}", all.join(", ")),
                };
                wrong.push(format!("--inputs: there is no input \"{name}\"; {hint}"));
            }
        }
    }
    if wrong.is_empty() {
        Ok(list)
    } else {
        Err(complaints(wrong))
    }
}

impl Task<'_> {
    fn machine(&self) -> &Machine {
        &self.posed.machine
    }

    fn linear(&self, point: &Point) -> Result<Linear, Problem> {
        let time = self.posed.start.time;
        linear(self.machine(), time, point, self.inputs, self.outputs).map_err(refused)
    }

    fn conditions(&self, params: &[f64]) -> Conditions<'_> {
        let (start, asked) = (&self.posed.start, self.posed.asked.clone());
        Conditions::new(self.machine(), params.to_vec(), start, asked)
    }

    /// The operating point.
    fn point(&self) -> Result<Point, Problem> {
        let mut conditions = self.conditions(&self.posed.params);
        let (starts, seed) = (self.args.point.starts, self.args.point.seed);
        let found = search(&mut conditions, starts, seed).map_err(|e| unfound(&e))?;
        let count = found.len();
        let at = self.args.number.checked_sub(1);
        let point = at.and_then(|at| found.into_iter().nth(at)).ok_or_else(|| {
            Problem::Usage(format!(
                "--number {} is none of the {count} points that were found; equilibria lists them",
                self.args.number
            ))
        })?;
        if self.args.at == At::Start {
            let state = self.machine().state_array(&self.posed.start);
            let pairs = point.state.iter().zip(&state);
            let moved = pairs
                .enumerate()
                .find(|(_, (a, b))| (*a - *b).abs() > 1e-6 * a.abs().max(1.0));
            if let Some((i, (there, here))) = moved {
                let name = self.machine().state_names()[i];
                return Err(Problem::Failed(format!(
                    "the start is no operating point: the nearest has {name} = {there:.6}, not {here:.6}; take --at nearest, or hold {name} and free an input"
                )));
            }
        }
        Ok(point)
    }

    /// Derivatives of the eigenvalues by parameters: the matrices by differences along the operating point, between the eigenvectors.
    fn derivatives(&self, point: &Point, found: &[Mode]) -> Result<Derivatives, Problem> {
        let mut list = Vec::new();
        for name in self.args.derivatives.iter().map(|n| n.trim()) {
            let quantity = Quantity::named(self.machine(), name);
            let quantity = quantity.map_err(|e| Problem::Failed(format!("--derivatives: {e}")))?;
            let Quantity::Param(at) = quantity else {
                return Err(Problem::Failed(format!(
                    "--derivatives: \"{name}\" is no parameter"
                )));
            };
            let step = 1e-5 * self.posed.params[at].abs().max(1e-3);
            let beside = |step: f64| {
                let mut params = self.posed.params.clone();
                params[at] += step;
                let mut conditions = self.conditions(&params);
                let found = crate::operating::point(&mut conditions, &point.unknowns);
                self.linear(&found.map_err(|e| unfound(&e))?)
            };
            let (after, before) = (beside(step)?, beside(-step)?);
            let by = (after.a - before.a) / (2.0 * step);
            let rate = |mode: &Mode| -> Option<Complex<f64>> {
                let n = mode.right.len();
                let product: Complex<f64> =
                    (0..n).map(|i| mode.left[i].conj() * mode.right[i]).sum();
                // At a multiple eigenvalue there is none.
                ((product - Complex::new(1.0, 0.0)).norm() < 1e-6).then(|| {
                    let mut sum = Complex::new(0.0, 0.0);
                    for i in 0..n {
                        for j in 0..n {
                            sum += mode.left[i].conj() * mode.right[j] * by[(i, j)];
                        }
                    }
                    sum
                })
            };
            list.push((name.to_owned(), found.iter().map(rate).collect()));
        }
        Ok(list)
    }

    /// The linear model at a point in symbols.
    fn in_symbols(&self, point: &Point) -> Result<OperatingReport, Problem> {
        let machine = self.machine();
        let coords = machine.coords.iter().zip(&point.state);
        let speeds = machine.speeds.iter().zip(&point.speeds);
        let state = coords.chain(speeds).map(|(n, x)| (n.name.clone(), *x));
        let inputs = machine.inputs.iter().zip(&point.inputs);
        let inputs = inputs.map(|(i, x)| (i.named.name.clone(), *x));
        let request = OperatingRequest {
            point: Some(state.chain(inputs).collect()),
            ..OperatingRequest::default()
        };
        in_symbols(&self.args.given, machine, request)
    }

    /// The names of the rows and columns of a linear model in symbols.
    fn named_entries<'s>(&self, symbols: &'s OperatingReport) -> Vec<(String, String, &'s Said)> {
        let machine = self.machine();
        let speeds = machine.independent.iter().map(|i| &machine.speeds[*i]);
        let state: Vec<&str> = machine
            .coords
            .iter()
            .chain(speeds)
            .map(|n| n.name.as_str())
            .collect();
        let columns = machine.inputs.iter().map(|i| i.named.name.as_str());
        let columns: Vec<&str> = state.iter().copied().chain(columns).collect();
        let rate = |row: usize| match row < machine.coords.len() {
            true => format!("{}'", state[row]),
            false if state[row].ends_with('\'') => format!("({})'", state[row]),
            false => format!("{}'", state[row]),
        };
        let entries = symbols.entries.iter();
        entries
            .map(|(row, column, value)| (rate(*row), columns[*column].to_owned(), value))
            .collect()
    }

    /// A linear model in symbols, for the screen.
    fn symbols(&self, symbols: &OperatingReport) -> String {
        if let Some(why) = &symbols.refused {
            return format!("no linear model in symbols: {why}\n");
        }
        let mut rows = vec![
            ["derivative of", "by", "in symbols"]
                .map(str::to_owned)
                .to_vec(),
        ];
        for (row, column, value) in self.named_entries(symbols) {
            if value.text != "1" {
                rows.push(vec![row, column, value.shown.clone()]);
            }
        }
        table(&rows)
    }

    fn json(
        &self,
        (point, symbols): (&Point, Option<&OperatingReport>),
        model: &Linear,
        found: &[Mode],
        by: &Derivatives,
    ) -> String {
        let matrix = |m: &nalgebra::DMatrix<f64>| -> Vec<Vec<f64>> {
            m.row_iter().map(|r| r.iter().copied().collect()).collect()
        };
        let number = |x: Complex<f64>| json!({ "re": x.re, "im": x.im });
        let modes = found.iter().enumerate().map(|(k, mode)| {
            let parts = mode.parts.iter();
            let parts = parts.map(|(i, x)| json!({ "state": model.states[*i], "share": x }));
            let vector: Vec<Value> = mode.right.iter().map(|x| number(*x)).collect();
            let by = by
                .iter()
                .map(|(name, list)| (name.clone(), json!(list[k].map(number))));
            json!({
                "eigenvalue": number(mode.value),
                "damping": mode.damping(),
                "frequency": mode.frequency(),
                "controllable": mode.controllable,
                "observable": mode.observable,
                "participation": parts.collect::<Vec<_>>(),
                "vector": vector,
                "derivatives": by.collect::<serde_json::Map<String, Value>>(),
            })
        });
        let integrals = model.integrals.iter().map(|i| &model.states[*i]);
        let mut all = json!({
            "format": "eomgen-linear-1",
            "model": self.machine().name,
            "point": state(self.machine(), self.posed.start.time, point),
            "states": model.states,
            "inputs": model.inputs,
            "outputs": model.outputs,
            "dependent": model.dependent,
            "integrals": integrals.collect::<Vec<_>>(),
            "at": { "states": model.at.0, "inputs": model.at.1, "outputs": model.at.2 },
            "A": matrix(&model.a),
            "B": matrix(&model.b),
            "C": matrix(&model.c),
            "D": matrix(&model.d),
            "modes": modes.collect::<Vec<_>>(),
        });
        if let Some(symbols) = symbols {
            let entries = self.named_entries(symbols).into_iter();
            let entries = entries.map(|(row, column, value)| {
                json!({ "derivative of": row, "by": column, "value": value.text })
            });
            all["symbols"] = entries.collect();
            all["no_symbols_because"] = json!(symbols.refused);
        }
        format!("{all:#}\n")
    }

    /// Eigenvalues along a quantity.
    fn follow(&self, text: &str) -> Result<(), Problem> {
        let plane = self.args.root_locus.is_some();
        let option = if plane {
            "--root-locus"
        } else {
            "--eigenvalues-along"
        };
        let along = along(self.machine(), text, option)?;
        let name = along.quantity.name(self.machine()).to_owned();
        let Posed {
            params,
            start,
            asked,
            ..
        } = self.posed;
        let found = family(self.machine(), params, start, asked, &along);
        let (members, ended) = found.map_err(|e| unfound(&e))?;
        if let Some(why) = ended {
            say(&format!(
                "warning: the family ends before its time: {why}\n"
            ));
        }
        let mut rows = Vec::new();
        for member in members.iter().filter(|m| !m.fold) {
            let model = self.linear(&member.point)?;
            let mut list = crate::linear::values(&model.a, &model.integrals).map_err(refused)?;
            list.truncate(list.len() - model.integrals.len());
            rows.push((member.value, list));
        }
        let mut list = vec![vec![name.clone(), "eigenvalues [1/s]".to_owned()]];
        for (value, numbers) in &rows {
            let mut row = vec![number(*value)];
            row.extend(numbers.iter().map(|x| complex(*x)));
            list.push(row);
        }
        if let Some(path) = &self.args.out {
            let axes = loci(&name, plane, &rows);
            drawn(path, &self.machine().name, &axes, &list)?;
        }
        if self.args.format == TableFormat::Json {
            let rows = rows.iter().map(|(value, list)| {
                let list = list.iter().map(|x| json!({ "re": x.re, "im": x.im }));
                json!({ "value": value, "eigenvalues": list.collect::<Vec<_>>() })
            });
            let all = json!({
                "format": "eomgen-eigenvalues-1",
                "model": self.machine().name,
                "along": name,
                "rows": rows.collect::<Vec<_>>(),
            });
            return print(&format!("{all:#}\n"));
        }
        print(&table(&list))
    }

    fn bode(&self, model: &Linear, text: &str) -> Result<(), Problem> {
        let (input, output) = arrow(text)?;
        let from = model.inputs.iter().position(|n| *n == input);
        let to = model.outputs.iter().position(|n| *n == output);
        let (Some(from), Some(to)) = (from, to) else {
            let known = match model.inputs.is_empty() {
                true => "none".to_owned(),
                false => model.inputs.join(", "),
            };
            return Err(Problem::Failed(format!(
                "--bode: \"{input}\" is no input of the linear model, which has {known}"
            )));
        };
        let frequencies =
            values(&self.args.frequencies).filter(|list| list.iter().all(|w| *w > 0.0));
        let ends = frequencies.ok_or_else(|| {
            Problem::Usage(format!(
                "--frequencies takes a range of positive numbers and a count, as in '0.1..100 in 201', not '{}'",
                self.args.frequencies
            ))
        })?;
        let list = spaced(ends[0], ends[ends.len() - 1], ends.len());
        let found = response(model, from, to, &list);
        let mut rows = vec![
            ["frequency [rad/s]", "amplification", "dB", "phase [deg]"]
                .map(str::to_owned)
                .to_vec(),
        ];
        let (mut gains, mut phases) = (Vec::new(), Vec::new());
        let mut last: Option<f64> = None;
        for (w, x) in list.iter().zip(found) {
            let Some(x) = x else { continue };
            let (gain, mut phase) = polar(x);
            // Without jumps by whole turns.
            if let Some(before) = last {
                phase -= 360.0 * ((phase - before) / 360.0).round();
            }
            last = Some(phase);
            rows.push(vec![
                number(*w),
                number(x.norm()),
                number(gain),
                number(phase),
            ]);
            gains.push((*w, gain));
            phases.push((*w, phase));
        }
        if let Some(path) = &self.args.out {
            let axes = |y: &str, points: Vec<(f64, f64)>| Axes {
                x: "frequency [rad/s]".to_owned(),
                y: y.to_owned(),
                logarithmic: true,
                dots: vec![Dots {
                    points,
                    joined: true,
                }],
            };
            let title = format!("{}: {input} to {output}", self.machine().name);
            let list = [
                axes("amplification [dB]", gains),
                axes("phase [deg]", phases),
            ];
            drawn(path, &title, &list, &rows)?;
        }
        print(&table(&rows))
    }

    fn regulate(&self, model: &Linear) -> Result<(), Problem> {
        let (mut states, mut weights) = (
            vec![Some(1.0); model.states.len()],
            vec![1.0; model.inputs.len()],
        );
        // What only integrates is regulated where it is given a weight.
        for i in &model.integrals {
            states[*i] = None;
        }
        let mut wrong = Vec::new();
        for text in &self.args.weight {
            let (name, value) = pair(text, "--weight")?;
            let state = model.states.iter().position(|n| *n == name);
            let input = model.inputs.iter().position(|n| *n == name);
            let weight = value.parse::<f64>().ok().filter(|x| x.is_finite());
            match (state, input, weight) {
                (Some(i), _, Some(w)) if w >= 0.0 => states[i] = Some(w),
                (_, Some(i), Some(w)) if w > 0.0 => weights[i] = w,
                (None, None, _) => {
                    let names = model.states.iter().chain(&model.inputs);
                    let names: Vec<&str> = names.map(String::as_str).collect();
                    wrong.push(format!(
                        "--weight {text}: the linear model has no \"{name}\"; it has {}",
                        names.join(", ")
                    ));
                }
                _ => wrong.push(format!(
                    "--weight {text}: the weight of a state is a number from 0 on, that of an input is positive"
                )),
            }
        }
        if model.inputs.is_empty() {
            wrong.push("--lqr: the linear model has no inputs".to_owned());
        }
        if !wrong.is_empty() {
            return Err(complaints(wrong));
        }
        let found = regulator(model, &states, &weights).map_err(refused)?;
        let text = feedback::written(&self.machine().name, model, &found);
        if let Some(path) = &self.args.gain {
            write_atomic(path, text.as_bytes())?;
        }
        if self.args.format == TableFormat::Json {
            return print(&text);
        }
        let mut rows = vec![vec!["K".to_owned()]];
        rows[0].extend(found.states.iter().map(|i| model.states[*i].clone()));
        for (i, input) in model.inputs.iter().enumerate() {
            let mut row = vec![input.clone()];
            row.extend(found.gain.row(i).iter().map(|x| number(*x)));
            rows.push(row);
        }
        let mut closed = vec![vec!["eigenvalues of the closed loop [1/s]".to_owned()]];
        closed.extend(found.closed.iter().map(|x| vec![complex(*x)]));
        print(&format!("{}\n{}", table(&rows), table(&closed)))
    }
}

/// Writes a picture: as a page with its numbers where the file is called so, otherwise by itself.
fn drawn(path: &Path, title: &str, axes: &[Axes], rows: &[Vec<String>]) -> Result<(), Problem> {
    let mut text = chart(title, axes).map_err(Problem::Failed)?;
    if path
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("html"))
    {
        text = sheet(title, &text, rows);
    }
    Ok(write_atomic(path, text.as_bytes())?)
}

/// Eigenvalues in the complex plane, or over a quantity.
fn loci(name: &str, plane: bool, rows: &[(f64, Vec<Complex<f64>>)]) -> Vec<Axes> {
    let all = || {
        rows.iter()
            .flat_map(|(p, list)| list.iter().map(move |x| (*p, *x)))
    };
    let axes = |x: &str, y: &str, points: Vec<(f64, f64)>| Axes {
        x: x.to_owned(),
        y: y.to_owned(),
        logarithmic: false,
        dots: vec![Dots {
            points,
            joined: false,
        }],
    };
    if plane {
        let points = all().map(|(_, x)| (x.re, x.im)).collect();
        return vec![axes("real part [1/s]", "imaginary part [rad/s]", points)];
    }
    let real = all().map(|(p, x)| (p, x.re)).collect();
    let upper = all().filter(|(_, x)| x.im >= 0.0);
    let imaginary = upper.map(|(p, x)| (p, x.im)).collect();
    vec![
        axes(name, "real part [1/s]", real),
        axes(name, "imaginary part [rad/s]", imaginary),
    ]
}

fn in_words(found: &[Mode], derivatives: &Derivatives) -> String {
    let mut out = String::new();
    for (name, list) in derivatives {
        let mut rows = vec![vec![
            "eigenvalue [1/s]".to_owned(),
            format!("derivative by {name}"),
        ]];
        for (mode, by) in found.iter().zip(list) {
            let by = by.map_or("none: it is multiple".to_owned(), complex);
            rows.push(vec![complex(mode.value), by]);
        }
        out.push('\n');
        out.push_str(&table(&rows));
    }
    out
}

#[expect(
    clippy::disallowed_methods,
    reason = "numbers and pictures for people, by the platform's own functions"
)]
fn spaced(from: f64, to: f64, count: usize) -> Vec<f64> {
    let ratio = (to / from).ln();
    let at = |i: usize| from * (ratio * i as f64 / (count - 1) as f64).exp();
    (0..count).map(at).collect()
}

/// Decibels and degrees.
#[expect(
    clippy::disallowed_methods,
    reason = "numbers and pictures for people, by the platform's own functions"
)]
fn polar(x: Complex<f64>) -> (f64, f64) {
    (20.0 * x.norm().log10(), x.im.atan2(x.re).to_degrees())
}
