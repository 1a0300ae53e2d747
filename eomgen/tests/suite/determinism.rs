//! The same model and options give the same bytes, whatever was derived before in the process.
#![cfg(all(feature = "cli", feature = "derive"))]

use crate::shared_models::{APPELL, CART, NONIDEAL, PENDULUM, SLEIGH, WHEEL};
use eomgen::{
    derive,
    options::{DeriveOptions, Form},
};
use std::io::Write;
use std::process::{Command, Stdio};

const METHODS: [&str; 4] = ["kane", "gibbs-appell", "lagrange", "udwadia-kalaba"];

/// Model, method, form.
type Case = (&'static str, &'static str, Form);

fn code((model, method, form): Case) -> String {
    let options = DeriveOptions {
        method: Some(method.into()),
        form,
        ..DeriveOptions::default()
    };
    derive("model.eom", model, &options).unwrap().code
}

/// The bytes of a process that has derived nothing else.
fn fresh((model, method, form): Case) -> String {
    let form = match form {
        Form::Auto => "auto",
        Form::Closed => "closed",
        Form::Staged => "staged",
    };
    let mut child = Command::new(env!("CARGO_BIN_EXE_eomgen"))
        .args(["derive", "-", "--method", method, "--form", form])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(model.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout)
        .unwrap()
        .replace("<stdin>", "model.eom")
}

/// Derives all in a row, then all backwards: each time as in a process of its own.
fn check(cases: &[Case]) {
    let expect: Vec<String> = cases.iter().map(|c| fresh(*c)).collect();
    for (case, expect) in cases.iter().zip(&expect) {
        assert_eq!(code(*case), *expect, "{} {:?}", case.1, case.2);
    }
    for (case, expect) in cases.iter().zip(&expect).rev() {
        assert_eq!(code(*case), *expect, "{} {:?}, again", case.1, case.2);
    }
}

#[test]
fn every_method_in_closed_form() {
    for model in [SLEIGH, APPELL, NONIDEAL] {
        check(&METHODS.map(|m| (model, m, Form::Closed)));
    }
}

#[test]
fn every_method_in_stages() {
    for model in [SLEIGH, APPELL, PENDULUM] {
        check(&METHODS.map(|m| (model, m, Form::Staged)));
    }
}

#[test]
fn formulations_for_linear_constraints() {
    let methods = ["maggi", "boltzmann-hamel", "jourdain", "appell-reduced"];
    check(&methods.map(|m| (SLEIGH, m, Form::Closed)));
}

#[test]
#[ignore = "half a minute: cargo test -p eomgen --test suite determinism -- --ignored"]
fn formulations_for_linear_constraints_in_stages() {
    let methods = ["maggi", "boltzmann-hamel", "jourdain", "appell-reduced"];
    check(&methods.map(|m| (WHEEL, m, Form::Staged)));
}

#[test]
fn models_one_after_another() {
    check(&[
        (WHEEL, "kane", Form::Auto),
        (SLEIGH, "kane", Form::Closed),
        (PENDULUM, "lagrange", Form::Closed),
        (SLEIGH, "kane", Form::Staged),
        (CART, "udwadia-kalaba", Form::Staged),
        (APPELL, "gibbs-appell", Form::Closed),
        (WHEEL, "lagrange", Form::Staged),
        (NONIDEAL, "udwadia-kalaba", Form::Auto),
    ]);
}

/// What could order terms: the names. Another model with the same symbols in another order comes first.
#[test]
fn the_same_names_in_another_order() {
    let swapped = SLEIGH
        .replace("coord x, y : m", "coord y, x : m")
        .replace("m1 = 1.3, m2 = 0.8", "m2 = 0.8, m1 = 1.3");
    assert_ne!(swapped, SLEIGH);
    let alone = fresh((SLEIGH, "kane", Form::Closed));
    let options = DeriveOptions::default();
    derive("swapped.eom", &swapped, &options).unwrap();
    assert_eq!(code((SLEIGH, "kane", Form::Closed)), alone);
}
