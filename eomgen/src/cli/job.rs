//! What parent and child process say to each other, as JSON.

use serde_json::{Value, json};

use super::console::{Problem, say};
use std::path::Path;

use crate::host::{ModelText, read_model, read_part};
use crate::pipeline::{DeriveOptions, Document, Fix, PartText, Source, VerifyOptions};
use crate::show::Format;

/// What the child is to do.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Job {
    /// The model.
    pub(super) model: Source,
    /// Whether messages are coloured.
    pub(super) colour: bool,
    /// The task.
    pub(super) work: Work,
}

/// The tasks.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Work {
    /// Write code.
    Derive(DeriveOptions),
    /// Write a document on the derivation.
    Document(DeriveOptions, Document),
    /// Show the derivation.
    Show {
        /// How to derive.
        options: DeriveOptions,
        /// By all formulations that apply.
        all: bool,
        /// What to write.
        format: Format,
    },
    /// Report on the model.
    Check {
        /// As JSON.
        json: bool,
        /// Constants set from outside.
        set: Vec<(String, i64)>,
        /// Parameters fixed as numbers.
        fix: Fix,
    },
    /// Evaluate at a state.
    Eval {
        /// How to derive.
        options: DeriveOptions,
        /// The JSON text of the state.
        state: ModelText,
    },
    /// Compare with another model.
    #[cfg(feature = "derive")]
    Difference {
        /// The older one.
        old: Source,
        /// How to derive both.
        options: DeriveOptions,
        /// As JSON.
        json: bool,
    },
    /// Compare generated code with the model.
    Verify {
        /// What, and how thoroughly.
        options: VerifyOptions,
        /// As JSON.
        json: bool,
    },
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Reply {
    /// Whether it worked.
    pub(super) ok: bool,
    /// For standard output or the output file.
    pub(super) output: String,
    /// For standard error.
    pub(super) messages: String,
}

impl Reply {
    /// Says the messages and yields the output, or the failure.
    pub(super) fn success(self) -> Result<String, Problem> {
        say(&self.messages);
        if self.ok {
            Ok(self.output)
        } else {
            Err(Problem::Said)
        }
    }
}

impl Job {
    /// As sent to the child.
    pub(super) fn to_json(&self) -> Value {
        let work = match &self.work {
            Work::Derive(options) => json!({ "derive": options_to_json(options) }),
            Work::Document(options, kind) => json!({
                "document": options_to_json(options),
                "kind": match kind {
                    Document::Equations => "equations",
                    Document::Geometry => "geometry",
                    Document::Plans => "plans",
                },
            }),
            Work::Show {
                options,
                all,
                format,
            } => json!({
                "show": options_to_json(options),
                "all": all,
                "format": format.name(),
            }),
            Work::Check { json, set, fix } => {
                // The two ride on the options of a derivation.
                let options = DeriveOptions {
                    set: set.clone(),
                    fix: fix.clone(),
                    ..DeriveOptions::default()
                };
                json!({ "check": json, "options": options_to_json(&options) })
            }
            Work::Eval { options, state } => json!({
                "eval": options_to_json(options),
                "state": { "name": state.name, "text": state.text },
            }),
            #[cfg(feature = "derive")]
            Work::Difference { old, options, json } => json!({
                "difference": options_to_json(options),
                "old": source_to_json(old),
                "json": json,
            }),
            Work::Verify { options, json } => json!({
                "verify": verify_to_json(options),
                "json": json,
            }),
        };
        json!({
            "model": source_to_json(&self.model),
            "colour": self.colour,
            "work": work,
        })
    }

    /// As read by the child; `None` if it was not written by the parent.
    pub(super) fn from_json(value: &Value) -> Option<Self> {
        let work = &value["work"];
        Some(Self {
            model: source_from_json(&value["model"])?,
            colour: value["colour"].as_bool()?,
            work: if let Some(options) = work.get("derive") {
                Work::Derive(options_from_json(options)?)
            } else if let Some(options) = work.get("document") {
                let kind = match work["kind"].as_str()? {
                    "equations" => Document::Equations,
                    "geometry" => Document::Geometry,
                    "plans" => Document::Plans,
                    _ => return None,
                };
                Work::Document(options_from_json(options)?, kind)
            } else if let Some(options) = work.get("show") {
                Work::Show {
                    options: options_from_json(options)?,
                    all: work["all"].as_bool()?,
                    format: Format::named(work["format"].as_str()?)?,
                }
            } else if let Some(json) = work.get("check") {
                let options = options_from_json(&work["options"])?;
                Work::Check {
                    json: json.as_bool()?,
                    set: options.set,
                    fix: options.fix,
                }
            } else if let Some(options) = difference(work) {
                options?
            } else if let Some(options) = work.get("verify") {
                Work::Verify {
                    options: verify_from_json(options)?,
                    json: work["json"].as_bool()?,
                }
            } else {
                Work::Eval {
                    options: options_from_json(work.get("eval")?)?,
                    state: model_from_json(&work["state"])?,
                }
            },
        })
    }
}

/// A comparison of two models; `None` inside if somebody else wrote it.
#[cfg(feature = "derive")]
fn difference(work: &Value) -> Option<Option<Work>> {
    let options = work.get("difference")?;
    let read = || {
        Some(Work::Difference {
            old: source_from_json(&work["old"])?,
            options: options_from_json(options)?,
            json: work["json"].as_bool()?,
        })
    };
    Some(read())
}

#[cfg(not(feature = "derive"))]
fn difference(_: &Value) -> Option<Option<Work>> {
    None
}

impl Reply {
    /// As sent to the parent.
    pub(super) fn to_json(&self) -> Value {
        json!({ "ok": self.ok, "output": self.output, "messages": self.messages })
    }

    /// As the parent reads it.
    pub(super) fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            ok: value["ok"].as_bool()?,
            output: value["output"].as_str()?.to_string(),
            messages: value["messages"].as_str()?.to_string(),
        })
    }
}

/// Reads a model and all files that it uses.
pub(super) fn source(path: &Path) -> Result<Source, Problem> {
    let model = read_model(path)?;
    Ok(Source::gather(&model.name, &model.text, read_part))
}

fn source_to_json(source: &Source) -> Value {
    let parts = source.parts.iter().map(|part| match &part.text {
        Ok(text) => json!({ "path": part.path, "text": text }),
        Err(reason) => json!({ "path": part.path, "missing": reason }),
    });
    let parts: Vec<Value> = parts.collect();
    json!({ "name": source.name, "text": source.text, "parts": parts })
}

fn source_from_json(value: &Value) -> Option<Source> {
    let word = |value: &Value| value.as_str().map(ToString::to_string);
    let parts = value["parts"].as_array()?.iter().map(|part| {
        let text = match word(&part["text"]) {
            Some(text) => Ok(text),
            None => Err(word(&part["missing"])?),
        };
        let path = word(&part["path"])?;
        Some(PartText { path, text })
    });
    Some(Source {
        name: word(&value["name"])?,
        text: word(&value["text"])?,
        parts: parts.collect::<Option<_>>()?,
    })
}

fn model_from_json(value: &Value) -> Option<ModelText> {
    Some(ModelText {
        name: value["name"].as_str()?.to_string(),
        text: value["text"].as_str()?.to_string(),
    })
}

fn verify_to_json(options: &VerifyOptions) -> Value {
    json!({
        "methods": options.methods,
        "derive": options_to_json(&options.derive),
        "file": options.file.as_ref().map(|(name, text)| json!({ "name": name, "text": text })),
        "states": options.states,
        "seed": options.seed,
    })
}

fn verify_from_json(value: &Value) -> Option<VerifyOptions> {
    let methods = value["methods"].as_array()?.iter();
    let file = match &value["file"] {
        Value::Null => None,
        file => {
            let file = model_from_json(file)?;
            Some((file.name, file.text))
        }
    };
    Some(VerifyOptions {
        methods: methods
            .map(|name| name.as_str().map(ToString::to_string))
            .collect::<Option<_>>()?,
        derive: options_from_json(&value["derive"])?,
        file,
        states: usize::try_from(value["states"].as_u64()?).ok()?,
        seed: value["seed"].as_u64()?,
    })
}

fn options_to_json(options: &DeriveOptions) -> Value {
    json!(options.pairs())
}

fn options_from_json(value: &Value) -> Option<DeriveOptions> {
    let pairs = value.as_array()?.iter().map(|pair| {
        let word = |value: &Value| value.as_str().map(ToString::to_string);
        Some((word(&pair[0])?, word(&pair[1])?))
    });
    DeriveOptions::from_pairs(&pairs.collect::<Option<Vec<_>>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::{Form, Math, Plan, Prefer, Scalar, Variant};

    fn model(text: &str) -> ModelText {
        ModelText {
            name: "dir/\u{e9} m.eom".into(),
            text: text.into(),
        }
    }

    #[test]
    fn jobs_and_replies_survive_the_pipe() {
        let options = DeriveOptions {
            method: Some("kane".into()),
            form: Form::Closed,
            dependent: vec!["x'".into()],
            math: Math::Libm,
            scalar: Scalar::F32,
            fma: true,
            batch: true,
            set: vec![("n".into(), -3)],
            fix: Fix {
                all: true,
                values: vec![(
                    "a[1].m".into(),
                    num_rational::BigRational::new(1.into(), 3.into()),
                )],
            },
            variant: Variant::named(Some("moore-penrose"), Some("III")).unwrap(),
            plan: Plan::Reduced,
            prefer: Prefer::Time,
            outputs: vec!["o".into()],
            jacobians: vec!["o:q,v".into(), "p:t".into()],
        };
        // What is left out arrives as its default.
        let plain = DeriveOptions {
            method: Some("kane".into()),
            ..DeriveOptions::default()
        };
        let works = [
            Work::Derive(options.clone()),
            Work::Derive(plain.clone()),
            Work::Document(options.clone(), Document::Equations),
            Work::Document(plain.clone(), Document::Geometry),
            Work::Document(plain.clone(), Document::Plans),
            Work::Show {
                options: options.clone(),
                all: true,
                format: Format::Html,
            },
            Work::Check {
                json: true,
                set: options.set.clone(),
                fix: options.fix.clone(),
            },
            Work::Verify {
                options: VerifyOptions {
                    methods: vec!["kane".into()],
                    derive: options.clone(),
                    file: Some(("m.rs".into(), "fn f() {}\n".into())),
                    states: 4,
                    seed: u64::MAX,
                },
                json: true,
            },
            Work::Verify {
                options: VerifyOptions {
                    derive: plain,
                    ..VerifyOptions::default()
                },
                json: false,
            },
            Work::Eval {
                options,
                state: model("{\n}"),
            },
        ];
        for work in works {
            let job = Job {
                model: Source {
                    name: "dir/\u{e9} m.eom".into(),
                    text: "model m\n\t\"\u{1}\r\n".into(),
                    parts: vec![
                        PartText {
                            path: "a".into(),
                            text: Ok("part a\n".into()),
                        },
                        PartText {
                            path: "b".into(),
                            text: Err("gone".into()),
                        },
                    ],
                },
                colour: true,
                work,
            };
            let line = job.to_json().to_string();
            assert!(!line.contains('\n'));
            let back = Job::from_json(&serde_json::from_str(&line).unwrap());
            assert_eq!(back, Some(job));
        }
        let reply = Reply {
            ok: true,
            output: "fn f() {}\n".into(),
            messages: "w\u{1b}[0m".into(),
        };
        assert_eq!(Reply::from_json(&reply.to_json()), Some(reply));
    }
}
