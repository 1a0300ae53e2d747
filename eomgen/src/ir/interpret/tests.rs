use super::*;
use crate::ir::testing::{Build, Point, program};
use crate::ir::{Check, RoutineKind};

fn value(text: &str, point: [f64; 5]) -> f64 {
    let program = program(Build::Raw, &[text]);
    let outputs = Evaluator::new(&program, &program.functions[0]).run(&Point(point));
    outputs.unwrap()[0]
}

#[test]
fn instructions() {
    use std::f64::consts::PI;
    let point = [0.5, -2.0, 3.0, 4.0, 0.0];
    for (text, expected) in [
        ("-7/4", -1.75),
        ("pi", PI),
        ("c", 3.0),
        ("(+ a b)", -1.5),
        ("(- a b)", 2.5),
        ("(* b c)", -6.0),
        ("(/ c d)", 0.75),
        ("(neg b)", 2.0),
        ("(abs b)", 2.0),
        ("(sign b)", -1.0),
        ("(sign c)", 1.0),
        ("(sign e)", 0.0),
        ("(sqrt d)", 2.0),
        ("(sin (/ pi 2))", 1.0),
        ("(cos pi)", -1.0),
        ("(acos -1)", PI),
        ("(asin 1)", PI / 2.0),
        ("(atan 1)", PI / 4.0),
        ("(tan (atan c))", 3.0),
        ("(atan2 c -3)", 3.0 * PI / 4.0),
        ("(exp (ln c))", 3.0),
        ("(- (cosh a) (sinh a))", (-0.5_f64).exp()),
        ("(/ (sinh a) (cosh a))", 0.5_f64.tanh()),
        ("(tanh (ln c))", 0.8),
        ("(^ d 3/2)", 8.0),
        ("(^ b 3)", -8.0),
        ("(min b c)", -2.0),
        ("(max b c)", 3.0),
        ("(< b c a d)", 0.5),
        ("(<= c c a d)", 0.5),
        ("(> b c a d)", 4.0),
        ("(>= b c a d)", 4.0),
        ("(< (/ e e) c a d)", 4.0),
        ("(>= (/ e e) c a d)", 4.0),
        ("(F c b)", -18.0),
        ("(Fb c b)", 9.0),
    ] {
        let found = value(text, point);
        assert!(
            (found - expected).abs() < 1e-15 * expected.abs().max(1.0) * 2.0,
            "{text}: {found}"
        );
    }
    assert!(value("(sign (/ e e))", point).is_nan());
}

/// `f` with `a` checked against the scale `b` if it is given, then `c`; the output is 1/(a c).
fn checked(scaled: bool, point: [f64; 5]) -> Result<Vec<f64>, Failure> {
    let mut program = program(Build::Raw, &["a", "b", "c", "(/ 1 (* a c))"]);
    let function = &mut program.functions[0];
    let [a, b, c, out] = function.outputs[..] else {
        panic!("four")
    };
    function.outputs = vec![out];
    for (value, scale, condition) in [(a, scaled.then_some(b), 7), (c, None, 3)] {
        function.checks.push(Check {
            value,
            scale,
            condition,
        });
    }
    Evaluator::new(&program, &program.functions[0]).run(&Point(point))
}

fn condition(result: Result<Vec<f64>, Failure>) -> Option<u32> {
    match result {
        Err(Failure::Singular { condition, .. }) => Some(condition),
        _ => None,
    }
}

#[test]
fn checks() {
    let at = |a, b, c| [a, b, c, 0.0, 0.0];
    assert_eq!(checked(false, at(0.5, 0.0, -4.0)), Ok(vec![-0.5]));
    assert_eq!(condition(checked(false, at(0.0, 0.0, 1.0))), Some(7));
    assert_eq!(condition(checked(false, at(1.0, 0.0, 0.0))), Some(3));
    assert_eq!(condition(checked(false, at(0.0, 0.0, 0.0))), Some(7));
    assert!(checked(false, at(-1e-30, 0.0, 1.0)).is_ok());
    assert_eq!(condition(checked(true, at(1e-3, 1e9, 1.0))), Some(7));
    assert_eq!(condition(checked(true, at(1e-3, -1e9, 1.0))), Some(7));
    assert!(checked(true, at(1e-20, 1e-12, 1.0)).is_ok());
    assert_eq!(condition(checked(true, at(0.9, 1e9, 1.0))), Some(7));
    assert!(checked(true, at(1.1, 1e9, 1.0)).is_ok());
    let overflow = checked(false, at(1e-200, 0.0, 1e-200));
    assert_eq!(overflow, Err(Failure::NotFinite));
    assert_eq!(condition(checked(true, at(0.0, 0.0, 1.0))), Some(7));
    assert_eq!(condition(checked(false, at(f64::NAN, 0.0, 1.0))), Some(7));
    assert_eq!(condition(checked(true, at(1.0, f64::NAN, 1.0))), Some(7));
    let failure = checked(true, at(0.0, 2.0, 1.0)).unwrap_err();
    assert_eq!(failure.to_string(), "condition 7 fails: 0e0 against 2e0");
}

#[test]
fn routines() {
    // The least x with a x1 + b x2 = c; then the same row with two right-hand sides.
    let mut program = program(Build::Raw, &["a", "b", "c", "d"]);
    let [a, b, c, d] = program.functions[0].outputs[..] else {
        panic!("four")
    };
    let g = &mut program.graph;
    let kind = |rows| RoutineKind::MinimumNorm { rows, cols: 2 };
    let least = g.routine(kind(1), &[a, b, c]);
    let outputs = [0, 1].map(|index| g.element(least, index));
    let twice = g.routine(kind(2), &[a, b, a, b, c, d]);
    let other = g.element(twice, 0);
    program.functions[0].outputs = outputs.to_vec();
    let run = |program: &Program, point| {
        Evaluator::new(program, &program.functions[0]).run(&Point(point))
    };
    let found = run(&program, [3.0, 4.0, 5.0, 6.0, 0.0]).unwrap();
    assert!((found[0] - 0.6).abs() < 1e-15 && (found[1] - 0.8).abs() < 1e-15);
    program.functions[0].outputs.push(other);
    let error = RoutineError::Inconsistent;
    assert_eq!(
        run(&program, [3.0, 4.0, 5.0, 6.0, 0.0]),
        Err(Failure::Routine {
            routine: twice,
            error
        })
    );
    assert!(run(&program, [3.0, 4.0, 5.0, 5.0, 0.0]).is_ok());
}

#[test]
fn an_evaluator_runs_again() {
    let program = program(Build::Raw, &["(* a (F b c))"]);
    let mut evaluator = Evaluator::new(&program, &program.functions[0]);
    let first = evaluator.run(&Point([2.0, 3.0, 5.0, 0.0, 0.0]));
    let second = evaluator.run(&Point([1.0, 1.0, 7.0, 0.0, 0.0]));
    assert_eq!((first, second), (Ok(vec![90.0]), Ok(vec![7.0])));
}

#[test]
fn deep_graphs_need_no_stack() {
    let mut program = program(Build::Raw, &["a"]);
    let a = program.functions[0].outputs[0];
    let mut sum = a;
    for _ in 0..100_000 {
        sum = program.graph.intern(Op::Binary(Binary::Add, sum, a));
    }
    program.functions[0].outputs = vec![sum];
    let found = Evaluator::new(&program, &program.functions[0]).run(&Point([0.5; 5]));
    assert_eq!(found, Ok(vec![50_000.5]));
}
