//! A whole module as text.

use std::collections::BTreeSet;

use super::abreast::abreast;
use super::arrangement::{Arrangement, is_fallible};
use super::canonical::canonical;
use super::common::with_common;
use super::guarded::with_guard;
use super::layout::Writer;
use super::model::{METHODS, Model};
use super::module::Condition;
use super::{
    EmitError, Math, Module, Scalar, assembly, batch, docs, function, generic, items, runtime,
    sampling, scope,
};
use crate::header::{self, Header, body_hash, input_hash};
use crate::ir::Cost;

/// The text of a module's file: header, documentation, items.
///
/// # Errors
/// What the functions ask for and the module doesn't have.
pub fn emit(module: &Module) -> Result<String, EmitError> {
    Ok(written(module)?.text)
}

/// A module's text, and what is known of it when it is written.
pub struct Written {
    /// The file's text.
    pub text: String,
    /// The text parsed.
    pub file: syn::File,
    /// The function that takes the most operations, and how many.
    pub longest: Option<(String, usize)>,
}

/// [`emit`], with what is known of the text.
///
/// # Errors
/// As [`emit`].
pub fn written(module: &Module) -> Result<Written, EmitError> {
    let module = &abreast(with_common(with_finite_results(canonical(&with_guard(
        module.clone(),
    )))));
    let mut text = Writer::new();
    let arrangement = Arrangement::of(module);
    check_names(module)?;
    let model = Model::of(module, &arrangement, &batch::needs(module))?;
    for line in documentation(module, &arrangement, &model) {
        text.line(format!("//! {line}").trim_end());
    }
    text.blank();
    text.line("// A program need not use everything here, nor a function all that it is given; names say what indices are.");
    text.line("#![allow(dead_code, missing_docs, unused_variables)]");
    text.blank();
    text.verbatim(&items_text(module, &arrangement, &model)?);
    let body = docs::visible(&text.finish());
    let file = syn::parse_file(&body).map_err(not_rust)?;
    let hash = body_hash(&body).map_err(|message| EmitError::NotRust { message })?;
    let header = Header {
        version: header::VERSION.to_owned(),
        source_name: module.source_name.clone(),
        input: input_hash(&module.source_text, &module.options),
        options: module.options.clone(),
        body: hash,
    };
    Ok(Written {
        text: format!("{header}\n{body}"),
        file,
        longest: longest(module, &arrangement),
    })
}

/// The module with one condition more, the last, where functions can fail: that a result is no finite number.
fn with_finite_results(mut module: Module) -> Module {
    let mut functions = module.functions.iter();
    if functions.any(|function| is_fallible(&module, function)) {
        module.conditions.push(Condition {
            text: "a result is not a finite number".to_owned(),
            note: "an argument is infinite or NaN, or a formula overflows".to_owned(),
        });
    }
    module
}

fn not_rust(error: syn::Error) -> EmitError {
    EmitError::NotRust {
        message: error.to_string(),
    }
}

/// The module's documentation: what it was given, the singular conditions, the operations.
fn documentation(module: &Module, arrangement: &Arrangement, model: &Model) -> Vec<String> {
    let mut lines = docs::blocks(&module.docs);
    if lines.is_empty() {
        lines.push(format!("The model {}.", docs::code(&module.name)));
    }
    if !module.conditions.is_empty() {
        docs::separate(&mut lines);
        lines.push("# Singular conditions".to_owned());
        lines.push(String::new());
        lines.extend(module.conditions.iter().flat_map(docs::condition));
    }
    if !module.functions.is_empty() {
        docs::separate(&mut lines);
        lines.push("# Operations".to_owned());
        lines.push(String::new());
        let mut list = |name: &str, cost: &Cost| {
            let text = format!("{}: {}", docs::code(name), docs::cost(cost));
            lines.extend(docs::list_item(&text));
        };
        let once = model.cost(module);
        if once.total() > 0 {
            list("Model::new", &once);
        }
        let functions = module.functions.iter().enumerate();
        for (index, function) in functions.filter(|(_, f)| f.callers.is_empty()) {
            list(&function.name, &arrangement.count(module, index));
        }
    }
    lines
}

/// The function with the most operations in one evaluation.
fn longest(module: &Module, arrangement: &Arrangement) -> Option<(String, usize)> {
    let counted = module
        .functions
        .iter()
        .enumerate()
        .map(|(index, function)| {
            let count = arrangement.count(module, index);
            (function.name.clone(), count.total())
        });
    counted.max_by_key(|(_, count)| *count)
}

/// All items, a blank line between two.
fn items_text(
    module: &Module,
    arrangement: &Arrangement,
    model: &Model,
) -> Result<String, EmitError> {
    let mut out = Writer::new();
    data(module, &mut out)?;
    let mut needs = runtime::Needs::of(module);
    if !module.conditions.is_empty() || needs.singular {
        items::conditions(module, &mut out);
    }
    needs.write_public(module.scalar, &mut out);
    let batches: Vec<_> = batch::functions(module).collect();
    if !batches.is_empty() && module.scalar == Scalar::Generic {
        return Err(EmitError::GenericBatch);
    }
    if module.scalar == Scalar::Generic && (module.fma || module.math == Math::Inline) {
        return Err(EmitError::GenericStyle);
    }
    let columns = batch::Columns::of(module);
    columns.write_public(module.scalar, &mut out);
    needs.sincos |= columns.sines;
    if module.scalar == Scalar::Generic {
        out.verbatim(&generic::scalar_trait(module, needs));
        out.blank();
    }
    model.write(module, &mut out)?;
    let functions = module.functions.iter().zip(&arrangement.functions);
    let contexts = functions.map(|(function, share)| function::Context {
        module,
        function,
        share,
        held: &model.names,
    });
    let contexts: Vec<function::Context<'_>> = contexts.collect();
    // What several have in common stands behind them.
    for private in [false, true] {
        let list = contexts.iter();
        for context in list.filter(|c| c.function.callers.is_empty() != private) {
            function::function(*context, &mut out)?;
        }
    }
    assembly::write(module, &mut out)?;
    sampling::write(module, &mut out)?;
    out.end_block();
    let forwarded = contexts.iter();
    for context in forwarded.filter(|context| function::is_forwarded(context.function)) {
        function::forwarder(*context, &mut out);
    }
    for function in batches {
        batch::batch(module, function, &model.names, &mut out)?;
    }
    columns.write_private(module.scalar, &mut out);
    needs.write_private(module.style(), &mut out);
    let text = out.finish();
    Ok(format!("{}\n", text.trim_end()))
}

/// What the module says of its arrays: constants, structs, indices, the trait of the user's functions.
fn data(module: &Module, out: &mut Writer) -> Result<(), EmitError> {
    items::facts(module, out);
    items::constants(module, out);
    let numbers = |name, title, fields, out: &mut Writer| {
        items::numbers(name, title, fields, module.scalar, out)
    };
    if !module.no_params {
        let given = module.params.iter().all(|field| field.default.is_some());
        let what = if given {
            "The parameters; by default the values of the model."
        } else {
            "The parameters."
        };
        numbers("Params", what, &module.params, out)?;
    }
    if !module.inputs.is_empty() {
        numbers("Inputs", "The inputs.", &module.inputs, out)?;
    }
    items::state(module, out)?;
    for index in &module.indices {
        items::index_enum(index, out);
    }
    items::functions_trait(&module.functions_trait, module.scalar, out);
    Ok(())
}

/// Every item's name is an identifier and its own.
fn check_names(module: &Module) -> Result<(), EmitError> {
    let mut used = BTreeSet::new();
    let own = [
        "Params",
        "Inputs",
        "State",
        "Functions",
        "Jet1",
        "Jet2",
        "Model",
        "Singular",
    ];
    used.extend(
        own.into_iter()
            .chain(scope::RESERVED.iter().copied())
            .map(str::to_owned),
    );
    if module.assembly.is_some() {
        used.extend(runtime::OF_ASSEMBLY.map(str::to_owned));
    }
    if module.sampling.is_some() {
        used.extend(runtime::OF_SAMPLING.map(str::to_owned));
    }
    if module.scalar == Scalar::Generic {
        used.insert("Scalar".to_owned());
    }
    if !module.batch.is_empty() {
        used.extend(batch::ITEMS.iter().map(|&name| name.to_owned()));
    }
    used.remove("STATES");
    let constants = module
        .constants
        .iter()
        .map(|constant| constant.name.clone());
    let indices = module.indices.iter().map(|index| index.name.clone());
    let functions = module.functions.iter().map(|f| f.name.clone());
    let batches = batch::functions(module).flat_map(|function| batch::names(&function.name));
    used.extend(METHODS.iter().map(|&name| name.to_owned()));
    let all = constants.chain(indices).chain(functions);
    for name in all.chain(batches) {
        if syn::parse_str::<syn::Ident>(&name).is_err() {
            return Err(EmitError::BadName { name });
        }
        if !used.insert(name.clone()) {
            return Err(EmitError::Duplicate { name });
        }
    }
    Ok(())
}
