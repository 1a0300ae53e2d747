//! What the attribute expands to.

use std::path::{Path, PathBuf};

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::arguments::Arguments;
use super::code::Code;
use super::message::Message;
use super::module::Module;
use crate::files;

/// The annotated module with the code in it.
///
/// `arguments` are in the attribute's parentheses, `item` is what it belongs to, and paths are relative to `root`,
/// the folder of the crate's manifest. Errors are part of the result, as `compile_error!`; the module and the user's own items
/// remain in any case.
pub fn expand(arguments: TokenStream, item: TokenStream, root: Option<&Path>) -> TokenStream {
    let arguments = Arguments::parse(arguments);
    let module: Module = match syn::parse2(item.clone()) {
        Ok(module) => module,
        Err(mut error) => {
            if let Err(other) = arguments {
                error.combine(other);
            }
            let errors = messages(error)
                .iter()
                .map(Message::error)
                .collect::<Vec<_>>();
            return quote!(#(#errors)* #item);
        }
    };
    let code = match (&arguments, root) {
        (Ok(arguments), Some(root)) => Code::of(arguments, &module.name, root),
        (Ok(_), None) => Code::refused(Message::new(
            Span::call_site(),
            "paths are relative to the folder in the environment variable CARGO_MANIFEST_DIR, which is not set",
        )),
        (Err(error), _) => Code {
            errors: messages(error.clone()),
            ..Code::default()
        },
    };
    let errors = code.errors.iter().map(Message::error);
    let warnings = code.warnings.iter().map(Message::warning);
    let trackers = trackers(&code.files);
    module.with(&code.tokens, &quote!(#(#errors)* #(#warnings)* #trackers))
}

fn messages(errors: syn::Error) -> Vec<Message> {
    let one = |error: syn::Error| Message::new(error.span(), error.to_string());
    errors.into_iter().map(one).collect()
}

/// Makes the compiler expand the attribute again when one of the files has changed. Those that are missing cannot be watched so,
/// but without them there is an error, and what has an error is compiled again.
fn trackers(files: &[PathBuf]) -> TokenStream {
    let there = files.iter().filter(|path| files::is_file(path));
    let paths = there.filter_map(|path| path.to_str());
    quote!(#(const _: &[u8] = ::core::include_bytes!(#paths);)*)
}
