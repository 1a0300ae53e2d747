//! Frames in the order in which one is turned from another, points likewise. Knows orientations and places, no values.

use std::collections::{BTreeMap, BTreeSet};

use super::super::findings::Findings;
use super::facts::{Facts, Turn, Turned};
use super::tree::{Expr, Kind};
use crate::diag::codes::import::{E0603, E0607};

/// A frame, turned from one that is known.
#[derive(Clone, Debug)]
pub struct Oriented {
    pub name: String,
    pub parent: String,
    pub turn: Turn,
}

/// Where a point is.
#[derive(Clone, Debug)]
pub enum Where {
    /// At a point plus a vector, or minus it.
    From(String, Expr, bool),
    /// At the origin.
    Origin,
    /// Wherever its velocity has led it.
    Led(Expr),
}

/// A point whose place is known.
#[derive(Clone, Debug)]
pub struct Located {
    pub name: String,
    pub place: Where,
}

/// Both, in an order in which each thing follows those that it is made of.
#[derive(Debug, Default)]
pub struct Placing {
    pub frames: Vec<Oriented>,
    pub points: Vec<Located>,
}

impl Placing {
    pub fn frame(&self, name: &str) -> Option<&Oriented> {
        self.frames.iter().find(|frame| frame.name == name)
    }

    pub fn point(&self, name: &str) -> Option<&Located> {
        self.points.iter().find(|point| point.name == name)
    }

    /// Whether a frame is turned from N by this.
    pub fn has_frame(&self, facts: &Facts, name: &str) -> bool {
        name == facts.newtonian || self.frame(name).is_some()
    }
}

/// Puts them in order. `led`: points that are where their velocities lead them, though these vanish.
pub fn place(facts: &Facts, led: &BTreeSet<String>, findings: &mut Findings) -> Placing {
    let mut placing = Placing::default();
    orient(facts, &mut placing, findings);
    locate(facts, led, &mut placing, findings);
    placing
}

fn orient(facts: &Facts, placing: &mut Placing, findings: &mut Findings) {
    let mut known: BTreeSet<String> = [facts.newtonian.clone()].into();
    let mut left: Vec<&Turned> = facts.turns.iter().collect();
    loop {
        let ready = left
            .iter()
            .position(|turn| known.contains(&turn.parent) || known.contains(&turn.child));
        let Some(at) = ready else { break };
        let turned = left.remove(at);
        let (has_parent, has_child) = (
            known.contains(&turned.parent),
            known.contains(&turned.child),
        );
        if has_parent && has_child {
            findings.error(
                E0607,
                "an orientation that follows from others",
                turned.span,
                "both frames are turned from N already",
                "remove it; where it is a condition, write it as an equation of `DEPENDENT`",
            );
            continue;
        }
        let turn = if has_parent {
            Some(turned.turn.clone())
        } else {
            reversed(&turned.turn)
        };
        let Some(turn) = turn else {
            findings.error(
                E0603,
                "an orientation of a frame that is closer to N",
                turned.span,
                "is given relative to one that is farther away",
                "turn the second frame from the first: `DIRCOS(N, A, ..)`",
            );
            continue;
        };
        let (parent, name) = if has_parent {
            (&turned.parent, &turned.child)
        } else {
            (&turned.child, &turned.parent)
        };
        known.insert(name.clone());
        placing.frames.push(Oriented {
            name: name.clone(),
            parent: parent.clone(),
            turn,
        });
    }
}

fn reversed(turn: &Turn) -> Option<Turn> {
    let negative = |expr: &Expr| Expr::new(Kind::Negative(Box::new(expr.clone())), expr.span);
    Some(match turn {
        Turn::Axis(axis, angle) => Turn::Axis(*axis, negative(angle)),
        Turn::About(axis, angle) => Turn::About(axis.clone(), negative(angle)),
        Turn::Angles(space, [a, b, c], angles) => Turn::Angles(
            *space,
            [*c, *b, *a],
            angles.iter().rev().map(negative).collect(),
        ),
        Turn::Cosines(entries) => {
            let order = [0, 3, 6, 1, 4, 7, 2, 5, 8];
            Turn::Cosines(
                order
                    .iter()
                    .filter_map(|at| entries.get(*at).cloned())
                    .collect(),
            )
        }
        Turn::Euler(_) | Turn::Rodrigues(_) => return None,
    })
}

/// Whether the velocity of a point in N is stated to vanish.
fn rests(facts: &Facts, point: &str) -> bool {
    let name = format!("v_{point}_{}", facts.newtonian);
    matches!(facts.vectors.get(&name).map(|value| &value.kind), Some(Kind::Vector(zero)) if zero == "0")
}

fn locate(facts: &Facts, led: &BTreeSet<String>, placing: &mut Placing, findings: &mut Findings) {
    let origin = format!("{}o", facts.newtonian);
    let mut known: BTreeMap<String, ()> = BTreeMap::new();
    let mut used = vec![false; facts.places.len()];
    let put =
        |placing: &mut Placing, known: &mut BTreeMap<String, ()>, name: &str, place: Where| {
            known.insert(name.to_owned(), ());
            placing.points.push(Located {
                name: name.to_owned(),
                place,
            });
        };
    put(placing, &mut known, &origin, Where::Origin);
    loop {
        // Everything that hangs together with what is known.
        while let Some(at) = (0..used.len()).find(|at| {
            let place = &facts.places[*at];
            !used[*at] && (known.contains_key(&place.from) || known.contains_key(&place.to))
        }) {
            used[at] = true;
            let place = &facts.places[at];
            let (has_from, has_to) = (
                known.contains_key(&place.from),
                known.contains_key(&place.to),
            );
            let itself = format!("p_{}_{}", place.from, place.to);
            let again = place
                .vector
                .any(&|part| part.kind == Kind::Vector(itself.clone()));
            if has_from && has_to {
                if !again {
                    findings.error(
                        E0607,
                        format!("`{itself}>` follows from other places"),
                        place.span,
                        "both points are known already",
                        "remove it; where a loop closes, write the components of the vector that vanishes as `DEPENDENT[1] = DT(DOT(..))`",
                    );
                }
                continue;
            }
            let (from, to, minus) = if has_from {
                (&place.from, &place.to, false)
            } else {
                (&place.to, &place.from, true)
            };
            put(
                placing,
                &mut known,
                to,
                Where::From(from.clone(), place.vector.clone(), minus),
            );
        }
        let mut free = facts
            .point_order
            .iter()
            .filter(|name| !known.contains_key(*name));
        let fixed = facts
            .point_order
            .iter()
            .find(|name| !known.contains_key(*name) && rests(facts, name) && !led.contains(*name));
        if let Some(name) = fixed {
            put(placing, &mut known, name, Where::Origin);
            continue;
        }
        let heavy = |name: &str| {
            facts.masses.contains_key(name)
                || name
                    .strip_suffix('o')
                    .is_some_and(|body| facts.masses.contains_key(body))
        };
        let velocity = |name: &str| {
            let value = facts
                .vectors
                .get(&format!("v_{name}_{}", facts.newtonian))?;
            (!matches!(&value.kind, Kind::Vector(zero) if zero == "0")).then(|| value.clone())
        };
        let mut order: Vec<&String> = free.by_ref().collect();
        order.sort_by_key(|name| !heavy(name));
        let Some((name, velocity)) = order
            .into_iter()
            .find_map(|name| Some((name, velocity(name)?)))
        else {
            return;
        };
        put(placing, &mut known, name, Where::Led(velocity));
    }
}
