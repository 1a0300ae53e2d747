//! Paths of parts as text, the same on every system.

/// The path of a part that a file names: relative to the file's folder unless it is absolute. `-` has no folder.
pub fn join(file: &str, path: &str) -> String {
    let path = path.replace('\\', "/");
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
