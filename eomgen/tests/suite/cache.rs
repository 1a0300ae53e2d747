//! The cache of derived code between processes: this program starts itself again, many times at once.
#![cfg(all(feature = "cli", feature = "derive"))]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use eomgen::internals::host::cache::{Cache, Key, Limits};
use eomgen::internals::request::Request;
use eomgen::options::DeriveOptions;
use sha2::{Digest, Sha256};

/// What a child is told: the folder, and its number.
const FOLDER: &str = "CACHE_TEST_FOLDER";
const NUMBER: &str = "CACHE_TEST_NUMBER";

/// Room for about half of what the children write, so that they also sweep.
const TIGHT: Limits = Limits {
    bytes: 400_000,
    entries: 6,
};
const KEYS: u64 = 10;
const ROUNDS: u64 = 300;

fn key(number: u64) -> Key {
    let mut key = Key::new();
    key.add(&number.to_string());
    key
}

/// Some ten to hundred thousand bytes that only this key has.
fn content(number: u64) -> Vec<u8> {
    let word = format!("{number:08x}");
    word.repeat(1250 * (number as usize + 1)).into_bytes()
}

/// Runs the ignored test `name` in a process of its own.
fn start(name: &str, folder: &Path, number: u64) -> Child {
    told_child(name, folder, number).spawn().unwrap()
}

fn told_child(name: &str, folder: &Path, number: u64) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args([
            "--exact",
            &format!("cache::{name}"),
            "--ignored",
            "--nocapture",
            "--quiet",
        ])
        .env(FOLDER, folder)
        .env(NUMBER, number.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// `None` when nobody started this as a child: all ignored tests are being run.
fn told() -> Option<(std::path::PathBuf, u64)> {
    let number = std::env::var(NUMBER).ok()?.parse().unwrap();
    Some((std::env::var_os(FOLDER)?.into(), number))
}

/// Waits for success, and yields what was written on standard output.
fn end(child: Child) -> String {
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{stdout}\n{stderr}");
    stdout
}

#[test]
#[ignore = "a child of the test below"]
fn reader_and_writer() {
    let Some((folder, number)) = told() else {
        return;
    };
    let cache = Cache::at(&folder, TIGHT);
    let mut found = 0;
    // Each goes through the keys in another order.
    let mut at = number;
    for _ in 0..ROUNDS {
        at = (at * 7 + 3 + number) % KEYS;
        match cache.get(&key(at)) {
            Some(bytes) => {
                assert!(bytes == content(at), "key {at}: {} bytes", bytes.len());
                found += 1;
            }
            None => cache.put(&key(at), &content(at)),
        }
    }
    println!("\nfound {found}");
}

#[test]
fn many_writers_and_readers_see_whole_entries() {
    let folder = tempfile::tempdir().unwrap();
    let children: Vec<_> = (0..6)
        .map(|number| start("reader_and_writer", folder.path(), number))
        .collect();
    let mut found = 0;
    for child in children {
        let said = end(child);
        let line = said.lines().find_map(|line| line.strip_prefix("found "));
        found += line.unwrap().parse::<u64>().unwrap();
    }
    // Otherwise nothing was read.
    assert!(found > 100, "{found}");
    let cache = Cache::at(folder.path(), TIGHT);
    let contents = cache.contents();
    assert!(contents.entries > 0 && contents.entries <= TIGHT.entries);
    assert!(contents.bytes <= TIGHT.bytes);
    let names = fs::read_dir(folder.path()).unwrap();
    let names = names.map(|e| e.unwrap().file_name().into_string().unwrap());
    let others: Vec<_> = names.filter(|name| !name.ends_with(".entry")).collect();
    assert_eq!(others, [""; 0]);
}

#[test]
#[ignore = "a child of the test below"]
fn maker() {
    let Some((folder, _)) = told() else { return };
    let cache = Cache::at(&folder.join("kept"), Limits::default());
    for number in 0..3 {
        let made = cache.get_or_make(&key(number), || {
            let mut log = fs::OpenOptions::new()
                .append(true)
                .create(true)
                .open(folder.join("log"))
                .unwrap();
            writeln!(log, "{number}").unwrap();
            // Long enough for all the others to come and find nothing yet.
            std::thread::sleep(Duration::from_millis(300));
            Ok::<_, ()>(content(number))
        });
        assert!(made == Ok(content(number)));
    }
}

#[test]
fn of_four_that_start_together_one_makes_each_entry() {
    let folder = tempfile::tempdir().unwrap();
    let children: Vec<_> = (0..4)
        .map(|number| start("maker", folder.path(), number))
        .collect();
    for child in children {
        end(child);
    }
    let log = fs::read_to_string(folder.path().join("log")).unwrap();
    let mut made: Vec<&str> = log.lines().collect();
    made.sort_unstable();
    assert_eq!(made, ["0", "1", "2"]);
}

#[test]
#[ignore = "a child of the test below"]
fn maker_that_never_ends() {
    let Some((folder, number)) = told() else {
        return;
    };
    let cache = Cache::at(&folder, Limits::default());
    let _ = cache.get_or_make(&key(number), || -> Result<Vec<u8>, ()> {
        println!("\nmaking");
        std::thread::sleep(Duration::from_secs(600));
        Err(())
    });
}

#[test]
fn a_killed_maker_holds_nobody_up() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = start("maker_that_never_ends", folder.path(), 1);
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut lines = lines.map_while(Result::ok);
    assert!(lines.any(|line| line == "making"));
    let cache = Cache::at(folder.path(), Limits::default());
    let begin = Instant::now();
    // Another key is nobody's turn.
    let made = cache.get_or_make(&key(2), || Ok::<_, ()>(b"two".to_vec()));
    assert_eq!(made.unwrap(), b"two");
    let waiting = std::thread::spawn(move || {
        let made = cache.get_or_make(&key(1), || Ok::<_, ()>(b"one".to_vec()));
        (made.unwrap(), Instant::now())
    });
    std::thread::sleep(Duration::from_millis(300));
    assert!(!waiting.is_finished(), "did not wait for the maker");
    let killed = Instant::now();
    child.kill().unwrap();
    let (made, when) = waiting.join().unwrap();
    child.wait().unwrap();
    assert_eq!(made, b"one");
    assert!(when >= killed);
    assert!(when - begin < Duration::from_secs(60));
}

const SLEIGH: &str = include_str!("../../../generated-tests/models/e4_sleigh.eom");

#[test]
#[ignore = "a child of the test below"]
fn attribute() {
    let Some((folder, number)) = told() else {
        return;
    };
    let options = DeriveOptions {
        method: Some(["kane", "gibbs-appell"][number as usize].into()),
        ..DeriveOptions::default()
    };
    let request = Request::inline(&folder, SLEIGH, options);
    let answer = request.answer().unwrap();
    println!("\nequal {}", answer == request.derive().unwrap());
}

/// Requests in other processes, with the variable that users set.
#[test]
fn requests_are_answered_from_the_folder_that_the_variable_names() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("kept");
    let ask = |number: u64, value: &Path| {
        let mut child = told_child("attribute", home.path(), number);
        let said = end(child.env("EOMGEN_CACHE", value).spawn().unwrap());
        said.lines().any(|line| line == "equal true")
    };
    let entries = || Cache::at(&folder, Limits::default()).contents().entries;
    assert!(ask(0, Path::new("off")));
    assert!(!folder.exists());
    assert!(ask(0, &folder));
    assert_eq!(entries(), 1);
    assert!(ask(0, &folder));
    assert_eq!(entries(), 1);
    // That the second answer was not derived shows when the entry, whole otherwise, says something else.
    let path = fs::read_dir(&folder).unwrap().next().unwrap();
    let path = path.unwrap().path();
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.splitn(4, '\n').collect();
    let content = lines[3].replacen("generated", "forged", 1);
    assert_ne!(content, lines[3]);
    let hash = Sha256::digest(content.as_bytes());
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let forged = [lines[0], lines[1], &hash, &content].join("\n");
    fs::write(&path, forged).unwrap();
    assert!(!ask(0, &folder));
    // Another method has an entry of its own.
    assert!(ask(1, &folder));
    assert_eq!(entries(), 2);
}

/// Two that want the same code at once, and an entry that somebody or something has been at.
#[test]
fn an_entry_that_is_no_good_is_told_and_made_anew_by_two_at_once() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("kept");
    let ask = || {
        let mut child = told_child("attribute", home.path(), 0);
        child.env("EOMGEN_CACHE", &folder).spawn().unwrap()
    };
    end(ask());
    let path = fs::read_dir(&folder).unwrap().next().unwrap();
    let path = path.unwrap().path();
    let good = fs::read(&path).unwrap();
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 4;
    let foreign = b"#!/bin/sh\n".repeat(100);
    for bad in [&flipped[..], &good[..good.len() / 2], b"", &foreign] {
        fs::write(&path, bad).unwrap();
        let mut told = 0;
        for child in [ask(), ask()] {
            let output = child.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{said}");
            assert!(String::from_utf8_lossy(&output.stdout).contains("equal true"));
            told += said.matches("is damaged").count();
        }
        // By the one that made it; the other one waited and found it whole.
        assert_eq!(told, 1);
        assert_eq!(fs::read(&path).unwrap(), good);
    }
}

fn command(arguments: &[&str], cache: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_eomgen"))
        .args(arguments)
        .env("EOMGEN_CACHE", cache)
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    assert_eq!(stderr, "");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_command_says_what_there_is_and_clears_it() {
    let folder = tempfile::tempdir().unwrap();
    let shown = folder.path().display();
    let cache = Cache::at(folder.path(), Limits::default());
    let say = || command(&["cache"], folder.path());
    let empty = format!("{shown}: 0 entries, 0 bytes, of at most 4096 entries and 256 MiB\n");
    assert!(say().starts_with(&empty), "{}", say());
    cache.put(&key(0), &content(0));
    cache.put(&key(1), &content(1));
    // 10 000 and 20 000 bytes, and twice a head of 15 + 65 + 65 bytes.
    let two = format!("{shown}: 2 entries, 29.5 KiB, of");
    assert!(say().starts_with(&two), "{}", say());
    let cleared = command(&["cache", "--clear"], folder.path());
    assert_eq!(cleared, format!("{shown}: removed 2 entries, 29.5 KiB\n"));
    assert!(say().starts_with(&empty));
    assert_eq!(cache.get(&key(0)), None);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn the_command_says_why_nothing_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let off = "off: EOMGEN_CACHE is 'off'\n";
    assert_eq!(command(&["cache"], Path::new("off")), off);
    assert_eq!(command(&["cache", "--clear"], Path::new("off")), off);
    let file = folder.path().join("file");
    fs::write(&file, b"mine").unwrap();
    let said = command(&["cache", "--clear"], &file);
    assert!(said.starts_with("off: "), "{said}");
    assert!(said.contains(&file.display().to_string()), "{said}");
    assert_eq!(fs::read(&file).unwrap(), b"mine");
}

/// Nothing that these tests start keeps anything in the user's folder (`.cargo/config.toml`).
#[test]
fn tests_run_without_the_cache() {
    if std::env::var_os("CARGO").is_none() {
        // Started by hand.
        return;
    }
    let value = std::env::var("EOMGEN_CACHE").unwrap_or_default();
    assert!(!value.is_empty(), "neither switched off nor a folder");
}
