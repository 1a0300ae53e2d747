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
}

impl From<Math> for Line {
    fn from(math: Math) -> Self {
        Self { label: None, math }
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
        f.write_str(&text(&self.math))
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
