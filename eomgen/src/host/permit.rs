//! Waits until nobody else has the algebra engine.
//!
//! Unlicensed, the engine holds a lock file of its own while a thread uses it, does not wait for it, and aborts whoever comes too early. Our
//! [lock](super::lock) keeps derivations apart, and yet the engine's file can be held when ours is free: by a program that knows nothing of
//! ours, and by a child on its way from fork to exec, or a killed process, which closes what was open when it was made in an order that we do not choose.
//! So whoever has our lock looks at the engine's, and waits for it like everybody else.
//!
//! Where the file lies was seen from outside. Should a later engine keep it elsewhere, this waits for nothing, and a test says so.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::lock::{LockError, Patience};

/// The engine's folder of lock files, in the user's folder for what a session leaves, or for caches.
const FOLDER: &str = "symbolica/locks";
/// How long to sleep between two looks: at first, and at most.
const PAUSES: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(50)];

/// Waits until the engine is free, as long as `patience` lasts. To be called by whoever holds the [lock](super::lock), since two who look
/// at the same moment would see each other.
pub fn wait(patience: &mut Patience) -> Result<(), LockError> {
    files().iter().try_for_each(|path| wait_for(path, patience))
}

fn wait_for(path: &Path, patience: &mut Patience) -> Result<(), LockError> {
    let [mut pause, longest] = PAUSES;
    while is_held(path) {
        patience.announce(path);
        let Some(left) = patience.left() else {
            return Err(patience.engine_in_use(path));
        };
        thread::sleep(pause.min(left));
        pause = longest.min(2 * pause);
    }
    Ok(())
}

/// Whether somebody holds this file. One that cannot be opened is nobody's, as far as we can see; the engine will say what it thinks of it.
fn is_held(path: &Path) -> bool {
    let Ok(file) = File::open(path) else {
        return false;
    };
    match file.try_lock() {
        // Not left to the closing of the file: a child being made at this moment would keep the lock until it has started.
        Ok(()) => file.unlock().is_err(),
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(_)) => false,
    }
}

/// The engine's lock files that exist, in order.
fn files() -> Vec<PathBuf> {
    let Some(dirs) = directories::BaseDirs::new() else {
        return Vec::new();
    };
    let folders = [dirs.runtime_dir(), Some(dirs.cache_dir())];
    let folders = folders.into_iter().flatten().map(|dir| dir.join(FOLDER));
    let entries = folders.flat_map(|folder| fs::read_dir(folder).into_iter().flatten());
    let mut files: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_is_waited_for_and_then_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("engine.lock");
        let patience = |ms| Patience::new(Duration::from_millis(ms));
        assert!(wait_for(&path, &mut patience(0)).is_ok(), "no such file");
        let held = File::create(&path).unwrap();
        assert!(wait_for(&path, &mut patience(0)).is_ok(), "nobody holds it");
        held.lock().unwrap();
        let error = wait_for(&path, &mut patience(30)).unwrap_err();
        assert!(matches!(error, LockError::EngineInUse { .. }), "{error:?}");
        let waiting = thread::spawn(move || wait_for(&path, &mut patience(600_000)));
        held.unlock().unwrap();
        assert!(waiting.join().unwrap().is_ok());
    }

    /// That the file lies where it is looked for.
    #[test]
    fn a_session_that_uses_the_engine_holds_one_of_its_files() {
        if std::env::var_os(super::super::session::LICENCE_VARIABLE).is_some() {
            return; // With a key the engine holds nothing.
        }
        let held = super::super::with_session(|| {
            let _ = symbolica::atom::AtomCore::expand(&symbolica::atom::Atom::num(2));
            files().iter().filter(|path| is_held(path)).count()
        });
        assert_eq!(held.unwrap(), 1);
    }
}
