use super::*;
use crate::ir::testing::{Build, Point, program};

/// Both are equal at every point of the field where both are defined, and that is somewhere.
fn same(left: &str, right: &str) -> bool {
    let pair = program(Build::Raw, &[left, right]);
    let values = |seed| evaluate(&pair.graph, &pair.functions[0].outputs, seed);
    let values: Vec<_> = (0..8).filter_map(values).collect();
    assert!(!values.is_empty(), "{left} or {right} is nowhere defined");
    values.iter().all(|v| v[0] == v[1])
}

#[test]
fn identities_hold() {
    for (left, right) in [
        ("(/ (- (* a a) (* b b)) (- a b))", "(+ a b)"),
        ("(+ (* (sin a) (sin a)) (* (cos a) (cos a)))", "1"),
        ("(/ (sin a) (cos a))", "(tan a)"),
        ("(sin (- a b))", "(neg (sin (- b a)))"),
        ("(cos (- a b))", "(cos (- b a))"),
        ("(- (* (cosh a) (cosh a)) (* (sinh a) (sinh a)))", "1"),
        ("(* (exp a) (exp (neg a)))", "1"),
        ("(exp a)", "(+ (sinh a) (cosh a))"),
        ("(tanh a)", "(/ (sinh a) (cosh a))"),
        ("(sqrt (* a a))", "(abs a)"),
        ("(* a (sign a))", "(abs a)"),
        ("(+ (min a b) (max a b))", "(+ a b)"),
        ("(min a b)", "(min b a)"),
        ("(max a b)", "(neg (min (neg a) (neg b)))"),
        ("(< a b c d)", "(>= a b d c)"),
        ("(< a b c d)", "(> b a c d)"),
        ("(^ a 3)", "(* a (* a a))"),
        ("(^ a -2)", "(/ 1 (* a a))"),
        ("(^ a 1/2)", "(sqrt a)"),
        ("(F (+ a b) c)", "(F (+ b a) c)"),
        ("(asin (- a b))", "(neg (asin (- b a)))"),
    ] {
        assert!(same(left, right), "{left} is {right}");
    }
}

#[test]
fn differences_show() {
    for (left, right) in [
        ("a", "b"),
        ("(* a b)", "(+ a b)"),
        ("(sin a)", "(cos a)"),
        ("(sin a)", "(sin b)"),
        ("(sqrt (* a a))", "a"),
        ("(F a b)", "(F b a)"),
        ("(F a b)", "(Fb a b)"),
        ("(exp a)", "(exp (neg a))"),
        ("(acos a)", "(asin a)"),
        ("(min a b)", "(max a b)"),
        ("(atan2 a b)", "(atan2 b a)"),
        ("(+ a 1/1000000000000000000000)", "a"),
        ("pi", "22/7"),
    ] {
        assert!(!same(left, right), "{left} is not {right}");
    }
}

#[test]
fn poles_have_no_value() {
    for text in ["(/ a (- b b))", "(^ (- b b) -1)", "(tan (* 1/2 pi))"] {
        let p = program(Build::Raw, &[text]);
        assert_eq!(
            evaluate(&p.graph, &p.functions[0].outputs, 1),
            None,
            "{text}"
        );
    }
}

#[test]
fn inputs_can_be_given() {
    let p = program(Build::Raw, &["(+ (* a b) c)"]);
    let input = |slot: Slot| Residue::from_integer([2, -3, 5][slot.index as usize]);
    let values = evaluate_at(&p.graph, &p.functions[0].outputs, 0, input);
    assert_eq!(values, Some(vec![-Residue::ONE]));
}

/// The field's exact routines and the floating ones mean the same.
#[test]
fn routines_agree_with_the_floating_ones() {
    let minimum = |rows, cols| RoutineKind::MinimumNorm { rows, cols };
    let constrained = |n, m| RoutineKind::Constrained { n, m };
    let cases: [(RoutineKind, &[i64]); 6] = [
        (minimum(1, 2), &[3, 4, 5]),
        (minimum(3, 2), &[1, 1, 2, 2, 0, 0, 2, 4, 0]),
        (minimum(2, 3), &[1, 1, 1, 1, -1, 0, 3, 2]),
        (constrained(2, 1), &[2, 0, 0, 2, 0, -20, 1, 1, 0]),
        (constrained(2, 2), &[2, 0, 0, 2, 0, -20, 1, 1, 2, 2, 0, 0]),
        (constrained(2, 1), &[2, 0, 0, 0, 4, 2, 1, -1, 0]),
    ];
    for (kind, operands) in cases {
        let mut p = program(Build::Raw, &[]);
        let values: Vec<Value> = operands.iter().map(|&x| p.graph.integer(x)).collect();
        let routine = p.graph.routine(kind, &values);
        let results = (0..kind.results() as u32).map(|i| p.graph.element(routine, i));
        p.functions[0].outputs = results.collect();
        let function = &p.functions[0];
        let exact = evaluate(&p.graph, &function.outputs, 0).unwrap();
        let mut evaluator = crate::ir::interpret::Evaluator::new(&p, function);
        let floating = evaluator.run(&Point([0.0; 5])).unwrap();
        for (exact, floating) in exact.iter().zip(floating) {
            let (n, d) = exact.fraction().unwrap();
            assert!((n as f64 / d as f64 - floating).abs() < 1e-14, "{kind:?}");
        }
    }
    let contradiction = minimum(2, 1);
    let operands = [1, 1, 1, 2].map(Residue::from_integer);
    assert_eq!(super::routine(contradiction, &operands), None);
}
