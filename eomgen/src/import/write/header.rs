//! What stands at the top of an imported model: its source, how it was read, what is missing. Knows no format.

use super::super::findings::Findings;
use super::super::robot::Robot;
use super::is_grounded;
use super::link::Writer;

/// Widest line.
const WIDEST: usize = 110;

/// The comments before the model.
pub fn text(robot: &Robot, source: &str, findings: &Findings, writer: &Writer) -> String {
    let moving = robot
        .joints()
        .filter(|(_, joint)| joint.moves() && joint.turns().is_some())
        .count();
    let links = robot.links.len();
    let s = |count: usize| if count == 1 { "" } else { "s" };
    let mut text = format!(
        "//! {}, from {}: {links} link{}, {moving} joint{} that move{} by one coordinate.\n",
        plain(&robot.name),
        plain(source),
        s(links),
        s(moving),
        if moving == 1 { "s" } else { "" },
    );
    let mut notes: Vec<String> = robot
        .comments
        .iter()
        .map(|line| format!("> {}", plain(line)))
        .collect();
    notes.push("Units: m, kg, s, rad.".to_owned());
    if let Some(root) = robot.links.first()
        && is_grounded(robot)
        && root.parent.is_none()
        && !robot.grounded
    {
        notes.push(format!(
            "`{}` is the ground: its frame is N, its origin O.",
            plain(&root.name)
        ));
    }
    let table = |title: &str, pairs: Vec<String>| format!("{title}: {}", pairs.join("; "));
    if !findings.angles.is_empty() {
        let pairs = findings
            .angles
            .iter()
            .map(|(written, read)| format!("{written} is {read}"));
        notes.push(table("Angles", pairs.collect()));
    }
    let renamed = &writer.scope.names.renamed;
    if !renamed.is_empty() {
        let pairs = renamed
            .iter()
            .map(|(old, new)| format!("{} is {new}", plain(old)));
        notes.push(table("Renamed", pairs.collect()));
    }
    if !writer.same.is_empty() {
        let same = writer
            .same
            .iter()
            .filter(|(link, _)| robot.links.first().is_none_or(|root| root.name != *link));
        let pairs = same.map(|(link, other)| format!("{} = {other}", plain(link)));
        let pairs: Vec<String> = pairs.collect();
        if !pairs.is_empty() {
            notes.push(table("Same frame and origin", pairs));
        }
    }
    let left = findings.left_lines();
    notes.extend(left.iter().map(|line| format!("Left out: {}", plain(line))));
    for note in notes {
        for line in wrapped(&note) {
            text += &format!("// {line}\n");
        }
    }
    text
}

/// Words in lines; all but the first are indented.
pub fn wrapped(note: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in note.split_whitespace() {
        if !line.trim().is_empty() && line.len() + word.len() + 4 > WIDEST {
            lines.push(std::mem::take(&mut line));
            line.push(' ');
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    if !line.trim().is_empty() {
        lines.push(line);
    }
    lines
}

/// Text of a file within a comment: one line, and nothing that hides.
pub fn plain(text: &str) -> String {
    let shown: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(200)
        .collect();
    crate::visible::visible(&shown).to_string()
}
