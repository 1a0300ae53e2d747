//! Autolev's text as a tree. Knows nothing of what its words mean.

use crate::span::Span;

/// An expression with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: Kind,
    pub span: Span,
}

/// What an expression is. Names are in lower case, as case has no meaning.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Number(String),
    /// A scalar with so many primes.
    Name(String, usize),
    /// `v>`, without its mark; `0` for the zero vector.
    Vector(String),
    /// `I>>`
    Dyadic,
    /// `f[1]`, `m[1,2]`
    Element(String, Vec<Expr>),
    Call(String, Vec<Expr>),
    /// Rows of a matrix.
    Matrix(Vec<Vec<Expr>>),
    Negative(Box<Expr>),
    Binary(Sign, Box<Expr>, Box<Expr>),
    /// `angvel(A, B)` as the orientations say, whatever is assigned.
    Turning(String, String),
    /// The velocity of a point as its position says.
    Moving(String),
}

/// The operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Plus,
    Minus,
    Times,
    Over,
    Power,
}

impl Expr {
    pub fn new(kind: Kind, span: Span) -> Self {
        Self { kind, span }
    }

    /// A whole number.
    pub fn whole(value: u32, span: Span) -> Self {
        Self::new(Kind::Number(value.to_string()), span)
    }

    /// Whether it is this number.
    pub fn is_number(&self, number: &str) -> bool {
        matches!(&self.kind, Kind::Number(text) if text == number)
    }

    /// Two of them with a sign between.
    pub fn join(sign: Sign, left: Expr, right: Expr) -> Self {
        let span = left.span.to(right.span);
        Self::new(Kind::Binary(sign, Box::new(left), Box::new(right)), span)
    }

    /// The name, if it is a plain one.
    pub fn plain(&self) -> Option<&str> {
        match &self.kind {
            Kind::Name(name, 0) => Some(name),
            _ => None,
        }
    }

    /// What it is made of.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            Kind::Element(_, parts) | Kind::Call(_, parts) => parts.iter().collect(),
            Kind::Matrix(rows) => rows.iter().flatten().collect(),
            Kind::Negative(inner) => vec![inner],
            Kind::Binary(_, left, right) => vec![left, right],
            _ => Vec::new(),
        }
    }

    /// Whether any part of it is such a one.
    pub fn any(&self, is: &dyn Fn(&Expr) -> bool) -> bool {
        is(self) || self.parts().into_iter().any(|part| part.any(is))
    }

    /// With every part put in place of another, from within.
    pub fn mapped(&self, change: &dyn Fn(Expr) -> Expr) -> Expr {
        let of = |inner: &Expr| Box::new(inner.mapped(change));
        let all = |parts: &[Expr]| parts.iter().map(|part| part.mapped(change)).collect();
        let kind = match &self.kind {
            Kind::Element(name, parts) => Kind::Element(name.clone(), all(parts)),
            Kind::Call(name, parts) => Kind::Call(name.clone(), all(parts)),
            Kind::Matrix(rows) => Kind::Matrix(rows.iter().map(|row| all(row)).collect()),
            Kind::Negative(inner) => Kind::Negative(of(inner)),
            Kind::Binary(sign, left, right) => Kind::Binary(*sign, of(left), of(right)),
            other => other.clone(),
        };
        change(Expr::new(kind, self.span))
    }
}

/// What is assigned to.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// A scalar with so many primes.
    Scalar(String, usize),
    Vector(String),
    Dyadic,
    Element(String, Vec<Expr>),
}

/// How.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    Is,
    Add,
    Subtract,
}

/// A name in a declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared {
    /// As it is spelled there.
    pub name: String,
    pub primes: usize,
    /// `+` or `-` behind it.
    pub sign: Option<char>,
    pub value: Option<Expr>,
    pub span: Span,
}

/// A value with the unit behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    pub name: String,
    pub primes: usize,
    pub value: Expr,
    pub unit: String,
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    pub kind: What,
    pub span: Span,
    /// The comment at the end of its line.
    pub comment: Option<String>,
}

/// What it says.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// `constants a, b`: the keyword in one form (`constant`), primes of the keyword, names.
    Declare(&'static str, Vec<Declared>),
    Mass(Vec<(String, Expr, Span)>),
    Inertia(String, Option<String>, Vec<Expr>),
    Input(Vec<Given>),
    /// Units of names.
    Units(Vec<(String, String)>),
    Output(Vec<Expr>),
    Call(String, Vec<Expr>),
    Assign(Target, How, Expr),
    /// Something that changes no motion.
    Idle,
}
