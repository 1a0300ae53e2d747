//! `eomgen derive` and `eomgen check`

use std::path::Path;

use similar::TextDiff;

use super::args::{CheckArgs, DeriveArgs};
use super::console::{Problem, colour, print, say};
use super::fresh::staleness;
use super::job::{Job, Work, source};
use super::output::{is_ours, may_replace};
use super::worker;
use crate::host::{read_text, write_atomic};
use crate::pipeline::Document;

/// Derives and writes, or with `--check` compares.
pub(super) fn run(args: &DeriveArgs) -> Result<(), Problem> {
    let output = args.out.as_deref().filter(|path| *path != Path::new("-"));
    if args.check && output.is_none() {
        let message = "--check needs a file to compare with (-o FILE), not standard output";
        return Err(Problem::Usage(message.to_string()));
    }
    if output.is_some_and(|path| same_file(path, &args.model)) {
        let message = "the output file is the model itself";
        return Err(Problem::Usage(message.to_string()));
    }
    if let Some(path) = output.filter(|_| !args.check) {
        may_replace(path, args.force)?;
    }
    let kind = if args.explain_plan {
        Some(Document::Plans)
    } else {
        args.emit.document()
    };
    let job = Job {
        model: source(&args.model, &args.include)?,
        colour: colour(),
        work: match kind {
            None => Work::Derive(args.options.options()?),
            Some(kind) => Work::Document(args.options.options()?, kind),
        },
    };
    let mut reply = worker::run(&job)?;
    let longest = reply.longest.take();
    let code = reply.success()?;
    match output {
        None => print(&code),
        Some(path) if args.check && kind.is_some() => same_text(path, &code),
        Some(path) if args.check => compare(path, &code),
        Some(path) => {
            write_atomic(path, code.as_bytes())?;
            if code.len() > LARGE && kind.is_none() {
                say(&size(path, &code, longest));
            }
            Ok(())
        }
    }
}

/// From this size in bytes on, the size of a module is reported.
const LARGE: usize = 200_000;

/// `pend.rs: 14241 lines, 812 kB; the longest function, mass_matrix, takes 9204 operations`
fn size(path: &Path, code: &str, longest: Option<(String, usize)>) -> String {
    let (lines, kilobytes) = (code.lines().count(), code.len() / 1000);
    let longest = longest.map_or(String::new(), |(name, count)| {
        format!("; the longest function, {name}, takes {count} operations")
    });
    let name = path.display();
    format!("eomgen: {name}: {lines} lines, {kilobytes} kB{longest}\n")
}

/// Whether two paths lead to one file.
pub(super) fn same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Prints what `check` finds; with `--json` also what it complains of.
pub(super) fn check(args: &CheckArgs) -> Result<(), Problem> {
    let (json, options) = (args.json, args.options.options()?);
    report(args, Work::Check { json, options })
}

/// Prints the base parameters likewise.
pub(super) fn parameters(args: &CheckArgs) -> Result<(), Problem> {
    let (json, options) = (args.json, args.options.options()?);
    report(args, Work::Parameters { json, options })
}

fn report(args: &CheckArgs, work: Work) -> Result<(), Problem> {
    let job = Job {
        model: source(&args.model, &args.include)?,
        colour: colour(),
        work,
    };
    let reply = worker::run(&job)?;
    if args.json {
        print(&reply.output)?;
        say(&reply.messages);
        return if reply.ok { Ok(()) } else { Err(Problem::Said) };
    }
    print(&reply.success()?)
}

/// Whether a document is what would be written, line ends apart.
fn same_text(path: &Path, text: &str) -> Result<(), Problem> {
    let name = path.display();
    if !path.exists() {
        return Err(Problem::Failed(format!("{name} does not exist yet")));
    }
    if !is_ours(path) {
        // Nothing of it is shown.
        return Err(Problem::Failed(format!("{name} was not written by eomgen")));
    }
    let existing = read_text(path)?.text;
    if existing.replace("\r\n", "\n") == text {
        return Ok(());
    }
    let diff = short_diff(&existing, text);
    Err(Problem::Failed(format!(
        "{name} is not what would be written\n{}",
        diff.trim_end()
    )))
}

fn compare(path: &Path, code: &str) -> Result<(), Problem> {
    let name = path.display();
    if !path.exists() {
        return Err(Problem::Failed(format!("{name} does not exist yet")));
    }
    let existing = read_text(path)?.text;
    match staleness(&existing, code) {
        None => Ok(()),
        Some(reason) if !is_ours(path) => Err(Problem::Failed(format!("{name} {reason}"))),
        Some(reason) => {
            let diff = short_diff(&existing, code);
            Err(Problem::Failed(format!(
                "{name} {reason}\n{}",
                diff.trim_end()
            )))
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_of_a_module_names_its_longest_function() {
        let said = size(Path::new("m.rs"), "fn f() {}\n", Some(("f".into(), 12)));
        assert_eq!(
            said,
            "eomgen: m.rs: 1 lines, 0 kB; the longest function, f, takes 12 operations\n"
        );
    }
}
