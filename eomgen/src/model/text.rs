//! Expressions of a [`System`] in the model's own syntax, for listings and messages.

use crate::model::number::number_text;
use crate::model::system::{
    Axis, Condition, ConstraintId, FrameId, PointId, Rational, Scalar, Site, System, Vector,
};
use num_traits::Signed;

/// How tightly a piece of text binds; a piece where tighter binding is needed gets parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// `a + b`, `if`
    Sum,
    /// `a*b`
    Product,
    /// `-a`
    Sign,
    /// `a^b`
    Power,
    /// Names, calls, primes.
    Atom,
}

/// Text with its binding strength.
struct Piece(String, Level);

impl Piece {
    /// As part of something that binds as tightly as `level`.
    fn at(self, level: Level) -> String {
        if self.1 < level {
            format!("({})", self.0)
        } else {
            self.0
        }
    }
}

fn atom(text: impl Into<String>) -> Piece {
    Piece(text.into(), Level::Atom)
}

fn sum(a: Piece, sign: char, b: Piece) -> Piece {
    let text = format!("{} {sign} {}", a.at(Level::Sum), b.at(Level::Product));
    Piece(text, Level::Sum)
}

fn product(a: Piece, sign: char, b: Piece) -> Piece {
    let text = format!("{}{sign}{}", a.at(Level::Product), b.at(Level::Sign));
    Piece(text, Level::Product)
}

fn negative(a: Piece) -> Piece {
    Piece(format!("-{}", a.at(Level::Power)), Level::Sign)
}

impl System {
    /// A scalar in the syntax of models.
    pub fn scalar_text(&self, scalar: &Scalar) -> String {
        self.scalar_piece(scalar).0
    }

    /// A vector in the syntax of models.
    pub fn vector_text(&self, vector: &Vector) -> String {
        self.vector_piece(vector).0
    }

    fn frame_name(&self, frame: FrameId) -> &str {
        self.frames.get(frame.index()).map_or("?", |f| &f.meta.name)
    }

    fn point_name(&self, point: PointId) -> &str {
        self.points.get(point.index()).map_or("?", |p| &p.meta.name)
    }

    fn name<'s, T>(list: &'s [T], index: usize, name: fn(&'s T) -> &'s str) -> Piece {
        atom(list.get(index).map_or("?", name))
    }

    fn scalar_piece(&self, scalar: &Scalar) -> Piece {
        let piece = |s| self.scalar_piece(s);
        match scalar {
            Scalar::Number(n) => number(n),
            Scalar::Pi => atom("pi"),
            Scalar::Time => atom("t"),
            Scalar::Param(id) => Self::name(&self.params, id.index(), |p| &p.meta.name),
            Scalar::Coord(id) => Self::name(&self.coords, id.index(), |c| &c.meta.name),
            Scalar::Speed(id) => Self::name(&self.speeds, id.index(), |s| &s.meta.name),
            Scalar::State(id) => Self::name(&self.states, id.index(), |s| &s.meta.name),
            Scalar::Input(id) => Self::name(&self.inputs, id.index(), |i| &i.meta.name),
            Scalar::Let(id) => Self::name(&self.lets, id.index(), |l| &l.meta.name),
            Scalar::Function { function, args } => {
                let Some(function) = self.functions.get(function.index()) else {
                    return atom("?");
                };
                if *args == function.args {
                    atom(&function.meta.name)
                } else {
                    self.call(&function.meta.name, args)
                }
            }
            Scalar::Rate(inner) => atom(format!("{}'", piece(inner).at(Level::Atom))),
            Scalar::Neg(a) => negative(piece(a)),
            Scalar::Add(a, b) => sum(piece(a), '+', piece(b)),
            Scalar::Sub(a, b) => sum(piece(a), '-', piece(b)),
            Scalar::Mul(a, b) => product(piece(a), '*', piece(b)),
            Scalar::Div(a, b) => product(piece(a), '/', piece(b)),
            Scalar::Pow(a, b) => {
                let (a, b) = (piece(a).at(Level::Atom), piece(b).at(Level::Power));
                Piece(format!("{a}^{b}"), Level::Power)
            }
            Scalar::Call(builtin, args) => self.call(builtin.row().name, args),
            Scalar::Dot(a, b) => atom(format!(
                "dot({}, {})",
                self.vector_text(a),
                self.vector_text(b)
            )),
            Scalar::Norm(v) => atom(format!("norm({})", self.vector_text(v))),
            Scalar::Reaction { constraint, axis } => self.reaction_piece(*constraint, *axis),
            Scalar::Joint(id) => Self::name(&self.joints, id.index(), |j| &j.meta.name),
            // Loosest of all, so that it always stands in parentheses inside something else.
            Scalar::If {
                condition,
                then,
                other,
            } => atom(format!(
                "(if {} then {} else {})",
                self.condition_text(condition, 0),
                piece(then).0,
                piece(other).0
            )),
            Scalar::Kinetic(body) => atom(format!("kinetic({})", self.body_name(*body))),
        }
    }

    /// A condition where binding as tight as `or` (0), `and` (1) or `not` (2) is needed.
    fn condition_text(&self, condition: &Condition, outer: u8) -> String {
        let (text, level) = match condition {
            Condition::Compare(test, left, right) => {
                let (left, right) = (self.scalar_text(left), self.scalar_text(right));
                (format!("{left} {} {right}", test.symbol()), 2)
            }
            Condition::Or(a, b) => {
                let (a, b) = (self.condition_text(a, 0), self.condition_text(b, 1));
                (format!("{a} or {b}"), 0)
            }
            Condition::And(a, b) => {
                let (a, b) = (self.condition_text(a, 1), self.condition_text(b, 2));
                (format!("{a} and {b}"), 1)
            }
            Condition::Not(a) => (format!("not {}", self.condition_text(a, 2)), 2),
        };
        if level < outer {
            format!("({text})")
        } else {
            text
        }
    }

    /// `reaction(c)`, `reaction(c.x)`
    fn reaction_piece(&self, constraint: ConstraintId, axis: Option<Axis>) -> Piece {
        let name = Self::name(&self.constraints, constraint.index(), |c| &c.meta.name).0;
        atom(match axis {
            None => format!("reaction({name})"),
            Some(axis) => format!("reaction({name}.{})", axis.text()),
        })
    }

    fn body_name(&self, body: usize) -> &str {
        self.bodies.get(body).map_or("?", |b| &b.meta.name)
    }

    fn call(&self, name: &str, args: &[Scalar]) -> Piece {
        let args: Vec<_> = args.iter().map(|a| self.scalar_text(a)).collect();
        atom(format!("{name}({})", args.join(", ")))
    }

    /// `vel(P)`, and `vel(P, B)` if not in `N`.
    fn motion(&self, name: &str, of: &str, within: FrameId) -> Piece {
        if within == FrameId(0) {
            atom(format!("{name}({of})"))
        } else {
            atom(format!("{name}({of}, {})", self.frame_name(within)))
        }
    }

    fn vector_piece(&self, vector: &Vector) -> Piece {
        let piece = |v| self.vector_piece(v);
        match vector {
            Vector::Zero => atom("0"),
            Vector::Basis(frame, axis) => {
                let axis = axis.text();
                atom(format!("{}.{axis}", self.frame_name(*frame)))
            }
            Vector::Let(id) => Self::name(&self.lets, id.index(), |l| &l.meta.name),
            Vector::Reaction(constraint) => self.reaction_piece(*constraint, None),
            Vector::ReactionOn {
                constraint,
                axis,
                site,
            } => {
                let row = self.reaction_piece(*constraint, *axis).0;
                let site = match site {
                    Site::Point(p) => self.point_name(*p),
                    Site::Frame(f) => self.frame_name(*f),
                };
                atom(format!("{}, {site})", row.trim_end_matches(')')))
            }
            Vector::Neg(a) => negative(piece(a)),
            Vector::Add(a, b) => sum(piece(a), '+', piece(b)),
            Vector::Sub(a, b) => sum(piece(a), '-', piece(b)),
            Vector::Scale(s, v) => product(self.scalar_piece(s), '*', piece(v)),
            Vector::Cross(a, b) => atom(format!("cross({}, {})", piece(a).0, piece(b).0)),
            Vector::Between { from, to } => sum(
                atom(self.point_name(*to)),
                '-',
                atom(self.point_name(*from)),
            ),
            Vector::Velocity { point, frame } => {
                self.motion("vel", self.point_name(*point), *frame)
            }
            Vector::Acceleration { point, frame } => {
                self.motion("acc", self.point_name(*point), *frame)
            }
            Vector::AngularVelocity { frame, within } => {
                self.motion("angvel", self.frame_name(*frame), *within)
            }
            Vector::AngularAcceleration { frame, within } => {
                self.motion("angacc", self.frame_name(*frame), *within)
            }
            Vector::Momentum(body) => atom(format!("momentum({})", self.body_name(*body))),
            Vector::AngularMomentum { body, about } => atom(format!(
                "angmom({}, {})",
                self.body_name(*body),
                self.point_name(*about)
            )),
            Vector::Derivative { vector, frame } => atom(format!(
                "dt({}, {})",
                self.vector_text(vector),
                self.frame_name(*frame)
            )),
        }
    }
}

/// A number; quotients and negative ones bind less tightly than they look.
fn number(value: &Rational) -> Piece {
    let text = number_text(value);
    let level = if text.contains('/') {
        Level::Product
    } else if value.is_negative() {
        Level::Sign
    } else {
        Level::Atom
    };
    Piece(text, level)
}
