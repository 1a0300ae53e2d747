//! Many derivations at once, in processes and in threads: all wait for their turn, none fails.
#![cfg(all(feature = "cli", feature = "derive"))]

use crate::shared_models::{PENDULUM, SLEIGH, WHEEL};
use eomgen::{derive, options::DeriveOptions};
use std::fs;
use std::process::{Command, Stdio};
use std::sync::Barrier;

const MODELS: [(&str, &str); 3] = [
    ("sleigh.eom", SLEIGH),
    ("pendulum.eom", PENDULUM),
    ("wheel.eom", WHEEL),
];

/// The code that one derivation alone gives.
fn alone(model: (&str, &str)) -> String {
    derive(model.0, model.1, &DeriveOptions::default())
        .unwrap()
        .code
}

#[test]
fn eight_processes_started_at_once() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in MODELS {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let children: Vec<_> = (0..8)
        .map(|i| {
            Command::new(env!("CARGO_BIN_EXE_eomgen"))
                .args(["derive", MODELS[i % 3].0, "-o", &format!("{i}.rs")])
                .current_dir(folder.path())
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    let expect = MODELS.map(alone);
    assert!(expect[0] != expect[1] && expect[1] != expect[2]);
    for (i, child) in children.into_iter().enumerate() {
        let output = child.wait_with_output().unwrap();
        let messages = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{messages}");
        assert!(output.stdout.is_empty());
        let code = fs::read_to_string(folder.path().join(format!("{i}.rs"))).unwrap();
        assert_eq!(code, expect[i % 3], "process {i}");
    }
}

#[test]
fn eight_threads_at_once() {
    let expect = MODELS.map(alone);
    let start = Barrier::new(8);
    let start = &start;
    let codes: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|i| {
                scope.spawn(move || {
                    start.wait();
                    alone(MODELS[i % 3])
                })
            })
            .collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    for (i, code) in codes.iter().enumerate() {
        assert_eq!(*code, expect[i % 3], "thread {i}");
    }
}

/// A failure in one thread leaves the others, and the next derivation, alone.
#[test]
fn broken_models_beside_good_ones() {
    let expect = alone(MODELS[0]);
    let bad = SLEIGH.replace("particle C: mass m2 at P2", "coord z : m");
    std::thread::scope(|scope| {
        for i in 0..8 {
            let (bad, expect) = (&bad, &expect);
            scope.spawn(move || match i % 2 {
                0 => assert_eq!(alone(MODELS[0]), *expect),
                _ => assert!(derive("bad.eom", bad, &DeriveOptions::default()).is_err()),
            });
        }
    });
}
