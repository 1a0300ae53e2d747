//! `eomgen simulate`

use std::path::{Path, PathBuf};

use super::args::{GivenArgs, HowArgs, SimulateArgs, SolverName};
use super::console::{Problem, print, say};
use super::derive::same_file;
use super::job::{Job, Work, source};
use super::motion::{complaints, event, unassembled, with_params_of};
use super::output::may_replace;
use super::worker;
use crate::host::{read_text, write_atomic};
use crate::machine::{Machine, Mechanism};
use crate::picture::{self, Curve, Plot};
use crate::pipeline::MotionRequest;
use crate::simulate::{
    self, Chosen, GivenState, Kind, Record, Run, Settings, Solver, Stabilize, chosen, replay, text,
};

/// What a file holds, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Csv,
    Json,
    Svg,
    Animation,
    Html,
}

impl Format {
    fn of(path: &Path) -> Result<Self, Problem> {
        let extension = path.extension().and_then(|e| e.to_str());
        match extension {
            _ if path == Path::new("-") => Ok(Self::Csv),
            Some("csv") => Ok(Self::Csv),
            Some("json") => Ok(Self::Json),
            Some("svg") => Ok(Self::Svg),
            Some("html") => Ok(Self::Html),
            _ => Err(Problem::Usage(format!(
                "the name of the output file must end with .csv, .json, .svg or .html, not {}",
                path.display()
            ))),
        }
    }
}

/// Derives, integrates, writes, and reports.
pub(super) fn run(args: &SimulateArgs) -> Result<(), Problem> {
    let outputs = outputs(args)?;
    let settings = settings(&args.how)?;
    let sweep = args.sweep.as_deref().map(sweep).transpose()?;
    let mut state = args.given.state()?;
    let request = request(args, &state, &outputs)?;
    let machine = args.given.machine(request)?;
    let mut runs = Vec::new();
    let values = sweep.as_ref().map_or(vec![None], |(_, values)| {
        values.iter().copied().map(Some).collect()
    });
    for value in values {
        if let (Some(value), Some((name, _))) = (value, &sweep) {
            state.swept = vec![(name.clone(), value)];
        }
        let chosen = chosen(&machine, &state).map_err(complaints)?;
        let one = match &args.replay {
            Some(path) => replayed(&machine, &state, path)?,
            None => one(args, &machine, &chosen, &settings)?,
        };
        runs.push((value, one));
    }
    let plots = plots(args.how.plot.as_deref());
    let name = sweep.as_ref().map(|(name, _)| name.as_str());
    let html = outputs.iter().any(|(_, format)| *format == Format::Html);
    let equations = if html { shown(args) } else { None };
    for (path, format) in &outputs {
        let text = written(&machine, *format, name, &runs, &plots, equations.as_deref())?;
        match path.as_path() == Path::new("-") {
            true => print(&text)?,
            false => write_atomic(path, text.as_bytes())?,
        }
    }
    verdict(args, &runs)
}

/// The equations as a page of their own; a motion is shown without them if they cannot be had.
fn shown(args: &SimulateArgs) -> Option<String> {
    let job = Job {
        model: source(&args.given.model, &args.given.include).ok()?,
        colour: false,
        work: Work::Show {
            options: args.given.options.options().ok()?,
            all: false,
            format: crate::show::Format::Html,
        },
    };
    let reply = worker::run(&job).ok()?;
    reply.ok.then_some(reply.output)
}

/// The files to write, and how.
fn outputs(args: &SimulateArgs) -> Result<Vec<(PathBuf, Format)>, Problem> {
    let standard = [PathBuf::from("-")];
    let list = if args.out.is_empty() {
        &standard[..]
    } else {
        &args.out
    };
    let mut outputs = Vec::new();
    for path in list {
        if same_file(path, &args.given.model) {
            let message = "the output file is the model itself";
            return Err(Problem::Usage(message.to_string()));
        }
        let format = match Format::of(path)? {
            Format::Svg if args.animate => Format::Animation,
            other => other,
        };
        outputs.push((path.clone(), format));
        if path != Path::new("-") {
            may_replace(path, args.force)?;
        }
    }
    Ok(outputs)
}

/// The settings of the integrator.
pub(super) fn settings(args: &HowArgs) -> Result<Settings, Problem> {
    Ok(Settings {
        duration: args.duration,
        step: args.step.unwrap_or(args.duration / 1000.0),
        rtol: args.rtol,
        atol: args.atol,
        solver: match args.solver {
            SolverName::Auto => Solver::Auto,
            SolverName::Explicit => Solver::Explicit,
            SolverName::Implicit => Solver::Implicit,
        },
        stabilize: stabilize(&args.stabilize)?,
        most_steps: args.max_steps,
    })
}

fn stabilize(text: &str) -> Result<Stabilize, Problem> {
    match text.trim() {
        "projection" => return Ok(Stabilize::Projection),
        "none" => return Ok(Stabilize::None),
        _ => {}
    }
    let inner = text
        .trim()
        .strip_prefix("baumgarte(")
        .and_then(|t| t.strip_suffix(')'));
    let numbers = inner.and_then(|t| t.split_once(','));
    let number = |t: &str| {
        t.trim()
            .parse::<f64>()
            .ok()
            .filter(|x| *x >= 0.0 && x.is_finite())
    };
    match numbers.and_then(|(a, b)| Some((number(a)?, number(b)?))) {
        Some((a, b)) => Ok(Stabilize::Baumgarte(a, b)),
        None => Err(Problem::Usage(format!(
            "--stabilize takes projection, none or baumgarte(a,b) with two rates in 1/s, not '{text}'"
        ))),
    }
}

/// `l = 1..2 in 11`
fn sweep(text: &str) -> Result<(String, Vec<f64>), Problem> {
    let read = || {
        let (name, range) = text.split_once('=')?;
        let (range, count) = range.split_once(" in ")?;
        let (from, to) = range.split_once("..")?;
        let count: usize = count.trim().parse().ok()?;
        let number = |t: &str| t.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        let (from, to) = (number(from)?, number(to)?);
        let value = |i: usize| match count {
            1 => from,
            _ => from + (to - from) * i as f64 / (count - 1) as f64,
        };
        (count > 0).then(|| (name.trim().to_owned(), (0..count).map(value).collect()))
    };
    read().ok_or_else(|| {
        Problem::Usage(format!(
            "--sweep takes a parameter, a range and a count, as in --sweep 'l = 1..2 in 11', not '{text}'"
        ))
    })
}

/// What is plotted together: expressions, separated by commas outside of parentheses.
fn plots(text: Option<&str>) -> Vec<Vec<String>> {
    let split = |text: &str, at: char| {
        let (mut parts, mut depth) = (vec![String::new()], 0i32);
        for c in text.chars() {
            depth += i32::from(c == '(') - i32::from(c == ')');
            match parts.last_mut() {
                Some(_) if c == at && depth == 0 => parts.push(String::new()),
                Some(last) => last.push(c),
                None => {}
            }
        }
        let parts = parts.into_iter().map(|p| p.trim().to_owned());
        parts.filter(|p| !p.is_empty()).collect::<Vec<String>>()
    };
    let plots = split(text.unwrap_or_default(), ';');
    plots.iter().map(|plot| split(plot, ',')).collect()
}

/// Columns that every motion has, by names that are no expressions of the model.
const COLUMNS: [&str; 4] = [
    "kinetic_energy",
    "potential_energy",
    "energy",
    "largest_residual",
];

fn request(
    args: &SimulateArgs,
    state: &GivenState,
    outputs: &[(PathBuf, Format)],
) -> Result<MotionRequest, Problem> {
    let mut request = request_for(&args.given, &args.how, state)?;
    let drawn = [Format::Html, Format::Animation];
    if let Some(path) = &args.feedback {
        super::feedback::add(path, &mut request)?;
    }
    request.scene = outputs.iter().any(|(_, format)| drawn.contains(format));
    Ok(request)
}

/// Whether a text is a name, as events of a model have.
fn is_name(text: &str) -> bool {
    let mut letters = text.trim().chars();
    let begins = letters
        .next()
        .is_some_and(|c| c.is_alphabetic() || c == '_');
    begins && letters.all(|c| c.is_alphanumeric() || c == '_')
}

/// What is given and followed, without a drawing.
pub(super) fn request_for(
    given: &GivenArgs,
    how: &HowArgs,
    state: &GivenState,
) -> Result<MotionRequest, Problem> {
    let mut request = given.request()?;
    with_params_of(&mut request, state);
    let followed = plots(how.plot.as_deref()).concat().into_iter();
    request.watch = followed
        .filter(|e| !COLUMNS.contains(&e.as_str()))
        .collect();
    request.watch.dedup();
    for (list, ends) in [(&how.until, true), (&how.event, false)] {
        for text in list {
            if ends && is_name(text) {
                request.ending.push(text.trim().to_owned());
                continue;
            }
            request.events.push(event(text, ends)?);
        }
    }
    request.audit = true;
    Ok(request)
}

fn one(
    args: &SimulateArgs,
    machine: &Machine,
    chosen: &Chosen,
    settings: &Settings,
) -> Result<Run, Problem> {
    let mut progress = super::progress::Progress::new(!args.quiet);
    let result = simulate::run(machine, chosen, settings, &mut |part| progress.at(part));
    progress.end();
    let run = result.map_err(|e| unassembled(machine, &e))?;
    if let Some((row, residual)) = &run.start.off {
        let before = machine
            .coords
            .iter()
            .zip(&chosen.guess.q)
            .zip(&run.start.start.q);
        let speeds = machine
            .speeds
            .iter()
            .zip(&chosen.guess.speeds)
            .zip(&run.start.start.speeds);
        let changed = before
            .chain(speeds)
            .filter(|((_, a), b)| (**a - **b).abs() > 1e-9 * (1.0 + b.abs()));
        let changed: Vec<String> = changed
            .map(|((n, a), b)| format!("{}: {a:.6} becomes {b:.6}", n.name))
            .collect();
        say(&format!(
            "note: the start violates `{row}` by {residual:.3e}; {}\n",
            changed.join(", ")
        ));
    }
    for remark in &run.start.remarks {
        say(&format!("warning: {remark}\n"));
    }
    Ok(run)
}

fn replayed(machine: &Machine, state: &GivenState, path: &Path) -> Result<Run, Problem> {
    let file = read_text(path)?;
    let read = text::read(machine, &file.text);
    let read = read.map_err(|e| Problem::Failed(format!("{}: {e}", file.name)))?;
    let mut state = state.clone();
    state.params.extend(read.params.iter().cloned());
    let chosen = chosen(machine, &state).map_err(complaints)?;
    Ok(Run {
        start: Default::default(),
        record: replay(machine, chosen.params.clone(), &read),
        params: chosen.params,
        audit: Default::default(),
        ended_by: None,
        failure: None,
    })
}

fn written(
    machine: &Machine,
    format: Format,
    swept: Option<&str>,
    runs: &[(Option<f64>, Run)],
    plots: &[Vec<String>],
    equations: Option<&str>,
) -> Result<String, Problem> {
    let Some((_, first)) = runs.first() else {
        return Ok(String::new());
    };
    if format == Format::Csv {
        let names: Vec<String> = swept.iter().map(|s| (*s).to_owned()).collect();
        let mut out = text::csv_header(&first.record, &names);
        for (value, run) in runs {
            let before: Vec<f64> = value.iter().copied().collect();
            text::csv_rows(&run.record, &before, &mut out);
        }
        return Ok(out);
    }
    if format == Format::Json {
        return Ok(match runs {
            [(_, one)] => text::json(machine, one),
            many => {
                let texts: Vec<String> = many.iter().map(|(_, r)| text::json(machine, r)).collect();
                format!("[\n{}]\n", texts.join(",\n"))
            }
        });
    }
    let groups = groups(&first.record, plots);
    if format == Format::Svg {
        let list: Vec<Plot> = groups.iter().map(|group| curves(runs, group)).collect();
        return crate::picture::plots(&machine.name, &list).map_err(Problem::Failed);
    }
    if format == Format::Animation {
        let (inertias, sizes) = drawn_numbers(machine, first);
        return Ok(picture::animation(&picture::Animation {
            machine,
            record: &first.record,
            inertias: &inertias,
            sizes: &sizes,
        }));
    }
    Ok(page(machine, first, plots, equations, None))
}

/// Masses and inertias, and sizes of what is drawn, at the start.
fn drawn_numbers(machine: &Machine, run: &Run) -> (Vec<f64>, Vec<f64>) {
    let mut mechanism = Mechanism::new(machine, run.params.clone());
    let start = run.record.rows.first().cloned().unwrap_or_default();
    let x = start.get(1..=machine.states()).unwrap_or_default();
    let time = start.first().copied().unwrap_or(0.0);
    let scene = &machine.scene;
    let inertias = mechanism.numbers(&scene.inertias, time, x, &[]);
    (inertias, mechanism.numbers(&scene.sizes, time, x, &[]))
}

/// A motion as a page that a server shows, by what is to be plotted.
pub(super) fn html(machine: &Machine, run: &Run, plot: Option<&str>, version: u64) -> String {
    page(machine, run, &plots(plot), None, Some(version))
}

fn page(
    machine: &Machine,
    run: &Run,
    plots: &[Vec<String>],
    equations: Option<&str>,
    version: Option<u64>,
) -> String {
    let (inertias, sizes) = drawn_numbers(machine, run);
    let groups = if plots.is_empty() {
        Vec::new()
    } else {
        groups(&run.record, plots)
    };
    picture::page(&picture::Page {
        machine,
        record: &run.record,
        params: &run.params,
        inertias: &inertias,
        sizes: &sizes,
        audit: &text::report(&run.audit),
        equations,
        plots: &groups,
        version,
    })
}

/// The columns of each plot; coordinates, speeds and energies if nothing is asked for.
fn groups(record: &Record, plots: &[Vec<String>]) -> Vec<Vec<usize>> {
    if plots.is_empty() {
        let kinds = [Kind::Coordinate, Kind::Speed, Kind::Energy];
        let of = |kind: &Kind| -> Vec<usize> {
            let columns = record.columns.iter().enumerate();
            columns
                .filter(|(_, c)| c.kind == *kind)
                .map(|(i, _)| i)
                .collect()
        };
        return kinds
            .iter()
            .map(of)
            .filter(|list| !list.is_empty())
            .collect();
    }
    let found = plots.iter().map(|plot| {
        let columns = plot.iter().filter_map(|name| record.column(name));
        columns.collect::<Vec<_>>()
    });
    found.filter(|list| !list.is_empty()).collect()
}

/// The curves of a plot, of all runs.
fn curves(runs: &[(Option<f64>, Run)], group: &[usize]) -> Plot {
    let mut curves = Vec::new();
    for (value, run) in runs {
        for at in group {
            let column = &run.record.columns[*at];
            let name = match value {
                Some(value) => format!("{} at {value}", column.name),
                None => column.name.clone(),
            };
            curves.push(Curve {
                name,
                unit: column.unit.clone(),
                points: run
                    .record
                    .rows
                    .iter()
                    .map(|row| (row[0], row[*at]))
                    .collect(),
            });
        }
    }
    Plot { curves }
}

/// The audits on standard error, and the exit code.
fn verdict(args: &SimulateArgs, runs: &[(Option<f64>, Run)]) -> Result<(), Problem> {
    let mut bad = false;
    for (value, run) in runs {
        if !args.quiet && args.replay.is_none() {
            let label = value.map_or(String::new(), |v| format!("-- {v}\n"));
            say(&format!("{label}{}", text::report(&run.audit)));
            if let Some(event) = &run.ended_by {
                let end = run.record.rows.last().map_or(0.0, |row| row[0]);
                say(&format!("ended            at t = {end:.9}, when {event}\n"));
            }
        }
        if let Some(fault) = &run.failure {
            let message = format!("the motion ends at t = {:.6}: {}", fault.time, fault.what);
            say(&super::console::error_text(
                &message,
                super::console::colour(),
            ));
            bad = true;
        }
        if run.audit.balance.as_ref().is_some_and(|b| !b.holds) {
            let message = "energy and work differ by more than tolerances explain; try smaller --rtol and --atol";
            say(&super::console::error_text(
                message,
                super::console::colour(),
            ));
            bad = true;
        }
    }
    if bad { Err(Problem::Said) } else { Ok(()) }
}
