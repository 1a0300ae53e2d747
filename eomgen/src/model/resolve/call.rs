//! Calls: built-in functions of scalars, of vectors and of points, and those of the user.

use super::{Resolver, Typed, Value, builtin, content_of};
use crate::diag::{Diagnostic, suggest};
use crate::function::{Elementary, Units};
use crate::model::codes;
use crate::model::content::Content;
use crate::model::domain::{self, Constant};
use crate::model::names::Thing;
use crate::model::system::{FrameId, FunctionId, PointId, Rational, Scalar, Vector};
use crate::model::units::{Dim, DimExpr};
use crate::span::Span;
use crate::syntax::ast::{Expr, Ident};
use crate::syntax::print;

/// A call as written.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    pub function: &'a Ident,
    pub args: &'a [Expr],
    pub span: Span,
}

impl Resolver {
    /// `f(a, b)`
    pub fn call(&mut self, call: Call<'_>) -> Option<Typed> {
        let name = call.function.text.as_str();
        if let Some(Thing::Function(id)) = self.names.get(name).map(|s| s.thing) {
            return self.user_function(id, call);
        }
        if let Some(elementary) = Elementary::called(name) {
            return self.scalar_function(elementary, call);
        }
        match name {
            "dot" | "cross" => self.vector_product(name == "dot", call),
            "norm" | "mag" => self.length(call),
            "unit" => self.unit_vector(call),
            "distance" => self.distance(call),
            "hypot" | "clamp" | "step" => self.composed(call),
            "kinetic" | "momentum" | "angmom" => self.of_body(call),
            "vel" | "acc" => self.point_motion(name == "acc", call),
            "angvel" | "angacc" => self.frame_motion(name == "angacc", call),
            "dt" => self.derivative(call),
            "reaction" => self.reaction(call),
            "vel_at" | "acc_at" => self.material_motion(name == "acc_at", call),
            "com" => self.center_of(call),
            "mass" => self.mass_of(call),
            "contact_sphere" | "contact_disc" | "contact_torus" => self.contact(call),
            _ => self.not_a_function(call),
        }
    }

    fn vector_product(&mut self, dot: bool, call: Call<'_>) -> Option<Typed> {
        let Call { function, span, .. } = call;
        let [a, b] = self.exactly(call, "two vectors")?;
        let a = self.operand(a, &function.text);
        let b = self.operand(b, &function.text);
        let (a, b) = (a?, b?);
        let (x, y) = (Box::new(a.value), Box::new(b.value));
        Some(Typed::new(
            if dot {
                Value::Scalar(Scalar::Dot(x, y))
            } else {
                Value::Vector(Vector::Cross(x, y))
            },
            a.dim.times(&b.dim),
            a.content.times(b.content),
            span,
        ))
    }

    fn length(&mut self, call: Call<'_>) -> Option<Typed> {
        let Call { function, span, .. } = call;
        let [v] = self.exactly(call, "one vector")?;
        let v = self.operand(v, &function.text)?;
        Some(Typed::new(
            Value::Scalar(Scalar::Norm(Box::new(v.value))),
            v.dim,
            v.content.opaque(),
            span,
        ))
    }

    fn not_a_function(&mut self, call: Call<'_>) -> Option<Typed> {
        let Call { function, span, .. } = call;
        let name = function.text.as_str();
        if builtin::FRAMES.contains(&name) {
            return self.refuse(Diagnostic::error_with_help(
                codes::FRAME,
                format!("`{name}` defines a frame and cannot be used here"),
                span,
                "only allowed as the value of a frame declaration",
                format!("declare it: `frame B = {name}(...)`"),
            ));
        }
        if let Some(symbol) = self.names.get(name) {
            let wrong = Diagnostic::error(
                codes::WRONG_KIND,
                format!("`{name}` is {}, not a function", symbol.thing.text()),
                function.span,
                "called here",
            );
            return self.refuse(wrong.help(format!("a product is written `{name}*(...)`")));
        }
        let mut known: Vec<&str> = builtin::all().collect();
        let functions = self.names.symbols().iter();
        let own = functions.filter(|s| matches!(s.thing, Thing::Function(_)));
        known.extend(own.map(|s| s.name.as_str()));
        let near = suggest::closest(name, known);
        let unknown = Diagnostic::error(
            codes::UNKNOWN_NAME,
            format!("unknown function `{name}`"),
            function.span,
            "not declared",
        );
        let args = print::list(call.args, print::expression);
        let foreign = builtin::foreign(name, &args);
        self.refuse(match (foreign, near) {
            (Some(help), _) => {
                let meant = help.strip_prefix("did you mean `");
                let meant = meant.and_then(|rest| rest.strip_suffix("`?"));
                let word = meant.filter(|word| builtin::all().any(|known| known == *word));
                match word.map(str::to_owned) {
                    Some(word) => unknown.meant(&word),
                    None => unknown.help(help),
                }
            }
            (None, Some(near)) => unknown.meant(near),
            (None, None) => unknown.help(format!("declare it: `function {name}(...)`")),
        })
    }

    /// Reports a wrong number of arguments.
    pub(super) fn count<T>(&mut self, call: Call<'_>, wanted: &str) -> Option<T> {
        let given = match call.args.len() {
            0 => "there is no argument".to_string(),
            1 => "there is 1 argument".to_string(),
            n => format!("there are {n} arguments"),
        };
        self.refuse(Diagnostic::error(
            codes::ARGUMENTS,
            format!("`{}` takes {wanted}; {given}", call.function.text),
            call.span,
            "wrong number of arguments",
        ))
    }

    pub(super) fn exactly<'a, const K: usize>(
        &mut self,
        call: Call<'a>,
        wanted: &str,
    ) -> Option<&'a [Expr; K]> {
        match call.args.try_into() {
            Ok(found) => Some(found),
            Err(_) => self.count(call, wanted),
        }
    }

    pub(super) fn operand(&mut self, expr: &Expr, name: &str) -> Option<Typed<Vector>> {
        self.vector(expr, &format!("an operand of `{name}`"))
    }

    /// The second argument of `angvel(B, A)`; `N` without it.
    fn within(&mut self, args: &[Expr]) -> Option<FrameId> {
        match args {
            [_, frame] => self.frame_ref(frame),
            _ => Some(FrameId(0)),
        }
    }

    /// `vel(P)`, `vel(P, B)`, `vel(P, B, Q)`
    fn point_motion(&mut self, twice: bool, call: Call<'_>) -> Option<Typed> {
        let Call { args, span, .. } = call;
        if !matches!(args.len(), 1..=3) {
            let wanted = "a point, and optionally a frame and a point fixed in it";
            return self.count(call, wanted);
        }
        let point = self.point_ref(&args[0]);
        let fixed = match args {
            [_, frame, rest @ ..] => self.frame_and_fixed_point(frame, rest.first()),
            _ => Some((FrameId(0), PointId(0))),
        };
        let (point, (frame, origin)) = (point?, fixed?);
        let content = self
            .point_content(point)
            .plus(self.frame_content(frame))
            .plus(self.point_content(origin));
        let once = content.rate();
        let value = match (origin, twice) {
            (PointId(0), false) => Vector::Velocity { point, frame },
            (PointId(0), true) => Vector::Acceleration { point, frame },
            (_, false) => Self::seen_from(point, frame, origin),
            (_, true) => Vector::Derivative {
                vector: Box::new(Self::seen_from(point, frame, origin)),
                frame,
            },
        };
        let (dim, content) = if twice {
            (Dim::acceleration(), once.rate())
        } else {
            (Dim::velocity(), once)
        };
        Some(Typed::new(Value::Vector(value), dim, content, span))
    }

    fn frame_motion(&mut self, twice: bool, call: Call<'_>) -> Option<Typed> {
        let Call { args, span, .. } = call;
        if !matches!(args.len(), 1 | 2) {
            return self.count(call, "a frame, and optionally a second one");
        }
        let frame = self.frame_ref(&args[0]);
        let within = self.within(args);
        let (frame, within) = (frame?, within?);
        let content = self.frame_content(frame).plus(self.frame_content(within));
        let once = content.rate();
        let rate = DimExpr::none().rate();
        Some(Typed::new(
            Value::Vector(if twice {
                Vector::AngularAcceleration { frame, within }
            } else {
                Vector::AngularVelocity { frame, within }
            }),
            if twice { rate.rate() } else { rate },
            if twice { once.rate() } else { once },
            span,
        ))
    }

    fn derivative(&mut self, call: Call<'_>) -> Option<Typed> {
        let span = call.span;
        let [vector, frame] = self.exactly(call, "a vector and a frame")?;
        let vector = self.operand(vector, "dt");
        let frame = self.frame_ref(frame);
        let (vector, frame) = (vector?, frame?);
        if vector.content.has_reaction() {
            self.no_rate_of_reaction(vector.span);
            return None;
        }
        if vector.content.input {
            return self.refuse(Diagnostic::error_with_help(
                codes::PRIME,
                "the rate of an input is unknown",
                vector.span,
                "this depends on an input",
                "declare a `function` of time instead: its rate is available",
            ));
        }
        Some(Typed::new(
            Value::Vector(Vector::Derivative {
                vector: Box::new(vector.value),
                frame,
            }),
            vector.dim.rate(),
            vector.content.plus(self.frame_content(frame)).rate(),
            span,
        ))
    }

    /// All arguments, each of which is read even if another is wrong.
    pub(super) fn scalars(&mut self, exprs: &[Expr], what: &str) -> Option<Vec<Typed<Scalar>>> {
        let mut values = Vec::new();
        for expr in exprs {
            values.push(self.scalar(expr, what));
        }
        values.into_iter().collect()
    }

    fn scalar_function(&mut self, elementary: Elementary, call: Call<'_>) -> Option<Typed> {
        let Call {
            function,
            args,
            span,
        } = call;
        let row = elementary.row();
        let (arity, several) = (row.arguments, row.folds);
        if args.len() < arity || (args.len() > arity && !several) {
            let wanted = match (several, arity) {
                (true, _) => "two arguments or more",
                (_, 1) => "one argument",
                _ => "two arguments",
            };
            return self.count(call, wanted);
        }
        let what = format!("an argument of `{}`", function.text);
        let args = self.scalars(args, &what)?;
        let known = args.iter().map(|a| self.constant(&a.value));
        let known: Option<Vec<Constant>> = known.collect();
        if let Some(wrong) = known.and_then(|known| domain::undefined(elementary, &known)) {
            return self.refuse(wrong.at(args[0].span));
        }
        let content = content_of(&args).opaque();
        let dim = self.function_unit(row.units, function, &args);
        let values = args.into_iter().map(|a| a.value);
        let value = if several {
            let pair = |a, b| Scalar::Call(elementary, vec![a, b]);
            values.reduce(pair)?
        } else {
            Scalar::Call(elementary, values.collect())
        };
        Some(Typed::new(Value::Scalar(value), dim, content, span))
    }

    /// Checks the units of the arguments of an elementary function; returns the unit of its value.
    fn function_unit(&mut self, units: Units, function: &Ident, args: &[Typed<Scalar>]) -> DimExpr {
        let first = args.first().map(|a| a.dim.clone()).unwrap_or_default();
        match units {
            Units::Root => first.power(&Rational::new(1.into(), 2.into())),
            Units::Kept => first,
            Units::Dropped => DimExpr::none(),
            Units::Common => {
                self.same_units(function, args);
                first
            }
            Units::Ratio => {
                self.same_units(function, args);
                DimExpr::none()
            }
            Units::Pure => {
                for arg in args {
                    if !self.equate(&arg.dim, &DimExpr::none(), arg.span) {
                        let wrong = Diagnostic::error(
                            codes::UNIT_ARGUMENT,
                            format!(
                                "the argument of `{}` has to be dimensionless",
                                function.text
                            ),
                            arg.span,
                            format!("this is {}", self.unit_phrase(&arg.dim)),
                        );
                        let wrong = self.explain_units(wrong, &[&arg.dim]);
                        let time = self.solver.known(&arg.dim) == Some(Dim::time());
                        self.report(wrong.help(if time { "multiply a time by a rate, such as `2 [rad/s]*t`" } else { "angles and plain numbers are dimensionless; divide by a reference quantity" }));
                    }
                }
                DimExpr::none()
            }
        }
    }

    /// Checks that arguments have the same unit.
    pub(super) fn same_units(&mut self, function: &Ident, args: &[Typed<Scalar>]) {
        let Some((one, others)) = args.split_first() else {
            return;
        };
        let title = format!("the arguments of `{}` have different units", function.text);
        for other in others {
            self.same_unit(one, other, other.span, &title);
        }
    }

    fn user_function(&mut self, id: FunctionId, call: Call<'_>) -> Option<Typed> {
        let Call {
            function,
            args,
            span,
        } = call;
        let what = format!("an argument of `{}`", function.text);
        let given = self.scalars(args, &what);
        let facts = self.function_args.get(id.index())?.clone()?;
        if args.len() != facts.args.len() {
            let wanted = match facts.names.len() {
                0 => "no arguments".to_string(),
                1 => format!("one argument ({})", facts.names[0]),
                n => format!("{n} arguments ({})", facts.names.join(", ")),
            };
            return self.count(call, &wanted);
        }
        let given = given?;
        let mut content = Content::CONSTANT;
        for ((given, declared), name) in given.iter().zip(&facts.args).zip(&facts.names) {
            content = content.plus(given.content);
            if !self.equate(&given.dim, &declared.dim, given.span) {
                let clash = Diagnostic::error(
                    codes::UNIT_CLASH,
                    format!(
                        "`{}` takes `{name}`, which is {}",
                        function.text,
                        self.unit_phrase(&declared.dim)
                    ),
                    given.span,
                    format!("this is {}", self.unit_phrase(&given.dim)),
                );
                let clash = self.explain_units(clash, &[&given.dim, &declared.dim]);
                self.report(clash);
            }
        }
        Some(Typed::new(
            Value::Scalar(Scalar::Function {
                function: id,
                args: given.into_iter().map(|a| a.value).collect(),
            }),
            self.functions.get(id.index())?.clone(),
            content.opaque(),
            span,
        ))
    }
}
