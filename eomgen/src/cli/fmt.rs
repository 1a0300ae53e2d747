//! `eomgen fmt`

use std::path::Path;

use super::args::FmtArgs;
use super::console::{Problem, colour, print, say};
use super::derive::short_diff;
use super::job;
use crate::host::{ModelText, write_atomic};
use crate::{diag, syntax};

/// Formats every model, or with `--check` reports those that are not formatted. One bad model does
/// not prevent the others from being formatted.
pub(super) fn run(args: &FmtArgs) -> Result<(), Problem> {
    let stdin = args.models.iter().filter(|path| is_stdin(path)).count();
    if stdin > 1 {
        return Err(Problem::Usage(
            "standard input can be formatted only once".to_string(),
        ));
    }
    let mut failed = false;
    for path in &args.models {
        match one(path, args.check) {
            Ok(()) => {}
            Err(Problem::Usage(message)) => return Err(Problem::Usage(message)),
            Err(problem) => {
                problem.report();
                failed = true;
            }
        }
    }
    if failed { Err(Problem::Said) } else { Ok(()) }
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

fn one(path: &Path, check: bool) -> Result<(), Problem> {
    let model = job::model(path)?;
    let formatted = formatted(&model)?;
    if check {
        if formatted == model.text {
            return Ok(());
        }
        let diff = short_diff(&model.text, &formatted);
        say(&format!("{} is not formatted\n{diff}", model.name));
        return Err(Problem::Said);
    }
    if is_stdin(path) {
        return print(&formatted);
    }
    Ok(write_atomic(path, formatted.as_bytes())?)
}

fn formatted(model: &ModelText) -> Result<String, Problem> {
    syntax::format(&model.text).map_err(|diagnostics| {
        say(&diag::render(
            &model.name,
            &model.text,
            &diagnostics,
            colour(),
        ));
        Problem::Said
    })
}
