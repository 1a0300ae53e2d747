//! Lengths that recur: where the same root of a sum stands in equations again and again, it gets a name, as a book calls the distance of two
//! points `r`. Knows formulas and nothing of what they mean.

use super::{Math, Names, Style, Symbol};
use indexmap::IndexMap;

/// Names and numbers under a root from which on it may get a name.
const LEAVES: usize = 4;
/// Names and numbers that a root has to take in equations that are shown together, all its places counted, of which there are at least two.
const ALL: usize = 12;

/// Gives names to roots; the same root gets the same one.
#[derive(Clone, Debug)]
pub(super) struct Lengths {
    letter: &'static str,
    /// What is under a root, and its root's name.
    given: IndexMap<Math, Symbol>,
}

impl Lengths {
    pub fn new(names: &Names) -> Self {
        let letters = ["r", "ρ", "d", "R", "s", "σ"];
        let free = letters.into_iter().find(|l| !names.has_letters(l));
        Self {
            letter: free.unwrap_or("ℓ"),
            given: IndexMap::new(),
        }
    }

    /// Names for the roots that recur in equations, as far as they have none, and what they stand for.
    pub fn find<'a>(
        &mut self,
        equations: impl IntoIterator<Item = &'a Math>,
    ) -> Vec<(Symbol, Math)> {
        let mut roots: IndexMap<&Math, usize> = IndexMap::new();
        for m in equations {
            count(m, &mut roots);
        }
        let mut new = Vec::new();
        for (inner, times) in roots {
            if times < 2 || times * inner.leaves() < ALL || self.given.contains_key(inner) {
                continue;
            }
            let number = (self.given.len() + 1).to_string();
            let name = Symbol::new(self.letter, Style::Italic, &[&number]);
            self.given.insert(inner.clone(), name.clone());
            new.push((name, Math::Root(Box::new(inner.clone()))));
        }
        new
    }

    /// The same with the names in it.
    pub fn put_into(&self, m: &Math) -> Math {
        if self.given.is_empty() {
            return m.clone();
        }
        match m {
            Math::Root(inner) => match self.given.get(&**inner) {
                Some(name) => Math::Symbol(name.clone()),
                None => m.map(|part| self.put_into(part)),
            },
            Math::Product(factors) => self.product(factors),
            Math::Power(base, exponent) => match (self.given.get(&**base), whole(exponent)) {
                (Some(name), Some(n)) => power(name, 2 * n),
                _ => m.map(|part| self.put_into(part)),
            },
            Math::Sum(_) => match self.given.get(m) {
                Some(name) => power(name, 2),
                None => m.map(|part| self.put_into(part)),
            },
            _ => m.map(|part| self.put_into(part)),
        }
    }

    /// Powers of one length are one.
    fn product(&self, factors: &[Math]) -> Math {
        let mut list: Vec<Math> = Vec::new();
        for factor in factors {
            let new = self.put_into(factor);
            let same = list.iter_mut().find_map(|known| {
                let (a, n) = self.exponent(known)?;
                let (b, k) = self.exponent(&new)?;
                (a == b).then_some((known, power(&a, n + k)))
            });
            match same {
                Some((known, both)) => *known = both,
                None => list.push(new),
            }
        }
        match <[Math; 1]>::try_from(list) {
            Ok([single]) => single,
            Err(list) => Math::Product(list),
        }
    }

    /// The length that a formula is a power of.
    fn exponent(&self, m: &Math) -> Option<(Symbol, u32)> {
        let (symbol, n) = match m {
            Math::Symbol(s) => (s, 1),
            Math::Power(base, exponent) => match &**base {
                Math::Symbol(s) => (s, whole(exponent)?),
                _ => return None,
            },
            _ => return None,
        };
        let own = self.given.values().any(|name| name == symbol);
        own.then(|| (symbol.clone(), n))
    }
}

/// How often roots of sums occur, by what is under them.
fn count<'a>(m: &'a Math, roots: &mut IndexMap<&'a Math, usize>) {
    if let Math::Root(inner) = m
        && matches!(**inner, Math::Sum(_))
        && inner.leaves() >= LEAVES
    {
        *roots.entry(&**inner).or_default() += 1;
    }
    for part in m.parts() {
        count(part, roots);
    }
}

fn whole(exponent: &Math) -> Option<u32> {
    match exponent {
        Math::Number(digits) => digits.parse().ok(),
        _ => None,
    }
}

fn power(name: &Symbol, n: u32) -> Math {
    let base = Math::Symbol(name.clone());
    match n {
        1 => base,
        n => Math::Power(Box::new(base), Box::new(Math::Number(n.to_string()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{one_line, parse};

    #[test]
    fn a_distance_that_recurs_is_a_length() {
        let lines = [
            "m*x'' = (x - u)*k/sqrt((x - u)^2 + (y - v)^2)",
            "m*y'' = (y - v)*k/sqrt((x - u)^2 + (y - v)^2)",
            "k' = x/(((x - u)^2 + (y - v)^2)*sqrt((x - u)^2 + (y - v)^2)) + ((x - u)^2 + (y - v)^2)^2 + sqrt(x)",
        ];
        let lines: Vec<Math> = lines.iter().map(|l| parse(l).unwrap()).collect();
        let mut lengths = Lengths::new(&Names::default());
        let once = lengths.find(&lines[..1]);
        assert!(once.is_empty());
        let found = lengths.find(&lines);
        assert_eq!(found.len(), 1);
        assert_eq!(one_line(&found[0].1), "√((x − u)² + (y − v)²)");
        let shown: Vec<String> = lines
            .iter()
            .map(|l| one_line(&lengths.put_into(l)))
            .collect();
        assert_eq!(shown[0], "m ẍ = (x − u) k/r₁");
        assert_eq!(shown[2], "k̇ = x/r₁³ + r₁⁴ + √x");
        assert!(lengths.find(&lines).is_empty());
    }
}
