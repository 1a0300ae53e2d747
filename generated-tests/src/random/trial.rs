//! One machine through eomgen, beside the oracle.

use super::choice;
use super::draw::Dice;
use super::machine::{Machine, Statement};
use super::number::{Field, Real};
use super::oracle::{Expected, Nothing, Oracle, State};
use eomgen::diagnostics::Severity;
use eomgen::options::DeriveOptions;
use eomgen::{EvalInput, EvalOutput, Failure, PartText, Source};
use std::collections::BTreeMap;

/// What became of a machine, an option or a state.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// All numbers agree.
    Agree,
    /// The model is refused, and rightly so: the code.
    Refused(String),
    /// The state is refused, and the oracle says why.
    Singular,
    /// Nothing can be said: the oracle has no state, or its numbers are unsure.
    Unclear(String),
    /// Something is wrong.
    Wrong(String),
}

/// A state to try.
#[derive(Clone, Debug)]
pub struct Sample {
    /// In many digits, consistent with the constraints.
    pub state: State,
    /// Whether angles are multiples of a right angle, or everything rests.
    pub special: bool,
    /// What should come out.
    pub expected: Result<Expected, Nothing>,
    /// What comes out nearby, for how sure that is.
    pub nearby: Option<Expected>,
}

/// The model as the library takes it.
pub fn source(machine: &Machine) -> Source {
    let mut source = Source::new("machine.eom", &machine.text());
    let files = machine.files();
    source.parts = files
        .into_iter()
        .map(|(path, text)| PartText {
            path,
            text: Ok(text),
        })
        .collect();
    source
}

fn guess(oracle: &Oracle, dice: &mut Dice, special: bool) -> State {
    let mut state = State {
        t: if special && dice.chance(0.5) {
            0.0
        } else {
            dice.between(0.1, 1.5)
        },
        q: Vec::new(),
        v: Vec::new(),
        inputs: BTreeMap::new(),
    };
    let resting = special && dice.chance(0.3);
    let quarter = std::f64::consts::FRAC_PI_2;
    for s in &oracle.model.statements {
        match s {
            Statement::Coord { name, unit, .. } => {
                let angle = unit == "rad";
                let value = if special && angle && !name.starts_with('e') {
                    *dice.one(&[0.0, 0.0, quarter, -quarter, 2.0 * quarter])
                } else if special && dice.chance(0.4) {
                    0.0
                } else if name.starts_with('e') {
                    dice.between(0.2, 0.8)
                } else {
                    dice.between(-1.2, 1.2)
                };
                state.q.push(Real::of(value));
                let rate = if resting {
                    0.0
                } else {
                    dice.between(-1.0, 1.0)
                };
                state.v.push(Real::of(rate));
            }
            Statement::Input { name, .. } => {
                state.inputs.insert(name.clone(), dice.between(-2.0, 2.0));
            }
            _ => {}
        }
    }
    state
}

fn rounded(state: &State) -> (Vec<f64>, Vec<f64>) {
    let doubles = |list: &[Real]| list.iter().map(Real::to_f64).collect();
    (doubles(&state.q), doubles(&state.v))
}

/// States of a machine that satisfy its constraints, with what the oracle says of them.
///
/// # Errors
/// Where the oracle cannot follow.
pub fn samples(oracle: &Oracle, dice: &mut Dice) -> Result<Vec<Sample>, String> {
    let mut samples = Vec::new();
    for special in [false, false, true] {
        let mut found = None;
        for _ in 0..if special { 2 } else { 6 } {
            let start = guess(oracle, dice, special);
            found = match oracle.consistent(&start)? {
                Some(state) if oracle.assumed(&state)? => Some(state),
                _ => None,
            };
            if found.is_some() {
                break;
            }
        }
        let Some(state) = found else { continue };
        let expected = oracle.solve(&state);
        if let Err(Nothing::Failed(message)) = &expected {
            return Err(message.clone());
        }
        let mut near = state.clone();
        for value in near.q.iter_mut().chain(&mut near.v) {
            let change = dice.between(-1e-13, 1e-13);
            *value = value.add(&Real::of(change));
        }
        let nearby = match oracle.consistent(&near)? {
            Some(near) => oracle.solve(&near).ok(),
            None => None,
        };
        samples.push(Sample {
            state,
            special,
            expected,
            nearby,
        });
    }
    Ok(samples)
}

/// What the library is asked at a state.
pub fn eval_input(oracle: &Oracle, state: &State) -> EvalInput {
    let (q, v) = rounded(state);
    let names = &oracle.model.coordinates;
    let by_name = |values: Vec<f64>| names.iter().cloned().zip(values).collect();
    let functions = oracle.model.statements.iter().filter_map(|s| match s {
        Statement::Function {
            name,
            arguments,
            terms,
            ..
        } => Some((name.clone(), polynomial(arguments, terms))),
        _ => None,
    });
    EvalInput {
        t: state.t,
        params: Default::default(),
        q: by_name(q),
        qdot: Some(by_name(v)),
        speeds: None,
        inputs: state.inputs.clone().into_iter().collect(),
        functions: functions.collect(),
    }
}

/// A polynomial in the language.
fn polynomial(arguments: &[String], terms: &[(f64, Vec<u32>)]) -> String {
    let term = |(factor, exponents): &(f64, Vec<u32>)| {
        let powers = arguments.iter().zip(exponents).filter(|(_, e)| **e > 0);
        let powers: String = powers.map(|(a, e)| format!("*{a}^{e}")).collect();
        format!("({factor}){powers}")
    };
    let terms: Vec<_> = terms.iter().map(term).collect();
    terms.join(" + ")
}

/// Lists of numbers under the same names.
#[derive(Default)]
struct Comparison {
    complaint: Option<String>,
    unsure: bool,
}

impl Comparison {
    /// Compares a group; what the oracle says nearby tells how sure its numbers are.
    fn group(&mut self, what: &str, found: &[f64], wanted: &[f64], nearby: &[f64]) {
        if self.complaint.is_some() {
            return;
        }
        if found.len() != wanted.len() {
            self.complaint = Some(format!("{what}: {found:?} in place of {wanted:?}"));
            return;
        }
        let scale = wanted.iter().fold(0.0_f64, |s, w| s.max(w.abs()));
        let mut moved = 0.0_f64;
        for (w, n) in wanted.iter().zip(nearby) {
            moved = moved.max((w - n).abs());
        }
        if moved > 1e-6 * scale.max(1.0) {
            self.unsure = true;
            return;
        }
        let allowed = 1e-9 * scale.max(1e-3) + 1e3 * moved;
        for (f, w) in found.iter().zip(wanted) {
            let error = (f - w).abs();
            if error.is_nan() || error > allowed {
                self.complaint = Some(format!("{what}: {found:?} in place of {wanted:?}"));
                return;
            }
        }
    }
}

fn picked(found: &[(String, f64)], names: &[String]) -> Option<Vec<f64>> {
    let pick = |n: &String| found.iter().find(|(f, _)| f == n).map(|(_, v)| *v);
    names.iter().map(pick).collect()
}

/// Everything that `eval` prints, beside the oracle.
fn compare(oracle: &Oracle, found: &EvalOutput, wanted: &Expected, near: &Expected) -> Verdict {
    let names = &oracle.model.coordinates;
    let mut c = Comparison::default();
    let group = |c: &mut Comparison, what: &str, found: &[(String, f64)], w: &[f64], n: &[f64]| {
        match picked(found, names) {
            Some(found) => c.group(what, &found, w, n),
            None => c.complaint = Some(format!("{what}: names {found:?}")),
        }
    };
    group(
        &mut c,
        "accelerations",
        &found.qddot,
        &wanted.accelerations,
        &near.accelerations,
    );
    for (name, rate) in &wanted.speed_rates {
        if let Some((_, f)) = found.speeds_dot.iter().find(|(n, _)| n == name) {
            let near = near.speed_rates.get(name).copied().unwrap_or(*rate);
            let scale = wanted
                .accelerations
                .iter()
                .fold(0.0_f64, |s, a| s.max(a.abs()));
            c.group(
                &format!("{name}'"),
                &[*f, scale],
                &[*rate, scale],
                &[near, scale],
            );
        }
    }
    compare_multipliers(&mut c, found, wanted, near);
    let total = |e: &Expected| -> Vec<f64> {
        e.ideal
            .iter()
            .zip(&e.prescribed)
            .map(|(a, b)| a + b)
            .collect()
    };
    // How rotations go on where a quaternion is no unit is a convention; so are forces along that direction.
    let quaternion = wanted.multipliers.iter().any(|(n, _)| n.ends_with(".norm"));
    if !wanted.multipliers.is_empty() && !quaternion {
        let both: Vec<(String, f64)> = found
            .ideal_force
            .iter()
            .map(|(n, v)| {
                let other = found.nonideal_force.iter().find(|(m, _)| m == n);
                (n.clone(), v + other.map_or(0.0, |(_, o)| *o))
            })
            .collect();
        group(
            &mut c,
            "constraint forces",
            &both,
            &total(wanted),
            &total(near),
        );
    }
    let scalars = [
        ("T", found.kinetic_energy, wanted.kinetic, near.kinetic),
        (
            "V",
            found.potential_energy,
            wanted.potential,
            near.potential,
        ),
    ];
    for (what, f, w, n) in scalars {
        if let Some(f) = f {
            c.group(what, &[f], &[w], &[n]);
        }
    }
    if let (Some(f), Some(w), Some(n)) = (found.gibbs, wanted.gibbs, near.gibbs) {
        c.group("S", &[f], &[w], &[n]);
    }
    for (name, w) in &wanted.outputs {
        let near = near.outputs.get(name).unwrap_or(w);
        match found.outputs.iter().find(|(n, _)| n == name) {
            Some((_, f)) => c.group(&format!("output {name}"), f, w, near),
            None => c.complaint = Some(format!("output {name} is missing")),
        }
    }
    match c {
        Comparison {
            complaint: Some(text),
            ..
        } => Verdict::Wrong(text),
        Comparison { unsure: true, .. } => Verdict::Unclear("ill-conditioned".into()),
        _ => Verdict::Agree,
    }
}

fn compare_multipliers(c: &mut Comparison, found: &EvalOutput, wanted: &Expected, near: &Expected) {
    // Rows that say nothing are left out by eomgen; the oracle gives them zero.
    let mut triples = Vec::new();
    let plain = |(name, _): &&(String, f64)| !name.ends_with(".norm");
    for (name, w) in wanted.multipliers.iter().filter(plain) {
        let n = near.multipliers.iter().find(|(m, _)| m == name);
        let f = found.multipliers.iter().find(|(m, _)| m == name);
        match f {
            Some((_, f)) => triples.push((*f, *w, n.map_or(*w, |(_, n)| *n))),
            None if w.abs() < 1e-30 => {}
            None => {
                c.complaint = Some(format!("no multiplier of {name}"));
                return;
            }
        }
    }
    let column = |pick: fn(&(f64, f64, f64)) -> f64| triples.iter().map(pick).collect::<Vec<_>>();
    c.group(
        "multipliers",
        &column(|t| t.0),
        &column(|t| t.1),
        &column(|t| t.2),
    );
}

/// The first error's code.
pub fn code(failure: &Failure) -> String {
    match failure {
        Failure::Message(message) => message.clone(),
        Failure::Diagnostics(list) => list
            .iter()
            .find(|d| d.severity == Severity::Error)
            .map_or_else(|| "no error".into(), |d| d.code.to_string()),
    }
}

/// What a failure says.
pub fn message(failure: &Failure) -> String {
    match failure {
        Failure::Message(message) => message.clone(),
        Failure::Diagnostics(list) => {
            let error = list.iter().find(|d| d.severity == Severity::Error);
            error.map_or_else(String::new, |d| {
                let labels: Vec<_> = d.labels.iter().map(|l| l.text.as_str()).collect();
                format!("{} {} ({})", d.code, d.title, labels.join("; "))
            })
        }
    }
}

/// Whether the code is about options, and the machine has what it complains of.
fn stated_requirement(code: &str, machine: &Machine, options: &DeriveOptions) -> bool {
    let has = |feature: &str| machine.features.contains(&feature);
    match code {
        "E0500" => has("nonlinear in the velocities") || has("row on accelerations"),
        "E0501" => has("row on accelerations"),
        "E0521" | "E0586" => has("friction by a reaction"),
        "E0540" | "E0582" => has("energies"),
        "E0546" => options.method.as_deref() == Some("newton-euler"),
        "E0580" | "E0583" | "E0522" => true,
        "E0463" => has("friction by a reaction"),
        _ => false,
    }
}

/// A trial: the machine's evaluator at the samples.
pub struct Trial {
    /// What was chosen.
    pub options: DeriveOptions,
    /// For each sample, or for the whole machine.
    pub verdicts: Vec<Verdict>,
    /// Codes of notes, warnings and errors that were seen.
    pub codes: Vec<String>,
    /// The module, if there is one.
    pub module: Option<String>,
}

/// Evaluates at every sample.
pub fn evaluate(
    machine: &Machine,
    oracle: &Oracle,
    samples: &[Sample],
    options: &DeriveOptions,
) -> Trial {
    let mut trial = Trial {
        options: options.clone(),
        verdicts: Vec::new(),
        codes: Vec::new(),
        module: None,
    };
    let source = source(machine);
    let evaluator = match eomgen::evaluator_source(&source, options) {
        Ok(evaluator) => evaluator,
        Err(failure) => {
            trial
                .verdicts
                .push(refusal(machine, oracle, samples, options, &failure));
            trial.codes.push(code(&failure));
            return trial;
        }
    };
    for sample in samples {
        let outcome = evaluator.eval(&eval_input(oracle, &sample.state));
        trial.verdicts.push(match (&outcome, &sample.expected) {
            (Ok(found), Ok(wanted)) => match &sample.nearby {
                Some(near) if near.rank == wanted.rank => compare(oracle, found, wanted, near),
                _ => Verdict::Unclear("the rank changes here".into()),
            },
            (Ok(found), Err(Nothing::Singular(why))) => {
                let all = found.qddot.iter().all(|(_, a)| a.is_finite());
                if all && *why == "constraints contradict one another" {
                    Verdict::Wrong(format!("numbers where {why}: {:?}", found.qddot))
                } else {
                    Verdict::Unclear(format!("numbers where there is {why}"))
                }
            }
            (Ok(_), Err(Nothing::Failed(m))) => Verdict::Unclear(m.clone()),
            (Err(failure), _) => state_refused(sample, &message(failure)),
        });
    }
    trial
}

fn state_refused(sample: &Sample, message: &str) -> Verdict {
    let clear = match (&sample.expected, &sample.nearby) {
        (Ok(here), Some(near)) => here.rank == near.rank && here.smallest > 1e-9,
        _ => false,
    };
    if !clear {
        return Verdict::Singular;
    }
    if sample.special {
        return Verdict::Unclear(format!("special state refused: {message}"));
    }
    Verdict::Wrong(format!("a regular state is refused: {message}"))
}

fn refusal(
    machine: &Machine,
    oracle: &Oracle,
    samples: &[Sample],
    options: &DeriveOptions,
    failure: &Failure,
) -> Verdict {
    let code = code(failure);
    if stated_requirement(&code, machine, options) {
        return Verdict::Refused(code);
    }
    // The oracle finds no state, or no unique accelerations at any.
    let solvable = samples.iter().any(|s| s.expected.is_ok());
    let _ = oracle;
    if !solvable {
        return Verdict::Refused(code);
    }
    Verdict::Wrong(format!("refused: {}", message(failure)))
}

/// Draws, evaluates and judges the machine of a seed.
pub fn trial(seed: u64) -> (Machine, Trial) {
    let machine = super::draw::machine(seed);
    let oracle = Oracle::new(&machine);
    let mut dice = Dice::new(seed ^ 0x5eed);
    let options = choice::options(&mut dice);
    match samples(&oracle, &mut dice) {
        Ok(samples) => {
            let trial = evaluate(&machine, &oracle, &samples, &options);
            (machine, trial)
        }
        Err(message) => {
            let trial = Trial {
                options,
                verdicts: vec![Verdict::Unclear(format!("the oracle: {message}"))],
                codes: Vec::new(),
                module: None,
            };
            (machine, trial)
        }
    }
}
