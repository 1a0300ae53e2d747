//! What parent and child process say to each other, as JSON.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::console::{Problem, say};
use super::include::Include;
use crate::host::{FileError, ModelText, is_called_model, read_model};
use crate::pipeline::{
    DeriveOptions, Document, MotionRequest, OperatingRequest, Source, VerifyOptions,
};
use crate::show::Format;

/// What the child is to do.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub(super) struct Job {
    /// The model.
    pub(super) model: Source,
    /// Whether messages are coloured.
    pub(super) colour: bool,
    /// The task.
    pub(super) work: Work,
}

/// A job, as it is given to the child.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub(super) struct Order<J> {
    /// What to do.
    pub(super) job: J,
    /// Whether somebody sees what it is at.
    pub(super) followed: bool,
}

/// The tasks.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
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
        /// Constants and parameters set from outside; the rest does not matter.
        options: DeriveOptions,
    },
    /// Report on the inertial parameters.
    Parameters {
        /// As JSON.
        json: bool,
        /// Constants and parameters set from outside; the rest does not matter.
        options: DeriveOptions,
    },
    /// Evaluate at a state.
    Eval {
        /// How to derive.
        options: DeriveOptions,
        /// The JSON text of the state.
        state: ModelText,
    },
    /// Compare with another model.
    Difference {
        /// The older one.
        old: Source,
        /// How to derive both.
        options: DeriveOptions,
        /// What coordinates of this one are by those of the older one.
        measured: Vec<String>,
        /// With all terms.
        full: bool,
        /// As JSON.
        json: bool,
    },
    /// Derive a machine, as data.
    Motion {
        /// How to derive.
        options: DeriveOptions,
        /// What is given and followed.
        request: MotionRequest,
    },
    /// Say what holds at operating points in symbols.
    Operating {
        /// How to derive.
        options: DeriveOptions,
        /// Of which points.
        request: OperatingRequest,
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
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub(super) struct Reply {
    /// Whether it worked.
    pub(super) ok: bool,
    /// For standard output or the output file.
    pub(super) output: String,
    /// For standard error.
    pub(super) messages: String,
    /// The exit code of a result that has one of its own.
    pub(super) exit: u8,
    /// The function of a module with the most operations, and how many.
    pub(super) longest: Option<(String, usize)>,
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

/// Reads a model and all files that it uses: from its folder, and from those that are named.
pub(super) fn source(path: &Path, include: &Include) -> Result<Source, Problem> {
    let model = model(path)?;
    let parts = include.parts(&model.name);
    Ok(Source::gather(&model.name, &model.text, |path| {
        parts.read(path)
    }))
}

/// Reads a model's own file. What neither has the name of a model nor begins as one is refused, for messages show lines of models.
pub(super) fn model(path: &Path) -> Result<ModelText, Problem> {
    let model = read_model(path)?;
    let is_stdin = path == Path::new("-");
    if is_stdin || is_called_model(path) || Source::is_model(&model.text) {
        Ok(model)
    } else {
        Err(FileError::NotModel { name: model.name }.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Fix, Form, Math, PartText, Plan, Prefer, Scalar, Variant};

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
            prefer: Prefer::Operations,
            outputs: vec!["o".into()],
            only: vec!["p".into()],
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
                options: options.clone(),
            },
            Work::Parameters {
                json: true,
                options: options.clone(),
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
            let line = serde_json::to_string(&job).unwrap();
            assert!(!line.contains('\n'));
            let back: Job = serde_json::from_str(&line).unwrap();
            assert_eq!(back, job);
        }
        let reply = Reply {
            exit: 3,
            ok: true,
            output: "fn f() {}\n".into(),
            messages: "w\u{1b}[0m".into(),
            longest: Some(("f".into(), 3)),
        };
        let line = serde_json::to_string(&reply).unwrap();
        assert_eq!(serde_json::from_str::<Reply>(&line).unwrap(), reply);
    }
}
