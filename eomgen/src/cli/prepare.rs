//! `eomgen prepare`

use super::args::PrepareArgs;
use super::console::{Problem, colour, error_text, print, say};
use super::fresh::staleness;
use super::job::{Job, Work};
use super::worker;
use crate::host::{create_parent, write_atomic};
use crate::prepare::{self, Committed, Plan, Walk};

/// What happened to the files.
#[derive(Default)]
struct Tally {
    written: usize,
    unchanged: usize,
    stale: usize,
    failed: usize,
}

/// Writes the files that attributes name, or with `--check` compares them. What is wrong with one keeps no other from being written.
pub(super) fn run(args: &PrepareArgs) -> Result<(), Problem> {
    let packages = prepare::packages(&args.path).map_err(Problem::Failed)?;
    let mut walk = Walk::default();
    for package in &packages {
        let Walk { found, problems } = prepare::walk(package);
        walk.found.extend(found);
        walk.problems.extend(problems);
    }
    let Plan {
        files,
        expanded,
        problems,
    } = prepare::plan(&walk.found);
    let mut tally = Tally::default();
    for problem in walk.problems.iter().chain(&problems) {
        tally.failed += 1;
        say(&error_text(problem, colour()));
    }
    for file in &files {
        tally.take(file, args.check)?;
    }
    say(&tally.summary(expanded));
    if tally.stale > 0 {
        let command = match args.path.to_str() {
            Some(".") => "eomgen prepare".to_owned(),
            _ => format!("eomgen prepare {}", args.path.display()),
        };
        say(&format!("to refresh them: {command}\n"));
    }
    match tally.stale + tally.failed {
        0 => Ok(()),
        _ => Err(Problem::Said),
    }
}

impl Tally {
    fn take(&mut self, file: &Committed, check: bool) -> Result<(), Problem> {
        let Some(code) = self.derived(file)? else {
            return Ok(());
        };
        let reason = match &file.existing {
            None => Some("does not exist yet".to_owned()),
            Some(existing) => staleness(existing, &code),
        };
        let Some(reason) = reason else {
            self.unchanged += 1;
            return print(&format!("unchanged {}\n", file.name));
        };
        if check {
            self.stale += 1;
            let message = format!("{}: {} {reason}", file.place, file.name);
            say(&error_text(&message, colour()));
            return Ok(());
        }
        let outcome =
            create_parent(&file.path).and_then(|()| write_atomic(&file.path, code.as_bytes()));
        match outcome {
            Ok(()) => {
                self.written += 1;
                print(&format!("written   {}\n", file.name))
            }
            Err(error) => {
                self.fail(file, &error.to_string());
                Ok(())
            }
        }
    }

    /// The code, or `None` after saying why there is none.
    fn derived(&mut self, file: &Committed) -> Result<Option<String>, Problem> {
        let job = Job {
            model: file.request.source().clone(),
            colour: colour(),
            work: Work::Derive(file.request.options().clone()),
        };
        Ok(match worker::run(&job) {
            Err(Problem::Interrupted) => return Err(Problem::Interrupted),
            Ok(reply) if reply.ok => {
                say(&reply.messages);
                Some(reply.output)
            }
            Ok(reply) => {
                let message = format!("there is no code for {}", file.name);
                self.fail(file, &message);
                say(&reply.messages);
                None
            }
            Err(problem) => {
                let message = match problem {
                    Problem::Failed(message) | Problem::Usage(message) => message,
                    Problem::Said | Problem::Exit(_) | Problem::Interrupted => {
                        format!("there is no code for {}", file.name)
                    }
                };
                self.fail(file, &message);
                None
            }
        })
    }

    fn fail(&mut self, file: &Committed, message: &str) {
        self.failed += 1;
        say(&error_text(&format!("{}: {message}", file.place), colour()));
    }

    /// One line: how many of what.
    fn summary(&self, expanded: usize) -> String {
        let counts = [
            (self.written, "written"),
            (self.unchanged, "unchanged"),
            (self.stale, "not fresh"),
            (self.failed, "failed"),
        ];
        let mut parts: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        if expanded > 0 {
            let noun = if expanded == 1 {
                "attribute"
            } else {
                "attributes"
            };
            parts.push(format!("{expanded} {noun} without a file"));
        }
        if parts.is_empty() {
            "no attribute `derive_eom` found\n".to_owned()
        } else {
            format!("{}\n", parts.join(", "))
        }
    }
}
