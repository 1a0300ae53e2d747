//! Proof of generated texts: derives by each method, or takes a file, and has `verify` compare it with the model.

use sha2::{Digest, Sha256};

use super::derivation::{Measured, derive_measured};
use super::{
    DeriveOptions, Failure, Inverse, MethodInfo, Route, Scalar, Source, VerifyOptions, methods,
    read_fixed,
};
use crate::diag::Diagnostic;
use crate::header::{Header, VERSION, body_hash, input_hash, is_too_deep};
use crate::host::in_order;
use crate::model::System;
use crate::stage::{self, Stage};
use crate::verify::checks::Measures;
use crate::verify::mutation_test::{MutationReport, mutation_test};
use crate::verify::number::EvalError;
use crate::verify::proof::{Proof, Reference, Request, prove};
use crate::verify::text::tree::Module;
use crate::verify::text::written::{Deviation, deviations};
use crate::verify::{layout, presence, rounding, text};

/// Where a text comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was derived here.
    Derived,
    /// A file, token by token what this version writes.
    AsWritten,
    /// A file of this version that says something else now.
    Edited,
    /// A file by another version.
    OtherVersion(String),
}

/// What is to be thought of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// Everything in it is proven.
    Verified,
    /// Nothing speaks against it, but not everything is proven.
    NotProven,
    /// It says something else than the model.
    Wrong,
}

impl Standing {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::NotProven => "not proven",
            Self::Wrong => "wrong",
        }
    }
}

/// Why a text was not compared with its model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is none: the derivation failed.
    Failed(String),
    /// Something in it is not understood.
    Unread(String),
    /// Its data are not the model's.
    Wrong(Vec<String>),
}

/// What was found on one text.
#[derive(Clone, Debug, PartialEq)]
pub struct TextReport {
    /// The file's name; `None` for a text that was derived here.
    pub file: Option<String>,
    /// The method that it was derived by.
    pub method: String,
    /// SHA-256 of the text.
    pub hash: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Where it says something else than what this version writes.
    pub deviations: Vec<Deviation>,
    /// Checks that it lacks.
    pub lacking: Vec<String>,
    /// What else keeps it from being proven.
    pub open: Vec<String>,
    /// The proof, or what is wrong with the text before any evaluation.
    pub proof: Result<Proof, Refusal>,
}

impl TextReport {
    /// The verdict.
    #[must_use]
    pub fn standing(&self) -> Standing {
        let refuted = match &self.proof {
            Ok(proof) => proof.counterexample().is_some(),
            Err(refusal) => matches!(refusal, Refusal::Wrong(_)),
        };
        if refuted || !self.lacking.is_empty() {
            return Standing::Wrong;
        }
        let complete = self.proof.as_ref().is_ok_and(Proof::is_complete);
        if complete && self.deviations.is_empty() && self.open.is_empty() {
            Standing::Verified
        } else {
            Standing::NotProven
        }
    }

    /// Whether everything in the text is proven.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.standing() == Standing::Verified
    }
}

/// A certificate, or the reason why there is none.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// The model's name.
    pub model: String,
    /// SHA-256 of the model's text, parts included.
    pub hash: String,
    /// Version of the checker.
    pub version: &'static str,
    /// The texts.
    pub texts: Vec<TextReport>,
    /// Methods that do not apply, and why.
    pub refused: Vec<(String, String)>,
    /// States asked for.
    pub states: usize,
    /// What the random numbers started from.
    pub seed: u64,
    /// Warnings on the model.
    pub warnings: Vec<Diagnostic>,
}

/// Compares generated texts with a model.
///
/// # Errors
/// Where the model is wrong, no method applies, or the file does not belong to the model.
pub fn verify_source(source: &Source, options: &VerifyOptions) -> Result<Certificate, Failure> {
    let mut certificate = Certificate {
        model: source.name.clone(),
        hash: sha256(&source.whole_text()),
        version: VERSION,
        texts: Vec::new(),
        refused: Vec::new(),
        states: options.states,
        seed: options.seed,
        warnings: Vec::new(),
    };
    let request = Request {
        states: options.states.max(1),
        seed: options.seed,
    };
    if let Some((name, text)) = &options.file {
        if is_too_deep(text) {
            let message = format!(
                "{name} nests too deeply, or a statement in it is too long: eomgen writes no such file"
            );
            return Err(Failure::Message(message));
        }
        let made = origin(source, name, text)?;
        let method = made.method.clone().unwrap_or_default();
        let (system, warnings) = read_fixed(source, &made.set, &made.fix)?;
        certificate.warnings = warnings;
        let written = written(source, text, &made);
        let measured = written.as_ref().and_then(|(_, measured)| measured.as_ref());
        let reference = Reference::new(&system, request.seed);
        let beside = (&system, &reference);
        let mut report = report((text, &made), measured, &method, beside, request);
        report.file = Some(name.clone());
        let written = written.as_ref().map(|(code, _)| code.as_str());
        beside_written(&mut report, written, (text, &made), beside, request.seed);
        certificate.texts.push(report);
        return Ok(certificate);
    }
    verify_methods(source, options, request, certificate)
}

/// The model that a text is compared with, and its second evaluation.
type Beside<'a> = (&'a System, &'a Result<Reference<'a>, EvalError>);

/// What this version writes in place of a file, and the measures of its conditions; `None` if it derives nothing with the file's options.
fn written(
    source: &Source,
    text: &str,
    made: &DeriveOptions,
) -> Option<(String, Option<Measured>)> {
    let mut own = source.clone();
    if let Some(header) = Header::parse(text) {
        own.name.clone_from(&header.source_name);
    }
    let (derived, measured) = derive_measured(&own, made).ok()?;
    Some((derived.code, measured))
}

/// Compares a file with what this version writes for its model and options: a proof by samples is one of a text that a generator wrote, and not of
/// one that was made to pass.
fn beside_written(
    report: &mut TextReport,
    written: Option<&str>,
    (text, made): (&str, &DeriveOptions),
    beside: Beside<'_>,
    seed: u64,
) {
    let header = Header::parse(text);
    let version = header.as_ref().map_or("", |header| &header.version);
    report.origin = if version == VERSION {
        Origin::Edited
    } else {
        Origin::OtherVersion(version.to_owned())
    };
    let is_whole = |header: &Header| body_hash(text).is_ok_and(|hash| hash == header.body);
    if matches!(report.origin, Origin::OtherVersion(_)) && !header.as_ref().is_some_and(is_whole) {
        let why = "the file was edited after it was written: its text does not have the hash that the header says";
        report.open.push(why.to_owned());
    }
    let Some(written) = written else {
        let why = "this version derives nothing from the model with these options";
        report.open.push(why.to_owned());
        return;
    };
    if report.origin == Origin::Edited {
        match deviations(text, written) {
            Ok(list) if list.is_empty() => report.origin = Origin::AsWritten,
            Ok(list) => report.deviations = list,
            Err(why) => report.open.push(why),
        }
    }
    if report.origin == Origin::AsWritten {
        return;
    }
    let read = |text: &str| text::read_of(text, precision(made.scalar));
    if let (Ok(found), Ok(wanted)) = (read(text), read(written)) {
        against_written(report, &found, &wanted);
        if matches!(report.origin, Origin::OtherVersion(_)) {
            report
                .open
                .extend(lost_in_doubles(&found, &wanted, beside, seed));
        }
    }
}

/// What a text loses in doubles where this version's does not. One that cannot be placed beside the model has been found to be wrong.
fn lost_in_doubles(
    found: &Module,
    wanted: &Module,
    (system, reference): Beside<'_>,
    seed: u64,
) -> Vec<String> {
    match (layout::layout(found, system), reference) {
        (Ok(layout), Ok(reference)) => {
            rounding::losses(found, wanted, &layout, &reference.machine, seed)
        }
        _ => Vec::new(),
    }
}

/// What a text that somebody else wrote lacks, or has beside what this version writes.
fn against_written(report: &mut TextReport, found: &Module, wanted: &Module) {
    if report.origin == Origin::Edited {
        report.lacking = presence::lacking(found, wanted);
    }
    report.open.extend(presence::foreign(found, wanted));
}

/// Derives by each method asked for and compares what comes of it with the model.
fn verify_methods(
    source: &Source,
    options: &VerifyOptions,
    request: Request,
    mut certificate: Certificate,
) -> Result<Certificate, Failure> {
    let (system, warnings) = read_fixed(source, &options.derive.set, &options.derive.fix)?;
    certificate.warnings = warnings;
    let all: Vec<String> = if options.methods.is_empty() {
        methods().iter().map(|m| m.name.to_owned()).collect()
    } else {
        options.methods.clone()
    };
    let reference = Reference::new(&system, request.seed);
    let several = all.len() > 1;
    // A derivation and a proof need the engine for less than half of their time, so that two of them go on side by side.
    let results = in_order(&all, |method| {
        let mut derive = DeriveOptions {
            method: Some(method.clone()),
            ..options.derive.clone()
        };
        if several {
            suit(&mut derive, method);
        }
        derive_measured(source, &derive).map(|(derived, measured)| {
            let text = (derived.code.as_str(), &derive);
            stage::at(Stage::Proving);
            report(
                text,
                measured.as_ref(),
                method,
                (&system, &reference),
                request,
            )
        })
    });
    let mut failure = None;
    for (method, result) in all.into_iter().zip(results) {
        match result {
            Ok(report) => certificate.texts.push(report),
            Err(Failure::Diagnostics(list)) => {
                let errors = list.iter().filter(|d| d.code.starts_with('E'));
                let said: Vec<&str> = errors.map(|d| d.title.as_str()).collect();
                certificate.refused.push((method, said.join("; ")));
                failure = failure.or(Some(Failure::Diagnostics(list)));
            }
            // What went wrong in one formulation says nothing of the others.
            Err(Failure::Message(message)) => {
                certificate.texts.push(failed(&method, message.clone()));
                failure = failure.or(Some(Failure::Message(message)));
            }
        }
    }
    let is_empty = |text: &TextReport| matches!(text.proof, Err(Refusal::Failed(_)));
    match failure {
        Some(failure) if certificate.texts.iter().all(is_empty) => Err(failure),
        _ => Ok(certificate),
    }
}

/// Leaves out what only other methods have, where several are asked for.
fn suit(derive: &mut DeriveOptions, method: &str) {
    let known = methods();
    let of = |name: &str, method: &MethodInfo| method.outputs.contains(&name);
    derive.outputs.retain(|name| {
        let owners: Vec<&MethodInfo> = known.iter().filter(|m| of(name, m)).collect();
        owners.is_empty() || owners.iter().any(|m| m.name == method)
    });
    if method != "udwadia-kalaba" {
        derive.variant.inverse = Inverse::default();
    }
    if method != "jourdain" {
        derive.variant.route = Route::default();
    }
}

/// Puts every `stride`-th small error of a fixed set into a generated file, one at a time, and tells which of them a proof does
/// not notice.
///
/// # Errors
/// Where the file cannot be read, does not belong to the model, or is wrong to begin with.
pub fn mutate_source(
    source: &Source,
    (name, text): (&str, &str),
    request: Request,
    stride: usize,
) -> Result<MutationReport, Failure> {
    let made = origin(source, name, text)?;
    let (system, _) = read_fixed(source, &made.set, &made.fix)?;
    let failed = |why: String| Failure::Message(format!("{name}: {why}"));
    let module = text::read_of(text, precision(made.scalar)).map_err(|e| failed(e.to_string()))?;
    mutation_test(&module, &system, request, stride).map_err(|faults| failed(faults.join("; ")))
}

/// The options of a generated file, which has to belong to the model.
fn origin(source: &Source, name: &str, text: &str) -> Result<DeriveOptions, Failure> {
    let failed = |why: &str| Failure::Message(format!("{name}: {why}"));
    let header = Header::parse(text).ok_or_else(|| failed("the file has no eomgen header"))?;
    if header.input != input_hash(&source.whole_text(), &header.options) {
        return Err(failed(
            "the file was not derived from this model; derive it again",
        ));
    }
    DeriveOptions::from_pairs(&header.options)
        .ok_or_else(|| failed("the file was derived with options that this version does not have"))
}

fn report(
    (text, made): (&str, &DeriveOptions),
    measured: Option<&Measured>,
    method: &str,
    beside: Beside<'_>,
    request: Request,
) -> TextReport {
    let proof = match text::read_of(text, precision(made.scalar)) {
        Ok(module) if module.facts.formulation != method => {
            let stated = &module.facts.formulation;
            let text = format!("`FACTS` says that it was derived by `{stated}`, not by `{method}`");
            Err(Refusal::Wrong(vec![text]))
        }
        Ok(module) => {
            let measures = measured.and_then(|measured| measures(measured, made));
            prove(&module, measures.as_ref(), beside, request).map_err(Refusal::Wrong)
        }
        Err(unreadable) => Err(Refusal::Unread(unreadable.to_string())),
    };
    TextReport {
        file: None,
        method: method.to_owned(),
        hash: sha256(text),
        origin: Origin::Derived,
        deviations: Vec::new(),
        lacking: Vec::new(),
        open: Vec::new(),
        proof,
    }
}

/// A formulation whose derivation failed.
fn failed(method: &str, why: String) -> TextReport {
    TextReport {
        file: None,
        method: method.to_owned(),
        hash: sha256(""),
        origin: Origin::Derived,
        deviations: Vec::new(),
        lacking: Vec::new(),
        open: Vec::new(),
        proof: Err(Refusal::Failed(why)),
    }
}

/// What the conditions of a model are measured by, read from its text.
fn measures(measured: &Measured, made: &DeriveOptions) -> Option<Measures> {
    let module = text::read_of(&measured.code, precision(made.scalar)).ok()?;
    Some(Measures {
        module,
        conditions: measured.conditions.clone(),
    })
}

/// What the numbers of a module are rounded to.
fn precision(scalar: Scalar) -> text::Precision {
    match scalar {
        Scalar::F32 => text::Precision::Single,
        _ => text::Precision::Double,
    }
}

fn sha256(text: &str) -> String {
    let hash = Sha256::digest(text.replace("\r\n", "\n").as_bytes());
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Certificate {
    /// The worst verdict on any text.
    #[must_use]
    pub fn standing(&self) -> Standing {
        let worst = self.texts.iter().map(TextReport::standing).max();
        worst.unwrap_or(Standing::NotProven)
    }

    /// Whether everything in all texts is proven.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.standing() == Standing::Verified
    }
}
