//! Builds of users' crates: several at once, beside others that hold the session, with and without a cache, and after changes.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::nested::{
    Crate, Running, cargo, fail, manifest, place, root, said, seed, shared, start, succeed, turn,
};
use eomgen::internals::host::lock::{self, Patience, UserLock};

const PENDULUM: &str = "model pendulum
param m = 0.4 : kg > 0
param l = 0.7 : m > 0
param g = 9.81 : m/s^2
coord theta : rad
frame B = rotate(N, theta, N.z)
point P = O + l*B.x
particle bob: mass m at P
gravity: g*N.x
";

const SLEIGH: &str = "model sleigh
param m1 = 1.3, m2 = 0.8 : kg > 0
param l = 0.65 : m > 0
coord x, y : m
coord theta : rad
frame B = rotate(N, theta, N.z)
point P1 = O + x*N.x + y*N.y
point P2 = P1 + l*B.x
particle A: mass m1 at P1
particle C: mass m2 at P2
speed u1 = dot(vel(P1), B.x)
speed u2 = theta'
constraint blade: dot(vel(P2), B.y) = 0
";

const ATWOOD: &str = "model atwood
param m1 = 1.5, m2 = 0.9 : kg > 0
param g = 9.81 : m/s^2
coord x : m
point P1 = O - x*N.z
point P2 = O + x*N.z
particle A: mass m1 at P1
particle C: mass m2 at P2
gravity: -g*N.z
";

const WIRE: &str = "model wire
param m = 0.2 : kg > 0
param w = 3 : rad/s
coord r : m
frame R = rotate(N, w*t, N.z)
point P = O + r*R.x
particle bead: mass m at P
";

/// A program with a model beside it, which prints the rate of a state.
fn program(name: &str, model: &str, state: &[f64]) -> Crate {
    let new = Crate::program(name, "\"derive\"");
    new.write(&format!("models/{name}.eom"), model);
    new.write("src/main.rs", &main(name, state));
    new
}

fn main(name: &str, state: &[f64]) -> String {
    format!(
        "#[eomgen_macros::derive_eom(\"models/{name}.eom\", method = \"gibbs-appell\")]\nmod machine {{}}\n\n\
         fn main() {{\n    let p = machine::Params::default();\n    for rate in machine::derivative(0.0, &{state:?}, &p) {{\n        \
         println!(\"{{rate:?}}\");\n    }}\n}}\n"
    )
}

fn check(printed: &str, expected: &[f64]) {
    let numbers: Vec<f64> = printed.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(numbers.len(), expected.len(), "{printed}");
    for (number, exact) in numbers.iter().zip(expected) {
        assert!(
            (number - exact).abs() < 1e-14 * exact.abs().max(1.0),
            "{number}, not {exact}"
        );
    }
}

/// Builds the engine, if that has not been done: what comes after takes seconds.
fn prepared() -> fs::File {
    let turn = turn();
    let first = Crate::program("first", "\"derive\"");
    first.write("src/main.rs", "fn main() {}\n");
    succeed(&mut first.cargo(&["build"]));
    turn
}

const HOLDER: &str = "EOMGEN_TEST_HOLDER";

/// A second process of this user, which holds the session.
fn holder() -> Running {
    let program = std::env::current_exe().unwrap();
    let mut command = std::process::Command::new(program);
    command.args([
        "--exact",
        "builds::hold_the_session",
        "--ignored",
        "--nocapture",
    ]);
    command.env(HOLDER, "1");
    let mut holder = start(&mut command);
    holder.hear("the session is held");
    holder
}

#[test]
#[ignore = "run by `holder`"]
fn hold_the_session() {
    // Not by `holder`: all ignored tests are being run.
    if std::env::var_os(HOLDER).is_none() {
        return;
    }
    let mut patience = Patience::new(Duration::from_secs(600));
    let _held = UserLock::acquire(&lock::path_from_env().unwrap(), &mut patience).unwrap();
    eprintln!("the session is held");
    std::thread::sleep(Duration::from_secs(300));
}

/// Another process holds the session until all four wait for it, so they expand at the same time. It is killed, not ended.
#[test]
#[ignore = "builds the engine: cargo test -p eomgen-macros --test suite builds -- --ignored"]
fn four_builds_with_cold_caches_wait_for_each_other_and_for_a_killed_process() {
    let _turn = prepared();
    let (l, g) = (0.7, 9.81);
    let (u1, u2) = (0.5_f64, -1.2_f64);
    let heading = 0.3_f64;
    let crates = [
        (
            program("pendulum", PENDULUM, &[0.4, -0.9]),
            vec![-0.9, -g / l * 0.4_f64.sin()],
        ),
        (
            program("sleigh", SLEIGH, &[0.0, 0.0, heading, u1, u2]),
            vec![
                // The rear mass glides along the rod: v1 = u1 e1 - l u2 e2.
                u1 * heading.cos() + 0.65 * u2 * heading.sin(),
                u1 * heading.sin() - 0.65 * u2 * heading.cos(),
                u2,
                -1.3 * 0.65 * u2 * u2 / (1.3 + 0.8),
                u1 * u2 / 0.65,
            ],
        ),
        (
            program("atwood", ATWOOD, &[0.1, 0.2]),
            vec![0.2, (1.5 - 0.9) / (1.5 + 0.9) * g],
        ),
        (program("wire", WIRE, &[0.6, 0.1]), vec![0.1, 9.0 * 0.6]),
    ];
    let targets: Vec<_> = (0..crates.len())
        .map(|i| place(&format!("parallel/{i}")))
        .collect();
    for target in &targets {
        seed(&shared(), target);
    }
    let caches = tempfile::tempdir().unwrap();
    let mut holder = holder();
    let mut builds: Vec<Running> = Vec::new();
    for (i, ((user, _), target)) in crates.iter().zip(&targets).enumerate() {
        let mut command = cargo(&user.folder, target, &["run", "--quiet"]);
        command.env("EOMGEN_CACHE", caches.path().join(i.to_string()));
        builds.push(start(&mut command));
    }
    for build in &mut builds {
        build.hear("waiting for another derivation");
    }
    for build in &mut builds {
        assert!(build.runs());
    }
    holder.kill();
    for (build, (_, expected)) in builds.into_iter().zip(&crates) {
        let (status, heard, printed) = build.end();
        assert!(status.success(), "{heard}");
        check(&printed, expected);
    }
    fs::remove_dir_all(place("parallel")).unwrap();
}

/// A lock folder of its own: nothing is derived in these builds, so none of them needs the user's session.
fn held(folder: &Path) -> UserLock {
    UserLock::acquire(
        &folder.join(lock::name()),
        &mut Patience::new(Duration::ZERO),
    )
    .unwrap()
}

#[test]
#[ignore = "builds the engine: cargo test -p eomgen-macros --test suite builds -- --ignored"]
fn a_session_that_cannot_be_had_in_time_is_an_error_at_the_attribute() {
    let _turn = prepared();
    let user = program("patience", ATWOOD, &[0.0, 0.0]);
    user.write("models/patience.eom", ATWOOD);
    let locks = tempfile::tempdir().unwrap();
    let held = held(locks.path());
    let mut build = user.cargo(&["build"]);
    build
        .env("EOMGEN_LOCK_DIR", locks.path())
        .env("EOMGEN_LOCK_TIMEOUT", "0.3");
    let said = fail(&mut build);
    for words in [
        "another derivation of this user has been running for 0.3 s",
        "set EOMGEN_LOCK_TIMEOUT to wait longer",
        "src/main.rs:1:",
    ] {
        assert!(said.contains(words), "{said}");
    }
    drop(held);
}

#[test]
#[ignore = "builds the engine: cargo test -p eomgen-macros --test suite builds -- --ignored"]
fn what_was_derived_once_is_not_derived_again() {
    let _turn = prepared();
    let user = program("kept", ATWOOD, &[0.1, 0.2]);
    let (cache, locks) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    succeed(user.cargo(&["build"]).env("EOMGEN_CACHE", cache.path()));
    // From here on a derivation would fail.
    let _held = held(locks.path());
    let build = |with: &Path, words: &[&str]| {
        user.write("src/main.rs", &user.read("src/main.rs"));
        let mut command = user.cargo(words);
        command
            .env("EOMGEN_CACHE", with)
            .env("EOMGEN_LOCK_DIR", locks.path());
        command.env("EOMGEN_LOCK_TIMEOUT", "0.1");
        command
    };
    succeed(&mut build(cache.path(), &["build"]));
    succeed(&mut build(cache.path(), &["check"]));
    succeed(&mut build(cache.path(), &["test"]));
    fail(&mut build(Path::new("off"), &["build"]));
    // Another model is another entry.
    user.write("models/kept.eom", &ATWOOD.replace("1.5", "1.6"));
    fail(&mut build(cache.path(), &["build"]));
}

#[test]
#[ignore = "builds the engine: cargo test -p eomgen-macros --test suite builds -- --ignored"]
fn a_cache_that_cannot_be_used_does_no_harm() {
    let _turn = prepared();
    let user = program("uncached", ATWOOD, &[0.1, 0.2]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "a file").unwrap();
    let readonly = folder.path().join("readonly");
    fs::create_dir(&readonly).unwrap();
    let mut permissions = fs::metadata(&readonly).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&readonly, permissions).unwrap();
    let below = file.join("below");
    for cache in [Path::new("off"), &file, &below, &readonly] {
        user.write("src/main.rs", &main("uncached", &[0.1, 0.2]));
        let mut command = user.cargo(&["run"]);
        let output = command.env("EOMGEN_CACHE", cache).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        assert!(
            said(&output).contains("Compiling uncached"),
            "{}",
            said(&output)
        );
        assert!(!said(&output).contains("warning"), "{}", said(&output));
        check(
            &String::from_utf8(output.stdout).unwrap(),
            &[0.2, 0.25 * 9.81],
        );
    }
    assert_eq!(fs::read_to_string(file).unwrap(), "a file");
}

/// A workspace with a member, and a crate outside of it on which the member depends; the member's model uses another file.
fn workspace() -> Crate {
    let new = Crate::new("tracking");
    fs::rename(new.folder.join("Cargo.lock"), new.folder.join("Cargo.old")).unwrap();
    new.write("ws/Cargo.lock", &new.read("Cargo.old"));
    new.write(
        "ws/Cargo.toml",
        "[workspace]\nresolver = \"3\"\nmembers = [\"member\"]\n",
    );
    let needed = "far = { path = \"../../far\" }\n";
    new.write(
        "ws/member/Cargo.toml",
        &(manifest("member", "\"derive\"") + needed),
    );
    new.write(
        "far/Cargo.toml",
        &(manifest("far", "\"derive\"") + "\n[workspace]\n"),
    );
    new.write(
        "far/src/lib.rs",
        "#[eomgen_macros::derive_eom(\"models/atwood.eom\")]\npub mod atwood {}\n",
    );
    new.write("far/models/atwood.eom", ATWOOD);
    new.write(
        "ws/member/src/main.rs",
        "#[eomgen_macros::derive_eom(\"models/machine.eom\")]\nmod machine {}\n\nfn main() {\n    \
         println!(\"{:?}\", machine::accelerations(0.0, &[0.5, 0.0], &machine::Params::default())[0]);\n    \
         println!(\"{:?}\", far::atwood::accelerations(0.0, &[0.0, 0.0], &far::atwood::Params::default())[0]);\n}\n",
    );
    new.write("ws/member/models/machine.eom", &machine(5.0));
    new.write("ws/member/models/parts/spring.eom", &spring("k"));
    new
}

/// A mass of 2 kg on a spring that a part describes.
fn machine(stiffness: f64) -> String {
    format!(
        "model machine\nparam m = 2 : kg > 0\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\n\
         use \"parts/spring.eom\" as spring(at = P, length = x, k = {stiffness} [N/m])\n"
    )
}

/// A spring of some stiffness, a multiple of its parameter k.
fn spring(stiffness: &str) -> String {
    format!(
        "part spring\nneeds point at\nneeds scalar length\nparam k : N/m\nforce on at: -{stiffness}*length*N.x\n"
    )
}

#[test]
#[ignore = "builds the engine: cargo test -p eomgen-macros --test suite builds -- --ignored"]
fn a_changed_model_is_derived_again_and_an_unchanged_one_is_not() {
    let _turn = prepared();
    let new = workspace();
    let folder = new.folder.join("ws");
    let run = || {
        let output = cargo(&folder, &shared(), &["run"]).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        let compiled: Vec<String> = said(&output)
            .lines()
            .filter_map(|line| {
                Some(
                    line.split("Compiling ")
                        .nth(1)?
                        .split(' ')
                        .next()?
                        .to_owned(),
                )
            })
            .collect();
        (String::from_utf8(output.stdout).unwrap(), compiled)
    };
    let fall = 0.25 * 9.81;
    let (printed, compiled) = run();
    check(&printed, &[-5.0 * 0.5 / 2.0, fall]);
    assert_eq!(compiled, ["far", "member"]);
    let (printed, compiled) = run();
    check(&printed, &[-5.0 * 0.5 / 2.0, fall]);
    assert_eq!(compiled, [""; 0]);
    new.write("ws/member/models/machine.eom", &machine(7.0));
    let (printed, compiled) = run();
    check(&printed, &[-7.0 * 0.5 / 2.0, fall]);
    assert_eq!(compiled, ["member"]);
    new.write("ws/member/models/parts/spring.eom", &spring("3*k"));
    let (printed, compiled) = run();
    check(&printed, &[-21.0 * 0.5 / 2.0, fall]);
    assert_eq!(compiled, ["member"]);
    new.write("far/models/atwood.eom", &ATWOOD.replace("1.5", "2.7"));
    let (printed, compiled) = run();
    check(&printed, &[-21.0 * 0.5 / 2.0, 0.5 * 9.81]);
    assert_eq!(compiled, ["far", "member"]);
    assert_eq!(run().1, [""; 0]);
}

/// A part that is missing, or wrong, is looked at again once it is there.
#[test]
#[ignore = "builds the engine: cargo test -p eomgen-macros --test suite builds -- --ignored"]
fn a_model_that_was_put_right_builds() {
    let _turn = prepared();
    let new = workspace();
    let folder = new.folder.join("ws");
    let build = || cargo(&folder, &shared(), &["build"]);
    fs::remove_file(new.folder.join("ws/member/models/parts/spring.eom")).unwrap();
    let said = fail(&mut build());
    assert!(said.contains("parts/spring.eom"), "{said}");
    new.write(
        "ws/member/models/parts/spring.eom",
        &spring("k").replace("force on at", "force on nowhere"),
    );
    let said = fail(&mut build());
    assert!(
        said.contains("nowhere") && said.contains("spring.eom:5:"),
        "{said}"
    );
    new.write("ws/member/models/parts/spring.eom", &spring("k"));
    succeed(&mut build());
}

/// Whoever reads cargo's JSON from standard output, as editors do, finds nothing else there.
#[test]
#[ignore = "builds the engine: cargo test -p eomgen-macros --test suite builds -- --ignored"]
fn nothing_but_messages_of_cargo_is_on_standard_output() {
    let _turn = prepared();
    let user = program("quiet", PENDULUM, &[0.0, 0.0]);
    for words in ["check", "build"] {
        let output = user
            .cargo(&[words, "--message-format=json"])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", said(&output));
        let printed = String::from_utf8(output.stdout).unwrap();
        let messages: Vec<serde_json::Value> = printed
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
            .collect();
        let fresh = |m: &serde_json::Value| {
            let own = m["target"]["name"] == "quiet" && m["reason"] == "compiler-artifact";
            own.then(|| m["fresh"].as_bool()).flatten()
        };
        assert_eq!(messages.iter().find_map(fresh), Some(false), "{words}");
        assert!(
            messages.iter().all(|m| m["reason"] != "compiler-message"),
            "{printed}"
        );
    }
}

/// The example of the book, as its reader builds it.
#[test]
#[ignore = "builds the engine: cargo test -p eomgen-macros --test suite builds -- --ignored"]
fn the_example_moves_as_it_must() {
    let _turn = prepared();
    let folder = root().join("docs/example");
    let run = |words: &[&str]| {
        let mut command = cargo(&folder, &shared(), words);
        let output = command.arg("--locked").output().unwrap();
        assert!(output.status.success(), "{words:?}\n{}", said(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let told = run(&["test"]);
    assert!(told.contains("test both_ways_agree ... ok"), "{told}");
    assert!(
        told.contains("test the_free_sleigh_follows_the_closed_form ... ok"),
        "{told}"
    );
    let told = run(&["test", "--no-default-features"]);
    assert!(!told.contains("both_ways_agree"), "{told}");
    assert!(
        told.contains("test the_free_sleigh_follows_the_closed_form ... ok"),
        "{told}"
    );
    // The table of the book, seven rows.
    let told = run(&["run"]);
    let page = fs::read_to_string(root().join("docs/example.md")).unwrap();
    assert_eq!(told.lines().count(), 8, "{told}");
    assert!(
        page.contains(&told),
        "docs/example.md does not show\n{told}"
    );
}

/// The book's crate of motions: two integrators, a controller and a sweep.
#[test]
#[ignore = "builds diffsol, whose packages must be there: cargo test -p eomgen-macros --test suite builds::the_motions -- --ignored"]
fn the_motions_of_the_book_hold() {
    let folder = root().join("docs/motion");
    let mut command = cargo(&folder, &shared(), &["test", "--locked"]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let told = String::from_utf8(output.stdout).unwrap();
    for test in [
        "diffsol_finds_the_same_motion",
        "ode_solvers_keeps_energy_rope_and_time",
    ] {
        assert!(told.contains(&format!("test {test} ... ok")), "{told}");
    }
}

/// The versions that the example takes are ours: they are there, offline.
#[test]
fn the_examples_lock_file_is_a_part_of_ours() {
    let packages = |path: &str| {
        let lock = fs::read_to_string(root().join(path)).unwrap();
        let entry = |package: &str| {
            let lines: Vec<_> = package
                .lines()
                .filter(|l| l.starts_with("name") || l.starts_with("version"))
                .collect();
            lines.join(" ")
        };
        lock.split("[[package]]")
            .skip(1)
            .map(entry)
            .collect::<Vec<_>>()
    };
    let ours = packages("Cargo.lock");
    let others = packages("docs/example/Cargo.lock");
    let foreign: Vec<_> = others.iter().filter(|p| !ours.contains(p)).collect();
    assert_eq!(foreign, ["name = \"sleigh-example\" version = \"0.1.0\""]);
    assert!(others.len() > 100);
}
