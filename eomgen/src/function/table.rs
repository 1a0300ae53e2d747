//! The table of the elementary functions: the one place where a function is added.

use super::derivative::{
    Derivative, ONE_MINUS_SQUARE, ONE_PLUS_SQUARE, OVER_DISTANCE_SQUARED, OVER_ROOT_ABOVE_ONE,
    OVER_ROOT_BELOW_ONE, OVER_ROOT_OF_EXCESS, Partial, Term, VALUE_SQUARE,
};
use super::{Comparison, Domain, Elementary, FieldRule, Parity, Range, Real, Row, Units};

/// What most functions have in common.
const PLAIN: Row = Row {
    function: Elementary::Sin,
    name: "",
    words: &[],
    arguments: 1,
    folds: false,
    test: None,
    units: Units::Pure,
    domain: Domain::Everywhere,
    parity: Parity::None,
    exact: [None, None],
    range: Range::Any,
    derivative: Derivative::Partials(&[]),
    in_field: FieldRule::Opaque,
    real: Real::None,
    method: "",
    libm: "",
    docs: "",
    cycles: 40,
};

/// A function of one number that has one name everywhere.
macro_rules! row {
    ($variant:ident $name:literal, $real:path, $docs:literal, $($more:tt)*) => {
        Row {
            function: Elementary::$variant,
            name: $name,
            words: &[$name],
            real: Real::One($real),
            method: $name,
            libm: $name,
            docs: $docs,
            $($more)*
        }
    };
}

/// A choice by a comparison.
const fn choice(function: Elementary, test: Comparison, name: &'static str) -> Row {
    Row {
        function,
        name,
        arguments: 4,
        test: Some(test),
        derivative: Derivative::OfTheBranch,
        cycles: 2,
        ..PLAIN
    }
}

/// One partial derivative.
const fn slope(partial: &'static [Partial; 1]) -> Derivative {
    Derivative::Partials(partial)
}

/// Every function, in the order of [`Elementary`].
pub const TABLE: [Row; Elementary::ChoiceGreaterEqual as usize + 1] = [
    row! { Sin "sin", f64::sin, "The sine.",
        parity: Parity::Odd,
        exact: [Some(0), None],
        derivative: slope(&[Partial::plus(Term::Of(Elementary::Cos, &Term::First))]),
        in_field: FieldRule::Sine,
        ..PLAIN
    },
    row! { Cos "cos", f64::cos, "The cosine.",
        parity: Parity::Even,
        exact: [Some(1), None],
        derivative: slope(&[Partial::minus(Term::Of(Elementary::Sin, &Term::First))]),
        in_field: FieldRule::Cosine,
        ..PLAIN
    },
    row! { Tan "tan", f64::tan, "The tangent.",
        parity: Parity::Odd,
        exact: [Some(0), None],
        derivative: slope(&[Partial::plus(Term::Add(&Term::One, &VALUE_SQUARE))]),
        in_field: FieldRule::Tangent,
        ..PLAIN
    },
    row! { Asin "asin", f64::asin, "The arc sine.",
        domain: Domain::UnitInterval,
        parity: Parity::Odd,
        exact: [Some(0), None],
        derivative: slope(&[Partial::plus(OVER_ROOT_BELOW_ONE)]),
        ..PLAIN
    },
    row! { Acos "acos", f64::acos, "The arc cosine.",
        domain: Domain::UnitInterval,
        exact: [None, Some(0)],
        derivative: slope(&[Partial::minus(OVER_ROOT_BELOW_ONE)]),
        ..PLAIN
    },
    row! { Atan "atan", f64::atan, "The arc tangent.",
        parity: Parity::Odd,
        exact: [Some(0), None],
        derivative: slope(&[Partial::plus(Term::Reciprocal(&ONE_PLUS_SQUARE))]),
        ..PLAIN
    },
    Row {
        function: Elementary::Atan2,
        name: "atan2",
        words: &["atan2"],
        arguments: 2,
        units: Units::Ratio,
        derivative: Derivative::Partials(&[
            Partial::plus(Term::Mul(&Term::Second, &OVER_DISTANCE_SQUARED)),
            Partial::minus(Term::Mul(&Term::First, &OVER_DISTANCE_SQUARED)),
        ]),
        real: Real::Two(f64::atan2),
        method: "atan2",
        libm: "atan2",
        docs: "The angle of the point `(other, self)`.",
        cycles: 80,
        ..PLAIN
    },
    row! { Sinh "sinh", f64::sinh, "The hyperbolic sine.",
        parity: Parity::Odd,
        exact: [Some(0), None],
        derivative: slope(&[Partial::plus(Term::Of(Elementary::Cosh, &Term::First))]),
        in_field: FieldRule::HyperbolicSine,
        ..PLAIN
    },
    row! { Cosh "cosh", f64::cosh, "The hyperbolic cosine.",
        parity: Parity::Even,
        exact: [Some(1), None],
        range: Range::Positive,
        derivative: slope(&[Partial::plus(Term::Of(Elementary::Sinh, &Term::First))]),
        in_field: FieldRule::HyperbolicCosine,
        ..PLAIN
    },
    row! { Tanh "tanh", f64::tanh, "The hyperbolic tangent.",
        parity: Parity::Odd,
        exact: [Some(0), None],
        derivative: slope(&[Partial::plus(Term::Sub(&Term::One, &VALUE_SQUARE))]),
        in_field: FieldRule::HyperbolicTangent,
        ..PLAIN
    },
    row! { Asinh "asinh", f64::asinh, "The inverse of the hyperbolic sine.",
        parity: Parity::Odd,
        exact: [Some(0), None],
        derivative: slope(&[Partial::plus(OVER_ROOT_ABOVE_ONE)]),
        ..PLAIN
    },
    row! { Acosh "acosh", f64::acosh, "The inverse of the hyperbolic cosine.",
        domain: Domain::AboveOne,
        exact: [None, Some(0)],
        range: Range::NonNegative,
        derivative: slope(&[Partial::plus(OVER_ROOT_OF_EXCESS)]),
        ..PLAIN
    },
    row! { Atanh "atanh", f64::atanh, "The inverse of the hyperbolic tangent.",
        domain: Domain::InsideUnit,
        parity: Parity::Odd,
        exact: [Some(0), None],
        derivative: slope(&[Partial::plus(Term::Pole(&ONE_MINUS_SQUARE))]),
        ..PLAIN
    },
    row! { Sqrt "sqrt", f64::sqrt, "The square root.",
        units: Units::Root,
        domain: Domain::NonNegative,
        exact: [Some(0), Some(1)],
        range: Range::PositiveWithArgument,
        derivative: slope(&[Partial::plus(Term::Mul(&Term::Half, &Term::Pole(&Term::Value)))]),
        in_field: FieldRule::Root,
        cycles: 18,
        ..PLAIN
    },
    row! { Exp "exp", f64::exp, "The exponential.",
        exact: [Some(1), None],
        range: Range::Positive,
        derivative: slope(&[Partial::plus(Term::Value)]),
        in_field: FieldRule::Exponential,
        ..PLAIN
    },
    Row {
        function: Elementary::Ln,
        name: "ln",
        words: &["ln", "log"],
        domain: Domain::Positive,
        exact: [None, Some(0)],
        derivative: slope(&[Partial::plus(Term::Reciprocal(&Term::First))]),
        real: Real::One(f64::ln),
        method: "ln",
        libm: "log",
        docs: "The natural logarithm.",
        ..PLAIN
    },
    Row {
        function: Elementary::Abs,
        name: "abs",
        words: &["abs"],
        units: Units::Kept,
        parity: Parity::Even,
        exact: [Some(0), Some(1)],
        range: Range::PositiveUnlessZero,
        derivative: slope(&[Partial::plus(Term::Of(Elementary::Sign, &Term::First))]),
        in_field: FieldRule::Magnitude,
        real: Real::One(f64::abs),
        method: "abs",
        docs: "The absolute value.",
        cycles: 1,
        ..PLAIN
    },
    Row {
        function: Elementary::Sign,
        name: "sign",
        words: &["sign"],
        units: Units::Dropped,
        parity: Parity::Odd,
        exact: [Some(0), Some(1)],
        in_field: FieldRule::Sign,
        real: Real::One(sign),
        docs: "-1, 0 or 1; 0 at 0, NaN at NaN.",
        cycles: 1,
        ..PLAIN
    },
    Row {
        function: Elementary::Min,
        name: "min",
        words: &["min"],
        arguments: 2,
        folds: true,
        units: Units::Common,
        derivative: Derivative::OfTheTaken(Comparison::Less),
        in_field: FieldRule::Lesser,
        real: Real::Two(f64::min),
        method: "min",
        docs: "The lesser of two.",
        cycles: 2,
        ..PLAIN
    },
    Row {
        function: Elementary::Max,
        name: "max",
        words: &["max"],
        arguments: 2,
        folds: true,
        units: Units::Common,
        derivative: Derivative::OfTheTaken(Comparison::Greater),
        in_field: FieldRule::Greater,
        real: Real::Two(f64::max),
        method: "max",
        docs: "The greater of two.",
        cycles: 2,
        ..PLAIN
    },
    Row {
        function: Elementary::Pow,
        name: "pow",
        arguments: 2,
        domain: Domain::OfPower,
        range: Range::OfBase,
        derivative: Derivative::Partials(&[
            Partial::plus(Term::Mul(&Term::Second, &Term::LowerPower)),
            Partial::plus(Term::Mul(
                &Term::Value,
                &Term::Of(Elementary::Ln, &Term::First),
            )),
        ]),
        in_field: FieldRule::Power,
        real: Real::Two(f64::powf),
        method: "powf",
        libm: "pow",
        docs: "The power with this exponent.",
        cycles: 80,
        ..PLAIN
    },
    choice(Elementary::ChoiceLess, Comparison::Less, "if_less"),
    choice(
        Elementary::ChoiceLessEqual,
        Comparison::LessEqual,
        "if_less_equal",
    ),
    choice(Elementary::ChoiceGreater, Comparison::Greater, "if_greater"),
    choice(
        Elementary::ChoiceGreaterEqual,
        Comparison::GreaterEqual,
        "if_greater_equal",
    ),
];

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}
