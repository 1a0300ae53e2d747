//! What remains when a command is killed or the machine fails it: nothing.
#![cfg(feature = "cli")]

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use eomgen::internals::host::lock::{self, Patience};
use eomgen::internals::host::queue::Turn;

use crate::shared_models::SLEIGH;

/// Waits for what must happen soon.
fn soon(what: &str, mut happened: impl FnMut() -> bool) {
    let start = Instant::now();
    while !happened() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A command that derives with the locks of this folder.
fn deriving(folder: &Path) -> Command {
    fs::write(folder.join("sleigh.eom"), SLEIGH).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_eomgen"));
    command
        .args(["derive", "sleigh.eom", "-o", "sleigh.rs"])
        .current_dir(folder)
        .env("EOMGEN_LOCK_DIR", folder)
        .env_remove("SYMBOLICA_LICENSE")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Whether the ticket belongs to a process that lives.
fn is_held(ticket: &Path) -> bool {
    File::open(ticket).is_ok_and(|file| file.try_lock_shared().is_err())
}

/// The process that derives for a command waits in the queue; it leaves the queue with the command.
#[test]
fn a_killed_command_takes_its_worker_along() {
    let folder = tempfile::tempdir().unwrap();
    let name = lock::path_from_env();
    let path = folder.path().join(name.file_name().unwrap());
    let held = Turn::take(&path, &mut Patience::new(Duration::ZERO)).unwrap();
    let ticket = path.with_extension("queue").join("1");
    for signal in signals() {
        let mut command = deriving(folder.path()).spawn().unwrap();
        soon("the worker is in the queue", || is_held(&ticket));
        signal(&mut command);
        command.wait().unwrap();
        soon("the worker is gone", || !is_held(&ticket));
        fs::remove_file(&ticket).unwrap();
    }
    drop(held);
    assert!(!folder.path().join("sleigh.rs").exists());
}

/// The ways to end a process, the parent alone.
#[cfg(unix)]
fn signals() -> Vec<fn(&mut Child)> {
    fn send(child: &Child, signal: rustix::process::Signal) {
        let id = rustix::process::Pid::from_child(child);
        rustix::process::kill_process(id, signal).unwrap();
    }
    vec![
        |child| send(child, rustix::process::Signal::KILL),
        |child| send(child, rustix::process::Signal::TERM),
        |child| send(child, rustix::process::Signal::INT),
    ]
}

#[cfg(not(unix))]
fn signals() -> Vec<fn(&mut Child)> {
    vec![|child| child.kill().unwrap()]
}
