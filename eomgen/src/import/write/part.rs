//! A limb as a part in a file of its own, and its uses. Knows no format.

use super::super::limbs::Limb;
use super::super::robot::Robot;
use super::link::Writer;
use super::phrase;
use super::scope::Scope;
use super::{joined, relations, slip, titled};

/// Widest statement on one line.
const WIDEST: usize = 100;

/// A written part.
pub struct Part {
    /// Its file.
    pub file: String,
    /// Its text.
    pub text: String,
    /// What its links are called in it.
    scope: Scope,
    /// What it needs beside a frame and a point.
    scalars: Vec<String>,
}

/// Writes a limb into a file.
pub fn write(limb: &Limb, model: &str, file: String, robot: &Robot) -> Part {
    let mut writer = Writer::new(&limb.robot);
    let name = writer.scope.names.given(&format!("{model}_{}", limb.name));
    let (base, root) = (
        writer.scope.names.own("base"),
        writer.scope.names.own("root"),
    );
    // Numbers are written with these names already: nothing else may have them.
    let scalars: Vec<String> = limb
        .scalars
        .iter()
        .map(|(name, _)| writer.scope.names.own(name))
        .collect();
    for at in 0..limb.robot.links.len() {
        let (frame, point) = match limb.robot.links[at].parent {
            Some(parent) => (writer.scope.frame(parent), writer.scope.point(parent)),
            None => (base.clone(), root.clone()),
        };
        writer.link(at, &frame, &point);
    }
    let used: Vec<&str> = limb
        .members
        .iter()
        .map(|member| member.name.as_str())
        .collect();
    let mut head = vec![
        format!(
            "//! A limb of {}: {}.",
            super::header::plain(&robot.name),
            used.join(", ")
        ),
        format!("part {name}"),
        format!("needs frame {base}"),
        format!("needs point {root}"),
    ];
    if !scalars.is_empty() {
        head.push(format!("needs scalar {}", scalars.join(", ")));
    }
    let mut blocks = vec![head];
    blocks.extend(slip(&writer.scope));
    blocks.append(&mut writer.blocks);
    let limits = relations::limits(&limb.robot, &writer.scope, |_| false);
    if !limits.is_empty() {
        blocks.push(titled("Limits of the joints.", limits));
    }
    if !writer.aside.is_empty() {
        blocks.push(titled(
            "Frames without mass.",
            std::mem::take(&mut writer.aside),
        ));
    }
    Part {
        file,
        text: joined(&blocks),
        scope: writer.scope,
        scalars,
    }
}

/// Writes one use of a part into a model, and says what its links are called there.
pub fn apply(limb: &Limb, position: usize, part: &Part, writer: &mut Writer) {
    let member = &limb.members[position];
    let name = writer.scope.names.own(&member.name);
    let root = &writer.robot.links[member.links[0]];
    let (frame, point) = match root.parent {
        Some(parent) => (writer.scope.frame(parent), writer.scope.point(parent)),
        None => ("N".to_owned(), "O".to_owned()),
    };
    let mut given = vec![
        format!("base = {frame}"),
        format!("root = {}", phrase::place(&point, &root.at, &frame)),
    ];
    for (scalar, (_, values)) in part.scalars.iter().zip(&limb.scalars) {
        given.push(format!("{scalar} = {}", values[position].text()));
    }
    for (link, joint, value) in &member.initial {
        if let Some(coordinate) = part.scope.coordinate((*link, *joint)) {
            given.push(format!("{coordinate} = {}", value.text()));
        }
    }
    let head = format!("use \"{}\" as {name}(", part.file);
    let line = format!("{head}{})", given.join(", "));
    let lines = if line.len() <= WIDEST {
        vec![line]
    } else {
        let mut lines = vec![head];
        let last = given.len() - 1;
        lines.extend(given.iter().enumerate().map(|(at, text)| {
            let end = if at == last { ")" } else { "," };
            format!("    {text}{end}")
        }));
        lines
    };
    writer.blocks.push(lines);
    for (at, link) in member.links.iter().enumerate() {
        let inside = |inner: String, outer: &str, needed: &str| {
            if inner == needed {
                outer.to_owned()
            } else {
                format!("{name}.{inner}")
            }
        };
        let own = inside(part.scope.frame(at), &frame, "base");
        writer.scope.frames.insert(*link, own);
        let own = inside(part.scope.point(at), &format!("{name}.root"), "root");
        writer.scope.points.insert(*link, own);
        for (joint, _) in limb.robot.links[at].joints.iter().enumerate() {
            let Some(inner) = part.scope.coordinates.get(&(at, joint)) else {
                continue;
            };
            let outer: Vec<String> = inner
                .iter()
                .map(|inner| format!("{name}.{inner}"))
                .collect();
            let was = &writer.robot.links[*link].joints[joint].name;
            if let [outer] = &outer[..] {
                writer
                    .scope
                    .names
                    .renamed
                    .push((was.clone(), outer.clone()));
            }
            writer.scope.coordinates.insert((*link, joint), outer);
        }
    }
}
