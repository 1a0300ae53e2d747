//! Model text in, generated text out.

use std::fs;
use std::io::{self, Read, Write};
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
pub struct ModelText {
    /// What messages and headers call it: the path as given, or `<stdin>`.
    pub name: String,
    /// The text.
    pub text: String,
}

/// Reads a model from a path, or from standard input for `-`. A byte order mark is taken off.
pub fn read_model(path: &Path) -> Result<ModelText, FileError> {
    let from_stdin = path == Path::new("-");
    let name = match from_stdin {
        true => "<stdin>".to_string(),
        false => path.display().to_string(),
    };
    let bytes = match from_stdin {
        true => {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        }
        false => fs::read(path),
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

/// Creates the folder of the file at `path`, and those above it, where they are missing.
pub fn create_parent(path: &Path) -> Result<(), FileError> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => return Ok(()),
    };
    fs::create_dir_all(folder).map_err(|source| FileError::Write {
        path: folder.to_path_buf(),
        source,
    })
}

/// Replaces the file at `path` by `bytes`, or leaves it as it was: the bytes go to a temporary file
/// in the same folder, which then takes the name. A file that already holds them is not touched (its date
/// stays, so that build tools see no change), symbolic links are followed, permissions are kept, and things that
/// are not regular files, such as `/dev/null`, are written directly.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    replace(path, bytes).map_err(|source| FileError::Write {
        path: path.to_path_buf(),
        source,
    })
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = match fs::canonicalize(path) {
        Ok(target) => target,
        Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_path_buf(),
        Err(error) => return Err(error),
    };
    let existing = match fs::metadata(&target) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if let Some(metadata) = &existing {
        if metadata.is_dir() {
            return Err(io::Error::new(
                io::ErrorKind::IsADirectory,
                "it is a folder",
            ));
        }
        if !metadata.is_file() {
            return fs::OpenOptions::new()
                .write(true)
                .open(&target)?
                .write_all(bytes);
        }
        if metadata.permissions().readonly() {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "it is read-only",
            ));
        }
        if metadata.len() == bytes.len() as u64 && fs::read(&target)? == bytes {
            return Ok(());
        }
    }
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".eomgen-").suffix(".tmp");
    let permissions = existing.map(|metadata| metadata.permissions());
    if let Some(permissions) = permissions.clone().or_else(usual_permissions) {
        builder.permissions(permissions);
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        // Once more, because the permissions of a new file are cut by the umask.
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// What a newly created file gets (before the umask); temporary files are private otherwise.
#[cfg(unix)]
fn usual_permissions() -> Option<fs::Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn usual_permissions() -> Option<fs::Permissions> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn writes_new_and_replaces_old_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.rs");
        write_atomic(&path, b"one").unwrap();
        write_atomic(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(entries(folder.path()), ["out.rs"]);
    }

    #[test]
    fn the_same_bytes_leave_the_date_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.rs");
        write_atomic(&path, b"same").unwrap();
        let past = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(past).unwrap();
        write_atomic(&path, b"same").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), past);
        write_atomic(&path, b"diff").unwrap();
        assert_ne!(fs::metadata(&path).unwrap().modified().unwrap(), past);
    }

    #[test]
    fn a_folder_or_a_missing_folder_is_an_error_that_names_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("no/out.rs");
        for path in [folder.path(), &missing] {
            let message = write_atomic(path, b"x").unwrap_err().to_string();
            assert!(message.contains(&path.display().to_string()), "{message}");
        }
        assert_eq!(entries(folder.path()), [""; 0]);
    }

    #[cfg(unix)]
    #[test]
    fn keeps_permissions_and_links() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.rs");
        let link = folder.path().join("link.rs");
        write_atomic(&path, b"one").unwrap();
        let fresh = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(fresh & 0o600, 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
        std::os::unix::fs::symlink("out.rs", &link).unwrap();
        write_atomic(&link, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o666);
        write_atomic(Path::new("/dev/null"), b"gone").unwrap();
    }

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
