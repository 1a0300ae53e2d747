//! Exact numbers as `f64` literals.

use num_traits::ToPrimitive;

use crate::ir::Rational;

/// The `f64` nearest to an exact number, ties to even, as the interpreter takes it; `None` beyond
/// the largest finite one.
pub fn nearest_f64(number: &Rational) -> Option<f64> {
    number.to_f64().filter(|rounded| rounded.is_finite())
}

/// The shortest Rust literal that reads back as this number: `2.0`, `0.1`, `1e-9`.
pub fn literal(number: f64) -> String {
    format!("{number:?}")
}

/// Whether clippy's `approx_constant` takes the literal for a rough copy of a well-known constant.
/// Errs on the side of yes.
pub fn resembles_constant(number: f64) -> bool {
    use std::f64::consts::*;
    let constants = [
        E,
        FRAC_1_PI,
        FRAC_1_SQRT_2,
        FRAC_2_PI,
        FRAC_2_SQRT_PI,
        FRAC_PI_2,
        FRAC_PI_3,
        FRAC_PI_4,
        FRAC_PI_6,
        FRAC_PI_8,
        LN_2,
        LN_10,
        LOG2_10,
        LOG2_E,
        LOG10_2,
        LOG10_E,
        PI,
        SQRT_2,
        TAU,
        1.618_033_988_749_895,
        0.577_215_664_901_532_9,
    ];
    let magnitude = number.abs();
    constants
        .iter()
        .any(|constant| (magnitude - constant).abs() <= 0.01 * constant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use proptest::prelude::*;

    fn rational(numerator: i64, denominator: i64) -> Rational {
        Rational::new(numerator.into(), denominator.into())
    }

    /// The exact value of a decimal literal such as `-1.5e-3`.
    fn decimal(text: &str) -> Rational {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: BigInt = format!("{whole}{fraction}").parse().unwrap();
        let exponent: i32 = exponent.parse::<i32>().unwrap() - fraction.len() as i32;
        let power = BigInt::from(10).pow(exponent.unsigned_abs());
        if exponent < 0 {
            Rational::new(digits, power)
        } else {
            Rational::from_integer(digits * power)
        }
    }

    /// The standard library's decimal parser rounds correctly: it is the reference.
    #[test]
    fn decimals_round_as_the_standard_library_parses_them() {
        for text in [
            "0",
            "1",
            "-2",
            "0.1",
            "9.81",
            "-0.3",
            "1e22",
            "1e23",
            "8.5e-324",
            "4.9e-324",
            "2.4e-324",
            "2.5e-324",
            "2.2250738585072014e-308",
            "2.2250738585072011e-308",
            "1.7976931348623157e308",
            "9007199254740993",
            "9007199254740992.5",
            "9007199254740994.9999",
            "0.500000000000000166533453693773481063544750213623046875",
            "6.631236871469758276785396630275967e-4",
        ] {
            let expected: f64 = text.parse().unwrap();
            let found = nearest_f64(&decimal(text)).unwrap();
            assert_eq!(found.to_bits(), expected.to_bits(), "{text}");
        }
        assert_eq!(nearest_f64(&decimal("1.8e308")), None);
        assert_eq!(nearest_f64(&decimal("-1.8e308")), None);
        assert_eq!(nearest_f64(&decimal("1e-400")), Some(0.0));
    }

    proptest! {
        /// Division of integers that are exact in `f64` is correctly rounded by the hardware.
        #[test]
        fn quotients_round_as_the_hardware_divides(
            a in -(1_i64 << 53)..(1_i64 << 53),
            b in 1_i64..(1_i64 << 53),
        ) {
            let expected = a as f64 / b as f64;
            let found = nearest_f64(&rational(a, b));
            prop_assert_eq!(found, Some(expected));
        }

        #[test]
        fn every_finite_number_is_its_own_nearest(bits: u64) {
            let number = f64::from_bits(bits);
            prop_assume!(number.is_finite() && number != 0.0);
            let exact = Rational::from_float(number).unwrap();
            prop_assert_eq!(nearest_f64(&exact), Some(number));
            let text = literal(number);
            prop_assert_eq!(text.parse::<f64>().ok(), Some(number));
            prop_assert!(text.contains('.') || text.contains('e'));
        }
    }

    #[test]
    fn literals_are_short() {
        for (number, text) in [(2.0, "2.0"), (0.1, "0.1"), (1e-9, "1e-9"), (1e300, "1e300")] {
            assert_eq!(literal(number), text);
        }
    }

    #[test]
    #[allow(clippy::approx_constant)]
    fn rough_constants_are_recognised() {
        for number in [3.14, 3.1416, 2.718, 1.414, -0.707, 0.6931, 6.28] {
            assert!(resembles_constant(number), "{number}");
        }
        for number in [9.81, 2.0, 0.5, 1.0, 0.1] {
            assert!(!resembles_constant(number), "{number}");
        }
    }
}
