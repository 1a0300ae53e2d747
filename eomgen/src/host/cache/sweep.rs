//! Keeps the folder small: the least recently used entries go first, and what killed processes left behind goes too.

use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{ENTRY, LOCK, TEMPORARY};

/// The limits of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of all entries together, and of one.
    pub bytes: u64,
    /// Of entries.
    pub entries: usize,
}

impl Default for Limits {
    /// Generated modules have some 20 to 700 kB: room for some hundred models in several versions, and a folder that is listed
    /// in milliseconds.
    fn default() -> Self {
        Self {
            bytes: 256 << 20,
            entries: 4096,
        }
    }
}

/// The size of the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Number of entries.
    pub entries: usize,
    /// Their bytes.
    pub bytes: u64,
}

/// Writing takes milliseconds.
const OLD_TEMPORARY: Duration = Duration::from_secs(60 * 60);
/// A turn lasts as long as a derivation.
const OLD_LOCK: Duration = Duration::from_secs(24 * 60 * 60);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Entry,
    Temporary,
    Lock,
}

struct Kept {
    // The order of the fields is the order in which entries are removed.
    used: SystemTime,
    path: PathBuf,
    kind: Kind,
    bytes: u64,
}

fn kind(name: &str) -> Option<Kind> {
    let key = |stem: &str| {
        stem.len() == 64
            && stem
                .bytes()
                .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
    };
    if name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1) {
        return Some(Kind::Temporary);
    }
    match (name.strip_suffix(ENTRY), name.strip_suffix(LOCK)) {
        (Some(stem), _) if key(stem) => Some(Kind::Entry),
        (_, Some(stem)) if key(stem) => Some(Kind::Lock),
        _ => None,
    }
}

fn look(entry: &DirEntry) -> Option<Kept> {
    let kind = kind(entry.file_name().to_str()?)?;
    // Not followed if it is a link.
    let metadata = entry.metadata().ok().filter(|m| !m.is_dir())?;
    Some(Kept {
        used: metadata.modified().ok()?,
        path: entry.path(),
        kind,
        bytes: metadata.len(),
    })
}

/// Our files, without those that vanish meanwhile.
fn list(folder: &Path) -> Vec<Kept> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut kept: Vec<Kept> = entries.flatten().filter_map(|e| look(&e)).collect();
    kept.sort_by(|a, b| (a.used, &a.path).cmp(&(b.used, &b.path)));
    kept
}

fn sum<'a>(kept: impl IntoIterator<Item = &'a Kept>) -> Contents {
    let entries = kept.into_iter().filter(|k| k.kind == Kind::Entry);
    entries.fold(Contents::default(), |sum, one| Contents {
        entries: sum.entries + 1,
        bytes: sum.bytes + one.bytes,
    })
}

pub(super) fn contents(folder: &Path) -> Contents {
    sum(&list(folder))
}

/// Brings the folder within its limits. Several processes may do so at once: a file that one has removed is no error for another.
pub(super) fn sweep(folder: &Path, limits: Limits, now: SystemTime) {
    let kept = list(folder);
    let Contents {
        mut entries,
        mut bytes,
    } = sum(&kept);
    for one in kept {
        // A date in the future has no age.
        let age = now.duration_since(one.used).unwrap_or_default();
        let goes = match one.kind {
            Kind::Temporary => age > OLD_TEMPORARY,
            Kind::Lock => age > OLD_LOCK,
            Kind::Entry => entries > limits.entries || bytes > limits.bytes,
        };
        if goes {
            let _ = fs::remove_file(&one.path);
            if one.kind == Kind::Entry {
                entries -= 1;
                bytes -= one.bytes;
            }
        }
    }
}

/// Removes all that is ours. A process that loses the file of its turn keeps the turn; at worst something is derived twice.
pub(super) fn clear(folder: &Path) -> io::Result<Contents> {
    let kept = list(folder);
    let mut gone = Vec::new();
    let mut refused = None;
    for one in kept {
        match fs::remove_file(&one.path) {
            Ok(()) => gone.push(one),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    match refused {
        None => Ok(sum(&gone)),
        Some(error) => Err(error),
    }
}
