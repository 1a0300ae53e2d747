//! Lifted into prefix form, read again, and compared.

use super::*;
use crate::ir::testing::{Build, program, read};

/// Prefix form, as `testing::read` reads it.
struct Prefix;

impl Builder for Prefix {
    type Expr = String;
    fn number(&mut self, number: &Rational) -> String {
        number.to_string()
    }
    fn pi(&mut self) -> String {
        "pi".into()
    }
    fn input(&mut self, slot: Slot) -> String {
        char::from(b'a' + slot.index as u8).to_string()
    }
    fn unary(&mut self, op: Unary, a: String) -> String {
        format!("({} {a})", format!("{op:?}").to_lowercase())
    }
    fn binary(&mut self, op: Binary, a: String, b: String) -> String {
        let head = match op {
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Mul => "*",
            Binary::Div => "/",
            Binary::Pow => "^",
            Binary::Of(function) => function.row().name,
        };
        format!("({head} {a} {b})")
    }
    fn select(
        &mut self,
        test: Comparison,
        sides: [String; 2],
        then: String,
        other: String,
    ) -> String {
        let head = match test {
            Comparison::Less => "<",
            Comparison::LessEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterEqual => ">=",
        };
        format!("({head} {} {} {then} {other})", sides[0], sides[1])
    }
    fn jet(&mut self, function: u32, args: &[String], part: Part) -> String {
        assert_eq!(function, 0);
        let head = if part == Part::Value { "F" } else { "Fb" };
        format!("({head} {})", args.join(" "))
    }
    fn element(&mut self, kind: RoutineKind, operands: &[String], index: u32) -> String {
        format!("{kind:?} {operands:?} {index}")
    }
}

#[test]
fn lifting_undoes_building() {
    let texts = [
        "(+ (* a b) (sin (/ c -3/2)))",
        "(- (tanh d) (sqrt (abs e)))",
        "(< a pi (min b c) (atan2 d e))",
        "(>= (F a (* b b)) (Fb a c) (^ a 1/3) (max a b))",
    ];
    for build in [Build::Raw, Build::Folded] {
        let mut p = program(build, &texts);
        let roots = p.functions[0].outputs.clone();
        let lifted = lift(&p.graph, &roots, &mut Prefix).unwrap();
        for (text, root) in lifted.iter().zip(roots) {
            assert_eq!(read(&mut p.graph, Build::Raw, text), root, "{text}");
        }
    }
}

#[test]
fn routines_are_lifted_where_their_elements_are() {
    let mut p = program(Build::Raw, &["a", "b"]);
    let kind = RoutineKind::MinimumNorm { rows: 1, cols: 1 };
    let routine = p.graph.routine(kind, &p.functions[0].outputs);
    let element = p.graph.element(routine, 0);
    let lifted = lift(&p.graph, &[element], &mut Prefix).unwrap();
    assert_eq!(lifted, [format!("{kind:?} [\"a\", \"b\"] 0")]);
    // A routine by itself is not an expression, nor is an element of a number.
    assert_eq!(lift(&p.graph, &[routine], &mut Prefix), None);
    let wrong = p.graph.element(element, 0);
    assert_eq!(lift(&p.graph, &[wrong], &mut Prefix), None);
}
