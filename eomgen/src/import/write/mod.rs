//! From a tree of links to the text of a model. Knows no format.

pub mod header;
mod link;
pub mod names;
mod part;
mod phrase;
mod relations;
mod scope;

use super::findings::Findings;
use super::limbs::Limb;
use super::robot::{Motion, Robot};
use link::Writer;
use scope::Scope;

/// A model as it is written, with the parts that it uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The model's text.
    pub text: String,
    /// Texts of parts, by the names of their files.
    pub parts: Vec<(String, String)>,
}

/// Writes a machine. `source` is what its file is called; `limbs` are written as parts in files that begin with `stem`.
pub fn write(
    robot: &Robot,
    limbs: &[Limb],
    stem: &str,
    source: &str,
    findings: &Findings,
) -> Written {
    let mut writer = Writer::new(robot);
    let name = writer.scope.names.given(&robot.name);
    let mut parts = Vec::new();
    for limb in limbs {
        let file = format!("{stem}_{}.eom", limb.name);
        parts.push(part::write(limb, &name, file, robot));
    }
    let uses = |at: usize| {
        limbs.iter().enumerate().find_map(|(number, limb)| {
            let position = limb
                .members
                .iter()
                .position(|member| member.links.contains(&at))?;
            Some((number, position))
        })
    };
    for at in 0..robot.links.len() {
        match uses(at) {
            None => {
                let (frame, point) = match robot.links[at].parent {
                    Some(parent) => (writer.scope.frame(parent), writer.scope.point(parent)),
                    None => ("N".to_owned(), "O".to_owned()),
                };
                writer.link(at, &frame, &point);
            }
            Some((number, position)) => {
                let limb = &limbs[number];
                if limb.members[position].links.first() == Some(&at) {
                    part::apply(limb, position, &parts[number], &mut writer);
                }
            }
        }
    }
    let mut blocks = vec![vec![format!("model {name}")]];
    blocks.extend(relations::gravity(robot).map(|line| vec![line]));
    blocks.extend(slip(&writer.scope));
    blocks.append(&mut writer.blocks);
    let motors = relations::motors(robot, &mut writer.scope);
    if !motors.is_empty() {
        blocks.push(titled("Motors.", motors));
    }
    let relations = relations::all(robot, &mut writer.scope);
    if !relations.is_empty() {
        blocks.push(titled("What couples the joints.", relations));
    }
    let said = |(link, joint): (usize, usize)| {
        uses(link).is_some_and(|(number, position)| {
            let limb = &limbs[number];
            let at = limb.members[position]
                .links
                .iter()
                .position(|own| *own == link);
            let part = at.and_then(|at| limb.robot.joint((at, joint)));
            part.is_some_and(|joint| joint.range != (None, None))
        })
    };
    let limits = relations::limits(robot, &writer.scope, said);
    if !limits.is_empty() {
        blocks.push(titled("Limits of the joints.", limits));
    }
    if !writer.aside.is_empty() {
        blocks.push(titled(
            "Frames without mass.",
            std::mem::take(&mut writer.aside),
        ));
    }
    let header = header::text(robot, source, findings, &writer);
    Written {
        text: format!("{header}{}", joined(&blocks)),
        parts: parts
            .into_iter()
            .map(|part| (part.file, part.text))
            .collect(),
    }
}

/// The rate by which Coulomb friction is smoothed, where there is any.
fn slip(scope: &Scope) -> Option<Vec<String>> {
    let told = "rate at which Coulomb friction has three quarters of its size";
    let name = scope.slip.as_ref()?;
    Some(vec![format!("param {name} = 0.01  /// {told}")])
}

/// Blocks of lines as a text.
fn joined(blocks: &[Vec<String>]) -> String {
    let blocks: Vec<String> = blocks.iter().map(|block| block.join("\n")).collect();
    format!("{}\n", blocks.join("\n\n"))
}

fn titled(title: &str, lines: Vec<String>) -> Vec<String> {
    let mut all = vec![format!("// {title}")];
    all.extend(lines);
    all
}

/// Whether the first link is the ground.
fn is_grounded(robot: &Robot) -> bool {
    robot.links.first().is_none_or(|root| {
        !root
            .joints
            .iter()
            .any(|joint| matches!(joint.motion, Motion::Free | Motion::FreeEuler))
    })
}
