//! Functions that are long enough to be written in parts: each part once, and what they call at the price of a few operations.

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
    called_by("power", longest)
}

/// The same with another name for `power`.
fn called_by(caller: &str, longest: Option<usize>) -> Module {
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
            function(caller, Shape::Scalar, vec![power]),
        ],
        graph: g,
        longest,
        ..Module::default()
    }
}

fn count(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

/// The number of a function's operations at the head of the file.
fn documented(text: &str, function: &str) -> usize {
    let (_, behind) = text.split_once(&format!("//! - `{function}`: ")).unwrap();
    behind.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn parts_are_written_once() {
    let module = chain(Some(24));
    let text = text_of(&module);
    let parts = count(&text, "fn accelerations_part_");
    assert!(parts > 3, "{text}");
    assert_eq!(
        count(&text, "check::<CHECKED>(0, "),
        1,
        "`power` has it made by the call"
    );
    for part in 1..=parts {
        let called = format!("accelerations_part_{part}(");
        assert_eq!(count(&text, &called), 2, "declared once, called once");
    }
    check(&[chain(None), module]);
}

/// By hand: 2 steps of 2 operations and the quotient of 4 are computed again where `power` calls. What an integrator calls repeats nothing.
#[test]
fn a_function_calls_at_the_price_of_a_few_operations() {
    let called = "let accelerations = self.accelerations(t, state)?;";
    let own = 4 + 3 * (STEPS - 1) + 3;
    for longest in [None, Some(24)] {
        let text = text_of(&chain(longest));
        assert_eq!(count(&text, called), 1, "{text}");
        assert_eq!(documented(&text, "accelerations"), own);
        assert_eq!(documented(&text, "power"), own + 5 + 6 + 4);
    }
    let hot = text_of(&called_by("derivative", None));
    assert_eq!(count(&hot, called), 0, "{hot}");
    assert_eq!(documented(&hot, "derivative"), own + 5);
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
        let of = |name| {
            let function = module.function(name).unwrap();
            outputs(function, &run(function, &given))
        };
        ["accelerations", "power"].map(of).to_vec()
    };
    let whole = values(None);
    assert!(whole.iter().all(Result::is_ok));
    assert_eq!(values(Some(24)), whole);
}
