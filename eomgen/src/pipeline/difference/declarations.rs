//! Quantities that two models declare, compared: units, values, signs.

use super::Change;
use crate::model::System;
use crate::model::system::{Meta, Rational, Sign};
use crate::program::Renaming;
use crate::sym::typed_number;

/// Titles, in the order in which a reviewer reads.
pub(super) const PARTS: [&str; 5] = [
    "Parameters",
    "Coordinates",
    "Inputs",
    "Functions",
    "Assumptions",
];

/// What is said of a quantity.
struct Declared {
    part: &'static str,
    name: String,
    said: String,
}

/// Declarations that differ, by the newer names.
pub(super) fn changes(old: &System, new: &System, renamed: &Renaming) -> Vec<Change> {
    let (mut old, new) = (declared(old), declared(new));
    for d in &mut old {
        if let Some(name) = renamed.get(&d.name) {
            d.name.clone_from(name);
        }
    }
    let mut changes = Vec::new();
    for part in PARTS {
        let within = |list: &'_ [Declared]| -> Vec<(String, String)> {
            let here = list.iter().filter(|d| d.part == part);
            here.map(|d| (d.name.clone(), d.said.clone())).collect()
        };
        let (was, is) = (within(&old), within(&new));
        for (name, said) in &was {
            let now = is.iter().find(|n| n.0 == *name);
            if now.is_none_or(|now| now.1 != *said) {
                let now = now.map(|now| now.1.as_str());
                changes.push(Change::declared(part, name, Some(said), now));
            }
        }
        for (name, said) in &is {
            if !was.iter().any(|w| w.0 == *name) {
                changes.push(Change::declared(part, name, None, Some(said)));
            }
        }
    }
    changes
}

fn declared(system: &System) -> Vec<Declared> {
    let mut list = Vec::new();
    let mut push = |part, meta: &Meta, said: &str| {
        list.push(Declared {
            part,
            name: meta.name.clone(),
            said: said.trim().to_owned(),
        });
    };
    for p in &system.params {
        let said = valued(p.default.as_ref(), &p.meta, p.sign);
        push("Parameters", &p.meta, &said);
    }
    for c in &system.coords {
        let said = valued(c.initial.as_ref(), &c.meta, c.sign);
        push("Coordinates", &c.meta, &said);
    }
    for s in &system.states {
        let value = valued(s.initial.as_ref(), &s.meta, None);
        let said = format!("{value}, rate {}", system.scalar_text(&s.rate));
        push("States", &s.meta, &said);
    }
    for i in &system.inputs {
        push("Inputs", &i.meta, &unit(&i.meta));
    }
    for f in &system.functions {
        let said = format!("of {}{}", f.arg_names.join(", "), unit(&f.meta));
        push("Functions", &f.meta, &said);
    }
    for a in &system.assumptions {
        list.push(Declared {
            part: "Assumptions",
            name: a.text.clone(),
            said: String::new(),
        });
    }
    list
}

fn valued(value: Option<&Rational>, meta: &Meta, sign: Option<Sign>) -> String {
    let value = value.map(|n| format!("= {} ", typed_number(n, meta.unit.as_deref())));
    let sign = match sign {
        None => "",
        Some(Sign::Positive) => " > 0",
        Some(Sign::NonNegative) => " >= 0",
        Some(Sign::Negative) => " < 0",
        Some(Sign::NonPositive) => " <= 0",
        Some(Sign::NonZero) => " != 0",
    };
    format!("{}{}{sign}", value.unwrap_or_default(), unit(meta))
}

fn unit(meta: &Meta) -> String {
    match &meta.unit {
        Some(unit) => format!(": {unit}"),
        None => String::new(),
    }
}
