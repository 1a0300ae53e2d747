//! From a tree of links to the text of a model. Knows no format.

mod header;
mod link;
mod names;
mod phrase;
mod relations;
mod scope;

use super::findings::Findings;
use super::robot::{Motion, Robot};
use link::Writer;

/// A model as it is written, with the parts that it uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The model's text.
    pub text: String,
    /// Texts of parts, by the names of their files.
    pub parts: Vec<(String, String)>,
}

/// Writes a machine. `source` is what its file is called.
pub fn write(robot: &Robot, source: &str, findings: &Findings) -> Written {
    let mut writer = Writer::new(robot);
    let name = writer.scope.names.given(&robot.name);
    for at in 0..robot.links.len() {
        let (frame, point) = match robot.links[at].parent {
            Some(parent) => (writer.scope.frame(parent), writer.scope.point(parent)),
            None => ("N".to_owned(), "O".to_owned()),
        };
        writer.link(at, &frame, &point);
    }
    let mut blocks = vec![vec![format!("model {name}")]];
    blocks.push(vec![relations::gravity(robot)]);
    if writer.scope.friction {
        let told = "/// rate at which Coulomb friction has three quarters of its size";
        blocks.push(vec![format!("param v_slip = 0.01  {told}")]);
    }
    blocks.append(&mut writer.blocks);
    let relations = relations::all(robot, &mut writer.scope);
    if !relations.is_empty() {
        blocks.push(titled("What couples the joints.", relations));
    }
    let limits = relations::limits(robot, &writer.scope);
    if !limits.is_empty() {
        blocks.push(titled("Limits of the joints.", limits));
    }
    if !writer.aside.is_empty() {
        blocks.push(titled("Frames without mass.", std::mem::take(&mut writer.aside)));
    }
    let header = header::text(robot, source, findings, &writer);
    let body: Vec<String> = blocks.iter().map(|block| block.join("\n")).collect();
    Written {
        text: format!("{header}{}\n", body.join("\n\n")),
        parts: Vec::new(),
    }
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
