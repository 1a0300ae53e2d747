//! The joints of a body of MJCF. Knows elements and attributes.

use super::super::decimal::Decimal;
use super::super::robot::{Joint, Motion};
use super::super::turn::Angle;
use super::super::xml::{self, place};
use super::around::Own;
use super::classes::Element;
use super::{Reader, pose};
use crate::diag::codes::import::{E0601, E0603};

/// All joints of a body in their order.
pub fn read<'a>(
    reader: &mut Reader<'_, 'a>,
    of_body: &[Own<'a, '_>],
    name: &str,
    outermost: bool,
) -> Vec<Joint> {
    let mut all = Vec::new();
    for own in of_body {
        let joint = match own.node.tag_name().name() {
            "freejoint" => {
                let element = Element::plain(own.node);
                Some(free(reader, &element, name, outermost))
            }
            "joint" => {
                let element = reader.classes.element(own.node, own.class, reader.findings);
                one(reader, &element, name, all.len(), outermost)
            }
            _ => None,
        };
        all.extend(joint.map(|mut joint| {
            joint.anchor = own.around.place(joint.anchor);
            joint.motion = match joint.motion {
                Motion::Hinge(axis) => Motion::Hinge(own.around.direction(axis)),
                Motion::Slide(axis) => Motion::Slide(own.around.direction(axis)),
                other => other,
            };
            joint
        }));
    }
    all
}

fn free(reader: &mut Reader, element: &Element, body: &str, outermost: bool) -> Joint {
    if !outermost {
        reader.refuse(
            element.node,
            "only a body of the world can be free",
            "move the body",
        );
    }
    let name = element.text("name").unwrap_or(body);
    Joint::new(name, place(element.node), Motion::Free)
}

fn one(
    reader: &mut Reader,
    element: &Element,
    body: &str,
    before: usize,
    outermost: bool,
) -> Option<Joint> {
    let kind = element.text("type").unwrap_or("hinge");
    let motion = match kind {
        "free" => return Some(free(reader, element, body, outermost)),
        "ball" => Motion::Ball,
        "hinge" | "slide" => {
            let standard = [Decimal::zero(), Decimal::zero(), Decimal::one()];
            let axis = match element.text("axis") {
                Some(_) => pose::place(element, "axis", reader.findings),
                None => standard,
            };
            if axis.iter().all(Decimal::is_zero) {
                reader.findings.error(
                    E0601,
                    "an axis of length 0",
                    element.place("axis"),
                    "this has no direction",
                    "write an axis such as `0 0 1`",
                );
            }
            if kind == "hinge" {
                Motion::Hinge(axis)
            } else {
                Motion::Slide(axis)
            }
        }
        other => {
            reader.findings.error(
                E0601,
                format!("`{other}` is no type of joint"),
                element.place("type"),
                "here",
                "one of hinge, slide, ball, free",
            );
            return None;
        }
    };
    let number = if before == 0 {
        String::new()
    } else {
        format!("_{}", before + 1)
    };
    let otherwise = format!("{body}_joint{number}");
    let name = element.text("name").map_or(otherwise, str::to_owned);
    let mut joint = Joint::new(name, place(element.node), motion);
    details(reader, element, &mut joint);
    Some(joint)
}

fn details(reader: &mut Reader, element: &Element, joint: &mut Joint) {
    let findings = &mut *reader.findings;
    let mut number = |name: &str| element.number(name, Decimal::zero(), findings);
    joint.reference = number("ref");
    joint.rest = number("springref");
    joint.damping = number("damping");
    joint.friction = number("frictionloss");
    joint.stiffness = number("stiffness");
    joint.rotor = number("armature");
    if joint.rotor.is_negative() {
        reader.findings.error(
            E0601,
            "a negative armature",
            element.place("armature"),
            "here",
            "it is 0 or more",
        );
    }
    joint.anchor = pose::place(element, "pos", reader.findings);
    joint.degrees = reader.angles.degrees;
    if !joint.degrees && joint.turns() == Some(true) {
        // Right angles are right angles here as well.
        for value in [&mut joint.reference, &mut joint.rest] {
            if let Angle::Degrees(meant) =
                Angle::radians(value, reader.angles.exact, reader.findings)
                && !meant.is_zero()
            {
                *value = Decimal::of_double(meant.to_double().to_radians());
            }
        }
    }
    let limited = element.text("limited").unwrap_or("auto");
    if limited != "false"
        && let Some([low, high]) = element.exactly::<2>("range", reader.findings)
        && low < high
        && joint.turns().is_some()
    {
        joint.range = (Some(low), Some(high));
    }
    let refused = |reader: &mut Reader, name: &str| {
        reader.findings.error(
            E0603,
            format!("`{name}` of joints is not read"),
            element.place(name),
            "here",
            "write `stiffness` and `damping` instead",
        );
    };
    if element.text("springdamper").is_some() {
        refused(reader, "springdamper");
    }
    let several = joint.turns().is_none();
    let odd = !joint.stiffness.is_zero() || !joint.friction.is_zero() || !joint.rotor.is_zero();
    if several && odd {
        let what = "springs, friction and rotors of joints with several coordinates";
        reader.findings.error(
            E0603,
            format!("{what} are not read"),
            xml::place(element.node),
            "this joint has one of them",
            "remove it, and state it in the model",
        );
    }
}
