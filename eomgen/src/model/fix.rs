//! Parameters that become numbers: chosen outside the model, put into a checked [`System`].
//!
//! Knows what was requested and what the model assumes of its parameters; nothing of how equations are derived.

use num_traits::{Signed, ToPrimitive, Zero};

use super::codes;
use super::domain::{self, Constant};
use super::number::{decimal, number_text};
use super::resolve::power;
pub use super::system::Fixed;
use super::system::{Assumption, Param, ParamId, Quantity, Rational, Scalar, Sign, System};
use super::walk::{each_scalar, scalars_of};
use crate::diag::{Diagnostic, suggest};
use crate::function::Elementary;

/// Which parameters become numbers, and which numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fix {
    /// Every parameter that is not in [`values`](Self::values) takes the model's default.
    pub all: bool,
    /// Names of parameters and their values in SI units, exact.
    pub values: Vec<(String, Rational)>,
}

impl Fix {
    /// Whether every parameter stays one.
    pub fn is_empty(&self) -> bool {
        !self.all && self.values.is_empty()
    }

    /// Takes `all`, or a name and its value as in `g=9.81` or `k=1/3`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn add(&mut self, text: &str) -> Result<(), String> {
        let Some((name, value)) = text.split_once('=') else {
            if text.trim() == "all" {
                self.all = true;
                return Ok(());
            }
            return Err("write a parameter and its value, as in g=9.81, or all".to_owned());
        };
        let (name, value) = (name.trim(), value.trim());
        let number = exact_number(value)
            .ok_or_else(|| format!("the value of a parameter must be a number, not '{value}'"))?;
        if name.is_empty() {
            return Err("the name of the parameter is missing".to_owned());
        }
        if self.values.iter().any(|(known, _)| known == name) {
            return Err(format!("'{name}' is fixed more than once"));
        }
        self.values.push((name.to_owned(), number));
        Ok(())
    }

    /// The value of each name as [`add`](Self::add) reads it, by name.
    pub fn pairs(&self) -> Vec<(String, String)> {
        let pairs = self.values.iter();
        let mut list: Vec<_> = pairs.map(|(n, v)| (n.clone(), number_text(v))).collect();
        list.sort();
        list
    }
}

/// A decimal, or a quotient of two, with a sign in front or not.
fn exact_number(text: &str) -> Option<Rational> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, text),
    };
    let magnitude = match text.split_once('/') {
        Some((above, below)) => {
            let below = decimal(below.trim())?;
            (!below.is_zero()).then_some(())?;
            decimal(above.trim())? / below
        }
        None => decimal(text)?,
    };
    Some(if negative { -magnitude } else { magnitude })
}

/// Why parameters cannot be fixed as requested.
#[derive(Clone, Debug, PartialEq)]
pub enum Refused {
    /// What is not about the model's text: one line for each complaint.
    Request(Vec<String>),
    /// What the model says against the values.
    Model(Vec<Diagnostic>),
}

/// Puts the values into the system, which loses these parameters. They are listed in [`System::fixed`].
///
/// # Errors
/// Unknown names, parameters without default, values against what the model assumes, and divisors that become 0.
pub fn fix(system: &mut System, wanted: &Fix) -> Result<(), Refused> {
    if wanted.is_empty() {
        return Ok(());
    }
    let values = values(system, wanted).map_err(Refused::Request)?;
    let mut wrong: Vec<Diagnostic> = Vec::new();
    for (param, value) in system.params.iter().zip(&values) {
        if let (Some(value), Some(sign)) = (value, param.sign)
            && !agrees(value, sign)
        {
            wrong.push(against(param, value, sign));
        }
    }
    let known = |scalar: &Scalar| known(system, &values, scalar);
    wrong.extend(zero_divisors(system, &known));
    wrong.extend(outside_domains(system, &values));
    let assumptions = system.assumptions.iter().filter_map(|a| {
        let value = known(&a.value)?;
        (!agrees(&value, a.sign)).then(|| broken(a))
    });
    wrong.extend(assumptions);
    if !wrong.is_empty() {
        return Err(Refused::Model(wrong));
    }
    // What is left of a satisfied assumption on numbers alone says nothing.
    let open: Vec<Assumption> = system
        .assumptions
        .iter()
        .filter(|a| known(&a.value).is_none())
        .cloned()
        .collect();
    system.assumptions = open;
    put_in(system, values);
    Ok(())
}

/// Replaces parameters by their values and removes them; the others move up.
fn put_in(system: &mut System, values: Vec<Option<Rational>>) {
    let mut next = 0;
    let new_ids: Vec<Option<ParamId>> = values
        .iter()
        .map(|value| {
            value.is_none().then(|| {
                next += 1;
                ParamId(next - 1)
            })
        })
        .collect();
    each_scalar(system, &mut |scalar| {
        let Scalar::Param(id) = scalar else { return };
        match (values.get(id.index()), new_ids.get(id.index())) {
            (Some(Some(value)), _) => *scalar = Scalar::Number(value.clone()),
            (_, Some(Some(new))) => *id = *new,
            _ => {}
        }
    });
    let params = std::mem::take(&mut system.params);
    for (param, value) in params.into_iter().zip(values) {
        match value {
            Some(value) => system.fixed.push(Fixed { param, value }),
            None => system.params.push(param),
        }
    }
}

/// Messages on divisors that become 0, looked at before the names in them are gone.
fn zero_divisors(system: &System, known: &impl Fn(&Scalar) -> Option<Rational>) -> Vec<Diagnostic> {
    let mut zero: Vec<ParamId> = Vec::new();
    each_scalar(&mut system.clone(), &mut |scalar| {
        let divisor = match scalar {
            Scalar::Div(_, divisor) => divisor,
            Scalar::Pow(base, exponent) if known(exponent).is_some_and(|e| e.is_negative()) => base,
            _ => return,
        };
        if known(divisor).is_some_and(|n| n.is_zero()) {
            zero.extend(mentioned(system, divisor).first());
        }
    });
    zero.sort();
    zero.dedup();
    let messages = zero.iter().filter_map(|id| {
        let meta = &system.params.get(id.index())?.meta;
        let title = format!("division by zero once `{}` is a number", meta.name);
        let why = "a divisor with this parameter is 0 for the fixed values";
        Some(Diagnostic::error(codes::NUMBER, title, meta.span, why))
    });
    messages.collect()
}

/// Messages on functions of constants that have no value there, looked at before the names in them are gone.
fn outside_domains(system: &System, values: &[Option<Rational>]) -> Vec<Diagnostic> {
    let mut wrong: Vec<(ParamId, Diagnostic)> = Vec::new();
    each_scalar(&mut system.clone(), &mut |scalar| {
        let undefined = match scalar {
            Scalar::Call(function, args) => {
                let args = args.iter().map(|a| constant(system, values, a));
                let args: Option<Vec<Constant>> = args.collect();
                args.and_then(|args| domain::undefined(*function, &args))
            }
            Scalar::Pow(base, exponent) => {
                let base = constant(system, values, base);
                let both = base.zip(constant(system, values, exponent));
                both.and_then(|(base, exponent)| domain::undefined_power(&base, &exponent))
            }
            _ => None,
        };
        let first = undefined.and_then(|u| Some((*mentioned(system, scalar).first()?, u)));
        if let Some((id, undefined)) = first
            && wrong.iter().all(|(known, _)| *known != id)
            && let Some(param) = system.params.get(id.index())
        {
            wrong.push((id, undefined.at(param.meta.span)));
        }
    });
    wrong.into_iter().map(|(_, message)| message).collect()
}

/// The number that an expression comes to with the fixed parameters put in.
fn constant(system: &System, values: &[Option<Rational>], scalar: &Scalar) -> Option<Constant> {
    domain::constant(scalar, &|leaf| match leaf {
        Scalar::Param(id) => values.get(id.index())?.as_ref().map(domain::of_rational),
        Scalar::Let(id) => match &system.lets.get(id.index())?.value {
            Quantity::Scalar(value) => constant(system, values, value),
            Quantity::Vector(_) => None,
        },
        _ => None,
    })
}

/// The value of each parameter that is to have one.
fn values(system: &System, wanted: &Fix) -> Result<Vec<Option<Rational>>, Vec<String>> {
    let mut problems = Vec::new();
    let names = || system.params.iter().map(|p| p.meta.name.as_str());
    for (name, _) in &wanted.values {
        if names().any(|known| known == name) {
            continue;
        }
        let hint = match suggest::closest(name, names()) {
            Some(near) => format!("did you mean '{near}'?"),
            None if system.params.is_empty() => "the model has none".to_owned(),
            None => format!("the model has {}", names().collect::<Vec<_>>().join(", ")),
        };
        problems.push(format!("'{name}' is not a parameter of the model; {hint}"));
    }
    let given = |name: &str| wanted.values.iter().find(|(n, _)| n == name);
    let mut missing = Vec::new();
    let mut values = Vec::new();
    for param in &system.params {
        let name = &param.meta.name;
        let value = match given(name) {
            Some((_, value)) => Some(value.clone()),
            None if wanted.all => {
                if param.default.is_none() {
                    missing.push(name.as_str());
                }
                param.default.clone()
            }
            None => None,
        };
        values.push(value);
    }
    if !missing.is_empty() {
        problems.push(format!(
            "not every parameter has a default; give a value for {}",
            missing.join(", ")
        ));
    }
    if problems.is_empty() {
        Ok(values)
    } else {
        Err(problems)
    }
}

fn agrees(value: &Rational, sign: Sign) -> bool {
    match sign {
        Sign::Positive => value.is_positive(),
        Sign::NonNegative => !value.is_negative(),
        Sign::Negative => value.is_negative(),
        Sign::NonPositive => !value.is_positive(),
        Sign::NonZero => !value.is_zero(),
    }
}

fn symbol(sign: Sign) -> &'static str {
    match sign {
        Sign::Positive => "> 0",
        Sign::NonNegative => ">= 0",
        Sign::Negative => "< 0",
        Sign::NonPositive => "<= 0",
        Sign::NonZero => "!= 0",
    }
}

fn against(param: &Param, value: &Rational, sign: Sign) -> Diagnostic {
    let name = &param.meta.name;
    let title = format!(
        "the value {} given for `{name}` violates its assumptions",
        number_text(value)
    );
    let assumed = format!("assumed: `{name} {}`", symbol(sign));
    Diagnostic::error(codes::DEFAULT, title, param.meta.span, assumed)
}

fn broken(assumption: &Assumption) -> Diagnostic {
    let title = format!(
        "the values given for the parameters violate `{}`",
        assumption.text
    );
    Diagnostic::error(codes::DEFAULT, title, assumption.span, "assumed here")
}

/// The number that an expression comes to with the fixed parameters put in, if it is rational.
fn known(system: &System, values: &[Option<Rational>], scalar: &Scalar) -> Option<Rational> {
    let at = |s: &Scalar| known(system, values, s);
    match scalar {
        Scalar::Number(n) => Some(n.clone()),
        Scalar::Param(id) => values.get(id.index())?.clone(),
        Scalar::Let(id) => match &system.lets.get(id.index())?.value {
            Quantity::Scalar(value) => at(value),
            Quantity::Vector(_) => None,
        },
        Scalar::Neg(a) => Some(-at(a)?),
        Scalar::Add(a, b) => Some(at(a)? + at(b)?),
        Scalar::Sub(a, b) => Some(at(a)? - at(b)?),
        Scalar::Mul(a, b) => match (at(a), at(b)) {
            (Some(a), Some(b)) => Some(a * b),
            // Whatever the other factor is.
            (Some(zero), None) | (None, Some(zero)) if zero.is_zero() => Some(zero),
            _ => None,
        },
        Scalar::Div(a, b) => {
            let divisor = at(b).filter(|b| !b.is_zero())?;
            Some(at(a)? / divisor)
        }
        Scalar::Pow(a, b) => {
            let exponent = at(b)?;
            let whole = exponent.is_integer().then(|| exponent.to_i32())??;
            power(&at(a)?, whole)
        }
        Scalar::Call(Elementary::Sqrt | Elementary::Sin | Elementary::Tan, args) => {
            let [argument] = args.as_slice() else {
                return None;
            };
            at(argument).filter(Zero::is_zero)
        }
        Scalar::Call(Elementary::Abs, args) => {
            let [argument] = args.as_slice() else {
                return None;
            };
            Some(at(argument)?.abs())
        }
        _ => None,
    }
}

/// The parameters in an expression, in their order, those of its `let`s too.
fn mentioned(system: &System, scalar: &Scalar) -> Vec<ParamId> {
    let mut found = Vec::new();
    let mut lets = Vec::new();
    let mut open = vec![scalar.clone()];
    while let Some(mut next) = open.pop() {
        scalars_of(&mut next, &mut |part| match part {
            Scalar::Param(id) => found.push(*id),
            Scalar::Let(id) if !lets.contains(id) => {
                lets.push(*id);
                let value = system.lets.get(id.index()).map(|l| &l.value);
                if let Some(Quantity::Scalar(value)) = value {
                    open.push(value.clone());
                }
            }
            _ => {}
        });
    }
    found.sort();
    found.dedup();
    found
}
