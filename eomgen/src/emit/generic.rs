//! The trait of what a generic module computes with: only the functions that the module needs, and its implementations for `f64` and
//! `f32`, which give the bits of a module for that type.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::module::{Math, Module};
use super::runtime::Needs;
use crate::ir::{Binary, Comparison, Op, Unary, Value};

/// A function of the trait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Method {
    name: &'static str,
    /// What it computes.
    docs: &'static str,
    /// Its name in `libm`, without the `f` of single precision; empty where `core` has it.
    libm: &'static str,
    kind: Kind,
}

/// What a function takes and how it is implemented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Of one number.
    One,
    /// Of two.
    Two,
    /// The sign, 0 at 0.
    Sign,
    /// A choice by a comparison with this operator.
    Select(&'static str),
}

fn one(name: &'static str, libm: &'static str, docs: &'static str) -> Method {
    Method {
        name,
        docs,
        libm,
        kind: Kind::One,
    }
}

fn two(name: &'static str, libm: &'static str, docs: &'static str) -> Method {
    Method {
        kind: Kind::Two,
        ..one(name, libm, docs)
    }
}

fn unary(op: Unary) -> Option<Method> {
    Some(match op {
        Unary::Neg => return None,
        Unary::Sin => one("sin", "sin", "The sine."),
        Unary::Cos => one("cos", "cos", "The cosine."),
        Unary::Tan => one("tan", "tan", "The tangent."),
        Unary::Asin => one("asin", "asin", "The arc sine."),
        Unary::Acos => one("acos", "acos", "The arc cosine."),
        Unary::Atan => one("atan", "atan", "The arc tangent."),
        Unary::Sinh => one("sinh", "sinh", "The hyperbolic sine."),
        Unary::Cosh => one("cosh", "cosh", "The hyperbolic cosine."),
        Unary::Tanh => one("tanh", "tanh", "The hyperbolic tangent."),
        Unary::Asinh => one("asinh", "asinh", "The inverse of the hyperbolic sine."),
        Unary::Acosh => one("acosh", "acosh", "The inverse of the hyperbolic cosine."),
        Unary::Atanh => one("atanh", "atanh", "The inverse of the hyperbolic tangent."),
        Unary::Sqrt => one("sqrt", "sqrt", "The square root."),
        Unary::Exp => one("exp", "exp", "The exponential."),
        Unary::Ln => one("ln", "log", "The natural logarithm."),
        Unary::Abs => one("abs", "", "The absolute value."),
        Unary::Sign => Method {
            kind: Kind::Sign,
            ..one("sign", "", "-1, 0 or 1; 0 at 0, NaN at NaN.")
        },
    })
}

fn binary(op: Binary) -> Option<Method> {
    Some(match op {
        Binary::Add | Binary::Sub | Binary::Mul | Binary::Div => return None,
        Binary::Min => two("min", "", "The lesser of two."),
        Binary::Max => two("max", "", "The greater of two."),
        Binary::Atan2 => two("atan2", "atan2", "The angle of the point `(other, self)`."),
        Binary::Pow => two("powf", "pow", "The power with this exponent."),
    })
}

fn select(test: Comparison) -> Method {
    let (name, operator, docs) = match test {
        Comparison::Less | Comparison::Greater => {
            ("select_less", "<", "`then` where `a < b`, else `other`.")
        }
        Comparison::LessEqual | Comparison::GreaterEqual => (
            "select_less_equal",
            "<=",
            "`then` where `a <= b`, else `other`.",
        ),
    };
    Method {
        kind: Kind::Select(operator),
        ..one(name, "", docs)
    }
}

/// The functions that the module calls, by name.
fn methods(module: &Module, needs: Needs) -> BTreeSet<Method> {
    let functions = module.functions.iter();
    let roots: Vec<Value> = functions.flat_map(|f| f.body.roots()).collect();
    let live = module.graph.live(&roots).into_iter();
    let (root, comparison) = needs.methods();
    let of_routines = [
        unary(Unary::Sqrt).filter(|_| root),
        comparison.then(|| select(Comparison::Less)),
    ];
    live.filter_map(|value| match module.graph.op(value) {
        Op::Unary(op, _) => unary(*op),
        Op::Binary(op, ..) => binary(*op),
        Op::Select { test, .. } => Some(select(*test)),
        _ => None,
    })
    .chain(of_routines.into_iter().flatten())
    .collect()
}

const HEAD: &str =
    "/// What the functions compute with: a number, one with derivatives, or several at once.
pub trait Scalar:
    Copy
    + core::ops::Add<Output = Self>
    + core::ops::Sub<Output = Self>
    + core::ops::Mul<Output = Self>
    + core::ops::Div<Output = Self>
    + core::ops::Neg<Output = Self>
{
    /// A constant of the model.
    fn from_f64(number: f64) -> Self;
    /// Its size, which checks are made by. Of several numbers at once, the least size.
    fn magnitude(self) -> f64;
";

/// For the routines that choose pivots.
const BOUND: &str = "    /// Its size; of several numbers at once, the greatest.
    fn bound(self) -> f64 {
        self.magnitude()
    }
";

/// The text of the trait with its implementations for `f64` and `f32`.
pub fn scalar_trait(module: &Module, needs: Needs) -> String {
    let methods = methods(module, needs);
    let mut text = HEAD.to_owned();
    if needs.methods().0 {
        text.push_str(BOUND);
    }
    // Writing to a String cannot fail.
    for method in &methods {
        let _ = writeln!(text, "    /// {}", method.docs);
        let _ = writeln!(text, "    {};", head(method));
    }
    text.push_str("}\n");
    for number in ["f64", "f32"] {
        let (constant, size) = match number {
            "f64" => ("number", "f64::abs(self)"),
            _ => ("number as f32", "f64::from(f32::abs(self))"),
        };
        let _ = write!(
            text,
            "\nimpl Scalar for {number} {{\n    fn from_f64(number: f64) -> Self {{\n        {constant}\n    }}\n    \
             fn magnitude(self) -> f64 {{\n        {size}\n    }}\n"
        );
        for method in &methods {
            let body = body(method, number, module.math);
            let _ = write!(text, "    {} {{\n{body}    }}\n", head(method));
        }
        text.push_str("}\n");
    }
    text
}

fn head(method: &Method) -> String {
    let name = method.name;
    match method.kind {
        Kind::One | Kind::Sign => format!("fn {name}(self) -> Self"),
        Kind::Two => format!("fn {name}(self, other: Self) -> Self"),
        Kind::Select(_) => format!("fn {name}(a: Self, b: Self, then: Self, other: Self) -> Self"),
    }
}

fn body(method: &Method, number: &str, math: Math) -> String {
    let suffix = if number == "f32" { "f" } else { "" };
    let function = match math {
        Math::Libm if !method.libm.is_empty() => format!("libm::{}{suffix}", method.libm),
        _ => format!("{number}::{}", method.name),
    };
    match method.kind {
        Kind::One => format!("        {function}(self)\n"),
        Kind::Two => format!("        {function}(self, other)\n"),
        Kind::Sign => "        if self == 0.0 { 0.0 } else { self.signum() }\n".to_owned(),
        Kind::Select(operator) => {
            format!("        if a {operator} b {{ then }} else {{ other }}\n")
        }
    }
}
