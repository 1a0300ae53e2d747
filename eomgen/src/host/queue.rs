//! First come, first served, across processes: a folder of numbered tickets.
//!
//! To wait, a process draws the next number and locks the file of that name. It then waits for the lock of the ticket
//! before its own, which the operating system gives up when that owner is done or dead: nothing polls, and one who leaves wakes
//! the next in line only. The order is all that the queue decides; what excludes others is the [lock](super::lock) that its head takes.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::lock::{LockError, Mode, Patience, UserLock, locked, open};

/// Numbers are assigned under the lock on this file.
const COUNTER: &str = "counter";

/// A place in the queue, released when dropped.
#[derive(Debug)]
pub struct Ticket {
    /// The lock that is queued for, which messages name.
    lock: PathBuf,
    number: u64,
    file: Option<File>,
}

impl Ticket {
    /// Takes the place behind all that queue for this lock, in a folder beside it, which is made if need be.
    pub fn draw(lock: &Path, patience: &mut Patience) -> Result<Self, LockError> {
        let failed = |source| LockError::io(lock, source);
        let folder = folder(lock);
        let counter = open(&folder.join(COUNTER)).map_err(failed)?;
        // Held while a folder is listed; a number is new as long as it is above those of all files there.
        let _numbers = locked(counter, lock, Mode::Alone, patience)?;
        let last = numbers(&folder).map_err(failed)?.into_iter().max();
        let number = last.map_or(0, |last| last.saturating_add(1));
        let file = open(&folder.join(number.to_string())).map_err(failed)?;
        Ok(Self {
            lock: lock.to_path_buf(),
            number,
            file: Some(locked(file, lock, Mode::Alone, patience)?),
        })
    }

    /// Waits until all who came earlier have gone.
    pub fn wait(&self, patience: &mut Patience) -> Result<(), LockError> {
        let failed = |source| LockError::io(&self.lock, source);
        let folder = folder(&self.lock);
        loop {
            let earlier = numbers(&folder).map_err(failed)?.into_iter();
            let Some(before) = earlier.filter(|n| *n < self.number).max() else {
                return Ok(());
            };
            let path = folder.join(before.to_string());
            let file = match File::open(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(failed(error)),
            };
            locked(file, &self.lock, Mode::Shared, patience)?;
            // What is still there was left by a process that was killed. Its number is not given out while ours is in use.
            let _ = fs::remove_file(&path);
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        // Before the lock is given up: afterwards the number may belong to somebody else.
        let _ = fs::remove_file(folder(&self.lock).join(self.number.to_string()));
        self.file.take();
    }
}

/// The user's lock, had in the order of those who ask, which a folder beside the lock file keeps.
#[derive(Debug)]
pub struct Turn {
    // Dropped first, so that the next in line finds the lock free.
    _lock: UserLock,
    _place: Ticket,
}

impl Turn {
    /// Waits in line for the lock file at `path` (created if absent) as long as `patience` lasts.
    pub fn take(path: &Path, patience: &mut Patience) -> Result<Self, LockError> {
        let place = Ticket::draw(path, patience)?;
        place.wait(patience)?;
        Ok(Self {
            _lock: UserLock::acquire(path, patience)?,
            _place: place,
        })
    }
}

/// Where the tickets lie.
fn folder(lock: &Path) -> PathBuf {
    lock.with_extension("queue")
}

/// The numbers in use, or left behind.
fn numbers(folder: &Path) -> io::Result<Vec<u64>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        found.extend(name.to_str().and_then(|name| name.parse::<u64>().ok()));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    fn patience() -> Patience {
        Patience::new(Duration::from_secs(600))
    }

    fn draw(folder: &tempfile::TempDir) -> Ticket {
        Ticket::draw(&folder.path().join("a.lock"), &mut patience()).unwrap()
    }

    fn left(folder: &tempfile::TempDir) -> Vec<u64> {
        numbers(&folder.path().join("a.queue")).unwrap()
    }

    fn must_wait(ticket: &Ticket) {
        let refused = ticket.wait(&mut Patience::new(Duration::ZERO));
        assert!(
            matches!(refused, Err(LockError::TimedOut { .. })),
            "{refused:?}"
        );
    }

    #[test]
    fn turns_come_in_the_order_of_the_tickets() {
        let folder = tempfile::tempdir().unwrap();
        let first = draw(&folder);
        first.wait(&mut patience()).unwrap();
        let (sender, turns) = channel();
        let tickets: Vec<Ticket> = (0..6).map(|_| draw(&folder)).collect();
        // The last one starts to wait first.
        let waiting = tickets.into_iter().enumerate().rev().map(|(i, ticket)| {
            let sender = sender.clone();
            thread::spawn(move || {
                ticket.wait(&mut patience()).unwrap();
                sender.send(i).unwrap();
            })
        });
        let waiting: Vec<_> = waiting.collect();
        assert!(turns.try_recv().is_err());
        drop(first);
        waiting.into_iter().for_each(|w| w.join().unwrap());
        assert_eq!(turns.try_iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
        assert_eq!(left(&folder), [0; 0]);
    }

    #[test]
    fn who_leaves_the_queue_is_skipped_and_a_place_left_behind_is_cleared_away() {
        let folder = tempfile::tempdir().unwrap();
        let (first, second, third) = (draw(&folder), draw(&folder), draw(&folder));
        must_wait(&second);
        drop(second);
        // That the second has gone does not put the third before the first.
        must_wait(&third);
        drop(first);
        // As a killed process leaves it: a file that nobody locks.
        fs::write(folder.path().join("a.queue/0"), b"").unwrap();
        third.wait(&mut Patience::new(Duration::ZERO)).unwrap();
        drop(third);
        assert_eq!(left(&folder), [0; 0]);
    }
}
