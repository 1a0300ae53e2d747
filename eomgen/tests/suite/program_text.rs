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
#![cfg(feature = "derive")]

mod parse;
mod print;

pub use parse::parse;
pub use print::print;

use eomgen::internals::function::{Comparison, Elementary, TABLE};
use eomgen::internals::ir::{Binary, Unary};

/// The operations whose words are no names of functions.
const ARITHMETIC: [Binary; 4] = [Binary::Add, Binary::Sub, Binary::Mul, Binary::Div];

/// The function of this name and so many arguments.
fn function(word: &str, arguments: usize) -> Option<Elementary> {
    let row = TABLE.iter().find(|row| row.name == word);
    row.filter(|row| row.arguments == arguments)
        .map(|row| row.function)
}

fn unary(word: &str) -> Option<Unary> {
    if word == Unary::Neg.word() {
        return Some(Unary::Neg);
    }
    function(word, 1).map(Unary::Of)
}

fn binary(word: &str) -> Option<Binary> {
    let plain = ARITHMETIC.into_iter().find(|op| op.word() == word);
    plain.or_else(|| function(word, 2).map(Binary::Of))
}

/// The word for a comparison.
fn comparison_word(test: Comparison) -> &'static str {
    match test {
        Comparison::Less => "less",
        Comparison::LessEqual => "less_equal",
        Comparison::Greater => "greater",
        Comparison::GreaterEqual => "greater_equal",
    }
}

fn comparison(word: &str) -> Option<Comparison> {
    let mut all = Comparison::ALL.into_iter();
    all.find(|test| comparison_word(*test) == word)
}

mod tests;
