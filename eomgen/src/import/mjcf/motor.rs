//! Actuators of MJCF on joints: motors, and servos that are linear in position and rate. Knows elements and attributes.

use roxmltree::Node;

use super::super::decimal::Decimal;
use super::super::robot::Motor;
use super::super::xml::{self, elements, place};
use super::Reader;
use super::classes::{Element, MIXED};
use crate::diag::codes::import::{E0602, E0603};
use crate::diag::suggest::closest;

/// Reads all of `actuator`, and refuses tendons that do something.
pub fn read<'a>(reader: &mut Reader<'_, 'a>, root: Node<'a, '_>) {
    for section in elements(root).filter(|node| node.has_tag_name("tendon")) {
        for node in elements(section) {
            let element = reader.classes.element(node, "main", reader.findings);
            let acts = ["stiffness", "damping", "frictionloss", "armature"]
                .into_iter()
                .find(|name| element.text(name).is_some_and(|text| text.trim() != "0"));
            match acts {
                Some(name) => reader.findings.error(
                    E0603,
                    format!("tendons with `{name}` are not read"),
                    place(node),
                    "this one acts on joints",
                    "remove it, and state its force by a `spring` or `force` in the model",
                ),
                None => reader.findings.left_out(
                    "tendons",
                    node.attribute("name").unwrap_or(""),
                    place(node),
                ),
            }
        }
    }
    for section in elements(root).filter(|node| node.has_tag_name("actuator")) {
        for node in elements(section) {
            let element = reader.classes.element(node, "main", reader.findings);
            let number = reader.robot.motors.len() + 1;
            let found = one(reader, &element, number);
            reader.robot.motors.extend(found);
        }
    }
}

fn one(reader: &mut Reader, element: &Element, number: usize) -> Option<Motor> {
    let tag = element.node.tag_name().name();
    let Some((joint_name, at)) = element.attribute("joint") else {
        reader.refuse(
            element.node,
            "it does not act on a joint",
            "remove it, and state what it does in the model",
        );
        return None;
    };
    let found = reader
        .robot
        .joints()
        .find(|(_, joint)| joint.name == joint_name);
    let found = found.map(|(place, joint)| (place, joint.turns().is_some()));
    let Some((joint, single)) = found else {
        let names: Vec<&str> = reader
            .robot
            .joints()
            .map(|(_, joint)| joint.name.as_str())
            .collect();
        let help = match closest(joint_name, names) {
            Some(word) => format!("did you mean `{word}`?"),
            None => "name a joint of this model".to_owned(),
        };
        let title = format!("there is no joint `{joint_name}`");
        reader.findings.error(E0602, title, at, "driven here", help);
        return None;
    };
    if !single {
        reader.refuse(
            element.node,
            "its joint has several coordinates",
            "remove it, and state it in the model",
        );
        return None;
    }
    let (gain, bias) = law(reader, element, tag)?;
    let gear = element.numbers("gear", reader.findings);
    let gear = gear
        .and_then(|gear| gear.into_iter().next())
        .unwrap_or_else(Decimal::one);
    if element.text("forcerange").is_some() {
        let name = element.text("name").unwrap_or(joint_name);
        reader
            .findings
            .left_out("bounds of forces", name, element.place("forcerange"));
    }
    let name = element
        .text("name")
        .map_or_else(|| format!("u_{number}"), str::to_owned);
    let range = element.exactly::<2>("ctrlrange", reader.findings);
    Some(Motor {
        name,
        joint,
        gear,
        gain,
        bias,
        range: range.map(|[low, high]| (low, high)),
    })
}

/// Gain and bias of a motor.
fn law(reader: &mut Reader, element: &Element, tag: &str) -> Option<(Decimal, [Decimal; 3])> {
    let zero = Decimal::zero;
    if tag != "motor" && element.law_by() == Some(MIXED) {
        reader.refuse(
            element.node,
            "its law is mixed of defaults for several kinds of motors",
            "write `gainprm` and `biasprm`, or `kp` and `kv`, in defaults of one kind",
        );
        return None;
    }
    let odd = ["dampratio", "timeconst", "dyntype", "actdim"]
        .into_iter()
        .filter_map(|name| Some((name, element.of_law(name, tag)?)))
        .find(|(_, (text, _))| !["0", "none", "-1"].contains(&text.trim()));
    if let Some((name, (_, place))) = odd {
        reader.findings.error(
            E0603,
            format!("`{name}` of actuators is not read"),
            place,
            "it gives the motor a motion of its own, or a damping by its inertia",
            "remove it, or write `kv` in its place",
        );
        return None;
    }
    match tag {
        "motor" => Some((Decimal::one(), [zero(), zero(), zero()])),
        "position" => {
            let kp = number(reader, element, "kp", tag);
            let kp = kp
                .or_else(|| gain(reader, element))
                .unwrap_or_else(Decimal::one);
            let kv = number(reader, element, "kv", tag).unwrap_or_else(zero);
            Some((kp.clone(), [zero(), -&kp, -&kv]))
        }
        "velocity" => {
            let kv = number(reader, element, "kv", tag);
            let kv = kv
                .or_else(|| gain(reader, element))
                .unwrap_or_else(Decimal::one);
            Some((kv.clone(), [zero(), zero(), -&kv]))
        }
        "general" => general(reader, element),
        _ => {
            reader.refuse(
                element.node,
                "only `motor`, `position`, `velocity` and linear `general` are read",
                "replace it by a `motor`, and state its law in the model",
            );
            None
        }
    }
}

/// A number of the law, the element's own or that of a default for elements of this name.
fn number(reader: &mut Reader, element: &Element, name: &str, tag: &str) -> Option<Decimal> {
    numbers(reader, element, name, tag)?.into_iter().next()
}

fn numbers(reader: &mut Reader, element: &Element, name: &str, tag: &str) -> Option<Vec<Decimal>> {
    let (text, place) = element.of_law(name, tag)?;
    xml::numbers_of(text, name, place, reader.findings)
}

/// The gain of a default for `general`, which servos take over.
fn gain(reader: &mut Reader, element: &Element) -> Option<Decimal> {
    if element.law_by() != Some("general") {
        return None;
    }
    let damped = numbers(reader, element, "biasprm", "general");
    if damped.is_some_and(|bias| bias.iter().skip(2).any(|number| !number.is_zero())) {
        reader.refuse(
            element.node,
            "its damping would be that of a default for `general`",
            "write `kp` and `kv`",
        );
    }
    number(reader, element, "gainprm", "general")
}

fn general(reader: &mut Reader, element: &Element) -> Option<(Decimal, [Decimal; 3])> {
    // A default for servos is one for their laws.
    let servo = element
        .law_by()
        .filter(|tag| ["position", "velocity", "motor"].contains(tag));
    if let Some(tag) = servo
        && ["gainprm", "biasprm", "gaintype", "biastype"]
            .iter()
            .all(|name| element.node.attribute(*name).is_none())
    {
        return law(reader, element, tag);
    }
    let word = |name: &str, otherwise: &'static str| {
        let found = element.of_law(name, "general");
        found.map_or(otherwise.to_owned(), |(text, _)| text.to_owned())
    };
    let (gain_type, bias_type) = (word("gaintype", "fixed"), word("biastype", "none"));
    let mixed = servo.is_some_and(|tag| tag != "motor");
    if mixed || gain_type != "fixed" || !["none", "affine"].contains(&bias_type.as_str()) {
        reader.refuse(
            element.node,
            "only a fixed gain with an affine bias is read",
            "replace it by a `motor`, and state its law in the model",
        );
        return None;
    }
    let gain = number(reader, element, "gainprm", "general").unwrap_or_else(Decimal::one);
    let bias = match bias_type.as_str() {
        "affine" => numbers(reader, element, "biasprm", "general").unwrap_or_default(),
        _ => Vec::new(),
    };
    let bias = std::array::from_fn(|i| bias.get(i).cloned().unwrap_or_else(Decimal::zero));
    Some((gain, bias))
}
