//! Runs this program again to do the deriving, so that an abort there becomes a message here.
//!
//! The algebra engine aborts the whole process when a program outside our control holds the user's
//! only permit. In a child process that is an exit status, which can be explained.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;

use super::banner;

/// Lines on the child's standard error that begin with this are for the user and pass at once;
/// others are kept back and only shown if the child fails.
pub const MESSAGE_PREFIX: &str = "eomgen: ";

/// How a child ended.
#[derive(Debug)]
pub struct Finished {
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error, without the lines that were passed on.
    pub stderr: String,
    /// Its exit status.
    pub status: ExitStatus,
}

/// Runs this executable again with `argument`, gives it `input`, and waits for its end.
pub fn run_self(argument: &OsStr, input: &[u8]) -> io::Result<Finished> {
    let mut child = Command::new(std::env::current_exe()?)
        .arg(argument)
        .env(banner::VARIABLE, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    // Both pipes are emptied while the input is written, or a full pipe would stop the child for good.
    let (stdout, stderr) = thread::scope(|scope| {
        let stdout = scope.spawn(|| read_all(stdout));
        let stderr = scope.spawn(|| pass_messages(stderr));
        if let Some(mut stdin) = stdin {
            // A child that died early is reported by its status, not by the broken pipe.
            let _ = stdin.write_all(input);
        }
        (stdout.join(), stderr.join())
    });
    let gone = |_| io::Error::other("a reader thread ended early");
    let finished = Finished {
        stdout: stdout.map_err(gone)??,
        stderr: stderr.map_err(gone)??,
        status: child.wait()?,
    };
    Ok(finished)
}

fn read_all(pipe: Option<impl Read>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        pipe.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn pass_messages(pipe: Option<impl Read>) -> io::Result<String> {
    let mut kept = String::new();
    let Some(pipe) = pipe else { return Ok(kept) };
    let mut lines = BufReader::new(pipe);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 0 {
        if line.starts_with(MESSAGE_PREFIX.as_bytes()) {
            let _ = io::stderr().write_all(&line);
        } else {
            kept.push_str(&String::from_utf8_lossy(&line));
        }
        line.clear();
    }
    Ok(kept)
}
