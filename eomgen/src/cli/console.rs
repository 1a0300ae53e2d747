//! What the two output streams get, and the exit code.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use crate::diag;
use crate::host::{FileError, interrupt};
use crate::pipeline::{Failure, Source};
use crate::visible::visible;

/// Why a command failed.
#[derive(Debug)]
pub(super) enum Problem {
    /// Something is wrong with the model, the derivation or a file: exit code 1.
    Failed(String),
    /// Everything was said already: exit code 1.
    Said,
    /// There is a result, and the exit code is part of it.
    Exit(u8),
    /// Ctrl-C, before there was a result: exit code 130.
    Interrupted,
    /// The command line asks for something that makes no sense: exit code 2.
    Usage(String),
}

/// What is said after Ctrl-C.
const INTERRUPTED: &str = "interrupted";

impl Problem {
    /// What there is to say.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Failed(message) | Self::Usage(message) => message.clone(),
            Self::Interrupted => INTERRUPTED.to_owned(),
            Self::Said | Self::Exit(_) => "see the terminal".to_owned(),
        }
    }

    /// Writes to standard error and returns the exit code.
    pub(super) fn report(self) -> ExitCode {
        match self {
            Self::Failed(message) => {
                say_error(&message);
                ExitCode::from(1)
            }
            Self::Said => ExitCode::from(1),
            Self::Exit(code) => ExitCode::from(code),
            Self::Interrupted => {
                say(&format!("{INTERRUPTED}\n"));
                ExitCode::from(interrupt::INTERRUPTED)
            }
            Self::Usage(message) => {
                say_error(&message);
                say("for help, try 'eomgen --help'\n");
                ExitCode::from(2)
            }
        }
    }
}

impl From<FileError> for Problem {
    fn from(error: FileError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Whether standard error gets colours: on a terminal, unless `NO_COLOR` is set to something.
#[cfg_attr(
    not(test),
    expect(
        clippy::disallowed_methods,
        reason = "the terminal's looks are the environment's to choose"
    )
)]
pub(super) fn colour() -> bool {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    io::stderr().is_terminal()
        && set("NO_COLOR").is_none()
        && set("TERM").is_none_or(|term| term != "dumb")
}

/// Whether standard error is a terminal on which a line can be written over.
#[cfg_attr(
    not(test),
    expect(
        clippy::disallowed_methods,
        reason = "the terminal's looks are the environment's to choose"
    )
)]
pub(super) fn overwrites() -> bool {
    io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Writes to standard error; errors are ignored, because there is nowhere to report them.
pub(super) fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

fn say_error(message: &str) {
    say(&error_text(message, colour()));
}

/// `error: message`, with the word in red where wanted.
pub(super) fn error_text(message: &str, colour: bool) -> String {
    let message = visible(message);
    if colour {
        format!("\x1b[1;91merror\x1b[0m: {message}\n")
    } else {
        format!("error: {message}\n")
    }
}

/// A failure as text for standard error.
pub(super) fn failure_text(failure: &Failure, model: &Source, colour: bool) -> String {
    match failure {
        Failure::Message(message) => error_text(message, colour),
        Failure::Diagnostics(list) => diag::render_sources(&model.sources(), list, colour),
    }
}

/// Writes a result to standard output. A reader who has had enough (`eomgen ... | head`) is no failure.
pub(super) fn print(text: &str) -> Result<(), Problem> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Problem::Failed(format!(
            "cannot write to standard output: {error}"
        ))),
        _ => Ok(()),
    }
}

/// Help, version, and errors in the arguments.
pub(super) fn clap_answer(error: &clap::Error) -> ExitCode {
    // A closed stream is no reason to fail differently.
    let _ = error.print();
    match error.exit_code() {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(2),
    }
}
