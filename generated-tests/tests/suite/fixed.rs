//! Parameters that become numbers: the same results as with the parameters given, and what is refused.
#![cfg(feature = "pipeline")]

use eomgen::{
    EvalInput, Failure, Source, eval_source,
    options::{DeriveOptions, Fix, VerifyOptions},
};
use generated_tests::memo;
use generated_tests::reference::model_text;

fn fix(texts: &[&str]) -> Fix {
    let mut fix = Fix::default();
    for text in texts {
        fix.add(text).unwrap();
    }
    fix
}

fn options(method: &str, texts: &[&str]) -> DeriveOptions {
    DeriveOptions {
        method: Some(method.to_owned()),
        fix: fix(texts),
        ..DeriveOptions::default()
    }
}

fn model(name: &str) -> Source {
    Source::new(&format!("{name}.eom"), &model_text(name).unwrap())
}

fn accelerations(
    source: &Source,
    options: &DeriveOptions,
    params: &[(&str, f64)],
    state: &str,
) -> Vec<f64> {
    let mut input = EvalInput::from_json(state).unwrap();
    for (name, value) in params {
        input.params.insert((*name).to_owned(), *value);
    }
    let output = eval_source(source, options, &input).unwrap();
    output.qddot.into_iter().map(|(_, value)| value).collect()
}

fn close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    assert!(!found.is_empty());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= 1e-12 * b.abs().max(1.0), "{a} {b}");
    }
}

const CART: &str = r#"{"q": {"x": 0.3, "theta1": 0.7}, "qdot": {"x": -0.4, "theta1": 1.9},
    "inputs": {"F": 1.5, "tau1": -0.2}}"#;

#[test]
fn a_fixed_parameter_is_one_that_has_this_value() {
    let source = model("pend_abs_1");
    for method in ["kane", "lagrange", "gibbs-appell", "udwadia-kalaba"] {
        let given = [("g", 1.62), ("l1", 0.25), ("m0", 3.0)];
        let free = accelerations(&source, &options(method, &[]), &given, CART);
        let some = options(method, &["g=1.62", "l1 = 1/4"]);
        close(&accelerations(&source, &some, &[("m0", 3.0)], CART), &free);
        let all = options(method, &["all", "g=1.62", "l1=.25", "m0=3"]);
        close(&accelerations(&source, &all, &[], CART), &free);
    }
}

#[test]
fn what_is_fixed_is_no_parameter_any_more() {
    let source = model("pend_abs_1");
    let some = memo::module(&source, &options("kane", &["g=9.81"])).unwrap();
    let code = &some.code;
    assert!(code.contains("options: method=kane form=auto fix.g=9.81"));
    assert!(code.contains("Parameters fixed as numbers: `g = 9.81`."));
    assert!(code.contains("pub struct Params {") && !code.contains("pub g: f64"));
    assert!(code.contains("pub m0: f64") && code.contains("9.81"));
    let all = memo::module(&source, &options("kane", &["all"])).unwrap();
    assert!(all.code.contains("fix=all"));
    assert!(!all.code.contains("Params"), "{}", all.code);

    let head = "pub fn accelerations(t: f64, state: &[f64; STATES], inputs: &Inputs)";
    assert!(all.code.contains(head));
}

#[test]
fn fixed_code_says_what_the_model_says() {
    for (name, texts) in [
        ("pend_abs_1", &["all"][..]),
        ("e4_sleigh", &["all", "m1=3/2"]),
        ("bead_on_hoop", &["all"]),
        ("e3_appell_nonideal", &["alpha=1/3", "a0=0.25"]),
    ] {
        let source = model(name);
        let derive = options("kane", texts);
        let derived =
            memo::module(&source, &derive).unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
        let derived_here = VerifyOptions {
            methods: vec!["kane".into(), "lagrange".into()],
            derive,
            ..VerifyOptions::default()
        };
        let from_file = VerifyOptions {
            file: Some((format!("{name}.rs"), derived.code)),
            ..VerifyOptions::default()
        };
        for verify in [derived_here, from_file] {
            let certificate = memo::certificate(&source, &verify).unwrap();
            assert!(certificate.holds(), "{name}: {certificate}");
        }
    }
}

#[test]
fn another_number_is_noticed() {
    let source = model("pend_abs_1");
    let code = memo::module(&source, &options("kane", &["all"]))
        .unwrap()
        .code;
    // The cart's mass with the bob's, folded.
    assert!(code.contains("2.5"), "{code}");
    let verify = VerifyOptions {
        file: Some(("wrong.rs".into(), code.replace("2.5", "2.6"))),
        ..VerifyOptions::default()
    };
    assert!(!memo::certificate(&source, &verify).unwrap().holds());
}

fn refused(text: &str, texts: &[&str]) -> (String, String) {
    let source = Source::new("m.eom", text);
    match memo::module(&source, &options("kane", texts)) {
        Ok(derived) => panic!("{}", derived.code),
        Err(Failure::Message(message)) => (String::new(), message),
        Err(Failure::Diagnostics(list)) => {
            let errors: Vec<_> = list.iter().filter(|d| d.code.starts_with('E')).collect();
            let codes: Vec<&str> = errors.iter().map(|d| d.code).collect();
            let titles: Vec<&str> = errors.iter().map(|d| d.title.as_str()).collect();
            (codes.join(" "), titles.join("; "))
        }
    }
}

const SPRING: &str = "model m\nparam mass = 2 : kg > 0\nparam stiff : N/m\nparam a = 1 : m\nparam b = 3 : m\nassume b - a > 0\n\
    coord x : m\npoint P = O + x*N.x\nparticle A: mass mass at P\nforce on P: -stiff*x/(b - a)*a*N.x\n";

#[test]
fn what_cannot_be_fixed_is_refused() {
    let cases = [
        (&["stif=1"][..], "", "did you mean 'stiff'?"),
        (&["k=1"], "", "the model has mass, stiff, a, b"),
        (&["all"], "", "give a value for stiff"),
        (&["mass=0"], "E0123", "violates its assumptions"),
        (&["a=5", "b=2"], "E0123", "violate `b - a > 0`"),
    ];
    for (texts, code, part) in cases {
        let (found, said) = refused(SPRING, texts);
        assert_eq!(found, code, "{said}");
        assert!(said.contains(part), "{said}");
    }
    let free = SPRING.replace("assume b - a > 0\n", "");
    let (code, said) = refused(&free, &["a=1/3", "b=1/3"]);
    assert_eq!(code, "E0109", "{said}");
    assert!(said.contains("division by zero"), "{said}");
    let fine = Source::new("m.eom", SPRING);
    assert!(memo::module(&fine, &options("kane", &["a=1/3", "b=2/3"])).is_ok());
    for wrong in ["g", "g=", "g=x", "=1", "g=1/0", "g=--1"] {
        assert!(Fix::default().add(wrong).is_err(), "{wrong}");
    }
    let mut twice = fix(&["g=1"]);
    assert!(twice.add("g=2").is_err());
}
