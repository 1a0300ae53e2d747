//! Files that a command is told to write: what is already there is replaced only if it is one of ours.

use std::path::Path;

use super::console::Problem;
use crate::header;
use crate::host::beginning;

/// How our documents begin, each in its first few lines. Modules have a header.
const MARKS: [&str; 10] = [
    "Equations of motion of ",
    "The representative particle of ",
    "Plans for the accelerations of ",
    "\"format\": \"eomgen-show-",
    ".TH eomgen",
    "\"format\": \"eomgen-motion-",
    "<!-- a motion by eomgen -->",
    "<!-- a linear model by eomgen -->",
    "\"format\": \"eomgen-feedback-",
    "t [s],",
];

/// Whether a file may be replaced: one that eomgen wrote, an empty one, or any if that is asked for. What is no regular file, such
/// as `/dev/null`, is written to and not replaced.
pub(super) fn may_replace(path: &Path, force: bool) -> Result<(), Problem> {
    if force || is_ours(path) {
        return Ok(());
    }
    Err(Problem::Failed(format!(
        "{} was not written by eomgen and is not overwritten; choose another name, or add --force",
        path.display()
    )))
}

/// Whether there is nothing at this place that somebody else wrote.
pub(super) fn is_ours(path: &Path) -> bool {
    beginning(path).is_none_or(|text| is_our_text(&text))
}

fn is_our_text(text: &str) -> bool {
    text.trim().is_empty()
        || text.lines().take(8).any(header::begins)
        || MARKS.iter().any(|mark| text.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_files_are_known_by_how_they_begin() {
        for ours in [
            "",
            "\n",
            "# Equations of motion of sleigh\n",
            "{\n  \"format\": \"eomgen-show-1\",\n",
        ] {
            assert!(is_our_text(ours), "{ours}");
        }
        for other in ["fn main() {}\n", "# Notes\n", "root:x:0:0\n", "\u{1}"] {
            assert!(!is_our_text(other), "{other}");
        }
    }
}
