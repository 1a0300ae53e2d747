//! Descriptions of robots in other formats, written as models. Knows no algebra and derives nothing.
//!
//! A format is read into a tree of links ([`robot`]), which is written as text; both sides know nothing of each other. Autolev's files have
//! no links ([`autolev`]). What the text cannot say is among the findings, and stands in its header.

mod autolev;
mod beside;
mod decimal;
mod findings;
mod limbs;
mod locks;
mod mjcf;
mod numbers;
mod prepare;
mod robot;
mod settings;
mod shape;
mod stem;
#[cfg(test)]
mod tests;
mod turn;
mod urdf;
mod write;
mod xml;

pub use beside::Beside;
pub use settings::{Base, Lock, Settings};

use crate::diag::codes::import::{E0603, E0604};
use crate::diag::codes::reuse::E0407;
use crate::diag::{Diagnostic, Severity};
use crate::input::{self, Failure, PartText, Source};
use crate::syntax;
use findings::Findings;

/// An imported machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The model's text.
    pub text: String,
    /// Texts of the parts that it uses, by the names of their files.
    pub parts: Vec<(String, String)>,
    /// What was left out, each with its place in the description.
    pub warnings: Vec<Diagnostic>,
}

/// Why nothing was imported.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// Something is wrong with the description.
    Description(Vec<Diagnostic>),
    /// It is something else altogether. Nothing of it is shown: whoever chose the path need not be who may read the file.
    NoDescription,
    /// Written out it is larger than a model can be.
    TooLarge,
    /// The settings do not fit it.
    Settings(String),
    /// The text that would be written is no model, which is a bug: its messages, with the text.
    Bug(Vec<Diagnostic>, String),
}

/// Reads a description and writes it as a model. `name` is what the file is called; of the files that it names none is read.
pub fn import(name: &str, text: &str, settings: &Settings) -> Result<Imported, Refusal> {
    let none = Beside::new(|_| Err("files that a description names are not read here".to_owned()));
    import_beside(name, text, settings, &none)
}

/// The same with the files that the description names.
pub fn import_beside(
    name: &str,
    text: &str,
    settings: &Settings,
    beside: &Beside,
) -> Result<Imported, Refusal> {
    let mut findings = Findings::default();
    if !text.trim_start().starts_with('<') {
        return machine(name, text, settings, &mut findings);
    }
    let refused = |wrong: Diagnostic| Refusal::Description(vec![wrong]);
    let document = xml::read(text).map_err(refused)?;
    let root = document.root_element();
    let robot = match root.tag_name().name() {
        "robot" => urdf::read(&document, settings.keep_angles, &mut findings),
        "mujoco" => mjcf::read(text, beside, settings.keep_angles, &mut findings),
        other => {
            return Err(refused(Diagnostic::error_with_help(
                E0603,
                format!("`{other}` is no description that is read"),
                xml::place(root),
                "the first element says what a file is",
                "URDF begins with `<robot>`, MJCF with `<mujoco>`",
            )));
        }
    };
    let mut robot = match robot {
        Some(robot) if findings.wrong.is_empty() => robot,
        _ => return Err(Refusal::Description(findings.wrong)),
    };
    prepare::prepare(&mut robot, settings, &mut findings).map_err(Refusal::Settings)?;
    let limbs = match &settings.parts {
        Some(_) => limbs::find(&robot),
        None => Vec::new(),
    };
    let stem = settings.parts.as_deref().unwrap_or_default();
    let written = write::write(&robot, &limbs, stem, name, &findings);
    let checked = check(written.text, written.parts)?;
    Ok(Imported {
        warnings: findings.warnings(),
        ..checked
    })
}

/// A machine in Autolev's text, which has no links to lock and no base to free.
fn machine(
    name: &str,
    text: &str,
    settings: &Settings,
    findings: &mut Findings,
) -> Result<Imported, Refusal> {
    if !autolev::is_autolev(text) {
        return Err(Refusal::NoDescription);
    }
    let robots = [
        ("--base", settings.base.is_some()),
        ("--lock", !settings.locks.is_empty()),
        ("--decimals", settings.decimals.is_some()),
        ("--keep-angles", settings.keep_angles),
    ];
    if let Some((option, _)) = robots.iter().find(|(_, given)| *given) {
        return Err(Refusal::Settings(format!(
            "{option} is for robots in URDF and MJCF; an Autolev file says itself how its machine moves: leave the option out"
        )));
    }
    match autolev::read(name, text, findings) {
        Some(written) => Ok(Imported {
            warnings: findings.warnings(),
            ..check(written, Vec::new())?
        }),
        None => Err(Refusal::Description(std::mem::take(&mut findings.wrong))),
    }
}

/// The text as it is laid out, if it is a model.
fn check(text: String, parts: Vec<(String, String)>) -> Result<Imported, Refusal> {
    let laid = |text: &str| match syntax::format(text) {
        Ok(laid) => Ok(laid),
        Err(wrong) => Err(Refusal::Bug(wrong, text.to_owned())),
    };
    let text = laid(&text)?;
    let mut laid_parts = Vec::new();
    for (name, part) in parts {
        laid_parts.push((name, laid(&part)?));
    }
    let mut source = Source::new("", &text);
    source.parts = laid_parts
        .iter()
        .map(|(name, text)| PartText {
            path: name.clone(),
            text: Ok(text.clone()),
        })
        .collect();
    match input::read_source(&source, &[]) {
        Ok(_) => Ok(Imported {
            text,
            parts: laid_parts,
            warnings: Vec::new(),
        }),
        Err(Failure::Diagnostics(all)) => {
            // A machine that is too large is not a bug.
            if all.iter().any(|found| found.code == E0407) {
                return Err(Refusal::TooLarge);
            }
            let wrong: Vec<Diagnostic> = all
                .into_iter()
                .filter(|found| found.severity == Severity::Error)
                .collect();
            Err(Refusal::Bug(wrong, text))
        }
        Err(Failure::Message(told)) => Err(Refusal::Bug(
            vec![Diagnostic::error(
                E0604,
                told,
                crate::span::Span::default(),
                "",
            )],
            text,
        )),
    }
}
