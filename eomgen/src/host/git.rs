//! Git: files at a revision.

use std::path::Path;
use std::process::{Command, Stdio};

/// The text of `REV:path`. A path that does not start with `./` or `../` is one from the top of the repository, as git has it.
///
/// # Errors
/// Git's error message, or why it cannot be run.
pub fn show(object: &str) -> Result<String, String> {
    let output = Command::new("git")
        // The user's diff drivers do not apply.
        .args(["show", "--no-ext-diff", "--no-textconv", object])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot run git: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(said.trim().trim_start_matches("fatal: ").to_owned());
    }
    let text = String::from_utf8(output.stdout).map_err(|_| "it is not UTF-8 text".to_owned())?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// A path of the working tree as `git show REV:...` takes it.
#[must_use]
pub fn object(revision: &str, path: &Path) -> String {
    let path = path.display().to_string();
    let path = if path.starts_with("./") || path.starts_with("../") {
        path
    } else {
        format!("./{path}")
    };
    format!("{revision}:{path}")
}
