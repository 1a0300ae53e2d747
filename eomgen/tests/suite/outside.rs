//! What is read and written beside the model and the output that were asked for: nothing.
#![cfg(feature = "cli")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::shared_models::SLEIGH;

const SECRET: &str = "root:hunter2:19000:0:99999:7:::\n";
const LEG: &str = "part leg\nneeds point hip\nparam m = 1 : kg > 0\ncoord y : m\npoint F = hip + y*N.y\nparticle A: mass m at F\n";

struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    /// A package's folder with a model and the world outside of it.
    fn new() -> Self {
        let bench = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        bench.write("package/sleigh.eom", SLEIGH);
        bench.write("package/parts/leg.eom", LEG);
        bench.write("shared/leg.eom", LEG);
        bench.write("secret", SECRET);
        bench.write("secret.eom", SECRET);
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn using(&self, part: &str) {
        let text = format!(
            "model robot\nparam m = 1 : kg > 0\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\n\
             use \"{part}\" as left(hip = P)\n"
        );
        self.write("package/robot.eom", &text);
    }

    /// Exit code and all that was said.
    fn run(&self, arguments: &[&str]) -> (i32, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_eomgen"))
            .args(arguments)
            .current_dir(self.path("package"))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = [output.stdout, output.stderr].concat();
        let code = output.status.code().expect("an exit code");
        (code, String::from_utf8(said).unwrap())
    }
}

#[test]
fn parts_lie_below_the_model_or_where_the_user_says() {
    let bench = Bench::new();
    bench.using("parts/leg.eom");
    assert_eq!(bench.run(&["check", "robot.eom"]).0, 0);
    let shared = bench.path("shared").display().to_string();
    let secret = bench.path("secret.eom").display().to_string();
    let mut elsewhere = vec![
        "../shared/leg.eom".to_owned(),
        format!("{shared}/leg.eom"),
        "parts/../../shared/leg.eom".to_owned(),
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(bench.path("shared"), bench.path("package/linked")).unwrap();
        elsewhere.push("linked/leg.eom".to_owned());
    }
    for part in elsewhere {
        bench.using(&part);
        let (code, said) = bench.run(&["check", "robot.eom"]);
        assert_eq!(code, 1, "{part}: {said}");
        assert!(said.contains("E0410") && said.contains("outside"), "{said}");
        assert!(said.contains("--include"), "{said}");
        let (code, said) = bench.run(&["check", "robot.eom", "--include", &shared]);
        assert_eq!(code, 0, "{part}: {said}");
    }
    // What is no part is not quoted, even where it may be read.
    fs::copy(&secret, bench.path("package/secret.eom")).unwrap();
    for part in ["secret.eom", "../secret.eom", &secret] {
        bench.using(part);
        let above = bench.folder.path().display().to_string();
        for more in [&[][..], &["--include", &above]] {
            let (code, said) = bench.run(&[&["check", "robot.eom"], more].concat());
            assert_eq!(code, 1, "{said}");
            assert!(
                said.contains("E0410") && !said.contains("hunter2"),
                "{said}"
            );
        }
    }
}

#[test]
fn lines_of_what_is_no_model_are_not_shown() {
    let bench = Bench::new();
    for command in [
        &["check", "../secret"][..],
        &["derive", "../secret"],
        &["fmt", "../secret"],
        &["fmt", "--check", "../secret"],
        &["diff", "../secret", "sleigh.eom"],
        &["eval", "sleigh.eom", "--state", "../secret"],
        &["verify", "sleigh.eom", "--file", "../secret"],
        &["derive", "sleigh.eom", "--check", "-o", "../secret"],
        &[
            "derive",
            "sleigh.eom",
            "--emit",
            "equations",
            "--check",
            "-o",
            "../secret",
        ],
    ] {
        let (code, said) = bench.run(command);
        assert_ne!(code, 0, "{command:?}: {said}");
        assert!(!said.contains("hunter2"), "{command:?}: {said}");
    }
    #[cfg(unix)]
    {
        // A link with the name of a model is what it leads to.
        std::os::unix::fs::symlink("../secret", bench.path("package/nice.eom")).unwrap();
        let (code, said) = bench.run(&["check", "nice.eom"]);
        assert!(code == 1 && !said.contains("hunter2"), "{said}");
    }
    // A model that begins wrongly is still shown, by its name.
    bench.write("package/slip.eom", "coordinate x\n");
    assert!(bench.run(&["check", "slip.eom"]).1.contains("coordinate x"));
}

#[cfg(unix)]
#[test]
fn what_has_no_end_is_refused_at_once() {
    let bench = Bench::new();
    let pipe = bench.path("package/pipe.eom");
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let long = fs::File::create(bench.path("package/long.eom")).unwrap();
    long.set_len(1 << 40).unwrap();
    for bad in ["/dev/zero", "pipe.eom", "long.eom"] {
        for command in [
            &["check", bad][..],
            &["derive", bad],
            &["show", bad],
            &["fmt", bad],
            &["diff", bad, "sleigh.eom"],
            &["diff", "sleigh.eom", bad],
            &["eval", "sleigh.eom", "--state", bad],
            &["verify", "sleigh.eom", "--file", bad],
        ] {
            let (code, said) = bench.run(command);
            assert_ne!(code, 0, "{command:?}");
            let told = said.contains("not a regular file") || said.contains("it has more than");
            assert!(told, "{command:?}: {said}");
        }
        bench.using(bad);
        let (code, said) = bench.run(&["check", "robot.eom", "--include", "/dev"]);
        assert!(code == 1 && said.contains("E0410"), "{said}");
    }
    // Standard input without an end.
    let endless = fs::File::open("/dev/zero").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_eomgen"))
        .args(["check", "-"])
        .stdin(endless)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("it has more than"), "{said}");
}

#[test]
fn files_of_others_are_not_overwritten() {
    let bench = Bench::new();
    let mine = "fn mine() {}\n";
    for (command, name) in [
        (&["derive", "sleigh.eom", "-o"][..], "mine.rs"),
        (
            &["derive", "sleigh.eom", "--emit", "equations", "-o"],
            "notes.txt",
        ),
        (
            &["show", "sleigh.eom", "--format", "html", "-o"],
            "page.html",
        ),
    ] {
        let at = format!("package/{name}");
        bench.write(&at, mine);
        let (code, said) = bench.run(&[command, &[name]].concat());
        assert!(code == 1 && said.contains("--force"), "{said}");
        assert_eq!(fs::read_to_string(bench.path(&at)).unwrap(), mine);
        let (code, said) = bench.run(&[command, &[name, "--force"]].concat());
        assert_eq!(code, 0, "{said}");
        assert_ne!(fs::read_to_string(bench.path(&at)).unwrap(), mine);
        // It is ours now.
        assert_eq!(bench.run(&[command, &[name]].concat()).0, 0);
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_links_that_lead_out() {
    let bench = Bench::new();
    fs::create_dir(bench.path("out")).unwrap();
    std::os::unix::fs::symlink("../out", bench.path("package/models")).unwrap();
    let (code, said) = bench.run(&["new", "models/crane"]);
    assert!(code == 1 && said.contains("link"), "{said}");
    bench.write(
        "package/Cargo.toml",
        "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n",
    );
    for generated in ["../out/a.rs", "models/b.rs"] {
        let library = format!(
            "#[eomgen_macros::derive_eom(\"sleigh.eom\", generated = \"{generated}\")]\npub mod a {{}}\n"
        );
        bench.write("package/src/lib.rs", &library);
        let (code, said) = bench.run(&["prepare"]);
        assert!(
            code == 1 && said.contains("outside of the package"),
            "{said}"
        );
    }
    assert_eq!(fs::read_dir(bench.path("out")).unwrap().count(), 0);
}
