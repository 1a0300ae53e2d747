//! Files beside models: texts that may be longer, and what is known of a path before anything is written there.

use std::fs;
use std::io::Read;
use std::path::{Component, Path};

use crate::files::{FileError, MOST_OF_TEXT, ModelText, nonempty, open, read_named};

/// Reads a text that is no model, from a path or from standard input for `-`.
pub fn read_text(path: &Path) -> Result<ModelText, FileError> {
    read_named(path, MOST_OF_TEXT)
}

/// The bytes that tell what a file is.
const BEGINNING: u64 = 4096;

/// The first few thousand bytes of a regular file, as far as they are text; `None` if there is no such file.
pub fn beginning(path: &Path) -> Option<String> {
    let file = fs::metadata(path).ok().filter(fs::Metadata::is_file);
    let mut bytes = Vec::new();
    file.and_then(|_| open(path).ok())?
        .take(BEGINNING)
        .read_to_end(&mut bytes)
        .ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether a path that names a place below the current folder leads out of it through links.
pub fn leads_out(path: &Path) -> bool {
    let below = path
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let folder = path.parent().map(nonempty);
    match (
        folder.map(Path::canonicalize),
        Path::new(".").canonicalize(),
    ) {
        (Some(Ok(folder)), Ok(here)) if below => !folder.starts_with(here),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_have_a_beginning() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        assert_eq!(beginning(&path), None);
        assert_eq!(beginning(folder.path()), None);
        fs::write(&path, "a".repeat(1 << 20)).unwrap();
        assert_eq!(beginning(&path).map(|text| text.len()), Some(4096));
        #[cfg(unix)]
        assert_eq!(beginning(Path::new("/dev/zero")), None);
    }
}
