//! A sheet of claims on one model by one formulation.

use eomgen::options::{Inverse, Route, Variant};
use eomgen::{
    Failure,
    internals::pipeline::{Agreement, Claim, Verdict, compare, entries},
    options::DeriveOptions,
};
use generated_tests::reference::model_source;

/// What a source says of a model, and what it does not say.
pub struct Sheet {
    model: &'static str,
    options: DeriveOptions,
    right: Vec<Claim>,
    wrong: Vec<Claim>,
    /// Numbers of entries that outputs should have.
    sizes: Vec<(&'static str, usize)>,
    labels: Vec<(&'static str, Vec<String>)>,
    /// Entries to the letter: output, row, column, text.
    printed: Vec<Claim>,
}

impl Sheet {
    pub fn new(model: &'static str, method: &str) -> Self {
        let options = DeriveOptions {
            method: Some(method.into()),
            ..DeriveOptions::default()
        };
        Self {
            model,
            options,
            right: Vec::new(),
            wrong: Vec::new(),
            sizes: Vec::new(),
            labels: Vec::new(),
            printed: Vec::new(),
        }
    }

    pub fn eliminating(mut self, rates: &[&str]) -> Self {
        self.options.dependent = rates.iter().map(|r| (*r).to_string()).collect();
        self
    }

    pub fn inverse(mut self, inverse: Inverse) -> Self {
        self.options.variant = Variant {
            inverse,
            ..self.options.variant
        };
        self
    }

    pub fn route(mut self, route: Route) -> Self {
        self.options.variant = Variant {
            route,
            ..self.options.variant
        };
        self
    }

    pub fn scalar(mut self, output: &str, expected: &str) -> Self {
        self.right.push(Claim::scalar(output, expected));
        self
    }

    /// All entries of a list.
    pub fn vector(mut self, output: &'static str, expected: &[&str]) -> Self {
        self.sizes.push((output, expected.len()));
        let claims = expected.iter().enumerate();
        self.right
            .extend(claims.map(|(i, e)| Claim::row(output, &i.to_string(), e)));
        self
    }

    /// All entries of a matrix, row by row.
    pub fn matrix(mut self, output: &'static str, expected: &[&[&str]]) -> Self {
        self.sizes
            .push((output, expected.iter().map(|row| row.len()).sum()));
        for (i, row) in expected.iter().enumerate() {
            for (j, e) in row.iter().enumerate() {
                let (i, j) = (i.to_string(), j.to_string());
                self.right.push(Claim::entry(output, &i, &j, e));
            }
        }
        self
    }

    /// One entry of a list by its label.
    pub fn entry(mut self, output: &str, row: &str, expected: &str) -> Self {
        self.right.push(Claim::row(output, row, expected));
        self
    }

    /// One entry of a matrix by its labels.
    pub fn entry_at(mut self, output: &str, row: &str, column: &str, expected: &str) -> Self {
        self.right.push(Claim::entry(output, row, column, expected));
        self
    }

    /// What the entries of an output are called.
    pub fn labelled(mut self, output: &'static str, labels: &[&str]) -> Self {
        let labels = labels.iter().map(|l| (*l).to_string()).collect();
        self.labels.push((output, labels));
        self
    }

    /// The equation of an unknown, `left = right`. Its scale counts, for that of the row is the formulation's.
    pub fn equation(self, unknown: &str, left: &str, right: &str) -> Self {
        self.entry("equations", unknown, &format!("({left}) - ({right})"))
    }

    /// A wrong entry.
    pub fn not(mut self, output: &str, row: &str, column: &str, expected: &str) -> Self {
        self.wrong.push(Claim::entry(output, row, column, expected));
        self
    }

    /// A wrong equation.
    pub fn no_equation(self, unknown: &str, left: &str, right: &str) -> Self {
        self.not("equations", unknown, "", &format!("({left}) - ({right})"))
    }

    /// An entry that is also written like this.
    pub fn prints(mut self, output: &str, row: &str, column: &str, text: &str) -> Self {
        self.printed.push(Claim::entry(output, row, column, text));
        self
    }

    /// Holds all claims against what is derived.
    pub fn check(self) {
        let told = |f: Failure| format!("{}, {:?}: {}", self.model, self.options, describe(&f));
        let source = model_source(self.model).unwrap();
        let all: Vec<Claim> = [&self.right, &self.wrong, &self.printed]
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        let verdicts = compare(&source, &self.options, &all).map_err(told).unwrap();
        assert_eq!(verdicts.len(), all.len());
        let (right, others) = verdicts.split_at(self.right.len());
        let (wrong, printed) = others.split_at(self.wrong.len());
        let mut complaints: Vec<String> = Vec::new();
        for v in right.iter().chain(printed) {
            if v.agreement != Agreement::Equal || !v.by_normal_form {
                complaints.push(described(v));
            }
        }
        for v in printed.iter().filter(|v| v.found != v.claim.expected) {
            complaints.push(format!("printed otherwise: {}", described(v)));
        }
        for v in wrong.iter().filter(|v| v.agreement == Agreement::Equal) {
            complaints.push(format!("wrong, and yet found equal: {}", described(v)));
        }
        for (output, size) in &self.sizes {
            let mut own = verdicts.iter().filter(|v| v.claim.output == *output);
            if let Some(other) = own.find(|v| v.size != *size) {
                complaints.push(format!("{output} has {} entries, not {size}", other.size));
            }
        }
        for (output, labels) in &self.labels {
            let list = entries(&source, &self.options, output)
                .map_err(told)
                .unwrap();
            let found: Vec<String> = list.into_iter().map(|(label, _)| label).collect();
            if found != *labels {
                complaints.push(format!("{output} has {found:?}"));
            }
        }
        let by = self.options.method.as_deref().unwrap_or_default();
        assert!(
            complaints.is_empty(),
            "{} by {by}:\n{}",
            self.model,
            complaints.join("\n")
        );
    }
}

fn described(v: &Verdict) -> String {
    let c = &v.claim;
    format!(
        "{}[{}][{}]: {:?}, by normal form: {}\n  found    {}\n  expected {}",
        c.output, c.row, c.column, v.agreement, v.by_normal_form, v.found, v.expected
    )
}

fn describe(failure: &Failure) -> String {
    match failure {
        Failure::Message(text) => text.clone(),
        Failure::Diagnostics(list) => {
            let titles: Vec<String> = list.iter().map(|d| format!("{d:?}")).collect();
            titles.join("\n")
        }
    }
}
