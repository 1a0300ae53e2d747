//! Mathematics as a reader writes it: a tree that knows nothing of formats, made from the model's own notation, and writers for one line of
//! Unicode, for Unicode in two dimensions, for LaTeX and for MathML. Knows nothing of mechanics, models or the algebra.
//!
//! [`Names::parse`] reads `(m1 + m2)*u1' + m1*l*u2^2 = 0`, and [`one_line`] writes it as `(m₁ + m₂) u̇₁ + m₁ l u₂² = 0`.
//!
//! # How names are written
//!
//! | name in the model | becomes | rule |
//! |---|---|---|
//! | `theta`, `Omega` | θ, Ω | names of Greek letters become the letters |
//! | `theta1`, `m12` | θ₁, m₁₂ | digits at the end become a subscript |
//! | `omega_x`, `tau_theta`, `m_cart` | ω_x, τ_θ, m_cart | what follows `_` becomes a subscript |
//! | `Fx`, `Ixy` | F_x, I_xy | so do one to three of `x`, `y`, `z` after a single letter |
//! | `q[3]`, `a[1,2]` | q₃, a₁,₂ | and what stands in brackets |
//! | `left.theta1` | θ₁_left | and the part that a name belongs to, last |
//! | `lambda[blade.x]` | λ_blade.x | rows of constraints by their names |
//! | `x'`, `x''` | ẋ, ẍ | rates have dots over the letter; names of several letters keep primes in Unicode: `reach′` |
//! | `reach`, `th` | reach | names of several letters stay and are upright |
//!
//! Two names of a model that would look alike are both written as in the model ([`Names`]).

mod abbreviate;
mod drawing;
mod latex;
mod layout;
mod lengths;
mod line;
mod mathml;
mod name;
mod parse;
mod rows;
#[cfg(test)]
mod tests;
mod text;
mod unicode;

use crate::function::Comparison;
pub use abbreviate::{Definition, Namer};
pub use drawing::layout;
pub use latex::{latex, latex_rows, latex_text};
pub use layout::Layout;
pub use line::{Line, aligned};
pub use mathml::{Titles, escape, mathml, mathml_rows};
pub use name::{Names, Style, Symbol};
#[cfg(test)]
pub use parse::parse;
pub use rows::lines;
pub use text::text;
pub use unicode::{one_line, width};

/// A piece of mathematics.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Math {
    /// A number without a sign, in decimal digits.
    Number(String),
    /// A name.
    Symbol(Symbol),
    /// Time derivatives of a symbol: how many.
    Dotted(Symbol, usize),
    /// The opposite.
    Negative(Box<Math>),
    /// At least two terms; a term that is subtracted is [`Math::Negative`].
    Sum(Vec<Math>),
    /// At least two factors.
    Product(Vec<Math>),
    /// Numerator and denominator.
    Quotient(Box<Math>, Box<Math>),
    /// Base and exponent.
    Power(Box<Math>, Box<Math>),
    /// A square root.
    Root(Box<Math>),
    /// A function of its arguments; `abs` is written with bars.
    Function(Symbol, Vec<Math>),
    /// The first value where the condition holds, the second elsewhere.
    Choice(Box<Math>, Box<Math>, Box<Math>),
    /// Rows of entries in brackets: a matrix, a column, a row.
    Matrix(Vec<Vec<Math>>),
    /// Two sides with `=`, `<`, `<=`, `>`, `>=` or `!=` between them.
    Relation(Box<Math>, Relation, Box<Math>),
    /// Words.
    Text(String),
}

/// What stands between two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Relation {
    Equal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Unequal,
}

impl Relation {
    /// In the model's notation.
    pub fn text(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Unequal => "!=",
        }
    }

    /// As one character.
    pub fn sign(self) -> &'static str {
        match self {
            Self::LessEqual => "≤",
            Self::GreaterEqual => "≥",
            Self::Unequal => "≠",
            other => other.text(),
        }
    }
}

impl From<Comparison> for Relation {
    fn from(test: Comparison) -> Self {
        match test {
            Comparison::Less => Self::Less,
            Comparison::LessEqual => Self::LessEqual,
            Comparison::Greater => Self::Greater,
            Comparison::GreaterEqual => Self::GreaterEqual,
        }
    }
}

impl Math {
    /// A whole number.
    pub fn integer(n: i64) -> Self {
        let digits = Self::Number(n.unsigned_abs().to_string());
        if n < 0 {
            Self::Negative(Box::new(digits))
        } else {
            digits
        }
    }

    /// A name in the model's spelling, written by the general rules.
    pub fn symbol(name: &str) -> Self {
        Self::Symbol(Symbol::of(name))
    }

    /// `left = right`
    pub fn equation(left: Self, right: Self) -> Self {
        Self::Relation(Box::new(left), Relation::Equal, Box::new(right))
    }

    /// A sum; 0 of nothing, and the term itself of one. Sums among the terms are opened.
    pub fn sum(terms: Vec<Self>) -> Self {
        let mut flat = Vec::with_capacity(terms.len());
        for term in terms {
            match term {
                Self::Sum(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Self::integer(0),
            1 => flat.remove(0),
            _ => Self::Sum(flat),
        }
    }

    /// A product; 1 of nothing, and the factor itself of one.
    pub fn product(mut factors: Vec<Self>) -> Self {
        match factors.len() {
            0 => Self::integer(1),
            1 => factors.remove(0),
            _ => Self::Product(factors),
        }
    }

    /// With the opposite sign.
    pub fn negated(self) -> Self {
        match self {
            Self::Negative(inner) => *inner,
            other => Self::Negative(Box::new(other)),
        }
    }

    /// This many times `x`, as one writes it: `x` for 1, and a sign goes to the front.
    pub fn times(self, x: Self) -> Self {
        match self {
            one if one.is_one() => x,
            Self::Negative(inner) => inner.times(x).negated(),
            Self::Product(mut factors) => {
                factors.push(x);
                Self::Product(factors)
            }
            other => Self::Product(vec![other, x]),
        }
    }

    /// A sum of negative terms as the negative of a sum.
    pub fn sign_in_front(self) -> Self {
        match self {
            Self::Sum(terms) if terms.iter().all(|t| matches!(t, Self::Negative(_))) => {
                let terms = terms.into_iter().map(Self::negated).collect();
                Self::Sum(terms).negated()
            }
            other => other,
        }
    }

    /// Whether words stand in it where mathematics was left out.
    pub fn has_words(&self) -> bool {
        matches!(self, Self::Text(_)) || self.parts().into_iter().any(Self::has_words)
    }

    /// Whether this is the number 0.
    pub fn is_zero(&self) -> bool {
        matches!(self, Self::Number(digits) if digits == "0")
    }

    /// Whether this is the number 1.
    pub fn is_one(&self) -> bool {
        matches!(self, Self::Number(digits) if digits == "1")
    }

    /// Names, numbers and operations in it.
    pub fn size(&self) -> usize {
        1 + self.parts().into_iter().map(Self::size).sum::<usize>()
    }

    /// Names and numbers in it.
    pub fn leaves(&self) -> usize {
        match self {
            Self::Number(_) | Self::Symbol(_) | Self::Dotted(..) | Self::Text(_) => 1,
            _ => self.parts().into_iter().map(Self::leaves).sum(),
        }
    }

    /// What it is immediately made of.
    pub fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Number(_) | Self::Symbol(_) | Self::Dotted(..) | Self::Text(_) => Vec::new(),
            Self::Negative(a) | Self::Root(a) => vec![a],
            Self::Sum(list) | Self::Product(list) | Self::Function(_, list) => {
                list.iter().collect()
            }
            Self::Quotient(a, b) | Self::Power(a, b) | Self::Relation(a, _, b) => vec![a, b],
            Self::Choice(a, b, c) => vec![a, b, c],
            Self::Matrix(rows) => rows.iter().flatten().collect(),
        }
    }

    /// The same with every immediate part changed.
    pub fn map(&self, mut f: impl FnMut(&Self) -> Self) -> Self {
        let mut list = |list: &[Self]| list.iter().map(&mut f).collect::<Vec<_>>();
        match self {
            Self::Number(_) | Self::Symbol(_) | Self::Dotted(..) | Self::Text(_) => self.clone(),
            Self::Sum(terms) => Self::sum(list(terms)),
            Self::Product(factors) => Self::Product(list(factors)),
            Self::Function(name, arguments) => Self::Function(name.clone(), list(arguments)),
            Self::Matrix(rows) => Self::Matrix(rows.iter().map(|row| list(row)).collect()),
            Self::Negative(a) => Self::Negative(Box::new(f(a))),
            Self::Root(a) => Self::Root(Box::new(f(a))),
            Self::Quotient(a, b) => Self::Quotient(Box::new(f(a)), Box::new(f(b))),
            Self::Power(a, b) => Self::Power(Box::new(f(a)), Box::new(f(b))),
            Self::Relation(a, r, b) => Self::Relation(Box::new(f(a)), *r, Box::new(f(b))),
            Self::Choice(a, b, c) => Self::Choice(Box::new(f(a)), Box::new(f(b)), Box::new(f(c))),
        }
    }

    /// Calls `f` with every symbol in it, with repetitions, in reading order.
    pub fn symbols<'a>(&'a self, f: &mut impl FnMut(&'a Symbol)) {
        match self {
            Self::Symbol(s) | Self::Dotted(s, _) => f(s),
            Self::Function(s, _) => f(s),
            _ => {}
        }
        for part in self.parts() {
            part.symbols(f);
        }
    }
}

/// How tightly something holds together, for deciding on parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Binding {
    /// Relations and choices.
    Loose,
    /// Sums, and whatever has a sign in front.
    Sum,
    /// Products and fractions in one line.
    Product,
    /// Powers.
    Power,
    /// Names, numbers, functions.
    Atom,
}

impl Math {
    pub(crate) fn binding(&self) -> Binding {
        match self {
            Self::Relation(..) | Self::Choice(..) => Binding::Loose,
            Self::Sum(_) | Self::Negative(_) => Binding::Sum,
            Self::Product(_) | Self::Quotient(..) => Binding::Product,
            Self::Power(..) => Binding::Power,
            _ => Binding::Atom,
        }
    }

    /// The sign in front of a term, and what follows it.
    pub(crate) fn signed(&self) -> (bool, &Self) {
        match self {
            Self::Negative(inner) => (true, inner),
            other => (false, other),
        }
    }
}
