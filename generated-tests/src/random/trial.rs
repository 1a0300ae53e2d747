//! One machine through eomgen, beside the oracle.

use super::catalogue::{Kind, Module, claims};
use super::choice;
use super::draw::Dice;
use super::linear::solve;
use super::machine::{Machine, Statement, Turn};
use super::number::{Field, Real};
use super::numbers::{Found, compare};
use super::oracle::{Expected, Nothing, Oracle, State};
use crate::running::Evaluated;
use eomgen::diagnostics::Severity;
use eomgen::options::{DeriveOptions, Plan, Scalar};
use eomgen::{EvalInput, Failure, PartText, Source};
use std::collections::BTreeMap;

/// What became of a machine at a state, or as a whole.
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
    /// Whether angles are multiples of a right angle or nearly so, or everything rests.
    pub special: bool,
    /// What should come out.
    pub expected: Result<Expected, Nothing>,
    /// What comes out nearby, for how sure that is.
    pub nearby: Option<Expected>,
    /// Where that is.
    pub near: Option<State>,
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

/// Where a state lies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Anywhere.
    Any,
    /// Angles are multiples of a right angle, or everything rests.
    Special,
    /// By as little from such a state as rounding errors can tell, or by more.
    Beside,
}

/// Moves a state by a small distance of any order.
fn beside(state: &mut State, dice: &mut Dice) {
    let distance = 10.0_f64.powf(dice.between(-12.0, -3.0));
    for q in &mut state.q {
        let step = Real::of(distance * dice.between(-1.0, 1.0));
        *q = q.add(&step);
    }
}

/// Whether rates are those of a machine: beside a singular state rows may ask for rates of any size, and what is left of 16 digits then says
/// nothing about formulas.
fn ordinary(state: &State) -> bool {
    state.v.iter().all(|v| v.to_f64().abs() < 1e4)
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
    for place in [Place::Any, Place::Any, Place::Special, Place::Beside] {
        if place == Place::Beside && dice.chance(0.6) {
            continue;
        }
        let special = place != Place::Any;
        let mut found = None;
        for _ in 0..if special { 2 } else { 6 } {
            let mut start = guess(oracle, dice, special);
            if place == Place::Beside {
                beside(&mut start, dice);
            }
            found = match oracle.consistent(&start)? {
                Some(state) if ordinary(&state) && oracle.assumed(&state)? => Some(state),
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
            // Some hundreds of the roundings by which a number is told from its neighbours.
            let change = dice.between(-1e-13, 1e-13) * value.to_f64().abs().max(1.0);
            *value = value.add(&Real::of(change));
        }
        let near = oracle.consistent(&near)?;
        let nearby = near.as_ref().and_then(|near| oracle.solve(near).ok());
        samples.push(Sample {
            state,
            special,
            expected,
            nearby,
            near,
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
        states: Default::default(),
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

/// Outputs that are derivatives of others.
const DERIVED: [&str; 3] = ["linearization", "linearization_reduced", "discretized"];

/// Whether the code is about options, and the machine has what it complains of.
fn stated_requirement(code: &str, machine: &Machine, options: &DeriveOptions) -> bool {
    let has = |feature: &str| machine.features.contains(&feature);
    let constrained = machine.plain().iter().any(|s| match s {
        Statement::Constraint { .. } => true,
        Statement::Frame { turn, .. } => matches!(turn, Turn::Quaternion(_)),
        _ => false,
    });
    let rigid = machine
        .plain()
        .iter()
        .any(|s| matches!(s, Statement::Body { .. }));
    match code {
        "E0500" => has("nonlinear in the velocities") || has("row on accelerations"),
        "E0501" => has("row on accelerations"),
        "E0524" => {
            has("friction by a reaction")
                || options.outputs.len() > 1
                || options.method.as_deref() == Some("udwadia-kalaba")
        }
        "E0521" | "E0586" => has("friction by a reaction"),
        "E0540" => has("energies"),
        "E0582" => has("energies") || !rigid,
        "E0523" => !constrained,
        // What a user supplies has the derivatives that it is declared with.
        "E0585" => {
            let derived = options.outputs.iter().any(|o| DERIVED.contains(&&o[..]));
            let supplied = |s: &Statement| matches!(s, Statement::Function { .. });
            machine.plain().iter().any(supplied) && (derived || !options.jacobians.is_empty())
        }
        "E0546" => options.method.as_deref() == Some("newton-euler"),
        "E0580" | "E0583" | "E0522" => true,
        // Some quantities are made of M^-1.
        "E0581" => options.outputs.iter().any(|o| o != "standard"),
        // And one of a kinetic energy that time does not enter.
        "E0588" => options.outputs.iter().any(|o| o == "coriolis_matrix"),
        "E0463" => has("friction by a reaction"),
        _ => false,
    }
}

/// Whether the accelerations are about the same a rounding error away.
fn steady(here: &Expected, near: &Expected) -> bool {
    let both = here.accelerations.iter().zip(&near.accelerations);
    let size = here
        .accelerations
        .iter()
        .fold(1.0_f64, |m, a| m.max(a.abs()));
    both.into_iter().all(|(a, b)| (a - b).abs() < 1e-3 * size)
}

/// From which share on speeds determine the rates for sure. A share that is a coordinate, as a component of a unit quaternion is, is itself known
/// no better than to a rounding over its size, so that a millionth is lost at the root of a million roundings.
const TOLD: f64 = 3e-5;

/// A machine with its states and options.
pub struct Case {
    /// What it was drawn from.
    pub seed: u64,
    /// The machine.
    pub machine: Machine,
    /// Its oracle.
    pub oracle: Oracle,
    /// States, with what the oracle says.
    pub samples: Vec<Sample>,
    /// How it is derived.
    pub options: DeriveOptions,
}

impl Case {
    /// The case of a seed.
    ///
    /// # Errors
    /// Where the oracle cannot follow: a fault of the draw or of the oracle.
    pub fn new(seed: u64) -> Result<Self, String> {
        let mut dice = Dice::new(seed ^ 0x5eed);
        let machine = super::draw::machine(seed);
        let options = choice::options(&mut dice, &machine);
        Self::of(machine, seed, options)
    }

    /// A machine with states of this seed.
    ///
    /// # Errors
    /// Where the oracle cannot follow.
    pub fn of(machine: Machine, seed: u64, options: DeriveOptions) -> Result<Self, String> {
        let oracle = Oracle::new(&machine);
        let samples = samples(&oracle, &mut Dice::new(seed ^ 0x57a7e))?;
        Ok(Self {
            seed,
            machine,
            oracle,
            samples,
            options,
        })
    }

    /// Numbers at a sample, beside the oracle's.
    pub fn judge(&self, sample: &Sample, found: &Found) -> Verdict {
        match &sample.expected {
            Ok(wanted) => match &sample.nearby {
                Some(near) if near.rank == wanted.rank => {
                    if let Some(refused) = found.refused.first() {
                        return self.refused_state(sample, &found.speeds, refused);
                    }
                    match compare(&self.oracle, found, wanted, near) {
                        Verdict::Wrong(_)
                            if sample.special && !self.is_told(sample, &found.speeds) =>
                        {
                            Verdict::Unclear("ill-conditioned in the speeds of the state".into())
                        }
                        verdict => verdict,
                    }
                }
                _ => Verdict::Unclear("the rank changes here".into()),
            },
            Err(Nothing::Failed(m)) => Verdict::Unclear(m.clone()),
            Err(Nothing::Singular(_)) if !found.refused.is_empty() => Verdict::Singular,
            Err(Nothing::Singular(why)) => {
                if *why == "constraints contradict one another" {
                    Verdict::Wrong(format!("numbers where {why}: {:?}", found.accelerations))
                } else {
                    Verdict::Unclear(format!("numbers where there is {why}"))
                }
            }
        }
    }

    /// Whether the speeds that a state is made of determine the rates so well that roundings of them do not matter. Where it is not said
    /// which these are (`eval` does not), they are those of the model, or all rates but the dependent ones.
    fn is_told(&self, sample: &Sample, speeds: &[String]) -> bool {
        let declared = self.oracle.model.statements.iter().filter_map(|s| match s {
            Statement::Speed { name, .. } => Some(name.clone()),
            _ => None,
        });
        let mut own: Vec<String> = if speeds.is_empty() {
            declared.collect()
        } else {
            speeds.to_vec()
        };
        if own.is_empty() {
            let rates = self
                .oracle
                .model
                .coordinates
                .iter()
                .map(|q| format!("{q}'"));
            own = rates
                .filter(|rate| !self.options.dependent.contains(rate))
                .collect();
        }
        self.oracle
            .determines(&sample.state, &own)
            .is_ok_and(|share| share > TOLD)
    }

    /// A state is rightly refused where the oracle has no numbers or unsure ones, or where the speeds that the state is made of do not
    /// determine the rates.
    pub fn refused_state(&self, sample: &Sample, speeds: &[String], message: &str) -> Verdict {
        let clear = match (&sample.expected, &sample.nearby) {
            (Ok(here), Some(near)) => {
                here.rank == near.rank && here.smallest > 1e-7 && steady(here, near)
            }
            _ => false,
        };
        if !clear {
            return Verdict::Singular;
        }
        if !speeds.is_empty() {
            match self.oracle.determines(&sample.state, speeds) {
                Ok(share) if share > TOLD => {}
                _ => return Verdict::Singular,
            }
        }
        // `eval` does not say what its state is made of, so that a special state may be one that the speeds do not determine.
        if sample.special && speeds.is_empty() {
            return Verdict::Unclear(format!("special state refused: {message}"));
        }
        // A plan that was asked for is taken even where one of its pivots may vanish at regular states, and says so.
        if matches!(self.options.plan, Plan::Bordered | Plan::NewtonEuler)
            && message.contains("the pivot on ")
        {
            return Verdict::Singular;
        }
        // So is a choice of dependent rates: it is made once, and completed for states of all kinds.
        if !self.options.dependent.is_empty() && !message.contains("contradict") {
            return Verdict::Singular;
        }
        // Derivatives off the constraints, along which dependent rows contradict one another.
        let dependent = sample.expected.as_ref().is_ok_and(|here| {
            let says = |row: &&Vec<f64>| row.iter().any(|x| x.abs() > 1e-30);
            here.rows.iter().filter(says).count() > here.rank
        });
        let derivative = message
            .split(':')
            .next()
            .is_some_and(|name| name.contains("_wrt_"));
        if dependent && derivative && message.contains("contradict") {
            return Verdict::Singular;
        }
        // Reduced models are stated in certain coordinates, and refused where these do not determine the others.
        let reduced = ["linearization_reduced", "discretized"];
        if reduced.iter().any(|name| message.starts_with(name))
            && message.contains(" does not determine ")
        {
            return Verdict::Singular;
        }
        Verdict::Wrong(format!("a regular state is refused: {message}"))
    }

    /// The quantities of the catalogue at a sample, added to what was found.
    fn add_claims(&self, sample: &Sample, run: &Evaluated, index: usize, found: &mut Found) {
        let kind = Kind {
            quaternion: self.oracle.has_quaternions(),
            friction: self.machine.features.contains(&"friction by a reaction"),
        };
        let (Ok(here), Some(there), Some(near)) = (&sample.expected, &sample.nearby, &sample.near)
        else {
            return;
        };
        let of = |state: &State, motion: &Expected| {
            claims(&self.oracle, state, motion, Module::new(run, index), kind)
        };
        if let (Ok(claims), Ok(nearby)) = (of(&sample.state, here), of(near, there)) {
            found.claims = claims;
            found.nearby = nearby;
        }
    }

    /// What a compiled module gave at a sample.
    pub fn compiled(&self, sample: usize, run: &Evaluated) -> Verdict {
        let mut found = Found::compiled(run, sample);
        if found.refused.is_empty() {
            self.add_claims(&self.samples[sample], run, sample, &mut found);
        }
        self.judge(&self.samples[sample], &found)
    }

    /// Whether the rows that say anything are independent at one of the samples.
    fn independent(&self) -> bool {
        let says = |row: &&Vec<f64>| row.iter().any(|x| x.abs() > 1e-30);
        self.samples.iter().any(|s| {
            let motion = s.expected.as_ref();
            motion.is_ok_and(|m| m.rows.iter().filter(says).count() == m.rank)
        })
    }

    /// Whether a row says nothing at any sample: lengths and axes are drawn such that a constraint may hold whatever moves.
    fn has_idle_row(&self) -> bool {
        let known: Vec<&Expected> = (self.samples.iter())
            .filter_map(|s| s.expected.as_ref().ok())
            .collect();
        let rows = known.first().map_or(0, |m| m.rows.len());
        let nothing = |m: &&Expected, r: usize| m.rows[r].iter().all(|x| x.abs() < 1e-30);
        (0..rows).any(|r| known.iter().all(|m| nothing(m, r)))
    }

    /// Whether the rates named as dependent are none that the constraints give: no row holds one of them, or the message has a reason that is said of
    /// models in which nothing is eliminated.
    fn cannot_be_dependent(&self, message: &str) -> bool {
        let reasons = [
            "stated for the accelerations",
            "nonlinear in the velocities",
            "varies over the states",
        ];
        let coordinates = self.oracle.model.coordinates.iter();
        let mut named = coordinates.enumerate().filter(|(_, q)| {
            let mut dependent = self.options.dependent.iter();
            dependent.any(|rate| *rate == format!("{q}'"))
        });
        let known = self.samples.iter().filter_map(|s| s.expected.as_ref().ok());
        let rows: Vec<&Vec<f64>> = known.flat_map(|m| &m.rows).collect();
        named.any(|(at, _)| rows.iter().all(|row| row[at].abs() < 1e-30))
            || reasons.iter().any(|reason| message.contains(reason))
    }

    /// Whether a coordinate moves no mass and no row holds it, at any sample: what the oracle finds of a particle on its own axis is the rounding of a sine.
    fn has_no_inertia(&self) -> bool {
        let known = || self.samples.iter().filter_map(|s| s.expected.as_ref().ok());
        let is_idle = |at: usize| {
            let idle = |m: &Expected| {
                let entries = m.mass[at].iter().copied();
                let held = m.rows.iter().map(|row| row[at]);
                entries.chain(held).all(|x| x.abs() < 1e-30)
            };
            known().count() > 0 && known().all(idle)
        };
        (0..self.oracle.coordinates()).any(is_idle)
    }

    /// Whether the declared speeds are as many as there are freedoms, and the rows tie them to one another at every sample: then they leave a freedom open.
    fn speeds_depend(&self) -> bool {
        let statements = self.oracle.model.statements.iter();
        let names = statements.filter_map(|s| match s {
            Statement::Speed { name, .. } => Some(name.clone()),
            _ => None,
        });
        let names: Vec<String> = names.collect();
        let depends = |sample: &Sample| {
            let n = self.oracle.coordinates();
            let rank = |speeds: &[String]| {
                let (matrix, right, _) = self.oracle.speed_rows(&sample.state, speeds).ok()?;
                Some(solve(&matrix, &right, n).rank)
            };
            let (rows, all) = (rank(&[]), rank(&names));
            rows.zip(all)
                .is_some_and(|(rows, all)| rows + names.len() >= n && all < n)
        };
        !names.is_empty() && self.samples.iter().all(depends)
    }

    /// Whether the oracle finds unique accelerations at some state.
    pub fn solvable(&self) -> bool {
        self.samples.iter().any(|s| s.expected.is_ok())
    }

    /// Whether a model is rightly refused.
    pub fn refused(&self, failure: &Failure) -> Verdict {
        let code = code(failure);
        let varies = message(failure).contains("varies with the state");
        if code == "E0523" && (varies || self.independent()) {
            return Verdict::Refused(code);
        }
        if self.is_of_assembly(&code) {
            return Verdict::Refused("--output assemble".into());
        }
        // The exponential of a matrix takes decisions on sizes, which a type of any kind may not have.
        if self.options.scalar == Scalar::Generic && code.contains("--output discretized is for") {
            return Verdict::Refused("--output discretized".into());
        }
        if code == "E0311" && self.has_idle_row() {
            return Verdict::Refused(code);
        }
        if matches!(code.as_str(), "E0309" | "E0520") && self.cannot_be_dependent(&message(failure))
        {
            return Verdict::Refused(code);
        }
        if code == "E0320" && self.has_no_inertia() {
            return Verdict::Refused(code);
        }
        if code == "E0309" && self.speeds_depend() {
            return Verdict::Refused(code);
        }
        if !self.solvable() || stated_requirement(&code, &self.machine, &self.options) {
            return Verdict::Refused(code);
        }
        Verdict::Wrong(format!("refused: {}", message(failure)))
    }

    /// Whether assembly is asked for where there is nothing to assemble, or of numbers that it is not written for.
    fn is_of_assembly(&self, message: &str) -> bool {
        let positions = || {
            let first = self.samples.first();
            first.is_some_and(|s| self.oracle.has_positions(&s.state))
        };
        let generic = self.options.scalar == Scalar::Generic;
        message.contains("--output assemble") && (generic || !positions())
    }

    /// Whether a quantity of the options is refused at a state, and not the motion.
    fn of_a_quantity(&self, failure: &Failure) -> bool {
        let text = message(failure);
        let outputs = self.options.outputs.iter().map(String::as_str);
        // What is discretized is the linearization in reduced coordinates.
        let behind = (self.options.outputs.iter())
            .any(|o| o == "discretized")
            .then_some("linearization_reduced");
        let mut all = outputs.chain(behind);
        all.any(|o| text.starts_with(&format!("{o}: ")))
    }

    /// By `eval`, at every sample.
    pub fn evaluated(&self) -> Vec<Verdict> {
        let source = source(&self.machine);
        let evaluator = match eomgen::evaluator_source(&source, &self.options) {
            Ok(evaluator) => evaluator,
            Err(failure) => return vec![self.refused(&failure)],
        };
        let verdict = |sample: &Sample| {
            let input = eval_input(&self.oracle, &sample.state);
            // What a state is made of does not depend on whether it is refused.
            let entries = evaluator.state(&input).unwrap_or_default();
            let names = entries.into_iter().map(|(name, _)| name);
            let known = &self.oracle.model.coordinates;
            let speeds: Vec<String> = names.filter(|n| !known.contains(n)).collect();
            match evaluator.eval(&input) {
                Ok(found) => self.judge(
                    sample,
                    &Found {
                        speeds,
                        ..Found::evaluated(found)
                    },
                ),
                // A quantity that somebody asked for may have singular states of its own.
                Err(failure) if self.of_a_quantity(&failure) => Verdict::Singular,
                Err(failure) => self.refused_state(sample, &speeds, &message(&failure)),
            }
        };
        self.samples.iter().map(verdict).collect()
    }
}
