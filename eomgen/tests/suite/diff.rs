//! `eomgen diff`: what it says of edits whose effect on the equations is known from a textbook, and how git calls it.
#![cfg(all(feature = "cli", feature = "derive"))]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A mass on a spring: `m x'' = f - k x`.
const OSCILLATOR: &str = "\
model oscillator
param m = 2 : kg > 0
param k = 50 : N/m
coord x : m
input f : N
point P = O + x*N.x
particle A: mass m at P
generalized x: f - k*x
";

fn eomgen(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_eomgen"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// Exit code, standard output and standard error for two models.
fn compared(old: &str, new: &str, options: &[&str]) -> (i32, String, String) {
    let folder = folder(&[("old.eom", old), ("new.eom", new)]);
    let arguments = [&["diff", "old.eom", "new.eom"], options].concat();
    let output = eomgen(folder.path(), &arguments);
    let [out, said] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (output.status.code().unwrap(), out, said)
}

/// Exit code and standard output for the oscillator and an edit of it.
fn diff(old: &str, new: &str) -> (i32, String) {
    let (from, to) = (OSCILLATOR, OSCILLATOR.replace(old, new));
    assert!(old.is_empty() || from != to);
    let (code, text, said) = compared(from, &to, &["--method", "lagrange"]);
    assert!(code < 2, "{said}");
    (code, text)
}

const SAME: &str = "the same equations: kinematics (ẋ), kinetic energy, potential energy, equations of motion (ẍ)\n";

#[test]
fn an_added_term_is_named() {
    let (code, text) = diff("k*x\n", "k*x - c*x'\nparam c = 1/10 : N*s/m\n");
    let expected = "\
Parameters
  +   c = 0.1 : N*s/m
Equations of motion (left side = 0)
  ẍ
    +   c ẋ
Accelerations: ẍ changes
Unchanged: kinematics (ẋ), kinetic energy, potential energy
";
    assert_eq!((code, text.as_str()), (1, expected));
}

#[test]
fn the_sign_of_a_term_is_apart_from_its_mark() {
    let (code, text) = diff("f - k*x", "f - k*x + 2*k*x^3/(1 [m])^2");
    assert_eq!(code, 1);
    assert!(text.contains("\n    +   − 2 k x³\n"), "{text}");
    let (_, text) = diff("f - k*x", "-k*x");
    assert!(text.contains("\n    −   − f\n"), "{text}");
}

#[test]
fn a_changed_number_stands_beside_the_old_one() {
    let (code, text) = diff("mass m", "mass 3*m");
    let expected = "\
Kinetic energy
    −   m ẋ²/2
    +   3 m ẋ²/2
Equations of motion (left side = 0)
  ẍ
    −   m ẍ
    +   3 m ẍ
Accelerations: ẍ changes
Unchanged: kinematics (ẋ), potential energy
";
    assert_eq!((code, text.as_str()), (1, expected));
}

#[test]
fn what_is_written_otherwise_is_unchanged() {
    for (old, new) in [
        ("f - k*x", "-(k*x - f)"),
        ("O + x*N.x", "O + 2*x*N.x - x*N.x"),
        ("model oscillator", "//! A text.\nmodel oscillator"),
        ("f - k*x", "(f - k*x)*(cos(x/l)^2 + sin(x/l)^2)"),
    ] {
        let declared = OSCILLATOR.replace("coord x", "param l = 1 : m\ncoord x");
        let changed = declared.replace(old, new);
        let (code, text, _) = compared(&declared, &changed, &["--method", "lagrange"]);
        assert_eq!((code, text.as_str()), (0, SAME), "{new}");
    }
    assert_eq!(diff("", ""), (0, "the same text\n".to_owned()));
}

#[test]
fn defaults_and_names_are_differences() {
    let (code, text) = diff("k = 50", "k = 60");
    let unchanged = SAME.replace("the same equations", "Unchanged");
    let expected = format!("Parameters\n  −   k = 50 : N/m\n  +   k = 60 : N/m\n{unchanged}");
    assert_eq!((code, text), (1, expected));
    let renamed = OSCILLATOR
        .replace("k = 50", "stiffness = 50")
        .replace("k*x", "stiffness*x");
    let (code, text, _) = compared(OSCILLATOR, &renamed, &[]);
    let first = text.lines().next().unwrap();
    assert_eq!((code, first), (1, "Renamed: k is now stiffness"));
    // With another value it is the same name all the same.
    let (code, text, _) = compared(OSCILLATOR, &renamed.replace("= 50", "= 55"), &[]);
    let expected = "\
Renamed: k is now stiffness
Parameters
  −   stiffness = 50 : N/m
  +   stiffness = 55 : N/m
";
    assert!(code == 1 && text.starts_with(expected), "{text}");
    // Two names that look alike are one where the one became the other.
    let long = LINKS.replace("q1", "theta1").replace("q2", "theta2");
    let short = LINKS.replace("q1", "th1").replace("q2", "th2");
    let heavier = long.replace("mass m2", "mass 2*m2");
    let (_, text, _) = compared(&short, &heavier, &[]);
    assert!(text.contains("Renamed: th1 is now theta1\n"), "{text}");
    assert!(text.contains("θ̈₁") && !text.contains("theta1'"), "{text}");
    // A constant part of a constraint is in no velocity.
    let (code, text) = diff("generalized", "constraint wall: x = 0\ngeneralized");
    assert!(
        code == 1 && text.contains("  wall (new)\n    +   x\n"),
        "{text}"
    );
}

/// Two links in a vertical plane, the second angle measured from the vertical.
const LINKS: &str = "\
model links
param m1 = 1, m2 = 0.6 : kg > 0
param l1 = 0.8, l2 = 0.5 : m > 0
param g = 9.81 : m/s^2
coord q1, q2 : rad
frame A = rotate(N, q1, N.z)
frame B = rotate(N, q2, N.z)
point P = O - l1*A.y
point Q = P - l2*B.y
particle bob: mass m1 at P
particle tip: mass m2 at Q
gravity: -g*N.y
";

#[test]
fn coordinates_that_are_measured_in_another_way_make_the_same_motion() {
    let relative = LINKS.replace("rotate(N, q2, N.z)", "rotate(A, q2, A.z)");
    let expected = "\
the same motion: the accelerations agree at 3 states
Coordinate q2: has another meaning, q2 = old.q2 - old.q1
Unchanged: kinematics (q̇₁, q̇₂)
(--full lists every term)
";
    let (code, text, _) = compared(LINKS, &relative, &[]);
    assert_eq!((code, text.as_str()), (3, expected));
    let (code, text, _) = compared(&relative, LINKS, &[]);
    assert!(
        code == 3 && text.contains("q2 = old.q2 + old.q1\n"),
        "{text}"
    );
    // What is said is believed only if the motion confirms it.
    let (code, text, _) = compared(LINKS, &relative, &["--where", "q2 = old.q2 - old.q1"]);
    assert!(code == 3 && text.starts_with("the same motion"), "{text}");
    let (code, text, _) = compared(LINKS, &relative, &["--where", "q2 = old.q2 - 2*old.q1"]);
    assert!(
        code == 1 && text.contains("Accelerations: q̈₁, q̈₂ change"),
        "{text}"
    );
    // Another name, and not linear.
    let tangent = LINKS
        .replace("q1, q2 : rad", "q1 : rad\ncoord s")
        .replace("rotate(N, q2, N.z)", "rotate(N, atan(s), N.z)");
    let (code, text, said) = compared(LINKS, &tangent, &["--where", "s = tan(old.q2)"]);
    assert!(code == 3, "{text}{said}");
    // An edit beside it is found.
    let heavier = relative.replace("mass m2", "mass 2*m2");
    let (code, text, _) = compared(LINKS, &heavier, &["--where", "q2 = old.q2 - old.q1"]);
    assert!(code == 1 && text.contains("change"), "{text}");
    for bad in ["q2", "q3 = old.q1", "q2 = old.q7", "q2 = old.q1 +"] {
        let (code, text, said) = compared(LINKS, &relative, &["--where", bad]);
        assert!(
            code == 2 && text.is_empty() && said.starts_with("error"),
            "{bad}: {said}"
        );
    }
}

#[test]
fn energies_alone_may_differ() {
    let sagging = OSCILLATOR.replace(
        "generalized x: f - k*x",
        "potential spring = k*x^2/2\ngeneralized x: f",
    );
    let (code, text, _) = compared(OSCILLATOR, &sagging, &[]);
    let first =
        "the same equations of motion, with other energies\nPotential energy\n    +   k x²/2\n";
    assert!(code == 4 && text.starts_with(first), "{text}");
}

#[test]
fn a_rate_in_place_of_another_is_said() {
    let slider = "\
model slider
param m = 1 : kg > 0
param a = 0.3, b = 0.4 : m > 0
coord x, y : m
point P = O + x*N.x + y*N.y
particle A: mass m at P
gravity: -9.81 [m/s^2]*N.y
constraint wire: b^2*x^2 + a^2*y^2 = a^2*b^2
privileged x'
";
    let (code, text, said) = compared(
        slider,
        &slider.replace("privileged x'", "privileged y'"),
        &[],
    );
    assert_eq!(code, 3, "{text}{said}");
    assert!(
        text.contains("The equations of motion are for ÿ; they were for ẍ\n"),
        "{text}"
    );
}

#[test]
fn long_differences_are_summed_up() {
    let chain = |gravity: &str| {
        let mut text = String::from(
            "model chain\nparam m = 1 : kg > 0\nparam l = 1 : m > 0\nparam g = 9.81 : m/s^2\n",
        );
        let mut point = "O".to_owned();
        for k in 0..6 {
            text += &format!(
                "coord q{k} : rad\nframe A{k} = rotate(N, q{k}, N.z)\npoint P{k} = {point} - l*A{k}.y\nparticle b{k}: mass m at P{k}\n"
            );
            point = format!("P{k}");
        }
        text + format!("gravity: -{gravity}*N.y\n").as_str()
    };
    let (old, new) = (
        chain("g"),
        chain("g")
            .replace("mass m at P4", "mass 2*m at P4")
            .replace("mass m at P5", "mass 3*m at P5"),
    );
    let (code, text, _) = compared(&old, &new, &["--method", "lagrange"]);
    assert_eq!(code, 1);
    assert!(text.lines().count() <= 40, "{text}");
    assert!(text.contains("terms change; all contain m"), "{text}");
    assert!(text.ends_with("(--full lists every term)\n"), "{text}");
    let (_, full, _) = compared(&old, &new, &["--method", "lagrange", "--full"]);
    assert!(
        full.lines().count() > 40 && !full.contains("--full"),
        "{full}"
    );
}

#[test]
fn problems_are_not_answers() {
    let folder = folder(&[
        ("a.eom", OSCILLATOR),
        ("bad.eom", "model bad\ncoord\n"),
        ("a.rs", "fn f() {}\n"),
    ]);
    for arguments in [
        ["diff", "a.eom", "bad.eom"].as_slice(),
        &["diff", "bad.eom", "a.eom"],
        &["diff", "a.eom", "nowhere.eom"],
        &["diff", "a.eom"],
        &["diff", "a.eom", "a.rs"],
        &["diff", "a.rs", "a.rs"],
        &["diff", "nosuchrevision:a.eom", "a.eom"],
        &["diff", "a.eom", "a.eom", "--git", "HEAD"],
    ] {
        let output = eomgen(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            !output.stderr.is_empty() && output.stdout.is_empty(),
            "{arguments:?}"
        );
    }
}

#[test]
fn generated_modules_are_compared_function_by_function() {
    let stiff = OSCILLATOR.replace("f - k*x", "f - 2*k*x");
    let same = OSCILLATOR.replace("f - k*x", "-(k*x - f)");
    let folder = folder(&[("a.eom", OSCILLATOR), ("b.eom", &stiff), ("c.eom", &same)]);
    for name in ["a", "b", "c"] {
        let (model, code) = (format!("{name}.eom"), format!("{name}.rs"));
        assert!(
            eomgen(folder.path(), &["derive", &model, "-o", &code])
                .status
                .success()
        );
    }
    let output = eomgen(folder.path(), &["diff", "a.rs", "c.rs"]);
    assert_eq!(output.status.code(), Some(0));
    let output = eomgen(folder.path(), &["diff", "a.rs", "b.rs", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let has = |list: &str, name: &str| json[list].as_array().unwrap().iter().any(|n| n == name);
    assert!(has("different", "accelerations") && has("different", "forcing"));
    assert!(has("equal", "mass_matrix") && has("equal", "kinetic_energy"));
}

/// An edit of a model: lines with `-` go, those with `+` behind them come in their place, at the end if none goes.
fn edited(model: &str, edit: &str) -> String {
    let mut lines: Vec<&str> = model.lines().collect();
    let mut place = None;
    for line in edit.lines() {
        let text = &line[2..];
        if line.starts_with("- ") {
            let at = lines.iter().position(|l| *l == text);
            let at = at.unwrap_or_else(|| panic!("the model has no line `{text}`"));
            lines.remove(at);
            place = Some(at);
        } else if let Some(at) = &mut place {
            lines.insert(*at, text);
            *at += 1;
        } else {
            lines.push(text);
        }
    }
    lines.join("\n") + "\n"
}

/// Every edit of the page has the difference that stands below it, and none is long: `EOMGEN_BLESS=1` writes them anew.
#[test]
fn the_page_of_edits_says_what_the_program_says() {
    let path = format!("{}/../docs/diff-gallery.md", env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(&path).unwrap();
    let (mut written, mut lengths) = (String::new(), Vec::new());
    let mut rest = page.as_str();
    while let Some(start) = rest.find("```text,edit ") {
        let head = start + "```text,edit ".len();
        let (name, after) = rest[head..].split_once('\n').unwrap();
        let (edit, after) = after.split_once("```\n").unwrap();
        let (between, after) = after.split_once("```text,difference\n").unwrap();
        let (_, after) = after.split_once("```").unwrap();
        let mut words = name.splitn(2, ' ');
        let model = words.next().unwrap();
        let options = words.next().map_or(Vec::new(), |told| {
            let told = told.strip_prefix("--where ").unwrap();
            vec!["--where", told.trim_matches('"')]
        });
        let model = format!(
            "{}/../generated-tests/models/{model}.eom",
            env!("CARGO_MANIFEST_DIR")
        );
        let old = fs::read_to_string(model).unwrap();
        let (code, text, said) = compared(&old, &edited(&old, edit), &options);
        assert!(code != 2, "{name}: {said}");
        lengths.push(text.lines().count());
        written.push_str(&rest[..head]);
        written.push_str(&format!(
            "{name}\n{edit}```\n{between}```text,difference\n{text}```"
        ));
        rest = after;
    }
    written.push_str(rest);
    lengths.sort_unstable();
    assert!(lengths.len() >= 20);
    assert!(
        lengths[lengths.len() / 2] <= 15 && lengths[lengths.len() - 1] <= 40,
        "{lengths:?}"
    );
    if std::env::var_os("EOMGEN_BLESS").is_some() {
        fs::write(&path, &written).unwrap();
    }
    let told = "run `EOMGEN_BLESS=1 cargo test -p eomgen --test suite diff`";
    assert!(
        written == page || std::env::var_os("EOMGEN_BLESS").is_some(),
        "{told}\n{written}"
    );
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let program = Path::new(env!("CARGO_BIN_EXE_eomgen")).parent().unwrap();
    let mut paths = vec![program.to_owned()];
    paths.extend(std::env::split_paths(&path));
    let output = Command::new("git")
        .args([
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.org",
            "-c",
            "core.autocrlf=false",
        ])
        .args(arguments)
        .env("PATH", std::env::join_paths(paths).unwrap())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .current_dir(folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}\n{said}");
    String::from_utf8(output.stdout).unwrap()
}

/// Lines of the page on differences that stand in fences.
fn documented(start: &str) -> String {
    let page = format!("{}/../docs/diff.md", env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(page).unwrap();
    let line = page.lines().find(|line| line.starts_with(start));
    line.unwrap_or_else(|| panic!("{start}")).to_owned()
}

#[test]
fn git_shows_equations() {
    let part = "part load\nparam m = 2 : kg > 0\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\n";
    let folder = folder(&[("oscillator.eom", OSCILLATOR), ("load.eom", part)]);
    let at = folder.path();
    fs::write(at.join(".gitattributes"), documented("*.eom diff=") + "\n").unwrap();
    git(at, &["init", "-q"]);
    git(at, &["add", "."]);
    git(at, &["commit", "-qm", "one"]);
    let changed = OSCILLATOR.replace("k*x\n", "k*x - c*x'\nparam c = 1/10 : N*s/m\n");
    fs::write(at.join("oscillator.eom"), changed).unwrap();
    // As a text conversion: lines of the document.
    let configure = |line: &str| {
        let line = documented(line);
        let (head, value) = line.split_once('"').unwrap();
        let mut words: Vec<&str> = head.split_whitespace().skip(1).collect();
        words.push(value.trim_end_matches('"'));
        git(at, &words);
    };
    configure("git config diff.eomgen.textconv");
    let text = git(at, &["diff"]);
    assert!(
        text.lines()
            .any(|l| l.starts_with('+') && l.contains("c*x'")),
        "{text}"
    );
    // As an external diff, which goes first.
    configure("git config diff.eomgen.command");
    let text = git(at, &["diff"]);
    assert!(
        text.starts_with("eomgen diff oscillator.eom oscillator.eom\n"),
        "{text}"
    );
    assert!(
        text.contains("Equations of motion (left side = 0)\n  ẍ\n    +   c ẋ\n"),
        "{text}"
    );
    // A file that was not there.
    fs::write(at.join("second.eom"), OSCILLATOR).unwrap();
    git(at, &["add", "second.eom"]);
    let text = git(at, &["diff", "--cached"]);
    assert!(text.contains("second.eom is new"), "{text}");
    // Revisions by name.
    for arguments in [
        ["diff", "--git", "HEAD", "oscillator.eom"].as_slice(),
        &["diff", "HEAD:oscillator.eom", "oscillator.eom"],
    ] {
        let output = eomgen(at, arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("    +   c ẋ\n"));
    }
}
