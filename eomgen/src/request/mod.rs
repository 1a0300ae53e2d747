//! One request for code: a model, read from a file or given as text, with its options. The attribute, `eomgen prepare` and the
//! builder of build scripts are three ways to make one.
//!
//! Knows files, the cache and how messages look; nothing of attributes, tokens or packages.

use std::path::{Path, PathBuf};

use crate::diag::{self, Severity};
use crate::files::{self, FileError, Parts};
use crate::header::{self, Stale};
use crate::input::{DeriveOptions, Failure, Source};

#[cfg(feature = "derive")]
mod answer;
mod shell;

/// What a model that is no file is called in messages.
pub const INLINE: &str = "<inline>";

/// What to do about a part elsewhere.
const ELSEWHERE: &str = "parts lie there, or in the package";

/// A model and how to derive it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    source: Source,
    options: DeriveOptions,
    /// The model's path as it was given, relative to the crate's root; `None` for a text.
    path: Option<String>,
}

/// Code, and what is worth knowing about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The Rust text with its header: the bytes that `eomgen derive` writes.
    pub code: String,
    /// Warnings on the model, each with its place, without colours.
    pub warnings: Vec<String>,
    /// Notes on it, likewise: what is worth knowing and nothing to be changed.
    pub notes: Vec<String>,
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
        let model = files::read_model(&files::shown(&root.join(path)))?;
        if !files::is_called_model(Path::new(&model.name)) && !Source::is_model(&model.text) {
            return Err(FileError::NotModel { name: model.name });
        }
        let parts = Parts::of(&model.name, [root], ELSEWHERE);
        Ok(Self {
            source: Source::gather(&model.name, &model.text, |path| parts.read(path)),
            options,
            path: Some(path.to_owned()),
        })
    }

    /// A model given as text; the files that it uses count from `root`.
    pub fn inline(root: &Path, text: &str, options: DeriveOptions) -> Self {
        let name = files::shown(&root.join(INLINE)).display().to_string();
        let parts = Parts::of(&name, [root], ELSEWHERE);
        Self {
            // The name keeps its folder: the paths of parts count from there when the text is read again.
            source: Source::gather(&name, text, |path| parts.read(path)),
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
        let parts = self.source.files();
        own.chain(parts).map(files::absolute).collect()
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
        let mut arguments = self.options.arguments();
        let folder = Path::new(&self.source.name).parent();
        let is_below =
            |part: &str| folder.is_some_and(|folder| Path::new(part).starts_with(folder));
        if !self.source.files().all(is_below) {
            // In the package, from whose folder the command is given.
            arguments.extend(["--include".to_owned(), ".".to_owned()]);
        }
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

    /// The code, if this build can derive: see `answer`.
    pub fn answer_if_able(&self) -> Option<Result<Answer, Refusal>> {
        #[cfg(feature = "derive")]
        return Some(self.answer());
        #[cfg(not(feature = "derive"))]
        None
    }
}
