//! What a user of the attribute sees: programs that compile and run, and messages where they do not.
//!
//! The programs are built in a package of their own in the target folder, below which the models are copied: paths count from a
//! package's folder. The first run builds the algebra engine for it, which takes minutes.

use std::fs;
use std::path::{Path, PathBuf};

use eomgen::internals::request::Request;
use eomgen::options::{DeriveOptions, Math};

/// The folder of the package that the programs become.
fn package() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    target.join("tests/trybuild/eomgen-macros")
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target)
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The models, and committed files: a fresh one, one of other options, and one that was edited.
fn prepare() {
    let package = package();
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui/models");
    copy(&models, &package.join("models"));
    fs::write(package.join("models/latin1.eom"), b"model caf\xe9\n").unwrap();

    let generated = package.join("generated");
    fs::create_dir_all(&generated).unwrap();
    let derive = |options| {
        let request = Request::file(&package, "models/line.eom", options).unwrap();
        request.derive().unwrap().code
    };
    let fresh = derive(DeriveOptions::default());
    let other = derive(DeriveOptions {
        math: Math::Libm,
        ..DeriveOptions::default()
    });
    let edited = fresh.replacen("STATES: usize = 2", "STATES: usize = 1 + 1", 1);
    assert_ne!(edited, fresh);
    for (name, text) in [("line", fresh), ("other", other), ("edited", edited)] {
        fs::write(generated.join(name).with_extension("rs"), text).unwrap();
    }
}

#[test]
#[ignore = "minutes, with a build of the engine: cargo test -p eomgen-macros --test suite ui -- --ignored"]
fn users_see() {
    prepare();
    // SAFETY: this is the only test of the program, so no other thread looks at the environment.
    #[expect(unsafe_code, reason = "children inherit the environment")]
    unsafe {
        std::env::set_var("EOMGEN_CACHE", "off");
    }
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/pass/*.rs");
    cases.compile_fail("tests/ui/fail/*.rs");
}
