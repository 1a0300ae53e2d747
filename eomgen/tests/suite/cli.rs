//! The program as its users meet it: exit codes, what goes to which stream, and what happens to files.
#![cfg(feature = "cli")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};

const SLEIGH: &str = "\
//! Chaplygin sleigh of two particles.
model sleigh

param m1, m2 : kg > 0
param l : m > 0
coord x, y : m
coord theta : rad

frame B = rotate(N, theta, N.z)
point P1 = O + x*N.x + y*N.y
point P2 = P1 + l*B.x
particle A: mass m1 at P1
particle C: mass m2 at P2

constraint blade: dot(vel(P2), B.y) = 0
";

const STATE: &str = r#"{"params": {"m1": 1.5, "m2": 0.5, "l": 1}, "q": {"x": 0, "y": 0, "theta": 0},
    "qdot": {"x": 1, "y": -2, "theta": 2}}"#;

/// A folder with a good and a bad model in it.
struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("sleigh.eom"), SLEIGH).unwrap();
        fs::write(
            folder.path().join("bad.eom"),
            SLEIGH.replace("= 0\n", "= \n"),
        )
        .unwrap();
        fs::write(folder.path().join("state.json"), STATE).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eomgen"));
        command.args(arguments).current_dir(self.folder.path());
        command
    }

    /// Exit code, standard output, standard error.
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        split(
            self.command(arguments)
                .stdin(Stdio::null())
                .output()
                .unwrap(),
        )
    }

    fn run_with(&self, arguments: &[&str], input: &str) -> (i32, String, String) {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        split(child.wait_with_output().unwrap())
    }
}

fn split(output: Output) -> (i32, String, String) {
    (
        output.status.code().expect("an exit code"),
        String::from_utf8(output.stdout).unwrap(),
        without_waiting(&String::from_utf8(output.stderr).unwrap()),
    )
}

/// Messages but for the remark that another derivation of this user is waited for, which depends on
/// what else runs on the machine.
fn without_waiting(messages: &str) -> String {
    let lines = messages.split_inclusive('\n');
    lines
        .filter(|line| !line.starts_with("eomgen: waiting for another derivation"))
        .collect()
}

/// Sets a file's date to long ago, so that any write shows.
fn age(path: &Path) -> SystemTime {
    let past = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    fs::File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_modified(past)
        .unwrap();
    past
}

fn date(path: &Path) -> SystemTime {
    fs::metadata(path).unwrap().modified().unwrap()
}

#[test]
fn version_and_help_are_results() {
    let bench = Bench::new();
    let (code, out, err) = bench.run(&["--version"]);
    assert_eq!((code, err.as_str()), (0, ""));
    for part in [
        "Symbolica",
        "is yours",
        "non-commercial",
        "symbolica.io/license",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let (code, out, _) = bench.run(&["-V"]);
    assert_eq!((code, out.lines().count()), (0, 1));
    let (code, out, err) = bench.run(&["derive", "--help"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(
        out.contains("--dependent") && out.contains("udwadia-kalaba"),
        "{out}"
    );
    assert!(!bench.run(&["--help"]).1.contains("__worker"));
}

#[test]
fn usage_errors_exit_with_2_and_print_nothing() {
    let table: &[(&[&str], &str)] = &[
        (&[], "Usage"),
        (&["frobnicate"], "frobnicate"),
        (&["derive"], "MODEL"),
        (
            &["derive", "sleigh.eom", "--method", "newton"],
            "udwadia-kalaba",
        ),
        (&["derive", "sleigh.eom", "--form", "short"], "closed"),
        (&["derive", "sleigh.eom", "--check"], "--out"),
        (&["derive", "sleigh.eom", "--check", "-o", "-"], "-o FILE"),
        (
            &["derive", "sleigh.eom", "-o", "./sleigh.eom"],
            "the model itself",
        ),
        (&["eval", "sleigh.eom"], "--state"),
        (&["eval", "-", "--state", "-"], "standard input"),
        (&["fmt"], "MODEL"),
        (&["fmt", "-", "-"], "only once"),
        (&["explain", "E9999"], "E9999"),
        (&["__worker"], "internal use"),
    ];
    let bench = Bench::new();
    for (arguments, expect) in table {
        let (code, out, err) = bench.run(arguments);
        assert_eq!(code, 2, "{arguments:?}: {err}");
        assert_eq!(out, "", "{arguments:?}");
        assert!(err.contains(expect), "{arguments:?}: {err}");
    }
}

#[test]
fn files_that_cannot_be_read_exit_with_1() {
    let bench = Bench::new();
    fs::write(bench.path("latin1.eom"), b"model caf\xe9").unwrap();
    for command in ["derive", "check", "fmt"] {
        for (model, expect) in [
            ("none.eom", "cannot read none.eom"),
            ("latin1.eom", "number 9"),
        ] {
            let (code, out, err) = bench.run(&[command, model]);
            assert_eq!((code, out.as_str()), (1, ""), "{command} {model}: {err}");
            assert!(err.contains(expect), "{command} {model}: {err}");
        }
    }
}

#[test]
fn a_bad_model_exits_with_1_and_touches_no_file() {
    let bench = Bench::new();
    let old = "// @generated by eomgen 0\nold";
    fs::write(bench.path("old.rs"), old).unwrap();
    let past = age(&bench.path("old.rs"));
    for output in ["old.rs", "new.rs"] {
        let (code, out, err) = bench.run(&["derive", "bad.eom", "-o", output]);
        assert_eq!((code, out.as_str()), (1, ""), "{err}");
        assert!(
            err.contains("error[E") && err.contains("bad.eom:15"),
            "{err}"
        );
        assert!(
            !err.contains('\u{1b}'),
            "colour without a terminal: {err:?}"
        );
    }
    assert_eq!(bench.read("old.rs"), old);
    assert_eq!(date(&bench.path("old.rs")), past);
    let mut names: Vec<_> = fs::read_dir(bench.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["bad.eom", "old.rs", "sleigh.eom", "state.json"]);
}

#[test]
fn messages_name_standard_input() {
    let bench = Bench::new();
    let (code, out, err) = bench.run_with(&["derive", "-"], &bench.read("bad.eom"));
    assert_eq!((code, out.as_str()), (1, ""), "{err}");
    assert!(err.contains("<stdin>:15"), "{err}");
}

#[test]
fn check_gives_diagnostics_as_json() {
    let bench = Bench::new();
    let (code, out, _) = bench.run(&["check", "--json", "bad.eom"]);
    assert_eq!(code, 1);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let first = &json["diagnostics"][0];
    assert_eq!(first["severity"], "error");
    assert_eq!(first["labels"][0]["start"]["line"], 15);
    assert_eq!(first["labels"][0]["file"], "bad.eom");
}

#[test]
fn wrong_states_are_refused_by_key() {
    let bench = Bench::new();
    let table = [
        (
            STATE.replace("\"q\"", "\"Q\""),
            "state.json: unknown key \"Q\"",
        ),
        (
            STATE.replace("1.5", "\"1.5\""),
            "\"params.m1\" must be a number, not a string",
        ),
        ("[".to_string(), "state.json: not JSON"),
    ];
    for (state, expect) in table {
        fs::write(bench.path("state.json"), state).unwrap();
        let (code, out, err) = bench.run(&["eval", "sleigh.eom", "--state", "state.json"]);
        assert_eq!((code, out.as_str()), (1, ""), "{err}");
        assert!(err.contains(expect), "{err}");
    }
}

#[test]
fn lists_go_to_standard_output() {
    let bench = Bench::new();
    let (code, out, err) = bench.run(&["methods"]);
    assert_eq!((code, err.as_str()), (0, ""));
    for name in ["udwadia-kalaba", "gibbs-appell", "kane", "lagrange"] {
        assert!(out.lines().any(|line| line == name), "{name}: {out}");
    }
    let (code, out, err) = bench.run(&["explain", "e0001"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("# E0001: "), "{out}");
}

#[test]
fn a_reader_who_leaves_early_is_no_failure() {
    let bench = Bench::new();
    let mut table = vec![vec!["methods"], vec!["--version"], vec!["fmt", "-"]];
    if cfg!(feature = "derive") {
        table.extend([vec!["derive", "-"], vec!["check", "-"]]);
    }
    for arguments in &table {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut child = bench
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(SLEIGH.as_bytes())
            .ok();
        let (code, _, err) = split(child.wait_with_output().unwrap());
        assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}");
    }
}

#[test]
fn fmt_formats_in_place_and_checks() {
    let bench = Bench::new();
    let ugly = SLEIGH
        .replace("O + x*N.x", "O+x * N.x")
        .replace("l : m", "l:m");
    fs::write(bench.path("ugly.eom"), &ugly).unwrap();
    let (code, out, err) = bench.run(&["fmt", "--check", "ugly.eom", "sleigh.eom"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("ugly.eom is not formatted"), "{err}");
    assert!(
        err.contains("-point P1 = O+x * N.x") && err.contains("+point P1 = O + x*N.x"),
        "{err}"
    );
    assert!(!err.contains("sleigh.eom"), "{err}");
    assert_eq!(bench.read("ugly.eom"), ugly);
    // A bad model in front is reported and left alone; the others are formatted all the same.
    let bad = bench.read("bad.eom");
    let (code, _, err) = bench.run(&["fmt", "bad.eom", "ugly.eom"]);
    assert_eq!(code, 1);
    assert!(err.contains("bad.eom:15"), "{err}");
    assert_eq!(bench.read("bad.eom"), bad);
    assert_eq!(bench.read("ugly.eom"), SLEIGH);
    let past = age(&bench.path("ugly.eom"));
    assert_eq!(
        bench.run(&["fmt", "ugly.eom"]),
        (0, String::new(), String::new())
    );
    assert_eq!(date(&bench.path("ugly.eom")), past);
    assert_eq!(
        bench.run_with(&["fmt", "-"], &ugly),
        (0, SLEIGH.to_string(), String::new())
    );
}

#[test]
#[cfg(feature = "derive")]
fn derive_writes_the_same_to_file_and_standard_output() {
    let bench = Bench::new();
    let (code, out, err) = bench.run(&["derive", "sleigh.eom"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.starts_with("// @generated by eomgen "), "{out}");
    assert!(
        out.lines().next().unwrap().ends_with(" from sleigh.eom"),
        "{out}"
    );
    assert_eq!(bench.run(&["derive", "sleigh.eom", "-o", "a.rs"]).1, "");
    assert_eq!(bench.read("a.rs"), out);
    assert_eq!(bench.run(&["derive", "sleigh.eom", "-o", "-"]).1, out);
    let past = age(&bench.path("a.rs"));
    assert_eq!(bench.run(&["derive", "sleigh.eom", "-o", "a.rs"]).0, 0);
    assert_eq!(date(&bench.path("a.rs")), past);
    let (_, from_stdin, _) = bench.run_with(&["derive", "-"], SLEIGH);
    assert_eq!(from_stdin.replace("<stdin>", "sleigh.eom"), out);
}

#[test]
#[cfg(feature = "derive")]
fn check_tells_fresh_from_stale_from_edited() {
    let bench = Bench::new();
    let check = ["derive", "sleigh.eom", "-o", "a.rs", "--check"];
    let (code, _, err) = bench.run(&check);
    assert_eq!(code, 1);
    assert!(err.contains("a.rs does not exist yet"), "{err}");
    assert!(!bench.path("a.rs").exists());
    assert_eq!(bench.run(&["derive", "sleigh.eom", "-o", "a.rs"]).0, 0);
    let fresh = bench.read("a.rs");
    let same: [String; 2] = [fresh.clone(), fresh.replace('\n', "\r\n")];
    for text in same {
        fs::write(bench.path("a.rs"), &text).unwrap();
        assert_eq!(bench.run(&check), (0, String::new(), String::new()));
        assert_eq!(bench.read("a.rs"), text);
    }
    let edited = format!("{fresh}pub const MINE: f64 = 1.0;\n");
    fs::write(bench.path("a.rs"), &edited).unwrap();
    let (code, out, err) = bench.run(&check);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(
        err.contains("edited by hand") && err.contains("-pub const MINE"),
        "{err}"
    );
    assert_eq!(bench.read("a.rs"), edited);
    fs::write(bench.path("a.rs"), &fresh).unwrap();
    fs::write(bench.path("sleigh.eom"), SLEIGH.replace("l*B.x", "2*l*B.x")).unwrap();
    let (code, _, err) = bench.run(&check);
    assert_eq!(code, 1);
    assert!(err.contains("the model has changed since"), "{err}");
    let (code, _, err) = bench.run(&[
        "derive",
        "sleigh.eom",
        "-o",
        "a.rs",
        "--check",
        "--form",
        "staged",
    ]);
    assert_eq!(code, 1);
    assert!(err.contains("other options"), "{err}");
}

#[test]
#[cfg(feature = "derive")]
fn eight_processes_at_once_give_the_same_bytes() {
    let bench = Bench::new();
    let children: Vec<_> = (0..8)
        .map(|_| {
            bench
                .command(&["derive", "sleigh.eom"])
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    let results: Vec<_> = children
        .into_iter()
        .map(|child| split(child.wait_with_output().unwrap()))
        .collect();
    assert!(results[0].1.starts_with("// @generated by eomgen "));
    for result in &results {
        assert_eq!((result.0, result.2.as_str()), (0, ""));
        assert_eq!(result.1, results[0].1);
    }
}

#[test]
#[cfg(feature = "derive")]
fn check_counts_degrees_of_freedom() {
    let bench = Bench::new();
    let (code, out, err) = bench.run(&["check", "sleigh.eom", "--json"]);
    assert_eq!(code, 0, "{err}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["degrees_of_freedom"], 2);
    assert_eq!(json["rank"], 1);
    assert_eq!(json["constraints"][0]["kind"], "nonholonomic");
    assert_eq!(json["constraints"][0]["form"], "linear");
    assert_eq!(json["diagnostics"], serde_json::json!([]));
    let (_, out, _) = bench.run(&["check", "sleigh.eom"]);
    assert!(out.contains("degrees of freedom: 2"), "{out}");
}

#[test]
#[cfg(feature = "derive")]
fn eval_agrees_with_the_sleighs_equations() {
    // O'Reilly et al. 2.24: (m1 + m2) u1' + m1 l u2^2 = 0 and l u2' = u1 u2, u1 = v1.e1, u2 = theta'.
    // At theta = 0, x' = 1, y' = -2, theta' = 2, l = 1 (y' + l theta' = 0): u1 = 1, u2 = 2; the blade pushes with m2 u1 u2 = 1.
    // u1' = x'' + y' theta' = -3 and so x'' = -3 + 4 = 1; theta'' = 2; blade at rest sideways: y'' = -theta'' + x' theta' = 0.
    let bench = Bench::new();
    let (code, out, err) = bench.run(&["eval", "sleigh.eom", "--state", "state.json"]);
    assert_eq!(code, 0, "{err}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    for (name, expect) in [("x", 1.0), ("y", 0.0), ("theta", 2.0)] {
        let value = json["qddot"][name].as_f64().unwrap();
        assert!((value - expect).abs() < 1e-12, "{name}: {value}");
    }
    let residual = json["constraint_residuals"]["blade"].as_f64().unwrap();
    assert!(residual.abs() < 1e-12, "{residual}");
    let wrong = STATE.replace("\"theta\": 2", "\"phi\": 2");
    let (code, out, err) = bench.run_with(&["eval", "sleigh.eom", "--state", "-"], &wrong);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(
        err.contains("unknown coordinate \"phi\" in \"qdot\""),
        "{err}"
    );
    assert!(
        err.contains("missing coordinate \"theta\" in \"qdot\""),
        "{err}"
    );
}

#[test]
#[cfg(feature = "derive")]
fn eval_remarks_on_velocities_that_violate_a_constraint() {
    // y' = -1 in place of -2: the blade slips sideways with y' + l theta' = 1.
    let bench = Bench::new();
    let slipping = STATE.replace("-2", "-1");
    let (code, out, err) = bench.run_with(&["eval", "sleigh.eom", "--state", "-"], &slipping);
    assert_eq!(code, 0, "{err}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["constraint_residuals"]["blade"].as_f64(), Some(1.0));
    assert!(err.starts_with("warning: "), "{err}");
    assert!(
        err.contains("`blade`") && err.contains("residual 1e0"),
        "{err}"
    );
    let (code, _, err) = bench.run(&["eval", "sleigh.eom", "--state", "state.json"]);
    assert_eq!((code, err.as_str()), (0, ""));
}

#[test]
#[cfg(feature = "derive")]
fn eval_refuses_results_that_are_not_finite() {
    let bench = Bench::new();
    let model = "model m\nparam m : kg > 0\ncoord x : m\npoint P = O + x*N.x\n\
                 particle A: mass m at P\nforce on P: 1 [N*m]/x*N.x\n";
    let state = r#"{"params": {"m": 2}, "q": {"x": 0}, "qdot": {"x": 1}}"#;
    fs::write(bench.path("state.json"), state).unwrap();
    let (code, out, err) = bench.run_with(&["eval", "-", "--state", "state.json"], model);
    assert_eq!((code, out.as_str()), (1, ""), "{err}");
    assert!(err.contains("qddot.x") || err.contains("x = 0"), "{err}");
}

#[test]
#[cfg(feature = "derive")]
fn every_method_and_form_gives_the_same_accelerations() {
    let bench = Bench::new();
    for method in ["kane", "gibbs-appell", "lagrange", "udwadia-kalaba"] {
        for form in ["closed", "staged", "auto"] {
            let (code, out, err) = bench.run(&[
                "eval",
                "sleigh.eom",
                "--state",
                "state.json",
                "--method",
                method,
                "--form",
                form,
            ]);
            assert_eq!((code, err.as_str()), (0, ""), "{method} {form}");
            let json: serde_json::Value = serde_json::from_str(&out).unwrap();
            // See the test above for where the numbers come from; the blade pushes with m2 u1 u2 = 1 along B.y.
            for (name, expect) in [("x", 1.0), ("y", 0.0), ("theta", 2.0)] {
                let value = json["qddot"][name].as_f64().unwrap();
                assert!(
                    (value - expect).abs() < 1e-12,
                    "{method} {form} {name}: {value}"
                );
            }
        }
    }
}

#[test]
#[cfg(feature = "derive")]
fn a_speed_to_eliminate_can_be_chosen() {
    let bench = Bench::new();
    // Left alone, a rate with a coefficient that never vanishes is eliminated, here theta'.
    let (code, out, err) = bench.run(&["derive", "sleigh.eom"]);
    assert_eq!(code, 0, "{err}");
    assert!(
        out.contains("constraints: `theta'`; independent speeds: `x'`, `y'`"),
        "{out:.3000}"
    );
    // y' has the factor cos(theta): chosen, it is divided by, and the code says where it fails.
    let (code, out, err) = bench.run(&["derive", "sleigh.eom", "--dependent", "y'"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(
        out.contains("constraints: `y'`; independent speeds: `x'`, `theta'`"),
        "{out:.3000}"
    );
    assert!(out.contains("cos(theta) = 0"), "{out:.3000}");
    let (code, out, err) = bench.run(&["derive", "sleigh.eom", "--dependent", "z'"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(
        err.contains("error[E0309]: `z'` is not one of the speeds"),
        "{err}"
    );
    assert!(err.contains("`x'`, `y'`, `theta'`"), "{err}");
}

#[test]
#[cfg(feature = "derive")]
fn explanations_of_mechanics_have_an_example_and_its_correction() {
    let bench = Bench::new();
    let (code, out, err) = bench.run(&["explain", "E0320"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("# E0320: "), "{out}");
    assert_eq!(out.matches("```eom").count(), 2, "{out}");
    let (code, out, _) = bench.run(&["explain", "e0399"]);
    assert_eq!((code, out.matches("```").count()), (0, 0), "{out}");
}

#[test]
#[cfg(feature = "derive")]
fn a_taken_lock_is_waited_for_and_then_reported() {
    let bench = Bench::new();
    let locks = tempfile::tempdir().unwrap();
    let usual = eomgen::internals::host::lock::name();
    let held = fs::File::create(locks.path().join(usual)).unwrap();
    held.lock().unwrap();
    let mut command = bench.command(&["derive", "sleigh.eom"]);
    command
        .stdin(Stdio::null())
        .env("EOMGEN_LOCK_DIR", locks.path())
        .env_remove("SYMBOLICA_LICENSE");
    for (timeout, expect) in [("0.3", "running for 0.3 s"), ("soon", "'soon'")] {
        let output = command.env("EOMGEN_LOCK_TIMEOUT", timeout).output();
        let (code, out, err) = split(output.unwrap());
        assert_eq!((code, out.as_str()), (1, ""), "{err}");
        assert!(err.contains(expect), "{err}");
        assert!(err.contains("EOMGEN_LOCK_TIMEOUT"), "{err}");
    }
}

/// The processes whose environment says that their locks are in a folder.
#[cfg(target_os = "linux")]
fn processes_with_locks_in(folder: &std::path::Path) -> usize {
    let wanted = format!("EOMGEN_LOCK_DIR={}", folder.display());
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let environments = processes.filter_map(|p| fs::read(p.path().join("environ")).ok());
    let of = |environment: &Vec<u8>| {
        let mut words = environment.split(|byte| *byte == 0);
        words.any(|word| word == wanted.as_bytes())
    };
    environments.filter(of).count()
}

/// However a command ends, the process that derives for it ends too.
#[test]
#[cfg(all(target_os = "linux", feature = "derive"))]
fn a_killed_command_leaves_nobody_behind() {
    use std::time::{Duration, Instant};
    let until = |done: &dyn Fn() -> bool| {
        let start = Instant::now();
        while !done() {
            assert!(start.elapsed() < Duration::from_secs(30));
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let bench = Bench::new();
    let locks = tempfile::tempdir().unwrap();
    let usual = eomgen::internals::host::lock::name();
    let held = fs::File::create(locks.path().join(usual)).unwrap();
    held.lock().unwrap();
    let mut command = bench.command(&["derive", "sleigh.eom"]);
    let command = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .env("EOMGEN_LOCK_DIR", locks.path())
        .env("EOMGEN_LOCK_TIMEOUT", "600")
        .env("EOMGEN_CACHE", "off")
        .env_remove("SYMBOLICA_LICENSE");
    let mut child = command.spawn().unwrap();
    // The command and the process that waits for its turn.
    until(&|| processes_with_locks_in(locks.path()) == 2);
    child.kill().unwrap();
    child.wait().unwrap();
    until(&|| processes_with_locks_in(locks.path()) == 0);
}

/// What has no end is not read, nor is what may never begin.
#[test]
#[cfg(unix)]
fn devices_are_not_read() {
    let bench = Bench::new();
    for words in [
        "check /dev/zero",
        "derive /dev/zero",
        "verify sleigh.eom --file /dev/zero",
        "eval sleigh.eom --state /dev/zero",
        "diff /dev/zero sleigh.eom",
        "diff sleigh.eom /dev/zero",
        "fmt /dev/zero",
    ] {
        let (code, out, err) = bench.run(&words.split(' ').collect::<Vec<_>>());
        assert!(code == 1 || code == 2, "{words}: {code}");
        assert_eq!(out, "", "{words}");
        assert!(err.contains("regular file"), "{words}: {err}");
    }
    let part = "model torn\nuse \"/dev/zero\" as zero()\ncoord x : m\n";
    fs::write(bench.path("torn.eom"), part).unwrap();
    for (words, told) in [
        ("check torn.eom", "outside of the model's folder"),
        ("check torn.eom --include /dev", "regular file"),
    ] {
        let (code, _, err) = bench.run(&words.split(' ').collect::<Vec<_>>());
        assert_eq!(code, 1, "{words}");
        assert!(err.contains(told), "{words}: {err}");
    }
}

/// Nobody's turn is waited for where the text or the command line is wrong.
#[test]
#[cfg(feature = "derive")]
fn what_is_wrong_without_the_engine_is_said_while_somebody_else_derives() {
    let bench = Bench::new();
    fs::write(bench.path("bad.eom"), SLEIGH.replace("l*B.x", "len*B.x")).unwrap();
    fs::write(
        bench.path("torn.eom"),
        "model torn\ncoord x : m\npoint P = O + x*\n",
    )
    .unwrap();
    let locks = tempfile::tempdir().unwrap();
    let usual = eomgen::internals::host::lock::name();
    let held = fs::File::create(locks.path().join(usual)).unwrap();
    held.lock().unwrap();
    let said = |words: &str| {
        let mut command = bench.command(&words.split(' ').collect::<Vec<_>>());
        command
            .stdin(Stdio::null())
            .env("EOMGEN_LOCK_DIR", locks.path())
            .env("EOMGEN_LOCK_TIMEOUT", "0")
            .env_remove("SYMBOLICA_LICENSE");
        split(command.output().unwrap())
    };
    let (_, _, err) = said("derive sleigh.eom");
    assert!(err.contains("another derivation"), "{err}");
    for (words, expect) in [
        ("check bad.eom", "error[E"),
        ("derive bad.eom", "error[E"),
        ("show bad.eom", "error[E"),
        ("verify bad.eom", "error[E"),
        ("fmt torn.eom", "error[E"),
        ("check torn.eom", "error[E"),
        ("derive torn.eom", "error[E"),
        (
            "derive sleigh.eom --method newton",
            "invalid value 'newton'",
        ),
        (
            "derive sleigh.eom --output accelerat",
            "unknown output 'accelerat'",
        ),
        ("derive sleigh.eom --fix q=1", "q"),
    ] {
        let (code, _, err) = said(words);
        assert_ne!(code, 0, "{words}");
        assert!(err.contains(expect), "{words}: {err}");
        assert!(!err.contains("another derivation"), "{words}: {err}");
    }
    assert_eq!(said("fmt sleigh.eom").0, 0);
}

/// Without the lock between them (another lock folder), a session of this test plays the foreign program.
#[cfg(all(unix, feature = "derive"))]
#[test]
fn a_foreign_program_that_holds_the_engine_is_reported() {
    use symbolica::atom::{Atom, AtomCore};
    if std::env::var_os("SYMBOLICA_LICENSE").is_some() {
        return; // With a key nobody has to wait.
    }
    let bench = Bench::new();
    let locks = tempfile::tempdir().unwrap();
    let mut command = bench.command(&["derive", "sleigh.eom", "-o", "a.rs"]);
    command
        .stdin(Stdio::null())
        .env("EOMGEN_LOCK_DIR", locks.path());
    let output = eomgen::internals::host::with_session(move || {
        assert!(Atom::num(2).expand().nterms() == 1);
        command.env("EOMGEN_LOCK_TIMEOUT", "0.3").output()
    });
    let (code, out, err) = split(output.unwrap().unwrap());
    assert_eq!((code, out.as_str()), (1, ""), "{err}");
    assert!(
        err.contains("another program of this user is running Symbolica"),
        "{err}"
    );
    assert!(!bench.path("a.rs").exists());
}

/// The engine wants a file of its own, and ends the process that cannot have it.
#[cfg(all(unix, feature = "derive"))]
#[test]
fn a_home_that_cannot_be_written_to_is_reported() {
    let bench = Bench::new();
    let mut command = bench.command(&["derive", "sleigh.eom"]);
    command
        .stdin(Stdio::null())
        .env("HOME", bench.path("sleigh.eom"));
    for name in ["XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "SYMBOLICA_LICENSE"] {
        command.env_remove(name);
    }
    // Where others hold the session's lock is not to depend on what was taken away.
    let usual = eomgen::internals::host::lock::path_from_env().unwrap();
    if let Some(folder) = usual.parent() {
        command.env("EOMGEN_LOCK_DIR", folder);
    }
    let (code, out, err) = split(command.output().unwrap());
    assert_eq!((code, out.as_str()), (1, ""), "{err}");
    assert!(err.contains("set XDG_CACHE_HOME (or HOME)"), "{err}");
}

const LEG: &str = "\
part leg
needs point hip
const n = 1
param l = 0.4 : m > 0
param m = 1.0 : kg > 0
coord q[1..n] : rad
point J[0] = hip
for i in 1..n {
    frame B[i] = rotate(N, q[i], N.z)
    point J[i] = J[i - 1] + l*B[i].x
    particle A[i]: mass m at J[i]
}
";

const ROBOT: &str = "\
model robot
const legs = 2
param M = 3.0 : kg > 0
coord x : m
point P = O + x*N.x
particle trunk: mass M at P
for i in 1..legs {
    use \"parts/leg.eom\" as leg[i](hip = P)
}
gravity: -9.81 [m/s^2]*N.y
";

fn robot() -> Bench {
    let bench = Bench::new();
    fs::create_dir(bench.path("parts")).unwrap();
    fs::write(bench.path("parts/leg.eom"), LEG).unwrap();
    fs::write(bench.path("robot.eom"), ROBOT).unwrap();
    bench
}

#[test]
fn parts_are_found_beside_the_model_and_constants_are_set() {
    let bench = robot();
    let (code, out, err) = bench.run(&["check", "robot.eom"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("  leg[2].q[1]  rad\n"), "{out}");
    let (_, out, _) = bench.run(&[
        "check",
        "robot.eom",
        "--set",
        "legs=1",
        "--set",
        "leg[1].n=2",
    ]);
    assert!(
        out.contains("  leg[1].q[2]  rad\n") && !out.contains("leg[2]"),
        "{out}"
    );
    // Standard input stands in the current folder.
    let (code, out, _) = bench.run_with(&["check", "-"], ROBOT);
    assert!(code == 0 && out.contains("leg[2].q[1]"), "{out}");
    let whole = bench.path("robot.eom");
    let elsewhere = tempfile::tempdir().unwrap();
    let output = bench
        .command(&["check", whole.to_str().unwrap()])
        .current_dir(elsewhere.path())
        .output()
        .unwrap();
    assert!(output.status.success());
}

#[test]
fn wrong_settings_are_refused() {
    let bench = robot();
    let (code, _, err) = bench.run(&["check", "robot.eom", "--set", "wheels=3"]);
    assert_eq!(code, 1);
    assert!(err.contains("E0408") && err.contains("`legs`"), "{err}");
    for wrong in ["legs=2.5", "legs", "legs=two"] {
        let (code, _, err) = bench.run(&["check", "robot.eom", "--set", wrong]);
        assert_eq!(code, 2, "{err}");
    }
}

#[test]
fn messages_name_the_file_of_a_part() {
    let bench = robot();
    fs::write(
        bench.path("parts/leg.eom"),
        LEG.replace("B[i].x", "B[i + 1].x"),
    )
    .unwrap();
    let (code, _, err) = bench.run(&["check", "robot.eom"]);
    assert_eq!(code, 1);
    assert!(err.contains("parts/leg.eom:10:31"), "{err}");
    assert!(
        err.contains("robot.eom:8:9") && err.contains("used here as `leg[1]`"),
        "{err}"
    );
    assert!(err.contains("in the iteration i = 1"), "{err}");
    let (code, out, _) = bench.run(&["check", "robot.eom", "--json"]);
    assert_eq!(code, 1);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    let label = &report["diagnostics"][0]["labels"][0];
    assert_eq!(label["file"], "parts/leg.eom");
    assert_eq!(
        (
            label["start"]["line"].as_u64(),
            label["start"]["column"].as_u64()
        ),
        (Some(10), Some(31))
    );
    let (code, _, err) = bench.run(&["check", "parts/leg.eom"]);
    assert!(
        code == 1 && err.contains("E0418") && err.contains("use \""),
        "{err}"
    );
    fs::remove_file(bench.path("parts/leg.eom")).unwrap();
    let (code, _, err) = bench.run(&["check", "robot.eom"]);
    assert!(
        code == 1 && err.contains("E0410") && err.contains("there is no such file"),
        "{err}"
    );
}

#[test]
fn an_edited_part_and_another_setting_make_a_module_stale() {
    let bench = robot();
    let derive = |more: &[&str]| {
        let mut arguments = vec!["derive", "robot.eom", "-o", "robot.rs"];
        arguments.extend(more);
        bench.run(&arguments)
    };
    assert_eq!(derive(&["--set", "legs=1"]).0, 0);
    assert!(bench.read("robot.rs").contains("set.legs=1"));
    assert_eq!(derive(&["--set", "legs=1", "--check"]).0, 0);
    let (code, _, err) = derive(&["--check"]);
    assert!(code == 1 && err.contains("options"), "{err}");
    fs::write(bench.path("parts/leg.eom"), LEG.replace("0.4", "0.5")).unwrap();
    let (code, _, err) = derive(&["--set", "legs=1", "--check"]);
    assert_eq!(code, 1, "{err}");
}

#[test]
fn parts_and_loops_are_formatted() {
    let bench = robot();
    assert_eq!(
        bench
            .run(&["fmt", "--check", "robot.eom", "parts/leg.eom"])
            .0,
        0
    );
    fs::write(bench.path("robot.eom"), ROBOT.replace("    use", "use")).unwrap();
    assert_eq!(bench.run(&["fmt", "--check", "robot.eom"]).0, 1);
    assert_eq!(bench.run(&["fmt", "robot.eom"]).0, 0);
    assert_eq!(bench.read("robot.eom"), ROBOT);
}

/// A generated file with one wrong sign is found out: the function, the line, both values and the state.
#[test]
fn a_corrupted_file_is_not_verified() {
    let bench = Bench::new();
    let (code, _, err) = bench.run(&[
        "derive",
        "sleigh.eom",
        "-o",
        "sleigh.rs",
        "--method",
        "lagrange",
    ]);
    assert_eq!((code, err.as_str()), (0, ""));
    let verify = ["verify", "sleigh.eom", "--file", "sleigh.rs"];
    let (code, out, err) = bench.run(&verify);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(
        out.starts_with("verified: sleigh.rs of sleigh.eom\n"),
        "{out}"
    );
    assert!(
        out.contains("at 3 states of the integers modulo 2^61 - 1, seed 1;"),
        "{out}"
    );
    // The same seed gives the same certificate.
    assert_eq!(bench.run(&verify).1, out);

    let right = bench.read("sleigh.rs");
    let entry = "let mass_1_2 = self.m2_l * cos_theta;";
    let wrong = right.replace(entry, "let mass_1_2 = -(self.m2_l * cos_theta);");
    assert_ne!(wrong, right);
    fs::write(bench.path("sleigh.rs"), &wrong).unwrap();
    let (code, out, _) = bench.run(&verify);
    assert_eq!(code, 1, "{out}");
    assert!(out.starts_with("WRONG: sleigh.rs of sleigh.eom\n"), "{out}");
    let line = wrong
        .lines()
        .position(|l| l.contains("let mass_1_2 ="))
        .unwrap()
        + 1;
    assert!(
        out.contains(&format!(
            "wrong      mass_matrix [1][2], line {line} of the text"
        )),
        "{out}"
    );
    assert!(out.contains("where t = ") && out.contains("m1 = "), "{out}");

    let (code, json, _) = bench.run(&["verify", "sleigh.eom", "--file", "sleigh.rs", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((code, &json["verified"]), (1, &serde_json::json!(false)));
    let found = &json["texts"][0]["counterexample"];
    assert_eq!(found["function"], "mass_matrix");
    assert_eq!(found["line"], line);

    // Something that the generator does not write.
    fs::write(
        bench.path("sleigh.rs"),
        right.replacen("theta.sin_cos()", "theta.sinh_cosh()", 1),
    )
    .unwrap();
    let (code, out, _) = bench.run(&verify);
    assert_eq!(code, 3, "{out}");
    assert!(
        out.starts_with("NOT PROVEN: sleigh.rs of sleigh.eom\n"),
        "{out}"
    );
    assert!(
        out.contains("the method `theta . sinh_cosh ()` is not known"),
        "{out}"
    );

    // Another model.
    fs::write(bench.path("sleigh.rs"), &right).unwrap();
    fs::write(bench.path("sleigh.eom"), SLEIGH.replace("l*B.x", "2*l*B.x")).unwrap();
    let (code, out, err) = bench.run(&verify);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(
        err.contains("the file was not derived from this model"),
        "{err}"
    );
}

#[test]
fn methods_are_verified_by_name() {
    let bench = Bench::new();
    let (code, out, err) = bench.run(&["verify", "sleigh.eom", "--method", "kane", "--seed", "9"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(
        out.starts_with("verified: 1 of 1 formulation of sleigh.eom\n")
            && out.contains("\n  kane  verified ")
            && !out.contains("lagrange"),
        "{out}"
    );
    // Quantities by name, and variants.
    let (code, out, err) = bench.run(&[
        "verify",
        "sleigh.eom",
        "--method",
        "udwadia-kalaba",
        "--inverse",
        "one-four",
        "--output",
        "generalized_inverse,normal_projector",
    ]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let functions = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        functions.contains("normal_projector, generalized_inverse")
            || functions.contains("generalized_inverse, normal_projector"),
        "{out}"
    );
    assert!(!out.contains("not checked"), "{out}");
    let (code, _, err) = bench.run(&["verify", "sleigh.eom", "--method", "newton"]);
    assert_eq!(code, 2, "{err}");
}
