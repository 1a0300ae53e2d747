//! `eomgen verify`

use std::path::Path;

use super::args::VerifyArgs;
use super::console::{Problem, colour, print, say};
use super::job::{Job, Work, source};
use super::worker;
use crate::host::read_text;

/// Prints the certificate or the discrepancies.
pub(super) fn run(args: &VerifyArgs) -> Result<(), Problem> {
    let stdin = Path::new("-");
    if args.model == stdin && args.file.as_deref() == Some(stdin) {
        let message = "the model and the generated file cannot both come from standard input";
        return Err(Problem::Usage(message.to_string()));
    }
    let file = match &args.file {
        Some(path) => {
            let file = read_text(path)?;
            Some((file.name, file.text))
        }
        None => None,
    };
    let job = Job {
        model: source(&args.model, &args.include)?,
        colour: colour(),
        work: Work::Verify {
            options: args.options(file)?,
            json: args.json,
        },
    };
    let reply = worker::run(&job)?;
    say(&reply.messages);
    print(&reply.output)?;
    match reply.exit {
        _ if reply.ok => Ok(()),
        0 => Err(Problem::Said),
        code => Err(Problem::Exit(code)),
    }
}
