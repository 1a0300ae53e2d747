//! `eomgen import` as a command: files, streams, exit codes. What is written, the importer's own tests say; that it is right, those of
//! `generated-tests`.
#![cfg(feature = "cli")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn eomgen(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_eomgen"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// What is said on standard error, with the exit code.
fn said(output: &Output) -> (Option<i32>, String) {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), text)
}

/// A folder with the descriptions that have reference numbers.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let from = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../generated-tests/imported");
    for file in ["joints.urdf", "legs.urdf", "bodies.xml"] {
        fs::copy(from.join(file), folder.path().join(file)).unwrap();
    }
    folder
}

#[test]
fn a_model_is_written_with_its_parts_and_never_over_another_file() {
    let folder = folder();
    let at = folder.path();
    let line = [
        "import",
        "legs.urdf",
        "-o",
        "legs.eom",
        "--base",
        "free-quaternion",
    ];
    let (code, text) = said(&eomgen(at, &line));
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("wrote legs_leg.eom, legs.eom"), "{text}");
    let model = fs::read_to_string(at.join("legs.eom")).unwrap();
    assert!(model.contains("use \"legs_leg.eom\" as left("), "{model}");
    assert!(
        fs::read_to_string(at.join("legs_leg.eom"))
            .unwrap()
            .contains("part legs_leg")
    );
    // What is there stays, be it the model or a part.
    fs::write(at.join("legs_leg.eom"), "mine").unwrap();
    fs::remove_file(at.join("legs.eom")).unwrap();
    let (code, text) = said(&eomgen(at, &line));
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("exists already") && text.contains("--force"),
        "{text}"
    );
    assert_eq!(fs::read_to_string(at.join("legs_leg.eom")).unwrap(), "mine");
    assert!(!at.join("legs.eom").exists());
    let forced = [&line[..], &["--force"]].concat();
    assert_eq!(said(&eomgen(at, &forced)).0, Some(0));
    assert_eq!(fs::read_to_string(at.join("legs.eom")).unwrap(), model);
    // In one file there are no parts.
    let one = [
        "import",
        "legs.urdf",
        "-o",
        "one.eom",
        "--one-file",
        "--base",
        "free-euler",
    ];
    assert_eq!(said(&eomgen(at, &one)).0, Some(0));
    assert!(
        fs::read_to_string(at.join("one.eom"))
            .unwrap()
            .contains("coord left_hip")
    );
}

#[test]
fn without_a_file_the_model_goes_to_standard_output() {
    let folder = folder();
    let output = eomgen(folder.path(), &["import", "bodies.xml"]);
    let (code, text) = said(&output);
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("W0605") && text.contains("left out"),
        "{text}"
    );
    let model = String::from_utf8(output.stdout).unwrap();
    assert!(model.starts_with("//! bodies, from bodies.xml"), "{model}");
}

#[test]
fn what_is_wrong_is_said_and_nothing_is_written() {
    let folder = folder();
    let at = folder.path();
    let text = fs::read_to_string(at.join("joints.urdf")).unwrap();
    fs::write(
        at.join("bad.urdf"),
        text.replace("xyz=\"0.1 -0.2 0.3\"", "xyz=\"0.1 -0.2\""),
    )
    .unwrap();
    fs::write(at.join("secret.txt"), "password: 1234").unwrap();
    for (arguments, expected, word) in [
        (&["bad.urdf"][..], 1, "bad.urdf:17"),
        (&["none.urdf"], 1, "none.urdf"),
        (&["secret.txt"], 1, "no description"),
        (
            &["joints.urdf", "--lock", "x*=0"],
            2,
            "no joint is called `x*`",
        ),
        (&["joints.urdf", "--lock", "rail"], 2, "--lock"),
        (&["joints.urdf", "--lock", "rail=1 [deg]"], 2, "slides"),
        (&["joints.urdf", "--base", "loose"], 2, "free-quaternion"),
        (&["joints.urdf", "--decimals", "0"], 2, "decimals"),
        (&["bodies.xml", "--base", "fixed"], 2, "URDF"),
    ] {
        let line = [&["import"], arguments, &["-o", "out.eom"]].concat();
        let (code, text) = said(&eomgen(at, &line));
        assert_eq!(code, Some(expected), "{line:?}: {text}");
        assert!(text.contains(word), "{line:?}: {text}");
        assert!(!text.contains("1234"), "{text}");
        assert!(!at.join("out.eom").exists(), "{line:?}");
    }
}

#[test]
fn the_robots_own_file_is_never_overwritten() {
    let folder = folder();
    let at = folder.path();
    let before = fs::read_to_string(at.join("joints.urdf")).unwrap();
    for out in ["joints.urdf", "./joints.urdf"] {
        let (code, text) = said(&eomgen(
            at,
            &["import", "joints.urdf", "-o", out, "--force"],
        ));
        assert_eq!(code, Some(1), "{text}");
        assert!(
            text.contains("the description of the robot itself"),
            "{text}"
        );
    }
    let after = fs::read_to_string(at.join("joints.urdf")).unwrap();
    assert_eq!(before, after);
}
