//! Derived code that is kept between runs, in the user's cache folder, so that check, build, test and editor derive once.
//!
//! Nothing here is ever an error: what cannot be found, trusted or written counts as not cached. Knows nothing
//! of what the bytes mean.

mod entry;
mod folder;
mod sweep;
#[cfg(test)]
mod tests;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use super::lock::{Patience, UserLock};
use super::whole::{Content, TEMPORARY, put};
pub use folder::Off;
pub use sweep::{Contents, Limits};

/// Names the folder, or is `off` (or `0`); empty is as if it were not set.
pub const VARIABLE: &str = "EOMGEN_CACHE";

/// What the names of files end with, and of temporary ones also begin with. Other files in the folder are not touched.
const ENTRY: &str = ".entry";
const LOCK: &str = ".lock";

/// Names an entry: everything that the result depends on, and this build of the generator.
#[derive(Clone, Debug)]
pub struct Key(Sha256);

impl Key {
    /// The key of nothing but this build: its version, and the fingerprint of its text.
    #[expect(clippy::new_without_default, reason = "a key of nothing is of no use")]
    pub fn new() -> Self {
        let mut key = Self(Sha256::new());
        key.add(env!("CARGO_PKG_VERSION"))
            .add(env!("EOMGEN_FINGERPRINT"));
        key
    }

    /// Adds one thing that the result depends on. Items are separated, so that different lists give different keys.
    pub fn add(&mut self, text: &str) -> &mut Self {
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text.as_bytes());
        self
    }

    /// The key as 64 hexadecimal digits.
    pub fn name(&self) -> String {
        entry::hex(&self.0.clone().finalize())
    }
}

/// A folder of entries, or the reason why there is none.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: Result<PathBuf, Off>,
    limits: Limits,
}

/// While it is held, no other process that shares the folder works on the same key.
#[derive(Debug)]
struct Turn {
    path: PathBuf,
    _lock: UserLock,
}

impl Drop for Turn {
    /// Those who wait have the file open and take their turns on it; those who come later make a new one, and find
    /// the entry.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

impl Cache {
    /// The folder that [`VARIABLE`] names, else `eomgen` in the user's cache folder; off if turned off or if there is no
    /// such place.
    pub fn from_env() -> Self {
        let value = std::env::var_os(VARIABLE);
        Self {
            folder: folder::chosen(value.as_deref(), folder::users),
            limits: Limits::default(),
        }
    }

    /// A cache in `folder`.
    pub fn at(folder: &Path, limits: Limits) -> Self {
        Self {
            folder: Ok(std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf())),
            limits,
        }
    }

    /// The folder, which need not exist yet.
    ///
    /// # Errors
    /// Why nothing is cached.
    pub fn folder(&self) -> Result<&Path, Off> {
        let folder = self.folder.as_ref().map_err(Off::clone)?;
        match folder::trusted(folder) {
            Err(off) if off != Off::Missing => Err(off),
            _ => Ok(folder),
        }
    }

    /// The entry, if there is a sound one; it counts as used now.
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let folder = self.folder.as_ref().ok()?;
        folder::trusted(folder).ok()?;
        let name = key.name();
        let path = folder.join(format!("{name}{ENTRY}"));
        let bytes = folder::read_own(&path, self.limits.bytes)?;
        let content = entry::open(&name, bytes)?;
        // The modification time records the last use. A folder that cannot be written to keeps the old ones.
        if let Ok(file) = fs::OpenOptions::new().write(true).open(&path) {
            let _ = file.set_modified(SystemTime::now());
        }
        Some(content)
    }

    /// Stores an entry, replacing an existing one, and removes the least recently used entries if there are too
    /// many. Entries that are too large are not stored.
    pub fn put(&self, key: &Key, bytes: &[u8]) {
        let Ok(folder) = &self.folder else { return };
        let name = key.name();
        let sealed = entry::seal(&name, bytes);
        if sealed.len() as u64 > self.limits.bytes || folder::ready(folder).is_err() {
            return;
        }
        if write(folder, &name, &sealed).is_ok() {
            sweep::sweep(folder, self.limits, SystemTime::now());
        }
    }

    /// Waits while another process makes the entry of `key`; `None` if there is no way to know, which is no reason not
    /// to make it. The operating system gives up the turns of processes that have ended.
    ///
    /// A turn is requested before a [session](super::session), never within one, so that nobody waits in a circle.
    fn turn(&self, key: &Key) -> Option<Turn> {
        let folder = self.folder.as_ref().ok()?;
        folder::ready(folder).ok()?;
        let path = folder.join(format!("{}{LOCK}", key.name()));
        let mut patience = Patience::from_env().ok()?;
        let lock = UserLock::acquire(&path, &mut patience).ok()?;
        Some(Turn { path, _lock: lock })
    }

    /// The entry, or what `make` makes of it, which is kept. Of several processes with the same wish one makes it, and the others
    /// wait for it.
    ///
    /// # Errors
    /// Those of `make`; errors are not cached, and waiting processes try again.
    pub fn get_or_make<E>(
        &self,
        key: &Key,
        make: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<Vec<u8>, E> {
        if let Some(bytes) = self.get(key) {
            return Ok(bytes);
        }
        let turn = self.turn(key);
        if turn.is_some()
            && let Some(bytes) = self.get(key)
        {
            return Ok(bytes);
        }
        self.tell_of_refused(key);
        let bytes = make()?;
        self.put(key, &bytes);
        Ok(bytes)
    }

    /// Says that there is an entry which is not used: somebody, or some fault, has been at it.
    fn tell_of_refused(&self, key: &Key) {
        let Ok(folder) = &self.folder else { return };
        let path = folder.join(format!("{}{ENTRY}", key.name()));
        if folder::trusted(folder).is_ok() && fs::symlink_metadata(&path).is_ok() {
            let text = "is damaged, or others may write to it, and is made anew";
            // Nobody who only derives fails because of a closed standard error.
            let _ = writeln!(
                io::stderr(),
                "eomgen: the cached code {} {text}",
                path.display()
            );
        }
    }

    /// What is in it.
    pub fn contents(&self) -> Contents {
        let folder = self.folder();
        folder.map_or_else(|_| Contents::default(), sweep::contents)
    }

    /// Removes all files of eomgen from the folder, and returns what was removed.
    ///
    /// # Errors
    /// The first file that could not be removed; the others are gone.
    pub fn clear(&self) -> io::Result<Contents> {
        let folder = self.folder();
        folder.map_or_else(|_| Ok(Contents::default()), sweep::clear)
    }

    /// Its limits.
    pub fn limits(&self) -> Limits {
        self.limits
    }
}

/// As a whole, so that readers find a complete entry or none.
fn write(folder: &Path, name: &str, sealed: &[u8]) -> io::Result<()> {
    let content = Content {
        bytes: sealed,
        permissions: folder::for_one(),
        // What a power cut leaves behind fails its checksum.
        durable: false,
    };
    put(&folder.join(format!("{name}{ENTRY}")), &content)
}
