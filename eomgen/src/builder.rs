//! Code for build scripts: a model derived into a file in `OUT_DIR`.
//!
//! Knows how cargo talks with build scripts, and how a module is written so that `include!` takes it; nothing of attributes, and
//! of the algebra only what a [`Request`] answers.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::catalogue::asked::split;
use crate::catalogue::options;
use crate::emit::names;
use crate::host::{self, FileError, cargo};
use crate::pipeline::DeriveOptions;
use crate::request::{Answer, Refusal, Request};

#[cfg(test)]
mod tests;

/// Derives a model in a build script (`build.rs`) and writes the module into cargo's output folder.
///
/// ```no_run
/// // build.rs
/// fn main() -> Result<(), eomgen::BuildError> {
///     eomgen::Builder::new()
///         .model("models/sleigh.eom")
///         .method("gibbs-appell")
///         .emit()?;
///     Ok(())
/// }
/// ```
///
/// This writes `sleigh.rs`, which contains `pub mod sleigh { ... }`; the crate includes it by
///
/// ```ignore
/// include!(concat!(env!("OUT_DIR"), "/sleigh.rs"));
/// ```
///
/// Options have the values and defaults of the command line. Several models in one build script must have different names.
#[derive(Clone, Debug, Default)]
#[must_use = "nothing is derived before `emit`"]
pub struct Builder {
    path: Option<String>,
    text: Option<String>,
    name: Option<String>,
    root: Option<PathBuf>,
    out_dir: Option<PathBuf>,
    /// Options with their values, in the order in which they are given.
    given: Vec<(&'static str, String)>,
}

/// Why there is no code. `Display` and `Debug` both show the messages in readable form, with their locations in the model:
/// `Debug` too, because cargo uses it if `main` returns an error.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.text())]
pub struct BuildError {
    subject: String,
    messages: Vec<String>,
}

impl BuildError {
    fn new(subject: &str, messages: Vec<String>) -> Self {
        Self {
            subject: subject.to_owned(),
            messages,
        }
    }

    /// One message for each error.
    pub fn messages(&self) -> &[String] {
        &self.messages
    }

    fn text(&self) -> String {
        format!("{}\n\n{}", self.subject, self.messages.join("\n\n"))
    }
}

impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

/// What cargo tells build scripts.
#[derive(Clone, Debug, Default)]
struct Surroundings {
    root: Option<PathBuf>,
    out_dir: Option<PathBuf>,
}

impl Builder {
    /// A builder without a model and with default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// The model's file. Its path is relative to the package's folder.
    pub fn model(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// The model's text, instead of a file. Paths of files that it uses are relative to the package's folder. It needs a [`name`](Self::name).
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// The name of the module and of the file; otherwise the stem of the model's file in snake case.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The folder that paths are relative to, instead of the package's (`CARGO_MANIFEST_DIR`).
    pub fn root(mut self, folder: impl Into<PathBuf>) -> Self {
        self.root = Some(folder.into());
        self
    }

    /// The folder to write to, instead of cargo's (`OUT_DIR`); it is created if missing. Its path is relative to
    /// the package's folder.
    pub fn out_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.out_dir = Some(folder.into());
        self
    }

    /// The formulation, by its name in `eomgen methods`.
    pub fn method(self, name: impl Into<String>) -> Self {
        self.given("method", name)
    }

    /// `closed`, `staged` or `auto`.
    pub fn form(self, form: impl Into<String>) -> Self {
        self.given("form", form)
    }

    /// A rate or speed to eliminate, such as `x'`; may be repeated.
    pub fn dependent(self, rate: impl Into<String>) -> Self {
        self.given("dependent", rate)
    }

    /// The value of a `const` of the model; may be repeated.
    pub fn set(self, name: impl Into<String>, value: i64) -> Self {
        self.given("set", format!("{}={value}", name.into()))
    }

    /// A parameter to replace by a number, as in `g=9.81`, or `all` to use the model's defaults; may be repeated.
    pub fn fix(self, parameter: impl Into<String>) -> Self {
        self.given("fix", parameter)
    }

    /// The generalized inverse of `udwadia-kalaba`.
    pub fn inverse(self, name: impl Into<String>) -> Self {
        self.given("inverse", name)
    }

    /// The system to eliminate for the accelerations, as for `--plan`; the default is `auto`.
    pub fn plan(self, name: impl Into<String>) -> Self {
        self.given("plan", name)
    }

    /// How plans are compared, as for `--prefer`; the default is `time`.
    pub fn prefer(self, name: impl Into<String>) -> Self {
        self.given("prefer", name)
    }

    /// The derivation used by `jourdain`: `I`, `II` or `III`.
    pub fn route(self, name: impl Into<String>) -> Self {
        self.given("route", name)
    }

    /// A quantity to add to the module, by its name in `eomgen methods`, with what it is of as in `jacobian(P)`, or several separated by commas; may be repeated.
    pub fn output(self, name: impl Into<String>) -> Self {
        let names: String = name.into();
        split(&names)
            .into_iter()
            .fold(self, |builder, name| builder.given("output", name))
    }

    /// A function to keep of those that the module has by default, or several separated by commas; may be repeated.
    pub fn only(self, name: impl Into<String>) -> Self {
        let names: String = name.into();
        names
            .split(',')
            .fold(self, |builder, name| builder.given("only", name.trim()))
    }

    /// Derivatives of an output to add to the module, such as `accelerations:q,v`; may be repeated.
    pub fn jacobian(self, of: impl Into<String>) -> Self {
        self.given("jacobian", of)
    }

    /// Where sines and square roots come from, as for `--math`; the default is `auto`.
    pub fn math(self, source: impl Into<String>) -> Self {
        self.given("math", source)
    }

    /// Whether `a*b + c` is written as `mul_add`, with one rounding; for processors with fused multiply-add.
    pub fn fma(self, wanted: bool) -> Self {
        self.given("fma", wanted.to_string())
    }

    /// The number type of the code: `f64`, `f32` or `generic`.
    pub fn scalar(self, scalar: impl Into<String>) -> Self {
        self.given("scalar", scalar)
    }

    /// Adds functions that evaluate many states at once.
    pub fn batch(self, wanted: bool) -> Self {
        self.given("batch", wanted.to_string())
    }

    fn given(mut self, option: &'static str, value: impl Into<String>) -> Self {
        self.given.push((option, value.into()));
        self
    }

    /// Derives, writes the file unless it contains the code already, and returns its path. Tells cargo on standard output which
    /// files the code depends on (after an error too), and the warnings.
    ///
    /// # Errors
    /// If the model or the options have errors, a file cannot be read or written, or this build of eomgen cannot derive
    /// (feature `derive`).
    pub fn emit(&self) -> Result<PathBuf, BuildError> {
        let around = Surroundings {
            root: cargo::folder("CARGO_MANIFEST_DIR"),
            out_dir: cargo::folder("OUT_DIR"),
        };
        let mut said = String::new();
        let outcome = self.run(&around, &mut said);
        cargo::tell(&said);
        outcome
    }

    /// [`emit`](Self::emit), with what is for cargo added to `said`.
    fn run(&self, around: &Surroundings, said: &mut String) -> Result<PathBuf, BuildError> {
        let subject = match &self.path {
            Some(path) => format!("no equations of motion from {path}"),
            None => "no equations of motion".to_owned(),
        };
        self.written(around, said)
            .map_err(|messages| BuildError::new(&subject, messages))
    }

    fn written(&self, around: &Surroundings, said: &mut String) -> Result<PathBuf, Vec<String>> {
        let missing = |variable: &str, method: &str| {
            vec![format!(
                "{variable} is not set: outside of a build script say `.{method}(...)`"
            )]
        };
        let root = self.root.as_ref().or(around.root.as_ref());
        let root = root.ok_or_else(|| missing("CARGO_MANIFEST_DIR", "root"))?;
        let options = self.options();
        // Before anything can fail: cargo has to look at the model again when it has changed.
        if let Some(path) = &self.path {
            rerun(&absolute(&root.join(path)), said);
        }
        let options = options?;
        let name = self.module()?;
        let out_dir = match &self.out_dir {
            Some(folder) => root.join(folder),
            None => around
                .out_dir
                .clone()
                .ok_or_else(|| missing("OUT_DIR", "out_dir"))?,
        };
        let request = match (&self.path, &self.text) {
            (Some(path), None) => Request::file(root, path, options).map_err(message)?,
            (None, Some(text)) => Request::inline(root, text, options),
            (None, None) => {
                return Err(vec![
                    "there is no model: say `.model(...)` or `.text(...)`".into(),
                ]);
            }
            (Some(_), Some(_)) => {
                return Err(vec![
                    "there are two models: say `.model(...)` or `.text(...)`".into(),
                ]);
            }
        };
        let own = usize::from(self.path.is_some());
        for file in request.files().iter().skip(own) {
            rerun(file, said);
        }
        let (code, warnings) = match request.answer() {
            Ok(Answer { code, warnings, .. }) => (Ok(code), warnings),
            Err(Refusal { messages, warnings }) => (Err(messages), warnings),
        };
        for line in warnings.iter().flat_map(|warning| warning.lines()) {
            said.push_str(&format!("cargo::warning={line}\n"));
        }
        let code = code?;
        let path = out_dir.join(format!("{name}.rs"));
        host::create_parent(&path).map_err(message)?;
        host::write_atomic(&path, wrapped(&name, &code).as_bytes()).map_err(message)?;
        Ok(path)
    }

    /// The module's name.
    fn module(&self) -> Result<String, Vec<String>> {
        let Some(name) = &self.name else {
            let stem = self.path.as_deref().and_then(|p| Path::new(p).file_stem());
            let stem = stem.map(|stem| names::snake(&stem.to_string_lossy()));
            let help = "a model given as text needs a name for its module: say `.name(...)`";
            return stem.ok_or_else(|| vec![help.to_owned()]);
        };
        let fit = names::identifier(name);
        if fit == *name {
            Ok(fit)
        } else {
            Err(vec![format!(
                "'{name}' cannot be the name of a module; '{fit}' can"
            )])
        }
    }

    /// The options, all words understood.
    fn options(&self) -> Result<DeriveOptions, Vec<String>> {
        let mut options = DeriveOptions::default();
        let mut wrong = Vec::new();
        for (name, value) in &self.given {
            let known = options::find(name).and_then(|option| option.words());
            if let Some(known) = known.filter(|known| !known.contains(&value.as_str())) {
                let known = known.join(", ");
                wrong.push(format!("'{value}' is no {name}; there are: {known}"));
            } else if let Err(complaint) = options.take(name, value) {
                wrong.push(format!("error: {complaint}"));
            }
        }
        if wrong.is_empty() {
            Ok(options)
        } else {
            Err(wrong)
        }
    }
}

fn message(error: FileError) -> Vec<String> {
    vec![format!("{error}")]
}

fn absolute(path: &Path) -> PathBuf {
    host::absolute(&path.to_string_lossy())
}

fn rerun(path: &Path, said: &mut String) {
    said.push_str(&format!("cargo::rerun-if-changed={}\n", path.display()));
}

/// The code as `pub mod name { ... }`: an included file may have no attributes of its own, a module in it may. The header's comments
/// stay on top.
fn wrapped(name: &str, code: &str) -> String {
    let comments = code.lines().take_while(|line| line.starts_with("// "));
    let header: usize = comments.map(|line| line.len() + 1).sum();
    let (header, body) = code.split_at_checked(header).unwrap_or(("", code));
    format!("{header}pub mod {name} {{\n{body}}}\n")
}
