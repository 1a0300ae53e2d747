//! Expressions as text: composed from their operands with no parentheses but the needed ones.
//!
//! What is written evaluates to the same bits as the instruction it comes from. Only identities
//! that hold in IEEE 754 arithmetic are used to make it read better: the operands of one sum or one
//! product may be exchanged, and `a + (-c)*x` is `a - c*x`.

use std::collections::BTreeSet;

use super::layout::{Choice, Pieces, width};
use super::module::{Math, Scalar, Style};
use crate::ir::{Binary, Comparison, Unary};

mod fused;

/// How tightly an expression holds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// `if a < b { c } else { d }`
    Select,
    /// `a + b`
    Sum,
    /// `a * b`
    Product,
    /// `-a`
    Negation,
    /// A name, a number, a call.
    Atom,
}

/// The operation at the top.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Head {
    Literal(f64),
    /// A parameter or input.
    Given,
    Sum,
    Product,
    Quotient,
    /// A lesser or greater of two.
    Extremum,
    Other,
}

/// An expression's text and what is needed to put it into a larger one.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    text: String,
    strength: Strength,
    head: Head,
    /// Nested operations; a chain of sums or products counts as one.
    depth: u8,
    /// The text of its negative, for expressions that start with a minus sign: literals and
    /// products with a negative literal.
    negative: Option<String>,
    /// Whether it is made of literals alone, whose type rustc doesn't know yet.
    untyped: bool,
    /// How it is broken where it is too wide for a line, if it is one operation or call of atoms.
    pieces: Option<Box<Pieces>>,
    /// The parts of a selection, which has a layout of its own.
    choice: Option<Box<Choice>>,
    /// Whether an argument list in it is too wide for one line.
    crowded: bool,
    /// Of a product: both factors, and the negative of the first.
    factors: Option<[String; 3]>,
    /// The variables in it.
    reads: BTreeSet<String>,
    /// Whether it is a field of something.
    field: bool,
    /// The variable that it hands out to be changed.
    lends: Option<String>,
    /// Whether it ends the function where it fails.
    fails: bool,
}

/// Widest argument list on one line, and widest chain of methods.
const LIST: usize = 60;

impl Expr {
    /// A name or anything else that holds together by itself.
    pub fn atom(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            strength: Strength::Atom,
            head: Head::Other,
            depth: 0,
            negative: None,
            untyped: false,
            pieces: None,
            choice: None,
            crowded: false,
            factors: None,
            reads: BTreeSet::new(),
            field: false,
            lends: None,
            fails: false,
        }
    }

    /// A variable.
    pub fn variable(name: impl Into<String>) -> Self {
        let name = name.into();
        Self {
            reads: BTreeSet::from([name.clone()]),
            ..Self::atom(name)
        }
    }

    /// `self[3]`, for a variable or a part of one.
    pub fn entry(&self, place: &str) -> Self {
        Self {
            field: self.field,
            reads: self.reads.clone(),
            ..Self::atom(format!("{self}{place}"))
        }
    }

    /// `self.name`
    pub fn field(&self, name: &str) -> Self {
        Self {
            field: true,
            ..self.entry(&format!(".{name}"))
        }
    }

    /// `&self`
    pub fn borrowed(&self) -> Self {
        Self {
            reads: self.reads.clone(),
            ..Self::atom(format!("&{self}"))
        }
    }

    /// `*self`
    pub fn dereferenced(&self) -> Self {
        Self {
            reads: self.reads.clone(),
            ..Self::atom(format!("*{self}"))
        }
    }

    /// `&mut name`
    pub fn lent(name: &str) -> Self {
        Self {
            lends: Some(name.to_owned()),
            reads: BTreeSet::from([name.to_owned()]),
            ..Self::atom(format!("&mut {name}"))
        }
    }

    /// Any text that is made of others.
    pub fn made_of(text: String, parts: &[Self]) -> Self {
        let parts: Vec<&Self> = parts.iter().collect();
        Self::atom(text).reading(&parts)
    }

    /// A call with arguments of any text that is made of others.
    pub fn call(function: &str, arguments: Vec<String>, parts: &[Self]) -> Self {
        let text = format!("{function}({})", arguments.join(", "));
        let call = Pieces::Call(function.to_owned(), arguments, "");
        Self {
            pieces: Some(Box::new(call)),
            ..Self::made_of(text, parts)
        }
    }

    /// The same, constant during a run: written first in products.
    pub fn constant(self) -> Self {
        Self {
            head: Head::Given,
            ..self
        }
    }

    /// `self?`
    pub fn or_fail(self) -> Self {
        let pieces = match self.pieces.map(|pieces| *pieces) {
            Some(Pieces::Call(function, arguments, _)) => {
                Some(Box::new(Pieces::Call(function, arguments, "?")))
            }
            _ => None,
        };
        Self {
            text: format!("{}?", self.text),
            fails: true,
            pieces,
            ..self
        }
    }

    fn reading(mut self, operands: &[&Self]) -> Self {
        for operand in operands {
            self.reads.extend(operand.reads.iter().cloned());
        }
        self
    }

    /// The variables in it.
    pub fn reads(&self) -> impl Iterator<Item = &String> {
        self.reads.iter()
    }

    /// Whether it is a field of something.
    pub fn is_field(&self) -> bool {
        self.field
    }

    /// The variable that it hands out to be changed.
    pub fn lends(&self) -> Option<&str> {
        self.lends.as_deref()
    }

    /// Whether it ends the function where it fails.
    pub fn fails(&self) -> bool {
        self.fails
    }

    /// An atom that is constant during a run: written first in products.
    pub fn given(text: impl Into<String>) -> Self {
        Self {
            head: Head::Given,
            ..Self::atom(text)
        }
    }

    /// A number.
    pub fn number(number: f64, scalar: Scalar) -> Self {
        let negative = number.is_sign_negative();
        let generic = scalar == Scalar::Generic;
        Self {
            strength: if negative && !generic {
                Strength::Negation
            } else {
                Strength::Atom
            },
            head: Head::Literal(number),
            untyped: !generic,
            negative: negative.then(|| scalar.literal(-number)),
            ..Self::atom(scalar.literal(number))
        }
    }

    /// What is written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is short and plain enough to be read at a glance.
    pub fn is_plain(&self) -> bool {
        /// Widest expression, so that most fit on a line with what they are assigned to.
        const WIDE: usize = 72;
        /// Most nested operations.
        const DEEP: u8 = 3;
        self.depth <= DEEP && !self.crowded && width(&self.text) <= WIDE
    }

    /// Whether it is a name, a number or their like, which may be written any number of times.
    pub fn is_atom(&self) -> bool {
        self.depth == 0
    }

    /// How it is broken where it is too wide for a line.
    pub fn pieces(&self) -> Option<&Pieces> {
        self.pieces.as_deref()
    }

    /// The parts, if it is a selection.
    pub fn choice(&self) -> Option<&Choice> {
        self.choice.as_deref()
    }

    /// Whether it may stand inside an operation of the given kind: not where clippy would read the
    /// two together as another idiom, nor where rustc would not know its type.
    pub fn fits_into(&self, op: Option<Binary>) -> bool {
        match self.head {
            Head::Literal(_) => true,
            Head::Extremum => !matches!(op, Some(Binary::Min | Binary::Max)),
            _ => self.strength > Strength::Select && !self.untyped,
        }
    }

    /// The type of a variable that holds it, if it has to be said.
    pub fn annotation(&self, scalar: Scalar) -> Option<&'static str> {
        self.untyped.then(|| scalar.type_name())
    }

    /// Of a selection: its condition, and the selection by a variable that holds this.
    pub fn by_condition(&self, name: &str) -> Option<(Self, Self)> {
        let choice = self.choice()?;
        let condition = Self {
            pieces: Some(Box::new(Pieces::Operands(
                choice.left.clone(),
                choice.right.clone(),
            ))),
            reads: self.reads.clone(),
            ..Self::atom(format!("{} {}", choice.left, choice.right))
        };
        let named = Choice {
            left: name.to_owned(),
            right: String::new(),
            ..choice.clone()
        };
        let selection = Self {
            choice: Some(Box::new(named)),
            ..self.clone()
        };
        Some((condition, selection))
    }

    /// `op a`
    pub fn unary(op: Unary, a: &Self, style: impl Into<Style>) -> Self {
        let style = style.into();
        let row = match op {
            Unary::Neg => return Self::negation(a, style.scalar),
            Unary::Of(function) => function.row(),
        };
        match op {
            Unary::Sign if style.scalar == Scalar::Generic => {
                return Self::method(a, "sign", &[], style.scalar);
            }
            Unary::Sign => return Self::function("sign", &[a]),
            Unary::Abs => return Self::method(a, "abs", &[], style.scalar),
            _ => {}
        }
        match (style.math, style.scalar) {
            (Math::Inline, Scalar::F64 | Scalar::F32) if matches!(op, Unary::Sin | Unary::Cos) => {
                let both = Self::function("sincos", &[a]);
                let entry = if op == Unary::Sin { ".0" } else { ".1" };
                Self {
                    text: both.text.clone() + entry,
                    ..both
                }
            }
            (Math::Std | Math::Inline, _) | (_, Scalar::Generic) => {
                Self::method(a, row.method, &[], style.scalar)
            }
            (Math::Libm, Scalar::F64) => Self::function(&format!("libm::{}", row.libm), &[a]),
            (Math::Libm, Scalar::F32) => Self::function(&format!("libm::{}f", row.libm), &[a]),
        }
    }

    /// Sine and cosine of one angle, as a pair.
    pub fn sin_cos(a: &Self, style: impl Into<Style>) -> Self {
        let style = style.into();
        match (style.math, style.scalar) {
            (Math::Std, _) | (_, Scalar::Generic) => Self::method(a, "sin_cos", &[], style.scalar),
            (Math::Inline, _) => Self::function("sincos", &[a]),
            (Math::Libm, Scalar::F64) => Self::function("libm::sincos", &[a]),
            (Math::Libm, Scalar::F32) => Self::function("libm::sincosf", &[a]),
        }
    }

    /// `a op b`
    pub fn binary(op: Binary, a: &Self, b: &Self, style: impl Into<Style>) -> Self {
        let style = style.into();
        let scalar = style.scalar;
        let row = match op {
            Binary::Add => {
                return Self::fused(a, b, false, style).unwrap_or_else(|| Self::sum(a, b));
            }
            Binary::Sub => {
                let fused = Self::fused(a, b, true, style);
                return fused.unwrap_or_else(|| Self::difference(a, b));
            }
            Binary::Mul => return Self::product(a, b),
            Binary::Div => return Self::quotient(a, b),
            Binary::Min => return Self::extremum(a, "min", b, scalar),
            Binary::Max => return Self::extremum(a, "max", b, scalar),
            Binary::Of(function) => function.row(),
        };
        match (style.math, scalar) {
            (Math::Std | Math::Inline, _) | (_, Scalar::Generic) => {
                Self::method(a, row.method, &[b], scalar)
            }
            (Math::Libm, Scalar::F64) => Self::function(&format!("libm::{}", row.libm), &[a, b]),
            (Math::Libm, Scalar::F32) => Self::function(&format!("libm::{}f", row.libm), &[a, b]),
        }
    }

    /// `if left test right { then } else { other }`
    pub fn select(test: Comparison, [left, right, then, other]: [&Self; 4]) -> Self {
        let test = test.symbol();
        let choice = Choice {
            left: left.text.clone(),
            right: format!("{test} {right}"),
            then: then.text.clone(),
            other: other.text.clone(),
        };
        let operands = [left, right, then, other];
        Self {
            strength: Strength::Select,
            depth: 1 + operands.iter().map(|e| e.depth).max().unwrap_or(0),
            crowded: operands.iter().any(|e| e.crowded),
            untyped: then.untyped && other.untyped,
            choice: Some(Box::new(choice.clone())),
            ..Self::atom(choice.to_string()).reading(&operands)
        }
    }

    fn negation(a: &Self, scalar: Scalar) -> Self {
        if let Head::Literal(number) = a.head {
            return Self::number(-number, scalar);
        }
        let text = match a.strength {
            Strength::Atom => format!("-{}", a.text),
            _ => format!("-({})", a.text),
        };
        Self {
            strength: Strength::Negation,
            depth: a.depth,
            untyped: a.untyped,
            crowded: a.crowded,
            ..Self::atom(text).reading(&[a])
        }
    }

    fn sum(a: &Self, b: &Self) -> Self {
        // The one that needs no parentheses on the left: a chain, or what doesn't start with a minus sign.
        let exchange = match (a.head, b.head) {
            (Head::Sum, _) => false,
            (_, Head::Sum) => true,
            _ => a.negative.is_some() && b.negative.is_none(),
        };
        let (a, b) = if exchange { (b, a) } else { (a, b) };
        let text = match &b.negative {
            Some(negative) => format!("{} - {negative}", a.text),
            None => format!("{} + {}", a.text, b.within(Strength::Product)),
        };
        Self::chained(text, Strength::Sum, Head::Sum, a, b)
    }

    fn difference(a: &Self, b: &Self) -> Self {
        let text = match &b.negative {
            Some(negative) => format!("{} + {negative}", a.text),
            None => format!("{} - {}", a.text, b.within(Strength::Product)),
        };
        Self::chained(text, Strength::Sum, Head::Sum, a, b)
    }

    fn product(a: &Self, b: &Self) -> Self {
        // Numbers first, then chains, then parameters.
        let rank = |e: &Self| match e.head {
            Head::Literal(_) => 0,
            Head::Product => 1,
            Head::Given => 2,
            _ => 3,
        };
        let (a, b) = if rank(b) < rank(a) { (b, a) } else { (a, b) };
        let right = b.within(Strength::Negation);
        let left = match a.head {
            // `a / b * c` would be right, but not as one reads it.
            Head::Quotient => format!("({})", a.text),
            _ => a.within(Strength::Product),
        };
        let mut product = Self::chained(
            format!("{left} * {right}"),
            Strength::Product,
            Head::Product,
            a,
            b,
        );
        if let (Head::Literal(_) | Head::Product, Some(negative)) = (a.head, &a.negative) {
            product.negative = Some(format!("{negative} * {right}"));
        }
        let negative = match &a.negative {
            Some(negative) => negative.clone(),
            None if a.strength == Strength::Atom && a.is_atom() => format!("-{}", a.text),
            None => format!("-({})", a.text),
        };
        product.factors = Some([a.text.clone(), b.text.clone(), negative]);
        product
    }

    fn quotient(a: &Self, b: &Self) -> Self {
        let left = match a.head {
            Head::Quotient => format!("({})", a.text),
            _ => a.within(Strength::Product),
        };
        let right = b.within(Strength::Negation);
        let mut quotient = Self::chained(
            format!("{left} / {right}"),
            Strength::Product,
            Head::Quotient,
            a,
            b,
        );
        if let (Head::Literal(_) | Head::Product, Some(negative)) = (a.head, &a.negative) {
            quotient.negative = Some(format!("{negative} / {right}"));
        }
        quotient
    }

    fn chained(text: String, strength: Strength, head: Head, a: &Self, b: &Self) -> Self {
        let continues = a.head == head && matches!(head, Head::Sum | Head::Product);
        let left = if continues { a.depth } else { a.depth + 1 };
        let plain = a.is_atom() && b.is_atom();
        let parts = text.split_at_checked(a.text.len()).filter(|_| plain);
        let pieces = parts.map(|(left, right)| {
            let right = right.trim_start().to_owned();
            Box::new(Pieces::Operands(left.to_owned(), right))
        });
        Self {
            strength,
            head,
            depth: left.max(b.depth + 1),
            untyped: a.untyped && b.untyped,
            pieces,
            crowded: a.crowded || b.crowded,
            ..Self::atom(text).reading(&[a, b])
        }
    }

    fn extremum(a: &Self, method: &str, b: &Self, scalar: Scalar) -> Self {
        Self {
            head: Head::Extremum,
            ..Self::method(a, method, &[b], scalar)
        }
    }

    fn method(receiver: &Self, method: &str, args: &[&Self], scalar: Scalar) -> Self {
        let name = scalar.type_name();
        let on = match receiver.head {
            _ if scalar == Scalar::Generic => receiver.within(Strength::Atom),
            // A bare literal has no methods: its type isn't known yet.
            Head::Literal(_) if receiver.strength == Strength::Atom => {
                format!("{}_{name}", receiver.text)
            }
            Head::Literal(_) => format!("({}_{name})", receiver.text),
            _ => receiver.within(Strength::Atom),
        };
        let all: Vec<&Self> = std::iter::once(receiver)
            .chain(args.iter().copied())
            .collect();
        let called = Self::called(&format!("{on}.{method}"), args, &all);
        if all.iter().any(|operand| !operand.is_atom()) {
            return called;
        }
        let list: Vec<&str> = args.iter().map(|arg| arg.text()).collect();
        let (receiver, mut links) = Self::links(&on);
        links.push(format!(".{method}({})", list.join(", ")));
        let pieces = Pieces::Chain(receiver, links);
        Self {
            pieces: Some(Box::new(pieces)),
            ..called
        }
    }

    /// The fields of `p.m`, or of anything else that is an atom.
    fn links(atom: &str) -> (String, Vec<String>) {
        let is_path = atom.starts_with(|c: char| c == '_' || unicode_ident::is_xid_start(c))
            && !atom.contains('(');
        let mut parts = atom.split('.');
        match parts.next().filter(|_| is_path) {
            Some(first) => {
                let links = parts.map(|part| format!(".{part}"));
                (first.to_owned(), links.collect())
            }
            None => (atom.to_owned(), Vec::new()),
        }
    }

    fn function(name: &str, args: &[&Self]) -> Self {
        let called = Self::called(name, args, args);
        let plain = args.iter().all(|arg| arg.is_atom());
        let list = args.iter().map(|arg| arg.text().to_owned());
        let pieces = plain.then(|| Box::new(Pieces::Call(name.to_owned(), list.collect(), "")));
        Self { pieces, ..called }
    }

    fn called(function: &str, args: &[&Self], operands: &[&Self]) -> Self {
        let args: Vec<&str> = args.iter().map(|arg| arg.text()).collect();
        let args = args.join(", ");
        let depth = operands.iter().map(|operand| operand.depth).max();
        let text = format!("{function}({args})");
        let chain = function.matches('.').count() > 1 && width(&text) > LIST;
        Self {
            depth: 1 + depth.unwrap_or(0),
            crowded: chain || width(&args) > LIST || operands.iter().any(|e| e.crowded),
            ..Self::atom(text).reading(operands)
        }
    }

    /// In parentheses if it is weaker than asked for.
    fn within(&self, strength: Strength) -> String {
        if self.strength < strength {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }
}

impl std::fmt::Display for Expr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests;
