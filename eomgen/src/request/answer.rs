//! The code for a request, from the cache or derived.

#[cfg(feature = "derive")]
use serde_json::{Value, json};

use super::{Refusal, Request};
use crate::diag::Severity;
#[cfg(feature = "derive")]
use crate::host::cache::Cache;
use crate::pipeline;

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

impl Request {
    /// Derives, unless the user's cache has the answer.
    ///
    /// # Errors
    /// What is wrong with the model.
    #[cfg(feature = "derive")]
    pub fn answer(&self) -> Result<Answer, Refusal> {
        let mut derived = None;
        let bytes = Cache::from_env().get_or_make(&self.key(), || {
            let answer = self.derive()?;
            let bytes = answer.to_json().to_string().into_bytes();
            derived = Some(answer);
            Ok::<_, Refusal>(bytes)
        })?;
        match derived.or_else(|| Answer::parse(&bytes)) {
            Some(answer) => Ok(answer),
            None => self.derive(),
        }
    }

    /// There is no deriving in this build, and its message says so.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(feature = "derive"))]
    pub fn answer(&self) -> Result<Answer, Refusal> {
        self.derive()
    }

    /// Derives, cache or not.
    ///
    /// # Errors
    /// What is wrong with the model.
    pub fn derive(&self) -> Result<Answer, Refusal> {
        match pipeline::derive_source(&self.source, &self.options) {
            Ok(derived) => Ok(Answer {
                code: derived.code,
                warnings: self.rendered(&derived.warnings, Severity::Warning),
                notes: self.rendered(&derived.warnings, Severity::Note),
            }),
            Err(failure) => Err(self.refusal(&failure)),
        }
    }
}

#[cfg(feature = "derive")]
impl Answer {
    fn to_json(&self) -> Value {
        json!({ "code": self.code, "warnings": self.warnings, "notes": self.notes })
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let value: Value = serde_json::from_slice(bytes).ok()?;
        let list = |name: &str| -> Option<Vec<String>> {
            let texts = value[name].as_array()?.iter();
            texts.map(|w| w.as_str().map(str::to_owned)).collect()
        };
        Some(Self {
            code: value["code"].as_str()?.to_owned(),
            warnings: list("warnings")?,
            notes: list("notes")?,
        })
    }
}
