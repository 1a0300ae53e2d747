//! Names that say what a value is made of: `m1_plus_m2`, `two_m_l_squared`, `l_sin_theta`. Knows the expressions of a module, and nothing
//! of what else is called how.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::module::Module;
use super::names::snake;
use crate::ir::{Binary, Op, Rational, Slot, Unary, Value};
use num_traits::{One, Signed, ToPrimitive};

/// Longest name of a value that depends on parameters alone, and of any other.
const LONGEST: [usize; 2] = [32, 28];

/// How deep a value is looked into. What lies deeper would make a name that is too long; and of a sum of sums of sums there is no end.
const DEEPEST: usize = 40;

/// Values that have names, and what is said of others.
pub struct Description<'s> {
    /// The module.
    pub module: &'s Module,
    /// What values are called inside other names.
    pub stems: &'s BTreeMap<Value, String>,
    /// Whether sums and quotients of what has no name of its own are described as well: values that depend on parameters alone.
    pub whole: bool,
    /// How deep the value lies that is looked at.
    pub depth: Cell<usize>,
}

/// What is multiplied.
#[derive(Default)]
struct Product {
    /// Place, name and exponent of each factor.
    factors: Vec<((usize, String), u32)>,
    number: Option<Rational>,
}

impl Description<'_> {
    /// A short name of a value by what it is made of.
    pub fn of(&self, value: Value) -> Option<String> {
        let name = self.words(value)?;
        (name.len() <= LONGEST[usize::from(!self.whole)]).then_some(name)
    }

    /// A name that is not too long already, where a value lies not too deep for one.
    fn words(&self, value: Value) -> Option<String> {
        let name = self.deeper(|| self.written(value))?;
        (name.len() <= LONGEST[0]).then_some(name)
    }

    /// What is found one step deeper, if that is not too deep.
    fn deeper<T>(&self, look: impl FnOnce() -> Option<T>) -> Option<T> {
        let depth = self.depth.get();
        if depth >= DEEPEST {
            return None;
        }
        self.depth.set(depth + 1);
        let found = look();
        self.depth.set(depth);
        found
    }

    fn written(&self, value: Value) -> Option<String> {
        match *self.module.graph.op(value) {
            Op::Unary(Unary::Neg, a) => Some(format!("minus_{}", self.part(a)?)),
            Op::Unary(Unary::Of(function), a) => {
                let of = self.part(a).or_else(|| self.sum(a))?;
                Some(format!("{}_{of}", function.row().name))
            }
            Op::Binary(Binary::Mul, ..) => self.product(value),
            Op::Binary(op, a, b) => {
                let joint = match op {
                    Binary::Add => "plus",
                    Binary::Sub => "minus",
                    Binary::Div => "over",
                    _ => return None,
                };
                Some(format!("{}_{joint}_{}", self.part(a)?, self.part(b)?))
            }
            Op::Constant(_) => None,
            _ => self.stem(value),
        }
    }

    /// A sum or difference of two things that have names: an angle.
    fn sum(&self, value: Value) -> Option<String> {
        match *self.module.graph.op(value) {
            Op::Binary(Binary::Add | Binary::Sub, ..) => self.words(value),
            _ => None,
        }
    }

    /// What a value is called inside another name.
    fn part(&self, value: Value) -> Option<String> {
        let stem = self.stem(value);
        if stem.is_some() || !self.whole {
            return stem;
        }
        match self.module.graph.op(value) {
            Op::Constant(number) => in_words(number),
            _ => self.words(value),
        }
    }

    /// The name that a value has by itself: that of an input, or one that was given to it.
    fn stem(&self, value: Value) -> Option<String> {
        match *self.module.graph.op(value) {
            Op::Input(slot) => self.input(slot),
            _ => self.stems.get(&value).cloned(),
        }
    }

    fn input(&self, slot: Slot) -> Option<String> {
        let groups = self.module.groups;
        let fields = match slot.group {
            group if group == groups.state => &self.module.state,
            group if group == groups.params => &self.module.params,
            group if group == groups.inputs => &self.module.inputs,
            group if group == groups.time => return Some(snake(&self.module.arguments.time)),
            _ => return None,
        };
        let field = fields.get(slot.index as usize)?;
        Some(snake(&field.name).trim_end_matches('_').to_owned())
    }

    /// Numbers in words, parameters in their order, whatever else by name, fractions: `two_m_l_squared`, `rho_sin_q_half`.
    fn product(&self, value: Value) -> Option<String> {
        let mut product = Product::default();
        self.multiply(value, &mut product)?;
        product.factors.sort();
        let mut words: Vec<String> = Vec::new();
        let mut fraction = None;
        if let Some(number) = &product.number {
            let size = number.abs();
            if number.is_negative() {
                words.push("minus".to_owned());
            }
            if size.is_integer() && !size.is_one() {
                words.push(in_words(&size)?);
            } else if !size.is_one() {
                fraction = Some(in_words(&size)?);
            }
        }
        for ((_, name), exponent) in product.factors {
            words.push(match exponent {
                1 => name,
                2 => format!("{name}_squared"),
                3 => format!("{name}_cubed"),
                more => format!("{name}_to_{more}"),
            });
        }
        words.extend(fraction);
        Some(words.join("_"))
    }

    fn multiply(&self, value: Value, product: &mut Product) -> Option<()> {
        let graph = &self.module.graph;
        match graph.op(value) {
            Op::Binary(Binary::Mul, a, b) if self.is_open(value) => {
                self.deeper(|| self.multiply(*a, product))?;
                self.deeper(|| self.multiply(*b, product))
            }
            Op::Constant(number) => {
                let known = product.number.take();
                product.number =
                    Some(known.map_or_else(|| number.as_ref().clone(), |n| n * number.as_ref()));
                Some(())
            }
            _ => {
                let factor = self.factor(value)?;
                match product.factors.iter_mut().find(|known| known.0 == factor) {
                    Some(known) => known.1 += 1,
                    None => product.factors.push((factor, 1)),
                }
                Some(())
            }
        }
    }

    /// Whether a product goes into another one by its factors: it is not a factor by a name of its own, unless there is no such name.
    fn is_open(&self, value: Value) -> bool {
        let named = self.module.graph.name_of(value).is_some();
        !named || self.whole && self.stem(value).is_none()
    }

    /// Where a factor stands, and what it is called: parameters first.
    fn factor(&self, value: Value) -> Option<(usize, String)> {
        let op = self.module.graph.op(value);
        if let Op::Input(slot) = op {
            let given = slot.group == self.module.groups.params;
            let place = if given {
                slot.index as usize
            } else {
                usize::MAX
            };
            return Some((place, self.input(*slot)?));
        }
        let name = match self.stem(value) {
            Some(name) => name,
            None if self.whole => self.words(value)?,
            None => match op {
                Op::Unary(Unary::Of(_), _) => self.words(value)?,
                _ => return None,
            },
        };
        // A sum is no word among words.
        let sum = matches!(op, Op::Binary(Binary::Add | Binary::Sub, ..));
        let name = if sum && self.whole {
            format!("{name}_times")
        } else {
            name
        };
        Some((if sum { 0 } else { usize::MAX }, name))
    }
}

/// Small numbers and fractions.
fn in_words(number: &Rational) -> Option<String> {
    const CARDINAL: [&str; 12] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    const PART: [&str; 12] = [
        "", "half", "third", "quarter", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
        "eleventh", "twelfth",
    ];
    let of = |n: &num_bigint::BigInt, words: &[&'static str; 12]| -> Option<&'static str> {
        words.get(n.to_usize()?.checked_sub(1)?).copied()
    };
    let (above, below) = (number.numer(), number.denom());
    let count = of(above, &CARDINAL)?;
    if below.is_one() {
        return Some(count.to_owned());
    }
    let part = of(below, &PART)?;
    if above.is_one() {
        Some(part.to_owned())
    } else if part == "half" {
        Some(format!("{count}_halves"))
    } else {
        Some(format!("{count}_{part}s"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::module::{Field, Module};

    fn named(name: &str) -> Field {
        Field {
            name: name.into(),
            ..Field::default()
        }
    }

    /// Each value mentions the one before twice, so that there are 2^400 ways down, and the longest has 400 steps.
    #[test]
    fn values_that_lie_deep_have_no_name_and_take_no_time() {
        let mut module = Module {
            params: vec![named("m"), named("n")],
            ..Module::default()
        };
        let group = module.groups.params;
        let graph = &mut module.graph;
        let [m, n] = [0, 1].map(|index| graph.input(Slot { group, index }));
        let short = graph.add(m, n);
        let (mut sum, mut product) = (m, m);
        for _ in 0..400 {
            let other = graph.mul(sum, n);
            sum = graph.add(sum, other);
            let other = graph.add(product, n);
            product = graph.mul(product, other);
        }
        let mut chain = m;
        for _ in 0..100_000 {
            let next = graph.mul(chain, n);
            chain = graph.add(next, m);
        }
        let stems = BTreeMap::new();
        let of = |value| {
            let description = Description {
                module: &module,
                stems: &stems,
                whole: true,
                depth: Cell::default(),
            };
            description.of(value)
        };
        assert_eq!(of(short).as_deref(), Some("m_plus_n"));
        assert_eq!([sum, product, chain].map(of), [None, None, None]);
    }
}
