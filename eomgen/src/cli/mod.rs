//! The command line: arguments in, exit codes out.
//!
//! Standard output carries results only (code, JSON, lists); everything said to a person goes to
//! standard error. Exit codes: 0 success, 1 something is wrong with the model, the derivation or a file, 2 usage.

mod args;
mod assemble;
mod cache;
mod console;
mod derive;
mod diff;
mod equilibria;
mod eval;
mod feedback;
mod fmt;
mod fresh;
mod import;
mod include;
mod job;
mod linearize;
mod lists;
mod lsp;
mod motion;
mod new;
mod operating;
mod output;
mod prepare;
mod progress;
mod shell;
mod show;
mod simulate;
mod terms;
mod verify;
mod view;
mod worker;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use args::{Cli, Command};
use console::Problem;

/// Runs the command line on the program's own arguments.
pub fn main() -> ExitCode {
    run(std::env::args_os())
}

fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let parsed = Cli::command()
        .try_get_matches_from(arguments)
        .and_then(|matches| Cli::from_arg_matches(&matches));
    let outcome = match parsed {
        Err(error) => return console::clap_answer(&error),
        Ok(cli) => dispatch(cli.command),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => problem.report(),
    }
}

fn dispatch(command: Command) -> Result<(), Problem> {
    match command {
        Command::Derive(args) => derive::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Check(args) => derive::check(&args),
        Command::Parameters(args) => derive::parameters(&args),
        Command::Fmt(args) => fmt::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Assemble(args) => assemble::run(&args),
        Command::Equilibria(args) => equilibria::run(&args),
        Command::Linearize(args) => linearize::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::View(args) => view::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Prepare(args) => prepare::run(&args),
        Command::Methods(args) => lists::methods(args.json),
        Command::Import(args) => import::run(&args),
        Command::New(args) => new::run(&args),
        Command::Completions(args) => shell::completions(args.shell),
        Command::Man(args) => shell::manual(&args),
        Command::Explain(args) => lists::explain(&args.code),
        Command::Cache(args) => cache::run(&args),
        Command::Lsp => lsp::run(),
        Command::Worker => worker::serve(),
    }
}
