//! Equations as they are printed, against those of books (`books/`): how many names and numbers they have, and that both hold. And the printed
//! equations of every model hold at its reference states.
#![cfg(feature = "pipeline")]

use eomgen::internals::model::System;
use eomgen::internals::notation::{Line, Math, Names, text};
use eomgen::{EvalInput, EvalOutput, Evaluator, Source, options::DeriveOptions};
use generated_tests::harness::{eval_input, evaluated};
use generated_tests::known;
use generated_tests::memo;
use generated_tests::reference::model_source;
use generated_tests::samples::Random;
use num_rational::BigRational;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Values by how a name is written in a model.
type Values = BTreeMap<String, f64>;

/// Values as a machine's input has them.
type Named = indexmap::IndexMap<String, f64>;

/// The value of a formula, if all names in it have one.
fn value(m: &Math, known: &Values) -> Option<f64> {
    let of = |m: &Math| value(m, known);
    Some(match m {
        Math::Number(digits) => digits.parse().ok()?,
        Math::Symbol(_) | Math::Dotted(..) => *known.get(&text(m))?,
        Math::Negative(a) => -of(a)?,
        Math::Sum(terms) => terms.iter().map(of).sum::<Option<f64>>()?,
        Math::Product(factors) => factors.iter().map(of).product::<Option<f64>>()?,
        Math::Quotient(a, b) => of(a)? / of(b)?,
        Math::Power(a, b) => of(a)?.powf(of(b)?),
        Math::Root(a) => of(a)?.sqrt(),
        Math::Choice(condition, then, other) => match (truth(condition, known)?, then, other) {
            (true, chosen, _) | (false, _, chosen) => of(chosen)?,
        },
        Math::Function(name, arguments) => {
            let list: Vec<f64> = arguments.iter().map(of).collect::<Option<_>>()?;
            match (name.name.as_str(), list.as_slice()) {
                ("sin", [x]) => x.sin(),
                ("cos", [x]) => x.cos(),
                ("tan", [x]) => x.tan(),
                ("exp", [x]) => x.exp(),
                ("abs", [x]) => x.abs(),
                ("tanh", [x]) => x.tanh(),
                _ => return None,
            }
        }
        _ => return None,
    })
}

/// Whether a condition holds.
fn truth(m: &Math, known: &Values) -> Option<bool> {
    let Math::Relation(left, relation, right) = m else {
        return None;
    };
    let (left, right) = (value(left, known)?, value(right, known)?);
    Some(match relation.text() {
        "<" => left < right,
        "<=" => left <= right,
        ">" => left > right,
        ">=" => left >= right,
        "=" => left == right,
        _ => left != right,
    })
}

/// The size of a formula's terms, by which rounding errors are measured.
fn scale(m: &Math, known: &Values) -> Option<f64> {
    match m {
        Math::Sum(terms) => terms.iter().map(|t| scale(t, known)).sum(),
        Math::Negative(a) => scale(a, known),
        Math::Product(factors) => factors.iter().map(|f| scale(f, known)).product(),
        other => value(other, known).map(f64::abs),
    }
}

fn sides(line: &Line) -> Option<(&Math, &Math)> {
    match &line.math {
        Math::Relation(left, _, right) => Some((left, right)),
        _ => None,
    }
}

/// Whether an equation holds, if its names all have values.
fn holds(left: &Math, right: &Math, known: &Values, tolerance: f64) -> Option<bool> {
    let difference = value(left, known)? - value(right, known)?;
    let size = scale(left, known)? + scale(right, known)?;
    Some(difference.abs() <= tolerance * (size + 1e-300))
}

/// What a state and the accelerations there say of the names in equations.
fn values(input: &EvalInput, found: &EvalOutput, evaluator: &Evaluator) -> Values {
    let mut known: Values = input.params.clone().into_iter().collect();
    known.insert("t".into(), input.t);
    known.extend(input.inputs.clone());
    known.extend(input.q.clone());
    for (name, v) in input.qdot.iter().flatten() {
        known.insert(format!("{name}'"), *v);
    }
    for (name, a) in &found.qddot {
        known.insert(format!("{name}''"), *a);
    }
    for (name, a) in &found.speeds_dot {
        known.insert(format!("{name}'"), *a);
    }
    for (name, force) in &found.multipliers {
        known.insert(format!("lambda[{name}]"), *force);
    }
    let defined = evaluator.documentation().speeds.iter().filter_map(sides);
    for (name, definition) in defined {
        if let Some(v) = value(definition, &known) {
            known.insert(text(name), v);
        }
    }
    known
}

/// A model at states drawn at random.
struct Machine {
    evaluator: Arc<Evaluator>,
    system: System,
}

impl Machine {
    fn new(name: &str, text: &str) -> Option<Self> {
        let source = Source::new(name, text);
        let evaluator = memo::evaluator(&source, &DeriveOptions::default()).ok()?;
        let (system, _) = eomgen::internals::input::read(text).ok()?;
        Some(Self { evaluator, system })
    }

    fn draw(&self, random: &mut Random) -> EvalInput {
        let mut draw = |names: Vec<String>| -> Named {
            let values = random.take(names.len()).into_iter();
            names
                .into_iter()
                .zip(values.map(|x| 0.7 + 0.3 * x))
                .collect()
        };
        let coords: Vec<String> = self
            .system
            .coords
            .iter()
            .map(|c| c.meta.name.clone())
            .collect();
        let speeds = self.system.speeds.iter().map(|s| s.meta.name.clone());
        let inputs = self.system.inputs.iter().map(|i| i.meta.name.clone());
        let mut params = draw(
            self.system
                .params
                .iter()
                .map(|p| p.meta.name.clone())
                .collect(),
        );
        for p in &self.system.params {
            if let Some(default) = &p.default {
                params.insert(p.meta.name.clone(), float(default));
            }
        }
        let mut input = EvalInput {
            t: 0.2,
            params,
            q: draw(coords.clone()),
            inputs: draw(inputs.collect()),
            ..EvalInput::default()
        };
        if self.system.constraints.is_empty() || self.system.speeds.is_empty() {
            input.qdot = Some(draw(coords));
        } else {
            // Rates that satisfy the constraints follow from speeds.
            input.speeds = Some(draw(speeds.collect()));
        }
        input
    }

    /// What is known at a state that is not singular and satisfies the constraints.
    fn at(&self, input: &EvalInput) -> Option<Values> {
        let found = evaluated(&self.evaluator, input).ok()?;
        if found.constraint_residuals.iter().any(|r| r.1.abs() > 1e-9) {
            return None;
        }
        let mut known = values(input, &found, &self.evaluator);
        known.extend(input.speeds.clone().into_iter().flatten());
        let defaults = self
            .system
            .params
            .iter()
            .filter_map(|p| Some((p, p.default.as_ref()?)));
        for (p, default) in defaults {
            known
                .entry(p.meta.name.clone())
                .or_insert_with(|| float(default));
        }
        Some(known)
    }

    /// At a state drawn at random.
    fn drawn(&self, random: &mut Random) -> Option<Values> {
        self.at(&self.draw(random))
    }
}

fn float(number: &BigRational) -> f64 {
    let part = |s: String| s.parse::<f64>().unwrap();
    part(number.numer().to_string()) / part(number.denom().to_string())
}

/// Names of all models.
fn models() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/models");
    let all = std::fs::read_dir(folder).unwrap();
    let paths = all.map(|entry| entry.unwrap().path());
    let mut names: Vec<String> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "eom"))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn printed_equations_of_some_models_hold() {
    let (machines, equations) = printed_equations(8);
    assert!(machines >= 8 && equations > 60, "{machines}, {equations}");
}

#[test]
#[ignore = "four minutes: cargo test --workspace -- --include-ignored books"]
fn printed_equations_hold() {
    let (machines, equations) = printed_equations(1);
    assert!(machines >= 70 && equations > 600, "{machines}, {equations}");
}

/// How many machines, of one model in so many, print equations that can be evaluated, and how many equations these are: all hold.
fn printed_equations(stride: usize) -> (usize, usize) {
    let mut random = Random::default();
    let (mut machines, mut equations) = (0, 0);
    for model in models().into_iter().step_by(stride) {
        let source = model_source(&model).unwrap();
        let Some(machine) = Machine::new(&model, &source.text) else {
            continue;
        };
        let mut states: Vec<Values> = (0..3).filter_map(|_| machine.drawn(&mut random)).collect();
        if let Ok((reference, _)) = known::reference(&model) {
            let inputs = reference
                .states
                .iter()
                .take(3)
                .map(|s| eval_input(&reference, s));
            states.extend(inputs.filter_map(|input| machine.at(&input)));
        }
        let mut held = 0;
        for known in &states {
            for line in &machine.evaluator.documentation().equations {
                let Some((left, right)) = sides(line) else {
                    continue;
                };
                match holds(left, right, known, 1e-8) {
                    Some(true) => held += 1,
                    Some(false) => panic!("{model}: {line} at {known:?}"),
                    None => {}
                }
            }
        }
        machines += usize::from(held > 0);
        equations += held;
    }
    (machines, equations)
}

/// A book's equations of a machine.
struct Book {
    machine: String,
    model: String,
    equations: Vec<String>,
    constraints: Vec<String>,
    definitions: Vec<String>,
}

fn books() -> Vec<Book> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/books"));
    let mut names: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "txt"))
        .collect();
    names.sort();
    names.iter().map(book).collect()
}

fn book(path: &PathBuf) -> Book {
    let mut book = Book {
        machine: path.file_stem().unwrap().to_string_lossy().into_owned(),
        model: std::fs::read_to_string(path.with_extension("eom")).unwrap(),
        equations: Vec::new(),
        constraints: Vec::new(),
        definitions: Vec::new(),
    };
    let printed = std::fs::read_to_string(path).unwrap();
    let mut part = "";
    for line in printed.lines().filter(|l| !l.starts_with('#')) {
        match (line.strip_prefix("  "), part) {
            (None, _) => part = line,
            (Some(line), "equations") => book.equations.push(line.into()),
            (Some(line), "constraints") => book.constraints.push(line.into()),
            (Some(line), "where") => book.definitions.push(line.into()),
            (Some(line), other) => panic!("{path:?}: {line} in {other}"),
        }
    }
    book
}

impl Book {
    fn read(&self, texts: &[String]) -> Vec<Line> {
        let (system, _) = eomgen::internals::input::read(&self.model).unwrap();
        let names = eomgen::internals::explain::names(&system);
        let read = |text: &String| {
            let (left, right) = text.split_once(" = ").unwrap();
            let side =
                |names: &Names, t: &str| names.parse(t).unwrap_or_else(|e| panic!("{t}: {e:?}"));
            Line::equation(side(&names, left), side(&names, right))
        };
        texts.iter().map(read).collect()
    }

    /// What is shown of what the book prints.
    fn shown(&self, evaluator: &Evaluator) -> Vec<Line> {
        let doc = evaluator.documentation();
        let mut lines = Vec::new();
        if !self.equations.is_empty() {
            lines.extend(doc.equations.clone());
        }
        if !self.constraints.is_empty() {
            lines.extend(doc.constraints.clone());
        }
        lines
    }
}

/// Names and numbers on both sides; a side that is 0 counts nothing.
fn leaves(lines: &[Line]) -> usize {
    let all = lines.iter().filter_map(sides);
    let both = all.flat_map(|(left, right)| [left, right]);
    both.filter(|m| !m.is_zero()).map(Math::leaves).sum()
}

/// How often accelerations stand in equations.
fn accelerations(lines: &[Line], names: &[String]) -> usize {
    let mut count = 0;
    for line in lines {
        count += occurrences(&line.math, names);
    }
    count
}

fn occurrences(m: &Math, names: &[String]) -> usize {
    match m {
        Math::Symbol(_) | Math::Dotted(..) => usize::from(names.contains(&text(m))),
        _ => m.parts().into_iter().map(|m| occurrences(m, names)).sum(),
    }
}

#[test]
fn equations_are_as_short_as_in_books() {
    let mut ratios = Vec::new();
    for book in books() {
        let Machine { evaluator, system } = Machine::new(&book.machine, &book.model).unwrap();
        let printed = book.read(&[book.equations.clone(), book.constraints.clone()].concat());
        let definitions = book.read(&book.definitions);
        let own: usize = definitions
            .iter()
            .filter_map(sides)
            .map(|(_, right)| right.leaves())
            .sum();
        let shown = book.shown(&evaluator);
        let ratio = leaves(&shown) as f64 / (leaves(&printed) + own) as f64;
        assert!(ratio <= 1.05, "{}: {ratio}", book.machine);
        let mut names: Vec<String> = system
            .coords
            .iter()
            .map(|c| format!("{}''", c.meta.name))
            .collect();
        names.extend(system.speeds.iter().map(|s| format!("{}'", s.meta.name)));
        // The same accelerations, no more often: each inertia is in one piece.
        let (ours, theirs) = (
            accelerations(&shown, &names),
            accelerations(&printed, &names),
        );
        assert!(ours <= theirs, "{}: {ours}, {theirs}", book.machine);
        ratios.push(ratio);
    }
    assert!(ratios.len() >= 12);
    let logarithms: f64 = ratios.iter().map(|r| r.ln()).sum();
    let mean = (logarithms / ratios.len() as f64).exp();
    assert!(mean <= 0.9, "{mean}");
}

#[test]
fn books_hold() {
    let mut random = Random::default();
    for book in books().iter().filter(|b| !b.equations.is_empty()) {
        let machine = Machine::new(&book.machine, &book.model).unwrap();
        for _ in 0..3 {
            let mut known = machine.drawn(&mut random).unwrap();
            for line in book.read(&book.definitions) {
                let (name, definition) = sides(&line).unwrap();
                known.insert(text(name), value(definition, &known).unwrap());
            }
            let printed = book.read(&book.equations);
            for line in printed
                .iter()
                .chain(&machine.evaluator.documentation().equations)
            {
                let (left, right) = sides(line).unwrap();
                let held = holds(left, right, &known, 1e-9);
                assert_eq!(held, Some(true), "{}: {line}", book.machine);
            }
        }
    }
}
