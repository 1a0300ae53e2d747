//! The checks of a module: every function that refuses a state does so by the measure that `closeness` reports. Both are in the
//! text, each computed on its own, so that a wrong divisor or scale of one shows beside the other. Needs an arithmetic with
//! an order, and no more of a state than that the functions have values there.

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
    /// Whether all of them and `closeness` agree.
    pub verdict: Verdict,
}

/// Compares all checks with `closeness`, given the arguments of the functions.
pub fn compare<N: Number>(module: &Module, given: &Given<'_, N>) -> Vec<Condition> {
    let closeness = module.function("closeness");
    let reported = closeness.map(|function| (function, run::run(function, given)));
    let of_routines = |condition: usize| {
        let mut routines = module.functions.iter().flat_map(|f| &f.routines);
        routines.any(|(_, found)| *found as usize == condition)
    };
    // What is measured of each function, without what comes after the checks.
    let measured: Vec<Vec<Outcome<N>>> = module
        .functions
        .iter()
        .map(|function| run::run_for(function, given, function.measured()))
        .collect();
    let mut entry = 0;
    let mut list = Vec::new();
    for (index, text) in module.conditions.iter().enumerate() {
        let mut of_results = module.functions.iter().filter_map(|f| f.finite);
        // What a routine finds at run time has no measure, nor have results that are not finite.
        if of_routines(index) || of_results.any(|found| found as usize == index) {
            continue;
        }
        let mut condition = Condition {
            text: text.clone(),
            checks: 0,
            verdict: Verdict::Agrees,
        };
        let place = reported.as_ref().and_then(|(f, _)| f.outputs.get(entry));
        let measure = match (&reported, place) {
            (Some((_, values)), Some((place, _))) => run::number(values, *place).cloned(),
            _ => EvalError::unsupported(format!("`closeness` has no entry {entry}")),
        };
        entry += 1;
        for (function, values) in module.functions.iter().zip(&measured) {
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
        }
        list.push(condition);
    }
    list.extend(surplus(closeness, entry));
    list
}

/// Where `closeness` has more or fewer entries than there are conditions with a measure.
fn surplus(closeness: Option<&Function>, measures: usize) -> Option<Condition> {
    let entries = closeness.map_or(0, |function| function.outputs.len());
    (entries != measures).then(|| Condition {
        text: "number of entries of `closeness`".into(),
        checks: 0,
        verdict: Verdict::Differs(Box::new(Difference {
            function: "closeness".into(),
            entry: "number of entries".into(),
            line: closeness.map_or(1, |function| function.line),
            found: entries.to_string(),
            expected: measures.to_string(),
            against: "the conditions with a measure".into(),
        })),
    })
}

/// One check against the measure that `closeness` gives.
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
        against: "`closeness`".into(),
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
