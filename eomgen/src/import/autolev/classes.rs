//! What each variable turns out to be: a coordinate, a speed, an input. Knows where it is used, not what is made of it.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::{Facts, Scalar, Turn, Word};
use super::numbers;
use super::placing::{Placing, Where};
use super::tree::{Expr, Kind};

/// What a scalar is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Param,
    Coord,
    Speed,
    /// A state of first order.
    State,
    Input,
    /// A given function of time.
    Function,
    /// A name for an expression.
    Let,
    /// 0 on every motion.
    Zero,
    /// Of no use.
    Unused,
}

/// Scalars that an expression uses, also through names of expressions: with the most primes of each.
pub fn used(facts: &Facts, expr: &Expr, all: &mut BTreeMap<String, usize>) {
    match &expr.kind {
        Kind::Name(name, primes) => reach(facts, name, *primes, all),
        Kind::Element(name, indices) => {
            if let Some(name) = super::facts::element(name, indices) {
                reach(facts, &name, 0, all);
            }
        }
        Kind::Vector(name) => {
            if !all.contains_key(&format!("{name}>"))
                && let Some(value) = facts.vectors.get(name)
            {
                all.insert(format!("{name}>"), 0);
                used(facts, value, all);
            }
        }
        _ => {}
    }
    for part in expr.parts() {
        used(facts, part, all);
    }
}

fn reach(facts: &Facts, name: &str, primes: usize, all: &mut BTreeMap<String, usize>) {
    if all.get(name).is_some_and(|most| *most >= primes) {
        return;
    }
    all.insert(name.to_owned(), primes);
    if let Some(value) = facts.values.get(&(name.to_owned(), 0)) {
        used(facts, value, all);
    }
}

/// The classes of all declared scalars.
pub fn classes(facts: &Facts, placing: &Placing) -> BTreeMap<String, Class> {
    let mut geometry = BTreeMap::new();
    for frame in &placing.frames {
        let parts: Vec<&Expr> = match &frame.turn {
            Turn::Axis(_, angle) => vec![angle],
            Turn::About(axis, angle) => vec![axis, angle],
            Turn::Angles(_, _, all)
            | Turn::Euler(all)
            | Turn::Rodrigues(all)
            | Turn::Cosines(all) => all.iter().collect(),
        };
        parts
            .into_iter()
            .for_each(|part| used(facts, part, &mut geometry));
    }
    let mut motion = BTreeMap::new();
    for point in &placing.points {
        match &point.place {
            Where::From(_, vector, _) => used(facts, vector, &mut geometry),
            Where::Led(velocity) => used(facts, velocity, &mut motion),
            Where::Origin => {}
        }
    }
    for (name, value) in &facts.vectors {
        if name.starts_with("v_") || name.starts_with("w_") {
            used(facts, value, &mut motion);
        }
    }
    for ((_, primes), value) in &facts.values {
        if *primes > 0 {
            used(facts, value, &mut motion);
        }
    }
    for (name, _) in &facts.dependents {
        reach(facts, name, 0, &mut motion);
    }
    motion.extend(facts.dependent_speeds.iter().map(|name| (name.clone(), 0)));
    let mut loads = BTreeMap::new();
    for vector in facts
        .loads
        .iter()
        .map(|load| &load.vector)
        .chain(facts.gravity.iter().map(|(vector, ..)| vector))
    {
        used(facts, vector, &mut loads);
    }
    let mut shown = BTreeMap::new();
    facts
        .outputs
        .iter()
        .for_each(|output| used(facts, output, &mut shown));
    let context = Context {
        facts,
        geometry,
        motion,
        loads,
        shown,
    };
    facts
        .scalars
        .iter()
        .map(|scalar| (scalar.name.clone(), context.class(scalar)))
        .collect()
}

struct Context<'a> {
    facts: &'a Facts,
    geometry: BTreeMap<String, usize>,
    motion: BTreeMap<String, usize>,
    loads: BTreeMap<String, usize>,
    shown: BTreeMap<String, usize>,
}

impl Context<'_> {
    fn class(&self, scalar: &Scalar) -> Class {
        let name = &scalar.name;
        let value = |primes| self.facts.values.get(&(name.clone(), primes));
        if self.facts.vanish.contains(name) {
            return Class::Zero;
        }
        if scalar.word == Word::Constant
            && value(0).is_some_and(|value| numbers::number(value).is_some())
        {
            return Class::Param;
        }
        if let Some(value) = value(0) {
            let moves = scalar.primes > 0
                && scalar.word != Word::Specified
                && scalar.word != Word::Constant
                && self.rate(value);
            return if moves && !self.geometry.contains_key(name) {
                Class::Speed
            } else {
                Class::Let
            };
        }
        let (geometry, motion) = (
            self.geometry.contains_key(name),
            self.motion.contains_key(name),
        );
        // What gets a value once and changes by nothing.
        let once = scalar.primes == 0 && self.facts.given.iter().any(|given| given.name == *name);
        match scalar.word {
            Word::Constant => Class::Param,
            _ if once && value(1).is_none() => Class::Param,
            Word::Specified if geometry || scalar.primes > 0 => Class::Function,
            Word::Specified => Class::Input,
            _ if geometry => Class::Coord,
            _ if value(1).is_some() => self.integrated(name),
            _ if self.facts.solved.contains(name) && !motion && !self.loads.contains_key(name) => {
                Class::Unused
            }
            _ if motion && scalar.primes > 0 => Class::Speed,
            _ if scalar.word == Word::Motion && scalar.primes >= 2 => Class::Coord,
            _ if self.loads.contains_key(name)
                || motion
                || self.shown.contains_key(name) && scalar.primes == 0 =>
            {
                Class::Input
            }
            _ => Class::Unused,
        }
    }

    /// Whether an expression is of rates or velocities.
    fn rate(&self, value: &Expr) -> bool {
        let mut all = BTreeMap::new();
        used(self.facts, value, &mut all);
        all.iter().any(|(name, primes)| *primes > 0 || name.starts_with("v_") || name.starts_with("w_"))
            || value.any(&|part| matches!(&part.kind, Kind::Vector(name) if name.starts_with("w_") || name.starts_with("v_")))
    }

    /// A variable in no place or orientation whose rate is assigned: a coordinate that nothing depends on if its rate is a speed of its own.
    fn integrated(&self, name: &str) -> Class {
        let speed = |value: &Expr| value.plain().map(str::to_owned);
        let own = self.facts.values.get(&(name.to_owned(), 1)).and_then(speed);
        let Some(own) = own else { return Class::State };
        let elsewhere: BTreeSet<&String> = self
            .facts
            .values
            .iter()
            .filter(|((other, primes), value)| {
                *primes == 1 && other != name && value.plain() == Some(&own)
            })
            .map(|((other, _), _)| other)
            .collect();
        let is_speed = self
            .facts
            .scalar(&own)
            .is_some_and(|scalar| scalar.primes > 0);
        if is_speed && elsewhere.is_empty() {
            Class::Coord
        } else {
            Class::State
        }
    }
}
