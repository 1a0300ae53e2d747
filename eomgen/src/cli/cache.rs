//! `eomgen cache`

use super::args::CacheArgs;
use super::console::{Problem, print};
use crate::host::cache::{Cache, Contents, VARIABLE};

/// Reports the cache, or clears it.
pub(super) fn run(args: &CacheArgs) -> Result<(), Problem> {
    let cache = Cache::from_env();
    let folder = match cache.folder() {
        Ok(folder) => folder.display(),
        Err(off) => return print(&format!("off: {off}\n")),
    };
    if args.clear {
        let gone = cache
            .clear()
            .map_err(|error| Problem::Failed(format!("cannot empty {folder}: {error}")))?;
        return print(&format!("{folder}: removed {}\n", amount(gone)));
    }
    let limits = cache.limits();
    print(&format!(
        "{folder}: {}, of at most {} and {}\n(`eomgen cache --clear` removes them; {VARIABLE}=off turns the cache off)\n",
        amount(cache.contents()),
        entries(limits.entries),
        size(limits.bytes),
    ))
}

fn amount(contents: Contents) -> String {
    format!("{}, {}", entries(contents.entries), size(contents.bytes))
}

fn entries(number: usize) -> String {
    match number {
        1 => "1 entry".to_owned(),
        _ => format!("{number} entries"),
    }
}

/// In the largest unit of which there is at least one, with one digit behind the point where that says something.
fn size(bytes: u64) -> String {
    let (unit, name) = match bytes {
        0..1024 => return format!("{bytes} bytes"),
        1024..0x10_0000 => (1024, "KiB"),
        _ => (0x10_0000, "MiB"),
    };
    match bytes % unit {
        0 => format!("{} {name}", bytes / unit),
        rest => format!("{}.{} {name}", bytes / unit, rest * 10 / unit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_words() {
        let amount = |entries, bytes| amount(Contents { entries, bytes });
        assert_eq!(amount(0, 0), "0 entries, 0 bytes");
        assert_eq!(amount(1, 1023), "1 entry, 1023 bytes");
        assert_eq!(amount(2, 1024), "2 entries, 1 KiB");
        assert_eq!(amount(2, 1536), "2 entries, 1.5 KiB");
        assert_eq!(amount(3, (1 << 20) - 1), "3 entries, 1023.9 KiB");
        assert_eq!(amount(3, 256 << 20), "3 entries, 256 MiB");
    }
}
