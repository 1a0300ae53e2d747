//! The items of a generated module besides its functions: structs, index enums, the trait of the
//! user's functions, the conditions.

use super::docs;
use super::error::EmitError;
use super::layout::{Item, Writer};
use super::literal::{nearest_f64, resembles_constant};
use super::module::{Field, IndexEnum, Module, Scalar, UserFunction};
use super::names::{Names, camel, identifier, is_camel, is_snake};
use super::runtime;
use super::scope::field_names;
use crate::ir::Rational;
use num_traits::Zero;

/// `pub const STATES: usize` and its like.
pub fn constants(module: &Module, out: &mut Writer) {
    if !module.constants.iter().any(|c| c.name == "STATES") {
        out.docs(&["Number of entries of the state.".to_owned()]);
        out.line(&format!(
            "pub const STATES: usize = {};",
            module.state.len()
        ));
    }
    for constant in &module.constants {
        out.docs(&docs::plain(&constant.docs, &docs::code(&constant.name)));
        out.line(&format!(
            "pub const {}: usize = {};",
            constant.name, constant.value
        ));
    }
    out.blank();
}

/// What the functions are, as data.
pub fn facts(module: &Module, out: &mut Writer) {
    if module.facts.is_empty() {
        return;
    }
    let what =
        "What the functions are, for programs: what neither their names nor the indices say.";
    out.docs(&[what.to_owned()]);
    let lines = Item::texts(module.facts.iter().map(|line| format!("{line:?}")));
    let head = format!("pub const FACTS: [&str; {}] = ", module.facts.len());
    out.array(&head, &lines, ";");
    out.blank();
}

/// A struct of named numbers, with `Default` if every field has one.
pub fn numbers(
    name: &str,
    what: &str,
    fields: &[Field],
    scalar: Scalar,
    out: &mut Writer,
) -> Result<(), EmitError> {
    let names = field_names(fields.iter().map(|field| field.name.as_str()));
    let defaults: Option<Vec<_>> = fields.iter().map(|field| field.default.as_ref()).collect();
    let zero = defaults
        .as_ref()
        .is_some_and(|all| all.iter().all(|number| number.is_zero()));
    // `derive` would ask for `T: Default`.
    let generic = scalar == Scalar::Generic && !fields.is_empty();
    let derived = zero && !generic;
    let (of, bound) = if generic {
        (scalar.of(), scalar.bound())
    } else {
        ("", "")
    };
    out.docs(&[what.to_owned()]);
    let default = if derived { ", Default" } else { "" };
    out.line(&format!(
        "#[derive(Clone, Copy, Debug{default}, PartialEq)]"
    ));
    if !names.iter().all(|name| is_snake(name)) {
        out.line("#[allow(non_snake_case)]");
    }
    fields_of_struct(&format!("{name}{of}"), fields, &names, scalar, out);
    let given = defaults.map(|all| rounded(&all, scalar)).transpose()?;
    let Some(values) = given.filter(|_| !derived) else {
        return Ok(());
    };
    default_impl(
        &format!("impl{bound} Default for {name}{of} {{"),
        &names,
        &values,
        scalar,
        out,
    );
    Ok(())
}

/// The definition of a struct of numbers.
fn fields_of_struct(
    head: &str,
    fields: &[Field],
    names: &[String],
    scalar: Scalar,
    out: &mut Writer,
) {
    if fields.is_empty() {
        out.line(&format!("pub struct {head} {{}}"));
    } else {
        out.open(&format!("pub struct {head} {{"));
        for (field, name) in fields.iter().zip(names) {
            out.docs(&docs::field(field));
            out.line(&format!("pub {name}: {},", scalar.type_name()));
        }
        out.close("}");
    }
    out.blank();
}

/// `Default` with these values of the fields.
fn default_impl(head: &str, names: &[String], values: &[f64], scalar: Scalar, out: &mut Writer) {
    if values.iter().copied().any(resembles_constant) {
        out.line("#[allow(clippy::approx_constant)]");
    }
    out.open(head);
    out.open("fn default() -> Self {");
    let pairs = names.iter().zip(values);
    let pairs: Vec<String> = pairs
        .map(|(name, &v)| format!("{name}: {}", scalar.literal(v)))
        .collect();
    out.struct_literal("Self", &pairs);
    out.close("}");
    out.close("}");
    out.blank();
}

fn rounded(numbers: &[&Rational], scalar: Scalar) -> Result<Vec<f64>, EmitError> {
    let nearest = |number: &Rational| {
        let near = nearest_f64(number).filter(|n| scalar.holds(*n));
        near.ok_or_else(|| EmitError::Overflow {
            number: number.to_string(),
        })
    };
    numbers.iter().map(|number| nearest(number)).collect()
}

/// `State` by name, and its conversion from and to the array.
pub fn state(module: &Module, out: &mut Writer) -> Result<(), EmitError> {
    if module.state.is_empty() {
        return Ok(());
    }
    let scalar = module.scalar;
    let (number, of, bound) = (scalar.type_name(), scalar.of(), scalar.bound());
    numbers(
        "State",
        "The state with named fields; by default the initial values of the model.",
        &module.state,
        scalar,
        out,
    )?;
    let names = field_names(module.state.iter().map(|field| field.name.as_str()));
    let array = names.iter().enumerate();
    let from: Vec<String> = array
        .map(|(index, name)| format!("{name}: state[{index}]"))
        .collect();
    let to = Item::texts(names.iter().map(|name| format!("self.{name}")));
    out.open(&format!("impl{bound} State{of} {{"));
    out.docs(&["The names of a state array's entries.".to_owned()]);
    out.line("#[must_use]");
    out.open(&format!(
        "pub fn from_array(state: &[{number}; STATES]) -> Self {{"
    ));
    out.struct_literal("Self", &from);
    out.close("}");
    out.blank();
    out.docs(&["The state as the array that the functions take.".to_owned()]);
    out.line("#[must_use]");
    out.open(&format!("pub fn to_array(self) -> [{number}; STATES] {{"));
    out.array("", &to, "");
    out.close("}");
    let starts = |field: &Field| field.default.as_ref().is_some_and(|x| !x.is_zero());
    if module.state.iter().any(starts) {
        let argument = match (module.no_params, module.params.is_empty()) {
            (true, _) => String::new(),
            (false, true) => "_: &Params".to_owned(),
            (false, false) => format!("_: &Params{of}"),
        };
        out.blank();
        let what = "Where the model says that a motion starts, whatever the parameters are.";
        out.docs(&[what.to_owned()]);
        out.line("#[must_use]");
        out.open(&format!("pub fn initial({argument}) -> Self {{"));
        out.line("Self::default()");
        out.close("}");
    }
    out.close("}");
    out.blank();
    Ok(())
}

/// An enum whose variants index an array, with its names.
pub fn index_enum(index: &IndexEnum, out: &mut Writer) {
    if index.entries.is_empty() {
        return;
    }
    let mut scope = Names::default();
    let entries = index.entries.iter();
    let variants: Vec<String> = entries.map(|e| scope.claim(&camel(&e.name))).collect();
    let count = variants.len();
    out.docs(&docs::plain(&index.docs, "Indices into an array."));
    if share_a_word(&index.name, &variants) {
        out.line("#[allow(clippy::enum_variant_names)]");
    }
    if !variants.iter().all(|variant| is_camel(variant)) {
        out.line("#[allow(non_camel_case_types)]");
    }
    out.line("#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]");
    out.line("#[repr(usize)]");
    out.open(&format!("pub enum {} {{", index.name));
    for (entry, variant) in index.entries.iter().zip(&variants) {
        if entry.unit.is_some() || !entry.docs.is_empty() {
            out.docs(&docs::field(entry));
        }
        out.line(&format!("{variant},"));
    }
    out.close("}");
    out.blank();
    out.open(&format!("impl {} {{", index.name));
    out.docs(&["Their names in the model, in order.".to_owned()]);
    let names = Item::texts(
        index
            .entries
            .iter()
            .map(|entry| format!("{:?}", entry.name)),
    );
    out.array(
        &format!("pub const NAMES: [&'static str; {count}] = "),
        &names,
        ";",
    );
    out.close("}");
    out.blank();
}

/// Whether clippy would complain of variants that begin or end alike; errs on the side of yes.
fn share_a_word(name: &str, variants: &[String]) -> bool {
    let words = |text: &str| {
        let mut words: Vec<String> = Vec::new();
        for c in text.chars() {
            match words.last_mut() {
                Some(word) if !c.is_uppercase() => word.push(c),
                _ => words.push(c.to_string()),
            }
        }
        words
    };
    let first: Vec<_> = variants.iter().map(|v| words(v).first().cloned()).collect();
    let last: Vec<_> = variants.iter().map(|v| words(v).last().cloned()).collect();
    let same = |list: &[Option<String>]| list.windows(2).all(|pair| pair[0] == pair[1]);
    let lower = name.to_lowercase();
    let repeats = |v: &String| {
        let v = v.to_lowercase();
        v.starts_with(&lower) || v.ends_with(&lower)
    };
    same(&first) || same(&last) || variants.iter().any(repeats)
}

/// The trait of the user's functions and the jets that they return.
pub fn functions_trait(functions: &[UserFunction], scalar: Scalar, out: &mut Writer) {
    if functions.is_empty() {
        return;
    }
    let mut scope = Names::default();
    let names: Vec<String> = functions
        .iter()
        .map(|f| scope.claim(&identifier(&f.name)))
        .collect();
    out.docs(&["The model's functions, supplied by the caller.".to_owned()]);
    out.docs(&[
        String::new(),
        "Each returns its value and its partial derivatives with respect to its arguments, in \
         their order."
            .to_owned(),
    ]);
    let arguments = |f: &UserFunction| field_names(f.args.iter().map(String::as_str));
    let all = functions
        .iter()
        .flat_map(arguments)
        .chain(names.iter().cloned());
    if !all.into_iter().all(|name| is_snake(&name)) {
        out.line("#[allow(non_snake_case)]");
    }
    out.open(&format!("pub trait Functions{} {{", scalar.bound()));
    for (function, name) in functions.iter().zip(&names) {
        out.blank();
        functions_method(function, name, scalar, out);
    }
    out.close("}");
    out.blank();
    if functions.iter().any(|function| function.order == 1) {
        out.verbatim(&runtime::typed(include_str!("runtime/jet1.rs"), scalar));
        out.blank();
    }
    if functions.iter().any(|function| function.order >= 2) {
        out.verbatim(&runtime::typed(include_str!("runtime/jet2.rs"), scalar));
        out.blank();
    }
}

/// One of the user's functions as a method of the trait.
fn functions_method(function: &UserFunction, name: &str, scalar: Scalar, out: &mut Writer) {
    let number = scalar.type_name();
    let call = format!("{}({})", function.name, function.args.join(", "));
    out.docs(&docs::field(&Field {
        name: call,
        unit: function.unit.clone(),
        docs: function.docs.clone(),
        default: None,
    }));
    let args = field_names(function.args.iter().map(String::as_str));
    if args.len() > 6 {
        out.line("#[allow(clippy::too_many_arguments)]");
    }
    let typed = args.iter().map(|arg| format!("{arg}: {number}"));
    let args: Vec<String> = std::iter::once("&self".to_owned()).chain(typed).collect();
    let returned = match function.order {
        0 => number.to_owned(),
        order => {
            let of = if scalar == Scalar::Generic { "T, " } else { "" };
            format!("Jet{}<{of}{}>", order.min(2), function.args.len())
        }
    };
    out.signature(&format!("fn {name}"), &args, &format!(" -> {returned};"));
}

/// The texts of the singular conditions.
pub fn conditions(module: &Module, out: &mut Writer) {
    let count = module.conditions.len();
    out.docs(&["The conditions under which formulas of this module fail.".to_owned()]);
    let texts = module.conditions.iter().map(|c| format!("{:?}", c.text));
    out.array(
        &format!("pub const CONDITIONS: [&str; {count}] = "),
        &Item::texts(texts),
        ";",
    );
    out.blank();
}
