//! One process; many of them are in `tests/suite/cache.rs`.

use super::*;
use std::ffi::OsStr;
use std::time::Duration;

const PLENTY: Limits = Limits {
    bytes: 1 << 20,
    entries: 100,
};

fn key(text: &str) -> Key {
    let mut key = Key::new();
    key.add(text);
    key
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|e| e.unwrap().path()).collect();
    paths.sort();
    paths
}

fn used(path: &Path, seconds_ago: u64) {
    let file = fs::OpenOptions::new().write(true).open(path).unwrap();
    let then = SystemTime::now() - Duration::from_secs(seconds_ago);
    file.set_modified(then).unwrap();
}

fn path_of(folder: &Path, key: &Key) -> PathBuf {
    folder.join(format!("{}{ENTRY}", key.name()))
}

#[test]
fn keys_keep_things_apart() {
    let name = |texts: &[&str]| {
        let mut key = Key::new();
        for text in texts {
            key.add(text);
        }
        key.name()
    };
    let names = [
        name(&[]),
        name(&[""]),
        name(&["ab"]),
        name(&["a", "b"]),
        name(&["", "ab"]),
        name(&["b", "a"]),
    ];
    for (i, one) in names.iter().enumerate() {
        assert_eq!(one.len(), 64);
        assert!(!names[i + 1..].contains(one), "{i}");
    }
    assert_eq!(name(&["a", "b"]), names[3]);
    // The text of the generator is part of every key.
    assert_eq!(env!("EOMGEN_FINGERPRINT").len(), 16);
    assert_ne!(Key(Sha256::new()).name(), Key::new().name());
}

#[test]
fn what_was_kept_is_found_under_its_key_only() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("new/eomgen");
    let cache = Cache::at(&folder, PLENTY);
    assert_eq!(cache.get(&key("a")), None);
    assert!(!folder.exists());
    cache.put(&key("a"), b"one");
    cache.put(&key("b"), b"");
    assert_eq!(cache.get(&key("a")).unwrap(), b"one");
    assert_eq!(cache.get(&key("b")).unwrap(), b"");
    assert_eq!(cache.get(&key("c")), None);
    cache.put(&key("a"), b"two");
    assert_eq!(cache.get(&key("a")).unwrap(), b"two");
    assert_eq!(files(&folder).len(), 2);
    assert_eq!(cache.contents().entries, 2);
}

#[test]
fn damaged_cut_and_foreign_files_are_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path(), PLENTY);
    let (a, b) = (key("a"), key("b"));
    cache.put(&a, b"content of a");
    cache.put(&b, b"content of b");
    let path = path_of(folder.path(), &a);
    let good = fs::read(&path).unwrap();
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 4;
    let other = fs::read(path_of(folder.path(), &b)).unwrap();
    for bad in [&flipped[..], &good[..good.len() - 1], b"", b"else", &other] {
        fs::write(&path, bad).unwrap();
        assert_eq!(cache.get(&a), None, "{bad:?}");
        let made = cache.get_or_make(&a, || Ok::<_, ()>(b"content of a".to_vec()));
        assert_eq!(made.unwrap(), b"content of a");
        assert_eq!(fs::read(&path).unwrap(), good);
    }
    assert_eq!(cache.get(&a).unwrap(), b"content of a");
}

#[test]
fn failures_are_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path(), PLENTY);
    assert_eq!(cache.get_or_make(&key("a"), || Err("no")), Err("no"));
    assert_eq!(files(folder.path()), [""; 0].map(PathBuf::from));
    let made = cache.get_or_make(&key("a"), || Ok::<_, ()>(b"yes".to_vec()));
    assert_eq!(made.unwrap(), b"yes");
    // The second time nothing is made.
    let kept = cache.get_or_make(&key("a"), || Err("made again"));
    assert_eq!(kept.unwrap(), b"yes");
}

#[test]
fn the_least_recently_used_go_first() {
    let folder = tempfile::tempdir().unwrap();
    let sealed = entry::seal(&key("a").name(), &[0; 1000]).len() as u64;
    for limits in [
        Limits {
            entries: 3,
            ..PLENTY
        },
        Limits {
            bytes: 3 * sealed + 10,
            ..PLENTY
        },
    ] {
        let cache = Cache::at(folder.path(), limits);
        cache.clear().unwrap();
        for (name, age) in [("a", 300), ("b", 200), ("c", 100)] {
            cache.put(&key(name), &[0; 1000]);
            used(&path_of(folder.path(), &key(name)), age);
        }
        // Reading is using: now b is the oldest.
        assert!(cache.get(&key("a")).is_some());
        cache.put(&key("d"), &[0; 1000]);
        let there = ["a", "b", "c", "d"].map(|name| path_of(folder.path(), &key(name)).exists());
        assert_eq!(there, [true, false, true, true], "{limits:?}");
        assert!(cache.contents().bytes <= limits.bytes);
        assert_eq!(cache.contents().entries, 3);
    }
}

#[test]
fn what_is_too_large_is_not_kept_and_drives_nothing_out() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits {
        bytes: 2000,
        ..PLENTY
    };
    let cache = Cache::at(folder.path(), limits);
    cache.put(&key("small"), b"x");
    cache.put(&key("large"), &[0; 2000]);
    assert_eq!(cache.get(&key("large")), None);
    assert_eq!(cache.get(&key("small")).unwrap(), b"x");
    let made = cache.get_or_make(&key("large"), || Ok::<_, ()>(vec![7; 2000]));
    assert_eq!(made.unwrap(), [7; 2000]);
}

#[test]
fn what_killed_processes_left_is_swept_when_old_and_other_files_never() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path(), PLENTY);
    let at = |name: &str| folder.path().join(name);
    let lock = format!("{}{LOCK}", key("x").name());
    let new_lock = format!("{}{LOCK}", key("y").name());
    let ages = [
        (".eomgen-aB3.tmp", 2 * 60 * 60),
        (".eomgen-aB4.tmp", 60),
        (lock.as_str(), 25 * 60 * 60),
        (new_lock.as_str(), 2 * 60 * 60),
        ("notes.txt", 1_000_000),
        ("a.entry", 1_000_000),
    ];
    for (name, age) in ages {
        fs::write(at(name), b"").unwrap();
        used(&at(name), age);
    }
    cache.put(&key("a"), b"one");
    let there = ages.map(|(name, _)| at(name).exists());
    assert_eq!(there, [false, true, false, true, true, true]);
    // Clearing leaves what is not ours.
    assert_eq!(cache.clear().unwrap().entries, 1);
    assert_eq!(files(folder.path()), [at("a.entry"), at("notes.txt")]);
}

#[test]
fn the_variable_names_a_folder_or_switches_off() {
    let users = || Some(PathBuf::from("/home/someone/.cache"));
    let chosen = |value: Option<&str>| folder::chosen(value.map(OsStr::new), users);
    let usual = Ok(users().unwrap().join("eomgen"));
    assert_eq!(chosen(None), usual);
    assert_eq!(chosen(Some("")), usual);
    assert_eq!(chosen(Some("off")), Err(Off::Asked("off".to_owned())));
    assert_eq!(chosen(Some("0")), Err(Off::Asked("0".to_owned())));
    let here = std::env::current_dir().unwrap();
    assert_eq!(chosen(Some("kept/here")), Ok(here.join("kept/here")));
    assert_eq!(folder::chosen(None, || None), Err(Off::Homeless));
    for off in [Off::Homeless, Off::Asked("0".to_owned())] {
        assert!(off.to_string().contains(VARIABLE), "{off}");
        assert_is_off(&Cache {
            folder: Err(off),
            limits: PLENTY,
        });
    }
}

/// Nothing is kept, nothing is found, and things are made all the same.
fn assert_is_off(cache: &Cache) {
    cache.put(&key("a"), b"one");
    assert_eq!(cache.get(&key("a")), None);
    assert!(cache.turn(&key("a")).is_none());
    let made = cache.get_or_make(&key("a"), || Ok::<_, ()>(b"made".to_vec()));
    assert_eq!(made.unwrap(), b"made");
    assert_eq!(cache.get(&key("a")), None);
    assert_eq!(cache.contents(), Contents::default());
}

#[test]
fn a_place_where_no_folder_can_be_is_as_good_as_off() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("file");
    fs::write(&file, b"mine").unwrap();
    assert_is_off(&Cache::at(&file, PLENTY));
    assert_is_off(&Cache::at(&file.join("inside"), PLENTY));
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    let off = Cache::at(&file, PLENTY).folder().unwrap_err();
    assert!(off.to_string().contains("file"), "{off}");
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn set(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn everything_is_private() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("eomgen");
        let cache = Cache::at(&folder, PLENTY);
        cache.put(&key("a"), b"one");
        assert_eq!(mode(&folder), 0o700);
        assert_eq!(mode(&path_of(&folder, &key("a"))), 0o600);
    }

    #[test]
    fn what_others_can_write_to_is_not_believed() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("eomgen");
        let cache = Cache::at(&folder, PLENTY);
        cache.put(&key("a"), b"one");
        for open in [0o777, 0o720, 0o1777] {
            set(&folder, open);
            assert_eq!(cache.get(&key("a")), None, "{open:o}");
            cache.put(&key("b"), b"two");
            assert_eq!(cache.folder(), Err(Off::Shared(folder.clone())));
            assert_eq!(files(&folder).len(), 1, "{open:o}");
        }
        set(&folder, 0o755);
        assert_eq!(cache.get(&key("a")).unwrap(), b"one");
        set(&path_of(&folder, &key("a")), 0o666);
        assert_eq!(cache.get(&key("a")), None);
    }

    #[test]
    fn a_read_only_folder_is_read_and_not_complained_about() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("eomgen");
        let cache = Cache::at(&folder, PLENTY);
        cache.put(&key("a"), b"one");
        set(&folder, 0o500);
        if fs::write(folder.join("probe"), b"").is_ok() {
            // Root may write anywhere; the test above of a place without a folder remains.
            eprintln!("skipped: permissions do not bind this user");
            return;
        }
        assert_eq!(cache.get(&key("a")).unwrap(), b"one");
        cache.put(&key("b"), b"two");
        assert_eq!(cache.get(&key("b")), None);
        set(&folder, 0o700);
    }

    /// `/` belongs to root: anybody else must not take entries from there.
    #[test]
    fn the_folder_of_somebody_else_is_not_believed() {
        let own = tempfile::tempfile().unwrap().metadata().unwrap().uid();
        let cache = Cache::at(Path::new("/"), PLENTY);
        if own == fs::metadata("/").unwrap().uid() {
            // Root can give a folder away, and does.
            let home = tempfile::tempdir().unwrap();
            let folder = home.path().join("eomgen");
            let cache = Cache::at(&folder, PLENTY);
            cache.put(&key("a"), b"one");
            std::os::unix::fs::chown(&folder, Some(own + 1), None).unwrap();
            assert_eq!(cache.get(&key("a")), None);
            assert_eq!(cache.folder(), Err(Off::Shared(folder.clone())));
        } else {
            assert_eq!(cache.folder(), Err(Off::Shared(PathBuf::from("/"))))
        }
    }
}
