//! Reads model text; errors of files.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Reading failed.
    #[error("cannot read {name}: {source}")]
    Read {
        /// The path, or `standard input`.
        name: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// The text is not UTF-8.
    #[error("{name} is not UTF-8 text: the first bad byte is number {offset}")]
    NotText {
        /// The path, or `standard input`.
        name: String,
        /// Position of the first byte that is not part of a character, counted from 0.
        offset: usize,
    },
    /// Writing failed; the file is as it was.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The path.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
}

/// A model as read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "derive", derive(serde::Serialize, serde::Deserialize))]
pub struct ModelText {
    /// What messages and headers call it: the path as given, or `<stdin>`.
    pub name: String,
    /// The text.
    pub text: String,
}

/// Reads a model from a path, or from standard input for `-`. A byte order mark is taken off.
pub fn read_model(path: &Path) -> Result<ModelText, FileError> {
    let from_stdin = path == Path::new("-");
    let name = if from_stdin {
        "<stdin>".to_string()
    } else {
        path.display().to_string()
    };
    let bytes = if from_stdin {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    let bytes = bytes.map_err(|source| FileError::Read {
        name: name.clone(),
        source,
    })?;
    match String::from_utf8(bytes) {
        Ok(text) => {
            let text = match text.strip_prefix('\u{feff}') {
                Some(rest) => rest.to_string(),
                None => text,
            };
            Ok(ModelText { name, text })
        }
        Err(error) => Err(FileError::NotText {
            offset: error.utf8_error().valid_up_to(),
            name,
        }),
    }
}

/// Reads a file that a model uses. The error says why in a few words.
pub fn read_part(path: &str) -> Result<String, String> {
    let bytes = fs::read(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_string(),
        _ => error.to_string(),
    })?;
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_string())?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_string(),
        None => text,
    })
}

/// A path as messages show it: from the current folder on, where that is above it. It can be read under this name.
pub fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().ok();
    let inside = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_path_buf));
    // A file of the name `-` keeps its folder: alone it would be standard input.
    let inside = inside.filter(|path| path != Path::new("-"));
    inside.unwrap_or_else(|| path.to_path_buf())
}

/// Whether there is a file at this place, be it through a link.
pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// The folder of the crate that is being compiled or whose build script runs, as Cargo tells.
pub fn package_root() -> Option<PathBuf> {
    let root = std::env::var_os("CARGO_MANIFEST_DIR");
    root.filter(|root| !root.is_empty()).map(PathBuf::from)
}

/// The whole of a path that counts from the current folder, whether there is such a file or not.
pub fn absolute(path: &str) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_text_or_an_error_that_says_where_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.eom");
        fs::write(&path, b"model m\xff").unwrap();
        match read_model(&path) {
            Err(FileError::NotText { offset, .. }) => assert_eq!(offset, 7),
            other => panic!("{other:?}"),
        }
        fs::write(&path, "\u{feff}model m").unwrap();
        assert_eq!(read_model(&path).unwrap().text, "model m");
        let missing = read_model(&folder.path().join("none.eom")).unwrap_err();
        assert!(missing.to_string().contains("none.eom"), "{missing}");
    }
}
