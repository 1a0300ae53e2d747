//! What the values of options may be.

use clap::builder::PossibleValuesParser;

use crate::pipeline::{self, Fix, Inverse, Plan, Prefer, Route, Scalar, Variant};
use crate::show::Format;

pub(super) fn constant(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("write the constant and its value, as in n=20")?;
    let value = value.trim();
    let number = value
        .parse()
        .map_err(|_| format!("the value of a constant must be an integer, not '{value}'"))?;
    Ok((name.trim().to_string(), number))
}

/// What may stand behind `--fix`.
pub(super) fn fixed(text: &str) -> Result<String, String> {
    Fix::default().add(text).map(|()| text.to_owned())
}

/// The variant by the names that the parser has let through.
pub(super) fn variant(inverse: Option<&str>, route: Option<&str>) -> Variant {
    Variant::named(inverse, route).unwrap_or_default()
}

pub(super) fn scalars() -> PossibleValuesParser {
    PossibleValuesParser::new(Scalar::ALL.map(Scalar::name))
}

/// The plan by the name that the parser has let through.
pub(super) fn plan(name: Option<&str>) -> Plan {
    let named = |plan: &Plan| Some(plan.name()) == name;
    Plan::ALL.into_iter().find(named).unwrap_or_default()
}

pub(super) fn plans() -> PossibleValuesParser {
    PossibleValuesParser::new(Plan::ALL.map(Plan::name))
}

/// The preference by the name that the parser has let through.
pub(super) fn prefer(name: Option<&str>) -> Prefer {
    let named = |prefer: &Prefer| Some(prefer.name()) == name;
    Prefer::ALL.into_iter().find(named).unwrap_or_default()
}

pub(super) fn preferences() -> PossibleValuesParser {
    PossibleValuesParser::new(Prefer::ALL.map(Prefer::name))
}

pub(super) fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
}

pub(super) fn inverses() -> PossibleValuesParser {
    PossibleValuesParser::new(Inverse::ALL.map(Inverse::name))
}

pub(super) fn routes() -> PossibleValuesParser {
    PossibleValuesParser::new(Route::ALL.map(Route::name))
}

pub(super) fn method_names_or_all() -> PossibleValuesParser {
    let names = pipeline::methods().into_iter().map(|method| method.name);
    PossibleValuesParser::new(std::iter::once("all").chain(names))
}

pub(super) fn method_names() -> PossibleValuesParser {
    PossibleValuesParser::new(pipeline::methods().into_iter().map(|method| method.name))
}
