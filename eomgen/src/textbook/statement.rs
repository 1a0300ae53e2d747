//! Expressions in the model's notation, for sentences.

use super::{Forms, Printed};
use crate::notation::{Math, Symbol, text};
use crate::sym::{Algebra, Expr, Kernel, Meaning, Var};

/// An expression as a book prints it, the arguments of its functions too. `None` where that is too long.
pub fn statement(alg: &Algebra, e: &Expr, forms: &Forms) -> Option<String> {
    Some(Printed::expression_among(alg, e, forms)?.text(alg, forms))
}

impl Printed {
    /// In the model's notation, symbols by their own names.
    pub(super) fn text(&self, alg: &Algebra, forms: &Forms) -> String {
        text(&self.math(alg, &mut |v| symbol(alg, v, forms)))
    }
}

fn symbol(alg: &Algebra, v: Var, forms: &Forms) -> Math {
    match &alg.info(v).meaning {
        Meaning::Kernel(kernel, args) => {
            let args = args.iter().map(|a| argument(alg, a, forms));
            function(*kernel, args.collect())
        }
        _ => Math::Symbol(Symbol::verbatim(&alg.info(v).name)),
    }
}

fn argument(alg: &Algebra, e: &Expr, forms: &Forms) -> Math {
    let mut symbol = |v| symbol(alg, v, forms);
    match Printed::expression_among(alg, e, forms) {
        Some(printed) => printed.math(alg, &mut symbol),
        None => alg.math(&alg.node(e), &mut symbol),
    }
}

/// A function of the algebra as mathematics.
pub fn function(kernel: Kernel, args: Vec<Math>) -> Math {
    let boxed = |args: Vec<Math>| args.into_iter().map(Box::new);
    let mut list = boxed(args.clone());
    let mut next = || list.next();
    let known = match (kernel, kernel.row().test) {
        (Kernel::Sqrt, _) => next().map(Math::Root),
        (Kernel::Pow, _) => next().zip(next()).map(|(b, e)| Math::Power(b, e)),
        (_, Some(test)) => match (next(), next(), next(), next()) {
            (Some(left), Some(right), Some(then), Some(other)) => {
                let condition = Box::new(Math::Relation(left, test.into(), right));
                Some(Math::Choice(condition, then, other))
            }
            _ => None,
        },
        _ => None,
    };
    known.unwrap_or_else(|| Math::Function(Symbol::verbatim(kernel.row().name), args))
}
