//! The grammar of the attribute.

use std::str::FromStr;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::{Arguments, Model};
use crate::catalogue;
use crate::pipeline::{DeriveOptions, Form, Math, Variant};

fn tokens(text: &str) -> TokenStream {
    TokenStream::from_str(text).unwrap()
}

fn read(text: &str) -> Arguments {
    Arguments::parse(tokens(text)).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// The messages, each with the text that it stands at, in the form `text: message`.
fn errors(text: &str) -> Vec<String> {
    let errors = match Arguments::parse(tokens(text)) {
        Ok(_) => Vec::new(),
        Err(error) => error.into_iter().collect(),
    };
    errors
        .iter()
        .map(|error| {
            let at = error.span().source_text().unwrap_or_default();
            format!("{at}: {error}")
        })
        .collect()
}

#[test]
fn every_option_arrives() {
    let all = read(
        r#""models/sleigh.eom", method = "gibbs-appell", form = "staged", dependent = ["x'", "u3"],
           set(n = 20, left.n = -1_000, b[2].n = 3), inverse = "one-four", route = "II",
           output = ["tangent_projector", "gibbs_function"], math = "libm", generated = "src/sleigh.rs","#,
    );
    assert!(matches!(&all.model, Model::File(path) if path.value == "models/sleigh.eom"));
    assert_eq!(all.generated.unwrap().value, "src/sleigh.rs");
    let expect = DeriveOptions {
        method: Some("gibbs-appell".into()),
        form: Form::Staged,
        dependent: vec!["x'".into(), "u3".into()],
        math: Math::Libm,
        set: vec![
            ("n".into(), 20),
            ("left.n".into(), -1000),
            ("b[2].n".into(), 3),
        ],
        variant: Variant::named(Some("one-four"), Some("II")).unwrap(),
        outputs: vec!["tangent_projector".into(), "gibbs_function".into()],
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
    let inline = read(
        "text = \"model m\\n// \\\"\", output = \"tangent_projector\", output_ = 1"
            .strip_suffix(", output_ = 1")
            .unwrap(),
    );
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
    for output in catalogue::to_ask_for().chain(catalogue::STANDARD) {
        let text = format!("\"a.eom\", output = \"{}\"", output.name);
        assert_eq!(read(&text).options.outputs, [output.name]);
    }
    for (option, names) in [
        ("inverse", &["moore-penrose", "one-four", "one"][..]),
        ("route", &["I", "II", "III"]),
        ("form", &["auto", "closed", "staged"]),
        ("math", &["std", "libm"]),
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
    let list = "the options are `model`, `text`, `generated`, `method`, `inverse`, `route`, `form`, `output`, `dependent`, `set`, `math`";
    assert_eq!(
        errors("\"a.eom\", methd = \"kane\", type = 1, foo(2), fo"),
        [
            format!("methd: unknown option `methd`; did you mean `method`? {list}"),
            format!("type: unknown option `type`; {list}"),
            format!("foo: unknown option `foo`; {list}"),
            format!("fo: unknown option `fo`; {list}"),
        ]
    );
    assert_eq!(Arguments::names().count(), list.split(", ").count());
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
            "\"a.eom\", method = \"Kane\", form = \"open\", inverse = \"1\", route = \"IV\", math = \"Std\",
             output = [\"tangent_projectr\", \"y\", \"gibbs_function\"]"
        ),
        [
            &format!("\"Kane\": unknown method `Kane`; did you mean `kane`? it is one of {names}"),
            "\"open\": unknown form `open`; it is one of `auto`, `closed`, `staged`",
            "\"1\": unknown inverse `1`; it is one of `moore-penrose`, `one-four`, `one`",
            "\"IV\": unknown route `IV`; did you mean `I`? it is one of `I`, `II`, `III`",
            "\"Std\": unknown source of functions `Std`; did you mean `std`? it is one of `std`, `libm`",
            "\"tangent_projectr\": unknown output `tangent_projectr`; did you mean `tangent_projector`?",
            "\"y\": unknown output `y`; `eomgen methods` lists the outputs",
        ]
    );
}

#[test]
fn values_of_the_wrong_kind_are_told_how_to_be_written() {
    let check = |text: &str, expect: &[&str]| assert_eq!(errors(text), expect, "{text}");
    check(
        "17, method = kane, form = [\"staged\"], text, dependent = 3, dependent = [1, \"\", \"a,b\"]",
        &[
            "17: `model` is written `model = \"models/sleigh.eom\"`",
            "kane: `method` is written `method = \"kane\"`",
            "[: `form` is written `form = \"closed\"`",
            "text: `text` is written `text = \"model ...\"`",
            "3: `dependent` is written `dependent = [\"x'\", \"u3\"]`",
            "dependent: `dependent` is given twice",
        ],
    );
    check(
        "\"a.eom\", dependent = [1, \"\", \"a,b\"], output = \"a,b\"",
        &[
            "1: `dependent` is written `dependent = [\"x'\", \"u3\"]`",
            "\"\": a name is missing",
            "\"a,b\": one name in each string: write a list, as in `[\"a\", \"b\"]`",
            "\"a,b\": one name in each string: write a list, as in `[\"a\", \"b\"]`",
        ],
    );
    check(
        "text = include_str!(\"a.eom\")",
        &[
            "include_str: `text` is written `text = \"model ...\"`, with a literal: macros are not expanded here",
        ],
    );
    check(
        "model = \" \", generated = \"\", method =, math(\"libm\"), set = 3",
        &[
            "\" \": the path of a file is missing",
            "\"\": the path of a file is missing",
            "method: `method` is written `method = \"kane\"`",
            "math: `math` is written `math = \"libm\"`",
            "set: `set` is written `set(n = 20, left.n = 2)`",
        ],
    );
    check(
        "\"a.eom\" \"b.eom\", , = 3",
        &[
            "\"a.eom\": `model` is written `model = \"models/sleigh.eom\"`",
            ",: nothing stands before this comma",
            "=: expected a model's path or an option: `model`, `text`, `generated`, `method`, `inverse`, `route`, `form`, `output`, `dependent`, `set`, `math`",
        ],
    );
}

#[test]
fn constants_are_whole_numbers_set_once() {
    let whole = |at: &str, name: &str| {
        format!("{at}: the value of the constant `{name}` is a whole number")
    };
    let set = "`set` is written `set(n = 20, left.n = 2)`";
    assert_eq!(
        errors(
            "\"a.eom\", set(n = 1.5, m = \"2\", k = 1, k = 2, j = 9223372036854775808, 4, i =, = 5, h = 3u8, , a)"
        ),
        [
            whole("1.5", "n"),
            whole("\"2\"", "m"),
            "k: `k` is set twice".to_owned(),
            whole("9223372036854775808", "j"),
            format!("4: {set}"),
            format!("i: {set}"),
            format!("=: {set}"),
            whole("3u8", "h"),
            ",: nothing stands before this comma".to_owned(),
            format!("a: {set}"),
        ]
    );
}

#[test]
fn there_is_one_model() {
    let check = |text: &str, expect: &[&str]| assert_eq!(errors(text), expect, "{text}");
    check(
        "\"a.eom\", \"b.eom\", model = \"c.eom\"",
        &[
            "\"b.eom\": a second model; an option is written `name = value`",
            "model: `model` is given twice",
        ],
    );
    check(
        "\"a.eom\", text = \"model m\"",
        &["\"model m\": the model is given twice, as a file and as a text"],
    );
    for text in ["", "method = \"kane\""] {
        let found = errors(text);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("which model?"), "{found:?}");
    }
    // What is missing may be what is written wrong.
    assert_eq!(errors("modl = \"a.eom\"").len(), 1);
}
