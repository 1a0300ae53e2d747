//! Files that are there as a whole or not at all, also where the process is killed or the machine fails it in between.
//!
//! Where the system has files without a name, the bytes go to one, which vanishes with the process that writes it; only then does it get its name. Elsewhere it has
//! a temporary name from the start, which a killed process leaves behind.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::path::Path;

/// What temporary names begin and end with.
pub(super) const TEMPORARY: (&str, &str) = (".eomgen-", ".tmp");

/// What a file is to be.
pub(super) struct Content<'a> {
    pub bytes: &'a [u8],
    /// Permissions, whatever the process's mask is; without them the usual ones.
    pub permissions: Option<Permissions>,
    /// Whether the disk has to have them.
    pub durable: bool,
}

impl Content<'_> {
    fn fill(&self, file: &mut File) -> io::Result<()> {
        file.write_all(self.bytes)?;
        if let Some(permissions) = &self.permissions {
            file.set_permissions(permissions.clone())?;
        }
        if self.durable {
            file.sync_all()?;
        }
        Ok(())
    }
}

/// Puts a file at a place whose folder exists, in place of what is there.
pub(super) fn put(target: &Path, content: &Content<'_>) -> io::Result<()> {
    within_limit(content.bytes)?;
    #[cfg(target_os = "linux")]
    match unnamed::put(target, content) {
        Err(unnamed::Failure::Unsupported) => {}
        Err(unnamed::Failure::Io(error)) => return Err(error),
        Ok(()) => return Ok(()),
    }
    let file = named(target, content)?;
    file.persist(target)
        .map(|_| ())
        .map_err(|error| error.error)
}

/// Puts a file at a place where there is none; `false`, and nothing done, where there is one.
pub(super) fn put_new(target: &Path, content: &Content<'_>) -> io::Result<bool> {
    within_limit(content.bytes)?;
    let made = |done: io::Result<()>| match done {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        other => other.map(|()| true),
    };
    #[cfg(target_os = "linux")]
    match unnamed::put_new(target, content) {
        Err(unnamed::Failure::Unsupported) => {}
        Err(unnamed::Failure::Io(error)) => return made(Err(error)),
        Ok(()) => return Ok(true),
    }
    let kept = named(target, content)?.persist_noclobber(target);
    made(kept.map(|_| ()).map_err(|error| error.error))
}

/// A file with the bytes under a temporary name beside the place where it will be; gone where that fails.
fn named(target: &Path, content: &Content<'_>) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1);
    if let Some(permissions) = content.permissions.clone().or_else(usual) {
        builder.permissions(permissions);
    }
    let mut file = builder.tempfile_in(folder(target))?;
    content.fill(file.as_file_mut())?;
    Ok(file)
}

fn folder(target: &Path) -> &Path {
    let folder = target
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// The system ends a process that writes more to a file than it may (`ulimit -f`); so it is not begun.
#[cfg(unix)]
fn within_limit(bytes: &[u8]) -> io::Result<()> {
    use rustix::process::{Resource, getrlimit};
    match getrlimit(Resource::Fsize).current {
        Some(limit) if (bytes.len() as u64) > limit => {
            let text = format!(
                "it takes {} bytes, and files may have {limit} (ulimit -f)",
                bytes.len()
            );
            Err(io::Error::new(io::ErrorKind::FileTooLarge, text))
        }
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn within_limit(_bytes: &[u8]) -> io::Result<()> {
    Ok(())
}

/// What a newly created file gets, before the process's mask; temporary files are private otherwise.
#[cfg(unix)]
fn usual() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn usual() -> Option<Permissions> {
    None
}

/// Files without a name.
#[cfg(target_os = "linux")]
mod unnamed {
    use super::{Content, File, Path, TEMPORARY, folder, fs, io};
    use rustix::fs::{AtFlags, CWD, Mode, OFlags};
    use std::os::fd::AsRawFd;

    /// How often two who replace the same file at the same time may get in each other's way.
    const TRIES: usize = 100;

    pub enum Failure {
        /// The file system, or its folder, is none for files without a name.
        Unsupported,
        Io(io::Error),
    }

    pub fn put_new(target: &Path, content: &Content<'_>) -> Result<(), Failure> {
        let file = filled(target, content)?;
        named(&file, target)
    }

    /// Where there is a file already it is replaced through a name that depends on its own alone, so that what a killed process leaves is
    /// what the next one clears away.
    pub fn put(target: &Path, content: &Content<'_>) -> Result<(), Failure> {
        let file = filled(target, content)?;
        if fs::symlink_metadata(target).is_err() && named(&file, target).is_ok() {
            return Ok(());
        }
        let name = target.file_name().ok_or(Failure::Unsupported)?;
        let mut between = std::ffi::OsString::from(TEMPORARY.0);
        between.push(name);
        between.push(TEMPORARY.1);
        let between = folder(target).join(between);
        for _ in 0..TRIES {
            match named(&file, &between) {
                Ok(()) => match fs::rename(&between, target) {
                    // Somebody who replaces the same file took it for a leftover.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => {
                        let _ = fs::remove_file(&between);
                        return Err(Failure::Io(error));
                    }
                    Ok(()) => return Ok(()),
                },
                Err(Failure::Io(error)) if error.kind() == io::ErrorKind::AlreadyExists => {
                    match fs::remove_file(&between) {
                        Err(error) if error.kind() != io::ErrorKind::NotFound => {
                            return Err(Failure::Unsupported);
                        }
                        _ => {}
                    }
                }
                Err(failure) => return Err(failure),
            }
        }
        Err(Failure::Unsupported)
    }

    fn filled(target: &Path, content: &Content<'_>) -> Result<File, Failure> {
        let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
        let opened = rustix::fs::open(folder(target), flags, Mode::from_raw_mode(0o666));
        let mut file = File::from(opened.map_err(|_| Failure::Unsupported)?);
        content.fill(&mut file).map_err(Failure::Io)?;
        Ok(file)
    }

    /// Gives a file its name, if that is free.
    fn named(file: &File, name: &Path) -> Result<(), Failure> {
        let own = format!("/proc/self/fd/{}", file.as_raw_fd());
        match rustix::fs::linkat(CWD, own, CWD, name, AtFlags::SYMLINK_FOLLOW) {
            Ok(()) => Ok(()),
            Err(rustix::io::Errno::EXIST) => Err(Failure::Io(io::ErrorKind::AlreadyExists.into())),
            // No /proc, or a file system without links; what else is wrong shows itself the other way as well.
            Err(_) => Err(Failure::Unsupported),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(bytes: &[u8]) -> Content<'_> {
        Content {
            bytes,
            permissions: None,
            durable: false,
        }
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn what_a_killed_process_left_is_cleared_away() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.rs");
        put(&path, &content(b"one")).unwrap();
        fs::write(folder.path().join(".eomgen-a.rs.tmp"), b"left").unwrap();
        put(&path, &content(b"two")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        if cfg!(target_os = "linux") {
            assert_eq!(names(folder.path()), ["a.rs"]);
        }
    }

    #[test]
    fn a_new_file_replaces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.rs");
        assert!(put_new(&path, &content(b"one")).unwrap());
        assert!(!put_new(&path, &content(b"two")).unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(names(folder.path()), ["a.rs"]);
    }

    /// Both ways to do it.
    #[test]
    fn a_name_that_is_almost_too_long_is_none_for_a_longer_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a".repeat(250));
        put(&path, &content(b"one")).unwrap();
        put(&path, &content(b"two")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(folder.path()).len(), 1);
    }

    #[test]
    fn many_who_replace_a_file_at_once_leave_one_whole_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.rs");
        let texts: Vec<Vec<u8>> = (0..8_u8).map(|i| vec![i; 100_000]).collect();
        std::thread::scope(|scope| {
            for text in &texts {
                scope.spawn(|| (0..20).for_each(|_| put(&path, &content(text)).unwrap()));
            }
        });
        assert!(texts.contains(&fs::read(&path).unwrap()));
        assert_eq!(names(folder.path()), ["a.rs"]);
    }
}
