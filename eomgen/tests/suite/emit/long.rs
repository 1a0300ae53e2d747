//! Functions that are long enough to be written in parts: what their variants have in common, and what they call at the price of a few operations.

use eomgen::internals::emit::{Condition, EmittedFunction, Module, Shape};
use eomgen::internals::ir::{Check, Function, Graph, Rational, Value};
use eomgen::internals::verify::number::{Algebra, EvalError, Modular};
use eomgen::internals::verify::text::read;
use eomgen::internals::verify::text::run::{Given, literals, outputs, run};

use super::samples::{field, input};
use super::{check, text_of};

/// Steps of the chain, three operations each.
const STEPS: usize = 40;

/// A function `accelerations` that divides by x^2 - k y once, checked, and computes v[i+1] = v[i] v[i-1]/64 + k from v[0] = x and v[1] = y;
/// `power` of five more operations than what it takes of it, and of what it computes on its way.
fn chain(longest: Option<usize>) -> Module {
    let mut g = Graph::new();
    let [x, y] = [0, 1].map(|index| input(&mut g, 1, index));
    let k = input(&mut g, 2, 0);
    let (square, other) = (g.mul(x, x), g.mul(k, y));
    let divisor = g.sub(square, other);
    let ratio = g.div(y, divisor);
    // Of no use but to say how large the divisor is.
    let (large, small) = (g.mul(x, y), g.add(x, k));
    let scale = g.mul(large, small);
    // Small enough for the results to be finite.
    let share = g.rational(&Rational::new(1.into(), 64.into()));
    let mut v = vec![x, ratio];
    for i in 1..STEPS {
        let product = g.mul(v[i], v[i - 1]);
        let part = g.mul(share, product);
        v.push(g.add(part, k));
    }
    let accelerations = vec![v[STEPS], v[STEPS - 1]];
    let (first, second) = (g.mul(v[STEPS], v[2]), g.mul(v[STEPS - 1], v[3]));
    let sum = g.add(first, second);
    let half = g.mul(sum, sum);
    let power = g.add(half, v[2]);
    let checks = vec![Check {
        value: divisor,
        scale: Some(scale),
        condition: 0,
    }];
    let function = |name: &str, output: Shape, outputs: Vec<Value>| EmittedFunction {
        name: name.into(),
        output,
        body: Function {
            name: name.into(),
            outputs,
            checks: checks.clone(),
        },
        ..EmittedFunction::default()
    };
    Module {
        name: format!("chain_{}", longest.unwrap_or(0)),
        source_name: "chain.eom".into(),
        state: vec![field("x", "m", ""), field("y", "m", "")],
        params: vec![field("k", "m^2", "")],
        conditions: vec![Condition {
            text: "x^2 = k*y".into(),
            note: String::new(),
        }],
        functions: vec![
            function("accelerations", Shape::Array(2), accelerations),
            function("power", Shape::Scalar, vec![power]),
        ],
        graph: g,
        longest,
        ..Module::default()
    }
}

fn count(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

/// The number behind `Operations:` in the documentation of a function.
fn documented(text: &str, function: &str) -> usize {
    let head = format!("pub fn {function}(");
    let before = &text[..text.find(&head).unwrap()];
    let (_, line) = before.rsplit_once("Operations: ").unwrap();
    line.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn the_parts_without_checks_are_those_of_both_variants() {
    let module = chain(Some(24));
    let text = text_of(&module);
    // All but the first, which has the check.
    let parts = count(&text, "fn accelerations_part_");
    assert!(parts > 3, "{text}");
    assert_eq!(count(&text, "fn accelerations_unchecked_part_"), 1);
    assert_eq!(
        count(&text, "check(0, "),
        1,
        "`power` has it made by the call"
    );
    for part in 2..=parts {
        let called = format!("accelerations_part_{part}(");
        assert_eq!(count(&text, &called), 3, "declared once, called twice");
    }
    // What the check alone needs is not computed where there is none.
    let (_, variant) = text
        .split_once("fn accelerations_unchecked_part_1(")
        .unwrap();
    let (variant, _) = variant.split_once("\n}").unwrap();
    assert!(
        !variant.contains("x * y") && !variant.contains("check("),
        "{variant}"
    );
    check(&[chain(None), module]);
}

/// By hand: 2 steps of 2 operations and the quotient of 4 are computed again where `power` calls.
#[test]
fn a_long_function_calls_at_the_price_of_a_few_operations() {
    let (short, long) = (text_of(&chain(None)), text_of(&chain(Some(24))));
    let called = "let accelerations = accelerations(t, state, p)?;";
    assert_eq!((count(&short, called), count(&long, called)), (0, 1));
    let own = 4 + 3 * (STEPS - 1) + 3;
    assert_eq!(documented(&short, "accelerations"), own);
    assert_eq!(documented(&long, "accelerations"), own);
    assert_eq!(documented(&long, "accelerations_unchecked"), own - 3);
    assert_eq!(documented(&short, "power"), own + 5);
    assert_eq!(documented(&long, "power"), own + 5 + 6 + 4);
    assert_eq!(documented(&long, "power_unchecked"), own - 3 + 5 + 6 + 4);
    assert!(long.contains(&format!("`power`: {} (", own + 15)));
}

/// The text in parts says the same as the text in one piece, in exact arithmetic.
#[test]
fn the_reader_follows_shared_parts() {
    let values = |longest| -> Vec<Result<Vec<Modular>, EvalError>> {
        let module = read(&text_of(&chain(longest))).unwrap();
        let numbers = |from| [0, 1].map(|place| Modular::random(from, place));
        let (state, params) = (numbers(1), numbers(2));
        let none = |_: usize, _: &[Modular]| Err(EvalError::Unsupported("no function".into()));
        let given = Given {
            t: &Modular::int(0),
            state: &state,
            extra: &[],
            params: &params[..1],
            inputs: &[],
            functions: &none,
            literals: &literals(&module),
        };
        let names = [
            "accelerations",
            "accelerations_unchecked",
            "power",
            "power_unchecked",
        ];
        let of = |name| {
            let function = module.function(name).unwrap();
            outputs(function, &run(function, &given))
        };
        names.map(of).to_vec()
    };
    let whole = values(None);
    assert!(whole.iter().all(Result::is_ok));
    assert_eq!(values(Some(24)), whole);
    assert_eq!(whole[0], whole[1]);
    assert_eq!(whole[2], whole[3]);
}
