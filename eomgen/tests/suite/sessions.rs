//! Sessions under load: threads of one process and several processes at once, all doing algebra.
#![cfg(feature = "derive")]

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use eomgen::internals::host::lock::{self, Patience};
use eomgen::internals::host::queue::Turn;
use eomgen::internals::host::with_session;
use symbolica::atom::{Atom, AtomCore, Symbol};

/// Expands (x0 + ... + x5)^6 and returns its number of terms, 11 choose 5.
fn algebra() -> usize {
    let symbols = (0..6).map(|i| Symbol::parse(format!("x{i}"), "eomgen_stress"));
    let terms: Vec<Atom> = symbols.map(|s| Atom::var(s.expect("a name"))).collect();
    Atom::add_many(&terms).pow(6).expand().nterms()
}

const TERMS: usize = 462;

#[test]
fn four_threads_take_turns() {
    let callers: Vec<_> = (0..4)
        .map(|_| {
            std::thread::spawn(|| {
                let counts = (0..3).map(|_| with_session(algebra).expect("a session"));
                counts.collect::<Vec<_>>()
            })
        })
        .collect();
    for caller in callers {
        assert_eq!(caller.join().expect("no panic"), [TERMS; 3]);
    }
}

#[test]
fn eight_processes_take_turns() {
    let program = std::env::current_exe().expect("this test program");
    let children: Vec<_> = (0..8)
        .map(|_| {
            Command::new(&program)
                .args([
                    "--exact",
                    "sessions::job_of_one_process",
                    "--ignored",
                    "--nocapture",
                ])
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("a process")
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().expect("its output");
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{output:?}");
        assert!(stdout.contains("terms: 462, 462, 462"), "{stdout}");
        assert!(!stdout.contains("Symbolica"), "a banner: {stdout}");
    }
}

#[test]
#[ignore = "run by eight_processes_take_turns"]
fn job_of_one_process() {
    let counts = [0; 3].map(|_| with_session(algebra).expect("a session").to_string());
    println!("terms: {}", counts.join(", "));
}

#[test]
fn a_panic_in_a_session_leaves_the_permit_free() {
    let failed = with_session(|| {
        let terms = algebra();
        assert_eq!(terms, 0, "on purpose");
    });
    assert!(failed.is_err());
    assert_eq!(with_session(algebra).expect("a session"), TERMS);
}

const LOG: &str = "EOMGEN_TEST_LOG";
const NAME: &str = "EOMGEN_TEST_NAME";

/// One that asks for a session with the locks of this folder.
fn asking(folder: &Path, name: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "sessions::one_in_the_queue", "--ignored"])
        .env("EOMGEN_LOCK_DIR", folder)
        .env_remove("SYMBOLICA_LICENSE")
        .env(LOG, folder.join("log"))
        .env(NAME, name)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
#[ignore = "run by processes_are_served_in_the_order_in_which_they_came"]
fn one_in_the_queue() {
    // All ignored tests are being run.
    let Some(log) = std::env::var_os(LOG) else {
        return;
    };
    with_session(move || {
        let mut log = std::fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(log)
            .unwrap();
        write!(log, "{} ", std::env::var(NAME).unwrap()).unwrap();
    })
    .unwrap();
}

/// Nothing is derived, so the locks may lie in a folder of their own.
#[test]
fn processes_are_served_in_the_order_in_which_they_came() {
    let folder = tempfile::tempdir().unwrap();
    let name = lock::name();
    let path = folder.path().join(name);
    let held = Turn::take(&path, &mut Patience::new(Duration::ZERO)).unwrap();
    // The counter, our place, and theirs.
    let files = || {
        std::fs::read_dir(path.with_extension("queue"))
            .unwrap()
            .count()
    };
    assert_eq!(files(), 2);
    let names = ["first", "second", "third", "fourth", "fifth"];
    let mut children = Vec::new();
    for (i, name) in names.into_iter().enumerate() {
        let mut child = asking(folder.path(), name);
        while files() < i + 3 {
            assert!(child.try_wait().unwrap().is_none(), "{name} did not wait");
            std::thread::yield_now();
        }
        children.push(child);
    }
    for killed in [1, 3] {
        children[killed].kill().unwrap();
        children[killed].wait().unwrap();
    }
    assert!(!folder.path().join("log").exists());
    drop(held);
    for served in [0, 2, 4] {
        assert!(children[served].wait().unwrap().success());
    }
    let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
    assert_eq!(log, "first third fifth ");
}

#[test]
fn what_is_dropped_outside_of_a_session_takes_no_permit() {
    use symbolica::atom::Atom;
    let kept: Vec<Atom> = with_session(|| {
        let x = Atom::var(symbolica::symbol!("x"));
        (0..100).map(|n| &x + Atom::num(n)).collect()
    })
    .unwrap();
    drop(kept);
    let output = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "sessions::job_of_one_process",
            "--ignored",
            "--nocapture",
        ])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// How long the test below takes.
const STRESS: Duration = Duration::from_secs(60);
/// Set for the processes that it starts.
const SECOND: &str = "EOMGEN_TEST_SECOND";

/// A child between fork and exec holds the locks that were held when it was made.
#[test]
#[ignore = "a minute: cargo test -p eomgen --test suite sessions_beside -- --ignored"]
fn sessions_beside_processes_that_are_started() {
    let end = Instant::now() + STRESS;
    let others = if std::env::var_os(SECOND).is_none() {
        2
    } else {
        0
    };
    let others: Vec<Child> = (0..others)
        .map(|_| {
            Command::new(std::env::current_exe().unwrap())
                .args(["--ignored", "sessions_beside"])
                .env(SECOND, "1")
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while Instant::now() < end {
                    assert_eq!(with_session(|| Atom::num(2).expand().nterms()).unwrap(), 1);
                }
            });
        }
        for _ in 0..4 {
            scope.spawn(|| {
                while Instant::now() < end {
                    let started = Command::new("true").stdout(Stdio::piped()).output();
                    assert!(started.unwrap().status.success());
                }
            });
        }
    });
    for mut other in others {
        assert!(other.wait().unwrap().success());
    }
}
