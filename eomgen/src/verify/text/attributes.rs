//! The attributes of a generated module. Any other can change what a text means without a word of it being changed (a condition of compilation,
//! a path, a derive macro of somebody else), so those that the emitter writes are the only ones that are read.

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Lit, Meta, Token, punctuated::Punctuated};

use super::Unreadable;

/// Derive macros of the standard library.
const DERIVED: [&str; 9] = [
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Eq",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
];

/// Lints that are allowed here and there.
const ALLOWED: [&str; 12] = [
    "clippy::approx_constant",
    "clippy::enum_variant_names",
    "clippy::excessive_precision",
    "clippy::large_enum_variant",
    "clippy::let_and_return",
    "clippy::needless_range_loop",
    "clippy::too_many_arguments",
    "dead_code",
    "missing_docs",
    "non_camel_case_types",
    "non_snake_case",
    "unused_variables",
];

/// Refuses a file with an attribute that eomgen does not write.
///
/// # Errors
/// The first such attribute.
pub(super) fn check(file: &syn::File) -> Result<(), Unreadable> {
    let mut found = Foreign(None);
    found.visit_file(file);
    match found.0 {
        None => Ok(()),
        Some(text) => Err(Unreadable::new(
            1,
            format!("the attribute `{text}` is not one that eomgen writes"),
        )),
    }
}

struct Foreign(Option<String>);

impl<'a> Visit<'a> for Foreign {
    fn visit_attribute(&mut self, attribute: &'a Attribute) {
        if self.0.is_none() && !is_known(attribute) {
            let text = attribute.to_token_stream().to_string();
            self.0 = Some(text.chars().take(80).collect());
        }
        visit::visit_attribute(self, attribute);
    }
}

fn is_known(attribute: &Attribute) -> bool {
    match &attribute.meta {
        // A text, and no macro that reads one from elsewhere.
        Meta::NameValue(pair) => {
            pair.path.is_ident("doc")
                && matches!(&pair.value, Expr::Lit(lit) if matches!(lit.lit, Lit::Str(_)))
        }
        Meta::Path(path) => ["must_use", "inline", "cold"]
            .iter()
            .any(|name| path.is_ident(name)),
        Meta::List(list) => {
            let paths = list.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated);
            let Ok(paths) = paths else { return false };
            let among = |known: &[&str]| {
                paths.iter().all(|path| {
                    let text = path.to_token_stream().to_string().replace(' ', "");
                    known.contains(&text.as_str())
                })
            };
            let of = |name: &str| list.path.is_ident(name);
            (of("derive") && among(&DERIVED))
                || (of("allow") && among(&ALLOWED))
                || (of("repr") && among(&["usize"]))
                || (of("inline") && among(&["always", "never"]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_refused(text: &str) -> bool {
        check(&syn::parse_file(text).unwrap()).is_err()
    }

    #[test]
    fn what_is_written_is_read() {
        for text in [
            "#![allow(dead_code)]",
            "//! Sleigh.\n/// Mass.\n#[must_use]\n#[inline]\nfn f() {}",
            "#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\n#[repr(usize)]\nenum A { /// One.\n B }",
            "#[inline(never)] #[allow(non_snake_case, clippy::approx_constant)] fn f() {}",
        ] {
            assert!(!is_refused(text), "{text}");
        }
    }

    #[test]
    fn what_changes_the_meaning_is_not() {
        for text in [
            "#![cfg(any())]",
            "#[cfg(any())] fn f() {}",
            "fn f() { #[cfg(any())] return; }",
            "fn f() { #[cfg(not(test))] { g(); } }",
            "#[test] fn f() {}",
            "#[unsafe(no_mangle)] fn f() {}",
            "#[derive(Clone, Mine)] struct A;",
            "#[derive(std::clone::Clone)] struct A;",
            "#[doc = include_str!(\"a\")] fn f() {}",
            "#[doc(hidden)] fn f() {}",
            "#[path = \"b.rs\"] mod b;",
            "#[mine] fn f() {}",
            "#[cfg_attr(any(), inline)] fn f() {}",
            "#[allow(arithmetic_overflow)] fn f() {}",
            "struct A { #[cfg(any())] a: f64 }",
            "enum A { #[default] B }",
            "fn f(#[cfg(any())] a: f64) {}",
            "enum A { #[cfg(any())] B }",
            "fn f(x: u8) { match x { #[cfg(any())] 1 => (), _ => () } }",
        ] {
            assert!(is_refused(text), "{text}");
        }
    }
}
