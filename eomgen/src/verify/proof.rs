//! A module against its model, at random states: first in the prime field, where agreement is identity up to a probability, then,
//! for what the field does not have or does not decide, in numbers of many digits.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::checks::{self, Condition, Measures};
use super::compare::{Difference, Verdict};
use super::dynamics::State;
use super::identities::identities;
use super::layout;
use super::machine::{Level, Machine};
use super::number::{Decimal, EvalError, Modular, Number};
use super::reduced::REDUCED;
use super::solutions::Solutions;
use super::states::{self, SolvedState, chance};
use super::test_point::{TestPoint, TestPoints};
use super::text::literal::Literal;
use super::text::run;
use super::text::tree::{Function, Module, Shape};
use super::verifier::{Arithmetic, Verifier};
use crate::emit;
use crate::facts::Fact;
use crate::model::System;

/// How thorough a proof is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Number of states.
    pub states: usize,
    /// What the random numbers start from.
    pub seed: u64,
}

/// How a function was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparedBy {
    /// Exactly, in the field.
    Field,
    /// In numbers of many digits.
    Numbers,
    /// With the checks of the other functions.
    Checks,
    /// Word by word with the text that belongs to the model's rows.
    Text,
}

/// What was found on a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Its name.
    pub name: String,
    /// Whether it gives what it should.
    pub verdict: Verdict,
    /// How that was found.
    pub compared_by: ComparedBy,
    /// Why not in the field, where it was not.
    pub reason: String,
    /// The state, where it does not: name and number.
    pub state: Vec<(String, String)>,
}

/// What was found on a module.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// All functions in the order of the text.
    pub functions: Vec<Finding>,
    /// The conditions that have a measure.
    pub conditions: Vec<Condition>,
    /// States of the field.
    pub exact_states: usize,
    /// States in numbers.
    pub rounded_states: usize,
    /// Literals that stand for fractions which their digits are rounded from.
    pub fractions: Vec<String>,
    /// How many literals stand for numbers that are known up to rounding.
    pub rounded: usize,
    /// Identities of mechanics, and whether the machine fulfils them.
    pub identities: Vec<(String, bool)>,
    /// Binary logarithm of a bound on the probability that a wrong acceleration passes all states of the field; 0 where the degrees
    /// are too large for one.
    pub chance: i32,
    /// Branches that no state took one way: function and line.
    pub untaken: Vec<(String, u32)>,
    /// Largest distance that the rounding of literals allows, relative to the result.
    pub bound: f64,
}

/// Rounding of literals may leave results this uncertain, relative to the size of the result, before a comparison counts for nothing.
const UNCERTAIN: f64 = 1e-6;

impl Proof {
    /// Whether every function and every condition was compared, and agrees.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let agrees =
            |verdict: &Verdict| matches!(verdict, Verdict::Agrees | Verdict::AgreesOnConstraints);
        let functions = self.functions.iter().map(|finding| &finding.verdict);
        let conditions = self.conditions.iter().map(|condition| &condition.verdict);
        functions.chain(conditions).all(agrees)
            && self.untaken.is_empty()
            && self.identities.iter().all(|(_, holds)| *holds)
    }

    /// The first difference, with the state where it shows.
    #[must_use]
    pub fn counterexample(&self) -> Option<(&Difference, &[(String, String)])> {
        let functions = self
            .functions
            .iter()
            .find_map(|finding| match &finding.verdict {
                Verdict::Differs(difference) => Some((&**difference, finding.state.as_slice())),
                _ => None,
            });
        functions.or_else(|| {
            self.conditions.iter().find_map(|c| match &c.verdict {
                Verdict::Differs(difference) => Some((&**difference, [].as_slice())),
                _ => None,
            })
        })
    }

    /// Replaces the verdict of the field on a function by that of numbers.
    fn decide_in_numbers(&mut self, finding: &mut Finding, numbers: &Findings) {
        finding.compared_by = ComparedBy::Numbers;
        (finding.verdict, finding.state) = numbers.get(&finding.name);
        self.rounded_states = self.rounded_states.max(numbers.states);
        let bound = numbers.bounds.get(&finding.name).copied().unwrap_or(0.0);
        self.bound = self.bound.max(bound);
        if bound > UNCERTAIN && matches!(finding.verdict, Verdict::Agrees) {
            let text = format!("rounded constants leave it uncertain by {bound:.0e}");
            finding.verdict = Verdict::NotChecked(text);
        }
    }

    /// Takes the verdict on `closeness` from the checks, where none of them differs: what they confirm needs no rule of its own.
    fn settle_closeness(&mut self) {
        let differs = self
            .conditions
            .iter()
            .any(|c| matches!(c.verdict, Verdict::Differs(_)));
        if differs {
            return;
        }
        let all = self.conditions.iter().all(|c| c.verdict == Verdict::Agrees);
        for finding in self.functions.iter_mut().filter(|f| f.name == "closeness") {
            finding.compared_by = ComparedBy::Checks;
            finding.verdict = if all {
                Verdict::Agrees
            } else {
                Verdict::NotChecked("conditions that no function checks".into())
            };
        }
    }
}

/// The second evaluation of a model, which serves all texts for it.
pub struct Reference<'a> {
    /// The machine.
    pub machine: Machine<'a>,
    field: Solutions<Modular>,
    digits: Solutions<Decimal>,
    laws: OnceLock<Laws>,
}

/// What mechanics says of a machine: identities and whether they hold, and the bound on an accident.
#[derive(Clone, Debug, Default)]
struct Laws {
    identities: Vec<(String, bool)>,
    chance: i32,
}

impl<'a> Reference<'a> {
    /// The evaluation of a model.
    ///
    /// # Errors
    /// Why there is none.
    pub fn new(system: &'a System, seed: u64) -> Result<Self, EvalError> {
        Ok(Self {
            machine: Machine::new(system, seed)?,
            field: Solutions::default(),
            digits: Solutions::default(),
            laws: OnceLock::new(),
        })
    }
}

/// Compares a module with its model.
///
/// # Errors
/// What is wrong with the module's data, or why the model cannot be evaluated.
pub fn prove(
    module: &Module,
    measures: Option<&Measures>,
    (system, reference): (&System, &Result<Reference<'_>, EvalError>),
    request: Request,
) -> Result<Proof, Vec<String>> {
    let layout = layout::layout(module, system)?;
    let reference = match reference {
        Ok(reference) => reference,
        Err(error) => return Err(vec![format!("the model cannot be evaluated: {error}")]),
    };
    let machine = &reference.machine;
    let assembled = assembled(module, machine, &layout)?;
    let sampled = sampled(module)?;
    let exact = Verifier::<Modular>::new(module, &layout, (machine, &reference.field));
    let field = exact.findings(request, |_| true);
    let rough = Verifier::<Decimal>::new(module, &layout, (machine, &reference.digits));
    let laws = reference
        .laws
        .get_or_init(|| laws(machine, request))
        .clone();
    let mut proof = Proof {
        functions: Vec::new(),
        conditions: Vec::new(),
        exact_states: field.states,
        rounded_states: 0,
        fractions: fractions(&module.literals),
        rounded: module.literals.iter().filter(|l| !l.is_exact()).count(),
        identities: laws.identities,
        chance: laws.chance,
        untaken: Vec::new(),
        bound: 0.0,
    };
    let open = |name: &str| {
        let found = field.found.get(name);
        found.is_none_or(|(verdict, _)| !verdict.is_settled())
    };
    let any = module.functions.iter().any(|f| open(&f.name));
    let numbers = any.then(|| rough.findings(request, |f| open(&f.name)));
    if let Some(numbers) = &numbers {
        let untaken = numbers.untaken.iter();
        let untaken = untaken.filter(|(name, _)| name != "closeness");
        proof.untaken = untaken.cloned().collect();
    }
    for function in &module.functions {
        let (verdict, state) = field.get(&function.name);
        let mut finding = Finding {
            name: function.name.clone(),
            verdict,
            compared_by: ComparedBy::Field,
            reason: String::new(),
            state,
        };
        if let Some(numbers) = numbers.as_ref().filter(|_| open(&function.name)) {
            finding.reason = reason(module, function, &finding.verdict);
            proof.decide_in_numbers(&mut finding, numbers);
        }
        proof.functions.push(finding);
    }
    proof.functions.extend(assembled);
    proof.functions.extend(sampled);
    let measured = match measures {
        Some(measures) => Some((measures, layout::layout(&measures.module, system)?)),
        None => None,
    };
    let measured = measured.as_ref().map(|(of, layout)| {
        let verifier = Verifier::new(&of.module, layout, (machine, &reference.digits));
        (*of, verifier)
    });
    rough.conditions(request, measured.as_ref(), &mut proof);
    Ok(proof)
}

/// Checks the machine itself by the identities of mechanics, and bounds the probability of an accident.
fn laws(machine: &Machine<'_>, request: Request) -> Laws {
    let (states, seed) = (request.states, request.seed);
    let mut laws = Laws::default();
    laws.identities = match states::in_field(machine, states, seed) {
        Ok(points) => {
            let first = points.first();
            let one = first.and_then(|p| chance(machine, &p.state, 0.0).ok());
            laws.chance = one.unwrap_or(0).saturating_mul(states as i32);
            laws_at(machine, &points)
        }
        Err(_) => match states::with_digits(machine, states, seed) {
            Ok(points) => laws_at(machine, &points),
            Err(_) => Vec::new(),
        },
    };
    laws
}

fn laws_at<N: Number>(machine: &Machine<'_>, points: &[SolvedState<N>]) -> Vec<(String, bool)> {
    let mut list: Vec<(String, bool)> = Vec::new();
    for point in points {
        for identity in identities(machine, point).unwrap_or_default() {
            match list.iter_mut().find(|(name, _)| name == identity.name) {
                Some((_, holds)) => *holds &= identity.holds,
                None => list.push((identity.name.to_owned(), identity.holds)),
            }
        }
    }
    list
}

impl Verdict {
    /// Whether another arithmetic need not be asked.
    fn is_settled(&self) -> bool {
        matches!(
            self,
            Self::Agrees | Self::AgreesOnConstraints | Self::NotChecked(_)
        )
    }
}

/// What is found of `assemble`, the text of which has been read: whether its rows are those that restrict positions, and velocities.
fn assembled(
    module: &Module,
    machine: &Machine<'_>,
    layout: &layout::Layout,
) -> Result<Option<Finding>, Vec<String>> {
    let Some(found) = &module.assembly else {
        return Ok(None);
    };
    let levels = || machine.rows.iter().map(|row| row.level);
    let positions: Vec<bool> = levels().map(|level| level == Level::Position).collect();
    let velocities: Vec<bool> = levels().map(|level| level != Level::Acceleration).collect();
    let free = !layout.is_reduced() && velocities.contains(&true);
    let velocities = free.then_some(velocities);
    let stands =
        found.positions == positions || found.positions.is_empty() && !positions.contains(&true);
    if !stands || found.velocities != velocities {
        return Err(vec![
            "`assemble` does not satisfy the rows that the model has".to_owned(),
        ]);
    }
    Ok(Some(Finding {
        name: emit::ASSEMBLE.to_owned(),
        verdict: Verdict::Agrees,
        compared_by: ComparedBy::Text,
        reason: String::new(),
        state: Vec::new(),
    }))
}

/// What is found of `discretized`, the text of which has been read: whether it samples all of the linear model, which is compared for itself.
fn sampled(module: &Module) -> Result<Option<Finding>, Vec<String>> {
    let Some(found) = module.sampling else {
        return Ok(None);
    };
    let model = module.function(REDUCED);
    let mut facts = module.facts.of(REDUCED);
    let entries = facts.find_map(|fact| match fact {
        Fact::IndependentEntries(names) => Some(names.len()),
        _ => None,
    });
    let columns = entries.map(|entries| 1 + entries + module.inputs.names.len());
    let same = |function: &Function| matches!(function.shape, Shape::Matrix(_, own) if Some(own) == columns);
    if entries != Some(found.rows) || columns != Some(found.columns) || !model.is_some_and(same) {
        return Err(vec![format!(
            "`{}` is not of the linear model that the module has",
            emit::DISCRETIZED
        )]);
    }
    Ok(Some(Finding {
        name: emit::DISCRETIZED.to_owned(),
        verdict: Verdict::Agrees,
        compared_by: ComparedBy::Text,
        reason: String::new(),
        state: Vec::new(),
    }))
}

/// Why the field did not decide.
fn reason(module: &Module, function: &Function, verdict: &Verdict) -> String {
    match verdict {
        Verdict::Error(error) => error.to_string(),
        _ if module.is_rounded(function) => "constants that are rounded in the file".into(),
        _ => "a disagreement in the field, to be confirmed".into(),
    }
}

fn fractions(literals: &[Literal]) -> Vec<String> {
    let mut list: Vec<String> = literals
        .iter()
        .filter(|literal| literal.is_fraction)
        .map(|literal| format!("{} = {}", literal.text, literal.value))
        .collect();
    list.sort();
    list.dedup();
    list
}

/// Verdicts on functions at many states.
#[derive(Default)]
struct Findings {
    /// The verdict and, where something is wrong, the state.
    found: BTreeMap<String, (Verdict, Vec<(String, String)>)>,
    bounds: BTreeMap<String, f64>,
    states: usize,
    untaken: Vec<(String, u32)>,
}

impl Findings {
    fn get(&self, name: &str) -> (Verdict, Vec<(String, String)>) {
        let none = || {
            let text = "no state could be found".to_owned();
            (Verdict::Error(EvalError::Unsupported(text)), Vec::new())
        };
        self.found.get(name).cloned().unwrap_or_else(none)
    }
}

impl<N: Arithmetic> Verifier<'_, N> {
    fn findings(&self, request: Request, wanted: impl Fn(&Function) -> bool) -> Findings {
        let functions = self.module.functions.iter();
        let functions: Vec<&Function> = functions.filter(|f| wanted(f)).collect();
        let mut all = Findings::default();
        let list = match self.test_points(request.states, request.seed) {
            Ok(list) => list,
            Err(error) => {
                let failed = |f: &&Function| {
                    let verdict = Verdict::Error(error.clone());
                    (f.name.clone(), (verdict, Vec::new()))
                };
                all.found = functions.iter().map(failed).collect();
                return all;
            }
        };
        for points in &list {
            let mut said = false;
            for function in &functions {
                said |= self.find(points, function, &mut all);
            }
            all.states += usize::from(said);
        }
        all.untaken = self.untaken(&list, request.seed);
        let wanted = |name: &String| functions.iter().any(|f| f.name == *name);
        all.untaken.retain(|(name, _)| wanted(name));
        all
    }

    /// Adds what is found on a function at a state; whether the state says anything.
    fn find(&self, points: &TestPoints<N>, function: &Function, all: &mut Findings) -> bool {
        let old = all.found.get(&function.name);
        if matches!(old, Some((Verdict::Differs(_), _))) {
            return false;
        }
        let verdict = self.reconsidered(points, function, self.check(points, function));
        let says = !matches!(verdict, Verdict::Error(EvalError::Singular(_)));
        let bound = all.bounds.entry(function.name.clone()).or_insert(0.0);
        *bound = bound.max(self.uncertainty(&points.on, function));
        // One state where nothing can be said does not undo what others say.
        let keeps = matches!(
            (&verdict, old),
            (Verdict::Error(EvalError::Singular(_)), Some(_))
                | (Verdict::Agrees, Some((Verdict::AgreesOnConstraints, _)))
        );
        if !keeps {
            let state = match &verdict {
                Verdict::Differs(_) => self.describe(&self.wrong_at(points, function).state),
                _ => Vec::new(),
            };
            all.found.insert(function.name.clone(), (verdict, state));
        }
        says
    }

    fn uncertainty(&self, point: &TestPoint<N>, function: &Function) -> f64 {
        if !self.module.is_rounded(function) {
            return 0.0;
        }
        let values = self.run_at(function, point);
        let outputs = run::outputs(function, &values).unwrap_or_default();
        let largest = outputs.iter().map(N::uncertainty);
        let (radius, size) = largest.fold((0.0_f64, 0.0_f64), |(a, b), (radius, size)| {
            (a.max(radius), b.max(size))
        });
        radius / size.max(1e-300)
    }

    /// A state at which a function is wrong.
    fn describe(&self, state: &State<N>) -> Vec<(String, String)> {
        let system = self.machine.system;
        let params = system.params.iter().map(|p| p.meta.name.clone());
        let inputs = system.inputs.iter().map(|i| i.meta.name.clone());
        let states = system.states.iter().map(|s| s.meta.name.clone());
        let coordinates = self.layout.coordinates.iter();
        let rates = coordinates.clone().map(|name| format!("{name}'"));
        let names = std::iter::once("t".to_owned())
            .chain(params)
            .chain(inputs)
            .chain(coordinates.cloned())
            .chain(rates)
            .chain(states);
        let numbers = std::iter::once(&state.t)
            .chain(&state.params)
            .chain(&state.inputs)
            .chain(&state.q)
            .chain(&state.rates)
            .chain(&state.states);
        names.zip(numbers.map(Number::show)).collect()
    }
}

impl Verifier<'_, Decimal> {
    /// Compares the checks of the functions with the measures of their conditions: those of a module of its own, or the `closeness` of this one.
    fn conditions(
        &self,
        request: Request,
        reference: Option<&(&Measures, Verifier<'_, Decimal>)>,
        proof: &mut Proof,
    ) {
        let has_checks = self.module.functions.iter().any(|f| !f.checks.is_empty());
        if !has_checks && self.module.function("closeness").is_none() {
            return;
        }
        let mut verdicts: Option<Vec<Condition>> = None;
        for (state, x) in Decimal::synthetic(self.machine, self.layout, request.seed) {
            let measures = match reference {
                Some((of, verifier)) => verifier.given(&[], &state, &x, |given| {
                    checks::closeness(&of.module, of.conditions.iter().map(String::as_str), given)
                }),
                None => self.given(&[], &state, &x, |given| {
                    let conditions = checks::measured(self.module).map(|(_, text)| text);
                    checks::closeness(self.module, conditions, given)
                }),
            };
            let found = self.given(&[], &state, &x, |given| {
                checks::compare(self.module, given, &measures)
            });
            let Some(list) = &mut verdicts else {
                verdicts = Some(found);
                continue;
            };
            for (old, new) in list.iter_mut().zip(found) {
                // A state where nothing can be said does not undo what another one says.
                let open = matches!(old.verdict, Verdict::Agrees | Verdict::Error(_));
                let silent = matches!(new.verdict, Verdict::Error(_));
                if open && !silent {
                    *old = new;
                }
            }
        }
        proof.conditions = verdicts.unwrap_or_default();
        // A state outside of a function's domain says nothing.
        for condition in &mut proof.conditions {
            if let Verdict::Error(error) = &condition.verdict {
                condition.verdict = Verdict::NotChecked(error.to_string());
            }
        }
        proof.settle_closeness();
    }
}
