//! Git: files at a revision.

use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::files::MOST_OF_TEXT;

/// The text of `REV:path`. A path that does not start with `./` or `../` is one from the top of the repository, as git has it.
///
/// # Errors
/// Git's error message, or why it cannot be run.
pub fn show(object: &str) -> Result<String, String> {
    if object.starts_with('-') {
        return Err("it begins like an option".to_owned());
    }
    let failed = |error: io::Error| format!("cannot run git: {error}");
    let mut child = Command::new("git")
        // The user's diff drivers do not apply.
        .args(["show", "--no-ext-diff", "--no-textconv", object])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let mut bytes = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        let mut bounded = stdout.take(MOST_OF_TEXT + 1);
        bounded.read_to_end(&mut bytes).map_err(failed)?;
    }
    // The pipe is closed by now: git ends, even if it has more to say.
    let output = child.wait_with_output().map_err(failed)?;
    if bytes.len() as u64 > MOST_OF_TEXT {
        return Err(format!("it has more than {MOST_OF_TEXT} bytes"));
    }
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(said.trim().trim_start_matches("fatal: ").to_owned());
    }
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())?;
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
