//! `eomgen eval`

use std::path::Path;

use super::args::EvalArgs;
use super::console::{Problem, print};
use super::job::{Job, Work, source};
use super::worker;
use crate::host::read_text;

/// Evaluates at the state in a file and prints JSON.
pub(super) fn run(args: &EvalArgs) -> Result<(), Problem> {
    let stdin = Path::new("-");
    if args.model == stdin && args.state == stdin {
        let message = "the model and the state cannot both come from standard input";
        return Err(Problem::Usage(message.to_string()));
    }
    let job = Job {
        model: source(&args.model, &args.include)?,
        colour: super::console::colour(),
        work: Work::Eval {
            options: args.options.options()?,
            state: read_text(&args.state)?,
        },
    };
    print(&worker::run(&job)?.success()?)
}
