//! The grammar of the attribute.

use std::path::Path;
use std::str::FromStr;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::{Arguments, Model, keys};
use crate::catalogue;
use crate::input::{DeriveOptions, Fix, Form, Math, Plan, Prefer, Scalar, Variant};
use num_rational::BigRational as Rational;

fn tokens(text: &str) -> TokenStream {
    TokenStream::from_str(text).unwrap()
}

fn read(text: &str) -> Arguments {
    Arguments::parse(tokens(text)).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// The messages. That they stand at the right places is shown by the tests of the macro itself.
fn errors(text: &str) -> Vec<String> {
    match Arguments::parse(tokens(text)) {
        Ok(_) => Vec::new(),
        Err(error) => error.into_iter().map(|error| error.to_string()).collect(),
    }
}

#[test]
fn every_option_arrives() {
    let all = read(
        r#""models/sleigh.eom", method = "gibbs-appell", form = "staged", dependent = ["x'", "u3"],
           set(n = 20, left.n = -1_000, b[2].n = 3), fix(all, g = 9.81, b[2].m = -1/3), inverse = "one-four", route = "II", plan = "reduced", prefer = "operations",
           output = ["tangent_projector", "gibbs_function"], only = ["rates"], jacobian = "accelerations:q,v", math = "libm", fma = true, scalar = "generic", batch = true, generated = "src/sleigh.rs","#,
    );
    assert!(matches!(&all.model, Model::File(path) if path.value == "models/sleigh.eom"));
    assert_eq!(all.generated.unwrap().value, "src/sleigh.rs");
    let expect = DeriveOptions {
        method: Some("gibbs-appell".into()),
        form: Form::Staged,
        dependent: vec!["x'".into(), "u3".into()],
        math: Math::Libm,
        scalar: Scalar::Generic,
        fma: true,
        batch: true,
        set: vec![
            ("n".into(), 20),
            ("left.n".into(), -1000),
            ("b[2].n".into(), 3),
        ],
        fix: Fix {
            all: true,
            values: vec![
                ("g".into(), Rational::new(981.into(), 100.into())),
                ("b[2].m".into(), Rational::new((-1).into(), 3.into())),
            ],
        },
        variant: Variant::named(Some("one-four"), Some("II")).unwrap(),
        plan: Plan::Reduced,
        prefer: Prefer::Operations,
        outputs: vec!["tangent_projector".into(), "gibbs_function".into()],
        only: vec!["rates".into()],
        jacobians: vec!["accelerations:q,v".into()],
    };
    assert_eq!(all.options, expect);
}

#[test]
fn what_is_left_out_has_the_defaults_of_the_command_line() {
    for text in ["\"a.eom\"", "model = \"a.eom\",", "r#\"a.eom\"#"] {
        let least = read(text);
        assert!(matches!(&least.model, Model::File(path) if path.value == "a.eom"));
        assert!(least.generated.is_none());
        assert_eq!(least.options, DeriveOptions::default());
    }
    let inline = read("text = \"model m\\n// \\\"\", output = \"tangent_projector\"");
    assert!(matches!(&inline.model, Model::Text(text) if text.value == "model m\n// \""));
    assert_eq!(inline.options.outputs, ["tangent_projector"]);
    assert_eq!(
        read("\"a.eom\", dependent = \"x'\"").options.dependent,
        ["x'"]
    );
    let none = read("\"a.eom\", dependent = [], output = [], set()").options;
    assert_eq!(none, DeriveOptions::default());
}

#[test]
fn every_name_of_the_lists_is_taken() {
    for method in catalogue::METHODS {
        let text = format!("\"a.eom\", method = \"{}\"", method.name);
        assert_eq!(read(&text).options.method.as_deref(), Some(method.name));
    }
    for output in catalogue::all() {
        let word = output.of.example(output.name).replace(' ', "");
        let text = format!("\"a.eom\", output = \"{word}\"");
        assert_eq!(read(&text).options.outputs, [word]);
    }
    for (option, names) in [
        ("inverse", &["moore-penrose", "one-four", "one"][..]),
        ("route", &["I", "II", "III"]),
        ("form", &["auto", "closed", "staged"]),
        ("math", &["std", "libm"]),
        ("scalar", &["f64", "f32", "generic"]),
    ] {
        for name in names {
            let options = read(&format!("\"a.eom\", {option} = \"{name}\"")).options;
            let pairs = options.pairs();
            let stated = pairs.iter().find(|(key, _)| key == option);
            let default = DeriveOptions::default();
            // Defaults are not listed.
            assert!(
                options == default || stated.is_some_and(|(_, value)| value == name),
                "{option} {name}"
            );
        }
    }
}

#[test]
fn literals_of_other_macros_stand_in_invisible_groups() {
    let group = |text| TokenTree::Group(Group::new(Delimiter::None, tokens(text)));
    let mut all = TokenStream::from(group("\"a.eom\""));
    all.extend(tokens(", method ="));
    all.extend([group("\"kane\"")]);
    let read = Arguments::parse(all).unwrap();
    assert!(matches!(&read.model, Model::File(path) if path.value == "a.eom"));
    assert_eq!(read.options.method.as_deref(), Some("kane"));
}

#[test]
fn unknown_options_get_the_nearest_and_the_list() {
    let known = "`model`, `text`, `generated`, `method`, `form`, `dependent`, `set`, `fix`, `inverse`, `route`, `plan`, `prefer`, `output`, `only`, `jacobian`, `math`, `fma`, `scalar`, `batch`";
    assert_eq!(
        errors("\"a.eom\", methd = \"kane\", type = 1, foo(2), fo"),
        [
            format!("unknown option `methd`; did you mean `method`? Known: {known}"),
            format!("unknown option `type`; known: {known}"),
            format!("unknown option `foo`; known: {known}"),
            format!("unknown option `fo`; known: {known}"),
        ]
    );
    assert_eq!(keys::all().count(), known.split(", ").count());
}

#[test]
fn unknown_values_get_the_list() {
    let names: Vec<String> = catalogue::METHODS
        .iter()
        .map(|m| format!("`{}`", m.name))
        .collect();
    let names = names.join(", ");
    assert_eq!(
        errors(
            "\"a.eom\", method = \"Kane\", form = \"open\", inverse = \"1\", route = \"4\", math = \"Std\",
             output = [\"tangent_projectr\", \"y\", \"gibbs_function\"]"
        ),
        [
            &format!("unknown method `Kane`; did you mean `kane`? Known: {names}"),
            "unknown form `open`; known: `auto`, `closed`, `staged`",
            "unknown inverse `1`; known: `moore-penrose`, `one-four`, `one`",
            "unknown route `4`; known: `I`, `II`, `III`",
            "unknown math `Std`; did you mean `std`? Known: `auto`, `std`, `libm`, `inline`",
            "unknown output `tangent_projectr`; did you mean `tangent_projector`?",
            "unknown output `y`; `eomgen methods` lists the outputs",
        ]
    );
}

#[test]
fn values_of_the_wrong_kind_are_told_how_to_be_written() {
    let check = |text: &str, expect: &[&str]| assert_eq!(errors(text), expect, "{text}");
    check(
        "17, method = kane, form = [\"staged\"], text, dependent = 3, dependent = [1, \"\", \"a,b\"]",
        &[
            "`model` is written `model = \"models/sleigh.eom\"`",
            "`method` is written `method = \"kane\"`",
            "`form` is written `form = \"closed\"`",
            "`text` is written `text = \"model ...\"`",
            "`dependent` is written `dependent = [\"x'\", \"u3\"]`",
            "`dependent` is given twice",
        ],
    );
    check(
        "\"a.eom\", dependent = [1, \"\", \"a,b\"], output = \"a,b\"",
        &[
            "`dependent` is written `dependent = [\"x'\", \"u3\"]`",
            "a name is missing",
            "one name per string: write a list, as in `[\"a\", \"b\"]`",
            "one name per string: write a list, as in `[\"a\", \"b\"]`",
        ],
    );
    check(
        "text = include_str!(\"a.eom\")",
        &["`text` is written `text = \"model ...\"`, with a literal: macros are not expanded here"],
    );
    check(
        "model = \" \", generated = \"\", method =, math(\"libm\"), set = 3",
        &[
            "the path of a file is missing",
            "the path of a file is missing",
            "`method` is written `method = \"kane\"`",
            "`math` is written `math = \"libm\"`",
            "`set` is written `set(n = 20, left.n = 2)`",
        ],
    );
    check(
        "\"a.eom\" \"b.eom\", , = 3",
        &[
            "`model` is written `model = \"models/sleigh.eom\"`",
            "nothing precedes this comma",
            "expected a model's path or an option: `model`, `text`, `generated`, `method`, `form`, `dependent`, `set`, `fix`, `inverse`, `route`, `plan`, `prefer`, `output`, `only`, `jacobian`, `math`, `fma`, `scalar`, `batch`",
        ],
    );
}

#[test]
fn constants_are_whole_numbers_set_once() {
    let whole = |name: &str| format!("the value of the constant `{name}` must be an integer");
    let set = "`set` is written `set(n = 20, left.n = 2)`";
    assert_eq!(
        errors(
            "\"a.eom\", set(n = 1.5, m = \"2\", k = 1, k = 2, j = 9223372036854775808, 4, i =, = 5, h = 3u8, , a)"
        ),
        [
            whole("n"),
            whole("m"),
            "`k` is set twice".to_owned(),
            whole("j"),
            set.to_owned(),
            set.to_owned(),
            set.to_owned(),
            whole("h"),
            "nothing precedes this comma".to_owned(),
            set.to_owned(),
        ]
    );
}

#[test]
fn there_is_one_model() {
    let check = |text: &str, expect: &[&str]| assert_eq!(errors(text), expect, "{text}");
    check(
        "\"a.eom\", \"b.eom\", model = \"c.eom\"",
        &[
            "a second model; an option is written `name = value`",
            "`model` is given twice",
        ],
    );
    check(
        "\"a.eom\", text = \"model m\"",
        &["the model is given twice, as a file and as a text"],
    );
    for text in ["", "method = \"kane\""] {
        let found = errors(text);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("which model?"), "{found:?}");
    }
    // What is missing may be what is written wrong.
    assert_eq!(errors("modl = \"a.eom\"").len(), 1);
}

#[test]
fn the_manual_and_the_editor_name_every_option() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for page in ["docs/macro.md", "eomgen-macros/src/lib.rs"] {
        let text = std::fs::read_to_string(root.join(page)).unwrap();
        for name in keys::all().map(|key| key.name) {
            let there = [format!("`{name} = "), format!("`{name}(")];
            assert!(there.iter().any(|t| text.contains(t)), "{page}: {name}");
        }
    }
}
