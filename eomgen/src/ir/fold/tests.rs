//! Each rule: what goes in, what comes out, and that both are the same number.

use super::*;
use crate::ir::field;
use crate::ir::interpret::Evaluator;
use crate::ir::testing::{Build, POINTS, program, read};
use crate::ir::{Comparison, Slot};

/// `before` built folded is `after` built as it stands; both have the same value at points of the reals and of the field.
fn check(before: &str, after: &str) {
    let mut g = Graph::new();
    let expected = read(&mut g, Build::Raw, after);
    let folded = read(&mut g, Build::Folded, before);
    let show = |v| g.op(v);
    assert_eq!(
        folded,
        expected,
        "{before} gives {:?}, not {after} = {:?}",
        show(folded),
        show(expected)
    );
    let pair = program(Build::Raw, &[before, after]);
    let mut compared = 0;
    for point in &POINTS {
        let values = Evaluator::new(&pair, &pair.functions[0])
            .run(point)
            .unwrap();
        let [raw, folded] = [values[0], values[1]];
        if raw.is_finite() {
            compared += 1;
            let error = (raw - folded).abs();
            assert!(
                error <= 1e-15 + 4e-15 * raw.abs(),
                "{before}: {raw} and {folded}"
            );
        }
    }
    assert!(compared > 0, "{before} is nowhere defined");
    let mut compared = 0;
    for seed in 0..8 {
        if let Some(values) = field::evaluate(&pair.graph, &pair.functions[0].outputs, seed) {
            compared += 1;
            assert_eq!(values[0], values[1], "{before} in the field");
        }
    }
    assert!(compared > 0, "{before} is nowhere defined in the field");
}

fn stays(text: &str) {
    check(text, text);
}

#[test]
fn negation() {
    check("(neg 2/3)", "-2/3");
    check("(neg (neg a))", "a");
    check("(neg (- a b))", "(- b a)");
    stays("(neg a)");
    stays("(neg (* 2 a))");
    stays("(neg (+ a b))");
}

#[test]
fn sums() {
    check("(+ 1/2 1/3)", "5/6");
    check("(+ a 0)", "a");
    check("(+ 0 a)", "a");
    check("(+ a a)", "(* 2 a)");
    check("(+ a (neg a))", "0");
    check("(+ a (neg b))", "(- a b)");
    check("(+ (neg a) b)", "(- b a)");
    check("(+ (* 2 a) (* 3 a))", "(* 5 a)");
    check("(+ a (* -3 a))", "(* -2 a)");
    check("(+ (* 1/2 a) (* 1/2 a))", "a");
    check("(+ (neg (* 2 a)) (* 5 a))", "(* 3 a)");
    check("(+ (* -2 a) (* 2 a))", "0");
    stays("(+ (* 2 a) (* 2 b))");
    stays("(+ a 1)");
    check("(+ pi pi)", "(* 2 pi)");
}

#[test]
fn differences() {
    check("(- 1/2 1/3)", "1/6");
    check("(- a 0)", "a");
    check("(- 0 a)", "(neg a)");
    check("(- 0 (- a b))", "(- b a)");
    check("(- a a)", "0");
    check("(- a (neg b))", "(+ a b)");
    check("(- (neg a) (neg b))", "(- b a)");
    check("(- (* 2 a) (* 3 a))", "(neg a)");
    check("(- (* 5 a) a)", "(* 4 a)");
    check("(- (neg a) a)", "(* -2 a)");
    stays("(- a b)");
    stays("(- (neg a) b)");
}

#[test]
fn products() {
    check("(* 2/3 3/2)", "1");
    check("(* 0 a)", "0");
    check("(* a 1)", "a");
    check("(* -1 a)", "(neg a)");
    check("(* -1 (- a b))", "(- b a)");
    check("(* 2 (* 3 a))", "(* 6 a)");
    check("(* (* 1/2 a) 2)", "a");
    check("(* (neg a) b)", "(neg (* a b))");
    check("(* a (neg b))", "(neg (* a b))");
    check("(* (neg a) (neg b))", "(* a b)");
    check("(* 2 (neg a))", "(neg (* 2 a))");
    check("(* -2 (neg a))", "(neg (* -2 a))");
    check("(* 2 (neg (* 3 a)))", "(neg (* 6 a))");
    stays("(* a a)");
    stays("(* (* 2 a) b)");
    stays("(* (* 2 a) (* 3 b))");
}

#[test]
fn quotients() {
    check("(/ 1 4)", "1/4");
    check("(/ a 4)", "(* 1/4 a)");
    check("(/ a -1)", "(neg a)");
    check("(/ (* 6 a) 4)", "(* 3/2 a)");
    check("(/ 0 a)", "0");
    check("(/ a a)", "1");
    check("(/ a (neg a))", "-1");
    check("(/ (* 6 a) (* 4 a))", "3/2");
    check("(/ (neg a) b)", "(neg (/ a b))");
    check("(/ a (neg b))", "(neg (/ a b))");
    check("(/ (neg a) (neg b))", "(/ a b)");
    check("(/ 6 (* 4 a))", "(/ 3/2 a)");
    stays("(/ a (/ b c))");
    stays("(/ (* a b) a)");
    stays("(/ (* 2 a) (* 4 b))");
}

#[test]
fn nothing_is_divided_by_zero() {
    let mut g = Graph::new();
    let a = g.input(Slot { group: 0, index: 0 });
    for numerator in [a, g.zero(), g.one()] {
        let quotient = g.div(numerator, g.zero());
        assert_eq!(
            g.op(quotient),
            &Op::Binary(Binary::Div, numerator, g.zero())
        );
    }
}

#[test]
fn odd_and_even_functions() {
    for odd in ["sin", "tan", "asin", "atan", "sinh", "tanh", "sign"] {
        check(&format!("({odd} (neg a))"), &format!("(neg ({odd} a))"));
        check(&format!("({odd} (- 0 a))"), &format!("(neg ({odd} a))"));
    }
    for even in ["cos", "cosh", "abs"] {
        check(&format!("({even} (neg a))"), &format!("({even} a)"));
    }
    for neither in ["acos", "exp"] {
        stays(&format!("({neither} (neg a))"));
    }
    check("(abs (abs a))", "(abs a)");
    check("(abs (sqrt a))", "(sqrt a)");
    stays("(sqrt (* a a))");
    stays("(sin (* -2 a))");
}

#[test]
fn special_values() {
    for zero in [
        "sin", "tan", "asin", "atan", "sinh", "tanh", "sqrt", "abs", "sign",
    ] {
        check(&format!("({zero} 0)"), "0");
    }
    for one in ["cos", "cosh", "exp"] {
        check(&format!("({one} 0)"), "1");
    }
    check("(ln 1)", "0");
    check("(acos 1)", "0");
    check("(sqrt 9/4)", "3/2");
    stays("(sqrt 2)");
    stays("(sqrt 4/3)");
    check("(abs -3/2)", "3/2");
    check("(sign -3/2)", "-1");
    check("(sign 7)", "1");
    stays("(exp 1)");
    stays("(sin 1)");
}

#[test]
fn quarter_turns() {
    for (quarters, sine, cosine) in [
        ("0", "0", "1"),
        ("1/2", "1", "0"),
        ("1", "0", "-1"),
        ("3/2", "-1", "0"),
        ("2", "0", "1"),
        ("-1/2", "-1", "0"),
        ("-1", "0", "-1"),
        ("7/2", "-1", "0"),
        ("5", "0", "-1"),
    ] {
        check(&format!("(sin (* {quarters} pi))"), sine);
        check(&format!("(cos (* {quarters} pi))"), cosine);
    }
    check("(sin pi)", "0");
    check("(cos (neg pi))", "-1");
    check("(cos (/ pi 2))", "0");
    check("(tan pi)", "0");
    check("(tan (* 3 pi))", "0");
    stays("(sin (* 1/6 pi))");
    stays("(cos (* 1/4 pi))");
    // A pole: no value to compare.
    let mut g = Graph::new();
    let pole = read(&mut g, Build::Folded, "(tan (* 1/2 pi))");
    assert!(matches!(g.op(pole), Op::Unary(Unary::Tan, _)));
}

#[test]
fn powers() {
    check("(^ a 0)", "1");
    check("(^ a 1)", "a");
    check("(^ a 2)", "(* a a)");
    check("(^ a 3)", "(* a (* a a))");
    check("(^ a 4)", "(* (* a a) (* a a))");
    check("(^ a -2)", "(/ 1 (* a a))");
    check("(^ (neg a) 2)", "(* a a)");
    check("(^ (neg a) 3)", "(neg (* a (* a a)))");
    check("(^ a 1/2)", "(sqrt a)");
    check("(^ a -1/2)", "(/ 1 (sqrt a))");
    check("(^ 2/3 -3)", "27/8");
    check("(^ 1 a)", "1");
    check("(^ 9/4 1/2)", "3/2");
    stays("(^ a 1/3)");
    stays("(^ a 65)");
    stays("(^ a b)");
    let mut g = Graph::new();
    let two = g.integer(2);
    let huge = g.powi(two, i32::MAX);
    assert!(matches!(g.op(huge), Op::Binary(Binary::Pow, ..)));
    let least = g.powi(two, i32::MIN);
    assert!(matches!(g.op(least), Op::Binary(Binary::Pow, ..)));
    let pole = g.powi(g.zero(), -1);
    assert!(matches!(g.op(pole), Op::Binary(Binary::Pow, ..)));
    let minus = g.integer(-1);
    assert_eq!(g.powi(minus, i32::MIN), g.one());
    assert_eq!(g.powi(minus, i32::MAX), minus);
}

#[test]
fn extrema_and_choices() {
    check("(min a a)", "a");
    check("(max 2 3)", "3");
    check("(min 2 3)", "2");
    check("(max -1/2 -1/3)", "-1/3");
    stays("(min a b)");
    check("(< 1 2 a b)", "a");
    check("(< 2 2 a b)", "b");
    check("(<= 2 2 a b)", "a");
    check("(> 1 2 a b)", "b");
    check("(>= 3 2 a b)", "a");
    check("(< c c a b)", "b");
    check("(>= c c a b)", "a");
    check("(< a b c c)", "c");
    stays("(< a b c d)");
    stays("(>= a 0 a (neg a))");
}

#[test]
fn building_shares_and_orders() {
    let mut g = Graph::new();
    let [a, b] = [0, 1].map(|index| g.input(Slot { group: 0, index }));
    assert_eq!(g.add(a, b), g.add(b, a));
    assert_eq!(g.mul(a, b), g.mul(b, a));
    assert_ne!(g.sub(a, b), g.sub(b, a));
    let length = g.len();
    let unreduced = Rational::new_raw(2.into(), (-4).into());
    let half = Rational::new(1.into(), 2.into());
    let constant = g.rational(&unreduced);
    assert_eq!(g.as_rational(constant), Some(&-half));
    assert_eq!(g.len(), length + 1);
    let whole = g.rational(&Rational::new_raw(4.into(), 2.into()));
    assert_eq!(whole, g.integer(2));
    let call = g.call(0, &[a, b]);
    let part = |g: &mut Graph, i, j| g.jet(call, crate::ir::Part::Hessian(i, j));
    assert_eq!(part(&mut g, 1, 0), part(&mut g, 0, 1));
    let chosen = g.select(Comparison::Less, a, b, a, b);
    assert!(matches!(g.op(chosen), Op::Select { .. }));
}

#[test]
fn first_name_wins() {
    let mut g = Graph::new();
    let a = g.input(Slot { group: 0, index: 0 });
    assert_eq!(g.name_of(a), None);
    g.name(a, "angle");
    g.name(a, "other");
    assert_eq!(g.name_of(a), Some("angle"));
}
