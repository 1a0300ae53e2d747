//! What has been read of the arguments so far.

use proc_macro2::Span;
use syn::Error;

use super::keys::{self, Gives};
use super::list::Entry;
use super::problems::Given;
use super::value::Value;
use crate::catalogue::options::{DeriveOption, Takes};
use crate::input::DeriveOptions;

/// A model, and where the attribute names it.
#[derive(Clone, Debug)]
pub enum Model {
    /// The path of its file, relative to the crate's folder.
    File(Given),
    /// Its text.
    Text(Given),
}

impl Model {
    /// The literal.
    pub fn given(&self) -> &Given {
        match self {
            Self::File(given) | Self::Text(given) => given,
        }
    }
}

/// The arguments that have been read.
#[derive(Default)]
pub(super) struct Draft {
    pub options: DeriveOptions,
    pub generated: Option<Given>,
    file: Option<Given>,
    text: Option<Given>,
    seen: Vec<&'static str>,
}

impl Draft {
    /// Takes one argument in.
    pub fn take(&mut self, entry: Entry) -> syn::Result<()> {
        let (key, at) = match &entry.key {
            Some(name) => (keys::find(name)?, name.span()),
            None => (keys::OWN[0], entry.span),
        };
        if self.seen.contains(&key.name) {
            return Err(match &entry.key {
                Some(_) => Error::new(at, format!("`{}` is given twice", key.name)),
                None => Error::new(at, "a second model; an option is written `name = value`"),
            });
        }
        self.seen.push(key.name);
        if entry.called != key.is_called() {
            return Err(Error::new(at, key.misused()));
        }
        let value = Value::new(key, entry);
        match key.gives {
            Gives::File => self.file = Some(value.path()?),
            Gives::Text => self.text = Some(value.text()?),
            Gives::Generated => self.generated = Some(value.path()?),
            Gives::Option(option) => self.option(option, &value)?,
        }
        Ok(())
    }

    fn option(&mut self, option: &DeriveOption, value: &Value) -> syn::Result<()> {
        let words = match option.takes {
            Takes::Method | Takes::Word(..) => {
                vec![value.choice(&option.words().unwrap_or_default())?]
            }
            Takes::Flag => vec![value.flag()?.to_string()],
            Takes::Rates => value.names()?,
            Takes::Quantities => value.outputs()?,
            Takes::Functions => value.names()?,
            Takes::Derivatives => value.derivatives()?,
            Takes::Constants => {
                self.options.set = value.constants()?;
                return Ok(());
            }
            Takes::Parameters => {
                self.options.fix = value.fixed()?;
                return Ok(());
            }
        };
        let mut words = words.iter();
        words
            .try_for_each(|word| self.options.take(option.name, word))
            .map_err(|complaint| value.error(complaint))
    }

    /// The model, of which there must be one.
    pub fn model(&mut self) -> syn::Result<Model> {
        match (self.file.take(), self.text.take()) {
            (Some(path), None) => Ok(Model::File(path)),
            (None, Some(text)) => Ok(Model::Text(text)),
            (Some(_), Some(text)) => Err(Error::new(
                text.span,
                "the model is given twice, as a file and as a text",
            )),
            (None, None) => Err(Error::new(
                Span::call_site(),
                "which model? Name its file, as in `#[derive_eom(\"models/sleigh.eom\")]`, or give its text, \
                 as in `#[derive_eom(text = \"model ...\")]`",
            )),
        }
    }
}
