use std::fs;

use super::*;
use crate::input::{Fix, Form, Math, Plan, Prefer, Scalar, Variant};
use crate::pipeline;

const SLEIGH: &str = include_str!("../../../generated-tests/models/e4_sleigh.eom");

/// A package with a model.
struct Package {
    folder: tempfile::TempDir,
}

impl Package {
    fn new(model: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("models")).unwrap();
        fs::create_dir_all(folder.path().join("out")).unwrap();
        fs::write(folder.path().join("models/sleigh.eom"), model).unwrap();
        Self { folder }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn around(&self) -> Surroundings {
        Surroundings {
            root: Some(self.folder.path().to_owned()),
            out_dir: Some(self.path("out")),
        }
    }

    /// What came of it, and what cargo was told.
    fn run(&self, builder: &Builder) -> (Result<PathBuf, BuildError>, String) {
        let mut said = String::new();
        let outcome = builder.run(&self.around(), &mut said);
        (outcome, said)
    }

    /// The line by which cargo learns of a file.
    fn watched(&self, path: &str) -> String {
        format!("cargo::rerun-if-changed={}\n", self.path(path).display())
    }
}

fn sleigh() -> Builder {
    Builder::new().model("models/sleigh.eom")
}

fn failed(outcome: Result<PathBuf, BuildError>) -> BuildError {
    outcome.expect_err("an error")
}

/// The tokens in the file's one item, a module called `name`.
fn inside(file: &str, name: &str) -> String {
    let file = syn::parse_file(file).unwrap();
    assert!(file.attrs.is_empty(), "include! takes no attributes");
    let [syn::Item::Mod(module)] = &file.items[..] else {
        panic!("not one module");
    };
    assert_eq!(module.ident, name);
    assert!(matches!(module.vis, syn::Visibility::Public(_)));
    let (_, items) = module.content.clone().unwrap();
    let inner: Vec<syn::Attribute> = module.attrs.clone();
    quote::quote!(#(#inner)* #(#items)*).to_string()
}

#[test]
fn the_module_holds_what_the_command_line_writes() {
    let package = Package::new(SLEIGH);
    let (path, said) = package.run(&sleigh().method("gibbs-appell").form("closed"));
    let path = path.unwrap();
    assert_eq!(path, package.path("out/sleigh.rs"));
    assert_eq!(said, package.watched("models/sleigh.eom"));
    let text = fs::read_to_string(&path).unwrap();
    let options = DeriveOptions {
        method: Some("gibbs-appell".into()),
        form: Form::Closed,
        ..DeriveOptions::default()
    };
    let code = pipeline::derive("sleigh.eom", SLEIGH, &options)
        .unwrap()
        .code;
    let derived = syn::parse_file(&code).unwrap();
    let (attributes, items) = (&derived.attrs, &derived.items);
    assert!(!attributes.is_empty() && items.len() > 5);
    let expect = quote::quote!(#(#attributes)* #(#items)*).to_string();
    assert_eq!(inside(&text, "sleigh"), expect);
    let header: Vec<&str> = code.lines().take(3).collect();
    assert_eq!(text.lines().take(3).collect::<Vec<_>>(), header);
    // A second run finds the same bytes and leaves the file's date alone.
    let past = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(past).unwrap();
    let again = sleigh().method("gibbs-appell").form("closed");
    assert_eq!(package.run(&again).0.unwrap(), path);
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), past);
}

#[test]
fn a_text_with_parts_and_a_name_and_a_new_folder() {
    let package = Package::new("");
    let part =
        "part rod\nparam m : kg > 0\ncoord s : m\npoint P = O + s*N.x\nparticle A: mass m at P\n";
    fs::write(package.path("rod.eom"), part).unwrap();
    let builder = Builder::new()
        .text("model two\nuse \"rod.eom\" as a\nuse \"rod.eom\" as b\n")
        .name("two_rods")
        .out_dir("some/new/folder");
    let (path, said) = package.run(&builder);
    let path = path.unwrap();
    assert_eq!(path, package.path("some/new/folder/two_rods.rs"));
    assert_eq!(said, package.watched("rod.eom"));
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(" from <inline>\n"), "{text}");
    assert!(inside(&text, "two_rods").contains("a_s"), "{text}");
}

#[test]
fn warnings_become_warnings_of_cargo_line_by_line() {
    // Two constraints that agree for some parameters only.
    let plane = "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\n\
                 param a, b : m\nconstraint left: x = a\nconstraint right: x = b\n";
    let package = Package::new(plane);
    let (path, said) = package.run(&sleigh());
    path.unwrap();
    let warnings: Vec<&str> = said
        .lines()
        .filter_map(|line| line.strip_prefix("cargo::warning="))
        .collect();
    assert_eq!(said.lines().count(), warnings.len() + 1, "{said}");
    assert!(warnings[0].starts_with("warning[W0482]"), "{said}");
    assert!(
        warnings.iter().any(|line| line.contains("sleigh.eom:8:12")),
        "{said}"
    );
    assert!(warnings.len() > 2, "{said}");
}

#[test]
fn mistakes_in_the_model_are_shown_with_their_places_and_nothing_is_written() {
    let broken = SLEIGH
        .replace("theta, N.z)", "theta, N.w)")
        .replace("l*B.x", "len*B.x");
    let package = Package::new(&broken);
    fs::write(package.path("out/sleigh.rs"), "old").unwrap();
    let (outcome, said) = package.run(&sleigh());
    let error = failed(outcome);
    assert_eq!(said, package.watched("models/sleigh.eom"));
    assert!(error.messages().len() >= 2, "{error}");
    let text = error.to_string();
    assert!(
        text.starts_with("no equations of motion from models/sleigh.eom\n\nerror["),
        "{text}"
    );
    for place in ["sleigh.eom:10:", "sleigh.eom:12:", "len*B.x"] {
        assert!(text.contains(place), "{place}: {text}");
    }
    assert_eq!(format!("{error:?}"), text);
    assert_eq!(
        fs::read_to_string(package.path("out/sleigh.rs")).unwrap(),
        "old"
    );
}

#[test]
fn a_missing_model_is_waited_for() {
    let package = Package::new(SLEIGH);
    let (outcome, said) = package.run(&Builder::new().model("models/none.eom"));
    assert_eq!(said, package.watched("models/none.eom"));
    let text = failed(outcome).to_string();
    assert!(
        text.contains("cannot read ") && text.contains("none.eom"),
        "{text}"
    );
    let part = "model m\nuse \"parts/none.eom\" as p\n";
    fs::write(package.path("models/sleigh.eom"), part).unwrap();
    let (outcome, said) = package.run(&sleigh());
    failed(outcome);
    let expect =
        package.watched("models/sleigh.eom") + package.watched("models/parts/none.eom").as_str();
    assert_eq!(said, expect);
}

#[test]
fn words_that_mean_nothing_are_all_named() {
    let package = Package::new(SLEIGH);
    let builder = sleigh()
        .method("newton")
        .form("open")
        .math("gmp")
        .inverse("two")
        .route("IV");
    let (outcome, _) = package.run(&builder);
    let error = failed(outcome);
    let starts = [
        "'newton' is no method; there are: ",
        "'open' is no form; there are: auto, closed, staged",
        "'gmp' is no math; there are: auto, std, libm, inline",
        "'two' is no inverse; there are: ",
        "'IV' is no route; there are: I, II, III",
    ];
    assert_eq!(error.messages().len(), starts.len(), "{error}");
    for (message, start) in error.messages().iter().zip(starts) {
        assert!(message.starts_with(start), "{message}");
    }
}

#[test]
fn all_options_arrive() {
    let builder = sleigh()
        .method("jourdain")
        .form("staged")
        .math("libm")
        .fma(true)
        .scalar("f32")
        .batch(true)
        .inverse("one-four")
        .route("III")
        .plan("reduced")
        .prefer("operations")
        .dependent("x'")
        .dependent("u3")
        .set("n", 20)
        .set("k", -1)
        .fix("all")
        .fix("g=9.81")
        .output("a, b")
        .output("c")
        .only("d, e")
        .jacobian("a:q,v");
    let expect = DeriveOptions {
        method: Some("jourdain".into()),
        form: Form::Staged,
        dependent: vec!["x'".into(), "u3".into()],
        math: Math::Libm,
        fma: true,
        scalar: Scalar::F32,
        batch: true,
        set: vec![("n".into(), 20), ("k".into(), -1)],
        fix: Fix {
            all: true,
            values: vec![(
                "g".into(),
                num_rational::BigRational::new(981.into(), 100.into()),
            )],
        },
        variant: Variant::named(Some("one-four"), Some("III")).unwrap(),
        plan: Plan::Reduced,
        prefer: Prefer::Operations,
        outputs: vec!["a".into(), "b".into(), "c".into()],
        only: vec!["d".into(), "e".into()],
        jacobians: vec!["a:q,v".into()],
    };
    assert_eq!(builder.options(), Ok(expect));
    assert_eq!(Builder::new().options(), Ok(DeriveOptions::default()));
}

#[test]
fn names_of_modules() {
    let table = [
        ("models/sleigh.eom", "sleigh"),
        ("my-Sleigh 2.eom", "my_sleigh_2"),
        ("loop.eom", "loop_"),
        ("3d.eom", "_3d"),
    ];
    for (path, name) in table {
        assert_eq!(Builder::new().model(path).module(), Ok(name.to_owned()));
    }
    assert_eq!(sleigh().name("Other").module(), Ok("Other".to_owned()));
    for (name, instead) in [("type", "type_"), ("a b", "a_b"), ("r#type", "r_type")] {
        let message = sleigh().name(name).module().unwrap_err().remove(0);
        assert!(message.contains(&format!("'{instead}' can")), "{message}");
    }
    let message = Builder::new().text("model m").module().unwrap_err();
    assert!(message[0].contains(".name("), "{message:?}");
}

#[test]
fn outside_of_build_scripts_folders_must_be_said() {
    let nowhere = Surroundings::default();
    let mut said = String::new();
    let text = |outcome| failed(outcome).to_string();
    let no_root = text(sleigh().run(&nowhere, &mut said));
    assert!(
        no_root.contains("CARGO_MANIFEST_DIR is not set"),
        "{no_root}"
    );
    assert!(no_root.contains(".root("), "{no_root}");
    let package = Package::new(SLEIGH);
    let rooted = sleigh().root(package.folder.path());
    let no_out = text(rooted.run(&nowhere, &mut said));
    assert!(no_out.contains("OUT_DIR is not set"), "{no_out}");
    for builder in [Builder::new().name("m"), sleigh().text("model m")] {
        let models = text(package.run(&builder).0);
        assert!(models.contains("there "), "{models}");
    }
    assert!(fs::read_dir(package.path("out")).unwrap().next().is_none());
}

#[test]
fn the_header_stays_on_top() {
    let code = "// @generated\n// body\n\n//! doc\n#![allow(dead_code)]\n// not the header\npub fn f() {}\n";
    let text = wrapped("m", code);
    assert!(
        text.starts_with("// @generated\n// body\npub mod m {\n\n//! doc\n"),
        "{text}"
    );
    assert!(text.ends_with("pub fn f() {}\n}\n"), "{text}");
    assert_eq!(wrapped("m", ""), "pub mod m {\n}\n");
}
