//! Expressions: names, fields, primes, numbers; the operators are in `operators`.

use super::call::Call;
use super::{Resolver, Typed, Value, content_of};
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::model::content::Content;
use crate::model::names::Thing;
use crate::model::number::decimal;
use crate::model::system::{
    Axis, FrameId, FunctionId, LetId, PointId, Quantity, Rational, Scalar, Vector,
};
use crate::model::units::{Dim, DimExpr, Unit};
use crate::span::Span;
use crate::syntax::ast::{Expr, ExprKind, Ident, UnitExpr};
use crate::syntax::print;
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// Parentheses, calls and the like inside each other; a stack of 2 MiB, as threads have, holds
/// this in an unoptimised build. Sums and products do not count by their length.
const DEEPEST: u32 = 100;
/// Terms of one sum or factors of one product.
const LONGEST: usize = 1000;

impl Resolver {
    /// Any expression. `None`: could not be resolved, and that is reported.
    pub fn expr(&mut self, expr: &Expr) -> Option<Typed> {
        if self.depth >= DEEPEST {
            self.too_deep(expr.span);
            return None;
        }
        self.depth += 1;
        let result = self.expr_inside(expr);
        self.depth -= 1;
        result
    }

    fn list(&mut self, span: Span) -> Option<Typed> {
        self.refuse(Diagnostic::error_with_help(
            codes::WRONG_KIND,
            "a list has no value",
            span,
            "lists are allowed only in `inertia` and `matrix`",
            "write a vector as `[x, y, z] in N`, or as `x*N.x + y*N.y + z*N.z`",
        ))
    }

    fn no_family(&mut self, base: &Expr, span: Span) -> Option<Typed> {
        self.refuse(Diagnostic::error(
            codes::WRONG_KIND,
            format!("`{}` has no elements", print::expression(base)),
            span,
            "has no index",
        ))
    }

    fn too_deep(&mut self, span: Span) {
        self.report(Diagnostic::error_with_help(
            crate::diag::codes::syntax::E0008,
            "this expression is too long or too deep",
            span,
            "the limit is reached here",
            "give parts of it names with `let`",
        ));
    }

    fn expr_inside(&mut self, expr: &Expr) -> Option<Typed> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Number { text, unit } => self.number(text, unit.as_ref(), span),
            ExprKind::Name(name) => self.name(name, span),
            ExprKind::Field(base, field) => self.field(base, field, span),
            ExprKind::Prime(inner) => self.prime(inner, span),
            ExprKind::Call(function, args) => self.call(Call {
                function,
                args,
                span,
            }),
            ExprKind::List(_) | ExprKind::Components(..) => self.list(span),
            ExprKind::Neg(inner) => {
                let inner = self.expr(inner)?;
                self.negative(inner, span)
            }
            ExprKind::Binary(..) => self.spine(expr),
            ExprKind::Paren(inner) => {
                let inner = self.expr(inner)?;
                Some(Typed { span, ..inner })
            }
            ExprKind::If {
                condition,
                then,
                other,
            } => self.choice(condition, then, other, span),
            ExprKind::Compare(..) | ExprKind::Logic(..) | ExprKind::Not(_) => {
                self.no_condition_here(span);
                None
            }
            ExprKind::Index(base, _) => {
                // Of a finished model the names are plain: `theta[1]`.
                let name = print::expression(expr);
                match self.names.get(&name) {
                    Some(_) => self.name(&name, span),
                    None => self.no_family(base, span),
                }
            }
            ExprKind::Rate(_) => self.refuse(Diagnostic::error_with_help(
                codes::FRAME,
                "a rate stands only in the `rotate` of a frame",
                span,
                "not allowed here",
                "declare the frame: `frame T = rotate(N, rate w, N.z)`",
            )),
            ExprKind::Sum(_) => self.no_family(expr, span),
            ExprKind::Error => None,
        }
    }

    /// `a + b - c + ...` from the left without a level for each term.
    fn spine(&mut self, expr: &Expr) -> Option<Typed> {
        let mut rest = Vec::new();
        let mut first = expr;
        while let ExprKind::Binary(op, left, right) = &first.kind {
            rest.push((*op, right, first.span));
            first = left;
        }
        if rest.len() > LONGEST {
            self.too_deep(expr.span);
            return None;
        }
        let mut value = self.expr(first);
        for (op, right, span) in rest.into_iter().rev() {
            let right = self.expr(right);
            // Both sides are read even if one is wrong, so that all messages come at once.
            value = match (value, right) {
                (Some(left), Some(right)) => self.binary(op, left, right, span),
                _ => None,
            };
        }
        value
    }

    fn number(&mut self, text: &str, unit: Option<&UnitExpr>, span: Span) -> Option<Typed> {
        let Some(value) = decimal(text) else {
            return self.refuse(Diagnostic::error(
                codes::NUMBER,
                format!("`{text}` cannot be read as a number"),
                span,
                "expected a decimal with an exponent of at most four digits",
            ));
        };
        let (value, dim) = match unit {
            Some(unit) => {
                let unit = self.unit(unit)?;
                let dim = DimExpr::from(unit.dim.clone());
                (in_unit(value, &unit), dim)
            }
            None if value.is_zero() => (Scalar::Number(value), self.unknown_dim()),
            None => (Scalar::Number(value), DimExpr::none()),
        };
        Some(Typed::new(
            Value::Scalar(value),
            dim,
            Content::CONSTANT,
            span,
        ))
    }

    /// A name that stands for a value.
    pub fn name(&mut self, name: &str, span: Span) -> Option<Typed> {
        let Some(symbol) = self.names.get(name) else {
            return self.misnamed(name, span, ["a value", "name"], Thing::is_value);
        };
        let thing = symbol.thing;
        let scalar = |value, dim: &DimExpr, content| {
            Some(Typed::new(Value::Scalar(value), dim.clone(), content, span))
        };
        match thing {
            Thing::Param(id) => {
                let dim = self.params.get(id.index())?;
                scalar(Scalar::Param(id), dim, Content::CONSTANT)
            }
            Thing::Coord(id) => {
                *self.used.get_mut(id.index())? = true;
                let dim = self.coords.get(id.index())?;
                scalar(Scalar::Coord(id), dim, Content::COORD)
            }
            Thing::State(id) => {
                let dim = self.states.get(id.index())?;
                scalar(Scalar::State(id), dim, Content::STATE)
            }
            Thing::Input(id) => {
                let dim = self.inputs.get(id.index())?;
                scalar(Scalar::Input(id), dim, Content::INPUT)
            }
            Thing::Time => scalar(Scalar::Time, &Dim::time().into(), Content::TIME),
            Thing::Pi => scalar(Scalar::Pi, &DimExpr::none(), Content::CONSTANT),
            Thing::Speed(id) => {
                let speed = self.speeds.get(id.index())?.as_ref()?;
                scalar(Scalar::Speed(id), &speed.dim, Content::SPEED)
            }
            Thing::Joint(id) => {
                let dim = self.joints.get(id.index())?;
                scalar(Scalar::Joint(id), dim, Content::JOINT)
            }
            Thing::Let(id) => self.named_value(id, span),
            Thing::Function(id) => self.bare_function(id, span),
            Thing::Frame(i) => {
                let frame = (*self.frames.get(i)?)?;
                Some(self.frame_typed(frame, span))
            }
            Thing::Point(i) => {
                let point = (*self.points.get(i)?)?;
                Some(self.point_typed(point, span))
            }
            // Where a point is wanted they stand for their mass centre.
            Thing::Body(i, _) => {
                let center = self.bodies.get(i)?.center?;
                Some(self.point_typed(center, span))
            }
            Thing::Group(i) => {
                let bodies = self.groups.get(i)?.clone()?;
                self.mass_center(&bodies, span)
            }
            Thing::Constraint(_)
            | Thing::Output
            | Thing::Event
            | Thing::Drawing
            | Thing::Spring(_) => {
                self.no_value(name, thing, span);
                None
            }
        }
    }

    /// A `let` by its name.
    fn named_value(&self, id: LetId, span: Span) -> Option<Typed> {
        let known = self.lets.get(id.index())?.as_ref()?;
        let value = match known.value {
            Quantity::Scalar(_) => Value::Scalar(Scalar::Let(id)),
            Quantity::Vector(_) => Value::Vector(Vector::Let(id)),
        };
        Some(Typed {
            span,
            ..known.with(value)
        })
    }

    /// A function of the user without arguments behind it: of those that are declared.
    fn bare_function(&self, id: FunctionId, span: Span) -> Option<Typed> {
        let facts = self.function_args.get(id.index())?.as_ref()?;
        let args = facts.args.iter().map(|a| a.value.clone()).collect();
        let content = content_of(&facts.args).opaque();
        let value = Value::Scalar(Scalar::Function { function: id, args });
        let dim = self.functions.get(id.index())?.clone();
        Some(Typed::new(value, dim, content, span))
    }

    fn no_value(&mut self, name: &str, thing: Thing, span: Span) {
        let wrong = Diagnostic::error(
            codes::WRONG_KIND,
            format!("`{name}` is {} and has no value", thing.text()),
            span,
            "this must be a scalar, vector or point",
        );
        self.report(match thing {
            Thing::Constraint(_) => {
                wrong.help(format!("the force that it exerts is `reaction({name})`"))
            }
            Thing::Spring(_) => wrong.help("its length is `distance(P, Q)`"),
            _ => wrong.help("give the expression a name with `let` and use that"),
        });
    }

    fn frame_typed(&self, frame: FrameId, span: Span) -> Typed {
        Typed::new(
            Value::Frame,
            DimExpr::none(),
            self.frame_content(frame),
            span,
        )
    }

    fn point_typed(&self, point: PointId, span: Span) -> Typed {
        Typed::new(
            Value::Point(point, None),
            Dim::length(),
            self.point_content(point),
            span,
        )
    }

    /// `B.x`
    fn field(&mut self, base: &Expr, field: &Ident, span: Span) -> Option<Typed> {
        if let ExprKind::Name(name) = &strip(base).kind
            && let Some(symbol) = self.names.get(name)
            && !matches!(symbol.thing, Thing::Frame(_) | Thing::Body(..))
        {
            let thing = symbol.thing.text();
            return self.refuse(Diagnostic::error_with_help(
                codes::WRONG_KIND,
                format!("`{name}` is {thing} and has no `.{}`", field.text),
                span,
                "only frames have basis vectors `.x`, `.y`, `.z`",
                match field.text.as_str() {
                    axis @ ("x" | "y" | "z") => {
                        format!("a component of a vector `v` in a frame is `dot(v, N.{axis})`")
                    }
                    "dt" | "dot" | "diff" | "der" | "d" => {
                        format!("the rate of `{name}` is written `{name}'`")
                    }
                    _ => "write a vector as `x*N.x + y*N.y + z*N.z`".to_string(),
                },
            ));
        }
        let whole = format!("{}.{}", print::expression(base), field.text);
        if self.names.get(&whole).is_some() {
            return self.name(&whole, span);
        }
        let ExprKind::Name(_) = &strip(base).kind else {
            return self.no_component(base, field);
        };
        let frame = self.frame_ref(base)?;
        let axis = self.basis_vector(field)?;
        let value = Value::Vector(Vector::Basis(frame, axis));
        let content = self.frame_content(frame);
        Some(Typed::new(value, DimExpr::none(), content, span))
    }

    /// Of something that is no name `.x` is asked for.
    fn no_component(&mut self, base: &Expr, field: &Ident) -> Option<Typed> {
        let found = self.expr(base)?;
        let component = print::expression(base);
        let wrong = Diagnostic::error(
            codes::WRONG_KIND,
            format!("{} has no `.{}`", found.value.text(), field.text),
            found.span,
            format!("this is {}", found.value.text()),
        );
        self.refuse(match found.value {
            Value::Vector(_) => wrong.help(format!(
                "components belong to a frame: `dot({component}, N.x)`"
            )),
            _ => wrong.help("only frames have basis vectors `.x`, `.y`, `.z`"),
        })
    }

    /// `x`, `y` or `z` behind the name of a frame.
    fn basis_vector(&mut self, field: &Ident) -> Option<Axis> {
        let axis = Axis::named(&field.text);
        if axis.is_none() {
            let other = field.text.as_str();
            let title = format!("a frame has no `.{other}`");
            let error =
                Diagnostic::error(codes::WRONG_KIND, title, field.span, "no such basis vector");
            let small = other.to_lowercase();
            self.report(match other {
                "X" | "Y" | "Z" => error.help(format!("did you mean `.{small}`?")).write(small),
                _ => error.help("the basis vectors are `.x`, `.y` and `.z`"),
            });
        }
        axis
    }

    /// `x'`, `x''`, `u1'`, and of scalar `let`s.
    fn prime(&mut self, inner: &Expr, span: Span) -> Option<Typed> {
        let inner_value = self.expr(inner)?;
        if let Value::Scalar(_) = inner_value.value
            && inner_value.content.has_reaction()
            && !may_have_rate(&inner_value)
        {
            self.no_rate_of_reaction(inner_value.span);
            return None;
        }
        if let Some((title, label, help)) = rateless(&inner_value) {
            let wrong = Diagnostic::error(codes::PRIME, title, span, label);
            return self.refuse(match help {
                "" => wrong,
                help => wrong.help(help),
            });
        }
        let Value::Scalar(scalar) = inner_value.value else {
            return None;
        };
        let content = match scalar {
            Scalar::State(_) => Content::STATE_RATE,
            _ => inner_value.content.rate(),
        };
        Some(Typed::new(
            Value::Scalar(Scalar::Rate(Box::new(scalar))),
            inner_value.dim.rate(),
            content,
            span,
        ))
    }

    /// An expression that has to be a scalar.
    pub fn scalar(&mut self, expr: &Expr, what: &str) -> Option<Typed<Scalar>> {
        let typed = self.expr(expr)?;
        match &typed.value {
            Value::Scalar(s) => Some(typed.with(s.clone())),
            other => {
                let wrong = self.wrong(what, "a scalar", other.text(), typed.span);
                self.refuse(match other {
                    Value::Vector(_) => wrong.help("take a component with `dot(v, N.x)`"),
                    _ => wrong,
                })
            }
        }
    }

    /// An expression that has to be a vector; the literal 0 is the zero vector.
    pub fn vector(&mut self, expr: &Expr, what: &str) -> Option<Typed<Vector>> {
        let typed = self.expr(expr)?;
        match &typed.value {
            Value::Vector(v) => Some(typed.with(v.clone())),
            value if value.is_zero() => Some(typed.with(Vector::Zero)),
            other => {
                let wrong = self.wrong(what, "a vector", other.text(), typed.span);
                self.refuse(match other {
                    Value::Scalar(_) => wrong.help("give it a direction, such as `*N.x`"),
                    Value::Point(..) => wrong.help("the vector from `O` to a point `P` is `P - O`"),
                    Value::Frame => {
                        wrong.help("the basis vectors of a frame `B` are `B.x`, `B.y` and `B.z`")
                    }
                    _ => wrong,
                })
            }
        }
    }

    fn wrong(&self, what: &str, wanted: &str, found: &str, span: Span) -> Diagnostic {
        Diagnostic::error(
            codes::WRONG_KIND,
            format!("{what} has to be {wanted}, not {found}"),
            span,
            format!("this is {found}"),
        )
    }
}

/// Whether a value is one on which a prime stands, or whose rate is missing for another reason than a reaction in it.
fn may_have_rate(inner: &Typed) -> bool {
    match &inner.value {
        Value::Scalar(Scalar::Coord(_) | Scalar::Speed(_) | Scalar::State(_) | Scalar::Rate(_)) => {
            true
        }
        Value::Scalar(Scalar::Norm(v)) => matches!(**v, Vector::Between { .. }),
        Value::Scalar(Scalar::Let(_)) => inner.content.input,
        _ => false,
    }
}

/// Why a value has no rate by a prime, if it has none: the title, the label, and what to write (empty: nothing).
fn rateless(inner: &Typed) -> Option<(&'static str, &'static str, &'static str)> {
    let by_time = "declare a `function` of time instead: its rate is available";
    let by_name = "name it with `let` and put the prime on the name";
    let where_it_stands = "primes apply to coordinates, speeds and `let`s";
    let input = "the rate of an input is unknown";
    let by_rule = "the rate of a state `i` is `i'`: write out what follows from it, as `L*i*i'`";
    Some(match &inner.value {
        Value::Scalar(scalar) => match scalar {
            Scalar::Rate(of) if matches!(**of, Scalar::State(_)) => (
                "a state has one rate",
                "this is the rate of a state already",
                by_rule,
            ),
            Scalar::Coord(_) | Scalar::Speed(_) | Scalar::State(_) | Scalar::Rate(_) => {
                return None;
            }
            Scalar::Norm(v) if matches!(**v, Vector::Between { .. }) => return None,
            Scalar::Let(_) if inner.content.state => (
                "the rate of a state is not taken inside of a name",
                "this depends on a state",
                by_rule,
            ),
            Scalar::Let(_) if inner.content.input => (input, "this depends on an input", by_time),
            Scalar::Let(_) => return None,
            Scalar::Param(_) | Scalar::Number(_) | Scalar::Pi => {
                ("a constant has no rate", "this is always 0", "")
            }
            Scalar::Time => ("the rate of time is 1", "write 1 instead", ""),
            Scalar::Input(_) => (input, "only the value of an input is given", by_time),
            Scalar::Function { .. } => {
                ("a prime cannot follow a function", where_it_stands, by_name)
            }
            _ => (
                "a prime cannot follow an expression",
                where_it_stands,
                by_name,
            ),
        },
        Value::Vector(_) => (
            "a vector can be differentiated only in a frame",
            "a vector",
            "write `dt(v, N)` for the derivative of `v` in `N`",
        ),
        Value::Point(..) => (
            "a point has no rate",
            "a point",
            "write `vel(P)` for the velocity of `P`",
        ),
        Value::Frame => (
            "a frame has no rate",
            "a frame",
            "write `angvel(B)` for the angular velocity of `B`",
        ),
    })
}

/// Without parentheses around it.
pub fn strip(mut expr: &Expr) -> &Expr {
    while let ExprKind::Paren(inner) = &expr.kind {
        expr = inner;
    }
    expr
}

/// A number in SI: exact, with pi left standing where the unit is an angle in degrees or rotations.
fn in_unit(value: Rational, unit: &Unit) -> Scalar {
    if unit.pi == 0 || value.is_zero() {
        return Scalar::Number(value * &unit.scale);
    }
    let whole = |n: &BigInt| Scalar::Number(Rational::from_integer(n.clone()));
    let pi = match unit.pi.unsigned_abs() {
        1 => Scalar::Pi,
        n => Scalar::Pow(
            Box::new(Scalar::Pi),
            Box::new(Scalar::Number(Rational::from_integer(BigInt::from(n)))),
        ),
    };
    let join = |pi: Scalar, factor: &BigInt| {
        if factor.is_one() {
            pi
        } else {
            whole(factor) * pi
        }
    };
    let (above, below) = (unit.scale.numer(), unit.scale.denom());
    let factor = if unit.pi > 0 {
        let above = join(pi, above);
        if below.is_one() {
            above
        } else {
            above / whole(below)
        }
    } else {
        whole(above) / join(pi, below)
    };
    Scalar::Number(value) * factor
}
