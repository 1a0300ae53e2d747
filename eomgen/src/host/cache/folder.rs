//! Which folder, and whether to trust it: what is read from it becomes code.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::super::own::private;

/// Why nothing is cached.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Off {
    /// The user turned it off.
    #[error("{} is '{}'", super::VARIABLE, .0)]
    Asked(String),
    /// The system knows no folder for it.
    #[error(
        "there is no cache folder for this user; {} can name one",
        super::VARIABLE
    )]
    Homeless,
    /// It does not exist yet.
    #[error("the folder does not exist")]
    Missing,
    /// Others could put code into it.
    #[error("{} belongs to another user or is writable by others", .0.display())]
    Shared(PathBuf),
    /// It is not a folder, or cannot be read or created.
    #[error("{}: {}", .0.display(), .1)]
    Unusable(PathBuf, String),
}

/// The folder given by the variable; `users` is the default.
pub(super) fn chosen(
    value: Option<&OsStr>,
    users: impl Fn() -> Option<PathBuf>,
) -> Result<PathBuf, Off> {
    let Some(value) = value.filter(|value| !value.is_empty()) else {
        let folder = users().ok_or(Off::Homeless)?;
        return Ok(folder.join("eomgen"));
    };
    if value == "off" || value == "0" {
        return Err(Off::Asked(value.to_string_lossy().into_owned()));
    }
    // The same folder even if the process changes its working directory later.
    Ok(std::path::absolute(value).unwrap_or_else(|_| PathBuf::from(value)))
}

/// The user's folder for caches, which may not exist.
pub(super) fn users() -> Option<PathBuf> {
    let folder = directories::BaseDirs::new().map(|dirs| dirs.cache_dir().to_path_buf());
    // A home that is not absolute is another one in every folder.
    folder.filter(|folder| folder.is_absolute())
}

/// Whether `folder` exists and only this user can have written to it.
pub(super) fn trusted(folder: &Path) -> Result<(), Off> {
    let unusable = |error: io::Error| Off::Unusable(folder.to_path_buf(), error.to_string());
    let metadata = match fs::metadata(folder) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Off::Missing),
        Err(error) => return Err(unusable(error)),
    };
    if !metadata.is_dir() {
        return Err(unusable(io::ErrorKind::NotADirectory.into()));
    }
    if private(&metadata) {
        Ok(())
    } else {
        Err(Off::Shared(folder.to_path_buf()))
    }
}

/// Creates a private folder if it does not exist, and checks whether it can be trusted.
pub(super) fn ready(folder: &Path) -> Result<(), Off> {
    match trusted(folder) {
        Err(Off::Missing) => {
            let mut builder = fs::DirBuilder::new();
            builder.recursive(true);
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            let made = builder.create(folder);
            made.map_err(|error| Off::Unusable(folder.to_path_buf(), error.to_string()))?;
            trusted(folder)
        }
        other => other,
    }
}

/// A whole file of at most `limit` bytes that only this user can have written.
pub(super) fn read_own(path: &Path, limit: u64) -> Option<Vec<u8>> {
    let file = File::open(path).ok()?;
    // Of the open file, not of the name: that may belong to another one by now.
    let metadata = file.metadata().ok()?;
    if !metadata.is_file() || metadata.len() > limit || !private(&metadata) {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// What a file of one user may be done with.
#[cfg(unix)]
pub(super) fn for_one() -> Option<fs::Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
pub(super) fn for_one() -> Option<fs::Permissions> {
    None
}
