//! Whole numbers that are known beforehand: counts, indices and the values of `const`s.

use super::expander::Expander;
use super::location::Location;
use super::scope;
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::model::units::is_unit;
use crate::span::Span;
use crate::syntax::ast::{BinaryOp, Declared, Expr, ExprKind, Item, ItemKind, NameIndex};
use std::collections::BTreeMap;

/// Largest index.
const LARGEST: i64 = 1_000_000_000;
/// Longest chain of constants that need each other.
const CHAIN: usize = 64;

type Count = Result<i64, Box<Diagnostic>>;

/// The value of an expression; `known` yields counters by name, or what to say of one.
fn value(expr: &Expr, known: &mut impl FnMut(&str, Span) -> Count) -> Count {
    let refuse = |label: &str| {
        let title = "expected an integer that is known before the derivation";
        Box::new(
            Diagnostic::error(codes::NOT_A_COUNT, title, expr.span, label)
                .help("counts consist of integers, `const`s and loop variables, with `+ - * / ^`"),
        )
    };
    let large = || refuse("this is too large");
    match &expr.kind {
        ExprKind::Number { text, unit: None } => match text.parse::<i64>() {
            Ok(number) => Ok(number),
            Err(_) if text.bytes().all(|b| b.is_ascii_digit()) => Err(large()),
            Err(_) => Err(refuse("this is not an integer")),
        },
        ExprKind::Number { .. } => Err(refuse("a count has no unit")),
        ExprKind::Name(name) => known(name, expr.span),
        ExprKind::Paren(inner) => value(inner, known),
        ExprKind::Neg(inner) => value(inner, known)?.checked_neg().ok_or_else(large),
        ExprKind::Binary(op, left, right) => {
            let (a, b) = (value(left, known)?, value(right, known)?);
            let result = match op {
                BinaryOp::Add => a.checked_add(b),
                BinaryOp::Sub => a.checked_sub(b),
                BinaryOp::Mul => a.checked_mul(b),
                BinaryOp::Div if b == 0 => return Err(refuse("this divides by zero")),
                BinaryOp::Div if a % b != 0 => {
                    return Err(refuse(&format!("{a}/{b} is not an integer")));
                }
                BinaryOp::Div => Some(a / b),
                BinaryOp::Pow => match u32::try_from(b) {
                    Ok(power) => a.checked_pow(power),
                    Err(_) => return Err(refuse("this power is not an integer")),
                },
            };
            result.ok_or_else(large)
        }
        _ => Err(refuse("this is known only later")),
    }
}

impl Expander<'_> {
    /// A counter by name.
    pub(super) fn counter(&self, name: &str, here: &Location) -> Option<i64> {
        let iteration = here
            .iterations
            .iter()
            .rev()
            .find(|(counter, _)| counter == name);
        iteration.map(|(_, value)| *value).or_else(|| {
            self.scopes[here.scope]
                .consts
                .get(name)
                .map(|(value, _)| *value)
        })
    }

    /// A whole number; `None` if it is none, which is reported.
    pub(super) fn count(&mut self, expr: &Expr, here: &Location) -> Option<i64> {
        let result = value(expr, &mut |name, span| match self.counter(name, here) {
            Some(value) => Ok(value),
            None => Err(self.no_counter(name, span, here)),
        });
        match result {
            Ok(value) => Some(value),
            Err(error) => self.refuse_at(here, *error),
        }
    }

    /// A whole number, if it is one.
    pub(super) fn quiet_count(&self, expr: &Expr, here: &Location) -> Option<i64> {
        value(expr, &mut |name, span| {
            self.counter(name, here)
                .ok_or_else(|| self.no_counter(name, span, here))
        })
        .ok()
    }

    /// An index.
    pub(super) fn index(&mut self, expr: &Expr, here: &Location) -> Option<i64> {
        let value = self.count(expr, here)?;
        if (0..=LARGEST).contains(&value) {
            return Some(value);
        }
        let title = if value < 0 {
            "an index cannot be negative"
        } else {
            "an index is too large"
        };
        let label = format!("this is {value}");
        let error = Diagnostic::error(codes::NOT_A_COUNT, title, expr.span, label)
            .help("indices are integers from 0");
        self.refuse_at(here, error)
    }

    fn no_counter(&self, name: &str, span: Span, here: &Location) -> Box<Diagnostic> {
        let entry = self.scopes[here.scope].names.get(name);
        let title = match entry {
            Some(_) => format!("`{name}` is not a known count"),
            None => format!("unknown counter `{name}`"),
        };
        let error = Diagnostic::error(codes::NOT_A_COUNT, title, span, "this must be an integer");
        Box::new(match entry {
            Some(entry) => error.label(entry.span, "declared here").help(format!(
                "if it is a count, declare it as `const {name} = ...`"
            )),
            None if is_unit(name) => error.help(format!(
                "the unit of a name follows a colon, as in `m : {name}`"
            )),
            None => error.help(format!(
                "declare it as `const {name} = ...`, or make it a loop variable"
            )),
        })
    }

    /// Reads the `const`s of a file; `given` are those that a `use` gives.
    pub(super) fn constants(
        &mut self,
        items: &[Item],
        here: &Location,
        given: &BTreeMap<String, i64>,
    ) {
        let all = self.declared_constants(items, here);
        let mut known = self.chosen_constants(&all, here, given);
        for (name, declared) in &all {
            let span = declared.name.span;
            let value = constant(name, span, &all, &mut known, &mut Vec::new());
            // What has no value is counted as 0, so that its users say nothing more of it.
            let number = *value.as_ref().unwrap_or(&0);
            let consts = &mut self.scopes[here.scope].consts;
            consts.insert((*name).to_owned(), (number, span));
            if let Err(error) = value {
                self.incomplete = true;
                let error = here.message(*error);
                if !self.diagnostics.contains(&error) {
                    self.report(error);
                }
            }
        }
        for (name, (_, span)) in self.scopes[here.scope].consts.clone() {
            self.counters.push((here.scope, name, here.span(span)));
        }
    }

    /// The `const`s that a file declares, by name; those that are declared wrongly or twice are reported.
    fn declared_constants<'i>(
        &mut self,
        items: &'i [Item],
        here: &Location,
    ) -> BTreeMap<&'i str, &'i Declared> {
        let mut all: BTreeMap<&str, &Declared> = BTreeMap::new();
        let lists = items.iter().filter_map(|item| match &item.kind {
            ItemKind::Const(names) => Some(names),
            _ => None,
        });
        for declared in lists.flatten() {
            let (name, span) = (declared.name.text.as_str(), declared.name.span);
            let wrong = if let Some(error) = misdeclared(declared) {
                error
            } else if scope::PREDECLARED.contains(&name) {
                scope::taken(name, span)
            } else if let Some(first) = all.insert(name, declared) {
                let title = format!("`{name}` is declared twice");
                Diagnostic::error(codes::DUPLICATE, title, span, "declared again")
                    .label(first.name.span, "first declared here")
                    .help("remove one of them")
            } else {
                continue;
            };
            self.report_at(here, wrong);
        }
        all
    }

    /// Values that come from a `use` or from outside the model.
    fn chosen_constants(
        &mut self,
        all: &BTreeMap<&str, &Declared>,
        here: &Location,
        given: &BTreeMap<String, i64>,
    ) -> BTreeMap<String, Count> {
        let prefix = &self.scopes[here.scope].prefix;
        let mut known: BTreeMap<String, Count> = BTreeMap::new();
        known.extend(given.iter().map(|(name, value)| (name.clone(), Ok(*value))));
        for name in all.keys() {
            let whole = format!("{prefix}{name}");
            for (index, (set, value)) in self.around.set.iter().enumerate() {
                if *set == whole {
                    self.set.insert(index);
                    known.insert((*name).to_owned(), Ok(*value));
                }
            }
        }
        known
    }
}

/// What is wrong with the form of a `const`.
fn misdeclared(declared: &Declared) -> Option<Diagnostic> {
    let name = &declared.name.ident;
    if let Some(index) = declared.name.indices.first() {
        let span = match index {
            NameIndex::At(expr) | NameIndex::Range(expr, _) => expr.span,
        };
        let title = format!("the constant `{}` cannot have an index", name.text);
        let error = Diagnostic::error(codes::NOT_A_COUNT, title, span, "counted");
        return Some(error.help("give each count its own name"));
    }
    if declared.value.is_none() {
        let title = format!("the constant `{}` has no value", name.text);
        let error = Diagnostic::error(codes::NOT_A_COUNT, title, name.span, "needs a value");
        return Some(error.help(format!("write `const {} = 5`", name.text)));
    }
    None
}

/// The value of a constant, after those that it needs.
fn constant(
    name: &str,
    span: Span,
    all: &BTreeMap<&str, &Declared>,
    known: &mut BTreeMap<String, Count>,
    open: &mut Vec<String>,
) -> Count {
    if let Some(value) = known.get(name) {
        return value.clone();
    }
    let Some(expr) = all.get(name).and_then(|declared| declared.value.as_ref()) else {
        let title = format!("`{name}` is not a known count");
        let error = Diagnostic::error(codes::NOT_A_COUNT, title, span, "not a `const`").help(
            "a `const` is an integer, given by numbers and other `const`s; for a physical constant use `param`",
        );
        return Err(Box::new(error));
    };
    if open.iter().any(|other| other == name) || open.len() >= CHAIN {
        let title = if open.len() >= CHAIN {
            "too many constants depend on each other".to_owned()
        } else {
            format!("the constant `{name}` depends on itself")
        };
        let error = Diagnostic::error(codes::NOT_A_COUNT, title, span, "needed here")
            .help("give one of them a numeric value");
        return Err(Box::new(error));
    }
    open.push(name.to_owned());
    let result = value(expr, &mut |name, span| {
        constant(name, span, all, known, open)
    });
    open.pop();
    known.insert(name.to_owned(), result.clone());
    result
}
