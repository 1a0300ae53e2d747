//! Proof of generated texts: derives by each method, or takes a file, and has `verify` compare it with the model.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::derivation::derive_source;
use super::{DeriveOptions, Failure, Source, methods, read_source};
use crate::diag::Diagnostic;
use crate::emit::{Header, input_hash};
use crate::model::System;
use crate::verify::compare::Verdict;
use crate::verify::proof::{Ground, Proof, Request, prove};
use crate::verify::text;
use crate::verify::trial::{Trial, trial};

/// What is to be proven, and how thoroughly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyOptions {
    /// Methods to derive by; none: all.
    pub methods: Vec<String>,
    /// How to derive.
    pub derive: DeriveOptions,
    /// A generated file instead: its name and its text.
    pub file: Option<(String, String)>,
    /// Number of random states.
    pub states: usize,
    /// What the random numbers start from.
    pub seed: u64,
}

impl Default for VerifyOptions {
    fn default() -> Self {
        Self {
            methods: Vec::new(),
            derive: DeriveOptions::default(),
            file: None,
            states: 3,
            seed: 1,
        }
    }
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
    /// The proof, or what is wrong with the text before any evaluation.
    pub proof: Result<Proof, Vec<String>>,
}

impl TextReport {
    /// Whether nothing speaks against the text.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.proof.as_ref().is_ok_and(Proof::holds)
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
        version: crate::emit::header::VERSION,
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
        let (method, set) = origin(source, name, text)?;
        let (system, warnings) = read_source(source, &set)?;
        certificate.warnings = warnings;
        let report = report(text, &method, Some(name.clone()), &system, request);
        certificate.texts.push(report);
        return Ok(certificate);
    }
    let (system, warnings) = read_source(source, &options.derive.set)?;
    certificate.warnings = warnings;
    let all: Vec<String> = match options.methods.is_empty() {
        true => methods().iter().map(|m| m.name.to_owned()).collect(),
        false => options.methods.clone(),
    };
    let mut failure = None;
    for method in all {
        let derive = DeriveOptions {
            method: Some(method.clone()),
            ..options.derive.clone()
        };
        match derive_source(source, &derive) {
            Ok(derived) => {
                let report = report(&derived.code, &method, None, &system, request);
                certificate.texts.push(report);
            }
            Err(Failure::Diagnostics(list)) => {
                let errors = list.iter().filter(|d| d.code.starts_with('E'));
                let said: Vec<&str> = errors.map(|d| d.title.as_str()).collect();
                certificate.refused.push((method, said.join("; ")));
                failure = failure.or(Some(Failure::Diagnostics(list)));
            }
            Err(message) => return Err(message),
        }
    }
    match failure {
        Some(failure) if certificate.texts.is_empty() => Err(failure),
        _ => Ok(certificate),
    }
}

/// Puts every `stride`-th small error of a fixed set into a generated file, one at a time, and tells which of them a proof does
/// not notice.
///
/// # Errors
/// Where the file cannot be read, does not belong to the model, or is wrong to begin with.
pub fn trial_source(
    source: &Source,
    (name, text): (&str, &str),
    request: Request,
    stride: usize,
) -> Result<Trial, Failure> {
    let (_, set) = origin(source, name, text)?;
    let (system, _) = read_source(source, &set)?;
    let failed = |why: String| Failure::Message(format!("{name}: {why}"));
    let module = text::read(text).map_err(|e| failed(e.to_string()))?;
    trial(&module, &system, request, stride).map_err(|faults| failed(faults.join("; ")))
}

/// The method and the constants of a generated file, which has to belong to the model.
fn origin(
    source: &Source,
    name: &str,
    text: &str,
) -> Result<(String, Vec<(String, i64)>), Failure> {
    let failed = |why: &str| Failure::Message(format!("{name}: {why}"));
    let header = Header::parse(text).ok_or_else(|| failed("the file has no eomgen header"))?;
    if header.input != input_hash(&source.whole_text(), &header.options) {
        return Err(failed(
            "the file was not made from this model; derive it again",
        ));
    }
    let option = |name: &str| header.options.iter().find(|o| o.0 == name);
    let method = option("method").map_or_else(String::new, |o| o.1.clone());
    let set = header.options.iter().filter_map(|(name, value)| {
        let name = name.strip_prefix("set.")?;
        Some((name.to_owned(), value.parse().ok()?))
    });
    Ok((method, set.collect()))
}

fn report(
    text: &str,
    method: &str,
    file: Option<String>,
    system: &System,
    request: Request,
) -> TextReport {
    let proof = match text::read(text) {
        Ok(module) => prove(&module, system, request),
        Err(unreadable) => Err(vec![unreadable.to_string()]),
    };
    TextReport {
        file,
        method: method.to_owned(),
        hash: sha256(text),
        proof,
    }
}

fn sha256(text: &str) -> String {
    let hash = Sha256::digest(text.replace("\r\n", "\n").as_bytes());
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Certificate {
    /// Whether nothing speaks against any text.
    #[must_use]
    pub fn holds(&self) -> bool {
        !self.texts.is_empty() && self.texts.iter().all(TextReport::holds)
    }

    /// For programs.
    #[must_use]
    pub fn to_json(&self) -> String {
        let refused = self.refused.iter();
        let refused: Vec<Value> = refused
            .map(|(method, why)| json!({ "method": method, "reason": why }))
            .collect();
        let value = json!({
            "verified": self.holds(),
            "model": self.model,
            "sha256": self.hash,
            "version": self.version,
            "field": "integers modulo 2^61 - 1",
            "states": self.states,
            "seed": self.seed,
            "texts": self.texts.iter().map(TextReport::to_json).collect::<Vec<_>>(),
            "not_applicable": refused,
        });
        format!("{value:#}\n")
    }
}

/// For a degree of a million.
fn chance(states: usize) -> f64 {
    (0..states).fold(1.0, |chance, _| chance * (1e6 / 2.305_843_009_213_694e18))
}

impl std::fmt::Display for Certificate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let verdict = match self.holds() {
            true => "verified",
            false => "NOT VERIFIED",
        };
        writeln!(f, "{verdict}: {}", self.model)?;
        writeln!(f, "  model      sha256 {}", self.hash)?;
        writeln!(
            f,
            "  checker    eomgen {}, seed {}",
            self.version, self.seed
        )?;
        for text in &self.texts {
            writeln!(f)?;
            text.write(f)?;
        }
        if !self.refused.is_empty() {
            writeln!(f)?;
        }
        for (method, why) in &self.refused {
            writeln!(f, "{method} does not apply: {why}")?;
        }
        Ok(())
    }
}

/// Names of several functions, those of unchecked twins left out where their function is among them.
fn list(names: &[&str]) -> String {
    let shown = names.iter().filter(|name| {
        let base = name.strip_suffix("_unchecked");
        base.is_none_or(|base| !names.contains(&base))
    });
    shown.copied().collect::<Vec<_>>().join(", ")
}

impl TextReport {
    fn write(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let from = self.file.as_deref().unwrap_or("derived");
        writeln!(f, "{} ({from})", self.method)?;
        writeln!(f, "  text       sha256 {}", self.hash)?;
        let proof = match &self.proof {
            Ok(proof) => proof,
            Err(faults) => {
                for fault in faults {
                    writeln!(f, "  wrong      {fault}")?;
                }
                return Ok(());
            }
        };
        let named = |of: &dyn Fn(&crate::verify::proof::Finding) -> bool| {
            let found = proof.functions.iter().filter(|finding| of(finding));
            found
                .map(|finding| finding.name.as_str())
                .collect::<Vec<_>>()
        };
        let agrees = |v: &Verdict| matches!(v, Verdict::Agrees | Verdict::AgreesOnConstraints);
        let exact = named(&|x| agrees(&x.verdict) && x.ground == Ground::Field);
        let rounded = named(&|x| agrees(&x.verdict) && x.ground == Ground::Numbers);
        let all = proof.functions.len();
        if !exact.is_empty() {
            let states = proof.exact_states;
            writeln!(
                f,
                "  exactly    {} of {all} functions at {states} states of the integers modulo 2^61 - 1",
                exact.len()
            )?;
            writeln!(
                f,
                "             a wrong formula of degree 10^6 passes with a probability below {:.0e}",
                chance(states)
            )?;
            if proof.chance < 0 {
                let log = proof.chance;
                writeln!(
                    f,
                    "             for the degrees of the model's accelerations that is 2^{log}"
                )?;
            }
            writeln!(f, "             {}", list(&exact))?;
        }
        if !rounded.is_empty() {
            let (count, states) = (rounded.len(), proof.rounded_states);
            writeln!(
                f,
                "  in digits  {count} of {all} functions in numbers of 77 digits, at {states} states, which agree to 36 digits or within"
            )?;
            writeln!(
                f,
                "             what the rounding of the file's constants allows, relatively {:.0e}",
                proof.bound
            )?;
            let mut reasons: Vec<&str> = Vec::new();
            for finding in proof
                .functions
                .iter()
                .filter(|x| x.ground == Ground::Numbers)
            {
                if agrees(&finding.verdict) && !reasons.contains(&finding.reason.as_str()) {
                    reasons.push(&finding.reason);
                }
            }
            for reason in reasons {
                let those = named(&|x| {
                    agrees(&x.verdict) && x.ground == Ground::Numbers && x.reason == reason
                });
                writeln!(f, "             {reason}: {}", list(&those))?;
            }
        }
        let broken = proof.identities.iter().filter(|(_, holds)| !holds);
        let broken: Vec<&String> = broken.map(|(name, _)| name).collect();
        let held = proof.identities.len() - broken.len();
        if held > 0 {
            writeln!(
                f,
                "  identities {held} of mechanics hold for the evaluation that it is compared with"
            )?;
        }
        for name in broken {
            writeln!(
                f,
                "  wrong      the model's own evaluation does not fulfil: {name}"
            )?;
        }
        let checks: usize = proof.conditions.iter().map(|c| c.checks).sum();
        let measured = named(&|x| agrees(&x.verdict) && x.ground == Ground::Checks);
        if !measured.is_empty() {
            writeln!(
                f,
                "  checks     closeness and {checks} checks of the functions measure the same"
            )?;
        }
        for (function, line) in &proof.untaken {
            writeln!(
                f,
                "  remark     {function}, line {line}: no state took both branches"
            )?;
        }
        let partly = named(&|x| x.verdict == Verdict::AgreesOnConstraints);
        if !partly.is_empty() {
            writeln!(
                f,
                "  remark     only where the constraints hold: {}",
                list(&partly)
            )?;
        }
        if !proof.fractions.is_empty() {
            writeln!(
                f,
                "  constants  read as the fractions that they are rounded from: {}",
                proof.fractions.join(", ")
            )?;
        }
        if proof.rounded > 0 {
            writeln!(
                f,
                "  constants  {} are rounded products, known to a unit in the last place",
                proof.rounded
            )?;
        }
        for finding in &proof.functions {
            if let Verdict::NotChecked(why) = &finding.verdict {
                writeln!(f, "  not checked: {} ({why})", finding.name)?;
            }
        }
        for condition in &proof.conditions {
            if let Verdict::NotChecked(why) = &condition.verdict {
                writeln!(
                    f,
                    "  not checked: the condition `{}` ({why})",
                    condition.text
                )?;
            }
        }
        for finding in &proof.functions {
            if let Verdict::Trouble(trouble) = &finding.verdict {
                writeln!(
                    f,
                    "  undecided  {}: {}",
                    finding.name,
                    crate::verify::proof::say(trouble)
                )?;
            }
        }
        if let Some((wrong, state)) = proof.counterexample() {
            writeln!(
                f,
                "  wrong      {} {}, line {} of the text",
                wrong.function, wrong.entry, wrong.line
            )?;
            writeln!(f, "             the text says   {}", wrong.found)?;
            writeln!(f, "             {} says  {}", wrong.against, wrong.expected)?;
            if !state.is_empty() {
                let state = state
                    .iter()
                    .map(|(name, number)| format!("{name} = {number}"));
                writeln!(
                    f,
                    "             where {}",
                    state.collect::<Vec<_>>().join(", ")
                )?;
            }
        }
        Ok(())
    }

    fn to_json(&self) -> Value {
        let mut value = json!({
            "file": self.file,
            "method": self.method,
            "sha256": self.hash,
            "verified": self.holds(),
        });
        let proof = match &self.proof {
            Ok(proof) => proof,
            Err(faults) => {
                value["faults"] = json!(faults);
                return value;
            }
        };
        let functions = proof.functions.iter().map(|finding| {
            let (verdict, why) = match &finding.verdict {
                Verdict::Agrees => ("agrees", String::new()),
                Verdict::AgreesOnConstraints => {
                    ("agrees where the constraints hold", String::new())
                }
                Verdict::Differs(_) => ("differs", String::new()),
                Verdict::NotChecked(why) => ("not checked", why.clone()),
                Verdict::Trouble(trouble) => ("undecided", crate::verify::proof::say(trouble)),
            };
            json!({
                "name": finding.name,
                "verdict": verdict,
                "why": why,
                "ground": match finding.ground {
                    Ground::Field => "field",
                    Ground::Numbers => "numbers",
                    Ground::Checks => "checks",
                },
                "reason": finding.reason,
            })
        });
        value["functions"] = functions.collect();
        let conditions = proof.conditions.iter().map(|condition| {
            json!({
                "text": condition.text,
                "checks": condition.checks,
                "agrees": condition.verdict == Verdict::Agrees,
            })
        });
        value["conditions"] = conditions.collect();
        let untaken = proof.untaken.iter();
        let untaken = untaken.map(|(f, line)| json!({ "function": f, "line": line }));
        value["branches_not_taken"] = untaken.collect();
        let identities = proof.identities.iter();
        let identities = identities.map(|(name, holds)| json!({ "name": name, "holds": holds }));
        value["identities"] = identities.collect();
        value["log2_chance_of_accelerations"] = json!(proof.chance);
        value["exact_states"] = json!(proof.exact_states);
        value["rounded_states"] = json!(proof.rounded_states);
        value["error_bound"] = json!(proof.bound);
        value["failure_probability_for_degree_million"] = json!(chance(proof.exact_states));
        if let Some((wrong, state)) = proof.counterexample() {
            let state = state
                .iter()
                .map(|(name, number)| (name.clone(), json!(number)));
            value["counterexample"] = json!({
                "function": wrong.function,
                "entry": wrong.entry,
                "line": wrong.line,
                "found": wrong.found,
                "expected": wrong.expected,
                "against": wrong.against,
                "state": state.collect::<serde_json::Map<_, _>>(),
            });
        }
        value
    }
}
