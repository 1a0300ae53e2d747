//! `attach`: a body of another file, with everything on it, its motors and couplings. Knows trees of links.

use roxmltree::Node;

use super::super::beside::Beside;
use super::super::findings::Findings;
use super::super::robot::{Equality, Law, Motion, Motor, Robot};
use super::super::xml::{self, children, place};
use super::Reader;
use super::around::Around;
use crate::diag::codes::import::{E0602, E0603};
use crate::diag::suggest::closest;
use crate::span::Span;

/// How deep models attach models.
const DEEPEST: usize = 8;

/// A body that is attached to a link.
pub struct Attached {
    model: String,
    /// All of the world without it.
    body: Option<String>,
    prefix: String,
    span: Span,
    /// Where the model is named, and where the body.
    names: [Span; 2],
    parent: usize,
    around: Around,
}

impl Attached {
    /// From its element.
    pub fn read(
        node: Node,
        parent: usize,
        around: &Around,
        findings: &mut Findings,
    ) -> Option<Self> {
        Some(Self {
            model: xml::required(node, "model", findings)?.to_owned(),
            body: node.attribute("body").map(str::to_owned),
            prefix: node.attribute("prefix").unwrap_or("").to_owned(),
            span: place(node),
            names: ["model", "body"].map(|name| xml::value_place(node, name)),
            parent,
            around: around.clone(),
        })
    }

    /// It cannot be attached.
    fn refuse(&self, reader: &mut Reader, why: &str, help: &str) {
        let title = "`attach` is not read".to_owned();
        reader.findings.error(E0603, title, self.span, why, help);
    }
}

/// Attaches all that the file attaches.
pub fn graft(reader: &mut Reader, root: Node, all: Vec<Attached>, beside: &Beside, depth: usize) {
    for attached in all {
        let Some(model) = model(reader, root, &attached) else {
            continue;
        };
        if depth >= DEEPEST {
            let help = "a model must not attach itself";
            attached.refuse(reader, "models attach models without end", help);
            return;
        }
        let path = model.attribute("file").unwrap_or_default();
        let (number, text) = match beside.file(path) {
            Ok(found) => found,
            Err(why) => {
                reader.findings.error(
                    E0602,
                    format!("cannot read {path}: {why}"),
                    xml::value_place(model, "file"),
                    "attached from here",
                    "attached models lie in the folder of the description or below it",
                );
                continue;
            }
        };
        let mut told = Findings::default();
        let robot = super::read_file(
            &text,
            number,
            beside,
            reader.angles.exact,
            depth + 1,
            &mut told,
        );
        reader.others.push(told);
        let Some(robot) = robot else { continue };
        let Some(kept) = subtree(reader, &robot, &attached) else {
            continue;
        };
        join(reader, robot, &kept, &attached);
    }
}

/// The element of the section `asset` that names the file.
fn model<'a, 'i>(
    reader: &mut Reader,
    root: Node<'a, 'i>,
    attached: &Attached,
) -> Option<Node<'a, 'i>> {
    let name = attached.model.as_str();
    let sections = children(root, "asset");
    let mut models = sections.flat_map(|section| children(section, "model"));
    let found = models.find(|model| {
        let file = model.attribute("file").unwrap_or("");
        let stem = file
            .rsplit('/')
            .next()
            .and_then(|last| last.split('.').next());
        model.attribute("name").or(stem) == Some(name) && !file.is_empty()
    });
    if found.is_none() {
        reader.findings.error(
            E0602,
            format!("there is no model `{name}`"),
            attached.names[0],
            "attached here",
            format!("add `<asset><model name=\"{name}\" file=\"..\"/></asset>`"),
        );
    }
    found
}

/// The links of the body that is attached; of the world all but itself.
fn subtree(reader: &mut Reader, robot: &Robot, attached: &Attached) -> Option<Vec<bool>> {
    let Some(name) = attached.body.as_deref() else {
        let kept = (0..robot.links.len()).map(|at| at > 0).collect();
        return Some(kept);
    };
    let top = robot.links.iter().position(|link| link.name == name);
    let Some(top) = top.filter(|top| *top > 0) else {
        let names = robot.links.iter().skip(1).map(|link| link.name.as_str());
        let help = match closest(name, names) {
            Some(word) => format!("did you mean `{word}`?"),
            None => "name a body of that file".to_owned(),
        };
        let at = attached.names[1];
        let title = format!("the model that is attached has no body `{name}`");
        reader
            .findings
            .error(E0602, title, at, "attached here", help);
        return None;
    };
    let mut kept = vec![false; robot.links.len()];
    kept[top] = true;
    for at in top + 1..robot.links.len() {
        kept[at] = robot.links[at].parent.is_some_and(|parent| kept[parent]);
    }
    Some(kept)
}

fn join(reader: &mut Reader, robot: Robot, kept: &[bool], attached: &Attached) {
    let first = reader.robot.links.len();
    let mut number = vec![None; kept.len()];
    let those = (0..kept.len()).filter(|at| kept[*at]);
    for (next, at) in (first..).zip(those) {
        number[at] = Some(next);
    }
    // The world of the other file is what it is attached to.
    if attached.body.is_none() {
        number[0] = Some(attached.parent);
    }
    let named = |name: &str| format!("{}{name}", attached.prefix);
    for (at, mut link) in robot.links.into_iter().enumerate() {
        if !kept[at] {
            continue;
        }
        let parent = link.parent.and_then(|parent| number[parent]);
        if parent.is_none() || parent == Some(attached.parent) {
            let mut free = false;
            for joint in &mut link.joints {
                if joint.motion == Motion::Free {
                    free = true;
                    joint.start = attached.around.place(joint.start.clone());
                    joint.start_turn = attached.around.turn(joint.start_turn.clone());
                }
            }
            if free && attached.parent != 0 {
                let help = "attach it to the world, or remove its free joint";
                attached.refuse(reader, "only a body of the world can be free", help);
            }
            if !free {
                link.at = attached.around.place(link.at);
                link.turn = attached.around.turn(link.turn);
            }
        }
        link.parent = Some(parent.unwrap_or(attached.parent));
        link.name = named(&link.name);
        once(reader, &link.name, attached.span);
        link.joints
            .iter_mut()
            .for_each(|joint| joint.name = named(&joint.name));
        link.marks
            .iter_mut()
            .for_each(|mark| mark.name = named(&mark.name));
        reader.robot.links.push(link);
    }
    couple(reader, robot.motors, robot.equalities, &number, attached);
}

/// Refuses a second body of a name.
fn once(reader: &mut Reader, name: &str, span: Span) {
    if reader.robot.links.iter().any(|there| there.name == name) {
        let title = format!("two bodies are called `{name}`");
        let label = "the second one is attached here";
        let help = "give it another `prefix`";
        reader.findings.error(E0602, title, span, label, help);
    }
}

/// Motors and couplings of what is attached.
fn couple(
    reader: &mut Reader,
    motors: Vec<Motor>,
    equalities: Vec<Equality>,
    number: &[Option<usize>],
    attached: &Attached,
) {
    let named = |name: &str| format!("{}{name}", attached.prefix);
    for mut motor in motors {
        if let Some(link) = number[motor.joint.0] {
            motor.joint.0 = link;
            motor.name = named(&motor.name);
            reader.robot.motors.push(motor);
        }
    }
    for mut equality in equalities {
        if renumbered(&mut equality.law, number) {
            if !equality.name.is_empty() {
                equality.name = named(&equality.name);
            }
            reader.grafted.push(equality);
        } else {
            let what = "couplings with what is not attached";
            reader
                .findings
                .left_out(what, named(&equality.name), attached.span);
        }
    }
}

/// A law between links that are all there, by their new numbers.
fn renumbered(law: &mut Law, number: &[Option<usize>]) -> bool {
    let mut there = true;
    let mut new = |link: &mut usize| match number[*link] {
        Some(new) => *link = new,
        None => there = false,
    };
    match law {
        Law::Joint {
            follower, leader, ..
        } => {
            new(&mut follower.0);
            if let Some(leader) = leader {
                new(&mut leader.0);
            }
        }
        Law::Connect(ends) => ends.iter_mut().for_each(|end| new(&mut end.0)),
        Law::Weld(ends) => ends.iter_mut().for_each(|end| new(&mut end.0)),
    }
    there
}
