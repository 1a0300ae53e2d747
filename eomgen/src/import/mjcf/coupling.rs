//! Equality constraints of MJCF: joints that follow joints, bodies that meet in a point or entirely. Knows elements and attributes.

use roxmltree::Node;

use super::super::decimal::Decimal;
use super::super::robot::{Equality, Law, Mark, Robot, Triple, origin};
use super::super::turn::{IDENTITY, Matrix, Turn, product, turned};
use super::super::xml::{elements, place};
use super::classes::Element;
use super::{Reader, pose};
use crate::diag::codes::import::E0602;
use crate::diag::suggest::closest;

/// Reads all of `equality`.
pub fn read<'a>(reader: &mut Reader<'_, 'a>, root: Node<'a, '_>) {
    for section in elements(root).filter(|node| node.has_tag_name("equality")) {
        for node in elements(section) {
            let element = reader.classes.element(node, "main", reader.findings);
            if element.text("active") == Some("false") {
                let name = node.attribute("name").unwrap_or("");
                reader.findings.left_out(
                    "equality constraints that are not active",
                    name,
                    place(node),
                );
                continue;
            }
            let law = match node.tag_name().name() {
                "joint" => joint(reader, &element),
                "connect" => connect(reader, &element),
                "weld" => weld(reader, &element),
                _ => {
                    reader.refuse(
                        node,
                        "only `joint`, `connect` and `weld` are read",
                        "state it by a `constraint` in the model",
                    );
                    None
                }
            };
            reader.robot.equalities.extend(law.map(|law| Equality {
                name: element.text("name").unwrap_or("").to_owned(),
                span: place(node),
                law,
            }));
        }
    }
}

/// A joint with one coordinate, by its name.
fn named_joint(reader: &mut Reader, element: &Element, attribute: &str) -> Option<(usize, usize)> {
    let (name, at) = element.attribute(attribute)?;
    let single =
        |(_, joint): &((usize, usize), &super::super::robot::Joint)| joint.turns().is_some();
    let found = reader
        .robot
        .joints()
        .filter(single)
        .find(|(_, joint)| joint.name == name);
    let found = found.map(|(place, _)| place);
    if found.is_none() {
        let names: Vec<&str> = reader
            .robot
            .joints()
            .map(|(_, joint)| joint.name.as_str())
            .collect();
        let help = match closest(name, names) {
            Some(word) => format!("did you mean `{word}`?"),
            None => "name a hinge or a slide".to_owned(),
        };
        let title = format!("there is no joint `{name}` with one coordinate");
        reader.findings.error(E0602, title, at, "named here", help);
    }
    found
}

fn joint(reader: &mut Reader, element: &Element) -> Option<Law> {
    let follower = named_joint(reader, element, "joint1")?;
    let leader = match element.text("joint2") {
        Some(_) => Some(named_joint(reader, element, "joint2")?),
        None => None,
    };
    let standard = || vec![Decimal::zero(), Decimal::one()];
    let coefficients = element
        .numbers("polycoef", reader.findings)
        .unwrap_or_else(standard);
    Some(Law::Joint {
        follower,
        leader,
        coefficients,
    })
}

/// A body by its name; the world where none is named.
fn body(reader: &mut Reader, element: &Element, attribute: &str) -> Option<usize> {
    let Some((name, at)) = element.attribute(attribute) else {
        return Some(0);
    };
    let found = reader.robot.links.iter().position(|link| link.name == name);
    if found.is_none() {
        let names: Vec<&str> = reader
            .robot
            .links
            .iter()
            .map(|link| link.name.as_str())
            .collect();
        let help = match closest(name, names) {
            Some(word) => format!("did you mean `{word}`?"),
            None => "name a body of this model".to_owned(),
        };
        reader.findings.error(
            E0602,
            format!("there is no body `{name}`"),
            at,
            "named here",
            help,
        );
    }
    found
}

/// A named point of a body.
fn site(reader: &mut Reader, element: &Element, attribute: &str) -> Option<(usize, Mark)> {
    let (name, at) = element.attribute(attribute)?;
    let found = reader
        .robot
        .links
        .iter()
        .enumerate()
        .find_map(|(link, it)| {
            let mark = it.marks.iter().find(|mark| mark.name == name)?;
            Some((link, mark.clone()))
        });
    if found.is_none() {
        let title = format!("there is no site `{name}`");
        reader
            .findings
            .error(E0602, title, at, "named here", "name a site of a body");
    }
    found
}

fn connect(reader: &mut Reader, element: &Element) -> Option<Law> {
    if element.text("site1").is_some() {
        let (one, p) = site(reader, element, "site1")?;
        let (other, q) = site(reader, element, "site2")?;
        let ends = [(one, p.at), (other, q.at)];
        return Some(Law::Connect(Box::new(ends)));
    }
    let (one, other) = (
        body(reader, element, "body1")?,
        body(reader, element, "body2")?,
    );
    let anchor = pose::place(element, "anchor", reader.findings);
    let (turn, from) = between(&reader.robot, one, other);
    let seen = turned(&turn, &anchor.each_ref().map(Decimal::to_double));
    let there = std::array::from_fn(|i| short(seen[i] + from[i]));
    Some(Law::Connect(Box::new([(one, anchor), (other, there)])))
}

fn weld(reader: &mut Reader, element: &Element) -> Option<Law> {
    if element.text("site1").is_some() {
        let (one, p) = site(reader, element, "site1")?;
        let (other, q) = site(reader, element, "site2")?;
        let (turn, back) = (p.turn.matrix(), q.turn.matrix());
        let back: Matrix = std::array::from_fn(|i| std::array::from_fn(|j| back[j][i]));
        // The axes of the second body at the first site, and where its origin is there.
        let seen = product(&turn, &back);
        let shift = turned(&seen, &q.at.each_ref().map(Decimal::to_double));
        let at: Triple = match q.at.iter().all(Decimal::is_zero) {
            true => p.at,
            false => std::array::from_fn(|i| short(p.at[i].to_double() - shift[i])),
        };
        return Some(Law::Weld(Box::new([
            (one, at, Turn::matrix_of(&seen)),
            (other, origin(), Turn::None),
        ])));
    }
    let (one, other) = (
        body(reader, element, "body1")?,
        body(reader, element, "body2")?,
    );
    if let Some(pose) = element.exactly::<7>("relpose", reader.findings) {
        let [x, y, z, parts @ ..] = pose;
        // Without an orientation it is the pose at the beginning.
        if parts.iter().any(|part| !part.is_zero()) {
            return Some(Law::Weld(Box::new([
                (one, [x, y, z], Turn::quaternion(parts)),
                (other, origin(), Turn::None),
            ])));
        }
    }
    // The origin and the axes of the second body, seen from the first.
    let (turn, from) = between(&reader.robot, other, one);
    let at: Triple = from.map(short);
    Some(Law::Weld(Box::new([
        (one, at, Turn::matrix_of(&turn)),
        (other, origin(), Turn::None),
    ])))
}

/// Axes and origin of one link in those of another, all joints at their reference.
fn between(robot: &Robot, one: usize, other: usize) -> (Matrix, [f64; 3]) {
    let (a, p) = pose_of(robot, one);
    let (b, q) = pose_of(robot, other);
    let back: Matrix = std::array::from_fn(|i| std::array::from_fn(|j| b[j][i]));
    let difference = std::array::from_fn(|i| p[i] - q[i]);
    (product(&back, &a), turned(&back, &difference))
}

/// Axes and origin of a link in the world; of a free body as if it began at the origin of its coordinates.
fn pose_of(robot: &Robot, link: usize) -> (Matrix, [f64; 3]) {
    let mut chain = Vec::new();
    let mut at = Some(link);
    while let Some(link) = at {
        chain.push(link);
        at = robot.links[link].parent;
    }
    let (mut turn, mut place) = (IDENTITY, [0.0; 3]);
    for link in chain.into_iter().rev() {
        let link = &robot.links[link];
        let mut at = link.at.each_ref().map(Decimal::to_double);
        for joint in &link.joints {
            for (sum, start) in at.iter_mut().zip(&joint.start) {
                *sum += start.to_double();
            }
        }
        let step = turned(&turn, &at);
        place = std::array::from_fn(|i| place[i] + step[i]);
        let started = link.joints.iter().map(|joint| joint.start_turn.matrix());
        let own = started.fold(link.turn.matrix(), |sum, turn| product(&sum, &turn));
        turn = product(&turn, &own);
    }
    (turn, place)
}

/// A length without what rounding made of it, which differs from machine to machine.
fn short(value: f64) -> Decimal {
    Decimal::of_double((value * 1e13).round() / 1e13).rounded(13)
}
