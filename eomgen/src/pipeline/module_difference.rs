//! Two generated modules compared: which functions compute something else. Both are read back as `verify` reads them, and evaluated at
//! random points of a prime field, where equality is exact; where a field does not have the operation, in numbers of many digits.

use std::collections::BTreeSet;
use std::fmt;

use crate::verify::number::{Decimal, EvalError, Functions, Modular, Number};
use crate::verify::text::read;
use crate::verify::text::run::{self, Given, Jet};
use crate::verify::text::tree::{Function, Module};

/// How often functions are evaluated.
const POINTS: u64 = 3;

/// What came of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Equal in a prime field.
    Equal,
    /// Equal to many digits.
    EqualInDigits,
    /// It changed.
    Different,
    /// Only the older one has it.
    Gone,
    /// Only the newer one has it.
    New,
    /// Neither arithmetic could tell at any point.
    Undecided,
}

/// The difference of two generated modules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleDifference {
    /// Each function with what came of it.
    pub functions: Vec<(String, Outcome)>,
    /// Parameters, inputs and entries of the state that are there on one side only, or have another default value.
    pub declarations: Vec<String>,
    /// What the modules state of their functions, likewise; empty where one of them is of a version that stated nothing.
    pub facts: Vec<(bool, String)>,
    /// Lines of the equations in the documentation: whether the newer one has it, and the line.
    pub documented: Vec<(bool, String)>,
    /// Singular conditions, likewise.
    pub conditions: Vec<(bool, String)>,
}

/// Compares two generated modules.
///
/// # Errors
/// Which one cannot be read (whether the newer), and why.
pub fn module_difference(old: &str, new: &str) -> Result<ModuleDifference, (bool, String)> {
    let modules = [(false, old), (true, new)].map(|(is_new, text)| {
        read(text).map_err(|e| (is_new, format!("this is no generated module: {e}")))
    });
    let [a, b] = modules;
    let (a, b) = (a?, b?);
    let mut functions = Vec::new();
    for function in &a.functions {
        let outcome = match b.function(&function.name) {
            Some(other) => compared((&a, function), (&b, other)),
            None => Outcome::Gone,
        };
        functions.push((function.name.clone(), outcome));
    }
    for function in &b.functions {
        if a.function(&function.name).is_none() {
            functions.push((function.name.clone(), Outcome::New));
        }
    }
    Ok(ModuleDifference {
        functions,
        declarations: declarations(&a, &b),
        facts: facts(&a, &b),
        documented: lines(&equations(old), &equations(new)),
        conditions: lines(&a.conditions, &b.conditions),
    })
}

fn compared(old: (&Module, &Function), new: (&Module, &Function)) -> Outcome {
    let shapes = |(_, f): (&Module, &Function)| (f.shape, f.extra.clone(), f.checked);
    if shapes(old) != shapes(new) {
        return Outcome::Different;
    }
    let field = |seed: u64, name: u64| Modular::random(seed, name).made_positive();
    if let Some(equal) = same(old, new, &field) {
        return if equal {
            Outcome::Equal
        } else {
            Outcome::Different
        };
    }
    // Numbers between 1/2 and 3/2.
    let digits = |seed: u64, name: u64| {
        let bits = place(&format!("{seed} {name}")) % 4096;
        Decimal::from_f64(0.5 + bits as f64 / 4096.0)
    };
    match same(old, new, &digits) {
        Some(true) => Outcome::EqualInDigits,
        Some(false) => Outcome::Different,
        None => Outcome::Undecided,
    }
}

/// Whether two functions agree wherever they can be evaluated; `None` if that is nowhere.
fn same<N: Number>(
    old: (&Module, &Function),
    new: (&Module, &Function),
    draw: &dyn Fn(u64, u64) -> N,
) -> Option<bool> {
    let mut decided = None;
    for seed in 1..=POINTS {
        let values = [old, new].map(|(module, function)| outputs(module, function, seed, draw));
        match values {
            [Ok(a), Ok(b)] => {
                let scale = a.iter().fold(N::int(1), |sum, x| sum.add(&x.mul(x)));
                if a.len() != b.len() || !a.iter().zip(&b).all(|(x, y)| x.agrees(y, &scale)) {
                    return Some(false);
                }
                decided = Some(true);
            }
            // The one has a value where the other has none.
            [Ok(_), Err(EvalError::Singular(_))] | [Err(EvalError::Singular(_)), Ok(_)] => {
                return Some(false);
            }
            _ => {}
        }
    }
    decided
}

/// What a function gives for inputs that are drawn by their names.
fn outputs<N: Number>(
    module: &Module,
    function: &Function,
    seed: u64,
    draw: &dyn Fn(u64, u64) -> N,
) -> Result<Vec<N>, EvalError> {
    let named = |kind: &str, name: &str| draw(seed, place(&format!("{kind} {name}")));
    let all = |kind: &str, names: &[String]| -> Vec<N> {
        names.iter().map(|name| named(kind, name)).collect()
    };
    let extra = function.extra.iter().map(|(name, length)| {
        let entries = (0..*length).map(|i| named(name, &i.to_string()));
        entries.collect::<Vec<N>>()
    });
    let extra: Vec<Vec<N>> = extra.collect();
    let functions = Functions::new(seed);
    let call = |index: usize, arguments: &[N]| -> Result<Jet<N>, EvalError> {
        let name = module.user_functions.get(index).map_or("", |f| &f.name);
        let function = functions.function(place(name) as usize, arguments.len());
        Jet::of(&function, 2, arguments)
    };
    let literals = run::literals(module);
    let values = run::run(
        function,
        &Given {
            t: &named("time", ""),
            state: &all("state", &module.state.names),
            extra: &extra,
            params: &all("param", &module.params.names),
            inputs: &all("input", &module.inputs.names),
            functions: &call,
            literals: &literals,
        },
    );
    run::outputs(function, &values)
}

/// A number that belongs to a name.
fn place(name: &str) -> u64 {
    crate::ir::content::text(name) >> 1
}

fn declarations(old: &Module, new: &Module) -> Vec<String> {
    let mut list = Vec::new();
    let kinds = [
        ("parameter", &old.params, &new.params),
        ("input", &old.inputs, &new.inputs),
        ("state", &old.state, &new.state),
    ];
    for (kind, a, b) in kinds {
        let text = |module: &Module, fields: &crate::verify::text::tree::Fields, name: &str| {
            let index = fields.names.iter().position(|n| n == name)?;
            let literal = *fields.defaults.as_ref()?.get(index)?;
            let literal = module.literals.get(literal as usize)?;
            Some(literal.text.clone())
        };
        for name in &a.names {
            if !b.names.contains(name) {
                list.push(format!("- {kind} {name}"));
                continue;
            }
            let (was, is) = (text(old, a, name), text(new, b, name));
            if was != is {
                let shown = |value: Option<String>| value.unwrap_or_else(|| "none".into());
                list.push(format!(
                    "~ {kind} {name}: default {}, now {}",
                    shown(was),
                    shown(is)
                ));
            }
        }
        let come = b.names.iter().filter(|name| !a.names.contains(name));
        list.extend(come.map(|name| format!("+ {kind} {name}")));
    }
    list
}

fn facts(old: &Module, new: &Module) -> Vec<(bool, String)> {
    if old.facts.formulation.is_empty() || new.facts.formulation.is_empty() {
        return Vec::new();
    }
    lines(&old.facts.lines(), &new.facts.lines())
}

/// The lines of mathematics in a module's documentation.
fn equations(text: &str) -> Vec<String> {
    let docs = text.lines().filter_map(|line| line.strip_prefix("//!"));
    let mut inside = false;
    let mut found = Vec::new();
    for line in docs {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if inside {
            found.push(line.trim().to_owned());
        }
    }
    found
}

fn lines(old: &[String], new: &[String]) -> Vec<(bool, String)> {
    let sets: [BTreeSet<&String>; 2] = [old.iter().collect(), new.iter().collect()];
    let [was, is] = &sets;
    let gone = old.iter().filter(|line| !is.contains(line));
    let come = new.iter().filter(|line| !was.contains(line));
    let gone = gone.map(|line| (false, line.clone()));
    gone.chain(come.map(|line| (true, line.clone()))).collect()
}

impl ModuleDifference {
    /// Whether both compute the same and say so. The documentation does not count, nor by which formulation it was found.
    pub fn is_none(&self) -> bool {
        let same = |outcome: &Outcome| matches!(outcome, Outcome::Equal | Outcome::EqualInDigits);
        let mut facts = self.facts.iter();
        self.functions.iter().all(|(_, outcome)| same(outcome))
            && self.declarations.is_empty()
            && facts.all(|(_, line)| line.starts_with("formulation"))
    }

    fn with(&self, outcome: Outcome) -> Vec<&str> {
        let list = self.functions.iter().filter(|(_, found)| *found == outcome);
        list.map(|(name, _)| name.as_str()).collect()
    }

    /// As JSON: names of functions by what came of them, and lists of what differs otherwise.
    pub fn to_json(&self) -> String {
        let marked = |list: &[(bool, String)]| -> Vec<String> {
            list.iter().map(|(new, line)| mark(*new, line)).collect()
        };
        let value = serde_json::json!({
            "differs": !self.is_none(),
            "equal": self.with(Outcome::Equal),
            "equal_in_digits": self.with(Outcome::EqualInDigits),
            "different": self.with(Outcome::Different),
            "gone": self.with(Outcome::Gone),
            "new": self.with(Outcome::New),
            "undecided": self.with(Outcome::Undecided),
            "declarations": self.declarations,
            "facts": marked(&self.facts),
            "equations": marked(&self.documented),
            "conditions": marked(&self.conditions),
        });
        format!("{value:#}\n")
    }
}

fn mark(new: bool, line: &str) -> String {
    format!("{} {line}", if new { '+' } else { '-' })
}

impl fmt::Display for ModuleDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.declarations {
            writeln!(f, "{line}")?;
        }
        for (title, list) in [
            ("facts", &self.facts),
            ("equations in the documentation", &self.documented),
            ("singular conditions", &self.conditions),
        ] {
            if !list.is_empty() {
                writeln!(f, "{title}")?;
            }
            for (new, line) in list {
                writeln!(f, "  {}", mark(*new, line))?;
            }
        }
        for (title, outcome) in [
            ("changed", Outcome::Different),
            ("gone", Outcome::Gone),
            ("new", Outcome::New),
            ("undecided", Outcome::Undecided),
            ("equal (exactly, in a prime field)", Outcome::Equal),
            (
                "equal (numerically, in high precision)",
                Outcome::EqualInDigits,
            ),
        ] {
            let names = self.with(outcome);
            if !names.is_empty() {
                writeln!(f, "{title}:")?;
            }
            for name in names {
                writeln!(f, "  {name}")?;
            }
        }
        Ok(())
    }
}
