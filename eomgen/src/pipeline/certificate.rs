//! A certificate as a person reads it, and as JSON.

use serde_json::{Value, json};

use super::verify::{Certificate, Origin, Refusal, Standing, TextReport};
use crate::verify::compare::{Difference, Verdict};
use crate::verify::proof::{ComparedBy, Finding, Proof};

impl Certificate {
    /// For programs.
    #[must_use]
    pub fn to_json(&self) -> String {
        let refused = self.refused.iter();
        let refused: Vec<Value> = refused
            .map(|(method, why)| json!({ "method": method, "reason": why }))
            .collect();
        let value = json!({
            "verified": self.holds(),
            "verdict": self.standing().word(),
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
        self.head(f)?;
        let common = self.common();
        if !common.is_empty() {
            let what = match self.texts.len() {
                1 => "functions ",
                _ => "in each   ",
            };
            paragraph(f, &format!("  {what}  "), &list(&common))?;
        }
        let width = self.texts.iter().map(|text| text.method.len());
        let width = width.max().unwrap_or(0);
        for text in &self.texts {
            text.write(f, width, &common)?;
        }
        for (remark, methods) in self.remarks() {
            let of = if methods.len() == self.texts.len() {
                String::new()
            } else {
                format!(" [{}]", methods.join(", "))
            };
            paragraph(f, "  ", &format!("{remark}{of}"))?;
        }
        for (method, why) in &self.refused {
            writeln!(f, "  {method} does not apply: {why}")?;
        }
        Ok(())
    }
}

impl Certificate {
    /// What was compared, and how.
    fn head(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let verdict = match self.standing() {
            Standing::Verified => "verified",
            Standing::NotProven => "NOT PROVEN",
            Standing::Wrong => "WRONG",
        };
        let all = self.texts.len();
        match self.texts.as_slice() {
            [text] if text.file.is_some() => {
                let file = text.file.as_deref().unwrap_or_default();
                writeln!(f, "{verdict}: {file} of {}", self.model)?;
            }
            texts => {
                let right = texts.iter().filter(|text| text.holds()).count();
                let s = if all == 1 { "" } else { "s" };
                let model = &self.model;
                match self.standing() {
                    Standing::Verified => {
                        writeln!(f, "verified: {right} of {all} formulation{s} of {model}")?;
                    }
                    _ => writeln!(
                        f,
                        "{verdict}: {right} of {all} formulation{s} of {model} verified"
                    )?,
                }
            }
        }
        writeln!(
            f,
            "  model       sha256 {}, by eomgen {}",
            self.hash, self.version
        )?;
        self.grounds(f)
    }

    /// The states at which texts were compared, and the identities that hold for the reference evaluation.
    fn grounds(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let proofs = || {
            self.texts
                .iter()
                .filter_map(|text| text.proof.as_ref().ok())
        };
        let most = |of: &dyn Fn(&Proof) -> usize| proofs().map(of).max().unwrap_or(0);
        let exact = most(&|proof| {
            if proof.functions.iter().any(is_exact) {
                proof.exact_states
            } else {
                0
            }
        });
        if exact > 0 {
            writeln!(
                f,
                "  exactly     at {exact} states of the integers modulo 2^61 - 1, seed {};",
                self.seed
            )?;
            writeln!(
                f,
                "              a wrong formula of degree 10^6 passes with a probability below {:.0e}",
                chance(exact)
            )?;
        }
        let digits = most(&|proof| {
            if proof.functions.iter().any(is_in_digits) {
                proof.rounded_states
            } else {
                0
            }
        });
        if digits > 0 {
            let bound = proofs().map(|proof| proof.bound).fold(0.0, f64::max);
            let within = if bound > 0.0 {
                format!(", or within {bound:.0e} where constants are rounded")
            } else {
                String::new()
            };
            writeln!(
                f,
                "  numerically at {digits} states in numbers of 77 digits, seed {}, to 36 digits{within}",
                self.seed
            )?;
        }
        let held = |proof: &Proof| proof.identities.iter().filter(|(_, holds)| *holds).count();
        let identities = most(&held);
        if identities > 0 {
            writeln!(
                f,
                "  identities  {identities} of mechanics hold for the reference evaluation"
            )?;
        }
        Ok(())
    }

    /// The functions that agree in every text.
    fn common(&self) -> Vec<&str> {
        let proofs: Vec<&Proof> = self.texts.iter().flat_map(|t| t.proof.as_ref()).collect();
        let Some((first, others)) = proofs.split_first() else {
            return Vec::new();
        };
        let agrees = |proof: &Proof, name: &str| {
            let found = proof.functions.iter().find(|finding| finding.name == name);
            found.is_some_and(is_right)
        };
        let names = first.functions.iter().filter(|x| is_right(x));
        let names = names.map(|finding| finding.name.as_str());
        names
            .filter(|name| others.iter().all(|proof| agrees(proof, name)))
            .collect()
    }

    /// What there is to say beside the verdicts, each with the methods of which it is said.
    fn remarks(&self) -> Vec<(String, Vec<&str>)> {
        let mut all: Vec<(String, Vec<&str>)> = Vec::new();
        for text in &self.texts {
            let Ok(proof) = &text.proof else { continue };
            for remark in remarks(proof) {
                match all.iter_mut().find(|(known, _)| *known == remark) {
                    Some((_, methods)) => methods.push(&text.method),
                    None => all.push((remark, vec![&text.method])),
                }
            }
        }
        all
    }
}

fn is_right(finding: &Finding) -> bool {
    matches!(
        finding.verdict,
        Verdict::Agrees | Verdict::AgreesOnConstraints
    )
}

fn is_exact(finding: &Finding) -> bool {
    is_right(finding) && finding.compared_by == ComparedBy::Field
}

fn is_in_digits(finding: &Finding) -> bool {
    is_right(finding) && finding.compared_by == ComparedBy::Numbers
}

/// What a reader should know of a proof that does not speak against the text.
fn remarks(proof: &Proof) -> Vec<String> {
    let mut all = Vec::new();
    let mut reasons: Vec<&str> = Vec::new();
    for finding in proof.functions.iter().filter(|x| is_in_digits(x)) {
        if !reasons.contains(&finding.reason.as_str()) {
            reasons.push(&finding.reason);
        }
    }
    for reason in reasons {
        let those = named(proof, &|x| is_in_digits(x) && x.reason == reason);
        all.push(format!("in digits ({reason}): {those}"));
    }
    all.extend(unchecked(proof));
    let partly = named(proof, &|x| x.verdict == Verdict::AgreesOnConstraints);
    if !partly.is_empty() {
        all.push(format!("only on the constraints: {partly}"));
    }
    if !proof.untaken.is_empty() {
        all.push(format!(
            "not proven, since no state took both branches: {}",
            places(&proof.untaken)
        ));
    }
    if !proof.fractions.is_empty() {
        all.push(format!(
            "constants read as the fractions that they are rounded from: {}",
            proof.fractions.join(", ")
        ));
    }
    if proof.rounded > 0 {
        all.push(format!(
            "{} constants are rounded products, known to a unit in the last place",
            proof.rounded
        ));
    }
    all
}

/// Lines with the first function that each belongs to; several functions are written with the same ones.
fn places(untaken: &[(String, u32)]) -> String {
    /// More say nothing more.
    const SHOWN: usize = 6;
    let mut lines: Vec<&(String, u32)> = Vec::new();
    for place in untaken {
        if lines.iter().all(|known| known.1 != place.1) {
            lines.push(place);
        }
    }
    let shown = lines.iter().take(SHOWN);
    let shown = shown.map(|(function, line)| format!("{function}, line {line}"));
    let mut text = shown.collect::<Vec<_>>().join("; ");
    let more = lines.len().saturating_sub(SHOWN);
    if more > 0 {
        text.push_str(&format!("; and {more} more lines"));
    }
    text
}

/// What was not checked, functions by their reasons, and conditions.
fn unchecked(proof: &Proof) -> Vec<String> {
    let mut all = Vec::new();
    let mut whys: Vec<&str> = Vec::new();
    for finding in &proof.functions {
        if let Verdict::NotChecked(why) = &finding.verdict
            && !whys.contains(&why.as_str())
        {
            whys.push(why);
        }
    }
    for why in whys {
        let those = named(
            proof,
            &|x| matches!(&x.verdict, Verdict::NotChecked(w) if w == why),
        );
        all.push(format!("not proven: {those} ({why})"));
    }
    for condition in &proof.conditions {
        if let Verdict::NotChecked(why) = &condition.verdict {
            let text = &condition.text;
            all.push(format!("not proven: the condition `{text}` ({why})"));
        }
    }
    all
}

/// The names of those functions of a proof.
fn named(proof: &Proof, of: &dyn Fn(&Finding) -> bool) -> String {
    let found = proof.functions.iter().filter(|finding| of(finding));
    let names: Vec<&str> = found.map(|finding| finding.name.as_str()).collect();
    list(&names)
}

/// Names of several functions.
fn list(names: &[&str]) -> String {
    names.join(", ")
}

/// Width of the lines.
const WIDTH: usize = 110;

/// A text over several lines, those after the first indented.
fn paragraph(f: &mut std::fmt::Formatter<'_>, lead: &str, text: &str) -> std::fmt::Result {
    let indent = " ".repeat(lead.len().max(4));
    let mut line = lead.to_owned();
    let mut is_fresh = true;
    for word in text.split(' ') {
        if !is_fresh && line.len() + 1 + word.len() > WIDTH {
            writeln!(f, "{line}")?;
            line.clone_from(&indent);
            is_fresh = true;
        }
        if !is_fresh {
            line.push(' ');
        }
        line.push_str(word);
        is_fresh = false;
    }
    writeln!(f, "{line}")
}

impl TextReport {
    /// One line, and more where something is wrong.
    fn write(
        &self,
        f: &mut std::fmt::Formatter<'_>,
        width: usize,
        common: &[&str],
    ) -> std::fmt::Result {
        let hash = self.hash.get(..16).unwrap_or_default();
        let method = &self.method;
        let status = match self.standing() {
            Standing::Verified => "verified  ",
            Standing::NotProven => "NOT PROVEN",
            Standing::Wrong => "WRONG     ",
        };
        let counts = match &self.proof {
            Ok(proof) => format!("  {}", counts(proof, common)),
            Err(_) => String::new(),
        };
        writeln!(f, "  {method:width$}  {status} {hash}{counts}")?;
        for lacking in &self.lacking {
            writeln!(f, "    wrong      {lacking}")?;
        }
        for deviation in &self.deviations {
            let (line, text) = (deviation.line, &deviation.text);
            writeln!(f, "    not proven line {line}: {text}")?;
        }
        for open in &self.open {
            writeln!(f, "    not proven {open}")?;
        }
        if let Origin::OtherVersion(version) = &self.origin {
            writeln!(
                f,
                "    written by eomgen {version}: compared with the model, not with what this version writes"
            )?;
        }
        let proof = match &self.proof {
            Ok(proof) => proof,
            Err(Refusal::Unread(why) | Refusal::Failed(why)) => {
                writeln!(f, "    not proven {why}")?;
                return Ok(());
            }
            Err(Refusal::Wrong(faults)) => {
                for fault in faults {
                    writeln!(f, "    wrong      {fault}")?;
                }
                return Ok(());
            }
        };
        for (name, _) in proof.identities.iter().filter(|(_, holds)| !holds) {
            writeln!(
                f,
                "    not proven the reference evaluation violates: {name}"
            )?;
        }
        for finding in &proof.functions {
            if let Verdict::Error(error) = &finding.verdict {
                writeln!(f, "    not proven {}: {}", finding.name, error)?;
            }
        }
        match proof.counterexample() {
            Some((wrong, state)) => write_counterexample(f, wrong, state),
            None => Ok(()),
        }
    }

    fn to_json(&self) -> Value {
        let mut value = json!({
            "file": self.file,
            "method": self.method,
            "sha256": self.hash,
            "verified": self.holds(),
            "verdict": self.standing().word(),
            "origin": match &self.origin {
                Origin::Derived => "derived".to_owned(),
                Origin::AsWritten => "as written".to_owned(),
                Origin::Edited => "edited".to_owned(),
                Origin::OtherVersion(version) => format!("eomgen {version}"),
            },
            "deviations": self.deviations.iter().map(|d| json!({ "line": d.line, "text": d.text })).collect::<Vec<_>>(),
            "missing_checks": self.lacking,
            "not_proven": self.open,
        });
        let proof = match &self.proof {
            Ok(proof) => proof,
            Err(Refusal::Unread(why) | Refusal::Failed(why)) => {
                value["faults"] = json!([why]);
                return value;
            }
            Err(Refusal::Wrong(faults)) => {
                value["faults"] = json!(faults);
                return value;
            }
        };
        value["functions"] = proof.functions.iter().map(finding_json).collect();
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

fn finding_json(finding: &Finding) -> Value {
    let (verdict, why) = match &finding.verdict {
        Verdict::Agrees => ("agrees", String::new()),
        Verdict::AgreesOnConstraints => ("agrees on the constraints", String::new()),
        Verdict::Differs(_) => ("differs", String::new()),
        Verdict::NotChecked(why) => ("not checked", why.clone()),
        Verdict::Error(error) => ("undecided", error.to_string()),
    };
    json!({
        "name": finding.name,
        "verdict": verdict,
        "why": why,
        "compared_by": match finding.compared_by {
            ComparedBy::Field => "field",
            ComparedBy::Numbers => "numbers",
            ComparedBy::Checks => "checks",
            ComparedBy::Text => "text",
        },
        "reason": finding.reason,
    })
}

/// How many functions each kind of comparison confirmed, and the names of those that not every text has.
fn counts(proof: &Proof, common: &[&str]) -> String {
    let count = |of: &dyn Fn(&Finding) -> bool| proof.functions.iter().filter(|x| of(x)).count();
    let mut line = format!("{} exactly", count(&is_exact));
    let digits = count(&is_in_digits);
    if digits > 0 {
        line = format!("{line}, {digits} in digits");
    }
    let checks: usize = proof.conditions.iter().map(|c| c.checks).sum();
    if count(&|x| is_right(x) && x.compared_by == ComparedBy::Checks) > 0 {
        line = format!("{line}, {checks} checks");
    }
    let texts = count(&|x| is_right(x) && x.compared_by == ComparedBy::Text);
    if texts > 0 {
        line = format!("{line}, {texts} word by word");
    }
    let open = count(&|x| matches!(x.verdict, Verdict::NotChecked(_)));
    if open > 0 {
        line = format!("{line}, {open} not checked");
    }
    let own = proof.functions.iter().filter(|x| is_right(x));
    let own = own.map(|finding| finding.name.as_str());
    let own: Vec<&str> = own.filter(|name| !common.contains(name)).collect();
    if !own.is_empty() {
        line = format!("{line}; also {}", list(&own));
    }
    line
}

/// Where a text is wrong: what it gives, what it should give, and the state that shows it.
fn write_counterexample(
    f: &mut std::fmt::Formatter<'_>,
    wrong: &Difference,
    state: &[(String, String)],
) -> std::fmt::Result {
    writeln!(
        f,
        "    wrong      {} {}, line {} of the text",
        wrong.function, wrong.entry, wrong.line
    )?;
    writeln!(f, "               the text gives   {}", wrong.found)?;
    writeln!(
        f,
        "               {} says  {}",
        wrong.against, wrong.expected
    )?;
    if !state.is_empty() {
        let state = state.iter();
        let state = state.map(|(name, number)| format!("{name} = {number}"));
        let state = state.collect::<Vec<_>>().join(", ");
        writeln!(f, "               where {state}")?;
    }
    Ok(())
}
