//! A module beside another one that is known to be complete: the checks that it lacks, and the functions of numbers that only it uses. A check that
//! is not there changes no number, and what a sample says of a branch or an inverse function holds near the sample alone; so neither is
//! found by evaluation.

use std::collections::BTreeSet;

use super::text::tree::{Function, Module, Step};

/// The checks of `wanted` that `found` does not make.
#[must_use]
pub fn lacking(found: &Module, wanted: &Module) -> Vec<String> {
    let mut list = Vec::new();
    for function in &wanted.functions {
        let Some(own) = found.function(&function.name) else {
            continue;
        };
        let (name, line) = (&own.name, own.line);
        if function.checked && !own.checked {
            list.push(format!("line {line}: `{name}` refuses no state"));
            continue;
        }
        if function.guarded.is_some() && own.guarded.is_none() {
            list.push(format!(
                "line {line}: `{name}` does not look at the margin of what it presumes"
            ));
        }
        let (had, asked) = (conditions(found, own), conditions(wanted, function));
        for text in asked.iter().collect::<BTreeSet<_>>() {
            let count = |list: &[&str]| list.iter().filter(|t| *t == text).count();
            if count(&had) < count(&asked) {
                list.push(format!("line {line}: `{name}` does not check `{text}`"));
            }
        }
    }
    let tolerance = |module: &Module| {
        let index = module.tolerance?;
        let literal = module.literals.get(index as usize)?;
        Some((literal.value.clone(), literal.text.clone()))
    };
    if let (Some((a, found)), Some((b, wanted))) = (tolerance(found), tolerance(wanted))
        && a != b
    {
        list.push(format!(
            "`SINGULAR_TOLERANCE` is {found}, and has to be {wanted}"
        ));
    }
    list
}

/// The conditions that a function checks, one for each check.
fn conditions<'m>(module: &'m Module, function: &Function) -> Vec<&'m str> {
    let checks = function.checks.iter().map(|check| check.condition);
    let routines = function.routines.iter().map(|(_, condition)| *condition);
    let all = checks.chain(routines).chain(function.finite);
    all.filter_map(|index| module.conditions.get(index as usize))
        .map(String::as_str)
        .collect()
}

/// What `found` calculates with and `wanted` does not, for each kind of step the first function that has it.
#[must_use]
pub fn foreign(found: &Module, wanted: &Module) -> Vec<String> {
    let steps = |module: &Module| -> BTreeSet<String> {
        let functions = module.functions.iter();
        functions
            .flat_map(|f| f.steps.iter().filter_map(kind))
            .collect()
    };
    let known = steps(wanted);
    let mut told = BTreeSet::new();
    let mut list = Vec::new();
    for function in &found.functions {
        for (place, step) in function.steps.iter().enumerate() {
            let Some(kind) = kind(step).filter(|kind| !known.contains(kind)) else {
                continue;
            };
            let line = function.lines.get(place).copied().unwrap_or(function.line);
            if told.insert(kind.clone()) {
                let name = &function.name;
                list.push(format!(
                    "line {line}: `{name}` uses {kind}, which this version does not write for the model"
                ));
            }
        }
    }
    list
}

/// A step that samples do not decide for all numbers.
fn kind(step: &Step) -> Option<String> {
    Some(match step {
        Step::Function(function, _) => format!("`{function:?}`").to_lowercase(),
        Step::Function2(function, ..) => format!("`{function:?}`").to_lowercase(),
        Step::Asinh(_) => "`asinh`".into(),
        Step::Acosh(_) => "`acosh`".into(),
        Step::Atanh(_) => "`atanh`".into(),
        Step::Abs(_) => "`abs`".into(),
        Step::Sign(_) => "a sign".into(),
        Step::Min(..) => "`min`".into(),
        Step::Max(..) => "`max`".into(),
        Step::Select(..) => "a branch".into(),
        _ => return None,
    })
}
