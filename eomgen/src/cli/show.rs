//! `eomgen show`

use std::path::Path;

use super::args::ShowArgs;
use super::console::{Problem, colour, print};
use super::derive::same_file;
use super::job::{Job, Work, source};
use super::output::may_replace;
use super::worker;
use crate::host::write_atomic;
use crate::show::Format;

/// Derives and writes the document.
pub(super) fn run(args: &ShowArgs) -> Result<(), Problem> {
    let output = args.out.as_deref().filter(|path| *path != Path::new("-"));
    if output.is_some_and(|path| same_file(path, &args.model)) {
        let message = "the output file is the model itself";
        return Err(Problem::Usage(message.to_string()));
    }
    if let Some(path) = output {
        may_replace(path, args.force)?;
    }
    let (options, all) = args.derive()?;
    let job = Job {
        model: source(&args.model, &args.include)?,
        colour: colour(),
        work: Work::Show {
            options,
            all,
            format: Format::named(&args.format).unwrap_or_default(),
        },
    };
    let text = worker::run(&job)?.success()?;
    match output {
        None => print(&text),
        Some(path) => Ok(write_atomic(path, text.as_bytes())?),
    }
}
