//! What belongs to this user alone, and where: the folder that all processes of a user find, whatever their environment says, and that nobody else can
//! make, fill or hold in their place.

use std::fs::{self, DirBuilder, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// Below the user's home, where programs keep what is of one machine and not worth a backup.
const BELOW_HOME: &str = ".local/state/eomgen";

/// The user's folder for locks: below the home that the system's list of users names; where that cannot be written to, in the folder that is
/// everybody's, under the user's id. Neither `HOME` nor `TMPDIR` nor `XDG_RUNTIME_DIR` plays a part where the list has the user: a job of cron
/// and a session of the same user must find the same folder.
///
/// # Errors
/// Where there is neither.
pub fn folder(user: &str) -> io::Result<PathBuf> {
    let mut refused = io::Error::from(io::ErrorKind::NotFound);
    let homes = home().filter(|home| is_ours(home));
    let shared = shared().join(format!("eomgen-{user}"));
    for folder in homes
        .map(|home| home.join(BELOW_HOME))
        .into_iter()
        .chain([shared])
    {
        match made(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) => {
                refused = io::Error::new(error.kind(), format!("{}: {error}", folder.display()))
            }
        }
    }
    Err(refused)
}

/// Makes a folder that is the user's alone, or finds it to be that, and to be one in which files can be made.
fn made(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    // Not of what a link leads to: somebody else's link may lead to a folder of ours.
    let metadata = fs::symlink_metadata(folder)?;
    if !metadata.is_dir() || !private(&metadata) {
        let text = "it belongs to another user, or others may write to it";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
    }
    writable(folder)
}

/// Whether files can be made in a folder, so that all processes of a user decide alike where the file system is read-only.
#[cfg(unix)]
fn writable(folder: &Path) -> io::Result<()> {
    Ok(rustix::fs::access(folder, rustix::fs::Access::WRITE_OK)?)
}

#[cfg(not(unix))]
fn writable(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// Whether a folder is this user's. One whose home is another's, or everybody's, has none.
#[cfg(unix)]
fn is_ours(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let owner = fs::metadata(folder).ok().map(|metadata| metadata.uid());
    owner.is_some() && owner == user_id()
}

#[cfg(not(unix))]
fn is_ours(folder: &Path) -> bool {
    folder.is_dir()
}

/// Whether something belongs to this user and nobody else may write to it.
#[cfg(unix)]
pub fn private(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.mode() & 0o022 == 0 && user_id().is_some_and(|id| id == metadata.uid())
}

/// The user's own folders are private where there are no such modes.
#[cfg(not(unix))]
pub fn private(_metadata: &Metadata) -> bool {
    true
}

/// The user's numeric id.
#[cfg(unix)]
pub fn user_id() -> Option<u32> {
    Some(rustix::process::geteuid().as_raw())
}

#[cfg(not(unix))]
pub fn user_id() -> Option<u32> {
    None
}

/// The user's home: by the system's list of users, else as the environment has it.
pub fn home() -> Option<PathBuf> {
    let listed = user_id().and_then(|id| {
        let list = fs::read_to_string("/etc/passwd").ok()?;
        listed_home(&list, id)
    });
    let home = listed.or_else(std::env::home_dir);
    // A home that is not absolute is another one in every folder.
    home.filter(|home| home.is_absolute())
}

/// The home in a list of users such as `/etc/passwd`.
fn listed_home(list: &str, id: u32) -> Option<PathBuf> {
    list.lines().find_map(|line| {
        let fields: Vec<&str> = line.split(':').collect();
        let [_, _, user, _, _, home, ..] = fields.as_slice() else {
            return None;
        };
        (user.parse() == Ok(id)).then(|| PathBuf::from(home))
    })
}

/// The folder that is everybody's, whatever the environment says.
#[cfg(unix)]
fn shared() -> PathBuf {
    PathBuf::from("/tmp")
}

#[cfg(not(unix))]
fn shared() -> PathBuf {
    std::env::temp_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_is_the_one_of_the_id() {
        let list = "root:x:0:0:root:/root:/bin/sh\nbroken\nann:x:1000:1000::/home/ann:/bin/sh\n";
        assert_eq!(listed_home(list, 1000), Some("/home/ann".into()));
        assert_eq!(listed_home(list, 0), Some("/root".into()));
        assert_eq!(listed_home(list, 1), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_others_can_fill_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        made(&at("own/eomgen")).unwrap();
        assert_eq!(
            fs::metadata(at("own/eomgen")).unwrap().permissions().mode() & 0o777,
            0o700
        );
        fs::create_dir(at("open")).unwrap();
        fs::set_permissions(at("open"), fs::Permissions::from_mode(0o777)).unwrap();
        std::os::unix::fs::symlink(at("own/eomgen"), at("link")).unwrap();
        fs::write(at("file"), "").unwrap();
        for name in ["open", "link", "file", "file/below"] {
            assert!(made(&at(name)).is_err(), "{name}");
        }
    }
}
