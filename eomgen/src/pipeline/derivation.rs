//! The derivation: expression form and components chosen by size and count. It runs on a deep stack of its own and comes to the algebra engine
//! in short [sessions](Sessions), for as long as expressions are at work.

use super::DEFAULT_METHOD;
use super::held::held;
use super::module::module;
use super::motion::start;
use super::{CheckReport, DeriveOptions, Derived, Failure, Fix, Form, Scalar, Source, read_fixed};
use crate::bug::Bug;
use crate::catalogue;
use crate::catalogue::asked::{self, Asked, Misread};
use crate::diag::{Diagnostic, suggest};
use crate::emit;
use crate::form;
use crate::host::{with_session, with_stack};
use crate::mech::choice::Choice;
use crate::mech::kinematics::Components;
use crate::model::System;
use crate::program::{Assembled, Engine, ExpressionForm, Probe, Settings, Stop, assemble, context};
use crate::span::Span;
use crate::stage::{self, Stage};
use crate::survey::{Page, survey};
use crate::verify::text;

/// The function that says how close conditions are to failure.
const CLOSENESS: &str = "closeness";

/// The expanded form is tried by `auto` up to this many coordinates and moving frames and points.
const CLOSED_COORDINATES: usize = 12;
const CLOSED_PARTS: usize = 14;
/// And kept if the mass matrix and forcing have at most this many symbols and numbers together.
const CLOSED_SIZE: usize = 700;
/// Terms that simplification may handle before `auto` gives the closed form up.
const CLOSED_WORK: usize = 600_000;

/// The same of a closed form that was asked for: what is longer nobody reads, and derivatives of it take minutes.
const LONGEST_CLOSED_SIZE: usize = 10_000;
const LONGEST_CLOSED_WORK: usize = 2_000_000;

/// Derives the equations of motion and writes them as a Rust module. `source_name` is the path
/// that messages show; only its last part enters the module.
pub fn derive(source_name: &str, text: &str, options: &DeriveOptions) -> Result<Derived, Failure> {
    derive_source(&Source::new(source_name, text), options)
}

/// [`derive()`] for a model with parts.
pub fn derive_source(source: &Source, options: &DeriveOptions) -> Result<Derived, Failure> {
    derived(source, options, false).map(|(derived, _)| derived)
}

/// How close a state is to each condition that a model's functions check, as a module of its own.
pub(super) struct Measured {
    /// The module's text; its only function is `closeness`.
    pub code: String,
    /// The conditions that its entries belong to.
    pub conditions: Vec<String>,
}

/// [`derive_source`], with the measures of all conditions, if there are any.
pub(super) fn derive_measured(
    source: &Source,
    options: &DeriveOptions,
) -> Result<(Derived, Option<Measured>), Failure> {
    derived(source, options, true)
}

fn derived(
    source: &Source,
    options: &DeriveOptions,
    measure: bool,
) -> Result<(Derived, Option<Measured>), Failure> {
    stage::at(Stage::Reading);
    let (system, mut warnings) = read_fixed(source, &options.set, &options.fix)?;
    let (text, copies) = (source.whole_text(), &system.copies);
    let result = with_stack(|| -> Result<_, Failure> {
        let assembled = assembled(&system, options)?;
        let written = |assembled| module(&source.name, &text, &system, options, assembled);
        let closeness = assembled.outputs.iter().find(|o| o.name == CLOSENESS);
        let measured = closeness.filter(|_| measure).map(|closeness| {
            let conditions = closeness.labels.clone();
            let alone = assembled.clone().keep(|name| name == CLOSENESS);
            (written(alone), conditions)
        });
        let assembled = held(assembled, options)?;
        let notes = assembled.notes.clone();
        Ok((written(assembled), measured, notes))
    })?;
    let failed = |f: Failure| f.explained(copies).after(warnings.clone());
    let (module, measured, notes) = result.map_err(failed)?;
    // On the caller's thread: within a procedural macro only that one may handle tokens.
    let write = |module: &emit::Module| {
        let written = emit::written(module);
        written.map_err(|e| Failure::Message(format!("cannot write the module: {e}")))
    };
    stage::at(Stage::Writing);
    let written = write(&module)?;
    stage::at(Stage::ReadingBack);
    read_back(&written).map_err(|bug| failed(Failure::Diagnostics(vec![bug.into()])))?;
    let measured = match measured {
        None => None,
        Some((module, conditions)) => Some(Measured {
            code: write(&module)?.text,
            conditions,
        }),
    };
    warnings.extend(copies.explain(notes));
    let derived = Derived {
        code: written.text,
        warnings,
        longest: written.longest,
    };
    Ok((derived, measured))
}

/// Nothing is handed out that rustc would refuse.
fn read_back(written: &emit::Written) -> Result<(), Bug> {
    let read = text::check(&written.text, &written.file);
    read.map_err(|unreadable| {
        Bug::new(format!(
            "the module that was written is not sound: {unreadable}"
        ))
    })
}

/// Checks the model and describes it.
pub fn check(source_name: &str, text: &str) -> Result<CheckReport, Failure> {
    check_source(&Source::new(source_name, text), &[], &Fix::default())
}

/// [`check`] for a model with parts, and with constants and parameters chosen from outside.
pub fn check_source(
    source: &Source,
    set: &[(String, i64)],
    fix: &Fix,
) -> Result<CheckReport, Failure> {
    stage::at(Stage::Reading);
    let (system, mut warnings) = read_fixed(source, set, fix)?;
    stage::at(Stage::Surveying);
    let copies = &system.copies;
    let result = with_session(|| page_and_probe(&system, &source.text))?;
    let failed = |f: Failure| f.explained(copies).after(warnings.clone());
    let (page, notes, probe) = result.map_err(failed)?;
    warnings.extend(copies.explain(notes));
    Ok(CheckReport {
        page,
        start: start(&system, &probe),
        warnings,
    })
}

/// The context alone: everything `check` needs, without forming equations.
pub(super) fn first_page(
    system: &System,
    source: &str,
) -> Result<(Page, Vec<Diagnostic>), Failure> {
    page_and_probe(system, source).map(|(page, notes, _)| (page, notes))
}

/// The same, with what checks a state.
fn page_and_probe(
    system: &System,
    source: &str,
) -> Result<(Page, Vec<Diagnostic>, Probe), Failure> {
    let written = |span: Span| {
        let text = source.get(span.start as usize..span.end as usize);
        // What stands in a loop or a part is written in other names than those of the whole.
        let first = text.filter(|_| span.file == 0 && span.copy == 0)?;
        Some(first.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    let form = if small(system) {
        ExpressionForm::Expanded
    } else {
        ExpressionForm::Sequenced
    };
    let context = |form| context(system, form).map_err(Failure::Diagnostics);
    let mut c = context(form)?;
    let (page, notes) = match form {
        ExpressionForm::Expanded => survey(
            &mut c,
            Some(&mut context(ExpressionForm::Sequenced)?),
            &written,
        ),
        ExpressionForm::Sequenced => survey(&mut c, None, &written),
    };
    let probe = Probe::build(&mut c);
    c.alg.check()?;
    probe.graph.check()?;
    let mut all = c.notes.clone();
    all.extend(notes);
    Ok((page, all, probe))
}

/// Whether expressions of a closed form are likely to stay short.
pub(super) fn small(system: &System) -> bool {
    system.coords.len() <= CLOSED_COORDINATES
        && system.frames.len() + system.points.len() <= CLOSED_PARTS
}

/// Whether speeds were not inverted, or forces not separated, for which the budget of the closed form may be the cause.
fn is_unsolved(failure: &Failure) -> bool {
    let by_budget = |d: &Diagnostic| matches!(d.code, "E0308" | "E0546");
    matches!(failure, Failure::Diagnostics(list) if list.iter().any(by_budget))
}

/// What to say of a name that is none of an output.
fn unknown_output(name: &str) -> String {
    let known = catalogue::all();
    let near = suggest::closest(name, known.map(|o| o.name));
    // Before quantities could be asked for, `--output` was the file.
    let file = name.contains(['.', '/', '\\']) || name == "-";
    match (file, near) {
        (true, _) => {
            format!("unknown output '{name}'; to write to a file use `-o {name}` or `--out {name}`")
        }
        (false, Some(near)) => format!("unknown output '{name}'; did you mean '{near}'?"),
        (false, None) => format!(
            "unknown output '{name}'; `eomgen methods` lists the outputs, and `-o FILE` writes to a file"
        ),
    }
}

/// The quantities asked for, in the order of the catalogue and of what they are of, if the formulation has them.
fn outputs(method: &str, wanted: &[String]) -> Result<Vec<Asked>, Failure> {
    let mut problems = Vec::new();
    let mut found: Vec<Asked> = Vec::new();
    for word in wanted {
        if word == catalogue::ALL_STANDARD {
            continue;
        }
        let asked = match Asked::read(word) {
            Ok(asked) => asked,
            Err(Misread::Unknown(name)) => {
                problems.push(unknown_output(&name));
                continue;
            }
            Err(Misread::Place(quantity)) => {
                problems.push(asked::usage(quantity));
                continue;
            }
        };
        let name = asked.quantity.name;
        let methods = catalogue::methods_with(name);
        if !methods.contains(&method) {
            problems.push(format!(
                "the output '{name}' belongs to {}, not to {method}",
                methods.join(", ")
            ));
        }
        let output = asked.output();
        match found.iter().find(|o| o.output() == output) {
            Some(other) if other.places != asked.places => problems.push(format!(
                "`{}` and `{}` would both be the function `{output}`: derive them one at a time, or rename one of the frames and points",
                other.title(),
                asked.title()
            )),
            Some(_) => {}
            None => found.push(asked),
        }
    }
    if !problems.is_empty() {
        return Err(Failure::Message(problems.join("\n")));
    }
    found.sort_by(|a, b| a.places.cmp(&b.places));
    found.dedup();
    let of = |q: &'static catalogue::Quantity| {
        let own = found
            .iter()
            .filter(move |asked| catalogue::derived_for(asked.quantity.name) == q.name);
        own.cloned().collect::<Vec<_>>()
    };
    Ok(catalogue::to_ask_for().flat_map(of).collect())
}

/// The names of a list that are wanted, in its order.
fn listed(
    list: impl Iterator<Item = &'static catalogue::Quantity>,
    wanted: &[String],
) -> Vec<&'static str> {
    list.map(|o| o.name)
        .filter(|name| wanted.iter().any(|w| w == name))
        .collect()
}

/// The formulation of that name.
pub(super) fn method(name: &str) -> Result<&'static dyn form::Formulation, Failure> {
    form::find(name).ok_or_else(|| {
        let known: Vec<&str> = form::ALL.iter().map(|f| f.name()).collect();
        Failure::Message(format!(
            "unknown method '{name}'; the methods are {}",
            known.join(", ")
        ))
    })
}

/// Derives and assembles in the expression form asked for, or in the better one, and improves the instructions. Call on a deep stack, outside of sessions.
pub(super) fn assembled(system: &System, options: &DeriveOptions) -> Result<Assembled, Failure> {
    let assembled = assembled_with(system, options, Extra::Nothing)?;
    stage::at(Stage::Improving);
    let improved = assembled.improved();
    improved.graph.check()?;
    Ok(improved)
}

/// Each visit to the algebra engine is a session of its own, so that others get their turn.
struct Sessions;

impl Engine for Sessions {
    fn visit(&self, work: &mut (dyn FnMut() + Send)) -> Result<(), String> {
        with_session(work).map_err(|error| error.to_string())
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Model(list) => Self::Diagnostics(list),
            Stop::Engine(message) => Self::Message(message),
        }
    }
}

/// What is written down beside the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extra {
    /// Nothing.
    Nothing,
    /// An explanation of the representative particle.
    Geometry,
    /// What is shown of the derivation.
    Exposition,
}

/// [`assembled`], with something beside it.
pub(super) fn assembled_with(
    system: &System,
    options: &DeriveOptions,
    extra: Extra,
) -> Result<Assembled, Failure> {
    let name = options.method.as_deref().unwrap_or(DEFAULT_METHOD);
    let method = method(name)?;
    let choice = Choice {
        dependent: options.dependent.clone(),
        chart: method.takes_chart(),
    };
    let outputs = outputs(name, &options.outputs)?;
    let standard = listed(catalogue::STANDARD.iter(), &options.outputs);
    let settings = Settings {
        formulation: method,
        variant: options.variant,
        plan: options.plan,
        prefer: options.criterion(),
        // Of many states each would go its own way, and which way one goes that is no plain number is not known.
        presumes: !options.batch && options.scalar != Scalar::Generic,
        only: None,
        only_presuming: None,
        choice: &choice,
        outputs: &outputs,
        standard: &standard,
        jacobians: &options.jacobians,
        geometry: extra == Extra::Geometry,
        exposition: extra == Extra::Exposition,
    };
    let run = |form, components, work| {
        assemble(&Sessions, system, &settings, form, components, work).map_err(Failure::from)
    };
    let sequenced = || -> Result<Assembled, Failure> {
        let local = run(ExpressionForm::Sequenced, Components::Local, None)?;
        let local = match local {
            // Components are a choice within the plan where the balances are all that there is.
            Some(found) if !found.stated => return Ok(found),
            other => other,
        };
        // What was found best of the many plans is the best with other components, too.
        let again = Settings {
            only: local.as_ref().and_then(Assembled::plan),
            presumes: local.as_ref().is_some_and(|found| found.presumed.is_some()),
            only_presuming: local.as_ref().and_then(Assembled::presuming_plan),
            ..settings
        };
        let (form, components) = (ExpressionForm::Sequenced, Components::Inertial);
        let inertial = assemble(&Sessions, system, &again, form, components, None)?;
        let criterion = options.criterion();
        let better = match (local, inertial) {
            (Some(l), Some(i)) => Some(if i.price(criterion).beats(l.price(criterion)) {
                i
            } else {
                l
            }),
            (l, i) => l.or(i),
        };
        better.ok_or_else(|| {
            Failure::Message("internal error: an unlimited derivation gave up".into())
        })
    };
    let expanded = |work| match run(ExpressionForm::Expanded, Components::Local, work) {
        Err(failure) if is_unsolved(&failure) => Ok(None),
        result => result,
    };
    let staged = |reason: &str| -> Result<Assembled, Failure> {
        let mut staged = sequenced()?;
        let remarks = &mut staged.documentation.remarks;
        remarks.push(format!("Staged: {reason}."));
        Ok(staged)
    };
    match options.form {
        Form::Closed => match expanded(Some(LONGEST_CLOSED_WORK))? {
            Some(first) if first.multiplied_out => staged(
                "a closed form, as asked for, multiplies powers of roots out, and rounding leaves nothing of them near their zeros",
            ),
            Some(first) if first.closed_size <= LONGEST_CLOSED_SIZE => Ok(first),
            _ => staged("a closed form, as asked for, is too long"),
        },
        Form::Staged => sequenced(),
        Form::Auto if small(system) => match expanded(Some(CLOSED_WORK))? {
            Some(first) if first.closed_size <= CLOSED_SIZE && !first.multiplied_out => Ok(first),
            _ => sequenced(),
        },
        Form::Auto => sequenced(),
    }
}
