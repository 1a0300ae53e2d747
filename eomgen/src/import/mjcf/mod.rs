//! MJCF: the bodies of MuJoCo in XML. Knows nothing of models.
//!
//! What is read: bodies, joints, inertias (given, or those of primitive shapes), defaults, equality constraints, motors and servos on
//! joints. What changes the motion and is not read is refused; everything else is reported as left out. Contacts are left out: a
//! model has none unless it says so.

mod around;
mod attach;
mod classes;
mod compose;
mod coupling;
mod geom;
mod joint;
mod motor;
mod pose;
mod replicate;
mod solid;
mod weight;

use roxmltree::{Document, Node};

use super::beside::Beside;
use super::decimal::Decimal;
use super::findings::Findings;
use super::robot::{Equality, Link, Mark, Mass, Robot, Shape, Triple, origin};
use super::turn::Turn;
use super::xml::{self, child, elements, place};
use crate::diag::codes::import::{E0601, E0602, E0603};
use around::{Around, Own};
use attach::Attached;
use classes::{Classes, Element};
use compose::Composed;
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

/// Reads a machine and the files that it names. Errors are among the findings.
pub fn read(text: &str, beside: &Beside, exact: bool, findings: &mut Findings) -> Option<Robot> {
    read_file(text, 0, beside, exact, 0, findings)
}

/// One file, by its number; so deep in others.
fn read_file(
    text: &str,
    file: u32,
    beside: &Beside,
    exact: bool,
    depth: usize,
    findings: &mut Findings,
) -> Option<Robot> {
    let composed = match Composed::read(beside, file, text) {
        Ok(composed) => composed,
        Err(error) => {
            findings.wrong.push(error);
            return None;
        }
    };
    let composed = replicate::written_out(composed, exact, findings)?;
    let document = match xml::read(composed.text()) {
        Ok(document) => document,
        Err(error) => {
            findings.wrong.push(error);
            composed.told(findings);
            return None;
        }
    };
    let (robot, others) = machine(&document, &composed, beside, exact, depth, findings);
    composed.told(findings);
    for other in others {
        findings.join(other);
    }
    robot.filter(|_| findings.wrong.is_empty())
}

/// The machine of a document, and what is found in the files that it attaches.
fn machine(
    document: &Document,
    composed: &Composed,
    beside: &Beside,
    exact: bool,
    depth: usize,
    findings: &mut Findings,
) -> (Option<Robot>, Vec<Findings>) {
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
        groups: None,
        attached: Vec::new(),
        grafted: Vec::new(),
        others: Vec::new(),
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
        return (None, reader.others);
    };
    let compilers = || xml::children(root, "compiler");
    reader.from_shapes = compilers().find_map(|node| node.attribute("inertiafromgeom"));
    reader.groups =
        compilers().find_map(|node| xml::exactly::<2>(node, "inertiagrouprange", reader.findings));
    reader.world(world);
    reader.robot.placed(&|span| composed.place(span));
    let attached = std::mem::take(&mut reader.attached);
    attach::graft(&mut reader, root, attached, beside, depth);
    // Of everything, what is attached included.
    weight::settle(&mut reader, root);
    coupling::read(&mut reader, root);
    for equality in &mut reader.robot.equalities {
        equality.span = composed.place(equality.span);
    }
    reader.robot.equalities.append(&mut reader.grafted);
    motor::read(&mut reader, root);
    (Some(reader.robot), reader.others)
}

/// What is read so far.
pub struct Reader<'r, 'a> {
    angles: Angles,
    classes: &'r Classes<'a>,
    findings: &'r mut Findings,
    robot: Robot,
    /// When the inertia of a body is that of its shapes.
    from_shapes: Option<&'a str>,
    /// The groups of shapes that weigh something.
    groups: Option<[Decimal; 2]>,
    /// Bodies of other files that are to be attached.
    attached: Vec<Attached>,
    /// Couplings of these.
    grafted: Vec<Equality>,
    /// What is found in other files.
    others: Vec<Findings>,
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
        let changing = [("coordinate", "local")];
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
        for own in around::own(self, node, class, &Around::default()) {
            self.seen(&own, "world", &mut world);
        }
        self.robot.links.push(world);
        self.bodies(node, 0, class, &Around::default());
    }

    /// What a part of a body looks like, or where it is.
    fn seen(&mut self, own: &Own<'a, '_>, name: &str, link: &mut Link) {
        match own.node.tag_name().name() {
            "geom" => {
                let element = self.classes.element(own.node, own.class, self.findings);
                let shape = solid::shape(self, &element, name);
                link.shapes.extend(shape.map(|shape| Shape {
                    at: own.around.place(shape.at),
                    turn: own.around.turn(shape.turn),
                    ..shape
                }));
            }
            "site" => link.marks.extend(self.site(own)),
            _ => {}
        }
    }

    /// The bodies inside, also in frames; nesting is bounded by that of the file.
    fn bodies(&mut self, node: Node<'a, '_>, parent: usize, class: &'a str, around: &Around) {
        for part in elements(node) {
            match part.tag_name().name() {
                "body" => self.body(part, parent, class, around),
                "geom" | "site" | "joint" | "freejoint" | "inertial" => {}
                "camera" | "light" => {
                    self.findings
                        .left_out("cameras and lights", "", place(part));
                }
                "frame" => {
                    let inner = part.attribute("childclass").unwrap_or(class);
                    let around = around.then(Around::of(self, part));
                    self.bodies(part, parent, inner, &around);
                }
                "attach" => {
                    let attached = Attached::read(part, parent, around, self.findings);
                    self.attached.extend(attached);
                }
                _ => self.refuse(part, "it stands for bodies that are not here", WRITTEN_OUT),
            }
        }
    }

    fn body(&mut self, node: Node<'a, '_>, parent: usize, class: &'a str, around: &Around) {
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
        (link.at, link.turn) = around.then(Around::of(self, node)).parts();
        let all = around::own(self, node, class, &Around::default());
        link.joints = joint::read(self, &all, &name, parent == 0);
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
        for own in &all {
            self.seen(own, &name, &mut link);
        }
        link.masses = self.masses(&all, &name);
        self.robot.links.push(link);
        self.bodies(node, at, class, &Around::default());
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

    fn masses(&mut self, all: &[Own<'a, '_>], name: &str) -> Vec<Mass> {
        let is = |own: &&Own, tag: &'static str| own.node.has_tag_name(tag);
        let given = all.iter().find(|own| is(own, "inertial"));
        let shapes = match self.from_shapes {
            Some("true") => true,
            Some("false") => false,
            _ => given.is_none(),
        };
        let placed = |around: &Around, mass: Mass| Mass {
            centre: around.place(mass.centre),
            turn: around.turn(mass.turn),
            ..mass
        };
        match given {
            Some(given) if !shapes => {
                let mass = self.inertial(given.node);
                mass.map(|mass| placed(&given.around, mass))
                    .into_iter()
                    .collect()
            }
            _ if !shapes => Vec::new(),
            _ => {
                let geoms = all.iter().filter(|own| is(own, "geom"));
                let mut masses = Vec::new();
                for own in geoms {
                    let element = self.classes.element(own.node, own.class, self.findings);
                    if self.weighs(&element) {
                        let mass = solid::mass(self, &element, name);
                        masses.extend(mass.map(|mass| placed(&own.around, mass)));
                    }
                }
                masses
            }
        }
    }

    /// Whether a shape is in one of the groups that weigh something.
    fn weighs(&mut self, element: &Element) -> bool {
        let group = element
            .number("group", Decimal::zero(), self.findings)
            .to_double();
        let Some([first, last]) = &self.groups else {
            return true;
        };
        (first.to_double()..=last.to_double()).contains(&group)
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

    fn site(&mut self, own: &Own<'a, '_>) -> Option<Mark> {
        let element = self.classes.element(own.node, own.class, self.findings);
        let name = element.text("name")?;
        let at = pose::place(&element, "pos", self.findings);
        let turn = self.angles.turn(&element, self.findings);
        Some(Mark {
            name: name.to_owned(),
            at: own.around.place(at),
            turn: own.around.turn(turn),
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
