//! Sessions under load: threads of one process and several processes at once, all doing algebra.
#![cfg(feature = "derive")]

use std::process::{Command, Stdio};

use eomgen::host::with_session;
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
