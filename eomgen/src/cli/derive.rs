//! `eomgen derive` and `eomgen check`

use std::path::Path;

use similar::TextDiff;

use super::args::{CheckArgs, DeriveArgs};
use super::console::{Problem, colour, print, say};
use super::worker::{self, Job, Work};
use crate::emit::header::{Header, body_hash};
use crate::host::{read_model, write_atomic};

/// Derives and writes, or with `--check` compares.
pub(super) fn run(args: &DeriveArgs) -> Result<(), Problem> {
    let output = args
        .output
        .as_deref()
        .filter(|path| *path != Path::new("-"));
    if args.check && output.is_none() {
        let message = "--check needs a file to compare with (-o FILE), not standard output";
        return Err(Problem::Usage(message.to_string()));
    }
    let job = Job {
        model: read_model(&args.model)?,
        colour: colour(),
        work: Work::Derive(args.options.with_math(args.math)),
    };
    let code = worker::run(&job)?.success()?;
    match output {
        None => print(&code),
        Some(path) if args.check => compare(path, &code),
        Some(path) => Ok(write_atomic(path, code.as_bytes())?),
    }
}

/// Prints what `check` finds; with `--json` also what it complains of.
pub(super) fn check(args: &CheckArgs) -> Result<(), Problem> {
    let job = Job {
        model: read_model(&args.model)?,
        colour: colour(),
        work: Work::Check { json: args.json },
    };
    let reply = worker::run(&job)?;
    if args.json {
        print(&reply.output)?;
        say(&reply.messages);
        return if reply.ok { Ok(()) } else { Err(Problem::Said) };
    }
    print(&reply.success()?)
}

fn compare(path: &Path, code: &str) -> Result<(), Problem> {
    let name = path.display();
    if !path.exists() {
        return Err(Problem::Failed(format!("{name} does not exist yet")));
    }
    let existing = read_model(path)?.text;
    match staleness(&existing, code) {
        None => Ok(()),
        Some(reason) => {
            let diff = short_diff(&existing, code);
            Err(Problem::Failed(format!(
                "{name} {reason}\n{}",
                diff.trim_end()
            )))
        }
    }
}

/// Why `existing` is not `fresh`, if it isn't. Line ends, formatting and `//` comments don't count.
fn staleness(existing: &str, fresh: &str) -> Option<String> {
    if existing == fresh {
        return None;
    }
    let (Some(old), Some(new)) = (Header::parse(existing), Header::parse(fresh)) else {
        return Some("was not written by eomgen: it has no header".to_string());
    };
    let body = match body_hash(existing) {
        Ok(body) => body,
        Err(message) => {
            return Some(format!(
                "was edited by hand and is no longer Rust: {message}"
            ));
        }
    };
    if body != old.body {
        return Some("was edited by hand after it was written".to_string());
    }
    if old.version != new.version {
        return Some(format!(
            "is stale: it was written by eomgen {}",
            old.version
        ));
    }
    if old.options != new.options {
        return Some("is stale: it was written with other options".to_string());
    }
    if old.input != new.input {
        return Some("is stale: the model has changed since".to_string());
    }
    if old.source_name != new.source_name {
        return Some(format!("is stale: it was written from {}", old.source_name));
    }
    (body != new.body).then(|| "is stale: the generator now writes something else".to_string())
}

/// The first differences between two texts, line by line.
pub(super) fn short_diff(old: &str, new: &str) -> String {
    const LINES: usize = 30;
    let (old, new) = (old.replace("\r\n", "\n"), new.replace("\r\n", "\n"));
    let diff = TextDiff::from_lines(&old, &new);
    let text = diff
        .unified_diff()
        .context_radius(1)
        .missing_newline_hint(false)
        .to_string();
    let all: Vec<&str> = text.lines().collect();
    let mut short = all[..all.len().min(LINES)].join("\n");
    if all.len() > LINES {
        short.push_str(&format!("\n... and {} more lines", all.len() - LINES));
    }
    short.push('\n');
    short
}
