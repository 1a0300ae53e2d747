//! The tree that the parser builds: every piece carries its span; nothing is resolved.

use crate::span::Span;
use std::ops::Deref;

/// A name as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Ident {
    /// The text, in Unicode normal form as written.
    pub text: String,
    /// Its position.
    pub span: Span,
}

/// A declared name, or one element of a family: `theta`, `theta[i + 1]`, `m[1..n]`. After expansion there are no
/// indices, and it can be used as its identifier.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// The name without its indices.
    pub ident: Ident,
    /// The contents of the brackets after it.
    pub indices: Vec<NameIndex>,
}

/// An index in a declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum NameIndex {
    /// `[i + 1]`
    At(Expr),
    /// `[1..n]`: a declaration for each of them
    Range(Expr, Expr),
}

/// A reference: `P`, `P[i - 1]`, `left.foot`, `leg[2].foot`. After expansion there is no path, and it
/// can be used as its identifier.
#[derive(Clone, Debug, PartialEq)]
pub struct Ref {
    /// The name that it begins with.
    pub ident: Ident,
    /// Indices and names behind it.
    pub path: Vec<Segment>,
}

/// A step in a reference.
#[derive(Clone, Debug, PartialEq)]
pub enum Segment {
    /// `[i - 1]`; the span includes the brackets
    Index(Expr, Span),
    /// `[1..n]`, where several things may be named; the span includes the brackets
    Range(Expr, Expr, Span),
    /// `.foot`
    Field(Ident),
}

impl Deref for Name {
    type Target = Ident;

    fn deref(&self) -> &Ident {
        &self.ident
    }
}

impl From<Ident> for Name {
    fn from(ident: Ident) -> Self {
        let indices = Vec::new();
        Self { ident, indices }
    }
}

impl Deref for Ref {
    type Target = Ident;

    fn deref(&self) -> &Ident {
        &self.ident
    }
}

impl From<Ident> for Ref {
    fn from(ident: Ident) -> Self {
        let path = Vec::new();
        Self { ident, path }
    }
}

impl Ref {
    /// Its whole position.
    pub fn whole(&self) -> Span {
        let start = self.ident.span;
        match self.path.last() {
            Some(Segment::Index(_, span) | Segment::Range(_, _, span)) => start.to(*span),
            Some(Segment::Field(field)) => start.to(field.span),
            None => start,
        }
    }

    /// The reference that an expression is, if it is one.
    pub fn of(expr: Expr) -> Option<Ref> {
        let mut path = Vec::new();
        let mut rest = expr;
        loop {
            match rest.kind {
                ExprKind::Name(text) => {
                    path.reverse();
                    let ident = Ident {
                        text,
                        span: rest.span,
                    };
                    return Some(Ref { ident, path });
                }
                ExprKind::Field(inner, field) => {
                    path.push(Segment::Field(field));
                    rest = *inner;
                }
                ExprKind::Index(inner, index) => {
                    let span = Span {
                        start: inner.span.end,
                        ..rest.span
                    };
                    path.push(Segment::Index(*index, span));
                    rest = *inner;
                }
                _ => return None,
            }
        }
    }
}

/// A whole file.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceFile {
    /// The text of the `//!` lines at the top, joined by newlines.
    pub docs: String,
    /// The declarations in order; those the parser could not read are left out (and reported).
    pub items: Vec<Item>,
}

/// One declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// What is declared.
    pub kind: ItemKind,
    /// Text of the `///` comments before it or trailing on its line, joined by newlines.
    pub docs: String,
    /// The whole declaration without comments.
    pub span: Span,
}

/// A declared name with an optional value: `m1 = 1.3`.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared {
    /// The name.
    pub name: Name,
    /// The default (parameters) or initial value (coordinates).
    pub value: Option<Expr>,
}

/// `> 0`, `!= 0`, ...
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `!=`
    NotEqual,
    /// `==`
    Equal,
}

/// What is given to a part: `hip = P`.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// Its name in the part.
    pub name: Ident,
    /// What stands for it.
    pub value: Expr,
}

/// What a part may need from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeedKind {
    /// `point`
    Point,
    /// `frame`
    Frame,
    /// `scalar`
    Scalar,
    /// `vector`
    Vector,
}

/// Where a load acts.
#[derive(Clone, Debug, PartialEq)]
pub enum LoadKind {
    /// `force on P: v` / `force on P, opposite on Q: v`: at points.
    Force,
    /// `torque on B: v`: on bodies or frames.
    Torque,
    /// `generalized x: expr`: conjugate to a coordinate or speed.
    Generalized,
}

/// Which energy an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnergyKind {
    /// `kinetic`
    Kinetic,
    /// `potential`
    Potential,
    /// `dissipation`: Rayleigh's function
    Dissipation,
}

/// Where a spring or damper acts.
#[derive(Clone, Debug, PartialEq)]
pub enum SpringPlace {
    /// `from P to Q`: along the line between two points.
    Between(Ref, Ref),
    /// `on theta`: on a coordinate, or what is made of coordinates.
    On(Expr),
}

/// A clause of a spring or damper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpringWord {
    /// `stiffness k`
    Stiffness,
    /// `length l0`: the free length, between points
    Length,
    /// `rest theta0`: without force, on a coordinate
    Rest,
    /// `damping c`
    Damping,
    /// `tension k*s^3`: a law of one's own
    Tension,
}

impl SpringWord {
    /// All of them.
    pub const ALL: [SpringWord; 5] = [
        SpringWord::Stiffness,
        SpringWord::Length,
        SpringWord::Rest,
        SpringWord::Damping,
        SpringWord::Tension,
    ];

    /// As written.
    pub fn text(self) -> &'static str {
        match self {
            SpringWord::Stiffness => "stiffness",
            SpringWord::Length => "length",
            SpringWord::Rest => "rest",
            SpringWord::Damping => "damping",
            SpringWord::Tension => "tension",
        }
    }
}

/// One clause of a spring or damper: `stiffness k`.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringClause {
    /// What it states.
    pub word: SpringWord,
    /// Its value.
    pub value: Expr,
    /// The clause with its word.
    pub span: Span,
}

/// The declarations.
#[expect(missing_docs, reason = "each variant's example shows its fields")]
#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    /// `model NAME`
    Model(Ident),
    /// `part leg`: instead of `model`, in a file that is used by others
    Part(Ident),
    /// `const n = 5`
    Const(Vec<Declared>),
    /// `for i in 1..n { ... }`
    For {
        variable: Ident,
        from: Expr,
        to: Expr,
        body: Vec<Item>,
    },
    /// `use "leg.eom" as left(hip = P)`; the path without its quotation marks
    Use {
        path: Ident,
        name: Name,
        args: Vec<Argument>,
    },
    /// `needs point hip, foot`
    Needs { kind: NeedKind, names: Vec<Name> },
    /// `param m1 = 1.3, m2 : kg > 0`
    Param {
        names: Vec<Declared>,
        unit: Option<UnitExpr>,
        assume: Option<(Relation, Expr)>,
    },
    /// `coord x = 0.1, y : m`
    Coord {
        names: Vec<Declared>,
        unit: Option<UnitExpr>,
        assume: Option<(Relation, Expr)>,
    },
    /// `input F : N`
    Input {
        names: Vec<Declared>,
        unit: Option<UnitExpr>,
    },
    /// `function Fx(x, y, z), g(t) : N/kg`
    Function {
        signatures: Vec<Signature>,
        unit: Option<UnitExpr>,
    },
    /// `let r = expr`: a scalar or a vector
    Let { name: Name, value: Expr },
    /// `frame B = rotate(N, theta, N.z)`
    Frame { name: Name, value: Expr },
    /// `point P = O + x*N.x`
    Point { name: Name, value: Expr },
    /// `particle A: mass m at P`
    Particle { name: Name, mass: Expr, at: Ref },
    /// `body W: frame B, mass m, center C, inertia [Ixx, Iyy, Izz, Ixy, Iyz, Izx] about P in F`
    Body {
        name: Name,
        clauses: Vec<BodyClause>,
    },
    /// `group S: A, B, C`: particles, bodies and groups combined
    Group { name: Name, members: Vec<Ref> },
    /// `gravity: -g*N.z`
    Gravity(Expr),
    /// `force on P, opposite on Q: v` and similar; `nonideal` loads prescribe the vector C of the constraint force's virtual work
    Load {
        kind: LoadKind,
        nonideal: bool,
        on: Ref,
        opposite: Option<Ref>,
        value: Expr,
    },
    /// `kinetic T = m*x'^2/2`, `potential V = k*x^2/2`, `dissipation D = c*x'^2/2`
    Energy {
        kind: EnergyKind,
        name: Name,
        value: Expr,
    },
    /// `spring s: from P to Q, stiffness k, length l, damping c`; `damper d: on theta, damping c`
    Spring {
        damper: bool,
        name: Name,
        place: SpringPlace,
        clauses: Vec<SpringClause>,
    },
    /// `speed u1 = dot(vel(P1), B.x)`
    Speed { name: Name, value: Expr },
    /// `constraint blade: lhs = rhs` / `... in B`
    Constraint {
        name: Name,
        lhs: Expr,
        rhs: Expr,
        frame: Option<Ref>,
    },
    /// `privileged psi1', phi'`
    Privileged(Vec<Expr>),
    /// `assume x' != 0`
    Assume {
        lhs: Expr,
        relation: Relation,
        rhs: Expr,
    },
    /// `reaction T at P: B.x`
    Reaction {
        name: Name,
        at: Ref,
        direction: Expr,
    },
    /// `reaction p: force on P along B.x, opposite on Q`, `reaction r: torque on B along N.z`
    ReactionPair {
        kind: LoadKind,
        name: Name,
        on: Ref,
        along: Expr,
        opposite: Option<Ref>,
    },
    /// `output height = dot(P - O, N.z)`
    Output { name: Name, value: Expr },
}

/// One clause of a `body`.
#[expect(missing_docs, reason = "each variant's example shows its fields")]
#[derive(Clone, Debug, PartialEq)]
pub enum BodyClause {
    /// `frame B`
    Frame(Ref),
    /// `mass m`
    Mass(Expr),
    /// `center C`
    Center(Ref),
    /// `inertia [...] about P in F`; three entries (principal) or six
    Inertia {
        entries: Vec<Expr>,
        about: Option<Ref>,
        frame: Option<Ref>,
        span: Span,
    },
}

/// `h(x, y, t)`
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// The function's name.
    pub name: Name,
    /// Names of coordinates, speeds, parameters, or `t`.
    pub args: Vec<Ref>,
}

/// A unit as written: a product of powers.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitExpr {
    /// (name, exponent numerator, exponent denominator); division has become a negative exponent
    pub factors: Vec<(Ident, i32, u32)>,
    /// Its position.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its position.
    pub span: Span,
}

impl Expr {
    /// Whether it is a name with indices and further names, which [`Ref::of`] takes.
    pub fn is_reference(&self) -> bool {
        match &self.kind {
            ExprKind::Name(_) => true,
            ExprKind::Index(base, _) | ExprKind::Field(base, _) => base.is_reference(),
            _ => false,
        }
    }

    /// A whole number as it would be written.
    pub fn whole_number(value: i64, span: Span) -> Self {
        let text = value.unsigned_abs().to_string();
        let at = |kind| Self { kind, span };
        let plain = at(ExprKind::Number { text, unit: None });
        if value >= 0 {
            return plain;
        }
        at(ExprKind::Paren(Box::new(at(ExprKind::Neg(Box::new(
            plain,
        ))))))
    }
}

/// A sum over a counted variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Sum {
    /// The variable.
    pub variable: Ident,
    /// Its first value.
    pub from: Expr,
    /// Its last value.
    pub to: Expr,
    /// What is added for each of them.
    pub body: Expr,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `^`, right-associative
    Pow,
}

/// What joins two conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    /// `and`
    And,
    /// `or`
    Or,
}

/// The kinds of expression.
#[expect(missing_docs, reason = "each variant's example shows its fields")]
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A decimal number exactly as written, with its unit if it has one: `9.81 [m/s^2]`.
    Number {
        text: String,
        unit: Option<UnitExpr>,
    },
    /// A name.
    Name(String),
    /// `B.x`
    Field(Box<Expr>, Ident),
    /// `theta[i + 1]`
    Index(Box<Expr>, Box<Expr>),
    /// `theta'`
    Prime(Box<Expr>),
    /// `dot(a, b)`
    Call(Ref, Vec<Expr>),
    /// `sum(i in 1..n, m[i])`
    Sum(Box<Sum>),
    /// `[a, b, c]`
    List(Vec<Expr>),
    /// `-a`
    Neg(Box<Expr>),
    /// `a + b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if x < 0 then a else b`
    If {
        condition: Box<Expr>,
        then: Box<Expr>,
        other: Box<Expr>,
    },
    /// `a < b`, in the condition of an `if` only
    Compare(Relation, Box<Expr>, Box<Expr>),
    /// `a and b` of conditions
    Logic(Logic, Box<Expr>, Box<Expr>),
    /// `not a` of a condition
    Not(Box<Expr>),
    /// `(a)`, kept for the formatter
    Paren(Box<Expr>),
    /// Something unreadable, already reported.
    Error,
}
