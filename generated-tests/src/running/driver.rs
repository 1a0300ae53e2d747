//! The text that calls a module: each method of its model, with checks and without, and its functions for many states.

use super::outline::{Argument, Column, Function, Manner, Many, Number, Outline, Supplied};
use super::slots::Slots;
use super::{Polynomial, Shape};
use eomgen::internals::emit::names::identifier;
use std::fmt::Write;

/// The text of the file `d{id}.rs`.
pub(super) fn driver(
    id: usize,
    outline: &Outline,
    slots: &Slots,
    polynomials: &[Polynomial],
    tolerance: f64,
) -> Result<String, String> {
    let mut text = format!("use crate::m{id} as m;\nuse crate::support::*;\n");
    let _ = writeln!(text, "type N = {};", outline.number.name());
    let generic = outline.number.generic();
    text.push_str(&supplied(outline, polynomials)?);
    if outline.has_params {
        text.push_str(&literal(
            "params",
            &format!("Params{generic}"),
            &outline.params,
            slots.params,
        ));
    }
    text.push_str(&defaults(outline));
    if !outline.inputs.is_empty() {
        text.push_str(&literal(
            "inputs",
            &format!("Inputs{generic}"),
            &outline.inputs,
            slots.inputs,
        ));
    }
    text.push_str("fn plain(x: &[f64], out: &mut Vec<Got>) {\n");
    text.push_str(&common(outline));
    for (function, extras) in outline.functions.iter().zip(&slots.extras) {
        let call = call(outline, function, extras, Of::Model);
        let _ = writeln!(text, "out.push({call});");
    }
    text.push_str("}\n");
    text.push_str(&variants(outline, slots));
    if !outline.many.is_empty() {
        text.push_str(&many(outline, slots));
    }
    let names: Vec<String> = outline
        .functions
        .iter()
        .map(|f| format!("({:?}, {})", f.name, f.fallible))
        .collect();
    let _ = writeln!(
        text,
        "pub const DRIVER: Driver = Driver {{ id: {id}, names: &[{}], params: {}, inputs: {}, others: {}, defaults, plain, variants, many: {}, \
         tolerance: {tolerance:e}, fused: {} }};",
        names.join(", "),
        slots.params,
        slots.inputs,
        slots.others,
        if outline.many.is_empty() {
            "None"
        } else {
            "Some(many)"
        },
        outline.fused,
    );
    Ok(text)
}

/// The user's functions as an implementation of the module's trait.
fn supplied(outline: &Outline, polynomials: &[Polynomial]) -> Result<String, String> {
    let of = outline.number.generic();
    if outline.supplied.is_empty() {
        return Ok(String::new());
    }
    let mut text = format!("pub struct Given;\nimpl m::Functions{of} for Given {{\n");
    for function in &outline.supplied {
        let Supplied {
            name,
            arguments,
            order,
        } = function;
        let named = polynomials.iter().find(|p| identifier(&p.name) == *name);
        let polynomial = named.ok_or_else(|| format!("no polynomial for the function `{name}`"))?;
        let typed: String = (0..*arguments).map(|i| format!(", a{i}: N")).collect();
        let values: Vec<String> = (0..*arguments).map(|i| format!("a{i} as f64")).collect();
        let returned = match (order, of) {
            (0, _) => "N".to_owned(),
            (_, "") => format!("m::Jet{order}<{arguments}>"),
            _ => format!("m::Jet{order}<N, {arguments}>"),
        };
        let gradient = "gradient: std::array::from_fn(|i| gradient[i] as N)";
        let result = match order {
            0 => "value as N".to_owned(),
            1 => format!("m::Jet1 {{ value: value as N, {gradient} }}"),
            _ => format!(
                "m::Jet2 {{ value: value as N, {gradient}, \
                 hessian: std::array::from_fn(|i| std::array::from_fn(|j| hessian[i][j] as N)) }}"
            ),
        };
        let terms: Vec<String> = polynomial
            .terms
            .iter()
            .map(|(factor, exponents)| format!("({factor:?}f64, &{exponents:?})"))
            .collect();
        let _ = writeln!(
            text,
            "fn {name}(&self{typed}) -> {returned} {{\n\
             let (value, gradient, hessian) = jet(&[{}], &[{}]);\n{result}\n}}",
            terms.join(", "),
            values.join(", "),
        );
    }
    text.push_str("}\n");
    Ok(text)
}

/// A function that makes a struct of its fields.
fn literal(function: &str, name: &str, fields: &[String], start: usize) -> String {
    let plain = name.trim_end_matches("<N>");
    let fields: Vec<String> = fields
        .iter()
        .enumerate()
        .map(|(i, field)| format!("{field}: x[{}] as N", start + i))
        .collect();
    format!(
        "fn {function}(x: &[f64]) -> m::{name} {{ m::{plain} {{ {} }} }}\n",
        fields.join(", ")
    )
}

/// The module's default values.
fn defaults(outline: &Outline) -> String {
    if !outline.defaults {
        return "fn defaults() -> Vec<f64> { Vec::new() }\n".to_owned();
    }
    let generic = outline.number.generic();
    let fields: Vec<String> = outline
        .params
        .iter()
        .map(|field| format!("p.{field} as f64"))
        .collect();
    format!(
        "fn defaults() -> Vec<f64> {{ let p: m::Params{generic} = Default::default(); vec![{}] }}\n",
        fields.join(", ")
    )
}

/// The arguments that functions share, as locals.
fn common(outline: &Outline) -> String {
    let take = take(outline.number);
    let mut text = format!(
        "let t = x[0] as N;\nlet state: [N; {}] = {take}(&x[1..]);\n",
        outline.states
    );
    if outline.has_params {
        text.push_str("let p = params(x);\n");
    }
    text.push_str(&model(outline));
    if !outline.inputs.is_empty() {
        text.push_str("let inputs = inputs(x);\n");
    }
    text
}

/// The model with its parameters.
fn model(outline: &Outline) -> String {
    let of = match outline.number {
        Number::Generic => "::<N>",
        Number::F64 | Number::F32 => "",
    };
    format!("let model = m::Model{of}::new({});\n", given(outline))
}

/// What the model is made of.
fn given(outline: &Outline) -> &'static str {
    if outline.has_params { "&p" } else { "" }
}

/// Whose function is called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Model,
    /// The model without checks.
    Unchecked,
    /// The module: it takes parameters.
    Module,
}

fn take(number: Number) -> &'static str {
    match number {
        Number::F32 => "take32",
        Number::F64 | Number::Generic => "take",
    }
}

/// A call, with its result as a `Got`.
fn call(outline: &Outline, function: &Function, extras: &[usize], of: Of) -> String {
    let take = take(outline.number);
    let mut starts = extras.iter();
    let mut argument = |argument: &Argument| match argument {
        Argument::Time => "t".to_owned(),
        Argument::State => "&state".to_owned(),
        Argument::Inputs => "&inputs".to_owned(),
        Argument::Functions => "&Given".to_owned(),
        Argument::Extra(_, shape) => {
            let start = starts.next().copied().unwrap_or_default();
            match shape {
                Shape::Number => format!("x[{start}] as N"),
                Shape::Vector(length) => format!("&{take}::<{length}>(&x[{start}..])"),
                Shape::Matrix(rows, columns) => {
                    let row =
                        |r: usize| format!("{take}::<{columns}>(&x[{}..])", start + r * columns);
                    format!("&[{}]", (0..*rows).map(row).collect::<Vec<_>>().join(", "))
                }
            }
        }
    };
    let mut arguments: Vec<String> = function.arguments.iter().map(&mut argument).collect();
    let receiver = match of {
        Of::Model => "model.",
        Of::Unchecked => "unchecked.",
        Of::Module => "m::",
    };
    if of == Of::Module && outline.has_params {
        // Behind time and state.
        arguments.insert(2.min(arguments.len()), "&p".to_owned());
    }
    let call = format!("{receiver}{}({})", function.name, arguments.join(", "));
    let sure = match outline.number {
        Number::F32 => "sure32",
        Number::F64 | Number::Generic => "sure",
    };
    let flat = match function.shape {
        Shape::Number => "&[v]",
        Shape::Vector(_) => "&v",
        Shape::Matrix(..) => "v.as_flattened()",
    };
    if function.fallible {
        format!(
            "match {call} {{ Ok(v) => {sure}({flat}), Err(e) => Err((e.condition, e.closeness as f64)) }}"
        )
    } else {
        format!("{{ let v = {call}; {sure}({flat}) }}")
    }
}

/// The function that calls what must give the same: the model without checks, and functions that take parameters.
fn variants(outline: &Outline, slots: &Slots) -> String {
    let mut text =
        "fn variants(x: &[f64], out: &mut Vec<(usize, &'static str, Got)>) {\n".to_owned();
    let unchecked = |f: &Function| outline.unchecked && f.fallible;
    if outline.functions.iter().any(|f| f.free || unchecked(f)) {
        text.push_str(&common(outline));
        if outline.unchecked {
            let of = given(outline);
            let _ = writeln!(text, "let unchecked = m::Model::unchecked({of});");
        }
    }
    for (of, (function, extras)) in outline.functions.iter().zip(&slots.extras).enumerate() {
        let all = [
            (unchecked(function), Of::Unchecked, "unchecked"),
            (function.free, Of::Module, "free"),
        ];
        for (_, whose, what) in all.into_iter().filter(|v| v.0) {
            let name = format!("{}({what})", function.name);
            let call = call(outline, function, extras, whose);
            let _ = writeln!(text, "out.push(({of}, {name:?}, {call}));");
        }
    }
    text.push_str("}\n");
    text
}

/// The function that calls those for many states.
fn many(outline: &Outline, slots: &Slots) -> String {
    let mut text = "fn many(xs: &[Vec<f64>], columns: Columns, out: &mut Vec<Many>) {\n".to_owned();
    if outline.has_params {
        text.push_str("let p = params(&xs[0]);\n");
    }
    text.push_str(&model(outline));
    text.push_str(
        "let column = |i: usize| -> Vec<N> { xs.iter().map(|x| x[i] as N).collect() };\n",
    );
    for function in &outline.many {
        text.push_str(&match function.manner {
            Manner::Batch => batch(outline, slots, function),
            Manner::Lanes => lanes(outline, slots, function),
        });
    }
    text.push_str("}\n");
    text
}

fn entries(outline: &Outline, function: &Many) -> usize {
    outline.functions[function.of].shape.len()
}

/// The patterns of a result of a function for many states; `index` is added to the state's.
fn outcome(outline: &Outline, function: &Many, call: &str, start: &str) -> String {
    if !function.fallible {
        return format!("let e: Option<(usize, usize)> = {{ {call}; None }};");
    }
    let singular = if outline.batch_singular {
        format!(
            "Err(m::BatchError::Singular {{ index, singular }}) => Some((index + {start}, singular.condition)),"
        )
    } else {
        String::new()
    };
    format!("let e = match {call} {{ Ok(()) => None, {singular} Err(_) => Some(LENGTH) }};")
}

fn batch(outline: &Outline, slots: &Slots, function: &Many) -> String {
    let length = entries(outline, function);
    let argument = |column: &Column| match column {
        Column::Times => "&times",
        Column::States => "&states",
        Column::Model => "&model",
        Column::Inputs => "&inputs",
        Column::Functions => "&Given",
        Column::Out => "&mut o",
    };
    let arguments: Vec<&str> = function.columns.iter().map(argument).collect();
    let name = &function.name;
    let call = format!("m::{name}({})", arguments.join(", "));
    let (states, inputs) = (outline.states, outline.inputs.len());
    format!(
        "{{\nlet times = times(column(0), columns);\n\
         let entries: Vec<Vec<N>> = (1..1 + {states}).map(column).collect();\n\
         let states: [&[N]; {states}] = std::array::from_fn(|i| &entries[i][..]);\n\
         let given: Vec<Vec<N>> = ({start}..{start} + {inputs}).map(|i| given(column(i), columns)).collect();\n\
         let inputs: [&[N]; {inputs}] = std::array::from_fn(|i| &given[i][..]);\n\
         let mut store = vec![vec![UNTOUCHED as N; xs.len()]; {length}];\n\
         let mut rows = store.iter_mut();\n\
         let mut o: [&mut [N]; {length}] = std::array::from_fn(|_| &mut rows.next().unwrap()[..]);\n\
         {}\n\
         let store = store.iter().map(|c| c.iter().map(|x| *x as f64).collect()).collect();\n\
         out.push(Many {{ of: {}, name: {name:?}, out: store, error: e }});\n}}\n",
        outcome(outline, function, &call, "0"),
        function.of,
        start = slots.inputs,
    )
}

/// How many states the lanes hold that are tried.
const LANES: usize = 4;

fn lanes(outline: &Outline, slots: &Slots, function: &Many) -> String {
    let length = entries(outline, function);
    let argument = |column: &Column| match column {
        Column::Times => "&lane(0)",
        Column::States => "&states",
        Column::Model => "&model",
        Column::Inputs => "&inputs",
        Column::Functions => "&Given",
        Column::Out => "&mut o",
    };
    let arguments: Vec<&str> = function.columns.iter().map(argument).collect();
    let name = &function.name;
    let call = format!("m::{name}({})", arguments.join(", "));
    let (states, inputs) = (outline.states, outline.inputs.len());
    format!(
        "if columns == Columns::Whole {{\nlet mut store = vec![Vec::new(); {length}];\nlet mut error = None;\n\
         for (number, four) in xs.chunks_exact({LANES}).enumerate() {{\n\
         let lane = |i: usize| -> [N; {LANES}] {{ std::array::from_fn(|k| four[k][i] as N) }};\n\
         let states: [[N; {LANES}]; {states}] = std::array::from_fn(|i| lane(1 + i));\n\
         let inputs: [[N; {LANES}]; {inputs}] = std::array::from_fn(|i| lane({start} + i));\n\
         let mut o = [[0.0 as N; {LANES}]; {length}];\n\
         {}\n\
         error = error.or(e);\n\
         for (column, lanes) in store.iter_mut().zip(&o) {{ column.extend(lanes.iter().map(|x| *x as f64)); }}\n\
         }}\n\
         out.push(Many {{ of: {}, name: {name:?}, out: store, error }});\n}}\n",
        outcome(outline, function, &call, &format!("{LANES} * number")),
        function.of,
        start = slots.inputs,
    )
}
