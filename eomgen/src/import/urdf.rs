//! URDF: a tree of links and joints in XML. Knows nothing of models.
//!
//! What is read: links with their inertial data and visual shapes, joints of every type, limits, dynamics, mimic. Everything else is
//! reported as left out.

use std::collections::BTreeMap;

use roxmltree::{Document, Node};

use super::decimal::Decimal;
use super::findings::Findings;
use super::robot::{
    Equality, Form, Joint, Law, Link, Mass, Motion, Robot, Shape, Triple, is_zero, origin,
};
use super::shape::{colour, visible};
use super::turn::{Angle, Axis, Turn, along};
use super::xml::{self, child, children, elements, place};
use crate::diag::Diagnostic;
use crate::diag::codes::import::{E0601, E0602, E0603};
use crate::diag::suggest::closest;

/// Most links of a robot.
const MOST_LINKS: usize = 2000;
/// The joint types.
const TYPES: [&str; 6] = [
    "revolute",
    "continuous",
    "prismatic",
    "fixed",
    "floating",
    "planar",
];
/// What stands beside the machine itself, and what to call it.
const BESIDE: [(&str, &str); 4] = [
    (
        "transmission",
        "transmissions (every joint that moves has an input)",
    ),
    ("gazebo", "settings of Gazebo"),
    ("sensor", "sensors"),
    ("ros2_control", "settings of ros2_control"),
];

/// Reads a robot. Errors are among the findings.
pub fn read(document: &Document, exact: bool, findings: &mut Findings) -> Option<Robot> {
    let root = document.root_element();
    let mut reader = Reader {
        exact,
        findings,
        materials: BTreeMap::default(),
    };
    reader.refuse_templates(document);
    reader.materials(root);
    let (links, names) = reader.links(root);
    let joints = reader.joints(root, &names);
    reader.beside(root);
    let mut robot = Robot {
        name: root.attribute("name").unwrap_or("robot").to_owned(),
        comments: xml::comments(document),
        ..Robot::default()
    };
    let order = reader.order(root, &links, &joints)?;
    reader.assemble(&mut robot, links, joints, &order);
    Some(robot)
}

struct Reader<'f> {
    exact: bool,
    findings: &'f mut Findings,
    materials: BTreeMap<String, &'static str>,
}

/// A joint as the file has it.
struct Edge<'a, 'i> {
    node: Node<'a, 'i>,
    name: String,
    parent: usize,
    child: usize,
    at: Triple,
    turn: Turn,
    /// None if it is fixed.
    joint: Option<Joint>,
}

impl<'f> Reader<'f> {
    fn refuse_templates(&mut self, document: &Document) {
        let template = document.descendants().find(|node| is_template(*node));
        let Some(node) = template else { return };
        let tag = node.tag_name().name();
        self.findings.error(
            E0603,
            format!("`{tag}` belongs to a template of xacro"),
            place(node),
            "this would have to be expanded first",
            "run `xacro FILE -o robot.urdf` and import what it writes",
        );
    }

    fn materials(&mut self, root: Node) {
        for node in children(root, "material") {
            self.material(node);
        }
    }

    /// The colour of a material, kept under its name.
    fn material(&mut self, node: Node) -> Option<&'static str> {
        let name = node.attribute("name").unwrap_or("");
        let rgba = child(node, "color").and_then(|c| xml::numbers(c, "rgba", self.findings));
        match rgba {
            Some(rgba) if rgba.len() >= 3 => {
                let found = colour(std::array::from_fn(|i| rgba[i].to_double()));
                self.materials.insert(name.to_owned(), found);
                Some(found)
            }
            _ => self.materials.get(name).copied(),
        }
    }

    fn links<'a, 'i>(&mut self, root: Node<'a, 'i>) -> (Vec<Link>, BTreeMap<&'a str, usize>) {
        let mut links: Vec<Link> = Vec::new();
        let mut names = BTreeMap::default();
        if let Some(node) = children(root, "link")
            .chain(children(root, "joint"))
            .nth(2 * MOST_LINKS)
        {
            self.findings.error(
                E0603,
                format!("more than {MOST_LINKS} links and as many joints"),
                place(node),
                "this is the first one too many",
                "no model can hold as many bodies; import a part of the robot",
            );
            return (links, names);
        }
        for node in children(root, "link") {
            let Some(name) = xml::required(node, "name", self.findings) else {
                continue;
            };
            if let Some(before) = names.insert(name, links.len()) {
                let told = format!("two links are called `{name}`");
                let earlier: &Link = &links[before];
                let diagnostic = Diagnostic::error_with_help(
                    E0602,
                    told,
                    place(node),
                    "the second one",
                    "give it another name",
                );
                self.findings
                    .wrong
                    .push(diagnostic.label(earlier.span, "the first one"));
            }
            links.push(self.link(node, name));
        }
        if links.is_empty() {
            self.findings.error(
                E0602,
                "there are no links",
                place(root),
                "in this robot",
                "a robot has at least one `<link name=\"..\"/>`",
            );
        }
        (links, names)
    }

    fn link(&mut self, node: Node, name: &str) -> Link {
        let mut link = Link {
            name: name.to_owned(),
            span: place(node),
            parent: None,
            at: origin(),
            turn: Turn::None,
            joints: Vec::new(),
            fixed_by: None,
            masses: Vec::new(),
            shapes: Vec::new(),
            marks: Vec::new(),
        };
        for part in elements(node) {
            match part.tag_name().name() {
                "inertial" => link.masses.extend(self.mass(part)),
                "visual" => link.shapes.extend(self.shape(part, name)),
                "collision" => {
                    let what = "collision shapes";
                    self.findings.left_out(what, name, place(part));
                }
                other => {
                    let what = format!("`{other}` in links");
                    self.findings.left_out(what, name, place(part));
                }
            }
        }
        link
    }

    /// Place and orientation by the element `origin`.
    fn pose(&mut self, node: Node) -> (Triple, Turn) {
        let Some(found) = child(node, "origin") else {
            return (origin(), Turn::None);
        };
        let at = xml::exactly::<3>(found, "xyz", self.findings).map_or_else(origin, quiet);
        let rpy = xml::exactly::<3>(found, "rpy", self.findings).map_or_else(origin, quiet);
        let angles = rpy.map(|value| Angle::radians(&value, self.exact, self.findings));
        let steps = Axis::ALL.into_iter().zip(angles).collect();
        (at, Turn::space(steps))
    }

    fn mass(&mut self, node: Node) -> Option<Mass> {
        let (centre, turn) = self.pose(node);
        let mass = match child(node, "mass") {
            Some(found) => xml::number(found, "value", self.findings),
            None => None,
        };
        let Some(mass) = mass else {
            self.missing(node, "mass", "<mass value=\"..\"/>");
            return None;
        };
        if mass.is_negative() {
            self.findings.error(
                E0601,
                format!("the mass {} is negative", mass.text()),
                child(node, "mass").map_or_else(|| place(node), |m| xml::value_place(m, "value")),
                "here",
                "a mass is 0 or more",
            );
        }
        let Some(found) = child(node, "inertia") else {
            self.missing(
                node,
                "inertia",
                "<inertia ixx=\"..\" iyy=\"..\" izz=\"..\"/>",
            );
            return None;
        };
        let mut entry =
            |name: &str| xml::number(found, name, self.findings).unwrap_or_else(Decimal::zero);
        let inertia = quiet_beside(["ixx", "iyy", "izz", "ixy", "iyz", "ixz"].map(&mut entry));
        for (name, moment) in ["ixx", "iyy", "izz"].into_iter().zip(&inertia) {
            if moment.is_negative() {
                self.findings.error(
                    E0601,
                    format!("the moment of inertia {} is negative", moment.text()),
                    xml::value_place(found, name),
                    "here",
                    "a moment of inertia is 0 or more",
                );
            }
        }
        Some(Mass {
            mass,
            centre,
            turn,
            inertia,
        })
    }

    fn missing(&mut self, node: Node, what: &str, text: &str) {
        let tag = node.tag_name().name();
        // A value that is there and wrong has been spoken of.
        if child(node, "mass").is_some_and(|m| m.attribute("value").is_some()) && what == "mass" {
            return;
        }
        self.findings.error(
            E0601,
            format!("`{tag}` without {what}"),
            place(node),
            "in this element",
            format!("add `{text}`, or remove the element"),
        );
    }

    fn shape(&mut self, node: Node, name: &str) -> Option<Shape> {
        let (at, turn) = self.pose(node);
        let geometry = child(node, "geometry").and_then(|g| elements(g).next())?;
        let own = child(node, "material").and_then(|material| self.material(material));
        let form = match geometry.tag_name().name() {
            "box" => Form::Box(xml::exactly::<3>(geometry, "size", self.findings)?),
            "cylinder" => {
                let radius = xml::number(geometry, "radius", self.findings)?;
                Form::Cylinder(radius, xml::number(geometry, "length", self.findings)?)
            }
            "sphere" => Form::Sphere(xml::number(geometry, "radius", self.findings)?),
            "mesh" => {
                self.findings.left_out("meshes", name, place(geometry));
                return None;
            }
            other => {
                let what = format!("visual shapes of the kind `{other}`");
                self.findings.left_out(what, name, place(geometry));
                return None;
            }
        };
        visible(&form).then_some(Shape {
            at,
            turn,
            form,
            colour: own,
        })
    }

    fn joints<'a, 'i>(
        &mut self,
        root: Node<'a, 'i>,
        links: &BTreeMap<&str, usize>,
    ) -> Vec<Edge<'a, 'i>> {
        let mut found: Vec<Edge> = Vec::new();
        for node in children(root, "joint") {
            let name = xml::required(node, "name", self.findings);
            let parent = self.end(node, "parent", links);
            let child = self.end(node, "child", links);
            let (at, turn) = self.pose(node);
            let joint = name.map(|name| self.joint(node, name));
            let (Some(name), Some(parent), Some(child), Some(joint)) = (name, parent, child, joint)
            else {
                continue;
            };
            if let Some(before) = found.iter().find(|edge| edge.name == name) {
                let diagnostic = Diagnostic::error_with_help(
                    E0602,
                    format!("two joints are called `{name}`"),
                    place(node),
                    "the second one",
                    "give it another name",
                );
                let first = place(before.node);
                self.findings
                    .wrong
                    .push(diagnostic.label(first, "the first one"));
            }
            found.push(Edge {
                node,
                name: name.to_owned(),
                parent,
                child,
                at,
                turn,
                joint,
            });
        }
        found
    }

    /// The link that an end of a joint names.
    fn end(
        &mut self,
        node: Node,
        which: &'static str,
        links: &BTreeMap<&str, usize>,
    ) -> Option<usize> {
        let Some(end) = child(node, which) else {
            self.findings.error(
                E0601,
                format!("a joint without `{which}`"),
                place(node),
                "in this joint",
                format!("add `<{which} link=\"..\"/>`"),
            );
            return None;
        };
        let name = xml::required(end, "link", self.findings)?;
        let found = links.get(name).copied();
        if found.is_none() {
            let help = match closest(name, links.keys().copied()) {
                Some(word) => format!("did you mean `{word}`?"),
                None => format!("add `<link name=\"{name}\"/>`"),
            };
            self.findings.error(
                E0602,
                format!("there is no link `{name}`"),
                xml::value_place(end, "link"),
                format!("the {which} of this joint"),
                help,
            );
        }
        found
    }

    /// The motion of a joint; `None` if it is fixed.
    fn joint(&mut self, node: Node, name: &str) -> Option<Joint> {
        let kind = xml::required(node, "type", self.findings)?;
        let motion = match kind {
            "fixed" => return None,
            "floating" => Motion::Free,
            "revolute" | "continuous" => Motion::Hinge(self.axis(node)),
            "prismatic" => Motion::Slide(self.axis(node)),
            "planar" => Motion::Planar(self.normal(node)?),
            other => {
                let help = match closest(other, TYPES) {
                    Some(word) => format!("did you mean `{word}`?"),
                    None => format!("one of {}", TYPES.join(", ")),
                };
                self.findings.error(
                    E0601,
                    format!("`{other}` is no type of joint"),
                    xml::value_place(node, "type"),
                    "here",
                    help,
                );
                return None;
            }
        };
        let mut joint = Joint::new(name, place(node), motion);
        joint.driven = joint.turns().is_some();
        self.details(node, kind, &mut joint);
        Some(joint)
    }

    fn axis(&mut self, node: Node) -> Triple {
        let standard = [Decimal::one(), Decimal::zero(), Decimal::zero()];
        let Some(found) = child(node, "axis") else {
            return standard;
        };
        let axis = xml::exactly::<3>(found, "xyz", self.findings).map_or(standard, quiet);
        if is_zero(&axis) {
            self.findings.error(
                E0601,
                "an axis of length 0",
                xml::value_place(found, "xyz"),
                "this has no direction",
                "write an axis such as `0 0 1`",
            );
        }
        axis
    }

    fn normal(&mut self, node: Node) -> Option<Axis> {
        let axis = self.axis(node);
        match along(&axis) {
            Some((axis, false)) => Some(axis),
            _ => {
                self.findings.error(
                    E0603,
                    "a planar joint whose normal is no axis of its frame",
                    child(node, "axis").map_or_else(|| place(node), place),
                    "only `1 0 0`, `0 1 0` and `0 0 1` are read",
                    "turn the joint's frame by `rpy`, and write `0 0 1`",
                );
                None
            }
        }
    }

    fn details(&mut self, node: Node, kind: &str, joint: &mut Joint) {
        for part in elements(node) {
            match part.tag_name().name() {
                "origin" | "parent" | "child" | "axis" | "mimic" => {}
                "limit" => {
                    joint.effort = xml::number(part, "effort", self.findings);
                    joint.velocity = xml::number(part, "velocity", self.findings);
                    if kind != "continuous" {
                        let lower = xml::number(part, "lower", self.findings);
                        let upper = xml::number(part, "upper", self.findings);
                        joint.range = sensible(lower, upper);
                    }
                }
                "dynamics" => {
                    let mut read = |name: &str| {
                        xml::number(part, name, self.findings).unwrap_or_else(Decimal::zero)
                    };
                    joint.damping = read("damping");
                    joint.friction = read("friction");
                }
                other => {
                    let what = format!("`{other}` in joints");
                    self.findings.left_out(what, &joint.name, place(part));
                }
            }
        }
    }

    fn beside(&mut self, root: Node) {
        for node in elements(root) {
            let tag = node.tag_name().name();
            if ["link", "joint", "material"].contains(&tag) || is_template(node) {
                continue;
            }
            let named = node.attribute("name").or(node.attribute("reference"));
            let what = BESIDE.iter().find(|(known, _)| *known == tag);
            let what = what.map_or_else(|| format!("`{tag}`"), |(_, what)| (*what).to_owned());
            self.findings
                .left_out(what, named.unwrap_or(""), place(node));
        }
    }

    /// The links in an order in which parents come first, if they form a tree.
    fn order(&mut self, root: Node, links: &[Link], joints: &[Edge]) -> Option<Vec<usize>> {
        let mut into: Vec<Option<usize>> = vec![None; links.len()];
        for (at, edge) in joints.iter().enumerate() {
            if let Some(before) = into[edge.child] {
                let other: &Edge = &joints[before];
                let diagnostic = Diagnostic::error_with_help(
                    E0602,
                    format!("the link `{}` has two parents", links[edge.child].name),
                    place(edge.node),
                    "this joint ends at it",
                    "links form a tree: close a loop with a `constraint` in the model instead",
                );
                let diagnostic = diagnostic.label(place(other.node), "and so does this one");
                self.findings.wrong.push(diagnostic);
            }
            into[edge.child] = Some(at);
        }
        let roots: Vec<usize> = (0..links.len()).filter(|at| into[*at].is_none()).collect();
        if let [first, second, ..] = roots[..] {
            let diagnostic = Diagnostic::error_with_help(
                E0602,
                format!("there are {} links without a parent", roots.len()),
                links[second].span,
                format!("no joint leads to `{}`", links[second].name),
                "add a joint whose child it is, or remove it",
            );
            let told = format!("nor to `{}`", links[first].name);
            self.findings
                .wrong
                .push(diagnostic.label(links[first].span, told));
        }
        let mut order = Vec::new();
        let mut open: Vec<usize> = roots.iter().rev().copied().collect();
        while let Some(link) = open.pop() {
            if order.len() > links.len() {
                break;
            }
            order.push(link);
            let next = joints.iter().rev().filter(|edge| edge.parent == link);
            open.extend(next.map(|edge| edge.child));
        }
        if order.len() != links.len() && self.findings.wrong.is_empty() {
            let inside = (0..links.len()).find(|at| !order.contains(at));
            let edge = inside.and_then(|at| joints.iter().find(|edge| edge.child == at));
            self.findings.error(
                E0602,
                "links that are their own ancestors",
                edge.map_or_else(|| place(root), |edge| place(edge.node)),
                "this joint is part of the circle",
                "links form a tree: close a loop with a `constraint` in the model instead",
            );
        }
        self.findings.wrong.is_empty().then_some(order)
    }

    fn assemble(
        &mut self,
        robot: &mut Robot,
        links: Vec<Link>,
        joints: Vec<Edge>,
        order: &[usize],
    ) {
        let mut place_of = vec![0; links.len()];
        for (new, old) in order.iter().enumerate() {
            place_of[*old] = new;
        }
        let mut links: Vec<Option<Link>> = links.into_iter().map(Some).collect();
        robot.links = order.iter().filter_map(|old| links[*old].take()).collect();
        let mut mimics = Vec::new();
        let fixed: Vec<String> = joints
            .iter()
            .filter(|edge| edge.joint.is_none())
            .map(|edge| edge.name.clone())
            .collect();
        for mut edge in joints {
            let at = place_of[edge.child];
            if let Some(mimic) = child(edge.node, "mimic") {
                if let Some(joint) = &mut edge.joint {
                    joint.driven = false;
                }
                mimics.push((at, mimic));
            }
            let link = &mut robot.links[at];
            link.parent = Some(place_of[edge.parent]);
            link.at = edge.at;
            link.turn = edge.turn;
            match edge.joint {
                Some(joint) => link.joints.push(joint),
                None => link.fixed_by = Some(edge.name),
            }
        }
        for (at, node) in mimics {
            self.mimic(robot, at, node, &fixed);
        }
    }

    fn mimic(&mut self, robot: &mut Robot, at: usize, node: Node, fixed: &[String]) {
        let Some(leader) = xml::required(node, "joint", self.findings) else {
            return;
        };
        let factor = xml::number(node, "multiplier", self.findings).unwrap_or_else(Decimal::one);
        let offset = xml::number(node, "offset", self.findings).unwrap_or_else(Decimal::zero);
        let Some(follower) = robot.joint((at, 0)) else {
            let name = robot.links[at].name.as_str();
            self.findings
                .left_out("`mimic` of fixed joints, to the link", name, place(node));
            return;
        };
        let follows = follower.turns().is_some();
        if follows && fixed.iter().any(|name| name == leader) {
            // What follows a fixed joint stays where it is.
            robot.equalities.push(Equality {
                name: String::new(),
                span: place(node),
                law: Law::Joint {
                    follower: (at, 0),
                    leader: None,
                    coefficients: vec![offset],
                },
            });
            return;
        }
        let found = robot
            .joints()
            .find(|(_, joint)| joint.name == leader && joint.turns().is_some())
            .map(|(place, _)| place);
        if found.is_none() || found == Some((at, 0)) || !follows {
            let names: Vec<&str> = robot
                .joints()
                .filter(|(_, joint)| joint.turns().is_some())
                .map(|(_, joint)| joint.name.as_str())
                .collect();
            let help = match closest(leader, names.iter().copied()) {
                Some(word) if word != leader => format!("did you mean `{word}`?"),
                _ => "name another joint that turns or slides".to_owned(),
            };
            self.findings.error(
                E0602,
                format!("`{leader}` is no joint that can be followed here"),
                xml::value_place(node, "joint"),
                "followed by `mimic`",
                help,
            );
            return;
        }
        robot.equalities.push(Equality {
            name: String::new(),
            span: place(node),
            law: Law::Joint {
                follower: (at, 0),
                leader: found,
                coefficients: vec![offset, factor],
            },
        });
    }
}

/// Whether an element is one of xacro's.
fn is_template(node: Node) -> bool {
    let space = node.tag_name().namespace();
    node.is_element() && space.is_some_and(|space| space.contains("xacro"))
}

/// Bounds, unless they leave nothing.
fn sensible(lower: Option<Decimal>, upper: Option<Decimal>) -> (Option<Decimal>, Option<Decimal>) {
    match (&lower, &upper) {
        (Some(low), Some(high)) if low >= high => (None, None),
        _ => (lower, upper),
    }
}

/// Without what rounding left of zeros: lengths and angles below 1e-12.
fn quiet(triple: Triple) -> Triple {
    triple.map(|number| {
        if number.to_double().abs() < 1e-12 {
            Decimal::zero()
        } else {
            number
        }
    })
}

/// The same for entries of a tensor: those below 1e-12 of the largest, or 1e-16.
fn quiet_beside(entries: [Decimal; 6]) -> [Decimal; 6] {
    let largest = entries
        .iter()
        .map(|entry| entry.to_double().abs())
        .fold(0.0, f64::max);
    entries.map(|entry| {
        if entry.to_double().abs() < (1e-12 * largest).max(1e-16) {
            Decimal::zero()
        } else {
            entry
        }
    })
}
