//! The trait of what a generic module computes with: only the functions that the module needs, and its implementations for `f64` and
//! `f32`, which give the bits of a module for that type.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::module::{Math, Module};
use super::runtime::Needs;
use crate::function::{Elementary, TABLE};
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

/// A function of the table.
fn function(function: Elementary) -> Method {
    let row = function.row();
    let kind = match (function, row.arguments) {
        (Elementary::Sign, _) => Kind::Sign,
        (_, 1) => Kind::One,
        _ => Kind::Two,
    };
    let name = if kind == Kind::Sign {
        row.name
    } else {
        row.method
    };
    Method {
        name,
        docs: row.docs,
        libm: row.libm,
        kind,
    }
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
        name,
        docs,
        libm: "",
        kind: Kind::Select(operator),
    }
}

/// The functions that the module calls, by name.
fn methods(module: &Module, needs: Needs) -> BTreeSet<Method> {
    let functions = module.functions.iter();
    let roots: Vec<Value> = functions.flat_map(|f| f.body.roots()).collect();
    let live = module.graph.live(&roots).into_iter();
    let (root, comparison) = needs.methods();
    let of_routines = [
        root.then(|| function(Elementary::Sqrt)),
        comparison.then(|| select(Comparison::Less)),
    ];
    live.filter_map(|value| match module.graph.op(value) {
        Op::Unary(Unary::Of(f), _) | Op::Binary(Binary::Of(f), ..) => Some(function(*f)),
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

/// For the routines that choose pivots, and for results that must be finite.
const BOUND: &str =
    "    /// Its size; of several numbers at once, the greatest, or NaN if one of them is.
    fn bound(self) -> f64 {
        self.magnitude()
    }
";

/// The text of the trait with its implementations for `f64` and `f32`.
pub fn scalar_trait(module: &Module, needs: Needs) -> String {
    written(&methods(module, needs), needs.singular, module.math)
}

/// The same with every function that there is, for every source of these: whatever a module has is some of it.
pub fn scalar_traits() -> Vec<String> {
    let tests = [Comparison::Less, Comparison::LessEqual].map(select);
    let rows = TABLE.iter().filter(|row| row.test.is_none());
    let all = rows.map(|row| function(row.function)).chain(tests);
    let all: BTreeSet<Method> = all.collect();
    let texts = [Math::Std, Math::Libm].map(|math| written(&all, true, math));
    texts.into()
}

fn written(methods: &BTreeSet<Method>, bound: bool, math: Math) -> String {
    let mut text = HEAD.to_owned();
    if bound {
        text.push_str(BOUND);
    }
    // Writing to a String cannot fail.
    for method in methods {
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
        for method in methods {
            let body = body(method, number, math);
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
