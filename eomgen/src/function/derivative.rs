//! Derivatives of elementary functions as data, for every arithmetic that can add, multiply and apply functions. Each is stated once, in
//! the table; what evaluates it decides how terms are shared and what a division has to leave on record.

use super::{Comparison, Elementary};

/// How a function changes with its arguments.
#[derive(Clone, Copy, Debug)]
pub enum Derivative {
    /// By the sum of these times the changes of the arguments, in their order. None: it is constant where it has a derivative.
    Partials(&'static [Partial]),
    /// As the one of its two arguments that it is equal to: the first where this comparison, or equality, holds.
    OfTheTaken(Comparison),
    /// As the branch taken. The other one may have no value.
    OfTheBranch,
}

/// A partial derivative.
#[derive(Clone, Copy, Debug)]
pub struct Partial {
    /// Whether it is the opposite of the term.
    pub negative: bool,
    /// Its magnitude.
    pub term: Term,
}

impl Partial {
    /// The term itself.
    pub const fn plus(term: Term) -> Self {
        Self {
            negative: false,
            term,
        }
    }

    /// The opposite of the term.
    pub const fn minus(term: Term) -> Self {
        Self {
            negative: true,
            term,
        }
    }
}

/// An expression in the arguments and the value of a function.
#[derive(Clone, Copy, Debug)]
pub enum Term {
    /// 1
    One,
    /// 1/2
    Half,
    /// The first argument.
    First,
    /// The second argument.
    Second,
    /// The function's value.
    Value,
    /// A sum.
    Add(&'static Term, &'static Term),
    /// A difference.
    Sub(&'static Term, &'static Term),
    /// A product.
    Mul(&'static Term, &'static Term),
    /// A reciprocal that exists wherever the function has a value.
    Reciprocal(&'static Term),
    /// A reciprocal that has a pole where the function has a value.
    Pole(&'static Term),
    /// A function of a term.
    Of(Elementary, &'static Term),
    /// The first argument to the second less 1.
    LowerPower,
}

/// What derivatives are evaluated in.
pub trait Arithmetic {
    /// A number or an expression.
    type Number: Clone;
    /// 1
    fn one(&mut self) -> Self::Number;
    /// 1/2
    fn half(&mut self) -> Self::Number;
    /// `a + b`
    fn add(&mut self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// `a - b`
    fn sub(&mut self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// `a * b`
    fn mul(&mut self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// `1 / a`
    fn reciprocal(&mut self, a: &Self::Number) -> Self::Number;
    /// `1 / a`, which the function itself does not need.
    fn pole(&mut self, a: &Self::Number) -> Self::Number;
    /// A function of one number.
    fn apply(&mut self, function: Elementary, a: &Self::Number) -> Self::Number;
    /// `base` to the `exponent - 1`; `power` is `base` to the `exponent`.
    fn lower_power(
        &mut self,
        base: &Self::Number,
        exponent: &Self::Number,
        power: &Self::Number,
    ) -> Self::Number;
}

/// An application: the arguments, the second repeating the first where there is one only, and the value.
#[derive(Debug)]
pub struct Application<'a, N> {
    /// The arguments.
    pub arguments: [&'a N; 2],
    /// The value.
    pub value: &'a N,
}

impl Term {
    /// The value of the term for an application.
    pub fn evaluate<A: Arithmetic>(
        &self,
        arithmetic: &mut A,
        at: &Application<'_, A::Number>,
    ) -> A::Number {
        let [first, second] = at.arguments;
        let mut of = |term: &Self| term.evaluate(arithmetic, at);
        match self {
            Self::One => arithmetic.one(),
            Self::Half => arithmetic.half(),
            Self::First => first.clone(),
            Self::Second => second.clone(),
            Self::Value => at.value.clone(),
            Self::Add(a, b) => {
                let (a, b) = (of(a), of(b));
                arithmetic.add(&a, &b)
            }
            Self::Sub(a, b) => {
                let (a, b) = (of(a), of(b));
                arithmetic.sub(&a, &b)
            }
            Self::Mul(a, b) => {
                let (a, b) = (of(a), of(b));
                arithmetic.mul(&a, &b)
            }
            Self::Reciprocal(a) => {
                let a = of(a);
                arithmetic.reciprocal(&a)
            }
            Self::Pole(a) => {
                let a = of(a);
                arithmetic.pole(&a)
            }
            Self::Of(function, a) => {
                let a = of(a);
                arithmetic.apply(*function, &a)
            }
            Self::LowerPower => arithmetic.lower_power(first, second, at.value),
        }
    }
}

/// The square of the first argument.
pub(super) const SQUARE: Term = Term::Mul(&Term::First, &Term::First);
/// The square of the second argument.
const OTHER_SQUARE: Term = Term::Mul(&Term::Second, &Term::Second);
/// The square of the value.
pub(super) const VALUE_SQUARE: Term = Term::Mul(&Term::Value, &Term::Value);
/// `1 + x^2`
pub(super) const ONE_PLUS_SQUARE: Term = Term::Add(&Term::One, &SQUARE);
/// `1 - x^2`
pub(super) const ONE_MINUS_SQUARE: Term = Term::Sub(&Term::One, &SQUARE);
/// `x^2 - 1`
const SQUARE_MINUS_ONE: Term = Term::Sub(&SQUARE, &Term::One);
/// `1/sqrt(1 - x^2)`
pub(super) const OVER_ROOT_BELOW_ONE: Term =
    Term::Pole(&Term::Of(Elementary::Sqrt, &ONE_MINUS_SQUARE));
/// `1/sqrt(1 + x^2)`
pub(super) const OVER_ROOT_ABOVE_ONE: Term =
    Term::Reciprocal(&Term::Of(Elementary::Sqrt, &ONE_PLUS_SQUARE));
/// `1/sqrt(x^2 - 1)`
pub(super) const OVER_ROOT_OF_EXCESS: Term =
    Term::Pole(&Term::Of(Elementary::Sqrt, &SQUARE_MINUS_ONE));
/// `1/(y^2 + x^2)`
pub(super) const OVER_DISTANCE_SQUARED: Term = Term::Pole(&Term::Add(&SQUARE, &OTHER_SQUARE));
