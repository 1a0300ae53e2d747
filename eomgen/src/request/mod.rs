//! One request for code: a model, read from a file or given as text, with its options. The attribute, `eomgen prepare` and the
//! builder of build scripts are three ways to make one.
//!
//! Knows files, the cache and how messages look; nothing of attributes, tokens or packages.

use std::path::{Path, PathBuf};

use crate::diag::{self, Severity};
use crate::emit::header::{self, Stale};
#[cfg(feature = "derive")]
use crate::host::cache;
use crate::host::{self, FileError};
use crate::pipeline::{DeriveOptions, Failure, Source};

mod answer;
mod shell;

pub use answer::Answer;

/// What a model that is no file is called in messages.
pub const INLINE: &str = "<inline>";

/// A model and how to derive it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    source: Source,
    options: DeriveOptions,
    /// The model's path as it was given, relative to the crate's root; `None` for a text.
    path: Option<String>,
}

/// Why there is no code: messages for people, one for each thing that is wrong, each with its place in the model's text
/// if it has one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", messages.join("\n\n"))]
pub struct Refusal {
    /// The messages, without colours and without a line end behind them.
    pub messages: Vec<String>,
    /// Warnings that were found on the way, likewise.
    pub warnings: Vec<String>,
}

impl From<FileError> for Refusal {
    fn from(error: FileError) -> Self {
        Self {
            messages: vec![error.to_string()],
            warnings: Vec::new(),
        }
    }
}

impl Request {
    /// A model in a file; `path` counts from `root`, the folder of a crate.
    ///
    /// # Errors
    /// When the model's own file cannot be read. Files that it uses are missed when it is derived.
    pub fn file(root: &Path, path: &str, options: DeriveOptions) -> Result<Self, FileError> {
        let model = host::read_model(&host::shown(&root.join(path)))?;
        Ok(Self {
            source: Source::gather(&model.name, &model.text, host::read_part),
            options,
            path: Some(path.to_owned()),
        })
    }

    /// A model given as text; the files that it uses count from `root`.
    pub fn inline(root: &Path, text: &str, options: DeriveOptions) -> Self {
        let name = host::shown(&root.join(INLINE)).display().to_string();
        Self {
            // The name keeps its folder: the paths of parts count from there when the text is read again.
            source: Source::gather(&name, text, host::read_part),
            options,
            path: None,
        }
    }

    /// The model's text with those that it uses.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The options.
    pub fn options(&self) -> &DeriveOptions {
        &self.options
    }

    /// Absolute paths of the files that the answer depends on, the missing ones among them.
    pub fn files(&self) -> Vec<PathBuf> {
        let own = self.path.iter().map(|_| self.source.name.as_str());
        let parts = self.source.parts.iter().map(|part| part.path.as_str());
        own.chain(parts).map(host::absolute).collect()
    }

    /// Whether `generated` is what this version writes for this request, as far as hashes tell.
    ///
    /// # Errors
    /// The first reason why not.
    pub fn check_fresh(&self, generated: &str) -> Result<(), Stale> {
        header::check_fresh(generated, &self.source.whole_text(), &self.options.pairs())
    }

    /// The command, to be run in the crate's folder, that writes the code to `output`; `None` for a model that is no file.
    pub fn command(&self, output: &str) -> Option<String> {
        let path = self.path.as_deref()?;
        let words = ["eomgen", "derive", path, "-o", output].map(str::to_owned);
        let arguments = self.options.arguments();
        let words: Vec<String> = words.into_iter().chain(arguments).collect();
        Some(shell::line(&words))
    }

    /// Messages on this model.
    pub fn refusal(&self, failure: &Failure) -> Refusal {
        let (messages, warnings) = match failure {
            Failure::Message(message) => (vec![message.clone()], Vec::new()),
            Failure::Diagnostics(list) => (
                self.rendered(list, Severity::Error),
                self.rendered(list, Severity::Warning),
            ),
        };
        Refusal { messages, warnings }
    }

    /// Those of one severity.
    fn rendered(&self, list: &[diag::Diagnostic], severity: Severity) -> Vec<String> {
        let sources = self.source.sources();
        let one = |d: &diag::Diagnostic| {
            let text = diag::render_sources(&sources, std::slice::from_ref(d), false);
            text.trim_end().to_owned()
        };
        let wanted = list.iter().filter(|d| d.severity == severity);
        wanted.map(one).collect()
    }

    /// Everything that the code depends on. Where the folder lies is none of it: an editor sees the same crate from another place than
    /// the build does. (Warnings that were kept may show another way to the same file.)
    #[cfg(feature = "derive")]
    fn key(&self) -> cache::Key {
        let name = &self.source.name;
        let cut = name.rfind(['/', '\\']).map_or(0, |at| at + 1);
        let (folder, name) = name.split_at(cut);
        let mut key = cache::Key::new();
        key.add(name).add(&self.source.text);
        for part in &self.source.parts {
            key.add(part.path.strip_prefix(folder).unwrap_or(&part.path));
            match &part.text {
                Ok(text) => key.add("text").add(text),
                Err(reason) => key.add("missing").add(reason),
            };
        }
        for (name, value) in self.options.pairs() {
            key.add(&name).add(&value);
        }
        key
    }
}

#[cfg(all(test, feature = "derive"))]
mod tests {
    use super::*;

    #[test]
    fn the_key_sees_texts_and_options_but_not_the_folder() {
        let key = |model: &str, part: &str, method: Option<&str>| {
            let folder = tempfile::tempdir().unwrap();
            std::fs::create_dir(folder.path().join("p")).unwrap();
            std::fs::write(folder.path().join("m.eom"), model).unwrap();
            std::fs::write(folder.path().join("p/a.eom"), part).unwrap();
            let options = DeriveOptions {
                method: method.map(str::to_owned),
                ..DeriveOptions::default()
            };
            let request = Request::file(folder.path(), "m.eom", options).unwrap();
            assert_eq!(request.files().len(), 2);
            request.key().name()
        };
        let model = "model m\nuse \"p/a.eom\" as a\n";
        let one = key(model, "part a\n", None);
        assert_eq!(one, key(model, "part a\n", None));
        assert_ne!(one, key(model, "part a\nparam m : kg\n", None));
        assert_ne!(
            one,
            key(&format!("{model}param k : kg\n"), "part a\n", None)
        );
        assert_ne!(one, key(model, "part a\n", Some("maggi")));
    }
}
