//! What text cannot say is broken here; the rest in the folder of cases.

use super::*;
use crate::ir::testing::{Build, program};
use crate::ir::{Check, Unary};

fn broken(program: &Program) -> Vec<String> {
    let violations = verify(program).err().unwrap_or_default();
    violations.iter().map(Violation::to_string).collect()
}

#[test]
fn sound_programs_pass() {
    let texts = ["(+ a (F b c))", "(< a b (sqrt c) 1/2)", "(/ a b)"];
    assert_eq!(verify(&program(Build::Folded, &texts)), Ok(()));
}

#[test]
fn operands_precede() {
    let mut p = program(Build::Raw, &["a"]);
    let next = Value(p.graph.len() as u32);
    p.graph.intern(Op::Unary(Unary::Sin, next));
    assert_eq!(
        broken(&p),
        [format!("{next}: an operand does not precede it")]
    );
    p.graph.intern(Op::Unary(Unary::Sin, Value(99)));
    assert_eq!(broken(&p).len(), 2);
}

#[test]
fn constants_are_reduced() {
    for (numerator, denominator) in [(2, 4), (1, -2), (0, 2)] {
        let mut p = program(Build::Raw, &["a"]);
        let number = Rational::new_raw(numerator.into(), denominator.into());
        let before = p.graph.len();
        p.graph.intern(Op::Constant(number.into()));
        // 0/2 is equal to the 0 that is there, and shared with it.
        let expected = usize::from(p.graph.len() > before);
        assert_eq!(broken(&p).len(), expected, "{numerator}/{denominator}");
    }
}

#[test]
fn hessian_arguments_are_sorted() {
    let mut p = program(Build::Raw, &["(F a b)"]);
    let call = p.graph.op(p.functions[0].outputs[0]).operand(0).unwrap();
    let part = Part::Hessian(1, 0);
    let jet = p.graph.intern(Op::Jet { call, part });
    let message = "no such derivative, or its arguments are not in order";
    assert_eq!(broken(&p), [format!("{jet}: {message}")]);
}

#[test]
fn roots_exist() {
    let mut p = program(Build::Raw, &["a"]);
    p.functions[0].outputs.push(Value(99));
    p.functions[0].checks.push(Check {
        value: Value(98),
        scale: Some(Value(97)),
        condition: 0,
    });
    let message = "function \"f\": an output or check does not exist";
    assert_eq!(broken(&p), [message; 3]);
}
