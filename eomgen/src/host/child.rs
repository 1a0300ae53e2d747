//! Runs this program again to do the deriving, so that an abort there becomes a message here.
//!
//! The algebra engine aborts the whole process when a program outside our control holds the user's
//! only permit. In a child process that is an exit status, which can be explained.
//!
//! The child's standard input stays open as long as the parent lives: its end is how the child learns that nobody waits
//! for it any more, however the parent died. It then ends at once, and with it its locks.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{self, Command, ExitStatus, Stdio};
use std::thread;

use super::{banner, own};

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

/// Runs this executable again with `argument`, gives it the line `input`, and waits for its end.
pub fn run_self(argument: &OsStr, input: &[u8]) -> io::Result<Finished> {
    let mut command = Command::new(std::env::current_exe()?);
    if let (Some(given), Some(home)) = (std::env::var_os("HOME"), own::home())
        && Path::new(&given).is_relative()
    {
        // Or the engine makes its folder wherever the command is run.
        command.env("HOME", home);
    }
    let mut child = command
        .arg(argument)
        .env(banner::VARIABLE, "1")
        .env_remove("RUST_MIN_STACK")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (mut stdin, stdout, stderr) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take());
    // Both pipes are emptied while the input is written, or a full pipe would stop the child for good.
    let (stdout, stderr) = thread::scope(|scope| -> io::Result<_> {
        let stdout = reader().spawn_scoped(scope, || read_all(stdout))?;
        let stderr = reader().spawn_scoped(scope, || pass_messages(stderr))?;
        if let Some(stdin) = &mut stdin {
            // A child that died early is reported by its status, not by the broken pipe.
            let _ = stdin.write_all(input).and_then(|()| stdin.write_all(b"\n"));
        }
        Ok((stdout.join(), stderr.join()))
    })?;
    let gone = |_| io::Error::other("a reader thread ended early");
    let finished = Finished {
        stdout: stdout.map_err(gone)??,
        stderr: stderr.map_err(gone)??,
        status: child.wait()?,
    };
    // Not earlier: its end tells the child that we are gone.
    drop(stdin);
    Ok(finished)
}

/// A thread that does nothing but read: as small as it may be, whatever `RUST_MIN_STACK` says.
fn reader() -> thread::Builder {
    thread::Builder::new().stack_size(1 << 18)
}

/// The child's side: the line on standard input. From then on this process ends when its parent does.
pub fn job_of_parent() -> io::Result<String> {
    end_with_parent();
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    // A line without an end is not a parent's, or not of one that lived to write it.
    if !line.ends_with('\n') {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    at_end(io::stdin(), || process::exit(ORPHANED))?;
    Ok(line)
}

/// Exit code of a child whose parent has gone; nobody sees it but those who look at processes.
const ORPHANED: i32 = 3;

/// Where the system can end a process with its parent. A parent that had gone before this was asked for has closed the pipe.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
fn end_with_parent() {
    let signal = rustix::process::Signal::KILL;
    let _ = rustix::process::set_parent_process_death_signal(Some(signal));
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd")))]
fn end_with_parent() {}

/// Does something, on a thread of its own, as soon as there is nothing more to read.
fn at_end(
    mut input: impl Read + Send + 'static,
    then: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    let wait = move || {
        let _ = io::copy(&mut input, &mut io::sink());
        then();
    };
    reader()
        .name("eomgen parent".to_owned())
        .spawn(wait)
        .map(|_| ())
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{RecvTimeoutError, channel};
    use std::time::Duration;

    #[test]
    fn the_end_of_a_pipe_is_noticed_and_nothing_before_it() {
        let (reader, mut writer) = io::pipe().unwrap();
        let (sender, ended) = channel();
        at_end(reader, move || sender.send(()).unwrap()).unwrap();
        writer.write_all(b"still here").unwrap();
        let early = ended.recv_timeout(Duration::from_millis(50));
        assert_eq!(early, Err(RecvTimeoutError::Timeout));
        drop(writer);
        assert_eq!(ended.recv_timeout(Duration::from_secs(60)), Ok(()));
    }
}
