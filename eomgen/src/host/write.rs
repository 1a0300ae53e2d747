//! Writes generated text: files are replaced atomically.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use super::FileError;
use super::whole::{Content, put, put_new};

/// Creates the folder of the file at `path`, and its parents, if missing.
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

/// Creates a file, as a whole or not at all; `false` if it exists already, in which case it is unchanged.
///
/// # Errors
/// Where the file cannot be written.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<bool, FileError> {
    let content = Content {
        bytes,
        permissions: None,
        durable: false,
    };
    put_new(path, &content).map_err(|source| FileError::Write {
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
            return opened(&target, metadata)?.write_all(bytes);
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
    put(
        &target,
        &Content {
            bytes,
            permissions: existing.map(|metadata| metadata.permissions()),
            durable: true,
        },
    )
}

/// Opens what is no regular file. A named pipe that nobody reads is an error: somebody may never come.
#[cfg(unix)]
fn opened(target: &Path, metadata: &fs::Metadata) -> io::Result<fs::File> {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};

    let mut options = fs::OpenOptions::new();
    options.write(true);
    if !metadata.file_type().is_fifo() {
        return options.open(target);
    }
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or(0);
    let file = options.custom_flags(flags).open(target)?;
    // Who reads may take the time that it needs.
    let flags = fcntl_getfl(&file)?;
    fcntl_setfl(&file, flags - OFlags::NONBLOCK)?;
    Ok(file)
}

#[cfg(not(unix))]
fn opened(target: &Path, _: &fs::Metadata) -> io::Result<fs::File> {
    fs::OpenOptions::new().write(true).open(target)
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
}
