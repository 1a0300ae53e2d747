//! The tree that the parser builds: every piece has its span; nothing is resolved.

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
    /// The point or frame that stands in its place, as in `at O + x*N.x`. The identifier has no text then; expansion
    /// declares what is meant and names it.
    pub made: Option<Box<Expr>>,
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
        Self {
            ident,
            path: Vec::new(),
            made: None,
        }
    }
}

impl Ref {
    /// What stands where a name is expected.
    pub fn made(expr: Expr) -> Self {
        let ident = Ident {
            text: String::new(),
            span: expr.span,
        };
        Self {
            ident,
            path: Vec::new(),
            made: Some(Box::new(expr)),
        }
    }

    /// The expression that consists of it.
    pub fn expr(&self) -> Expr {
        let start = self.ident.span;
        let mut expr = Expr {
            kind: ExprKind::Name(self.ident.text.clone()),
            span: start,
        };
        for segment in &self.path {
            let (kind, span) = match segment {
                Segment::Field(field) => (
                    ExprKind::Field(Box::new(expr), field.clone()),
                    start.to(field.span),
                ),
                // Expressions hold no ranges: the first element stands for all, and the model says what is wrong.
                Segment::Index(index, span) | Segment::Range(index, _, span) => (
                    ExprKind::Index(Box::new(expr), Box::new(index.clone())),
                    start.to(*span),
                ),
            };
            expr = Expr { kind, span };
        }
        expr
    }

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
                    return Some(Ref {
                        ident,
                        path,
                        made: None,
                    });
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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceFile {
    /// The text of the `//!` lines at the top, joined by newlines.
    pub docs: String,
    /// The declarations in order; those the parser could not read are left out (and reported).
    pub items: Vec<Item>,
    /// Words of those that were left out which may have been declared there; their keywords are among them.
    pub unread: Vec<String>,
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
    /// How it is written in mathematics: `as "φ_f"`; without the quotation marks.
    pub shown: Option<Ident>,
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

impl Relation {
    /// As written.
    pub fn text(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::LessEqual => "<=",
            Relation::Greater => ">",
            Relation::GreaterEqual => ">=",
            Relation::NotEqual => "!=",
            Relation::Equal => "==",
        }
    }
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

impl NeedKind {
    /// All of them.
    pub const ALL: [NeedKind; 4] = [
        NeedKind::Point,
        NeedKind::Frame,
        NeedKind::Scalar,
        NeedKind::Vector,
    ];

    /// As written.
    pub fn text(self) -> &'static str {
        match self {
            NeedKind::Point => "point",
            NeedKind::Frame => "frame",
            NeedKind::Scalar => "scalar",
            NeedKind::Vector => "vector",
        }
    }
}

/// Where a load acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadKind {
    /// `force on P: v` / `force on P, opposite on Q: v`: at points.
    Force,
    /// `torque on B: v`: on bodies or frames.
    Torque,
    /// `generalized x: expr`: conjugate to a coordinate or speed.
    Generalized,
}

/// What `param`, `coord`, `state` and `input` declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuantityKind {
    /// `param`
    Param,
    /// `coord`
    Coord,
    /// `state`; its rate is a statement of its own
    State,
    /// `input`, without an assumption
    Input,
}

/// Parameters, coordinates, states or inputs: `param m1 = 1.3, m2 : kg > 0`, `coord x = 0.1, y : m`, `input F : N`.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantities {
    /// What they are.
    pub kind: QuantityKind,
    /// Their names.
    pub names: Vec<Declared>,
    /// Their unit.
    pub unit: Option<UnitExpr>,
    /// What is assumed of each.
    pub assume: Option<(Relation, Expr)>,
}

/// What is defined by `KEYWORD NAME = VALUE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defined {
    /// `let r = expr`: a scalar or a vector
    Let,
    /// `frame B = rotate(N, theta, N.z)`
    Frame,
    /// `point P = O + x*N.x`
    Point,
    /// `speed u1 = dot(vel(P1), B.x)`
    Speed,
    /// `output height = dot(P - O, N.z)`
    Output,
    /// `kinetic T = m*x'^2/2`
    Kinetic,
    /// `potential V = k*x^2/2`
    Potential,
    /// `dissipation D = c*x'^2/2`: Rayleigh's function
    Dissipation,
}

impl Defined {
    /// As written.
    pub fn text(self) -> &'static str {
        match self {
            Defined::Let => "let",
            Defined::Frame => "frame",
            Defined::Point => "point",
            Defined::Speed => "speed",
            Defined::Output => "output",
            Defined::Kinetic => "kinetic",
            Defined::Potential => "potential",
            Defined::Dissipation => "dissipation",
        }
    }
}

/// A name and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// What it defines.
    pub what: Defined,
    /// The name.
    pub name: Name,
    /// The value.
    pub value: Expr,
}

/// `force on P, opposite on Q: v` and similar.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// What acts.
    pub kind: LoadKind,
    /// Whether it prescribes the vector C of the constraint force's virtual work.
    pub nonideal: bool,
    /// On what it acts.
    pub on: Side,
    /// On what the opposite acts.
    pub opposite: Option<Side>,
    /// Its value.
    pub value: Expr,
}

/// `spring s: from P to Q, stiffness k, length l, damping c`; `damper d: on theta, damping c`
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// Whether it is a damper.
    pub damper: bool,
    /// Its name.
    pub name: Name,
    /// Where it acts.
    pub ends: SpringEnds,
    /// What is stated of it.
    pub clauses: Vec<SpringClause>,
}

impl Spring {
    /// What it states by this word.
    pub fn clause(&self, word: SpringWord) -> Option<&SpringClause> {
        self.clauses.iter().find(|clause| clause.word == word)
    }
}

/// `constraint blade: lhs = rhs` / `... in B`
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// Its name.
    pub name: Name,
    /// The left side.
    pub lhs: Expr,
    /// The right side.
    pub rhs: Expr,
    /// The frame of the components.
    pub frame: Option<Ref>,
    /// Whether it may follow from the places of things, and is none then. Nothing that is written is.
    pub implied: bool,
}

/// `reaction T at P: B.x`
#[derive(Clone, Debug, PartialEq)]
pub struct Reaction {
    /// Its name.
    pub name: Name,
    /// What it holds.
    pub at: Ref,
    /// Its direction.
    pub direction: Expr,
}

/// `reaction p: force on P along B.x, opposite on Q`, `reaction r: torque on B along N.z`
#[derive(Clone, Debug, PartialEq)]
pub struct ReactionPair {
    /// What acts.
    pub kind: LoadKind,
    /// Its name.
    pub name: Name,
    /// On what it acts.
    pub on: Side,
    /// Its direction.
    pub along: Expr,
    /// On what the opposite acts.
    pub opposite: Option<Side>,
}

/// `P`, or `W at P`: on what a force or torque acts.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// A point, body or frame.
    pub on: Ref,
    /// Where it acts on the body.
    pub at: Option<Ref>,
}

/// Where a spring or damper acts.
#[derive(Clone, Debug, PartialEq)]
pub enum SpringEnds {
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

/// `roll W on plane, radius r` or `roll W on V at P`
#[derive(Clone, Debug, PartialEq)]
pub struct Roll {
    /// What rolls.
    pub body: Ref,
    /// On what: a body or a frame; the plane of the ground without it.
    pub ground: Option<Ref>,
    /// A given point of contact.
    pub at: Option<Ref>,
    /// What is stated of its shape and of the plane.
    pub clauses: Vec<RollClause>,
    /// Whether something is wrong with it, which has been said.
    pub broken: bool,
}

/// One clause of a `roll`: `radius r`.
#[derive(Clone, Debug, PartialEq)]
pub struct RollClause {
    /// What it states.
    pub word: RollWord,
    /// Its value.
    pub value: Expr,
    /// The clause with its word.
    pub span: Span,
}

/// What a clause of a `roll` states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RollWord {
    /// The radius of a ball, of a disc, or of the circle in a ring's tube.
    Radius,
    /// The axis of a disc or ring.
    Axis,
    /// The radius of a ring's tube.
    Tube,
    /// The normal of the plane, on the side of the body.
    Normal,
    /// A point of the plane.
    Through,
}

impl RollWord {
    /// All of them.
    pub const ALL: [RollWord; 5] = [
        RollWord::Radius,
        RollWord::Axis,
        RollWord::Tube,
        RollWord::Normal,
        RollWord::Through,
    ];

    /// As written.
    pub fn text(self) -> &'static str {
        match self {
            RollWord::Radius => "radius",
            RollWord::Axis => "axis",
            RollWord::Tube => "tube",
            RollWord::Normal => "normal",
            RollWord::Through => "through",
        }
    }
}

/// The declarations.
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
    Needs {
        kind: NeedKind,
        names: Vec<Declared>,
    },
    /// `param`, `coord` and `input`
    Quantities(Quantities),
    /// `function Fx(x, y, z), g(t) : N/kg`
    Function {
        signatures: Vec<Signature>,
        unit: Option<UnitExpr>,
    },
    /// `let`, `frame`, `point`, `speed`, `output`, and energies
    Define(Definition),
    /// `speed u1, u2, u3 = angvel(L) in L`: the components of a vector
    Speeds {
        names: Vec<Name>,
        value: Expr,
        frame: Ref,
    },
    /// `motion q = f(t)`: a coordinate that follows a formula
    Motion { coord: Ref, value: Expr },
    /// `roll W on plane, radius r`: a body that rolls without slipping
    Roll(Roll),
    /// `rate i = (v - R*i)/L`: the rate of a `state`
    Rate { state: Ref, value: Expr },
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
    /// `force`, `torque`, `generalized`, `nonideal`
    Load(Load),
    /// `spring` and `damper`
    Spring(Spring),
    /// `constraint`
    Constraint(Constraint),
    /// `privileged psi1', phi'`
    Privileged(Vec<Expr>),
    /// `assume x' != 0`
    Assume {
        lhs: Expr,
        relation: Relation,
        rhs: Expr,
    },
    /// `initial q = 0.3, q' = 2 [rad/s]`
    Initial(Vec<InitialValue>),
    /// `reaction` of a definition
    Reaction(Reaction),
    /// `reaction` between two sides
    ReactionPair(ReactionPair),
    /// `event`
    Event(Event),
    /// `drawing`
    Drawing(Drawing),
}

/// One entry of `initial`.
#[derive(Clone, Debug, PartialEq)]
pub struct InitialValue {
    /// A coordinate, its rate or a speed.
    pub of: Expr,
    /// Its value at the start.
    pub value: Expr,
}

/// `event NAME: expr rising`
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its name.
    pub name: Name,
    /// What passes through 0.
    pub value: Expr,
    /// Which way; either if nothing is said.
    pub direction: Option<EventDirection>,
}

/// Which way an event passes through 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventDirection {
    /// From below.
    Rising,
    /// From above.
    Falling,
}

/// `drawing NAME: SHAPE, color COLOR`
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Its name.
    pub name: Name,
    /// What is drawn.
    pub shape: DrawnShape,
    /// In which colour.
    pub color: Option<Ident>,
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum DrawnShape {
    /// `box [a, b, c] at P in B`: lengths along the frame's axes
    Box {
        sizes: Vec<Expr>,
        at: Ref,
        frame: Ref,
    },
    /// `cylinder [r, h] at P along B.x`: radius and height
    Cylinder {
        sizes: Vec<Expr>,
        at: Ref,
        along: Expr,
    },
    /// `sphere [r] at P`: its radius
    Sphere { sizes: Vec<Expr>, at: Ref },
    /// `line through O, P, Q`
    Line(Vec<Ref>),
}

/// One clause of a `body`.
#[derive(Clone, Debug, PartialEq)]
pub enum BodyClause {
    /// `frame B`
    Frame(Ref),
    /// `mass m`
    Mass(Expr),
    /// `center C`
    Center(Ref),
    /// `inertia [...] about P in F`; three entries (principal) or six, or three rows
    Inertia {
        /// Whether a single moment is stated, about the only axis of rotation: `inertia I`.
        planar: bool,
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
    /// `rate Om(t)`, the angle of a `rotate` by its rate
    Rate(Box<Expr>),
    /// `dot(a, b)`
    Call(Ref, Vec<Expr>),
    /// `sum(i in 1..n, m[i])`
    Sum(Box<Sum>),
    /// `[a, b, c]`
    List(Vec<Expr>),
    /// `[a, b, c] in B`: the vector with these components
    Components(Vec<Expr>, Ref),
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
