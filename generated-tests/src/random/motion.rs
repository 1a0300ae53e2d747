//! What the statements of a machine are at an instant of a motion: frames as direction cosines, points as positions, everything else as
//! values, each a series in time. It differentiates series and nothing else; there are no formulas for velocities or accelerations here
//! but those that define them.

use super::expr::{Condition, Expr};
use super::machine::{Machine, Statement, Turn};
use super::number::{Elementary, Field};
use super::series::{Series, Vector, cross, dot, minus, norm, plus, rate, scale};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// How far from the edge of what is assumed a state has to lie.
const EDGE: f64 = 1e-4;

/// The statements of a machine by name.
pub struct Model {
    /// All statements, loops and parts written out.
    pub statements: Vec<Statement>,
    names: BTreeMap<String, usize>,
    /// Coordinates, in order.
    pub coordinates: Vec<String>,
}

/// A scalar or a vector; points are their positions from the origin.
#[derive(Clone, Debug)]
pub enum Value<F> {
    /// A scalar.
    Scalar(Series<F>),
    /// A vector.
    Vector(Vector<F>),
}

/// The axes of a frame.
pub type Axes<F> = [Vector<F>; 3];

/// Where a declared place gives way: a point along a vector, or a frame about one, by a small amount.
#[derive(Clone, Debug)]
pub struct Bend<F> {
    /// The point or frame.
    pub of: String,
    /// Along or about what.
    pub along: Expr,
    /// By how much.
    pub by: Series<F>,
}

/// An instant of a motion.
pub struct Instant<'a, F> {
    /// The machine.
    pub model: &'a Model,
    /// Time.
    pub t: Series<F>,
    /// Coordinates along the motion.
    pub q: BTreeMap<String, Series<F>>,
    /// Inputs.
    pub inputs: BTreeMap<String, f64>,
    /// Multipliers by constraint and component.
    pub multipliers: BTreeMap<(String, usize), F>,
    /// Values of declared reactions.
    pub reactions: BTreeMap<String, F>,
    /// A place that gives way.
    pub bend: Option<Bend<F>>,
    values: RefCell<BTreeMap<String, Value<F>>>,
    frames: RefCell<BTreeMap<String, Axes<F>>>,
}

/// A mass: its centre, and what is about the centre.
pub struct Mass<F> {
    /// The mass.
    pub mass: Series<F>,
    /// The centre.
    pub center: Vector<F>,
    /// The axes of a body and its second moments along them, `integral of x x dm` about the centre.
    pub spread: Option<(Axes<F>, [[F; 3]; 3])>,
}

type Found<T> = Result<T, String>;

impl Model {
    /// Reads a machine.
    pub fn new(machine: &Machine) -> Self {
        Self::of(machine.plain())
    }

    fn of(statements: Vec<Statement>) -> Self {
        let mut names = BTreeMap::new();
        let mut coordinates = Vec::new();
        for (i, s) in statements.iter().enumerate() {
            for name in s.declared() {
                names.insert(name.to_owned(), i);
            }
            if let Statement::Coord { name, .. } = s {
                coordinates.push(name.clone());
            }
        }
        Self {
            statements,
            names,
            coordinates,
        }
    }

    /// The model without some of its statements.
    pub fn without(&self, dropped: impl Fn(&Statement) -> bool) -> Self {
        let kept = self.statements.iter().filter(|s| !dropped(s));
        Self::of(kept.cloned().collect())
    }

    /// The statement that declares a name.
    pub fn find(&self, name: &str) -> Option<&Statement> {
        self.names.get(name).map(|i| &self.statements[*i])
    }

    /// Whether it is a frame's name; a body's is one too.
    pub fn frame_of(&self, name: &str) -> String {
        match self.find(name) {
            Some(Statement::Body { frame, .. }) => frame.clone(),
            _ => name.to_owned(),
        }
    }
}

fn shorter(what: &str) -> String {
    format!("{what} is wanted where the motion is known no further")
}

fn index_of(letter: char) -> usize {
    match letter {
        'x' => 0,
        'y' => 1,
        _ => 2,
    }
}

fn unit<F: Field>(v: &Vector<F>) -> Vector<F> {
    scale(&norm(v).power(-1.0), v)
}

/// Turns a frame by an angle about a unit vector of itself.
fn turned<F: Field>(axes: &Axes<F>, angle: &Series<F>, about: &Vector<F>) -> Axes<F> {
    let (sin, cos) = (angle.apply(Elementary::Sin), angle.apply(Elementary::Cos));
    let rest = Series::number(1.0).sub(&cos);
    std::array::from_fn(|i| {
        let along = scale(&rest.mul(&dot(about, &axes[i])), about);
        let across = scale(&sin, &cross(about, &axes[i]));
        plus(&plus(&scale(&cos, &axes[i]), &along), &across)
    })
}

/// A frame turned by a quaternion, which need not have length one.
fn by_quaternion<F: Field>(axes: &Axes<F>, e: &[Series<F>; 4], unit_length: bool) -> Axes<F> {
    let two = Series::number(2.0);
    let one = Series::number(1.0);
    let pair = |i: usize, j: usize| e[i].mul(&e[j]);
    let scale_by = if unit_length {
        two
    } else {
        let square = pair(0, 0)
            .add(&pair(1, 1))
            .add(&pair(2, 2))
            .add(&pair(3, 3));
        two.div(&square)
    };
    let twice = |s: Series<F>| scale_by.mul(&s);
    let rows = [
        [
            one.sub(&twice(pair(2, 2).add(&pair(3, 3)))),
            twice(pair(1, 2).sub(&pair(0, 3))),
            twice(pair(1, 3).add(&pair(0, 2))),
        ],
        [
            twice(pair(1, 2).add(&pair(0, 3))),
            one.sub(&twice(pair(1, 1).add(&pair(3, 3)))),
            twice(pair(2, 3).sub(&pair(0, 1))),
        ],
        [
            twice(pair(1, 3).sub(&pair(0, 2))),
            twice(pair(2, 3).add(&pair(0, 1))),
            one.sub(&twice(pair(1, 1).add(&pair(2, 2)))),
        ],
    ];
    by_matrix(axes, &rows)
}

fn by_matrix<F: Field>(axes: &Axes<F>, rows: &[[Series<F>; 3]; 3]) -> Axes<F> {
    std::array::from_fn(|column| {
        let part = |row: usize| scale(&rows[row][column], &axes[row]);
        plus(&plus(&part(0), &part(1)), &part(2))
    })
}

/// The angular velocity of axes in the inertial frame: half the sum of e x e'.
pub fn angular_velocity<F: Field>(axes: &Axes<F>) -> Found<Vector<F>> {
    let half = Series::number(0.5);
    let mut sum: Vector<F> = std::array::from_fn(|_| Series::number(0.0));
    for e in axes {
        let turning = rate(e).ok_or_else(|| shorter("an angular velocity"))?;
        sum = plus(&sum, &cross(e, &turning));
    }
    Ok(scale(&half, &sum))
}

/// The rate of a vector as seen from axes.
fn rate_in<F: Field>(v: &Vector<F>, axes: &Axes<F>) -> Found<Vector<F>> {
    let mut sum: Vector<F> = std::array::from_fn(|_| Series::number(0.0));
    for e in axes {
        let component = dot(v, e).rate().ok_or_else(|| shorter("a rate"))?;
        sum = plus(&sum, &scale(&component, e));
    }
    Ok(sum)
}

impl<F: Field> Value<F> {
    fn scalar(self) -> Found<Series<F>> {
        match self {
            Value::Scalar(s) => Ok(s),
            Value::Vector(_) => Err("a vector where a scalar is wanted".into()),
        }
    }

    fn vector(self) -> Found<Vector<F>> {
        match self {
            Value::Vector(v) => Ok(v),
            // The number 0 is the zero vector too.
            Value::Scalar(s) if s.now().value() == 0.0 => {
                Ok(std::array::from_fn(|_| Series::number(0.0)))
            }
            Value::Scalar(_) => Err("a scalar where a vector is wanted".into()),
        }
    }
}

/// A number as it is written, a fraction among them: `0.3`, `(1/3)`, `-2`.
pub fn written(text: &str) -> Found<f64> {
    let plain = text.trim_start_matches('(').trim_end_matches(')');
    if let Some((a, b)) = plain.split_once('/') {
        return Ok(written(a)? / written(b)?);
    }
    if let Some(degrees) = plain.strip_suffix(" [deg]") {
        return Ok(written(degrees)?.to_radians());
    }
    plain.parse().map_err(|_| format!("no number: {text}"))
}

impl<'a, F: Field> Instant<'a, F> {
    /// An instant of a motion with these coordinates.
    pub fn new(model: &'a Model, t: Series<F>, q: BTreeMap<String, Series<F>>) -> Self {
        Self {
            model,
            t,
            q,
            inputs: BTreeMap::new(),
            multipliers: BTreeMap::new(),
            reactions: BTreeMap::new(),
            bend: None,
            values: RefCell::default(),
            frames: RefCell::default(),
        }
    }

    /// The direction of a vector where nothing gives way.
    fn unbent(&self, e: &Expr) -> Found<Vector<F>> {
        let rigid = Instant::new(self.model, self.t.clone(), self.q.clone());
        Ok(unit(&rigid.vector(e)?))
    }

    /// The axes of a frame or of a body's frame.
    pub fn frame(&self, name: &str) -> Found<Axes<F>> {
        if name == "N" {
            return Ok(std::array::from_fn(|i| {
                std::array::from_fn(|j| Series::number(if i == j { 1.0 } else { 0.0 }))
            }));
        }
        if let Some(known) = self.frames.borrow().get(name) {
            return Ok(known.clone());
        }
        let axes = match self.model.find(name) {
            Some(Statement::Frame { parent, turn, .. }) => self.turn(&self.frame(parent)?, turn)?,
            Some(Statement::Body { frame, .. }) => self.frame(frame)?,
            _ => return Err(format!("no frame {name}")),
        };
        let axes = match &self.bend {
            Some(bend) if bend.of == name => {
                let about = self.unbent(&bend.along)?;
                axes.map(|e| plus(&e, &scale(&bend.by, &cross(&about, &e))))
            }
            _ => axes,
        };
        self.frames
            .borrow_mut()
            .insert(name.to_owned(), axes.clone());
        Ok(axes)
    }

    fn turn(&self, parent: &Axes<F>, turn: &Turn) -> Found<Axes<F>> {
        let scalars = |list: &[Expr]| -> Found<Vec<Series<F>>> {
            list.iter().map(|e| self.scalar(e)).collect()
        };
        Ok(match turn {
            Turn::About(angle, axis) => {
                let about = unit(&self.vector(axis)?);
                turned(parent, &self.scalar(angle)?, &about)
            }
            Turn::Body(letters, angles) => {
                let mut axes = parent.clone();
                for (letter, angle) in letters.chars().zip(scalars(angles)?) {
                    let about = axes[index_of(letter)].clone();
                    axes = turned(&axes, &angle, &about);
                }
                axes
            }
            Turn::Space(letters, angles) => {
                let mut axes = parent.clone();
                for (letter, angle) in letters.chars().zip(scalars(angles)?) {
                    axes = turned(&axes, &angle, &parent[index_of(letter)]);
                }
                axes
            }
            Turn::Quaternion(names) => {
                let mut e = Vec::new();
                for n in names {
                    e.push(self.scalar(&Expr::Name(n.clone()))?);
                }
                let e = <[_; 4]>::try_from(e).map_err(|_| "four")?;
                by_quaternion(parent, &e, true)
            }
            Turn::Rodrigues(p) => {
                let [x, y, z] = self.three(p)?;
                by_quaternion(parent, &[Series::number(1.0), x, y, z], false)
            }
            Turn::Modified(p) => {
                let [x, y, z] = self.three(p)?;
                let square = x.mul(&x).add(&y.mul(&y)).add(&z.mul(&z));
                let two = Series::number(2.0);
                let first = Series::number(1.0).sub(&square);
                let e = [first, two.mul(&x), two.mul(&y), two.mul(&z)];
                by_quaternion(parent, &e, false)
            }
            Turn::Matrix(rows) => {
                let rows = [
                    self.three(&rows[0])?,
                    self.three(&rows[1])?,
                    self.three(&rows[2])?,
                ];
                by_matrix(parent, &rows)
            }
        })
    }

    fn three(&self, list: &[Expr; 3]) -> Found<[Series<F>; 3]> {
        Ok([
            self.scalar(&list[0])?,
            self.scalar(&list[1])?,
            self.scalar(&list[2])?,
        ])
    }

    /// A scalar.
    pub fn scalar(&self, e: &Expr) -> Found<Series<F>> {
        self.value(e)?.scalar().map_err(|m| format!("{e}: {m}"))
    }

    /// A vector or the position of a point.
    pub fn vector(&self, e: &Expr) -> Found<Vector<F>> {
        self.value(e)?.vector().map_err(|m| format!("{e}: {m}"))
    }

    /// The position of a point, a particle or the centre of a body.
    pub fn point(&self, name: &str) -> Found<Vector<F>> {
        self.vector(&Expr::Name(name.to_owned()))
    }

    /// What an expression is.
    pub fn value(&self, e: &Expr) -> Found<Value<F>> {
        use Value::{Scalar, Vector};
        Ok(match e {
            Expr::Number(text) => Scalar(Series::number(written(text)?)),
            // Angles in degrees are exact multiples of pi, as in the language.
            Expr::Quantity(degrees, unit, _) if unit == "deg" => {
                let part = Series::number(written(degrees)?).div(&Series::number(180.0));
                Scalar(part.mul(&self.named("pi")?.scalar()?))
            }
            Expr::Quantity(_, _, value) => Scalar(Series::number(*value)),
            Expr::Name(name) => self.named(name)?,
            Expr::Axis(frame, letter) => Vector(self.frame(frame)?[index_of(*letter)].clone()),
            Expr::Rate(of) => {
                let rate = self.scalar(of)?.rate();
                Scalar(rate.ok_or_else(|| shorter(&e.to_string()))?)
            }
            Expr::Negative(of) => match self.value(of)? {
                Scalar(s) => Scalar(s.neg()),
                Vector(v) => Vector(v.map(|c| c.neg())),
            },
            Expr::Sum(terms) => {
                let mut terms = terms.iter();
                let first = terms.next().ok_or("an empty sum")?;
                let mut total = self.value(first)?;
                for term in terms {
                    total = match (total, self.value(term)?) {
                        (Scalar(a), Scalar(b)) => Scalar(a.add(&b)),
                        (a, b) => Vector(plus(&a.vector()?, &b.vector()?)),
                    };
                }
                total
            }
            Expr::Product(factors) => {
                let mut total = Scalar(Series::number(1.0));
                for factor in factors {
                    total = match (total, self.value(factor)?) {
                        (Scalar(a), Scalar(b)) => Scalar(a.mul(&b)),
                        (Scalar(a), Vector(b)) | (Vector(b), Scalar(a)) => Vector(scale(&a, &b)),
                        _ => return Err(format!("{e}: a product of vectors")),
                    };
                }
                total
            }
            Expr::Quotient(a, b) => {
                let divisor = self.scalar(b)?;
                match self.value(a)? {
                    Scalar(a) => Scalar(a.div(&divisor)),
                    Vector(a) => Vector(scale(&divisor.power(-1.0), &a)),
                }
            }
            Expr::Power(base, exponent) => Scalar(self.scalar(base)?.power(written(exponent)?)),
            Expr::Choice(condition, a, b) => {
                let taken = if self.holds(condition)? { a } else { b };
                self.value(taken)?
            }
            Expr::Call(function, arguments) => self.call(function, arguments)?,
        })
    }

    /// Whether all assumptions hold.
    ///
    /// # Errors
    /// Where one cannot be evaluated.
    pub fn assumed(&self) -> Found<bool> {
        for s in &self.model.statements {
            let holds = match s {
                Statement::Assume(a, relation, b) => self.clearly(a, relation, b)?,
                Statement::Coord {
                    name,
                    sign: Some(relation),
                    ..
                } => {
                    let zero = Expr::Number("0".into());
                    self.clearly(&Expr::Name(name.clone()), relation, &zero)?
                }
                _ => true,
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether what a model assumes holds, and not only just: no function checks what is assumed, nor how many digits are left beside its
    /// edge.
    fn clearly(&self, a: &Expr, relation: &'static str, b: &Expr) -> Found<bool> {
        let margin = self.scalar(a)?.sub(&self.scalar(b)?).now().value().abs();
        let strict = matches!(relation, "<" | ">");
        Ok((!strict || margin > EDGE)
            && self.holds(&Condition::Compare(a.clone(), relation, b.clone()))?)
    }

    fn holds(&self, condition: &Condition) -> Found<bool> {
        Ok(match condition {
            Condition::Compare(a, relation, b) => {
                let difference = self.scalar(a)?.sub(&self.scalar(b)?);
                let order = difference.now().sign();
                match *relation {
                    "<" => order == Ordering::Less,
                    "<=" => order != Ordering::Greater,
                    ">" => order == Ordering::Greater,
                    _ => order != Ordering::Less,
                }
            }
            Condition::And(a, b) => self.holds(a)? && self.holds(b)?,
            Condition::Or(a, b) => self.holds(a)? || self.holds(b)?,
            Condition::Not(a) => !self.holds(a)?,
        })
    }

    fn named(&self, name: &str) -> Found<Value<F>> {
        if let Some(known) = self.values.borrow().get(name) {
            return Ok(known.clone());
        }
        let value = self.fresh(name)?;
        self.values
            .borrow_mut()
            .insert(name.to_owned(), value.clone());
        Ok(value)
    }

    fn fresh(&self, name: &str) -> Found<Value<F>> {
        use Statement as S;
        if let Some(q) = self.q.get(name) {
            return Ok(Value::Scalar(q.clone()));
        }
        if let Some(r) = self.reactions.get(name) {
            return Ok(Value::Scalar(Series { c: vec![r.clone()] }));
        }
        Ok(match name {
            "t" => Value::Scalar(self.t.clone()),
            "pi" => Value::Scalar(
                Series::number(4.0).mul(&Series::<F>::number(1.0).apply(Elementary::Atan)),
            ),
            "O" => Value::Vector(std::array::from_fn(|_| Series::number(0.0))),
            _ => match self.model.find(name) {
                Some(S::Param { value, .. }) => Value::Scalar(Series::number(written(value)?)),
                Some(S::Input { .. }) => {
                    let given = self.inputs.get(name).copied().unwrap_or(0.0);
                    Value::Scalar(Series::number(given))
                }
                Some(
                    S::Let { value, .. }
                    | S::Speed { value, .. }
                    | S::Energy { value, .. }
                    | S::Output { value, .. },
                ) => self.value(value)?,
                Some(S::Point { place, .. }) => {
                    let place = self.vector(place)?;
                    match &self.bend {
                        Some(bend) if bend.of == name => {
                            let along = self.unbent(&bend.along)?;
                            Value::Vector(plus(&place, &scale(&bend.by, &along)))
                        }
                        _ => Value::Vector(place),
                    }
                }
                Some(S::Particle { at, .. }) => Value::Vector(self.point(at)?),
                Some(S::Body { center, .. }) => Value::Vector(self.point(center)?),
                Some(S::Group { .. }) => Value::Vector(self.center(&[name.to_owned()])?),
                Some(S::Function { arguments, .. }) => {
                    let list: Vec<_> = arguments.iter().cloned().map(Expr::Name).collect();
                    self.call(name, &list)?
                }
                other => return Err(format!("{name} has no value: {other:?}")),
            },
        })
    }

    /// Particles and bodies by these names, those of groups among them.
    fn members(&self, names: &[String]) -> Vec<String> {
        let mut members = Vec::new();
        for name in names {
            match self.model.find(name) {
                Some(Statement::Group { members: inner, .. }) => {
                    members.extend(self.members(inner));
                }
                _ => members.push(name.clone()),
            }
        }
        members
    }

    fn total_mass(&self, names: &[String]) -> Found<Series<F>> {
        let mut total = Series::number(0.0);
        for name in self.members(names) {
            total = total.add(&self.mass(&name)?.mass);
        }
        Ok(total)
    }

    fn center(&self, names: &[String]) -> Found<Vector<F>> {
        let mut sum: Vector<F> = std::array::from_fn(|_| Series::number(0.0));
        for name in self.members(names) {
            let mass = self.mass(&name)?;
            sum = plus(&sum, &scale(&mass.mass, &mass.center));
        }
        Ok(scale(&self.total_mass(names)?.power(-1.0), &sum))
    }

    /// A particle or a body.
    pub fn mass(&self, name: &str) -> Found<Mass<F>> {
        match self.model.find(name) {
            Some(Statement::Particle { mass, at, .. }) => Ok(Mass {
                mass: self.scalar(mass)?,
                center: self.point(at)?,
                spread: None,
            }),
            Some(Statement::Body {
                frame,
                mass,
                center,
                inertia,
                about,
                within,
                ..
            }) => {
                let mass = self.scalar(mass)?;
                let center = self.point(center)?;
                let axes = self.frame(frame)?;
                let stated_in = self.frame(within.as_ref().unwrap_or(frame))?;
                let mut second = self.second_moments(inertia, &stated_in, &axes)?;
                if let Some(p) = about {
                    let offset = minus(&center, &self.point(p)?);
                    let along: [F; 3] =
                        std::array::from_fn(|i| dot(&offset, &axes[i]).now().clone());
                    for i in 0..3 {
                        for j in 0..3 {
                            let part = mass.now().mul(&along[i]).mul(&along[j]);
                            second[i][j] = second[i][j].sub(&part);
                        }
                    }
                }
                Ok(Mass {
                    mass,
                    center,
                    spread: Some((axes, second)),
                })
            }
            other => Err(format!("{name} has no mass: {other:?}")),
        }
    }

    /// `integral of x x dm` along a body's axes, from the moments of inertia along the axes that they are stated in.
    fn second_moments(
        &self,
        inertia: &[Expr],
        stated_in: &Axes<F>,
        axes: &Axes<F>,
    ) -> Found<[[F; 3]; 3]> {
        let mut numbers = Vec::new();
        for e in inertia {
            numbers.push(self.scalar(e)?.now().clone());
        }
        let zero = || F::from_f64(0.0);
        let entry = |i: usize| numbers.get(i).cloned().unwrap_or_else(zero);
        let moments = match numbers.len() {
            1 => [entry(0), entry(0), entry(0)],
            _ => [entry(0), entry(1), entry(2)],
        };
        let half = F::from_f64(0.5);
        let trace = moments[0].add(&moments[1]).add(&moments[2]);
        let mut stated: [[F; 3]; 3] = std::array::from_fn(|_| std::array::from_fn(|_| zero()));
        for i in 0..3 {
            stated[i][i] = trace.mul(&half).sub(&moments[i]);
        }
        // Ixx, Iyy, Izz, Ixy, Iyz, Izx with Ixy = -integral of x y dm.
        for (k, (i, j)) in [(0, 1), (1, 2), (2, 0)].into_iter().enumerate() {
            stated[i][j] = entry(3 + k).neg();
            stated[j][i] = stated[i][j].clone();
        }
        let cosine = |a: usize, i: usize| dot(&axes[a], &stated_in[i]).now().clone();
        Ok(std::array::from_fn(|a| {
            std::array::from_fn(|b| {
                let mut sum = zero();
                for i in 0..3 {
                    for j in 0..3 {
                        let part = cosine(a, i).mul(&stated[i][j]).mul(&cosine(b, j));
                        sum = sum.add(&part);
                    }
                }
                sum
            })
        }))
    }

    fn argument_name(arguments: &[Expr], i: usize) -> Found<&str> {
        match arguments.get(i) {
            Some(Expr::Name(name)) => Ok(name),
            other => Err(format!("a name is wanted, not {other:?}")),
        }
    }

    /// What is fixed in a frame or body: the third argument, a body's centre, or the origin.
    fn fixed_in(&self, arguments: &[Expr]) -> Found<Vector<F>> {
        if let Some(point) = arguments.get(2) {
            return self.vector(point);
        }
        let of = Self::argument_name(arguments, 1)?;
        match self.model.find(of) {
            Some(Statement::Body { center, .. }) => self.point(center),
            _ => self.point("O"),
        }
    }

    /// Velocity of the material point of a body or frame that is at a place.
    pub fn material_velocity(&self, arguments: &[Expr]) -> Found<Vector<F>> {
        let of = Self::argument_name(arguments, 0)?;
        let axes = self.frame(of)?;
        let center = match (arguments.get(2), self.model.find(of)) {
            (Some(point), _) => self.vector(point)?,
            (None, Some(Statement::Body { center, .. })) => self.point(center)?,
            _ => self.point("O")?,
        };
        let place = self.vector(&arguments[1])?;
        let velocity = rate(&center).ok_or_else(|| shorter("a velocity"))?;
        let arm = minus(&place, &center);
        Ok(plus(&velocity, &cross(&angular_velocity(&axes)?, &arm)))
    }

    fn material_acceleration(&self, arguments: &[Expr]) -> Found<Vector<F>> {
        let of = Self::argument_name(arguments, 0)?;
        let axes = self.frame(of)?;
        let center = match (arguments.get(2), self.model.find(of)) {
            (Some(point), _) => self.vector(point)?,
            (None, Some(Statement::Body { center, .. })) => self.point(center)?,
            _ => self.point("O")?,
        };
        let arm = minus(&self.vector(&arguments[1])?, &center);
        let short = || shorter("an acceleration");
        let velocity = rate(&center).ok_or_else(short)?;
        let acceleration = rate(&velocity).ok_or_else(short)?;
        let spin = angular_velocity(&axes)?;
        let turning = rate(&spin).ok_or_else(short)?;
        let inward = cross(&spin, &cross(&spin, &arm));
        Ok(plus(&plus(&acceleration, &cross(&turning, &arm)), &inward))
    }

    fn motion_of(&self, arguments: &[Expr], times: usize) -> Found<Vector<F>> {
        let mut v = self.vector(&arguments[0])?;
        if arguments.len() > 1 {
            v = minus(&v, &self.fixed_in(arguments)?);
            let axes = self.frame(Self::argument_name(arguments, 1)?)?;
            for _ in 0..times {
                v = rate_in(&v, &axes)?;
            }
        } else {
            for _ in 0..times {
                v = rate(&v).ok_or_else(|| shorter("a velocity or acceleration"))?;
            }
        }
        Ok(v)
    }

    fn spin_of(&self, arguments: &[Expr]) -> Found<Vector<F>> {
        let spin = angular_velocity(&self.frame(Self::argument_name(arguments, 0)?)?)?;
        if arguments.len() < 2 {
            return Ok(spin);
        }
        let base = self.frame(Self::argument_name(arguments, 1)?)?;
        Ok(minus(&spin, &angular_velocity(&base)?))
    }

    /// Kinetic energy of a particle or body.
    pub fn kinetic(&self, name: &str) -> Found<Series<F>> {
        let mass = self.mass(name)?;
        let velocity = rate(&mass.center).ok_or_else(|| shorter("a velocity"))?;
        let half = Series::number(0.5);
        let mut energy = half.mul(&mass.mass).mul(&dot(&velocity, &velocity));
        if let Some((axes, second)) = &mass.spread {
            let turning = self.rates_of(axes)?;
            for i in 0..3 {
                for j in 0..3 {
                    let part =
                        Series::constant(second[i][j].clone()).mul(&dot(&turning[i], &turning[j]));
                    energy = energy.add(&half.mul(&part));
                }
            }
        }
        Ok(energy)
    }

    fn rates_of(&self, axes: &Axes<F>) -> Found<Axes<F>> {
        let turning = axes.each_ref().map(|e| rate(e));
        match turning {
            [Some(x), Some(y), Some(z)] => Ok([x, y, z]),
            _ => Err(shorter("an angular velocity")),
        }
    }

    /// Angular momentum about the centre, or about a point.
    fn angular_momentum(&self, arguments: &[Expr]) -> Found<Vector<F>> {
        let mass = self.mass(Self::argument_name(arguments, 0)?)?;
        let mut sum: Vector<F> = std::array::from_fn(|_| Series::number(0.0));
        if let Some((axes, second)) = &mass.spread {
            let turning = self.rates_of(axes)?;
            for i in 0..3 {
                for j in 0..3 {
                    let weight = Series::constant(second[i][j].clone());
                    sum = plus(&sum, &scale(&weight, &cross(&axes[i], &turning[j])));
                }
            }
        }
        if let Some(point) = arguments.get(1) {
            let arm = minus(&mass.center, &self.vector(point)?);
            let velocity = rate(&mass.center).ok_or_else(|| shorter("a velocity"))?;
            sum = plus(&sum, &cross(&arm, &scale(&mass.mass, &velocity)));
        }
        Ok(sum)
    }

    fn contact(&self, function: &str, arguments: &[Expr]) -> Found<Vector<F>> {
        let center = self.vector(&arguments[0])?;
        let normal = unit(&self.vector(arguments.last().ok_or("no normal")?)?);
        if function == "contact_sphere" {
            let radius = self.scalar(&arguments[1])?;
            return Ok(minus(&center, &scale(&radius, &normal)));
        }
        let torus = function == "contact_torus";
        let axis = unit(&self.vector(&arguments[if torus { 3 } else { 2 }])?);
        let along = scale(&dot(&axis, &normal), &axis);
        let up = unit(&minus(&normal, &along));
        let ring = self.scalar(&arguments[1])?;
        let mut place = minus(&center, &scale(&ring, &up));
        if torus {
            place = minus(&place, &scale(&self.scalar(&arguments[2])?, &normal));
        }
        Ok(place)
    }

    fn reaction(&self, arguments: &[Expr]) -> Found<Value<F>> {
        let component = |name: &str, i: usize| -> Found<Series<F>> {
            let key = (name.to_owned(), i);
            let value = self.multipliers.get(&key);
            let value = value.cloned().unwrap_or_else(|| F::from_f64(0.0));
            Ok(Series { c: vec![value] })
        };
        match arguments {
            [Expr::Axis(name, letter)] => Ok(Value::Scalar(component(name, index_of(*letter))?)),
            [Expr::Name(name)] => match self.model.find(name) {
                Some(Statement::Constraint {
                    vector: true,
                    within,
                    ..
                }) => {
                    let axes = self.frame(within.as_deref().unwrap_or("N"))?;
                    let mut sum = scale(&component(name, 0)?, &axes[0]);
                    for i in 1..3 {
                        sum = plus(&sum, &scale(&component(name, i)?, &axes[i]));
                    }
                    Ok(Value::Vector(sum))
                }
                _ => Ok(Value::Scalar(component(name, 0)?)),
            },
            [Expr::Name(name), Expr::Name(point)] => Ok(Value::Vector(self.held_at(name, point)?)),
            other => Err(format!("reaction of {other:?}")),
        }
    }

    /// The force by which a constraint on positions holds a point: its multipliers times what its rows change by where they speak of a point
    /// that is displaced.
    fn held_at(&self, constraint: &str, point: &str) -> Found<Vector<F>> {
        let Some(Statement::Constraint {
            left,
            right,
            vector,
            within,
            ..
        }) = self.model.find(constraint)
        else {
            return Err(format!("{constraint} is no constraint"));
        };
        let sides = left.clone() - right.clone();
        let axes = self.frame(within.as_deref().unwrap_or("N"))?;
        let rows = |e: &Expr| -> Found<Vec<Series<F>>> {
            if *vector {
                let v = self.vector(e)?;
                Ok(axes.iter().map(|a| dot(&v, a)).collect())
            } else {
                Ok(vec![self.scalar(e)?])
            }
        };
        let here = rows(&sides)?;
        // A power of two, so that the quotient is exact.
        let step = 2.0_f64.powi(-80);
        let aside = Expr::Number(step.to_string());
        let mut force: Vec<F> = Vec::new();
        for letter in ['x', 'y', 'z'] {
            let aside = aside.clone() * Expr::Axis("N".into(), letter);
            let there = rows(&sides.with(point, &aside))?;
            let mut sum = F::from_f64(0.0);
            for (i, (a, b)) in there.iter().zip(&here).enumerate() {
                let key = (constraint.to_owned(), i);
                if let Some(lambda) = self.multipliers.get(&key) {
                    let slope = a.sub(b).mul(&Series::number(1.0 / step));
                    sum = sum.add(&lambda.mul(slope.now()));
                }
            }
            force.push(sum);
        }
        let force = <[F; 3]>::try_from(force).map_err(|_| "three components")?;
        Ok(force.map(Series::constant))
    }

    fn user_function(&self, name: &str, arguments: &[Expr]) -> Found<Option<Value<F>>> {
        let Some(Statement::Function { terms, .. }) = self.model.find(name) else {
            return Ok(None);
        };
        let mut values = Vec::new();
        for e in arguments {
            values.push(self.scalar(e)?);
        }
        let mut sum = Series::number(0.0);
        for (factor, exponents) in terms {
            let mut term = Series::number(*factor);
            for (value, exponent) in values.iter().zip(exponents) {
                for _ in 0..*exponent {
                    term = term.mul(value);
                }
            }
            sum = sum.add(&term);
        }
        Ok(Some(Value::Scalar(sum)))
    }

    fn call(&self, function: &str, arguments: &[Expr]) -> Found<Value<F>> {
        use Value::{Scalar, Vector};
        let names = || -> Vec<String> {
            let name = |e: &Expr| e.to_string();
            arguments.iter().map(name).collect()
        };
        let vector = |i: usize| self.vector(&arguments[i]);
        let name = |i: usize| Self::argument_name(arguments, i);
        Ok(match function {
            "dot" => Scalar(dot(&vector(0)?, &vector(1)?)),
            "cross" => Vector(cross(&vector(0)?, &vector(1)?)),
            "norm" | "mag" => Scalar(norm(&vector(0)?)),
            "unit" => Vector(unit(&vector(0)?)),
            "distance" => Scalar(norm(&minus(&vector(1)?, &vector(0)?))),
            "vel" => Vector(self.motion_of(arguments, 1)?),
            "acc" => Vector(self.motion_of(arguments, 2)?),
            "vel_at" => Vector(self.material_velocity(arguments)?),
            "acc_at" => Vector(self.material_acceleration(arguments)?),
            "com" => Vector(self.center(&names())?),
            "mass" => Scalar(self.total_mass(&names())?),
            "contact_sphere" | "contact_disc" | "contact_torus" => {
                Vector(self.contact(function, arguments)?)
            }
            "angvel" => Vector(self.spin_of(arguments)?),
            "angacc" => {
                let spin = self.spin_of(arguments)?;
                let seen_from = if arguments.len() > 1 { name(1)? } else { "N" };
                Vector(rate_in(&spin, &self.frame(seen_from)?)?)
            }
            "dt" => Vector(rate_in(&vector(0)?, &self.frame(name(1)?)?)?),
            "reaction" => self.reaction(arguments)?,
            "kinetic" => Scalar(self.kinetic(name(0)?)?),
            "momentum" => {
                let mass = self.mass(name(0)?)?;
                let velocity = rate(&mass.center).ok_or_else(|| shorter("a velocity"))?;
                Vector(scale(&mass.mass, &velocity))
            }
            "angmom" => Vector(self.angular_momentum(arguments)?),
            _ => match self.user_function(function, arguments)? {
                Some(value) => value,
                None => Scalar(self.scalar_function(function, arguments)?),
            },
        })
    }

    fn scalar_function(&self, function: &str, arguments: &[Expr]) -> Found<Series<F>> {
        use Elementary as E;
        let mut values = Vec::new();
        for e in arguments {
            values.push(self.scalar(e)?);
        }
        let x = values.first().ok_or("no argument")?;
        let zero = Series::number(0.0);
        let elementary = match function {
            "sin" => E::Sin,
            "cos" => E::Cos,
            "tan" => E::Tan,
            "asin" => E::Asin,
            "acos" => E::Acos,
            "atan" => E::Atan,
            "sinh" => E::Sinh,
            "cosh" => E::Cosh,
            "tanh" => E::Tanh,
            "asinh" => E::Asinh,
            "acosh" => E::Acosh,
            "atanh" => E::Atanh,
            "exp" => E::Exp,
            "ln" | "log" => E::Ln,
            "sqrt" => E::Power(0.5),
            "abs" => {
                return Ok(if x.now().sign() == Ordering::Less {
                    x.neg()
                } else {
                    x.clone()
                });
            }
            "sign" => {
                let sign = x.now().sign() as i32;
                return Ok(Series::number(f64::from(sign)));
            }
            "step" => {
                let below = x.now().sign() == Ordering::Less;
                return Ok(Series::number(if below { 0.0 } else { 1.0 }));
            }
            "hypot" => {
                let square = x.mul(x).add(&values[1].mul(&values[1]));
                return Ok(square.power(0.5));
            }
            "min" | "max" => {
                let order = if function == "min" {
                    Ordering::Less
                } else {
                    Ordering::Greater
                };
                let rest = values[1..].iter();
                return Ok(rest.fold(x.clone(), |best, v| v.choose(&best, order)));
            }
            "clamp" => {
                let low = x.choose(&values[1], Ordering::Greater);
                return Ok(low.choose(&values[2], Ordering::Less));
            }
            "atan2" => return Ok(arc(x, &values[1], &zero)),
            other => return Err(format!("no function {other}")),
        };
        Ok(x.apply(elementary))
    }
}

/// The angle of the point (x, y), from the quotient that is at most one and a multiple of a right angle.
fn arc<F: Field>(y: &Series<F>, x: &Series<F>, zero: &Series<F>) -> Series<F> {
    let quarter = Series::number(2.0).mul(&Series::<F>::number(1.0).apply(Elementary::Atan));
    let abs = |s: &Series<F>| s.now().value().abs();
    let negative = |s: &Series<F>| s.now().sign() == Ordering::Less;
    if abs(x) >= abs(y) {
        let angle = y.div(x).apply(Elementary::Atan);
        if !negative(x) {
            return angle;
        }
        let half_turn = quarter.add(&quarter);
        return if negative(y) {
            angle.sub(&half_turn)
        } else {
            angle.add(&half_turn)
        };
    }
    let angle = zero.sub(&x.div(y).apply(Elementary::Atan));
    if negative(y) {
        angle.sub(&quarter)
    } else {
        angle.add(&quarter)
    }
}
