//! The elementary functions: one enumeration and one table, which the language, the algebra, the instructions and the emitted text share.
//!
//! A function is a row of [`TABLE`]: its names, where it is defined, what is known of its values, its derivative, how it behaves in the prime
//! field, and what it is called in Rust. Nothing else has to be said to have it in models and in generated code; `verify` has a table of its
//! own, on purpose. Knows nothing of expressions or instructions.

pub mod derivative;
mod table;

use derivative::Derivative;
pub use table::TABLE;

/// The test of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

impl Comparison {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::Less,
        Self::LessEqual,
        Self::Greater,
        Self::GreaterEqual,
    ];

    /// Decides it for two things that compare; `false` where they do not (NaN).
    pub fn holds<T: PartialOrd>(self, left: &T, right: &T) -> bool {
        match self {
            Self::Less => left < right,
            Self::LessEqual => left <= right,
            Self::Greater => left > right,
            Self::GreaterEqual => left >= right,
        }
    }

    /// The same, holding for equals.
    #[must_use]
    pub fn or_equal(self) -> Self {
        match self {
            Self::Less | Self::LessEqual => Self::LessEqual,
            Self::Greater | Self::GreaterEqual => Self::GreaterEqual,
        }
    }

    /// As models and Rust write it.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
        }
    }
}

/// An elementary function. Angles are in radians.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Elementary {
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Tangent.
    Tan,
    /// Arc sine, in [-pi/2, pi/2].
    Asin,
    /// Arc cosine, in [0, pi].
    Acos,
    /// Arc tangent, in (-pi/2, pi/2).
    Atan,
    /// Angle of the point (x = second argument, y = first argument).
    Atan2,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// Inverse of the hyperbolic sine.
    Asinh,
    /// Inverse of the hyperbolic cosine.
    Acosh,
    /// Inverse of the hyperbolic tangent.
    Atanh,
    /// Nonnegative square root.
    Sqrt,
    /// e to the x.
    Exp,
    /// Natural logarithm.
    Ln,
    /// Absolute value.
    Abs,
    /// -1, 0 or 1; 0 at 0 (unlike `f64::signum`), NaN at NaN.
    Sign,
    /// The lesser of two.
    Min,
    /// The greater of two.
    Max,
    /// The first to the second, for the exponents that products and square roots cannot express.
    Pow,
    /// Of (left, right, then, other): `then` where the first is less than the second, else `other`.
    ChoiceLess,
    /// The same where it is less or equal.
    ChoiceLessEqual,
    /// The same where it is greater.
    ChoiceGreater,
    /// The same where it is greater or equal.
    ChoiceGreaterEqual,
}

/// What is known of a function.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Which.
    pub function: Elementary,
    /// The name in listings and instructions.
    pub name: &'static str,
    /// The names in models; none for what models write with operators.
    pub words: &'static [&'static str],
    /// Number of arguments.
    pub arguments: usize,
    /// Whether models may give it more arguments, which it takes pairwise.
    pub folds: bool,
    /// What a choice asks of its first two arguments.
    pub test: Option<Comparison>,
    /// What the arguments' units have to be and what the value's is.
    pub units: Units,
    /// Where it is defined.
    pub domain: Domain,
    /// What the opposite argument does.
    pub parity: Parity,
    /// Its value at 0 and at 1 where that is a whole number.
    pub exact: [Option<i8>; 2],
    /// The sign of its values.
    pub range: Range,
    /// Its derivative.
    pub derivative: Derivative,
    /// What it is in the prime field.
    pub in_field: FieldRule,
    /// In doubles; choices are made by whoever evaluates them.
    pub real: Real,
    /// The method of `f64`; empty where the text is another.
    pub method: &'static str,
    /// The function of `libm`, without the `f` of single precision; empty where `core` has it.
    pub libm: &'static str,
    /// What it computes, for the documentation of generated code.
    pub docs: &'static str,
    /// Cycles of a processor until the result is there.
    pub cycles: u32,
}

/// Rules of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Units {
    /// No units.
    Pure,
    /// The unit's root.
    Root,
    /// The argument's unit.
    Kept,
    /// Any unit; the value has none.
    Dropped,
    /// One unit for all arguments and the value.
    Common,
    /// One unit for all arguments; the value has none.
    Ratio,
}

/// Where a function is defined, by its first argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Everywhere.
    Everywhere,
    /// Not below 0.
    NonNegative,
    /// Above 0.
    Positive,
    /// From -1 to 1.
    UnitInterval,
    /// Between -1 and 1.
    InsideUnit,
    /// From 1 on.
    AboveOne,
    /// From 0 on for positive exponents, above it for others.
    OfPower,
}

/// What becomes of a function where its argument changes its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parity {
    /// It changes its sign.
    Odd,
    /// Nothing.
    Even,
    /// Anything.
    None,
}

/// The sign of a function's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Any.
    Any,
    /// Above 0.
    Positive,
    /// From 0 on.
    NonNegative,
    /// From 0 on, and above it where the argument is.
    PositiveWithArgument,
    /// From 0 on, and above it where the argument is not 0.
    PositiveUnlessZero,
    /// Above 0 where the first argument is.
    OfBase,
}

/// What a function is in a prime field, so that the identities hold that folding and elimination rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldRule {
    /// The second coordinate of a point of the circle.
    Sine,
    /// Its first coordinate.
    Cosine,
    /// Their quotient.
    Tangent,
    /// The second coordinate of a point of the hyperbola.
    HyperbolicSine,
    /// Its first coordinate.
    HyperbolicCosine,
    /// Their quotient.
    HyperbolicTangent,
    /// Their sum.
    Exponential,
    /// A square root.
    Root,
    /// The residue with its sign taken away.
    Magnitude,
    /// The residue's sign.
    Sign,
    /// The lesser of two, by the sign of their difference.
    Lesser,
    /// The greater.
    Greater,
    /// A power.
    Power,
    /// A pseudo-random map that keeps the parity and the exact values.
    Opaque,
}

/// A function of doubles.
#[derive(Clone, Copy, Debug)]
pub enum Real {
    /// Of one.
    One(fn(f64) -> f64),
    /// Of two.
    Two(fn(f64, f64) -> f64),
    /// None: a choice.
    None,
}

impl Elementary {
    /// What is known of it.
    pub fn row(self) -> &'static Row {
        static ROWS: [Row; Elementary::ChoiceGreaterEqual as usize + 1] = TABLE;
        &ROWS[self as usize]
    }

    /// The choice that asks this.
    pub fn choice(test: Comparison) -> Self {
        match test {
            Comparison::Less => Self::ChoiceLess,
            Comparison::LessEqual => Self::ChoiceLessEqual,
            Comparison::Greater => Self::ChoiceGreater,
            Comparison::GreaterEqual => Self::ChoiceGreaterEqual,
        }
    }

    /// The function that models call by this name.
    pub fn called(word: &str) -> Option<Self> {
        let row = TABLE.iter().find(|row| row.words.contains(&word))?;
        Some(row.function)
    }

    /// Whether it takes one of two values.
    pub fn is_choice(self) -> bool {
        self.row().test.is_some()
    }

    /// Whether the opposite argument gives the opposite value.
    pub fn is_odd(self) -> bool {
        self.row().parity == Parity::Odd
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_enumeration() {
        for (place, row) in TABLE.iter().enumerate() {
            assert_eq!(row.function as usize, place);
            assert_eq!(row.function.row().name, row.name);
            assert_eq!(
                row.words.iter().find_map(|word| Elementary::called(word)),
                { (!row.words.is_empty()).then_some(row.function) }
            );
        }
    }

    #[test]
    fn rows_agree_with_the_functions_of_doubles() {
        for row in &TABLE {
            let Real::One(f) = row.real else { continue };
            for (at, exact) in row.exact.iter().enumerate() {
                if let Some(exact) = exact {
                    assert_eq!(f(at as f64), f64::from(*exact), "{} at {at}", row.name);
                }
            }
            for x in [0.25, 0.75, 1.5] {
                let (there, opposite) = (f(x), f(-x));
                let expected = match row.parity {
                    Parity::Odd => -there,
                    Parity::Even => there,
                    Parity::None => opposite,
                };
                let off = (opposite - expected).abs();
                assert!(
                    off < 1e-15 || there.is_nan() || opposite.is_nan(),
                    "{}",
                    row.name
                );
                let outside = match row.domain {
                    Domain::NonNegative | Domain::Positive => -x,
                    Domain::UnitInterval | Domain::InsideUnit => 1.0 + x,
                    Domain::AboveOne => 1.0 - x,
                    Domain::Everywhere | Domain::OfPower => continue,
                };
                assert!(f(outside).is_nan(), "{} at {outside}", row.name);
            }
        }
    }

    /// Central differences, whose error is about 1e-9 here.
    #[test]
    fn derivatives_are_slopes() {
        struct Doubles;
        impl derivative::Arithmetic for Doubles {
            type Number = f64;
            fn one(&mut self) -> f64 {
                1.0
            }
            fn half(&mut self) -> f64 {
                0.5
            }
            fn add(&mut self, a: &f64, b: &f64) -> f64 {
                a + b
            }
            fn sub(&mut self, a: &f64, b: &f64) -> f64 {
                a - b
            }
            fn mul(&mut self, a: &f64, b: &f64) -> f64 {
                a * b
            }
            fn reciprocal(&mut self, a: &f64) -> f64 {
                1.0 / a
            }
            fn pole(&mut self, a: &f64) -> f64 {
                1.0 / a
            }
            fn apply(&mut self, function: Elementary, a: &f64) -> f64 {
                match function.row().real {
                    Real::One(f) => f(*a),
                    _ => f64::NAN,
                }
            }
            fn lower_power(&mut self, base: &f64, exponent: &f64, _: &f64) -> f64 {
                base.powf(exponent - 1.0)
            }
        }
        for row in &TABLE {
            let f = |x: [f64; 2]| match row.real {
                Real::One(f) => f(x[0]),
                Real::Two(f) => f(x[0], x[1]),
                Real::None => f64::NAN,
            };
            let Derivative::Partials(partials) = row.derivative else {
                continue;
            };
            let x = if row.domain == Domain::AboveOne {
                [1.7, 0.6]
            } else {
                [0.7, 0.6]
            };
            for (i, partial) in partials.iter().enumerate() {
                let at = derivative::Application {
                    arguments: [&x[0], &x[1]],
                    value: &f(x),
                };
                let slope = partial.term.evaluate(&mut Doubles, &at);
                let slope = if partial.negative { -slope } else { slope };
                let (mut above, mut below) = (x, x);
                above[i] += 1e-5;
                below[i] -= 1e-5;
                let wanted = (f(above) - f(below)) / 2e-5;
                assert!(
                    (slope - wanted).abs() < 1e-8,
                    "{} by {i}: {slope} {wanted}",
                    row.name
                );
            }
        }
    }
}
