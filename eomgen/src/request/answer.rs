//! The code for a request, from the cache or derived.

use serde_json::{Value, json};

use super::{Answer, Refusal, Request};
use crate::diag::Severity;
use crate::host::cache::{Cache, Key};
use crate::pipeline;

impl Request {
    /// Derives, unless the user's cache has the answer.
    ///
    /// # Errors
    /// What is wrong with the model.
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

    /// Everything that the code depends on. Where the folder lies is none of it: an editor sees the same crate from another place than
    /// the build does. (Warnings that were kept may show another way to the same file.)
    fn key(&self) -> Key {
        let name = &self.source.name;
        let cut = name.rfind(['/', '\\']).map_or(0, |at| at + 1);
        let (folder, name) = name.split_at(cut);
        let mut key = Key::new();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::DeriveOptions;

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
