//! The contents of the attribute's parentheses, as plain data with positions.
//!
//! ```text
//! "models/sleigh.eom", method = "gibbs-appell", set(n = 20), generated = "src/sleigh.rs"
//! ```

use std::path::Path;

use proc_macro2::TokenStream;

use crate::files::FileError;
use crate::input::DeriveOptions;
use crate::request::Request;

mod draft;
mod keys;
mod list;
mod problems;
#[cfg(test)]
mod tests;
mod value;

use draft::Draft;
pub use draft::Model;
pub use problems::Given;
use problems::Problems;

/// The arguments of one attribute.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// What is derived.
    pub model: Model,
    /// The committed file, relative to the crate's folder, if the code is not derived at expansion.
    pub generated: Option<Given>,
    /// How it is derived: what the command line's options of the same names say.
    pub options: DeriveOptions,
}

impl Arguments {
    /// Reads the tokens between the attribute's parentheses.
    ///
    /// # Errors
    /// Everything that is wrong with them, each at its own place.
    pub fn parse(tokens: TokenStream) -> syn::Result<Self> {
        let mut draft = Draft::default();
        let mut problems = Problems::default();
        for piece in list::split(tokens) {
            problems.note(piece.and_then(|entry| draft.take(entry)));
        }
        let model = draft.model();
        let arguments = model.map(|model| Self {
            model,
            generated: draft.generated,
            options: draft.options,
        });
        // Where something is wrong anyway, a model that is missing may be what is wrong.
        match problems.found {
            Some(error) => Err(error),
            None => arguments,
        }
    }

    /// The request that they make in the crate with the folder `root`.
    ///
    /// # Errors
    /// When the model's own file cannot be read.
    pub fn request(&self, root: &Path) -> Result<Request, FileError> {
        let options = self.options.clone();
        match &self.model {
            Model::File(path) => Request::file(root, &path.value, options),
            Model::Text(text) => Ok(Request::inline(root, &text.value, options)),
        }
    }
}
