//! The tree that the parser builds: every piece carries its span; nothing is resolved.

use crate::span::Span;

/// A name as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Ident {
    /// The text, in Unicode normal form as written.
    pub text: String,
    /// Where it stands.
    pub span: Span,
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
    pub name: Ident,
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
    Between(Ident, Ident),
    /// `on theta`: on a coordinate, or what is made of coordinates.
    On(Expr),
}

/// What a clause of a spring or damper states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpringWord {
    /// `stiffness k`
    Stiffness,
    /// `length l0`: without force, between points
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
    Let { name: Ident, value: Expr },
    /// `frame B = rotate(N, theta, N.z)`
    Frame { name: Ident, value: Expr },
    /// `point P = O + x*N.x`
    Point { name: Ident, value: Expr },
    /// `particle A: mass m at P`
    Particle { name: Ident, mass: Expr, at: Ident },
    /// `body W: frame B, mass m, center C, inertia [Ixx, Iyy, Izz, Ixy, Iyz, Izx] about P in F`
    Body {
        name: Ident,
        clauses: Vec<BodyClause>,
    },
    /// `gravity: -g*N.z`
    Gravity(Expr),
    /// `force on P, opposite on Q: v` and its kin; `nonideal` loads prescribe the vector C of the constraint force's virtual work
    Load {
        kind: LoadKind,
        nonideal: bool,
        on: Ident,
        opposite: Option<Ident>,
        value: Expr,
    },
    /// `kinetic T = m*x'^2/2`, `potential V = k*x^2/2`, `dissipation D = c*x'^2/2`
    Energy {
        kind: EnergyKind,
        name: Ident,
        value: Expr,
    },
    /// `spring s: from P to Q, stiffness k, length l, damping c`; `damper d: on theta, damping c`
    Spring {
        damper: bool,
        name: Ident,
        place: SpringPlace,
        clauses: Vec<SpringClause>,
    },
    /// `speed u1 = dot(vel(P1), B.x)`
    Speed { name: Ident, value: Expr },
    /// `constraint blade: lhs = rhs` / `... in B`
    Constraint {
        name: Ident,
        lhs: Expr,
        rhs: Expr,
        frame: Option<Ident>,
    },
    /// `privileged psi1', phi'`
    Privileged(Vec<Expr>),
    /// `assume x' != 0`
    Assume {
        lhs: Expr,
        relation: Relation,
        rhs: Expr,
    },
    /// `output height = dot(P - O, N.z)`
    Output { name: Ident, value: Expr },
}

/// One clause of a `body`.
#[expect(missing_docs, reason = "each variant's example shows its fields")]
#[derive(Clone, Debug, PartialEq)]
pub enum BodyClause {
    /// `frame B`
    Frame(Ident),
    /// `mass m`
    Mass(Expr),
    /// `center C`
    Center(Ident),
    /// `inertia [...] about P in F`; three entries (principal) or six
    Inertia {
        entries: Vec<Expr>,
        about: Option<Ident>,
        frame: Option<Ident>,
        span: Span,
    },
}

/// `h(x, y, t)`
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// The function's name.
    pub name: Ident,
    /// Names of coordinates, speeds, parameters, or `t`.
    pub args: Vec<Ident>,
}

/// A unit as written: a product of powers.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitExpr {
    /// (name, exponent numerator, exponent denominator); division has become a negative exponent
    pub factors: Vec<(Ident, i32, u32)>,
    /// Where it stands.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
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
    /// `theta'`
    Prime(Box<Expr>),
    /// `dot(a, b)`
    Call(Ident, Vec<Expr>),
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
