//! Which velocity of a file is the rate of a place, and which is one of its own. Knows samples of the motion.

use std::collections::{BTreeMap, BTreeSet};

use super::super::findings::Findings;
use super::classes::Class;
use super::facts::Facts;
use super::placing::{Placing, Where};
use super::sample::Sample;
use super::speeds::Speeds;
use crate::diag::codes::import::E0607;

/// What a velocity that differs from the rate of the place is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Velocity {
    /// That of the point of this frame, of which another point is fixed in it.
    Carried(String, String),
    /// What is assigned.
    Written,
}

/// Those that are not the rates of places, and points at rest that have to be led by velocities.
#[derive(Debug, Default)]
pub struct Velocities {
    pub own: BTreeMap<String, Velocity>,
    pub moving: BTreeSet<String>,
}

/// Compares all of them at random states.
pub fn compare(
    facts: &Facts,
    placing: &Placing,
    classes: &BTreeMap<String, Class>,
    speeds: &Speeds,
    findings: &mut Findings,
) -> Velocities {
    let samples: Vec<Sample> = [11, 12, 13]
        .map(|seed| Sample::draw(facts, placing, classes, speeds, seed))
        .into();
    let every = |says: &dyn Fn(&Sample) -> Option<bool>| {
        samples.iter().all(|sample| says(sample) == Some(true))
    };
    let some_not = |says: &dyn Fn(&Sample) -> Option<bool>| {
        samples.iter().any(|sample| says(sample) == Some(false))
    };
    let mut found = Velocities::default();
    for ((name, primes), value) in &facts.values {
        if *primes == 1
            && classes.get(name) == Some(&Class::Coord)
            && some_not(&|sample| sample.rate(name, value))
        {
            findings.error(
                E0607,
                format!("the rate of `{name}` does not go with the rest"),
                value.span,
                "the angular velocities, velocities and other rates say something else",
                "correct it, or remove what says the same a second time",
            );
        }
    }
    for (name, value) in &facts.vectors {
        let Some((of, seen)) = facts.two_frames_of(name, "w_") else {
            continue;
        };
        if some_not(&|sample| sample.turns(&of, &seen, value)) {
            findings.error(
                E0607,
                format!("`{name}>` is not how the frame turns"),
                value.span,
                "the orientation and the rates of its coordinates say something else",
                "correct it, or remove it: it follows from `SIMPROT` and `DIRCOS`",
            );
        }
    }
    for point in &placing.points {
        let name = &point.name;
        let stated = facts.vectors.get(&format!("v_{name}_{}", facts.newtonian));
        let two = facts.two_points.get(name);
        if matches!(point.place, Where::Led(_))
            || stated.is_none() && two.is_none()
            || every(&|sample| sample.agrees(name))
        {
            continue;
        }
        let heavy = facts.masses.contains_key(name)
            || name
                .strip_suffix('o')
                .is_some_and(|body| facts.masses.contains_key(body));
        if matches!(point.place, Where::Origin) {
            continue;
        }
        let stray = stated
            .map(|value| value.span)
            .or_else(|| facts.points.get(name).map(|point| point.span))
            .unwrap_or_default();
        if heavy && some_not(&|sample| sample.agrees(name)) {
            // A point at rest may be where a wheel touches: it is elsewhere in the next moment.
            let rest = resting(facts, placing, name);
            match rest.filter(|_| stated.is_some()) {
                Some(rest) => {
                    found.moving.insert(rest);
                }
                None => findings.error(
                    E0607,
                    format!("the velocity of `{name}` is not the rate of its place"),
                    stray,
                    "the positions and the rates of coordinates say something else",
                    "correct one of them; without a position the point is where its velocity leads it",
                ),
            }
            continue;
        }
        let own = carrier(facts, placing, &every, name);
        found.own.insert(name.clone(), own);
    }
    found
}

/// The point at rest that a place hangs on, other than the origin.
fn resting(facts: &Facts, placing: &Placing, name: &str) -> Option<String> {
    let mut name = name.to_owned();
    loop {
        let point = placing.point(&name)?;
        match &point.place {
            Where::From(from, ..) => name.clone_from(from),
            Where::Origin if name != format!("{}o", facts.newtonian) => return Some(name),
            _ => return None,
        }
    }
}

type Every<'a> = &'a dyn Fn(&dyn Fn(&Sample) -> Option<bool>) -> bool;

/// The body that carries a point along.
fn carrier(facts: &Facts, placing: &Placing, every: Every, name: &str) -> Velocity {
    let stated = facts
        .two_points
        .get(name)
        .map(|two| (two.body.clone(), two.known.clone()));
    let bodies = facts
        .frame_order
        .iter()
        .filter(|frame| facts.frames.get(*frame).is_some_and(|thing| thing.heavy));
    let centres = bodies.map(|body| (body.clone(), format!("{body}o")));
    let mut all = centres
        .chain(stated)
        .filter(|(_, known)| placing.point(known).is_some());
    let carries =
        |(frame, known): &(String, String)| every(&|sample| sample.carried(name, frame, known));
    match all.find(carries) {
        Some((frame, known)) => Velocity::Carried(frame, known),
        None => Velocity::Written,
    }
}
