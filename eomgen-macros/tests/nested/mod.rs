//! Crates of a user's, written into folders and built by a `cargo` of their own.
//!
//! They share one target folder, so that the algebra engine is built once for all of them, and take the versions of our own lock file, so
//! that nothing is downloaded. It stays from run to run; the crates do not.
#![allow(dead_code, reason = "each test program uses a part")]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A folder for this purpose below our own target folder.
pub fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The target folder that the crates share.
pub fn shared() -> PathBuf {
    place("builds")
}

/// The permission to build: one test at a time, in whatever process it runs. Two tests that wait for the target folder and for the session
/// lock could otherwise wait for each other.
pub fn turn() -> File {
    let file = File::create(place("builds.lock")).unwrap();
    file.lock().unwrap();
    file
}

/// A crate in a folder of its own.
pub struct Crate {
    /// Its folder.
    pub folder: PathBuf,
}

impl Crate {
    /// An empty folder with our lock file in it. The path is the same in every run, so that its traces in the target folder are overwritten.
    pub fn new(name: &str) -> Self {
        let folder = place("crates").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let new = Self { folder };
        new.write(
            "Cargo.lock",
            &fs::read_to_string(root().join("Cargo.lock")).unwrap(),
        );
        new
    }

    /// A program that uses the attribute, with some of its features.
    pub fn program(name: &str, features: &str) -> Self {
        let new = Self::new(name);
        new.write(
            "Cargo.toml",
            &format!("{}\n[workspace]\n", manifest(name, features)),
        );
        new
    }

    /// Writes a file, so that whoever looks at dates sees the change.
    pub fn write(&self, path: &str, text: &str) -> &Self {
        let path = self.folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // Dates of some file systems are coarse.
        std::thread::sleep(Duration::from_millis(20));
        fs::write(path, text).unwrap();
        self
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.folder.join(path)).unwrap()
    }

    /// `cargo`, to be run in the crate, with the shared target folder.
    pub fn cargo(&self, arguments: &[&str]) -> Command {
        cargo(&self.folder, &shared(), arguments)
    }

    /// Runs the crate's program, built before if need be: what it printed.
    pub fn run(&self) -> String {
        let output = self.cargo(&["run", "--quiet"]).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        String::from_utf8(output.stdout).unwrap()
    }
}

/// The manifest of a program that uses the attribute.
pub fn manifest(name: &str, features: &str) -> String {
    let macros = root().join("eomgen-macros").canonicalize().unwrap();
    format!(
        "[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\neomgen-macros = {{ path = {macros:?}, default-features = false, features = [{features}] }}\n"
    )
}

/// `cargo` in a folder. No setting of ours reaches it but those that a test adds.
pub fn cargo(folder: &Path, target: &Path, arguments: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command
        .args(arguments)
        .arg("--offline")
        .arg("--target-dir")
        .arg(target);
    command.current_dir(folder);
    for name in [
        "EOMGEN_LOCK_DIR",
        "EOMGEN_LOCK_TIMEOUT",
        "SYMBOLICA_LICENSE",
        "CARGO_TARGET_DIR",
    ] {
        command.env_remove(name);
    }
    command.env("EOMGEN_CACHE", "off");
    // Otherwise a crate that is used both by the program and by the macro is built with the program's debug information, and the engine
    // with it once more.
    command.env("CARGO_PROFILE_DEV_DEBUG", "false");
    command.env("CARGO_TERM_COLOR", "never");
    command
}

/// What a process said to people.
pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs a command that has to succeed: what it said.
pub fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}", said(&output));
    said(&output)
}

/// Runs a build that has to fail by itself, not by an abort: what it said.
pub fn fail(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert_eq!(
        output.status.code(),
        Some(101),
        "{command:?}\n{}",
        said(&output)
    );
    let said = said(&output);
    for word in ["SIGABRT", "signal", "panicked"] {
        assert!(!said.contains(word), "{said}");
    }
    said
}

/// A process whose words are read as they come.
pub struct Running {
    child: Child,
    lines: Receiver<String>,
    heard: String,
    stdout: JoinHandle<Vec<u8>>,
}

/// Starts a command.
pub fn start(command: &mut Command) -> Running {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let stderr = BufReader::new(child.stderr.take().unwrap());
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in stderr.lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    let stdout = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stdout.read_to_end(&mut bytes).unwrap();
        bytes
    });
    Running {
        child,
        lines,
        heard: String::new(),
        stdout,
    }
}

impl Running {
    /// Waits until it says something.
    pub fn hear(&mut self, words: &str) {
        let end = Instant::now() + Duration::from_secs(600);
        while !self.heard.contains(words) {
            let left = end.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left);
            let line = line.unwrap_or_else(|e| panic!("{words}: {e}\n{}", self.heard));
            self.heard.push_str(&line);
            self.heard.push('\n');
        }
    }

    /// Whether it still runs.
    pub fn runs(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Ends it at once, as a killed build ends.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits for its end: how it ended, and what it said and printed.
    pub fn end(mut self) -> (ExitStatus, String, String) {
        let status = self.child.wait().unwrap();
        self.heard.extend(self.lines.iter().map(|line| line + "\n"));
        let printed = String::from_utf8(self.stdout.join().unwrap()).unwrap();
        (status, self.heard, printed)
    }
}

/// Makes a target folder that holds everything that was built in another, so that cargo finds it fresh. Large files are linked, those
/// that cargo writes to are copied; dates are kept, which cargo compares.
pub fn seed(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    copy(
        &from.join("debug"),
        &to.join("debug"),
        &["incremental", "examples"],
    );
}

fn copy(from: &Path, to: &Path, without: &[&str]) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        let (path, target) = (entry.path(), to.join(&name));
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            if !without.iter().any(|w| name == **w) {
                copy(&path, &target, &[]);
            }
            continue;
        }
        let artifact = path
            .extension()
            .is_some_and(|e| e == "rlib" || e == "rmeta" || e == "so");
        if artifact && fs::hard_link(&path, &target).is_ok() {
            continue;
        }
        fs::copy(&path, &target).unwrap();
        let dated = File::options().write(true).open(&target).unwrap();
        dated
            .set_modified(entry.metadata().unwrap().modified().unwrap())
            .unwrap();
    }
}
