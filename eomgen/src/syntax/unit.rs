//! Units: `kg*m^2/s^2`, `1/s`, `m^(1/2)`, `J/(kg*K)`, `1`.

use super::ast::{Ident, UnitExpr};
use super::cursor::{Cursor, Parse};
use super::messages::Boxed;
use super::token::Kind;
use crate::diag::{Diagnostic, codes::syntax as codes};
use crate::span::Span;

/// Largest numerator or denominator of an exponent.
const MAX_EXPONENT: i64 = 100;
/// Most factors in one unit.
const MAX_FACTORS: usize = 32;
/// Most brackets within brackets in one unit.
const MAX_NESTING: u32 = 16;

/// A rational exponent in lowest terms.
type Exponent = (i64, i64);
/// Unit names with their exponents.
type Factors = Vec<(Ident, Exponent)>;

impl Cursor<'_> {
    /// Reads a unit.
    pub(super) fn unit(&mut self) -> Parse<UnitExpr> {
        let start = self.here();
        let factors = self.unit_product(0)?;
        Ok(UnitExpr {
            factors: factors
                .into_iter()
                .map(|(name, (n, d))| (name, n as i32, d as u32))
                .collect(),
            span: start.to(self.last()),
        })
    }

    fn unit_product(&mut self, depth: u32) -> Parse<Factors> {
        let mut factors = self.unit_power(depth)?;
        loop {
            let sign = match self.peek() {
                Some(Kind::Star) => 1,
                Some(Kind::Slash) => -1,
                _ => return Ok(factors),
            };
            self.bump();
            let start = self.here();
            let more = self.unit_power(depth)?;
            factors.extend(self.raise(more, (sign, 1), start)?);
            if factors.len() > MAX_FACTORS {
                let help = "units are short products such as `kg*m^2/s^2`";
                return Err(not_a_unit(
                    "this unit has too many factors",
                    self.last(),
                    help,
                ));
            }
        }
    }

    fn unit_power(&mut self, depth: u32) -> Parse<Factors> {
        let start = self.here();
        let base = match self.peek() {
            Some(Kind::Name) => vec![(self.name("a unit")?, (1, 1))],
            Some(Kind::Number) if self.token().is_some_and(|t| t.text(self.text) == "1") => {
                self.bump();
                Vec::new()
            }
            Some(Kind::Number) => {
                let help = "units are products of powers of names, such as `kg*m^2/s^2`; dimensionless is `1`";
                return Err(not_a_unit("a number cannot be part of a unit", start, help));
            }
            Some(Kind::OpenParen) => {
                if depth == MAX_NESTING {
                    let help = "write the unit as one product such as `kg*m^2/s^2`";
                    return Err(not_a_unit("this unit has too many brackets", start, help));
                }
                self.bump();
                let inner = self.unit_product(depth + 1)?;
                self.close(Kind::CloseParen, start, "`)`")?;
                inner
            }
            Some(Kind::OpenBracket) => {
                let help = "after `:` write the unit without brackets: `param m : kg`";
                return Err(not_a_unit("no square brackets here", start, help));
            }
            _ => return Err(self.unexpected("a unit such as `kg*m/s^2`")),
        };
        if !self.eat(Kind::Caret) {
            return Ok(base);
        }
        let exponent = self.exponent()?;
        self.raise(base, exponent, start)
    }

    /// `2`, `-1`, `(1/2)`, `(-3)`
    fn exponent(&mut self) -> Parse<Exponent> {
        let open = self.here();
        if !self.eat(Kind::OpenParen) {
            return Ok((self.signed()?, 1));
        }
        let numerator = self.signed()?;
        let denominator = if self.eat(Kind::Slash) {
            let at = self.here();
            let value = self.integer()?;
            if value == 0 {
                let help = "write a fraction such as `m^(1/2)`";
                return Err(not_a_unit("an exponent is divided by zero", at, help));
            }
            value
        } else {
            1
        };
        self.close(Kind::CloseParen, open, "`)`")?;
        Ok(lowest(numerator, denominator))
    }

    fn signed(&mut self) -> Parse<i64> {
        if self.peek() == Some(Kind::Minus) {
            self.bump_as(super::token::Role::Sign);
            return Ok(-self.integer()?);
        }
        self.integer()
    }

    fn integer(&mut self) -> Parse<i64> {
        let at = self.here();
        let Some(token) = self.token().filter(|token| token.kind == Kind::Number) else {
            return Err(self
                .unexpected("a whole number as exponent")
                .map_help("exponents of units are constants: `m^2`, `s^-1`, `m^(1/2)`"));
        };
        let value = token.text(self.text).parse::<i64>();
        let Some(value) = value.ok().filter(|value| *value <= MAX_EXPONENT) else {
            let title = "the exponent of a unit must be a whole number up to 100";
            return Err(not_a_unit(title, at, "write a fraction as `m^(1/2)`"));
        };
        self.bump();
        Ok(value)
    }

    fn raise(&self, factors: Factors, by: Exponent, start: Span) -> Parse<Factors> {
        let raised: Factors = factors
            .into_iter()
            .map(|(name, (n, d))| (name, lowest(n * by.0, d * by.1)))
            .collect();
        let fits = |(n, d): Exponent| n.abs() <= MAX_EXPONENT && d <= MAX_EXPONENT;
        if raised.iter().all(|(_, exponent)| fits(*exponent)) {
            return Ok(raised);
        }
        let title = "an exponent of this unit is too large";
        let span = start.to(self.last());
        Err(not_a_unit(title, span, "exponents of units go up to 100"))
    }
}

fn lowest(n: i64, d: i64) -> Exponent {
    let common = num_integer::gcd(n, d).max(1);
    (n / common, d / common)
}

fn not_a_unit(title: &str, span: Span, help: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(codes::E0012, title, span, "not a unit").help(help))
}
