//! Limbs that are equal but for numbers: which subtrees of a machine are one part used several times. Knows no format and no text but
//! names.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use super::decimal::Decimal;
use super::numbers::{self, Role};
use super::robot::{Form, Law, Link, Mass, Motion, Robot, Shape, origin};
use super::stem;
use super::turn::{Axis, Turn};

/// Fewest coordinates of a limb worth a part.
const FEWEST: usize = 2;
/// Most numbers that a part may be given, as a share of its own: one in so many.
const SHARE: usize = 4;
/// What it may be given in any case.
const ALWAYS: usize = 6;

/// A part and where it is used.
#[derive(Clone, Debug)]
pub struct Limb {
    /// Name of the part.
    pub name: String,
    /// Its links, the first fastened to what it needs.
    pub robot: Robot,
    /// What it needs beside a frame and a point: names, with a number for each use.
    pub scalars: Vec<(String, Vec<Decimal>)>,
    /// The uses.
    pub members: Vec<Member>,
}

/// A use of a part.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Links of the machine in the order of those of the part.
    pub links: Vec<usize>,
    /// Initial values of coordinates that differ: link of the part, joint, value.
    pub initial: Vec<(usize, usize, Decimal)>,
}

/// All parts, outermost limbs first.
pub fn find(robot: &Robot) -> Vec<Limb> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); robot.links.len()];
    for (at, link) in robot.links.iter().enumerate() {
        if let Some(parent) = link.parent {
            children[parent].push(at);
        }
    }
    let mut signatures = vec![String::new(); robot.links.len()];
    for at in (0..robot.links.len()).rev() {
        let inner: Vec<&str> = children[at]
            .iter()
            .map(|child| signatures[*child].as_str())
            .collect();
        signatures[at] = format!("{}({})", signature(&robot.links[at]), inner.join(";"));
    }
    let tied = tied(robot);
    let mut taken = vec![false; robot.links.len()];
    let mut found = Vec::new();
    for at in 0..robot.links.len() {
        if taken[at] {
            continue;
        }
        let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for child in &children[at] {
            groups.entry(&signatures[*child]).or_default().push(*child);
        }
        let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
        groups.sort();
        for roots in groups.into_iter().filter(|roots| roots.len() > 1) {
            let members: Vec<Vec<usize>> =
                roots.iter().map(|root| below(*root, &children)).collect();
            if members
                .iter()
                .flatten()
                .any(|link| taken[*link] || tied.contains(link))
            {
                continue;
            }
            if let Some(limb) = limb(robot, &members) {
                members
                    .iter()
                    .flatten()
                    .for_each(|link| taken[*link] = true);
                found.push(limb);
            }
        }
    }
    name_uses(&mut found);
    found
}

/// Links that are named by something beside the tree.
fn tied(robot: &Robot) -> BTreeSet<usize> {
    let mut all = BTreeSet::new();
    for equality in &robot.equalities {
        match &equality.law {
            Law::Joint { .. } => {}
            Law::Connect(ends) => all.extend(ends.iter().map(|(link, _)| *link)),
            Law::Weld(ends) => all.extend(ends.iter().map(|(link, ..)| *link)),
        }
    }
    all
}

/// A link with all that hang on it.
fn below(root: usize, children: &[Vec<usize>]) -> Vec<usize> {
    let mut all = Vec::new();
    let mut open = vec![root];
    while let Some(link) = open.pop() {
        all.push(link);
        open.extend(children[link].iter().rev());
    }
    all
}

/// All of a link but names and numbers.
fn signature(link: &Link) -> String {
    let joints: Vec<String> = link
        .joints
        .iter()
        .map(|joint| {
            let has = [
                &joint.damping,
                &joint.friction,
                &joint.stiffness,
                &joint.rotor,
            ]
            .map(|n| !n.is_zero());
            format!("{}{}{has:?}", kind(&joint.motion), joint.driven)
        })
        .collect();
    let masses: Vec<String> = link.masses.iter().map(mass_kind).collect();
    let shapes: Vec<String> = link.shapes.iter().map(shape_kind).collect();
    format!(
        "{}{joints:?}{masses:?}{shapes:?}{}",
        turn_kind(&link.turn),
        link.marks.len()
    )
}

fn kind(motion: &Motion) -> String {
    // Which components of an axis there are.
    let axis = |axis: &super::robot::Triple| axis.each_ref().map(|n| u8::from(!n.is_zero()));
    match motion {
        Motion::Hinge(it) => format!("hinge{:?}", axis(it)),
        Motion::Slide(it) => format!("slide{:?}", axis(it)),
        Motion::Planar(axis) => format!("planar{}", axis.letter()),
        Motion::Ball => "ball".to_owned(),
        Motion::Free | Motion::FreeEuler => "free".to_owned(),
        Motion::Locked(inner, held) => format!("held{}{held:?}", kind(inner)),
    }
}

fn mass_kind(mass: &Mass) -> String {
    let inertia = mass.inertia.iter().any(|entry| !entry.is_zero());
    let products = mass.inertia[3..].iter().any(|entry| !entry.is_zero());
    format!("{inertia}{products}{}", turn_kind(&mass.turn))
}

fn shape_kind(shape: &Shape) -> String {
    let form = match shape.form {
        Form::Box(_) => "box",
        Form::Cylinder(..) => "cylinder",
        Form::Sphere(_) => "sphere",
    };
    format!("{form}{:?}{}", shape.colour, turn_kind(&shape.turn))
}

fn turn_kind(turn: &Turn) -> String {
    let letters = |steps: &[(Axis, super::turn::Angle)]| -> String {
        steps.iter().map(|(axis, _)| axis.letter()).collect()
    };
    let unit = |steps: &[(Axis, super::turn::Angle)]| -> String {
        let degrees = |angle: &super::turn::Angle| matches!(angle, super::turn::Angle::Degrees(_));
        steps
            .iter()
            .map(|(_, angle)| if degrees(angle) { 'd' } else { 'r' })
            .collect()
    };
    match turn {
        Turn::None => String::new(),
        Turn::Space(steps) => format!("space{}{}", letters(steps), unit(steps)),
        Turn::Body(steps) => format!("body{}{}", letters(steps), unit(steps)),
        Turn::About(..) => "about".to_owned(),
        Turn::Rodrigues(..) => "rodrigues".to_owned(),
    }
}

/// One part of several subtrees of one shape, if their names and numbers have enough in common.
fn limb(robot: &Robot, members: &[Vec<usize>]) -> Option<Limb> {
    let first = &members[0];
    let coordinates = first.iter().flat_map(|link| &robot.links[*link].joints);
    if coordinates.filter(|joint| joint.moves()).count() < FEWEST {
        return None;
    }
    let roots: Vec<&str> = members
        .iter()
        .map(|links| robot.links[links[0]].name.as_str())
        .collect();
    let tags = stem::tags(&roots)?;
    let mut part = Robot {
        exact: robot.exact,
        ..Robot::default()
    };
    for (position, link) in first.iter().enumerate() {
        let mut copy = robot.links[*link].clone();
        let all = |name: fn(&Link) -> Vec<&str>| -> Option<Vec<String>> {
            let lists: Vec<Vec<&str>> = members
                .iter()
                .map(|links| name(&robot.links[links[position]]))
                .collect();
            (0..lists[0].len())
                .map(|i| {
                    let names: Vec<&str> = lists.iter().map(|list| list[i]).collect();
                    stem::common(&names, &tags)
                })
                .collect()
        };
        copy.name = all(|link| vec![&link.name])?.remove(0);
        let joints = all(|link| {
            link.joints
                .iter()
                .map(|joint| joint.name.as_str())
                .collect()
        })?;
        for (joint, name) in copy.joints.iter_mut().zip(joints) {
            joint.name = name;
        }
        let marks = all(|link| link.marks.iter().map(|mark| mark.name.as_str()).collect())?;
        for (mark, name) in copy.marks.iter_mut().zip(marks) {
            mark.name = name;
        }
        let parent = robot.links[*link].parent;
        copy.parent = first.iter().position(|other| Some(*other) == parent);
        for (number, joint) in copy.joints.iter_mut().enumerate() {
            let same = |get: fn(&super::robot::Joint) -> String| {
                let value = |links: &Vec<usize>| get(&robot.links[links[position]].joints[number]);
                members.iter().all(|links| value(links) == value(first))
            };
            if !same(|joint| format!("{:?}", joint.range)) {
                joint.range = (None, None);
            }
            if !same(|joint| format!("{:?}{:?}", joint.effort, joint.velocity)) {
                (joint.effort, joint.velocity) = (None, None);
            }
        }
        part.links.push(copy);
    }
    let signs = signs_of_place(robot, members);
    part.links[0].at = origin();
    let mut uses: Vec<Member> = members
        .iter()
        .zip(&tags)
        .map(|(links, tag)| Member {
            name: tag.clone(),
            links: links.clone(),
            initial: Vec::new(),
        })
        .collect();
    let scalars = generalise(robot, &mut part, &mut uses, signs)?;
    let names: Vec<&str> = part.links.iter().map(|link| link.name.as_str()).collect();
    Some(Limb {
        name: stem::part(&names),
        robot: part,
        scalars,
        members: uses,
    })
}

/// On which side of their parent the limbs are, along each axis, where all are on one.
fn signs_of_place(robot: &Robot, members: &[Vec<usize>]) -> Vec<(String, Vec<bool>)> {
    let along = |axis: Axis| -> Option<(String, Vec<bool>)> {
        let numbers: Vec<&Decimal> = members
            .iter()
            .map(|links| &robot.links[links[0]].at[axis.index()])
            .collect();
        let some = numbers.iter().all(|number| !number.is_zero());
        let negative: Vec<bool> = numbers.iter().map(|number| number.is_negative()).collect();
        let differ = negative.iter().any(|sign| *sign != negative[0]);
        (some && differ).then(|| (format!("side_{}", axis.letter()), negative))
    };
    [Axis::Y, Axis::X, Axis::Z]
        .into_iter()
        .filter_map(along)
        .collect()
}

/// Puts names in the place of numbers that differ; `None` if they are too many.
fn generalise(
    robot: &Robot,
    part: &mut Robot,
    members: &mut [Member],
    mut sides: Vec<(String, Vec<bool>)>,
) -> Option<Vec<(String, Vec<Decimal>)>> {
    let mut scalars: Vec<(String, Vec<Decimal>)> = Vec::new();
    let mut total = 0;
    for position in 0..part.links.len() {
        let mut copies: Vec<Link> = members
            .iter()
            .map(|member| robot.links[member.links[position]].clone())
            .collect();
        if position == 0 {
            copies.iter_mut().for_each(|copy| copy.at = origin());
        }
        initial_values(&mut copies, position, part, members);
        let lists: Vec<Vec<(Role, Decimal)>> = copies
            .iter_mut()
            .map(|copy| {
                let slots = numbers::of_link(copy);
                slots
                    .into_iter()
                    .map(|(role, number)| (role, number.clone()))
                    .collect()
            })
            .collect();
        let name = part.links[position].name.clone();
        for (index, (role, slot)) in numbers::of_link(&mut part.links[position])
            .into_iter()
            .enumerate()
        {
            let values: Option<Vec<Decimal>> = lists
                .iter()
                .map(|list| list.get(index).map(|(_, number)| number.clone()))
                .collect();
            let values = values?;
            total += usize::from(values.iter().any(|value| !value.is_zero()));
            if values.iter().all(|value| *value == values[0]) {
                continue;
            }
            *slot = stand_in(&values, &name, role, &mut scalars, &mut sides);
        }
    }
    (scalars.len() <= ALWAYS.max(total / SHARE)).then_some(scalars)
}

/// Initial values are not part of the part where they differ.
fn initial_values(copies: &mut [Link], position: usize, part: &mut Robot, members: &mut [Member]) {
    let joints = copies[0].joints.len();
    for joint in 0..joints {
        let values: Vec<Option<Decimal>> = copies
            .iter()
            .map(|copy| copy.joints[joint].initial.clone())
            .collect();
        if values.iter().all(|value| *value == values[0]) {
            continue;
        }
        part.links[position].joints[joint].initial = None;
        for (member, value) in members.iter_mut().zip(&values) {
            let value = value.clone().unwrap_or_else(Decimal::zero);
            member.initial.push((position, joint, value));
        }
        for copy in copies.iter_mut() {
            copy.joints[joint].initial = None;
        }
    }
}

/// What stands for several numbers: a sign times a number, or a name of its own.
fn stand_in(
    values: &[Decimal],
    link: &str,
    role: Role,
    scalars: &mut Vec<(String, Vec<Decimal>)>,
    sides: &mut Vec<(String, Vec<bool>)>,
) -> Decimal {
    let size = values[0].abs();
    if values.iter().all(|value| value.abs() == size) {
        let negative: Vec<bool> = values.iter().map(Decimal::is_negative).collect();
        let flipped: Vec<bool> = negative.iter().map(|sign| !sign).collect();
        let known = sides
            .iter()
            .find(|(_, signs)| *signs == negative || *signs == flipped)
            .cloned();
        let (name, signs) = known.unwrap_or_else(|| {
            let number = sides
                .iter()
                .filter(|(name, _)| name.starts_with("mirror"))
                .count();
            let name = if number == 0 {
                "mirror".to_owned()
            } else {
                format!("mirror_{}", number + 1)
            };
            sides.push((name.clone(), negative.clone()));
            (name, negative.clone())
        });
        if !scalars.iter().any(|(known, _)| *known == name) {
            let one = |negative: &bool| Decimal::whole(if *negative { -1 } else { 1 });
            scalars.push((name.clone(), signs.iter().map(one).collect()));
        }
        let sign = if signs == negative { "" } else { "-" };
        let factor = if size.is_one() {
            String::new()
        } else {
            format!("*{}", size.text())
        };
        return values[0].written(format!("{sign}{name}{factor}"));
    }
    let opposite: Vec<Decimal> = values.iter().map(|value| -value).collect();
    if let Some((name, _)) = scalars.iter().find(|(_, known)| known == values) {
        return values[0].written(name.clone());
    }
    if let Some((name, _)) = scalars.iter().find(|(_, known)| *known == opposite) {
        return values[0].written(format!("-{name}"));
    }
    let wanted = match role {
        Role::Component(what, axis) => format!("{link}_{what}_{}", Axis::ALL[axis].letter()),
        Role::Plain(what) => format!("{link}_{what}"),
    };
    let taken = |name: &str| scalars.iter().any(|(known, _)| known == name);
    let mut name = wanted.clone();
    let mut number = 2;
    while taken(&name) {
        name = format!("{wanted}_{number}");
        number += 1;
    }
    scalars.push((name.clone(), values.to_vec()));
    values[0].written(name)
}

/// Uses are called by what tells them apart, with the part's name where that is not enough.
fn name_uses(limbs: &mut [Limb]) {
    let mut parts: BTreeMap<String, usize> = BTreeMap::new();
    let mut tags: BTreeMap<String, usize> = BTreeMap::new();
    for limb in limbs.iter_mut() {
        let count = parts.entry(limb.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            limb.name = format!("{}_{count}", limb.name);
        }
        for member in &limb.members {
            *tags.entry(member.name.clone()).or_default() += 1;
        }
    }
    for limb in limbs {
        for member in &mut limb.members {
            let alone = tags.get(&member.name).is_some_and(|count| *count == 1);
            let letter = member.name.chars().next().is_some_and(char::is_alphabetic);
            member.name = match (letter, alone) {
                (true, true) => member.name.clone(),
                (true, false) => format!("{}_{}", member.name, limb.name),
                (false, _) => format!("{}_{}", limb.name, member.name),
            };
        }
    }
}
