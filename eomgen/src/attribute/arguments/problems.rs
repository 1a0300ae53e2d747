//! Literals with their places, and several errors as one.

use proc_macro2::Span;

/// A string literal.
#[derive(Clone, Debug)]
pub struct Given {
    /// What it says.
    pub value: String,
    /// Its position.
    pub span: Span,
}

/// Several errors as one.
#[derive(Default)]
pub(super) struct Problems {
    pub found: Option<syn::Error>,
}

impl Problems {
    fn add(&mut self, error: syn::Error) {
        match &mut self.found {
            Some(first) => first.combine(error),
            None => self.found = Some(error),
        }
    }

    pub fn note(&mut self, result: syn::Result<()>) {
        if let Err(error) = result {
            self.add(error);
        }
    }

    pub fn into_result(self) -> syn::Result<()> {
        self.found.map_or(Ok(()), Err)
    }
}
