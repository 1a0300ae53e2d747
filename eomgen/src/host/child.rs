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
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use super::{banner, own};

/// Lines on the child's standard error that begin with this are for the user and pass at once;
/// others are kept back and only shown if the child fails.
pub const MESSAGE_PREFIX: &str = "eomgen: ";

/// Lines on the child's standard error that begin with this say what it is at.
const STAGE_PREFIX: &str = "\u{1}eomgen-stage ";

/// How often whoever follows a child is asked whether to go on.
const LOOK: Duration = Duration::from_millis(100);

/// Who follows a child while it runs.
pub trait Follower {
    /// A line for the user.
    fn message(&mut self, line: &str);
    /// What the child is at now.
    fn stage(&mut self, stage: &str);
    /// Called some times a second: whether to go on waiting for it.
    fn goes_on(&mut self) -> bool;
}

/// The child's side: says what it is at, to a parent that follows it.
pub fn tell(stage: &str) {
    // In one piece, since several threads may tell.
    let line = format!("{STAGE_PREFIX}{stage}\n");
    let _ = io::stderr().lock().write_all(line.as_bytes());
}

/// How a child ended.
#[derive(Debug)]
pub struct Finished {
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error, without the lines that were passed on.
    pub stderr: String,
    /// Its exit status.
    pub status: ExitStatus,
    /// Whether it was given up.
    pub given_up: bool,
}

/// Runs this executable again with `argument`, gives it the line `input`, and waits for its end, or until the follower has had enough.
pub fn run_self(
    argument: &OsStr,
    input: &[u8],
    follower: &mut dyn Follower,
) -> io::Result<Finished> {
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
    let mut given_up = false;
    // Both pipes are emptied while the input is written, or a full pipe would stop the child for good.
    let (stdout, stderr) = thread::scope(|scope| -> io::Result<_> {
        let (sender, said) = mpsc::channel();
        let stdout = reader().spawn_scoped(scope, || read_all(stdout))?;
        let stderr = reader().spawn_scoped(scope, move || sort(stderr, &sender))?;
        if let Some(stdin) = &mut stdin {
            // A child that died early is reported by its status, not by the broken pipe.
            let _ = stdin.write_all(input).and_then(|()| stdin.write_all(b"\n"));
        }
        loop {
            match said.recv_timeout(LOOK) {
                Ok(Said::Message(line)) => follower.message(&line),
                Ok(Said::Stage(stage)) => follower.stage(&stage),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if !given_up && !follower.goes_on() {
                given_up = true;
                // It ends when nobody waits for it.
                stdin.take();
            }
        }
        Ok((stdout.join(), stderr.join()))
    })?;
    let gone = |_| io::Error::other("a reader thread ended early");
    let finished = Finished {
        stdout: stdout.map_err(gone)??,
        stderr: stderr.map_err(gone)??,
        status: child.wait()?,
        given_up,
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

/// What a child says on its standard error while it runs.
#[derive(Debug, PartialEq)]
enum Said {
    Message(String),
    Stage(String),
}

/// Passes on what is for the user, and keeps the rest.
fn sort(pipe: Option<impl Read>, said: &Sender<Said>) -> io::Result<String> {
    let mut kept = String::new();
    let Some(pipe) = pipe else { return Ok(kept) };
    let mut lines = BufReader::new(pipe);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        // Nobody listens any more where the parent has failed.
        if let Some(stage) = text.strip_prefix(STAGE_PREFIX) {
            let _ = said.send(Said::Stage(stage.trim_end().to_owned()));
        } else if text.starts_with(MESSAGE_PREFIX) {
            let _ = said.send(Said::Message(text.into_owned()));
        } else {
            kept.push_str(&text);
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

    #[test]
    fn messages_and_stages_are_passed_on_and_the_rest_is_kept() {
        let text = format!("eomgen: waiting\n{STAGE_PREFIX}planning\nnote\n{STAGE_PREFIX}cut");
        let (sender, said) = channel();
        let kept = sort(Some(text.as_bytes()), &sender).unwrap();
        drop(sender);
        assert_eq!(kept, "note\n");
        let expected = [
            Said::Message("eomgen: waiting\n".to_owned()),
            Said::Stage("planning".to_owned()),
            Said::Stage("cut".to_owned()),
        ];
        assert_eq!(said.iter().collect::<Vec<_>>(), expected);
    }
}
