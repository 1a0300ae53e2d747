//! Programs as text, to be written by hand, printed, compared and read back.
//!
//! ```text
//! ; from here to the end of the line: a comment
//! group "state" = "x", "y"
//! extern "F" arity 2 order 1
//!
//! %0 = 0
//! %1 = 1
//! %2 = input 0.1              ; entry 1 of group 0
//! %3 = -3/4
//! %4 "speed" = mul %2 %3      ; a name hint
//! %5 = pi
//! %6 = select less %2 %3 %4 %5    ; less, less_equal, greater, greater_equal
//! %7 = call 0 %2 %3           ; user function 0
//! %8 = jet %7 value           ; or: gradient 0, hessian 0 1
//! %9 = minimum_norm 1 2 %2 %3 %4  ; rows, columns
//! %10 = constrained 1 0 %2 %3     ; n, m
//! %11 = element %9 1
//!
//! function "speeds"
//!   check %2 condition 0
//!   check %2 scale %4 condition 1
//!   output %4
//! ```
//!
//! Labels are any `%` and number, each defined before it is used. What is printed has every instruction of the graph, dead ones included, labelled with its
//! place; reading that gives the same graph. Instructions are taken as they stand, not folded.

mod parse;
mod print;

pub use parse::{ParseError, parse};
pub use print::print;

use super::{Binary, Comparison, Unary};

const UNARY: [(&str, Unary); 18] = [
    ("neg", Unary::Neg),
    ("sin", Unary::Sin),
    ("cos", Unary::Cos),
    ("tan", Unary::Tan),
    ("asin", Unary::Asin),
    ("acos", Unary::Acos),
    ("atan", Unary::Atan),
    ("sinh", Unary::Sinh),
    ("cosh", Unary::Cosh),
    ("tanh", Unary::Tanh),
    ("asinh", Unary::Asinh),
    ("acosh", Unary::Acosh),
    ("atanh", Unary::Atanh),
    ("sqrt", Unary::Sqrt),
    ("exp", Unary::Exp),
    ("ln", Unary::Ln),
    ("abs", Unary::Abs),
    ("sign", Unary::Sign),
];

const BINARY: [(&str, Binary); 8] = [
    ("add", Binary::Add),
    ("sub", Binary::Sub),
    ("mul", Binary::Mul),
    ("div", Binary::Div),
    ("atan2", Binary::Atan2),
    ("pow", Binary::Pow),
    ("min", Binary::Min),
    ("max", Binary::Max),
];

const COMPARISONS: [(&str, Comparison); 4] = [
    ("less", Comparison::Less),
    ("less_equal", Comparison::LessEqual),
    ("greater", Comparison::Greater),
    ("greater_equal", Comparison::GreaterEqual),
];

fn word<T: PartialEq>(table: &[(&'static str, T)], item: &T) -> &'static str {
    table
        .iter()
        .find(|(_, other)| other == item)
        .map_or("?", |(word, _)| word)
}

fn meaning<T: Copy>(table: &[(&'static str, T)], word: &str) -> Option<T> {
    let entry = table.iter().find(|(other, _)| *other == word);
    entry.map(|(_, item)| *item)
}

#[cfg(test)]
mod tests;
