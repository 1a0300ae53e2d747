//! The algebra runs in a child process of this same program; this is what the two say to each other.
//!
//! The parent does all the reading and writing of files; the child gets texts and answers with texts,
//! as one line of JSON behind a mark, so that a stray line of some library on its standard output harms nothing.

use std::ffi::OsStr;
use std::io::Read;
use std::process::ExitStatus;

use serde_json::{Value, json};

use super::console::{Problem, error_text, failure_text, print, say};
use crate::diag;
use crate::host::ModelText;
use crate::host::child::{self, Finished};
use crate::pipeline::{self, DeriveOptions, EvalInput, Failure, Form, Math};

/// The hidden subcommand under which the child runs.
pub(super) const SUBCOMMAND: &str = "__worker";

const MARK: &str = "\u{1}eomgen-reply ";

/// What the child is to do.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Job {
    /// The model.
    pub(super) model: ModelText,
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
    /// Report on the model.
    Check {
        /// As JSON.
        json: bool,
    },
    /// Evaluate at a state.
    Eval {
        /// How to derive.
        options: DeriveOptions,
        /// The JSON text of the state.
        state: ModelText,
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

/// Runs a job in a child process.
pub(super) fn run(job: &Job) -> Result<Reply, Problem> {
    let finished = child::run_self(OsStr::new(SUBCOMMAND), job.to_json().to_string().as_bytes())
        .map_err(|error| {
            Problem::Failed(format!("cannot run the derivation's process: {error}"))
        })?;
    let stdout = String::from_utf8_lossy(&finished.stdout);
    let reply = stdout
        .rsplit_once(MARK)
        .and_then(|(_, line)| serde_json::from_str(line.lines().next()?).ok())
        .and_then(|value| Reply::from_json(&value));
    reply.ok_or_else(|| Problem::Failed(post_mortem(&finished, &stdout)))
}

/// The child's side: a job on standard input, its reply on standard output.
pub(super) fn serve() -> Result<(), Problem> {
    let mut text = String::new();
    let job = std::io::stdin()
        .lock()
        .read_to_string(&mut text)
        .ok()
        .and_then(|_| serde_json::from_str(&text).ok())
        .and_then(|value| Job::from_json(&value))
        .ok_or_else(|| Problem::Usage(format!("'{SUBCOMMAND}' is for eomgen's own use")))?;
    print(&format!("\n{MARK}{}\n", perform(&job).to_json()))
}

fn perform(job: &Job) -> Reply {
    let (name, text) = (job.model.name.as_str(), job.model.text.as_str());
    match &job.work {
        Work::Derive(options) => match pipeline::derive(name, text, options) {
            Ok(derived) => job.answer(derived.code, &derived.warnings),
            Err(failure) => job.refuse(&failure),
        },
        Work::Check { json: false } => match pipeline::check(name, text) {
            Ok(report) => job.answer(report.to_string(), &report.warnings),
            Err(failure) => job.refuse(&failure),
        },
        Work::Check { json: true } => job.check_as_json(),
        Work::Eval { options, state } => {
            let input = match EvalInput::from_json(&state.text) {
                Ok(input) => input,
                Err(complaints) => return job.refuse_state(&state.name, &complaints),
            };
            match pipeline::eval(name, text, options, &input) {
                Ok(output) => {
                    let mut reply = job.answer(output.to_json(), &[]);
                    let bad = output.not_finite();
                    if !bad.is_empty() {
                        reply.ok = false;
                        let message = format!("not finite at this state: {}", bad.join(", "));
                        reply.messages = error_text(&message, job.colour);
                    }
                    reply
                }
                Err(failure) => job.refuse(&failure),
            }
        }
    }
}

impl Job {
    fn answer(&self, output: String, warnings: &[diag::Diagnostic]) -> Reply {
        Reply {
            ok: true,
            output,
            messages: match warnings {
                [] => String::new(),
                list => diag::render(&self.model.name, &self.model.text, list, self.colour),
            },
        }
    }

    fn refuse(&self, failure: &Failure) -> Reply {
        Reply {
            ok: false,
            output: String::new(),
            messages: failure_text(failure, &self.model, self.colour),
        }
    }

    fn refuse_state(&self, name: &str, complaints: &[String]) -> Reply {
        let lines: Vec<String> = complaints
            .iter()
            .map(|complaint| error_text(&format!("{name}: {complaint}"), self.colour))
            .collect();
        Reply {
            messages: lines.concat(),
            ..Reply::default()
        }
    }

    /// The report with a list `diagnostics`, or that list alone with a null report.
    fn check_as_json(&self) -> Reply {
        let (name, text) = (&self.model.name, &self.model.text);
        let (ok, mut report, list, message) = match pipeline::check(name, text) {
            Ok(report) => (true, report.to_json(), report.warnings, None),
            Err(Failure::Diagnostics(list)) => (false, json!({}), list, None),
            Err(Failure::Message(message)) => (false, json!({}), Vec::new(), Some(message)),
        };
        report["diagnostics"] = diag::to_json(name, text, &list);
        Reply {
            ok,
            output: format!("{report:#}\n"),
            messages: message.map_or(String::new(), |text| error_text(&text, self.colour)),
        }
    }

    fn to_json(&self) -> Value {
        let work = match &self.work {
            Work::Derive(options) => json!({ "derive": options_to_json(options) }),
            Work::Check { json } => json!({ "check": json }),
            Work::Eval { options, state } => json!({
                "eval": options_to_json(options),
                "state": { "name": state.name, "text": state.text },
            }),
        };
        json!({
            "model": { "name": self.model.name, "text": self.model.text },
            "colour": self.colour,
            "work": work,
        })
    }

    fn from_json(value: &Value) -> Option<Self> {
        let work = &value["work"];
        Some(Self {
            model: model_from_json(&value["model"])?,
            colour: value["colour"].as_bool()?,
            work: if let Some(options) = work.get("derive") {
                Work::Derive(options_from_json(options)?)
            } else if let Some(json) = work.get("check") {
                Work::Check {
                    json: json.as_bool()?,
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

impl Reply {
    fn to_json(&self) -> Value {
        json!({ "ok": self.ok, "output": self.output, "messages": self.messages })
    }

    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            ok: value["ok"].as_bool()?,
            output: value["output"].as_str()?.to_string(),
            messages: value["messages"].as_str()?.to_string(),
        })
    }
}

fn model_from_json(value: &Value) -> Option<ModelText> {
    Some(ModelText {
        name: value["name"].as_str()?.to_string(),
        text: value["text"].as_str()?.to_string(),
    })
}

fn options_to_json(options: &DeriveOptions) -> Value {
    json!({
        "method": options.method,
        "form": match options.form {
            Form::Auto => "auto",
            Form::Closed => "closed",
            Form::Staged => "staged",
        },
        "dependent": options.dependent,
        "math": match options.math {
            Math::Std => "std",
            Math::Libm => "libm",
        },
    })
}

fn options_from_json(value: &Value) -> Option<DeriveOptions> {
    let names = value["dependent"].as_array()?.iter();
    Some(DeriveOptions {
        method: value["method"].as_str().map(ToString::to_string),
        form: match value["form"].as_str()? {
            "auto" => Form::Auto,
            "closed" => Form::Closed,
            "staged" => Form::Staged,
            _ => return None,
        },
        dependent: names
            .map(|name| name.as_str().map(ToString::to_string))
            .collect::<Option<_>>()?,
        math: match value["math"].as_str()? {
            "std" => Math::Std,
            "libm" => Math::Libm,
            _ => return None,
        },
    })
}

/// Why a child ended without a reply.
fn post_mortem(finished: &Finished, stdout: &str) -> String {
    let said = |text: &str| finished.stderr.contains(text);
    let reason = if said("has overflowed its stack") {
        "the expressions of this model nest too deeply".to_string()
    } else if said("memory allocation of") {
        "the derivation ran out of memory".to_string()
    } else if stdout.contains("restricted Symbolica thread") {
        // The engine's own words, printed just before it aborts.
        "another program of this user is running Symbolica, which without a licence key allows one \
         thread per user; try again when it has finished, or set SYMBOLICA_LICENSE"
            .to_string()
    } else {
        format!(
            "the derivation's process ended early ({})",
            describe(finished.status)
        )
    };
    let tail: Vec<&str> = finished.stderr.lines().rev().take(8).collect();
    let tail: String = tail
        .iter()
        .rev()
        .map(|line| format!("\n  | {line}"))
        .collect();
    format!("{reason}{tail}")
}

fn describe(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        match status.signal() {
            Some(6) => return "it aborted".to_string(),
            Some(9) => return "it was killed, perhaps for want of memory".to_string(),
            Some(number) => return format!("signal {number}"),
            None => {}
        }
    }
    status.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        };
        let works = [
            Work::Derive(options.clone()),
            Work::Derive(DeriveOptions::default()),
            Work::Check { json: true },
            Work::Eval {
                options,
                state: model("{\n}"),
            },
        ];
        for work in works {
            let job = Job {
                model: model("model m\n\t\"\u{1}\r\n"),
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
