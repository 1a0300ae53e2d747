use super::*;
use crate::ir::field;
use crate::ir::interpret::{Evaluator, Host, Jet};
use crate::ir::testing::{Build, program};

/// The operation count before and after; the values must stay.
fn counts(outputs: &[&str], options: &Options) -> (usize, usize) {
    let before = program(Build::Folded, outputs);
    let after = optimise_with(&before, options);
    let values = |p: &Program| field::evaluate(&p.graph, &p.functions[0].outputs, 1);
    assert!(values(&before).is_some());
    assert_eq!(values(&before), values(&after), "{outputs:?}");
    let count = |p: &Program| p.graph.count(&p.functions[0].roots()).total();
    (count(&before), count(&after))
}

#[test]
fn opposite_differences_are_computed_once() {
    let none = &Options::default();
    // c (a - b) and d + e (b - a): the second becomes d - e (a - b).
    assert_eq!(
        counts(&["(* c (- a b))", "(+ d (* e (- b a)))"], none),
        (5, 4)
    );
    // The first takes the sign if the second cannot.
    assert_eq!(
        counts(&["(+ d (* e (- b a)))", "(sin (- a b))"], none),
        (5, 4)
    );
    // Whichever operand of the sum it is.
    assert_eq!(
        counts(&["(- a b)", "(+ (* c (- b a)) (sqrt d))"], none),
        (5, 4)
    );
    // Neither can: a product's sign has nowhere to go.
    assert_eq!(counts(&["(* c (- a b))", "(* d (- b a))"], none), (4, 4));
    assert_eq!(counts(&["(- a b)", "(- b a)"], none), (2, 2));
    // Quotients, and both factors at once.
    let both = ["(- a b)", "(+ c (/ d (- b a)))"];
    assert_eq!(counts(&both, none), (4, 3));
    let both = ["(- a b)", "(- c d)", "(* (- b a) (- d c))"];
    assert_eq!(counts(&both, none), (5, 5));
    let both = ["(- a b)", "(- c d)", "(+ e (* (- b a) (- d c)))"];
    assert_eq!(counts(&both, none), (6, 4));
}

#[test]
fn nothing_changes_where_nothing_is_gained() {
    // a - b + c and its negative cost no less.
    let before = program(Build::Folded, &["(- a b)", "(- (- b a) c)"]);
    let cost = |p: &Program| p.graph.count(&p.functions[0].outputs);
    assert_eq!(cost(&optimise(&before)), cost(&before));
}

#[test]
fn opposite_multiples_are_computed_once() {
    let none = &Options::default();
    assert_eq!(counts(&["(* 2 a)", "(+ b (* -2 a))"], none), (3, 2));
    assert_eq!(counts(&["(* -2 a)", "(- b (* 2 a))"], none), (3, 2));
    assert_eq!(counts(&["(* -2 a)", "(* 2 a)"], none), (2, 2));
}

#[test]
fn constants_take_the_sign_of_what_is_used_once() {
    let none = &Options::default();
    assert_eq!(counts(&["(neg (* 2 a))"], none), (2, 1));
    assert_eq!(counts(&["(neg (* 2 a))", "(* 2 a)"], none), (2, 2));
    assert_eq!(counts(&["(sin b)", "(neg (* 2 (sin b)))"], none), (3, 2));
}

#[test]
fn divisions_share_a_reciprocal_on_request() {
    let none = &Options::default();
    let asked = |often, given: &[u8]| Options {
        reciprocals: Some(often),
        given: given.to_vec(),
        ..Options::default()
    };
    let outputs = ["(/ a c)", "(/ b c)", "(/ (* a b) c)", "(/ a d)"];
    let before = program(Build::Folded, &outputs);
    let divisions = |options: &Options| {
        let after = optimise_with(&before, options);
        let cost = after.graph.count(&after.functions[0].outputs);
        (cost.div, cost.mul)
    };
    assert_eq!(divisions(none), (4, 1));
    assert_eq!(divisions(&asked(3, &[])), (2, 4));
    assert_eq!(divisions(&asked(4, &[])), (4, 1));
}

#[test]
fn dead_code_goes_and_names_stay() {
    let mut p = program(Build::Folded, &["(+ a (* b c))", "(sin d)"]);
    let product = p.graph.op(p.functions[0].outputs[0]).operand(1).unwrap();
    p.graph.name(product, "moment");
    p.functions[0].outputs.truncate(1);
    let after = optimise(&p);
    // 0, 1, three inputs, a product and a sum.
    assert_eq!(after.graph.len(), 7);
    let named = after
        .graph
        .values()
        .find(|&v| after.graph.name_of(v).is_some());
    assert_eq!(after.graph.name_of(named.unwrap()), Some("moment"));
}

#[test]
fn a_second_time_changes_nothing() {
    let outputs = [
        "(* c (- a b))",
        "(+ d (* e (- b a)))",
        "(neg (* 2 (sin b)))",
    ];
    let once = optimise(&program(Build::Folded, &outputs));
    let twice = optimise(&once);
    assert_eq!(twice.functions, once.functions);
    let ops = |p: &Program| {
        p.graph
            .values()
            .map(|v| p.graph.op(v).clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(ops(&twice), ops(&once));
}

#[test]
fn common_factors_are_taken_out_on_request() {
    let asked = Options {
        factors: true,
        ..Options::default()
    };
    let check = |outputs: &[&str], expected| assert_eq!(counts(outputs, &asked), expected);
    check(&["(+ (* a b) (* a c))"], (3, 2));
    check(&["(- (* a b) (* c a))"], (3, 2));
    // Horner's form of a b^2 + c b + d, however the square is written; not if it has another use.
    check(&["(+ (+ (* a (* b b)) (* c b)) d)"], (5, 4));
    check(&["(+ (+ (* (* a b) b) (* c b)) d)"], (5, 4));
    check(
        &["(+ (+ (* a (* b b)) (* c b)) d)", "(sin (* b b))"],
        (6, 6),
    );
    // Of several factors the one of most terms: a (b + c + d) + b d.
    check(&["(+ (+ (* a b) (* b d)) (+ (* a c) (* a d)))"], (7, 5));
    // Through negations and differences: -(a (b - c)) + d.
    check(&["(- (- d (* a b)) (neg (* a c)))"], (4, 3));
    // A product with another use is computed anyway.
    check(&["(+ (* a b) (* a c))", "(sin (* a b))"], (4, 4));
    // Nothing in common, and nothing gained.
    check(&["(+ (* a b) (* c d))"], (3, 3));
    check(&["(+ a (* a b))"], (2, 2));
}

#[test]
fn factors_are_found_inside_of_products_and_quotients() {
    let asked = Options {
        factors: true,
        ..Options::default()
    };
    let check = |outputs: &[&str], expected| assert_eq!(counts(outputs, &asked), expected);
    // a (b c + d e), and with the factor in the middle.
    check(&["(+ (* (* a b) c) (* (* d a) e))"], (5, 4));
    check(&["(+ (* b (* c a)) (* (* d a) e))"], (5, 4));
    // (a + b)/c - d, and of three quotients one.
    check(&["(- (+ (/ a c) (/ b c)) d)"], (4, 3));
    check(&["(- (+ (/ a c) (/ b c)) (/ d c))"], (5, 3));
    // a (b + d)/c: the divisor, then the factor.
    check(&["(+ (/ (* a b) c) (/ (* a d) c))"], (5, 3));
    // a/c is a division without a, too.
    check(&["(+ (/ a c) (* a b))"], (3, 3));
    check(&["(+ (+ (/ a c) (* a b)) (* a d))"], (5, 4));
    // What has another use is one factor.
    check(
        &["(+ (* (* a b) c) (* (* a d) e))", "(sin (* a b))"],
        (6, 6),
    );
    check(
        &["(+ (* (* a b) c) (* (* a b) d))", "(sin (* a b))"],
        (5, 4),
    );
}

/// Operations that depend on a call of F, before and after, where the letters are known beforehand.
fn each(output: &str) -> (usize, usize) {
    let asked = Options {
        factors: true,
        given: vec![0],
        ..Options::default()
    };
    let before = program(Build::Folded, &[output]);
    let after = optimise_with(&before, &asked);
    let values = |p: &Program| field::evaluate(&p.graph, &p.functions[0].outputs, 1);
    assert!(values(&before).is_some());
    assert_eq!(values(&before), values(&after), "{output}");
    let given = crate::ir::Prepared::new(&[0]);
    let count = |p: &Program, given: &crate::ir::Prepared| {
        given.count(&p.graph, &p.functions[0].outputs).1.total()
    };
    let before = count(&before, &given);
    (before, count(&after, &crate::ir::Prepared::new(&[0])))
}

#[test]
fn what_is_known_beforehand_stands_together() {
    // c + e, a b, a/b and a/(b c) are known.
    assert_eq!(each("(+ (+ (+ c (F a b)) (* d (F b c))) e)"), (4, 3));
    assert_eq!(each("(* (* a (F a b)) b)"), (2, 1));
    assert_eq!(each("(/ (* a (F a b)) b)"), (2, 1));
    assert_eq!(each("(* (* (F a b) a) (/ (F b c) b))"), (3, 2));
    assert_eq!(each("(/ (/ (F a b) b) c)"), (2, 1));
    // Nothing to gather: one is known, or all are.
    assert_eq!(each("(+ (* c (F a b)) d)"), (2, 2));
    assert_eq!(each("(+ (* c a) d)"), (0, 0));
    // a b X + a c: with the factor taken out it would be a (b X + c).
    assert_eq!(each("(+ (* (* a b) (F a b)) (* a c))"), (2, 2));
    assert_eq!(each("(+ (* (* a b) (F a b)) (* a (F b c)))"), (3, 3));
}

/// Sums of angles stand where they save sines and cosines, and nowhere else.
#[test]
fn angles_are_added_where_that_saves_sines() {
    let trig = |outputs: &[&[&str]], first: &[&'static str]| -> Vec<usize> {
        let all: Vec<&str> = outputs.concat();
        let mut p = program(Build::Folded, &all);
        let mut roots = p.functions[0].outputs.clone().into_iter();
        p.functions = outputs
            .iter()
            .enumerate()
            .map(|(i, own)| Function {
                name: format!("f{i}"),
                outputs: roots.by_ref().take(own.len()).collect(),
                checks: Vec::new(),
            })
            .collect();
        let options = Options {
            angles: true,
            first: first.to_vec(),
            ..Options::default()
        };
        let after = optimise_with(&p, &options);
        let count = |f: &Function| after.graph.count(&f.outputs).trig;
        after.functions.iter().map(count).collect()
    };
    let less = "(+ (* (cos a) (cos b)) (* (sin a) (sin b)))";
    let more = "(+ (* (sin a) (cos b)) (* (cos a) (sin b)))";
    assert_eq!(trig(&[&[less]], &[]), [1]);
    assert_eq!(trig(&[&[less, more]], &[]), [2]);
    // Sines and cosines of a and b are needed all the same.
    let parts = ["(* (sin a) (cos a))", "(* (sin b) (cos b))"];
    assert_eq!(trig(&[&[less, parts[0], parts[1]]], &[]), [4]);
    // Three angles.
    let three =
        format!("(- (* {more} (cos c)) (* (- (* (cos a) (cos b)) (* (sin a) (sin b))) (sin c)))");
    assert_eq!(trig(&[&[&three]], &[]), [1]);
    // What another function supplies stays, and the first functions stay or change together.
    assert_eq!(trig(&[&[less, parts[0], parts[1]], &[less]], &[]), [4, 4]);
    let both = [&[less, parts[0], parts[1]][..], &[less, "c"]];
    assert_eq!(trig(&both, &["f0", "f1"]), [4, 4]);
    assert_eq!(trig(&[&[less], &[less, "c"]], &["f0", "f1"]), [1, 1]);
}

/// The sums are the right ones, with their signs.
#[test]
fn sums_of_angles_have_the_values_of_their_parts() {
    let cases = [
        "(+ (* (cos a) (cos b)) (* (sin a) (sin b)))",
        "(+ (* (sin b) (sin a)) (* (cos b) (cos a)))",
        "(- (* (cos a) (cos b)) (* (sin a) (sin b)))",
        "(- (* (sin a) (sin b)) (* (cos a) (cos b)))",
        "(+ (* (sin a) (cos b)) (* (cos a) (sin b)))",
        "(+ (* (cos a) (sin b)) (* (sin a) (cos b)))",
        "(- (* (sin a) (cos b)) (* (cos a) (sin b)))",
        "(- (* (cos a) (sin b)) (* (sin a) (cos b)))",
        "(- (* (sin a) (sin b)) (* (cos b) (cos a)))",
        "(- (* (sin b) (cos a)) (* (sin a) (cos b)))",
    ];
    struct Here;
    impl Host for Here {
        fn slot(&self, slot: crate::ir::Slot) -> f64 {
            0.7 - 1.3 * f64::from(slot.index)
        }
        fn call(&self, _: u32, _: &[f64]) -> Jet {
            Jet::default()
        }
    }
    let options = Options {
        angles: true,
        ..Options::default()
    };
    for case in cases {
        let before = program(Build::Folded, &[case]);
        let after = optimise_with(&before, &options);
        let value = |p: &Program| Evaluator::new(p, &p.functions[0]).run(&Here).unwrap()[0];
        let (old, new) = (value(&before), value(&after));
        assert!((old - new).abs() < 1e-14, "{case}: {old} {new}");
    }
}

#[test]
fn sums_of_which_nothing_is_left_go() {
    let factors = &Options {
        factors: true,
        ..Options::default()
    };
    let square = |f: &str, x: &str| format!("(* ({f} {x}) ({f} {x}))");
    let (sin, cos, other) = (square("sin", "a"), square("cos", "a"), square("cos", "b"));
    let costs = |text: &str| counts(&[text], factors).1;
    assert_eq!(costs(&format!("(+ {sin} {cos})")), 0);
    assert_eq!(costs(&format!("(+ (* 2/3 {cos}) (* 2/3 {sin}))")), 0);
    assert_eq!(
        costs("(+ (* (cos a) (* b (cos a))) (* (sin a) (* (sin a) b)))"),
        0
    );
    assert_eq!(
        costs(&format!("(- (+ c (* b {sin})) (- d (* b {cos})))")),
        2
    );
    assert_eq!(costs("(- (* a (* b c)) (* (* c a) b))"), 0);
    // Of two angles, and with other factors, as it was.
    assert_eq!(costs(&format!("(+ {sin} {other})")), 5);
    assert_eq!(costs(&format!("(+ (* b {sin}) (* c {cos}))")), 7);
    assert_eq!(costs("(- (* a (* b c)) (* (* c a) a))"), 3);
}
