//! The motion at one random state, with rates, in floating point: whether what a file writes as a velocity is the rate of what it writes
//! as a place. Knows expressions and kinematics, no text.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::classes::Class;
use super::facts::{Facts, Turn, element};
use super::placing::{Placing, Where};
use super::speeds::{Speeds, quaternions};
use super::tree::{Expr, Kind, Sign};

/// A value, and its rate where it is known.
#[derive(Clone, Copy, Debug)]
struct Dual {
    v: f64,
    d: Option<f64>,
}

type Vector = [Dual; 3];
type Matrix = [[Dual; 3]; 3];

const fn fixed(v: f64) -> Dual {
    Dual { v, d: Some(0.0) }
}

impl Dual {
    fn map(self, value: f64, slope: f64) -> Self {
        Self {
            v: value,
            d: self.d.map(|d| if d == 0.0 { 0.0 } else { d * slope }),
        }
    }

    fn with(self, other: Self, value: f64, first: f64, second: f64) -> Self {
        let d = self.d.zip(other.d).map(|(a, b)| a * first + b * second);
        Self { v: value, d }
    }

    fn add(self, other: Self) -> Self {
        self.with(other, self.v + other.v, 1.0, 1.0)
    }

    fn sub(self, other: Self) -> Self {
        self.with(other, self.v - other.v, 1.0, -1.0)
    }

    fn mul(self, other: Self) -> Self {
        self.with(other, self.v * other.v, other.v, self.v)
    }

    fn div(self, other: Self) -> Self {
        let value = self.v / other.v;
        self.with(other, value, 1.0 / other.v, -value / other.v)
    }
}

fn dot(a: Vector, b: Vector) -> Dual {
    (0..3).fold(fixed(0.0), |sum, axis| sum.add(a[axis].mul(b[axis])))
}

fn cross(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|axis| {
        let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
        a[j].mul(b[k]).sub(a[k].mul(b[j]))
    })
}

fn scaled(vector: Vector, factor: Dual) -> Vector {
    vector.map(|entry| entry.mul(factor))
}

fn sum(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|axis| a[axis].add(b[axis]))
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            (0..3).fold(fixed(0.0), |sum, k| sum.add(a[row][k].mul(b[k][column])))
        })
    })
}

/// The rates of a vector's components.
fn rates(vector: Vector) -> Option<Vector> {
    let mut out = [fixed(0.0); 3];
    for (axis, entry) in vector.iter().enumerate() {
        out[axis] = Dual {
            v: entry.d?,
            d: None,
        };
    }
    Some(out)
}

/// One state of a machine.
pub struct Sample<'a> {
    facts: &'a Facts,
    classes: &'a BTreeMap<String, Class>,
    speeds: &'a Speeds,
    scalars: BTreeMap<String, Dual>,
    /// Columns are the axes of each frame, in N.
    frames: BTreeMap<String, Matrix>,
    points: BTreeMap<String, Vector>,
    /// Names that are being evaluated.
    busy: RefCell<BTreeSet<String>>,
}

/// Numbers that look random.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let bits = u32::try_from(self.0 >> 33).unwrap_or(0);
        0.3 + 0.9 * f64::from(bits) / f64::from(u32::MAX >> 1)
    }
}

impl<'a> Sample<'a> {
    /// A state drawn by a number.
    pub fn draw(
        facts: &'a Facts,
        placing: &Placing,
        classes: &'a BTreeMap<String, Class>,
        speeds: &'a Speeds,
        seed: u64,
    ) -> Self {
        let mut draw = Draw(seed);
        let mut scalars = BTreeMap::new();
        for scalar in &facts.scalars {
            let v = draw.next();
            let rate = draw.next() - 0.7;
            let value = match classes.get(&scalar.name) {
                Some(Class::Param) if scalar.sign == Some('-') => fixed(-v),
                Some(Class::Param) => fixed(v),
                Some(Class::Zero) => fixed(0.0),
                Some(Class::Coord | Class::Function) => Dual { v, d: Some(rate) },
                Some(Class::Let | Class::Speed) => continue,
                _ => Dual { v, d: None },
            };
            scalars.insert(scalar.name.clone(), value);
        }
        scalars.insert(
            "t".to_owned(),
            Dual {
                v: draw.next(),
                d: Some(1.0),
            },
        );
        scalars.insert("pi".to_owned(), fixed(std::f64::consts::PI));
        for names in quaternions(placing) {
            normalize(&names, &mut scalars);
        }
        let mut sample = Self {
            facts,
            classes,
            speeds,
            scalars,
            frames: BTreeMap::new(),
            points: BTreeMap::new(),
            busy: RefCell::default(),
        };
        let unit: Matrix = std::array::from_fn(|row| {
            std::array::from_fn(|column| fixed(if row == column { 1.0 } else { 0.0 }))
        });
        sample.frames.insert(facts.newtonian.clone(), unit);
        for frame in &placing.frames {
            let Some(parent) = sample.frames.get(&frame.parent).copied() else {
                continue;
            };
            if let Some(turn) = sample.turned(&parent, &frame.parent, &frame.turn) {
                sample
                    .frames
                    .insert(frame.name.clone(), product(&parent, &turn));
            }
        }
        // Where velocities lead is known once the rest is.
        for _ in 0..2 {
            let mut led = 10.0;
            for point in &placing.points {
                let at = match &point.place {
                    Where::Origin => Some([fixed(0.0); 3]),
                    Where::Led(velocity) => {
                        led += 1.0;
                        let velocity = sample.vector(velocity);
                        Some(std::array::from_fn(|axis| Dual {
                            v: led,
                            d: velocity.map(|velocity| velocity[axis].v),
                        }))
                    }
                    Where::From(from, vector, minus) => {
                        let from = sample.points.get(from).copied();
                        let vector = sample.vector(vector);
                        let factor = if *minus { -1.0 } else { 1.0 };
                        from.zip(vector)
                            .map(|(from, vector)| sum(from, scaled(vector, fixed(factor))))
                    }
                };
                if let Some(at) = at {
                    sample.points.insert(point.name.clone(), at);
                }
            }
        }
        sample
    }

    /// The rotation from a parent, in the parent.
    fn turned(&self, axes: &Matrix, parent: &str, turn: &Turn) -> Option<Matrix> {
        let about = |axis: usize, angle: Dual| -> Matrix {
            let mut vector = [fixed(0.0); 3];
            vector[axis] = fixed(1.0);
            rodrigues(vector, angle)
        };
        Some(match turn {
            Turn::Axis(axis, angle) => {
                let angle = self.scalar(angle)?;
                let angle = if *axis < 0 {
                    fixed(0.0).sub(angle)
                } else {
                    angle
                };
                about(axis.unsigned_abs() as usize - 1, angle)
            }
            Turn::About(axis, angle) => {
                let axis = self.vector(axis)?;
                let _ = parent;
                let local: Vector =
                    std::array::from_fn(|k| dot([axes[0][k], axes[1][k], axes[2][k]], axis));
                let length = dot(local, local);
                let root = length.map(length.v.sqrt(), 0.5 / length.v.sqrt());
                rodrigues(local.map(|entry| entry.div(root)), self.scalar(angle)?)
            }
            Turn::Angles(space, which, angles) => {
                let mut all = about(0, fixed(0.0));
                for (axis, angle) in which.iter().zip(angles) {
                    let next = about(usize::from(*axis) - 1, self.scalar(angle)?);
                    all = if *space {
                        product(&next, &all)
                    } else {
                        product(&all, &next)
                    };
                }
                all
            }
            Turn::Euler(entries) => {
                let e: Option<Vec<Dual>> = entries.iter().map(|entry| self.scalar(entry)).collect();
                let e = e?;
                quaternion(e[3], [e[0], e[1], e[2]])
            }
            Turn::Rodrigues(entries) => {
                let p: Option<Vec<Dual>> = entries.iter().map(|entry| self.scalar(entry)).collect();
                let p = p?;
                let p = [p[0], p[1], p[2]];
                let length = dot(p, p).add(fixed(1.0));
                let root = length.map(length.v.sqrt(), 0.5 / length.v.sqrt());
                quaternion(fixed(1.0).div(root), p.map(|entry| entry.div(root)))
            }
            Turn::Cosines(entries) => {
                let all: Option<Vec<Dual>> =
                    entries.iter().map(|entry| self.scalar(entry)).collect();
                let all = all?;
                std::array::from_fn(|row| std::array::from_fn(|column| all[3 * row + column]))
            }
        })
    }

    /// The angular velocity of a frame in another.
    fn turning(&self, of: &str, seen: &str) -> Option<Vector> {
        let own = |name: &str| -> Option<Vector> {
            let axes = self.frames.get(name)?;
            // W = R' R^T
            let entry = |row: usize, column: usize| -> Option<f64> {
                (0..3).try_fold(0.0, |sum, k| {
                    Some(sum + axes[row][k].d? * axes[column][k].v)
                })
            };
            let value = |v: f64| Dual { v, d: None };
            Some([
                value(entry(2, 1)?),
                value(entry(0, 2)?),
                value(entry(1, 0)?),
            ])
        };
        Some(sum(own(of)?, scaled(own(seen)?, fixed(-1.0))))
    }

    fn moving(&self, point: &str) -> Option<Vector> {
        rates(*self.points.get(point)?)
    }

    /// Evaluates something that is made of other things, once.
    fn guarded<T>(&self, key: &str, value: impl FnOnce() -> Option<T>) -> Option<T> {
        if !self.busy.borrow_mut().insert(key.to_owned()) {
            return None;
        }
        let found = value();
        self.busy.borrow_mut().remove(key);
        found
    }

    fn name(&self, name: &str, primes: usize) -> Option<Dual> {
        if primes == 0 {
            if let Some(value) = self.scalars.get(name) {
                return Some(*value);
            }
            if let Some(value) = self.speeds.get(name) {
                return self.guarded(name, || self.scalar(value));
            }
            let value = self.facts.values.get(&(name.to_owned(), 0))?;
            return self.guarded(name, || self.scalar(value));
        }
        if primes > 1 {
            return None;
        }
        if self.classes.get(name) != Some(&Class::Coord)
            && let Some(value) = self.facts.values.get(&(name.to_owned(), 1))
        {
            return self.guarded(&format!("{name}'"), || self.scalar(value));
        }
        Some(Dual {
            v: self.name(name, 0)?.d?,
            d: None,
        })
    }

    fn scalar(&self, expr: &Expr) -> Option<Dual> {
        match &expr.kind {
            Kind::Number(text) => text.parse().ok().map(fixed),
            Kind::Name(name, primes) => self.name(name, *primes),
            Kind::Element(name, indices) => self.name(&element(name, indices)?, 0),
            Kind::Negative(inner) => Some(fixed(0.0).sub(self.scalar(inner)?)),
            Kind::Binary(sign, left, right) => {
                let (a, b) = (self.scalar(left)?, self.scalar(right)?);
                Some(match sign {
                    Sign::Plus => a.add(b),
                    Sign::Minus => a.sub(b),
                    Sign::Times => a.mul(b),
                    Sign::Over => a.div(b),
                    Sign::Power if b.d == Some(0.0) => {
                        a.map(a.v.powf(b.v), b.v * a.v.powf(b.v - 1.0))
                    }
                    Sign::Power => {
                        let value = a.v.powf(b.v);
                        a.with(b, value, b.v * a.v.powf(b.v - 1.0), value * a.v.ln())
                    }
                })
            }
            Kind::Call(name, arguments) => self.call(name, arguments),
            _ => None,
        }
    }

    fn call(&self, name: &str, arguments: &[Expr]) -> Option<Dual> {
        match (name, arguments) {
            ("dot", [a, b]) => return Some(dot(self.vector(a)?, self.vector(b)?)),
            ("mag", [a]) => {
                let a = self.vector(a)?;
                let square = dot(a, a);
                return Some(square.map(square.v.sqrt(), 0.5 / square.v.sqrt()));
            }
            ("dt", [a]) => {
                return Some(Dual {
                    v: self.scalar(a)?.d?,
                    d: None,
                });
            }
            ("explicit" | "expand" | "factor" | "rhs" | "zee" | "arrange", [a, ..]) => {
                return self.scalar(a);
            }
            _ => {}
        }
        let x = self.scalar(arguments.first()?)?;
        let v = x.v;
        Some(match name {
            "sin" => x.map(v.sin(), v.cos()),
            "cos" => x.map(v.cos(), -v.sin()),
            "tan" => x.map(v.tan(), 1.0 + v.tan() * v.tan()),
            "asin" => x.map(v.asin(), 1.0 / (1.0 - v * v).sqrt()),
            "acos" => x.map(v.acos(), -1.0 / (1.0 - v * v).sqrt()),
            "atan" => x.map(v.atan(), 1.0 / (1.0 + v * v)),
            "sinh" => x.map(v.sinh(), v.cosh()),
            "cosh" => x.map(v.cosh(), v.sinh()),
            "tanh" => x.map(v.tanh(), 1.0 - v.tanh() * v.tanh()),
            "sqrt" => x.map(v.sqrt(), 0.5 / v.sqrt()),
            "exp" => x.map(v.exp(), v.exp()),
            "log" | "ln" => x.map(v.ln(), 1.0 / v),
            "abs" => x.map(v.abs(), v.signum()),
            "atan2" => {
                let y = self.scalar(arguments.get(1)?)?;
                let square = v * v + y.v * y.v;
                x.with(y, v.atan2(y.v), y.v / square, -v / square)
            }
            _ => return None,
        })
    }

    fn vector(&self, expr: &Expr) -> Option<Vector> {
        match &expr.kind {
            Kind::Vector(name) => self.named(name),
            Kind::Turning(of, seen) => self.turning(of, seen),
            Kind::Moving(point) => self.moving(point),
            Kind::Negative(inner) => Some(scaled(self.vector(inner)?, fixed(-1.0))),
            Kind::Binary(Sign::Plus, left, right) => {
                Some(sum(self.vector(left)?, self.vector(right)?))
            }
            Kind::Binary(Sign::Minus, left, right) => Some(sum(
                self.vector(left)?,
                scaled(self.vector(right)?, fixed(-1.0)),
            )),
            Kind::Binary(Sign::Times, left, right) => match self.scalar(left) {
                Some(factor) => Some(scaled(self.vector(right)?, factor)),
                None => Some(scaled(self.vector(left)?, self.scalar(right)?)),
            },
            Kind::Binary(Sign::Over, left, right) => Some(scaled(
                self.vector(left)?,
                fixed(1.0).div(self.scalar(right)?),
            )),
            Kind::Call(name, arguments) => match (name.as_str(), &arguments[..]) {
                ("cross", [a, b]) => Some(cross(self.vector(a)?, self.vector(b)?)),
                ("unitvec", [a]) => {
                    let a = self.vector(a)?;
                    let square = dot(a, a);
                    let root = square.map(square.v.sqrt(), 0.5 / square.v.sqrt());
                    Some(a.map(|entry| entry.div(root)))
                }
                ("express" | "explicit" | "expand" | "factor" | "arrange", [a, ..]) => {
                    self.vector(a)
                }
                ("dt", [a, frame]) => {
                    let a = self.vector(a)?;
                    let seen = self.turning(frame.plain()?, &self.facts.newtonian)?;
                    Some(sum(rates(a)?, scaled(cross(seen, a), fixed(-1.0))))
                }
                ("vector", [frame, rest @ ..]) if rest.len() == 3 => {
                    let axes = *self.frames.get(frame.plain()?)?;
                    let parts: Option<Vec<Dual>> =
                        rest.iter().map(|part| self.scalar(part)).collect();
                    let parts = parts?;
                    Some(std::array::from_fn(|row| {
                        dot(axes[row], [parts[0], parts[1], parts[2]])
                    }))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn named(&self, name: &str) -> Option<Vector> {
        if name == "0" {
            return Some([fixed(0.0); 3]);
        }
        if let Some((frame, axis)) = self.facts.axis(name) {
            let axes = self.frames.get(&frame)?;
            return Some(std::array::from_fn(|row| axes[row][axis]));
        }
        if let Some((from, to)) = self.facts.two_points_of(name, "p_") {
            return Some(sum(
                *self.points.get(&to)?,
                scaled(*self.points.get(&from)?, fixed(-1.0)),
            ));
        }
        if let Some((of, seen)) = self.facts.two_frames_of(name, "w_")
            && let Some(found) = self.turning(&of, &seen)
        {
            return Some(found);
        }
        if let Some((point, seen)) = self.facts.of_point(name, "v_")
            && seen == self.facts.newtonian
            && let Some(found) = self.velocity(&point)
        {
            return Some(found);
        }
        let value = self.facts.vectors.get(name)?;
        self.guarded(&format!("{name}>"), || self.vector(value))
    }

    /// The velocity of a point as the file says it.
    fn velocity(&self, point: &str) -> Option<Vector> {
        let key = format!("v_{point}_{}", self.facts.newtonian);
        if let Some(two) = self.facts.two_points.get(point) {
            return self.guarded(&key, || {
                let known = self.named(&format!("v_{}_{}", two.known, self.facts.newtonian))?;
                let arm = self.named(&format!("p_{}_{point}", two.known))?;
                Some(sum(
                    known,
                    cross(self.turning(&two.body, &self.facts.newtonian)?, arm),
                ))
            });
        }
        match self.facts.vectors.get(&key) {
            Some(value) => self.guarded(&key, || self.vector(value)),
            None => self.moving(point),
        }
    }

    /// Whether the velocity that the file writes is the rate of the place; `None` where nothing is known.
    pub fn agrees(&self, point: &str) -> Option<bool> {
        Some(near(self.velocity(point)?, self.moving(point)?))
    }

    /// Whether it is that of the point of a frame whose point `known` has a velocity by its place.
    pub fn carried(&self, point: &str, frame: &str, known: &str) -> Option<bool> {
        let arm = sum(
            *self.points.get(point)?,
            scaled(*self.points.get(known)?, fixed(-1.0)),
        );
        let carried = sum(
            self.moving(known)?,
            cross(self.turning(frame, &self.facts.newtonian)?, arm),
        );
        Some(near(self.velocity(point)?, carried))
    }

    /// Whether an angular velocity is written as the orientations say.
    pub fn turns(&self, of: &str, seen: &str, written: &Expr) -> Option<bool> {
        Some(near(self.vector(written)?, self.turning(of, seen)?))
    }

    /// Whether the rate of a coordinate is written as the speeds say.
    pub fn rate(&self, name: &str, written: &Expr) -> Option<bool> {
        let value = self.scalar(written)?;
        let rate = self.scalars.get(name)?.d?;
        Some((value.v - rate).abs() <= 1e-9 * (1.0 + rate.abs()))
    }
}

fn near(a: Vector, b: Vector) -> bool {
    let size = b
        .iter()
        .fold(1.0_f64, |most, entry| most.max(entry.v.abs()));
    (0..3).all(|axis| (a[axis].v - b[axis].v).abs() <= 1e-9 * size)
}

/// A rotation about a unit vector.
fn rodrigues(axis: Vector, angle: Dual) -> Matrix {
    let (s, c) = angle.v.sin_cos();
    let (sine, cosine) = (angle.map(s, c), angle.map(c, -s));
    let rest = fixed(1.0).sub(cosine);
    std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            let both = axis[row].mul(axis[column]).mul(rest);
            if row == column {
                return both.add(cosine);
            }
            let third = 3 - row - column;
            let turned = axis[third].mul(sine);
            if (row + 1) % 3 == column {
                both.sub(turned)
            } else {
                both.add(turned)
            }
        })
    })
}

fn quaternion(e0: Dual, e: Vector) -> Matrix {
    let two = fixed(2.0);
    let square = dot(e, e);
    std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            let both = e[row].mul(e[column]).mul(two);
            if row == column {
                return both.add(e0.mul(e0)).sub(square);
            }
            let third = 3 - row - column;
            let turned = e[third].mul(e0).mul(two);
            if (row + 1) % 3 == column {
                both.sub(turned)
            } else {
                both.add(turned)
            }
        })
    })
}

/// Four coordinates of length 1, and rates that keep it.
fn normalize(names: &[String; 4], scalars: &mut BTreeMap<String, Dual>) {
    let all: Option<Vec<Dual>> = names
        .iter()
        .map(|name| scalars.get(name).copied())
        .collect();
    let Some(all) = all else { return };
    let length = all.iter().map(|e| e.v * e.v).sum::<f64>().sqrt();
    let values: Vec<f64> = all.iter().map(|e| e.v / length).collect();
    let along: f64 = all
        .iter()
        .zip(&values)
        .map(|(e, v)| e.d.unwrap_or(0.0) * v)
        .sum();
    for ((name, e), v) in names.iter().zip(&all).zip(&values) {
        let d = e.d.unwrap_or(0.0) - along * v;
        scalars.insert(name.clone(), Dual { v: *v, d: Some(d) });
    }
}
