//! Lines of listings: what is stated, behind the name of what it is about.

use super::{Math, Relation, text};
use std::fmt;

/// A line of a listing, `blade: l*theta' = 0`.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The name of a row, a body, a quantity.
    pub label: Option<String>,
    /// What is stated.
    pub math: Math,
    /// What an equation was divided by, where that is not 1.
    pub divisor: Option<Math>,
}

impl From<Math> for Line {
    fn from(math: Math) -> Self {
        Self {
            label: None,
            math,
            divisor: None,
        }
    }
}

impl Line {
    /// `left = right`
    pub fn equation(left: Math, right: Math) -> Self {
        Math::equation(left, right).into()
    }

    /// A sentence where a formula would stand.
    pub fn words(text: &str) -> Self {
        Math::Text(text.into()).into()
    }

    /// Behind a label.
    #[must_use]
    pub fn labelled(self, label: &str) -> Self {
        Self {
            label: Some(label.into()),
            ..self
        }
    }

    /// With what it was divided by.
    #[must_use]
    pub fn divided_by(self, divisor: Option<Math>) -> Self {
        Self { divisor, ..self }
    }

    /// What was done to the equation as it was derived, in words: `divided by m*l`.
    pub fn scaling(&self, formula: impl Fn(&Math) -> String) -> Option<String> {
        let reciprocal = |m: &Math| match m {
            Math::Quotient(above, below) if above.is_one() => Some((**below).clone()),
            _ => None,
        };
        let factor = match self.divisor.as_ref()? {
            Math::Negative(inner) if inner.is_one() => return Some("signs reversed".into()),
            Math::Number(n) if n == "-1" => return Some("signs reversed".into()),
            Math::Negative(inner) => reciprocal(inner).map(Math::negated),
            divisor => reciprocal(divisor),
        };
        Some(match (factor, &self.divisor) {
            (Some(factor), _) => format!("multiplied by {}", formula(&factor)),
            (None, divisor) => format!("divided by {}", divisor.as_ref().map(formula)?),
        })
    }

    /// Whether it is mathematics alone; where something was left out, words say so.
    pub fn is_formula(&self) -> bool {
        !self.math.has_words()
    }
}

/// In the model's notation.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(label) = &self.label {
            write!(f, "{label}: ")?;
        }
        f.write_str(&text(&self.math))?;
        match self.scaling(text) {
            Some(scaling) => write!(f, "  ({scaling})"),
            None => Ok(()),
        }
    }
}

impl PartialEq<&str> for Line {
    fn eq(&self, other: &&str) -> bool {
        self.to_string() == **other
    }
}

impl PartialEq<String> for Line {
    fn eq(&self, other: &String) -> bool {
        let text = self.to_string();
        text == *other
    }
}

/// In the model's notation, the equals signs below each other.
pub fn aligned(lines: &[Line]) -> Vec<String> {
    let sides = |line: &Line| match &line.math {
        Math::Relation(left, Relation::Equal, right) if line.label.is_none() => {
            (text(left), Some(text(right)))
        }
        _ => (line.to_string(), None),
    };
    let lines: Vec<_> = lines.iter().map(sides).collect();
    let equations = lines.iter().filter(|(_, right)| right.is_some());
    let wide = equations.map(|(left, _)| left.chars().count()).max();
    let wide = wide.unwrap_or(0);
    let line = |(left, right): (String, Option<String>)| match right {
        Some(right) => format!("{left:<wide$} = {right}"),
        None => left,
    };
    lines.into_iter().map(line).collect()
}
