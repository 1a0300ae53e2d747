//! The checks of a module: every function that refuses a state does so by the measure of the condition, which is derived for itself, or
//! else the module's own `closeness`. Each is computed on its own, so that a wrong divisor or scale of one shows beside the other. Needs an
//! arithmetic with an order, and no more of a state than that the functions have values there.

use std::collections::BTreeMap;

use super::compare::{Difference, Verdict};
use super::number::{EvalError, Number};
use super::text::run::{self, Given, Outcome};
use super::text::tree::{Check, Function, Module};

/// What was found on one condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Its text.
    pub text: String,
    /// How many checks refuse by it.
    pub checks: usize,
    /// Whether all of them agree with its measure.
    pub verdict: Verdict,
}

/// What conditions are measured by: a module with the function `closeness`, and the condition of each entry.
#[derive(Clone, Debug)]
pub struct Measures {
    /// The module.
    pub module: Module,
    /// The conditions.
    pub conditions: Vec<String>,
}

/// How close a state is to each condition.
pub type Closeness<N> = BTreeMap<String, Result<N, EvalError>>;

/// What `closeness` of a module says of the conditions that its entries belong to.
pub fn closeness<'c, N: Number>(
    module: &Module,
    conditions: impl Iterator<Item = &'c str>,
    given: &Given<'_, N>,
) -> Closeness<N> {
    let Some(function) = module.function("closeness") else {
        return Closeness::new();
    };
    let values = run::run(function, given);
    let entry = |(at, text): (usize, &str)| {
        let measure = match function.outputs.get(at) {
            Some((place, _)) => run::number(&values, *place).cloned(),
            None => EvalError::unsupported(format!("`closeness` has no entry {at}")),
        };
        (text.to_owned(), measure)
    };
    conditions.enumerate().map(entry).collect()
}

/// The conditions of a module with a measure: what a routine finds at run time has none, nor have results that are not finite.
pub fn measured(module: &Module) -> impl Iterator<Item = (usize, &str)> {
    let routines = module.functions.iter().flat_map(|f| &f.routines);
    let routines = routines.map(|(_, found)| *found as usize);
    let of_results = module.functions.iter().filter_map(|f| f.finite);
    let others: Vec<usize> = routines
        .chain(of_results.map(|found| found as usize))
        .collect();
    let all = module.conditions.iter().map(String::as_str).enumerate();
    all.filter(move |(index, _)| !others.contains(index))
}

/// Compares all checks with the measures, given the arguments of the functions.
pub fn compare<N: Number>(
    module: &Module,
    given: &Given<'_, N>,
    measures: &Closeness<N>,
) -> Vec<Condition> {
    // What is measured of each function, without what comes after the checks.
    let values: Vec<Vec<Outcome<N>>> = module
        .functions
        .iter()
        .map(|function| run::run_for(function, given, function.measured()))
        .collect();
    let unknown = || EvalError::unsupported("no measure of it is derived".to_owned());
    let own = closeness(module, measured(module).map(|(_, text)| text), given);
    let mut list = Vec::new();
    for (index, text) in measured(module) {
        let mut condition = Condition {
            text: text.to_owned(),
            checks: 0,
            verdict: Verdict::Agrees,
        };
        let measure = measures.get(text).cloned().unwrap_or_else(unknown);
        for (function, values) in module.functions.iter().zip(&values) {
            let checks = function.checks.iter();
            for check in checks.filter(|check| check.condition as usize == index) {
                let verdict = one(function, check, values, &measure);
                condition.checks += 1;
                if condition.verdict == Verdict::Agrees {
                    condition.verdict = verdict;
                }
            }
        }
        if condition.checks == 0 {
            condition.verdict = Verdict::NotChecked("no function checks it".into());
        } else if let (Verdict::Agrees, Some(own)) = (&condition.verdict, own.get(text)) {
            condition.verdict = reported(module, own, &measure);
        }
        list.push(condition);
    }
    list.extend(surplus(module, list.len()));
    list
}

/// What `closeness` reports against the measure.
fn reported<N: Number>(
    module: &Module,
    own: &Result<N, EvalError>,
    measure: &Result<N, EvalError>,
) -> Verdict {
    let (own, measure) = match (own, measure) {
        (Ok(own), Ok(measure)) => (own, measure),
        (Err(error), _) | (_, Err(error)) => return Verdict::Error(error.clone()),
    };
    let scale = N::int(1).add(measure);
    if own.agrees(measure, &scale) {
        return Verdict::Agrees;
    }
    Verdict::Differs(Box::new(Difference {
        function: "closeness".into(),
        entry: "measure".into(),
        line: module.function("closeness").map_or(1, |f| f.line),
        found: own.show(),
        expected: measure.show(),
        against: "the condition".into(),
    }))
}

/// Where `closeness`, if it is there, has more or fewer entries than there are conditions with a measure.
fn surplus(module: &Module, measures: usize) -> Option<Condition> {
    let closeness = module.function("closeness")?;
    let entries = closeness.outputs.len();
    (entries != measures).then(|| Condition {
        text: "number of entries of `closeness`".into(),
        checks: 0,
        verdict: Verdict::Differs(Box::new(Difference {
            function: "closeness".into(),
            entry: "number of entries".into(),
            line: closeness.line,
            found: entries.to_string(),
            expected: measures.to_string(),
            against: "the conditions with a measure".into(),
        })),
    })
}

/// One check against the measure of its condition.
pub fn one<N: Number>(
    function: &Function,
    check: &Check,
    values: &[Outcome<N>],
    measure: &Result<N, EvalError>,
) -> Verdict {
    let found = relative(check, values);
    let (found, measure) = match (found, measure) {
        (Ok(Some(found)), Ok(measure)) => (found, measure),
        // A branch that is not taken asks for nothing.
        (Ok(None), _) => return Verdict::Agrees,
        (Err(error), _) => return Verdict::Error(error),
        (_, Err(error)) => return Verdict::Error(error.clone()),
    };
    let scale = N::int(1).add(measure);
    if found.agrees(measure, &scale) {
        return Verdict::Agrees;
    }
    Verdict::Differs(Box::new(Difference {
        function: function.name.clone(),
        entry: format!("check of condition {}", check.condition),
        line: check.line,
        found: found.show(),
        expected: measure.show(),
        against: "the condition".into(),
    }))
}

/// The divisor relative to its scale; `None` where both are 1, as in a branch that is not taken.
pub(super) fn relative<N: Number>(
    check: &Check,
    values: &[Outcome<N>],
) -> Result<Option<N>, EvalError> {
    let size = |x: &N| match x.is_less(&N::int(0)) {
        Ok(true) => Ok(x.neg()),
        Ok(false) => Ok(x.clone()),
        Err(error) => Err(error),
    };
    let divisor = size(run::number(values, check.divisor)?)?;
    let scale = size(run::number(values, check.scale)?)?;
    let one = N::int(1);
    // Exact however small it is.
    if scale.is_zero() {
        return Ok((divisor != one).then_some(divisor));
    }
    if divisor == one && scale == one {
        return Ok(None);
    }
    divisor.div(&scale).map(Some)
}
