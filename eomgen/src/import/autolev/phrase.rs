//! Expressions of Autolev as expressions of the language. Knows names, classes and velocities; what an expression needs is noted for whoever
//! writes the statements.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::classes::Class;
use super::facts::{Facts, Turn, element};
use super::placing::{Placing, Where};
use super::tree::{Expr, Kind, Sign};
use super::velocities::{Velocities, Velocity};
use crate::diag::Diagnostic;
use crate::diag::codes::import::{E0603, E0607};
use crate::span::Span;

/// How tightly a text binds.
const DIFFERENCE: u8 = 0;
const SUM: u8 = 1;
const PRODUCT: u8 = 2;
const NEGATIVE: u8 = 3;
const POWER: u8 = 4;
const ATOM: u8 = 5;

const AXES: [&str; 3] = ["x", "y", "z"];

/// A text and how tightly it binds.
#[derive(Clone, Debug)]
pub struct Text(pub String, u8);

impl Text {
    fn atom(text: impl Into<String>) -> Self {
        Self(text.into(), ATOM)
    }

    fn zero() -> Self {
        Self::atom("0")
    }

    pub fn is_zero(&self) -> bool {
        self.0 == "0"
    }

    /// In parentheses if it binds less.
    fn at_least(&self, level: u8) -> String {
        if self.1 < level {
            format!("({})", self.0)
        } else {
            self.0.clone()
        }
    }

    /// A point plus this, or minus it.
    pub fn added_to(&self, point: &str, minus: bool) -> String {
        match (minus, self.0.strip_prefix('-')) {
            _ if self.is_zero() => point.to_owned(),
            (true, Some(rest)) if self.1 > SUM => format!("{point} + {rest}"),
            (true, _) => format!("{point} - {}", self.at_least(PRODUCT)),
            _ if self.1 < SUM => format!("{point} + ({})", self.0),
            (false, Some(rest)) if self.1 > SUM => format!("{point} - {rest}"),
            (false, Some(_)) => format!("{point} + ({})", self.0),
            (false, None) => format!("{point} + {}", self.0),
        }
    }
}

/// The names of things in the model, by those in the file.
#[derive(Debug, Default)]
pub struct Called {
    pub scalars: BTreeMap<String, String>,
    pub vectors: BTreeMap<String, String>,
    pub frames: BTreeMap<String, String>,
    pub points: BTreeMap<String, String>,
    /// Bodies that are not called as their frames are.
    pub bodies: BTreeMap<String, String>,
}

impl Called {
    /// The name of a body or particle.
    pub fn heavy(&self, name: &str) -> String {
        let all = [&self.bodies, &self.frames, &self.points];
        all.iter()
            .find_map(|names| names.get(name))
            .cloned()
            .unwrap_or_default()
    }
}

/// What turned out to be needed.
#[derive(Clone, Debug, Default)]
pub struct Needed {
    pub lets: BTreeSet<String>,
    pub vectors: BTreeSet<String>,
    pub frames: BTreeSet<String>,
    pub points: BTreeSet<String>,
    /// Scalars that are differentiated and have no name.
    pub rates: Vec<String>,
}

impl Needed {
    pub fn size(&self) -> usize {
        self.lets.len()
            + self.vectors.len()
            + self.frames.len()
            + self.points.len()
            + self.rates.len()
    }
}

/// Writes expressions.
pub struct Phrases<'a> {
    pub facts: &'a Facts,
    pub placing: &'a Placing,
    pub classes: &'a BTreeMap<String, Class>,
    pub velocities: &'a Velocities,
    pub called: &'a Called,
    pub needed: RefCell<Needed>,
    pub wrong: RefCell<Vec<Diagnostic>>,
    /// Depth of velocities that are made of others.
    within: RefCell<BTreeSet<String>>,
}

impl<'a> Phrases<'a> {
    pub fn new(
        facts: &'a Facts,
        placing: &'a Placing,
        classes: &'a BTreeMap<String, Class>,
        velocities: &'a Velocities,
        called: &'a Called,
    ) -> Self {
        Self {
            facts,
            placing,
            classes,
            velocities,
            called,
            needed: RefCell::default(),
            wrong: RefCell::default(),
            within: RefCell::default(),
        }
    }

    fn fail(&self, code: &'static str, title: String, span: Span, help: &str) -> Text {
        let wrong = Diagnostic::error_with_help(code, title, span, "here", help);
        let mut all = self.wrong.borrow_mut();
        if !all.contains(&wrong) {
            all.push(wrong);
        }
        Text::zero()
    }

    /// The name of a frame.
    pub fn frame(&self, name: &str, span: Span) -> String {
        if name == self.facts.newtonian {
            return "N".to_owned();
        }
        if !self.placing.has_frame(self.facts, name) {
            self.fail(
                E0607,
                format!("how `{name}` is turned is not stated"),
                span,
                "write `SIMPROT` or `DIRCOS` of it, from N or a frame that is turned from N",
            );
        }
        self.needed.borrow_mut().frames.insert(name.to_owned());
        self.called.frames.get(name).cloned().unwrap_or_default()
    }

    /// The name of a point.
    pub fn point(&self, name: &str, span: Span) -> String {
        match self.placing.point(name).map(|point| &point.place) {
            Some(Where::Origin) => return "O".to_owned(),
            Some(_) => {}
            None => {
                self.fail(
                    E0607,
                    format!("where `{name}` is does not follow"),
                    span,
                    "write its position from a point that is known, `P_NO_P> = ..`, or its velocity, `V_P_N> = ..`",
                );
            }
        }
        self.needed.borrow_mut().points.insert(name.to_owned());
        self.called.points.get(name).cloned().unwrap_or_default()
    }

    /// An expression as text.
    pub fn text(&self, expr: &Expr) -> String {
        self.expr(expr).0
    }

    pub fn expr(&self, expr: &Expr) -> Text {
        match &expr.kind {
            Kind::Number(text) => match super::super::decimal::Decimal::read(text) {
                Ok(number) => Text::atom(number.text()),
                Err(why) => self.fail(
                    E0603,
                    format!("`{text}` is {}", why.said()),
                    expr.span,
                    "write a decimal number",
                ),
            },
            Kind::Name(name, primes) => self.scalar(name, *primes, expr.span),
            Kind::Element(name, indices) => match element(name, indices) {
                Some(name) => self.scalar(&name, 0, expr.span),
                None => self.fail(
                    E0603,
                    "an index that is no number".to_owned(),
                    expr.span,
                    "write a number",
                ),
            },
            Kind::Vector(name) => self.vector(name, expr.span),
            Kind::Turning(of, seen) => self.turning(of, seen, expr.span),
            Kind::Moving(point) => Text::atom(format!("vel({})", self.point(point, expr.span))),
            Kind::Negative(inner) => {
                let inner = self.expr(inner);
                if inner.is_zero() {
                    return inner;
                }
                match inner.0.strip_prefix('-') {
                    Some(rest) if inner.1 > SUM => Text(rest.to_owned(), inner.1.min(PRODUCT)),
                    None if inner.1 == PRODUCT => Text(format!("-{}", inner.0), PRODUCT),
                    _ => Text(format!("-{}", inner.at_least(POWER)), NEGATIVE),
                }
            }
            Kind::Binary(sign, left, right) => self.binary(*sign, left, right),
            Kind::Call(name, arguments) => self.call(name, arguments, expr.span),
            Kind::Dyadic | Kind::Matrix(_) => self.fail(
                E0603,
                "a dyadic or matrix in an expression".to_owned(),
                expr.span,
                "write it by vectors and scalars",
            ),
        }
    }

    fn binary(&self, sign: Sign, left: &Expr, right: &Expr) -> Text {
        let (a, b) = (self.expr(left), self.expr(right));
        match sign {
            Sign::Plus | Sign::Minus if b.is_zero() => a,
            Sign::Plus if a.is_zero() => b,
            Sign::Plus => match b.0.strip_prefix('-').filter(|_| b.1 > SUM) {
                Some(rest) => Text(format!("{} - {rest}", a.at_least(SUM)), SUM),
                None => Text(format!("{} + {}", a.at_least(SUM), b.at_least(SUM)), SUM),
            },
            Sign::Minus if a.is_zero() => Text(format!("-{}", b.at_least(POWER)), NEGATIVE),
            Sign::Minus => match b.0.strip_prefix('-').filter(|_| b.1 > SUM) {
                Some(rest) => Text(format!("{} + {rest}", a.at_least(SUM)), SUM),
                None => Text(
                    format!("{} - {}", a.at_least(SUM), b.at_least(PRODUCT)),
                    SUM,
                ),
            },
            Sign::Times if a.is_zero() || b.is_zero() => Text::zero(),
            Sign::Times => Text(
                format!("{}*{}", a.at_least(PRODUCT), b.at_least(POWER)),
                PRODUCT,
            ),
            Sign::Over if a.is_zero() => a,
            Sign::Over => Text(
                format!("{}/{}", a.at_least(PRODUCT), b.at_least(POWER)),
                PRODUCT,
            ),
            Sign::Power => Text(format!("{}^{}", a.at_least(ATOM), b.at_least(ATOM)), POWER),
        }
    }

    fn scalar(&self, name: &str, primes: usize, span: Span) -> Text {
        if name == "t" || name == "pi" {
            return if primes == 0 {
                Text::atom(name)
            } else {
                Text::atom("1")
            };
        }
        let called = self.called.scalars.get(name).cloned();
        let assigned = self.facts.values.contains_key(&(name.to_owned(), 0));
        let class = match self.classes.get(name) {
            Some(class) => *class,
            None if assigned => Class::Let,
            None => {
                return self.fail(
                    E0607,
                    format!("`{name}` is not declared"),
                    span,
                    "declare it: `CONSTANTS`, `VARIABLES`, `MOTIONVARIABLES'` or `SPECIFIED`",
                );
            }
        };
        if called.is_none()
            && primes == 0
            && let Some(value) = self
                .facts
                .values
                .get(&(name.to_owned(), 0))
                .filter(|_| class == Class::Let)
        {
            // A condition, which goes by no name of its own.
            return Text::atom(format!("({})", self.text(value)));
        }
        let called = called.unwrap_or_default();
        let rated = |called: String| Text::atom(format!("{called}{}", "'".repeat(primes)));
        match class {
            Class::Zero => Text::zero(),
            Class::Let => {
                self.needed.borrow_mut().lets.insert(name.to_owned());
                rated(called)
            }
            Class::Param if primes > 0 => Text::zero(),
            Class::Input if primes > 0 => self.fail(
                E0603,
                format!("the rate of `{name}`, of which nothing is known"),
                span,
                "assign a value to it, or declare it with a prime by `SPECIFIED`",
            ),
            Class::Unused => self.fail(
                E0607,
                format!("nothing says what `{name}` is"),
                span,
                "assign a value to it or to its rate, or use it in a position or orientation",
            ),
            _ => rated(called),
        }
    }

    fn turning(&self, of: &str, seen: &str, span: Span) -> Text {
        if of == self.facts.newtonian {
            if seen == of {
                return Text::zero();
            }
            return Text(format!("-angvel({})", self.frame(seen, span)), NEGATIVE);
        }
        let of = self.frame(of, span);
        if seen == self.facts.newtonian {
            return Text::atom(format!("angvel({of})"));
        }
        Text::atom(format!("angvel({of}, {})", self.frame(seen, span)))
    }

    fn vector(&self, name: &str, span: Span) -> Text {
        if name == "0" {
            return Text::zero();
        }
        if let Some((frame, axis)) = self.facts.axis(name) {
            return Text::atom(format!("{}.{}", self.frame(&frame, span), AXES[axis]));
        }
        if let Some((from, to)) = self.facts.two_points_of(name, "p_") {
            let (from, to) = (self.point(&from, span), self.point(&to, span));
            return if from == to {
                Text::zero()
            } else {
                // Points add up to nothing.
                Text(format!("{to} - {from}"), DIFFERENCE)
            };
        }
        if let Some((of, seen)) = self.facts.two_frames_of(name, "w_") {
            return self.turning(&of, &seen, span);
        }
        if let Some((of, seen)) = self.facts.two_frames_of(name, "alf_") {
            let of = self.frame(&of, span);
            let seen = self.frame(&seen, span);
            return Text::atom(if seen == "N" {
                format!("angacc({of})")
            } else {
                format!("angacc({of}, {seen})")
            });
        }
        if let Some((point, seen)) = self.facts.of_point(name, "v_") {
            if seen == self.facts.newtonian {
                return self.velocity(&point, span);
            }
            if !self.facts.vectors.contains_key(name) {
                return Text::atom(format!(
                    "vel({}, {})",
                    self.point(&point, span),
                    self.frame(&seen, span)
                ));
            }
        }
        if let Some((point, seen)) = self.facts.of_point(name, "a_")
            && seen == self.facts.newtonian
        {
            return Text::atom(format!("acc({})", self.point(&point, span)));
        }
        if self.facts.vectors.contains_key(name) {
            self.needed.borrow_mut().vectors.insert(name.to_owned());
            return Text::atom(self.called.vectors.get(name).cloned().unwrap_or_default());
        }
        self.fail(
            E0607,
            format!("`{name}>` has no value"),
            span,
            "assign one above",
        )
    }

    /// With axes about which frames turn in place of what turns with them: `A3>` is `N3>` if A turns about it.
    pub fn steady(&self, expr: &Expr) -> Expr {
        expr.mapped(&|part| {
            let Kind::Vector(name) = &part.kind else { return part };
            let Some((mut frame, axis)) = self.facts.axis(name) else { return part };
            while let Some(oriented) = self.placing.frame(&frame) {
                let about = matches!(&oriented.turn, Turn::Axis(about, _) if about.unsigned_abs() as usize == axis + 1);
                if !about {
                    break;
                }
                frame.clone_from(&oriented.parent);
            }
            Expr::new(Kind::Vector(format!("{frame}{}", axis + 1)), part.span)
        })
    }

    /// The velocity of a point as the file has it.
    fn velocity(&self, point: &str, span: Span) -> Text {
        match self.velocities.own.get(point) {
            None => Text::atom(format!("vel({})", self.point(point, span))),
            Some(Velocity::Carried(frame, known)) => {
                let at = self.point(point, span);
                let body = self.frame(frame, span);
                if *known == format!("{frame}o") {
                    let body = self.called.heavy(frame);
                    return Text::atom(format!("vel_at({body}, {at})"));
                }
                let known = self.point(known, span);
                Text(
                    format!("vel({known}) + cross(angvel({body}), {at} - {known})"),
                    SUM,
                )
            }
            Some(Velocity::Written) => self.written(point, span),
        }
    }

    /// An expression with everything that it needs, if all of it can be written; else nothing has changed.
    pub fn whole(&self, expr: &Expr) -> Option<String> {
        let before = self.needed.borrow().clone();
        let told = self.wrong.borrow().len();
        let text = self.text(expr);
        let (mut lets, mut vectors) = (before.lets.clone(), before.vectors.clone());
        loop {
            let next = {
                let needed = self.needed.borrow();
                let scalar = needed.lets.difference(&lets).next().cloned();
                let vector = needed.vectors.difference(&vectors).next().cloned();
                (scalar, vector)
            };
            let value = match next {
                (Some(name), _) => {
                    lets.insert(name.clone());
                    self.facts.values.get(&(name, 0))
                }
                (None, Some(name)) => {
                    vectors.insert(name.clone());
                    self.facts.vectors.get(&name)
                }
                (None, None) => break,
            };
            if let Some(value) = value {
                self.text(value);
            }
        }
        if self.wrong.borrow().len() > told {
            self.wrong.borrow_mut().truncate(told);
            *self.needed.borrow_mut() = before;
            return None;
        }
        Some(text)
    }

    /// What is assigned to the velocity of a point.
    pub fn written(&self, point: &str, span: Span) -> Text {
        if !self.within.borrow_mut().insert(point.to_owned()) {
            return self.fail(
                E0607,
                format!("the velocity of `{point}` is made of itself"),
                span,
                "write it by rates and speeds",
            );
        }
        let key = format!("v_{point}_{}", self.facts.newtonian);
        let text = match (
            self.facts.two_points.get(point),
            self.facts.vectors.get(&key),
        ) {
            (Some(two), _) => {
                let known = self.velocity(&two.known, span);
                let arm = self.vector(&format!("p_{}_{point}", two.known), span);
                let body = self.turning(&two.body, &self.facts.newtonian, span);
                let turned = if arm.is_zero() || body.is_zero() {
                    Text::zero()
                } else {
                    Text::atom(format!("cross({}, {})", body.0, arm.0))
                };
                match (known.is_zero(), turned.is_zero()) {
                    (true, _) => turned,
                    (_, true) => known,
                    _ => Text(format!("{} + {}", known.0, turned.0), SUM),
                }
            }
            (None, Some(value)) => self.expr(value),
            (None, None) => Text::atom(format!("vel({})", self.point(point, span))),
        };
        self.within.borrow_mut().remove(point);
        text
    }

    fn call(&self, name: &str, arguments: &[Expr], span: Span) -> Text {
        let all = || -> Vec<String> {
            arguments
                .iter()
                .map(|argument| self.text(argument))
                .collect()
        };
        let same = [
            "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "sqrt", "exp",
            "abs", "sign", "atan2", "max", "min", "dot", "cross",
        ];
        match (name, arguments) {
            ("dot" | "cross", [a, b]) => {
                let (a, b) = (self.expr(a), self.expr(b));
                if a.is_zero() || b.is_zero() {
                    return Text::zero();
                }
                Text::atom(format!("{name}({}, {})", a.0, b.0))
            }
            (_, [_, ..]) if same.contains(&name) => Text::atom(format!("{name}({})", all().join(", "))),
            ("log" | "ln", [_]) => Text::atom(format!("ln({})", all()[0])),
            ("log10", [_]) => Text(format!("ln({})/ln(10)", all()[0]), PRODUCT),
            ("mag", [_]) => Text::atom(format!("norm({})", all()[0])),
            ("unitvec", [_]) => Text::atom(format!("unit({})", all()[0])),
            ("express" | "explicit" | "expand" | "factor" | "arrange" | "zee" | "rhs", [inner, ..]) => self.expr(inner),
            ("vector", [frame, x, y, z]) => {
                let frame = self.frame(frame.plain().unwrap_or_default(), span);
                Text(format!("[{}, {}, {}] in {frame}", self.text(x), self.text(y), self.text(z)), SUM)
            }
            ("dt", [inner]) => self.rate(inner),
            ("dt", [inner, frame]) => {
                let frame = frame.plain().unwrap_or_default();
                if let Kind::Vector(name) = &inner.kind
                    && let Some((from, to)) = self.facts.two_points_of(name, "p_")
                    && frame == self.facts.newtonian
                    && self.placing.point(&from).is_some_and(|point| matches!(point.place, Where::Origin))
                {
                    return Text::atom(format!("vel({})", self.point(&to, span)));
                }
                let vector = self.expr(inner);
                if vector.is_zero() {
                    return vector;
                }
                Text::atom(format!("dt({}, {})", vector.0, self.frame(frame, span)))
            }
            ("ke", _) => {
                let all: Vec<String> = self.heavy(arguments).iter().map(|body| format!("kinetic({body})")).collect();
                Text(all.join(" + "), if all.len() > 1 { SUM } else { ATOM })
            }
            ("momentum", [kind, bodies @ ..]) if kind.plain() == Some("linear") => {
                let all: Vec<String> = self.heavy(bodies).iter().map(|body| format!("momentum({body})")).collect();
                Text(all.join(" + "), if all.len() > 1 { SUM } else { ATOM })
            }
            ("momentum", [kind, about, bodies @ ..]) if kind.plain() == Some("angular") => {
                let about = self.point(about.plain().unwrap_or_default(), span);
                let all: Vec<String> = self.heavy(bodies).iter().map(|body| format!("angmom({body}, {about})")).collect();
                Text(all.join(" + "), if all.len() > 1 { SUM } else { ATOM })
            }
            ("mass", _) => Text::atom(format!("mass({})", self.heavy(arguments).join(", "))),
            ("cm", [from]) => {
                let from = self.point(from.plain().unwrap_or_default(), span);
                Text(format!("com({}) - {from}", self.heavy(&[]).join(", ")), DIFFERENCE)
            }
            _ => self.fail(
                E0603,
                format!("the function `{name}` is not read"),
                span,
                "write what it gives; the functions of scalars and `DOT`, `CROSS`, `MAG`, `UNITVEC`, `DT`, `EXPRESS`, `VECTOR` are known",
            ),
        }
    }

    /// The names of bodies and particles, or of all.
    fn heavy(&self, arguments: &[Expr]) -> Vec<String> {
        let named = arguments
            .iter()
            .filter_map(|argument| argument.plain().map(str::to_owned));
        let named: Vec<String> = named.collect();
        let all = if named.is_empty() {
            self.facts.masses.keys().cloned().collect()
        } else {
            named
        };
        all.iter().map(|name| self.called.heavy(name)).collect()
    }

    /// The time derivative of a scalar.
    fn rate(&self, inner: &Expr) -> Text {
        if let Kind::Name(name, primes) = &inner.kind {
            return self.scalar(name, primes + 1, inner.span);
        }
        let text = self.text(inner);
        let mut needed = self.needed.borrow_mut();
        let at = match needed.rates.iter().position(|there| *there == text) {
            Some(at) => at,
            None => {
                needed.rates.push(text);
                needed.rates.len() - 1
            }
        };
        Text::atom(format!("{}'", rate_name(at)))
    }
}

/// The name of a scalar that is differentiated.
pub fn rate_name(at: usize) -> String {
    format!("changing_{}", at + 1)
}
