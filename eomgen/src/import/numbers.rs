//! Every number of a link, in one order: to round them, and to compare links that are equal but for numbers. Knows no format.

use super::decimal::Decimal;
use super::robot::{Form, Held, Joint, Link, Motion, Robot, Triple};
use super::turn::{Angle, Turn};

/// What the number belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A place or a direction: components x, y, z.
    Component(&'static str, usize),
    /// A plain number of this kind.
    Plain(&'static str),
}

/// A mutable number with its role.
pub type Slot<'a> = (Role, &'a mut Decimal);

/// The numbers of a link.
pub fn of_link(link: &mut Link) -> Vec<Slot<'_>> {
    let mut all = Vec::new();
    triple("at", &mut link.at, &mut all);
    turn(&mut link.turn, &mut all);
    for joint in &mut link.joints {
        of_joint(joint, &mut all);
    }
    for mass in &mut link.masses {
        all.push((Role::Plain("mass"), &mut mass.mass));
        triple("center", &mut mass.centre, &mut all);
        turn(&mut mass.turn, &mut all);
        let names = ["Ixx", "Iyy", "Izz", "Ixy", "Iyz", "Izx"];
        let entries = names.into_iter().zip(&mut mass.inertia);
        all.extend(entries.map(|(name, entry)| (Role::Plain(name), entry)));
    }
    for shape in &mut link.shapes {
        triple("shape", &mut shape.at, &mut all);
        turn(&mut shape.turn, &mut all);
        match &mut shape.form {
            Form::Box(sides) => triple("size", sides, &mut all),
            Form::Cylinder(radius, height) => {
                all.push((Role::Plain("radius"), radius));
                all.push((Role::Plain("height"), height));
            }
            Form::Sphere(radius) => all.push((Role::Plain("radius"), radius)),
        }
    }
    for mark in &mut link.marks {
        triple("mark", &mut mark.at, &mut all);
        turn(&mut mark.turn, &mut all);
    }
    all
}

fn triple<'a>(name: &'static str, triple: &'a mut Triple, all: &mut Vec<Slot<'a>>) {
    let numbers = triple.iter_mut().enumerate();
    all.extend(numbers.map(|(axis, number)| (Role::Component(name, axis), number)));
}

fn angle<'a>(angle: &'a mut Angle, all: &mut Vec<Slot<'a>>) {
    match angle {
        Angle::Degrees(value) | Angle::Radians(value) => all.push((Role::Plain("angle"), value)),
    }
}

fn turn<'a>(turn: &'a mut Turn, all: &mut Vec<Slot<'a>>) {
    match turn {
        Turn::None => {}
        Turn::Space(steps) | Turn::Body(steps) => {
            for (_, value) in steps {
                angle(value, all);
            }
        }
        Turn::About(value, axis) => {
            angle(value, all);
            triple("axis", axis, all);
        }
        Turn::Rodrigues(vector, w) => {
            triple("turn", vector, all);
            all.push((Role::Plain("turn"), w));
        }
    }
}

fn motion<'a>(it: &'a mut Motion, all: &mut Vec<Slot<'a>>) {
    match it {
        Motion::Hinge(axis) | Motion::Slide(axis) => triple("axis", axis, all),
        Motion::Locked(inner, held) => {
            motion(inner, all);
            match held {
                Held::Angle(value) => angle(value, all),
                Held::Distance(value) => all.push((Role::Plain("held"), value)),
            }
        }
        Motion::Planar(_) | Motion::Ball | Motion::Free | Motion::FreeEuler => {}
    }
}

fn of_joint<'a>(joint: &'a mut Joint, all: &mut Vec<Slot<'a>>) {
    motion(&mut joint.motion, all);
    triple("anchor", &mut joint.anchor, all);
    all.push((Role::Plain("reference"), &mut joint.reference));
    all.push((Role::Plain("damping"), &mut joint.damping));
    all.push((Role::Plain("friction"), &mut joint.friction));
    all.push((Role::Plain("stiffness"), &mut joint.stiffness));
    all.push((Role::Plain("rest"), &mut joint.rest));
    all.push((Role::Plain("rotor"), &mut joint.rotor));
    all.extend(
        joint
            .initial
            .iter_mut()
            .map(|value| (Role::Plain("initial"), value)),
    );
}

/// Rounds the numbers of a machine to so many significant digits.
pub fn round(robot: &mut Robot, most: usize) {
    for link in &mut robot.links {
        for (_, number) in of_link(link) {
            *number = number.rounded(most);
        }
        for joint in &mut link.joints {
            let further = [
                &mut joint.range.0,
                &mut joint.range.1,
                &mut joint.effort,
                &mut joint.velocity,
            ];
            for number in further.into_iter().flatten() {
                *number = number.rounded(most);
            }
        }
    }
}
