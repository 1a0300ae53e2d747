//! Paths of parts as text, the same on every system.

/// How paths into the library of parts begin, which is no folder of anyone's.
const SHIPPED: &str = "<std>/";

/// Whether a part belongs to the program.
pub fn is_shipped(path: &str) -> bool {
    path.starts_with(SHIPPED)
}

/// The name of a part of the library: `revolute.eom`.
pub fn shipped(path: &str) -> Option<&str> {
    path.strip_prefix(SHIPPED)
}

/// The path of a part that a file names: into the library if it begins with `std/`, else relative to the file's folder unless it is absolute. `-` has no folder.
pub fn join(file: &str, path: &str) -> String {
    let path = path.replace('\\', "/");
    if let Some(name) = path.strip_prefix("std/") {
        return format!("{SHIPPED}{name}");
    }
    let drive = path.as_bytes().get(1) == Some(&b':');
    if path.starts_with('/') || drive {
        return normal(&path);
    }
    let file = file.replace('\\', "/");
    match file.rsplit_once('/') {
        Some((folder, _)) => normal(&format!("{folder}/{path}")),
        None => normal(&path),
    }
}

/// Without `.` and with `..` taken back as far as it can be.
fn normal(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let absolute = path.starts_with('/');
    for step in path.split('/') {
        match step {
            "" | "." => {}
            ".." if kept.last().is_some_and(|last| *last != "..") => {
                kept.pop();
            }
            ".." if absolute => {}
            step => kept.push(step),
        }
    }
    let root = if absolute { "/" } else { "" };
    format!("{root}{}", kept.join("/"))
}

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn paths_are_relative_to_the_file() {
        assert_eq!(join("-", "leg.eom"), "leg.eom");
        assert_eq!(join("a/robot.eom", "std/belt.eom"), "<std>/belt.eom");
        assert_eq!(join("a/robot.eom", "./std/belt.eom"), "a/std/belt.eom");
        assert_eq!(join("<std>/a.eom", "b.eom"), "<std>/b.eom");
        assert_eq!(join("robot.eom", "./leg.eom"), "leg.eom");
        assert_eq!(
            join("models/robot.eom", "parts/leg.eom"),
            "models/parts/leg.eom"
        );
        assert_eq!(join("models/robot.eom", "../leg.eom"), "leg.eom");
        assert_eq!(join("robot.eom", "../leg.eom"), "../leg.eom");
        assert_eq!(join("/a/b/robot.eom", "../../../leg.eom"), "/leg.eom");
        assert_eq!(join("a/robot.eom", "/b/leg.eom"), "/b/leg.eom");
        assert_eq!(join("a\\robot.eom", "b\\leg.eom"), "a/b/leg.eom");
    }
}
