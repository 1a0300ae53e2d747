//! From text in the model's own notation to a tree: formulas within the words of a model's author, and sentences of other modules.

use super::{Math, Names, Relation, Symbol};

/// Why a text is no mathematics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Where, in bytes.
    pub at: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "expected {} at byte {}", self.expected, self.at)
    }
}

impl std::error::Error for Unreadable {}

/// Nesting that is followed; deeper texts are refused.
const DEEPEST: usize = 200;

/// Reads with the names of no model.
#[cfg(test)]
pub fn parse(text: &str) -> Result<Math, Unreadable> {
    Names::default().parse(text)
}

impl Names {
    /// Reads an expression, an equation or an inequality in the model's notation: `m1*l*u2^2/(m1 + m2)`, `x'' = -g`, `lambda[blade]`.
    ///
    /// # Errors
    ///
    /// Where the text is not one expression or relation.
    pub fn parse(&self, text: &str) -> Result<Math, Unreadable> {
        let mut reader = Reader {
            names: self,
            text,
            at: 0,
            depth: 0,
        };
        let found = reader.relation()?;
        reader.blanks();
        if reader.at == text.len() {
            Ok(found)
        } else {
            Err(reader.wrong("an operator or the end"))
        }
    }
}

struct Reader<'a> {
    names: &'a Names,
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn wrong(&self, expected: &'static str) -> Unreadable {
        let at = self.at;
        Unreadable { at, expected }
    }

    /// Takes a sign, if it comes next.
    fn take(&mut self, sign: &str) -> bool {
        self.blanks();
        let there = self.rest().starts_with(sign);
        if there {
            self.at += sign.len();
        }
        there
    }

    /// Takes a word, if it comes next and ends there.
    fn word(&mut self, word: &str) -> bool {
        self.blanks();
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let there = self.rest().strip_prefix(word).is_some_and(ends);
        if there {
            self.at += word.len();
        }
        there
    }

    fn expect(&mut self, sign: &'static str) -> Result<(), Unreadable> {
        if self.take(sign) {
            Ok(())
        } else {
            Err(self.wrong(sign))
        }
    }

    fn relation(&mut self) -> Result<Math, Unreadable> {
        let left = self.sum()?;
        const SIGNS: [(&str, Relation); 6] = [
            ("<=", Relation::LessEqual),
            (">=", Relation::GreaterEqual),
            ("!=", Relation::Unequal),
            ("=", Relation::Equal),
            ("<", Relation::Less),
            (">", Relation::Greater),
        ];
        for (sign, relation) in SIGNS {
            if self.take(sign) {
                let right = self.sum()?;
                return Ok(Math::Relation(Box::new(left), relation, Box::new(right)));
            }
        }
        Ok(left)
    }

    fn sum(&mut self) -> Result<Math, Unreadable> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.wrong("less nesting"));
        }
        let first = self.take("-");
        let mut terms = vec![negative(self.term()?, first)];
        loop {
            let minus = match (self.take("+"), self.take("-")) {
                (true, _) => false,
                (_, true) => true,
                _ => break,
            };
            terms.push(negative(self.term()?, minus));
        }
        self.depth -= 1;
        Ok(match terms.len() {
            1 => terms.remove(0),
            _ => Math::Sum(terms),
        })
    }

    fn term(&mut self) -> Result<Math, Unreadable> {
        let mut factors = vec![self.factor()?];
        loop {
            if self.take("*") {
                factors.push(self.factor()?);
            } else if self.take("/") {
                let below = self.factor()?;
                let above = Math::product(std::mem::take(&mut factors));
                factors = vec![Math::Quotient(Box::new(above), Box::new(below))];
            } else {
                return Ok(Math::product(factors));
            }
        }
    }

    fn factor(&mut self) -> Result<Math, Unreadable> {
        let base = self.atom()?;
        if !self.take("^") {
            return Ok(base);
        }
        let minus = self.take("-");
        let exponent = negative(self.atom()?, minus);
        Ok(Math::Power(Box::new(base), Box::new(exponent)))
    }

    fn atom(&mut self) -> Result<Math, Unreadable> {
        self.blanks();
        if self.take("(") {
            let mut inner = if self.word("if") {
                self.choice()?
            } else {
                self.sum()?
            };
            if self.take(",") {
                // A list: a column.
                let mut rows = vec![vec![inner], vec![self.sum()?]];
                while self.take(",") {
                    rows.push(vec![self.sum()?]);
                }
                inner = Math::Matrix(rows);
            }
            self.expect(")")?;
            return Ok(inner);
        }
        let rest = self.rest();
        let first = rest.chars().next();
        if first.is_some_and(|c| c.is_ascii_digit()) {
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
            let (digits, _) = rest.split_at(end.unwrap_or(rest.len()));
            self.at += digits.len();
            return Ok(Math::Number(digits.into()));
        }
        if !first.is_some_and(|c| c.is_alphabetic() || c == '_') {
            return Err(self.wrong("a name, a number or a parenthesis"));
        }
        self.named()
    }

    /// `if a < b then c else d`, without its first word.
    fn choice(&mut self) -> Result<Math, Unreadable> {
        let condition = self.relation()?;
        if !self.word("then") {
            return Err(self.wrong("then"));
        }
        let then = self.sum()?;
        if !self.word("else") {
            return Err(self.wrong("else"));
        }
        let other = self.sum()?;
        let [a, b, c] = [condition, then, other].map(Box::new);
        Ok(Math::Choice(a, b, c))
    }

    fn named(&mut self) -> Result<Math, Unreadable> {
        let name = self.name()?;
        let rest = self.rest();
        let primes = rest.len() - rest.trim_start_matches('\'').len();
        self.at += primes;
        let symbol = self.names.symbol(name);
        if primes > 0 {
            return Ok(Math::Dotted(symbol, primes));
        }
        if !self.rest().starts_with('(') {
            return Ok(Math::Symbol(symbol));
        }
        if name == "reaction" {
            // The multiplier of a row that loads depend on.
            let inside = self.rest()[1..].split_once(')').map(|(inside, _)| inside);
            let row = inside.ok_or_else(|| self.wrong(")"))?;
            self.at += row.len() + 2;
            return Ok(Math::Symbol(self.names.symbol(&format!("reaction({row})"))));
        }
        self.at += 1;
        let mut arguments = vec![self.sum()?];
        while self.take(",") {
            arguments.push(self.sum()?);
        }
        self.expect(")")?;
        Ok(match (name, arguments.len()) {
            ("sqrt", 1) => Math::Root(Box::new(arguments.remove(0))),
            ("pow", 2) => {
                let exponent = arguments.remove(1);
                Math::Power(Box::new(arguments.remove(0)), Box::new(exponent))
            }
            _ => Math::Function(function(symbol), arguments),
        })
    }

    /// A name with its places and indices: `arm.link[2].theta`.
    fn name(&mut self) -> Result<&'a str, Unreadable> {
        let rest = self.rest();
        let mut end = 0;
        let mut chars = rest.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let inside = c.is_alphanumeric() || c == '_' || c == '#';
            let dot = c == '.' && chars.peek().is_some_and(|(_, c)| c.is_alphabetic());
            if c == '[' {
                let close = rest[at..].find(']').ok_or_else(|| self.wrong("]"))?;
                end = at + close + 1;
                while chars.peek().is_some_and(|(at, _)| *at < end) {
                    chars.next();
                }
            } else if inside || dot {
                end = at + c.len_utf8();
            } else {
                break;
            }
        }
        let name = &rest[..end];
        self.at += end;
        Ok(name)
    }
}

/// The name of a function: several letters of the language's own functions are never subscripts.
fn function(symbol: Symbol) -> Symbol {
    const OWN: [&str; 18] = [
        "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh",
        "acosh", "atanh", "exp", "ln", "sign", "min", "max",
    ];
    if OWN.contains(&symbol.name.as_str()) {
        Symbol::verbatim(&symbol.name)
    } else {
        symbol
    }
}

fn negative(term: Math, minus: bool) -> Math {
    if minus {
        Math::Negative(Box::new(term))
    } else {
        term
    }
}
