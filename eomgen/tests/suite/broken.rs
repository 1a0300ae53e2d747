//! Broken input as a user meets it: a labelled message at the right place, exit code 1, no file touched.
//! Each snapshot shows the source and the message together.
#![cfg(all(feature = "cli", feature = "derive"))]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs `eomgen derive model.eom -o FILE` in a folder; its messages.
fn refused(folder: &Path, output: &str) -> String {
    let result = Command::new(env!("CARGO_BIN_EXE_eomgen"))
        .args(["derive", "model.eom", "-o", output])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let messages = String::from_utf8(result.stderr).unwrap();
    assert_eq!(result.status.code(), Some(1), "{messages}");
    assert!(result.stdout.is_empty(), "{:?}", result.stdout);
    // Other tests may be deriving at the same time.
    let lines = messages.lines().filter(|l| !l.contains("waiting for"));
    lines.map(|l| format!("{l}\n")).collect()
}

/// The message for a model, after checking that no file is made or changed.
fn message(model: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("model.eom"), model).unwrap();
    fs::write(folder.path().join("old.rs"), "mine").unwrap();
    let text = refused(folder.path(), "new.rs");
    assert_eq!(refused(folder.path(), "old.rs"), text);
    assert_eq!(fs::read(folder.path().join("old.rs")).unwrap(), b"mine");
    let mut names: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["model.eom", "old.rs"], "files appeared");
    assert!(
        !text.contains("panicked") && !text.contains("E0399"),
        "{text}"
    );
    text
}

fn snapshot(name: &str, source: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("broken");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, format!("{source}\n---\n{text}")));
}

/// A model that is complete but for what is added to it.
const PLANE: &str = "\
model plane
param m : kg > 0
param l : m > 0
coord x, y : m
point P = O + x*N.x + y*N.y
particle A: mass m at P
";

/// Checks a table of names, additions to the model, and the codes that they get, in order.
fn check(table: &[(&str, &str, &[&str])]) {
    for (name, added, codes) in table {
        let source = format!("{PLANE}{added}");
        let text = message(source.as_bytes());
        let found: Vec<&str> = text
            .lines()
            .filter_map(|l| l.split_once('[')?.1.split_once("]: "))
            .map(|(code, _)| code)
            .filter(|c| c.len() == 5)
            .collect();
        assert_eq!(found, *codes, "{name}\n{text}");
        for line in text.lines().filter(|l| l.contains("-->")) {
            assert!(line.contains("model.eom:"), "{name}\n{text}");
        }
        snapshot(name, &source, &text);
    }
}

#[test]
fn files_that_are_no_models() {
    let empty = message(b"");
    assert!(empty.contains("model.eom:1:1"), "{empty}");
    snapshot("empty_file", "", &empty);
    snapshot("blank_file", "\n  \n", &message(b"\n  \n"));
    let binary: Vec<u8> = (0..=255).cycle().take(4096).collect();
    let text = message(&binary);
    assert!(text.contains("UTF-8"), "{text}");
    snapshot("binary_file", "(the bytes 0 to 255, 16 times)", &text);
    // Control characters are valid UTF-8 all the same.
    let text = message(b"model m\0\x01\x02\ncoord x\x7f\n");
    assert!(text.contains("error[E0"), "{text}");
}

#[test]
fn enormous_lines_and_nesting() {
    // The message must not repeat the line.
    let line = format!("{PLANE}let long = {}\n", "x + ".repeat(1 << 18));
    let text = message(line.as_bytes());
    assert!(text.contains("model.eom:7"), "{text:.2000}");
    assert!(text.len() < 4000, "{} bytes of messages", text.len());
    let word = format!("{PLANE}{}\n", "a".repeat(1 << 20));
    let text = message(word.as_bytes());
    assert!(text.contains("model.eom:7"), "{text:.2000}");
    assert!(text.len() < 4000, "{} bytes of messages", text.len());
    let nested = format!(
        "{PLANE}let deep = {}x{}\n",
        "(".repeat(10_000),
        ")".repeat(10_000)
    );
    let text = message(nested.as_bytes());
    assert!(text.contains("model.eom:7"), "{text:.2000}");
    assert!(text.len() < 4000, "{} bytes of messages", text.len());
    let open = format!("{PLANE}let deep = {}\n", "(".repeat(10_000));
    assert!(message(open.as_bytes()).contains("model.eom:7"));
}

#[test]
fn names_sorts_and_units() {
    check(&[
        ("unknown_name", "force on P: -k*x*N.x\n", &["E0101"]),
        ("unknown_point", "force on Q: 1 [N]*N.x\n", &["E0101"]),
        ("name_twice", "coord l : m\n", &["E0102"]),
        ("name_predeclared", "coord t : s\n", &["E0103"]),
        ("scalar_plus_vector", "let v = x + x*N.x\n", &["E0105"]),
        ("force_without_direction", "force on P: 3 [N]\n", &["E0104"]),
        ("metres_plus_seconds", "let s = x + t\n", &["E0201"]),
        ("force_in_metres", "force on P: x*N.x\n", &["E0202"]),
        ("sine_of_metres", "output s = sin(x)\n", &["E0203"]),
        (
            "cyclic_frames",
            "frame B = rotate(C, 1, N.z)\nframe C = rotate(B, 1, N.z)\n",
            &["E0106"],
        ),
        (
            "errors_that_have_nothing_to_do_with_one_another",
            "force on P: -k*x*N.x\nlet s = x + t\ncoord l : m\nframe B = rotate(N, 1)\n",
            &["E0101", "E0201", "E0102", "E0110"],
        ),
        (
            "errors_of_syntax_and_of_sense",
            "force on P: \nlet s = x + t\nparam k = = 2\n",
            &["E0004", "E0004", "E0201"],
        ),
    ]);
}

#[test]
fn mechanics_that_cannot_be() {
    check(&[
        (
            "place_that_depends_on_a_rate",
            "point Q = O + x'*1 [s]*N.x\n",
            &["E0112"],
        ),
        (
            "load_that_depends_on_accelerations",
            "force on P: -m*acc(P)\n",
            &["E0117"],
        ),
        (
            "mass_that_varies",
            "particle B: mass m*t/1 [s] at P\n",
            &["E0115"],
        ),
        (
            "mass_below_zero_by_assumption",
            "particle B: mass -2*m at P\n",
            &["E0114"],
        ),
        (
            "mass_below_zero",
            "particle B: mass -2 [kg] at P\n",
            &["E0114"],
        ),
        (
            "inertia_that_varies",
            "coord theta : rad\nparam J : kg*m^2 > 0\nframe B = rotate(N, theta, N.z)\n\
             body W: frame B, mass m, center P, inertia [J, J, J] about O\n",
            &["E0153", "E0306"],
        ),
        (
            "division_by_nothing",
            "output r = 1/(x + y - (y + x))\n",
            &["E0302"],
        ),
    ]);
}

#[test]
fn motion_that_nothing_determines() {
    check(&[
        (
            "coordinate_without_mass",
            "coord z : m\npoint Q = P + z*N.z\n",
            &["E0320"],
        ),
        (
            "coordinate_that_moves_nothing",
            "coord theta : rad\nframe B = rotate(N, theta, N.z)\npoint Q = P + 0*B.x\nparticle C: mass m at Q\n",
            &["E0320"],
        ),
        (
            "coordinates_that_move_the_same",
            "coord z, w : m\npoint Q = P + (z + w)*N.z\nparticle C: mass m at Q\n",
            &["E0320"],
        ),
        (
            "mass_of_zero",
            "coord z : m\npoint Q = P + z*N.z\nparticle C: mass 0 at Q\n",
            &["E0320"],
        ),
        (
            "inertia_of_zero",
            "coord theta : rad\nframe B = rotate(N, theta, N.z)\nbody W: frame B, mass m, center P, inertia [0, 0, 0]\n",
            &["E0320"],
        ),
        (
            "masses_that_cancel",
            "coord z : m\npoint Q = O + z*N.z\nparam d : kg\nparticle C: mass d at Q\nparticle D: mass -d at Q\n",
            &["E0320"],
        ),
    ]);
}

#[test]
fn constraints_that_cannot_be() {
    check(&[
        (
            "constraint_of_a_thing_with_itself",
            "constraint c: x = x\n",
            &["E0119"],
        ),
        (
            "constraint_that_is_always_met",
            "constraint c: x - y = -(y - x)\n",
            &["E0310"],
        ),
        (
            "vector_constraint_that_is_always_met",
            "constraint c: P - O = x*N.x + y*N.y\n",
            &["E0310"],
        ),
        (
            "vector_constraint_with_an_impossible_row",
            "constraint c: P - O = x*N.x + y*N.y + l*N.z\n",
            &["E0311"],
        ),
        (
            "constraint_without_motion",
            "constraint c: l = 2*l\n",
            &["E0119"],
        ),
        (
            "constraint_on_an_input",
            "input F : m\nconstraint c: x = F\n",
            &["E0120"],
        ),
        (
            "constraint_on_third_derivatives",
            "constraint c: x''' = 0\n",
            &["E0120"],
        ),
        (
            "places_that_contradict",
            "constraint c: x = 0\nconstraint d: x = 1 [m]\n",
            &["E0313"],
        ),
        (
            "rates_that_contradict",
            "constraint c: x' = 0\nconstraint d: x' = 1 [m/s]\n",
            &["E0313"],
        ),
        (
            "lengths_that_contradict",
            "constraint c: x = l\nconstraint d: x = 2*l\n",
            &["E0313"],
        ),
        (
            "rate_and_place_that_contradict",
            "constraint c: x' = 1 [m/s]\nconstraint d: x = l\n",
            &["E0313"],
        ),
        (
            "functions_of_time_that_contradict",
            "constraint c: x = 1 [m]*sin(t/1 [s])\nconstraint d: x = 1 [m]*cos(t/1 [s])\n",
            &["E0313"],
        ),
        (
            "squares_that_contradict",
            "constraint c: x'^2 = 1 [m^2/s^2]\nconstraint d: x'^2 = 2 [m^2/s^2]\n",
            &["E0313"],
        ),
        (
            "contradiction_through_others",
            "constraint c: x = y\nconstraint d: y = l\nconstraint e: x + y = 3*l\n",
            &["E0313"],
        ),
    ]);
}

#[test]
fn speeds_that_cannot_be() {
    check(&[
        (
            "speed_that_is_not_linear",
            "speed u = norm(vel(P))\n",
            &["E0118"],
        ),
        (
            "speed_without_a_rate",
            "speed u = dot(vel(P), N.z)\n",
            &["E0307"],
        ),
        (
            "speeds_that_depend",
            "speed u = x' + y'\nspeed v = 2*x' + 2*y'\n",
            &["E0308"],
        ),
        (
            "more_speeds_than_coordinates",
            "speed u = x'\nspeed v = y'\nspeed w = x' + y'\n",
            &["E0308"],
        ),
        (
            "privileged_without_constraints",
            "privileged x'\n",
            &["E0309"],
        ),
        (
            "privileged_too_many",
            "constraint c: x' = y'\nprivileged x', y'\n",
            &["E0309"],
        ),
        (
            "privileged_that_are_tied",
            "coord z : m\npoint Q = O + z*N.z\nparticle C: mass m at Q\nconstraint c: x' = y'\nprivileged x', y'\n",
            &["E0309"],
        ),
        (
            "privileged_under_a_nonlinear_constraint",
            "constraint c: x'^2 = y'^2\nprivileged x'\n",
            &["E0309"],
        ),
    ]);
}
