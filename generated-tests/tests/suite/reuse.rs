//! Families and parts: the same machines as those that are written out, and as Gauss's principle has them.
#![cfg(feature = "pipeline")]

use eomgen::{EvalInput, Source, evaluator, options::DeriveOptions};
use generated_tests::compare::close;
use generated_tests::harness::{derived_with, eval_input, evaluated};
use generated_tests::memo;
use generated_tests::oracle::{Settings, check, check_source};
use generated_tests::reference::{load, model_source};

/// `m3` as `m[3]`, for the names that the family has.
fn counted(name: &str) -> String {
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let index = &name[letters.len()..];
    match (letters, index) {
        (_, "") | ("m", "0") => name.to_owned(),
        _ => format!("{letters}[{index}]"),
    }
}

/// The family with this many links has the accelerations of the model that is written out.
fn pendulum(family: &str, reference: &str, n: i64) {
    let mut reference = load(reference).unwrap();
    for name in &mut reference.coordinates {
        *name = counted(name);
    }
    for (name, _) in &mut reference.params {
        *name = counted(name);
    }
    for name in &mut reference.inputs {
        *name = counted(name);
    }
    let options = DeriveOptions {
        set: vec![("n".to_owned(), n)],
        ..DeriveOptions::default()
    };
    let family = derived_with(family, &options).unwrap();
    for state in &reference.states {
        let found = evaluated(&family, &eval_input(&reference, state)).unwrap();
        let found: Vec<f64> = reference
            .coordinates
            .iter()
            .map(|name| found.qddot.iter().find(|(n, _)| n == name).unwrap().1)
            .collect();
        close("q''", &found, &state.accelerations).unwrap();
    }
}

#[test]
fn absolute_angles() {
    for n in [1, 2, 3, 5, 10] {
        pendulum("pend_abs_n", &format!("pend_abs_{n}"), n);
    }
}

#[test]
fn relative_angles() {
    for n in [2, 5, 10] {
        pendulum("pend_rel_n", &format!("pend_rel_{n}"), n);
    }
}

/// Without `set` the count that the model states holds.
#[test]
fn the_count_of_the_model() {
    let found = derived_with("pend_abs_n", &DeriveOptions::default()).unwrap();
    let reference = load("pend_abs_5").unwrap();
    let input = eval_input(&reference, &reference.states[0]);
    // The names are other ones, and all of them are asked for.
    let complaint = evaluated(&found, &input).unwrap_err();
    assert!(
        complaint.contains("theta[5]") && !complaint.contains("theta[6]"),
        "{complaint}"
    );
}

#[test]
#[ignore = "a quarter of a minute: cargo test -p generated-tests --test suite reuse -- --ignored"]
fn two_arms_by_gauss() {
    let settings = Settings {
        about: vec![
            ("left.q[1]", 2.0),
            ("left.q[2]", -1.2),
            ("right.q[1]", 1.0),
            ("right.q[2]", 1.1),
        ],
        spread: 0.2,
        ..Settings::default()
    };
    check_source(&model_source("two_arms").unwrap(), &settings).unwrap_or_else(|e| panic!("{e}"));
}

/// The two arms without a part: every statement written twice.
fn written_out() -> String {
    let mut text = String::from(
        "model two_arms
param g = 9.81, w = 0.2, M = 5, J = 0.3
coord x, y, phi
frame T = rotate(N, phi, N.z)
point C = O + x*N.x + y*N.y
body trunk: frame T, mass M, center C, inertia [J, J, J]
gravity: -g*N.y
",
    );
    for (side, sign, lengths, mass) in [
        ("left", "-", ["0.4", "0.4"], "0.8"),
        ("right", "+", ["0.5", "0.3"], "M/10"),
    ] {
        text.push_str(&format!("point {side}_J0 = C {sign} w*T.x\n"));
        let mut base = "T".to_owned();
        for (link, l) in (1..).zip(lengths) {
            let (before, own) = (link - 1, format!("{side}_B{link}"));
            text.push_str(&format!(
                "coord {side}_q{link}
input {side}_tau{link}
frame {own} = rotate({base}, {side}_q{link}, {own}.z)
point {side}_G{link} = {side}_J{before} + {l}/2*{own}.x
point {side}_J{link} = {side}_J{before} + {l}*{own}.x
body {side}_link{link}: frame {own}, mass {mass}, center {side}_G{link}, inertia [0, {mass}*{l}^2/12, {mass}*{l}^2/12]
torque on {own}, opposite on {base}: ({side}_tau{link} - 0.05*{side}_q{link}')*N.z
"
            ));
            base = own;
        }
    }
    text + "constraint bar: norm(right_J2 - left_J2) = 0.6\n"
}

#[test]
fn two_arms_are_what_they_stand_for() {
    let options = DeriveOptions::default();
    let part = memo::evaluator(&model_source("two_arms").unwrap(), &options).unwrap();
    let flat = evaluator("flat.eom", &written_out(), &options).unwrap();
    let plain = |name: &str| {
        name.replace(".q[", "_q")
            .replace(".tau[", "_tau")
            .replace(']', "")
    };
    let coordinates = [
        "x",
        "y",
        "phi",
        "left.q[1]",
        "left.q[2]",
        "right.q[1]",
        "right.q[2]",
    ];
    let inputs = ["left.tau[1]", "left.tau[2]", "right.tau[1]", "right.tau[2]"];
    for seed in 0..4 {
        let value = |i: usize| (1.7 * (i as f64 + 1.0) + 0.9 * f64::from(seed)).sin();
        let named = |names: &[&str], shift: usize, renamed: bool| {
            let name = |name: &str| {
                if renamed {
                    plain(name)
                } else {
                    name.to_owned()
                }
            };
            let pairs = names.iter().enumerate();
            pairs
                .map(|(i, n)| (name(n), value(i + shift)))
                .collect::<Vec<_>>()
        };
        let input = |renamed: bool| EvalInput {
            states: Default::default(),
            t: 0.0,
            params: Default::default(),
            q: named(&coordinates, 0, renamed).into_iter().collect(),
            qdot: Some(named(&coordinates, 10, renamed).into_iter().collect()),
            speeds: None,
            inputs: named(&inputs, 20, renamed).into_iter().collect(),
            functions: Default::default(),
        };
        let (one, other) = (
            part.eval(&input(false)).unwrap(),
            flat.eval(&input(true)).unwrap(),
        );
        let values = |list: &[(String, f64)]| list.iter().map(|(_, v)| *v).collect::<Vec<_>>();
        for (name, value) in &one.qddot {
            let same = other.qddot.iter().find(|(n, _)| *n == plain(name)).unwrap();
            assert!(
                (value - same.1).abs() < 1e-9 * value.abs().max(1.0),
                "{name}: {value} {}",
                same.1
            );
        }
        close(
            "multipliers",
            &values(&one.multipliers),
            &values(&other.multipliers),
        )
        .unwrap();
        assert!((one.gibbs.unwrap() - other.gibbs.unwrap()).abs() < 1e-8 * one.gibbs.unwrap());
    }
}

/// Loops, sums, empty ranges and families of functions in a machine that is checked as a whole.
#[test]
fn loops_by_gauss() {
    let text = "model net
const n = 2
param m[1..n] = [1.1, 0.7]
param k = 3
coord z[0..n], q[1..n]
function h[1..2](q[1], t)
point P[0] = O + z[0]*N.x
for i in 1..n {
    frame B[i] = rotate(N, i*q[i]/2, N.z)
    point P[i] = P[i - 1] + (1 + z[i]/4)*B[i].x + h[i]/10*N.y
    body K[i]: frame B[i], mass m[i], center P[i], inertia [0.1, 0.2, 0.3*i]
    for j in 1..i - 1 {
        force on P[i], opposite on P[j]: -k*(P[i] - P[j])
    }
}
particle A: mass sum(i in 1..n, m[i]) at P[0]
group all: A, K[1..n]
gravity: -9.81*N.y
constraint c[1]: sum(i in 1..n, q[i]) = z[0]
output e = sum(i in 1..n, m[i]*vel(P[i])) + sum(i in 1..n, m[i])*vel(P[0])
output s = sum(i in 2..1, m[i]) + sum(i in 1..n, sum(j in i..n, i*j*q[j]'))
";
    let settings = Settings {
        functions: vec![("h[1]", "sin(q[1]) + t"), ("h[2]", "q[1]*t")],
        ..Settings::default()
    };
    check(text, &settings).unwrap_or_else(|e| panic!("{e}"));
}

/// What a module is fresh against: the model, its parts, and what is set.
#[test]
fn parts_and_constants_enter_the_header() {
    let source = model_source("pend_abs_n").unwrap();
    let derive = |source: &Source, n: Option<i64>| {
        let set = n.map(|n| ("n".to_owned(), n)).into_iter().collect();
        let options = DeriveOptions {
            set,
            ..DeriveOptions::default()
        };
        let code = memo::module(source, &options).unwrap().code;
        let line = code.lines().nth(1).unwrap().to_owned();
        let (hash, options) = line.split_once("  options: ").unwrap();
        (hash.to_owned(), options.to_owned())
    };
    let (first, options) = derive(&source, None);
    assert!(!options.contains("set"), "{options}");
    let (second, options) = derive(&source, Some(2));
    assert!(options.ends_with("set.n=2"), "{options}");
    assert_ne!(first, second);
    let mut arms = model_source("two_arms").unwrap();
    arms.text = "model one_arm\nuse \"parts/arm.eom\" as arm(shoulder = O, base = N)\n".into();
    let mut edited = arms.clone();
    let text = edited.parts[0].text.as_mut().unwrap();
    *text = text.replace("0.05", "0.06");
    let reader = |source: &Source| derive(source, None).0;
    assert_ne!(reader(&arms), reader(&edited));
}
