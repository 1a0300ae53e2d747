//! What is refused, and the small things that the compiled samples don't show.

use super::*;
use crate::ir::{Check, Function, Graph, Part, Rational, RoutineKind, Slot, Unary, Value};

fn named(name: &str) -> Field {
    Field {
        name: name.into(),
        ..Field::default()
    }
}

/// A module with coordinate `q`, parameter `m`, user function `h(q)` and one scalar function.
fn module(build: impl FnOnce(&mut Graph) -> Vec<Value>) -> Module {
    let mut graph = Graph::new();
    let outputs = build(&mut graph);
    Module {
        name: "test".into(),
        source_name: "test.eom".into(),
        state: vec![named("q")],
        params: vec![named("m")],
        functions_trait: vec![UserFunction {
            unit: None,
            name: "h".into(),
            args: vec!["q".into()],
            order: 1,
            ..UserFunction::default()
        }],
        graph,
        functions: vec![EmittedFunction {
            name: "f".into(),
            body: Function {
                outputs,
                ..Function::default()
            },
            ..EmittedFunction::default()
        }],
        ..Module::default()
    }
}

fn q(graph: &mut Graph) -> Value {
    graph.input(Slot { group: 1, index: 0 })
}

/// `g` needs the first output of `f` alone, and calls it: `f` computes its second one too, with what that needs of the parameters.
#[test]
fn a_caller_prepares_what_those_that_it_calls_need() {
    let mut module = module(|_| Vec::new());
    module.params.push(named("n"));
    let group = module.groups.params;
    let graph = &mut module.graph;
    let x = q(graph);
    let [m_squared, n_squared] = [0, 1].map(|index| {
        let p = graph.input(Slot { group, index });
        graph.mul(p, p)
    });
    let mut first = x;
    for _ in 0..20 {
        let next = graph.mul(first, x);
        first = graph.add(next, m_squared);
    }
    let second = graph.mul(x, n_squared);
    let mut most = first;
    for _ in 0..40 {
        let next = graph.mul(most, x);
        most = graph.add(next, first);
    }
    let function = |name: &str, outputs: Vec<Value>| EmittedFunction {
        name: name.into(),
        output: Shape::Array(outputs.len()),
        body: Function {
            outputs,
            ..Function::default()
        },
        ..EmittedFunction::default()
    };
    module.functions = vec![
        function("f", vec![first, second]),
        function("g", vec![most]),
    ];
    // Functions of any length may repeat operations.
    module.longest = Some(1);
    let arrangement = arrangement::Arrangement::of(&module);
    let [f, g] = arrangement.functions.as_slice() else {
        panic!("two functions");
    };
    assert_eq!(g.calls.len(), 1);
    assert!(f.needs.values.contains(&n_squared));
    // What only the called one reads, the model holds all the same.
    assert!(!g.needs.values.contains(&n_squared));
    let text = emit(&module).unwrap();
    assert!(text.contains("self.f(t, state"), "{text}");
    assert!(text.contains("n_squared: f64,"), "{text}");
}

#[test]
fn what_the_module_does_not_have_is_refused() {
    let function = || "f".to_owned();
    let input = |group, index| module(|g| vec![g.input(Slot { group, index })]);
    let unknown_input = |group, index| EmitError::UnknownInput {
        function: function(),
        group,
        index,
    };
    let call = |index, arity, part| {
        module(|g| {
            let args = vec![q(g); arity];
            let call = g.call(index, &args);
            vec![g.jet(call, part)]
        })
    };
    let unknown_function = |index| EmitError::UnknownFunction {
        function: function(),
        index,
    };
    let huge = module(|g| {
        vec![g.rational(&Rational::from_integer(
            num_bigint::BigInt::from(10).pow(400),
        ))]
    });
    let mut unchecked = module(|g| vec![q(g)]);
    let value = unchecked.functions[0].body.outputs[0];
    unchecked.functions[0].body.checks.push(Check {
        value,
        scale: None,
        condition: 0,
    });
    let routine = module(|g| {
        let (one, kind) = (g.one(), RoutineKind::MinimumNorm { rows: 1, cols: 1 });
        let routine = g.routine(kind, &[one, one]);
        vec![g.element(routine, 0)]
    });
    let mut twice = module(|g| vec![q(g)]);
    twice.functions.push(twice.functions[0].clone());
    let mut spaced = module(|g| vec![q(g)]);
    spaced.functions[0].name = "two words".into();
    let mut reserved = module(|g| vec![q(g)]);
    reserved.functions[0].name = "check".into();
    let table = [
        (input(1, 1), unknown_input(1, 1)),
        (input(0, 1), unknown_input(0, 1)),
        (input(2, 1), unknown_input(2, 1)),
        (input(3, 0), unknown_input(3, 0)),
        (input(8, 0), unknown_input(8, 0)),
        (call(1, 1, Part::Value), unknown_function(1)),
        (call(0, 2, Part::Value), unknown_function(0)),
        (call(0, 1, Part::Gradient(1)), unknown_function(0)),
        (call(0, 1, Part::Hessian(0, 0)), unknown_function(0)),
        (
            module(|g| {
                let q = q(g);
                vec![g.call(0, &[q])]
            }),
            EmitError::NotANumber {
                function: function(),
            },
        ),
        (
            module(|g| vec![q(g), q(g)]),
            EmitError::WrongShape {
                function: function(),
                expected: 1,
                found: 2,
            },
        ),
        (
            huge,
            EmitError::Overflow {
                number: format!("1{}", "0".repeat(400)),
            },
        ),
        (
            unchecked,
            EmitError::UnknownCondition {
                function: function(),
            },
        ),
        (
            routine,
            EmitError::UnknownCondition {
                function: function(),
            },
        ),
        (twice, EmitError::Duplicate { name: function() }),
        (
            spaced,
            EmitError::BadName {
                name: "two words".into(),
            },
        ),
        (
            reserved,
            EmitError::Duplicate {
                name: "check".into(),
            },
        ),
    ];
    for (module, error) in table {
        assert_eq!(emit(&module), Err(error.clone()), "{error}");
    }
}

#[test]
fn one_call_serves_value_and_gradient() {
    let text = emit(&module(|g| {
        let q = q(g);
        let call = g.call(0, &[q]);
        let (value, gradient) = (g.jet(call, Part::Value), g.jet(call, Part::Gradient(0)));
        vec![g.mul(value, gradient)]
    }));
    let text = text.unwrap();
    assert_eq!(text.matches("functions.h(q)").count(), 1, "{text}");
    assert!(text.contains("h.value * h.gradient[0]"), "{text}");
}

#[test]
fn temporaries_keep_their_names_when_another_output_changes() {
    let lines = |noise: bool| {
        let mut module = module(|g| {
            let q = q(g);
            let m = g.input(Slot { group: 2, index: 0 });
            let first = if noise {
                let sum = g.add(q, m);
                let root = g.unary(Unary::Sqrt, sum);
                g.mul(root, root)
            } else {
                q
            };
            let product = g.mul(q, m);
            let product = g.add(product, q);
            let image = g.unary(Unary::Exp, product);
            let (square, cube) = (g.mul(image, image), g.unary(Unary::Ln, image));
            vec![first, g.sub(square, cube)]
        });
        module.functions[0].output = Shape::Array(2);
        module.functions[0].output_labels = vec!["a''".into(), "b''".into()];
        let text = emit(&module).unwrap();
        let lines = text.lines().filter(|line| line.contains("let b_ddot_"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(lines(true), lines(false));
    // Its content and nothing else names it.
    let line = lines(false).remove(0);
    let (name, value) = line.trim().split_once(" = ").unwrap();
    assert_eq!(value, "(q + self.m * q).exp();");
    let code = name.strip_prefix("let b_ddot_").unwrap();
    assert!(
        code.len() == 3 && code.chars().all(|c| c.is_ascii_lowercase()),
        "{name}"
    );
}

#[test]
fn nothing_is_written_that_is_not_needed() {
    let text = emit(&module(|g| vec![q(g)])).unwrap();
    assert!(text.contains("pub fn f("), "{text}");
    for part in [
        "Singular",
        "CONDITIONS",
        "Inputs",
        "Jet2",
        "const PI",
        "fn sign",
        "fn check",
    ] {
        assert!(!text.contains(part), "{part}");
    }
}

/// A function that supplies the sine of an angle leaves the cosine to its caller.
#[test]
fn half_of_a_pair_may_come_from_a_call() {
    let mut two = module(|graph| {
        let q = graph.input(Slot { group: 1, index: 0 });
        let sine = graph.unary(Unary::Sin, q);
        let mut heavy = sine;
        for _ in 0..20 {
            let next = graph.mul(heavy, q);
            heavy = graph.add(next, sine);
        }
        vec![sine, heavy]
    });
    let supplied = two.functions[0].body.outputs.clone();
    two.functions[0].output = Shape::Array(2);
    let graph = &mut two.graph;
    let q = graph.input(Slot { group: 1, index: 0 });
    let cosine = graph.unary(Unary::Cos, q);
    let product = graph.mul(cosine, supplied[1]);
    let sum = graph.add(product, supplied[0]);
    two.functions.push(EmittedFunction {
        name: "g".into(),
        body: Function {
            outputs: vec![sum],
            ..Function::default()
        },
        ..EmittedFunction::default()
    });
    let text = emit(&two).unwrap();
    assert!(text.contains("let f = self.f(t, state"), "{text}");
    assert!(text.contains("q.cos()"), "{text}");
}
