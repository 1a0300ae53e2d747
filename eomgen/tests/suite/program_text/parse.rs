//! Reads a program.

use std::collections::BTreeMap;
use std::str::FromStr;

use super::{binary, comparison, unary};
use eomgen::internals::ir::{
    Check, ExternFunction, Function, Group, Op, Part, Program, Rational, RoutineKind, Slot, Value,
};

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

/// The program that a text describes; see the [module](super). What it says is taken as it stands: [`verify`](eomgen::internals::ir::verify()) says whether it makes sense.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let mut reader = Reader::default();
    for (index, line) in text.lines().enumerate() {
        reader.line(line).map_err(|message| ParseError {
            line: index + 1,
            message,
        })?;
    }
    Ok(reader.program)
}

#[derive(Default)]
struct Reader {
    program: Program,
    labels: BTreeMap<u32, Value>,
    /// Which label each value has: no instruction may be written twice.
    defined: BTreeMap<Value, u32>,
}

/// Said of what belongs into a function.
const NO_FUNCTION: &str = "no function before this";

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let tokens = tokens(line)?;
        match tokens.first() {
            None => Ok(()),
            Some(Token::Word(word)) if word.starts_with('%') => self.instruction(&tokens),
            Some(Token::Word(keyword)) => self.declaration(keyword, &tokens[1..]),
            Some(Token::String(text)) => Err(format!("expected a word, found {text:?}")),
        }
    }

    fn declaration(&mut self, keyword: &str, tokens: &[Token]) -> Result<(), String> {
        let mut words = Words {
            tokens,
            labels: &self.labels,
        };
        let current = self.program.functions.last_mut();
        let interface = &mut self.program.interface;
        match keyword {
            "group" => {
                let name = words.string()?;
                words.keyword("=")?;
                let mut entries = Vec::new();
                while !words.tokens.is_empty() {
                    if !entries.is_empty() {
                        words.keyword(",")?;
                    }
                    entries.push(words.string()?);
                }
                interface.groups.push(Group { name, entries });
            }
            "extern" => {
                let name = words.string()?;
                words.keyword("arity")?;
                let arity = words.number()?;
                words.keyword("order")?;
                let order = words.number()?;
                let function = ExternFunction { name, arity, order };
                interface.functions.push(function);
            }
            "function" => {
                let name = words.string()?;
                self.program.functions.push(Function {
                    name,
                    ..Function::default()
                });
            }
            "output" => {
                let function = current.ok_or(NO_FUNCTION)?;
                function.outputs.push(words.value()?);
            }
            "check" => {
                let function = current.ok_or(NO_FUNCTION)?;
                function.checks.push(words.check()?);
            }
            other => return Err(format!("`{other}` is not a declaration")),
        }
        words.end()
    }

    fn instruction(&mut self, tokens: &[Token]) -> Result<(), String> {
        let mut words = Words {
            tokens,
            labels: &self.labels,
        };
        let label = label(words.word()?)?;
        let name = match words.tokens.first() {
            Some(Token::String(_)) => Some(words.string()?),
            _ => None,
        };
        words.keyword("=")?;
        let op = words.op()?;
        words.end()?;
        let value = self.program.graph.intern(op);
        if self.labels.insert(label, value).is_some() {
            return Err(format!("%{label} is defined twice"));
        }
        if let Some(other) = self.defined.insert(value, label) {
            return Err(format!("%{label} is the same instruction as %{other}"));
        }
        if let Some(name) = name {
            self.program.graph.name(value, &name);
        }
        Ok(())
    }
}

#[derive(Debug, PartialEq)]
enum Token {
    Word(String),
    String(String),
}

/// Words, strings and `,` of a line, without its comment.
fn tokens(line: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        match first {
            ';' => break,
            '"' => {
                let (text, after) = string(&rest[1..])?;
                tokens.push(Token::String(text));
                rest = after;
            }
            ',' => {
                tokens.push(Token::Word(",".into()));
                rest = &rest[1..];
            }
            _ => {
                let stops = |c: char| c.is_whitespace() || matches!(c, '"' | ',' | ';');
                let end = rest.find(stops).unwrap_or(rest.len());
                let (word, after) = rest.split_at(end);
                tokens.push(Token::Word(word.into()));
                rest = after;
            }
        }
        rest = rest.trim_start();
    }
    Ok(tokens)
}

/// The string that ends at the next quote, and what follows it.
fn string(text: &str) -> Result<(String, &str), String> {
    let mut out = String::new();
    let mut chars = text.char_indices();
    while let Some((index, c)) = chars.next() {
        match c {
            '"' => return Ok((out, &text[index + 1..])),
            '\\' => match chars.next() {
                Some((_, c @ ('"' | '\\'))) => out.push(c),
                Some((_, 'u')) => {
                    let mut digits = String::new();
                    let opened = chars.next().is_some_and(|(_, c)| c == '{');
                    digits.extend(chars.by_ref().map(|(_, c)| c).take_while(|&c| c != '}'));
                    let code = u32::from_str_radix(&digits, 16).ok().filter(|_| opened);
                    out.push(code.and_then(char::from_u32).ok_or("bad escape")?);
                }
                _ => return Err("bad escape".into()),
            },
            c => out.push(c),
        }
    }
    Err("a string without its end".into())
}

fn label(word: &str) -> Result<u32, String> {
    let digits = word.strip_prefix('%').ok_or("expected a value")?;
    digits
        .parse()
        .map_err(|_| format!("`{word}` is not a value"))
}

/// What is left of a line.
struct Words<'a> {
    tokens: &'a [Token],
    labels: &'a BTreeMap<u32, Value>,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Result<&'a Token, String> {
        let (first, rest) = self.tokens.split_first().ok_or("the line ends too soon")?;
        self.tokens = rest;
        Ok(first)
    }

    fn word(&mut self) -> Result<&'a str, String> {
        match self.next()? {
            Token::Word(word) => Ok(word),
            Token::String(text) => Err(format!("expected a word, found {text:?}")),
        }
    }

    fn string(&mut self) -> Result<String, String> {
        match self.next()? {
            Token::String(text) => Ok(text.clone()),
            Token::Word(word) => Err(format!("expected a name in quotes, found `{word}`")),
        }
    }

    fn keyword(&mut self, keyword: &str) -> Result<(), String> {
        match self.word()? {
            word if word == keyword => Ok(()),
            word => Err(format!("expected `{keyword}`, found `{word}`")),
        }
    }

    fn number<T: FromStr>(&mut self) -> Result<T, String> {
        let word = self.word()?;
        word.parse()
            .map_err(|_| format!("`{word}` is not a number that fits here"))
    }

    fn value(&mut self) -> Result<Value, String> {
        let label = label(self.word()?)?;
        let value = self.labels.get(&label).copied();
        value.ok_or_else(|| format!("%{label} is not defined before this"))
    }

    fn values(&mut self) -> Result<Box<[Value]>, String> {
        let mut values = Vec::new();
        while !self.tokens.is_empty() {
            values.push(self.value()?);
        }
        Ok(values.into())
    }

    fn check(&mut self) -> Result<Check, String> {
        let value = self.value()?;
        let scaled = matches!(self.tokens.first(), Some(Token::Word(word)) if word == "scale");
        let scale = if scaled {
            self.keyword("scale")?;
            Some(self.value()?)
        } else {
            None
        };
        self.keyword("condition")?;
        Ok(Check {
            value,
            scale,
            condition: self.number()?,
        })
    }

    fn end(&self) -> Result<(), String> {
        match self.tokens.first() {
            None => Ok(()),
            Some(Token::Word(text) | Token::String(text)) => Err(format!("`{text}` is too much")),
        }
    }

    fn op(&mut self) -> Result<Op, String> {
        let word = self.word()?;
        if let Some(op) = unary(word) {
            return Ok(Op::Unary(op, self.value()?));
        }
        if let Some(op) = binary(word) {
            return Ok(Op::Binary(op, self.value()?, self.value()?));
        }
        Ok(match word {
            "pi" => Op::Pi,
            "input" => {
                let slot = self.word()?;
                let parts = slot.split_once('.');
                let parts = parts.and_then(|(g, i)| Some((g.parse().ok()?, i.parse().ok()?)));
                let (group, index) = parts.ok_or_else(|| format!("`{slot}` is not an input"))?;
                Op::Input(Slot { group, index })
            }
            "select" => {
                let test = self.word()?;
                let test =
                    comparison(test).ok_or_else(|| format!("`{test}` is not a comparison"))?;
                Op::Select {
                    test,
                    left: self.value()?,
                    right: self.value()?,
                    then: self.value()?,
                    other: self.value()?,
                }
            }
            "call" => Op::Call {
                function: self.number()?,
                args: self.values()?,
            },
            "jet" => Op::Jet {
                call: self.value()?,
                part: self.part()?,
            },
            "minimum_norm" => {
                let (rows, cols) = (self.number()?, self.number()?);
                Op::Routine {
                    kind: RoutineKind::MinimumNorm { rows, cols },
                    operands: self.values()?,
                }
            }
            "constrained" => {
                let (n, m) = (self.number()?, self.number()?);
                Op::Routine {
                    kind: RoutineKind::Constrained { n, m },
                    operands: self.values()?,
                }
            }
            "element" => Op::Element {
                routine: self.value()?,
                index: self.number()?,
            },
            number => Op::Constant(rational(number)?.into()),
        })
    }

    fn part(&mut self) -> Result<Part, String> {
        Ok(match self.word()? {
            "value" => Part::Value,
            "gradient" => Part::Gradient(self.number()?),
            "hessian" => Part::Hessian(self.number()?, self.number()?),
            other => return Err(format!("`{other}` is not a part of a jet")),
        })
    }
}

/// `-3/4`; `FromStr` of rationals panics on nothing and refuses a denominator of 0.
fn rational(text: &str) -> Result<Rational, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is neither an instruction nor a number"))
}
