//! Expressions resolved: names looked up, sorts and units checked, contents noted.
//!
//! [`Resolver`] is the scope: what every name stands for and what is known of it. It is filled by
//! `build` from a tree, or from a finished [`crate::model::System`] to read further expressions in its scope.

mod builtin;
mod call;
mod choice;
mod compose;
mod contact;
mod expr;
mod masses;
mod operators;
mod points;
mod reaction;
mod reference;
mod scope;

pub use builtin::{FRAMES, all as function_names, foreign_frame};
pub use compose::distance;
pub use expr::strip;
pub use points::position_only;
pub use reaction::ConstraintFacts;

use crate::diag::Diagnostic;
use crate::model::codes;
use crate::model::content::Content;
use crate::model::domain::{self, Constant};
use crate::model::names::Names;
use crate::model::number::number_text;
use crate::model::system::{FrameId, LetId, Point, PointId, Quantity, Rational, Scalar, Vector};
use crate::model::units::{Dim, DimExpr, Solver, UnitError, read_unit};
use crate::span::Span;
use crate::syntax::ast::UnitExpr;
use num_traits::{ToPrimitive, Zero};

/// What an expression rotated out to be.
#[derive(Clone, Debug)]
pub enum Value {
    /// A scalar.
    Scalar(Scalar),
    /// A vector.
    Vector(Vector),
    /// A point, or one displaced from it.
    Point(PointId, Option<Vector>),
    /// A frame.
    Frame,
}

impl Value {
    /// For messages: "a scalar".
    pub fn text(&self) -> &'static str {
        match self {
            Value::Scalar(_) => "a scalar",
            Value::Vector(_) => "a vector",
            Value::Point(..) => "a point",
            Value::Frame => "a frame",
        }
    }

    /// Whether it is the number 0 as written, which fits any unit and stands for the zero vector.
    pub fn is_zero(&self) -> bool {
        matches!(self, Value::Scalar(s) if is_zero(s))
    }
}

/// A resolved expression with what is known of it.
#[derive(Clone, Debug)]
pub struct Typed<V = Value> {
    /// What it is.
    pub value: V,
    /// Its unit.
    pub dim: DimExpr,
    /// What it depends on.
    pub content: Content,
    /// Where it stands.
    pub span: Span,
}

impl<V> Typed<V> {
    /// A value with what is known of it.
    pub fn new(value: V, dim: impl Into<DimExpr>, content: Content, span: Span) -> Self {
        let dim = dim.into();
        Typed {
            value,
            dim,
            content,
            span,
        }
    }

    /// The same with another value.
    pub fn with<W>(&self, value: W) -> Typed<W> {
        Typed::new(value, self.dim.clone(), self.content, self.span)
    }
}

/// A value that may be a number as written.
pub trait Written {
    /// The number.
    fn written(&self) -> Option<Rational>;
}

impl Written for Scalar {
    fn written(&self) -> Option<Rational> {
        exact(self)
    }
}

impl Written for Value {
    fn written(&self) -> Option<Rational> {
        match self {
            Value::Scalar(scalar) => exact(scalar),
            _ => None,
        }
    }
}

impl Written for Vector {
    fn written(&self) -> Option<Rational> {
        None
    }
}

/// What a sum of the values depends on.
pub fn content_of<V>(values: &[Typed<V>]) -> Content {
    let contents = values.iter().map(|v| v.content);
    contents.fold(Content::CONSTANT, Content::plus)
}

/// What is known of a function: its arguments as declared, its unit.
#[derive(Clone, Debug)]
pub struct FunctionFacts {
    /// The declared arguments.
    pub args: Vec<Typed<Scalar>>,
    /// Their names, for messages.
    pub names: Vec<String>,
}

/// The scope of expressions.
#[derive(Clone, Debug, Default)]
pub struct Resolver {
    /// All names.
    pub names: Names,
    /// What is known about units.
    pub solver: Solver,
    /// Messages so far.
    pub diagnostics: Vec<Diagnostic>,
    /// The model names no unit: clashes end the inference without a message.
    pub unit_free: bool,
    /// Units are no longer looked at.
    pub muted: bool,
    /// Units of parameters.
    pub params: Vec<DimExpr>,
    /// Units of coordinates.
    pub coords: Vec<DimExpr>,
    /// Which coordinates have been mentioned.
    pub used: Vec<bool>,
    /// Units of states.
    pub states: Vec<DimExpr>,
    /// Units of inputs.
    pub inputs: Vec<DimExpr>,
    /// Units of functions.
    pub functions: Vec<DimExpr>,
    /// Their arguments; `None` before they are resolved or if they could not be.
    pub function_args: Vec<Option<FunctionFacts>>,
    /// The `let`s; `None` before they are resolved or if they could not be.
    pub lets: Vec<Option<Typed<Quantity>>>,
    /// The speeds likewise.
    pub speeds: Vec<Option<Typed<Scalar>>>,
    /// What is known of the constraints; `None` before they are resolved or if they could not be.
    pub constraints: Vec<Option<ConstraintFacts>>,
    /// Units of the declared reactions.
    pub joints: Vec<DimExpr>,
    /// Ids of the frames by order of declaration.
    pub frames: Vec<Option<FrameId>>,
    /// Names and contents of the frames by id.
    pub frame_facts: Vec<(String, Content)>,
    /// Ids of the points by order of declaration.
    pub points: Vec<Option<PointId>>,
    /// Names and contents of the points by id.
    pub point_facts: Vec<(String, Content)>,
    /// Centres and frames of the bodies by order of declaration.
    pub bodies: Vec<BodyFacts>,
    /// Their masses; `None` before they are resolved or if they could not be.
    pub masses: Vec<Option<Scalar>>,
    /// The bodies of each group likewise.
    pub groups: Vec<Option<Vec<usize>>>,
    /// The points placed so far; `None` where none can be added.
    pub system_points: Option<Vec<Point>>,
    /// Words that may be declared by statements that could not be read.
    pub unread: Vec<String>,
    /// Frames whose origin was requested by their name alone.
    pub origins: Vec<(FrameId, Span)>,
    /// While the axis of a `rotate` is read: the name of the frame being declared, and its parent.
    pub own_frame: Option<(String, FrameId)>,
    depth: u32,
}

/// Where a body is.
#[derive(Clone, Copy, Debug, Default)]
pub struct BodyFacts {
    /// Its mass centre, unless that could not be resolved.
    pub center: Option<PointId>,
    /// Its frame, unless it has none or that could not be resolved.
    pub frame: Option<FrameId>,
}

/// The rational number that an expression of numbers alone stands for.
pub fn exact(scalar: &Scalar) -> Option<Rational> {
    rational(scalar, &|_| None)
}

/// Whether a scalar is the number 0 as written, or comes to it.
pub fn is_zero(scalar: &Scalar) -> bool {
    exact(scalar).is_some_and(|n| n.is_zero())
}

/// The rational number that an expression comes to; `leaf` gives the values of what is neither a number nor an operation.
pub fn rational(scalar: &Scalar, leaf: &dyn Fn(&Scalar) -> Option<Rational>) -> Option<Rational> {
    let both = |a, b| Some((rational(a, leaf)?, rational(b, leaf)?));
    match scalar {
        Scalar::Number(n) => Some(n.clone()),
        Scalar::Neg(a) => Some(-rational(a, leaf)?),
        Scalar::Add(a, b) => both(a, b).map(|(a, b)| a + b),
        Scalar::Sub(a, b) => both(a, b).map(|(a, b)| a - b),
        Scalar::Mul(a, b) => both(a, b).map(|(a, b)| a * b),
        Scalar::Div(a, b) => {
            let (a, b) = both(a, b)?;
            (!b.is_zero()).then(|| a / b)
        }
        Scalar::Pow(a, b) => {
            let (a, b) = both(a, b)?;
            let whole = b.is_integer().then(|| b.to_i32())??;
            power(&a, whole)
        }
        other => leaf(other),
    }
}

/// Whether the language has a function of this name.
pub fn is_function_name(name: &str) -> bool {
    builtin::all().any(|known| known == name)
}

/// A whole power, unless it is infinite or a number of thousands of digits.
pub fn power(base: &Rational, exponent: i32) -> Option<Rational> {
    let bits = base.numer().bits().max(base.denom().bits());
    let small = bits.saturating_mul(u64::from(exponent.unsigned_abs())) <= 20_000;
    (small && (exponent >= 0 || !base.is_zero())).then(|| base.pow(exponent))
}

impl Resolver {
    /// Adds a message.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Adds a message where there is nothing to go on with.
    pub fn refuse<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.report(diagnostic);
        None
    }

    /// States that two units are the same. `false` if they are not and that is to be reported.
    pub fn equate(&mut self, left: &DimExpr, right: &DimExpr, span: Span) -> bool {
        if self.muted || self.solver.equate(left, right, span) {
            return true;
        }
        self.muted = self.unit_free;
        self.muted
    }

    /// States that two values have the same unit, because of the text at `at`; reports it if they have not.
    pub fn same_unit<V: Written, W: Written>(
        &mut self,
        left: &Typed<V>,
        right: &Typed<W>,
        at: Span,
        title: &str,
    ) -> bool {
        if self.equate(&left.dim, &right.dim, at) {
            return true;
        }
        let this_is = |dim| format!("this is {}", self.unit_phrase(dim));
        let (one, other) = (this_is(&left.dim), this_is(&right.dim));
        let clash =
            Diagnostic::error(codes::UNIT_CLASH, title, right.span, other).label(left.span, one);
        let clash = self.explain_units(clash, &[&left.dim, &right.dim]);
        let unit = self
            .number_without_unit(&left.value, &left.dim, &right.dim)
            .or_else(|| self.number_without_unit(&right.value, &right.dim, &left.dim));
        self.report(match unit {
            Some(help) => clash.help(help),
            None => clash,
        });
        false
    }

    /// Says what to write if a plain number stands where a quantity with this unit is due.
    pub fn with_unit<V: Written>(
        &self,
        clash: Diagnostic,
        found: &Typed<V>,
        wanted: &DimExpr,
    ) -> Diagnostic {
        match self.number_without_unit(&found.value, &found.dim, wanted) {
            Some(help) => clash.help(help),
            None => clash,
        }
    }

    /// What to write for a plain number where a quantity with this unit is due.
    fn number_without_unit<V: Written>(
        &self,
        value: &V,
        dim: &DimExpr,
        wanted: &DimExpr,
    ) -> Option<String> {
        let number = value.written().filter(|_| self.is_plain(dim))?;
        let unit = self.solver.known(wanted).filter(|d| !d.is_none())?.text();
        let number = number_text(&number);
        Some(format!(
            "plain numbers are dimensionless: write `{number} [{unit}]`"
        ))
    }

    /// A unit about which nothing is known; what a clash leaves behind, so that it is told once.
    pub fn unknown_dim(&mut self) -> DimExpr {
        self.solver.unknown(None)
    }

    /// Says where units came from that the model does not state.
    pub fn explain_units(&self, mut diagnostic: Diagnostic, dims: &[&DimExpr]) -> Diagnostic {
        let mut told: Vec<String> = Vec::new();
        for dim in dims {
            for (name, unit, span) in self.solver.inferred(dim) {
                if !told.contains(&name) {
                    diagnostic = diagnostic.label(
                        span,
                        if unit == "1" {
                            format!("`{name}` is dimensionless according to this")
                        } else {
                            format!("`{name}` is in {unit} according to this")
                        },
                    );
                    told.push(name);
                }
            }
        }
        diagnostic
    }

    /// Checks a quantity whose unit follows from what it is: "a force" in N.
    pub fn require<V>(
        &mut self,
        value: &Typed<V>,
        dim: Dim,
        what: &str,
        number: Option<&Scalar>,
    ) -> bool {
        // `mass 1` in a model that names no units.
        let bare = number.and_then(exact);
        if self.unit_free && bare.is_some() {
            return true;
        }
        let wanted = DimExpr::from(dim.clone());
        if self.equate(&value.dim, &wanted, value.span) {
            return true;
        }
        let diagnostic = Diagnostic::error(
            codes::UNIT_EXPECTED,
            format!(
                "{what} is in {}, not {}",
                dim.text(),
                self.unit_phrase(&value.dim)
            ),
            value.span,
            format!("this is {}", self.unit_phrase(&value.dim)),
        );
        let diagnostic = self.explain_units(diagnostic, &[&value.dim]);
        let diagnostic = if self.is_plain(&value.dim) {
            let unit = dim.text();
            match bare {
                Some(number) => {
                    let written = format!("{} [{unit}]", number_text(&number));
                    diagnostic
                        .help(format!("write `{written}`"))
                        .write_at(value.span, written)
                }
                None => diagnostic.help(format!(
                    "plain numbers are dimensionless; units are written in brackets, as in `5 [{unit}]`"
                )),
            }
        } else {
            self.missing_factor(diagnostic, &dim, &value.dim)
        };
        self.report(diagnostic);
        false
    }

    /// Says by which unit what stands there differs from what is wanted.
    pub fn missing_factor(&self, d: Diagnostic, wanted: &Dim, found: &DimExpr) -> Diagnostic {
        let Some(found) = self.solver.known(found) else {
            return d;
        };
        let factor = wanted.times(&found.power(&Rational::from_integer((-1).into())));
        d.note(format!("a factor in {} is missing", factor.base_text()))
    }

    /// Whether a quantity is known to be dimensionless.
    pub fn is_plain(&self, dim: &DimExpr) -> bool {
        self.solver.known(dim).is_some_and(|d| d.is_none())
    }

    /// "in m/s", "dimensionless".
    pub fn unit_phrase(&self, dim: &DimExpr) -> String {
        match self.solver.text(dim).as_str() {
            "1" => "dimensionless".to_string(),
            "an unknown unit" => "in an unknown unit".to_string(),
            text => format!("in {text}"),
        }
    }

    /// Reads a unit; reports what is wrong with it.
    pub fn unit(&mut self, unit: &UnitExpr) -> Option<crate::model::units::Unit> {
        let errors = match read_unit(unit) {
            Ok(unit) => return Some(unit),
            Err(errors) => errors,
        };
        for error in errors {
            let diagnostic = match error {
                UnitError::Unknown {
                    name,
                    span,
                    suggestion,
                } => {
                    let title = format!("unknown unit `{name}`");
                    let plain = Diagnostic::error(codes::UNKNOWN_UNIT, title, span, "not a unit");
                    match suggestion {
                        Some(unit) => plain.meant(&unit),
                        None => plain.help("units are those of SI, with prefixes: `m`, `kg`, `kN`, `rad`, `N*m/rad`, `m/s^2`"),
                    }
                }
                UnitError::Irrational { span } => Diagnostic::error(
                    codes::UNKNOWN_UNIT,
                    "this power of a unit cannot be represented exactly",
                    span,
                    "its conversion factor to SI is irrational",
                )
                .help("write the number in SI units"),
                UnitError::TooLarge { span } => Diagnostic::error(
                    codes::UNKNOWN_UNIT,
                    "this power of a unit is too large",
                    span,
                    "exponents go up to 100",
                ),
            };
            self.report(diagnostic);
        }
        None
    }

    /// The number that an expression comes to, if it is constant.
    pub fn constant(&self, scalar: &Scalar) -> Option<Constant> {
        domain::constant(scalar, &|leaf| match leaf {
            Scalar::Let(id) => match self.let_value(*id)? {
                Quantity::Scalar(value) => self.constant(value),
                Quantity::Vector(_) => None,
            },
            _ => None,
        })
    }

    /// The value of a `let`, once resolved.
    pub fn let_value(&self, id: LetId) -> Option<&Quantity> {
        self.lets.get(id.index())?.as_ref().map(|l| &l.value)
    }

    /// Name of a frame.
    pub fn frame_name(&self, id: FrameId) -> &str {
        self.frame_facts.get(id.index()).map_or("", |f| &f.0)
    }

    /// What the orientation of a frame in `N` depends on.
    pub fn frame_content(&self, id: FrameId) -> Content {
        self.frame_facts
            .get(id.index())
            .map_or_else(Content::default, |f| f.1)
    }

    /// What the position of a point in `N` depends on.
    pub fn point_content(&self, id: PointId) -> Content {
        self.point_facts
            .get(id.index())
            .map_or_else(Content::default, |f| f.1)
    }
}
