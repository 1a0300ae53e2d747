//! MJCF: the bodies of MuJoCo in XML. Knows nothing of models.
//!
//! What is read: bodies, joints, inertias (given, or those of primitive shapes), defaults, equality constraints, motors and servos on
//! joints. What changes the motion and is not read is refused; everything else is reported as left out. Contacts are left out: a
//! model has none unless it says so.

mod classes;
mod coupling;
mod geom;
mod joint;
mod motor;
mod pose;
mod solid;

use roxmltree::{Document, Node};

use super::decimal::Decimal;
use super::findings::Findings;
use super::robot::{Link, Mark, Mass, Robot, Shape, Triple, origin};
use super::turn::Turn;
use super::xml::{self, child, elements, place};
use crate::diag::codes::import::{E0601, E0602, E0603};
use classes::{Classes, Element};
use pose::Angles;

/// Most bodies.
const MOST_BODIES: usize = 2000;
/// What the program itself does to a file before it simulates.
const WRITTEN_OUT: &str =
    "let MuJoCo write the model out, which leaves simple bodies: `mj_saveLastXML`";
/// Sections that do not change the motion, or only by contacts.
const BESIDE: [(&str, &str); 8] = [
    ("contact", "contacts"),
    ("sensor", "sensors"),
    ("keyframe", "keyframes"),
    ("visual", ""),
    ("asset", ""),
    ("statistic", ""),
    ("size", ""),
    ("custom", "custom data"),
];

/// Reads a machine. Errors are among the findings.
pub fn read(document: &Document, exact: bool, findings: &mut Findings) -> Option<Robot> {
    let root = document.root_element();
    let angles = angles(root, exact, findings);
    let classes = Classes::read(root);
    let mut reader = Reader {
        angles,
        classes: &classes,
        findings,
        robot: Robot {
            name: root.attribute("model").unwrap_or("robot").to_owned(),
            comments: xml::comments(document),
            grounded: true,
            ..Robot::default()
        },
        from_shapes: None,
    };
    reader.sections(root);
    reader.robot.gravity = reader.gravity(root);
    let Some(world) = child(root, "worldbody") else {
        reader.findings.error(
            E0602,
            "there is no `worldbody`",
            place(root),
            "in this model",
            "bodies stand in `<worldbody>`",
        );
        return None;
    };
    reader.from_shapes = child(root, "compiler").and_then(|node| node.attribute("inertiafromgeom"));
    reader.world(world);
    coupling::read(&mut reader, root);
    motor::read(&mut reader, root);
    let robot = reader.robot;
    findings.wrong.is_empty().then_some(robot)
}

/// What is read so far.
pub struct Reader<'r, 'a> {
    angles: Angles,
    classes: &'r Classes<'a>,
    findings: &'r mut Findings,
    robot: Robot,
    /// When the inertia of a body is that of its shapes.
    from_shapes: Option<&'a str>,
}

/// The settings of the compiler; those that change the machine are refused.
fn angles(root: Node, exact: bool, findings: &mut Findings) -> Angles {
    let mut angles = Angles {
        degrees: true,
        sequence: "xyz".to_owned(),
        exact,
    };
    for node in xml::children(root, "compiler") {
        match node.attribute("angle") {
            None | Some("degree") => {}
            Some("radian") => angles.degrees = false,
            Some(other) => findings.error(
                E0601,
                format!("`{other}` is no unit of angles"),
                xml::value_place(node, "angle"),
                "here",
                "write `radian` or `degree`",
            ),
        }
        if let Some(sequence) = node.attribute("eulerseq") {
            angles.sequence = sequence.to_owned();
        }
        let changing = [
            ("coordinate", "local"),
            ("boundmass", "0"),
            ("boundinertia", "0"),
            ("balanceinertia", "false"),
            ("settotalmass", "-1"),
            ("inertiagrouprange", "0 5"),
        ];
        for (name, harmless) in changing {
            if let Some(value) = node.attribute(name).filter(|value| *value != harmless) {
                findings.error(
                    E0603,
                    format!("the setting `{name}=\"{value}\"` is not read"),
                    xml::value_place(node, name),
                    "it changes masses or places",
                    WRITTEN_OUT,
                );
            }
        }
    }
    angles
}

impl<'a> Reader<'_, 'a> {
    fn sections(&mut self, root: Node) {
        for node in elements(root) {
            let tag = node.tag_name().name();
            let read = [
                "compiler",
                "option",
                "default",
                "worldbody",
                "equality",
                "actuator",
                "tendon",
            ];
            if read.contains(&tag) {
                continue;
            }
            match BESIDE.iter().find(|(name, _)| *name == tag) {
                Some((_, "")) => {}
                Some((_, what)) => self.findings.left_out(*what, "", place(node)),
                None => self.refuse(node, "it may change the machine", WRITTEN_OUT),
            }
        }
    }

    /// An element that changes the motion and is not read.
    fn refuse(&mut self, node: Node, why: &str, help: &str) {
        let tag = node.tag_name().name();
        self.findings.error(
            E0603,
            format!("`{tag}` is not read"),
            place(node),
            why,
            help,
        );
    }

    fn gravity(&mut self, root: Node) -> Option<Triple> {
        let earth = [Decimal::zero(), Decimal::zero(), Decimal::of_double(-9.81)];
        let mut gravity = earth;
        for node in xml::children(root, "option") {
            if let Some(found) = xml::exactly::<3>(node, "gravity", self.findings) {
                gravity = found;
            }
            for name in ["density", "viscosity"] {
                let value = xml::number(node, name, self.findings);
                if value.is_some_and(|value| !value.is_zero()) {
                    self.findings.error(
                        E0603,
                        format!("the option `{name}` is not read"),
                        xml::value_place(node, name),
                        "forces of a fluid",
                        "set it to 0, and state such forces in the model",
                    );
                }
            }
            for flag in xml::children(node, "flag") {
                for attribute in flag.attributes() {
                    self.flag(flag, attribute.name(), attribute.value(), &mut gravity);
                }
            }
        }
        Some(gravity)
    }

    fn flag(&mut self, node: Node, name: &str, value: &str, gravity: &mut Triple) {
        let off = value == "disable";
        match name {
            "gravity" if off => *gravity = origin(),
            "equality" | "passive" | "spring" | "damper" | "frictionloss" | "actuation" if off => {
                self.findings.error(
                    E0603,
                    format!("the flag `{name}` is not read"),
                    xml::value_place(node, name),
                    "it changes the forces",
                    "remove the flag, and what it switches off",
                );
            }
            _ => {}
        }
    }

    fn world(&mut self, node: Node<'a, '_>) {
        let mut world = blank("world", node);
        let class = node.attribute("childclass").unwrap_or("main");
        for part in elements(node) {
            match part.tag_name().name() {
                "geom" => {
                    let element = self.classes.element(part, class, self.findings);
                    world.shapes.extend(solid::shape(self, &element, "world"));
                }
                "site" => world.marks.extend(self.site(part, class)),
                _ => {}
            }
        }
        self.robot.links.push(world);
        self.bodies(node, 0, class);
    }

    /// The bodies inside; nesting is bounded by that of the file.
    fn bodies(&mut self, node: Node<'a, '_>, parent: usize, class: &'a str) {
        for part in elements(node) {
            match part.tag_name().name() {
                "body" => self.body(part, parent, class),
                "geom" | "site" | "joint" | "freejoint" | "inertial" => {}
                "camera" | "light" => {
                    self.findings
                        .left_out("cameras and lights", "", place(part));
                }
                "frame" => self.frame(part, parent, class),
                _ => self.refuse(part, "it stands for bodies that are not here", WRITTEN_OUT),
            }
        }
    }

    /// A frame that places bodies: a link without mass that is fixed to its parent.
    fn frame(&mut self, node: Node<'a, '_>, parent: usize, class: &'a str) {
        let at = self.robot.links.len();
        if at >= MOST_BODIES {
            return self.refuse(node, "the model has too many bodies", WRITTEN_OUT);
        }
        let own = ["geom", "site", "joint", "freejoint", "inertial"];
        if let Some(part) =
            elements(node).find(|part| own.iter().any(|tag| part.has_tag_name(*tag)))
        {
            let why = "in a frame it belongs to the body around it";
            return self.refuse(part, why, WRITTEN_OUT);
        }
        let class = node.attribute("childclass").unwrap_or(class);
        let known = |robot: &Robot, name: &str| robot.links.iter().any(|link| link.name == name);
        let given = node.attribute("name").map(str::to_owned);
        let name = given.unwrap_or_else(|| format!("frame_{at}"));
        let mut name = name;
        while known(&self.robot, &name) {
            name.push('_');
        }
        let mut link = blank(&name, node);
        link.parent = Some(parent);
        let own = Element::plain(node);
        link.at = pose::place(&own, "pos", self.findings);
        link.turn = self.angles.turn(&own, self.findings);
        self.robot.links.push(link);
        self.bodies(node, at, class);
    }

    fn body(&mut self, node: Node<'a, '_>, parent: usize, class: &'a str) {
        let at = self.robot.links.len();
        if at > MOST_BODIES {
            return;
        }
        if at == MOST_BODIES {
            self.refuse(
                node,
                "this is the first body too many",
                "no model can hold as many bodies",
            );
        }
        let class = node.attribute("childclass").unwrap_or(class);
        let name = node
            .attribute("name")
            .map_or_else(|| format!("body_{at}"), str::to_owned);
        let known = self.robot.links.iter().any(|link| link.name == name);
        if known {
            self.findings.error(
                E0602,
                format!("two bodies are called `{name}`"),
                xml::value_place(node, "name"),
                "the second one",
                "give it another name",
            );
        }
        self.odd(node);
        let mut link = blank(&name, node);
        link.parent = Some(parent);
        let own = Element::plain(node);
        link.at = pose::place(&own, "pos", self.findings);
        link.turn = self.angles.turn(&own, self.findings);
        link.joints = joint::read(self, node, class, &name, parent == 0);
        if link
            .joints
            .iter()
            .any(|joint| joint.motion == super::robot::Motion::Free)
        {
            // Where a free body is, its coordinates say.
            let start = std::mem::replace(&mut link.at, origin());
            let turn = std::mem::replace(&mut link.turn, Turn::None);
            for joint in &mut link.joints {
                joint.start = start.clone();
                joint.start_turn = turn.clone();
            }
        }
        for part in elements(node) {
            match part.tag_name().name() {
                "geom" => {
                    let element = self.classes.element(part, class, self.findings);
                    link.shapes.extend(solid::shape(self, &element, &name));
                }
                "site" => link.marks.extend(self.site(part, class)),
                _ => {}
            }
        }
        link.masses = self.masses(node, class, &name);
        self.robot.links.push(link);
        self.bodies(node, at, class);
    }

    /// What makes a body move otherwise than by its joints.
    fn odd(&mut self, node: Node) {
        for odd in ["mocap", "gravcomp"] {
            let value = node
                .attribute(odd)
                .filter(|value| !["false", "0"].contains(value));
            if value.is_some() {
                self.findings.error(
                    E0603,
                    format!("`{odd}` is not read"),
                    xml::value_place(node, odd),
                    "it changes the motion",
                    "remove it; a prescribed motion and a counterweight can be stated in the model",
                );
            }
        }
    }

    fn masses(&mut self, node: Node<'a, '_>, class: &'a str, name: &str) -> Vec<Mass> {
        let given = child(node, "inertial");
        let shapes = match self.from_shapes {
            Some("true") => true,
            Some("false") => false,
            _ => given.is_none(),
        };
        match given {
            Some(given) if !shapes => self.inertial(given).into_iter().collect(),
            _ if !shapes => Vec::new(),
            _ => {
                let geoms = elements(node).filter(|part| part.has_tag_name("geom"));
                let geoms: Vec<Node> = geoms.collect();
                geoms
                    .into_iter()
                    .filter_map(|part| {
                        let element = self.classes.element(part, class, self.findings);
                        solid::mass(self, &element, name)
                    })
                    .collect()
            }
        }
    }

    fn inertial(&mut self, node: Node<'a, '_>) -> Option<Mass> {
        let own = Element::plain(node);
        let mass = match own.exactly::<1>("mass", self.findings) {
            Some([mass]) => mass,
            None => {
                xml::required(node, "mass", self.findings);
                return None;
            }
        };
        let centre = pose::place(&own, "pos", self.findings);
        let full = own.exactly::<6>("fullinertia", self.findings);
        let inertia = match full {
            Some([xx, yy, zz, xy, xz, yz]) => [xx, yy, zz, xy, yz, xz],
            None => {
                let Some([xx, yy, zz]) = own.exactly::<3>("diaginertia", self.findings) else {
                    self.findings.error(
                        E0601,
                        "`inertial` without moments of inertia",
                        place(node),
                        "in this element",
                        "add `diaginertia` or `fullinertia`",
                    );
                    return None;
                };
                let zero = Decimal::zero;
                [xx, yy, zz, zero(), zero(), zero()]
            }
        };
        if mass.is_negative() || inertia[..3].iter().any(Decimal::is_negative) {
            self.findings.error(
                E0601,
                "a negative mass or moment of inertia",
                place(node),
                "in this element",
                "masses and moments of inertia are 0 or more",
            );
        }
        Some(Mass {
            mass,
            centre,
            turn: self.angles.turn(&own, self.findings),
            inertia,
        })
    }

    fn site(&mut self, node: Node<'a, '_>, class: &'a str) -> Option<Mark> {
        let element = self.classes.element(node, class, self.findings);
        let name = element.text("name")?;
        Some(Mark {
            name: name.to_owned(),
            at: pose::place(&element, "pos", self.findings),
            turn: Turn::None,
        })
    }
}

/// A link without anything in it.
fn blank(name: &str, node: Node) -> Link {
    Link {
        name: name.to_owned(),
        span: place(node),
        parent: None,
        at: origin(),
        turn: Turn::None,
        joints: Vec::new(),
        fixed_by: None,
        masses: Vec::new(),
        shapes: Vec::<Shape>::new(),
        marks: Vec::new(),
    }
}
