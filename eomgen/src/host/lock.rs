//! One derivation per user at a time: a file lock that every process (and every copy of this
//! library inside one process) respects.
//!
//! Unlicensed, the algebra engine allows one thread per user and aborts the process that breaks the
//! rule; whoever holds this lock may run it. The lock is the operating system's (released when the
//! file is closed, even by a crash), so a stale file never blocks anyone and is never deleted. Who gets
//! it next is decided above, by the [queue](super::queue).

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::own;

/// Folder for the lock file; without it the user's [own](super::own).
pub const DIR_VARIABLE: &str = "EOMGEN_LOCK_DIR";
/// Seconds to wait for the lock.
pub const TIMEOUT_VARIABLE: &str = "EOMGEN_LOCK_TIMEOUT";

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(600);
const SILENCE: Duration = Duration::from_secs(5);

/// Why the lock could not be acquired.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process held it for longer than the timeout.
    #[error(
        "another derivation of this user has been running for {seconds} s (lock file {}); \
         set {TIMEOUT_VARIABLE} to wait longer", path.display()
    )]
    TimedOut {
        /// The lock file.
        path: PathBuf,
        /// How long was waited.
        seconds: f64,
    },
    /// A program that does not know our lock held the engine for longer than the timeout.
    #[error(
        "another program of this user is running Symbolica, which without a licence key allows one thread per user (waited for {seconds} s, \
         lock file {}); try again when it has finished, set SYMBOLICA_LICENSE, or set {TIMEOUT_VARIABLE} to wait longer", path.display()
    )]
    EngineInUse {
        /// The engine's lock file.
        path: PathBuf,
        /// How long was waited.
        seconds: f64,
    },
    /// The file system has no locks.
    #[error(
        "the file system of {} has no file locks; set {DIR_VARIABLE} to a folder on a local disk",
        path.display()
    )]
    Unsupported {
        /// The lock file.
        path: PathBuf,
    },
    /// The file could not be opened or locked.
    #[error("cannot lock {}: {source}; set {DIR_VARIABLE} to a folder that you can write to", path.display())]
    Io {
        /// The lock file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// There is no folder that is this user's alone.
    #[error(
        "there is no folder for the lock file: {source}; set {DIR_VARIABLE} to a folder that only you can write to"
    )]
    Homeless {
        /// What the operating system said.
        source: io::Error,
    },
    /// [`TIMEOUT_VARIABLE`] is not a number of seconds.
    #[error("{TIMEOUT_VARIABLE} is '{value}', not a number of seconds such as 600")]
    BadTimeout {
        /// What it is.
        value: String,
    },
}

impl LockError {
    pub(super) fn io(path: &Path, source: io::Error) -> Self {
        let path = path.to_path_buf();
        match source.kind() {
            io::ErrorKind::Unsupported => Self::Unsupported { path },
            _ => Self::Io { path, source },
        }
    }
}

/// A time limit; after five seconds of waiting a message is printed once.
#[derive(Debug)]
pub struct Patience {
    start: Instant,
    limit: Duration,
    announced: bool,
}

impl Patience {
    /// Starts the clock, with the limit from [`TIMEOUT_VARIABLE`].
    pub fn from_env() -> Result<Self, LockError> {
        let limit = match std::env::var_os(TIMEOUT_VARIABLE) {
            None => DEFAULT_TIMEOUT,
            Some(value) => parse_seconds(&value.to_string_lossy())?,
        };
        Ok(Self::new(limit))
    }

    /// Starts the clock with a limit.
    pub fn new(limit: Duration) -> Self {
        Self {
            start: Instant::now(),
            limit,
            announced: false,
        }
    }

    /// Says nothing: it was said before.
    pub(super) fn hush(&mut self) {
        self.announced = true;
    }

    /// Whether it was said that somebody waits.
    pub(super) fn has_announced(&self) -> bool {
        self.announced
    }

    /// Time left; `None` when it has run out.
    pub fn left(&self) -> Option<Duration> {
        self.limit
            .checked_sub(self.start.elapsed())
            .filter(|left| !left.is_zero())
    }

    /// Time until there is something to [announce](Self::announce).
    pub(super) fn silence(&self) -> Duration {
        if self.announced {
            self.limit
        } else {
            SILENCE.saturating_sub(self.start.elapsed())
        }
    }

    /// To be called while waiting: says once, after five seconds, what is being waited for.
    pub fn announce(&mut self, path: &Path) {
        if !self.announced && self.start.elapsed() >= SILENCE {
            self.announced = true;
            use std::io::Write;
            // A closed standard error must not fail a derivation that is only waiting its turn.
            let _ = writeln!(
                io::stderr(),
                "eomgen: waiting for another derivation of this user to finish (lock file {}), at most {} s",
                path.display(),
                self.limit.as_secs_f64()
            );
        }
    }

    /// The timeout error of who waits for the engine's own lock file.
    pub(super) fn engine_in_use(&self, path: &Path) -> LockError {
        LockError::EngineInUse {
            path: path.to_path_buf(),
            seconds: self.limit.as_secs_f64(),
        }
    }

    /// The timeout error.
    pub fn timed_out(&self, path: &Path) -> LockError {
        LockError::TimedOut {
            path: path.to_path_buf(),
            seconds: self.limit.as_secs_f64(),
        }
    }
}

fn parse_seconds(value: &str) -> Result<Duration, LockError> {
    value
        .trim()
        .parse::<f64>()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| LockError::BadTimeout {
            value: value.to_string(),
        })
}

/// The lock, held until dropped.
#[derive(Debug)]
pub struct UserLock {
    // Closing the file releases the lock, on success, error and crash alike.
    _file: File,
}

impl UserLock {
    /// Waits for the lock file at `path` (created if absent) as long as `patience` lasts.
    pub fn acquire(path: &Path, patience: &mut Patience) -> Result<Self, LockError> {
        let file = open(path).map_err(|source| LockError::io(path, source))?;
        Ok(Self {
            _file: locked(file, path, Mode::Alone, patience)?,
        })
    }
}

/// Whom a lock excludes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Everybody.
    Alone,
    /// Those who want it alone.
    Shared,
}

/// The file, locked. Where somebody else has it, a thread of its own waits in the operating system, which wakes it at once; when
/// the timeout ends first, that thread releases the lock as soon as it has it.
pub(super) fn locked(
    file: File,
    path: &Path,
    mode: Mode,
    patience: &mut Patience,
) -> Result<File, LockError> {
    let failed = |source| LockError::io(path, source);
    let tried = match mode {
        Mode::Alone => file.try_lock(),
        Mode::Shared => file.try_lock_shared(),
    };
    match tried {
        Ok(()) => return Ok(file),
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(e)) if e.kind() == io::ErrorKind::Interrupted => {}
        Err(TryLockError::Error(source)) => return Err(failed(source)),
    }
    if patience.left().is_none() {
        return Err(patience.timed_out(path));
    }
    let (sender, outcome) = mpsc::channel();
    let waiting = move || {
        let result = loop {
            let result = match mode {
                Mode::Alone => file.lock(),
                Mode::Shared => file.lock_shared(),
            };
            match result {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result,
            }
        };
        // After a timeout nobody receives this.
        let _ = sender.send(result.map(|()| file));
    };
    thread::Builder::new()
        .name("eomgen waits".to_string())
        .spawn(waiting)
        .map_err(failed)?;
    loop {
        let Some(left) = patience.left() else {
            return Err(patience.timed_out(path));
        };
        match outcome.recv_timeout(left.min(patience.silence())) {
            Ok(result) => return result.map_err(failed),
            Err(RecvTimeoutError::Timeout) => patience.announce(path),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(failed(io::Error::other("the waiting thread ended early")));
            }
        }
    }
}

pub(super) fn open(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
}

/// Where this user's lock file lies: in `DIR_VARIABLE`, else in the user's own folder. The user's id is in the name everywhere, because
/// any of these folders may be shared.
///
/// # Errors
/// Where no folder is this user's alone.
pub fn path_from_env() -> Result<PathBuf, LockError> {
    let user = user_id();
    let named = std::env::var_os(DIR_VARIABLE).filter(|value| !value.is_empty());
    let folder = match named {
        Some(folder) => PathBuf::from(folder),
        None => own::folder(&user).map_err(|source| LockError::Homeless { source })?,
    };
    Ok(folder.join(name_of(&user)))
}

/// What the lock file of this user is called.
#[must_use]
pub fn name() -> String {
    name_of(&user_id())
}

fn name_of(user: &str) -> String {
    format!("eomgen-{user}.lock")
}

/// The user's numeric id, else the login name.
fn user_id() -> String {
    own::user_id().map_or_else(login_name, |id| id.to_string())
}

fn login_name() -> String {
    ["USER", "LOGNAME", "USERNAME"]
        .iter()
        .find_map(|name| std::env::var(name).ok())
        .map(|name| {
            name.chars()
                .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
                .collect::<String>()
        })
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| "user".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_holder_in_the_same_process_waits_and_gives_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/eomgen.lock");
        let held = UserLock::acquire(&path, &mut Patience::new(Duration::ZERO)).unwrap();
        let limit = Duration::from_millis(60);
        let start = Instant::now();
        let refused = UserLock::acquire(&path, &mut Patience::new(limit));
        assert!(
            matches!(refused, Err(LockError::TimedOut { .. })),
            "{refused:?}"
        );
        assert!(start.elapsed() >= limit);
        drop(held);
        // The thread that waited for the one that gave up may have the lock for a moment.
        let after = UserLock::acquire(&path, &mut Patience::new(Duration::from_secs(600)));
        assert!(after.is_ok(), "{after:?}");
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_an_error_that_names_the_way_out() {
        let folder = tempfile::tempdir().unwrap();
        let blocked = folder.path().join("file");
        std::fs::write(&blocked, b"").unwrap();
        let error = UserLock::acquire(&blocked.join("x.lock"), &mut Patience::new(Duration::ZERO))
            .unwrap_err()
            .to_string();
        assert!(error.contains(DIR_VARIABLE), "{error}");
        assert!(error.contains("x.lock"), "{error}");
    }

    #[test]
    fn timeouts_are_seconds_or_refused() {
        assert_eq!(parse_seconds("2.5").unwrap(), Duration::from_millis(2500));
        assert_eq!(parse_seconds("0").unwrap(), Duration::ZERO);
        for bad in ["", "soon", "-1", "nan", "1e300"] {
            assert!(parse_seconds(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_name_carries_the_user() {
        let path = path_from_env().unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        assert_eq!(name, format!("eomgen-{}.lock", user_id()));
        assert_ne!(user_id(), "");
    }
}
