//! Names of units: SI base and derived units, prefixes, and the few others that engineers write.

use super::dim::Dim;
use crate::diag::{self, suggest};
use crate::model::number::Rational;
use crate::span::Span;
use crate::syntax::ast::UnitExpr;
use crate::syntax::print;
use num_bigint::BigInt;
use num_traits::{One, Pow, Zero};

/// A unit: its dimension, and its size in SI as `scale * pi^pi`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Exponents of the base units.
    pub dim: Dim,
    /// The rational factor to SI.
    pub scale: Rational,
    /// The power of pi in the factor (`deg` and `rev` have one).
    pub pi: i64,
}

/// What can be wrong with a unit as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnitError {
    /// A name that is no unit; what may have been meant.
    Unknown {
        /// The name.
        name: String,
        /// Where it stands.
        span: Span,
        /// A unit to write instead.
        suggestion: Option<String>,
    },
    /// A fractional power of a unit whose size has no rational root, such as `mm^(1/3)`.
    Irrational {
        /// Where the factor stands.
        span: Span,
    },
    /// An exponent beyond anything physical.
    TooLarge {
        /// Where the factor stands.
        span: Span,
    },
}

impl Unit {
    /// Whether a number in this unit is the number in SI.
    pub fn is_si(&self) -> bool {
        self.scale.is_one() && self.pi == 0
    }
}

fn rational(numerator: i64, denominator: i64) -> Rational {
    Rational::new(BigInt::from(numerator), BigInt::from(denominator))
}

/// Name, exponents (kg, m, s, A, K, mol, cd), whether prefixes are allowed. All have scale 1.
const COHERENT: [(&str, [i64; 7], bool); 28] = [
    ("m", [0, 1, 0, 0, 0, 0, 0], true),
    ("kg", [1, 0, 0, 0, 0, 0, 0], false),
    ("s", [0, 0, 1, 0, 0, 0, 0], true),
    ("A", [0, 0, 0, 1, 0, 0, 0], true),
    ("K", [0, 0, 0, 0, 1, 0, 0], true),
    ("mol", [0, 0, 0, 0, 0, 1, 0], true),
    ("cd", [0, 0, 0, 0, 0, 0, 1], true),
    ("rad", [0; 7], true),
    ("sr", [0; 7], false),
    ("N", [1, 1, -2, 0, 0, 0, 0], true),
    ("J", [1, 2, -2, 0, 0, 0, 0], true),
    ("W", [1, 2, -3, 0, 0, 0, 0], true),
    ("Pa", [1, -1, -2, 0, 0, 0, 0], true),
    ("Hz", [0, 0, -1, 0, 0, 0, 0], true),
    ("C", [0, 0, 1, 1, 0, 0, 0], true),
    ("V", [1, 2, -3, -1, 0, 0, 0], true),
    ("ohm", [1, 2, -3, -2, 0, 0, 0], true),
    ("Ω", [1, 2, -3, -2, 0, 0, 0], true),
    ("S", [-1, -2, 3, 2, 0, 0, 0], true),
    ("F", [-1, -2, 4, 2, 0, 0, 0], true),
    ("H", [1, 2, -2, -2, 0, 0, 0], true),
    ("T", [1, 0, -2, -1, 0, 0, 0], true),
    ("Wb", [1, 2, -2, -1, 0, 0, 0], true),
    ("lm", [0, 0, 0, 0, 0, 0, 1], true),
    ("lx", [0, -2, 0, 0, 0, 0, 1], true),
    ("Bq", [0, 0, -1, 0, 0, 0, 0], true),
    ("Gy", [0, 2, -2, 0, 0, 0, 0], true),
    ("kat", [0, 0, -1, 0, 0, 1, 0], true),
];

/// Name, exponents, factor to SI as numerator, denominator, power of pi; prefixes allowed.
#[allow(clippy::type_complexity)]
const SCALED: [(&str, [i64; 7], i64, i64, i64, bool); 7] = [
    ("g", [1, 0, 0, 0, 0, 0, 0], 1, 1000, 0, true),
    ("min", [0, 0, 1, 0, 0, 0, 0], 60, 1, 0, false),
    ("h", [0, 0, 1, 0, 0, 0, 0], 3600, 1, 0, false),
    ("bar", [1, -1, -2, 0, 0, 0, 0], 100_000, 1, 0, true),
    ("deg", [0; 7], 1, 180, 1, false),
    ("rev", [0; 7], 2, 1, 1, false),
    ("rpm", [0, 0, -1, 0, 0, 0, 0], 1, 30, 1, false),
];

/// Prefixes as powers of ten; both code points of the micro sign.
const PREFIXES: [(&str, i32); 17] = [
    ("da", 1),
    ("h", 2),
    ("k", 3),
    ("M", 6),
    ("G", 9),
    ("T", 12),
    ("P", 15),
    ("d", -1),
    ("c", -2),
    ("m", -3),
    ("u", -6),
    ("µ", -6),
    ("μ", -6),
    ("n", -9),
    ("p", -12),
    ("f", -15),
    ("a", -18),
];

/// The unit of this very name, and whether it takes prefixes.
fn plain(name: &str) -> Option<(Unit, bool)> {
    if let Some((_, exponents, prefixable)) = COHERENT.iter().find(|(n, ..)| *n == name) {
        let unit = Unit {
            dim: Dim::of(*exponents),
            scale: Rational::one(),
            pi: 0,
        };
        return Some((unit, *prefixable));
    }
    let (_, exponents, above, below, pi, prefixable) = SCALED.iter().find(|row| row.0 == name)?;
    let unit = Unit {
        dim: Dim::of(*exponents),
        scale: rational(*above, *below),
        pi: *pi,
    };
    Some((unit, *prefixable))
}

/// A unit by name: the name itself first (`min` is a minute, `cd` a candela), then prefix and unit.
fn named(name: &str) -> Option<Unit> {
    if let Some((unit, _)) = plain(name) {
        return Some(unit);
    }
    PREFIXES.iter().find_map(|(prefix, power)| {
        let (mut unit, prefixable) = plain(name.strip_prefix(prefix)?)?;
        if !prefixable {
            return None;
        }
        unit.scale *= Rational::from_integer(BigInt::from(10)).pow(*power);
        Some(unit)
    })
}

/// What was probably meant by a name that is no unit.
fn suggestion(name: &str) -> Option<String> {
    const SPELLED: [(&str, &str); 22] = [
        ("meter", "m"),
        ("meters", "m"),
        ("metre", "m"),
        ("metres", "m"),
        ("sec", "s"),
        ("second", "s"),
        ("seconds", "s"),
        ("kilogram", "kg"),
        ("gram", "g"),
        ("newton", "N"),
        ("joule", "J"),
        ("watt", "W"),
        ("degree", "deg"),
        ("degrees", "deg"),
        ("radian", "rad"),
        ("radians", "rad"),
        ("hour", "h"),
        ("hr", "h"),
        ("minute", "min"),
        ("volt", "V"),
        ("ohms", "ohm"),
        ("amp", "A"),
    ];
    let lower = name.to_lowercase();
    if let Some((_, unit)) = SPELLED.iter().find(|(word, _)| *word == lower) {
        return Some((*unit).to_string());
    }
    // `Kg`, `M`, `HZ`: capitals matter.
    let all = COHERENT.iter().map(|(n, ..)| *n);
    let mut alike = all
        .chain(["kg", "rad"])
        .filter(|n| n.to_lowercase() == lower);
    if let Some(unit) = alike.next() {
        return Some(unit.to_string());
    }
    // `Nm` is read by people as `N*m`.
    for (at, _) in name.char_indices().skip(1) {
        let (left, right) = name.split_at(at);
        if named(left).is_some() && named(right).is_some() {
            return Some(format!("{left}*{right}"));
        }
    }
    let names = COHERENT
        .iter()
        .map(|(n, ..)| *n)
        .chain(SCALED.iter().map(|row| row.0));
    suggest::closest(name, names).map(str::to_string)
}

/// The exact root, or `None` where it is irrational.
fn root(value: &Rational, degree: u32) -> Option<Rational> {
    let above = value.numer().nth_root(degree);
    let below = value.denom().nth_root(degree);
    let exact =
        &above.clone().pow(degree) == value.numer() && &below.clone().pow(degree) == value.denom();
    exact.then(|| Rational::new(above, below))
}

/// The names of units without prefixes, the base units and what is derived from them first.
#[allow(dead_code, reason = "for editors")]
pub fn unit_names() -> impl Iterator<Item = &'static str> {
    let scaled = SCALED.iter().map(|row| row.0);
    COHERENT.iter().map(|row| row.0).chain(["kg"]).chain(scaled)
}

/// Whether a unit has this name.
pub fn is_unit(name: &str) -> bool {
    named(name).is_some()
}

/// Reads a unit: looks its names up and multiplies the factors.
pub fn read_unit(unit: &UnitExpr) -> Result<Unit, Vec<UnitError>> {
    let mut product = Unit {
        dim: Dim::none(),
        scale: Rational::one(),
        pi: 0,
    };
    let mut errors = Vec::new();
    for (name, above, below) in &unit.factors {
        let Some(factor) = named(&name.text) else {
            errors.push(UnitError::Unknown {
                name: name.text.clone(),
                span: name.span,
                suggestion: suggestion(&name.text),
            });
            continue;
        };
        // Beyond this the exact scale would be a number of many thousand digits.
        if above.unsigned_abs() > 100 || *below > 100 || below.is_zero() {
            errors.push(UnitError::TooLarge { span: name.span });
            continue;
        }
        let exponent = rational(i64::from(*above), i64::from(*below));
        product.dim = product.dim.times(&factor.dim.power(&exponent));
        let raised = Pow::pow(&factor.scale, *above);
        let scale = if *below == 1 {
            Some(raised)
        } else {
            root(&raised, *below)
        };
        let pi = factor.pi * i64::from(*above);
        match scale {
            Some(scale) if pi % i64::from(*below) == 0 => {
                product.scale *= scale;
                product.pi += pi / i64::from(*below);
            }
            _ => errors.push(UnitError::Irrational { span: name.span }),
        }
    }
    diag::unless_wrong(product, errors)
}

/// The SI unit to declare instead of one of another size: `kN/mm` gives `N/m`.
pub fn si_text(unit: &UnitExpr) -> String {
    let mut si = unit.clone();
    for (name, ..) in &mut si.factors {
        if let Some(coherent) = coherent(&name.text) {
            name.text = coherent.to_string();
        }
    }
    print::unit(&si)
}

/// The unit of scale 1 that stands behind a name; `None` if it is one itself.
fn coherent(name: &str) -> Option<&'static str> {
    if COHERENT.iter().any(|row| row.0 == name) {
        return None;
    }
    let behind = |name: &str| match name {
        "g" => Some("kg"),
        "min" | "h" => Some("s"),
        "bar" => Some("Pa"),
        "deg" | "rev" => Some("rad"),
        "rpm" => Some("Hz"),
        _ => COHERENT.iter().find(|row| row.0 == name).map(|row| row.0),
    };
    behind(name).or_else(|| {
        let bases = PREFIXES
            .iter()
            .filter_map(|(prefix, _)| name.strip_prefix(prefix));
        bases.into_iter().find_map(behind)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::ast::Ident;

    fn unit(factors: &[(&str, i32, u32)]) -> UnitExpr {
        let factors = factors
            .iter()
            .map(|(name, above, below)| {
                let text = (*name).to_string();
                let span = Span::default();
                (Ident { text, span }, *above, *below)
            })
            .collect();
        UnitExpr {
            factors,
            span: Span::default(),
        }
    }

    fn check(factors: &[(&str, i32, u32)], exponents: [i64; 7], scale: (i64, i64), pi: i64) {
        let expected = Unit {
            dim: Dim::of(exponents),
            scale: rational(scale.0, scale.1),
            pi,
        };
        assert_eq!(read_unit(&unit(factors)), Ok(expected), "{factors:?}");
    }

    #[test]
    fn sizes_from_the_si_brochure() {
        check(&[("kg", 1, 1)], [1, 0, 0, 0, 0, 0, 0], (1, 1), 0);
        check(&[("g", 1, 1)], [1, 0, 0, 0, 0, 0, 0], (1, 1000), 0);
        check(&[("mg", 1, 1)], [1, 0, 0, 0, 0, 0, 0], (1, 1_000_000), 0);
        check(&[("mm", 2, 1)], [0, 2, 0, 0, 0, 0, 0], (1, 1_000_000), 0);
        check(&[("min", 1, 1)], [0, 0, 1, 0, 0, 0, 0], (60, 1), 0);
        check(
            &[("km", 1, 1), ("h", -1, 1)],
            [0, 1, -1, 0, 0, 0, 0],
            (5, 18),
            0,
        );
        check(&[("cd", 1, 1)], [0, 0, 0, 0, 0, 0, 1], (1, 1), 0);
        check(&[("µs", 1, 1)], [0, 0, 1, 0, 0, 0, 0], (1, 1_000_000), 0);
        check(&[("hPa", 1, 1)], [1, -1, -2, 0, 0, 0, 0], (100, 1), 0);
        check(&[("dam", 1, 1)], [0, 1, 0, 0, 0, 0, 0], (10, 1), 0);
        // Wb = V s, T = Wb/m^2, H = Wb/A, F = C/V, S = 1/ohm.
        check(
            &[("V", 1, 1), ("s", 1, 1), ("Wb", -1, 1)],
            [0; 7],
            (1, 1),
            0,
        );
        check(
            &[("T", 1, 1), ("m", 2, 1), ("Wb", -1, 1)],
            [0; 7],
            (1, 1),
            0,
        );
        check(
            &[("H", 1, 1), ("A", 1, 1), ("Wb", -1, 1)],
            [0; 7],
            (1, 1),
            0,
        );
        check(&[("F", 1, 1), ("V", 1, 1), ("C", -1, 1)], [0; 7], (1, 1), 0);
        check(
            &[("V", 1, 1), ("A", -1, 1), ("ohm", -1, 1)],
            [0; 7],
            (1, 1),
            0,
        );
        check(
            &[("W", 1, 1), ("V", -1, 1), ("A", -1, 1)],
            [0; 7],
            (1, 1),
            0,
        );
        check(&[("S", 1, 1), ("ohm", 1, 1)], [0; 7], (1, 1), 0);
        check(&[("deg", 1, 1)], [0; 7], (1, 180), 1);
        check(
            &[("rev", 1, 1), ("min", -1, 1)],
            [0, 0, -1, 0, 0, 0, 0],
            (1, 30),
            1,
        );
        check(&[("rpm", 1, 1)], [0, 0, -1, 0, 0, 0, 0], (1, 30), 1);
    }

    #[test]
    fn fractional_powers_are_exact_or_refused() {
        let half = Rational::new(1.into(), 2.into());
        let unit_of_root = read_unit(&unit(&[("cm", 1, 2)])).unwrap();
        assert_eq!(unit_of_root.scale, rational(1, 10));
        assert_eq!(unit_of_root.dim, Dim::length().power(&half));
        assert!(read_unit(&unit(&[("mm", 1, 2)])).is_err());
        assert!(read_unit(&unit(&[("deg", 1, 2)])).is_err());
    }

    #[test]
    fn unknown_units_say_what_was_meant() {
        for (wrong, right) in [("Nm", "N*m"), ("sec", "s"), ("Meters", "m"), ("KG", "kg")] {
            assert_eq!(suggestion(wrong).as_deref(), Some(right), "{wrong}");
        }
        assert_eq!(suggestion("furlong"), None);
    }

    #[test]
    fn the_si_unit_behind_another_is_named() {
        for (given, expected) in [
            (unit(&[("kN", 1, 1), ("mm", -1, 1)]), "N/m"),
            (unit(&[("deg", 1, 1), ("s", -1, 1)]), "rad/s"),
            (unit(&[("g", 1, 1), ("cm", 2, 1)]), "kg*m^2"),
            (unit(&[("km", 1, 1), ("h", -1, 1)]), "m/s"),
        ] {
            assert_eq!(si_text(&given), expected);
        }
    }
}
