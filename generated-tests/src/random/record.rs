//! What became of a machine, as one line of a log. A long run is written down as it goes on, continued where it was interrupted, and the logs of
//! its pieces are added up.

use super::trial::Verdict;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A check and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// What was asked: module, eval, verify, ...
    pub check: String,
    /// The verdict in a word.
    pub word: String,
    /// What is wrong, or why nothing can be said.
    pub text: String,
}

/// What became of a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// What it was drawn from.
    pub seed: u64,
    /// The formulation.
    pub method: String,
    /// What the draw put into it.
    pub features: Vec<String>,
    /// Words of the language in it.
    pub words: BTreeSet<String>,
    /// Codes of messages.
    pub codes: BTreeSet<String>,
    /// All checks.
    pub verdicts: Vec<Judged>,
    /// Processor time of the derivation.
    pub seconds: f64,
    /// The most memory that it held.
    pub mebibytes: f64,
}

impl Judged {
    /// A verdict as it is written down.
    #[must_use]
    pub fn new(check: &str, verdict: &Verdict) -> Self {
        let (word, text) = match verdict {
            Verdict::Agree => ("agree".to_owned(), ""),
            Verdict::Refused(code) => (format!("refused {code}"), ""),
            Verdict::Singular => ("singular".to_owned(), ""),
            Verdict::Unclear(why) => ("unclear".to_owned(), why.as_str()),
            Verdict::Wrong(what) => ("wrong".to_owned(), what.as_str()),
        };
        Self {
            check: check.to_owned(),
            word,
            text: text.to_owned(),
        }
    }

    /// Whether something is wrong.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        self.word == "wrong"
    }
}

fn texts<'s>(list: impl IntoIterator<Item = &'s String>) -> Vec<&'s str> {
    list.into_iter().map(String::as_str).collect()
}

fn strings(value: &Value) -> impl Iterator<Item = String> {
    let list = value.as_array().map_or(&[][..], Vec::as_slice);
    list.iter().filter_map(Value::as_str).map(str::to_owned)
}

impl Record {
    /// As a line of a log.
    #[must_use]
    pub fn line(&self) -> String {
        let verdict = |v: &Judged| json!([v.check, v.word, v.text]);
        json!({
            "seed": self.seed,
            "method": self.method,
            "features": texts(&self.features),
            "words": texts(&self.words),
            "codes": texts(&self.codes),
            "verdicts": self.verdicts.iter().map(verdict).collect::<Vec<_>>(),
            "seconds": self.seconds,
            "mebibytes": self.mebibytes,
        })
        .to_string()
    }

    /// From a line of a log; `None` for any other line, such as one that was not written to its end.
    #[must_use]
    pub fn read(line: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(line).ok()?;
        let verdict = |v: &Value| {
            let mut parts = strings(v);
            Some(Judged {
                check: parts.next()?,
                word: parts.next()?,
                text: parts.next()?,
            })
        };
        Some(Self {
            seed: value["seed"].as_u64()?,
            method: value["method"].as_str()?.to_owned(),
            features: strings(&value["features"]).collect(),
            words: strings(&value["words"]).collect(),
            codes: strings(&value["codes"]).collect(),
            verdicts: value["verdicts"]
                .as_array()?
                .iter()
                .map(verdict)
                .collect::<Option<_>>()?,
            seconds: value["seconds"].as_f64()?,
            mebibytes: value["mebibytes"].as_f64()?,
        })
    }
}

/// Verdicts by word, for each key.
type Table = BTreeMap<String, BTreeMap<String, usize>>;

/// Records added up.
#[derive(Default)]
pub struct Tally {
    /// Verdicts by method.
    pub methods: Table,
    /// Verdicts by feature.
    pub features: Table,
    /// Verdicts by what was asked: module, eval, verify, ...
    pub checks: Table,
    /// Codes of messages.
    pub codes: BTreeSet<String>,
    /// Words of the language.
    pub words: BTreeSet<String>,
    /// What is wrong: seed, check, what.
    pub wrong: Vec<(u64, String, String)>,
    /// What cannot be said: seed, check, why.
    pub unclear: Vec<(u64, String, String)>,
    /// Seeds of the machines.
    pub seeds: BTreeSet<u64>,
    /// The longest derivation: seconds, seed.
    pub slowest: (f64, u64),
    /// The one with the most memory: MiB, seed.
    pub largest: (f64, u64),
}

impl Tally {
    /// Adds a machine, unless it is there.
    pub fn add(&mut self, record: &Record) {
        if !self.seeds.insert(record.seed) {
            return;
        }
        for Judged { check, word, text } in &record.verdicts {
            let mut count = |table: fn(&mut Self) -> &mut Table, key: &str| {
                let row = table(self).entry(key.to_owned()).or_default();
                *row.entry(word.clone()).or_default() += 1;
            };
            count(|t| &mut t.checks, check);
            count(|t| &mut t.methods, &record.method);
            for feature in &record.features {
                count(|t| &mut t.features, feature);
            }
            let list = match word.as_str() {
                "wrong" => &mut self.wrong,
                "unclear" => &mut self.unclear,
                _ => continue,
            };
            list.push((record.seed, check.clone(), text.clone()));
        }
        self.codes.extend(record.codes.iter().cloned());
        self.words.extend(record.words.iter().cloned());
        if record.seconds > self.slowest.0 {
            self.slowest = (record.seconds, record.seed);
        }
        if record.mebibytes > self.largest.0 {
            self.largest = (record.mebibytes, record.seed);
        }
    }

    /// A table of verdicts.
    #[must_use]
    pub fn table(title: &str, rows: &Table) -> String {
        let mut text = format!("{title}\n");
        for (key, counts) in rows {
            let counts: Vec<_> = counts.iter().map(|(w, n)| format!("{w} {n}")).collect();
            text += &format!("  {key:34} {}\n", counts.join(", "));
        }
        text
    }
}
