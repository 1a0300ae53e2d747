//! Expressions in prefix form for table tests: `(+ a (neg b))`.

use crate::function::TABLE;
use std::str::SplitWhitespace;

use super::interpret::{Host, Jet};
use super::{Binary, Comparison, Function, Graph, Op, Part, Program, Rational, Slot, Unary, Value};
use super::{ExternFunction, Group, Interface};

/// How to build what is read.
#[derive(Clone, Copy, PartialEq)]
pub enum Build {
    /// As it stands.
    Raw,
    /// Through the folding constructors.
    Folded,
}

/// Reads an expression. `a` to `e` are the inputs 0.0 to 0.4; `(F a b)` is the value of user function 0 and `(Fb a b)` its
/// derivative by the second argument; `(< a b c d)` is c or d.
pub fn read(g: &mut Graph, build: Build, text: &str) -> Value {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut tokens = spaced.split_whitespace();
    let value = expression(g, build, &mut tokens).unwrap();
    assert_eq!(tokens.next(), None, "after {text}");
    value
}

/// `None` at a closing parenthesis.
fn expression(g: &mut Graph, build: Build, tokens: &mut SplitWhitespace) -> Option<Value> {
    Some(match tokens.next().expect("an expression") {
        ")" => return None,
        "(" => {
            let head = tokens.next().expect("an operation");
            let operands: Vec<Value> =
                std::iter::from_fn(|| expression(g, build, tokens)).collect();
            let op = operation(g, head, &operands);
            match build {
                Build::Raw => g.intern(op),
                Build::Folded => g.fold(&op),
            }
        }
        "pi" => g.pi(),
        input @ ("a" | "b" | "c" | "d" | "e") => g.input(Slot {
            group: 0,
            index: u32::from(input.as_bytes()[0] - b'a'),
        }),
        number => {
            let number: Rational = number.parse().unwrap_or_else(|_| panic!("{number}?"));
            g.rational(&number)
        }
    })
}

fn operation(g: &mut Graph, head: &str, operands: &[Value]) -> Op {
    let one = |op| Op::Unary(op, operands[0]);
    let two = |op| Op::Binary(op, operands[0], operands[1]);
    if let Some(row) = TABLE.iter().find(|row| row.name == head) {
        return if row.arguments == 1 {
            one(Unary::Of(row.function))
        } else {
            two(Binary::Of(row.function))
        };
    }
    let select = |test| Op::Select {
        test,
        left: operands[0],
        right: operands[1],
        then: operands[2],
        other: operands[3],
    };
    match head {
        "+" => two(Binary::Add),
        "-" => two(Binary::Sub),
        "*" => two(Binary::Mul),
        "/" => two(Binary::Div),
        "^" => two(Binary::Pow),
        "neg" => one(Unary::Neg),
        "<" => select(Comparison::Less),
        "<=" => select(Comparison::LessEqual),
        ">" => select(Comparison::Greater),
        ">=" => select(Comparison::GreaterEqual),
        "F" | "Fb" => {
            let call = g.call(0, operands);
            let part = if head == "F" {
                Part::Value
            } else {
                Part::Gradient(1)
            };
            Op::Jet { call, part }
        }
        other => panic!("{other}?"),
    }
}

/// A program with one function `f` of the five inputs.
pub fn program(build: Build, outputs: &[&str]) -> Program {
    let mut program = Program {
        interface: interface(),
        ..Program::default()
    };
    let g = &mut program.graph;
    let outputs = outputs.iter().map(|text| read(g, build, text)).collect();
    program.functions.push(Function {
        name: "f".into(),
        outputs,
        checks: Vec::new(),
    });
    program
}

/// What [`read`] refers to.
pub fn interface() -> Interface {
    Interface {
        groups: vec![Group {
            name: "inputs".into(),
            entries: ["a", "b", "c", "d", "e"].map(String::from).to_vec(),
        }],
        functions: vec![ExternFunction {
            name: "F".into(),
            arity: 2,
            order: 2,
        }],
    }
}

/// Five inputs, and F(x, y) = x^2 y.
pub struct Point(pub [f64; 5]);

impl Host for Point {
    fn slot(&self, slot: Slot) -> f64 {
        self.0[slot.index as usize]
    }
    fn call(&self, _: u32, args: &[f64]) -> Jet {
        let [x, y] = [args[0], args[1]];
        Jet {
            value: x * x * y,
            gradient: vec![2.0 * x * y, x * x],
            hessian: vec![2.0 * y, 2.0 * x, 2.0 * x, 0.0],
        }
    }
}

/// Points at which functions are defined that want positive or small arguments, and others.
pub const POINTS: [Point; 4] = [
    Point([0.3, 0.7, 0.2, 0.9, 0.4]),
    Point([0.8, 0.1, 0.6, 0.5, 0.25]),
    Point([1.75, -2.25, 0.375, -0.5, 3.0]),
    Point([-0.3, 0.45, -1.2, 2.0, -0.7]),
];
