//! The algebra runs in a child process of this same program: both sides of it.
//!
//! The parent does all the reading and writing of files; the child gets a job and answers with a reply,
//! as one line of JSON behind a mark, so that a stray line of some library on its standard output harms nothing.

use std::ffi::OsStr;
use std::process::ExitStatus;

use serde_json::{Value, json};

use super::console::{Problem, error_text, failure_text, print};
use super::job::{Job, Order, Reply, Work};
use super::progress::Waiting;
use crate::diag;
use crate::host::ModelText;
use crate::host::child::{self, Finished};
use crate::host::session;
use crate::pipeline::Source;
use crate::pipeline::{self, DeriveOptions, EvalInput, Extent, Failure, Likeness, Standing};
use crate::stage;

/// The hidden subcommand under which the child runs.
pub(super) const SUBCOMMAND: &str = "__worker";

const MARK: &str = "\u{1}eomgen-reply ";

/// Runs a job in a child process.
pub(super) fn run(job: &Job) -> Result<Reply, Problem> {
    let failed =
        |error: String| Problem::Failed(format!("cannot run the derivation's process: {error}"));
    let mut waiting = Waiting::new(&job.model.name);
    let job = Order {
        job,
        followed: waiting.is_shown(),
    };
    let line = serde_json::to_vec(&job).map_err(|error| failed(error.to_string()))?;
    let finished = child::run_self(OsStr::new(SUBCOMMAND), &line, &mut waiting);
    waiting.end();
    let finished = finished.map_err(|error| failed(error.to_string()))?;
    if finished.given_up || was_interrupted(finished.status) {
        return Err(Problem::Interrupted);
    }
    let stdout = String::from_utf8_lossy(&finished.stdout);
    let reply = stdout
        .rsplit_once(MARK)
        .and_then(|(_, line)| serde_json::from_str(line.lines().next()?).ok());
    reply.ok_or_else(|| Problem::Failed(post_mortem(&finished, &stdout, session::licensed())))
}

/// Whether Ctrl-C ended a child before its parent was told.
fn was_interrupted(status: ExitStatus) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        const SIGINT: i32 = 2;
        status.signal() == Some(SIGINT)
    }
    #[cfg(not(unix))]
    {
        let _ = status;
        false
    }
}

/// The child's side: a job on standard input, its reply on standard output.
pub(super) fn serve() -> Result<(), Problem> {
    let job = child::job_of_parent()
        .ok()
        .and_then(|text| serde_json::from_str::<Order<Job>>(&text).ok())
        .ok_or_else(|| Problem::Usage(format!("'{SUBCOMMAND}' is for internal use")))?;
    if job.followed {
        stage::listen(|stage| child::tell(&stage.to_string()));
    }
    let reply = serde_json::to_string(&perform(&job.job));
    let reply = reply.map_err(|error| Problem::Failed(error.to_string()))?;
    print(&format!("\n{MARK}{reply}\n"))
}

fn perform(job: &Job) -> Reply {
    job.done().unwrap_or_else(|failure| job.refuse(&failure))
}

impl Job {
    fn done(&self) -> Result<Reply, Failure> {
        let model = &self.model;
        Ok(match &self.work {
            Work::Derive(options) => {
                let derived = pipeline::derive_source(model, options)?;
                Reply {
                    longest: derived.longest,
                    ..self.answer(derived.code, &derived.warnings)
                }
            }
            Work::Document(options, kind) => {
                let derived = pipeline::document(model, options, *kind)?;
                self.answer(derived.code, &derived.warnings)
            }
            Work::Show {
                options,
                all,
                format,
            } => {
                let (shown, warnings) = pipeline::exposition(model, options, *all)?;
                self.answer(format.write(&shown), &warnings)
            }
            Work::Check { json, options } if *json => {
                let checked = pipeline::check_source(model, &options.set, &options.fix);
                self.as_json(checked.map(|report| (report.to_json(), report.warnings)))
            }
            Work::Parameters { json, options } => {
                let found = pipeline::parameters_source(model, &options.set, &options.fix);
                if *json {
                    return Ok(self.as_json(found.map(|own| (own.to_json(), own.warnings))));
                }
                let report = found?;
                self.answer(report.to_string(), &report.warnings)
            }
            Work::Check { options, .. } => {
                let report = pipeline::check_source(model, &options.set, &options.fix)?;
                self.answer(report.to_string(), &report.warnings)
            }
            Work::Difference {
                old,
                options,
                measured,
                full,
                json,
            } => {
                let found = pipeline::difference(old, model, options, measured);
                self.difference(old, found, *full, *json)?
            }
            Work::Verify { options, json } => {
                let certificate = pipeline::verify_source(model, options)?;
                let output = if *json {
                    certificate.to_json()
                } else {
                    certificate.to_string()
                };
                Reply {
                    ok: certificate.holds(),
                    exit: match certificate.standing() {
                        Standing::Verified => 0,
                        Standing::Wrong => 1,
                        Standing::NotProven => 3,
                    },
                    ..self.answer(output, &certificate.warnings)
                }
            }
            Work::Motion { options, request } => {
                let (machine, warnings) = pipeline::machine_source(model, options, request)?;
                let text = serde_json::to_string(&machine);
                let text = text.map_err(|error| Failure::Message(error.to_string()))?;
                self.answer(text, &warnings)
            }
            Work::Operating { options, request } => {
                let report = pipeline::operating_source(model, options, request)?;
                let text = serde_json::to_string(&report);
                let text = text.map_err(|error| Failure::Message(error.to_string()))?;
                self.answer(text, &[])
            }
            Work::Eval { options, state } => self.evaluated(options, state)?,
        })
    }

    fn difference(
        &self,
        old: &Source,
        found: Result<pipeline::Difference, pipeline::Side>,
        full: bool,
        json: bool,
    ) -> Result<Reply, Failure> {
        match found {
            Ok(difference) => {
                let output = match (json, full) {
                    (true, _) => difference.to_json(),
                    (false, true) => difference.page(Extent::Full),
                    (false, false) => difference.page(Extent::Screen),
                };
                Ok(Reply {
                    exit: match difference.likeness {
                        Likeness::SameText | Likeness::SameEquations => 0,
                        Likeness::Different => 1,
                        Likeness::SameMotion => 3,
                        Likeness::OtherEnergies => 4,
                    },
                    ..self.answer(output, &[])
                })
            }
            Err(pipeline::Side::New(failure)) => Err(failure),
            Err(pipeline::Side::Old(failure)) => Ok(Reply {
                messages: failure_text(&failure, old, self.colour),
                ..Reply::default()
            }),
        }
    }

    fn evaluated(&self, options: &DeriveOptions, state: &ModelText) -> Result<Reply, Failure> {
        let input = match EvalInput::from_json(&state.text) {
            Ok(input) => input,
            Err(complaints) => return Ok(self.refuse_state(&state.name, &complaints)),
        };
        let output = pipeline::eval_source(&self.model, options, &input)?;
        let mut reply = self.answer(output.to_json(), &[]);
        let warnings = output.warnings.iter();
        reply.messages = warnings.map(|w| format!("warning: {w}\n")).collect();
        let bad = output.not_finite();
        if !bad.is_empty() {
            reply.ok = false;
            let message = format!("not finite at this state: {}", bad.join(", "));
            reply.messages = error_text(&message, self.colour);
        }
        Ok(reply)
    }

    fn answer(&self, output: String, warnings: &[diag::Diagnostic]) -> Reply {
        Reply {
            ok: true,
            output,
            messages: match warnings {
                [] => String::new(),
                list => diag::render_sources(&self.model.sources(), list, self.colour),
            },
            longest: None,
            exit: 0,
        }
    }

    fn refuse(&self, failure: &Failure) -> Reply {
        Reply {
            ok: false,
            output: String::new(),
            messages: failure_text(failure, &self.model, self.colour),
            longest: None,
            exit: 0,
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
    fn as_json(&self, found: Result<(Value, Vec<diag::Diagnostic>), Failure>) -> Reply {
        let (ok, mut report, list, message) = match found {
            Ok((report, warnings)) => (true, report, warnings, None),
            Err(Failure::Diagnostics(list)) => (false, json!({}), list, None),
            Err(Failure::Message(message)) => (false, json!({}), Vec::new(), Some(message)),
        };
        report["diagnostics"] = diag::json::sources_to_json(&self.model.sources(), &list);
        Reply {
            ok,
            output: format!("{report:#}\n"),
            messages: message.map_or(String::new(), |text| error_text(&text, self.colour)),
            longest: None,
            exit: 0,
        }
    }
}

/// Why a child ended without a reply.
fn post_mortem(finished: &Finished, stdout: &str, licensed: bool) -> String {
    let said = |text: &str| finished.stderr.contains(text);
    let reason = if said("has overflowed its stack") {
        "the expressions of this model nest too deeply".to_string()
    } else if said("memory allocation of") {
        "the derivation ran out of memory".to_string()
    } else if said("Could not acquire Symbolica thread permit") {
        // The engine's own words, here and below, printed just before it aborts.
        "Symbolica cannot make its lock file; set XDG_CACHE_HOME (or HOME) to a folder that you can write to"
            .to_string()
    } else if stdout.contains("restricted Symbolica thread") && licensed {
        // Whoever has a key does not wait for others.
        format!(
            "Symbolica does not accept the key in {}, and another program of this user is running it; \
             correct the variable, or remove it: then derivations wait for one another",
            session::LICENCE_VARIABLE
        )
    } else if stdout.contains("restricted Symbolica thread") {
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
            Some(9) => return "it was killed, possibly because memory ran out".to_string(),
            Some(number) => return format!("signal {number}"),
            None => {}
        }
    }
    status.to_string()
}

#[cfg(test)]
mod tests {
    use super::post_mortem;
    use crate::host::child::Finished;
    use crate::host::session::LICENCE_VARIABLE;

    /// Of a worker that ended without a reply, what it had written.
    fn said(stdout: &str, stderr: &str, licensed: bool) -> String {
        let finished = Finished {
            stdout: Vec::new(),
            stderr: stderr.to_owned(),
            status: std::process::ExitStatus::default(),
            given_up: false,
        };
        post_mortem(&finished, stdout, licensed)
    }

    #[test]
    fn a_key_that_the_engine_does_not_take_is_the_reason() {
        let limit = "Cannot start new restricted Symbolica thread";
        let with_key = said(limit, "Could not resolve the server", true);
        assert!(with_key.contains(LICENCE_VARIABLE), "{with_key}");
        assert!(with_key.contains("does not accept the key"), "{with_key}");
        assert!(
            with_key.ends_with("  | Could not resolve the server"),
            "{with_key}"
        );
        let without = said(limit, "", false);
        assert!(!without.contains("does not accept"), "{without}");
        assert!(without.contains("one thread per user"), "{without}");
    }
}
