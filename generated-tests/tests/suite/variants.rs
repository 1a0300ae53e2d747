//! Modules with options that change the code as a whole are what the library would write now.
#![cfg(feature = "pipeline")]

use eomgen::{Failure, Source, Standing, options::DeriveOptions};
use generated_tests::memo;
use generated_tests::oracle::is_thorough;
use generated_tests::reference::model_text;
use generated_tests::refreshing::{VARIANTS, fresh_variant, variant, variants};

fn options(text: &str) -> DeriveOptions {
    variant(text).unwrap()
}

fn model(name: &str) -> Source {
    Source::new(&format!("{name}.eom"), &model_text(name).unwrap())
}

#[test]
fn variants_are_fresh() {
    let mut stale = Vec::new();
    for (module, model, options) in VARIANTS {
        let path = variants().join(format!("{module}.rs"));
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        if found.replace("\r\n", "\n") != fresh_variant(model, options).unwrap() {
            stale.push(module);
        }
    }
    assert!(
        stale.is_empty(),
        "stale: {stale:?}; run `cargo run -p generated-tests --bin refresh`"
    );
}

#[test]
fn batches_have_no_generic_form() {
    let options = options("method=kane form=auto scalar=generic batch=true");
    match memo::module(&model("sleigh_ref"), &options) {
        Err(Failure::Message(message)) => assert!(message.contains("--batch"), "{message}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn generic_modules_leave_sines_and_sums_to_their_type() {
    for option in ["fma=true", "math=inline"] {
        let options = options(&format!("method=kane form=auto scalar=generic {option}"));
        match memo::module(&model("sleigh_ref"), &options) {
            Err(Failure::Message(message)) => assert!(message.contains("--fma"), "{message}"),
            other => panic!("{other:?}"),
        }
    }
}

/// Fused operations and the module's own sines say what the model says.
#[test]
fn fused_code_is_proven() {
    let source = model("disc");
    let code = memo::module(
        &source,
        &options("method=kane form=auto math=inline fma=true"),
    )
    .unwrap()
    .code;
    assert!(code.contains("f64::mul_add(") && code.contains("= sincos("));
    let verify = |code: String| {
        let options = eomgen::options::VerifyOptions {
            file: Some(("m.rs".to_owned(), code)),
            states: 1,
            ..Default::default()
        };
        memo::certificate(&source, &options).unwrap()
    };
    let certificate = verify(code.clone());
    assert!(certificate.holds(), "{certificate}");
    // One product that is subtracted in place of added is noticed, and so are other sines.
    let wrong = code.replacen("f64::mul_add(", "f64::mul_add(-", 1);
    assert!(!verify(wrong).holds());
    let wrong = code.replace("let z = x * x;", "let z = x * first;");
    assert_ne!(wrong, code);
    assert!(!verify(wrong).holds());
}

/// A module for `f32` is proven like one for `f64`, to the rounding of its literals; small errors in it are noticed.
#[test]
fn single_precision_is_proven() {
    let plain = "method=lagrange form=auto scalar=f32";
    let inline = "method=kane form=auto math=inline scalar=f32 fma=true";
    let libm = "method=udwadia-kalaba form=auto math=libm scalar=f32";
    for (name, text) in [
        ("pend_abs_2", plain),
        ("crane", plain),
        ("sleigh_ref", inline),
        ("e4_sleigh", libm),
    ] {
        let source = model(name);
        let code = memo::module(&source, &options(text)).unwrap().code;
        let verify = |code: String| {
            let options = eomgen::options::VerifyOptions {
                file: Some(("m.rs".to_owned(), code)),
                states: 1,
                ..Default::default()
            };
            memo::certificate(&source, &options).unwrap()
        };
        let certificate = verify(code.clone());
        assert!(certificate.holds(), "{name}: {certificate}");
        // A sign, an operator, a digit that is not rounding; another tolerance.
        let start = code.find("pub fn accelerations").unwrap();
        for (from, to) in [(" + ", " - "), (" * ", " / "), ("0.5", "0.50001")] {
            let (head, tail) = code.split_at(start);
            let mut lines = tail.split_inclusive('\n');
            let line = lines.find(|line| !line.trim().starts_with("//") && line.contains(from));
            let Some(line) = line else { continue };
            let tail = tail.replacen(line, &line.replacen(from, to, 1), 1);
            let wrong = format!("{head}{tail}");
            assert!(!verify(wrong).holds(), "{name}: {from} {to}");
        }
        if code.contains("SINGULAR_TOLERANCE: f32 = 5e-4") {
            let wrong = code.replace(
                "SINGULAR_TOLERANCE: f32 = 5e-4",
                "SINGULAR_TOLERANCE: f32 = 1e-12",
            );
            assert!(!verify(wrong).holds(), "{name}");
        }
    }
}

/// Small errors of every kind in a module for `f32`, as `mutants.rs` has them for all modules.
#[test]
fn small_errors_in_single_precision_are_noticed() {
    let source = model("pend_abs_2");
    let wanted = options("method=lagrange form=auto scalar=f32");
    let code = memo::module(&source, &wanted).unwrap().code;
    let request = eomgen::internals::verify::proof::Request { states: 2, seed: 7 };
    let report =
        eomgen::internals::pipeline::mutate_source(&source, ("m.rs", &code), request, 1).unwrap();
    let survivors = report.survivors.len();
    assert!(report.caught > 200, "{}", report.caught);
    assert!(survivors * 50 < report.caught, "{:?}", report.survivors);
}

#[test]
fn modules_for_any_number_and_functions_of_many_states_are_proven() {
    let cases = [
        ("pend_abs_2", "scalar=generic"),
        ("pend_abs_2", "batch=true"),
        ("pend_abs_2", "batch=true scalar=f32"),
    ];
    for (name, other) in cases {
        let wanted = options(&format!("method=lagrange form=auto {other}"));
        let source = model(name);
        let code = memo::module(&source, &wanted).unwrap().code;
        let verify = eomgen::options::VerifyOptions {
            file: Some(("m.rs".to_owned(), code)),
            ..Default::default()
        };
        let certificate = memo::certificate(&source, &verify).unwrap();
        assert_eq!(
            certificate.standing(),
            Standing::Verified,
            "{name}, {other}: {certificate}"
        );
    }
}

/// The checked-in modules with functions of many states: columns, stages with calls of the user's functions, checks.
#[test]
fn functions_of_many_states_are_proven() {
    let mut count = 0;
    for (module, of, _) in VARIANTS {
        let path = variants().join(format!("{module}.rs"));
        let code = std::fs::read_to_string(&path).unwrap();
        let is_large = code.len() > 100_000;
        if !code.contains("enum BatchError") || is_large && !is_thorough() {
            continue;
        }
        let verify = eomgen::options::VerifyOptions {
            file: Some((format!("{module}.rs"), code)),
            ..Default::default()
        };
        let certificate = memo::certificate(&model(of), &verify).unwrap();
        assert_eq!(
            certificate.standing(),
            Standing::Verified,
            "{module}: {certificate}"
        );
        let proof = certificate.texts[0].proof.as_ref().unwrap();
        let names = ["accelerations_batch", "derivative_batch"];
        assert!(
            names
                .iter()
                .all(|name| proof.functions.iter().any(|f| f.name == *name)),
            "{certificate}"
        );
        count += 1;
    }
    assert!(count > 5, "{count}");
}
